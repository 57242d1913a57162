#ifndef SINEW_RETARGET_H
#define SINEW_RETARGET_H

/// \file
/// A motion of one body on another: other names, rest poses, proportions, axes of bones.
///
/// Turns go over against the stance of both bodies (stance.h), so rest poses need not be alike; the hips'
/// way is scaled by the lengths of the legs. Feet that stand in the source stand in the result: each
/// contact of heel and ball becomes a print on the floor, in which the foot lies flat, stands on its heel
/// or on its ball as the source's does; hips sink where a leg would have to be longer than it is. Hands
/// keep their places at the floor, at the body and at each other. What was corrected fades between the
/// contacts without a jump in place or speed.
///
/// Hips that can go and turn anywhere by themselves are not carried by the joints above them: such a root goes
/// as the source's does, its way scaled by the legs, its height from its rest pose as in the source; without one
/// there it is at rest.
///
/// A clip is carried over as a whole (sinew_retargeter_clip), or sample by sample with a bounded
/// look-ahead (sinew_retargeter_push). A retargeter belongs to one thread; the bodies are only read.

#include "clip.h"
#include "contact.h"
#include "individual.h"
#include "role.h"
#include "stance.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A body as it was found: roles and stance are those of its skeleton (sinew_roles_guess, sinew_stance_guess).
/// Only read; they must outlive the retargeter.
typedef struct sinew_RetargetBody {
    const sinew_Skeleton *skeleton;
    const sinew_RoleGuess *roles;
    const sinew_Stance *stance;
} sinew_RetargetBody;

/// A joint of the target and the joint of the source that it turns as; source -1: it goes with its parent. With a share above 0
/// it turns as what is that far, 0..1, on the way from source to another joint, as vertebrae between two others do.
typedef struct sinew_RetargetPair {
    int source, target;
    int toward;
    double share;
} sinew_RetargetPair;

/// Longest look-ahead, seconds.
#define SINEW_MAX_LOOK_AHEAD 0.5

/// How to carry over. Start from sinew_retargeter_def_default().
typedef struct sinew_RetargeterDef {
    sinew_RetargetBody source, target;
    /// Said rather than matched by role, pair_count of them, copied. NULL: none.
    const sinew_RetargetPair *pairs;
    int pair_count;
    /// Feet that stand are held, the floor comes to height 0. Default true. false: turns and scaled
    /// places alone; a motion on its own body then comes back as it was.
    bool hold_feet;
    /// Hands keep to what they are near: each other, trunk, head, legs, the floor. Default true; an
    /// individual's posture goes before.
    bool hold_hands;
    /// The target's limits hold (sinew_rig_apply gives it some): poses are cropped to them, and where
    /// that moves a foot or hand that is held, the solver brings it back. Default true.
    bool keep_limits;
    /// Legs are used up to this share of their length, 0.8..1: less bends knees and lowers hips, more
    /// lets knees snap straight. Default 0.98.
    double reach;
    /// Feet that are held come to rest and leave within this, seconds, 0.01..1: less slides less, more is
    /// calmer. Default 0.11.
    double stop_time;
    /// Somebody in particular, copied; NULL (default): nobody. Changes posture, knees and, of whole clips,
    /// times: the result then has other frames than the source.
    const sinew_Individual *individual;
    sinew_ContactSettings contacts;
    /// Contacts that somebody knows of, of the points of the source (sinew_contact_points); only of
    /// clips. NULL: none.
    const sinew_ContactMark *marks;
    int mark_count;
    /// Live: seconds between samples, > 0, and how long a pose may come after its sample,
    /// 0..SINEW_MAX_LOOK_AHEAD. Defaults 0.01 and 0.1.
    double frame_time, look_ahead;
    sinew_Allocator allocator;
    /// Set by the default function, checked by create. Do not set.
    uint32_t cookie;
} sinew_RetargeterDef;

/// The defaults told above; source and target are the caller's to say.
SINEW_EXPERIMENTAL sinew_RetargeterDef sinew_retargeter_def_default(void);

