// From nodes to a skeleton and a clip.
//
// Joints are the nodes of skins, the nodes between them, moving nodes above them and bare nodes below
// them; without skins all nodes of the scene. Fixed nodes above the joints go into the roots.
//
// A skeleton is rigid, nodes have scales. The world map of a node at rest is a rotation times a
// stretch; the rotation is the joint's. Where the stretch is the same in all directions it changes
// places with every rotation, so joint and node turn alike in every pose:
//     parent_from_joint = place: map (translation), turn: left rotation right
// with a constant map and constant rotations left and right, exact at rest and, with even scales,
// everywhere. Where a scale above a joint differs by direction, a pose of the rigid joints is still
// told to the nodes by their own rotations, and what the file then shows differs by a shear; how far
// joints come apart in the file's own motion is told as a warning.

#include "base/memory.h"
#include "base/message.h"
#include "file/gltf.h"
#include "math/holds.h"

#include <stdio.h>
#include <string.h>

// A joint whose place changes by less than this part of the longest bone keeps its place.
#define STILL 1e-5

typedef struct Builder {
    sinew_Gltf *gltf;
    sinew_MotionFile *file;
    const sinew_ReadOptions *options;
    bool *is_skin_joint, *is_joint, *has_mesh_below, *has_joint_below, *slides;
    sinew_Vec3 *places; // of nodes in their parents, in the first key of the chosen animation
    int *joint_of_node;
    sinew_Affine *worlds;  // of nodes at rest
    sinew_Quat *rotations; // of joints in the world at rest, by node
    sinew_JointDef *defs;
    sinew_Axis (*axes)[4];
    int joint_count;
} Builder;

// ---------------------------------------------------------------------------------------------
// Which nodes are joints

static void mark_skins(Builder *builder, bool all)
{
    const sinew_Gltf *gltf = builder->gltf;
    for (int n = 0; n < gltf->node_count; ++n) {
        int s = gltf->nodes[n].skin;
        if (all || s < 0 || !gltf->nodes[n].in_scene) { continue; }
        for (int j = 0; j < gltf->skins[s].joint_count; ++j) {
            builder->is_skin_joint[gltf->skins[s].joints[j]] = true;
        }
    }
    for (int s = 0; s < gltf->skin_count && all; ++s) {
        for (int j = 0; j < gltf->skins[s].joint_count; ++j) {
            builder->is_skin_joint[gltf->skins[s].joints[j]] = true;
        }
    }
}

static bool any_skin_joint(const Builder *builder)
{
    for (int n = 0; n < builder->gltf->node_count; ++n) {
        if (builder->is_skin_joint[n] && builder->gltf->nodes[n].in_scene) { return true; }
    }
    return false;
}

static void choose_by_skins(Builder *builder)
{
    const sinew_Gltf *gltf = builder->gltf;
    for (int i = gltf->order_count - 1; i >= 0; --i) {
        int n = gltf->order[i], parent = gltf->nodes[n].parent;
        const snw_GltfNode *node = &gltf->nodes[n];
        if (node->mesh >= 0 || node->has_camera) { builder->has_mesh_below[n] = true; }
        if (parent < 0) { continue; }
        bool joint = builder->is_skin_joint[n] || builder->has_joint_below[n];
        builder->has_joint_below[parent] = builder->has_joint_below[parent] || joint;
        builder->has_mesh_below[parent] = builder->has_mesh_below[parent]
            || builder->has_mesh_below[n];
    }
    for (int i = 0; i < gltf->order_count; ++i) {
        int n = gltf->order[i], parent = gltf->nodes[n].parent;
        bool below = parent >= 0 && builder->is_joint[parent];
        builder->is_joint[n] = builder->is_skin_joint[n]
            || (builder->has_joint_below[n] && (below || gltf->nodes[n].moves))
            || (below && !builder->has_mesh_below[n]);
    }
}

