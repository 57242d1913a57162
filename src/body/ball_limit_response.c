// What happens to a ball that was sent outside its limits.

#include "body/ball_limit.h"

#include "math/holds.h"

// all trigonometry of responses goes through here, so that it can be counted
static double angle_of(double y, double x, snw_LimitCounts *counts)
{
    SNW_COUNT(counts, trigonometry);
    return sinew_atan2(y, x);
}

// ---------------------------------------------------------------------------------------------
// Closest points

// What of u is across n, of any length; the length, or 0 where there is nothing. What little is left
// when u is nearly along n or opposite to it is partly rounding along n, which is taken off again.
static double find_across(sinew_Vec3 n, sinew_Vec3 u, sinew_Vec3 *out)
{
    *out = sinew_vec3_add_scaled(u, n, -sinew_vec3_dot(n, u));
    double length = sinew_vec3_length(*out);
    if (length > 0.1) { return length; }
    if (!(length > 1e-15)) { return 0.0; }
    sinew_Vec3 way = sinew_vec3_scale(*out, 1.0 / length);
    *out = sinew_vec3_add_scaled(way, n, -sinew_vec3_dot(n, way));
    length = sinew_vec3_length(*out);
    return length > 0.5 ? length : 0.0;
}

// Foot of u on the circle of a piece: its way across n, at the circle's distance from the axis. false on
// the axis, from where all points of the circle are as near as each other.
static bool find_foot(const snw_Piece *piece, sinew_Vec3 u, sinew_Vec3 *out)
{
    sinew_Vec3 n = piece->side.n, across;
    double length = find_across(n, u, &across);
    if (!(length > 0.0)) { return false; }
    sinew_Vec3 foot = sinew_vec3_scale(across, piece->radius / length);
    foot = sinew_vec3_add_scaled(foot, n, piece->side.d);
    *out = sinew_vec3_add_scaled(foot, n, piece->side.d - sinew_vec3_dot(n, foot));
    return true;
}

sinew_Vec3 snw_piece_closest(const snw_Piece *piece, sinew_Vec3 u)
{
    sinew_Vec3 n = piece->side.n, foot;
    if (!find_foot(piece, u, &foot)) { return piece->a; }
    if (piece->whole) { return foot; }
    bool after = sinew_vec3_dot(n, sinew_vec3_cross(piece->a, foot)) >= 0.0;
    bool before = sinew_vec3_dot(n, sinew_vec3_cross(foot, piece->b)) >= 0.0;
    if (piece->wide ? after || before : after && before) { return foot; }
    sinew_Vec3 to_a = sinew_vec3_sub(u, piece->a), to_b = sinew_vec3_sub(u, piece->b);
    return sinew_vec3_dot(to_a, to_a) <= sinew_vec3_dot(to_b, to_b) ? piece->a : piece->b;
}

// the piece that meets this one at p
static int neighbor_at(const snw_Piece *piece, sinew_Vec3 p)
{
    if (sinew_vec3_distance(piece->a, p) < SNW_LIMIT_TOUCH) { return piece->previous; }
    if (sinew_vec3_distance(piece->b, p) < SNW_LIMIT_TOUCH) { return piece->next; }
    return -1;
}

snw_Foot snw_outline_closest(const sinew_BallLimit *limit, sinew_Vec3 u)
{
    snw_Foot best = { u, 8.0, -1, -1 };
    for (int i = 0; i < limit->piece_count; ++i) {
        sinew_Vec3 p = snw_piece_closest(limit->pieces + i, u);
        sinew_Vec3 gap = sinew_vec3_sub(u, p);
        double chord2 = sinew_vec3_dot(gap, gap);
        if (chord2 < best.chord2) {
            best.chord2 = chord2;
            best.point = p;
            best.piece = i;
        }
    }
    if (best.piece >= 0) {
        best.neighbor = neighbor_at(limit->pieces + best.piece, best.point);
    } else {
        best.chord2 = 0.0;
    }
    return best;
}

// ---------------------------------------------------------------------------------------------
// Paths

// A great circle, at angle t: start cos t + ahead sin t.
typedef struct Path {
    sinew_Vec3 start, ahead;
    double end; // angle of the attempt
} Path;

