#include "sinew/pose.h"

#include "base/message.h"
#include "math/holds.h"

#include <string.h>

// Coordinates of a joint for a transform. Hinges: in closed form where one or three of them, or two, can
// give the rotation; then, for what cannot be given and for other numbers of axes, one axis after the other
// takes the value that is best while the others stay, which never gets worse.

// Most rounds over the axes of a joint. Two rounds do where the rotation can be given; skew axes and
// rotations out of reach need tens, and 100 leave 1e-12 but for axes that are nearly parallel.
#define MOST_ROUNDS 100

// Rounds end when no value moves by more than this, radians or metres: ten roundings of a turn.
#define LEAST_CHANGE 2e-15

// Directions whose cross product is shorter than this are one direction: a turn about either is the same
// up to rounding.
#define LEAST_SINE 1e-9

typedef struct Fit {
    const sinew_Axis *axes;
    int count;
    double value[SINEW_MAX_AXES_PER_JOINT]; // of slides and hinges
    sinew_Quat ball;
    sinew_Transform wanted; // what the axes alone should give
} Fit;

static sinew_Quat turn_of(const Fit *fit, int a)
{
    switch (fit->axes[a].kind) {
    case SINEW_AXIS_HINGE: return sinew_quat_from_axis_angle(fit->axes[a].direction, fit->value[a]);
    case SINEW_AXIS_BALL: return fit->ball;
    case SINEW_AXIS_SLIDE: break;
    }
    return sinew_quat_identity();
}

// what the axes of a part of the joint turn
static sinew_Quat turn_of_all(const Fit *fit, int from, int to)
{
    sinew_Quat r = sinew_quat_identity();
    for (int a = from; a < to; ++a) { r = sinew_quat_mul(r, turn_of(fit, a)); }
    return r;
}

// an angle by whole turns to near another one
static double nearest_turn(double angle, double near)
{
    return angle + 2.0 * SINEW_PI * floor((near - angle) / (2.0 * SINEW_PI) + 0.5);
}

// the turn about an axis that is nearest to a rotation; near where all are equally near
static double turn_about(sinew_Vec3 axis, sinew_Quat rotation, double near)
{
    double along = axis.x * rotation.x + axis.y * rotation.y + axis.z * rotation.z;
    if (along * along + rotation.w * rotation.w < LEAST_SINE * LEAST_SINE) { return near; }
    return nearest_turn(2.0 * sinew_atan2(along, rotation.w), near);
}

// the angle about an axis from one direction to another; near where one of them is along the axis
static double angle_about(sinew_Vec3 axis, sinew_Vec3 from, sinew_Vec3 to, double near)
{
    sinew_Vec3 a = sinew_vec3_cross(axis, from), b = sinew_vec3_cross(axis, to);
    if (sinew_vec3_length(a) < LEAST_SINE || sinew_vec3_length(b) < LEAST_SINE) { return near; }
    double angle = sinew_atan2(sinew_vec3_dot(axis, sinew_vec3_cross(a, b)), sinew_vec3_dot(a, b));
    return nearest_turn(angle, near);
}

