#include "pictures/things.h"

#include "shape/human_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// sides of what is round, and rows of a ball
#define SIDES 32
#define ROWS 16
// most vertices and triangles of one thing: a ball's
#define MOST_VERTICES ((ROWS + 1) * (SIDES + 1))
#define MOST_TRIANGLES (2 * ROWS * SIDES)

static int add_vertex(snw_Things *things, sinew_Vec3 point, sinew_Vec3 normal)
{
    things->vertices[things->vertex_count] = point;
    things->normals[things->vertex_count] = normal;
    return things->vertex_count++;
}

static void add_triangle(snw_Things *things, int a, int b, int c, uint8_t material)
{
    uint32_t *corner = things->indices + 3 * (size_t)things->triangle_count;
    corner[0] = (uint32_t)a;
    corner[1] = (uint32_t)b;
    corner[2] = (uint32_t)c;
    things->materials[things->triangle_count++] = material;
}

static void add_square(snw_Things *things, int a, int b, int c, int d, uint8_t material)
{
    add_triangle(things, a, b, c, material);
    add_triangle(things, a, c, d, material);
}

// Shapes of half a metre in all directions; they are stretched afterwards.

static void add_box(snw_Things *things, uint8_t material)
{
    for (int face = 0; face < 6; ++face) {
        double side = face % 2 == 0 ? 1.0 : -1.0;
        int corners[4];
        for (int k = 0; k < 4; ++k) {
            // anticlockwise about the normal
            double u = k == 0 || k == 3 ? -1.0 : 1.0, v = k < 2 ? -side : side;
            double at[3], normal[3] = { 0.0, 0.0, 0.0 };
            at[face / 2] = 0.5 * side;
            at[(face / 2 + 1) % 3] = 0.5 * u;
            at[(face / 2 + 2) % 3] = 0.5 * v;
            normal[face / 2] = side;
            corners[k] = add_vertex(things, sinew_vec3(at[0], at[1], at[2]),
                sinew_vec3(normal[0], normal[1], normal[2]));
        }
        add_square(things, corners[0], corners[1], corners[2], corners[3], material);
    }
}

static void add_ball(snw_Things *things, uint8_t material)
{
    const int first = things->vertex_count;
    for (int row = 0; row <= ROWS; ++row) {
        double rise = SINEW_PI * (row / (double)ROWS - 0.5);
        for (int side = 0; side <= SIDES; ++side) {
            double around = 2.0 * SINEW_PI * side / SIDES;
            sinew_Vec3 normal = sinew_vec3(
                cos(rise) * sin(around), sin(rise), cos(rise) * cos(around));
            add_vertex(things, sinew_vec3_scale(normal, 0.5), normal);
        }
    }
    for (int row = 0; row < ROWS; ++row) {
        for (int side = 0; side < SIDES; ++side) {
            int a = first + row * (SIDES + 1) + side, above = a + SIDES + 1;
            add_square(things, a, a + 1, above + 1, above, material);
        }
    }
}

static void add_tube(snw_Things *things, uint8_t material)
{
    // two rings for the wall, and one around each end with its middle
    int rings[4], middles[2];
    for (int ring = 0; ring < 4; ++ring) {
        double y = ring % 2 == 0 ? -0.5 : 0.5;
        rings[ring] = things->vertex_count;
        for (int side = 0; side <= SIDES; ++side) {
            double around = 2.0 * SINEW_PI * side / SIDES;
            sinew_Vec3 out = sinew_vec3(sin(around), 0.0, cos(around));
            sinew_Vec3 normal = ring < 2 ? out : sinew_vec3(0.0, 2.0 * y, 0.0);
            add_vertex(things, sinew_vec3(0.5 * out.x, y, 0.5 * out.z), normal);
        }
        if (ring >= 2) {
            middles[ring - 2] = add_vertex(
                things, sinew_vec3(0.0, y, 0.0), sinew_vec3(0.0, 2.0 * y, 0.0));
        }
    }
    for (int side = 0; side < SIDES; ++side) {
        add_square(things, rings[0] + side, rings[0] + side + 1, rings[1] + side + 1,
            rings[1] + side, material);
        add_triangle(things, middles[0], rings[2] + side + 1, rings[2] + side, material);
        add_triangle(things, middles[1], rings[3] + side, rings[3] + side + 1, material);
    }
}

static void add_thing(snw_Things *things, const picture_Thing *thing, sinew_Quat upright)
{
    static const uint8_t materials[] = { SNW_MATERIAL_STRIPE, SNW_MATERIAL_GOAL_LEADING,
        (uint8_t)SNW_MATERIAL_BRANCH + 4 };
    const uint8_t material = materials[thing->color];
    const int first = things->vertex_count;
    switch (thing->kind) {
    case PICTURE_THING_BOX: add_box(things, material); break;
    case PICTURE_THING_BALL: add_ball(things, material); break;
    case PICTURE_THING_TUBE: add_tube(things, material); break;
    }
    const sinew_Vec3 s = thing->size;
    for (int v = first; v < things->vertex_count; ++v) {
        sinew_Vec3 p = things->vertices[v], n = things->normals[v];
        p = sinew_vec3_add(thing->place, sinew_vec3(s.x * p.x, s.y * p.y, s.z * p.z));
        n = sinew_vec3_normalize_or(sinew_vec3(n.x / s.x, n.y / s.y, n.z / s.z), n);
        things->vertices[v] = sinew_quat_rotate(upright, p);
        things->normals[v] = sinew_quat_rotate(upright, n);
    }
    for (int k = 0; k < 8; ++k) {
        sinew_Vec3 p = sinew_vec3(k & 1 ? 0.5 * s.x : -0.5 * s.x, k & 2 ? 0.5 * s.y : -0.5 * s.y,
            k & 4 ? 0.5 * s.z : -0.5 * s.z);
        things->corners[things->corner_count++] = sinew_quat_rotate(
            upright, sinew_vec3_add(thing->place, p));
    }
}

bool snw_things_create(
    const picture_Thing *things, int count, sinew_Quat upright, snw_Things *out_things)
{
    memset(out_things, 0, sizeof *out_things);
    if (count == 0) { return true; }
    const size_t vertices = (size_t)count * MOST_VERTICES, corners = 8 * (size_t)count;
    const size_t triangles = (size_t)count * MOST_TRIANGLES;
    out_things->vertices = malloc(vertices * sizeof *out_things->vertices);
    out_things->normals = malloc(vertices * sizeof *out_things->normals);
    out_things->indices = malloc(3 * triangles * sizeof *out_things->indices);
    out_things->materials = malloc(triangles * sizeof *out_things->materials);
    out_things->corners = malloc(corners * sizeof *out_things->corners);
    if (!out_things->vertices || !out_things->normals || !out_things->indices
        || !out_things->materials || !out_things->corners) {
        return false;
    }
    for (int i = 0; i < count; ++i) { add_thing(out_things, &things[i], upright); }
    return true;
}

void snw_things_destroy(snw_Things *things)
{
    free(things->vertices);
    free(things->normals);
    free(things->indices);
    free(things->materials);
    free(things->corners);
    memset(things, 0, sizeof *things);
}

snw_Mesh snw_things_mesh(const snw_Things *things)
{
    snw_Mesh mesh = { 0 };
    mesh.vertex_count = things->vertex_count;
    mesh.triangle_count = things->triangle_count;
    mesh.vertices = things->vertices;
    mesh.normals = things->normals;
    mesh.indices = things->indices;
    mesh.materials = things->materials;
    return mesh;
}
