#ifndef MEASURE_WALK_METER_H
#define MEASURE_WALK_METER_H

// Judges a walk by what can be seen of it: poses, the ground, and which points a walker says it holds.
// Nothing is taken from the walker's own measures. Used by tests, benchmarks and faces.

#include "sinew/walker.h"

/// The worst of something, and the moment and leg (or joint) where it was.
typedef struct measure_WalkWorst {
    double value;
    double time;
    int where; ///< leg or joint; -1: the body
} measure_WalkWorst;

/// A walk in figures; metres, radians, seconds.
typedef struct measure_WalkFigures {
    int frame_count;
    double time;
    int step_count; ///< landings: from no held point to any, after a swing of 50 ms
    /// Length of the way of the hips, looked at each half second, so that sway does not count.
    double distance;
    /// Points of the sole, edges included, from where they were first seen held; level distance.
    measure_WalkWorst slide;
    /// How deep any point of the sole is in the ground: corners, edges and inside, of feet that hold a
    /// point and of all. Depth is the distance to free air, straight up or level, whichever is less.
    measure_WalkWorst planted_penetration, penetration;
    /// Gap between the ground and the nearest point of the sole of a foot that holds a point.
    measure_WalkWorst floating;
    /// Frames in which no foot holds a point.
    int flight_frames;
    /// Least height of the sole over the ground between 20 % and 80 % of the time of a swing, infinity
    /// without one. Brief standing on one point is no swing.
    measure_WalkWorst clearance;
    /// Least distance of the sole from an edge (a jump of the ground of more than 30 mm within 30
    /// mm), between 15 % and 85 % of the time of a swing; infinity where no edge was near.
    measure_WalkWorst edge_clearance;
    /// Largest turn of any joint against its parent for 1/60 s; where is the joint.
    measure_WalkWorst joint_step;
    /// Largest vertical acceleration of the middle of the hip joints, by three frames in a row: m/s^2.
    measure_WalkWorst hips_acceleration;
    /// Root mean square of the same.
    double hips_acceleration_rms;
    /// Frames with a position goal that the pose misses by more than 1 mm, and the largest miss.
    int unmet_frames;
    measure_WalkWorst goal_error;
    measure_WalkWorst limit_violation;
    int bad_frames; ///< numbers that are not finite
    /// Largest angle between where a bent knee points and the middle of foot and hips.
    measure_WalkWorst knee;
    /// Steps in a flight of stairs, and those that lie one tread from the other foot.
    int stair_steps, one_tread_steps;
} measure_WalkFigures;

/// One leg as the meter looks at it.
typedef struct measure_WalkMeterLeg {
    const sinew_LegDef *def;
    const sinew_Sole *sole;
} measure_WalkMeterLeg;

typedef struct measure_WalkMeter measure_WalkMeter;

/// legs is copied, what it points to must stay. rise and tread are those of stairs along Z, 0 elsewhere.
/// OUT_OF_MEMORY.
sinew_Status measure_walk_create(const sinew_Skeleton *skeleton, const measure_WalkMeterLeg *legs,
    int leg_count, double rise, double tread, measure_WalkMeter **out_meter);

/// The legs of a walker.
sinew_Status measure_walk_of(const sinew_Walker *walker, const sinew_Skeleton *skeleton,
    double rise, double tread, measure_WalkMeter **out_meter);

void measure_walk_destroy(measure_WalkMeter *meter);

/// One frame, dt > 0 after the last. planted has the SINEW_PLANTED_... bits of each leg. goals may
/// be NULL. ground NULL: level at 0.
void measure_walk_frame(measure_WalkMeter *meter, double dt, const double *q,
    const sinew_Ground *ground, const unsigned *planted, const sinew_Goal *goals, int goal_count);

/// The walker's frame after an update.
void measure_walk_look(measure_WalkMeter *meter, const sinew_Walker *walker, double dt,
    const double *q, const sinew_Ground *ground);

/// All so far.
measure_WalkFigures measure_walk_figures(const measure_WalkMeter *meter);

#endif
