// A rig that nobody wrote: human limits, masses and effectors by the roles of the joints.

#include "body/rig_guess.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/holds.h"

#include <string.h>

// Largest swing of a window's corner, degrees.
#define MOST_SWING 178.0

sinew_RigOptions sinew_rig_options_default(void)
{
    sinew_RigOptions options;
    memset(&options, 0, sizeof options);
    options.unit = 1.0;
    options.margin = 7.0;
    return options;
}

// ---------------------------------------------------------------------------------------------
// Small steps

// numbers that people read
static double rounded(double value, double steps)
{
    return floor(value * steps + 0.5) / steps;
}

static double degrees(double radians)
{
    return rounded(radians / SNW_DEGREE, 1000.0);
}

// how high a joint is between hips and chest, by the lengths on the way
static double height_in_spine(const snw_StanceBody *body, int hips, int chest, int joint)
{
    double whole = sinew_skeleton_chain_length(body->skeleton, hips, chest);
    return whole > 1e-9 ? sinew_skeleton_chain_length(body->skeleton, hips, joint) / whole : 0.5;
}

static snw_SpineShare spine_share(const snw_StanceBody *body, int joint)
{
    SNW_ASSERT(joint >= 0);
    double t[64];
    int count = 0, index = 0;
    snw_SpineShare whole = { 1.0, 1.0, 1.0 };
    int hips = body->hips;
    int chest = snw_body_find(body, SINEW_ROLE_CHEST, SINEW_SIDE_NONE, -1);
    if (hips < 0 || chest < 0 || !sinew_skeleton_is_ancestor(body->skeleton, hips, chest)) {
        return whole;
    }
    for (int j = chest; j >= 0 && j != hips && count < 64; j = body->joints[j].parent) {
        sinew_Role role = body->roles[j].role;
        if (role != SINEW_ROLE_SPINE && role != SINEW_ROLE_CHEST) { continue; }
        if (j == joint) { index = count; }
        t[count++] = height_in_spine(body, hips, chest, j);
    }
    return count > 0 ? snw_human_spine_share(t, count, index) : whole;
}

static snw_SpineShare neck_share(const snw_StanceBody *body, int joint)
{
    SNW_ASSERT(joint >= 0);
    int count = 0, index = 0;
    for (int j = 0; j < body->count; ++j) {
        if (body->roles[j].role != SINEW_ROLE_NECK) { continue; }
        if (j == joint) { index = count; }
        ++count;
    }
    bool is_head = body->roles[joint].role == SINEW_ROLE_HEAD;
    return snw_human_neck_share(count, is_head ? count : index);
}

static snw_SpineShare share_of(const snw_StanceBody *body, int joint)
{
    SNW_ASSERT(joint >= 0);
    snw_SpineShare whole = { 1.0, 1.0, 1.0 };
    switch (body->roles[joint].role) {
    case SINEW_ROLE_SPINE:
    case SINEW_ROLE_CHEST: return spine_share(body, joint);
    case SINEW_ROLE_NECK:
    case SINEW_ROLE_HEAD: return neck_share(body, joint);
    default: return whole;
    }
}

// ---------------------------------------------------------------------------------------------
// Windows

// the corner of a band: bent by one angle, aside by another
static sinew_Vec3 band_corner(double bend_degrees, double side_degrees)
{
    double bend_sine, bend_cosine, side_sine, side_cosine;
    sinew_sincos(bend_degrees * SNW_DEGREE, &bend_sine, &bend_cosine);
    sinew_sincos(side_degrees * SNW_DEGREE, &side_sine, &side_cosine);
    double x = bend_cosine * side_cosine, y = bend_sine * side_cosine, z = side_sine;
    double swing = degrees(sinew_atan2(sqrt(y * y + z * z), x));
    sinew_Vec3 r = { degrees(sinew_atan2(z, y)), swing, 0.0 };
    return r;
}

// a loop that is longer than wide: three corners on each side
static int band_points(
    const snw_HumanJoint *human, double margin, sinew_Vec3 *out, sinew_Vec3 *center)
{
    double lower = human->bend_lower - margin, upper = human->bend_upper + margin;
    double side = human->side + margin, middle = 0.5 * (lower + upper);
    const double bends[3] = { lower, middle, upper };
    for (int i = 0; i < 3; ++i) {
        out[i] = band_corner(bends[i], -side);
        out[5 - i] = band_corner(bends[i], side);
    }
    *center = sinew_vec3(middle < 0.0 ? 180.0 : 0.0, fabs(middle), 0.0);
    return 6;
}

