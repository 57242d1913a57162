// The container of a glTF document: text alone, or a binary file of chunks; and the bytes that the
// text refers to, in the binary chunk, in data URIs, or in other files.

#include "base/memory.h"
#include "base/message.h"
#include "file/gltf.h"
#include "math/holds.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define HEAD_SIZE 12
#define CHUNK_HEAD_SIZE 8
#define CHUNK_JSON 0x4e4f534au
#define CHUNK_BIN 0x004e4942u

// A found value is quoted up to this many bytes.
#define MAX_QUOTED 40

// ---------------------------------------------------------------------------------------------
// Messages

static sinew_Status fail_with(
    const sinew_Gltf *gltf, size_t at, const char *found, const char *expected, va_list arguments)
{
    char text[200];
    vsnprintf(text, sizeof text, expected, arguments);
    return snw_fail(gltf->message, SINEW_STATUS_BAD_FILE, "%s: byte %z: found %s, expected %s",
        gltf->name, at, found, text);
}

static sinew_Status fail_at_byte(const sinew_Gltf *gltf, size_t at, const char *found,
    const char *expected, ...) __attribute__((format(printf, 4, 5)));

static sinew_Status fail_at_byte(
    const sinew_Gltf *gltf, size_t at, const char *found, const char *expected, ...)
{
    va_list arguments;
    va_start(arguments, expected);
    sinew_Status status = fail_with(gltf, at, found, expected, arguments);
    va_end(arguments);
    return status;
}

sinew_Status snw_gltf_fail(
    const sinew_Gltf *gltf, const snw_Json *at, const char *found, const char *expected, ...)
{
    va_list arguments;
    va_start(arguments, expected);
    sinew_Status status = fail_with(gltf, at->at, found, expected, arguments);
    va_end(arguments);
    return status;
}

sinew_Status snw_gltf_fail_value(
    const sinew_Gltf *gltf, const snw_Json *at, const char *expected, ...)
{
    char found[MAX_QUOTED + 8];
    size_t length = at->end - at->at;
    snprintf(found, sizeof found, "%.*s%s", (int)(length < MAX_QUOTED ? length : MAX_QUOTED),
        gltf->data + at->at, length > MAX_QUOTED ? "..." : "");
    va_list arguments;
    va_start(arguments, expected);
    sinew_Status status = fail_with(gltf, at->at, found, expected, arguments);
    va_end(arguments);
    return status;
}

sinew_Status snw_gltf_no_memory(const sinew_Gltf *gltf)
{
    return snw_fail(
        gltf->message, SINEW_STATUS_OUT_OF_MEMORY, "%s: no memory to read the file", gltf->name);
}

// ---------------------------------------------------------------------------------------------
// Values of the text

const snw_Json *const *snw_gltf_list(sinew_Gltf *gltf, const snw_Json *array, int *out_count)
{
    *out_count = 0;
    if (array == NULL || array->kind != SNW_JSON_ARRAY) { return NULL; }
    const snw_Json **items = snw_json_take(&gltf->tree, (size_t)array->count * sizeof(void *));
    if (items == NULL) {
        *out_count = -1;
        return NULL;
    }
    for (const snw_Json *item = array->child; item != NULL; item = item->next) {
        items[(*out_count)++] = item;
    }
    return items;
}

void *snw_gltf_take_list(sinew_Gltf *gltf, const char *key, size_t size,
    const snw_Json *const **out_items, int *out_count)
{
    *out_items = snw_gltf_list(gltf, snw_json_get(gltf->tree.top, key), out_count);
    return *out_count < 0 ? NULL : snw_json_take(&gltf->tree, (size_t)*out_count * size);
}

sinew_Status snw_gltf_index(
    const sinew_Gltf *gltf, const snw_Json *object, const char *key, int limit, int *out)
{
    const snw_Json *value = snw_json_get(object, key);
    if (value == NULL) { return SINEW_STATUS_OK; }
    double number = value->kind == SNW_JSON_NUMBER ? value->number : -1.0;
    if (number < 0.0 || number >= limit || number != floor(number)) {
        return limit > 0
            ? snw_gltf_fail_value(gltf, value, "%s: a whole number below %d", key, limit)
            : snw_gltf_fail_value(gltf, value, "no %s, as there is nothing to refer to", key);
    }
    *out = (int)number;
    return SINEW_STATUS_OK;
}

