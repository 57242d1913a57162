// Attempts from other starts: random poses, start tables, cold starts.

#include "bodies.h"

#include "solve/restart.h"
#include "solve/start_table.h"

#define MAX_NUMBERS 256

static sinew_Goal goal_at(const scene_Scene *scene, const double *q, bool pose)
{
    sinew_Transform world[BODY_MAX_JOINTS];
    sinew_pose_forward(scene->skeleton, q, world);
    int joint = scene->effectors[0].joint;
    sinew_Goal goal = pose ? sinew_goal_pose(joint, world[joint].position, world[joint].rotation)
                           : sinew_goal_position(joint, world[joint].position);
    goal.chain_root = scene->effectors[0].chain_root;
    return goal;
}

static sinew_Goal random_goal(const scene_Scene *scene, scene_Random *random, bool pose)
{
    double q[MAX_NUMBERS];
    scene_random_pose(scene, random, q);
    return goal_at(scene, q, pose);
}

// ---------------------------------------------------------------------------------------------
// Random restarts

/// RST-1: success rises with the number of attempts, a seeded run repeats itself bit by bit, the
/// best attempt is kept, and limits hold.
static void test_random_restarts_rst1(void **state)
{
    (void)state;
    static const sinew_Method methods[2] = { SINEW_METHOD_CCD, SINEW_METHOD_DAMPED };
    scene_Scene *scene = body_scene("ARM");
    sinew_Solver *solver = body_solver(scene->skeleton, 1);
    int coordinates = sinew_skeleton_coordinate_count(scene->skeleton);
    for (int m = 0; m < 2; ++m) {
        int met[5] = { 0 }, differ = 0;
        for (int i = 0; i < 1000; ++i) {
            scene_Random random = scene_random(1201 + (uint64_t)i);
            sinew_Goal goal = random_goal(scene, &random, true);
            double start[MAX_NUMBERS], q[MAX_NUMBERS], again[MAX_NUMBERS], last = INFINITY;
            scene_random_pose(scene, &random, start);
            for (int n = 0; n < 5; ++n) {
                sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
                options.max_iterations = 60;
                options.restarts = (1 << n) - 1;
                options.seed = 7;
                memcpy(q, start, sizeof q);
                sinew_Report report = body_solve(solver, &options, &goal, 1, q);
                TEST_TRUE(report.restarts <= options.restarts);
                TEST_TRUE(report.iterations <= 60 * (1 + report.restarts));
                TEST_TRUE(sinew_pose_limit_violation(scene->skeleton, q) <= 0.0);
                bool good = report.outcome == SINEW_OUTCOME_CONVERGED;
                met[n] += good;
                // more attempts are never worse, where they have to end unmet
                if (!good) { TEST_TRUE(report.objective <= last); }
                last = good ? INFINITY : report.objective;
                memcpy(again, start, sizeof again);
                (void)body_solve(solver, &options, &goal, 1, again);
                TEST_TRUE(body_same_bits(q, again, coordinates));
                if (report.restarts > 0) {
                    options.seed = 8;
                    memcpy(again, start, sizeof again);
                    (void)body_solve(solver, &options, &goal, 1, again);
                    differ += !body_same_bits(q, again, coordinates);
                }
            }
        }
        print_message("%s: %d %d %d %d %d of 1000 after 1, 2, 4, 8, 16 attempts\n",
            sinew_method_name(methods[m]), met[0], met[1], met[2], met[3], met[4]);
        for (int n = 1; n < 5; ++n) { TEST_TRUE(met[n] > met[n - 1] || met[n] == 1000); }
        TEST_TRUE(met[4] >= 985);
        TEST_TRUE(differ > 0);
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// RST-1: random values are inside ranges and ball limits and spread over all of them; free
/// hinges turn anywhere, endless slides and locked axes stay.
static void test_random_values_rst1(void **state)
{
    (void)state;
    sinew_Vec3 x = { 1.0, 0.0, 0.0 }, side = { 0.0, 1.0, 0.0 };
    sinew_ReachWindow cones[2] = { sinew_reach_cone(&x, 0.8), sinew_reach_cone(&side, 0.9) };
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = cones;
    def.window_count = 2;
    def.twist_lower = -0.3;
    def.twist_upper = 1.1;
    sinew_BallLimit *limit = NULL;
    TEST_OK(sinew_ball_limit_create(&def, NULL, &limit, NULL), NULL);
    sinew_Axis axes[] = { sinew_axis_slide(x), sinew_axis_slide(x), sinew_axis_hinge(x, -1.0, 2.0),
        sinew_axis_hinge(x, -INFINITY, INFINITY), sinew_axis_hinge(x, 0.5, INFINITY),
        sinew_axis_ball() };
    axes[1].lower = -0.1;
    axes[1].upper = 0.2;
    axes[4].rest = 1.0;
    axes[5].limit = limit;
    sinew_JointDef joint = sinew_joint_def_default();
    joint.name = "joint";
    joint.axes = axes;
    joint.axis_count = 6;
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(&joint, 1, NULL, &skeleton, &message), &message);
    sinew_ball_limit_destroy(limit);

    snw_Plan plan;
    snw_PlanScratch scratch;
    snw_Arena arena = { NULL, 0 };
    snw_plan_take(&plan, snw_sizes_of(skeleton, 1), &arena);
    snw_plan_scratch_take(&scratch, skeleton, &arena);
    void *block = test_block(arena.used);
    arena = (snw_Arena){ block, 0 };
    snw_plan_take(&plan, snw_sizes_of(skeleton, 1), &arena);
    snw_plan_scratch_take(&scratch, skeleton, &arena);
    double mobility[6] = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
    sinew_Goal goal = sinew_goal_position(0, sinew_vec3(0.0, 0.0, 0.0));
    snw_plan_build(&plan, &scratch, skeleton, mobility, &goal, 1, false);
    double from[9], values[9], low[9], high[9];
    sinew_pose_rest(skeleton, from);
    from[0] = 3.5;
    from[3] = 0.25;
    for (int k = 0; k < 9; ++k) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    const sinew_BallLimit *inner = sinew_skeleton_axes(skeleton)[5].limit;
    double twist_low = 9.0, twist_high = -9.0;
    int second = 0;
    snw_Random random = { 1202 };
    for (int i = 0; i < 10000; ++i) {
        snw_random_values(&plan, true, &random, from, values);
        for (int k = 0; k < 9; ++k) {
            low[k] = fmin(low[k], values[k]);
            high[k] = fmax(high[k], values[k]);
        }
        sinew_Quat ball = { values[5], values[6], values[7], values[8] };
        TEST_TRUE(sinew_ball_limit_allows(inner, ball));
        sinew_Vec3 u;
        double twist;
        sinew_ball_limit_measure(inner, ball, &u, &twist);
        twist_low = fmin(twist_low, twist);
        twist_high = fmax(twist_high, twist);
        second += sinew_vec3_dot(u, side) > cos(0.9);
    }
    TEST_NEAR(low[0], 3.5, 0.0);
    TEST_NEAR(high[0], 3.5, 0.0);
    TEST_TRUE(low[1] >= -0.1 && low[1] < -0.099 && high[1] <= 0.2 && high[1] > 0.199);
    TEST_TRUE(low[2] >= -1.0 && low[2] < -0.99 && high[2] <= 2.0 && high[2] > 1.99);
    TEST_TRUE(low[3] < 0.25 - 3.13 && high[3] > 0.25 + 3.13 && high[3] - low[3] <= 2.0 * SINEW_PI);
    TEST_TRUE(low[4] >= 0.5 && low[4] < 0.51 && high[4] > 0.49 + 2.0 * SINEW_PI);
    TEST_NEAR(twist_low, -0.3, 0.01);
    TEST_NEAR(twist_high, 1.1, 0.01);
    // areas of the two caps: 1 - cos
    double share = (1.0 - cos(0.9)) / (2.0 - cos(0.8) - cos(0.9));
    TEST_TRUE(second > 0.9 * share * 10000 && second < 1.2 * share * 10000);
    test_block_free(block);
    sinew_skeleton_destroy(skeleton);
}

// a clock that goes on by a second each time it is read
static double ticking(void *user)
{
    double *time = user;
    *time += 1.0;
    return *time;
}

/// A ceiling on time ends all attempts, and the best is still the answer.
static void test_restarts_out_of_time(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    double time = 0.0;
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = scene->skeleton;
    def.clock = ticking;
    def.clock_user = &time;
    sinew_Solver *solver = NULL;
    TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_CCD);
    options.restarts = 1000;
    options.time_budget = 100.0;
    double q[MAX_NUMBERS];
    sinew_pose_rest(scene->skeleton, q);
    sinew_Goal goal = goal_at(scene, q, false);
    goal.position.x += 2.0;
    sinew_Report report = body_solve(solver, &options, &goal, 1, q);
    TEST_INT(report.outcome, SINEW_OUTCOME_OUT_OF_TIME);
    TEST_TRUE(report.restarts > 1 && report.restarts < 1000 && report.iterations <= 100);
    TEST_TRUE(report.objective <= report.start_objective);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// Tables

static sinew_StartDef small_def(const scene_Scene *scene, const sinew_Goal *goal)
{
    sinew_StartDef def = sinew_start_def_default();
    def.skeleton = scene->skeleton;
    def.goals = goal;
    def.goal_count = 1;
    def.target_count = 300;
    def.candidate_count = 24;
    def.seed = 5;
    return def;
}

/// RST-2: a table that was built, stored as plain arrays and made again chooses the start of the
/// nearest centroid, and starts in it bring more goals home than one start does.
static void test_start_table_rst2(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    const sinew_Skeleton *skeleton = scene->skeleton;
    double q[MAX_NUMBERS];
    sinew_pose_rest(skeleton, q);
    sinew_Goal goal = goal_at(scene, q, true);
    sinew_StartDef def = small_def(scene, &goal);
    sinew_StartTable *built = NULL, *table = NULL, *twin = NULL;
    sinew_Message message = { "" };
    double share = 0.0;
    TEST_OK(sinew_start_table_build(&def, &built, &share, &message), &message);
    TEST_OK(sinew_start_table_build(&def, &twin, NULL, &message), &message);
    const sinew_StartTableData *data = sinew_start_table_data(built);
    print_message("%d starts, %d centroids, serve %.1f %%\n", data->start_count,
        data->centroid_count, 100.0 * share);
    TEST_TRUE(share >= 0.95);
    TEST_INT(data->start_count, 4);
    int coordinates = data->coordinate_count;
    TEST_TRUE(body_same_bits(
        data->poses, sinew_start_table_data(twin)->poses, data->start_count * coordinates));
    TEST_OK(sinew_start_table_create(skeleton, data, NULL, &table, &message), &message);
    sinew_start_table_destroy(built);
    sinew_start_table_destroy(twin);
    data = sinew_start_table_data(table);
    for (int s = 0; s < data->start_count; ++s) {
        TEST_TRUE(sinew_pose_limit_violation(skeleton, &data->poses[s * coordinates]) <= 0.0);
    }

    sinew_Solver *solver = body_solver(skeleton, 2);
    TEST_OK(sinew_solver_set_starts(solver, table), NULL);
    int met[2] = { 0, 0 };
    for (int i = 0; i < 1000; ++i) {
        scene_Random random = scene_random(1203 + (uint64_t)i);
        goal = random_goal(scene, &random, true);

        // no iterations: what comes back is the start itself, that of the nearest centroid
        double key[SNW_KEY_SIZE], least = INFINITY;
        int nearest = -1;
        sinew_pose_rest(skeleton, q);
        snw_start_key(skeleton, &goal, 1, q, key);
        for (int c = 0; c < data->centroid_count; ++c) {
            double d = snw_start_distance2(key, &data->centroids[c * 7], 1, data->reach);
            if (d < least) {
                least = d;
                nearest = data->centroid_starts[c];
            }
        }
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_CCD);
        options.start = SINEW_START_TABLE;
        options.max_iterations = 0;
        (void)body_solve(solver, &options, &goal, 1, q);
        TEST_TRUE(body_same_bits(q, &data->poses[nearest * coordinates], coordinates));

        options = sinew_solve_options_default(SINEW_METHOD_CCD);
        for (int n = 0; n < 2; ++n) {
            options.start = n == 0 ? SINEW_START_REST : SINEW_START_TABLE;
            options.restarts = n == 0 ? 0 : 3;
            sinew_pose_rest(skeleton, q);
            met[n] += body_solve(solver, &options, &goal, 1, q).outcome == SINEW_OUTCOME_CONVERGED;
            TEST_TRUE(sinew_pose_limit_violation(skeleton, q) <= 0.0);
        }
    }
    print_message("from rest %d, from the table %d of 1000\n", met[0], met[1]);
    TEST_TRUE(met[1] > met[0] && met[1] >= 950);

    // goals of another structure do not look at it
    sinew_pose_rest(skeleton, q);
    sinew_Goal other = goal_at(scene, q, false);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_CCD);
    options.start = SINEW_START_TABLE;
    options.max_iterations = 0;
    double rest[MAX_NUMBERS];
    sinew_pose_rest(skeleton, rest);
    (void)body_solve(solver, &options, &other, 1, q);
    TEST_TRUE(body_same_bits(q, rest, coordinates));
    sinew_solver_destroy(solver);
    sinew_start_table_destroy(table);
    scene_destroy(scene);
}

