// The four methods: what the papers promise of each, alone and on bodies with several targets.

#include "bodies.h"

#include "sinew/jacobian.h"
#include "solve/literal.h"

#include <stdio.h>

static const sinew_Method methods[4] = { SINEW_METHOD_PSEUDO_INVERSE, SINEW_METHOD_TRANSPOSE,
    SINEW_METHOD_DAMPED, SINEW_METHOD_SELECTIVELY_DAMPED };

#define MAX_NUMBERS 256

// goals at the effectors of a random pose, whole poses with full
static int random_goals(
    const scene_Scene *scene, scene_Random *random, bool full, sinew_Goal *out_goals)
{
    double q[MAX_NUMBERS];
    sinew_Transform world[BODY_MAX_JOINTS];
    scene_random_pose(scene, random, q);
    sinew_pose_forward(scene->skeleton, q, world);
    for (int e = 0; e < scene->effector_count; ++e) {
        int joint = scene->effectors[e].joint;
        out_goals[e] = full ? sinew_goal_pose(joint, world[joint].position, world[joint].rotation)
                            : sinew_goal_position(joint, world[joint].position);
        out_goals[e].chain_root = scene->effectors[e].chain_root;
    }
    return scene->effector_count;
}

// one goal of the leg's heel
static sinew_Goal random_heel(const scene_Scene *leg, scene_Random *random, bool full)
{
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    random_goals(leg, random, full, goals);
    return goals[body_effector(leg, "Heel")];
}

// one step with nothing in its way: no limits, no caps
static sinew_SolveOptions plain_step(sinew_Method method)
{
    sinew_SolveOptions options = sinew_solve_options_default(method);
    options.limits = SINEW_LIMITS_NONE;
    options.max_iterations = 1;
    options.max_joint_step = 1e9;
    options.max_target_step = 1e9;
    options.stall_share = 0.0;
    options.position_tolerance = 1e-12;
    return options;
}

