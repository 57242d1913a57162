// Meshes: which primitives are triangles at nodes of the scene, all that they refer to checked, and
// where their vertices are in a pose.

#include "file/gltf.h"

#include "base/message.h"
#include "file/gltf_pose.h"
#include "math/holds.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SETS = 4, POINTS_AND_LINES_END = 4 };
enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

// ---------------------------------------------------------------------------------------------
// Attributes

static sinew_Status take_attribute(sinew_Gltf *gltf, const snw_Json *attributes, const char *name,
    int width, size_t count, int *out_accessor)
{
    sinew_Status status = snw_gltf_index(
        gltf, attributes, name, gltf->accessor_count, out_accessor);
    if (status != SINEW_STATUS_OK || *out_accessor < 0) { return status; }
    const snw_GltfAccessor *accessor = &gltf->accessors[*out_accessor];
    if (accessor->width != width || (count > 0 && accessor->count != count)
        || accessor->count > INT32_MAX / 2) {
        const snw_Json *at = snw_json_get(attributes, name);
        return count > 0 ? snw_gltf_fail_value(gltf, at, "%s: an accessor of %zu times %d number%s",
                   name, count, width, snw_plural(width))
                         : snw_gltf_fail_value(gltf, at, "%s: an accessor of %d number%s each",
                             name, width, snw_plural(width));
    }
    return SINEW_STATUS_OK;
}

static sinew_Status read_sets(
    sinew_Gltf *gltf, const snw_Json *attributes, size_t count, snw_GltfPart *part)
{
    for (int set = 0; set < MAX_SETS; ++set) {
        char name[24];
        int joints = -1, weights = -1;
        snprintf(name, sizeof name, "JOINTS_%d", set);
        sinew_Status status = take_attribute(gltf, attributes, name, 4, count, &joints);
        if (status != SINEW_STATUS_OK) { return status; }
        snprintf(name, sizeof name, "WEIGHTS_%d", set);
        status = take_attribute(gltf, attributes, name, 4, count, &weights);
        if (status != SINEW_STATUS_OK) { return status; }
        if (joints < 0 || weights < 0) { break; }
        snw_GltfAccessor *accessor = &gltf->accessors[joints];
        size_t limit = (size_t)gltf->skins[part->skin].joint_count;
        bool whole = accessor->component == SNW_GLTF_UBYTE
            || accessor->component == SNW_GLTF_USHORT;
        if (!whole || snw_gltf_largest(accessor) >= limit) {
            char found[80];
            snprintf(found, sizeof found, whole ? "a joint number %zu" : "no whole numbers",
                whole ? snw_gltf_largest(accessor) : 0);
            return snw_gltf_fail(gltf, snw_json_get(attributes, set == 0 ? "JOINTS_0" : name),
                found, "numbers of joints of skin %d, below %zu", part->skin, limit);
        }
        part->joints[set] = joints;
        part->weights[set] = weights;
        part->set_count = set + 1;
    }
    part->shown.is_skinned = part->set_count > 0;
    return SINEW_STATUS_OK;
}

