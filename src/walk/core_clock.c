// Steering, pace and the cycle; the root, and what legs have to say to its speed.

#include "walk/core.h"

// Steering below this is none, m/s and rad/s.
#define SLOWEST 0.04
#define SLOWEST_TURN 0.08
// What a body can do at L = 0.9 m; m/s, rad/s, m/s^2.
#define FASTEST_BACK 1.0
#define FASTEST_ASIDE 0.7
#define FASTEST_TURN 2.6
#define MOST_CENTRIPETAL 2.4
// One radian per second counts as this speed for cadence, metres; most of a turn in one step, radians.
#define TURN_RADIUS 0.12
#define TURN_PER_STEP 0.62
#define QUICKEST 0.62 // seconds
// Rise of a step up or down that people make in one, metres at L = 0.9, and the shortest such cycle, s.
#define RISE_PER_STEP 0.20
#define SHORTEST_RISING 0.85
// Farthest that a planted foot may be left behind, L; seconds that the follower needs.
#define FARTHEST_FOOT 0.69
#define VOTE_LAG 0.08
// Most that a planted foot may be turned against the body, radians.
#define MOST_TWIST 0.7
// Hips come to rest over standing feet this fast, 1/s, and with no more than this, m/s^2.
#define SETTLE_OMEGA 5.0
#define SETTLE_MOST 2.5
// Braking before what cannot be walked, m/s^2.
#define BRAKE 1.5

static double speed_of(const snw_WalkRoot *root)
{
    return sqrt(root->forward * root->forward + root->left * root->left);
}

sinew_Steering snw_core_crop(
    const snw_WalkBody *body, const snw_Core *state, const sinew_Steering *steering)
{
    double scale = sqrt(body->length / 0.9), unit = sqrt(SNW_GRAVITY * body->length);
    sinew_Steering s = *steering;
    double fastest = s.forward >= 0.0 ? SNW_FASTEST_WALK * unit : FASTEST_BACK * scale;
    double over = fmax(1.0, fabs(s.forward) / fastest);
    over = fmax(over, fabs(s.left) / (FASTEST_ASIDE * scale));
    over = fmax(over, fabs(s.turn) / FASTEST_TURN);
    over = fmax(over, sqrt(fabs(s.forward * s.turn) / MOST_CENTRIPETAL));
    double steep = fabs(state->slope) - 0.08;
    if (steep > 0.0) { over /= fmax(0.4, 1.0 / (1.0 + 1.5 * steep + 1.1 * steep * steep)); }
    double speed = sqrt(s.forward * s.forward + s.left * s.left) / over;
    double free = sqrt(2.0 * BRAKE * fmax(0.0, state->free_way));
    if (speed > free) { over *= speed / fmax(1e-6, free); }
    s.forward /= over;
    s.left /= over;
    s.turn /= fmin(over, 4.0);
    if (fabs(s.forward) < SLOWEST && fabs(s.left) < SLOWEST) {
        s.forward = s.left = 0.0;
        if (fabs(s.turn) < SLOWEST_TURN) { s.turn = 0.0; }
    }
    return s;
}

void snw_core_pace(const snw_WalkBody *body, double h, snw_Core *state)
{
    const snw_WalkRoot *root = &state->root;
    double unit = sqrt(SNW_GRAVITY * body->length), scale = sqrt(body->length / 0.9);
    double speed = speed_of(root), turn = fabs(root->turn), aside = fabs(root->left);
    double u = (speed + turn * TURN_RADIUS) / unit;
    double period = snw_stride_period(u, body->length), shortest = SNW_SHORTEST_PERIOD * scale;
    if (root->forward < 0.0) { period *= 1.0 - 0.22 * fmin(1.0, -root->forward / 0.5); }
    if (aside > 0.05) { period = fmin(period, fmax(0.8 * scale, 0.42 * scale / aside)); }
    if (turn > 0.2) { period = fmin(period, fmax(QUICKEST * scale, 2.0 * TURN_PER_STEP / turn)); }
    // steps that rise or fall are as high as people make them
    double rising = fabs(state->slope) * speed;
    double high = 2.0 * RISE_PER_STEP * body->length / 0.9;
    if (rising > 1e-3) { period = fmin(period, fmax(SHORTEST_RISING * scale, high / rising)); }
    period = fmax(turn > 0.2 ? QUICKEST * scale : shortest, period);
    state->period += snw_follow(h, 0.12) * (period - state->period);
    state->stance = snw_stance_share(body->legs[0].gait, u);

    double amplitude = snw_clamp((snw_stride_length(u) - 0.35) / 1.10, 0.0, 1.2);
    double stride = speed * state->period / body->length;
    amplitude = fmin(amplitude, snw_clamp((stride + 0.12 - 0.35) / 1.10, 0.1, 1.2));
    state->amplitude += snw_follow(h, 0.12) * (amplitude - state->amplitude);
    double forwardness = speed > 0.02 ? root->forward / fmax(speed, 0.15) : 0.0;
    state->forwardness += snw_follow(h, 0.15) * (forwardness - state->forwardness);
    bool walks = state->is_walking;
    snw_follower_step(&state->moving, walks ? 1.0 : 0.0, walks ? 12.0 : 9.0, h);
}

