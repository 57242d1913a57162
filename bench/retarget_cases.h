#ifndef BENCH_RETARGET_CASES_H
#define BENCH_RETARGET_CASES_H

// The pairs of clips and characters of `sinew bench retarget`, and what is asked of them.

#include "bench/retarget_measure.h"

#include "sinew/retarget.h"

typedef enum bench_RetargetWay {
    BENCH_RETARGET_CLOSED, ///< whole clips, no limits
    BENCH_RETARGET_LIMITS, ///< whole clips, guessed limits
    BENCH_RETARGET_LIVE,   ///< sample by sample at 100 Hz, 100 ms look-ahead
    BENCH_RETARGET_NOW,    ///< the same without look-ahead
} bench_RetargetWay;

/// One clip on one character. Slides at a leg of 0.9 m, accelerations as ratios to the scaled source's.
typedef struct bench_RetargetRow {
    const char *clip, *target;
    bool video; ///< a capture whose own feet slide by centimetres; judged apart
    double scale;
    bench_Slides heels, balls;
    double source_slide; ///< median of the source's own, millimetres
    double floor, below; ///< millimetres: of soles that stand, of any frame
    double trunk;        ///< radians
    double ratio[BENCH_PART_COUNT], above[BENCH_PART_COUNT]; ///< above: m/s^2
    double step; ///< largest joint step, of what is allowed
    double collapse;
    double frames_per_second;
    double latency; ///< p99 of a live sample, seconds
    sinew_RetargetReport report;
} bench_RetargetRow;

enum { BENCH_RETARGET_ROWS = 64, BENCH_RETARGET_VERDICTS = 24 };

typedef struct bench_RetargetTable {
    bench_RetargetWay way;
    bench_RetargetRow rows[BENCH_RETARGET_ROWS];
    int count;
} bench_RetargetTable;

/// All pairs. False after a message.
bool bench_retarget_run(bench_RetargetTable *table, bench_RetargetWay way);
void bench_retarget_free(bench_RetargetTable *table);

typedef struct bench_RetargetVerdict {
    char what[64], asked[40], measured[64];
    bool met;
} bench_RetargetVerdict;

/// What was asked and measured over all pairs; returns how many.
int bench_retarget_judge(const bench_RetargetTable *table, bench_RetargetVerdict *out_verdicts);

#endif
