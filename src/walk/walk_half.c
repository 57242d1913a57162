// Legs by positions alone.

#include "walk/walk_half.h"

#include "walk/foot_place.h"
#include "walk/foot_roll.h"
#include "walk/leg_form.h"
#include "walk/paper_cycle.h"

#include <string.h>

// a heel below its plane by less than this is on it, radians of the foot
#define LIFT_SLACK 2e-4
// a foot turned aside by less than this keeps the tip of its toes in place, radians
#define OFF_SLACK 1e-3
// an axis is along a direction from this cosine on
#define ALONG 0.7
// a heel that was lifted higher than planned and now stands comes down by this share a frame
#define DOWN_SHARE 0.8
#define DOWN_ENOUGH 1e-3 // radians

/// The joints that a leg turns, and the angles that the foot asks of them.
typedef struct HalfLeg {
    const snw_WalkJoint *joints[3]; ///< hip, knee, ankle
    double wanted[3][4];            ///< their coordinates in closed form
} HalfLeg;

// the leg in closed form; q is left as it was. Returns whether limits took nothing away
static bool ask_closed_form(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot, HalfLeg *half)
{
    const snw_WalkBody *body = poser->body;
    int entries[3] = { leg->hip_entry, leg->knee_entry, leg->ankle_entry };
    const snw_WalkJoint *hip = &body->joints[leg->hip_entry];
    sinew_Quat segments[3];
    sinew_Vec3 at = poser->world[leg->hip_entry].position;
    sinew_Vec3 ahead = sinew_quat_rotate(foot->foot.rotation, sinew_vec3(0.0, 0.0, 1.0));
    snw_leg_close(leg, at, foot->foot.position, ahead, &segments[0], &segments[1]);
    segments[2] = foot->foot.rotation;
    sinew_Quat parent = poser->world[hip->parent].rotation;
    bool is_held = true;
    for (int i = 0; i < 3; ++i) {
        const snw_WalkJoint *joint = &body->joints[entries[i]];
        half->joints[i] = joint;
        double kept[4];
        snw_joint_read(&joint->set, poser->q, kept);
        sinew_Quat world = sinew_quat_mul(segments[i], joint->neutral);
        sinew_Quat local = sinew_quat_mul(sinew_quat_conjugate(parent), world);
        is_held = snw_joint_turn(&joint->set, local, poser->q) && is_held;
        snw_joint_read(&joint->set, poser->q, half->wanted[i]);
        snw_joint_write(&joint->set, kept, poser->q);
        // what the joint really gives carries the next one
        parent = world;
    }
    return is_held;
}

// which hinge of a joint turns about a direction, given in the walker's frame; -1 none
static int hinge_along(const snw_WalkJoint *joint, sinew_Vec3 direction)
{
    if (joint->set.kind == SNW_JOINT_BALL) { return -1; }
    sinew_Vec3 local = sinew_quat_rotate(sinew_quat_conjugate(joint->neutral), direction);
    int best = -1;
    double most = ALONG;
    for (int k = 0; k < snw_joint_count(&joint->set); ++k) {
        double along = fabs(sinew_vec3_dot(joint->set.axes[k], local));
        if (along > most) {
            most = along;
            best = k;
        }
    }
    return best;
}

static void hold_hinge(
    snw_WalkPoser *poser, int limb, const snw_WalkJoint *joint, int k, double angle)
{
    const sinew_Joint *j = &sinew_skeleton_joints(poser->body->skeleton)[joint->joint];
    poser->q[joint->set.coordinates[k]] = angle;
    (void)sinew_solver_set_range(poser->solvers[limb], j->axis_start + k, angle, angle);
}

// hold all hinges of a joint but one (-1: all)
static void hold_joint(snw_WalkPoser *poser, int limb, const snw_WalkJoint *joint,
    const double *wanted, int free_hinge)
{
    if (joint->set.kind == SNW_JOINT_BALL) { return; }
    for (int k = 0; k < snw_joint_count(&joint->set); ++k) {
        if (k != free_hinge) { hold_hinge(poser, limb, joint, k, wanted[k]); }
    }
}

// a ball keeps where its bone points and takes the wanted turn about it
static void twist_ball(
    snw_WalkPoser *poser, const snw_WalkJoint *joint, const double *wanted, sinew_Vec3 bone)
{
    sinew_Quat *q = (sinew_Quat *)(void *)&poser->q[joint->set.coordinates[0]];
    sinew_Quat to;
    memcpy(&to, wanted, sizeof to);
    sinew_Vec3 local = sinew_quat_rotate(sinew_quat_conjugate(joint->neutral), bone);
    sinew_Quat turn = sinew_quat_between(
        sinew_quat_rotate(to, local), sinew_quat_rotate(*q, local));
    *q = sinew_quat_normalize(sinew_quat_mul(turn, to));
}

