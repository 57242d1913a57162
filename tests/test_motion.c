// The options for frames of a motion: turns of whole joints are bounded, still goals give still poses,
// a frame beyond reach costs little more than one within.

#include "bodies.h"

enum { JOINTS = 12, GOALS = 3 };

static sinew_Transform world_of(const sinew_Skeleton *skeleton, const double *q, int joint)
{
    sinew_Transform world[JOINTS];
    sinew_pose_forward(skeleton, q, world);
    int parent = sinew_skeleton_joints(skeleton)[joint].parent;
    if (parent < 0) { return world[joint]; }
    return sinew_transform_mul(sinew_transform_inverse(world[parent]), world[joint]);
}

static double largest_turn(const sinew_Skeleton *skeleton, const double *a, const double *b)
{
    double largest = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        largest = fmax(largest,
            sinew_quat_angle(world_of(skeleton, a, j).rotation, world_of(skeleton, b, j).rotation));
    }
    return largest;
}

/// MULTI-2: goals leap about, within reach and far beyond: no joint turns faster than the rate, whatever its axes
/// are, and the report is true.
static void test_turn_rate_holds(void **state)
{
    (void)state;
    double most = 0.0, frame_time = 1.0 / 60.0;
    for (int i = 0; i < 300; ++i) {
        test_Random random = test_case(7401, i);
        // chains and trees of hinges, and bodies with balls
        unsigned kinds = i % 3 == 0 ? BODY_EVERYTHING & ~(unsigned)BODY_SLIDE
                                    : BODY_HINGE | BODY_LIMITS;
        sinew_Skeleton *skeleton = body_random(&random, JOINTS, kinds);
        sinew_Solver *solver = body_solver(skeleton, GOALS);
        sinew_SolveOptions o = sinew_solve_options_motion(frame_time);
        double q[BODY_MAX_NUMBERS], before[BODY_MAX_NUMBERS], other[BODY_MAX_NUMBERS];
        sinew_Transform world[JOINTS];
        body_random_pose(&random, skeleton, 1.0, q);
        sinew_Goal goals[GOALS];
        int count = i % 2 == 0 ? 1 : GOALS;
        body_random_pose(&random, skeleton, 1.5, other);
        sinew_pose_forward(skeleton, other, world);
        for (int g = 0; g < count; ++g) {
            goals[g] = body_random_goal(&random, skeleton, world, true);
        }
        for (int frame = 0; frame < 12; ++frame) {
            for (int g = 0; g < count && frame % 4 == 0; ++g) {
                goals[g].position = test_vector(&random, frame % 8 == 0 ? 1.0 : 5.0);
            }
            memcpy(before, q, sizeof q);
            sinew_Report r = body_solve(solver, &o, goals, count, q);
            double turn = largest_turn(skeleton, before, q);
            TEST_TRUE(turn <= 18.0 * frame_time + 1e-9);
            most = fmax(most, turn);
            sinew_pose_forward(skeleton, q, world);
            double error = 0.0;
            for (int g = 0; g < count; ++g) {
                sinew_Transform at = sinew_transform_mul(
                    world[goals[g].joint], goals[g].joint_from_effector);
                if (goals[g].kind == SINEW_GOAL_ORIENTATION) { continue; }
                error = fmax(error, sinew_vec3_distance(at.position, goals[g].position));
            }
            TEST_NEAR(r.position_error, error, 1e-9 * (1.0 + error));
            TEST_TRUE(r.objective <= r.start_objective * (1.0 + 1e-12));
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    print_message("    largest turn %.4f rad a frame\n", most);
    TEST_TRUE(most > 0.29);
}

/// A body whose goals rest beyond its reach comes to rest, to the bit.
static void test_still_goals_give_still_poses(void **state)
{
    (void)state;
    int slowest = 0;
    for (int i = 0; i < 60; ++i) {
        test_Random random = test_case(7402, i);
        sinew_Skeleton *skeleton = body_random(
            &random, JOINTS, i % 2 == 0 ? BODY_HINGE | BODY_LIMITS : BODY_HINGE | BODY_BALL);
        sinew_Solver *solver = body_solver(skeleton, GOALS);
        sinew_SolveOptions o = sinew_solve_options_motion(1.0 / 60.0);
        double q[BODY_MAX_NUMBERS], before[BODY_MAX_NUMBERS];
        sinew_Transform world[JOINTS];
        body_random_pose(&random, skeleton, 0.5, q);
        sinew_pose_forward(skeleton, q, world);
        sinew_Goal goals[GOALS];
        for (int g = 0; g < GOALS; ++g) {
            goals[g] = body_random_goal(&random, skeleton, world, false);
            goals[g].position = test_vector(&random, 3.0);
        }
        int moved = 0;
        for (int frame = 1; frame <= 600; ++frame) {
            memcpy(before, q, sizeof q);
            body_solve(solver, &o, goals, GOALS, q);
            if (!body_same_bits(before, q, sinew_skeleton_coordinate_count(skeleton))) {
                moved = frame;
            }
        }
        slowest = moved > slowest ? moved : slowest;
        TEST_TRUE(moved < 600);
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    print_message("    at rest after %d frames\n", slowest);
}

TEST_MAIN(
    cmocka_unit_test(test_turn_rate_holds), cmocka_unit_test(test_still_goals_give_still_poses))
