// The table of phases and duty factors for as many pairs of legs as there are.

#include "walk/leg_gait.h"

#include "walk/gait.h"

// Cycles of lag from a pair of legs to the next behind it.
#define RIPPLE 0.04

// Speeds of four legs, after Froude numbers u^2 (Alexander 1984): trots from 0.2 on, with flight from 0.5, canters from 2,
// gallops at 3. What they stand of a cycle, and phases of right fore, left hind and right hind when the left fore lands:
// a walk in lateral sequence, diagonal pairs, one pair of these that breaks up, both.
static const double speeds[SNW_LEG_GAIT_ROWS] = { 0.05, 0.32, 0.46, 0.70, 1.10, 1.40, 1.70 };
static const double duties[SNW_LEG_GAIT_ROWS] = { 0.76, 0.66, 0.56, 0.50, 0.42, 0.36, 0.30 };
static const double phases[SNW_LEG_GAIT_ROWS][4] = { { 0.0, 0.5, 0.25, 0.75 },
    { 0.0, 0.5, 0.25, 0.75 }, { 0.0, 0.5, 0.5, 1.0 }, { 0.0, 0.5, 0.5, 1.0 },
    { 0.0, 0.5, 0.5, 1.0 }, { 0.0, 0.7, 0.3, 1.0 }, { 0.0, 0.88, 0.45, 1.33 } };
// More legs do not fly.
static const double crawl_duties[SNW_LEG_GAIT_ROWS] = { 0.70, 0.66, 0.56, 0.50, 0.50, 0.50, 0.50 };

snw_LegGait snw_leg_gait_of_pairs(int leg_count)
{
    snw_LegGait gait;
    for (int r = 0; r < SNW_LEG_GAIT_ROWS; ++r) {
        snw_LegGaitRow *row = &gait.rows[r];
        row->u = speeds[r];
        row->duty = leg_count == 4 ? duties[r] : crawl_duties[r];
        for (int i = 0; i < SINEW_MAX_LEGS; ++i) {
            const double ripple = 0.5 * (i % 2) + (0.5 + RIPPLE) * (i / 2);
            row->phase[i] = leg_count == 4 && i < 4 ? phases[r][i] : ripple;
        }
    }
    return gait;
}

snw_LegGait snw_leg_gait_of_phases(const sinew_LegDef *legs, int leg_count)
{
    snw_LegGait gait = snw_leg_gait_of_pairs(leg_count);
    for (int r = 0; r < SNW_LEG_GAIT_ROWS; ++r) {
        gait.rows[r].duty = snw_max(0.5, gait.rows[r].duty);
        for (int i = 0; i < leg_count; ++i) { gait.rows[r].phase[i] = legs[i].phase; }
    }
    return gait;
}

snw_LegGaitRow snw_leg_gait_at(const snw_LegGait *gait, double u, double most_duty)
{
    int r = 0;
    while (r + 2 < SNW_LEG_GAIT_ROWS
        && (u >= gait->rows[r + 1].u || gait->rows[r + 1].duty > most_duty)) {
        ++r;
    }
    const snw_LegGaitRow *slow = &gait->rows[r], *fast = &gait->rows[r + 1];
    const double less = snw_max(1e-9, slow->duty - fast->duty);
    double t = snw_max((u - slow->u) / (fast->u - slow->u), (slow->duty - most_duty) / less);
    t = snw_clamp(t, 0.0, 1.0);
    snw_LegGaitRow row = *slow;
    snw_leg_gait_mix(fast, t, &row);
    row.u = u;
    return row;
}

void snw_leg_gait_mix(const snw_LegGaitRow *to, double share, snw_LegGaitRow *row)
{
    row->u = snw_mix(row->u, to->u, share);
    row->duty = snw_mix(row->duty, to->duty, share);
    for (int i = 0; i < SINEW_MAX_LEGS; ++i) {
        row->phase[i] = snw_mix(row->phase[i], to->phase[i], share);
    }
}
