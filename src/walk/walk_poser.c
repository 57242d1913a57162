#include "walk/walk_poser.h"

#include "math/holds.h"

sinew_Status snw_walk_solve_on(snw_WalkPoser *poser, int limb, const sinew_Goal *goal,
    sinew_Report *report, sinew_Message *out_message)
{
    SNW_ASSERT(limb >= 0);
    sinew_Report again;
    sinew_Status status = sinew_solver_solve(
        poser->solvers[limb], &poser->options, goal, 1, poser->q, &again, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    again.iterations += report->iterations;
    again.halvings += report->halvings;
    *report = again;
    return SINEW_STATUS_OK;
}
