#include "sinew/ground.h"

sinew_GroundSample sinew_ground_sample(const sinew_Ground *ground, double x, double z)
{
    if (ground->sample == NULL) { return (sinew_GroundSample){ 0.0, { 0.0, 1.0, 0.0 } }; }
    return ground->sample(ground->user, x, z);
}
