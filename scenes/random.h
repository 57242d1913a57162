#ifndef SCENES_RANDOM_H
#define SCENES_RANDOM_H

/// \file
/// Small random numbers that are the same on every platform.

#include "sinew/steering.h"
#include "sinew/vecmath.h"

#ifdef __cplusplus
extern "C" {
#endif

/// State of xoshiro256**. Source: Blackman and Vigna (2018).
typedef struct scene_Random {
    uint64_t state[4];
} scene_Random;

/// A generator for a seed; any seed will do, 0 too. Seeds are spread by splitmix64.
scene_Random scene_random(uint64_t seed);

uint64_t scene_random_bits(scene_Random *random);

/// Uniform in [0, 1).
double scene_random_unit(scene_Random *random);

/// Uniform in [lower, upper].
double scene_random_range(scene_Random *random, double lower, double upper);

/// Uniform in 0..count-1; count >= 1.
int scene_random_index(scene_Random *random, int count);

/// Uniform on the unit sphere.
sinew_Vec3 scene_random_direction(scene_Random *random);

/// Uniform over all rotations. Source: Shoemake (1992).
sinew_Quat scene_random_rotation(scene_Random *random);

/// Member index (from 1) of the Halton sequence of a base >= 2, in (0, 1): even coverage without
/// chance.
double scene_halton(int index, int base);

/// Where a random stick is held, as steering; one of eight lets go, one of four moves sideways.
sinew_Steering scene_random_steering(uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif
