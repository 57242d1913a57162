// Which kind of joint axes are, and the angles that turn it as wanted: closed forms for hinges at right angles and balls.

#include "walk/joint_set.h"

#include "math/holds.h"
#include "math/quat.h"
#include "walk/gait.h"

// Two directions are at right angles within this (cosine).
#define SQUARE 1e-6
// Bounds are passed by rounding alone, and what axes leave of a turn is that, radians.
#define ROUNDING 1e-12
// The first and third of two hinges and what they leave turn about one axis where the cosine of the second is less.
#define LEAST_COSINE 1e-3

static bool is_square(sinew_Vec3 a, sinew_Vec3 b)
{
    return fabs(sinew_vec3_dot(a, b)) < SQUARE;
}

static void take_hinge(
    snw_JointSet *set, int index, const sinew_Axis *axis, int axis_index, int coordinate)
{
    SNW_ASSERT(index >= 0 && index < 3);
    set->coordinates[index] = coordinate;
    set->axis_of[index] = axis_index;
    set->axes[index] = axis->direction;
    set->lower[index] = axis->lower;
    set->upper[index] = axis->upper;
    sinew_sincos(axis->lower, &set->at_lower[index][0], &set->at_lower[index][1]);
    sinew_sincos(axis->upper, &set->at_upper[index][0], &set->at_upper[index][1]);
    set->rest[index] = axis->rest;
}

/// Hinges and balls met so far.
typedef struct Met {
    int hinges, balls;
} Met;

static void take_axes(
    const sinew_Skeleton *skeleton, const sinew_Joint *joint, snw_JointSet *set, Met *met)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
        if (axes[a].kind == SINEW_AXIS_SLIDE) { continue; }
        if (axes[a].kind == SINEW_AXIS_BALL) {
            set->coordinates[0] = places[a].coordinate;
            set->axis_of[0] = a;
            set->limit = axes[a].limit;
            ++met->balls;
            continue;
        }
        if (met->hinges < 3) { take_hinge(set, met->hinges, &axes[a], a, places[a].coordinate); }
        ++met->hinges;
    }
}

// the frame of two or three hinges
static void find_frame(snw_JointSet *set)
{
    const sinew_Vec3 a = set->axes[0], b = set->axes[1];
    const sinew_Mat3 frame = { a, b, sinew_vec3_cross(a, b) };
    set->socket_from_hinges = sinew_quat_from_mat3(frame);
    set->hinges_from_parent = snw_quat_mul(
        sinew_quat_conjugate(set->socket_from_hinges), set->socket_from_parent);
}

// r1 R(a1) r2 R(a2) ... = (r1 r2 ...) R(a1') R(a2'): hinges are turned into the frame of the last joint, rests
// of all are taken together
static Met take_joints(
    const sinew_Skeleton *skeleton, int first, int last, snw_JointSet *set, sinew_Quat *out_rest)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    Met met = { 0, 0 };
    sinew_Quat rest = joints[first].rest_rotation;
    take_axes(skeleton, &joints[first], set, &met);
    for (int j = first + 1; j <= last; ++j) {
        if (!sinew_skeleton_is_ancestor(skeleton, j, last)) { continue; }
        sinew_Quat back = sinew_quat_conjugate(joints[j].rest_rotation);
        for (int k = 0; k < met.hinges && k < 3; ++k) {
            set->axes[k] = sinew_quat_rotate(back, set->axes[k]);
        }
        rest = snw_quat_mul(rest, joints[j].rest_rotation);
        take_axes(skeleton, &joints[j], set, &met);
    }
    *out_rest = rest;
    return met;
}

