#ifndef SNW_BALL_LIMIT_H
#define SNW_BALL_LIMIT_H

// The compiled limit of a ball: cheap tests first, responses behind them, and what a solver needs
// to move a ball along its limits.
//
// Everything is in the neutral frame (sinew/limit.h): r is neutral_from_bone, u the bone's direction.
// A step is a rotation vector w there, r <- exp(w) r, so du = w x u. A side of a window is
// n . u >= d, a plane through the joint (d = 0) or a cone (d = cos of its half opening); both are
// left at the rate of w . (u x n)/|u x n|. All constraints are linear in w.

#include "body/swing_twist.h"

/// Directions this far outside a side still count as inside, radians: round-off on seams.
#define SNW_LIMIT_SLACK 1e-13

/// Directions this near to a side, and twists this near to a bound, are on it, radians.
#define SNW_LIMIT_TOUCH 1e-9

/// Rounding of a rotation, as half its angle: a few units in the last place of its quaternion.
#define SNW_TWIST_ROUNDING 4e-15

/// Corners closer than this are one, radians.
#define SNW_CORNER_APART 1e-6

/// A side of a window; inside is n . u >= d. n is a unit vector.
typedef struct snw_Side {
    sinew_Vec3 n;
    double d;
    /// Height over the side per radian away from it, for slacks: the radius of its circle, 1 on great
    /// circles. On tiny cones and beside short sides a little more, so that rounding stays a slack.
    double slope;
} snw_Side;

/// A convex window: some sides, and the largest circle within them (cosine of its radius).
typedef struct snw_Window {
    sinew_Vec3 cap_center;
    double cap_cosine;
    int side_start, side_count;
} snw_Window;

/// A part of a side that is on the outline of all windows: from a to b, counter-clockwise about n.
typedef struct snw_Piece {
    snw_Side side;
    double radius; // sqrt(1 - d^2), of the circle that it is a part of
    sinew_Vec3 a, b;
    bool whole;         // the whole circle
    bool wide;          // more than half of it
    int previous, next; // pieces that share a and b, -1 for none
    int window;
} snw_Piece;

/// The twist test without trigonometry. All rotations of one twist t are a great sphere of unit
/// quaternions, x cos(t/2) = w sin(t/2): the difference is the sine of half the smallest rotation that
/// leads to it, as exact at a swing of nearly pi as at none. Its signs for both bounds tell whether a
/// twist is between them; q and -q swap both. All zero: free.
typedef struct snw_TwistTest {
    double lower_x, lower_w, upper_x, upper_w;
} snw_TwistTest;

struct sinew_BallLimit {
    // hot: r = (row_x . q, ...), bilinear in neutral and bone
    sinew_Quat row_x, row_y, row_z, row_w;
    snw_TwistTest twist;
    double near_x; // x^2 + w^2 of r from which on x alone shows that the bone is inside
    int window_count;
    sinew_Vec3 cap_center;
    double cap_cosine;
    const snw_Window *windows;
    const snw_Side *sides;

    // warm: where something is violated
    const snw_Piece *pieces;
    int piece_count;
    bool twist_free, twist_locked;
    double twist_middle, twist_half;
    sinew_Quat lower_twist, upper_twist; // rotations about x by the bounds
    sinew_LimitResponse response;
    sinew_Vec3 path_start;

    // cold
    sinew_Quat socket_from_neutral, joint_from_bone;
    sinew_BallLimitDef def;
    sinew_Allocator allocator;
    size_t memory_size;
};

/// What the tests of a limit did; shows that cheap tests carry the load. NULL where not wanted.
typedef struct snw_LimitCounts {
    long checks;         ///< poses tested
    long near_accepts;   ///< accepted by x alone
    long union_accepts;  ///< accepted by the circle of all windows
    long window_accepts; ///< accepted by the circle of one window
    long polygon_tests;  ///< windows whose sides were gone through
    long responses;      ///< poses that were found outside
    long trigonometry;   ///< sines, cosines and their inverses
} snw_LimitCounts;

#define SNW_COUNT(counts, field) ((counts) != NULL ? (void)++(counts)->field : (void)0)

// ---------------------------------------------------------------------------------------------
// Tests. Products, sums and comparisons alone.

static inline double snw_dot4(sinew_Quat row, sinew_Quat q)
{
    return row.x * q.x + row.y * q.y + row.z * q.z + row.w * q.w;
}

