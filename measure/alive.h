#ifndef MEASURE_ALIVE_H
#define MEASURE_ALIVE_H

// What lives above the legs of a body that walks, turns, starts, stops or stands, as somebody who watches sees
// it: poses and the clock alone. The same eye looks at walkers and at recorded people, so that they can be laid
// beside each other. Angles are degrees against the stance, lengths millimetres of a body whose legs are 0.9 m.

#include "sinew/role.h"
#include "sinew/stance.h"

/// Angles against the way: yaw to the left, pitch forward, roll left side up. Arms: swing forward, out to their
/// side; elbows bent; forearms and palms in; wrists towards the back of the hand. Of arms [LEFT] and next to
/// it the right one.
typedef enum measure_AliveCurve {
    MEASURE_PELVIS_YAW,
    MEASURE_PELVIS_PITCH,
    MEASURE_PELVIS_ROLL,
    MEASURE_CHEST_YAW,
    MEASURE_CHEST_PITCH,
    MEASURE_CHEST_ROLL,
    MEASURE_HEAD_YAW,
    MEASURE_HEAD_PITCH,
    MEASURE_HEAD_ROLL,
    MEASURE_TWIST, ///< chest yaw less pelvis yaw
    MEASURE_SWING,
    MEASURE_OUT = MEASURE_SWING + 2,
    MEASURE_ELBOW = MEASURE_OUT + 2,
    MEASURE_FOREARM_IN = MEASURE_ELBOW + 2,
    MEASURE_HAND_IN = MEASURE_FOREARM_IN + 2,
    MEASURE_WRIST = MEASURE_HAND_IN + 2,
    MEASURE_HIPS_SWAY = MEASURE_WRIST + 2, ///< to the left
    MEASURE_HIPS_SURGE,
    MEASURE_HIPS_RISE,
    MEASURE_HEAD_SWAY,
    MEASURE_HEAD_SURGE,
    MEASURE_ALIVE_CURVES,
} measure_AliveCurve;

/// "pelvis yaw", "swing, left", ...; static memory.
const char *measure_alive_name(int curve);

enum { MEASURE_ALIVE_POINTS = 50 };

typedef struct measure_Alive measure_Alive;

/// Room for so many frames of frame_time seconds. NULL without memory, or of a body without two legs. skeleton and stance must stay.
measure_Alive *measure_alive_create(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    const sinew_Stance *stance, int frame_capacity, double frame_time);
void measure_alive_destroy(measure_Alive *alive);
/// One frame; false when there is no room.
bool measure_alive_frame(measure_Alive *alive, const double *q);

/// A walk: cycles from one moment at which the left ankle is farthest ahead of the hips to the next.
typedef struct measure_AliveCycle {
    int cycle_count; ///< 0: it does not walk; the rest is 0 then
    double period;   ///< seconds
    double speed;    ///< m/s of a leg of 0.9 m
    double curves[MEASURE_ALIVE_CURVES][MEASURE_ALIVE_POINTS]; ///< mean cycle
    double mean[MEASURE_ALIVE_CURVES];
    double range
        [MEASURE_ALIVE_CURVES]; ///< 98th less 2nd percentile about a mean that moves by a cycle
    double period_variation;    ///< standard deviation by mean, of cycles
    double swing_variation;     ///< the same of how far both arms swing
    double hips_acceleration, head_acceleration; ///< root mean squares, m/s^2
} measure_AliveCycle;

/// Frames of from to to seconds.
measure_AliveCycle measure_alive_cycle(const measure_Alive *alive, double from, double to);

/// Correlation of a curve of two walks, best of shifts up to 2 % of a cycle; 0 where one is flat (below 0.1). Of trunk and head
/// the steps of both sides are taken together, as gait tables do: how a person's left step differs from his right one
/// is his own, and drifts within one recorded cycle as well.
double measure_alive_match(const measure_AliveCycle *a, const measure_AliveCycle *b, int curve);

/// A turn from one heading to another.
typedef struct measure_AliveTurn {
    double angle;      ///< of the pelvis, degrees
    double head_lead;  ///< by which the head has turned half of its way before the pelvis, seconds
    double chest_lead; ///< the same of the chest
    double head_most;  ///< largest angle of head and pelvis
} measure_AliveTurn;

/// ends: seconds at both ends over which a heading is a mean, a cycle of a walk where there is room for one.
measure_AliveTurn measure_alive_turn(
    const measure_Alive *alive, double from, double to, double ends);

/// A first step out of standing at a moment.
typedef struct measure_AliveStart {
    double lift_off;  ///< seconds from then until a foot moves
    double begin;     ///< how long before that the hips have begun to move sideways, seconds
    double share;     ///< where they are then: 0 in the middle, 1 over the standing ankle
    double full_pace; ///< seconds until 90 % of the speed that is walked with two seconds later
} measure_AliveStart;

measure_AliveStart measure_alive_start(const measure_Alive *alive, double from);

/// A stop that is asked for at a moment.
typedef struct measure_AliveStop {
    double last_foot; ///< seconds until no foot moves any more
    double on;        ///< how far the hips travel on then
    double back;      ///< and come back
    double settled;   ///< seconds from then until they are slower than 8 cm/s for good
} measure_AliveStop;

measure_AliveStop measure_alive_stop(const measure_Alive *alive, double from);

/// Standing still.
typedef struct measure_AliveStand {
    double knee;                   ///< mean flexion
    double head_speed;             ///< mean, mm/s
    double sway_aside, sway_ahead; ///< standard deviations of the hips
    double feet;                   ///< how far an ankle is from where it was, at most
} measure_AliveStand;

measure_AliveStand measure_alive_stand(const measure_Alive *alive, double from, double to);

#endif
