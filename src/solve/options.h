#ifndef SNW_OPTIONS_H
#define SNW_OPTIONS_H

#include "sinew/solver.h"

/// Every field in its range and finite, or INVALID_ARGUMENT with the field's name; name is what the caller calls
/// the options. A time budget needs a clock.
sinew_Status snw_options_check(
    const sinew_SolveOptions *options, const char *name, sinew_Clock clock, sinew_Message *message);

#endif
