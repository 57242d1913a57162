// From definition to compiled limit: checks, windows, create and destroy.

#include "body/ball_limit_build.h"

#include "base/memory.h"

#include <string.h>

// Lengths of what should be unit may be off by this; they are then made unit.
#define UNIT_TOLERANCE 1e-3

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
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < i; ++j) {
            if (sinew_vec3_distance(rays[i], rays[j]) < SNW_CORNER_APART) {
                return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
                    "windows[%d].rays[%d] is the same as rays[%d], want corners %g rad apart",
                    index, i, j, SNW_CORNER_APART);
            }
        }
        int next = (i + 1) % count;
        if (sinew_vec3_length(sinew_vec3_add(rays[i], rays[next])) < SNW_CORNER_APART) {
            return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
                "windows[%d].rays[%d] and rays[%d] are opposite, which leaves their side open",
                index, i, next);
        }
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_draft_add_polygon(
    snw_LimitDraft *draft, const sinew_Vec3 *rays, int count, int index, sinew_Message *message)
{
    if (draft->window_count == SINEW_MAX_REACH_WINDOWS
        || draft->side_count + count > SNW_MAX_SIDES) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "windows[%d] needs too many convex parts", index);
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
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "windows[%d] has all corners on one great circle, which tells no inside", index);
    }
    bool turned = largest < 0.0;
    sinew_Vec3 *corners = draft->corners + draft->side_count;
    snw_Side *sides = draft->sides + draft->side_count;
    for (int i = 0; i < count; ++i) { corners[i] = rays[turned ? count - 1 - i : i]; }
    if (!snw_corners_are_convex(corners, count)) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "windows[%d] is not convex: want corners in order around one hemisphere, each side a "
            "plane through the joint (or set star)",
            index);
    }
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 n = side_normal(corners[i], corners[(i + 1) % count]);
        sides[i].n = sinew_vec3_normalize_or(n, n);
        sides[i].d = 0.0;
        sides[i].slope = 1.0;
    }

    sinew_Vec3 y = { 0.0, 0.0, 0.0 };
    double radius = 0.0;
    if (largest_circle(sides, count, &y)) { radius = sinew_asin(1.0 / sinew_vec3_length(y)); }
    if (!(radius >= SNW_WINDOW_RADIUS)) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
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

static sinew_Status add_cone(
    snw_LimitDraft *draft, sinew_Vec3 axis, double half_angle, int index, sinew_Message *message)
{
    if (!(half_angle >= SNW_WINDOW_RADIUS && half_angle <= SINEW_PI - SNW_WINDOW_RADIUS)) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "windows[%d].cone_half_angle is %g, want %g up to pi less that", index, half_angle,
            SNW_WINDOW_RADIUS);
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

// each cut of a convex polygon adds one corner; rounding may add a few more to slivers

// keep the part of a polygon on the inner side of n; returns the new count
static int clip(const sinew_Vec3 *in, int count, sinew_Vec3 n, sinew_Vec3 *out)
{
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
            return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
                "windows[%d] is apart from windows[0]: want windows that overlap or share part of "
                "a "
                "side, so that the bone can pass",
                i);
        }
    }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Checks of the definition

static bool is_unit(double length)
{
    return fabs(length - 1.0) <= UNIT_TOLERANCE;
}

static sinew_Status check_quat(sinew_Quat q, const char *name, sinew_Message *message)
{
    if (is_unit(sqrt(sinew_quat_dot(q, q)))) { return SINEW_STATUS_OK; }
    return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT, "%s has length %g, want 1", name,
        sqrt(sinew_quat_dot(q, q)));
}

