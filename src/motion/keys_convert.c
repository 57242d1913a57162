#include "motion/keys.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/holds.h"

#include <string.h>

// Keys of a motion, and the way from joints to handles and back. What is allowed is told at the end of the chain: each joint
// begins with all of it, and where the body is farther off than that, the joints above have to be closer.

// Rounds of coming closer; each at least halves what the joints of a bad chain may be off, so that 2 mm become
// 2 nm, where every frame has a key.
enum { ROUNDS = 20 };
#define CLOSER 0.8 // of what would just do, so that few rounds are needed
#define MOST_CLOSER 0.3

sinew_KeysTolerance sinew_keys_tolerance_default(void)
{
    sinew_KeysTolerance tolerance = { 2e-3, 2e-2 };
    return tolerance;
}

// What a joint's local transform may be off.
typedef struct JointAllowance {
    const sinew_Skeleton *skeleton;
    int joint;
    double *q;    // scratch, a pose
    double lever; // to the farthest joint below, metres
    double distance, angle;
    const float *shares; // of both, that this joint may take at a frame    (frame_count)
} JointAllowance;

static sinew_Transform local_of(const JointAllowance *own, const double *values)
{
    const sinew_Joint *joint = &sinew_skeleton_joints(own->skeleton)[own->joint];
    memcpy(
        &own->q[joint->coordinate_start], values, (size_t)joint->coordinate_count * sizeof(double));
    return sinew_pose_local(own->skeleton, own->q, own->joint);
}

static double joint_deviation(void *user, int frame, const double *values, const double *wanted)
{
    SNW_ASSERT(frame >= 0);
    const JointAllowance *own = user;
    double unit[SINEW_MAX_KEY_WIDTH];
    snw_Channel channel = { .kind = SINEW_CHANNEL_JOINT, .index = own->joint };
    int width = sinew_skeleton_joints(own->skeleton)[own->joint].coordinate_count;
    memcpy(unit, values, (size_t)width * sizeof(double));
    snw_channel_normalize(own->skeleton, &channel, unit);
    sinew_Transform is = local_of(own, unit), should = local_of(own, wanted);
    double angle = sinew_quat_angle(is.rotation, should.rotation);
    double way = sinew_vec3_distance(is.position, should.position) + angle * own->lever;
    return fmax(way / own->distance, angle / own->angle) / own->shares[frame];
}

static double find_lever(const sinew_Skeleton *skeleton, int joint)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    double lever = 0.0;
    int count = sinew_skeleton_joints(skeleton)[joint].subtree_count;
    for (int j = joint + 1; j < joint + count; ++j) {
        lever = fmax(lever, sinew_skeleton_chain_length(skeleton, joint, j));
    }
    return lever;
}

