// Robots walk on a floating base, seen by kinematics of our own from the pose that comes out; bodies whose joints do
// not let them walk are refused, and told why.

#include "command.h"
#include "testing.h"

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "sinew/file.h"
#include "sinew/pose.h"
#include "sinew/walker.h"
#include "walk/joint_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_TIME (1.0 / 60.0)

static sinew_MotionFile *read_robot(const char *path, bool floats)
{
    sinew_ReadOptions options = sinew_read_options_default();
    options.float_base = floats;
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    TEST_INT(sinew_motion_read(path, &options, &file, &message), SINEW_STATUS_OK);
    return file;
}

static sinew_RoleGuess *roles_of(const sinew_MotionFile *file)
{
    sinew_RoleOptions options = sinew_role_options_default();
    options.is_robot = true;
    sinew_RoleGuess *roles = NULL;
    TEST_INT(sinew_roles_guess(sinew_motion_skeleton(file), &options, NULL, &roles, NULL),
        SINEW_STATUS_OK);
    return roles;
}

/// What is seen of a walk.
typedef struct Seen {
    double lean;  ///< of the trunk, degrees
    double swing; ///< of the arms about the chest, degrees
    double turn;  ///< of a foot in a frame, radians
    double floor; ///< lowest middle point of a sole that is planted, metres off the ground
    int unmet, steps;
    double way;
} Seen;

static int joint_of(const sinew_RoleGuess *roles, sinew_Role role, sinew_Side side)
{
    int joint = sinew_roles_find(roles, role, side, -1);
    assert_true(joint >= 0);
    return joint;
}

static sinew_Vec3 middle_of(
    const sinew_Transform *world, const sinew_RoleGuess *roles, sinew_Role role)
{
    return sinew_vec3_lerp(world[joint_of(roles, role, SINEW_SIDE_LEFT)].position,
        world[joint_of(roles, role, SINEW_SIDE_RIGHT)].position, 0.5);
}

static void look_at_feet(
    const sinew_Walker *walker, const sinew_Transform *world, sinew_Quat last[2], Seen *seen)
{
    for (int i = 0; i < 2; ++i) {
        const sinew_Sole *sole = sinew_walker_sole(walker, i);
        unsigned planted = sinew_walker_leg(walker, i).planted;
        sinew_Quat now = world[sinew_walker_leg_def(walker, i)->ankle].rotation;
        if (last[i].w != 0.0 || last[i].x != 0.0) {
            seen->turn = fmax(seen->turn, sinew_quat_angle(last[i], now));
        }
        last[i] = now;
        for (int k = 0; k < sole->point_count; ++k) {
            const sinew_SolePoint *point = &sole->points[k];
            if (point->is_edge || (planted & point->planted) == 0) { continue; }
            sinew_Vec3 at = sinew_transform_point(world[point->joint], point->offset);
            seen->floor = fmax(seen->floor, fabs(at.y));
        }
    }
}

static Seen watch(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    sinew_Walker *walker, const sinew_Steering *steering, double seconds)
{
    int joints = sinew_skeleton_joint_count(skeleton);
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(skeleton), sizeof *q);
    sinew_Transform *world = calloc((size_t)joints, sizeof *world);
    sinew_Quat last[2] = { { 0.0, 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 0.0 } };
    Seen seen = { 0.0, 0.0, 0.0, 0.0, 0, 0, 0.0 };
    double least = 90.0, most = -90.0;
    for (int f = 0; f < (int)(seconds / FRAME_TIME); ++f) {
        TEST_INT(sinew_walker_update(walker, steering, FRAME_TIME, NULL, q, NULL), SINEW_STATUS_OK);
        sinew_pose_forward(skeleton, q, world);
        sinew_Vec3 hips = middle_of(world, roles, SINEW_ROLE_THIGH);
        sinew_Vec3 top = middle_of(world, roles, SINEW_ROLE_UPPERARM);
        sinew_Vec3 trunk = sinew_vec3_normalize_or(
            sinew_vec3_sub(top, hips), sinew_vec3(0.0, -1.0, 0.0));
        seen.lean = fmax(seen.lean, acos(fmin(1.0, trunk.y)) * 180.0 / SINEW_PI);
        sinew_Vec3 arm = sinew_vec3_sub(
            world[joint_of(roles, SINEW_ROLE_FOREARM, SINEW_SIDE_LEFT)].position,
            world[joint_of(roles, SINEW_ROLE_UPPERARM, SINEW_SIDE_LEFT)].position);
        // arms hang
        assert_true(arm.y < 0.0);
        double ahead = atan2(arm.z, -arm.y) * 180.0 / SINEW_PI;
        least = fmin(least, ahead);
        most = fmax(most, ahead);
        look_at_feet(walker, world, last, &seen);
    }
    sinew_WalkerReport report = sinew_walker_report(walker);
    seen.swing = most - least;
    seen.unmet = report.unmet_frames;
    seen.steps = report.step_count;
    seen.way = report.distance;
    free(world);
    free(q);
    return seen;
}

