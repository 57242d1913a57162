#ifndef SINEW_SOLVER_H
#define SINEW_SOLVER_H

/// \file
/// The solver: poses a skeleton so that goals are met.
///
/// A solver is made once for a skeleton and a capacity, owns all the memory it ever needs, and is
/// used every frame; a solve allocates nothing, takes no locks and touches no globals. One solver
/// per thread; skeletons are shared.
///
/// One loop serves every method: measure, step, integrate, limit, measure; the best pose seen is
/// kept; it stops by tolerance, stall, iteration ceiling or time.
///
/// What is minimised, over the movable dofs:
///     F(q) = 1/2 sum w |t - p|^2 + 1/2 l^2 sum w |r|^2 + 1/2 rho |rest (-) q|^2 + 1/2 nu |start (-) q|^2
/// p, t: effector and goal positions; r: rotation to the goal, measured by the chord 2 sin(angle/2),
/// which needs no trigonometry; w: weights; l: orientation length; rho, nu: rest and velocity
/// weights; start: the pose given to the solve. Differences of balls are chords too. Aims, directions
/// and poles count as rotations, the centre of mass as a position, goals held as constraints
/// 1 / constraint_damping^2 times (at most a million).
///
/// By the default method, goals that share no movable joint are problems of their own: each part of them
/// is solved as if it were alone (its L and l are its own), and the report is about all. Goals share all
/// joints that any goal may move, from theirs up to the root of the skeleton; those without an effector
/// share the whole body. Priorities hold within a part.
///
/// A limb that is straight bends when its goal comes nearer along it, though no gradient leads there: the
/// default method follows the second order out of such saddles. Of two equal sides it takes that towards
/// the rest pose; where limbs are straight in it, hinges leave their nearer bound, and balls turn about
/// their own x axis, or across their bone where that is along it.
///
/// Goals of several priorities are solved level by level: the highest as if it were alone; each next
/// one by steps in the null space of those above, within the limits, which are brought back to where
/// they were (1e-8) before a step is taken. Where that leaves a level unmet below met ones, a pose that
/// meets all of them is looked for as if they were one level, if restarts are allowed; it is the answer.

#include "goal.h"
#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where a solve starts.
typedef enum sinew_StartMode {
    SINEW_START_GIVEN, ///< from the pose given, in motion that of the last frame: warm
    /// From the rest pose (sinew_solver_set_rest), cold: the answer depends on the goals and on what
    /// they may not move alone, not on the frame before. Blow (2002) calls it neutral.
    SINEW_START_REST,
    /// From the nearest start of the solver's table (start.h); as REST where there is none.
    SINEW_START_TABLE,
} sinew_StartMode;

/// Which answer is taken where a chain has a closed form, which knows them all (method auto).
typedef enum sinew_BranchChoice {
    /// The one whose joints are nearest to the pose given, where that is far from the goals (E, the
    /// squared error in units of L and radians, above 0.01) or the solve is cold; near the goals the
    /// branch of the pose given is followed. Of arms with a joint to spare: nearest for the first value
    /// of that joint which has answers at all, beginning with the one it stands at.
    SINEW_BRANCH_NEAREST,
    SINEW_BRANCH_FIRST, ///< as NEAREST, but any: the first that is found, in the shortest time
    SINEW_BRANCH_KEPT, ///< always a descent from the pose given first; a closed form where that fails
} sinew_BranchChoice;

/// Methods, a row each: its name here and the word that texts have for it. `src/solve/method_table.c` finds
/// a method's own file by the word.
#define SINEW_METHOD_LIST(X)                 \
    X(SINEW_METHOD_AUTO, auto)               \
    X(SINEW_METHOD_PSEUDO_INVERSE, pinv)     \
    X(SINEW_METHOD_TRANSPOSE, transpose)     \
    X(SINEW_METHOD_DAMPED, dls)              \
    X(SINEW_METHOD_SELECTIVELY_DAMPED, sdls) \
    X(SINEW_METHOD_CCD, ccd)

