// Motion files read and written: which format each has.

#include "base/memory.h"
#include "base/message.h"
#include "file/format.h"
#include "file/gltf.h"

#include <stdlib.h>
#include <string.h>

// So many bytes at the start tell the format.
#define HEAD_SIZE 65536

// ---------------------------------------------------------------------------------------------
// Formats by content

// what a file that nothing here reads looks like, NULL when nobody knows
static const char *known_format(const char *data, size_t size)
{
    size_t head = size < HEAD_SIZE ? size : HEAD_SIZE;
    size_t start = 0;
    while (start < head && snw_is_space(data[start])) { ++start; }
    const char *first = data + start;
    size_t left = head - start;
    if (snw_bytes_begin(data, head, "Kaydara FBX") || snw_bytes_begin(data, head, "; FBX")) {
        return "an FBX file";
    }
    if (snw_bytes_begin(data, head, "\xff\xfe") || snw_bytes_begin(data, head, "\xfe\xff")) {
        return "UTF-16 text";
    }
    if (snw_bytes_begin(data, head, "\x1f\x8b") || snw_bytes_begin(data, head, "PK\x03\x04")) {
        return "a compressed file";
    }
    if (snw_bytes_begin(data, head, "\x89PNG")) { return "a PNG picture"; }
    if (snw_bytes_begin(first, left, "{") || snw_bytes_begin(first, left, "[")) {
        return "a JSON file";
    }
    if (snw_bytes_begin(first, left, "<")) { return "an XML file"; }
    bool is_commented = snw_bytes_begin(first, left, "#");
    if (snw_bytes_begin(first, left, ":version")
        || (is_commented && snw_bytes_contain(first, left, "\n:version"))) {
        return "an ASF skeleton file";
    }
    if (snw_bytes_begin(first, left, ":")
        || (is_commented && snw_bytes_contain(first, left, "\n:"))) {
        return "an AMC motion file";
    }
    return NULL;
}

static bool is_blank(const snw_Text *text)
{
    size_t at = text->at;
    while (at < text->size && snw_is_space(text->data[at])) { ++at; }
    return at == text->size;
}

static sinew_Status read_by_content(
    snw_Text *text, const sinew_ReadOptions *options, sinew_MotionFile *file)
{
    if (snw_bytes_begin(text->data, text->size, "\xef\xbb\xbf")) { text->at = 3; }
    const snw_FormatRow *row = snw_format_begins(text);
    if (row != NULL) {
        file->format = row->format;
        return row->read(text, options, file);
    }
    // one that is cut short, or has the wrong top, is of the format that its name says
    const char *looks = known_format(text->data + text->at, text->size - text->at);
    row = looks != NULL || is_blank(text) ? snw_format_named(text->name, looks) : NULL;
    if (row != NULL) {
        file->format = row->format;
        return row->read(text, options, file);
    }
    if (looks != NULL) {
        snw_text_fail_at(text, text->at, looks,
            "a BVH file (HIERARCHY ... MOTION ...), a glTF file or a URDF file (<robot ...>)");
        return SINEW_STATUS_UNSUPPORTED;
    }
    return snw_text_fail(text, "HIERARCHY, the first word of a BVH file");
}

// ---------------------------------------------------------------------------------------------
// Reading

static sinew_Status read_text(
    snw_Text *text, const sinew_ReadOptions *options, sinew_MotionFile **out_file)
{
    sinew_Allocator allocator = snw_allocator_or_default(&options->allocator);
    sinew_MotionFile *file = snw_motion_create(&allocator);
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    if (file != NULL) {
        // bytes that old systems put behind a text
        while (text->size > 0 && !snw_gltf_begins(text->data, text->size)
            && (text->data[text->size - 1] == '\0' || text->data[text->size - 1] == '\x1a')) {
            --text->size;
        }
        status = read_by_content(text, options, file);
        if (status == SINEW_STATUS_OK && (file->warnings.failed || file->warning_starts.failed)) {
            status = SINEW_STATUS_OUT_OF_MEMORY;
        }
    }
    if (status == SINEW_STATUS_OUT_OF_MEMORY) {
        snw_message_set(text->message, "%s: no memory to read the file", text->name);
    }
    if (status != SINEW_STATUS_OK) {
        sinew_motion_destroy(file);
        return status;
    }
    *out_file = file;
    return SINEW_STATUS_OK;
}

