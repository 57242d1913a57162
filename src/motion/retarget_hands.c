// Hands keep to what they are near: the other hand, trunk, head and legs, the floor.
//
// Arms of other lengths bring hands elsewhere: apart where they were folded, into the hips where they rested on them.
// Near something, what counts is where the hand is beside *that*. The nearer it is, the more that place weighs;
// all of it changes smoothly with the pose, so that nothing switches.

#include "motion/retarget.h"

// All shares of a leg: near enough to touch, and too far to matter. Twice as far shakes arms that swing past: joint
// steps of a walk grow by half.
#define TOUCHING 0.05
#define APART 0.14
#define FLOOR_TOUCHING 0.10
#define FLOOR_APART 0.25
// arms are used up to this share of their length
#define ARM_REACH 0.995
// shifts below this are rounding, legs
#define LEAST_SHIFT 1e-9

enum { MOST_PARTS = 8 };

/// A straight part of both bodies: from one joint to another, turned as the first.
typedef struct Part {
    int source[2], target[2];
    bool is_leg;
} Part;

static int role_joint(const snw_RetargetSide *side, sinew_Role role)
{
    return sinew_roles_find(side->roles, role, SINEW_SIDE_NONE, -1);
}

static int list_parts(const snw_RetargetCarry *carry, Part parts[MOST_PARTS])
{
    static const sinew_Role ends[2][2] = { { SINEW_ROLE_HIPS, SINEW_ROLE_CHEST },
        { SINEW_ROLE_CHEST, SINEW_ROLE_HEAD } };
    int count = 0;
    for (int i = 0; i < 2; ++i) {
        Part p = { .is_leg = false };
        for (int k = 0; k < 2; ++k) {
            p.source[k] = role_joint(&carry->source, ends[i][k]);
            p.target[k] = role_joint(&carry->target, ends[i][k]);
        }
        bool whole = p.source[0] >= 0 && p.source[1] >= 0 && p.target[0] >= 0 && p.target[1] >= 0;
        if (whole && p.source[0] != p.source[1] && p.target[0] != p.target[1]) {
            parts[count++] = p;
        }
    }
    for (int s = 0; s < SNW_SIDES; ++s) {
        const snw_RetargetLeg *a = &carry->source.legs[s], *b = &carry->target.legs[s];
        parts[count++] = (Part){ { a->thigh, a->shin }, { b->thigh, b->shin }, true };
        parts[count++] = (Part){ { a->shin, a->foot }, { b->shin, b->foot }, true };
    }
    return count;
}

// how far along a part a point is, 0..1
static double place_along(sinew_Vec3 from, sinew_Vec3 to, sinew_Vec3 point)
{
    sinew_Vec3 way = sinew_vec3_sub(to, from);
    double length2 = sinew_vec3_dot(way, way);
    double t = length2 > 0.0 ? sinew_vec3_dot(sinew_vec3_sub(point, from), way) / length2 : 0.0;
    return fmin(fmax(t, 0.0), 1.0);
}

static double nearness(double distance, double touching, double apart)
{
    return 1.0 - snw_quintic((distance - touching) / (apart - touching));
}

/// What the surroundings ask of a hand.
typedef struct Pull {
    sinew_Vec3 shift;
    double weight;
} Pull;

static void pull(Pull *sum, sinew_Vec3 shift, double weight)
{
    sum->shift = sinew_vec3_add_scaled(sum->shift, shift, weight);
    sum->weight += weight;
}

static sinew_Vec3 palm_of(const snw_RetargetSide *side, const sinew_Transform *world, int s)
{
    return sinew_transform_point(world[side->arms[s].hand], side->arms[s].palm);
}

