#ifndef SNW_BALL_TURN_H
#define SNW_BALL_TURN_H

// A ball that turns about an axis, and the angles that its limit lets it have, exactly. With
// q = cos(angle/2) at + sin(angle/2) by, whatever is quadratic in q is a wave of the angle: each side of
// a window, as the bone goes round a circle, and the twist's two bounds together.

#include "body/ball_limit.h"
#include "solve/arcs.h"

typedef struct snw_BallTurn {
    sinew_Quat at, by;
} snw_BallTurn;

static inline sinew_Quat snw_pure_quat(sinew_Vec3 v)
{
    sinew_Quat r = { v.x, v.y, v.z, 0.0 };
    return r;
}

/// A turn after q, about an axis of the socket, and before it, about one of the joint.
static inline snw_BallTurn snw_ball_turn(sinew_Vec3 axis, sinew_Quat q)
{
    snw_BallTurn r = { q, sinew_quat_mul(snw_pure_quat(axis), q) };
    return r;
}

static inline snw_BallTurn snw_ball_roll(sinew_Quat q, sinew_Vec3 axis)
{
    snw_BallTurn r = { q, sinew_quat_mul(q, snw_pure_quat(axis)) };
    return r;
}

/// The ball at a place of arcs.
sinew_Quat snw_ball_turned(const snw_BallTurn *turn, double place);

/// Keep the angles at which the bone is in a window, and those at which the twist is in its range; limit
/// may be NULL.
void snw_ball_turn_windows(const sinew_BallLimit *limit, const snw_BallTurn *turn, snw_Arcs *arcs);
void snw_ball_turn_twist(const sinew_BallLimit *limit, const snw_BallTurn *turn, snw_Arcs *arcs);

#endif
