// A manner learned from one recorded walk: its arms, trunk and strides beside those of the rules that a walker goes
// by at the same speed (core_life.c).

#include "sinew/manner.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/frames.h"
#include "math/trig.h"
#include "walk/core_alive.h"
#include "walk/gait_curves.h"
#include "walk/walk.h"

#include <string.h>

// Arms are this much later than the legs by themselves, seconds.
#define OWN_DELAY 0.033
#define MOST_DELAY 0.3
#define LEAST_SWING (2.0 * SNW_DEGREE)
// What is a walk. Slower than this Froude number, its root, people shift from foot to foot (0.14 and more in recorded
// walks, 0.08 and less in boxing). Of a walk's strides 65 % and more are alike, also where it starts and stops, of
// steps here and there 50 % and less; no foot stands in 15 % of its frames and less, in 23 % and more of jumps, 39 %
// of runs. Fewer strides than two are a single step.
#define LEAST_FROUDE 0.1
#define LEAST_STEADY 0.6
#define MOST_AIRBORNE 0.2
#define LEAST_STRIDES 2
// Hips of a walker sway by so much, L, standard deviation: at 0.7 m/s and below, at 1.3 m/s and above.
#define SLOW_SWAY 0.015
#define USUAL_SWAY 0.026

// Usual: root of the Froude number of 1.3 m/s with legs of 0.9 m; what feet roll through, degrees, at a gait of size 1; the
// straightest that knees which carry get, degrees. Legs by which hips are lower for each degree that these are more bent; how far
// hands trail behind for each radian of the swing, standard deviations.
#define USUAL_PACE 0.4375
#define USUAL_ROLL 94.0
#define USUAL_KNEE 15.0
#define CROUCH_BY_KNEE 0.0021
#define USUAL_TRAIL 0.22

/// What is read of a frame; angles against the heading of the pelvis, radians.
typedef enum Channel {
    YAW,    ///< of the pelvis, whole turns taken off
    THIGHS, ///< half of what the left one is ahead of the right one
    ARMS,   ///< half of what the left one is ahead of the right one
    SWING,  ///< mean of both arms
    OUT,
    ELBOW,
    ELBOWS, ///< half of what the left one is bent more than the right one
    TWIST,  ///< of chest against pelvis
    LEAN,
    HEAD,
    CLAVICLE,   ///< up and ahead, mean of both
    CLAVICLES,  ///< half of what the left one is farther than the right one
    WRIST,      ///< towards the back of the hand, mean of both
    WRISTS,     ///< ahead, half of what the left one is farther than the right one
    PLACE_LEFT, ///< of the hips along the stance's directions, metres
    PLACE_AHEAD,
    CHANNELS,
} Channel;

typedef struct Learner {
    const sinew_Skeleton *skeleton;
    const sinew_Stance *stance;
    int hips, chest, head, thigh[2], shin[2], foot[2], upper[2], fore[2], hand[2];
    int clavicle[2]; ///< -1: none
    int count;
    double frame_time;
    sinew_Transform *world;   // joint_count
    double *values[CHANNELS]; // count
} Learner;

static bool find_joints(Learner *l, const sinew_RoleGuess *roles)
{
    l->hips = sinew_roles_find(roles, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1);
    l->chest = sinew_roles_find(roles, SINEW_ROLE_CHEST, SINEW_SIDE_NONE, -1);
    l->head = sinew_roles_find(roles, SINEW_ROLE_HEAD, SINEW_SIDE_NONE, -1);
    for (int number = 8; number >= 0 && l->chest < 0; --number) {
        l->chest = sinew_roles_find(roles, SINEW_ROLE_SPINE, SINEW_SIDE_NONE, number);
    }
    bool whole = l->hips >= 0 && l->chest >= 0 && l->head >= 0;
    for (int i = 0; i < 2; ++i) {
        sinew_Side side = i == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        l->thigh[i] = sinew_roles_find(roles, SINEW_ROLE_THIGH, side, -1);
        l->shin[i] = sinew_roles_find(roles, SINEW_ROLE_SHIN, side, -1);
        l->foot[i] = sinew_roles_find(roles, SINEW_ROLE_FOOT, side, -1);
        l->upper[i] = sinew_roles_find(roles, SINEW_ROLE_UPPERARM, side, -1);
        l->fore[i] = sinew_roles_find(roles, SINEW_ROLE_FOREARM, side, -1);
        l->hand[i] = sinew_roles_find(roles, SINEW_ROLE_HAND, side, -1);
        l->clavicle[i] = sinew_roles_find(roles, SINEW_ROLE_CLAVICLE, side, -1);
        whole = whole && l->thigh[i] >= 0 && l->shin[i] >= 0 && l->foot[i] >= 0 && l->upper[i] >= 0
            && l->fore[i] >= 0 && l->hand[i] >= 0;
    }
    return whole;
}

