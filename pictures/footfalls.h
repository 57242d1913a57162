#ifndef PICTURES_FOOTFALLS_H
#define PICTURES_FOOTFALLS_H

// Where the feet of a walking person stand, read from the motion alone: a heel or the ball of a foot
// that is near the ground and hardly moves is planted.

#include "sinew/clip.h"
#include "sinew/terrain.h"

typedef struct snw_FootPoint {
    sinew_Vec3 place; ///< on the ground
    bool planted;
} snw_FootPoint;

/// The feet of all frames: left heel, left ball, right heel, right ball   (frame_count x 4).
typedef struct snw_Footfalls {
    int frame_count;
    snw_FootPoint *points; ///< NULL: no person
} snw_Footfalls;

/// level: height of the ground where terrain is NULL. False when out of memory.
bool snw_footfalls_find(const sinew_Clip *clip, sinew_Quat upright, const sinew_Terrain *terrain,
    double level, snw_Footfalls *out_footfalls);
void snw_footfalls_destroy(snw_Footfalls *footfalls);

/// Where a point is planted next, from a frame on; NULL when it is not.
const snw_FootPoint *snw_footfalls_next(const snw_Footfalls *footfalls, int frame, int point);

#endif
