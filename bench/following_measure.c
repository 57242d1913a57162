#include "bench/following_measure.h"

#include "bench/bench_setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double identity[9] = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };

// ---------------------------------------------------------------------------------------------
// Rotations as matrices

static void multiply(const double a[9], const double b[9], double out[9])
{
    double r[9];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
    memcpy(out, r, sizeof r);
}

static sinew_Vec3 apply(const double m[9], sinew_Vec3 v)
{
    return sinew_vec3(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
        m[6] * v.x + m[7] * v.y + m[8] * v.z);
}

// Rodrigues: I + sin K + (1 - cos) K^2 about a unit axis
static void about_axis(sinew_Vec3 axis, double angle, double out[9])
{
    double s = sin(angle), c = cos(angle), t = 1.0 - c;
    double x = axis.x, y = axis.y, z = axis.z;
    const double r[9] = { t * x * x + c, t * x * y - s * z, t * x * z + s * y, t * x * y + s * z,
        t * y * y + c, t * y * z - s * x, t * x * z - s * y, t * y * z + s * x, t * z * z + c };
    memcpy(out, r, sizeof r);
}

static void of_quaternion(double x, double y, double z, double w, double out[9])
{
    double n = 2.0 / (x * x + y * y + z * z + w * w);
    const double r[9] = { 1.0 - n * (y * y + z * z), n * (x * y - z * w), n * (x * z + y * w),
        n * (x * y + z * w), 1.0 - n * (x * x + z * z), n * (y * z - x * w), n * (x * z - y * w),
        n * (y * z + x * w), 1.0 - n * (x * x + y * y) };
    memcpy(out, r, sizeof r);
}

// ---------------------------------------------------------------------------------------------
// Figures

bool bench_figure_open(bench_Figure *figure, const sinew_Skeleton *skeleton)
{
    size_t count = (size_t)sinew_skeleton_joint_count(skeleton);
    figure->skeleton = skeleton;
    figure->joint_count = (int)count;
    figure->local = malloc(count * sizeof *figure->local);
    figure->world = malloc(count * sizeof *figure->world);
    figure->place = malloc(count * sizeof *figure->place);
    if (figure->local != NULL && figure->world != NULL && figure->place != NULL) { return true; }
    bench_figure_close(figure);
    return false;
}

void bench_figure_close(bench_Figure *figure)
{
    free(figure->local);
    free(figure->world);
    free(figure->place);
    memset(figure, 0, sizeof *figure);
}

// turn a joint by its axes; returns how far its slides shift it, in the frame before they do
static sinew_Vec3 move_by_axes(
    const bench_Figure *figure, const sinew_Joint *joint, const double *q, double local[9])
{
    const sinew_Axis *axes = sinew_skeleton_axes(figure->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(figure->skeleton);
    sinew_Vec3 shift = { 0.0, 0.0, 0.0 };
    double turn[9];
    for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
        const double *value = &q[places[a].coordinate];
        switch (axes[a].kind) {
        case SINEW_AXIS_SLIDE:
            shift = sinew_vec3_add(
                shift, apply(local, sinew_vec3_scale(axes[a].direction, value[0])));
            break;
        case SINEW_AXIS_HINGE:
            about_axis(axes[a].direction, value[0], turn);
            multiply(local, turn, local);
            break;
        case SINEW_AXIS_BALL:
            of_quaternion(value[0], value[1], value[2], value[3], turn);
            multiply(local, turn, local);
            break;
        }
    }
    return shift;
}

void bench_figure_pose(bench_Figure *figure, const double *q)
{
    const sinew_Joint *joints = sinew_skeleton_joints(figure->skeleton);
    for (int j = 0; j < figure->joint_count; ++j) {
        const sinew_Joint *joint = &joints[j];
        sinew_Quat rest = joint->rest_rotation;
        of_quaternion(rest.x, rest.y, rest.z, rest.w, figure->local[j]);
        sinew_Vec3 at = sinew_vec3_add(
            joint->offset, move_by_axes(figure, joint, q, figure->local[j]));
        bool hangs = joint->parent >= 0;
        const double *parent = hangs ? figure->world[joint->parent] : identity;
        figure->place[j] = apply(parent, at);
        if (hangs) {
            figure->place[j] = sinew_vec3_add(figure->place[j], figure->place[joint->parent]);
        }
        multiply(parent, figure->local[j], figure->world[j]);
    }
}

