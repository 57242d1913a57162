// Legs that stand on a point: their reach, and their pose. Positions alone, half of the Jacobian.

#include "walk/walker_pose.h"

#include "body/pose.h"
#include "math/holds.h"
#include "math/quat.h"
#include "walk/gait.h"

#include <string.h>

// Legs want this much level room around their foothold, lengths of the leg; a body whose legs are
// too straight for it rides lower.
#define WANTED_ROOM 0.42
// Most that bodies ride lower for it, and higher over steps as long as that leaves so much room.
#define MOST_RIDE 0.25
#define LEAST_ROOM 0.22
// Highest steps, against how high the leg that folds least still has room.
#define CLIMB 1.15
// Room that riding lower has to win, for each length: straight legs win 1.5, sprawling ones 0.5, with the belly on the ground.
#define CROUCH_COST 0.75
// Who is asked to crouch comes down by so much, as long as that leaves so much room too: a dog's knees keep off the ground.
#define MOST_STOOP 0.16
#define CROUCH_STEPS 10
// Legs with less than that stand so high, lengths of the leg, or lower by steps where they cannot.
#define BENT \
    0.8 // robots stand at 0.7 to 0.85: higher, and strides are short; lower, and shanks lie on the ground
#define BENT_STEP 0.05
#define LEAST_BENT 0.5
#define FIRST_BEND \
    0.7 // radians, where that is looked for from: far from straight, inside of any knee's range
// A tip needs so many freedoms; joints beyond them are to spare.
#define NEEDED_FREEDOMS 3
#define STIFF 0.1
// Share of the way to its end that a joint to spare folds, for each length of the leg that this is
// shorter than at rest.
#define FOLD 3.75
#define RELAX_TIME 0.05 // seconds
// A leg that is put down is relaxed and solved so often, as in a third of a second, so that it does not turn while it stands.
enum { FIRST_ROUNDS = 20 };
// A solve that ends farther from its goal than this tries once more, lengths of the leg.
#define STUCK 0.01
// Freedoms that turn a leg as a whole; what comes after them bends it.
#define HIP_FREEDOMS 2
#define MOST_BENDING 8
// From which distance on bending is measured, lengths of the leg.
#define NEAREST 0.2
#define MOST_COORDINATES 64

static double least_room(const snw_WalkBody *body, double height)
{
    double room = (double)INFINITY;
    for (int i = 0; i < body->leg_count; ++i) {
        const sinew_Vec3 ahead = { 0.0, height, 1.0 }, back = { 0.0, height, -1.0 };
        const snw_LegReach *reach = &body->legs[i].reach;
        room = snw_min(room, snw_leg_reach_radius(reach, ahead) / reach->length);
        room = snw_min(room, snw_leg_reach_radius(reach, back) / reach->length);
    }
    return room;
}

static void choose_crouch(snw_WalkBody *body)
{
    double best = 0.0, room = least_room(body, 0.0), most = room;
    for (int k = 1; k <= CROUCH_STEPS && room < WANTED_ROOM; ++k) {
        double crouch = MOST_RIDE * k / CROUCH_STEPS, height = crouch * body->length;
        double wider = least_room(body, height), worth = wider - CROUCH_COST * crouch;
        if (worth > most) {
            most = worth;
            room = wider;
            best = height;
        }
    }
    body->crouch = best;
    body->ride_height -= best;
}

// how far a body goes lower, or higher where most is negative, with room left, metres
static double farthest_with_room(const snw_WalkBody *body, double most)
{
    double farthest = 0.0;
    for (int k = 1; k <= CROUCH_STEPS; ++k) {
        double lower = most * body->length * k / CROUCH_STEPS;
        if (least_room(body, body->crouch + lower) < LEAST_ROOM) { break; }
        farthest = lower;
    }
    return farthest;
}

// Steps that legs fold over are walked: the limits are those of a body with legs as long as fold so far.
static void choose_climb(snw_WalkBody *body)
{
    const sinew_WalkLimits usual = sinew_walk_limits_default();
    double top = (double)INFINITY;
    for (int i = 0; i < body->leg_count; ++i) { top = snw_min(top, body->legs[i].reach.top); }
    body->girth.climb = CLIMB * top / usual.step_height;
}

