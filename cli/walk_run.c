#include "walk_run.h"

#include "clock.h"
#include "commands.h"
#include "disk.h"
#include "progress.h"

#include "base/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Walks that should take steps but make no way are given up after this long for each step.
#define SECONDS_PER_STEP 6.0
/// A walk that lasts so many seconds has reached its speed; one that is below this share of what was asked is told.
#define LONG_ENOUGH 4.0
#define CLEARLY_SLOWER 0.9
/// A loop is cut out of a walk that is looked at so often, and that has gone so long, seconds and strides.
#define LOOP_RATE 240.0
#define LOOP_SETTLING 5.0
#define LOOP_SETTLING_STRIDES 6
/// A layer that is put to such a multiple of its speed, or less, is told.
#define QUICK_LAYER 1.3
/// Without --speed, of people with legs as long, metres and m/s; others have their own pace.
#define USUAL_SPEED 1.3
#define USUAL_LEG 0.9

static bool fail(const sinew_Message *message)
{
    cli_error("%s", message->text);
    return false;
}

// ---------------------------------------------------------------------------------------------
// Preparing

void cli_walk_rows(const cli_WalkRequest *request, sinew_WalkerDef *def)
{
    static const sinew_WalkRows rows[] = { SINEW_WALK_ROWS_AUTO, SINEW_WALK_ROWS_HALF,
        SINEW_WALK_ROWS_FULL, SINEW_WALK_ROWS_HYBRID };
    def->rows = rows[request->settings.rows];
    sinew_Method method = def->solve.method;
    if (request->settings.rows != CLI_ROWS_DEFAULT) { method = SINEW_METHOD_PSEUDO_INVERSE; }
    if (request->settings.method_given) { method = request->settings.method; }
    if (method != def->solve.method) {
        sinew_SolveOptions options = sinew_solve_options_default(method);
        options.position_tolerance = def->solve.position_tolerance;
        options.orientation_tolerance = def->solve.orientation_tolerance;
        options.max_iterations = def->solve.max_iterations;
        def->solve = options;
        if (def->rows == SINEW_WALK_ROWS_AUTO) { def->rows = SINEW_WALK_ROWS_FULL; }
    }
    cli_settings_apply(&request->settings, &def->solve);
    def->solve.rows = SINEW_ROWS_AS_GOALS;
}

/// What some legs have nothing for would go unnoticed.
static bool has_effect(const cli_Walk *walk, int leg_count)
{
    const cli_WalkRequest *request = walk->request;
    if (leg_count == 2) { return true; }
    const char *option = request->manner.names != NULL        ? "--manner"
        : request->manner.like != NULL                        ? "--like"
        : request->manner.lively >= 0.0                       ? "--lively"
        : request->drive.carry > 0.0                          ? "--carry"
        : cli_numbers_are_of(&request->numbers, "manner.")    ? "--set manner."
        : cli_numbers_are_of(&request->numbers, "ornaments.") ? "--set ornaments."
                                                              : NULL;
    if (option == NULL) { return true; }
    cli_error("%s: %s goes with two legs in the style natural, found %d leg%s", walk->body.name,
        option, leg_count, snw_plural(leg_count));
    return false;
}

/// The first part of a leg that is there but does not hang on the one above, -1: a rig whose feet are handles.
static int find_apart(const cli_Walk *walk, const sinew_RoleGuess *roles)
{
    static const sinew_Role parts[] = { SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, SINEW_ROLE_FOOT };
    const sinew_Joint *joints = sinew_skeleton_joints(walk->body.skeleton);
    for (int i = 0; i < 4; ++i) {
        sinew_Side side = i < 2 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        int upper = sinew_roles_find(roles, parts[i % 2], side, -1);
        int lower = sinew_roles_find(roles, parts[i % 2 + 1], side, -1);
        if (upper < 0 || lower < 0) { continue; }
        if (lower <= upper || lower >= upper + joints[upper].subtree_count) { return lower; }
    }
    return -1;
}

