#include "solve/arcs.h"

#include "math/holds.h"
#include "math/lanes.h"

// places that are this near to each other are one: windows share sides
#define SEAM 1e-12
// sine of half an arc below which it is a point, or all but one
#define POINT 1e-12
// how far inside its ends an arc is entered: an end itself is outside as often as not, by rounding
#define INSIDE 1e-10

// behind those that are there
static void add(snw_Arcs *arcs, double lower, double upper)
{
    SNW_ASSERT(snw_holds_range(lower, upper));
    int last = arcs->count - 1;
    if (last >= 0 && lower <= arcs->upper[last] + SEAM) {
        if (upper > arcs->upper[last]) { arcs->upper[last] = upper; }
        return;
    }
    if (arcs->count == SNW_MAX_ARCS) { return; }
    arcs->lower[arcs->count] = lower;
    arcs->upper[arcs->count++] = upper;
}

// what two sets have in common
static void meet(
    const snw_Arcs *arcs, const double *lowers, const double *uppers, int count, snw_Arcs *out)
{
    SNW_ASSERT(count >= 0);
    int a = 0, b = 0;
    out->count = 0;
    while (a < arcs->count && b < count) {
        double lower = arcs->lower[a] > lowers[b] ? arcs->lower[a] : lowers[b];
        bool first = arcs->upper[a] < uppers[b];
        double upper = first ? arcs->upper[a] : uppers[b];
        if (lower <= upper) { add(out, lower, upper); }
        a += first ? 1 : 0;
        b += first ? 0 : 1;
    }
}

// what one arc has in common with another, which goes by way of the square's end if that is its lower one
static inline void meet_one(snw_Arcs *arcs, double lower, double upper)
{
    double own_lower = arcs->lower[0], own_upper = arcs->upper[0];
    double from = lower > own_lower ? lower : own_lower, to = upper < own_upper ? upper : own_upper;
    if (lower <= upper) {
        arcs->lower[0] = from;
        arcs->upper[0] = to;
        arcs->count = from <= to ? 1 : 0;
        return;
    }
    arcs->count = 0;
    if (own_lower <= to) { add(arcs, own_lower, to); }
    if (from <= own_upper) { add(arcs, from, own_upper); }
}

static void meet_all(snw_Arcs *arcs, double lower, double upper)
{
    bool round = lower > upper;
    double lowers[2] = { round ? -2.0 : lower, lower }, uppers[2] = { upper, 2.0 };
    snw_Arcs r;
    meet(arcs, lowers, uppers, round ? 2 : 1, &r);
    snw_arcs_copy(&r, arcs);
}

void snw_arcs_join(snw_Arcs *arcs, const snw_Arcs *others)
{
    if (arcs->count == 0) {
        snw_arcs_copy(others, arcs);
        return;
    }
    snw_Arcs r;
    int a = 0, b = 0;
    r.count = 0;
    while (a < arcs->count || b < others->count) {
        bool first = b == others->count || (a < arcs->count && arcs->lower[a] <= others->lower[b]);
        if (first) {
            add(&r, arcs->lower[a], arcs->upper[a]);
            ++a;
        } else {
            add(&r, others->lower[b], others->upper[b]);
            ++b;
        }
    }
    snw_arcs_copy(&r, arcs);
}

void snw_arcs_keep(snw_Arcs *arcs, const snw_Wave *wave)
{
    double size2 = wave->cosine * wave->cosine + wave->sine * wave->sine;
    double left2 = size2 - wave->even * wave->even;
    if (!(left2 > 0.0)) {
        if (wave->even < 0.0) { arcs->count = 0; }
        return;
    }
    bool point = left2 < POINT * POINT * size2;
    if (point && wave->even > 0.0) { return; }
    double half = point ? 0.0 : sqrt(left2);
    double x = -wave->even * wave->cosine, y = -wave->even * wave->sine;
    double across = half * wave->cosine, along = half * wave->sine;
    snw_Lanes ends = snw_lanes_place(snw_lanes_add(snw_lanes(y), snw_lanes_pair(-across, across)),
        snw_lanes_add(snw_lanes(x), snw_lanes_pair(along, -along)));
    double lower = snw_lanes_get(ends, 0), upper = snw_lanes_get(ends, 1);
    if (arcs->count == 1) {
        meet_one(arcs, lower, upper);
    } else {
        meet_all(arcs, lower, upper);
    }
}

bool snw_arcs_nearest(const snw_Arcs *arcs, double *out)
{
    double least = INFINITY;
    for (int a = 0; a < arcs->count; ++a) {
        double lower = arcs->lower[a], upper = arcs->upper[a], size = upper - lower;
        double inside = size > 2.0 * INSIDE ? INSIDE : 0.5 * size;
        double nearest = lower > 0.0 ? lower + inside : (upper < 0.0 ? upper - inside : 0.0);
        if (!(fabs(nearest) < least)) { continue; }
        least = fabs(nearest);
        *out = nearest;
    }
    return isfinite(least);
}

double snw_arcs_at(const snw_Arcs *arcs, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    double left = 0.0;
    for (int a = 0; a < arcs->count; ++a) { left += arcs->upper[a] - arcs->lower[a]; }
    left *= share;
    for (int a = 0; a + 1 < arcs->count; ++a) {
        double size = arcs->upper[a] - arcs->lower[a];
        if (left < size) { return arcs->lower[a] + left; }
        left -= size;
    }
    int last = arcs->count - 1;
    double r = arcs->lower[last] + left;
    return r < arcs->upper[last] ? r : arcs->upper[last];
}

snw_Turn snw_arcs_turn(double place)
{
    double along = 1.0 - fabs(place),
           across = fabs(place) < 1.0 ? place : copysign(2.0, place) - place;
    double inverse = 1.0 / sqrt(along * along + across * across);
    snw_Turn r = { across * inverse, along * inverse };
    return r;
}

double snw_spread(int k)
{
    double r = 0.0, half = 0.5;
    for (int n = k + 1; n > 0; n /= 2) {
        r += half * (n % 2);
        half *= 0.5;
    }
    return r;
}
