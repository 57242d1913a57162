#include "motion/foothold.h"

#include "motion/gait.h"

#include <stdlib.h>

// Shares of thigh + shank; metres at 0.926 m.
#define EDGE_SHARE 0.7 // rise over the sole's length that is an edge

// The profile that a search looks at: heights every PROFILE_STEP along the way, three lines abreast.
#define PROFILE_STEP 0.02
#define PROFILE_MAX 96
#define MOST_SHIFT 0.38
#define STAIR_RISE 0.07 // metres over PROFILE_STEP

double snw_walk_height(snw_WalkGround *ground, double x, double z)
{
    return snw_walk_sample(ground, x, z).height;
}

sinew_GroundSample snw_walk_sample(snw_WalkGround *ground, double x, double z)
{
    sinew_GroundSample level = { 0.0, { 0.0, 1.0, 0.0 } };
    ++ground->query_count;
    if (ground->ground == NULL) { return level; }
    sinew_GroundSample sample = sinew_ground_sample(ground->ground, x, z);
    bool ok = isfinite(sample.height) && fabs(sample.height) < 1e6
        && sinew_vec3_is_finite(sample.normal);
    if (!ok) {
        ground->is_bad = true;
        return level;
    }
    return sample;
}

// ---------------------------------------------------------------------------------------------
// Searching

/// Heights along the line of shift, each the highest of three abreast.
typedef struct Profile {
    double start; // of the first, along
    int count;
    double top[PROFILE_MAX], low[PROFILE_MAX];
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
        + 40.0 * positive(fabs(base - wish->from_height) - 0.30)
        + 6.0 * positive(fabs(slope) - 0.62) + 0.6 * beyond + 1.2 * loose + (is_edge ? 1.0 : 0.0)
        + 0.4 * abs(edges_between(profile, wish->other_along, shift) - wish_edges);
}

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
        for (int k = 1; k <= (int)(MOST_SHIFT / PROFILE_STEP); ++k) {
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
    bool is_stair = edges > 0 && edges_between(&profile, wish->other_along, best) == 1;
    out_choice->shift = best;
    out_choice->tread = is_stair ? fabs(best - wish->other_along) : 0.0;
    return snw_foothold_fit(
        leg, ground, wish->x + best * wish->along_x, wish->z + best * wish->along_z, wish->heading);
}
