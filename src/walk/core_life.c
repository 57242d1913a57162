// What a living body keeps from tick to tick above its legs: how fast it goes, how its thighs swing, slow noise,
// what differs from step to step; from these the angles of chest, head and arms.
//
// Arms and trunk are driven by the legs, not by the clock: half of what the left thigh is ahead of the right one
// (D) is 0 when standing and follows starts, stops and stairs by itself.
// Source: rules fitted to six recorded walks; `sinew bench alive` judges them.

#include "walk/core.h"

#include "math/exp.h"
#include "math/holds.h"
#include "math/trig.h"
#include "walk/leg_form.h"

#define SPEED_OMEGA 8.0
// D as arms and the trunk take it, 33 ms late: 1/s.
#define DRIVE_OMEGA 60.0
// How fast the phase of what is above the legs follows theirs, 1/s: it has neither jumps nor bends.
#define PHASE_OMEGA 16.0
// How fast what hips and trunk show of A follows it, 1/s: who lets go of the stick at once bends no trunk at once.
#define SIZE_OMEGA 25.0
#define LEVEL_FOLLOW 0.15
// Feet that differ by this in height are on steps, metres.
#define STEP 0.05
// Who stops need not stand over the middle of the feet exactly, L.
#define REST_SLACK 0.025
// A response that hurries as much has no time for anything but the way.
#define QUICK_HURRY 1.6
#define BREATH_RATE 0.25 // 1/s
// Noise: below half a hertz. Aims are drawn anew after so many seconds, least and most.
#define WANDER_OMEGA 3.2
#define WANDER_LEAST 0.7
#define WANDER_MOST 1.6
#define VARY_OMEGA 7.0
// How fast a chest goes after where it should be, 1/s. Bounds by axis, rad/s and rad/s^2: with them it turns by less than
// .045 rad in a frame beyond the commanded turn, and a head .6 m above the hips feels less than 15 m/s^2 of it.
#define CHASE_OMEGA 40.0
static const double most_speed[3] = { 1.9, 1.2, 1.2 };
static const double most_pull[3] = { 40.0, 16.0, 16.0 };
// The head looks to where the body will head for, seconds ahead, with a follower of 1/s; most off the hips.
#define LOOK_AHEAD 0.25
#define LOOK_OMEGA 14.0
#define MOST_LOOK (42.0 * SNW_DEGREE)
// A hand is a spring behind its forearm.
#define WRIST_OMEGA 20.0
#define WRIST_DAMPING 0.4
#define MOST_WRIST (20.0 * SNW_DEGREE)
// Share of what bent arms go out and in, of those that are held off wide hips: more, and hands go into the thighs.
#define HELD_SHARE 0.3
// Who jumps from both feet bows and throws the arms, radians at 2.4 m/s, followed with 1/s.
// Source: fair_jumping.bvh, a standing long jump, less of each: trunk 68 degrees, arms from -105 to 104 and back.
#define JUMP_SPEED 2.4
#define JUMP_OMEGA 13.0
#define THROWN_ELBOW 0.35 // of what an arm is thrown its elbow bends
// Left arms swing less than right ones in four of five people.
static const double sided[2] = { 0.88, 1.12 };
/// Amplitudes of noise: of aims, radians and metres.
static const double wander_size[SNW_WANDERS] = { 1.8 * SNW_DEGREE, 1.8 * SNW_DEGREE,
    1.0 * SNW_DEGREE, 1.2 * SNW_DEGREE, 0.8 * SNW_DEGREE, 1.6 * SNW_DEGREE, 1.6 * SNW_DEGREE, 0.009,
    0.0045 };
/// Standard deviations that are drawn; the follower shows some 60 % of them.
static const double vary_size[SNW_VARIES] = { 0.30, 0.25, 0.22, 0.22, 0.030 };

// ---------------------------------------------------------------------------------------------
// Chance

/// Drawn evenly, standard deviation 1.
static double draw(snw_CoreLife *life)
{
    const double root_of_three = 1.7320508075688772;
    return snw_random_range(&life->random, -root_of_three, root_of_three);
}

