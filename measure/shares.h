#ifndef MEASURE_SHARES_H
#define MEASURE_SHARES_H

// Which joints do the work: the way that each joint turns in the course of a solve.

#include "sinew/solver.h"

/// Solve iteration by iteration from q and sum how far each joint turns on the way (radians: hinges
/// and balls; slides are left out). out_share (joint_count) receives the share of each joint of the
/// sum of all, 0 where nothing turned. q becomes the answer. Allocates nothing; scratch has
/// coordinate_count + dof_count numbers.
sinew_Status measure_rotation_shares(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, double *q, double *scratch, double *out_share,
    sinew_Report *out_report, sinew_Message *out_message);

#endif
