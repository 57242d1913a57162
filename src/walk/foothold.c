#include "walk/foothold.h"

#include "motion/terrain.h"
#include "walk/gait.h"

#include <stdlib.h>

// Shares of thigh + shank; metres at 0.926 m.
#define EDGE_SHARE 0.7 // rise over the sole's length that is an edge

// The profile that a search looks at: heights every PROFILE_STEP along the way, three lines abreast.
#define PROFILE_STEP 0.02
#define PROFILE_MAX 96
#define MOST_SHIFT 0.38
#define STAIR_RISE 0.07 // metres over PROFILE_STEP
#define LEAST_TREAD 0.2 // metres that a foot stands on
#define MOST_RISE 0.30  // metres from the other foot's ground
#define FAR_AWAY 100.0
#define MOST_BEHIND 0.40  // of the leg's reach
#define LEAST_STRIDE 0.10 // from the other foot: less is standing beside it
#define MOST_DOWN_SHIFT 0.12
// Settling between steps: as far as this, with so much room to walls and to edges that fall away.
#define MOST_SETTLE 0.12
#define WALL_GAP 0.012
#define DROP_GAP 0.006
// A heel that comes down behind a step has more room; for it toes stick out so far.
#define HEEL_GAP 0.040
#define MOST_TOES_OUT 0.045
#define EDGE_HALVINGS 6
#define SIDE_POINTS 5
// Straight treads are known from this near, and so much off is a corner; share of the way.
#define MOST_TREAD 0.34
#define STRAIGHT_ENOUGH 0.1
#define SLANT_REACH 0.08 // metres
// Costs of places to stand, in points of the rim that do so badly.
#define SETTLE_COST 6.0        // of a metre away from where the foot should be
#define SETTLE_REACH_COST 40.0 // of a metre that the leg is too short
#define REACH_SPARE 0.05       // metres that hips come down for a foot
#define HIGH_STEP_COST 8.0
#define WALL_FAULTS 4
#define GOOD_ENOUGH 0.9
#define MOSTLY_ALONG 0.8 // cosine: feet that step across edges keep their distance from each other

// ---------------------------------------------------------------------------------------------
// Searching

/// Heights along the line of shift, each the highest of three abreast.
typedef struct Profile {
    double start; // of the first, along
    int count;
    double top[PROFILE_MAX], low[PROFILE_MAX], middle[PROFILE_MAX];
} Profile;

static void take_profile(const snw_WalkLegBody *leg, snw_WalkGround *ground,
    const snw_FootholdWish *wish, double from, double to, Profile *profile)
{
    // as far as the other foot, where one line is enough
    double wide_from = from;
    from = fmax(to - (PROFILE_MAX - 2) * PROFILE_STEP, fmin(from, wish->other_along));
    to = fmax(to, fmin(wish->other_along, from + (PROFILE_MAX - 2) * PROFILE_STEP));
    profile->start = from;
    int count = (int)((to - from) / PROFILE_STEP) + 2;
    profile->count = count < PROFILE_MAX ? count : PROFILE_MAX;
    for (int i = 0; i < profile->count; ++i) {
        double along = from + i * PROFILE_STEP;
        double x = wish->x + along * wish->along_x, z = wish->z + along * wish->along_z;
        double dx = wish->along_z * leg->ball_width, dz = -wish->along_x * leg->ball_width;
        double a = snw_walk_height(ground, x, z);
        profile->top[i] = a;
        profile->low[i] = a;
        profile->middle[i] = a;
        if (along < wide_from) { continue; }
        double b = snw_walk_height(ground, x + dx, z + dz);
        double c = snw_walk_height(ground, x - dx, z - dz);
        profile->top[i] = fmax(a, fmax(b, c));
        profile->low[i] = fmin(a, fmin(b, c));
    }
}

static double height_at(const Profile *profile, double along)
{
    double at = (along - profile->start) / PROFILE_STEP;
    int i = (int)snw_clamp(at, 0.0, profile->count - 1.001);
    return snw_mix(profile->top[i], profile->top[i + 1], snw_clamp(at - i, 0.0, 1.0));
}

