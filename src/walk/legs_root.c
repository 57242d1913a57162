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
// Who flies slows down first, and rises between these duty factors.
#define FLIES 0.46
#define STANDS 0.56
#define STEP_LOOK 0.5  // lengths of the leg
#define RISE_AHEAD 2.0 // cycles
#define PACE_TIME 0.08
#define MOST_BRAKE 7.0 // m/s^2
// Places of a swing that the body waits for: now, and so much of the swing later.
#define PATH_LOOKS 3
#define PATH_LOOK 0.1
#define FOLLOW_TIME 0.15 // seconds in which gait and period, and what is high, come and go
#define GAIT_AHEAD 0.5   // cycles
// On ground as steep as this, tangent beyond what does not matter, or with steps, legs go no faster than so, in units of sqrt(g L).
#define STEEP 0.15
#define UNEVEN_SPEED 0.34

// ---------------------------------------------------------------------------------------------
// What legs can do

/// What a motion asks of the legs.
typedef struct Need {
    double u;     ///< the fastest foothold, in units of sqrt(g L)
    double swing; ///< the shortest time in which every tip comes back, seconds
    double time;  ///< the longest that every leg can stand, seconds
    double share; ///< of the cycle that is then left to stand
} Need;

static Need need_of(const snw_WalkBody *body, const snw_Legs *state, const sinew_Steering *motion)
{
    Need need = { 0.0, snw_legs_shortest_swing(body), (double)INFINITY, 1.0 };
    for (int i = 0; i < body->leg_count; ++i) {
        sinew_Vec3 way;
        const double speed = snw_legs_foothold_speed(body, i, motion, &way);
        double shift;
        const double room = snw_legs_stance_room(body, state, i, way, &shift);
        need.u = snw_max(need.u, speed);
        if (need.time * speed > room) { need.time = room / speed; }
    }
    need.u /= sqrt(SNW_GRAVITY * body->length);
    if (need.time < (double)INFINITY) { need.share = need.time / (need.time + need.swing); }
    return need;
}

/// The fastest that legs go a way: nobody flies where there are steps or slopes, nor aside or backwards.
static snw_LegGaitRow fastest_gait(
    const snw_WalkBody *body, const snw_Legs *state, const sinew_Steering *way, double u)
{
    const double ahead = way->forward / snw_max(1e-9, u * sqrt(SNW_GRAVITY * body->length));
    double slow = snw_max(state->uneven, snw_legs_steepness(state) / STEEP);
    slow = snw_clamp(snw_max(slow, 2.0 * (1.0 - ahead)), 0.0, 1.0);
    const double last = body->leg_gait.rows[SNW_LEG_GAIT_ROWS - 1].u;
    return snw_leg_gait_at(&body->leg_gait, snw_mix(last, UNEVEN_SPEED, slow), 1.0);
}

// what legs can do of what is wanted: an arc stays the same arc
static sinew_Steering cropped(
    const snw_WalkBody *body, const snw_Legs *state, const sinew_Steering *steering)
{
    sinew_Steering s = *steering;
    const Need need = need_of(body, state, steering);
    const snw_LegGaitRow fastest = fastest_gait(body, state, steering, need.u);
    double over = snw_max(1.0, need.u / fastest.u);
    // of what stands for so long the swing leaves less
    over = snw_max(over, fastest.duty * need.swing / ((1.0 - fastest.duty) * need.time));
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
    *out_pace = state->heeded * way * snw_max(0.0, 1.0 - fabs(state->root.turn) / turn);
    *out_turn_pace = state->heeded * turn * snw_max(LEAST_TURN_SHARE, 1.0 - speed / way);
}

void snw_legs_set_gait(const snw_WalkBody *body, double h, snw_Legs *state)
{
    // for what is to come where that is faster
    const snw_WalkRoot later = snw_root_predict(
        &state->root, &state->wanted, GAIT_AHEAD * state->period);
    const bool is_faster = snw_root_speed(&later) + fabs(later.turn) * body->length
        > snw_root_speed(&state->root) + fabs(state->root.turn) * body->length;
    const snw_WalkRoot *root = is_faster ? &later : &state->root;
    const sinew_Steering motion = { root->forward, root->left, root->turn };
    const Need need = need_of(body, state, &motion);
    const snw_LegGaitRow next = snw_leg_gait_at(&body->leg_gait, need.u, need.share);
    const double share = snw_follow(h, FOLLOW_TIME);
    snw_leg_gait_mix(&next, share, &state->gait);
    double period = snw_min(snw_stride_period(need.u, body->length), need.time / next.duty);
    period = snw_max(period, need.swing / (1.0 - next.duty));
    state->period += (period - state->period) * share;
}

// ---------------------------------------------------------------------------------------------
// The body waits for its legs