/// Hips of three hinges that meet (Romeo, Talos) and that do not (G1), ankles of two, spines of one to three.
static void test_robots_walk(void **state)
{
    (void)state;
    static const char *const names[] = { "urdf/romeo.urdf", "urdf/talos_full_v2.urdf",
        "urdf/unitree_g1_29dof.urdf" };
    for (int i = 0; i < 3; ++i) {
        const char *path = data_path(names[i]);
        if (path == NULL) { skip(); }
        sinew_MotionFile *file = read_robot(path, true);
        sinew_RoleGuess *roles = roles_of(file);
        sinew_WalkerDef def = sinew_walker_def_default();
        def.skeleton = sinew_motion_skeleton(file);
        def.roles = roles;
        sinew_Walker *walker = NULL;
        sinew_Message message = { "" };
        TEST_INT(sinew_walker_create(&def, &walker, &message), SINEW_STATUS_OK);
        const sinew_Steering steering = { 1.1, 0.0, 0.15 };
        Seen seen = watch(def.skeleton, roles, walker, &steering, 8.0);
        print_message("%s: %d steps, %.2f m, trunk %.1f, arms %.1f degrees, feet turn %.2f rad a "
                      "frame, soles %.2f mm off\n",
            names[i], seen.steps, seen.way, seen.lean, seen.swing, seen.turn, 1e3 * seen.floor);
        TEST_INT(seen.unmet, 0);
        TEST_TRUE(seen.way >= 7.5 && seen.steps >= 12);
        TEST_TRUE(seen.lean <= 15.0);
        TEST_TRUE(seen.swing >= 10.0);
        TEST_TRUE(seen.turn <= 0.3);
        TEST_TRUE(seen.floor <= 1e-3);
        sinew_walker_destroy(walker);
        sinew_roles_destroy(roles);
        sinew_motion_destroy(file);
    }
}

