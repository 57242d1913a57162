#ifndef SNW_PLAN_H
#define SNW_PLAN_H

// A plan is what a solve needs of a skeleton: the joints on the way to the goals' effectors, taken
// apart into links of one motion each, with everything constant folded together. It depends on
// which joints the goals name, not on where the goals are, so it is kept from frame to frame.

#include "base/memory.h"
#include "body/mass.h"
#include "sinew/goal.h"
#include "solve/follow.h"

/// How a link moves against its parent. Hinges and slides along the frame's own directions are
/// cheap; any other direction is turned into z by the constant rotations around it.
typedef enum snw_Motion {
    SNW_HINGE_X,
    SNW_HINGE_Y,
    SNW_HINGE_Z,
    SNW_SLIDE_X,
    SNW_SLIDE_Y,
    SNW_SLIDE_Z,
    SNW_BALL,
} snw_Motion;

static inline bool snw_motion_is_hinge(snw_Motion motion)
{
    return motion <= SNW_HINGE_Z;
}

/// parent_from_link = translate(offset) turn motion(value)
typedef struct snw_Link {
    int parent; // an earlier link, -1: the world
    snw_Motion motion;
    bool has_turn, has_offset;    // false: identity, zero
    int coordinate;               // first coordinate in a pose of the skeleton
    int value;                    // first of its values in a state: 1, or 4 for a ball
    int dof;                      // first dof of the plan: 1, or 3 for a ball; -1: locked
    int axis;                     // of the skeleton
    int follow;                   // 1 + its place among those that follow; 0: none
    const sinew_BallLimit *limit; // of a ball; NULL: none
    sinew_Vec3 offset;
    sinew_Mat3 turn;
} snw_Link;

/// One end effector and its rows.
typedef struct snw_Effector {
    int link; // -1: fixed in the world
    int row;  // first row; position rows come before orientation rows
    bool position, orientation;
    bool has_frame;    // link_from_frame is not the identity
    sinew_Vec3 offset; // the point, in the link's frame
    sinew_Mat3 link_from_effector;
    int task; // the goal is no plain one: it has no rows here, but those of a task; -1: plain
} snw_Effector;

/// A frame on a link; -1: in the world.
typedef struct snw_Place {
    int link;
    sinew_Vec3 offset;
    sinew_Mat3 turn;
} snw_Place;

/// The rows of a goal that is not a plain position, orientation or pose in the world: of another
/// kind, masked, relative to another joint, or held as a constraint. task.h.
typedef struct snw_Task {
    int goal; // its effector, too
    sinew_GoalKind kind;
    int row, row_count, position_row_count; // position rows come first
    unsigned position_mask, orientation_mask;
    bool constraint, has_orientation;
    snw_Place effector, reference, start, middle;
    double length; // pole: of the chain when it is straight
    int support;   // place among the polygons, of support alone
} snw_Task;

typedef struct snw_Plan {
    int build_count;       // how often it was laid out
    int link_count;        // links, parents first; the static ones before all others
    int static_link_count; // links that no free dof moves
    int value_count, dof_count, row_count, effector_count;
    // L: longest chain from a moving link to an effector, metres, by its bones or by the way of its slides;
    // and as it is where no goal is far from a body whose slides have no end
    double reach, own_reach;
    bool is_endless; // some slide has no end

    snw_Link *links;
    int *hinges; // moving links that are hinges: their sines are taken together
    int hinge_count;
    snw_Effector *effectors; // in the order of the goals
    snw_Task *tasks;         // of the goals that are not plain
    int task_count, support_count;
    int *effector_order; // effectors sorted by link
    int *link_effectors; // where a link's part of effector_order starts   (link_count + 1)

    // by dof
    int *dof_link;
    int *dof_parent; // the dof above it on the way to the root, -1: none
    int *dof_depth;  // how many are above it
    double *mobility;
    double *
        softness; // mobility times the unit squared that damping counts in: 1 rad; slides: L, or 1 m
    // the ranges that hold in this solve: those of the skeleton, or less where joints may change by
    // a part of them only
    double *lower, *upper;
    double *range_lower, *range_upper;
    unsigned range_count; // how often they were set: who keeps a copy sees whether it holds
    // a value this close to its bound is on it: bounds with a margin for rounding
    double *near_lower, *near_upper;
    double *
        rest_pull; // 1, or 0 where there is no rest to go to: slides without end, as of a free root
    bool has_mobility;          // some mobility is not 1
    bool has_softness;          // some softness is not 1
    double most_change;         // radians that a joint may change by in this solve; INFINITY
    const double *change_start; // from these values
    bool has_orientation;       // some effector has orientation rows
    snw_Follow *follows;        // hinges with a range about a direction: the caller's
    int follow_count;

    // where the mass is, shares of the whole, for goals of the centre of mass
    bool has_center;
    bool has_constraint;     // some task is held as a constraint
    double *link_mass;       // by link: what goes with it
    double *below_mass;      // by link: that, and what goes with the links below
    sinew_Vec3 *link_moment; // by link: mass times centre, in its frame
    sinew_Vec3 world_moment; // of what goes with no link
} snw_Plan;

