// Standing feet inside the ranges of hip, ankle and reach: they raise their heels or go onto their edges.

#include "math/holds.h"
#include "walk/foot_ease.h"
#include "walk/leg_range.h"

#define DEGREE (SINEW_PI / 180.0)

#define HIP_GAIN 1.5
#define HIP_MARGIN (1.5 * DEGREE)
#define HIP_AHEAD 0.6 // of the pitch in the next tick
#define EASE_GROWTH 1.5
#define STRAINED_ROLL 0.008
#define STRAIN_AHEAD 1.5 // ticks in which a foot must not leave its ankle's range
#define EDGE_ROLL 0.004  // radians from which a foot stands on its edge alone
#define LOWEST_PITCH (-75.0 * DEGREE)
#define RAISE_REACH 0.990
#define LAST_REACH 0.996
#define KNEE_SPEED 11.0 // rad/s, of a knee that straightens
#define ROLL_SPEED 12.0 // rad/s, of a heel that rises by itself
#define LATE 0.4        // phase from which it does
#define MOST_HOLD 0.025 // L
#define MOST_TWIST 0.45 // radians, of the foot against the body

static snw_LegAngles angles_at(const snw_WalkLegBody *sizes, const snw_Foothold *at, double pitch,
    double cap, const sinew_Transform *hips)
{
    const sinew_Vec3 left = { 1.0, 0.0, 0.0 };
    sinew_Vec3 ankle = snw_foot_roll_ankle(sizes, at, pitch, cap);
    sinew_Quat foot = sinew_quat_mul(at->basis, sinew_quat_from_axis_angle(left, -pitch));
    return snw_leg_angles(sizes, hips, ankle, foot, NULL);
}

// Raise the heel of a standing foot as far as the ranges of ankle and hip ask for it: on steep slopes,
// and when the foot is far behind.
static double ease_leg(const snw_WalkLegBody *sizes, const snw_Foothold *at, double pitch,
    double cap, const sinew_Transform *hips, snw_LegAngles *out_angles)
{
    double upper = sizes->ankle_upper - SNW_EASE_RANGE_MARGIN,
           lower = sizes->ankle_lower + SNW_EASE_RANGE_MARGIN;
    double gain = 1.0;
    *out_angles = angles_at(sizes, at, pitch, cap, hips);
    for (int i = 0; i < SNW_EASE_STEPS; ++i) {
        double over = snw_outside(out_angles->ankle, lower, upper);
        double back = out_angles->hip - (sizes->hip_back - SNW_EASE_RANGE_MARGIN);
        if (back > 0.0) { over = fmax(over, HIP_GAIN * back); }
        if (over == 0.0 || pitch <= LOWEST_PITCH) { break; }
        // near a straight knee a little more heel bends the knee more: longer steps get past that
        pitch = fmax(LOWEST_PITCH, pitch - gain * over);
        gain *= EASE_GROWTH;
        *out_angles = angles_at(sizes, at, pitch, cap, hips);
    }
    return pitch;
}

// how far the foot must be on its edge for the ankle
static double edge_roll(const snw_WalkLegBody *sizes, const snw_Foothold *at, double pitch,
    unsigned planted, const sinew_Transform *hips, double first)
{
    double upper = sizes->roll_upper - SNW_EASE_ROLL_MARGIN,
           lower = sizes->roll_lower + SNW_EASE_ROLL_MARGIN;
    double roll = 0.0, angle = first, cap = snw_toe_cap(sizes);
    for (int i = 0; i < SNW_EASE_ROLL_STEPS; ++i) {
        double over = snw_outside(angle, lower, upper);
        if (over == 0.0) { break; }
        roll -= over;
        snw_Foothold rolled = snw_foothold_rolled(sizes, at, roll, planted);
        angle = angles_at(sizes, &rolled, pitch, cap, hips).roll;
    }
    return snw_clamp(roll, -SNW_EASE_MOST_EDGE_ROLL, SNW_EASE_MOST_EDGE_ROLL);
}

// the length of a leg at a flexion of its knee
static double length_at(const snw_WalkLegBody *sizes, double knee)
{
    double s, c;
    sinew_sincos(knee, &s, &c);
    double a = sizes->thigh, b = sizes->shank;
    return sqrt(a * a + b * b + 2.0 * a * b * c);
}

static double knee_of(const snw_WalkLegBody *sizes, double length)
{
    double a = sizes->thigh, b = sizes->shank;
    return sinew_acos(snw_clamp((length * length - a * a - b * b) / (2.0 * a * b), -1.0, 1.0));
}

// a heel that rises because the hips cannot come down any faster
static double raise_at_last(
    const snw_WalkLegBody *sizes, const snw_NaturalLeg *leg, double pitch, double h, sinew_Vec3 hip)
{
    double cap = snw_toe_cap(sizes), reach = LAST_REACH * (sizes->thigh + sizes->shank);
    double last = snw_stance_last_pitch(leg, h);
    sinew_Vec3 ankle = snw_foot_roll_ankle(sizes, &leg->shown, pitch, cap);
    double far = sinew_vec3_distance(ankle, hip);
    if (far <= reach || last >= pitch) { return pitch; }
    ankle = snw_foot_roll_ankle(sizes, &leg->shown, last, cap);
    if (sinew_vec3_distance(ankle, hip) > far) { return pitch; }
    return snw_foot_raise_heel(sizes, &leg->shown, pitch, cap, hip, reach, last);
}

