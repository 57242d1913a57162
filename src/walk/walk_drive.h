#ifndef SNW_WALK_DRIVE_H
#define SNW_WALK_DRIVE_H

// What a game says to the walker (sinew/drive.h), and what the walker makes of it.

#include "base/message.h"
#include "sinew/drive.h"
#include "walk/walker_root.h"

/// Steering below this is none, m/s and rad/s: hands on sticks are never quite still.
#define SNW_SLOWEST 0.04
#define SNW_SLOWEST_TURN 0.08

/// What is wrong with a place of the root, a drive, a response or limits: INVALID_ARGUMENT with a message.
sinew_Status snw_place_check(sinew_Vec3 root, double heading, sinew_Message *message);
sinew_Status snw_drive_check(const sinew_Drive *drive, sinew_Message *message);
sinew_Status snw_response_check(const sinew_WalkResponse *response, sinew_Message *message);
sinew_Status snw_limits_check(const sinew_WalkLimits *limits, sinew_Message *message);

/// The least turn from one heading to another, -pi..pi.
double snw_least_turn(double from, double to);

/// In the body's axes as it stands now; SINEW_DRIVE_ROOT: how the root moves.
sinew_Steering snw_drive_steering(const sinew_Drive *drive, const snw_WalkRoot *root);

/// How the root answers in a tick of h seconds: as it is asked to, led or pushed no slower than a game's.
void snw_drive_answer(
    const sinew_WalkResponse *response, const sinew_Drive *drive, double h, snw_WalkRoot *root);

/// Add a velocity of the world; the whole is no faster than most, m/s.
void snw_root_push(double x, double z, double most, snw_WalkRoot *root);

/// Put the root where the caller says, h seconds later; its speeds follow.
void snw_root_lead(const sinew_Drive *drive, double h, snw_WalkRoot *root);

/// Without what is too little to walk for.
sinew_Steering snw_drive_drop_small(sinew_Steering steering);

#endif