static int make_walker(cli_Walk *walk, const sinew_WalkerDef *def)
{
    sinew_Message message = { "" };
    if (sinew_walker_create(def, &walk->walker, &message) == SINEW_STATUS_OK) {
        return has_effect(walk, sinew_walker_report(walk->walker).leg_count) ? CLI_DONE
                                                                             : CLI_FAILED;
    }
    if (cli_numbers_are_blamed(&walk->request->numbers, message.text)) {
        cli_error("--set: %s", message.text);
        return CLI_USAGE;
    }
    int apart = find_apart(walk, def->roles);
    if (apart >= 0 && def->roles->kind == SINEW_BODY_HUMANOID) {
        return cli_error(
            "%s: a leg is no chain: %s does not hang on it (a rig whose feet are handles); bake "
            "its motion to a skeleton of thigh, shin and foot",
            walk->body.name, sinew_skeleton_joints(walk->body.skeleton)[apart].name);
    }
    return cli_error("%s: %s", walk->body.name, message.text);
}

/// How fast it goes without --speed: 1.3 m/s times its pace; as somebody else, by its legs.
static double own_speed(const cli_Walk *walk, const sinew_Manner *manner)
{
    const bool is_like = walk->learned.stride_count > 0;
    const double leg = is_like ? sinew_walker_leg_length(walk->walker) : USUAL_LEG;
    return USUAL_SPEED * manner->pace * sqrt(leg / USUAL_LEG);
}

static int prepare(cli_Walk *walk)
{
    const cli_WalkRequest *request = walk->request;
    sinew_Message message = { "" };
    int code = cli_open_terrain(request->terrain, &walk->terrain);
    if (code != CLI_DONE) { return code; }
    walk->ground = sinew_terrain_ground(walk->terrain);
    if (request->input != NULL
        && cli_load_sticks(request->input, &walk->sticks, &message) != SINEW_STATUS_OK) {
        return cli_error("%s", message.text);
    }
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = walk->body.skeleton;
    def.roles = cli_input_roles(&walk->body);
    def.style = request->style;
    // both are inputs then: what steps that asks for is what it gets
    if (request->stride > 0.0) {
        def.paper.stride = request->stride;
        def.paper.cadence = 20.0;
    }
    if (request->is_quick) { def.response = sinew_walk_response_game(); }
    code = cli_read_manner(&request->manner, request->settings.seed, &def.manner, &walk->learned);
    if (code != CLI_DONE) { return code; }
    if (!cli_set_numbers(&request->numbers, &def)) { return CLI_USAGE; }
    // what comes by chance, or in its own time, does not meet itself
    if (request->is_loop) { def.manner.wander = def.manner.variation = def.manner.breath = 0.0; }
    walk->drive = request->drive;
    walk->drive.sticks = walk->sticks;
    def.clock = cli_clock;
    def.stance = cli_input_stance(&walk->body);
    if (def.roles == NULL || def.stance == NULL) { return CLI_FAILED; }
    cli_walk_rows(request, &def);
    code = make_walker(walk, &def);
    if (code != CLI_DONE) { return code; }
    walk->speed = isfinite(request->speed) ? request->speed : own_speed(walk, &def.manner);
    double rise = 0.0, tread = 0.0;
    sinew_TerrainDef ground;
    if (sinew_terrain_parse(request->terrain, &ground, NULL) == SINEW_STATUS_OK
        && ground.kind == SINEW_TERRAIN_STAIRS && ground.flight_steps > 1) {
        rise = fabs(ground.rise);
        tread = ground.tread;
    }
    if (request->layer != NULL
        && !cli_layer_open(&walk->body, request->layer, request->mask, &walk->layer)) {
        return CLI_FAILED;
    }
    walk->record.skeleton = def.skeleton;
    walk->record.frame_time = 1.0 / (request->is_loop ? LOOP_RATE : request->fps);
    sinew_Status status = measure_walk_of(walk->walker, def.skeleton, rise, tread, &walk->meter);
    return status == SINEW_STATUS_OK || cli_out_of_memory() ? CLI_DONE : CLI_FAILED;
}

// ---------------------------------------------------------------------------------------------
// Walking

