#include "body/roles.h"

#include "base/message.h"
#include "body/stance_look.h"
#include "math/holds.h"
#include "sinew/pose.h"

// Where the body's left, up and front are, and in which pose that shows: see stance_look.h.

#define SNAP_COSINE 0.9       // 26 degrees
#define SNAP_LEFT_COSINE 0.96 // 16 degrees
#define MAX_TRUNK_COSINE 0.6  // 53 degrees: the trunk of a quadruped lies
#define MOST_PERSON_COST 1.5  // of frames; those of dogs cost 2.5 and more
#define MAX_FRONT_FOOT 0.25   // of the hip height: how far front feet may be off the ground

static const sinew_Vec3 zero_vector = { 0.0, 0.0, 0.0 };

static sinew_Vec3 at(const sinew_Transform *pose, int joint)
{
    return pose[joint].position;
}

static sinew_Vec3 middle(sinew_Vec3 a, sinew_Vec3 b)
{
    return sinew_vec3_lerp(a, b, 0.5);
}

// the joint at a part of both limbs; false when a side lacks it
static bool both(const snw_Roles *roles, snw_LimbKind kind, int part, int out_joints[2])
{
    out_joints[0] = snw_limb_first(&roles->limbs[kind][0], part);
    out_joints[1] = snw_limb_first(&roles->limbs[kind][1], part);
    return out_joints[0] >= 0 && out_joints[1] >= 0;
}

static snw_LimbKind upper_limbs(const snw_Roles *roles)
{
    bool has_arms = snw_limb_exists(&roles->limbs[SNW_LIMB_ARM][0]);
    return has_arms ? SNW_LIMB_ARM : SNW_LIMB_FRONT;
}

// the lowest joints of both limbs; false when a limb is missing
static bool tips(const snw_Roles *roles, snw_LimbKind kind, int out_joints[2])
{
    for (int s = 0; s < 2; ++s) {
        out_joints[s] = snw_limb_tip(&roles->limbs[kind][s]);
        if (out_joints[s] < 0) { return false; }
    }
    return true;
}

// the middle between the roots of the arms, or their joints where the roots are the same
static bool shoulders(const snw_Roles *roles, const sinew_Transform *pose, sinew_Vec3 *out_point)
{
    snw_LimbKind kind = upper_limbs(roles);
    int left = snw_limb_top(&roles->limbs[kind][0]), right = snw_limb_top(&roles->limbs[kind][1]);
    if (left < 0 || right < 0) { return false; }
    *out_point = middle(at(pose, left), at(pose, right));
    return true;
}

static bool hip_middle(const snw_Roles *roles, const sinew_Transform *pose, sinew_Vec3 *out_point)
{
    int thighs[2];
    if (!both(roles, SNW_LIMB_LEG, 0, thighs)) { return false; }
    *out_point = middle(at(pose, thighs[0]), at(pose, thighs[1]));
    return true;
}

static bool foot_middle(const snw_Roles *roles, const sinew_Transform *pose, sinew_Vec3 *out_point)
{
    int feet[2];
    if (!both(roles, SNW_LIMB_LEG, 2, feet) && !tips(roles, SNW_LIMB_LEG, feet)) { return false; }
    *out_point = middle(at(pose, feet[0]), at(pose, feet[1]));
    return true;
}

// ---------------------------------------------------------------------------------------------
// Facing

static sinew_Vec3 across(sinew_Vec3 v, sinew_Vec3 up)
{
    v = sinew_vec3_add_scaled(v, up, -sinew_vec3_dot(v, up));
    return sinew_vec3_normalize_or(v, zero_vector);
}

// forward of a body that does not show it
static sinew_Vec3 assumed_forward(const snw_Roles *roles, sinew_Vec3 up)
{
    sinew_Vec3 forward = { 0.0, 0.0, 1.0 };
    if (fabs(up.z) > 0.5) { forward = sinew_vec3(0.0, up.z > 0.0 ? -1.0 : 1.0, 0.0); }
    if (roles->options.is_robot && fabs(up.x) < 0.5) { forward = sinew_vec3(1.0, 0.0, 0.0); }
    return across(forward, up);
}

