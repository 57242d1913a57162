#ifndef GAIT_FIT_H
#define GAIT_FIT_H

// Fits the numbers of the natural style to recorded walks, by search along one number after another.

#include "bench/walk_gait.h"
#include "walk/gait.h"

/// How the fit is done.
typedef struct bench_GaitFit {
    bench_WalkRun run; ///< body
    int half;          ///< of the recordings to fit to: 0, 1, or -1 for all
    int rounds;        ///< over all numbers
    /// Told after each round; may be NULL.
    void (*told)(void *user, int round, double cost);
    void *user;
} bench_GaitFit;

/// Improve the numbers; returns their cost, infinity when the body cannot walk. The cost: distance of
/// hip, knee and ankle curves from the mean of the recordings, at its speed and at 3/4 and 5/4 of it,
/// and jolts, joint steps and missed goals of these walks.
double bench_gait_fit(const bench_GaitFit *fit, snw_GaitNumbers *numbers);

/// Gait of a body that walks by these numbers; as bench_gait_walk.
bool bench_gait_walk_by(const bench_WalkRun *run, const snw_GaitNumbers *numbers, double speed,
    snw_Gait *out_gait, measure_WalkFigures *out_figures, sinew_Message *out_message);

/// Names and places of the numbers that are fitted.
int bench_gait_number_count(void);
const char *bench_gait_number_name(int index);
double *bench_gait_number(snw_GaitNumbers *numbers, int index);
/// The middle of the range that it may have.
double bench_gait_number_middle(int index);

#endif
