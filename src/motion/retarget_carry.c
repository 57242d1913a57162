// Carries one pose over by turns against the stance, and brings legs and arms where they should be.
//
// A leg keeps the plane that its knee bends in: the axis is fixed in the thigh, as a knee's is. The plane
// through hip, knee and ankle would turn over where legs are straight.

#include "motion/retarget.h"

#include "body/pose.h"
#include "math/holds.h"

static bool is_below(const snw_RetargetSide *side, int above, int joint)
{
    return joint >= above && joint < above + side->joints[above].subtree_count;
}

// ---------------------------------------------------------------------------------------------
// Turns and places

static void find_source_deltas(snw_RetargetCarry *carry, const double *source_q)
{
    const snw_RetargetSide *source = &carry->source;
    sinew_pose_forward(source->skeleton, source_q, carry->source_world);
    for (int j = 0; j < source->count; ++j) {
        sinew_Transform *at = &carry->source_world[j];
        at->rotation = sinew_quat_mul(source->own_from_world, at->rotation);
        at->position = sinew_quat_rotate(source->own_from_world, at->position);
        at->position = sinew_vec3_add(at->position, carry->source_shift);
        carry->source_delta[j] = sinew_quat_mul(
            at->rotation, sinew_quat_conjugate(source->stand[j]));
    }
}

static sinew_Transform in_own_axes(const snw_RetargetSide *side, sinew_Transform world)
{
    world.rotation = sinew_quat_mul(side->own_from_world, world.rotation);
    world.position = sinew_quat_rotate(side->own_from_world, world.position);
    return world;
}

static sinew_Transform at_rest(const snw_RetargetSide *side, int joint)
{
    sinew_Transform none = sinew_transform_identity();
    return in_own_axes(side, snw_pose_frame(side->skeleton, side->rest, joint, none));
}

// A root goes as the source's: turned against its rest, not the stance, whose roots are wherever the frame has
// them that it was made of. It stands on the ground that its file has, at the height of its rest, not on
// the floor that soles are seen to stand on, which is as thick as they are off it. Without a source it is at rest.
static void place_root(snw_RetargetCarry *carry, int joint)
{
    const snw_RetargetSide *source = &carry->source, *target = &carry->target;
    sinew_Transform rest = at_rest(target, joint), *root = &carry->world[joint];
    int from = carry->follow[joint].from, p = target->joints[joint].parent;
    *root = rest;
    if (p >= 0) {
        sinew_Transform local = sinew_pose_local(target->skeleton, target->rest, joint);
        *root = sinew_transform_mul(carry->world[p], local);
    }
    if (from >= 0 && snw_is_root(source, from)) {
        sinew_Transform first = at_rest(source, from), now = carry->source_world[from];
        now.position = sinew_vec3_sub(now.position, carry->source_shift);
        sinew_Quat turn = sinew_quat_mul(now.rotation, sinew_quat_conjugate(first.rotation));
        root->rotation = sinew_quat_mul(turn, rest.rotation);
        root->position = sinew_vec3_scale(now.position, carry->scale);
        root->position.y += rest.position.y - carry->scale * first.position.y;
    } else if (from >= 0) {
        // as somebody said
        root->rotation = sinew_quat_mul(carry->source_delta[from], rest.rotation);
    }
    carry->delta[joint] = sinew_quat_mul(
        root->rotation, sinew_quat_conjugate(target->stand[joint]));
}

static sinew_Quat followed(const snw_RetargetCarry *carry, int joint)
{
    SNW_ASSERT(joint >= 0);
    const snw_RetargetFollow *f = &carry->follow[joint];
    const snw_RetargetSide *target = &carry->target;
    if (f->from < 0) {
        int p = target->joints[joint].parent;
        // what carries the hips goes with them
        if (p < 0 || is_below(target, joint, target->hips)) { return carry->delta[target->hips]; }
        return carry->delta[p];
    }
    sinew_Quat from = carry->source_delta[f->from];
    if (f->share <= 0.0) { return from; }
    return sinew_quat_slerp(from, carry->source_delta[f->to], f->share);
}

// places of the joints first..end-1, whose parents have theirs
static void place_below(snw_RetargetCarry *carry, int first, int end)
{
    const snw_RetargetSide *target = &carry->target;
    for (int j = first; j < end; ++j) {
        int p = target->joints[j].parent;
        if (p < 0) { continue; }
        carry->world[j].position = sinew_transform_point(carry->world[p], target->offset[j]);
    }
}

