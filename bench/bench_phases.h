#ifndef BENCH_PHASES_H
#define BENCH_PHASES_H

// Where the time of one damped iteration goes, phase by phase.

#include "sinew/solver.h"

typedef struct bench_Phases {
    int links, dofs, rows;
    sinew_LinearForm form; ///< the cheapest
    /// Median seconds of one call at a pose between the two of the problem.
    double forward, errors, jacobian, linear, integrate;
    /// The linear step in each form, indexed by sinew_LinearForm; AUTO is unused.
    double by_form[SINEW_FORM_COUNT];
    /// Counted flops of the same.
    double flops[SINEW_FORM_COUNT];
} bench_Phases;

/// Measure on goals that a skeleton at pose q has not met. OUT_OF_MEMORY.
sinew_Status bench_phases(const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count,
    const double *q, bench_Phases *out_phases);

#endif