sinew_Status snw_gltf_size(
    const sinew_Gltf *gltf, const snw_Json *object, const char *key, size_t *out)
{
    const snw_Json *value = snw_json_get(object, key);
    if (value == NULL) { return SINEW_STATUS_OK; }
    double number = value->kind == SNW_JSON_NUMBER ? value->number : -1.0;
    if (number < 0.0 || number > (double)SNW_MAX_FILE_SIZE || number != floor(number)) {
        return snw_gltf_fail_value(
            gltf, value, "%s: a whole number up to %zu", key, SNW_MAX_FILE_SIZE);
    }
    *out = (size_t)number;
    return SINEW_STATUS_OK;
}

sinew_Status snw_gltf_numbers(const sinew_Gltf *gltf, const snw_Json *object, const char *key,
    int count, double *out, bool *out_there)
{
    SNW_ASSERT(count >= 0);
    const snw_Json *value = snw_json_get(object, key);
    *out_there = value != NULL;
    if (value == NULL) { return SINEW_STATUS_OK; }
    if (value->kind != SNW_JSON_ARRAY || value->count != count) {
        return snw_gltf_fail_value(gltf, value, "%s: %d number%s", key, count, snw_plural(count));
    }
    for (const snw_Json *item = value->child; item != NULL; item = item->next) {
        // squares and products of these stay finite
        if (item->kind != SNW_JSON_NUMBER || fabs(item->number) > 1e30) {
            return snw_gltf_fail_value(gltf, item, "%s: a number up to 1e30", key);
        }
        *out++ = item->number;
    }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Chunks

static uint32_t whole_at(const sinew_Gltf *gltf, size_t at)
{
    const unsigned char *p = (const unsigned char *)gltf->data + at;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// the chunk whose head stands there: its content goes from *out_start to *out_end
static sinew_Status take_chunk(const sinew_Gltf *gltf, size_t at, size_t whole, const char *what,
    size_t *out_start, size_t *out_end)
{
    char found[64];
    if (whole - at < CHUNK_HEAD_SIZE) {
        return fail_at_byte(gltf, at, "the end of the file", "the head of %s", what);
    }
    size_t length = whole_at(gltf, at);
    if (length > whole - at - CHUNK_HEAD_SIZE) {
        snprintf(found, sizeof found, "a chunk of %zu byte%s", length, snw_plural((double)length));
        size_t left = whole - at - CHUNK_HEAD_SIZE;
        return fail_at_byte(gltf, at, found, "%s of at most %zu byte%s, as many as are left", what,
            left, snw_plural((double)left));
    }
    *out_start = at + CHUNK_HEAD_SIZE;
    *out_end = *out_start + length;
    return SINEW_STATUS_OK;
}

static sinew_Status split_chunks(sinew_Gltf *gltf)
{
    char found[64];
    if (gltf->size < HEAD_SIZE) {
        return fail_at_byte(
            gltf, gltf->size, "the end of the file", "a head of %d bytes", HEAD_SIZE);
    }
    uint32_t version = whole_at(gltf, 4);
    if (version != 2) {
        snprintf(found, sizeof found, "version %u", version);
        fail_at_byte(gltf, 4, found, "version 2 of binary glTF");
        return SINEW_STATUS_UNSUPPORTED;
    }
    size_t whole = whole_at(gltf, 8);
    if (whole > gltf->size || whole < HEAD_SIZE) {
        snprintf(found, sizeof found, "a length of %zu byte%s", whole, snw_plural((double)whole));
        return fail_at_byte(gltf, 8, found, "%zu, as many as the file has", gltf->size);
    }
    if (whole < gltf->size) {
        size_t behind = gltf->size - whole;
        snw_motion_warn(gltf->file, "%zu byte%s behind the end of the container: ignored", behind,
            snw_plural((double)behind));
        gltf->size = whole;
    }
    sinew_Status status = take_chunk(
        gltf, HEAD_SIZE, whole, "a JSON chunk", &gltf->json_start, &gltf->json_end);
    if (status != SINEW_STATUS_OK) { return status; }
    if (whole_at(gltf, HEAD_SIZE + 4) != CHUNK_JSON) {
        return fail_at_byte(gltf, HEAD_SIZE + 4, "another kind of chunk", "JSON");
    }
    gltf->rest_start = gltf->chunk_start = gltf->chunk_end = gltf->json_end;
    if (whole == gltf->json_end) { return SINEW_STATUS_OK; }
    size_t start = 0, end = 0;
    status = take_chunk(gltf, gltf->json_end, whole, "a chunk", &start, &end);
    if (status != SINEW_STATUS_OK) { return status; }
    if (whole_at(gltf, gltf->json_end + 4) == CHUNK_BIN) {
        gltf->chunk_start = start;
        gltf->chunk_end = gltf->rest_start = end;
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_asset(const sinew_Gltf *gltf)
{
    const snw_Json *top = gltf->tree.top;
    if (top->kind != SNW_JSON_OBJECT) {
        return snw_gltf_fail_value(gltf, top, "an object with \"asset\"");
    }
    const snw_Json *asset = snw_json_get(top, "asset"), *version = snw_json_get(asset, "version");
    if (version == NULL) {
        return snw_gltf_fail(gltf, asset != NULL ? asset : top, "no \"version\"", "asset.version");
    }
    if (version->kind != SNW_JSON_TEXT || strncmp(version->text, "2.", 2) != 0) {
        snw_gltf_fail_value(gltf, version, "version 2.0 of glTF");
        return SINEW_STATUS_UNSUPPORTED;
    }
    const snw_Json *least = snw_json_get(asset, "minVersion");
    if (least != NULL && (least->kind != SNW_JSON_TEXT || strcmp(least->text, "2.0") != 0)) {
        snw_gltf_fail_value(gltf, least, "minVersion 2.0 of glTF");
        return SINEW_STATUS_UNSUPPORTED;
    }
    return SINEW_STATUS_OK;
}

// extensions without which numbers cannot be read; others are kept and told
static sinew_Status check_extensions(const sinew_Gltf *gltf)
{
    const snw_Json *required = snw_json_get(gltf->tree.top, "extensionsRequired");
    const snw_Json *item = required != NULL ? required->child : NULL;
    for (; item != NULL; item = item->next) {
        if (item->kind != SNW_JSON_TEXT) { continue; }
        if (strcmp(item->text, "EXT_meshopt_compression") == 0
            || strcmp(item->text, "KHR_meshopt_compression") == 0) {
            snw_gltf_fail_value(gltf, item, "numbers that are not packed by an extension");
            return SINEW_STATUS_UNSUPPORTED;
        }
        static const char *const known[] = { "KHR_mesh_quantization", "KHR_texture_transform",
            "KHR_materials_unlit" };
        bool is_known = strncmp(item->text, "KHR_materials_", 14) == 0;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
            is_known = is_known || strcmp(item->text, known[i]) == 0;
        }
        if (!is_known) {
            snw_motion_warn(gltf->file, "extension %.60s is required and not known: kept, not used",
                item->text);
        }
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_gltf_open(sinew_Gltf *gltf, snw_Text *text)
{
    gltf->is_binary = gltf->size >= 4 && memcmp(gltf->data, "glTF", 4) == 0;
    gltf->json_start = text->at;
    gltf->json_end = gltf->chunk_start = gltf->chunk_end = gltf->rest_start = gltf->size;
    if (gltf->is_binary) {
        sinew_Status status = split_chunks(gltf);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    // the text may be padded with zeros, though it should be with spaces
    size_t end = gltf->json_end;
    while (gltf->is_binary && end > gltf->json_start && gltf->data[end - 1] == '\0') { --end; }
    snw_Text part = { gltf->data, end, gltf->json_start, gltf->name, gltf->message, true };
    sinew_Status status = snw_json_read(&part, &gltf->allocator, &gltf->tree);
    if (status == SINEW_STATUS_OK) { status = check_asset(gltf); }
    return status == SINEW_STATUS_OK ? check_extensions(gltf) : status;
}

// ---------------------------------------------------------------------------------------------
// Bytes

static const char *data_of_uri(const snw_Json *uri)
{
    if (strncmp(uri->text, "data:", 5) != 0) { return NULL; }
    const char *comma = strchr(uri->text, ',');
    return comma != NULL && comma - uri->text >= 7 && memcmp(comma - 7, ";base64", 7) == 0
        ? comma + 1
        : NULL;
}

static sinew_Status load_data(sinew_Gltf *gltf, snw_GltfBytes *bytes, const char *text)
{
    size_t length = strlen(text), capacity = length / 4 * 3 + 4;
    unsigned char *data = snw_alloc(&gltf->allocator, capacity);
    if (data == NULL) { return snw_gltf_no_memory(gltf); }
    bytes->data = data;
    bytes->capacity = capacity;
    if (!snw_base64_decode(text, length, data, &bytes->size)) {
        return snw_gltf_fail(gltf, bytes->uri, "a broken data URI", "base64");
    }
    return SINEW_STATUS_OK;
}

// a URI with a scheme ("http:") or from the root of the disk is not followed
static bool is_relative(const char *uri)
{
    size_t letters = strspn(
        uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
    return uri[0] != '/' && uri[0] != '\\' && uri[letters] != ':' && uri[0] != '\0';
}

static sinew_Status load_external(
    sinew_Gltf *gltf, snw_GltfBytes *bytes, const sinew_FileSource *source)
{
    sinew_Message reason = { "no way to read other files was given" };
    size_t length = strlen(bytes->uri->text);
    bytes->is_external = true;
    if (!is_relative(bytes->uri->text)) {
        return snw_gltf_fail_value(
            gltf, bytes->uri, "the name of a file beside it, or base64 data");
    }
    char *name = snw_json_take(&gltf->tree, length + 1);
    if (name == NULL) { return snw_gltf_no_memory(gltf); }
    snw_uri_decode(bytes->uri->text, name);
    const char *data = NULL;
    size_t size = 0;
    sinew_Status status = SINEW_STATUS_CANNOT_READ;
    if (source->read != NULL) { status = source->read(source->user, name, &data, &size, &reason); }
    if (status != SINEW_STATUS_OK) {
        char found[200];
        snprintf(found, sizeof found, "a file that cannot be read (%.150s)", reason.text);
        snw_gltf_fail(gltf, bytes->uri, found, "%.40s", name);
        return status == SINEW_STATUS_OUT_OF_MEMORY ? status : SINEW_STATUS_CANNOT_READ;
    }
    unsigned char *copy = size <= SNW_MAX_FILE_SIZE ? snw_alloc(&gltf->allocator, size + 1) : NULL;
    if (copy != NULL) {
        memcpy(copy, data, size);
        bytes->data = copy;
        bytes->size = size;
        bytes->capacity = size + 1;
    }
    if (source->release != NULL) { source->release(source->user, data, size); }
    return copy != NULL ? SINEW_STATUS_OK : snw_gltf_no_memory(gltf);
}

static sinew_Status load_uri(
    sinew_Gltf *gltf, snw_GltfBytes *bytes, const snw_Json *uri, const sinew_FileSource *source)
{
    if (uri->kind != SNW_JSON_TEXT) { return snw_gltf_fail_value(gltf, uri, "uri: a text"); }
    bytes->uri = uri;
    const char *text = data_of_uri(uri);
    if (text != NULL) { return load_data(gltf, bytes, text); }
    return load_external(gltf, bytes, source);
}

static sinew_Status load_buffer(
    sinew_Gltf *gltf, const snw_Json *item, int index, const sinew_FileSource *source)
{
    SNW_ASSERT(index >= 0);
    char found[80];
    snw_GltfBytes *bytes = &gltf->buffers[index];
    const snw_Json *uri = snw_json_get(item, "uri"), *length = snw_json_get(item, "byteLength");
    size_t wanted = 0;
    if (length == NULL) { return snw_gltf_fail(gltf, item, "no \"byteLength\"", "one"); }
    sinew_Status status = snw_gltf_size(gltf, item, "byteLength", &wanted);
    if (status != SINEW_STATUS_OK) { return status; }
    if (uri != NULL) {
        status = load_uri(gltf, bytes, uri, source);
        if (status != SINEW_STATUS_OK) { return status; }
    } else if (index == 0 && gltf->chunk_end > gltf->chunk_start) {
        bytes->data = (const unsigned char *)gltf->data + gltf->chunk_start;
        bytes->size = gltf->chunk_end - gltf->chunk_start;
        bytes->file_start = gltf->chunk_start;
    } else if (wanted > 0) {
        return snw_gltf_fail(
            gltf, item, "a buffer without \"uri\"", "one, or a binary chunk behind the text");
    }
    if (bytes->size < wanted) {
        snprintf(found, sizeof found, "%zu byte%s in buffer %d", bytes->size,
            snw_plural((double)bytes->size), index);
        return snw_gltf_fail(gltf, length, found, "byteLength %zu", wanted);
    }
    bytes->size = wanted;
    return SINEW_STATUS_OK;
}

sinew_Status snw_gltf_load_buffers(sinew_Gltf *gltf, const sinew_FileSource *source)
{
    int count;
    const snw_Json *const *items;
    gltf->buffers = snw_gltf_take_list(gltf, "buffers", sizeof *gltf->buffers, &items, &count);
    if (gltf->buffers == NULL) { return snw_gltf_no_memory(gltf); }
    size_t total = 0;
    for (int i = 0; i < count; ++i) {
        gltf->buffer_count = i + 1;
        sinew_Status status = load_buffer(gltf, items[i], i, source);
        if (status != SINEW_STATUS_OK) { return status; }
        total += gltf->buffers[i].size;
        if (total > SNW_MAX_FILE_SIZE) {
            return snw_gltf_fail(gltf, items[i], "more than 1 GiB in all buffers", "less");
        }
    }
    // a byte is a number at most once, and each value brings its time along
    gltf->budget = 4 * total + 65536;
    return SINEW_STATUS_OK;
}

static sinew_Status load_image(
    sinew_Gltf *gltf, const snw_Json *item, int index, const sinew_FileSource *source)
{
    SNW_ASSERT(index >= 0);
    snw_GltfBytes *bytes = &gltf->images[index];
    const snw_Json *uri = snw_json_get(item, "uri");
    int view = -1;
    if (uri == NULL) {
        sinew_Status status = snw_gltf_index(gltf, item, "bufferView", gltf->view_count, &view);
        if (status != SINEW_STATUS_OK || view < 0) { return status; }
        const snw_GltfView *part = &gltf->views[view];
        bytes->data = gltf->buffers[part->buffer].data + part->offset;
        bytes->size = part->length;
        return SINEW_STATUS_OK;
    }
    sinew_Message *told = gltf->message, unseen;
    gltf->message = &unseen;
    sinew_Status status = load_uri(gltf, bytes, uri, source);
    gltf->message = told;
    if (status == SINEW_STATUS_OUT_OF_MEMORY) { return snw_gltf_no_memory(gltf); }
    if (status != SINEW_STATUS_OK) {
        // a motion does without pictures
        bytes->size = 0;
        snw_motion_warn(gltf->file, "image %d (%.60s) cannot be read", index,
            uri->kind == SNW_JSON_TEXT && data_of_uri(uri) == NULL ? uri->text : "data");
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_gltf_load_images(sinew_Gltf *gltf, const sinew_FileSource *source)
{
    int count;
    const snw_Json *const *items;
    gltf->images = snw_gltf_take_list(gltf, "images", sizeof *gltf->images, &items, &count);
    if (gltf->images == NULL) { return snw_gltf_no_memory(gltf); }
    gltf->image_count = count;
    for (int i = 0; i < count; ++i) {
        sinew_Status status = load_image(gltf, items[i], i, source);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    return SINEW_STATUS_OK;
}
