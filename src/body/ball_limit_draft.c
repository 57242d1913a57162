// Windows of a limit while it is made: cones and polygons, and whether they hang together.

#include "body/ball_limit_build.h"

#include "math/holds.h"

// Windows must have this much of a side in common, radians, or overlap.
#define SEAM_LENGTH 1e-4
// Slacks of cones below this radius, radians, are rounding of heights (6e-15) rather than angles.
#define TINY_CONE 0.06
// Rounding that seams may have, radians: well below SNW_LIMIT_TOUCH, so that a bone crosses.
#define SEAM_GAP 1e-10

// ---------------------------------------------------------------------------------------------
// Polygons

// Centre of the largest circle inside convex sides, times 1/sin(radius): the shortest y with
// n . y >= 1 on all sides. At most three sides are tight; a side that is violated must be, which
// gives three nested loops. false when there is no inside.
static bool largest_circle(const snw_Side *sides, int count, sinew_Vec3 *out_y)
{
    SNW_ASSERT(count >= 0);
    const double slack = 1e-12;
    sinew_Vec3 y = sides[0].n;
    for (int i = 1; i < count; ++i) {
        sinew_Vec3 a = sides[i].n;
        if (sinew_vec3_dot(a, y) >= 1.0 - slack) { continue; }
        y = a;
        for (int j = 0; j < i; ++j) {
            sinew_Vec3 b = sides[j].n;
            if (sinew_vec3_dot(b, y) >= 1.0 - slack) { continue; }
            y = sinew_vec3_scale(sinew_vec3_add(a, b), 1.0 / (1.0 + sinew_vec3_dot(a, b)));
            for (int k = 0; k < j; ++k) {
                sinew_Vec3 c = sides[k].n;
                if (sinew_vec3_dot(c, y) >= 1.0 - slack) { continue; }
                sinew_Vec3 bc = sinew_vec3_cross(b, c);
                sinew_Vec3 sum = sinew_vec3_add(
                    bc, sinew_vec3_add(sinew_vec3_cross(c, a), sinew_vec3_cross(a, b)));
                y = sinew_vec3_scale(sum, 1.0 / sinew_vec3_dot(a, bc));
            }
        }
    }
    *out_y = y;
    if (!sinew_vec3_is_finite(y)) { return false; }
    double tolerance = 1e-6 * (1.0 + sinew_vec3_length(y));
    for (int i = 0; i < count; ++i) {
        if (!(sinew_vec3_dot(sides[i].n, y) >= 1.0 - tolerance)) { return false; }
    }
    return true;
}

bool snw_corners_are_convex(const sinew_Vec3 *corners, int count)
{
    SNW_ASSERT(count >= 0);
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 n = sinew_vec3_cross(corners[i], corners[(i + 1) % count]);
        double tolerance = 1e-12 * sinew_vec3_length(n);
        for (int j = 0; j < count; ++j) {
            if (sinew_vec3_dot(n, corners[j]) < -tolerance) { return false; }
        }
    }
    return true;
}

// The normal of the plane through two corners, of any length. Their difference, or sum, is exact where
// they are near to each other or to opposite, and then their own product is mostly rounding.
static sinew_Vec3 side_normal(sinew_Vec3 a, sinew_Vec3 b)
{
    bool near = sinew_vec3_dot(a, b) >= 0.0;
    return sinew_vec3_cross(a, near ? sinew_vec3_sub(b, a) : sinew_vec3_add(b, a));
}

// The slope of a polygon's side: where its corners are so near that their rounding turns it, others that
// should be on or inside it are outside by more than the slack, up to what counts as convex. Half of the
// slack takes them in, with twice the room, as between two corners the outline goes farther out.
static double side_slope(sinew_Vec3 n, const sinew_Vec3 *corners, int count)
{
    SNW_ASSERT(count >= 0);
    double least = 0.0;
    for (int i = 0; i < count; ++i) { least = fmin(least, sinew_vec3_dot(n, corners[i])); }
    return 1.0 - 4.0 * least / SNW_LIMIT_SLACK;
}

double snw_cap_cosine(double radius)
{
    if (radius < 1e-6) { return 2.0; }
    double s, c;
    sinew_sincos(radius - SNW_CAP_MARGIN, &s, &c);
    return c;
}

