// Targets for libFuzzer: every reader, every text option, and solver, tracker, walker and limits on bodies,
// goals and grounds that are drawn from the bytes. SINEW_FUZZ=NAME chooses one; ./run fuzz runs them all.

#include "sinew/diagnosis.h"
#include "sinew/file.h"
#include "sinew/individual.h"
#include "sinew/keys_file.h"
#include "sinew/rig.h"
#include "sinew/steering_file.h"
#include "sinew/terrain_file.h"
#include "sinew/track.h"
#include "sinew/walker.h"

#include "scenes/scenes.h"
#include "soak/soak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);

// A wrong answer ends the program like a crash does; libFuzzer keeps the bytes.
static void must(bool holds, const char *what)
{
    if (holds) { return; }
    (void)fprintf(stderr, "fuzz: not so: %s\n", what);
    abort();
}

// ---------------------------------------------------------------------------------------------
// Readers. What was read is used: bodies are posed, clips sampled and written again.

static void check_clip(const sinew_MotionFile *file, const char *again)
{
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Clip *clip = sinew_motion_clip(file);
    size_t joints = (size_t)sinew_skeleton_joint_count(skeleton);
    size_t numbers = (size_t)sinew_skeleton_coordinate_count(skeleton);
    if (joints > 2000 || numbers > 6000) { return; }
    double *q = calloc(numbers + 1, sizeof *q);
    sinew_Transform *world = calloc(joints, sizeof *world);
    must(q != NULL && world != NULL, "memory");
    sinew_pose_rest(skeleton, q);
    must(sinew_pose_check(skeleton, q, NULL) == SINEW_STATUS_OK, "the rest pose is a pose");
    sinew_pose_forward(skeleton, q, world);
    if (clip != NULL && sinew_clip_frame_count(clip) > 0) {
        sinew_clip_sample(clip, 0.5 * sinew_clip_duration(clip), q);
        must(sinew_pose_check(skeleton, q, NULL) == SINEW_STATUS_OK, "a sample is a pose");
    }
    if (clip != NULL && again != NULL && sinew_clip_frame_count(clip) < 200) {
        sinew_WriteOptions options = sinew_write_options_default();
        sinew_MotionFile *read = NULL;
        sinew_Message message = { "" };
        char *data = NULL;
        size_t size = 0;
        options.like = file;
        if (sinew_motion_write_memory(again, clip, &options, NULL, &data, &size, &message)
            == SINEW_STATUS_OK) {
            sinew_Status status = sinew_motion_read_memory(
                data, size, again, NULL, &read, &message);
            if (status != SINEW_STATUS_OK) { (void)fprintf(stderr, "%s\n", message.text); }
            must(status == SINEW_STATUS_OK, "what was written can be read");
        }
        free(data);
        sinew_motion_destroy(read);
    }
    free(q);
    free(world);
}

static void read_motion(const uint8_t *data, size_t size, const char *name, const char *again)
{
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    sinew_ReadOptions options = sinew_read_options_default();
    options.positions = (sinew_BvhPositions)(size % 3);
    options.euler_joints = size % 2 == 1;
    sinew_Status status = sinew_motion_read_memory(
        (const char *)data, size, name, &options, &file, &message);
    must((status == SINEW_STATUS_OK) == (file != NULL), "a file or none");
    must(status == SINEW_STATUS_OK || message.text[0] != '\0', "a failure is told");
    if (file != NULL) { check_clip(file, again); }
    sinew_motion_destroy(file);
}

static void fuzz_bvh(const uint8_t *data, size_t size)
{
    read_motion(data, size, "a.bvh", "b.bvh");
}

static void fuzz_gltf(const uint8_t *data, size_t size)
{
    read_motion(data, size, "a.glb", "b.glb");
}

static void fuzz_urdf(const uint8_t *data, size_t size)
{
    read_motion(data, size, "a.urdf", NULL);
}

// a body whose joints rigs and keys name
static const scene_Scene *man(void)
{
    static scene_Scene *scene;
    if (scene == NULL) {
        must(scene_create("MAN18", NULL, &scene, NULL) == SINEW_STATUS_OK, "MAN18");
    }
    return scene;
}

