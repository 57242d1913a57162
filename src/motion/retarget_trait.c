// What makes a motion somebody's own: trunk, head and arms otherwise; a knee that does not bend.

#include "motion/retarget_clip.h"

#include "math/holds.h"
#include "math/trig.h"

// over a leg that hurts the trunk leans aside by this and the hips sink by this share of a leg
#define HURT_LEAN (9.0 * SNW_DEGREE)
#define HURT_DIP 0.035
// a leg that cannot bend is swung round; it goes out and comes back within this, seconds
#define SWING_TIME 0.12
// hips rise for a foot that stands under a leg that cannot bend, beginning this long before, seconds
#define RISE_TIME 0.15

// of the angle that a heel is kept down by: to 1e-6 rad
#define HALVINGS 20
// who cannot bend one knee goes on tiptoe on the other leg, at most so far, and stretches it so far
#define MOST_TIPTOE (50.0 * SNW_DEGREE)
#define FULL_REACH 0.995

// a rotation about its own axis as far as a factor says
static sinew_Quat part_of(sinew_Quat rotation, double factor)
{
    if (factor == 1.0) { return rotation; }
    return sinew_quat_exp(sinew_vec3_scale(sinew_quat_log(sinew_quat_normalize(rotation)), factor));
}

static sinew_Quat about(double x, double y, double z)
{
    return sinew_quat_exp(sinew_vec3(x, y, z));
}

// what a joint turns by beside its motion
static sinew_Quat bend_of(const snw_RetargetCarry *carry, const sinew_JointRole *r)
{
    const sinew_IndividualEffects *e = carry->effects;
    double out = r->side == SINEW_SIDE_RIGHT ? -e->arms_out : e->arms_out;
    double aside = HURT_LEAN * (carry->hurt[1] - carry->hurt[0]);
    switch (r->role) {
    case SINEW_ROLE_SPINE:
    case SINEW_ROLE_CHEST:
        return about(e->lean / carry->spine_count, 0.0, aside / carry->spine_count);
    case SINEW_ROLE_NECK:
    case SINEW_ROLE_HEAD:
        return about(e->head_lean / carry->neck_count, 0.0, -0.5 * aside / carry->neck_count);
    case SINEW_ROLE_UPPERARM: return about(0.0, 0.0, out);
    default: return sinew_quat_identity();
    }
}

static bool is_own(sinew_Role role)
{
    switch (role) {
    case SINEW_ROLE_SPINE:
    case SINEW_ROLE_CHEST:
    case SINEW_ROLE_NECK:
    case SINEW_ROLE_HEAD:
    case SINEW_ROLE_CLAVICLE:
    case SINEW_ROLE_UPPERARM:
    case SINEW_ROLE_FOREARM: return true;
    default: return false;
    }
}

void snw_trait_posture(snw_RetargetCarry *carry)
{
    const snw_RetargetSide *target = &carry->target;
    int end = target->hips + target->joints[target->hips].subtree_count;
    for (int j = target->hips; j < end; ++j) { carry->carried[j] = carry->delta[j]; }
    for (int j = target->hips + 1; j < end; ++j) {
        const sinew_JointRole *r = &target->roles->joints[j];
        int p = target->joints[j].parent;
        sinew_Quat local = sinew_quat_mul(
            sinew_quat_conjugate(carry->carried[p]), carry->carried[j]);
        if (is_own(r->role)) {
            local = part_of(local, carry->effects->motion[r->role][r->side]);
            local = sinew_quat_mul(bend_of(carry, r), local);
        }
        carry->delta[j] = sinew_quat_mul(carry->delta[p], local);
    }
}

void snw_trait_count(snw_RetargetCarry *carry)
{
    const snw_RetargetSide *target = &carry->target;
    carry->spine_count = carry->neck_count = 0;
    for (int j = 0; j < target->count; ++j) {
        sinew_Role role = target->roles->joints[j].role;
        bool spine = role == SINEW_ROLE_SPINE || role == SINEW_ROLE_CHEST;
        bool neck = role == SINEW_ROLE_NECK || role == SINEW_ROLE_HEAD;
        carry->spine_count += spine ? 1 : 0;
        carry->neck_count += neck ? 1 : 0;
    }
    if (carry->spine_count == 0) { carry->spine_count = 1; }
    if (carry->neck_count == 0) { carry->neck_count = 1; }
}