/// RST-3: four starts are enough for at least 99 % of the reachable positions of ARM with human
/// limits. Poses want eight.
static void test_number_of_starts_rst3(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    static const int starts[4] = { 1, 2, 4, 8 };
    for (int pose = 0; pose < 2; ++pose) {
        double q[MAX_NUMBERS];
        sinew_pose_rest(scene->skeleton, q);
        sinew_Goal goal = goal_at(scene, q, pose == 1);
        sinew_StartDef def = small_def(scene, &goal);
        def.start_count = 8;
        def.target_count = 500;
        def.candidate_count = 32;
        sinew_StartSuccess success[4];
        sinew_Message message = { "" };
        TEST_OK(sinew_start_success(&def, starts, 4, 1000, success, &message), &message);
        for (int i = 0; i < 4; ++i) {
            print_message("%s, %d starts: nearest %.1f, table %.1f, random %.1f %%\n",
                pose ? "pose" : "position", starts[i], 100.0 * success[i].nearest,
                100.0 * success[i].table, 100.0 * success[i].random);
            if (i > 0) { TEST_TRUE(success[i].table >= success[i - 1].table - 0.005); }
            TEST_TRUE(success[i].table >= success[i].nearest);
        }
        TEST_TRUE(success[pose == 0 ? 2 : 3].table >= 0.99);
        TEST_TRUE(success[0].table > success[0].random);
    }
    scene_destroy(scene);
}

