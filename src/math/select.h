#ifndef SNW_SELECT_H
#define SNW_SELECT_H

#include <stddef.h>

/// The value that stands at index when count values are sorted; reorders them. 0 <= index < count.
double snw_select(double *values, size_t count, size_t index);

#endif
