// `sinew walk`: a character walks over a ground as it is steered; no motion clip is needed.

#include "commands.h"

#include "clock.h"
#include "disk.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "skin.h"
#include "table.h"
#include "walk_drive.h"
#include "walk_layer.h"
#include "walk_loop.h"
#include "walk_manner.h"
#include "walk_numbers.h"
#include "walk_report.h"
#include "walk_trials.h"

#include "bench/walk_scenarios.h"
#include "measure/walk_meter.h"
#include "pictures/pictures.h"
#include "sinew/steering_file.h"
#include "sinew/terrain_file.h"
#include "sinew/walker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RIG = 1,
    LIMITS,
    FLOAT,
    TERRAIN,
    INPUT,
    SPEED,
    STRIDE,
    SIDE,
    TURN,
    STEPS,
    SECONDS,
    STYLE,
    FACING,
    RESPONSE,
    ROOT,
    MANNER,
    LIVELY,
    LIKE,
    JUMP,
    HEIGHT,
    CROUCH,
    LOOK,
    CARRY,
    LAYER,
    MASK,
    SET,
    LOOP,
    IN_PLACE,
    FPS,
    REPORT,
    TRIALS,
    ONLY,
    JOBS,
    OUT
};

/// Without --steps or --seconds.
#define DEFAULT_SECONDS 10.0
#define MOST_SECONDS 36000.0
/// Walks that should take steps but make no way are given up after this long for each step.
#define SECONDS_PER_STEP 6.0
/// A walk that is shorter has no frame.
#define NO_TIME 1e-9
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
/// Frames per second of a film, at most.
#define FILM_RATE 30.0

static const cli_Option own_options[] = {
    { RIG, "rig", 'r', "BODY",
        "who walks: a motion file with roles, or scene:NAME, such as scene:QUADRUPED\n"
        "and scene:SPIDER (default: scene:MAN18)" },
    { LIMITS, "limits-from", 0, "RIG.json|auto|none",
        "limits of the body: a rig file, auto (guessed from the joints) or none\n"
        "(default: BODY.rig.json beside BODY, where there is one)" },
    { FLOAT, "float", 0, NULL,
        "the base of a robot moves; URDF files fix it, so that this is done for each of them\n"
        "and told where it is not asked for" },
    { TERRAIN, "terrain", 't', "GROUND",
        "flat, hills[:SEED], rough[:SEED], stairs[:RISE,TREAD], kerbs[:RISE,EVERY],\n"
        "ramp:DEGREES, slope:DEGREES[,TOWARD] or a height map "
        "FILE.png|txt[:CELL[,HEIGHT]]\n(default: flat)" },
    { INPUT, "input", 'i', "FILE.csv",
        "a recorded stick: seconds, x right, y forward (-1..1), strafe; then as wanted, in\n"
        "the style natural, height of a jump, crouch, carry" },
    { SPEED, "speed", 'v', "M/S",
        "forward; negative: backwards (default: 1.3; the pace of the --manner, or as --like)" },
    { STRIDE, "stride", 0, "SHARE",
        "style paper: how far feet go, as a share of the longest strides, 0.1..1.5, at any\n"
        "speed (default: by speed, at most 2 steps a second)" },
    { SIDE, "side", 0, "M/S", "to the left; negative: to the right (default: 0)" },
    { TURN, "turn", 'w', "RAD/S",
        "to the left; negative: to the right (default: 0);\n"
        "the radius is speed/turn" },
    { STEPS, "steps", 'n', "N", "walk until so many feet have landed" },
    { SECONDS, "seconds", 's', "S", "walk so long (default: 10)" },
    { STYLE, "style", 0, "natural|paper",
        "as people walk (default), or the two-stage cycle of the paper" },
    { FACING, "facing", 0, "DEGREES",
        "look there whatever the way: --speed is along +Z of the world then, --side\n"
        "along +X; from +Z towards +X" },
    { RESPONSE, "response", 0, "calm|game",
        "how quickly the body answers: as people who have time (default), or 90 % of a\n"
        "walk within 0.3 s" },
    { ROOT, "root", 0, "own|capsule|heeding",
        "who moves the body: itself (default), a capsule as a game does, or one that\n"
        "goes no faster than the legs can, as the walker tells it" },
    { MANNER, "manner", 0, "NAME[=STRENGTH],...",
        "whose walk it is: people in general (default), plain (legs alone), " CLI_MANNER_NAMES },
    { LIVELY, "lively", 0, "SIZE",
        "size of what arms and trunk do, 0..3: 1 (default) calm, 1.5 to 2 on a stage" },
    { LIKE, "like", 0, "CLIP",
        "learn the manner from a recorded walk, also one in place, and go at its pace" },
    { JUMP, "jump", 0, "T[,T...]",
        "jump after so many seconds, from both feet or in the next step" },
    { HEIGHT, "height", 0, "M", "of the jumps, 0.05..1 (default: 0.3)" },
    { CROUCH, "crouch", 0, "SHARE",
        "how low it goes, 0 upright .. 1 hips a third of the leg lower" },
    { LOOK, "look", 0, "X,Y,Z", "look at a point of the world, metres" },
    { CARRY, "carry", 0, "SHARE", "arms hold something before the body, 0..1" },
    { LAYER, "layer", 0, "CLIP",
        "a motion of the same joints over the walk above the legs, again and again; where its end\n"
        "is not its start it goes over into it; with --loop it is made to fit" },
    { MASK, "mask", 0, "JOINT[=SHARE],...",
        "with --layer: only these joints and all that hangs on them (default: all, 1)" },
    { SET, "set", 0, "NAME=VALUE",
        "for trials, once or more, of the style natural: response.follow_time, .acceleration,\n"
        ".braking, .turning, .settling, .hurry; limits.step_height, .drop, .slope, .gap;\n"
        "ornaments.bob, .swing, .sway, .list, .lean, .spine, .arms, .head;\n"
        "manner.hips, .trunk, .arms, .hands, .clavicles, .head, .shift, .breath,\n"
        ".wander, .variation, .lively, .pace, .stride, .lift, .bounce, .sway, .swing, "
        ".swing_late,\n"
        ".elbow, .elbow_swing, .wrist, .wrist_swing, .shrug, .arms_out, .lean, .head_pitch,\n"
        ".crouch, .hurt[0], .hurt[1] (sinew/manner.h);\n"
        "of the style paper: paper.stride, .cadence, .stand_height, .walk_height, .bob, .swing,\n"
        ".clearance, .gap, .heel_rise, .rotate (1: its lift curve is turned, not skewed) and\n"
        "ornaments" },
    { LOOP, "loop", 0, NULL,
        "one stride of the steady walk, for engines that play it again and again: from a landing "
        "of\n"
        "the left foot to the next, the last frame like the first; with --steps as many\n"
        "steps as it says, in whole strides; nothing is left to chance (breath, variation, "
        "wander)" },
    { IN_PLACE, "in-place", 0, NULL,
        "the root stays at the origin and looks along +Z; its speed is told, for the engine to "
        "move it by" },
    { FPS, "fps", 'f', "F", "frames per second, 1..1000 (default: 60)" },
    { OUT, "output", 'o', "FILE", "write the motion (.bvh) or film it (.mp4, .gif; needs ffmpeg)" },
    { REPORT, "report", 0, NULL, "all grounds, ways, styles and kinds of legs as a table" },
    { TRIALS, "trials", 0, NULL,
        "hard grounds and unsteady hands, from several starts and seeds, judged by\n"
        "what can be seen alone: a table of grounds and one of rules" },
    { ONLY, "only", 0, "WORDS",
        "with --report or --trials: walks whose names have all these words, joined by +" },
    { JOBS, "jobs", 'j', "N",
        "with --report or --trials: processes at a time (default: one for each processor)" },
    { 0, NULL, 0, NULL, NULL },
};

