#ifndef SNW_TASK_H
#define SNW_TASK_H

// Goals that are no plain positions, orientations or poses: what they measure, and their rows.
//
// Each row is the power of a few forces and moments on links: its entry for a dof is the power of
// those below when the dof moves with unit speed. So every kind only says which forces pull at what.

#include "solve/linear.h"

/// What the goal of a task asks for, into the targets.
void snw_task_set_target(
    const snw_Plan *plan, snw_Targets *targets, const sinew_Goal *goal, int index);

/// Errors of all tasks into state->error (goal - current, unscaled; angles as chords 2 sin(angle/2)),
/// and the centre of mass where one needs it. Adds to the largest errors. Returns twice the sum of
/// weighted squares; *out_constraint is the part of it that constraints have.
double snw_tasks_measure(
    const snw_Plan *plan, const snw_Targets *targets, snw_State *state, double *out_constraint);

/// Squared errors of one goal, plain or not: metres, and the chord of an angle.
void snw_goal_errors2(const snw_Plan *plan, const snw_State *state, int goal, double *out_position2,
    double *out_chord2);

/// Scaled errors of all tasks, position parts no longer than longest.
void snw_tasks_set_error(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, double longest);

/// Scaled rows of all tasks in the Jacobian.
void snw_tasks_set_jacobian(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state);

/// How far what the rows of a goal measure has moved from one state to another, unscaled, in the
/// bases of the first; plain goals, too. Nothing where a row has gone out of reach of that.
void snw_goal_moved(const snw_Plan *plan, const snw_Targets *targets, const snw_State *from,
    const snw_State *to, int goal, double *out_rows);

/// Scale of a row of a goal, counted from its first.
double snw_goal_row_scale(const snw_Plan *plan, const snw_Targets *targets, int goal, int row);

/// First row and number of rows of a goal, plain or not.
int snw_goal_rows(const snw_Plan *plan, int goal, int *out_count);

/// How many of them, the first ones, are metres.
int snw_goal_position_rows(const snw_Plan *plan, int goal);

/// How far a step, dof_count numbers with balls about the world's axes, takes the centre of mass, to first
/// order.
sinew_Vec3 snw_center_step(const snw_Plan *plan, const snw_State *state, const double *step);

/// Let a side that the centre would leave its polygon by be a row (0 or 1) of a support goal whose
/// rows are zero so far. normal points inward; slack is how far inside of the side the centre is.
void snw_support_activate(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, const snw_Task *task, int row, snw_Ground2 normal, double slack);

#endif
