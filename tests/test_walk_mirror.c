// The eye that judges walkers, on motions whose figures are known.

#include "testing.h"

#include "measure/walk_mirror.h"
#include "scenes/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_TIME (1.0 / 60.0)
#define FRAMES 240

/// MAN18 as its walker stands, its root in the hand of a test.
typedef struct Watch {
    scene_Scene *scene;
    sinew_Walker *walker;
    sinew_RoleGuess *roles;
    measure_Mirror *mirror;
    double *standing, *q;
    size_t size;
    int root; // first coordinate of its place
} Watch;

static void begin(Watch *watch)
{
    memset(watch, 0, sizeof *watch);
    sinew_Message message = { "" };
    TEST_OK(scene_create("MAN18", NULL, &watch->scene, &message), &message);
    const sinew_Skeleton *skeleton = watch->scene->skeleton;
    TEST_OK(sinew_roles_guess(skeleton, NULL, NULL, &watch->roles, &message), &message);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = skeleton;
    TEST_OK(sinew_walker_create(&def, &watch->walker, &message), &message);
    watch->size = (size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof(double);
    watch->standing = malloc(watch->size);
    watch->q = malloc(watch->size);
    TEST_TRUE(watch->standing != NULL && watch->q != NULL);
    TEST_OK(
        sinew_walker_update(watch->walker, NULL, 0.0, NULL, watch->standing, &message), &message);
    measure_MirrorBody body = measure_mirror_body(watch->walker, skeleton, watch->roles);
    watch->mirror = measure_mirror_create(&body, FRAMES, FRAME_TIME);
    TEST_TRUE(watch->mirror != NULL);
    TEST_TRUE(body.head >= 0 && body.chest >= 0);
}

/// The standing pose moved by x, y, z; the root is told to stay.
static void show(Watch *watch, double x, double y, double z, const sinew_Ground *ground)
{
    memcpy(watch->q, watch->standing, watch->size);
    watch->q[0] += x;
    watch->q[1] += y;
    watch->q[2] += z;
    TEST_TRUE(
        measure_mirror_frame(watch->mirror, watch->q, ground, sinew_vec3(0.0, 0.0, 0.0), 0.0, 3));
}

static void end(Watch *watch)
{
    measure_mirror_destroy(watch->mirror);
    sinew_walker_destroy(watch->walker);
    sinew_roles_destroy(watch->roles);
    scene_destroy(watch->scene);
    free(watch->standing);
    free(watch->q);
}

static void standing_still_is_faultless(void **state)
{
    (void)state;
    Watch watch;
    begin(&watch);
    for (int i = 0; i < FRAMES; ++i) { show(&watch, 0.0, 0.0, 0.0, NULL); }
    measure_MirrorFigures f = measure_mirror_figures(watch.mirror);
    // heel, ball and tip of two feet, one stance each
    TEST_INT(f.stance_count, 6);
    TEST_NEAR(f.slide_most, 0.0, 0.0);
    TEST_TRUE(f.planted_depth < 1e-6 && f.moving_depth == 0.0);
    TEST_INT(f.landing_count, 0);
    TEST_NEAR(f.hips_level + f.hips_vertical + f.head_acceleration + f.chest_step, 0.0, 1e-9);
    TEST_NEAR(f.standing_time, (FRAMES - 30) * FRAME_TIME, 1e-9);
    TEST_NEAR(f.standing_outside, 0.0, 0.0);
    TEST_TRUE(f.head_height > 0.4 && f.trunk_tilt < 0.2);
    TEST_NEAR(f.samples_mean, 3.0, 0.0);
    TEST_TRUE(
        !measure_mirror_frame(watch.mirror, watch.q, NULL, sinew_vec3(0.0, 0.0, 0.0), 0.0, 0));
    end(&watch);
}

static void slides_are_seen(void **state)
{
    (void)state;
    Watch watch;
    begin(&watch);
    // 3 cm/s: slow enough to be a stance that slides
    for (int i = 0; i < FRAMES; ++i) { show(&watch, 0.03 * i * FRAME_TIME, 0.0, 0.0, NULL); }
    measure_MirrorFigures f = measure_mirror_figures(watch.mirror);
    TEST_NEAR(f.slide_most, 0.03 * FRAME_TIME * (FRAMES - 1), 0.03 * FRAME_TIME * 5.0);
    TEST_NEAR(f.head_step, 0.03 / 60.0, 1e-9);
    end(&watch);
    // half a metre a second is no stance at all
    begin(&watch);
    for (int i = 0; i < FRAMES; ++i) { show(&watch, 0.5 * i * FRAME_TIME, 0.0, 0.0, NULL); }
    f = measure_mirror_figures(watch.mirror);
    TEST_INT(f.stance_count, 0);
    TEST_NEAR(f.standing_time, 0.0, 0.0);
    end(&watch);
}

/// The standing pose turned about an axis along x, at a height of 0; pitch > 0: toes up.
static void show_pitched(Watch *watch, double pitch, double z)
{
    memcpy(watch->q, watch->standing, watch->size);
    double *q = watch->q;
    sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), -pitch);
    sinew_Vec3 from = sinew_quat_rotate(turn, sinew_vec3(q[0], q[1], q[2] - z));
    sinew_Quat root = sinew_quat_mul(turn, (sinew_Quat){ q[3], q[4], q[5], q[6] });
    q[0] = from.x;
    q[1] = from.y;
    q[2] = from.z + z;
    q[3] = root.x;
    q[4] = root.y;
    q[5] = root.z;
    q[6] = root.w;
    TEST_TRUE(
        measure_mirror_frame(watch->mirror, watch->q, NULL, sinew_vec3(0.0, 0.0, 0.0), 0.0, 3));
}