// highest and lowest between two places
static void span(const Profile *profile, double from, double to, double *high, double *low)
{
    int i = (int)snw_clamp(floor((from - profile->start) / PROFILE_STEP), 0.0, profile->count - 1);
    int j = (int)snw_clamp(ceil((to - profile->start) / PROFILE_STEP), 0.0, profile->count - 1);
    *high = profile->top[i];
    *low = profile->low[i];
    for (; i <= j; ++i) {
        *high = fmax(*high, profile->top[i]);
        *low = fmin(*low, profile->low[i]);
    }
}

static double positive(double x)
{
    return x > 0.0 ? x : 0.0;
}

// steps of the ground between two places; near walls alone
static int edges_between(const Profile *profile, double from, double to)
{
    double a = (fmin(from, to) - profile->start) / PROFILE_STEP;
    double b = (fmax(from, to) - profile->start) / PROFILE_STEP;
    int first = (int)snw_clamp(a, 0.0, profile->count - 1);
    int last = (int)snw_clamp(b, 0.0, profile->count - 1), edges = 0;
    for (int i = first; i < last; ++i) {
        edges += fabs(profile->low[i + 1] - profile->low[i]) > STAIR_RISE ? 1 : 0;
    }
    return edges;
}

// whether the ground steps up or down between two places or beside them; slopes do not count
static bool has_step(const Profile *profile, double from, double to)
{
    double a = (from - profile->start) / PROFILE_STEP, b = (to - profile->start) / PROFILE_STEP;
    int first = (int)snw_clamp(floor(a), 0.0, profile->count - 1);
    int last = (int)snw_clamp(ceil(b), 0.0, profile->count - 1);
    double jump = 0.0, across = 0.0;
    for (int i = first; i <= last; ++i) {
        across = fmax(across, profile->top[i] - profile->low[i]);
        if (i == last) { break; }
        jump = fmax(jump, fabs(profile->top[i + 1] - profile->top[i]));
        jump = fmax(jump, fabs(profile->low[i + 1] - profile->low[i]));
    }
    return across > STAIR_RISE || jump > 0.5 * STAIR_RISE;
}

// how much farther behind the hip a place is than thighs go back
static double far_behind(const snw_FootholdWish *wish, double shift)
{
    double dx = wish->x + shift * wish->along_x - wish->hip.x;
    double dz = wish->z + shift * wish->along_z - wish->hip.z;
    return -(dx * wish->along_x + dz * wish->along_z) - MOST_BEHIND * wish->reach;
}

// Stairs: the tread next to the other foot's is the one to step on. False where there is none that can
// be reached.
static bool find_tread(const snw_WalkLegBody *leg, const Profile *profile,
    const snw_FootholdWish *wish, double from, double to, double *out_shift)
{
    // steps on the way from the other foot on
    int way = wish->other_along < 0.0 ? 1 : -1, found = 0;
    if (fabs(wish->other_along) < LEAST_STRIDE) { return false; }
    double edges[2] = { 0.0, way * FAR_AWAY }, heights[2] = { 0.0, 0.0 };
    double at = (wish->other_along - profile->start) / PROFILE_STEP;
    int i = (int)(way > 0 ? ceil(at) : floor(at));
    double before = wish->from_height;
    for (; i >= 0 && i < profile->count && found < 2; i += way) {
        double height = profile->middle[i];
        if (fabs(height - before) > STAIR_RISE) {
            edges[found] = profile->start + (i - 0.5 * way) * PROFILE_STEP;
            heights[found++] = height;
        }
        before = height;
    }
    double reach = way > 0 ? leg->tip + 0.07 : leg->heel - 0.06;
    if (found == 0 || way * (edges[0] - reach) > 0.0) { return false; }
    double first = fmin(edges[0], edges[1]), last = fmax(edges[0], edges[1]);
    if (last - first < LEAST_TREAD) { return false; }
    // below a wall there is no room; over an edge there is some
    bool is_up = way * (heights[0] - wish->from_height) > 0.0;
    double low = first - leg->heel, high = last - leg->tip + (way < 0 ? MOST_TOES_OUT : 0.0);
    if (low > high) {
        if (is_up) {
            low = high;
        } else {
            high = low;
        }
    }
    double shift = snw_clamp(0.0, low, high);
    // hips that are far behind would have to sink for a step down
    double most = is_up ? to : fmin(to, MOST_DOWN_SHIFT);
    if (shift < from || shift > most) { return false; }
    if (way < 0 && far_behind(wish, shift) > 0.0) { return false; }
    *out_shift = shift;
    return true;
}

