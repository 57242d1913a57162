// Budgets of nothing: no iteration, or a time that is over before the first one. Then the answer is the
// pose given inside its limits, whichever the method and whatever it could have known in closed form.

#include "auto_bodies.h"
#include "limit_shapes.h"

enum { KINDS = 5, GOALS = 2 };

typedef struct Body {
    sinew_Skeleton *skeleton;
    sinew_BallLimit *limit;
    int tip;
} Body;

static double slow_clock(void *user)
{
    double *now = user;
    return *now += 1.0;
}

static int add(sinew_JointDef *joints, int count, const sinew_Axis *axes, int axis_count)
{
    joints[count] = sinew_joint_def_default();
    joints[count].name = "joint";
    joints[count].parent = count - 1;
    joints[count].offset = sinew_vec3(0.0, count == 1 ? -0.4 : -0.35, 0.0);
    joints[count].axes = axes;
    joints[count].axis_count = axis_count;
    return count + 1;
}

// limbs that have a closed form, a chain of hinges, one with a slide, one with a ball in the middle
static Body make(int kind)
{
    sinew_Vec3 x = { 1.0, 0.0, 0.0 }, y = { 0.0, 1.0, 0.0 }, z = { 0.0, 0.0, 1.0 };
    Body body = { .limit = shape_star(SHAPE_HIP, SINEW_RESPONSE_ARC) };
    sinew_Axis hip[3] = { sinew_axis_hinge(x, -1.5, 1.5), sinew_axis_hinge(z, -1.0, 1.0),
        sinew_axis_hinge(y, -1.0, 1.0) };
    sinew_Axis ball = sinew_axis_ball(), knee = sinew_axis_hinge(x, 0.0, 2.5);
    sinew_Axis slide = sinew_axis_slide(y);
    slide.lower = -0.2;
    slide.upper = 0.2;
    ball.limit = body.limit;
    sinew_JointDef joints[6];
    int count = 0;
    if (kind == 0 || kind == 2) { count = add(joints, count, hip, 3); }
    if (kind == 1) { count = add(joints, count, &ball, 1); }
    if (kind == 3) { count = add(joints, count, &slide, 1); }
    if (kind == 4) { count = add(joints, count, hip, 2); }
    if (kind == 4) { count = add(joints, count, &ball, 1); }
    count = add(joints, count, &knee, 1);
    if (kind == 2 || kind == 3) { count = add(joints, count, &knee, 1); }
    body.tip = count;
    count = add(joints, count, NULL, 0);
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, count, NULL, &body.skeleton, &message), &message);
    return body;
}

static sinew_Solver *make_solver(const Body *body, double *now)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = body->skeleton;
    def.clock = slow_clock;
    def.clock_user = now;
    sinew_Solver *solver = NULL;
    TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
    return solver;
}

// goals in reach, of one level or of two
static int make_goals(const Body *body, test_Random *random, bool levels, bool met, const double *q,
    sinew_Goal *goals)
{
    double other[BODY_MAX_NUMBERS];
    sinew_Transform world[BODY_MAX_JOINTS];
    auto_pose(random, body->skeleton, 0.1, other);
    sinew_pose_apply_limits(body->skeleton, other);
    sinew_pose_forward(body->skeleton, met ? q : other, world);
    goals[0] = sinew_goal_position(body->tip, world[body->tip].position);
    if (!levels) { return 1; }
    goals[1] = sinew_goal_position(body->tip - 1, world[body->tip - 1].position);
    goals[1].priority = 1;
    return 2;
}

