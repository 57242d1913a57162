// Goals that share no movable joint: each part of them is solved as if it were alone, all settings
// reach it, and the report is about all.

#include "bodies.h"

enum { MAX_GOALS = 6, JOINTS = 24, MAX_ITERATIONS = 3000 };

typedef struct Case {
    sinew_Skeleton *skeleton;
    sinew_Goal goals[MAX_GOALS];
    int goal_count, part_count;
    int part[MAX_GOALS]; // by goal
    double mobility[BODY_MAX_NUMBERS], start[BODY_MAX_NUMBERS];
} Case;

static bool moves(const Case *c, int joint)
{
    const sinew_Joint *j = &sinew_skeleton_joints(c->skeleton)[joint];
    for (int a = j->axis_start; a < j->axis_start + j->axis_count; ++a) {
        const sinew_Axis *axis = &sinew_skeleton_axes(c->skeleton)[a];
        if (c->mobility[a] > 0.0 && axis->lower < axis->upper) { return true; }
    }
    return false;
}

static bool may_move(const Case *c, int joint)
{
    bool may = false;
    for (int g = 0; g < c->goal_count && !may; ++g) {
        const sinew_Goal *goal = &c->goals[g];
        may = (joint == goal->joint || sinew_skeleton_is_ancestor(c->skeleton, joint, goal->joint))
            && (goal->chain_root < 0 || joint == goal->chain_root
                || sinew_skeleton_is_ancestor(c->skeleton, goal->chain_root, joint));
    }
    return may && moves(c, joint);
}

static bool is_above(const Case *c, int joint, const sinew_Goal *goal)
{
    return joint == goal->joint || sinew_skeleton_is_ancestor(c->skeleton, joint, goal->joint)
        || (goal->reference >= 0
            && (joint == goal->reference
                || sinew_skeleton_is_ancestor(c->skeleton, joint, goal->reference)));
}

// by trying all pairs until nothing changes
static void find_parts(Case *c)
{
    int joint_count = sinew_skeleton_joint_count(c->skeleton);
    for (int g = 0; g < c->goal_count; ++g) { c->part[g] = g; }
    for (int round = 0; round < c->goal_count; ++round) {
        for (int a = 0; a < c->goal_count; ++a) {
            for (int b = 0; b < a; ++b) {
                bool shared = false;
                for (int j = 0; j < joint_count; ++j) {
                    shared = shared
                        || (is_above(c, j, &c->goals[a]) && is_above(c, j, &c->goals[b])
                            && may_move(c, j));
                }
                int least = c->part[a] < c->part[b] ? c->part[a] : c->part[b];
                if (shared) { c->part[a] = c->part[b] = least; }
            }
        }
    }
    c->part_count = 0;
    for (int g = 0; g < c->goal_count; ++g) { c->part_count += c->part[g] == g ? 1 : 0; }
}

static void begin(Case *c, test_Random *random)
{
    memset(c, 0, sizeof *c);
    c->skeleton = body_random(random, JOINTS, BODY_EVERYTHING);
    for (int a = 0; a < sinew_skeleton_axis_count(c->skeleton); ++a) {
        c->mobility[a] = test_int(random, 5) == 0 ? 0.0 : 1.0;
    }
    sinew_Transform world[JOINTS];
    body_random_pose(random, c->skeleton, 1.0, c->start);
    sinew_pose_forward(c->skeleton, c->start, world);
    c->goal_count = 2 + test_int(random, MAX_GOALS - 1);
    for (int g = 0; g < c->goal_count; ++g) {
        c->goals[g] = body_random_goal(random, c->skeleton, world, true);
        sinew_Goal *goal = &c->goals[g];
        if (test_int(random, 4) == 0) { goal->position = test_vector(random, 3.0); }
        int other = test_int(random, JOINTS);
        if (test_int(random, 6) == 0) { goal->reference = other; }
    }
    body_random_pose(random, c->skeleton, 0.5, c->start);
    find_parts(c);
}

