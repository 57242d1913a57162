// A motion into a glTF file: the document it belongs to, byte for byte, and the motion as one more
// animation in it. Without a document one is made of the skeleton first.

#include "base/message.h"
#include "file/format.h"
#include "file/gltf.h"
#include "file/gltf_edit.h"
#include "math/holds.h"
#include "sinew/pose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A node that stays this near to its rest in all frames needs no keys: half a unit in the last place
// of single precision near 1. Of the longest bone, and in parts of a quaternion.
#define STILL 3e-8

// A matrix that is this near to a rotation and scales along its axes is written as these.
#define SHEAR 1e-6

typedef struct Track {
    bool turns, shifts; // differs from the rest pose of the file
    bool is_still;      // has one value in all frames
} Track;

typedef struct Writer {
    const sinew_Clip *clip;
    const sinew_MotionFile *like;
    const sinew_Gltf *gltf;
    const char *name; // of the animation
    bool is_turned;   // the clip's world
    sinew_Quat turn;  // to the file's
    bool binary;      // what is written
    bool takes_files; // what lies in other files is taken in
    snw_GltfEdits edits;
    snw_Buffer block;   // bytes of the new animation
    snw_Buffer chunk;   // the binary chunk
    int view, accessor; // next indices
    sinew_Message *message;
} Writer;

static sinew_Status no_memory(const Writer *writer)
{
    return snw_fail(writer->message, SINEW_STATUS_OUT_OF_MEMORY, "no memory to write the file");
}

static int frame_count(const Writer *writer)
{
    return sinew_clip_frame_count(writer->clip);
}

// ---------------------------------------------------------------------------------------------
// What changes

// whether the clip is the very one that was read
static bool is_same_motion(const Writer *writer)
{
    const sinew_Clip *a = writer->clip, *b = writer->like->clip;
    const sinew_Skeleton *x = sinew_clip_skeleton(a), *y = sinew_clip_skeleton(b);
    size_t size = sizeof(double) * (size_t)sinew_skeleton_coordinate_count(x);
    if (sinew_clip_frame_count(a) != sinew_clip_frame_count(b)
        || sinew_clip_frame_time(a) != sinew_clip_frame_time(b)
        || sinew_skeleton_axis_count(x) != sinew_skeleton_axis_count(y)
        || sinew_skeleton_coordinate_count(x) != sinew_skeleton_coordinate_count(y)) {
        return false;
    }
    for (int i = 0; i < sinew_skeleton_axis_count(x); ++i) {
        const sinew_Axis *p = &sinew_skeleton_axes(x)[i], *q = &sinew_skeleton_axes(y)[i];
        bool same = p->kind == q->kind && p->direction.x == q->direction.x
            && p->direction.y == q->direction.y && p->direction.z == q->direction.z;
        if (!same) { return false; }
    }
    for (int f = 0; f < sinew_clip_frame_count(a); ++f) {
        if (memcmp(sinew_clip_frame_const(a, f), sinew_clip_frame_const(b, f), size) != 0) {
            return false;
        }
    }
    return true;
}

static sinew_Status check_skeleton(const Writer *writer)
{
    const sinew_Skeleton *x = sinew_clip_skeleton(writer->clip), *y = writer->like->skeleton;
    int count = sinew_skeleton_joint_count(x);
    if (count != sinew_skeleton_joint_count(y)) {
        return snw_refuse(writer->message, "the clip has %d joint%s, the file to write like has %d",
            count, snw_plural(count), sinew_skeleton_joint_count(y));
    }
    for (int j = 0; j < count; ++j) {
        const sinew_Joint *joint = &sinew_skeleton_joints(x)[j];
        if (joint->parent != sinew_skeleton_joints(y)[j].parent) {
            return snw_refuse(writer->message,
                "joint %d (\"%s\") has another parent in the file to write like", j, joint->name);
        }
    }
    return SINEW_STATUS_OK;
}

static void rename_nodes(Writer *writer)
{
    const sinew_Joint *joints = sinew_skeleton_joints(sinew_clip_skeleton(writer->clip));
    int count = sinew_skeleton_joint_count(writer->like->skeleton);
    for (int j = 0; j < count; ++j) {
        const snw_GltfNode *node = &writer->gltf->nodes[snw_gltf_joints(writer->like)[j].node];
        if (strcmp(node->name, joints[j].name) == 0) { continue; }
        const snw_Json *name = snw_json_get(node->json, "name");
        if (name != NULL) {
            snw_gltf_edit_begin(&writer->edits, name->at, name->end - name->at);
        } else {
            snw_gltf_edit_begin(&writer->edits, node->json->at + 1, 0);
            snw_buffer_add_text(&writer->edits.text, "\"name\":");
        }
        snw_json_put_text(&writer->edits.text, joints[j].name);
        if (name == NULL && node->json->count > 0) {
            snw_buffer_add_text(&writer->edits.text, ",");
        }
        snw_gltf_edit_end(&writer->edits);
    }
}

