#ifndef SNW_LEG_PATH_H
#define SNW_LEG_PATH_H

// The way of a tip from one foothold to the next: smooth, and clear of the ground.

#include "walk/walk.h"
#include "walk/walk_view.h"

enum { SNW_PATH_NODES = 25 };

typedef struct snw_LegPath {
    sinew_Vec3 from, to;
    double begin, end; ///< of the level part of the way, in 0..1: up before it, down after it
    double heights[SNW_PATH_NODES]; ///< control points of a uniform cubic spline
    double length;                  ///< about, metres
    double bulge;                   ///< most height over the straight way, metres
} snw_LegPath;

/// Lay the path over the view, with this much room below and beside it, metres.
snw_LegPath snw_leg_path_over(
    snw_View *view, sinew_Vec3 from, sinew_Vec3 to, double room, double margin);

/// The place at 0..1.
sinew_Vec3 snw_leg_path_at(const snw_LegPath *path, double t);

/// Take it along.
void snw_leg_path_move(const sinew_Transform *move, snw_LegPath *path);

#endif
