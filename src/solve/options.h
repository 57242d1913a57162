#ifndef SNW_OPTIONS_H
#define SNW_OPTIONS_H

#include "sinew/solver.h"

/// Every field in its range and finite, or INVALID_ARGUMENT with the field's name.
sinew_Status snw_options_check(const sinew_SolveOptions *options, sinew_Message *message);

#endif
