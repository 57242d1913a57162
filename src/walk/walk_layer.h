#ifndef SNW_WALK_LAYER_H
#define SNW_WALK_LAYER_H

// What a game lays over the walk: a look, arms that carry, and a pose of its own above the legs.

#include "base/message.h"
#include "walk/gait.h"
#include "walk/walk.h"

/// How far a body has come with it.
typedef struct snw_Look {
    snw_Follower weight, yaw, pitch; ///< of the head against the heading, left and down, radians
    snw_Follower carry;
} snw_Look;

sinew_Status snw_layer_check(
    const sinew_Skeleton *skeleton, const sinew_WalkLayer *layer, sinew_Message *message);
/// Whether the pose, which is the caller's to change, can be blended now.
bool snw_layer_is_finite(const sinew_Skeleton *skeleton, const sinew_WalkLayer *layer);
/// Go on by dt seconds to what is wanted, and turn head and arms of the target so.
void snw_layer_aim(const snw_WalkBody *body, const sinew_Drive *drive, double dt, snw_Look *look,
    snw_WalkTarget *target);
/// Blend a pose with that of the caller; root and legs stay.
void snw_layer_blend(const snw_WalkBody *body, const sinew_WalkLayer *layer, double *q);

#endif
