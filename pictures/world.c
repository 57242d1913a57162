#include "pictures/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool snw_world_create(const snw_WorldDef *def, snw_World *out_world)
{
    memset(out_world, 0, sizeof *out_world);
    snw_World *world = out_world;
    world->look = snw_look_default();
    world->look.samples = def->samples;
    world->plain = def->plain;
    bool ready = def->strip_half_width > 0.0
        ? snw_land_create_strip(def->terrain, def->strip_x, def->strip_half_width, &world->land)
        : snw_land_create(def->terrain, def->level, &world->land);
    ready = ready
        && snw_raster_create(
            def->width * def->samples, def->height * def->samples, true, &world->raster);
    world->strip_reach = 9.0;
    const int shadow_count = def->shadow_count + (def->strip_half_width > 0.0 ? 1 : 0);
    if (ready && shadow_count > 0) {
        world->shadows = calloc((size_t)shadow_count, sizeof *world->shadows);
        ready = world->shadows != NULL;
        for (int i = 0; i < shadow_count && ready; ++i) {
            ready = snw_shadow_create(def->quick, &world->shadows[i]);
            if (ready) { world->shadow_capacity = i + 1; }
        }
    }
    world->look.shadows = world->shadows;
    // steps are told apart at their edges
    const bool steps = ready && !world->land.is_strip && world->land.blocks[0][0].normals == NULL;
    world->look.edge_shade = steps ? 0.88 : 1.0;
    if (!ready) { snw_world_destroy(world); }
    return ready;
}

void snw_world_destroy(snw_World *world)
{
    snw_land_destroy(&world->land);
    snw_raster_destroy(&world->raster);
    for (int i = 0; i < world->shadow_capacity; ++i) { snw_shadow_destroy(&world->shadows[i]); }
    free(world->shadows);
    memset(world, 0, sizeof *world);
}

void snw_world_begin(snw_World *world, const snw_Camera *camera)
{
    snw_raster_clear(&world->raster, true);
    world->camera = *camera;
    world->camera.focal *= world->look.samples;
    world->camera.center_x *= world->look.samples;
    world->camera.center_y *= world->look.samples;
    world->look.shadow_count = 0;
    world->failed = false;
}

void snw_world_light_from(snw_World *world, sinew_Vec3 toward, double around, double rise)
{
    const sinew_Vec3 ahead = sinew_vec3_normalize_or(
        sinew_vec3(toward.x, 0.0, toward.z), sinew_vec3(0.0, 0.0, 1.0));
    const sinew_Vec3 left = sinew_vec3(-ahead.z, 0.0, ahead.x);
    const double c = cos(rise) * cos(around), s = cos(rise) * sin(around);
    world->look.sun = sinew_vec3(c * ahead.x + s * left.x, sin(rise), c * ahead.z + s * left.z);
}

// what a strip takes of the sun around a place
static void cast_strip(snw_World *world, sinew_Vec3 around)
{
    const snw_Land *land = &world->land;
    const snw_Block *block = land->blocks[1];
    const snw_Mesh mesh = { block->vertex_count, block->triangle_count, block->vertices, NULL,
        block->indices, NULL, 0, NULL };
    const double size = land->patch.high_z - land->patch.low_z;
    const int tile = (int)floor((around.z - land->patch.low_z) / size);
    snw_Shadow *shadow = &world->shadows[world->look.shadow_count++];
    snw_shadow_begin(shadow, around, world->strip_reach, world->look.sun, true);
    for (int i = tile - 1; i <= tile + 1; ++i) {
        if (!snw_shadow_add(shadow, &mesh, sinew_vec3(0.0, 0.0, i * size))) {
            world->failed = true;
        }
    }
}

void snw_world_draw_land(snw_World *world, sinew_Vec3 around, double reach, bool one_patch)
{
    if (world->land.is_strip && world->look.shadow_count < world->shadow_capacity) {
        cast_strip(world, around);
    }
    if (!snw_land_draw(&world->land, &world->raster, &world->camera, around, reach, one_patch)) {
        world->failed = true;
    }
}

