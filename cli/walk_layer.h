#ifndef CLI_WALK_LAYER_H
#define CLI_WALK_LAYER_H

// A motion of the caller's own over a walk, above the legs (--layer, --mask).

#include "input.h"

#include "sinew/walker.h"

typedef struct cli_Layer cli_Layer;

/// A motion of the joints of a body; mask: JOINT[=SHARE],..., NULL: all of them. False after a message.
bool cli_layer_open(cli_Input *body, const char *path, const char *mask, cli_Layer **out_layer);
/// NULL is ignored.
void cli_layer_close(cli_Layer *layer);
/// How long it lasts each time: shorter than the motion by as long as its end goes over into its start, where it is no loop.
double cli_layer_period(const cli_Layer *layer);
/// Have it begin at a time, and last as long as a loop, or so many times that these do. How much quicker it is for that.
double cli_layer_fit(cli_Layer *layer, double from, double duration);
/// What lies over the walk at a time; good until the next call.
sinew_WalkLayer cli_layer_at(cli_Layer *layer, double time);

#endif
