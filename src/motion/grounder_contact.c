// When heel and ball touch, seen from poses that arrive one by one.

#include "motion/grounder.h"

#include "math/holds.h"

// heel and ball that follow each other within this are one stand, seconds
#define SAME_STAND 0.05
// feet leave at this times the speed at which contacts end, so that they leave on the move and not by creeping
#define LEAVING_SPEED 1.15
// a foot that comes down and goes up again has stood where it is slower than this: a run's is down for two or three frames
// of 30 a second, and its speed over them never that of a foot that rests. Swinging feet that skim the floor go at 2 and more; legs per second
#define STRIKE_SPEED 0.6

int snw_grounder_seen(const sinew_Grounder *g)
{
    return g->ended ? g->pushed - 1 : g->pushed - 1 - g->window;
}

static double height_of(const sinew_Grounder *g, const snw_GroundFoot *foot, int point)
{
    return (point == 0 ? foot->naive.heel.y : foot->naive.ball.y) / g->carry.target.leg;
}

static bool is_low(const sinew_Grounder *g, const snw_GroundFoot *foot, int point)
{
    return height_of(g, foot, point) < g->def.contacts.end_height;
}

static bool is_at_floor(const sinew_Grounder *g, const snw_GroundFoot *foot)
{
    const double begin = g->def.contacts.begin_height;
    return height_of(g, foot, 0) < begin || height_of(g, foot, 1) < begin;
}

static bool *flag(const sinew_Grounder *g, int side, int frame, int point)
{
    return &snw_grounder_frame(g, frame)->feet[side].touching[point];
}

// hysteresis over the open frames; the last frame of the path gives the state
static void find_frames(sinew_Grounder *g, int side, int point)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const sinew_ContactSettings *settings = &g->def.contacts;
    int end = snw_grounder_seen(g);
    bool touched = g->path > 0 && *flag(g, side, g->path - 1, point);
    for (int t = g->path; t <= end; ++t) {
        const snw_GroundFoot *foot = &snw_grounder_frame(g, t)->feet[side];
        bool touches = sinew_contact_touches(
            settings, touched, foot->speed[point], height_of(g, foot, point));
        *flag(g, side, t, point) = touches;
        for (int b = t - 1; touches && !touched && b >= g->path; --b) {
            const snw_GroundFoot *before = &snw_grounder_frame(g, b)->feet[side];
            bool slows = before->speed[point] < settings->slowing_speed && is_low(g, before, point);
            if (!slows || before->touching[point]) { break; }
            *flag(g, side, b, point) = true;
        }
        touched = touches;
    }
    for (int t = end + 1; t < g->pushed; ++t) {
        if (t >= g->path) { *flag(g, side, t, point) = touched; }
    }
}

// close short gaps, drop short contacts that have ended
static void tidy(sinew_Grounder *g, int side, int point)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const sinew_ContactSettings *settings = &g->def.contacts;
    int end = snw_grounder_seen(g);
    for (int kind = 0; kind < 2; ++kind) {
        double limit = (kind == 1 ? settings->shortest : settings->longest_gap) / g->def.frame_time;
        for (int a = g->path; a <= end;) {
            int b = a;
            bool value = *flag(g, side, a, point);
            while (b <= end && *flag(g, side, b, point) == value) { ++b; }
            // what began in frames that are done goes on as it is
            bool is_open = b > end
                || (a == g->path && a > 0 && *flag(g, side, a - 1, point) == value);
            bool is_short = kind == 1 ? b - a < limit - 1e-9 : b - a <= limit + 1e-9;
            if (value == (kind == 1) && is_short && !is_open) {
                for (int t = a; t < b; ++t) { *flag(g, side, t, point) = !value; }
            }
            a = b;
        }
    }
}

// a foot goes on standing while it is slow, before and after
static void stretch(sinew_Grounder *g, int side, int point)
{
    SNW_ASSERT(side >= 0 && side < 2);
    double slow = LEAVING_SPEED * g->def.contacts.end_speed;
    int first = g->path, end = snw_grounder_seen(g);
    for (int way = 1; way >= -1; way -= 2) {
        bool on = way > 0 && first > 0 && *flag(g, side, first - 1, point);
        for (int i = 0; i <= end - first; ++i) {
            int t = way > 0 ? first + i : end - i;
            const snw_GroundFoot *foot = &snw_grounder_frame(g, t)->feet[side];
            on = foot->touching[point]
                || (on && is_low(g, foot, point) && foot->speed[point] < slow);
            *flag(g, side, t, point) = on;
        }
    }
}

static bool is_down(const sinew_Grounder *g, const snw_GroundFoot *foot)
{
    return is_low(g, foot, 0) || is_low(g, foot, 1);
}

// A foot that comes down to the floor and goes up again without a contact by its speed: it strikes. Half a way that has
// come into sight is none yet; one that stays above the heights where contacts begin has no floor under it.
static void strike(sinew_Grounder *g, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    int end = snw_grounder_seen(g), first = g->path;
    // the way down may have begun before the open frames; a contact in those that are done answers for it
    while (first > 0 && g->pushed - first < g->capacity
        && is_down(g, &snw_grounder_frame(g, first - 1)->feet[side])) {
        --first;
    }
    for (int a = first, b; a <= end; a = b + 1) {
        bool touched = false, came_down = false;
        for (b = a; b <= end; ++b) {
            const snw_GroundFoot *foot = &snw_grounder_frame(g, b)->feet[side];
            if (!is_down(g, foot)) { break; }
            touched |= foot->touching[0] || foot->touching[1];
            came_down |= is_at_floor(g, foot);
        }
        if (b > end && !g->ended) { break; }
        const bool strikes = came_down && !touched;
        for (int t = a > g->path ? a : g->path; t < b && strikes; ++t) {
            snw_GroundFoot *foot = &snw_grounder_frame(g, t)->feet[side];
            for (int p = 0; p < 2; ++p) {
                foot->touching[p] = foot->speed[p] < STRIKE_SPEED && is_low(g, foot, p);
            }
        }
    }
}

// between heel and ball the foot lies flat
static void join_points(sinew_Grounder *g, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    int gap = snw_grounder_frames(g, SAME_STAND), since = gap + 1;
    for (int t = g->path > 0 ? g->path - 1 : 0; t <= snw_grounder_seen(g); ++t) {
        const snw_GroundFoot *foot = &snw_grounder_frame(g, t)->feet[side];
        bool touches = foot->touching[0] || foot->touching[1];
        if (touches && since <= gap) {
            for (int b = t - since; b < t; ++b) {
                if (b < g->path) { continue; }
                *flag(g, side, b, 0) = *flag(g, side, b, 1) = true;
            }
        }
        since = touches ? 0 : since + 1;
    }
}

void snw_grounder_touch(sinew_Grounder *g, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    for (int point = 0; point < 2; ++point) {
        find_frames(g, side, point);
        tidy(g, side, point);
        stretch(g, side, point);
    }
    strike(g, side);
    join_points(g, side);
}
