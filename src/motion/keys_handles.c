#include "base/memory.h"
#include "base/message.h"
#include "math/holds.h"
#include "math/quat.h"
#include "motion/keys.h"

#include <string.h>

// From joints to handles and back over a range of time: the keyed motion is played on a switch, and what is seen there is
// keyed the other way.

enum { MOST_FRAMES = 1000000, HANDLE_WIDTH = 15 };
// Rounds of coming closer, at the frames where a joint of the limb is too far off. The place of a foot that rolls comes from
// three channels, whose deviations add up, and a knee that is nearly straight moves by millimetres for hundredths of its
// foot's: by the root of those, so that they have to be closer by the square.
enum { ROUNDS = 24 };
#define CLOSER 0.8 // of what would just do, so that few rounds are needed
#define MOST_CLOSER 0.3
// a range is so many whole frames when it is within this share of one: files round the time of a frame
#define WHOLE 1e-2
// the pole turns the elbow, which is nearer to the line from root to tip than the pole: half the distance does
#define POLE_SHARE 0.5

// the parts of a handle and where they stand among its numbers
static const struct {
    sinew_ChannelKind kind;
    int start, width;
} parts[] = { { SINEW_CHANNEL_PLACE, 0, 7 }, { SINEW_CHANNEL_POLE, 7, 3 },
    { SINEW_CHANNEL_ROLL, 10, 1 }, { SINEW_CHANNEL_TOE, 11, 4 } };
enum { PARTS = (int)(sizeof parts / sizeof parts[0]) };

/// A range that goes over to the other way.
typedef struct Range {
    sinew_Keys *keys;
    const sinew_Allocator *allocator;
    int limb, frame_count;
    double from, frame_time;
    sinew_KeysTolerance tolerance;
    sinew_Switch *sw;
    double *poses;  // as they were                                 (frame_count x coordinates)
    double *values; // of the handle                                (frame_count x HANDLE_WIDTH)
    double *shares; // of the tolerance, that a handle may take     (frame_count)
    unsigned char *kept;   // by frame
    unsigned char *wanted; // by joint: is keyed
    int *stack;
    sinew_Transform *is, *should; // by joint
    sinew_KeysFigures figures;
    void *memory;
    size_t memory_size;
} Range;

static size_t pose_width(const Range *range)
{
    return (size_t)sinew_skeleton_coordinate_count(range->keys->skeleton);
}

static void take_range(Range *range, snw_Arena *arena)
{
    size_t frames = (size_t)range->frame_count;
    size_t joints = (size_t)sinew_skeleton_joint_count(range->keys->skeleton);
    range->poses = snw_arena_take(arena, frames * pose_width(range), sizeof(double));
    range->values = snw_arena_take(arena, frames * HANDLE_WIDTH, sizeof(double));
    range->shares = snw_arena_take(arena, frames, sizeof(double));
    range->kept = snw_arena_take(arena, frames, 1);
    range->wanted = snw_arena_take(arena, joints, 1);
    range->stack = snw_arena_take(arena, frames, sizeof(int));
    range->is = snw_arena_take(arena, joints, sizeof(sinew_Transform));
    range->should = snw_arena_take(arena, joints, sizeof(sinew_Transform));
}

