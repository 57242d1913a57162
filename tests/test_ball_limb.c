// Limbs whose root is a ball with a human limit, by the closed form of the default method: to a place by a
// hinge, and to a pose by a hinge or a ball in the middle and a ball at the end.

#include "bodies.h"
#include "limit_shapes.h"

#include "scenes/reckoning.h"
#include "sinew/answers.h"

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

// One attempt may answer in closed form, and so leap to where limits leave a way; the options for motion
// take each step within their bound all the same, whether the branch leads to the goal or not.
static void test_motion_options_bound_the_step(void **state)
{
    (void)state;
    const double most = 18.0 / 60.0;
    int leaps = 0, stuck = 0, cases = 0;
    double largest = 0.0;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_BallLimit *limit = shape_star(shape, SINEW_RESPONSE_ARC);
        for (int i = 0; i < 100; ++i) {
            test_Random random = test_case(7250 + (uint64_t)shape, i);
            sinew_Skeleton *skeleton = make_limb(&random, limit);
            sinew_Solver *solver = body_solver(skeleton, 1);
            double made[COORDINATES], q[COORDINATES], last[COORDINATES], start[COORDINATES];
            pose_inside(skeleton, &random, made);
            pose_inside(skeleton, &random, start);
            sinew_Goal goal = goal_of(skeleton, made);

            sinew_SolveOptions once = sinew_solve_options_default(SINEW_METHOD_AUTO);
            once.restarts = 0;
            memcpy(q, start, sizeof q);
            (void)body_solve(solver, &once, &goal, 1, q);
            leaps += body_largest_step(skeleton, start, q) > most ? 1 : 0;

            sinew_SolveOptions motion = sinew_solve_options_motion(1.0 / 60.0);
            memcpy(q, start, sizeof q);
            sinew_Report report = { 0 };
            for (int frame = 0; frame < 40; ++frame) {
                memcpy(last, q, sizeof q);
                report = body_solve(solver, &motion, &goal, 1, q);
                double step = body_largest_step(skeleton, last, q);
                TEST_TRUE(step <= most + 1e-9);
                largest = fmax(largest, step);
            }
            stuck += report.outcome != SINEW_OUTCOME_CONVERGED ? 1 : 0;
            ++cases;
            sinew_solver_destroy(solver);
            sinew_skeleton_destroy(skeleton);
        }
        sinew_ball_limit_destroy(limit);
    }
    print_message(
        "of %d goals one solve leaps to %d; in motion %.3f rad a frame at most, %d not met\n",
        cases, leaps, largest, stuck);
    // the test is about something
    TEST_TRUE(leaps > cases / 2);
    TEST_TRUE(stuck > 0);
    TEST_TRUE(largest > 0.99 * most);
}

// ---------------------------------------------------------------------------------------------
// To a pose

enum { ROOT, MIDDLE, END, TIP, POSE_JOINTS };

typedef struct Limits {
    sinew_BallLimit *root, *middle, *end;
} Limits;

// what an elbow lets a ball do: a band of bends, a little aside, and some twist. Its neutral x is the
// upper bone, its bone's x the lower one.
static sinew_BallLimit *make_elbow(sinew_Vec3 upper, sinew_Vec3 lower)
{
    double azimuths[6], swings[6];
    static const double bends[3] = { -5.0, 70.0, 150.0 };
    sinew_Vec3 rays[6], center = { cos(1.2), sin(1.2), 0.0 };
    for (int i = 0; i < 6; ++i) {
        double bend = bends[i < 3 ? i : 5 - i] * DEGREE, side = (i < 3 ? -8.0 : 8.0) * DEGREE;
        double y = sin(bend) * cos(side), z = sin(side);
        azimuths[i] = atan2(z, y);
        swings[i] = atan2(hypot(y, z), cos(bend) * cos(side));
    }
    sinew_reach_polar(azimuths, swings, 6, false, rays);
    sinew_ReachWindow window = sinew_reach_polygon(rays, 6);
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.neutral = sinew_quat_from_x(upper);
    def.bone = sinew_quat_from_x(lower);
    def.windows = &window;
    def.window_count = 1;
    def.star = true;
    def.star_center = center;
    def.twist_lower = -45.0 * DEGREE;
    def.twist_upper = 40.0 * DEGREE;
    return shape_create(&def);
}

static sinew_Skeleton *make_pose_limb(test_Random *random, const Limits *limits)
{
    sinew_Axis axes[3] = { sinew_axis_ball(), sinew_axis_ball(), sinew_axis_ball() };
    axes[ROOT].limit = limits->root;
    axes[MIDDLE].limit = limits->middle;
    axes[END].limit = limits->end;
    if (limits->middle == NULL) {
        axes[MIDDLE] = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), 0.1, 2.6);
        axes[MIDDLE].rest = 0.3;
    }
    static const char *const names[POSE_JOINTS] = { "root", "middle", "end", "tip" };
    sinew_JointDef joints[POSE_JOINTS];
    for (int j = 0; j < POSE_JOINTS; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = names[j];
        joints[j].parent = j - 1;
        joints[j].axes = j < TIP ? &axes[j] : NULL;
        joints[j].axis_count = j < TIP ? 1 : 0;
    }
    joints[ROOT].offset = test_vector(random, 0.3);
    joints[ROOT].rest_rotation = test_unit_quat(random);
    joints[MIDDLE].offset = sinew_vec3(test_range(random, 0.2, 0.5), 0.0, 0.0);
    joints[END].offset = sinew_vec3(test_range(random, 0.2, 0.5), 0.0, 0.0);
    joints[END].rest_rotation = test_unit_quat(random);
    joints[TIP].offset = test_vector(random, 0.1);
    joints[TIP].rest_rotation = test_unit_quat(random);
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, POSE_JOINTS, NULL, &skeleton, &message), &message);
    return skeleton;
}

