// Recorded bodies of other proportions walk as the built-in one does, with the limits that are guessed for
// them. Skipped without the data folder.

#include "command.h"

#include "sinew/file.h"
#include "sinew/walker.h"

#include <math.h>
#include <stdlib.h>

/// What a walk kept, read from the command's figures.
static double figure_of(const test_Run *run, const char *key)
{
    char name[64];
    snprintf(name, sizeof name, "\"%s\": ", key);
    const char *at = strstr(run->out, name);
    return at != NULL ? atof(at + strlen(name)) : (double)NAN;
}

/// What soles and joints of a body may do on stairs, where more than 1 mm in an edge, or more than 18 rad/s, is a miss
/// that is told.
typedef struct Allowed {
    double sunk, clearance, speed; // mm, mm, rad/s
} Allowed;

#define ALL_KEPT       \
    {                  \
        1.0, 5.0, 18.0 \
    }
static const Allowed all_kept = ALL_KEPT;

static void walk_body(
    const char *path, const char *more, const char *terrain, int steps, const Allowed *allowed)
{
    const test_Run *run = run_sinew(
        "walk --rig '%s' %s --terrain %s --steps %d --json", path, more, terrain, steps);
    TEST_INT(run->code, 0);
    TEST_INT((long long)figure_of(run, "steps"), steps);
    TEST_INT((long long)figure_of(run, "unmet_frames"), 0);
    TEST_TRUE(figure_of(run, "slide_mm_max") <= 1.0);
    TEST_TRUE(figure_of(run, "penetration_mm_max") <= allowed->sunk);
    TEST_TRUE(figure_of(run, "clearance_mm_min") >= allowed->clearance);
    TEST_TRUE(figure_of(run, "max_joint_speed") <= allowed->speed);
    TEST_TRUE(figure_of(run, "hips_acceleration_max") <= 40.0);
    TEST_NEAR(figure_of(run, "limit_violation_rad"), 0.0, 1e-9);
}

// with toes and without, with knees that bend askew by their motion, wide hips and narrow ones
static void test_recorded_bodies_walk(void **state)
{
    (void)state;
    static const char *const names[] = { "bvh/cmu_12_01_walk_mb.bvh", "bvh/pfnn_hierarchy.bvh",
        "bvh/makehuman_walk1.bvh", "bvh/cmu_131_01_max.bvh", "bvh/pybvh_standard_skeleton.bvh" };
    const Allowed on_stairs = { 4.0, 5.0, 18.0 };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const char *path = data_path(names[i]);
        if (path == NULL) { skip(); }
        print_message("%s\n", names[i]);
        walk_body(path, "--limits-from auto", "hills:1", 80, &all_kept);
        walk_body(path, "--limits-from auto", "stairs:0.17,0.29", 80, &on_stairs);
    }
}

// Half to 1.2 times the legs of the built-in body, feet in proportion: a step of 17 cm is a third of the
// short legs, which swing as much faster as a shorter pendulum does. Hips of other widths, feet of other lengths.
static void test_other_proportions_walk(void **state)
{
    (void)state;
    static const struct {
        const char *name, *more;
        Allowed on_hills, on_stairs;
    } bodies[] = { { "bvh/bvhtoolbox_walk01.bvh", "--limits-from auto --unit 0.006",
                       { 1.0, 5.0, 20.5 }, { 1.0, 5.0, 19.0 } },
        { "bvh/bvhtoolbox_walk01.bvh", "--limits-from auto --unit 0.0075", ALL_KEPT, ALL_KEPT },
        // 2.2 m tall, with soles longer than treads of 29 cm
        { "bvh/bvhtoolbox_walk01.bvh", "--limits-from auto --unit 0.0144", ALL_KEPT,
            { 2.5, 5.0, 18.0 } },
        { "bvh/xsens_jl_tpose.bvh", "--limits-from auto", ALL_KEPT, ALL_KEPT },
        { "bvh/mass_walk.bvh", "--limits-from none", ALL_KEPT, ALL_KEPT },
        // toes that unbend as they leave are 1.1 mm in an edge once
        { "bvh/rokokovision_walking.bvh", "--limits-from none", ALL_KEPT, { 1.5, 5.0, 18.0 } } };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; ++i) {
        const char *path = data_path(bodies[i].name);
        if (path == NULL) { skip(); }
        print_message("%s %s\n", bodies[i].name, bodies[i].more);
        walk_body(path, bodies[i].more, "hills:1", 200, &bodies[i].on_hills);
        walk_body(path, bodies[i].more, "stairs:0.17,0.29", 200, &bodies[i].on_stairs);
    }
}

// bodies of 2.1 to 2.5 m, whose soles are longer than treads of 29 cm: a foot of some comes down into an edge, no deeper
// than this
static void test_tall_bodies_climb_stairs(void **state)
{
    (void)state;
    enum { BODIES = 36 };
    const char *path = data_path("bvh/bvhtoolbox_walk01.bvh");
    int touched = 0;
    if (path == NULL) { skip(); }
    for (int i = 0; i < BODIES; ++i) {
        const test_Run *run = run_sinew("walk --rig '%s' --limits-from auto --unit %.5f --terrain "
                                        "stairs:0.17,0.29 --steps 120 --json",
            path, 0.0121 + 0.00007 * i);
        TEST_INT(run->code, 0);
        TEST_INT((long long)figure_of(run, "unmet_frames"), 0);
        TEST_TRUE(figure_of(run, "slide_mm_max") <= 1.0);
        TEST_TRUE(figure_of(run, "max_joint_speed") <= 18.0);
        TEST_TRUE(figure_of(run, "penetration_mm_max") <= 15.0);
        bool clears = figure_of(run, "clearance_mm_min") >= 3.0;
        touched += figure_of(run, "penetration_mm_max") > 1.5 || !clears ? 1 : 0;
    }
    print_message("%d of %d touch an edge\n", touched, BODIES);
    TEST_TRUE(touched <= 9);
}

