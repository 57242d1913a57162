// Where a standing foot is at a pitch: on its heel, flat, on ball and toes, or on the tip of the toes alone.

#include "walk/foot_roll.h"

#include "math/holds.h"
#include "math/quat.h"
#include "walk/gait.h"

// Toes bend as the heel rises up to this share of their range; then they give way more and more and
// the foot goes on over their tip.
#define FREE_BEND 0.65
// A foot whose heel is up by this carries by its toes alone, radians.
#define ON_TOES 0.1
// A point of the sole that is nearer to its ground than this is on it, metres.
#define TOUCHES 5e-4
// The sole of a foot that is pitched farther than this cosine says is a wall.
#define LEAST_COSINE 0.1

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

SNW_ALWAYS_INLINE Turn turn_of(double pitch)
{
    Turn turn = { 0.0, 1.0 };
    if (pitch != 0.0) { snw_sincos_usual(pitch, &turn.s, &turn.c); }
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

typedef double Row[SNW_PRINT_COLUMNS];

// the least of a gap, that of row first, and of those of the next ones to last, each of which rises by so much more
static double least_gap(double least, const Row *gaps, int first, int last, double rise)
{
    const int step = last > first ? 1 : -1;
    double up = rise;
    for (int i = first + step; i != last + step && least > 0.0; i += step, up += rise) {
        least = snw_min(least, snw_row_gap(gaps[i]) + up);
    }
    return least;
}

enum { HEEL = 0, BALL = SNW_HEEL_PRINTS - 1, TIP = SNW_TOE_PRINTS - 1 };

// how far a foot with its heel on its plane and its toes up is above the ground
static double heel_gap(const snw_WalkLegBody *leg, const snw_Foothold *at, Turn turn)
{
    double rise = (leg->ball - leg->heel) / BALL * turn.s;
    return least_gap(snw_row_gap(at->heel_gaps[HEEL]), at->heel_gaps, HEEL, BALL, rise);
}

// How far a foot with its heel up, whose toes have turned by more than they lay, is above the ground; up: how much
// higher their joint is for that; turn: of the pitch.
static double ball_gap(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double up, Turn turn, Turn more)
{
    const double toes = leg->tip - leg->ball;
    // the sole of the stiff part turns about the joint, which is above it
    const double joint = up + leg->toe_height * (1.0 - turn.c) - leg->toe_joint.z * turn.s;
    const double ball = joint + leg->ball * turn.s;
    double least = snw_row_gap(at->toe_gaps[TIP]);
    least = least_gap(least, at->toe_gaps, TIP, 0, -toes / TIP * more.s);
    double stiff = -(leg->ball - leg->heel) / BALL * turn.s;
    least = snw_min(least - ball, snw_row_gap(at->heel_gaps[BALL]));
    return snw_max(0.0, ball + least_gap(least, at->heel_gaps, BALL, HEEL, stiff));
}

/// A foot in the plane of rolling, origin below the flat ankle.
typedef struct Rolled {
    Point ankle;
    double bend; ///< of the toes
    double more; ///< what these turn beyond where they lay, <= 0
    double down; ///< how far it comes down from where it would be on a plane
} Rolled;

/// Where the ankle is when the foot has turned about a point of its flat sole.
static Point turned_about(const snw_WalkLegBody *leg, double pivot, Turn turn)
{
    Point up = turned_by((Point){ -pivot, leg->ankle_height }, turn);
    return (Point){ pivot + up.z, up.y };
}

/// Bend of toes that stick out over an edge, of a foot that turns about a point of its stiff part: they hang on straight
/// unless the ground below is so near that they have to give way.
static double hanging_bend(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pivot, double pitch, Turn turn)
{
    const Point joint = turned_by((Point){ leg->toe_joint.z - pivot, leg->toe_height }, turn);
    const double room = joint.y - leg->toe_height + snw_row_gap(at->toe_gaps[TIP]);
    const double share = room / (leg->tip - leg->toe_joint.z);
    return share >= 1.0 ? 0.0 : snw_max(0.0, -pitch - sinew_asin(snw_max(0.0, share)));
}

/// turn: of the pitch.
SNW_ALWAYS_INLINE Rolled roll(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, Turn turn, double cap)
{
    const double toe_base = at->toe_base;
    Rolled rolled = { .bend = toe_base };
    if (pitch >= 0.0) {
        rolled.ankle = turned_about(leg, leg->heel + at->heel_over, turn);
        if (at->heel_over <= 0.0) { rolled.down = heel_gap(leg, at, turn); }
        return rolled;
    }
    double bend = leg->def.toe >= 0 ? bend_of(-pitch, cap) : 0.0;
    rolled.bend = toe_base + bend;
    const double ball_over = snw_ball_over(leg, at);
    if (ball_over > 0.0) {
        const double pivot = leg->ball - ball_over;
        rolled.ankle = turned_about(leg, pivot, turn);
        rolled.bend = toe_base + snw_min(bend, hanging_bend(leg, at, pivot, pitch, turn));
        return rolled;
    }
    // toes that follow the ground keep their place; the joint is found from their tip
    double joint_z = leg->toe_joint.z, joint_y = leg->toe_height;
    Point joint = { joint_z, joint_y };
    double over = pitch + bend; // what the toes turn, <= 0
    rolled.more = over < -SNW_FLAT_PITCH ? over : 0.0;
    Turn more = turn_of(rolled.more);
    if (over < -SNW_FLAT_PITCH) {
        Point tip = turned((Point){ leg->tip - at->tip_over - joint_z, -joint_y }, toe_base);
        tip.z += joint_z;
        tip.y += joint_y;
        Point back = turned_by((Point){ joint_z - tip.z, joint_y - tip.y }, more);
        joint = (Point){ tip.z + back.z, tip.y + back.y };
    }
    Point up = turned_by((Point){ -joint_z, leg->ankle_height - joint_y }, turn);
    rolled.down = ball_gap(leg, at, joint.y - joint_y, turn, more);
    rolled.ankle = (Point){ joint.z + up.z, joint.y + up.y };
    return rolled;
}

/// The ankle in the frame of the foothold. A foot that leans comes down as one that does not: its ground was laid so.
static sinew_Vec3 ankle_of(const snw_Foothold *at, const Rolled *rolled)
{
    const Turn lean = turn_of(at->lean);
    return (sinew_Vec3){ -rolled->down * lean.s, rolled->ankle.y - rolled->down * lean.c,
        rolled->ankle.z };
}

static sinew_Vec3 placed(const snw_Foothold *at, const Rolled *rolled)
{
    return sinew_vec3_add(at->ground, sinew_quat_rotate(at->basis, ankle_of(at, rolled)));
}

sinew_Vec3 snw_foot_roll_ankle(const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch,
    double toe_cap, double *out_bend)
{
    const Rolled rolled = roll(leg, at, pitch, turn_of(pitch), toe_cap + at->toe_more);
    if (out_bend != NULL) { *out_bend = rolled.bend; }
    return placed(at, &rolled);
}

sinew_Vec3 snw_foot_roll_flat(const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch,
    double toe_cap, double out_turn[2])
{
    Turn turn = turn_of(pitch);
    const Rolled rolled = roll(leg, at, pitch, turn, toe_cap + at->toe_more);
    out_turn[0] = turn.s;
    out_turn[1] = turn.c;
    return ankle_of(at, &rolled);
}

/// Gaps below rows of a sole, as wide as that at the first and at the last of them, that has turned about a line along it, so
/// far to its left.
static void lean_rows(Row *gaps, int rows, double first, double last, double edge, double sine)
{
    for (int r = 0; r < rows; ++r) {
        const double width = snw_mix(first, last, r / (rows - 1.0));
        for (int c = 0; c < SNW_PRINT_COLUMNS; ++c) {
            gaps[r][c] = snw_max(0.0, gaps[r][c] + (width * (c - 1) - edge) * sine);
        }
    }
}

/// The least gap of some rows in a column.
static double least_of(const Row *gaps, int rows, int column)
{
    double least = gaps[0][column];
    for (int r = 1; r < rows; ++r) { least = snw_min(least, gaps[r][column]); }
    return least;
}

/// A foothold turned about a line through a place of its flat foot.
static snw_Foothold lean_about(
    const snw_WalkLegBody *leg, const snw_Foothold *at, sinew_Vec3 place, Turn along, double angle)
{
    const sinew_Vec3 axis = { 0.0, along.s, along.c };
    const sinew_Quat basis = sinew_quat_mul(at->basis, sinew_quat_from_axis_angle(axis, angle));
    const sinew_Vec3 fixed = sinew_vec3_add(at->ground, sinew_quat_rotate(at->basis, place));
    snw_Foothold leant = *at;
    leant.ground = sinew_vec3_sub(fixed, sinew_quat_rotate(basis, place));
    leant.basis = basis;
    leant.lean += angle;
    const double sine = turn_of(angle).s, width = leg->ball_width;
    lean_rows(leant.heel_gaps, SNW_HEEL_PRINTS, leg->heel_width, width, place.x, sine);
    lean_rows(leant.toe_gaps, SNW_TOE_PRINTS, width, width, place.x, sine);
    return leant;
}

/// A foothold turned about an edge of its sole, so far to its left.
static snw_Foothold lean_on_edge(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, double to_left, double angle)
{
    // along toes that carry alone; of a flat foot between their bent tip and the rest of the edge, nearer to what has the lesser
    // gap below it
    const double alone = snw_smoothstep(-pitch / ON_TOES);
    const int side = to_left > 0.0 ? SNW_PRINT_COLUMNS - 1 : 0;
    const double heel = least_of(at->heel_gaps, SNW_HEEL_PRINTS, side) + TOUCHES;
    const double toes = least_of(at->toe_gaps, SNW_TOE_PRINTS, side) + TOUCHES;
    const Point tip = turned(
        (Point){ leg->tip - leg->toe_joint.z, -leg->toe_height }, at->toe_base);
    const sinew_Vec3 place = { to_left,
        snw_mix(heel / (heel + toes), 1.0, alone) * (leg->toe_height + tip.y),
        leg->toe_joint.z + tip.z };
    return lean_about(leg, at, place, turn_of(alone * at->toe_base), angle);
}

/// Which edge a foot turns about first: the other one comes down by so much of the angle until it is on the ground.
static double first_of(const snw_WalkLegBody *leg, double gap, double angle)
{
    return snw_clamp(gap / (2.0 * leg->ball_width), 0.0, fabs(angle));
}

/// A foothold whose foot turns over an edge of the ground, leant: about the end of that which carries, until the other end
/// touches as well.
static snw_Foothold lean_over(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, double angle)
{
    const bool on_heel = pitch > 0.0;
    const double pivot = on_heel ? leg->heel + at->heel_over : leg->ball - snw_ball_over(leg, at);
    const double askew = on_heel ? at->heel_askew : at->tip_askew, out = on_heel ? -1.0 : 1.0;
    const double edge = angle < 0.0 ? leg->ball_width : -leg->ball_width;
    // by how much nearer it is on the side that comes down, and how far the sole is above it there
    const double nearer = snw_max(0.0, edge > 0.0 ? -askew : askew);
    const Turn turn = turn_of(fabs(pitch)), level = { 0.0, 1.0 };
    const double above = nearer * turn.s / snw_max(LEAST_COSINE, turn.c);
    const double first = first_of(leg, above, angle), whole = fabs(angle);
    snw_Foothold leant = *at;
    if (first > 0.0) {
        leant = lean_about(
            leg, &leant, sinew_vec3(-edge, 0.0, pivot), level, copysign(first, angle));
    }
    if (first < whole) {
        const sinew_Vec3 place = { edge, above, pivot - out * nearer };
        leant = lean_about(leg, &leant, place, level, copysign(whole - first, angle));
    }
    return leant;
}

snw_Foothold snw_foothold_rolled(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, double angle)
{
    if (angle == 0.0) { return *at; }
    if (pitch > 0.0 ? at->heel_over > 0.0 : pitch < 0.0 && snw_ball_over(leg, at) > 0.0) {
        return lean_over(leg, at, pitch, angle);
    }
    snw_Foothold rolled = *at;
    // about the edge that carries until the other one has come down onto the ground
    const int to = angle < 0.0 ? SNW_PRINT_COLUMNS - 1 : 0, from = SNW_PRINT_COLUMNS - 1 - to;
    const double gap = snw_mix(least_of(at->heel_gaps, SNW_HEEL_PRINTS, to)
            - least_of(at->heel_gaps, SNW_HEEL_PRINTS, from),
        least_of(at->toe_gaps, SNW_TOE_PRINTS, to) - least_of(at->toe_gaps, SNW_TOE_PRINTS, from),
        snw_smoothstep(-pitch / ON_TOES));
    const double edge = angle < 0.0 ? leg->ball_width : -leg->ball_width, whole = fabs(angle);
    const double first = first_of(leg, gap, angle);
    if (first > 0.0) { rolled = lean_on_edge(leg, &rolled, pitch, -edge, copysign(first, angle)); }
    if (first < whole) {
        rolled = lean_on_edge(leg, &rolled, pitch, edge, copysign(whole - first, angle));
    }
    return rolled;
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
    r.rotation = sinew_quat_normalize(snw_quat_mul(foot->rotation, turn));
    // the point keeps its place
    r.position = sinew_vec3_sub(
        sinew_transform_point(*foot, about), sinew_quat_rotate(r.rotation, about));
    return r;
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

static sinew_Transform placed_foot(const snw_Foothold *at, double pitch, const Rolled *rolled)
{
    sinew_Transform foot;
    foot.position = placed(at, rolled);
    foot.rotation = pitch != 0.0 ? snw_quat_on_x(at->basis, -pitch) : at->basis;
    return foot;
}

sinew_Transform snw_foot_roll_foot(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, double toe_cap)
{
    const Rolled rolled = roll(leg, at, pitch, turn_of(pitch), toe_cap + at->toe_more);
    return placed_foot(at, pitch, &rolled);
}

/// How far a point of the flat sole is above the ground that carries, if it is over that.
static double gap_of(double gap, double over)
{
    return over > 0.0 ? (double)INFINITY : gap;
}

/// What of a foot on its points is on the ground: those of them that are so far above it, and what is between.
static unsigned planted_of(unsigned points, double heel, double ball, double tip)
{
    const unsigned held = (heel < TOUCHES ? SINEW_PLANTED_HEEL : 0u)
        | (ball < TOUCHES ? SINEW_PLANTED_BALL : 0u) | (tip < TOUCHES ? SINEW_PLANTED_TOE : 0u);
    return (held & points) == points ? points : (held & points) | SINEW_PLANTED_SOLE;
}

/// The edge of its sole that a foot is on that leans: where the ground is higher below it, what is held of it has the least
/// gap there.
static unsigned edge_of(const snw_Foothold *at, unsigned planted)
{
    if (at->lean == 0.0) { return 0u; }
    const double *row = at->toe_gaps[TIP];
    if (planted & SINEW_PLANTED_BALL) { row = at->toe_gaps[0]; }
    if (planted & SINEW_PLANTED_HEEL) { row = at->heel_gaps[HEEL]; }
    const double more = row[SNW_PRINT_COLUMNS - 1] - row[0];
    const bool is_left = more != 0.0 ? more < 0.0 : at->lean < 0.0;
    return is_left ? SINEW_PLANTED_LEFT : SINEW_PLANTED_RIGHT;
}

snw_FootPose snw_foot_roll(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, double toe_cap)
{
    snw_FootPose pose;
    const Rolled rolled = roll(leg, at, pitch, turn_of(pitch), toe_cap + at->toe_more);
    const sinew_Transform foot = placed_foot(at, pitch, &rolled);
    snw_foot_points(leg, &foot, rolled.bend, &pose);

    const unsigned toes = SINEW_PLANTED_BALL | SINEW_PLANTED_TOE, flat = toes | SINEW_PLANTED_HEEL;
    const double heel = gap_of(snw_row_gap(at->heel_gaps[HEEL]), at->heel_over) - rolled.down;
    const double ball = gap_of(snw_row_gap(at->toe_gaps[0]), snw_ball_over(leg, at)) - rolled.down;
    const double tip = gap_of(snw_row_gap(at->toe_gaps[TIP]), at->tip_over) - rolled.down;
    if (pitch > SNW_FLAT_PITCH) {
        pose.planted = planted_of(SINEW_PLANTED_HEEL, heel, ball, tip);
    } else if (pitch >= -SNW_FLAT_PITCH) {
        pose.planted = planted_of(flat, heel, ball, tip);
    } else if (rolled.more == 0.0) {
        pose.planted = planted_of(toes, heel, ball, tip);
    } else {
        pose.planted = planted_of(SINEW_PLANTED_TOE, heel, ball, tip);
    }
    pose.edge = edge_of(at, pose.planted);
    return pose;
}
