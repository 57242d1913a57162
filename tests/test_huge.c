// Bodies of tens of thousands of joints: what a solver takes is in proportion to them, and what is not is
// refused by name.

#include "bodies.h"

#include "sinew/track.h"

#include <stdio.h>
#include <time.h>

enum { MANY = 20000 };

typedef struct Counted {
    size_t most, now;
} Counted;

static void *count_alloc(size_t size, size_t alignment, void *user)
{
    Counted *counted = user;
    counted->now += size;
    counted->most = counted->now > counted->most ? counted->now : counted->most;
    return alignment <= 64 ? test_block(size) : NULL;
}

static void count_free(void *memory, size_t size, void *user)
{
    Counted *counted = user;
    counted->now -= size;
    test_block_free(memory);
}

// a chain, or a comb: a backbone with teeth of one joint
static sinew_Skeleton *make(int count, bool comb)
{
    sinew_JointDef *joints = calloc((size_t)count, sizeof *joints);
    static const sinew_Vec3 directions[2] = { { 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    sinew_Axis axes[2];
    for (int k = 0; k < 2; ++k) { axes[k] = sinew_axis_hinge(directions[k], -1.0, 1.0); }
    for (int j = 0; j < count; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = "joint";
        joints[j].parent = comb && j % 2 == 0 ? j - 2 : j - 1;
        if (j == 0) { joints[j].parent = -1; }
        joints[j].offset = sinew_vec3(0.0, 1.0 / count, 0.0);
        joints[j].axes = &axes[j % 2];
        joints[j].axis_count = 1;
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, count, NULL, &skeleton, &message), &message);
    free(joints);
    return skeleton;
}

static sinew_Solver *make_solver(const sinew_Skeleton *skeleton, Counted *counted)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    def.allocator = (sinew_Allocator){ count_alloc, count_free, counted };
    sinew_Solver *solver = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_solver_create(&def, &solver, &message), &message);
    return solver;
}

static void test_memory_is_in_proportion(void **state)
{
    (void)state;
    for (int comb = 0; comb < 2; ++comb) {
        double bytes[2];
        for (int i = 0; i < 2; ++i) {
            int count = i == 0 ? MANY / 2 : MANY;
            sinew_Skeleton *skeleton = make(count, comb == 1);
            Counted counted = { 0, 0 };
            sinew_Solver *solver = make_solver(skeleton, &counted);
            bytes[i] = (double)counted.most / count;
            TEST_TRUE(counted.most == sinew_solver_memory(solver));
            sinew_solver_destroy(solver);
            TEST_TRUE(counted.now == 0);
            sinew_skeleton_destroy(skeleton);
        }
        print_message(
            "    %s: %.0f and %.0f bytes a joint\n", comb ? "comb" : "chain", bytes[0], bytes[1]);
        // twice the joints take no more each; at most 8 kB with the 8 goals there may be
        TEST_TRUE(bytes[1] <= bytes[0]);
        TEST_TRUE(bytes[1] < 8192.0);
    }
}

static void test_long_chain_is_solved(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make(MANY, false);
    Counted counted = { 0, 0 };
    sinew_Solver *solver = make_solver(skeleton, &counted);
    double *q = calloc(MANY, sizeof *q);
    sinew_Goal goal = sinew_goal_position(MANY - 1, sinew_vec3(0.3, 0.5, 0.2));
    static const sinew_LinearForm fit[] = { SINEW_FORM_AUTO, SINEW_FORM_ROWS,
        SINEW_FORM_RECURSION };
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.max_iterations = 4;
    for (int f = 0; f < 3; ++f) {
        options.form = fit[f];
        sinew_pose_rest(skeleton, q);
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        TEST_TRUE(report.objective < report.start_objective);
        TEST_TRUE(report.form == SINEW_FORM_ROWS || report.form == SINEW_FORM_RECURSION);
    }
    // matrices of dofs squared are refused, and the pose stays as it is
    static const sinew_LinearForm square[] = { SINEW_FORM_DOFS, SINEW_FORM_TREE };
    for (int f = 0; f < 2; ++f) {
        options.form = square[f];
        sinew_Message message = { "" };
        double before = q[MANY / 2];
        TEST_INT(sinew_solver_solve(solver, &options, &goal, 1, q, NULL, &message),
            SINEW_STATUS_CAPACITY);
        TEST_TRUE(strstr(message.text, sinew_form_name(square[f])) != NULL);
        TEST_TRUE(strstr(message.text, "2048") != NULL && q[MANY / 2] == before);
        // few of the joints may use them
        sinew_Goal small = goal;
        small.chain_root = MANY - 200;
        sinew_Transform *world = calloc(MANY, sizeof *world);
        sinew_pose_forward(skeleton, q, world);
        small.position = sinew_vec3_add(world[MANY - 1].position, sinew_vec3(1e-3, -5e-3, 0.0));
        options.form = square[f];
        sinew_Report report = body_solve(solver, &options, &small, 1, q);
        TEST_INT(report.form, square[f]);
        free(world);
    }
    free(q);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
}

