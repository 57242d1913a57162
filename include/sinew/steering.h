#ifndef SINEW_STEERING_H
#define SINEW_STEERING_H

/// \file
/// How a walker is steered: what is wanted of it now, as a plain struct. Sticks, keyboards and
/// recordings are turned into it; so a walk can be run, recorded and replayed without any window.
/// Source: Meredith and Maddock (2004), control layer.

#include "vecmath.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is wanted. A walker follows as fast as a body can; numbers beyond what it can do are cropped,
/// but -1000..1000 each: others are refused as mistakes.
typedef struct sinew_Steering {
    double forward; ///< along the heading, metres per second; negative: backwards
    double left;    ///< sideways, metres per second; negative: to the right
    double turn;    ///< radians per second, anticlockwise (to the left) positive
} sinew_Steering;

/// An analogue stick, each axis -1..1 (cropped; not finite is refused, see below). Keys are full deflections.
typedef struct sinew_Stick {
    double x;    ///< to the right
    double y;    ///< forward
    bool strafe; ///< x moves sideways instead of turning
} sinew_Stick;

/// What full deflection means. Start from sinew_stick_range_default().
typedef struct sinew_StickRange {
    double forward;   ///< metres per second. Default 1.4
    double backward;  ///< metres per second. Default 0.8
    double sideways;  ///< metres per second. Default 0.5
    double turn;      ///< radians per second. Default 1.5
    double dead_zone; ///< deflections up to this are none. Default 0.05
} sinew_StickRange;

/// The defaults told above.
SINEW_API sinew_StickRange sinew_stick_range_default(void);

/// Steering of a stick. The radius of the arc is forward / turn, to the left when positive; the more
/// the stick is held aside, the sharper the turn. Without sideways deflection the walk is straight.
/// range may be NULL for the defaults. Where an axis, or what it is measured by, is not finite, so is the
/// steering, and an update of a walker refuses it as INVALID_ARGUMENT: a broken device is told, not taken for
/// one at rest.
SINEW_API sinew_Steering sinew_steering_from_stick(
    const sinew_StickRange *range, const sinew_Stick *stick);

/// Arrow keys: full deflection, opposite keys cancel. Keys and an axis at +-1 give the same bits.
SINEW_API sinew_Stick sinew_stick_from_keys(bool up, bool down, bool left, bool right, bool strafe);

/// One moment of a recording.
typedef struct sinew_SteeringKey {
    double time; ///< seconds, not falling from key to key
    sinew_Steering steering;
} sinew_SteeringKey;

/// The steering of a recording at a moment: that of the last key whose time is not later (held, not
/// interpolated); before the first key, and of 0 keys, none.
SINEW_API sinew_Steering sinew_steering_at(
    const sinew_SteeringKey *keys, int key_count, double time);

#ifdef __cplusplus
}
#endif

#endif
