// The natural style, tick by tick: steering, clock, feet, hips.

#include "walk/walker_natural.h"
#include "math/holds.h"
#include "walk/walker_pose.h"

#include <string.h>

#define DEGREE (SINEW_PI / 180.0)

// Steering below this is none, m/s and rad/s.
#define SLOWEST 0.04
#define SLOWEST_TURN 0.08
// What a body can do at L = 0.9 m.
#define FASTEST_BACK 1.0
#define FASTEST_ASIDE 0.7
#define FASTEST_TURN 2.6
#define MOST_CENTRIPETAL 2.4
// One radian per second counts as this speed for cadence, metres.
#define TURN_RADIUS 0.12
#define TURN_PER_STEP 0.62 // radians
#define QUICKEST_TURN 0.56 // seconds
#define REPLAN_TICKS 6
#define SENSE_TICKS 12
#define LEVEL 0.9999    // of a sole's normal, upwards
#define LEAST_STEP 0.07 // metres
#define FINISH_TIME 0.5 // seconds
#define MOST_FINISH_SPEED 0.4
#define LAST_REPLAN 0.72
#define LAST_REPLAN_STAIRS 0.30
#define LONGEST_WAIT 0.2 // seconds, for a foot at the end of its swing
#define EARLIEST_RELEASE 0.49
#define EARLIEST_STRAINED 0.40
#define TWIST_START 0.45
#define TWIST_END 0.72
#define WAIT_START 0.035 // L that the hips are held down by a foot left behind
#define WAIT_RANGE 0.10
#define WAIT_TIME 0.05 // seconds
#define RELEASE_REACH 0.996
#define RELEASE_SLACK 0.02 // metres
#define PACE_FREE 0.05     // metres of shift that do not matter
#define SETTLE_TIME 0.1    // seconds
#define STOP_SPEED 0.05
#define MOST_STOP_STEPS 3
#define STILL_LANDING 0.03 // radians of pitch

void snw_natural_reset(
    const snw_WalkBody *body, double x, double z, double heading, snw_Natural *state)
{
    memset(state, 0, sizeof *state);
    state->root = snw_root_at(x, z, heading);
    state->period = snw_stride_period(0.0, body->length);
    state->stance = snw_stance_share(body->legs[0].gait, 0.0);
    state->pace = 1.0;
    state->stairs_speed = INFINITY;
    state->hips.rotation = sinew_quat_identity();
    for (int i = 0; i < body->leg_count; ++i) {
        state->legs[i].landing_share = 0.1;
        state->legs[i].phase = body->legs[i].def.phase;
    }
}

// ---------------------------------------------------------------------------------------------
// Steering

// what a body can do of what is wanted: an arc stays the same arc
static sinew_Steering cropped(
    const snw_WalkBody *body, const sinew_Steering *steering, double slope)
{
    double scale = sqrt(body->length / 0.9), unit = sqrt(SNW_GRAVITY * body->length);
    sinew_Steering s = *steering;
    double fastest = s.forward >= 0.0 ? SNW_FASTEST_WALK * unit : FASTEST_BACK * scale;
    double over = fmax(1.0, fabs(s.forward) / fastest);
    over = fmax(over, fabs(s.left) / (FASTEST_ASIDE * scale));
    over = fmax(over, fabs(s.turn) / FASTEST_TURN);
    over = fmax(over, sqrt(fabs(s.forward * s.turn) / MOST_CENTRIPETAL));
    // slower on slopes, less so than Tobler (1993)
    double steep = fabs(slope) - 0.08;
    if (steep > 0.0) { over /= fmax(0.4, 1.0 / (1.0 + 1.5 * steep + 1.1 * steep * steep)); }
    s.forward /= over;
    s.left /= over;
    s.turn /= over;
    if (fabs(s.forward) < SLOWEST && fabs(s.left) < SLOWEST) {
        s.forward = 0.0;
        s.left = 0.0;
        if (fabs(s.turn) < SLOWEST_TURN) { s.turn = 0.0; }
    }
    return s;
}

