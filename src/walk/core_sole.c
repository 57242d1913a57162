// How a sole lies on the ground: the plane through its points, what of it hangs over an edge, and how deep a moving one is.

#include "walk/core.h"

#include "math/quat.h"

#include "walk/gait.h"

#include <string.h>

// A sole whose ground leaves a plane by more than this lies level on the highest of it, metres. What is steeper along
// or across than these tangents is an edge, unless it leaves a plane by less than that.
#define FLATNESS 0.025
#define STEEPEST 0.95
#define STEEPEST_ACROSS 0.55
#define EVEN 0.004
// Of the ankle's roll so much is kept for the lean of the shank, radians.
#define ROLL_MARGIN 0.12
// Toes that stand are bent up by no more than this, radians: farther they lean against a wall.
#define MOST_TOE 0.4
// By this much more than usual toes bend that stick out over an edge, radians.
#define TOE_MORE 0.5
// Of how ground bends between two prints it rises so much above a line between them, at most.
#define BULGE 0.25
// Where that is more than so much, metres, the ground is asked in the middle between prints as well; what it may still rise
// above that is this share of what it was.
#define BULGES 1e-3
#define STILL_BULGES 0.3
// Rows of points that are the toes alone.
enum { TOE_ROWS = 2 };
// Share of a sole that its toes count for, where they stick out over an edge: heel and ball carry.
#define TOE_SHARE (1.0 / 7.0)
// Toes that follow lower ground bend down by no more than this, radians.
#define TOE_DOWN 0.25
// A moving sole that was deeper below an edge than this comes past it, metres: what it stood on is less deep.
#define EDGE_DEPTH 0.012
// Ground this far below a sole carries nothing, metres.
#define CARRIES 0.03
// Edges below a sole are looked for between its prints by so many halvings, to a millimetre; places that both sides
// ask then.
enum { EDGE_HALVINGS = 5, EDGE_PLACES = 2 * EDGE_HALVINGS };

/// Places of the rows along the sole: evenly from the heel to the ball, and from there to the tip.
static void place_rows(const snw_WalkLegBody *leg, double out_z[SNW_CORE_ROWS])
{
    enum { BALL = SNW_CORE_ROWS - 1 - TOE_ROWS };
    for (int i = 0; i <= BALL; ++i) { out_z[i] = snw_mix(leg->heel, leg->ball, (double)i / BALL); }
    for (int i = 1; i <= TOE_ROWS; ++i) {
        out_z[BALL + i] = snw_mix(leg->ball, leg->tip, (double)i / TOE_ROWS);
    }
}

static double half_width(const snw_WalkLegBody *leg, double z)
{
    double share = snw_clamp((z - leg->heel) / snw_max(1e-6, leg->ball - leg->heel), 0.0, 1.0);
    return snw_mix(leg->heel_width, leg->ball_width, share);
}

void snw_core_sole(const snw_WalkLegBody *leg, const sinew_Transform *foot, double toe_bend,
    sinew_Vec3 out_points[SNW_CORE_SOLE])
{
    _Static_assert(SNW_CORE_COLUMNS == 3, "rows have two sides and a middle");
    double rows[SNW_CORE_ROWS], s, c;
    place_rows(leg, rows);
    sinew_sincos(toe_bend, &s, &c);
    const sinew_Vec3 left = snw_left_of(foot->rotation);
    const sinew_Vec3 up = snw_up_of(foot->rotation);
    const sinew_Vec3 ahead = sinew_vec3_cross(left, up);
    for (int r = 0; r < SNW_CORE_ROWS; ++r) {
        double y = -leg->ankle_height, z = rows[r], width = half_width(leg, z);
        // the ball as well: it carries while toes lie and the heel is up
        if (z >= leg->toe_joint.z && leg->def.toe >= 0) {
            // in the frame of the toes, which turn about their joint
            double out = z - leg->toe_joint.z, down = -leg->toe_height;
            z = leg->toe_joint.z + out * c - down * s;
            y = leg->toe_joint.y + out * s + down * c;
        }
        sinew_Vec3 middle = sinew_vec3_add_scaled(
            sinew_vec3_add_scaled(foot->position, up, y), ahead, z);
        sinew_Vec3 *row = &out_points[SNW_CORE_COLUMNS * r];
        row[0] = sinew_vec3_add_scaled(middle, left, -width);
        row[1] = middle;
        row[2] = sinew_vec3_add_scaled(middle, left, width);
    }
}