static int loop_points(const snw_HumanJoint *human, snw_SpineShare share, double margin,
    sinew_Vec3 *out, sinew_Vec3 *center)
{
    for (int i = 0; i < human->point_count; ++i) {
        double azimuth = human->loop[i][0], sine, cosine;
        sinew_sincos(azimuth * SNW_DEGREE, &sine, &cosine);
        // azimuths 90 and 270 are the bend, 0 and 180 the side bend
        double part = share.bend * sine * sine + share.side * cosine * cosine;
        double swing = fmin(part * human->loop[i][1] + margin, MOST_SWING);
        out[i] = sinew_vec3(azimuth, rounded(swing, 100.0), 0.0);
    }
    *center = sinew_vec3(human->star_center[0], human->star_center[1], 0.0);
    return human->point_count;
}

// ---------------------------------------------------------------------------------------------
// One joint

typedef struct Limit {
    const snw_StanceBody *body;
    const snw_HumanJoint *human;
    int joint;
    sinew_Quat socket; // world_from_socket in the neutral pose
    sinew_Vec3 zero;   // azimuth 0, world
    double margin;
    sinew_RigJoint *out;
} Limit;

static void set_frames(Limit *limit)
{
    const snw_StanceBody *body = limit->body;
    int j = limit->joint, p = body->joints[j].parent;
    sinew_Quat above = p >= 0 ? body->neutral[p] : sinew_quat_identity();
    limit->socket = sinew_quat_mul(above, body->joints[j].rest_rotation);
    limit->zero = snw_body_way(body, limit->human->zero, body->roles[j].side);

    sinew_Quat back = sinew_quat_conjugate(limit->socket);
    sinew_Vec3 bone = sinew_quat_rotate(
        sinew_quat_conjugate(body->look[j].rotation), body->bone[j]);
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    sinew_ball_limit_def_set_neutral(&def,
        sinew_quat_normalize(sinew_quat_mul(back, body->neutral[j])),
        sinew_vec3_normalize_or(bone, sinew_vec3(1.0, 0.0, 0.0)),
        sinew_quat_rotate(back, limit->zero));
    limit->out->neutral = def.neutral;
    limit->out->bone = def.bone;

    // azimuths go towards z, or the other way
    sinew_Vec3 z = sinew_quat_rotate(
        limit->socket, sinew_quat_rotate(def.neutral, sinew_vec3(0.0, 0.0, 1.0)));
    sinew_Vec3 quarter = snw_body_way(body, limit->human->quarter, body->roles[j].side);
    limit->out->mirrored = sinew_vec3_dot(z, quarter) < 0.0;
    limit->out->has |= SINEW_RIG_HAS_NEUTRAL | SINEW_RIG_HAS_BONE | SINEW_RIG_HAS_MIRRORED;
}

static void set_twist(Limit *limit, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    if (limit->human->twist_lower <= -180.0) { return; }
    double lower = share * limit->human->twist_lower - limit->margin;
    double upper = share * limit->human->twist_upper + limit->margin;
    bool right = limit->body->roles[limit->joint].side == SINEW_SIDE_RIGHT;
    limit->out->twist.lower = rounded(right ? -upper : lower, 100.0);
    limit->out->twist.upper = rounded(right ? -lower : upper, 100.0);
    limit->out->has |= SINEW_RIG_HAS_TWIST;
}

// hinge: bends towards azimuth 0, about z. universal: the same, then about y
static void set_hinges(Limit *limit)
{
    const snw_HumanJoint *human = limit->human;
    sinew_RigJoint *out = limit->out;
    double margin = limit->margin;
    bool band = human->shape == SNW_HUMAN_BAND;
    bool single = band && human->side == 0.0;
    out->kind = single ? SINEW_RIG_HINGE : SINEW_RIG_UNIVERSAL;
    out->has |= SINEW_RIG_HAS_KIND | SINEW_RIG_HAS_RANGES;
    out->range_count = single ? 1 : 2;
    if (band) {
        out->ranges[0].lower = human->bend_lower - margin;
        out->ranges[0].upper = human->bend_upper + margin;
        out->ranges[1].lower = -human->side - margin;
        out->ranges[1].upper = human->side + margin;
        return;
    }
    // main azimuths of eight: towards 0, 90, 180 and 270; about y is away from z
    out->ranges[0].lower = -human->loop[4][1] - margin;
    out->ranges[0].upper = human->loop[0][1] + margin;
    double ahead = human->loop[2][1] + margin, behind = human->loop[6][1] + margin;
    out->ranges[1].lower = out->mirrored ? -behind : -ahead;
    out->ranges[1].upper = out->mirrored ? ahead : behind;
}