/// Robots whose zero pose has legs straight (Solo), at the end of their knees with covers beside their hips (A1), or
/// bent (ANYmal): knees behind where they can choose, left as right, and a foot on the ground is on it.
static void test_robots_with_four_legs_walk(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double way;
    } robots[] = { { "urdf/a1_quadruped.urdf", 3.0 }, { "urdf/solo12.urdf", 2.0 },
        { "urdf/anymal_b.urdf", 6.0 } };
    for (int i = 0; i < 3; ++i) {
        const char *path = data_path(robots[i].name);
        if (path == NULL) { skip(); }
        sinew_MotionFile *file = read_robot(path, true);
        sinew_WalkerDef def = sinew_walker_def_default();
        def.skeleton = sinew_motion_skeleton(file);
        sinew_RoleGuess *roles = roles_of(file);
        def.roles = roles;
        const sinew_Joint *joints = sinew_skeleton_joints(def.skeleton);
        sinew_Walker *walker = NULL;
        sinew_Message message = { "" };
        TEST_INT(sinew_walker_create(&def, &walker, &message), SINEW_STATUS_OK);
        TEST_INT(sinew_walker_report(walker).leg_count, 4);
        double *q = calloc((size_t)sinew_skeleton_coordinate_count(def.skeleton), sizeof *q);
        sinew_Transform *world = calloc(
            (size_t)sinew_skeleton_joint_count(def.skeleton), sizeof *world);
        const sinew_Steering ahead = { 1.3, 0.0, 0.0 };
        double off = 0.0, apart = 0.0, behind = 0.0;
        for (int f = 0; f < 6 * 60; ++f) {
            TEST_INT(sinew_walker_update(walker, &ahead, FRAME_TIME, NULL, q, &message),
                SINEW_STATUS_OK);
            sinew_pose_forward(def.skeleton, q, world);
            for (int k = 0; k < 4; ++k) {
                const sinew_LegDef *leg = sinew_walker_leg_def(walker, k);
                double height = fabs(world[leg->ankle].position.y);
                if (sinew_walker_leg(walker, k).planted != 0) { off = fmax(off, height); }
                // the knee is the lowest joint above the tip that moves
                int knee = joints[leg->ankle].parent;
                while (joints[knee].dof_count == 0) { knee = joints[knee].parent; }
                double share = (world[leg->hip].position.y - world[knee].position.y)
                    / world[leg->hip].position.y;
                double line = world[leg->hip].position.z
                    + share * (world[leg->ankle].position.z - world[leg->hip].position.z);
                double back = line - world[knee].position.z;
                if (f == 0 && k % 2 == 1) { apart = fmax(apart, fabs(back - behind)); }
                if (i < 2) { TEST_TRUE(back > 0.0); }
                behind = back;
            }
        }
        sinew_WalkerReport report = sinew_walker_report(walker);
        print_message("%s: %d steps, %.2f m, tips %.3f mm off the ground, knees left and right "
                      "%.3f mm apart\n",
            robots[i].name, report.step_count, report.distance, 1e3 * off, 1e3 * apart);
        TEST_INT(report.unmet_frames, 0);
        TEST_TRUE(report.distance >= robots[i].way && report.step_count >= 12);
        TEST_TRUE(off <= 1e-3);
        TEST_TRUE(apart <= 5e-3);
        free(world);
        free(q);
        sinew_walker_destroy(walker);
        sinew_roles_destroy(roles);
        sinew_motion_destroy(file);
    }
}

/// Feet of a dog so far ahead and aside that no leg gets there.
static void test_legs_that_do_not_reach_are_refused(void **state)
{
    (void)state;
    scene_Scene *scene;
    sinew_Message message = { "" };
    TEST_INT(scene_create("QUADRUPED", NULL, &scene, &message), SINEW_STATUS_OK);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = scene->skeleton;
    sinew_Walker *walker = NULL;
    TEST_INT(sinew_walker_create(&def, &walker, &message), SINEW_STATUS_OK);
    TEST_INT(sinew_walker_report(walker).leg_count, 4);
    sinew_LegDef legs[4];
    for (int i = 0; i < 4; ++i) {
        legs[i] = *sinew_walker_leg_def(walker, i);
        legs[i].foothold.x *= 6.0;
        legs[i].foothold.z *= 3.0;
    }
    sinew_walker_destroy(walker);
    def.legs = legs;
    def.leg_count = 4;
    TEST_INT(sinew_walker_create(&def, &walker, &message), SINEW_STATUS_INVALID_ARGUMENT);
    print_message("%s\n", message.text);
    assert_null(walker);
    assert_non_null(strstr(message.text, "its legs "));
    scene_destroy(scene);
}

static void test_what_cannot_walk_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *name, *why;
    } robots[] = { { "urdf/nao.urdf", "'RHipYawPitch' has fewer axes than the three" },
        { "urdf/simple_humanoid.urdf", "' would have to turn" },
        { "urdf/pr2.urdf", "no left leg: no joint has the role thigh_l" } };
    for (int i = 0; i < 3; ++i) {
        const char *path = data_path(robots[i].name);
        if (path == NULL) { skip(); }
        const test_Run *run = run_sinew("walk --float --rig '%s' --seconds 1", path);
        TEST_INT(run->code, 1);
        assert_non_null(strstr(run->err, robots[i].why));
    }
}