/// How a linearised problem is turned into a step.
///
/// - AUTO: the default, which needs no tuning: closed forms where a limb allows them, else damped steps
///   with an active set whose damping follows the error (Sugihara 2011), abandoned as soon as they lead
///   nowhere and begun again from other starts.
/// - PSEUDO_INVERSE: the seven steps of Meredith and Maddock (2004), J^T (J J^T)^-1 with step control.
/// - TRANSPOSE: J^T e with the step length that fits best.
/// - DAMPED: damped least squares, Hoang (2014), eq. 2-5.
/// - SELECTIVELY_DAMPED: selectively damped least squares, Buss and Kim (2005).
/// - CCD: cyclic coordinate descent, one joint after another takes its best place, limits included; an
///   iteration is a sweep over all joints. Blow (2002).
typedef enum sinew_Method {
#define SINEW_METHOD_ENUM(name, word) name,
    SINEW_METHOD_LIST(SINEW_METHOD_ENUM)
#undef SINEW_METHOD_ENUM
} sinew_Method;

/// How many there are.
#define SINEW_METHOD_PLUS_ONE(name, word) +1
enum { SINEW_METHOD_COUNT = 0 SINEW_METHOD_LIST(SINEW_METHOD_PLUS_ONE) };

/// The order in which cyclic coordinate descent visits the joints.
typedef enum sinew_SweepOrder {
    SINEW_SWEEP_TIP_TO_ROOT,
    SINEW_SWEEP_ROOT_TO_TIP,
} sinew_SweepOrder;

/// Which rows of a SINEW_GOAL_POSE goal are used.
typedef enum sinew_JacobianRows {
    SINEW_ROWS_AS_GOALS, ///< what each goal asks; pose goals full and position goals half: hybrid
    SINEW_ROWS_HALF,     ///< positions alone, 3 rows a goal; orientation goals are refused
} sinew_JacobianRows;

typedef enum sinew_JacobianSource {
    SINEW_JACOBIAN_ANALYTIC,
    SINEW_JACOBIAN_FORWARD_DIFFERENCE, ///< Bhatti et al. (2013), eq. 5
    SINEW_JACOBIAN_CENTRAL_DIFFERENCE,
} sinew_JacobianSource;

/// Ways to solve the damped normal equations, a row each: its name here and the word that texts have for it.
#define SINEW_FORM_LIST(X)   \
    X(SINEW_FORM_AUTO, auto) \
    X(SINEW_FORM_ROWS, rows) \
    X(SINEW_FORM_DOFS, dofs) \
    X(SINEW_FORM_TREE, tree) \
    X(SINEW_FORM_RECURSION, recursion)

/// The ways to solve the damped normal equations. All give the same step. DOFS and TREE are for goals
/// that move at most 2048 degrees of freedom together; more are refused with CAPACITY.
///
/// - AUTO: the cheapest by counted flops.
/// - ROWS: dense m x m, (J J^T + lambda^2) f = e, step = J^T f.
/// - DOFS: dense n x n, (J^T J + lambda^2) step = J^T e.
/// - TREE: n x n, sparse in the way of the tree, factored without fill-in.
/// - RECURSION: O(n) articulated-body recursion, no matrix; lambda^2 >= 1e-6 m^2.
typedef enum sinew_LinearForm {
#define SINEW_FORM_ENUM(name, word) name,
    SINEW_FORM_LIST(SINEW_FORM_ENUM)
#undef SINEW_FORM_ENUM
} sinew_LinearForm;

/// How many there are.
#define SINEW_FORM_PLUS_ONE(name, word) +1
enum { SINEW_FORM_COUNT = 0 SINEW_FORM_LIST(SINEW_FORM_PLUS_ONE) };

/// How the pseudo-inverse inverts J J^T.
typedef enum sinew_Inverse {
    SINEW_INVERSE_CHOLESKY, ///< symmetric factorisation, no explicit inverse
    SINEW_INVERSE_EXPLICIT, ///< as published: 3x3 adjugate, 6x6 LU; one goal at a time
} sinew_Inverse;

