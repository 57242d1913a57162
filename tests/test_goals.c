// Goals of every kind: their rows against central differences, their errors against their meaning.

#include "goal_cases.h"
#include "plan_rig.h"

#include "sinew/jacobian.h"

static rig_Rig rig;

// measure the state that a step of one dof leads to
static void measure_moved(int dof, double h)
{
    double step[BODY_MAX_NUMBERS] = { 0.0 };
    const snw_Plan *plan = &rig.plan;
    step[dof] = h;
    for (int l = 0; l < plan->static_link_count; ++l) {
        rig.moved.rotation[l] = rig.state.rotation[l];
        rig.moved.position[l] = rig.state.position[l];
    }
    snw_state_integrate(plan, &rig.state, step, SINEW_LIMITS_NONE, NULL, &rig.moved);
    snw_state_forward(plan, &rig.moved, plan->static_link_count);
    snw_state_measure(plan, &rig.targets, &rig.moved);
}

// central differences of what goal 0 measures by one dof
static void difference(int dof, double h, double *out)
{
    double up[6], down[6];
    measure_moved(dof, h);
    snw_goal_moved(&rig.plan, &rig.targets, &rig.state, &rig.moved, 0, up);
    measure_moved(dof, -h);
    snw_goal_moved(&rig.plan, &rig.targets, &rig.state, &rig.moved, 0, down);
    for (int r = 0; r < 6; ++r) { out[r] = (up[r] - down[r]) / (2.0 * h); }
}

// the largest difference of the rows of goal 0 from central differences of what they measure; of two
// widths, so that the third derivatives drop out, which grow as the arms of angles shrink
static double check_rows(void)
{
    const snw_Plan *plan = &rig.plan;
    snw_linear_set_jacobian(&rig.linear, plan, &rig.targets, &rig.state);
    int count, first = snw_goal_rows(plan, 0, &count);
    double worst = 0.0, h = 2e-5;
    for (int d = 0; d < plan->dof_count; ++d) {
        double wide[6] = { 0.0 }, narrow[6] = { 0.0 };
        difference(d, h, wide);
        difference(d, 0.5 * h, narrow);
        for (int r = 0; r < count; ++r) {
            double scale = snw_goal_row_scale(plan, &rig.targets, 0, r);
            double row = rig.linear.jacobian[d * plan->row_count + first + r] / scale;
            double numeric = (4.0 * narrow[r] - wide[r]) / 3.0;
            worst = fmax(worst, fabs(row - numeric) / (1.0 + fabs(numeric)));
        }
    }
    return worst;
}

// beside a half turn the rows of a masked orientation are kept up on purpose
static bool is_half_turn(const sinew_Goal *goal, const double *q)
{
    bool turns = goal->kind == SINEW_GOAL_ORIENTATION || goal->kind == SINEW_GOAL_POSE;
    if (!turns || goal->orientation_mask == SINEW_MASK_ALL) { return false; }
    sinew_Goal whole = *goal;
    whole.orientation_mask = SINEW_MASK_ALL;
    whole.kind = SINEW_GOAL_ORIENTATION;
    rig_set(&rig, &whole, 1, q, false);
    const double *e = rig.state.error;
    return e[0] * e[0] + e[1] * e[1] + e[2] * e[2] > 1.99 * 1.99;
}

/// COM-2, JAC-6: the rows of every kind equal central differences to 1e-7 on random poses of bodies
/// that branch, with balls, slides, skew axes, masks, references and effectors beside the joint.
static void test_rows_com2(void **state)
{
    (void)state;
    for (int kind = 0; kind < SINEW_GOAL_KIND_COUNT; ++kind) {
        double worst = 0.0;
        for (int i = 0; i < 400; ++i) {
            test_Random random = test_case(4100 + (uint64_t)kind, i);
            sinew_Skeleton *skeleton = body_random(
                &random, 3 + test_int(&random, 12), BODY_EVERYTHING);
            sinew_Vec3 points[5];
            double q[BODY_MAX_NUMBERS];
            body_random_pose(&random, skeleton, 1.5, q);
            sinew_Goal goal = goal_random(&random, skeleton, (sinew_GoalKind)kind, points);
            rig_init(&rig, skeleton, 1);
            if (is_half_turn(&goal, q)) {
                rig_free(&rig);
                sinew_skeleton_destroy(skeleton);
                continue;
            }
            rig_set(&rig, &goal, 1, q, false);
            TEST_INT(rig.plan.row_count, sinew_goal_row_count(&goal));
            worst = fmax(worst, check_rows());
            rig_free(&rig);
            sinew_skeleton_destroy(skeleton);
        }
        print_message(
            "    %-15s off by at most %.2g\n", sinew_goal_kind_name((sinew_GoalKind)kind), worst);
        TEST_NEAR(worst, 0.0, 1e-7);
    }
}

/// COM-2: the public Jacobian of the centre of mass equals central differences to 1e-7, with masses given
/// and without.
static void test_center_jacobian_com2(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i < 400; ++i) {
        test_Random random = test_case(4120, i);
        // MAN18 has masses
        scene_Scene *scene = i % 2 ? body_scene("MAN18") : NULL;
        sinew_Skeleton *skeleton = scene != NULL
            ? scene->skeleton
            : body_random(&random, 2 + test_int(&random, 12), BODY_EVERYTHING);
        double q[BODY_MAX_NUMBERS], moved[BODY_MAX_NUMBERS], scratch[4 * BODY_MAX_JOINTS];
        static double jacobian[3 * BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        int n = sinew_skeleton_dof_count(skeleton);
        body_random_pose(&random, skeleton, 1.5, q);
        sinew_pose_forward(skeleton, q, world);
        sinew_jacobian_center_of_mass(skeleton, q, world, scratch, jacobian);
        for (int d = 0; d < n; ++d) {
            double step[BODY_MAX_NUMBERS] = { 0.0 }, h = 1e-5;
            sinew_Vec3 center[2];
            for (int side = 0; side < 2; ++side) {
                step[d] = side == 0 ? -h : h;
                sinew_pose_integrate(skeleton, q, step, moved);
                sinew_pose_forward(skeleton, moved, world);
                center[side] = sinew_pose_center_of_mass(skeleton, world);
            }
            sinew_Vec3 rate = sinew_vec3_scale(sinew_vec3_sub(center[1], center[0]), 0.5 / h);
            sinew_Vec3 column = { jacobian[d], jacobian[n + d], jacobian[2 * n + d] };
            worst = fmax(worst, sinew_vec3_distance(rate, column));
        }
        if (scene != NULL) {
            scene_destroy(scene);
        } else {
            sinew_skeleton_destroy(skeleton);
        }
    }
    print_message("    off by at most %.2g\n", worst);
    TEST_NEAR(worst, 0.0, 1e-7);
}

TEST_MAIN(cmocka_unit_test(test_rows_com2), cmocka_unit_test(test_center_jacobian_com2))
