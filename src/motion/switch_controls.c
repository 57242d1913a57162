#include "motion/switch.h"

#include "math/holds.h"

// What an animator sees of a switch: rings of joints in FK, handles in IK. Bhatti et al. (2013), section 5.

// Sizes as shares of the limb's length, by eye: rings clear the limb, and what is nearer to the hand is smaller.
#define RING_SHARE 0.22
#define HANDLE_SHARE 0.15
#define POLE_SHARE 0.05
#define ROLL_SHARE 0.12

/// Controls on their way out.
typedef struct Rig {
    const sinew_Switch *sw;
    int limb;
    sinew_Control *controls;
    int count, capacity;
} Rig;

const char *sinew_control_kind_name(sinew_ControlKind kind)
{
    switch (kind) {
    case SINEW_CONTROL_RING: return "ring";
    case SINEW_CONTROL_BALL: return "ball";
    case SINEW_CONTROL_HANDLE: return "handle";
    case SINEW_CONTROL_POLE: return "pole";
    case SINEW_CONTROL_ROLL: return "roll";
    case SINEW_CONTROL_TOES: return "toes";
    }
    return "";
}

static void add(Rig *rig, sinew_ControlKind kind, int joint, int axis, sinew_Vec3 center,
    sinew_Vec3 normal, double share)
{
    sinew_Control control = { kind, rig->limb, joint, axis, center, normal,
        share * rig->sw->limbs[rig->limb].length };
    if (rig->count < rig->capacity) { rig->controls[rig->count] = control; }
    ++rig->count;
}

// the world rotation of a joint before one of its axes has turned it
static sinew_Quat frame_before(const sinew_Switch *sw, int joint, int axis)
{
    SNW_ASSERT(joint >= 0);
    SNW_ASSERT(axis >= 0);
    const sinew_Joint *own = &sinew_skeleton_joints(sw->skeleton)[joint];
    const sinew_Axis *axes = sinew_skeleton_axes(sw->skeleton);
    sinew_Quat frame = own->rest_rotation;
    if (own->parent >= 0) { frame = sinew_quat_mul(sw->world[own->parent].rotation, frame); }
    for (int a = own->axis_start; a < axis; ++a) {
        if (axes[a].kind != SINEW_AXIS_HINGE) { continue; }
        double angle = sw->shown[sinew_skeleton_axis_places(sw->skeleton)[a].coordinate];
        frame = sinew_quat_mul(frame, sinew_quat_from_axis_angle(axes[a].direction, angle));
    }
    return frame;
}

static void add_joint(Rig *rig, int joint)
{
    SNW_ASSERT(joint >= 0);
    const sinew_Switch *sw = rig->sw;
    const sinew_Joint *own = &sinew_skeleton_joints(sw->skeleton)[joint];
    sinew_Vec3 center = sw->world[joint].position, none = { 0.0, 0.0, 0.0 };
    for (int a = own->axis_start; a < own->axis_start + own->axis_count; ++a) {
        const sinew_Axis *axis = &sinew_skeleton_axes(sw->skeleton)[a];
        if (axis->kind == SINEW_AXIS_BALL) {
            add(rig, SINEW_CONTROL_BALL, joint, a, center, none, RING_SHARE);
        } else if (axis->kind == SINEW_AXIS_HINGE) {
            sinew_Vec3 normal = sinew_quat_rotate(frame_before(sw, joint, a), axis->direction);
            add(rig, SINEW_CONTROL_RING, joint, a, center, normal, RING_SHARE);
        }
    }
}

static void add_handle(Rig *rig)
{
    const snw_SwitchLimb *limb = &rig->sw->limbs[rig->limb];
    const sinew_SwitchLimb *def = &limb->def;
    const sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    snw_SwitchBasis basis = snw_switch_basis(rig->sw, limb, rig->sw->shown);
    sinew_Transform place = sinew_transform_mul(basis.target, def->tip_from_handle);
    add(rig, SINEW_CONTROL_HANDLE, def->tip, -1, place.position, none, HANDLE_SHARE);
    if (limb->has_pole) {
        add(rig, SINEW_CONTROL_POLE, def->middle, -1, basis.pole, none, POLE_SHARE);
    }
    if (!def->has_foot_roll) { return; }
    sinew_Vec3 axis = sinew_quat_rotate(basis.target.rotation, def->foot_roll.axis);
    add(rig, SINEW_CONTROL_ROLL, def->tip, -1,
        sinew_transform_point(basis.target, def->foot_roll.heel), axis, ROLL_SHARE);
    if (def->foot_roll.toe >= 0) {
        add(rig, SINEW_CONTROL_TOES, def->foot_roll.toe, -1,
            sinew_transform_point(basis.target, def->foot_roll.ball), axis, ROLL_SHARE);
    }
}

int sinew_switch_controls(const sinew_Switch *sw, sinew_Control *out_controls, int capacity)
{
    if (sw == NULL || (out_controls == NULL && capacity > 0)) { return 0; }
    Rig rig = { .sw = sw, .controls = out_controls, .capacity = capacity };
    const sinew_Joint *joints = sinew_skeleton_joints(sw->skeleton);
    for (rig.limb = 0; rig.limb < sw->limb_count; ++rig.limb) {
        const snw_SwitchLimb *limb = &sw->limbs[rig.limb];
        sinew_pose_forward_chain(sw->skeleton, sw->shown, limb->def.tip, sw->world);
        for (int j = limb->def.tip; limb->blend < 1.0 && j >= limb->def.root;
             j = joints[j].parent) {
            add_joint(&rig, j);
        }
        if (limb->blend > 0.0) { add_handle(&rig); }
    }
    return rig.count;
}