typedef enum sinew_LimitMode {
    /// An active set (default): a dof on its bound that is pushed outward is held and the others
    /// make up for it; one that would pass its bound ends on it, and the step is solved once more
    /// for the rest. Bertsekas (1982), projected Newton.
    SINEW_LIMITS_ACTIVE,
    SINEW_LIMITS_CLAMP, ///< every coordinate is cropped to its range after each step
    SINEW_LIMITS_NONE,  ///< ranges are ignored
} sinew_LimitMode;

/// How to solve. Start from sinew_solve_options_default(method).
///
/// Lengths marked (L) are in units of the reach L: the length of the longest chain from a movable
/// root to an effector, of its bones, or of the way of its slides where that is longer. So one set of numbers
/// fits a finger and a crane.
/// Slides without end, or of more than 10 km, add nothing to it until a goal is more than 4 L off: then L is
/// doubled until it is as far. max_joint_change counts in the L of goals that are near.
typedef struct sinew_SolveOptions {
    sinew_Method method;
    sinew_JacobianRows rows;
    sinew_JacobianSource jacobian;
    /// Step of finite differences, radians or metres, > 0. Default 1e-6.
    double difference_step;
    sinew_LinearForm form;
    sinew_LimitMode limits;

    /// Goals are met within these, metres and radians, > 0. Default 1e-3 and 1e-2.
    double position_tolerance, orientation_tolerance;
    /// Iterations: at most (default 200; 1000 for the transpose) and at least
    /// (default 0; 2 keeps a tracked motion smooth inside the tolerance). At most holds for all goals
    /// and priority levels together, at least for each part of them. The steps that bring higher levels
    /// back to where they were count.
    int max_iterations, min_iterations;
    /// Seconds after which no further iteration starts; 0 for no such ceiling (default). Needs the
    /// clock of the definition.
    double time_budget;
    /// Stop when the error falls by less than this share in an iteration; 0 never (default for the
    /// methods without descent). Default 1e-6 with descent. Cyclic coordinate descent stops after two
    /// such sweeps, default 1e-9. For the automatic method by less in 8 iterations, default 0.
    double stall_share;

    /// Damping lambda, metres per radian, >= 0; a negative number (default for damped) takes the
    /// automatic one: lambda^2 = boost (damping_gain 2F + damping_floor L^2), Sugihara (2011).
    double damping;
    double damping_gain;  ///< default 0.1
    double damping_floor; ///< (L^2), default 1e-10
    /// Take a step only if F does not grow; else damp ten times more and try again (default for the
    /// damped method). Ends shaking at goals out of reach.
    bool descent;
    /// Damping of the multipliers of constraint goals, >= 0: 0 holds them as firmly as rounding lets,
    /// more lets them give way to the other goals where both cannot be. Default 0.01. The lambda of
    /// Hoang (2014), eq. 9, whose epsilon is damping squared.
    double constraint_damping;

    /// Pull to the rest pose and to the start pose, m^2/rad^2, >= 0. Default 0. Slides without end,
    /// as those of a free root, have no rest and are not pulled to it.
    double rest_weight, velocity_weight;
    /// Metres that one radian of orientation error weighs; 0 (default): a third of L, by auto L.
    double orientation_length;

    /// Share of each step that is taken, in (0, 1]. Default 1. Bhatti et al. (2013), figure 8.
    double step_scale;
    /// Largest change of one joint in one iteration, radians (of a slide: times L), > 0. The whole
    /// step shrinks to keep it. Default 0.5 for pinv, pi/4 for sdls, 0.7 for ball joints of the
    /// damped method. Cyclic coordinate descent (0.7) caps joint by joint.
    double max_joint_step;
    /// Largest change of one joint in the whole solve, radians (of a slide: times L), >= 0: of each of its
    /// axes, and of its rotation as a whole; 0: none moves, goals are measured (a tracker wants more). Default INFINITY. Bounds joint speeds where a solve is a
    /// frame, also when the answer jumps.
    double max_joint_change;
    /// Longest position error that is shown to the linear step, (L), > 0. Default 0.5.
    double max_target_step;

    /// Pseudo-inverse: ||(I - J J+) dX|| above this halves dX, at most max_halvings times.
    /// Defaults 1e-3 and 20. Meredith and Maddock (2004), eq. 1.7.
    double halving_threshold;
    int max_halvings;
    /// Run that loop literally instead of by its closed form.
    bool literal_halving;
    sinew_Inverse inverse;

    /// Ease position goals near full stretch, so that knees and elbows do not snap straight: over this
    /// share of the chain's reach before its end, and three times as much behind it. 0 (default): not;
    /// at most 0.2. 0.02 costs up to 0.6 % of the reach in place, at full stretch. Holds for goals
    /// whose chain begins at a place that does not move in the solve, and bends; others, as all of a body
    /// whose root any goal may move, are not eased: their root gives way first. Legs and arms are with
    /// chain_root at thigh and upper arm, where no other goal moves what carries them. The reach is exact
    /// with one hinge between (limits and offsets included), else the sum of the bones. Goals within reach count as met at their eased places; errors are told against the
    /// true ones, and eased_distance is what easing costs.
    double soft_reach;

    /// Cyclic coordinate descent: order of the joints. Default from the tips to the root; the other
    /// one costs more a sweep and gets stuck less often.
    sinew_SweepOrder sweep;

    /// Where the first attempt starts. Default the pose given.
    sinew_StartMode start;
    /// While a solve ends without its goals met: further attempts, at most this many, from the next
    /// starts of the table, if there is one, and then from random poses inside the limits. The
    /// iteration ceiling holds for each attempt; the best one is the answer. 0..100000, default 0.
    /// For the automatic method 1000 by default, and 0 keeps to the branch of the pose given, which
    /// is what motion wants (a limb of balls, unless branch is KEPT, may be answered in closed form where
    /// its limits end the descent); max_iterations (8000) are of all attempts together.
    int restarts;
    /// Seed of the random poses; the same gives the same.
    uint64_t seed;
    /// Which answer of a closed form is taken, and when. Default the nearest. With restarts = 0 only
    /// the branch of the pose given is followed, whatever this says.
    sinew_BranchChoice branch;
} sinew_SolveOptions;

