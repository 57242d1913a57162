#ifndef CLI_DIAGNOSIS_H
#define CLI_DIAGNOSIS_H

// What commands print of a diagnosis.

#include "json.h"

#include "sinew/diagnosis.h"

/// Bytes that hold any line of a diagnosis.
enum { CLI_DIAGNOSIS_LINE = 1024 };

/// Fields of one goal: cause (in words), blockers, reach_margin_m (where it is bounded), conditioning.
void cli_json_diagnosis(cli_Json *out, const sinew_Skeleton *skeleton,
    const sinew_Diagnosis *diagnosis, int goal, const char *const *names);

/// Array `active_limits` of the limits that are pressed, the hardest first.
void cli_json_active_limits(
    cli_Json *out, const sinew_Skeleton *skeleton, const sinew_Diagnosis *diagnosis);

#endif
