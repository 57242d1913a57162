// What carries a body on two legs.

#include "walk/core.h"

#include "math/holds.h"

void snw_core_ride(const snw_WalkBody *body, double dt, snw_View *view, snw_Core *state)
{
    SNW_ASSERT(dt >= 0.0);
    snw_AboardFoot feet[2];
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        const snw_Foothold *at = leg->is_swinging ? &leg->swing.to : &leg->at;
        feet[i] = (snw_AboardFoot){ at->ground, !leg->is_swinging, leg->phase, &leg->surface };
    }
    snw_Aboard aboard = { body, &state->root, &state->height, &state->ride };
    snw_aboard_go(&aboard, feet, state->has_started, dt, view);
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