/// How many strides a loop has.
static int loop_strides(const cli_Walk *walk)
{
    const long legs = sinew_walker_report(walk->walker).leg_count;
    return walk->request->steps > 0 ? (int)(walk->request->steps / legs) : 1;
}

/// Whether there is enough to cut a loop out.
static bool has_loop(const cli_Walk *walk)
{
    const cli_Recording *record = &walk->record;
    return record->contact_count >= LOOP_SETTLING_STRIDES + cli_loop_landings(loop_strides(walk))
        && record->contacts[record->contact_count - cli_loop_landings(loop_strides(walk))]
        > LOOP_SETTLING;
}

static bool is_done(const cli_Walk *walk, int frame)
{
    const cli_WalkRequest *request = walk->request;
    double time = frame * walk->record.frame_time;
    if (request->is_loop) {
        const int strides = LOOP_SETTLING_STRIDES + cli_loop_landings(loop_strides(walk));
        return has_loop(walk) || time > LOOP_SETTLING + strides * SECONDS_PER_STEP;
    }
    if (request->steps > 0) {
        return sinew_walker_report(walk->walker).step_count >= request->steps
            || time > SECONDS_PER_STEP * (double)request->steps + 10.0;
    }
    return time >= request->seconds - CLI_WALK_NO_TIME;
}

/// What begins with a frame: a jump, the next pose of the layer.
static bool begin_frame(cli_Walk *walk, double time, double dt)
{
    sinew_Message message = { "" };
    sinew_Status status = SINEW_STATUS_OK;
    double height = cli_walk_jump(&walk->drive, time, dt);
    if (height > 0.0) { status = sinew_walker_jump(walk->walker, height, &message); }
    if (status == SINEW_STATUS_OK && walk->layer != NULL) {
        sinew_WalkLayer layer = cli_layer_at(walk->layer, time);
        status = sinew_walker_set_layer(walk->walker, &layer, &message);
    }
    return status == SINEW_STATUS_OK || fail(&message);
}

/// The speed of each whole second, of which the highest is told.
static void look_at_speed(cli_Walk *walk)
{
    sinew_WalkerReport report = sinew_walker_report(walk->walker);
    double seconds = report.time - walk->window_time;
    if (seconds < 1.0) { return; }
    walk->fastest = fmax(walk->fastest, (report.distance - walk->window_way) / seconds);
    walk->window_time = report.time;
    walk->window_way = report.distance;
}

double cli_walk_asked_speed(const cli_Walk *walk)
{
    const cli_WalkRequest *request = walk->request;
    return request->input == NULL ? hypot(walk->speed, request->side) : 0.0;
}

bool cli_walk_is_slower(const cli_Walk *walk)
{
    double time = sinew_walker_report(walk->walker).time;
    return time > LONG_ENOUGH && walk->fastest < CLEARLY_SLOWER * cli_walk_asked_speed(walk);
}

/// Where the frame's root is, and when the first leg landed in it.
static bool keep_frame(cli_Walk *walk, bool is_kept)
{
    int count = 0;
    const sinew_WalkerReport report = sinew_walker_report(walk->walker);
    const sinew_WalkEvent *events = sinew_walker_events(walk->walker, &count);
    if (is_kept) {
        cli_recording_keep(&walk->record, report.root.x, report.root.z, report.heading);
    }
    for (int i = 0; i < count; ++i) {
        if (events[i].kind != SINEW_WALK_CONTACT || events[i].leg != 0) { continue; }
        if (!cli_recording_land(&walk->record, events[i].time)) { return false; }
    }
    return true;
}