static void fuzz_rig(const uint8_t *data, size_t size)
{
    const sinew_Skeleton *skeleton = man()->skeleton;
    sinew_Rig *rig = NULL;
    sinew_Skeleton *body = NULL;
    sinew_Message message = { "" };
    sinew_Status status = sinew_rig_read_memory(
        (const char *)data, size, "a.rig.json", size % 2 ? skeleton : NULL, NULL, &rig, &message);
    must(status == SINEW_STATUS_OK || message.text[0] != '\0', "a failure is told");
    if (rig != NULL && sinew_rig_apply(skeleton, rig, NULL, &body, NULL) == SINEW_STATUS_OK) {
        static double q[SOAK_MAX_NUMBERS];
        must(sinew_skeleton_coordinate_count(body) < SOAK_MAX_NUMBERS, "few coordinates");
        sinew_pose_rest(body, q);
        must(sinew_pose_limit_violation(body, q) <= 1e-9, "the rest pose keeps the limits");
    }
    sinew_skeleton_destroy(body);
    sinew_rig_destroy(rig);
}

static void fuzz_keys(const uint8_t *data, size_t size)
{
    static double q[SOAK_MAX_NUMBERS];
    sinew_Keys *keys = NULL;
    must(sinew_keys_create(man()->skeleton, NULL, 0, NULL, &keys, NULL) == SINEW_STATUS_OK, "keys");
    if (sinew_keys_read_memory((const char *)data, size, "a.keys.json", keys, NULL)
        == SINEW_STATUS_OK) {
        for (int i = 0; i < 5; ++i) { sinew_keys_sample(keys, 0.1 * i, q); }
    }
    sinew_keys_destroy(keys);
}

static void fuzz_stick(const uint8_t *data, size_t size)
{
    sinew_StickRecording *recording = NULL;
    if (sinew_stick_read_memory((const char *)data, size, "a.csv", NULL, &recording, NULL)
        == SINEW_STATUS_OK) {
        int count = 0;
        const sinew_StickKey *keys = sinew_stick_keys(recording, &count);
        for (int k = 0; k < count; ++k) {
            must(fabs(keys[k].stick.x) <= 1.0 && fabs(keys[k].stick.y) <= 1.0, "axes are within 1");
            must(k == 0 || keys[k].time >= keys[k - 1].time, "times do not fall");
        }
    }
    sinew_stick_destroy(recording);
}

static void fuzz_heights(const uint8_t *data, size_t size)
{
    sinew_Terrain *terrain = NULL;
    if (sinew_height_map_read_memory((const char *)data, size, "a.png", NULL, &terrain, NULL)
        == SINEW_STATUS_OK) {
        for (int i = -5; i < 6; ++i) {
            must(isfinite(sinew_terrain_sample(terrain, 0.3 * i, 1e3 * i).height),
                "heights are finite");
        }
    }
    sinew_terrain_destroy(terrain);
}

// names that stand in options: terrains, traits, roles
static void fuzz_options(const uint8_t *data, size_t size)
{
    char text[300];
    if (size >= sizeof text) { return; }
    memcpy(text, data, size);
    text[size] = '\0';
    sinew_TerrainDef def = sinew_terrain_def_default(SINEW_TERRAIN_FLAT);
    sinew_Terrain *terrain = NULL;
    if (sinew_terrain_parse(text, &def, NULL) == SINEW_STATUS_OK) {
        must(sinew_terrain_create(&def, &terrain, NULL) == SINEW_STATUS_OK,
            "what is parsed can be made");
        sinew_terrain_destroy(terrain);
    }
    sinew_Individual individual;
    if (sinew_individual_parse(text, &individual, NULL) == SINEW_STATUS_OK) {
        for (int t = 0; t < SINEW_TRAIT_COUNT; ++t) {
            must(individual.strength[t] >= 0.0 && individual.strength[t] <= 1.0,
                "strengths are within 0..1");
        }
    }
    sinew_JointRole role, again;
    if (sinew_role_parse(text, &role)) {
        sinew_role_name(role.role, role.side, role.number, text, sizeof text);
        must(sinew_role_parse(text, &again) && again.role == role.role && again.side == role.side,
            "a role's name is its own");
    }
    (void)sinew_format_of_name(text);
}

