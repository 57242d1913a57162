#include "glue/character.h"

#include "shape/character_shape.h"

#include <stdlib.h>

// the arrays stand behind the struct that pages see
typedef struct Character {
    js_Character shown;
    float *positions, *normals, *weights;
    uint16_t *joints;
    uint32_t *indices;
    sinew_Transform *rest;
} Character;

static bool take_arrays(Character *c, size_t vertices, size_t triangles)
{
    c->positions = malloc(3 * vertices * sizeof *c->positions);
    c->normals = malloc(3 * vertices * sizeof *c->normals);
    c->weights = calloc(4 * vertices, sizeof *c->weights);
    c->joints = calloc(4 * vertices, sizeof *c->joints);
    c->indices = malloc(3 * triangles * sizeof *c->indices);
    return c->positions && c->normals && c->weights && c->joints && c->indices;
}

static void put(float *out, sinew_Vec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static void fill_corners(Character *c, const snw_Skin *skin, const sinew_Vec3 *normals)
{
    for (size_t v = 0; v < (size_t)skin->vertex_count; ++v) {
        const snw_SkinVertex *vertex = &skin->vertices[v];
        put(c->positions + 3 * v, vertex->position);
        put(c->normals + 3 * v, normals[v]);
        for (size_t k = 0; k < 2; ++k) { c->joints[4 * v + k] = (uint16_t)vertex->joints[k]; }
        c->weights[4 * v] = (float)(1.0 - vertex->blend);
        c->weights[4 * v + 1] = (float)vertex->blend;
    }
}

// limbs without a side take turns
static uint8_t side_of(uint8_t material)
{
    if (material < SNW_MATERIAL_BRANCH) { return material; }
    return (material - SNW_MATERIAL_BRANCH) % 2 == 0 ? SNW_MATERIAL_LEFT : SNW_MATERIAL_MIDDLE;
}

// triangles of one material, behind those before; returns how many
static int add_triangles(Character *c, const snw_Skin *skin, int *count, bool left, bool right)
{
    const int start = *count;
    for (int t = 0; t < skin->triangle_count; ++t) {
        const uint8_t material = side_of(skin->materials[t]);
        if ((material == SNW_MATERIAL_LEFT) != left || (material == SNW_MATERIAL_RIGHT) != right) {
            continue;
        }
        for (int k = 0; k < 3; ++k) { c->indices[3 * *count + k] = skin->indices[3 * t + k]; }
        ++*count;
    }
    return *count - start;
}

sinew_Status js_character_create(const sinew_Skeleton *skeleton, const sinew_Clip *motion,
    bool solid, js_Character **out_character)
{
    *out_character = NULL;
    Character *c = calloc(1, sizeof *c);
    if (c == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    const int joints = sinew_skeleton_joint_count(skeleton);
    const sinew_PoseList list = { motion != NULL ? sinew_clip_frame_const(motion, 0) : NULL,
        motion != NULL ? sinew_clip_frame_count(motion) : 0 };
    const sinew_PoseList *moves = list.count > 0 ? &list : NULL;
    snw_Body body = { 0 };
    snw_Skin skin = { 0 };
    sinew_Vec3 *normals = NULL;
    c->rest = malloc((size_t)joints * sizeof *c->rest);
    bool ready = c->rest != NULL
        && snw_body_create(skeleton, sinew_vec3(0.0, 0.0, 0.0), moves, &body)
        && snw_character_shape(
            &body, moves, solid ? SNW_FORM_SOLID : SNW_FORM_STICK, &skin, c->rest);
    if (ready) {
        normals = malloc((size_t)skin.vertex_count * sizeof *normals);
        ready = normals != NULL
            && take_arrays(c, (size_t)skin.vertex_count, (size_t)skin.triangle_count);
    }
    if (ready) {
        snw_skin_normals(&skin, normals);
        fill_corners(c, &skin, normals);
        int count = 0;
        const int middle = add_triangles(c, &skin, &count, false, false);
        const int left = add_triangles(c, &skin, &count, true, false);
        const int right = add_triangles(c, &skin, &count, false, true);
        c->shown = (js_Character){ joints, skin.vertex_count, count, c->positions, c->normals,
            c->joints, c->weights, c->indices, middle, left, right, c->rest };
        *out_character = &c->shown;
    }
    free(normals);
    snw_skin_destroy(&skin);
    snw_body_destroy(&body);
    if (!ready) { js_character_destroy(&c->shown); }
    return ready ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY;
}

void js_character_destroy(js_Character *character)
{
    if (character == NULL) { return; }
    // shown comes first
    Character *c = (Character *)(void *)character;
    free(c->positions);
    free(c->normals);
    free(c->weights);
    free(c->joints);
    free(c->indices);
    free(c->rest);
    free(c);
}
