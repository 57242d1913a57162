// Limbs whose root is a ball with a human limit, by the closed form of the default method.

#include "bodies.h"
#include "limit_shapes.h"

#include "sinew/solver.h"

enum { COORDINATES = 5 };

// A ball with a limit, a hinge that bends one way, and a tip. The upper bone is the limit's bone, so
// that the neutral frame is that of the socket.
static sinew_Skeleton *make_limb(test_Random *random, const sinew_BallLimit *limit)
{
    sinew_Axis ball = sinew_axis_ball();
    ball.limit = limit;
    sinew_Vec3 z = { 0.0, 0.0, 1.0 };
    sinew_Vec3 across = sinew_vec3_normalize_or(
        sinew_vec3(0.1 * test_range(random, -1.0, 1.0), test_range(random, -1.0, 1.0), 1.0), z);
    double lower = test_range(random, 0.0, 0.1), upper = test_range(random, 1.5, 2.7);
    sinew_Axis hinge = sinew_axis_hinge(across, lower, upper);
    hinge.rest = lower;
    sinew_JointDef joints[3] = { sinew_joint_def_default(), sinew_joint_def_default(),
        sinew_joint_def_default() };
    joints[0].name = "root";
    joints[0].offset = test_vector(random, 0.3);
    joints[0].rest_rotation = test_unit_quat(random);
    joints[0].axes = &ball;
    joints[0].axis_count = 1;
    joints[1].name = "middle";
    joints[1].parent = 0;
    joints[1].offset = sinew_vec3(test_range(random, 0.2, 0.5), 0.0, 0.0);
    joints[1].axes = &hinge;
    joints[1].axis_count = 1;
    joints[2].name = "tip";
    joints[2].parent = 1;
    joints[2].offset = sinew_vec3(test_range(random, 0.2, 0.5), 0.02, 0.0);
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, 3, NULL, &skeleton, &message), &message);
    return skeleton;
}

static void pose_inside(const sinew_Skeleton *skeleton, test_Random *random, double *q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    sinew_Quat ball = shape_pose_inside(axes[0].limit, random);
    q[0] = ball.x;
    q[1] = ball.y;
    q[2] = ball.z;
    q[3] = ball.w;
    q[4] = test_range(random, axes[1].lower, axes[1].upper);
}

static sinew_Goal goal_of(const sinew_Skeleton *skeleton, const double *q)
{
    sinew_Transform world[3];
    sinew_pose_forward(skeleton, q, world);
    return sinew_goal_position(2, world[2].position);
}

// reachable goals are met at once, from anywhere, within the limits
static void test_meets_reachable_goals(void **state)
{
    (void)state;
    int at_once = 0, cases = 0;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_BallLimit *limit = shape_star(shape, SINEW_RESPONSE_ARC);
        for (int i = 0; i < 400; ++i) {
            test_Random random = test_case(7100 + (uint64_t)shape, i);
            sinew_Skeleton *skeleton = make_limb(&random, limit);
            sinew_Solver *solver = body_solver(skeleton, 1);
            sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
            options.position_tolerance = 1e-9;
            double made[COORDINATES], q[COORDINATES];
            pose_inside(skeleton, &random, made);
            pose_inside(skeleton, &random, q);
            sinew_Goal goal = goal_of(skeleton, made);
            sinew_Report report = body_solve(solver, &options, &goal, 1, q);
            TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
            TEST_TRUE(report.limit_violation <= 1e-12);
            TEST_NEAR(sinew_vec3_distance(goal_of(skeleton, q).position, goal.position), 0.0, 1e-9);
            at_once += report.iterations <= 1 ? 1 : 0;
            ++cases;
            sinew_solver_destroy(solver);
            sinew_skeleton_destroy(skeleton);
        }
        sinew_ball_limit_destroy(limit);
    }
    print_message("in closed form: %d of %d\n", at_once, cases);
    TEST_TRUE(at_once >= cases * 97 / 100);
}

// a goal that moves a little moves the joints a little, and the limb keeps its bits at rest
static void test_follows_smoothly(void **state)
{
    (void)state;
    sinew_BallLimit *limit = shape_star(SHAPE_HIP, SINEW_RESPONSE_ARC);
    int leaps = 0, told = 0, frames = 0;
    for (int i = 0; i < 40; ++i) {
        test_Random random = test_case(7200, i);
        sinew_Skeleton *skeleton = make_limb(&random, limit);
        sinew_Solver *solver = body_solver(skeleton, 1);
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
        options.position_tolerance = 1e-6;
        double a[COORDINATES], b[COORDINATES], q[COORDINATES], last[COORDINATES];
        pose_inside(skeleton, &random, a);
        pose_inside(skeleton, &random, b);
        memcpy(q, a, sizeof q);
        for (int f = 0; f <= 500; ++f) {
            // goals between two poses, by way of the joints, so that they are near reach
            double between[COORDINATES];
            sinew_Quat from = { a[0], a[1], a[2], a[3] }, to = { b[0], b[1], b[2], b[3] };
            sinew_Quat ball = sinew_quat_slerp(from, to, f / 500.0);
            between[0] = ball.x;
            between[1] = ball.y;
            between[2] = ball.z;
            between[3] = ball.w;
            between[4] = a[4] + (b[4] - a[4]) * f / 500.0;
            sinew_Goal goal = goal_of(skeleton, between);
            memcpy(last, q, sizeof q);
            sinew_Report report = body_solve(solver, &options, &goal, 1, q);
            ++frames;
            double step = body_largest_step(skeleton, last, q);
            if (step > 0.3) {
                ++leaps;
                told += report.branch_change ? 1 : 0;
            }
            memcpy(last, q, sizeof q);
            if (report.outcome != SINEW_OUTCOME_CONVERGED) { continue; }
            (void)body_solve(solver, &options, &goal, 1, q);
            TEST_TRUE(body_same_bits(last, q, COORDINATES));
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    sinew_ball_limit_destroy(limit);
    print_message("%d leaps in %d frames, %d told\n", leaps, frames, told);
    TEST_INT(leaps, told);
    TEST_TRUE(leaps <= frames / 500);
}

TEST_MAIN(cmocka_unit_test(test_meets_reachable_goals), cmocka_unit_test(test_follows_smoothly))