// Goes from joint to joint down a leg. What one adds to where the tip gets: a ball, or three hinges, carry it about
// on a sphere, which is two. Balls themselves are never to spare: the least change bends all of them alike, and held
// stiff below the hip they would have it twist the leg about itself.
static bool is_spare(const sinew_Joint *joint, int *freedoms)
{
    bool spare = *freedoms >= NEEDED_FREEDOMS && joint->coordinate_count == joint->axis_count;
    *freedoms += joint->dof_count < HIP_FREEDOMS ? joint->dof_count : HIP_FREEDOMS;
    return spare;
}

// Joints to spare: the last ones of the leg hold still where the others can do it, as a paw hangs on its
// leg. Otherwise two ways to bend would be as good as each other, and legs would jump between them.
static void stiffen(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb)
{
    const sinew_Joint *joints = sinew_skeleton_joints(poser->body->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(poser->body->skeleton);
    int count = sinew_skeleton_axis_count(poser->body->skeleton), freedoms = 0;
    for (int a = 0; a < count; ++a) { poser->mobility[a] = axes[a].mobility; }
    for (int j = leg->def.hip; j >= 0; ++j) {
        if (!sinew_skeleton_is_ancestor(poser->body->skeleton, j, leg->def.ankle)) { continue; }
        bool spare = is_spare(&joints[j], &freedoms);
        for (int k = 0; spare && k < joints[j].axis_count; ++k) {
            poser->mobility[joints[j].axis_start + k] *= STIFF;
        }
        if (j == leg->def.ankle) { break; }
    }
    (void)sinew_solver_set_mobility(poser->solvers[limb], poser->mobility);
}

// How much shorter the way from a leg's first joint to a place is than at rest, lengths of the leg.
static double folded_for(const snw_WalkPoser *poser, const snw_WalkLegBody *leg, sinew_Vec3 place)
{
    sinew_pose_forward_chain(poser->body->skeleton, poser->q, leg->def.hip, poser->all);
    double stretch = sinew_vec3_distance(poser->all[leg->def.hip].position, place);
    return (leg->rest_stretch - stretch) / leg->length;
}

// The value of a joint to spare in a leg that is folded so much: to the side to which it goes farther.
static double fold(const snw_WalkPoser *poser, const sinew_Joint *joint, int k, double folded)
{
    const sinew_Axis *axis = &sinew_skeleton_axes(poser->body->skeleton)[joint->axis_start + k];
    double rest = poser->rest[joint->coordinate_start + k];
    if (axis->kind != SINEW_AXIS_HINGE || !isfinite(axis->lower) || !isfinite(axis->upper)) {
        return rest;
    }
    double up = axis->upper - rest, down = axis->lower - rest;
    double way = up > -down ? up : down;
    return snw_clamp(rest + way * FOLD * folded, axis->lower, axis->upper);
}

// Where a leg starts from. Joints to spare fold as the leg does: left to themselves they would wait until
// the others are at their ends, and then jump. The others go back to rest by a share, so that the pose
// forgets where it was.
static void relax(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, sinew_Vec3 place, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    const sinew_Joint *joints = sinew_skeleton_joints(poser->body->skeleton);
    double folded = folded_for(poser, leg, place);
    int freedoms = 0;
    for (int j = leg->def.hip; j <= leg->def.ankle; ++j) {
        if (!sinew_skeleton_is_ancestor(poser->body->skeleton, j, leg->def.ankle)) { continue; }
        const sinew_Joint *joint = &joints[j];
        bool spare = is_spare(joint, &freedoms);
        for (int k = 0; spare && k < joint->axis_count; ++k) {
            poser->q[joint->coordinate_start + k] = fold(poser, joint, k, folded);
        }
        if (spare) { continue; }
        snw_pose_mix(poser->body->skeleton, joint->axis_start, joint->axis_count, poser->q,
            poser->rest, share, poser->q);
    }
}

// ---------------------------------------------------------------------------------------------
// What is measured once

// the joint that ends the first two freedoms of a leg
static int last_of_hip(const sinew_Skeleton *skeleton, const snw_WalkLegBody *leg)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int freedoms = 0;
    for (int j = leg->def.hip; j < leg->def.ankle; ++j) {
        if (!sinew_skeleton_is_ancestor(skeleton, j, leg->def.ankle)) { continue; }
        freedoms += joints[j].dof_count;
        if (freedoms >= HIP_FREEDOMS) { return j; }
    }
    return leg->def.hip;
}

