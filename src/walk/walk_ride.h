#ifndef SNW_WALK_RIDE_H
#define SNW_WALK_RIDE_H

// What carries the body: a frame that goes and turns with the surface below the foot that landed last. All else
// is in that frame, so a raft is walked as still ground is, and stairs on it as stairs.

#include "sinew/drive.h"
#include "sinew/vecmath.h"

typedef struct snw_Ride {
    bool is_off;      ///< the frame is not that of the world any more
    bool has_surface; ///< false: what carries it is looked at anew
    uint32_t surface; ///< that carries it
    bool has_height;  ///< it was put somewhere before it stood: at that height, metres
    double put_height;
    sinew_Vec3 position;  ///< of its origin, world
    double heading, s, c; ///< how it is turned, and sine and cosine of that
    // its last step, per second: that of a place of the world, and how it turned about it
    sinew_Vec3 below, velocity;
    double turn, sine, versine; ///< rad/s; sine and 1 - cosine of the angle, per second
} snw_Ride;

sinew_Vec3 snw_ride_to_world(const snw_Ride *ride, sinew_Vec3 place);
sinew_Vec3 snw_ride_from_world(const snw_Ride *ride, sinew_Vec3 place);
/// A direction of the world, seen on board.
sinew_Vec3 snw_ride_turn_in(const snw_Ride *ride, sinew_Vec3 way);
/// How a place of the world that goes along has come there, m/s.
sinew_Vec3 snw_ride_speed_at(const snw_Ride *ride, double x, double z);
/// Be somewhere, turned so.
void snw_ride_set(snw_Ride *ride, sinew_Vec3 position, double heading);
/// Go on by dt seconds with what has come to a place of the world with a velocity, and has turned.
void snw_ride_step(snw_Ride *ride, sinew_Vec3 place, sinew_Vec3 velocity, double turn, double dt);

/// Of what is wanted in the world, as seen on board.
sinew_Drive snw_ride_drive(const snw_Ride *ride, sinew_Drive drive);
void snw_ride_events(const snw_Ride *ride, sinew_WalkEvent *events, int count);

#endif