// Three hinges: the middle one turns the last one's axis to the latitude about the first one's that the
// rotation asks for, the first to its longitude, the last takes the rest. Of the two ways the one nearer
// to the values that are there.
static void turn_three(Fit *fit, const int hinge[3])
{
    sinew_Vec3 e1 = fit->axes[hinge[0]].direction, e2 = fit->axes[hinge[1]].direction;
    sinew_Vec3 e3 = fit->axes[hinge[2]].direction;
    sinew_Vec3 goal = sinew_quat_rotate(fit->wanted.rotation, e3);
    // e1 . (e3 turned about e2) = even + a cos + b sin
    double even = sinew_vec3_dot(e1, e2) * sinew_vec3_dot(e2, e3);
    double a = sinew_vec3_dot(e1, e3) - even;
    double b = sinew_vec3_dot(e1, sinew_vec3_cross(e2, e3));
    double size = sqrt(a * a + b * b);
    if (size < LEAST_SINE) { return; }
    double cosine = (sinew_vec3_dot(e1, goal) - even) / size;
    double half = sinew_acos(fmin(fmax(cosine, -1.0), 1.0)), middle = sinew_atan2(b, a);
    double best[3] = { 0.0, 0.0, 0.0 }, least = INFINITY;
    for (int way = -1; way <= 1; way += 2) {
        double v[3];
        v[1] = nearest_turn(middle + way * half, fit->value[hinge[1]]);
        sinew_Quat second = sinew_quat_from_axis_angle(e2, v[1]);
        v[0] = angle_about(e1, sinew_quat_rotate(second, e3), goal, fit->value[hinge[0]]);
        sinew_Quat before = sinew_quat_mul(sinew_quat_from_axis_angle(e1, v[0]), second);
        sinew_Quat rest = sinew_quat_mul(sinew_quat_conjugate(before), fit->wanted.rotation);
        v[2] = turn_about(e3, rest, fit->value[hinge[2]]);
        double far = 0.0;
        for (int k = 0; k < 3; ++k) {
            double change = v[k] - fit->value[hinge[k]];
            far += change * change;
        }
        if (!(far < least)) { continue; }
        least = far;
        memcpy(best, v, sizeof best);
    }
    for (int k = 0; k < 3; ++k) { fit->value[hinge[k]] = best[k]; }
}

// two hinges: the first takes the second one's axis to where the rotation has it
static void turn_two(Fit *fit, const int hinge[2])
{
    sinew_Vec3 e1 = fit->axes[hinge[0]].direction, e2 = fit->axes[hinge[1]].direction;
    sinew_Vec3 goal = sinew_quat_rotate(fit->wanted.rotation, e2);
    fit->value[hinge[0]] = angle_about(e1, e2, goal, fit->value[hinge[0]]);
}

// one hinge while the others stay; returns its change
static double turn_one(Fit *fit, int a)
{
    sinew_Quat before = turn_of_all(fit, 0, a), after = turn_of_all(fit, a + 1, fit->count);
    sinew_Quat rest = sinew_quat_mul(
        sinew_quat_mul(sinew_quat_conjugate(before), fit->wanted.rotation),
        sinew_quat_conjugate(after));
    double old = fit->value[a];
    fit->value[a] = turn_about(fit->axes[a].direction, rest, old);
    return fabs(fit->value[a] - old);
}

static void fit_rotation(Fit *fit)
{
    int hinge[SINEW_MAX_AXES_PER_JOINT], count = 0, last = fit->count - 1;
    for (int a = 0; a < fit->count; ++a) {
        if (fit->axes[a].kind == SINEW_AXIS_HINGE) { hinge[count++] = a; }
    }
    if (fit->count > 0 && fit->axes[last].kind == SINEW_AXIS_BALL) {
        // the ball takes all that hinges before it leave
        sinew_Quat before = turn_of_all(fit, 0, last);
        fit->ball = sinew_quat_mul(sinew_quat_conjugate(before), fit->wanted.rotation);
        fit->ball = sinew_quat_normalize(fit->ball);
        return;
    }
    if (count == 3) { turn_three(fit, hinge); }
    if (count == 2) { turn_two(fit, hinge); }
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        double change = 0.0;
        // from the last, which takes what the closed forms leave
        for (int k = count - 1; k >= 0; --k) { change = fmax(change, turn_one(fit, hinge[k])); }
        if (count < 2 || change < LEAST_CHANGE) { return; }
    }
}

// where the axes put the joint, but for its offset
static sinew_Transform place_of(const Fit *fit)
{
    sinew_Transform r = sinew_transform_identity();
    for (int a = 0; a < fit->count; ++a) {
        if (fit->axes[a].kind == SINEW_AXIS_SLIDE) {
            sinew_Vec3 along = sinew_quat_rotate(r.rotation, fit->axes[a].direction);
            r.position = sinew_vec3_add_scaled(r.position, along, fit->value[a]);
        }
        r.rotation = sinew_quat_mul(r.rotation, turn_of(fit, a));
    }
    return r;
}

