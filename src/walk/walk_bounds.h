#ifndef SNW_WALK_BOUNDS_H
#define SNW_WALK_BOUNDS_H

// Where a body cannot go, whatever legs it has: walls, drops and slopes that are too steep for it.

#include "walk/walk.h"
#include "walk/walk_view.h"
#include "walk/walker_root.h"

/// What cannot be walked around the root: the nearest of it in each direction.
enum { SNW_BOUND_SECTORS = 16 };
/// One look around takes so many ticks, so that no update asks for much at once.
enum { SNW_BOUND_PARTS = 6 };
typedef struct snw_NearBounds {
    bool is_known[SNW_BOUND_SECTORS];
    double x[SNW_BOUND_SECTORS], z[SNW_BOUND_SECTORS], far[SNW_BOUND_SECTORS];
} snw_NearBounds;

typedef struct snw_Bounds {
    snw_NearBounds known, next; ///< of the last look, and of the one under way
    int32_t i, k;               ///< where that one began, cells
    double reach;               ///< and how far it looks, metres
    double free_way;            ///< metres that can be walked; infinity
    bool is_blocked;            ///< what is wanted leads to what cannot be walked
} snw_Bounds;

/// Nothing is known of what is around: another level.
void snw_bounds_forget(snw_Bounds *bounds);
/// Look around the root, one of SNW_BOUND_PARTS parts of it.
void snw_bounds_look(const snw_Girth *girth, const sinew_WalkLimits *limits,
    const snw_WalkRoot *root, const sinew_Steering *steering, int part, snw_View *view,
    snw_Bounds *bounds);
/// Keep the nearest place in each direction: (dx, dz) from the root.
void snw_bounds_note(double x, double z, double dx, double dz, snw_NearBounds *bounds);
/// Hold what is wanted within them; asked: before anything was cropped. A led root goes where its caller wants.
void snw_bounds_hold(const snw_Girth *girth, const snw_WalkRoot *root, const sinew_Steering *asked,
    sinew_Steering *wanted, snw_Bounds *bounds);
/// Brake a root that is too fast for them.
void snw_bounds_brake(
    const snw_Girth *girth, const snw_Bounds *bounds, double h, snw_WalkRoot *root);
/// Metres along a unit way in the world that are seen before them.
double snw_bounds_way(const snw_Bounds *bounds, const snw_WalkRoot *root, double x, double z);
/// Draw the foothold of a foot with a sole back from them.
void snw_bounds_keep_foot(const snw_WalkLegBody *leg, const snw_Girth *girth,
    const snw_Bounds *bounds, const snw_WalkRoot *root, double heading, double *x, double *z);

#endif