snw_SoleBox snw_core_sole_box(const snw_WalkLegBody *leg, const snw_FootPose *pose, double beside)
{
    const double most = (double)INFINITY, width = snw_max(leg->heel_width, leg->ball_width);
    const sinew_Vec3 left = snw_left_of(pose->foot.rotation);
    const sinew_Vec3 ahead = snw_ahead_of(pose->foot.rotation);
    // the ends of what is straight
    const sinew_Vec3 ends[4] = { pose->heel, pose->ball, pose->toe,
        sinew_vec3_add_scaled(pose->heel, ahead, leg->toe_joint.z - leg->heel) };
    snw_SoleBox box = { most, most, -most, most, -most };
    for (int i = 0; i < 4; ++i) {
        box.bottom = snw_min(box.bottom, ends[i].y);
        box.low_x = snw_min(box.low_x, ends[i].x);
        box.high_x = snw_max(box.high_x, ends[i].x);
        box.low_z = snw_min(box.low_z, ends[i].z);
        box.high_z = snw_max(box.high_z, ends[i].z);
    }
    const double wide = width + beside + fabs(leg->toe_joint.x);
    const double wide_x = wide * fabs(left.x) + beside, wide_z = wide * fabs(left.z) + beside;
    box.bottom -= width * fabs(left.y);
    box.low_x -= wide_x;
    box.high_x += wide_x;
    box.low_z -= wide_z;
    box.high_z += wide_z;
    return box;
}

/// Ground below a flat sole, relative places and heights.
typedef struct Prints {
    double x[SNW_CORE_SOLE], z[SNW_CORE_SOLE], y[SNW_CORE_SOLE];
    int held; ///< so many of them, from the heel, are of the stiff part
} Prints;

static Prints take_prints(
    const snw_WalkLegBody *leg, snw_View *view, double x, double z, double heading, bool is_exact)
{
    Prints prints;
    sinew_GroundPlace places[SNW_CORE_SOLE];
    double rows[SNW_CORE_ROWS], s, c;
    place_rows(leg, rows);
    sinew_sincos(heading, &s, &c);
    for (int r = 0, i = 0; r < SNW_CORE_ROWS; ++r) {
        const double along = rows[r], width = half_width(leg, along);
        for (int column = 0; column < SNW_CORE_COLUMNS; ++column, ++i) {
            const double aside = (column - 1) * width;
            places[i].x = x + aside * c + along * s;
            places[i].z = z - aside * s + along * c;
            prints.x[i] = aside;
            prints.z[i] = along;
        }
    }
    // a second step of one tick may find that no more may be asked
    if (is_exact && (view->is_between || view->allowance >= SNW_CORE_SOLE)) {
        snw_view_ask_all(view, places, SNW_CORE_SOLE, prints.y);
    } else {
        snw_view_gather(view, places, SNW_CORE_SOLE);
        for (int i = 0; i < SNW_CORE_SOLE; ++i) {
            prints.y[i] = snw_view_height(view, places[i].x, places[i].z, NULL);
        }
    }
    prints.held = leg->def.toe >= 0 ? SNW_CORE_SOLE - TOE_ROWS * SNW_CORE_COLUMNS : SNW_CORE_SOLE;
    return prints;
}

/// Plane y = height + across x + along z of least squares through the stiff part.
typedef struct Plane {
    double height, across, along;
} Plane;

static Plane fit_plane(const Prints *prints)
{
    double n = prints->held, sx = 0.0, sz = 0.0, sy = 0.0;
    for (int i = 0; i < prints->held; ++i) {
        sx += prints->x[i];
        sz += prints->z[i];
        sy += prints->y[i];
    }
    double mx = sx / n, mz = sz / n, my = sy / n;
    double xx = 1e-12, zz = 1e-12, xz = 0.0, xy = 0.0, zy = 0.0;
    for (int i = 0; i < prints->held; ++i) {
        double x = prints->x[i] - mx, z = prints->z[i] - mz, y = prints->y[i] - my;
        xx += x * x;
        zz += z * z;
        xz += x * z;
        xy += x * y;
        zy += z * y;
    }
    double det = xx * zz - xz * xz;
    Plane plane;
    plane.across = (xy * zz - zy * xz) / det;
    plane.along = (zy * xx - xy * xz) / det;
    plane.height = my - plane.across * mx - plane.along * mz;
    return plane;
}

