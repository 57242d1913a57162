// The outline of all windows together, and the circles inside it that accept early.

#include "body/ball_limit_build.h"

#include "math/holds.h"

// A direction is tried this far outside a side, radians, to see whether another window goes on there:
// more than the gaps of seams, less than anything that matters.
#define PROBE 1e-8
// Parts of sides shorter than this are dropped, radians.
#define SHORTEST_PIECE 1e-9

// One side as a circle with an angle along it.
typedef struct Arc {
    snw_Side side;
    double radius;
    sinew_Vec3 e1, e2; // the point at angle t is d n + radius (e1 cos t + e2 sin t)
    double start, end;
    bool whole;
} Arc;

static sinew_Vec3 arc_point(const Arc *arc, double t)
{
    double s, c;
    sinew_sincos(t, &s, &c);
    sinew_Vec3 p = sinew_vec3_scale(arc->side.n, arc->side.d);
    p = sinew_vec3_add_scaled(p, arc->e1, arc->radius * c);
    return sinew_vec3_add_scaled(p, arc->e2, arc->radius * s);
}

static Arc make_arc(const snw_LimitDraft *draft, const snw_Window *window, int i)
{
    int start = window->side_start;
    Arc arc = { .side = draft->sides[start + i], .start = 0.0 };
    sinew_Vec3 n = arc.side.n, a = draft->corners[start + i];
    arc.whole = window->side_count == 1;
    arc.radius = arc.whole ? sqrt((1.0 - arc.side.d) * (1.0 + arc.side.d)) : 1.0;
    if (arc.whole) {
        sinew_Quat turn = sinew_quat_from_x(n);
        arc.e1 = sinew_quat_rotate(turn, sinew_vec3(0.0, 1.0, 0.0));
        arc.e2 = sinew_vec3_cross(n, arc.e1);
        arc.end = 2.0 * SINEW_PI;
    } else {
        sinew_Vec3 b = draft->corners[start + (i + 1) % window->side_count];
        arc.e1 = a;
        arc.e2 = sinew_vec3_cross(n, a);
        arc.end = sinew_atan2(sinew_vec3_dot(arc.e2, b), sinew_vec3_dot(arc.e1, b));
    }
    return arc;
}

// Angles, ascending, at which an arc crosses the circles of other windows' sides; its own ends are
// the first and last. out has room for 2 SNW_MAX_SIDES + 2.
static int find_crossings(
    const snw_LimitDraft *draft, int window_index, const Arc *arc, double *out)
{
    const snw_Window *window = draft->windows + window_index;
    int count = 0;
    if (!arc->whole) {
        out[count++] = arc->start;
        out[count++] = arc->end;
    }
    for (int j = 0; j < draft->side_count; ++j) {
        if (j >= window->side_start && j < window->side_start + window->side_count) { continue; }
        // n . p(t) = d is amplitude cos(t - phase) = level
        const snw_Side *other = draft->sides + j;
        double a = sinew_vec3_dot(other->n, arc->e1), b = sinew_vec3_dot(other->n, arc->e2);
        double amplitude = arc->radius * sqrt(a * a + b * b);
        double level = other->d - arc->side.d * sinew_vec3_dot(other->n, arc->side.n);
        if (amplitude < 1e-12 || fabs(level) > amplitude) { continue; }
        double phase = sinew_atan2(b, a), spread = sinew_acos(level / amplitude);
        for (int sign = -1; sign <= 1; sign += 2) {
            double t = phase + sign * spread;
            while (t < 0.0) { t += 2.0 * SINEW_PI; }
            while (t >= 2.0 * SINEW_PI) { t -= 2.0 * SINEW_PI; }
            if (arc->whole || (t > SHORTEST_PIECE && t < arc->end - SHORTEST_PIECE)) {
                out[count++] = t;
            }
        }
    }
    for (int i = 1; i < count; ++i) {
        double t = out[i];
        int k = i;
        for (; k > 0 && out[k - 1] > t; --k) { out[k] = out[k - 1]; }
        out[k] = t;
    }
    // a whole circle starts and ends at its first crossing
    if (arc->whole && count > 0) {
        out[count] = out[0] + 2.0 * SINEW_PI;
        ++count;
    }
    return count;
}

