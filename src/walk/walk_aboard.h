#ifndef SNW_WALK_ABOARD_H
#define SNW_WALK_ABOARD_H

// What carries a body, whatever legs it has: the surface below the foot that landed last. The body is in its
// frame; a foot on another surface drifts past.

#include "walk/walk.h"
#include "walk/walk_view.h"
#include "walk/walker_root.h"

/// A surface below a foot, and how that goes past what carries the body, m/s and rad/s.
typedef struct snw_FootSurface {
    uint32_t id;
    sinew_Vec3 drift;
    double drift_turn;
} snw_FootSurface;

/// A foot that is looked at.
typedef struct snw_AboardFoot {
    sinew_Vec3 place; ///< where it stands, or will
    bool stands;
    double phase; ///< since it landed
    snw_FootSurface *surface;
} snw_AboardFoot;

/// Before a body stands anywhere: at the height that it was put to, else on the highest surface. Looks from here
/// on are over what stands by look_over, metres.
void snw_aboard_begin(const snw_WalkRoot *root, double look_over, snw_View *view, snw_Ride *ride);
/// Look at what is below the feet, dt seconds after the last look, and go along with it. What the body goes faster by
/// on another surface, so that it goes on as it went in the world, m/s.
sinew_Vec3 snw_aboard_go(
    snw_AboardFoot *feet, int count, double look_over, double dt, snw_View *view, snw_Ride *ride);
/// What a foot on a surface that goes past goes along by in h seconds, about its place; false: it does not.
bool snw_aboard_drift(
    const snw_FootSurface *surface, sinew_Vec3 place, double h, sinew_Transform *out_move);
/// From the frame of the ride to the world.
void snw_aboard_target(const snw_Ride *ride, int leg_count, snw_WalkTarget *target);

#endif