static double cost_of(const snw_WalkLegBody *leg, const Profile *profile,
    const snw_FootholdWish *wish, int wish_edges, double shift)
{
    double heel = height_at(profile, shift + leg->heel),
           ball = height_at(profile, shift + leg->ball);
    double sole = leg->ball - leg->heel;
    double rise = ball - heel;
    bool is_edge = fabs(rise) > EDGE_SHARE * sole;
    double slope = is_edge ? 0.0 : rise / sole;
    double base = is_edge ? fmax(heel, ball) : heel - slope * leg->heel;

    // prints below the sole hang over, prints above lift the foot
    double sunk = 0.0, hanging = 0.0;
    const int samples = 12;
    for (int k = 0; k <= samples; ++k) {
        double along = leg->heel + (leg->tip - leg->heel) * k / samples;
        double over = height_at(profile, shift + along) - (base + slope * along);
        sunk = fmax(sunk, over);
        hanging += over < -0.02 ? 1.0 / (samples + 1) : 0.0;
    }
    // the foot rolls over its ball, which must not be in the air
    double ball_over = height_at(profile, shift + leg->ball) - (base + slope * leg->ball);
    double loose = ball_over < -0.01 ? 1.0 : 0.0;
    // rises just beyond toe and heel: what swings past them must later go round
    double high, low, beyond = 0.0;
    span(profile, shift + leg->tip, shift + leg->tip + 0.03, &high, &low);
    beyond += positive(high - (base + slope * leg->tip) - 0.06) > 0.0 ? 1.0 : 0.0;
    span(profile, shift + leg->heel - 0.03, shift + leg->heel, &high, &low);
    beyond += positive(high - (base + slope * leg->heel) - 0.06) > 0.0 ? 1.0 : 0.0;

    double hx = wish->x + shift * wish->along_x - wish->hip.x;
    double hz = wish->z + shift * wish->along_z - wish->hip.z;
    // at landing the hips are not quite half way between the heights of both feet
    double ground = wish->from_height + 0.44 * (base - wish->from_height);
    double hy = ground + wish->hip.y - (base + leg->ankle_height);
    double over_reach = sqrt(hx * hx + hz * hz + hy * hy) - wish->reach;
    return 80.0 * positive(sunk - 0.01) + 1.0 * hanging + 1.5 * fabs(shift)
        + wish->stay_cost * fabs(shift - wish->stay) + 12.0 * positive(over_reach)
        + 12.0 * positive(far_behind(wish, shift))
        + 40.0 * positive(fabs(base - wish->from_height) - MOST_RISE)
        + 6.0 * positive(fabs(slope) - 0.62) + 0.6 * beyond + 1.2 * loose + (is_edge ? 1.0 : 0.0)
        + 0.4 * abs(edges_between(profile, wish->other_along, shift) - wish_edges);
}

// ---------------------------------------------------------------------------------------------
// Settling: steps are known by samples only until here

/// A range of shifts.
typedef struct Room {
    double from, to;
} Room;

/// A foot that is being settled: the place below its ankle, and its axes on the ground.
typedef struct Settling {
    snw_WalkGround *ground;
    double x, z, ahead_x, ahead_z; // the left axis is (ahead_z, -ahead_x)
    double base;                   // height of the tread
} Settling;

/// A point of the rim of the sole; it is kept free towards the way that faces out.
typedef struct RimPoint {
    double side, along;
} RimPoint;

