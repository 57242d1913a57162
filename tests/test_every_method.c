// What every method promises, whatever it does inside: the rows of the table one after another.

#include "bodies.h"

static const char *const bodies[] = { "LEG", "ARM", "BODY11", "HAND5", "MAN18", "QUADRUPED" };

enum { BODY_COUNT = (int)(sizeof bodies / sizeof bodies[0]), CASES = 40 };

// a pose of a scene, and goals where a pose that is a random step away has its effectors
static int draw(const scene_Scene *scene, test_Random *random, double step, double *out_q,
    sinew_Goal *out_goals)
{
    int n = sinew_skeleton_dof_count(scene->skeleton);
    double way[BODY_MAX_NUMBERS], goal_q[BODY_MAX_NUMBERS];
    scene_Random poses = scene_random(test_bits(random));
    scene_random_pose(scene, &poses, out_q);
    for (int d = 0; d < n; ++d) { way[d] = test_range(random, -step, step); }
    sinew_pose_integrate(scene->skeleton, out_q, way, goal_q);
    sinew_pose_apply_limits(scene->skeleton, goal_q);
    return body_scene_goals(scene, goal_q, out_goals);
}

static double summed_miss(
    const scene_Scene *scene, const double *q, const sinew_Goal *goals, int goal_count)
{
    sinew_Transform world[BODY_MAX_JOINTS];
    double sum = 0.0;
    sinew_pose_forward(scene->skeleton, q, world);
    for (int g = 0; g < goal_count; ++g) {
        double d = sinew_vec3_distance(world[goals[g].joint].position, goals[g].position);
        sum += goals[g].position_weight * d * d;
    }
    return sum;
}

static void test_names_are_their_own(void **state)
{
    (void)state;
    for (int m = 0; m < SINEW_METHOD_COUNT; ++m) {
        const char *name = sinew_method_name((sinew_Method)m);
        TEST_TRUE(strcmp(name, "unknown") != 0 && name[0] != '\0');
        for (int other = 0; other < m; ++other) {
            TEST_TRUE(strcmp(name, sinew_method_name((sinew_Method)other)) != 0);
        }
    }
    TEST_TRUE(strcmp(sinew_method_name((sinew_Method)SINEW_METHOD_COUNT), "unknown") == 0);
}

/// Answers are within the ranges, no worse than the start, told truly, and the same bits again.
static void test_answers_hold(void **state)
{
    (void)state;
    for (int b = 0; b < BODY_COUNT; ++b) {
        scene_Scene *scene = body_scene(bodies[b]);
        int count = sinew_skeleton_coordinate_count(scene->skeleton);
        for (int m = 0; m < SINEW_METHOD_COUNT; ++m) {
            sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
            sinew_Solver *again = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
            sinew_SolveOptions options = sinew_solve_options_default((sinew_Method)m);
            options.max_iterations = 30;
            options.restarts = 0;
            for (int i = 0; i < CASES; ++i) {
                test_Random random = test_case(9700 + (uint64_t)b, i);
                double start[BODY_MAX_NUMBERS], q[BODY_MAX_NUMBERS], same[BODY_MAX_NUMBERS];
                sinew_Goal goals[SCENE_MAX_EFFECTORS];
                int goal_count = draw(scene, &random, i % 2 == 0 ? 0.2 : 2.0, start, goals);
                // some of them out of reach
                if (i % 4 == 3) { goals[0].position = test_vector(&random, 50.0); }
                memcpy(q, start, sizeof q);
                memcpy(same, start, sizeof same);
                sinew_Report report = body_solve(solver, &options, goals, goal_count, q);
                (void)body_solve(again, &options, goals, goal_count, same);
                TEST_TRUE(body_same_bits(q, same, count));
                TEST_TRUE(report.iterations <= 30);
                TEST_TRUE(report.limit_violation <= 0.0);
                double before = summed_miss(scene, start, goals, goal_count);
                double after = summed_miss(scene, q, goals, goal_count);
                TEST_TRUE(after <= before * (1.0 + 1e-9) + 1e-12);
                TEST_NEAR(report.objective, 0.5 * after, 1e-9 * (1.0 + after));
                sinew_pose_apply_limits(scene->skeleton, same);
                TEST_ARRAY_NEAR(q, same, count, 1e-12);
            }
            sinew_solver_destroy(solver);
            sinew_solver_destroy(again);
        }
        scene_destroy(scene);
    }
}

/// A goal a small step away is nearer after a solve, mostly met, and what weighs nothing moves nothing.
static void test_near_goals_are_approached(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    int count = sinew_skeleton_coordinate_count(scene->skeleton);
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    for (int m = 0; m < SINEW_METHOD_COUNT; ++m) {
        sinew_SolveOptions options = sinew_solve_options_default((sinew_Method)m);
        options.max_iterations = 2000;
        options.position_tolerance = 1e-3;
        double before = 0.0, after = 0.0;
        for (int i = 0; i < CASES; ++i) {
            test_Random random = test_case(9720, i);
            double q[BODY_MAX_NUMBERS], start[BODY_MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            int goal_count = draw(scene, &random, 0.2, q, goals);
            memcpy(start, q, sizeof q);
            sinew_Goal idle = goals[0];
            idle.position_weight = 0.0;
            (void)body_solve(solver, &options, &idle, 1, q);
            TEST_ARRAY_NEAR(q, start, count, 0.0);
            before += sqrt(summed_miss(scene, q, goals, goal_count));
            (void)body_solve(solver, &options, goals, goal_count, q);
            after += sqrt(summed_miss(scene, q, goals, goal_count));
        }
        TEST_TRUE(after < 0.1 * before);
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

static void test_numbers_are_checked(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    for (int m = 0; m < SINEW_METHOD_COUNT; ++m) {
        sinew_SolveOptions options = sinew_solve_options_default((sinew_Method)m);
        test_Random random = test_case(9730, m);
        double q[BODY_MAX_NUMBERS], start[BODY_MAX_NUMBERS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        int goal_count = draw(scene, &random, 0.5, q, goals);
        memcpy(start, q, sizeof q);
        goals[0].position.y = (double)NAN;
        sinew_Report report;
        sinew_Message message = { "" };
        TEST_INT(sinew_solver_solve(solver, &options, goals, goal_count, q, &report, &message),
            SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(body_same_bits(q, start, sinew_skeleton_coordinate_count(scene->skeleton)));
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

TEST_MAIN(cmocka_unit_test(test_names_are_their_own), cmocka_unit_test(test_answers_hold),
    cmocka_unit_test(test_near_goals_are_approached), cmocka_unit_test(test_numbers_are_checked))