static bool wants_nothing(const sinew_Steering *s)
{
    return s->forward == 0.0 && s->left == 0.0 && s->turn == 0.0;
}

static bool is_on_stairs(const snw_Natural *state)
{
    return state->tread > 0.0 || isfinite(state->stairs_speed);
}

// Whether a foot is on its way to a place that is not looked for again.
static bool is_committed(const snw_Natural *state)
{
    if (!is_on_stairs(state)) { return false; }
    for (int i = 0; i < 2; ++i) {
        const snw_NaturalLeg *leg = &state->legs[i];
        if (leg->is_swinging && leg->swing.progress >= LAST_REPLAN_STAIRS) { return true; }
    }
    return false;
}

static double speed_of(const snw_Natural *state)
{
    const snw_WalkRoot *root = &state->root;
    return sqrt(root->forward * root->forward + root->left * root->left);
}

// whether soles that are level stand, stood or will stand at heights that only steps have between them
static bool has_feet_on_steps(const snw_WalkBody *body, const snw_Natural *state)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_NaturalLeg *leg = &state->legs[i];
        const snw_Foothold *places[2] = { &leg->at,
            leg->is_swinging ? &leg->swing.planned : &leg->at };
        for (int k = 0; k < 2; ++k) {
            sinew_Vec3 up = sinew_quat_rotate(places[k]->basis, sinew_vec3(0.0, 1.0, 0.0));
            if (up.y < LEVEL) { return false; }
            low = fmin(low, places[k]->ground.y);
            high = fmax(high, places[k]->ground.y);
        }
    }
    return high - low > LEAST_STEP;
}

// Steps beside its way, and such that a body has turned away from, are still below its feet.
static void mind_feet_on_steps(const snw_WalkBody *body, snw_Natural *state)
{
    if (isfinite(state->stairs_speed) || !has_feet_on_steps(body, state)) { return; }
    state->stairs_speed = SNW_FASTEST_WALK * sqrt(SNW_GRAVITY * body->length);
}

static void sense_stairs(const snw_WalkBody *body, snw_WalkGround *ground, snw_Natural *state)
{
    double s, c;
    sinew_sincos(state->root.heading, &s, &c);
    sinew_Steering w = state->wanted;
    if (fabs(w.forward) < SLOWEST && fabs(w.left) < SLOWEST) {
        // feet of a body that stops or turns still have to get past the steps around it
        double sign = state->root.forward < 0.0 ? -1.0 : 1.0;
        w.forward = sign * fmax(fabs(state->root.forward), SLOWEST);
    }
    state->stairs_speed = snw_stairs_speed(
        body, ground, &state->root, w.forward * s + w.left * c, w.forward * c - w.left * s);
    mind_feet_on_steps(body, state);
}

// an arc stays the same arc
static void slow_for_stairs(snw_Natural *state)
{
    sinew_Steering *w = &state->wanted;
    double speed = sqrt(w->forward * w->forward + w->left * w->left);
    if (speed <= state->stairs_speed) { return; }
    double part = state->stairs_speed / speed;
    w->forward *= part;
    w->left *= part;
    w->turn *= part;
}

// on stairs a body that stops comes to stand over its front foot, not between two treads
static void finish_step(const snw_WalkBody *body, snw_Natural *state)
{
    double s, c, front = -INFINITY;
    sinew_sincos(state->root.heading, &s, &c);
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_NaturalLeg *leg = &state->legs[i];
        const snw_Foothold *at = leg->is_swinging ? &leg->swing.planned : &leg->at;
        double dx = at->ground.x - state->root.x, dz = at->ground.z - state->root.z;
        front = fmax(front, dx * s + dz * c);
    }
    state->wanted.forward = snw_clamp(front / FINISH_TIME, 0.0, MOST_FINISH_SPEED);
}

// ---------------------------------------------------------------------------------------------
// Clock

