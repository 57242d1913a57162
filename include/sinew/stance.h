#ifndef SINEW_STANCE_H
#define SINEW_STANCE_H

/// \file
/// How a body stands: upright, legs and arms hanging, palms in, soles flat, looking ahead; found for any
/// person by its roles, its rest pose and its motion.
///
/// Limits are counted from this pose, walkers walk in it, and motions go from body to body by it. A rest pose
/// need not be a figure at all: bones of many files lie along one axis there. Then the best frame of the
/// motion is looked at, straightened, and turned to what all frames say of knees, elbows and soles.
/// What contradicts itself is told, never hidden.
///
/// A stance is read only and may be shared by threads.

#include "role.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the stance was made of.
typedef enum sinew_StanceSource {
    SINEW_STANCE_NONE, ///< nothing: no person, or no pose of it is a figure. The pose is the rest pose
    SINEW_STANCE_REST,        ///< the rest pose, which is a figure
    SINEW_STANCE_EXACT_FRAME, ///< a frame in which it stands in T or A
    SINEW_STANCE_FRAME,       ///< the best frame of a motion, straightened
} sinew_StanceSource;

/// What shows which side is left and where ahead is, beside the names.
typedef enum sinew_StanceWitness {
    SINEW_WITNESS_TOES,   ///< point ahead
    SINEW_WITNESS_KNEES,  ///< bend backward
    SINEW_WITNESS_ELBOWS, ///< bend forward
} sinew_StanceWitness;

#define SINEW_STANCE_WITNESS_COUNT 3

/// What one witness says.
typedef struct sinew_StanceSign {
    /// How often it spoke: toes that do not point along the shin, limbs bent by more than 20 degrees.
    int count;
    /// Mean of what it said: 1 as the sides of the roles say, -1 the other way round, 0 nothing.
    double agreement;
} sinew_StanceSign;

/// What a stance tells of itself.
typedef enum sinew_StanceCode {
    SINEW_STANCE_NO_PERSON,   ///< neither legs nor arms of a person
    SINEW_STANCE_NO_LEGS,     ///< a leg lacks thigh, shin or foot
    SINEW_STANCE_NO_FIGURE,   ///< neither rest pose nor any frame stands; value: least cost
    SINEW_STANCE_FROM_MOTION, ///< the rest pose is no figure; value: cost of the frame
    SINEW_STANCE_NO_FACING,   ///< neither toes nor knees nor elbows tell where ahead is
    SINEW_STANCE_MIRRORED,    ///< what is called left is on the right; value: sum of the witnesses
    SINEW_STANCE_CONFLICT,    ///< a witness says the contrary of the others; value: its agreement
    SINEW_STANCE_TOES_ASIDE, ///< a foot points aside by more than 40 degrees; value: radians outward
    SINEW_STANCE_BENDS_ASKEW, ///< an elbow or knee bends otherwise than the reference shows; value: radians
    SINEW_STANCE_BENDS_UNSEEN, ///< a frame was looked at, and nothing shows how an elbow or knee bends
    SINEW_STANCE_SOLE_ASSUMED, ///< the pitch of a foot was not seen, that of people was taken
    SINEW_STANCE_SOLE_UNSURE,  ///< hardly any frame shows the foot flat; value: how many
    SINEW_STANCE_SOLES_UNEVEN, ///< one sole is higher than the other; value: metres
    SINEW_STANCE_OTHER_UP, ///< the motion stands along another axis than the rest pose; value: radians
} sinew_StanceCode;

#define SINEW_STANCE_CODE_COUNT (SINEW_STANCE_OTHER_UP + 1)

typedef struct sinew_StanceNote {
    sinew_StanceCode code;
    sinew_Side side; ///< NONE: of the whole body
    double value;
    sinew_Message text; ///< one line
} sinew_StanceNote;

/// The sole of one foot.
typedef struct sinew_StanceFoot {
    int joint; ///< the ankle, of hinges in a row the last, which carries the sole; -1 without a foot
    int toe;   ///< the joint that toes turn about, -1 without one
    /// Below the heel and below the ball, in the axes of the ankle's joint, metres; both on the floor in the
    /// stance.
    sinew_Vec3 heel, ball;
    /// How far the foot pointed outward before it was turned ahead, radians; 0 when its toes were not seen.
    double toe_out;
} sinew_StanceFoot;

#define SINEW_MAX_STANCE_NOTES 24

/// Read only.
typedef struct sinew_Stance {
    int joint_count, coordinate_count;
    /// The pose, as near as the joints' axes come; limits are not looked at. The hips' middle is over the
    /// origin and the lower sole at height 0 where the root can move there. (coordinate_count)
    const double *q;
    /// The same as it should be, whatever the joints' axes. (joint_count)
    const sinew_Transform *world_from_joint;
    /// Unit, at right angles: a rest pose keeps its directions; a frame is turned to look along +Z (up Y),
    /// -Y (up Z).
    sinew_Vec3 left, up, ahead;
    sinew_StanceSource source;
    int reference_frame; ///< of the motion, -1: the rest pose
    /// How far the rest pose and the frame looked at are from a figure: below 0.9 is one, 9 and more is none.
    double rest_cost, frame_cost;
    sinew_StanceSign witnesses[SINEW_STANCE_WITNESS_COUNT];
    sinew_StanceFoot feet[2]; ///< left, right
    /// A person on two legs that was seen standing.
    bool can_stand;
    /// 0 nothing known .. 1 no doubt.
    double confidence;
    int note_count;
    const sinew_StanceNote *notes;
} sinew_Stance;

/// Find the stance of a body. Give the skeleton of the file: human limits change the rest poses of joints
/// that they leave outside. motion may be NULL; give the one that the roles were guessed with. At most 400
/// of its frames are looked at, evenly spread. A body that is no person is no error: source NONE.
///
/// allocator may be NULL. INVALID_ARGUMENT for NULL pointers, roles of another number of joints, poses that
/// are not finite; OUT_OF_MEMORY; then *out_stance is NULL. O(frames x joints), deterministic.
SINEW_API sinew_Status sinew_stance_guess(const sinew_Skeleton *skeleton,
    const sinew_RoleGuess *roles, const sinew_PoseList *motion, const sinew_Allocator *allocator,
    sinew_Stance **out_stance, sinew_Message *out_message);

/// Give it back; NULL is ignored.
SINEW_API void sinew_stance_destroy(sinew_Stance *stance);

/// "rest pose", "frame in T or A", "frame", "none"; "toes", "knees", "elbows"; "toes_aside", ... Static memory.
SINEW_API const char *sinew_stance_source_name(sinew_StanceSource source);
SINEW_API const char *sinew_stance_witness_name(sinew_StanceWitness witness);
SINEW_API const char *sinew_stance_code_name(sinew_StanceCode code);

#ifdef __cplusplus
}
#endif

#endif
