// The four forms of the damped linear step agree, with each other and with plain elimination.

#include "plan_rig.h"

#include "math/dense.h"
#include "math/svd.h"
#include "solve/literal.h"

#define MAX_GOALS 8
#define MAX_DOFS 160

// Gaussian elimination with row pivots, written apart from the library's own
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

// (J^T J + D) step = J^T e + pull by elimination
static void reference_step(const snw_Linear *linear, const snw_Plan *plan, double *out_step)
{
    static double matrix[MAX_DOFS * MAX_DOFS];
    int m = plan->row_count, n = plan->dof_count;
    for (int i = 0; i < n; ++i) {
        const double *ci = &linear->jacobian[i * m];
        for (int j = 0; j < n; ++j) {
            const double *cj = &linear->jacobian[j * m];
            double sum = i == j ? linear->lambda2 / plan->softness[i] + linear->stiffness : 0.0;
            for (int r = 0; r < m; ++r) { sum += ci[r] * cj[r]; }
            matrix[i * n + j] = sum;
        }
        double sum = linear->has_pull ? linear->pull[i] : 0.0;
        for (int r = 0; r < m; ++r) { sum += ci[r] * linear->error[r]; }
        out_step[i] = sum;
    }
    eliminate(matrix, out_step, n);
}

static double norm(const double *v, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) { sum += v[i] * v[i]; }
    return sqrt(sum);
}

// floor: steps smaller than this are nothing but rounding
static double relative_difference(const double *a, const double *b, int count, double floor)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) { sum += (a[i] - b[i]) * (a[i] - b[i]); }
    return sqrt(sum) / fmax(norm(b, count), floor);
}

typedef struct Worst {
    double reference, rows, rows_little, tree, recursion;
    long used;
} Worst;

// lambda^2 below this share of L^2 is little damping: the m x m form then answers with forces of
// e / lambda^2 that nearly cancel in J^T f, and loses as many digits
#define LITTLE_DAMPING 1e-3

// compare the forms on one system that is set up but for the damping
static void compare_forms(rig_Rig *rig, double lambda2, Worst *worst)
{
    static double reference[MAX_DOFS], dofs[MAX_DOFS];
    const snw_Plan *plan = &rig->plan;
    snw_Linear *linear = &rig->linear;
    int n = plan->dof_count;
    TEST_TRUE(n <= MAX_DOFS);
    linear->lambda2 = lambda2;
    double *worst_rows = lambda2 < LITTLE_DAMPING * plan->reach * plan->reach ? &worst->rows_little
                                                                              : &worst->rows;
    double floor = 1e-6 * norm(linear->error, plan->row_count) / sqrt(lambda2);
    reference_step(linear, plan, reference);
    TEST_TRUE(snw_linear_solve(linear, plan, &rig->targets, &rig->state, SINEW_FORM_DOFS));
    memcpy(dofs, linear->step, (size_t)n * sizeof(double));
    worst->reference = fmax(worst->reference, relative_difference(dofs, reference, n, floor));
    TEST_TRUE(snw_linear_solve(linear, plan, &rig->targets, &rig->state, SINEW_FORM_ROWS));
    *worst_rows = fmax(*worst_rows, relative_difference(linear->step, dofs, n, floor));
    TEST_TRUE(snw_linear_solve(linear, plan, &rig->targets, &rig->state, SINEW_FORM_TREE));
    worst->tree = fmax(worst->tree, relative_difference(linear->step, dofs, n, floor));
    TEST_TRUE(snw_linear_solve(linear, plan, &rig->targets, &rig->state, SINEW_FORM_RECURSION));
    worst->recursion = fmax(worst->recursion, relative_difference(linear->step, dofs, n, floor));
    ++worst->used;
}

