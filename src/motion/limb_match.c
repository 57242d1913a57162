#include "base/message.h"
#include "body/pose.h"
#include "math/holds.h"
#include "sinew/switch.h"
#include "solve/method.h"

#include <string.h>

// Matching one limb by another, perhaps of another body.
// Source: Bhatti et al. (2013), figure 8, with the right-hand inverse; values that are known are used as they are.

// chains whose frames agree this well are built alike: rounding of files, metres and quaternion parts
#define ALIKE 1e-9
// handles within this are met, metres and radians: what the paper's loop is run to
#define MATCH_TOLERANCE 1e-7

static bool same_numbers(double a, double b)
{
    return fabs(a - b) <= ALIKE;
}

static bool same_vector(sinew_Vec3 a, sinew_Vec3 b)
{
    return same_numbers(a.x, b.x) && same_numbers(a.y, b.y) && same_numbers(a.z, b.z);
}

static bool same_joint(const sinew_Skeleton *a, int ja, const sinew_Skeleton *b, int jb, bool root)
{
    const sinew_Joint *first = &sinew_skeleton_joints(a)[ja],
                      *second = &sinew_skeleton_joints(b)[jb];
    if (first->axis_count != second->axis_count) { return false; }
    if (!root && !same_vector(first->offset, second->offset)) { return false; }
    if (fabs(sinew_quat_dot(first->rest_rotation, second->rest_rotation)) < 1.0 - ALIKE) {
        return false;
    }
    for (int k = 0; k < first->axis_count; ++k) {
        const sinew_Axis *x = &sinew_skeleton_axes(a)[first->axis_start + k];
        const sinew_Axis *y = &sinew_skeleton_axes(b)[second->axis_start + k];
        if (x->kind != y->kind
            || (x->kind != SINEW_AXIS_BALL && !same_vector(x->direction, y->direction))) {
            return false;
        }
    }
    return true;
}

// whether one joint may stand as another one does
static bool allows(const sinew_Skeleton *to, int joint, const double *values)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(to));
    const sinew_Joint *own = &sinew_skeleton_joints(to)[joint];
    for (int a = own->axis_start; a < own->axis_start + own->axis_count; ++a) {
        const sinew_Axis *axis = &sinew_skeleton_axes(to)[a];
        int c = sinew_skeleton_axis_places(to)[a].coordinate - own->coordinate_start;
        if (axis->kind != SINEW_AXIS_BALL) {
            if (values[c] < axis->lower || values[c] > axis->upper) { return false; }
        } else if (axis->limit != NULL) {
            sinew_Quat ball = { values[c], values[c + 1], values[c + 2], values[c + 3] };
            if (!sinew_ball_limit_allows(axis->limit, ball)) { return false; }
        }
    }
    return true;
}

static sinew_Transform handle_of(
    const sinew_Skeleton *skeleton, const sinew_SwitchLimb *limb, const double *q)
{
    sinew_Transform tip = snw_pose_frame(skeleton, q, limb->tip, sinew_transform_identity());
    return sinew_transform_mul(tip, limb->tip_from_handle);
}

static bool limb_is_there(const sinew_Skeleton *skeleton, const sinew_SwitchLimb *limb)
{
    int count = sinew_skeleton_joint_count(skeleton);
    return limb->root >= 0 && limb->root < count && limb->tip >= 0 && limb->tip < count
        && sinew_skeleton_is_ancestor(skeleton, limb->root, limb->tip);
}

// how far the handle of a pose is from where it should be
static void measure_match(const sinew_Skeleton *to, const sinew_SwitchLimb *limb, const double *q,
    sinew_Transform handle, sinew_MatchReport *report)
{
    sinew_Transform reached = handle_of(to, limb, q);
    report->position_error = sinew_vec3_distance(reached.position, handle.position);
    report->orientation_error = limb->holds_orientation
        ? sinew_quat_angle(reached.rotation, handle.rotation)
        : 0.0;
}

static sinew_Transform parent_of(const sinew_Skeleton *skeleton, const double *q, int joint)
{
    int parent = sinew_skeleton_joints(skeleton)[joint].parent;
    sinew_Transform hung = snw_pose_frame(skeleton, q, parent, sinew_transform_identity());
    hung.position = sinew_transform_point(hung, sinew_skeleton_joints(skeleton)[joint].offset);
    return hung;
}