// Both knees stiff: feet go lower and around; what bends by 15 degrees is refused. A foot that was there waited for hips that
// came nearer all the time, over a knee which folds no more: half a second below the ground.
static void test_narrow_knees(void **state)
{
    (void)state;
    const char *path = data_path("bvh/bandai_2_walk_normal_003.bvh");
    static const double knees[] = { 60.0, 30.0, 24.0, 15.0 };
    char rig[512], text[65536], narrow[65536];
    if (path == NULL) { skip(); }
    snprintf(rig, sizeof rig, "%s", test_temp_path("hinges.rig.json"));
    TEST_INT(run_sinew("rig '%s' --hinges -o '%s'", path, rig)->code, 0);
    assert_true(read_text(rig, text, sizeof text) > 0);
    for (int i = 0; i < 4; ++i) {
        // the ranges of both knees
        size_t used = 0;
        static const char wide[] = "[-7, 164]";
        for (const char *at = text; *at != '\0';) {
            bool is_knee = strncmp(at, wide, sizeof wide - 1) == 0;
            assert_true(used + 32 < sizeof narrow);
            if (is_knee) {
                used += (size_t)snprintf(narrow + used, 32, "[-7, %g]", knees[i]);
                at += sizeof wide - 1;
            } else {
                narrow[used++] = *at++;
            }
        }
        narrow[used] = '\0';
        assert_true(used < strlen(text));
        write_text(rig, narrow);
        const test_Run *run = run_sinew(
            "walk --rig '%s' --limits-from '%s' --seconds 8 --json", path, rig);
        if (knees[i] < 16.0) {
            TEST_INT(run->code, 1);
            assert_non_null(strstr(run->err, "cannot walk on level ground"));
            continue;
        }
        TEST_INT(run->code, 0);
        assert_non_null(strstr(run->out, "\"unmet_frames\": 0,"));
        const char *sunk = strstr(run->out, "\"penetration_mm_max\": ");
        TEST_TRUE(strtod(sunk + 22, NULL) <= 1.6);
    }
}

/// Put a text in the place of the next old one.
static void replace(char *text, const char *old, const char *now)
{
    char *at = strstr(text, old);
    assert_non_null(at);
    memmove(at + strlen(now), at + strlen(old), strlen(at + strlen(old)) + 1);
    memcpy(at, now, strlen(now));
}

// Knees that bend by negative angles walk as well: half rows turn the foot by the shank that the solver left, whatever
// direction its hinge has. MODE-6
static void test_knees_turned_over(void **state)
{
    (void)state;
    const char *path = data_path("urdf/talos_full_v2.urdf");
    static char text[1 << 18];
    static const char *const knees[] = { "\"leg_left_4_joint\" type",
        "\"leg_right_4_joint\" type" };
    if (path == NULL) { skip(); }
    assert_true(read_text(path, text, sizeof text - 64) > 0);
    for (int i = 0; i < 2; ++i) {
        char *knee = strstr(text, knees[i]);
        assert_non_null(knee);
        replace(knee, "\"0 1 0\"", "\"0 -1 0\"");
        replace(knee, "lower=\"0\" upper=\"2.618\"", "lower=\"-2.618\" upper=\"0\"");
    }
    char robot[512];
    snprintf(robot, sizeof robot, "%s", test_temp_path("turned.urdf"));
    write_text(robot, text);
    const test_Run *run = run_sinew("walk --rig '%s' --jacobian half --steps 12 --json", robot);
    TEST_INT(run->code, 0);
    assert_non_null(strstr(run->out, "\"unmet_frames\": 0,"));
    TEST_TRUE(strtod(strstr(run->out, "\"penetration_mm_max\": ") + 22, NULL) <= 1.0);
    TEST_TRUE(strtod(strstr(run->out, "\"slide_mm_max\": ") + 16, NULL) <= 1.0);
    TEST_TRUE(strtod(strstr(run->out, "\"max_joint_speed\": ") + 19, NULL) <= 18.0);
}

