#ifndef TESTS_BODIES_H
#define TESTS_BODIES_H

// Random bodies, poses and goals for the tests of the solver, and short ways to make a solver.

#include "testing.h"

#include "scenes/scenes.h"

#include <stdlib.h>
#include <string.h>

#define BODY_MAX_JOINTS 64
#define BODY_MAX_NUMBERS (BODY_MAX_JOINTS * 7)

/// What a random body may be made of.
enum {
    BODY_HINGE = 1,
    BODY_SLIDE = 2,
    BODY_BALL = 4,
    BODY_FIXED = 8,    ///< joints without axes
    BODY_SKEW = 16,    ///< axes along any direction
    BODY_TURNED = 32,  ///< rest rotations
    BODY_LIMITS = 64,  ///< ranges on some hinges and slides
    BODY_FOREST = 128, ///< several joints that hang in the world
    BODY_EVERYTHING = 255,
};

static inline sinew_Axis body_random_axis(test_Random *random, unsigned kinds)
{
    static const sinew_Vec3 own[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    sinew_Vec3 direction = own[test_int(random, 3)];
    if ((kinds & BODY_SKEW) && test_int(random, 2)) { direction = test_unit_vector(random); }
    bool slide = (kinds & BODY_SLIDE) && (!(kinds & BODY_HINGE) || test_int(random, 4) == 0);
    sinew_Axis axis = slide ? sinew_axis_slide(direction)
                            : sinew_axis_hinge(direction, -INFINITY, INFINITY);
    if ((kinds & BODY_LIMITS) && test_int(random, 2)) {
        double width = slide ? 0.2 : 1.5;
        axis.lower = -width * test_uniform(random);
        axis.upper = width * test_uniform(random);
        axis.rest = test_range(random, axis.lower, axis.upper);
    }
    return axis;
}

/// A body of joint_count joints with bones of 0 to 0.5 m; its first joint can move.
static inline sinew_Skeleton *body_random(test_Random *random, int joint_count, unsigned kinds)
{
    sinew_JointDef joints[BODY_MAX_JOINTS];
    sinew_Axis axes[BODY_MAX_JOINTS][4];
    TEST_TRUE(joint_count >= 1 && joint_count <= BODY_MAX_JOINTS);
    for (int j = 0; j < joint_count; ++j) {
        sinew_JointDef *joint = &joints[j];
        *joint = sinew_joint_def_default();
        joint->name = "joint";
        // the joint before or one of its ancestors
        joint->parent = j - 1;
        while (joint->parent >= 0 && test_int(random, 3) == 0) {
            int above = joints[joint->parent].parent;
            if (above < 0 && !(kinds & BODY_FOREST)) { break; }
            joint->parent = above;
        }
        if (test_int(random, 8) > 0) { joint->offset = test_vector(random, 0.3); }
        if ((kinds & BODY_TURNED) && test_int(random, 2)) {
            joint->rest_rotation = test_unit_quat(random);
        }
        joint->axes = axes[j];
        if (j > 0 && (kinds & BODY_FIXED) && test_int(random, 4) == 0) { continue; }
        bool plain = (kinds & (BODY_HINGE | BODY_SLIDE)) != 0;
        bool ball = (kinds & BODY_BALL) && (!plain || test_int(random, 3) == 0);
        int plain_count = !plain ? 0 : ball ? test_int(random, 3) : 1 + test_int(random, 3);
        for (int a = 0; a < plain_count; ++a) { axes[j][a] = body_random_axis(random, kinds); }
        if (ball) { axes[j][plain_count] = sinew_axis_ball(); }
        joint->axis_count = plain_count + (ball ? 1 : 0);
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, joint_count, NULL, &skeleton, &message), &message);
    return skeleton;
}

/// Hinges within angle radians, slides within 0.2 m, of zero and inside their ranges; balls turned
/// anyhow by up to angle radians.
static inline void body_random_pose(
    test_Random *random, const sinew_Skeleton *skeleton, double angle, double *out_q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        double *value = &out_q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Vec3 axis = test_unit_vector(random);
            sinew_Quat ball = sinew_quat_from_axis_angle(axis, test_range(random, -angle, angle));
            memcpy(value, &ball, sizeof ball);
            continue;
        }
        double size = axes[a].kind == SINEW_AXIS_SLIDE ? 0.2 : angle;
        value[0] = test_range(random, fmax(axes[a].lower, -size), fmin(axes[a].upper, size));
    }
}