// Settings of a solver that are not the skeleton's own.
static void set_up(const Case *c, test_Random random, sinew_Solver *solver)
{
    TEST_OK(sinew_solver_set_mobility(solver, c->mobility), NULL);
    const sinew_Axis *axes = sinew_skeleton_axes(c->skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(c->skeleton); ++a) {
        double low = fmax(axes[a].lower, -1.0), high = fmin(axes[a].upper, 1.0);
        if (axes[a].kind == SINEW_AXIS_BALL || test_int(&random, 3)) { continue; }
        TEST_OK(sinew_solver_set_range(solver, a, low, test_range(&random, low, high)), NULL);
    }
    double rest[BODY_MAX_NUMBERS];
    body_random_pose(&random, c->skeleton, 1.0, rest);
    TEST_OK(sinew_solver_set_rest(solver, rest), NULL);
}

static sinew_SolveOptions options_of(test_Random *random)
{
    sinew_SolveOptions o = sinew_solve_options_default(SINEW_METHOD_AUTO);
    o.restarts = test_int(random, 3) ? 0 : 5;
    o.max_iterations = MAX_ITERATIONS;
    if (test_int(random, 3) == 0) { o.rest_weight = 1e-3; }
    if (test_int(random, 4) == 0) { o.soft_reach = 0.02; }
    if (test_int(random, 4) == 0) { o.max_joint_change = 0.3; }
    if (test_int(random, 4) == 0) { o.start = SINEW_START_REST; }
    return o;
}

// one part after the other by a solver that knows nothing else
static void solve_apart(const Case *c, const sinew_SolveOptions *o, const test_Random *settings,
    double *q, sinew_GoalResult *results, sinew_Report *sum)
{
    memset(sum, 0, sizeof *sum);
    for (int p = 0; p < c->goal_count; ++p) {
        sinew_Goal goals[MAX_GOALS];
        int places[MAX_GOALS], count = 0;
        for (int g = 0; g < c->goal_count; ++g) {
            if (c->part[g] != p) { continue; }
            places[count] = g;
            goals[count++] = c->goals[g];
        }
        if (count == 0) { continue; }
        sinew_Solver *solver = body_solver(c->skeleton, MAX_GOALS);
        set_up(c, *settings, solver);
        sinew_Report r = body_solve(solver, o, goals, count, q);
        for (int i = 0; i < count; ++i) {
            results[places[i]] = sinew_solver_goal_results(solver)[i];
        }
        sum->objective += r.objective;
        sum->start_objective += r.start_objective;
        sum->iterations += r.iterations;
        sum->position_error = fmax(sum->position_error, r.position_error);
        sum->orientation_error = fmax(sum->orientation_error, r.orientation_error);
        sum->limit_violation = fmax(sum->limit_violation, r.limit_violation);
        sum->outcome = r.outcome > sum->outcome ? r.outcome : sum->outcome;
        sinew_solver_destroy(solver);
    }
}

