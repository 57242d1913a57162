#include "glue/glue.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Ground

// the one import of the module
__attribute__((import_module("sinew"), import_name("ground"))) double js_ground_height(
    int id, double x, double z, double *out_normal);

static sinew_GroundSample sample_page(void *user, double x, double z)
{
    double normal[3] = { 0.0, 1.0, 0.0 };
    sinew_GroundSample sample;
    sample.height = js_ground_height((int)(intptr_t)user, x, z, normal);
    sample.normal = sinew_vec3(normal[0], normal[1], normal[2]);
    return sample;
}

void js_ground_callback(sinew_Ground *out_ground, int id)
{
    out_ground->sample = sample_page;
    out_ground->user = (void *)(intptr_t)id;
}

void js_ground_copy(sinew_Ground *to, const sinew_Ground *from)
{
    *to = *from;
}

// ---------------------------------------------------------------------------------------------
// Matrices

void js_matrices(const sinew_Transform *transforms, int count, float *out_matrices)
{
    sinew_transforms_to_matrices_float(
        NULL, sinew_matrix_layout_default(), transforms, count, out_matrices, NULL);
}

void js_pose_matrices(
    const sinew_Skeleton *skeleton, const double *q, sinew_Transform *world, float *out_matrices)
{
    sinew_pose_forward(skeleton, q, world);
    js_matrices(world, sinew_skeleton_joint_count(skeleton), out_matrices);
}

void js_pose_skin(const sinew_Skeleton *skeleton, const double *q, const sinew_Transform *rest,
    sinew_Transform *world, float *out_matrices)
{
    const int count = sinew_skeleton_joint_count(skeleton);
    sinew_pose_forward(skeleton, q, world);
    sinew_transforms_skin(world, rest, count, world, NULL);
    js_matrices(world, count, out_matrices);
}

// ---------------------------------------------------------------------------------------------
// Crowds

sinew_Status js_crowd_update(sinew_Walker *const *walkers, int count,
    const sinew_Steering *steering, double dt, const sinew_Ground *ground, double *poses,
    int coordinate_count, int *out_failed, sinew_Message *out_message)
{
    sinew_Status first = SINEW_STATUS_OK;
    *out_failed = -1;
    for (int i = 0; i < count; ++i) {
        const sinew_Status status = sinew_walker_update(walkers[i], &steering[i], dt, ground,
            poses + (size_t)i * (size_t)coordinate_count,
            first == SINEW_STATUS_OK ? out_message : NULL);
        if (first == SINEW_STATUS_OK && status != SINEW_STATUS_OK) {
            first = status;
            *out_failed = i;
        }
    }
    return first;
}

void js_crowd_matrices(const sinew_Skeleton *skeleton, const double *poses, int count,
    const sinew_Transform *rest, sinew_Transform *world, float *out_matrices)
{
    const size_t joints = (size_t)sinew_skeleton_joint_count(skeleton);
    const size_t coordinates = (size_t)sinew_skeleton_coordinate_count(skeleton);
    for (size_t i = 0; i < (size_t)count; ++i) {
        if (rest != NULL) {
            js_pose_skin(
                skeleton, poses + i * coordinates, rest, world, out_matrices + i * joints * 16);
        } else {
            js_pose_matrices(
                skeleton, poses + i * coordinates, world, out_matrices + i * joints * 16);
        }
    }
}

static void put_column(float *column, sinew_Vec3 v, double scale)
{
    column[0] = (float)(v.x * scale);
    column[1] = (float)(v.y * scale);
    column[2] = (float)(v.z * scale);
}

static void bone_matrix(sinew_Vec3 from, sinew_Vec3 to, double radius, float *out)
{
    const sinew_Vec3 way = sinew_vec3_sub(to, from);
    const sinew_Vec3 along = sinew_vec3_normalize_or(way, sinew_vec3(0.0, 1.0, 0.0));
    const sinew_Vec3 aside = along.y < 0.9 && along.y > -0.9 ? sinew_vec3(0.0, 1.0, 0.0)
                                                             : sinew_vec3(1.0, 0.0, 0.0);
    const sinew_Vec3 side = sinew_vec3_normalize_or(
        sinew_vec3_cross(along, aside), sinew_vec3(0.0, 0.0, 1.0));
    memset(out, 0, 16 * sizeof *out);
    put_column(out, side, radius);
    put_column(out + 4, along, sinew_vec3_length(way));
    put_column(out + 8, sinew_vec3_cross(side, along), radius);
    put_column(out + 12, from, 1.0);
    out[15] = 1.0F;
}

void js_crowd_bones(const sinew_Skeleton *skeleton, const double *poses, int count, double radius,
    sinew_Transform *world, float *out_matrices)
{
    const int joints = sinew_skeleton_joint_count(skeleton);
    const int coordinates = sinew_skeleton_coordinate_count(skeleton);
    const sinew_Joint *joint = sinew_skeleton_joints(skeleton);
    for (int i = 0; i < count; ++i) {
        sinew_pose_forward(skeleton, poses + (size_t)i * (size_t)coordinates, world);
        for (int j = 1; j < joints; ++j, out_matrices += 16) {
            const int parent = joint[j].parent >= 0 ? joint[j].parent : j;
            bone_matrix(world[parent].position, world[j].position, radius, out_matrices);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Hash

void js_hash(uint32_t *halves, const void *bytes, size_t size)
{
    uint64_t hash = (uint64_t)halves[1] << 32 | halves[0];
    if (hash == 0) { hash = UINT64_C(0xcbf29ce484222325); }
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; ++i) { hash = (hash ^ at[i]) * UINT64_C(0x100000001b3); }
    halves[0] = (uint32_t)hash;
    halves[1] = (uint32_t)(hash >> 32);
}
