#include "solve/goal_check.h"

#include "base/message.h"
#include "body/skeleton.h"
#include "math/holds.h"
#include "sinew/jacobian.h"
#include "solve/asked.h"
#include "solve/method_table.h"

static bool has_effector(const sinew_Goal *goal)
{
    return goal->kind <= SINEW_GOAL_POLE;
}

static bool reads_position(const sinew_Goal *goal)
{
    return goal->kind != SINEW_GOAL_ORIENTATION && goal->kind != SINEW_GOAL_DIRECTION
        && goal->kind != SINEW_GOAL_SUPPORT && goal->kind != SINEW_GOAL_REST;
}

// ---------------------------------------------------------------------------------------------
// Joints

static sinew_Status check_chain(
    const sinew_Skeleton *skeleton, const sinew_Goal *goal, int g, sinew_Message *message)
{
    int joint_count = sinew_skeleton_joint_count(skeleton);
    int lowest = has_effector(goal) ? 0 : -1;
    if (goal->joint < lowest || goal->joint >= joint_count) {
        return snw_refuse(
            message, "goals[%d].joint is %d, want %d..%d", g, goal->joint, lowest, joint_count - 1);
    }
    if (goal->chain_root < -1 || goal->chain_root >= joint_count
        || (goal->chain_root >= 0 && goal->joint >= 0
            && !sinew_skeleton_is_ancestor(skeleton, goal->chain_root, goal->joint))) {
        return snw_refuse(message, "goals[%d].chain_root is %d, want -1 or a joint above joint %d",
            g, goal->chain_root, goal->joint);
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_others(
    const sinew_Skeleton *skeleton, const sinew_Goal *goal, int g, sinew_Message *message)
{
    int joint_count = sinew_skeleton_joint_count(skeleton);
    bool none = goal->kind == SINEW_GOAL_SUPPORT || goal->kind == SINEW_GOAL_REST;
    if (goal->reference < -1 || goal->reference >= (none ? 0 : joint_count)) {
        return snw_refuse(message, "goals[%d].reference is %d, want -1%s", g, goal->reference,
            none ? " for this kind" : " or a joint");
    }
    if (none && goal->constraint) {
        return snw_refuse(message, "goals[%d]: a %s goal cannot be a constraint", g,
            sinew_goal_kind_name(goal->kind));
    }
    if (goal->kind != SINEW_GOAL_POLE) { return SINEW_STATUS_OK; }
    int start = goal->start_joint, middle = goal->middle_joint;
    bool ordered = start >= 0 && start < joint_count && middle >= 0 && middle < joint_count
        && start != middle && middle != goal->joint
        && sinew_skeleton_is_ancestor(skeleton, start, middle)
        && sinew_skeleton_is_ancestor(skeleton, middle, goal->joint);
    if (!ordered) {
        return snw_refuse(message,
            "goals[%d]: start_joint %d, middle_joint %d and joint %d do not follow each other "
            "outward",
            g, start, middle, goal->joint);
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_goal_check_structure(const sinew_Skeleton *skeleton,
    const sinew_SolveOptions *options, const sinew_Goal *goal, int g, sinew_Message *message)
{
    if ((int)goal->kind < 0 || (int)goal->kind >= SINEW_GOAL_KIND_COUNT) {
        return snw_refuse(message, "goals[%d].kind is %d, want 0..%d", g, (int)goal->kind,
            SINEW_GOAL_KIND_COUNT - 1);
    }
    if (options->rows == SINEW_ROWS_HALF && goal->kind == SINEW_GOAL_ORIENTATION) {
        return snw_refuse(
            message, "goals[%d] asks for an orientation, which half rows leave out", g);
    }
    sinew_Status status = check_chain(skeleton, goal, g, message);
    if (status == SINEW_STATUS_OK) { status = check_others(skeleton, goal, g, message); }
    if (status != SINEW_STATUS_OK) { return status; }
    const unsigned masks[2] = { goal->position_mask, goal->orientation_mask };
    for (int i = 0; i < 2; ++i) {
        if (masks[i] >= 1u && masks[i] <= SINEW_MASK_ALL) { continue; }
        return snw_refuse(message, "goals[%d].%s_mask is %d, want 1..7", g,
            i == 0 ? "position" : "orientation", (int)masks[i]);
    }
    sinew_Vec3 p = goal->joint_from_effector.position;
    sinew_Quat r = goal->joint_from_effector.rotation;
    const double square = sinew_quat_dot(r, r);
    if (!sinew_vec3_is_finite(p) || !snw_is_unit(square)) {
        return snw_refuse(
            message, "goals[%d].joint_from_effector is not finite with a unit rotation", g);
    }
    if (!snw_is_offset(p)) {
        return snw_refuse(message,
            "goals[%d].joint_from_effector is %g m from its joint, want below 1e9 m", g,
            sinew_vec3_length(p));
    }
    return SINEW_STATUS_OK;
}

bool snw_goal_same_structure(const sinew_Goal *a, const sinew_Goal *b)
{
    const sinew_Transform *s = &a->joint_from_effector, *t = &b->joint_from_effector;
    return a->kind == b->kind && a->joint == b->joint && a->chain_root == b->chain_root
        && s->position.x == t->position.x && s->position.y == t->position.y
        && s->position.z == t->position.z && s->rotation.x == t->rotation.x
        && s->rotation.y == t->rotation.y && s->rotation.z == t->rotation.z
        && s->rotation.w == t->rotation.w && a->reference == b->reference
        && a->position_mask == b->position_mask && a->orientation_mask == b->orientation_mask
        && a->constraint == b->constraint && a->start_joint == b->start_joint
        && a->middle_joint == b->middle_joint;
}

// ---------------------------------------------------------------------------------------------
// Numbers

static sinew_Status check_unit(const char *field, sinew_Vec3 v, int g, sinew_Message *message)
{
    double square = sinew_vec3_dot(v, v);
    if (snw_is_unit(square)) { return SINEW_STATUS_OK; }
    if (!sinew_vec3_is_finite(v)) {
        return snw_refuse(
            message, "goals[%d].%s is (%g, %g, %g), want finite numbers", g, field, v.x, v.y, v.z);
    }
    return snw_refuse(message, "goals[%d].%s has length %g, want 1", g, field, sqrt(square));
}

static sinew_Status check_support(const sinew_Goal *goal, int g, sinew_Message *message)
{
    if (goal->support_points == NULL || goal->support_count < 1
        || goal->support_count > SINEW_MAX_SUPPORT_POINTS) {
        return snw_refuse(message, "goals[%d] has %d support points, want 1..%d", g,
            goal->support_points == NULL ? 0 : goal->support_count, SINEW_MAX_SUPPORT_POINTS);
    }
    for (int i = 0; i < goal->support_count; ++i) {
        snw_Ground2 p = snw_ground_from_world(snw_goal_is_z_up(goal), goal->support_points[i]);
        if (fabs(p.x) <= 1e9 && fabs(p.z) <= 1e9) { continue; }
        return snw_refuse(message,
            "goals[%d].support_points[%d] is (%g, %g), want finite numbers of at most 1e9", g, i,
            p.x, p.z);
    }
    if (!(goal->support_margin >= 0.0 && goal->support_margin <= 1e9)) {
        return snw_refuse(
            message, "goals[%d].support_margin is %g, want 0..1e9", g, goal->support_margin);
    }
    return SINEW_STATUS_OK;
}

// auto and dls take whatever there is, so they can be named whatever is missing
static sinew_Status check_method(
    const sinew_SolveOptions *options, const sinew_Goal *goal, int g, sinew_Message *message)
{
    bool rests = goal->kind == SINEW_GOAL_REST, plain = sinew_goal_is_plain(goal);
    if ((plain || snw_method_can(options->method, rests ? SNW_CAN_REST : SNW_CAN_RELATE))
        && (!goal->constraint || snw_method_can(options->method, SNW_CAN_CONSTRAIN))) {
        return SINEW_STATUS_OK;
    }
    return snw_refuse(message, "goals[%d]: %s does not take %s goals%s; auto and dls do", g,
        sinew_method_name(options->method), sinew_goal_kind_name(goal->kind),
        goal->constraint                              ? " held as constraints"
            : goal->kind <= SINEW_GOAL_POSE && !plain ? " with a mask or reference"
                                                      : "");
}

sinew_Status snw_goal_check_values(
    const sinew_SolveOptions *options, const sinew_Goal *goal, int g, sinew_Message *message)
{
    sinew_Status status = check_method(options, goal, g, message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (!(goal->position_weight >= 0.0 && goal->position_weight <= 1e12)
        || !(goal->orientation_weight >= 0.0 && goal->orientation_weight <= 1e12)) {
        return snw_refuse(message, "goals[%d]: weights are %g and %g, want 0..1e12", g,
            goal->position_weight, goal->orientation_weight);
    }
    sinew_Vec3 p = goal->position;
    if (reads_position(goal) && snw_goal_asks_place(goal) && !snw_is_place(p)) {
        return snw_refuse(message,
            "goals[%d].position is (%g, %g, %g), want finite numbers of at most %g", g, p.x, p.y,
            p.z, SNW_MAX_PLACE);
    }
    bool turns = goal->kind == SINEW_GOAL_ORIENTATION || goal->kind == SINEW_GOAL_POSE;
    if (turns && snw_goal_asks_turn(goal)) {
        const sinew_Quat o = goal->orientation;
        const double square = sinew_quat_dot(o, o);
        if (!sinew_quat_is_finite(o)) {
            return snw_refuse(message,
                "goals[%d].orientation is (%g, %g, %g, %g), want finite numbers", g, o.x, o.y, o.z,
                o.w);
        }
        if (!snw_is_unit(square)) {
            return snw_refuse(
                message, "goals[%d].orientation has squared length %g, want 1", g, square);
        }
    }
    if (goal->priority < 0 || goal->priority > SINEW_MAX_PRIORITY) {
        return snw_refuse(
            message, "goals[%d].priority is %d, want 0..%d", g, goal->priority, SINEW_MAX_PRIORITY);
    }
    if (goal->kind == SINEW_GOAL_SUPPORT) { return check_support(goal, g, message); }
    if (goal->kind != SINEW_GOAL_AIM && goal->kind != SINEW_GOAL_DIRECTION) {
        return SINEW_STATUS_OK;
    }
    status = check_unit("axis", goal->axis, g, message);
    if (status == SINEW_STATUS_OK && goal->kind == SINEW_GOAL_DIRECTION
        && snw_goal_asks_turn(goal)) {
        status = check_unit("direction", goal->direction, g, message);
    }
    return status;
}

sinew_Status snw_goal_check_all(const sinew_SolveOptions *options, const sinew_Goal *goals,
    int goal_count, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    int supports = 0, constraint_rows = 0, highest = SINEW_MAX_PRIORITY;
    for (int g = 0; g < goal_count; ++g) {
        highest = goals[g].priority < highest ? goals[g].priority : highest;
    }
    for (int g = 0; g < goal_count; ++g) {
        supports += goals[g].kind == SINEW_GOAL_SUPPORT ? 1 : 0;
        if (supports > SINEW_MAX_SUPPORT_GOALS) {
            return snw_refuse(message, "more than %d support goals", SINEW_MAX_SUPPORT_GOALS);
        }
        constraint_rows += goals[g].constraint ? sinew_goal_row_count(&goals[g]) : 0;
        if (constraint_rows > SNW_MAX_CONSTRAINT_ROWS) {
            return snw_refuse(message, "goals[%d]: constraints have more than %d rows", g,
                SNW_MAX_CONSTRAINT_ROWS);
        }
        if (goals[g].constraint && goals[g].priority != highest) {
            return snw_refuse(message,
                "goals[%d] is a constraint of priority %d; constraints belong to the highest "
                "level, %d",
                g, goals[g].priority, highest);
        }
        if (goals[g].priority != goals[0].priority
            && !snw_method_can(options->method, SNW_CAN_RANK)) {
            return snw_refuse(message,
                "goals[%d].priority is %d, and goals[0] has %d: %s knows one level; auto and dls "
                "know more",
                g, goals[g].priority, goals[0].priority, sinew_method_name(options->method));
        }
    }
    return SINEW_STATUS_OK;
}
