// The judge of walks, on motions whose slide, penetration, clearance and jolts are known.

#include "testing.h"

#include "measure/walk_meter.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// A body whose feet can be put anywhere: hips, and on each side hip, knee and a foot that slides

enum { HIPS, HIP_L, KNEE_L, FOOT_L, HIP_R, KNEE_R, FOOT_R, JOINT_COUNT };

static const double ankle_height = 0.07, foot_width = 0.04;

typedef struct Body {
    sinew_Skeleton *skeleton;
    sinew_LegDef defs[2];
    sinew_Sole soles[2];
    measure_WalkMeter *meter;
    double q[64];
    unsigned planted[2];
} Body;

static void add_sole(Body *body, int leg, int joint)
{
    static const double ahead[3] = { -0.06, 0.16, 0.24 };
    static const unsigned bits[3] = { SINEW_PLANTED_HEEL, SINEW_PLANTED_BALL, SINEW_PLANTED_TOE };
    sinew_Sole *sole = &body->soles[leg];
    memset(sole, 0, sizeof *sole);
    for (int row = 0; row < 3; ++row) {
        for (int column = -1; column <= 1; ++column) {
            sinew_SolePoint *point = &sole->points[sole->point_count++];
            point->joint = joint;
            point->offset = sinew_vec3(foot_width * column, -ankle_height, ahead[row]);
            point->planted = bits[row];
            point->is_edge = column != 0;
        }
    }
}

/// In place, because the meter keeps pointers to legs and soles.
static void make_body(Body *body, double rise, double tread)
{
    memset(body, 0, sizeof *body);
    sinew_Axis free_axes[6] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)),
        sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -3.0, 3.0),
        sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -3.0, 3.0),
        sinew_axis_hinge(sinew_vec3(0.0, 1.0, 0.0), -3.0, 3.0) };
    sinew_Axis knee_axis = sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -1.0, 2.0);
    sinew_JointDef joints[JOINT_COUNT];
    for (int j = 0; j < JOINT_COUNT; ++j) { joints[j] = sinew_joint_def_default(); }
    static const char *const names[JOINT_COUNT] = { "hips", "hip_l", "knee_l", "foot_l", "hip_r",
        "knee_r", "foot_r" };
    static const int parents[JOINT_COUNT] = { -1, HIPS, HIP_L, KNEE_L, HIPS, HIP_R, KNEE_R };
    for (int j = 0; j < JOINT_COUNT; ++j) {
        joints[j].name = names[j];
        joints[j].parent = parents[j];
    }
    joints[HIPS].axes = free_axes;
    joints[HIPS].axis_count = 6;
    joints[HIP_L].offset = sinew_vec3(0.1, 0.0, 0.0);
    joints[HIP_R].offset = sinew_vec3(-0.1, 0.0, 0.0);
    for (int side = 0; side < 2; ++side) {
        int knee = side == 0 ? KNEE_L : KNEE_R;
        joints[knee].offset = sinew_vec3(0.0, -0.4, 0.0);
        joints[knee].axes = &knee_axis;
        joints[knee].axis_count = 1;
        joints[knee + 1].offset = sinew_vec3(0.0, -0.4, 0.0);
        joints[knee + 1].axes = free_axes;
        joints[knee + 1].axis_count = 6;
        sinew_LegDef def = { 0 };
        def.hip = knee - 1;
        def.knee = knee;
        def.ankle = knee + 1;
        def.toe = -1;
        def.side = side == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        body->defs[side] = def;
        add_sole(body, side, knee + 1);
        body->planted[side] = SINEW_PLANTED_HEEL | SINEW_PLANTED_BALL | SINEW_PLANTED_TOE;
    }
    sinew_Message message;
    TEST_OK(sinew_skeleton_create(joints, JOINT_COUNT, NULL, &body->skeleton, &message), &message);
    sinew_pose_rest(body->skeleton, body->q);
    body->q[1] = 0.8 + ankle_height; // stands on the ground
    measure_WalkMeterLeg legs[2];
    for (int side = 0; side < 2; ++side) {
        legs[side].def = &body->defs[side];
        legs[side].sole = &body->soles[side];
    }
    TEST_OK(measure_walk_create(body->skeleton, legs, 2, rise, tread, &body->meter), NULL);
}

static void destroy_body(Body *body)
{
    measure_walk_destroy(body->meter);
    sinew_skeleton_destroy(body->skeleton);
}

