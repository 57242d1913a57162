#include "bench/stretched.h"

#include "bench/bench_setup.h"
#include "math/dense.h"
#include "solve/literal.h"

#include <math.h>
#include <string.h>

enum { DOFS = 5, FRAMES = 480, ITERATIONS = 10, HALVINGS = 20 };

// share of the reach: within this a frame is done; the threshold of the halving loop
#define DONE 1e-4
#define HALVING_THRESHOLD 1e-3

const char *bench_stretch_name(bench_StretchMethod method)
{
    static const char *const names[BENCH_STRETCH_METHODS] = { "pinv, literal", "transpose, literal",
        "dls, literal", "dls of sinew" };
    return names[method];
}

/// One step of a method; jacobian by dof. False when it has none.
static bool literal_step(
    bench_StretchMethod method, const double *jacobian, double error[3], double reach, double *step)
{
    double inverse[3 * DOFS], e[9], a[9];
    if (method == BENCH_STRETCH_PINV) {
        if (!snw_literal_pseudo_inverse(jacobian, 3, DOFS, 3, inverse)) { return false; }
        snw_literal_error_matrix(jacobian, inverse, 3, DOFS, 3, e);
        double left = snw_literal_error(e, error, 3);
        (void)snw_literal_halve(e, 3, HALVING_THRESHOLD * reach, HALVINGS, left, error);
        snw_literal_step(inverse, error, 3, DOFS, step);
        return true;
    }
    snw_literal_product(jacobian, 3, DOFS, 3, a);
    double force[3] = { error[0], error[1], error[2] }, scale = 1.0;
    if (method == BENCH_STRETCH_DLS) {
        double packed[6], lambda2 = 0.01 * reach * reach;
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c <= r; ++c) {
                packed[SNW_PACKED(r, c)] = a[3 * r + c] + (r == c ? lambda2 : 0.0);
            }
        }
        if (!snw_solve3(packed, 1e-14, error, force)) { return false; }
    } else {
        // alpha = <e, JJ^T e> / <JJ^T e, JJ^T e>
        double along = 0.0, square = 0.0;
        for (int r = 0; r < 3; ++r) {
            double moved = a[3 * r] * error[0] + a[3 * r + 1] * error[1] + a[3 * r + 2] * error[2];
            along += error[r] * moved;
            square += moved * moved;
        }
        if (!(square > 0.0)) { return false; }
        scale = along / square;
    }
    snw_literal_step(jacobian, force, 3, DOFS, step);
    for (int k = 0; k < DOFS; ++k) { step[k] *= scale; }
    return true;
}

/// Distance that is left.
static double follow_literally(
    bench_Setup *setup, bench_StretchMethod method, sinew_Goal goal, double reach)
{
    const sinew_Skeleton *skeleton = setup->scene->skeleton;
    for (int i = 0;; ++i) {
        double error[3], rows[3 * DOFS], columns[3 * DOFS], step[DOFS];
        sinew_pose_forward(skeleton, setup->q, setup->world);
        sinew_goal_error(&goal, setup->world, error);
        double left = sqrt(error[0] * error[0] + error[1] * error[1] + error[2] * error[2]);
        if (left <= DONE * reach || i == ITERATIONS) { return left; }
        sinew_jacobian(skeleton, setup->q, setup->world, &goal, rows);
        for (int k = 0; k < DOFS; ++k) {
            for (int r = 0; r < 3; ++r) { columns[3 * k + r] = rows[r * DOFS + k]; }
        }
        if (!literal_step(method, columns, error, reach, step)) { return left; }
        // the paper's Jacobian is for small angles
        for (int k = 0; k < DOFS; ++k) { setup->q[k] += step[k]; }
    }
}

/// Out along a ray, beyond reach for half of the time, and back, with a wobble across.
static sinew_Vec3 target_at(sinew_Vec3 root, double reach, int frame)
{
    double s, c, wobble_s, wobble_c;
    sinew_sincos(2.0 * SINEW_PI * frame / 240.0, &s, &c);
    sinew_sincos(2.0 * SINEW_PI * frame / 75.0, &wobble_s, &wobble_c);
    double out = reach * (1.0 - 0.1 * c), across = 0.05 * reach;
    return sinew_vec3_add(
        root, sinew_vec3(0.3 * out + across * wobble_s, 0.954 * out, across * wobble_c));
}

bench_StretchRow bench_stretch_run(bench_StretchMethod method)
{
    bench_StretchRow row = { NAN, NAN, NAN };
    bench_Setup setup;
    if (!bench_setup_open("CHAIN5", &setup)) { return row; }
    const sinew_Skeleton *skeleton = setup.scene->skeleton;
    int tip = setup.scene->effectors[0].joint;
    double reach = sinew_skeleton_chain_length(skeleton, 0, tip);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.max_iterations = ITERATIONS;
    options.position_tolerance = DONE * reach;
    double kept[4][DOFS] = { { 0.0 } }, square = 0.0;
    int counted = 0;
    row = (bench_StretchRow){ 0.0, 0.0, 0.0 };
    sinew_pose_rest(skeleton, setup.q);
    sinew_pose_forward(skeleton, setup.q, setup.world);
    sinew_Vec3 root = setup.world[0].position;
    for (int frame = 0; frame < FRAMES; ++frame) {
        sinew_Goal goal = sinew_goal_position(tip, target_at(root, reach, frame));
        if (method == BENCH_STRETCH_SINEW) {
            sinew_Report report;
            (void)sinew_solver_solve(setup.solver, &options, &goal, 1, setup.q, &report, NULL);
            row.error += report.position_error / reach / FRAMES;
        } else {
            row.error += follow_literally(&setup, method, goal, reach) / reach / FRAMES;
        }
        memmove(kept[1], kept[0], 3 * sizeof kept[0]);
        memcpy(kept[0], setup.q, sizeof kept[0]);
        // the first second settles
        for (int k = 0; frame >= 60 && k < DOFS; ++k) {
            double third = kept[0][k] - 3.0 * kept[1][k] + 3.0 * kept[2][k] - kept[3][k];
            square += third * third;
            row.step = fmax(row.step, fabs(kept[0][k] - kept[1][k]));
            ++counted;
        }
    }
    row.jerk = sqrt(square / counted) * 60.0 * 60.0 * 60.0;
    bench_setup_close(&setup);
    return row;
}
