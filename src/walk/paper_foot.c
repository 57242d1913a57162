// Which pitch of a foot keeps its leg in reach and its ankle and thigh in their ranges, and how far its heel may lift.

#include "walk/paper_foot.h"

#include "math/holds.h"
#include "walk/foot_place.h"
#include "walk/gait.h"
#include "walk/stride_rule.h"

#define MOST_TOE_BASE 0.3 // bend of the toes left to the ground, radians
#define RANGE_MARGIN 0.02 // radians
#define EASE_STEPS 16
#define EASED 1e-11 // sine
#define LEAST_SLOPE 0.2
#define STRAIGHT 1e-6 // metres
#define MOST_LIFT 0.9 // of a heel, radians
#define MOST_EASE 0.6 // of a foot in the air
// of an ankle that comes near its end, sines
#define EASE_IN 0.1
#define FAR_FROM_END 0.35
#define LIFT_PARTS 6
#define PEAK_STEPS 6
#define LIFT_STEPS 12
#define LIFT_ENOUGH 1e-6 // radians

double snw_paper_reach(const snw_WalkLegBody *leg)
{
    return SNW_REACH_SHARE * (leg->thigh + leg->shank);
}

double snw_paper_over_reach(
    const snw_WalkLegBody *leg, const sinew_Transform *hips, sinew_Vec3 ankle)
{
    sinew_Vec3 hip = sinew_transform_point(*hips, leg->hip);
    double dx = hip.x - ankle.x, dz = hip.z - ankle.z;
    double most = snw_reach_height(snw_paper_reach(leg), sqrt(dx * dx + dz * dz), ankle.y);
    return isfinite(most) ? snw_min(0.0, most - hip.y) : 0.0;
}

double snw_paper_most_lift(const snw_WalkLegBody *leg, double toe_bend)
{
    if (leg->def.toe < 0) { return MOST_LIFT; }
    return snw_min(MOST_LIFT, snw_max(0.0, leg->toe_upper - snw_max(MOST_TOE_BASE, toe_bend)));
}

/// How far the heel of a foot on its toes has to be lifted for the hip joint to reach it, radians;
/// at most most.
static double heel_lift(const snw_WalkLegBody *leg, const sinew_Transform *flat, sinew_Vec3 hip,
    double reach, double most)
{
    if (sinew_vec3_distance(hip, flat->position) <= reach) { return 0.0; }
    // in the foot's plane: the ankle goes round the pivot, the hip stays
    sinew_Vec3 pivot = snw_foot_pivot(leg);
    sinew_Vec3 to_hip = sinew_quat_rotate(sinew_quat_conjugate(flat->rotation),
        sinew_vec3_sub(hip, sinew_transform_point(*flat, pivot)));
    double ankle = sqrt(pivot.y * pivot.y + pivot.z * pivot.z);
    double far = sqrt(to_hip.y * to_hip.y + to_hip.z * to_hip.z);
    double aside = to_hip.x + pivot.x;
    if (!(ankle > 0.0 && far > 0.0)) { return 0.0; }
    double between = sinew_atan2(-pivot.y, -pivot.z) - sinew_atan2(to_hip.y, to_hip.z);
    double cosine = (far * far + ankle * ankle + aside * aside - reach * reach)
        / (2.0 * far * ankle);
    return snw_min(most, snw_max(0.0, between - sinew_acos(cosine)));
}

sinew_Transform snw_paper_posed(
    const snw_WalkLegBody *leg, const sinew_Transform *flat, double pitch)
{
    sinew_Vec3 about = pitch > 0.0 ? snw_foot_heel(leg) : snw_foot_pivot(leg);
    return snw_foot_pitched(flat, about, pitch);
}

// ---------------------------------------------------------------------------------------------
// Ranges

// A leg while its foot turns about a point: all that stays the same meanwhile, so that one try needs
// neither rotations nor arcs.
typedef struct TurningFoot {
    sinew_Vec3 hip, hips_up, hips_ahead;
    sinew_Vec3 about;           // world
    sinew_Vec3 left, up, ahead; // axes of the foot before it turns
    sinew_Vec3 arm;             // from the point to the ankle, foot frame
    double thigh, shank;
    double ankle_sine;          // of the ankle's upper end
    double ankle_low_sine;      // and of its lower one
    double back_sine, back_cos; // of how far the thigh may go back
} TurningFoot;

