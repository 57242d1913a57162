// Where the head looks and what arms carry, followed softly, and how a pose of the game is laid over the walk.

#include "walk/walk_layer.h"

#include "body/pose.h"
#include "math/quat.h"

// The head is so far above the hips, L: for where a look begins.
#define HEAD_HEIGHT 0.8
// Heads turn this fast to what they look at, and arms to what they carry, 1/s: there within 0.3 s.
#define LOOK_OMEGA 12.0
#define CARRY_OMEGA 10.0
#define BEHIND 2.5 // radians
// Arms that carry: upper arms ahead and elbows bent, radians; hands before the waist.
#define CARRY_ARM 0.30
#define CARRY_ELBOW 1.35

sinew_WalkLayer sinew_walk_layer_default(void)
{
    sinew_WalkLayer layer = { NULL, NULL, 0.0 };
    return layer;
}

sinew_Status snw_layer_check(
    const sinew_Skeleton *skeleton, const sinew_WalkLayer *layer, sinew_Message *message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (!(layer->weight >= 0.0 && layer->weight <= 1.0)) {
        return snw_fail(message, bad, "layer.weight is %g, want 0..1", layer->weight);
    }
    for (int j = 0; layer->mask != NULL && j < sinew_skeleton_joint_count(skeleton); ++j) {
        if (!(layer->mask[j] >= 0.0 && layer->mask[j] <= 1.0)) {
            return snw_fail(message, bad, "layer.mask[%d] is %g, want 0..1", j, layer->mask[j]);
        }
    }
    return SINEW_STATUS_OK;
}

bool snw_layer_is_finite(const sinew_Skeleton *skeleton, const sinew_WalkLayer *layer)
{
    if (layer->pose == NULL || layer->weight <= 0.0) { return true; }
    for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
        if (!isfinite(layer->pose[c])) { return false; }
    }
    return true;
}

static void look_on(const snw_WalkBody *body, const sinew_Drive *drive, double dt, snw_Look *look,
    snw_WalkTarget *target)
{
    snw_follower_step(&look->weight, drive->has_look ? 1.0 : 0.0, LOOK_OMEGA, dt);
    double weight = snw_clamp(look->weight.value, 0.0, 1.0);
    if (!drive->has_look && weight < 1e-4) { return; }
    const sinew_Quat frame = sinew_quat_from_axis_angle(snw_up_axis, target->heading);
    if (drive->has_look) {
        sinew_Vec3 up = snw_up_of(target->chest);
        sinew_Vec3 head = sinew_vec3_add_scaled(
            target->hips.position, up, HEAD_HEIGHT * body->length);
        // against the heading: chests turn with each step, what is looked at does not
        sinew_Vec3 way = sinew_quat_rotate(
            sinew_quat_conjugate(frame), sinew_vec3_sub(drive->look_at, head));
        double yaw = sinew_atan2(way.x, way.z);
        double pitch = sinew_atan2(-way.y, sqrt(way.x * way.x + way.z * way.z));
        // what is behind does not turn the head from side to side
        if (fabs(yaw) > BEHIND && yaw * look->yaw.value < 0.0) { yaw = -yaw; }
        double size = sqrt(yaw * yaw + pitch * pitch);
        double part = size > drive->look_bound ? drive->look_bound / size : 1.0;
        snw_follower_step(&look->yaw, part * yaw, LOOK_OMEGA, dt);
        snw_follower_step(&look->pitch, part * pitch, LOOK_OMEGA, dt);
    }
    if (weight < 1e-4) { return; }
    sinew_Quat turn = snw_quat_on_x(
        sinew_quat_from_axis_angle(snw_up_axis, look->yaw.value), look->pitch.value);
    target->head = sinew_quat_slerp(target->head, snw_quat_mul(frame, turn), weight);
}

void snw_layer_aim(const snw_WalkBody *body, const sinew_Drive *drive, double dt, snw_Look *look,
    snw_WalkTarget *target)
{
    look_on(body, drive, dt, look, target);
    snw_follower_step(&look->carry, drive->carry, CARRY_OMEGA, dt);
    double carry = snw_clamp(look->carry.value, 0.0, 1.0);
    if (carry < 1e-4) { return; }
    sinew_Quat upper = snw_quat_on_x(target->chest, -CARRY_ARM);
    sinew_Quat fore = snw_quat_on_x(upper, -CARRY_ELBOW);
    for (int side = 0; side < 2; ++side) {
        target->upper_arm[side] = sinew_quat_slerp(target->upper_arm[side], upper, carry);
        target->forearm[side] = sinew_quat_slerp(target->forearm[side], fore, carry);
        target->hand[side] = sinew_quat_slerp(target->hand[side], fore, carry);
    }
}

/// Whether a joint is the root's or of a leg: the walk keeps it.
static bool is_kept(const snw_WalkBody *body, const sinew_Joint *joints, int joint)
{
    const int carrier = body->joints[body->carrier].joint;
    if (sinew_skeleton_is_ancestor(body->skeleton, joint, carrier)) { return true; }
    for (; joint >= 0; joint = joints[joint].parent) {
        for (int i = 0; i < body->leg_count; ++i) {
            if (joint == body->legs[i].def.hip) { return true; }
        }
    }
    return false;
}

void snw_layer_blend(const snw_WalkBody *body, const sinew_WalkLayer *layer, double *q)
{
    if (layer->pose == NULL || layer->weight <= 0.0) { return; }
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    int count = sinew_skeleton_joint_count(body->skeleton);
    for (int j = 0; j < count; ++j) {
        double share = layer->weight * (layer->mask != NULL ? layer->mask[j] : 1.0);
        if (share <= 0.0 || is_kept(body, joints, j)) { continue; }
        const sinew_Joint *joint = &joints[j];
        snw_pose_mix(
            body->skeleton, joint->axis_start, joint->axis_count, q, layer->pose, share, q);
    }
}