static bool same_frame(sinew_Transform a, sinew_Transform b)
{
    return same_vector(a.position, b.position)
        && fabs(sinew_quat_dot(a.rotation, b.rotation)) >= 1.0 - ALIKE;
}

// whether the values of the first limb pose the second one as they are: both chains are built alike, hang in the
// same place, and have room for them
static bool values_are_known(const sinew_Skeleton *from, const sinew_SwitchLimb *from_limb,
    const double *from_q, const sinew_Skeleton *to, const sinew_SwitchLimb *to_limb,
    const double *to_q)
{
    const sinew_Joint *from_joints = sinew_skeleton_joints(from);
    const sinew_Joint *to_joints = sinew_skeleton_joints(to);
    if (!same_frame(from_limb->tip_from_handle, to_limb->tip_from_handle)) { return false; }
    int a = from_limb->tip, b = to_limb->tip;
    for (;; a = from_joints[a].parent, b = to_joints[b].parent) {
        bool root = a == from_limb->root;
        if (root != (b == to_limb->root) || !same_joint(from, a, to, b, root)
            || !allows(to, b, &from_q[from_joints[a].coordinate_start])) {
            return false;
        }
        if (root) { return same_frame(parent_of(from, from_q, a), parent_of(to, to_q, b)); }
    }
}

static void copy_values(const sinew_Skeleton *from, const sinew_SwitchLimb *from_limb,
    const double *from_q, const sinew_Skeleton *to, const sinew_SwitchLimb *to_limb, double *to_q)
{
    const sinew_Joint *from_joints = sinew_skeleton_joints(from);
    const sinew_Joint *to_joints = sinew_skeleton_joints(to);
    int a = from_limb->tip, b = to_limb->tip;
    for (;; a = from_joints[a].parent, b = to_joints[b].parent) {
        memcpy(&to_q[to_joints[b].coordinate_start], &from_q[from_joints[a].coordinate_start],
            (size_t)to_joints[b].coordinate_count * sizeof(double));
        if (a == from_limb->root) { return; }
    }
}

sinew_Status sinew_limb_match(const sinew_Skeleton *from, const sinew_SwitchLimb *from_limb,
    const double *from_q, sinew_Solver *solver, const sinew_SwitchLimb *to_limb, double *to_q,
    sinew_MatchReport *out_report, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "from from_limb from_q solver to_limb to_q",
        from, from_limb, from_q, solver, to_limb, to_q);
    if (status != SINEW_STATUS_OK) { return status; }
    const sinew_Skeleton *to = snw_solver_skeleton(solver);
    if (!limb_is_there(from, from_limb) || !limb_is_there(to, to_limb)) {
        return snw_refuse(out_message, "a limb's root and tip are no chain of its skeleton");
    }
    status = sinew_pose_check(from, from_q, out_message);
    if (status == SINEW_STATUS_OK) { status = sinew_pose_check(to, to_q, out_message); }
    if (status != SINEW_STATUS_OK) { return status; }

    sinew_MatchReport report;
    memset(&report, 0, sizeof report);
    sinew_Transform handle = handle_of(from, from_limb, from_q);
    report.copied = values_are_known(from, from_limb, from_q, to, to_limb, to_q);
    if (report.copied) {
        copy_values(from, from_limb, from_q, to, to_limb, to_q);
    } else {
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
        options.position_tolerance = MATCH_TOLERANCE;
        options.orientation_tolerance = MATCH_TOLERANCE;
        sinew_Goal goal = to_limb->holds_orientation
            ? sinew_goal_pose(to_limb->tip, handle.position, handle.rotation)
            : sinew_goal_position(to_limb->tip, handle.position);
        goal.chain_root = to_limb->root;
        goal.joint_from_effector = to_limb->tip_from_handle;
        sinew_Report solved;
        status = sinew_solver_solve(solver, &options, &goal, 1, to_q, &solved, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
        report.iterations = solved.iterations;
    }
    measure_match(to, to_limb, to_q, handle, &report);
    if (out_report != NULL) { *out_report = report; }
    return SINEW_STATUS_OK;
}
