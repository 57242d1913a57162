// The ground as the walker asks it: counted, and never a number that is none.

#include "walk/walk.h"

#include "motion/terrain.h"

double snw_walk_height(snw_WalkGround *ground, double x, double z)
{
    double height;
    if (ground->ground == NULL || !snw_terrain_height(ground->ground, x, z, &height)) {
        return snw_walk_sample(ground, x, z).height;
    }
    ++ground->query_count;
    if (!(fabs(height) < 1e6)) {
        ground->is_bad = true;
        return 0.0;
    }
    return height;
}

sinew_GroundSample snw_walk_sample(snw_WalkGround *ground, double x, double z)
{
    sinew_GroundSample level = { 0.0, { 0.0, 1.0, 0.0 } };
    ++ground->query_count;
    if (ground->ground == NULL) { return level; }
    sinew_GroundSample sample = sinew_ground_sample(ground->ground, x, z);
    bool ok = isfinite(sample.height) && fabs(sample.height) < 1e6
        && sinew_vec3_is_finite(sample.normal);
    if (!ok) {
        ground->is_bad = true;
        return level;
    }
    return sample;
}