// ---------------------------------------------------------------------------------------------
// What is drawn at random elsewhere is drawn from the bytes here (--wrap); after their end everything is 0.

static const uint8_t *bytes;
static size_t bytes_left;

static unsigned take(int count)
{
    unsigned value = 0;
    for (int i = 0; i < count && bytes_left > 0; ++i, --bytes_left) {
        value = value << 8 | *bytes++;
    }
    return value;
}

uint64_t __wrap_scene_random_bits(scene_Random *random);
double __wrap_scene_random_unit(scene_Random *random);
double __wrap_scene_random_range(scene_Random *random, double lower, double upper);
int __wrap_scene_random_index(scene_Random *random, int count);
sinew_Vec3 __wrap_scene_random_direction(scene_Random *random);
sinew_Quat __wrap_scene_random_rotation(scene_Random *random);

uint64_t __wrap_scene_random_bits(scene_Random *random)
{
    (void)random;
    return (uint64_t)take(4) << 32 | take(4);
}

double __wrap_scene_random_unit(scene_Random *random)
{
    (void)random;
    return take(2) / 65536.0;
}

double __wrap_scene_random_range(scene_Random *random, double lower, double upper)
{
    return lower + (upper - lower) * __wrap_scene_random_unit(random);
}

int __wrap_scene_random_index(scene_Random *random, int count)
{
    (void)random;
    return (int)(take(count < 256 ? 1 : 2) % (unsigned)count);
}

sinew_Vec3 __wrap_scene_random_direction(scene_Random *random)
{
    double x = __wrap_scene_random_range(random, -1.0, 1.0);
    double y = __wrap_scene_random_range(random, -1.0, 1.0);
    double z = __wrap_scene_random_range(random, -1.0, 1.0);
    return sinew_vec3_normalize_or(sinew_vec3(x, y, z), sinew_vec3(0.0, 1.0, 0.0));
}

sinew_Quat __wrap_scene_random_rotation(scene_Random *random)
{
    sinew_Vec3 axis = __wrap_scene_random_direction(random);
    return sinew_quat_from_axis_angle(axis, __wrap_scene_random_range(random, -SINEW_PI, SINEW_PI));
}

static double q[SOAK_MAX_NUMBERS];
static soak_Support supports[SINEW_MAX_SUPPORT_GOALS];
static sinew_Goal goals[SOAK_MAX_GOALS];

// limits are kept where the pose was inside of them
static void check_pose(const sinew_Skeleton *skeleton, const double *before, bool limited)
{
    sinew_Message message = { "" };
    if (sinew_pose_check(skeleton, q, &message) != SINEW_STATUS_OK) {
        (void)fprintf(stderr, "%s\n", message.text);
        must(false, "the answer is a pose");
    }
    if (limited && (before == NULL || sinew_pose_limit_violation(skeleton, before) <= 0.0)) {
        must(
            sinew_pose_limit_violation(skeleton, q) <= 1e-9 * (1.0 + sinew_skeleton_size(skeleton)),
            "limits are kept");
    }
}

static void fuzz_solver(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    static double before[SOAK_MAX_NUMBERS];
    scene_Random random = { { 0 } };
    double scale;
    sinew_Skeleton *skeleton = soak_make_body(&random, NULL, &scale);
    if (skeleton == NULL) { return; }
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    def.max_goals = SOAK_MAX_GOALS;
    sinew_Solver *solver = NULL;
    sinew_Diagnosis *diagnosis = NULL;
    must(sinew_solver_create(&def, &solver, NULL) == SINEW_STATUS_OK, "a solver");
    for (int i = 0; i < 2; ++i) {
        soak_make_pose(&random, skeleton, scale, soak_chance(&random, 0.8), q);
        memcpy(before, q, sizeof before);
        int count = soak_make_goals(&random, skeleton, scale, q, supports, goals);
        sinew_SolveOptions options = soak_make_options(&random, scale, 1.0);
        options.max_iterations %= 12;
        options.min_iterations %= options.max_iterations + 1;
        options.restarts %= 2;
        sinew_Report report;
        if (sinew_solver_solve(solver, &options, goals, count, q, &report, NULL)
            != SINEW_STATUS_OK) {
            continue;
        }
        check_pose(skeleton, before, options.limits != SINEW_LIMITS_NONE);
        must(isfinite(report.position_error) && isfinite(report.objective), "errors are finite");
        if (!soak_chance(&random, 0.05)) { continue; }
        must(sinew_diagnosis_create(skeleton, SOAK_MAX_GOALS, NULL, &diagnosis, NULL)
                == SINEW_STATUS_OK,
            "a diagnosis");
        if (sinew_solver_diagnose(solver, &options, goals, count, q, &report, diagnosis, NULL)
            == SINEW_STATUS_OK) {
            char text[64];
            for (int g = 0; g < count; ++g) {
                (void)sinew_diagnosis_text(diagnosis, g, NULL, text, sizeof text);
            }
        }
        sinew_diagnosis_destroy(diagnosis);
    }
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
}

