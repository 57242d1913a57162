// The table of phases and duty factors for as many pairs of legs as there are.

#include "walk/leg_gait.h"

#include "walk/gait.h"

// Speeds of four legs, after Froude numbers u^2 (Alexander 1984): trots from 0.2 on, with flight from 0.5, canters from 2,
// gallops at 3. What they stand of a cycle, and phases of right fore, left hind and right hind when the left fore lands:
// a walk in lateral sequence, diagonal pairs, one pair of these that breaks up, both.
// In hundredths.
static const unsigned char rows[SNW_LEG_GAIT_ROWS][6] = { { 5, 76, 0, 50, 25, 75 },
    { 32, 66, 0, 50, 25, 75 }, { 46, 56, 0, 50, 50, 100 }, { 70, 50, 0, 50, 50, 100 },
    { 110, 42, 0, 50, 50, 100 }, { 140, 36, 0, 70, 30, 100 }, { 170, 30, 0, 88, 45, 133 } };

snw_LegGait snw_leg_gait_of_pairs(int leg_count)
{
    snw_LegGait gait;
    for (int r = 0; r < SNW_LEG_GAIT_ROWS; ++r) {
        snw_LegGaitRow *row = &gait.rows[r];
        row->u = 0.01 * rows[r][0];
        const double duty = 0.01 * rows[r][1];
        row->duty = leg_count == 4 ? duty : snw_clamp(duty, 0.5, 0.7); // more do not fly
        for (int i = 0; i < SINEW_MAX_LEGS; ++i) {
            const int pair = i / 2;
            const double ripple = 0.5 * (i % 2) + 0.5 * pair;
            row->phase[i] = leg_count == 4 && i < 4 ? 0.01 * rows[r][2 + i] : ripple;
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
