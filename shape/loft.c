#include "shape/loft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void snw_skin_destroy(snw_Skin *skin)
{
    free(skin->vertices);
    free(skin->indices);
    free(skin->materials);
    memset(skin, 0, sizeof *skin);
}

int snw_skin_vertex(snw_Skin *skin, snw_SkinVertex vertex)
{
    if (skin->vertex_count == skin->vertex_capacity) {
        const int capacity = skin->vertex_capacity > 0 ? 2 * skin->vertex_capacity : 1024;
        snw_SkinVertex *vertices = realloc(skin->vertices, (size_t)capacity * sizeof *vertices);
        if (!vertices) {
            skin->failed = true;
            return 0;
        }
        skin->vertices = vertices;
        skin->vertex_capacity = capacity;
    }
    skin->vertices[skin->vertex_count] = vertex;
    return skin->vertex_count++;
}

void snw_skin_triangle(snw_Skin *skin, int a, int b, int c, uint8_t material)
{
    if (skin->triangle_count == skin->triangle_capacity) {
        const int capacity = skin->triangle_capacity > 0 ? 2 * skin->triangle_capacity : 2048;
        uint32_t *indices = realloc(skin->indices, 3 * (size_t)capacity * sizeof *indices);
        if (indices) { skin->indices = indices; }
        uint8_t *materials = realloc(skin->materials, (size_t)capacity);
        if (materials) { skin->materials = materials; }
        if (!indices || !materials) {
            skin->failed = true;
            return;
        }
        skin->triangle_capacity = capacity;
    }
    uint32_t *index = skin->indices + 3 * (size_t)skin->triangle_count;
    index[0] = (uint32_t)a;
    index[1] = (uint32_t)b;
    index[2] = (uint32_t)c;
    skin->materials[skin->triangle_count++] = material;
}

// ---------------------------------------------------------------------------------------------
// Lofts

// Catmull and Rom (1974) between b and c
static double curve(double a, double b, double c, double d, double t)
{
    return b
        + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)));
}

static sinew_Vec3 curve_vec3(
    const sinew_Vec3 *a, const sinew_Vec3 *b, const sinew_Vec3 *c, const sinew_Vec3 *d, double t)
{
    return sinew_vec3(curve(a->x, b->x, c->x, d->x, t), curve(a->y, b->y, c->y, d->y, t),
        curve(a->z, b->z, c->z, d->z, t));
}

static snw_Ring ring_between(const snw_Ring *rings, int ring_count, double at)
{
    int i = (int)at;
    if (i > ring_count - 2) { i = ring_count - 2; }
    const double t = at - i;
    const snw_Ring *a = &rings[i > 0 ? i - 1 : 0], *b = &rings[i], *c = &rings[i + 1];
    const snw_Ring *d = &rings[i + 2 < ring_count ? i + 2 : i + 1];
    snw_Ring r = t < 0.5 ? *b : *c;
    r.center = curve_vec3(&a->center, &b->center, &c->center, &d->center, t);
    r.side = sinew_vec3_normalize_or(sinew_vec3_lerp(b->side, c->side, t), b->side);
    r.front = sinew_vec3_normalize_or(sinew_vec3_lerp(b->front, c->front, t), b->front);
    // no less than nothing where the curve swings over
    r.width = fmax(curve(a->width, b->width, c->width, d->width, t), 0.0);
    r.front_reach = fmax(
        curve(a->front_reach, b->front_reach, c->front_reach, d->front_reach, t), 0.0);
    r.back_reach = fmax(curve(a->back_reach, b->back_reach, c->back_reach, d->back_reach, t), 0.0);
    r.back_round = b->back_round + t * (c->back_round - b->back_round);
    // bound to the same two joints on both sides: blend goes along
    if (b->joints[0] == c->joints[0] && b->joints[1] == c->joints[1]) {
        r.blend = b->blend + t * (c->blend - b->blend);
    }
    return r;
}

// x to the power p, both of 0 to 1, p to a 256th: roots alone, where pow would bring tables of logarithms
static double power(double x, double p)
{
    double result = 1.0;
    for (int bit = 0; bit < 8; ++bit) {
        x = sqrt(x);
        p *= 2.0;
        if (p >= 1.0) {
            p -= 1.0;
            result *= x;
        }
    }
    return result;
}

static sinew_Vec3 point_of(const snw_Ring *ring, double angle)
{
    double c, s;
    sinew_sincos(angle, &s, &c);
    double along_side = ring->width * c;
    double along_front = s >= 0.0 ? ring->front_reach * s : ring->back_reach * s;
    if (s < 0.0 && ring->back_round < 1.0) {
        along_front = -ring->back_reach * power(-s, ring->back_round);
        along_side = ring->width * copysign(power(fabs(c), ring->back_round), c);
    }
    return sinew_vec3_add_scaled(
        sinew_vec3_add_scaled(ring->center, ring->side, along_side), ring->front, along_front);
}