// The pitch of a standing foot: its own roll, with the heel up where the hip is out of reach, and where
// a knee that was bent over a raised heel would snap straight as it comes down.
static double stance_pitch(const snw_WalkLegBody *sizes, const snw_Natural *state,
    const snw_NaturalLeg *leg, double h, sinew_Vec3 hip)
{
    double cap = snw_toe_cap(sizes), length = sizes->thigh + sizes->shank;
    double pitch = snw_stance_pitch_below(sizes, state, leg, leg->phase, hip);
    if (leg->phase > LATE) { pitch = fmax(pitch, fmin(leg->pitch, 0.0) - ROLL_SPEED * h); }
    double lowest = snw_stance_lowest_pitch(state, leg, pitch, hip);
    pitch = snw_foot_raise_heel(sizes, &leg->shown, pitch, cap, hip, RAISE_REACH * length, lowest);
    pitch = raise_at_last(sizes, leg, pitch, h, hip);
    if (leg->pitch >= pitch) { return pitch; }
    double before = sinew_vec3_distance(hip, leg->pose.foot.position);
    double knee = knee_of(sizes, before) - KNEE_SPEED * h;
    if (knee <= 0.0) { return pitch; }
    return snw_foot_raise_heel(
        sizes, &leg->shown, pitch, cap, hip, length_at(sizes, knee), leg->pitch);
}

// whether a foot turns out of the range of its ankle within the next tick: sideways, and down as it pushes
static bool will_strain(
    const snw_WalkLegBody *sizes, const snw_LegAngles *was, const snw_LegAngles *now)
{
    double ankle = now->ankle + STRAIN_AHEAD * fmin(0.0, now->ankle - was->ankle);
    double roll = now->roll + STRAIN_AHEAD * (now->roll - was->roll);
    return ankle < sizes->ankle_lower + SNW_EASE_RANGE_MARGIN
        || snw_outside(roll, sizes->roll_lower + SNW_EASE_ROLL_MARGIN,
               sizes->roll_upper - SNW_EASE_ROLL_MARGIN)
        != 0.0;
}

static void stand_foot(const snw_WalkBody *body, int index, double h, snw_Natural *state)
{
    SNW_ASSERT(index >= 0);
    snw_NaturalLeg *leg = &state->legs[index];
    const snw_WalkLegBody *sizes = &body->legs[index];
    sinew_Vec3 hip = sinew_transform_point(state->hips, sizes->hip);
    double cap = snw_toe_cap(sizes);
    double pitch = stance_pitch(sizes, state, leg, h, hip);
    snw_LegAngles angles;
    pitch = ease_leg(sizes, &leg->at, pitch, cap, &state->hips, &angles);
    double turned = fabs(leg->at.heading - state->root.heading);
    leg->is_strained = angles.hip > sizes->hip_back - SNW_EASE_RANGE_MARGIN - 0.5 * DEGREE
        || turned > MOST_TWIST || leg->holds_back > MOST_HOLD * body->length;
    if (h > 0.5 * SNW_WALK_TICK) {
        // how fast it rolls, for the swing to go on with
        leg->pitch_rate = (pitch - leg->pitch) / h;
        leg->is_strained = leg->is_strained || will_strain(sizes, &leg->angles, &angles);
        leg->angles = angles;
    }
    leg->pitch = pitch;
    leg->shown = leg->at;
    leg->pose = snw_foot_roll(sizes, &leg->at, pitch, cap);
    unsigned planted = leg->pose.planted;
    double roll = edge_roll(sizes, &leg->at, pitch, planted, &state->hips, angles.roll);
    if (roll != 0.0) {
        leg->shown = snw_foothold_rolled(sizes, &leg->at, roll, planted);
        leg->pose = snw_foot_roll(sizes, &leg->shown, pitch, cap);
    }
    if (fabs(roll) > STRAINED_ROLL) { leg->is_strained = true; }
    // a leg that turns about itself cannot follow the hips any farther; it turns the quicker the heel rises
    double margin = HIP_MARGIN + HIP_AHEAD * fabs(leg->pitch_rate) * SNW_WALK_TICK;
    if (state->is_walking && snw_hip_excess(body, sizes, &state->hips, &leg->pose.foot) > -margin) {
        leg->is_strained = true;
    }
    if (fabs(roll) > EDGE_ROLL) {
        // bent toes are not in line with the edge of the ball
        if (leg->at.toe_base != 0.0 && (planted & SINEW_PLANTED_BALL) != 0) {
            leg->pose.planted &= ~(unsigned)SINEW_PLANTED_TOE;
        }
        leg->pose.planted |= roll < 0.0 ? SINEW_PLANTED_LEFT : SINEW_PLANTED_RIGHT;
    }
}

void snw_feet_stand(const snw_WalkBody *body, double h, snw_Natural *state)
{
    for (int i = 0; i < body->leg_count; ++i) {
        if (!state->legs[i].is_swinging) { stand_foot(body, i, h, state); }
    }
}