/// Thighs that turn by 15 degrees, and ankles that do not turn about the shank: it turns as its feet can, not beyond. When a foot
/// was turned as far as both thighs together, it waited for a thigh that never got there, and slid 6.5 mm.
static void test_thighs_that_turn_little(void **state)
{
    (void)state;
    static const double ways[][2] = { { 0.6, -0.9 }, { 0.0, 1.0 }, { 0.0, 2.0 }, { 0.0, -2.0 },
        { 0.8, -2.0 } };
    const char *path = data_path("urdf/romeo.urdf");
    if (path == NULL) { skip(); }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        const test_Run *run = run_sinew(
            "walk --rig '%s' --float --speed %g --turn %g --seconds 15 --json", path, ways[i][0],
            ways[i][1]);
        TEST_INT(run->code, 0);
        TEST_TRUE(strtod(strstr(run->out, "\"slide_mm_max\": ") + 16, NULL) <= 0.2);
        TEST_TRUE(strtod(strstr(run->out, "\"unmet_frames\": ") + 16, NULL) == 0.0);
        TEST_TRUE(strtod(strstr(run->out, "\"steps\": ") + 9, NULL) >= 15.0);
        if (ways[i][0] > 0.0) {
            TEST_TRUE(strtod(strstr(run->out, "\"distance_m\": ") + 14, NULL) > 7.0);
        }
    }
}

/// What is seen of a robot whose stick never rests.
typedef struct Played {
    int unmet, leaps; ///< frames: that miss a foot; in which a joint turns by more than 0.3 rad
    double jerk;      ///< most acceleration of the shoulders, m/s^2
} Played;

static void play(const char *path, unsigned seed, double seconds, Played *played)
{
    sinew_MotionFile *file = read_robot(path, true);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    sinew_RoleGuess *roles = roles_of(file);
    const int coordinates = sinew_skeleton_coordinate_count(skeleton);
    double *q = calloc((size_t)coordinates, sizeof *q),
           *before = calloc((size_t)coordinates, sizeof *q);
    sinew_Transform *world = calloc((size_t)sinew_skeleton_joint_count(skeleton), sizeof *world);
    TEST_TRUE(q != NULL && before != NULL && world != NULL);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = skeleton;
    def.roles = roles;
    def.response = sinew_walk_response_game();
    sinew_Walker *walker = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_walker_create(&def, &walker, &message), &message);
    scene_Random random = scene_random(seed);
    sinew_Steering steering = { 0.0, 0.0, 0.0 };
    sinew_Vec3 tops[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    double until = 0.0;
    for (int f = 0; f < (int)(seconds / FRAME_TIME); ++f) {
        if (f * FRAME_TIME >= until) {
            until += scene_random_range(&random, 0.4, 2.5);
            steering.forward = scene_random_range(&random, -0.4, 1.4);
            steering.left = scene_random_range(&random, -0.5, 0.5);
            steering.turn = scene_random_range(&random, -2.6, 2.6);
        }
        memcpy(before, q, (size_t)coordinates * sizeof *q);
        TEST_INT(
            sinew_walker_update(walker, &steering, FRAME_TIME, NULL, q, NULL), SINEW_STATUS_OK);
        sinew_pose_forward(skeleton, q, world);
        const sinew_Vec3 top = middle_of(world, roles, SINEW_ROLE_UPPERARM);
        const sinew_Vec3 bend = sinew_vec3_add(
            sinew_vec3_sub(top, sinew_vec3_scale(tops[0], 2.0)), tops[1]);
        tops[1] = tops[0];
        tops[0] = top;
        if (f < 3) { continue; }
        played->jerk = fmax(played->jerk, sinew_vec3_length(bend) / (FRAME_TIME * FRAME_TIME));
        double step = 0.0;
        for (int i = 6; i < coordinates; ++i) { step = fmax(step, fabs(q[i] - before[i])); }
        played->leaps += step > 0.3;
    }
    played->unmet += sinew_walker_report(walker).unmet_frames;
    sinew_walker_destroy(walker);
    sinew_roles_destroy(roles);
    sinew_motion_destroy(file);
    free(world);
    free(before);
    free(q);
}

/// Hips stay over what a narrow thigh holds, and a clock that runs twice as fast, or a stick that is let go, bends neither
/// trunk nor ankle at once: 1158 frames and 50 leaps of the first robot, and shoulders of 43 and 56 m/s2, when they did.
static void test_robots_are_played(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int unmet, leaps;
        double jerk;
    } robots[] = { { "urdf/romeo.urdf", 200, 8, 40.0 }, { "urdf/talos_full_v2.urdf", 8, 8, 42.0 } };
    for (int i = 0; i < 2; ++i) {
        const char *path = data_path(robots[i].name);
        if (path == NULL) { skip(); }
        Played played = { 0, 0, 0.0 };
        for (unsigned seed = 1; seed <= 8; ++seed) { play(path, seed, 40.0, &played); }
        print_message(
            "    %s: of 19200 frames %d miss a foot, in %d a joint leaps; shoulders %.1f m/s2\n",
            robots[i].name, played.unmet, played.leaps, played.jerk);
        TEST_TRUE(played.unmet <= robots[i].unmet);
        TEST_TRUE(played.leaps <= robots[i].leaps);
        TEST_TRUE(played.jerk <= robots[i].jerk);
    }
}

