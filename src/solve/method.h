#ifndef SNW_METHOD_H
#define SNW_METHOD_H

// What the loop hands to a method, and the methods. Each fills linear.step from the current state.

#include "body/ball_limit.h"
#include "solve/auto_plan.h"
#include "solve/form.h"
#include "solve/measure.h"
#include "solve/restart.h"
#include "solve/rows.h"
#include "solve/soft_reach.h"
#include "solve/task.h"

/// What a sweep over the joints needs beside the states.
typedef struct snw_Sweep {
    int *subtree_end; // by moving link: the first link after those that hang on it
    double *values;   // where the joints' steps led, before looking ahead
} snw_Sweep;

/// Priority levels, and what working within the null space of those above needs; priority.c.
typedef struct snw_Levels {
    int count;                 // 1: one level, and nothing below is used
    int now;                   // the level at work
    bool restoring;            // the step brings the levels above back and nothing else
    int last_iteration;        // of the report, in which the level at work ends
    unsigned char *level;      // by goal, 0 the highest, without gaps
    double *position_scale;    // by goal: those of all levels
    double *orientation_scale; // by goal
    double rest_weight[SINEW_MAX_PRIORITY + 1]; // by level
    snw_State pinned, spare; // where the levels above stand, and a third state to step to
    // rows of the levels at work (dof_count x their number); of constrained steps those weighed
    double *rows, *errors;
    double *columns; // of constrained steps alone            (constraint rows x dof_count)
    double *between; // hard rows among themselves, and a copy    (2 x held^2)
} snw_Levels;

/// Most rows that constraints may have together.
#define SNW_MAX_CONSTRAINT_ROWS 32

/// Plans of more dofs have no way out of saddles: finding one costs a factorisation of that size.
#define SNW_ESCAPE_DOFS 128
/// Directions that the search for the way down goes through.
#define SNW_ESCAPE_STEPS 24

/// What the search for the way out of a saddle needs; escape.c.
typedef struct snw_Escape {
    int count;       // dofs that no limit holds
    int *dof;        // they
    double *unit;    // by dof: 1, or L for slides
    double *matrix;  // curvature of F over them                          (count x count)
    double *basis;   // directions, orthonormal           (SNW_ESCAPE_STEPS x count)
    double *product; // (count)
    double *way;     // by dof of the plan: the preferred bend, then the way down
    double *knee;    // by link: how much it is the middle of a limb, metres
} snw_Escape;

typedef struct snw_Solve {
    const sinew_Skeleton *skeleton;
    // fixed for one solve
    snw_Plan plan;
    snw_Targets targets;
    sinew_SolveOptions options;
    sinew_LinearForm form, cheapest_form; // the second belongs to the plan
    snw_Follow *follows;                  // the caller's: hinges that follow directions
    int follow_count;
    double boost;                     // of the automatic damping, raised while steps are taken back
    double met_position2, met_chord2; // the tolerances, squared; chords of orientations

    sinew_Clock clock; // NULL: none
    void *clock_user;
    double start_time;
    bool out_of_time; // the clock said so; it is not asked again
    double time_told; // by the clock when it was asked last, of those methods that solve parts
    double *trace;    // largest position error after each iteration; NULL: not wanted
    int trace_capacity;

    // the current pose, the one that a step leads to, and the values of the best one
    snw_State *current, *trial;
    snw_State states[2]; // they are these
    double *start_values;
    double *best_values;
    double best_objective;

    snw_Linear linear;
    snw_BallHold *holds; // by link: what the limits of balls hold
    double *svd;         // selectively damped alone
    snw_Sweep sweep;     // cyclic coordinate descent alone
    snw_Auto method;     // the default method alone
    snw_Restart restart;
    snw_Levels levels;
    snw_Escape escape;
    // sides of support polygons that the step ends on
    int support_side_count[SINEW_MAX_SUPPORT_GOALS];
    snw_Ground2 support_sides[SINEW_MAX_SUPPORT_GOALS][2]; // their normals
    bool any_support_side;
    snw_Ease *ease; // by goal
    double beyond;  // how far eased goals are beyond reach, metres; negative: none is eased
    sinew_GoalResult *results; // by goal
    sinew_Report report;
    bool posed;          // the transforms of the current state belong to its values
    bool fresh_jacobian; // linear.jacobian belongs to the current state
} snw_Solve;