static sinew_Status check_twist(const sinew_BallLimitDef *def, sinew_Message *message)
{
    double lower = def->twist_lower, upper = def->twist_upper;
    if (lower == -INFINITY && upper == INFINITY) { return SINEW_STATUS_OK; }
    if (!(lower > -SINEW_PI && lower < SINEW_PI && upper > -SINEW_PI && upper < SINEW_PI)) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "twist range is %g to %g, want both between -pi and pi, or -infinity to infinity",
            lower, upper);
    }
    if (lower > upper) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "twist_lower is %g, want at most twist_upper, %g", lower, upper);
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_def(const sinew_BallLimitDef *def, sinew_Message *message)
{
    sinew_Status status = check_quat(def->neutral, "neutral", message);
    if (status == SINEW_STATUS_OK) { status = check_quat(def->bone, "bone", message); }
    if (status == SINEW_STATUS_OK) { status = check_twist(def, message); }
    if (status != SINEW_STATUS_OK) { return status; }
    if (def->window_count < 0 || def->window_count > SINEW_MAX_REACH_WINDOWS) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT, "window_count is %d, want 0 to %d",
            def->window_count, SINEW_MAX_REACH_WINDOWS);
    }
    if (def->window_count > 0 && def->windows == NULL) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT, "windows is NULL, want %d of them",
            def->window_count);
    }
    if (def->response < SINEW_RESPONSE_ARC || def->response > SINEW_RESPONSE_INTERSECTION) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "response is %d, want one of sinew_LimitResponse", (int)def->response);
    }
    if (def->star && (def->window_count != 1 || def->windows[0].ray_count < 3)) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "star is set, want exactly one window of 3 rays or more");
    }
    if (def->star && !is_unit(sinew_vec3_length(def->star_center))) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT, "star_center has length %g, want 1",
            sinew_vec3_length(def->star_center));
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_window(
    const sinew_ReachWindow *window, int index, int rays_before, sinew_Message *message)
{
    bool polygon = window->ray_count >= 3 && window->ray_count <= SINEW_MAX_WINDOW_RAYS;
    if (!polygon && window->ray_count != 1) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "windows[%d].ray_count is %d, want 3 to %d, or 1 for a cone", index, window->ray_count,
            SINEW_MAX_WINDOW_RAYS);
    }
    if (rays_before + window->ray_count > SINEW_MAX_REACH_RAYS) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "windows[%d] ends a list of more than %d rays", index, SINEW_MAX_REACH_RAYS);
    }
    if (window->rays == NULL) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "windows[%d].rays is NULL, want %d rays", index, window->ray_count);
    }
    for (int i = 0; i < window->ray_count; ++i) {
        double length = sinew_vec3_length(window->rays[i]);
        if (!is_unit(length)) {
            return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
                "windows[%d].rays[%d] has length %g, want 1", index, i, length);
        }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status draft_windows(
    const sinew_BallLimitDef *def, snw_LimitDraft *draft, sinew_Message *message)
{
    sinew_Status status = check_def(def, message);
    int ray_count = 0;
    for (int i = 0; i < def->window_count && status == SINEW_STATUS_OK; ++i) {
        const sinew_ReachWindow *window = def->windows + i;
        status = check_window(window, i, ray_count, message);
        if (status != SINEW_STATUS_OK) { break; }
        ray_count += window->ray_count;

        sinew_Vec3 rays[SINEW_MAX_WINDOW_RAYS];
        for (int j = 0; j < window->ray_count; ++j) {
            rays[j] = sinew_vec3_normalize_or(window->rays[j], window->rays[j]);
        }
        if (def->star) {
            sinew_Vec3 center = sinew_vec3_normalize_or(def->star_center, def->star_center);
            status = snw_draft_add_star(draft, rays, window->ray_count, center, message);
        } else if (window->ray_count == 1) {
            status = add_cone(draft, rays[0], window->cone_half_angle, i, message);
        } else {
            status = snw_draft_add_polygon(draft, rays, window->ray_count, i, message);
        }
    }
    if (status != SINEW_STATUS_OK) { return status; }
    return snw_draft_check_connected(draft, message);
}

// ---------------------------------------------------------------------------------------------
// Compiling

// Rows of the linear map q -> neutral^-1 q bone: its values at the four unit quaternions.
static void compile_map(sinew_BallLimit *limit)
{
    sinew_Quat inverse = sinew_quat_conjugate(limit->socket_from_neutral);
    double columns[4][4];
    for (int i = 0; i < 4; ++i) {
        sinew_Quat q = { i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0,
            i == 3 ? 1.0 : 0.0 };
        sinew_Quat r = sinew_quat_mul(sinew_quat_mul(inverse, q), limit->joint_from_bone);
        columns[i][0] = r.x;
        columns[i][1] = r.y;
        columns[i][2] = r.z;
        columns[i][3] = r.w;
    }
    sinew_Quat *rows[4] = { &limit->row_x, &limit->row_y, &limit->row_z, &limit->row_w };
    for (int i = 0; i < 4; ++i) {
        rows[i]->x = columns[0][i];
        rows[i]->y = columns[1][i];
        rows[i]->z = columns[2][i];
        rows[i]->w = columns[3][i];
    }
}

static void compile_twist(sinew_BallLimit *limit)
{
    double lower = limit->def.twist_lower, upper = limit->def.twist_upper;
    if (lower == -INFINITY) {
        limit->twist_free = true;
        limit->twist_half = SINEW_PI;
        return;
    }
    limit->twist_middle = 0.5 * (lower + upper);
    limit->twist_half = 0.5 * (upper - lower);
    limit->lower_twist = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), lower);
    limit->upper_twist = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), upper);
    limit->twist_locked = limit->twist_half < SNW_LIMIT_TOUCH;
    snw_TwistTest test = { limit->lower_twist.w, limit->lower_twist.x, limit->upper_twist.w,
        limit->upper_twist.x };
    limit->twist = test;
}

