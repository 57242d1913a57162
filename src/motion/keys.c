#include "motion/keys.h"
#include "math/holds.h"
#include "math/quat.h"

#include "base/memory.h"
#include "base/message.h"
#include "motion/switch.h"

#include <string.h>

// Channels and their values in time. How they are made of a motion stands in keys_reduce.c and keys_convert.c.

// Squared length above which a quaternion is one: it is made a unit one where it is sampled.
#define LEAST_QUAT2 1e-12

// handles of one limb have so many kinds of channels
enum { LIMB_CHANNELS = SINEW_CHANNEL_MODE - SINEW_CHANNEL_PLACE + 1 };

static int width_of(const sinew_Skeleton *skeleton, sinew_ChannelKind kind, int index)
{
    SNW_ASSERT(index >= 0);
    switch (kind) {
    case SINEW_CHANNEL_JOINT: return sinew_skeleton_joints(skeleton)[index].coordinate_count;
    case SINEW_CHANNEL_PLACE: return 7;
    case SINEW_CHANNEL_POLE: return 3;
    case SINEW_CHANNEL_TOE: return 4;
    case SINEW_CHANNEL_ROLL:
    case SINEW_CHANNEL_MODE: break;
    }
    return 1;
}

sinew_Status sinew_keys_create(const sinew_Skeleton *skeleton, const sinew_SwitchLimb *limbs,
    int limb_count, const sinew_Allocator *allocator, sinew_Keys **out_keys,
    sinew_Message *out_message)
{
    if (out_keys == NULL) { return snw_refuse(out_message, "out_keys is NULL"); }
    *out_keys = NULL;
    if (skeleton == NULL || (limb_count > 0 && limbs == NULL)) {
        return SNW_CHECK_NULL(out_message, "skeleton limbs", skeleton, limbs);
    }
    if (limb_count < 0 || limb_count > SINEW_MAX_SWITCH_LIMBS) {
        return snw_refuse(
            out_message, "limb_count is %d, want 0..%d", limb_count, SINEW_MAX_SWITCH_LIMBS);
    }
    sinew_Allocator own = snw_allocator_or_default(allocator);
    int joint_count = sinew_skeleton_joint_count(skeleton);
    int channel_count = joint_count + LIMB_CHANNELS * limb_count;
    sinew_Keys *keys = snw_alloc(&own, sizeof *keys);
    sinew_SwitchLimb *copies = snw_alloc_array(&own, (size_t)limb_count, sizeof *copies);
    snw_Channel *channels = snw_alloc_array(&own, (size_t)channel_count, sizeof *channels);
    if (keys == NULL || copies == NULL || channels == NULL) {
        snw_free(&own, keys, sizeof *keys);
        snw_free(&own, copies, (size_t)limb_count * sizeof *copies);
        snw_free(&own, channels, (size_t)channel_count * sizeof *channels);
        return snw_no_memory(out_message, "keys");
    }
    *keys = (sinew_Keys){ own, skeleton, copies, limb_count, channels, channel_count };
    for (int i = 0; i < limb_count; ++i) { copies[i] = limbs[i]; }
    for (int i = 0; i < channel_count; ++i) {
        int place = i - joint_count;
        channels[i].kind = place < 0
            ? SINEW_CHANNEL_JOINT
            : (sinew_ChannelKind)(SINEW_CHANNEL_PLACE + place % LIMB_CHANNELS);
        channels[i].index = place < 0 ? i : place / LIMB_CHANNELS;
        channels[i].width = width_of(skeleton, channels[i].kind, channels[i].index);
    }
    *out_keys = keys;
    return SINEW_STATUS_OK;
}

static size_t block_size(const snw_Channel *channel)
{
    return (size_t)channel->capacity * (1 + 3 * (size_t)channel->width) * sizeof(double);
}

void snw_channel_free(const sinew_Allocator *allocator, snw_Channel *channel)
{
    snw_free(allocator, channel->times, block_size(channel));
    channel->times = NULL;
    channel->key_count = channel->capacity = 0;
}

void sinew_keys_destroy(sinew_Keys *keys)
{
    if (keys == NULL) { return; }
    sinew_Allocator own = keys->allocator;
    for (int i = 0; i < keys->channel_count; ++i) { snw_channel_free(&own, &keys->channels[i]); }
    snw_free(&own, keys->limbs, (size_t)keys->limb_count * sizeof *keys->limbs);
    snw_free(&own, keys->channels, (size_t)keys->channel_count * sizeof *keys->channels);
    snw_free(&own, keys, sizeof *keys);
}

