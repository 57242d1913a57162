#ifndef SNW_WALK_ABOARD_H
#define SNW_WALK_ABOARD_H

// What carries a body, whatever legs it has: the surface below the foot that landed last. The body is in its
// frame; a foot on another surface drifts past.

#include "walk/gait.h"
#include "walk/walk.h"
#include "walk/walk_view.h"
#include "walk/walker_root.h"

/// A surface below a foot, and how that goes past what carries the body, m/s and rad/s.
typedef struct snw_FootSurface {
    uint32_t id;
    sinew_Vec3 drift;
    double drift_turn;
    double over; ///< how high it is over the foot, metres
} snw_FootSurface;

/// A foot that is looked at.
typedef struct snw_AboardFoot {
    sinew_Vec3 place; ///< where it stands, or will
    bool stands;
    double phase; ///< since it landed
    snw_FootSurface *surface;
} snw_AboardFoot;

/// What is carried: the state of a body.
typedef struct snw_Aboard {
    const snw_WalkBody *body;
    snw_WalkRoot *root;
    snw_Follower *height;
    snw_Ride *ride;
} snw_Aboard;

/// Look at what is below each foot of a body, dt seconds after the last look, and go along with it: on another surface
/// it goes on as it went in the world. Before it has started, on what it was put to, else on the highest surface.
void snw_aboard_go(
    const snw_Aboard *aboard, snw_AboardFoot *feet, bool has_started, double dt, snw_View *view);
/// What a foot on a surface that goes past goes along by in h seconds, about its place; false: it does not.
bool snw_aboard_drift(
    const snw_FootSurface *surface, sinew_Vec3 place, double h, sinew_Transform *out_move);
/// From the frame of the ride to the world.
void snw_aboard_target(const snw_Ride *ride, int leg_count, snw_WalkTarget *target);

#endif