// where a hand would be, were it beside a part as the source's is
static void pull_to_part(
    const snw_RetargetCarry *carry, const Part *p, sinew_Vec3 source, sinew_Vec3 target, Pull *sum)
{
    const sinew_Transform *from = carry->source_world, *to = carry->world;
    sinew_Vec3 a = from[p->source[0]].position, b = from[p->source[1]].position;
    double t = place_along(a, b, source);
    sinew_Vec3 beside = sinew_vec3_sub(source, sinew_vec3_lerp(a, b, t));
    double weight = nearness(sinew_vec3_length(beside) / carry->source.leg, TOUCHING, APART);
    if (weight <= 0.0) { return; }
    // as the part's own turn is changed, so is what is beside it
    sinew_Quat stand = sinew_quat_mul(
        to[p->target[0]].rotation, sinew_quat_conjugate(carry->target.stand[p->target[0]]));
    sinew_Quat turn = sinew_quat_mul(
        stand, sinew_quat_conjugate(carry->source_delta[p->source[0]]));
    sinew_Vec3 place = sinew_vec3_lerp(to[p->target[0]].position, to[p->target[1]].position, t);
    beside = sinew_vec3_scale(sinew_quat_rotate(turn, beside), carry->scale);
    pull(sum, sinew_vec3_sub(sinew_vec3_add(place, beside), target), weight);
}

static void pull_to_floor(
    const snw_RetargetCarry *carry, sinew_Vec3 source, sinew_Vec3 target, Pull *sum)
{
    double weight = nearness(source.y / carry->source.leg, FLOOR_TOUCHING, FLOOR_APART);
    if (weight <= 0.0) { return; }
    pull(sum, sinew_vec3(0.0, source.y * carry->scale - target.y, 0.0), weight);
}

// both hands keep what is between them, each half of it
static void pull_together(const snw_RetargetCarry *carry, const sinew_Vec3 source[SNW_SIDES],
    const sinew_Vec3 target[SNW_SIDES], Pull sums[SNW_SIDES])
{
    sinew_Vec3 between = sinew_vec3_sub(source[0], source[1]);
    double weight = nearness(sinew_vec3_length(between) / carry->source.leg, TOUCHING, APART);
    if (weight <= 0.0) { return; }
    sinew_Vec3 wanted = sinew_vec3_scale(between, carry->scale);
    sinew_Vec3 change = sinew_vec3_sub(wanted, sinew_vec3_sub(target[0], target[1]));
    pull(&sums[0], sinew_vec3_scale(change, 0.5), weight);
    pull(&sums[1], sinew_vec3_scale(change, -0.5), weight);
}

void snw_retarget_hands(snw_RetargetCarry *carry, double out_weights[SNW_SIDES])
{
    Part parts[MOST_PARTS];
    Pull sums[SNW_SIDES] = { { { 0.0, 0.0, 0.0 }, 0.0 }, { { 0.0, 0.0, 0.0 }, 0.0 } };
    sinew_Vec3 source[SNW_SIDES], target[SNW_SIDES];
    int count = list_parts(carry, parts), whole = 0;
    for (int s = 0; s < SNW_SIDES; ++s) {
        out_weights[s] = 0.0;
        if (carry->source.arms[s].hand < 0 || carry->target.arms[s].hand < 0) { continue; }
        ++whole;
        source[s] = palm_of(&carry->source, carry->source_world, s);
        target[s] = palm_of(&carry->target, carry->world, s);
        for (int i = 0; i < count; ++i) {
            pull_to_part(carry, &parts[i], source[s], target[s], &sums[s]);
        }
        pull_to_floor(carry, source[s], target[s], &sums[s]);
    }
    if (whole == SNW_SIDES) { pull_together(carry, source, target, sums); }
    for (int s = 0; s < SNW_SIDES; ++s) {
        // of several that pull the mean; one that is far pulls a little
        sinew_Vec3 shift = sinew_vec3_scale(sums[s].shift, 1.0 / fmax(sums[s].weight, 1.0));
        out_weights[s] = fmin(sums[s].weight, 1.0);
        if (sinew_vec3_length(shift) < LEAST_SHIFT * carry->target.leg) { continue; }
        sinew_Vec3 hand = carry->world[carry->target.arms[s].hand].position;
        snw_retarget_arm(carry, s, sinew_vec3_add(hand, shift), ARM_REACH);
    }
}