/// The defaults told above, of a method; of one that is none solves refuse them.
SINEW_API sinew_SolveOptions sinew_solve_options_default(sinew_Method method);

/// How to solve where each solve is a frame of a motion and starts from the last one's answer: the branch of
/// the pose given is kept, limbs bend out of straight poses, no joint turns faster than 18 rad/s
/// (max_joint_change), tolerances are too fine to be seen, a frame beyond reach is not polished to the
/// last digit, and none takes more than 48 iterations: what is left is done in the next one. frame_time:
/// seconds between frames, >= 0; in a frame without time nothing moves but what is outside its limits, and
/// the report tells how far goals are off the pose given. Goals that jump are followed at that rate; raise
/// max_joint_change to follow faster, or solve once by the default options. Where a branch ends, the tracker
/// (track.h) finds another one and joins it.
SINEW_API sinew_SolveOptions sinew_solve_options_motion(double frame_time);

/// Short name of a method as the command line takes it: auto, pinv, transpose, dls, sdls, ccd.
SINEW_API const char *sinew_method_name(sinew_Method method);
/// Short name of a linear form: auto, rows, dofs, tree, recursion.
SINEW_API const char *sinew_form_name(sinew_LinearForm form);

/// How to build a solver. Start from sinew_solver_def_default().
typedef struct sinew_SolverDef {
    /// Body to solve. Required. Only read; must outlive the solver.
    const sinew_Skeleton *skeleton;
    /// Largest number of goals in one solve, 1..100000; fixes the memory taken. Default 8.
    int max_goals;
    /// Where memory comes from; all zero means malloc and free.
    sinew_Allocator allocator;
    /// For time_budget and the report's time; NULL (default): neither.
    sinew_Clock clock;
    void *clock_user;
    /// Set by the default function, checked by sinew_solver_create. Do not set.
    uint32_t cookie;
} sinew_SolverDef;