typedef struct Request {
    cli_SolverSettings settings;
    sinew_ReadOptions read;
    const char *body, *limits, *terrain, *input, *out, *picture, *only;
    double speed, side, turn, seconds, fps; // speed infinite: the own pace of who walks
    double stride;                          // of the style paper; 0: by speed
    bool steered, report, trials, json;
    long steps, jobs;
    sinew_WalkStyle style;
    cli_WalkDrive drive;
    const char *layer, *mask;
    bool is_loop, is_in_place;
    bool is_quick, is_floating, has_height;
    cli_MannerText manner;
    cli_WalkNumbers numbers;
} Request;

typedef struct Walk {
    const Request *request;
    cli_Input body;
    sinew_Terrain *terrain;
    sinew_StickRecording *sticks;
    sinew_Walker *walker;
    measure_WalkMeter *meter;
    sinew_Ground ground;
    sinew_Clip *clip; // NULL when nobody wants the motion
    cli_WalkDrive drive;
    cli_Layer *layer; // NULL: none
    cli_Recording record;
    cli_Loop loop; // stride_count 0: none
    cli_Learned learned;
    double speed;                   // forward, m/s
    double window_time, window_way; // when and where the second began whose speed is looked at
    double fastest;                 // mean of a whole second, m/s
    double time;                    // of all updates, seconds
    double solve_time;
} Walk;

static bool fail(const sinew_Message *message)
{
    cli_error("%s", message->text);
    return false;
}

static bool out_of_memory(void)
{
    cli_error("%s", sinew_status_text(SINEW_STATUS_OUT_OF_MEMORY));
    return false;
}

// ---------------------------------------------------------------------------------------------
// Preparing

static bool choose_rows(const Request *request, sinew_WalkerDef *def)
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
    return true;
}

/// What some legs have nothing for would go unnoticed.
static bool has_effect(const Walk *walk, int leg_count)
{
    const Request *request = walk->request;
    if (leg_count == 2) { return true; }
    const char *option = request->manner.names != NULL        ? "--manner"
        : request->manner.like != NULL                        ? "--like"
        : request->manner.lively >= 0.0                       ? "--lively"
        : request->drive.carry > 0.0                          ? "--carry"
        : cli_numbers_are_of(&request->numbers, "manner.")    ? "--set manner."
        : cli_numbers_are_of(&request->numbers, "ornaments.") ? "--set ornaments."
                                                              : NULL;
    if (option == NULL) { return true; }
    cli_error("%s: %s goes with two legs in the style natural, found %d legs", walk->body.name,
        option, leg_count);
    return false;
}