// a camera or a lamp at the end of a branch is no joint, unless there is nothing else
static void choose_by_scene(Builder *builder)
{
    const sinew_Gltf *gltf = builder->gltf;
    int count = 0;
    for (int n = 0; n < gltf->node_count; ++n) {
        const snw_GltfNode *node = &gltf->nodes[n];
        builder->is_joint[n] = node->in_scene && !(node->has_camera && node->first_child < 0);
        count += builder->is_joint[n] ? 1 : 0;
    }
    for (int n = 0; n < gltf->node_count && count == 0; ++n) {
        builder->is_joint[n] = gltf->nodes[n].in_scene;
    }
}

static sinew_Status choose_joints(Builder *builder)
{
    sinew_Gltf *gltf = builder->gltf;
    mark_skins(builder, false);
    if (!any_skin_joint(builder)) { mark_skins(builder, true); }
    if (any_skin_joint(builder)) {
        choose_by_skins(builder);
    } else {
        choose_by_scene(builder);
    }
    for (int i = 0; i < gltf->order_count; ++i) {
        int n = gltf->order[i];
        builder->is_joint[n] = builder->is_joint[n] && gltf->nodes[n].in_scene;
        builder->joint_of_node[n] = builder->is_joint[n] ? builder->joint_count++ : -1;
    }
    if (builder->joint_count > 0) { return SINEW_STATUS_OK; }
    return snw_gltf_fail(gltf, gltf->tree.top, "a scene without nodes", "at least one node in it");
}

// ---------------------------------------------------------------------------------------------
// Joints

static sinew_Quat parent_rotation(const Builder *builder, int node)
{
    int parent = builder->gltf->nodes[node].parent;
    bool has = parent >= 0 && builder->is_joint[parent];
    return has ? builder->rotations[parent] : sinew_quat_identity();
}

static sinew_Status fail_flat(const Builder *builder, int node)
{
    const sinew_Gltf *gltf = builder->gltf;
    char found[160];
    snprintf(found, sizeof found, "node \"%.80s\" scaled to nothing in some direction",
        gltf->nodes[node].name);
    snw_gltf_fail(gltf, gltf->nodes[node].json, found, "joints with a scale other than 0");
    return SINEW_STATUS_UNSUPPORTED;
}

// the map from the node's translation to the offset in the frame of the parent joint
static sinew_Status bind_place(const Builder *builder, int node, snw_GltfJoint *joint)
{
    int parent = builder->gltf->nodes[node].parent;
    sinew_Affine map = { sinew_mat3_identity(), { 0.0, 0.0, 0.0 } };
    joint->left = sinew_quat_identity();
    if (parent >= 0 && builder->is_joint[parent]) {
        map.linear = sinew_mat3_mul(
            sinew_mat3_transpose(sinew_mat3_from_quat(builder->rotations[parent])),
            builder->worlds[parent].linear);
    } else if (parent >= 0) {
        sinew_Mat3 stretch;
        map = builder->worlds[parent];
        if (!snw_gltf_split(map.linear, &joint->left, &stretch)) {
            return fail_flat(builder, parent);
        }
    }
    joint->parent_from_translation = map;
    if (!snw_mat3_inverse(map.linear, &joint->translation_from_parent.linear)) {
        return fail_flat(builder, parent);
    }
    joint->translation_from_parent.position = sinew_vec3_scale(
        sinew_mat3_mul_vec3(joint->translation_from_parent.linear, map.position), -1.0);
    return SINEW_STATUS_OK;
}

