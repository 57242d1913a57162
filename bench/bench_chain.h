#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

// One chain from a base to a tip with random reachable targets, solved by sinew and by KDL: what
// `sinew bench arms` and `chains` are made of.
//
// The protocol is that of TRAC-IK's comparison: targets from forward kinematics of joints drawn
// uniformly within their limits; starts in the middle of the limits and at random; position and
// rotation error 1e-5 m and rad; an answer counts when it comes within 5 ms and stands inside the
// limits, by forward kinematics that no solver has part in (scene_reckon).

#include "bench/bench.h"
#include "scenes/scenes.h"

enum { BENCH_MAX_CHAIN = SCENE_MAX_CHAIN + 8, BENCH_TOLD_FAILURES = 8 };

#define BENCH_CHAIN_TOLERANCE 1e-5
/// An answer that takes longer is none, seconds.
#define BENCH_CHAIN_SECONDS 5e-3

typedef struct bench_Chain {
    const sinew_Skeleton *skeleton;
    int root; ///< first joint that may move
    int tip;
    int axis_count;
    int axes[BENCH_MAX_CHAIN];     ///< of the skeleton, those that move, from the base on
    double lower[BENCH_MAX_CHAIN]; ///< ranges of random poses
    double upper[BENCH_MAX_CHAIN];
    bool position_alone;
    double *q; ///< middle of all ranges: the first start, and the rest of the body
} bench_Chain;

/// The chain from below joint base (-1: the world) to joint tip. False when nothing in it moves, it
/// holds balls, or memory is out.
bool bench_chain_open(
    const sinew_Skeleton *skeleton, int base, int tip, bool position_alone, bench_Chain *out_chain);
void bench_chain_close(bench_Chain *chain);

/// A target, where the chain stands to reach it, and a start.
typedef struct bench_Targets {
    int count;
    uint64_t seed;
    sinew_Transform *places; ///< world_from_tip             (count)
    double *starts;          ///< random poses of the chain  (count x axis_count)
} bench_Targets;

/// Where the joints of a target stand: most anywhere, and some of them where closed forms have it hard.
typedef enum bench_Draw {
    BENCH_DRAW_ANYWHERE,
    BENCH_DRAW_ON_BOUNDS, ///< three of ten on a bound
    BENCH_DRAW_AT_ZERO,   ///< four of ten at 0, where axes line up
    BENCH_DRAW_NEAR_ZERO, ///< or within 1e-5 of it
} bench_Draw;

/// Draw them; the same for a seed, whatever the count: target i is drawn from seed + i.
bool bench_targets_open(
    const bench_Chain *chain, uint64_t seed, int count, bench_Targets *out_targets);
bool bench_targets_draw(const bench_Chain *chain, uint64_t seed, int count, bench_Draw draw,
    bench_Targets *out_targets);
void bench_targets_close(bench_Targets *targets);

/// What one solver made of all targets. Times in seconds; of failures as well.
typedef struct bench_ChainResult {
    int count;
    double solved;           ///< share: near enough, inside the limits, in time
    double solved_any_limit; ///< the same without looking at limits
    double median, mean, p99, p999;
    double iterations, attempts; ///< means
    double violation;            ///< largest, radians or metres, of all answers
    int failure_count;
    int failures[BENCH_TOLD_FAILURES]; ///< numbers of the first targets that were not solved
} bench_ChainResult;

/// Solve all targets with sinew; each time is the lowest of `passes` over all of them, as other
/// programs may have had the processor. False without memory.
bool bench_chain_run(const bench_Chain *chain, const bench_Targets *targets, bool random_start,
    const sinew_SolveOptions *options, int passes, bench_ChainResult *out_result);

/// KDL's two solvers on the first `count` targets.
typedef struct bench_PeerResult {
    bench_ChainResult limited, marquardt;
} bench_PeerResult;

/// Whether this build has KDL.
bool bench_has_kdl(void);
/// False without KDL or memory. limited may be left out, as it knows no goals of position alone.
bool bench_chain_run_kdl(const bench_Chain *chain, const bench_Targets *targets, bool random_start,
    int count, bool limited, bench_PeerResult *out_result);

/// The method that is measured when none was asked for: auto.
sinew_Method bench_default_method(void);
/// The goal of a target.
sinew_Goal bench_chain_goal(const bench_Chain *chain, sinew_Transform place);
/// Its options for this protocol: as much patience as 5 ms allow, no clock.
sinew_SolveOptions bench_chain_options(sinew_Method method);

#endif