/// The first part of a leg that is there but does not hang on the one above, -1: a rig whose feet are handles.
static int find_apart(const Walk *walk, const sinew_RoleGuess *roles)
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

static int make_walker(Walk *walk, const sinew_WalkerDef *def)
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
static double own_speed(const Walk *walk, const sinew_Manner *manner)
{
    const bool is_like = walk->learned.stride_count > 0;
    const double leg = is_like ? sinew_walker_leg_length(walk->walker) : USUAL_LEG;
    return USUAL_SPEED * manner->pace * sqrt(leg / USUAL_LEG);
}

static int prepare(Walk *walk)
{
    const Request *request = walk->request;
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
    if (def.roles == NULL || def.stance == NULL || !choose_rows(request, &def)) {
        return CLI_FAILED;
    }
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
    return status == SINEW_STATUS_OK || out_of_memory() ? CLI_DONE : CLI_FAILED;
}

// ---------------------------------------------------------------------------------------------
// Walking

/// How many strides a loop has.
static int loop_strides(const Walk *walk)
{
    const long legs = sinew_walker_report(walk->walker).leg_count;
    return walk->request->steps > 0 ? (int)(walk->request->steps / legs) : 1;
}

/// Whether there is enough to cut a loop out.
static bool has_loop(const Walk *walk)
{
    const cli_Recording *record = &walk->record;
    return record->contact_count >= LOOP_SETTLING_STRIDES + cli_loop_landings(loop_strides(walk))
        && record->contacts[record->contact_count - cli_loop_landings(loop_strides(walk))]
        > LOOP_SETTLING;
}

static bool is_done(const Walk *walk, int frame)
{
    const Request *request = walk->request;
    double time = frame * walk->record.frame_time;
    if (request->is_loop) {
        const int strides = LOOP_SETTLING_STRIDES + cli_loop_landings(loop_strides(walk));
        return has_loop(walk) || time > LOOP_SETTLING + strides * SECONDS_PER_STEP;
    }
    if (request->steps > 0) {
        return sinew_walker_report(walk->walker).step_count >= request->steps
            || time > SECONDS_PER_STEP * (double)request->steps + 10.0;
    }
    return time >= request->seconds - NO_TIME;
}

/// What begins with a frame: a jump, the next pose of the layer.
static bool begin_frame(Walk *walk, double time, double dt)
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
static void look_at_speed(Walk *walk)
{
    sinew_WalkerReport report = sinew_walker_report(walk->walker);
    double seconds = report.time - walk->window_time;
    if (seconds < 1.0) { return; }
    walk->fastest = fmax(walk->fastest, (report.distance - walk->window_way) / seconds);
    walk->window_time = report.time;
    walk->window_way = report.distance;
}

/// What speed was asked for, m/s; 0 where that changes.
static double asked_speed(const Walk *walk)
{
    const Request *request = walk->request;
    return request->input == NULL ? hypot(walk->speed, request->side) : 0.0;
}

/// Whether it never went as fast as was asked, in a walk that is long enough to tell.
static bool is_slower(const Walk *walk)
{
    double time = sinew_walker_report(walk->walker).time;
    return time > LONG_ENOUGH && walk->fastest < CLEARLY_SLOWER * asked_speed(walk);
}

/// Where the frame's root is, and when the first leg landed in it.
static bool keep_frame(Walk *walk, bool is_kept)
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

