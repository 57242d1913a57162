// Animations: keys of the properties of nodes, and their values between keys (glTF 2.0, appendix C).

#include "file/gltf.h"

#include "base/message.h"
#include "math/holds.h"
#include "math/quat.h"
#include "motion/keys.h"

#include <stdio.h>
#include <string.h>

// A value this near to that of the rest pose has not moved, as a part of its size.
#define STILL 1e-5
#define LEAST_ROTATION 1e-6

// ---------------------------------------------------------------------------------------------
// Reading

static bool take_path(const snw_Json *value, snw_GltfPath *out_path)
{
    static const char *const names[] = { "translation", "rotation", "scale", "weights" };
    for (int i = 0; i < 4 && value != NULL && value->kind == SNW_JSON_TEXT; ++i) {
        if (strcmp(value->text, names[i]) == 0) {
            *out_path = (snw_GltfPath)i;
            return true;
        }
    }
    return false;
}

static bool take_interpolation(const snw_Json *value, snw_GltfInterpolation *out)
{
    static const char *const names[] = { "LINEAR", "STEP", "CUBICSPLINE" };
    *out = SNW_GLTF_LINEAR;
    if (value == NULL) { return true; }
    for (int i = 0; i < 3 && value->kind == SNW_JSON_TEXT; ++i) {
        if (strcmp(value->text, names[i]) == 0) {
            *out = (snw_GltfInterpolation)i;
            return true;
        }
    }
    return false;
}

static sinew_Status check_times(
    const sinew_Gltf *gltf, const snw_Json *at, const snw_GltfChannel *channel)
{
    for (int k = 0; k < channel->key_count; ++k) {
        double time = channel->times[k];
        bool rises = k == 0 || time > channel->times[k - 1];
        if (rises && time >= 0.0 && time <= SNW_GLTF_MOST_TIME) { continue; }
        char found[80];
        snprintf(found, sizeof found, "%g s at key %d", time, k);
        return snw_gltf_fail(
            gltf, at, found, "times that rise from 0 s to at most %g s", SNW_GLTF_MOST_TIME);
    }
    return SINEW_STATUS_OK;
}

// zero has no direction; other lengths than 1 are made 1, and told
static sinew_Status check_rotations(
    sinew_Gltf *gltf, const snw_Json *at, const snw_GltfChannel *channel)
{
    if (channel->path != SNW_GLTF_ROTATION) { return SINEW_STATUS_OK; }
    bool cubic = channel->interpolation == SNW_GLTF_CUBIC;
    for (int k = 0; k < channel->key_count; ++k) {
        const double *v = channel->values + (cubic ? 12 * k + 4 : 4 * k);
        double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
        if (!(length > LEAST_ROTATION)) {
            return snw_gltf_fail(gltf, at, "a rotation of 0 0 0 0", "unit quaternions");
        }
        gltf->uneven_rotations += fabs(length - 1.0) > SNW_GLTF_UNEVEN ? 1 : 0;
    }
    return SINEW_STATUS_OK;
}

