#include "motion/switch.h"

#include "base/compiler.h"
#include "math/holds.h"

// Where the handle of a limb is in a pose, and what a handle asks of its limb: one reads the other backwards.
// Source: Bhatti et al. (2013), section 2: the effector is put where the end joint is.

// A foot whose sole stands on edge has no pitch: below this, unit, its roll is 0.
#define LEAST_SLOPE 1e-6

// one after the other; called, as most of the handle is these
static SNW_NEVER_INLINE sinew_Transform join(sinew_Transform a, sinew_Transform b)
{
    return sinew_transform_mul(a, b);
}

// the frame of a joint's parent; that of the world above roots
static sinew_Transform parent_frame(
    const sinew_Skeleton *skeleton, int joint, const sinew_Transform *world)
{
    int parent = sinew_skeleton_joints(skeleton)[joint].parent;
    return parent >= 0 ? world[parent] : sinew_transform_identity();
}

static sinew_Transform reference_frame(const sinew_SwitchLimb *def, const sinew_Transform *world)
{
    return def->reference >= 0 ? world[def->reference] : sinew_transform_identity();
}

// poses the joints on the limb's way to the root, and on its reference's and its toes'
static void pose_limb(const sinew_Skeleton *skeleton, const sinew_SwitchLimb *def, const double *q,
    sinew_Transform *world)
{
    sinew_pose_forward_chain(skeleton, q, def->tip, world);
    if (def->reference >= 0) { sinew_pose_forward_chain(skeleton, q, def->reference, world); }
    if (def->has_foot_roll && def->foot_roll.toe >= 0) {
        sinew_pose_forward_chain(skeleton, q, def->foot_roll.toe, world);
    }
}

// how far the heel is lifted: the pitch of the line from heel to ball, which is level when the foot is flat
static double roll_of(const sinew_FootRoll *roll, sinew_Quat world_from_tip)
{
    SNW_ASSERT(snw_holds_unit(world_from_tip));
    sinew_Vec3 along = sinew_vec3_sub(roll->ball, roll->heel);
    along = sinew_vec3_add_scaled(along, roll->axis, -sinew_vec3_dot(along, roll->axis));
    sinew_Vec3 ahead = sinew_quat_rotate(
        world_from_tip, sinew_vec3_normalize_or(along, sinew_vec3(0.0, 0.0, 0.0)));
    sinew_Vec3 down = sinew_vec3_cross(sinew_quat_rotate(world_from_tip, roll->axis), ahead);
    if (fabs(ahead.y) + fabs(down.y) < LEAST_SLOPE) { return 0.0; }
    return sinew_atan2(-ahead.y, -down.y);
}

// turn a foot about its ball or its heel, which stays where it is
static sinew_Transform roll_foot(
    const sinew_FootRoll *roll, sinew_Transform world_from_tip, double turn, bool about_ball)
{
    SNW_ASSERT(snw_holds_rigid(world_from_tip));
    sinew_Vec3 pivot = about_ball ? roll->ball : roll->heel;
    sinew_Transform r;
    r.rotation = sinew_quat_normalize(
        sinew_quat_mul(world_from_tip.rotation, sinew_quat_from_axis_angle(roll->axis, turn)));
    r.position = sinew_vec3_sub(
        sinew_transform_point(world_from_tip, pivot), sinew_quat_rotate(r.rotation, pivot));
    return r;
}

static sinew_Transform flat_foot(
    const sinew_SwitchLimb *def, sinew_Transform world_from_tip, double roll)
{
    if (!def->has_foot_roll) { return world_from_tip; }
    return roll_foot(&def->foot_roll, world_from_tip, -roll, roll > 0.0);
}