snw_JointSet snw_joint_set(const sinew_Skeleton *skeleton, int first, int last)
{
    SNW_ASSERT(first >= 0 && last < sinew_skeleton_joint_count(skeleton));
    snw_JointSet set = { .kind = SNW_JOINT_FIXED, .handed = 1.0 };
    sinew_Quat rest;
    Met met = take_joints(skeleton, first, last, &set, &rest);
    int hinges = met.hinges, balls = met.balls;
    set.socket_from_parent = sinew_quat_conjugate(rest);
    if (balls == 1) {
        set.kind = hinges == 0 ? SNW_JOINT_BALL : SNW_JOINT_OTHER;
    } else if (hinges == 1) {
        set.kind = SNW_JOINT_ONE;
    } else if (hinges == 2) {
        set.kind = is_square(set.axes[0], set.axes[1]) ? SNW_JOINT_TWO : SNW_JOINT_OTHER;
        set.axes[2] = sinew_vec3_cross(set.axes[0], set.axes[1]);
    } else if (hinges == 3) {
        bool square = is_square(set.axes[0], set.axes[1]) && is_square(set.axes[1], set.axes[2])
            && is_square(set.axes[0], set.axes[2]);
        set.kind = square ? SNW_JOINT_THREE : SNW_JOINT_OTHER;
        sinew_Vec3 cross = sinew_vec3_cross(set.axes[0], set.axes[1]);
        set.handed = sinew_vec3_dot(cross, set.axes[2]) > 0.0 ? 1.0 : -1.0;
    } else if (hinges > 3 || balls > 1) {
        set.kind = SNW_JOINT_OTHER;
    }
    if (set.kind == SNW_JOINT_TWO || set.kind == SNW_JOINT_THREE) { find_frame(&set); }
    return set;
}

sinew_Quat snw_joint_rotation(const snw_JointSet *set, const double *q)
{
    sinew_Quat turn = sinew_quat_conjugate(set->socket_from_parent);
    if (set->kind == SNW_JOINT_BALL) {
        return snw_quat_mul(turn, snw_quat_load(&q[set->coordinates[0]]));
    }
    for (int k = 0; k < snw_joint_count(set); ++k) {
        turn = snw_quat_mul(turn, sinew_quat_from_axis_angle(set->axes[k], q[set->coordinates[k]]));
    }
    return turn;
}

int snw_joint_count(const snw_JointSet *set)
{
    switch (set->kind) {
    case SNW_JOINT_ONE: return 1;
    case SNW_JOINT_TWO: return 2;
    case SNW_JOINT_THREE: return 3;
    case SNW_JOINT_BALL: return 4;
    default: return 0;
    }
}

static int coordinate_of(const snw_JointSet *set, int k)
{
    return set->kind == SNW_JOINT_BALL ? set->coordinates[0] + k : set->coordinates[k];
}

void snw_joint_read(const snw_JointSet *set, const double *q, double out_values[4])
{
    for (int k = 0; k < snw_joint_count(set); ++k) { out_values[k] = q[coordinate_of(set, k)]; }
}

void snw_joint_write(const snw_JointSet *set, const double values[4], double *q)
{
    for (int k = 0; k < snw_joint_count(set); ++k) { q[coordinate_of(set, k)] = values[k]; }
}

// the same angle, less than half a turn away from another
static double near_to(double angle, double other)
{
    double away = other - angle;
    double turns = fabs(away) < 3.0 ? 0.0 : floor(away / (2.0 * SINEW_PI) + 0.5);
    return angle + turns * 2.0 * SINEW_PI;
}

// value: near to the angle before
static bool set_angle(const snw_JointSet *set, int index, double value, double *q)
{
    // the usual
    if (value >= set->lower[index] && value <= set->upper[index]) {
        q[set->coordinates[index]] = value;
        return true;
    }
    // a turn that only a bound of another turn allows
    if (value > set->upper[index] + ROUNDING && value - 2.0 * SINEW_PI >= set->lower[index]) {
        value -= 2.0 * SINEW_PI;
    } else if (value < set->lower[index] - ROUNDING
        && value + 2.0 * SINEW_PI <= set->upper[index]) {
        value += 2.0 * SINEW_PI;
    }
    double lower = set->lower[index], upper = set->upper[index];
    double held = value < lower ? lower : (value > upper ? upper : value);
    q[set->coordinates[index]] = held;
    return fabs(held - value) <= ROUNDING;
}

/// A rotation in the frame of the hinges, R = about x (alpha), y (beta), z (gamma): sine and cosine of beta; of the others, of
/// which those of gamma are the other way round where hinges are left-handed, so many times the cosine of beta. Of two hinges
/// z is matched as a direction:  R z = (sin(beta), -cos(beta) sin(alpha), cos(beta) cos(alpha))
typedef struct Turned {
    double alpha[2], beta[2], gamma[2];
} Turned;

