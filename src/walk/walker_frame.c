// A walker's frames: whole ticks, the part of one that is shown, what it tells of it, and where it is led or taken.

#include "walk/walker_state.h"

#include "base/message.h"
#include "math/holds.h"
#include "walk/walk_layer.h"
#include "walk/walker_pose.h"

#include <string.h>

// Frames end on a tick when they are this near to it, ticks.
#define TICK_ROUNDING 1e-6
#define LONGEST_FRAME 1.0
// A root from outside that goes or turns faster than this between two updates, m/s and rad/s, by more than that, metres
// and radians, is somewhere else.
#define LEAP_SPEED 9.0
#define LEAP_TURN 25.0
#define LEAP_WAY 0.03
#define LEAP_ANGLE 0.1

static void tick(sinew_Walker *walker, double h, bool is_whole, snw_WalkerState *state)
{
    const snw_WalkBody *body = walker->body;
    const snw_WalkSetup *setup = &walker->setup;
    switch (snw_walker_way(walker)) {
    case SNW_WAY_PAPER:
        snw_paper_advance(
            &state->style.paper, body, &setup->ornaments, &state->drive.steering, walker->view, h);
        if (is_whole) { snw_paper_ask_ahead(&state->style.paper, body, walker->view); }
        break;
    case SNW_WAY_LEGS:
        snw_legs_tick(body, setup, walker->view, &state->drive, h, is_whole, &state->style.legs);
        break;
    case SNW_WAY_CORE:
        snw_core_tick(body, setup, walker->view, &state->drive, h, is_whole, &state->style.core);
        break;
    }
}

/// The ground below the root, in the world.
static sinew_Vec3 root_below(const snw_WalkRoot *root, const snw_Ride *ride, snw_View *view)
{
    double height = ride->is_off ? snw_view_height(view, root->x, root->z, NULL)
                                 : snw_view_ask(view, root->x, root->z);
    return snw_ride_to_world(ride, sinew_vec3(root->x, height, root->z));
}

/// What is told of whatever legs there are, on board as in the world.
static void tell_parts(
    const snw_WalkerParts *parts, snw_View *view, sinew_Vec3 hips, sinew_WalkerReport *report)
{
    const snw_WalkRoot *root = parts->root;
    report->root = root_below(root, parts->ride, view);
    report->heading = root->heading + parts->ride->heading;
    report->motion = (sinew_Steering){ root->forward, root->left, root->turn };
    report->hips = hips;
    report->is_walking = parts->is_walking;
    report->step_count = parts->step_count;
    report->distance = parts->distance;
    report->is_blocked = parts->bounds->is_blocked;
    report->free_way = parts->bounds->free_way;
}

// target and report of the style at the moment that is shown
static void look_at(const sinew_Walker *walker, snw_WalkerState *state, snw_WalkTarget *out_target,
    sinew_WalkerReport *report)
{
    const snw_WalkBody *body = walker->body;
    const snw_WalkSetup *setup = &walker->setup;
    const snw_PaperCycle *paper = &state->style.paper;
    const snw_Legs *legs = &state->style.legs;
    const snw_Core *core = &state->style.core;
    switch (snw_walker_way(walker)) {
    case SNW_WAY_PAPER:
        snw_paper_target(paper, body, &setup->ornaments, walker->view, out_target);
        snw_paper_report(paper, out_target, walker->view, report);
        return;
    case SNW_WAY_LEGS:
        snw_legs_target(body, setup, legs, walker->view, out_target);
        snw_legs_find_paces(body, legs, &report->pace, &report->turn_pace);
        break;
    case SNW_WAY_CORE:
        snw_core_target(body, setup, core, out_target);
        report->pace = core->pace;
        report->turn_pace = core->turn_pace;
        break;
    }
    const snw_WalkerParts parts = snw_walker_parts(walker, state);
    tell_parts(&parts, walker->view, out_target->hips.position, report);
}

/// Where a root from outside is at a share of the frame.
static sinew_Drive lead_at(const sinew_Drive *from, const sinew_Drive *to, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    sinew_Drive drive = *to;
    // at its end exactly where it is led to
    drive.x = to->x - (1.0 - share) * (to->x - from->x);
    drive.z = to->z - (1.0 - share) * (to->z - from->z);
    drive.heading = to->heading - (1.0 - share) * snw_least_turn(from->heading, to->heading);
    return drive;
}