void snw_core_vary(snw_CoreLife *life)
{
    for (int i = 0; i < SNW_VARIES; ++i) { life->vary_to[i] = vary_size[i] * draw(life); }
}

static void wander(double h, bool is_whole, snw_CoreLife *life)
{
    for (int i = 0; i < SNW_WANDERS; ++i) {
        life->wander_left[i] -= h;
        if (is_whole && life->wander_left[i] <= 0.0) {
            life->wander_left[i] = snw_random_range(&life->random, WANDER_LEAST, WANDER_MOST);
            life->wander_to[i] = wander_size[i] * draw(life);
        }
        snw_follower_step(&life->wander[i], life->wander_to[i], WANDER_OMEGA, h);
    }
}

// ---------------------------------------------------------------------------------------------
// Before the hips are placed

/// Bow before the jump, arms behind; up they go with the push, and come down from the highest point on.
static void follow_jump(double h, snw_Core *state)
{
    static const double bows[] = { 0.0, 0.0, 42.0, 12.0, 6.0, 30.0, 0.0 }, // degrees by stage
        throws[] = { 0.0, 0.0, -75.0, 125.0, 60.0, 15.0, 0.0 };
    snw_CoreLife *life = &state->life;
    const snw_CoreJump *jump = &state->jump;
    snw_JumpStage stage = jump->is_leap ? SNW_JUMP_NONE : jump->stage;
    if (stage == SNW_JUMP_FLIES && jump->time < 0.5 * jump->air) { stage = SNW_JUMP_PUSHES; }
    double size = SNW_DEGREE * snw_min(1.2, jump->speed / JUMP_SPEED);
    snw_follower_step(&life->bow, size * bows[stage], JUMP_OMEGA, h);
    snw_follower_step(&life->throw, size * throws[stage], JUMP_OMEGA, h);
}

static void follow_phase(double h, snw_Core *state)
{
    snw_CoreLife *life = &state->life;
    const double rate = state->is_walking ? state->rate : 0.0, before = life->phase_rate;
    double away = state->legs[0].phase - life->phase - rate * h;
    away -= floor(away + 0.5);
    // nothing of it shows while the body stands
    const bool shows = state->moving.value >= 0.05;
    const double pull = PHASE_OMEGA * PHASE_OMEGA * away + 2.0 * PHASE_OMEGA * (rate - before);
    life->phase_rate = shows ? before + pull * h : rate;
    life->phase += shows ? 0.5 * (before + life->phase_rate) * h : rate * h + away;
    life->phase -= floor(life->phase);
}

void snw_core_breathe(const snw_WalkSetup *setup, double h, bool is_whole, snw_CoreLife *life)
{
    if (setup->manner.wander > 0.0 || setup->manner.variation > 0.0) { wander(h, is_whole, life); }
    life->breath += BREATH_RATE * h;
    life->breath -= floor(life->breath);
    double unused;
    sinew_sincos(2.0 * SINEW_PI * life->breath, &life->breathed, &unused);
}

void snw_core_live(const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Core *state)
{
    snw_CoreLife *life = &state->life;
    const snw_WalkRoot *root = &state->root;
    if (setup->manner.wander > 0.0 || setup->manner.variation > 0.0) {
        for (int i = 0; i < SNW_VARIES; ++i) {
            snw_follower_step(&life->vary[i], life->vary_to[i], VARY_OMEGA, h);
        }
    }
    double speed = snw_root_speed(root);
    snw_follower_step(&life->speed, speed / sqrt(SNW_GRAVITY * body->length), SPEED_OMEGA, h);
    snw_follower_step(&life->size, state->amplitude, SIZE_OMEGA, h);
    life->calm = snw_clamp((QUICK_HURRY - root->response.hurry) / (QUICK_HURRY - 1.0), 0.0, 1.0);
    life->slack = life->calm * REST_SLACK * setup->manner.shift * body->length;
    follow_phase(h, state);
    follow_jump(h, state);
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        low = snw_min(low, leg->at.ground.y);
        high = snw_max(high, leg->at.ground.y);
        if (!leg->is_swinging) { continue; }
        low = snw_min(low, leg->swing.to.ground.y);
        high = snw_max(high, leg->swing.to.ground.y);
        life->first_leg = -1;
    }
    if (!state->is_walking) { life->first_leg = -1; }
    double level = 1.0 - snw_smoothstep((high - low) / STEP);
    life->level = snw_follow_to(life->level, level, h, LEVEL_FOLLOW);
}

