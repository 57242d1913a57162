// Strict priority levels: what a higher level holds, lower ones cannot move.

#include "goal_cases.h"
#include "plan_rig.h"

#define MAX_GOALS 6

static rig_Rig rig;

typedef struct Case {
    const sinew_Skeleton *skeleton;
    sinew_Goal goals[MAX_GOALS];
    int goal_count;
    double start[BODY_MAX_NUMBERS], alone[BODY_MAX_NUMBERS], both[BODY_MAX_NUMBERS];
    sinew_Report alone_report, both_report;
} Case;

// how far what the goals of the highest level measure differs between two poses
static double moved_between(const Case *c, const double *a, const double *b)
{
    double worst = 0.0;
    rig_init(&rig, c->skeleton, c->goal_count);
    rig_set(&rig, c->goals, c->goal_count, b, false);
    rig_load(&rig, a, rig.moved.values);
    snw_state_forward(&rig.plan, &rig.moved, 0);
    snw_state_measure(&rig.plan, &rig.targets, &rig.moved);
    for (int g = 0; g < c->goal_count; ++g) {
        if (c->goals[g].priority > 0) { continue; }
        double moved[6] = { 0.0 };
        int count;
        (void)snw_goal_rows(&rig.plan, g, &count);
        if (c->goals[g].kind == SINEW_GOAL_SUPPORT) {
            // inside it may go anywhere; it must not get farther outside
            double before, after, chord2;
            snw_goal_errors2(&rig.plan, &rig.moved, g, &before, &chord2);
            snw_goal_errors2(&rig.plan, &rig.state, g, &after, &chord2);
            worst = fmax(worst, sqrt(after) - sqrt(before));
            continue;
        }
        snw_goal_moved(&rig.plan, &rig.targets, &rig.moved, &rig.state, g, moved);
        for (int r = 0; r < count; ++r) { worst = fmax(worst, fabs(moved[r])); }
    }
    rig_free(&rig);
    return worst;
}

static void solve_case(Case *c)
{
    sinew_Solver *solver = body_solver(c->skeleton, MAX_GOALS);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    sinew_Goal goals[MAX_GOALS];
    size_t size = (size_t)sinew_skeleton_coordinate_count(c->skeleton) * sizeof(double);
    // lower levels of weight 0 leave the highest alone with the same plan
    for (int g = 0; g < c->goal_count; ++g) {
        goals[g] = c->goals[g];
        if (goals[g].priority > 0) { goals[g].position_weight = goals[g].orientation_weight = 0.0; }
    }
    memcpy(c->alone, c->start, size);
    memcpy(c->both, c->start, size);
    c->alone_report = body_solve(solver, &options, goals, c->goal_count, c->alone);
    c->both_report = body_solve(solver, &options, c->goals, c->goal_count, c->both);
    sinew_solver_destroy(solver);
}

static int count_on_bounds(const Case *c, const double *q)
{
    int count = 0;
    const sinew_Axis *axes = sinew_skeleton_axes(c->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(c->skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(c->skeleton); ++a) {
        double value = q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_BALL) { continue; }
        count += axes[a].lower < axes[a].upper
            && (value <= axes[a].lower || value >= axes[a].upper);
    }
    return count;
}

/// E17: goals of random kinds in two to three levels on random bodies with limits: a lower level
/// never moves a higher one by more than 1e-6, in reach or out of it, and gains something itself.
static void test_random_levels_e17(void **state)
{
    (void)state;
    static Case c;
    double worst = 0.0;
    int bounds = 0, gained = 0, unreachable = 0, cases = 2000;
    for (int i = 0; i < cases; ++i) {
        test_Random random = test_case(4300, i);
        sinew_Skeleton *skeleton = body_random(&random, 5 + test_int(&random, 14), BODY_EVERYTHING);
        sinew_Vec3 points[MAX_GOALS][5];
        c.skeleton = skeleton;
        c.goal_count = 2 + test_int(&random, 3);
        for (int g = 0; g < c.goal_count; ++g) {
            int kind = test_int(&random, g == 0 ? SINEW_GOAL_REST : SINEW_GOAL_KIND_COUNT);
            c.goals[g] = goal_random(&random, skeleton, (sinew_GoalKind)kind, points[g]);
            c.goals[g].priority = g;
        }
        body_random_pose(&random, skeleton, 1.0, c.start);
        sinew_pose_apply_limits(skeleton, c.start);
        solve_case(&c);
        double moved = moved_between(&c, c.alone, c.both);
        worst = fmax(worst, moved);
        bounds += count_on_bounds(&c, c.both);
        gained += body_largest_step(skeleton, c.alone, c.both) > 1e-3;
        unreachable += c.alone_report.outcome != SINEW_OUTCOME_CONVERGED;
        TEST_TRUE(c.both_report.limit_violation <= 0.0);
        sinew_skeleton_destroy(skeleton);
    }
    print_message(
        "    moved by at most %.2g; %d axes on bounds, %d cases gained, %d out of reach\n", worst,
        bounds, gained, unreachable);
    TEST_TRUE(worst <= 1e-6);
    TEST_TRUE(bounds > cases && gained > cases / 2 && unreachable > cases / 10);
}