/// One of the six numbers of a free joint: x, y, z, turn about x, z, y.
static double *coordinate(Body *body, int joint, int number)
{
    return &body->q[sinew_skeleton_joints(body->skeleton)[joint].coordinate_start + number];
}

static void look(Body *body, const sinew_Ground *ground)
{
    measure_walk_frame(body->meter, 1.0 / 60.0, body->q, ground, body->planted, NULL, 0);
}

// ---------------------------------------------------------------------------------------------
// Grounds

/// A riser at z = 0.2 with the height that user points to.
static sinew_GroundSample step_sample(void *user, double x, double z)
{
    (void)x;
    sinew_GroundSample sample = { z >= 0.2 ? *(double *)user : 0.0, { 0.0, 1.0, 0.0 } };
    return sample;
}

/// A cone of 30 mm at (0.1, 0.05), inside of the left foot's outline, 40 mm wide.
static sinew_GroundSample cone_sample(void *user, double x, double z)
{
    (void)user;
    double dx = x - 0.1, dz = z - 0.05, distance = sqrt(dx * dx + dz * dz);
    sinew_GroundSample sample = { fmax(0.0, 0.03 * (1.0 - distance / 0.04)), { 0.0, 1.0, 0.0 } };
    return sample;
}

/// Stairs along z: 0.15 up each 0.3 from z = 0.3 on, 10 of them.
static sinew_GroundSample stairs_sample(void *user, double x, double z)
{
    (void)user;
    (void)x;
    double number = floor(z / 0.3);
    number = number < 0.0 ? 0.0 : number > 10.0 ? 10.0 : number;
    sinew_GroundSample sample = { 0.15 * number, { 0.0, 1.0, 0.0 } };
    return sample;
}

// ---------------------------------------------------------------------------------------------

static void standing_still_is_all_zero(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.0, 0.0);
    for (int i = 0; i < 100; ++i) { look(&body, NULL); }
    measure_WalkFigures figures = measure_walk_figures(body.meter);
    TEST_INT(figures.frame_count, 100);
    TEST_NEAR(figures.time, 100.0 / 60.0, 1e-9);
    TEST_INT(figures.step_count, 0);
    TEST_NEAR(figures.slide.value, 0.0, 1e-12);
    TEST_NEAR(figures.penetration.value, 0.0, 1e-12);
    TEST_NEAR(figures.floating.value, 0.0, 1e-12);
    TEST_NEAR(figures.hips_acceleration.value, 0.0, 1e-9);
    TEST_NEAR(figures.joint_step.value, 0.0, 1e-12);
    TEST_INT(figures.flight_frames + figures.unmet_frames + figures.bad_frames, 0);
    TEST_TRUE(figures.clearance.value > 1e6 && figures.edge_clearance.value > 1e6);
    destroy_body(&body);
}

static void slide_is_from_where_a_point_was_first_held(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.0, 0.0);
    look(&body, NULL);
    // 1 mm ahead and back to the side: 5 mm in all, 3 and 4 at most at once
    for (int i = 1; i <= 10; ++i) {
        *coordinate(&body, FOOT_R, 0) = 0.0004 * i;
        *coordinate(&body, FOOT_R, 2) = 0.0003 * i;
        look(&body, NULL);
    }
    measure_WalkFigures figures = measure_walk_figures(body.meter);
    TEST_NEAR(figures.slide.value, 0.005, 1e-9);
    TEST_INT(figures.slide.where, 1);
    TEST_NEAR(figures.slide.time, 11.0 / 60.0, 1e-9);

    // off the ground it may go anywhere, and is held anew
    body.planted[1] = 0;
    *coordinate(&body, FOOT_R, 2) = 0.3;
    look(&body, NULL);
    body.planted[1] = SINEW_PLANTED_HEEL;
    look(&body, NULL);
    *coordinate(&body, FOOT_R, 2) = 0.307;
    look(&body, NULL);
    TEST_NEAR(measure_walk_figures(body.meter).slide.value, 0.007, 1e-9);

    // points that are not held may turn about those that are
    body.planted[0] = SINEW_PLANTED_HEEL;
    *coordinate(&body, HIPS, 0) = 0.0;
    look(&body, NULL);
    TEST_NEAR(measure_walk_figures(body.meter).slide.value, 0.007, 1e-9);
    destroy_body(&body);
}

