// Tries a joint in both directions, in small steps, until its axes do not follow.

#include "walk/joint_range.h"

#include "math/holds.h"
#include "math/trig.h"
#include "sinew/pose.h"

#define RANGE_STEP (2.0 * SNW_DEGREE)
#define RANGE_END (100.0 * SNW_DEGREE)
// Knees that bend so far are knees.
#define FAR_ENOUGH (80.0 * SNW_DEGREE)
#define YAW_STEP (4.0 * SNW_DEGREE)
#define YAW_COUNT 22

double snw_joint_range(const sinew_Skeleton *skeleton, const snw_JointSet *set, sinew_Quat parent,
    sinew_Quat joint, sinew_Vec3 axis, double *q)
{
    SNW_ASSERT(snw_holds_direction(axis));
    if (set->kind == SNW_JOINT_FIXED || set->kind == SNW_JOINT_OTHER) { return 0.0; }
    sinew_Quat parent_from_world = sinew_quat_conjugate(parent);
    sinew_pose_rest(skeleton, q);
    double reached = 0.0;
    for (double angle = RANGE_STEP; angle <= RANGE_END; angle += RANGE_STEP) {
        sinew_Quat turn = sinew_quat_from_axis_angle(axis, angle);
        sinew_Quat wanted = sinew_quat_mul(turn, joint);
        const sinew_Quat local = sinew_quat_mul(parent_from_world, wanted);
        if (snw_joint_turn(set, local, q) == SNW_TURN_HELD) { break; }
        reached = angle;
    }
    return reached;
}

double snw_knee_yaw(
    const sinew_Skeleton *skeleton, const sinew_Transform *world, int knee, double *q)
{
    double best = 0.0, sum = 0.0;
    int count = 0, parent = sinew_skeleton_joints(skeleton)[knee].parent;
    snw_JointSet set = snw_joint_set(skeleton, knee, knee);
    for (int k = 0; k <= 2 * YAW_COUNT; ++k) {
        // 0, 1, -1, 2, -2 ...
        double yaw = YAW_STEP * (k % 2 == 1 ? (k + 1) / 2 : -k / 2), s, c;
        sinew_sincos(yaw, &s, &c);
        double range = snw_joint_range(skeleton, &set, world[parent].rotation, world[knee].rotation,
            sinew_vec3(c, 0.0, -s), q);
        if (k == 0 && range >= FAR_ENOUGH) { return 0.0; }
        if (range > best) {
            best = range;
            sum = 0.0;
            count = 0;
        }
        if (range == best) {
            sum += yaw;
            ++count;
        }
    }
    // the middle of the best; knees that hardly bend anywhere are left as they are
    return best >= 0.5 * FAR_ENOUGH && count > 0 ? sum / count : 0.0;
}