static void report_worst(const char *name, const Worst *worst)
{
    print_message(
        "%s: %ld systems; dofs to elimination %.1e, rows %.1e (%.1e), tree %.1e, recursion %.1e\n",
        name, worst->used, worst->reference, worst->rows, worst->rows_little, worst->tree,
        worst->recursion);
    TEST_NEAR(worst->reference, 0.0, 1e-10);
    TEST_NEAR(worst->rows, 0.0, 1e-10);
    TEST_NEAR(worst->rows_little, 0.0, 1e-8);
    TEST_NEAR(worst->tree, 0.0, 1e-9);
    TEST_NEAR(worst->recursion, 0.0, 1e-8);
}

/// DLS-2: rows, dofs, tree and recursion give the same step on random trees of hinges, slides and
/// balls, with weights, mobilities, orientation goals, rest and velocity pulls.
static void test_forms_dls2(void **state)
{
    (void)state;
    static rig_Rig rig;
    Worst worst = { 0.0, 0.0, 0.0, 0.0, 0.0, 0 };
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(901, i);
        sinew_Skeleton *skeleton = body_random(&random, 2 + test_int(&random, 24), BODY_EVERYTHING);
        double q[BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        sinew_Goal goals[MAX_GOALS];
        body_random_pose(&random, skeleton, 2.0, q);
        sinew_pose_forward(skeleton, q, world);
        int goal_count = 1 + test_int(&random, MAX_GOALS);
        for (int g = 0; g < goal_count; ++g) {
            goals[g] = body_random_goal(&random, skeleton, world, true);
            goals[g].position = sinew_vec3_add(goals[g].position, test_vector(&random, 0.2));
            sinew_Vec3 axis = test_unit_vector(&random);
            goals[g].orientation = sinew_quat_mul(
                goals[g].orientation, sinew_quat_from_axis_angle(axis, test_uniform(&random)));
        }
        rig_init(&rig, skeleton, MAX_GOALS);
        bool mobile = test_int(&random, 2) == 0;
        for (int a = 0; mobile && a < sinew_skeleton_axis_count(skeleton); ++a) {
            rig.mobility[a] = test_int(&random, 5) == 0 ? 0.0 : test_range(&random, 0.1, 3.0);
        }
        rig_set(&rig, goals, goal_count, q, false);
        snw_Linear *linear = &rig.linear;
        // 1e-5 m^2 is meant for one target of weight 1; it takes as much more as there is to damp
        double load = fmax(rig.plan.reach * rig.plan.reach, 1.0);
        double weight = 0.0;
        for (int g = 0; g < goal_count; ++g) {
            weight += fmax(goals[g].position_weight, goals[g].orientation_weight);
        }
        load *= fmax(weight, 1.0) * (mobile ? 3.0 : 1.0);
        linear->stiffness = 0.0;
        linear->has_pull = false;
        if (test_int(&random, 2)) {
            rig.targets.rest_weight = 1e-3 * test_uniform(&random);
            rig.targets.velocity_weight = 1e-3 * test_uniform(&random);
            linear->stiffness = rig.targets.rest_weight + rig.targets.velocity_weight;
            linear->has_pull = true;
            snw_state_pull(&rig.plan, &rig.targets, &rig.state, linear->pull);
        }
        if (rig.plan.dof_count > 0) {
            snw_linear_set_error(linear, &rig.plan, &rig.targets, &rig.state, 0.5 * rig.plan.reach);
            snw_linear_set_jacobian(linear, &rig.plan, &rig.targets, &rig.state);
            compare_forms(&rig, load * pow(10.0, test_range(&random, -5.0, 0.0)), &worst);
        }
        rig_free(&rig);
        sinew_skeleton_destroy(skeleton);
    }
    report_worst("random trees", &worst);
}

