#ifndef SINEW_MANNER_H
#define SINEW_MANNER_H

/// \file
/// The manner of a walk: how much of a living body is shown above the legs, and whose it is. Plain numbers, read
/// by walkers on two legs in the style natural: of people in general, of somebody in particular (individual.h), or learned from
/// one recorded walk.

#include "clip.h"
#include "individual.h"
#include "role.h"
#include "stance.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Start from sinew_manner_default() or sinew_manner_plain().
typedef struct sinew_Manner {
    /// How much of each is shown, 0..2: 0 the plain figure, 1 (default) as people do.
    double hips;      ///< turn, tilt, list, sway and surge of the pelvis
    double trunk;     ///< chest against the hips by the legs; its roll and pitch; lean into turns
    double arms;      ///< swing by the legs, out of plane, elbows by speed
    double hands;     ///< forearms and palms in, wrists
    double clavicles; ///< go with the arms
    double head;      ///< leads turns, level, nods
    double
        shift; ///< the weight goes over one foot before the first step, and settles after the last
    double breath;
    double wander;    ///< slow noise: nobody stands still
    double variation; ///< from step to step
    /// Size of what arms and trunk do: 1 (default) as in calm recordings, 1.5 to 2 on a stage. 0..3.
    double lively;
    /// Whose walk it is; 1 and 0 are people in general.
    /// Speed of its own walk by that of people with such legs, 0.3..1.55. A walker goes as it is steered: who
    /// steers may want it (`sinew walk` does where no --speed is said, 1.3 m/s times this).
    double pace;
    double stride;      ///< length and period of strides by those of the same speed, 0.7..1.4
    double lift;        ///< factor of what feet do: how high they go, how far they roll, 0.5..1.2
    double bounce;      ///< how much farther hips sink and rise with each step, legs, 0..0.05
    double sway;        ///< factor of the hips' sway on level ground, 0..2
    double swing;       ///< factor of the arms' swing, 0..3
    double swing_late;  ///< how much later the arms swing, seconds, 0..0.3
    double elbow;       ///< more flexion of the elbows, radians, -0.5..1.5
    double elbow_swing; ///< factor of how far elbows bend and straighten as the arms swing, 0..3
    double wrist;       ///< hands farther back towards their backs, radians, -0.8..0.8
    double wrist_swing; ///< factor of how far hands trail behind their forearms, 0..3
    double shrug;       ///< shoulders up and ahead, radians, -0.3..0.4
    double arms_out;    ///< upper arms farther off the trunk, radians, -0.2..0.6
    double lean;        ///< of the trunk, more forward, radians, -0.4..0.6
    double head_pitch;  ///< of the head, more downwards, radians, -0.6..0.6
    double crouch;      ///< of the hips, legs, 0..0.1
    /// How much standing on the left and the right leg hurts, 0..1: it is cut short, the trunk leans over it.
    double hurt[2];
    /// Of all that is drawn by chance: same seed, same bits; crowds differ by it. Default 0.
    uint64_t seed;
} sinew_Manner;

/// People in general.
SINEW_EXPERIMENTAL sinew_Manner sinew_manner_default(void);
/// The plain figure: nothing but legs, with arms that swing.
SINEW_EXPERIMENTAL sinew_Manner sinew_manner_plain(void);

/// Set one number by its name: "lively", "hips", "hurt[0]", ... INVALID_ARGUMENT for NULL, other names, and values out
/// of range, which the message tells; then nothing is changed.
SINEW_EXPERIMENTAL sinew_Status sinew_manner_set(
    sinew_Manner *manner, const char *name, double value, sinew_Message *out_message);

/// INVALID_ARGUMENT for NULL and for numbers out of their range, named.
SINEW_EXPERIMENTAL sinew_Status sinew_manner_check(
    const sinew_Manner *manner, sinew_Message *out_message);

/// Make it somebody's: traits change what they find, so several follow each other. A stiff knee is the rig's
/// (sinew_individual_rig). NULL individual: nobody in particular. Results stay in range.
SINEW_EXPERIMENTAL void sinew_manner_add(const sinew_Individual *individual, sinew_Manner *manner);

/// Learn from one recorded walk on level ground: pace, strides by speed, swing, delay and bend of the arms, wrists, clavicles, lean,
/// head and sway; the rest stays as it is in manner. Straight parts of a second and more are enough. Who walks in place, as on a
/// treadmill, goes as fast as the feet that stand slide back.
/// INVALID_ARGUMENT with a message where nobody walks in the clip (no two strides that make way, runs and jumps, steps here
/// and there), for bodies without two legs and arms, and for
/// NULL; then manner is unchanged. OUT_OF_MEMORY. allocator may be NULL.
SINEW_EXPERIMENTAL sinew_Status sinew_manner_learn(const sinew_Clip *clip,
    const sinew_RoleGuess *roles, const sinew_Stance *stance, const sinew_Allocator *allocator,
    sinew_Manner *manner, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
