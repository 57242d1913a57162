// The plan of a solve against the public forward kinematics, Jacobian and integration.

#include "plan_rig.h"

#include "sinew/jacobian.h"

#define MAX_GOALS 8

typedef struct Case {
    sinew_Skeleton *skeleton;
    double q[BODY_MAX_NUMBERS];
    sinew_Transform world[BODY_MAX_JOINTS];
    sinew_Goal goals[MAX_GOALS];
    int goal_count;
    rig_Rig rig;
} Case;

// a random body with goals, some axes locked; half the poses are in the middle of nowhere
static void make_case(Case *c, test_Random *random, unsigned kinds)
{
    c->skeleton = body_random(random, 1 + test_int(random, 20), kinds);
    body_random_pose(random, c->skeleton, 3.0, c->q);
    sinew_pose_forward(c->skeleton, c->q, c->world);
    c->goal_count = 1 + test_int(random, MAX_GOALS);
    for (int g = 0; g < c->goal_count; ++g) {
        c->goals[g] = body_random_goal(random, c->skeleton, c->world, true);
        c->goals[g].position = sinew_vec3_add(c->goals[g].position, test_vector(random, 0.3));
    }
    rig_init(&c->rig, c->skeleton, MAX_GOALS);
    bool locks = test_int(random, 2) == 0;
    for (int a = 0; a < sinew_skeleton_axis_count(c->skeleton); ++a) {
        if (locks && test_int(random, 3) == 0) { c->rig.mobility[a] = 0.0; }
    }
    rig_set(&c->rig, c->goals, c->goal_count, c->q, false);
}

static void free_case(Case *c)
{
    rig_free(&c->rig);
    sinew_skeleton_destroy(c->skeleton);
}

// whether any goal lets the joint move
static bool may_move(const Case *c, int joint)
{
    for (int g = 0; g < c->goal_count; ++g) {
        const sinew_Goal *goal = &c->goals[g];
        if (sinew_skeleton_is_ancestor(c->skeleton, joint, goal->joint)
            && (goal->chain_root < 0
                || sinew_skeleton_is_ancestor(c->skeleton, goal->chain_root, joint))) {
            return true;
        }
    }
    return false;
}

static void check_effectors(const Case *c)
{
    const snw_State *state = &c->rig.state;
    for (int g = 0; g < c->goal_count; ++g) {
        const sinew_Goal *goal = &c->goals[g];
        const snw_Effector *effector = &c->rig.plan.effectors[g];
        sinew_Transform expected = sinew_transform_mul(
            c->world[goal->joint], goal->joint_from_effector);
        TEST_VEC3_NEAR(state->effector_position[g], expected.position, 1e-12);
        TEST_TRUE(effector->position == (goal->kind != SINEW_GOAL_ORIENTATION));
        TEST_TRUE(effector->orientation == (goal->kind != SINEW_GOAL_POSITION));
        if (effector->orientation) {
            sinew_Mat3 r = sinew_mat3_from_quat(expected.rotation);
            TEST_VEC3_NEAR(state->effector_rotation[g].x, r.x, 1e-12);
            TEST_VEC3_NEAR(state->effector_rotation[g].y, r.y, 1e-12);
            TEST_VEC3_NEAR(state->effector_rotation[g].z, r.z, 1e-12);
        }
    }
}

/// FK-1, FK-4: the plan's forward kinematics is that of the whole body, for all kinds of axes, skew
/// ones, rest rotations, joints without axes, effectors beside joints, static parts, chain roots.
static void test_forward_fk1(void **state)
{
    (void)state;
    static Case c;
    int static_links = 0, world_effectors = 0;
    for (int i = 0; i < 4000; ++i) {
        test_Random random = test_case(801, i);
        make_case(&c, &random, BODY_EVERYTHING);
        check_effectors(&c);
        static_links += c.rig.plan.static_link_count;
        for (int g = 0; g < c.goal_count; ++g) {
            world_effectors += c.rig.plan.effectors[g].link < 0;
        }
        free_case(&c);
    }
    // the cases that are easy to forget did occur
    TEST_TRUE(static_links > 1000);
    TEST_TRUE(world_effectors >= 0);
}

