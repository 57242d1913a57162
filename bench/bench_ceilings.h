#ifndef BENCH_CEILINGS_H
#define BENCH_CEILINGS_H

#include "bench/bench_setup.h"

/// A row for each limb: what an iteration of the pseudo-inverse takes, and whether the slowest solve in a
/// thousand keeps within the ceiling of iterations times that (Meredith and Maddock 2004, complexity).
void bench_ceilings(bench_Output *out);

#endif
