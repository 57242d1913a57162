// Moving a ball along its limits: what is held, and how a move is brought back.
//
// du = w x u, so a side n is left at the rate w . (u x n)/|u x n|, and the twist changes by w . g with
// g = (x + u)/(1 + x . u) along the bisector of x and u: g . u = 1, as turning about the bone is twist
// alone, and |g| = 1/cos(swing/2), as swinging round x twists as well.

#include "body/ball_limit.h"

#include "math/holds.h"

// Held directions that follow from others but for this share of their length are left out: their
// prescribed rotations would blow up what is small. The retraction takes over.
#define DEPENDENT 1e-3

// Nearer to a swing of pi than this (1 + x . u), a twist has no rate.
#define NO_TWIST_RATE 1e-9

// ---------------------------------------------------------------------------------------------
// Rates

// rate at which the twist changes; zero near a swing of pi
static sinew_Vec3 twist_rate(sinew_Vec3 u)
{
    double d = 1.0 + u.x;
    if (d < NO_TWIST_RATE) { return sinew_vec3(0.0, 0.0, 0.0); }
    return sinew_vec3(1.0, u.y / d, u.z / d);
}

// rate at which u moves into a side: unit, and zero where u is at n or opposite to it
static sinew_Vec3 side_rate(const snw_Side *side, sinew_Vec3 u)
{
    sinew_Vec3 c = sinew_vec3_cross(u, side->n);
    double length = sinew_vec3_length(c);
    return sinew_vec3_scale(c, length > SNW_LIMIT_TOUCH ? 1.0 / length : 0.0);
}

// ---------------------------------------------------------------------------------------------
// Held directions

snw_BallHold snw_ball_hold_none(void)
{
    snw_BallHold r = { .axes = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } };
    return r;
}

// The free axes: any that make a right-handed triad with the held ones. Where all are held, the last
// one turns round if need be.
static void complete_axes(snw_BallHold *hold)
{
    sinew_Vec3 *axes = hold->axes;
    if (hold->count == 3 && sinew_vec3_dot(sinew_vec3_cross(axes[0], axes[1]), axes[2]) < 0.0) {
        axes[2] = sinew_vec3_scale(axes[2], -1.0);
        hold->values[2] = -hold->values[2];
    }
    if (hold->count == 1) {
        // across the smallest component, so that nothing small is divided
        sinew_Vec3 a = axes[0];
        double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
        sinew_Vec3 other = { x <= y && x <= z ? 1.0 : 0.0, y < x && y <= z ? 1.0 : 0.0,
            z < x && z < y ? 1.0 : 0.0 };
        axes[1] = sinew_vec3_normalize_or(sinew_vec3_cross(other, a), other);
    }
    if (hold->count == 1 || hold->count == 2) { axes[2] = sinew_vec3_cross(axes[0], axes[1]); }
}

/// Hold a direction of any length at w . normal = value. Directions that nearly follow from those
/// held already are left out; returns whether it was taken.
static bool add_hold(snw_BallHold *hold, sinew_Vec3 normal, double value)
{
    double length = sinew_vec3_length(normal);
    if (hold->count == 3 || !(length > 1e-12)) { return false; }

    // Gram and Schmidt, twice for the last digits; values go along
    sinew_Vec3 v = sinew_vec3_scale(normal, 1.0 / length);
    double rest = value / length;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < hold->count; ++i) {
            double part = sinew_vec3_dot(v, hold->axes[i]);
            v = sinew_vec3_add_scaled(v, hold->axes[i], -part);
            rest -= part * hold->values[i];
        }
    }
    double left = sinew_vec3_length(v);
    if (!(left > DEPENDENT)) { return false; }
    hold->axes[hold->count] = sinew_vec3_scale(v, 1.0 / left);
    hold->values[hold->count] = rest / left;
    ++hold->count;
    complete_axes(hold);
    return true;
}

// ---------------------------------------------------------------------------------------------
// The cone of allowed moves