// the range of a hinge that the file has already, when it bends as people do
static void set_own_hinge(Limit *limit, int axis)
{
    SNW_ASSERT(axis >= 0);
    const snw_StanceBody *body = limit->body;
    const sinew_Axis *hinge = &sinew_skeleton_axes(body->skeleton)[axis];
    sinew_Quat zero = sinew_quat_mul(limit->out->neutral, sinew_quat_conjugate(limit->out->bone));
    sinew_Vec3 a = hinge->direction;
    sinew_Vec3 z = sinew_quat_rotate(limit->out->neutral, sinew_vec3(0.0, 0.0, 1.0));
    double along = sinew_vec3_dot(a, z);
    limit->out->has &= ~(
        unsigned)(SINEW_RIG_HAS_NEUTRAL | SINEW_RIG_HAS_BONE | SINEW_RIG_HAS_MIRRORED);
    if (fabs(along) < 0.8) { return; }
    double start = 2.0 * sinew_atan2(a.x * zero.x + a.y * zero.y + a.z * zero.z, zero.w);
    if (start > SINEW_PI) { start -= 2.0 * SINEW_PI; }
    if (start < -SINEW_PI) { start += 2.0 * SINEW_PI; }
    double lower = limit->human->bend_lower - limit->margin;
    double upper = limit->human->bend_upper + limit->margin;
    limit->out->ranges[0].lower = degrees(start) + (along > 0.0 ? lower : -upper);
    limit->out->ranges[0].upper = degrees(start) + (along > 0.0 ? upper : -lower);
    limit->out->range_count = 1;
    limit->out->has |= SINEW_RIG_HAS_RANGES;
}

static bool has_own_limits(const sinew_Skeleton *skeleton, const sinew_Joint *joint)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
        if (isfinite(axes[a].lower) || isfinite(axes[a].upper) || axes[a].limit != NULL) {
            return true;
        }
    }
    return false;
}

// the first joint that moves takes the body through the world, whatever else it is
static bool carries_body(const snw_StanceBody *body, int j)
{
    for (int p = body->joints[j].parent; p >= 0; p = body->joints[p].parent) {
        if (body->joints[p].axis_count > 0) { return false; }
    }
    return true;
}

static sinew_Status guess_joint(
    const snw_StanceBody *body, const sinew_RigOptions *options, int j, sinew_Rig *rig)
{
    char key[SNW_RIG_KEY_SIZE];
    sinew_rig_key(body->skeleton, j, key, sizeof key);
    sinew_RigJoint out = sinew_rig_joint_default(key);
    const sinew_JointRole *r = &body->roles[j];
    const sinew_Joint *joint = &body->joints[j];
    if (r->role == SINEW_ROLE_NONE || r->role == SINEW_ROLE_END) {
        snw_rig_hold_slides(body, options, j, &out);
        return out.has != 0 ? sinew_rig_set_joint(rig, &out) : SINEW_STATUS_OK;
    }
    out.role = *r;
    out.has = SINEW_RIG_HAS_ROLE;

    int side = r->side == SINEW_SIDE_RIGHT ? 1 : 0;
    bool alone = r->role == SINEW_ROLE_THUMB
        && snw_body_find(body, SINEW_ROLE_THUMB, r->side, r->number + 1) < 0 && r->number <= 1;
    const snw_HumanJoint *human = snw_human_joint(
        r->role, alone ? SNW_THUMB_ALONE : r->number, body->has_clavicle[side]);
    sinew_BodyKind kind = body->guess->kind;
    bool is_human = kind == SINEW_BODY_HUMANOID || kind == SINEW_BODY_UPPER_BODY;
    int ball = snw_rig_ball_axis(body->skeleton, j);
    sinew_Vec3 points[SNW_HUMAN_LOOP_SIZE];
    sinew_RigWindow window = { true, points, 0, 0.0 };
    if (human != NULL && is_human && !options->is_robot && joint->axis_count > 0
        && !carries_body(body, j) && !has_own_limits(body->skeleton, joint)) {
        Limit limit = { body, human, j, { 0.0, 0.0, 0.0, 1.0 }, { 0.0, 0.0, 0.0 }, options->margin,
            &out };
        set_frames(&limit);
        snw_SpineShare share = share_of(body, j);
        bool bends_plainly = human->shape == SNW_HUMAN_BAND || r->role == SINEW_ROLE_HAND
            || r->role == SINEW_ROLE_FOOT;
        if (ball < 0 && joint->axis_count == 1 && human->shape == SNW_HUMAN_BAND) {
            set_own_hinge(&limit, joint->axis_start);
        } else if (ball < 0) {
            out.has = SINEW_RIG_HAS_ROLE;
        } else if (options->hinges && bends_plainly) {
            set_hinges(&limit);
        } else {
            window.point_count = human->shape == SNW_HUMAN_BAND
                ? band_points(human, limit.margin, points, &out.star_center)
                : loop_points(human, share, limit.margin, points, &out.star_center);
            out.windows = &window;
            out.window_count = 1;
            out.star = true;
            out.has |= SINEW_RIG_HAS_WINDOWS;
            set_twist(&limit, share.twist);
        }
    }
    snw_rig_hold_slides(body, options, j, &out);
    return sinew_rig_set_joint(rig, &out);
}

