// The centre of mass as a goal, a constraint and over a polygon.

#include "bodies.h"
#include "plan_rig.h"

#include "solve/method.h"

#include <stdlib.h>

static sinew_Vec3 center_of(const sinew_Skeleton *skeleton, const double *q)
{
    sinew_Transform world[BODY_MAX_JOINTS];
    sinew_pose_forward(skeleton, q, world);
    return sinew_pose_center_of_mass(skeleton, world);
}

static double horizontal_distance(sinew_Vec3 a, sinew_Vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z));
}

// distance of a point from the sides of a convex polygon, positive inside; corners in order
static double depth_in(const sinew_Vec3 *corners, int count, sinew_Vec3 p)
{
    double area = 0.0, depth = INFINITY;
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 a = corners[i], b = corners[(i + 1) % count];
        area += a.x * b.z - a.z * b.x;
    }
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 a = corners[i], b = corners[(i + 1) % count];
        double length = sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
        double d = ((b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x)) / length;
        depth = fmin(depth, area > 0.0 ? d : -d);
    }
    return depth;
}

/// COM-1: the solver's centre is that of sinew_pose_center_of_mass, whichever joints move.
static void test_center_com1(void **state)
{
    (void)state;
    static rig_Rig rig;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(4400, i);
        sinew_Skeleton *skeleton = body_random(&random, 2 + test_int(&random, 14), BODY_EVERYTHING);
        double q[BODY_MAX_NUMBERS];
        body_random_pose(&random, skeleton, 2.0, q);
        sinew_Goal goal = sinew_goal_center_of_mass(sinew_vec3(0.0, 0.0, 0.0));
        goal.chain_root = test_int(&random, 3) - 1;
        if (goal.chain_root >= sinew_skeleton_joint_count(skeleton)) { goal.chain_root = -1; }
        rig_init(&rig, skeleton, 1);
        rig_set(&rig, &goal, 1, q, false);
        TEST_VEC3_NEAR(rig.state.center, center_of(skeleton, q), 1e-12);
        rig_free(&rig);
        sinew_skeleton_destroy(skeleton);
    }
}

// ---------------------------------------------------------------------------------------------
// Lagrange multipliers

// solve a dense system by elimination with pivots; a is n x n, row-major, b becomes x
static void eliminate(double *a, double *b, int n)
{
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i) {
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) { pivot = i; }
        }
        for (int j = 0; j < n; ++j) {
            double t = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = t;
        }
        double t = b[k];
        b[k] = b[pivot];
        b[pivot] = t;
        for (int i = k + 1; i < n; ++i) {
            double f = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; ++j) { a[i * n + j] -= f * a[k * n + j]; }
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j) { b[k] -= a[k * n + j] * b[j]; }
        b[k] /= a[k * n + k];
    }
}

typedef struct Bench {
    rig_Rig rig;
    snw_Solve solve;
    double columns[SNW_MAX_CONSTRAINT_ROWS * BODY_MAX_NUMBERS], rows[32 * BODY_MAX_NUMBERS];
    double between[2 * SNW_MAX_CONSTRAINT_ROWS * SNW_MAX_CONSTRAINT_ROWS];
    double errors[32];
    sinew_Goal goals[3];
} Bench;

