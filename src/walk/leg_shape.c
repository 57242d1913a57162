// Legs told by shape: what a body stands on.

#include "walk/walk.h"

#include "math/holds.h"

// A toe is this much of its leg wide; legs are alike and at mirrored places within this. Shares of a leg's length and
// of the body's height.
#define FOOT 0.4
#define ALIKE 0.5
#define MIRRORED 0.15

static bool is_leaf(const sinew_Joint *joints, int j)
{
    return joints[j].subtree_count == 1;
}

// whether an end moves with a joint as one piece, as sensors and covers of robots do
static bool is_part_of(const sinew_Joint *joints, int leaf, int joint)
{
    while (leaf != joint && joints[leaf].dof_count == 0) { leaf = joints[leaf].parent; }
    return leaf == joint;
}

/// Whether all ends below a joint stand on the floor, near one of them, or are parts of it.
static bool is_one_leg(const sinew_Skeleton *skeleton, const sinew_Transform *world, int joint,
    int leaf, double floor_top)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    double near = FOOT * sinew_skeleton_chain_length(skeleton, joint, leaf);
    for (int j = joint; j < joint + joints[joint].subtree_count; ++j) {
        if (!is_leaf(joints, j) || is_part_of(joints, j, joint)) { continue; }
        if (world[j].position.y > floor_top) { return false; }
        if (sinew_vec3_distance(world[j].position, world[leaf].position) > near) { return false; }
    }
    return true;
}

/// The leg that ends in a leaf; false when too little of it moves.
static bool climb(const sinew_Skeleton *skeleton, const sinew_Transform *world, int leaf,
    double floor_top, sinew_LegDef *out_leg)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int top = leaf, moving = 0, hip = -1;
    for (int p = joints[leaf].parent; p > 0; p = joints[p].parent) {
        if (!is_one_leg(skeleton, world, p, leaf, floor_top)) { break; }
        top = p;
    }
    for (int j = leaf; j >= top && j > 0; j = joints[j].parent) {
        if (joints[j].dof_count == 0) { continue; }
        ++moving;
        hip = j;
    }
    sinew_LegDef leg = { .hip = hip, .knee = -1, .ankle = leaf, .toe = -1, .is_tip = true };
    leg.side = world[leaf].position.x >= 0.0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
    *out_leg = leg;
    return moving >= 2;
}

static int find_all(const sinew_Skeleton *skeleton, const sinew_Transform *world, double floor,
    sinew_LegDef legs[SINEW_MAX_LEGS], double *out_height)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = 0, joint_count = sinew_skeleton_joint_count(skeleton);
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int j = 0; j < joint_count; ++j) {
        low = snw_min(low, world[j].position.y);
        high = snw_max(high, world[j].position.y);
    }
    *out_height = high - low;
    for (int j = 0; j < joint_count; ++j) {
        sinew_LegDef leg;
        double top = low + floor * (high - low);
        if (!is_leaf(joints, j) || world[j].position.y > top) { continue; }
        if (!climb(skeleton, world, j, top, &leg)) { continue; }
        // several toes of one leg: the first stands for all
        bool is_known = false;
        for (int i = 0; i < count; ++i) { is_known = is_known || legs[i].hip == leg.hip; }
        if (is_known) { continue; }
        if (count == SINEW_MAX_LEGS) { return 0; }
        legs[count++] = leg;
    }
    return count;
}

static double length_of(const sinew_Skeleton *skeleton, const sinew_LegDef *leg)
{
    return sinew_skeleton_chain_length(skeleton, leg->hip, leg->ankle);
}

int snw_legs_by_shape(const sinew_Skeleton *skeleton, const sinew_Transform *world, double floor,
    sinew_LegDef out_legs[SINEW_MAX_LEGS])
{
    sinew_LegDef found[SINEW_MAX_LEGS];
    double height, longest = 0.0;
    int count = find_all(skeleton, world, floor, found, &height), paired = 0;
    if (count < 4 || count % 2 != 0) { return 0; }
    for (int i = 0; i < count; ++i) { longest = snw_max(longest, length_of(skeleton, &found[i])); }

    // pairs by what is nearest to the mirrored place
    for (int i = 0; i < count; ++i) {
        if (length_of(skeleton, &found[i]) < ALIKE * longest) { return 0; }
        if (found[i].side != SINEW_SIDE_LEFT) { continue; }
        sinew_Vec3 place = world[found[i].ankle].position;
        int mate = -1;
        double nearest = MIRRORED * (longest + height);
        for (int k = 0; k < count; ++k) {
            sinew_Vec3 other = world[found[k].ankle].position;
            other.x = -other.x;
            double off = sinew_vec3_distance(place, other);
            if (found[k].side == SINEW_SIDE_RIGHT && off < nearest) {
                nearest = off;
                mate = k;
            }
        }
        if (mate < 0) { return 0; }
        // from the front to the back
        int at = paired;
        while (at > 0 && world[out_legs[at - 2].ankle].position.z < place.z) {
            out_legs[at] = out_legs[at - 2];
            out_legs[at + 1] = out_legs[at - 1];
            at -= 2;
        }
        out_legs[at] = found[i];
        out_legs[at + 1] = found[mate];
        paired += 2;
        if (paired > count) { return 0; }
    }
    return paired == count ? count : 0;
}