// the point at angle t, and the direction in which the path goes on
static sinew_Vec3 path_point(
    const Path *path, double t, sinew_Vec3 *out_ahead, snw_LimitCounts *counts)
{
    double s, c;
    SNW_COUNT(counts, trigonometry);
    sinew_sincos(t, &s, &c);
    *out_ahead = sinew_vec3_add_scaled(sinew_vec3_scale(path->ahead, c), path->start, -s);
    return sinew_vec3_add_scaled(sinew_vec3_scale(path->start, c), path->ahead, s);
}

// How far a path goes on from p before it leaves through a side that holds p, radians; 4 pi: never.
static double leaves_after(
    sinew_Vec3 p, sinew_Vec3 ahead, const snw_Side *side, snw_LimitCounts *counts)
{
    SNW_ASSERT(snw_holds_direction(ahead));
    // height over the side: amplitude cos(t - phase) - d
    double a = sinew_vec3_dot(side->n, p), b = sinew_vec3_dot(side->n, ahead);
    double amplitude = sqrt(a * a + b * b);
    if (amplitude < 1e-12 || fabs(side->d) >= amplitude) { return 4.0 * SINEW_PI; }
    if (a <= side->d + SNW_LIMIT_TOUCH && b < 0.0) { return 0.0; }
    double level = side->d / amplitude;
    double spread = angle_of(sqrt((1.0 - level) * (1.0 + level)), level, counts);
    double t = angle_of(b, a, counts) + spread;
    return t < 0.0 ? t + 2.0 * SINEW_PI : t;
}

// Angle at which the path leaves all windows for the first time, through which window and side.
static double find_exit(const sinew_BallLimit *limit, const Path *path, int *out_window,
    int *out_side, snw_LimitCounts *counts)
{
    double t = 0.0;
    *out_window = -1;
    *out_side = -1;
    // from window to window: of those that hold the point, the one that holds on longest
    for (int pass = 0; pass <= limit->window_count; ++pass) {
        sinew_Vec3 ahead, p = path_point(path, t, &ahead, counts);
        double farthest = -1.0;
        for (int i = 0; i < limit->window_count; ++i) {
            const snw_Window *window = limit->windows + i;
            const snw_Side *sides = limit->sides + window->side_start;
            if (!snw_sides_hold(sides, window->side_count, p, SNW_LIMIT_TOUCH)) { continue; }
            double shortest = 4.0 * SINEW_PI;
            int side = -1;
            for (int j = 0; j < window->side_count; ++j) {
                double more = leaves_after(p, ahead, sides + j, counts);
                if (more < shortest) {
                    shortest = more;
                    side = window->side_start + j;
                }
            }
            if (shortest > farthest && side >= 0) {
                farthest = shortest;
                *out_window = i;
                *out_side = side;
            }
        }
        if (!(farthest > 1e-12)) { break; }
        t += farthest;
    }
    return t;
}

