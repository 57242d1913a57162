#ifndef SNW_TRACK_H
#define SNW_TRACK_H

// Inside of the tracker: what its parts share. A frame is made in `next` beside the last one, which
// stands in `q`, so that a frame that is refused leaves no trace.

#include "base/memory.h"
#include "motion/bone_sweep.h"
#include "sinew/track.h"

/// Another branch that is being taken: it follows the goals by itself, and the pose shown is pulled to it.
typedef struct snw_TrackBranch {
    bool joining;
    double *q;       // the branch in the last frame                      (coordinates)
    double *next;    // in the frame being made                           (coordinates)
    double rate;     // at which joints turn to it at most, rad/s
    double speed;    // at which they did in the last frame, radians a frame
    bool ending;     // the goals are met, or it is of no use: the speed falls
    double pull;     // towards it in the next frame, see track_branch.c
    double way;      // that was left in the last frame, radians
    int attempt;     // number of the next start that is tried
    int failures;    // attempts in a row that found nothing
    int pause;       // frames until the next attempt
    double tried_at; // how far the goals were off in the last one, metres
    double unmet;    // goals that are off by more are sought another branch for, metres
    double least;    // that it must bring them nearer by, metres
    double lasting;  // how long what it brings is to last, seconds
} snw_TrackBranch;

struct sinew_Tracker {
    sinew_Allocator allocator;
    size_t memory_size;
    const sinew_Skeleton *skeleton;
    sinew_Solver *solver;
    sinew_SolveOptions warm, cold;
    double size;            // of the body, metres
    double lost_distance;   // metres
    double jump_distance;   // goals that move farther in a frame have jumped, metres
    double free_turn;       // that any joint may make in a frame, radians
    double max_turn;        // that none may exceed in a frame, radians
    double frame_time;      // seconds
    double max_turn_rate;   // rad/s
    double velocity_weight; // as it was given, for a body and frames of the reference
    sinew_Clock clock;
    bool always_cold;
    int max_goals;

    bool started;        // q is the last frame
    bool catching_up;    // only the bounds keep the goals from being met
    bool settled;        // while the goals rest q is kept, with its report
    sinew_Report report; // of the last frame
    bool given;          // a pose was set since, which stands in pose
    double *q, *next, *pose;
    double *last; // the frame before q, q where that did not go on from it     (coordinates)
    double *attempt, *placed, *best, *chosen; // scratch                          (coordinates)
    double *aim;         // scratch                                   (coordinates)
    double *rest;        // what the solver's rest weight pulls to    (coordinates)
    sinew_Goal *goals;   // of the last frame                         (max_goals)
    sinew_Goal *weighed; // of this one, some with less weight        (max_goals)
    sinew_Goal *others;  // of this one, without those that jumped    (max_goals)
    int goal_count;
    int *goal_at; // by joint: which of them holds its place, -1: none; the same of this frame where
                  // goals are not others                              (joints)
    int *tops;    // scratch (solve/tops.h)                    (joints)
    unsigned char *movable; // by joint: a goal of this frame may move it
    unsigned char *sought;  // by joint: a lost goal may move it
    unsigned char *over;    // by joint: it goes over to the other writing of its hinges
    unsigned char *held;    // by joint: it was held back by its bound
    unsigned char *turned;  // by joint: it turns a bone that flips
    double *most;           // by joint: what it may turn in this frame, radians
    double asked;           // turn of the body that the goals ask for, radians
    bool flipped;           // a goal asks for a turn that no person makes
    double *mobility;       // scratch                                   (axes)
    sinew_GoalResult *results;
    snw_BoneSweep sweep;
    snw_TrackBranch branch;
    sinew_TrackerState state;
};

// ---------------------------------------------------------------------------------------------
// Poses

void snw_track_copy(const sinew_Tracker *tracker, const double *from, double *to);

/// Solve from q in place, keep the errors of the goals, and add iterations and time to the report's.
sinew_Status snw_track_solve(sinew_Tracker *tracker, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, double *q, sinew_Report *report,
    sinew_Message *message);

/// Those of the default method with the tolerances and lengths of the tracker.
sinew_SolveOptions snw_track_search_options(const sinew_Tracker *tracker);

/// Keep the errors of the goals of the solver's last solve.
void snw_track_keep_results(sinew_Tracker *tracker, int goal_count);

/// The largest position error, less what soft reach has put there, metres.
double snw_track_missed_by(const sinew_Report *report);

/// The errors of a pose as it is, where something was changed after its solve.
sinew_Status snw_track_measure(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    double *q, sinew_Report *report, sinew_Message *message);

/// Joints that no goal of this frame may move (which must be marked) stand as in the pose given.
void snw_track_take_given(const sinew_Tracker *tracker, double *q);
/// The joints that are chosen, or those that are not, as they are in another pose.
void snw_track_take_joints(const sinew_Tracker *tracker, const unsigned char *chosen, bool which,
    const double *from, double *to);

// ---------------------------------------------------------------------------------------------
// Starting anew (track_start.c)

/// Whether joints and places of goals are there; the solver refuses those that are not.
bool snw_track_usable(const sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count);

/// Mark the joints that some goal may move.
void snw_track_mark_movable(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count);