static double over_plane(const Plane *plane, const Prints *prints, int i)
{
    return prints->y[i] - plane->height - plane->across * prints->x[i]
        - plane->along * prints->z[i];
}

static double tangent(double angle)
{
    double s, c;
    sinew_sincos(snw_clamp(angle, -1.2, 1.2), &s, &c);
    return s / c;
}

/// How far ground may rise above straight lines between its prints of some rows, by how it bends there, along and
/// across. Edges do not bend.
static double bulge(const Prints *prints, int first, int last)
{
    double along = 0.0, across = 0.0;
    for (int r = first; r <= last; ++r) {
        const double *y = &prints->y[SNW_CORE_COLUMNS * r];
        double bend = fabs(y[0] - 2.0 * y[1] + y[2]);
        if (bend < FLATNESS) { across = snw_max(across, bend); }
        for (int i = 0; i < SNW_CORE_COLUMNS && r > first && r < last; ++i) {
            // rows of toes are nearer to each other
            const double *z = &prints->z[SNW_CORE_COLUMNS * r + i], from = z[-SNW_CORE_COLUMNS];
            const double share = (z[0] - from) / (z[SNW_CORE_COLUMNS] - from);
            bend = 2.0
                * fabs(y[i] - snw_mix(y[i - SNW_CORE_COLUMNS], y[i + SNW_CORE_COLUMNS], share));
            if (bend < FLATNESS) { along = snw_max(along, bend); }
        }
    }
    return BULGE * (along + across);
}

/// How far ground may rise above lines between prints below the stiff part of a sole and below its toes, metres.
typedef struct Bulges {
    double held, toes;
} Bulges;

static Bulges find_bulges(const Prints *prints)
{
    const int ball = prints->held / SNW_CORE_COLUMNS - 1, tip = SNW_CORE_ROWS - 1;
    // what rises just before the ball lifts all of a foot: toes that bend more turn about it
    const double held = bulge(prints, 0, ball < tip ? ball + 1 : tip);
    return (Bulges){ held, ball < tip ? snw_max(held, bulge(prints, ball, tip)) : held };
}

/// Lay a plane along the sole so that it touches the ground before and behind its middle: of all planes above
/// it, the one whose heel and ball together are lowest. It is the edge of the upper hull over the middle.
static void lay_along(const Prints *prints, Plane *plane)
{
    double z[SNW_CORE_ROWS], y[SNW_CORE_ROWS];
    int rows = prints->held / SNW_CORE_COLUMNS;
    for (int r = 0; r < rows; ++r) {
        z[r] = prints->z[SNW_CORE_COLUMNS * r];
        y[r] = -(double)INFINITY;
        for (int i = SNW_CORE_COLUMNS * r; i < SNW_CORE_COLUMNS * (r + 1); ++i) {
            y[r] = snw_max(y[r], prints->y[i] - plane->across * prints->x[i]);
        }
    }
    double middle = 0.5 * (z[0] + z[rows - 1]), highest = -(double)INFINITY;
    for (int a = 0; a < rows; ++a) {
        for (int b = a + 1; b < rows; ++b) {
            if (z[a] > middle || z[b] < middle) { continue; }
            double along = (y[b] - y[a]) / (z[b] - z[a]), at = y[a] + along * (middle - z[a]);
            if (at <= highest) { continue; }
            highest = at;
            plane->along = snw_clamp(along, -STEEPEST, STEEPEST);
        }
    }
}

/// Gaps below a row of a sole that is so high above its plane, along the normal of that. Where an edge is between two
/// prints is not known: the ground that carries goes on below the whole row then.
static void find_row(const Prints *prints, const Plane *plane, int first, double high,
    double gaps[SNW_PRINT_COLUMNS])
{
    _Static_assert(SNW_CORE_COLUMNS == SNW_PRINT_COLUMNS, "as many beside each other");
    const double slope = plane->along * plane->along + plane->across * plane->across;
    for (int i = 0; i < SNW_CORE_COLUMNS; ++i) {
        const double over = high - over_plane(plane, prints, first + i);
        gaps[i] = snw_max(0.0, over / sqrt(1.0 + slope));
    }
    const double least = snw_row_gap(gaps);
    for (int i = 0; i < SNW_CORE_COLUMNS; ++i) {
        if (gaps[i] - least > SNW_VIEW_EDGE) { gaps[i] = least; }
    }
}

