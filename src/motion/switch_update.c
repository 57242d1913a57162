#include "base/message.h"
#include "math/holds.h"
#include "motion/switch.h"

#include <string.h>

// One frame: limbs in IK follow their handles, those that carry others first.

// Handles are met within this, metres for a body of 1.75 m, and radians: far below what a slow drag moves
// in a frame (0.1 mm), so that there is no dead zone.
#define HANDLE_TOLERANCE 1e-7
#define REFERENCE_SIZE 1.75

enum { PLACE, POLE_OR_TOE, TOE };

// what the limb is asked for; place first, then what its null space is for
static int make_goals(const sinew_Switch *sw, const snw_SwitchLimb *limb, sinew_Goal *out_goals)
{
    const sinew_SwitchLimb *def = &limb->def;
    const snw_SwitchBasis *basis = &limb->basis;
    sinew_Transform place = sinew_transform_mul(basis->target, def->tip_from_handle);
    int count = 0;
    out_goals[count] = def->holds_orientation
        ? sinew_goal_pose(def->tip, place.position, place.rotation)
        : sinew_goal_position(def->tip, place.position);
    out_goals[count].chain_root = def->root;
    out_goals[count++].joint_from_effector = def->tip_from_handle;
    if (limb->has_pole) {
        sinew_Goal pole = sinew_goal_pole(def->root, def->middle, def->tip, basis->pole);
        pole.chain_root = def->root;
        pole.joint_from_effector = def->tip_from_handle;
        pole.priority = 1;
        out_goals[count++] = pole;
    }
    if (def->has_foot_roll && def->foot_roll.toe >= 0
        && sinew_skeleton_joints(sw->skeleton)[def->foot_roll.toe].dof_count > 0) {
        sinew_Goal toe = sinew_goal_orientation(def->foot_roll.toe, basis->toe);
        toe.chain_root = def->foot_roll.toe;
        toe.priority = 1;
        out_goals[count++] = toe;
    }
    return count;
}

static sinew_SolveOptions options_for(const sinew_Switch *sw, double frame_time)
{
    SNW_ASSERT(frame_time >= 0.0);
    sinew_SolveOptions options = sinew_solve_options_motion(frame_time);
    options.max_joint_change = sw->max_joint_speed * frame_time;
    options.position_tolerance = HANDLE_TOLERANCE * sinew_skeleton_size(sw->skeleton)
        / REFERENCE_SIZE;
    options.orientation_tolerance = HANDLE_TOLERANCE;
    return options;
}

static bool same_vector(sinew_Vec3 a, sinew_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_quat(sinew_Quat a, sinew_Quat b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

static bool same_transform(sinew_Transform a, sinew_Transform b)
{
    return same_vector(a.position, b.position) && same_quat(a.rotation, b.rotation);
}

// to the bit
static bool same_basis(const snw_SwitchBasis *a, const snw_SwitchBasis *b)
{
    return same_transform(a->world_from_parent, b->world_from_parent)
        && same_transform(a->target, b->target) && same_vector(a->pole, b->pole)
        && same_quat(a->toe, b->toe);
}

// solve a limb from where IK left it, in the pose of the others; nothing to do where nothing it stands on moved
static sinew_Status follow_handle(sinew_Switch *sw, snw_SwitchLimb *limb,
    const sinew_SolveOptions *options, sinew_Message *message)
{
    snw_switch_copy(limb, sw->ik, sw->work);
    snw_SwitchBasis basis = snw_switch_basis(sw, limb, sw->work);
    if (limb->settled && same_basis(&basis, &limb->basis)) { return SINEW_STATUS_OK; }
    limb->basis = basis;
    sinew_Goal goals[3];
    int goal_count = make_goals(sw, limb, goals);
    sinew_Status status = sinew_solver_solve(
        limb->solver, options, goals, goal_count, sw->work, &limb->report, message);
    if (status != SINEW_STATUS_OK) { return status; }
    limb->settled = limb->report.outcome == SINEW_OUTCOME_CONVERGED;
    snw_switch_copy(limb, sw->work, sw->ik);
    return SINEW_STATUS_OK;
}

// joint by joint between what FK has and what IK found
static void show_blend(sinew_Switch *sw, const snw_SwitchLimb *limb)
{
    if (limb->blend == 1.0) {
        snw_switch_copy(limb, sw->ik, sw->shown);
        return;
    }
    sinew_pose_interpolate(sw->skeleton, sw->fk, sw->ik, limb->blend, sw->cropped);
    // windows of balls need not be convex
    sinew_pose_apply_limits(sw->skeleton, sw->cropped);
    snw_switch_copy(limb, sw->cropped, sw->shown);
}

static bool is_worse(const sinew_Report *a, const sinew_Report *b)
{
    return a->position_error > b->position_error
        || (a->position_error == b->position_error && a->orientation_error > b->orientation_error);
}

sinew_Status sinew_switch_update(
    sinew_Switch *sw, double frame_time, sinew_Report *out_worst, sinew_Message *out_message)
{
    if (sw == NULL) { return snw_refuse(out_message, "sw is NULL"); }
    if (!(frame_time > 0.0)) {
        return snw_refuse(out_message, "frame_time is %g, want above 0", frame_time);
    }
    sinew_SolveOptions options = options_for(sw, frame_time);
    size_t bytes = (size_t)sinew_skeleton_coordinate_count(sw->skeleton) * sizeof(double);
    sinew_Report worst;
    memset(&worst, 0, sizeof worst);
    for (int i = 0; i < sw->limb_count; ++i) {
        snw_SwitchLimb *limb = &sw->limbs[sw->order[i]];
        if (limb->blend == 0.0) {
            if (limb->release > 0.0) {
                snw_switch_show_fk(sw, limb);
                limb->release = fmax(0.0, limb->release - frame_time);
            }
            continue;
        }
        memcpy(sw->work, sw->shown, bytes);
        sinew_Status status = follow_handle(sw, limb, &options, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
        show_blend(sw, limb);
        if (is_worse(&limb->report, &worst)) { worst = limb->report; }
    }
    if (out_worst != NULL) { *out_worst = worst; }
    return SINEW_STATUS_OK;
}
