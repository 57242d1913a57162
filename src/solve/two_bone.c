#include "solve/two_bone.h"

#include "math/holds.h"
#include "math/lanes.h"
#include "solve/circle.h"

// hinges that stand across each other less than this leave gaps in what they reach
#define LEAST_SINE 0.1
// joints this far out of range are on the bound by rounding
#define ROUNDING 1e-12
// values of the last root hinge at which some range of the root ends, or its circles touch
#define MAX_ENDS 14

enum { FIRST, SECOND, THIRD, MIDDLE, BONE_JOINTS };

static bool no_offset(const snw_ChainJoint *joint)
{
    return fabs(joint->offset_x) + fabs(joint->offset_y) + fabs(joint->offset_z) < 1e-12;
}

static bool is_limb(const snw_Chain *chain)
{
    if (chain->count != BONE_JOINTS || chain->orientation || chain->has_slides) { return false; }
    const snw_ChainJoint *joints = chain->joints;
    bool fits = no_offset(&joints[FIRST]) && no_offset(&joints[SECOND])
        && !no_offset(&joints[THIRD]) && !no_offset(&joints[MIDDLE])
        && joints[FIRST].sine > LEAST_SINE && joints[SECOND].sine > LEAST_SINE;
    return fits;
}

// the way of writing a joint's angle that lies in its range, nearest to where it is; false: none does
static bool place(const snw_Chain *chain, int i, double turned, double here, double *out)
{
    return snw_place_angle(
        turned - chain->angle[i], chain->lower[i], chain->upper[i], here, ROUNDING, out);
}

static snw_Turn turn_of(double angle)
{
    snw_Turn r;
    snw_sincos(angle, &r.sine, &r.cosine);
    return r;
}

// after a joint's constant turn about x
static inline sinew_Vec3 turn_x(const snw_ChainJoint *joint, sinew_Vec3 v)
{
    snw_Turn t = { joint->sine, joint->cosine };
    return snw_turn_x(v, t);
}

typedef struct Limb {
    const snw_Chain *chain; // its sines are those of the joints as they are
    const double *here;     // the joints as they are
    sinew_Vec3 target;      // from the root, in its frame
    sinew_Vec3 limb;        // root to tip after the third hinge, the middle joint being bent
} Limb;

static sinew_Vec3 offset_of(const snw_ChainJoint *joint)
{
    return sinew_vec3(joint->offset_x, joint->offset_y, joint->offset_z);
}

static snw_Turn turn_here(const snw_Chain *chain, int i)
{
    snw_Turn r = { chain->sine[i], chain->cosine[i] };
    return r;
}

// the range's way of writing a turn
static bool place_turn(const Limb *limb, int i, snw_Turn turn, double *out)
{
    return place(limb->chain, i, sinew_atan2(turn.sine, turn.cosine), limb->here[i], out);
}

// the first two hinges for a turn of the third; of the two ways that of the second hinge which is
// nearer to where it is, if it fits
static bool solve_root(const Limb *limb, double third, snw_Turn turn, double out[3])
{
    const snw_Chain *chain = limb->chain;
    const snw_ChainJoint *joints = chain->joints;
    sinew_Vec3 u = turn_x(&joints[SECOND], snw_turn_z(limb->limb, turn));
    double across = joints[FIRST].sine;
    snw_Turn ways[2];
    int count = snw_circle_near(across * u.y, across * u.x,
        limb->target.z - joints[FIRST].cosine * u.z, turn_here(chain, SECOND), ways);
    for (int w = 0; w < count; ++w) {
        sinew_Vec3 v = turn_x(&joints[FIRST], snw_turn_z(u, ways[w]));
        snw_Turn first = { v.x * limb->target.y - v.y * limb->target.x,
            v.x * limb->target.x + v.y * limb->target.y };
        snw_Lanes turned = snw_lanes_atan2(
            snw_lanes_pair(first.sine, ways[w].sine), snw_lanes_pair(first.cosine, ways[w].cosine));
        if (!place(chain, SECOND, snw_lanes_get(turned, 1), limb->here[SECOND], &out[SECOND])
            || !place(chain, FIRST, snw_lanes_get(turned, 0), limb->here[FIRST], &out[FIRST])) {
            continue;
        }
        out[THIRD] = third;
        return true;
    }
    return false;
}