// ---------------------------------------------------------------------------------------------
// Keys

static void place_of(const Writer *writer, int frame, int joint, sinew_Vec3 *out_translation,
    sinew_Quat *out_rotation)
{
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(writer->clip);
    sinew_Transform local = sinew_pose_local(
        skeleton, sinew_clip_frame_const(writer->clip, frame), joint);
    if (writer->is_turned && sinew_skeleton_joints(skeleton)[joint].parent < 0) {
        local.position = sinew_quat_rotate(writer->turn, local.position);
        local.rotation = sinew_quat_mul(writer->turn, local.rotation);
    }
    snw_gltf_node_place(writer->like, joint, local, out_translation, out_rotation);
}

static double quat_distance(sinew_Quat a, sinew_Quat b)
{
    double sign = sinew_quat_dot(a, b) < 0.0 ? -1.0 : 1.0;
    return fmax(fmax(fabs(a.x - sign * b.x), fabs(a.y - sign * b.y)),
        fmax(fabs(a.z - sign * b.z), fabs(a.w - sign * b.w)));
}

static Track look_at_track(const Writer *writer, int joint)
{
    SNW_ASSERT(joint >= 0);
    Track track = { false, false, true };
    const snw_GltfNode *node = &writer->gltf->nodes[snw_gltf_joints(writer->like)[joint].node];
    double longest = fmax(writer->gltf->longest, 1e-30);
    sinew_Vec3 first_place = node->translation;
    sinew_Quat first_turn = node->rotation;
    for (int f = 0; f < frame_count(writer); ++f) {
        sinew_Vec3 place;
        sinew_Quat turn;
        place_of(writer, f, joint, &place, &turn);
        if (f == 0) {
            first_place = place;
            first_turn = turn;
        }
        track.shifts = track.shifts
            || sinew_vec3_distance(place, node->translation) > STILL * longest;
        track.turns = track.turns || quat_distance(turn, node->rotation) > STILL;
        track.is_still = track.is_still && quat_distance(turn, first_turn) <= STILL
            && sinew_vec3_distance(place, first_place) <= STILL * longest;
    }
    return track;
}

static void put_float(snw_Buffer *out, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    unsigned char bytes[4] = { (unsigned char)bits, (unsigned char)(bits >> 8),
        (unsigned char)(bits >> 16), (unsigned char)(bits >> 24) };
    snw_buffer_add(out, bytes, 4);
}

// an accessor at the end of the block so far; text goes on with min and max or ends
static void begin_accessor(Writer *writer, int *added, int count, const char *type)
{
    SNW_ASSERT(count >= 0);
    char head[200];
    snw_gltf_edit_item(&writer->edits, "accessors", (*added)++);
    snprintf(head, sizeof head,
        "{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5126,\"count\":%d,\"type\":\"%s\"",
        writer->view, writer->block.size, count, type);
    snw_buffer_add_text(&writer->edits.text, head);
}

static void put_times(Writer *writer, int *added, int count)
{
    SNW_ASSERT(count >= 0);
    double dt = sinew_clip_frame_time(writer->clip);
    begin_accessor(writer, added, count, "SCALAR");
    snw_buffer_add_text(&writer->edits.text, ",\"min\":[0],\"max\":[");
    snw_buffer_add_number(&writer->edits.text, (double)(float)((count - 1) * dt));
    snw_buffer_add_text(&writer->edits.text, "]}");
    snw_gltf_edit_item_end(&writer->edits, "accessors", true);
    for (int f = 0; f < count; ++f) { put_float(&writer->block, f * dt); }
}

static void put_turns(Writer *writer, int *added, int joint, int count)
{
    SNW_ASSERT(count >= 0);
    SNW_ASSERT(joint >= 0);
    sinew_Quat last = { 0.0, 0.0, 0.0, 0.0 };
    begin_accessor(writer, added, count, "VEC4");
    snw_buffer_add_text(&writer->edits.text, "}");
    snw_gltf_edit_item_end(&writer->edits, "accessors", true);
    for (int f = 0; f < count; ++f) {
        sinew_Vec3 place;
        sinew_Quat q;
        place_of(writer, f, joint, &place, &q);
        // neighbours on the same side, for those who interpolate without looking
        double sign = sinew_quat_dot(q, last) < 0.0 ? -1.0 : 1.0;
        last.x = sign * q.x;
        last.y = sign * q.y;
        last.z = sign * q.z;
        last.w = sign * q.w;
        put_float(&writer->block, last.x);
        put_float(&writer->block, last.y);
        put_float(&writer->block, last.z);
        put_float(&writer->block, last.w);
    }
}

