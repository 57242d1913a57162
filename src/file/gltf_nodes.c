// Nodes and skins: places, rotations and scales, and the order of the tree.

#include "file/gltf.h"

#include "base/message.h"
#include "math/holds.h"
#include "math/quat.h"

#include <stdio.h>
#include <string.h>

// Columns of a matrix, a rotation or a scale nearer to zero than this cannot be told from it.
#define SINGULAR 1e-12

// Steps of the iteration below; each doubles the number of right digits.
#define MAX_SPLIT_STEPS 60
#define SPLIT_DONE 1e-15

// ---------------------------------------------------------------------------------------------
// Matrices

static double determinant(sinew_Mat3 m)
{
    return sinew_vec3_dot(m.x, sinew_vec3_cross(m.y, m.z));
}

static double size_of(sinew_Mat3 m)
{
    return sqrt(sinew_vec3_dot(m.x, m.x) + sinew_vec3_dot(m.y, m.y) + sinew_vec3_dot(m.z, m.z));
}

static sinew_Mat3 scaled(sinew_Mat3 m, double s)
{
    sinew_Mat3 r = { sinew_vec3_scale(m.x, s), sinew_vec3_scale(m.y, s), sinew_vec3_scale(m.z, s) };
    return r;
}

bool snw_mat3_inverse(sinew_Mat3 m, sinew_Mat3 *out)
{
    double size = size_of(m), d = determinant(m);
    if (!(fabs(d) > SINGULAR * size * size * size)) { return false; }
    sinew_Mat3 rows = { sinew_vec3_cross(m.y, m.z), sinew_vec3_cross(m.z, m.x),
        sinew_vec3_cross(m.x, m.y) };
    *out = scaled(sinew_mat3_transpose(rows), 1.0 / d);
    return true;
}

// the polar decomposition by Newton's iteration (Higham 1986): the mean of a matrix and its inverse
// transposed goes to the nearest orthogonal matrix
bool snw_gltf_split(sinew_Mat3 m, sinew_Quat *out_rotation, sinew_Mat3 *out_stretch)
{
    sinew_Mat3 q = m, inverse;
    if (!snw_mat3_inverse(m, &inverse)) { return false; }
    q = scaled(q, 1.0 / size_of(q));
    for (int i = 0; i < MAX_SPLIT_STEPS; ++i) {
        if (!snw_mat3_inverse(q, &inverse)) { return false; }
        sinew_Mat3 other = sinew_mat3_transpose(inverse);
        // the scale that brings both to the same size speeds up the first steps
        double g = sqrt(size_of(other) / size_of(q));
        sinew_Mat3 next = {
            sinew_vec3_scale(
                sinew_vec3_add(sinew_vec3_scale(q.x, g), sinew_vec3_scale(other.x, 1.0 / g)), 0.5),
            sinew_vec3_scale(
                sinew_vec3_add(sinew_vec3_scale(q.y, g), sinew_vec3_scale(other.y, 1.0 / g)), 0.5),
            sinew_vec3_scale(
                sinew_vec3_add(sinew_vec3_scale(q.z, g), sinew_vec3_scale(other.z, 1.0 / g)), 0.5)
        };
        double change = sinew_vec3_distance(next.x, q.x) + sinew_vec3_distance(next.y, q.y)
            + sinew_vec3_distance(next.z, q.z);
        q = next;
        if (change < SPLIT_DONE) { break; }
    }
    // a mirror image is a rotation times -1, which changes place with every other map
    if (determinant(q) < 0.0) { q = scaled(q, -1.0); }
    *out_rotation = sinew_quat_normalize(sinew_quat_from_mat3(q));
    *out_stretch = sinew_mat3_mul(sinew_mat3_transpose(sinew_mat3_from_quat(*out_rotation)), m);
    return true;
}

sinew_Affine snw_affine_mul(sinew_Affine a, sinew_Affine b)
{
    sinew_Affine r = { sinew_mat3_mul(a.linear, b.linear),
        sinew_vec3_add(a.position, sinew_mat3_mul_vec3(a.linear, b.position)) };
    return r;
}

sinew_Affine snw_gltf_local(sinew_Vec3 translation, sinew_Quat rotation, sinew_Mat3 stretch)
{
    sinew_Affine r = { sinew_mat3_mul(sinew_mat3_from_quat(rotation), stretch), translation };
    return r;
}

// ---------------------------------------------------------------------------------------------
// One node

