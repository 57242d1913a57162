// How a body on many legs goes: what they can do of what is wanted, and how it waits for them.

#include "walk/walker_legs.h"

#include "walk/walk_drive.h"

// Turns that a facing asks for take no more than this share of what legs can turn, so that the way goes on.
#define FACING_SHARE 0.45
// More than any legs do: what they can is cropped from it, m/s and rad/s.
#define FASTEST 10.0
#define FASTEST_TURN 20.0
// Of what legs can turn, this is told to a game at any speed.
#define LEAST_TURN_SHARE 0.5
// The body does not outrun a tip in the air: of its reach, what may be used up when it lands.
#define LANDED_SHARE 0.6
// It slows down where a leg that stands, or a path behind it, needs SNW_LEGS_WAIT_SHARE of its reach, and stops here.
#define END_SHARE 0.93
#define LAST_SHARE 0.98 // here it does so at once
#define HIGH_TIME 0.15  // seconds in which what is high comes and goes
#define RISE_AHEAD 2.0  // cycles
#define PACE_TIME 0.08
#define MOST_BRAKE 7.0 // m/s^2
// Places of a swing that the body waits for: now, and so much of the swing later.
#define PATH_LOOKS 3
#define PATH_LOOK 0.1
#define PERIOD_TIME 0.15

// ---------------------------------------------------------------------------------------------
// What legs can do

static double speed_number(const snw_WalkBody *body, const sinew_Steering *s)
{
    double fastest = 0.0;
    for (int i = 0; i < body->leg_count; ++i) {
        sinew_Vec3 way;
        fastest = snw_max(fastest, snw_legs_foothold_speed(body, i, s, &way));
    }
    return fastest / sqrt(SNW_GRAVITY * body->length);
}

// The fastest a foothold can pass below: the leg swings over it in the share of the cycle that is
// left, neither in too short a time nor with too fast a tip.
static double fastest_pass(const snw_WalkBody *body, double room, double duty)
{
    double tip = SNW_LEGS_FASTEST_TIP * body->length, rise = 2.0 * snw_legs_clearance(body);
    double by_time = room * (1.0 - duty) / (duty * snw_legs_shortest_swing(body));
    double by_speed = tip * (1.0 - duty) * room / (room + rise * duty);
    return snw_min(by_time, by_speed);
}

static double choose_period(
    const snw_WalkBody *body, const snw_Legs *state, const sinew_Steering *s, double duty)
{
    double tip = SNW_LEGS_FASTEST_TIP * body->length, rise = 2.0 * snw_legs_clearance(body);
    double period = snw_stride_period(speed_number(body, s), body->length), least = 0.0;
    for (int i = 0; i < body->leg_count; ++i) {
        sinew_Vec3 way;
        double speed = snw_legs_foothold_speed(body, i, s, &way), shift;
        double room = snw_legs_stance_room(body, state, i, way, &shift);
        if (speed * duty * period > room) { period = room / (speed * duty); }
        least = snw_max(least, rise / snw_max(0.1 * tip, tip * (1.0 - duty) - speed));
    }
    return snw_max(period, snw_max(least, snw_legs_shortest_swing(body) / (1.0 - duty)));
}

// what legs can do of what is wanted: an arc stays the same arc
static sinew_Steering cropped(
    const snw_WalkBody *body, const snw_Legs *state, const sinew_Steering *steering)
{
    sinew_Steering s = *steering;
    double over = snw_max(1.0, speed_number(body, &s) / SNW_FASTEST_WALK);
    double duty = snw_leg_gait_at(&body->leg_gait, speed_number(body, &s) / over).duty;
    for (int i = 0; i < body->leg_count; ++i) {
        sinew_Vec3 way;
        double speed = snw_legs_foothold_speed(body, i, steering, &way), shift;
        double room = snw_legs_stance_room(body, state, i, way, &shift);
        over = snw_max(over, speed / fastest_pass(body, room, duty));
    }
    s.forward /= over;
    s.left /= over;
    s.turn /= over;
    return s;
}