// on the command line the base floats by itself, which is told; in the library it is asked for
static void test_fixed_bases(void **state)
{
    (void)state;
    const char *path = data_path("urdf/romeo.urdf");
    if (path == NULL) { skip(); }
    const test_Run *run = run_sinew("walk --rig '%s' --seconds 1", path);
    TEST_INT(run->code, 0);
    assert_non_null(strstr(run->err, "the base floats"));
    run = run_sinew("walk --float --rig '%s' --seconds 1", path);
    TEST_INT(run->code, 0);
    TEST_INT((int)strlen(run->err), 0);

    sinew_MotionFile *file = read_robot(path, false);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = sinew_motion_skeleton(file);
    sinew_Walker *walker = NULL;
    sinew_Message message = { "" };
    TEST_INT(sinew_walker_create(&def, &walker, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(message.text, "is not free"));
    sinew_motion_destroy(file);
}

// ---------------------------------------------------------------------------------------------
// Joints in a row as one

static sinew_JointDef joint(int parent, sinew_Quat rest, sinew_Axis *axes, int count)
{
    sinew_JointDef def = sinew_joint_def_default();
    def.name = "J";
    def.parent = parent;
    def.rest_rotation = rest;
    def.axes = axes;
    def.axis_count = count;
    return def;
}

static void test_a_row_turns_as_one(void **state)
{
    (void)state;
    sinew_Axis yaw = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -3.0, 3.0);
    sinew_Axis roll = sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -0.5, 0.5);
    sinew_Axis pitch = sinew_axis_hinge(sinew_vec3(0.0, 1.0, 0.0), -3.0, 3.0);
    // rests between them that leave their axes at right angles
    sinew_Quat first = sinew_quat_from_axis_angle(sinew_vec3(0.6, 0.0, 0.8), 0.7);
    sinew_Quat second = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), 0.4);
    sinew_Quat third = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), -0.4);
    sinew_JointDef defs[5] = { joint(-1, sinew_quat_identity(), NULL, 0), joint(0, first, &yaw, 1),
        joint(1, second, &roll, 1), joint(2, third, &pitch, 1),
        joint(0, sinew_quat_identity(), NULL, 0) };
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_INT(sinew_skeleton_create(defs, 5, NULL, &skeleton, &message), SINEW_STATUS_OK);
    snw_JointSet set = snw_joint_set(skeleton, 1, 3);
    TEST_INT(set.kind, SNW_JOINT_THREE);
    double q[3] = { 0.3, 0.2, -0.9 };
    sinew_Transform world[5];
    sinew_pose_forward(skeleton, q, world);
    sinew_Quat local = world[3].rotation;
    TEST_NEAR(sinew_quat_angle(snw_joint_rotation(&set, q), local), 0.0, 1e-7);
    double found[3] = { 0.0, 0.0, 0.0 };
    TEST_INT(snw_joint_turn(&set, local, found), SNW_TURN_WHOLE);
    for (int k = 0; k < 3; ++k) { TEST_NEAR(found[k], q[k], 1e-9); }
    // the hinge in the middle has a range
    q[1] = 0.8;
    sinew_pose_forward(skeleton, q, world);
    TEST_INT(snw_joint_turn(&set, world[3].rotation, found), SNW_TURN_HELD);
    TEST_NEAR(found[1], 0.5, 1e-12);
    sinew_skeleton_destroy(skeleton);
}