static bool walk_on(Walk *walk)
{
    const Request *request = walk->request;
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

/// The clip of what was walked; as it went, whatever is in place.
static bool make_clip(Walk *walk)
{
    const Request *request = walk->request;
    const cli_Recording *record = &walk->record;
    if (request->is_loop) {
        return cli_loop_make(record, &walk->loop, request->fps, false, &walk->clip);
    }
    sinew_Status status = sinew_clip_create(
        walk->body.skeleton, record->frame_count, 1.0 / request->fps, NULL, &walk->clip);
    if (status != SINEW_STATUS_OK) { return out_of_memory(); }
    size_t width = (size_t)sinew_skeleton_coordinate_count(walk->body.skeleton);
    for (int f = 0; f < record->frame_count; ++f) {
        memcpy(sinew_clip_frame(walk->clip, f), record->frames + (size_t)f * width,
            width * sizeof *record->frames);
    }
    return true;
}

/// Take the way of the root off the clip, for a file.
static bool stay_in_place(Walk *walk)
{
    if (!walk->request->is_loop) { return cli_stay_in_place(&walk->record, walk->clip); }
    sinew_clip_destroy(walk->clip);
    walk->clip = NULL;
    return cli_loop_make(&walk->record, &walk->loop, walk->request->fps, true, &walk->clip);
}

/// What takes the walker's world to that of the body's file: none where +Y is up in both, else its left, up and
/// ahead to those of the body.
static sinew_Quat file_from_walk(Walk *walk)
{
    const sinew_Stance *stance = cli_input_stance(&walk->body);
    if (stance == NULL || stance->up.y > 0.99) { return sinew_quat_identity(); }
    const sinew_Mat3 axes = { stance->left, stance->up, stance->ahead };
    return sinew_quat_from_mat3(axes);
}

/// Write the motion with the up of the body's own file, so that the file is read as that one is; a rest pose
/// with one up and a motion with another would be somebody who lies.
static bool write_walk(Walk *walk)
{
    sinew_WriteOptions options = cli_write_options(walk->request->out, &walk->body, NULL);
    if (options.animation == NULL) { options.animation = "walk"; }
    sinew_Quat turn = file_from_walk(walk);
    bool is_turned = sinew_quat_angle(turn, sinew_quat_identity()) > 1e-9;
    if (is_turned && cli_turn_clip(walk->clip, turn) != SINEW_STATUS_OK) { return out_of_memory(); }
    return cli_write_motion(walk->request->out, walk->clip, &options);
}

static bool is_film(const char *path)
{
    return cli_has_ending(path, ".mp4") || cli_has_ending(path, ".gif");
}

static void show_progress(int done, int count, void *user)
{
    (void)count;
    cli_progress_update(user, done);
}

// a sheet or a film, by the ending of path
static bool draw(const Walk *walk, const char *path)
{
    char subtitle[200];
    sinew_WalkerReport report = sinew_walker_report(walk->walker);
    snprintf(subtitle, sizeof subtitle, "%s, %s: %d step%s, %.1f m in %.1f s", walk->body.name,
        walk->request->terrain, report.step_count, report.step_count == 1 ? "" : "s",
        report.distance, sinew_clip_duration(walk->clip));
    cli_Progress progress = cli_progress_begin("drawing frame", 0);
    sinew_Message message = { "" };
    picture_Walk picture = picture_walk_default();
    picture.clip = walk->clip;
    picture.terrain = walk->terrain;
    picture.up = sinew_vec3(0.0, 1.0, 0.0); // of the walk, whatever the file says
    picture.title = is_film(path) ? NULL : "Walk";
    picture.subtitle = subtitle;
    picture.frames_per_second = walk->request->fps > FILM_RATE ? FILM_RATE : 0.0;
    picture.progress = show_progress;
    picture.progress_user = &progress;
    cli_Skin *skin = NULL;
    if (!cli_skin_open(&walk->body, &skin)) { return false; }
    picture.skin = skin != NULL ? &skin->shown : NULL;
    const bool done = cli_save_walk(&picture, path, &message) == SINEW_STATUS_OK;
    cli_skin_close(skin);
    cli_progress_end(&progress);
    return done || fail(&message);
}

// ---------------------------------------------------------------------------------------------
// Figures

static double or_zero(double value)
{
    return isfinite(value) ? value : 0.0;
}

/// How its root moves along and turns, in the mean, m/s and rad/s: a loop's, or from end to end of the walk.
static void root_motion(const Walk *walk, double *out_speed, double *out_turn)
{
    const cli_Recording *record = &walk->record;
    const sinew_WalkerReport report = sinew_walker_report(walk->walker);
    const int last = record->frame_count - 1;
    if (walk->loop.stride_count > 0) {
        *out_speed = walk->loop.quicker * hypot(walk->loop.forward, walk->loop.left);
        *out_turn = walk->loop.quicker * walk->loop.turn;
        return;
    }
    *out_speed = report.time > 0.0 ? report.distance / report.time : 0.0;
    *out_turn = last > 0
        ? (record->places[last].heading - record->places[0].heading) / (last * record->frame_time)
        : 0.0;
}

static void print_loop(const Walk *walk)
{
    const cli_Loop *loop = &walk->loop;
    double speed, turn;
    root_motion(walk, &speed, &turn);
    if (loop->stride_count > 0) {
        printf(
            "  loop                  %d stride%s, %d frames at %g per second, %.3f s; the last is "
            "the first (%.4f rad apart as walked)\n",
            loop->stride_count, loop->stride_count == 1 ? "" : "s", loop->frame_count,
            walk->request->fps, (loop->frame_count - 1) / walk->request->fps, loop->seam);
    }
    if (loop->stride_count > 0 || walk->request->is_in_place) {
        printf("  root                  %8.3f m/s", speed);
        if (fabs(loop->left) > 5e-4 || loop->forward < 0.0) {
            printf(" (%.3f ahead, %.3f to the left)", loop->quicker * loop->forward,
                loop->quicker * loop->left);
        }
        if (fabs(turn) > 5e-4) { printf(", %.3f rad/s to the left", turn); }
        printf("%s\n", walk->request->is_in_place ? ", taken off" : "");
    }
}

static void print_loop_json(const Walk *walk, cli_Json *json)
{
    const cli_Loop *loop = &walk->loop;
    double speed, turn;
    root_motion(walk, &speed, &turn);
    if (loop->stride_count > 0) {
        cli_json_object(json, "loop");
        cli_json_whole(json, "strides", loop->stride_count);
        cli_json_whole(json, "frames", loop->frame_count);
        cli_json_number(json, "seconds", (loop->frame_count - 1) / walk->request->fps);
        cli_json_number(json, "forward_speed", loop->quicker * loop->forward);
        cli_json_number(json, "left_speed", loop->quicker * loop->left);
        cli_json_number(json, "seam_rad", loop->seam);
        cli_json_object_end(json);
    }
    if (loop->stride_count > 0 || walk->request->is_in_place) {
        cli_json_number(json, "root_speed", speed);
        cli_json_number(json, "root_turn", turn);
    }
}

static void print_json(const Walk *walk, const measure_WalkFigures *f, double us)
{
    const Request *request = walk->request;
    sinew_WalkerReport report = sinew_walker_report(walk->walker);
    cli_Json json = cli_json_begin();
    cli_json_text(&json, "body", walk->body.name);
    cli_json_text(&json, "terrain", request->terrain);
    cli_json_text(&json, "style", bench_walk_style_name(request->style));
    cli_json_whole(&json, "frames", f->frame_count);
    cli_json_number(&json, "fps", request->fps);
    cli_json_whole(&json, "steps", report.step_count);
    cli_json_number(&json, "distance_m", report.distance);
    if (asked_speed(walk) > 0.0) { cli_json_number(&json, "speed_asked", asked_speed(walk)); }
    cli_json_number(&json, "speed_max", walk->fastest);
    print_loop_json(walk, &json);
    cli_json_number(&json, "slide_mm_max", 1e3 * f->slide.value);
    cli_json_number(&json, "penetration_mm_max", 1e3 * f->penetration.value);
    cli_json_number(&json, "clearance_mm_min", 1e3 * or_zero(f->clearance.value));
    cli_json_whole(&json, "unmet_frames", f->unmet_frames);
    cli_json_number(&json, "max_joint_speed", 60.0 * f->joint_step.value);
    cli_json_number(&json, "hips_acceleration_max", f->hips_acceleration.value);
    cli_json_number(&json, "limit_violation_rad", f->limit_violation.value);
    if (walk->learned.stride_count > 0) {
        cli_json_object(&json, "learned");
        cli_json_text(&json, "clip", request->manner.like);
        cli_json_whole(&json, "strides", walk->learned.stride_count);
        cli_json_number(&json, "stride_m", walk->learned.stride);
        cli_json_number(&json, "steps_per_minute", walk->learned.cadence);
        cli_json_number(&json, "speed", walk->learned.speed);
        cli_json_object_end(&json);
    }
    cli_json_number(&json, "us_per_frame", us);
    cli_json_number(&json, "us_per_frame_legs", 1e6 * walk->solve_time / fmax(1.0, f->frame_count));
    cli_json_end(&json);
}

static void print_text(const Walk *walk, const measure_WalkFigures *f, double us)
{
    const Request *request = walk->request;
    sinew_WalkerReport report = sinew_walker_report(walk->walker);
    printf("%s on %s, %s: %d step%s, %.2f m in %.2f s\n", walk->body.name, request->terrain,
        bench_walk_style_name(request->style), report.step_count, report.step_count == 1 ? "" : "s",
        report.distance, f->time);
    if (walk->learned.stride_count > 0) {
        printf("  learned from %s: %d strides of %.2f m, %.0f steps a minute, %.2f m/s\n",
            cli_base_name(request->manner.like), walk->learned.stride_count, walk->learned.stride,
            walk->learned.cadence, walk->learned.speed);
    }
    if (is_slower(walk)) {
        printf(
            "  speed                 %8.2f m/s at most, %.2f asked: it goes no faster like that\n",
            walk->fastest, asked_speed(walk));
    }
    print_loop(walk);
    printf("  planted points slide  %8.3f mm at most\n", 1e3 * f->slide.value);
    printf("  soles in the ground   %8.3f mm at most\n", 1e3 * f->penetration.value);
    if (isfinite(f->clearance.value)) {
        printf("  swings clear it by    %8.1f mm at least\n", 1e3 * f->clearance.value);
    }
    printf("  unmet frames          %8d\n", f->unmet_frames);
    printf("  fastest joint         %8.2f rad/s\n", 60.0 * f->joint_step.value);
    printf("  hips up and down      %8.2f m/s^2 at most\n", f->hips_acceleration.value);
    printf("  time                  %8.2f us per frame, %.2f of it for the legs\n", us,
        1e6 * walk->solve_time / fmax(1.0, f->frame_count));
    if (request->out != NULL) {
        printf("%s: %s\n", is_film(request->out) ? "Film" : "Motion", request->out);
    }
    if (request->picture != NULL) { printf("Picture: %s\n", request->picture); }
}

// ---------------------------------------------------------------------------------------------
// The whole

static bool find_loop(Walk *walk)
{
    if (has_loop(walk)) {
        return cli_loop_find(&walk->record, loop_strides(walk), walk->request->fps, &walk->loop);
    }
    cli_error("%s: no loop: it took %d steps in %.0f s, want some that are alike; is --speed 0?",
        walk->body.name, sinew_walker_report(walk->walker).step_count,
        sinew_walker_report(walk->walker).time);
    return false;
}

/// Walk again with a layer that lasts as long as the loop.
static bool fit_layer(Walk *walk)
{
    const double period = cli_layer_period(walk->layer);
    const double rate = cli_layer_fit(walk->layer, walk->loop.start, walk->loop.duration);
    if (rate > QUICK_LAYER || rate < 1.0 / QUICK_LAYER) {
        const double stride = walk->loop.duration / walk->loop.stride_count;
        fprintf(stderr,
            "sinew: note: %s: %.2f s at %.2f times its speed, to fit a loop of %.2f s; --steps %d "
            "fits "
            "it better\n",
            walk->request->layer, period, rate, walk->loop.duration,
            (int)fmax(1.0, period / stride + 0.5) * sinew_walker_report(walk->walker).leg_count);
    }
    measure_walk_destroy(walk->meter);
    walk->meter = NULL;
    if (measure_walk_of(walk->walker, walk->body.skeleton, 0.0, 0.0, &walk->meter)
        != SINEW_STATUS_OK) {
        return out_of_memory();
    }
    walk->time = walk->solve_time = 0.0;
    walk->record.frame_count = walk->record.contact_count = 0;
    walk->window_time = walk->window_way = 0.0;
    walk->drive = walk->request->drive;
    return sinew_walker_reset(walk->walker, 0.0, 0.0, 0.0) == SINEW_STATUS_OK && walk_on(walk)
        && find_loop(walk);
}

static int run_walk(Walk *walk)
{
    const Request *request = walk->request;
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
    if ((request->is_loop || request->out != NULL || request->picture != NULL)
        && !make_clip(walk)) {
        return CLI_FAILED;
    }
    // pictures are of the walker's world, and so come before the motion is turned to the file's
    if (request->picture != NULL && !draw(walk, request->picture)) { return CLI_FAILED; }
    if (request->out != NULL && !is_film(request->out) && request->is_in_place
        && !stay_in_place(walk)) {
        return CLI_FAILED;
    }
    if (request->out != NULL
        && !(is_film(request->out) ? draw(walk, request->out) : write_walk(walk))) {
        return CLI_FAILED;
    }
    measure_WalkFigures figures = measure_walk_figures(walk->meter);
    double us = 1e6 * walk->time / fmax(1.0, figures.frame_count);
    if (request->json) {
        print_json(walk, &figures, us);
    } else {
        print_text(walk, &figures, us);
    }
    return CLI_DONE;
}

static void give_back(Walk *walk)
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

// whether a body walks on points; false where it cannot walk, which the report tells
static bool stands_on_tips(cli_Input *body, const sinew_RoleGuess *roles)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = body->skeleton;
    def.roles = roles;
    def.stance = cli_input_stance(body);
    sinew_Walker *walker = NULL;
    if (sinew_walker_create(&def, &walker, NULL) != SINEW_STATUS_OK) { return false; }
    bool on_tips = sinew_walker_leg_def(walker, 0)->is_tip;
    sinew_walker_destroy(walker);
    return on_tips;
}