/// Where a led root goes on from: the body is taken to one that is somewhere else, as it is.
static void begin_lead(
    const sinew_Walker *walker, const sinew_Drive *drive, double dt, snw_WalkerState *state)
{
    const snw_WalkRoot *root = snw_walker_parts(walker, state).root;
    if (!state->is_led) { state->drive = sinew_drive_root(root->x, root->z, root->heading); }
    const double dx = drive->x - state->drive.x, dz = drive->z - state->drive.z;
    const double turn = fabs(snw_least_turn(state->drive.heading, drive->heading));
    const bool is_new = !state->is_led && !snw_walker_has_seen_ground(walker, state);
    const bool is_near = sqrt(dx * dx + dz * dz) <= LEAP_WAY + LEAP_SPEED * dt
        && turn <= LEAP_ANGLE + LEAP_TURN * dt;
    if (!is_new && is_near) { return; }
    snw_walker_take_to(walker, drive->x, drive->z, drive->heading, 0.0, state);
    state->drive = *drive;
    state->is_put = true;
}

/// Who was taken somewhere else stands on the ground there as it stood on the ground before.
static void put_down(const sinew_Walker *walker, snw_WalkerState *state)
{
    const bool is_put = state->is_put;
    state->is_put = false;
    // who has stood nowhere yet begins to
    if (!is_put || !snw_walker_has_seen_ground(walker, state)) { return; }
    const snw_WalkerParts parts = snw_walker_parts(walker, state);
    const snw_WalkRoot *root = parts.root;
    const double height = root_below(root, parts.ride, walker->view).y;
    const double rise = height - walker->report.root.y;
    snw_walker_take_to(walker, root->x, root->z, root->heading, rise, state);
    if (snw_walker_way(walker) == SNW_WAY_CORE) {
        snw_core_stand_anew(walker->body, walker->view, &state->style.core);
    }
}

/// Be pushed as a tick begins: in the middle of one it would go back to where that began.
static void take_push(const sinew_Walker *walker, snw_WalkerState *state)
{
    if (state->push.x == 0.0 && state->push.z == 0.0) { return; }
    const snw_WalkerParts parts = snw_walker_parts(walker, state);
    const sinew_Vec3 way = snw_ride_turn_in(parts.ride, state->push);
    snw_root_push(way.x, way.z, SINEW_MAX_PUSH, parts.root);
    state->push = sinew_vec3(0.0, 0.0, 0.0);
}

/// How long the next tick is, seconds.
static double next_tick(const sinew_Walker *walker, const snw_WalkerState *state)
{
    bool is_core = snw_walker_way(walker) == SNW_WAY_CORE;
    return is_core ? snw_core_ticks(&state->style.core) * SNW_WALK_TICK : SNW_WALK_TICK;
}

// whole ticks on the state, what is left on a copy; returns the state at the moment that is shown
static snw_WalkerState *run(
    sinew_Walker *walker, const sinew_Drive *drive, double dt, snw_WalkerState *state)
{
    const double slack = TICK_ROUNDING * SNW_WALK_TICK;
    const bool is_led = drive->kind == SINEW_DRIVE_ROOT;
    if (is_led) { begin_lead(walker, drive, dt, state); }
    put_down(walker, state);
    const sinew_Drive from = state->drive;
    state->is_led = is_led;
    state->time += dt;
    if (state->rest <= slack) {
        state->drive = *drive;
        take_push(walker, state);
    }
    state->rest += dt;
    while (state->rest >= next_tick(walker, state) - slack) {
        const double h = next_tick(walker, state);
        state->rest -= h;
        double share = dt > 0.0 ? snw_clamp(1.0 - state->rest / dt, 0.0, 1.0) : 1.0;
        if (is_led) { state->drive = lead_at(&from, drive, share); }
        tick(walker, h, true, state);
        state->drive = *drive;
        take_push(walker, state);
    }
    if (is_led) { state->drive = *drive; }
    if (state->rest <= slack && snw_walker_has_seen_ground(walker, state)) { return state; }
    // between two ticks; needed no longer than this update takes
    snw_WalkerState *shown = walker->share->shown;
    memcpy(shown, state, walker->state_size);
    tick(walker, snw_max(0.0, state->rest), false, shown);
    return shown;
}

sinew_Status sinew_walker_update(sinew_Walker *walker, const sinew_Steering *steering, double dt,
    const sinew_Ground *ground, double *out_q, sinew_Message *out_message)
{
    const sinew_Steering none = { 0.0, 0.0, 0.0 };
    sinew_Drive drive = sinew_drive_body(steering != NULL ? *steering : none);
    return sinew_walker_drive(walker, &drive, dt, ground, out_q, out_message);
}

/// What the ground is seen with, which a ground from elsewhere opens anew.
static void open_view(snw_View *view, const sinew_Ground *ground, const sinew_GroundQuery *query)
{
    if (view->is_bad || !snw_view_is_of(view, ground, query)) {
        snw_view_open(view, ground, query);
    }
}

