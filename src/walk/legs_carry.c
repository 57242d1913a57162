// The body over its feet: height and tilt after the plane of all footholds, small dips towards legs
// that are in the air.

#include "walk/walker_legs.h"

#include <string.h>

// Angular frequencies of what follows, 1/s.
#define HEIGHT_RATE 11.0
#define SLOPE_RATE 9.0
#define DIP_RATE 16.0
#define BEND_RATE 5.0
#define RISE_RATE 12.0
// A swing's new foothold counts in full after this part of it, so that the body is there in time.
#define AHEAD 2.2
// Where it goes down, height follows between these.
#define DOWN_FROM 0.25
#define DOWN_TO 0.85
// Slopes in the plane of the feet give way to none where few feet tell of them: lengths of the leg.
#define PLANE_RIDGE 0.10
// What stands on legs straight below it rolls less than the ground does: its legs make up for that.
#define UPRIGHT_RIDGE 0.30
// On slopes such legs go so far from straight down to straight across the slope.
#define UPRIGHT_LEAN 0.5
// From here on a swing counts as if it stood where it will.
#define LANDING 0.5
#define STEEPEST 1.2
// Shares of a standing leg's reach between which the body stops tilting.
#define TILT_WAIT 0.86
#define TILT_END 0.97
// Legs fold by this share of what they can before the body rides higher for them.
#define FOLD_SHARE 0.6
// Sizes of what leans over the legs that stand: radians, and lengths of the leg, for one pair in the air.
#define ROLL 0.05
#define SWAY 0.05
#define INERTIA \
    1.8 // about the middle of its legs, against weights above them: head and tail are farther out
#define FULL_BOB 0.2 // from this speed on, in units of sqrt(g L), it bobs in full
// Seconds of the way ahead that the trunk bends into.
#define BEND_TIME 0.22
#define MOST_BEND 0.30

/// The ground in the root's directions: height at the root, tangents ahead and to the left.
typedef struct Plane {
    double height, ahead, aside;
} Plane;

// foothold of a leg, between two of them while it swings
static sinew_Vec3 foothold_now(const snw_LegsLeg *leg)
{
    if (!leg->is_swinging) { return leg->at; }
    sinew_Vec3 from = leg->path.from, to = leg->path.to;
    sinew_Vec3 at = sinew_vec3_lerp(from, to, snw_smoothstep(AHEAD * leg->progress));
    // up before the leg, down only when it is over the edge
    double down = snw_smoothstep((leg->progress - DOWN_FROM) / (DOWN_TO - DOWN_FROM));
    if (to.y < from.y) { at.y = snw_mix(from.y, to.y, down); }
    return at;
}

// least squares over all legs; without tilt where the feet stand in one line
static Plane fit_plane(const snw_WalkBody *body, const snw_Legs *state)
{
    const double share = 1.0 / body->leg_count;
    const snw_WalkRoot *root = &state->root;
    const double ridge = PLANE_RIDGE * body->length;
    const double across = snw_mix(UPRIGHT_RIDGE, PLANE_RIDGE, body->sprawl) * body->length;
    double z = 0.0, x = 0.0, y = 0.0, zz = share * ridge * ridge, xx = across * across;
    double zx = 0.0, zy = 0.0, xy = 0.0;
    for (int i = 0; i < body->leg_count; ++i) {
        const sinew_Vec3 at = foothold_now(&state->legs[i]);
        const snw_LevelWay off = snw_root_to_body(root, at.x - root->x, at.z - root->z);
        // heights against that of the body, so that sums are small
        const double up = at.y - state->height.value;
        const double ahead = share * off.ahead, aside = share * off.aside;
        z += ahead;
        x += aside;
        y += share * up;
        zz += ahead * off.ahead;
        xx += aside * off.aside;
        zx += ahead * off.aside;
        zy += ahead * up;
        xy += aside * up;
    }
    zz -= z * z;
    xx -= x * x;
    zx -= z * x;
    zy -= z * y;
    xy -= x * y;
    double area = zz * xx - zx * zx;
    Plane plane;
    plane.ahead = snw_clamp((zy * xx - xy * zx) / area, -STEEPEST, STEEPEST);
    plane.aside = snw_clamp((xy * zz - zy * zx) / area, -STEEPEST, STEEPEST);
    plane.height = state->height.value + y - plane.ahead * z - plane.aside * x;
    return plane;
}

// sprawling legs stand below the body across the slope, upright ones between that and straight below
static double lean_of(const snw_WalkBody *body)
{
    return snw_mix(UPRIGHT_LEAN, 1.0, body->sprawl);
}

