#ifndef SINEW_KEYS_H
#define SINEW_KEYS_H

/// \file
/// Keyed animation: few keys that a person can edit instead of a pose for every frame, for joints in FK and for the
/// handles of limbs in IK, and the way from one to the other over a range of time.
///
///     sinew_keys_from_clip(keys, clip, &tolerance, &figures, &message);             // FK: keys of all joints
///     sinew_keys_to_ik(keys, left_leg, 0.5, 2.0, 60.0, &tolerance, NULL, &message); // keys of a handle in that range
///     sinew_keys_apply(keys, time, sw, 1.0 / 60.0, &message);                       // a frame, on the switch
///
/// Source: Bhatti et al. (2013), sections 2 and 5.

#include "clip.h"
#include "switch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Between two keys.
typedef enum sinew_Interpolation {
    SINEW_INTERPOLATION_STEPPED, ///< the value of the earlier key
    SINEW_INTERPOLATION_LINEAR,  ///< straight; quaternions are made unit again
    SINEW_INTERPOLATION_CUBIC,   ///< by the slopes of both keys (Hermite), as glTF has it
} sinew_Interpolation;

typedef enum sinew_ChannelKind {
    SINEW_CHANNEL_JOINT, ///< a joint's coordinates, as a pose has them
    SINEW_CHANNEL_PLACE, ///< a handle: x, y, z, metres, and a unit quaternion
    SINEW_CHANNEL_POLE,  ///< x, y, z, metres
    SINEW_CHANNEL_ROLL,  ///< of the foot, radians
    SINEW_CHANNEL_TOE,   ///< a unit quaternion
    SINEW_CHANNEL_MODE,  ///< of a limb: 0 FK, 1 IK; stepped
} sinew_ChannelKind;

/// Largest number of values of one key.
#define SINEW_MAX_KEY_WIDTH 24

/// One channel. All its values have keys at the same times, as animators key a joint.
typedef struct sinew_Channel {
    sinew_ChannelKind kind;
    int index; ///< of the joint, or of the limb
    int width; ///< values of a key: coordinates of the joint, 7, 3, 1, 4 or 1
    sinew_Interpolation interpolation;
    int key_count;
    const double *times;  ///< seconds, rising                               (key_count)
    const double *values; ///< key by key                                    (key_count x width)
    /// Per second: of the curve that comes to the key, then of the one that leaves it. Cubic alone, else NULL.
    const double *slopes; //                                               (key_count x 2 x width)
} sinew_Channel;

/// How far keyed motion may be from what it is made of, at frames and between them.
typedef struct sinew_KeysTolerance {
    /// Of any joint's or handle's place, metres, > 0.
    double distance;
    /// Of any joint's or handle's turn in the world, radians, > 0.
    double angle;
} sinew_KeysTolerance;

/// 2 mm and 0.02 rad.
SINEW_API sinew_KeysTolerance sinew_keys_tolerance_default(void);

/// What keys became of a motion.
typedef struct sinew_KeysFigures {
    int frames, channels;
    int keys; ///< of all channels
    /// Frames for each key of a channel in the mean: frames x channels / keys.
    double frames_per_key;
    /// Largest deviation of any joint at frames and in the middle between them, metres and radians; of limbs that went to IK, of
    /// any of their joints, and what hangs on these, at frames.
    double distance, angle;
} sinew_KeysFigures;

typedef struct sinew_Keys sinew_Keys;

/// Keys for a body and the limbs of a switch of it, without any key. limbs are copied; limb_count may be 0.
/// allocator may be NULL. INVALID_ARGUMENT, OUT_OF_MEMORY; then *out_keys is NULL.
SINEW_API sinew_Status sinew_keys_create(const sinew_Skeleton *skeleton,
    const sinew_SwitchLimb *limbs, int limb_count, const sinew_Allocator *allocator,
    sinew_Keys **out_keys, sinew_Message *out_message);
/// NULL is ignored.
SINEW_API void sinew_keys_destroy(sinew_Keys *keys);

/// What they were made with.
SINEW_API const sinew_Skeleton *sinew_keys_skeleton(const sinew_Keys *keys);
SINEW_API int sinew_keys_limb_count(const sinew_Keys *keys);

/// How many channels have keys, and one of them, 0 <= index < count; good until keys change.
SINEW_API int sinew_keys_channel_count(const sinew_Keys *keys);
SINEW_API sinew_Channel sinew_keys_channel(const sinew_Keys *keys, int index);

/// Set a channel: its keys take the place of those of the same kind and index. Copied. INVALID_ARGUMENT for
/// another width than the kind has, times that do not rise, numbers that are not finite, or quaternions of no
/// length; OUT_OF_MEMORY. Then
/// nothing is changed.
SINEW_API sinew_Status sinew_keys_set_channel(
    sinew_Keys *keys, const sinew_Channel *channel, sinew_Message *out_message);

/// Make keys of a motion: all joints in FK, cubic. Fewest are not promised; the tolerance is, as far as keys at every frame
/// keep it (figures tell). All earlier keys go. tolerance may be NULL for the default, out_figures
/// NULL.
SINEW_API sinew_Status sinew_keys_from_clip(sinew_Keys *keys, const sinew_Clip *clip,
    const sinew_KeysTolerance *tolerance, sinew_KeysFigures *out_figures,
    sinew_Message *out_message);

/// The pose at a time as FK has it, handles aside. Joints without keys rest.
SINEW_API void sinew_keys_sample(const sinew_Keys *keys, double time, double *out_q);

/// One frame on a switch of the same body and limbs: joints, modes, handles, and an update of frame_time seconds.
/// Statuses as those of the switch.
SINEW_API sinew_Status sinew_keys_apply(const sinew_Keys *keys, double time, sinew_Switch *sw,
    double frame_time, sinew_Message *out_message);

/// Let a limb be in IK from one time to another, seconds: the keys of its handle in that range are made of what its joints do
/// there, and its mode is keyed. The joints' own keys stay as they are, for the way back and for what the handle leaves free. The
/// tolerance is that of all joints of the limb against their own keys (figures tell). rate: frames per second at which the
/// motion is looked at, > 0.
SINEW_API sinew_Status sinew_keys_to_ik(sinew_Keys *keys, int limb, double from, double to,
    double rate, const sinew_KeysTolerance *tolerance, sinew_KeysFigures *out_figures,
    sinew_Message *out_message);

/// The other way round: in that range the joints of a limb get keys of what they do in IK, and its mode is FK.
SINEW_API sinew_Status sinew_keys_to_fk(sinew_Keys *keys, int limb, double from, double to,
    double rate, const sinew_KeysTolerance *tolerance, sinew_KeysFigures *out_figures,
    sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