static void of_feet_on_an_edge_that_edge_is_held(void **state)
{
    (void)state;
    double angle = 0.1, lost = 2.0 * foot_width * (1.0 - cos(angle));
    for (unsigned edge = 0; edge <= SINEW_PLANTED_RIGHT; edge += SINEW_PLANTED_LEFT) {
        Body body;
        make_body(&body, 0.0, 0.0);
        look(&body, NULL);
        // tilted about its right edge
        *coordinate(&body, FOOT_L, 4) = angle;
        *coordinate(&body, FOOT_L, 0) = -foot_width * (1.0 - cos(angle))
            - ankle_height * sin(angle);
        *coordinate(&body, FOOT_L, 1) = -ankle_height * (1.0 - cos(angle))
            + foot_width * sin(angle);
        body.planted[0] |= edge;
        look(&body, NULL);
        double slide = measure_walk_figures(body.meter).slide.value;
        TEST_NEAR(slide, edge == SINEW_PLANTED_RIGHT ? 0.0 : lost, 1e-9);
        // flat again: what was off the ground is held from here on
        *coordinate(&body, FOOT_L, 4) = 0.0;
        *coordinate(&body, FOOT_L, 0) = 0.0;
        *coordinate(&body, FOOT_L, 1) = 0.0;
        body.planted[0] &= ~edge;
        look(&body, NULL);
        TEST_NEAR(measure_walk_figures(body.meter).slide.value, slide, 1e-9);
        destroy_body(&body);
    }
}

static void edges_that_sink_are_seen(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.0, 0.0);
    // tilted about the middle line of the sole: the middle stays, one edge goes down
    double angle = 0.1;
    *coordinate(&body, FOOT_L, 4) = angle;
    *coordinate(&body, FOOT_L, 0) = -ankle_height * sin(angle);
    *coordinate(&body, FOOT_L, 1) = -ankle_height * (1.0 - cos(angle));
    look(&body, NULL);
    measure_WalkFigures figures = measure_walk_figures(body.meter);
    TEST_NEAR(figures.planted_penetration.value, foot_width * sin(angle), 1e-9);
    TEST_NEAR(figures.penetration.value, foot_width * sin(angle), 1e-9);
    TEST_INT(figures.penetration.where, 0);

    // a lifted foot counts for all, not for those that are held
    body.planted[1] = 0;
    *coordinate(&body, FOOT_R, 1) = -0.02;
    look(&body, NULL);
    figures = measure_walk_figures(body.meter);
    TEST_NEAR(figures.penetration.value, 0.02, 1e-9);
    TEST_NEAR(figures.planted_penetration.value, foot_width * sin(angle), 1e-9);
    destroy_body(&body);
}

static void stones_inside_the_outline_are_seen(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.0, 0.0);
    sinew_Ground ground = { cone_sample, NULL };
    look(&body, &ground);
    double depth = measure_walk_figures(body.meter).planted_penetration.value;
    // the cone is 30 mm high; samples of the sole are 20 mm apart, and air is nearest aslant
    TEST_TRUE(depth > 0.01 && depth <= 0.03);
    destroy_body(&body);
}

static void toes_in_a_riser_are_as_deep_as_they_reach_in(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.0, 0.0);
    double height = 0.17;
    sinew_Ground ground = { step_sample, &height };
    *coordinate(&body, HIPS, 2) = 0.2 - 0.24 + 0.003; // 3 mm beyond the riser
    look(&body, &ground);
    double depth = measure_walk_figures(body.meter).planted_penetration.value;
    TEST_NEAR(depth, 0.003, 0.0008); // the way out is found to a quarter of it
    destroy_body(&body);
}

static void feet_in_the_air_that_are_said_to_stand_float(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.0, 0.0);
    *coordinate(&body, FOOT_L, 1) = 0.004;
    look(&body, NULL);
    measure_WalkFigures figures = measure_walk_figures(body.meter);
    TEST_NEAR(figures.floating.value, 0.004, 1e-9);
    TEST_INT(figures.floating.where, 0);
    TEST_INT(figures.flight_frames, 0);
    body.planted[0] = body.planted[1] = 0;
    look(&body, NULL);
    TEST_INT(measure_walk_figures(body.meter).flight_frames, 1);
    destroy_body(&body);
}

