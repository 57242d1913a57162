// Buffer views and accessors: which bytes are numbers, each offset, stride and count checked against
// what is there.

#include "file/gltf.h"

#include "base/message.h"
#include "math/holds.h"

#include <stdio.h>
#include <string.h>

// Elements of an accessor without bytes, all zero, which cost the file nothing.
#define MAX_ZERO_COUNT ((size_t)1 << 22)

// ---------------------------------------------------------------------------------------------
// Views

static sinew_Status read_view(sinew_Gltf *gltf, const snw_Json *item, snw_GltfView *view)
{
    int buffer = -1;
    sinew_Status status = snw_gltf_index(gltf, item, "buffer", gltf->buffer_count, &buffer);
    if (status == SINEW_STATUS_OK) {
        status = snw_gltf_size(gltf, item, "byteOffset", &view->offset);
    }
    if (status == SINEW_STATUS_OK) {
        status = snw_gltf_size(gltf, item, "byteLength", &view->length);
    }
    if (status == SINEW_STATUS_OK) {
        status = snw_gltf_size(gltf, item, "byteStride", &view->stride);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    if (buffer < 0) { return snw_gltf_fail(gltf, item, "no \"buffer\"", "one in a buffer view"); }
    if (view->stride > 252) {
        return snw_gltf_fail_value(
            gltf, snw_json_get(item, "byteStride"), "byteStride: at most 252");
    }
    size_t size = gltf->buffers[buffer].size;
    if (view->offset > size || view->length > size - view->offset) {
        char found[80];
        snprintf(found, sizeof found, "bytes up to %zu", view->offset + view->length);
        return snw_gltf_fail(gltf, item, found, "a view inside buffer %d of %zu byte%s", buffer,
            size, snw_plural((double)size));
    }
    view->buffer = buffer;
    return SINEW_STATUS_OK;
}

sinew_Status snw_gltf_read_views(sinew_Gltf *gltf)
{
    int count;
    const snw_Json *const *items;
    gltf->views = snw_gltf_take_list(gltf, "bufferViews", sizeof *gltf->views, &items, &count);
    if (gltf->views == NULL) { return snw_gltf_no_memory(gltf); }
    for (int i = 0; i < count; ++i) {
        sinew_Status status = read_view(gltf, items[i], &gltf->views[i]);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    gltf->view_count = count;
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Numbers

static size_t component_size(snw_GltfComponent component)
{
    switch (component) {
    case SNW_GLTF_BYTE:
    case SNW_GLTF_UBYTE: return 1;
    case SNW_GLTF_SHORT:
    case SNW_GLTF_USHORT: return 2;
    case SNW_GLTF_UINT:
    case SNW_GLTF_FLOAT: break;
    }
    return 4;
}

static uint32_t bits_at(const unsigned char *p, size_t size)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < size; ++i) { bits |= (uint32_t)p[i] << (8 * i); }
    return bits;
}

static double signed_of(uint32_t bits, uint32_t half)
{
    return bits >= half ? (double)bits - 2.0 * (double)half : (double)bits;
}

static double larger_of(double a, double b)
{
    return a > b ? a : b;
}

static double number_at(const unsigned char *p, snw_GltfComponent component, bool normalized)
{
    uint32_t bits = bits_at(p, component_size(component));
    float value;
    switch (component) {
    case SNW_GLTF_BYTE: {
        double whole = signed_of(bits, 0x80);
        return normalized ? larger_of(whole / 127.0, -1.0) : whole;
    }
    case SNW_GLTF_UBYTE: return normalized ? bits / 255.0 : bits;
    case SNW_GLTF_SHORT: {
        double whole = signed_of(bits, 0x8000);
        return normalized ? larger_of(whole / 32767.0, -1.0) : whole;
    }
    case SNW_GLTF_USHORT: return normalized ? bits / 65535.0 : bits;
    case SNW_GLTF_UINT: return bits;
    case SNW_GLTF_FLOAT: break;
    }
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static size_t element_size(const snw_GltfAccessor *accessor)
{
    return (size_t)accessor->width * component_size(accessor->component);
}

static void decode_element(const snw_GltfAccessor *accessor, const unsigned char *p, double *out)
{
    size_t size = component_size(accessor->component);
    for (int k = 0; k < accessor->width; ++k) {
        out[k] = number_at(p + (size_t)k * size, accessor->component, accessor->normalized);
    }
}

static size_t sparse_place(const snw_GltfAccessor *accessor, size_t i)
{
    size_t size = component_size(accessor->sparse_component);
    return bits_at(accessor->sparse_indices + i * size, size);
}

/// All numbers of an accessor (count x width), normalised ones as -1..1.
static void decode(const snw_GltfAccessor *accessor, double *out)
{
    size_t width = (size_t)accessor->width;
    if (accessor->data == NULL) { memset(out, 0, accessor->count * width * sizeof *out); }
    for (size_t i = 0; i < accessor->count && accessor->data != NULL; ++i) {
        decode_element(accessor, accessor->data + i * accessor->stride, out + i * width);
    }
    for (size_t i = 0; i < accessor->sparse_count; ++i) {
        decode_element(accessor, accessor->sparse_values + i * element_size(accessor),
            out + sparse_place(accessor, i) * width);
    }
}

// the sparse element that stands for that one, NULL: none; places rise
static const unsigned char *find_sparse(const snw_GltfAccessor *accessor, size_t index)
{
    size_t low = 0, high = accessor->sparse_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sparse_place(accessor, middle) < index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == accessor->sparse_count || sparse_place(accessor, low) != index) { return NULL; }
    return accessor->sparse_values + low * element_size(accessor);
}

static const unsigned char *element_at(const snw_GltfAccessor *accessor, size_t index)
{
    const unsigned char *p = accessor->sparse_count > 0 ? find_sparse(accessor, index) : NULL;
    if (p == NULL && accessor->data != NULL) { p = accessor->data + index * accessor->stride; }
    return p;
}

void snw_gltf_decode_at(const snw_GltfAccessor *accessor, size_t index, double *out)
{
    const unsigned char *p = element_at(accessor, index);
    for (int k = 0; k < accessor->width && p == NULL; ++k) { out[k] = 0.0; }
    if (p != NULL) { decode_element(accessor, p, out); }
}

uint32_t snw_gltf_whole_at(const snw_GltfAccessor *accessor, size_t index, int part)
{
    const unsigned char *p = element_at(accessor, index);
    size_t size = component_size(accessor->component);
    return p != NULL ? bits_at(p + (size_t)part * size, size) : 0;
}

size_t snw_gltf_largest(snw_GltfAccessor *accessor)
{
    if (accessor->knows_largest) { return accessor->largest; }
    for (size_t i = 0; i < accessor->count; ++i) {
        for (int k = 0; k < accessor->width; ++k) {
            size_t value = snw_gltf_whole_at(accessor, i, k);
            if (value > accessor->largest) { accessor->largest = value; }
        }
    }
    accessor->knows_largest = true;
    return accessor->largest;
}

sinew_Status snw_gltf_keep(
    sinew_Gltf *gltf, const snw_Json *at, int accessor, const double **out_numbers)
{
    const snw_GltfAccessor *source = &gltf->accessors[accessor];
    size_t count = source->count * (size_t)source->width;
    if (count > gltf->budget) {
        return snw_gltf_fail(gltf, at, "the same bytes used again and again",
            "about as many numbers as the buffers hold");
    }
    gltf->budget -= count;
    double *numbers = snw_json_take(&gltf->tree, count * sizeof *numbers);
    if (numbers == NULL) { return snw_gltf_no_memory(gltf); }
    decode(source, numbers);
    *out_numbers = numbers;
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Accessors

static bool take_component(const snw_Json *value, snw_GltfComponent *out)
{
    static const snw_GltfComponent known[] = { SNW_GLTF_BYTE, SNW_GLTF_UBYTE, SNW_GLTF_SHORT,
        SNW_GLTF_USHORT, SNW_GLTF_UINT, SNW_GLTF_FLOAT };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        if (value != NULL && value->kind == SNW_JSON_NUMBER && value->number == (double)known[i]) {
            *out = known[i];
            return true;
        }
    }
    return false;
}

static int width_of(const snw_Json *type)
{
    static const char *const names[] = { "SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4" };
    static const int widths[] = { 1, 2, 3, 4, 4, 9, 16 };
    for (int i = 0; i < 7 && type != NULL && type->kind == SNW_JSON_TEXT; ++i) {
        if (strcmp(type->text, names[i]) == 0) { return widths[i]; }
    }
    return 0;
}

// count elements, stride bytes apart from offset on in a view: where the first one is
static sinew_Status find_bytes(const sinew_Gltf *gltf, const snw_Json *item, int view_index,
    size_t offset, size_t count, size_t size, size_t stride, const unsigned char **out_data)
{
    char found[120];
    const snw_GltfView *view = &gltf->views[view_index];
    if (stride < size) {
        snprintf(found, sizeof found, "a stride of %zu byte%s", stride, snw_plural((double)stride));
        return snw_gltf_fail(gltf, item, found, "at least the %zu of an element", size);
    }
    // no product overflows: counts are at most 2^30, strides below 2^8
    size_t need = count > 0 ? (count - 1) * stride + size : 0;
    if (offset > view->length || need > view->length - offset) {
        snprintf(found, sizeof found, "%zu element%s of %zu byte%s from byte %zu on, %zu apart",
            count, snw_plural((double)count), size, snw_plural((double)size), offset, stride);
        return snw_gltf_fail(gltf, item, found, "what buffer view %d of %zu byte%s holds",
            view_index, view->length, snw_plural((double)view->length));
    }
    *out_data = gltf->buffers[view->buffer].data + view->offset + offset;
    return SINEW_STATUS_OK;
}

static sinew_Status read_part(const sinew_Gltf *gltf, const snw_Json *item, const char *what,
    size_t count, size_t size, const unsigned char **out_data)
{
    int view = -1;
    size_t offset = 0;
    if (item == NULL) { return SINEW_STATUS_OK; }
    sinew_Status status = snw_gltf_index(gltf, item, "bufferView", gltf->view_count, &view);
    if (status == SINEW_STATUS_OK) { status = snw_gltf_size(gltf, item, "byteOffset", &offset); }
    if (status != SINEW_STATUS_OK) { return status; }
    if (view < 0) { return snw_gltf_fail(gltf, item, "no \"bufferView\"", "one in %s", what); }
    return find_bytes(gltf, item, view, offset, count, size, size, out_data);
}

static sinew_Status read_sparse(
    const sinew_Gltf *gltf, const snw_Json *sparse, snw_GltfAccessor *accessor)
{
    const snw_Json *indices = snw_json_get(sparse, "indices"),
                   *values = snw_json_get(sparse, "values");
    size_t count = 0;
    sinew_Status status = snw_gltf_size(gltf, sparse, "count", &count);
    if (status != SINEW_STATUS_OK) { return status; }
    bool good = indices != NULL && values != NULL && count > 0 && count <= accessor->count
        && take_component(snw_json_get(indices, "componentType"), &accessor->sparse_component)
        && accessor->sparse_component != SNW_GLTF_FLOAT;
    if (!good) {
        return snw_gltf_fail_value(gltf, sparse,
            "sparse: count up to %zu, indices of whole numbers, values", accessor->count);
    }
    size_t size = component_size(accessor->sparse_component);
    status = read_part(gltf, indices, "indices", count, size, &accessor->sparse_indices);
    if (status == SINEW_STATUS_OK) {
        status = read_part(
            gltf, values, "values", count, element_size(accessor), &accessor->sparse_values);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    accessor->sparse_count = count;
    for (size_t i = 0; i < count; ++i) {
        bool rises = i == 0 || sparse_place(accessor, i) > sparse_place(accessor, i - 1);
        if (!rises || sparse_place(accessor, i) >= accessor->count) {
            return snw_gltf_fail(gltf, indices, "sparse indices out of order or range",
                "rising ones below %zu", accessor->count);
        }
    }
    return SINEW_STATUS_OK;
}

// floating numbers must be finite, and the square of a length as well
static sinew_Status check_finite(sinew_Gltf *gltf, const snw_GltfAccessor *accessor, int index)
{
    SNW_ASSERT(index >= 0);
    if (accessor->component != SNW_GLTF_FLOAT) { return SINEW_STATUS_OK; }
    for (size_t i = 0; i < accessor->count; ++i) {
        const unsigned char *p = element_at(accessor, i);
        for (int k = 0; k < accessor->width && p != NULL; ++k) {
            double value = number_at(p + 4 * (size_t)k, SNW_GLTF_FLOAT, false);
            if (fabs(value) <= 1e30) { continue; }
            char found[80];
            snprintf(found, sizeof found, "%g in element %zu of accessor %d", value, i, index);
            return snw_gltf_fail(gltf, accessor->json, found, "a finite number");
        }
        if (accessor->data == NULL && accessor->sparse_count == 0) { break; }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status read_accessor(
    sinew_Gltf *gltf, const snw_Json *item, int index, snw_GltfAccessor *accessor)
{
    SNW_ASSERT(index >= 0);
    int view = -1;
    size_t offset = 0;
    accessor->json = item;
    if (!take_component(snw_json_get(item, "componentType"), &accessor->component)) {
        return snw_gltf_fail_value(gltf, item, "an accessor with componentType 5120 to 5126");
    }
    const snw_Json *type = snw_json_get(item, "type"), *normal = snw_json_get(item, "normalized");
    accessor->width = width_of(type);
    accessor->normalized = normal != NULL && normal->kind == SNW_JSON_TRUE;
    if (accessor->width == 0) {
        return snw_gltf_fail_value(
            gltf, item, "an accessor with type SCALAR, VEC2 to 4, MAT2 to 4");
    }
    accessor->is_skewed = type->text[0] == 'M' && accessor->component != SNW_GLTF_FLOAT;
    sinew_Status status = snw_gltf_size(gltf, item, "count", &accessor->count);
    if (status == SINEW_STATUS_OK) { status = snw_gltf_size(gltf, item, "byteOffset", &offset); }
    if (status == SINEW_STATUS_OK) {
        status = snw_gltf_index(gltf, item, "bufferView", gltf->view_count, &view);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    if (accessor->count == 0) {
        const snw_Json *count = snw_json_get(item, "count");
        return snw_gltf_fail_value(gltf, count != NULL ? count : item, "a count of at least 1");
    }
    accessor->stride = element_size(accessor);
    if (view >= 0) {
        if (gltf->views[view].stride > 0) { accessor->stride = gltf->views[view].stride; }
        status = find_bytes(gltf, item, view, offset, accessor->count, element_size(accessor),
            accessor->stride, &accessor->data);
    } else if (accessor->count > MAX_ZERO_COUNT) {
        status = snw_gltf_fail_value(gltf, snw_json_get(item, "count"),
            "at most %zu elements without bytes", MAX_ZERO_COUNT);
    }
    const snw_Json *sparse = snw_json_get(item, "sparse");
    if (status == SINEW_STATUS_OK && sparse != NULL) {
        status = read_sparse(gltf, sparse, accessor);
    }
    return status == SINEW_STATUS_OK ? check_finite(gltf, accessor, index) : status;
}

sinew_Status snw_gltf_read_accessors(sinew_Gltf *gltf)
{
    int count;
    const snw_Json *const *items;
    gltf->accessors = snw_gltf_take_list(
        gltf, "accessors", sizeof *gltf->accessors, &items, &count);
    if (gltf->accessors == NULL) { return snw_gltf_no_memory(gltf); }
    size_t looked_at = 0, most = 16 * gltf->budget;
    for (int i = 0; i < count; ++i) {
        sinew_Status status = read_accessor(gltf, items[i], i, &gltf->accessors[i]);
        if (status != SINEW_STATUS_OK) { return status; }
        if (gltf->accessors[i].data != NULL) {
            looked_at += gltf->accessors[i].count * (size_t)gltf->accessors[i].width;
        }
        if (looked_at > most) {
            return snw_gltf_fail(gltf, items[i], "the same bytes used again and again",
                "about as many numbers as the buffers hold");
        }
    }
    gltf->accessor_count = count;
    return SINEW_STATUS_OK;
}