static void put_shifts(Writer *writer, int *added, int joint, int count)
{
    SNW_ASSERT(count >= 0);
    SNW_ASSERT(joint >= 0);
    begin_accessor(writer, added, count, "VEC3");
    snw_buffer_add_text(&writer->edits.text, "}");
    snw_gltf_edit_item_end(&writer->edits, "accessors", true);
    for (int f = 0; f < count; ++f) {
        sinew_Vec3 place;
        sinew_Quat q;
        place_of(writer, f, joint, &place, &q);
        put_float(&writer->block, place.x);
        put_float(&writer->block, place.y);
        put_float(&writer->block, place.z);
    }
}

// nodes with keys have a place, a rotation and a scale instead of a matrix
static sinew_Status part_matrix(Writer *writer, int joint)
{
    SNW_ASSERT(joint >= 0);
    const snw_GltfNode *node = &writer->gltf->nodes[snw_gltf_joints(writer->like)[joint].node];
    const snw_Json *matrix = snw_json_get(node->json, "matrix");
    if (!node->has_matrix) { return SINEW_STATUS_OK; }
    sinew_Mat3 s = node->stretch;
    double sheared = fabs(s.x.y) + fabs(s.x.z) + fabs(s.y.x) + fabs(s.y.z) + fabs(s.z.x)
        + fabs(s.z.y);
    if (sheared > SHEAR * (fabs(s.x.x) + fabs(s.y.y) + fabs(s.z.z))) {
        return snw_fail(writer->message, SINEW_STATUS_UNSUPPORTED,
            "node \"%s\" has a matrix with a shear in it, which no animation can move", node->name);
    }
    const double numbers[] = { node->translation.x, node->translation.y, node->translation.z,
        node->rotation.x, node->rotation.y, node->rotation.z, node->rotation.w, s.x.x, s.y.y,
        s.z.z };
    static const char *const heads[] = { "\"translation\":[", ",", ",", "],\"rotation\":[", ",",
        ",", ",", "],\"scale\":[", ",", "," };
    snw_gltf_edit_begin(&writer->edits, matrix->key_at, matrix->end - matrix->key_at);
    for (int i = 0; i < 10; ++i) {
        snw_buffer_add_text(&writer->edits.text, heads[i]);
        snw_buffer_add_number(&writer->edits.text, numbers[i]);
    }
    snw_buffer_add_text(&writer->edits.text, "]");
    snw_gltf_edit_end(&writer->edits);
    return SINEW_STATUS_OK;
}

typedef struct Lists {
    snw_Buffer samplers, channels; // text of the animation
    int count;
} Lists;

static void add_channel(Lists *lists, int node, const char *path, int input, int output)
{
    char text[200];
    const char *comma = lists->count > 0 ? "," : "";
    snprintf(text, sizeof text, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}",
        comma, input, output);
    snw_buffer_add_text(&lists->samplers, text);
    snprintf(text, sizeof text, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
        comma, lists->count++, node, path);
    snw_buffer_add_text(&lists->channels, text);
}

static sinew_Status put_channels(Writer *writer, Lists *lists)
{
    int added = 0, all = writer->accessor, one = -1, frames = frame_count(writer);
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(writer->clip);
    put_times(writer, &added, frames);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        Track track = look_at_track(writer, j);
        int node = snw_gltf_joints(writer->like)[j].node;
        // the first joint has all keys, which say how long the motion is
        bool still = track.is_still && j > 0;
        bool shifts = track.shifts, turns = track.turns || j == 0;
        if (!shifts && !turns) { continue; }
        sinew_Status status = part_matrix(writer, j);
        if (status != SINEW_STATUS_OK) { return status; }
        if (still && one < 0) {
            one = writer->accessor + added;
            put_times(writer, &added, 1);
        }
        int count = still ? 1 : frames, input = still ? one : all;
        if (turns) {
            put_turns(writer, &added, j, count);
            add_channel(lists, node, "rotation", input, writer->accessor + added - 1);
        }
        if (shifts) {
            put_shifts(writer, &added, j, count);
            add_channel(lists, node, "translation", input, writer->accessor + added - 1);
        }
        if (writer->block.failed || writer->edits.text.failed) { return no_memory(writer); }
    }
    // the list that was made for them is closed by an empty end
    if (snw_json_get(writer->gltf->tree.top, "accessors") == NULL) {
        snw_gltf_edit(&writer->edits, writer->gltf->tree.top->end - 1, 0, "]");
    }
    return SINEW_STATUS_OK;
}

