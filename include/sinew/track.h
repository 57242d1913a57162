#ifndef SINEW_TRACK_H
#define SINEW_TRACK_H

/// \file
/// Following moving targets frame by frame: a solver with the settings that keep motion smooth.
///
/// Each frame starts from the last pose and takes at least two damped iterations, so that no frame
/// stops early inside the tolerance (that shakes). The first frame is posed by a sweep over the bones
/// where enough targets are known.
///
/// No joint leaps: its turn in a frame is bounded. Where the branch that the motion is on ends, the
/// pose stays as near as it can be; a better branch is sought beside it, a few iterations a frame, and
/// then joined: it follows the goals by itself, and the pose shown is pulled to it, by 12 rad/s, limbs
/// by 18, with a speed that grows from what it was and falls again by 330 rad/s^2. Hinge values may
/// leap meanwhile, rotations do not: three hinges of a joint go over to the other values of a rotation
/// where limits leave no way else. sinew_tracker_state tells.

#include "clip.h"
#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How to follow. Start from sinew_tracker_def_default().
typedef struct sinew_TrackerDef {
    /// Body that follows, no larger than 1e5 m (sinew_skeleton_size). Required. Only read; must outlive the tracker.
    const sinew_Skeleton *skeleton;
    /// Largest number of targets, >= 1. Default 8.
    int max_goals;
    /// Tolerances, iterations, damping, rest and velocity weights. The defaults are those of
    /// tracking: 5e-4 m, 5e-3 rad, 2 to 15 iterations, automatic damping, orientation length 0.1 m.
    /// Frames that are bounded or lost solve several times; none of a person's took more than 130 in all.
    /// velocity_weight is for frames of 1/120 s and is scaled to frame_time. Weights and the
    /// orientation length are for a body of 1.75 m and are scaled to the size of this one.
    /// max_joint_change bounds each frame but cold ones, whatever the goals ask.
    /// soft_reach is 0, so that a motion of the body's own is followed exactly; about 0.02 is right where
    /// targets of limbs that hang where they are (chain_root) come from elsewhere. It eases nothing while
    /// goals may move the root.
    sinew_SolveOptions options;
    /// Seconds between frames, > 0. Default 1/60. sinew_tracker_set_frame_time says another later.
    double frame_time;
    /// No joint turns faster as a whole than this, rad/s, > 0, or than three times as fast as the goals
    /// ask, whatever they do; only goals that jump (jump_share) are posed anew at once. Default 18, as fast
    /// as people's arms in sports. INFINITY: no bound.
    double max_turn_rate;
    /// A goal whose place moves by more than this share of the body's size in a frame has jumped, > 0: what
    /// it alone moves, an arm of a hand, is posed anew at once, and the rest of the body follows the other
    /// goals within the bound; where all places jump, so is the whole body. Default 0.25. INFINITY: nothing
    /// is posed anew and the bound holds in every frame but the first: right for devices that drop out.
    double jump_share;
    /// A frame that ends with a larger position error, metres, is lost: another branch is sought
    /// beside the motion, and joined within the bound. Default 0.005, for a body of 1.75 m. Where goals
    /// rest, every one that is not met counts.
    double lost_distance;
    /// Start each frame cold, forgetting the last. Default false.
    bool always_cold;
    sinew_Allocator allocator;
    sinew_Clock clock;
    void *clock_user;
    /// Set by the default function, checked by sinew_tracker_create. Do not set.
    uint32_t cookie;
} sinew_TrackerDef;

/// The defaults told above; skeleton is the caller's to say.
SINEW_API sinew_TrackerDef sinew_tracker_def_default(void);

typedef struct sinew_Tracker sinew_Tracker;

/// INVALID_ARGUMENT with a message for fields that break a rule, those of options included, also as they are once
/// scaled; OUT_OF_MEMORY.
/// *out_tracker is NULL then.
SINEW_API sinew_Status sinew_tracker_create(
    const sinew_TrackerDef *def, sinew_Tracker **out_tracker, sinew_Message *out_message);
/// Give it back; NULL is ignored.
SINEW_API void sinew_tracker_destroy(sinew_Tracker *tracker);

/// Forget the last frame and the pose set; the next starts cold.
SINEW_API void sinew_tracker_reset(sinew_Tracker *tracker);

/// The pose to go on from, coordinate_count numbers, copied.
///
/// Before the first frame (after create or reset) all joints go on from it, and the bound holds
/// against it. Later, joints that the goals of the next frame may move go on from where they are, and
/// all others stand as in q: call it each frame with an animated pose, and the goals correct that. In
/// both cases the joints' rest pose (options.rest_weight) is q from then on.
/// INVALID_ARGUMENT for a pose that sinew_pose_check refuses; then nothing changes.
SINEW_API sinew_Status sinew_tracker_set_pose(
    sinew_Tracker *tracker, const double *q, sinew_Message *out_message);

/// How long it is from the last frame to the next ones, seconds, > 0: for games whose frames are not equally long, before each
/// update. Bounds of turns and velocity_weight are those of the new time; what is being joined goes on at its speed. Not
/// called while a game is paused: nothing is updated then. INVALID_ARGUMENT as of sinew_tracker_create; then nothing changes.
SINEW_API sinew_Status sinew_tracker_set_frame_time(
    sinew_Tracker *tracker, double frame_time, sinew_Message *out_message);

/// Follow the targets of one frame. out_q receives the pose (coordinate_count numbers); it is
/// written only on success. Statuses as sinew_solver_solve; INVALID_ARGUMENT for no goals at all.
SINEW_API sinew_Status sinew_tracker_update(sinew_Tracker *tracker, const sinew_Goal *goals,
    int goal_count, double *out_q, sinew_Report *out_report, sinew_Message *out_message);

/// What the tracker did in the last update.
typedef struct sinew_TrackerState {
    bool
        posed_anew; ///< the pose, or a limb's, does not continue the last: first frames, goals that jumped
    bool bounded;    ///< a joint was held back by the bound
    bool lost;       ///< a goal ended farther off than lost_distance
    bool seeking;    ///< another branch was tried in this frame
    bool joining;    ///< another branch is being taken
    double way_left; ///< the largest turn that is left until it is reached, radians; else 0
} sinew_TrackerState;

/// All false and 0 before the first update.
SINEW_API sinew_TrackerState sinew_tracker_state(const sinew_Tracker *tracker);

/// Errors goal by goal of the last update, goal_count of them; valid until the next.
SINEW_API const sinew_GoalResult *sinew_tracker_goal_results(const sinew_Tracker *tracker);

#ifdef __cplusplus
}
#endif

#endif
