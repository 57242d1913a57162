// What a tick sees of the ground: how steep it is, what is guessed of what is not known, and what cannot be walked.

#include "walk/core.h"

// Runners look so far ahead for slopes: a little less than the view remembers.
#define FARTHEST_SEEN (SNW_VIEW_FAR - SNW_VIEW_CELL)
// Slopes are the mean of so many, between places that shift, so that single steps do not count.
enum { SLOPES = 4 };

snw_ViewGuess snw_core_guess_ground(const snw_Core *state)
{
    const snw_Foothold *higher = NULL;
    const bool nobody_stands = state->legs[0].is_swinging && state->legs[1].is_swinging;
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        // where a foot will land may be guessed itself
        if (leg->is_swinging && !nobody_stands) { continue; }
        const snw_Foothold *at = snw_core_foothold(leg);
        if (higher == NULL || at->ground.y > higher->ground.y) { higher = at; }
    }
    const sinew_Vec3 up = snw_up_of(higher->basis);
    const double leans = snw_root_to_body(&state->root, up.x, up.z).aside;
    const double aside = up.y > 0.1 ? -leans / up.y : 0.0;
    const sinew_Vec3 rise = snw_root_to_world(&state->root, state->lean_now, aside);
    return (snw_ViewGuess){ higher->ground, rise.x, rise.z };
}

/// No more than so many places are asked in a tick until the rest is given back.
static int hold_back(int most, snw_View *view)
{
    int held = view->allowance - (most - view->asked);
    held = held > 0 ? held : 0;
    view->allowance -= held;
    return held;
}

void snw_core_open_view(const snw_Core *state, bool is_whole, snw_View *view)
{
    const snw_ViewGuess guess = snw_core_guess_ground(state);
    const int before = state->tick % 2 != 0 ? view->asked : 0;
    snw_view_allow(view, is_whole ? SNW_CORE_SAMPLES - before : 0, &guess);
    view->is_between = !is_whole;
}

void snw_core_look_for_bounds(const snw_WalkBody *body, const sinew_WalkLimits *limits,
    const sinew_Steering *steering, int ticks, snw_View *view, snw_Core *state)
{
    const bool goes = state->is_walking || state->root.is_led || !snw_steering_is_none(steering);
    if (!goes || state->tick <= 1) { return; }
    const int held = hold_back(ticks * SNW_CORE_AROUND, view);
    for (int n = 0; n < ticks; ++n) {
        const int part = (state->tick + n) % SNW_BOUND_PARTS;
        snw_core_look_far(body, limits, part, view, state);
        snw_bounds_look(&body->girth, limits, &state->root, steering, part, view, &state->bounds);
    }
    view->allowance += held;
}

void snw_core_look_ahead(const snw_WalkBody *body, int ticks, snw_View *view, snw_Core *state)
{
    const int held = hold_back(ticks * SNW_CORE_AHEAD, view);
    for (int n = 0; n < ticks; ++n) { snw_core_ask_ahead(body, view, state); }
    view->allowance += held;
}

/// How steeply the ground goes up along a unit way, from one distance off the root to another.
static double slope_between(
    snw_View *view, const snw_Core *state, double x, double z, double from, double to)
{
    const snw_WalkRoot *root = &state->root;
    double high = snw_view_height(view, root->x + to * x, root->z + to * z, NULL);
    double low = snw_view_height(view, root->x + from * x, root->z + from * z, NULL);
    return (high - low) / snw_max(0.1, to - from);
}

/// The slope below the root.
static double find_slope(
    const snw_WalkBody *body, snw_View *view, const snw_Core *state, double x, double z)
{
    double sum = 0.0;
    double seen = snw_bounds_way(&state->bounds, &state->root, x, z);
    double seen_back = snw_bounds_way(&state->bounds, &state->root, -x, -z);
    for (int i = 0; i < SLOPES; ++i) {
        double length = (0.45 + 0.1 * i) * body->length, back = snw_min(0.4 * length, seen_back);
        sum += slope_between(view, state, x, z, -back, snw_min(length, seen)) / SLOPES;
    }
    return snw_clamp(sum, -0.9, 0.9);
}

/// How steep the ground is that runners must have slowed down for when they get there: as far ahead as is remembered.
static double find_steep_ahead(snw_View *view, const snw_Core *state, double x, double z)
{
    const double far = snw_min(FARTHEST_SEEN, snw_bounds_way(&state->bounds, &state->root, x, z));
    double sum = 0.0;
    for (int i = 0; i < SLOPES; ++i) {
        const double to = far - 0.1 * i;
        sum += slope_between(view, state, x, z, 0.4 * to, to) / SLOPES;
    }
    return snw_min(0.9, fabs(sum));
}

void snw_core_look_around(const snw_WalkBody *body, snw_View *view, double h, bool is_whole,
    const sinew_Steering *steering, snw_Core *state)
{
    double s = state->root.sine, c = state->root.cosine;
    if (is_whole && state->tick % SNW_CORE_SLOPE_TICKS == SNW_CORE_SLOPE_TICK) {
        const double forward = steering->forward, speed = snw_steering_speed(steering);
        double wx = s, wz = c;
        if (speed > 0.05) {
            const sinew_Vec3 way = snw_root_to_world(&state->root, forward, steering->left);
            wx = way.x / speed;
            wz = way.z / speed;
        }
        state->slope_now = find_slope(body, view, state, wx, wz);
        const bool is_fast = forward > SNW_FASTEST_WALK * sqrt(SNW_GRAVITY * body->length);
        state->steep_ahead = is_fast ? find_steep_ahead(view, state, wx, wz) : 0.0;
        bool is_ahead = wx == s && wz == c;
        state->lean_now = is_ahead ? state->slope_now : find_slope(body, view, state, s, c);
    }
    double slope = state->slope_now;
    state->slope = snw_follow_to(state->slope, slope, h, state->is_walking ? 0.2 : 0.05);
    double lean = state->is_walking ? 0.55 * state->lean_now : 0.0;
    snw_follower_step(&state->lean, lean, 5.0, h);
    double gaze = snw_clamp(0.45 * state->root.turn, -0.6, 0.6);
    snw_follower_step(&state->gaze, gaze, 6.0, h);
}