static void test_two_hinges_come_near(void **state)
{
    (void)state;
    sinew_Axis axes[2] = { sinew_axis_hinge(sinew_vec3(0.0, 0.6, 0.8), -3.0, 3.0),
        sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -3.0, 3.0) };
    sinew_Quat rest = sinew_quat_from_axis_angle(sinew_vec3(0.6, 0.0, 0.8), 0.7);
    sinew_JointDef defs[2] = { joint(-1, sinew_quat_identity(), NULL, 0), joint(0, rest, axes, 2) };
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_INT(sinew_skeleton_create(defs, 2, NULL, &skeleton, &message), SINEW_STATUS_OK);
    snw_JointSet set = snw_joint_set(skeleton, 1, 1);
    TEST_INT(set.kind, SNW_JOINT_TWO);
    sinew_Vec3 third = sinew_vec3_cross(axes[0].direction, axes[1].direction);
    for (int i = 0; i <= 40; ++i) {
        // turned on about the third axis by what they leave; the second near a quarter, too
        const double q[2] = { 0.1 * i - 2.0, 0.24 * SINEW_PI * (i % 5 - 2) }, left = 0.15 * i - 3.0;
        sinew_Quat wanted = sinew_quat_mul(
            snw_joint_rotation(&set, q), sinew_quat_from_axis_angle(third, left));
        double found[2] = { 0.0, 0.0 };
        TEST_INT(snw_joint_turn(&set, wanted, found),
            fabs(left) < 1e-9 ? SNW_TURN_WHOLE : SNW_TURN_NEAR);
        sinew_Quat near = snw_joint_nearest(&set, wanted, found);
        TEST_NEAR(fabs(sinew_quat_dot(near, snw_joint_rotation(&set, found))), 1.0, 1e-14);
    }
    sinew_skeleton_destroy(skeleton);
}

// Three hinges reach a rotation in two ways. From a pose beyond a quarter turn of the second the nearer one may be beyond the
// ranges: an arm that had been thrown up stayed there, while it was wanted down, and came down at once 1.7 s later.
static void test_ranges_hold_no_row_off_what_it_reaches(void **state)
{
    (void)state;
    enum { CASES = 4000 };
    const double most[3] = { 2.5, 2.0, 1.2 };
    sinew_Axis axes[3] = { sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -most[0], most[0]),
        sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -most[1], most[1]),
        sinew_axis_hinge(sinew_vec3(0.0, 1.0, 0.0), -most[2], most[2]) };
    sinew_JointDef defs[2] = { joint(-1, sinew_quat_identity(), NULL, 0),
        joint(0, sinew_quat_identity(), axes, 3) };
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_INT(sinew_skeleton_create(defs, 2, NULL, &skeleton, &message), SINEW_STATUS_OK);
    snw_JointSet set = snw_joint_set(skeleton, 1, 1);
    TEST_INT(set.kind, SNW_JOINT_THREE);
    scene_Random random = scene_random(30112026u);
    for (int i = 0; i < CASES; ++i) {
        double q[3], found[3];
        for (int k = 0; k < 3; ++k) {
            const double upper = k == 1 ? 0.49 * SINEW_PI : most[k];
            q[k] = scene_random_range(&random, -upper, upper);
            found[k] = scene_random_range(&random, -most[k], most[k]);
        }
        const sinew_Quat wanted = snw_joint_rotation(&set, q);
        TEST_INT(snw_joint_turn(&set, wanted, found), SNW_TURN_WHOLE);
        TEST_NEAR(fabs(sinew_quat_dot(wanted, snw_joint_rotation(&set, found))), 1.0, 1e-13);
    }
    sinew_skeleton_destroy(skeleton);
}

TEST_MAIN(cmocka_unit_test(test_robots_walk), cmocka_unit_test(test_robots_with_four_legs_walk),
    cmocka_unit_test(test_legs_that_do_not_reach_are_refused),
    cmocka_unit_test(test_what_cannot_walk_is_told), cmocka_unit_test(test_narrow_knees),
    cmocka_unit_test(test_knees_turned_over), cmocka_unit_test(test_thighs_that_turn_little),
    cmocka_unit_test(test_robots_are_played), cmocka_unit_test(test_fixed_bases),
    cmocka_unit_test(test_a_row_turns_as_one), cmocka_unit_test(test_two_hinges_come_near),
    cmocka_unit_test(test_ranges_hold_no_row_off_what_it_reaches))
