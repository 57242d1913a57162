// The ground as layers of the walker ask for it.

#include "motion/walk.h"

sinew_GroundSample snw_walk_sample(snw_WalkGround *ground, double x, double z)
{
    sinew_GroundSample level = { 0.0, { 0.0, 1.0, 0.0 } };
    ground->query_count += 1;
    if (ground->ground == NULL) { return level; }
    sinew_GroundSample sample = sinew_ground_sample(ground->ground, x, z);
    if (isfinite(sample.height) && sinew_vec3_is_finite(sample.normal)) { return sample; }
    ground->is_bad = true;
    return level;
}

double snw_walk_height(snw_WalkGround *ground, double x, double z)
{
    return snw_walk_sample(ground, x, z).height;
}