// of the body over the plane, straight up: sprawling bodies keep their distance across it
static double ride(const snw_WalkBody *body, const snw_Legs *state)
{
    double a = state->slope.value, b = state->side_slope.value;
    double height = body->ride_height + state->rise.value;
    return height * (1.0 + body->sprawl * (sqrt(1.0 + a * a + b * b) - 1.0));
}

// higher where legs must fold over steps, from the swing that has to until the leg's next
static double wanted_rise(const snw_WalkBody *body, const snw_Legs *state)
{
    double rise = state->high * snw_min(body->crouch, body->most_rise);
    for (int i = 0; i < body->leg_count; ++i) {
        double folded = FOLD_SHARE * body->legs[i].reach.top;
        rise = snw_max(rise, state->legs[i].path.bulge - folded);
    }
    // steps come before what is asked for
    return rise > 0.0 ? snw_min(rise, body->most_rise)
                      : -snw_min(body->most_stoop,
                          state->stoop * body->most_stoop + (1.0 - body->sprawl) * state->most_bob);
}

/// A turn about one axis.
typedef struct Turn {
    double s, c;
} Turn;

static Turn turn_by(Turn a, Turn b)
{
    return (Turn){ a.s * b.c + a.c * b.s, a.c * b.c - a.s * b.s };
}

/// The slope that a tangent tells.
static Turn slope_of(double tangent)
{
    const double c = 1.0 / sqrt(1.0 + tangent * tangent);
    return (Turn){ tangent * c, c };
}

/// Sine and cosine of half of it, less than half a turn either way.
static Turn half_of(Turn turn)
{
    if (turn.c > 0.0) {
        const double c = sqrt(0.5 * (1.0 + turn.c));
        return (Turn){ 0.5 * turn.s / c, c };
    }
    const double s = sqrt(0.5 * (1.0 - turn.c));
    return turn.s < 0.0 ? (Turn){ -s, -0.5 * turn.s / s } : (Turn){ s, 0.5 * turn.s / s };
}

/// Heading, then the plane with its dips; no angle is looked for.
static sinew_Quat tilt(const snw_WalkRoot *root, double ahead, double aside, const snw_Legs *state)
{
    const Turn nod = { state->nod_s, state->nod_c }, roll = { state->roll_s, state->roll_c };
    const Turn yaw = half_of((Turn){ root->sine, root->cosine });
    const Turn pitch = half_of(turn_by(nod, slope_of(-ahead)));
    const Turn bank = half_of(turn_by(roll, slope_of(aside)));
    const sinew_Quat pitch_and_bank = { pitch.s * bank.c, -pitch.s * bank.s, pitch.c * bank.s,
        pitch.c * bank.c };
    return sinew_quat_mul((sinew_Quat){ 0.0, yaw.s, 0.0, yaw.c }, pitch_and_bank);
}

sinew_Transform snw_legs_hips_at(const snw_Legs *state, const snw_WalkRoot *root)
{
    const double s = state->root.sine, c = state->root.cosine;
    const snw_LevelWay way = snw_root_to_body(
        &state->root, root->x - state->root.x, root->z - state->root.z);
    double a = state->slope.value, b = state->side_slope.value;
    // the slopes of the ground seen in the other root's directions
    const double turned_s = root->sine * c - root->cosine * s;
    const double turned_c = root->cosine * c + root->sine * s;
    sinew_Transform hips;
    hips.rotation = tilt(root, a * turned_c + b * turned_s, b * turned_c - a * turned_s, state);
    hips.position = sinew_vec3(
        root->x, state->height.value + a * way.ahead + b * way.aside, root->z);
    return hips;
}

sinew_Transform snw_legs_hips_after(const snw_Legs *state, double seconds)
{
    snw_WalkRoot later = state->root;
    snw_root_advance(&later, seconds);
    return snw_legs_hips_at(state, &later);
}

sinew_Vec3 snw_legs_rest_place(
    const snw_WalkBody *body, const snw_Legs *state, const snw_WalkRoot *root, int index)
{
    const sinew_Vec3 *rest = &body->legs[index].tip_rest;
    double a = state->slope.value, b = state->side_slope.value, s, c;
    double lean = lean_of(body);
    double along = 1.0 / sqrt(1.0 + a * a), across = 1.0 / sqrt(1.0 + b * b);
    double z = rest->z * along + lean * body->ride_height * a * along;
    double x = rest->x * across + lean * body->ride_height * b * across;
    s = root->sine;
    c = root->cosine;
    return sinew_vec3(root->x + z * s + x * c, 0.0, root->z + z * c - x * s);
}

