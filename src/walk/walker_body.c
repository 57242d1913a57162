// What a walker needs to know of a skeleton: the neutral pose, sizes of legs and soles, which joints
// turn with which part of the body.

#include "walk/walk.h"

#include "base/memory.h"
#include "base/message.h"
#include "body/hips.h"
#include "body/stance.h"
#include "math/trig.h"
#include "walk/gait.h"
#include "walk/joint_range.h"
#include "walk/leg_form.h"

#include <string.h>

// Sizes of feet that a file does not show, shares of thigh + shank; Drillis and Contini (1966).
#define HEEL_SHARE 0.066
#define BALL_SHARE 0.174
#define TIP_SHARE 0.264
#define ANKLE_SHARE 0.080
// An ankle lower than this over the lowest point of its foot is no ankle of a foot with flesh.
#define LEAST_ANKLE_SHARE 0.045
#define SOLE_WIDTH_SHARE 0.042
// Feet of rest poses that point farther aside than this are left so, radians.
#define MOST_TOE_OUT 0.8
// Knees that bend less are stiff: a swing on level ground bends them by some 70 degrees. Room before their end.
#define STIFF_KNEE (95.0 * SNW_DEGREE)
#define KNEE_MARGIN (1.0 * SNW_DEGREE)
// How far the root keeps off what cannot be walked, at legs of 0.9 m: along feet that walk ahead, and across them; what
// the way leads past by more is not on it; and how far it is looked at least. Off all joints of a body on tips.
#define KEEP_AHEAD 0.34
#define KEEP_ASIDE 0.22
#define PASS_BY 0.26
#define NEAR 0.6
#define KEEP_TIPS 0.2
// Tips so near to the lowest stand on one floor, shares of the body's height: at first, and of who is no person at most.
#define ON_FLOOR 0.05
#define FARTHEST_FLOOR 0.2
// Legs that are as long walk, metres: of shorter ones joints turn by more than half a radian in a frame, and responses
// are too slow for their steps; in longer ones a game's response is too quick.
#define SHORTEST 0.08
#define LONGEST 10.0
// Axes of joints in a row that pass a point by less than this meet there, metres.
#define MEETS 1e-6
// The outside of a thigh from the middle of the body, half hip widths, with what people keep off it (recorded walks: 0 to 0.04 m).
// Half a hand, and how far forearms hang inwards, of the forearm. Upper arms are put no farther out than this, radians.
#define THIGH_WIDTH 2.04
#define HAND_WIDTH 0.17
#define MOST_HANG 0.6

/// Everything while measuring.
typedef struct Measure {
    const sinew_WalkerDef *def;
    snw_StanceBody rig;
    sinew_Quat world;      // walker from the skeleton's own directions
    sinew_Transform *pose; // neutral, walker's directions, root joint at the origin   (joint_count)
    sinew_Quat *turns; // of feet and toes: made to point ahead                     (joint_count)
    int *first;  // of joints in a row that turn as one: the uppermost            (joint_count)
    int *hinges; // of these down to here; 0: no row goes on here                 (joint_count)
    int *inner;  // the next one of the row, 0: the last                          (joint_count)
    double *q;
    snw_WalkBody *body;
    sinew_Message *message;
} Measure;

static sinew_Status fail(const Measure *m, const char *what)
{
    return snw_fail(m->message, SINEW_STATUS_INVALID_ARGUMENT, "%s", what);
}

// ---------------------------------------------------------------------------------------------
// The neutral pose

static void take_arrays(snw_Arena *arena, Measure *m)
{
    size_t count = (size_t)m->rig.count;
    m->rig.next = snw_arena_take(arena, count, sizeof *m->rig.next);
    m->rig.neutral = snw_arena_take(arena, count, sizeof *m->rig.neutral);
    m->pose = snw_arena_take(arena, count, sizeof *m->pose);
    m->turns = snw_arena_take(arena, count, sizeof *m->turns);
    m->first = snw_arena_take(arena, count, sizeof *m->first);
    m->hinges = snw_arena_take(arena, count, sizeof *m->hinges);
    m->inner = snw_arena_take(arena, count, sizeof *m->inner);
    m->q = snw_arena_take(
        arena, (size_t)sinew_skeleton_coordinate_count(m->rig.skeleton), sizeof *m->q);
}

// places of all joints when each is turned as neutral says
static void place_neutral(Measure *m)
{
    const snw_StanceBody *rig = &m->rig;
    for (int j = 0; j < rig->count; ++j) {
        int p = rig->joints[j].parent;
        m->pose[j].rotation = sinew_quat_normalize(
            sinew_quat_mul(m->turns[j], sinew_quat_mul(m->world, rig->neutral[j])));
        if (p < 0) {
            m->pose[j].position = sinew_vec3(0.0, 0.0, 0.0);
            continue;
        }
        sinew_Vec3 apart = sinew_vec3_sub(rig->look[j].position, rig->look[p].position);
        sinew_Vec3 offset = sinew_quat_rotate(sinew_quat_conjugate(rig->look[p].rotation), apart);
        m->pose[j].position = sinew_transform_point(m->pose[p], offset);
    }
}

