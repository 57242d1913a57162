#include "pictures/land.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// cells along the sides of a block
#define BLOCK 12

typedef struct Grid {
    const sinew_TerrainPatch *patch;
    const sinew_Vec3 *vertices, *normals;
    bool flip_x, flip_z;
} Grid;

static sinew_Vec3 turn_over(const Grid *grid, sinew_Vec3 v)
{
    if (grid->flip_x) { v.x = grid->patch->low_x + grid->patch->high_x - v.x; }
    if (grid->flip_z) { v.z = grid->patch->low_z + grid->patch->high_z - v.z; }
    return v;
}

static bool fill_block(const Grid *grid, int first_x, int first_z, snw_Block *block)
{
    const int columns = grid->patch->columns, rows = grid->patch->rows;
    const int last_x = first_x + BLOCK < columns - 1 ? first_x + BLOCK : columns - 1;
    const int last_z = first_z + BLOCK < rows - 1 ? first_z + BLOCK : rows - 1;
    const int wide = last_x - first_x + 1, deep = last_z - first_z + 1;
    block->vertex_count = wide * deep;
    block->triangle_count = 2 * (wide - 1) * (deep - 1);
    block->vertices = malloc((size_t)block->vertex_count * sizeof *block->vertices);
    block->indices = malloc(3 * (size_t)block->triangle_count * sizeof *block->indices);
    if (grid->normals) {
        block->normals = malloc((size_t)block->vertex_count * sizeof *block->normals);
    }
    if (!block->vertices || !block->indices || (grid->normals && !block->normals)) { return false; }

    sinew_Vec3 low = { INFINITY, INFINITY, INFINITY }, high = { -INFINITY, -INFINITY, -INFINITY };
    for (int k = 0; k < deep; ++k) {
        for (int i = 0; i < wide; ++i) {
            const size_t from = (size_t)(first_z + k) * (size_t)columns + (size_t)(first_x + i);
            const sinew_Vec3 v = turn_over(grid, grid->vertices[from]);
            block->vertices[k * wide + i] = v;
            if (grid->normals) {
                sinew_Vec3 n = grid->normals[from];
                if (grid->flip_x) { n.x = -n.x; }
                if (grid->flip_z) { n.z = -n.z; }
                block->normals[k * wide + i] = n;
            }
            low = sinew_vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
            high = sinew_vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
        }
    }
    block->center = sinew_vec3_lerp(low, high, 0.5);
    block->radius = 0.5 * sinew_vec3_distance(low, high);

    // a mirror turns triangles over
    const bool turned = grid->flip_x != grid->flip_z;
    uint32_t *index = block->indices;
    for (int k = 0; k + 1 < deep; ++k) {
        for (int i = 0; i + 1 < wide; ++i) {
            const uint32_t a = (uint32_t)(k * wide + i), b = a + 1, c = a + (uint32_t)wide,
                           d = c + 1;
            const uint32_t corners[6] = { a, turned ? b : d, turned ? d : b, a, turned ? d : c,
                turned ? c : d };
            memcpy(index, corners, sizeof corners);
            index += 6;
        }
    }
    return true;
}

static bool fill_blocks(const Grid *grid, snw_Block **out_blocks, int count)
{
    *out_blocks = calloc((size_t)count, sizeof **out_blocks);
    if (!*out_blocks) { return false; }
    int at = 0;
    for (int z = 0; z + 1 < grid->patch->rows; z += BLOCK) {
        for (int x = 0; x + 1 < grid->patch->columns; x += BLOCK) {
            if (!fill_block(grid, x, z, &(*out_blocks)[at++])) { return false; }
        }
    }
    return true;
}

// normals by heights on both sides of each vertex
static void find_normals(const sinew_Terrain *terrain, const sinew_TerrainPatch *patch,
    const sinew_Vec3 *vertices, sinew_Vec3 *out_normals)
{
    const double dx = (patch->high_x - patch->low_x) / (patch->columns - 1);
    const double dz = (patch->high_z - patch->low_z) / (patch->rows - 1);
    for (int v = 0; v < patch->vertex_count; ++v) {
        const sinew_Vec3 p = vertices[v];
        const double x = sinew_terrain_sample(terrain, p.x + dx, p.z).height
            - sinew_terrain_sample(terrain, p.x - dx, p.z).height;
        const double z = sinew_terrain_sample(terrain, p.x, p.z + dz).height
            - sinew_terrain_sample(terrain, p.x, p.z - dz).height;
        out_normals[v] = sinew_vec3_normalize_or(
            sinew_vec3(-x / (2.0 * dx), 1.0, -z / (2.0 * dz)), sinew_vec3(0.0, 1.0, 0.0));
    }
}