// limits guessed from a motion say that the knees bend askew of the rest pose
static void test_askew_knees_are_turned_ahead(void **state)
{
    (void)state;
    static const char *const names[] = { "bvh/bvhtoolbox_walk01.bvh", "bvh/mass_walk.bvh" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const char *path = data_path(names[i]);
        if (path == NULL) { skip(); }
        const test_Run *run = run_sinew(
            "walk --rig '%s' --limits-from auto --terrain flat --seconds 10 --json", path);
        TEST_INT(run->code, 0);
        TEST_INT((long long)figure_of(run, "unmet_frames"), 0);
        TEST_TRUE(figure_of(run, "max_joint_speed") <= 0.3 * 60.0);
    }
}

/// How well a root above the hips keeps below them, metres and radians.
typedef struct Rooted {
    double off_place, off_turn; ///< from the root that is told, upright along the heading
    double off_hips;            ///< middle between the thighs, from the hips that are told
} Rooted;

static Rooted walk_rooted(const sinew_MotionFile *file, sinew_WalkStyle style)
{
    Rooted off = { 0.0, 0.0, 0.0 };
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Clip *clip = sinew_motion_clip(file);
    const sinew_PoseList motion = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    sinew_RoleOptions options = sinew_role_options_default();
    options.motion = &motion;
    sinew_RoleGuess *roles = NULL;
    sinew_Stance *stance = NULL;
    sinew_Walker *walker = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_roles_guess(skeleton, &options, NULL, &roles, &message), &message);
    TEST_OK(sinew_stance_guess(skeleton, roles, &motion, NULL, &stance, &message), &message);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = skeleton;
    def.roles = roles;
    def.stance = stance;
    def.style = style;
    TEST_OK(sinew_walker_create(&def, &walker, &message), &message);
    const int thighs[2] = { sinew_roles_find(roles, SINEW_ROLE_THIGH, SINEW_SIDE_LEFT, -1),
        sinew_roles_find(roles, SINEW_ROLE_THIGH, SINEW_SIDE_RIGHT, -1) };
    const sinew_Steering steering = { 1.2, 0.0, 0.4 };
    for (int f = 0; f < 300; ++f) {
        double q[512];
        sinew_Transform world[64];
        TEST_OK(sinew_walker_update(walker, &steering, 1.0 / 60.0, NULL, q, &message), &message);
        sinew_WalkerReport told = sinew_walker_report(walker);
        sinew_pose_forward(skeleton, q, world);
        sinew_Vec3 middle = sinew_vec3_lerp(
            world[thighs[0]].position, world[thighs[1]].position, 0.5);
        sinew_Quat heading = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), told.heading);
        off.off_place = fmax(off.off_place, sinew_vec3_distance(world[0].position, told.root));
        off.off_turn = fmax(off.off_turn, sinew_quat_angle(world[0].rotation, heading));
        off.off_hips = fmax(off.off_hips, sinew_vec3_distance(middle, told.hips));
    }
    TEST_TRUE(sinew_walker_report(walker).step_count >= 5);
    TEST_INT(sinew_walker_report(walker).unmet_frames, 0);
    sinew_walker_destroy(walker);
    sinew_stance_destroy(stance);
    sinew_roles_destroy(roles);
    return off;
}

// a root above hips that move by themselves goes on the ground below them, as a game wants it
static void test_roots_walk_below_the_hips(void **state)
{
    (void)state;
    static const char *const names[] = { "bvh/bandai_2_walk_elderly_001.bvh",
        "bvh/bandai_2_run_normal_004.bvh", "bvh/bandai_1_walk-left_normal_001.bvh" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const char *path = data_path(names[i]);
        sinew_MotionFile *file = NULL;
        if (path == NULL) { skip(); }
        TEST_INT(sinew_motion_read(path, NULL, &file, NULL), SINEW_STATUS_OK);
        for (int style = 0; style < 2; ++style) {
            Rooted off = walk_rooted(file, (sinew_WalkStyle)style);
            TEST_TRUE(off.off_place <= 1e-9);
            TEST_TRUE(off.off_turn <= 1e-6);
            TEST_TRUE(off.off_hips <= 1e-9);
        }
        sinew_motion_destroy(file);
    }
}

// One knee of 20 degrees: 101 of 180 frames missed a goal by more than the report's millimetre, and the trial, which
// asked for two, let it walk.
static void test_what_misses_most_frames_is_refused(void **state)
{
    (void)state;
    const char *path = data_path("bvh/mass_walk.bvh"), *rig = test_temp_path("knee.json");
    if (path == NULL) { skip(); }
    write_text(rig,
        "{\"sinew_rig\": 1, \"joints\": {\"Character1_LeftLeg\": "
        "{\"kind\": \"hinge\", \"ranges\": [[0, 15]]}}}");
    const test_Run *run = run_sinew("walk --rig '%s' --limits-from '%s' -s 3", path, rig);
    TEST_TRUE(run->code != 0);
    // of the stiff leg; which of its joints lacks most differs with how a body is put down
    assert_non_null(strstr(run->err, "'Character1_Left"));
    assert_non_null(strstr(run->err, "' would have to turn"));
}

TEST_MAIN(cmocka_unit_test(test_what_misses_most_frames_is_refused),
    cmocka_unit_test(test_recorded_bodies_walk), cmocka_unit_test(test_other_proportions_walk),
    cmocka_unit_test(test_tall_bodies_climb_stairs),
    cmocka_unit_test(test_askew_knees_are_turned_ahead),
    cmocka_unit_test(test_roots_walk_below_the_hips))