// height of the ground over the tread below a rim point that is shifted
static double over_tread(
    const Settling *foot, RimPoint point, double way_x, double way_z, double shift)
{
    double x = foot->x + point.along * foot->ahead_x + point.side * foot->ahead_z + shift * way_x;
    double z = foot->z + point.along * foot->ahead_z - point.side * foot->ahead_x + shift * way_z;
    return snw_walk_height(foot->ground, x, z) - foot->base;
}

// what the ground is there: 1 a wall, -1 air, 0 the tread
static int kind_of(double over)
{
    return over > 0.5 * STAIR_RISE ? 1 : (over < -0.5 * STAIR_RISE ? -1 : 0);
}

// the shift from 0 towards sign, at which the ground becomes or ceases to be of a kind; MOST_SETTLE where
// it does not
static double find_change(const Settling *foot, RimPoint point, double way_x, double way_z,
    double sign, int kind, bool until)
{
    double low = 0.0, high = 0.0;
    bool is_found = false;
    while (!is_found && low < MOST_SETTLE - 1e-9) {
        high = fmin(low + PROFILE_STEP, MOST_SETTLE);
        int there = kind_of(over_tread(foot, point, way_x, way_z, sign * high));
        is_found = (there == kind) == until;
        if (!is_found) { low = high; }
    }
    for (int i = 0; i < EDGE_HALVINGS && is_found; ++i) {
        double half = 0.5 * (low + high);
        int there = kind_of(over_tread(foot, point, way_x, way_z, sign * half));
        if ((there == kind) == until) {
            high = half;
        } else {
            low = half;
        }
    }
    return is_found ? (until ? low : high) : MOST_SETTLE;
}

// narrow the room of shifts so that a rim point stays off a kind of ground by a gap
static void stay_off(const Settling *foot, RimPoint point, double way_x, double way_z, double gap,
    int kind, Room *room)
{
    bool is_in = kind_of(over_tread(foot, point, way_x, way_z, 0.0)) == kind;
    double ahead = find_change(foot, point, way_x, way_z, 1.0, kind, !is_in);
    double behind = find_change(foot, point, way_x, way_z, -1.0, kind, !is_in);
    if (!is_in) {
        if (ahead < MOST_SETTLE) { room->to = fmin(room->to, ahead - gap); }
        if (behind < MOST_SETTLE) { room->from = fmax(room->from, gap - behind); }
    } else if (ahead < behind) {
        room->from = fmax(room->from, ahead + gap);
    } else if (behind < MOST_SETTLE) {
        room->to = fmin(room->to, -behind - gap);
    }
}

// Shift a place along so that the sole is between walls, and on its tread as far as there is room: toes
// stick out going down narrow treads, heels going up.
static double settle_along(
    const snw_WalkLegBody *leg, const snw_FootholdWish *wish, const Settling *foot)
{
    double wx = wish->along_x, wz = wish->along_z;
    bool is_back = wish->other_along > 0.0;
    Room walls = { -MOST_SETTLE, MOST_SETTLE }, drops = walls;
    for (int k = -1; k <= 1; ++k) {
        double side = k * leg->ball_width;
        RimPoint tip = { side, leg->tip }, heel = { side, leg->heel }, arch = { side, leg->ball };
        stay_off(foot, tip, wx, wz, WALL_GAP, 1, &walls);
        stay_off(foot, heel, wx, wz, WALL_GAP, 1, &walls);
        stay_off(foot, arch, wx, wz, WALL_GAP, 1, &walls);
        stay_off(foot, tip, wx, wz, is_back ? -MOST_TOES_OUT : DROP_GAP, -1, &drops);
        stay_off(foot, heel, wx, wz, DROP_GAP, -1, &drops);
    }
    double settled = 0.0;
    if (drops.from <= drops.to) { settled = snw_clamp(settled, drops.from, drops.to); }
    double behind = walls.from + HEEL_GAP - WALL_GAP;
    if (walls.from > -MOST_SETTLE && settled < behind) {
        settled = fmax(settled, fmin(behind, drops.to + DROP_GAP + MOST_TOES_OUT));
    }
    if (walls.from > walls.to) { return 0.5 * (walls.from + walls.to); }
    return snw_clamp(settled, walls.from, walls.to);
}

