#ifndef CLI_WALK_TRIALS_H
#define CLI_WALK_TRIALS_H

// `sinew walk --trials`: hard grounds and unsteady hands, seen from outside, as two tables.

#include "walk_report.h"

/// Print them; returns the exit code. report.gait is not used; steps are seconds of each trial, 0: 20.
/// manner: of the style natural. Walks that break a rule are told, and are no failure.
int cli_walk_trials(const cli_WalkReport *report, sinew_WalkStyle style, sinew_WalkRows rows,
    const sinew_Manner *manner);

#endif
