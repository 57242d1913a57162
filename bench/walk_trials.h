#ifndef BENCH_WALK_TRIALS_H
#define BENCH_WALK_TRIALS_H

// Trials of a walker: grounds it has to walk and grounds it must not, turned against the way it goes, with
// sticks as people hold them, each from several starts and seeds; judged by what can be seen alone
// (measure/walk_mirror.h). `sinew walk --trials` prints them.

#include "bench/walk_scenarios.h"
#include "measure/walk_mirror.h"

/// One trial.
typedef struct bench_Trial {
    char terrain[32];  ///< as sinew_terrain_open takes it
    int ground, stick; ///< which of the lists
    double heading;    ///< where the walker looks at first, radians from +Z, the way up of stairs
    const char *stick_name; ///< "1.3 m/s", "keys", ...
    bool is_walkable;       ///< false: it should stop, and be told
    bool is_level;          ///< the trunk has no reason to lean
    int start;              ///< how many starts farther on
    uint64_t seed;
} bench_Trial;

enum { BENCH_TRIAL_STARTS = 5, BENCH_TRIAL_SEEDS = 3 };

/// How many there are, and one of them, 0 <= index < count. seed is the first of the seeds.
int bench_trial_count(void);
bench_Trial bench_trial(int index, uint64_t seed);
/// How many grounds there are, and one's name: "stairs:0.17,0.29 at 45 deg".
int bench_trial_ground_count(void);
const char *bench_trial_ground_name(int ground, char out_text[48]);

/// What is wanted at a moment, seconds, of a body with such a heading; the same for equal seeds.
sinew_Steering bench_trial_steering(const bench_Trial *trial, double time, double heading);

typedef struct bench_TrialResult {
    measure_MirrorFigures seen;
    int unmet_frames; ///< a position goal of the walker is missed by more than 1 mm
    double miss;      ///< most, metres
    double limits;    ///< how far joints are outside their limits, at most
    double distance;  ///< of the hips, metres
    bool is_broken;   ///< an update failed, or a number is not finite
    unsigned faults;  ///< bits of the rules that are broken
} bench_TrialResult;

/// Which trials a rule is for.
typedef enum bench_RuleFor {
    BENCH_RULE_WALKABLE,
    BENCH_RULE_UNWALKABLE,
    BENCH_RULE_PRICE, ///< of walkable ones; not counted among what a walk keeps
} bench_RuleFor;

/// One thing that a walk should keep.
typedef struct bench_Rule {
    const char *name, *unit;
    double scale;  ///< from metres, radians, shares to unit
    double asked;  ///< in unit
    bool is_least; ///< at least; else at most
    bench_RuleFor used_for;
    double (*value)(const bench_Trial *trial, const bench_TrialResult *result);
} bench_Rule;

int bench_rule_count(void);
const bench_Rule *bench_rule(int index);
/// Whether a rule is for a trial.
bool bench_rule_counts(const bench_Rule *rule, const bench_Trial *trial);

/// Walk for so many seconds; style, rows and body as in run. False after a message when it could not begin.
bool bench_trial_run(const bench_Trial *trial, const bench_WalkRun *run, double seconds,
    bench_TrialResult *out_result, sinew_Message *out_message);

#endif