// BODY11 in a random pose with two goals for its hands and its centre of mass as a constraint
static void set_bench(Bench *bench, const scene_Scene *scene, test_Random *random, double epsilon)
{
    double q[BODY_MAX_NUMBERS];
    body_random_pose(random, scene->skeleton, 0.6, q);
    for (int e = 0; e < 2; ++e) {
        sinew_Vec3 place = test_vector(random, 0.5);
        bench->goals[e] = sinew_goal_position(scene->effectors[e].joint, place);
    }
    bench->goals[2] = sinew_goal_center_of_mass(test_vector(random, 0.1));
    bench->goals[2].constraint = true;
    rig_set(&bench->rig, bench->goals, 3, q, false);
    snw_Linear *linear = &bench->rig.linear;
    linear->lambda2 = epsilon;
    linear->stiffness = 0.0;
    linear->has_pull = linear->any_fixed = false;
    snw_linear_set_error(linear, &bench->rig.plan, &bench->rig.targets, &bench->rig.state, 1e9);
    snw_linear_set_jacobian(linear, &bench->rig.plan, &bench->rig.targets, &bench->rig.state);
    snw_Solve *solve = &bench->solve;
    memset(solve, 0, sizeof *solve);
    solve->plan = bench->rig.plan;
    solve->targets = bench->rig.targets;
    solve->linear = *linear;
    solve->current = &bench->rig.state;
    solve->levels.columns = bench->columns;
    solve->levels.between = bench->between;
    solve->levels.rows = bench->rows;
    solve->levels.errors = bench->errors;
}

/// COM-3, COM-4: the constraint has two rows, the undamped step meets it to 1e-10, and it is that of
/// the whole system of Karush, Kuhn and Tucker.
static void test_multipliers_com4(void **state)
{
    (void)state;
    static Bench bench;
    scene_Scene *scene = body_scene("BODY11");
    rig_init(&bench.rig, scene->skeleton, 3);
    double worst = 0.0, off = 0.0;
    for (int i = 0; i < 300; ++i) {
        test_Random random = test_case(4410, i);
        set_bench(&bench, scene, &random, pow(10.0, test_range(&random, -6.0, -1.0)));
        int n = bench.rig.plan.dof_count, m = bench.rig.plan.row_count;
        TEST_INT(n, 11);
        TEST_INT(m, 8);
        const double *j = bench.solve.linear.jacobian, *e = bench.solve.linear.error;
        double a[13 * 13] = { 0.0 }, b[13];
        for (int r = 0; r < n; ++r) {
            b[r] = 0.0;
            for (int k = 0; k < 6; ++k) {
                b[r] += j[r * m + k] * e[k];
                for (int c = 0; c < n; ++c) { a[r * 13 + c] += j[r * m + k] * j[c * m + k]; }
            }
            a[r * 13 + r] += bench.solve.linear.lambda2;
            for (int k = 0; k < 2; ++k) {
                a[r * 13 + n + k] = -j[r * m + 6 + k];
                a[(n + k) * 13 + r] = j[r * m + 6 + k];
                b[n + k] = e[6 + k];
            }
        }
        eliminate(a, b, 13);
        bench.solve.report.form = SINEW_FORM_DOFS;
        TEST_TRUE(snw_constrained_solve(&bench.solve));
        for (int k = 0; k < 2; ++k) {
            double left = e[6 + k];
            for (int d = 0; d < n; ++d) { left -= j[d * m + 6 + k] * bench.solve.linear.step[d]; }
            worst = fmax(worst, fabs(left));
        }
        double size = 0.0;
        for (int d = 0; d < n; ++d) { size = fmax(size, fabs(b[d])); }
        for (int d = 0; d < n; ++d) {
            off = fmax(off, fabs(bench.solve.linear.step[d] - b[d]) / (1.0 + size));
        }
    }
    print_message("    constraint left by %.2g, step off by %.2g\n", worst, off);
    TEST_NEAR(worst, 0.0, 1e-10);
    TEST_NEAR(off, 0.0, 1e-10);
    rig_free(&bench.rig);
    scene_destroy(scene);
}

