#ifndef SNW_RANDOM_H
#define SNW_RANDOM_H

// Seeded random numbers, the same everywhere: SplitMix64; Steele, Lea and Flood (2014).

#include "sinew/vecmath.h"

typedef struct snw_Random {
    uint64_t state;
} snw_Random;

static inline snw_Random snw_random(uint64_t seed)
{
    snw_Random r = { seed };
    return r;
}

static inline uint64_t snw_random_bits(snw_Random *random)
{
    random->state += 0x9e3779b97f4a7c15ULL;
    uint64_t z = random->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// In [0, 1).
static inline double snw_random_unit(snw_Random *random)
{
    return (double)(snw_random_bits(random) >> 11) * (1.0 / 9007199254740992.0);
}

/// In [lower, upper).
static inline double snw_random_range(snw_Random *random, double lower, double upper)
{
    return lower + (upper - lower) * snw_random_unit(random);
}

#endif
