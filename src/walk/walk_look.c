#include "walk/walk_measure.h"

sinew_Status snw_walk_meter_of(const sinew_Walker *walker, const sinew_Skeleton *skeleton,
    double rise, double tread, const sinew_Allocator *allocator, snw_WalkMeter **out_meter)
{
    snw_WalkMeterLeg legs[SINEW_MAX_LEGS];
    int leg_count = sinew_walker_report(walker).leg_count;
    for (int i = 0; i < leg_count; ++i) {
        legs[i].def = sinew_walker_leg_def(walker, i);
        legs[i].sole = sinew_walker_sole(walker, i);
    }
    return snw_walk_meter_create(skeleton, legs, leg_count, rise, tread, allocator, out_meter);
}

void snw_walk_meter_look(snw_WalkMeter *meter, const sinew_Walker *walker, double dt,
    const double *q, const sinew_Ground *ground)
{
    unsigned planted[SINEW_MAX_LEGS];
    int leg_count = sinew_walker_report(walker).leg_count;
    for (int i = 0; i < leg_count; ++i) { planted[i] = sinew_walker_leg(walker, i).planted; }
    int goal_count;
    const sinew_Goal *goals = sinew_walker_goals(walker, &goal_count);
    snw_walk_meter_frame(meter, dt, q, ground, planted, goals, goal_count);
}
