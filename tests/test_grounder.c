// The grounder: recorded walks on hills, ramps and stairs, judged from the written files by a reader, kinematics
// and contacts of their own; toggling, latency, memory, wrong arguments.

#include "feet_truth.h"

#include "sinew/grounder.h"
#include "sinew/terrain_file.h"

static const char *const walks[] = { "bvh/bandai_2_walk_normal_003.bvh",
    "bvh/bandai_2_walk_elderly_001.bvh", "bvh/bandai_2_walk_feminine_002.bvh",
    "bvh/mass_walk.bvh" };
enum { WALKS = (int)(sizeof walks / sizeof walks[0]) };

// what a ground allows, metres; accelerations by the motion's own
typedef struct Allowed {
    const char *terrain;
    double look_ahead; // seconds
    double slide, sink, hover, deep, hips, knees;
} Allowed;

static void check_walks(const Allowed *allowed)
{
    sinew_Terrain *terrain = NULL;
    TEST_OK(sinew_terrain_open(allowed->terrain, NULL, &terrain, NULL), NULL);
    sinew_Ground ground = sinew_terrain_ground(terrain);
    const sinew_Ground level = { NULL, NULL };
    for (int i = 0; i < WALKS; ++i) {
        Body b;
        if (!open_body(&b, walks[i])) { skip(); }
        const char *out = test_temp_path("ground.bvh");
        const test_Run *run = run_sinew("ground %s --terrain %s --look-ahead %g -o %s --json",
            data_path(walks[i]), allowed->terrain, allowed->look_ahead, out);
        TEST_INT(run->code, 0);
        Seen seen = look(&b, out, &ground), before = look(&b, data_path(walks[i]), &level);
        print_message(
            "%s on %s: %d contacts, slide %.2f mm, sink %.2f, above %.2f, deep %.2f, hips "
            "%.2f, knees %.2f\n",
            walks[i], allowed->terrain, seen.contacts, 1e3 * seen.slide, 1e3 * seen.sink,
            1e3 * seen.hover, 1e3 * seen.deep, seen.hips / before.hips, seen.knees / before.knees);
        TEST_TRUE(seen.contacts >= 4);
        TEST_TRUE(seen.slide <= allowed->slide);
        TEST_TRUE(seen.sink <= allowed->sink);
        TEST_TRUE(seen.hover <= allowed->hover);
        TEST_TRUE(seen.deep <= allowed->deep);
        TEST_TRUE(seen.hips <= allowed->hips * before.hips);
        TEST_TRUE(seen.knees <= allowed->knees * before.knees);
        close_body(&b);
    }
    sinew_terrain_destroy(terrain);
}

static void walks_on_hills_and_ramps(void **state)
{
    (void)state;
    check_walks(&(Allowed){ "hills:1", 2.0, 0.003, 0.001, 0.002, 0.005, 1.2, 4.0 });
    check_walks(&(Allowed){ "ramp:15", 2.0, 0.003, 0.001, 0.002, 0.005, 1.2, 4.0 });
}

// Without knowing the next step the hips follow what lies before them.
static void live_walks(void **state)
{
    (void)state;
    check_walks(&(Allowed){ "hills:1", 0.1, 0.003, 0.001, 0.002, 0.005, 1.7, 4.5 });
    check_walks(&(Allowed){ "ramp:15", 0.1, 0.003, 0.001, 0.002, 0.005, 1.7, 4.5 });
}

static void walks_on_stairs(void **state)
{
    (void)state;
    check_walks(&(Allowed){ "stairs", 2.0, 0.004, 0.001, 0.002, 0.005, 1.5, 4.0 });
}

// ---------------------------------------------------------------------------------------------
// Legs of who runs

// what knees and shins do, metres: longest way of a knee beside the hips from frame to frame, highest place over its hip
// joint, deepest of a shin in the ground
typedef struct Legs {
    double step, over, deep;
} Legs;

