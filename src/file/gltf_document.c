// A glTF document in memory: asked, given back, its nodes as joints.

#include "base/memory.h"
#include "file/gltf.h"
#include "math/holds.h"

#include <string.h>

bool snw_gltf_begins(const char *data, size_t size)
{
    return size >= 4 && memcmp(data, "glTF", 4) == 0;
}

static void free_bytes(sinew_Gltf *gltf, snw_GltfBytes *list, int count)
{
    for (int i = 0; i < count; ++i) {
        if (list[i].capacity > 0) {
            snw_free(&gltf->allocator, (void *)(uintptr_t)list[i].data, list[i].capacity);
        }
    }
}

void snw_gltf_destroy(sinew_Gltf *gltf)
{
    if (gltf == NULL) { return; }
    free_bytes(gltf, gltf->buffers, gltf->buffer_count);
    free_bytes(gltf, gltf->images, gltf->image_count);
    snw_json_destroy(&gltf->tree);
    sinew_Allocator allocator = gltf->allocator;
    snw_free(&allocator, gltf->data, gltf->capacity);
    snw_free(&allocator, gltf, sizeof *gltf);
}

// ---------------------------------------------------------------------------------------------
// Questions

const sinew_Gltf *sinew_motion_gltf(const sinew_MotionFile *file)
{
    if (file == NULL) { return NULL; }
    return file->gltf;
}

int sinew_motion_node(const sinew_MotionFile *file, int joint)
{
    if (file == NULL) { return -1; }
    int count = (int)(file->gltf_joints.size / sizeof(snw_GltfJoint));
    return joint >= 0 && joint < count ? snw_gltf_joints(file)[joint].node : -1;
}

int sinew_motion_animation(const sinew_MotionFile *file)
{
    if (file == NULL) { return -1; }
    return file->gltf != NULL ? file->animation : -1;
}

int sinew_gltf_node_count(const sinew_Gltf *gltf)
{
    if (gltf == NULL) { return 0; }
    return gltf->node_count;
}

const char *sinew_gltf_node_name(const sinew_Gltf *gltf, int node)
{
    if (gltf == NULL) { return ""; }
    return node >= 0 && node < gltf->node_count ? gltf->nodes[node].name : "";
}

int sinew_gltf_skin_count(const sinew_Gltf *gltf)
{
    if (gltf == NULL) { return 0; }
    return gltf->skin_count;
}

int sinew_gltf_animation_count(const sinew_Gltf *gltf)
{
    if (gltf == NULL) { return 0; }
    return gltf->animation_count;
}

const char *sinew_gltf_animation_name(const sinew_Gltf *gltf, int animation)
{
    if (gltf == NULL) { return ""; }
    return animation >= 0 && animation < gltf->animation_count ? gltf->animations[animation].name
                                                               : "";
}

double sinew_gltf_animation_duration(const sinew_Gltf *gltf, int animation)
{
    if (gltf == NULL) { return 0.0; }
    return animation >= 0 && animation < gltf->animation_count
        ? gltf->animations[animation].duration
        : 0.0;
}

// ---------------------------------------------------------------------------------------------
// Joints and nodes

const snw_GltfJoint *snw_gltf_joints(const sinew_MotionFile *file)
{
    return (const snw_GltfJoint *)(const void *)file->gltf_joints.data;
}

void snw_gltf_node_place(const sinew_MotionFile *file, int joint, sinew_Transform parent_from_joint,
    sinew_Vec3 *out_translation, sinew_Quat *out_rotation)
{
    SNW_ASSERT(snw_holds_rigid(parent_from_joint));
    SNW_ASSERT(joint >= 0);
    const snw_GltfJoint *j = &snw_gltf_joints(file)[joint];
    sinew_Vec3 place = sinew_vec3_scale(parent_from_joint.position, 1.0 / file->unit);
    *out_translation = sinew_vec3_add(j->translation_from_parent.position,
        sinew_mat3_mul_vec3(j->translation_from_parent.linear, place));
    *out_rotation = sinew_quat_normalize(sinew_quat_mul(sinew_quat_conjugate(j->left),
        sinew_quat_mul(parent_from_joint.rotation, sinew_quat_conjugate(j->right))));
}