void bench_figure_copy(bench_Figure *figure, const bench_Figure *from)
{
    size_t count = (size_t)figure->joint_count;
    memcpy(figure->local, from->local, count * sizeof *figure->local);
    memcpy(figure->world, from->world, count * sizeof *figure->world);
    memcpy(figure->place, from->place, count * sizeof *figure->place);
}

sinew_Vec3 bench_figure_turn(const bench_Figure *from, const bench_Figure *to, int joint)
{
    const double *a = from->local[joint], *b = to->local[joint];
    double d[9], back[9];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) { back[3 * i + j] = a[3 * j + i]; }
    }
    multiply(back, b, d);

    // the part of d that changes its sign when transposed is sin(angle) times the axis
    sinew_Vec3 axis = { 0.5 * (d[7] - d[5]), 0.5 * (d[2] - d[6]), 0.5 * (d[3] - d[1]) };
    double sine = sinew_vec3_length(axis), cosine = 0.5 * (d[0] + d[4] + d[8] - 1.0);
    double angle = atan2(sine, cosine);
    if (sine > 1e-9) { return sinew_vec3_scale(axis, angle / sine); }
    // of a half turn the axis is open here, and its length is what counts
    return sinew_vec3(cosine < 0.0 ? angle : 0.0, 0.0, 0.0);
}

double bench_figure_step(const bench_Figure *from, const bench_Figure *to)
{
    double longest = 0.0;
    for (int j = 0; j < to->joint_count; ++j) {
        longest = fmax(longest, sinew_vec3_length(bench_figure_turn(from, to, j)));
    }
    return longest;
}

sinew_Vec3 bench_figure_socket(const bench_Figure *figure, int joint)
{
    const sinew_Joint *own = &sinew_skeleton_joints(figure->skeleton)[joint];
    if (own->parent < 0) { return own->offset; }
    return sinew_vec3_add(
        figure->place[own->parent], apply(figure->world[own->parent], own->offset));
}

double bench_figure_moved_above(
    const bench_Figure *figure, const bench_Figure *rest, const sinew_Goal *goals, int goal_count)
{
    const sinew_Joint *joints = sinew_skeleton_joints(figure->skeleton);
    double farthest = 0.0;
    for (int g = 0; g < goal_count; ++g) {
        for (int j = goals[g].chain_root; j >= 0; j = joints[j].parent) {
            farthest = fmax(farthest,
                sinew_vec3_distance(bench_figure_socket(figure, j), bench_figure_socket(rest, j)));
        }
    }
    return farthest;
}

sinew_Vec3 bench_figure_effector(const bench_Figure *figure, const sinew_Goal *goal)
{
    sinew_Vec3 arm = apply(figure->world[goal->joint], goal->joint_from_effector.position);
    return sinew_vec3_add(figure->place[goal->joint], arm);
}

void bench_figure_errors(const bench_Figure *figure, const sinew_Goal *goals, int goal_count,
    double *out_mean, double *out_largest)
{
    double sum = 0.0, largest = 0.0;
    int count = 0;
    for (int g = 0; g < goal_count; ++g) {
        if (goals[g].kind != SINEW_GOAL_POSITION && goals[g].kind != SINEW_GOAL_POSE) { continue; }
        double error = sinew_vec3_distance(
            bench_figure_effector(figure, &goals[g]), goals[g].position);
        sum += error;
        largest = fmax(largest, error);
        ++count;
    }
    if (out_mean != NULL) { *out_mean = count > 0 ? sum / count : 0.0; }
    if (out_largest != NULL) { *out_largest = largest; }
}

// ---------------------------------------------------------------------------------------------
// Figures of many

double bench_quantile(double *values, size_t count, double share)
{
    if (count == 0) { return NAN; }
    qsort(values, count, sizeof *values, bench_compare);
    return values[(size_t)(share * (double)(count - 1))];
}

double bench_middle(const double *values, int count)
{
    if (count < 3) { return 0.5 * (values[0] + values[count - 1]); }
    double low = fmin(values[0], values[1]), high = fmax(values[0], values[1]);
    return fmax(low, fmin(high, values[2]));
}