static Legs look_at_legs(const Body *b, const char *path, const sinew_Ground *ground)
{
    static Place pose[MOST_JOINTS];
    Own *own = own_read(path);
    assert_non_null(own);
    Legs legs = { 0.0, -INFINITY, 0.0 };
    int hips = own_joint(own, b, sinew_roles_find(b->roles, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1));
    for (int s = 0; s < 2; ++s) {
        sinew_Side side = s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        int hip = own_joint(own, b, sinew_roles_find(b->roles, SINEW_ROLE_THIGH, side, -1));
        int knee = own_joint(own, b, sinew_roles_find(b->roles, SINEW_ROLE_SHIN, side, -1));
        int foot = own_joint(own, b, b->stance->feet[s].joint);
        double last[3];
        for (int t = 0; t < own->frames; ++t) {
            own_pose(own, t, sinew_motion_unit(b->file), pose);
            double sum = 0.0;
            for (int r = 0; r < 3; ++r) {
                double now = pose[knee].p[r] - pose[hips].p[r], way = t > 0 ? now - last[r] : 0.0;
                sum += way * way;
                last[r] = now;
            }
            legs.step = fmax(legs.step, sqrt(sum));
            legs.over = fmax(legs.over, pose[knee].p[1] - pose[hip].p[1]);
            for (int i = 0; i <= 8; ++i) {
                double at[3];
                for (int r = 0; r < 3; ++r) {
                    at[r] = pose[knee].p[r] + i / 8.0 * (pose[foot].p[r] - pose[knee].p[r]);
                }
                double height = sinew_ground_sample(ground, at[0], at[2]).height;
                legs.deep = fmax(legs.deep, height - at[1]);
            }
        }
    }
    own_free(own);
    return legs;
}

// Who runs up a flight in three strides keeps the legs below the hips, knees that go as theirs do, and shins out of steps.
static void runs_on_stairs_fling_no_leg(void **state)
{
    (void)state;
    static const char *const runs[] = { "bvh/bandai_2_run_normal_004.bvh",
        "bvh/bandai_2_run_active_002.bvh", "bvh/bandai_1_dash_normal_001.bvh" };
    static const char *const grounds[] = { "stairs", "ramp:20" };
    const sinew_Ground level = { NULL, NULL };
    for (int i = 0; i < 6; ++i) {
        Body b;
        if (!open_body(&b, runs[i % 3])) { skip(); }
        const char *name = grounds[i / 3], *out = test_temp_path("run.bvh");
        sinew_Terrain *terrain = NULL;
        TEST_OK(sinew_terrain_open(name, NULL, &terrain, NULL), NULL);
        sinew_Ground ground = sinew_terrain_ground(terrain);
        const test_Run *run = run_sinew(
            "ground %s --terrain %s -o %s --json", data_path(runs[i % 3]), name, out);
        TEST_INT(run->code, 0);
        Legs legs = look_at_legs(&b, out, &ground);
        Legs before = look_at_legs(&b, data_path(runs[i % 3]), &level);
        print_message("%s on %s: knees %.3f m a frame (own %.3f), %+.3f over the hip (own %+.3f), "
                      "shins %.3f in\n",
            runs[i % 3], name, legs.step, before.step, legs.over, before.over, legs.deep);
        TEST_TRUE(legs.step <= 1.4 * before.step);
        TEST_TRUE(legs.over <= 0.14);
        TEST_TRUE(legs.deep <= 0.03);
        // and the command says so
        TEST_NEAR(json_number(run->out, "knee_step_mm_max"), 1e3 * legs.step, 0.1);
        TEST_NEAR(json_number(run->out, "knee_over_hip_mm_max"), 1e3 * legs.over, 0.1);
        TEST_NEAR(json_number(run->out, "shin_penetration_mm_max"), 1e3 * legs.deep, 5.0);
        sinew_terrain_destroy(terrain);
        close_body(&b);
    }
}

// A recording whose first frame stands elsewhere is two motions: neither pulls at the other's legs, and the command says so.
// Feet that are 4 cm above the floor that is said stand at no look-ahead: what comes down to 5 and goes up again has not
// struck it. By those strikes hips sank for legs that were then too short.
static void feet_above_the_floor_do_not_stand(void **state)
{
    (void)state;
    static const double ahead[] = { 0.0, 0.1, 0.5, 2.0 };
    const char *clip = data_path("bvh/bandai_2_walk_normal_003.bvh");
    if (clip == NULL) { skip(); }
    for (int i = 0; i < 4; ++i) {
        const test_Run *run = run_sinew(
            "ground '%s' --terrain flat --floor 0 --look-ahead %g --json", clip, ahead[i]);
        TEST_INT(run->code, 0);
        TEST_NEAR(json_number(run->out, "contacts"), 0.0, 0.0);
        TEST_TRUE(json_number(run->out, "leg_short_mm_max") <= 0.1);
        TEST_TRUE(json_number(run->out, "hips_sunk_mm_max") <= 20.0);
    }
}