static void take_arrays(snw_Arena *arena, int joint_count, Learner *l)
{
    l->world = snw_arena_take(arena, (size_t)joint_count, sizeof *l->world);
    for (int k = 0; k < CHANNELS; ++k) {
        l->values[k] = snw_arena_take(arena, (size_t)l->count, sizeof *l->values[k]);
    }
}

static sinew_Vec3 bone(const Learner *l, int from, int to)
{
    sinew_Vec3 way = sinew_vec3_sub(l->world[to].position, l->world[from].position);
    return sinew_vec3_normalize_or(way, sinew_vec3_scale(l->stance->up, -1.0));
}

/// How a joint is turned since the stance.
static sinew_Quat turn_of(const Learner *l, int joint)
{
    sinew_Quat stance = l->stance->world_from_joint[joint].rotation;
    return sinew_quat_mul(l->world[joint].rotation, sinew_quat_conjugate(stance));
}

/// The same against a joint above it, seen as that one stood.
static sinew_Quat turn_against(const Learner *l, int above, int joint)
{
    return sinew_quat_mul(sinew_quat_conjugate(turn_of(l, above)), turn_of(l, joint));
}

static sinew_Vec3 ahead_of(const Learner *l, int joint)
{
    return sinew_quat_rotate(turn_of(l, joint), l->stance->ahead);
}

static double yaw_of(const Learner *l, sinew_Vec3 ahead)
{
    return sinew_atan2(
        sinew_vec3_dot(ahead, l->stance->left), sinew_vec3_dot(ahead, l->stance->ahead));
}

static double pitch_of(const Learner *l, sinew_Vec3 ahead)
{
    return -sinew_asin(snw_clamp(sinew_vec3_dot(ahead, l->stance->up), -1.0, 1.0));
}

static double wrap(double angle)
{
    return angle - 2.0 * SINEW_PI * floor(angle / (2.0 * SINEW_PI) + 0.5);
}

/// How far a clavicle is up and ahead of where it stood on the chest, mean of both angles.
static double clavicle_at(const Learner *l, int side)
{
    const sinew_Stance *stance = l->stance;
    const int top = l->clavicle[side], end = l->upper[side];
    const sinew_Transform *at = stance->world_from_joint;
    sinew_Vec3 stood = sinew_vec3_normalize_or(
        sinew_vec3_sub(at[end].position, at[top].position), stance->left);
    // the shoulder turns with the chest, and the clavicle's joint may be anywhere near it
    sinew_Vec3 is = sinew_quat_rotate(turn_against(l, l->chest, top), stood);
    double up = sinew_asin(snw_clamp(sinew_vec3_dot(is, stance->up), -1.0, 1.0))
        - sinew_asin(snw_clamp(sinew_vec3_dot(stood, stance->up), -1.0, 1.0));
    double ahead = sinew_asin(snw_clamp(sinew_vec3_dot(is, stance->ahead), -1.0, 1.0))
        - sinew_asin(snw_clamp(sinew_vec3_dot(stood, stance->ahead), -1.0, 1.0));
    return 0.5 * (up + ahead);
}

/// How far a hand is turned against its forearm: towards its back, and ahead, as of an arm that hangs.
static void wrist_at(const Learner *l, int side, double *out_back, double *out_ahead)
{
    const sinew_Stance *stance = l->stance;
    const sinew_Transform *at = stance->world_from_joint;
    const sinew_Vec3 down = sinew_vec3_scale(stance->up, -1.0);
    sinew_Vec3 along = sinew_vec3_normalize_or(
        sinew_vec3_sub(at[l->hand[side]].position, at[l->fore[side]].position), down);
    sinew_Quat hung = sinew_quat_between(down, along);
    sinew_Vec3 turn = sinew_quat_log(turn_against(l, l->fore[side], l->hand[side]));
    *out_back = (side == 0 ? 1.0 : -1.0)
        * sinew_vec3_dot(turn, sinew_quat_rotate(hung, stance->ahead));
    *out_ahead = -sinew_vec3_dot(turn, sinew_quat_rotate(hung, stance->left));
}

