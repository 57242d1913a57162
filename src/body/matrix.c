#include "base/message.h"
#include "math/holds.h"
#include "sinew/space.h"

// Matrices of engines: double or float, rows or columns, any stride.

// Columns of this length or less have no direction: the square of a shorter one is lost in doubles.
#define LEAST_COLUMN 1e-150

typedef struct Matrices {
    const double *doubles; // one of the two
    const float *floats;
} Matrices;

sinew_MatrixLayout sinew_matrix_layout_default(void)
{
    sinew_MatrixLayout r = { SINEW_MATRIX_COLUMNS, 16 };
    return r;
}

// names: of the two arrays, in their order
static sinew_Status check(const sinew_Space *space, sinew_MatrixLayout layout, const char *names,
    const void *from, const void *to, int count, sinew_Message *out_message)
{
    if (count < 0) { return snw_refuse(out_message, "count is %d, want >= 0", count); }
    if (from == NULL || to == NULL) { return SNW_CHECK_NULL(out_message, names, from, to); }
    if (layout.order != SINEW_MATRIX_COLUMNS && layout.order != SINEW_MATRIX_ROWS) {
        return snw_refuse(
            out_message, "layout.order is %d, want columns or rows", (int)layout.order);
    }
    if (layout.stride < 16) {
        return snw_refuse(out_message, "layout.stride is %d, want >= 16", layout.stride);
    }
    return space != NULL ? sinew_space_check(space, out_message) : SINEW_STATUS_OK;
}

// place of a row and column in one matrix
static size_t place(sinew_MatrixLayout layout, int row, int column)
{
    return (size_t)(layout.order == SINEW_MATRIX_COLUMNS ? 4 * column + row : 4 * row + column);
}

static sinew_Vec3 read_column(Matrices m, sinew_MatrixLayout layout, size_t start, int column)
{
    double v[3];
    for (int row = 0; row < 3; ++row) {
        size_t at = start + place(layout, row, column);
        v[row] = m.doubles != NULL ? m.doubles[at] : (double)m.floats[at];
    }
    return sinew_vec3(v[0], v[1], v[2]);
}

static sinew_Status read_all(const sinew_Space *space, sinew_MatrixLayout layout, Matrices m,
    int count, sinew_Transform *out, sinew_Message *out_message)
{
    SNW_ASSERT(count >= 0);
    const sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < count; ++i) {
        size_t start = (size_t)i * (size_t)layout.stride;
        sinew_Vec3 x = read_column(m, layout, start, 0), y = read_column(m, layout, start, 1);
        sinew_Vec3 origin = read_column(m, layout, start, 3);
        sinew_Mat3 axes;
        axes.x = sinew_vec3_normalize_or(x, none);
        y = sinew_vec3_add_scaled(y, axes.x, -sinew_vec3_dot(y, axes.x));
        axes.y = sinew_vec3_normalize_or(y, none);
        axes.z = sinew_vec3_cross(axes.x, axes.y);
        bool turns = sinew_vec3_length(x) > LEAST_COLUMN && sinew_vec3_length(y) > LEAST_COLUMN;
        if (!turns || !sinew_vec3_is_finite(axes.z) || !sinew_vec3_is_finite(origin)) {
            return snw_refuse(out_message,
                "matrices[%d]: numbers that are not finite, or columns without length", i);
        }
        sinew_Transform t = { origin, sinew_quat_from_mat3(axes) };
        out[i] = space != NULL ? sinew_transform_from_space(space, t) : t;
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_transforms_from_matrices(const sinew_Space *space, sinew_MatrixLayout layout,
    const double *matrices, int count, sinew_Transform *out_transforms, sinew_Message *out_message)
{
    sinew_Status status = check(
        space, layout, "matrices out_transforms", matrices, out_transforms, count, out_message);
    Matrices m = { matrices, NULL };
    return status != SINEW_STATUS_OK || matrices == NULL
        ? status
        : read_all(space, layout, m, count, out_transforms, out_message);
}

sinew_Status sinew_transforms_from_matrices_float(const sinew_Space *space,
    sinew_MatrixLayout layout, const float *matrices, int count, sinew_Transform *out_transforms,
    sinew_Message *out_message)
{
    sinew_Status status = check(
        space, layout, "matrices out_transforms", matrices, out_transforms, count, out_message);
    Matrices m = { NULL, matrices };
    return status != SINEW_STATUS_OK || matrices == NULL
        ? status
        : read_all(space, layout, m, count, out_transforms, out_message);
}

// one matrix in the layout's order, without its stride
static void fill(
    const sinew_Space *space, sinew_MatrixLayout layout, sinew_Transform t, double out[16])
{
    if (space != NULL) { t = sinew_transform_to_space(space, t); }
    sinew_Mat3 m = sinew_mat3_from_quat(t.rotation);
    const sinew_Vec3 columns[4] = { m.x, m.y, m.z, t.position };
    for (int c = 0; c < 4; ++c) {
        out[place(layout, 0, c)] = columns[c].x;
        out[place(layout, 1, c)] = columns[c].y;
        out[place(layout, 2, c)] = columns[c].z;
        out[place(layout, 3, c)] = c == 3 ? 1.0 : 0.0;
    }
}

static sinew_Status write_all(const sinew_Space *space, sinew_MatrixLayout layout,
    const sinew_Transform *transforms, int count, double *doubles, float *floats,
    sinew_Message *out_message)
{
    const void *to = doubles != NULL ? (const void *)doubles : floats;
    sinew_Status status = check(
        space, layout, "transforms out_matrices", transforms, to, count, out_message);
    for (int i = 0; status == SINEW_STATUS_OK && i < count; ++i) {
        if (!snw_holds_rigid(transforms[i])) {
            return snw_refuse(out_message,
                "transforms[%d]: numbers that are not finite, or a rotation not of length 1", i);
        }
        double one[16];
        fill(space, layout, transforms[i], one);
        size_t start = (size_t)i * (size_t)layout.stride;
        for (size_t k = 0; k < 16; ++k) {
            if (doubles != NULL) {
                doubles[start + k] = one[k];
            } else {
                floats[start + k] = (float)one[k];
            }
        }
    }
    return status;
}

sinew_Status sinew_transforms_to_matrices(const sinew_Space *space, sinew_MatrixLayout layout,
    const sinew_Transform *transforms, int count, double *out_matrices, sinew_Message *out_message)
{
    return write_all(space, layout, transforms, count, out_matrices, NULL, out_message);
}

sinew_Status sinew_transforms_to_matrices_float(const sinew_Space *space, sinew_MatrixLayout layout,
    const sinew_Transform *transforms, int count, float *out_matrices, sinew_Message *out_message)
{
    return write_all(space, layout, transforms, count, NULL, out_matrices, out_message);
}

sinew_Status sinew_transforms_skin(const sinew_Transform *world_from_joint,
    const sinew_Transform *rest_world_from_joint, int count, sinew_Transform *out_skin,
    sinew_Message *out_message)
{
    if (world_from_joint == NULL) { return snw_refuse(out_message, "world_from_joint is NULL"); }
    if (rest_world_from_joint == NULL) {
        return snw_refuse(out_message, "rest_world_from_joint is NULL");
    }
    if (out_skin == NULL) { return snw_refuse(out_message, "out_skin is NULL"); }
    if (count < 0) { return snw_refuse(out_message, "count is %d, want >= 0", count); }
    for (int i = 0; i < count; ++i) {
        sinew_Transform back = sinew_transform_inverse(rest_world_from_joint[i]);
        out_skin[i] = sinew_transform_mul(world_from_joint[i], back);
    }
    return SINEW_STATUS_OK;
}
