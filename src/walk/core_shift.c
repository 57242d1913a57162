// What moves the pelvis: its turn, tilt and list, the shift of the weight from foot to foot, and the way it goes
// ahead of the root and falls behind within a step. With every gain of the manner at 0 the plain figure's.

#include "math/quat.h"
#include "math/trig.h"
#include "walk/core.h"
#include "walk/leg_form.h"

// Bound of sway, and of surge, m/s^2: with 5 of the root's own, hips stay below 9. People have 2 to 4. A surge that comes to
// its bound falls behind the steps.
#define MOST_SWAY 4.0
#define MOST_SURGE 3.0
// How fast hips go sideways and list, 1/s; and before the first step, where a foot has to be let go in a quarter of a second.
#define SWAY_OMEGA 9.0
#define SHIFT_OMEGA 15.0
#define SURGE_OMEGA 22.0
// Share of the way to the feet's middle that hips sway, and the most, L.
#define SWAY 0.35
#define MOST_SWAY_WAY 0.047
// Share of the way to the feet's middle that hips of people sway on level ground: at u = .32, and for each unit more.
#define WIDE_SWAY 0.48
#define WIDE_SWAY_SPEED 2.2
// Share of the way to the standing ankle that the hips go before the first step; people .55 to .78.
#define SHIFT_WAY 0.85
// Surge of people on level ground, L at A = 1, and by how much of a cycle after a heel strike it is greatest.
#define SURGE 0.020
#define SURGE_PHASE 0.151
// By how much the hips of who stops stay behind the root, to travel on when the last foot stands: L, from this
// speed on, m/s.
#define STOP_WAY 0.045
#define FASTEST_STOP 0.5
#define BOW_WAY 0.15 // of hips behind, L by radian that the trunk bows
// The pelvis turns where a thigh would be so near to the end of its range, radians, if that leaves it by more than this share
// of the turn: one that points too far back is not helped by it.
#define THIGH_MARGIN 0.03
// From this share of its swing on a foot is about to land: hips turn for its thigh as for one that stands.
#define LANDS 0.85
#define HELPS 0.3
// It does so no faster than this, and comes round again, rad/s.
#define HOLD_SPEED 4.0
// The pelvis of runners rolls by this share of their lean into a curve, which comes as fast as that, 1/s.
#define LEAN_PELVIS 0.5
#define LEAN_OMEGA 7.0
// Hips that are nearer to each other than this, L, list for no leg.
#define LEAST_APART 1e-3
// Most that hips of who stands list for feet at two heights, and for legs of two lengths, radians.
#define MOST_EVEN (4.0 * SNW_DEGREE)
#define MOST_UNEVEN (8.0 * SNW_DEGREE)
// Then they go to their higher side, L for each radian, so that the trunk stays over the feet.
#define EVEN_WAY 0.12

double snw_core_load(const snw_Core *state, double phase)
{
    double both = snw_max(0.06, state->stance - 0.5);
    return snw_smoothstep(phase / both) * (1.0 - snw_smoothstep((phase - 0.5) / both));
}

/// List of people at a phase of the left leg, degrees at A = 1, left side up: 3.2 cos(x - .19) + 1.3 cos(3 (x - .125)),
/// x in cycles. People differ: the side of the standing leg is highest .37 of a cycle after its strike in four of
/// seven recordings, at .0 to .12 in the others and in gait laboratories; this is between.
static double list_of(double phase)
{
    const double third_cos = 0.33874, third_sin = 0.94088; // of 3 (.19 - .125) cycles
    double s, c;
    sinew_sincos(2.0 * SINEW_PI * (phase - 0.19), &s, &c);
    double c3 = c * (4.0 * c * c - 3.0), s3 = s * (3.0 - 4.0 * s * s);
    return 3.2 * c + 1.3 * (c3 * third_cos - s3 * third_sin);
}

double snw_core_list_change(const snw_Core *state, double later)
{
    const snw_CoreLife *life = &state->life;
    if (life->list_gain == 0.0 || !state->is_walking) { return 0.0; }
    return life->list_gain * (list_of(life->phase + state->rate * later) - life->list);
}