/// PINV-1: an iteration is q + J^T (J J^T)^-1 (X_g - X), by the published parts one after another,
/// and the loop ends when the effector is close enough.
static void test_seven_steps_pinv1(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *solver = body_solver(skeleton, 1);
    sinew_SolveOptions options = plain_step(SINEW_METHOD_PSEUDO_INVERSE);
    int n = sinew_skeleton_dof_count(skeleton), used = 0;
    scene_Random random = scene_random(1001);
    for (int i = 0; i < 1000; ++i) {
        double q[16], expected[16], jacobian[64], columns[64], inverse[64], error[3], step[16];
        sinew_Transform world[BODY_MAX_JOINTS];
        scene_random_pose(scene, &random, q);
        sinew_pose_forward(skeleton, q, world);
        int heel = scene->effectors[body_effector(scene, "Heel")].joint;
        sinew_Vec3 nudge = sinew_vec3_scale(scene_random_direction(&random), 0.01);
        sinew_Goal goal = sinew_goal_position(heel, sinew_vec3_add(world[heel].position, nudge));

        sinew_goal_error(&goal, world, error);
        sinew_jacobian(skeleton, q, world, &goal, jacobian);
        for (int d = 0; d < n; ++d) {
            for (int r = 0; r < 3; ++r) { columns[3 * d + r] = jacobian[r * n + d]; }
        }
        if (!snw_literal_pseudo_inverse(columns, 3, n, 3, inverse)) { continue; }
        double e[9];
        snw_literal_error_matrix(columns, inverse, 3, n, 3, e);
        TEST_NEAR(snw_literal_error(e, error, 3), 0.0, 1e-9);
        snw_literal_step(inverse, error, 3, n, step);
        double size = 0.0;
        for (int d = 0; d < n; ++d) { size = fmax(size, fabs(step[d])); }
        if (size > 0.5) { continue; }
        ++used;
        sinew_pose_integrate(skeleton, q, step, expected);

        // the solver returns the better of start and step; a step of 1 cm is better
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        TEST_INT(report.iterations, 1);
        TEST_INT(report.halvings, 0);
        if (report.objective < report.start_objective) { TEST_ARRAY_NEAR(q, expected, n, 1e-9); }
    }
    TEST_TRUE(used > 900);

    // step 7: with room to iterate every one of these is met
    options = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
    double q[16];
    sinew_pose_middle(skeleton, q);
    sinew_Goal goal = random_heel(scene, &random, false);
    sinew_Report report = body_solve(solver, &options, &goal, 1, q);
    TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
    TEST_TRUE(report.position_error <= options.position_tolerance);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// PINV-4: whatever the method, no returned pose leaves its ranges by more than 1e-12; starts
/// outside of them are cropped.
static void test_limits_pinv4(void **state)
{
    (void)state;
    static const char *const names[] = { "LEG", "ARM", "BODY11", "HAND5", "MAN18", "QUADRUPED" };
    for (size_t s = 0; s < sizeof names / sizeof names[0]; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        for (int m = 0; m < 4; ++m) {
            sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
            options.max_iterations = 20;
            for (int i = 0; i < 250; ++i) {
                test_Random random = test_case(1010, i);
                scene_Random poses = scene_random(1010 + (uint64_t)i);
                sinew_Goal goals[SCENE_MAX_EFFECTORS];
                int count = random_goals(scene, &poses, false, goals);
                for (int g = 0; g < count; ++g) {
                    goals[g].position = sinew_vec3_add(
                        goals[g].position, test_vector(&random, 0.5));
                }
                double q[MAX_NUMBERS];
                scene_random_pose(scene, &poses, q);
                if (i % 5 == 0) { body_random_pose(&random, scene->skeleton, 6.0, q); }
                sinew_Report report = body_solve(solver, &options, goals, count, q);
                TEST_TRUE(sinew_pose_limit_violation(scene->skeleton, q) <= 1e-12);
                TEST_TRUE(report.limit_violation <= 1e-12);
            }
        }
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
}

/// PINV-5: of 1000 targets out of reach the closest pose seen is returned, by every method, and the
/// ceiling on iterations holds.
static void test_best_so_far_pinv5(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    sinew_Solver *solver = body_solver(scene->skeleton, 1);
    static double trace[200];
    sinew_solver_set_trace(solver, trace, 200);
    int heel = scene->effectors[body_effector(scene, "Heel")].joint;
    long not_last = 0;
    for (int m = 0; m < 4; ++m) {
        sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
        options.max_iterations = 200;
        for (int i = 0; i < 1000; ++i) {
            test_Random random = test_case(1020, i);
            scene_Random poses = scene_random(1020 + (uint64_t)i);
            double q[16], again[16];
            scene_random_pose(scene, &poses, q);
            memcpy(again, q, sizeof q);
            sinew_Vec3 hip = { 0.09, 0.95, 0.0 };
            sinew_Vec3 way = test_unit_vector(&random);
            sinew_Goal goal = sinew_goal_position(
                heel, sinew_vec3_add_scaled(hip, way, test_range(&random, 1.05, 5.0)));
            // iterations that were taken back, or found no step, leave their entries as they are
            for (int k = 0; k < 200; ++k) { trace[k] = INFINITY; }
            sinew_Report report = body_solve(solver, &options, &goal, 1, q);
            TEST_TRUE(report.outcome != SINEW_OUTCOME_CONVERGED);
            TEST_TRUE(report.iterations <= options.max_iterations);
            double last = INFINITY;
            for (int k = 0; k < report.iterations; ++k) {
                TEST_TRUE(report.position_error <= trace[k] * (1.0 + 1e-14));
                if (isfinite(trace[k])) { last = trace[k]; }
            }
            not_last += isfinite(last) && report.position_error < last;
            sinew_Report second = body_solve(solver, &options, &goal, 1, again);
            TEST_INT(second.iterations, report.iterations);
            TEST_TRUE(body_same_bits(q, again, 6));
        }
    }
    print_message("returned another pose than the last: %ld\n", not_last);
    TEST_TRUE(not_last > 0);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

typedef struct Score {
    double met, iterations, halvings;
} Score;

// share of random reachable heels that are met from one start
static Score score_leg(const scene_Scene *leg, const sinew_SolveOptions *options,
    const double *start, bool full, uint64_t seed, int count)
{
    sinew_Solver *solver = body_solver(leg->skeleton, 1);
    scene_Random random = scene_random(seed);
    Score score = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < count; ++i) {
        sinew_Goal goal = random_heel(leg, &random, full);
        double q[16];
        memcpy(q, start, 6 * sizeof(double));
        sinew_Report report = body_solve(solver, options, &goal, 1, q);
        score.met += report.outcome == SINEW_OUTCOME_CONVERGED ? 1.0 / count : 0.0;
        score.iterations += (double)report.iterations / count;
        score.halvings += (double)report.halvings / count;
    }
    sinew_solver_destroy(solver);
    return score;
}

static Score print_score(const char *name, Score score)
{
    print_message("%-28s met %6.2f %%, mean iterations %6.2f, halvings %.2f\n", name,
        100.0 * score.met, score.iterations, score.halvings);
    return score;
}

/// PINV-6: random reachable heels of LEG from a fixed pose, 1 mm and 0.01 rad, limits on.
static void test_leg_numbers_pinv6(void **state)
{
    (void)state;
    scene_Scene *leg = body_scene("LEG");
    double middle[16], rest[16];
    sinew_pose_middle(leg->skeleton, middle);
    sinew_pose_rest(leg->skeleton, rest);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
    const int count = 2000;
    Score half = print_score(
        "half from the middle", score_leg(leg, &options, middle, false, 1, count));
    Score full = print_score(
        "full from the middle", score_leg(leg, &options, middle, true, 1, count));
    print_score("half from the straight leg", score_leg(leg, &options, rest, false, 1, count));
    print_score("full from the straight leg", score_leg(leg, &options, rest, true, 1, count));
    options.limits = SINEW_LIMITS_CLAMP;
    Score crop = print_score(
        "half, limits cropped", score_leg(leg, &options, middle, false, 1, count));
    Score crop_full = print_score(
        "full, limits cropped", score_leg(leg, &options, middle, true, 1, count));
    TEST_TRUE(crop.met >= 0.995);
    TEST_TRUE(crop.iterations <= 12.0);
    TEST_TRUE(crop_full.met >= 0.95);
    TEST_TRUE(crop_full.iterations <= 25.0);
    TEST_TRUE(half.met >= 0.995);
    TEST_TRUE(half.iterations <= 12.0);
    TEST_TRUE(full.met >= 0.95);
    TEST_TRUE(full.iterations <= 25.0);
    scene_destroy(leg);
}

// distance of a point from what a chain of equal hinges in the plane z = 0 can reach
static sinew_Skeleton *make_planar_chain(int joint_count, double length, bool limited)
{
    sinew_JointDef joints[12];
    sinew_Axis axis = sinew_axis_hinge(
        sinew_vec3(0.0, 0.0, 1.0), limited ? -2.5 : -INFINITY, limited ? 2.5 : INFINITY);
    for (int j = 0; j <= joint_count; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = "link";
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(j > 0 ? length : 0.0, 0.0, 0.0);
        joints[j].axes = &axis;
        joints[j].axis_count = j < joint_count ? 1 : 0;
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, joint_count + 1, NULL, &skeleton, &message), &message);
    return skeleton;
}

/// PINV-7: straight chains, planar chains with a target beside the plane, and a single hinge stay
/// finite and end at the best point in reach.
static void test_singular_pinv7(void **state)
{
    (void)state;
    for (int links = 1; links <= 4; ++links) {
        sinew_Skeleton *skeleton = make_planar_chain(links, 1.0 / links, false);
        sinew_Solver *solver = body_solver(skeleton, 1);
        for (int m = 0; m < 4; ++m) {
            sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
            options.max_iterations = methods[m] == SINEW_METHOD_TRANSPOSE ? 5000 : 500;
            options.stall_share = 0.0;
            options.position_tolerance = 1e-6;
            double worst = 0.0;
            int missed = 0;
            for (int i = 0; i < 1000; ++i) {
                test_Random random = test_case(1030 + (uint64_t)links, i);
                double q[4], around = test_range(&random, -SINEW_PI, SINEW_PI);
                // a third starts straight, a third nearly so
                for (int k = 0; k < links; ++k) {
                    double bend = i % 3 == 0 ? 0.0 : i % 3 == 1 ? 1e-7 : 1.0;
                    q[k] = test_range(&random, -bend, bend);
                }
                // beyond reach and beside the plane; for one hinge anywhere but on its axis, nor so
                // far behind that the start is the point farthest away
                double far = links > 1 ? test_range(&random, 1.1, 4.0)
                                       : test_range(&random, 0.3, 3.0);
                if (fabs(around) > 3.0) { around = 0.5; }
                sinew_Vec3 target = { far * cos(around), far * sin(around),
                    test_range(&random, -0.5, 0.5) };
                sinew_Goal goal = sinew_goal_position(links, target);
                double best = sqrt((far - 1.0) * (far - 1.0) + target.z * target.z);
                sinew_Report report = body_solve(solver, &options, &goal, 1, q);
                for (int k = 0; k < links; ++k) { TEST_TRUE(isfinite(q[k])); }
                TEST_TRUE(isfinite(report.position_error));
                worst = fmax(worst, report.position_error - best);
                missed += report.position_error - best > 5e-3;
            }
            print_message("%d links, %s: at most %.2e m beyond the best point, %d by over 5 mm\n",
                links, sinew_method_name(methods[m]), worst, missed);
            // two equal links that fold up have nothing to turn about: sdls is caught there
            TEST_TRUE(missed <= (methods[m] == SINEW_METHOD_SELECTIVELY_DAMPED ? 10 : 0));
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

/// PINV-7: no step turns a joint farther than the cap, however near to singular the pose is.
static void test_step_cap_pinv7(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    sinew_Solver *solver = body_solver(scene->skeleton, 1);
    scene_Random random = scene_random(1040);
    for (int m = 0; m < 4; ++m) {
        sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
        options.max_iterations = 1;
        for (int i = 0; i < 1000; ++i) {
            double q[16], before[16];
            scene_random_pose(scene, &random, q);
            if (i % 2 == 0) {
                sinew_pose_rest(scene->skeleton, q);
                q[3] = 1e-6 * i;
            }
            memcpy(before, q, sizeof q);
            sinew_Goal goal = random_heel(scene, &random, i % 3 == 0);
            body_solve(solver, &options, &goal, 1, q);
            TEST_TRUE(body_largest_step(scene->skeleton, before, q)
                <= options.max_joint_step * (1.0 + 1e-12));
        }
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// PINV-8: a quarter of the step is a quarter of the step, and still converges on LEG, in more
/// iterations.
static void test_step_fraction_pinv8(void **state)
{
    (void)state;
    scene_Scene *leg = body_scene("LEG");
    sinew_Solver *solver = body_solver(leg->skeleton, 1);
    scene_Random random = scene_random(1050);
    sinew_SolveOptions options = plain_step(SINEW_METHOD_PSEUDO_INVERSE);
    for (int i = 0; i < 1000; ++i) {
        double q[16], whole[16], quarter[16], step[16];
        sinew_pose_middle(leg->skeleton, q);
        sinew_Transform world[BODY_MAX_JOINTS];
        sinew_pose_forward(leg->skeleton, q, world);
        int heel = leg->effectors[body_effector(leg, "Heel")].joint;
        sinew_Vec3 nudge = sinew_vec3_scale(scene_random_direction(&random), 0.02);
        sinew_Goal goal = sinew_goal_position(heel, sinew_vec3_add(world[heel].position, nudge));
        memcpy(whole, q, sizeof q);
        memcpy(quarter, q, sizeof q);
        options.step_scale = 1.0;
        body_solve(solver, &options, &goal, 1, whole);
        options.step_scale = 0.25;
        body_solve(solver, &options, &goal, 1, quarter);
        sinew_pose_difference(leg->skeleton, q, whole, step);
        for (int d = 0; d < 6; ++d) { TEST_NEAR(quarter[d], q[d] + 0.25 * step[d], 1e-14); }
    }

    double middle[16];
    sinew_pose_middle(leg->skeleton, middle);
    options = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
    Score full = print_score("alpha 1", score_leg(leg, &options, middle, false, 2, 1000));
    options.step_scale = 0.25;
    Score part = print_score("alpha 0.25", score_leg(leg, &options, middle, false, 2, 1000));
    TEST_TRUE(part.met >= 0.98);
    TEST_TRUE(part.iterations > full.iterations);
    sinew_solver_destroy(solver);
    scene_destroy(leg);
}

/// PINV-10: following a target that moves 1 cm a frame takes at most 4 iterations on average.
static void test_coherence_pinv10(void **state)
{
    (void)state;
    scene_Scene *leg = body_scene("LEG");
    sinew_Solver *solver = body_solver(leg->skeleton, 1);
    int heel = leg->effectors[body_effector(leg, "Heel")].joint;
    for (int m = 0; m < 4; m += 2) {
        sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
        long iterations = 0, frames = 0;
        double q[16], wanted[16];
        sinew_Transform world[BODY_MAX_JOINTS];
        sinew_pose_middle(leg->skeleton, q);
        sinew_Vec3 place = { 0.0, 0.0, 0.0 };
        for (int i = 0; i < 20; ++i) {
            // straight lines between reachable places, in strides of 1 cm
            scene_Random random = scene_random(1060 + (uint64_t)i);
            scene_random_pose(leg, &random, wanted);
            sinew_pose_forward(leg->skeleton, i == 0 ? q : wanted, world);
            sinew_Vec3 next = world[heel].position;
            if (i == 0) { place = next; }
            double length = sinew_vec3_distance(place, next);
            int count = (int)ceil(length / 0.01);
            for (int k = 1; k <= count; ++k) {
                sinew_Goal goal = sinew_goal_position(
                    heel, sinew_vec3_lerp(place, next, (double)k / count));
                // on the line the leg cannot always follow: those frames are no tracking
                sinew_Report report = body_solve(solver, &options, &goal, 1, q);
                if (report.outcome != SINEW_OUTCOME_CONVERGED) { continue; }
                iterations += report.iterations;
                ++frames;
            }
            place = next;
        }
        print_message("%s: %.2f iterations over %ld frames\n", sinew_method_name(methods[m]),
            (double)iterations / (double)frames, frames);
        TEST_TRUE(frames > 400);
        TEST_TRUE((double)iterations / (double)frames <= 4.0);
    }
    sinew_solver_destroy(solver);
    scene_destroy(leg);
}

/// INV-5, PINV-3: the published explicit inverse and the Cholesky path take the same step to 1e-8
/// where it is well conditioned; the literal halving loop and its closed form are the same.
static void test_published_path_inv5(void **state)
{
    (void)state;
    scene_Scene *leg = body_scene("LEG");
    sinew_Solver *solver = body_solver(leg->skeleton, 1);
    scene_Random random = scene_random(1070);
    int compared = 0, halved = 0;
    for (int i = 0; i < 2000; ++i) {
        bool full = i % 2 == 1;
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
        options.limits = SINEW_LIMITS_CLAMP;
        double start[16], q[3][16];
        scene_random_pose(leg, &random, start);
        sinew_Goal goal = random_heel(leg, &random, full);
        sinew_Report reports[3];
        // thresholds at the rounding of the inverse make the loop halve, too
        options.halving_threshold = i % 4 < 2 ? 1e-3 : 1e-16;
        for (int k = 0; k < 3; ++k) {
            options.max_iterations = k == 0 || i % 4 < 2 ? 1 : 30;
            options.inverse = k == 0 ? SINEW_INVERSE_CHOLESKY : SINEW_INVERSE_EXPLICIT;
            options.literal_halving = k == 2;
            memcpy(q[k], start, sizeof start);
            reports[k] = body_solve(solver, &options, &goal, 1, q[k]);
        }
        TEST_INT(reports[1].halvings, reports[2].halvings);
        TEST_INT(reports[1].iterations, reports[2].iterations);
        TEST_TRUE(body_same_bits(q[1], q[2], 6));
        halved += reports[1].halvings > 0;
        if (i % 4 < 2 && reports[0].singular_steps == 0 && reports[1].singular_steps == 0) {
            TEST_ARRAY_NEAR(q[0], q[1], 6, 1e-8);
            ++compared;
        }
    }
    print_message("compared %d steps, %d solves halved\n", compared, halved);
    TEST_TRUE(compared > 500);
    TEST_TRUE(halved > 100);
    sinew_solver_destroy(solver);
    scene_destroy(leg);
}

/// JT-1: the transpose lowers the error in at least 99 % of its iterations on BODY11; how many
/// iterations each method takes to 1e-3.
static void test_transpose_jt1(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("BODY11");
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    double middle[MAX_NUMBERS];
    sinew_pose_middle(scene->skeleton, middle);
    for (int m = 0; m < 4; ++m) {
        sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
        options.max_iterations = 1000;
        long iterations = 0, met = 0, falling = 0, steps = 0;
        const int count = 300;
        for (int i = 0; i < count; ++i) {
            scene_Random random = scene_random(1080 + (uint64_t)i);
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            int goal_count = random_goals(scene, &random, false, goals);
            double q[MAX_NUMBERS];
            memcpy(q, middle, sizeof q);
            sinew_Report report = body_solve(solver, &options, goals, goal_count, q);
            iterations += report.iterations;
            met += report.outcome == SINEW_OUTCOME_CONVERGED;
            if (methods[m] != SINEW_METHOD_TRANSPOSE || i % 10 != 0) { continue; }

            // one iteration at a time, to see each error
            memcpy(q, middle, sizeof q);
            sinew_SolveOptions single = options;
            single.max_iterations = 1;
            double last = INFINITY;
            for (int k = 0; k < 200; ++k) {
                report = body_solve(solver, &single, goals, goal_count, q);
                if (k > 0) {
                    ++steps;
                    // a step that does not help is not taken, and the objective stays
                    falling += report.objective < last || report.position_error <= 1e-3;
                }
                last = report.objective;
                if (report.outcome == SINEW_OUTCOME_CONVERGED) { break; }
            }
        }
        print_message("%-10s met %5.1f %%, mean iterations %6.2f\n", sinew_method_name(methods[m]),
            100.0 * (double)met / count, (double)iterations / count);
        if (methods[m] == SINEW_METHOD_TRANSPOSE) {
            print_message("transpose: error fell in %.2f %% of %ld iterations\n",
                100.0 * (double)falling / (double)steps, steps);
            TEST_TRUE((double)falling >= 0.99 * (double)steps);
            TEST_TRUE((double)met >= 0.5 * count);
        }
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// DLS-3: a stretched chain with a target beyond reach comes to rest: less than 1e-3 rad a frame
/// after settling; the pseudo-inverse is measured beside it, and both with targets that tremble.
static void test_stretched_dls3(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_planar_chain(5, 0.2, false);
    sinew_Solver *solver = body_solver(skeleton, 1);
    double shake[4] = { 0.0 };
    int settled_count = 0;
    for (int m = 0; m < 4; ++m) {
        sinew_SolveOptions options = sinew_solve_options_default(
            m % 2 == 0 ? SINEW_METHOD_DAMPED : SINEW_METHOD_PSEUDO_INVERSE);
        options.max_iterations = 5;
        double tremble = m < 2 ? 0.0 : 1e-4;
        for (int i = 0; i < 50; ++i) {
            test_Random random = test_case(1090, i);
            double q[5], before[5];
            for (int k = 0; k < 5; ++k) { q[k] = test_range(&random, -0.8, 0.8); }
            double angle = test_range(&random, -1.0, 1.0);
            double far = test_range(&random, 1.1, 3.0);
            int settled = 0; // frames since it first lay stretched
            for (int frame = 0; frame < 700; ++frame) {
                sinew_Vec3 offset = test_vector(&random, tremble);
                sinew_Vec3 target = { far * cos(angle) + offset.x, far * sin(angle) + offset.y,
                    0.0 };
                sinew_Goal goal = sinew_goal_position(5, target);
                memcpy(before, q, sizeof q);
                sinew_Report report = body_solve(solver, &options, &goal, 1, q);
                if (settled > 100) {
                    shake[m] = fmax(shake[m], body_largest_step(skeleton, before, q));
                }
                bool stretched = report.position_error < far - 1.0 + 1e-4 + 2.0 * tremble;
                settled += settled > 0 || stretched;
                settled_count += frame == 699 && settled > 100;
            }
        }
    }
    print_message("largest change per frame after settling: dls %.2e rad, pinv %.2e rad\n"
                  "with targets that tremble by 0.1 mm: dls %.2e rad, pinv %.2e rad\n",
        shake[0], shake[1], shake[2], shake[3]);
    TEST_TRUE(settled_count >= 190);
    TEST_TRUE(shake[0] < 1e-3);
    TEST_TRUE(shake[2] < 1e-2);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
}

/// DLS-4: without damping a step equals the pseudo-inverse's to 1e-9; moving the damping in play
/// changes the next frame.
static void test_damping_dls4(void **state)
{
    (void)state;
    scene_Scene *leg = body_scene("LEG");
    sinew_Solver *solver = body_solver(leg->skeleton, 1);
    scene_Random random = scene_random(1100);
    int used = 0, changed = 0;
    for (int i = 0; i < 1000; ++i) {
        double start[16], pinv[16], dls[16], damped[16];
        scene_random_pose(leg, &random, start);
        sinew_Goal goal = random_heel(leg, &random, i % 2 == 1);
        memcpy(pinv, start, sizeof start);
        memcpy(dls, start, sizeof start);
        memcpy(damped, start, sizeof start);
        sinew_SolveOptions options = plain_step(SINEW_METHOD_PSEUDO_INVERSE);
        options.max_joint_step = 0.5;
        sinew_Report a = body_solve(solver, &options, &goal, 1, pinv);
        options.method = SINEW_METHOD_DAMPED;
        options.damping = 0.0;
        sinew_Report b = body_solve(solver, &options, &goal, 1, dls);
        options.damping = 0.3;
        body_solve(solver, &options, &goal, 1, damped);
        changed += !body_same_bits(dls, damped, 6);
        if (a.singular_steps > 0 || b.singular_steps > 0) { continue; }
        ++used;
        TEST_ARRAY_NEAR(dls, pinv, 6, 1e-9);
    }
    TEST_TRUE(used > 800);
    TEST_TRUE(changed > 900);
    sinew_solver_destroy(solver);
    scene_destroy(leg);
}

// targets of BODY11 that run along Lissajous figures around the chest; about 30 % out of reach
static void lissajous_goals(
    const scene_Scene *scene, double time, double size, sinew_Goal *out_goals)
{
    double q[MAX_NUMBERS];
    sinew_Goal rest[SCENE_MAX_EFFECTORS];
    sinew_pose_middle(scene->skeleton, q);
    int count = body_scene_goals(scene, q, rest);
    for (int g = 0; g < count; ++g) {
        double phase = 1.3 * g;
        sinew_Vec3 path = { size * sin(1.1 * time + phase), size * sin(1.7 * time + 2.0 * phase),
            size * sin(2.3 * time + 0.5 * phase) };
        out_goals[g] = rest[g];
        out_goals[g].position = sinew_vec3_add(rest[g].position, path);
    }
}

/// DLS-5: 1, 5 and 20 iterations per frame follow ever better.
static void test_iterations_per_frame_dls5(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("BODY11");
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    static const int ceilings[3] = { 1, 5, 20 };
    double means[3];
    for (int c = 0; c < 3; ++c) {
        // a fixed damping, so that the number of iterations alone differs
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
        options.damping = 0.1;
        options.max_iterations = options.min_iterations = ceilings[c];
        options.stall_share = 0.0;
        double q[MAX_NUMBERS], sum = 0.0;
        sinew_pose_middle(scene->skeleton, q);
        for (int frame = 0; frame < 600; ++frame) {
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            lissajous_goals(scene, frame / 60.0, 0.15, goals);
            sinew_Report report = body_solve(solver, &options, goals, scene->effector_count, q);
            sum += report.position_error;
        }
        means[c] = sum / 600.0;
        print_message(
            "%2d iterations per frame: mean error %.3f mm\n", ceilings[c], 1e3 * means[c]);
    }
    TEST_TRUE(means[1] < means[0]);
    TEST_TRUE(means[2] < means[1]);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

typedef struct Motion {
    double mean_error, jitter, largest_step, iterations, unreachable;
} Motion;

// 20 s of the Lissajous figures, some out of reach
static Motion follow_lissajous(const scene_Scene *scene, const sinew_SolveOptions *options)
{
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    int dofs = sinew_skeleton_dof_count(scene->skeleton);
    double q[MAX_NUMBERS], before[MAX_NUMBERS], step[MAX_NUMBERS], last[MAX_NUMBERS] = { 0.0 };
    Motion motion = { 0.0, 0.0, 0.0, 0.0, 0.0 };
    sinew_pose_middle(scene->skeleton, q);
    const int frames = 1200;
    for (int frame = 0; frame < frames; ++frame) {
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        lissajous_goals(scene, frame / 60.0, 0.45, goals);
        memcpy(before, q, sizeof q);
        sinew_Report report = body_solve(solver, options, goals, scene->effector_count, q);
        for (int k = 0; k < sinew_skeleton_coordinate_count(scene->skeleton); ++k) {
            TEST_TRUE(isfinite(q[k]));
        }
        motion.unreachable += report.position_error > 0.01 ? 1.0 / frames : 0.0;
        if (frame < 30) { continue; }
        sinew_pose_difference(scene->skeleton, before, q, step);
        for (int d = 0; d < dofs; ++d) {
            motion.jitter = fmax(motion.jitter, frame > 30 ? fabs(step[d] - last[d]) : 0.0);
        }
        memcpy(last, step, sizeof step);
        motion.largest_step = fmax(
            motion.largest_step, body_largest_step(scene->skeleton, before, q));
        motion.mean_error += report.position_error / (frames - 30);
        motion.iterations += (double)report.iterations / (frames - 30);
    }
    sinew_solver_destroy(solver);
    return motion;
}

static Motion print_motion(const char *name, Motion motion)
{
    print_message("%-12s error %6.1f mm, jitter %.4f rad, largest step %.4f rad, iterations %5.2f, "
                  "out of reach %.0f %%\n",
        name, 1e3 * motion.mean_error, motion.jitter, motion.largest_step, motion.iterations,
        100.0 * motion.unreachable);
    return motion;
}

/// MULTI-2, DLS-8: BODY11 with targets out of reach for a third of the time moves no joint by more than
/// 0.2 rad a frame and is at its targets whenever it can be, at lambda = 0.1 m with joints held to that
/// change. Damping alone does one or the other: at 0.5 m and one iteration a frame steps are small because
/// the body is late in nearly all frames, at 0.05 to 0.4 m and more iterations they are 0.28 to 0.45 rad.
static void test_unreachable_multi2(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("BODY11");
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    // beginning again wherever a descent fails tells what can be reached at all
    Motion exact = print_motion("auto", follow_lissajous(scene, &options));
    options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.damping = 0.1;
    options.max_joint_change = 0.2;
    Motion held = print_motion("dls 0.1, 0.2", follow_lissajous(scene, &options));
    options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.max_iterations = 1;
    options.damping = 0.5;
    Motion late = print_motion("dls 0.5, 1", follow_lissajous(scene, &options));
    options.max_iterations = 10;
    options.damping = 0.2;
    Motion small = print_motion("dls 0.2", follow_lissajous(scene, &options));
    options = sinew_solve_options_default(SINEW_METHOD_SELECTIVELY_DAMPED);
    options.max_iterations = 10;
    Motion selective = print_motion("sdls", follow_lissajous(scene, &options));
    TEST_TRUE(exact.unreachable >= 0.3);
    TEST_TRUE(held.largest_step <= 0.2 * (1.0 + 1e-9));
    TEST_TRUE(held.unreachable <= exact.unreachable + 0.04);
    TEST_TRUE(held.mean_error <= 1.15 * exact.mean_error);
    TEST_TRUE(held.jitter < small.jitter);
    TEST_TRUE(late.largest_step <= 0.2 && late.unreachable > 0.9);
    TEST_TRUE(selective.jitter < small.jitter || selective.iterations < small.iterations);
    scene_destroy(scene);
}

/// DLS-9: damping that follows the error against every fixed one of a sweep on the same targets: none is nearer,
/// none takes as few iterations. Large ones shake less, some 40 times as long.
static void test_automatic_damping_dls9(void **state)
{
    (void)state;
    static const double fixed[] = { 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0 };
    scene_Scene *scene = body_scene("BODY11");
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.damping = -1.0;
    Motion automatic = print_motion("dls auto", follow_lissajous(scene, &options));
    double least = INFINITY, least_error = INFINITY, least_iterations = INFINITY;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; ++i) {
        char name[32];
        snprintf(name, sizeof name, "dls %g", fixed[i]);
        options.damping = fixed[i];
        Motion motion = print_motion(name, follow_lissajous(scene, &options));
        least = fmin(least, motion.mean_error + motion.jitter);
        least_error = fmin(least_error, motion.mean_error);
        least_iterations = fmin(least_iterations, motion.iterations);
    }
    print_message("error and shaking: automatic %.4f, best of all fixed %.4f\n",
        automatic.mean_error + automatic.jitter, least);
    TEST_TRUE(automatic.mean_error <= 1.001 * least_error);
    TEST_TRUE(automatic.iterations < least_iterations);
    scene_destroy(scene);
}

/// MULTI-1: two targets that contradict each other settle at the least-squares compromise, and the
/// order in which they are given changes nothing beyond 1e-10.
static void test_compromise_multi1(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    int dofs = sinew_skeleton_dof_count(scene->skeleton);
    sinew_Solver *solver = body_solver(scene->skeleton, 2);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.stall_share = 0.0;
    options.position_tolerance = 1e-9;
    options.max_iterations = 200;
    int joint = scene->effectors[0].joint;
    sinew_SolveOptions plain = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    double worst = 0.0, middle[16];
    sinew_pose_middle(scene->skeleton, middle);
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(1110, i);
        sinew_Transform world[BODY_MAX_JOINTS];
        double wanted[16], q[2][16];
        // around places well inside the reach
        for (int d = 0; d < dofs; ++d) { wanted[d] = middle[d] + test_range(&random, -0.3, 0.3); }
        sinew_pose_forward(scene->skeleton, wanted, world);
        sinew_Vec3 apart = test_vector(&random, 0.1);
        sinew_Goal goals[2][2];
        goals[0][0] = sinew_goal_position(joint, sinew_vec3_add(world[joint].position, apart));
        goals[0][1] = sinew_goal_position(joint, sinew_vec3_sub(world[joint].position, apart));
        goals[1][0] = goals[0][1];
        goals[1][1] = goals[0][0];
        for (int order = 0; order < 2; ++order) {
            memcpy(q[order], middle, sizeof middle);
            body_solve(solver, &plain, goals[order], 2, q[order]);
        }
        TEST_ARRAY_NEAR(q[0], q[1], dofs, 1e-10);
        // the order is the order of sums: at the very bottom F is flat to its last bit within 1e-8
        body_solve(solver, &options, goals[0], 2, q[0]);
        sinew_Vec3 compromise = world[joint].position;
        sinew_pose_forward(scene->skeleton, q[0], world);
        worst = fmax(worst, sinew_vec3_distance(world[joint].position, compromise));
    }
    print_message("farthest from the middle of two targets: %.2e m\n", worst);
    TEST_TRUE(worst < 1e-5);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// MULTI-1: the same on BODY11, whose targets contradict each other through the trunk: no turn
/// of a joint by 1e-3 rad betters the compromise by more than a millionth.
static void test_stationary_multi1(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("BODY11");
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    int dofs = sinew_skeleton_dof_count(scene->skeleton);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.limits = SINEW_LIMITS_NONE;
    options.max_iterations = 2000;
    // the shortening of long errors would weigh far targets less
    options.max_target_step = 1e9;
    options.damping = 0.1;
    sinew_SolveOptions plain = options;
    options.stall_share = 0.0;
    int count = scene->effector_count;
    double worst = 0.0, worst_order = 0.0;
    for (int i = 0; i < 200; ++i) {
        test_Random random = test_case(1120, i);
        sinew_Goal goals[SCENE_MAX_EFFECTORS], swapped[SCENE_MAX_EFFECTORS];
        double q[MAX_NUMBERS], other[MAX_NUMBERS], moved[MAX_NUMBERS];
        sinew_pose_middle(scene->skeleton, q);
        memcpy(other, q, sizeof q);
        body_scene_goals(scene, q, goals);
        for (int g = 0; g < count; ++g) {
            // pulled apart, out of reach
            sinew_Vec3 pull = { g % 2 == 0 ? 1.0 : -1.0, 0.0, 0.0 };
            goals[g].position = sinew_vec3_add(
                goals[g].position, sinew_vec3_add(pull, test_vector(&random, 0.3)));
        }
        for (int g = 0; g < count; ++g) { swapped[g] = goals[count - 1 - g]; }
        body_solve(solver, &plain, goals, count, q);
        body_solve(solver, &plain, swapped, count, other);
        worst_order = fmax(worst_order, body_largest_step(scene->skeleton, q, other));
        sinew_Report report = body_solve(solver, &options, goals, count, q);

        sinew_Transform world[BODY_MAX_JOINTS];
        for (int d = 0; d < dofs; ++d) {
            double step[MAX_NUMBERS] = { 0.0 };
            step[d] = test_int(&random, 2) ? 1e-3 : -1e-3;
            sinew_pose_integrate(scene->skeleton, q, step, moved);
            sinew_pose_forward(scene->skeleton, moved, world);
            double objective = 0.0;
            for (int g = 0; g < count; ++g) {
                double far = sinew_vec3_distance(goals[g].position, world[goals[g].joint].position);
                objective += 0.5 * far * far;
            }
            worst = fmax(worst, (report.objective - objective) / report.objective);
        }
    }
    print_message(
        "gain by turning a joint: %.1e; swapping the order: %.1e rad\n", worst, worst_order);
    TEST_TRUE(worst < 1e-6);
    TEST_TRUE(worst_order < 1e-10);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

// What goals weigh counts between them alone: all of them 1024 squared times as much is the same to the last bit.
static void test_weights_are_relative(void **state)
{
    (void)state;
    static const double weights[] = { 0x1p-60, 0x1p-40, 0x1p-20, 0x1p20 };
    scene_Scene *scene = body_scene("MAN18");
    int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
    sinew_Solver *solver = body_solver(scene->skeleton, 2);
    for (int i = 0; i < 120; ++i) {
        test_Random random = test_case(1131, i);
        sinew_SolveOptions options = sinew_solve_options_default(
            i % 2 == 0 ? SINEW_METHOD_AUTO : SINEW_METHOD_DAMPED);
        sinew_Goal goals[2];
        int count = 1 + test_int(&random, 2);
        for (int g = 0; g < count; ++g) {
            int hand = sinew_skeleton_find_joint(
                scene->skeleton, g == 0 ? "LeftHand" : "RightHand");
            double side = g == 0 ? 0.3 : -0.3;
            sinew_Vec3 place = { side, test_range(&random, 0.9, 1.5), 0.3 };
            goals[g] = sinew_goal_pose(hand, place, test_unit_quat(&random));
        }
        if (i % 3 == 0) { goals[0] = sinew_goal_position(goals[0].joint, goals[0].position); }
        double q[256], other[256], weight = weights[i % 4];
        sinew_pose_middle(scene->skeleton, q);
        memcpy(other, q, sizeof q);
        sinew_Report report = body_solve(solver, &options, goals, count, q);
        for (int g = 0; g < count; ++g) {
            goals[g].position_weight = goals[g].orientation_weight = weight;
        }
        sinew_Report weighed = body_solve(solver, &options, goals, count, other);
        TEST_INT(weighed.outcome, report.outcome);
        TEST_INT(weighed.iterations, report.iterations);
        TEST_NEAR(weighed.objective / weight, report.objective, 0.0);
        TEST_TRUE(body_same_bits(q, other, numbers));
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// MULTI-4: of two contradicting targets with weights 10 : 1 the compromise is ten times nearer to
/// the first; a target with an orientation is met in both.
static void test_weights_multi4(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    int dofs = sinew_skeleton_dof_count(scene->skeleton);
    sinew_Solver *solver = body_solver(scene->skeleton, 2);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.stall_share = 0.0;
    options.position_tolerance = 1e-9;
    options.max_iterations = 200;
    int joint = scene->effectors[0].joint;
    double middle[16];
    sinew_pose_middle(scene->skeleton, middle);
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(1130, i);
        sinew_Transform world[BODY_MAX_JOINTS];
        double wanted[16], q[16];
        for (int d = 0; d < dofs; ++d) { wanted[d] = middle[d] + test_range(&random, -0.3, 0.3); }
        sinew_pose_forward(scene->skeleton, wanted, world);
        sinew_Vec3 apart = test_vector(&random, 0.1);
        // their weighted mean is in reach
        sinew_Goal goals[2] = {
            sinew_goal_position(joint, sinew_vec3_add_scaled(world[joint].position, apart, 1.0)),
            sinew_goal_position(joint, sinew_vec3_add_scaled(world[joint].position, apart, -10.0)),
        };
        goals[0].position_weight = 10.0;
        goals[1].position = sinew_vec3_add_scaled(world[joint].position, apart, -1.0);
        goals[0].position = sinew_vec3_add_scaled(world[joint].position, apart, 0.1);
        memcpy(q, middle, sizeof middle);
        body_solve(solver, &options, goals, 2, q);
        const sinew_GoalResult *results = sinew_solver_goal_results(solver);
        TEST_NEAR(results[0].position_error, 0.1 * sinew_vec3_length(apart), 1e-4);
        TEST_NEAR(results[1].position_error, sinew_vec3_length(apart), 1e-4);
    }

    options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.position_tolerance = options.orientation_tolerance = 1e-5;
    options.max_iterations = 200;
    int met = 0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(1131, i);
        sinew_Transform world[BODY_MAX_JOINTS];
        double q[16];
        for (int d = 0; d < dofs; ++d) { q[d] = middle[d] + test_range(&random, -0.2, 0.2); }
        sinew_pose_forward(scene->skeleton, q, world);
        sinew_Goal goal = sinew_goal_pose(joint, world[joint].position, world[joint].rotation);
        memcpy(q, middle, sizeof middle);
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        met += report.position_error <= 1e-5 && report.orientation_error <= 1e-5;
    }
    print_message("pose goals met to 1e-5: %d of 1000\n", met);
    TEST_TRUE(met >= 990);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// MULTI-5: a target 100 body lengths away makes no larger step than one just out of reach.
static void test_far_targets_multi5(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("BODY11");
    double size = sinew_skeleton_size(scene->skeleton);
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    int compared = 0;
    for (int m = 0; m < 4; ++m) {
        sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
        options.max_iterations = 1;
        if (methods[m] == SINEW_METHOD_DAMPED) { options.damping = 0.2; }
        for (int i = 0; i < 1000; ++i) {
            test_Random random = test_case(1140, i);
            scene_Random poses = scene_random(1140 + (uint64_t)i);
            double start[MAX_NUMBERS], q[MAX_NUMBERS], steps[2];
            scene_random_pose(scene, &poses, start);
            // the size of the body in front of a wide circle: the directions barely differ
            sinew_Vec3 away = test_unit_vector(&random);
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            int count = body_scene_goals(scene, start, goals);
            sinew_Vec3 from[SCENE_MAX_EFFECTORS];
            for (int g = 0; g < count; ++g) { from[g] = goals[g].position; }
            for (int k = 0; k < 2; ++k) {
                for (int g = 0; g < count; ++g) {
                    goals[g].position = sinew_vec3_add_scaled(
                        from[g], away, (k == 0 ? 2.0 : 100.0) * size);
                }
                memcpy(q, start, sizeof q);
                body_solve(solver, &options, goals, count, q);
                steps[k] = body_largest_step(scene->skeleton, start, q);
            }
            // one that would make things worse was not taken
            if (steps[0] > 1e-9) { TEST_TRUE(steps[1] <= steps[0] * (1.0 + 1e-9) + 1e-12); }
            compared += steps[0] > 1e-9;
        }
    }
    TEST_TRUE(compared > 3000);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

TEST_MAIN(cmocka_unit_test(test_seven_steps_pinv1), cmocka_unit_test(test_limits_pinv4),
    cmocka_unit_test(test_best_so_far_pinv5), cmocka_unit_test(test_leg_numbers_pinv6),
    cmocka_unit_test(test_singular_pinv7), cmocka_unit_test(test_step_cap_pinv7),
    cmocka_unit_test(test_step_fraction_pinv8), cmocka_unit_test(test_coherence_pinv10),
    cmocka_unit_test(test_published_path_inv5), cmocka_unit_test(test_transpose_jt1),
    cmocka_unit_test(test_stretched_dls3), cmocka_unit_test(test_damping_dls4),
    cmocka_unit_test(test_iterations_per_frame_dls5), cmocka_unit_test(test_unreachable_multi2),
    cmocka_unit_test(test_automatic_damping_dls9), cmocka_unit_test(test_compromise_multi1),
    cmocka_unit_test(test_stationary_multi1), cmocka_unit_test(test_weights_multi4),
    cmocka_unit_test(test_weights_are_relative), cmocka_unit_test(test_far_targets_multi5))