static void look_at_ends(Learner *l, int frame)
{
    double back[2], ahead[2], clavicle[2] = { 0.0, 0.0 };
    for (int i = 0; i < 2; ++i) {
        wrist_at(l, i, &back[i], &ahead[i]);
        if (l->clavicle[i] >= 0) { clavicle[i] = clavicle_at(l, i); }
    }
    l->values[CLAVICLE][frame] = 0.5 * (clavicle[0] + clavicle[1]);
    l->values[CLAVICLES][frame] = 0.5 * (clavicle[0] - clavicle[1]);
    l->values[WRIST][frame] = 0.5 * (back[0] + back[1]);
    l->values[WRISTS][frame] = 0.5 * (ahead[0] - ahead[1]);
}

static void look_at(Learner *l, const double *q, int frame)
{
    const sinew_Stance *stance = l->stance;
    sinew_pose_forward(l->skeleton, q, l->world);
    double yaw = yaw_of(l, ahead_of(l, l->hips)),
           last = frame > 0 ? l->values[YAW][frame - 1] : yaw;
    l->values[YAW][frame] = last + wrap(yaw - last);
    double s, c, thigh[2], swing[2], elbow[2], out = 0.0;
    sinew_sincos(yaw, &s, &c);
    sinew_Vec3 ahead = sinew_vec3_add_scaled(sinew_vec3_scale(stance->ahead, c), stance->left, s);
    sinew_Vec3 left = sinew_vec3_add_scaled(sinew_vec3_scale(stance->left, c), stance->ahead, -s);
    for (int i = 0; i < 2; ++i) {
        sinew_Vec3 leg = bone(l, l->thigh[i], l->shin[i]), arm = bone(l, l->upper[i], l->fore[i]);
        sinew_Vec3 fore = bone(l, l->fore[i], l->hand[i]);
        thigh[i] = sinew_atan2(sinew_vec3_dot(leg, ahead), -sinew_vec3_dot(leg, stance->up));
        swing[i] = sinew_atan2(sinew_vec3_dot(arm, ahead), -sinew_vec3_dot(arm, stance->up));
        double side = (i == 0 ? 1.0 : -1.0) * sinew_vec3_dot(arm, left);
        out += 0.5 * sinew_asin(snw_clamp(side, -1.0, 1.0));
        elbow[i] = sinew_acos(snw_clamp(sinew_vec3_dot(arm, fore), -1.0, 1.0));
    }
    l->values[THIGHS][frame] = 0.5 * (thigh[0] - thigh[1]);
    l->values[ARMS][frame] = 0.5 * (swing[0] - swing[1]);
    l->values[SWING][frame] = 0.5 * (swing[0] + swing[1]);
    l->values[OUT][frame] = out;
    l->values[ELBOW][frame] = 0.5 * (elbow[0] + elbow[1]);
    l->values[ELBOWS][frame] = 0.5 * (elbow[0] - elbow[1]);
    sinew_Vec3 chest = ahead_of(l, l->chest);
    l->values[TWIST][frame] = wrap(yaw_of(l, chest) - yaw);
    l->values[LEAN][frame] = pitch_of(l, chest);
    look_at_ends(l, frame);
    l->values[HEAD][frame] = pitch_of(l, ahead_of(l, l->head));
    sinew_Vec3 hips = sinew_vec3_lerp(
        l->world[l->thigh[0]].position, l->world[l->thigh[1]].position, 0.5);
    l->values[PLACE_LEFT][frame] = sinew_vec3_dot(hips, stance->left);
    l->values[PLACE_AHEAD][frame] = sinew_vec3_dot(hips, stance->ahead);
}

static double mean_of(const double *values, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) { sum += values[i] / count; }
    return sum;
}

/// Standard deviation about a mean that moves by a window of frames; of the frames that have a whole window.
static double spread_of(const Learner *l, const double *values, int window)
{
    int half = window / 2, kept = 0;
    double square = 0.0;
    for (int i = half; i < l->count - half; ++i) {
        double away = values[i] - mean_of(values + i - half, 2 * half + 1);
        square += away * away;
        ++kept;
    }
    return kept > 0 ? sqrt(square / kept) : 0.0;
}

/// Standard deviation of the hips across the way that the pelvis looks along in the mean of a window, metres.
static double sway_of(const Learner *l, int window)
{
    int half = window / 2, kept = 0;
    double square = 0.0;
    for (int i = half; i < l->count - half; ++i) {
        const int from = i - half, count = 2 * half + 1;
        double yaw = mean_of(l->values[YAW] + from, count), s, c;
        double left = l->values[PLACE_LEFT][i] - mean_of(l->values[PLACE_LEFT] + from, count);
        double ahead = l->values[PLACE_AHEAD][i] - mean_of(l->values[PLACE_AHEAD] + from, count);
        sinew_sincos(yaw, &s, &c);
        double aside = left * c - ahead * s;
        square += aside * aside;
        ++kept;
    }
    return kept > 0 ? sqrt(square / kept) : 0.0;
}

