// From what a body wants above its legs to rotations of chest, head and arms: the plain figure's, and as much of
// the living one's as the manner shows.

#include "walk/core.h"

#include "math/quat.h"
#include "math/trig.h"

/// A turn about the vertical, then forward, then left side up; world, or the frame that it is multiplied to.
static sinew_Quat turned(snw_Half yaw, snw_Half pitch, snw_Half roll)
{
    // about y, times about x; and that times about z
    sinew_Quat turn = { yaw.c * pitch.s, yaw.s * pitch.c, -yaw.s * pitch.s, yaw.c * pitch.c };
    return snw_quat_by_z(turn, roll);
}

/// How the trunk is turned against the heading, radians.
typedef struct Trunk {
    double yaw, pitch, roll, lean; ///< lean: of pitch, what does not come and go with the steps
} Trunk;

/// The plain arm of a side: swing and elbow.
static void swing_plain(const snw_Core *state, const sinew_WalkOrnaments *o, double u, double lean,
    int side, double *out_swing, double *out_elbow)
{
    double phase = state->legs[side].phase, wave, bend, unused;
    sinew_sincos(2.0 * SINEW_PI * (phase - 0.03), &unused, &wave);
    sinew_sincos(2.0 * SINEW_PI * (phase - 0.05), &unused, &bend);
    double moving = snw_clamp(state->moving.value, 0.0, 1.0);
    double swing = 30.0 * SNW_DEGREE * snw_min(u, 0.6) * state->forwardness * moving;
    *out_swing = (-3.0 * SNW_DEGREE - 1.3 * swing * wave + 0.4 * lean) * o->arms;
    *out_elbow = 14.0 * SNW_DEGREE + 0.9 * fabs(swing) * (1.0 - bend) * o->arms;
}

static void hang_arm(const snw_WalkBody *body, const snw_Core *state, const snw_WalkSetup *setup,
    const Trunk *trunk, sinew_Quat frame, double u, int side, snw_WalkTarget *target)
{
    const sinew_Manner *m = &setup->manner;
    const snw_CoreArm *arm = &state->life.arms[side];
    const snw_CoreArmTurns turns = snw_core_turn_arm(body, setup, &state->life, side);
    double out = side == 0 ? 1.0 : -1.0, gain = setup->ornaments.arms;
    double swing = arm->swing * gain;
    double elbow = 14.0 * SNW_DEGREE + (arm->elbow - 14.0 * SNW_DEGREE) * gain;
    if (m->arms != 1.0) {
        double plain_swing, plain_elbow;
        swing_plain(state, &setup->ornaments, u, trunk->lean, side, &plain_swing, &plain_elbow);
        swing = snw_mix(plain_swing, swing, m->arms);
        elbow = snw_mix(plain_elbow, elbow, m->arms);
    }
    // runners' elbows are bent, and their arms swing farther, above all behind
    swing += state->run.value * gain * (0.45 * swing - 14.0 * SNW_DEGREE);
    elbow += state->run.value * gain * (62.0 * SNW_DEGREE - 0.2 * elbow);
    enum { SWING, OUT, TURN, ELBOW, PRONATION, EXTENSION, RADIAL, CLAVICLE, TURNS };
    const double angles[TURNS] = { [SWING] = -swing,
        [OUT] = snw_mix(snw_max(0.10, body->hang), turns.out, m->arms) * out,
        [TURN] = -out * turns.turn,
        [ELBOW] = -elbow,
        [PRONATION] = -out * turns.pronation,
        [EXTENSION] = out * turns.extension,
        [RADIAL] = -arm->radial,
        [CLAVICLE] = out * turns.clavicle };
    snw_Half half[TURNS];
    snw_halves(angles, TURNS, half);
    sinew_Quat hang = { half[SWING].s, 0.0, 0.0, half[SWING].c };
    hang = snw_quat_by_y(snw_quat_by_z(hang, half[OUT]), half[TURN]);
    target->upper_arm[side] = snw_quat_mul(frame, hang);
    sinew_Quat fore = snw_quat_by_x(target->upper_arm[side], half[ELBOW]);
    target->forearm[side] = snw_quat_by_y(fore, half[PRONATION]);
    sinew_Quat bend = { 0.0, 0.0, half[EXTENSION].s, half[EXTENSION].c };
    bend = snw_quat_by_x(bend, half[RADIAL]);
    target->hand[side] = snw_quat_mul(target->forearm[side], bend);
    // back about the vertical as far as up
    sinew_Quat lift = { 0.0, -half[CLAVICLE].s, 0.0, half[CLAVICLE].c };
    lift = snw_quat_by_z(lift, half[CLAVICLE]);
    target->clavicle[side] = snw_quat_mul(target->chest, lift);
}