static void set_pace(const snw_WalkBody *body, double h, snw_Natural *state)
{
    double unit = sqrt(SNW_GRAVITY * body->length), speed = speed_of(state);
    const snw_WalkRoot *root = &state->root;
    double u = (speed + fabs(root->turn) * TURN_RADIUS) / unit;
    double period = snw_stride_period(u, body->length);
    double scale = sqrt(body->length / 0.9);
    double shortest = SNW_SHORTEST_PERIOD * scale, quickest = QUICKEST_TURN * scale;
    if (root->forward < 0.0) { period *= 1.0 - 0.22 * fmin(1.0, -root->forward / 0.5); }
    double aside = fabs(root->left);
    if (aside > 0.05) { period = fmin(period, fmax(0.8 * scale, 0.42 * scale / aside)); }
    double turn = fabs(root->turn);
    if (turn > 0.2) { period = fmin(period, fmax(quickest, 2.0 * TURN_PER_STEP / turn)); }
    // shorter and quicker steps on slopes
    double steep = fmax(0.0, fabs(state->tilt.value) - 0.05);
    period *= 1.0 - 0.9 * fmin(steep, 0.45);
    // and where the ground makes steps shorter, such as on stairs
    period *= state->pace;
    if (state->tread > 0.0) {
        double wanted = fmax(0.2, fabs(state->wanted.forward - state->hurry));
        period = snw_clamp(2.0 * state->tread / wanted, 0.8 * scale, 1.9 * scale);
    }
    state->period += snw_follow(h, 0.12)
        * (fmax(turn > 0.2 ? quickest : shortest, period) - state->period);
    state->stance = snw_stance_share(body->legs[0].gait, u);

    double amplitude = snw_clamp((snw_stride_length(u) - 0.35) / 1.10, 0.0, 1.2);
    // strides that are shorter than the speed says lift less
    double real = speed * state->period / body->length;
    amplitude = fmin(amplitude, snw_clamp((real + 0.12 - 0.35) / 1.10, 0.1, 1.2));
    state->amplitude += snw_follow(h, 0.12) * (amplitude - state->amplitude);
    double forwardness = speed > 0.02 ? root->forward / fmax(speed, 0.15) : 0.0;
    state->forwardness += snw_follow(h, 0.15) * (forwardness - state->forwardness);
    snw_follower_step(
        &state->moving, state->is_walking ? 1.0 : 0.0, state->is_walking ? 12.0 : 9.0, h);
}

static void start_walking(const snw_WalkBody *body, snw_Natural *state)
{
    // the first foot is the one behind, of two alike the inner one
    double s, c;
    sinew_sincos(state->root.heading, &s, &c);
    const sinew_Steering *w = &state->wanted;
    double vx = w->forward * s + w->left * c, vz = w->forward * c - w->left * s;
    const sinew_Vec3 *a = &state->legs[0].at.ground, *b = &state->legs[1].at.ground;
    double behind = (b->x - a->x) * vx + (b->z - a->z) * vz; // > 0: the first one is behind
    double size = sqrt(vx * vx + vz * vz) + 1e-9;
    int first = behind > 0.02 * size ? 0 : (behind < -0.02 * size ? 1 : (w->turn >= 0.0 ? 0 : 1));
    // a side step starts with the foot of that side
    if (fabs(w->left) > fabs(w->forward)) { first = w->left > 0.0 ? 0 : 1; }
    // what is left of a landing goes on, and a foot that is still coming down does not leave again
    for (int i = 0; i < body->leg_count; ++i) {
        state->legs[i].landing_pitch = snw_stance_landing(&state->legs[i], state->legs[i].phase);
    }
    if (fabs(state->legs[first].landing_pitch) > STILL_LANDING) { first = 1 - first; }
    state->legs[first].phase = 0.5;
    state->legs[1 - first].phase = 0.0;
    state->is_walking = true;
    state->stop_steps = 0;
}

// ---------------------------------------------------------------------------------------------
// Feet

