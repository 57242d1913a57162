// The legs of a body that is measured: which they are, how long, how their soles lie and how far their joints turn.

#include "walk/walker_body.h"

#include "math/trig.h"
#include "walk/gait.h"
#include "walk/joint_range.h"
#include "walk/leg_form.h"

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
// Most that a planted foot may be turned against the body, radians; a thigh that does it alone keeps so much of its range
// for hips that turn.
#define MOST_TWIST 0.7
#define HIP_ROOM 0.06
#define LEAST_TWIST 0.05
// How far hips are past a foot on its outer side at most, shares of its leg: legs hardly cross.
#define MOST_ACROSS 0.12
// Knees that bend less are stiff: a swing on level ground bends them by some 70 degrees. Room before their end.
#define STIFF_KNEE (95.0 * SNW_DEGREE)
#define KNEE_MARGIN (1.0 * SNW_DEGREE)
// Tips so near to the lowest stand on one floor, shares of the body's height: at first, and of who is no person at most.
#define ON_FLOOR 0.05
#define FARTHEST_FLOOR 0.2
// Axes of joints in a row that pass a point by less than this meet there, metres.
#define MEETS 1e-6
// Where they pass it farther off, a leg reaches less far when they turn, by this share: 1 - cos(23 degrees), as far as hips and
// ankles turn in a walk.
#define SHORTENS 0.08

static int find_below(const snw_StanceBody *rig, int above, sinew_Role role, sinew_Side side)
{
    for (int j = above + 1; j < above + rig->joints[above].subtree_count; ++j) {
        if (rig->roles[j].role == role && rig->roles[j].side == side) { return j; }
    }
    return -1;
}

// Legs of a rest pose where all angles are 0, as in the file of a motion, hang straight and end at several heights. Of
// a person that would be hands beside feet.
static int find_tips(const snw_BodyMeasure *m, sinew_LegDef found[SINEW_MAX_LEGS])
{
    double floor = ON_FLOOR;
    int count = snw_legs_by_shape(m->rig.skeleton, m->pose, floor, found);
    while (count == 0 && !m->rig.is_person && floor < FARTHEST_FLOOR) {
        floor *= 2.0;
        count = snw_legs_by_shape(m->rig.skeleton, m->pose, floor, found);
    }
    return count;
}

sinew_Status snw_body_find_legs(snw_BodyMeasure *m)
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
            return snw_body_refuse(m, "legs that are no tips: want two of them and no others");
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
        return snw_body_refuse(
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
            const char *part = leg->hip < 0 ? "thigh" : leg->knee < 0 ? "shin" : "foot";
            return snw_fail(m->message, SINEW_STATUS_INVALID_ARGUMENT,
                "no %s leg: no joint has the role %s_%c", i == 0 ? "left" : "right", part, "lr"[i]);
        }
        leg->ankle = snw_row_end(m, leg->ankle);
        leg->toe = find_below(&m->rig, leg->ankle, SINEW_ROLE_TOE, side);
        // toes that cannot move are a part of the foot
        if (leg->toe >= 0 && m->rig.joints[leg->toe].dof_count == 0) { leg->toe = -1; }
    }
    return SINEW_STATUS_OK;
}

// Turn thigh and shank about the vertical until the knee bends straight ahead. Limits may say that it bends
// askew of what the rest pose shows: they were guessed from a motion.
static void straighten_knee(snw_BodyMeasure *m, const sinew_LegDef *leg)
{
    double yaw = snw_knee_yaw(m->rig.skeleton, m->pose, leg->knee, m->q);
    if (yaw == 0.0) { return; }
    sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), -yaw);
    for (int j = leg->hip; j == leg->hip || snw_body_is_below(&m->rig, j, leg->hip); ++j) {
        if (j != leg->ankle && !snw_body_is_below(&m->rig, j, leg->ankle)) { m->turns[j] = turn; }
    }
    snw_body_place_neutral(m);
}

// turn foot and toes about the vertical until they point ahead, so that headings of feet are theirs
static void straighten_foot(snw_BodyMeasure *m, const sinew_LegDef *leg)
{
    const snw_StanceBody *rig = &m->rig;
    int front = leg->toe;
    // what hangs on feet of robots are sensors anywhere; they point ahead by themselves
    if (m->first[leg->ankle] != leg->ankle) { return; }
    for (int j = leg->ankle + 1; front < 0 && snw_body_is_below(rig, j, leg->ankle); ++j) {
        if (m->pose[j].position.z > m->pose[leg->ankle].position.z + 0.01) { front = j; }
    }
    if (front < 0) { return; }
    sinew_Vec3 way = sinew_vec3_sub(m->pose[front].position, m->pose[leg->ankle].position);
    double yaw = sinew_atan2(way.x, way.z);
    if (fabs(yaw) > MOST_TOE_OUT) { return; }
    sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), -yaw);
    for (int j = leg->ankle; j == leg->ankle || snw_body_is_below(rig, j, leg->ankle); ++j) {
        m->turns[j] = turn;
    }
    snw_body_place_neutral(m);
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

static FootReach reach_of_foot(const snw_BodyMeasure *m, const snw_WalkLegBody *leg)
{
    FootReach reach = { 0.0, 0.0, 0.0, 0.0 };
    int foot = leg->def.ankle;
    // ends of bones that are farther than a foot is long are garbage
    double bones = sinew_skeleton_chain_length(m->rig.skeleton, leg->def.hip, foot);
    double far = 0.45 * bones;
    for (int j = foot + 1; snw_body_is_below(&m->rig, j, foot); ++j) {
        sinew_Vec3 at = sinew_vec3_sub(m->pose[j].position, m->pose[foot].position);
        if (sinew_vec3_length(at) > far) { continue; }
        reach.down = snw_max(reach.down, -at.y);
        reach.back = snw_min(reach.back, at.z);
        reach.front = snw_max(reach.front, at.z);
    }
    reach.share = bones > 0.0 ? reach.down / bones : 0.0;
    return reach;
}

