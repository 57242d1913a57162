// A monkey plays: random bodies on random grounds, asked for anything that a game may ask for at any moment, and judged
// by the written pose alone. What is found here is first of all its seed, which each failure names.

#include "testing.h"

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "sinew/pose.h"
#include "sinew/terrain_file.h"
#include "sinew/walker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOINTS = 64, MAX_NUMBERS = 128, SESSIONS = 150 };
#define SESSION 10.0 // seconds
#define FIRST_SEED 28112026u
// A sole is in the ground when it is so deep, straight up and by as much level; a joint turns too fast; trunks lean and
// heads come down too far; and a body at rest wants nothing for so long, metres, radians, seconds.
#define DEPTH 0.010
#define JOINT_STEP 0.35
#define TILT 1.05
#define HEAD_OVER_HIPS 0.2
#define AT_REST 2.5

typedef enum FaultKind {
    FAULT_DEEP,      ///< a sole in the ground
    FAULT_JOINT,     ///< a joint that leaps
    FAULT_TILT,      ///< a trunk that leans too far
    FAULT_HEAD,      ///< a head by the hips
    FAULT_IDLE_STEP, ///< a step of who wants nothing
    FAULT_ROOT,      ///< a root of its own that leaps
    FAULT_UNMET,     ///< a foot that the walker tells to be missed
    FAULT_COUNT,
} FaultKind;

static const char *const fault_names[FAULT_COUNT] = { "soles in the ground, m",
    "joints that leap, rad", "trunks that lean, rad", "heads by the hips, m",
    "steps of who wants nothing", "roots that leap, m", "feet unmet, m" };

typedef struct Faults {
    int frames[FAULT_COUNT];
    double worst[FAULT_COUNT];
    unsigned seed[FAULT_COUNT]; ///< of the worst
    int all;
} Faults;

typedef struct Body {
    scene_Scene *scene;
    sinew_Skeleton *skeleton;
    double scale;
    int hips, head, neck;
} Body;

/// What is played with; parts of it may be switched off.
typedef struct Rules {
    bool is_led, pushes, teleports, jumps, runs, crouches;
    double step; ///< seconds of a frame, 0: anything
} Rules;

typedef struct Game {
    Body body;
    sinew_Terrain *terrain;
    sinew_Ground ground;
    sinew_Walker *walker;
    unsigned seed;
    scene_Random chance, noise;
    double q[MAX_NUMBERS];
    sinew_Transform world[MAX_JOINTS];
    sinew_Quat turns[MAX_JOINTS]; ///< of joints in the frame before
    double until;                 ///< it wants something else
    double since_teleport, since_jump, at_rest;
    sinew_Drive drive;
    double x, z, vx, vz; ///< of a root from outside
    double way, speed, tremble;
    sinew_WalkerReport before;
} Game;

static double pick(Game *game, double lower, double upper)
{
    return scene_random_range(&game->chance, lower, upper);
}

