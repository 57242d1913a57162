#include "sinew/keys_file.h"

#include "base/memory.h"
#include "base/message.h"
#include "file/buffer.h"
#include "file/json.h"
#include "sinew/rig.h"

#include <stdio.h>
#include <string.h>

// Keyed animation as JSON: one line for a channel's times, values and slopes each.

#define KEY_SIZE 512

static const char *const kinds[] = { "joint", "place", "pole", "roll", "toe", "mode" };
static const char *const interpolations[] = { "stepped", "linear", "cubic" };
enum { KINDS = 6, INTERPOLATIONS = 3 };

// ---------------------------------------------------------------------------------------------
// Writing

static void put_numbers(snw_Buffer *out, const char *name, const double *values, size_t count)
{
    snw_buffer_add_text(out, ",\n      \"");
    snw_buffer_add_text(out, name);
    snw_buffer_add_text(out, "\": [");
    for (size_t i = 0; i < count; ++i) {
        snw_buffer_add_text(out, i > 0 ? ", " : "");
        snw_buffer_add_number(out, values[i]);
    }
    snw_buffer_add_text(out, "]");
}

static void put_channel(snw_Buffer *out, const sinew_Keys *keys, const sinew_Channel *channel)
{
    snw_buffer_add_text(out, "    { ");
    if (channel->kind == SINEW_CHANNEL_JOINT) {
        char key[KEY_SIZE];
        sinew_rig_key(sinew_keys_skeleton(keys), channel->index, key, sizeof key);
        snw_buffer_add_text(out, "\"joint\": ");
        snw_json_put_text(out, key);
    } else {
        char text[64];
        snprintf(text, sizeof text, "\"limb\": %d, \"what\": \"%s\"", channel->index,
            kinds[channel->kind]);
        snw_buffer_add_text(out, text);
    }
    snw_buffer_add_text(out, ", \"interpolation\": ");
    snw_json_put_text(out, interpolations[channel->interpolation]);
    size_t count = (size_t)channel->key_count, width = (size_t)channel->width;
    put_numbers(out, "times", channel->times, count);
    put_numbers(out, "values", channel->values, count * width);
    if (channel->slopes != NULL) { put_numbers(out, "slopes", channel->slopes, 2 * count * width); }
    snw_buffer_add_text(out, " }");
}

sinew_Status sinew_keys_write(const char *path, const sinew_Keys *keys, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "path keys", path, keys);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_Buffer text = snw_buffer_create(NULL);
    snw_buffer_add_text(&text, "{\n  \"sinew_keys\": 1,\n  \"channels\": [\n");
    int count = sinew_keys_channel_count(keys);
    for (int i = 0; i < count; ++i) {
        const sinew_Channel channel = sinew_keys_channel(keys, i);
        put_channel(&text, keys, &channel);
        snw_buffer_add_text(&text, i + 1 < count ? ",\n" : "\n");
    }
    snw_buffer_add_text(&text, "  ]\n}\n");
    status = snw_file_save(path, &text, out_message);
    snw_buffer_destroy(&text);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Reading. Functions return false after a message.

typedef struct Reader {
    snw_Text text;
    sinew_Keys *keys;
    snw_Buffer times, values, slopes;
    sinew_Status status;
} Reader;

static bool fail(Reader *reader, const snw_Json *node, const char *found, const char *expected)
{
    reader->status = snw_text_fail_at(&reader->text, node->at, found, "%s", expected);
    return false;
}

static const snw_Json *item(const snw_Json *object, const char *key)
{
    if (object->kind != SNW_JSON_OBJECT) { return NULL; }
    for (const snw_Json *child = object->child; child != NULL; child = child->next) {
        if (strcmp(child->key, key) == 0) { return child; }
    }
    return NULL;
}

static int word_of(const snw_Json *node, const char *const *words, int count)
{
    for (int i = 0; node != NULL && node->kind == SNW_JSON_TEXT && i < count; ++i) {
        if (strcmp(node->text, words[i]) == 0) { return i; }
    }
    return -1;
}

static bool read_numbers(
    Reader *reader, const snw_Json *channel, const char *name, snw_Buffer *out, int *out_count)
{
    const snw_Json *list = item(channel, name);
    out->size = 0;
    *out_count = 0;
    if (list == NULL) { return true; }
    if (list->kind != SNW_JSON_ARRAY) { return fail(reader, list, "no list", "a list of numbers"); }
    for (const snw_Json *child = list->child; child != NULL; child = child->next) {
        if (child->kind != SNW_JSON_NUMBER) { return fail(reader, child, "no number", "a number"); }
        if (!snw_buffer_add(out, &child->number, sizeof child->number)) {
            reader->status = snw_fail(reader->text.message, SINEW_STATUS_OUT_OF_MEMORY,
                "%s: no memory to read keys", reader->text.name);
            return false;
        }
        ++*out_count;
    }
    return true;
}