static sinew_Status read_sampler(
    sinew_Gltf *gltf, const snw_Json *sampler, snw_GltfChannel *channel)
{
    int input = -1, output = -1;
    sinew_Status status = snw_gltf_index(gltf, sampler, "input", gltf->accessor_count, &input);
    if (status == SINEW_STATUS_OK) {
        status = snw_gltf_index(gltf, sampler, "output", gltf->accessor_count, &output);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    if (input < 0 || output < 0) {
        return snw_gltf_fail_value(gltf, sampler, "a sampler with input and output");
    }
    const snw_Json *kind = snw_json_get(sampler, "interpolation");
    if (!take_interpolation(kind, &channel->interpolation)) {
        return snw_gltf_fail_value(gltf, kind, "LINEAR, STEP or CUBICSPLINE");
    }
    const snw_GltfAccessor *times = &gltf->accessors[input], *values = &gltf->accessors[output];
    if (times->width != 1 || times->component != SNW_GLTF_FLOAT || times->count > INT32_MAX / 48) {
        return snw_gltf_fail_value(
            gltf, snw_json_get(sampler, "input"), "input: an accessor of single floats");
    }
    size_t parts = channel->interpolation == SNW_GLTF_CUBIC ? 3 : 1;
    size_t numbers = values->count * (size_t)values->width;
    bool fits = channel->path == SNW_GLTF_WEIGHTS
        ? values->width == 1 && numbers == times->count * parts * (size_t)channel->width
        : values->width == channel->width && values->count == times->count * parts;
    if (!fits || values->is_skewed) {
        return snw_gltf_fail_value(gltf, snw_json_get(sampler, "output"),
            "output: an accessor of %zu times %d number%s", times->count * parts, channel->width,
            snw_plural(channel->width));
    }
    channel->key_count = (int)times->count;
    status = snw_gltf_keep(gltf, sampler, input, &channel->times);
    if (status == SINEW_STATUS_OK) {
        status = snw_gltf_keep(gltf, sampler, output, &channel->values);
    }
    if (status == SINEW_STATUS_OK) { status = check_times(gltf, sampler, channel); }
    if (status == SINEW_STATUS_OK) { status = check_rotations(gltf, sampler, channel); }
    return status;
}

// whether any key differs from the rest pose
static bool does_move(const snw_GltfChannel *channel, const snw_GltfNode *node, double longest)
{
    double rest[4] = { node->translation.x, node->translation.y, node->translation.z, 0.0 };
    if (channel->path == SNW_GLTF_WEIGHTS) { return false; }
    bool turns = channel->path == SNW_GLTF_ROTATION;
    if (turns) { memcpy(rest, &node->rotation, sizeof rest); }
    if (channel->path == SNW_GLTF_SCALE) {
        rest[0] = node->stretch.x.x;
        rest[1] = node->stretch.y.y;
        rest[2] = node->stretch.z.z;
    }
    double size = turns ? 1.0 : fabs(rest[0]) + fabs(rest[1]) + fabs(rest[2]);
    if (channel->path == SNW_GLTF_TRANSLATION) { size = longest; }
    bool cubic = channel->interpolation == SNW_GLTF_CUBIC;
    int width = channel->width;
    for (int k = 0; k < channel->key_count; ++k) {
        const double *v = channel->values + (cubic ? (3 * k + 1) * width : k * width);
        double dot = v[0] * rest[0] + v[1] * rest[1] + v[2] * rest[2];
        double sign = turns && dot + v[3] * rest[3] < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < width; ++i) {
            if (fabs(sign * v[i] - rest[i]) > STILL * size) { return true; }
        }
    }
    return false;
}