static void acceleration_of_a_sine(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.0, 0.0);
    double amplitude = 0.02, rate = 2.0 * SINEW_PI * 1.8, dt = 1.0 / 60.0;
    for (int i = 0; i < 600; ++i) {
        *coordinate(&body, HIPS, 1) = 0.87 + amplitude * sin(rate * i * dt);
        look(&body, NULL);
    }
    measure_WalkFigures figures = measure_walk_figures(body.meter);
    // three frames see the sine through a window of one frame: sinc^2 of it
    double window = sin(0.5 * rate * dt) / (0.5 * rate * dt);
    double expected = amplitude * rate * rate * window * window;
    TEST_NEAR(figures.hips_acceleration.value, expected, 0.01 * expected);
    TEST_NEAR(figures.hips_acceleration_rms, expected / sqrt(2.0), 0.01 * expected);

    // a jolt from rest: 1 cm in one frame is 36 m/s^2
    for (int i = 0; i < 3; ++i) { look(&body, NULL); }
    *coordinate(&body, HIPS, 1) += 0.01;
    look(&body, NULL);
    TEST_NEAR(measure_walk_figures(body.meter).hips_acceleration.value, 36.0, 1e-6);
    destroy_body(&body);
}

static void joint_steps_are_for_a_sixtieth_of_a_second(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.0, 0.0);
    look(&body, NULL);
    *coordinate(&body, KNEE_R, 0) = 0.2;
    look(&body, NULL);
    measure_WalkFigures figures = measure_walk_figures(body.meter);
    TEST_NEAR(figures.joint_step.value, 0.2, 1e-9);
    TEST_INT(figures.joint_step.where, KNEE_R);
    *coordinate(&body, KNEE_L, 0) = 0.3;
    measure_walk_frame(body.meter, 1.0 / 30.0, body.q, NULL, body.planted, NULL, 0);
    TEST_NEAR(measure_walk_figures(body.meter).joint_step.value, 0.2, 1e-9);
    *coordinate(&body, KNEE_L, 0) = 0.0;
    measure_walk_frame(body.meter, 1.0 / 120.0, body.q, NULL, body.planted, NULL, 0);
    TEST_NEAR(measure_walk_figures(body.meter).joint_step.value, 0.6, 1e-9);
    destroy_body(&body);
}

static void missed_goals_limits_and_bad_numbers_are_counted(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.0, 0.0);
    sinew_Goal goals[2] = { sinew_goal_position(FOOT_L, sinew_vec3(0.1, ankle_height, 0.0)),
        sinew_goal_position(FOOT_R, sinew_vec3(-0.1, ankle_height, 0.0009)) };
    measure_walk_frame(body.meter, 0.02, body.q, NULL, body.planted, goals, 2);
    TEST_INT(measure_walk_figures(body.meter).unmet_frames, 0);
    goals[0].position.z = 0.0011;
    measure_walk_frame(body.meter, 0.02, body.q, NULL, body.planted, goals, 2);
    TEST_INT(measure_walk_figures(body.meter).unmet_frames, 1);
    TEST_NEAR(measure_walk_figures(body.meter).goal_error.value, 0.0011, 1e-9);
    goals[0].position_weight = 0.0; // left out
    measure_walk_frame(body.meter, 0.02, body.q, NULL, body.planted, goals, 2);
    TEST_INT(measure_walk_figures(body.meter).unmet_frames, 1);

    *coordinate(&body, KNEE_L, 0) = -1.25;
    look(&body, NULL);
    TEST_NEAR(measure_walk_figures(body.meter).limit_violation.value, 0.25, 1e-9);
    TEST_INT(measure_walk_figures(body.meter).bad_frames, 0);
    *coordinate(&body, KNEE_L, 0) = (double)NAN;
    look(&body, NULL);
    TEST_INT(measure_walk_figures(body.meter).bad_frames, 1);
    destroy_body(&body);
}

static void knees_that_point_back_or_aside_are_seen(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.0, 0.0);
    look(&body, NULL);
    TEST_NEAR(measure_walk_figures(body.meter).knee.value, 0.0, 1e-12); // straight: nowhere
    // the ankle slides where the bent shin leaves it, so that hip, knee and ankle make a bow ahead
    *coordinate(&body, KNEE_L, 0) = 0.6;
    look(&body, NULL);
    TEST_NEAR(measure_walk_figures(body.meter).knee.value, 0.0, 1e-6);
    *coordinate(&body, KNEE_L, 0) = -0.6;
    look(&body, NULL);
    TEST_NEAR(measure_walk_figures(body.meter).knee.value, SINEW_PI, 1e-6);
    TEST_INT(measure_walk_figures(body.meter).knee.where, 0);
    destroy_body(&body);
}