// whether any leg goes up onto or over something, or will with its next swings, 0..1
static double highness(const snw_WalkBody *body, snw_View *view, const snw_Legs *state)
{
    const double ahead_time = snw_max(
        RISE_AHEAD * state->period, snw_root_speed(&state->root) / state->root.response.braking);
    snw_WalkRoot next = snw_root_predict(&state->root, &state->wanted, ahead_time);
    double most = 0.0;
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_LegsLeg *leg = &state->legs[i];
        sinew_Vec3 place = snw_legs_rest_place(body, state, &next, i);
        double ahead = snw_view_close(view, place.x, place.z) - leg->at.y;
        most = snw_max(most, snw_max(snw_legs_rise(leg), ahead));
    }
    return snw_legs_highness(body, most);
}

// whether there is a step, up or down, where the body would be if it slowed down from now on, 0..1
static double step_ahead(
    const snw_WalkBody *body, snw_View *view, const snw_Legs *state, double time)
{
    const snw_WalkRoot then = snw_root_predict(&state->root, &state->wanted, time);
    const double speed = snw_root_speed(&then);
    if (speed < SNW_SLOWEST) { return 0.0; }
    const double back = STEP_LOOK * body->length / speed;
    const sinew_Vec3 way = snw_root_to_world(&then, -back * then.forward, -back * then.left);
    const double far = snw_view_close(view, then.x, then.z);
    const double near = snw_view_close(view, then.x + way.x, then.z + way.z);
    return snw_legs_highness(body, fabs(far - near));
}

// 1 goes on, 0 stands still: for legs that stand, and for tips that have to rise before they follow; *out_is_held: it has to, at once
static double pace_for_legs(const snw_WalkBody *body, const snw_Legs *state, bool *out_is_held)
{
    *out_is_held = false;
    sinew_Transform now = snw_legs_hips_at(state, &state->root);
    const sinew_Transform later = snw_legs_hips_after(state, SNW_LEGS_LOOK_AHEAD);
    double pace = 1.0, less = snw_legs_kept_for_heights(body, state);
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_LegsLeg *leg = &state->legs[i];
        // no farther ahead than it stands, unless it is late
        double stands = (state->gait.duty - leg->phase) * state->period;
        bool leaves = !leg->is_swinging && stands > 0.0 && stands < SNW_LEGS_LOOK_AHEAD;
        const sinew_Transform then = leaves ? snw_legs_hips_after(state, stands) : later;
        // a swing that does not climb is planned anew where the body goes
        double weight = leg->is_swinging ? snw_legs_highness(body, snw_legs_rise(leg)) : 1.0;
        if (weight <= 0.0) { continue; }
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
    const sinew_Transform now = snw_legs_hips_at(state, &state->root);
    double pace = 1.0;
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_LegsLeg *leg = &state->legs[i];
        if (!leg->is_swinging) { continue; }
        double left = (1.0 - leg->progress) * leg->duration;
        sinew_Transform then = snw_legs_hips_after(state, left);
        double share = snw_legs_share(body, &then, i, leg->path.to);
        if (share <= LANDED_SHARE) { continue; }
        double before = snw_legs_share(body, &now, i, leg->path.to);
        if (share <= before) { continue; }
        pace = snw_min(pace, snw_max(0.0, (LANDED_SHARE - before) / (share - before)));
    }
    return pace;
}

void snw_legs_go(
    const snw_WalkBody *body, snw_View *view, const sinew_Drive *drive, double h, snw_Legs *state)
{
    // slower as fast as a body may, faster with time
    const double high = highness(body, view, state), share = snw_follow(h, FOLLOW_TIME);
    const double time = snw_max(
        RISE_AHEAD * state->period, snw_root_speed(&state->root) / state->root.response.braking);
    const double uneven = snw_max(high, step_ahead(body, view, state, time));
    state->uneven += (uneven - state->uneven)
        * (uneven > state->uneven ? share : snw_follow(h, time));
    const double slow = snw_smoothstep((state->gait.duty - FLIES) / (STANDS - FLIES));
    state->high += (slow * high - state->high) * share;
    bool is_held;
    double wanted = snw_min(pace_for_legs(body, state, &is_held), pace_for_swings(body, state));
    double faster = state->heeded + (wanted - state->heeded) * snw_follow(h, PACE_TIME);
    double braked = MOST_BRAKE * h / snw_max(SNW_SLOWEST, snw_root_speed(&state->root));
    bool brakes = !is_held && !state->root.is_led;
    double least = brakes ? snw_min(1.0, state->heeded) - braked : 0.0;
    state->heeded = snw_max(snw_min(wanted, faster), least);
    state->pace = state->root.is_led ? 1.0 : state->heeded;
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