// whether w breaks none of the constraints by more than rounding; normals are of about unit length
static bool is_feasible(
    const sinew_Vec3 *normals, int count, int locked, sinew_Vec3 w, double slack)
{
    for (int i = 0; i < count; ++i) {
        double rate = sinew_vec3_dot(normals[i], w);
        if (rate < -slack || (i == locked && rate > slack)) { return false; }
    }
    return true;
}

// The part of a force that a plane takes, w = force - share normal; false unless the plane is pressed.
static bool press_one(sinew_Vec3 normal, bool locked, sinew_Vec3 force, sinew_Vec3 *out_w)
{
    double share = sinew_vec3_dot(normal, force) / sinew_vec3_dot(normal, normal);
    *out_w = sinew_vec3_add_scaled(force, normal, -share);
    return locked || share < 0.0;
}

// The same for the line in which two planes meet: both must be pressed.
static bool press_two(
    sinew_Vec3 a, bool locked_a, sinew_Vec3 b, bool locked_b, sinew_Vec3 force, sinew_Vec3 *out_w)
{
    double aa = sinew_vec3_dot(a, a), ab = sinew_vec3_dot(a, b), bb = sinew_vec3_dot(b, b);
    double fa = sinew_vec3_dot(a, force), fb = sinew_vec3_dot(b, force);
    double share_a = fa * bb - fb * ab, share_b = fb * aa - fa * ab;
    if (!(aa * bb - ab * ab > 1e-12 * aa * bb)) { return false; }
    sinew_Vec3 line = sinew_vec3_cross(a, b);
    double along = sinew_vec3_dot(line, force) / sinew_vec3_dot(line, line);
    *out_w = sinew_vec3_scale(line, along);
    return (locked_a || share_a < 0.0) && (locked_b || share_b < 0.0);
}

// The projection lies on one face of the cone: the whole space, a plane, a line or the point. It is
// the face that is pressed by what it takes from the force, and whose rest of the force is feasible;
// of several that say the same, the one that holds least.
int snw_project_cone(const sinew_Vec3 *normals, int count, int locked, sinew_Vec3 force,
    sinew_Vec3 *out_w, int *out_held)
{
    SNW_ASSERT(count >= 0);
    double slack = 1e-12 * sinew_vec3_length(force);
    *out_w = force;
    if (locked < 0 && is_feasible(normals, count, locked, force, slack)) { return 0; }
    for (int i = 0; i < count; ++i) {
        if ((locked < 0 || i == locked) && press_one(normals[i], i == locked, force, out_w)
            && is_feasible(normals, count, locked, *out_w, slack)) {
            out_held[0] = i;
            return 1;
        }
    }
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < i; ++j) {
            bool fits = locked < 0 || i == locked || j == locked;
            if (fits && press_two(normals[j], j == locked, normals[i], i == locked, force, out_w)
                && is_feasible(normals, count, locked, *out_w, slack)) {
                out_held[0] = j;
                out_held[1] = i;
                return 2;
            }
        }
    }
    *out_w = sinew_vec3(0.0, 0.0, 0.0);
    return 3;
}

// ---------------------------------------------------------------------------------------------
// What a force presses against

// Limits that a ball is on.
typedef struct Active {
    sinew_Vec3 rates[4];
    snw_Side sides[4]; // of those that are no twist
    int count;
    int twist;  // -1 lower, 1 upper, 0 none; then it is the first
    int locked; // 0 when the twist is locked, else -1
} Active;

// the twist bound that r is on, the first of the limits
static void find_active_twist(
    const sinew_BallLimit *limit, sinew_Quat r, sinew_Vec3 u, Active *active)
{
    SNW_ASSERT(snw_holds_unit(r));
    active->count = 0;
    active->twist = 0;
    active->locked = -1;
    if (limit->twist_free) { return; }
    double above = snw_twist_above(&limit->twist, r.x, r.w);
    double below = snw_twist_below(&limit->twist, r.x, r.w);
    double clear = 0.5 * SNW_LIMIT_TOUCH * sqrt(r.x * r.x + r.w * r.w);
    if ((above > clear && below > clear) || (above < -clear && below < -clear)) { return; }
    sinew_Vec3 g = twist_rate(u);
    if (g.x == 0.0) { return; }

    bool upper = fabs(below) < fabs(above);
    active->twist = upper ? 1 : -1;
    active->locked = limit->twist_locked ? 0 : -1;
    active->rates[0] = upper ? sinew_vec3_scale(g, -1.0) : g;
    active->count = 1;
}