// ---------------------------------------------------------------------------------------------
// After the legs are posed

/// How far a thigh points ahead in the plane of the heading, radians.
static double thigh_ahead(
    const snw_WalkBody *body, const snw_Core *state, int index, double s, double c)
{
    const snw_WalkLegBody *leg = &body->legs[index];
    sinew_Vec3 hip = sinew_transform_point(state->hips, leg->hip);
    sinew_Vec3 way = sinew_vec3_sub(state->legs[index].pose.foot.position, hip);
    double x = way.x * s + way.z * c, y = way.y, a = leg->thigh, b = leg->shank;
    double r = snw_clamp(sqrt(x * x + y * y), fabs(a - b) + 1e-6, a + b);
    double knee = snw_clamp(snw_leg_hip_cosine(leg, r), -1.0, 1.0);
    return sinew_atan2(x, -y) + sinew_acos(knee);
}

/// Exact for a target that goes evenly during h, so that a part of a tick is on the way of the whole one; a pull beyond its
/// bound is the same pull, smaller. fade: of CHASE_OMEGA in h.
static void chase(
    snw_Chase *chase, double target, double speed_bound, double pull_bound, double fade, double h)
{
    if (h <= 0.0) { return; }
    const double target_speed = (target - chase->target) / h;
    const double away = chase->value - chase->target, faster = chase->speed - target_speed;
    chase->target = target;
    if (fabs(target - chase->value) + fabs(chase->speed) < SNW_ARRIVED) {
        chase->value = target;
        chase->speed = 0.0;
        return;
    }
    const double rate = faster + CHASE_OMEGA * away;
    const double pull = CHASE_OMEGA * (faster + rate);
    const double share = pull_bound / snw_max(pull_bound, fabs(pull));
    // from the way that it would go on by itself
    chase->value += chase->speed * h + share * ((away + rate * h) * fade - away - faster * h);
    chase->speed += share * ((faster - CHASE_OMEGA * rate * h) * fade - faster);
    chase->speed = snw_clamp(chase->speed, -speed_bound, speed_bound);
}

static double vary(const snw_CoreLife *life, const sinew_Manner *m, int what)
{
    return 1.0 + m->variation * life->vary[what].value;
}

/// Half of what would balance a turn is seen in the trunk of who walks; who runs leans as a whole.
static double bank_of(const snw_Core *state)
{
    return -snw_mix(0.5 * snw_root_lean(&state->root), state->life.curve.value, state->run.value);
}

/// Where the chest should be against the heading.
static void aim_chest(const snw_WalkBody *body, const snw_WalkSetup *setup, const snw_Core *state,
    double bank, double out_angles[3])
{
    const snw_CoreLife *life = &state->life;
    const sinew_Manner *m = &setup->manner;
    double moving = snw_clamp(state->moving.value, 0.0, 1.0), u = life->speed.value;
    double twist = 0.575 * snw_clamp(u, 0.0, 0.7) * life->late.value * m->lively
        * vary(life, m, SNW_VARY_TWIST);
    out_angles[SNW_YAW] = life->hips_yaw - life->held_yaw + twist * setup->ornaments.spine
        + m->wander * life->wander[SNW_WANDER_CHEST_YAW].value;
    // the head goes less far ahead and back than the hips
    double surge = life->surge.value / body->length;
    out_angles[SNW_PITCH] = -63.0 * SNW_DEGREE * surge * m->lively
        + m->wander * life->wander[SNW_WANDER_CHEST_PITCH].value
        + m->breath * 0.35 * SNW_DEGREE * life->breathed;
    out_angles[SNW_ROLL] = bank;
    if (moving == 0.0) { return; }
    double s, c;
    sinew_sincos(2.0 * SINEW_PI * life->phase, &s, &c);
    double roll = -(1.0 * c + 8.0 * snw_clamp(u - 0.335, -0.05, 0.20) * s) * SNW_DEGREE * m->lively
        * moving * snw_smoothstep(u / 0.25) * vary(life, m, SNW_VARY_ROLL);
    for (int i = 0; i < 2; ++i) {
        double out = i == 0 ? -1.0 : 1.0;
        roll += out * 6.0 * SNW_DEGREE * m->hurt[i] * moving
            * snw_core_load(state, state->legs[i].phase);
    }
    out_angles[SNW_ROLL] = roll + bank;
}