// ---------------------------------------------------------------------------------------------
// Whole clips

double snw_shortest_leg(const snw_RetargetLeg *leg, double bend)
{
    double s, c;
    sinew_sincos(fmin(bend, SINEW_PI), &s, &c);
    double square = leg->upper * leg->upper + leg->lower * leg->lower
        + 2.0 * leg->upper * leg->lower * c;
    return sqrt(fmax(square, 0.0));
}

// the foot turned about its ball until the heel is lower by an angle
static sinew_Transform lower_heel(const snw_RetargetLeg *leg, sinew_Transform foot, double angle)
{
    SNW_ASSERT(snw_holds_rigid(foot));
    sinew_Vec3 ball = sinew_transform_point(foot, leg->ball);
    sinew_Vec3 sole = sinew_vec3_sub(ball, sinew_transform_point(foot, leg->heel));
    sinew_Vec3 up = { 0.0, 1.0, 0.0 }, left = { 1.0, 0.0, 0.0 };
    left = sinew_vec3_normalize_or(sinew_vec3_cross(up, sole), left);
    foot.rotation = sinew_quat_mul(sinew_quat_from_axis_angle(left, -angle), foot.rotation);
    foot.position = sinew_vec3_sub(ball, sinew_quat_rotate(foot.rotation, leg->ball));
    return foot;
}

// how far a heel is up, radians; 0 when it is down
static double heel_lift(const snw_RetargetLeg *leg, sinew_Transform foot)
{
    double length = sinew_vec3_distance(leg->heel, leg->ball);
    double up = sinew_transform_point(foot, leg->heel).y - sinew_transform_point(foot, leg->ball).y;
    return length > 0.0 ? fmax(sinew_asin(up / length), 0.0) : 0.0;
}

