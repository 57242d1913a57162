// What a joint that turns freely can do exactly: the knee ring and the penultimate joint.

#include "bodies.h"

#define MAX_NUMBERS 256

static const sinew_Vec3 x_axis = { 1.0, 0.0, 0.0 }, y_axis = { 0.0, 1.0, 0.0 },
                        z_axis = { 0.0, 0.0, 1.0 };

// shoulder, elbow, wrist, tool: the wrist is a ball, three hinges, or hinges before a ball; the tool
// sits turned on the wrist by joints without axes
typedef enum WristKind { WRIST_BALL, WRIST_EULER, WRIST_PROPER, WRIST_SKEW, WRIST_MIXED } WristKind;
enum { WRIST_KINDS = 5 };

static sinew_Skeleton *make_arm(WristKind kind, bool limited, test_Random *random)
{
    sinew_Axis shoulder = sinew_axis_ball(), elbow = sinew_axis_hinge(z_axis, 0.1, 2.6);
    elbow.rest = 0.5;
    sinew_Axis wrist[3];
    int axis_count = 3;
    double reach = limited ? 0.6 : INFINITY;
    switch (kind) {
    case WRIST_BALL:
        wrist[0] = sinew_axis_ball();
        axis_count = 1;
        break;
    case WRIST_EULER:
        wrist[0] = sinew_axis_hinge(y_axis, -reach, reach);
        wrist[1] = sinew_axis_hinge(z_axis, -reach, reach);
        wrist[2] = sinew_axis_hinge(x_axis, -reach, reach);
        break;
    case WRIST_PROPER:
        wrist[0] = sinew_axis_hinge(z_axis, -reach, reach);
        wrist[1] = sinew_axis_hinge(x_axis, -reach, reach);
        wrist[2] = sinew_axis_hinge(z_axis, -reach, reach);
        break;
    case WRIST_SKEW: {
        // the middle axis across both others, which stand at any angle to each other
        sinew_Vec3 b = test_unit_vector(random);
        sinew_Vec3 a = sinew_vec3_normalize_or(sinew_vec3_cross(b, test_unit_vector(random)), b);
        sinew_Vec3 c = sinew_vec3_normalize_or(sinew_vec3_cross(b, test_unit_vector(random)), b);
        wrist[0] = sinew_axis_hinge(a, -reach, reach);
        wrist[1] = sinew_axis_hinge(b, -reach, reach);
        wrist[2] = sinew_axis_hinge(c, -reach, reach);
        break;
    }
    case WRIST_MIXED:
        wrist[0] = sinew_axis_hinge(y_axis, -reach, reach);
        wrist[1] = sinew_axis_ball();
        axis_count = 2;
        break;
    }
    sinew_JointDef joints[5];
    for (int j = 0; j < 5; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = "joint";
        joints[j].parent = j - 1;
        joints[j].rest_rotation = j == 1 ? sinew_quat_identity() : test_unit_quat(random);
        joints[j].offset = j == 0 ? test_vector(random, 1.0)
            : j < 3               ? sinew_vec3(j == 1 ? 0.3 : 0.27, 0.0, 0.0)
                                  : test_vector(random, 0.06);
    }
    joints[0].axes = &shoulder;
    joints[1].axes = &elbow;
    joints[2].axes = wrist;
    joints[0].axis_count = joints[1].axis_count = 1;
    joints[2].axis_count = axis_count;
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, 5, NULL, &skeleton, &message), &message);
    return skeleton;
}