/// A leg on its line, at one distance.
typedef struct Bent {
    double distance;
    sinew_Quat hip;                  // of the part below the first freedoms, skeleton's frame
    sinew_Quat others[MOST_BENDING]; // of joints after them, against their parents
} Bent;

static sinew_Status bend_to(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    sinew_Vec3 place, Bent *out_bent, bool *out_reached, sinew_Message *message)
{
    const sinew_Skeleton *skeleton = poser->body->skeleton;
    sinew_Goal goal = sinew_goal_position(leg->def.ankle, place);
    goal.chain_root = leg->def.hip;
    relax(poser, leg, place, 1.0);
    sinew_Report report;
    sinew_Status status = sinew_solver_solve(
        poser->solvers[limb], &poser->options, &goal, 1, poser->q, &report, message);
    if (status != SINEW_STATUS_OK) { return status; }
    *out_reached = report.position_error <= SNW_REACH_MET * leg->length;
    sinew_pose_forward(skeleton, poser->q, poser->all);
    int hip = last_of_hip(skeleton, leg), count = 0;
    out_bent->hip = poser->all[hip].rotation;
    for (int j = hip + 1; j <= leg->def.ankle && count < MOST_BENDING; ++j) {
        out_bent->others[count++] = sinew_pose_local(skeleton, poser->q, j).rotation;
    }
    return status;
}

static void note_bend(const snw_WalkBody *body, const snw_WalkLegBody *leg, const Bent *near,
    const Bent *far, int row, snw_LegBend *bend)
{
    double apart = far->distance - near->distance;
    sinew_Quat turn = sinew_quat_mul(far->hip, sinew_quat_conjugate(near->hip));
    sinew_Vec3 way = sinew_quat_rotate(body->walker_from_skeleton, sinew_quat_log(turn));
    bend->turned[row] = sinew_vec3_scale(way, 1.0 / apart);
    int count = leg->def.ankle - last_of_hip(body->skeleton, leg);
    for (int k = 0; k < count && k < MOST_BENDING; ++k) {
        double angle = sinew_quat_angle(near->others[k], far->others[k]);
        bend->bent[row] = snw_max(bend->bent[row], angle / apart);
    }
}

// Along the line from the first joint to where the tip is at rest, as far in and out as it gets.
static sinew_Status measure_bend(snw_WalkPoser *poser, snw_WalkBody *body, int limb,
    sinew_Vec3 first, sinew_Vec3 foothold, sinew_Message *message)
{
    snw_WalkLegBody *leg = &body->legs[limb];
    snw_LegBend *bend = &leg->bend;
    sinew_Vec3 line = sinew_vec3_normalize_or(
        sinew_vec3_sub(foothold, first), sinew_vec3(0.0, -1.0, 0.0));
    bend->line = sinew_quat_rotate(body->walker_from_skeleton, line);
    bend->nearest = NEAREST * leg->length;
    bend->spacing = (1.0 - NEAREST) * leg->length / (SNW_BEND_ROWS - 1);
    Bent last, now;
    memset(&last, 0, sizeof last);
    bool had = false;
    int first_row = -1, last_row = -1;
    // one distance between each two rows, and one at both ends
    for (int k = 0; k <= SNW_BEND_ROWS; ++k) {
        bool reached = false;
        now.distance = bend->nearest + (k - 0.5) * bend->spacing;
        sinew_Vec3 place = sinew_vec3_add_scaled(first, line, now.distance);
        sinew_Status status = bend_to(poser, leg, limb, place, &now, &reached, message);
        if (status != SINEW_STATUS_OK) { return status; }
        if (reached && had) {
            note_bend(body, leg, &last, &now, k - 1, bend);
            if (first_row < 0) { first_row = k - 1; }
            last_row = k - 1;
        }
        had = reached;
        last = now;
    }
    // beyond what is reached: as at its end
    for (int row = 0; row < SNW_BEND_ROWS && first_row >= 0; ++row) {
        int known = row < first_row ? first_row : row > last_row ? last_row : row;
        bend->turned[row] = bend->turned[known];
        bend->bent[row] = bend->bent[known];
    }
    return SINEW_STATUS_OK;
}

static sinew_Vec3 in_skeleton(const snw_WalkBody *body, sinew_Vec3 walker)
{
    return sinew_quat_rotate(sinew_quat_conjugate(body->walker_from_skeleton), walker);
}