/// RST-4: a cold start makes the pose a function of the goal alone, whatever came before; a warm one
/// does not. What the goal may not move keeps its bits.
static void test_cold_rst4(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    int coordinates = sinew_skeleton_coordinate_count(scene->skeleton), warm_differ = 0;
    sinew_Solver *solver = body_solver(scene->skeleton, 1);
    for (int i = 0; i < 1000; ++i) {
        scene_Random random = scene_random(1204 + (uint64_t)i);
        double target[MAX_NUMBERS], a[MAX_NUMBERS], b[MAX_NUMBERS], kept[MAX_NUMBERS];
        scene_random_pose(scene, &random, target);
        const scene_Effector *effector = &scene->effectors[i % scene->effector_count];
        sinew_Transform world[BODY_MAX_JOINTS];
        for (int method = 0; method < 2; ++method) {
            sinew_SolveOptions options = sinew_solve_options_default(
                method == 0 ? SINEW_METHOD_CCD : SINEW_METHOD_DAMPED);
            options.start = SINEW_START_REST;
            // two poses that differ in what the limb's goal may move alone
            memcpy(a, target, sizeof a);
            sinew_pose_forward(scene->skeleton, a, world);
            sinew_Goal goal = sinew_goal_position(effector->joint, world[effector->joint].position);
            goal.chain_root = effector->limb_root;
            memcpy(b, a, sizeof b);
            double other[MAX_NUMBERS];
            scene_random_pose(scene, &random, other);
            const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
            for (int j = goal.joint;; j = joints[j].parent) {
                for (int k = 0; k < joints[j].coordinate_count; ++k) {
                    b[joints[j].coordinate_start + k] = other[joints[j].coordinate_start + k];
                }
                if (j == goal.chain_root) { break; }
            }
            memcpy(kept, b, sizeof kept);
            (void)body_solve(solver, &options, &goal, 1, a);
            (void)body_solve(solver, &options, &goal, 1, b);
            TEST_TRUE(body_same_bits(a, b, coordinates));
            options.start = SINEW_START_GIVEN;
            (void)body_solve(solver, &options, &goal, 1, kept);
            warm_differ += !body_same_bits(a, kept, coordinates);
        }
    }
    TEST_TRUE(warm_differ > 1000);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// RST-5: captured poses join a table and are chosen for goals near them, wherever the body stands.
static void test_captured_rst5(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    const sinew_Skeleton *skeleton = scene->skeleton;
    int coordinates = sinew_skeleton_coordinate_count(skeleton);
    const scene_Effector *hand = &scene->effectors[body_effector(scene, "LeftHandEnd")];
    sinew_Goal goal = sinew_goal_position(hand->joint, sinew_vec3(0.0, 0.0, 0.0));
    goal.chain_root = hand->limb_root;
    scene_Random random = scene_random(1205);
    double poses[5][MAX_NUMBERS];
    sinew_StartTable *table = NULL;
    sinew_Message message = { "" };
    for (int s = 0; s < 5; ++s) {
        scene_random_pose(scene, &random, poses[s]);
        sinew_StartTable *next = NULL;
        TEST_OK(sinew_start_table_add(skeleton, table, &goal, 1, poses[s], NULL, &next, &message),
            &message);
        sinew_start_table_destroy(table);
        table = next;
    }
    const sinew_StartTableData *data = sinew_start_table_data(table);
    TEST_INT(data->start_count, 5);
    TEST_INT(data->centroid_count, 5);
    sinew_Solver *solver = body_solver(skeleton, 1);
    TEST_OK(sinew_solver_set_starts(solver, table), NULL);
    for (int i = 0; i < 1000; ++i) {
        // the body goes elsewhere, its arm as in one of the poses
        int s = i % 5;
        double q[MAX_NUMBERS], start[MAX_NUMBERS];
        scene_random_pose(scene, &random, start);
        memcpy(q, start, sizeof q);
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        for (int j = goal.joint;; j = joints[j].parent) {
            for (int k = 0; k < joints[j].coordinate_count; ++k) {
                q[joints[j].coordinate_start + k] = poses[s][joints[j].coordinate_start + k];
            }
            if (j == goal.chain_root) { break; }
        }
        snw_start_goal_at(skeleton, q, &goal);
        goal.position = sinew_vec3_add(
            goal.position, sinew_vec3_scale(scene_random_direction(&random), 0.001));
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_CCD);
        options.start = SINEW_START_TABLE;
        options.max_iterations = 0;
        (void)body_solve(solver, &options, &goal, 1, start);
        TEST_TRUE(body_same_bits(start, q, coordinates));
    }
    sinew_solver_destroy(solver);
    sinew_start_table_destroy(table);
    scene_destroy(scene);
}