// Add the sides of a window that u is on, at most 3; false when u is not in the window at all.
static bool find_active_sides(
    const sinew_BallLimit *limit, const snw_Window *window, sinew_Vec3 u, Active *active)
{
    for (int i = 0; i < window->side_count; ++i) {
        const snw_Side *side = limit->sides + window->side_start + i;
        double height = sinew_vec3_dot(side->n, u) - side->d;
        if (!(height >= -SNW_LIMIT_TOUCH * side->slope)) { return false; }
        if (height <= SNW_LIMIT_TOUCH * side->slope && active->count < 4) {
            active->rates[active->count] = side_rate(side, u);
            active->sides[active->count++] = *side;
        }
    }
    return true;
}

static bool hold_side(snw_BallHold *hold, const snw_Side *side, sinew_Vec3 rate, double value)
{
    if (!add_hold(hold, rate, value)) { return false; }
    if (hold->side_count < 2) { hold->sides[hold->side_count++] = *side; }
    return true;
}

// Hold what the force presses against, where that lets it go farther than *farthest.
static void press(const Active *active, sinew_Vec3 force, double *farthest, snw_BallHold *hold)
{
    sinew_Vec3 w;
    int held[3];
    int count = snw_project_cone(active->rates, active->count, active->locked, force, &w, held);
    if (!(sinew_vec3_dot(w, w) > *farthest)) { return; }
    *farthest = sinew_vec3_dot(w, w);
    *hold = snw_ball_hold_none();
    if (count == 3) {
        hold->count = 3;
        return;
    }
    for (int i = 0; i < count; ++i) {
        if (held[i] == 0 && active->twist != 0) {
            if (add_hold(hold, active->rates[0], 0.0)) { hold->twist = active->twist; }
        } else {
            hold_side(hold, active->sides + held[i], active->rates[held[i]], 0.0);
        }
    }
}

snw_BallHold snw_ball_hold(
    const sinew_BallLimit *limit, sinew_Quat r, sinew_Vec3 force, snw_LimitCounts *counts)
{
    SNW_ASSERT(snw_holds_unit(r));
    snw_BallHold hold = snw_ball_hold_none();
    SNW_COUNT(counts, checks);
    sinew_Vec3 u = snw_bone_of(r);
    Active active;
    double farthest = -1.0;
    find_active_twist(limit, r, u, &active);

    // clear of all sides: the twist alone
    if (r.x * r.x + r.w * r.w >= limit->near_x
        || snw_windows_hold(limit, u, -SNW_LIMIT_TOUCH, counts)) {
        if (active.count == 0) { return hold; }
        press(&active, force, &farthest, &hold);
        return hold;
    }

    // a bone that touches several windows may go into the one that lets it go farthest
    int twists = active.count;
    for (int i = 0; i < limit->window_count; ++i) {
        active.count = twists;
        if (find_active_sides(limit, limit->windows + i, u, &active)) {
            press(&active, force, &farthest, &hold);
        }
    }
    if (farthest >= 0.0) { return hold; }

    // outside all windows, which a retracted pose is not: the nearest side
    const snw_Piece *nearest = limit->pieces + snw_outline_closest(limit, u).piece;
    active.count = twists + 1;
    active.rates[twists] = side_rate(&nearest->side, u);
    active.sides[twists] = nearest->side;
    press(&active, force, &farthest, &hold);
    return hold;
}

// ---------------------------------------------------------------------------------------------
// Hits