// the same rotations without jumps of their numbers: quaternions on one side, hinges without full turns
static void smooth_joint(const sinew_Skeleton *skeleton, int joint, const snw_Samples *samples)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *own = &sinew_skeleton_joints(skeleton)[joint];
    size_t width = (size_t)samples->width;
    for (int a = own->axis_start; a < own->axis_start + own->axis_count; ++a) {
        const sinew_Axis *axis = &sinew_skeleton_axes(skeleton)[a];
        int c = sinew_skeleton_axis_places(skeleton)[a].coordinate - own->coordinate_start;
        bool open = !isfinite(axis->lower) && !isfinite(axis->upper);
        for (int f = 1; f < samples->frame_count; ++f) {
            double *now = &samples->values[(size_t)f * width + (size_t)c], *before = now - width;
            if (axis->kind == SINEW_AXIS_BALL) {
                double along = 0.0;
                for (int k = 0; k < 4; ++k) { along += now[k] * before[k]; }
                for (int k = 0; along < 0.0 && k < 4; ++k) { now[k] = -now[k]; }
            } else if (axis->kind == SINEW_AXIS_HINGE && open) {
                now[0] -= 2.0 * SINEW_PI * floor((now[0] - before[0]) / (2.0 * SINEW_PI) + 0.5);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Joints

/// The making of keys of a motion.
typedef struct Maker {
    sinew_Keys *keys;
    const sinew_Skeleton *skeleton;
    int frame_count, joint_count;
    sinew_KeysTolerance tolerance;
    // the motion itself: poses in order, and whether a joint is keyed
    double first, frame_time;
    const double *poses;         //                         (frame_count x coordinates)
    const unsigned char *wanted; // by joint; NULL: all

    JointAllowance *allowed; // by joint
    snw_Samples *samples;    // by joint
    unsigned char *kept;     //                             (joint_count x frame_count)
    unsigned char *stale;    // by joint: has to be keyed again
    float *shares;           //                             (joint_count x frame_count)
    double *closer;          // by joint: how much closer it has to be at a frame
    int *stack;
    double *q, *between;
    sinew_Transform *is, *should;
    sinew_KeysFigures figures;
    void *memory;
    size_t memory_size;
} Maker;

static void take_maker(Maker *maker, snw_Arena *arena)
{
    size_t joints = (size_t)maker->joint_count, frames = (size_t)maker->frame_count;
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(maker->skeleton);
    maker->allowed = snw_arena_take(arena, joints, sizeof(JointAllowance));
    maker->samples = snw_arena_take(arena, joints, sizeof(snw_Samples));
    for (int j = 0; j < maker->joint_count; ++j) {
        size_t width = (size_t)sinew_skeleton_joints(maker->skeleton)[j].coordinate_count;
        double *values = snw_arena_take(arena, frames * width, sizeof(double));
        if (arena->base != NULL) { maker->samples[j].values = values; }
    }
    maker->kept = snw_arena_take(arena, joints * frames, 1);
    maker->stale = snw_arena_take(arena, joints, 1);
    maker->shares = snw_arena_take(arena, joints * frames, sizeof(float));
    maker->closer = snw_arena_take(arena, joints, sizeof(double));
    maker->stack = snw_arena_take(arena, frames, sizeof(int));
    maker->q = snw_arena_take(arena, coordinates, sizeof(double));
    maker->between = snw_arena_take(arena, coordinates, sizeof(double));
    maker->is = snw_arena_take(arena, joints, sizeof(sinew_Transform));
    maker->should = snw_arena_take(arena, joints, sizeof(sinew_Transform));
}

static bool open_maker(Maker *maker)
{
    snw_Arena arena = { NULL, 0 };
    take_maker(maker, &arena);
    if (!snw_arena_open(&arena, &maker->keys->allocator, &maker->memory_size)) { return false; }
    maker->memory = arena.base;
    take_maker(maker, &arena);
    return true;
}

static void close_maker(Maker *maker)
{
    snw_free(&maker->keys->allocator, maker->memory, maker->memory_size);
}

static bool is_keyed(const Maker *maker, int joint)
{
    return sinew_skeleton_joints(maker->skeleton)[joint].coordinate_count > 0
        && (maker->wanted == NULL || maker->wanted[joint]);
}

static void begin_joint(Maker *maker, int joint)
{
    SNW_ASSERT(joint >= 0);
    const sinew_Joint *own = &sinew_skeleton_joints(maker->skeleton)[joint];
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(maker->skeleton);
    size_t width = (size_t)own->coordinate_count;
    snw_Samples *samples = &maker->samples[joint];
    samples->frame_count = maker->frame_count;
    samples->width = own->coordinate_count;
    samples->first = maker->first;
    samples->frame_time = maker->frame_time;
    for (size_t f = 0; f < (size_t)maker->frame_count; ++f) {
        memcpy(&samples->values[f * width],
            &maker->poses[f * coordinates + (size_t)own->coordinate_start], width * sizeof(double));
    }
    smooth_joint(maker->skeleton, joint, samples);
    maker->allowed[joint] = (JointAllowance){ maker->skeleton, joint, maker->q,
        find_lever(maker->skeleton, joint), maker->tolerance.distance, maker->tolerance.angle,
        &maker->shares[(size_t)joint * (size_t)maker->frame_count] };
    for (int f = 0; f < maker->frame_count; ++f) {
        maker->shares[(size_t)joint * (size_t)maker->frame_count + (size_t)f] = 1.0f;
    }
    maker->stale[joint] = 1;
}

static bool key_joints(Maker *maker)
{
    const sinew_Allocator *allocator = &maker->keys->allocator;
    for (int j = 0; j < maker->joint_count; ++j) {
        if (!is_keyed(maker, j) || !maker->stale[j]) { continue; }
        snw_Channel made = {
            .kind = SINEW_CHANNEL_JOINT, .index = j, .width = maker->samples[j].width
        };
        bool good = snw_keys_reduce(allocator, &maker->samples[j], joint_deviation,
            &maker->allowed[j], &maker->kept[(size_t)j * (size_t)maker->frame_count], maker->stack,
            &made);
        good = good && snw_channel_splice(allocator, &maker->keys->channels[j], &made);
        snw_channel_free(allocator, &made);
        if (!good) { return false; }
        maker->stale[j] = 0;
    }
    return true;
}

// at a frame and in the middle of it and the next: how far the whole body is off, and which joints that asks to be closer
static void look_at(Maker *maker, const double *should, double time)
{
    const sinew_Joint *joints = sinew_skeleton_joints(maker->skeleton);
    sinew_pose_forward(maker->skeleton, should, maker->should);
    memcpy(maker->between, should,
        (size_t)sinew_skeleton_coordinate_count(maker->skeleton) * sizeof(double));
    for (int j = 0; j < maker->joint_count; ++j) {
        if (!is_keyed(maker, j)) { continue; }
        double *value = &maker->between[joints[j].coordinate_start];
        snw_channel_value(&maker->keys->channels[j], time, value, NULL);
        snw_channel_normalize(maker->skeleton, &maker->keys->channels[j], value);
    }
    sinew_pose_forward(maker->skeleton, maker->between, maker->is);
    for (int j = 0; j < maker->joint_count; ++j) {
        double way = sinew_vec3_distance(maker->is[j].position, maker->should[j].position);
        double turn = sinew_quat_angle(maker->is[j].rotation, maker->should[j].rotation);
        maker->figures.distance = fmax(maker->figures.distance, way);
        maker->figures.angle = fmax(maker->figures.angle, turn);
        double off = fmax(way / maker->tolerance.distance, turn / maker->tolerance.angle);
        if (off <= 1.0) { continue; }
        for (int k = j; k >= 0; k = joints[k].parent) {
            maker->closer[k] = fmin(maker->closer[k], fmax(MOST_CLOSER, CLOSER / off));
        }
    }
}

// the motion in the middle between a frame and the next
static void pose_between(const Maker *maker, int frame, double *out_q)
{
    SNW_ASSERT(frame >= 0);
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(maker->skeleton);
    memcpy(out_q, &maker->poses[(size_t)frame * coordinates], coordinates * sizeof(double));
    for (int j = 0; j < maker->joint_count; ++j) {
        if (!is_keyed(maker, j)) { continue; }
        double *value = &out_q[sinew_skeleton_joints(maker->skeleton)[j].coordinate_start];
        snw_samples_between(&maker->samples[j], frame, 0.5, value);
        snw_channel_normalize(maker->skeleton, &maker->keys->channels[j], value);
    }
}

// joints that have to be closer at a frame, and at the next where it is the middle between both
static bool come_closer(Maker *maker, int frame, int count)
{
    SNW_ASSERT(count >= 0);
    SNW_ASSERT(frame >= 0);
    bool enough = true;
    for (int j = 0; j < maker->joint_count; ++j) {
        double closer = maker->closer[j];
        maker->closer[j] = 1.0;
        if (closer >= 1.0 || !is_keyed(maker, j)) { continue; }
        float *shares = &maker->shares[(size_t)j * (size_t)maker->frame_count + (size_t)frame];
        for (int f = 0; f < count; ++f) { shares[f] = (float)(shares[f] * closer); }
        maker->stale[j] = 1;
        enough = false;
    }
    return enough;
}

// whether the body is near enough everywhere; else the joints' shares are smaller afterwards
static bool look_at_motion(Maker *maker)
{
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(maker->skeleton);
    bool enough = true;
    maker->figures.distance = maker->figures.angle = 0.0;
    for (int j = 0; j < maker->joint_count; ++j) { maker->closer[j] = 1.0; }
    for (int f = 0; f < maker->frame_count; ++f) {
        double time = maker->first + f * maker->frame_time;
        look_at(maker, &maker->poses[(size_t)f * coordinates], time);
        enough = come_closer(maker, f, 1) && enough;
        if (f + 1 == maker->frame_count) { break; }
        pose_between(maker, f, maker->q);
        look_at(maker, maker->q, time + 0.5 * maker->frame_time);
        enough = come_closer(maker, f, 2) && enough;
    }
    return enough;
}

static void count_keys(Maker *maker)
{
    sinew_KeysFigures *figures = &maker->figures;
    figures->frames = maker->frame_count;
    figures->channels = figures->keys = 0;
    for (int j = 0; j < maker->joint_count; ++j) {
        if (!is_keyed(maker, j)) { continue; }
        ++figures->channels;
        figures->keys += maker->keys->channels[j].key_count;
    }
    figures->frames_per_key = figures->keys > 0
        ? (double)figures->frames * figures->channels / figures->keys
        : 0.0;
}

// keys of the maker's motion, whose poses are there
static bool make_keys(Maker *maker)
{
    for (int j = 0; j < maker->joint_count; ++j) {
        if (is_keyed(maker, j)) { begin_joint(maker, j); }
    }
    for (int round = 0; round < ROUNDS; ++round) {
        if (!key_joints(maker)) { return false; }
        if (look_at_motion(maker)) { break; }
    }
    count_keys(maker);
    return true;
}

static void clear_keys(sinew_Keys *keys)
{
    for (int i = 0; i < keys->channel_count; ++i) { keys->channels[i].key_count = 0; }
}

static sinew_Status check_tolerance(
    const sinew_KeysTolerance *given, sinew_KeysTolerance *out, sinew_Message *message)
{
    *out = given != NULL ? *given : sinew_keys_tolerance_default();
    if (out->distance > 0.0 && out->angle > 0.0) { return SINEW_STATUS_OK; }
    return snw_refuse(
        message, "the tolerance is %g m and %g rad, want above 0", out->distance, out->angle);
}

bool snw_keys_make(sinew_Keys *keys, const snw_Poses *poses, const unsigned char *wanted,
    const sinew_KeysTolerance *tolerance, sinew_KeysFigures *out_figures)
{
    Maker maker = { .keys = keys,
        .skeleton = keys->skeleton,
        .frame_count = poses->frame_count,
        .joint_count = sinew_skeleton_joint_count(keys->skeleton),
        .tolerance = *tolerance,
        .first = poses->first,
        .frame_time = poses->frame_time,
        .poses = poses->values,
        .wanted = wanted };
    if (!open_maker(&maker)) { return false; }
    bool good = make_keys(&maker);
    *out_figures = maker.figures;
    close_maker(&maker);
    return good;
}

sinew_Status sinew_keys_from_clip(sinew_Keys *keys, const sinew_Clip *clip,
    const sinew_KeysTolerance *tolerance, sinew_KeysFigures *out_figures,
    sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "keys clip", keys, clip);
    if (status != SINEW_STATUS_OK) { return status; }
    if (sinew_clip_skeleton(clip) != keys->skeleton) {
        return snw_refuse(out_message, "keys and clip are for other skeletons");
    }
    sinew_KeysTolerance allowed;
    sinew_KeysFigures figures;
    status = check_tolerance(tolerance, &allowed, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    int frames = sinew_clip_frame_count(clip);
    if (frames == 0) { return snw_refuse(out_message, "the clip has no frame"); }
    // a clip's frames follow each other
    const snw_Poses poses = { 0.0, sinew_clip_frame_time(clip), frames,
        sinew_clip_frame_const(clip, 0) };
    clear_keys(keys);
    if (!snw_keys_make(keys, &poses, NULL, &allowed, &figures)) {
        return snw_no_memory(out_message, "keys");
    }
    if (out_figures != NULL) { *out_figures = figures; }
    return SINEW_STATUS_OK;
}