// and aside, out of walls along the foot
static double settle_aside(const snw_WalkLegBody *leg, const Settling *foot)
{
    Room walls = { -MOST_SETTLE, MOST_SETTLE };
    for (int k = -1; k <= 1; k += 2) {
        for (int i = 0; i < SIDE_POINTS; ++i) {
            double along = snw_mix(leg->heel, leg->tip, i / (SIDE_POINTS - 1.0));
            RimPoint point = { k * leg->ball_width, along };
            stay_off(foot, point, foot->ahead_z, -foot->ahead_x, WALL_GAP, 1, &walls);
        }
    }
    if (walls.from > walls.to) { return 0.5 * (walls.from + walls.to); }
    return snw_clamp(0.0, walls.from, walls.to);
}

// ---------------------------------------------------------------------------------------------
// Straight steps: where a tread ends on both sides, at right angles to its edges

/// The end of a tread along a way: how far it is, and what comes there; 0 where none is near.
typedef struct End {
    double far;
    int kind;
} End;

static End find_end(const Settling *foot, RimPoint from, double way_x, double way_z)
{
    End end = { 0.0, 0 };
    double before = 0.0;
    while (end.kind == 0 && before < MOST_TREAD - 1e-9) {
        end.far = before + PROFILE_STEP;
        end.kind = kind_of(over_tread(foot, from, way_x, way_z, end.far));
        if (end.kind == 0) { before = end.far; }
    }
    for (int i = 0; i < EDGE_HALVINGS && end.kind != 0; ++i) {
        double half = 0.5 * (before + end.far);
        if (kind_of(over_tread(foot, from, way_x, way_z, half)) == 0) {
            before = half;
        } else {
            end.far = half;
        }
    }
    return end;
}

/// A straight tread around a place.
typedef struct Straight {
    double way_x, way_z; ///< unit, across its edges
    End ahead, behind;   ///< along that way from the ball of the foot
} Straight;

// How much farther an edge that is met along a way is for each metre aside: to the left of a foot for
// ways along it (number 0 and 2), ahead for those across it.
static double find_slant(const Settling *foot, RimPoint from, int number, const double way[2])
{
    End ends[2];
    for (int i = 0; i < 2; ++i) {
        RimPoint place = from;
        double offset = i == 0 ? -SLANT_REACH : SLANT_REACH;
        if (number % 2 == 0) {
            place.side += offset;
        } else {
            place.along += offset;
        }
        ends[i] = find_end(foot, place, way[0], way[1]);
        if (ends[i].kind == 0) { return 0.0; }
    }
    return (ends[1].far - ends[0].far) / (2.0 * SLANT_REACH);
}

// The nearest edge is met after some distance ahead of the foot or behind it, and after another aside:
// their inverses are the parts of its normal. False where no edge is near or it is not straight.
static bool find_straight(const Settling *foot, RimPoint ball, Straight *out)
{
    const double ways[4][2] = { { foot->ahead_x, foot->ahead_z }, { foot->ahead_z, -foot->ahead_x },
        { -foot->ahead_x, -foot->ahead_z }, { -foot->ahead_z, foot->ahead_x } };
    End ends[4];
    int nearest = -1;
    for (int i = 0; i < 4; ++i) {
        ends[i] = find_end(foot, ball, ways[i][0], ways[i][1]);
        if (ends[i].kind == 0) { continue; }
        if (nearest < 0 || ends[i].far < ends[nearest].far) { nearest = i; }
    }
    if (nearest < 0) { return false; }
    double size = 1.0 / fmax(ends[nearest].far, 1e-4);
    double x = size * ways[nearest][0], z = size * ways[nearest][1], aside = 0.0;
    int beside = -1;
    for (int k = 1; k < 4; k += 2) {
        int i = (nearest + k) % 4;
        if (ends[i].kind != ends[nearest].kind) { continue; }
        if (beside < 0 || ends[i].far < ends[beside].far) { beside = i; }
    }
    if (beside >= 0) {
        aside = 1.0 / fmax(ends[beside].far, 1e-4);
        x += aside * ways[beside][0];
        z += aside * ways[beside][1];
    } else {
        // nearly square to the foot: two places beside each other tell by how much it is not
        const double *way = ways[nearest], *across = ways[nearest % 2 == 0 ? 1 : 0];
        double slant = find_slant(foot, ball, nearest, ways[nearest]);
        aside = -slant * size;
        x = size * way[0] + aside * across[0];
        z = size * way[1] + aside * across[1];
    }
    double inverse = sqrt(size * size + aside * aside);
    out->way_x = x / inverse;
    out->way_z = z / inverse;
    out->ahead = find_end(foot, ball, out->way_x, out->way_z);
    out->behind = find_end(foot, ball, -out->way_x, -out->way_z);
    return out->ahead.kind == ends[nearest].kind
        && fabs(out->ahead.far * inverse - 1.0) < STRAIGHT_ENOUGH;
}