/// Swing the left foot from z = from to z = to, height a sine of the given rise above both ends.
static void swing(Body *body, const sinew_Ground *ground, double to, double up, double rise)
{
    enum { FRAMES = 40 };
    unsigned held = body->planted[0];
    double z = *coordinate(body, FOOT_L, 2), y = *coordinate(body, FOOT_L, 1);
    body->planted[0] = 0;
    for (int i = 1; i < FRAMES; ++i) {
        double t = (double)i / FRAMES;
        *coordinate(body, FOOT_L, 2) = z + (to - z) * t;
        *coordinate(body, FOOT_L, 1) = y + up * t + rise * sin(SINEW_PI * t);
        look(body, ground);
    }
    *coordinate(body, FOOT_L, 2) = to;
    *coordinate(body, FOOT_L, 1) = y + up;
    body->planted[0] = held;
    look(body, ground);
}

static void clearance_is_that_of_the_middle_of_a_swing(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.0, 0.0);
    look(&body, NULL);
    swing(&body, NULL, 0.6, 0.0, 0.05);
    measure_WalkFigures figures = measure_walk_figures(body.meter);
    TEST_INT(figures.step_count, 1);
    TEST_NEAR(figures.clearance.value, 0.05 * sin(0.225 * SINEW_PI), 1e-3);
    TEST_INT(figures.clearance.where, 0);
    TEST_TRUE(figures.edge_clearance.value > 1e6);
    destroy_body(&body);
}

static void edges_are_cleared_by_what_passes_over_them(void **state)
{
    (void)state;
    // a step of 40 mm in the way; the foot goes over it at up to 55 mm
    Body body;
    make_body(&body, 0.0, 0.0);
    double height = 0.04;
    sinew_Ground ground = { step_sample, &height };
    *coordinate(&body, HIPS, 2) = -0.6;
    look(&body, &ground);
    swing(&body, &ground, 1.2, 0.04, 0.035);
    measure_WalkFigures figures = measure_walk_figures(body.meter);
    TEST_NEAR(figures.penetration.value, 0.0, 1e-12);
    TEST_TRUE(figures.edge_clearance.value >= 0.008 && figures.edge_clearance.value <= 0.025);

    // 10 mm lower it passes nearer, 25 mm lower it hits the step
    Body low;
    make_body(&low, 0.0, 0.0);
    *coordinate(&low, HIPS, 2) = -0.6;
    look(&low, &ground);
    swing(&low, &ground, 1.2, 0.04, 0.025);
    measure_WalkFigures nearer = measure_walk_figures(low.meter);
    TEST_TRUE(nearer.edge_clearance.value < figures.edge_clearance.value);
    destroy_body(&low);
    destroy_body(&body);
}

static void treads_of_each_step_are_counted(void **state)
{
    (void)state;
    Body body;
    make_body(&body, 0.15, 0.3);
    sinew_Ground ground = { stairs_sample, NULL };
    look(&body, &ground);
    // the right foot stands at the bottom: one tread, two treads, back to the same level
    swing(&body, &ground, 0.38, 0.15, 0.05);
    measure_WalkFigures figures = measure_walk_figures(body.meter);
    TEST_INT(figures.stair_steps, 1);
    TEST_INT(figures.one_tread_steps, 1);
    swing(&body, &ground, 0.68, 0.15, 0.05);
    figures = measure_walk_figures(body.meter);
    TEST_INT(figures.stair_steps, 2);
    TEST_INT(figures.one_tread_steps, 1);
    swing(&body, &ground, 0.03, -0.3, 0.3);
    figures = measure_walk_figures(body.meter);
    TEST_INT(figures.stair_steps, 2); // both feet stand below the stairs
    destroy_body(&body);
}

TEST_MAIN(cmocka_unit_test(standing_still_is_all_zero),
    cmocka_unit_test(slide_is_from_where_a_point_was_first_held),
    cmocka_unit_test(of_feet_on_an_edge_that_edge_is_held),
    cmocka_unit_test(edges_that_sink_are_seen),
    cmocka_unit_test(stones_inside_the_outline_are_seen),
    cmocka_unit_test(toes_in_a_riser_are_as_deep_as_they_reach_in),
    cmocka_unit_test(feet_in_the_air_that_are_said_to_stand_float),
    cmocka_unit_test(acceleration_of_a_sine),
    cmocka_unit_test(joint_steps_are_for_a_sixtieth_of_a_second),
    cmocka_unit_test(missed_goals_limits_and_bad_numbers_are_counted),
    cmocka_unit_test(knees_that_point_back_or_aside_are_seen),
    cmocka_unit_test(clearance_is_that_of_the_middle_of_a_swing),
    cmocka_unit_test(edges_are_cleared_by_what_passes_over_them),
    cmocka_unit_test(treads_of_each_step_are_counted))