static sinew_Vec3 hip_of(const snw_WalkBody *body, const snw_Natural *state, int index)
{
    return sinew_transform_point(state->hips, body->legs[index].hip);
}

static void release(
    const snw_WalkBody *body, snw_WalkGround *ground, double h, int index, snw_Natural *state)
{
    SNW_ASSERT(index >= 0);
    snw_NaturalLeg *leg = &state->legs[index];
    const snw_WalkLegBody *sizes = &body->legs[index];
    snw_FootSwing *swing = &leg->swing;
    double duration = (1.0 - leg->phase) * state->period;
    leg->release_phase = leg->phase;
    leg->is_swinging = true;
    memset(swing, 0, sizeof *swing);
    swing->left = leg->shown;
    swing->from = leg->pose.foot.position;
    swing->from_pitch = leg->pitch;
    swing->from_bend = leg->pose.toe_bend;

    // goes on as the roll went
    double step = 1e-3;
    double rate = leg->pitch_rate;
    double cap = snw_toe_cap(sizes);
    sinew_Vec3 a = snw_foot_roll_ankle(sizes, &leg->shown, leg->pitch, cap);
    sinew_Vec3 b = snw_foot_roll_ankle(sizes, &leg->shown, leg->pitch + rate * step, cap);
    swing->from_speed = sinew_vec3_scale(sinew_vec3_sub(b, a), duration / step);
    swing->from_pitch_speed = rate * duration;
    (void)h;
    snw_stride_plan(body, ground, index, state);
    mind_feet_on_steps(body, state);
    leg->left_near_stairs = isfinite(state->stairs_speed);
    swing->to = swing->planned;
    for (int i = 0; i < 2; ++i) { swing->bump[i] = swing->planned_bump[i]; }
    swing->delay = swing->planned_delay;
}

static void land(snw_Natural *state, int index)
{
    SNW_ASSERT(index >= 0);
    snw_NaturalLeg *leg = &state->legs[index];
    leg->at = leg->swing.planned;
    leg->shown = leg->at;
    leg->landing_pitch = leg->swing.planned_pitch;
    leg->landing_share = leg->landing_pitch >= 0.0 ? 0.10 : 0.22;
    leg->is_swinging = false;
    leg->phase = 0.0;
    leg->pitch = leg->swing.landing_pitch;
    ++state->step_count;

    // steps that the ground makes shorter or longer than wanted, such as treads, set the cadence
    double step = 0.5 * fabs(state->root.forward) * state->period + 0.1;
    double sign = state->root.forward >= 0.0 ? 1.0 : -1.0;
    double shift = sign * leg->swing.shift, free = PACE_FREE;
    shift = shift > free ? shift - free : (shift < -free ? shift + free : 0.0);
    double off = snw_clamp(shift / step, -0.5, 0.5);
    if (state->tread > 0.0) { off = 0.0; }
    state->pace = snw_clamp(state->pace * (1.0 + 0.5 * off), 0.55, 1.1);
    state->hurry = 0.0;
    state->pace += 0.05 * (1.0 - state->pace);
}

static void move_swings(
    const snw_WalkBody *body, snw_WalkGround *ground, double h, bool is_whole, snw_Natural *state)
{
    for (int i = 0; i < body->leg_count; ++i) {
        snw_NaturalLeg *leg = &state->legs[i];
        if (!leg->is_swinging) { continue; }
        snw_FootSwing *swing = &leg->swing;
        swing->progress = fmin(1.0, (leg->phase - leg->release_phase) / (1.0 - leg->release_phase));
        double last = is_on_stairs(state) ? LAST_REPLAN_STAIRS : LAST_REPLAN;
        if (is_whole && swing->progress < last && state->tick % REPLAN_TICKS == 0) {
            snw_stride_plan(body, ground, i, state);
        }
        double left = (1.0 - swing->progress) * (1.0 - leg->release_phase) * state->period;
        snw_stride_ease(body, i, state);
        snw_foot_swing_glide(swing, h, left);
        if (swing->progress < 1.0) { continue; }
        if (swing->late < LONGEST_WAIT && !snw_foot_arrives(body, i, h, state)) {
            // the clock, which both legs share, waits for a foot that its joints hold back
            swing->late += h;
            double over = leg->phase - 1.0;
            for (int k = 0; k < body->leg_count; ++k) { state->legs[k].phase -= over; }
            continue;
        }
        land(state, i);
    }
}