// whether rows of vertices stand above each other or bend sharply: stairs, ramps, planes
static bool has_edges(const sinew_TerrainPatch *patch, const sinew_Vec3 *vertices)
{
    const double dz = (patch->high_z - patch->low_z) / (patch->rows - 1);
    for (int k = 0; k + 1 < patch->rows; ++k) {
        const size_t row = (size_t)k * (size_t)patch->columns;
        const double step = vertices[row + (size_t)patch->columns].z - vertices[row].z;
        if (fabs(step - dz) > 1e-6 * dz) { return true; }
    }
    return patch->rows == 2;
}

static bool build(snw_Land *land, const sinew_Terrain *terrain, sinew_Vec3 *vertices,
    sinew_Vec3 *normals, double lift)
{
    sinew_terrain_mesh(terrain, vertices, NULL);
    for (int v = 0; v < land->patch.vertex_count; ++v) { vertices[v].y += lift; }
    const bool smooth = !has_edges(&land->patch, vertices);
    if (smooth) { find_normals(terrain, &land->patch, vertices, normals); }
    const int variants = land->patch.outside == SINEW_OUTSIDE_MIRROR ? 4 : 1;
    for (int i = 0; i < variants; ++i) {
        const Grid grid = { &land->patch, vertices, smooth ? normals : NULL, (i & 1) != 0,
            (i & 2) != 0 };
        if (!fill_blocks(&grid, &land->blocks[i], land->block_count)) { return false; }
    }
    return true;
}

bool snw_land_create(const sinew_Terrain *terrain, double level, snw_Land *out_land)
{
    memset(out_land, 0, sizeof *out_land);
    sinew_Terrain *flat = NULL;
    // a terrain tells its heights itself
    double lift = 0.0;
    if (terrain == NULL) {
        lift = level;
        sinew_TerrainDef def = sinew_terrain_def_default(SINEW_TERRAIN_FLAT);
        if (sinew_terrain_create(&def, &flat, NULL) != SINEW_STATUS_OK) { return false; }
        terrain = flat;
    }
    out_land->patch = sinew_terrain_patch(terrain);
    out_land->block_count = ((out_land->patch.columns + BLOCK - 2) / BLOCK)
        * ((out_land->patch.rows + BLOCK - 2) / BLOCK);
    const size_t count = (size_t)out_land->patch.vertex_count;
    sinew_Vec3 *vertices = malloc(count * sizeof *vertices);
    sinew_Vec3 *normals = malloc(count * sizeof *normals);
    const bool ready = vertices && normals && build(out_land, terrain, vertices, normals, lift);
    free(vertices);
    free(normals);
    sinew_terrain_destroy(flat);
    if (!ready) { snw_land_destroy(out_land); }
    return ready;
}

// ---------------------------------------------------------------------------------------------
// Strips

// level ground lies this much lower, so that landings at height 0 are seen
#define BELOW 0.003

bool snw_land_can_strip(const sinew_Terrain *terrain, bool *out_can)
{
    *out_can = false;
    const sinew_TerrainPatch patch = sinew_terrain_patch(terrain);
    if (patch.outside != SINEW_OUTSIDE_REPEAT) { return true; }
    sinew_Vec3 *vertices = malloc((size_t)patch.vertex_count * sizeof *vertices);
    if (!vertices) { return false; }
    sinew_terrain_mesh(terrain, vertices, NULL);
    bool can = has_edges(&patch, vertices);
    for (int v = 0; v < patch.vertex_count && can; ++v) {
        const double first = vertices[v - v % patch.columns].y;
        can = vertices[v].y >= 0.0 && fabs(vertices[v].y - first) < 1e-9;
    }
    free(vertices);
    *out_can = can;
    return true;
}

