#include "scenes/reckoning.h"

#include <math.h>

typedef struct Turn {
    long double x, y, z, w;
} Turn;

typedef struct Place {
    long double x, y, z;
} Place;

static Turn turn_of(sinew_Quat q)
{
    long double length = sqrtl((long double)q.x * q.x + (long double)q.y * q.y
        + (long double)q.z * q.z + (long double)q.w * q.w);
    Turn r = { q.x / length, q.y / length, q.z / length, q.w / length };
    return r;
}

static Turn times(Turn a, Turn b)
{
    Turn r = { a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z };
    return r;
}

// at + the point turned: the plain product q p q*
static Place moved(Place at, Turn turn, sinew_Vec3 point)
{
    Turn p = { point.x, point.y, point.z, 0.0L };
    Turn back = { -turn.x, -turn.y, -turn.z, turn.w };
    Turn r = times(times(turn, p), back);
    Place place = { at.x + r.x, at.y + r.y, at.z + r.z };
    return place;
}

static void move_by_axis(const sinew_Axis *axis, const double *value, Place *place, Turn *turn)
{
    switch (axis->kind) {
    case SINEW_AXIS_SLIDE:
        *place = moved(*place, *turn, sinew_vec3_scale(axis->direction, value[0]));
        break;
    case SINEW_AXIS_HINGE: {
        long double s = sinl(0.5L * value[0]), c = cosl(0.5L * value[0]);
        Turn hinge = { s * axis->direction.x, s * axis->direction.y, s * axis->direction.z, c };
        *turn = times(*turn, hinge);
        break;
    }
    case SINEW_AXIS_BALL: {
        sinew_Quat ball = { value[0], value[1], value[2], value[3] };
        *turn = times(*turn, turn_of(ball));
        break;
    }
    }
}

sinew_Transform scene_reckon(
    const sinew_Skeleton *skeleton, const double *q, int joint, sinew_Transform joint_from_effector)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    // the joints that follow an ancestor of the joint and do not hold it are jumped over
    Place place = { 0.0L, 0.0L, 0.0L };
    Turn turn = { 0.0L, 0.0L, 0.0L, 1.0L };
    for (int j = 0; j <= joint;) {
        if (joint >= j + joints[j].subtree_count) {
            j += joints[j].subtree_count;
            continue;
        }
        place = moved(place, turn, joints[j].offset);
        turn = times(turn, turn_of(joints[j].rest_rotation));
        for (int a = joints[j].axis_start; a < joints[j].axis_start + joints[j].axis_count; ++a) {
            move_by_axis(&axes[a], &q[places[a].coordinate], &place, &turn);
        }
        ++j;
    }
    place = moved(place, turn, joint_from_effector.position);
    turn = times(turn, turn_of(joint_from_effector.rotation));
    sinew_Transform r = { { (double)place.x, (double)place.y, (double)place.z },
        { (double)turn.x, (double)turn.y, (double)turn.z, (double)turn.w } };
    return r;
}

double scene_reckon_angle(sinew_Quat a, sinew_Quat b)
{
    Turn p = turn_of(a), q = turn_of(b);
    Turn back = { -p.x, -p.y, -p.z, p.w };
    Turn d = times(back, q);
    return (double)(2.0L * atan2l(sqrtl(d.x * d.x + d.y * d.y + d.z * d.z), fabsl(d.w)));
}

double scene_reckon_violation(
    const sinew_Skeleton *skeleton, const double *q, int first_axis, int last_axis)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    double worst = 0.0;
    for (int a = first_axis; a <= last_axis; ++a) {
        const double *value = &q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_BALL) {
            if (axes[a].limit == NULL) { continue; }
            sinew_Quat ball = { value[0], value[1], value[2], value[3] };
            worst = fmax(worst, sinew_ball_limit_violation(axes[a].limit, ball));
        } else {
            worst = fmax(worst, fmax(axes[a].lower - value[0], value[0] - axes[a].upper));
        }
    }
    return worst;
}
