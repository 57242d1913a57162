// A foot on the ground.

#include "walk/foot_place.h"

#include "math/holds.h"

#define STATIONS 5 // heel, middle, ball, toes, tip
#define BALL 2
#define ROLL_MARGIN 0.16 // of the ankle's range, for legs that stand aslant; radians
#define MOST_ROLL 0.3
// a foot stands on an edge when heel and ball differ by more than the ground's own slopes explain
#define EDGE_SLOPE 0.25
#define HANGS_BY 0.03
#define FINE_STEP 0.015
#define JUMP 0.025 // of the ground between two points of the sole that looks like an edge, metres
#define JUMP_PARTS 6
#define TIP_ENOUGH 1e-3 // of a gap below the ball, metres
#define MOST_TIP 0.2    // radians
#define TIP_PASSES 4
#define SUPPORT 0.002 // of ground beyond the ball, metres

sinew_Vec3 snw_foot_heel(const snw_WalkLegBody *leg)
{
    return sinew_vec3(0.0, -leg->ankle_height, leg->heel);
}

sinew_Vec3 snw_foot_ball(const snw_WalkLegBody *leg)
{
    return sinew_vec3(0.0, -leg->ankle_height, leg->ball);
}

// a point of the toes, given as it is when they are not bent
static sinew_Vec3 bent(const snw_WalkLegBody *leg, double toe_bend, sinew_Vec3 point)
{
    if (leg->def.toe < 0) { return point; }
    double s, c;
    sinew_sincos(toe_bend, &s, &c);
    double y = point.y - leg->toe_joint.y, z = point.z - leg->toe_joint.z;
    return sinew_vec3(point.x, leg->toe_joint.y + c * y + s * z, leg->toe_joint.z + c * z - s * y);
}

sinew_Vec3 snw_foot_tip(const snw_WalkLegBody *leg, double toe_bend)
{
    return bent(leg, toe_bend, sinew_vec3(0.0, -leg->ankle_height, leg->tip));
}

sinew_Vec3 snw_foot_pivot(const snw_WalkLegBody *leg)
{
    if (leg->def.toe < 0) { return sinew_vec3(0.0, -leg->ankle_height, leg->tip); }
    return sinew_vec3(0.0, leg->toe_joint.y, leg->toe_joint.z);
}

sinew_Transform snw_foot_pitched(const sinew_Transform *foot, sinew_Vec3 about, double pitch)
{
    sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), -pitch);
    sinew_Transform r;
    r.rotation = sinew_quat_normalize(sinew_quat_mul(foot->rotation, turn));
    // the point keeps its place
    r.position = sinew_vec3_sub(
        sinew_transform_point(*foot, about), sinew_quat_rotate(r.rotation, about));
    return r;
}

static double above_ground(snw_WalkGround *ground, const sinew_Transform *foot, sinew_Vec3 point)
{
    sinew_Vec3 p = sinew_transform_point(*foot, point);
    return p.y - snw_walk_height(ground, p.x, p.z);
}

// ---------------------------------------------------------------------------------------------
// The sole

// point `side` (-1, 0, 1) of a station in the foot frame
static sinew_Vec3 sole_point(const snw_WalkLegBody *leg, int station, int side, double toe_bend)
{
    double z, width, middle = 0.0;
    switch (station) {
    case 0:
        z = leg->heel;
        width = leg->heel_width;
        break;
    case 1:
        z = 0.5 * (leg->heel + leg->ball);
        width = 0.5 * (leg->heel_width + leg->ball_width);
        break;
    case BALL:
        z = leg->ball;
        width = leg->ball_width;
        middle = leg->toe_joint.x;
        break;
    default:
        z = station == STATIONS - 1 ? leg->tip : 0.5 * (leg->ball + leg->tip);
        width = leg->ball_width;
        middle = leg->toe_joint.x;
        break;
    }
    sinew_Vec3 point = sinew_vec3(middle + side * width, -leg->ankle_height, z);
    return station > BALL ? bent(leg, toe_bend, point) : point;
}

// lowest height above the ground of the sole between two of its points where the ground jumps between
// them: the edge is anywhere between two samples
static double lowest_between(snw_WalkGround *ground, sinew_Vec3 from, sinew_Vec3 to)
{
    double lowest = INFINITY, y_before = from.y, before = snw_walk_height(ground, from.x, from.z);
    for (int i = 1; i <= JUMP_PARTS; ++i) {
        sinew_Vec3 p = sinew_vec3_lerp(from, to, (double)i / JUMP_PARTS);
        double height = snw_walk_height(ground, p.x, p.z);
        bool jumps = fabs(height - before) > JUMP;
        double top = jumps ? fmax(height, before) : height;
        lowest = fmin(lowest, (jumps ? fmin(p.y, y_before) : p.y) - top);
        y_before = p.y;
        before = height;
    }
    return lowest;
}