static void set_weights(snw_WalkPoser *poser, int limb, const HalfLeg *half, bool trails)
{
    double *mobility = poser->mobility;
    const sinew_Skeleton *skeleton = poser->body->skeleton;
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        mobility[a] = axes[a].mobility;
    }
    for (int i = 0; i < 3; ++i) {
        const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[half->joints[i]->joint];
        bool is_held_ball = half->joints[i]->set.kind == SNW_JOINT_BALL && i == 2;
        // a weight resists: what is heavy turns less, and leaves more to the ankle
        double heavy = trails && i < 2 ? poser->trailing_weight : 1.0;
        double factor = is_held_ball ? 0.0 : 1.0 / heavy;
        for (int k = 0; k < j->axis_count; ++k) { mobility[j->axis_start + k] *= factor; }
    }
    (void)sinew_solver_set_mobility(poser->solvers[limb], mobility);
}

// a foot on its toes alone, whose heel may come up as it likes
static bool trails(const snw_WalkFootTarget *foot)
{
    return !foot->told.is_swinging && foot->held == SINEW_PLANTED_TOE
        && (foot->told.planted & SINEW_PLANTED_HEEL) == 0;
}

void snw_half_carry_lift(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, bool is_half,
    snw_WalkFootTarget *foot)
{
    double extra = poser->extra_lift[limb];
    if (!foot->told.is_swinging && poser->strides[limb]) { extra = 0.0; }
    poser->strides[limb] = foot->told.is_swinging;
    if (is_half && trails(foot)) { return; }
    if (foot->told.is_swinging) {
        double rest = 1.0 - foot->told.swing;
        extra *= rest * rest;
    } else {
        // stands: the heel comes down to what is planned, and is not free meanwhile
        bool on_toes = foot->held == SINEW_PLANTED_TOE;
        extra = on_toes && extra > DOWN_ENOUGH ? extra * DOWN_SHARE : 0.0;
        poser->extra_lift[limb] = extra;
        if (on_toes) { foot->held = SINEW_PLANTED_BALL; }
        if (extra > 0.0) { foot->told.planted &= ~(unsigned)SINEW_PLANTED_HEEL; }
    }
    if (!(extra > 0.0)) { return; }
    foot->foot = snw_foot_pitched(&foot->foot, snw_foot_pivot(leg), -extra);
    if (leg->def.toe >= 0) { foot->toe_bend = fmin(leg->toe_upper, foot->toe_bend + extra); }
    snw_FootPose points;
    snw_foot_points(leg, &foot->foot, foot->toe_bend, &points);
    foot->told.heel = points.heel;
    foot->told.ball = points.ball;
    foot->told.toe = points.toe;
    foot->told.toe_bend = foot->toe_bend;
}

void snw_half_release(snw_WalkPoser *poser, int limb)
{
    if (poser->is_held[limb]) { sinew_solver_reset_limits(poser->solvers[limb]); }
    if (poser->has_weights[limb]) { (void)sinew_solver_set_mobility(poser->solvers[limb], NULL); }
    poser->is_held[limb] = false;
    poser->has_weights[limb] = false;
}

void snw_half_prepare(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, snw_WalkFootTarget *foot)
{
    const sinew_Vec3 left = { 1.0, 0.0, 0.0 }, up = { 0.0, 1.0, 0.0 };
    HalfLeg half;
    (void)ask_closed_form(poser, leg, foot, &half);
    sinew_solver_reset_limits(poser->solvers[limb]);
    poser->is_held[limb] = true;
    const snw_WalkJoint *hip = half.joints[0], *ankle = half.joints[2];
    if (hip->set.kind == SNW_JOINT_BALL) {
        twist_ball(poser, hip, half.wanted[0], up);
    } else {
        int twist = hinge_along(hip, up);
        if (twist < 0) { twist = snw_joint_count(&hip->set) - 1; }
        hold_hinge(poser, limb, hip, twist, half.wanted[0][twist]);
    }
    hold_joint(poser, limb, half.joints[1], half.wanted[1], hinge_along(half.joints[1], left));
    if (ankle->set.kind == SNW_JOINT_BALL) {
        snw_joint_write(&ankle->set, half.wanted[2], poser->q);
    } else {
        bool is_free = trails(foot);
        hold_joint(poser, limb, ankle, half.wanted[2], is_free ? hinge_along(ankle, left) : -1);
    }
    if (trails(foot) != poser->is_weighted[limb] || !poser->has_weights[limb]) {
        set_weights(poser, limb, &half, trails(foot));
        poser->is_weighted[limb] = trails(foot);
        poser->has_weights[limb] = true;
    }
}

// how far the heel is lifted about the toes, against the foot that lies flat; out_off: by how much the
// foot is turned otherwise
static double lift_of(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, const sinew_Transform *flat, double *out_off)
{
    const snw_WalkJoint *ankle = &poser->body->joints[leg->ankle_entry];
    sinew_pose_forward_chain(poser->body->skeleton, poser->q, leg->def.ankle, poser->all);
    sinew_Quat now = sinew_quat_mul(
        poser->all[leg->def.ankle].rotation, sinew_quat_conjugate(ankle->neutral));
    sinew_Quat turn = sinew_quat_mul(sinew_quat_conjugate(flat->rotation), now);
    *out_off = 2.0 * sqrt(turn.y * turn.y + turn.z * turn.z);
    return 2.0 * sinew_atan2(turn.w < 0.0 ? -turn.x : turn.x, fabs(turn.w));
}