// the body of the stance, with arrays of our own where they change
static void take_body(Measure *m, const snw_StanceBody *stance)
{
    snw_StanceBody *rig = &m->rig, own = *rig;
    *rig = *stance;
    // limits are those of the skeleton that walks
    rig->skeleton = own.skeleton;
    rig->joints = sinew_skeleton_joints(own.skeleton);
    rig->next = own.next;
    rig->neutral = own.neutral;
    sinew_pose_rest(rig->skeleton, m->q);
    // columns of the matrix are the body's directions
    sinew_Mat3 skeleton_from_walker = { rig->left, rig->up, rig->forward };
    m->world = sinew_quat_conjugate(sinew_quat_from_mat3(skeleton_from_walker));
    m->body->walker_from_skeleton = m->world;
    for (int j = 0; j < rig->count; ++j) {
        m->turns[j] = sinew_quat_identity();
        rig->neutral[j] = rig->look[j].rotation;
    }
    place_neutral(m);
}

// ---------------------------------------------------------------------------------------------
// Joints in a row that turn as one: robots have a hinge where people have a ball

static bool is_one_part(const sinew_JointRole *a, const sinew_JointRole *b)
{
    bool is_trunk = a->role == SINEW_ROLE_SPINE || a->role == SINEW_ROLE_CHEST;
    if (is_trunk) { return b->role == SINEW_ROLE_SPINE || b->role == SINEW_ROLE_CHEST; }
    switch (a->role) {
    case SINEW_ROLE_THIGH:
    case SINEW_ROLE_FOOT:
    case SINEW_ROLE_UPPERARM:
    case SINEW_ROLE_HAND:
    case SINEW_ROLE_NECK:
    case SINEW_ROLE_HEAD: return a->role == b->role && a->side == b->side;
    default: return false;
    }
}

// how many axes a joint has where all of them are hinges that move, else 0
static int count_hinges(const sinew_Skeleton *skeleton, const sinew_Joint *joint)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
        if (axes[a].kind != SINEW_AXIS_HINGE || !(axes[a].mobility > 0.0)) { return 0; }
    }
    return joint->axis_count;
}

static void find_rows(Measure *m)
{
    const snw_StanceBody *rig = &m->rig;
    for (int j = 0; j < rig->count; ++j) {
        int p = rig->joints[j].parent, own = count_hinges(rig->skeleton, &rig->joints[j]);
        m->first[j] = j;
        m->hinges[j] = own;
        m->inner[j] = 0;
        bool goes_on = p > 0 && own > 0 && m->hinges[p] > 0 && m->inner[p] == 0
            && own + m->hinges[p] <= 3 && is_one_part(&rig->roles[p], &rig->roles[j]);
        if (!goes_on) { continue; }
        m->first[j] = m->first[p];
        m->hinges[j] += m->hinges[p];
        m->inner[p] = j;
    }
}

static int end_of_row(const Measure *m, int joint)
{
    while (joint >= 0 && m->inner[joint] > 0) { joint = m->inner[joint]; }
    return joint;
}

static sinew_Vec3 hinge_in_world(const Measure *m, const sinew_Axis *axis, int joint)
{
    return sinew_quat_rotate(m->pose[joint].rotation, axis->direction);
}

// The point that a row of joints turns about, nearest to all of their axes: the mean of where it is nearest to on
// each, again and again. With axes at right angles it is a third as far off after each round.
static sinew_Vec3 center_of_row(const Measure *m, int last)
{
    enum { ROUNDS = 40 };
    const sinew_Axis *axes = sinew_skeleton_axes(m->rig.skeleton);
    sinew_Vec3 at = m->pose[last].position;
    for (int round = 0; m->first[last] != last && round < ROUNDS; ++round) {
        sinew_Vec3 off = { 0.0, 0.0, 0.0 };
        for (int j = m->first[last]; j > 0; j = m->inner[j]) {
            const sinew_Joint *joint = &m->rig.joints[j];
            for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
                sinew_Vec3 d = hinge_in_world(m, &axes[a], j);
                sinew_Vec3 apart = sinew_vec3_sub(m->pose[j].position, at);
                apart = sinew_vec3_add_scaled(apart, d, -sinew_vec3_dot(d, apart));
                off = sinew_vec3_add_scaled(off, apart, 1.0 / m->hinges[last]);
            }
        }
        at = sinew_vec3_add(at, off);
    }
    return at;
}

// the farthest that an axis of a row passes a point
static double off_row(const Measure *m, int last, sinew_Vec3 point)
{
    const sinew_Axis *axes = sinew_skeleton_axes(m->rig.skeleton);
    double off = 0.0;
    for (int j = m->first[last]; j > 0; j = m->inner[j]) {
        const sinew_Joint *joint = &m->rig.joints[j];
        sinew_Vec3 apart = sinew_vec3_sub(m->pose[j].position, point);
        for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
            sinew_Vec3 across = sinew_vec3_cross(hinge_in_world(m, &axes[a], j), apart);
            off = snw_max(off, sinew_vec3_length(across));
        }
    }
    return off;
}

// ---------------------------------------------------------------------------------------------
// Legs

static bool is_below(const snw_StanceBody *rig, int joint, int above)
{
    return joint > above && joint < above + rig->joints[above].subtree_count;
}