typedef struct sinew_Retargeter sinew_Retargeter;

/// Match two bodies. UNSUPPORTED, with the reason, for bodies that are no persons on two legs, have no
/// stance, legs that are no chains, or hips that nothing can move; INVALID_ARGUMENT for what breaks a
/// rule above; OUT_OF_MEMORY. Then *out_retargeter is NULL.
SINEW_EXPERIMENTAL sinew_Status sinew_retargeter_create(
    const sinew_RetargeterDef *def, sinew_Retargeter **out_retargeter, sinew_Message *out_message);
/// NULL is ignored.
SINEW_EXPERIMENTAL void sinew_retargeter_destroy(sinew_Retargeter *retargeter);

/// How a joint of the target is turned: as joint from of the source, or between from and to by share; from
/// -1: with its parent.
typedef struct sinew_RetargetMatch {
    int from, to;
    double share;
} sinew_RetargetMatch;

/// {-1, -1, 0} for a joint that is not there.
SINEW_EXPERIMENTAL sinew_RetargetMatch sinew_retargeter_match(
    const sinew_Retargeter *retargeter, int joint);
/// Length of the target's legs by the source's.
SINEW_EXPERIMENTAL double sinew_retargeter_scale(const sinew_Retargeter *retargeter);

/// What became of a clip.
typedef struct sinew_RetargetReport {
    int frame_count;
    /// Times that a foot stood: prints of the left and right foot; and times that a hand came near
    /// something and kept to it.
    int prints[2], hand_contacts;
    /// Where the floor of the source is along its up, metres; it became height 0.
    double source_floor;
    /// How far the hips were lowered so that legs reach, at most and on average, metres.
    double hips_lowered_max, hips_lowered_mean;
    /// Frames in which a leg that stands was too short by more than 1 mm, and by how much at most.
    int short_frames;
    double short_max;
    /// What the target's joints could not take, at most (rotation: radians; position: metres).
    sinew_PoseFit fit;
    /// Limits: frames in which the solver brought hands or feet back; how far a held foot is from its
    /// place after it, at most, metres; how far poses are outside limits, 0 with keep_limits.
    int solved_frames;
    double held_error_max;
    double limit_violation;
} sinew_RetargetReport;

/// Carry a clip over; it must be of the source's skeleton. The result has its frames and frame time
/// (but for an individual's own time), of the target's skeleton. One whose last frame is its first one, moved along the
/// ground, stays such a cycle, but with marks. out_report may be NULL. INVALID_ARGUMENT, OUT_OF_MEMORY; then *out_clip is NULL.
/// Deterministic. O(frames x joints).
SINEW_EXPERIMENTAL sinew_Status sinew_retargeter_clip(sinew_Retargeter *retargeter,
    const sinew_Clip *clip, sinew_Clip **out_clip, sinew_RetargetReport *out_report,
    sinew_Message *out_message);

// ---------------------------------------------------------------------------------------------
// Live

/// Begin with a new stream. floor: height of the source's floor along its up, metres; NAN: under the lower
/// sole of the first sample, and from then on slowly after what feet stand on. A new retargeter begins
/// so, with NAN. INVALID_ARGUMENT for NULL and infinite heights.
SINEW_EXPERIMENTAL sinew_Status sinew_retargeter_reset(
    sinew_Retargeter *retargeter, double floor, sinew_Message *out_message);

/// One sample of the source in, one pose of the target out: that of the sample look_ahead ago, whose
/// index goes to *out_sample (may be NULL). Holding feet turns no joint by more than 18 radians per second beyond what
/// is carried over. Until there is one, the first sample's pose is shown. After the
/// last sample push it again for the poses that are still due. Never allocates; O(joints), with
/// limits a solve of bounded iterations. INVALID_ARGUMENT as sinew_pose_check; then nothing changes.
SINEW_EXPERIMENTAL sinew_Status sinew_retargeter_push(sinew_Retargeter *retargeter,
    const double *source_q, double *out_q, long *out_sample, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
