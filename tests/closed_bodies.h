#ifndef CLOSED_BODIES_H
#define CLOSED_BODIES_H

// Chains of hinges by their axes at zero, made into skeletons whose frames, origins and names say
// nothing of them, and goals to solve on them.

#include "testing.h"

#include "scenes/reckoning.h"

#include "solve/answers.h"

enum { MAX_HINGES = 7, JOINTS = MAX_HINGES + 1 };

// ---------------------------------------------------------------------------------------------
// Bodies

typedef struct Hinge {
    sinew_Vec3 direction, point; // at zero, world
} Hinge;

typedef struct Layout {
    int count;
    Hinge hinges[MAX_HINGES];
    double lower[MAX_HINGES], upper[MAX_HINGES];
    sinew_Vec3 tip;
} Layout;

// the layout as a skeleton: every joint stands anywhere along its hinge, its frame turned at random,
// and its zero is elsewhere
static inline sinew_Skeleton *make_body(test_Random *random, const Layout *layout, double digits)
{
    static const char *const names[JOINTS] = { "a", "b", "c", "d", "e", "f", "g", "h" };
    sinew_JointDef joints[JOINTS];
    sinew_Axis axes[MAX_HINGES];
    sinew_Quat above = sinew_quat_identity();
    sinew_Vec3 at = { 0.0, 0.0, 0.0 };
    for (int i = 0; i <= layout->count; ++i) {
        bool tip = i == layout->count;
        sinew_Quat frame = test_unit_quat(random);
        sinew_Vec3 point = layout->tip;
        if (!tip) {
            point = sinew_vec3_add_scaled(layout->hinges[i].point, layout->hinges[i].direction,
                test_range(random, -0.1, 0.1));
        }
        joints[i] = sinew_joint_def_default();
        joints[i].name = names[i];
        joints[i].parent = i - 1;
        joints[i].offset = sinew_quat_rotate(
            sinew_quat_conjugate(above), sinew_vec3_sub(point, at));
        joints[i].rest_rotation = sinew_quat_mul(sinew_quat_conjugate(above), frame);
        if (digits > 0.0) {
            sinew_Vec3 *o = &joints[i].offset;
            *o = sinew_vec3(round(o->x / digits) * digits, round(o->y / digits) * digits,
                round(o->z / digits) * digits);
        }
        if (!tip) {
            sinew_Vec3 direction = sinew_quat_rotate(
                sinew_quat_conjugate(frame), layout->hinges[i].direction);
            axes[i] = sinew_axis_hinge(direction, layout->lower[i], layout->upper[i]);
            joints[i].axes = &axes[i];
            joints[i].axis_count = 1;
        }
        above = frame;
        at = point;
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, layout->count + 1, NULL, &skeleton, &message), &message);
    return skeleton;
}

static inline sinew_Solver *make_solver(const sinew_Skeleton *skeleton)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    sinew_Solver *solver = NULL;
    TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
    return solver;
}

static inline void draw_pose(test_Random *random, const sinew_Skeleton *skeleton, double *q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        q[a] = test_range(random, axes[a].lower, axes[a].upper);
    }
}

static inline sinew_Goal goal_at(
    const sinew_Skeleton *skeleton, sinew_GoalKind kind, const double *q)
{
    int tip = sinew_skeleton_joint_count(skeleton) - 1;
    sinew_Transform place = scene_reckon(skeleton, q, tip, sinew_transform_identity());
    sinew_Goal goal = sinew_goal_pose(tip, place.position, place.rotation);
    goal.kind = kind;
    return goal;
}

static inline sinew_SolveOptions tight(sinew_BranchChoice branch)
{
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    options.position_tolerance = options.orientation_tolerance = 1e-5;
    options.branch = branch;
    return options;
}

static inline void check_met(
    const sinew_Skeleton *skeleton, const sinew_Goal *goal, const double *q)
{
    sinew_Transform place = scene_reckon(skeleton, q, goal->joint, goal->joint_from_effector);
    if (goal->kind != SINEW_GOAL_ORIENTATION) {
        TEST_NEAR(sinew_vec3_distance(place.position, goal->position), 0.0, 1.0000001e-5);
    }
    if (goal->kind != SINEW_GOAL_POSITION) {
        TEST_NEAR(scene_reckon_angle(place.rotation, goal->orientation), 0.0, 1.0000001e-5);
    }
    int last = sinew_skeleton_axis_count(skeleton) - 1;
    TEST_TRUE(scene_reckon_violation(skeleton, q, 0, last) <= 0.0);
}

#endif