// unit corners apart from each other and not opposite
static sinew_Status check_corners(
    const sinew_Vec3 *rays, int count, int index, sinew_Message *message)
{
    SNW_ASSERT(count >= 0);
    SNW_ASSERT(index >= 0);
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < i; ++j) {
            if (sinew_vec3_distance(rays[i], rays[j]) < SNW_CORNER_APART) {
                return snw_refuse(message,
                    "windows[%d].rays[%d] is the same as rays[%d], want corners %g rad apart",
                    index, i, j, SNW_CORNER_APART);
            }
        }
        int next = (i + 1) % count;
        if (sinew_vec3_length(sinew_vec3_add(rays[i], rays[next])) < SNW_CORNER_APART) {
            return snw_refuse(message,
                "windows[%d].rays[%d] and rays[%d] are opposite, which leaves their side open",
                index, i, next);
        }
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_draft_add_polygon(
    snw_LimitDraft *draft, const sinew_Vec3 *rays, int count, int index, sinew_Message *message)
{
    SNW_ASSERT(count >= 0);
    SNW_ASSERT(index >= 0);
    if (draft->window_count == SINEW_MAX_REACH_WINDOWS
        || draft->side_count + count > SNW_MAX_SIDES) {
        return snw_refuse(message, "windows[%d] needs too many convex parts", index);
    }
    sinew_Status status = check_corners(rays, count, index, message);
    if (status != SINEW_STATUS_OK) { return status; }

    // counter-clockwise: a convex polygon holds the mean of its corners
    sinew_Vec3 mean = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < count; ++i) { mean = sinew_vec3_add(mean, rays[i]); }
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        double side = sinew_vec3_dot(sinew_vec3_cross(rays[i], rays[(i + 1) % count]), mean);
        if (fabs(side) > fabs(largest)) { largest = side; }
    }
    if (fabs(largest) < 1e-11) {
        return snw_refuse(message,
            "windows[%d] has all corners on one great circle, which tells no inside", index);
    }
    bool turned = largest < 0.0;
    sinew_Vec3 *corners = draft->corners + draft->side_count;
    snw_Side *sides = draft->sides + draft->side_count;
    for (int i = 0; i < count; ++i) { corners[i] = rays[turned ? count - 1 - i : i]; }
    if (!snw_corners_are_convex(corners, count)) {
        return snw_refuse(message,
            "windows[%d] is not convex: want corners in order around one hemisphere, each side a "
            "plane through the joint (or set star)",
            index);
    }
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 n = side_normal(corners[i], corners[(i + 1) % count]);
        sides[i].n = sinew_vec3_normalize_or(n, n);
        sides[i].d = 0.0;
        sides[i].slope = side_slope(sides[i].n, corners, count);
    }

    sinew_Vec3 y = { 0.0, 0.0, 0.0 };
    double radius = 0.0;
    if (largest_circle(sides, count, &y)) { radius = sinew_asin(1.0 / sinew_vec3_length(y)); }
    if (!(radius >= SNW_WINDOW_RADIUS)) {
        return snw_refuse(message,
            "windows[%d] is too thin: the largest circle inside has a radius of %g rad, want %g",
            index, radius, SNW_WINDOW_RADIUS);
    }
    snw_Window window = { sinew_vec3_normalize_or(y, y), snw_cap_cosine(radius), draft->side_count,
        count };
    draft->radii[draft->window_count] = radius;
    draft->windows[draft->window_count++] = window;
    draft->side_count += count;
    return SINEW_STATUS_OK;
}