static bool take_block(snw_Block *block, int vertex_count, int triangle_count)
{
    block->vertices = malloc((size_t)vertex_count * sizeof *block->vertices);
    block->indices = malloc(3 * (size_t)triangle_count * sizeof *block->indices);
    return block->vertices && block->indices;
}

static void add_triangle(snw_Block *block, int a, int b, int c)
{
    uint32_t *index = block->indices + 3 * (size_t)block->triangle_count++;
    index[0] = (uint32_t)a;
    index[1] = (uint32_t)b;
    index[2] = (uint32_t)c;
}

// four vertices for each row: right and left top, right and left foot
static bool fill_strip(const sinew_TerrainPatch *patch, const sinew_Vec3 *mesh, double x,
    double half_width, snw_Block *block)
{
    if (!take_block(block, 4 * patch->rows, 6 * patch->rows)) { return false; }
    double highest = 0.0;
    for (int k = 0; k < patch->rows; ++k) {
        const sinew_Vec3 row = mesh[(size_t)k * (size_t)patch->columns];
        highest = fmax(highest, row.y);
        for (int i = 0; i < 4; ++i) {
            block->vertices[block->vertex_count++] = sinew_vec3(
                x + (i % 2 == 0 ? -half_width : half_width), i < 2 ? row.y : -BELOW, row.z);
        }
        if (k == 0) { continue; }
        const int here = 4 * (k - 1), next = 4 * k;
        add_triangle(block, here, next + 1, here + 1);
        add_triangle(block, here, next, next + 1);
        add_triangle(block, here + 1, next + 1, next + 3);
        add_triangle(block, here + 1, next + 3, here + 3);
        add_triangle(block, here, next + 2, next);
        add_triangle(block, here, here + 2, next + 2);
    }
    block->center = sinew_vec3(x, 0.5 * highest, 0.5 * (patch->low_z + patch->high_z));
    block->radius = 0.5 * (patch->high_z - patch->low_z) + highest + half_width;
    return true;
}

static bool fill_plane(snw_Block *block)
{
    if (!take_block(block, 4, 2)) { return false; }
    for (int i = 0; i < 4; ++i) {
        block->vertices[i] = sinew_vec3(i % 2 == 0 ? -1e3 : 1e3, -BELOW, i < 2 ? -1e3 : 1e3);
    }
    block->vertex_count = 4;
    add_triangle(block, 0, 3, 1);
    add_triangle(block, 0, 2, 3);
    block->center = sinew_vec3(0.0, 0.0, 0.0);
    block->radius = 2e3;
    return true;
}

bool snw_land_create_strip(
    const sinew_Terrain *terrain, double x, double half_width, snw_Land *out_land)
{
    memset(out_land, 0, sizeof *out_land);
    out_land->patch = sinew_terrain_patch(terrain);
    out_land->block_count = 1;
    out_land->is_strip = true;
    out_land->blocks[0] = calloc(1, sizeof **out_land->blocks);
    out_land->blocks[1] = calloc(1, sizeof **out_land->blocks);
    sinew_Vec3 *mesh = malloc((size_t)out_land->patch.vertex_count * sizeof *mesh);
    bool ready = out_land->blocks[0] && out_land->blocks[1] && mesh;
    if (ready) {
        sinew_terrain_mesh(terrain, mesh, NULL);
        ready = fill_plane(out_land->blocks[0])
            && fill_strip(&out_land->patch, mesh, x, half_width, out_land->blocks[1]);
    }
    free(mesh);
    if (!ready) { snw_land_destroy(out_land); }
    return ready;
}

void snw_land_destroy(snw_Land *land)
{
    for (int i = 0; i < 4; ++i) {
        for (int b = 0; land->blocks[i] && b < land->block_count; ++b) {
            free(land->blocks[i][b].vertices);
            free(land->blocks[i][b].normals);
            free(land->blocks[i][b].indices);
        }
        free(land->blocks[i]);
    }
    memset(land, 0, sizeof *land);
}

// ---------------------------------------------------------------------------------------------
// Drawing

