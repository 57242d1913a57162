#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

/// \file
/// Everything: real-time inverse kinematics of articulated characters.

#include "answers.h"
#include "base.h"
#include "clean.h"
#include "clip.h"
#include "contact.h"
#include "diagnosis.h"
#include "file.h"
#include "gltf.h"
#include "goal.h"
#include "ground.h"
#include "grounder.h"
#include "individual.h"
#include "jacobian.h"
#include "job.h"
#include "keys.h"
#include "keys_file.h"
#include "limit.h"
#include "pose.h"
#include "retarget.h"
#include "rig.h"
#include "rig_starts.h"
#include "role.h"
#include "skeleton.h"
#include "solver.h"
#include "space.h"
#include "stance.h"
#include "start.h"
#include "steering.h"
#include "steering_file.h"
#include "switch.h"
#include "swivel.h"
#include "terrain.h"
#include "terrain_file.h"
#include "track.h"
#include "vecmath.h"
#include "walker.h"

#endif