/// How fast legs can turn the body that goes nowhere, rad/s.
static double fastest_turn(const snw_WalkBody *body, const snw_Legs *state)
{
    const sinew_Steering turn = { 0.0, 0.0, FASTEST_TURN };
    return cropped(body, state, &turn).turn;
}

void snw_legs_choose(const snw_WalkBody *body, const sinew_Drive *drive,
    const sinew_Steering *steering, snw_Legs *state)
{
    sinew_Steering wanted = *steering;
    if (drive->kind == SINEW_DRIVE_WORLD) {
        double most = FACING_SHARE * fastest_turn(body, state);
        wanted.turn = snw_clamp(wanted.turn, -most, most);
    }
    if (!state->root.is_led) { wanted = cropped(body, state, &wanted); }
    state->wanted = snw_drive_drop_small(wanted);
    snw_bounds_hold(&body->girth, &state->root, steering, &state->wanted, &state->bounds);
}

/// How fast legs can go along the way that the root goes, or ahead, m/s.
static double fastest_way(const snw_WalkBody *body, const snw_Legs *state, double speed)
{
    sinew_Steering way = { FASTEST, 0.0, 0.0 };
    if (speed > SNW_SLOWEST) {
        way.forward = FASTEST * state->root.forward / speed;
        way.left = FASTEST * state->root.left / speed;
    }
    way = cropped(body, state, &way);
    return snw_steering_speed(&way);
}

void snw_legs_find_paces(
    const snw_WalkBody *body, const snw_Legs *state, double *out_pace, double *out_turn_pace)
{
    const double speed = snw_root_speed(&state->root), turn = fastest_turn(body, state);
    const double way = fastest_way(body, state, speed);
    // each takes its part of how fast footholds may pass below
    *out_pace = state->pace * way * snw_max(0.0, 1.0 - fabs(state->root.turn) / turn);
    *out_turn_pace = state->pace * turn * snw_max(LEAST_TURN_SHARE, 1.0 - speed / way);
}

void snw_legs_hurry(const snw_WalkBody *body, snw_Legs *state)
{
    state->hurry = 1.0;
    if (!state->root.is_led) { return; }
    const double speed = snw_root_speed(&state->root);
    const double over = speed / fastest_way(body, state, speed)
        + fabs(state->root.turn) / fastest_turn(body, state);
    state->hurry = snw_clamp(over, 1.0, state->root.response.hurry);
}

void snw_legs_set_gait(const snw_WalkBody *body, double h, snw_Legs *state)
{
    sinew_Steering motion = { state->root.forward, state->root.left, state->root.turn };
    double u = speed_number(body, &motion), wanted = speed_number(body, &state->wanted);
    // for what is to come where that is faster
    if (wanted > u) {
        u = wanted;
        motion = state->wanted;
    }
    state->gait = snw_leg_gait_at(&body->leg_gait, u);
    double period = choose_period(body, state, &motion, state->gait.duty);
    state->period += (period - state->period) * snw_follow(h, PERIOD_TIME);
}

// ---------------------------------------------------------------------------------------------
// The body waits for its legs

// whether any leg goes up onto or over something, or will with its next swings, 0..1
static double highness(const snw_WalkBody *body, snw_View *view, const snw_Legs *state)
{
    snw_WalkRoot next = snw_root_predict(&state->root, &state->wanted, RISE_AHEAD * state->period);
    double most = 0.0;
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_LegsLeg *leg = &state->legs[i];
        sinew_Vec3 place = snw_legs_rest_place(body, state, &next, i);
        double ahead = snw_view_close(view, place.x, place.z) - leg->at.y;
        most = snw_max(most, snw_max(snw_legs_rise(leg), ahead));
    }
    return snw_legs_highness(body, most);
}