static void measure_sole(snw_BodyMeasure *m, snw_WalkLegBody *leg)
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

static void measure_tip(snw_BodyMeasure *m, snw_WalkLegBody *leg)
{
    leg->sole.point_count = 0;
    add_sole_point(
        leg, m->pose, leg->def.ankle, m->pose[leg->def.ankle].position, SINEW_PLANTED_TOE);
}

sinew_Status snw_body_measure_leg(snw_BodyMeasure *m, snw_WalkLegBody *leg)
{
    const sinew_LegDef *def = &leg->def;
    int last = snw_row_end(m, def->hip);
    sinew_Vec3 hip = snw_row_center(m, last), ankle = m->pose[def->ankle].position;
    leg->hip = hip;
    const double hip_off = snw_row_off(m, last, hip), ankle_off = snw_row_off(m, def->ankle, ankle);
    leg->is_exact = hip_off < MEETS && ankle_off < MEETS;
    if (def->is_tip) {
        leg->length = sinew_skeleton_chain_length(m->rig.skeleton, def->hip, def->ankle);
        measure_tip(m, leg);
        return SINEW_STATUS_OK;
    }
    sinew_Vec3 knee = m->pose[def->knee].position;
    leg->thigh = sinew_vec3_distance(hip, knee);
    leg->shank = sinew_vec3_distance(knee, ankle);
    leg->thigh -= SHORTENS * (hip_off + ankle_off);
    if (!(leg->thigh > 1e-3) || !(leg->shank > 1e-3)) {
        return snw_body_refuse(m, "a leg without length, want thigh and shin longer than 1 mm");
    }
    straighten_knee(m, def);
    straighten_foot(m, def);
    measure_sole(m, leg);
    leg->length = leg->thigh + leg->shank + leg->ankle_height;
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Ranges

static double find_range(snw_BodyMeasure *m, int joint, sinew_Vec3 axis, double sign)
{
    int last = snw_row_end(m, joint), parent = m->rig.joints[m->first[last]].parent;
    snw_JointSet set = snw_joint_set(m->rig.skeleton, m->first[last], last);
    axis = sinew_vec3_scale(axis, sign);
    return snw_joint_range(
        m->rig.skeleton, &set, m->pose[parent].rotation, m->pose[last].rotation, axis, m->q);
}

/// How far a foot that lies may be turned against the body: an ankle of two axes leaves that to the thigh.
static double find_twist(snw_BodyMeasure *m, const snw_WalkLegBody *leg)
{
    const int last = snw_row_end(m, leg->def.ankle);
    const snw_JointKind ankle = snw_joint_set(m->rig.skeleton, m->first[last], last).kind;
    if (ankle == SNW_JOINT_THREE || ankle == SNW_JOINT_BALL) { return MOST_TWIST; }
    const double least = snw_min(find_range(m, leg->def.hip, snw_up_axis, 1.0),
        find_range(m, leg->def.hip, snw_up_axis, -1.0));
    return snw_clamp(least - HIP_ROOM, LEAST_TWIST, MOST_TWIST);
}

/// How far hips may be past a foot on its outer side: its thigh is drawn in then, over the middle of the body and beyond.
static double find_across(snw_BodyMeasure *m, const snw_WalkLegBody *leg)
{
    const double side = leg->hip.x >= 0.0 ? 1.0 : -1.0;
    const double in = find_range(m, leg->def.hip, snw_ahead_axis, -side) - HIP_ROOM;
    double s, c;
    sinew_sincos(snw_clamp(in, 0.0, 0.5 * SINEW_PI), &s, &c);
    return snw_min(MOST_ACROSS * leg->length, s * leg->length - fabs(leg->hip.x));
}

void snw_body_measure_ranges(snw_BodyMeasure *m, snw_WalkLegBody *leg)
{
    if (leg->def.is_tip) { return; }
    // a turn about X lowers what is in front
    leg->ankle_upper = find_range(m, leg->def.ankle, snw_left_axis, -1.0);
    leg->ankle_lower = -find_range(m, leg->def.ankle, snw_left_axis, 1.0);
    double *middle = leg->ankle_middle, *half = leg->ankle_half;
    sinew_sincos(0.5 * (leg->ankle_upper + leg->ankle_lower), &middle[0], &middle[1]);
    sinew_sincos(0.5 * (leg->ankle_upper - leg->ankle_lower), &half[0], &half[1]);
    leg->roll_upper = snw_max(0.14, find_range(m, leg->def.ankle, snw_ahead_axis, 1.0));
    leg->roll_lower = -snw_max(0.14, find_range(m, leg->def.ankle, snw_ahead_axis, -1.0));
    leg->hip_back = find_range(m, leg->def.hip, snw_left_axis, 1.0);
    sinew_sincos(leg->hip_back, &leg->hip_back_s, &leg->hip_back_c);
    leg->twist = find_twist(m, leg);
    leg->across = find_across(m, leg);
    leg->knee_upper = find_range(m, leg->def.knee, snw_left_axis, 1.0);
    if (leg->knee_upper < STIFF_KNEE) {
        double s, c;
        sinew_sincos(snw_max(0.0, leg->knee_upper - KNEE_MARGIN), &s, &c);
        leg->folded = sqrt(snw_leg_square(leg, c));
    }
    if (leg->def.toe >= 0) {
        leg->toe_upper = find_range(m, leg->def.toe, snw_left_axis, -1.0);
        leg->toe_lower = -find_range(m, leg->def.toe, snw_left_axis, 1.0);
    }
}
