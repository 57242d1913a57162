#ifndef WALK_GAIT_H
#define WALK_GAIT_H

// A walker's joint curves beside those of recorded people.

#include "bench/walk_scenarios.h"
#include "walk/gait_curves.h"

/// Let it walk straight on level ground and read its gait once it goes steadily. Only style, rows and
/// body of run are used. False after a message.
bool bench_gait_walk(
    const bench_WalkRun *run, double speed, snw_Gait *out_gait, sinew_Message *out_message);

/// Leg length of the body as its walker has it, metres; 0 after a message.
double bench_gait_leg_length(const bench_WalkRun *run, sinew_Message *out_message);

/// Hip, knee and ankle of a recorded walk as a gait; its other curves are 0. 0 <= index < 6.
snw_Gait bench_gait_recorded(int index);

/// Mean of the recorded walks of one half (0, 1), or of all (-1).
snw_Gait bench_gait_recorded_mean(int half);

/// How near one gait is to another.
typedef struct bench_GaitMatch {
    double correlation[3]; ///< hip, knee, ankle
    double rms[3];         ///< degrees, offset taken off
} bench_GaitMatch;

bench_GaitMatch bench_gait_match(const snw_Gait *a, const snw_Gait *b);

/// One line of the table.
typedef struct bench_GaitRow {
    const char *style;   ///< "natural", "paper", "recorded"
    const char *against; ///< "mean of half 1", "cmu_03_03_daz", ...
    double speed;        ///< m/s
    bench_GaitMatch match;
    bool has_strides; ///< false: it makes no strides at that speed
} bench_GaitRow;

enum { BENCH_GAIT_STYLES = 2, BENCH_GAIT_ROWS = 32 };

/// Both styles against the mean of each half, of all, and of each clip, at the speed of each in leg
/// lengths; then the halves against each other, which is as near as people come. Returns how many
/// rows there are; 0 after a message.
int bench_gait_table(
    const bench_WalkRun *run, bench_GaitRow rows[BENCH_GAIT_ROWS], sinew_Message *out_message);

#endif
