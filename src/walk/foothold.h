#ifndef SNW_FOOTHOLD_H
#define SNW_FOOTHOLD_H

// Where a foot can stand: fitting it to the ground, and the search for a good place near a wanted one.

#include "walk/foot_roll.h"

/// Stand the foot at (x, z), heading as given, on top of the ground: pitched and rolled with it, toes
/// bent up where they would sink in, level on the higher side of an edge, and no part of the sole below
/// the ground.
snw_Foothold snw_foothold_fit(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, double x, double z, double heading);

/// What a search should know.
typedef struct snw_FootholdWish {
    double x, z;             ///< wanted place of the point below the ankle
    double heading;          ///< of the foot
    double along_x, along_z; ///< unit direction in which the place may be shifted
    double from_height;      ///< of the other foot's ground
    sinew_Vec3 hip; ///< where the hip joint will be at landing; y over the ground between both feet
    double reach;   ///< from hip to ankle
    double lowest, highest; ///< of the shift
    double least_left,
        most_left;      ///< how far the place may go aside for steps, to the left of the way
    double other_along; ///< of the other foot, from the wanted place
    double stay;        ///< shift of the plan before this one
    double stay_cost;   ///< of a metre away from that
} snw_FootholdWish;

/// What a search found.
typedef struct snw_FootholdChoice {
    double shift; ///< how far the place was moved along
    double tread; ///< on stairs: how far it is beyond the other foot; else 0
} snw_FootholdChoice;

/// The place with the least cost.
snw_Foothold snw_foothold_search(const snw_WalkLegBody *leg, snw_WalkGround *ground,
    const snw_FootholdWish *wish, snw_FootholdChoice *out_choice);

#endif
