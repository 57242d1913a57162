#include "solve/tops.h"

#include "base/assert.h"

void snw_tops_clear(const sinew_Skeleton *skeleton, int *tops)
{
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) { tops[j] = SNW_TOP_NONE; }
}

static void lower(int *top, int to)
{
    if (to < *top) { *top = to; }
}

void snw_tops_add(const sinew_Goal *goal, int *tops)
{
    SNW_ASSERT(goal->joint >= 0);
    lower(&tops[goal->joint], goal->chain_root);
}

void snw_tops_carry_up(const sinew_Skeleton *skeleton, int *tops)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    for (int j = sinew_skeleton_joint_count(skeleton) - 1; j > 0; --j) {
        if (joints[j].parent >= 0) { lower(&tops[joints[j].parent], tops[j]); }
    }
}

// goals without an effector let all joints from their root on move
static void add_subtrees(
    const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count, int *tops)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int all = SNW_TOP_NONE;
    for (int g = 0; g < goal_count; ++g) {
        if (goals[g].joint >= 0) { continue; }
        int root = goals[g].chain_root;
        lower(root >= 0 ? &tops[root] : &all, root);
    }
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        lower(&tops[j], joints[j].parent >= 0 ? tops[joints[j].parent] : all);
    }
}

void snw_tops_find(
    const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count, int *tops)
{
    SNW_ASSERT(goal_count >= 0);
    snw_tops_clear(skeleton, tops);
    // these go down, so before there are others
    add_subtrees(skeleton, goals, goal_count, tops);
    for (int g = 0; g < goal_count; ++g) {
        if (goals[g].joint >= 0) { snw_tops_add(&goals[g], tops); }
    }
    snw_tops_carry_up(skeleton, tops);
}

void snw_tops_find_posed(
    const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count, int *tops)
{
    bool masses = false;
    snw_tops_find(skeleton, goals, goal_count, tops);
    for (int g = 0; g < goal_count; ++g) {
        if (goals[g].reference >= 0) { lower(&tops[goals[g].reference], SNW_TOP_POSED); }
        masses = masses || goals[g].kind == SINEW_GOAL_CENTER_OF_MASS
            || goals[g].kind == SINEW_GOAL_SUPPORT;
    }
    snw_tops_carry_up(skeleton, tops);
    // every joint carries mass, also those that nothing moves
    for (int j = 0; masses && j < sinew_skeleton_joint_count(skeleton); ++j) {
        lower(&tops[j], SNW_TOP_POSED);
    }
}