/// COM-5: the inverse by rows and the factored matrix of the dofs give the same step to 1e-8 for
/// every epsilon of at least 1e-6, with dofs fixed and free.
static void test_both_inverses_com5(void **state)
{
    (void)state;
    static Bench bench;
    scene_Scene *scene = body_scene("BODY11");
    rig_init(&bench.rig, scene->skeleton, 3);
    double worst = 0.0;
    for (int i = 0; i < 600; ++i) {
        test_Random random = test_case(4420, i);
        set_bench(&bench, scene, &random, pow(10.0, test_range(&random, -6.0, 0.0)));
        bench.solve.options.constraint_damping = i % 3 == 0 ? 0.0 : test_range(&random, 0.0, 0.5);
        int n = bench.rig.plan.dof_count;
        for (int d = 0; d < n && i % 2; ++d) {
            bench.solve.linear.fixed[d] = test_int(&random, 4) == 0;
            bench.solve.linear.fixed_step[d] = test_range(&random, -0.1, 0.1);
            bench.solve.linear.any_fixed = true;
        }
        double rows[BODY_MAX_NUMBERS], size = 0.0;
        bench.solve.report.form = SINEW_FORM_ROWS;
        TEST_TRUE(snw_constrained_solve(&bench.solve));
        memcpy(rows, bench.solve.linear.step, (size_t)n * sizeof(double));
        bench.solve.report.form = SINEW_FORM_DOFS;
        TEST_TRUE(snw_constrained_solve(&bench.solve));
        for (int d = 0; d < n; ++d) { size = fmax(size, fabs(rows[d])); }
        for (int d = 0; d < n; ++d) {
            worst = fmax(worst, fabs(rows[d] - bench.solve.linear.step[d]) / (1.0 + size));
        }
        memset(bench.solve.linear.fixed, 0, (size_t)n);
    }
    print_message("    the two ways differ by at most %.2g\n", worst);
    TEST_NEAR(worst, 0.0, 1e-8);
    rig_free(&bench.rig);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// BODY11

typedef struct Run {
    double worst_moving, worst_settled, mean_center, jitter;
} Run;

// BODY11's own motion as targets, the centre of mass over the place that it has at the start, with
// settings of the two dampings; the errors of the second half of a pause and of the motion
static Run run_body11(double epsilon_root, double lambda, double reach, sinew_LimitMode limits)
{
    scene_Scene *scene = body_scene("BODY11");
    sinew_Solver *solver = body_solver(scene->skeleton, 3);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.damping = epsilon_root;
    options.constraint_damping = lambda;
    options.limits = limits;
    options.max_iterations = options.min_iterations = 5;
    double q[BODY_MAX_NUMBERS], last[BODY_MAX_NUMBERS], before[BODY_MAX_NUMBERS] = { 0.0 };
    scene_pose_at(scene, 0.0, q);
    sinew_Vec3 point = center_of(scene->skeleton, q);
    sinew_Vec3 origin = point;
    int count = sinew_skeleton_coordinate_count(scene->skeleton);
    Run run = { 0.0, 0.0, 0.0, 0.0 };
    double change = 0.0, bend = 0.0;
    for (int frame = 0; frame < 480; ++frame) {
        double posed[BODY_MAX_NUMBERS], time = frame < 240 ? frame / 60.0 : 4.0;
        scene_pose_at(scene, time, posed);
        sinew_Goal goals[3];
        int goal_count = body_scene_goals(scene, posed, goals);
        for (int g = 0; g < goal_count; ++g) {
            // beyond reach, away from the middle
            goals[g].position = sinew_vec3_lerp(origin, goals[g].position, reach);
        }
        goals[goal_count] = sinew_goal_center_of_mass(point);
        goals[goal_count].constraint = true;
        memcpy(last, q, sizeof q);
        (void)body_solve(solver, &options, goals, goal_count + 1, q);
        double off = horizontal_distance(center_of(scene->skeleton, q), point);
        if (frame >= 420) { run.worst_settled = fmax(run.worst_settled, off); }
        if (frame < 240) { run.worst_moving = fmax(run.worst_moving, off); }
        run.mean_center += off / 480.0;
        for (int c = 0; c < count && frame > 1 && frame < 240; ++c) {
            change += fabs(q[c] - last[c]);
            bend += fabs(q[c] - last[c] - before[c]);
        }
        for (int c = 0; c < count; ++c) { before[c] = q[c] - last[c]; }
    }
    run.jitter = bend / change;
    sinew_solver_destroy(solver);
    scene_destroy(scene);
    return run;
}

/// COM-7: BODY11 follows its two moving targets with the centre of mass over a point: within 5 mm
/// once settled, and again after targets beyond its reach made ranges clamp steps and push it off.
static void test_body11_com7(void **state)
{
    (void)state;
    Run in_reach = run_body11(-1.0, 0.01, 1.0, SINEW_LIMITS_ACTIVE);
    Run clamped = run_body11(0.02, 0.01, 3.0, SINEW_LIMITS_CLAMP);
    print_message("    in reach: %.3g mm moving, %.3g mm settled; clamped: %.3g and %.3g\n",
        1e3 * in_reach.worst_moving, 1e3 * in_reach.worst_settled, 1e3 * clamped.worst_moving,
        1e3 * clamped.worst_settled);
    TEST_TRUE(in_reach.worst_settled <= 5e-3);
    TEST_TRUE(clamped.worst_moving > 5e-3 && clamped.worst_settled <= 5e-3);
}

/// COM-6: more lambda lets go of the centre of mass, more epsilon calms the joints.
static void test_sweep_com6(void **state)
{
    (void)state;
    const double lambdas[4] = { 0.01, 0.3, 1.0, 3.0 };
    const double epsilons[3] = { 0.01, 0.1, 0.3 };
    double last = -1.0;
    for (int i = 0; i < 4; ++i) {
        Run run = run_body11(0.1, lambdas[i], 1.5, SINEW_LIMITS_ACTIVE);
        print_message(
            "    lambda %4.2f: centre off by %.4g mm\n", lambdas[i], 1e3 * run.mean_center);
        TEST_TRUE(run.mean_center > last);
        last = run.mean_center;
    }
    last = INFINITY;
    for (int i = 0; i < 3; ++i) {
        Run run = run_body11(epsilons[i], 0.01, 1.5, SINEW_LIMITS_ACTIVE);
        print_message("    epsilon %4.2f^2: jitter %.4g\n", epsilons[i], run.jitter);
        TEST_TRUE(run.jitter < last);
        last = run.jitter;
    }
}

/// COM-3: raising all targets by the same height moves the body up and nothing resists.
static void test_height_is_free_com3(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS + 1);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.position_tolerance = 1e-6;
    double q[BODY_MAX_NUMBERS];
    scene_pose_at(scene, 0.3, q);
    sinew_Goal goals[SCENE_MAX_EFFECTORS + 1];
    int count = body_scene_goals(scene, q, goals);
    sinew_Vec3 before = center_of(scene->skeleton, q);
    goals[count] = sinew_goal_center_of_mass(before);
    for (int g = 0; g < count; ++g) { goals[g].position.y += 0.5; }
    sinew_Report report = body_solve(solver, &options, goals, count + 1, q);
    sinew_Vec3 after = center_of(scene->skeleton, q);
    TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
    TEST_NEAR(after.y - before.y, 0.5, 1e-4);
    TEST_NEAR(horizontal_distance(after, before), 0.0, 2e-6);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// MAN18 on its feet

#define FEET 2

typedef struct Man {
    scene_Scene *scene;
    sinew_Solver *solver;
    double q[BODY_MAX_NUMBERS];
    sinew_Goal goals[8];
    int goal_count, hand;
    sinew_Vec3 sole[8]; // corners of the hull of both feet, in order
    sinew_Vec3 hand_start;
} Man;

// standing at rest, both feet planted as poses, support and a hand
static void stand(Man *man)
{
    memset(man, 0, sizeof *man);
    man->scene = body_scene("MAN18");
    const sinew_Skeleton *skeleton = man->scene->skeleton;
    man->solver = body_solver(skeleton, 8);
    sinew_pose_rest(skeleton, man->q);
    sinew_Transform world[BODY_MAX_JOINTS];
    sinew_pose_forward(skeleton, man->q, world);
    static const char *const feet[FEET] = { "LeftFoot", "RightFoot" };
    static const char *const ends[4] = { "LeftHeel", "RightHeel", "RightToeEnd", "LeftToeEnd" };
    for (int f = 0; f < FEET; ++f) {
        int joint = sinew_skeleton_find_joint(skeleton, feet[f]);
        man->goals[man->goal_count++] = sinew_goal_pose(
            joint, world[joint].position, world[joint].rotation);
    }
    for (int i = 0; i < 4; ++i) {
        int joint = sinew_skeleton_find_joint(skeleton, ends[i]);
        // half the width of a foot outward
        double side = ends[i][0] == 'L' ? 0.045 : -0.045;
        man->sole[i] = sinew_vec3_add(world[joint].position, sinew_vec3(side, 0.0, 0.0));
    }
    man->goals[man->goal_count++] = sinew_goal_support(man->sole, 4);
    int hand = sinew_skeleton_find_joint(skeleton, "RightHandEnd");
    man->hand = man->goal_count;
    man->hand_start = world[hand].position;
    man->goals[man->goal_count] = sinew_goal_position(hand, world[hand].position);
    man->goals[man->goal_count++].priority = 1;
}

static void release(Man *man)
{
    sinew_solver_destroy(man->solver);
    scene_destroy(man->scene);
}

/// COM-8: whatever a standing MAN18 reaches for, its feet stay planted and its centre of mass stays
/// 1 cm inside of their hull, though reaching without that goal would topple it.
static void test_reaching_far_com8(void **state)
{
    (void)state;
    static Man man;
    stand(&man);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    int coordinates = sinew_skeleton_coordinate_count(man.scene->skeleton);
    double least = INFINITY, foot = 0.0, topple = INFINITY;
    int met = 0, cases = 300;
    double start[BODY_MAX_NUMBERS];
    memcpy(start, man.q, sizeof start);
    for (int i = 0; i < cases; ++i) {
        test_Random random = test_case(4430, i);
        memcpy(man.q, start, (size_t)coordinates * sizeof(double));
        sinew_Vec3 way = test_unit_vector(&random);
        double far = test_range(&random, 0.2, 2.0);
        man.goals[man.hand].position = sinew_vec3_add_scaled(man.hand_start, way, far);
        sinew_Report report = body_solve(man.solver, &options, man.goals, man.goal_count, man.q);
        TEST_TRUE(report.limit_violation <= 0.0);
        double depth = depth_in(man.sole, 4, center_of(man.scene->skeleton, man.q));
        least = fmin(least, depth);
        const sinew_GoalResult *results = sinew_solver_goal_results(man.solver);
        for (int f = 0; f < FEET; ++f) { foot = fmax(foot, results[f].position_error); }
        met += report.outcome == SINEW_OUTCOME_CONVERGED;

        sinew_Goal others[3] = { man.goals[0], man.goals[1], man.goals[man.hand] };
        memcpy(man.q, start, (size_t)coordinates * sizeof(double));
        (void)body_solve(man.solver, &options, others, 3, man.q);
        topple = fmin(topple, depth_in(man.sole, 4, center_of(man.scene->skeleton, man.q)));
    }
    print_message(
        "    inside by at least %.6g mm (without the goal %.3g), feet off by %.2g m, %d of "
        "%d hands met\n",
        1e3 * least, 1e3 * topple, foot, met, cases);
    TEST_TRUE(least >= 0.01 - 1e-6);
    TEST_TRUE(topple < -0.05);
    TEST_TRUE(foot <= 1e-6);
    TEST_TRUE(met > cases / 10 && met < cases);
    release(&man);
}

// the body below a joint that does not move and turns it so that its Y is the world's Z
static sinew_Skeleton *turned_up(const sinew_Skeleton *skeleton, sinew_Quat turn)
{
    sinew_JointDef defs[BODY_MAX_JOINTS + 1];
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = sinew_skeleton_joint_count(skeleton);
    defs[0] = sinew_joint_def_default();
    defs[0].name = "world";
    defs[0].rest_rotation = turn;
    for (int j = 0; j < count; ++j) {
        sinew_JointDef *def = &defs[j + 1];
        *def = sinew_joint_def_default();
        def->name = joints[j].name;
        def->parent = joints[j].parent + 1;
        def->offset = joints[j].offset;
        def->rest_rotation = joints[j].rest_rotation;
        def->axes = sinew_skeleton_axes(skeleton) + joints[j].axis_start;
        def->axis_count = joints[j].axis_count;
        def->mass = joints[j].mass;
        def->mass_center = joints[j].mass_center;
    }
    sinew_Skeleton *turned = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(defs, count + 1, NULL, &turned, &message), &message);
    return turned;
}