// feet come down from a swing, stand on their heels for four frames and then on their balls: they stand from the
// first of those on, and a heel that stays where it is in the air slides nowhere
static void feet_that_roll_stand(void **state)
{
    (void)state;
    Watch watch;
    begin(&watch);
    sinew_WalkerLeg leg = sinew_walker_leg(watch.walker, 0);
    const double up = 0.2;
    for (int i = 0; i < 60; ++i) { show(&watch, 0.0, 0.0, 0.0, NULL); }
    for (int i = 0; i < 10; ++i) { show(&watch, 0.0, 0.05, 0.0, NULL); }
    for (int i = 0; i < 4; ++i) { show_pitched(&watch, up * (1.0 - 0.25 * i), leg.heel.z); }
    for (int i = 0; i < 20; ++i) { show_pitched(&watch, -0.02 * i, leg.ball.z); }
    measure_MirrorFigures f = measure_mirror_figures(watch.mirror);
    // two more frames would make a swing end lower than the feet were carried
    TEST_NEAR(f.clearance, 0.05, 1e-6);
    TEST_INT(f.landing_count, 2);
    TEST_NEAR(f.slide_most, 0.0, 1e-3);
    end(&watch);
}

static void depths_and_swings_are_seen(void **state)
{
    (void)state;
    Watch watch;
    begin(&watch);
    // stands 4 mm deep, is lifted by 5 cm for a second, stands again
    for (int i = 0; i < FRAMES; ++i) {
        bool is_lifted = i >= 90 && i < 150;
        show(&watch, 0.0, is_lifted ? 0.05 : -0.004, 0.0, NULL);
    }
    measure_MirrorFigures f = measure_mirror_figures(watch.mirror);
    TEST_NEAR(f.planted_depth, 0.004, 1e-6);
    TEST_NEAR(
        f.moving_depth, 0.004, 0.0041); // the frames beside the jump are too fast for a stance
    TEST_NEAR(f.clearance, 0.05, 1e-6);
    TEST_INT(f.landing_count, 2);
    TEST_NEAR(f.hips_vertical, 0.054 * 3600.0, 1e-3);
    end(&watch);
}

/// Ridges below the outer edges of both soles; the ground between them is 2.5 cm lower.
static sinew_GroundSample ridges(void *user, double x, double z)
{
    (void)z;
    sinew_GroundSample sample = { fabs(x) > *(double *)user ? 0.0 : -0.025, { 0.0, 1.0, 0.0 } };
    return sample;
}

// a foot that stands on its edge is no low swing, though the middle of its sole is in the air
static void feet_on_bumps_stand(void **state)
{
    (void)state;
    Watch watch;
    begin(&watch);
    double from = fabs(sinew_walker_leg(watch.walker, 0).ball.x) + 0.01;
    sinew_Ground ground = { ridges, &from };
    for (int i = 0; i < FRAMES; ++i) {
        bool is_lifted = i >= 90 && i < 150;
        show(&watch, 0.0, is_lifted ? 0.05 : 0.0, 0.0, &ground);
    }
    measure_MirrorFigures f = measure_mirror_figures(watch.mirror);
    TEST_INT(f.stance_count, 12);
    TEST_INT(f.landing_count, 2);
    TEST_NEAR(f.clearance, 0.05, 1e-6);
    end(&watch);
}