static void fuzz_tracker(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    scene_Random random = { { 0 } };
    double scale;
    sinew_Skeleton *skeleton = soak_make_body(&random, NULL, &scale);
    if (skeleton == NULL) { return; }
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = skeleton;
    def.max_goals = SOAK_MAX_GOALS;
    def.frame_time = soak_chance(&random, 0.5) ? 1.0 / 60.0 : soak_magnitude(&random, -3.0, 0.0);
    def.always_cold = soak_chance(&random, 0.1);
    sinew_Tracker *tracker = NULL;
    // what no frame could follow is refused at once
    const sinew_Status made = sinew_tracker_create(&def, &tracker, NULL);
    must(made == SINEW_STATUS_OK || made == SINEW_STATUS_INVALID_ARGUMENT, "a tracker or a reason");
    if (made != SINEW_STATUS_OK) {
        sinew_skeleton_destroy(skeleton);
        return;
    }
    soak_make_pose(&random, skeleton, scale, true, q);
    int count = soak_make_goals(&random, skeleton, scale, q, supports, goals);
    for (int frame = 0; frame < 8; ++frame) {
        for (int g = 0; g < count; ++g) {
            double step = scale * soak_magnitude(&random, -3.0, 0.5);
            goals[g].position = sinew_vec3_add_scaled(
                goals[g].position, scene_random_direction(&random), step);
        }
        if (sinew_tracker_update(tracker, goals, count, q, NULL, NULL) != SINEW_STATUS_OK) {
            break;
        }
        check_pose(skeleton, NULL, true);
    }
    sinew_tracker_destroy(tracker);
    sinew_skeleton_destroy(skeleton);
}

// waves and steps that the bytes say
typedef struct Bumps {
    double slope, height, tread;
} Bumps;

static sinew_GroundSample sample_bumps(void *user, double x, double z)
{
    const Bumps *b = user;
    double steps = b->tread > 0.0 ? b->height * floor(z / b->tread) : 0.0;
    sinew_Vec3 normal = sinew_vec3_normalize_or(
        sinew_vec3(-b->slope, 1.0, 0.0), sinew_vec3(0.0, 1.0, 0.0));
    return (sinew_GroundSample){ b->slope * x + steps, normal };
}

// the same in two storeys, one of which goes by and turns
static void ask_bumps(
    void *user, double start, const sinew_GroundPlace *places, int count, sinew_GroundHit *out_hits)
{
    const Bumps *b = user;
    for (int i = 0; i < count; ++i) {
        sinew_GroundHit *hit = &out_hits[i];
        hit->height = sample_bumps(user, places[i].x, places[i].z).height;
        if (places[i].x > b->slope && hit->height + 1.0 <= start) {
            hit->height += 1.0;
            hit->velocity = sinew_vec3(b->height, 0.1 * b->slope, b->tread);
            hit->turn = b->slope;
            hit->surface = 1;
        }
    }
}

