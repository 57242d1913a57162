#include "sinew/steering_file.h"

#include "base/memory.h"
#include "base/message.h"
#include "file/buffer.h"
#include "file/cells.h"

#include <stdio.h>
#include <string.h>

enum { LEAST_COLUMNS = 3, COLUMNS = 7 };
/// Of a jump, metres; those of sinew_walker_jump.
#define LEAST_JUMP 0.05
#define MOST_JUMP 1.0

struct sinew_StickRecording {
    snw_Buffer keys; // sinew_StickKey
    int count;
};

// ---------------------------------------------------------------------------------------------
// Reading

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// a first line of words names the columns; they must be ours, in this order
static sinew_Status read_header(snw_Text *text)
{
    const char *const names[COLUMNS] = { "seconds", "x", "y", "strafe", "jump", "crouch", "carry" };
    const snw_Span first = snw_cells_peek(text);
    if (first.length == 0 || !is_letter(*first.start) || snw_span_is(first, "nan")
        || snw_span_is(first, "inf")) {
        return SINEW_STATUS_OK;
    }
    int column = 0;
    for (; !snw_text_at_end(text) && !snw_is_line_end(text->data[text->at]); ++column) {
        snw_text_skip_blanks(text);
        const size_t place = text->at;
        const snw_Span name = snw_cells_take(text);
        if (column >= COLUMNS || !snw_span_is(name, names[column])) {
            char found[64];
            const int shown = name.length < 40 ? (int)name.length : 40;
            snprintf(found, sizeof found, "'%.*s'", shown, name.start);
            return column >= COLUMNS
                ? snw_text_fail_at(text, place, found, "the end of the line")
                : snw_text_fail_at(text, place, found, "the name '%s'", names[column]);
        }
    }
    if (column < LEAST_COLUMNS) {
        return snw_text_fail_at(
            text, text->at, "the end of the line", "the name '%s'", names[column]);
    }
    return SINEW_STATUS_OK;
}

// numbers of one line, those that are not there 0
static sinew_Status read_numbers(snw_Text *text, double *out_values, size_t *out_places)
{
    int count = 0;
    double value;
    size_t place;
    snw_CellResult result;
    for (int i = 0; i < COLUMNS; ++i) { out_values[i] = 0.0; }
    while ((result = snw_cells_number(text, &value, &place)) == SNW_CELL_NUMBER) {
        if (count == COLUMNS) {
            return snw_text_fail_at(text, place, "one more number", "the end of the line");
        }
        out_values[count] = value;
        out_places[count++] = place;
    }
    if (result == SNW_CELL_BAD) { return SINEW_STATUS_BAD_FILE; }
    if (count < LEAST_COLUMNS) {
        char found[64];
        snprintf(
            found, sizeof found, "the end of the line after %d number%s", count, snw_plural(count));
        return snw_text_fail_at(text, text->at, found, "seconds, x and y");
    }
    return SINEW_STATUS_OK;
}

static sinew_Status refuse(const snw_Text *text, size_t place, double value, const char *expected)
{
    char found[SNW_NUMBER_SIZE];
    snw_format_significant(value, 12, found);
    return snw_text_fail_at(text, place, found, "%s", expected);
}

static bool is_jump(double height)
{
    return height == 0.0 || (height >= LEAST_JUMP && height <= MOST_JUMP);
}

static bool is_share(double share)
{
    return share >= 0.0 && share <= 1.0;
}

static sinew_Status read_key(snw_Text *text, double earliest, sinew_StickKey *out_key)
{
    double values[COLUMNS];
    size_t places[COLUMNS];
    sinew_Status status = read_numbers(text, values, places);
    if (status != SINEW_STATUS_OK) { return status; }
    if (values[0] < earliest) {
        char expected[80];
        snprintf(expected, sizeof expected, "seconds not below %g", earliest);
        return refuse(text, places[0], values[0], expected);
    }
    for (int i = 1; i < 3; ++i) {
        if (!(fabs(values[i]) <= 1.0)) {
            return refuse(text, places[i], values[i], "a deflection of -1 to 1");
        }
    }
    if (values[3] != 0.0 && values[3] != 1.0) {
        return refuse(text, places[3], values[3], "0 or 1 for strafe");
    }
    if (!is_jump(values[4])) {
        return refuse(text, places[4], values[4], "the height of a jump, 0 or 0.05 to 1 m");
    }
    for (int i = 5; i < COLUMNS; ++i) {
        if (!is_share(values[i])) {
            return refuse(
                text, places[i], values[i], i == 5 ? "a crouch of 0 to 1" : "a load of 0 to 1");
        }
    }
    sinew_StickKey key = { values[0], { values[1], values[2], values[3] == 1.0 }, values[4],
        values[5], values[6] };
    *out_key = key;
    return SINEW_STATUS_OK;
}

