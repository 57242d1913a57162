#include "scenes/random.h"

// Source of splitmix64: Steele, Lea and Flood (2014).
static uint64_t next_seed(uint64_t *state)
{
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

scene_Random scene_random(uint64_t seed)
{
    scene_Random random;
    for (int i = 0; i < 4; ++i) { random.state[i] = next_seed(&seed); }
    return random;
}

static uint64_t rotate_left(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

uint64_t scene_random_bits(scene_Random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double scene_random_unit(scene_Random *random)
{
    // the upper 53 bits fill a double exactly
    return (double)(scene_random_bits(random) >> 11) * (1.0 / 9007199254740992.0);
}

double scene_random_range(scene_Random *random, double lower, double upper)
{
    return lower + (upper - lower) * scene_random_unit(random);
}

int scene_random_index(scene_Random *random, int count)
{
    return (int)((double)count * scene_random_unit(random));
}

sinew_Vec3 scene_random_direction(scene_Random *random)
{
    // the height of a uniform point on the sphere is uniform (Archimedes)
    double z = scene_random_range(random, -1.0, 1.0);
    double s, c;
    sinew_sincos(scene_random_range(random, -SINEW_PI, SINEW_PI), &s, &c);
    double r = sqrt(1.0 - z * z);
    return sinew_vec3(r * c, r * s, z);
}

sinew_Quat scene_random_rotation(scene_Random *random)
{
    double u = scene_random_unit(random);
    double s1, c1, s2, c2;
    sinew_sincos(scene_random_range(random, -SINEW_PI, SINEW_PI), &s1, &c1);
    sinew_sincos(scene_random_range(random, -SINEW_PI, SINEW_PI), &s2, &c2);
    double a = sqrt(1.0 - u), b = sqrt(u);
    sinew_Quat r = { a * s1, a * c1, b * s2, b * c2 };
    return sinew_quat_normalize(r);
}

double scene_halton(int index, int base)
{
    double result = 0.0, share = 1.0 / base;
    for (int i = index; i > 0; i /= base) {
        result += share * (i % base);
        share /= base;
    }
    return result;
}

sinew_Steering scene_random_steering(uint64_t seed)
{
    scene_Random random = scene_random(seed);
    sinew_Stick stick = { 0.0, 0.0, false };
    stick.x = scene_random_range(&random, -1.0, 1.0);
    stick.y = scene_random_range(&random, -0.6, 1.2);
    stick.strafe = scene_random_index(&random, 4) == 0;
    if (scene_random_index(&random, 8) == 0) { stick.x = stick.y = 0.0; }
    return sinew_steering_from_stick(NULL, &stick);
}