// 1 goes on, 0 stands still: for legs that stand, and for tips that have to rise before they follow; *out_is_held: it has to, at once
static double pace_for_legs(const snw_WalkBody *body, const snw_Legs *state, bool *out_is_held)
{
    *out_is_held = false;
    sinew_Transform now = snw_legs_hips_at(state, &state->root);
    double pace = 1.0, less = snw_legs_kept_for_heights(body, state);
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_LegsLeg *leg = &state->legs[i];
        // no farther ahead than it stands, unless it is late
        double stands = (state->gait.duty - leg->phase) * state->period;
        bool leaves = !leg->is_swinging && stands > 0.0 && stands < SNW_LEGS_LOOK_AHEAD;
        double ahead = leaves ? stands : SNW_LEGS_LOOK_AHEAD;
        sinew_Transform then = snw_legs_hips_after(state, ahead);
        // a swing that does not climb is planned anew where the body goes
        double weight = leg->is_swinging ? snw_legs_highness(body, snw_legs_rise(leg)) : 1.0;
        for (int k = 0; k < (leg->is_swinging ? PATH_LOOKS : 1); ++k) {
            double t = snw_min(1.0, leg->progress + PATH_LOOK * k);
            sinew_Vec3 at = leg->is_swinging ? snw_legs_on_path(leg, t) : leg->at;
            double share = snw_legs_share(body, &then, i, at);
            double before = snw_legs_share(body, &now, i, at);
            if (share <= before) { continue; }
            double end = END_SHARE - (leg->is_swinging ? 0.0 : less);
            double room = (end - share) / (END_SHARE - SNW_LEGS_WAIT_SHARE);
            pace = snw_min(pace, snw_mix(1.0, snw_clamp(room, 0.0, 1.0), weight));
            *out_is_held = *out_is_held || (weight > 0.0 && before > LAST_SHARE);
        }
    }
    return pace;
}

// 1 goes on, less waits: so that feet in the air do not land behind where they could stand
static double pace_for_swings(const snw_WalkBody *body, const snw_Legs *state)
{
    double pace = 1.0;
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_LegsLeg *leg = &state->legs[i];
        if (!leg->is_swinging) { continue; }
        double left = (1.0 - leg->progress) * leg->duration;
        sinew_Transform now = snw_legs_hips_at(state, &state->root);
        sinew_Transform then = snw_legs_hips_after(state, left);
        double before = snw_legs_share(body, &now, i, leg->path.to);
        double share = snw_legs_share(body, &then, i, leg->path.to);
        if (share <= LANDED_SHARE || share <= before) { continue; }
        pace = snw_min(pace, snw_max(0.0, (LANDED_SHARE - before) / (share - before)));
    }
    return pace;
}

void snw_legs_go(
    const snw_WalkBody *body, snw_View *view, const sinew_Drive *drive, double h, snw_Legs *state)
{
    // slower as fast as a body may, faster with time
    double high = highness(body, view, state);
    state->high += (high - state->high) * snw_follow(h, HIGH_TIME);
    bool is_held;
    double wanted = snw_min(pace_for_legs(body, state, &is_held), pace_for_swings(body, state));
    double faster = state->pace + (wanted - state->pace) * snw_follow(h, PACE_TIME);
    double braked = MOST_BRAKE * h / snw_max(SNW_SLOWEST, snw_root_speed(&state->root));
    bool brakes = !is_held && !state->root.is_led;
    double least = brakes ? snw_min(1.0, state->pace) - braked : 0.0;
    state->pace = snw_max(snw_min(wanted, faster), least);
    double x = state->root.x, z = state->root.z;
    if (state->root.is_led) {
        snw_root_lead(drive, h, &state->root);
    } else {
        // the same change of speed on a shorter way
        snw_root_steer(&state->wanted, h, &state->root);
        snw_bounds_brake(&body->girth, &state->bounds, h, &state->root);
        snw_root_advance(&state->root, snw_min(1.0, state->pace) * h);
    }
    x = state->root.x - x;
    z = state->root.z - z;
    state->distance += sqrt(x * x + z * z);
}