// The slides' least squares by conjugate gradients: they move the joint in three directions at most, so three
// steps end it, whatever the number of slides; three more take up what rounding left.
static void fit_slides(Fit *fit)
{
    sinew_Vec3 along[SINEW_MAX_AXES_PER_JOINT];
    double way[SINEW_MAX_AXES_PER_JOINT] = { 0.0 }, old = 0.0;
    bool any = false;
    for (int a = 0; a < fit->count; ++a) { any |= fit->axes[a].kind == SINEW_AXIS_SLIDE; }
    if (!any) { return; }
    sinew_Vec3 miss = sinew_vec3_sub(fit->wanted.position, place_of(fit).position);
    for (int a = 0; a < fit->count; ++a) {
        bool slides = fit->axes[a].kind == SINEW_AXIS_SLIDE;
        along[a] = slides ? sinew_quat_rotate(turn_of_all(fit, 0, a), fit->axes[a].direction)
                          : sinew_vec3(0.0, 0.0, 0.0);
    }
    for (int step = 0; step < 6; ++step) {
        double slope[SINEW_MAX_AXES_PER_JOINT], size = 0.0;
        for (int a = 0; a < fit->count; ++a) {
            slope[a] = sinew_vec3_dot(along[a], miss);
            size += slope[a] * slope[a];
        }
        double share = step % 3 == 0 || !(old > 0.0) ? 0.0 : size / old;
        sinew_Vec3 moves = sinew_vec3(0.0, 0.0, 0.0);
        for (int a = 0; a < fit->count; ++a) {
            way[a] = slope[a] + share * way[a];
            moves = sinew_vec3_add_scaled(moves, along[a], way[a]);
        }
        double curvature = sinew_vec3_dot(moves, moves);
        if (!(curvature > 1e-300)) { return; } // nothing left that they could do
        double length = size / curvature;
        for (int a = 0; a < fit->count; ++a) { fit->value[a] += length * way[a]; }
        miss = sinew_vec3_add_scaled(miss, moves, -length);
        old = size;
    }
}

static void load_values(Fit *fit, const double *q)
{
    fit->ball = sinew_quat_identity();
    for (int a = 0; a < fit->count; ++a) {
        fit->value[a] = fit->axes[a].kind == SINEW_AXIS_BALL ? 0.0 : *q++;
    }
}

static void store_values(const Fit *fit, double *q)
{
    for (int a = 0; a < fit->count; ++a) {
        if (fit->axes[a].kind == SINEW_AXIS_BALL) {
            memcpy(q, &fit->ball, sizeof fit->ball);
        } else {
            *q++ = fit->value[a];
        }
    }
}

static bool is_usable(sinew_Transform t)
{
    double length2 = sinew_quat_dot(t.rotation, t.rotation);
    return sinew_vec3_is_finite(t.position) && isfinite(length2) && length2 > 1e-300;
}

// one joint; its coordinates in q are where it is near to
static sinew_Status fit_joint(const sinew_Skeleton *skeleton, int joint, sinew_Transform local,
    double *q, sinew_PoseFit *out_fit, sinew_Message *out_message)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    if (!is_usable(local)) {
        return snw_refuse(out_message,
            "the transform of joint %d (%s) has numbers that are not finite, or no rotation", joint,
            j->name);
    }
    Fit fit = { .axes = &sinew_skeleton_axes(skeleton)[j->axis_start], .count = j->axis_count };
    sinew_Quat back = sinew_quat_conjugate(j->rest_rotation);
    local.rotation = sinew_quat_normalize(local.rotation);
    fit.wanted.rotation = sinew_quat_mul(back, local.rotation);
    fit.wanted.position = sinew_quat_rotate(back, sinew_vec3_sub(local.position, j->offset));
    load_values(&fit, &q[j->coordinate_start]);
    fit_rotation(&fit);
    fit_slides(&fit);
    store_values(&fit, &q[j->coordinate_start]);

    sinew_Transform got = place_of(&fit);
    // a ball takes all that is left
    bool has_ball = fit.count > 0 && fit.axes[fit.count - 1].kind == SINEW_AXIS_BALL;
    double angle = has_ball ? 0.0 : sinew_quat_angle(got.rotation, fit.wanted.rotation);
    double way = sinew_vec3_distance(got.position, fit.wanted.position);
    if (angle > out_fit->rotation) {
        out_fit->rotation = angle;
        out_fit->rotation_joint = joint;
    }
    if (way > out_fit->position) {
        out_fit->position = way;
        out_fit->position_joint = joint;
    }
    return SINEW_STATUS_OK;
}