// whether no other window goes on beyond the arc at angle t
static bool is_outer(const snw_LimitDraft *draft, int window_index, const Arc *arc, double t)
{
    sinew_Vec3 p = arc_point(arc, t);
    sinew_Vec3 n = arc->side.n;
    sinew_Vec3 inward = sinew_vec3_add_scaled(n, p, -sinew_vec3_dot(n, p));
    sinew_Vec3 out = sinew_vec3_add_scaled(p, sinew_vec3_normalize_or(inward, n), -PROBE);
    for (int j = 0; j < draft->window_count; ++j) {
        const snw_Window *other = draft->windows + j;
        if (j != window_index
            && snw_sides_hold(draft->sides + other->side_start, other->side_count, out, 0.0)) {
            return false;
        }
    }
    return true;
}

static snw_Piece make_piece(const Arc *arc, int window, double start, double end)
{
    snw_Piece piece = { .side = arc->side,
        .radius = arc->radius,
        .a = arc_point(arc, start),
        .b = arc_point(arc, end),
        .wide = end - start > SINEW_PI,
        .previous = -1,
        .next = -1,
        .window = window };
    return piece;
}

// the outer parts of one arc; out may be NULL
static int cut_arc(const snw_LimitDraft *draft, int window, const Arc *arc, snw_Piece *out)
{
    double *crossings = draft->scratch->crossings;
    int count = find_crossings(draft, window, arc, crossings);
    if (count == 0) {
        if (!is_outer(draft, window, arc, 0.0)) { return 0; }
        if (out != NULL) {
            out[0] = make_piece(arc, window, arc->start, arc->end);
            out[0].b = out[0].a;
            out[0].whole = true;
        }
        return 1;
    }

    int pieces = 0;
    bool open = false;
    double start = 0.0;
    for (int i = 0; i + 1 < count; ++i) {
        double from = crossings[i], to = crossings[i + 1];
        if (to - from < SHORTEST_PIECE) { continue; }
        bool outer = is_outer(draft, window, arc, 0.5 * (from + to));
        if (outer && !open) { start = from; }
        if (!outer && open) {
            if (out != NULL) { out[pieces] = make_piece(arc, window, start, from); }
            ++pieces;
        }
        open = outer;
    }
    if (open) {
        if (out != NULL) { out[pieces] = make_piece(arc, window, start, crossings[count - 1]); }
        ++pieces;
    }
    return pieces;
}

// each piece goes on where another starts
static void link_pieces(snw_Piece *pieces, int count)
{
    SNW_ASSERT(count >= 0);
    for (int i = 0; i < count; ++i) {
        double best = SNW_CORNER_APART;
        for (int j = 0; j < count && !pieces[i].whole; ++j) {
            double gap = sinew_vec3_distance(pieces[i].b, pieces[j].a);
            if (j != i && !pieces[j].whole && gap < best) {
                best = gap;
                pieces[i].next = j;
            }
        }
        if (pieces[i].next >= 0) { pieces[pieces[i].next].previous = i; }
    }
}

