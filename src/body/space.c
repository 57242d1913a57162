#include "sinew/space.h"

#include "base/message.h"

// A space is a signed permutation of axes: its right, up and forward go to -x, y and z of sinew, as a
// character that looks along +z with y up has its right hand at -x. Nothing is rounded but by the unit.
typedef struct Axes {
    int place[3];   // of right, up, forward in a vector of the space
    double sign[3]; // and their signs there
    double mirror;  // -1 when the hands differ
    double unit;
} Axes;

static int axis_of(sinew_Direction direction)
{
    return (int)direction % 3;
}

static double sign_of(sinew_Direction direction)
{
    return (int)direction >= 3 ? -1.0 : 1.0;
}

static bool is_direction(sinew_Direction direction)
{
    return (int)direction >= 0 && (int)direction < 6;
}

sinew_Space sinew_space_preset(sinew_SpacePreset preset)
{
    sinew_Space r = { SINEW_DIRECTION_Y, SINEW_DIRECTION_Z, false, 1.0 };
    switch (preset) {
    case SINEW_SPACE_UNREAL:
        r = (sinew_Space){ SINEW_DIRECTION_Z, SINEW_DIRECTION_X, true, 0.01 };
        break;
    case SINEW_SPACE_UNITY: r.left_handed = true; break;
    case SINEW_SPACE_BLENDER:
        r.up = SINEW_DIRECTION_Z;
        r.forward = SINEW_DIRECTION_MINUS_Y;
        break;
    case SINEW_SPACE_ROS:
        r.up = SINEW_DIRECTION_Z;
        r.forward = SINEW_DIRECTION_X;
        break;
    case SINEW_SPACE_SINEW:
    case SINEW_SPACE_GODOT:
    case SINEW_SPACE_GLTF: break;
    }
    return r;
}

sinew_Status sinew_space_check(const sinew_Space *space, sinew_Message *out_message)
{
    if (space == NULL) { return snw_refuse(out_message, "space is NULL"); }
    if (!is_direction(space->up)) {
        return snw_refuse(out_message, "space.up is %d, want a direction", (int)space->up);
    }
    if (!is_direction(space->forward)) {
        return snw_refuse(
            out_message, "space.forward is %d, want a direction", (int)space->forward);
    }
    if (axis_of(space->up) == axis_of(space->forward)) {
        return snw_refuse(out_message, "space.up and space.forward are along the same axis");
    }
    if (!(space->unit > 0.0) || !isfinite(space->unit)) {
        return snw_refuse(out_message, "space.unit is %g, want metres > 0", space->unit);
    }
    return SINEW_STATUS_OK;
}

static Axes axes_of(const sinew_Space *space)
{
    // sinew's own
    Axes r = { { 0, 1, 2 }, { -1.0, 1.0, 1.0 }, 1.0, 1.0 };
    if (sinew_space_check(space, NULL) != SINEW_STATUS_OK) { return r; }
    int up = axis_of(space->up), forward = axis_of(space->forward), right = 3 - up - forward;
    // right is forward x up of a right hand, up x forward of a left one
    double cyclic = (forward + 1) % 3 == up ? 1.0 : -1.0;
    double side = cyclic * sign_of(space->up) * sign_of(space->forward);
    r.place[0] = right;
    r.place[1] = up;
    r.place[2] = forward;
    r.sign[0] = space->left_handed ? -side : side;
    r.sign[1] = sign_of(space->up);
    r.sign[2] = sign_of(space->forward);
    r.mirror = space->left_handed ? -1.0 : 1.0;
    r.unit = space->unit;
    return r;
}

// the sign alone
static double times_sign(double x, double sign)
{
    return sign < 0.0 ? -x : x;
}

static sinew_Vec3 turn_in(const Axes *axes, sinew_Vec3 v)
{
    double a[3] = { v.x, v.y, v.z }, r[3];
    for (int i = 0; i < 3; ++i) { r[i] = times_sign(a[axes->place[i]], axes->sign[i]); }
    return sinew_vec3(-r[0], r[1], r[2]);
}

static sinew_Vec3 turn_out(const Axes *axes, sinew_Vec3 v)
{
    double a[3] = { -v.x, v.y, v.z }, r[3];
    for (int i = 0; i < 3; ++i) { r[axes->place[i]] = times_sign(a[i], axes->sign[i]); }
    return sinew_vec3(r[0], r[1], r[2]);
}

// what a mirror does to the direction of a turn
static sinew_Vec3 mirrored(const Axes *axes, sinew_Vec3 v)
{
    return axes->mirror < 0.0 ? sinew_vec3(-v.x, -v.y, -v.z) : v;
}

