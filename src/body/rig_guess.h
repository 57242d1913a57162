#ifndef SNW_RIG_GUESS_H
#define SNW_RIG_GUESS_H

// What the files share that guess a rig.

#include "body/rig.h"
#include "body/stance.h"

/// Hold the slides of a joint that does not carry the body to what the motion shows of them, after all
/// other ranges were set (rig_slides.c). Without a motion they stay at rest.
void snw_rig_hold_slides(
    const snw_StanceBody *body, const sinew_RigOptions *options, int joint, sinew_RigJoint *out);

/// Masses of the segments, and the points that goals are set for (rig_mass.c).
sinew_Status snw_rig_guess_masses(
    const snw_StanceBody *body, const sinew_RigOptions *options, sinew_Rig *rig);
sinew_Status snw_rig_guess_effectors(const snw_StanceBody *body, sinew_Rig *rig);

#endif
