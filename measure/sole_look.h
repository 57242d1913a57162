#ifndef MEASURE_SOLE_LOOK_H
#define MEASURE_SOLE_LOOK_H

// The underside of a foot as meters look at it: samples all over it, and how deep they are in the ground.

#include "sinew/walker.h"

enum {
    MEASURE_SOLE_ROWS = 3,    ///< heel, ball, tip of the toes
    MEASURE_SOLE_COLUMNS = 3, ///< one edge, middle, other edge
    MEASURE_SOLE_ALONG = 13,
    MEASURE_SOLE_ACROSS = 5,
    MEASURE_SOLE_SAMPLES = MEASURE_SOLE_ALONG * MEASURE_SOLE_ACROSS,
};

/// Three rows of three points; a foot without edges has its middle thrice. NULL where there is no such row.
typedef struct measure_Sole {
    const sinew_SolePoint *rows[MEASURE_SOLE_ROWS][MEASURE_SOLE_COLUMNS];
} measure_Sole;

/// Sort points into rows. rest: world transforms of a pose in which all soles point along +Z; the first
/// column is the side of larger x then. What told points to must stay.
measure_Sole measure_sole_sort(const sinew_Sole *told, const sinew_Transform *rest);

/// Where a point of a sole is.
sinew_Vec3 measure_sole_point(const sinew_Transform *transforms, const sinew_SolePoint *point);

/// Samples of a sole in the world, evenly from heel to tip and side to side; returns how many.
int measure_sole_sample(const measure_Sole *sole, const sinew_Transform *transforms,
    sinew_Vec3 out_points[MEASURE_SOLE_SAMPLES]);

/// Height of the ground; of NULL 0.
double measure_ground_height(const sinew_Ground *ground, double x, double z);

/// Eight ways on the level, unit length.
extern const double measure_directions[8][2];

/// Distance of a point in the ground from free air: straight up, or level where that is nearer, as for
/// a toe in a riser. depth is the way up, metres.
double measure_depth(const sinew_Ground *ground, sinew_Vec3 point, double depth);

#endif