SNW_ALWAYS_INLINE Turned find_turned(const snw_JointSet *set, sinew_Quat parent_from_joint)
{
    const sinew_Quat r = snw_quat_mul(
        snw_quat_mul(set->hinges_from_parent, parent_from_joint), set->socket_from_hinges);
    const double s = snw_clamp(2.0 * (r.x * r.z + r.w * r.y), -1.0, 1.0);
    const Turned turned = {
        { 2.0 * (r.w * r.x - r.y * r.z), 1.0 - 2.0 * (r.x * r.x + r.y * r.y) },
        { s, sqrt((1.0 - s) * (1.0 + s)) },
        { 2.0 * (r.w * r.z - r.x * r.y), 1.0 - 2.0 * (r.y * r.y + r.z * r.z) },
    };
    return turned;
}

/// By how much angles are outside of their ranges, whole turns aside.
static double sum_outside(const snw_JointSet *set, const double angles[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double least = (double)INFINITY;
        for (int turn = -1; turn <= 1; ++turn) {
            const double angle = angles[k] + turn * 2.0 * SINEW_PI;
            least = snw_min(least, snw_max(set->lower[k] - angle, angle - set->upper[k]));
        }
        sum += snw_positive(least);
    }
    return sum;
}

/// The angles of two or three hinges that turn as near to a rotation as their axes allow, near to those before; whether that
/// is all of it.
static bool find_angles(
    const snw_JointSet *set, const Turned *turned, const double before[3], double out_angles[3])
{
    const double alpha = sinew_atan2(turned->alpha[0], turned->alpha[1]);
    const double beta = sinew_atan2(turned->beta[0], turned->beta[1]);
    out_angles[0] = near_to(alpha, before[0]);
    out_angles[1] = near_to(beta, before[1]);
    const double *side = turned->gamma;
    if (set->kind == SNW_JOINT_TWO) { return fabs(side[0]) < ROUNDING * side[1]; }
    double gamma = set->handed * sinew_atan2(side[0], side[1]);

    // the other solution, its alpha on the other side, where it is nearer to the pose before; but none that ranges hold away from
    // what is wanted while they let the one be
    double stay = fabs(out_angles[0] - before[0]) + fabs(out_angles[1] - before[1]);
    if (stay > 0.5 * SINEW_PI) {
        const double one[3] = { out_angles[0], out_angles[1], gamma };
        const double other[3] = { near_to(alpha + SINEW_PI, before[0]),
            near_to(SINEW_PI - beta, before[1]), gamma + SINEW_PI };
        const bool is_nearer = fabs(other[0] - before[0]) + fabs(other[1] - before[1]) < stay;
        const double more = sum_outside(set, other) - sum_outside(set, one);
        if (more < -ROUNDING || (is_nearer && more <= ROUNDING)) {
            out_angles[0] = other[0];
            out_angles[1] = other[1];
            gamma = other[2];
        }
    }
    out_angles[2] = near_to(gamma, before[2]);
    return true;
}

// of one hinge
static bool find_angle(
    const snw_JointSet *set, sinew_Quat parent_from_joint, double before, double *out_angle)
{
    sinew_Quat turn = snw_quat_mul(set->socket_from_parent, parent_from_joint);
    sinew_Vec3 v = { turn.x, turn.y, turn.z };
    *out_angle = near_to(2.0 * sinew_atan2(sinew_vec3_dot(v, set->axes[0]), turn.w), before);
    return sinew_vec3_length(sinew_vec3_cross(v, set->axes[0])) < 0.5 * ROUNDING;
}

sinew_Quat snw_joint_nearest(const snw_JointSet *set, sinew_Quat parent_from_joint, const double *q)
{
    SNW_ASSERT(set->kind == SNW_JOINT_TWO);
    // what they leave is turned back about the third axis, where it is known and less than a quarter
    const Turned turned = find_turned(set, parent_from_joint);
    const double *left = turned.gamma, size = sqrt(left[0] * left[0] + left[1] * left[1]);
    if (!(left[1] > 0.0 && size > LEAST_COSINE)) { return snw_joint_rotation(set, q); }
    const double c = sqrt(0.5 * (1.0 + left[1] / size)), s = -0.5 * left[0] / (size * c);
    const sinew_Vec3 axis = sinew_vec3_scale(set->axes[2], s);
    return snw_quat_mul(parent_from_joint, (sinew_Quat){ axis.x, axis.y, axis.z, c });
}

/// Whether an angle is so far inside of its range: it is no less than its sine. s, c: of the angle, size times.
static bool is_inside(
    const snw_JointSet *set, int index, double s, double c, double size, double room)
{
    const double *lower = set->at_lower[index], *upper = set->at_upper[index];
    return s * lower[1] - c * lower[0] > room * size && c * upper[0] - s * upper[1] > room * size;
}