static void place_all(snw_RetargetCarry *carry)
{
    const snw_RetargetSide *target = &carry->target;
    // the hips are at the origin; what carries them is where that puts it, but for a root of its own
    sinew_Vec3 place = { 0.0, 0.0, 0.0 };
    for (int j = target->hips; j >= 0; j = target->joints[j].parent) {
        carry->world[j].position = place;
        int p = target->joints[j].parent;
        if (p < 0 || target->has_root) { break; }
        sinew_Vec3 back = sinew_quat_rotate(carry->world[p].rotation, target->offset[j]);
        place = sinew_vec3_sub(place, back);
    }
    for (int j = 0; j < target->count; ++j) {
        if (!is_below(target, j, target->hips)) { place_below(carry, j, j + 1); }
    }
}

static sinew_Vec3 middle_of_hips(const snw_RetargetSide *side, const sinew_Transform *world)
{
    return sinew_vec3_lerp(
        world[side->legs[0].thigh].position, world[side->legs[1].thigh].position, 0.5);
}

void snw_retarget_carry(snw_RetargetCarry *carry, const double *source_q)
{
    const snw_RetargetSide *target = &carry->target;
    find_source_deltas(carry, source_q);
    carry->delta[target->hips] = followed(carry, target->hips);
    for (int j = 0; j < target->count; ++j) {
        if (snw_is_root(target, j)) {
            place_root(carry, j);
        } else if (j != target->hips) {
            carry->delta[j] = followed(carry, j);
        }
    }
    if (carry->effects != NULL) { snw_trait_posture(carry); }
    for (int j = 0; j < target->count; ++j) {
        if (snw_is_root(target, j)) { continue; }
        carry->world[j].rotation = sinew_quat_mul(carry->delta[j], target->stand[j]);
    }
    place_all(carry);
    sinew_Vec3 want = middle_of_hips(&carry->source, carry->source_world);
    want = sinew_vec3_scale(want, carry->scale);
    want.y += target->hip_height - carry->scale * carry->source.hip_height;
    snw_retarget_move(carry, sinew_vec3_sub(want, middle_of_hips(target, carry->world)));
}

void snw_retarget_move(snw_RetargetCarry *carry, sinew_Vec3 way)
{
    const snw_RetargetSide *target = &carry->target;
    int first = target->has_root ? target->hips : 0;
    int end = first + (target->has_root ? target->joints[first].subtree_count : target->count);
    for (int j = first; j < end; ++j) {
        carry->world[j].position = sinew_vec3_add(carry->world[j].position, way);
    }
}

// turn the joints of a subtree
static void turn_subtree(snw_RetargetCarry *carry, int joint, sinew_Quat turn)
{
    int end = joint + carry->target.joints[joint].subtree_count;
    for (int j = joint; j < end; ++j) {
        carry->world[j].rotation = sinew_quat_mul(turn, carry->world[j].rotation);
    }
}

// turn a joint until the one below it, or itself, is turned so
static void turn_until(snw_RetargetCarry *carry, int joint, int below, sinew_Quat rotation)
{
    sinew_Quat turn = sinew_quat_mul(rotation, sinew_quat_conjugate(carry->world[below].rotation));
    turn_subtree(carry, joint, sinew_quat_normalize(turn));
}

void snw_retarget_set(snw_RetargetCarry *carry, int joint, sinew_Quat rotation)
{
    turn_until(carry, joint, joint, rotation);
}

// ---------------------------------------------------------------------------------------------
// Two bones

// The turn of the lower bone about an axis that makes the limb a length; of the two the one that bends further.
// |a + R(x) b| = d gives A cos x + B sin x = C with the parts across the axis.
static double bend_for(sinew_Vec3 a, sinew_Vec3 b, sinew_Vec3 axis, double length, double *out_miss)
{
    SNW_ASSERT(snw_holds_direction(axis));
    SNW_ASSERT(length >= 0.0);
    double along_a = sinew_vec3_dot(a, axis), along_b = sinew_vec3_dot(b, axis);
    sinew_Vec3 flat_a = sinew_vec3_add_scaled(a, axis, -along_a);
    sinew_Vec3 flat_b = sinew_vec3_add_scaled(b, axis, -along_b);
    double even = sinew_vec3_dot(flat_a, flat_b);
    double odd = sinew_vec3_dot(flat_a, sinew_vec3_cross(axis, flat_b));
    double size = sqrt(even * even + odd * odd);
    double sum = 0.5 * (length * length - sinew_vec3_dot(a, a) - sinew_vec3_dot(b, b))
        - along_a * along_b;
    *out_miss = 0.0;
    if (!(size > 1e-12)) { return 0.0; }
    double cosine = sum / size;
    if (cosine > 1.0) {
        // straight: as long as it gets
        double most = sqrt(
            sinew_vec3_dot(a, a) + sinew_vec3_dot(b, b) + 2.0 * (along_a * along_b + size));
        *out_miss = length - most;
    }
    return sinew_atan2(odd, even) + sinew_acos(cosine);
}