/// MAN18 with limbs of other lengths.
static Body make_body(scene_Random *random)
{
    sinew_Message message = { "" };
    Body body = { .scale = scene_random_range(random, 0.7, 1.4) };
    const double thigh = scene_random_range(random, 0.85, 1.2);
    const double shin = scene_random_range(random, 0.85, 1.2);
    const double trunk = scene_random_range(random, 0.8, 1.2);
    TEST_OK(scene_create("MAN18", NULL, &body.scene, &message), &message);
    const sinew_Joint *joints = sinew_skeleton_joints(body.scene->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(body.scene->skeleton);
    const int count = sinew_skeleton_joint_count(body.scene->skeleton);
    sinew_JointDef defs[MAX_JOINTS];
    TEST_TRUE(count <= MAX_JOINTS);
    for (int j = 0; j < count; ++j) {
        const char *above = joints[j].parent >= 0 ? joints[joints[j].parent].name : "";
        double part = strstr(above, "Foot") != NULL || strstr(above, "Toe") != NULL ? 1.0 : trunk;
        if (strstr(above, "Leg") != NULL) { part = strstr(above, "Up") != NULL ? thigh : shin; }
        defs[j] = sinew_joint_def_default();
        defs[j].name = joints[j].name;
        defs[j].parent = joints[j].parent;
        defs[j].offset = sinew_vec3_scale(joints[j].offset, part * body.scale);
        defs[j].rest_rotation = joints[j].rest_rotation;
        defs[j].axes = axes + joints[j].axis_start;
        defs[j].axis_count = joints[j].axis_count;
    }
    TEST_OK(sinew_skeleton_create(defs, count, NULL, &body.skeleton, &message), &message);
    TEST_TRUE(sinew_skeleton_coordinate_count(body.skeleton) <= MAX_NUMBERS);
    body.hips = sinew_skeleton_find_joint(body.skeleton, "Hips");
    body.head = sinew_skeleton_find_joint(body.skeleton, "Head");
    body.neck = sinew_skeleton_find_joint(body.skeleton, "Neck");
    body.hips = body.hips < 0 ? 0 : body.hips;
    body.neck = body.neck < 0 ? body.head : body.neck;
    TEST_TRUE(body.head >= 0);
    return body;
}

static void begin(Game *game, unsigned seed)
{
    static const char *const grounds[8] = { "flat", "flat", "hills:1", "rough:1",
        "stairs:0.17,0.29", "stairs:-0.12,0.35", "ramp:15", "slope:-20" };
    sinew_Message message = { "" };
    memset(game, 0, sizeof *game);
    game->seed = seed;
    game->chance = scene_random(seed);
    game->noise = scene_random(seed + 1000000u);
    game->body = make_body(&game->chance);
    const char *ground = grounds[scene_random_index(&game->chance, 8)];
    TEST_OK(sinew_terrain_open(ground, NULL, &game->terrain, &message), &message);
    game->ground = sinew_terrain_ground(game->terrain);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = game->body.skeleton;
    def.manner.seed = seed;
    if (scene_random_index(&game->chance, 2) == 0) { def.response = sinew_walk_response_game(); }
    def.heading = pick(game, -3.0, 3.0);
    TEST_OK(sinew_walker_create(&def, &game->walker, &message), &message);
    game->tremble = pick(game, 0.0, 0.003);
    game->since_teleport = game->since_jump = 9.0;
}

static void end(Game *game)
{
    sinew_walker_destroy(game->walker);
    sinew_terrain_destroy(game->terrain);
    sinew_skeleton_destroy(game->body.skeleton);
    scene_destroy(game->body.scene);
}

static void note(Game *game, FaultKind kind, double amount, Faults *faults)
{
    ++faults->frames[kind];
    if (faults->worst[kind] >= amount) { return; }
    faults->worst[kind] = amount;
    faults->seed[kind] = game->seed;
}

/// Take the body somewhere, push it, have it jump.
static void surprise(Game *game, const Rules *rules)
{
    sinew_Message message = { "" };
    const int what = scene_random_index(&game->chance, 8);
    const sinew_Vec3 place = { pick(game, -6.0, 6.0), pick(game, -1.0, 3.0),
        pick(game, -6.0, 6.0) };
    const double size = 2.0 * sqrt(game->body.scale);
    const double px = pick(game, -size, size), pz = pick(game, -size, size);
    const double height = pick(game, 0.1, 0.4) * game->body.scale;
    if (what == 0 && rules->pushes) {
        TEST_OK(sinew_walker_push(game->walker, px, pz, &message), &message);
        game->at_rest = 0.0;
    } else if (what == 1 && rules->teleports) {
        TEST_OK(sinew_walker_teleport(game->walker, place, px, &message), &message);
        game->since_teleport = game->at_rest = 0.0;
        game->x = place.x;
        game->z = place.z;
    } else if (what == 2 && rules->jumps) {
        TEST_OK(sinew_walker_jump(game->walker, height, &message), &message);
        game->since_jump = game->at_rest = 0.0;
    }
}

/// Want something else.
static void change_mind(Game *game, const Rules *rules)
{
    static const double speeds[6] = { 0.0, 0.0, 0.7, 1.3, 2.4, 3.2 };
    const double size = sqrt(game->body.scale);
    game->speed = size * speeds[scene_random_index(&game->chance, rules->runs ? 6 : 4)];
    game->way = pick(game, -SINEW_PI, SINEW_PI);
    const double turn = pick(game, -2.0, 2.0), aside = pick(game, -0.6, 0.6);
    const bool has_facing = scene_random_index(&game->chance, 3) == 0;
    const double s = sin(game->way), c = cos(game->way);
    if (rules->is_led) {
        game->drive = sinew_drive_root(game->x, game->z, game->before.heading);
        game->speed = fmin(game->speed, 1.3 * size);
    } else if (scene_random_index(&game->chance, 3) == 0) {
        const bool goes = game->speed > 0.0;
        game->drive = sinew_drive_body(
            (sinew_Steering){ game->speed, goes ? aside * size : 0.0, goes ? turn : 0.0 });
    } else {
        game->drive = sinew_drive_world(game->speed * s, game->speed * c);
        game->drive.has_facing = has_facing && game->speed > 0.0;
        game->drive.facing = turn;
    }
    game->drive.crouch = rules->crouches ? fmax(0.0, pick(game, -2.0, 1.0)) : 0.0;
    game->drive.has_look = has_facing;
    game->drive.look_at = sinew_vec3(4.0 * s, 1.0 + turn, 4.0 * c);
    surprise(game, rules);
    game->at_rest = 0.0;
}

/// A capsule that heeds the pace, as it comes from the network.
static void lead(Game *game, double dt)
{
    const double speed = fmin(game->speed, game->before.pace), follow = 1.0 - exp(-dt / 0.12);
    game->vx += follow * (speed * sin(game->way) - game->vx);
    game->vz += follow * (speed * cos(game->way) - game->vz);
    game->x += game->vx * dt;
    game->z += game->vz * dt;
    const double most = game->tremble;
    game->drive.x = game->x + scene_random_range(&game->noise, -most, most);
    game->drive.z = game->z + scene_random_range(&game->noise, -most, most);
}

static double find_depth(const Game *game, sinew_Vec3 at)
{
    const double depth = sinew_ground_sample(&game->ground, at.x, at.z).height - at.y;
    const double most = DEPTH * game->body.scale;
    // beside a riser it is level way that counts
    for (int side = 0; side < 8 && depth > most; ++side) {
        const double x = at.x + most * cos(side * SINEW_PI / 4.0);
        const double z = at.z + most * sin(side * SINEW_PI / 4.0);
        if (sinew_ground_sample(&game->ground, x, z).height <= at.y + 1e-3) { return most; }
    }
    return depth;
}

static void judge_soles(Game *game, Faults *faults)
{
    double depth = 0.0;
    for (int leg = 0; leg < 2; ++leg) {
        const sinew_Sole *sole = sinew_walker_sole(game->walker, leg);
        for (int i = 0; i < sole->point_count; ++i) {
            const sinew_SolePoint *point = &sole->points[i];
            depth = fmax(depth,
                find_depth(game, sinew_transform_point(game->world[point->joint], point->offset)));
        }
        const sinew_WalkerLeg told = sinew_walker_leg(game->walker, leg);
        if (!told.is_met) { note(game, FAULT_UNMET, told.position_error, faults); }
    }
    if (depth > 1.01 * DEPTH * game->body.scale) { note(game, FAULT_DEEP, depth, faults); }
}

static void judge_joints(Game *game, double dt, bool is_first, Faults *faults)
{
    const sinew_Joint *joints = sinew_skeleton_joints(game->body.skeleton);
    double worst = 0.0;
    for (int j = 1; j < sinew_skeleton_joint_count(game->body.skeleton); ++j) {
        const sinew_Quat parent = game->world[joints[j].parent].rotation;
        const sinew_Quat turn = sinew_quat_mul(
            sinew_quat_conjugate(parent), game->world[j].rotation);
        const sinew_Quat change = sinew_quat_mul(sinew_quat_conjugate(game->turns[j]), turn);
        const double sine = sqrt(change.x * change.x + change.y * change.y + change.z * change.z);
        worst = fmax(worst, 2.0 * atan2(sine, fabs(change.w)));
        game->turns[j] = turn;
    }
    // a teleport is a cut, legs that land straight from a jump give way
    if (is_first || game->since_teleport < 0.05 || game->since_jump < 2.0) { return; }
    if (worst > JOINT_STEP * fmax(1.0, 60.0 * dt)) { note(game, FAULT_JOINT, worst, faults); }
}

static void judge(Game *game, const Rules *rules, double dt, bool is_first, Faults *faults)
{
    const sinew_WalkerReport report = sinew_walker_report(game->walker);
    const double size = game->body.scale;
    for (int i = 0; i < sinew_skeleton_coordinate_count(game->body.skeleton); ++i) {
        TEST_TRUE(isfinite(game->q[i]));
    }
    TEST_TRUE(sinew_pose_limit_violation(game->body.skeleton, game->q) < 1e-6);
    sinew_pose_forward(game->body.skeleton, game->q, game->world);
    const sinew_Vec3 hips = game->world[game->body.hips].position;
    const sinew_Vec3 trunk = sinew_vec3_sub(game->world[game->body.neck].position, hips);
    const double tilt = acos(trunk.y / sinew_vec3_length(trunk));
    const double over = game->world[game->body.head].position.y - hips.y;
    if (tilt > TILT) { note(game, FAULT_TILT, tilt, faults); }
    if (over < HEAD_OVER_HIPS * size) { note(game, FAULT_HEAD, -over, faults); }
    judge_soles(game, faults);
    judge_joints(game, dt, is_first, faults);
    // nobody goes faster than a run and a push together
    const double dx = report.root.x - game->before.root.x, dz = report.root.z - game->before.root.z;
    const double way = sqrt(dx * dx + dz * dz), most = 8.5 * fmax(1.0, sqrt(size));
    const bool is_own = !rules->is_led && !is_first && game->since_teleport > dt;
    if (is_own && way > most * (dt + 1.0 / 60.0)) { note(game, FAULT_ROOT, way, faults); }
    const bool has_stepped = report.step_count != game->before.step_count;
    if (game->at_rest > AT_REST && has_stepped) { note(game, FAULT_IDLE_STEP, 1.0, faults); }
    game->before = report;
    ++faults->all;
}

static double choose_frame(Game *game, const Rules *rules)
{
    if (rules->step > 0.0) { return rules->step; }
    switch (scene_random_index(&game->noise, 40)) {
    case 0: return 0.0;
    case 1: return scene_random_range(&game->noise, 0.1, 0.25);
    case 2: return 1.0 / 240.0;
    default: return scene_random_range(&game->noise, 1.0 / 140.0, 1.0 / 30.0);
    }
}

static void play(Game *game, const Rules *rules, double seconds, Faults *faults)
{
    sinew_Message message = { "" };
    bool is_first = true;
    for (double time = 0.0; time < seconds - 1e-9;) {
        const double dt = choose_frame(game, rules);
        if (time >= game->until - 1e-9) {
            // times that frames of all rates have
            game->until = time + (10 + scene_random_index(&game->chance, 110)) / 30.0;
            change_mind(game, rules);
        }
        if (rules->is_led) { lead(game, dt); }
        TEST_OK(
            sinew_walker_drive(game->walker, &game->drive, dt, &game->ground, game->q, &message),
            &message);
        game->since_teleport += dt;
        game->since_jump += dt;
        game->at_rest = game->speed > 0.0 ? 0.0 : game->at_rest + dt;
        judge(game, rules, dt, is_first, faults);
        is_first = false;
        time += dt;
    }
}

static Faults play_all(const char *name, const Rules *rules)
{
    Faults faults;
    memset(&faults, 0, sizeof faults);
    for (int i = 0; i < SESSIONS; ++i) {
        Game game;
        begin(&game, FIRST_SEED + (unsigned)i);
        play(&game, rules, SESSION, &faults);
        end(&game);
    }
    print_message("    %s, %d frames:\n", name, faults.all);
    for (int k = 0; k < FAULT_COUNT; ++k) {
        if (faults.frames[k] == 0) { continue; }
        print_message("      %5d %s, worst %.3f (seed %u)\n", faults.frames[k], fault_names[k],
            faults.worst[k], faults.seed[k]);
    }
    return faults;
}

/// What must never be, whatever is asked for.
static void check_never(const Faults *faults)
{
    TEST_INT(faults->frames[FAULT_TILT], 0);
    TEST_INT(faults->frames[FAULT_HEAD], 0);
    TEST_INT(faults->frames[FAULT_ROOT], 0);
}

static void who_is_steered_anywhere(void **state)
{
    (void)state;
    const Rules rules = { .step = 1.0 / 60.0 };
    const Faults faults = play_all("steered", &rules);
    check_never(&faults);
    TEST_TRUE(faults.frames[FAULT_DEEP] <= 12 && faults.frames[FAULT_JOINT] <= 6);
    TEST_TRUE(faults.frames[FAULT_UNMET] <= 60 && faults.frames[FAULT_IDLE_STEP] <= 2);
}

// 52 steps on the spot when what trembles was taken for a way
static void who_is_led_through_a_network(void **state)
{
    (void)state;
    const Rules rules = { .is_led = true, .step = 1.0 / 90.0 };
    const Faults faults = play_all("led", &rules);
    check_never(&faults);
    TEST_TRUE(faults.frames[FAULT_IDLE_STEP] <= 2);
    TEST_TRUE(faults.frames[FAULT_UNMET] <= 150 && faults.frames[FAULT_DEEP] <= 30);
}

// soles stood in steps and slopes for 2596 frames when a teleport left feet as they were, for 419 when toes were put into
// risers
static void who_is_pushed_and_taken_elsewhere(void **state)
{
    (void)state;
    const Rules rules = { .pushes = true, .teleports = true, .step = 1.0 / 60.0 };
    const Faults faults = play_all("pushed and taken", &rules);
    check_never(&faults);
    TEST_TRUE(faults.frames[FAULT_DEEP] <= 30 && faults.frames[FAULT_JOINT] <= 6);
}

// Toes that stood in a step stand back from it: 55 of 400 were deep in it
static void who_is_put_across_a_riser(void **state)
{
    (void)state;
    sinew_Message message = { "" };
    Game game;
    begin(&game, FIRST_SEED);
    sinew_terrain_destroy(game.terrain);
    TEST_OK(sinew_terrain_open("stairs:0.17,0.29", NULL, &game.terrain, &message), &message);
    game.ground = sinew_terrain_ground(game.terrain);
    game.drive = sinew_drive_world(0.0, 0.0);
    const int puts = 400;
    int deep = 0;
    for (int i = 0; i < puts; ++i) {
        TEST_OK(
            sinew_walker_reset(game.walker, 0.0, 2.0 + 0.0137 * i, pick(&game, -1.5, 1.5)), NULL);
        for (int frame = 0; frame < 12; ++frame) {
            TEST_OK(sinew_walker_drive(
                        game.walker, &game.drive, 1.0 / 60.0, &game.ground, game.q, &message),
                &message);
        }
        Faults faults;
        memset(&faults, 0, sizeof faults);
        sinew_pose_forward(game.body.skeleton, game.q, game.world);
        judge_soles(&game, &faults);
        deep += faults.frames[FAULT_DEEP];
    }
    print_message("    %d of %d with a sole in a step\n", deep, puts);
    TEST_TRUE(deep <= 20);
    end(&game);
}

// 1435 and 182 frames before teleports and pushes were mended
static void who_is_asked_for_all_at_once(void **state)
{
    (void)state;
    const Rules rules = {
        .pushes = true, .teleports = true, .jumps = true, .runs = true, .crouches = true
    };
    const Faults faults = play_all("all, frames of any length", &rules);
    check_never(&faults);
    TEST_TRUE(faults.frames[FAULT_DEEP] <= 20 && faults.frames[FAULT_UNMET] <= 80);
}

// Soles whose foot is left are gone on with from where they were held; knees of feet that hang along their leg come round
// as far as they were turned; runners' feet land below their way in turns as well. The seeds were never looked at before.
static void who_runs_anywhere(void **state)
{
    (void)state;
    const Rules rules = { .runs = true, .step = 1.0 / 60.0 };
    const Faults faults = play_all("running", &rules);
    check_never(&faults);
    TEST_TRUE(faults.frames[FAULT_JOINT] <= 10 && faults.frames[FAULT_UNMET] <= 50);
}

/// Play a session in frames of 1/rate seconds, with a walker that was used before or a new one.
static void play_again(unsigned seed, double rate, bool is_used, Game *game)
{
    Faults faults;
    memset(&faults, 0, sizeof faults);
    const Rules rules = {
        .pushes = true, .teleports = true, .jumps = true, .runs = true, .step = 1.0 / rate
    };
    begin(game, seed);
    if (is_used) {
        Game other = *game;
        play(&other, &rules, 2.0, &faults);
    }
    TEST_OK(sinew_walker_reset(game->walker, 0.0, 0.0, 0.0), NULL);
    play(game, &rules, 6.0, &faults);
}

static void the_same_session_has_the_same_bits(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 16; ++i) {
        Game games[3];
        for (int k = 0; k < 3; ++k) {
            play_again(FIRST_SEED + i, k == 2 ? 120.0 : 30.0, k == 1, &games[k]);
        }
        const double *a = games[0].q;
        const size_t count = (size_t)sinew_skeleton_coordinate_count(games[0].body.skeleton);
        TEST_TRUE(memcmp(a, games[1].q, count * sizeof *a) == 0);
        TEST_INT(games[2].before.step_count, games[0].before.step_count);
        // the way is the same; heads that look somewhere turn there frame by frame
        TEST_VEC3_NEAR(games[2].before.root, games[0].before.root, 1e-9);
        for (size_t c = 0; c < count; ++c) { TEST_NEAR(games[2].q[c], a[c], 0.02); }
        for (int k = 0; k < 3; ++k) { end(&games[k]); }
    }
}

TEST_MAIN(cmocka_unit_test(the_same_session_has_the_same_bits),
    cmocka_unit_test(who_is_steered_anywhere), cmocka_unit_test(who_runs_anywhere),
    cmocka_unit_test(who_is_led_through_a_network),
    cmocka_unit_test(who_is_pushed_and_taken_elsewhere),
    cmocka_unit_test(who_is_put_across_a_riser), cmocka_unit_test(who_is_asked_for_all_at_once))
