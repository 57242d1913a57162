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
    own->pose(own->user, character->body->skeleton, q, character->vertices);
    for (int v = 0; v < own->vertex_count; ++v) {
        character->vertices[v] = snw_body_place(character->body, character->vertices[v]);
    }
    find_own_normals(own, character->vertices, character->normals);
}

static bool bind_skin(snw_Character *character, const sinew_Transform *world)
{
    const snw_Skin *skin = &character->skin;
    const size_t count = (size_t)skin->vertex_count;
    character->local_positions = malloc(2 * count * sizeof *character->local_positions);
    character->local_normals = malloc(2 * count * sizeof *character->local_normals);
    if (!character->local_positions || !character->local_normals) { return false; }
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

bool snw_character_create(const snw_Body *body, const sinew_PoseList *motion, snw_Form form,
    const picture_Skin *own, snw_Character *out_character)
{
    memset(out_character, 0, sizeof *out_character);
    out_character->body = body;
    out_character->own = own;
    out_character->world_from_joint = calloc(
        (size_t)body->joint_count, sizeof *out_character->world_from_joint);
    bool ready = out_character->world_from_joint != NULL;
    if (own == NULL) {
        ready = ready
            && snw_character_shape(
                body, motion, form, &out_character->skin, out_character->world_from_joint);
    }
    const size_t count = (size_t)(own != NULL ? own->vertex_count
                                              : out_character->skin.vertex_count);
    if (ready) {
        out_character->vertices = malloc(count * sizeof *out_character->vertices);
        out_character->normals = malloc(count * sizeof *out_character->normals);
        ready = out_character->vertices && out_character->normals
            && (own != NULL || bind_skin(out_character, out_character->world_from_joint));
    }
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

static void pose_joints(snw_Character *character, const double *q)
{
    sinew_pose_forward(character->body->skeleton, q, character->world_from_joint);
    for (int j = 0; j < character->body->joint_count; ++j) {
        sinew_Transform *world = &character->world_from_joint[j];
        world->position = snw_body_place(character->body, world->position);
        world->rotation = sinew_quat_mul(character->body->upright, world->rotation);
    }
}

static sinew_Vec3 corner_at(const snw_Character *character, int v)
{
    const snw_SkinVertex *vertex = &character->skin.vertices[v];
    const sinew_Vec3 *position = &character->local_positions[2 * (size_t)v];
    const sinew_Transform *world = character->world_from_joint;
    const sinew_Vec3 p = sinew_transform_point(world[vertex->joints[0]], position[0]);
    if (!(vertex->blend > 0.0)) { return p; }
    return sinew_vec3_lerp(
        p, sinew_transform_point(world[vertex->joints[1]], position[1]), vertex->blend);
}

static sinew_Vec3 normal_at(const snw_Character *character, int v)
{
    const snw_SkinVertex *vertex = &character->skin.vertices[v];
    const sinew_Vec3 *normal = &character->local_normals[2 * (size_t)v];
    const sinew_Transform *world = character->world_from_joint;
    const sinew_Vec3 n = sinew_quat_rotate(world[vertex->joints[0]].rotation, normal[0]);
    if (!(vertex->blend > 0.0)) { return n; }
    return sinew_vec3_lerp(
        n, sinew_quat_rotate(world[vertex->joints[1]].rotation, normal[1]), vertex->blend);
}

void snw_character_pose(snw_Character *character, const double *q)
{
    if (character->own != NULL) {
        pose_own(character, q);
        return;
    }
    pose_joints(character, q);
    for (int v = 0; v < character->skin.vertex_count; ++v) {
        character->vertices[v] = corner_at(character, v);
        character->normals[v] = normal_at(character, v);
    }
}

void snw_character_points(
    snw_Character *character, const double *q, int step, sinew_Vec3 *out_points)
{
    if (character->own != NULL) {
        pose_own(character, q);
    } else {
        pose_joints(character, q);
    }
    const int count = snw_character_mesh(character).vertex_count;
    for (int v = 0; v < count; v += step) {
        *out_points++ = character->own != NULL ? character->vertices[v] : corner_at(character, v);
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