static void leaps_cut_a_motion(void **state)
{
    (void)state;
    static const char *const clip = "bvh/xsens_jl_tpose.bvh";
    static const char *const grounds[] = { "hills:1", "stairs", "ramp:20" };
    static Place pose[MOST_JOINTS];
    for (int i = 0; i < 3; ++i) {
        Body b;
        if (!open_body(&b, clip)) { skip(); }
        const char *out = test_temp_path("leap.bvh");
        const test_Run *run = run_sinew(
            "ground %s --terrain %s -o %s --json", data_path(clip), grounds[i], out);
        TEST_INT(run->code, 0);
        TEST_NEAR(json_number(run->out, "parts"), 2.0, 0.0);
        TEST_TRUE(json_number(run->out, "leg_short_mm_max") <= 1.0);
        sinew_Terrain *terrain = NULL;
        TEST_OK(sinew_terrain_open(grounds[i], NULL, &terrain, NULL), NULL);
        sinew_Ground ground = sinew_terrain_ground(terrain);
        Own *own = own_read(out);
        int hip = own_joint(
            own, &b, sinew_roles_find(b.roles, SINEW_ROLE_THIGH, SINEW_SIDE_LEFT, -1));
        for (int t = 0; t < own->frames; ++t) {
            own_pose(own, t, sinew_motion_unit(b.file), pose);
            const double *p = pose[hip].p;
            double height = p[1] - sinew_ground_sample(&ground, p[0], p[2]).height;
            TEST_TRUE(height > 0.7 * leg_of(&b) && height < 1.3 * leg_of(&b));
        }
        Legs legs = look_at_legs(&b, out, &ground);
        TEST_TRUE(legs.over <= -0.3 && legs.deep <= 0.0);
        own_free(own);
        sinew_terrain_destroy(terrain);
        close_body(&b);
    }
}

// ---------------------------------------------------------------------------------------------
// Live

static int asked;

static sinew_GroundSample slope(void *user, double x, double z)
{
    (void)user;
    ++asked;
    sinew_Vec3 normal = sinew_vec3_normalize_or(sinew_vec3(-0.2, 1.0, -0.1), sinew_vec3(0, 1, 0));
    return (sinew_GroundSample){ 0.2 * x + 0.1 * z, normal };
}

// how far a joint turns in its parent from the frame before, radians
static double joint_step(const sinew_Clip *clip, int frame, int joint)
{
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(clip);
    return sinew_quat_angle(
        sinew_pose_local(skeleton, sinew_clip_frame_const(clip, frame - 1), joint).rotation,
        sinew_pose_local(skeleton, sinew_clip_frame_const(clip, frame), joint).rotation);
}