// as many goals as a tracker of a whole body has: more rows than a Jacobian may have
static void test_many_goals_are_diagnosed(void **state)
{
    (void)state;
    enum { COUNT = 1200, HELD = 1190 };
    sinew_Skeleton *skeleton = make(COUNT, false);
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    def.max_goals = COUNT;
    sinew_Solver *solver = NULL;
    sinew_Diagnosis *diagnosis = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_solver_create(&def, &solver, &message), &message);
    TEST_OK(sinew_diagnosis_create(skeleton, COUNT, NULL, &diagnosis, &message), &message);
    static double q[COUNT];
    static sinew_Transform world[COUNT];
    static sinew_Goal goals[COUNT];
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.max_iterations = 4;
    // met in the first pass; in the second one joint would have to leave its range of 1
    for (int beyond = 0; beyond < 2; ++beyond) {
        q[HELD] = beyond ? 1.5 : 0.0;
        sinew_pose_forward(skeleton, q, world);
        for (int g = 0; g < COUNT; ++g) { goals[g] = sinew_goal_position(g, world[g].position); }
        q[HELD] = beyond ? 1.0 : 0.0;
        TEST_OK(sinew_solver_diagnose(solver, &options, goals, COUNT, q, NULL, diagnosis, &message),
            &message);
        const sinew_GoalDiagnosis *last = sinew_diagnosis_goal(diagnosis, COUNT - 1);
        TEST_TRUE(last->met == !beyond && last->conditioning == SINEW_CONDITIONING_GOOD);
        TEST_TRUE(last->smallest_singular <= 0.0 && last->largest_singular <= 0.0);
        TEST_INT(sinew_diagnosis_limit_count(diagnosis), beyond);
        if (beyond) { TEST_INT(sinew_diagnosis_limits(diagnosis)[0].joint, HELD); }
    }
    sinew_diagnosis_destroy(diagnosis);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
}

// a root with bones all around
static sinew_Skeleton *make_star(int count)
{
    sinew_JointDef *joints = calloc((size_t)count, sizeof *joints);
    sinew_Axis ball = sinew_axis_ball();
    for (int j = 0; j < count; ++j) {
        double s, c;
        sinew_sincos(2.0 * SINEW_PI * j / count, &s, &c);
        joints[j] = sinew_joint_def_default();
        joints[j].name = "joint";
        joints[j].parent = j > 0 ? 0 : -1;
        joints[j].offset = sinew_vec3(j > 0 ? c : 0.0, j > 0 ? s : 0.0, 0.0);
        joints[j].axes = &ball;
        joints[j].axis_count = j > 0 ? 0 : 1;
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, count, NULL, &skeleton, &message), &message);
    free(joints);
    return skeleton;
}

// processor time of a frame with a goal at every joint, the fastest of some, seconds; the body turns
static double frame_seconds(const sinew_Skeleton *skeleton)
{
    enum { FRAMES = 6 };
    int count = sinew_skeleton_joint_count(skeleton);
    sinew_TrackerDef def = sinew_tracker_def_default();
    sinew_Tracker *tracker = NULL;
    sinew_Message message = { "" };
    def.skeleton = skeleton;
    def.max_goals = count;
    TEST_OK(sinew_tracker_create(&def, &tracker, &message), &message);
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(skeleton), sizeof *q);
    sinew_Transform *world = calloc((size_t)count, sizeof *world);
    sinew_Goal *goals = calloc((size_t)count, sizeof *goals);
    sinew_pose_rest(skeleton, q);
    sinew_pose_forward(skeleton, q, world);
    double fastest = INFINITY;
    for (int frame = 0; frame < FRAMES; ++frame) {
        sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(0.0, 0.0, 1.0), 0.01 * frame);
        for (int j = 0; j < count; ++j) {
            goals[j] = sinew_goal_position(j, sinew_quat_rotate(turn, world[j].position));
        }
        clock_t start = clock();
        TEST_OK(sinew_tracker_update(tracker, goals, count, q, NULL, &message), &message);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (frame > 0) { fastest = fmin(fastest, seconds); }
    }
    free(goals);
    free(world);
    free(q);
    sinew_tracker_destroy(tracker);
    return fastest;
}

