// A walker is made, tried and given back.

#include "walk/walker_state.h"

#include "base/memory.h"
#include "base/message.h"
#include "walk/walk_half.h"

#include <string.h>

/// How much of a snw_WalkerState this way has.
static size_t size_of_state(const snw_WalkBody *body, sinew_WalkStyle style)
{
    size_t start = offsetof(snw_WalkerState, style);
    switch (snw_way_choose(body, style)) {
    case SNW_WAY_PAPER: return start + sizeof(snw_PaperCycle);
    case SNW_WAY_LEGS: return start + snw_legs_size(body);
    case SNW_WAY_CORE: return start + sizeof(snw_Core);
    }
    return sizeof(snw_WalkerState);
}

/// And how much of that an update goes on from: what the one before has told is at the end of two legs.
static size_t size_to_go_on(const snw_WalkBody *body, sinew_WalkStyle style)
{
    const size_t told = offsetof(snw_WalkerState, style.core.events.list);
    return snw_way_choose(body, style) == SNW_WAY_CORE ? told : size_of_state(body, style);
}

static sinew_Walker *take_arrays(
    snw_Arena *arena, const sinew_WalkerDef *def, const snw_WalkBody *body)
{
    size_t numbers = (size_t)sinew_skeleton_coordinate_count(def->skeleton);
    sinew_Walker *walker = snw_arena_take(arena, 1, sizeof *walker);
    double *q = snw_arena_take(arena, numbers, sizeof *q);
    sinew_Goal *goals = snw_arena_take(arena, (size_t)body->leg_count, sizeof *goals);
    size_t room = size_of_state(body, def->style);
    snw_WalkerState *first = snw_arena_take(arena, 1, room),
                    *second = snw_arena_take(arena, 1, room);
    snw_View *view = snw_arena_take(arena, 1, sizeof *view);
    if (walker == NULL) { return NULL; } // measured only
    walker->poser.q = q;
    walker->poser.goals = goals;
    walker->view = view;
    walker->states[0] = first;
    walker->states[1] = second;
    return walker;
}

// the body of the walker that shares it, or one that is measured now
static sinew_Status find_share(
    const sinew_WalkerDef *def, snw_WalkShare **out_share, sinew_Message *message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (def->share == NULL) {
        return snw_walk_share_create(def, sizeof(snw_WalkerState), out_share, message);
    }
    snw_WalkShare *share = def->share->share;
    if (share->body.skeleton != def->skeleton) {
        return snw_fail(message, bad, "share is a walker of another skeleton");
    }
    if (share->trailing_weight != def->trailing_weight) {
        return snw_fail(message, bad, "trailing_weight is %g, that of the walker to share with %g",
            def->trailing_weight, share->trailing_weight);
    }
    if (def->style == SINEW_WALK_PAPER && share->body.on_tips) {
        return snw_fail(message, SINEW_STATUS_UNSUPPORTED,
            "the style paper walks on two legs with feet, this body has %d tips",
            share->body.leg_count);
    }
    ++share->users;
    *out_share = share;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_create(
    const sinew_WalkerDef *def, sinew_Walker **out_walker, sinew_Message *out_message)
{
    if (out_walker == NULL) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT, "out_walker is NULL");
    }
    *out_walker = NULL;
    sinew_Status status = snw_walker_check_def(def, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    snw_WalkShare *share;
    status = find_share(def, &share, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_Allocator allocator = snw_allocator_or_default(&def->allocator);
    snw_Arena arena = { NULL, 0 };
    (void)take_arrays(&arena, def, &share->body);
    size_t size = arena.used;
    arena = (snw_Arena){ snw_alloc(&allocator, size), 0 };
    if (arena.base == NULL) {
        snw_walk_share_leave(share);
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory for a walker");
    }
    sinew_Walker *walker = take_arrays(&arena, def, &share->body);
    walker->allocator = allocator;
    walker->size = size;
    walker->share = share;
    walker->body = &share->body;
    walker->setup = (snw_WalkSetup){ def->style, def->rows, def->ornaments, def->paper,
        def->response, def->limits, def->manner };
    snw_walk_share_lend(share, &walker->poser);
    walker->poser.options = def->solve;
    walker->poser.clock = def->clock;
    walker->poser.clock_user = def->clock_user;
    walker->state_size = size_to_go_on(walker->body, def->style);
    walker->target_size = offsetof(snw_WalkTarget, feet)
        + (size_t)walker->body->leg_count * sizeof(snw_WalkFootTarget);
    status = sinew_walker_reset(walker, def->x, def->z, def->heading);
    // what shares a body has been tried with it
    if (status == SINEW_STATUS_OK && share->users == 1) {
        status = snw_walker_try(walker, out_message);
        if (status == SINEW_STATUS_OK) {
            status = sinew_walker_reset(walker, def->x, def->z, def->heading);
        }
    }
    if (status != SINEW_STATUS_OK) {
        sinew_walker_destroy(walker);
        return status;
    }
    *out_walker = walker;
    return SINEW_STATUS_OK;
}

void sinew_walker_destroy(sinew_Walker *walker)
{
    if (walker == NULL) { return; }
    snw_walk_share_leave(walker->share);
    sinew_Allocator allocator = walker->allocator;
    snw_free(&allocator, walker, walker->size);
}

sinew_Status sinew_walker_reset(sinew_Walker *walker, double x, double z, double heading)
{
    if (walker == NULL
        || snw_place_check(sinew_vec3(x, 0.0, z), heading, NULL) != SINEW_STATUS_OK) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    snw_WalkerState *state = walker->states[walker->kept];
    memset(state, 0, walker->state_size);
    memset(&walker->report, 0, sizeof walker->report);
    memset(&walker->target, 0, sizeof walker->target);
    for (int i = 0; i < walker->body->leg_count; ++i) {
        snw_half_release(&walker->poser, i);
        memset(&walker->poser.half[i], 0, sizeof walker->poser.half[i]);
    }
    snw_view_open(walker->view, NULL, NULL);
    switch (snw_walker_way(walker)) {
    case SNW_WAY_PAPER:
        state->style.paper = snw_paper_begin(&walker->setup.paper, x, z, heading);
        break;
    case SNW_WAY_LEGS: snw_legs_reset(walker->body, x, z, heading, &state->style.legs); break;
    case SNW_WAY_CORE: snw_core_reset(walker->body, x, z, heading, &state->style.core); break;
    }
    walker->report.leg_count = walker->body->leg_count;
    walker->poser.is_first = true;
    memcpy(walker->poser.q, walker->poser.rest,
        (size_t)sinew_skeleton_coordinate_count(walker->body->skeleton) * sizeof *walker->poser.q);
    return SINEW_STATUS_OK;
}