/// Any joint that turns freely takes any rotation exactly, by the way that is nearest where none is
/// forbidden; others say that they cannot.
static void test_set_rotation(void **state)
{
    (void)state;
    int leaps = 0;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(1301, i);
        sinew_Skeleton *skeleton = make_arm((WristKind)(i % WRIST_KINDS), false, &random);
        double q[MAX_NUMBERS], before[MAX_NUMBERS], violation = -1.0;
        sinew_Transform world[5];
        body_random_pose(&random, skeleton, 8.0, q);
        memcpy(before, q, sizeof q);
        TEST_TRUE(sinew_joint_turns_freely(skeleton, 2));
        TEST_TRUE(!sinew_joint_turns_freely(skeleton, 1) && !sinew_joint_turns_freely(skeleton, 4));

        // a small turn of what is there moves little, unless the hinges stand near their pole
        sinew_pose_forward(skeleton, q, world);
        sinew_Quat near = sinew_quat_mul(
            sinew_quat_from_axis_angle(test_unit_vector(&random), 1e-6), world[2].rotation);
        TEST_OK(sinew_joint_set_rotation(skeleton, 2, near, q, &violation, NULL), NULL);
        TEST_NEAR(violation, 0.0, 0.0);
        leaps += body_largest_step(skeleton, before, q) > 1e-2;

        sinew_Quat wanted = test_unit_quat(&random);
        TEST_OK(sinew_joint_set_rotation(skeleton, 2, wanted, q, &violation, NULL), NULL);
        sinew_pose_forward(skeleton, q, world);
        TEST_QUAT_NEAR(world[2].rotation, wanted, 1e-12);
        TEST_NEAR(violation, 0.0, 0.0);
        for (int k = 0; k < sinew_skeleton_joints(skeleton)[2].coordinate_start; ++k) {
            TEST_TRUE(q[k] == before[k]);
        }
        TEST_INT(
            sinew_joint_set_rotation(skeleton, 1, wanted, q, NULL, NULL), SINEW_STATUS_UNSUPPORTED);
        TEST_INT(sinew_joint_set_rotation(skeleton, 7, wanted, q, NULL, NULL),
            SINEW_STATUS_INVALID_ARGUMENT);
        wanted.x = NAN;
        TEST_INT(sinew_joint_set_rotation(skeleton, 2, wanted, q, NULL, NULL),
            SINEW_STATUS_INVALID_ARGUMENT);
        sinew_skeleton_destroy(skeleton);
    }
    TEST_TRUE(leaps <= 3);
}

// ---------------------------------------------------------------------------------------------
// The penultimate joint

static sinew_Goal random_pose_goal(test_Random *random, const sinew_Skeleton *skeleton)
{
    double q[MAX_NUMBERS];
    sinew_Transform world[BODY_MAX_JOINTS];
    body_random_pose(random, skeleton, 3.0, q);
    sinew_pose_forward(skeleton, q, world);
    sinew_Goal goal = sinew_goal_pose(4, world[4].position, world[4].rotation);
    if (test_int(random, 2)) {
        goal.joint_from_effector = test_transform(random, 0.05);
        sinew_Transform effector = sinew_transform_mul(world[4], goal.joint_from_effector);
        goal.position = effector.position;
        goal.orientation = sinew_quat_normalize(effector.rotation);
    }
    return goal;
}

/// MODE-4: with three free, unlimited rotations at the wrist, position solves alone bring the
/// effector within 1e-3 m, and its orientation is exact to 1e-9 rad; wherever the shoulder turns
/// freely too, that is always.
static void test_penultimate_mode4(void **state)
{
    (void)state;
    static const sinew_Method methods[3] = { SINEW_METHOD_DAMPED, SINEW_METHOD_PSEUDO_INVERSE,
        SINEW_METHOD_CCD };
    int met[3] = { 0 }, count[3] = { 0 };
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(1302, i);
        sinew_Skeleton *skeleton = make_arm((WristKind)(i % WRIST_KINDS), false, &random);
        sinew_Solver *solver = body_solver(skeleton, 1);
        int m = (i / WRIST_KINDS) % 3;
        sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
        options.restarts = 4;
        sinew_Goal goal = random_pose_goal(&random, skeleton);
        double q[MAX_NUMBERS];
        body_random_pose(&random, skeleton, 3.0, q);
        sinew_Report report;
        sinew_Message message = { "" };
        bool exact = false;
        TEST_OK(
            sinew_solver_solve_penultimate(solver, &options, &goal, q, &report, &exact, &message),
            &message);
        sinew_Transform world[5];
        sinew_pose_forward(skeleton, q, world);
        sinew_Transform effector = sinew_transform_mul(world[4], goal.joint_from_effector);
        TEST_TRUE(exact);
        TEST_TRUE(
            sinew_quat_angle(sinew_quat_normalize(effector.rotation), goal.orientation) < 1e-9);
        TEST_TRUE(report.orientation_error < 1e-7);
        TEST_NEAR(
            report.position_error, sinew_vec3_distance(effector.position, goal.position), 1e-12);
        ++count[m];
        met[m] += report.outcome == SINEW_OUTCOME_CONVERGED && report.position_error <= 1e-3;
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    for (int m = 0; m < 3; ++m) {
        print_message("%s: %d of %d\n", sinew_method_name(methods[m]), met[m], count[m]);
        TEST_INT(met[m], count[m]);
    }
}