/// neutral_from_bone of a pose of the ball.
static inline sinew_Quat snw_ball_rotation(const sinew_BallLimit *limit, sinew_Quat q)
{
    sinew_Quat r = { snw_dot4(limit->row_x, q), snw_dot4(limit->row_y, q),
        snw_dot4(limit->row_z, q), snw_dot4(limit->row_w, q) };
    return r;
}

/// The pose of the ball, socket_from_joint, of a neutral_from_bone.
static inline sinew_Quat snw_ball_pose(const sinew_BallLimit *limit, sinew_Quat r)
{
    return sinew_quat_mul(sinew_quat_mul(limit->socket_from_neutral, r),
        sinew_quat_conjugate(limit->joint_from_bone));
}

/// Sines of half the rotations to both bounds; both positive, or both negative, inside.
static inline double snw_twist_above(const snw_TwistTest *test, double x, double w)
{
    return test->lower_x * x - test->lower_w * w;
}

static inline double snw_twist_below(const snw_TwistTest *test, double x, double w)
{
    return test->upper_w * w - test->upper_x * x;
}

/// share is x^2 + w^2 of the rotation, cos^2(swing/2). At a swing of pi any twist is inside, as all of
/// them are limits of allowed ones.
static inline bool snw_twist_holds(const snw_TwistTest *test, double x, double w, double share)
{
    double above = snw_twist_above(test, x, w), below = snw_twist_below(test, x, w);
    double slack = 0.5 * SNW_LIMIT_SLACK * share + SNW_TWIST_ROUNDING;
    return ((above >= -slack) & (below >= -slack)) | ((above <= slack) & (below <= slack));
}

static inline bool snw_sides_hold(const snw_Side *sides, int count, sinew_Vec3 u, double slack)
{
    for (int i = 0; i < count; ++i) {
        double least = sides[i].d - slack * sides[i].slope;
        if (!(sinew_vec3_dot(sides[i].n, u) >= least)) { return false; }
    }
    return true;
}

/// Whether a direction is in any window by more than -slack; there must be windows.
static inline bool snw_windows_hold(
    const sinew_BallLimit *limit, sinew_Vec3 u, double slack, snw_LimitCounts *counts)
{
    if (sinew_vec3_dot(limit->cap_center, u) >= limit->cap_cosine) {
        SNW_COUNT(counts, union_accepts);
        return true;
    }
    for (int i = 0; i < limit->window_count; ++i) {
        const snw_Window *window = limit->windows + i;
        if (sinew_vec3_dot(window->cap_center, u) >= window->cap_cosine) {
            SNW_COUNT(counts, window_accepts);
            return true;
        }
        SNW_COUNT(counts, polygon_tests);
        if (snw_sides_hold(limit->sides + window->side_start, window->side_count, u, slack)) {
            return true;
        }
    }
    return false;
}

/// Whether a neutral_from_bone is inside all limits.
static inline bool snw_ball_holds(
    const sinew_BallLimit *limit, sinew_Quat r, snw_LimitCounts *counts)
{
    SNW_COUNT(counts, checks);
    double share = r.x * r.x + r.w * r.w;
    if (!snw_twist_holds(&limit->twist, r.x, r.w, share)) { return false; }
    // x . u = 2 share - 1; Blow (2002), tuning for speed
    if (share >= limit->near_x) {
        SNW_COUNT(counts, near_accepts);
        return true;
    }
    return snw_windows_hold(limit, snw_bone_of(r), SNW_LIMIT_SLACK, counts);
}

static inline bool snw_ball_twist_holds(const sinew_BallLimit *limit, sinew_Quat r)
{
    return snw_twist_holds(&limit->twist, r.x, r.w, r.x * r.x + r.w * r.w);
}

/// Whether a pose of the ball is: rotation, products and comparisons in one go, and only as much of
/// the rotation as the answer takes. q must be unit.
static inline bool snw_ball_allows(
    const sinew_BallLimit *limit, sinew_Quat q, snw_LimitCounts *counts)
{
    SNW_COUNT(counts, checks);
    double x = snw_dot4(limit->row_x, q);
    double w = snw_dot4(limit->row_w, q);
    double share = x * x + w * w;
    if (!snw_twist_holds(&limit->twist, x, w, share)) { return false; }
    if (share >= limit->near_x) {
        SNW_COUNT(counts, near_accepts);
        return true;
    }
    sinew_Quat r = { x, snw_dot4(limit->row_y, q), snw_dot4(limit->row_z, q), w };
    return snw_windows_hold(limit, snw_bone_of(r), SNW_LIMIT_SLACK, counts);
}

