#include "pictures/character.h"

#include "sinew/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Binding

// each corner by the triangles around it; corners at one place that are not one corner keep their edge
static void find_own_normals(const picture_Skin *own, const sinew_Vec3 *places, sinew_Vec3 *out)
{
    for (int v = 0; v < own->vertex_count; ++v) { out[v] = sinew_vec3(0.0, 0.0, 0.0); }
    for (int t = 0; t < own->triangle_count; ++t) {
        const uint32_t *i = own->indices + 3 * (size_t)t;
        const sinew_Vec3 n = sinew_vec3_cross(
            sinew_vec3_sub(places[i[1]], places[i[0]]), sinew_vec3_sub(places[i[2]], places[i[0]]));
        for (int k = 0; k < 3; ++k) { out[i[k]] = sinew_vec3_add(out[i[k]], n); }
    }
    for (int v = 0; v < own->vertex_count; ++v) {
        out[v] = sinew_vec3_normalize_or(out[v], sinew_vec3(0.0, 1.0, 0.0));
    }
}

static void pose_own(snw_Character *character, const double *q)
{
    const picture_Skin *own = character->own;
    own->pose(own->user, character->skeleton, q, character->vertices);
    for (int v = 0; v < own->vertex_count; ++v) {
        character->vertices[v] = sinew_quat_rotate(character->upright, character->vertices[v]);
    }
    find_own_normals(own, character->vertices, character->normals);
}

static bool bind_skin(snw_Character *character, const sinew_Transform *world)
{
    const snw_Skin *skin = &character->skin;
    const size_t count = (size_t)skin->vertex_count;
    character->local_positions = malloc(2 * count * sizeof *character->local_positions);
    character->local_normals = malloc(2 * count * sizeof *character->local_normals);
    character->vertices = malloc(count * sizeof *character->vertices);
    character->normals = malloc(count * sizeof *character->normals);
    if (!character->local_positions || !character->local_normals || !character->vertices
        || !character->normals) {
        return false;
    }
    snw_skin_normals(skin, character->normals);
    for (int v = 0; v < skin->vertex_count; ++v) {
        for (int k = 0; k < 2; ++k) {
            const sinew_Transform joint_from_world = sinew_transform_inverse(
                world[skin->vertices[v].joints[k]]);
            const size_t at = 2 * (size_t)v + (size_t)k;
            character->local_positions[at] = sinew_transform_point(
                joint_from_world, skin->vertices[v].position);
            character->local_normals[at] = sinew_quat_rotate(
                joint_from_world.rotation, character->normals[v]);
        }
    }
    return true;
}

static bool build(snw_Character *character, const sinew_PoseList *motion, bool solid)
{
    character->world_from_joint = calloc(
        (size_t)character->joint_count, sizeof *character->world_from_joint);
    return character->world_from_joint != NULL
        && snw_character_shape(
            character->skeleton, motion, solid, &character->skin, character->world_from_joint)
        && bind_skin(character, character->world_from_joint);
}

bool snw_character_create(const sinew_Skeleton *skeleton, const sinew_PoseList *motion,
    sinew_Quat upright, bool solid, snw_Character *out_character)
{
    memset(out_character, 0, sizeof *out_character);
    out_character->skeleton = skeleton;
    out_character->joint_count = sinew_skeleton_joint_count(skeleton);
    out_character->upright = upright;
    const bool ready = build(out_character, motion, solid);
    if (!ready) { snw_character_destroy(out_character); }
    return ready;
}

bool snw_character_create_own(const sinew_Skeleton *skeleton, sinew_Quat upright,
    const picture_Skin *own, snw_Character *out_character)
{
    memset(out_character, 0, sizeof *out_character);
    const size_t count = (size_t)own->vertex_count;
    out_character->skeleton = skeleton;
    out_character->joint_count = sinew_skeleton_joint_count(skeleton);
    out_character->upright = upright;
    out_character->own = own;
    out_character->world_from_joint = calloc(
        (size_t)out_character->joint_count, sizeof *out_character->world_from_joint);
    out_character->vertices = malloc(count * sizeof *out_character->vertices);
    out_character->normals = malloc(count * sizeof *out_character->normals);
    const bool ready = out_character->world_from_joint && out_character->vertices
        && out_character->normals;
    if (!ready) { snw_character_destroy(out_character); }
    return ready;
}

void snw_character_destroy(snw_Character *character)
{
    snw_skin_destroy(&character->skin);
    free(character->local_positions);
    free(character->local_normals);
    free(character->world_from_joint);
    free(character->vertices);
    free(character->normals);
    memset(character, 0, sizeof *character);
}

void snw_character_pose(snw_Character *character, const double *q)
{
    const snw_Skin *skin = &character->skin;
    if (character->own != NULL) {
        pose_own(character, q);
        return;
    }
    sinew_pose_forward(character->skeleton, q, character->world_from_joint);
    for (int j = 0; j < character->joint_count; ++j) {
        sinew_Transform *world = &character->world_from_joint[j];
        world->position = sinew_quat_rotate(character->upright, world->position);
        world->rotation = sinew_quat_mul(character->upright, world->rotation);
    }
    for (int v = 0; v < skin->vertex_count; ++v) {
        const snw_SkinVertex *vertex = &skin->vertices[v];
        const sinew_Vec3 *position = &character->local_positions[2 * (size_t)v];
        const sinew_Vec3 *normal = &character->local_normals[2 * (size_t)v];
        const sinew_Transform *first = &character->world_from_joint[vertex->joints[0]];
        sinew_Vec3 p = sinew_transform_point(*first, position[0]);
        sinew_Vec3 n = sinew_quat_rotate(first->rotation, normal[0]);
        if (vertex->blend > 0.0) {
            const sinew_Transform *second = &character->world_from_joint[vertex->joints[1]];
            p = sinew_vec3_lerp(p, sinew_transform_point(*second, position[1]), vertex->blend);
            n = sinew_vec3_lerp(n, sinew_quat_rotate(second->rotation, normal[1]), vertex->blend);
        }
        character->vertices[v] = p;
        character->normals[v] = n;
    }
}

snw_Mesh snw_character_mesh(const snw_Character *character)
{
    const snw_Skin *skin = &character->skin;
    const picture_Skin *own = character->own;
    if (own != NULL) {
        snw_Mesh painted = { own->vertex_count, own->triangle_count, character->vertices,
            character->normals, own->indices, NULL, SNW_MATERIAL_PAINTED, own };
        return painted;
    }
    snw_Mesh mesh = { skin->vertex_count, skin->triangle_count, character->vertices,
        character->normals, skin->indices, skin->materials, SNW_MATERIAL_MIDDLE, NULL };
    return mesh;
}