// uniform inside, or some joints at their limits
static void draw_limb(test_Random *random, const sinew_Skeleton *skeleton, bool hard, double *q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        double *value = &q[places[a].coordinate];
        bool bound = hard && test_uniform(random) < 0.3;
        if (axes[a].kind == SINEW_AXIS_HINGE) {
            *value = bound ? axes[a].upper : test_range(random, axes[a].lower, axes[a].upper);
            continue;
        }
        sinew_Quat ball = bound ? sinew_ball_limit_clamp(axes[a].limit, test_unit_quat(random))
                                : shape_pose_inside(axes[a].limit, random);
        value[0] = ball.x;
        value[1] = ball.y;
        value[2] = ball.z;
        value[3] = ball.w;
    }
}

// goals of random poses, from others: all are met within the limits; returns how many in closed form
static int solve_poses(
    test_Random *random, const sinew_Skeleton *skeleton, bool hard, int goals, bool has_form)
{
    sinew_Solver *solver = body_solver(skeleton, 1);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    options.position_tolerance = options.orientation_tolerance = 1e-5;
    double made[12], q[12];
    int closed = 0, last = sinew_skeleton_axis_count(skeleton) - 1;
    for (int i = 0; i < goals; ++i) {
        sinew_Transform none = sinew_transform_identity();
        draw_limb(random, skeleton, hard, made);
        draw_limb(random, skeleton, false, q);
        sinew_Transform place = scene_reckon(skeleton, made, TIP, none);
        sinew_Goal goal = sinew_goal_pose(TIP, place.position, place.rotation);
        if (i == 0) {
            sinew_Message text = { "" };
            TEST_INT(sinew_solver_closed_form(solver, &goal, q, &text), has_form);
            TEST_TRUE(
                strstr(text.text, has_form ? "two bones: closed form" : "count from") != NULL);
            // a whole family of answers is not listed, and that is said
            double pose[12], way;
            int branch;
            sinew_Answers answers = {
                .capacity = 1, .poses = pose, .ways = &way, .branches = &branch
            };
            TEST_INT(sinew_solver_answers(solver, &options, &goal, q, &answers, &text),
                SINEW_STATUS_UNSUPPORTED);
            TEST_INT(strstr(text.text, "its answers are not listed") != NULL, has_form);
        }
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        sinew_Transform tip = scene_reckon(skeleton, q, TIP, none);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        TEST_NEAR(sinew_vec3_distance(tip.position, place.position), 0.0, 1.0001e-5);
        TEST_NEAR(scene_reckon_angle(tip.rotation, place.rotation), 0.0, 1.0001e-5);
        TEST_TRUE(scene_reckon_violation(skeleton, q, 0, last) <= 1e-9);
        closed += report.found_by == SINEW_FOUND_CLOSED ? 1 : 0;
    }
    sinew_solver_destroy(solver);
    return closed;
}

static void test_meets_poses(void **state)
{
    (void)state;
    sinew_Vec3 x = { 1.0, 0.0, 0.0 };
    for (int kind = 0; kind < 4; ++kind) {
        bool ball = kind % 2 != 0, hard = kind >= 2;
        int closed = 0, goals = 0;
        Limits limits = { shape_star(SHAPE_SHOULDER, SINEW_RESPONSE_ARC),
            ball ? make_elbow(x, x) : NULL, shape_star(SHAPE_WRIST, SINEW_RESPONSE_ARC) };
        for (int i = 0; i < 40; ++i) {
            test_Random random = test_case(7300 + (uint64_t)kind, i);
            sinew_Skeleton *skeleton = make_pose_limb(&random, &limits);
            closed += solve_poses(&random, skeleton, hard, 50, true);
            goals += 50;
            sinew_skeleton_destroy(skeleton);
        }
        sinew_ball_limit_destroy(limits.root);
        sinew_ball_limit_destroy(limits.middle);
        sinew_ball_limit_destroy(limits.end);
        print_message("    %s in the middle%s: %d of %d in closed form\n", ball ? "ball" : "hinge",
            hard ? ", at limits" : "", closed, goals);
        // the swivels of a hinge are exact, those of balls are sampled
        TEST_TRUE(closed >= (ball ? goals * 9 / 10 : goals));
    }
}

// a limit that counts from elsewhere than the bones is left to the descent
static void test_askew_limits_descend(void **state)
{
    (void)state;
    sinew_Vec3 x = { 1.0, 0.0, 0.0 };
    sinew_Vec3 askew = sinew_vec3_normalize_or(sinew_vec3(1.0, 0.1, 0.0), x);
    Limits limits = { shape_star(SHAPE_SHOULDER, SINEW_RESPONSE_ARC), make_elbow(askew, x),
        shape_star(SHAPE_WRIST, SINEW_RESPONSE_ARC) };
    test_Random random = test_case(7350, 0);
    sinew_Skeleton *skeleton = make_pose_limb(&random, &limits);
    TEST_INT(solve_poses(&random, skeleton, false, 50, false), 0);
    sinew_skeleton_destroy(skeleton);
    sinew_ball_limit_destroy(limits.root);
    sinew_ball_limit_destroy(limits.middle);
    sinew_ball_limit_destroy(limits.end);
}

TEST_MAIN(cmocka_unit_test(test_meets_reachable_goals), cmocka_unit_test(test_follows_smoothly),
    cmocka_unit_test(test_motion_options_bound_the_step), cmocka_unit_test(test_meets_poses),
    cmocka_unit_test(test_askew_limits_descend))