/// Turn and tilt of people at a phase of the left leg, radians; tilt beside the plain one.
/// Source: six recorded walks, pooled.
static void find_living_turns(const snw_Core *state, double a, double *out_yaw, double *out_tilt)
{
    const snw_CoreLife *life = &state->life;
    double phase = 2.0 * SINEW_PI * life->phase, s, c, tilt, unused;
    double u = life->speed.value;
    sinew_sincos(phase, &s, &c);
    sinew_sincos(2.0 * (phase - 2.0 * SINEW_PI * 0.10), &tilt, &unused);
    double moving = snw_clamp(state->moving.value, 0.0, 1.0) * snw_smoothstep(u / 0.25);
    const double brisk = snw_clamp(u - 0.30, -0.03, 0.20);
    *out_yaw = -(32.0 * brisk * c + (1.6 - 8.0 * brisk) * s) * SNW_DEGREE * moving
        * state->forwardness;
    *out_tilt = -1.3 * SNW_DEGREE * a * tilt;
}

/// How far a thigh that stands is over what its joint turns to, radians, below hips that are turned on by so much; hips: as its
/// foot was posed below them; room as of snw_joint_excess.
static double find_thigh_over(const snw_WalkBody *body, const snw_Core *state,
    const sinew_Transform *hips, int index, double turned, double room)
{
    sinew_Transform on = *hips;
    on.rotation = snw_quat_about_y(snw_half(turned), hips->rotation);
    const double excess = snw_leg_hip_excess(body, &body->legs[index], &on,
        &state->legs[index].pose.foot, state->root.heading + turned, room);
    return excess + THIGH_MARGIN;
}

/// By how much more a thigh is over its range for each radian that hips turn on; over: where they are turned by so much.
static double find_thigh_rise(const snw_WalkBody *body, const snw_Core *state,
    const sinew_Transform *hips, int index, double turned, double over)
{
    const double on = turned + THIGH_MARGIN;
    return (find_thigh_over(body, state, hips, index, on, (double)INFINITY) - over) / THIGH_MARGIN;
}

/// A turn of the hips that takes a thigh back into its range; where another end of it comes before that, between both.
static double turn_off(const snw_WalkBody *body, const snw_Core *state, const sinew_Transform *hips,
    int index, double turned)
{
    const double over = find_thigh_over(body, state, hips, index, turned, THIGH_MARGIN);
    if (over <= 0.0) { return turned; }
    const double rise = find_thigh_rise(body, state, hips, index, turned, over);
    if (fabs(rise) <= HELPS) { return turned; }
    const double to = turned - over / rise, way = to - turned;
    const double beyond = find_thigh_over(body, state, hips, index, to, THIGH_MARGIN);
    if (beyond <= 0.0) { return to; }
    const double rise_beyond = find_thigh_rise(body, state, hips, index, to, beyond);
    if (rise * rise_beyond >= 0.0) { return to; }
    // two lines meet
    const double meets = (beyond - over - rise_beyond * way) / (rise - rise_beyond);
    return turned + snw_clamp(meets, snw_min(0.0, way), snw_max(0.0, way));
}

/// A turn of the pelvis against the root that keeps the thighs of legs that stand or are about to in their range, as far as that
/// helps.
static double hold_yaw(
    const snw_WalkBody *body, const snw_Core *state, const sinew_Transform *hips, double yaw)
{
    const double before = snw_core_heading(hips);
    for (int i = 0; i < 2; ++i) {
        if (state->legs[i].is_swinging && state->legs[i].t < LANDS) { continue; }
        const double turned = snw_least_turn(before, state->root.heading + yaw);
        yaw += turn_off(body, state, hips, i, turned) - turned;
    }
    return yaw;
}

/// How much farther up the left side of the hips is when both legs that stand are as straight.
static double find_even(const snw_WalkBody *body, const snw_Core *state)
{
    double highest[2];
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        if (leg->is_swinging) { return 0.0; }
        const sinew_Vec3 ankle = leg->pose.foot.position;
        sinew_Vec3 hip = sinew_transform_point(state->hips, body->legs[i].hip);
        double r = body->legs[i].thigh + body->legs[i].shank;
        highest[i] = ankle.y + snw_core_hip_over(hip, ankle, r * r);
    }
    const double apart = body->legs[0].hip.x - body->legs[1].hip.x;
    // a body of one plane has both in its middle
    if (fabs(apart) < LEAST_APART * body->length) { return 0.0; }
    const double list = (highest[0] - highest[1]) / apart;
    // legs of two lengths list the hips on level ground already
    const double longer = (body->legs[0].length - body->legs[1].length) / apart;
    const double level = snw_clamp(longer, -MOST_UNEVEN, MOST_UNEVEN);
    return snw_clamp(list, level - MOST_EVEN, level + MOST_EVEN);
}