/// MODE-4: where the wrist is limited the answer is verified: it stays inside, says whether it is
/// exact, and a full solve goes on where it is not. Chains that cannot do it refuse.
static void test_penultimate_limited_mode4(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    const sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *solver = body_solver(skeleton, 1);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.restarts = 8;
    int exact_count = 0, met = 0, free_count = 0;
    for (int i = 0; i < 1000; ++i) {
        scene_Random random = scene_random(1303 + (uint64_t)i);
        double q[MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        scene_random_pose(scene, &random, q);
        sinew_pose_forward(skeleton, q, world);
        int grip = scene->effectors[0].joint;
        sinew_Goal goal = sinew_goal_pose(grip, world[grip].position, world[grip].rotation);
        scene_random_pose(scene, &random, q);
        sinew_Report report;
        bool exact = false;
        TEST_OK(sinew_solver_solve_penultimate(solver, &options, &goal, q, &report, &exact, NULL),
            NULL);
        TEST_TRUE(sinew_pose_limit_violation(skeleton, q) <= 0.0);
        sinew_pose_forward(skeleton, q, world);
        double angle = sinew_quat_angle(
            sinew_quat_normalize(world[grip].rotation), sinew_quat_normalize(goal.orientation));
        TEST_NEAR(report.orientation_error, angle, 1e-6);
        if (exact) { TEST_TRUE(angle < 1e-9); }
        exact_count += exact;
        met += report.outcome == SINEW_OUTCOME_CONVERGED;

        // without limits nothing stands in the way
        options.limits = SINEW_LIMITS_NONE;
        TEST_OK(sinew_solver_solve_penultimate(solver, &options, &goal, q, &report, &exact, NULL),
            NULL);
        TEST_TRUE(exact);
        free_count += report.outcome == SINEW_OUTCOME_CONVERGED;
        options.limits = SINEW_LIMITS_ACTIVE;
    }
    print_message("of 1000: %d exact, %d met; %d without limits\n", exact_count, met, free_count);
    TEST_TRUE(exact_count > 20 && exact_count < 900 && met >= 985);
    TEST_INT(free_count, 1000);

    // refusals leave q alone
    double q[MAX_NUMBERS], kept[MAX_NUMBERS];
    sinew_pose_middle(skeleton, q);
    memcpy(kept, q, sizeof q);
    sinew_Message message = { "" };
    int grip = scene->effectors[0].joint;
    sinew_Vec3 place = { 0.3, 1.2, 0.2 };
    sinew_Goal goal = sinew_goal_position(grip, place);
    TEST_INT(sinew_solver_solve_penultimate(solver, &options, &goal, q, NULL, NULL, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    goal = sinew_goal_pose(grip, place, sinew_quat_identity());
    goal.chain_root = sinew_skeleton_find_joint(skeleton, "Wrist");
    TEST_INT(sinew_solver_solve_penultimate(solver, &options, &goal, q, NULL, NULL, &message),
        SINEW_STATUS_UNSUPPORTED);
    goal = sinew_goal_pose(sinew_skeleton_find_joint(skeleton, "Elbow"), place, goal.orientation);
    TEST_INT(sinew_solver_solve_penultimate(solver, &options, &goal, q, NULL, NULL, &message),
        SINEW_STATUS_UNSUPPORTED);
    goal = sinew_goal_pose(grip, sinew_vec3(NAN, 0.0, 0.0), goal.orientation);
    TEST_INT(sinew_solver_solve_penultimate(solver, &options, &goal, q, NULL, NULL, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    goal = sinew_goal_pose(1000, place, goal.orientation);
    TEST_INT(sinew_solver_solve_penultimate(solver, &options, &goal, q, NULL, NULL, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(body_same_bits(q, kept, sinew_skeleton_coordinate_count(skeleton)));

    double mobility[MAX_NUMBERS];
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) { mobility[a] = 1.0; }
    int wrist = sinew_skeleton_find_joint(skeleton, "Wrist");
    mobility[sinew_skeleton_joints(skeleton)[wrist].axis_start + 1] = 0.0;
    TEST_OK(sinew_solver_set_mobility(solver, mobility), NULL);
    goal = sinew_goal_pose(grip, place, goal.orientation);
    TEST_INT(sinew_solver_solve_penultimate(solver, &options, &goal, q, NULL, NULL, &message),
        SINEW_STATUS_UNSUPPORTED);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// The knee ring

/// MODE-7: over 360 swivels of a leg the heel stays within 1e-9 and the knee is on the ring; a full
/// turn comes back. Legs of three hinges and of a ball; 1000 poses.
static void test_knee_ring_mode7(void **state)
{
    (void)state;
    scene_Scene *leg = body_scene("LEG");
    int hip = sinew_skeleton_find_joint(leg->skeleton, "Hip");
    int knee = sinew_skeleton_find_joint(leg->skeleton, "Knee");
    int heel = sinew_skeleton_find_joint(leg->skeleton, "Heel");
    int inside = 0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(1304, i);
        sinew_Skeleton *other = i % 2 ? make_arm((WristKind)(i % WRIST_KINDS), false, &random)
                                      : NULL;
        const sinew_Skeleton *skeleton = other != NULL ? other : leg->skeleton;
        int root = other != NULL ? 0 : hip, middle = other != NULL ? 1 : knee;
        int tip = other != NULL ? 2 : heel;
        double q[MAX_NUMBERS], turned[MAX_NUMBERS];
        body_random_pose(&random, skeleton, 2.0, q);
        sinew_Transform world[BODY_MAX_JOINTS];
        sinew_pose_forward(skeleton, q, world);
        sinew_Vec3 point = test_vector(&random, 0.05);
        sinew_Vec3 held = sinew_transform_point(world[tip], point);
        sinew_Ring ring;
        sinew_Message message = { "" };
        TEST_OK(sinew_ring_find(skeleton, q, root, middle, tip, point, &ring, &message), &message);
        TEST_VEC3_NEAR(sinew_ring_point(&ring, 0.0), world[middle].position, 1e-12);
        int step = i < 20 ? 1 : 45;
        memcpy(turned, q, sizeof q);
        for (int degree = 0; degree <= 360; degree += step) {
            double swivel = degree * SINEW_PI / 180.0, violation = -1.0;
            TEST_OK(
                sinew_ring_pose(skeleton, &ring, swivel, turned, &violation, &message), &message);
            sinew_pose_forward(skeleton, turned, world);
            TEST_VEC3_NEAR(sinew_transform_point(world[tip], point), held, 1e-9);
            sinew_Vec3 place = world[middle].position;
            TEST_VEC3_NEAR(place, sinew_ring_point(&ring, swivel), 1e-9);
            sinew_Vec3 spoke = sinew_vec3_sub(place, ring.center);
            TEST_NEAR(sinew_vec3_length(spoke), ring.radius, 1e-9);
            TEST_NEAR(sinew_vec3_dot(spoke, ring.axis), 0.0, 1e-9);
            if (violation == 0.0) {
                ++inside;
                TEST_TRUE(sinew_pose_limit_violation(skeleton, turned) <= 1e-12);
            } else {
                TEST_NEAR(sinew_pose_limit_violation(skeleton, turned), violation, 1e-9);
            }
        }
        sinew_skeleton_destroy(other);
    }
    TEST_TRUE(inside > 1000);

    // a stretched limb has a ring without width; joints out of order and a folded limb have none
    double q[MAX_NUMBERS];
    sinew_pose_rest(leg->skeleton, q);
    int ankle = sinew_skeleton_find_joint(leg->skeleton, "Ankle");
    sinew_Vec3 origin = { 0.0, 0.0, 0.0 };
    sinew_Ring ring;
    TEST_OK(sinew_ring_find(leg->skeleton, q, hip, knee, ankle, origin, &ring, NULL), NULL);
    TEST_NEAR(ring.radius, 0.0, 1e-12);
    TEST_OK(sinew_ring_pose(leg->skeleton, &ring, 1.0, q, NULL, NULL), NULL);
    TEST_INT(sinew_ring_find(leg->skeleton, q, knee, hip, ankle, origin, &ring, NULL),
        SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_ring_find(leg->skeleton, q, knee, ankle, heel, origin, &ring, NULL),
        SINEW_STATUS_UNSUPPORTED);
    sinew_Transform world[BODY_MAX_JOINTS];
    sinew_pose_forward(leg->skeleton, q, world);
    sinew_Vec3 back = sinew_transform_point(
        sinew_transform_inverse(world[ankle]), world[hip].position);
    TEST_INT(sinew_ring_find(leg->skeleton, q, hip, knee, ankle, back, &ring, NULL),
        SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(
        sinew_ring_pose(leg->skeleton, &ring, NAN, q, NULL, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    const sinew_Ring no_ring = { .root = ring.root, .middle = ring.middle, .tip = ring.tip };
    TEST_INT(sinew_ring_pose(leg->skeleton, &no_ring, 1.0, q, NULL, NULL),
        SINEW_STATUS_INVALID_ARGUMENT);
    scene_destroy(leg);
}

// Hinges whose ranges lie whole turns away take a rotation inside them, from wherever they stand.
static void test_set_rotation_finds_full_turns(void **state)
{
    (void)state;
    for (int i = 0; i < 500; ++i) {
        test_Random random = test_case(4410, i);
        static const sinew_Vec3 directions[3] = { { 0.0, 0.0, 1.0 }, { 1.0, 0.0, 0.0 },
            { 0.0, 1.0, 0.0 } };
        sinew_Axis axes[3];
        for (int a = 0; a < 3; ++a) {
            // the outer ones anywhere, the middle one on this side of its poles
            double middle = a == 1 ? 0.0 : test_range(&random, -9.0, 9.0);
            axes[a] = sinew_axis_hinge(directions[a], middle - 1.4, middle + 1.4);
            axes[a].rest = middle;
        }
        sinew_JointDef joint = sinew_joint_def_default();
        joint.axes = axes;
        joint.axis_count = 3;
        sinew_Skeleton *skeleton = NULL;
        TEST_OK(sinew_skeleton_create(&joint, 1, NULL, &skeleton, NULL), NULL);
        double wanted[3], q[3], violation = 1.0;
        for (int a = 0; a < 3; ++a) {
            wanted[a] = test_range(&random, axes[a].lower, axes[a].upper);
            // some start up to a turn outside
            q[a] = axes[a].rest + (i % 2 == 0 ? 0.0 : test_range(&random, -4.0, 4.0));
        }
        sinew_Transform world, found;
        sinew_pose_forward(skeleton, wanted, &world);
        TEST_OK(sinew_joint_set_rotation(skeleton, 0, world.rotation, q, &violation, NULL), NULL);
        sinew_pose_forward(skeleton, q, &found);
        TEST_TRUE(sinew_quat_angle(world.rotation, found.rotation) < 1e-7);
        TEST_NEAR(violation, 0.0, 1e-9);
        TEST_ARRAY_NEAR(q, wanted, 3, 1e-6);
        sinew_skeleton_destroy(skeleton);
    }
}

TEST_MAIN(cmocka_unit_test(test_set_rotation_finds_full_turns), cmocka_unit_test(test_set_rotation),
    cmocka_unit_test(test_penultimate_mode4), cmocka_unit_test(test_penultimate_limited_mode4),
    cmocka_unit_test(test_knee_ring_mode7))
