// Limbs that are straight bend when their goals come nearer, though no gradient leads there.

#include "bodies.h"

#include "scenes/build.h"

enum { JOINTS = 7, FEET = 2, GOALS = 3, NUMBERS = 24 };

static const double bone = 0.43, pelvis = 0.86;

// pelvis that may go anywhere, two straight legs; knees are hinges, or balls like the hips
static sinew_Skeleton *make_biped(bool balls)
{
    sinew_JointDef joints[JOINTS];
    sinew_Axis root[4] = { sinew_axis_slide(scene_x), sinew_axis_slide(scene_y),
        sinew_axis_slide(scene_z), sinew_axis_ball() };
    sinew_Axis hip[3] = { sinew_axis_hinge(scene_z, -0.8, 0.8),
        sinew_axis_hinge(scene_x, -2.1, 0.5), sinew_axis_hinge(scene_y, -0.8, 0.8) };
    sinew_Axis knee = sinew_axis_hinge(scene_x, 0.0, 2.5), ball = sinew_axis_ball();
    root[1].rest = pelvis;
    for (int j = 0; j < JOINTS; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = "joint";
        joints[j].parent = (j - 1) % 3 == 0 ? 0 : j - 1;
        joints[j].offset = sinew_vec3(0.0, -bone, 0.0);
    }
    joints[0].offset = sinew_vec3(0.0, 0.0, 0.0);
    joints[0].axes = root;
    joints[0].axis_count = 4;
    for (int f = 0; f < FEET; ++f) {
        sinew_JointDef *leg = &joints[1 + 3 * f];
        leg[0].offset = sinew_vec3(f == 0 ? 0.09 : -0.09, 0.0, 0.0);
        leg[0].axes = balls ? &ball : hip;
        leg[0].axis_count = balls ? 1 : 3;
        leg[1].axes = balls ? &ball : &knee;
        leg[1].axis_count = 1;
    }
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, JOINTS, NULL, &skeleton, NULL), NULL);
    return skeleton;
}

// the pelvis and both feet where they are at rest
static void rest_goals(const sinew_Skeleton *skeleton, double *q, sinew_Goal goals[GOALS])
{
    sinew_Transform world[JOINTS];
    sinew_pose_rest(skeleton, q);
    sinew_pose_forward(skeleton, q, world);
    goals[0] = sinew_goal_position(0, world[0].position);
    for (int f = 0; f < FEET; ++f) {
        goals[1 + f] = sinew_goal_position(3 + 3 * f, world[3 + 3 * f].position);
    }
}

static sinew_SolveOptions follow_options(void)
{
    sinew_SolveOptions o = sinew_solve_options_default(SINEW_METHOD_AUTO);
    o.restarts = 0;
    return o;
}

// how far a knee is before the line from hip to ankle, metres
static double knee_forward(const sinew_Skeleton *skeleton, const double *q, int foot)
{
    sinew_Transform world[JOINTS];
    sinew_pose_forward(skeleton, q, world);
    const sinew_Transform *leg = &world[1 + 3 * foot];
    return leg[1].position.z - 0.5 * (leg[0].position.z + leg[2].position.z);
}

/// Feet up, or the pelvis down: the legs bend in one frame, knees forward.
static void test_straight_legs_bend(void **state)
{
    (void)state;
    for (int balls = 0; balls < 2; ++balls) {
        sinew_Skeleton *skeleton = make_biped(balls == 1);
        sinew_Solver *solver = body_solver(skeleton, GOALS);
        sinew_SolveOptions o = follow_options();
        for (int mode = 0; mode < 4; ++mode) {
            sinew_Goal goals[GOALS];
            double q[NUMBERS];
            rest_goals(skeleton, q, goals);
            // both feet, one foot, the pelvis, and legs of their own
            if (mode == 2) { goals[0].position.y -= 0.05; }
            for (int f = 0; f < FEET && mode != 2; ++f) {
                if (mode != 1 || f == 0) { goals[1 + f].position.y += 0.05; }
                if (mode == 3) { goals[1 + f].chain_root = 1 + 3 * f; }
            }
            sinew_Report r = body_solve(
                solver, &o, mode == 3 ? &goals[1] : goals, mode == 3 ? FEET : GOALS, q);
            print_message("    %s, mode %d: %.4f mm, %d iterations\n", balls ? "balls" : "hinges",
                mode, 1e3 * r.position_error, r.iterations);
            TEST_INT(r.outcome, SINEW_OUTCOME_CONVERGED);
            // well inside the tolerance of a millimetre
            TEST_TRUE(r.position_error <= 5e-5);
            // one foot may also rise by a tilted pelvis
            for (int f = 0; f < FEET && mode != 1; ++f) {
                TEST_TRUE(knee_forward(skeleton, q, f) > 0.05);
            }
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

/// A pelvis that goes down and up again over feet that stay: the pose moves evenly.
static void test_squat_is_even(void **state)
{
    (void)state;
    for (int balls = 0; balls < 2; ++balls) {
        sinew_Skeleton *skeleton = make_biped(balls == 1);
        sinew_Solver *solver = body_solver(skeleton, GOALS);
        sinew_SolveOptions o = follow_options();
        o.position_tolerance = 1e-4;
        sinew_Goal goals[GOALS];
        double q[NUMBERS], before[NUMBERS], worst = 0.0, step = 0.0;
        rest_goals(skeleton, q, goals);
        for (int frame = 0; frame < 240; ++frame) {
            double s, c;
            sinew_sincos(2.0 * SINEW_PI * frame / 120.0, &s, &c);
            goals[0].position.y = pelvis - 0.15 * (1.0 - c);
            memcpy(before, q, sizeof q);
            sinew_Report r = body_solve(solver, &o, goals, GOALS, q);
            worst = fmax(worst, r.position_error);
            step = fmax(step, body_largest_step(skeleton, before, q));
            TEST_TRUE(knee_forward(skeleton, q, 0) > -1e-3);
        }
        print_message("    %s: error %.3f mm, step %.3f rad\n", balls ? "balls" : "hinges",
            1e3 * worst, step);
        TEST_TRUE(worst <= 3e-4);
        TEST_TRUE(step <= 0.3);
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

/// What is no saddle is left as it is: legs pulled beyond reach stay straight, to the bit.
static void test_stretched_legs_stay_straight(void **state)
{
    (void)state;
    for (int balls = 0; balls < 2; ++balls) {
        sinew_Skeleton *skeleton = make_biped(balls == 1);
        sinew_Solver *solver = body_solver(skeleton, GOALS);
        sinew_SolveOptions o = follow_options();
        sinew_Goal goals[GOALS];
        double q[NUMBERS], before[NUMBERS];
        rest_goals(skeleton, q, goals);
        for (int f = 0; f < FEET; ++f) {
            goals[1 + f].position.y -= 0.1;
            goals[1 + f].chain_root = 1 + 3 * f;
        }
        memcpy(before, q, sizeof q);
        sinew_Report r = body_solve(solver, &o, &goals[1], FEET, q);
        TEST_NEAR(r.position_error, 0.1, 1e-9);
        TEST_TRUE(body_same_bits(q, before, sinew_skeleton_coordinate_count(skeleton)));
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

TEST_MAIN(cmocka_unit_test(test_straight_legs_bend), cmocka_unit_test(test_squat_is_even),
    cmocka_unit_test(test_stretched_legs_stay_straight))