// left minus right of whatever comes in pairs, sides as they are named now
static sinew_Vec3 named_left(const snw_Roles *roles, const sinew_Transform *pose)
{
    sinew_Vec3 sum = zero_vector;
    for (int k = 0; k < SNW_LIMB_COUNT; ++k) {
        for (int p = 0; p < 3; ++p) {
            int joints[2];
            if (!both(roles, (snw_LimbKind)k, p, joints)) { continue; }
            sum = sinew_vec3_add(sum, sinew_vec3_sub(at(pose, joints[0]), at(pose, joints[1])));
        }
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------

static bool lies_on_fours(const snw_Roles *roles, const sinew_Transform *pose, sinew_Vec3 *out_up)
{
    sinew_Vec3 top, hips, feet;
    int hands[2];
    if (!shoulders(roles, pose, &top) || !hip_middle(roles, pose, &hips)
        || !foot_middle(roles, pose, &feet) || !tips(roles, upper_limbs(roles), hands)) {
        return false;
    }
    sinew_Vec3 front = middle(at(pose, hands[0]), at(pose, hands[1]));
    sinew_Vec3 up = sinew_vec3_sub(middle(top, hips), middle(front, feet));
    up = sinew_vec3_normalize_or(up, zero_vector);
    int thigh = snw_limb_first(&roles->limbs[SNW_LIMB_LEG][0], 0);
    double leg = snw_roles_distance(roles, thigh, snw_limb_tip(&roles->limbs[SNW_LIMB_LEG][0]));
    double hip_height = sinew_vec3_dot(sinew_vec3_sub(hips, feet), up);
    double front_height = sinew_vec3_dot(sinew_vec3_sub(front, feet), up);
    sinew_Vec3 trunk = sinew_vec3_normalize_or(sinew_vec3_sub(top, hips), zero_vector);
    *out_up = up;
    return hip_height > 0.5 * leg && fabs(front_height) <= MAX_FRONT_FOOT * hip_height
        && fabs(sinew_vec3_dot(trunk, up)) < MAX_TRUNK_COSINE;
}

static void set_axes(snw_Roles *roles, sinew_Vec3 up, sinew_Vec3 forward, sinew_Vec3 left)
{
    SNW_ASSERT(snw_holds_direction(up));
    SNW_ASSERT(snw_holds_direction(forward));
    SNW_ASSERT(snw_holds_direction(left));
    up = snw_nearest_axis(up, SNAP_COSINE);
    roles->up = up;
    roles->left = snw_nearest_axis(across(left, up), SNAP_LEFT_COSINE);
    if (sinew_vec3_length(roles->left) < 0.5) { roles->left = sinew_vec3_cross(up, forward); }
    roles->left = across(roles->left, up);
    roles->forward = sinew_vec3_cross(roles->left, up);
}

// sides of limbs that were found by shape follow from the facing
static void set_sides(snw_Roles *roles, sinew_Vec3 left)
{
    SNW_ASSERT(snw_holds_direction(left));
    for (int k = 0; k < SNW_LIMB_COUNT; ++k) {
        if (!roles->limb_by_shape[k]) { continue; }
        double sum = 0.0;
        for (int p = 0; p < SNW_LIMB_PARTS; ++p) {
            int joints[2];
            if (!both(roles, (snw_LimbKind)k, p, joints)) { continue; }
            sinew_Vec3 apart = sinew_vec3_sub(
                at(roles->look, joints[0]), at(roles->look, joints[1]));
            sum += sinew_vec3_dot(apart, left);
        }
        if (sum >= 0.0) { continue; }
        snw_Limb swap = roles->limbs[k][0];
        roles->limbs[k][0] = roles->limbs[k][1];
        roles->limbs[k][1] = swap;
    }
}

static void orient_figure(snw_Roles *roles, const snw_StanceLook *seen)
{
    sinew_Vec3 up = seen->reference < 0 ? seen->rest_up : seen->up;
    sinew_Vec3 by_name = across(named_left(roles, roles->look), up);
    roles->faces = fabs(seen->sides) >= SNW_CLEAR_SIDES;
    bool is_mirrored = seen->sides <= -SNW_CLEAR_SIDES;
    if (roles->limb_by_shape[SNW_LIMB_LEG]) {
        sinew_Vec3 left = is_mirrored ? sinew_vec3_scale(by_name, -1.0) : by_name;
        if (!roles->faces) {
            left = sinew_vec3_cross(up, assumed_forward(roles, up));
            snw_message_set(snw_roles_doubt(roles, 0.25),
                "the feet show no facing, so left and right are assumed");
        }
        set_sides(roles, left);
        by_name = across(named_left(roles, roles->look), up);
    } else if (is_mirrored) {
        snw_message_set(snw_roles_doubt(roles, 0.15),
            "the rig is mirrored: joints called left are on the right, names are kept");
        by_name = sinew_vec3_scale(by_name, -1.0);
    }
    const sinew_Vec3 forward = assumed_forward(roles, up);
    // limbs that all begin in one line have no side
    if (sinew_vec3_length(by_name) < 0.5) { by_name = sinew_vec3_cross(up, forward); }
    set_axes(roles, up, forward, by_name);
}

// nothing to see: the names' left, and the world's up
static void orient_by_custom(snw_Roles *roles)
{
    sinew_Vec3 up = roles->options.is_robot ? sinew_vec3(0.0, 0.0, 1.0) : sinew_vec3(0.0, 1.0, 0.0);
    sinew_Vec3 forward = assumed_forward(roles, up);
    sinew_Vec3 left = across(named_left(roles, roles->look), up);
    if (sinew_vec3_length(left) < 0.5) { left = sinew_vec3_cross(up, forward); }
    set_axes(roles, up, forward, left);
}

static void orient_quadruped(snw_Roles *roles, sinew_Vec3 up)
{
    SNW_ASSERT(snw_holds_direction(up));
    sinew_Vec3 top, hips;
    if (!shoulders(roles, roles->look, &top) || !hip_middle(roles, roles->look, &hips)) {
        orient_by_custom(roles);
        return;
    }
    up = snw_nearest_axis(up, SNAP_COSINE);
    sinew_Vec3 forward = across(sinew_vec3_sub(top, hips), up);
    set_sides(roles, sinew_vec3_cross(up, forward));
    set_axes(roles, up, forward, sinew_vec3_cross(up, forward));
    roles->faces = true;
}

// the first joint of each part; what ends a limb stands for a part that is missing
static void set_keys(const snw_Roles *roles, snw_StanceKeys *keys)
{
    for (int s = 0; s < 2; ++s) {
        const snw_Limb *leg = &roles->limbs[SNW_LIMB_LEG][s];
        const snw_Limb *arm = &roles->limbs[upper_limbs(roles)][s];
        int *joint = keys->joint[s];
        for (int k = 0; k < 3; ++k) { joint[SNW_KEY_UPPERARM + k] = snw_limb_first(arm, 1 + k); }
        for (int k = 0; k < 4; ++k) { joint[SNW_KEY_THIGH + k] = snw_limb_first(leg, k); }
        if (joint[SNW_KEY_UPPERARM] < 0) { joint[SNW_KEY_UPPERARM] = snw_limb_top(arm); }
        if (joint[SNW_KEY_FOOT] < 0) { joint[SNW_KEY_FOOT] = snw_limb_tip(leg); }
    }
}

// It has front legs, or neither the rest pose nor any frame is anything like a person that stands. A dog's hind
// legs and shoulders alone may look like one.
static bool stands_on_fours(snw_Roles *roles, const snw_StanceLook *seen, sinew_Vec3 *out_up)
{
    bool lies = lies_on_fours(roles, roles->rest, out_up);
    if (snw_limb_exists(&roles->limbs[SNW_LIMB_FRONT][0]) && sinew_vec3_length(*out_up) > 0.5) {
        return true;
    }
    return lies && seen->reference != -1 && !(seen->frame_cost < MOST_PERSON_COST);
}

bool snw_roles_find_directions(snw_Roles *roles, const sinew_Allocator *allocator)
{
    snw_StanceLook seen;
    sinew_Vec3 up = zero_vector;
    set_keys(roles, &seen.keys);
    if (!snw_stance_look(roles->skeleton, roles->options.motion, allocator, &seen)) {
        return false;
    }
    bool is_four = stands_on_fours(roles, &seen, &up);
    if (!is_four && seen.reference >= 0) {
        size_t width = (size_t)sinew_skeleton_coordinate_count(roles->skeleton);
        sinew_pose_forward(roles->skeleton,
            roles->options.motion->q + (size_t)seen.reference * width, roles->moved);
        roles->look = roles->moved;
        roles->guess->reference_frame = seen.reference;
    }
    if (is_four) {
        roles->guess->kind = SINEW_BODY_QUADRUPED;
        orient_quadruped(roles, up);
    } else if (seen.reference != SNW_NO_REFERENCE) {
        orient_figure(roles, &seen);
    } else {
        orient_by_custom(roles);
        if (snw_limb_exists(&roles->limbs[SNW_LIMB_LEG][0])) {
            snw_message_set(snw_roles_doubt(roles, roles->limb_by_shape[SNW_LIMB_LEG] ? 0.3 : 0.05),
                "the rest pose is no standing figure, so directions are assumed");
        }
    }
    snw_stance_look_free(&seen);
    return true;
}
