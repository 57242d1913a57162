#ifndef CLI_TRACK_DEF_H
#define CLI_TRACK_DEF_H

// How the command `track` follows an input, which benchmarks follow likewise.

#include "input.h"

#include "sinew/track.h"

/// The tracker's own settings, and what an input with limits of a rig asks for.
sinew_TrackerDef cli_track_def(const cli_Input *input);

#endif