static bool may_release(const snw_Natural *state, int index)
{
    return !state->legs[1 - index].is_swinging;
}

static void check_releases(
    const snw_WalkBody *body, snw_WalkGround *ground, double h, snw_Natural *state)
{
    for (int i = 0; i < body->leg_count; ++i) {
        snw_NaturalLeg *leg = &state->legs[i];
        if (leg->is_swinging || !may_release(state, i)) { continue; }
        const snw_WalkLegBody *sizes = &body->legs[i];
        bool is_due = leg->phase >= state->stance;
        if (!is_due && leg->phase > EARLIEST_RELEASE) {
            double reach = RELEASE_REACH * (sizes->thigh + sizes->shank) + RELEASE_SLACK;
            sinew_Vec3 ankle = leg->pose.foot.position;
            is_due = sinew_vec3_distance(ankle, hip_of(body, state, i)) > reach;
        }
        is_due = is_due || (leg->is_strained && leg->phase > EARLIEST_STRAINED);
        if (is_due) { release(body, ground, h, i, state); }
    }
}

// ---------------------------------------------------------------------------------------------
// Standing

static void stand_feet(const snw_WalkBody *body, snw_WalkGround *ground, snw_Natural *state)
{
    double s, c;
    sinew_sincos(state->root.heading, &s, &c);
    for (int i = 0; i < body->leg_count; ++i) {
        snw_NaturalLeg *leg = &state->legs[i];
        double side = body->legs[i].def.side == SINEW_SIDE_RIGHT ? -1.0 : 1.0;
        double width = side * 0.075 * body->length;
        leg->at = snw_foothold_fit(&body->legs[i], ground, state->root.x + width * c,
            state->root.z - width * s, state->root.heading + side * 7.0 * DEGREE);
        leg->shown = leg->at;
        leg->pose = snw_foot_roll(&body->legs[i], &leg->at, 0.0, snw_toe_cap(&body->legs[i]));
    }
    // let the hips come to rest before anybody looks
    const snw_WalkSetup plain = { SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO,
        sinew_walk_ornaments_default(), sinew_paper_walk_default(), sinew_walk_response_calm(),
        sinew_walk_limits_default(), sinew_manner_plain() };
    state->height.value = 0.5 * (state->legs[0].at.ground.y + state->legs[1].at.ground.y)
        + 0.95 * body->length;
    for (int i = 0; i < 120; ++i) { snw_pelvis_step(body, &plain, SNW_WALK_TICK, state); }
    snw_feet_stand(body, 0.0, state);
    for (int i = 0; i < body->leg_count; ++i) { state->legs[i].pose_hips = state->hips; }
    state->has_started = true;
}

static bool is_settled(const snw_WalkBody *body, const snw_Natural *state)
{
    const snw_NaturalLeg *a = &state->legs[0], *b = &state->legs[1];
    if (a->is_swinging || b->is_swinging) { return false; }
    double unit = sqrt(SNW_GRAVITY * body->length);
    bool slow = speed_of(state) < STOP_SPEED * unit && fabs(state->root.turn) < 0.1;
    bool level = fabs(a->at.ground.y - b->at.ground.y) < 0.05 * body->length / 0.9;
    double turned = fabs(0.5 * (a->at.heading + b->at.heading) - state->root.heading);
    double dx = a->at.ground.x - b->at.ground.x, dz = a->at.ground.z - b->at.ground.z;
    bool near = dx * dx + dz * dz < 0.16 * body->length * body->length;
    bool nice = level && near && turned < 0.2;
    return slow && (nice || state->stop_steps >= MOST_STOP_STEPS);
}

