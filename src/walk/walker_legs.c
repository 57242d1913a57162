// Bodies on many legs: the clock, one tick, and what is told of it.

#include "walk/walker_legs.h"

#include <string.h>

// A leg may leave before its time when it needs more of its reach than this.
#define STRAINED 0.82
#define EARLIEST 0.2  // phase
#define KEEP_STEP 1.2 // cycles per cycle, for a leg out of step
#define MOST_HURRY 0.35
// Places that a tick asks: for what is around the body, and for its legs.
enum { AROUND = 8, FOR_LEGS = 18 };
// A root from outside asks for steps when a foot is farther from where it stands at rest, lengths of the leg.
#define LEFT 0.15

void snw_legs_reset(const snw_WalkBody *body, double x, double z, double heading, snw_Legs *state)
{
    memset(state, 0, snw_legs_size(body));
    state->root = snw_root_at(x, z, heading);
    state->pace = state->heeded = 1.0;
    state->roll_c = state->nod_c = 1.0;
    state->ride.c = 1.0;
    state->bounds.free_way = (double)INFINITY;
    state->gait = snw_leg_gait_at(&body->leg_gait, 0.0, 1.0);
    state->period = snw_stride_period(0.0, body->length);
    state->hips.rotation = sinew_quat_identity();
}

static double wrap(double phase)
{
    return phase - floor(phase + 0.5); // -0.5 .. 0.5
}

static double share_of_cycle(double phase)
{
    return phase - floor(phase);
}

// ---------------------------------------------------------------------------------------------
// The clock

static bool may_lift(const snw_WalkBody *body, const snw_Legs *state, int index)
{
    int flying = 0;
    for (int i = 0; i < body->leg_count; ++i) { flying += state->legs[i].is_swinging ? 1 : 0; }
    // quick ones go by the clock, of more than four two stand
    if (snw_legs_are_quick(state)) { return body->leg_count <= 4 || flying < body->leg_count - 2; }
    int mate = body->legs[index].mate;
    return flying < body->leg_count / 2 && (mate < 0 || !state->legs[mate].is_swinging);
}

static void stand_on(
    const snw_WalkBody *body, snw_View *view, int index, double h, bool is_whole, snw_Legs *state)
{
    snw_LegsLeg *leg = &state->legs[index];
    double ahead = wrap(state->clock + state->gait.phase[index] - leg->phase);
    double hurry = snw_clamp(KEEP_STEP * ahead, -MOST_HURRY, MOST_HURRY);
    leg->phase = snw_min(0.999, leg->phase + (1.0 + hurry) * h / state->period);
    bool is_due = leg->phase >= state->gait.duty;
    double strained = STRAINED - snw_legs_kept_for_heights(body, state);
    bool is_strained = leg->phase >= EARLIEST
        && snw_legs_share(body, &state->hips, index, leg->at) > strained;
    bool is_left = snw_legs_is_lost(body, state, index, leg->at) || snw_legs_is_astray(leg);
    bool may = (is_due || is_strained) && may_lift(body, state, index);
    if (!is_whole || !(is_left || may)) { return; }
    if (!snw_legs_lift(body, view, is_strained || is_left, index, state) && leg->phase > 0.99) {
        // stands well where it is: through to the next cycle
        leg->phase = 0.0;
    }
}

// the clock keeps to the legs as these keep to it, so that long swings hold up both
static void run_clock(const snw_WalkBody *body, double h, snw_Legs *state)
{
    double behind = 0.0;
    for (int i = 0; i < body->leg_count; ++i) {
        behind += wrap(state->legs[i].phase - state->gait.phase[i] - state->clock)
            / body->leg_count;
    }
    double hurry = snw_clamp(KEEP_STEP * behind, -MOST_HURRY, MOST_HURRY);
    state->clock += (1.0 + hurry) * h / state->period;
}

static void start_walking(const snw_WalkBody *body, snw_Legs *state)
{
    state->is_walking = true;
    state->still_time = 0.0;
    // the first leg is about to leave
    state->clock = state->gait.duty;
    for (int i = 0; i < body->leg_count; ++i) {
        double phase = share_of_cycle(state->clock + state->gait.phase[i]);
        // those that would be in the air already wait where they are until they may leave
        state->legs[i].phase = snw_min(phase, state->gait.duty);
    }
}

// ---------------------------------------------------------------------------------------------
// What is told of a tick

