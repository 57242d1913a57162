#ifndef CLOSED_LIMBS_H
#define CLOSED_LIMBS_H

// Every limb of the robots and recorded bodies of the test data: its closed form, or why there is none,
// and whether its goals are met.

#include "bench/bench.h"
#include "bench/bench_chain.h"
#include "bench/bench_setup.h"

/// The table.
void bench_closed_limbs(const bench_Request *request, bench_Output *out);

/// An arm or a leg of a recorded body with guessed limits, to poses of its hand or foot drawn inside them;
/// false when there is no such file.
bool bench_ball_limb_run(
    const bench_Request *request, int count, bool leg, int passes, bench_ChainResult *out_result);

#endif
