#ifndef CLI_WALK_REPORT_H
#define CLI_WALK_REPORT_H

// `sinew walk --report`: every walk with every style and kind of legs, what it kept and what not.

#include "sinew/walker.h"

typedef struct cli_WalkReport {
    const char *body_name;
    const sinew_Skeleton *skeleton;
    const sinew_RoleGuess *roles; ///< may be NULL
    const sinew_Stance *stance;   ///< may be NULL
    const sinew_LegDef *legs;     ///< may be NULL
    int leg_count;
    /// Words with + between: only walks whose names have all of them, such as "natural+stairs"; NULL:
    /// all.
    const char *only;
    /// The body stands on tips: the natural style alone, and one kind of legs.
    bool on_tips;
    int steps; ///< of each walk; 0: 500
    int jobs;  ///< processes; 0: one for each processor
    uint64_t seed;
    bool json;
    bool gait; ///< compare with recorded walks as well; bodies with two legs alone
} cli_WalkReport;

/// Print it; returns the exit code. Walks that break a limit are told, and are no failure.
int cli_walk_report(const cli_WalkReport *report);

#endif
