// Who stands and has come to rest: nothing of what is wanted, of the ground, the root, the clock and the feet changes then, so
// none of it is looked at in each tick. Hips sway on, and all that is above them.

#include "walk/core.h"

#include <string.h>

// What changes by less than this in a tick rests: metres, radians, shares, and as much in a second.
#define STILL 1e-12
// A body at rest is looked at as a whole each so many ticks, .13 s. Hips that sway go 1 mm in that time, 3 at most; ankles and
// thighs keep farther off the ends of their ranges than these turn them.
enum { REST_TICKS = 4 * SNW_CORE_SLOPE_TICKS };

/// Whether what a foot stands on goes past the body.
static bool is_carried_off(const snw_CoreLeg *leg)
{
    const sinew_Vec3 *drift = &leg->surface.drift;
    return drift->x != 0.0 || drift->y != 0.0 || drift->z != 0.0 || leg->surface.drift_turn != 0.0;
}

static bool stands(const snw_Core *state)
{
    return state->has_started && !state->is_walking && state->jump.stage == SNW_JUMP_NONE
        && !state->root.is_led && !is_carried_off(&state->legs[0])
        && !is_carried_off(&state->legs[1]);
}

bool snw_core_may_rest(const snw_Core *state)
{
    return state->tick % SNW_CORE_SLOPE_TICKS == SNW_CORE_SLOPE_TICK && stands(state);
}

void snw_core_list_still(const snw_Core *state, snw_CoreStill *out_still)
{
    const snw_WalkRoot *root = &state->root;
    const snw_CoreLife *life = &state->life;
    const double own[] = { root->x, root->z, root->heading, root->forward, root->left, root->turn,
        root->shove, state->slope, state->lean.value, state->gaze.value, state->moving.value,
        state->run.value, state->stoop.value, state->crouch, state->amplitude, state->forwardness,
        state->period, state->stance, life->phase, life->level, life->calm, life->speed.value,
        life->size.value, life->bow.value, life->throw.value };
    enum { OWN = sizeof own / sizeof *own };
    _Static_assert(OWN + SNW_VARIES == SNW_CORE_STILL, "all numbers are told");
    memcpy(out_still->numbers, own, sizeof own);
    for (int i = 0; i < SNW_VARIES; ++i) { out_still->numbers[OWN + i] = life->vary[i].value; }
    out_still->held_yaw = life->held_yaw;
    for (int i = 0; i < 2; ++i) {
        out_still->pitch[i] = state->legs[i].pitch;
        out_still->bank[i] = state->legs[i].bank;
    }
}

static bool is_same(double before, double now)
{
    return fabs(now - before) < STILL;
}

/// Whether a tick that began so has left all of it as it was: the next ones would as well.
static bool is_still(const snw_CoreStill *before, const snw_Core *state)
{
    if (!stands(state) || !snw_steering_is_none(&state->wanted)) { return false; }
    snw_CoreStill now;
    snw_core_list_still(state, &now);
    for (int i = 0; i < SNW_CORE_STILL; ++i) {
        if (!is_same(before->numbers[i], now.numbers[i])) { return false; }
    }
    return snw_root_speed(&state->root) + fabs(state->root.turn) < STILL;
}

void snw_core_find_rest(const snw_CoreStill *before, snw_Core *state)
{
    state->rests = is_still(before, state);
    // what is left of the walk
    if (state->rests) { state->moving.value = state->moving.speed = 0.0; }
    const bool is_held = is_same(before->held_yaw, state->life.held_yaw);
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        leg->rests = state->rests && is_held && is_same(before->pitch[i], leg->pitch)
            && is_same(before->bank[i], leg->bank);
    }
}

bool snw_core_rests_on(const snw_Core *state, const sinew_Drive *drive)
{
    if (state->tick % REST_TICKS == SNW_CORE_SLOPE_TICK) { return false; }
    if (drive->kind == SINEW_DRIVE_ROOT || !stands(state)) { return false; }
    const sinew_Steering asked = snw_drive_steering(drive, &state->root);
    const sinew_Steering wanted = snw_drive_drop_small(asked);
    return snw_steering_is_none(&wanted) && fabs(drive->crouch - state->stoop.value) < STILL
        && snw_root_speed(&state->root) < STILL;
}