void snw_core_even_out(const snw_WalkBody *body, snw_Core *state)
{
    const double even = snw_mix(state->life.even.value, find_even(body, state), 0.5);
    state->life.even.value = even;
    state->sway.value = EVEN_WAY * body->length * even;
    const sinew_Vec3 swayed = snw_root_beside(&state->root, state->sway.value);
    state->hips.position.x = swayed.x;
    state->hips.position.z = swayed.z;
    const sinew_Quat upright = { 0.0, 0.0, 0.0, 1.0 };
    state->hips.rotation = snw_quat_about_y(
        snw_half(state->root.heading), snw_quat_on_z(upright, even));
}

/// was: the hips of the tick before.
static void turn_hips(const snw_WalkBody *body, const snw_WalkSetup *setup, double h,
    const sinew_Transform *was, snw_Core *state)
{
    const sinew_WalkOrnaments *o = &setup->ornaments;
    const sinew_Manner *m = &setup->manner;
    const double phase = state->legs[0].phase, moving = snw_clamp(state->moving.value, 0.0, 1.0);
    const double a = state->life.size.value * moving;
    double c = 1.0, list = 0.0, living_yaw = 0.0, living_tilt = 0.0, unused;
    // who stands shows nothing of the cycle
    if (moving > 0.0) {
        sinew_sincos(2.0 * SINEW_PI * phase, &unused, &c);
        sinew_sincos(2.0 * SINEW_PI * (phase - 0.10), &list, &unused);
        find_living_turns(state, a, &living_yaw, &living_tilt);
        state->life.list = list_of(state->life.phase);
    }
    // side steps list otherwise
    double listing = m->hips * fabs(state->forwardness);
    state->life.list_gain = listing * o->list * a * SNW_DEGREE;
    double yaw = snw_mix(-5.0 * SNW_DEGREE * a * state->forwardness * c, living_yaw, m->hips)
        * o->swing;
    const double go = HOLD_SPEED * h, held = state->life.held_yaw;
    const double kept = yaw + held - snw_clamp(held, -go, go);
    if (!state->legs[0].rests || !state->legs[1].rests) {
        const double holds = hold_yaw(body, state, was, kept) - yaw;
        state->life.held_yaw = snw_clamp(holds, held - go, held + go);
    }
    yaw += state->life.held_yaw;
    double roll = snw_mix(3.2 * SNW_DEGREE * list * a, state->life.list * a * SNW_DEGREE, listing)
        * o->list;
    const double still = 1.0 - moving;
    snw_follower_step(&state->life.even, still * find_even(body, state), SWAY_OMEGA, h);
    roll += state->life.even.value;
    snw_Follower *curve = &state->life.curve;
    snw_follower_step(curve, snw_core_lean_into(state, &state->root), LEAN_OMEGA, h);
    roll -= LEAN_PELVIS * curve->value * o->lean;
    double tilt = (3.0 * SNW_DEGREE * a + m->hips * living_tilt + 0.36 * state->lean.value)
        * o->lean;
    // runners' thighs need all of the range behind
    tilt *= 1.0 - state->run.value;
    state->tilt = tilt;
    state->life.hips_yaw = yaw;
    const snw_Half tilted = snw_half(tilt);
    const sinew_Quat upright = { tilted.s, 0.0, 0.0, tilted.c };
    state->hips.rotation = snw_quat_about_y(
        snw_half(state->root.heading + yaw), snw_quat_on_z(upright, roll));
}

/// A follower whose acceleration is bounded; ticks of any length put it on the same way.
static void follow(snw_Follower *follower, double target, double omega, double most, double h)
{
    double pull = omega * omega * (target - follower->value) - 2.0 * omega * follower->speed;
    const double before = follower->speed;
    follower->speed += snw_clamp(pull, -most, most) * h;
    follower->value += 0.5 * (before + follower->speed) * h;
}

/// A foot from the root to the left, metres.
static double aside_of(const snw_Core *state, const snw_Foothold *at)
{
    const snw_WalkRoot *root = &state->root;
    return snw_root_to_body(root, at->ground.x - root->x, at->ground.z - root->z).aside;
}