/// The ceiling is of all levels together.
static void test_ceiling_is_of_all_levels_pinv11(void **state)
{
    (void)state;
    int lower = 0;
    for (int i = 0; i < 400; ++i) {
        test_Random random = test_case(4301, i);
        sinew_Skeleton *skeleton = body_random(&random, 5 + test_int(&random, 8), BODY_EVERYTHING);
        sinew_Solver *solver = body_solver(skeleton, MAX_GOALS);
        sinew_SolveOptions o = sinew_solve_options_default(
            i % 2 == 0 ? SINEW_METHOD_AUTO : SINEW_METHOD_DAMPED);
        o.max_iterations = test_int(&random, 50);
        o.restarts = i % 3 == 0 ? 4 : 0;
        sinew_Goal goals[3];
        sinew_Vec3 points[3][5];
        double q[BODY_MAX_NUMBERS];
        for (int g = 0; g < 3; ++g) {
            goals[g] = goal_random(
                &random, skeleton, (sinew_GoalKind)test_int(&random, SINEW_GOAL_REST), points[g]);
            goals[g].priority = g;
        }
        body_random_pose(&random, skeleton, 1.0, q);
        sinew_pose_apply_limits(skeleton, q);
        sinew_Report r = body_solve(solver, &o, goals, 3, q);
        int attempts = i % 2 == 0 ? 1 : 1 + r.restarts;
        TEST_TRUE(r.iterations <= o.max_iterations * attempts);
        lower += r.iterations > o.max_iterations / 3 ? 1 : 0;
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    TEST_TRUE(lower > 50);
}

// Where iterations are few, a goal that cannot be met leaves the lower levels their even shares.
static void test_few_iterations_are_shared(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("QUADRUPED");
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    sinew_SolveOptions o = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    o.max_iterations = 12;
    o.restarts = 0;
    o.stall_share = 0.0;
    double q[BODY_MAX_NUMBERS];
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    sinew_pose_middle(scene->skeleton, q);
    TEST_TRUE(body_scene_goals(scene, q, goals) >= 4);
    for (int g = 0; g < 4; ++g) {
        goals[g].chain_root = scene->effectors[g].limb_root;
        goals[g].priority = g;
    }
    // the others are met where they are
    goals[0].position = sinew_vec3_add(goals[0].position, sinew_vec3(2.0, 1.0, 0.0));
    sinew_Report r = body_solve(solver, &o, goals, 4, q);
    TEST_TRUE(r.iterations > 0 && r.iterations <= 3);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

// Where the null space of a met level does not lead to the next one, other poses that meet both are looked for, as
// far as restarts let; without them the level stays where it got to.
static void test_levels_that_can_be_met_together_are(void **state)
{
    (void)state;
    sinew_Axis axes[3];
    sinew_JointDef joints[4];
    for (int j = 0; j < 4; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = "part";
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(j == 0 ? 0.0 : 0.5 - 0.1 * j, 0.0, 0.0);
        if (j == 3) { break; }
        axes[j] = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -2.6, 2.6);
        joints[j].axes = &axes[j];
        joints[j].axis_count = 1;
    }
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, 4, NULL, &skeleton, NULL), NULL);
    sinew_Solver *solver = body_solver(skeleton, 2);
    int missed = 0;
    for (int i = 0; i < 300; ++i) {
        test_Random random = test_case(4302, i);
        double q[3], start[3] = { 0.0, 0.0, 0.0 };
        for (int j = 0; j < 3; ++j) { q[j] = test_range(&random, -2.5, 2.5); }
        sinew_Transform world[4];
        sinew_pose_forward(skeleton, q, world);
        sinew_Goal goals[2] = { sinew_goal_position(3, world[3].position),
            sinew_goal_orientation(3, world[3].rotation) };
        goals[1].priority = 1;
        sinew_SolveOptions options = sinew_solve_options_default(
            i % 2 == 0 ? SINEW_METHOD_AUTO : SINEW_METHOD_DAMPED);
        options.restarts = 60;
        memcpy(q, start, sizeof q);
        TEST_INT(body_solve(solver, &options, goals, 2, q).outcome, SINEW_OUTCOME_CONVERGED);
        options.restarts = 0;
        memcpy(q, start, sizeof q);
        sinew_Report report = body_solve(solver, &options, goals, 2, q);
        missed += report.outcome != SINEW_OUTCOME_CONVERGED;
        TEST_INT(report.restarts, 0);
    }
    print_message("    %d of 300 missed without restarts\n", missed);
    TEST_TRUE(missed > 20);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
}

TEST_MAIN(cmocka_unit_test(test_levels_that_can_be_met_together_are),
    cmocka_unit_test(test_few_iterations_are_shared), cmocka_unit_test(test_random_levels_e17),
    cmocka_unit_test(test_ceiling_is_of_all_levels_pinv11))