static sinew_Status read_matrix(const sinew_Gltf *gltf, const snw_Json *item, snw_GltfNode *node)
{
    double m[16];
    sinew_Status status = snw_gltf_numbers(gltf, item, "matrix", 16, m, &node->has_matrix);
    if (status != SINEW_STATUS_OK || !node->has_matrix) { return status; }
    bool affine = fabs(m[3]) + fabs(m[7]) + fabs(m[11]) < 1e-6 && fabs(m[15] - 1.0) < 1e-6;
    sinew_Mat3 linear = { { m[0], m[1], m[2] }, { m[4], m[5], m[6] }, { m[8], m[9], m[10] } };
    if (!affine || !snw_gltf_split(linear, &node->rotation, &node->stretch)) {
        return snw_gltf_fail_value(gltf, snw_json_get(item, "matrix"),
            "matrix: a place, a rotation and a scale other than 0");
    }
    node->translation = sinew_vec3(m[12], m[13], m[14]);
    return SINEW_STATUS_OK;
}

static sinew_Status read_parts(sinew_Gltf *gltf, const snw_Json *item, snw_GltfNode *node)
{
    double n[4];
    bool there;
    sinew_Status status = snw_gltf_numbers(gltf, item, "translation", 3, n, &there);
    if (status != SINEW_STATUS_OK) { return status; }
    if (there) { node->translation = sinew_vec3(n[0], n[1], n[2]); }
    status = snw_gltf_numbers(gltf, item, "scale", 3, n, &there);
    if (status != SINEW_STATUS_OK) { return status; }
    if (there) {
        node->stretch.x.x = n[0];
        node->stretch.y.y = n[1];
        node->stretch.z.z = n[2];
    }
    status = snw_gltf_numbers(gltf, item, "rotation", 4, n, &there);
    if (status != SINEW_STATUS_OK || !there) { return status; }
    sinew_Quat q = snw_quat_load(n);
    double length = sqrt(sinew_quat_dot(q, q));
    if (!(length > SINGULAR)) {
        return snw_gltf_fail_value(
            gltf, snw_json_get(item, "rotation"), "rotation: a unit quaternion");
    }
    gltf->uneven_rotations += fabs(length - 1.0) > SNW_GLTF_UNEVEN ? 1 : 0;
    node->rotation = sinew_quat_normalize(q);
    return SINEW_STATUS_OK;
}

static int mesh_count(const sinew_Gltf *gltf)
{
    const snw_Json *meshes = snw_json_get(gltf->tree.top, "meshes");
    return meshes != NULL && meshes->kind == SNW_JSON_ARRAY ? meshes->count : 0;
}

static int skin_count(const sinew_Gltf *gltf)
{
    const snw_Json *skins = snw_json_get(gltf->tree.top, "skins");
    return skins != NULL && skins->kind == SNW_JSON_ARRAY ? skins->count : 0;
}

static sinew_Status name_node(sinew_Gltf *gltf, int index, snw_GltfNode *node)
{
    SNW_ASSERT(index >= 0);
    enum { LONGEST = 24 };
    const snw_Json *name = snw_json_get(node->json, "name");
    if (name != NULL && name->kind == SNW_JSON_TEXT && name->text[0] != '\0') {
        node->name = name->text;
        return SINEW_STATUS_OK;
    }
    char *text = snw_json_take(&gltf->tree, LONGEST);
    if (text == NULL) { return snw_gltf_no_memory(gltf); }
    snprintf(text, LONGEST, "node%d", index);
    node->name = text;
    return SINEW_STATUS_OK;
}

static sinew_Status read_node(sinew_Gltf *gltf, const snw_Json *item, int index)
{
    SNW_ASSERT(index >= 0);
    snw_GltfNode *node = &gltf->nodes[index];
    memset(node, 0, sizeof *node);
    node->json = item;
    node->parent = node->first_child = node->next = node->mesh = node->skin = -1;
    node->rotation = sinew_quat_identity();
    node->stretch = sinew_mat3_identity();
    if (item->kind != SNW_JSON_OBJECT) { return snw_gltf_fail_value(gltf, item, "a node"); }
    sinew_Status status = name_node(gltf, index, node);
    if (status == SINEW_STATUS_OK) { status = read_matrix(gltf, item, node); }
    if (status == SINEW_STATUS_OK && !node->has_matrix) { status = read_parts(gltf, item, node); }
    if (status == SINEW_STATUS_OK) {
        status = snw_gltf_index(gltf, item, "mesh", mesh_count(gltf), &node->mesh);
    }
    if (status == SINEW_STATUS_OK) {
        status = snw_gltf_index(gltf, item, "skin", skin_count(gltf), &node->skin);
    }
    node->has_camera = snw_json_get(item, "camera") != NULL
        || snw_json_get(snw_json_get(item, "extensions"), "KHR_lights_punctual") != NULL;
    return status;
}

