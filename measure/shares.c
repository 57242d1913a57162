#include "measure/shares.h"

#include "math/holds.h"
#include "solve/method.h"

#include <string.h>

static void add_turns(const sinew_Skeleton *skeleton, const double *from, const double *to,
    double *step, double *turns)
{
    sinew_pose_difference(skeleton, from, to, step);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        const double *s = &step[places[a].dof];
        switch (axes[a].kind) {
        case SINEW_AXIS_SLIDE: break;
        case SINEW_AXIS_HINGE: turns[places[a].joint] += fabs(s[0]); break;
        case SINEW_AXIS_BALL:
            turns[places[a].joint] += sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
            break;
        }
    }
}

sinew_Status measure_rotation_shares(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, double *q, double *scratch, double *out_share,
    sinew_Report *out_report, sinew_Message *out_message)
{
    SNW_ASSERT(goal_count >= 0);
    const sinew_Skeleton *skeleton = snw_solver_skeleton(solver);
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(skeleton);
    int joint_count = sinew_skeleton_joint_count(skeleton);
    double *before = scratch, *step = scratch + coordinates;
    for (int j = 0; j < joint_count; ++j) { out_share[j] = 0.0; }

    sinew_SolveOptions one = *options;
    one.max_iterations = 1;
    one.min_iterations = 0;
    one.restarts = 0;
    sinew_Report report;
    memset(&report, 0, sizeof report);
    int iterations = 0;
    do {
        memcpy(before, q, coordinates * sizeof(double));
        sinew_Status status = sinew_solver_solve(
            solver, &one, goals, goal_count, q, &report, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
        iterations += report.iterations;
        one.start = SINEW_START_GIVEN;
        add_turns(skeleton, before, q, step, out_share);
    } while (
        report.outcome == SINEW_OUTCOME_OUT_OF_ITERATIONS && iterations < options->max_iterations);

    double sum = 0.0;
    for (int j = 0; j < joint_count; ++j) { sum += out_share[j]; }
    for (int j = 0; j < joint_count && sum > 0.0; ++j) { out_share[j] /= sum; }
    report.iterations = iterations;
    if (out_report != NULL) { *out_report = report; }
    return SINEW_STATUS_OK;
}
