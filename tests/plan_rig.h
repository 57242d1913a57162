#ifndef TESTS_PLAN_RIG_H
#define TESTS_PLAN_RIG_H

// The inner parts of a solver laid out by hand: a plan, one state, targets and the linear step.

#include "bodies.h"

#include "solve/form.h"
#include "solve/measure.h"
#include "solve/rows.h"
#include "solve/task.h"

typedef struct rig_Rig {
    const sinew_Skeleton *skeleton;
    int max_goals;
    snw_Plan plan;
    snw_PlanScratch scratch;
    snw_State state, moved;
    snw_Targets targets;
    snw_Linear linear;
    double *start_values;
    double mobility[BODY_MAX_NUMBERS]; // by axis
    void *block;
} rig_Rig;

static inline void rig_take(rig_Rig *rig, snw_Arena *arena)
{
    snw_Sizes sizes = snw_sizes_of(rig->skeleton, rig->max_goals);
    snw_plan_take(&rig->plan, sizes, arena);
    snw_plan_scratch_take(&rig->scratch, rig->skeleton, arena);
    snw_state_take(&rig->state, sizes, arena);
    snw_state_take(&rig->moved, sizes, arena);
    snw_targets_take(&rig->targets, sizes, arena);
    snw_linear_take(&rig->linear, sizes, arena);
    rig->start_values = snw_arena_take(
        arena, (size_t)sinew_skeleton_coordinate_count(rig->skeleton), sizeof(double));
}

/// Everything for up to max_goals goals on a skeleton; mobilities are the skeleton's own.
static inline void rig_init(rig_Rig *rig, const sinew_Skeleton *skeleton, int max_goals)
{
    memset(rig, 0, sizeof *rig);
    rig->skeleton = skeleton;
    rig->max_goals = max_goals;
    snw_Arena arena = { NULL, 0 };
    rig_take(rig, &arena);
    rig->block = test_block(arena.used);
    TEST_TRUE(rig->block != NULL);
    memset(rig->block, 0, arena.used);
    arena.base = rig->block;
    arena.used = 0;
    rig_take(rig, &arena);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        rig->mobility[a] = sinew_skeleton_axes(skeleton)[a].mobility;
    }
}

static inline void rig_free(rig_Rig *rig)
{
    test_block_free(rig->block);
}

static inline int rig_value_count(const snw_Link *link)
{
    return link->motion == SNW_BALL ? 4 : 1;
}

/// Copy a pose into the values of the plan's order.
static inline void rig_load(const rig_Rig *rig, const double *q, double *out_values)
{
    for (int l = 0; l < rig->plan.link_count; ++l) {
        const snw_Link *link = &rig->plan.links[l];
        for (int k = 0; k < rig_value_count(link); ++k) {
            out_values[link->value + k] = q[link->coordinate + k];
        }
    }
}

/// Plan, targets and the measured state of a pose; no rest or velocity weights.
static inline void rig_set(
    rig_Rig *rig, const sinew_Goal *goals, int goal_count, const double *q, bool rows_half)
{
    snw_plan_build(
        &rig->plan, &rig->scratch, rig->skeleton, rig->mobility, goals, goal_count, rows_half);
    snw_linear_prepare(&rig->linear, &rig->plan);
    snw_Targets *targets = &rig->targets;
    targets->orientation_length = rig->plan.reach / 3.0;
    targets->rest_weight = targets->velocity_weight = 0.0;
    targets->constraint_merit = 1.0;
    for (int e = 0; e < goal_count; ++e) {
        if (rig->plan.effectors[e].task >= 0) {
            snw_task_set_target(&rig->plan, targets, &goals[e], e);
            continue;
        }
        targets->position[e] = goals[e].position;
        targets->orientation[e] = sinew_mat3_from_quat(goals[e].orientation);
        targets->position_scale[e] = sqrt(goals[e].position_weight);
        targets->orientation_scale[e] = targets->orientation_length
            * sqrt(goals[e].orientation_weight);
    }
    double rest[BODY_MAX_NUMBERS];
    sinew_pose_rest(rig->skeleton, rest);
    rig_load(rig, rest, targets->rest_values);
    rig_load(rig, q, rig->state.values);
    rig_load(rig, q, rig->moved.values);
    rig_load(rig, q, rig->start_values);
    targets->start_values = rig->start_values;
    snw_state_forward(&rig->plan, &rig->state, 0);
    snw_state_measure(&rig->plan, targets, &rig->state);
}

#endif