// A frame takes time in proportion to its goals; comparing each with the others a goal took 10 times as long in the larger body.
static void test_many_goals_are_followed(void **state)
{
    (void)state;
    double share[2];
    for (int i = 0; i < 2; ++i) {
        int count = i == 0 ? MANY / 10 : MANY;
        sinew_Skeleton *skeleton = make_star(count);
        share[i] = frame_seconds(skeleton) / count;
        sinew_skeleton_destroy(skeleton);
    }
    print_message("    %.0f and %.0f ns a goal\n", 1e9 * share[0], 1e9 * share[1]);
    TEST_TRUE(share[1] <= 4.0 * share[0]);
}

// processor time of a solve with a goal at every joint of a chain, seconds: the first, which makes the plan, and
// the next
static void solve_seconds(int count, double out_seconds[2])
{
    sinew_Skeleton *skeleton = make(count, false);
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    def.max_goals = count;
    sinew_Solver *solver = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_solver_create(&def, &solver, &message), &message);
    double *q = calloc((size_t)count, sizeof *q);
    sinew_Transform *world = calloc((size_t)count, sizeof *world);
    sinew_Goal *goals = calloc((size_t)count, sizeof *goals);
    sinew_pose_forward(skeleton, q, world);
    for (int j = 0; j < count; ++j) {
        goals[j] = sinew_goal_position(j, world[j].position);
        goals[j].position.x += 0.01;
    }
    sinew_SolveOptions options = sinew_solve_options_motion(1.0 / 60.0);
    options.max_iterations = 1;
    for (int i = 0; i < 2; ++i) {
        clock_t start = clock();
        TEST_OK(sinew_solver_solve(solver, &options, goals, count, q, NULL, &message), &message);
        out_seconds[i] = (double)(clock() - start) / CLOCKS_PER_SEC;
    }
    free(goals);
    free(world);
    free(q);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
}

// Chains of goals share most of their joints: walking each of them up to the root a goal took 10 times as long in
// the larger body, in the plan and in each solve.
static void test_goals_of_a_chain_are_planned_together(void **state)
{
    (void)state;
    double small[2], large[2];
    solve_seconds(MANY / 10, small);
    solve_seconds(MANY, large);
    for (int i = 0; i < 2; ++i) {
        double a = small[i] / (MANY / 10), b = large[i] / MANY;
        print_message(
            "    %s: %.0f and %.0f ns a goal\n", i == 0 ? "first" : "next", 1e9 * a, 1e9 * b);
        TEST_TRUE(b <= 4.0 * a);
    }
}

// processor time of finding a coordinate by its name, mean of all, seconds
static double find_seconds(int count)
{
    char(*names)[24] = calloc((size_t)count, sizeof *names);
    sinew_JointDef *joints = calloc((size_t)count, sizeof *joints);
    sinew_Axis ball = sinew_axis_ball();
    for (int j = 0; j < count; ++j) {
        snprintf(names[j], sizeof names[j], "joint%d", j);
        joints[j] = sinew_joint_def_default();
        joints[j].name = names[j];
        joints[j].parent = j > 0 ? 0 : -1;
        joints[j].axes = &ball;
        joints[j].axis_count = 1;
    }
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, count, NULL, &skeleton, NULL), NULL);
    clock_t start = clock();
    for (int j = 0; j < count; ++j) {
        char name[32];
        snprintf(name, sizeof name, "joint%d.qz", j);
        TEST_INT(sinew_skeleton_find_coordinate(skeleton, name), 4 * j + 2);
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    sinew_skeleton_destroy(skeleton);
    free(joints);
    free(names);
    return seconds / count;
}

// The columns of a table are found by name: each took 10 times as long in a body 10 times as large.
static void test_coordinates_are_found_at_once(void **state)
{
    (void)state;
    double small = find_seconds(MANY / 10), large = find_seconds(MANY);
    print_message("    %.0f and %.0f ns a coordinate\n", 1e9 * small, 1e9 * large);
    TEST_TRUE(large <= 4.0 * small);
}

TEST_MAIN(cmocka_unit_test(test_memory_is_in_proportion),
    cmocka_unit_test(test_long_chain_is_solved), cmocka_unit_test(test_many_goals_are_diagnosed),
    cmocka_unit_test(test_many_goals_are_followed),
    cmocka_unit_test(test_goals_of_a_chain_are_planned_together),
    cmocka_unit_test(test_coordinates_are_found_at_once))