double snw_foot_clearance(const snw_WalkLegBody *leg, snw_WalkGround *ground,
    const sinew_Transform *foot, double toe_bend, double beyond)
{
    double lowest = INFINITY;
    for (int side = -1; side <= 1; ++side) {
        sinew_Vec3 before = { 0.0, 0.0, 0.0 };
        double ground_before = 0.0;
        for (int station = 0; station < STATIONS; ++station) {
            sinew_Vec3 point = sole_point(leg, station, side, toe_bend);
            sinew_Vec3 p = sinew_transform_point(*foot, point);
            double height = snw_walk_height(ground, p.x, p.z);
            lowest = fmin(lowest, p.y - height);
            if (station > 0 && fabs(height - ground_before) > JUMP) {
                lowest = fmin(lowest, lowest_between(ground, before, p));
            }
            if (beyond > 0.0 && (station == 0 || station == STATIONS - 1)) {
                // what stands before the tip or behind the heel
                point.z += station == 0 ? -beyond : beyond;
                sinew_Vec3 next = sinew_transform_point(*foot, point);
                double there = snw_walk_height(ground, next.x, next.z);
                if (there - height > JUMP) { lowest = fmin(lowest, p.y - there); }
            }
            before = p;
            ground_before = height;
        }
    }
    return lowest;
}

// ---------------------------------------------------------------------------------------------
// Laying

typedef struct Under {
    double heel, ball; // heights of the ground
    double roll;       // mean slope across, tangent, left side up
    bool is_edge;
} Under;

static Under look_under(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, const snw_GroundPose *pose, double length)
{
    SNW_ASSERT(length >= 0.0);
    double x, z;
    Under under;
    snw_ground_point(pose, 0.0, length * leg->heel, &x, &z);
    sinew_GroundSample heel = snw_walk_sample(ground, x, z);
    snw_ground_point(pose, 0.0, length * leg->ball, &x, &z);
    sinew_GroundSample ball = snw_walk_sample(ground, x, z);
    under.heel = heel.height;
    under.ball = ball.height;
    double steepest = fmin(heel.normal.y, ball.normal.y);
    double slope = sqrt(fmax(0.0, 1.0 - steepest * steepest)) / fmax(steepest, 0.1);
    double rise = fabs(ball.height - heel.height);
    under.is_edge = rise > (leg->ball - leg->heel) * (slope + EDGE_SLOPE);
    under.roll = 0.0;
    for (int i = 0; i < 2; ++i) {
        double width = i == 0 ? leg->heel_width : leg->ball_width;
        double along = length * (i == 0 ? leg->heel : leg->ball);
        snw_ground_point(pose, width, along, &x, &z);
        double left = snw_walk_height(ground, x, z);
        snw_ground_point(pose, -width, along, &x, &z);
        double right = snw_walk_height(ground, x, z);
        // a step across the foot is no slope
        double across = (left - right) / (2.0 * width);
        if (fabs(across) < slope + 1.0) { under.roll += 0.5 * across; }
    }
    return under;
}

// axes of a foot whose sole rises ahead by `ahead` and to the left by `across`, tangents
static sinew_Quat sole_rotation(double heading, double ahead, double across)
{
    double s, c;
    sinew_sincos(heading, &s, &c);
    sinew_Vec3 forward = sinew_vec3_normalize_or(
        sinew_vec3(s, ahead, c), sinew_vec3(0.0, 0.0, 1.0));
    sinew_Vec3 left = sinew_vec3(c, across, -s);
    sinew_Vec3 up = sinew_vec3_normalize_or(
        sinew_vec3_cross(forward, left), sinew_vec3(0.0, 1.0, 0.0));
    sinew_Mat3 m = { sinew_vec3_cross(up, forward), up, forward };
    return sinew_quat_normalize(sinew_quat_from_mat3(m));
}

// lowest height above the ground of the sole between two places along it; close enough together that
// no crease of the ground hides between
static double lowest_of(const snw_WalkLegBody *leg, snw_WalkGround *ground,
    const sinew_Transform *foot, double from, double to, double toe_bend, double *out_z)
{
    double lowest = INFINITY;
    int count = (int)ceil((to - from) / FINE_STEP) + 1;
    for (int i = 0; i <= count; ++i) {
        double z = from + (to - from) * i / count;
        double width = leg->ball_width, middle = leg->toe_joint.x;
        if (z < leg->ball) {
            double share = (z - leg->heel) / (leg->ball - leg->heel);
            width = leg->heel_width + (leg->ball_width - leg->heel_width) * share;
            middle *= share;
        }
        for (int side = -2; side <= 2; ++side) {
            sinew_Vec3 point = { middle + 0.5 * side * width, -leg->ankle_height, z };
            if (toe_bend > 0.0) { point = bent(leg, toe_bend, point); }
            double above = above_ground(ground, foot, point);
            if (above < lowest) {
                lowest = above;
                *out_z = z;
            }
        }
    }
    return lowest;
}

