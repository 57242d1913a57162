#ifndef SNW_LEG_REACH_H
#define SNW_LEG_REACH_H

// How far the tip of a leg gets from where it stands below the body, whatever joints and limits the
// leg has, and how fast its joints turn on the way: measured once with the solver, asked for many times while
// walking.

#include "sinew/solver.h"

enum {
    SNW_REACH_ROWS = 11,      // heights of the tip against the foothold
    SNW_REACH_DIRECTIONS = 20 // of the level way, the first along +Z, then towards +X
};

/// A place counts as reached within this, lengths of the leg.
#define SNW_REACH_MET 2e-3

/// Where the tip can go, in the body's frame from the foothold, metres.
typedef struct snw_LegReach {
    double bottom, spacing; ///< heights of the rows
    double length;          ///< of the leg
    double top;             ///< the highest that the tip gets with some room to each side
    double low;             ///< the lowest where it can stand, with some room to each side
    /// Middle of each row, level: where a tip lifted so high goes by itself. Legs that sprawl bend
    /// outwards when they lift.
    double middle_x[SNW_REACH_ROWS], middle_z[SNW_REACH_ROWS];
    /// Level distance from the middle to the border. 0: not even the middle.
    double radius[SNW_REACH_ROWS][SNW_REACH_DIRECTIONS];
} snw_LegReach;

/// A leg to measure.
typedef struct snw_LegProbe {
    sinew_Solver *solver;
    const sinew_SolveOptions *options;
    int chain_root, tip;
    double length;
    sinew_Vec3 outward; ///< from the body to the foothold, level, of any length, body's frame
    sinew_Vec3
        mate; ///< where the leg beside it stands, from the foothold, body's frame; 0: none does
    sinew_Vec3 foothold; ///< world of the rest pose
    sinew_Vec3 first,
        axis; ///< place of its first joint and what that turns about, unit, same world; 0: a ball
    sinew_Quat world_from_body;
    const sinew_Skeleton *skeleton;
    double *q;          ///< scratch
    const double *rest; ///< the rest pose
} snw_LegProbe;

sinew_Status snw_leg_reach_measure(
    const snw_LegProbe *probe, snw_LegReach *out_reach, sinew_Message *message);

/// How much of the reach a place takes, body's frame, from the foothold: 0 in the middle, 1 at the end
/// of the reach, more beyond.
double snw_leg_reach_share(const snw_LegReach *reach, sinew_Vec3 from_foothold);

/// By how much the level way from the middle must shrink so that a place takes this share alone; 0..1.
double snw_leg_reach_scale(const snw_LegReach *reach, sinew_Vec3 from_foothold, double share);

/// How far the tip can go from the middle in the level direction of a way, at the height of its y.
double snw_leg_reach_radius(const snw_LegReach *reach, sinew_Vec3 way);

/// The middle at a height.
sinew_Vec3 snw_leg_reach_middle(const snw_LegReach *reach, double height);

// ---------------------------------------------------------------------------------------------
// How fast the joints of a leg turn when its tip moves, measured once along one line from the leg's first joint

enum { SNW_BEND_ROWS = 15 };

/// Per metre that the tip goes away from the first joint, straight on. The first two freedoms of a leg turn
/// it, the others bend it.
typedef struct snw_LegBend {
    sinew_Vec3 line;                  ///< from the first joint to the tip, body's frame, unit
    double nearest, spacing;          ///< distances of the rows, metres
    sinew_Vec3 turned[SNW_BEND_ROWS]; ///< of the part below the first two freedoms, body's frame
    double bent[SNW_BEND_ROWS];       ///< the fastest of the other joints
} snw_LegBend;

/// Radians by which the fastest joint turns while the tip goes a short way, both from the first joint, in
/// the body's frame.
double snw_leg_bend_turn(const snw_LegBend *bend, sinew_Vec3 tip, sinew_Vec3 way);

#endif