static sinew_Status read_channel(sinew_Gltf *gltf, const snw_Json *item, const snw_Json *samplers,
    const snw_Json *const *sampler_list, snw_GltfChannel *channel)
{
    int sampler = -1;
    const snw_Json *target = snw_json_get(item, "target");
    channel->node = -1;
    sinew_Status status = snw_gltf_index(
        gltf, item, "sampler", samplers != NULL ? samplers->count : 0, &sampler);
    if (status == SINEW_STATUS_OK) {
        status = snw_gltf_index(gltf, target, "node", gltf->node_count, &channel->node);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    if (sampler < 0 || target == NULL) {
        return snw_gltf_fail_value(gltf, item, "a channel with sampler and target");
    }
    // what an extension animates has no node or another path
    if (channel->node < 0 || !take_path(snw_json_get(target, "path"), &channel->path)) {
        channel->node = -1;
        return SINEW_STATUS_OK;
    }
    snw_GltfNode *node = &gltf->nodes[channel->node];
    static const int widths[] = { 3, 4, 3, 0 };
    channel->width = widths[channel->path];
    if (channel->path == SNW_GLTF_WEIGHTS) { channel->width = node->weight_count; }
    if (channel->width == 0) {
        channel->node = -1;
        return SINEW_STATUS_OK;
    }
    status = read_sampler(gltf, sampler_list[sampler], channel);
    if (status == SINEW_STATUS_OK && does_move(channel, node, gltf->longest)) {
        node->moves = true;
    }
    return status;
}

static sinew_Status read_animation(
    sinew_Gltf *gltf, const snw_Json *item, snw_GltfAnimation *animation)
{
    int count, sampler_count;
    const snw_Json *name = snw_json_get(item, "name");
    const snw_Json *samplers = snw_json_get(item, "samplers");
    const snw_Json *const *sampler_list = snw_gltf_list(gltf, samplers, &sampler_count);
    const snw_Json *const *list = snw_gltf_list(gltf, snw_json_get(item, "channels"), &count);
    if (sampler_count < 0 || count < 0) { return snw_gltf_no_memory(gltf); }
    if (sampler_count == 0) { samplers = NULL; }
    snw_GltfChannel *channels = snw_json_take(&gltf->tree, (size_t)count * sizeof *channels);
    if (channels == NULL) { return snw_gltf_no_memory(gltf); }
    animation->name = name != NULL && name->kind == SNW_JSON_TEXT ? name->text : "";
    animation->channels = channels;
    int number = (int)(animation - gltf->animations) + 1, doubled = 0;
    for (int i = 0; i < count; ++i) {
        snw_GltfChannel *channel = &channels[animation->channel_count];
        sinew_Status status = read_channel(gltf, list[i], samplers, sampler_list, channel);
        if (status != SINEW_STATUS_OK) { return status; }
        if (channel->node < 0) { continue; }
        ++animation->channel_count;
        int *animated = &gltf->nodes[channel->node].animated[channel->path];
        doubled += *animated == number ? 1 : 0;
        *animated = number;
        double last = channel->times[channel->key_count - 1];
        if (last > animation->duration) { animation->duration = last; }
    }
    if (doubled > 0) {
        snw_motion_warn(gltf->file,
            "animation %d has %d channel%s for what an earlier one of it moves: the last counts",
            number - 1, doubled, snw_plural(doubled));
    }
    return SINEW_STATUS_OK;
}

double snw_gltf_noted(const snw_Json *object, const char *key, double least, double most)
{
    const snw_Json *extras = snw_json_get(object, "extras");
    const snw_Json *note = extras != NULL && extras->kind == SNW_JSON_OBJECT
        ? snw_json_get(extras, key)
        : NULL;
    bool good = note != NULL && note->kind == SNW_JSON_NUMBER && note->number >= least
        && note->number <= most;
    return good ? note->number : 0.0;
}

sinew_Status snw_gltf_read_animations(sinew_Gltf *gltf)
{
    int count;
    const snw_Json *const *items;
    gltf->animations = snw_gltf_take_list(
        gltf, "animations", sizeof *gltf->animations, &items, &count);
    if (gltf->animations == NULL) { return snw_gltf_no_memory(gltf); }
    for (int i = 0; i < count; ++i) {
        sinew_Status status = read_animation(gltf, items[i], &gltf->animations[i]);
        if (status != SINEW_STATUS_OK) { return status; }
        gltf->animations[i].frame_time = snw_gltf_noted(
            items[i], "frame_time", SNW_LEAST_FRAME_TIME, SNW_MOST_FRAME_TIME);
    }
    gltf->animation_count = count;
    if (gltf->uneven_rotations > 0) {
        snw_motion_warn(gltf->file, "%d rotation%s of nodes or keys without length 1: made 1",
            gltf->uneven_rotations, snw_plural(gltf->uneven_rotations));
    }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Values

static void normalize4(double *v)
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    for (int i = 0; i < 4 && length > 0.0; ++i) { v[i] /= length; }
    if (!(length > 0.0)) { v[3] = 1.0; }
}

static sinew_Quat quat_of(const double *v)
{
    sinew_Quat q = snw_quat_load(v);
    return sinew_quat_normalize(q);
}

// appendix C.5: tangents are per second
static void sample_cubic(const snw_GltfChannel *channel, int k, double t, double *out)
{
    SNW_ASSERT(snw_holds_share(t));
    int width = channel->width;
    const double *a = channel->values + 3 * k * width, *b = a + 3 * width;
    double span = channel->times[k + 1] - channel->times[k], t2 = t * t, t3 = t2 * t;
    for (int i = 0; i < width; ++i) {
        out[i] = (2.0 * t3 - 3.0 * t2 + 1.0) * a[width + i]
            + span * (t3 - 2.0 * t2 + t) * a[2 * width + i] + (3.0 * t2 - 2.0 * t3) * b[width + i]
            + span * (t3 - t2) * b[i];
    }
}

static void sample_linear(const snw_GltfChannel *channel, int k, double t, double *out)
{
    int width = channel->width;
    const double *a = channel->values + k * width, *b = a + width;
    if (channel->path == SNW_GLTF_ROTATION) {
        sinew_Quat q = sinew_quat_slerp(quat_of(a), quat_of(b), t);
        memcpy(out, &q, sizeof q);
        return;
    }
    for (int i = 0; i < width; ++i) { out[i] = a[i] + t * (b[i] - a[i]); }
}

void snw_gltf_sample(const snw_GltfChannel *channel, double time, double *out)
{
    const int width = channel->width;
    const int low = snw_key_before(channel->times, channel->key_count, time);
    bool cubic = channel->interpolation == SNW_GLTF_CUBIC;
    bool holds = low + 1 == channel->key_count || time <= channel->times[low]
        || channel->interpolation == SNW_GLTF_STEP;
    if (holds) {
        const double *v = channel->values + (cubic ? (3 * low + 1) * width : low * width);
        memcpy(out, v, (size_t)width * sizeof *out);
    } else {
        double t = (time - channel->times[low]) / (channel->times[low + 1] - channel->times[low]);
        if (cubic) {
            sample_cubic(channel, low, t, out);
        } else {
            sample_linear(channel, low, t, out);
        }
    }
    if (channel->path == SNW_GLTF_ROTATION) { normalize4(out); }
}