// a place in the hips frame, in the skeleton's; the pose of all joints has the root at rest
static sinew_Vec3 place_of(const snw_WalkPoser *poser, sinew_Vec3 in_hips)
{
    sinew_Vec3 from_root = sinew_vec3_add(in_hips, poser->body->hips_from_root);
    return sinew_vec3_add(poser->all[0].position, in_skeleton(poser->body, from_root));
}

static void take_leg(
    const sinew_Skeleton *skeleton, const snw_WalkLegBody *leg, const double *from, double *to)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    for (int j = leg->def.hip; j <= leg->def.ankle; ++j) {
        if (!sinew_skeleton_is_ancestor(skeleton, j, leg->def.ankle)) { continue; }
        size_t start = (size_t)joints[j].coordinate_start,
               count = (size_t)joints[j].coordinate_count;
        memcpy(&to[start], &from[start], count * sizeof *to);
    }
}

static sinew_Status measure_leg(
    snw_WalkPoser *poser, snw_WalkBody *body, int limb, sinew_Message *message)
{
    snw_WalkLegBody *leg = &body->legs[limb];
    sinew_pose_forward(body->skeleton, poser->rest, poser->all);
    sinew_Vec3 first = poser->all[leg->def.hip].position;
    snw_LegProbe probe = { .solver = poser->solvers[limb],
        .options = &poser->options,
        .chain_root = leg->def.hip,
        .tip = leg->def.ankle,
        .length = leg->length,
        .foothold = place_of(poser, leg->tip_rest),
        .first = first,
        .world_from_body = sinew_quat_conjugate(body->walker_from_skeleton),
        .skeleton = body->skeleton,
        .q = poser->q,
        .rest = poser->rest };
    const sinew_Joint *joint = &sinew_skeleton_joints(body->skeleton)[leg->def.hip];
    const sinew_Axis *axis = &sinew_skeleton_axes(body->skeleton)[joint->axis_start];
    if (axis->kind == SINEW_AXIS_HINGE) {
        sinew_Quat upper = poser->all[joint->parent].rotation;
        probe.axis = sinew_quat_rotate(
            sinew_quat_mul(upper, joint->rest_rotation), axis->direction);
    }
    if (body->sprawl > 0.0) { probe.outward = sinew_vec3_sub(leg->tip_rest, leg->hip); }
    probe.outward.y = 0.0;
    if (leg->mate >= 0) {
        probe.mate = sinew_vec3_sub(body->legs[leg->mate].tip_rest, leg->tip_rest);
    }
    leg->rest_stretch = sinew_vec3_distance(first, probe.foothold);
    sinew_Status status = snw_leg_reach_measure(&probe, &leg->reach, message);
    if (status != SINEW_STATUS_OK) { return status; }
    memcpy(poser->q, poser->rest,
        (size_t)sinew_skeleton_coordinate_count(body->skeleton) * sizeof *poser->q);
    return measure_bend(poser, body, limb, first, probe.foothold, message);
}

static sinew_Status measure_legs(snw_WalkPoser *poser, snw_WalkBody *body, sinew_Message *message)
{
    sinew_Status status = SINEW_STATUS_OK;
    for (int i = 0; i < body->leg_count && status == SINEW_STATUS_OK; ++i) {
        status = measure_leg(poser, body, i, message);
    }
    choose_crouch(body);
    return status;
}

// A ball bends across the body: a straight leg does not say where its knee goes.
static void bend_ball(const snw_WalkPoser *poser, int joint, double angle, double *q)
{
    sinew_Transform world = snw_pose_frame(
        poser->body->skeleton, poser->q, joint, sinew_transform_identity());
    sinew_Quat to_joint = sinew_quat_conjugate(world.rotation);
    sinew_Vec3 axis = sinew_quat_rotate(to_joint, in_skeleton(poser->body, snw_left_axis));
    sinew_Quat turn = sinew_quat_from_axis_angle(axis, angle);
    snw_quat_store(sinew_quat_mul(snw_quat_load(q), turn), q);
}