sinew_Vec3 sinew_point_from_space(const sinew_Space *space, sinew_Vec3 point)
{
    Axes axes = axes_of(space);
    return sinew_vec3_scale(turn_in(&axes, point), axes.unit);
}

sinew_Vec3 sinew_point_to_space(const sinew_Space *space, sinew_Vec3 point)
{
    Axes axes = axes_of(space);
    sinew_Vec3 r = turn_out(&axes, point);
    return sinew_vec3(r.x / axes.unit, r.y / axes.unit, r.z / axes.unit);
}

sinew_Vec3 sinew_direction_from_space(const sinew_Space *space, sinew_Vec3 direction)
{
    Axes axes = axes_of(space);
    return turn_in(&axes, direction);
}

sinew_Vec3 sinew_direction_to_space(const sinew_Space *space, sinew_Vec3 direction)
{
    Axes axes = axes_of(space);
    return turn_out(&axes, direction);
}

sinew_Vec3 sinew_hinge_from_space(const sinew_Space *space, sinew_Vec3 direction)
{
    Axes axes = axes_of(space);
    return mirrored(&axes, turn_in(&axes, direction));
}

sinew_Vec3 sinew_hinge_to_space(const sinew_Space *space, sinew_Vec3 direction)
{
    Axes axes = axes_of(space);
    return mirrored(&axes, turn_out(&axes, direction));
}

sinew_Quat sinew_rotation_from_space(const sinew_Space *space, sinew_Quat rotation)
{
    sinew_Vec3 v = sinew_hinge_from_space(space, sinew_vec3(rotation.x, rotation.y, rotation.z));
    sinew_Quat r = { v.x, v.y, v.z, rotation.w };
    return r;
}

sinew_Quat sinew_rotation_to_space(const sinew_Space *space, sinew_Quat rotation)
{
    sinew_Vec3 v = sinew_hinge_to_space(space, sinew_vec3(rotation.x, rotation.y, rotation.z));
    sinew_Quat r = { v.x, v.y, v.z, rotation.w };
    return r;
}

sinew_Transform sinew_transform_from_space(const sinew_Space *space, sinew_Transform transform)
{
    sinew_Transform r = { sinew_point_from_space(space, transform.position),
        sinew_rotation_from_space(space, transform.rotation) };
    return r;
}

sinew_Transform sinew_transform_to_space(const sinew_Space *space, sinew_Transform transform)
{
    sinew_Transform r = { sinew_point_to_space(space, transform.position),
        sinew_rotation_to_space(space, transform.rotation) };
    return r;
}

// ---------------------------------------------------------------------------------------------
// Definitions of joints

static sinew_Axis convert_axis(const sinew_Space *space, sinew_Axis axis, bool inward, double unit)
{
    if (axis.kind == SINEW_AXIS_HINGE) {
        axis.direction = inward ? sinew_hinge_from_space(space, axis.direction)
                                : sinew_hinge_to_space(space, axis.direction);
    } else if (axis.kind == SINEW_AXIS_SLIDE) {
        axis.direction = inward ? sinew_direction_from_space(space, axis.direction)
                                : sinew_direction_to_space(space, axis.direction);
        axis.lower = inward ? axis.lower * unit : axis.lower / unit;
        axis.upper = inward ? axis.upper * unit : axis.upper / unit;
        axis.rest = inward ? axis.rest * unit : axis.rest / unit;
    }
    return axis;
}

static sinew_JointDef convert_joint(
    const sinew_Space *space, const sinew_JointDef *joint, sinew_Axis *out_axes, bool inward)
{
    if (joint == NULL) { return sinew_joint_def_default(); }
    sinew_JointDef r = *joint;
    Axes axes = axes_of(space);
    sinew_Transform rest = { joint->offset, joint->rest_rotation };
    rest = inward ? sinew_transform_from_space(space, rest) : sinew_transform_to_space(space, rest);
    r.offset = rest.position;
    r.rest_rotation = rest.rotation;
    r.mass_center = inward ? sinew_point_from_space(space, joint->mass_center)
                           : sinew_point_to_space(space, joint->mass_center);
    if (joint->axes == NULL || out_axes == NULL) { return r; }
    for (int a = 0; a < joint->axis_count; ++a) {
        out_axes[a] = convert_axis(space, joint->axes[a], inward, axes.unit);
    }
    r.axes = out_axes;
    return r;
}

sinew_JointDef sinew_joint_def_from_space(
    const sinew_Space *space, const sinew_JointDef *joint, sinew_Axis *out_axes)
{
    return convert_joint(space, joint, out_axes, true);
}

sinew_JointDef sinew_joint_def_to_space(
    const sinew_Space *space, const sinew_JointDef *joint, sinew_Axis *out_axes)
{
    return convert_joint(space, joint, out_axes, false);
}
