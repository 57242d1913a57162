#include "skin.h"

#include "arguments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Vertices of one part follow each other; those of a part that is seen from both sides come twice.
static int copies_of(const sinew_GltfPart *part)
{
    return part->double_sided ? 2 : 1;
}

// linear light as it is shown (IEC 61966-2-1)
static uint32_t shown_part(double linear)
{
    double crop = fmin(fmax(linear, 0.0), 1.0);
    double shown = crop <= 0.0031308 ? 12.92 * crop : 1.055 * pow(crop, 1.0 / 2.4) - 0.055;
    return (uint32_t)(shown * 255.0 + 0.5);
}

static uint32_t shown_color(const double color[4])
{
    return shown_part(color[0]) << 16 | shown_part(color[1]) << 8 | shown_part(color[2]);
}

static void pose_skin(
    void *user, const sinew_Skeleton *skeleton, const double *q, sinew_Vec3 *out_vertices)
{
    cli_Skin *skin = user;
    const sinew_Gltf *gltf = sinew_motion_gltf(skin->file);
    double unit = sinew_motion_unit(skin->file);
    sinew_gltf_pose_joints(skin->pose, skin->file, skeleton, q);
    for (int p = 0; p < sinew_gltf_part_count(gltf); ++p) {
        const sinew_GltfPart *part = sinew_gltf_part(gltf, p);
        sinew_gltf_part_vertices(skin->pose, p, skin->places);
        for (int copy = 0; copy < copies_of(part); ++copy) {
            for (int v = 0; v < part->vertex_count; ++v) {
                *out_vertices++ = sinew_vec3_scale(skin->places[v], unit);
            }
        }
    }
}

// a node in a mirror shows its triangles from the other side
static bool is_mirrored(const cli_Skin *skin, const sinew_GltfPart *part)
{
    if (part->is_skinned) { return false; }
    sinew_Mat3 m = sinew_gltf_pose_world(skin->pose, part->node).linear;
    return sinew_vec3_dot(m.x, sinew_vec3_cross(m.y, m.z)) < 0.0;
}

static void add_part(cli_Skin *skin, const sinew_GltfPart *part)
{
    picture_Skin *shown = &skin->shown;
    bool textured = part->image >= 0 && part->uvs != NULL
        && skin->texture_list[part->image].pixels != NULL;
    bool mirrored = is_mirrored(skin, part);
    for (int copy = 0; copy < copies_of(part); ++copy) {
        bool turned = (copy == 1) != mirrored;
        for (int t = 0; t < part->triangle_count; ++t) {
            uint32_t *out = skin->indices + 3 * (size_t)shown->triangle_count;
            const uint32_t *in = part->indices + 3 * (size_t)t;
            uint32_t first = (uint32_t)shown->vertex_count;
            out[0] = first + in[0];
            out[1] = first + in[turned ? 2 : 1];
            out[2] = first + in[turned ? 1 : 2];
            skin->colors[shown->triangle_count] = shown_color(part->color);
            skin->textures[shown->triangle_count] = textured ? part->image : -1;
            shown->triangle_count += 1;
        }
        if (textured) {
            memcpy(skin->uvs + 2 * (size_t)shown->vertex_count, part->uvs,
                2 * (size_t)part->vertex_count * sizeof *skin->uvs);
        }
        shown->vertex_count += part->vertex_count;
    }
}

static bool take_memory(cli_Skin *skin, const sinew_Gltf *gltf)
{
    size_t vertices = 1, triangles = 1, largest = 1;
    for (int p = 0; p < sinew_gltf_part_count(gltf); ++p) {
        const sinew_GltfPart *part = sinew_gltf_part(gltf, p);
        vertices += (size_t)part->vertex_count * (size_t)copies_of(part);
        triangles += (size_t)part->triangle_count * (size_t)copies_of(part);
        if ((size_t)part->vertex_count > largest) { largest = (size_t)part->vertex_count; }
    }
    if (vertices > INT32_MAX / 4 || triangles > INT32_MAX / 4) { return false; }
    skin->texture_count = sinew_gltf_image_count(gltf);
    skin->places = malloc(largest * sizeof *skin->places);
    skin->indices = malloc(3 * triangles * sizeof *skin->indices);
    skin->colors = malloc(triangles * sizeof *skin->colors);
    skin->textures = malloc(triangles * sizeof *skin->textures);
    skin->uvs = calloc(2 * vertices, sizeof *skin->uvs);
    skin->texture_list = calloc((size_t)skin->texture_count + 1, sizeof *skin->texture_list);
    return skin->places && skin->indices && skin->colors && skin->textures && skin->uvs
        && skin->texture_list && sinew_gltf_pose_create(gltf, NULL, &skin->pose) == SINEW_STATUS_OK;
}

bool cli_skin_open(const cli_Input *input, cli_Skin **out_skin)
{
    const sinew_Gltf *gltf = input->file != NULL ? sinew_motion_gltf(input->file) : NULL;
    *out_skin = NULL;
    if (gltf == NULL || sinew_gltf_part_count(gltf) == 0) { return true; }
    cli_Skin *skin = calloc(1, sizeof *skin);
    if (skin == NULL || !take_memory(skin, gltf)) {
        cli_skin_close(skin);
        cli_error("%s: no memory for its mesh", input->name);
        return false;
    }
    for (int i = 0; i < skin->texture_count; ++i) {
        sinew_GltfImage image = sinew_gltf_image(gltf, i);
        // what cannot be read is drawn in its flat colour
        picture_texture_decode(image.data, image.size, &skin->texture_list[i]);
    }
    skin->file = input->file;
    for (int p = 0; p < sinew_gltf_part_count(gltf); ++p) {
        add_part(skin, sinew_gltf_part(gltf, p));
    }
    skin->shown.indices = skin->indices;
    skin->shown.colors = skin->colors;
    skin->shown.textures = skin->textures;
    skin->shown.uvs = skin->uvs;
    skin->shown.texture_list = skin->texture_list;
    skin->shown.pose = pose_skin;
    skin->shown.user = skin;
    if (skin->shown.triangle_count == 0) {
        cli_skin_close(skin);
        return true;
    }
    *out_skin = skin;
    return true;
}

void cli_skin_close(cli_Skin *skin)
{
    if (skin == NULL) { return; }
    for (int i = 0; i < skin->texture_count && skin->texture_list != NULL; ++i) {
        picture_texture_free(&skin->texture_list[i]);
    }
    sinew_gltf_pose_destroy(skin->pose);
    free(skin->places);
    free(skin->indices);
    free(skin->colors);
    free(skin->textures);
    free(skin->uvs);
    free(skin->texture_list);
    free(skin);
}