const sinew_Skeleton *sinew_keys_skeleton(const sinew_Keys *keys)
{
    return keys != NULL ? keys->skeleton : NULL;
}

int sinew_keys_limb_count(const sinew_Keys *keys)
{
    return keys != NULL ? keys->limb_count : 0;
}

snw_Channel *snw_keys_find(const sinew_Keys *keys, sinew_ChannelKind kind, int index)
{
    int joint_count = sinew_skeleton_joint_count(keys->skeleton);
    int place = kind == SINEW_CHANNEL_JOINT
        ? index
        : joint_count + index * LIMB_CHANNELS + (int)(kind - SINEW_CHANNEL_PLACE);
    return &keys->channels[place];
}

int sinew_keys_channel_count(const sinew_Keys *keys)
{
    int count = 0;
    for (int i = 0; keys != NULL && i < keys->channel_count; ++i) {
        count += keys->channels[i].key_count > 0 ? 1 : 0;
    }
    return count;
}

sinew_Channel sinew_keys_channel(const sinew_Keys *keys, int index)
{
    sinew_Channel found;
    memset(&found, 0, sizeof found);
    for (int i = 0; keys != NULL && i < keys->channel_count; ++i) {
        const snw_Channel *own = &keys->channels[i];
        if (own->key_count == 0 || index < 0 || index-- != 0) { continue; }
        found = (sinew_Channel){ own->kind, own->index, own->width, own->interpolation,
            own->key_count, own->times, own->values,
            own->interpolation == SINEW_INTERPOLATION_CUBIC ? own->slopes : NULL };
        break;
    }
    return found;
}

// ---------------------------------------------------------------------------------------------
// Memory of a channel

bool snw_channel_reserve(const sinew_Allocator *allocator, snw_Channel *channel, int key_count)
{
    SNW_ASSERT(key_count >= 0);
    if (key_count <= channel->capacity) { return true; }
    snw_Channel grown = *channel;
    grown.capacity = key_count;
    size_t count = (size_t)key_count, width = (size_t)channel->width;
    grown.times = snw_alloc_array(allocator, count * (1 + 3 * width), sizeof(double));
    if (grown.times == NULL) { return false; }
    grown.values = grown.times + count;
    grown.slopes = grown.values + count * width;
    size_t held = (size_t)channel->key_count;
    if (held > 0) {
        memcpy(grown.times, channel->times, held * sizeof(double));
        memcpy(grown.values, channel->values, held * width * sizeof(double));
        memcpy(grown.slopes, channel->slopes, 2 * held * width * sizeof(double));
    }
    snw_free(allocator, channel->times, block_size(channel));
    *channel = grown;
    return true;
}

// move the keys from one place on to another, and set how many there are
static void shift_keys(snw_Channel *channel, int from, int to)
{
    size_t count = (size_t)(channel->key_count - from), width = (size_t)channel->width;
    memmove(&channel->times[to], &channel->times[from], count * sizeof(double));
    memmove(&channel->values[(size_t)to * width], &channel->values[(size_t)from * width],
        count * width * sizeof(double));
    memmove(&channel->slopes[2 * (size_t)to * width], &channel->slopes[2 * (size_t)from * width],
        2 * count * width * sizeof(double));
    channel->key_count = to + (int)count;
}

bool snw_channel_splice(
    const sinew_Allocator *allocator, snw_Channel *channel, const snw_Channel *keys)
{
    if (keys->key_count == 0) { return true; }
    if (!snw_channel_reserve(allocator, channel, channel->key_count + keys->key_count)) {
        return false;
    }
    int first = 0, last = 0;
    while (first < channel->key_count && channel->times[first] < keys->times[0]) { ++first; }
    last = first;
    while (last < channel->key_count && channel->times[last] <= keys->times[keys->key_count - 1]) {
        ++last;
    }
    shift_keys(channel, last, first + keys->key_count);
    size_t width = (size_t)channel->width, count = (size_t)keys->key_count;
    memcpy(&channel->times[first], keys->times, count * sizeof(double));
    memcpy(&channel->values[(size_t)first * width], keys->values, count * width * sizeof(double));
    // the curves on either side of the keys' range stay as they were
    double *slopes = &channel->slopes[2 * (size_t)first * width];
    memcpy(slopes, keys->slopes, 2 * count * width * sizeof(double));
    channel->interpolation = keys->interpolation;
    return true;
}