/// Parts are solved as each would be alone, bit for bit; and again after other methods and goals.
static void test_parts_are_as_alone_multi1(void **state)
{
    (void)state;
    int split = 0;
    for (int i = 0; i < 400; ++i) {
        test_Random random = test_case(7301, i);
        Case c;
        begin(&c, &random);
        sinew_SolveOptions o = options_of(&random);
        test_Random settings = test_case(7302, i);
        sinew_Solver *solver = body_solver(c.skeleton, MAX_GOALS);
        set_up(&c, settings, solver);
        int count = sinew_skeleton_coordinate_count(c.skeleton);
        double alone[BODY_MAX_NUMBERS], q[BODY_MAX_NUMBERS];
        sinew_GoalResult results[MAX_GOALS];
        sinew_Report sum;
        memcpy(alone, c.start, sizeof alone);
        solve_apart(&c, &o, &settings, alone, results, &sum);
        split += c.part_count > 1 ? 1 : 0;
        for (int round = 0; round < 2; ++round) {
            memcpy(q, c.start, sizeof q);
            sinew_Report r = body_solve(solver, &o, c.goals, c.goal_count, q);
            TEST_TRUE(body_same_bits(q, alone, count));
            TEST_TRUE(memcmp(sinew_solver_goal_results(solver), results,
                          (size_t)c.goal_count * sizeof *results)
                == 0);
            TEST_INT(r.iterations, sum.iterations);
            TEST_INT(r.outcome, sum.outcome);
            TEST_TRUE(r.position_error == sum.position_error);
            TEST_TRUE(r.orientation_error == sum.orientation_error);
            // of the whole pose, whichever joints a part moves
            TEST_TRUE(r.limit_violation <= sum.limit_violation);
            TEST_NEAR(r.objective, sum.objective, 1e-12 * (1.0 + sum.objective));
            TEST_NEAR(r.start_objective, sum.start_objective, 1e-12 * (1.0 + sum.start_objective));
            // all goals together, by a method that knows no parts, and other goals in between
            sinew_SolveOptions damped = sinew_solve_options_default(SINEW_METHOD_DAMPED);
            body_solve(solver, &damped, c.goals, c.goal_count, q);
            if (i % 2 == 0) { body_solve(solver, &o, c.goals, c.goal_count - 1, q); }
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(c.skeleton);
    }
    print_message("    %d of 400 cases have parts\n", split);
    TEST_TRUE(split > 60);
}

/// The ceiling holds for all parts together, each has some of it, and the answer is no worse than the
/// start.
static void test_ceiling_is_of_all_parts_pinv11(void **state)
{
    (void)state;
    for (int i = 0; i < 600; ++i) {
        test_Random random = test_case(7303, i);
        Case c;
        begin(&c, &random);
        sinew_SolveOptions o = sinew_solve_options_default(SINEW_METHOD_AUTO);
        o.max_iterations = test_int(&random, i % 3 == 0 ? 6 : 60);
        o.min_iterations = o.max_iterations > 0 ? test_int(&random, 3) % o.max_iterations : 0;
        o.restarts = test_int(&random, 2) ? 0 : 100;
        sinew_Solver *solver = body_solver(c.skeleton, MAX_GOALS);
        double q[BODY_MAX_NUMBERS];
        memcpy(q, c.start, sizeof q);
        sinew_Report r = body_solve(solver, &o, c.goals, c.goal_count, q);
        TEST_TRUE(r.iterations <= o.max_iterations);
        TEST_TRUE(r.objective <= r.start_objective);
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(c.skeleton);
    }
}

/// A goal that is refused leaves the pose as it was, whichever part it is in.
static void test_a_refused_part_changes_nothing(void **state)
{
    (void)state;
    int refused = 0;
    for (int i = 0; i < 200; ++i) {
        test_Random random = test_case(7304, i);
        Case c;
        begin(&c, &random);
        sinew_Goal *goal = &c.goals[test_int(&random, c.goal_count)];
        goal->position = sinew_vec3(1e17, 0.0, 0.0);
        sinew_SolveOptions o = sinew_solve_options_default(SINEW_METHOD_AUTO);
        sinew_Solver *solver = body_solver(c.skeleton, MAX_GOALS);
        double q[BODY_MAX_NUMBERS];
        memcpy(q, c.start, sizeof q);
        sinew_Message message = { "" };
        sinew_Status status = sinew_solver_solve(
            solver, &o, c.goals, c.goal_count, q, NULL, &message);
        if (status != SINEW_STATUS_OK) {
            ++refused;
            TEST_TRUE(message.text[0] != '\0');
            TEST_TRUE(body_same_bits(q, c.start, sinew_skeleton_coordinate_count(c.skeleton)));
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(c.skeleton);
    }
    TEST_TRUE(refused > 100);
}

TEST_MAIN(cmocka_unit_test(test_parts_are_as_alone_multi1),
    cmocka_unit_test(test_ceiling_is_of_all_parts_pinv11),
    cmocka_unit_test(test_a_refused_part_changes_nothing))
