#include "walk/foot_roll.h"

#include "math/holds.h"
#include "walk/gait.h"

// Toes bend as the heel rises up to this share of their range; then they give way more and more and
// the foot goes on over their tip.
#define FREE_BEND 0.65
// A heel that is nearer to its ground than this is on it, metres.
#define TOUCHES 5e-4
// Pitches nearer to flat than this are flat, radians.
#define FLAT 1e-9

static double bend_of(double down, double cap)
{
    double freely = FREE_BEND * cap, more = cap - freely;
    if (down <= freely || more <= 0.0) { return down < cap ? down : cap; }
    double u = (down - freely) / more;
    return freely + more * u / sqrt(1.0 + u * u);
}

/// A point of the plane in which the foot rolls: forward and up.
typedef struct Point {
    double z, y;
} Point;

/// A turn in that plane, for several points.
typedef struct Turn {
    double s, c;
} Turn;

static Turn turn_of(double pitch)
{
    Turn turn = { 0.0, 1.0 };
    if (pitch != 0.0) { sinew_sincos(pitch, &turn.s, &turn.c); }
    return turn;
}

static Point turned_by(Point p, Turn turn)
{
    return (Point){ p.z * turn.c - p.y * turn.s, p.z * turn.s + p.y * turn.c };
}

static Point turned(Point p, double pitch)
{
    return turned_by(p, turn_of(pitch));
}

// how far a foot with its heel on its plane and its toes up is above the ground
static double heel_gap(const snw_WalkLegBody *leg, const snw_Foothold *at, Turn turn)
{
    double least = (double)at->heel_gaps[0];
    double rise = (leg->ball - leg->heel) / (SNW_HEEL_PRINTS - 1) * turn.s;
    for (int i = 1; i < SNW_HEEL_PRINTS && least > 0.0; ++i) {
        least = fmin(least, (double)at->heel_gaps[i] + i * rise);
    }
    return least;
}

// the ankle in the plane of rolling, origin below the flat ankle; and the bend of the toes. turn: of the pitch
static Point roll_ankle(const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, Turn turn,
    double cap, double *out_bend)
{
    const double toe_base = at->toe_base;
    *out_bend = toe_base;
    if (pitch >= 0.0) {
        Point from_heel = turned_by((Point){ -leg->heel, leg->ankle_height }, turn);
        return (Point){ leg->heel + from_heel.z, from_heel.y - heel_gap(leg, at, turn) };
    }
    double bend = leg->def.toe >= 0 ? bend_of(-pitch, cap) : 0.0;
    *out_bend = toe_base + bend;
    // toes that follow the ground keep their place; the joint is found from their tip
    double joint_z = leg->toe_joint.z, joint_y = leg->toe_height;
    Point joint = { joint_z, joint_y };
    double over = pitch + bend; // what the toes turn, <= 0
    if (over < -FLAT) {
        Point tip = turned((Point){ leg->tip - joint_z, -joint_y }, toe_base);
        tip.z += joint_z;
        tip.y += joint_y;
        Point back = turned((Point){ joint_z - tip.z, joint_y - tip.y }, over);
        joint = (Point){ tip.z + back.z, tip.y + back.y };
    }
    Point up = turned_by((Point){ -joint_z, leg->ankle_height - joint_y }, turn);
    return (Point){ joint.z + up.z, joint.y + up.y };
}

/// A place of the plane of rolling in the world.
static sinew_Vec3 placed(const snw_Foothold *at, Point point)
{
    sinew_Vec3 local = { 0.0, point.y, point.z };
    return sinew_vec3_add(at->ground, sinew_quat_rotate(at->basis, local));
}

sinew_Vec3 snw_foot_roll_ankle(const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch,
    double toe_cap, double *out_bend)
{
    double bend;
    Point ankle = roll_ankle(leg, at, pitch, turn_of(pitch), toe_cap + at->toe_more, &bend);
    if (out_bend != NULL) { *out_bend = bend; }
    return placed(at, ankle);
}

