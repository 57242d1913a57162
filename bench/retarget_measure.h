#ifndef BENCH_RETARGET_MEASURE_H
#define BENCH_RETARGET_MEASURE_H

// What a retargeted motion is judged by: contacts found anew on the motion as it is written, at a leg of
// 0.9 m, and how joints move; with own kinematics and own detection, so that no retargeter is its own
// judge. The stance alone is taken over: where heel and ball are in a foot, and where ahead is.

#include "bench/following_measure.h"

#include "sinew/clip.h"
#include "sinew/role.h"
#include "sinew/stance.h"

/// All lengths are for a leg of this, metres.
#define BENCH_LEG 0.9

enum { BENCH_SOLES = 4 }; ///< left heel, left ball, right heel, right ball

/// Parts of a body whose accelerations are compared.
typedef enum bench_Part {
    BENCH_PART_HIPS,
    BENCH_PART_KNEES,
    BENCH_PART_ANKLES,
    BENCH_PART_UPPER, ///< chest, head, elbows, hands
    BENCH_PART_ALL,
    BENCH_PART_COUNT,
} bench_Part;

/// One motion, seen from outside.
typedef struct bench_Motion {
    int frames, first; ///< first: 1 where frame 0 is a pose of its own
    double frame_time;
    sinew_Vec3 *soles[BENCH_SOLES];        ///< left +X, up +Y; scaled              (frames)
    bool *touching[BENCH_SOLES];           //                                       (frames)
    double floor;                          ///< that the lowest of them stands on
    double acceleration[BENCH_PART_COUNT]; ///< p99, m/s^2, of this body's size
    double arm;                            ///< upper and forearm, metres
    double leg;                            ///< metres
    double step;                           ///< largest turn of a joint in a frame, radians
    double *hips;    ///< rotation of hips and chest, own axes, row by row   (frames x 18)
    double collapse; ///< how far the hips fall or rise between the first frames, legs
} bench_Motion;

/// Slides of contacts, millimetres at a leg of 0.9 m.
typedef struct bench_Slides {
    double *values;
    size_t count, capacity;
} bench_Slides;

/// False without memory or legs.
bool bench_motion_open(bench_Motion *motion, const sinew_Clip *clip, const sinew_RoleGuess *roles,
    const sinew_Stance *stance);
void bench_motion_close(bench_Motion *motion);

/// Add the slides of all contacts of the soles. soles: a bit for each. False without memory.
bool bench_motion_slides(const bench_Motion *motion, unsigned soles, bench_Slides *slides);

/// Largest height of heel or ball over or under the floor while both stand still on it in the result and touch
/// in the source, millimetres.
double bench_motion_floor(const bench_Motion *source, const bench_Motion *result, double floor);

/// How far the lowest heel or ball of any frame is below the floor, standing or not, millimetres.
double bench_motion_below(const bench_Motion *motion, double floor);

/// Largest angle by which hips or chest turned otherwise than the source's, radians.
double bench_motion_trunk(const bench_Motion *source, const bench_Motion *result);

#endif