/// A share of the way to where the weight is, to the left of the root: between feet, by what they carry a little
/// later.
static double lean_to_middle(const snw_WalkBody *body, double share, const snw_Core *state)
{
    double sum = 0.0, weight = 1e-6;
    // feet of who leans into a curve are beside the hips
    const double lean = body->length * state->life.curve.value;
    // who stops at once comes to rest between the feet, not over one after the other
    double quick = snw_core_is_stopping(state) ? 1.0 - state->life.calm : 0.0;
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        double phase = leg->phase + 2.0 / SWAY_OMEGA / state->period;
        phase -= phase >= 1.0 ? 1.0 : 0.0;
        double w = state->is_walking ? 0.02 + snw_core_load(state, phase) : 0.5;
        w = snw_mix(w, 0.5, quick);
        const snw_Foothold *at = leg->is_swinging && leg->t > 0.5 ? &leg->swing.to : &leg->at;
        sum += w * (aside_of(state, at) + lean);
        weight += w;
    }
    return share * sum / weight;
}

/// How far the hips stay behind the root of a body that stops, until its last foot stands.
static double stay_behind(const snw_WalkBody *body, const sinew_Manner *m, snw_Core *state)
{
    snw_CoreLife *life = &state->life;
    bool stops = state->is_walking && snw_core_is_stopping(state);
    double on = state->life.calm * m->shift * STOP_WAY * body->length
        * snw_clamp(state->root.forward / FASTEST_STOP, 0.0, 1.0);
    life->behind = stops ? snw_max(life->behind, on) : 0.0;
    return life->behind;
}

void snw_core_shift(const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Core *state)
{
    const sinew_Manner *m = &setup->manner;
    const sinew_Transform was = state->hips;
    snw_CoreLife *life = &state->life;
    const double wide = snw_max(SWAY, WIDE_SWAY + WIDE_SWAY_SPEED * (life->speed.value - 0.32));
    double share = snw_mix(
        SWAY, snw_mix(SWAY, wide * m->sway, life->level * state->life.calm), m->hips);
    double most = MOST_SWAY_WAY * body->length;
    double target = snw_clamp(lean_to_middle(body, share, state), -most, most)
        * setup->ornaments.sway;
    double omega = SWAY_OMEGA;
    if (life->first_leg >= 0 && m->shift > 0.0) {
        // the foot that leaves first is let go
        double to = SHIFT_WAY * aside_of(state, &state->legs[1 - life->first_leg].at);
        target = snw_mix(target, to, snw_min(1.0, m->shift));
        omega = snw_mix(omega, SHIFT_OMEGA, snw_min(1.0, m->shift));
    }
    double still = 1.0 - snw_clamp(state->moving.value, 0.0, 1.0);
    target += still * m->wander * life->wander[SNW_WANDER_ASIDE].value;
    snw_Follower *sway = &state->sway;
    target += EVEN_WAY * body->length * life->even.value;
    follow(sway, target, omega, MOST_SWAY, h);
    const sinew_Vec3 swayed = snw_root_beside(&state->root, sway->value);
    state->hips.position.x = swayed.x;
    state->hips.position.z = swayed.z;
    if (m->hips > 0.0 || m->shift > 0.0 || m->wander > 0.0) {
        double unused, wave = 0.0;
        if (still < 1.0) {
            const double lead = 2.0 / SURGE_OMEGA / state->period; // what the follower is late by
            sinew_sincos(4.0 * SINEW_PI * (life->phase + lead - SURGE_PHASE), &unused, &wave);
        }
        double surge = m->hips * life->level * SURGE * body->length * life->size.value
            * (1.0 - still) * state->forwardness * wave;
        surge -= stay_behind(body, m, state);
        surge += still * m->wander * life->wander[SNW_WANDER_AHEAD].value;
        follow(&life->surge, surge, SURGE_OMEGA, MOST_SURGE, h);
        // whose trunk bows has the hips behind the feet, so that the mass stays over them
        double ahead = life->surge.value - m->hips * BOW_WAY * body->length * life->bow.value;
        state->hips.position.x += ahead * state->root.sine;
        state->hips.position.z += ahead * state->root.cosine;
    }
    turn_hips(body, setup, h, &was, state);
}