// how far the rim of the sole is from the ball along a way
static double rim_along(
    const snw_WalkLegBody *leg, const Settling *foot, double way_x, double way_z)
{
    double ahead = way_x * foot->ahead_x + way_z * foot->ahead_z;
    double left = way_x * foot->ahead_z - way_z * foot->ahead_x;
    return fmax((leg->tip - leg->ball) * ahead, (leg->heel - leg->ball) * ahead)
        + leg->ball_width * fabs(left);
}

// the room before one end of a tread; more before a wall that is behind the heel, none for toes of a foot
// that comes backwards
static double gap_of(
    const snw_FootholdWish *wish, const Settling *foot, const End *end, double way_x, double way_z)
{
    double ahead = way_x * foot->ahead_x + way_z * foot->ahead_z;
    if (end->kind == 0) { return -MOST_TREAD; }
    if (end->kind == 1) { return snw_mix(WALL_GAP, HEEL_GAP, snw_clamp(-2.0 * ahead, 0.0, 1.0)); }
    bool is_back = wish->other_along > 0.0;
    return is_back ? snw_mix(DROP_GAP, -MOST_TOES_OUT, snw_clamp(2.0 * ahead, 0.0, 1.0)) : DROP_GAP;
}

// The shift across a straight tread that brings the sole onto it: between walls at least, and where there is
// not enough room toes or heel stick out over the edge.
static double settle_across(const snw_WalkLegBody *leg, const snw_FootholdWish *wish,
    const Settling *foot, const Straight *tread)
{
    double x = tread->way_x, z = tread->way_z;
    double to = tread->ahead.far - rim_along(leg, foot, x, z);
    double from = rim_along(leg, foot, -x, -z) - tread->behind.far;
    double ahead = gap_of(wish, foot, &tread->ahead, x, z);
    double behind = gap_of(wish, foot, &tread->behind, -x, -z);
    if (from + behind <= to - ahead) { return snw_clamp(0.0, from + behind, to - ahead); }
    bool is_wall_ahead = tread->ahead.kind == 1, is_wall_behind = tread->behind.kind == 1;
    if (is_wall_ahead == is_wall_behind) { return 0.5 * (from + to); }
    // gaps before walls give way last
    double out = is_wall_ahead ? from - MOST_TOES_OUT : to + MOST_TOES_OUT;
    if (is_wall_ahead) { return fmin(to - WALL_GAP, fmax(to - ahead, out)); }
    return fmax(from + WALL_GAP, fmin(from + behind, out));
}

// how badly a settled foot stands: points of its rim in walls, and of its ball in the air
static int count_faults(const snw_WalkLegBody *leg, const Settling *foot)
{
    int faults = 0;
    for (int k = -1; k <= 1; ++k) {
        for (int i = 0; i < SIDE_POINTS; ++i) {
            double along = snw_mix(leg->heel, leg->tip, i / (SIDE_POINTS - 1.0));
            RimPoint point = { k * leg->ball_width, along };
            // a corner in a wall would lift the whole foot onto it
            faults += kind_of(over_tread(foot, point, 0.0, 0.0, 0.0)) == 1 ? WALL_FAULTS : 0;
        }
        RimPoint ball = { k * leg->ball_width, leg->ball };
        faults += kind_of(over_tread(foot, ball, 0.0, 0.0, 0.0)) == -1 ? 1 : 0;
    }
    return faults;
}