/// Tables that break a rule are refused, and running out of memory anywhere leaves nothing behind.
static void test_broken_tables(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM"), *leg = body_scene("LEG");
    double q[MAX_NUMBERS];
    sinew_pose_rest(scene->skeleton, q);
    sinew_Goal goal = goal_at(scene, q, true);
    sinew_StartTable *table = NULL, *other = NULL;
    TEST_OK(sinew_start_table_add(scene->skeleton, NULL, &goal, 1, q, NULL, &table, NULL), NULL);
    const sinew_StartTableData good = *sinew_start_table_data(table);
    double numbers[MAX_NUMBERS], key[7];
    int start = 0;
    memcpy(numbers, good.poses, (size_t)good.coordinate_count * sizeof(double));
    memcpy(key, good.centroids, sizeof key);
    for (int broken = 0; broken < 12; ++broken) {
        sinew_StartTableData data = good;
        sinew_Goal bad_goal = goal;
        data.poses = numbers;
        data.centroids = key;
        data.centroid_starts = &start;
        data.goals = &bad_goal;
        switch (broken) {
        case 0: data.start_count = 0; break;
        case 1: data.start_count = SINEW_MAX_STARTS + 1; break;
        case 2: data.centroid_count = 0; break;
        case 3: data.coordinate_count += 1; break;
        case 4: data.reach = NAN; break;
        case 5: data.poses = NULL; break;
        case 6: numbers[1] = NAN; break;
        case 7: start = 1; break;
        case 8: key[2] = INFINITY; break;
        case 9: key[6] += 0.5; break;
        case 10: bad_goal.joint = 99; break;
        default: data.goal_count = 0; break;
        }
        sinew_Message message = { "" };
        TEST_INT(sinew_start_table_create(scene->skeleton, &data, NULL, &other, &message),
            SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(other == NULL && message.text[0] != '\0');
        numbers[1] = good.poses[1];
        memcpy(key, good.centroids, sizeof key);
        start = 0;
    }
    sinew_Solver *solver = body_solver(leg->skeleton, 1);
    TEST_INT(sinew_solver_set_starts(solver, table), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.restarts = -1;
    TEST_INT(sinew_solver_solve(solver, &options, &goal, 1, q, NULL, NULL),
        SINEW_STATUS_INVALID_ARGUMENT);
    sinew_solver_destroy(solver);
    sinew_start_table_destroy(table);

    for (int at = 1;; ++at) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = at;
        sinew_StartDef def = small_def(scene, &goal);
        def.target_count = 10;
        def.candidate_count = 3;
        def.allocator = memory.allocator;
        sinew_Status status = sinew_start_table_build(&def, &table, NULL, NULL);
        if (status == SINEW_STATUS_OK) {
            TEST_TRUE(at > 3);
            sinew_start_table_destroy(table);
        }
        TEST_INT((long long)memory.live_bytes, 0);
        TEST_TRUE(!memory.wrong_size);
        if (status == SINEW_STATUS_OK) { break; }
        TEST_INT(status, SINEW_STATUS_OUT_OF_MEMORY);
        TEST_TRUE(table == NULL);
    }
    scene_destroy(scene);
    scene_destroy(leg);
}

// Goals that cannot be met together are missed alike in many poses: another start's is no reason to leave the
// place that a descent from the pose given ends at.
static void test_conflicts_keep_the_pose_given(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    sinew_Solver *solver = body_solver(scene->skeleton, 3);
    int hand = sinew_skeleton_find_joint(scene->skeleton, "LeftHand");
    for (int i = 0; i < 40; ++i) {
        test_Random random = test_case(1207, i);
        sinew_Vec3 place = { test_range(&random, 0.2, 0.5), test_range(&random, 0.9, 1.4), 0.3 };
        sinew_Vec3 apart = sinew_vec3_scale(test_unit_vector(&random), 0.1);
        sinew_Goal goals[3] = { sinew_goal_position(hand, sinew_vec3_sub(place, apart)),
            sinew_goal_position(hand, sinew_vec3_add(place, apart)) };
        int count = 2;
        if (i % 4 == 3) {
            goals[1] = sinew_goal_center_of_mass(sinew_vec3(0.0, 0.0, 0.0));
            goals[2] = sinew_goal_center_of_mass(sinew_vec3(1.0, 0.0, 0.0));
            count = 3;
        }
        sinew_SolveOptions options = sinew_solve_options_default(
            i % 2 == 0 ? SINEW_METHOD_AUTO : SINEW_METHOD_DAMPED);
        if (i % 2 == 1) { options.restarts = 8; }
        double q[MAX_NUMBERS], alone[MAX_NUMBERS];
        sinew_pose_middle(scene->skeleton, q);
        memcpy(alone, q, sizeof q);
        sinew_Report report = body_solve(solver, &options, goals, count, q);
        options.restarts = 0;
        (void)body_solve(solver, &options, goals, count, alone);
        TEST_TRUE(report.outcome != SINEW_OUTCOME_CONVERGED && report.restarts > 0);
        TEST_INT(report.found_by, SINEW_FOUND_DESCENT);
        TEST_TRUE(!report.branch_change);
        TEST_TRUE(body_largest_step(scene->skeleton, q, alone) < 0.2);
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

TEST_MAIN(cmocka_unit_test(test_random_restarts_rst1),
    cmocka_unit_test(test_conflicts_keep_the_pose_given), cmocka_unit_test(test_random_values_rst1),
    cmocka_unit_test(test_restarts_out_of_time), cmocka_unit_test(test_start_table_rst2),
    cmocka_unit_test(test_number_of_starts_rst3), cmocka_unit_test(test_cold_rst4),
    cmocka_unit_test(test_captured_rst5), cmocka_unit_test(test_broken_tables))