static sinew_Status bind_turn(Builder *builder, int n, snw_GltfJoint *joint)
{
    SNW_ASSERT(n >= 0);
    const snw_GltfNode *node = &builder->gltf->nodes[n];
    sinew_Quat parent = parent_rotation(builder, n),
               own = sinew_quat_mul(joint->left, node->rotation);
    sinew_Mat3 stretch;
    if (!snw_gltf_split(builder->worlds[n].linear, &builder->rotations[n], &stretch)) {
        // the end of a branch needs no frame that anything hangs in
        if (node->first_child >= 0) { return fail_flat(builder, n); }
        builder->rotations[n] = sinew_quat_mul(parent, own);
    }
    sinew_Quat rest = sinew_quat_mul(sinew_quat_conjugate(parent), builder->rotations[n]);
    joint->right = sinew_quat_normalize(sinew_quat_mul(sinew_quat_conjugate(own), rest));
    return SINEW_STATUS_OK;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), want = strlen(ending);
    if (length < want) { return false; }
    snw_Span span = { text + length - want, want };
    return snw_span_is(span, ending);
}

// a leaf that never moves and belongs to no skin, or is called what programs call ends of bones
static bool is_end(const Builder *builder, int n)
{
    SNW_ASSERT(n >= 0);
    const snw_GltfNode *node = &builder->gltf->nodes[n];
    char name[64];
    if (node->moves || node->first_child >= 0) { return false; }
    if (node->parent < 0 || !builder->is_joint[node->parent]) { return false; }
    snprintf(name, sizeof name, "%.63s", node->name);
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9') { --length; }
    name[length] = '\0';
    bool named = ends_with(name, "_end") || ends_with(name, "_end_") || ends_with(name, "nub");
    return named || (builder->gltf->skin_count > 0 && !builder->is_skin_joint[n]);
}

static sinew_Status add_joint(Builder *builder, int n)
{
    SNW_ASSERT(n >= 0);
    const snw_GltfNode *node = &builder->gltf->nodes[n];
    int j = builder->joint_of_node[n];
    snw_GltfJoint joint;
    memset(&joint, 0, sizeof joint);
    joint.node = n;
    joint.is_end = is_end(builder, n);
    sinew_Status status = bind_place(builder, n, &joint);
    if (status == SINEW_STATUS_OK) { status = bind_turn(builder, n, &joint); }
    if (status != SINEW_STATUS_OK) { return status; }

    bool has_parent = node->parent >= 0 && builder->is_joint[node->parent];
    sinew_JointDef *def = &builder->defs[j];
    sinew_Axis *axes = builder->axes[j];
    *def = sinew_joint_def_default();
    def->name = node->name;
    def->parent = has_parent ? builder->joint_of_node[node->parent] : -1;
    sinew_Affine place = joint.parent_from_translation;
    def->offset = sinew_vec3_scale(
        sinew_vec3_add(place.position, sinew_mat3_mul_vec3(place.linear, builder->places[n])),
        builder->file->unit);
    def->rest_rotation = sinew_quat_normalize(
        sinew_quat_mul(joint.left, sinew_quat_mul(node->rotation, joint.right)));
    def->axes = axes;
    if (!has_parent || builder->slides[n]) {
        axes[def->axis_count++] = sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0));
        axes[def->axis_count++] = sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0));
        axes[def->axis_count++] = sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0));
    }
    if (!joint.is_end) { axes[def->axis_count++] = sinew_axis_ball(); }
    snw_buffer_add(&builder->file->gltf_joints, &joint, sizeof joint);
    return builder->file->gltf_joints.failed ? SINEW_STATUS_OUT_OF_MEMORY : SINEW_STATUS_OK;
}

// Whether the chosen animation shifts a node against its parent. A node that it holds still elsewhere
// than at rest has its joint there.
static void find_slides(Builder *builder)
{
    const sinew_Gltf *gltf = builder->gltf;
    for (int n = 0; n < gltf->node_count; ++n) { builder->places[n] = gltf->nodes[n].translation; }
    int animation = builder->file->animation;
    const snw_GltfAnimation *source = animation >= 0 ? &gltf->animations[animation] : NULL;
    for (int c = 0; source != NULL && c < source->channel_count; ++c) {
        const snw_GltfChannel *channel = &source->channels[c];
        if (channel->path != SNW_GLTF_TRANSLATION) { continue; }
        sinew_Vec3 *place = &builder->places[channel->node];
        int step = channel->interpolation == SNW_GLTF_CUBIC ? 9 : 3;
        for (int k = 0; k < channel->key_count; ++k) {
            const double *v = channel->values + k * step + (step == 9 ? 3 : 0);
            sinew_Vec3 key = sinew_vec3(v[0], v[1], v[2]);
            if (k == 0) { *place = key; }
            if (sinew_vec3_distance(*place, key) > STILL * gltf->longest) {
                builder->slides[channel->node] = true;
            }
        }
        if (builder->slides[channel->node]) { *place = gltf->nodes[channel->node].translation; }
    }
}