// how far u is inside a side, radians
static double angle_inside(const snw_Side *side, sinew_Vec3 u, snw_LimitCounts *counts)
{
    double height = sinew_vec3_dot(side->n, u);
    double across = sinew_vec3_length(sinew_vec3_cross(side->n, u));
    double radius = sqrt((1.0 - side->d) * (1.0 + side->d));
    // difference of two angles from n: that of the side and that of u
    SNW_COUNT(counts, trigonometry);
    return sinew_atan2(radius * height - across * side->d, side->d * height + radius * across);
}

// hold the side of a piece that a move from u would cross at p
static bool hold_piece(
    snw_BallHold *hold, const snw_Piece *piece, sinew_Vec3 u, sinew_Vec3 p, snw_LimitCounts *counts)
{
    sinew_Vec3 rate = side_rate(&piece->side, u);
    if (sinew_vec3_dot(rate, rate) == 0.0) {
        // from the axis of a cone all ways out are alike: the one to p
        rate = sinew_vec3_normalize_or(sinew_vec3_cross(p, u), rate);
    }
    return hold_side(hold, &piece->side, rate, -angle_inside(&piece->side, u, counts));
}

// The bound that a twist passes on the way from one rotation to the next: -1 or 1, and how far it is.
static int passed_bound(const sinew_BallLimit *limit, sinew_Quat r, sinew_Quat r_next,
    double *out_distance, snw_LimitCounts *counts)
{
    SNW_ASSERT(snw_holds_unit(r));
    SNW_ASSERT(snw_holds_unit(r_next));
    SNW_COUNT(counts, trigonometry);
    SNW_COUNT(counts, trigonometry);
    double before = snw_twist_of(r);
    double turn = snw_twist_of(r_next) - before;
    if (turn > SINEW_PI) { turn -= 2.0 * SINEW_PI; }
    if (turn <= -SINEW_PI) { turn += 2.0 * SINEW_PI; }
    bool low = before + turn < limit->twist_middle;
    *out_distance = (low ? limit->def.twist_lower : limit->def.twist_upper) - before;
    return low ? -1 : 1;
}

// The point of the outline that a move from u to u_next runs into. The one closest to u_next takes a
// corner into account at once, but only for a window that holds u, and not from beyond the end of its
// side, is the side's plane a border between the two. Else it is where the move leaves.
static snw_Foot find_hit(
    const sinew_BallLimit *limit, sinew_Vec3 u, sinew_Vec3 u_next, snw_LimitCounts *counts)
{
    snw_Foot foot = snw_outline_closest(limit, u_next);
    const snw_Piece *piece = limit->pieces + foot.piece;
    const snw_Window *window = limit->windows + piece->window;
    const snw_Side *sides = limit->sides + window->side_start;
    bool shared = snw_sides_hold(sides, window->side_count, u, SNW_LIMIT_TOUCH);
    if (shared && sinew_vec3_dot(piece->side.n, u) <= piece->side.d + SNW_LIMIT_TOUCH) {
        shared = sinew_vec3_distance(u, snw_piece_closest(piece, u)) < SNW_CORNER_APART;
    }
    return shared ? foot : snw_outline_exit(limit, u, u_next, counts);
}

bool snw_ball_hold_hits(const sinew_BallLimit *limit, sinew_Quat r, sinew_Quat r_next,
    snw_BallHold *hold, snw_LimitCounts *counts)
{
    SNW_ASSERT(snw_holds_unit(r));
    SNW_ASSERT(snw_holds_unit(r_next));
    if (snw_ball_holds(limit, r_next, counts)) { return false; }
    SNW_COUNT(counts, responses);
    bool added = false;
    sinew_Vec3 u = snw_bone_of(r), u_next = snw_bone_of(r_next);
    if (!snw_windows_hold(limit, u_next, SNW_LIMIT_SLACK, counts)) {
        snw_Foot foot = find_hit(limit, u, u_next, counts);
        added |= hold_piece(hold, limit->pieces + foot.piece, u, foot.point, counts);
        if (foot.neighbor >= 0) {
            added |= hold_piece(hold, limit->pieces + foot.neighbor, u, foot.point, counts);
        }
    }
    if (!snw_ball_twist_holds(limit, r_next)) {
        double distance;
        int bound = passed_bound(limit, r, r_next, &distance, counts);
        if (add_hold(hold, twist_rate(u), distance)) {
            hold->twist = bound;
            added = true;
        }
    }
    return added;
}

