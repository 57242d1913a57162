#include "measure/sole_look.h"

#include <math.h>
#include <string.h>

enum {
    ROWS = MEASURE_SOLE_ROWS,
    COLUMNS = MEASURE_SOLE_COLUMNS,
    ALONG = MEASURE_SOLE_ALONG,
    ACROSS = MEASURE_SOLE_ACROSS,
};

sinew_Vec3 measure_sole_point(const sinew_Transform *transforms, const sinew_SolePoint *point)
{
    return sinew_transform_point(transforms[point->joint], point->offset);
}

measure_Sole measure_sole_sort(const sinew_Sole *told, const sinew_Transform *rest)
{
    static const unsigned bits[ROWS] = { SINEW_PLANTED_HEEL, SINEW_PLANTED_BALL,
        SINEW_PLANTED_TOE };
    measure_Sole sole;
    memset(&sole, 0, sizeof sole);
    for (int row = 0; row < ROWS; ++row) {
        const sinew_SolePoint **points = sole.rows[row];
        for (int i = 0; i < told->point_count; ++i) {
            const sinew_SolePoint *point = &told->points[i];
            if (point->planted != bits[row]) { continue; }
            if (!point->is_edge) {
                points[1] = point;
            } else if (points[0] == NULL) {
                points[0] = point;
            } else {
                points[2] = point;
            }
        }
        if (points[1] == NULL) { points[1] = points[0]; }
        if (points[0] == NULL) { points[0] = points[1]; }
        if (points[2] == NULL) { points[2] = points[1]; }
        if (points[1] == NULL || points[0] == points[2]) { continue; }
        // the first column is the side of larger x in the rest pose, where all soles point ahead
        if (measure_sole_point(rest, points[0]).x < measure_sole_point(rest, points[2]).x) {
            const sinew_SolePoint *other = points[0];
            points[0] = points[2];
            points[2] = other;
        }
    }
    return sole;
}

int measure_sole_sample(const measure_Sole *sole, const sinew_Transform *transforms,
    sinew_Vec3 out_points[MEASURE_SOLE_SAMPLES])
{
    sinew_Vec3 corners[ROWS][COLUMNS];
    int rows[ROWS], row_count = 0, count = 0;
    for (int row = 0; row < ROWS; ++row) {
        if (sole->rows[row][1] == NULL) { continue; }
        rows[row_count++] = row;
        for (int c = 0; c < COLUMNS; ++c) {
            corners[row][c] = measure_sole_point(transforms, sole->rows[row][c]);
        }
    }
    if (row_count == 1) {
        for (int c = 0; c < COLUMNS; ++c) { out_points[count++] = corners[rows[0]][c]; }
    }
    for (int i = 0; row_count > 1 && i < ALONG; ++i) {
        // the rows lie evenly among the samples
        double place = (double)i * (row_count - 1) / (ALONG - 1);
        int part = (int)place < row_count - 1 ? (int)place : row_count - 2;
        for (int k = 0; k < ACROSS; ++k) {
            int c = k < 2 ? 0 : 1;
            double t = 0.5 * (k - 2 * c);
            sinew_Vec3 a = sinew_vec3_lerp(corners[rows[part]][c], corners[rows[part]][c + 1], t);
            sinew_Vec3 b = sinew_vec3_lerp(
                corners[rows[part + 1]][c], corners[rows[part + 1]][c + 1], t);
            out_points[count++] = sinew_vec3_lerp(a, b, place - part);
        }
    }
    return count;
}

double measure_ground_height(const sinew_Ground *ground, double x, double z)
{
    return ground != NULL ? sinew_ground_sample(ground, x, z).height : 0.0;
}

const double measure_directions[8][2] = { { 1.0, 0.0 }, { 0.7071067811865476, 0.7071067811865476 },
    { 0.0, 1.0 }, { -0.7071067811865476, 0.7071067811865476 }, { -1.0, 0.0 },
    { -0.7071067811865476, -0.7071067811865476 }, { 0.0, -1.0 },
    { 0.7071067811865476, -0.7071067811865476 } };

double measure_depth(const sinew_Ground *ground, sinew_Vec3 point, double depth)
{
    for (double r = 0.25e-3; r < depth && r < 0.1; r *= 1.25) {
        for (int d = 0; d < 8; ++d) {
            double x = point.x + r * measure_directions[d][0],
                   z = point.z + r * measure_directions[d][1];
            if (measure_ground_height(ground, x, z) <= point.y) { return r; }
        }
    }
    return depth;
}