static bool is_taken(const sinew_Gltf *gltf, const char *name)
{
    for (int i = 0; i < gltf->animation_count; ++i) {
        if (strcmp(gltf->animations[i].name, name) == 0) { return true; }
    }
    return false;
}

// the name that was asked for, with a number behind it where the file has it already
static sinew_Status put_animation_name(Writer *writer)
{
    size_t size = strlen(writer->name) + 16;
    char *name = malloc(size);
    if (name == NULL) { return no_memory(writer); }
    snprintf(name, size, "%s", writer->name);
    for (int number = 2; is_taken(writer->gltf, name); ++number) {
        snprintf(name, size, "%s %d", writer->name, number);
    }
    snw_json_put_text(&writer->edits.text, name);
    free(name);
    return SINEW_STATUS_OK;
}

static sinew_Status put_animation(Writer *writer)
{
    Lists lists = { snw_buffer_create(NULL), snw_buffer_create(NULL), 0 };
    sinew_Status status = put_channels(writer, &lists);
    if (status == SINEW_STATUS_OK) {
        snw_Buffer *text = &writer->edits.text;
        snw_gltf_edit_item(&writer->edits, "animations", 0);
        snw_buffer_add_text(text, "{\"name\":");
        status = put_animation_name(writer);
        snw_buffer_add_text(text, ",\"samplers\":[");
        snw_buffer_add(text, lists.samplers.data, lists.samplers.size);
        snw_buffer_add_text(text, "],\"channels\":[");
        snw_buffer_add(text, lists.channels.data, lists.channels.size);
        // keys are floats, and a single one tells no time between frames
        snw_buffer_add_text(text, "],\"extras\":{\"frame_time\":");
        snw_buffer_add_number(text, sinew_clip_frame_time(writer->clip));
        snw_buffer_add_text(text, "}}");
        snw_gltf_edit_item_end(&writer->edits, "animations", false);
        if (lists.samplers.failed || lists.channels.failed) { status = no_memory(writer); }
    }
    snw_buffer_destroy(&lists.samplers);
    snw_buffer_destroy(&lists.channels);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Bytes

static void put_data_uri(snw_Buffer *out, const char *type, const unsigned char *data, size_t size)
{
    snw_buffer_add_text(out, "\"data:");
    snw_buffer_add_text(out, type);
    snw_buffer_add_text(out, ";base64,");
    snw_base64_encode(data, size, out);
    snw_buffer_add_text(out, "\"");
}

static void add_padded(snw_Buffer *out, const void *data, size_t size, char padding)
{
    if (size > 0) { snw_buffer_add(out, data, size); }
    while (out->size % 4 != 0 && !out->failed) { snw_buffer_add(out, &padding, 1); }
}

// buffer 0 into the chunk of a binary file, and back into the text of another one
static void move_first_buffer(Writer *writer)
{
    const sinew_Gltf *gltf = writer->gltf;
    const snw_Json *buffers = snw_json_get(gltf->tree.top, "buffers");
    const snw_Json *first = buffers != NULL ? buffers->child : NULL;
    bool in_chunk = gltf->chunk_end > gltf->chunk_start;
    if (writer->binary) {
        if (first != NULL && !in_chunk) {
            add_padded(&writer->chunk, gltf->buffers[0].data, gltf->buffers[0].size, '\0');
            snw_gltf_edit_remove(&writer->edits, first, "uri");
        } else if (in_chunk) {
            add_padded(&writer->chunk, gltf->data + gltf->chunk_start,
                gltf->chunk_end - gltf->chunk_start, '\0');
        }
    } else if (in_chunk && first != NULL && gltf->buffers[0].uri == NULL) {
        snw_gltf_edit_begin(&writer->edits, first->at + 1, 0);
        snw_buffer_add_text(&writer->edits.text, "\"uri\":");
        put_data_uri(&writer->edits.text, "application/octet-stream", gltf->buffers[0].data,
            gltf->buffers[0].size);
        snw_buffer_add_text(&writer->edits.text, ",");
        snw_gltf_edit_end(&writer->edits);
    }
}

// the view of the new bytes and the buffer they are in
static void put_block(Writer *writer)
{
    char text[120];
    const snw_Json *buffers = snw_json_get(writer->gltf->tree.top, "buffers");
    const snw_Json *first = buffers != NULL ? buffers->child : NULL;
    size_t size = writer->block.size, start = 0;
    int buffer = writer->gltf->buffer_count;
    if (writer->binary && first != NULL) {
        const snw_Json *length = snw_json_get(first, "byteLength");
        start = writer->chunk.size;
        buffer = 0;
        snw_gltf_edit(&writer->edits, length->at, length->end - length->at, "%zu", start + size);
    } else {
        snw_gltf_edit_item(&writer->edits, "buffers", 0);
        snprintf(text, sizeof text, "{\"byteLength\":%zu", size);
        snw_buffer_add_text(&writer->edits.text, text);
        if (!writer->binary) {
            snw_buffer_add_text(&writer->edits.text, ",\"uri\":");
            put_data_uri(&writer->edits.text, "application/octet-stream",
                (const unsigned char *)writer->block.data, size);
        }
        snw_buffer_add_text(&writer->edits.text, "}");
        snw_gltf_edit_item_end(&writer->edits, "buffers", false);
    }
    if (writer->binary) { add_padded(&writer->chunk, writer->block.data, size, '\0'); }
    snw_gltf_edit_item(&writer->edits, "bufferViews", 0);
    snprintf(text, sizeof text, "{\"buffer\":%d,\"byteOffset\":%zu,\"byteLength\":%zu}", buffer,
        start, size);
    snw_buffer_add_text(&writer->edits.text, text);
    snw_gltf_edit_item_end(&writer->edits, "bufferViews", false);
}

static const char *image_type(const snw_GltfBytes *image)
{
    bool is_png = image->size > 4 && memcmp(image->data, "\x89PNG", 4) == 0;
    bool is_jpeg = image->size > 3 && memcmp(image->data, "\xff\xd8\xff", 3) == 0;
    return is_png ? "image/png" : is_jpeg ? "image/jpeg" : "application/octet-stream";
}

static void take_in(Writer *writer, const snw_GltfBytes *list, int count, int first, bool images)
{
    SNW_ASSERT(count >= 0);
    for (int i = first; i < count; ++i) {
        const snw_GltfBytes *bytes = &list[i];
        if (!bytes->is_external || bytes->data == NULL) { continue; }
        snw_gltf_edit_begin(&writer->edits, bytes->uri->at, bytes->uri->end - bytes->uri->at);
        put_data_uri(&writer->edits.text, images ? image_type(bytes) : "application/octet-stream",
            bytes->data, bytes->size);
        snw_gltf_edit_end(&writer->edits);
    }
}

// ---------------------------------------------------------------------------------------------
// The whole

static void put_whole(snw_Buffer *out, size_t value)
{
    unsigned char bytes[4] = { (unsigned char)value, (unsigned char)(value >> 8),
        (unsigned char)(value >> 16), (unsigned char)(value >> 24) };
    snw_buffer_add(out, bytes, 4);
}

static sinew_Status put_container(const Writer *writer, const snw_Buffer *text, snw_Buffer *out)
{
    const sinew_Gltf *gltf = writer->gltf;
    size_t padded = (text->size + 3) & ~(size_t)3;
    size_t rest = gltf->is_binary ? gltf->size - gltf->rest_start : 0;
    bool has_chunk = writer->chunk.size > 0;
    size_t whole = 12 + 8 + padded + (has_chunk ? 8 + writer->chunk.size : 0) + rest;
    if (whole > UINT32_MAX) {
        return snw_fail(writer->message, SINEW_STATUS_UNSUPPORTED,
            "the file would be larger than the 4 GiB that binary glTF can hold");
    }
    snw_buffer_add(out, "glTF", 4);
    put_whole(out, 2);
    put_whole(out, whole);
    put_whole(out, padded);
    snw_buffer_add(out, "JSON", 4);
    add_padded(out, text->data, text->size, ' ');
    if (has_chunk) {
        put_whole(out, writer->chunk.size);
        snw_buffer_add(out, "BIN\0", 4);
        snw_buffer_add(out, writer->chunk.data, writer->chunk.size);
    }
    if (rest > 0) { snw_buffer_add(out, gltf->data + gltf->rest_start, rest); }
    return out->failed ? no_memory(writer) : SINEW_STATUS_OK;
}

static sinew_Status put_document(Writer *writer, snw_Buffer *out)
{
    const sinew_Gltf *gltf = writer->gltf;
    size_t start = gltf->json_start, end = gltf->json_end;
    if (!writer->binary && !gltf->is_binary) { start = 0; }
    bool trims = writer->binary != gltf->is_binary;
    while (trims && end > gltf->tree.top->end) { --end; }
    if (!writer->binary) {
        return snw_gltf_edits_apply(&writer->edits, start, end, out) ? SINEW_STATUS_OK
                                                                     : no_memory(writer);
    }
    snw_Buffer text = snw_buffer_create(NULL);
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    if (snw_gltf_edits_apply(&writer->edits, start, end, &text)) {
        status = put_container(writer, &text, out);
    } else {
        no_memory(writer);
    }
    snw_buffer_destroy(&text);
    return status;
}

static sinew_Status write_with(Writer *writer, snw_Buffer *out)
{
    sinew_Status status = check_skeleton(writer);
    if (status != SINEW_STATUS_OK) { return status; }
    bool moves = frame_count(writer) > 0 && !is_same_motion(writer);
    if (moves && sinew_clip_duration(writer->clip) > SNW_GLTF_MOST_TIME) {
        return snw_fail(writer->message, SINEW_STATUS_UNSUPPORTED,
            "the motion lasts %g s, a glTF animation at most %g s",
            sinew_clip_duration(writer->clip), SNW_GLTF_MOST_TIME);
    }
    writer->view = writer->gltf->view_count;
    writer->accessor = writer->gltf->accessor_count;
    rename_nodes(writer);
    move_first_buffer(writer);
    bool first_moved = writer->binary && writer->gltf->chunk_end == writer->gltf->chunk_start;
    if (writer->takes_files) {
        take_in(
            writer, writer->gltf->buffers, writer->gltf->buffer_count, first_moved ? 1 : 0, false);
        take_in(writer, writer->gltf->images, writer->gltf->image_count, 0, true);
    }
    if (moves) {
        status = put_animation(writer);
        if (status == SINEW_STATUS_OK) { put_block(writer); }
    }
    if (status != SINEW_STATUS_OK) { return status; }
    if (writer->block.failed || writer->chunk.failed) { return no_memory(writer); }
    return put_document(writer, out);
}

static bool same_folder(const char *a, const char *b)
{
    const char *x = strrchr(a, '/'), *y = strrchr(b, '/');
    size_t m = x != NULL ? (size_t)(x - a) : 0, n = y != NULL ? (size_t)(y - b) : 0;
    return m == n && memcmp(a, b, m) == 0;
}

static sinew_Status write_like(const char *path, bool binary, const sinew_Clip *clip,
    const sinew_MotionFile *like, const char *name, const sinew_Quat *turn, snw_Buffer *out,
    sinew_Message *message)
{
    Writer writer;
    memset(&writer, 0, sizeof writer);
    writer.clip = clip;
    writer.like = like;
    writer.gltf = like->gltf;
    writer.name = name;
    writer.is_turned = turn != NULL;
    if (turn != NULL) { writer.turn = *turn; }
    writer.binary = binary;
    writer.takes_files = !same_folder(path, like->gltf->name);
    writer.message = message;
    writer.edits = snw_gltf_edits_create(like->gltf);
    writer.block = snw_buffer_create(NULL);
    writer.chunk = snw_buffer_create(NULL);
    sinew_Status status = write_with(&writer, out);
    snw_gltf_edits_destroy(&writer.edits);
    snw_buffer_destroy(&writer.block);
    snw_buffer_destroy(&writer.chunk);
    return status;
}

// ---------------------------------------------------------------------------------------------
// A document for a skeleton

static void put_numbers(snw_Buffer *out, const char *key, const double *numbers, int count)
{
    SNW_ASSERT(count >= 0);
    snw_buffer_add_text(out, ",\"");
    snw_buffer_add_text(out, key);
    snw_buffer_add_text(out, "\":[");
    for (int i = 0; i < count; ++i) {
        if (i > 0) { snw_buffer_add_text(out, ","); }
        snw_buffer_add_number(out, numbers[i]);
    }
    snw_buffer_add_text(out, "]");
}

static void put_children(snw_Buffer *out, const sinew_Skeleton *skeleton, int parent)
{
    char number[24];
    int count = sinew_skeleton_joint_count(skeleton), found = 0;
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int first = parent + 1, end = parent >= 0 ? parent + joints[parent].subtree_count : count;
    for (int j = first; j < end; j += joints[j].subtree_count) {
        snprintf(number, sizeof number, "%s%d", found++ > 0 ? "," : "", j);
        snw_buffer_add_text(out, number);
    }
}

static void put_node(snw_Buffer *out, const sinew_Skeleton *skeleton, int j, double unit)
{
    const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[j];
    const sinew_Vec3 place = sinew_vec3_scale(joint->offset, 1.0 / unit);
    const double translation[3] = { place.x, place.y, place.z };
    const sinew_Quat q = joint->rest_rotation;
    const double rotation[4] = { q.x, q.y, q.z, q.w };
    snw_buffer_add_text(out, j > 0 ? ",\n{\"name\":" : "{\"name\":");
    snw_json_put_text(out, joint->name);
    put_numbers(out, "translation", translation, 3);
    if (q.x != 0.0 || q.y != 0.0 || q.z != 0.0) { put_numbers(out, "rotation", rotation, 4); }
    if (joint->subtree_count > 1) {
        snw_buffer_add_text(out, ",\"children\":[");
        put_children(out, skeleton, j);
        snw_buffer_add_text(out, "]");
    }
    snw_buffer_add_text(out, "}");
}

/// Bytes of the one vertex of the skin's mesh: place, joints, weights.
enum { PLACE_SIZE = 12, JOINTS_SIZE = 4, WEIGHTS_SIZE = 16 };

// inverse bind matrices: the joints where they rest, by columns; and the vertex, at the first joint
static bool put_skin_bytes(
    snw_Buffer *out, const sinew_Skeleton *skeleton, double unit, const sinew_Quat *turn)
{
    int count = sinew_skeleton_joint_count(skeleton);
    sinew_Transform *world = malloc((size_t)count * sizeof *world);
    if (world == NULL) { return false; }
    snw_Buffer bytes = snw_buffer_create(NULL);
    for (int j = 0; j < count; ++j) {
        const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[j];
        sinew_Transform own = { joint->offset, joint->rest_rotation };
        if (joint->parent < 0 && turn != NULL) {
            own.position = sinew_quat_rotate(*turn, own.position);
            own.rotation = sinew_quat_mul(*turn, own.rotation);
        }
        world[j] = joint->parent >= 0 ? sinew_transform_mul(world[joint->parent], own) : own;
        sinew_Transform back = sinew_transform_inverse(world[j]);
        sinew_Mat3 m = sinew_mat3_from_quat(back.rotation);
        sinew_Vec3 p = sinew_vec3_scale(back.position, 1.0 / unit);
        const double numbers[16] = { m.x.x, m.x.y, m.x.z, 0.0, m.y.x, m.y.y, m.y.z, 0.0, m.z.x,
            m.z.y, m.z.z, 0.0, p.x, p.y, p.z, 1.0 };
        for (int i = 0; i < 16; ++i) { put_float(&bytes, numbers[i]); }
    }
    sinew_Vec3 place = sinew_vec3_scale(world[0].position, 1.0 / unit);
    put_float(&bytes, place.x);
    put_float(&bytes, place.y);
    put_float(&bytes, place.z);
    snw_buffer_add(&bytes, "\0\0\0\0", JOINTS_SIZE);
    for (int i = 0; i < 4; ++i) { put_float(&bytes, i == 0 ? 1.0 : 0.0); }
    put_data_uri(out, "application/octet-stream", (const unsigned char *)bytes.data, bytes.size);
    bool good = !bytes.failed;
    snw_buffer_destroy(&bytes);
    free(world);
    return good;
}

// Programs make a skeleton of the nodes that a skin names, some of them only where a node is drawn by it; such a
// node must have a mesh. This one is a point at the first joint, which nobody sees.
static void put_skin(
    snw_Buffer *out, const sinew_Skeleton *skeleton, double unit, const sinew_Quat *turn)
{
    char text[900];
    int count = sinew_skeleton_joint_count(skeleton), matrices = 64 * count;
    const sinew_Joint *first = sinew_skeleton_joints(skeleton);
    const sinew_Vec3 offset = turn != NULL ? sinew_quat_rotate(*turn, first->offset)
                                           : first->offset;
    const sinew_Vec3 place = sinew_vec3_scale(offset, 1.0 / unit);
    const double numbers[3] = { (float)place.x, (float)place.y, (float)place.z };
    snw_buffer_add_text(out, "\"skins\":[{\"inverseBindMatrices\":0,\"joints\":[");
    for (int j = 0; j < count; ++j) {
        snprintf(text, sizeof text, "%s%d", j > 0 ? "," : "", j);
        snw_buffer_add_text(out, text);
    }
    snw_buffer_add_text(out,
        "]}],\n\"meshes\":[{\"name\":\"point\",\"primitives\":[{\"mode\":0,\"attributes\":{"
        "\"POSITION\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3}}]}],\n\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"type\":\"MAT4\",\"count\":");
    snprintf(text, sizeof text,
        "%d},{\"bufferView\":1,\"componentType\":5126,\"type\":\"VEC3\",\"count\":1", count);
    snw_buffer_add_text(out, text);
    put_numbers(out, "min", numbers, 3);
    put_numbers(out, "max", numbers, 3);
    snprintf(text, sizeof text,
        "},{\"bufferView\":2,\"componentType\":5121,\"count\":1,\"type\":\"VEC4\"},"
        "{\"bufferView\":3,\"componentType\":5126,\"count\":1,\"type\":\"VEC4\"}],"
        "\n\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d},"
        "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d,\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d,\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d,\"target\":34962}],"
        "\n\"buffers\":[{\"byteLength\":%d,\"uri\":",
        matrices, matrices, PLACE_SIZE, matrices + PLACE_SIZE, JOINTS_SIZE,
        matrices + PLACE_SIZE + JOINTS_SIZE, WEIGHTS_SIZE,
        matrices + PLACE_SIZE + JOINTS_SIZE + WEIGHTS_SIZE);
    snw_buffer_add_text(out, text);
}

// the joints; a node that is drawn by the skin; where another direction than +Y is up, a node above the joints
static bool make_document(
    snw_Buffer *out, const sinew_Skeleton *skeleton, double unit, const sinew_Quat *turn)
{
    char text[80];
    int count = sinew_skeleton_joint_count(skeleton);
    snw_buffer_add_text(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"sinew ");
    snw_buffer_add_text(out, sinew_version());
    // a figure of 20 m and more would be taken for one in another unit
    snw_buffer_add_text(out, "\",\"extras\":{\"unit\":");
    snw_buffer_add_number(out, unit);
    snw_buffer_add_text(out, "}},\"scene\":0,\"scenes\":[{\"nodes\":[");
    if (turn == NULL) {
        put_children(out, skeleton, -1);
    } else {
        snprintf(text, sizeof text, "%d", count + 1);
        snw_buffer_add_text(out, text);
    }
    snprintf(text, sizeof text, ",%d]}],\n\"nodes\":[", count);
    snw_buffer_add_text(out, text);
    for (int j = 0; j < count; ++j) { put_node(out, skeleton, j, unit); }
    snw_buffer_add_text(out, ",\n{\"name\":\"point\",\"mesh\":0,\"skin\":0}");
    if (turn != NULL) {
        const double rotation[4] = { turn->x, turn->y, turn->z, turn->w };
        snw_buffer_add_text(out, ",\n{\"name\":\"upright\"");
        put_numbers(out, "rotation", rotation, 4);
        snw_buffer_add_text(out, ",\"children\":[");
        put_children(out, skeleton, -1);
        snw_buffer_add_text(out, "]}");
    }
    snw_buffer_add_text(out, "],\n");
    put_skin(out, skeleton, unit, turn);
    bool good = put_skin_bytes(out, skeleton, unit, turn);
    snw_buffer_add_text(out, "}]}\n");
    return good && !out->failed;
}

static sinew_Status write_bytes(const char *path, const sinew_Clip *clip,
    const sinew_WriteOptions *options, snw_Buffer *out_bytes, sinew_Message *out_message)
{
    const bool binary = snw_name_ends(path, ".glb");
    const sinew_MotionFile *like = options->like;
    const char *name = options->animation != NULL ? options->animation : "sinew";
    if (like != NULL && like->gltf != NULL) {
        if (options->unit > 0.0 && options->unit != like->unit) {
            return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
                "a glTF keeps its unit, %g m, as its meshes are in it", like->unit);
        }
        return write_like(path, binary, clip, like, name, NULL, out_bytes, out_message);
    }
    const sinew_Vec3 y = { 0.0, 1.0, 0.0 }, up = sinew_vec3_normalize_or(options->up, y);
    const sinew_Quat upright = sinew_quat_between(up, y);
    const sinew_Quat *turn = up.y < 1.0 - 1e-12 ? &upright : NULL;
    double unit = options->unit > 0.0 ? options->unit : 1.0;
    snw_Buffer text = snw_buffer_create(NULL);
    sinew_MotionFile *made = NULL;
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    sinew_ReadOptions reading = sinew_read_options_default();
    reading.unit = unit;
    if (make_document(&text, sinew_clip_skeleton(clip), unit, turn)) {
        made = snw_motion_create(&text.allocator);
    }
    if (made != NULL) {
        snw_Text document = { text.data, text.size, 0, path, out_message, false };
        status = snw_gltf_read(&document, &reading, made);
    }
    if (status == SINEW_STATUS_OUT_OF_MEMORY) {
        snw_message_set(out_message, "%s: no memory to write the file", path);
    }
    if (status == SINEW_STATUS_OK) {
        status = write_like(path, binary, clip, made, name, turn, out_bytes, out_message);
    }
    sinew_motion_destroy(made);
    snw_buffer_destroy(&text);
    return status;
}

// binary, or an object of JSON with one of the words that no other such file has
static bool begins(snw_Text *text)
{
    size_t start = text->at;
    if (snw_bytes_begin(text->data, text->size, "glTF")) { return true; }
    while (start < text->size && snw_is_space(text->data[start])) { ++start; }
    const char *first = text->data + start;
    size_t left = text->size - start;
    if (!snw_bytes_begin(first, left, "{")) { return false; }
    return snw_bytes_contain(first, left, "\"asset\"")
        || snw_bytes_contain(first, left, "\"bufferViews\"");
}

const snw_FormatRow snw_format_gltf = {
    .format = SINEW_FORMAT_GLTF,
    .name = "glTF",
    .begins = begins,
    .read = snw_gltf_read,
    .looks = "a JSON file",
    .names = { ".glb", ".gltf" },
    .endings = { ".glb", ".gltf" },
    .write = write_bytes,
};