sinew_Transform snw_trait_foot(
    const snw_RetargetCarry *carry, int side, sinew_Vec3 hip, sinew_Transform foot)
{
    SNW_ASSERT(snw_holds_rigid(foot));
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLeg *leg = &carry->target.legs[side];
    double least = snw_shortest_leg(leg, carry->effects->knee_bend[side]);
    double most = FULL_REACH * (leg->upper + leg->lower);
    double far = sinew_vec3_distance(hip, foot.position), lift = heel_lift(leg, foot);
    bool is_long = far < least;
    if (!is_long && far <= most) { return foot; }
    // down to the floor, or up onto the toes
    double low = 0.0, high = is_long ? lift : fmin(lift - MOST_TIPTOE, 0.0);
    for (int i = 0; i < HALVINGS; ++i) {
        double middle = 0.5 * (low + high);
        far = sinew_vec3_distance(hip, lower_heel(leg, foot, middle).position);
        if (is_long ? far >= least : far <= most) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return lower_heel(leg, foot, high);
}

// how far hips must rise for a leg to be as long as it can be short
static double rise_for(sinew_Vec3 hip, sinew_Vec3 ankle, double least)
{
    sinew_Vec3 leg = sinew_vec3_sub(hip, ankle);
    double beside2 = leg.x * leg.x + leg.z * leg.z;
    double length2 = beside2 + leg.y * leg.y;
    if (length2 >= least * least || leg.y <= 0.0) { return 0.0; }
    return sqrt(fmax(least * least - beside2, 0.0)) - leg.y;
}

static sinew_Vec3 ankle_at(const snw_RetargetClip *clip, int side, int t)
{
    sinew_Quat toe;
    const snw_FootTrack *foot = &clip->feet[side];
    return snw_foot_shifted(clip->carry, side, &foot->naive[t], &foot->shift[t], &toe).position;
}

// the outward shift that makes the leg long enough, along the hips' line
static double swing_out(const snw_RetargetClip *clip, int side, int t, double least)
{
    SNW_ASSERT(side >= 0 && side < 2);
    sinew_Vec3 hip = clip->hips[side][t];
    hip.y -= clip->lowered[t];
    sinew_Vec3 leg = sinew_vec3_sub(ankle_at(clip, side, t), hip);
    double missing = least * least - sinew_vec3_dot(leg, leg);
    if (missing <= 0.0) { return 0.0; }
    sinew_Vec3 out = sinew_vec3_sub(clip->hips[side][t], clip->hips[1 - side][t]);
    out.y = 0.0;
    double along = sinew_vec3_dot(leg, sinew_vec3_normalize_or(out, sinew_vec3(1.0, 0.0, 0.0)));
    return sqrt(along * along + missing) - along;
}

static void swing_stiff_leg(snw_RetargetClip *clip, int side, double least)
{
    SNW_ASSERT(side >= 0 && side < 2);
    snw_FootTrack *foot = &clip->feet[side];
    for (int t = 0; t < clip->frames; ++t) {
        bool stands = foot->heel[t] || foot->ball[t];
        clip->need[t] = stands ? 0.0 : swing_out(clip, side, t, least);
    }
    snw_clip_mean(clip, SWING_TIME, clip->need, clip->scratch);
    // and not at all where the foot stands: out and back between its prints
    int away = 0;
    double ramp = SWING_TIME / clip->frame_time;
    for (int t = 0; t < clip->frames; ++t) {
        away = foot->heel[t] || foot->ball[t] ? 0 : away + 1;
        clip->scratch[t] *= snw_quintic(away / ramp);
    }
    away = 0;
    for (int t = clip->frames - 1; t >= 0; --t) {
        away = foot->heel[t] || foot->ball[t] ? 0 : away + 1;
        double way = clip->scratch[t] * snw_quintic(away / ramp);
        sinew_Vec3 out = sinew_vec3_sub(clip->hips[side][t], clip->hips[1 - side][t]);
        out.y = 0.0;
        out = sinew_vec3_normalize_or(out, sinew_vec3(1.0, 0.0, 0.0));
        foot->shift[t].ball = sinew_vec3_add_scaled(foot->shift[t].ball, out, way);
    }
}

void snw_trait_legs(snw_RetargetClip *clip)
{
    const snw_RetargetCarry *carry = clip->carry;
    const sinew_IndividualEffects *e = carry->effects;
    for (int s = 0; s < SNW_SIDES; ++s) {
        // where the leg alone carries the body
        for (int t = 0; t < clip->frames; ++t) {
            const snw_FootTrack *own = &clip->feet[s], *other = &clip->feet[1 - s];
            bool alone = (own->heel[t] || own->ball[t]) && !other->heel[t] && !other->ball[t];
            clip->need[t] = alone ? e->hurt[s] : 0.0;
        }
        snw_clip_mean(clip, RISE_TIME, clip->need, clip->hurt[s]);
    }
    for (int t = 0; t < clip->frames; ++t) {
        double dip = HURT_DIP * fmax(clip->hurt[0][t], clip->hurt[1][t]);
        clip->lowered[t] += (e->crouch + dip) * carry->target.leg;
        clip->need[t] = 0.0;
        for (int s = 0; s < SNW_SIDES; ++s) {
            const snw_FootTrack *foot = &clip->feet[s];
            if (e->knee_bend[s] >= SINEW_PI || !(foot->heel[t] || foot->ball[t])) { continue; }
            sinew_Vec3 hip = clip->hips[s][t];
            hip.y -= clip->lowered[t];
            const snw_RetargetLeg *leg = &carry->target.legs[s];
            double least = snw_shortest_leg(leg, e->knee_bend[s]);
            sinew_Quat toe;
            sinew_Transform at = snw_foot_shifted(carry, s, &foot->naive[t], &foot->shift[t], &toe);
            // the heel comes up less before the hips go up
            if (foot->ball[t]) { at = lower_heel(leg, at, heel_lift(leg, at)); }
            clip->need[t] = fmax(clip->need[t], rise_for(hip, at.position, least));
        }
    }
    snw_clip_most(clip, RISE_TIME, clip->need, clip->scratch);
    snw_clip_mean(clip, RISE_TIME, clip->scratch, clip->need);
    for (int t = 0; t < clip->frames; ++t) { clip->lowered[t] -= clip->need[t]; }
    for (int s = 0; s < SNW_SIDES; ++s) {
        if (e->knee_bend[s] >= SINEW_PI) { continue; }
        swing_stiff_leg(clip, s, snw_shortest_leg(&carry->target.legs[s], e->knee_bend[s]));
    }
}