// ---------------------------------------------------------------------------------------------
// Retraction

// Where the circles of two sides meet, the nearer of two points; u itself when they do not, or hardly.
static sinew_Vec3 meeting_point(const snw_Side *a, const snw_Side *b, sinew_Vec3 u)
{
    // p = alpha a + beta b +- gamma a x b with a . p and b . p given and |p| = 1
    double cosine = sinew_vec3_dot(a->n, b->n);
    sinew_Vec3 line = sinew_vec3_cross(a->n, b->n);
    double sine2 = sinew_vec3_dot(line, line);
    if (!(sine2 > 1e-4)) { return u; }
    double alpha = (a->d - b->d * cosine) / sine2, beta = (b->d - a->d * cosine) / sine2;
    double gamma2 = (1.0 - alpha * a->d - beta * b->d) / sine2;
    if (!(gamma2 > 0.0)) { return u; }
    double gamma = sinew_vec3_dot(line, u) < 0.0 ? -sqrt(gamma2) : sqrt(gamma2);
    sinew_Vec3 p = sinew_vec3_scale(a->n, alpha);
    p = sinew_vec3_add_scaled(p, b->n, beta);
    return sinew_vec3_add_scaled(p, line, gamma);
}

// The point of the held sides that is nearest to u.
static sinew_Vec3 on_held_sides(const snw_BallHold *hold, sinew_Vec3 u)
{
    if (hold->side_count == 0) { return u; }
    if (hold->side_count == 2) { return meeting_point(hold->sides, hold->sides + 1, u); }
    const snw_Side *side = hold->sides;
    snw_Piece circle = { .side = *side,
        .radius = sqrt((1.0 - side->d) * (1.0 + side->d)),
        .a = u,
        .b = u,
        .whole = true };
    return snw_piece_closest(&circle, u);
}

// the rotation with the bone along u and the twist at a bound
static sinew_Quat at_bound(const sinew_BallLimit *limit, sinew_Vec3 u, int bound)
{
    sinew_Quat twist = bound < 0 ? limit->lower_twist : limit->upper_twist;
    return sinew_quat_mul(sinew_quat_from_x(u), twist);
}

sinew_Quat snw_ball_retract(const sinew_BallLimit *limit, sinew_Quat r, sinew_Quat r_next,
    const snw_BallHold *hold, snw_LimitCounts *counts)
{
    SNW_ASSERT(snw_holds_unit(r));
    SNW_ASSERT(snw_holds_unit(r_next));
    bool holding = hold != NULL && (hold->side_count > 0 || hold->twist != 0);
    bool allowed = snw_ball_holds(limit, r_next, counts);
    if (allowed && !holding) { return r_next; }
    if (!allowed) { SNW_COUNT(counts, responses); }

    // the bone: onto the sides that are held, then inside
    sinew_Vec3 u_next = snw_bone_of(r_next);
    sinew_Vec3 u = holding ? on_held_sides(hold, u_next) : u_next;
    if (limit->window_count > 0 && !snw_windows_hold(limit, u, SNW_LIMIT_SLACK, counts)) {
        u = snw_outline_closest(limit, u).point;
    }
    sinew_Quat inside = sinew_quat_mul(sinew_quat_between(u_next, u), r_next);
    inside = sinew_quat_normalize(inside);

    // the twist: to the bound that is held, or that was passed
    sinew_Quat result = inside;
    if (holding && hold->twist != 0) {
        result = at_bound(limit, u, hold->twist);
    } else if (!snw_ball_twist_holds(limit, inside)) {
        double distance;
        result = at_bound(limit, u, passed_bound(limit, r, inside, &distance, counts));
    }
    // at sides that hardly meet, or a swing of nearly pi, rounding is as large as the way inside
    return snw_ball_clamp(limit, SINEW_RESPONSE_ARC, result, NULL);
}