int snw_draft_outline(const snw_LimitDraft *draft, snw_Piece *out)
{
    int count = 0;
    for (int i = 0; i < draft->window_count; ++i) {
        const snw_Window *window = draft->windows + i;
        for (int j = 0; j < window->side_count; ++j) {
            Arc arc = make_arc(draft, window, j);
            count += cut_arc(draft, i, &arc, out != NULL ? out + count : NULL);
        }
    }
    if (out != NULL) { link_pieces(out, count); }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Circles

// squared chord from u to the outline, negative outside the windows
static double clearance(const sinew_BallLimit *limit, sinew_Vec3 u)
{
    double chord2 = snw_outline_closest(limit, u).chord2;
    for (int i = 0; i < limit->window_count; ++i) {
        const snw_Window *window = limit->windows + i;
        if (snw_sides_hold(
                limit->sides + window->side_start, window->side_count, u, SNW_LIMIT_SLACK)) {
            return chord2;
        }
    }
    return -chord2;
}

static double chord_angle(double chord2)
{
    return chord2 > 0.0 ? 2.0 * sinew_asin(0.5 * sqrt(chord2)) : 0.0;
}

// Climb to a direction that is farther from the outline: eight ways, with steps that shrink. Along a
// ridge it may stop early, which costs a little of the circle and nothing else.
static sinew_Vec3 climb(const sinew_BallLimit *limit, sinew_Vec3 u, double *best)
{
    static const double ways[8][2] = { { 1.0, 0.0 }, { 0.7, 0.7 }, { 0.0, 1.0 }, { -0.7, 0.7 },
        { -1.0, 0.0 }, { -0.7, -0.7 }, { 0.0, -1.0 }, { 0.7, -0.7 } };
    for (double step = 0.3; step > 1e-3;) {
        sinew_Quat turn = sinew_quat_from_x(u);
        sinew_Vec3 top = u;
        for (int i = 0; i < 8; ++i) {
            sinew_Vec3 way = { 1.0, step * ways[i][0], step * ways[i][1] };
            sinew_Vec3 v = sinew_vec3_normalize_or(
                sinew_quat_rotate(turn, way), sinew_vec3(1.0, 0.0, 0.0));
            double value = clearance(limit, v);
            if (value > *best) {
                *best = value;
                top = v;
            }
        }
        if (sinew_vec3_distance(top, u) == 0.0) { step *= 0.5; }
        u = top;
    }
    return u;
}

// The largest circle inside all windows together. One window knows its own.
static void find_union_cap(sinew_BallLimit *limit, const snw_LimitDraft *draft)
{
    if (draft->window_count == 1) {
        limit->cap_center = draft->windows[0].cap_center;
        limit->cap_cosine = draft->windows[0].cap_cosine;
        return;
    }
    // start from the neutral direction and from the middle of each window, climb from the best two
    sinew_Vec3 starts[2] = { { 1.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 } };
    double values[2] = { clearance(limit, starts[0]), -8.0 };
    for (int i = 0; i < draft->window_count; ++i) {
        sinew_Vec3 u = draft->windows[i].cap_center;
        double value = clearance(limit, u);
        if (value > values[0]) {
            starts[1] = starts[0];
            values[1] = values[0];
            starts[0] = u;
            values[0] = value;
        } else if (value > values[1]) {
            starts[1] = u;
            values[1] = value;
        }
    }
    for (int i = 0; i < 2; ++i) { starts[i] = climb(limit, starts[i], &values[i]); }
    int best = values[1] > values[0] ? 1 : 0;
    limit->cap_center = starts[best];
    limit->cap_cosine = snw_cap_cosine(chord_angle(values[best]));
}

void snw_limit_find_caps(sinew_BallLimit *limit, const snw_LimitDraft *draft)
{
    sinew_Vec3 x = { 1.0, 0.0, 0.0 };
    limit->path_start = x;
    limit->cap_center = x;
    if (limit->piece_count == 0) {
        // no windows, or windows that cover all directions
        limit->window_count = 0;
        limit->near_x = -1.0;
        limit->cap_cosine = -2.0;
        return;
    }
    find_union_cap(limit, draft);
    double room = clearance(limit, x);
    limit->near_x = 0.5 * (1.0 + snw_cap_cosine(chord_angle(room)));
    if (room < 0.0) { limit->path_start = snw_outline_closest(limit, x).point; }
}
