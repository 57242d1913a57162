#include "file/bvh.h"

#include "base/message.h"

#include "math/holds.h"

#include <stdio.h>
#include <string.h>

// A larger unit may not be asked for either, metres.
#define MAX_UNIT 1e9

// Frames without numbers take no room in the file, so they are bounded by themselves.
#define MAX_EMPTY_FRAMES 1000000

typedef struct Parser {
    snw_Text *text;
    snw_Bvh *bvh;
    int current;                   // joint whose braces are open, -1 outside
    bool has_offset, has_channels; // of the current joint
    bool is_no_end;                // the OFFSET that was read last is SNW_BVH_NO_END
} Parser;

snw_Bvh snw_bvh_create(const sinew_Allocator *allocator)
{
    snw_Bvh bvh;
    memset(&bvh, 0, sizeof bvh);
    bvh.joints = snw_buffer_create(allocator);
    bvh.names = snw_buffer_create(allocator);
    return bvh;
}

void snw_bvh_destroy(snw_Bvh *bvh)
{
    snw_buffer_destroy(&bvh->joints);
    snw_buffer_destroy(&bvh->names);
}

snw_BvhJoint *snw_bvh_joints(const snw_Bvh *bvh)
{
    return (snw_BvhJoint *)(void *)bvh->joints.data;
}

const char *snw_bvh_name(const snw_Bvh *bvh, int joint)
{
    return bvh->names.data + snw_bvh_joints(bvh)[joint].name;
}

double snw_bvh_length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

bool snw_bvh_is_ball(const snw_BvhJoint *joint)
{
    const int *axis = joint->rotation_axis;
    return joint->rotation_count == 3 && axis[0] != axis[1] && axis[1] != axis[2]
        && axis[0] != axis[2];
}

bool snw_bvh_has_positions(const snw_BvhJoint *joint)
{
    return joint->rotation_count < joint->channel_count;
}