// the side the middle joint is on, world, at right angles to the line from root to tip, and how far it stands
// off that line
static double bend_of(const snw_SwitchLimb *limb, const sinew_Transform *world, sinew_Vec3 handle,
    sinew_Vec3 *out_foot, sinew_Vec3 *out_side)
{
    sinew_Vec3 root = world[limb->def.root].position, middle = world[limb->def.middle].position;
    sinew_Vec3 line = sinew_vec3_sub(handle, root), arm = sinew_vec3_sub(middle, root);
    double square = sinew_vec3_dot(line, line);
    double share = square > 0.0 ? sinew_vec3_dot(arm, line) / square : 0.0;
    sinew_Vec3 across = sinew_vec3_add_scaled(arm, line, -share);
    *out_foot = sinew_vec3_add_scaled(root, line, share);
    *out_side = sinew_vec3_normalize_or(across, sinew_vec3(0.0, 0.0, 0.0));
    return sinew_vec3_length(across);
}

sinew_Handle snw_switch_derive(
    const sinew_Switch *sw, const snw_SwitchLimb *limb, const double *q, sinew_Vec3 *out_side)
{
    const sinew_SwitchLimb *def = &limb->def;
    sinew_Transform *world = sw->world;
    pose_limb(sw->skeleton, def, q, world);
    sinew_Transform world_from_tip = world[def->tip];
    sinew_Handle handle = { .foot_roll = 0.0, .toe = sinew_quat_identity() };
    if (def->has_foot_roll) {
        handle.foot_roll = roll_of(&def->foot_roll, world_from_tip.rotation);
    }
    sinew_Transform flat = flat_foot(def, world_from_tip, handle.foot_roll);
    if (def->has_foot_roll && def->foot_roll.toe >= 0) {
        handle.toe = sinew_quat_mul(
            sinew_quat_conjugate(flat.rotation), world[def->foot_roll.toe].rotation);
    }

    *out_side = limb->side;
    sinew_Vec3 pole = world_from_tip.position;
    if (limb->has_pole) {
        sinew_Transform hung = parent_frame(sw->skeleton, def->root, world);
        sinew_Vec3 foot, side;
        sinew_Vec3 tip = sinew_transform_point(world_from_tip, def->tip_from_handle.position);
        if (bend_of(limb, world, tip, &foot, &side) > SNW_STRAIGHT_SHARE * limb->length) {
            *out_side = sinew_quat_rotate(sinew_quat_conjugate(hung.rotation), side);
        } else {
            side = sinew_quat_rotate(hung.rotation, limb->side);
        }
        pole = sinew_vec3_add_scaled(foot, side, limb->length);
    }

    sinew_Transform reference_from_world = sinew_transform_inverse(reference_frame(def, world));
    handle.place = join(reference_from_world, join(flat, def->tip_from_handle));
    handle.pole = sinew_transform_point(reference_from_world, pole);
    return handle;
}

snw_SwitchBasis snw_switch_basis(
    const sinew_Switch *sw, const snw_SwitchLimb *limb, const double *q)
{
    const sinew_SwitchLimb *def = &limb->def;
    pose_limb(sw->skeleton, def, q, sw->world);
    sinew_Transform reference = reference_frame(def, sw->world);
    sinew_Transform flat = join(
        join(reference, limb->handle.place), sinew_transform_inverse(def->tip_from_handle));
    snw_SwitchBasis basis = { .world_from_parent = parent_frame(sw->skeleton, def->root, sw->world),
        .target = flat,
        .pole = sinew_transform_point(reference, limb->handle.pole),
        .toe = sinew_quat_normalize(sinew_quat_mul(flat.rotation, limb->handle.toe)) };
    if (def->has_foot_roll) {
        double roll = limb->handle.foot_roll;
        basis.target = roll_foot(&def->foot_roll, flat, roll, roll > 0.0);
    }
    return basis;
}

snw_SwitchBasis snw_switch_stand(sinew_Switch *sw, snw_SwitchLimb *limb, const double *q)
{
    sinew_Vec3 side;
    limb->handle = snw_switch_derive(sw, limb, q, &side);
    return snw_switch_basis(sw, limb, q);
}