static void cast_shadow(snw_World *world, const snw_Mesh *mesh)
{
    if (world->look.shadow_count == world->shadow_capacity) { return; }
    sinew_Vec3 low = mesh->vertices[0], high = low;
    for (int v = 1; v < mesh->vertex_count; ++v) {
        const sinew_Vec3 p = mesh->vertices[v];
        low = sinew_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = sinew_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    snw_Shadow *shadow = &world->shadows[world->look.shadow_count++];
    const double radius = 0.5 * sinew_vec3_distance(low, high) + 0.05;
    snw_shadow_begin(shadow, sinew_vec3_lerp(low, high, 0.5), radius, world->look.sun, false);
    if (!snw_shadow_add(shadow, mesh, sinew_vec3(0.0, 0.0, 0.0))) { world->failed = true; }
}

void snw_world_draw_figure(snw_World *world, const snw_Character *character)
{
    const snw_Mesh mesh = snw_character_mesh(character);
    cast_shadow(world, &mesh);
    if (!snw_raster_draw(&world->raster, &world->camera, false, &mesh)) { world->failed = true; }
}

// ---------------------------------------------------------------------------------------------
// Marks

static void draw_flat(snw_World *world, const sinew_Vec3 *vertices, int vertex_count,
    const uint32_t *indices, int triangle_count, snw_Material material)
{
    const snw_Mesh mesh = { vertex_count, triangle_count, vertices, NULL, indices, NULL,
        (uint8_t)material, NULL };
    if (!snw_raster_draw(&world->raster, &world->camera, false, &mesh)) { world->failed = true; }
}

void snw_world_draw_pyramid(snw_World *world, sinew_Vec3 place, double size, snw_Material material)
{
    // it stands on its tip, which is the place that is meant
    sinew_Vec3 v[5] = { place, place, place, place, place };
    static const double corners[4][2] = { { 1.0, 1.0 }, { 1.0, -1.0 }, { -1.0, -1.0 },
        { -1.0, 1.0 } };
    for (int i = 0; i < 4; ++i) {
        v[i + 1].x += 0.42 * size * corners[i][0];
        v[i + 1].z += 0.42 * size * corners[i][1];
        v[i + 1].y += size;
    }
    static const uint32_t faces[18] = { 0, 2, 1, 0, 3, 2, 0, 4, 3, 0, 1, 4, 1, 2, 3, 1, 3, 4 };
    draw_flat(world, v, 5, faces, 6, material);
}

void snw_world_draw_triangle(snw_World *world, sinew_Vec3 place, sinew_Vec3 normal,
    sinew_Vec3 heading, double size, snw_Material material)
{
    const sinew_Vec3 ahead = sinew_vec3_normalize_or(
        sinew_vec3_add_scaled(heading, normal, -sinew_vec3_dot(heading, normal)),
        sinew_vec3(0.0, 0.0, 1.0));
    const sinew_Vec3 left = sinew_vec3_cross(normal, ahead);
    // a little above the ground, so that it is not hidden by it
    const sinew_Vec3 at = sinew_vec3_add_scaled(place, normal, 0.004);
    const sinew_Vec3 v[3] = { sinew_vec3_add_scaled(at, ahead, 0.6 * size),
        sinew_vec3_add_scaled(sinew_vec3_add_scaled(at, ahead, -0.4 * size), left, 0.5 * size),
        sinew_vec3_add_scaled(sinew_vec3_add_scaled(at, ahead, -0.4 * size), left, -0.5 * size) };
    static const uint32_t face[6] = { 0, 2, 1, 0, 1, 2 };
    draw_flat(world, v, 3, face, 2, material);
}

bool snw_world_finish(snw_World *world, unsigned char *pixels, int stride)
{
    if (world->plain) {
        snw_shade_plain(&world->raster, &world->look, pixels, stride);
    } else if (!snw_shade(&world->raster, &world->camera, &world->look, pixels, stride)) {
        world->failed = true;
    }
    return !world->failed;
}