// what a game may ask for
static sinew_Drive make_drive(scene_Random *random, const sinew_WalkerReport *report)
{
    sinew_Steering steering = { 0.0, 0.0, 0.0 };
    steering.forward = scene_random_range(random, -2.0, 3.0);
    steering.left = scene_random_range(random, -1.0, 1.0);
    steering.turn = scene_random_range(random, -4.0, 4.0);
    sinew_Drive drive = sinew_drive_body(steering);
    int kind = scene_random_index(random, 3);
    if (kind == 1) {
        drive = sinew_drive_world(steering.forward, steering.left);
        drive.has_facing = soak_chance(random, 0.5);
        drive.facing = steering.turn;
    } else if (kind == 2) {
        double step = soak_chance(random, 0.1) ? 3.0 : 0.05;
        drive = sinew_drive_root(report->root.x + step * steering.left,
            report->root.z + step * steering.forward, report->heading + step * steering.turn);
    }
    drive.crouch = soak_chance(random, 0.3) ? scene_random_unit(random) : 0.0;
    drive.carry = soak_chance(random, 0.2) ? 1.0 : 0.0;
    drive.has_look = soak_chance(random, 0.3);
    drive.look_at = scene_random_direction(random);
    return drive;
}

static void fuzz_walker(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    enum { STYLES = 2 };
    static const char *const names[] = { "MAN18", "SPIDER", "QUADRUPED" };
    static scene_Scene *scenes[3];
    scene_Random random = { { 0 } };
    int which = scene_random_index(&random, 6) % 4 % 3;
    if (scenes[which] == NULL) {
        must(scene_create(names[which], NULL, &scenes[which], NULL) == SINEW_STATUS_OK, "a scene");
    }
    const sinew_Skeleton *skeleton = scenes[which]->skeleton;
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = skeleton;
    const sinew_WalkStyle styles[STYLES] = { SINEW_WALK_NATURAL, SINEW_WALK_PAPER };
    const int style = which == 0 ? scene_random_index(&random, STYLES) : 0;
    def.style = styles[style];
    def.rows = (sinew_WalkRows)scene_random_index(&random, 4);
    if (soak_chance(&random, 0.5)) { def.response = sinew_walk_response_game(); }
    // what is measured of a body is measured once
    static sinew_Walker *firsts[3][STYLES];
    sinew_Walker **first = &firsts[which][style], *walker = NULL;
    if (*first == NULL) {
        must(sinew_walker_create(&def, first, NULL) == SINEW_STATUS_OK, "a walker");
    }
    def.share = *first;
    must(sinew_walker_create(&def, &walker, NULL) == SINEW_STATUS_OK, "a walker that shares");
    Bumps bumps = { scene_random_range(&random, -1.5, 1.5), scene_random_range(&random, -0.6, 0.6),
        scene_random_range(&random, -0.5, 1.0) };
    sinew_Ground ground = { sample_bumps, &bumps };
    const sinew_GroundQuery query = { ask_bumps, &bumps };
    const bool is_game = style == 0 && soak_chance(&random, 0.7);
    const bool has_storeys = is_game && soak_chance(&random, 0.4);
    for (int i = 0; i < 6; ++i) {
        const sinew_WalkerReport report = sinew_walker_report(walker);
        sinew_Drive drive = make_drive(&random, &report);
        const sinew_Steering steering = drive.steering;
        double dt = soak_chance(&random, 0.3) ? 0.25 * scene_random_unit(&random) : 1.0 / 30.0;
        if (soak_chance(&random, 0.1)) { bumps.height = scene_random_range(&random, -2.0, 2.0); }
        if (soak_chance(&random, 0.1)) {
            (void)sinew_walker_push(walker, drive.velocity_x, 2.0 * drive.crouch, NULL);
        }
        if (soak_chance(&random, 0.1)) {
            (void)sinew_walker_jump(walker, scene_random_range(&random, 0.05, 1.0), NULL);
        }
        if (soak_chance(&random, 0.1)) {
            (void)sinew_walker_teleport(
                walker, scene_random_direction(&random), drive.facing, NULL);
        }
        if (soak_chance(&random, 0.1)) {
            (void)sinew_walker_set_rows(walker, (sinew_WalkRows)scene_random_index(&random, 4));
        }
        sinew_Status status = has_storeys
            ? sinew_walker_drive_on(walker, &drive, dt, &query, q, NULL)
            : is_game ? sinew_walker_drive(walker, &drive, dt, &ground, q, NULL)
                      : sinew_walker_update(walker, &steering, dt, &ground, q, NULL);
        must(status == SINEW_STATUS_OK, "an update");
        check_pose(skeleton, NULL, true);
        for (int leg = 0; leg < sinew_walker_report(walker).leg_count; ++leg) {
            double phase = sinew_walker_leg(walker, leg).phase;
            must(phase >= 0.0 && phase < 1.0, "phases are within 0..1");
        }
    }
    sinew_walker_destroy(walker);
}