static int find_below(const snw_StanceBody *rig, int above, sinew_Role role, sinew_Side side)
{
    for (int j = above + 1; j < above + rig->joints[above].subtree_count; ++j) {
        if (rig->roles[j].role == role && rig->roles[j].side == side) { return j; }
    }
    return -1;
}

// Legs of a rest pose where all angles are 0, as in the file of a motion, hang straight and end at several heights. Of
// a person that would be hands beside feet.
static int find_tips(const Measure *m, sinew_LegDef found[SINEW_MAX_LEGS])
{
    double floor = ON_FLOOR;
    int count = snw_legs_by_shape(m->rig.skeleton, m->pose, floor, found);
    while (count == 0 && !m->rig.is_person && floor < FARTHEST_FLOOR) {
        floor *= 2.0;
        count = snw_legs_by_shape(m->rig.skeleton, m->pose, floor, found);
    }
    return count;
}

static sinew_Status find_legs(Measure *m)
{
    snw_WalkBody *body = m->body;
    int tips = 0;
    for (int i = 0; i < SINEW_MAX_LEGS; ++i) { body->legs[i].gait = &snw_gait_numbers; }
    if (m->def->leg_count > 0) {
        body->leg_count = m->def->leg_count;
        for (int i = 0; i < body->leg_count; ++i) {
            body->legs[i].def = m->def->legs[i];
            tips += body->legs[i].def.is_tip ? 1 : 0;
        }
        body->on_tips = tips > 0 || body->leg_count > 2;
        if (body->on_tips && tips < body->leg_count) {
            return fail(m, "legs that are no tips: want two of them and no others");
        }
        body->leg_gait = snw_leg_gait_of_phases(m->def->legs, body->leg_count);
        return SINEW_STATUS_OK;
    }
    sinew_LegDef found[SINEW_MAX_LEGS];
    body->leg_count = find_tips(m, found);
    if (body->leg_count > 0) {
        body->on_tips = true;
        body->leg_gait = snw_leg_gait_of_pairs(body->leg_count);
        for (int i = 0; i < body->leg_count; ++i) {
            body->legs[i].def = found[i];
            double phase = body->leg_gait.rows[0].phase[i];
            body->legs[i].def.phase = phase - floor(phase);
        }
        return SINEW_STATUS_OK;
    }
    if (!m->rig.is_person && snw_body_find(&m->rig, SINEW_ROLE_THIGH, SINEW_SIDE_LEFT, -1) >= 0) {
        return fail(
            m, "a quadruped whose rest pose stands on no pairs of legs that are alike: want legs");
    }
    body->leg_count = 2;
    for (int i = 0; i < 2; ++i) {
        sinew_Side side = i == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        sinew_LegDef *leg = &body->legs[i].def;
        leg->side = side;
        leg->phase = 0.5 * i;
        leg->hip = snw_body_find(&m->rig, SINEW_ROLE_THIGH, side, -1);
        leg->knee = leg->hip >= 0 ? find_below(&m->rig, leg->hip, SINEW_ROLE_SHIN, side) : -1;
        leg->ankle = leg->knee >= 0 ? find_below(&m->rig, leg->knee, SINEW_ROLE_FOOT, side) : -1;
        if (leg->ankle < 0) {
            return fail(m,
                i == 0 ? "no left leg: want joints with the roles thigh_l, shin_l, foot_l"
                       : "no right leg: want joints with the roles thigh_r, shin_r, foot_r");
        }
        leg->ankle = end_of_row(m, leg->ankle);
        leg->toe = find_below(&m->rig, leg->ankle, SINEW_ROLE_TOE, side);
        // toes that cannot move are a part of the foot
        if (leg->toe >= 0 && m->rig.joints[leg->toe].dof_count == 0) { leg->toe = -1; }
    }
    return SINEW_STATUS_OK;
}

// Turn thigh and shank about the vertical until the knee bends straight ahead. Limits may say that it bends
// askew of what the rest pose shows: they were guessed from a motion.
static void straighten_knee(Measure *m, const sinew_LegDef *leg)
{
    double yaw = snw_knee_yaw(m->rig.skeleton, m->pose, leg->knee, m->q);
    if (yaw == 0.0) { return; }
    sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), -yaw);
    for (int j = leg->hip; j == leg->hip || is_below(&m->rig, j, leg->hip); ++j) {
        if (j != leg->ankle && !is_below(&m->rig, j, leg->ankle)) { m->turns[j] = turn; }
    }
    place_neutral(m);
}

// turn foot and toes about the vertical until they point ahead, so that headings of feet are theirs
static void straighten_foot(Measure *m, const sinew_LegDef *leg)
{
    const snw_StanceBody *rig = &m->rig;
    int front = leg->toe;
    // what hangs on feet of robots are sensors anywhere; they point ahead by themselves
    if (m->first[leg->ankle] != leg->ankle) { return; }
    for (int j = leg->ankle + 1; front < 0 && is_below(rig, j, leg->ankle); ++j) {
        if (m->pose[j].position.z > m->pose[leg->ankle].position.z + 0.01) { front = j; }
    }
    if (front < 0) { return; }
    sinew_Vec3 way = sinew_vec3_sub(m->pose[front].position, m->pose[leg->ankle].position);
    double yaw = sinew_atan2(way.x, way.z);
    if (fabs(yaw) > MOST_TOE_OUT) { return; }
    sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), -yaw);
    for (int j = leg->ankle; j == leg->ankle || is_below(rig, j, leg->ankle); ++j) {
        m->turns[j] = turn;
    }
    place_neutral(m);
}

