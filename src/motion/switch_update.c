#include "base/message.h"
#include "math/holds.h"
#include "motion/switch.h"

#include <string.h>

// One frame: limbs in IK follow their handles, those that carry others first. What a handle leaves free keeps to the motion
// that goes on under it, and a limb that left IK goes over to that with its tip ahead: the joints follow.

// Handles are met within this, metres for a body of 1.75 m, and radians: far below what a slow drag moves
// in a frame (0.1 mm), so that there is no dead zone.
#define HANDLE_TOLERANCE 1e-7
#define REFERENCE_SIZE 1.75

// seconds: the time of a limb that goes over is gone, but not yet all of its way
#define ALMOST_OVER 1e-9

// levels of a limb's goals: each has what those before leave free
enum { PLACE, POLE_AND_TOE, MOTION };

// what the limb is asked for
static int make_goals(const sinew_Switch *sw, const snw_SwitchLimb *limb, sinew_Goal *out_goals)
{
    const sinew_SwitchLimb *def = &limb->def;
    const snw_SwitchBasis *basis = &limb->basis;
    sinew_Transform place = sinew_transform_mul(basis->target, def->tip_from_handle);
    int count = 0;
    out_goals[count] = def->holds_orientation
        ? sinew_goal_pose(def->tip, place.position, place.rotation)
        : sinew_goal_position(def->tip, place.position);
    out_goals[count].priority = PLACE;
    out_goals[count].chain_root = def->root;
    out_goals[count++].joint_from_effector = def->tip_from_handle;
    if (limb->has_pole) {
        sinew_Goal pole = sinew_goal_pole(def->root, def->middle, def->tip, basis->pole);
        pole.chain_root = def->root;
        pole.joint_from_effector = def->tip_from_handle;
        pole.priority = POLE_AND_TOE;
        out_goals[count++] = pole;
    }
    // of a limb that left IK, toes go over by themselves
    if (limb->blend > 0.0 && def->has_foot_roll && def->foot_roll.toe >= 0
        && sinew_skeleton_joints(sw->skeleton)[def->foot_roll.toe].dof_count > 0) {
        sinew_Goal toe = sinew_goal_orientation(def->foot_roll.toe, basis->toe);
        toe.chain_root = def->foot_roll.toe;
        toe.priority = POLE_AND_TOE;
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

// how much is left of what a limb was off its motion: falls from 1 to 0 without a kink at either end
static double find_left(const sinew_Switch *sw, const snw_SwitchLimb *limb)
{
    if (!(limb->release > 0.0)) { return 0.0; }
    double t = 1.0 - limb->release / sw->release_time;
    return 1.0 - t * t * t * (10.0 + t * (6.0 * t - 15.0));
}

// What place, pole and toes leave free, as the twist of a thigh, keeps to the motion's joints, with what is left of the way they
// were off. sw->cropped: those joints, within half a turn of sw->work.
static sinew_Goal keep_to_motion(sinew_Switch *sw, const snw_SwitchLimb *limb)
{
    double left = find_left(sw, limb);
    snw_switch_find_step(sw, limb, sw->work, sw->fk, sw->step);
    for (int d = 0; d < sinew_skeleton_dof_count(sw->skeleton); ++d) {
        sw->step[d] += left * sw->offset[d];
    }
    sinew_pose_integrate(sw->skeleton, sw->work, sw->step, sw->cropped);
    sinew_pose_apply_limits(sw->skeleton, sw->cropped);
    (void)sinew_solver_set_rest(limb->solver, sw->cropped);
    sinew_Goal rest = sinew_goal_rest(1.0);
    rest.joint = limb->def.tip;
    rest.chain_root = limb->def.root;
    rest.priority = MOTION;
    return rest;
}

// Of a limb that left IK: tip and pole go over to where the motion has them. Were its joints alone to go over, a knee that
// bends meanwhile would take the foot along. sw->work: the limb as FK has it.
static snw_SwitchBasis let_go(sinew_Switch *sw, snw_SwitchLimb *limb)
{
    double left = find_left(sw, limb);
    snw_SwitchBasis to = snw_switch_stand(sw, limb, sw->work);
    to.target.position = sinew_vec3_add_scaled(to.target.position, limb->apart.tip, left);
    to.target.rotation = sinew_quat_mul(
        to.target.rotation, sinew_quat_exp(sinew_vec3_scale(limb->apart.turn, left)));
    to.pole = sinew_vec3_add_scaled(to.pole, limb->apart.pole, left);
    return to;
}

// Solve a limb in the pose of the others; goes_over: it is not yet where its motion has it. In IK it goes on from where the last frame left it, later from the motion's joints, which are the
// answer in the end. Nothing to do where nothing it stands on moved.
static sinew_Status follow(sinew_Switch *sw, snw_SwitchLimb *limb, bool goes_over,
    const sinew_SolveOptions *options, sinew_Message *message)
{
    bool in_ik = limb->blend > 0.0;
    snw_switch_copy(limb, in_ik ? sw->ik : sw->fk, sw->work);
    snw_SwitchBasis basis = in_ik ? snw_switch_basis(sw, limb, sw->work) : let_go(sw, limb);
    const void *now = &basis, *before = &limb->basis; // by their bits
    if (limb->settled && !goes_over && memcmp(now, before, sizeof basis) == 0) {
        return SINEW_STATUS_OK;
    }
    limb->basis = basis;
    sinew_Goal goals[SNW_SWITCH_GOALS];
    int goal_count = make_goals(sw, limb, goals);
    if (limb->animated) {
        goals[goal_count] = keep_to_motion(sw, limb);
        goal_count += in_ik ? 1 : 0;
    }
    if (!in_ik) { snw_switch_copy(limb, sw->cropped, sw->work); }
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
    if (limb->blend == 1.0 || limb->blend == 0.0) {
        snw_switch_copy(limb, sw->ik, sw->shown);
        return;
    }
    sinew_pose_interpolate(sw->skeleton, sw->fk, sw->ik, limb->blend, sw->cropped);
    // windows of balls need not be convex
    sinew_pose_apply_limits(sw->skeleton, sw->cropped);
    snw_switch_copy(limb, sw->cropped, sw->shown);
}

// the fastest turn of a joint of a limb from sw->off to sw->step, radians
static double find_turn(const sinew_Switch *sw, const snw_SwitchLimb *limb)
{
    double fastest2 = 0.0;
    for (int a = 0; a < limb->axis_count; ++a) {
        const snw_SwitchAxis *axis = &limb->axes[a];
        double turn2 = 0.0;
        for (int d = axis->dof; d < axis->dof + axis->dof_count; ++d) {
            turn2 += (sw->step[d] - sw->off[d]) * (sw->step[d] - sw->off[d]);
        }
        if (axis->kind != SINEW_AXIS_SLIDE) { fastest2 = fmax(fastest2, turn2); }
    }
    return sqrt(fastest2);
}

// Let a limb that goes over turn no faster than its motion and its speed together: near full stretch a knee would snap, however
// evenly the foot comes. The whole limb goes a part of its way then, so that the foot is not thrown aside. sw->ik: where it is to
// be. Whether it is held back.
static bool hold_back(sinew_Switch *sw, const snw_SwitchLimb *limb, double frame_time)
{
    SNW_ASSERT(frame_time > 0.0);
    snw_switch_find_step(sw, limb, sw->fk, sw->ik, sw->step);
    double turn = find_turn(sw, limb), most = sw->max_joint_speed * frame_time;
    bool is_held = turn > most;
    for (int a = 0; a < limb->axis_count; ++a) {
        const snw_SwitchAxis *axis = &limb->axes[a];
        for (int d = axis->dof; d < axis->dof + axis->dof_count; ++d) {
            if (is_held) { sw->step[d] = sw->off[d] + (sw->step[d] - sw->off[d]) * most / turn; }
            sw->off[d] = sw->step[d];
        }
    }
    if (!is_held) { return false; }
    memcpy(
        sw->work, sw->fk, (size_t)sinew_skeleton_coordinate_count(sw->skeleton) * sizeof(double));
    sinew_pose_integrate(sw->skeleton, sw->work, sw->step, sw->cropped);
    sinew_pose_apply_limits(sw->skeleton, sw->cropped);
    snw_switch_copy(limb, sw->cropped, sw->ik);
    return true;
}

// One frame of a limb that is in IK or left it. The first one goes with the motion and leaves the limb as far off as it was. Later
// ones show what is left after their time: however long a frame is, nothing is left to leap when the next pose is set.
static sinew_Status update_limb(sinew_Switch *sw, snw_SwitchLimb *limb, double frame_time,
    const sinew_SolveOptions *options, sinew_Message *message)
{
    const double release = limb->release;
    const bool fresh = limb->fresh;
    if (!fresh) { limb->release = fmax(0.0, release - frame_time); }
    limb->fresh = false;
    if (limb->blend == 0.0 && !(limb->release > 0.0)) {
        snw_switch_copy(limb, sw->fk, sw->ik);
        if (hold_back(sw, limb, frame_time)) { limb->release = ALMOST_OVER; }
        snw_switch_copy(limb, sw->ik, sw->shown);
        return SINEW_STATUS_OK;
    }
    memcpy(sw->work, sw->shown,
        (size_t)sinew_skeleton_coordinate_count(sw->skeleton) * sizeof(double));
    sinew_Status status = follow(sw, limb, release > 0.0, options, message);
    if (status != SINEW_STATUS_OK) {
        limb->release = release;
        limb->fresh = fresh;
        return status;
    }
    if (limb->blend == 0.0) { (void)hold_back(sw, limb, frame_time); }
    show_blend(sw, limb);
    return SINEW_STATUS_OK;
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
    if (!(frame_time >= 0.0 && isfinite(frame_time))) {
        return snw_refuse(out_message, "frame_time is %g, want 0 or more", frame_time);
    }
    sinew_SolveOptions options = options_for(sw, frame_time);
    sinew_Report worst;
    memset(&worst, 0, sizeof worst);
    for (int i = 0; i < sw->limb_count; ++i) {
        snw_SwitchLimb *limb = &sw->limbs[sw->order[i]];
        if (limb->blend == 0.0 && !(limb->release > 0.0)) { continue; }
        // without time nothing moves
        if (frame_time > 0.0) {
            sinew_Status status = update_limb(sw, limb, frame_time, &options, out_message);
            if (status != SINEW_STATUS_OK) { return status; }
        }
        if (limb->blend > 0.0 && is_worse(&limb->report, &worst)) { worst = limb->report; }
    }
    if (out_worst != NULL) { *out_worst = worst; }
    return SINEW_STATUS_OK;
}
