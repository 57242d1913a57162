#ifndef SNW_STATE_H
#define SNW_STATE_H

// One pose of a plan's links with everything that follows from it: transforms and errors.

#include "body/ball_limit.h"
#include "sinew/solver.h"
#include "solve/plan.h"
#include "solve/support.h"

#include <string.h>

/// Goals as the loop needs them, and what counts as met.
typedef struct snw_Targets {
    sinew_Vec3 *position;      // by effector
    sinew_Mat3 *orientation;   // by effector
    double *position_scale;    // sqrt of the weight            (by effector)
    double *orientation_scale; // sqrt of the weight times l    (by effector)
    double orientation_length;
    double
        weight_unit; // what weights given are multiplied by, a power of two: the largest is near 1 then
    double rest_weight, velocity_weight;
    double *rest_values;          // the rest pose, by value of the plan
    const double *start_values;   // the pose given, for the velocity term
    sinew_Vec3 *axis, *direction; // by effector, of tasks alone
    double constraint_merit;      // how many times a constraint counts in F
    snw_Support supports[SINEW_MAX_SUPPORT_GOALS];
} snw_Targets;

typedef struct snw_State {
    double *values;        // one by slide or hinge, four by ball, link after link
    double *sine, *cosine; // of each hinge's value       (by link)
    sinew_Mat3 *rotation;  // world_from_link             (by link)
    sinew_Vec3 *position;  // origin of the link, world   (by link)
    sinew_Vec3 *effector_position;
    sinew_Mat3 *effector_rotation;           // only where the orientation has rows
    snw_Followed followed[SNW_MOST_FOLLOWS]; // where hinges that follow directions are
    double *error;          // goal - current, unscaled: metres; chords 2 sin(angle/2) of rotation
                            // vectors                      (row_count)
    double goal_objective;  // the part of F that the goals make
    double pull_objective;  // the part that the rest and velocity terms make
    double objective;       // F, in which constraints count for more
    double position_error2; // largest squared position error
    double orientation_chord2; // largest squared chord
    // only where a goal is about the centre of mass
    sinew_Vec3 center; // of the whole body, world
    sinew_Vec3
        *below_moment; // by link: mass share times centre of what goes with it or below, world
} snw_State;

/// Numbers from one place to another.
static inline void snw_copy(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

void snw_state_take(snw_State *state, snw_Sizes sizes, snw_Arena *arena);
void snw_targets_take(snw_Targets *targets, snw_Sizes sizes, snw_Arena *arena);

/// Transforms of links first..link_count-1 from the values. O(links).
void snw_state_forward(const snw_Plan *plan, snw_State *state, int first);

/// Transforms of the links that nothing moves, the first static_link_count.
void snw_state_forward_carrier(const snw_Plan *plan, snw_State *state);

/// Turn a hinge that follows: its sine and cosine; m: the frame that it turns in. Its value comes back into what
/// its own range leaves. follow_pose.c.
void snw_follow_turn(const snw_Plan *plan, int follow, sinew_Mat3 m, snw_State *state);
/// The hinge's angle where its direction is as near to what is wanted as it can be, and as it is in a state.
double snw_follow_aim(const snw_Plan *plan, int follow, const snw_State *state);
double snw_follow_angle(const snw_Plan *plan, int follow, const snw_State *state);

/// to = from moved by a step (plan dofs; balls in world axes), brought back inside the limits.
/// holds, by link, is what the active set held the balls at, which then end on it exactly; NULL:
/// nothing was held. from's transforms are read for the balls; to's are left to snw_state_forward.
void snw_state_integrate(const snw_Plan *plan, const snw_State *from, const double *step,
    sinew_LimitMode limits, const snw_BallHold *holds, snw_State *to);

/// Bring a ball that turned farther from where the solve started than max_joint_change lets it back to
/// there, inside its limit if limits are kept; whether it had to be.
bool snw_state_bound_ball(const snw_Plan *plan, const snw_Link *link, bool limits, double *value);

/// Force of the rest and velocity terms by dof, balls in world axes: rho (rest (-) q) + nu (start (-) q).
void snw_state_pull(
    const snw_Plan *plan, const snw_Targets *targets, const snw_State *state, double *out_pull);

#endif
