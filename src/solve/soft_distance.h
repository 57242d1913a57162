#ifndef SNW_SOFT_DISTANCE_H
#define SNW_SOFT_DISTANCE_H

// How far a goal near full stretch is put. A file of its own, as jobs without a skeleton link nothing else
// of the solver.

/// Where a goal at a distance is put: at most longest, smooth (C1), never falling, and the distance
/// itself up to (1 - share) longest. From (1 + 3 share) longest on it is longest.
double snw_soft_reach_distance(double distance, double longest, double share);

#endif