/// Bound the speed away from a planted foot that would be out of reach before the other one lands.
static void vote(const snw_WalkBody *body, double h, int index, snw_Core *state)
{
    const snw_CoreLeg *leg = &state->legs[index], *other = &state->legs[1 - index];
    if (leg->is_swinging) { return; }
    double time = other->is_swinging
        ? snw_core_landing_time(state, other)
        : fmax(0.0, state->stance - leg->phase) / fmax(0.1, state->rate);
    double dx = state->root.x - leg->at.ground.x, dz = state->root.z - leg->at.ground.z;
    double far = sqrt(dx * dx + dz * dz) + 1e-6, s, c;
    double most = (FARTHEST_FOOT * body->length - far) / (time + VOTE_LAG);
    sinew_sincos(state->root.heading, &s, &c);
    double ahead = (dx * s + dz * c) / far, aside = (dx * c - dz * s) / far;
    double away = state->root.forward * ahead + state->root.left * aside;
    if (away <= most || away <= 0.0) { return; }
    double brake = fmin(away - fmax(0.0, most), 5.0 * h);
    state->root.forward -= brake * ahead;
    state->root.left -= brake * aside;
}

/// The same of a turn away from where a planted foot points.
static void vote_turn(double h, int index, snw_Core *state)
{
    const snw_CoreLeg *leg = &state->legs[index], *other = &state->legs[1 - index];
    if (leg->is_swinging) { return; }
    double time = other->is_swinging
        ? snw_core_landing_time(state, other)
        : fmax(0.0, state->stance - leg->phase) / fmax(0.1, state->rate);
    double sign = state->root.turn >= 0.0 ? 1.0 : -1.0;
    double twist = sign * (state->root.heading - leg->at.heading);
    double most = fmax(0.0, (MOST_TWIST - twist) / (time + VOTE_LAG));
    double over = sign * state->root.turn - most;
    if (over > 0.0) { state->root.turn -= sign * fmin(over, 12.0 * h); }
}

/// Drawn to the middle of both feet with bounded acceleration.
static void settle(double h, snw_Core *state)
{
    snw_WalkRoot *root = &state->root;
    double s, c;
    sinew_sincos(root->heading, &s, &c);
    double dx = 0.5 * (state->legs[0].at.ground.x + state->legs[1].at.ground.x) - root->x;
    double dz = 0.5 * (state->legs[0].at.ground.z + state->legs[1].at.ground.z) - root->z;
    double ahead = SETTLE_OMEGA * SETTLE_OMEGA * (dx * s + dz * c)
        - 2.0 * SETTLE_OMEGA * root->forward;
    double aside = SETTLE_OMEGA * SETTLE_OMEGA * (dx * c - dz * s)
        - 2.0 * SETTLE_OMEGA * root->left;
    root->forward += snw_clamp(ahead, -SETTLE_MOST, SETTLE_MOST) * h;
    root->left += snw_clamp(aside, -SETTLE_MOST, SETTLE_MOST) * h;
    root->turn *= 1.0 - snw_follow(h, 0.12);
    snw_root_advance(root, h);
}

void snw_core_root(const snw_WalkBody *body, double h, snw_Core *state)
{
    double x = state->root.x, z = state->root.z;
    if (state->is_walking) {
        for (int i = 0; i < 2; ++i) {
            vote(body, h, i, state);
            vote_turn(h, i, state);
        }
        snw_root_step(&state->wanted, h, &state->root);
    } else {
        settle(h, state);
    }
    x = state->root.x - x;
    z = state->root.z - z;
    state->distance += sqrt(x * x + z * z);
}

void snw_core_start(snw_Core *state)
{
    // the first foot is the one behind, of two alike the inner one; a side step begins on its side
    double s, c;
    sinew_sincos(state->root.heading, &s, &c);
    const sinew_Steering *w = &state->wanted;
    double vx = w->forward * s + w->left * c, vz = w->forward * c - w->left * s;
    const sinew_Vec3 *a = &state->legs[0].at.ground, *b = &state->legs[1].at.ground;
    double behind = (b->x - a->x) * vx + (b->z - a->z) * vz;
    double size = sqrt(vx * vx + vz * vz) + 1e-9;
    int first = behind > 0.02 * size ? 0 : (behind < -0.02 * size ? 1 : (w->turn >= 0.0 ? 0 : 1));
    if (fabs(w->left) > fabs(w->forward)) { first = w->left > 0.0 ? 0 : 1; }
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        leg->correction = leg->pitch;
        leg->landing_pitch = 0.0;
        leg->phase = i == first ? 0.5 : 0.0;
    }
    state->is_walking = true;
    state->stop_steps = 0;
}