static int run_report(const Request *request, cli_Input *body)
{
    cli_WalkReport report;
    memset(&report, 0, sizeof report);
    report.body_name = body->name;
    report.skeleton = body->skeleton;
    report.roles = cli_input_roles(body);
    report.stance = cli_input_stance(body);
    report.only = request->only;
    report.steps = (int)request->steps;
    report.jobs = (int)request->jobs;
    report.seed = request->settings.seed;
    report.json = request->json;
    report.on_tips = report.roles != NULL && stands_on_tips(body, report.roles);
    report.gait = !report.on_tips;
    if (report.roles == NULL) { return CLI_FAILED; }
    if (!request->trials) { return cli_walk_report(&report); }
    sinew_WalkerDef def = sinew_walker_def_default();
    choose_rows(request, &def);
    report.steps = (int)request->seconds;
    cli_Learned learned;
    int code = cli_read_manner(&request->manner, request->settings.seed, &def.manner, &learned);
    if (code != CLI_DONE) { return code; }
    return cli_walk_trials(&report, request->style, def.rows, &def.manner);
}

static bool take_option(Request *request, const cli_Option *option, const char *value)
{
    static const char *const styles[] = { "natural", "paper" };
    static const char *const responses[] = { "calm", "game" };
    static const char *const roots[] = { "own", "capsule", "heeding" };
    switch (option->id) {
    case RIG: request->body = value; return true;
    case LIMITS: request->limits = value; return true;
    case FLOAT: request->is_floating = true; return true;
    case TERRAIN: request->terrain = value; return true;
    case INPUT: request->input = value; return true;
    case SPEED:
        request->steered = true;
        return cli_parse_number("--speed", value, -10.0, 10.0, &request->speed);
    case STRIDE: return cli_parse_number("--stride", value, 0.1, 1.5, &request->stride);
    case SIDE:
        request->steered = true;
        return cli_parse_number("--side", value, -10.0, 10.0, &request->side);
    case TURN:
        request->steered = true;
        return cli_parse_number("--turn", value, -10.0, 10.0, &request->turn);
    case STEPS: return cli_parse_whole("--steps", value, 1, 1000000, &request->steps);
    case SECONDS: return cli_parse_number("--seconds", value, 0.0, MOST_SECONDS, &request->seconds);
    case LOOP: request->is_loop = true; return true;
    case IN_PLACE: request->is_in_place = true; return true;
    case FPS: return cli_parse_number("--fps", value, 1.0, 1000.0, &request->fps);
    case STYLE: {
        int style = cli_parse_choice("--style", value, styles, 2);
        request->style = style < 0 ? SINEW_WALK_NATURAL : (sinew_WalkStyle)style;
        return style >= 0;
    }
    case FACING:
        request->drive.has_facing = true;
        if (!cli_parse_number("--facing", value, -360.0, 360.0, &request->drive.facing)) {
            return false;
        }
        request->drive.facing *= SINEW_PI / 180.0;
        return true;
    case RESPONSE: {
        int response = cli_parse_choice("--response", value, responses, 2);
        request->is_quick = response == 1;
        return response >= 0;
    }
    case ROOT: {
        int root = cli_parse_choice("--root", value, roots, 3);
        request->drive.root = root < 0 ? CLI_ROOT_OWN : (cli_Root)root;
        return root >= 0;
    }
    case MANNER: request->manner.names = value; return true;
    case LIVELY: return cli_parse_number("--lively", value, 0.0, 3.0, &request->manner.lively);
    case LIKE: request->manner.like = value; return true;
    case JUMP: return cli_take_jumps(&request->drive, value);
    case HEIGHT:
        request->has_height = true;
        return cli_parse_number("--height", value, 0.05, 1.0, &request->drive.height);
    case LOOK: return cli_take_look(&request->drive, value);
    case CARRY: return cli_parse_number("--carry", value, 0.0, 1.0, &request->drive.carry);
    case LAYER: request->layer = value; return true;
    case MASK: request->mask = value; return true;
    case SET: return cli_take_number(&request->numbers, value);
    case CROUCH: return cli_parse_number("--crouch", value, 0.0, 1.0, &request->drive.crouch);
    case OUT:
        request->out = value;
        return is_film(value) || cli_check_motion_path("--output", value);
    case REPORT: request->report = true; return true;
    case TRIALS: request->trials = true; return true;
    case ONLY: request->only = value; return true;
    case JOBS: return cli_parse_whole("--jobs", value, 1, 1000, &request->jobs);
    case CLI_OPTION_UNIT:
    case CLI_OPTION_ANIMATION:
    case CLI_OPTION_BVH_POSITIONS: return cli_take_input_option(&request->read, option->id, value);
    default: return cli_take_solver_option(&request->settings, option->id, value);
    }
}