static void drift_to_feet(const snw_WalkBody *body, double h, snw_Natural *state)
{
    (void)body;
    double share = snw_follow(h, 0.25) * snw_clamp(1.0 - state->moving.value, 0.0, 1.0);
    const snw_Foothold *a = &state->legs[0].at, *b = &state->legs[1].at;
    state->root.x += share * (0.5 * (a->ground.x + b->ground.x) - state->root.x);
    state->root.z += share * (0.5 * (a->ground.z + b->ground.z) - state->root.z);
}

// ---------------------------------------------------------------------------------------------
// Slopes and turns that the trunk leans into

static void look_around(const snw_WalkBody *body, double h, snw_Natural *state)
{
    const snw_NaturalLeg *a = &state->legs[0], *b = &state->legs[1];
    sinew_Vec3 pa = a->is_swinging ? a->swing.to.ground : a->at.ground;
    sinew_Vec3 pb = b->is_swinging ? b->swing.to.ground : b->at.ground;
    double s, c;
    sinew_sincos(state->root.heading, &s, &c);
    double dx = pa.x - pb.x, dz = pa.z - pb.z, dy = pa.y - pb.y;
    double along = dx * s + dz * c;
    double slope = fabs(along) > 0.15 * body->length ? dy / along : state->slope.value;
    if (!state->is_walking) { slope = 0.5 * state->slope.value; }
    snw_follower_step(&state->slope, snw_clamp(slope, -0.7, 0.7), 5.0, h);

    // of the soles: 0 on stairs
    const snw_Foothold *next = a->is_swinging ? &a->swing.to
                                              : (b->is_swinging ? &b->swing.to : &a->at);
    sinew_Vec3 sole = sinew_quat_rotate(next->basis, sinew_vec3(0.0, 0.0, 1.0));
    double tilt = sole.y / sqrt(fmax(0.01, 1.0 - sole.y * sole.y));
    snw_follower_step(&state->tilt, snw_clamp(tilt, -0.7, 0.7), 5.0, h);

    double gaze = snw_clamp(0.45 * state->root.turn, -0.6, 0.6);
    if (fabs(state->root.left) > 0.1 && state->root.forward > -0.1) {
        gaze += snw_clamp(0.7 * state->root.left, -0.4, 0.4);
    }
    snw_follower_step(&state->gaze, gaze, 6.0, h);
    double bank = -state->root.forward * state->root.turn / SNW_GRAVITY;
    snw_follower_step(&state->bank, snw_clamp(bank, -0.3, 0.3), 6.0, h);
}

// the body waits for feet that it has turned away from
static void hold_turn(const snw_WalkBody *body, snw_Natural *state)
{
    double most = 0.0, sign = state->root.turn >= 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_NaturalLeg *leg = &state->legs[i];
        if (leg->is_swinging) { continue; }
        most = fmax(most, sign * (state->root.heading - leg->at.heading));
    }
    double free = 1.0 - snw_smoothstep((most - TWIST_START) / (TWIST_END - TWIST_START));
    state->root.turn *= free;
}

// it waits as well for a foot that it would have to bend low for, and for one that does not get down
static void hold_way(const snw_WalkBody *body, double h, snw_Natural *state)
{
    double s, c;
    sinew_sincos(state->root.heading, &s, &c);
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_NaturalLeg *leg = &state->legs[i];
        double need = leg->holds_back / body->length - WAIT_START;
        bool is_late = leg->is_swinging && leg->swing.late > 0.0;
        if (is_late) { need = WAIT_RANGE; }
        if ((leg->is_swinging && !is_late) || need <= 0.0) { continue; }
        // speed away from the foot
        double dx = state->hips.position.x - leg->pose.foot.position.x;
        double dz = state->hips.position.z - leg->pose.foot.position.z;
        double far = sqrt(dx * dx + dz * dz) + 1e-6;
        double ahead = (dx * s + dz * c) / far, aside = (dx * c - dz * s) / far;
        double away = state->root.forward * ahead + state->root.left * aside;
        if (away <= 0.0) { continue; }
        double brake = away * snw_follow(h, WAIT_TIME) * snw_smoothstep(need / WAIT_RANGE);
        state->root.forward -= brake * ahead;
        state->root.left -= brake * aside;
    }
}

