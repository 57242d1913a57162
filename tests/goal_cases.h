#ifndef TESTS_GOAL_CASES_H
#define TESTS_GOAL_CASES_H

// Random goals of every kind for random bodies.

#include "bodies.h"

static inline unsigned goal_random_mask(test_Random *random)
{
    return 1u + (unsigned)test_int(random, 7);
}

/// A goal of a kind for random joints of a body, relative to another joint now and then; a pole when
/// there are three joints in a row, else a direction. points holds those of a support goal.
static inline sinew_Goal goal_random(
    test_Random *random, const sinew_Skeleton *skeleton, sinew_GoalKind kind, sinew_Vec3 points[5])
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = sinew_skeleton_joint_count(skeleton), joint = test_int(random, count);
    int middle = joints[joint].parent, start = middle >= 0 ? joints[middle].parent : -1;
    if (kind == SINEW_GOAL_POLE && start < 0) { kind = SINEW_GOAL_DIRECTION; }
    sinew_Vec3 axis = test_unit_vector(random), direction = test_unit_vector(random);
    sinew_Vec3 place = test_vector(random, 1.5);
    sinew_Quat turn = test_unit_quat(random);
    for (int i = 0; i < 5; ++i) { points[i] = test_vector(random, 1.0); }
    sinew_Goal goal;
    switch (kind) {
    case SINEW_GOAL_POSITION: goal = sinew_goal_position(joint, place); break;
    case SINEW_GOAL_ORIENTATION: goal = sinew_goal_orientation(joint, turn); break;
    case SINEW_GOAL_POSE: goal = sinew_goal_pose(joint, place, turn); break;
    case SINEW_GOAL_AIM: goal = sinew_goal_aim(joint, axis, place); break;
    case SINEW_GOAL_DIRECTION: goal = sinew_goal_direction(joint, axis, direction); break;
    case SINEW_GOAL_POLE: goal = sinew_goal_pole(start, middle, joint, place); break;
    case SINEW_GOAL_CENTER_OF_MASS: goal = sinew_goal_center_of_mass(place); break;
    case SINEW_GOAL_SUPPORT: goal = sinew_goal_support(points, 5); break;
    default: goal = sinew_goal_rest(1.0); break;
    }
    bool relative = kind != SINEW_GOAL_SUPPORT && kind != SINEW_GOAL_REST;
    if (relative && test_int(random, 2)) { goal.reference = test_int(random, count); }
    if (goal.joint >= 0 && test_int(random, 2)) {
        goal.joint_from_effector = test_transform(random, 0.2);
    }
    if (kind <= SINEW_GOAL_POSE || kind == SINEW_GOAL_CENTER_OF_MASS) {
        goal.position_mask = goal_random_mask(random);
        goal.orientation_mask = goal_random_mask(random);
    }
    goal.position_weight = pow(10.0, test_range(random, -1.0, 1.0));
    goal.orientation_weight = pow(10.0, test_range(random, -1.0, 1.0));
    return goal;
}

#endif