static int check_request(const Request *request)
{
    if (request->input != NULL && request->steered) {
        return cli_usage_error(
            &cli_command_walk, "--input and --speed, --side, --turn exclude each other");
    }
    if (request->steps > 0 && request->seconds >= 0.0) {
        return cli_usage_error(&cli_command_walk, "--steps and --seconds exclude each other");
    }
    if (request->report && request->trials) {
        return cli_usage_error(&cli_command_walk, "--report and --trials exclude each other");
    }
    bool is_many = request->report || request->trials;
    if (!is_many && request->seconds >= 0.0 && request->seconds <= NO_TIME) {
        return cli_usage_error(
            &cli_command_walk, "--seconds: found %g, expected some time to walk", request->seconds);
    }
    bool is_paper = request->style == SINEW_WALK_PAPER;
    bool is_set = request->numbers.count > 0
        && (is_many || !is_paper || !cli_numbers_fit(&request->numbers, true));
    bool is_driven = cli_drive_is_natural(&request->drive) || is_set;
    if ((is_driven || request->is_quick) && (is_many || request->style != SINEW_WALK_NATURAL)) {
        return cli_usage_error(&cli_command_walk,
            "--facing, --response, --root, --jump, --crouch, --look, --carry and --set go with "
            "one walk of the style natural");
    }
    if (!is_paper && !cli_numbers_fit(&request->numbers, false)) {
        return cli_usage_error(
            &cli_command_walk, "--set paper. goes with one walk of --style paper");
    }
    if (request->has_height && request->drive.jump_count == 0) {
        return cli_usage_error(&cli_command_walk, "--height goes with --jump");
    }
    if (request->layer != NULL && is_many) {
        return cli_usage_error(&cli_command_walk, "--layer goes with one walk");
    }
    if (request->mask != NULL && request->layer == NULL) {
        return cli_usage_error(&cli_command_walk, "--mask goes with --layer");
    }
    bool has_manner = request->manner.names != NULL || request->manner.like != NULL
        || request->manner.lively >= 0.0;
    if (has_manner && (request->report || request->style != SINEW_WALK_NATURAL)) {
        return cli_usage_error(&cli_command_walk,
            "--manner, --lively and --like go with the style natural, one walk or --trials");
    }
    if (!is_many && (request->only != NULL || request->jobs > 0)) {
        return cli_usage_error(&cli_command_walk, "--only and --jobs go with --report or --trials");
    }
    if (request->picture != NULL && !cli_check_picture_path("--picture", request->picture)) {
        return CLI_USAGE;
    }
    return CLI_DONE;
}

