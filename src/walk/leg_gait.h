#ifndef SNW_LEG_GAIT_H
#define SNW_LEG_GAIT_H

// Which leg moves when: phases and duty factors of bodies with many legs, by speed.

#include "sinew/walker.h"

/// A gait at one speed.
typedef struct snw_LegGaitRow {
    double u;                     ///< speed / sqrt(g L)
    double duty;                  ///< share of the cycle that a leg stands
    double phase[SINEW_MAX_LEGS]; ///< of each leg when the first lands; grows on from row to row
} snw_LegGaitRow;

enum { SNW_LEG_GAIT_ROWS = 7 };

/// Rows by rising speed; between them all numbers change evenly.
typedef struct snw_LegGait {
    snw_LegGaitRow rows[SNW_LEG_GAIT_ROWS];
} snw_LegGait;

/// Legs in pairs from the front, left before right. Four: walk in lateral sequence (left hind, left front,
/// right hind, right front; Hildebrand 1965), then trot, canter and gallop. More: neighbours alternate, which
/// makes tripods of six and tetrapods of eight, with a small lag from pair to pair; Wilson (1966).
snw_LegGait snw_leg_gait_of_pairs(int leg_count);

/// The phases that the caller gave, at every speed.
snw_LegGait snw_leg_gait_of_phases(const sinew_LegDef *legs, int leg_count);

/// At a speed, or at the faster one where legs stand no longer than a share of the cycle.
snw_LegGaitRow snw_leg_gait_at(const snw_LegGait *gait, double u, double most_duty);

/// Go a share of the way to another one.
void snw_leg_gait_mix(const snw_LegGaitRow *to, double share, snw_LegGaitRow *row);

#endif