/// FK-4: moving the free dofs alone and posing from the first moving link on gives the same as
/// posing the whole body anew.
static void test_moved_fk4(void **state)
{
    (void)state;
    static Case c;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(802, i);
        make_case(&c, &random, BODY_EVERYTHING);
        rig_Rig *rig = &c.rig;
        const snw_Plan *plan = &rig->plan;
        double step[BODY_MAX_NUMBERS], whole[BODY_MAX_NUMBERS] = { 0.0 };
        for (int d = 0; d < plan->dof_count; ++d) { step[d] = test_range(&random, -1.0, 1.0); }

        // the same step in the skeleton's own dofs: balls turn in the frame before them
        const sinew_AxisPlace *places = sinew_skeleton_axis_places(c.skeleton);
        for (int l = 0; l < plan->link_count; ++l) {
            const snw_Link *link = &plan->links[l];
            if (link->dof < 0) { continue; }
            double *out = &whole[places[link->axis].dof];
            if (link->motion != SNW_BALL) {
                out[0] = step[link->dof];
                continue;
            }
            const double *v = &rig->state.values[link->value];
            sinew_Quat ball = { v[0], v[1], v[2], v[3] };
            sinew_Vec3 world = { step[link->dof], step[link->dof + 1], step[link->dof + 2] };
            sinew_Vec3 local = sinew_quat_rotate(
                ball, sinew_mat3_transpose_mul_vec3(rig->state.rotation[l], world));
            out[0] = local.x;
            out[1] = local.y;
            out[2] = local.z;
        }
        bool clamp = test_int(&random, 2) == 0;
        sinew_pose_integrate(c.skeleton, c.q, whole, c.q);
        if (clamp) { sinew_pose_apply_limits(c.skeleton, c.q); }
        sinew_pose_forward(c.skeleton, c.q, c.world);

        for (int l = 0; l < plan->static_link_count; ++l) {
            rig->moved.rotation[l] = rig->state.rotation[l];
            rig->moved.position[l] = rig->state.position[l];
        }
        snw_state_integrate(plan, &rig->state, step, clamp ? SINEW_LIMITS_CLAMP : SINEW_LIMITS_NONE,
            NULL, &rig->moved);
        snw_state_forward(plan, &rig->moved, plan->static_link_count);
        snw_state_measure(plan, &rig->targets, &rig->moved);
        rig->state = rig->moved;
        check_effectors(&c);
        free_case(&c);
    }
}

