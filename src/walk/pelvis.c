// The hips: height from the lengths that both legs want, smooth in its second derivative; sway, turn
// and tilt.

#include "walk/walker_natural.h"

#include "math/holds.h"

#define DEGREE (SINEW_PI / 180.0)

#define MID_STANCE 0.28
#define STANDING_KNEE (9.0 * DEGREE)
#define HEIGHT_OMEGA 22.0
#define HEIGHT_LAG (2.0 / HEIGHT_OMEGA)
#define SWAY_OMEGA 14.0
#define STANCE_REACH 0.990 // of thigh + shank
#define HARD_REACH 0.996
#define EASY_TURN 0.42 // radians
#define SOFT 0.012     // metres
#define LANDING_REACH 0.985
#define SLOW_FALL 5.0
#define MOST_PUSH 12.0     // m/s^2 upward
#define MOST_DROP 24.0     // m/s^2 downward
#define SHORTEST_FALL 0.03 // seconds
#define URGENT 4.0         // m/s^2 downward: what is left to the height's own way of falling
#define FALL 8.0           // m/s^2, of hips that must be lower at a landing

static double positive(double x)
{
    return x > 0.0 ? x : 0.0;
}

// ---------------------------------------------------------------------------------------------
// The ground that the hips are carried over

static double height_from(const snw_NaturalLeg *leg)
{
    return leg->is_swinging ? leg->swing.left.ground.y : leg->at.ground.y;
}

static double height_to(const snw_NaturalLeg *leg)
{
    return leg->is_swinging ? leg->swing.to.ground.y : leg->at.ground.y;
}

static double between(double a, double b, double p)
{
    return a + (b - a) * (0.55 * snw_clamp(p, 0.0, 1.0) + 0.45 * snw_smoothstep(p));
}

// from the height of one foot to that of the next, between their middles of stance
static double ground_line(const snw_Natural *state, double lead)
{
    const snw_NaturalLeg *a = &state->legs[0], *b = &state->legs[1];
    double mean = 0.5 * (a->at.ground.y + b->at.ground.y);
    if (!state->is_walking) { return mean; }
    double phase = a->phase + lead;
    phase -= floor(phase);
    if (!(phase >= MID_STANCE && phase < MID_STANCE + 0.5)) {
        const snw_NaturalLeg *swap = a;
        a = b;
        b = swap;
        phase += 0.5;
        phase -= floor(phase);
    }
    double p = (phase - MID_STANCE) / 0.5;
    // beyond its landing a foot is where it is; before, where it goes
    double from = a->is_swinging && a->phase > 0.78 ? height_to(a) : height_from(a);
    return between(from, height_to(b), p);
}

// ---------------------------------------------------------------------------------------------
// What the legs want

static double load(const snw_Natural *state, double phase)
{
    double both = fmax(0.06, state->stance - 0.5);
    double up = snw_smoothstep(phase / both);
    double down = 1.0 - snw_smoothstep((phase - 0.5) / both);
    return up * down;
}

static double wanted_knee(const snw_GaitNumbers *gait, const snw_Natural *state, double phase)
{
    double walk = snw_stance_knee(gait, phase) * (0.35 + 0.65 * state->amplitude) + 1.4 * DEGREE;
    return snw_mix(STANDING_KNEE, walk, snw_clamp(state->moving.value, 0.0, 1.0));
}

// height of the hip over the leg's ground that its wanted knee gives, at a phase a little later
static double leg_wish(
    const snw_WalkBody *body, const snw_Natural *state, int index, sinew_Vec3 hip, double phase)
{
    SNW_ASSERT(snw_holds_share(phase));
    SNW_ASSERT(index >= 0);
    const snw_WalkLegBody *sizes = &body->legs[index];
    const snw_NaturalLeg *leg = &state->legs[index];
    double knee = wanted_knee(sizes->gait, state, phase), s, c;
    sinew_sincos(knee, &s, &c);
    double a = sizes->thigh, b = sizes->shank;
    double length2 = a * a + b * b + 2.0 * a * b * c;
    double fx = hip.x - leg->at.ground.x, fz = hip.z - leg->at.ground.z;
    hip.y = leg->at.ground.y + sizes->ankle_height + sqrt(positive(length2 - fx * fx - fz * fz));
    double pitch = snw_stance_pitch_below(sizes, state, leg, phase, hip);
    sinew_Vec3 ankle = snw_foot_roll_ankle(sizes, &leg->at, pitch, snw_toe_cap(sizes));
    double dx = hip.x - ankle.x, dz = hip.z - ankle.z;
    double up = sqrt(positive(length2 - dx * dx - dz * dz));
    double wish = ankle.y - leg->at.ground.y + up;
    // late in stance the heel rises as far as the hips ask for it, so they need not come down
    const snw_GaitNumbers *gait = sizes->gait;
    double nominal = (gait->late_height - gait->late_drop * state->amplitude) * body->length;
    double raised = nominal + snw_soft_positive(wish - nominal, 0.01 * body->length);
    wish = snw_mix(wish, raised, snw_smoothstep((phase - 0.12) / 0.14));
    return snw_near_min(wish, gait->most_height * body->length, 0.01 * body->length);
}