static void add_sole_point(
    snw_WalkLegBody *leg, const sinew_Transform *world, int joint, sinew_Vec3 at, unsigned planted)
{
    sinew_Transform joint_from_world = sinew_transform_inverse(world[joint]);
    double widths = planted == SINEW_PLANTED_HEEL ? leg->heel_width : leg->ball_width;
    for (int side = 0; side <= (widths > 0.0 ? 2 : 0); ++side) {
        sinew_SolePoint *point = &leg->sole.points[leg->sole.point_count++];
        sinew_Vec3 beside = at;
        beside.x += side == 0 ? 0.0 : (side == 1 ? widths : -widths);
        point->joint = joint;
        point->offset = sinew_transform_point(joint_from_world, beside);
        point->planted = planted;
        point->is_edge = side != 0;
    }
}

// How far the joints and ends of a foot go down, back and ahead of its ankle.
typedef struct FootReach {
    double down, back, front;
    double share; ///< down, by the length of the leg's bones
} FootReach;

static FootReach reach_of_foot(const Measure *m, const snw_WalkLegBody *leg)
{
    FootReach reach = { 0.0, 0.0, 0.0, 0.0 };
    int foot = leg->def.ankle;
    // ends of bones that are farther than a foot is long are garbage
    double bones = sinew_skeleton_chain_length(m->rig.skeleton, leg->def.hip, foot);
    double far = 0.45 * bones;
    for (int j = foot + 1; is_below(&m->rig, j, foot); ++j) {
        sinew_Vec3 at = sinew_vec3_sub(m->pose[j].position, m->pose[foot].position);
        if (sinew_vec3_length(at) > far) { continue; }
        reach.down = snw_max(reach.down, -at.y);
        reach.back = snw_min(reach.back, at.z);
        reach.front = snw_max(reach.front, at.z);
    }
    reach.share = bones > 0.0 ? reach.down / bones : 0.0;
    return reach;
}

static void measure_sole(Measure *m, snw_WalkLegBody *leg)
{
    const sinew_LegDef *def = &leg->def;
    double bones = leg->thigh + leg->shank, deepest = 0.0;
    sinew_Vec3 ankle = m->pose[def->ankle].position;
    FootReach own = reach_of_foot(m, leg);
    double back = own.back, front = own.front;
    // both feet of a body are believed, or neither: else it stands on two heights
    for (int i = 0; i < m->body->leg_count; ++i) {
        deepest = snw_max(deepest, reach_of_foot(m, &m->body->legs[i]).share);
    }
    leg->ankle_height = deepest < LEAST_ANKLE_SHARE ? ANKLE_SHARE * bones : own.down;
    leg->heel = back < -0.02 * bones ? back : -HEEL_SHARE * bones;
    leg->ball = BALL_SHARE * bones;
    leg->tip = front;
    if (def->toe >= 0) {
        leg->toe_joint = sinew_vec3_sub(m->pose[def->toe].position, ankle);
        leg->ball = leg->toe_joint.z;
        if (leg->ball < 0.06 * bones) { leg->ball = BALL_SHARE * bones; }
        double least = leg->ball + 0.03 * bones;
        if (leg->tip < least) { leg->tip = leg->ball + (TIP_SHARE - BALL_SHARE) * bones; }
        leg->toe_height = leg->toe_joint.y + leg->ankle_height;
    } else {
        // without a joint the foot rolls over the end that the file has, or a ball of usual size
        if (leg->tip < 0.08 * bones) { leg->tip = BALL_SHARE * bones; }
        leg->ball = leg->tip;
        leg->toe_joint = sinew_vec3(0.0, -leg->ankle_height, leg->ball);
        leg->toe_height = 0.0;
    }
    leg->ball_width = SOLE_WIDTH_SHARE * bones;
    leg->heel_width = leg->ball_width; // a rectangle, so that it can stand on its edge

    double floor_y = ankle.y - leg->ankle_height;
    int toe = def->toe >= 0 ? def->toe : def->ankle;
    sinew_Vec3 heel = { ankle.x, floor_y, ankle.z + leg->heel };
    sinew_Vec3 ball = { ankle.x + leg->toe_joint.x, floor_y, ankle.z + leg->ball };
    sinew_Vec3 tip = { ankle.x + leg->toe_joint.x, floor_y, ankle.z + leg->tip };
    add_sole_point(leg, m->pose, def->ankle, heel, SINEW_PLANTED_HEEL);
    add_sole_point(leg, m->pose, toe, ball, SINEW_PLANTED_BALL);
    add_sole_point(leg, m->pose, toe, tip, SINEW_PLANTED_TOE);
}

static void measure_tip(Measure *m, snw_WalkLegBody *leg)
{
    leg->sole.point_count = 0;
    add_sole_point(
        leg, m->pose, leg->def.ankle, m->pose[leg->def.ankle].position, SINEW_PLANTED_TOE);
}

