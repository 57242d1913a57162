// How a foot of the published walk lies on the ground where its plan puts it, and how much a moving one clears it.

#include "walk/foot_place.h"

#include "walk/core.h"
#include "walk/gait.h"

#define ROLL_MARGIN 0.16 // of the ankle's range, for legs that stand aslant; radians
#define MOST_ROLL 0.3
#define HANGS_BY 0.03
#define JUMP 0.025 // of the ground between two prints that is an edge, metres
#define BENDS \
    1e-3 // of the ground between three prints, beyond which it is asked between them, metres
#define TIP_ENOUGH 1e-3 // of a gap below the ball, metres
#define MOST_TIP 0.2    // radians
#define TIP_PASSES 4
#define SUPPORT 0.002 // of ground beyond the ball, metres
#define FINE_STEP 0.015
#define BEYOND 0.012 // that a foot near an edge sees before its tip and behind its heel, metres

sinew_Vec3 snw_foot_heel(const snw_WalkLegBody *leg)
{
    return sinew_vec3(0.0, -leg->ankle_height, leg->heel);
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

sinew_Vec3 snw_foot_pivot(const snw_WalkLegBody *leg)
{
    if (leg->def.toe < 0) { return sinew_vec3(0.0, -leg->ankle_height, leg->tip); }
    return sinew_vec3(0.0, leg->toe_joint.y, leg->toe_joint.z);
}

sinew_Transform snw_foot_pitched(const sinew_Transform *foot, sinew_Vec3 about, double pitch)
{
    sinew_Quat turn = sinew_quat_from_axis_angle(snw_left_axis, -pitch);
    sinew_Transform r;
    r.rotation = sinew_quat_normalize(sinew_quat_mul(foot->rotation, turn));
    // the point keeps its place
    r.position = sinew_vec3_sub(
        sinew_transform_point(*foot, about), sinew_quat_rotate(r.rotation, about));
    return r;
}

// ---------------------------------------------------------------------------------------------
// Prints

enum { ROWS = 19, COLUMNS = 5, MIDDLE = COLUMNS / 2 };

/// The ground below a foot, level: rows from heel to tip, columns from right to left.
typedef struct Prints {
    snw_View *view;
    snw_GroundPose pose;            ///< of the point below the ankle
    double s, c;                    ///< of its heading
    double from, row, left, column; ///< place of the first print, and from one to the next, metres
    double heights[ROWS][COLUMNS];
} Prints;

static double ask_print(const Prints *prints, int i, int k)
{
    double x, z;
    snw_ground_point(
        &prints->pose, prints->left + k * prints->column, prints->from + i * prints->row, &x, &z);
    return snw_view_ask(prints->view, x, z);
}

// How far the ground bends at a print, against a line through those that were asked before and behind it
static double bend_at(const Prints *prints, int i, int k, int rows, int columns)
{
    int before_i = i - rows, before_k = k - columns, after_i = i + rows, after_k = k + columns;
    if (before_i < 0 || before_k < 0 || after_i >= ROWS || after_k >= COLUMNS) { return 0.0; }
    return fabs(prints->heights[before_i][before_k] - 2.0 * prints->heights[i][k]
        + prints->heights[after_i][after_k]);
}

// a print between two that were asked lies on their line; where the ground bends at one of them it is asked
static void fill_between(Prints *prints, int i, int k, int rows, int columns)
{
    const int i0 = i - rows, k0 = k - columns, i1 = i + rows, k1 = k + columns;
    double bend = snw_max(bend_at(prints, i0, k0, 2 * rows, 2 * columns),
        bend_at(prints, i1, k1, 2 * rows, 2 * columns));
    prints->heights[i][k] = bend > BENDS
        ? ask_print(prints, i, k)
        : 0.5 * (prints->heights[i0][k0] + prints->heights[i1][k1]);
}

static void ask_prints(Prints *prints)
{
    for (int i = 0; i < ROWS; i += 2) {
        for (int k = 0; k < COLUMNS; k += 2) { prints->heights[i][k] = ask_print(prints, i, k); }
    }
    for (int i = 0; i < ROWS; i += 2) {
        for (int k = 1; k < COLUMNS; k += 2) { fill_between(prints, i, k, 0, 1); }
    }
    for (int i = 1; i < ROWS; i += 2) {
        for (int k = 0; k < COLUMNS; ++k) { fill_between(prints, i, k, 1, 0); }
    }
}

// One row as it is remembered. Edges are mostly across the foot: where one is, the middle says for all
static void recall_row(Prints *prints, int i)
{
    double x, z, ahead = prints->from + i * prints->row;
    bool is_edge, is_edge_here;
    snw_ground_point(&prints->pose, 0.0, ahead, &x, &z);
    double middle = snw_view_height(prints->view, x, z, &is_edge);
    if (is_edge) { middle = snw_view_beside(prints->view, x, z); }
    for (int k = 0; k < COLUMNS; ++k) {
        snw_ground_point(&prints->pose, prints->left + k * prints->column, ahead, &x, &z);
        double height = snw_view_height(prints->view, x, z, &is_edge_here);
        prints->heights[i][k] = k == MIDDLE || (is_edge && is_edge_here) ? middle : height;
    }
}

static Prints take_prints(
    const snw_WalkLegBody *leg, snw_View *view, const snw_GroundPose *pose, bool is_exact)
{
    double half = snw_max(leg->heel_width, leg->ball_width) + fabs(leg->toe_joint.x);
    Prints prints = { .view = view,
        .pose = *pose,
        .from = leg->heel,
        .row = (leg->tip - leg->heel) / (ROWS - 1),
        .left = -half,
        .column = 2.0 * half / (COLUMNS - 1) };
    sinew_sincos(pose->heading, &prints.s, &prints.c);
    if (is_exact) {
        ask_prints(&prints);
        return prints;
    }
    for (int i = 0; i < ROWS; ++i) { recall_row(&prints, i); }
    return prints;
}

// height between four prints; beyond them as at their border
static double print_height(const Prints *prints, double left, double ahead)
{
    double u = snw_clamp((left - prints->left) / prints->column, 0.0, COLUMNS - 1.0);
    double v = snw_clamp((ahead - prints->from) / prints->row, 0.0, ROWS - 1.0);
    int k = u < COLUMNS - 1 ? (int)u : COLUMNS - 2, i = v < ROWS - 1 ? (int)v : ROWS - 2;
    const double *near = prints->heights[i], *far = prints->heights[i + 1];
    return snw_mix(snw_mix(near[k], near[k + 1], u - k), snw_mix(far[k], far[k + 1], u - k), v - i);
}

static double above_prints(const Prints *prints, const sinew_Transform *foot, sinew_Vec3 point)
{
    sinew_Vec3 p = sinew_transform_point(*foot, point);
    double x = p.x - prints->pose.x, z = p.z - prints->pose.z;
    return p.y - print_height(prints, prints->c * x - prints->s * z, prints->s * x + prints->c * z);
}

// ---------------------------------------------------------------------------------------------
// Laying

typedef struct Under {
    double heel, ball; // heights of the ground
    double roll;       // mean slope across, tangent, left side up
    bool is_edge;
} Under;

static Under look_under(const snw_WalkLegBody *leg, const Prints *prints, double length)
{
    Under under = { .heel = print_height(prints, 0.0, length * leg->heel),
        .ball = print_height(prints, 0.0, length * leg->ball) };
    for (int i = 1; i < ROWS && prints->from + i * prints->row < leg->ball; ++i) {
        double rise = prints->heights[i][MIDDLE] - prints->heights[i - 1][MIDDLE];
        under.is_edge = under.is_edge || fabs(rise) > JUMP;
    }
    for (int i = 0; i < 2; ++i) {
        double width = i == 0 ? leg->heel_width : leg->ball_width;
        double along = length * (i == 0 ? leg->heel : leg->ball);
        double across = (print_height(prints, width, along) - print_height(prints, -width, along))
            / (2.0 * width);
        // a step across the foot is no slope
        if (fabs(across) < 1.0) { under.roll += 0.5 * across; }
    }
    return under;
}

// axes of a foot whose sole rises ahead by `ahead` and to the left by `across`, tangents
static sinew_Quat sole_rotation(double heading, double ahead, double across)
{
    double s, c;
    sinew_sincos(heading, &s, &c);
    sinew_Vec3 forward = sinew_vec3_normalize_or(sinew_vec3(s, ahead, c), snw_ahead_axis);
    sinew_Vec3 left = sinew_vec3(c, across, -s);
    sinew_Vec3 up = sinew_vec3_normalize_or(sinew_vec3_cross(forward, left), snw_up_axis);
    sinew_Mat3 m = { sinew_vec3_cross(up, forward), up, forward };
    return sinew_quat_normalize(sinew_quat_from_mat3(m));
}

// lowest height above the ground of the sole between two places along it; close enough together that
// no crease of the ground hides between
static double lowest_of(const snw_WalkLegBody *leg, const Prints *prints,
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
            double above = above_prints(prints, foot, point);
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
static void rest_on_ground(const snw_WalkLegBody *leg, const Prints *prints, sinew_Transform *foot)
{
    double tipped = 0.0, touch = 0.0, unused;
    for (int pass = 0; pass < TIP_PASSES; ++pass) {
        double low = lowest_of(leg, prints, foot, leg->heel, leg->ball, 0.0, &touch);
        foot->position.y -= low;
        double gap = lowest_of(leg, prints, foot, leg->ball, leg->ball, 0.0, &unused);
        double arm = snw_max(leg->ball - touch, FINE_STEP), turn = gap / arm;
        if (gap < TIP_ENOUGH || gap > HANGS_BY || tipped + turn > MOST_TIP) { break; }
        tipped += turn;
        *foot = snw_foot_pitched(foot, sinew_vec3(0.0, -leg->ankle_height, touch), -turn);
    }
}

// bend that brings the toes above the ground: as low as they are, at half their length
static double bend_needed(
    const snw_WalkLegBody *leg, const Prints *prints, const sinew_Transform *foot)
{
    if (leg->def.toe < 0) { return 0.0; }
    double bend = 0.0, length = snw_max(leg->tip - leg->toe_joint.z, 0.01);
    for (int pass = 0; pass < 4 && bend < leg->toe_upper; ++pass) {
        double unused, low = lowest_of(leg, prints, foot, leg->ball, leg->tip, bend, &unused);
        if (low >= -1e-4) { break; }
        bend = snw_min(leg->toe_upper, bend + sinew_atan2(-low, 0.6 * length));
    }
    return bend;
}

// toes may stick out over a step, and a heel in part
static double hanging_share(
    const snw_WalkLegBody *leg, const Prints *prints, const sinew_Transform *foot)
{
    const double stations[3] = { leg->heel, 0.5 * (leg->heel + leg->ball), leg->ball };
    static const double shares[3] = { 0.1, 0.4, 0.5 };
    double share = 0.0;
    for (int i = 0; i < 3; ++i) {
        sinew_Vec3 point = { i == 2 ? leg->toe_joint.x : 0.0, -leg->ankle_height, stations[i] };
        if (above_prints(prints, foot, point) > HANGS_BY) { share += shares[i]; }
    }
    return share;
}

snw_FootPlace snw_foot_lay(
    const snw_WalkLegBody *leg, snw_View *view, double x, double z, double heading, bool is_exact)
{
    snw_GroundPose pose = { x, z, heading };
    snw_FootPlace place = { .heading = heading };
    double span = leg->ball - leg->heel;
    double ahead = 0.0, length = 1.0;
    const Prints prints = take_prints(leg, view, &pose, is_exact);
    Under under = look_under(leg, &prints, 1.0);

    // a sole on a slope covers less ground
    for (int pass = 0; pass < 4 && !under.is_edge; ++pass) {
        ahead = (under.ball - under.heel) / (span * length);
        length = 1.0 / sqrt(1.0 + ahead * ahead);
        under = look_under(leg, &prints, length);
    }
    double base = under.heel + (under.ball - under.heel) * (-leg->heel / span);
    if (under.is_edge) {
        ahead = 0.0;
        under.roll = 0.0;
        base = snw_max(under.heel, under.ball);
    }
    double most = snw_min(MOST_ROLL, snw_max(0.0, leg->roll_upper - ROLL_MARGIN));
    double least = snw_max(-MOST_ROLL, snw_min(0.0, leg->roll_lower + ROLL_MARGIN));
    double across = snw_min(most, snw_max(least, under.roll));
    place.foot.rotation = sole_rotation(heading, ahead, across);

    // the point under the ankle stands at (x, base, z)
    sinew_Vec3 up = sinew_quat_rotate(place.foot.rotation, snw_up_axis);
    place.foot.position = sinew_vec3_add_scaled(sinew_vec3(x, base, z), up, leg->ankle_height);

    rest_on_ground(leg, &prints, &place.foot);
    place.toe_bend = bend_needed(leg, &prints, &place.foot);
    sinew_Vec3 below = sinew_transform_point(place.foot, sinew_vec3(0.0, -leg->ankle_height, 0.0));
    place.height = below.y;
    place.slope = sqrt(ahead * ahead + across * across);
    double unused,
        toes = lowest_of(leg, &prints, &place.foot, leg->ball, leg->tip, place.toe_bend, &unused);
    // what is stood on is more than the last hair of a tread
    double on_toes = lowest_of(
        leg, &prints, &place.foot, leg->ball + SUPPORT, leg->tip, place.toe_bend, &unused);
    double on_heel = lowest_of(leg, &prints, &place.foot, leg->heel, leg->heel, 0.0, &unused);
    place.sinks = snw_max(0.0, -toes);
    place.toe_gap = snw_max(0.0, on_toes);
    place.heel_gap = snw_max(0.0, on_heel);
    place.hangs = hanging_share(leg, &prints, &place.foot);
    return place;
}

double snw_foot_clearance(const snw_WalkLegBody *leg, snw_View *view, const sinew_Transform *foot,
    double toe_bend, bool is_near)
{
    const sinew_Vec3 ahead = sinew_quat_rotate(foot->rotation, sinew_vec3(0.0, 0.0, BEYOND));
    sinew_Vec3 points[SNW_CORE_SOLE];
    snw_core_sole(leg, foot, toe_bend, points);
    double lowest = (double)INFINITY;
    for (int i = 0; i < SNW_CORE_SOLE; ++i) {
        const sinew_Vec3 *at = &points[i];
        bool is_edge;
        double height = snw_view_height(view, at->x, at->z, &is_edge);
        // the most that an edge can be says nothing where the sole is above that
        if (at->y - height >= lowest) { continue; }
        if (is_edge && is_near) {
            int end = i < SNW_CORE_COLUMNS ? -1 : i >= SNW_CORE_SOLE - SNW_CORE_COLUMNS ? 1 : 0;
            height = snw_view_beside(view, at->x, at->z);
            if (end != 0) {
                height = snw_max(
                    height, snw_view_beside(view, at->x + end * ahead.x, at->z + end * ahead.z));
            }
        }
        lowest = snw_min(lowest, at->y - height);
    }
    return lowest;
}
