// Hills and rough ground: sums of gradient noise on lattices that repeat with the patch.
//
// Source: Perlin (1985) for noise from random gradients on a lattice, Perlin (2002) for the blend of
// fifth degree. Only sums, products and square roots: the same bits with every compiler.

#include "motion/terrain.h"

#include "math/random.h"

#define ROWS SINEW_TERRAIN_ROWS
#define CELLS (ROWS - 1)

// a random gradient of a lattice point, each component in [-1, 1)
static void find_gradient(uint64_t key, int i, int k, double *out_x, double *out_z)
{
    snw_Random random = snw_random(key ^ ((uint64_t)i * UINT64_C(0x9e3779b97f4a7c15))
        ^ ((uint64_t)k * UINT64_C(0xd1b54a32d192ed03)));
    *out_x = snw_random_range(&random, -1.0, 1.0);
    *out_z = snw_random_range(&random, -1.0, 1.0);
}

static double blend(double t)
{
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

// noise with so many lattice cells along the patch; u, v: parts of the patch, 0..1
static double noise(uint64_t key, int lattice, double u, double v)
{
    const double x = u * lattice, z = v * lattice;
    const int i = (int)x, k = (int)z;
    const double fx = x - i, fz = z - k;
    double corner[2][2];
    for (int b = 0; b < 2; ++b) {
        for (int a = 0; a < 2; ++a) {
            double gx, gz;
            find_gradient(key, (i + a) % lattice, (k + b) % lattice, &gx, &gz);
            corner[b][a] = gx * (fx - a) + gz * (fz - b);
        }
    }
    const double sx = blend(fx), sz = blend(fz);
    const double low = corner[0][0] + sx * (corner[0][1] - corner[0][0]);
    const double high = corner[1][0] + sx * (corner[1][1] - corner[1][0]);
    return low + sz * (high - low);
}

static uint64_t find_key(uint64_t seed, int octave)
{
    snw_Random random = snw_random(seed);
    uint64_t key = snw_random_bits(&random);
    for (int i = 0; i < octave; ++i) { key = snw_random_bits(&random); }
    return key;
}

// the last row and column repeat the first bit for bit
static double noise_at_vertex(uint64_t key, int lattice, int vertex)
{
    const int i = vertex % ROWS, k = vertex / ROWS;
    return noise(key, lattice, (double)(i % CELLS) / CELLS, (double)(k % CELLS) / CELLS);
}

static void add_noise(uint64_t seed, int octave, int lattice, double weight, double *heights)
{
    const uint64_t key = find_key(seed, octave);
    for (int v = 0; v < ROWS * ROWS; ++v) {
        heights[v] += weight * noise_at_vertex(key, lattice, v);
    }
}

// the same, so that the vertices lie within +-bound and one of them reaches it
static void add_noise_within(uint64_t seed, int octave, int lattice, double bound, double *heights)
{
    const uint64_t key = find_key(seed, octave);
    double highest = 0.0;
    for (int v = 0; v < ROWS * ROWS; ++v) {
        const double height = fabs(noise_at_vertex(key, lattice, v));
        if (height > highest) { highest = height; }
    }
    if (highest > 0.0) { add_noise(seed, octave, lattice, bound / highest, heights); }
}

// steepest triangle of a grid with cells of 1 m
static double find_steepest(const double *heights)
{
    double steepest = 0.0;
    for (int k = 0; k < CELLS; ++k) {
        for (int i = 0; i < CELLS; ++i) {
            const double *h = &heights[k * ROWS + i];
            const double low[2] = { h[1] - h[0], h[ROWS + 1] - h[1] };
            const double high[2] = { h[ROWS + 1] - h[ROWS], h[ROWS] - h[0] };
            const double a = low[0] * low[0] + low[1] * low[1];
            const double b = high[0] * high[0] + high[1] * high[1];
            if (a > steepest) { steepest = a; }
            if (b > steepest) { steepest = b; }
        }
    }
    return sqrt(steepest);
}

void snw_terrain_hills(uint64_t seed, double cell, double steepest, double *out_heights)
{
    for (int i = 0; i < ROWS * ROWS; ++i) { out_heights[i] = 0.0; }
    add_noise(seed, 0, 4, 1.0, out_heights);
    add_noise(seed, 1, 9, 0.35, out_heights);
    add_noise(seed, 2, 21, 0.05, out_heights);
    double sine, cosine;
    sinew_sincos(steepest, &sine, &cosine);
    const double found = find_steepest(out_heights);
    const double factor = found > 0.0 ? cell * (sine / cosine) / found : 0.0;
    for (int i = 0; i < ROWS * ROWS; ++i) { out_heights[i] *= factor; }
}

void snw_terrain_rough(uint64_t seed, double bumps, double undulation, double *out_heights)
{
    for (int i = 0; i < ROWS * ROWS; ++i) { out_heights[i] = 0.0; }
    add_noise_within(seed, 0, 6, undulation, out_heights);
    add_noise_within(seed, 1, 48, bumps, out_heights);
}