/// DLS-2: the same on the bodies that people solve, 500 poses each, all effectors.
static void test_forms_on_scenes_dls2(void **state)
{
    (void)state;
    static rig_Rig rig;
    static const char *const names[] = { "LEG", "SPINEARM", "BODY11", "HAND", "MAN18", "SPIDER",
        "QUADRUPED", "CHAIN40" };
    for (size_t s = 0; s < sizeof names / sizeof names[0]; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        Worst worst = { 0.0, 0.0, 0.0, 0.0, 0.0, 0 };
        rig_init(&rig, scene->skeleton, SCENE_MAX_EFFECTORS);
        scene_Random poses = scene_random(910);
        for (int i = 0; i < 500; ++i) {
            test_Random random = test_case(910 + s, i);
            double q[BODY_MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            scene_random_pose(scene, &poses, q);
            int goal_count = body_scene_goals(scene, q, goals);
            scene_random_pose(scene, &poses, q);
            rig_set(&rig, goals, goal_count, q, false);
            rig.linear.stiffness = 0.0;
            rig.linear.has_pull = false;
            snw_linear_set_error(
                &rig.linear, &rig.plan, &rig.targets, &rig.state, 0.5 * rig.plan.reach);
            snw_linear_set_jacobian(&rig.linear, &rig.plan, &rig.targets, &rig.state);
            double reach2 = rig.plan.reach * rig.plan.reach;
            compare_forms(&rig, reach2 * pow(10.0, test_range(&random, -5.0, 0.0)), &worst);
        }
        report_worst(names[s], &worst);
        rig_free(&rig);
        scene_destroy(scene);
    }
}

// a plan of nothing but sizes: what the dense forms read beside J and e
typedef struct Dense {
    snw_Plan plan;
    snw_Linear linear;
    double jacobian[MAX_DOFS * 60], error[60], pull[MAX_DOFS], softness[MAX_DOFS], step[MAX_DOFS];
    double matrix[MAX_DOFS * MAX_DOFS], vector[MAX_DOFS], mobility[MAX_DOFS], row_force[60];
} Dense;

static void dense_init(Dense *d, int rows, int dofs)
{
    memset(&d->plan, 0, sizeof d->plan);
    memset(&d->linear, 0, sizeof d->linear);
    d->plan.row_count = rows;
    d->plan.dof_count = dofs;
    d->plan.reach = 1.0;
    d->plan.mobility = d->plan.softness = d->mobility;
    for (int i = 0; i < dofs; ++i) { d->mobility[i] = 1.0; }
    d->linear.jacobian = d->jacobian;
    d->linear.error = d->error;
    d->linear.pull = d->pull;
    d->linear.softness = d->softness;
    d->linear.step = d->step;
    d->linear.matrix = d->matrix;
    d->linear.vector = d->vector;
    d->linear.row_force = d->row_force;
}

static bool dense_solve(Dense *d, sinew_LinearForm form)
{
    return snw_linear_solve(&d->linear, &d->plan, NULL, NULL, form);
}

static void dense_random(Dense *d, test_Random *random)
{
    for (int k = 0; k < d->plan.row_count * d->plan.dof_count; ++k) {
        d->jacobian[k] = test_normal(random);
    }
    for (int r = 0; r < d->plan.row_count; ++r) { d->error[r] = test_normal(random); }
}

/// DLS-1: (J^T J + l^2)^-1 J^T e = J^T (J J^T + l^2)^-1 e to 1e-11 on random 6 x 11 and 60 x 66.
static void test_normal_equations_dls1(void **state)
{
    (void)state;
    static Dense d;
    static double first[MAX_DOFS];
    static const int sizes[2][2] = { { 6, 11 }, { 60, 66 } };
    for (int s = 0; s < 2; ++s) {
        double worst = 0.0;
        dense_init(&d, sizes[s][0], sizes[s][1]);
        for (int i = 0; i < 1000; ++i) {
            test_Random random = test_case(920 + (uint64_t)s, i);
            dense_random(&d, &random);
            d.linear.lambda2 = pow(10.0, test_range(&random, -2.0, 1.0));
            TEST_TRUE(dense_solve(&d, SINEW_FORM_DOFS));
            memcpy(first, d.step, sizeof first);
            TEST_TRUE(dense_solve(&d, SINEW_FORM_ROWS));
            for (int k = 0; k < d.plan.dof_count; ++k) {
                worst = fmax(worst, fabs(first[k] - d.step[k]));
            }
        }
        print_message("%d x %d: %.1e\n", sizes[s][0], sizes[s][1], worst);
        TEST_NEAR(worst, 0.0, 1e-11);
    }
}

/// DLS-3: |step| <= |e| / (2 lambda) on 1e5 random and degenerate J, in both forms.
static void test_bound_dls3(void **state)
{
    (void)state;
    static Dense d;
    double tightest = 0.0;
    for (int i = 0; i < 100000; ++i) {
        test_Random random = test_case(930, i);
        int rows = 3 * (1 + test_int(&random, 3)), dofs = 1 + test_int(&random, 12);
        dense_init(&d, rows, dofs);
        dense_random(&d, &random);
        // every second one loses rank: equal or zero columns, a zero row, everything tiny
        switch (test_int(&random, 8)) {
        case 0:
            for (int k = rows; k < rows * dofs; ++k) { d.jacobian[k] = d.jacobian[k - rows]; }
            break;
        case 1:
            for (int r = 0; r < rows; ++r) { d.jacobian[r] = 0.0; }
            break;
        case 2:
            for (int k = 0; k < dofs; ++k) { d.jacobian[k * rows] = 0.0; }
            break;
        case 3: {
            double scale = pow(10.0, test_range(&random, -12.0, 3.0));
            for (int k = 0; k < rows * dofs; ++k) { d.jacobian[k] *= scale; }
            break;
        }
        default: break;
        }
        double lambda = pow(10.0, test_range(&random, -3.0, 1.0));
        d.linear.lambda2 = lambda * lambda;
        double bound = norm(d.error, rows) / (2.0 * lambda);
        for (int f = 0; f < 2; ++f) {
            TEST_TRUE(dense_solve(&d, f == 0 ? SINEW_FORM_ROWS : SINEW_FORM_DOFS));
            double size = norm(d.step, dofs);
            TEST_TRUE(size <= bound * (1.0 + 1e-9));
            tightest = fmax(tightest, size / bound);
        }
    }
    print_message("largest |step| 2 lambda / |e|: %.4f\n", tightest);
    // the bound is nearly met by some: it is not a loose one
    TEST_TRUE(tightest > 0.95);
}

/// DLS-4: without damping the step is the pseudo-inverse's, to 1e-9, where that exists.
static void test_no_damping_dls4(void **state)
{
    (void)state;
    static Dense d;
    int used = 0;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(940, i);
        int rows = i % 2 == 0 ? 3 : 6, dofs = rows + test_int(&random, 8);
        dense_init(&d, rows, dofs);
        dense_random(&d, &random);
        double inverse[6 * 16], u[36], sigma[6], v[6 * 16], scratch[600], expected[16];
        TEST_TRUE(snw_svd_scratch_count(rows, dofs) <= 600);
        TEST_TRUE(snw_svd(d.jacobian, rows, dofs, rows, u, sigma, v, scratch));
        if (sigma[rows - 1] < 0.02 * sigma[0]) { continue; }
        ++used;
        TEST_TRUE(snw_literal_pseudo_inverse(d.jacobian, rows, dofs, rows, inverse));
        snw_literal_step(inverse, d.error, rows, dofs, expected);
        d.linear.lambda2 = 0.0;
        TEST_TRUE(dense_solve(&d, SINEW_FORM_ROWS));
        TEST_NEAR(relative_difference(d.step, expected, dofs, 0.0), 0.0, 1e-9);
    }
    TEST_TRUE(used > 1500);
}