static int refine(double fineness, int count, int lowest)
{
    const int refined = (int)(fineness * count + 0.5);
    return refined > lowest ? refined : lowest;
}

// the material between two sides, which may lie in a stripe
static uint8_t material_at(const snw_Skin *skin, int side, int sides, uint8_t material)
{
    const double at = 5.0 * (side + 0.5) / sides;
    if (skin->stripe == 0 || at - floor(at) > 0.36) { return material; }
    return at < 1.0 ? skin->stripe : (uint8_t)(skin->stripe - 1);
}

void snw_skin_loft(
    snw_Skin *skin, const snw_Ring *rings, int ring_count, int sides, int rows, uint8_t material)
{
    sides = refine(skin->fineness, sides, 3);
    rows = refine(skin->fineness, rows, 2);
    int start = -1, first = 0, last = 0;
    for (int r = 0; r < rows; ++r) {
        const snw_Ring ring = ring_between(
            rings, ring_count, (double)r * (ring_count - 1) / (rows - 1));
        snw_SkinVertex vertex = { ring.center, { ring.joints[0], ring.joints[1] }, ring.blend };
        if (r == 0) { first = snw_skin_vertex(skin, vertex); }
        for (int k = 0; k < sides; ++k) {
            // every other row is shifted by half a side, but where that would fray stripes
            const double shift = skin->stripe == 0 ? 0.5 * (r % 2) : 0.0;
            vertex.position = point_of(&ring, 2.0 * SINEW_PI * (k + shift) / sides);
            const int v = snw_skin_vertex(skin, vertex);
            if (r == 0 && k == 0) { start = v; }
        }
        if (r == rows - 1) {
            vertex.position = ring.center;
            last = snw_skin_vertex(skin, vertex);
        }
    }
    if (skin->failed) { return; }

    for (int k = 0; k < sides; ++k) {
        const int next = (k + 1) % sides;
        const uint8_t own = material_at(skin, k, sides, material);
        snw_skin_triangle(skin, first, start + next, start + k, own);
        for (int r = 0; r + 1 < rows; ++r) {
            const int low = start + r * sides, high = low + sides;
            if (r % 2 == 0) {
                snw_skin_triangle(skin, low + k, low + next, high + k, own);
                snw_skin_triangle(skin, low + next, high + next, high + k, own);
            } else {
                snw_skin_triangle(skin, low + k, low + next, high + next, own);
                snw_skin_triangle(skin, low + k, high + next, high + k, own);
            }
        }
        const int top = start + (rows - 1) * sides;
        snw_skin_triangle(skin, last, top + k, top + next, own);
    }
}

// ---------------------------------------------------------------------------------------------
// Exact numbers

static double area_of(const snw_Skin *skin, int triangle)
{
    const uint32_t *i = skin->indices + 3 * (size_t)triangle;
    const sinew_Vec3 a = skin->vertices[i[0]].position;
    return sinew_vec3_length(sinew_vec3_cross(sinew_vec3_sub(skin->vertices[i[1]].position, a),
        sinew_vec3_sub(skin->vertices[i[2]].position, a)));
}

// into three, about its middle; bound as its first corner is
static void part_triangle(snw_Skin *skin, int triangle)
{
    const uint32_t *i = skin->indices + 3 * (size_t)triangle;
    const int a = (int)i[0], b = (int)i[1], c = (int)i[2];
    snw_SkinVertex middle = skin->vertices[a];
    middle.position = sinew_vec3_scale(
        sinew_vec3_add(sinew_vec3_add(middle.position, skin->vertices[b].position),
            skin->vertices[c].position),
        1.0 / 3.0);
    const uint8_t material = skin->materials[triangle];
    const int v = snw_skin_vertex(skin, middle);
    skin->indices[3 * (size_t)triangle + 2] = (uint32_t)v;
    snw_skin_triangle(skin, b, c, v, material);
    snw_skin_triangle(skin, c, a, v, material);
}

bool snw_skin_fill_up(snw_Skin *skin, int count)
{
    if (skin->failed || skin->triangle_count < 1 || skin->triangle_count > count) { return false; }
    if ((count - skin->triangle_count) % 2 != 0) { --skin->triangle_count; }
    while (skin->triangle_count < count && !skin->failed) {
        int largest = 0;
        double most = -1.0;
        for (int t = 0; t < skin->triangle_count; ++t) {
            const double area = area_of(skin, t);
            if (area > most) {
                most = area;
                largest = t;
            }
        }
        part_triangle(skin, largest);
    }
    return !skin->failed;
}