/// What the height depends on.
typedef struct Votes {
    double wish; // of the hips over 0
    double cap;  // what legs reach, soon
    double hard; // what legs reach now
    double rise; // greatest acceleration with which the moving foot reaches the ground, m/s^2
} Votes;

// the highest hips that a leg reaches with its ankle here
static double cap_of(
    const snw_WalkLegBody *sizes, sinew_Vec3 ankle, sinew_Vec3 hip, double offset_y, double reach)
{
    double dx = hip.x - ankle.x, dz = hip.z - ankle.z;
    double r = reach * (sizes->thigh + sizes->shank);
    return ankle.y + sqrt(positive(r * r - dx * dx - dz * dz)) - offset_y;
}

// the same of a standing leg: before the hips are torn down its heel goes up
static double reach_at_last(const snw_WalkLegBody *sizes, const snw_NaturalLeg *leg, double h,
    sinew_Vec3 hip, double offset_y)
{
    double pitch = snw_stance_last_pitch(leg, h);
    sinew_Vec3 ankle = snw_foot_roll_ankle(sizes, &leg->at, pitch, snw_toe_cap(sizes));
    return cap_of(sizes, ankle, hip, offset_y, HARD_REACH);
}

// returns how high this leg lets the hips be soon
static double vote_planted(const snw_WalkBody *body, const snw_Natural *state, int index,
    sinew_Vec3 offset, double h, Votes *votes)
{
    SNW_ASSERT(index >= 0);
    const snw_WalkLegBody *sizes = &body->legs[index];
    const snw_NaturalLeg *leg = &state->legs[index];
    double cap = snw_toe_cap(sizes), lowest = 1e9, s, c;
    sinew_sincos(state->root.heading, &s, &c);
    double vx = state->root.forward * s + state->root.left * c;
    double vz = state->root.forward * c - state->root.left * s;
    sinew_Vec3 now = sinew_vec3_add(state->hips.position, offset);
    now.y = state->height.value + offset.y;
    double eased = snw_stance_pitch_below(sizes, state, leg, leg->phase, now);
    sinew_Vec3 own = snw_foot_roll_ankle(sizes, &leg->at, eased, cap);
    for (int k = 0; k < 3; ++k) {
        double later = k * HEIGHT_LAG;
        // not beyond its time to leave the ground
        double stays = (state->stance - leg->phase) * state->period;
        if (state->is_walking) { later = fmin(later, positive(stays)); }
        sinew_Vec3 hip = sinew_vec3_add(state->hips.position, offset);
        hip.x += vx * later;
        hip.z += vz * later;
        double raised = snw_stance_lowest_pitch(state, leg, eased, hip);
        double pitch = eased;
        if (raised < eased) {
            double phase = leg->phase + later / state->period;
            pitch = fmin(raised, snw_stance_pitch(sizes->gait, state, leg, fmin(phase, 1.0)));
        }
        sinew_Vec3 ankle = pitch < eased ? snw_foot_roll_ankle(sizes, &leg->at, pitch, cap) : own;
        if (k == 0) {
            double height = cap_of(sizes, ankle, hip, offset.y, HARD_REACH);
            height = fmax(height, reach_at_last(sizes, leg, h, hip, offset.y));
            votes->hard = fmin(votes->hard, height);
        } else {
            double height = cap_of(sizes, ankle, hip, offset.y, STANCE_REACH);
            votes->cap = snw_near_min(votes->cap, height, SOFT);
            lowest = fmin(lowest, height);
        }
    }
    return lowest;
}