static TurningFoot turning_foot(const snw_WalkLegBody *leg, const sinew_Transform *foot,
    sinew_Vec3 about, const sinew_Transform *hips)
{
    sinew_Mat3 hips_axes = sinew_mat3_from_quat(hips->rotation);
    sinew_Mat3 axes = sinew_mat3_from_quat(foot->rotation);
    TurningFoot turning = { .hip = sinew_transform_point(*hips, leg->hip),
        .hips_up = hips_axes.y,
        .hips_ahead = hips_axes.z,
        .about = sinew_transform_point(*foot, about),
        .left = axes.x,
        .up = axes.y,
        .ahead = axes.z,
        .arm = sinew_vec3_scale(about, -1.0),
        .thigh = leg->thigh,
        .shank = leg->shank };
    double unused;
    sinew_sincos(leg->ankle_upper - RANGE_MARGIN, &turning.ankle_sine, &unused);
    sinew_sincos(leg->ankle_lower + RANGE_MARGIN, &turning.ankle_low_sine, &unused);
    sinew_sincos(leg->hip_back - RANGE_MARGIN, &turning.back_sine, &turning.back_cos);
    return turning;
}

// which end of the ranges
typedef enum Bent {
    BENT_UP,   // the ankle's upper one, or the thigh is too far back: toes have to come down
    BENT_DOWN, // the ankle's lower one: toes have to come up
} Bent;

// how far ankle or thigh is beyond its range when the foot has turned, toes up, as a sine; the knee in
// the plane of the foot, as snw_leg_close has it
static double over_bent(const TurningFoot *foot, double pitch, Bent bent)
{
    double s, c;
    sinew_sincos(pitch, &s, &c);
    sinew_Vec3 ahead = sinew_vec3_add_scaled(sinew_vec3_scale(foot->ahead, c), foot->up, s);
    sinew_Vec3 up = sinew_vec3_add_scaled(sinew_vec3_scale(foot->up, c), foot->ahead, -s);
    sinew_Vec3 way = sinew_vec3_sub(foot->about, foot->hip);
    way = sinew_vec3_add_scaled(way, foot->left, foot->arm.x);
    way = sinew_vec3_add_scaled(way, up, foot->arm.y);
    way = sinew_vec3_add_scaled(way, ahead, foot->arm.z);

    double a = foot->thigh, b = foot->shank, length = sinew_vec3_length(way);
    const sinew_Vec3 down = { 0.0, -1.0, 0.0 };
    sinew_Vec3 d = sinew_vec3_normalize_or(way, down);
    double reach = snw_min(a + b - STRAIGHT, snw_max(fabs(a - b) + STRAIGHT, length));
    sinew_Vec3 axis = sinew_vec3_normalize_or(sinew_vec3_cross(ahead, d), foot->left);
    sinew_Vec3 front = sinew_vec3_cross(d, axis);
    double cosine = (a * a + reach * reach - b * b) / (2.0 * a * reach);
    double sine = sqrt(snw_max(0.0, 1.0 - cosine * cosine));
    sinew_Vec3 thigh = sinew_vec3_add_scaled(sinew_vec3_scale(d, cosine), front, sine);
    sinew_Vec3 shank = sinew_vec3_add_scaled(sinew_vec3_scale(d, reach), thigh, -a);

    double ankle = -sinew_vec3_dot(ahead, shank) / b;
    if (bent == BENT_DOWN) { return foot->ankle_low_sine - ankle; }
    double back = foot->back_sine * sinew_vec3_dot(thigh, foot->hips_up)
        - foot->back_cos * sinew_vec3_dot(thigh, foot->hips_ahead);
    return snw_max(ankle - foot->ankle_sine, back);
}

// by secants: the turn away from an end that brings what is over it to 0
static double ease(const TurningFoot *foot, double pitch, Bent bent)
{
    double turned = 0.0, before = 0.0, over_before = 0.0, way = bent == BENT_UP ? -1.0 : 1.0;
    for (int i = 0; i < EASE_STEPS; ++i) {
        double over = over_bent(foot, pitch + way * turned, bent), slope = 1.0;
        if (i == 0 ? over <= 0.0 : fabs(over) <= EASED) { break; }
        // near a straight knee the ankle follows late
        if (i > 0) { slope = snw_max(LEAST_SLOPE, (over_before - over) / (turned - before)); }
        before = turned;
        over_before = over;
        turned += over / slope;
    }
    return turned;
}

double snw_paper_ease(const snw_WalkLegBody *leg, const sinew_Transform *foot, sinew_Vec3 about,
    const sinew_Transform *hips)
{
    TurningFoot turning = turning_foot(leg, foot, about, hips);
    // a foot that points at the hip says nothing about its ankle, and no turn eases it
    return snw_min(MOST_EASE, ease(&turning, 0.0, BENT_UP));
}