/// How much later the arms go back than the legs go ahead, seconds: the delay of the greatest product.
static double delay_of(const Learner *l)
{
    double best = 0.0, best_product = -INFINITY;
    double arms = mean_of(l->values[ARMS], l->count), thighs = mean_of(l->values[THIGHS], l->count);
    for (int lag = 0; lag * l->frame_time <= MOST_DELAY && 2 * lag < l->count; ++lag) {
        double sum = 0.0;
        for (int i = lag; i < l->count; ++i) {
            sum -= (l->values[ARMS][i] - arms) * (l->values[THIGHS][i - lag] - thighs);
        }
        sum /= l->count - lag;
        if (sum <= best_product) { continue; }
        best_product = sum;
        best = lag * l->frame_time;
    }
    return best;
}

/// Legs: pace, how far feet roll by what they do at that speed, and how bent the standing knee is.
static void take_legs(const snw_Gait *gait, sinew_Manner *m)
{
    const double *pitch = gait->curves[SNW_GAIT_FOOT_PITCH], *knee = gait->curves[SNW_GAIT_KNEE];
    double low = pitch[0], high = pitch[0], straight = USUAL_KNEE + 180.0;
    for (int p = 1; p < SNW_GAIT_POINTS; ++p) {
        low = snw_min(low, pitch[p]);
        high = snw_max(high, pitch[p]);
        const bool stands = 20 * p >= 2 * SNW_GAIT_POINTS && 20 * p <= 9 * SNW_GAIT_POINTS;
        if (stands) { straight = snw_min(straight, knee[p]); }
    }
    double size = snw_min(snw_gait_size(snw_stride_length(gait->froude)),
        snw_gait_size(gait->stride + SNW_STRIDE_SLACK));
    m->pace = snw_clamp(gait->froude / USUAL_PACE, 0.3, 1.55);
    m->stride = snw_clamp(gait->stride / snw_max(0.2, snw_stride_length(gait->froude)), 0.7, 1.4);
    m->lift = snw_clamp((high - low) / (USUAL_ROLL * snw_max(0.1, size)), 0.5, 1.2);
    m->crouch = snw_clamp((straight - USUAL_KNEE) * CROUCH_BY_KNEE, 0.0, 0.1);
}

/// Wrists and clavicles beside those of people whose arms swing as far.
static void take_ends(const Learner *l, int window, double swing, sinew_Manner *m)
{
    // hands that are hardly moved do not show how far they trail
    double trail = USUAL_TRAIL * snw_max(swing, LEAST_SWING);
    m->wrist = snw_clamp(mean_of(l->values[WRIST], l->count) - 3.4 * SNW_DEGREE, -0.8, 0.8);
    m->wrist_swing = snw_clamp(spread_of(l, l->values[WRISTS], window) / trail, 0.0, 3.0);
    if (l->clavicle[0] < 0 || l->clavicle[1] < 0) { return; }
    double turns = 0.15 * snw_max(swing, LEAST_SWING);
    m->clavicles = snw_clamp(spread_of(l, l->values[CLAVICLES], window) / turns, 0.0, 2.0);
    m->shrug = snw_clamp(mean_of(l->values[CLAVICLE], l->count), -0.3, 0.4);
}

static void take_manner(const Learner *l, const snw_Gait *gait, double leg, sinew_Manner *m)
{
    double u = gait->froude, period = gait->period > 0.0 ? gait->period : 1.1;
    int window = snw_frames_in(period, l->frame_time, l->count);
    // a clip that is hardly longer than a stride is one
    if (window > l->count * 3 / 4) { window = l->count * 3 / 4; }
    double thighs = snw_max(0.02, spread_of(l, l->values[THIGHS], window));
    double drive = snw_clamp(u, 0.28, 0.7);
    double twist = spread_of(l, l->values[TWIST], window) / (0.575 * drive * thighs);
    double swing = spread_of(l, l->values[ARMS], window), arms = swing / (1.12 * drive * thighs);
    // arms that hardly swing do not show how elbows go with them
    double gain = snw_elbow_gain(u) * snw_max(swing, LEAST_SWING);
    take_legs(gait, m);
    take_ends(l, window, swing, m);
    m->lively = snw_clamp(twist, 0.3, 2.2);
    m->swing = snw_clamp(arms / m->lively, 0.0, 3.0);
    m->swing_late = snw_clamp(delay_of(l) - OWN_DELAY, 0.0, 0.3);
    m->elbow_swing = snw_clamp(spread_of(l, l->values[ELBOWS], window) / gain, 0.0, 3.0);
    double bend = 22.0 * SNW_DEGREE + 14.0 * SNW_DEGREE * snw_clamp((u - 0.2) / 0.45, 0.0, 1.0);
    m->elbow = snw_clamp(mean_of(l->values[ELBOW], l->count) - bend, -0.5, 1.5);
    m->arms_out = snw_clamp(mean_of(l->values[OUT], l->count) - 5.7 * SNW_DEGREE, -0.2, 0.6);
    double lean = (2.5 + 5.0 * u) * SNW_DEGREE;
    m->lean = snw_clamp(mean_of(l->values[LEAN], l->count) - lean, -0.4, 0.6);
    m->head_pitch = snw_clamp(mean_of(l->values[HEAD], l->count) - 0.05, -0.6, 0.6);
    double sway = sway_of(l, window) / snw_max(1e-6, leg);
    double usual = snw_mix(SLOW_SWAY, USUAL_SWAY, snw_clamp((u - 0.235) / 0.2, 0.0, 1.0));
    m->sway = snw_clamp(sway / usual, 0.3, 2.0);
}

