#ifndef TESTS_AUTO_BODIES_H
#define TESTS_AUTO_BODIES_H

// Random chains and trees of hinges and slides for the fast layouts of the default method: axes in any
// direction, parallel, all but parallel and in one point, locked ones in between, and whatever may stand
// still before the first one that moves.

#include "plan_rig.h"

#include "math/dense.h"

enum { AUTO_MAX_JOINTS = 48, AUTO_MAX_AXES = 3 };

typedef struct auto_Draft {
    sinew_JointDef joints[AUTO_MAX_JOINTS];
    sinew_Axis axes[AUTO_MAX_JOINTS][AUTO_MAX_AXES];
    int joint_count;
    double scale;              // of lengths, metres
    bool locked, ranges;       // some axes cannot move; some have ranges
    sinew_Vec3 last_direction; // of an axis
} auto_Draft;

/// What the axes are: free ones alone, or some locked, some with ranges.
static inline void auto_begin(auto_Draft *draft, test_Random *random, bool locked, bool ranges)
{
    memset(draft, 0, sizeof *draft);
    draft->scale = pow(10.0, test_range(random, -3.0, 3.0));
    if (test_int(random, 2)) { draft->scale = 0.3; }
    draft->locked = locked;
    draft->ranges = ranges;
    draft->last_direction = sinew_vec3(0.0, 1.0, 0.0);
}

static inline sinew_Vec3 auto_direction(auto_Draft *draft, test_Random *random)
{
    static const sinew_Vec3 own[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    sinew_Vec3 d = draft->last_direction;
    switch (test_int(random, 6)) {
    case 0:
    case 1: d = own[test_int(random, 3)]; break;
    case 2: d = sinew_vec3_scale(own[test_int(random, 3)], -1.0); break;
    case 3: d = test_unit_vector(random); break;
    case 4: break; // parallel to the one before, if nothing turns between them
    default: {
        double tilt = pow(10.0, test_range(random, -15.0, -3.0));
        d = sinew_vec3_normalize_or(sinew_vec3_add_scaled(d, test_unit_vector(random), tilt), d);
    }
    }
    draft->last_direction = d;
    return d;
}

static inline sinew_Axis auto_axis(auto_Draft *draft, test_Random *random)
{
    sinew_Vec3 direction = auto_direction(draft, random);
    bool slide = test_int(random, 6) == 0;
    sinew_Axis axis = slide ? sinew_axis_slide(direction)
                            : sinew_axis_hinge(direction, -INFINITY, INFINITY);
    double size = slide ? draft->scale : 1.0;
    if (draft->ranges && test_int(random, 3)) {
        // some with one end alone
        int ends = test_int(random, 5);
        if (ends != 0) { axis.lower = size * test_range(random, -2.0, 0.1); }
        if (ends != 1) { axis.upper = size * test_range(random, 0.2, 2.5); }
    }
    if (draft->locked && test_int(random, 5) == 0) {
        if (test_int(random, 2)) {
            axis.mobility = 0.0;
        } else {
            axis.lower = axis.upper = size * test_range(random, -1.0, 1.0);
        }
    }
    axis.rest = fmin(fmax(0.0, axis.lower), axis.upper);
    return axis;
}

/// Add a joint with hinges and slides; returns its index.
static inline int auto_joint(auto_Draft *draft, test_Random *random, int parent, int axis_count)
{
    int j = draft->joint_count++;
    TEST_TRUE(j < AUTO_MAX_JOINTS && axis_count <= AUTO_MAX_AXES);
    sinew_JointDef *joint = &draft->joints[j];
    *joint = sinew_joint_def_default();
    joint->name = "joint";
    joint->parent = parent;
    // hinges in one point, now and then
    if (test_int(random, 4)) {
        sinew_Vec3 way = test_int(random, 2) ? test_vector(random, 1.0)
                                             : sinew_vec3(0.0, -test_range(random, 0.2, 1.0), 0.0);
        joint->offset = sinew_vec3_scale(way, draft->scale);
    }
    if (test_int(random, 3) == 0) { joint->rest_rotation = test_unit_quat(random); }
    joint->axes = draft->axes[j];
    joint->axis_count = axis_count;
    for (int a = 0; a < axis_count; ++a) { draft->axes[j][a] = auto_axis(draft, random); }
    return j;
}

/// Add a joint that the goals' chain_root keeps still; it may be a ball.
static inline int auto_still_joint(auto_Draft *draft, test_Random *random, int parent)
{
    int j = auto_joint(draft, random, parent, test_int(random, 3));
    if (test_int(random, 3) == 0) {
        draft->axes[j][draft->joints[j].axis_count++] = sinew_axis_ball();
    }
    return j;
}

static inline sinew_Skeleton *auto_skeleton(const auto_Draft *draft)
{
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(draft->joints, draft->joint_count, NULL, &skeleton, &message),
        &message);
    return skeleton;
}

/// A pose inside the ranges, some values on their bounds; hinges without ends within a turn and a half,
/// balls anyhow.
static inline void auto_pose(
    test_Random *random, const sinew_Skeleton *skeleton, double scale, double *out_q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        double *value = &out_q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Quat ball = test_unit_quat(random);
            memcpy(value, &ball, sizeof ball);
            continue;
        }
        double size = axes[a].kind == SINEW_AXIS_SLIDE ? scale : 3.0 * SINEW_PI;
        double lower = fmax(axes[a].lower, fmin(-size, axes[a].upper - size));
        double upper = fmin(axes[a].upper, fmax(size, axes[a].lower + size));
        value[0] = fmin(fmax(test_range(random, lower, upper), axes[a].lower), axes[a].upper);
        int end = test_int(random, 8);
        if (end == 0 && isfinite(axes[a].lower)) { value[0] = axes[a].lower; }
        if (end == 1 && isfinite(axes[a].upper)) { value[0] = axes[a].upper; }
    }
}

/// x of (J^T J + damping) x = J^T e over the dofs that are free; rows x dofs, columns kept together.
static inline void auto_dense_step(const double *jacobian, int rows, int dofs, const bool *may_move,
    const double *error, double damping, double *out_step)
{
    int n = 0, *place = calloc((size_t)dofs + 1, sizeof *place);
    for (int d = 0; d < dofs; ++d) {
        out_step[d] = 0.0;
        if (may_move[d]) { place[n++] = d; }
    }
    double *a = calloc((size_t)n * (size_t)n + 1, sizeof *a);
    double *b = calloc((size_t)n + 1, sizeof *b);
    for (int i = 0; i < n; ++i) {
        const double *ci = &jacobian[place[i] * rows];
        for (int j = 0; j < n; ++j) {
            const double *cj = &jacobian[place[j] * rows];
            for (int r = 0; r < rows; ++r) { a[i * n + j] += ci[r] * cj[r]; }
        }
        a[i * n + i] += damping;
        for (int r = 0; r < rows; ++r) { b[i] += ci[r] * error[r]; }
    }
    TEST_TRUE(snw_cholesky_factor(a, n, n, 0.0));
    snw_cholesky_solve(a, n, n, b);
    for (int i = 0; i < n; ++i) { out_step[place[i]] = b[i]; }
    free(a);
    free(b);
    free(place);
}

/// |e - J step|^2
static inline double auto_rest2(
    const double *jacobian, int rows, int dofs, const double *error, const double *step)
{
    double sum = 0.0;
    for (int r = 0; r < rows; ++r) {
        double left = error[r];
        for (int d = 0; d < dofs; ++d) { left -= jacobian[d * rows + r] * step[d]; }
        sum += left * left;
    }
    return sum;
}

#endif