/// Look at what carries it.
static sinew_Drive look_below(sinew_Walker *walker, const sinew_Drive *drive, double dt,
    const sinew_Ground *ground, const sinew_GroundQuery *query, const snw_Ride *ride,
    snw_WalkerState *next)
{
    // who came off a raft onto plain ground is still in the frame of its ride
    const sinew_GroundQuery plain = sinew_ground_query(ground);
    if (query == NULL && ride->is_off) { query = &plain; }
    open_view(walker->view, ground, query);
    if (query != NULL && snw_walker_way(walker) == SNW_WAY_LEGS) {
        snw_legs_ride(walker->body, dt, walker->view, &next->style.legs);
    } else if (query != NULL) {
        snw_core_ride(walker->body, dt, walker->view, &next->style.core);
    }
    return snw_ride_drive(ride, *drive);
}

static sinew_Status drive_on(sinew_Walker *walker, const sinew_Drive *drive, double dt,
    const sinew_Ground *ground, const sinew_GroundQuery *query, double *out_q,
    sinew_Message *out_message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (walker == NULL || drive == NULL || out_q == NULL) {
        return SNW_CHECK_NULL(out_message, "walker drive out_q", walker, drive, out_q);
    }
    if (!(dt >= 0.0 && dt <= LONGEST_FRAME)) {
        return snw_fail(out_message, bad, "dt is %g, want 0..1 s", dt);
    }
    if (snw_drive_check(drive, out_message) != SINEW_STATUS_OK) { return bad; }
    const bool is_paper = snw_walker_way(walker) == SNW_WAY_PAPER;
    if (drive->kind != SINEW_DRIVE_BODY
        && snw_walker_check_natural(walker, "a drive of the world", out_message)
            != SINEW_STATUS_OK) {
        return SINEW_STATUS_UNSUPPORTED;
    }
    if (!snw_layer_is_finite(walker->body->skeleton, &walker->layer)) {
        return snw_fail(out_message, bad, "layer.pose is not finite");
    }
    snw_WalkerState *next = walker->states[1 - walker->kept];
    memcpy(next, walker->states[walker->kept], walker->state_size);
    const snw_WalkerParts parts = snw_walker_parts(walker, next);
    sinew_Drive wanted = *drive;
    if (is_paper) {
        open_view(walker->view, ground, NULL);
    } else {
        parts.events->count = 0;
        wanted = look_below(walker, drive, dt, ground, query, parts.ride, next);
    }
    snw_WalkerState *shown = run(walker, &wanted, dt, next);
    sinew_WalkerReport report = walker->report;
    snw_WalkTarget target;
    look_at(walker, shown, &target, &report);
    target.root = report.root;
    if (!is_paper) { snw_ride_events(parts.ride, parts.events->list, parts.events->count); }
    if (walker->view->is_bad) {
        return snw_fail(out_message, bad, "the ground is not finite where it was asked");
    }
    if (!is_paper) { snw_layer_aim(walker->body, drive, dt, parts.look, &target); }
    walker->poser.frame_time = dt;
    sinew_Status status = snw_walk_pose(&walker->poser, &walker->setup, &target, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    walker->poser.is_first = false;

    memcpy(&walker->target, &target, walker->target_size);
    walker->kept = 1 - walker->kept;
    report.time = next->time;
    report.solve_count = walker->poser.solve_count;
    report.solve_time = walker->poser.time;
    report.is_met = true;
    for (int i = 0; i < walker->body->leg_count; ++i) {
        report.is_met = report.is_met && walker->target.feet[i].told.is_met;
    }
    report.unmet_frames += report.is_met ? 0 : 1;
    walker->report = report;
    size_t count = (size_t)sinew_skeleton_coordinate_count(walker->body->skeleton);
    memcpy(out_q, walker->poser.q, count * sizeof *out_q);
    snw_layer_blend(walker->body, &walker->layer, out_q);
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_drive(sinew_Walker *walker, const sinew_Drive *drive, double dt,
    const sinew_Ground *ground, double *out_q, sinew_Message *out_message)
{
    return drive_on(walker, drive, dt, ground, NULL, out_q, out_message);
}

sinew_Status sinew_walker_drive_on(sinew_Walker *walker, const sinew_Drive *drive, double dt,
    const sinew_GroundQuery *query, double *out_q, sinew_Message *out_message)
{
    if (query == NULL || query->ask == NULL) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT, "query is NULL");
    }
    if (walker != NULL
        && snw_walker_check_natural(walker, "ground with storeys", out_message)
            != SINEW_STATUS_OK) {
        return SINEW_STATUS_UNSUPPORTED;
    }
    return drive_on(walker, drive, dt, NULL, query, out_q, out_message);
}