static void watch(const snw_WalkBody *body, snw_Legs *state)
{
    snw_WalkEvents *events = &state->events;
    const double time = state->tick * SNW_WALK_TICK;
    sinew_WalkEvent whole = snw_event_of(
        &state->root, time, state->legs[0].at.y, state->ride.surface);
    snw_events_start(&whole, state->is_walking, events);
    for (int i = 0; i < body->leg_count; ++i) {
        snw_LegsLeg *leg = &state->legs[i];
        if (leg->is_swinging != leg->was_swinging) {
            sinew_WalkEvent event = snw_event_of(&state->root, time, 0.0, leg->surface.id);
            event.leg = i;
            event.place = leg->at;
            event.planted = leg->is_swinging ? 0u : (unsigned)SINEW_PLANTED_TOE;
            snw_events_tell(
                &event, leg->is_swinging ? SINEW_WALK_TOE_OFF : SINEW_WALK_CONTACT, events);
        }
        leg->was_swinging = leg->is_swinging;
    }
    snw_events_end(&whole, state->is_walking, state->bounds.is_blocked, events);
}

/// Stand on what is below; the last time, beside that where it is an edge or out of reach.
static void plant(const snw_WalkBody *body, snw_View *view, snw_Legs *state)
{
    enum { TURNS = 4 };
    for (int turn = 0; turn < TURNS; ++turn) {
        // the slope moves the feet, the feet tell the slope
        for (int i = 0; i < body->leg_count; ++i) {
            snw_LegsLeg *leg = &state->legs[i];
            leg->progress = 1.0;
            if (turn == TURNS - 1) {
                leg->at = snw_leg_plan(body, view, state, i, 0.0, NULL);
                continue;
            }
            leg->at = snw_legs_rest_place(body, state, &state->root, i);
            leg->at.y = snw_view_ask(view, leg->at.x, leg->at.z);
        }
        snw_legs_settle(body, state);
    }
    state->has_started = true;
}

/// Whether feet have to step: a root from outside has left them behind, where they do not stand at rest, or the ground is
/// not where they are.
static bool is_left(const snw_WalkBody *body, const snw_Legs *state)
{
    for (int i = 0; i < body->leg_count && state->root.is_led; ++i) {
        sinew_Vec3 rest = snw_legs_rest_place(body, state, &state->root, i);
        rest.y = state->legs[i].at.y;
        if (sinew_vec3_distance(rest, state->legs[i].at) > LEFT * body->length) { return true; }
    }
    return state->is_astray;
}

void snw_legs_ride(const snw_WalkBody *body, double dt, snw_View *view, snw_Legs *state)
{
    snw_AboardFoot feet[SINEW_MAX_LEGS];
    for (int i = 0; i < body->leg_count; ++i) {
        snw_LegsLeg *leg = &state->legs[i];
        feet[i] = (snw_AboardFoot){ snw_legs_foothold(leg), !leg->is_swinging, leg->phase,
            &leg->surface };
    }
    snw_Aboard aboard = { body, &state->root, &state->height, &state->ride };
    snw_aboard_go(&aboard, feet, state->has_started, dt, view);
    state->is_astray = false;
    for (int i = 0; i < body->leg_count; ++i) {
        state->is_astray = state->is_astray || snw_legs_is_astray(&state->legs[i]);
    }
    // the ground is not as it was seen
    if (state->is_astray) { snw_view_forget(view); }
}

/// Tips on surfaces that go past the body go along with them.
static void drift(const snw_WalkBody *body, double h, snw_Legs *state)
{
    for (int i = 0; i < body->leg_count; ++i) {
        snw_LegsLeg *leg = &state->legs[i];
        sinew_Vec3 *at = leg->is_swinging ? &leg->path.to : &leg->at;
        sinew_Transform move;
        if (!snw_aboard_drift(&leg->surface, *at, h, &move)) { continue; }
        *at = sinew_transform_point(move, *at);
    }
}

/// Let so many places be asked; what is not known beyond goes on from the highest foot as all feet lie.
static void open_view(const snw_WalkBody *body, const snw_Legs *state, int places, snw_View *view)
{
    const snw_LegsLeg *highest = state->legs;
    for (int i = 1; i < body->leg_count; ++i) {
        if (state->legs[i].at.y > highest->at.y) { highest = &state->legs[i]; }
    }
    const sinew_Vec3 rise = snw_root_to_world(
        &state->root, state->slope.value, state->side_slope.value);
    const snw_ViewGuess guess = { highest->at, rise.x, rise.z };
    snw_view_allow(view, places, &guess);
}