/// The plan's own order: parents first, static links before all others, each free dof once with its
/// range and the dof above it, effectors sorted by link, the longest chain as reach.
static void test_structure(void **state)
{
    (void)state;
    static Case c;
    for (int i = 0; i < 4000; ++i) {
        test_Random random = test_case(803, i);
        make_case(&c, &random, BODY_EVERYTHING);
        const snw_Plan *plan = &c.rig.plan;
        const sinew_Axis *axes = sinew_skeleton_axes(c.skeleton);
        const sinew_AxisPlace *places = sinew_skeleton_axis_places(c.skeleton);

        int expected_dofs = 0, seen_dofs = 0;
        for (int a = 0; a < sinew_skeleton_axis_count(c.skeleton); ++a) {
            bool free = may_move(&c, places[a].joint) && c.rig.mobility[a] > 0.0
                && (axes[a].kind == SINEW_AXIS_BALL || axes[a].lower < axes[a].upper);
            if (free) { expected_dofs += axes[a].kind == SINEW_AXIS_BALL ? 3 : 1; }
        }
        TEST_INT(plan->dof_count, expected_dofs);
        for (int l = 0; l < plan->link_count; ++l) {
            const snw_Link *link = &plan->links[l];
            TEST_TRUE(link->parent < l);
            bool moves = link->dof >= 0
                || (link->parent >= 0 && link->parent >= plan->static_link_count);
            TEST_TRUE(moves == (l >= plan->static_link_count));
            if (link->dof < 0) { continue; }
            TEST_INT(link->dof, seen_dofs);
            for (int k = 0; k < (link->motion == SNW_BALL ? 3 : 1); ++k, ++seen_dofs) {
                TEST_INT(plan->dof_link[seen_dofs], l);
                TEST_TRUE(plan->dof_parent[seen_dofs] < seen_dofs);
                TEST_TRUE(plan->lower[seen_dofs] == axes[link->axis].lower);
                TEST_TRUE(plan->upper[seen_dofs] == axes[link->axis].upper);
                TEST_TRUE(plan->mobility[seen_dofs] == c.rig.mobility[link->axis]);
            }
        }
        TEST_INT(seen_dofs, plan->dof_count);

        int placed = 0, rows = 0;
        for (int g = 0; g < c.goal_count; ++g) {
            TEST_INT(plan->effectors[g].row, rows);
            rows += sinew_goal_row_count(&c.goals[g]);
        }
        TEST_INT(plan->row_count, rows);
        for (int l = 0; l < plan->link_count; ++l) {
            TEST_TRUE(plan->link_effectors[l] <= plan->link_effectors[l + 1]);
            for (int k = plan->link_effectors[l]; k < plan->link_effectors[l + 1]; ++k, ++placed) {
                TEST_INT(plan->effectors[plan->effector_order[k]].link, l);
            }
        }
        TEST_INT(plan->link_effectors[plan->link_count], placed);
        int on_links = 0;
        for (int g = 0; g < c.goal_count; ++g) { on_links += plan->effectors[g].link >= 0; }
        TEST_INT(placed, on_links);
        TEST_TRUE(plan->reach > 0.0);
        free_case(&c);
    }
}

/// The reach of a leg from hip to heel is the length of its bones; half rows have no orientations.
static void test_reach_and_half_rows(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    static rig_Rig rig;
    rig_init(&rig, scene->skeleton, 1);
    double q[16];
    sinew_pose_rest(scene->skeleton, q);
    int heel = scene->effectors[body_effector(scene, "Heel")].joint;
    int hip = sinew_skeleton_find_joint(scene->skeleton, "Hip");
    sinew_Goal goal = sinew_goal_pose(heel, sinew_vec3(0.0, 0.0, 0.0), sinew_quat_identity());
    rig_set(&rig, &goal, 1, q, false);
    TEST_INT(rig.plan.row_count, 6);
    TEST_NEAR(rig.plan.reach, sinew_skeleton_chain_length(scene->skeleton, hip, heel), 1e-12);
    rig_set(&rig, &goal, 1, q, true);
    TEST_INT(rig.plan.row_count, 3);
    TEST_TRUE(!rig.plan.has_orientation);
    rig_free(&rig);
    scene_destroy(scene);
}