// ---------------------------------------------------------------------------------------------
// The tree

static sinew_Status take_node(
    const sinew_Gltf *gltf, const snw_Json *item, const char *what, int *out_node)
{
    double number = item->kind == SNW_JSON_NUMBER ? item->number : -1.0;
    if (number < 0.0 || number >= gltf->node_count || number != floor(number)) {
        return snw_gltf_fail_value(
            gltf, item, "%s: the index of a node, below %d", what, gltf->node_count);
    }
    *out_node = (int)number;
    return SINEW_STATUS_OK;
}

static sinew_Status link_children(sinew_Gltf *gltf, int index)
{
    SNW_ASSERT(index >= 0);
    const snw_Json *children = snw_json_get(gltf->nodes[index].json, "children");
    if (children == NULL) { return SINEW_STATUS_OK; }
    if (children->kind != SNW_JSON_ARRAY) {
        return snw_gltf_fail_value(gltf, children, "children: indices of nodes");
    }
    int *link = &gltf->nodes[index].first_child;
    for (const snw_Json *item = children->child; item != NULL; item = item->next) {
        int child = -1;
        sinew_Status status = take_node(gltf, item, "children", &child);
        if (status != SINEW_STATUS_OK) { return status; }
        if (gltf->nodes[child].parent >= 0 || child == index) {
            return snw_gltf_fail_value(gltf, item, "a node that is no other node's child");
        }
        gltf->nodes[child].parent = index;
        *link = child;
        link = &gltf->nodes[child].next;
    }
    return SINEW_STATUS_OK;
}

// a root and everything below it, depth first
static void add_tree(sinew_Gltf *gltf, int root, bool in_scene)
{
    for (int n = root; n >= 0;) {
        snw_GltfNode *node = &gltf->nodes[n];
        node->in_scene = in_scene;
        node->placed = true;
        gltf->order[gltf->order_count++] = n;
        if (node->first_child >= 0) {
            n = node->first_child;
            continue;
        }
        while (n != root && gltf->nodes[n].next < 0) { n = gltf->nodes[n].parent; }
        n = n != root ? gltf->nodes[n].next : -1;
    }
}

static sinew_Status add_scene(sinew_Gltf *gltf)
{
    int count, scene = -1;
    const snw_Json *const *scenes = snw_gltf_list(
        gltf, snw_json_get(gltf->tree.top, "scenes"), &count);
    if (count < 0) { return snw_gltf_no_memory(gltf); }
    sinew_Status status = snw_gltf_index(gltf, gltf->tree.top, "scene", count, &scene);
    if (status != SINEW_STATUS_OK || count == 0) { return status; }
    if (count > 1) {
        snw_motion_warn(gltf->file, "%d scenes: number %d is read", count, scene >= 0 ? scene : 0);
    }
    const snw_Json *roots = snw_json_get(scenes[scene >= 0 ? scene : 0], "nodes");
    const snw_Json *item = roots != NULL ? roots->child : NULL;
    for (; item != NULL; item = item->next) {
        int root = -1;
        status = take_node(gltf, item, "nodes of a scene", &root);
        if (status != SINEW_STATUS_OK) { return status; }
        if (gltf->nodes[root].parent >= 0 || gltf->nodes[root].in_scene) {
            return snw_gltf_fail_value(gltf, item, "a root node, once");
        }
        add_tree(gltf, root, true);
    }
    return SINEW_STATUS_OK;
}