sinew_Vec3 snw_legs_off(
    const snw_WalkBody *body, const sinew_Transform *hips, int index, sinew_Vec3 place)
{
    const sinew_Vec3 away = sinew_vec3_sub(place, hips->position);
    const sinew_Vec3 local = sinew_quat_rotate(sinew_quat_conjugate(hips->rotation), away);
    return sinew_vec3_sub(local, body->legs[index].tip_rest);
}

double snw_legs_share(
    const snw_WalkBody *body, const sinew_Transform *hips, int index, sinew_Vec3 place)
{
    return snw_leg_reach_share(&body->legs[index].reach, snw_legs_off(body, hips, index, place));
}

/// How far the push of its legs moves a body: their forces, parabolas over the stance of each, twice integrated, by their
/// first two harmonics. Flying, it falls.
typedef struct Swing {
    double up, nod;
    double most; ///< of both together, over any leg
} Swing;

static Swing swing_on_legs(const snw_WalkBody *body, const snw_Legs *state)
{
    const double duty = state->gait.duty;
    Swing swing = { 0.0, 0.0, 0.0 };
    double square = 0.0;
    for (int i = 0; i < body->leg_count; ++i) {
        const double z = body->legs[i].tip_rest.z;
        square += INERTIA * z * z / body->leg_count;
    }
    // sums over the legs of cosines and sines of their phases, once round and twice
    double up[4] = { 0.0 }, nod[4] = { 0.0 };
    for (int i = 0; i < body->leg_count; ++i) {
        const double share = state->clock + state->gait.phase[i] - 0.5 * duty;
        const double ahead = body->legs[i].tip_rest.z / square;
        double s, c;
        sinew_sincos(2.0 * SINEW_PI * (share - floor(share)), &s, &c);
        const double round[4] = { c, s, c * c - s * s, 2.0 * s * c };
        for (int k = 0; k < 4; ++k) {
            up[k] -= round[k];
            nod[k] += round[k] * ahead;
        }
    }
    for (int k = 0; k < 2; ++k) {
        const double rate = 2.0 * SINEW_PI * (k + 1) / state->period;
        const double half = SINEW_PI * (k + 1) * duty;
        double s, c;
        sinew_sincos(half, &s, &c);
        const double push = 6.0 * (s - half * c) / (half * half * half);
        const double size = SNW_GRAVITY * push / (rate * rate * body->leg_count);
        const double *u = &up[2 * k], *n = &nod[2 * k];
        swing.up += size * u[0];
        swing.nod += size * n[0];
        swing.most += size * sqrt(u[0] * u[0] + u[1] * u[1]);
        swing.most += size * sqrt((n[0] * n[0] + n[1] * n[1]) * square / INERTIA);
    }
    return swing;
}

static void follow_dips(
    const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Legs *state)
{
    const sinew_WalkOrnaments *o = &setup->ornaments;
    double roll = 0.0, sway = 0.0;
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_LegsLeg *leg = &state->legs[i];
        if (!leg->is_swinging) { continue; }
        double t = leg->progress, lift = t * t * (1.0 - t) * (1.0 - t);
        const sinew_Vec3 *rest = &body->legs[i].tip_rest;
        double reach = sqrt(rest->x * rest->x + rest->z * rest->z) + 1e-6;
        roll -= lift * rest->x / reach;
        sway -= lift * rest->x / reach;
    }
    const double most = 32.0 / body->leg_count, length = body->length;
    snw_follower_step(&state->roll, ROLL * most * roll * o->list, DIP_RATE, h);
    sinew_sincos(state->roll.value, &state->roll_s, &state->roll_c);
    snw_follower_step(&state->sway, SWAY * most * sway * length * o->sway, DIP_RATE, h);
    const double speed = snw_root_speed(&state->root) / sqrt(SNW_GRAVITY * length);
    const double swung = state->is_walking ? snw_smoothstep(speed / FULL_BOB) : 0.0;
    snw_follower_step(&state->swung, swung * o->bob, DIP_RATE, h);
    const Swing swing = swing_on_legs(body, state);
    state->bob = state->swung.value * swing.up;
    state->most_bob = state->swung.value * swing.most;
    sinew_sincos(state->swung.value * swing.nod, &state->nod_s, &state->nod_c);
    double bend = snw_clamp(BEND_TIME * state->root.turn, -MOST_BEND, MOST_BEND);
    snw_follower_step(&state->bend, bend * o->spine, BEND_RATE, h);
}