// which joint or limb, and what of it
static bool read_target(Reader *reader, const snw_Json *node, sinew_Channel *channel)
{
    const snw_Json *joint = item(node, "joint"), *limb = item(node, "limb");
    const sinew_Skeleton *skeleton = sinew_keys_skeleton(reader->keys);
    if (joint != NULL) {
        channel->kind = SINEW_CHANNEL_JOINT;
        channel->index = joint->kind == SNW_JSON_TEXT ? sinew_rig_key_joint(skeleton, joint->text)
                                                      : -1;
        if (channel->index < 0) { return fail(reader, joint, "no such joint", "a joint's name"); }
        channel->width = sinew_skeleton_joints(skeleton)[channel->index].coordinate_count;
        return true;
    }
    static const int widths[KINDS] = { 0, 7, 3, 1, 4, 1 };
    int kind = word_of(item(node, "what"), kinds + 1, KINDS - 1) + 1;
    int limbs = sinew_keys_limb_count(reader->keys);
    if (limb == NULL || limb->kind != SNW_JSON_NUMBER
        || !(limb->number >= 0.0 && limb->number < limbs) || kind == 0) {
        return fail(reader, limb != NULL ? limb : node, "a channel of nothing",
            "\"joint\" with a name, or \"limb\" with a number and \"what\" (place, pole, roll, toe "
            "or mode)");
    }
    channel->kind = (sinew_ChannelKind)kind;
    channel->index = (int)limb->number;
    channel->width = widths[kind];
    return true;
}

static bool read_channel(Reader *reader, const snw_Json *node)
{
    sinew_Channel channel;
    memset(&channel, 0, sizeof channel);
    if (!read_target(reader, node, &channel)) { return false; }
    const snw_Json *way = item(node, "interpolation");
    int interpolation = word_of(way, interpolations, INTERPOLATIONS);
    if (interpolation < 0) {
        return fail(reader, way != NULL ? way : node, "no interpolation",
            "\"interpolation\": stepped, linear or cubic");
    }
    channel.interpolation = (sinew_Interpolation)interpolation;
    int times, values, slopes;
    if (!read_numbers(reader, node, "times", &reader->times, &times)
        || !read_numbers(reader, node, "values", &reader->values, &values)
        || !read_numbers(reader, node, "slopes", &reader->slopes, &slopes)) {
        return false;
    }
    bool cubic = channel.interpolation == SINEW_INTERPOLATION_CUBIC;
    if ((long)values != (long)times * channel.width
        || (long)slopes != (cubic ? 2L * times * channel.width : 0L)) {
        char found[96], expected[96];
        snprintf(found, sizeof found, "%d time%s, %d value%s and %d slope%s", times,
            snw_plural(times), values, snw_plural(values), slopes, snw_plural(slopes));
        snprintf(expected, sizeof expected, "%d value%s for each time%s", channel.width,
            snw_plural(channel.width), cubic ? " and twice as many slopes" : " and no slopes");
        return fail(reader, node, found, expected);
    }
    channel.key_count = times;
    channel.times = (const double *)(const void *)reader->times.data;
    channel.values = (const double *)(const void *)reader->values.data;
    channel.slopes = cubic ? (const double *)(const void *)reader->slopes.data : NULL;
    sinew_Message message = { "" };
    reader->status = sinew_keys_set_channel(reader->keys, &channel, &message);
    if (reader->status == SINEW_STATUS_INVALID_ARGUMENT) {
        return fail(reader, node, message.text, "a channel in order");
    }
    return reader->status == SINEW_STATUS_OK;
}

static void read_tree(Reader *reader, const snw_Json *top)
{
    const snw_Json *version = item(top, "sinew_keys"), *channels = item(top, "channels");
    if (version == NULL || version->kind != SNW_JSON_NUMBER || version->number != 1.0) {
        (void)fail(reader, version != NULL ? version : top, "no keys", "\"sinew_keys\": 1");
        return;
    }
    if (channels == NULL || channels->kind != SNW_JSON_ARRAY) {
        (void)fail(reader, channels != NULL ? channels : top, "no channels", "a list \"channels\"");
        return;
    }
    for (const snw_Json *child = channels->child; child != NULL; child = child->next) {
        if (!read_channel(reader, child)) { return; }
    }
}

sinew_Status sinew_keys_read_memory(
    const char *data, size_t size, const char *name, sinew_Keys *keys, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "data name keys", data, name, keys);
    if (status != SINEW_STATUS_OK) { return status; }
    Reader reader = { { data, size, 0, name, out_message, false }, keys, snw_buffer_create(NULL),
        snw_buffer_create(NULL), snw_buffer_create(NULL), SINEW_STATUS_OK };
    snw_JsonTree tree;
    reader.status = snw_json_read(&reader.text, NULL, &tree);
    if (reader.status == SINEW_STATUS_OK) {
        read_tree(&reader, tree.top);
        snw_json_destroy(&tree);
    }
    snw_buffer_destroy(&reader.times);
    snw_buffer_destroy(&reader.values);
    snw_buffer_destroy(&reader.slopes);
    return reader.status;
}

sinew_Status sinew_keys_read(const char *path, sinew_Keys *keys, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "path keys", path, keys);
    if (status != SINEW_STATUS_OK) { return status; }
    char *data;
    size_t size, capacity;
    sinew_Allocator allocator = snw_allocator_or_default(NULL);
    status = snw_text_read_file(path, &allocator, &data, &size, &capacity, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    status = sinew_keys_read_memory(data, size, path, keys, out_message);
    snw_free(&allocator, data, capacity);
    return status;
}