// a number with a message when it is none, or absurd
static sinew_Status take_number(snw_Text *text, const char *what, double *out_value)
{
    size_t start = text->at;
    switch (snw_text_number(text, out_value)) {
    case SNW_NUMBER_NONE: return snw_text_fail(text, "%s, a number", what);
    case SNW_NUMBER_NOT_FINITE: return snw_text_fail(text, "%s, a finite number", what);
    case SNW_NUMBER_OK: break;
    }
    if (*out_value > SNW_BVH_MAX_NUMBER || *out_value < -SNW_BVH_MAX_NUMBER) {
        text->at = start;
        return snw_text_fail(text, "%s, at most %g in size", what, SNW_BVH_MAX_NUMBER);
    }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Hierarchy

static sinew_Status take_open_brace(snw_Text *text, const char *after)
{
    if (!snw_span_is(snw_text_peek(text), "{")) {
        return snw_text_fail(text, "\"{\" after %s", after);
    }
    snw_text_take(text);
    return SINEW_STATUS_OK;
}

// some exporters put the name on the next line
static sinew_Status take_name(snw_Text *text, const char *keyword, snw_Span *out_name)
{
    *out_name = snw_text_take_rest_of_line(text);
    if (out_name->length > 0) { return SINEW_STATUS_OK; }
    snw_Span next = snw_text_peek(text);
    if (next.length == 0 || next.start[0] == '{' || next.start[0] == '}') {
        return snw_text_fail(text, "a name after %s", keyword);
    }
    *out_name = snw_text_take_rest_of_line(text);
    return SINEW_STATUS_OK;
}

static sinew_Status open_joint(Parser *parser, snw_Span name, bool is_end_site)
{
    snw_Bvh *bvh = parser->bvh;
    if (bvh->joint_count >= SINEW_MAX_JOINTS) {
        return snw_text_fail(parser->text, "at most %d joints (End Sites count)", SINEW_MAX_JOINTS);
    }
    const char *nul = name.length > 0 ? memchr(name.start, '\0', name.length) : NULL;
    if (nul != NULL) {
        size_t at = (size_t)(nul - parser->text->data);
        return snw_text_fail_at(parser->text, at, "a zero byte", "a name without it");
    }
    if (name.length > SNW_BVH_MAX_NAME) {
        parser->text->at = (size_t)(name.start - parser->text->data);
        return snw_text_fail(parser->text, "a name of at most %d bytes", SNW_BVH_MAX_NAME);
    }
    snw_BvhJoint *joint = snw_buffer_extend(&bvh->joints, sizeof *joint);
    size_t name_start = bvh->names.size;
    bool added = snw_buffer_add(&bvh->names, name.start, name.length)
        && snw_buffer_add(&bvh->names, "", 1);
    if (joint == NULL || !added) { return SINEW_STATUS_OUT_OF_MEMORY; }

    joint->parent = parser->current;
    joint->name = name_start;
    joint->is_end_site = is_end_site;
    joint->channel_start = bvh->channel_count;
    for (int i = 0; i < 3; ++i) { joint->position_place[i] = -1; }
    if (parser->current >= 0) {
        snw_BvhJoint *parent = &snw_bvh_joints(bvh)[parser->current];
        ++parent->child_count;
        parent->end_site_count += is_end_site;
    }
    parser->current = bvh->joint_count++;
    parser->has_offset = parser->has_channels = false;
    return take_open_brace(parser->text, is_end_site ? "End Site" : "the joint's name");
}

static sinew_Status take_joint(Parser *parser, const char *keyword)
{
    snw_Span name;
    sinew_Status status = take_name(parser->text, keyword, &name);
    return status == SINEW_STATUS_OK ? open_joint(parser, name, false) : status;
}

// "End Site", "End Site name", "End name", "End"
static sinew_Status take_end_site(Parser *parser)
{
    snw_Span name = snw_text_take_rest_of_line(parser->text);
    size_t first = 0;
    while (first < name.length && !snw_is_space(name.start[first])) { ++first; }
    snw_Span word = { name.start, first };
    if (snw_span_is(word, "site")) {
        name.start += first;
        name.length -= first;
        while (name.length > 0 && snw_is_space(name.start[0])) {
            ++name.start;
            --name.length;
        }
    }
    return open_joint(parser, name, true);
}

static sinew_Status take_offset(Parser *parser)
{
    snw_BvhJoint *joint = &snw_bvh_joints(parser->bvh)[parser->current];
    for (int i = 0; i < 3; ++i) {
        sinew_Status status = take_number(parser->text, "a component of OFFSET", &joint->offset[i]);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    parser->has_offset = true;
    // after a keyword and three numbers there are so many bytes
    static const char no_end[] = SNW_BVH_NO_END;
    const size_t length = sizeof no_end - 1;
    const char *end = parser->text->data + parser->text->at;
    parser->is_no_end = joint->is_end_site && memcmp(end - length, no_end, length) == 0;
    return SINEW_STATUS_OK;
}

static int channel_of(snw_Span word)
{
    static const char *const names[] = { "Xposition", "Yposition", "Zposition", "Xrotation",
        "Yrotation", "Zrotation" };
    for (int i = 0; i < 6; ++i) {
        if (snw_span_is(word, names[i])) { return i; }
    }
    return -1;
}

static sinew_Status take_channel(Parser *parser, snw_BvhJoint *joint)
{
    snw_Text *text = parser->text;
    int channel = channel_of(snw_text_peek(text));
    if (channel < 0) { return snw_text_fail(text, "a channel, Xposition to Zrotation"); }
    int place = joint->channel_count;
    if (channel <= SNW_BVH_Z_POSITION) {
        if (joint->position_place[channel] >= 0) {
            return snw_text_fail(text, "each position channel once");
        }
        joint->position_place[channel] = place;
    } else {
        joint->rotation_place[joint->rotation_count] = (unsigned char)place;
        joint->rotation_axis[joint->rotation_count] = channel - SNW_BVH_X_ROTATION;
        ++joint->rotation_count;
    }
    joint->channels[joint->channel_count++] = (unsigned char)channel;
    snw_text_take(text);
    return SINEW_STATUS_OK;
}

static sinew_Status take_channels(Parser *parser)
{
    snw_Text *text = parser->text;
    snw_Bvh *bvh = parser->bvh;
    snw_BvhJoint *joint = &snw_bvh_joints(bvh)[parser->current];
    snw_text_skip_space(text);
    size_t start = text->at;
    double count;
    int most = joint->is_end_site ? 0 : SNW_BVH_MAX_CHANNELS;
    snw_NumberResult result = snw_text_number(text, &count);
    if (result != SNW_NUMBER_OK || !(count >= 0.0 && count <= most) || count != (int)count) {
        text->at = start;
        if (joint->is_end_site) { return snw_text_fail(text, "no channels in an End Site"); }
        return snw_text_fail(text, "a number of channels, 0 to %d", most);
    }
    joint->channel_start = bvh->channel_count;
    for (int i = 0; i < (int)count; ++i) {
        sinew_Status status = take_channel(parser, joint);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    bvh->channel_count += joint->channel_count;
    parser->has_channels = true;
    return SINEW_STATUS_OK;
}

static sinew_Status close_joint(Parser *parser)
{
    snw_Bvh *bvh = parser->bvh;
    const snw_BvhJoint *joint = &snw_bvh_joints(bvh)[parser->current];
    parser->current = joint->parent;
    if (joint->is_end_site && parser->is_no_end) {
        --bvh->joint_count;
        bvh->joints.size -= sizeof *joint;
    }
    // whatever closes a child, the parent said what it had to say before
    parser->has_offset = parser->has_channels = true;
    return SINEW_STATUS_OK;
}

// one statement inside the braces of a joint
static sinew_Status take_statement(Parser *parser)
{
    snw_Text *text = parser->text;
    bool in_end_site = snw_bvh_joints(parser->bvh)[parser->current].is_end_site;
    snw_Span word = snw_text_peek(text);
    if (snw_span_is(word, "OFFSET") && !parser->has_offset) {
        snw_text_take(text);
        return take_offset(parser);
    }
    if (snw_span_is(word, "CHANNELS") && !parser->has_channels) {
        snw_text_take(text);
        return take_channels(parser);
    }
    if (!parser->has_offset) { return snw_text_fail(text, "OFFSET"); }
    if (snw_span_is(word, "}")) {
        parser->bvh->without_channels += !parser->has_channels && !in_end_site;
        snw_text_take(text);
        return close_joint(parser);
    }
    if (in_end_site) { return snw_text_fail(text, "\"}\""); }
    bool is_joint = snw_span_is(word, "JOINT");
    if (is_joint || snw_span_is(word, "End")) {
        parser->bvh->without_channels += !parser->has_channels;
        snw_text_take(text);
        return is_joint ? take_joint(parser, "JOINT") : take_end_site(parser);
    }
    return snw_text_fail(
        text, "%sJOINT, End Site or \"}\"", parser->has_channels ? "" : "CHANNELS, ");
}

static sinew_Status parse_hierarchy(Parser *parser)
{
    snw_Text *text = parser->text;
    if (!snw_span_is(snw_text_peek(text), "HIERARCHY")) { return snw_text_fail(text, "HIERARCHY"); }
    snw_text_take(text);
    for (;;) {
        sinew_Status status;
        if (parser->current >= 0) {
            status = take_statement(parser);
        } else if (snw_span_is(snw_text_peek(text), "ROOT")) {
            snw_text_take(text);
            status = take_joint(parser, "ROOT");
        } else if (parser->bvh->joint_count == 0) {
            return snw_text_fail(text, "ROOT");
        } else if (snw_span_is(snw_text_peek(text), "MOTION")) {
            snw_text_take(text);
            return SINEW_STATUS_OK;
        } else {
            return snw_text_fail(text, "MOTION or another ROOT");
        }
        if (status != SINEW_STATUS_OK) { return status; }
    }
}

// ---------------------------------------------------------------------------------------------
// Motion

static sinew_Status take_frame_count(snw_Text *text, snw_Bvh *bvh)
{
    if (!snw_text_take_label(text, "frames")) { return snw_text_fail(text, "\"Frames:\""); }
    snw_text_skip_space(text);
    size_t start = text->at;
    double count;
    if (snw_text_number(text, &count) != SNW_NUMBER_OK || !(count >= 0.0) || count > 9e15
        || count != (double)(long long)count) {
        text->at = start;
        return snw_text_fail(text, "a whole number of frames");
    }
    bvh->declared_frames = (long long)count;

    // those that have numbers are counted by them
    if (bvh->channel_count == 0 && count > MAX_EMPTY_FRAMES) {
        text->at = start;
        return snw_text_fail(text, "at most %d frames without channels", MAX_EMPTY_FRAMES);
    }
    return SINEW_STATUS_OK;
}

// see SNW_BVH_NOTE_DECIMALS; whoever else writes so many decimals has no row of zeros there
static double noted_unit(const char *number, size_t length)
{
    static const char zeros[] = "00000000";
    const size_t zero_count = sizeof zeros - 1;
    const char *digit = memchr(number, '.', length);
    if (digit == NULL || number + length - digit <= SNW_BVH_NOTE_DECIMALS) { return 0.0; }
    digit += 1 + SNW_BVH_NOTE_DECIMALS - zero_count;
    if (memcmp(digit, zeros, zero_count) != 0) { return 0.0; }
    double unit = 0.0;
    for (digit += zero_count; digit < number + length && *digit >= '0' && *digit <= '9'; ++digit) {
        unit = unit * 10.0 + (*digit - '0');
    }
    unit /= SNW_BVH_NOTE_SCALE;
    return unit <= MAX_UNIT ? unit : 0.0;
}

static sinew_Status take_frame_time(snw_Text *text, snw_Bvh *bvh)
{
    if (!snw_text_take_label(text, "frame time")) { return snw_text_fail(text, "\"Frame Time:\""); }
    snw_text_skip_space(text);
    size_t start = text->at;
    double time;
    sinew_Status status = take_number(text, "the frame time", &time);
    if (status != SINEW_STATUS_OK) { return status; }
    if (time < 0.0) {
        text->at = start;
        return snw_text_fail(text, "a frame time of 0 or more seconds");
    }
    if (time > 0.0 && !(time >= SNW_LEAST_FRAME_TIME && time <= SNW_MOST_FRAME_TIME)) {
        text->at = start;
        return snw_text_fail(text, "a frame time of %g to %g seconds, or 0 where it is unknown",
            SNW_LEAST_FRAME_TIME, SNW_MOST_FRAME_TIME);
    }
    bvh->point_without_digit = text->data[start] == '.';
    bvh->noted_unit = noted_unit(text->data + start, text->at - start);
    bvh->frame_time_was_zero = !(time > 0.0);
    bvh->frame_time = time > 0.0 ? time : 1.0 / 30.0;
    return SINEW_STATUS_OK;
}

sinew_Status snw_bvh_parse_frame(snw_Text *text, const snw_Bvh *bvh, int frame, double *out_numbers)
{
    SNW_ASSERT(frame >= 0);
    for (int i = 0; i < bvh->channel_count; ++i) {
        snw_NumberResult result = snw_text_number(text, &out_numbers[i]);
        double size = result == SNW_NUMBER_OK ? out_numbers[i] : 0.0;
        if (result == SNW_NUMBER_OK && size <= SNW_BVH_MAX_NUMBER && size >= -SNW_BVH_MAX_NUMBER) {
            continue;
        }
        if (result == SNW_NUMBER_OK) {
            while (!snw_is_space(text->data[text->at - 1])) { --text->at; }
            return snw_text_fail(text, "at most %g in size", SNW_BVH_MAX_NUMBER);
        }
        if (snw_text_at_end(text)) {
            return snw_text_fail(
                text, "number %d of %d in frame %d", i + 1, bvh->channel_count, frame);
        }
        return snw_text_fail(text, "%s, number %d of %d in frame %d",
            result == SNW_NUMBER_NONE ? "a number" : "a finite number", i + 1, bvh->channel_count,
            frame);
    }
    if (bvh->motion_is_one_line) { return SINEW_STATUS_OK; }
    // a frame that lacks a number would eat into the next line and shift all that follow
    snw_text_skip_blanks(text);
    if (!snw_text_at_end(text) && !snw_is_line_end(text->data[text->at])) {
        return snw_text_fail(text, "the end of the line after the %d number%s of frame %d",
            bvh->channel_count, snw_plural(bvh->channel_count), frame);
    }
    return SINEW_STATUS_OK;
}

// the numbers do not make up the frames: find the first place where that shows
static sinew_Status find_broken_frame(snw_Text *text, const snw_Bvh *bvh)
{
    snw_Buffer numbers = snw_buffer_create(&bvh->joints.allocator);
    double *row = snw_buffer_extend(&numbers, (size_t)bvh->channel_count * sizeof(double));
    sinew_Status status = row == NULL ? SINEW_STATUS_OUT_OF_MEMORY : SINEW_STATUS_OK;
    long long frame = 0;
    while (status == SINEW_STATUS_OK) {
        snw_text_skip_space(text);
        if (snw_text_at_end(text)) {
            char found[64];
            snprintf(found, sizeof found, "the end of the file after %lld frame%s", frame,
                snw_plural((double)frame));
            status = snw_text_fail_at(text, text->at, found, "%lld frame%s", bvh->declared_frames,
                snw_plural((double)bvh->declared_frames));
        } else {
            status = snw_bvh_parse_frame(text, bvh, (int)frame++, row);
        }
    }
    snw_buffer_destroy(&numbers);
    return status;
}

static bool is_one_line(const snw_Text *text)
{
    snw_Text rest = *text;
    snw_text_skip_space(&rest);
    while (rest.at < rest.size && !snw_is_line_end(rest.data[rest.at])) { ++rest.at; }
    snw_text_skip_space(&rest);
    return snw_text_at_end(&rest);
}

static sinew_Status count_frames(snw_Text *text, snw_Bvh *bvh)
{
    size_t words = snw_text_count_words(text);
    if (bvh->channel_count == 0) {
        bvh->frame_count = (int)bvh->declared_frames;
        return words == 0 ? SINEW_STATUS_OK
                          : snw_text_fail(text, "the end of the file, as no joint has channels");
    }
    size_t width = (size_t)bvh->channel_count;
    // some write all frames into one line: then the count alone tells that no number is missing
    bvh->motion_is_one_line = bvh->declared_frames > 1
        && words == width * (size_t)bvh->declared_frames && is_one_line(text);
    if (words % width != 0 || words / width < (unsigned long long)bvh->declared_frames) {
        return find_broken_frame(text, bvh);
    }
    bvh->frame_count = (int)(words / width); // the file size bounds it far below INT_MAX
    return SINEW_STATUS_OK;
}

sinew_Status snw_bvh_parse(snw_Text *text, snw_Bvh *bvh)
{
    Parser parser = { text, bvh, -1, false, false, false };
    sinew_Status status = parse_hierarchy(&parser);
    if (status == SINEW_STATUS_OK) { status = take_frame_count(text, bvh); }
    if (status == SINEW_STATUS_OK) { status = take_frame_time(text, bvh); }
    if (status != SINEW_STATUS_OK) { return status; }
    bvh->motion_start = text->at;
    return count_frames(text, bvh);
}