/// A loop is a steady walk on level ground.
static int check_loop(const Request *request)
{
    if (request->is_in_place && (request->report || request->trials)) {
        return cli_usage_error(&cli_command_walk, "--in-place goes with one walk");
    }
    if (!request->is_loop) { return CLI_DONE; }
    if (request->report || request->trials || request->style != SINEW_WALK_NATURAL
        || request->input != NULL || request->seconds >= 0.0 || request->drive.jump_count > 0
        || strcmp(request->terrain, "flat") != 0) {
        return cli_usage_error(&cli_command_walk,
            "--loop goes with one steady walk of the style natural on level ground, without "
            "--seconds, --input, --jump and --terrain");
    }
    return CLI_DONE;
}

/// A jump after the end is none, and nobody would see it.
static int check_jumps(const Request *request)
{
    for (int i = 0; request->steps == 0 && i < request->drive.jump_count; ++i) {
        if (request->drive.jumps[i] < request->seconds) { continue; }
        return cli_usage_error(&cli_command_walk,
            "--jump: found %g, expected a time within the walk's %g s", request->drive.jumps[i],
            request->seconds);
    }
    return CLI_DONE;
}

static int run(int argc, char **argv)
{
    Request request;
    cli_Parser parser;
    const char *value = NULL;
    memset(&request, 0, sizeof request);
    request.body = "scene:MAN18";
    request.terrain = "flat";
    request.speed = (double)INFINITY;
    request.seconds = -1.0;
    request.fps = 60.0;
    request.manner.lively = -1.0;
    request.drive.height = 0.3;
    request.read = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_walk, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    request.picture = parser.picture;
    int code = check_request(&request);
    if (code == CLI_DONE) { code = check_loop(&request); }
    if (code != CLI_DONE) { return code; }
    if (request.seconds < 0.0) { request.seconds = request.trials ? 0.0 : DEFAULT_SECONDS; }
    code = check_jumps(&request);
    if (code != CLI_DONE) { return code; }

    Walk walk;
    memset(&walk, 0, sizeof walk);
    walk.request = &request;
    request.read.float_base = true;
    if (!cli_input_open_rigged(&walk.body, request.body, &request.read, request.limits)) {
        return CLI_FAILED;
    }
    if (cli_is_robot(&walk.body) && !request.is_floating) {
        fprintf(stderr, "sinew: note: %s: the base floats, so that it can walk (--float)\n",
            walk.body.name);
    }
    code = request.report || request.trials ? run_report(&request, &walk.body) : run_walk(&walk);
    give_back(&walk);
    return code;
}

