#ifndef BENCH_GOALS_H
#define BENCH_GOALS_H

// The table of goals that were set, and what it shares with the benchmarks of arms and chains.

#include "bench/bench_chain.h"
#include "bench/bench_setup.h"

#include "sinew/file.h"

/// The rows about bodies: goals that were set, and cases without published figures.
void bench_character_goals(bench_Output *out, const bench_Request *request);

/// Known arms of URDF files, by name.
int bench_arm_count(void);
const char *bench_arm_name(int index);

typedef struct bench_ArmResult {
    const char *name; ///< of the arm to measure
    bench_ChainResult result;
    bench_PeerResult kdl;
    bool has_kdl;
} bench_ArmResult;

/// The chain of a known arm of the test data, with its file, which the caller destroys after the chain;
/// false when it is not there.
bool bench_arm_open(int index, sinew_MotionFile **out_file, bench_Chain *out_chain);

/// Measure one known arm of the test data; false when its file is not there.
bool bench_arm_run(const bench_Request *request, sinew_Method method, bool random_start, int count,
    int kdl_count, bench_ArmResult *arm);

/// Measure one chain of hinges; false without memory. out_kdl may be NULL.
bool bench_snake_run(int links, const bench_Request *request, sinew_Method method,
    bench_ChainResult *out_result, bench_PeerResult *out_kdl);

#endif
