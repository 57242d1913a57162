#ifndef SINEW_TRACK_H
#define SINEW_TRACK_H

/// \file
/// Following moving targets frame by frame: a solver with the settings that keep motion smooth.
///
/// Each frame starts from the last pose and takes at least two damped iterations, so that no frame
/// stops early inside the tolerance (that shakes). The first frame, and a frame after one that was
/// lost, is posed by a sweep over the bones where enough targets are known.

#include "clip.h"
#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How to follow. Start from sinew_tracker_def_default().
typedef struct sinew_TrackerDef {
    const sinew_Skeleton *skeleton;
    /// Largest number of targets, >= 1. Default 8.
    int max_goals;
    /// Tolerances, iterations, damping, rest and velocity weights. The defaults are those of
    /// tracking: 5e-4 m, 5e-3 rad, 2 to 15 iterations, automatic damping, orientation length 0.1 m.
    /// velocity_weight is for frames of 1/120 s and is scaled to frame_time. Weights and the
    /// orientation length are for a body of 1.75 m and are scaled to the size of this one.
    /// max_joint_change bounds each frame but cold ones; with it, lost frames are not posed anew.
    /// soft_reach is 0, so that a motion of the body's own is followed exactly; about 0.02 is right
    /// where targets come from elsewhere.
    sinew_SolveOptions options;
    /// Seconds between frames, > 0. Default 1/60.
    double frame_time;
    /// A frame that ends with a larger position error, metres, is lost: the next starts cold.
    /// Default 0.005, for a body of 1.75 m.
    double lost_distance;
    /// Start each frame cold, forgetting the last. Default false.
    bool always_cold;
    sinew_Allocator allocator;
    sinew_Clock clock;
    void *clock_user;
} sinew_TrackerDef;

SINEW_API sinew_TrackerDef sinew_tracker_def_default(void);

typedef struct sinew_Tracker sinew_Tracker;

SINEW_API sinew_Status sinew_tracker_create(
    const sinew_TrackerDef *def, sinew_Tracker **out_tracker, sinew_Message *out_message);
SINEW_API void sinew_tracker_destroy(sinew_Tracker *tracker);

/// Forget the last frame; the next starts cold.
SINEW_API void sinew_tracker_reset(sinew_Tracker *tracker);

/// Follow the targets of one frame. out_q receives the pose (coordinate_count numbers); it is
/// written only on success. Statuses as sinew_solver_solve.
SINEW_API sinew_Status sinew_tracker_update(sinew_Tracker *tracker, const sinew_Goal *goals,
    int goal_count, double *out_q, sinew_Report *out_report, sinew_Message *out_message);

/// Errors goal by goal of the last update.
SINEW_API const sinew_GoalResult *sinew_tracker_goal_results(const sinew_Tracker *tracker);

#ifdef __cplusplus
}
#endif

#endif
