// Legs and arms of three hinges in one point, a hinge and a tip: the closed form of the default method at
// the edges of what it reaches.

#include "bodies.h"

enum { JOINTS = 3, COORDINATES = 4, MIDDLE = 3 };

typedef struct Limb {
    sinew_Skeleton *skeleton;
    sinew_Solver *solver;
    sinew_Vec3 root;
    double upper, lower; // lengths of the bones
} Limb;

// a hinge without ends, or with
static sinew_Axis hinge(sinew_Vec3 axis, bool limited, double lower, double upper)
{
    return sinew_axis_hinge(axis, limited ? lower : -INFINITY, limited ? upper : INFINITY);
}

static Limb make(test_Random *random, bool limited)
{
    sinew_Vec3 x = { 1.0, 0.0, 0.0 }, y = { 0.0, 1.0, 0.0 }, z = { 0.0, 0.0, 1.0 };
    Limb limb = { .root = test_vector(random, 0.3),
        .upper = test_range(random, 0.2, 0.6),
        .lower = test_range(random, 0.2, 0.6) };
    bool twist_last = test_int(random, 2) == 0;
    sinew_Axis root[3] = { hinge(x, limited, -2.0, 1.5),
        hinge(twist_last ? z : y, limited, -1.2, 1.2),
        hinge(twist_last ? y : z, limited, -1.2, 1.2) };
    sinew_Axis middle = hinge(x, limited, 0.0, 2.6);
    sinew_JointDef joints[JOINTS];
    for (int j = 0; j < JOINTS; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = "joint";
        joints[j].parent = j - 1;
    }
    joints[0].offset = limb.root;
    joints[0].rest_rotation = test_unit_quat(random);
    joints[0].axes = root;
    joints[0].axis_count = 3;
    joints[1].offset = sinew_vec3(0.0, -limb.upper, 0.0);
    joints[1].axes = &middle;
    joints[1].axis_count = 1;
    joints[2].offset = sinew_vec3(0.0, -limb.lower, 0.0);
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, JOINTS, NULL, &limb.skeleton, &message), &message);
    limb.solver = body_solver(limb.skeleton, 1);
    return limb;
}

static void destroy(Limb *limb)
{
    sinew_solver_destroy(limb->solver);
    sinew_skeleton_destroy(limb->skeleton);
}

static void random_pose(const Limb *limb, test_Random *random, double *q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(limb->skeleton);
    for (int a = 0; a < COORDINATES; ++a) {
        q[a] = test_range(random, fmax(axes[a].lower, -3.0), fmin(axes[a].upper, 3.0));
    }
}

static sinew_Vec3 tip_at(const Limb *limb, const double *q)
{
    sinew_Transform world[JOINTS];
    sinew_pose_forward(limb->skeleton, q, world);
    return world[JOINTS - 1].position;
}

static sinew_Report solve(const Limb *limb, sinew_Vec3 target, double tolerance, double *q)
{
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    options.position_tolerance = tolerance;
    sinew_Goal goal = sinew_goal_position(JOINTS - 1, target);
    return body_solve(limb->solver, &options, &goal, 1, q);
}

// Stretched out, and folded, to the last bits of a number and a few beyond: the circles of the law of
// cosines touch, and rounding says that they miss each other.
static void test_full_stretch_and_full_fold(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(8101, i);
        Limb limb = make(&random, false);
        bool folded = i % 2 == 1;
        double length = folded ? fabs(limb.upper - limb.lower) : limb.upper + limb.lower;
        if (folded && length < 0.02) {
            destroy(&limb);
            continue;
        }
        int ulps = test_int(&random, 17) - 8;
        length *= 1.0 + ulps * 1.1102230246251565e-16;
        sinew_Vec3 target = sinew_vec3_add_scaled(limb.root, test_unit_vector(&random), length);
        double q[COORDINATES];
        random_pose(&limb, &random, q);
        sinew_Report r = solve(&limb, target, 1e-9, q);
        TEST_INT(r.outcome, SINEW_OUTCOME_CONVERGED);
        TEST_INT(r.iterations, 1);
        TEST_NEAR(sinew_vec3_distance(tip_at(&limb, q), target), 0.0, 1e-9);
        destroy(&limb);
    }
}

// Joints without ends reach every direction: where the third hinge stands in the way it moves, though no
// range of it begins there.
static void test_limb_without_limits_reaches_all_around(void **state)
{
    (void)state;
    for (int i = 0; i < 4000; ++i) {
        test_Random random = test_case(8102, i);
        Limb limb = make(&random, false);
        double short_reach = fabs(limb.upper - limb.lower), long_reach = limb.upper + limb.lower;
        double length = test_range(&random, short_reach + 1e-3, long_reach - 1e-3);
        sinew_Vec3 target = sinew_vec3_add_scaled(limb.root, test_unit_vector(&random), length);
        double q[COORDINATES];
        random_pose(&limb, &random, q);
        sinew_Report r = solve(&limb, target, 1e-9, q);
        TEST_INT(r.outcome, SINEW_OUTCOME_CONVERGED);
        TEST_TRUE(r.iterations <= 1);
        destroy(&limb);
    }
}

// Out of reach the limb points at its goal, stretched or folded as far as it goes, at once; and the same
// goal again moves nothing.
static void test_out_of_reach_points_at_the_goal(void **state)
{
    (void)state;
    int at_once = 0, limited_cases = 0;
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(8103, i);
        bool limited = i % 2 == 1;
        Limb limb = make(&random, limited);
        double q[COORDINATES], again[COORDINATES];
        random_pose(&limb, &random, q);
        // with limits: beyond a stretched pose, so that the direction is one that the root can take
        double made[COORDINATES];
        random_pose(&limb, &random, made);
        made[MIDDLE] = limited ? 0.0 : made[MIDDLE];
        sinew_Vec3 way = sinew_vec3_sub(tip_at(&limb, made), limb.root);
        double longest = limb.upper + limb.lower;
        double beyond = longest * pow(10.0, test_range(&random, -4.0, 0.5));
        sinew_Vec3 target = sinew_vec3_add_scaled(
            limb.root, sinew_vec3_normalize_or(way, way), longest + beyond);
        sinew_Report r = solve(&limb, target, 1e-6, q);
        TEST_INT(r.outcome, SINEW_OUTCOME_STALLED);
        TEST_NEAR(r.position_error, beyond, 1e-9);
        TEST_TRUE(sinew_pose_limit_violation(limb.skeleton, q) <= 0.0);
        if (limited) {
            ++limited_cases;
            at_once += r.iterations <= 1 ? 1 : 0;
        } else {
            TEST_INT(r.iterations, 1);
        }
        memcpy(again, q, sizeof again);
        (void)solve(&limb, target, 1e-6, again);
        TEST_TRUE(body_same_bits(q, again, COORDINATES));
        destroy(&limb);
    }
    print_message("    with limits: %d of %d at once\n", at_once, limited_cases);
    TEST_TRUE(at_once >= limited_cases * 99 / 100);
}

TEST_MAIN(cmocka_unit_test(test_full_stretch_and_full_fold),
    cmocka_unit_test(test_limb_without_limits_reaches_all_around),
    cmocka_unit_test(test_out_of_reach_points_at_the_goal))