static sinew_Status order_nodes(sinew_Gltf *gltf)
{
    sinew_Status status = add_scene(gltf);
    if (status != SINEW_STATUS_OK) { return status; }
    // a file without scenes shows everything; else the rest only has an order
    bool has_scene = gltf->order_count > 0;
    for (int n = 0; n < gltf->node_count; ++n) {
        if (gltf->nodes[n].parent < 0 && !gltf->nodes[n].in_scene) {
            add_tree(gltf, n, !has_scene);
        }
    }
    // whoever is in a circle has a parent and is below no root
    if (gltf->order_count < gltf->node_count) {
        int lost = 0;
        while (gltf->nodes[lost].placed) { ++lost; }
        return snw_gltf_fail(
            gltf, gltf->nodes[lost].json, "a node that is its own ancestor", "a tree of nodes");
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_gltf_read_nodes(sinew_Gltf *gltf)
{
    int count;
    const snw_Json *nodes = snw_json_get(gltf->tree.top, "nodes");
    const snw_Json *const *items = snw_gltf_list(gltf, nodes, &count);
    if (count < 0) { return snw_gltf_no_memory(gltf); }
    if (count == 0 || count > SINEW_MAX_JOINTS) {
        char found[40];
        snprintf(found, sizeof found, "%d node%s", count, snw_plural(count));
        return snw_gltf_fail(gltf, nodes != NULL ? nodes : gltf->tree.top, found, "1 to %d of them",
            SINEW_MAX_JOINTS);
    }
    gltf->nodes = snw_json_take(&gltf->tree, (size_t)count * sizeof *gltf->nodes);
    gltf->order = snw_json_take(&gltf->tree, (size_t)count * sizeof *gltf->order);
    if (gltf->nodes == NULL || gltf->order == NULL) { return snw_gltf_no_memory(gltf); }
    gltf->node_count = count;
    for (int n = 0; n < count; ++n) {
        sinew_Status status = read_node(gltf, items[n], n);
        if (status != SINEW_STATUS_OK) { return status; }
        gltf->longest = fmax(gltf->longest, sinew_vec3_length(gltf->nodes[n].translation));
    }
    for (int n = 0; n < count; ++n) {
        sinew_Status status = link_children(gltf, n);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    return order_nodes(gltf);
}

// ---------------------------------------------------------------------------------------------
// Skins

static sinew_Status read_bind_matrices(
    sinew_Gltf *gltf, const snw_Json *item, int joint_count, snw_GltfSkin *skin)
{
    SNW_ASSERT(joint_count >= 0);
    int accessor = -1;
    sinew_Status status = snw_gltf_index(
        gltf, item, "inverseBindMatrices", gltf->accessor_count, &accessor);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_Affine *bind = snw_json_take(&gltf->tree, (size_t)joint_count * sizeof *bind);
    if (bind == NULL) { return snw_gltf_no_memory(gltf); }
    skin->joint_from_mesh = bind;
    for (int j = 0; j < joint_count; ++j) { bind[j].linear = sinew_mat3_identity(); }
    if (accessor < 0) { return SINEW_STATUS_OK; }
    const snw_GltfAccessor *source = &gltf->accessors[accessor];
    if (source->width != 16 || source->is_skewed || source->count < (size_t)joint_count) {
        return snw_gltf_fail_value(gltf, snw_json_get(item, "inverseBindMatrices"),
            "an accessor of %d MAT4 of floats", joint_count);
    }
    for (int j = 0; j < joint_count; ++j) {
        double m[16];
        snw_gltf_decode_at(source, (size_t)j, m);
        bind[j].linear.x = sinew_vec3(m[0], m[1], m[2]);
        bind[j].linear.y = sinew_vec3(m[4], m[5], m[6]);
        bind[j].linear.z = sinew_vec3(m[8], m[9], m[10]);
        bind[j].position = sinew_vec3(m[12], m[13], m[14]);
    }
    return SINEW_STATUS_OK;
}

static sinew_Status read_skin(sinew_Gltf *gltf, const snw_Json *item, snw_GltfSkin *skin)
{
    const snw_Json *joints = snw_json_get(item, "joints");
    if (joints == NULL || joints->kind != SNW_JSON_ARRAY || joints->count == 0) {
        return snw_gltf_fail_value(gltf, item, "a skin with joints");
    }
    int *indices = snw_json_take(&gltf->tree, (size_t)joints->count * sizeof *indices);
    if (indices == NULL) { return snw_gltf_no_memory(gltf); }
    skin->joints = indices;
    for (const snw_Json *joint = joints->child; joint != NULL; joint = joint->next) {
        sinew_Status status = take_node(gltf, joint, "joints", &indices[skin->joint_count]);
        if (status != SINEW_STATUS_OK) { return status; }
        ++skin->joint_count;
    }
    return read_bind_matrices(gltf, item, joints->count, skin);
}

sinew_Status snw_gltf_read_skins(sinew_Gltf *gltf)
{
    int count;
    const snw_Json *const *items;
    gltf->skins = snw_gltf_take_list(gltf, "skins", sizeof *gltf->skins, &items, &count);
    if (gltf->skins == NULL) { return snw_gltf_no_memory(gltf); }
    for (int i = 0; i < count; ++i) {
        sinew_Status status = read_skin(gltf, items[i], &gltf->skins[i]);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    gltf->skin_count = count;
    return SINEW_STATUS_OK;
}