static void place_hips(snw_Legs *state)
{
    sinew_Vec3 dip = snw_root_to_world(&state->root, 0.0, state->sway.value);
    dip.y = state->bob;
    state->hips = snw_legs_hips_at(state, &state->root);
    state->hips.position = sinew_vec3_add(state->hips.position, dip);
}

// the body when a leg stands; now: as it is
static sinew_Transform hips_at_landing(
    const snw_Legs *state, const snw_LegsLeg *leg, const sinew_Transform *now)
{
    if (!leg->is_swinging) { return *now; }
    return snw_legs_hips_after(state, state->pace * (1.0 - leg->progress) * leg->duration);
}

// how much of a change of height and tilt the legs that stand can follow, and with landing those that
// soon will: 0..1
static double change_for_legs(
    const snw_WalkBody *body, const snw_Legs *old, const snw_Legs *state, bool landing)
{
    const sinew_Transform now_after = snw_legs_hips_at(state, &state->root);
    const sinew_Transform now_before = snw_legs_hips_at(old, &old->root);
    double part = 1.0;
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_LegsLeg *leg = &state->legs[i];
        if (leg->is_swinging && (!landing || leg->progress < LANDING)) { continue; }
        sinew_Transform after = hips_at_landing(state, leg, &now_after);
        double share = snw_legs_share(body, &after, i, snw_legs_foothold(leg));
        if (share <= TILT_WAIT) { continue; }
        sinew_Transform before = hips_at_landing(old, leg, &now_before);
        double now = snw_legs_share(body, &before, i, snw_legs_foothold(leg));
        // one that is lost holds nothing
        if (share <= now || (state->root.is_led && now > TILT_END)) { continue; }
        part = snw_min(part, snw_max(0.0, (TILT_END - share) / (TILT_END - TILT_WAIT)));
    }
    return part;
}

static void hold_back(const snw_Follower *old, double part, snw_Follower *follower)
{
    follower->value = snw_mix(old->value, follower->value, part);
    follower->speed *= part;
}

// as high as all legs reach down to where they stand, or will
static double highest_for_legs(const snw_WalkBody *body, const snw_Legs *state)
{
    const sinew_Transform now = snw_legs_hips_at(state, &state->root);
    double highest = (double)INFINITY;
    for (int i = 0; i < body->leg_count; ++i) {
        sinew_Transform hips = hips_at_landing(state, &state->legs[i], &now);
        double up = snw_legs_off(body, &hips, i, snw_legs_foothold(&state->legs[i])).y;
        double room = up - body->legs[i].reach.low;
        highest = snw_min(highest, state->height.value + room);
    }
    return highest;
}

// height and tilt each for itself: one that helps is not held back for the other
static void follow_ground(const snw_WalkBody *body, double h, snw_Legs *state)
{
    Plane plane = fit_plane(body, state);
    snw_Legs old;
    memcpy(&old, state, offsetof(snw_Legs, legs));
    snw_follower_step(&state->rise, wanted_rise(body, state), RISE_RATE, h);
    double height = snw_min(plane.height + ride(body, state), highest_for_legs(body, state));
    snw_follower_step(&state->height, height, HEIGHT_RATE, h);
    double part = change_for_legs(body, &old, state, true);
    if (part < 1.0) {
        hold_back(&old.rise, part, &state->rise);
        hold_back(&old.height, part, &state->height);
    }
    memcpy(&old, state, offsetof(snw_Legs, legs));
    snw_follower_step(&state->slope, plane.ahead, SLOPE_RATE, h);
    snw_follower_step(&state->side_slope, plane.aside, SLOPE_RATE, h);
    part = change_for_legs(body, &old, state, false);
    if (part < 1.0) {
        hold_back(&old.slope, part, &state->slope);
        hold_back(&old.side_slope, part, &state->side_slope);
    }
}

void snw_legs_carry(const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Legs *state)
{
    // uphill the height grows with the way, so that what follows need not lag behind
    double rise = state->slope.value * state->root.forward
        + state->side_slope.value * state->root.left;
    state->height.value += state->pace * rise * h;
    follow_ground(body, h, state);
    follow_dips(body, setup, h, state);
    place_hips(state);
}

void snw_legs_settle(const snw_WalkBody *body, snw_Legs *state)
{
    Plane plane = fit_plane(body, state);
    state->slope = (snw_Follower){ .value = plane.ahead };
    state->side_slope = (snw_Follower){ .value = plane.aside };
    state->height = (snw_Follower){ .value = plane.height + ride(body, state) };
    place_hips(state);
}
