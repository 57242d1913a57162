#ifndef CLI_STANCE_H
#define CLI_STANCE_H

// How a body stands, in words and as JSON.

#include "json.h"

#include "sinew/stance.h"

void cli_print_stance(const sinew_Stance *stance);
/// "stance": source, frame, costs, directions, witnesses, feet, notes.
void cli_json_stance(cli_Json *out, const sinew_Skeleton *skeleton, const sinew_Stance *stance);

#endif