static void test_no_budget_leaves_the_pose(void **state)
{
    (void)state;
    for (int i = 0; i < 400; ++i) {
        test_Random random = test_case(9100, i);
        double now = 0.0;
        Body body = make(i % KINDS);
        sinew_Solver *solver = make_solver(&body, &now);
        int count = sinew_skeleton_coordinate_count(body.skeleton);
        double start[BODY_MAX_NUMBERS], inside[BODY_MAX_NUMBERS], q[BODY_MAX_NUMBERS];
        auto_pose(&random, body.skeleton, 0.1, start);
        memcpy(inside, start, sizeof inside);
        sinew_pose_apply_limits(body.skeleton, inside);
        bool levels = test_int(&random, 3) == 0, met = test_int(&random, 4) == 0;
        sinew_Goal goals[GOALS];
        int goal_count = make_goals(&body, &random, levels, met, inside, goals);
        for (int m = 0; m < 2 * SINEW_METHOD_COUNT; ++m) {
            sinew_SolveOptions options = sinew_solve_options_default((sinew_Method)(m / 2));
            bool timed = m % 2 == 1;
            if (levels && options.method > SINEW_METHOD_AUTO) { continue; } // knows one level
            options.restarts = 20;
            options.position_tolerance = 1e-6;
            if (timed) {
                options.time_budget = 0.5;
            } else {
                options.max_iterations = 0;
            }
            memcpy(q, start, sizeof q);
            sinew_Report r = body_solve(solver, &options, goals, goal_count, q);
            for (int k = 0; k < count; ++k) { TEST_NEAR(q[k], inside[k], 1e-14); }
            TEST_INT(r.iterations, 0);
            TEST_INT(r.restarts, 0);
            TEST_TRUE(!r.branch_change && r.limit_violation <= 0.0);
            sinew_Transform world[BODY_MAX_JOINTS];
            sinew_pose_forward(body.skeleton, q, world);
            double miss = 0.0;
            for (int g = 0; g < goal_count; ++g) {
                miss = fmax(
                    miss, sinew_vec3_distance(world[goals[g].joint].position, goals[g].position));
            }
            TEST_NEAR(r.position_error, miss, 1e-12);
            TEST_INT(r.outcome,
                met         ? SINEW_OUTCOME_CONVERGED
                    : timed ? SINEW_OUTCOME_OUT_OF_TIME
                            : SINEW_OUTCOME_OUT_OF_ITERATIONS);
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(body.skeleton);
        sinew_ball_limit_destroy(body.limit);
    }
}

// what the clock says: when the time is over, and how often it said so
typedef struct Alarm {
    int calls, late_calls, over_at;
} Alarm;

static double alarm_clock(void *user)
{
    Alarm *alarm = user;
    bool over = ++alarm->calls >= alarm->over_at;
    alarm->late_calls += over ? 1 : 0;
    return over ? 10.0 : 0.0;
}

// The clock is asked no more once it said that the time is over, but to measure the whole solve; also
// where the goals of a level are met, for which more iterations were asked, and others are to come.
static void test_clock_tells_once(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(9101, i);
        Alarm alarm = { 0, 0, 2 + test_int(&random, 6) };
        Body body = make(i % KINDS);
        sinew_SolverDef def = sinew_solver_def_default();
        def.skeleton = body.skeleton;
        def.clock = alarm_clock;
        def.clock_user = &alarm;
        sinew_Solver *solver = NULL;
        TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
        double q[BODY_MAX_NUMBERS];
        auto_pose(&random, body.skeleton, 0.1, q);
        sinew_pose_apply_limits(body.skeleton, q);
        sinew_Goal goals[GOALS];
        bool levels = test_int(&random, 2) == 0;
        int count = make_goals(&body, &random, levels, test_int(&random, 2) == 0, q, goals);
        if (levels) { goals[1].position.x += 0.1; }
        sinew_SolveOptions options = sinew_solve_options_default(
            test_int(&random, 2) ? SINEW_METHOD_AUTO : SINEW_METHOD_DAMPED);
        if (levels) { options.method = SINEW_METHOD_AUTO; }
        options.min_iterations = test_int(&random, 4);
        options.time_budget = 1.0;
        sinew_Report r = body_solve(solver, &options, goals, count, q);
        TEST_TRUE(alarm.late_calls <= 2);
        TEST_TRUE(r.iterations <= alarm.over_at);
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(body.skeleton);
        sinew_ball_limit_destroy(body.limit);
    }
}

TEST_MAIN(cmocka_unit_test(test_no_budget_leaves_the_pose), cmocka_unit_test(test_clock_tells_once))
