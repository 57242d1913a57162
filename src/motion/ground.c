#include "sinew/ground.h"

#include "math/holds.h"

// bounds of the work of one call
#define MOST_ALONG 1000
#define MOST_ACROSS 64
#define DEFAULT_SPACING 0.02

sinew_GroundSample sinew_ground_sample(const sinew_Ground *ground, double x, double z)
{
    if (ground == NULL || ground->sample == NULL) {
        return (sinew_GroundSample){ 0.0, { 0.0, 1.0, 0.0 } };
    }
    return ground->sample(ground->user, x, z);
}

static void ask_ground(
    void *user, double start, const sinew_GroundPlace *places, int count, sinew_GroundHit *out_hits)
{
    SNW_ASSERT(count >= 0);
    (void)start;
    for (int i = 0; i < count; ++i) {
        sinew_GroundSample sample = sinew_ground_sample(user, places[i].x, places[i].z);
        out_hits[i].height = sample.height;
        out_hits[i].normal = sample.normal;
    }
}

sinew_GroundQuery sinew_ground_query(const sinew_Ground *ground)
{
    sinew_GroundQuery query = { ask_ground, (void *)(uintptr_t)ground };
    return query;
}

// parts of a length that are at most spacing long
static int count_parts(double length, double spacing, int most)
{
    const double parts = ceil(length / spacing);
    return parts >= most ? most : parts >= 1.0 ? (int)parts : 0;
}

sinew_GroundPeak sinew_ground_highest(const sinew_Ground *ground, double from_x, double from_z,
    double to_x, double to_z, double half_width, double spacing)
{
    if (!(half_width > 0.0) || !isfinite(half_width)) { half_width = 0.0; }
    if (!(spacing > 0.0)) { spacing = DEFAULT_SPACING; }
    const double way_x = to_x - from_x, way_z = to_z - from_z;
    const double length = sqrt(way_x * way_x + way_z * way_z);
    const int along = count_parts(length, spacing, MOST_ALONG);
    const int across = count_parts(2.0 * half_width, spacing, MOST_ACROSS);

    // a step to the side; a way without length has no sides: along x
    const double side_x = length > 0.0 ? way_z / length : 1.0;
    const double side_z = length > 0.0 ? -way_x / length : 0.0;
    sinew_GroundPeak peak = { 0.0, 0.0 };
    for (int i = 0; i <= along; ++i) {
        const double t = along > 0 ? (double)i / along : 0.0;
        for (int k = 0; k <= across; ++k) {
            const double aside = across > 0 ? half_width * (2.0 * k / across - 1.0) : 0.0;
            const double x = from_x + t * way_x + aside * side_x;
            const double z = from_z + t * way_z + aside * side_z;
            const double height = sinew_ground_sample(ground, x, z).height;
            if ((i == 0 && k == 0) || height > peak.height) {
                peak.height = height;
                peak.fraction = t;
            }
        }
    }
    return peak;
}
