#ifndef CLI_WALK_LAYER_H
#define CLI_WALK_LAYER_H

// A motion of the caller's own over a walk, above the legs (--layer, --mask).

#include "input.h"

#include "sinew/walker.h"

typedef struct cli_Layer cli_Layer;

/// A motion of the joints of a body; mask: JOINT[=SHARE],..., NULL: all of them. False after a message.
bool cli_layer_open(
    const cli_Input *body, const char *path, const char *mask, cli_Layer **out_layer);
/// NULL is ignored.
void cli_layer_close(cli_Layer *layer);
/// What lies over the walk at a time; good until the next call.
sinew_WalkLayer cli_layer_at(cli_Layer *layer, double time);

#endif