/// The defaults told above; skeleton is the caller's to say.
SINEW_API sinew_SolverDef sinew_solver_def_default(void);

typedef enum sinew_Outcome {
    SINEW_OUTCOME_CONVERGED, ///< every goal is met
    SINEW_OUTCOME_STALLED,   ///< no more progress; the best reachable pose, or a poor valley
    SINEW_OUTCOME_OUT_OF_ITERATIONS,
    SINEW_OUTCOME_OUT_OF_TIME,
} sinew_Outcome;

/// "converged", "stalled", "out_of_iterations", "out_of_time".
SINEW_API const char *sinew_outcome_name(sinew_Outcome outcome);

/// How the pose that is returned was found; of goals solved apart, the last of these that any took.
typedef enum sinew_FoundBy {
    SINEW_FOUND_GIVEN,   ///< it is the pose that the solve started from
    SINEW_FOUND_DESCENT, ///< by steps from there
    SINEW_FOUND_CLOSED,  ///< by a closed form; by a few steps more where axes meet all but exactly
    SINEW_FOUND_RESTART, ///< by steps from another start
} sinew_FoundBy;

/// "given", "descent", "closed_form", "restart".
SINEW_API const char *sinew_found_by_name(sinew_FoundBy found_by);

/// What happened. The errors are those of the returned pose.
typedef struct sinew_Report {
    sinew_Outcome outcome;
    int iterations; ///< of all attempts
    /// The answer does not continue the pose given: it was found from another start, or a joint moved
    /// more than 0.1 rad and 30 times as far as the goals (lengths in L), as where a branch ends. Goals
    /// that are met moved as far as they were off; of goals out of reach, and of all where a joint moved
    /// more than 1 rad, as it may after a frame that missed, counts what the joints could follow from the
    /// pose given. Only of the automatic method with SINEW_START_GIVEN.
    bool branch_change;
    sinew_FoundBy found_by;
    int restarts; ///< attempts after the first; of goals solved apart, the most of a part
    /// Halvings of dX in all iterations (pseudo-inverse), and steps that descent took back.
    int halvings, rejections;
    /// Iterations in which J J^T could not be inverted and damping took over.
    int singular_steps;
    /// Largest errors over the goals, metres and radians; 0 when no goal asks for it.
    double position_error, orientation_error;
    double eased_distance; ///< largest part of a position error that soft reach makes, metres
    /// F of the returned pose, m^2 (see the top of this file), and of the pose given.
    double objective, start_objective;
    /// The largest amount by which the returned pose leaves a limit, radians or metres, of all joints.
    /// With limits on it is 0 but for joints that no goal moves: those keep what they were given, and
    /// where that is outside it is told here.
    double limit_violation;
    /// The form that solved the linear systems.
    sinew_LinearForm form;
    /// Chain evaluations: forward kinematics and Jacobians.
    int forward_count, jacobian_count;
    /// Seconds, 0 without a clock.
    double time;
} sinew_Report;

/// Error of one goal in the returned pose.
typedef struct sinew_GoalResult {
    /// Metres: of the axes that count; of the centre of mass; support: how far it is outside of the
    /// polygon less the margin. 0 where a goal has none, or one without weight that is not finite.
    double position_error;
    /// Radians, of aims, directions and poles, too (aims and poles as faded: docs/goals.md). 0 where a
    /// goal has none.
    double orientation_error;
    /// Metres of position_error that soft reach makes, within reach.
    double eased_distance;
} sinew_GoalResult;

typedef struct sinew_Solver sinew_Solver;

/// All memory is taken here. INVALID_ARGUMENT with a message for fields that break a rule, OUT_OF_MEMORY; then
/// *out_solver is NULL.
SINEW_API sinew_Status sinew_solver_create(
    const sinew_SolverDef *def, sinew_Solver **out_solver, sinew_Message *out_message);

