// What a rig may be told: what its file can say, so that all that was set is read back the same.

#include "body/rig.h"

#include <math.h>
#include <string.h>

static bool is_within(double value, double lower, double upper)
{
    return value >= lower && value <= upper;
}

static bool are_numbers(const double *values, int count)
{
    for (int i = 0; i < count; ++i) {
        if (!is_within(values[i], -SNW_RIG_LARGEST, SNW_RIG_LARGEST)) { return false; }
    }
    return true;
}

static bool is_place(sinew_Vec3 v)
{
    const double values[3] = { v.x, v.y, v.z };
    return are_numbers(values, 3);
}

static bool is_turn(sinew_Quat q)
{
    return fabs(sqrt(sinew_quat_dot(q, q)) - 1.0) < 1e-3;
}

// an end is a number or no bound
static bool is_range(sinew_RigRange range)
{
    return (range.lower == -INFINITY || are_numbers(&range.lower, 1))
        && (range.upper == INFINITY || are_numbers(&range.upper, 1)) && range.lower <= range.upper;
}

// files can say no full turn but by no bounds
static bool is_twist(sinew_RigRange twist)
{
    return (twist.lower == -INFINITY && twist.upper == INFINITY)
        || (twist.lower > -180.0 && twist.lower <= twist.upper && twist.upper < 180.0);
}

static bool is_role(sinew_JointRole role)
{
    char name[64];
    sinew_role_name(role.role, role.side, role.number, name, sizeof name);
    return sinew_role_parse(name, &role);
}

static bool is_point(const sinew_RigWindow *window, sinew_Vec3 point)
{
    return is_place(point)
        && (window->polar ? is_within(point.y, 0.0, 180.0)
                          : fabs(point.x) + fabs(point.y) + fabs(point.z) > 1e-6);
}

static bool is_window(const sinew_RigWindow *window)
{
    int count = window->point_count;
    if (window->points == NULL || count < 1 || count == 2 || count > SINEW_MAX_WINDOW_RAYS) {
        return false;
    }
    for (int p = 0; p < count; ++p) {
        if (!is_point(window, window->points[p])) { return false; }
    }
    return count > 1 || is_within(window->cone_half_angle, SNW_RIG_LEAST_CONE, SNW_RIG_MOST_CONE);
}

static bool are_windows(const sinew_RigJoint *joint)
{
    int count = joint->window_count, rays = 0;
    if (count < 0 || count > SINEW_MAX_REACH_WINDOWS || (count > 0 && joint->windows == NULL)) {
        return false;
    }
    for (int w = 0; w < count; ++w) {
        if (!is_window(&joint->windows[w])) { return false; }
        rays += joint->windows[w].point_count;
    }
    // a star is one loop and is seen from a point of its kind
    return rays <= SINEW_MAX_REACH_RAYS
        && (!joint->star
            || (count == 1 && rays > 1 && is_point(&joint->windows[0], joint->star_center)));
}

static bool are_ranges(const sinew_RigJoint *joint)
{
    if ((unsigned)joint->range_count > SINEW_MAX_AXES_PER_JOINT) { return false; }
    for (int r = 0; r < joint->range_count; ++r) {
        if (!is_range(joint->ranges[r])) { return false; }
    }
    return true;
}

bool snw_rig_unit_is_good(double unit)
{
    return unit == 0.0 || is_within(unit, SNW_RIG_LEAST_UNIT, SNW_RIG_MOST_UNIT);
}

bool snw_rig_joint_is_good(const sinew_RigJoint *joint)
{
    if (joint == NULL || joint->key == NULL) { return false; }
    unsigned has = joint->has;
    return has < 2u * SINEW_RIG_HAS_OBJECT && (!(has & SINEW_RIG_HAS_ROLE) || is_role(joint->role))
        && (!(has & SINEW_RIG_HAS_KIND) || (unsigned)joint->kind < SINEW_RIG_KIND_COUNT)
        && (!(has & SINEW_RIG_HAS_NEUTRAL) || is_turn(joint->neutral))
        && (!(has & SINEW_RIG_HAS_BONE) || is_turn(joint->bone))
        && (!(has & SINEW_RIG_HAS_WINDOWS) || are_windows(joint))
        && (!(has & SINEW_RIG_HAS_TWIST) || is_twist(joint->twist))
        && (!(has & SINEW_RIG_HAS_RESPONSE)
            || (unsigned)joint->response <= (unsigned)SINEW_RESPONSE_INTERSECTION)
        && (!(has & SINEW_RIG_HAS_RANGES) || are_ranges(joint))
        && (!(has & SINEW_RIG_HAS_MOBILITY)
            || is_within(joint->mobility, 0.0, SNW_RIG_MOST_MOBILITY))
        && (!(has & SINEW_RIG_HAS_MASS) || is_within(joint->mass, 0.0, SNW_RIG_LARGEST))
        && (!(has & SINEW_RIG_HAS_MASS_CENTER) || is_place(joint->mass_center))
        && (!(has & SINEW_RIG_HAS_OBJECT) || joint->object != NULL);
}

bool snw_rig_effector_is_good(const sinew_RigEffector *effector)
{
    return effector != NULL && effector->name != NULL && effector->key != NULL
        && is_place(effector->offset);
}

bool snw_rig_pose_is_good(const sinew_RigPose *pose)
{
    if (pose == NULL || pose->name == NULL || pose->joint_count < 0) { return false; }
    if (pose->joints == NULL) { return pose->joint_count == 0; }
    for (int i = 0; i < pose->joint_count; ++i) {
        const sinew_RigValues *joint = &pose->joints[i];
        if (joint->key == NULL || joint->values == NULL
            || !is_within(joint->value_count, 1, SNW_RIG_MOST_VALUES)
            || !are_numbers(joint->values, joint->value_count)) {
            return false;
        }
    }
    return true;
}

static bool is_goal(const sinew_RigGoal *goal)
{
    const char *kind = goal->kind;
    return kind != NULL && goal->key != NULL
        && (strcmp(kind, "position") == 0 || strcmp(kind, "orientation") == 0
            || strcmp(kind, "pose") == 0)
        && is_place(goal->offset) && is_turn(goal->rotation);
}

bool snw_rig_starts_are_good(const sinew_RigStarts *starts)
{
    if (starts == NULL || starts->name == NULL || starts->goals == NULL || starts->poses == NULL
        || starts->centroids == NULL || starts->centroid_poses == NULL
        || !is_within(starts->reach, SNW_RIG_LEAST_REACH, SNW_RIG_LARGEST)
        || !is_within(starts->goal_count, 1, SNW_RIG_MOST_GOALS)
        || !is_within(starts->pose_count, 1, SNW_RIG_MOST_GOALS)
        || !is_within(starts->centroid_count, 1, SNW_RIG_MOST_CENTROIDS)) {
        return false;
    }
    for (int g = 0; g < starts->goal_count; ++g) {
        if (!is_goal(&starts->goals[g])) { return false; }
    }
    for (int p = 0; p < starts->pose_count; ++p) {
        if (!snw_rig_pose_is_good(&starts->poses[p])) { return false; }
    }
    for (int c = 0; c < starts->centroid_count; ++c) {
        if (!is_within(starts->centroid_poses[c], 0, starts->pose_count - 1)) { return false; }
    }
    return are_numbers(starts->centroids, 7 * starts->goal_count * starts->centroid_count);
}
