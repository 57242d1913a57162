#ifndef BENCH_POINT_MASSES_H
#define BENCH_POINT_MASSES_H

// A baseline that sinew has no method for: joints as point masses, bones as sticks that pull them back to their
// lengths, one after the other and again (SHAKE; Jakobsen 2001, Advanced character physics).

#include <stdbool.h>

typedef struct bench_PointRow {
    double met, passes, median; ///< share of goals; mean; seconds
} bench_PointRow;

/// 300 reachable places of the end of a chain of links 1 m long. limited: neighbours bend by at most 60 degrees,
/// which holds the distance of every second joint.
bench_PointRow bench_points_measure(int links, bool limited);

#endif
