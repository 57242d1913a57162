#include "body/hips.h"

// three slides and three turns that nothing stops
static bool is_free(const sinew_Skeleton *skeleton, const sinew_Joint *joint)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    int slides = 0, turns = 0;
    for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
        bool is_ball = axes[a].kind == SINEW_AXIS_BALL;
        bool stops = is_ball ? axes[a].limit != NULL
                             : isfinite(axes[a].lower) || isfinite(axes[a].upper);
        if (stops || !(axes[a].mobility > 0.0)) { continue; }
        slides += axes[a].kind == SINEW_AXIS_SLIDE ? 1 : 0;
        turns += is_ball ? 3 : axes[a].kind == SINEW_AXIS_HINGE ? 1 : 0;
    }
    return slides >= 3 && turns >= 3;
}

static bool is_of_body(sinew_Role role)
{
    switch (role) {
    case SINEW_ROLE_NONE:
    case SINEW_ROLE_ROOT:
    case SINEW_ROLE_HELPER:
    case SINEW_ROLE_END: return false;
    default: return true;
    }
}

bool snw_hips_are_free(const sinew_Skeleton *skeleton, const sinew_JointRole *roles, int hips)
{
    if (hips < 0) { return false; }
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    if (joints[hips].parent < 0 || !is_free(skeleton, &joints[hips])) { return false; }
    int end = hips + joints[hips].subtree_count;
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        bool is_beside = j < hips || j >= end;
        if (is_beside && is_of_body(roles[j].role)) { return false; }
    }
    return true;
}