sinew_Vec3 snw_foot_roll_flat(const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch,
    double toe_cap, double out_turn[2])
{
    double bend;
    Turn turn = turn_of(pitch);
    Point ankle = roll_ankle(leg, at, pitch, turn, toe_cap + at->toe_more, &bend);
    out_turn[0] = turn.s;
    out_turn[1] = turn.c;
    return (sinew_Vec3){ 0.0, ankle.y, ankle.z };
}

snw_Foothold snw_foothold_rolled(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double roll, unsigned planted)
{
    if (roll == 0.0) { return *at; }
    snw_Foothold rolled = *at;
    sinew_Vec3 edge = { roll < 0.0 ? leg->ball_width : -leg->ball_width, 0.0, 0.0 };
    if (planted == SINEW_PLANTED_TOE && at->toe_base != 0.0) {
        Point tip = turned((Point){ leg->tip - leg->toe_joint.z, -leg->toe_height }, at->toe_base);
        edge.y = leg->toe_height + tip.y;
    }
    rolled.basis = sinew_quat_mul(
        at->basis, sinew_quat_from_axis_angle(sinew_vec3(0.0, 0.0, 1.0), roll));
    sinew_Vec3 fixed = sinew_vec3_add(at->ground, sinew_quat_rotate(at->basis, edge));
    rolled.ground = sinew_vec3_sub(fixed, sinew_quat_rotate(rolled.basis, edge));
    return rolled;
}

void snw_foot_points(const snw_WalkLegBody *leg, const sinew_Transform *foot, double toe_bend,
    snw_FootPose *out_pose)
{
    out_pose->foot = *foot;
    out_pose->toe_bend = toe_bend;
    sinew_Vec3 heel = { 0.0, -leg->ankle_height, leg->heel };
    out_pose->heel = sinew_transform_point(*foot, heel);
    Turn toe = turn_of(toe_bend);
    Point ball = turned_by((Point){ leg->ball - leg->toe_joint.z, -leg->toe_height }, toe);
    Point tip = turned_by((Point){ leg->tip - leg->toe_joint.z, -leg->toe_height }, toe);
    sinew_Vec3 joint = leg->toe_joint;
    sinew_Vec3 ball_local = { joint.x, joint.y + ball.y, joint.z + ball.z };
    sinew_Vec3 tip_local = { joint.x, joint.y + tip.y, joint.z + tip.z };
    out_pose->ball = sinew_transform_point(*foot, ball_local);
    out_pose->toe = sinew_transform_point(*foot, tip_local);
}

static sinew_Transform roll_foot(const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch,
    double toe_cap, double *out_bend)
{
    const sinew_Vec3 left = { 1.0, 0.0, 0.0 };
    sinew_Transform foot;
    foot.position = snw_foot_roll_ankle(leg, at, pitch, toe_cap, out_bend);
    foot.rotation = sinew_quat_mul(at->basis, sinew_quat_from_axis_angle(left, -pitch));
    return foot;
}

sinew_Transform snw_foot_roll_foot(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, double toe_cap)
{
    return roll_foot(leg, at, pitch, toe_cap, NULL);
}

snw_FootPose snw_foot_roll(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, double toe_cap)
{
    snw_FootPose pose;
    double bend;
    const sinew_Transform foot = roll_foot(leg, at, pitch, toe_cap, &bend);
    snw_foot_points(leg, &foot, bend, &pose);

    if (pitch > FLAT) {
        const double gap = (double)at->heel_gaps[0];
        bool is_on_heel = gap < TOUCHES || gap - heel_gap(leg, at, turn_of(pitch)) < TOUCHES;
        pose.planted = is_on_heel ? SINEW_PLANTED_HEEL : SINEW_PLANTED_SOLE;
    } else if (pitch >= -FLAT) {
        pose.planted = SINEW_PLANTED_HEEL | SINEW_PLANTED_BALL | SINEW_PLANTED_TOE;
    } else if (pitch + (bend - at->toe_base) >= -FLAT) {
        pose.planted = SINEW_PLANTED_BALL | SINEW_PLANTED_TOE;
    } else {
        pose.planted = SINEW_PLANTED_TOE;
    }
    return pose;
}