static sinew_Status read_targets(
    sinew_Gltf *gltf, const snw_Json *primitive, size_t count, int target_count, snw_GltfPart *part)
{
    SNW_ASSERT(target_count >= 0);
    const snw_Json *targets = snw_json_get(primitive, "targets");
    int found = 0;
    if (target_count == 0) { return SINEW_STATUS_OK; }
    int *accessors = snw_json_take(&gltf->tree, (size_t)target_count * sizeof *accessors);
    if (accessors == NULL) { return snw_gltf_no_memory(gltf); }
    for (int i = 0; i < target_count; ++i) { accessors[i] = -1; }
    const snw_Json *item = targets != NULL ? targets->child : NULL;
    for (; item != NULL && found < target_count; item = item->next) {
        sinew_Status status = take_attribute(gltf, item, "POSITION", 3, count, &accessors[found++]);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    part->targets = accessors;
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Triangles

static sinew_Status read_indices(
    sinew_Gltf *gltf, const snw_Json *primitive, int mode, int index_accessor, snw_GltfPart *part)
{
    size_t vertices = (size_t)part->shown.vertex_count, count = vertices;
    snw_GltfAccessor *source = NULL;
    if (index_accessor >= 0) {
        source = &gltf->accessors[index_accessor];
        bool whole = source->component == SNW_GLTF_UBYTE || source->component == SNW_GLTF_USHORT
            || source->component == SNW_GLTF_UINT;
        if (source->width != 1 || !whole || source->count > INT32_MAX / 8
            || snw_gltf_largest(source) >= vertices) {
            return snw_gltf_fail_value(gltf, snw_json_get(primitive, "indices"),
                "indices: an accessor of whole numbers below %zu", vertices);
        }
        count = source->count;
    }
    size_t triangles = mode == TRIANGLES ? count / 3 : count >= 3 ? count - 2 : 0;
    if (3 * triangles > gltf->budget) {
        return snw_gltf_fail(gltf, primitive, "the same bytes used again and again",
            "about as many numbers as the buffers hold");
    }
    gltf->budget -= 3 * triangles;
    uint32_t *indices = snw_json_take(&gltf->tree, 3 * triangles * sizeof *indices);
    if (indices == NULL) { return snw_gltf_no_memory(gltf); }
    for (size_t t = 0; t < triangles; ++t) {
        size_t corner[3] = { 3 * t, 3 * t + 1, 3 * t + 2 };
        if (mode == STRIP) {
            corner[0] = t;
            corner[1] = t + 1 + t % 2;
            corner[2] = t + 2 - t % 2;
        } else if (mode == FAN) {
            corner[0] = 0;
            corner[1] = t + 1;
            corner[2] = t + 2;
        }
        for (int k = 0; k < 3; ++k) {
            indices[3 * t + (size_t)k] = source != NULL ? snw_gltf_whole_at(source, corner[k], 0)
                                                        : (uint32_t)corner[k];
        }
    }
    part->shown.indices = indices;
    part->shown.triangle_count = (int)triangles;
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Materials

static int texture_image(sinew_Gltf *gltf, const snw_Json *reference)
{
    const snw_Json *index = snw_json_get(reference, "index");
    bool there = index != NULL && index->kind == SNW_JSON_NUMBER && index->number >= 0.0
        && index->number < gltf->texture_count;
    if (!there) { return -1; }
    const snw_Json *source = snw_json_get(gltf->textures[(int)index->number], "source");
    bool good = source != NULL && source->kind == SNW_JSON_NUMBER && source->number >= 0.0
        && source->number < gltf->image_count;
    return good ? (int)source->number : -1;
}

static sinew_Status read_uvs(
    sinew_Gltf *gltf, const snw_Json *attributes, const snw_Json *reference, snw_GltfPart *part)
{
    char name[24] = "TEXCOORD_0";
    int accessor = -1;
    size_t count = (size_t)part->shown.vertex_count;
    const snw_Json *set = snw_json_get(reference, "texCoord");
    if (set != NULL && set->kind == SNW_JSON_NUMBER && set->number >= 0.0 && set->number < 100.0) {
        snprintf(name, sizeof name, "TEXCOORD_%d", (int)set->number);
    }
    sinew_Status status = take_attribute(gltf, attributes, name, 2, count, &accessor);
    if (status != SINEW_STATUS_OK || accessor < 0) { return status; }
    if (2 * count > gltf->budget) { return SINEW_STATUS_OK; }
    gltf->budget -= 2 * count;
    float *uvs = snw_json_take(&gltf->tree, 2 * count * sizeof *uvs);
    if (uvs == NULL) { return snw_gltf_no_memory(gltf); }
    for (size_t v = 0; v < count; ++v) {
        double uv[2];
        snw_gltf_decode_at(&gltf->accessors[accessor], v, uv);
        uvs[2 * v] = (float)uv[0];
        uvs[2 * v + 1] = (float)uv[1];
    }
    part->shown.uvs = uvs;
    return SINEW_STATUS_OK;
}

static sinew_Status read_material(
    sinew_Gltf *gltf, const snw_Json *primitive, const snw_Json *attributes, snw_GltfPart *part)
{
    int material = -1;
    bool there;
    for (int k = 0; k < 4; ++k) { part->shown.color[k] = 1.0; }
    part->shown.image = -1;
    sinew_Status status = snw_gltf_index(
        gltf, primitive, "material", gltf->material_count, &material);
    if (status != SINEW_STATUS_OK || material < 0) { return status; }
    const snw_Json *item = gltf->materials[material];
    const snw_Json *sides = snw_json_get(item, "doubleSided");
    part->shown.double_sided = sides != NULL && sides->kind == SNW_JSON_TRUE;
    const snw_Json *surface = snw_json_get(item, "pbrMetallicRoughness");
    status = snw_gltf_numbers(gltf, surface, "baseColorFactor", 4, part->shown.color, &there);
    const snw_Json *texture = snw_json_get(surface, "baseColorTexture");
    if (status != SINEW_STATUS_OK || texture == NULL) { return status; }
    part->shown.image = texture_image(gltf, texture);
    return part->shown.image >= 0 ? read_uvs(gltf, attributes, texture, part) : status;
}

// ---------------------------------------------------------------------------------------------
// Parts

static sinew_Status read_primitive(
    sinew_Gltf *gltf, const snw_Json *primitive, int node, int target_count, bool *out_packed)
{
    SNW_ASSERT(target_count >= 0);
    int indices = -1;
    size_t mode = TRIANGLES;
    snw_GltfPart *part = &gltf->parts[gltf->part_count];
    memset(part, 0, sizeof *part);
    const snw_Json *attributes = snw_json_get(primitive, "attributes");
    part->positions = -1;
    part->shown.node = node;
    part->skin = gltf->nodes[node].skin;
    sinew_Status status = snw_gltf_size(gltf, primitive, "mode", &mode);
    if (status != SINEW_STATUS_OK) { return status; }
    const snw_Json *packed = snw_json_get(
        snw_json_get(primitive, "extensions"), "KHR_draco_mesh_compression");
    if (packed != NULL) { *out_packed = true; }
    if (mode < POINTS_AND_LINES_END || mode > FAN || packed != NULL) { return SINEW_STATUS_OK; }
    status = take_attribute(gltf, attributes, "POSITION", 3, 0, &part->positions);
    if (status != SINEW_STATUS_OK || part->positions < 0) { return status; }
    size_t count = gltf->accessors[part->positions].count;
    part->shown.vertex_count = (int)count;
    status = snw_gltf_index(gltf, primitive, "indices", gltf->accessor_count, &indices);
    if (status == SINEW_STATUS_OK) {
        status = read_indices(gltf, primitive, (int)mode, indices, part);
    }
    if (status == SINEW_STATUS_OK) {
        status = read_targets(gltf, primitive, count, target_count, part);
    }
    if (status == SINEW_STATUS_OK && part->skin >= 0) {
        status = read_sets(gltf, attributes, count, part);
    }
    if (status == SINEW_STATUS_OK) { status = read_material(gltf, primitive, attributes, part); }
    if (status == SINEW_STATUS_OK) { ++gltf->part_count; }
    return status;
}

static int target_count_of(const snw_Json *mesh)
{
    const snw_Json *primitives = snw_json_get(mesh, "primitives");
    const snw_Json *targets = primitives != NULL ? snw_json_get(primitives->child, "targets")
                                                 : NULL;
    return targets != NULL && targets->kind == SNW_JSON_ARRAY ? targets->count : 0;
}

static sinew_Status read_mesh_of(
    sinew_Gltf *gltf, int node, const snw_Json *const *meshes, bool *out_packed)
{
    const snw_Json *mesh = meshes[gltf->nodes[node].mesh];
    const snw_Json *primitives = snw_json_get(mesh, "primitives");
    if (primitives == NULL || primitives->kind != SNW_JSON_ARRAY) {
        return snw_gltf_fail_value(gltf, mesh, "a mesh with primitives");
    }
    int target_count = target_count_of(mesh);
    gltf->nodes[node].weight_start = gltf->weight_count;
    gltf->nodes[node].weight_count = target_count;
    gltf->weight_count += target_count;
    const snw_Json *item = primitives->child;
    for (; item != NULL && gltf->nodes[node].in_scene; item = item->next) {
        sinew_Status status = read_primitive(gltf, item, node, target_count, out_packed);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    return SINEW_STATUS_OK;
}

// how many primitives all nodes have together
static size_t count_primitives(const sinew_Gltf *gltf, const snw_Json *const *meshes)
{
    size_t count = 0;
    for (int n = 0; n < gltf->node_count; ++n) {
        if (gltf->nodes[n].mesh < 0) { continue; }
        const snw_Json *primitives = snw_json_get(meshes[gltf->nodes[n].mesh], "primitives");
        count += primitives != NULL ? (size_t)primitives->count : 0;
        count += (size_t)target_count_of(meshes[gltf->nodes[n].mesh]);
    }
    return count;
}

sinew_Status snw_gltf_read_meshes(sinew_Gltf *gltf)
{
    // no file that is drawn has more
    enum { MAX_PARTS = 1000000 };
    int count;
    bool packed = false;
    const snw_Json *list = snw_json_get(gltf->tree.top, "meshes");
    const snw_Json *const *meshes = snw_gltf_list(gltf, list, &count);
    const snw_Json *top = gltf->tree.top;
    gltf->materials = snw_gltf_list(gltf, snw_json_get(top, "materials"), &gltf->material_count);
    gltf->textures = snw_gltf_list(gltf, snw_json_get(top, "textures"), &gltf->texture_count);
    if (count < 0 || gltf->material_count < 0 || gltf->texture_count < 0) {
        return snw_gltf_no_memory(gltf);
    }
    if (count == 0) { return SINEW_STATUS_OK; }
    size_t parts = count_primitives(gltf, meshes);
    if (parts > MAX_PARTS) {
        return snw_gltf_fail(gltf, list, "more primitives and morph targets than can be drawn",
            "at most %d at all nodes", MAX_PARTS);
    }
    gltf->parts = snw_json_take(&gltf->tree, parts * sizeof *gltf->parts);
    if (gltf->parts == NULL) { return snw_gltf_no_memory(gltf); }
    for (int n = 0; n < gltf->node_count; ++n) {
        if (gltf->nodes[n].mesh < 0) { continue; }
        sinew_Status status = read_mesh_of(gltf, n, meshes, &packed);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    if (packed) {
        snw_motion_warn(gltf->file, "meshes packed by KHR_draco_mesh_compression: kept, not drawn");
    }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Public parts

int sinew_gltf_part_count(const sinew_Gltf *gltf)
{
    if (gltf == NULL) { return 0; }
    return gltf->part_count;
}

const sinew_GltfPart *sinew_gltf_part(const sinew_Gltf *gltf, int part)
{
    if (gltf == NULL) { return NULL; }
    return part >= 0 && part < gltf->part_count ? &gltf->parts[part].shown : NULL;
}

int sinew_gltf_image_count(const sinew_Gltf *gltf)
{
    if (gltf == NULL) { return 0; }
    return gltf->image_count;
}

sinew_GltfImage sinew_gltf_image(const sinew_Gltf *gltf, int image)
{
    if (gltf == NULL) { return (sinew_GltfImage){ 0 }; }
    sinew_GltfImage none = { NULL, 0 };
    if (image < 0 || image >= gltf->image_count) { return none; }
    sinew_GltfImage r = { gltf->images[image].data, gltf->images[image].size };
    return r;
}

// world_from_mesh of one vertex: its joints by their weights, which are made to add up to 1
static sinew_Affine blend(const sinew_GltfPose *pose, const snw_GltfPart *part, size_t vertex)
{
    const sinew_Gltf *gltf = pose->gltf;
    const snw_GltfSkin *skin = &gltf->skins[part->skin];
    sinew_Affine sum;
    double whole = 0.0, *out = (double *)(void *)&sum;
    memset(&sum, 0, sizeof sum);
    for (int set = 0; set < part->set_count; ++set) {
        double weights[4];
        snw_gltf_decode_at(&gltf->accessors[part->weights[set]], vertex, weights);
        for (int k = 0; k < 4; ++k) {
            if (weights[k] == 0.0) { continue; }
            uint32_t joint = snw_gltf_whole_at(&gltf->accessors[part->joints[set]], vertex, k);
            sinew_Affine world = snw_affine_mul(
                pose->worlds[skin->joints[joint]], skin->joint_from_mesh[joint]);
            const double *in = (const double *)(const void *)&world;
            for (int i = 0; i < 12; ++i) { out[i] += weights[k] * in[i]; }
            whole += weights[k];
        }
    }
    if (whole == 0.0) {
        return snw_affine_mul(pose->worlds[skin->joints[0]], skin->joint_from_mesh[0]);
    }
    for (int i = 0; i < 12; ++i) { out[i] /= whole; }
    return sum;
}

void sinew_gltf_part_vertices(const sinew_GltfPose *pose, int part, sinew_Vec3 *out_positions)
{
    if (pose == NULL || out_positions == NULL || part < 0 || part >= pose->gltf->part_count) {
        return;
    }
    const sinew_Gltf *gltf = pose->gltf;
    const snw_GltfPart *source = &gltf->parts[part];
    const snw_GltfNode *node = &gltf->nodes[source->shown.node];
    for (int v = 0; v < source->shown.vertex_count; ++v) {
        double p[3], d[3];
        snw_gltf_decode_at(&gltf->accessors[source->positions], (size_t)v, p);
        for (int i = 0; i < node->weight_count && source->targets != NULL; ++i) {
            double weight = pose->weights[node->weight_start + i];
            if (weight == 0.0 || source->targets[i] < 0) { continue; }
            snw_gltf_decode_at(&gltf->accessors[source->targets[i]], (size_t)v, d);
            for (int k = 0; k < 3; ++k) { p[k] += weight * d[k]; }
        }
        sinew_Affine world = source->shown.is_skinned ? blend(pose, source, (size_t)v)
                                                      : pose->worlds[source->shown.node];
        sinew_Vec3 local = sinew_vec3(p[0], p[1], p[2]);
        out_positions[v] = sinew_vec3_add(world.position, sinew_mat3_mul_vec3(world.linear, local));
    }
}