// ---------------------------------------------------------------------------------------------
// The whole

// roles that a person said replace guessed ones
static void take_roles(const sinew_Skeleton *skeleton, const sinew_RoleGuess *guess,
    const sinew_Rig *said, sinew_JointRole *out_roles)
{
    for (int j = 0; j < guess->joint_count; ++j) { out_roles[j] = guess->joints[j]; }
    for (int i = 0; said != NULL && i < sinew_rig_joint_count(said); ++i) {
        const sinew_RigJoint *joint = sinew_rig_joint(said, i);
        int j = sinew_rig_key_joint(skeleton, joint->key);
        if (j >= 0 && (joint->has & SINEW_RIG_HAS_ROLE)) { out_roles[j] = joint->role; }
    }
}

// limits count from where elbows and knees bend, which may be a little askew of the stance
static void follow_bends(snw_StanceBody *body)
{
    static const sinew_Role middles[2] = { SINEW_ROLE_FOREARM, SINEW_ROLE_SHIN };
    for (int i = 0; i < 4; ++i) {
        sinew_Side side = i % 2 == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        snw_body_twist_limb(
            body, middles[i / 2], side, snw_body_bend_askew(body, middles[i / 2], side));
    }
}

static sinew_Status fill(
    const snw_StanceBody *body, const sinew_RigOptions *options, sinew_Rig *rig)
{
    sinew_Status status = SINEW_STATUS_OK;
    sinew_rig_set_unit(rig, options->unit);
    for (int j = 0; j < body->count && status == SINEW_STATUS_OK; ++j) {
        status = guess_joint(body, options, j, rig);
    }
    if (status == SINEW_STATUS_OK) { status = snw_rig_guess_masses(body, options, rig); }
    if (status == SINEW_STATUS_OK) { status = snw_rig_guess_effectors(body, rig); }
    if (status == SINEW_STATUS_OK && options->said != NULL) {
        status = sinew_rig_refine(rig, options->said);
    }
    return status;
}

static sinew_Status guess_of(const sinew_Skeleton *skeleton, const sinew_RoleGuess *guess,
    const sinew_JointRole *roles, const sinew_RigOptions *options, const sinew_Allocator *allocator,
    sinew_Rig **out_rig)
{
    snw_StanceBody body;
    sinew_Status status = snw_stance_body_create(
        skeleton, guess, roles, options->motion, allocator, &body);
    if (status != SINEW_STATUS_OK) { return status; }
    follow_bends(&body);
    status = sinew_rig_create(allocator, out_rig);
    if (status == SINEW_STATUS_OK) { status = fill(&body, options, *out_rig); }
    snw_stance_body_destroy(&body);
    return status;
}

sinew_Status sinew_rig_guess(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    const sinew_RigOptions *options, const sinew_Allocator *allocator, sinew_Rig **out_rig,
    sinew_Message *out_message)
{
    if (out_rig != NULL) { *out_rig = NULL; }
    if (skeleton == NULL || roles == NULL || out_rig == NULL) {
        return SNW_CHECK_NULL(out_message, "skeleton roles out_rig", skeleton, roles, out_rig);
    }
    sinew_RigOptions used = options != NULL ? *options : sinew_rig_options_default();
    int count = sinew_skeleton_joint_count(skeleton);
    if (roles->joint_count != count) {
        return snw_refuse(out_message, "roles are of %d joint%s, want %d", roles->joint_count,
            snw_plural(roles->joint_count), count);
    }
    if (!(used.unit > 0.0) || !isfinite(used.unit)) {
        return snw_refuse(out_message, "options.unit is %g, want above 0", used.unit);
    }
    if (!(used.margin >= 0.0 && used.margin <= 45.0)) {
        return snw_refuse(out_message, "options.margin is %g, want 0 to 45", used.margin);
    }
    sinew_Allocator from = snw_allocator_or_default(allocator);
    size_t size = (size_t)count * sizeof(sinew_JointRole);
    sinew_JointRole *said = snw_alloc(&from, size);
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    if (said != NULL) {
        take_roles(skeleton, roles, used.said, said);
        status = guess_of(skeleton, roles, said, &used, &from, out_rig);
        snw_free(&from, said, size);
    }
    if (status != SINEW_STATUS_OK) {
        sinew_rig_destroy(*out_rig);
        *out_rig = NULL;
        return snw_fail(
            out_message, status, "no memory for a rig of %d joint%s", count, snw_plural(count));
    }
    return status;
}