static void vote_swinging(
    const snw_WalkBody *body, const snw_Natural *state, int index, sinew_Vec3 offset, Votes *votes)
{
    SNW_ASSERT(index >= 0);
    const snw_WalkLegBody *sizes = &body->legs[index];
    const snw_NaturalLeg *leg = &state->legs[index];
    double left = (1.0 - leg->swing.progress) * (1.0 - leg->release_phase) * state->period;
    snw_WalkRoot later = snw_root_predict(&state->root, &state->wanted, left);
    sinew_Vec3 hip = sinew_vec3_add(state->hips.position, offset);
    hip.x += later.x - state->root.x;
    hip.z += later.z - state->root.z;
    sinew_Vec3 ankle = snw_foot_roll_ankle(
        sizes, &leg->swing.planned, leg->swing.landing_pitch, snw_toe_cap(sizes));
    // steps down are met early and with something to spare
    double down = snw_smoothstep((leg->swing.left.ground.y - leg->swing.planned.ground.y) / 0.2);
    double reach = snw_mix(STANCE_REACH, LANDING_REACH, down);
    double height = cap_of(sizes, ankle, hip, offset.y, reach);
    // the hips have time to come down until then
    double time = positive(left - snw_mix(1.0, 1.3, down) * HEIGHT_LAG);
    votes->cap = snw_near_min(
        votes->cap, height + 0.5 * snw_mix(FALL, SLOW_FALL, down) * time * time, SOFT);
    // a landing that was planned late is met by falling as fast as it takes from now on
    double ends = fmax(left, SHORTEST_FALL);
    double must = cap_of(sizes, ankle, hip, offset.y, HARD_REACH);
    double way = must - state->height.value - state->height.speed * ends;
    double rise = 2.0 * way / (ends * ends);
    if (rise < -URGENT) { votes->rise = fmin(votes->rise, rise); }
}

// ---------------------------------------------------------------------------------------------
// Turns

static sinew_Quat about(double x, double y, double z, double angle)
{
    return sinew_quat_from_axis_angle(sinew_vec3(x, y, z), angle);
}

static sinew_Quat hips_turn(
    const snw_WalkBody *body, const snw_WalkSetup *setup, const snw_Natural *state)
{
    const double turn = 2.0 * SINEW_PI;
    double phase = state->legs[0].phase, m = state->moving.value, s, c, list, unused;
    double a = state->amplitude * m;
    sinew_sincos(turn * phase, &s, &c);
    sinew_sincos(turn * (phase - 0.10), &list, &unused);
    double yaw = -5.0 * DEGREE * a * state->forwardness * c * setup->ornaments.swing;
    double roll = 3.2 * DEGREE * list * a * setup->ornaments.list
        + 0.25 * state->bank.value * setup->ornaments.lean;
    double unit = sqrt(SNW_GRAVITY * body->length);
    double fast = positive(state->root.forward / unit - 0.3);
    double tilt = (3.0 * DEGREE * a + 10.0 * DEGREE * fast + 0.20 * state->slope.value)
        * setup->ornaments.lean;
    sinew_Quat heading = about(0.0, 1.0, 0.0, state->root.heading + yaw + state->hips_yaw.value);
    return sinew_quat_mul(
        heading, sinew_quat_mul(about(1.0, 0.0, 0.0, tilt), about(0.0, 0.0, 1.0, roll)));
}

// hips turn after a foot that points farther aside than legs turn easily
static void follow_feet(const snw_WalkBody *body, double h, snw_Natural *state)
{
    double yaw = 0.0;
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_NaturalLeg *leg = &state->legs[i];
        bool is_late = leg->is_swinging && leg->swing.progress > 0.6;
        if (leg->is_swinging && !is_late) { continue; }
        double heading = is_late ? leg->swing.to.heading : leg->at.heading;
        double turned = heading - state->root.heading;
        double over = fabs(turned) - EASY_TURN;
        if (over > 0.0) { yaw += copysign(over, turned); }
    }
    snw_follower_step(&state->hips_yaw, snw_clamp(yaw, -0.5, 0.5), 16.0, h);
}