// Move a foot across a straight tread; where that is mostly along the way, along it, so that feet keep
// their distance from each other.
static void move_across(
    const snw_FootholdWish *wish, const Straight *tread, double across, double left, Settling *foot)
{
    double share = tread->way_x * wish->along_x + tread->way_z * wish->along_z;
    double x = across * tread->way_x, z = across * tread->way_z;
    if (fabs(share) > MOSTLY_ALONG) {
        x = across / share * wish->along_x;
        z = across / share * wish->along_z;
    }
    // not over the other foot nor too far from it
    double aside = x * wish->along_z - z * wish->along_x;
    double allowed = snw_clamp(
        aside, fmin(0.0, wish->least_left - left), fmax(0.0, wish->most_left - left));
    double part = fabs(aside) > 1e-6 ? allowed / aside : 1.0;
    foot->x += part * x;
    foot->z += part * z;
}

// settle from a place that is shifted along the way and to its left; returns where the foot came to stand
static Settling settle_from(const snw_WalkLegBody *leg, snw_WalkGround *ground,
    const snw_FootholdWish *wish, double shift, double left)
{
    Settling foot = { ground, wish->x + shift * wish->along_x + left * wish->along_z,
        wish->z + shift * wish->along_z - left * wish->along_x, 0.0, 0.0, 0.0 };
    sinew_sincos(wish->heading, &foot.ahead_x, &foot.ahead_z);
    foot.base = snw_walk_height(
        ground, foot.x + leg->ball * foot.ahead_x, foot.z + leg->ball * foot.ahead_z);
    RimPoint ball = { 0.0, leg->ball };
    Straight tread;
    if (find_straight(&foot, ball, &tread)) {
        move_across(wish, &tread, settle_across(leg, wish, &foot, &tread), left, &foot);
        return foot;
    }
    double more = settle_along(leg, wish, &foot);
    foot.x += more * wish->along_x;
    foot.z += more * wish->along_z;
    double aside = settle_aside(leg, &foot);
    foot.x += aside * foot.ahead_z;
    foot.z -= aside * foot.ahead_x;
    return foot;
}

// whether the rim of a sole goes over steps of the ground; lines along the way miss those beside a foot
// that is turned
static bool is_over_steps(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, double x, double z, double heading)
{
    double s, c, beside = 0.0;
    sinew_sincos(heading, &s, &c);
    for (int k = -1; k <= 1; k += 2) {
        double before = 0.0, side = k * leg->ball_width;
        for (int i = 0; i < SIDE_POINTS; ++i) {
            double along = snw_mix(leg->heel, leg->tip, i / (SIDE_POINTS - 1.0));
            double height = snw_walk_height(
                ground, x + along * s + side * c, z + along * c - side * s);
            if (i > 0 && fabs(height - before) > STAIR_RISE) { return true; }
            before = height;
        }
        if (k > 0 && fabs(before - beside) > STAIR_RISE) { return true; }
        beside = before;
    }
    return false;
}

// What speaks against a place: faults of the sole, steps that are too high, the way from where the foot should
// be, and hips out of reach.
static double settled_cost(
    const snw_WalkLegBody *leg, const snw_FootholdWish *wish, double shift, const Settling *foot)
{
    double faults = count_faults(leg, foot);
    double rise = fabs(foot->base - wish->from_height);
    double dx = foot->x - wish->x - shift * wish->along_x;
    double dz = foot->z - wish->z - shift * wish->along_z;
    double hx = foot->x - wish->hip.x, hz = foot->z - wish->hip.z;
    double hy = wish->from_height + 0.44 * (foot->base - wish->from_height) + wish->hip.y
        - (foot->base + leg->ankle_height);
    double over = sqrt(hx * hx + hz * hz + hy * hy) - wish->reach;
    return faults + (rise > MOST_RISE ? HIGH_STEP_COST : 0.0)
        + SETTLE_COST * sqrt(dx * dx + dz * dz) + SETTLE_REACH_COST * positive(over - REACH_SPARE);
}

