#include "solve/auto_plan.h"

#include "math/lanes.h"

void snw_auto_take(snw_Auto *method, snw_Sizes sizes, snw_Arena *arena)
{
    // poses are read by whole lanes
    size_t values = (size_t)snw_lane_groups(sizes.values) * SNW_LANE_COUNT;
    size_t joints = values < SNW_SEED_JOINTS ? values : SNW_SEED_JOINTS;
    snw_chain_take(&method->chain, sizes, arena);
    snw_branches_take(&method->branches, sizes, arena);
    method->spans = snw_arena_take(arena, (size_t)sizes.links, sizeof(snw_Span));
    method->joints = snw_arena_take(arena, values, sizeof(double));
    method->search.values[0] = snw_arena_take(arena, values, sizeof(double));
    method->search.values[1] = snw_arena_take(arena, values, sizeof(double));
    method->search.start = snw_arena_take(arena, values, sizeof(double));
    method->search.best = snw_arena_take(arena, values, sizeof(double));
    method->seeds.joints = snw_arena_take(arena, SNW_SEED_COUNT * joints, sizeof(double));
    method->seeds.lower = snw_arena_take(arena, joints, sizeof(double));
    method->seeds.upper = snw_arena_take(arena, joints, sizeof(double));
    method->seeds.position = snw_arena_take(arena, SNW_SEED_COUNT, sizeof(sinew_Vec3));
    method->seeds.rotation = snw_arena_take(arena, SNW_SEED_COUNT, sizeof(sinew_Quat));
}

void snw_auto_plan(snw_Auto *method, const snw_Plan *plan)
{
    snw_chain_build(&method->chain, plan);
    method->layout = SNW_LAYOUT_CHAIN;
    if (method->chain.count == 0) {
        snw_branches_build(&method->branches, plan);
        method->layout = method->branches.count > 0 ? SNW_LAYOUT_BRANCHES : SNW_LAYOUT_BODY;
    }
    method->ball_limb = (snw_BallLimb){ .fits = false };
    if (method->layout == SNW_LAYOUT_BODY) { method->ball_limb = snw_ball_limb_find(plan); }
    method->two_bone = snw_two_bone_find(&method->chain);
    snw_closed_build(&method->closed, &method->chain);
    method->seeds.made = false;
    method->posed = false;
}