// sideways over the standing foot, forward and back with each step
static void shift_hips(
    const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Natural *state)
{
    double s, c, sway = 0.0, weight = 0.0, u;
    sinew_sincos(state->root.heading, &s, &c);
    double speed = sqrt(
        state->root.forward * state->root.forward + state->root.left * state->root.left);
    u = speed / sqrt(SNW_GRAVITY * body->length);
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_NaturalLeg *leg = &state->legs[i];
        double phase = leg->phase + 2.0 / SWAY_OMEGA / state->period;
        if (phase >= 1.0) { phase -= 1.0; }
        double w = state->is_walking ? 0.02 + load(state, phase) : 0.5;
        const snw_Foothold *at = leg->is_swinging && leg->swing.progress > 0.5 ? &leg->swing.to
                                                                               : &leg->at;
        double dx = at->ground.x - state->root.x, dz = at->ground.z - state->root.z;
        sway += w * (dx * c - dz * s);
        weight += w;
    }
    // a step to the side wants the weight on the other foot first
    double aside = fabs(state->root.left) / fmax(0.1, speed);
    aside *= aside;
    double most = snw_mix(0.12, 0.20, aside) * body->length;
    double share = snw_mix(0.62 * (1.0 - u), 1.0, aside) * setup->ornaments.sway;
    sway = snw_clamp(share * sway / fmax(0.02, weight), -most, most);
    snw_follower_step(&state->sway, sway, SWAY_OMEGA, h);

    double wave, unused;
    sinew_sincos(4.0 * SINEW_PI * (state->legs[0].phase - 0.02), &wave, &unused);
    double surge = 0.010 * state->amplitude * state->moving.value * wave * body->length
        * setup->ornaments.bob;
    snw_follower_step(&state->surge, surge, 40.0, h);
    state->hips.position.x = state->root.x + state->sway.value * c + state->surge.value * s;
    state->hips.position.z = state->root.z - state->sway.value * s + state->surge.value * c;
}

// Hips that are set free, as by a foot that leaves, are pushed up no harder than legs push; rise: and no
// harder than this. They are not torn down either: heels go up for that.
static void move_gently(double target, double rise, double h, snw_Follower *height)
{
    snw_Follower before = *height;
    snw_follower_step(height, target, HEIGHT_OMEGA, h);
    double least = before.speed - MOST_DROP * h;
    double most = fmax(least, before.speed + fmin(rise, MOST_PUSH) * h);
    if (height->speed > most) {
        height->speed = most;
        height->value = fmin(height->value, before.value + 0.5 * (before.speed + most) * h);
    } else if (height->speed < least) {
        height->speed = least;
        height->value = fmax(height->value, before.value + 0.5 * (before.speed + least) * h);
    }
}

// ---------------------------------------------------------------------------------------------

void snw_pelvis_step(
    const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Natural *state)
{
    shift_hips(body, setup, h, state);
    follow_feet(body, h, state);
    state->hips.rotation = hips_turn(body, setup, state);

    double lead = state->is_walking ? HEIGHT_LAG / state->period : 0.0;
    double ground = ground_line(state, lead);
    double sum = 0.0, weight = 0.0;
    Votes votes = { 0.0, 1e9, 1e9, MOST_PUSH };
    double s, c, later = HEIGHT_LAG;
    sinew_sincos(state->root.heading, &s, &c);
    double vx = state->root.forward * s + state->root.left * c;
    double vz = state->root.forward * c - state->root.left * s;
    sinew_Vec3 offsets[SINEW_MAX_LEGS];
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_NaturalLeg *leg = &state->legs[i];
        offsets[i] = sinew_quat_rotate(state->hips.rotation, body->legs[i].hip);
        double phase = leg->phase + lead;
        if (leg->is_swinging && phase >= 1.0) { phase -= 1.0; }
        double w = state->is_walking ? load(state, phase) : 0.5;
        bool lands = leg->is_swinging && leg->phase + lead >= 1.0;
        if (w > 0.0 && !lands) {
            sinew_Vec3 hip = sinew_vec3_add(state->hips.position, offsets[i]);
            hip.x += vx * later;
            hip.z += vz * later;
            sum += w * (leg_wish(body, state, i, hip, phase) - offsets[i].y);
            weight += w;
        }
    }
    double over = weight > 1e-6 ? sum / weight : state->height.value - ground;
    votes.wish = ground + over;
    for (int i = 0; i < body->leg_count; ++i) {
        if (state->legs[i].is_swinging) {
            vote_swinging(body, state, i, offsets[i], &votes);
        } else {
            double lets = vote_planted(body, state, i, offsets[i], h, &votes);
            state->legs[i].holds_back = fmax(0.0, votes.wish - lets);
        }
    }
    double target = snw_near_min(votes.wish, votes.cap, SOFT);
    move_gently(target, votes.rise, h, &state->height);
    if (state->height.value > votes.hard) {
        state->height.value = votes.hard;
        state->height.speed = fmin(state->height.speed, 0.0);
    }
    state->hips.position.y = state->height.value;
}