// the piece of a side that holds p, or at least the nearest of the window's
static int piece_of(const sinew_BallLimit *limit, int window, int side, sinew_Vec3 p)
{
    int best = -1;
    double best_score = 8.0;
    for (int i = 0; i < limit->piece_count; ++i) {
        const snw_Piece *piece = limit->pieces + i;
        sinew_Vec3 gap = sinew_vec3_sub(p, snw_piece_closest(piece, p));
        double score = sinew_vec3_dot(gap, gap);
        // where several meet, the one that the path has crossed
        bool crossed = piece->window == window
            && sinew_vec3_distance(piece->side.n, limit->sides[side].n) == 0.0;
        if (!crossed) { score += 1e-14; }
        if (score < best_score) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

snw_Foot snw_outline_exit(
    const sinew_BallLimit *limit, sinew_Vec3 from, sinew_Vec3 to, snw_LimitCounts *counts)
{
    // the path: none where both ends are opposite or the same
    Path path = { from, { 0.0, 0.0, 0.0 }, 0.0 };
    sinew_Vec3 across;
    double length = find_across(from, to, &across);
    if (!(length > 0.0)) { return snw_outline_closest(limit, to); }
    path.ahead = sinew_vec3_scale(across, 1.0 / length);
    path.end = angle_of(sinew_vec3_dot(path.ahead, to), sinew_vec3_dot(from, to), counts);

    int window, side;
    double t = find_exit(limit, &path, &window, &side, counts);
    if (window < 0 || t >= path.end) { return snw_outline_closest(limit, to); }
    snw_Foot foot;
    sinew_Vec3 ahead;
    foot.point = path_point(&path, t, &ahead, counts);
    foot.piece = piece_of(limit, window, side, foot.point);
    foot.neighbor = neighbor_at(limit->pieces + foot.piece, foot.point);
    sinew_Vec3 gap = sinew_vec3_sub(to, foot.point);
    foot.chord2 = sinew_vec3_dot(gap, gap);
    return foot;
}

snw_Foot snw_ball_respond(const sinew_BallLimit *limit, sinew_LimitResponse response, sinew_Vec3 u,
    snw_LimitCounts *counts)
{
    if (response == SINEW_RESPONSE_ARC) { return snw_outline_closest(limit, u); }
    snw_Foot foot = snw_outline_exit(limit, limit->path_start, u, counts);
    if (response == SINEW_RESPONSE_INTERSECTION) { return foot; }
    const snw_Piece *piece = limit->pieces + foot.piece;
    foot.point = snw_piece_closest(piece, u);
    foot.neighbor = neighbor_at(piece, foot.point);
    sinew_Vec3 gap = sinew_vec3_sub(u, foot.point);
    foot.chord2 = sinew_vec3_dot(gap, gap);
    return foot;
}

// ---------------------------------------------------------------------------------------------
// Both limits

/// The twist's distance from the middle of its range, in [-pi, pi].
static double twist_from_middle(const sinew_BallLimit *limit, double twist)
{
    double away = twist - limit->twist_middle;
    if (away > SINEW_PI) { away -= 2.0 * SINEW_PI; }
    if (away < -SINEW_PI) { away += 2.0 * SINEW_PI; }
    return away;
}

double snw_ball_violation(const sinew_BallLimit *limit, sinew_Quat r, snw_LimitCounts *counts)
{
    SNW_ASSERT(snw_holds_unit(r));
    if (snw_ball_holds(limit, r, counts)) { return 0.0; }
    if (!sinew_quat_is_finite(r)) { return INFINITY; }
    SNW_COUNT(counts, responses);
    double worst = 0.0;
    sinew_Vec3 u = snw_bone_of(r);
    if (!snw_windows_hold(limit, u, SNW_LIMIT_SLACK, counts)) {
        SNW_COUNT(counts, trigonometry);
        worst = 2.0 * sinew_asin(0.5 * sqrt(snw_outline_closest(limit, u).chord2));
    }
    if (!snw_ball_twist_holds(limit, r)) {
        SNW_COUNT(counts, trigonometry);
        double excess = fabs(twist_from_middle(limit, snw_twist_of(r))) - limit->twist_half;
        if (excess > worst) { worst = excess; }
    }
    return worst;
}

// a twist, or the nearer end of its range
static double twist_in_range(const sinew_BallLimit *limit, double twist)
{
    double away = twist_from_middle(limit, twist);
    if (limit->twist_free || fabs(away) <= limit->twist_half) { return twist; }
    return away < 0.0 ? limit->def.twist_lower : limit->def.twist_upper;
}

// r brought inside with room for the rounding of what follows: half the slack that the tests let pass.
static sinew_Quat bring_inside(const sinew_BallLimit *limit, sinew_LimitResponse response,
    sinew_Quat r, snw_LimitCounts *counts)
{
    SNW_ASSERT(snw_holds_unit(r));
    const double slack = 0.5 * SNW_LIMIT_SLACK;
    SNW_COUNT(counts, responses);
    sinew_Vec3 u = snw_bone_of(r);
    if (limit->window_count > 0 && !snw_windows_hold(limit, u, slack, counts)) {
        u = snw_ball_respond(limit, response, u, counts).point;
        // where a path ends may be off by its rounding
        if (!snw_windows_hold(limit, u, slack, NULL)) { u = snw_outline_closest(limit, u).point; }
    }
    // a twist that was let pass at a swing of pi is one at any other: it is always looked at
    SNW_COUNT(counts, trigonometry);
    SNW_COUNT(counts, trigonometry);
    return snw_swing_twist(u, twist_in_range(limit, snw_twist_of(r)));
}

sinew_Quat snw_ball_clamp(const sinew_BallLimit *limit, sinew_LimitResponse response, sinew_Quat r,
    snw_LimitCounts *counts)
{
    return snw_ball_holds(limit, r, counts) ? r : bring_inside(limit, response, r, counts);
}

// ---------------------------------------------------------------------------------------------
// Public

bool sinew_ball_limit_allows(const sinew_BallLimit *limit, sinew_Quat q)
{
    if (limit == NULL) { return true; }
    return snw_ball_allows(limit, q, NULL);
}

// q as a unit quaternion, with its bits where it is one already
static sinew_Quat made_unit(sinew_Quat q)
{
    double length2 = sinew_quat_dot(q, q);
    if (!isfinite(length2)) { return sinew_quat_identity(); }
    return fabs(length2 - 1.0) <= 1e-14 ? q : sinew_quat_normalize(q);
}

double sinew_ball_limit_violation(const sinew_BallLimit *limit, sinew_Quat q)
{
    if (limit == NULL) { return 0.0; }
    double size2 = sinew_quat_dot(q, q);
    if (!isfinite(size2)) { return INFINITY; }
    if (fabs(size2 - 1.0) <= 1e-12 && snw_ball_allows(limit, q, NULL)) { return 0.0; }
    return snw_ball_violation(limit, snw_ball_rotation(limit, made_unit(q)), NULL);
}

sinew_Quat sinew_ball_limit_clamp(const sinew_BallLimit *limit, sinew_Quat q)
{
    if (limit == NULL) { return q; }
    if (!(fabs(sinew_quat_dot(q, q) - 1.0) <= 1e-12)) { q = made_unit(q); }
    if (snw_ball_allows(limit, q, NULL)) { return q; }
    sinew_Quat r = snw_ball_rotation(limit, made_unit(q));
    sinew_Quat pose = snw_ball_pose(limit, bring_inside(limit, limit->response, r, NULL));
    // of the two quaternions of that rotation, the one nearer to q
    if (sinew_quat_dot(pose, q) < 0.0) {
        sinew_Quat opposite = { -pose.x, -pose.y, -pose.z, -pose.w };
        pose = opposite;
    }
    return pose;
}

void sinew_ball_limit_measure(
    const sinew_BallLimit *limit, sinew_Quat q, sinew_Vec3 *out_direction, double *out_twist)
{
    if (limit == NULL) { return; }
    sinew_Quat r = snw_ball_rotation(limit, q);
    if (out_direction != NULL) { *out_direction = snw_bone_of(r); }
    if (out_twist != NULL) { *out_twist = snw_twist_of(r); }
}

sinew_Quat sinew_ball_limit_pose(const sinew_BallLimit *limit, sinew_Vec3 direction, double twist)
{
    if (limit == NULL) { return sinew_quat_identity(); }
    return snw_ball_pose(limit, snw_swing_twist(direction, twist));
}

sinew_Quat sinew_ball_limit_middle(const sinew_BallLimit *limit)
{
    if (limit == NULL) { return sinew_quat_identity(); }
    return sinew_ball_limit_pose(limit, limit->cap_center, limit->twist_middle);
}

int sinew_ball_limit_side_count(const sinew_BallLimit *limit)
{
    if (limit == NULL) { return 0; }
    return limit->piece_count;
}

sinew_ReachSide sinew_ball_limit_side(const sinew_BallLimit *limit, int index)
{
    if (limit == NULL || index < 0 || index >= sinew_ball_limit_side_count(limit)) {
        return (sinew_ReachSide){ 0 };
    }
    const snw_Piece *piece = limit->pieces + index;
    sinew_ReachSide r = { piece->a, piece->b, piece->side.n, piece->side.d };
    return r;
}
