// The table of phases and duty factors for as many pairs of legs as there are.

#include "walk/leg_gait.h"

#include "walk/gait.h"

// Cycles of lag from a pair of legs to the next behind it.
#define RIPPLE 0.04

static const double speeds[SNW_LEG_GAIT_ROWS] = { 0.05, 0.32, 0.46 };

snw_LegGait snw_leg_gait_of_pairs(int leg_count)
{
    static const double walk_duty[SNW_LEG_GAIT_ROWS] = { 0.76, 0.66, 0.56 };
    static const double crawl_duty[SNW_LEG_GAIT_ROWS] = { 0.66, 0.60, 0.56 };
    // hind legs against the front leg of their side: a quarter of the cycle in a walk, half in a trot
    static const double hind[SNW_LEG_GAIT_ROWS] = { 0.25, 0.25, 0.50 };
    snw_LegGait gait;
    for (int r = 0; r < SNW_LEG_GAIT_ROWS; ++r) {
        snw_LegGaitRow *row = &gait.rows[r];
        row->u = speeds[r];
        row->duty = leg_count == 4 ? walk_duty[r] : crawl_duty[r];
        for (int i = 0; i < SINEW_MAX_LEGS; ++i) {
            int pair = i / 2;
            double lag = leg_count == 4 ? hind[r] : 0.5 + RIPPLE;
            row->phase[i] = 0.5 * (i % 2) + lag * pair;
        }
    }
    return gait;
}

snw_LegGait snw_leg_gait_of_phases(const sinew_LegDef *legs, int leg_count)
{
    snw_LegGait gait = snw_leg_gait_of_pairs(leg_count);
    for (int r = 0; r < SNW_LEG_GAIT_ROWS; ++r) {
        for (int i = 0; i < leg_count; ++i) { gait.rows[r].phase[i] = legs[i].phase; }
    }
    return gait;
}

snw_LegGaitRow snw_leg_gait_at(const snw_LegGait *gait, double u)
{
    int r = u < gait->rows[1].u ? 0 : 1;
    const snw_LegGaitRow *slow = &gait->rows[r], *fast = &gait->rows[r + 1];
    double t = snw_clamp((u - slow->u) / (fast->u - slow->u), 0.0, 1.0);
    snw_LegGaitRow row = { .u = u, .duty = snw_mix(slow->duty, fast->duty, t) };
    for (int i = 0; i < SINEW_MAX_LEGS; ++i) {
        row.phase[i] = snw_mix(slow->phase[i], fast->phase[i], t);
    }
    return row;
}
