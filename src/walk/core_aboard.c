// What carries a body on two legs.

#include "walk/core.h"

#include "math/holds.h"

// It is looked down from so far over the higher foot, L: over what is stepped on, below ceilings and under the
// floor over a stair.
#define LOOK_OVER 1.5

void snw_core_ride(const snw_WalkBody *body, double dt, snw_View *view, snw_Core *state)
{
    SNW_ASSERT(dt >= 0.0);
    const double look_over = LOOK_OVER * body->length;
    if (!state->has_started) {
        snw_aboard_begin(&state->root, look_over, view, &state->ride);
        state->legs[0].surface.id = state->legs[1].surface.id = state->ride.surface;
        return;
    }
    snw_AboardFoot feet[2];
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        const snw_Foothold *at = leg->is_swinging ? &leg->swing.to : &leg->at;
        feet[i] = (snw_AboardFoot){ at->ground, !leg->is_swinging, leg->phase, &leg->surface };
    }
    sinew_Vec3 kick = snw_aboard_go(feet, 2, look_over, dt, view, &state->ride);
    if (kick.x != 0.0 || kick.y != 0.0 || kick.z != 0.0) {
        snw_root_push(kick.x, kick.z, SINEW_MAX_PUSH, &state->root);
        state->height.speed += kick.y;
    }
}

void snw_core_drift(double h, snw_Core *state)
{
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        snw_Foothold *at = leg->is_swinging ? &leg->swing.to : &leg->at;
        sinew_Transform move;
        if (!snw_aboard_drift(&leg->surface, at->ground, h, &move)) { continue; }
        at->ground = sinew_transform_point(move, at->ground);
        at->basis = sinew_quat_mul(move.rotation, at->basis);
        at->heading += h * leg->surface.drift_turn;
    }
}