/// Give it back; NULL is ignored.
SINEW_API void sinew_solver_destroy(sinew_Solver *solver);

/// Bytes that the solver holds.
SINEW_API size_t sinew_solver_memory(const sinew_Solver *solver);

/// Pose the skeleton: q is the start and, on success, the answer.
///
/// goals          goal_count of them, 0..max_goals; none at all (then goals may be NULL) ask for nothing: no
///                goal may move any coordinate, q is the answer as it is, and the report is one of goals that
///                are met, with the limits that the pose leaves
/// q              coordinate_count numbers. Coordinates that goals may move are brought into their
///                limits first, with limits on; those that no goal may move keep their bits
/// out_report     what happened, or NULL
/// out_message    what was wrong, or NULL
///
/// Returns OK whether the goals are met or not; the report tells. The answer is the best pose seen,
/// never worse than the start (after its limits were applied), of several priorities for the highest:
/// what lower ones lose may leave F above start_objective. INVALID_ARGUMENT for goals, options
/// or poses that break a rule (numbers not finite, goals farther than 1e6 L, which slides without end make
/// 1e15 m, joints out of range); of q no more is looked at than has to do with the goals;
/// CAPACITY for more than max_goals, forms that are for less (SINEW_FORM_DOFS), and where rows times movable dofs, or rows
/// times rows, are more than 2^23 and what is asked needs the Jacobian: methods but auto and dls, goals but positions,
/// orientations and poses in the world, constraints, several priorities, finite differences.
/// Then q is untouched. Same input, same bits.
SINEW_API sinew_Status sinew_solver_solve(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, double *q, sinew_Report *out_report,
    sinew_Message *out_message);

/// How readily each axis takes part from now on, axis_count numbers of 0..1e6 (0 locks), instead of
/// the skeleton's own; NULL goes back to those. Copied. Used for the individual gait of a character
/// or to keep some joints still. Meredith and Maddock (2004): per-joint weights; here the mobility
/// w enters the solution, D J^T (J D J^T)^-1 with D = diag(w), and does not scale it afterwards.
SINEW_API sinew_Status sinew_solver_set_mobility(sinew_Solver *solver, const double *mobility);

/// Tighten the range of one hinge or slide for the following solves: what lower..upper and the axis's
/// own range have in common holds. For limits that come and go, such as a femur that may not twist
/// while the foot should point forward. INVALID_ARGUMENT for a ball, NaN, or nothing in common.
/// Meredith and Maddock (2004), figure 1.3.
SINEW_API sinew_Status sinew_solver_set_range(
    sinew_Solver *solver, int axis, double lower, double upper);

/// The same for a ball: limit holds instead of the axis's own; it must outlive the solves, and should
/// lie within the own one. NULL goes back to that. INVALID_ARGUMENT for other axes.
SINEW_EXPERIMENTAL sinew_Status sinew_solver_set_ball_limit(
    sinew_Solver *solver, int axis, const sinew_BallLimit *limit);

/// All axes have their own limits again.
SINEW_API void sinew_solver_reset_limits(sinew_Solver *solver);

/// The pose that rest_weight pulls to from now on, coordinate_count numbers, instead of the
/// skeleton's rest values; NULL goes back to those. Copied. INVALID_ARGUMENT for a pose that
/// sinew_pose_check refuses.
SINEW_API sinew_Status sinew_solver_set_rest(sinew_Solver *solver, const double *q);

/// Errors goal by goal of the last solve, goal_count of them; valid until the next.
SINEW_API const sinew_GoalResult *sinew_solver_goal_results(const sinew_Solver *solver);

/// Record the course of the following solves: after each iteration the largest position error goes
/// to trace[i], up to capacity. NULL ends it. The caller's memory.
SINEW_EXPERIMENTAL void sinew_solver_set_trace(sinew_Solver *solver, double *trace, int capacity);

#ifdef __cplusplus
}
#endif

#endif
