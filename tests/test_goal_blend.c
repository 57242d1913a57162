// Goals part of the way from the pose given to what they want.

#include "bodies.h"

// the arm of a scene, posed anyhow, with a goal where another pose has its hand
typedef struct Case {
    scene_Scene *scene;
    sinew_Solver *solver;
    sinew_Transform world[BODY_MAX_JOINTS];
    double q[BODY_MAX_NUMBERS];
    sinew_Goal goal;
} Case;

static void make_case(Case *c, int index)
{
    c->scene = body_scene("ARM");
    c->solver = body_solver(c->scene->skeleton, 2);
    scene_Random random = scene_random((uint64_t)index + 77);
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    scene_random_pose(c->scene, &random, c->q);
    body_scene_goals(c->scene, c->q, goals);
    c->goal = goals[0];
    scene_random_pose(c->scene, &random, c->q);
    sinew_pose_forward(c->scene->skeleton, c->q, c->world);
}

static void free_case(Case *c)
{
    sinew_solver_destroy(c->solver);
    scene_destroy(c->scene);
}

/// 0 leaves the pose alone, 1 is the goal, between them the effector is on its way, without jumps.
static void test_weight_of_a_place(void **state)
{
    (void)state;
    for (int i = 0; i < 20; ++i) {
        Case c;
        make_case(&c, i);
        const sinew_Skeleton *skeleton = c.scene->skeleton;
        int count = sinew_skeleton_coordinate_count(skeleton);
        sinew_Vec3 here = c.world[c.goal.joint].position;
        sinew_Goal whole = sinew_goal_blend(skeleton, c.world, c.goal, 1.0);
        TEST_TRUE(memcmp(&whole, &c.goal, sizeof whole) == 0);

        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
        options.position_tolerance = 1e-6;
        static const double weights[] = { 0.0, 1e-4, 0.3, 0.9 };
        for (int k = 0; k < 4; ++k) {
            double q[BODY_MAX_NUMBERS];
            memcpy(q, c.q, sizeof q);
            sinew_Goal part = sinew_goal_blend(skeleton, c.world, c.goal, weights[k]);
            TEST_VEC3_NEAR(
                part.position, sinew_vec3_lerp(here, c.goal.position, weights[k]), 1e-15);
            body_solve(c.solver, &options, &part, 1, q);
            if (k == 0) { TEST_TRUE(body_same_bits(q, c.q, count)); }
            // a tenth of a millimetre: 1e-3 rad of an arm, some 1e-2 of a straight one
            if (k == 1) { TEST_TRUE(body_largest_step(skeleton, c.q, q) < 0.05); }
        }
        free_case(&c);
    }
}

/// Rotations, aims and directions turn by that share of their angle; a hand relative to another joint too.
static void test_weight_of_a_turn(void **state)
{
    (void)state;
    test_Random random = test_random(8811);
    Case c;
    make_case(&c, 3);
    const sinew_Skeleton *skeleton = c.scene->skeleton;
    int joint = c.goal.joint;
    sinew_Quat here = sinew_quat_normalize(c.world[joint].rotation);
    for (int i = 0; i < 50; ++i) {
        double w = test_uniform(&random);
        sinew_Vec3 axis = test_unit_vector(&random);
        sinew_Goal turn = sinew_goal_orientation(joint, test_unit_quat(&random));
        double whole = sinew_quat_angle(here, turn.orientation);
        turn = sinew_goal_blend(skeleton, c.world, turn, w);
        TEST_NEAR(sinew_quat_angle(here, turn.orientation), w * whole, 1e-12);

        sinew_Goal aim = sinew_goal_aim(joint, axis, test_vector(&random, 3.0));
        sinew_Vec3 from = sinew_quat_rotate(here, axis), place = c.world[joint].position;
        sinew_Vec3 to = sinew_vec3_sub(aim.position, place);
        whole = sinew_quat_angle(
            sinew_quat_between(from, sinew_vec3_normalize_or(to, from)), sinew_quat_identity());
        aim = sinew_goal_blend(skeleton, c.world, aim, w);
        sinew_Vec3 way = sinew_vec3_normalize_or(sinew_vec3_sub(aim.position, place), from);
        TEST_NEAR(
            sinew_atan2(sinew_vec3_length(sinew_vec3_cross(from, way)), sinew_vec3_dot(from, way)),
            w * whole, 1e-12);

        sinew_Goal level = sinew_goal_direction(joint, axis, test_unit_vector(&random));
        sinew_Goal none = sinew_goal_blend(skeleton, c.world, level, 0.0);
        TEST_VEC3_NEAR(none.direction, from, 1e-12);

        sinew_Goal held = sinew_goal_position(joint, test_vector(&random, 1.0));
        held.reference = 0;
        held = sinew_goal_blend(skeleton, c.world, held, 0.0);
        TEST_VEC3_NEAR(sinew_transform_point(c.world[0], held.position), place, 1e-12);
    }
    free_case(&c);
}

TEST_MAIN(cmocka_unit_test(test_weight_of_a_place), cmocka_unit_test(test_weight_of_a_turn))