// Switching shows nothing: the pose at the switch is the one that would have come anyway, and the way over is
// made of small steps.
static void toggling_does_not_pop(void **state)
{
    (void)state;
    Body b;
    if (!open_body(&b, walks[0])) { skip(); }
    int count = sinew_skeleton_coordinate_count(b.body.skeleton);
    int frames = sinew_clip_frame_count(b.clip);
    double *q = calloc((size_t)count * 3, sizeof *q), *kept = q + count, *plain = kept + count;
    for (int switched = 20; switched < 60; switched += 7) {
        sinew_GrounderDef def = sinew_grounder_def_default();
        sinew_Grounder *toggled = NULL, *steady = NULL;
        def.body = b.body;
        def.ground.sample = slope;
        def.frame_time = sinew_clip_frame_time(b.clip);
        test_Memory memory;
        test_memory_init(&memory);
        def.allocator = memory.allocator;
        TEST_OK(sinew_grounder_create(&def, &toggled, NULL), NULL);
        TEST_OK(sinew_grounder_create(&def, &steady, NULL), NULL);
        long allocations = memory.alloc_count;
        int latency = sinew_grounder_latency(toggled), off_since = -1;
        TEST_TRUE(latency * def.frame_time <= 0.1 + 1e-9);
        for (int t = 0; t < frames && t < 90; ++t) {
            sinew_GrounderReport report, other;
            if (t == switched) { sinew_grounder_enable(toggled, false); }
            const double *source = sinew_clip_frame_const(b.clip, t);
            asked = 0;
            TEST_OK(sinew_grounder_update(toggled, source, q, &report, NULL), NULL);
            TEST_INT(asked, report.samples[0] + report.samples[1]);
            TEST_TRUE(report.samples[0] <= 10 && report.samples[1] <= 10);
            TEST_OK(sinew_grounder_update(steady, source, kept, &other, NULL), NULL);
            TEST_INT(report.frame, t < latency ? -1 : t - latency);
            if (report.frame < 0) { continue; }
            if (report.frame <= switched) { TEST_ARRAY_NEAR(q, kept, count, 1e-6); }
            if (report.weight <= 0.0 && off_since < 0) { off_since = report.frame; }
            if (report.weight <= 0.0) {
                memcpy(plain, sinew_clip_frame_const(b.clip, report.frame),
                    (size_t)count * sizeof *plain);
                TEST_ARRAY_NEAR(q, plain, count, 1e-12);
            }
        }
        TEST_TRUE(off_since > switched);
        TEST_TRUE((off_since - switched) * def.frame_time <= 0.2 + def.frame_time);
        TEST_INT(memory.alloc_count, allocations);
        sinew_grounder_destroy(toggled);
        sinew_grounder_destroy(steady);
        TEST_INT((int)memory.live_bytes, 0);
    }
    free(q);
    close_body(&b);
}

// What is added to the motion never turns a joint by more than 18 rad/s, whatever is seen how late: toes of feet
// whose ball is seen to touch late, knees of feet that were to land on stairs.
static void no_joint_pops(void **state)
{
    (void)state;
    static const char *const clips[] = { "bvh/cmu_12_01_walk_mb.bvh", "bvh/mass_walk.bvh" };
    static const char *const grounds[] = { "flat", "hills:1", "stairs" };
    for (int i = 0; i < 2 * 3 * 2; ++i) {
        Body b;
        if (!open_body(&b, clips[i % 2])) { skip(); }
        const char *name = grounds[i / 2 % 3];
        sinew_Terrain *terrain = NULL;
        TEST_OK(sinew_terrain_open(name, NULL, &terrain, NULL), NULL);
        sinew_GrounderDef def = sinew_grounder_def_default();
        def.body = b.body;
        def.ground = sinew_terrain_ground(terrain);
        def.frame_time = sinew_clip_frame_time(b.clip);
        def.look_ahead = i < 6 ? 0.0 : 0.1;
        sinew_Grounder *g = NULL;
        sinew_Clip *out = NULL;
        TEST_OK(sinew_grounder_create(&def, &g, NULL), NULL);
        TEST_OK(sinew_grounder_clip(g, b.clip, &out, NULL, NULL), NULL);
        double most = 0.0;
        for (int t = 1; t < sinew_clip_frame_count(out); ++t) {
            for (int j = 1; j < sinew_skeleton_joint_count(b.body.skeleton); ++j) {
                double speed = joint_step(out, t, j) - joint_step(b.clip, t, j);
                most = fmax(most, speed / def.frame_time);
            }
        }
        print_message(
            "%s on %s, %g s ahead: %.2f rad/s more\n", clips[i % 2], name, def.look_ahead, most);
        TEST_TRUE(most <= 18.0 + 1e-3);
        sinew_clip_destroy(out);
        sinew_grounder_destroy(g);
        sinew_terrain_destroy(terrain);
        close_body(&b);
    }
}

static sinew_GroundSample given;

static sinew_GroundSample as_given(void *user, double x, double z)
{
    (void)user;
    (void)x;
    (void)z;
    return given;
}