// returns the shift; the place may go aside as well
static double settle(const snw_WalkLegBody *leg, snw_WalkGround *ground,
    const snw_FootholdWish *wish, double shift, double *x, double *z)
{
    // where the foot finds no room, farther back or ahead, then aside as well
    static const double tries[] = { 0.0, -0.08, 0.08, -0.16, 0.16, -0.24, 0.24 };
    static const double asides[] = { 0.0, -0.1, 0.1, -0.2, 0.2 };
    double least = INFINITY;
    for (int k = 0; k < (int)(sizeof asides / sizeof asides[0]) && least > GOOD_ENOUGH; ++k) {
        if (asides[k] < wish->least_left || asides[k] > wish->most_left) { continue; }
        for (int i = 0; i < (int)(sizeof tries / sizeof tries[0]) && least > GOOD_ENOUGH; ++i) {
            Settling foot = settle_from(leg, ground, wish, shift + tries[i], asides[k]);
            double cost = settled_cost(leg, wish, shift, &foot);
            if (cost >= least) { continue; }
            least = cost;
            *x = foot.x;
            *z = foot.z;
        }
    }
    return (*x - wish->x) * wish->along_x + (*z - wish->z) * wish->along_z;
}

// ---------------------------------------------------------------------------------------------

snw_Foothold snw_foothold_search(const snw_WalkLegBody *leg, snw_WalkGround *ground,
    const snw_FootholdWish *wish, snw_FootholdChoice *out_choice)
{
    Profile profile;
    double back = leg->heel - 0.06, front = leg->tip + 0.07;
    // on smooth ground the wanted place is good enough
    take_profile(leg, ground, wish, back, front, &profile);
    // where there are stairs, each foot goes one step beyond the other
    double ahead = wish->other_along < 0.0 ? front : back;
    int edges = edges_between(&profile, wish->other_along, ahead) > 0 ? 1 : 0;
    double best_cost = cost_of(leg, &profile, wish, edges, 0.0), best = 0.0;
    const double good = 0.02 + wish->stay_cost * fabs(wish->stay);
    if (best_cost > good) {
        double from = fmax(wish->lowest, -MOST_SHIFT), to = fmin(wish->highest, 0.24);
        take_profile(leg, ground, wish, back + from, front + to, &profile);
        edges = edges_between(&profile, wish->other_along, ahead) > 0 ? 1 : 0;
        best_cost = cost_of(leg, &profile, wish, edges, 0.0);
        bool is_found = edges > 0 && find_tread(leg, &profile, wish, from, to, &best);
        for (int k = 1; !is_found && k <= (int)(MOST_SHIFT / PROFILE_STEP); ++k) {
            for (int sign = 1; sign >= -1; sign -= 2) {
                double shift = sign * k * PROFILE_STEP;
                if (shift < from || shift > to) { continue; }
                double cost = cost_of(leg, &profile, wish, edges, shift);
                if (cost < best_cost) {
                    best_cost = cost;
                    best = shift;
                }
            }
        }
    }
    double x = wish->x + best * wish->along_x, z = wish->z + best * wish->along_z;
    double rise = snw_walk_height(ground, x, z) - wish->from_height;
    if (has_step(&profile, best + back, best + front) || (edges > 0 && fabs(rise) > MOST_RISE)
        || is_over_steps(leg, ground, x, z, wish->heading)) {
        best = settle(leg, ground, wish, best, &x, &z);
    }
    bool is_stair = edges > 0 && edges_between(&profile, wish->other_along, best) == 1;
    out_choice->shift = best;
    out_choice->tread = is_stair ? fabs(best - wish->other_along) : 0.0;
    return snw_foothold_fit(leg, ground, x, z, wish->heading);
}