/// What a heel that is over lower ground rolls on: gaps below the plane, but for what lifts all of it.
static void find_heel_gaps(
    const Prints *prints, const Plane *plane, double lifted, snw_Foothold *at)
{
    enum { STIFF = SNW_CORE_ROWS - TOE_ROWS };
    _Static_assert(STIFF == SNW_HEEL_PRINTS, "prints of a heel are rows of the sole");
    for (int r = 0; r < STIFF; ++r) {
        find_row(prints, plane, SNW_CORE_COLUMNS * r, -lifted, at->heel_gaps[r]);
    }
}

/// A plane that the sole can lie on, above all of its ground. A foot that cannot be rolled as far as the
/// ground is stands on its higher edge.
static Plane lay_plane(const snw_WalkLegBody *leg, const Prints *prints, double bulges)
{
    Plane plane = fit_plane(prints);
    double most = 0.0, least = 0.0;
    for (int i = 0; i < prints->held; ++i) {
        double over = over_plane(&plane, prints, i);
        most = snw_max(most, over);
        least = snw_min(least, over);
    }
    bool is_steep = fabs(plane.along) > STEEPEST || fabs(plane.across) > STEEPEST_ACROSS;
    if (most - least < 2.0 * (is_steep ? EVEN : FLATNESS)) {
        double right = tangent(snw_min(0.0, leg->roll_lower + ROLL_MARGIN));
        double left = tangent(snw_max(0.0, leg->roll_upper - ROLL_MARGIN));
        plane.across = snw_clamp(plane.across, right, left);
        lay_along(prints, &plane);
    } else {
        plane = (Plane){ prints->y[0], 0.0, 0.0 };
    }
    most = -1e9;
    for (int i = 0; i < prints->held; ++i) { most = snw_max(most, over_plane(&plane, prints, i)); }
    plane.height += most + bulges;
    return plane;
}

/// Bend of toes that touch a point so far out and so high above the sole. They turn about their joint, high above it.
static double bend_onto(double out, double over, double high)
{
    double up = over - high, way = sqrt(out * out + up * up);
    return sinew_atan2(up, out) + sinew_asin(snw_min(1.0, high / way));
}

/// What a point with nothing below it counts for.
static double overhang_of(int i, int held)
{
    const int toes = SNW_CORE_SOLE - held;
    if (toes == 0) { return 1.0 / SNW_CORE_SOLE; }
    return i < held ? (1.0 - TOE_SHARE) / held : TOE_SHARE / toes;
}

/// A foot that lies on a plane and points along its heading, seen from above: the shortest way onto the plane would
/// turn it aside, onto ground that is not below its prints.
static sinew_Quat lie_on(const Plane *plane, double heading)
{
    const double pitch = sinew_atan2(plane->along, 1.0);
    const double roll = sinew_atan2(plane->across, sqrt(1.0 + plane->along * plane->along));
    const sinew_Quat level = sinew_quat_from_axis_angle(snw_up_axis, heading);
    return snw_quat_on_z(snw_quat_on_x(level, -pitch), roll);
}

/// A sole on its plane: what of it carries, and how its toes bend.
typedef struct Rest {
    double overhang, depth, bend;
    bool tips_carry;
} Rest;

static Rest rest_on(
    const snw_WalkLegBody *leg, const Prints *prints, const Plane *plane, double bulges, bool bends)
{
    const double upper = snw_min(MOST_TOE, leg->toe_upper),
                 lower = snw_max(-TOE_DOWN, leg->toe_lower);
    Rest rest = { 0.0, 0.0, snw_min(0.0, lower), false };
    for (int i = 0; i < SNW_CORE_SOLE; ++i) {
        double over = over_plane(plane, prints, i);
        if (over < -CARRIES) { rest.overhang += overhang_of(i, prints->held); }
        if (i >= SNW_CORE_SOLE - SNW_CORE_COLUMNS && over >= -CARRIES) { rest.tips_carry = true; }
        if (i < prints->held) { continue; }
        // toes follow what is higher or lower than the plane of the sole
        double out = snw_max(1e-3, prints->z[i] - leg->toe_joint.z);
        if (bends || over + bulges > 0.0) {
            rest.bend = snw_max(rest.bend, bend_onto(out, over + bulges, leg->toe_height));
        }
        if (rest.bend > upper) { rest.depth = snw_max(rest.depth, (rest.bend - upper) * out); }
    }
    return rest;
}