// Joints upper, lower and end of a limb; turns both so that the end comes to a place. axis: world, unit.
static double solve_limb(snw_RetargetCarry *carry, int upper, int lower, int end, sinew_Vec3 axis,
    sinew_Vec3 place, double least, double reach)
{
    SNW_ASSERT(snw_holds_direction(axis));
    SNW_ASSERT(reach >= 0.0);
    sinew_Transform *w = carry->world;
    sinew_Vec3 a = sinew_vec3_sub(w[lower].position, w[upper].position);
    sinew_Vec3 b = sinew_vec3_sub(w[end].position, w[lower].position);
    sinew_Vec3 way = sinew_vec3_sub(place, w[upper].position);
    double most = reach * (sinew_vec3_length(a) + sinew_vec3_length(b));
    double far = sinew_vec3_length(way), miss = 0.0;
    double over = fmax(far - most, least - far);
    sinew_Quat bend = sinew_quat_from_axis_angle(
        axis, bend_for(a, b, axis, fmin(fmax(far, least), most), &miss));
    sinew_Vec3 limb = sinew_vec3_add(a, sinew_quat_rotate(bend, b));
    sinew_Vec3 none = { 0.0, -1.0, 0.0 };
    sinew_Quat swing = sinew_quat_between(
        sinew_vec3_normalize_or(limb, none), sinew_vec3_normalize_or(way, none));
    turn_subtree(carry, upper, swing);
    turn_subtree(
        carry, lower, sinew_quat_mul(sinew_quat_mul(swing, bend), sinew_quat_conjugate(swing)));
    return fmax(fmax(over, miss), 0.0);
}

void snw_retarget_place(snw_RetargetCarry *carry, int joint)
{
    place_below(carry, joint + 1, joint + carry->target.joints[joint].subtree_count);
}

double snw_retarget_leg(
    snw_RetargetCarry *carry, int side, sinew_Transform foot, sinew_Quat toe, double reach)
{
    SNW_ASSERT(snw_holds_rigid(foot));
    SNW_ASSERT(snw_holds_unit(toe));
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLeg *leg = &carry->target.legs[side];
    sinew_Vec3 left = { 1.0, 0.0, 0.0 };
    sinew_Vec3 knee = sinew_quat_rotate(carry->delta[leg->thigh], left);
    double least = 0.0;
    if (carry->effects != NULL && carry->effects->knee_bend[side] < SINEW_PI) {
        least = snw_shortest_leg(leg, carry->effects->knee_bend[side]);
    }
    double miss = solve_limb(
        carry, leg->thigh, leg->shin, leg->foot, knee, foot.position, least, reach);
    turn_until(carry, leg->ankle, leg->foot, foot.rotation);
    if (leg->toe >= 0) { snw_retarget_set(carry, leg->toe, toe); }
    snw_retarget_place(carry, leg->thigh);
    return miss;
}

void snw_retarget_arm(snw_RetargetCarry *carry, int side, sinew_Vec3 hand, double reach)
{
    SNW_ASSERT(side >= 0 && side < 2);
    SNW_ASSERT(reach >= 0.0);
    const snw_RetargetArm *arm = &carry->target.arms[side];
    // elbows of arms that hang bend forward: about the right
    sinew_Vec3 right = { -1.0, 0.0, 0.0 };
    sinew_Vec3 elbow = sinew_quat_rotate(carry->delta[arm->upper], right);
    sinew_Quat kept = carry->world[arm->hand].rotation;
    solve_limb(carry, arm->upper, arm->lower, arm->hand, elbow, hand, 0.0, reach);
    snw_retarget_set(carry, arm->hand, kept);
    snw_retarget_place(carry, arm->upper);
}

// ---------------------------------------------------------------------------------------------
// Coordinates

sinew_Status snw_retarget_store(const snw_RetargetCarry *carry, const double *near_q, double *out_q,
    sinew_PoseFit *out_fit, sinew_Message *out_message)
{
    sinew_Quat back = sinew_quat_conjugate(carry->target.own_from_world);
    for (int j = 0; j < carry->target.count; ++j) {
        carry->scratch[j].rotation = sinew_quat_mul(back, carry->world[j].rotation);
        carry->scratch[j].position = sinew_quat_rotate(back, carry->world[j].position);
    }
    return sinew_pose_from_world(carry->target.skeleton, carry->scratch, near_q, out_q,
        carry->scratch, out_fit, out_message);
}
