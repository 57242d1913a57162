#include "sinew/switch.h"

// The limbs of a body, by the roles of its joints.

typedef struct LimbRoles {
    sinew_Role root, middle, tip;
    bool foot; // rolls, where its toes are known
    sinew_Role toe;
} LimbRoles;

// the last joint of a role: robots' wrists have several
static int last_of(const sinew_RoleGuess *roles, sinew_Role role, sinew_Side side)
{
    for (int j = roles->joint_count - 1; j >= 0; --j) {
        if (roles->joints[j].role == role && roles->joints[j].side == side) { return j; }
    }
    return -1;
}

static bool is_below(const sinew_Skeleton *skeleton, int ancestor, int joint)
{
    return ancestor >= 0 && joint >= 0 && ancestor != joint
        && sinew_skeleton_is_ancestor(skeleton, ancestor, joint);
}

// The sole of a foot from the rest pose: the ball at the toe joint, the heel below the ankle, level with it.
// Feet without toe joints do not roll.
static void find_foot_roll(
    const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles, int toe, sinew_SwitchLimb *limb)
{
    if (!is_below(skeleton, limb->tip, toe)
        || sinew_skeleton_joints(skeleton)[toe].parent != limb->tip) {
        return;
    }
    // the toe's offset and the ankle's own frame at rest; rotations alone, as places do not matter here
    sinew_Quat world_from_tip = sinew_quat_identity();
    for (int j = limb->tip; j >= 0; j = sinew_skeleton_joints(skeleton)[j].parent) {
        world_from_tip = sinew_quat_mul(
            sinew_skeleton_joints(skeleton)[j].rest_rotation, world_from_tip);
    }
    sinew_Quat tip_from_world = sinew_quat_conjugate(world_from_tip);
    sinew_Vec3 up = sinew_quat_rotate(tip_from_world, roles->up);
    sinew_Vec3 ball = sinew_skeleton_joints(skeleton)[toe].offset;
    sinew_Vec3 along = sinew_vec3_add_scaled(ball, up, -sinew_vec3_dot(ball, up));
    double length = sinew_vec3_length(along);
    if (!(length > 0.0)) { return; }
    along = sinew_vec3_scale(along, 1.0 / length);
    limb->has_foot_roll = true;
    limb->foot_roll.ball = ball;
    // people's heels are behind the ankle by three tenths of the way from there to the ball
    limb->foot_roll.heel = sinew_vec3_add_scaled(ball, along, -1.3 * length);
    limb->foot_roll.axis = sinew_vec3_cross(up, along);
    limb->foot_roll.toe = toe;
}

static bool find_limb(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    const LimbRoles *names, sinew_Side side, sinew_SwitchLimb *out_limb)
{
    int root = sinew_roles_find(roles, names->root, side, -1);
    int tip = last_of(roles, names->tip, side);
    int middle = sinew_roles_find(roles, names->middle, side, -1);
    if (!is_below(skeleton, root, tip)) { return false; }
    bool bends = is_below(skeleton, root, middle) && is_below(skeleton, middle, tip);
    *out_limb = sinew_switch_limb(skeleton, root, bends ? middle : -1, tip);
    if (names->foot) {
        find_foot_roll(skeleton, roles, sinew_roles_find(roles, names->toe, side, -1), out_limb);
    }
    return true;
}

// from the first joint above the hips to the last that carries the arms
static bool find_spine(
    const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles, sinew_SwitchLimb *out_limb)
{
    int tip = sinew_roles_find(roles, SINEW_ROLE_CHEST, SINEW_SIDE_NONE, -1);
    int root = tip;
    while (root >= 0) {
        int parent = sinew_skeleton_joints(skeleton)[root].parent;
        if (parent < 0
            || (roles->joints[parent].role != SINEW_ROLE_SPINE
                && roles->joints[parent].role != SINEW_ROLE_CHEST)) {
            break;
        }
        root = parent;
    }
    if (root < 0 || root == tip) { return false; }
    *out_limb = sinew_switch_limb(skeleton, root, -1, tip);
    return true;
}

int sinew_switch_find_limbs(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    sinew_SwitchLimb *out_limbs, int capacity)
{
    static const LimbRoles limbs[] = {
        { SINEW_ROLE_UPPERARM, SINEW_ROLE_FOREARM, SINEW_ROLE_HAND, false, SINEW_ROLE_NONE },
        { SINEW_ROLE_FRONT_THIGH, SINEW_ROLE_FRONT_SHIN, SINEW_ROLE_FRONT_FOOT, true,
            SINEW_ROLE_FRONT_TOE },
        { SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, SINEW_ROLE_FOOT, true, SINEW_ROLE_TOE },
    };
    if (skeleton == NULL || roles == NULL
        || roles->joint_count != sinew_skeleton_joint_count(skeleton)) {
        return 0;
    }
    if (out_limbs == NULL) { capacity = 0; }
    int count = 0;
    sinew_SwitchLimb limb;
    if (find_spine(skeleton, roles, &limb)) {
        if (count < capacity) { out_limbs[count] = limb; }
        ++count;
    }
    for (size_t i = 0; i < sizeof limbs / sizeof limbs[0]; ++i) {
        for (int side = SINEW_SIDE_LEFT; side <= SINEW_SIDE_RIGHT; ++side) {
            if (!find_limb(skeleton, roles, &limbs[i], (sinew_Side)side, &limb)) { continue; }
            if (count < capacity) { out_limbs[count] = limb; }
            ++count;
        }
    }
    return count;
}