static snw_CoreFit tell_fit(double x, double z, const Plane *plane, const Rest *rest)
{
    return (snw_CoreFit){ { x, plane->height, z }, plane->along,
        sqrt(plane->along * plane->along + plane->across * plane->across), rest->overhang,
        rest->depth };
}

snw_CoreFit snw_core_judge(
    const snw_WalkLegBody *leg, snw_View *view, double x, double z, double heading)
{
    Prints prints = take_prints(leg, view, x, z, heading, false);
    const Bulges bulges = find_bulges(&prints);
    Plane plane = lay_plane(leg, &prints, bulges.held);
    Rest rest = rest_on(leg, &prints, &plane, bulges.toes, false);
    return tell_fit(x, z, &plane, &rest);
}

/// A sole on its plane somewhere.
typedef struct Lying {
    const snw_WalkLegBody *leg;
    const Prints *prints;
    const Plane *plane;
    double x, z, s, c; ///< of the place and the heading
} Lying;

/// Whether a point of the sole has ground below it; by its print.
static bool carries(const Lying *sole, int print)
{
    return over_plane(sole->plane, sole->prints, print) >= -CARRIES;
}

/// How far the ground below a column of the sole, so far along it, is above its plane; asked anew.
static double ask_over(const Lying *sole, snw_View *view, int column, double along)
{
    const double aside = (column - 1) * half_width(sole->leg, along);
    const sinew_GroundPlace place = { sole->x + aside * sole->c + along * sole->s,
        sole->z - aside * sole->s + along * sole->c };
    double height;
    snw_view_ask_all(view, &place, 1, &height);
    return height - sole->plane->height - sole->plane->across * aside - sole->plane->along * along;
}

/// An edge across a sole: where along that its farthest side is, and how much farther out its left side than its right one.
typedef struct Edge {
    double along, askew;
    bool drops; ///< false: the ground only bends away below it
} Edge;

/// Where along a column its last edge is, the last row that may carry and the way out being these.
static Edge find_end(const Lying *sole, snw_View *view, int column, int row, int out)
{
    enum { COLUMNS = SNW_CORE_COLUMNS };
    while (row >= 0 && row < SNW_CORE_ROWS && !carries(sole, COLUMNS * row + column)) {
        row -= out;
    }
    if (row < 0 || row >= SNW_CORE_ROWS) {
        return (Edge){ sole->prints->z[out > 0 ? 0 : SNW_CORE_SOLE - 1], 0.0, true };
    }
    const int in = COLUMNS * row + column, beyond = in + COLUMNS * out;
    double near = sole->prints->z[in], far = sole->prints->z[beyond];
    double high = over_plane(sole->plane, sole->prints, in);
    double low = over_plane(sole->plane, sole->prints, beyond);
    for (int k = 0; k < EDGE_HALVINGS; ++k) {
        const double middle = 0.5 * (near + far);
        const double over = ask_over(sole, view, column, middle);
        const bool holds = over >= -CARRIES;
        near = holds ? middle : near;
        high = holds ? over : high;
        far = holds ? far : middle;
        low = holds ? low : over;
    }
    return (Edge){ 0.5 * (near + far), 0.0, high - low > EVEN };
}

/// The last edge between a row that carries and the next one on the way out, that does not. A guess where too little may be
/// asked.
static Edge find_edge(const Lying *sole, snw_View *view, int row, int out)
{
    enum { COLUMNS = SNW_CORE_COLUMNS, LEFT = COLUMNS - 1 };
    const double *z = sole->prints->z;
    if (view->allowance < EDGE_PLACES) {
        ++view->guess_count;
        return (Edge){ 0.5 * (z[COLUMNS * row] + z[COLUMNS * (row + out)]), 0.0, true };
    }
    // edges are straight: between two sides the middle has nothing new to say
    if (!carries(sole, COLUMNS * row) && !carries(sole, COLUMNS * row + LEFT)) {
        return find_end(sole, view, 1, row, out);
    }
    const Edge right = find_end(sole, view, 0, row, out);
    const Edge left = find_end(sole, view, LEFT, row, out);
    const double askew = out * (left.along - right.along);
    return (Edge){ askew > 0.0 ? left.along : right.along, askew, left.drops || right.drops };
}