// turns of the third hinge that leave the second one's axis just near enough to the target's height:
// beyond them its two ways, which are one here, are none
static int find_touching(const Limb *limb, snw_Turn near, snw_Turn *out)
{
    const snw_ChainJoint *joints = limb->chain->joints;
    sinew_Vec3 w = limb->limb, t = limb->target;
    double sine2 = joints[SECOND].sine, cosine2 = joints[SECOND].cosine;
    double across2 = t.x * t.x + t.y * t.y;
    double half = joints[FIRST].sine * sqrt(across2);
    int count = 0;
    for (int side = -1; side <= 1; side += 2) {
        // the limb's height over the second hinge's plane
        double height = joints[FIRST].cosine * t.z + side * half;
        count += snw_circle_near(
            sine2 * w.y, sine2 * w.x, height - cosine2 * w.z, near, &out[count]);
    }
    return count;
}

// turns of the third hinge where a range of the root begins or ends: a stretch that fits ends at one
static int find_ends(const Limb *limb, snw_Turn *out)
{
    const snw_Chain *chain = limb->chain;
    const snw_ChainJoint *joints = chain->joints;
    sinew_Vec3 w = limb->limb, t = limb->target;
    snw_Turn near = turn_here(chain, THIRD);
    double sine1 = joints[FIRST].sine, cosine1 = joints[FIRST].cosine;
    double sine2 = joints[SECOND].sine, cosine2 = joints[SECOND].cosine;
    int count = 0;
    for (int end = 0; end < 2; ++end) {
        const double *bounds = end == 0 ? chain->lower : chain->upper;
        if (isfinite(bounds[THIRD])) {
            out[count++] = turn_of(bounds[THIRD] + chain->angle[THIRD]);
        }
        if (isfinite(bounds[SECOND])) {
            snw_Turn at = turn_of(bounds[SECOND] + chain->angle[SECOND]);
            double a = sine1 * (at.sine * w.x + at.cosine * cosine2 * w.y) + cosine1 * sine2 * w.y;
            double b = sine1 * (at.cosine * cosine2 * w.x - at.sine * w.y) + cosine1 * sine2 * w.x;
            count += snw_circle_near(a, b,
                t.z + (sine1 * at.cosine * sine2 - cosine1 * cosine2) * w.z, near, &out[count]);
        }
        if (isfinite(bounds[FIRST])) {
            snw_Turn at = turn_of(bounds[FIRST] + chain->angle[FIRST]);
            // the target's height over the second hinge's plane, the first standing at its bound
            double height = cosine1 * t.z - sine1 * (at.cosine * t.y - at.sine * t.x);
            count += snw_circle_near(
                sine2 * w.y, sine2 * w.x, height - cosine2 * w.z, near, &out[count]);
        }
    }
    return count + find_touching(limb, near, &out[count]);
}

static bool solve_swivel(const Limb *limb, double out[3])
{
    double here = limb->here[THIRD];
    if (solve_root(limb, here, turn_here(limb->chain, THIRD), out)) { return true; }
    snw_Turn ends[MAX_ENDS];
    double nearest = INFINITY;
    bool fits = false;
    int count = find_ends(limb, ends);
    for (int i = 0; i < count; ++i) {
        double third, found[3];
        if (!place_turn(limb, THIRD, ends[i], &third)) { continue; }
        if (!(fabs(third - here) < nearest) || !solve_root(limb, third, ends[i], found)) {
            continue;
        }
        nearest = fabs(third - here);
        fits = true;
        for (int k = 0; k < 3; ++k) { out[k] = found[k]; }
    }
    return fits;
}