static sinew_Status open_range(Range *range, sinew_Message *message)
{
    sinew_SwitchDef def = sinew_switch_def_default();
    def.skeleton = range->keys->skeleton;
    def.limbs = range->keys->limbs;
    def.limb_count = range->keys->limb_count;
    def.release_time = 0.0;
    def.max_joint_speed = INFINITY; // what the motion does is kept, however fast
    def.allocator = range->keys->allocator;
    sinew_Status status = sinew_switch_create(&def, &range->sw, message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_Arena arena = { NULL, 0 };
    take_range(range, &arena);
    if (!snw_arena_open(&arena, range->allocator, &range->memory_size)) {
        return snw_no_memory(message, "keys");
    }
    range->memory = arena.base;
    take_range(range, &arena);
    return SINEW_STATUS_OK;
}

static void close_range(Range *range)
{
    sinew_switch_destroy(range->sw);
    if (range->memory != NULL) { snw_free(range->allocator, range->memory, range->memory_size); }
}

static sinew_Status check_range(Range *range, sinew_Keys *keys, int limb, double from, double to,
    double rate, const sinew_KeysTolerance *tolerance, sinew_Message *message)
{
    memset(range, 0, sizeof *range);
    range->keys = keys;
    if (keys == NULL) { return snw_refuse(message, "keys is NULL"); }
    if (limb < 0 || limb >= keys->limb_count) {
        return snw_refuse(message, "limb is %d, want 0..%d", limb, keys->limb_count - 1);
    }
    range->allocator = &keys->allocator;
    range->limb = limb;
    if (!(to > from && isfinite(from) && isfinite(to)) || !(rate > 0.0 && isfinite(rate))
        || !((to - from) * rate < MOST_FRAMES)) {
        return snw_refuse(message,
            "the range is %g to %g s at %g frames per second, want a later end and fewer frames",
            from, to, rate);
    }
    range->tolerance = tolerance != NULL ? *tolerance : sinew_keys_tolerance_default();
    if (!(range->tolerance.distance > 0.0) || !(range->tolerance.angle > 0.0)) {
        return snw_refuse(message, "the tolerance is %g m and %g rad, want above 0",
            range->tolerance.distance, range->tolerance.angle);
    }
    // whole frames that end on the end of the range
    int steps = (int)ceil((to - from) * rate - WHOLE);
    steps = steps > 0 ? steps : 1;
    range->from = from;
    range->frame_count = steps + 1;
    range->frame_time = (to - from) / steps;
    return SINEW_STATUS_OK;
}

static sinew_Status play_frame(Range *range, int frame, sinew_Message *message)
{
    return sinew_keys_apply(range->keys, range->from + frame * range->frame_time, range->sw,
        range->frame_time, message);
}

// the mode of a limb in the range, and afterwards what it was before
static bool key_mode(Range *range, double mode)
{
    snw_Channel *channel = snw_keys_find(range->keys, SINEW_CHANNEL_MODE, range->limb);
    double to = range->from + (range->frame_count - 1) * range->frame_time, after = 0.0;
    if (channel->key_count > 0 && to >= channel->times[0]) {
        snw_channel_value(channel, to, &after, NULL);
    }
    double times[2] = { range->from, to }, values[2] = { mode, after }, slopes[4] = { 0.0 };
    snw_Channel made = { SINEW_CHANNEL_MODE, range->limb, 1, SINEW_INTERPOLATION_STEPPED, 2, 0,
        times, values, slopes };
    return snw_channel_splice(range->allocator, channel, &made);
}

// ---------------------------------------------------------------------------------------------
// To IK

typedef struct HandleAllowance {
    sinew_ChannelKind kind;
    double distance, angle;
    const double *shares; // of both, that the handle may take at a frame
} HandleAllowance;

static sinew_Quat unit_at(const double *v)
{
    return sinew_quat_normalize(snw_quat_load(v));
}

static double distance_of(const double *a, const double *b)
{
    return sinew_vec3_distance(sinew_vec3(a[0], a[1], a[2]), sinew_vec3(b[0], b[1], b[2]));
}

static double handle_deviation(void *user, int frame, const double *values, const double *wanted)
{
    SNW_ASSERT(frame >= 0);
    const HandleAllowance *own = user;
    double distance = own->shares[frame] * own->distance, angle = own->shares[frame] * own->angle;
    switch (own->kind) {
    case SINEW_CHANNEL_PLACE:
        return fmax(distance_of(values, wanted) / distance,
            sinew_quat_angle(unit_at(&values[3]), unit_at(&wanted[3])) / angle);
    case SINEW_CHANNEL_POLE: return distance_of(values, wanted) * POLE_SHARE / distance;
    case SINEW_CHANNEL_TOE: return sinew_quat_angle(unit_at(values), unit_at(wanted)) / angle;
    case SINEW_CHANNEL_ROLL: return fabs(values[0] - wanted[0]) / angle;
    case SINEW_CHANNEL_JOINT:
    case SINEW_CHANNEL_MODE: break;
    }
    return 0.0;
}

static void store_handle(const sinew_Handle *handle, const double *before, double *v)
{
    const double own[HANDLE_WIDTH] = { handle->place.position.x, handle->place.position.y,
        handle->place.position.z, handle->place.rotation.x, handle->place.rotation.y,
        handle->place.rotation.z, handle->place.rotation.w, handle->pole.x, handle->pole.y,
        handle->pole.z, handle->foot_roll, handle->toe.x, handle->toe.y, handle->toe.z,
        handle->toe.w };
    memcpy(v, own, sizeof own);
    if (before == NULL) { return; }
    // quaternions stay on one side
    const int quats[2] = { 3, 11 };
    for (int i = 0; i < 2; ++i) {
        double along = 0.0;
        for (int k = quats[i]; k < quats[i] + 4; ++k) { along += v[k] * before[k]; }
        for (int k = quats[i]; along < 0.0 && k < quats[i] + 4; ++k) { v[k] = -v[k]; }
    }
}

// one part of the handle out of the frames' numbers
static bool key_part(Range *range, int part)
{
    snw_Samples samples = { range->frame_count, parts[part].width, range->from, range->frame_time,
        NULL };
    size_t width = (size_t)parts[part].width, size = (size_t)range->frame_count * width;
    samples.values = snw_alloc_array(range->allocator, size, sizeof(double));
    if (samples.values == NULL) { return false; }
    for (size_t f = 0; f < (size_t)range->frame_count; ++f) {
        memcpy(&samples.values[f * width],
            &range->values[f * HANDLE_WIDTH + (size_t)parts[part].start], width * sizeof(double));
    }
    HandleAllowance allowance = { parts[part].kind, range->tolerance.distance,
        range->tolerance.angle, range->shares };
    snw_Channel made = {
        .kind = parts[part].kind, .index = range->limb, .width = parts[part].width
    };
    memset(range->kept, 0, (size_t)range->frame_count);
    bool good = snw_keys_reduce(
        range->allocator, &samples, handle_deviation, &allowance, range->kept, range->stack, &made);
    good = good
        && snw_channel_splice(
            range->allocator, snw_keys_find(range->keys, parts[part].kind, range->limb), &made);
    range->figures.keys += made.key_count;
    ++range->figures.channels;
    snw_channel_free(range->allocator, &made);
    snw_free(range->allocator, samples.values, size * sizeof(double));
    return good;
}

static bool has_part(const Range *range, int part)
{
    const sinew_SwitchLimb *limb = &range->keys->limbs[range->limb];
    switch (parts[part].kind) {
    case SINEW_CHANNEL_POLE: return limb->middle >= 0;
    case SINEW_CHANNEL_ROLL: return limb->has_foot_roll;
    case SINEW_CHANNEL_TOE: return limb->has_foot_roll && limb->foot_roll.toe >= 0;
    case SINEW_CHANNEL_JOINT:
    case SINEW_CHANNEL_PLACE:
    case SINEW_CHANNEL_MODE: break;
    }
    return true;
}

// what is there, both ways
static sinew_Status look(Range *range, sinew_Message *message)
{
    sinew_Status status = SINEW_STATUS_OK;
    for (int f = 0; f < range->frame_count && status == SINEW_STATUS_OK; ++f) {
        status = play_frame(range, f, message);
        sinew_Handle handle;
        if (status == SINEW_STATUS_OK) {
            status = sinew_switch_handle(range->sw, range->limb, &handle, message);
        }
        if (status != SINEW_STATUS_OK) { break; }
        double *v = &range->values[(size_t)f * HANDLE_WIDTH];
        store_handle(&handle, f > 0 ? v - HANDLE_WIDTH : NULL, v);
        memcpy(&range->poses[(size_t)f * pose_width(range)], sinew_switch_pose(range->sw),
            pose_width(range) * sizeof(double));
        range->shares[f] = 1.0;
    }
    return status;
}

// how far the joints of the limb, and all that hang on them, are at a frame from where they were, in parts of what is allowed
static double measure_frame(Range *range, int frame)
{
    const sinew_Skeleton *skeleton = range->keys->skeleton;
    int root = range->keys->limbs[range->limb].root;
    int count = sinew_skeleton_joints(skeleton)[root].subtree_count;
    sinew_pose_forward(skeleton, sinew_switch_pose(range->sw), range->is);
    sinew_pose_forward(skeleton, &range->poses[(size_t)frame * pose_width(range)], range->should);
    double distance = 0.0, angle = 0.0;
    for (int j = root; j < root + count; ++j) {
        sinew_Transform is = range->is[j], should = range->should[j];
        distance = fmax(distance, sinew_vec3_distance(is.position, should.position));
        angle = fmax(angle, sinew_quat_angle(is.rotation, should.rotation));
    }
    range->figures.distance = fmax(range->figures.distance, distance);
    range->figures.angle = fmax(range->figures.angle, angle);
    return fmax(distance / range->tolerance.distance, angle / range->tolerance.angle);
}

// how far the limb is from where it was, as the keys of its handle pose it, and what share of the tolerance that leaves them
static sinew_Status measure_range(Range *range, bool *out_close, sinew_Message *message)
{
    sinew_Status status = sinew_switch_enable_ik(range->sw, -1, false, message);
    range->figures.distance = range->figures.angle = 0.0;
    *out_close = true;
    for (int f = 0; f < range->frame_count && status == SINEW_STATUS_OK; ++f) {
        status = play_frame(range, f, message);
        double off = status == SINEW_STATUS_OK ? measure_frame(range, f) : 0.0;
        if (off <= 1.0) { continue; }
        range->shares[f] *= fmax(MOST_CLOSER, CLOSER / (off * off));
        *out_close = false;
    }
    return status;
}

static sinew_Status key_handles(Range *range, sinew_Message *message)
{
    sinew_Status status = SINEW_STATUS_OK;
    bool close = false;
    for (int round = 0; round < ROUNDS && status == SINEW_STATUS_OK && !close; ++round) {
        range->figures.keys = range->figures.channels = 0;
        bool good = key_mode(range, 1.0);
        for (int part = 0; good && part < PARTS; ++part) {
            good = !has_part(range, part) || key_part(range, part);
        }
        if (!good) { return snw_no_memory(message, "keys"); }
        status = measure_range(range, &close, message);
    }
    range->figures.frames = range->frame_count;
    range->figures.frames_per_key = (double)range->frame_count * range->figures.channels
        / range->figures.keys;
    return status;
}

// ---------------------------------------------------------------------------------------------
// To FK

// the joints of the limb, and those that it had keys of beyond the range stay as they are there, a frame away
static bool choose_joints(Range *range)
{
    const sinew_SwitchLimb *own = &range->keys->limbs[range->limb];
    const sinew_Joint *joints = sinew_skeleton_joints(range->keys->skeleton);
    double to = range->from + (range->frame_count - 1) * range->frame_time;
    for (int j = own->tip; j >= own->root; j = joints[j].parent) { range->wanted[j] = 1; }
    if (own->has_foot_roll && own->foot_roll.toe >= 0) { range->wanted[own->foot_roll.toe] = 1; }
    for (int j = own->root; j < own->root + joints[own->root].subtree_count; ++j) {
        snw_Channel *channel = &range->keys->channels[j];
        if (range->wanted[j]
            && (!snw_channel_pin(range->allocator, channel, range->from - range->frame_time)
                || !snw_channel_pin(range->allocator, channel, to + range->frame_time))) {
            return false;
        }
    }
    return true;
}

static sinew_Status key_joints(Range *range, sinew_Message *message)
{
    const snw_Poses poses = { range->from, range->frame_time, range->frame_count, range->poses };
    bool good = choose_joints(range) && key_mode(range, 0.0)
        && snw_keys_make(range->keys, &poses, range->wanted, &range->tolerance, &range->figures);
    return good ? SINEW_STATUS_OK : snw_no_memory(message, "keys");
}

// ---------------------------------------------------------------------------------------------

static sinew_Status go_over(
    Range *range, bool ik, sinew_KeysFigures *out_figures, sinew_Message *message)
{
    sinew_Status status = open_range(range, message);
    if (status == SINEW_STATUS_OK) { status = look(range, message); }
    if (status == SINEW_STATUS_OK) {
        status = ik ? key_handles(range, message) : key_joints(range, message);
    }
    close_range(range);
    if (status == SINEW_STATUS_OK && out_figures != NULL) { *out_figures = range->figures; }
    return status;
}

sinew_Status sinew_keys_to_ik(sinew_Keys *keys, int limb, double from, double to, double rate,
    const sinew_KeysTolerance *tolerance, sinew_KeysFigures *out_figures,
    sinew_Message *out_message)
{
    Range range;
    sinew_Status status = check_range(&range, keys, limb, from, to, rate, tolerance, out_message);
    return status == SINEW_STATUS_OK ? go_over(&range, true, out_figures, out_message) : status;
}

sinew_Status sinew_keys_to_fk(sinew_Keys *keys, int limb, double from, double to, double rate,
    const sinew_KeysTolerance *tolerance, sinew_KeysFigures *out_figures,
    sinew_Message *out_message)
{
    Range range;
    sinew_Status status = check_range(&range, keys, limb, from, to, rate, tolerance, out_message);
    return status == SINEW_STATUS_OK ? go_over(&range, false, out_figures, out_message) : status;
}