// A ground that is none is told as what it is; after it all goes on anew.
static void ground_that_is_none_is_told(void **state)
{
    (void)state;
    static const struct {
        sinew_GroundSample sample;
        const char *told;
    } cases[] = {
        { { NAN, { 0.0, 1.0, 0.0 } }, "gave height nan" },
        { { 1e300, { 0.0, 1.0, 0.0 } }, "gave height 1e+300" },
        { { 0.0, { 0.0, NAN, 0.0 } }, "normal (0, nan, 0)" },
        { { 0.0, { 0.0, 0.0, 0.0 } }, "normal (0, 0, 0)" },
        { { 0.0, { 0.0, -1.0, 0.0 } }, "normal (0, -1, 0)" },
        { { 0.0, { 3.0, 4.0, 0.0 } }, "normal (3, 4, 0)" },
    };
    Body b;
    if (!open_body(&b, walks[0])) { skip(); }
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(b.body.skeleton), sizeof *q);
    sinew_GrounderDef def = sinew_grounder_def_default();
    sinew_Grounder *g = NULL;
    def.body = b.body;
    def.ground.sample = as_given;
    def.frame_time = sinew_clip_frame_time(b.clip);
    def.look_ahead = 0.0;
    TEST_OK(sinew_grounder_create(&def, &g, NULL), NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sinew_Message message = { "" };
        sinew_GrounderReport report;
        given = cases[i].sample;
        TEST_INT(sinew_grounder_update(g, sinew_clip_frame_const(b.clip, 0), q, &report, &message),
            SINEW_STATUS_INVALID_ARGUMENT);
        assert_non_null(strstr(message.text, "ground.sample("));
        assert_non_null(strstr(message.text, cases[i].told));
        TEST_INT(report.frame, -1);
        given = (sinew_GroundSample){ 0.1, { 0.0, 1.0, 0.0 } };
        TEST_OK(sinew_grounder_update(g, sinew_clip_frame_const(b.clip, 0), q, &report, &message),
            &message);
        TEST_INT(report.frame, 0);
        sinew_grounder_reset(g);
    }
    sinew_grounder_destroy(g);
    free(q);
    close_body(&b);
}

static void wrong_arguments_are_told(void **state)
{
    (void)state;
    Body b;
    if (!open_body(&b, walks[0])) { skip(); }
    sinew_Message message = { "" };
    sinew_Grounder *g = NULL;
    sinew_GrounderDef def = sinew_grounder_def_default();
    TEST_INT(sinew_grounder_create(&def, &g, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(message.text, "skeleton"));
    def.body = b.body;
    def.look_ahead = 9.0;
    TEST_INT(sinew_grounder_create(&def, &g, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(message.text, "look_ahead is 9"));
    assert_null(g);
    def.look_ahead = 0.0;
    TEST_OK(sinew_grounder_create(&def, &g, &message), &message);
    TEST_INT(sinew_grounder_latency(g), 0);
    int count = sinew_skeleton_coordinate_count(b.body.skeleton);
    double *q = calloc((size_t)count, sizeof *q);
    q[0] = NAN;
    TEST_INT(sinew_grounder_update(g, q, q, NULL, &message), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_pose_rest(b.body.skeleton, q);
    TEST_INT(sinew_grounder_update(g, q, NULL, NULL, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_OK(sinew_grounder_update(g, q, q, NULL, &message), &message);
    sinew_grounder_destroy(g);
    free(q);
    close_body(&b);
    TEST_INT(run_sinew("ground")->code, 2);
    TEST_INT(run_sinew("ground scene:SPIDER --terrain flat")->code, 1);
    TEST_INT(run_sinew("ground scene:MAN18 --terrain moon")->code, 2);
}

TEST_MAIN(cmocka_unit_test(walks_on_hills_and_ramps), cmocka_unit_test(walks_on_stairs),
    cmocka_unit_test(runs_on_stairs_fling_no_leg), cmocka_unit_test(leaps_cut_a_motion),
    cmocka_unit_test(live_walks), cmocka_unit_test(toggling_does_not_pop),
    cmocka_unit_test(feet_above_the_floor_do_not_stand), cmocka_unit_test(no_joint_pops),
    cmocka_unit_test(ground_that_is_none_is_told), cmocka_unit_test(wrong_arguments_are_told))