// ---------------------------------------------------------------------------------------------
// Responses (ball_limit_response.c)

/// A point of the outline.
typedef struct snw_Foot {
    sinew_Vec3 point;
    double chord2; // squared straight distance to what was asked for; cosines lose 1e-8 rad
    int piece;     // -1 when there is no outline
    int neighbor;  // the other piece when the point is where two meet, else -1
} snw_Foot;

/// The point of one piece that is closest to u.
sinew_Vec3 snw_piece_closest(const snw_Piece *piece, sinew_Vec3 u);

/// The point of the outline that is closest to u, by the arc.
snw_Foot snw_outline_closest(const sinew_BallLimit *limit, sinew_Vec3 u);

/// Where the arc from one direction, which is inside, to another, which is outside, leaves the windows
/// for the first time; the closest point where there is no such arc or exit.
snw_Foot snw_outline_exit(
    const sinew_BallLimit *limit, sinew_Vec3 from, sinew_Vec3 to, snw_LimitCounts *counts);

/// The point of the outline that takes the place of u, which is outside all windows.
snw_Foot snw_ball_respond(const sinew_BallLimit *limit, sinew_LimitResponse response, sinew_Vec3 u,
    snw_LimitCounts *counts);

/// How far r is outside, radians; 0 inside.
double snw_ball_violation(const sinew_BallLimit *limit, sinew_Quat r, snw_LimitCounts *counts);

/// Nearest allowed, as sinew_ball_limit_clamp; an allowed r comes back with its bits.
sinew_Quat snw_ball_clamp(const sinew_BallLimit *limit, sinew_LimitResponse response, sinew_Quat r,
    snw_LimitCounts *counts);

// ---------------------------------------------------------------------------------------------
// Moving along limits (ball_limit_hold.c). In one iteration of a solver: hold what the force presses
// against, solve for the other directions, ask which further limits the move would hit, hold those
// at the rotation that is left up to them, solve once more, and retract what is still outside
// (second order: h^2/4 after a move by h along a side).

/// Three orthonormal, right-handed directions of a ball; the first `count` of them are held, each at
/// a prescribed rotation; the others are free.
typedef struct snw_BallHold {
    sinew_Vec3 axes[3]; // neutral frame
    double values[3];   // radians about the held ones
    int count;
    // the limits behind them, where the move is to end
    snw_Side sides[2];
    int side_count;
    int twist; // -1 lower, 1 upper bound, 0 none
} snw_BallHold;

/// Hold nothing.
snw_BallHold snw_ball_hold_none(void);

/// What a force (neutral frame: the direction that the ball would turn in if it were free) presses
/// against: the limits that r is on, less those that the force leaves. Free where r is on none.
snw_BallHold snw_ball_hold(
    const sinew_BallLimit *limit, sinew_Quat r, sinew_Vec3 force, snw_LimitCounts *counts);

/// Add to hold what a move from r to r_next runs into; returns whether that is anything.
bool snw_ball_hold_hits(const sinew_BallLimit *limit, sinew_Quat r, sinew_Quat r_next,
    snw_BallHold *hold, snw_LimitCounts *counts);

/// r_next brought back inside by the smallest rotation that does it for the bone, then for the twist;
/// the bound is told by the way from r. What is held (NULL: nothing) ends on its limits exactly, also
/// where the move has curved off them to the inside: else the next iteration would take them for left.
/// With nothing held an allowed r_next comes back with its bits.
sinew_Quat snw_ball_retract(const sinew_BallLimit *limit, sinew_Quat r, sinew_Quat r_next,
    const snw_BallHold *hold, snw_LimitCounts *counts);

/// Project a force on the cone { w : normals[i] . w >= 0 }, count <= 4; locked is a normal to which w
/// must be orthogonal, -1 for none. out_held has room for 3 indices of normals that the result is
/// orthogonal to; returns how many, 3 meaning that nothing can move (indices are then not set).
int snw_project_cone(const sinew_Vec3 *normals, int count, int locked, sinew_Vec3 force,
    sinew_Vec3 *out_w, int *out_held);

#endif