static sinew_Status fill_joints(Builder *builder)
{
    sinew_Gltf *gltf = builder->gltf;
    for (int i = 0; i < gltf->order_count; ++i) {
        int n = gltf->order[i], parent = gltf->nodes[n].parent;
        const snw_GltfNode *node = &gltf->nodes[n];
        sinew_Affine own = snw_gltf_local(node->translation, node->rotation, node->stretch);
        builder->worlds[n] = parent >= 0 ? snw_affine_mul(builder->worlds[parent], own) : own;
        if (!builder->is_joint[n]) { continue; }
        sinew_Status status = add_joint(builder, n);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    sinew_Message message;
    sinew_Status status = sinew_skeleton_create(
        builder->defs, builder->joint_count, &gltf->allocator, &builder->file->skeleton, &message);
    if (status == SINEW_STATUS_INVALID_ARGUMENT) {
        return snw_fail(gltf->message, SINEW_STATUS_BAD_FILE, "%s: with a unit of %g m, %s",
            gltf->name, builder->file->unit, message.text);
    }
    return status;
}

sinew_Status snw_gltf_make_skeleton(sinew_Gltf *gltf, const sinew_ReadOptions *options)
{
    Builder builder;
    memset(&builder, 0, sizeof builder);
    size_t count = (size_t)gltf->node_count;
    builder.gltf = gltf;
    builder.file = gltf->file;
    builder.options = options;
    // given back with the document
    builder.is_skin_joint = snw_json_take(&gltf->tree, count);
    builder.is_joint = snw_json_take(&gltf->tree, count);
    builder.has_mesh_below = snw_json_take(&gltf->tree, count);
    builder.has_joint_below = snw_json_take(&gltf->tree, count);
    builder.slides = snw_json_take(&gltf->tree, count);
    builder.places = snw_json_take(&gltf->tree, count * sizeof *builder.places);
    builder.joint_of_node = snw_json_take(&gltf->tree, count * sizeof *builder.joint_of_node);
    builder.worlds = snw_alloc_array(&gltf->allocator, count, sizeof *builder.worlds);
    builder.rotations = snw_alloc_array(&gltf->allocator, count, sizeof *builder.rotations);
    builder.defs = snw_alloc_array(&gltf->allocator, count, sizeof *builder.defs);
    builder.axes = snw_alloc_array(&gltf->allocator, count, sizeof *builder.axes);
    bool ready = builder.is_skin_joint && builder.is_joint && builder.has_mesh_below
        && builder.has_joint_below && builder.slides && builder.places && builder.joint_of_node
        && builder.worlds && builder.rotations && builder.defs && builder.axes;
    sinew_Status status = ready ? choose_joints(&builder) : SINEW_STATUS_OUT_OF_MEMORY;
    if (status == SINEW_STATUS_OK) {
        find_slides(&builder);
        status = fill_joints(&builder);
    }
    snw_free(&gltf->allocator, builder.worlds, count * sizeof *builder.worlds);
    snw_free(&gltf->allocator, builder.rotations, count * sizeof *builder.rotations);
    snw_free(&gltf->allocator, builder.defs, count * sizeof *builder.defs);
    snw_free(&gltf->allocator, builder.axes, count * sizeof *builder.axes);
    return status;
}
