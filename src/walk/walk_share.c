// What walkers of one body have together: taken once, given back when the last of them goes.

#include "walk/walk_share.h"

#include "base/message.h"
#include "body/rig.h"
#include "walk/walker_pose.h"

#include <string.h>

static snw_WalkShare *take_arrays(
    snw_Arena *arena, const sinew_Skeleton *skeleton, size_t shown_size)
{
    size_t joints = (size_t)sinew_skeleton_joint_count(skeleton);
    snw_WalkShare *share = snw_arena_take(arena, 1, sizeof *share);
    snw_WalkJoint *list = snw_arena_take(arena, joints, sizeof *list);
    sinew_Transform *world = snw_arena_take(arena, joints, sizeof *world);
    sinew_Transform *all = snw_arena_take(arena, joints, sizeof *all);
    double *rest = snw_arena_take(
        arena, (size_t)sinew_skeleton_coordinate_count(skeleton), sizeof *rest);
    double *mobility = snw_arena_take(
        arena, (size_t)sinew_skeleton_axis_count(skeleton), sizeof *mobility);
    void *shown = snw_arena_take(arena, 1, shown_size);
    if (share == NULL) { return NULL; } // measured only
    share->shown = shown;
    share->body.joints = list;
    share->world = world;
    share->all = all;
    share->rest = rest;
    share->mobility = mobility;
    return share;
}

// joints that do not walk stay as they stand
static void rest_in_stance(const sinew_Skeleton *skeleton, const sinew_Stance *stance, double *rest)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Transform *world = stance->world_from_joint;
    for (int j = 0; j < stance->joint_count; ++j) {
        int p = joints[j].parent;
        sinew_Transform local = p < 0
            ? world[j]
            : sinew_transform_mul(sinew_transform_inverse(world[p]), world[j]);
        snw_rig_set_local(skeleton, j, local, rest);
    }
}

// by the stance that was given, else by one of the rest pose
static sinew_Status measure_body(snw_WalkShare *share, const sinew_WalkerDef *def,
    const sinew_RoleGuess *roles, sinew_Message *message)
{
    sinew_Stance *own = NULL;
    const sinew_Stance *stance = def->stance;
    sinew_Status status = SINEW_STATUS_OK;
    if (stance == NULL) {
        status = sinew_stance_guess(def->skeleton, roles, NULL, &share->allocator, &own, message);
        stance = own;
    } else if (stance->joint_count != sinew_skeleton_joint_count(def->skeleton)) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT, "stance is of %d joints, want %d",
            stance->joint_count, sinew_skeleton_joint_count(def->skeleton));
    }
    if (status == SINEW_STATUS_OK) {
        status = snw_walk_body_measure(def, stance, &share->body, message);
    }
    if (status == SINEW_STATUS_OK && stance->source > SINEW_STANCE_REST) {
        rest_in_stance(def->skeleton, stance, share->rest);
    }
    sinew_stance_destroy(own);
    return status;
}

static sinew_Status create_solvers(
    snw_WalkShare *share, const sinew_WalkerDef *def, sinew_Message *message)
{
    sinew_SolverDef solver = sinew_solver_def_default();
    solver.skeleton = def->skeleton;
    solver.max_goals = 1; // a leg is solved for its foot alone
    solver.allocator = share->allocator;
    solver.clock = def->clock;
    solver.clock_user = def->clock_user;
    sinew_Status status = SINEW_STATUS_OK;
    for (int i = 0; i < share->body.leg_count && status == SINEW_STATUS_OK; ++i) {
        status = sinew_solver_create(&solver, &share->solvers[i], message);
    }
    return status;
}

// bodies on tips: what their legs reach
static sinew_Status measure_tips(
    snw_WalkShare *share, const sinew_WalkerDef *def, sinew_Message *message)
{
    if (def->style == SINEW_WALK_PAPER) {
        return snw_fail(message, SINEW_STATUS_UNSUPPORTED,
            "the style paper walks on two legs with feet, this body has %d tips",
            share->body.leg_count);
    }
    size_t size = (size_t)sinew_skeleton_coordinate_count(def->skeleton) * sizeof(double);
    snw_WalkPoser poser = { .options = def->solve, .q = snw_alloc(&share->allocator, size) };
    if (poser.q == NULL) {
        return snw_fail(message, SINEW_STATUS_OUT_OF_MEMORY, "no memory to measure tips");
    }
    snw_walk_share_lend(share, &poser);
    sinew_Status status = snw_tips_measure(&poser, &share->body, message);
    snw_free(&share->allocator, poser.q, size);
    return status;
}

static sinew_Status measure_all(
    snw_WalkShare *share, const sinew_WalkerDef *def, sinew_Message *message)
{
    sinew_Status status = SINEW_STATUS_OK;
    sinew_RoleGuess *guessed = NULL;
    if (def->roles == NULL) {
        status = sinew_roles_guess(def->skeleton, NULL, &share->allocator, &guessed, message);
    } else if (def->roles->joint_count != sinew_skeleton_joint_count(def->skeleton)) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT, "roles are of %d joints, want %d",
            def->roles->joint_count, sinew_skeleton_joint_count(def->skeleton));
    }
    const sinew_RoleGuess *roles = def->roles != NULL ? def->roles : guessed;
    if (status == SINEW_STATUS_OK) { status = measure_body(share, def, roles, message); }
    sinew_roles_destroy(guessed);
    if (status == SINEW_STATUS_OK) { status = create_solvers(share, def, message); }
    if (status == SINEW_STATUS_OK && share->body.on_tips) {
        status = measure_tips(share, def, message);
    }
    return status;
}

sinew_Status snw_walk_share_create(const sinew_WalkerDef *def, size_t shown_size,
    snw_WalkShare **out_share, sinew_Message *out_message)
{
    *out_share = NULL;
    sinew_Allocator allocator = snw_allocator_or_default(&def->allocator);
    snw_Arena arena = { NULL, 0 };
    (void)take_arrays(&arena, def->skeleton, shown_size);
    size_t size = arena.used;
    arena = (snw_Arena){ snw_alloc(&allocator, size), 0 };
    if (arena.base == NULL) {
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory for a walker's body");
    }
    snw_WalkShare *share = take_arrays(&arena, def->skeleton, shown_size);
    share->users = 1;
    share->allocator = allocator;
    share->size = size;
    share->trailing_weight = def->trailing_weight;
    sinew_pose_rest(def->skeleton, share->rest);
    sinew_Status status = measure_all(share, def, out_message);
    if (status != SINEW_STATUS_OK) {
        snw_walk_share_leave(share);
        return status;
    }
    *out_share = share;
    return SINEW_STATUS_OK;
}

void snw_walk_share_leave(snw_WalkShare *share)
{
    if (share == NULL || --share->users > 0) { return; }
    for (int i = 0; i < SINEW_MAX_LEGS; ++i) { sinew_solver_destroy(share->solvers[i]); }
    sinew_Allocator allocator = share->allocator;
    snw_free(&allocator, share, share->size);
}

void snw_walk_share_lend(snw_WalkShare *share, snw_WalkPoser *poser)
{
    poser->body = &share->body;
    poser->solvers = share->solvers;
    poser->told = share->told;
    poser->world = share->world;
    poser->all = share->all;
    poser->mobility = share->mobility;
    poser->rest = share->rest;
    poser->trailing_weight = share->trailing_weight;
}
