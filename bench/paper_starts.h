#ifndef PAPER_STARTS_H
#define PAPER_STARTS_H

// Half and full solves as Meredith and Maddock (2004) published them, from starts where their claims can
// fail: random poses far from the goal, and legs so straight that the inner loop runs.

#include "bench/bench_setup.h"

typedef enum bench_PaperStart {
    BENCH_START_RANDOM, ///< any pose inside the limits
    BENCH_START_STRAIGHT, ///< the same, knee bent by 1e-9 to 1e-5 rad: J J^T is singular but for rounding
    BENCH_STARTS,
} bench_PaperStart;

enum { BENCH_CEILINGS = 5, BENCH_HALVINGS = 7 };
extern const int bench_ceilings_tried[BENCH_CEILINGS]; ///< of iterations
extern const int bench_halvings_tried[BENCH_HALVINGS];

/// Solves of one kind from one kind of starts; per solve where nothing else is said.
typedef struct bench_PaperStarts {
    double met;                             ///< share within 200 iterations
    double iterations;                      ///< mean, of 200 at most
    double halvings;                        ///< mean
    double halved;                          ///< share of solves in which the inner loop ran
    double iteration_time, solve_time;      ///< seconds, medians
    double met_by_ceiling[BENCH_CEILINGS];  ///< share met within so many iterations, 20 halvings
    double met_by_halvings[BENCH_HALVINGS]; ///< share met in 200 iterations with so many halvings
} bench_PaperStarts;

/// [starts][0: half, 1: full]. False when there is no memory.
bool bench_paper_starts(bench_PaperStarts out[BENCH_STARTS][2]);

#endif