/// What a solver was made for, and the mobility of each axis that holds now.
const sinew_Skeleton *snw_solver_skeleton(const sinew_Solver *solver);
const double *snw_solver_mobility(const sinew_Solver *solver);
/// Limits by axis that hold now, to be changed: the next solve takes them over.
snw_AxisLimit *snw_solver_open_limits(sinew_Solver *solver);
/// The problem of all goals together as the last solve left it that was not of parts (parts.h): each
/// one of a single goal, of another method than the default, or without iterations. Its current state
/// is the answer.
snw_Solve *snw_solver_inside(sinew_Solver *solver);
/// Let hinges follow directions in all solves from now on, damped by those that step by no Jacobian
/// (auto, ccd); count 0: none. They are read and written in each, and belong to the caller.
void snw_solver_follow(sinew_Solver *solver, snw_Follow *follows, int count);

/// Run the loop from the current state, and again from other starts as the options ask; the best pose
/// is the current state then. loop.c.
sinew_Outcome snw_solve_run(snw_Solve *solve);

/// Make these values the current state, posed and measured; loop.c.
void snw_solve_return_to(snw_Solve *solve, const double *values);

/// The default method, instead of the loop; its figures are added to the report. auto.c.
sinew_Outcome snw_solve_auto(snw_Solve *solve);
/// What the default method begins a chain with, and nothing of the search; whether the chain has a
/// closed form (closed.h). The joints of the pose given are in method.joints then.
bool snw_auto_begin_chain(snw_Solve *solve);
/// Bring an answer of a closed form to its goal on the true chain; false: it does not get there.
bool snw_auto_finish_chain(snw_Solve *solve, double *joints);
/// Whether it poses this plan itself, so that the states need only what carries the chain; then the
/// current state has its values and errors after a solve, and no transforms.
bool snw_auto_poses_itself(const snw_Solve *solve);
/// Metres from what carries the chain to its goal.
double snw_auto_distance(const snw_Solve *solve);
/// Pose the current state where that was left out.
void snw_solve_pose(snw_Solve *solve);

/// Whether a state meets every goal.
static inline bool snw_solve_met_by(const snw_Solve *solve, const snw_State *state)
{
    return state->position_error2 <= solve->met_position2
        && state->orientation_chord2 <= solve->met_chord2;
}

/// Shrink linear.step until no joint turns farther than the options allow; returns the largest turn of
/// a joint, radians (slides: of the reach), and by what all was scaled; loop.c.
double snw_solve_cap_step(snw_Solve *solve, double *out_scale);

/// The same level by level: each is solved as far as it goes without giving up anything of those above.
/// priority.c.
sinew_Outcome snw_levels_run(snw_Solve *solve);
void snw_levels_take(snw_Levels *levels, snw_Sizes sizes, snw_Arena *arena);

/// Sort the goals into levels; their scales and rest weights are in the targets.
void snw_levels_prepare(snw_Solve *solve, const sinew_Goal *goals, int goal_count);

/// The damped step with some rows held as constraints by Lagrange multipliers, in the form of the
/// report; constraint.c.
bool snw_constrained_solve(snw_Solve *solve);

void snw_escape_take(snw_Escape *escape, snw_Sizes sizes, snw_Arena *arena);

/// Leave a saddle: the current state, posed and measured, is where a descent has stalled. Where F curves
/// down from there, out_values receive a pose of lower F within the limits, and true is returned. Of two
/// equal sides that is taken to which limbs prefer to bend: towards the rest pose; a joint that is
/// straight there, away from its nearer bound, a ball about its own x axis, or across the bone. The trial
/// state is overwritten.
bool snw_escape_saddle(snw_Solve *solve, double *out_values);

/// Whether the time budget is over; loop.c.
bool snw_solve_out_of_time(snw_Solve *solve);

/// Build the Jacobian of the current state unless it is there; numeric_jacobian.c.
void snw_solve_need_jacobian(snw_Solve *solve);

/// A damped step by a damping of the caller's, m^2; damped.c. false: no step can be taken from here.
bool snw_step_damped_by(snw_Solve *solve, double lambda2);

/// Cyclic coordinate descent has no linear step: it changes the values of the trial state joint by
/// joint. These are the parts of a sweep: begin takes the current state over, step moves one link, to be
/// called in the order of options.sweep, and returns its change; only effectors below the joint (and,
/// outward, the links met) are evaluated.
void snw_sweep_begin(snw_Solve *solve);
double snw_sweep_step(snw_Solve *solve, int link);

void snw_sweep_take(snw_Sweep *sweep, snw_Sizes sizes, snw_Arena *arena);

/// Numbers of solve->svd for the largest plan.
size_t snw_selectively_damped_scratch(snw_Sizes sizes);

#endif