void snw_natural_tick(const snw_WalkBody *body, const snw_WalkSetup *setup, snw_WalkGround *ground,
    const sinew_Steering *steering, double h, bool is_whole, snw_Natural *state)
{
    if (!state->has_started) { stand_feet(body, ground, state); }
    // a step that is begun is finished as it was planned: on stairs there may be no other place
    if (!is_committed(state)) { state->steering = *steering; }
    state->wanted = cropped(body, &state->steering, state->slope.value);
    if (is_whole && state->tick % SENSE_TICKS == 0) { sense_stairs(body, ground, state); }
    slow_for_stairs(state);
    if (fabs(state->wanted.forward) > fabs(state->hurry)) {
        state->wanted.forward += copysign(1.0, state->wanted.forward) * state->hurry;
    }
    bool idle = wants_nothing(&state->wanted);
    if (!state->is_walking && !idle) { start_walking(body, state); }
    if (idle && isfinite(state->stairs_speed)) { finish_step(body, state); }

    double x = state->root.x, z = state->root.z;
    if (state->is_walking) {
        hold_turn(body, state);
        hold_way(body, h, state);
        snw_root_step(&state->wanted, h, &state->root);
    } else {
        state->root.forward = 0.0;
        state->root.left = 0.0;
        state->root.turn = 0.0;
        drift_to_feet(body, h, state);
        // who stops on a heel puts the foot down
        for (int i = 0; i < body->leg_count; ++i) {
            state->legs[i].landing_pitch *= 1.0 - snw_follow(h, SETTLE_TIME);
        }
    }
    x = state->root.x - x;
    z = state->root.z - z;
    state->distance += sqrt(x * x + z * z);
    set_pace(body, h, state);
    look_around(body, h, state);

    if (state->is_walking) {
        int landed = state->step_count;
        // over steps of the ground the clock waits for the moving leg
        double pace = isfinite(state->stairs_speed) ? snw_swing_pace(body, h, state) : 1.0;
        for (int i = 0; i < body->leg_count; ++i) {
            state->legs[i].phase += pace * h / state->period;
        }
        move_swings(body, ground, h, is_whole, state);
        for (int i = 0; i < body->leg_count && landed != state->step_count; ++i) {
            // both legs share one clock, half a cycle apart
            if (state->legs[i].phase > 0.0 && !state->legs[i].is_swinging) {
                state->legs[i].phase = 0.5;
            }
        }
        if (landed != state->step_count && idle) {
            ++state->stop_steps;
            if (is_settled(body, state)) { state->is_walking = false; }
        }
        if (!idle) { state->stop_steps = 0; }
        if (state->is_walking) { check_releases(body, ground, h, state); }
    }
    snw_pelvis_step(body, setup, h, state);
    snw_feet_stand(body, h, state);
    snw_feet_move(body, ground, h, state);
    if (is_whole) { ++state->tick; }
}

// ---------------------------------------------------------------------------------------------
// Target

static sinew_Quat about(double x, double y, double z, double angle)
{
    return sinew_quat_from_axis_angle(sinew_vec3(x, y, z), angle);
}