// Lay out the memory of a limit, or measure it where base is NULL.
static void lay_out(snw_Arena *arena, sinew_BallLimit **out_limit, const sinew_BallLimitDef *def,
    const snw_LimitDraft *draft, int piece_count)
{
    sinew_BallLimit *limit = snw_arena_take(arena, 1, sizeof(*limit));
    snw_Window *windows = snw_arena_take(arena, (size_t)draft->window_count, sizeof(*windows));
    snw_Side *sides = snw_arena_take(arena, (size_t)draft->side_count, sizeof(*sides));
    snw_Piece *pieces = snw_arena_take(arena, (size_t)piece_count, sizeof(*pieces));
    sinew_ReachWindow *given = snw_arena_take(arena, (size_t)def->window_count, sizeof(*given));
    size_t ray_count = 0;
    for (int i = 0; i < def->window_count; ++i) { ray_count += (size_t)def->windows[i].ray_count; }
    sinew_Vec3 *rays = snw_arena_take(arena, ray_count, sizeof(*rays));
    *out_limit = limit;
    if (arena->base == NULL) { return; }

    for (int i = 0; i < draft->window_count; ++i) { windows[i] = draft->windows[i]; }
    for (int i = 0; i < draft->side_count; ++i) { sides[i] = draft->sides[i]; }
    snw_draft_outline(draft, pieces);
    limit->windows = windows;
    limit->sides = sides;
    limit->pieces = pieces;
    limit->piece_count = piece_count;
    limit->window_count = draft->window_count;

    limit->def = *def;
    limit->def.windows = def->window_count > 0 ? given : NULL;
    for (int i = 0; i < def->window_count; ++i) {
        given[i] = def->windows[i];
        given[i].rays = rays;
        for (int j = 0; j < given[i].ray_count; ++j) { *rays++ = def->windows[i].rays[j]; }
    }
}

static sinew_Status compile(const sinew_BallLimitDef *def, const sinew_Allocator *allocator,
    const snw_LimitDraft *draft, sinew_BallLimit **out_limit, sinew_Message *message)
{
    snw_Arena arena = { NULL, 0 };
    sinew_BallLimit *limit;
    int piece_count = snw_draft_outline(draft, NULL);
    lay_out(&arena, &limit, def, draft, piece_count);
    size_t size = arena.used;
    arena.base = snw_alloc(allocator, size);
    arena.used = 0;
    if (arena.base == NULL) {
        return snw_fail(
            message, SINEW_STATUS_OUT_OF_MEMORY, "no memory for a ball limit (%z bytes)", size);
    }
    lay_out(&arena, &limit, def, draft, piece_count);
    limit->allocator = *allocator;
    limit->memory_size = size;
    limit->response = def->response;
    limit->socket_from_neutral = sinew_quat_normalize(def->neutral);
    limit->joint_from_bone = sinew_quat_normalize(def->bone);
    compile_map(limit);
    compile_twist(limit);
    snw_limit_find_caps(limit, draft);
    *out_limit = limit;
    return SINEW_STATUS_OK;
}

// what is needed while a limit is made, in one block
typedef struct Workshop {
    snw_LimitDraft draft;
    snw_LimitScratch scratch;
} Workshop;

sinew_Status sinew_ball_limit_create(const sinew_BallLimitDef *def,
    const sinew_Allocator *allocator, sinew_BallLimit **out_limit, sinew_Message *out_message)
{
    if (out_limit == NULL || def == NULL) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT, "%s is NULL",
            def == NULL ? "def" : "out_limit");
    }
    *out_limit = NULL;
    sinew_Allocator memory = snw_allocator_or_default(allocator);
    Workshop *shop = snw_alloc(&memory, sizeof *shop);
    if (shop == NULL) {
        return snw_fail(
            out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory to compile a ball limit");
    }
    snw_LimitDraft *draft = &shop->draft;
    draft->scratch = &shop->scratch;
    sinew_Status status = draft_windows(def, draft, out_message);
    if (status == SINEW_STATUS_OK) {
        status = compile(def, &memory, draft, out_limit, out_message);
    }
    snw_free(&memory, shop, sizeof *shop);
    return status;
}

void sinew_ball_limit_destroy(sinew_BallLimit *limit)
{
    if (limit == NULL) { return; }
    sinew_Allocator allocator = limit->allocator;
    snw_free(&allocator, limit, limit->memory_size);
}

// the same place in a copy of the block
static const void *moved(const sinew_BallLimit *from, sinew_BallLimit *to, const void *place)
{
    if (place == NULL) { return NULL; }
    return (const char *)to + ((const char *)place - (const char *)from);
}

sinew_Status sinew_ball_limit_clone(
    const sinew_BallLimit *limit, const sinew_Allocator *allocator, sinew_BallLimit **out_limit)
{
    if (limit == NULL || out_limit == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
    sinew_Allocator memory = snw_allocator_or_default(allocator);
    sinew_BallLimit *copy = snw_alloc(&memory, limit->memory_size);
    *out_limit = copy;
    if (copy == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }

    // one block, whose pointers all lead into itself
    snw_arena_unguard(limit, limit->memory_size);
    memcpy(copy, limit, limit->memory_size);
    copy->allocator = memory;
    copy->windows = moved(limit, copy, limit->windows);
    copy->sides = moved(limit, copy, limit->sides);
    copy->pieces = moved(limit, copy, limit->pieces);
    sinew_ReachWindow *given = (sinew_ReachWindow *)moved(limit, copy, limit->def.windows);
    copy->def.windows = given;
    for (int i = 0; i < copy->def.window_count; ++i) {
        given[i].rays = moved(limit, copy, given[i].rays);
    }
    return SINEW_STATUS_OK;
}

const sinew_BallLimitDef *sinew_ball_limit_def(const sinew_BallLimit *limit)
{
    return limit != NULL ? &limit->def : NULL;
}
