#ifndef BENCH_FOLLOWING_MEASURE_H
#define BENCH_FOLLOWING_MEASURE_H

// What a followed motion is judged by: own forward kinematics from the public data of a skeleton,
// turns of whole joints, and figures of many frames. Nothing of the library's kinematics or
// measures is used, so that no solver is its own judge.

#include "sinew/goal.h"

/// A body in a pose: rotations as matrices, row by row.
typedef struct bench_Figure {
    const sinew_Skeleton *skeleton;
    int joint_count;
    double (*local)[9]; ///< parent_from_joint without the offset       (joint_count)
    double (*world)[9]; ///< world_from_joint                           (joint_count)
    sinew_Vec3 *place;  ///< of the joints in the world, metres         (joint_count)
} bench_Figure;

/// False without memory.
bool bench_figure_open(bench_Figure *figure, const sinew_Skeleton *skeleton);
void bench_figure_close(bench_Figure *figure);

/// Take a pose. O(joints).
void bench_figure_pose(bench_Figure *figure, const double *q);
/// Take over the pose of another figure of the same skeleton.
void bench_figure_copy(bench_Figure *figure, const bench_Figure *from);

/// Turn of one joint against its parent from one pose to the next, as a rotation vector, radians.
sinew_Vec3 bench_figure_turn(const bench_Figure *from, const bench_Figure *to, int joint);
/// The longest of them over all joints.
double bench_figure_step(const bench_Figure *from, const bench_Figure *to);

/// Where a joint hangs before its own axes move it.
sinew_Vec3 bench_figure_socket(const bench_Figure *figure, int joint);

/// How far joints above the chains of goals are from where they rest, metres, at most; chains that
/// begin at the root have none.
double bench_figure_moved_above(
    const bench_Figure *figure, const bench_Figure *rest, const sinew_Goal *goals, int goal_count);

/// Where a goal's point is in the figure's pose.
sinew_Vec3 bench_figure_effector(const bench_Figure *figure, const sinew_Goal *goal);

/// Mean and largest distance of the effectors of position and pose goals to their places, metres;
/// other kinds are left out. Either may be NULL.
void bench_figure_errors(const bench_Figure *figure, const sinew_Goal *goals, int goal_count,
    double *out_mean, double *out_largest);

/// The value that a share of 0..1 of the values does not pass; sorts them. NAN of none.
double bench_quantile(double *values, size_t count, double share);

/// Of three values the middle one; of fewer the mean. Timings of runs that are alike.
double bench_middle(const double *values, int count);

#endif
