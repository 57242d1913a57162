#ifndef GLTF_MAKE_H
#define GLTF_MAKE_H

// Small glTF files made by tests: text with a data URI, and the same as a binary container.

#include "testing.h"

#include "file/buffer.h"
#include "file/gltf.h"
#include "sinew/gltf.h"
#include "sinew/pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct make_Gltf {
    snw_Buffer bytes;                    // of the only buffer
    snw_Buffer nodes, views, accessors;  // items of the lists
    snw_Buffer samplers, channels, more; // of the animation; more: other keys of the document
    int node_count, view_count, accessor_count, sampler_count;
} make_Gltf;

static inline void make_begin(make_Gltf *make)
{
    memset(make, 0, sizeof *make);
    snw_Buffer *const all[] = { &make->bytes, &make->nodes, &make->views, &make->accessors,
        &make->samplers, &make->channels, &make->more };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) { *all[i] = snw_buffer_create(NULL); }
}

static inline void make_end(make_Gltf *make)
{
    snw_Buffer *const all[] = { &make->bytes, &make->nodes, &make->views, &make->accessors,
        &make->samplers, &make->channels, &make->more };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) { snw_buffer_destroy(all[i]); }
}

static inline void make_text(snw_Buffer *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline void make_text(snw_Buffer *out, const char *format, ...)
{
    char text[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snw_buffer_add_text(out, text);
}

static inline int make_node(make_Gltf *make, const char *text)
{
    make_text(&make->nodes, "%s%s", make->node_count > 0 ? ",\n" : "", text);
    return make->node_count++;
}

/// An accessor of its own view over bytes.
static inline int make_accessor(make_Gltf *make, const void *data, size_t size, int component,
    int count, const char *type, const char *more)
{
    while (make->bytes.size % 4 != 0) { snw_buffer_add(&make->bytes, "", 1); }
    make_text(&make->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
        make->view_count > 0 ? ",\n" : "", make->bytes.size, size);
    make_text(&make->accessors,
        "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"%s}",
        make->accessor_count > 0 ? ",\n" : "", make->view_count++, component, count, type, more);
    snw_buffer_add(&make->bytes, data, size);
    return make->accessor_count++;
}

static inline int make_floats(
    make_Gltf *make, const float *numbers, int count, int width, const char *type)
{
    return make_accessor(
        make, numbers, (size_t)(count * width) * sizeof *numbers, 5126, count, type, "");
}

static inline void make_channel(
    make_Gltf *make, int node, const char *path, int input, int output, const char *interpolation)
{
    const char *comma = make->sampler_count > 0 ? ",\n" : "";
    make_text(&make->samplers, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", comma,
        input, output, interpolation);
    make_text(&make->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", comma,
        make->sampler_count++, node, path);
}

static inline void make_list(snw_Buffer *out, const char *key, const snw_Buffer *items)
{
    make_text(out, ",\n\"%s\":[", key);
    snw_buffer_add(out, items->data, items->size);
    snw_buffer_add_text(out, "]");
}

/// The text; binary: the container instead. roots: of the scene, as in "0,3".
static inline void make_document(
    const make_Gltf *make, const char *roots, bool binary, snw_Buffer *out)
{
    snw_Buffer text = snw_buffer_create(NULL);
    make_text(&text, "{\"asset\":{\"version\":\"2.0\"},\n\"scenes\":[{\"nodes\":[%s]}]", roots);
    make_list(&text, "nodes", &make->nodes);
    if (make->view_count > 0) { make_list(&text, "bufferViews", &make->views); }
    if (make->accessor_count > 0) { make_list(&text, "accessors", &make->accessors); }
    if (make->sampler_count > 0) {
        make_text(&text, ",\n\"animations\":[{\"name\":\"Move\",\"samplers\":[");
        snw_buffer_add(&text, make->samplers.data, make->samplers.size);
        make_text(&text, "],\"channels\":[");
        snw_buffer_add(&text, make->channels.data, make->channels.size);
        make_text(&text, "]}]");
    }
    if (make->more.size > 0) { snw_buffer_add(&text, make->more.data, make->more.size); }
    if (make->view_count > 0) {
        make_text(&text, ",\n\"buffers\":[{\"byteLength\":%zu", make->bytes.size);
        if (!binary) {
            make_text(&text, ",\"uri\":\"data:application/octet-stream;base64,");
            snw_base64_encode((const unsigned char *)make->bytes.data, make->bytes.size, &text);
            make_text(&text, "\"");
        }
        make_text(&text, "}]");
    }
    make_text(&text, "}");
    if (!binary) {
        snw_buffer_add(out, text.data, text.size);
        snw_buffer_destroy(&text);
        return;
    }
    while (text.size % 4 != 0) { snw_buffer_add(&text, " ", 1); }
    uint32_t rest = (uint32_t)((make->bytes.size + 3) & ~(size_t)3);
    uint32_t head[5] = { 0x46546c67, 2, 28 + (uint32_t)text.size + rest, (uint32_t)text.size,
        0x4e4f534a };
    uint32_t chunk[2] = { rest, 0x004e4942 };
    snw_buffer_add(out, head, sizeof head);
    snw_buffer_add(out, text.data, text.size);
    snw_buffer_add(out, chunk, sizeof chunk);
    snw_buffer_add(out, make->bytes.data, make->bytes.size);
    while (out->size % 4 != 0) { snw_buffer_add(out, "", 1); }
    snw_buffer_destroy(&text);
}

static inline sinew_Status make_read(
    const snw_Buffer *bytes, sinew_MotionFile **out_file, sinew_Message *out_message)
{
    return sinew_motion_read_memory(
        bytes->data, bytes->size, "made.gltf", NULL, out_file, out_message);
}

/// A leg of three joints with a skinned strip, morph targets, extras and things nobody knows.
static inline void make_leg(make_Gltf *make)
{
    static const float positions[12] = { 0, 0, 0, 1, 0, 0, 0, -1, 0, 1, -1, 0 };
    static const float bulge[12] = { 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0 };
    static const uint8_t joints[16] = { 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0, 0, 0 };
    static const uint8_t weights[16] = { 255, 0, 0, 0, 51, 204, 0, 0, 102, 153, 0, 0, 255, 0, 0,
        0 };
    static const uint16_t indices[6] = { 0, 2, 1, 1, 2, 3 };
    static const float times[3] = { 0.0f, 0.5f, 1.0f };
    static const float turns[12] = { 0, 0, 0, 1, 0.6f, 0, 0, 0.8f, 0, 0, 0, 1 };
    static const float shifts[9] = { 0, 1, 0, 0, 1.5f, 0, 0, 1, 0.25f };
    make_node(make,
        "{\"name\":\"Hip\",\"children\":[1],\"translation\":[0,1,0],\"extras\":{\"a\":[1, 2]}}");
    make_node(make, "{\"name\":\"Knee\",\"children\":[2],\"translation\":[0,-0.5,0.01]}");
    make_node(make, "{\"name\":\"Foot\",\"translation\":[0,-0.5,0]}");
    make_node(make, "{\"name\":\"Skin\",\"mesh\":0,\"skin\":0,\"weights\":[0.5]}");
    int p = make_floats(make, positions, 4, 3, "VEC3"), b = make_floats(make, bulge, 4, 3, "VEC3");
    int j = make_accessor(make, joints, sizeof joints, 5121, 4, "VEC4", "");
    int w = make_accessor(make, weights, sizeof weights, 5121, 4, "VEC4", ",\"normalized\":true");
    int i = make_accessor(make, indices, sizeof indices, 5123, 6, "SCALAR", "");
    int t = make_floats(make, times, 3, 1, "SCALAR"), r = make_floats(make, turns, 3, 4, "VEC4");
    int s = make_floats(make, shifts, 3, 3, "VEC3");
    make_channel(make, 1, "rotation", t, r, "LINEAR");
    make_channel(make, 0, "translation", t, s, "LINEAR");
    make_text(&make->more,
        ",\n\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"JOINTS_0\":%d,"
        "\"WEIGHTS_0\":%d},"
        "\"indices\":%d,\"targets\":[{\"POSITION\":%d}],\"material\":0}]}]",
        p, j, w, i, b);
    make_text(&make->more,
        ",\n\"skins\":[{\"joints\":[0,1,2]}],\n\"materials\":[{\"pbrMetallicRoughness\":"
        "{\"baseColorFactor\":[0.5,0.25,1,1]},\"extensions\":{\"EXT_nobody_knows\":{\"x\":1.50}}}]"
        ",\n\"extensionsUsed\":[\"EXT_nobody_knows\"],\"extras\":  { \"kept\" : \"\\u00e4 as it "
        "is\" }");
}

#endif
