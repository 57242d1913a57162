// What all ways of following ask of the solver.

#include "motion/track.h"

#include "math/holds.h"

#include <string.h>

void snw_track_copy(const sinew_Tracker *tracker, const double *from, double *to)
{
    memcpy(to, from, (size_t)sinew_skeleton_coordinate_count(tracker->skeleton) * sizeof(double));
}

void snw_track_keep_results(sinew_Tracker *tracker, int goal_count)
{
    const sinew_GoalResult *results = sinew_solver_goal_results(tracker->solver);
    for (int g = 0; g < goal_count; ++g) { tracker->results[g] = results[g]; }
}

double snw_track_missed_by(const sinew_Report *report)
{
    return report->position_error - report->eased_distance;
}

sinew_Status snw_track_solve(sinew_Tracker *tracker, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, double *q, sinew_Report *report,
    sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    int iterations = report->iterations;
    double time = report->time;
    sinew_Status status = sinew_solver_solve(
        tracker->solver, options, goals, goal_count, q, report, message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_track_keep_results(tracker, goal_count);
    report->iterations += iterations;
    report->time += time;
    return status;
}

sinew_SolveOptions snw_track_search_options(const sinew_Tracker *tracker)
{
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    options.position_tolerance = tracker->warm.position_tolerance;
    options.orientation_tolerance = tracker->warm.orientation_tolerance;
    options.orientation_length = tracker->warm.orientation_length;
    options.soft_reach = tracker->warm.soft_reach;
    return options;
}

sinew_Status snw_track_measure(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    double *q, sinew_Report *report, sinew_Message *message)
{
    sinew_SolveOptions options;
    memcpy(&options, &tracker->warm, sizeof options);
    options.max_iterations = options.min_iterations = 0;
    return snw_track_solve(tracker, &options, goals, goal_count, q, report, message);
}

void snw_track_take_joints(const sinew_Tracker *tracker, const unsigned char *chosen, bool which,
    const double *from, double *to)
{
    const sinew_Joint *joints = sinew_skeleton_joints(tracker->skeleton);
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        if ((chosen[j] != 0) != which) { continue; }
        memcpy(&to[joints[j].coordinate_start], &from[joints[j].coordinate_start],
            (size_t)joints[j].coordinate_count * sizeof(double));
    }
}

void snw_track_take_given(const sinew_Tracker *tracker, double *q)
{
    if (!tracker->given) { return; }
    snw_track_take_joints(tracker, tracker->movable, false, tracker->pose, q);
}
