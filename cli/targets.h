#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

// Which joints a motion is followed by.

#include "input.h"

typedef struct cli_Target {
    int joint;
    bool turned; ///< orientation too, not position alone
} cli_Target;

/// Targets of a text: "all" (every joint that moves, end sites too), "key" (what carries the
/// body, head, hands and feet, or the fingertips of a hand), or joints with commas between, JOINT:pose for the orientation too.
/// The caller frees *out_targets. Returns how many, 0 after a message that names the option.
int cli_find_targets(
    cli_Input *input, const char *option, const char *text, cli_Target **out_targets);

#endif