/// JAC-6, JAC-8: the plan's scaled Jacobian is the public one, with balls in world axes.
static void test_jacobian_jac6(void **state)
{
    (void)state;
    static Case c;
    static double jacobian[6 * BODY_MAX_NUMBERS];
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(804, i);
        make_case(&c, &random, BODY_EVERYTHING);
        rig_Rig *rig = &c.rig;
        const snw_Plan *plan = &rig->plan;
        snw_linear_set_jacobian(&rig->linear, plan, &rig->targets, &rig->state);
        int m = plan->row_count, n = sinew_skeleton_dof_count(c.skeleton);
        const sinew_AxisPlace *places = sinew_skeleton_axis_places(c.skeleton);
        for (int g = 0; g < c.goal_count; ++g) {
            sinew_jacobian(c.skeleton, c.q, c.world, &c.goals[g], jacobian);
            int rows = sinew_goal_row_count(&c.goals[g]);
            for (int l = 0; l < plan->link_count; ++l) {
                const snw_Link *link = &plan->links[l];
                if (link->dof < 0) { continue; }
                int own = places[link->axis].dof;
                const double *v = &rig->state.values[link->value];
                for (int r = 0; r < rows; ++r) {
                    double scale = c.goals[g].kind == SINEW_GOAL_ORIENTATION || r >= 3
                        ? rig->targets.orientation_scale[g]
                        : rig->targets.position_scale[g];
                    const double *row = &jacobian[r * n + own];
                    int at = plan->effectors[g].row + r;
                    if (link->motion != SNW_BALL) {
                        TEST_NEAR(rig->linear.jacobian[link->dof * m + at], scale * row[0], 1e-11);
                        continue;
                    }
                    // columns about the frame that the ball turns in, turned into the world
                    sinew_Quat ball = { v[0], v[1], v[2], v[3] };
                    sinew_Vec3 local = { row[0], row[1], row[2] };
                    sinew_Vec3 world = sinew_mat3_mul_vec3(rig->state.rotation[l],
                        sinew_quat_rotate(sinew_quat_conjugate(ball), local));
                    const double expected[3] = { world.x, world.y, world.z };
                    for (int k = 0; k < 3; ++k) {
                        TEST_NEAR(rig->linear.jacobian[(link->dof + k) * m + at],
                            scale * expected[k], 1e-11);
                    }
                }
            }
        }
        free_case(&c);
    }
}

/// The measured errors are the goals' own, orientations as chords of the same direction.
static void test_errors(void **state)
{
    (void)state;
    static Case c;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(805, i);
        make_case(&c, &random, BODY_EVERYTHING);
        double objective = 0.0;
        for (int g = 0; g < c.goal_count; ++g) { c.goals[g].orientation = test_unit_quat(&random); }
        rig_set(&c.rig, c.goals, c.goal_count, c.q, false);
        for (int g = 0; g < c.goal_count; ++g) {
            const sinew_Goal *goal = &c.goals[g];
            const double *error = &c.rig.state.error[c.rig.plan.effectors[g].row];
            double expected[6];
            sinew_goal_error(goal, c.world, expected);
            int rows = sinew_goal_row_count(goal);
            int turn_row = goal->kind == SINEW_GOAL_ORIENTATION ? 0 : rows > 3 ? 3 : rows;
            for (int r = 0; r < turn_row; ++r) {
                TEST_NEAR(error[r], expected[r], 1e-12);
                objective += 0.5 * goal->position_weight * error[r] * error[r];
            }
            if (turn_row == rows) { continue; }
            sinew_Vec3 turn = { expected[turn_row], expected[turn_row + 1],
                expected[turn_row + 2] };
            sinew_Vec3 chord = { error[turn_row], error[turn_row + 1], error[turn_row + 2] };
            double angle = sinew_vec3_length(turn);
            TEST_NEAR(sinew_vec3_length(chord), 2.0 * sin(0.5 * angle), 1e-9);
            TEST_NEAR(sinew_vec3_dot(chord, turn), sinew_vec3_length(chord) * angle, 1e-9);
            double l2 = c.rig.targets.orientation_length * c.rig.targets.orientation_length;
            objective += 0.5 * l2 * goal->orientation_weight * sinew_vec3_dot(chord, chord);
        }
        TEST_NEAR(c.rig.state.objective / (1.0 + objective), objective / (1.0 + objective), 1e-12);
        free_case(&c);
    }
}

TEST_MAIN(cmocka_unit_test(test_forward_fk1), cmocka_unit_test(test_moved_fk4),
    cmocka_unit_test(test_structure), cmocka_unit_test(test_reach_and_half_rows),
    cmocka_unit_test(test_jacobian_jac6), cmocka_unit_test(test_errors))
