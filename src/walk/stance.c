// The roll of a standing foot over the cycle: down from the heel, flat, up from the heel again.

#include "math/exp.h"
#include "math/holds.h"
#include "walk/walker_natural.h"

#define DEGREE (SINEW_PI / 180.0)

// Of joints whose range ends before that.
#define TOE_MARGIN (2.0 * DEGREE)
// Ankles are eased before the end of their range, and over this much.
#define ANKLE_MARGIN (4.5 * DEGREE)
#define ANKLE_SOFT (4.0 * DEGREE)
#define ANKLE_GAIN 1.25 // a raised heel bends the knee, which leans the shank
// Of a leg whose heel is raised for its reach, thigh + shank.
#define HEEL_REACH 0.990
#define HEEL_SOFT 0.01

// Heels rise for hips that are out of reach, up to this; not right after landing, and not under hips
// that stay behind the foot.
#define RAISED (-62.0 * DEGREE)
#define STANDING_SHARE 0.6
#define RAISE_SPEED 12.0 // rad/s, of heels that are pulled up
#define RAISE_START 0.12 // phase
#define RAISE_TIME 0.20
#define RAISE_BEHIND 0.05 // metres that hips may be behind the foot
#define RAISE_FADE 0.10

double snw_toe_cap(const snw_WalkLegBody *leg)
{
    return leg->def.toe >= 0
        ? fmax(0.0, fmin(leg->gait->toe_bend * DEGREE, leg->toe_upper - TOE_MARGIN))
        : 0.0;
}

double snw_stance_landing(const snw_NaturalLeg *leg, double phase)
{
    double x = phase / leg->landing_share;
    return x < 1.0 ? leg->landing_pitch * (1.0 - x) * (1.0 - x) * (1.0 + 1.2 * x) : 0.0;
}

double snw_stance_pitch(
    const snw_GaitNumbers *gait, const snw_Natural *state, const snw_NaturalLeg *leg, double phase)
{
    SNW_ASSERT(snw_holds_share(phase));
    double pitch = snw_stance_landing(leg, phase);
    double y = (phase - gait->push_start) / (state->stance - gait->push_start);
    if (y > 0.0) {
        double size = state->forwardness >= 0.0
            ? -gait->push_pitch * DEGREE
            : -0.8 * gait->heel_pitch * DEGREE; // backwards f < 0: up
        double part = snw_pow(fmin(y, 1.1), gait->push_power);
        pitch += size * state->amplitude * state->forwardness * state->moving.value * part;
    }
    return pitch;
}

double snw_stance_ease(
    const snw_WalkLegBody *sizes, const snw_Foothold *at, double pitch, sinew_Vec3 hip)
{
    // the leg as the flat foot sees it
    sinew_Vec3 way = sinew_quat_rotate(
        sinew_quat_conjugate(at->basis), sinew_vec3_sub(hip, at->ground));
    double up = way.y - sizes->ankle_height;
    double a = sizes->thigh, b = sizes->shank;
    // where the hip is out of reach of the flat foot, the heel is up and the knee bent a little: a leg
    // that came down from there straight would have to bend at once where it meets the ankle's range
    double length = snw_near_min(
        sqrt(way.z * way.z + up * up), HEEL_REACH * (a + b), HEEL_SOFT * (a + b));
    double lean = sinew_atan2(way.z, fmax(0.05, up));
    // angle between leg and shank
    double cosine = (b * b + length * length - a * a) / (2.0 * b * fmax(0.05, length));
    double shank = lean + (cosine < 1.0 ? sinew_acos(cosine) : 0.0);
    // rounded off over a few degrees; below that the pitch keeps its bits
    double over = shank + pitch - (sizes->ankle_upper - ANKLE_MARGIN);
    return pitch - ANKLE_GAIN * snw_soft_positive(over, ANKLE_SOFT);
}

double snw_stance_pitch_below(const snw_WalkLegBody *sizes, const snw_Natural *state,
    const snw_NaturalLeg *leg, double phase, sinew_Vec3 hip)
{
    return snw_stance_ease(sizes, &leg->at, snw_stance_pitch(sizes->gait, state, leg, phase), hip);
}

double snw_stance_lowest_pitch(
    const snw_Natural *state, const snw_NaturalLeg *leg, double pitch, sinew_Vec3 hip)
{
    double s, c;
    sinew_sincos(state->root.heading, &s, &c);
    double ahead = (hip.x - leg->at.ground.x) * s + (hip.z - leg->at.ground.z) * c;
    double walks = snw_smoothstep((leg->phase - RAISE_START) / RAISE_TIME)
        * snw_smoothstep((ahead + RAISE_BEHIND) / RAISE_FADE);
    double stands = STANDING_SHARE * snw_smoothstep(ahead / RAISE_FADE);
    // bit by bit from one to the other: a heel that came down at once would pull the hips along
    double share = snw_mix(stands, walks, snw_clamp(state->moving.value, 0.0, 1.0));
    return fmin(pitch, snw_mix(pitch, RAISED, share));
}

double snw_stance_last_pitch(const snw_NaturalLeg *leg, double h)
{
    return fmax(RAISED, leg->pitch - RAISE_SPEED * h);
}