static sinew_Status check_walk(const snw_Gait *gait, double leg, sinew_Message *message)
{
    double speed = floor(100.0 * gait->speed + 0.5) / 100.0;
    if (gait->stride_count < LEAST_STRIDES) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "no walk to learn from: found %d strides at %g m/s, want %d and more",
            gait->stride_count, speed, LEAST_STRIDES);
    }
    if (!(gait->froude > LEAST_FROUDE)) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "no walk to learn from: found %d strides at %g m/s, want %g m/s and more with legs of "
            "%g m",
            gait->stride_count, speed,
            floor(100.0 * LEAST_FROUDE * sqrt(SNW_GRAVITY * leg) + 0.5) / 100.0,
            floor(100.0 * leg + 0.5) / 100.0);
    }
    if (gait->airborne > MOST_AIRBORNE) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "no walk to learn from: no foot stands in %d %% of the frames, as in runs and jumps, "
            "want at most %d %%",
            (int)(100.0 * gait->airborne + 0.5), (int)(100.0 * MOST_AIRBORNE + 0.5));
    }
    if (gait->steady < LEAST_STEADY) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "no walk to learn from: %d %% of the strides last about as long as each other, want %d "
            "%% at least",
            (int)(100.0 * gait->steady + 0.5), (int)(100.0 * LEAST_STEADY + 0.5));
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_manner_learn(const sinew_Clip *clip, const sinew_RoleGuess *roles,
    const sinew_Stance *stance, const sinew_Allocator *allocator, sinew_Manner *manner,
    sinew_Message *message)
{
    if (clip == NULL || roles == NULL || stance == NULL || manner == NULL) {
        return SNW_CHECK_NULL(message, "clip roles stance manner", clip, roles, stance, manner);
    }
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(clip);
    const int joint_count = sinew_skeleton_joint_count(skeleton);
    if (roles->joint_count != joint_count || stance->joint_count != joint_count) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "roles or stance are of another body, want %d joints", joint_count);
    }
    Learner l;
    memset(&l, 0, sizeof l);
    l.skeleton = skeleton;
    l.stance = stance;
    l.count = sinew_clip_frame_count(clip);
    l.frame_time = sinew_clip_frame_time(clip);
    snw_GaitBody body;
    if (!find_joints(&l, roles) || !snw_gait_body(skeleton, roles, stance->up, &body)) {
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "no walk to learn from: want two legs with feet, two arms with hands, a chest and a "
            "head");
    }
    snw_Gait gait;
    sinew_Status status = snw_gait_read(
        clip, &body, 0.0, sinew_clip_duration(clip), allocator, &gait);
    if (status != SINEW_STATUS_OK) { return snw_fail(message, status, "no memory for a gait"); }
    status = check_walk(&gait, body.leg_length, message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_Allocator own = snw_allocator_or_default(allocator);
    snw_Arena arena = { NULL, 0 };
    take_arrays(&arena, joint_count, &l);
    size_t size = arena.used;
    arena = (snw_Arena){ snw_alloc(&own, size), 0 };
    if (arena.base == NULL) {
        return snw_fail(message, SINEW_STATUS_OUT_OF_MEMORY, "no memory for a manner");
    }
    void *memory = arena.base;
    take_arrays(&arena, joint_count, &l);
    for (int i = 0; i < l.count; ++i) { look_at(&l, sinew_clip_frame_const(clip, i), i); }
    take_manner(&l, &gait, body.leg_length, manner);
    snw_free(&own, memory, size);
    return SINEW_STATUS_OK;
}