// how far the point that is held is from its place, after lift_of
static double goal_error(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, const sinew_Goal *goal)
{
    sinew_Vec3 held = sinew_transform_point(
        poser->all[leg->def.ankle], goal->joint_from_effector.position);
    return sinew_vec3_distance(held, goal->position);
}

static void take_closed_form(snw_WalkPoser *poser, const HalfLeg *half, int limb)
{
    for (int i = 0; i < 3; ++i) {
        snw_joint_write(&half->joints[i]->set, half->wanted[i], poser->q);
    }
    // what was held for the planned foot makes room
    sinew_solver_reset_limits(poser->solvers[limb]);
    hold_joint(poser, limb, half->joints[2], half->wanted[2], -1);
}

// Set the leg in closed form, and solve again only where that misses.
static sinew_Status redo(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const HalfLeg *half, const sinew_Transform *flat, const sinew_Goal *goal, sinew_Report *report,
    sinew_Message *out_message)
{
    double off;
    take_closed_form(poser, half, limb);
    ++poser->fix_count;
    (void)lift_of(poser, leg, flat, &off);
    report->position_error = goal_error(poser, leg, goal);
    report->outcome = SINEW_OUTCOME_CONVERGED;
    if (!(report->position_error > poser->options.position_tolerance)) { return SINEW_STATUS_OK; }
    return snw_walk_solve_again(poser, limb, goal, report, out_message);
}

// A nearly straight leg has two ways to hold a point of the foot with a given ankle: a foot that stands
// lies as planned
static sinew_Status finish_standing(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const snw_WalkFootTarget *foot, const sinew_Goal *goal, sinew_Report *report,
    sinew_Message *out_message)
{
    double off, lift = lift_of(poser, leg, &foot->foot, &off);
    if (fabs(lift) <= OFF_SLACK && off <= OFF_SLACK) { return SINEW_STATUS_OK; }
    HalfLeg half;
    // where not even the closed form gives its turn, the ankle's place is what counts
    if (!ask_closed_form(poser, leg, foot, &half)) { return SINEW_STATUS_OK; }
    return redo(poser, leg, limb, &half, &foot->foot, goal, report, out_message);
}

sinew_Status snw_half_finish(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    snw_WalkFootTarget *foot, const sinew_Goal *goal, sinew_Report *report,
    sinew_Message *out_message)
{
    if (foot->told.is_swinging) { return SINEW_STATUS_OK; }
    if (!trails(foot)) {
        return finish_standing(poser, leg, limb, foot, goal, report, out_message);
    }
    sinew_Transform flat = snw_foot_pitched(&foot->foot, snw_foot_pivot(leg), foot->lift);
    double off, lift = lift_of(poser, leg, &flat, &off);
    double least = foot->lift > 0.0 ? 0.0 : -LIFT_SLACK,
           most = snw_paper_most_lift(leg, foot->toe_bend - foot->lift);
    bool is_stuck = report->outcome != SINEW_OUTCOME_CONVERGED;
    if (lift < least || lift > most || off > OFF_SLACK || is_stuck) {
        // the same lift, or the nearest one that ground and toes allow, with the toes flat on the ground.
        // All of the leg anew, since a nearly straight one has two ways to hold toes with a given ankle
        lift = fmin(most, lift < least || is_stuck ? foot->lift : fmax(0.0, lift));
        snw_WalkFootTarget fixed = *foot;
        fixed.foot = snw_foot_pitched(&flat, snw_foot_pivot(leg), -lift);
        HalfLeg half;
        if (!ask_closed_form(poser, leg, &fixed, &half) && lift != foot->lift) {
            // a nearly straight leg bends its ankle more before it bends it less: as planned, then
            fixed.foot = foot->foot;
            (void)ask_closed_form(poser, leg, &fixed, &half);
        }
        sinew_Status status = redo(poser, leg, limb, &half, &flat, goal, report, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
        // toes bend by what the ankle gives
        lift = fmax(0.0, lift_of(poser, leg, &flat, &off));
    }
    poser->extra_lift[limb] = fmax(0.0, lift - foot->lift);
    if (leg->toe_entry >= 0) {
        const snw_WalkJoint *toe = &poser->body->joints[leg->toe_entry];
        const snw_WalkJoint *ankle = &poser->body->joints[leg->ankle_entry];
        double bend = foot->toe_bend + lift - foot->lift;
        sinew_Quat turn = sinew_quat_mul(
            sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), -bend), toe->neutral);
        (void)snw_joint_turn(
            &toe->set, sinew_quat_mul(sinew_quat_conjugate(ankle->neutral), turn), poser->q);
        foot->told.toe_bend = bend;
    }
    return SINEW_STATUS_OK;
}