/// COM-9: in a world whose Z is up the same goals have the same answers: a mask of x and y says which axes the
/// ground has. With weights and with levels, within the polygon and outside of it at the start.
static void test_z_up_com9(void **state)
{
    (void)state;
    static Man man;
    stand(&man);
    sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), 0.5 * SINEW_PI);
    sinew_Skeleton *turned = turned_up(man.scene->skeleton, turn);
    sinew_Solver *solver = body_solver(turned, 8);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    int coordinates = sinew_skeleton_coordinate_count(turned);
    double start[BODY_MAX_NUMBERS], moved = 0.0;
    int same = 0;
    memcpy(start, man.q, sizeof start);
    for (int i = 0; i < 60; ++i) {
        test_Random random = test_case(4431, i);
        sinew_Vec3 shift = sinew_vec3(i % 2 == 0 ? 0.0 : 0.06, 0.0, 0.0);
        sinew_Vec3 sole[4], up[4];
        for (int k = 0; k < 4; ++k) {
            sole[k] = sinew_vec3_add(man.sole[k], shift);
            up[k] = sinew_quat_rotate(turn, sole[k]);
        }
        man.goals[2].support_points = sole;
        man.goals[man.hand].position = sinew_vec3_add_scaled(
            man.hand_start, test_unit_vector(&random), 0.3);
        man.goals[man.hand].priority = i % 3 == 0 ? 0 : 1;
        sinew_Goal goals[8];
        for (int g = 0; g < man.goal_count; ++g) {
            goals[g] = man.goals[g];
            if (goals[g].joint >= 0) { ++goals[g].joint; }
            goals[g].position = sinew_quat_rotate(turn, goals[g].position);
            goals[g].orientation = sinew_quat_mul(turn, goals[g].orientation);
        }
        goals[2].support_points = up;
        goals[2].position_mask = SINEW_MASK_X | SINEW_MASK_Y;
        double q[BODY_MAX_NUMBERS];
        memcpy(man.q, start, (size_t)coordinates * sizeof(double));
        memcpy(q, start, (size_t)coordinates * sizeof(double));
        sinew_Report report = body_solve(man.solver, &options, man.goals, man.goal_count, man.q);
        TEST_INT(body_solve(solver, &options, goals, man.goal_count, q).outcome, report.outcome);
        sinew_Vec3 plain = center_of(man.scene->skeleton, man.q);
        sinew_Vec3 center = sinew_quat_rotate(sinew_quat_conjugate(turn), center_of(turned, q));
        same += horizontal_distance(plain, center) <= 1e-6;
        moved = fmax(moved, horizontal_distance(plain, center_of(man.scene->skeleton, start)));
        TEST_TRUE(depth_in(sole, 4, center) >= 0.01 - 1e-3);
    }
    print_message("    %d of 60 the same, moved by up to %.2g m\n", same, moved);
    // a body that is the same left and right may go either way by rounding, in any turned world: four of 60 with
    // Y up and turned by half a turn
    TEST_TRUE(same >= 55);
    TEST_TRUE(moved > 0.02);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(turned);
    release(&man);
}

TEST_MAIN(cmocka_unit_test(test_center_com1), cmocka_unit_test(test_multipliers_com4),
    cmocka_unit_test(test_both_inverses_com5), cmocka_unit_test(test_body11_com7),
    cmocka_unit_test(test_sweep_com6), cmocka_unit_test(test_height_is_free_com3),
    cmocka_unit_test(test_reaching_far_com8), cmocka_unit_test(test_z_up_com9))