// Stand the stiff part of the sole on what is highest below it. On a crest the ball would hang in the
// air, and the toes with it that the heel is to lift about: the foot tips until they have ground.
static void rest_on_ground(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, sinew_Transform *foot)
{
    double tipped = 0.0, touch = 0.0, unused;
    for (int pass = 0; pass < TIP_PASSES; ++pass) {
        double low = lowest_of(leg, ground, foot, leg->heel, leg->ball, 0.0, &touch);
        foot->position.y -= low;
        double gap = lowest_of(leg, ground, foot, leg->ball, leg->ball, 0.0, &unused);
        double arm = fmax(leg->ball - touch, FINE_STEP), turn = gap / arm;
        if (gap < TIP_ENOUGH || gap > HANGS_BY || tipped + turn > MOST_TIP) { break; }
        tipped += turn;
        *foot = snw_foot_pitched(foot, sinew_vec3(0.0, -leg->ankle_height, touch), -turn);
    }
}

// bend that brings the toes above the ground: as low as they are, at half their length
static double bend_needed(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, const sinew_Transform *foot)
{
    if (leg->def.toe < 0) { return 0.0; }
    double bend = 0.0, length = fmax(leg->tip - leg->toe_joint.z, 0.01);
    for (int pass = 0; pass < 4 && bend < leg->toe_upper; ++pass) {
        double unused, low = lowest_of(leg, ground, foot, leg->ball, leg->tip, bend, &unused);
        if (low >= -1e-4) { break; }
        bend = fmin(leg->toe_upper, bend + sinew_atan2(-low, 0.6 * length));
    }
    return bend;
}

// toes may stick out over a step, and a heel in part
static double hanging_share(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, const sinew_Transform *foot)
{
    static const double shares[BALL + 1] = { 0.1, 0.4, 0.5 };
    double share = 0.0;
    for (int station = 0; station <= BALL; ++station) {
        double above = above_ground(ground, foot, sole_point(leg, station, 0, 0.0));
        if (above > HANGS_BY) { share += shares[station]; }
    }
    return share;
}

snw_FootPlace snw_foot_lay(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, double x, double z, double heading)
{
    snw_GroundPose pose = { x, z, heading };
    snw_FootPlace place = { .heading = heading };
    double span = leg->ball - leg->heel;
    double ahead = 0.0, length = 1.0;
    Under under = look_under(leg, ground, &pose, 1.0);

    // a sole on a slope covers less ground
    for (int pass = 0; pass < 4 && !under.is_edge; ++pass) {
        ahead = (under.ball - under.heel) / (span * length);
        length = 1.0 / sqrt(1.0 + ahead * ahead);
        under = look_under(leg, ground, &pose, length);
    }
    double base = under.heel + (under.ball - under.heel) * (-leg->heel / span);
    if (under.is_edge) {
        ahead = 0.0;
        under.roll = 0.0;
        base = fmax(under.heel, under.ball);
    }
    double most = fmin(MOST_ROLL, fmax(0.0, leg->roll_upper - ROLL_MARGIN));
    double least = fmax(-MOST_ROLL, fmin(0.0, leg->roll_lower + ROLL_MARGIN));
    double across = fmin(most, fmax(least, under.roll));
    place.foot.rotation = sole_rotation(heading, ahead, across);

    // the point under the ankle stands at (x, base, z)
    sinew_Vec3 up = sinew_quat_rotate(place.foot.rotation, sinew_vec3(0.0, 1.0, 0.0));
    place.foot.position = sinew_vec3_add_scaled(sinew_vec3(x, base, z), up, leg->ankle_height);

    rest_on_ground(leg, ground, &place.foot);
    place.toe_bend = bend_needed(leg, ground, &place.foot);
    sinew_Vec3 below = sinew_transform_point(place.foot, sinew_vec3(0.0, -leg->ankle_height, 0.0));
    place.height = below.y;
    place.slope = sqrt(ahead * ahead + across * across);
    double unused,
        toes = lowest_of(leg, ground, &place.foot, leg->ball, leg->tip, place.toe_bend, &unused);
    // what is stood on is more than the last hair of a tread
    double on_toes = lowest_of(
        leg, ground, &place.foot, leg->ball + SUPPORT, leg->tip, place.toe_bend, &unused);
    double on_heel = lowest_of(leg, ground, &place.foot, leg->heel, leg->heel, 0.0, &unused);
    place.sinks = fmax(0.0, -toes);
    place.toe_gap = fmax(0.0, on_toes);
    place.heel_gap = fmax(0.0, on_heel);
    place.hangs = hanging_share(leg, ground, &place.foot);
    return place;
}