const cli_Command cli_command_walk = {
    "walk",
    "Let a character walk over any ground, without a motion clip",
    "[--rig BODY] [--terrain GROUND] [--speed M/S] [--turn RAD/S] [-o OUT] [OPTIONS]",
    "The body walks as it is steered: feet are placed on the ground, roll over heel and toes, and "
    "the\n"
    "legs are solved by inverse kinematics. Told are steps and way, how far planted points slide, "
    "how\n"
    "deep soles go into the ground, how clear swings are of it, goals that were missed by more "
    "than\n"
    "1 mm, the fastest joint and the time of a frame. --jacobian half|full|hybrid solves the legs "
    "as\n"
    "the paper did (pinv); without it closed forms do where they can. Bodies that stand on four "
    "to\n"
    "eight tips go on these, dogs at a walk, trot or gallop by speed. Robots (URDF) walk on a base "
    "that\n"
    "floats. A body whose joints do not let it walk is refused, and told which. Frames may have "
    "any\n"
    "rate: the footfalls are the same. A motion is written with the up of the body's file: where "
    "that is\n"
    "not +Y, forward is where the body of that file looks (sinew info: up, left, ahead).\n",
    "  sinew walk -o walk.bvh --picture walk.png\n"
    "  sinew walk --terrain stairs:0.17,0.29 --speed 1 --seconds 20 -o stairs.bvh\n"
    "  sinew walk --terrain hills:3 --seconds 12 -o hills.mp4\n"
    "  sinew walk --terrain hills:7 --speed 1.2 --turn 0.2 --json\n"
    "  sinew walk --rig character.bvh --input stick.csv -o out.bvh\n"
    "  sinew walk --rig scene:SPIDER --terrain hills:1 -o spider.bvh --picture spider.png\n"
    "  sinew walk --rig robot.urdf --float --picture robot.png\n"
    "  sinew walk --style paper --jacobian half --steps 100\n"
    "  sinew walk --speed 3.5 --jump 4 --picture run.png\n"
    "  sinew walk --response game --root heeding --terrain stairs\n"
    "  sinew walk --look 3,1.5,4 --carry 1 --crouch 0.5 --picture low.png\n"
    "  sinew walk --rig me.bvh --layer wave.bvh --mask RightArm -o wave_on.bvh\n"
    "  sinew walk --rig me.glb --loop --in-place --fps 30 -o walk_cycle.glb\n"
    "  sinew walk --set response.braking=9 --set limits.drop=0.2\n"
    "  sinew walk --lively 1.6 --manner old=0.7 --seed 4 -o old.bvh\n"
    "  sinew walk --report --only natural+stairs\n"
    "  sinew walk --trials --only walkable+keys\n",
    { own_options, cli_solver_options, cli_input_options, cli_motion_options, cli_picture_options,
        cli_common_options },
    0,
    0,
    run,
    false,
};