static void pose_trunk(const snw_WalkBody *body, const snw_WalkSetup *setup,
    const snw_Natural *state, snw_WalkTarget *target)
{
    const sinew_WalkOrnaments *o = &setup->ornaments;
    const double turn = 2.0 * SINEW_PI;
    double m = state->moving.value, a = state->amplitude * m, s, c;
    double u = speed_of(state) / sqrt(SNW_GRAVITY * body->length);
    sinew_sincos(turn * (state->legs[0].phase - 0.03), &s, &c);
    double yaw = 4.0 * DEGREE * a * c * o->spine + 0.25 * state->gaze.value * o->lean;
    double lean = (2.5 * DEGREE * m + 5.0 * DEGREE * u * state->forwardness
                      + 0.55 * state->slope.value * (state->forwardness >= 0.0 ? 1.0 : 0.6))
        * o->lean;
    double roll = state->bank.value * o->lean;
    sinew_Quat heading = about(0.0, 1.0, 0.0, state->root.heading + yaw);
    target->chest = sinew_quat_mul(
        heading, sinew_quat_mul(about(1.0, 0.0, 0.0, lean), about(0.0, 0.0, 1.0, roll)));
    // eyes on the way: level on the flat, down where it goes down
    double gaze = state->gaze.value * o->head;
    double nod = (0.05 + fmax(0.0, -0.35 * state->slope.value)) * o->head;
    double keep = snw_clamp(o->head, 0.0, 1.0);
    sinew_Quat straight = sinew_quat_mul(
        about(0.0, 1.0, 0.0, state->root.heading + gaze), about(1.0, 0.0, 0.0, nod));
    target->head = sinew_quat_slerp(target->chest, straight, keep);

    double arm[2], elbow[2];
    for (int side = 0; side < 2; ++side) {
        double phase = state->legs[side].phase, wave, bend, unused;
        sinew_sincos(turn * (phase - 0.03), &unused, &wave);
        sinew_sincos(turn * (phase - 0.05), &unused, &bend);
        double swing = 30.0 * DEGREE * fmin(u, 0.6) * state->forwardness * m;
        // harder work on slopes and stairs
        double work = fabs(swing) + 0.10 * fabs(state->slope.value) * m;
        arm[side] = (-3.0 * DEGREE - 1.3 * swing * wave) * o->arms + 0.4 * lean * o->arms;
        elbow[side] = 14.0 * DEGREE + 0.9 * work * (1.0 - bend) * o->arms
            + 0.25 * fabs(state->slope.value) * o->arms;
    }
    snw_hang_arms(arm, elbow, target);
}

static void tell_leg(
    const snw_WalkBody *body, const snw_Natural *state, int index, snw_WalkFootTarget *target)
{
    SNW_ASSERT(index >= 0);
    const snw_NaturalLeg *leg = &state->legs[index];
    sinew_WalkerLeg *told = &target->told;
    memset(told, 0, sizeof *told);
    target->foot = leg->pose.foot;
    target->toe_bend = leg->pose.toe_bend;
    const snw_Foothold *at = leg->is_swinging ? &leg->swing.to : &leg->at;
    target->knee_yaw = snw_natural_knee(state, leg, leg->swing.progress, &target->freedom);
    // the foot in front leads
    const snw_NaturalLeg *other = &state->legs[body->leg_count > 1 ? 1 - index : 0];
    target->is_leading = leg->phase < other->phase || leg->is_swinging;
    target->held = 0;
    told->phase = leg->phase;
    told->is_swinging = leg->is_swinging;
    told->swing = leg->is_swinging ? leg->swing.progress : 1.0;
    told->planted = leg->is_swinging ? 0u : leg->pose.planted;
    told->heel = leg->pose.heel;
    told->ball = leg->pose.ball;
    told->toe = leg->pose.toe;
    told->foothold = at->ground;
    told->normal = sinew_quat_rotate(at->basis, sinew_vec3(0.0, 1.0, 0.0));
    told->foot_heading = snw_natural_foot_heading(leg);
    told->toe_bend = leg->pose.toe_bend;
}

void snw_natural_target(const snw_WalkBody *body, const snw_WalkSetup *setup,
    const snw_Natural *state, snw_WalkTarget *target)
{
    target->hips = state->hips;
    target->heading = state->root.heading;
    pose_trunk(body, setup, state, target);
    for (int i = 0; i < body->leg_count; ++i) { tell_leg(body, state, i, &target->feet[i]); }
}