/// Memory that building needs beside the plan.
typedef struct snw_PlanScratch {
    int *tops;                        // by joint (tops.h)
    int *joint_link;                  // by joint: the link that carries it
    sinew_Transform *link_from_joint; // by joint
    snw_Link *links;                  // by link, before the static ones are sorted to the front
    int *place;                       // by link: its final index
    double *length;                   // by link: chain length from the first moving link
    double *travel;        // by link: how far it and those above it slide, INFINITY: no end
    int *last_dof;         // by link, placed: the last of its dofs or of those above
    snw_PointMass *masses; // by joint
} snw_PlanScratch;

/// The most that a plan may have of each; what serves a plan takes its memory by them.
typedef struct snw_Sizes {
    int links, values, dofs, goals;
} snw_Sizes;

/// Those of any set of at most max_goals goals on a skeleton.
snw_Sizes snw_sizes_of(const sinew_Skeleton *skeleton, int max_goals);

void snw_plan_take(snw_Plan *plan, snw_Sizes sizes, snw_Arena *arena);
void snw_plan_scratch_take(
    snw_PlanScratch *scratch, const sinew_Skeleton *skeleton, snw_Arena *arena);

/// The limits of one axis as they hold now.
typedef struct snw_AxisLimit {
    double lower, upper;
    const sinew_BallLimit *limit;
} snw_AxisLimit;

/// Let other limits than the skeleton's own hold, by axis.
void snw_plan_set_limits(snw_Plan *plan, const snw_AxisLimit *limits);

/// Let no joint change by more than most_change radians (slides: times L) from the values of a state;
/// INFINITY ends that. The values must outlive the solve.
void snw_plan_set_bound_change(snw_Plan *plan, const double *values, double most_change);

static inline void snw_plan_bound_change(snw_Plan *plan, const double *values, double most_change)
{
    // without a bound the ranges are those of the solve before
    if (isinf(most_change) && isinf(plan->most_change)) { return; }
    snw_plan_set_bound_change(plan, values, most_change);
}

/// Stretch the reach of a body whose slides have no end for a goal that is so far away, metres, or take it
/// back; whether it is another one.
bool snw_plan_fit_reach(snw_Plan *plan, double distance);

/// Let hinges follow directions, in the solves from now on: their links are found, and ranges are theirs.
void snw_plan_follow(
    snw_Plan *plan, const sinew_Skeleton *skeleton, snw_Follow *follows, int count);

/// Take its own range over, as it is now.
void snw_plan_know_range(snw_Plan *plan, int follow);
/// Lay the range of one that follows, where it is this far from an angle of 0.
void snw_plan_lay_range(snw_Plan *plan, int follow, double aim);

/// Build the plan of a set of goals that was checked before. mobility: by axis of the skeleton.
/// rows_half leaves orientation rows out.
void snw_plan_build(snw_Plan *plan, const snw_PlanScratch *scratch, const sinew_Skeleton *skeleton,
    const double *mobility, const sinew_Goal *goals, int goal_count, bool rows_half);

#endif