/// A matrix that lost its rank is refused without damping, never answered with infinities.
static void test_singular_is_refused(void **state)
{
    (void)state;
    static Dense d;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(950, i);
        int rows = 3 * (1 + test_int(&random, 4)), dofs = rows + test_int(&random, 5);
        dense_init(&d, rows, dofs);
        dense_random(&d, &random);
        for (int k = 0; k < dofs; ++k) { d.jacobian[k * rows + 1] = d.jacobian[k * rows]; }
        d.linear.lambda2 = 0.0;
        TEST_TRUE(!dense_solve(&d, SINEW_FORM_ROWS));
    }
}

/// WGT-2: the weighted step D J^T (J D J^T)^-1 e meets e to 1e-10, equals the plain step bit for
/// bit at weight 1, and gives an axis of double weight a larger share.
static void test_weighted_step_wgt2(void **state)
{
    (void)state;
    static Dense d;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(960, i);
        int rows = i % 2 == 0 ? 3 : 6, dofs = rows + 3 + test_int(&random, 8);
        dense_init(&d, rows, dofs);
        dense_random(&d, &random);
        double plain[32], weighted[32];
        TEST_TRUE(dense_solve(&d, SINEW_FORM_ROWS));
        memcpy(plain, d.step, sizeof plain);
        d.plan.has_softness = true;
        TEST_TRUE(dense_solve(&d, SINEW_FORM_ROWS));
        TEST_TRUE(body_same_bits(plain, d.step, dofs));

        int chosen = test_int(&random, dofs);
        d.mobility[chosen] = 2.0;
        TEST_TRUE(dense_solve(&d, SINEW_FORM_ROWS));
        memcpy(weighted, d.step, sizeof weighted);
        TEST_TRUE(fabs(weighted[chosen]) / norm(weighted, dofs)
            > fabs(plain[chosen]) / norm(plain, dofs) * (1.0 - 1e-12));
        for (int r = 0; r < rows; ++r) {
            double left = d.error[r];
            for (int k = 0; k < dofs; ++k) { left -= d.jacobian[k * rows + r] * weighted[k]; }
            TEST_NEAR(left, 0.0, 1e-10);
        }
    }
}

