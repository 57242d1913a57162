// Stairs and ramps: a profile along Z that climbs to a level top and down again, without end.

#include "motion/terrain.h"

// |z| within half a period of the nearest low landing's middle, and the sign of d|z|/dz
static double fold(const snw_Profile *profile, double z, double *out_sign)
{
    double way = fabs(z);
    if (way >= profile->period) { way = fmod(way, profile->period); }
    double sign = z < 0.0 ? -1.0 : 1.0;
    if (way > 0.5 * profile->period) {
        way = profile->period - way;
        sign = -sign;
    }
    *out_sign = sign;
    return way;
}

// z of the edge of a step from 0 on, upward flight of the first period
static double edge_at(const snw_Profile *profile, int step)
{
    return profile->half_landing + step * profile->tread;
}

// edges passed on the way
static int count_steps(const snw_Profile *profile, double way)
{
    double into = way - profile->half_landing;
    if (into < -profile->tread) { return 0; }
    if (into > profile->run + profile->tread) { return profile->flight_steps; }
    // the product may be off by one at an edge, so edges are compared as they were made
    int steps = (int)(into * profile->per_tread) + 1;
    if (steps > profile->flight_steps) { steps = profile->flight_steps; }
    if (steps < profile->flight_steps && way >= edge_at(profile, steps)) { ++steps; }
    if (way < edge_at(profile, steps - 1)) { --steps; }
    return steps;
}

double snw_profile_height(const snw_Profile *profile, double z, double *out_slope)
{
    double sign;
    const double way = fold(profile, z, &sign);
    double slope = 0.0, height = 0.0;
    if (profile->rise > 0.0) {
        height = count_steps(profile, way) * profile->rise;
    } else if (way >= profile->half_landing + profile->run) {
        height = profile->run * profile->tangent;
    } else if (way > profile->half_landing) {
        height = (way - profile->half_landing) * profile->tangent;
        slope = sign * profile->tangent;
    }
    *out_slope = slope;
    return height;
}

// adds a row, kept in order; rows with one z stay in the order they came
static void insert_row(double *z, double *height, int *count, double new_z, double new_height)
{
    int at = (*count)++;
    for (; at > 0 && z[at - 1] > new_z; --at) {
        z[at] = z[at - 1];
        height[at] = height[at - 1];
    }
    z[at] = new_z;
    height[at] = new_height;
}

// one flight or ramp from the landing around base, toward +Z (side 1) or -Z
static void insert_climb(
    const snw_Profile *profile, double base, int side, double *z, double *height, int *count)
{
    if (profile->rise > 0.0) {
        for (int step = 0; step < profile->flight_steps; ++step) {
            const double place = base + side * edge_at(profile, step);
            // along +Z: the lower row first when it goes up
            const int first = side > 0 ? step : step + 1, second = side > 0 ? step + 1 : step;
            insert_row(z, height, count, place, first * profile->rise);
            insert_row(z, height, count, place, second * profile->rise);
        }
        return;
    }
    const double foot = profile->half_landing, top = foot + profile->run;
    insert_row(z, height, count, base + side * foot, 0.0);
    insert_row(z, height, count, base + side * top, profile->run * profile->tangent);
}

void snw_profile_rows(const snw_Profile *profile, double *out_z, double *out_height)
{
    // a whole number of periods from the middle of a landing on, the origin in the first
    const int rows_each = profile->rise > 0.0 ? 4 * profile->flight_steps : 4;
    int periods = (SINEW_TERRAIN_ROWS - 2) / rows_each;
    if (periods > 3) { periods = 3; }
    int count = 0;
    insert_row(out_z, out_height, &count, 0.0, 0.0);
    insert_row(out_z, out_height, &count, periods * profile->period, 0.0);
    for (int p = 0; p < periods; ++p) {
        insert_climb(profile, p * profile->period, 1, out_z, out_height, &count);
        insert_climb(profile, (p + 1) * profile->period, -1, out_z, out_height, &count);
    }

    // the rows that are left halve the widest strips, which are level or straight
    while (count < SINEW_TERRAIN_ROWS) {
        int widest = 0;
        for (int i = 1; i + 1 < count; ++i) {
            if (out_z[i + 1] - out_z[i] > out_z[widest + 1] - out_z[widest]) { widest = i; }
        }
        const double z = 0.5 * (out_z[widest] + out_z[widest + 1]);
        insert_row(
            out_z, out_height, &count, z, 0.5 * (out_height[widest] + out_height[widest + 1]));
    }
}