// the lift between two at which the ankle is bent most, and how far it is beyond its end there
static double most_bent_lift(const TurningFoot *toes, double low, double high, double *out_over)
{
    SNW_ASSERT(snw_holds_range(low, high));
    const double golden = 0.6180339887498949;
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double over_a = over_bent(toes, -a, BENT_UP), over_b = over_bent(toes, -b, BENT_UP);
    for (int i = 0; i < PEAK_STEPS; ++i) {
        if (over_a > over_b) {
            high = b;
            b = a;
            over_b = over_a;
            a = high - golden * (high - low);
            over_a = over_bent(toes, -a, BENT_UP);
        } else {
            low = a;
            a = b;
            over_a = over_b;
            b = low + golden * (high - low);
            over_b = over_bent(toes, -b, BENT_UP);
        }
    }
    *out_over = snw_max(over_a, over_b);
    return over_a > over_b ? a : b;
}

// the lift at which the ankle comes back inside, between one that is beyond its end and one inside:
// false position with halved weights
static double lift_inside(
    const TurningFoot *toes, double beyond, double over, double inside, double under)
{
    double side = 0.0, lift = inside;
    for (int i = 0; i < LIFT_STEPS && inside - beyond > LIFT_ENOUGH; ++i) {
        lift = (beyond * under - inside * over) / (under - over);
        double here = over_bent(toes, -lift, BENT_UP);
        if (here > 0.0) {
            beyond = lift;
            over = here;
            if (side > 0.0) { under *= 0.5; }
            side = 1.0;
        } else {
            inside = lift;
            under = here;
            if (side < 0.0) { over *= 0.5; }
            side = -1.0;
        }
    }
    return inside;
}

// What the ankle asks of a heel on its toes. Where the leg is nearly straight, a heel that comes up a
// little bends the ankle more before it bends less: such a heel is up in time, so that it does not have
// to leap there. out_share: how near that is, 0..1
static double asked_lift(const TurningFoot *toes, double most, double *out_share)
{
    double over[LIFT_PARTS + 1], part = most / LIFT_PARTS, worst;
    int best = 0;
    *out_share = 0.0;
    over[0] = over_bent(toes, 0.0, BENT_UP);
    if (over[0] < -FAR_FROM_END || !(most > 0.0)) { return 0.0; }
    for (int i = 1; i <= LIFT_PARTS; ++i) { over[i] = over_bent(toes, -part * i, BENT_UP); }
    // the first peak: a foot that points at the hip says nothing about its ankle
    while (best < LIFT_PARTS && over[best + 1] > over[best]) { ++best; }
    double peak = most_bent_lift(
        toes, part * snw_max(0.0, best - 1), part * snw_min(LIFT_PARTS, best + 1), &worst);
    if (over[best] > worst) {
        worst = over[best];
        peak = part * best;
    }
    *out_share = snw_smoothstep(1.0 + worst / EASE_IN);
    if (worst <= 0.0) { return peak * *out_share; }
    for (int i = best; i <= LIFT_PARTS; ++i) {
        if (part * i > peak && over[i] <= 0.0) {
            return lift_inside(toes, peak, worst, part * i, over[i]);
        }
    }
    // the ankle has no end where it would be inside again
    return over[0] < over[LIFT_PARTS] ? 0.0 : most;
}

double snw_paper_stand_pitch(const snw_WalkLegBody *leg, const snw_FootPlace *place,
    const sinew_Transform *hips, double wanted)
{
    const sinew_Transform *flat = &place->foot;
    double most = snw_paper_most_lift(leg, place->toe_bend), pitch = wanted, share;
    TurningFoot toes = turning_foot(leg, flat, snw_foot_pivot(leg), hips);
    double lift = asked_lift(&toes, most, &share);
    if (pitch > 0.0) {
        // on its heel as far as that goes, and no further than to lie flat
        TurningFoot heel = turning_foot(leg, flat, snw_foot_heel(leg), hips);
        pitch = snw_max(0.0, pitch - ease(&heel, pitch, BENT_UP)) * (1.0 - share) - lift;
        if (pitch > 0.0) { return pitch; }
    } else {
        sinew_Vec3 hip = sinew_transform_point(*hips, leg->hip);
        double reach = heel_lift(leg, flat, hip, snw_paper_reach(leg), most);
        pitch = snw_min(pitch, -snw_max(reach, lift));
    }
    pitch = snw_max(pitch, -most);
    // a heel that would have to come up further than the ankle stretches: the hips come down instead
    return pitch < 0.0 ? snw_min(0.0, pitch + ease(&toes, pitch, BENT_DOWN)) : pitch;
}
