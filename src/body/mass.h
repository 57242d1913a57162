#ifndef SNW_MASS_H
#define SNW_MASS_H

// Where the mass of a body is.

#include "sinew/skeleton.h"

/// Length of the bone that ends at a joint, metres, when its slides are at rest; 0 for a joint that
/// hangs in the world. What a bone weighs where no masses are given: a slide that stretches it moves
/// its middle and leaves its mass.
double snw_bone_length(const sinew_Skeleton *skeleton, int joint);

/// A mass that goes with a joint.
typedef struct snw_PointMass {
    double mass;       // as a share of the whole body's
    sinew_Vec3 center; // in the joint's frame
} snw_PointMass;

/// The masses of all joints, joint_count of them; their centre is sinew_pose_center_of_mass. A bone
/// counts as two halves, at its ends.
void snw_body_masses(const sinew_Skeleton *skeleton, snw_PointMass *out_masses);

#endif