static void aim_head(const snw_WalkSetup *setup, double bank, double h, snw_Core *state)
{
    snw_CoreLife *life = &state->life;
    const sinew_Manner *m = &setup->manner;
    snw_WalkRoot later = snw_core_later(state, LOOK_AHEAD);
    double look = later.heading - state->root.heading + 0.4 * state->root.left;
    snw_follower_step(&life->look, snw_clamp(look, -MOST_LOOK, MOST_LOOK), LOOK_OMEGA, h);
    double moving = snw_clamp(state->moving.value, 0.0, 1.0), nod = 0.0, roll = 0.0, unused;
    if (moving > 0.0) {
        sinew_sincos(4.0 * SINEW_PI * (life->phase - 0.33), &unused, &nod);
        sinew_sincos(2.0 * SINEW_PI * (life->phase - 0.64), &unused, &roll);
    }
    life->head[SNW_YAW] = life->look.value + 0.3 * life->chest[SNW_YAW].value
        + m->wander * life->wander[SNW_WANDER_HEAD_YAW].value;
    life->head[SNW_PITCH] = 1.0 * SNW_DEGREE * nod * moving * m->lively
        + m->wander * life->wander[SNW_WANDER_HEAD_PITCH].value;
    life->head[SNW_ROLL] = 0.5 * (life->chest[SNW_ROLL].value - bank)
        + 0.8 * SNW_DEGREE * roll * moving * m->lively
        + m->wander * life->wander[SNW_WANDER_HEAD_ROLL].value;
}

/// A number that is a at 0 and b at 1 of share, and stays there.
static double ramp(double a, double b, double share)
{
    return snw_mix(a, b, snw_clamp(share, 0.0, 1.0));
}

static void swing_arm(const snw_WalkSetup *setup, int side, double h, snw_Core *state)
{
    snw_CoreLife *life = &state->life;
    const sinew_Manner *m = &setup->manner;
    snw_CoreArm *arm = &life->arms[side];
    double u = life->speed.value, own = side == 0 ? 1.0 : -1.0;
    // on stairs bodies are slow and swing their arms all the same
    double drive = snw_max(0.28 * snw_smoothstep(u / 0.15), snw_clamp(u, 0.0, 0.7));
    double swing = -1.12 * drive * own * life->drive.value * sided[side] * m->swing * m->lively
        * vary(life, m, SNW_VARY_SWING);
    double gain = snw_elbow_gain(u) * vary(life, m, SNW_VARY_ELBOW);
    double widest = snw_max(
        1.12 * drive * 26.0 * SNW_DEGREE * m->swing * m->lively, 3.0 * SNW_DEGREE);
    double bend = m->elbow_swing * (gain * swing + 0.30 * swing * swing / widest);
    double mean = (ramp(14.0, 22.0, u / 0.2) + ramp(0.0, 14.0, (u - 0.2) / 0.45)) * SNW_DEGREE
        + m->elbow;
    double least = 6.0 * SNW_DEGREE;
    double elbow = least + snw_soft_positive(mean + bend - least, 5.0 * SNW_DEGREE)
        + THROWN_ELBOW * fabs(life->throw.value);
    bend = elbow - mean;
    double noise = m->wander * life->wander[SNW_WANDER_ARM + side].value;
    arm->drive = swing;
    arm->swing = -5.0 * SNW_DEGREE + swing + noise + life->throw.value;
    arm->bend = bend;
    arm->elbow = elbow;
    if (h <= 0.0) { return; }
    double forearm = arm->swing + arm->elbow;
    const double speed = (forearm - life->forearm[side]) / h;
    life->forearm[side] = forearm;
    snw_Follower *wrist = &life->wrist[side];
    wrist->speed += (WRIST_OMEGA * WRIST_OMEGA * (forearm - wrist->value)
                        + 2.0 * WRIST_DAMPING * WRIST_OMEGA * (speed - wrist->speed))
        * h;
    wrist->value += wrist->speed * h;
    wrist->value = snw_clamp(wrist->value, forearm - MOST_WRIST, forearm + MOST_WRIST);
    arm->radial = m->hands * m->wrist_swing * (wrist->value - forearm);
}