static sinew_Status measure_leg(Measure *m, snw_WalkLegBody *leg)
{
    const sinew_LegDef *def = &leg->def;
    int last = end_of_row(m, def->hip);
    sinew_Vec3 hip = center_of_row(m, last), ankle = m->pose[def->ankle].position;
    leg->hip = hip;
    leg->is_exact = off_row(m, last, hip) < MEETS && off_row(m, def->ankle, ankle) < MEETS;
    if (def->is_tip) {
        leg->length = sinew_skeleton_chain_length(m->rig.skeleton, def->hip, def->ankle);
        measure_tip(m, leg);
        return SINEW_STATUS_OK;
    }
    sinew_Vec3 knee = m->pose[def->knee].position;
    leg->thigh = sinew_vec3_distance(hip, knee);
    leg->shank = sinew_vec3_distance(knee, ankle);
    if (!(leg->thigh > 1e-3) || !(leg->shank > 1e-3)) {
        return fail(m, "a leg without length, want thigh and shin longer than 1 mm");
    }
    straighten_knee(m, def);
    straighten_foot(m, def);
    measure_sole(m, leg);
    leg->length = leg->thigh + leg->shank + leg->ankle_height;
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Joints that move

static double spine_share(const Measure *m, int joint, int from, int to)
{
    double whole = sinew_skeleton_chain_length(m->rig.skeleton, from, to);
    if (joint == to || !(whole > 1e-9)) { return 1.0; }
    return sinew_skeleton_chain_length(m->rig.skeleton, from, joint) / whole;
}

static void choose_part(Measure *m, int j, snw_WalkJoint *entry)
{
    const snw_StanceBody *rig = &m->rig;
    const sinew_JointRole *role = &rig->roles[j];
    int hips = snw_body_find(rig, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1);
    int chest = snw_body_find(rig, SINEW_ROLE_CHEST, SINEW_SIDE_NONE, -1);
    int head = end_of_row(m, snw_body_find(rig, SINEW_ROLE_HEAD, SINEW_SIDE_NONE, -1));
    if (chest < 0) { chest = snw_body_find(rig, SINEW_ROLE_SPINE, SINEW_SIDE_NONE, -1); }
    chest = end_of_row(m, chest);
    entry->limb = role->side == SINEW_SIDE_RIGHT ? 1 : 0;
    switch (role->role) {
    case SINEW_ROLE_SPINE:
    case SINEW_ROLE_CHEST:
        if (hips < 0 || chest < 0 || !sinew_skeleton_is_ancestor(rig->skeleton, j, chest)
            || rig->joints[j].parent < 0) {
            return;
        }
        entry->part = SNW_PART_TRUNK;
        entry->share = spine_share(m, j, hips, chest);
        return;
    case SINEW_ROLE_NECK:
    case SINEW_ROLE_HEAD:
        if (chest < 0 || head < 0 || !sinew_skeleton_is_ancestor(rig->skeleton, j, head)) {
            return;
        }
        entry->part = SNW_PART_NECK;
        entry->share = spine_share(m, j, chest, head);
        return;
    case SINEW_ROLE_CLAVICLE: entry->part = SNW_PART_CLAVICLE; return;
    case SINEW_ROLE_UPPERARM: entry->part = SNW_PART_ARM_UPPER; return;
    case SINEW_ROLE_FOREARM: entry->part = SNW_PART_ARM_LOWER; return;
    case SINEW_ROLE_HAND: entry->part = SNW_PART_ARM_HAND; return;
    default: return;
    }
}

static void choose_leg_part(Measure *m, int j, snw_WalkJoint *entry)
{
    for (int i = 0; i < m->body->leg_count; ++i) {
        snw_WalkLegBody *leg = &m->body->legs[i];
        if (leg->def.is_tip) { continue; }
        snw_LegPart part = SNW_PART_STILL;
        if (j == end_of_row(m, leg->def.hip)) { part = SNW_PART_LEG_UPPER; }
        if (j == leg->def.knee) { part = SNW_PART_LEG_LOWER; }
        if (j == leg->def.ankle) { part = SNW_PART_LEG_FOOT; }
        if (j == leg->def.toe) { part = SNW_PART_LEG_TOE; }
        if (part == SNW_PART_STILL) { continue; }
        entry->part = part;
        entry->limb = i;
    }
}

// The joint that goes with the hips: the root, or hips that are free of it, as bodies of games have them.
static int find_carrier(const Measure *m)
{
    int hips = snw_body_find(&m->rig, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1);
    bool is_free = !m->body->on_tips && snw_hips_are_free(m->rig.skeleton, m->rig.roles, hips);
    for (int i = 0; i < m->body->leg_count && is_free; ++i) {
        is_free = is_below(&m->rig, m->body->legs[i].def.hip, hips);
    }
    return is_free ? hips : 0;
}

// the joints that turn, and all that carry one
static void list_joints(Measure *m)
{
    snw_WalkBody *body = m->body;
    const snw_StanceBody *rig = &m->rig;
    int carrier = find_carrier(m);
    body->joint_count = 0;
    for (int j = 0; j < rig->count; ++j) {
        snw_WalkJoint entry = { .joint = j, .parent = -1, .part = SNW_PART_STILL, .share = 1.0 };
        choose_part(m, j, &entry);
        // arms of a body on tips are legs
        bool is_arm = entry.part >= SNW_PART_CLAVICLE && entry.part <= SNW_PART_ARM_HAND;
        if (body->on_tips && is_arm) { entry.part = SNW_PART_STILL; }
        choose_leg_part(m, j, &entry);
        if (j == carrier) { entry.part = SNW_PART_ROOT; }
        // all are kept at first; those that carry nothing go below
        entry.neutral = m->pose[j].rotation;
        entry.first = m->first[j];
        entry.set = snw_joint_set(rig->skeleton, m->first[j], j);
        body->joints[j] = entry;
    }
    // whether a joint or anything below it turns, from the leaves up
    for (int j = 0; j < rig->count; ++j) { rig->next[j] = body->joints[j].part != SNW_PART_STILL; }
    for (int j = rig->count - 1; j > 0; --j) {
        int p = rig->joints[j].parent;
        if (p >= 0 && rig->next[j]) { rig->next[p] = 1; }
    }
    // of each joint its place in the short list; written over flags that are not needed any more
    for (int j = 0; j < rig->count; ++j) {
        int p = rig->joints[j].parent;
        if (!rig->next[j] || m->inner[j] > 0) {
            // what hangs in the middle of a row hangs on what that hangs on
            rig->next[j] = rig->next[j] && p >= 0 ? rig->next[p] : -1;
            continue;
        }
        snw_WalkJoint entry = body->joints[j];
        entry.parent = p >= 0 ? rig->next[p] : -1;
        if (p >= 0) {
            int on = body->joints[entry.parent].joint;
            sinew_Vec3 apart = sinew_vec3_sub(center_of_row(m, j), center_of_row(m, on));
            entry.offset = sinew_quat_rotate(sinew_quat_conjugate(m->pose[on].rotation), apart);
        }
        entry.is_end = entry.part < SNW_PART_LEG_UPPER;
        if (entry.parent >= 0) { body->joints[entry.parent].is_end = false; }
        rig->next[j] = body->joint_count;
        body->joints[body->joint_count++] = entry;
    }
    for (int i = body->joint_count - 1; i >= 0; --i) {
        snw_WalkJoint *entry = &body->joints[i];
        entry->bears_leg = entry->bears_leg || entry->part >= SNW_PART_LEG_UPPER;
        if (entry->bears_leg && entry->parent >= 0) {
            body->joints[entry->parent].bears_leg = true;
        }
    }
    body->carrier = rig->next[carrier];
    sinew_Transform rest = sinew_pose_local(rig->skeleton, m->q, body->joints[0].joint);
    body->root_rest.rotation = sinew_quat_mul(m->world, rest.rotation);
    body->root_rest.position = sinew_quat_rotate(m->world, rest.position);
    for (int i = 0; i < body->leg_count; ++i) {
        snw_WalkLegBody *leg = &body->legs[i];
        leg->hip_entry = rig->next[end_of_row(m, leg->def.hip)];
        leg->knee_entry = leg->def.knee >= 0 ? rig->next[leg->def.knee] : -1;
        leg->ankle_entry = rig->next[leg->def.ankle];
        leg->toe_entry = leg->def.toe >= 0 ? rig->next[leg->def.toe] : -1;
    }
}

// ---------------------------------------------------------------------------------------------
// Ranges

static double find_range(Measure *m, int joint, sinew_Vec3 axis, double sign)
{
    int last = end_of_row(m, joint), parent = m->rig.joints[m->first[last]].parent;
    snw_JointSet set = snw_joint_set(m->rig.skeleton, m->first[last], last);
    axis = sinew_vec3_scale(axis, sign);
    return snw_joint_range(
        m->rig.skeleton, &set, m->pose[parent].rotation, m->pose[last].rotation, axis, m->q);
}

static void measure_ranges(Measure *m, snw_WalkLegBody *leg)
{
    if (leg->def.is_tip) { return; }
    const sinew_Vec3 left = { 1.0, 0.0, 0.0 }, up = { 0.0, 1.0, 0.0 }, ahead = { 0.0, 0.0, 1.0 };
    // a turn about X lowers what is in front
    leg->ankle_upper = find_range(m, leg->def.ankle, left, -1.0);
    leg->ankle_lower = -find_range(m, leg->def.ankle, left, 1.0);
    double *middle = leg->ankle_middle, *half = leg->ankle_half;
    sinew_sincos(0.5 * (leg->ankle_upper + leg->ankle_lower), &middle[0], &middle[1]);
    sinew_sincos(0.5 * (leg->ankle_upper - leg->ankle_lower), &half[0], &half[1]);
    leg->roll_upper = snw_max(0.14, find_range(m, leg->def.ankle, ahead, 1.0));
    leg->roll_lower = -snw_max(0.14, find_range(m, leg->def.ankle, ahead, -1.0));
    leg->hip_back = find_range(m, leg->def.hip, left, 1.0);
    sinew_sincos(leg->hip_back, &leg->hip_back_s, &leg->hip_back_c);
    leg->twist_upper = find_range(m, leg->def.hip, up, 1.0);
    leg->twist_lower = -find_range(m, leg->def.hip, up, -1.0);
    leg->knee_upper = find_range(m, leg->def.knee, left, 1.0);
    if (leg->knee_upper < STIFF_KNEE) {
        double s, c;
        sinew_sincos(snw_max(0.0, leg->knee_upper - KNEE_MARGIN), &s, &c);
        leg->folded = sqrt(snw_leg_square(leg, c));
    }
    if (leg->def.toe >= 0) {
        leg->toe_upper = find_range(m, leg->def.toe, left, -1.0);
        leg->toe_lower = -find_range(m, leg->def.toe, left, 1.0);
    }
}

// ---------------------------------------------------------------------------------------------

static sinew_Status check_legs(const Measure *m)
{
    int count = m->rig.count;
    for (int i = 0; i < m->body->leg_count; ++i) {
        const sinew_LegDef *leg = &m->body->legs[i].def;
        bool ok = leg->hip > 0 && leg->hip < count && is_below(&m->rig, leg->ankle, leg->hip)
            && leg->phase >= 0.0 && leg->phase < 1.0 && sinew_vec3_is_finite(leg->foothold);
        if (ok && !leg->is_tip) {
            ok = is_below(&m->rig, leg->knee, leg->hip) && is_below(&m->rig, leg->ankle, leg->knee)
                && (leg->toe < 0 || is_below(&m->rig, leg->toe, leg->ankle));
        }
        for (int k = 0; k < i; ++k) {
            const sinew_LegDef *other = &m->body->legs[k].def;
            ok = ok && other->ankle != leg->ankle && other->hip != leg->hip;
        }
        if (!ok) {
            return snw_fail(m->message, SINEW_STATUS_INVALID_ARGUMENT,
                "legs[%d]: want hip, knee, ankle and toe below each other, of no other leg, phase "
                "in 0..1, a finite foothold",
                i);
        }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_root(const Measure *m)
{
    const snw_WalkJoint *carrier = &m->body->joints[m->body->carrier];
    const sinew_Joint *root = &m->rig.joints[carrier->joint];
    const sinew_Axis *axes = sinew_skeleton_axes(m->rig.skeleton);
    int slides = 0;
    for (int a = root->axis_start; a < root->axis_start + root->axis_count; ++a) {
        slides += axes[a].kind == SINEW_AXIS_SLIDE ? 1 : 0;
    }
    snw_JointKind kind = carrier->set.kind;
    if (slides != 3 || (kind != SNW_JOINT_BALL && kind != SNW_JOINT_THREE)) {
        return snw_fail(m->message, SINEW_STATUS_INVALID_ARGUMENT,
            "root joint '%s' is not free: want three slides and three turns", root->name);
    }
    return SINEW_STATUS_OK;
}

// the leg that stands where this one would in a mirror, -1
static int find_mate(const snw_WalkBody *body, int index)
{
    sinew_Vec3 mirrored = body->legs[index].tip_rest;
    mirrored.x = -mirrored.x;
    for (int i = 0; i < body->leg_count; ++i) {
        double off = sinew_vec3_distance(body->legs[i].tip_rest, mirrored);
        if (i != index && off < 0.2 * body->length) { return i; }
    }
    return -1;
}

void snw_walk_body_stand(snw_WalkBody *body)
{
    double out = 0.0;
    for (int i = 0; i < body->leg_count; ++i) {
        snw_WalkLegBody *leg = &body->legs[i];
        leg->def.foothold = leg->tip_rest;
        leg->def.foothold.y += body->ride_height;
        double dx = leg->tip_rest.x - leg->hip.x, dz = leg->tip_rest.z - leg->hip.z;
        out += sqrt(dx * dx + dz * dz) / body->leg_count;
    }
    body->sprawl = snw_smoothstep(out / snw_max(1e-6, body->ride_height));
    for (int i = 0; i < body->leg_count; ++i) { body->legs[i].mate = find_mate(body, i); }
}

// where tips stand below the body: by the rest pose, or as they were given
static void place_tips(Measure *m)
{
    snw_WalkBody *body = m->body;
    for (int i = 0; i < body->leg_count; ++i) {
        sinew_Vec3 tip = m->pose[body->legs[i].def.ankle].position;
        body->legs[i].tip_rest = sinew_vec3_sub(tip, body->hips_from_root);
        body->ride_height -= body->legs[i].tip_rest.y / body->leg_count;
    }
    for (int i = 0; i < body->leg_count; ++i) {
        snw_WalkLegBody *leg = &body->legs[i];
        const sinew_Vec3 *given = &leg->def.foothold;
        leg->is_placed = given->x != 0.0 || given->y != 0.0 || given->z != 0.0;
        if (leg->is_placed) {
            leg->tip_rest = sinew_vec3(given->x, given->y - body->ride_height, given->z);
        }
    }
    snw_walk_body_stand(body);
}

// A person's feet say how near it comes; of a body on tips nothing at rest comes nearer than this.
static void measure_girth(const Measure *m)
{
    snw_WalkBody *body = m->body;
    snw_Girth *girth = &body->girth;
    const double scale = body->length / SNW_USUAL_LEG;
    girth->length = body->length;
    girth->climb = scale;
    girth->ahead = girth->behind = KEEP_AHEAD;
    girth->aside = KEEP_ASIDE;
    girth->pass_by = PASS_BY;
    girth->near = NEAR;
    for (int j = 0; j < m->rig.count && body->on_tips; ++j) {
        sinew_Vec3 at = sinew_vec3_sub(m->pose[j].position, body->hips_from_root);
        girth->ahead = snw_max(girth->ahead, KEEP_TIPS + at.z / scale);
        girth->behind = snw_max(girth->behind, KEEP_TIPS - at.z / scale);
        girth->aside = snw_max(girth->aside, KEEP_TIPS + fabs(at.x) / scale);
    }
    girth->pass_by += girth->aside - KEEP_ASIDE;
    girth->near += snw_max(girth->ahead, girth->behind) - KEEP_AHEAD;
}

// Hands that hang stay beside the thighs, whose outsides are as far beyond the hip joints as these are apart; that and half a hand.
static void measure_hang(const Measure *m, double middle)
{
    snw_WalkBody *body = m->body;
    sinew_Vec3 joints[3] = { { 0.0, 0.0, 0.0 } }; // of an arm, down to its hand
    for (int i = 0; i < body->joint_count; ++i) {
        const int part = (int)body->joints[i].part - SNW_PART_ARM_UPPER;
        if (part < 0 || part > 2) { continue; }
        joints[part] = m->pose[body->joints[i].joint].position;
        if (part < 2) { continue; }
        const double missing = THIGH_WIDTH * body->hip_width - fabs(joints[0].x - middle)
            + HAND_WIDTH * sinew_vec3_distance(joints[1], joints[2]);
        const double sine = missing / snw_max(1e-6, sinew_vec3_distance(joints[0], joints[1]));
        body->hang = snw_max(body->hang, snw_min(MOST_HANG, sine));
    }
}

static sinew_Status check_stance(const Measure *m, const sinew_Stance *stance)
{
    // a body that is no person stands as its legs were given
    bool is_person = stance->can_stand || stance->notes[0].code != SINEW_STANCE_NO_PERSON;
    if (m->body->on_tips || stance->can_stand || !is_person) { return SINEW_STATUS_OK; }
    return fail(m, stance->notes[0].text.text);
}

// legs of robots stand as the file has them: their hinges turn no farther
static void take_neutral(Measure *m, const snw_StanceBody *standing)
{
    memcpy(m->rig.neutral, standing->neutral, (size_t)m->rig.count * sizeof *m->rig.neutral);
    for (int i = 0; i < m->body->leg_count; ++i) {
        int hip = m->body->legs[i].def.hip;
        if (hip < 0 || m->inner[hip] == 0) { continue; }
        for (int j = hip; j == hip || is_below(&m->rig, j, hip); ++j) {
            m->rig.neutral[j] = standing->look[j].rotation;
        }
    }
}

static sinew_Status measure_all(Measure *m, const sinew_Stance *stance)
{
    snw_WalkBody *body = m->body;
    const snw_StanceBody *standing = snw_stance_body(stance);
    take_body(m, standing);
    find_rows(m);
    sinew_Status status = find_legs(m);
    if (status == SINEW_STATUS_OK) { status = check_legs(m); }
    if (status == SINEW_STATUS_OK) { status = check_stance(m, stance); }
    if (!body->on_tips) {
        take_neutral(m, standing);
        place_neutral(m);
    }
    for (int i = 0; i < body->leg_count && status == SINEW_STATUS_OK; ++i) {
        status = measure_leg(m, &body->legs[i]);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    list_joints(m);
    status = check_root(m);
    if (status != SINEW_STATUS_OK) { return status; }

    sinew_Vec3 middle = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < body->leg_count; ++i) {
        measure_ranges(m, &body->legs[i]);
        middle = sinew_vec3_add_scaled(middle, body->legs[i].hip, 1.0 / body->leg_count);
        body->length += body->legs[i].length / body->leg_count;
    }
    if (!(body->length >= SHORTEST && body->length <= LONGEST)) {
        return snw_fail(m->message, SINEW_STATUS_INVALID_ARGUMENT,
            "its legs are %g m long, want 0.08..10: is the unit of its file right?", body->length);
    }
    body->hips_from_root = sinew_vec3_sub(
        middle, m->pose[body->joints[body->carrier].joint].position);
    for (int i = 0; i < body->leg_count; ++i) {
        body->legs[i].hip = sinew_vec3_sub(body->legs[i].hip, middle);
        body->hip_width += fabs(body->legs[i].hip.x) / body->leg_count;
    }
    if (body->on_tips) { place_tips(m); }
    measure_girth(m);
    measure_hang(m, middle.x);
    return SINEW_STATUS_OK;
}

sinew_Status snw_walk_body_measure(const sinew_WalkerDef *def, const sinew_Stance *stance,
    snw_WalkBody *out_body, sinew_Message *out_message)
{
    Measure m;
    memset(&m, 0, sizeof m);
    m.def = def;
    m.body = out_body;
    m.message = out_message;
    m.rig.skeleton = def->skeleton;
    m.rig.count = sinew_skeleton_joint_count(def->skeleton);
    out_body->skeleton = def->skeleton;

    snw_Arena arena = { NULL, 0 };
    take_arrays(&arena, &m);
    size_t size = arena.used;
    sinew_Allocator allocator = snw_allocator_or_default(&def->allocator);
    void *block = snw_alloc(&allocator, size);
    if (block == NULL) {
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory to measure a body");
    }
    arena = (snw_Arena){ block, 0 };
    take_arrays(&arena, &m);
    sinew_Status status = measure_all(&m, stance);
    snw_free(&allocator, block, size);
    return status;
}