static void fuzz_limits(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    scene_Random random = { { 0 } };
    static sinew_Vec3 rays[4 * 16];
    static sinew_ReachWindow windows[4];
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = windows;
    def.window_count = scene_random_index(&random, 5);
    def.star = soak_chance(&random, 0.2);
    def.response = (sinew_LimitResponse)scene_random_index(&random, 3);
    def.neutral = scene_random_rotation(&random);
    for (int w = 0; w < def.window_count; ++w) {
        windows[w].rays = &rays[(ptrdiff_t)16 * w];
        windows[w].ray_count = soak_chance(&random, 0.4) ? 1 : 3 + scene_random_index(&random, 14);
        windows[w].cone_half_angle = scene_random_range(&random, 0.0, SINEW_PI);
        double azimuth = 0.0;
        for (int i = 0; i < windows[w].ray_count; ++i) {
            double swing = scene_random_range(&random, 0.0, SINEW_PI);
            azimuth += scene_random_range(&random, 0.0, 2.0);
            sinew_reach_polar(&azimuth, &swing, 1, false, &rays[16 * w + i]);
        }
    }
    if (soak_chance(&random, 0.6)) {
        double a = scene_random_range(&random, -3.1, 3.1),
               b = scene_random_range(&random, -3.1, 3.1);
        def.twist_lower = fmin(a, b);
        def.twist_upper = fmax(a, b);
    }
    sinew_BallLimit *limit = NULL;
    if (sinew_ball_limit_create(&def, NULL, &limit, NULL) != SINEW_STATUS_OK) { return; }
    must(sinew_ball_limit_allows(limit, sinew_ball_limit_middle(limit)), "the middle is allowed");
    for (int i = 0; i < 20; ++i) {
        sinew_Quat ball = scene_random_rotation(&random);
        sinew_Quat clamped = sinew_ball_limit_clamp(limit, ball),
                   again = sinew_ball_limit_clamp(limit, clamped);
        must(sinew_quat_is_finite(clamped), "what is clamped is finite");
        must(sinew_ball_limit_allows(limit, clamped), "what is clamped is allowed");
        must(memcmp(&clamped, &again, sizeof again) == 0, "clamping again changes no bit");
        must(!sinew_ball_limit_allows(limit, ball) || memcmp(&ball, &clamped, sizeof ball) == 0,
            "what is allowed stays");
    }
    sinew_ball_limit_destroy(limit);
}

// ---------------------------------------------------------------------------------------------

typedef struct Target {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
    int check_runs; // of ./run test: about three seconds
} Target;

static const Target targets[] = {
    { "bvh", fuzz_bvh, 40000 },
    { "gltf", fuzz_gltf, 12000 },
    { "urdf", fuzz_urdf, 60000 },
    { "rig", fuzz_rig, 10000 },
    { "keys", fuzz_keys, 12000 },
    { "stick", fuzz_stick, 120000 },
    { "heights", fuzz_heights, 140000 },
    { "options", fuzz_options, 40000 },
    { "solver", fuzz_solver, 10000 },
    { "tracker", fuzz_tracker, 6500 },
    { "walker", fuzz_walker, 350 },
    { "limits", fuzz_limits, 42000 },
};
static const Target *target;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    const char *name = getenv("SINEW_FUZZ");
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; ++i) {
        if (name == NULL) {
            printf("%s %d\n", targets[i].name, targets[i].check_runs);
        } else if (strcmp(name, targets[i].name) == 0) {
            target = &targets[i];
        }
    }
    if (target == NULL) { exit(name != NULL ? 2 : 0); }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes = data;
    bytes_left = size;
    target->run(data, size);
    return 0;
}