bool snw_channel_pin(const sinew_Allocator *allocator, snw_Channel *channel, double time)
{
    double value[SINEW_MAX_KEY_WIDTH], slopes[2 * SINEW_MAX_KEY_WIDTH];
    if (channel->key_count == 0 || time <= channel->times[0]
        || time >= channel->times[channel->key_count - 1]) {
        return true;
    }
    snw_channel_value(channel, time, value, slopes);
    for (int i = 0; i < channel->width; ++i) { slopes[channel->width + i] = slopes[i]; }
    const snw_Channel key = { channel->kind, channel->index, channel->width, channel->interpolation,
        1, 1, &time, value, slopes };
    return snw_channel_splice(allocator, channel, &key);
}

static bool all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) { return false; }
    }
    return true;
}

// where the quaternions of a channel's value begin; how many there are
static int find_quats(const sinew_Skeleton *skeleton, sinew_ChannelKind kind, int index, int *out)
{
    int count = 0;
    if (kind == SINEW_CHANNEL_PLACE) { out[count++] = 3; }
    if (kind == SINEW_CHANNEL_TOE) { out[count++] = 0; }
    if (kind != SINEW_CHANNEL_JOINT) { return count; }
    const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[index];
    for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
        if (sinew_skeleton_axes(skeleton)[a].kind == SINEW_AXIS_BALL) {
            out[count++] = sinew_skeleton_axis_places(skeleton)[a].coordinate
                - joint->coordinate_start;
        }
    }
    return count;
}

static void normalize_quat(double *v)
{
    sinew_Quat q = sinew_quat_normalize(snw_quat_load(v));
    snw_quat_store(q, v);
}

sinew_Status sinew_keys_set_channel(
    sinew_Keys *keys, const sinew_Channel *channel, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "keys channel", keys, channel);
    if (status != SINEW_STATUS_OK) { return status; }
    bool joint = channel->kind == SINEW_CHANNEL_JOINT;
    int count = joint ? sinew_skeleton_joint_count(keys->skeleton) : keys->limb_count;
    if ((int)channel->kind < 0 || channel->kind > SINEW_CHANNEL_MODE || channel->index < 0
        || channel->index >= count) {
        return snw_refuse(out_message, "channel of kind %d and index %d: there is none",
            (int)channel->kind, channel->index);
    }
    snw_Channel *own = snw_keys_find(keys, channel->kind, channel->index);
    bool cubic = channel->interpolation == SINEW_INTERPOLATION_CUBIC;
    if (channel->width != own->width || channel->key_count < 0
        || (unsigned)channel->interpolation > (unsigned)SINEW_INTERPOLATION_CUBIC) {
        return snw_refuse(out_message,
            "channel.width is %d, want %d; key_count %d, want >= 0; interpolation %d, want 0..%d",
            channel->width, own->width, channel->key_count, (int)channel->interpolation,
            (int)SINEW_INTERPOLATION_CUBIC);
    }
    size_t values = (size_t)channel->key_count * (size_t)own->width;
    if (channel->key_count > 0
        && (channel->times == NULL || channel->values == NULL || (cubic && channel->slopes == NULL)
            || !all_finite(channel->times, (size_t)channel->key_count)
            || !all_finite(channel->values, values)
            || (cubic && !all_finite(channel->slopes, 2 * values)))) {
        return snw_refuse(out_message, "the channel's numbers are missing or not finite");
    }
    int places[SINEW_MAX_KEY_WIDTH];
    int quats = find_quats(keys->skeleton, channel->kind, channel->index, places);
    for (int k = 0; k < channel->key_count; ++k) {
        for (int i = 0; i < quats; ++i) {
            sinew_Quat q = snw_quat_load(&channel->values[k * own->width + places[i]]);
            if (sinew_quat_dot(q, q) > LEAST_QUAT2) { continue; }
            return snw_refuse(out_message, "key %d has a quaternion of length 0, want 1", k);
        }
    }
    for (int k = 1; k < channel->key_count; ++k) {
        if (!(channel->times[k] > channel->times[k - 1])) {
            return snw_refuse(out_message, "key %d is at %g s, want later than the one before", k,
                channel->times[k]);
        }
    }
    if (!snw_channel_reserve(&keys->allocator, own, channel->key_count)) {
        return snw_no_memory(
            out_message, "%d key%s", channel->key_count, snw_plural(channel->key_count));
    }
    own->key_count = channel->key_count;
    own->interpolation = channel->interpolation;
    for (int k = 0; k < channel->key_count; ++k) { own->times[k] = channel->times[k]; }
    for (size_t k = 0; k < values; ++k) {
        own->values[k] = channel->values[k];
        own->slopes[2 * k] = cubic ? channel->slopes[2 * k] : 0.0;
        own->slopes[2 * k + 1] = cubic ? channel->slopes[2 * k + 1] : 0.0;
    }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Values

