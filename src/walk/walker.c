// The walker as its users see it: creation, ticks, read-outs.

#include "base/memory.h"
#include "base/message.h"
#include "math/holds.h"
#include "solve/options.h"
#include "walk/core.h"
#include "walk/leg_form.h"
#include "walk/paper_cycle.h"
#include "walk/walk_half.h"
#include "walk/walk_layer.h"
#include "walk/walk_share.h"
#include "walk/walker_legs.h"
#include "walk/walker_pose.h"

#include <string.h>

// Frames end on a tick when they are this near to it, ticks.
#define TICK_ROUNDING 1e-6
#define LONGEST_FRAME 1.0
// Legs walk so long on level ground before they are believed, in frames of so long, seconds, at this
// share of sqrt(g L): 1 m/s for a leg of 0.9 m. A foot that is farther from its place than that, metres, or turned
// by more, radians, is missed, and no more than this share of the frames may have one.
#define TRIAL 2.0
#define TRIAL_FRAME (1.0 / 30.0)
#define TRIAL_SPEED 0.34
#define TRIAL_MISS 1e-3
#define TRIAL_TURN 0.05
#define TRIAL_SHARE 0.05
// A root from outside that goes or turns faster than this between two updates, m/s and rad/s, by more than that, metres
// and radians, is somewhere else.
#define LEAP_SPEED 9.0
#define LEAP_TURN 25.0
#define LEAP_WAY 0.03
#define LEAP_ANGLE 0.1

/// All that a frame changes; no pointers. What the style has of each leg is at its end, so that legs which
/// a body does not have need not be copied.
typedef struct State {
    double time;
    double rest;       // time since the last whole tick, seconds
    sinew_Drive drive; // read at the start of the tick under way
    bool is_led;       // the root was given in the update before: x, z and heading of drive
    sinew_Vec3 push;   // told since, for the tick that begins next
    bool is_put;       // it was taken somewhere else since, and does not know how high it is there
    union {
        snw_PaperCycle paper;
        snw_Legs legs;
        snw_Core core;
    } style;
} State;

struct sinew_Walker {
    snw_WalkShare *share;
    snw_WalkBody *body; // the share's
    snw_WalkSetup setup;
    snw_WalkPoser poser;
    snw_WalkTarget target;
    snw_View *view; // what it has seen is no state, only saved questions
    // an update that fails changes nothing, so it works on the one that is not kept
    State *states[2];
    sinew_WalkLayer layer; // of the caller
    int kept;
    size_t state_size, target_size;
    sinew_WalkerReport report;
    sinew_Allocator allocator;
    size_t size;
};

