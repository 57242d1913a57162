#ifndef WALK_SCENARIOS_H
#define WALK_SCENARIOS_H

// The walks that a walker is judged by: grounds times steering, some 150 of them, each with every style
// and kind of legs; and what one of them must keep. Shared by `sinew walk --report` and benchmarks.

#include "measure/walk_meter.h"

/// One walk: a ground and a way to steer on it.
typedef struct bench_Walk {
    const char *terrain;  ///< name as sinew_terrain_open takes it
    const char *steering; ///< "1.3 m/s", "left r=2 m", "random stick", ...
    int terrain_index, steering_index;
    bool is_flat;       ///< the stricter limit of hips' jolts holds
    double rise, tread; ///< of stairs, 0 elsewhere
    bool counts_treads; ///< forward on stairs: one tread for each step
} bench_Walk;

int bench_walk_count(void);
bench_Walk bench_walk(int index);

/// What is wanted at a moment of a walk, seconds; the same for equal seeds.
sinew_Steering bench_walk_steering(const bench_Walk *walk, double time, uint64_t seed);

/// How to run one.
typedef struct bench_WalkRun {
    const sinew_Skeleton *skeleton;
    const sinew_RoleGuess *roles; ///< may be NULL
    const sinew_Stance *stance;   ///< may be NULL
    const sinew_LegDef *legs;     ///< may be NULL
    int leg_count;
    sinew_WalkStyle style;
    sinew_WalkRows rows;
    int steps;         ///< landings to make; a walk that takes 3 s for one is given up
    double frame_time; ///< seconds
    uint64_t seed;
    bool on_tips;               ///< many legs: treads of stairs are not counted
    const sinew_Manner *manner; ///< NULL: of people in general
} bench_WalkRun;

/// What is kept or broken; bits.
enum {
    BENCH_WALK_SLIDE = 1 << 0,       ///< a held point moves by more than 0.5 mm
    BENCH_WALK_PENETRATION = 1 << 1, ///< a point of the sole is more than 1 mm in the ground
    BENCH_WALK_EDGE = 1 << 2,        ///< an edge is passed at less than 5 mm
    BENCH_WALK_UNMET = 1 << 3,       ///< goals missed: any with auto, more than 1 % of frames else
    BENCH_WALK_JOINT_STEP = 1 << 4,  ///< a joint turns by more than 0.3 rad per 1/60 s
    BENCH_WALK_LIMITS = 1 << 5,      ///< a joint is outside its limits
    BENCH_WALK_BAD = 1 << 6,         ///< numbers that are not finite, or an update that failed
    BENCH_WALK_JOLT = 1 << 7,        ///< natural: hips above 15 m/s^2 on flat ground, 40 elsewhere
    BENCH_WALK_STUCK = 1 << 8,       ///< fewer steps than asked for
    BENCH_WALK_TREADS = 1 << 9,      ///< less than 95 % of steps on stairs take one tread
    BENCH_WALK_KNEE = 1 << 10,       ///< a knee points more than 60 degrees aside
    BENCH_WALK_FLOATING = 1 << 11,   ///< a foot that stands is more than 5 mm above the ground
    BENCH_WALK_FLIGHT = 1 << 12,     ///< no foot stands
    BENCH_WALK_FAULTS = 13,
};

/// Short name of the bit number fault: "slide", "penetration", ...
const char *bench_walk_fault_name(int fault);

typedef struct bench_WalkResult {
    measure_WalkFigures figures;
    unsigned faults;
} bench_WalkResult;

/// Run a walk; false after a message when the walker or the ground could not be made.
bool bench_walk_run(const bench_Walk *walk, const bench_WalkRun *run, bench_WalkResult *out_result,
    sinew_Message *out_message);

/// Microseconds that one update takes, lowest of several runs, with nothing else running: a walk at
/// 1.2 m/s over a ground. Zero when it cannot be made.
double bench_walk_time(const bench_WalkRun *run, const char *terrain);

/// Which of the limits figures break.
unsigned bench_walk_judge(
    const bench_Walk *walk, const bench_WalkRun *run, const measure_WalkFigures *figures);

const char *bench_walk_style_name(sinew_WalkStyle style);
const char *bench_walk_rows_name(sinew_WalkRows rows);

#endif