void snw_key_cubic(const double *a, const double *a_slope, const double *b, const double *b_slope,
    double seconds, double share, int width, double *out_value)
{
    SNW_ASSERT(snw_holds_share(share));
    SNW_ASSERT(seconds >= 0.0);
    double t = share, t2 = t * t, t3 = t2 * t;
    double from = 2.0 * t3 - 3.0 * t2 + 1.0, leave = t3 - 2.0 * t2 + t;
    double to = 3.0 * t2 - 2.0 * t3, arrive = t3 - t2;
    for (int i = 0; i < width; ++i) {
        out_value[i] = from * a[i] + to * b[i]
            + seconds * (leave * a_slope[i] + arrive * b_slope[i]);
    }
}

static void cubic_slope(const double *a, const double *a_slope, const double *b,
    const double *b_slope, double seconds, double share, int width, double *out_slope)
{
    SNW_ASSERT(snw_holds_share(share));
    SNW_ASSERT(seconds >= 0.0);
    double t = share, t2 = t * t;
    double from = (6.0 * t2 - 6.0 * t) / seconds, leave = 3.0 * t2 - 4.0 * t + 1.0;
    double arrive = 3.0 * t2 - 2.0 * t;
    for (int i = 0; i < width; ++i) {
        out_slope[i] = from * (a[i] - b[i]) + leave * a_slope[i] + arrive * b_slope[i];
    }
}