static bool walk_on(cli_Walk *walk)
{
    const cli_WalkRequest *request = walk->request;
    const double dt = walk->record.frame_time;
    const sinew_Steering steering = { walk->speed, request->side, request->turn };
    long total = request->steps > 0 ? request->steps : (long)(request->seconds * request->fps);
    cli_Progress progress = cli_progress_begin("walking", total);
    sinew_Message message = { "" };
    bool keep = request->is_loop || request->out != NULL || request->picture != NULL;
    for (int frame = 0; !is_done(walk, frame); ++frame) {
        double *q = cli_recording_frame(&walk->record);
        if (q == NULL) { return false; }
        sinew_WalkerReport report = sinew_walker_report(walk->walker);
        sinew_Drive drive = cli_walk_drive(&walk->drive, &steering, &report, frame * dt, dt);
        if (!begin_frame(walk, frame * dt, dt)) { return false; }
        double start = cli_clock(NULL);
        sinew_Status status = sinew_walker_drive(
            walk->walker, &drive, dt, &walk->ground, q, &message);
        walk->time += cli_clock(NULL) - start;
        if (status != SINEW_STATUS_OK) { return fail(&message); }
        walk->solve_time += sinew_walker_report(walk->walker).solve_time;
        look_at_speed(walk);
        measure_walk_look(walk->meter, walk->walker, dt, q, &walk->ground);
        if (!keep_frame(walk, keep)) { return false; }
        long done = request->steps > 0 ? sinew_walker_report(walk->walker).step_count : frame;
        cli_progress_update(&progress, done);
    }
    cli_progress_end(&progress);
    return true;
}

// ---------------------------------------------------------------------------------------------
// The whole

static bool find_loop(cli_Walk *walk)
{
    if (has_loop(walk)) {
        return cli_loop_find(&walk->record, loop_strides(walk), walk->request->fps, &walk->loop);
    }
    sinew_WalkerReport report = sinew_walker_report(walk->walker);
    cli_error("%s: no loop: it took %d step%s in %.0f s, want some that are alike; is --speed 0?",
        walk->body.name, report.step_count, snw_plural(report.step_count), report.time);
    return false;
}

/// cli_Walk again with a layer that lasts as long as the loop.
static bool fit_layer(cli_Walk *walk)
{
    const double period = cli_layer_period(walk->layer);
    const double rate = cli_layer_fit(walk->layer, walk->loop.start, walk->loop.duration);
    if (rate > QUICK_LAYER || rate < 1.0 / QUICK_LAYER) {
        const double stride = walk->loop.duration / walk->loop.stride_count;
        cli_error("note: %s: %.2f s at %.2f times its speed, to fit a loop of %.2f s; --steps %d "
                  "fits it better",
            walk->request->layer, period, rate, walk->loop.duration,
            (int)fmax(1.0, period / stride + 0.5) * sinew_walker_report(walk->walker).leg_count);
    }
    measure_walk_destroy(walk->meter);
    walk->meter = NULL;
    if (measure_walk_of(walk->walker, walk->body.skeleton, 0.0, 0.0, &walk->meter)
        != SINEW_STATUS_OK) {
        return cli_out_of_memory();
    }
    walk->time = walk->solve_time = 0.0;
    walk->record.frame_count = walk->record.contact_count = 0;
    walk->window_time = walk->window_way = 0.0;
    walk->drive = walk->request->drive;
    return sinew_walker_reset(walk->walker, 0.0, 0.0, 0.0) == SINEW_STATUS_OK && walk_on(walk)
        && find_loop(walk);
}

int cli_walk_run(cli_Walk *walk)
{
    const cli_WalkRequest *request = walk->request;
    int code = prepare(walk);
    if (code != CLI_DONE) { return code; }
    const int legs = sinew_walker_report(walk->walker).leg_count;
    if (request->is_loop && request->steps % legs != 0) {
        return cli_usage_error(&cli_command_walk,
            "--steps: found %ld, expected whole strides of %d steps with --loop", request->steps,
            legs);
    }
    if (!walk_on(walk) || (request->is_loop && !find_loop(walk))
        || (request->is_loop && walk->layer != NULL && !fit_layer(walk))) {
        return CLI_FAILED;
    }
    if (!cli_walk_write(walk)) { return CLI_FAILED; }
    cli_walk_print(walk);
    return CLI_DONE;
}

void cli_walk_close(cli_Walk *walk)
{
    measure_walk_destroy(walk->meter);
    sinew_walker_destroy(walk->walker);
    sinew_stick_destroy(walk->sticks);
    sinew_terrain_destroy(walk->terrain);
    sinew_clip_destroy(walk->clip);
    cli_layer_close(walk->layer);
    cli_recording_close(&walk->record);
    cli_input_close(&walk->body);
}