/// Level below the left foot, a ridge below the outer edge of the right one.
static sinew_GroundSample ridge(void *user, double x, double z)
{
    const sinew_GroundSample level = { 0.0, { 0.0, 1.0, 0.0 } };
    return x > 0.0 ? level : ridges(user, x, z);
}

// who stands on one sole and the edge of the other has the mass between them
static void edges_of_soles_carry(void **state)
{
    (void)state;
    Watch watch;
    begin(&watch);
    double from = fabs(sinew_walker_leg(watch.walker, 0).ball.x) + 0.01;
    sinew_Ground ground = { ridge, &from };
    for (int i = 0; i < FRAMES; ++i) { show(&watch, 0.0, 0.0, 0.0, &ground); }
    measure_MirrorFigures f = measure_mirror_figures(watch.mirror);
    TEST_TRUE(f.standing_time > 1.0);
    // 80 mm when only middles of soles counted
    TEST_NEAR(f.standing_outside, 0.0, 0.0);
    end(&watch);
}

/// Level up to x = 0.03, where a wall begins.
static sinew_GroundSample wall(void *user, double x, double z)
{
    (void)z;
    sinew_GroundSample sample = { x > *(double *)user ? 1.0 : 0.0, { 0.0, 1.0, 0.0 } };
    return sample;
}

static void depth_is_the_shorter_way_out(void **state)
{
    (void)state;
    Watch watch;
    begin(&watch);
    const sinew_Skeleton *skeleton = watch.scene->skeleton;
    sinew_Transform world[64];
    sinew_pose_forward(skeleton, watch.standing, world);
    measure_MirrorBody body = measure_mirror_body(watch.walker, skeleton, watch.roles);
    double most = -1.0;
    for (int leg = 0; leg < body.leg_count; ++leg) {
        for (int i = 0; i < body.soles[leg]->point_count; ++i) {
            sinew_Vec3 point = measure_sole_point(world, &body.soles[leg]->points[i]);
            if (point.x > most) { most = point.x; }
        }
    }
    // the wall cuts 5 mm off the outer edge: that is how deep it is, not the wall's metre
    double place = most - 0.005;
    sinew_Ground ground = { wall, &place };
    // a hair above the level ground, which must not be what stops it
    for (int i = 0; i < 30; ++i) { show(&watch, 0.0, 0.001, 0.0, &ground); }
    measure_MirrorFigures f = measure_mirror_figures(watch.mirror);
    TEST_NEAR(f.planted_depth, 0.005, 0.0015);
    end(&watch);
}

static void turns_and_leaps_are_seen(void **state)
{
    (void)state;
    Watch watch;
    begin(&watch);
    int joint = watch.roles != NULL
        ? sinew_roles_find(watch.roles, SINEW_ROLE_CHEST, SINEW_SIDE_NONE, 0)
        : -1;
    TEST_TRUE(joint >= 0);
    int first = sinew_skeleton_joints(watch.scene->skeleton)[joint].coordinate_start;
    for (int i = 0; i < 20; ++i) {
        // at frame 10 one coordinate of the chest leaps
        if (i == 10) { watch.standing[first] += 0.35; }
        show(&watch, 0.0, 0.0, 0.0, NULL);
    }
    measure_MirrorFigures f = measure_mirror_figures(watch.mirror);
    TEST_NEAR(f.joint_step, 0.35, 1e-6);
    TEST_INT(f.joint_step_frames, 1);
    TEST_NEAR(f.chest_step, 0.35, 1e-6);
    end(&watch);
}

static void questions_are_counted(void **state)
{
    (void)state;
    double place = 0.0;
    measure_CountedGround counted = { { wall, &place }, 0 };
    sinew_Ground ground = measure_count_ground(&counted);
    for (int i = 0; i < 7; ++i) {
        TEST_NEAR(sinew_ground_sample(&ground, 1.0, 0.0).height, 1.0, 0.0);
    }
    TEST_INT(counted.count, 7);
}

TEST_MAIN(cmocka_unit_test(standing_still_is_faultless), cmocka_unit_test(slides_are_seen),
    cmocka_unit_test(feet_that_roll_stand), cmocka_unit_test(depths_and_swings_are_seen),
    cmocka_unit_test(feet_on_bumps_stand), cmocka_unit_test(edges_of_soles_carry),
    cmocka_unit_test(depth_is_the_shorter_way_out), cmocka_unit_test(turns_and_leaps_are_seen),
    cmocka_unit_test(questions_are_counted))