/// A goal of any kind for a random joint, with an effector beside the joint and weights of 0.1 to
/// 10, in reach where world_from_joint comes from a pose.
static inline sinew_Goal body_random_goal(test_Random *random, const sinew_Skeleton *skeleton,
    const sinew_Transform *world_from_joint, bool orientation)
{
    int joint = test_int(random, sinew_skeleton_joint_count(skeleton));
    sinew_Goal goal = sinew_goal_position(joint, sinew_vec3(0.0, 0.0, 0.0));
    if (orientation) {
        goal.kind = (sinew_GoalKind)test_int(random, 3);
        goal.orientation_weight = pow(10.0, test_range(random, -1.0, 1.0));
    }
    goal.position_weight = pow(10.0, test_range(random, -1.0, 1.0));
    if (test_int(random, 2)) { goal.joint_from_effector = test_transform(random, 0.2); }
    if (test_int(random, 3) == 0) {
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        goal.chain_root = joint;
        while (joints[goal.chain_root].parent >= 0 && test_int(random, 3)) {
            goal.chain_root = joints[goal.chain_root].parent;
        }
    }
    sinew_Transform world = sinew_transform_mul(world_from_joint[joint], goal.joint_from_effector);
    goal.position = world.position;
    goal.orientation = sinew_quat_normalize(world.rotation);
    return goal;
}

static inline scene_Scene *body_scene(const char *name)
{
    scene_Scene *scene = NULL;
    sinew_Message message = { "" };
    TEST_OK(scene_create(name, NULL, &scene, &message), &message);
    return scene;
}

/// Index of the effector of that name.
static inline int body_effector(const scene_Scene *scene, const char *name)
{
    for (int e = 0; e < scene->effector_count; ++e) {
        if (strcmp(scene->effectors[e].name, name) == 0) { return e; }
    }
    print_error("scene %s has no effector %s\n", scene->name, name);
    fail();
    return -1;
}

/// Goals for all effectors at the places that they have in a pose; returns their number.
static inline int body_scene_goals(const scene_Scene *scene, const double *q, sinew_Goal *out_goals)
{
    sinew_Transform world[BODY_MAX_JOINTS];
    TEST_TRUE(sinew_skeleton_joint_count(scene->skeleton) <= BODY_MAX_JOINTS);
    sinew_pose_forward(scene->skeleton, q, world);
    for (int e = 0; e < scene->effector_count; ++e) {
        int joint = scene->effectors[e].joint;
        out_goals[e] = sinew_goal_position(joint, world[joint].position);
        out_goals[e].chain_root = scene->effectors[e].chain_root;
    }
    return scene->effector_count;
}

static inline sinew_Solver *body_solver(const sinew_Skeleton *skeleton, int max_goals)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    def.max_goals = max_goals;
    sinew_Solver *solver = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_solver_create(&def, &solver, &message), &message);
    return solver;
}

/// Solve; a status other than OK stops the test.
static inline sinew_Report body_solve(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, double *q)
{
    sinew_Report report;
    sinew_Message message = { "" };
    TEST_OK(sinew_solver_solve(solver, options, goals, goal_count, q, &report, &message), &message);
    return report;
}

static inline bool body_same_bits(const double *a, const double *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof(double)) == 0;
}

/// The largest angle, radians, and slide, metres, between two poses.
static inline double body_largest_step(
    const sinew_Skeleton *skeleton, const double *from, const double *to)
{
    double step[BODY_MAX_NUMBERS];
    TEST_TRUE(sinew_skeleton_dof_count(skeleton) <= BODY_MAX_NUMBERS);
    sinew_pose_difference(skeleton, from, to, step);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    double largest = 0.0;
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        const double *s = &step[places[a].dof];
        double size = axes[a].kind == SINEW_AXIS_BALL
            ? sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2])
            : fabs(s[0]);
        largest = fmax(largest, size);
    }
    return largest;
}

#endif