// where the fit starts
static void start(const sinew_Skeleton *skeleton, const double *near_q, double *out_q)
{
    int count = sinew_skeleton_coordinate_count(skeleton);
    if (near_q == NULL) {
        sinew_pose_rest(skeleton, out_q);
    } else if (near_q != out_q) {
        memcpy(out_q, near_q, (size_t)count * sizeof(double));
    }
}

static sinew_Status check(const sinew_Skeleton *skeleton, const void *transforms, const char *name,
    const double *near_q, const double *out_q, sinew_Message *out_message)
{
    if (skeleton == NULL) { return snw_refuse(out_message, "skeleton is NULL"); }
    if (transforms == NULL) { return snw_refuse(out_message, "%s is NULL", name); }
    if (out_q == NULL) { return snw_refuse(out_message, "out_q is NULL"); }
    return near_q != NULL ? sinew_pose_check(skeleton, near_q, out_message) : SINEW_STATUS_OK;
}

sinew_Status sinew_pose_from_local(const sinew_Skeleton *skeleton,
    const sinew_Transform *parent_from_joint, const double *near_q, double *out_q,
    sinew_PoseFit *out_fit, sinew_Message *out_message)
{
    sinew_Status status = check(
        skeleton, parent_from_joint, "parent_from_joint", near_q, out_q, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_PoseFit fit = { 0.0, 0.0, -1, -1 };
    start(skeleton, near_q, out_q);
    int count = sinew_skeleton_joint_count(skeleton);
    for (int j = 0; status == SINEW_STATUS_OK && j < count; ++j) {
        status = fit_joint(skeleton, j, parent_from_joint[j], out_q, &fit, out_message);
    }
    if (out_fit != NULL) { *out_fit = fit; }
    return status;
}

sinew_Status sinew_pose_from_world(const sinew_Skeleton *skeleton,
    const sinew_Transform *world_from_joint, const double *near_q, double *out_q,
    sinew_Transform *out_world_from_joint, sinew_PoseFit *out_fit, sinew_Message *out_message)
{
    sinew_Status status = check(
        skeleton, world_from_joint, "world_from_joint", near_q, out_q, out_message);
    if (status == SINEW_STATUS_OK && out_world_from_joint == NULL) {
        status = snw_refuse(out_message, "out_world_from_joint is NULL");
    }
    if (status != SINEW_STATUS_OK || out_world_from_joint == NULL) { return status; }
    sinew_PoseFit fit = { 0.0, 0.0, -1, -1 };
    start(skeleton, near_q, out_q);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = sinew_skeleton_joint_count(skeleton);
    for (int j = 0; status == SINEW_STATUS_OK && j < count; ++j) {
        sinew_Transform local = world_from_joint[j];
        bool hangs = joints[j].parent >= 0;
        sinew_Transform above = hangs ? out_world_from_joint[joints[j].parent] : local;
        if (hangs) { local = sinew_transform_mul(sinew_transform_inverse(above), local); }
        status = fit_joint(skeleton, j, local, out_q, &fit, out_message);
        if (status != SINEW_STATUS_OK) { break; }
        local = sinew_pose_local(skeleton, out_q, j);
        out_world_from_joint[j] = hangs ? sinew_transform_mul(above, local) : local;
    }
    if (out_fit != NULL) { *out_fit = fit; }
    return status;
}

void sinew_pose_to_local(
    const sinew_Skeleton *skeleton, const double *q, sinew_Transform *out_parent_from_joint)
{
    if (skeleton == NULL || q == NULL || out_parent_from_joint == NULL) { return; }
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        out_parent_from_joint[j] = sinew_pose_local(skeleton, q, j);
    }
}