sinew_WalkerDef sinew_walker_def_default(void)
{
    sinew_WalkerDef def;
    memset(&def, 0, sizeof def);
    def.solve = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    def.solve.position_tolerance = 1e-4;
    def.solve.orientation_tolerance = 1e-3;
    def.solve.max_iterations = 30;
    def.ornaments = sinew_walk_ornaments_default();
    def.trailing_weight = 4.0;
    def.paper = sinew_paper_walk_default();
    def.response = sinew_walk_response_calm();
    def.limits = sinew_walk_limits_default();
    def.manner = sinew_manner_default();
    def.cookie = SNW_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------
// Creation

static sinew_Status check_ornaments(const sinew_WalkOrnaments *o, sinew_Message *message)
{
    static const char *const names[] = { "bob", "swing", "sway", "list", "lean", "spine", "arms",
        "head" };
    const double amounts[] = { o->bob, o->swing, o->sway, o->list, o->lean, o->spine, o->arms,
        o->head };
    for (int i = 0; i < 8; ++i) {
        if (amounts[i] >= 0.0 && amounts[i] <= 100.0) { continue; }
        return snw_refuse(message, "ornaments.%s is %g, want 0..100", names[i], amounts[i]);
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_def(const sinew_WalkerDef *def, sinew_Message *message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (def == NULL) { return snw_fail(message, bad, "def is NULL"); }
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(message, "walker"); }
    if (def->skeleton == NULL) { return snw_fail(message, bad, "skeleton is NULL"); }
    if (def->leg_count < 0 || def->leg_count > SINEW_MAX_LEGS
        || (def->leg_count > 0 && def->legs == NULL)) {
        return snw_fail(
            message, bad, "leg_count is %d, want 0..%d", def->leg_count, SINEW_MAX_LEGS);
    }
    if ((int)def->style < 0 || (int)def->style > (int)SINEW_WALK_PAPER) {
        return snw_fail(message, bad, "style is %d, want 0..1", (int)def->style);
    }
    if (def->leg_count == 1) {
        return snw_fail(message, SINEW_STATUS_UNSUPPORTED, "one leg cannot walk, want 2 or more");
    }
    if ((int)def->rows < 0 || (int)def->rows > (int)SINEW_WALK_ROWS_HYBRID) {
        return snw_fail(message, bad, "rows is %d, want 0..3", (int)def->rows);
    }
    if (snw_place_check(sinew_vec3(def->x, 0.0, def->z), def->heading, message)
        != SINEW_STATUS_OK) {
        return bad;
    }
    if (!(def->trailing_weight > 0.0 && def->trailing_weight <= 1e3)) {
        return snw_fail(message, bad, "trailing_weight is %g, want above 0 and up to 1000",
            def->trailing_weight);
    }
    if (snw_options_check(&def->solve, "solve", def->clock, message) != SINEW_STATUS_OK) {
        return bad;
    }
    if (check_ornaments(&def->ornaments, message) != SINEW_STATUS_OK) { return bad; }
    if (snw_paper_check(&def->paper, message) != SINEW_STATUS_OK) { return bad; }
    if (snw_response_check(&def->response, message) != SINEW_STATUS_OK) { return bad; }
    if (snw_limits_check(&def->limits, message) != SINEW_STATUS_OK) { return bad; }
    return sinew_manner_check(&def->manner, message);
}

/// How this body walks: two legs with feet by the mechanism of core.h, many legs on tips by that of walker_legs.h.
typedef enum Way { WAY_CORE, WAY_PAPER, WAY_LEGS } Way;

static Way choose_way(const snw_WalkBody *body, sinew_WalkStyle style)
{
    if (body->on_tips) { return WAY_LEGS; }
    return style == SINEW_WALK_PAPER ? WAY_PAPER : WAY_CORE;
}

static Way way_of(const sinew_Walker *walker)
{
    return choose_way(walker->body, walker->setup.style);
}

/// Refuse what the style paper does not do.
static sinew_Status check_natural(
    const sinew_Walker *walker, const char *what, sinew_Message *message)
{
    if (way_of(walker) != WAY_PAPER) { return SINEW_STATUS_OK; }
    return snw_fail(message, SINEW_STATUS_UNSUPPORTED, "%s needs the style natural", what);
}

/// How much of a State this way has.
static size_t size_of_state(const snw_WalkBody *body, sinew_WalkStyle style)
{
    size_t start = offsetof(State, style);
    switch (choose_way(body, style)) {
    case WAY_PAPER: return start + sizeof(snw_PaperCycle);
    case WAY_LEGS: return start + snw_legs_size(body);
    case WAY_CORE: return start + sizeof(snw_Core);
    }
    return sizeof(State);
}

static sinew_Walker *take_arrays(
    snw_Arena *arena, const sinew_WalkerDef *def, const snw_WalkBody *body)
{
    size_t numbers = (size_t)sinew_skeleton_coordinate_count(def->skeleton);
    sinew_Walker *walker = snw_arena_take(arena, 1, sizeof *walker);
    double *q = snw_arena_take(arena, numbers, sizeof *q);
    sinew_Goal *goals = snw_arena_take(arena, (size_t)body->leg_count, sizeof *goals);
    size_t room = size_of_state(body, def->style);
    State *first = snw_arena_take(arena, 1, room), *second = snw_arena_take(arena, 1, room);
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
        return snw_walk_share_create(def, sizeof(State), out_share, message);
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

/// The worst foot of a trial.
typedef struct Missed {
    int leg;
    double position, turn; ///< metres and radians
    snw_LegExcess excess;
} Missed;

// what holds a foot back: a joint of a leg with a knee, and what is wrong with it
static int find_reason(const sinew_Walker *walker, const Missed *missed, sinew_Message *reason)
{
    const snw_WalkLegBody *leg = &walker->body->legs[missed->leg];
    const snw_LegExcess *excess = &missed->excess;
    snw_JointKind hip = walker->body->joints[leg->hip_entry].set.kind;
    if (hip != SNW_JOINT_THREE && hip != SNW_JOINT_BALL) {
        snw_message_set(reason, "has fewer axes than the three of a hip");
        return leg->def.hip;
    }
    if (walker->body->joints[leg->ankle_entry].set.kind == SNW_JOINT_FIXED) {
        snw_message_set(reason, "does not turn");
        return leg->def.ankle;
    }
    double most = snw_max(excess->hip, snw_max(excess->knee, excess->ankle));
    double degrees = floor(most * (180.0 / SINEW_PI) + 0.5);
    if (!(degrees > 0.0)) { return leg->def.ankle; }
    snw_message_set(reason, "would have to turn %g degrees beyond its range", degrees);
    if (most == excess->hip) { return leg->def.hip; }
    return most == excess->knee ? leg->def.knee : leg->def.ankle;
}

static sinew_Status refuse(
    const sinew_Walker *walker, const Missed *missed, double share, sinew_Message *message)
{
    const sinew_Joint *joints = sinew_skeleton_joints(walker->body->skeleton);
    int joint = walker->body->legs[missed->leg].def.ankle;
    sinew_Message reason = { "does not get there" };
    if (!walker->body->on_tips) { joint = find_reason(walker, missed, &reason); }
    return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
        "its legs cannot walk on level ground: in a trial %g %% of the frames miss a foot, by up "
        "to %g mm and %g degrees; '%s' %s",
        floor(100.0 * share + 0.5), floor(1e3 * missed->position + 0.5),
        floor(missed->turn * (180.0 / SINEW_PI) + 0.5), joints[joint].name, reason.text);
}

/// Walk a few steps: whether the ranges of the legs let them. The walker has to be reset afterwards.
static sinew_Status try_legs(sinew_Walker *walker, double *q, sinew_Message *message)
{
    const snw_WalkBody *body = walker->body;
    const sinew_Steering ahead = { TRIAL_SPEED * sqrt(SNW_GRAVITY * body->length), 0.0, 0.0 };
    Missed worst = { 0, 0.0, 0.0, { 0.0, 0.0, 0.0 } };
    int frames = (int)(TRIAL / TRIAL_FRAME), missed = 0;
    // steps of long legs take longer, but the responses of short ones do not take less
    const double frame = TRIAL_FRAME * sqrt(snw_max(1.0, body->length / SNW_USUAL_LEG));
    for (int f = 0; f < frames; ++f) {
        sinew_Status status = sinew_walker_update(walker, &ahead, frame, NULL, q, message);
        if (status != SINEW_STATUS_OK) { return status; }
        bool is_missed = false;
        for (int i = 0; i < body->leg_count; ++i) {
            const snw_WalkFootTarget *foot = &walker->target.feet[i];
            double off = foot->told.position_error, turn = foot->told.orientation_error;
            if (off <= TRIAL_MISS && turn <= TRIAL_TURN) { continue; }
            is_missed = true;
            // a tenth of a radian at the toes is two centimetres
            if (off + 0.2 * turn <= worst.position + 0.2 * worst.turn) { continue; }
            worst = (Missed){ i, off, turn, { 0.0, 0.0, 0.0 } };
            if (body->on_tips) { continue; }
            worst.excess = snw_leg_excess(
                body, &body->legs[i], &walker->target.hips, &foot->foot, walker->target.heading);
        }
        missed += is_missed ? 1 : 0;
    }
    double share = (double)missed / frames;
    if (walker->report.step_count < 2) {
        return snw_fail(
            message, SINEW_STATUS_INVALID_ARGUMENT, "its legs take no steps on level ground");
    }
    return share <= TRIAL_SHARE ? SINEW_STATUS_OK : refuse(walker, &worst, share, message);
}

static sinew_Status try_body(sinew_Walker *walker, sinew_Message *message)
{
    size_t size = (size_t)sinew_skeleton_coordinate_count(walker->body->skeleton) * sizeof(double);
    double *q = snw_alloc(&walker->allocator, size);
    if (q == NULL) {
        return snw_fail(message, SINEW_STATUS_OUT_OF_MEMORY, "no memory to try a walker");
    }
    // what the legs can do is asked, not what a method finds
    const sinew_WalkerDef plain = sinew_walker_def_default();
    const sinew_WalkRows rows = walker->setup.rows;
    const sinew_SolveOptions options = walker->poser.options;
    walker->setup.rows = SINEW_WALK_ROWS_AUTO;
    walker->poser.options = plain.solve;
    sinew_Status status = try_legs(walker, q, message);
    walker->setup.rows = rows;
    walker->poser.options = options;
    snw_free(&walker->allocator, q, size);
    return status;
}

sinew_Status sinew_walker_create(
    const sinew_WalkerDef *def, sinew_Walker **out_walker, sinew_Message *out_message)
{
    if (out_walker == NULL) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT, "out_walker is NULL");
    }
    *out_walker = NULL;
    sinew_Status status = check_def(def, out_message);
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
    walker->state_size = size_of_state(walker->body, def->style);
    walker->target_size = offsetof(snw_WalkTarget, feet)
        + (size_t)walker->body->leg_count * sizeof(snw_WalkFootTarget);
    status = sinew_walker_reset(walker, def->x, def->z, def->heading);
    // what shares a body has been tried with it
    if (status == SINEW_STATUS_OK && share->users == 1) {
        status = try_body(walker, out_message);
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
    State *state = walker->states[walker->kept];
    memset(state, 0, walker->state_size);
    memset(&walker->report, 0, sizeof walker->report);
    memset(&walker->target, 0, sizeof walker->target);
    for (int i = 0; i < walker->body->leg_count; ++i) {
        snw_half_release(&walker->poser, i);
        memset(&walker->poser.half[i], 0, sizeof walker->poser.half[i]);
    }
    snw_view_open(walker->view, NULL, NULL);
    switch (way_of(walker)) {
    case WAY_PAPER:
        state->style.paper = snw_paper_begin(&walker->setup.paper, x, z, heading);
        break;
    case WAY_LEGS: snw_legs_reset(walker->body, x, z, heading, &state->style.legs); break;
    case WAY_CORE: snw_core_reset(walker->body, x, z, heading, &state->style.core); break;
    }
    walker->report.leg_count = walker->body->leg_count;
    memcpy(walker->poser.q, walker->poser.rest,
        (size_t)sinew_skeleton_coordinate_count(walker->body->skeleton) * sizeof *walker->poser.q);
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Frames

static void tick(sinew_Walker *walker, double h, bool is_whole, State *state)
{
    const snw_WalkBody *body = walker->body;
    const snw_WalkSetup *setup = &walker->setup;
    switch (way_of(walker)) {
    case WAY_PAPER:
        snw_paper_advance(
            &state->style.paper, body, &setup->ornaments, &state->drive.steering, walker->view, h);
        if (is_whole) { snw_paper_ask_ahead(&state->style.paper, body, walker->view); }
        break;
    case WAY_LEGS:
        snw_legs_tick(body, setup, walker->view, &state->drive, h, is_whole, &state->style.legs);
        break;
    case WAY_CORE:
        snw_core_tick(body, setup, walker->view, &state->drive, h, is_whole, &state->style.core);
        break;
    }
}

static bool has_seen_ground(const sinew_Walker *walker, const State *state)
{
    switch (way_of(walker)) {
    case WAY_PAPER: return state->style.paper.on_ground;
    case WAY_LEGS: return state->style.legs.has_started;
    case WAY_CORE: return state->style.core.has_started;
    }
    return false;
}

/// The ground below the root, in the world.
static sinew_Vec3 root_below(const snw_WalkRoot *root, const snw_Ride *ride, snw_View *view)
{
    double height = ride->is_off ? snw_view_height(view, root->x, root->z, NULL)
                                 : snw_view_ask(view, root->x, root->z);
    return snw_ride_to_world(ride, sinew_vec3(root->x, height, root->z));
}

/// What is on board told in the world.
static void tell_root(const snw_WalkRoot *root, const snw_Ride *ride, snw_View *view,
    sinew_Vec3 hips, sinew_WalkerReport *report)
{
    report->root = root_below(root, ride, view);
    report->heading = root->heading + ride->heading;
    report->motion = (sinew_Steering){ root->forward, root->left, root->turn };
    report->hips = hips;
}

// target and report of the style at the moment that is shown
static void look_at(const sinew_Walker *walker, State *state, snw_WalkTarget *out_target,
    sinew_WalkerReport *report)
{
    const snw_WalkBody *body = walker->body;
    const snw_WalkSetup *setup = &walker->setup;
    const snw_PaperCycle *paper = &state->style.paper;
    const snw_Legs *legs = &state->style.legs;
    const snw_Core *core = &state->style.core;
    switch (way_of(walker)) {
    case WAY_PAPER:
        snw_paper_target(paper, body, &setup->ornaments, walker->view, out_target);
        snw_paper_report(paper, out_target, walker->view, report);
        break;
    case WAY_LEGS:
        snw_legs_target(body, setup, legs, walker->view, out_target);
        tell_root(&legs->root, &legs->ride, walker->view, out_target->hips.position, report);
        report->is_walking = legs->is_walking;
        report->step_count = legs->step_count;
        report->distance = legs->distance;
        snw_legs_find_paces(body, legs, &report->pace, &report->turn_pace);
        report->is_blocked = legs->bounds.is_blocked;
        report->free_way = legs->bounds.free_way;
        break;
    case WAY_CORE:
        snw_core_target(body, setup, core, out_target);
        tell_root(&core->root, &core->ride, walker->view, out_target->hips.position, report);
        report->is_walking = core->is_walking;
        report->step_count = core->step_count;
        report->distance = core->distance;
        report->pace = core->pace;
        report->turn_pace = core->turn_pace;
        report->is_blocked = core->bounds.is_blocked;
        report->free_way = core->bounds.free_way;
        break;
    }
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

/// What a state has of whatever legs there are; not of the style paper, which goes on plain ground and tells less.
typedef struct Parts {
    snw_WalkRoot *root;
    snw_Ride *ride;     ///< what carries it
    snw_Bounds *bounds; ///< where it cannot go
    snw_Look *look;
    snw_WalkEvents *events; ///< of an update
} Parts;

static Parts parts_of(const sinew_Walker *walker, State *state)
{
    snw_Legs *legs = &state->style.legs;
    snw_Core *core = &state->style.core;
    if (way_of(walker) == WAY_LEGS) {
        return (Parts){ &legs->root, &legs->ride, &legs->bounds, &legs->look, &legs->events };
    }
    return (Parts){ &core->root, &core->ride, &core->bounds, &core->look, &core->events };
}

/// Take it to (x, z) of its own frame, as it is.
static void take_to(
    const sinew_Walker *walker, double x, double z, double heading, double rise, State *state)
{
    if (way_of(walker) == WAY_LEGS) {
        snw_legs_teleport(walker->body, x, z, heading, rise, &state->style.legs);
    } else {
        snw_core_teleport(x, z, heading, rise, &state->style.core);
    }
}

/// Where a led root goes on from: the body is taken to one that is somewhere else, as it is.
static void begin_lead(
    const sinew_Walker *walker, const sinew_Drive *drive, double dt, State *state)
{
    const snw_WalkRoot *root = parts_of(walker, state).root;
    if (!state->is_led) { state->drive = sinew_drive_root(root->x, root->z, root->heading); }
    const double dx = drive->x - state->drive.x, dz = drive->z - state->drive.z;
    const double turn = fabs(snw_least_turn(state->drive.heading, drive->heading));
    const bool is_new = !state->is_led && !has_seen_ground(walker, state);
    const bool is_near = sqrt(dx * dx + dz * dz) <= LEAP_WAY + LEAP_SPEED * dt
        && turn <= LEAP_ANGLE + LEAP_TURN * dt;
    if (!is_new && is_near) { return; }
    take_to(walker, drive->x, drive->z, drive->heading, 0.0, state);
    state->drive = *drive;
    state->is_put = true;
}

/// Who was taken somewhere else stands on the ground there as it stood on the ground before.
static void put_down(const sinew_Walker *walker, State *state)
{
    if (!state->is_put || !has_seen_ground(walker, state)) { return; }
    const Parts parts = parts_of(walker, state);
    const snw_WalkRoot *root = parts.root;
    const double height = root_below(root, parts.ride, walker->view).y;
    const double rise = height - walker->report.root.y;
    take_to(walker, root->x, root->z, root->heading, rise, state);
    state->is_put = false;
}

/// Be pushed as a tick begins: in the middle of one it would go back to where that began.
static void take_push(const sinew_Walker *walker, State *state)
{
    if (state->push.x == 0.0 && state->push.z == 0.0) { return; }
    const Parts parts = parts_of(walker, state);
    const sinew_Vec3 way = snw_ride_turn_in(parts.ride, state->push);
    snw_root_push(way.x, way.z, SINEW_MAX_PUSH, parts.root);
    state->push = sinew_vec3(0.0, 0.0, 0.0);
}

/// How long the next tick is, seconds.
static double next_tick(const sinew_Walker *walker, const State *state)
{
    bool is_core = way_of(walker) == WAY_CORE;
    return is_core ? snw_core_ticks(&state->style.core) * SNW_WALK_TICK : SNW_WALK_TICK;
}

// whole ticks on the state, what is left on a copy; returns the state at the moment that is shown
static State *run(sinew_Walker *walker, const sinew_Drive *drive, double dt, State *state)
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
    if (state->rest <= slack && has_seen_ground(walker, state)) { return state; }
    // between two ticks; needed no longer than this update takes
    State *shown = walker->share->shown;
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
    const sinew_Ground *ground, const sinew_GroundQuery *query, const snw_Ride *ride, State *next)
{
    // who came off a raft onto plain ground is still in the frame of its ride
    const sinew_GroundQuery plain = sinew_ground_query(ground);
    if (query == NULL && ride->is_off) { query = &plain; }
    open_view(walker->view, ground, query);
    if (query != NULL && way_of(walker) == WAY_LEGS) {
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
    const bool is_paper = way_of(walker) == WAY_PAPER;
    if (drive->kind != SINEW_DRIVE_BODY
        && check_natural(walker, "a drive of the world", out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_UNSUPPORTED;
    }
    if (!snw_layer_is_finite(walker->body->skeleton, &walker->layer)) {
        return snw_fail(out_message, bad, "layer.pose is not finite");
    }
    State *next = walker->states[1 - walker->kept];
    memcpy(next, walker->states[walker->kept], walker->state_size);
    const Parts parts = parts_of(walker, next);
    sinew_Drive wanted = *drive;
    if (is_paper) {
        open_view(walker->view, ground, NULL);
    } else {
        parts.events->count = 0;
        wanted = look_below(walker, drive, dt, ground, query, parts.ride, next);
    }
    State *shown = run(walker, &wanted, dt, next);
    sinew_WalkerReport report = walker->report;
    snw_WalkTarget target;
    memcpy(&target, &walker->target, walker->target_size);
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
        && check_natural(walker, "ground with storeys", out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_UNSUPPORTED;
    }
    return drive_on(walker, drive, dt, NULL, query, out_q, out_message);
}

sinew_Status sinew_walker_set_rows(sinew_Walker *walker, sinew_WalkRows rows)
{
    if (walker == NULL || (int)rows < 0 || (int)rows > (int)SINEW_WALK_ROWS_HYBRID) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    walker->setup.rows = rows;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_paper(
    sinew_Walker *walker, const sinew_PaperWalk *paper, sinew_Message *out_message)
{
    if (walker == NULL || paper == NULL) {
        return SNW_CHECK_NULL(out_message, "walker paper", walker, paper);
    }
    sinew_Status status = snw_paper_check(paper, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    walker->setup.paper = *paper;
    if (way_of(walker) == WAY_PAPER) {
        walker->states[walker->kept]->style.paper.settings = *paper;
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_ornaments(sinew_Walker *walker, const sinew_WalkOrnaments *ornaments)
{
    if (walker == NULL || ornaments == NULL
        || check_ornaments(ornaments, NULL) != SINEW_STATUS_OK) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    walker->setup.ornaments = *ornaments;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_response(
    sinew_Walker *walker, const sinew_WalkResponse *response, sinew_Message *out_message)
{
    if (walker == NULL || response == NULL) {
        return SNW_CHECK_NULL(out_message, "walker response", walker, response);
    }
    if (snw_response_check(response, out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    walker->setup.response = *response;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_manner(
    sinew_Walker *walker, const sinew_Manner *manner, sinew_Message *out_message)
{
    if (walker == NULL || manner == NULL) {
        return SNW_CHECK_NULL(out_message, "walker manner", walker, manner);
    }
    if (sinew_manner_check(manner, out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    walker->setup.manner = *manner;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_limits(
    sinew_Walker *walker, const sinew_WalkLimits *limits, sinew_Message *out_message)
{
    if (walker == NULL || limits == NULL) {
        return SNW_CHECK_NULL(out_message, "walker limits", walker, limits);
    }
    if (snw_limits_check(limits, out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    walker->setup.limits = *limits;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_teleport(
    sinew_Walker *walker, sinew_Vec3 root, double heading, sinew_Message *out_message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (walker == NULL) { return snw_fail(out_message, bad, "walker is NULL"); }
    if (snw_place_check(root, heading, out_message) != SINEW_STATUS_OK) { return bad; }
    if (check_natural(walker, "a teleport", out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_UNSUPPORTED;
    }
    State *state = walker->states[walker->kept];
    const bool has_started = has_seen_ground(walker, state);
    const double rise = has_started ? root.y - walker->report.root.y : 0.0;
    snw_Ride *ride = parts_of(walker, state).ride;
    sinew_Vec3 place = snw_ride_from_world(ride, root);
    take_to(walker, place.x, place.z, heading - ride->heading, rise, state);
    ride->has_surface = false;
    ride->has_height = !has_started;
    ride->put_height = root.y;
    walker->report.root = root;
    walker->report.heading = heading;
    state->is_led = false;
    state->is_put = true;
    walker->view->start += rise;
    snw_view_forget(walker->view);
    snw_bounds_forget(parts_of(walker, state).bounds);
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_push(
    sinew_Walker *walker, double velocity_x, double velocity_z, sinew_Message *out_message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (walker == NULL) { return snw_fail(out_message, bad, "walker is NULL"); }
    if (!isfinite(velocity_x) || !isfinite(velocity_z)) {
        return snw_fail(out_message, bad, "velocity_x or velocity_z is not finite");
    }
    if (check_natural(walker, "a push", out_message) != SINEW_STATUS_OK) {
        return SINEW_STATUS_UNSUPPORTED;
    }
    State *state = walker->states[walker->kept];
    if (!state->is_led) {
        state->push = sinew_vec3_add(state->push, sinew_vec3(velocity_x, 0.0, velocity_z));
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_walker_set_layer(
    sinew_Walker *walker, const sinew_WalkLayer *layer, sinew_Message *out_message)
{
    if (walker == NULL || layer == NULL) {
        return SNW_CHECK_NULL(out_message, "walker layer", walker, layer);
    }
    sinew_Status status = snw_layer_check(walker->body->skeleton, layer, out_message);
    if (status == SINEW_STATUS_OK) { walker->layer = *layer; }
    return status;
}

sinew_Status sinew_walker_jump(sinew_Walker *walker, double height, sinew_Message *out_message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (walker == NULL) { return snw_fail(out_message, bad, "walker is NULL"); }
    if (!(height >= 0.05 && height <= 1.0)) {
        return snw_fail(out_message, bad, "height is %g, want 0.05..1 m", height);
    }
    if (way_of(walker) != WAY_CORE) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "to jump a walker needs two legs in the style natural");
    }
    snw_CoreJump *jump = &walker->states[walker->kept]->style.core.jump;
    const bool is_free = jump->stage == SNW_JUMP_NONE || jump->stage == SNW_JUMP_RISES;
    if (!is_free) { return SINEW_STATUS_OK; }
    memset(jump, 0, sizeof *jump);
    jump->stage = SNW_JUMP_WAITS;
    jump->speed = sqrt(2.0 * SNW_GRAVITY * height);
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Read-outs

static bool has_leg(const sinew_Walker *walker, int leg)
{
    return walker != NULL && leg >= 0 && leg < walker->body->leg_count;
}

sinew_WalkerReport sinew_walker_report(const sinew_Walker *walker)
{
    if (walker == NULL) { return (sinew_WalkerReport){ .leg_count = 0 }; }
    return walker->report;
}

sinew_WalkerLeg sinew_walker_leg(const sinew_Walker *walker, int leg)
{
    if (!has_leg(walker, leg)) { return (sinew_WalkerLeg){ .goal_count = 0 }; }
    return walker->target.feet[leg].told;
}

const sinew_Sole *sinew_walker_sole(const sinew_Walker *walker, int leg)
{
    return has_leg(walker, leg) ? &walker->body->legs[leg].sole : NULL;
}

const sinew_LegDef *sinew_walker_leg_def(const sinew_Walker *walker, int leg)
{
    return has_leg(walker, leg) ? &walker->body->legs[leg].def : NULL;
}

double sinew_walker_leg_length(const sinew_Walker *walker)
{
    return walker != NULL ? walker->body->length : 0.0;
}

const sinew_WalkEvent *sinew_walker_events(const sinew_Walker *walker, int *out_count)
{
    if (out_count != NULL) { *out_count = 0; }
    if (walker == NULL || way_of(walker) == WAY_PAPER) { return NULL; }
    const snw_WalkEvents *events = parts_of(walker, walker->states[walker->kept]).events;
    if (out_count != NULL) { *out_count = events->count; }
    return events->list;
}

const sinew_Goal *sinew_walker_goals(const sinew_Walker *walker, int *out_count)
{
    if (out_count != NULL) { *out_count = walker != NULL ? walker->poser.goal_count : 0; }
    return walker != NULL ? walker->poser.goals : NULL;
}

void snw_walker_use_gait(sinew_Walker *walker, const struct snw_GaitNumbers *numbers)
{
    for (int i = 0; i < walker->body->leg_count; ++i) { walker->body->legs[i].gait = numbers; }
}
