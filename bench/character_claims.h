#ifndef CHARACTER_CLAIMS_H
#define CHARACTER_CLAIMS_H

// Parts of `sinew bench characters` that put claims of papers to the test.

#include "bench/bench_setup.h"

/// Each joint's share of all rotation on CHAIN10, by method; whether cyclic coordinate descent moves
/// earlier joints more. Meredith and Maddock (2004), Related Work.
void bench_rotation_shares(bench_Output *out);

/// How often a bone that follows goals partly out of reach stands on a corner of its window, by
/// response of the limit. Blow (2002).
void bench_corner_dwell(bench_Output *out);

/// Success by number of starts, from tables and random; whether four starts suffice. Blow (2002).
void bench_start_counts(bench_Output *out);

#endif