int snw_key_before(const double *times, int count, double time)
{
    int low = 0, high = count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void snw_channel_value(
    const snw_Channel *channel, double time, double *out_value, double *out_slope)
{
    int k = snw_key_before(channel->times, channel->key_count, time), width = channel->width;
    const double *leave = &channel->slopes[(2 * (size_t)k + 1) * (size_t)width];
    const double *a = &channel->values[(size_t)k * (size_t)width];
    bool between = k + 1 < channel->key_count && time > channel->times[k];
    for (int i = 0; i < width; ++i) { out_value[i] = a[i]; }
    for (int i = 0; out_slope != NULL && i < width; ++i) {
        bool outside = time < channel->times[0] || time > channel->times[channel->key_count - 1];
        bool cubic = channel->interpolation == SINEW_INTERPOLATION_CUBIC;
        out_slope[i] = cubic && !outside ? leave[i] : 0.0;
    }
    if (!between || channel->interpolation == SINEW_INTERPOLATION_STEPPED) { return; }
    const double *b = a + width;
    double seconds = channel->times[k + 1] - channel->times[k];
    double share = (time - channel->times[k]) / seconds;
    if (channel->interpolation == SINEW_INTERPOLATION_LINEAR) {
        for (int i = 0; i < width; ++i) {
            out_value[i] = a[i] + share * (b[i] - a[i]);
            if (out_slope != NULL) { out_slope[i] = (b[i] - a[i]) / seconds; }
        }
        return;
    }
    const double *arrive = leave + width;
    snw_key_cubic(a, leave, b, arrive, seconds, share, width, out_value);
    if (out_slope != NULL) { cubic_slope(a, leave, b, arrive, seconds, share, width, out_slope); }
}

void snw_channel_normalize(
    const sinew_Skeleton *skeleton, const snw_Channel *channel, double *value)
{
    int places[SINEW_MAX_KEY_WIDTH],
        count = find_quats(skeleton, channel->kind, channel->index, places);
    for (int i = 0; i < count; ++i) { normalize_quat(&value[places[i]]); }
}

void sinew_keys_sample(const sinew_Keys *keys, double time, double *out_q)
{
    if (keys == NULL || out_q == NULL) { return; }
    sinew_pose_rest(keys->skeleton, out_q);
    for (int j = 0; j < sinew_skeleton_joint_count(keys->skeleton); ++j) {
        const snw_Channel *channel = &keys->channels[j];
        if (channel->key_count == 0) { continue; }
        double *value = &out_q[sinew_skeleton_joints(keys->skeleton)[j].coordinate_start];
        snw_channel_value(channel, time, value, NULL);
        snw_channel_normalize(keys->skeleton, channel, value);
    }
}

static bool is_ik(const sinew_Keys *keys, int limb, double time)
{
    const snw_Channel *mode = snw_keys_find(keys, SINEW_CHANNEL_MODE, limb);
    if (mode->key_count == 0 || time < mode->times[0]) { return false; }
    double value;
    snw_channel_value(mode, time, &value, NULL);
    return value >= 0.5;
}

// the handle as keyed; what has no keys stays as it is
static void sample_handle(const sinew_Keys *keys, int limb, double time, sinew_Handle *handle)
{
    SNW_ASSERT(limb >= 0);
    double v[SINEW_MAX_KEY_WIDTH];
    const snw_Channel *place = snw_keys_find(keys, SINEW_CHANNEL_PLACE, limb);
    if (place->key_count > 0) {
        snw_channel_value(place, time, v, NULL);
        normalize_quat(&v[3]);
        handle->place.position = sinew_vec3(v[0], v[1], v[2]);
        handle->place.rotation = (sinew_Quat){ v[3], v[4], v[5], v[6] };
    }
    const snw_Channel *pole = snw_keys_find(keys, SINEW_CHANNEL_POLE, limb);
    if (pole->key_count > 0) {
        snw_channel_value(pole, time, v, NULL);
        handle->pole = sinew_vec3(v[0], v[1], v[2]);
    }
    const snw_Channel *roll = snw_keys_find(keys, SINEW_CHANNEL_ROLL, limb);
    if (roll->key_count > 0) { snw_channel_value(roll, time, &handle->foot_roll, NULL); }
    const snw_Channel *toe = snw_keys_find(keys, SINEW_CHANNEL_TOE, limb);
    if (toe->key_count > 0) {
        snw_channel_value(toe, time, v, NULL);
        normalize_quat(v);
        handle->toe = snw_quat_load(v);
    }
}

sinew_Status sinew_keys_apply(const sinew_Keys *keys, double time, sinew_Switch *sw,
    double frame_time, sinew_Message *out_message)
{
    if (keys == NULL || sw == NULL) { return SNW_CHECK_NULL(out_message, "keys sw", keys, sw); }
    if (!isfinite(time)) {
        return snw_refuse(out_message, "time is %g, want a finite number", time);
    }
    if (snw_switch_skeleton(sw) != keys->skeleton
        || sinew_switch_limb_count(sw) != keys->limb_count) {
        return snw_refuse(out_message, "the switch is for another skeleton or other limbs");
    }
    sinew_Status status = SINEW_STATUS_OK;
    for (int i = 0; i < keys->limb_count && status == SINEW_STATUS_OK; ++i) {
        if (!is_ik(keys, i, time)) { status = sinew_switch_enable_ik(sw, i, false, out_message); }
    }
    double *pose = snw_switch_scratch(sw);
    sinew_keys_sample(keys, time, pose);
    if (status == SINEW_STATUS_OK) { status = sinew_switch_set_pose(sw, pose, out_message); }
    for (int i = 0; i < keys->limb_count && status == SINEW_STATUS_OK; ++i) {
        if (!is_ik(keys, i, time)) { continue; }
        sinew_Handle handle;
        status = sinew_switch_enable_ik(sw, i, true, out_message);
        if (status == SINEW_STATUS_OK) {
            status = sinew_switch_handle(sw, i, &handle, out_message);
        }
        sample_handle(keys, i, time, &handle);
        if (status == SINEW_STATUS_OK) {
            status = sinew_switch_set_handle(sw, i, &handle, out_message);
        }
    }
    return status == SINEW_STATUS_OK ? sinew_switch_update(sw, frame_time, NULL, out_message)
                                     : status;
}
