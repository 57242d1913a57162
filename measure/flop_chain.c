#include "measure/flops.h"

#include "math/holds.h"

// The seven steps on a chain of three-angle links, as tables 1.1 and 1.2 charge them.

static double mul(measure_Flops *count, double a, double b)
{
    ++count->mul;
    return a * b;
}

static double add(measure_Flops *count, double a, double b)
{
    ++count->add;
    return a + b;
}

static double subtract(measure_Flops *count, double a, double b)
{
    ++count->add;
    return a - b;
}

int measure_flops_link_count(int dof_count)
{
    return (dof_count + 2) / 3;
}

void measure_flops_link_matrix(
    const double angle[3], sinew_Vec3 offset, double out_matrix[16], measure_Flops *count)
{
    double sx, cx, sy, cy, sz, cz;
    sinew_sincos(angle[0], &sx, &cx);
    sinew_sincos(angle[1], &sy, &cy);
    sinew_sincos(angle[2], &sz, &cz);
    count->other += 6;

    // Rx Ry Rz, every entry by itself: 16 products, 4 sums
    double matrix[16] = {
        mul(count, cy, cz),
        -mul(count, cy, sz),
        sy,
        offset.x,
        add(count, mul(count, cx, sz), mul(count, mul(count, sx, sy), cz)),
        subtract(count, mul(count, cx, cz), mul(count, mul(count, sx, sy), sz)),
        -mul(count, sx, cy),
        offset.y,
        subtract(count, mul(count, sx, sz), mul(count, mul(count, cx, sy), cz)),
        add(count, mul(count, sx, cz), mul(count, mul(count, cx, sy), sz)),
        mul(count, cx, cy),
        offset.z,
        0.0,
        0.0,
        0.0,
        1.0,
    };
    for (int i = 0; i < 16; ++i) { out_matrix[i] = matrix[i]; }
}

void measure_flops_multiply4(
    const double a[16], const double b[16], double out_product[16], measure_Flops *count)
{
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            double sum = mul(count, a[4 * i], b[j]);
            for (int k = 1; k < 4; ++k) {
                sum = add(count, sum, mul(count, a[4 * i + k], b[4 * k + j]));
            }
            out_product[4 * i + j] = sum;
        }
    }
}

/// World frames of all links; the first one, too, is multiplied with the frame of the world.
static void update_frames(measure_FlopChain *chain, measure_Flops *count)
{
    static const double world_frame[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    const double *parent = world_frame;
    for (int i = 0; i < measure_flops_link_count(chain->dof_count); ++i) {
        double link[16];
        double *world = chain->world + 16 * i;
        measure_flops_link_matrix(chain->angle + 3 * i, chain->offset[i], link, count);
        measure_flops_multiply4(parent, link, world, count);
        parent = world;
    }
}

/// One row of an affine matrix times a point.
static double transform_row(const double row[4], sinew_Vec3 point, measure_Flops *count)
{
    double sum = add(count, mul(count, row[0], point.x), mul(count, row[1], point.y));
    return add(count, add(count, sum, mul(count, row[2], point.z)), row[3]);
}

void measure_flops_forward(measure_FlopChain *chain, measure_Flops *count)
{
    int link_count = measure_flops_link_count(chain->dof_count);
    update_frames(chain, count);
    const double *last = chain->world + 16 * (link_count - 1);
    sinew_Vec3 end = chain->offset[link_count];
    chain->effector.x = transform_row(last, end, count);
    chain->effector.y = transform_row(last + 4, end, count);
    chain->effector.z = transform_row(last + 8, end, count);
}

void measure_flops_jacobian(
    measure_FlopChain *chain, int m, double *out_jacobian, measure_Flops *count)
{
    SNW_ASSERT(m >= 0);
    update_frames(chain, count);
    sinew_Vec3 arm = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < chain->dof_count; ++k) {
        // eq. 1.14: axes and origin are columns of the finished frame
        const double *world = chain->world + 16 * (k / 3);
        if (k % 3 == 0) {
            arm.x = subtract(count, chain->effector.x, world[3]);
            arm.y = subtract(count, chain->effector.y, world[7]);
            arm.z = subtract(count, chain->effector.z, world[11]);
        }
        double ax = world[k % 3], ay = world[4 + k % 3], az = world[8 + k % 3];
        double *column = out_jacobian + k * m;
        column[0] = subtract(count, mul(count, ay, arm.z), mul(count, az, arm.y));
        column[1] = subtract(count, mul(count, az, arm.x), mul(count, ax, arm.z));
        column[2] = subtract(count, mul(count, ax, arm.y), mul(count, ay, arm.x));
        if (m == 6) {
            column[3] = ax;
            column[4] = ay;
            column[5] = az;
        }
    }
}

int measure_flops_scratch_count(int dof_count)
{
    // Jacobian and pseudo-inverse of six rows, step
    return (6 + 6 + 1) * dof_count;
}

bool measure_flops_iterate(measure_FlopChain *chain, const double *goal, int m, double threshold,
    int max_halvings, double *scratch, measure_FlopIteration *out_iteration)
{
    SNW_ASSERT(m >= 0);
    int n = chain->dof_count;
    double *jacobian = scratch, *inverse = jacobian + 6 * n, *step = inverse + 6 * n;
    double a[36], b[36], e[36], dx[6], lu[78];
    measure_FlopIteration it = { 0 };
    const double current[6] = { chain->effector.x, chain->effector.y, chain->effector.z };

    // 1: what is missing
    for (int i = 0; i < m; ++i) { dx[i] = subtract(&it.step[0], goal[i], current[i]); }

    // 2: Jacobian
    measure_flops_jacobian(chain, m, jacobian, &it.step[1]);

    // 3: J+ = J^T (J J^T)^-1
    measure_flops_product(jacobian, m, n, m, a, &it.product);
    bool regular = m == 3 ? measure_flops_invert3(a, b, &it.inverse)
                          : measure_flops_invert_lu(a, m, b, lu, &it.inverse);
    measure_flops_transpose_product(jacobian, b, m, n, m, inverse, &it.transpose_product);
    it.step[2].mul = it.product.mul + it.inverse.mul + it.transpose_product.mul;
    it.step[2].div = it.product.div + it.inverse.div + it.transpose_product.div;
    it.step[2].add = it.product.add + it.inverse.add + it.transpose_product.add;

    // 4 and 5: error check, and halving until it is small
    measure_flops_error_matrix(jacobian, inverse, m, n, m, e, &it.step[3]);
    double error = measure_flops_error(e, dx, m, &it.step[3]);
    it.halvings = measure_flops_halve(e, m, threshold, max_halvings, error, dx, &it.step[4]);

    // 6: new angles
    measure_flops_step(inverse, dx, m, n, step, &it.step[5]);
    for (int k = 0; k < n; ++k) {
        double angle = add(&it.step[5], chain->angle[k], step[k]);
        if (regular) { chain->angle[k] = angle; }
    }

    // 7: forward kinematics
    measure_flops_forward(chain, &it.step[6]);
    *out_iteration = it;
    return regular;
}