snw_TwoBone snw_two_bone_find(const snw_Chain *chain)
{
    snw_TwoBone r = { .fits = is_limb(chain) };
    if (!r.fits) { return r; }
    const snw_ChainJoint *third = &chain->joints[THIRD];
    sinew_Vec3 upper = offset_of(third), lower = offset_of(&chain->joints[MIDDLE]);
    // the upper bone as the middle hinge's frame has it
    sinew_Vec3 seen = { upper.x, third->cosine * upper.y + third->sine * upper.z,
        third->cosine * upper.z - third->sine * upper.y };
    r.even = sinew_vec3_dot(upper, upper) + sinew_vec3_dot(lower, lower) + 2.0 * seen.z * lower.z;
    r.a = seen.x * lower.x + seen.y * lower.y;
    r.b = seen.y * lower.x - seen.x * lower.y;
    return r;
}

static double length_at(const snw_TwoBone *bones, snw_Turn turn)
{
    double square = bones->even + 2.0 * (bones->a * turn.cosine + bones->b * turn.sine);
    return square > 0.0 ? sqrt(square) : 0.0;
}

// The bend that brings the tip as near to the target's distance as the joint can: straight, folded, or
// on a bound.
static bool bend_nearest(const Limb *limb, const snw_TwoBone *bones, double distance,
    snw_Turn *out_turn, double *out_bend)
{
    SNW_ASSERT(distance >= 0.0);
    const snw_Chain *chain = limb->chain;
    double size = sqrt(bones->a * bones->a + bones->b * bones->b), least = INFINITY;
    if (!(size > 0.0)) { return false; }
    snw_Turn straight = { bones->b / size, bones->a / size };
    snw_Turn turns[4] = { straight, { -straight.sine, -straight.cosine } };
    int count = 2;
    for (int end = 0; end < 2; ++end) {
        double bound = end == 0 ? chain->lower[MIDDLE] : chain->upper[MIDDLE];
        if (isfinite(bound)) { turns[count++] = turn_of(bound + chain->angle[MIDDLE]); }
    }
    for (int i = 0; i < count; ++i) {
        double bend, miss = fabs(length_at(bones, turns[i]) - distance);
        if (!(miss < least) || !place_turn(limb, MIDDLE, turns[i], &bend)) { continue; }
        least = miss;
        *out_turn = turns[i];
        *out_bend = bend;
    }
    return isfinite(least);
}

static void bend_limb(Limb *limb, snw_Turn turn)
{
    const snw_ChainJoint *joints = limb->chain->joints;
    limb->limb = sinew_vec3_add(offset_of(&joints[THIRD]),
        turn_x(&joints[THIRD], snw_turn_z(offset_of(&joints[MIDDLE]), turn)));
}

static void put_joints(const double root[3], double bend, double *joints)
{
    for (int k = 0; k < 3; ++k) { joints[k] = root[k]; }
    joints[MIDDLE] = bend;
}

snw_LimbAnswer snw_two_bone_solve(const snw_TwoBone *bones, const snw_Chain *chain, double *joints)
{
    sinew_Vec3 way = sinew_vec3_sub(chain->target, chain->first_origin);
    double distance2 = sinew_vec3_dot(way, way), bend = 0.0, root[3];
    Limb limb = { chain, joints, sinew_mat3_transpose_mul_vec3(chain->first, way), way };
    snw_Turn ways[2], nearest = { 0.0, 1.0 };
    int count = snw_circle_near(
        bones->a, bones->b, 0.5 * (distance2 - bones->even), turn_here(chain, MIDDLE), ways);
    bool bends = false;
    for (int w = 0; w < count; ++w) {
        if (!place_turn(&limb, MIDDLE, ways[w], &bend)) { continue; }
        bends = true;
        bend_limb(&limb, ways[w]);
        if (!solve_swivel(&limb, root)) { continue; }
        put_joints(root, bend, joints);
        return SNW_LIMB_MEETS;
    }
    double distance = sqrt(distance2);
    if (bends || !(distance > 0.0) || !bend_nearest(&limb, bones, distance, &nearest, &bend)) {
        return SNW_LIMB_NONE;
    }
    // the tip goes to where the line to the target leaves what the limb reaches
    bend_limb(&limb, nearest);
    limb.target = sinew_vec3_scale(limb.target, sinew_vec3_length(limb.limb) / distance);
    if (!solve_swivel(&limb, root)) { return SNW_LIMB_NONE; }
    put_joints(root, bend, joints);
    return SNW_LIMB_NEAREST;
}