static bool are_inside(const snw_JointSet *set, const Turned *turned, double room)
{
    const double *a = turned->alpha, *b = turned->beta, *g = turned->gamma;
    return is_inside(set, 0, a[0], a[1], b[1], room) && is_inside(set, 1, b[0], b[1], 1.0, room)
        && (set->kind == SNW_JOINT_TWO || is_inside(set, 2, set->handed * g[0], g[1], b[1], room));
}

static snw_JointTurn turn_ball(const snw_JointSet *set, sinew_Quat turn, double *q)
{
    SNW_ASSERT(snw_holds_unit(turn));
    double *at = &q[set->coordinates[0]];
    snw_JointTurn turned = SNW_TURN_WHOLE;
    if (set->limit != NULL && !sinew_ball_limit_allows(set->limit, turn)) {
        turn = sinew_ball_limit_clamp(set->limit, turn);
        turned = SNW_TURN_HELD;
    }
    // the sign that goes on from the pose before
    double dot = turn.x * at[0] + turn.y * at[1] + turn.z * at[2] + turn.w * at[3];
    double sign = dot < 0.0 ? -1.0 : 1.0;
    at[0] = sign * turn.x;
    at[1] = sign * turn.y;
    at[2] = sign * turn.z;
    at[3] = sign * turn.w;
    return turned;
}

snw_JointTurn snw_joint_turn(const snw_JointSet *set, sinew_Quat parent_from_joint, double *q)
{
    SNW_ASSERT(snw_holds_unit(parent_from_joint));
    if (set->kind == SNW_JOINT_BALL) {
        return turn_ball(set, snw_quat_mul(set->socket_from_parent, parent_from_joint), q);
    }
    const int count = snw_joint_count(set);
    if (count == 0) { return SNW_TURN_NEAR; }
    double before[3], angles[3];
    for (int k = 0; k < count; ++k) { before[k] = q[set->coordinates[k]]; }
    bool is_whole, is_free = true;
    if (set->kind == SNW_JOINT_ONE) {
        is_whole = find_angle(set, parent_from_joint, before[0], angles);
    } else {
        const Turned turned = find_turned(set, parent_from_joint);
        is_whole = find_angles(set, &turned, before, angles);
    }
    for (int k = 0; k < count; ++k) { is_free = set_angle(set, k, angles[k], q) && is_free; }
    return !is_free ? SNW_TURN_HELD : is_whole ? SNW_TURN_WHOLE : SNW_TURN_NEAR;
}

bool snw_joint_keep_ball(const snw_JointSet *set, sinew_Quat *parent_from_joint)
{
    SNW_ASSERT(set->kind == SNW_JOINT_BALL && snw_holds_unit(*parent_from_joint));
    const sinew_Quat turn = snw_quat_mul(set->socket_from_parent, *parent_from_joint);
    if (set->limit == NULL || sinew_ball_limit_allows(set->limit, turn)) { return true; }
    *parent_from_joint = snw_quat_mul(
        sinew_quat_conjugate(set->socket_from_parent), sinew_ball_limit_clamp(set->limit, turn));
    return false;
}

double snw_joint_excess(const snw_JointSet *set, sinew_Quat parent_from_joint, double room)
{
    SNW_ASSERT(snw_holds_unit(parent_from_joint));
    double most = -SINEW_PI;
    if (set->kind == SNW_JOINT_BALL) {
        sinew_Quat turn = snw_quat_mul(set->socket_from_parent, parent_from_joint);
        if (set->limit == NULL || sinew_ball_limit_allows(set->limit, turn)) { return most; }
        return sinew_quat_angle(turn, sinew_ball_limit_clamp(set->limit, turn));
    }
    const int count = snw_joint_count(set);
    if (count == 0) { return most; }
    double angles[3];
    if (set->kind == SNW_JOINT_ONE) {
        (void)find_angle(set, parent_from_joint, set->rest[0], angles);
    } else {
        const Turned turned = find_turned(set, parent_from_joint);
        if (are_inside(set, &turned, room)) { return -room; }
        (void)find_angles(set, &turned, set->rest, angles);
    }
    for (int k = 0; k < count; ++k) {
        most = fmax(most, fmax(set->lower[k] - angles[k], angles[k] - set->upper[k]));
    }
    return most;
}