sinew_Status snw_draft_add_cone(
    snw_LimitDraft *draft, sinew_Vec3 axis, double half_angle, int index, sinew_Message *message)
{
    SNW_ASSERT(snw_holds_direction(axis));
    SNW_ASSERT(index >= 0);
    if (!(half_angle >= SNW_WINDOW_RADIUS && half_angle <= SINEW_PI - SNW_WINDOW_RADIUS)) {
        return snw_refuse(message, "windows[%d].cone_half_angle is %g, want %g up to pi less that",
            index, half_angle, SNW_WINDOW_RADIUS);
    }
    double s, c;
    sinew_sincos(half_angle, &s, &c);
    snw_Window window = { axis, snw_cap_cosine(half_angle), draft->side_count, 1 };
    snw_Side side = { axis, c, s + TINY_CONE < 1.0 ? s + TINY_CONE : 1.0 };
    draft->radii[draft->window_count] = half_angle;
    draft->windows[draft->window_count++] = window;
    draft->corners[draft->side_count] = axis;
    draft->sides[draft->side_count++] = side;
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Do the windows hang together?

static bool is_cone(const snw_Window *window)
{
    return window->side_count == 1;
}

// keep the part of a polygon on the inner side of n; returns the new count
static int clip(const sinew_Vec3 *in, int count, sinew_Vec3 n, sinew_Vec3 *out)
{
    SNW_ASSERT(count >= 0);
    int kept = 0;
    for (int i = 0; i < count && kept + 2 <= SNW_MAX_CLIPPED; ++i) {
        sinew_Vec3 a = in[i], b = in[(i + 1) % count];
        double height_a = sinew_vec3_dot(n, a) + SEAM_GAP;
        double height_b = sinew_vec3_dot(n, b) + SEAM_GAP;
        if (height_a >= 0.0) { out[kept++] = a; }
        if ((height_a >= 0.0) != (height_b >= 0.0)) {
            sinew_Vec3 p = sinew_vec3_sub(
                sinew_vec3_scale(a, height_b), sinew_vec3_scale(b, height_a));
            p = sinew_vec3_scale(p, height_b > height_a ? 1.0 : -1.0);
            out[kept++] = sinew_vec3_normalize_or(p, a);
        }
    }
    return kept;
}

// what two polygons have in common is as long as a seam
static bool polygons_meet(const snw_LimitDraft *draft, const snw_Window *a, const snw_Window *b)
{
    sinew_Vec3 *now = draft->scratch->clipped[0], *then = draft->scratch->clipped[1];
    int count = a->side_count;
    for (int i = 0; i < count; ++i) { now[i] = draft->corners[a->side_start + i]; }
    for (int i = 0; i < b->side_count && count > 0; ++i) {
        count = clip(now, count, draft->sides[b->side_start + i].n, then);
        sinew_Vec3 *swap = now;
        now = then;
        then = swap;
    }
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < i; ++j) {
            if (sinew_vec3_distance(now[i], now[j]) > SEAM_LENGTH) { return true; }
        }
    }
    return false;
}

// a cone overlaps what is nearer to its axis than its opening
static bool cone_meets(const snw_LimitDraft *draft, const snw_Window *cone, double half_angle,
    const snw_Window *other, double other_half_angle)
{
    sinew_Vec3 axis = draft->sides[cone->side_start].n;
    const snw_Side *sides = draft->sides + other->side_start;
    if (is_cone(other)) {
        double cosine = sinew_vec3_dot(axis, sides[0].n);
        return sinew_acos(cosine) < half_angle + other_half_angle - SEAM_LENGTH;
    }
    if (snw_sides_hold(sides, other->side_count, axis, 0.0)) { return true; }
    double best = 4.0;
    for (int i = 0; i < other->side_count; ++i) {
        snw_Piece piece = { .side = sides[i],
            .radius = 1.0,
            .a = draft->corners[other->side_start + i],
            .b = draft->corners[other->side_start + (i + 1) % other->side_count] };
        sinew_Vec3 gap = sinew_vec3_sub(axis, snw_piece_closest(&piece, axis));
        double chord2 = sinew_vec3_dot(gap, gap);
        if (chord2 < best) { best = chord2; }
    }
    return 2.0 * sinew_asin(0.5 * sqrt(best)) < half_angle - SEAM_LENGTH;
}

static bool windows_meet(const snw_LimitDraft *draft, int i, int j)
{
    const snw_Window *a = draft->windows + i, *b = draft->windows + j;
    if (is_cone(a)) { return cone_meets(draft, a, draft->radii[i], b, draft->radii[j]); }
    if (is_cone(b)) { return cone_meets(draft, b, draft->radii[j], a, draft->radii[i]); }
    return polygons_meet(draft, a, b);
}

sinew_Status snw_draft_check_connected(const snw_LimitDraft *draft, sinew_Message *message)
{
    // grow from the first window
    bool reached[SINEW_MAX_REACH_WINDOWS] = { true };
    int queue[SINEW_MAX_REACH_WINDOWS] = { 0 };
    int done = 0, queued = draft->window_count > 0 ? 1 : 0;
    while (done < queued) {
        int from = queue[done++];
        for (int i = 0; i < draft->window_count; ++i) {
            if (!reached[i] && windows_meet(draft, from, i)) {
                reached[i] = true;
                queue[queued++] = i;
            }
        }
    }
    for (int i = 0; i < draft->window_count; ++i) {
        if (!reached[i]) {
            return snw_refuse(message,
                "windows[%d] is apart from windows[0]: want windows that overlap or share part of "
                "a "
                "side, so that the bone can pass",
                i);
        }
    }
    return SINEW_STATUS_OK;
}