void snw_core_pose_upper(const snw_WalkBody *body, const snw_WalkSetup *setup,
    const snw_Core *state, snw_WalkTarget *target)
{
    const sinew_WalkOrnaments *o = &setup->ornaments;
    const sinew_Manner *m = &setup->manner;
    const snw_CoreLife *life = &state->life;
    const snw_WalkRoot *root = &state->root;
    double moving = snw_clamp(state->moving.value, 0.0, 1.0), a = state->life.size.value * moving;
    double c = 1.0, unused;
    double speed = snw_root_speed(root);
    double u = speed / sqrt(SNW_GRAVITY * body->length);
    if (a != 0.0) { sinew_sincos(2.0 * SINEW_PI * (state->legs[0].phase - 0.03), &unused, &c); }
    Trunk trunk;
    trunk.yaw = snw_mix(4.0 * SNW_DEGREE * a * c * o->spine + 0.25 * state->gaze.value * o->lean,
        life->chest[SNW_YAW].value, m->trunk);
    trunk.lean = (2.5 * SNW_DEGREE * moving + 5.0 * SNW_DEGREE * u * state->forwardness
                     + state->lean.value + 7.0 * SNW_DEGREE * state->run.value
                     + 24.0 * SNW_DEGREE * state->stoop.value + m->trunk * life->bow.value)
        * o->lean;
    trunk.pitch = trunk.lean + m->trunk * life->chest[SNW_PITCH].value + m->lean;
    trunk.roll = m->trunk * life->chest[SNW_ROLL].value * o->lean;

    double nod = (0.05 + snw_max(0.0, -0.35 * state->slope)) * o->head + m->head_pitch
        + m->head * life->head[SNW_PITCH];
    double gaze = snw_mix(state->gaze.value, life->head[SNW_YAW], m->head) * o->head;
    // arms hang by their weight: they lean less than the chest
    enum { YAW, PITCH, ROLL, HEAD_YAW, HEAD_PITCH, HEAD_ROLL, ARM_PITCH, ARM_ROLL, TURNS };
    const double angles[TURNS] = { [YAW] = root->heading + trunk.yaw,
        [PITCH] = trunk.pitch,
        [ROLL] = trunk.roll,
        [HEAD_YAW] = root->heading + gaze,
        [HEAD_PITCH] = nod,
        [HEAD_ROLL] = m->head * life->head[SNW_ROLL],
        [ARM_PITCH] = snw_mix(trunk.pitch, 0.25 * trunk.lean, m->arms),
        [ARM_ROLL] = snw_mix(trunk.roll, 0.6 * trunk.roll, m->arms) };
    snw_Half half[TURNS];
    snw_halves(angles, TURNS, half);
    target->chest = turned(half[YAW], half[PITCH], half[ROLL]);
    const sinew_Quat straight = turned(half[HEAD_YAW], half[HEAD_PITCH], half[HEAD_ROLL]);
    target->head = o->head >= 1.0
        ? straight
        : sinew_quat_slerp(target->chest, straight, snw_max(0.0, o->head));
    target->moves_clavicles = m->clavicles > 0.0 || m->shrug != 0.0;
    const sinew_Quat frame = turned(half[YAW], half[ARM_PITCH], half[ARM_ROLL]);
    for (int side = 0; side < 2; ++side) {
        hang_arm(body, state, setup, &trunk, frame, u, side, target);
    }
}
