#ifndef SNW_WALKER_POSE_H
#define SNW_WALKER_POSE_H

// From what a style wants (snw_WalkTarget) to coordinates: root, trunk, arms and head are turned, legs
// are solved.

#include "walk/walk_poser.h"

/// Pose the body. Fills the parts of target->feet[].told that speak of goals.
sinew_Status snw_walk_pose(snw_WalkPoser *poser, const snw_WalkSetup *setup, snw_WalkTarget *target,
    sinew_Message *out_message);

/// walk_tips.c: measure what the legs of a body on tips reach, and how high it rides. q is scratch.
sinew_Status snw_tips_measure(snw_WalkPoser *poser, snw_WalkBody *body, sinew_Message *message);
/// Solve the leg of a tip from its last pose on, joints to spare as folded as the leg is.
sinew_Status snw_tip_solve(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    snw_WalkFootTarget *foot, sinew_Message *message);

#endif