void snw_legs_tick(const snw_WalkBody *body, const snw_WalkSetup *setup, snw_View *view,
    const sinew_Drive *drive, double h, bool is_whole, snw_Legs *state)
{
    snw_drive_answer(&setup->response, drive, h, &state->root);
    state->stoop = drive->crouch;
    if (!state->has_started) { plant(body, view, state); }
    // between two ticks nothing is asked, so that what is known does not depend on when the body is shown
    open_view(body, state, is_whole ? AROUND : 0, view);
    drift(body, h, state);
    sinew_Steering steering = snw_drive_steering(drive, &state->root);
    if (is_whole && (state->is_walking || !snw_steering_is_none(&steering))) {
        snw_bounds_look(&body->girth, &setup->limits, &state->root, &steering,
            state->tick % SNW_BOUND_PARTS, view, &state->bounds);
    }
    open_view(body, state, is_whole ? FOR_LEGS : 0, view);
    snw_legs_choose(body, drive, &steering, state);
    const bool is_pushed = !state->root.is_led && snw_root_is_moving(&state->root);
    bool idle = snw_steering_is_none(&state->wanted) && !is_pushed && !is_left(body, state);
    if (!state->is_walking && !idle) { start_walking(body, state); }
    if (state->is_walking || state->root.is_led) { snw_legs_go(body, view, drive, h, state); }
    if (state->is_walking) {
        snw_legs_set_gait(body, h, state);
        run_clock(body, h, state);
        state->still_time += h;
        for (int i = 0; i < body->leg_count; ++i) {
            if (state->legs[i].is_swinging) {
                snw_legs_swing_on(body, view, i, h, is_whole, state);
            } else {
                stand_on(body, view, i, h, is_whole, state);
            }
        }
        // at rest when every leg had its turn and none had to move
        if (snw_steering_is_none(&state->wanted) && state->still_time > 1.2 * state->period) {
            state->is_walking = false;
            state->root.forward = state->root.left = state->root.turn = 0.0;
        }
    }
    snw_legs_carry(body, setup, h, state);
    if (!is_whole) { return; }
    ++state->tick;
    watch(body, state);
}

void snw_legs_teleport(
    const snw_WalkBody *body, double x, double z, double heading, double rise, snw_Legs *state)
{
    const sinew_Transform move = snw_root_move(&state->root, x, z, heading, rise);
    for (int i = 0; i < body->leg_count; ++i) {
        snw_LegsLeg *leg = &state->legs[i];
        leg->at = sinew_transform_point(move, leg->at);
        leg->off = sinew_quat_rotate(move.rotation, leg->off);
        snw_leg_path_move(&move, &leg->path);
    }
    state->height.value += rise;
    state->hips = sinew_transform_mul(move, state->hips);
    state->root.x = x;
    state->root.z = z;
    snw_root_face(heading, &state->root);
}

// ---------------------------------------------------------------------------------------------
// Target

// of the ground as it is seen around a place
static sinew_Vec3 normal_at(snw_View *view, sinew_Vec3 at)
{
    const double d = 0.5 * SNW_VIEW_CELL;
    double x = snw_view_close(view, at.x + d, at.z) - snw_view_close(view, at.x - d, at.z);
    double z = snw_view_close(view, at.x, at.z + d) - snw_view_close(view, at.x, at.z - d);
    sinew_Vec3 up = { -x, 2.0 * d, -z };
    return sinew_vec3_normalize_or(up, snw_up_axis);
}

static void tell_leg(const snw_WalkBody *body, const snw_Legs *state, snw_View *view, int index,
    snw_WalkFootTarget *target)
{
    const snw_LegsLeg *leg = &state->legs[index];
    sinew_WalkerLeg *told = &target->told;
    memset(told, 0, sizeof *told);
    const sinew_Vec3 place = snw_legs_tip(body, view, state, index);
    const sinew_Vec3 foothold = snw_legs_foothold(leg);
    target->foot.position = place;
    target->foot.rotation = state->hips.rotation;
    target->knee_yaw = state->root.heading;
    told->phase = leg->phase;
    told->is_swinging = leg->is_swinging;
    told->swing = leg->progress;
    told->planted = leg->is_swinging ? 0u : (unsigned)SINEW_PLANTED_TOE;
    told->heel = told->ball = told->toe = place;
    told->foothold = foothold;
    told->normal = normal_at(view, foothold);
    told->foot_heading = state->root.heading;
    told->surface = leg->surface.id;
}

void snw_legs_target(const snw_WalkBody *body, const snw_WalkSetup *setup, const snw_Legs *state,
    snw_View *view, snw_WalkTarget *target)
{
    open_view(body, state, 0, view);
    *target = (snw_WalkTarget){ 0 };
    target->hips = state->hips;
    target->heading = state->root.heading;
    target->chest = state->hips.rotation;
    // the head turns ahead, and half back to the level
    const sinew_WalkOrnaments *o = &setup->ornaments;
    sinew_Quat level = sinew_quat_from_axis_angle(
        snw_up_axis, state->root.heading + state->bend.value * o->head);
    target->head = sinew_quat_slerp(target->chest, level, 0.5 * snw_clamp(o->head, 0.0, 1.0));
    for (int i = 0; i < body->leg_count; ++i) { tell_leg(body, state, view, i, &target->feet[i]); }
    snw_aboard_target(&state->ride, body->leg_count, target);
}