/// DLS-2: the counted flops choose rows for a leg and the recursion for a whole body.
static void test_choice_dls2(void **state)
{
    (void)state;
    static rig_Rig rig;
    static const struct {
        const char *scene;
        sinew_LinearForm form;
    } expected[] = { { "LEG", SINEW_FORM_ROWS }, { "HAND", SINEW_FORM_RECURSION },
        { "CHAIN100", SINEW_FORM_ROWS } };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
        scene_Scene *scene = body_scene(expected[i].scene);
        int joints = sinew_skeleton_joint_count(scene->skeleton);
        sinew_Transform *world = calloc((size_t)joints, sizeof *world);
        double *q = calloc((size_t)sinew_skeleton_coordinate_count(scene->skeleton), sizeof *q);
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        sinew_pose_rest(scene->skeleton, q);
        sinew_pose_forward(scene->skeleton, q, world);
        bool leg = strcmp(expected[i].scene, "LEG") == 0;
        int count = leg ? 1 : scene->effector_count;
        for (int e = 0; e < count; ++e) {
            int joint = scene->effectors[e].joint;
            goals[e] = sinew_goal_position(joint, world[joint].position);
        }
        rig_init(&rig, scene->skeleton, SCENE_MAX_EFFECTORS);
        snw_plan_build(&rig.plan, &rig.scratch, scene->skeleton, rig.mobility, goals, count, false);
        sinew_LinearForm form = snw_linear_choose(&rig.plan, true);
        TEST_INT(form, expected[i].form);
        for (int f = SINEW_FORM_ROWS; f < SINEW_FORM_COUNT; ++f) {
            TEST_TRUE(snw_linear_flops(&rig.plan, form)
                <= snw_linear_flops(&rig.plan, (sinew_LinearForm)f));
        }
        TEST_TRUE(snw_linear_choose(&rig.plan, false) != SINEW_FORM_RECURSION);
        rig_free(&rig);
        free(q);
        free(world);
        scene_destroy(scene);
    }
}

TEST_MAIN(cmocka_unit_test(test_forms_dls2), cmocka_unit_test(test_forms_on_scenes_dls2),
    cmocka_unit_test(test_normal_equations_dls1), cmocka_unit_test(test_bound_dls3),
    cmocka_unit_test(test_no_damping_dls4), cmocka_unit_test(test_singular_is_refused),
    cmocka_unit_test(test_weighted_step_wgt2), cmocka_unit_test(test_choice_dls2))
