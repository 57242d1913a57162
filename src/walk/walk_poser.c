// What the kinds of rows do to a leg of the pose: keep its coordinates, put them back, solve it on.

#include "walk/walk_poser.h"

void snw_walk_read_leg(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, snw_LegCoordinates *out_leg)
{
    const int entries[3] = { leg->hip_entry, leg->knee_entry, leg->ankle_entry };
    for (int i = 0; i < 3; ++i) {
        snw_joint_read(&poser->body->joints[entries[i]].set, poser->q, out_leg->values[i]);
    }
}

void snw_walk_write_leg(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, const snw_LegCoordinates *values)
{
    const int entries[3] = { leg->hip_entry, leg->knee_entry, leg->ankle_entry };
    for (int i = 0; i < 3; ++i) {
        snw_joint_write(&poser->body->joints[entries[i]].set, values->values[i], poser->q);
    }
}

sinew_Status snw_walk_solve_on(snw_WalkPoser *poser, int limb, const sinew_Goal *goal,
    sinew_Report *report, sinew_Message *out_message)
{
    sinew_Report again;
    sinew_Status status = sinew_solver_solve(
        poser->solvers[limb], &poser->options, goal, 1, poser->q, &again, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    again.iterations += report->iterations;
    again.halvings += report->halvings;
    *report = again;
    return SINEW_STATUS_OK;
}