/// A start from the goals alone for the joints that they move; the others stay as in q. Attempts
/// after the first begin with a shaken rest pose.
void snw_track_pose_from_goals(
    sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count, int attempt, double *q);

/// Pose the body from the goals alone: attempts until one is not lost or so many iterations are spent.
/// The best that is below objective_to_beat goes to q, with out_report; the results are then its.
/// out_report keeps the iterations and the time of all, and its objective where none was better.
sinew_Status snw_track_pose_afresh(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    int iterations, double objective_to_beat, double *q, sinew_Report *out_report,
    sinew_Message *message);

// ---------------------------------------------------------------------------------------------
// Bounded steps (track_bound.c)

/// Whether the goals are others than those of the last frame, or the same at places so far off that
/// nothing can lead there in a frame.
typedef enum snw_GoalChange { SNW_GOALS_MOVED, SNW_GOALS_CHANGED, SNW_GOALS_JUMPED } snw_GoalChange;
snw_GoalChange snw_track_goal_change(
    const sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count);

/// The goals of a frame that is done are those of the last one for the next.
void snw_track_keep_goals(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count);

/// Of goals that jumped: mark in `sought` the joints that they alone move; `weighed` are they, the others
/// without weight, and `others` those. Returns whether there are any, and they stayed about where they were.
bool snw_track_mark_jumped(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count);

/// Whether the goals are those of the last frame, to the bit.
bool snw_track_goals_rest(const sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count);

/// What each joint may turn in this frame, in `most`: all alike; then as much more as the goals of the
/// frame ask of the joints of their limbs. These are in `weighed` then, and whether some are flips in
/// `flipped`.
void snw_track_set_bounds(sinew_Tracker *tracker);
void snw_track_widen_bounds(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count);
/// What the limb of a flip may turn, all joints may, up to the most that goals can ask of a body.
void snw_track_widen_body(sinew_Tracker *tracker);
/// Lower them to a speed, radians a frame, and what the goals ask; not those that were widened for the
/// limb of a goal, and not of joints in `over`.
void snw_track_slow_down(sinew_Tracker *tracker, double speed);
double snw_track_widest_bound(const sinew_Tracker *tracker);

/// Whether no joint turns farther than it may from one pose to the other.
bool snw_track_within(const sinew_Tracker *tracker, const double *from, const double *to);

/// The largest turn of a joint from one pose to the other, radians.
double snw_track_longest_turn(const sinew_Tracker *tracker, const double *from, const double *to);

/// Bring the joints of a pose that turned farther than a share of what they may back along their way, and
/// mark them in `held`. Returns whether there were any.
bool snw_track_hold_back(sinew_Tracker *tracker, const double *from, double *to, double share);

/// Joints that are chosen, or those that are not, stay in the following solves, until the solver's mobility is
/// set to NULL.
void snw_track_lock(sinew_Tracker *tracker, const unsigned char *chosen, bool which);

/// Solve from q in place, no joint turning farther from `from` than it may.
sinew_Status snw_track_solve_bounded(sinew_Tracker *tracker, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, const double *from, double *q, sinew_Report *report,
    sinew_Message *message);

/// Whether a goal, carried by another at the joint above, flips its bone by more than a descent turns it.
bool snw_track_any_flips(const sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count);

/// The same for the goals in `weighed`, from the last pose to `next`. Bones that flip are aimed where the
/// others bring them: a descent from half a turn off moves what carries them.
sinew_Status snw_track_solve_weighed(sinew_Tracker *tracker, const sinew_Goal *goals,
    int goal_count, sinew_Report *report, sinew_Message *message);

// ---------------------------------------------------------------------------------------------
// Ways from one pose to another (track_way.c)

/// How far a joint turns from one pose to the other, radians.
double snw_track_turn(
    const sinew_Tracker *tracker, const double *from, const double *to, int joint);

/// One joint of out_pose at a share of its way, inside its limits: hinges and slides go straight, balls
/// by their turn.
void snw_track_step_joint(const sinew_Tracker *tracker, const double *from, const double *to,
    double share, int joint, double *out_pose);

/// The same by the rotation for three hinges that write theirs in two ways in the two poses; false: it is
/// none, and out_pose is as it was.
bool snw_track_part_over(const sinew_Tracker *tracker, const double *from, const double *to,
    double share, int joint, double *out_pose);

/// The pose after this frame on the way to another: no joint is turned by more than rate, radians, but
/// where it goes over to the other writing of its hinges, which is marked in `over` and within what it
/// may turn; slides go with the joint that has the longest way.
void snw_track_advance(
    sinew_Tracker *tracker, const double *from, const double *to, double rate, double *out_pose);

/// The pose in the middle of a way; outside the limits where they block it.
void snw_track_half_way(
    const sinew_Tracker *tracker, const double *from, const double *to, double *out_pose);

// ---------------------------------------------------------------------------------------------
// Other branches (track_branch.c)

/// A frame was lost in `next`, with the errors of report, or goals that rest are not met: try to find a
/// better branch, at a bounded cost. Joining begins with the next frame.
sinew_Status snw_track_seek(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    bool rest, sinew_Report *report, sinew_Message *message);

/// Make the frame in `next` while another branch is joined, within the bounds.
sinew_Status snw_track_join(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *out_report, sinew_Message *message);

#endif