static bool is_seen(const snw_Block *block, const snw_Raster *raster, const snw_Camera *camera,
    sinew_Vec3 around, double reach)
{
    const sinew_Vec3 away = sinew_vec3_sub(block->center, around);
    if (sinew_vec3_length(sinew_vec3(away.x, 0.0, away.z)) > reach + block->radius) {
        return false;
    }
    const sinew_Vec3 p = snw_camera_turn(camera, sinew_vec3_sub(block->center, camera->eye));
    const double depth = -p.z;
    if (depth < -block->radius) { return false; }
    if (depth < 2.0 * block->radius) { return true; }
    const double scale = camera->focal / depth, margin = 1.6 * block->radius * scale + 2.0;
    const double x = camera->center_x + p.x * scale, y = camera->center_y - p.y * scale;
    return x > -margin && y > -margin && x < raster->width + margin && y < raster->height + margin;
}

static bool draw_tile(const snw_Land *land, snw_Raster *raster, const snw_Camera *camera,
    sinew_Vec3 around, double reach, int tile_x, int tile_z)
{
    const bool mirrored = land->patch.outside == SINEW_OUTSIDE_MIRROR;
    const snw_Block *blocks = land->blocks[mirrored ? (tile_x & 1) + 2 * (tile_z & 1) : 0];
    const sinew_Vec3 shift = { tile_x * (land->patch.high_x - land->patch.low_x), 0.0,
        tile_z * (land->patch.high_z - land->patch.low_z) };
    // the tile stays, the camera moves
    snw_Camera moved = *camera;
    moved.eye = sinew_vec3_sub(camera->eye, shift);
    const sinew_Vec3 middle = sinew_vec3_sub(around, shift);
    for (int b = 0; b < land->block_count; ++b) {
        if (!is_seen(&blocks[b], raster, &moved, middle, reach)) { continue; }
        const snw_Mesh mesh = { blocks[b].vertex_count, blocks[b].triangle_count,
            blocks[b].vertices, blocks[b].normals, blocks[b].indices, NULL, 0, NULL };
        if (!snw_raster_draw(raster, &moved, false, &mesh)) { return false; }
    }
    return true;
}

static bool draw_strip(const snw_Land *land, snw_Raster *raster, const snw_Camera *camera,
    sinew_Vec3 around, double reach)
{
    const double size = land->patch.high_z - land->patch.low_z;
    const int first = (int)floor((around.z - reach - land->patch.low_z) / size);
    const int last = (int)floor((around.z + reach - land->patch.low_z) / size);
    for (int i = 0; i < 2; ++i) {
        const snw_Block *block = land->blocks[i];
        const snw_Mesh mesh = { block->vertex_count, block->triangle_count, block->vertices, NULL,
            block->indices, NULL, 0, NULL };
        for (int tile = i == 0 ? 0 : first; tile <= (i == 0 ? 0 : last); ++tile) {
            snw_Camera moved = *camera;
            moved.eye.z -= tile * size;
            if (!snw_raster_draw(raster, &moved, false, &mesh)) { return false; }
        }
    }
    return true;
}

bool snw_land_draw(const snw_Land *land, snw_Raster *raster, const snw_Camera *camera,
    sinew_Vec3 around, double reach, bool one_patch)
{
    const sinew_TerrainPatch *patch = &land->patch;
    const double size_x = patch->high_x - patch->low_x, size_z = patch->high_z - patch->low_z;
    if (patch->outside == SINEW_OUTSIDE_LEVEL) {
        return draw_tile(land, raster, camera, around, INFINITY, 0, 0);
    }
    if (land->is_strip) { return draw_strip(land, raster, camera, around, reach); }
    if (one_patch) { reach = 0.0; }
    const int first_x = (int)floor((around.x - reach - patch->low_x) / size_x);
    const int last_x = (int)floor((around.x + reach - patch->low_x) / size_x);
    const int first_z = (int)floor((around.z - reach - patch->low_z) / size_z);
    const int last_z = (int)floor((around.z + reach - patch->low_z) / size_z);
    for (int z = first_z; z <= last_z; ++z) {
        for (int x = first_x; x <= last_x; ++x) {
            if (!draw_tile(land, raster, camera, around, one_patch ? INFINITY : reach, x, z)) {
                return false;
            }
        }
    }
    return true;
}