// Turn what bends a leg by an angle from rest, as far as it goes; returns whether that has a ball.
static bool bend_from_rest(const snw_WalkPoser *poser, const snw_WalkLegBody *leg, double angle)
{
    const sinew_Skeleton *skeleton = poser->body->skeleton;
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    bool has_ball = false;
    for (int j = last_of_hip(skeleton, leg) + 1; j <= leg->def.ankle; ++j) {
        if (!sinew_skeleton_is_ancestor(skeleton, j, leg->def.ankle)) { continue; }
        for (int a = joints[j].axis_start; a < joints[j].axis_start + joints[j].axis_count; ++a) {
            double *q = &poser->q[places[a].coordinate];
            if (axes[a].kind == SINEW_AXIS_BALL) {
                bend_ball(poser, j, angle, q);
                has_ball = true;
            } else if (axes[a].kind == SINEW_AXIS_HINGE) {
                *q = snw_clamp(*q + angle, axes[a].lower, axes[a].upper);
            }
        }
    }
    return has_ball;
}

// how far the joints of a leg are ahead of its first one, all together, metres
static double ahead_of_first(const snw_WalkPoser *poser, const snw_WalkLegBody *leg)
{
    sinew_Vec3 way = in_skeleton(poser->body, snw_ahead_axis);
    sinew_pose_forward(poser->body->skeleton, poser->q, poser->all);
    double first = sinew_vec3_dot(way, poser->all[leg->def.hip].position), sum = 0.0;
    for (int j = leg->def.hip; j <= leg->def.ankle; ++j) {
        if (!sinew_skeleton_is_ancestor(poser->body->skeleton, j, leg->def.ankle)) { continue; }
        sum += sinew_vec3_dot(way, poser->all[j].position) - first;
    }
    return sum;
}

// where the tip of a leg stands below its first joint, as far aside as at rest
static sinew_Vec3 tip_below(const snw_WalkLegBody *leg, double height)
{
    return sinew_vec3(leg->tip_rest.x, -height, leg->hip.z);
}

// A leg with its tip there, from a pose bent by an angle; *out_reached: whether it gets there.
static sinew_Status bend_leg(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    sinew_Vec3 tip, double angle, bool *out_reached, sinew_Message *message)
{
    sinew_SolveOptions robust = sinew_solve_options_default(SINEW_METHOD_AUTO);
    take_leg(poser->body->skeleton, leg, poser->rest, poser->q);
    // the closed form of two balls does not ask where the knee was bent to
    if (bend_from_rest(poser, leg, angle)) { robust.branch = SINEW_BRANCH_KEPT; }
    sinew_Goal goal = sinew_goal_position(leg->def.ankle, place_of(poser, tip));
    goal.chain_root = leg->def.hip;
    sinew_Report report;
    sinew_Status status = sinew_solver_solve(
        poser->solvers[limb], &robust, &goal, 1, poser->q, &report, message);
    *out_reached = status == SINEW_STATUS_OK
        && report.position_error <= SNW_REACH_MET * leg->length;
    return status;
}

// Which way all legs bend to stand on one height, their knees behind where they can choose; *out_reached: whether all do.
static sinew_Status choose_bends(snw_WalkPoser *poser, double height, double angles[SINEW_MAX_LEGS],
    bool *out_reached, sinew_Message *message)
{
    *out_reached = true;
    for (int i = 0; i < poser->body->leg_count && *out_reached; ++i) {
        const snw_WalkLegBody *leg = &poser->body->legs[i];
        double most_behind = (double)INFINITY;
        *out_reached = false;
        for (int side = -1; side <= 1; side += 2) {
            bool reached = false;
            sinew_Status status = bend_leg(
                poser, leg, i, tip_below(leg, height), side * FIRST_BEND, &reached, message);
            if (status != SINEW_STATUS_OK) { return status; }
            double ahead = ahead_of_first(poser, leg);
            if (!reached || ahead >= most_behind) { continue; }
            most_behind = ahead;
            angles[i] = side * FIRST_BEND;
            *out_reached = true;
        }
    }
    return SINEW_STATUS_OK;
}