/// How far heel and tip stick out over edges. A foot without toes goes on over its tip: turned about an edge, it would
/// catch that as it leaves.
static void find_overs(const Lying *sole, snw_View *view, snw_Foothold *at)
{
    int first = 0, last = SNW_CORE_SOLE - 1;
    while (first < last && !carries(sole, first)) { ++first; }
    while (last > first && !carries(sole, last)) { --last; }
    const int from = first / SNW_CORE_COLUMNS, to = last / SNW_CORE_COLUMNS;
    if (from > 0) {
        const Edge edge = find_edge(sole, view, from, -1);
        at->heel_over = edge.drops ? edge.along - sole->leg->heel : 0.0;
        at->heel_askew = edge.drops ? edge.askew : 0.0;
    }
    if (to + 1 < SNW_CORE_ROWS && sole->leg->def.toe >= 0) {
        const Edge edge = find_edge(sole, view, to, 1);
        at->tip_over = edge.drops ? sole->leg->tip - edge.along : 0.0;
        at->tip_askew = edge.drops ? edge.askew : 0.0;
    }
}

/// What a foot with its heel up rolls on: gaps below its bent toes, but for what lifts all of it. Toes that alone stick out
/// over an edge turn over it.
static void find_toe_gaps(const snw_WalkLegBody *leg, const Prints *prints, const Plane *plane,
    double lifted, snw_Foothold *at)
{
    enum { BALL = SNW_CORE_ROWS - 1 - TOE_ROWS };
    _Static_assert(TOE_ROWS + 1 == SNW_TOE_PRINTS, "prints of toes are rows of the sole");
    const bool tips_hang = at->tip_over > 0.0 && snw_ball_over(leg, at) <= 0.0;
    double s, c;
    sinew_sincos(at->toe_base, &s, &c);
    for (int r = 0; r < SNW_TOE_PRINTS; ++r) {
        const int first = SNW_CORE_COLUMNS * (BALL + r);
        const double out = prints->z[first] - leg->toe_joint.z;
        // of the line of the sole above where the print is: points of bent toes are elsewhere
        const double high = leg->toe_height + (out * s - leg->toe_height) / c - lifted;
        find_row(prints, plane, first, high, at->toe_gaps[r]);
        if (tips_hang && snw_row_gap(at->toe_gaps[r]) > FLATNESS) {
            memset(at->toe_gaps[r], 0, sizeof at->toe_gaps[r]);
        }
    }
}

/// Ask how far the ground rises in the middle between prints that it bends below, where that may be asked.
static void ask_bulges(snw_View *view, const snw_Foothold *at, const Prints *prints, Bulges *bulges)
{
    enum { CELLS = SNW_CORE_COLUMNS - 1, COUNT = CELLS * (SNW_CORE_ROWS - 1) };
    if (bulges->toes < BULGES || !(view->is_between || view->allowance >= COUNT)) { return; }
    sinew_GroundPlace places[COUNT];
    double heights[COUNT], means[COUNT], s, c;
    sinew_sincos(at->heading, &s, &c);
    for (int i = 0; i < COUNT; ++i) {
        const int first = i / CELLS * SNW_CORE_COLUMNS + i % CELLS;
        double aside = 0.0, along = 0.0;
        means[i] = 0.0;
        for (int k = 0; k < 4; ++k) {
            const int corner = first + k % 2 + k / 2 * SNW_CORE_COLUMNS;
            aside += 0.25 * prints->x[corner];
            along += 0.25 * prints->z[corner];
            means[i] += 0.25 * prints->y[corner];
        }
        places[i].x = at->ground.x + aside * c + along * s;
        places[i].z = at->ground.z - aside * s + along * c;
    }
    snw_view_ask_all(view, places, COUNT, heights);
    const int held = prints->held / SNW_CORE_COLUMNS * CELLS;
    double rise[2] = { 0.0, 0.0 };
    for (int i = 0; i < COUNT; ++i) {
        double *most = &rise[i < held ? 0 : 1];
        *most = snw_max(*most, heights[i] - means[i]);
    }
    bulges->held = snw_min(bulges->held, rise[0] + STILL_BULGES * bulges->held);
    bulges->toes = snw_min(bulges->toes, snw_max(rise[0], rise[1]) + STILL_BULGES * bulges->toes);
}

