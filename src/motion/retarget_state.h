#ifndef SNW_RETARGET_STATE_H
#define SNW_RETARGET_STATE_H

// A retargeter's own memory, and what it keeps of samples that arrive one by one until their poses are due.

#include "motion/retarget_limits.h"

/// One sample as carried over.
typedef struct snw_LiveSample {
    snw_CarriedFoot feet[SNW_SIDES];
    sinew_Vec3 hips[SNW_SIDES];
    bool heel[SNW_SIDES], ball[SNW_SIDES]; ///< touch
} snw_LiveSample;

/// A shift on its way from one value to another.
typedef struct snw_ShiftPlan {
    double from[SNW_SHIFT_NUMBERS], from_speed[SNW_SHIFT_NUMBERS];
    double to[SNW_SHIFT_NUMBERS], to_speed[SNW_SHIFT_NUMBERS];
    long start;      ///< sample that it starts from
    double duration; ///< seconds
} snw_ShiftPlan;

/// A foot from pose to pose.
typedef struct snw_LiveFoot {
    bool stands, lands; ///< in its print; on the way to one
    snw_Footprint print;
    long landing;        ///< sample at which it stands, when it lands
    long flat, roll;     ///< the last sample that it lay flat in this stand, -1
    double roll_from[2]; ///< pitch and yaw as carried when it left the floor's plane
    double roll_speed[2];
    double toes; ///< how far they lie on the floor, or will as it lands, 0..1
    snw_ShiftPlan plan;
    double rest[SNW_SHIFT_NUMBERS]; ///< what it was off its print when it came down unforeseen
    long down;                      ///< the sample of that
    double value[SNW_SHIFT_NUMBERS], speed[SNW_SHIFT_NUMBERS]; ///< of the last pose
    snw_LegTurns turns;
} snw_LiveFoot;

typedef struct snw_RetargetLive {
    int delay;       ///< samples of the look-ahead
    int reach, back; ///< samples that speeds are seen over, ahead and back
    int slots;       ///< lowered hips are a mean over as many poses
    int capacity;    ///< samples kept
    long count;      ///< samples so far
    double floor;    ///< of the source along its up, metres
    bool has_floor;
    snw_LiveSample *samples; //                               (capacity)
    double *poses;           // of the source                 (capacity x coordinates)
    double *need;            // largest, of the last poses    (slots)
    double released;         // largest need, that falls slowly
    double *last;            // the pose before               (coordinates of the target)
    snw_LiveFoot feet[SNW_SIDES];
} snw_RetargetLive;

struct sinew_Retargeter {
    sinew_RetargeterDef def; ///< its pairs and marks are not kept
    snw_RetargetCarry carry;
    sinew_Individual individual;
    sinew_IndividualEffects effects;
    snw_RetargetLimits limits;
    snw_RetargetLive live;
    sinew_ContactPoint points[6]; ///< of the source
    int point_count;
    sinew_Allocator allocator;
    size_t size;
};

#endif