// Legs that their rest pose leaves too little room stand anew, bent, as high as all of them get. Robots have legs
// straight, or joints at an end, where all is zero: nothing that goes on from such a pose gets far.
static sinew_Status stand_bent(snw_WalkPoser *poser, snw_WalkBody *body, sinew_Message *message)
{
    const double length = body->length;
    double angles[SINEW_MAX_LEGS], height = BENT * length;
    bool is_reached = false;
    memcpy(poser->q, poser->rest,
        (size_t)sinew_skeleton_coordinate_count(body->skeleton) * sizeof *poser->q);
    sinew_pose_forward(body->skeleton, poser->rest, poser->all);
    for (; height > LEAST_BENT * length; height -= BENT_STEP * length) {
        sinew_Status status = choose_bends(poser, height, angles, &is_reached, message);
        if (status != SINEW_STATUS_OK) { return status; }
        if (is_reached) { break; }
    }
    if (!is_reached) { return SINEW_STATUS_OK; }
    for (int i = 0; i < body->leg_count; ++i) {
        snw_WalkLegBody *leg = &body->legs[i];
        leg->tip_rest = tip_below(leg, height);
        sinew_Status status = bend_leg(
            poser, leg, i, leg->tip_rest, angles[i], &is_reached, message);
        if (status != SINEW_STATUS_OK) { return status; }
        take_leg(body->skeleton, leg, poser->q, poser->rest);
    }
    body->ride_height = height;
    snw_walk_body_stand(body);
    return measure_legs(poser, body, message);
}

// whether legs have too little room where the file, not the caller, has their tips
static bool wants_to_stand_anew(const snw_WalkBody *body)
{
    for (int i = 0; i < body->leg_count; ++i) {
        if (body->legs[i].is_placed) { return false; }
    }
    return least_room(body, body->crouch) < LEAST_ROOM;
}

sinew_Status snw_tips_measure(snw_WalkPoser *poser, snw_WalkBody *body, sinew_Message *message)
{
    for (int i = 0; i < body->leg_count; ++i) { stiffen(poser, &body->legs[i], i); }
    sinew_Status status = measure_legs(poser, body, message);
    if (status == SINEW_STATUS_OK && wants_to_stand_anew(body)) {
        status = stand_bent(poser, body, message);
    }
    body->most_rise = -farthest_with_room(body, -MOST_RIDE);
    body->most_stoop = farthest_with_room(body, MOST_STOOP);
    choose_climb(body);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Frame by frame

// Once more, all other joints from rest, near where the reach was measured from. Kept only where it ends much nearer:
// another pose for the same place is a jolt.
static sinew_Status solve_from_rest(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const sinew_Goal *goal, sinew_Report *report, sinew_Message *message)
{
    const sinew_Joint *joints = sinew_skeleton_joints(poser->body->skeleton);
    const sinew_Joint *first = &joints[leg->def.hip], *last = &joints[leg->def.ankle];
    double kept[MOST_COORDINATES], *q = &poser->q[first->coordinate_start];
    int count = last->coordinate_start + last->coordinate_count - first->coordinate_start;
    if (count > MOST_COORDINATES) { return SINEW_STATUS_OK; }
    size_t size = (size_t)count * sizeof *kept;
    memcpy(kept, q, size);
    relax(poser, leg, goal->position, 1.0);
    sinew_Report again;
    sinew_Status status = sinew_solver_solve(
        poser->solvers[limb], &poser->options, goal, 1, poser->q, &again, message);
    if (status == SINEW_STATUS_OK && again.position_error < 0.5 * report->position_error) {
        *report = again;
    } else {
        memcpy(q, kept, size);
    }
    return status;
}

sinew_Status snw_tip_solve(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    snw_WalkFootTarget *foot, sinew_Message *message)
{
    sinew_WalkerLeg *told = &foot->told;
    sinew_Goal *goal = &poser->goals[poser->goal_count];
    *goal = sinew_goal_position(leg->def.ankle, foot->foot.position);
    goal->chain_root = leg->def.hip;
    told->goal_start = poser->goal_count++;
    told->goal_count = 1;
    told->solve_count = 1;
    ++poser->solve_count;
    sinew_Report report;
    sinew_Status status = SINEW_STATUS_OK;
    const double dt = poser->is_first ? 1.0 / 60.0 : poser->frame_time;
    for (int round = poser->is_first ? FIRST_ROUNDS : 1; round > 0 && status == SINEW_STATUS_OK;
         --round) {
        relax(poser, leg, foot->foot.position, snw_follow(dt, RELAX_TIME));
        status = sinew_solver_solve(
            poser->solvers[limb], &poser->options, goal, 1, poser->q, &report, message);
    }
    if (status == SINEW_STATUS_OK && report.position_error > STUCK * leg->length) {
        status = solve_from_rest(poser, leg, limb, goal, &report, message);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    told->position_error = report.position_error;
    told->orientation_error = 0.0;
    told->iterations = report.iterations;
    told->halvings = report.halvings;
    told->is_met = report.outcome == SINEW_OUTCOME_CONVERGED;
    return SINEW_STATUS_OK;
}