static sinew_Status check_read_options(const sinew_ReadOptions *options, sinew_Message *out_message)
{
    if (!(options->unit >= 0.0) || !isfinite(options->unit)) {
        return snw_refuse(
            out_message, "options.unit is %g, want metres per unit, or 0 to guess", options->unit);
    }
    if (options->unit > 0.0 && (options->unit < 1e-9 || options->unit > 1e9)) {
        return snw_refuse(out_message, "options.unit is %g, want 1e-9 to 1e9", options->unit);
    }
    if ((unsigned)options->positions > (unsigned)SINEW_BVH_POSITIONS_ADD) {
        return snw_refuse(
            out_message, "options.positions is %d, want 0..2", (int)options->positions);
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_motion_read_memory(const char *data, size_t size, const char *name,
    const sinew_ReadOptions *options, sinew_MotionFile **out_file, sinew_Message *out_message)
{
    if (out_file != NULL) { *out_file = NULL; }
    if ((data == NULL && size > 0) || name == NULL || out_file == NULL) {
        return SNW_CHECK_NULL(out_message, "data name out_file", data, name, out_file);
    }
    if (size > SNW_MAX_FILE_SIZE) {
        return snw_refuse(out_message, "size is %z, want at most %z", size, SNW_MAX_FILE_SIZE);
    }
    sinew_ReadOptions used = options != NULL ? *options : sinew_read_options_default();
    sinew_Status status = check_read_options(&used, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_Text text = { size > 0 ? data : "", size, 0, name, out_message, false };
    return read_text(&text, &used, out_file);
}

// files beside the one that is read
typedef struct Folder {
    const char *path; // of that file
    const sinew_Allocator *allocator;
} Folder;

static sinew_Status read_beside(void *user, const char *name, const char **out_data,
    size_t *out_size, sinew_Message *out_message)
{
    const Folder *folder = user;
    const char *slash = strrchr(folder->path, '/');
    size_t capacity, used = slash != NULL ? (size_t)(slash - folder->path) + 1 : 0;
    size_t length = used + strlen(name) + 1;
    char *path = snw_alloc(folder->allocator, length), *data = NULL;
    if (path == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    memcpy(path, folder->path, used);
    memcpy(path + used, name, length - used);
    sinew_Status status = snw_text_read_file(
        path, folder->allocator, &data, out_size, &capacity, out_message);
    snw_free(folder->allocator, path, length);
    *out_data = data;
    return status;
}

static void release_beside(void *user, const char *data, size_t size)
{
    const Folder *folder = user;
    // as large as snw_text_read_file makes it: one byte more than the file
    snw_free(folder->allocator, (void *)(uintptr_t)data, size + 1);
}

sinew_Status sinew_motion_read(const char *path, const sinew_ReadOptions *options,
    sinew_MotionFile **out_file, sinew_Message *out_message)
{
    if (out_file != NULL) { *out_file = NULL; }
    if (path == NULL || out_file == NULL) {
        return SNW_CHECK_NULL(out_message, "path out_file", path, out_file);
    }
    sinew_Allocator allocator = snw_allocator_or_default(
        options != NULL ? &options->allocator : NULL);
    char *data;
    size_t size, capacity;
    sinew_Status status = snw_text_read_file(
        path, &allocator, &data, &size, &capacity, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_ReadOptions used = options != NULL ? *options : sinew_read_options_default();
    Folder folder = { path, &allocator };
    if (used.source.read == NULL) {
        used.source.read = read_beside;
        used.source.release = release_beside;
        used.source.user = &folder;
    }
    status = sinew_motion_read_memory(data, size, path, &used, out_file, out_message);
    snw_free(&allocator, data, capacity);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Writing

// formats differ in what they make of a number that is none: a motion that would be read back as another
static sinew_Status check_frames(const sinew_Clip *clip, sinew_Message *out_message)
{
    for (int f = 0; f < sinew_clip_frame_count(clip); ++f) {
        sinew_Message why = { "" };
        sinew_Status status = sinew_pose_check(
            sinew_clip_skeleton(clip), sinew_clip_frame_const(clip, f), &why);
        if (status != SINEW_STATUS_OK) {
            return snw_fail(out_message, status, "frame %d of the clip: %s", f, why.text);
        }
    }
    return SINEW_STATUS_OK;
}

// the bytes of a file, by the ending of its name
static sinew_Status write_bytes(const char *path, const sinew_Clip *clip,
    const sinew_WriteOptions *options, snw_Buffer *out_bytes, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "path clip", path, clip);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_WriteOptions used = options != NULL ? *options : sinew_write_options_default();
    if (used.unit != 0.0 && !(used.unit >= 1e-9 && used.unit <= 1e9)) {
        return snw_refuse(out_message, "options.unit is %g, want 1e-9 to 1e9", used.unit);
    }
    if (!sinew_vec3_is_finite(used.up)) {
        return snw_refuse(out_message, "options.up is not finite");
    }
    const snw_FormatRow *row = snw_format_written(path);
    if (row == NULL) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "%s: found another ending, expected .bvh, .glb or .gltf", path);
    }
    status = check_frames(clip, out_message);
    if (status == SINEW_STATUS_OK) {
        status = row->write(path, clip, &used, out_bytes, out_message);
    }
    if (status == SINEW_STATUS_OK && out_bytes->size > SNW_MAX_FILE_SIZE) {
        // no reader of ours would take it
        return snw_refuse(out_message, "the file would have %z MiB, want at most %z",
            out_bytes->size >> 20, SNW_MAX_FILE_SIZE >> 20);
    }
    return status;
}

sinew_Status sinew_motion_write(const char *path, const sinew_Clip *clip,
    const sinew_WriteOptions *options, sinew_Message *out_message)
{
    snw_Buffer bytes = snw_buffer_create(NULL);
    sinew_Status status = write_bytes(path, clip, options, &bytes, out_message);
    if (status == SINEW_STATUS_OK) { status = snw_file_save(path, &bytes, out_message); }
    snw_buffer_destroy(&bytes);
    return status;
}

sinew_Status sinew_motion_write_memory(const char *path, const sinew_Clip *clip,
    const sinew_WriteOptions *options, const sinew_Allocator *allocator, char **out_data,
    size_t *out_size, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "out_data out_size", out_data, out_size);
    if (status != SINEW_STATUS_OK) { return status; }
    *out_data = NULL;
    *out_size = 0;
    snw_Buffer bytes = snw_buffer_create(NULL);
    status = write_bytes(path, clip, options, &bytes, out_message);
    // without an allocator the caller gives it to free, which takes what malloc gave alone
    bool own = allocator != NULL && (allocator->alloc != NULL || allocator->free != NULL);
    char *data = NULL;
    if (status == SINEW_STATUS_OK) {
        data = own ? snw_alloc(allocator, bytes.size) : malloc(bytes.size + 1);
    }
    if (data != NULL) {
        memcpy(data, bytes.data, bytes.size);
        *out_data = data;
        *out_size = bytes.size;
    } else if (status == SINEW_STATUS_OK) {
        status = snw_no_memory(out_message, "%z bytes", bytes.size);
    }
    snw_buffer_destroy(&bytes);
    return status;
}
