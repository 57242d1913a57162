// Poses of all nodes of a document: at rest, in an animation, or as a skeleton stands.

#include "file/gltf_pose.h"

#include "base/memory.h"
#include "sinew/pose.h"

#include <string.h>

sinew_Status sinew_gltf_pose_create(
    const sinew_Gltf *gltf, const sinew_Allocator *allocator, sinew_GltfPose **out_pose)
{
    if (gltf == NULL || out_pose == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
    sinew_Allocator used = snw_allocator_or_default(allocator);
    size_t nodes = (size_t)gltf->node_count, weights = (size_t)gltf->weight_count;
    *out_pose = NULL;
    sinew_GltfPose *pose = snw_alloc(&used, sizeof *pose);
    if (pose == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    pose->allocator = used;
    pose->gltf = gltf;
    pose->locals = snw_alloc_array(&used, nodes, sizeof *pose->locals);
    pose->worlds = snw_alloc_array(&used, nodes, sizeof *pose->worlds);
    pose->weights = snw_alloc_array(&used, weights, sizeof *pose->weights);
    pose->sample = snw_alloc_array(&used, weights + 4, sizeof *pose->sample);
    if (!pose->locals || !pose->worlds || !pose->weights || !pose->sample) {
        sinew_gltf_pose_destroy(pose);
        return SINEW_STATUS_OUT_OF_MEMORY;
    }
    sinew_gltf_pose_rest(pose);
    *out_pose = pose;
    return SINEW_STATUS_OK;
}

void sinew_gltf_pose_destroy(sinew_GltfPose *pose)
{
    if (pose == NULL) { return; }
    size_t nodes = (size_t)pose->gltf->node_count, weights = (size_t)pose->gltf->weight_count;
    sinew_Allocator allocator = pose->allocator;
    snw_free(&allocator, pose->locals, nodes * sizeof *pose->locals);
    snw_free(&allocator, pose->worlds, nodes * sizeof *pose->worlds);
    snw_free(&allocator, pose->weights, weights * sizeof *pose->weights);
    snw_free(&allocator, pose->sample, (weights + 4) * sizeof *pose->sample);
    snw_free(&allocator, pose, sizeof *pose);
}

/// World transforms from the local ones.
static void update_pose(sinew_GltfPose *pose)
{
    const sinew_Gltf *gltf = pose->gltf;
    for (int i = 0; i < gltf->order_count; ++i) {
        int n = gltf->order[i], parent = gltf->nodes[n].parent;
        const snw_GltfLocal *local = &pose->locals[n];
        sinew_Affine own = snw_gltf_local(local->translation, local->rotation, local->stretch);
        pose->worlds[n] = parent >= 0 ? snw_affine_mul(pose->worlds[parent], own) : own;
    }
}

// weights of a mesh, and of the node where it says others
static void rest_weights(const sinew_Gltf *gltf, const snw_GltfNode *node, double *out)
{
    const snw_Json *weights = snw_json_get(node->json, "weights");
    if (weights == NULL) {
        const snw_Json *meshes = snw_json_get(gltf->tree.top, "meshes");
        const snw_Json *mesh = meshes != NULL ? meshes->child : NULL;
        for (int i = 0; i < node->mesh && mesh != NULL; ++i) { mesh = mesh->next; }
        weights = snw_json_get(mesh, "weights");
    }
    const snw_Json *item = weights != NULL ? weights->child : NULL;
    for (int i = 0; i < node->weight_count; ++i) {
        out[i] = item != NULL && item->kind == SNW_JSON_NUMBER ? item->number : 0.0;
        if (item != NULL) { item = item->next; }
    }
}

static void set_rest(sinew_GltfPose *pose)
{
    const sinew_Gltf *gltf = pose->gltf;
    for (int n = 0; n < gltf->node_count; ++n) {
        const snw_GltfNode *node = &gltf->nodes[n];
        snw_GltfLocal local = { node->translation, node->rotation, node->stretch };
        pose->locals[n] = local;
        if (node->weight_count > 0) {
            rest_weights(gltf, node, pose->weights + node->weight_start);
        }
    }
}

void sinew_gltf_pose_rest(sinew_GltfPose *pose)
{
    if (pose == NULL) { return; }
    set_rest(pose);
    update_pose(pose);
}

static void set_channel(sinew_GltfPose *pose, const snw_GltfChannel *channel, double time)
{
    double *v = pose->sample;
    snw_GltfLocal *local = &pose->locals[channel->node];
    snw_gltf_sample(channel, time, v);
    switch (channel->path) {
    case SNW_GLTF_TRANSLATION: local->translation = sinew_vec3(v[0], v[1], v[2]); break;
    case SNW_GLTF_ROTATION: memcpy(&local->rotation, v, sizeof local->rotation); break;
    case SNW_GLTF_SCALE:
        local->stretch = sinew_mat3_identity();
        local->stretch.x.x = v[0];
        local->stretch.y.y = v[1];
        local->stretch.z.z = v[2];
        break;
    case SNW_GLTF_WEIGHTS: {
        const snw_GltfNode *node = &pose->gltf->nodes[channel->node];
        memcpy(pose->weights + node->weight_start, v, (size_t)node->weight_count * sizeof *v);
        break;
    }
    }
}

/// Local values of an animation alone; the world is not updated.
static void set_pose(sinew_GltfPose *pose, int animation, double time)
{
    const snw_GltfAnimation *source = &pose->gltf->animations[animation];
    for (int c = 0; c < source->channel_count; ++c) {
        set_channel(pose, &source->channels[c], time);
    }
}

void sinew_gltf_pose_animate(sinew_GltfPose *pose, int animation, double time)
{
    if (pose == NULL) { return; }
    set_rest(pose);
    if (animation >= 0 && animation < pose->gltf->animation_count) {
        set_pose(pose, animation, time);
    }
    update_pose(pose);
}

// the skeleton is the file's own, or one with as many joints
static bool fits(const sinew_MotionFile *file, const sinew_Skeleton *skeleton)
{
    return sinew_motion_gltf(file) != NULL && skeleton != NULL
        && sinew_skeleton_joint_count(skeleton)
        == sinew_skeleton_joint_count(sinew_motion_skeleton(file));
}

void sinew_gltf_pose_joints(sinew_GltfPose *pose, const sinew_MotionFile *file,
    const sinew_Skeleton *skeleton, const double *q)
{
    if (pose == NULL || q == NULL || !fits(file, skeleton)) { return; }
    set_rest(pose);
    const snw_GltfJoint *joints = snw_gltf_joints(file);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        snw_GltfLocal *local = &pose->locals[joints[j].node];
        snw_gltf_node_place(
            file, j, sinew_pose_local(skeleton, q, j), &local->translation, &local->rotation);
    }
    update_pose(pose);
}

sinew_Affine sinew_gltf_pose_world(const sinew_GltfPose *pose, int node)
{
    if (pose == NULL || node < 0 || node >= pose->gltf->node_count) {
        return (sinew_Affine){ sinew_mat3_identity(), { 0.0, 0.0, 0.0 } };
    }
    return pose->worlds[node];
}