snw_CoreArmTurns snw_core_turn_arm(
    const snw_WalkBody *body, const snw_WalkSetup *setup, const snw_CoreLife *life, int side)
{
    SNW_ASSERT(side == 0 || side == 1);
    const sinew_Manner *m = &setup->manner;
    const snw_CoreArm *arm = &life->arms[side];
    const double swing = arm->drive, bend = arm->bend;
    const double breath = life->breathed;
    snw_CoreArmTurns turns;
    // arms that are held off wide hips go less out and in than those that hang
    const double hangs = 5.7 * SNW_DEGREE + m->arms_out, held = snw_max(body->hang, hangs);
    const double share = held > hangs ? HELD_SHARE : 1.0;
    turns.out = held + 0.35 * share * bend + m->breath * 0.3 * SNW_DEGREE * breath;
    // the humerus turns so far in that the forearm comes in front of the body
    double in = share * (3.0 * SNW_DEGREE + 0.13 * (swing + bend)), os, oc, es, ec, is, unused_cos;
    sinew_sincos(turns.out, &os, &oc);
    sinew_sincos(snw_max(arm->elbow, 14.0 * SNW_DEGREE), &es, &ec);
    sinew_sincos(in, &is, &unused_cos);
    double turn = sinew_asin(snw_clamp((is + os * ec) / (es * oc), -1.0, 1.0));
    turns.turn = m->hands * snw_clamp(turn, -11.0 * SNW_DEGREE, 43.0 * SNW_DEGREE);
    turns.pronation = m->hands * (24.0 * SNW_DEGREE + 0.24 * bend) - turns.turn;
    turns.extension = m->wrist + m->hands * (3.4 * SNW_DEGREE + 0.10 * (swing + bend));
    turns.clavicle = m->shrug
        + m->clavicles * (0.15 * swing + m->breath * 0.5 * SNW_DEGREE * breath);
    return turns;
}

void snw_core_begin_life(const snw_WalkSetup *setup, snw_Core *state)
{
    snw_CoreLife *life = &state->life;
    life->random = snw_random(setup->manner.seed);
    life->first_leg = -1;
    life->level = 1.0;
    life->breath = snw_random_unit(&life->random);
    for (int i = 0; i < SNW_WANDERS; ++i) {
        life->wander_left[i] = snw_random_range(&life->random, 0.0, WANDER_MOST);
    }
    for (int i = 0; i < 2; ++i) {
        swing_arm(setup, i, 0.0, state);
        life->forearm[i] = life->arms[i].swing + life->arms[i].elbow;
        life->wrist[i].value = life->forearm[i];
    }
}

void snw_core_move_upper(
    const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Core *state)
{
    snw_CoreLife *life = &state->life;
    double s, c, angles[3];
    s = state->root.sine;
    c = state->root.cosine;
    double drive = 0.5 * (thigh_ahead(body, state, 0, s, c) - thigh_ahead(body, state, 1, s, c));
    double late = 2.0 / (2.0 / DRIVE_OMEGA + setup->manner.swing_late);
    snw_follower_step(&life->drive, drive, late, h);
    snw_follower_step(&life->late, drive, DRIVE_OMEGA, h);
    const double bank = bank_of(state);
    aim_chest(body, setup, state, bank, angles);
    const double fade = snw_exp(-CHASE_OMEGA * h);
    for (int i = 0; i < 3; ++i) {
        chase(&life->chest[i], angles[i], most_speed[i], most_pull[i], fade, h);
    }
    aim_head(setup, bank, h, state);
    for (int i = 0; i < 2; ++i) { swing_arm(setup, i, h, state); }
}