static sinew_Status read_keys(snw_Text *text, sinew_StickRecording *recording)
{
    double earliest = 0.0;
    while (snw_cells_next_line(text)) {
        if (recording->count == SINEW_MAX_STICK_KEYS) {
            return snw_fail(text->message, SINEW_STATUS_CAPACITY,
                "%s: more than %d moments, want at most that", text->name, SINEW_MAX_STICK_KEYS);
        }
        sinew_StickKey key = { 0 };
        sinew_Status status = read_key(text, earliest, &key);
        if (status != SINEW_STATUS_OK) { return status; }
        if (!snw_buffer_add(&recording->keys, &key, sizeof key)) {
            return snw_fail(text->message, SINEW_STATUS_OUT_OF_MEMORY,
                "%s: no memory for the recording", text->name);
        }
        ++recording->count;
        earliest = key.time;
    }
    if (recording->count == 0) {
        return snw_text_fail_at(text, text->size, "the end of the file", "seconds, x and y");
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_stick_read_memory(const char *data, size_t size, const char *name,
    const sinew_Allocator *allocator, sinew_StickRecording **out_recording,
    sinew_Message *out_message)
{
    if (out_recording == NULL) { return snw_refuse(out_message, "out_recording is NULL"); }
    *out_recording = NULL;
    sinew_Status status = SNW_CHECK_NULL(out_message, "data name", data, name);
    if (status != SINEW_STATUS_OK) { return status; }
    const sinew_Allocator from = snw_allocator_or_default(allocator);
    sinew_StickRecording *recording = snw_alloc(&from, sizeof *recording);
    if (recording == NULL) {
        return snw_fail(
            out_message, SINEW_STATUS_OUT_OF_MEMORY, "%s: no memory for the recording", name);
    }
    recording->keys = snw_buffer_create(&from);
    snw_Text text = { data, size, 0, name, out_message, false };
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) { text.at = 3; }
    status = SINEW_STATUS_OK;
    if (snw_cells_next_line(&text)) { status = read_header(&text); }
    if (status == SINEW_STATUS_OK) { status = read_keys(&text, recording); }
    if (status != SINEW_STATUS_OK) {
        sinew_stick_destroy(recording);
        return status;
    }
    *out_recording = recording;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_stick_read(const char *path, const sinew_Allocator *allocator,
    sinew_StickRecording **out_recording, sinew_Message *out_message)
{
    if (out_recording == NULL) { return snw_refuse(out_message, "out_recording is NULL"); }
    *out_recording = NULL;
    if (path == NULL) { return snw_refuse(out_message, "path is NULL"); }
    const sinew_Allocator from = snw_allocator_or_default(allocator);
    char *data;
    size_t size, capacity;
    sinew_Status status = snw_text_read_file(path, &from, &data, &size, &capacity, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    status = sinew_stick_read_memory(data, size, path, &from, out_recording, out_message);
    snw_free(&from, data, capacity);
    return status;
}

void sinew_stick_destroy(sinew_StickRecording *recording)
{
    if (recording == NULL) { return; }
    const sinew_Allocator allocator = recording->keys.allocator;
    snw_buffer_destroy(&recording->keys);
    snw_free(&allocator, recording, sizeof *recording);
}

// ---------------------------------------------------------------------------------------------
// Replay

const sinew_StickKey *sinew_stick_keys(const sinew_StickRecording *recording, int *out_count)
{
    if (out_count != NULL) { *out_count = recording != NULL ? recording->count : 0; }
    if (recording == NULL) { return NULL; }
    return (const sinew_StickKey *)(const void *)recording->keys.data;
}

/// How many keys are earlier than a moment; those at it count where with_equal.
static int count_before(const sinew_StickRecording *recording, double time, bool with_equal)
{
    int count;
    const sinew_StickKey *keys = sinew_stick_keys(recording, &count);
    int first = 0, last = count;
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (keys[middle].time < time || (with_equal && keys[middle].time == time)) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

sinew_StickKey sinew_stick_key_at(const sinew_StickRecording *recording, double time)
{
    const sinew_StickKey none = { 0.0, { 0.0, 0.0, false }, 0.0, 0.0, 0.0 };
    const int count = count_before(recording, time, true);
    return count > 0 ? sinew_stick_keys(recording, NULL)[count - 1] : none;
}

sinew_Stick sinew_stick_at(const sinew_StickRecording *recording, double time)
{
    return sinew_stick_key_at(recording, time).stick;
}

double sinew_stick_jump_between(const sinew_StickRecording *recording, double from, double to)
{
    const sinew_StickKey *keys = sinew_stick_keys(recording, NULL);
    const int last = count_before(recording, to, false);
    for (int i = count_before(recording, from, false); i < last; ++i) {
        if (keys[i].jump > 0.0) { return keys[i].jump; }
    }
    return 0.0;
}

// ---------------------------------------------------------------------------------------------
// Writing

/// What is wrong with keys that are to be written.
static sinew_Status check_keys(const sinew_StickKey *keys, int key_count, sinew_Message *message)
{
    double earliest = 0.0;
    for (int i = 0; i < key_count; ++i) {
        const sinew_StickKey *key = &keys[i];
        if (!(key->time >= earliest) || !isfinite(key->time) || !(fabs(key->stick.x) <= 1.0)
            || !(fabs(key->stick.y) <= 1.0)) {
            return snw_refuse(message,
                "keys[%d] is %g s, %g, %g, want times that do not fall and axes within +-1", i,
                key->time, key->stick.x, key->stick.y);
        }
        if (!is_jump(key->jump) || !is_share(key->crouch) || !is_share(key->carry)) {
            return snw_refuse(message,
                "keys[%d] jumps %g m, crouches %g, carries %g, want 0 or 0.05..1 m, 0..1, 0..1", i,
                key->jump, key->crouch, key->carry);
        }
        earliest = key->time;
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_stick_write(
    const char *path, const sinew_StickKey *keys, int key_count, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "path keys", path, keys);
    if (status != SINEW_STATUS_OK) { return status; }
    if (key_count < 1 || key_count > SINEW_MAX_STICK_KEYS) {
        return snw_refuse(
            out_message, "key_count is %d, want 1..%d", key_count, SINEW_MAX_STICK_KEYS);
    }
    status = check_keys(keys, key_count, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    // columns that say nothing are left out
    bool has_more = false;
    for (int i = 0; i < key_count; ++i) {
        has_more = has_more || keys[i].jump > 0.0 || keys[i].crouch > 0.0 || keys[i].carry > 0.0;
    }

    snw_Buffer out = snw_buffer_create(NULL);
    snw_buffer_add_text(&out, "seconds,x,y,strafe");
    snw_buffer_add_text(&out, has_more ? ",jump,crouch,carry\n" : "\n");
    for (int i = 0; i < key_count; ++i) {
        snw_buffer_add_number(&out, keys[i].time);
        snw_buffer_add_text(&out, ",");
        snw_buffer_add_number(&out, keys[i].stick.x);
        snw_buffer_add_text(&out, ",");
        snw_buffer_add_number(&out, keys[i].stick.y);
        snw_buffer_add_text(&out, keys[i].stick.strafe ? ",1" : ",0");
        const double more[3] = { keys[i].jump, keys[i].crouch, keys[i].carry };
        for (int k = 0; k < 3 && has_more; ++k) {
            snw_buffer_add_text(&out, ",");
            snw_buffer_add_number(&out, more[k]);
        }
        snw_buffer_add_text(&out, "\n");
    }
    status = snw_file_save(path, &out, out_message);
    snw_buffer_destroy(&out);
    return status;
}