snw_Foothold snw_core_fit(const snw_WalkLegBody *leg, snw_View *view, double x, double z,
    double heading, snw_CoreFit *out_fit)
{
    Prints prints = take_prints(leg, view, x, z, heading, true);
    Bulges bulges = find_bulges(&prints);
    snw_Foothold at;
    memset(&at, 0, sizeof at);
    at.ground = sinew_vec3(x, 0.0, z);
    at.heading = heading;
    ask_bulges(view, &at, &prints, &bulges);
    Plane plane = lay_plane(leg, &prints, bulges.held);
    Rest rest = rest_on(leg, &prints, &plane, bulges.toes, true);
    if (out_fit != NULL) { *out_fit = tell_fit(x, z, &plane, &rest); }
    at.ground.y = plane.height;
    Lying lying = { .leg = leg, .prints = &prints, .plane = &plane, .x = x, .z = z };
    sinew_sincos(heading, &lying.s, &lying.c);
    find_overs(&lying, view, &at);
    // toes that stick out over an edge carry nothing: the foot rolls on over the ball
    double cap = snw_core_toe_cap(leg), upper = snw_min(MOST_TOE, leg->toe_upper);
    if (!rest.tips_carry) {
        at.toe_more = snw_max(0.0, snw_min(TOE_MORE, leg->toe_upper - cap));
        rest.bend = snw_max(rest.bend, 0.0);
    }
    at.toe_base = leg->def.toe >= 0 ? snw_min(rest.bend, upper) : 0.0;
    find_heel_gaps(&prints, &plane, bulges.held, &at);
    if (leg->def.toe >= 0) { find_toe_gaps(leg, &prints, &plane, bulges.toes, &at); }
    at.basis = lie_on(&plane, heading);
    return at;
}

/// How far a point of a sole is below what is seen of the ground; was: its height before.
static double depth_at(
    snw_View *view, const snw_ViewRange *range, sinew_Vec3 point, double was, double least)
{
    if (range->roof - point.y <= least) { return least; }
    bool is_edge;
    double height = snw_view_height_in(view, range, point.x, point.z, &is_edge);
    if (is_edge) {
        const bool is_seen = snw_view_sees_beside(view, point.x, point.z, &height);
        // where a tick has asked for all it may it goes no lower than it was; between two ticks nothing is asked
        const bool is_spent = !is_seen && !view->is_between;
        if (is_spent && point.y < was) { return snw_max(least, was - point.y); }
        if (!is_seen || height - was > EDGE_DEPTH) { return least; }
    }
    return snw_max(least, height - point.y);
}

double snw_core_depth(const snw_WalkLegBody *leg, snw_View *view, const snw_FootPose *pose,
    const snw_FootPose *before, double share, double least)
{
    sinew_Vec3 way = sinew_vec3_scale(
        sinew_vec3_sub(pose->foot.position, before->foot.position), share);
    way.y = 0.0;
    snw_SoleBox box = snw_core_sole_box(leg, pose, 0.0);
    box.low_x += snw_min(0.0, way.x);
    box.high_x += snw_max(0.0, way.x);
    box.low_z += snw_min(0.0, way.z);
    box.high_z += snw_max(0.0, way.z);
    const snw_ViewRange range = snw_view_range(view, &box);
    if (range.roof - box.bottom <= least) { return least; }
    sinew_Vec3 points[SNW_CORE_SOLE], was[SNW_CORE_SOLE];
    snw_core_sole(leg, &pose->foot, pose->toe_bend, points);
    snw_core_sole(leg, &before->foot, before->toe_bend, was);
    const bool has_edges = !(range.roof - range.floor < SNW_VIEW_EDGE);
    double deepest = least;
    for (int i = 0; i < SNW_CORE_SOLE; ++i) {
        deepest = depth_at(view, &range, points[i], was[i].y, deepest);
        if (!has_edges) { continue; }
        deepest = depth_at(view, &range, sinew_vec3_add(points[i], way), points[i].y, deepest);
    }
    return deepest;
}
