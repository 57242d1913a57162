#include "pictures/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// steps of a sample that corners are rounded to, so that edges are exact in whole numbers
#define SUBSTEPS 16
// nothing nearer to the camera is drawn if nobody says else, metres
#define NEAREST 0.05
// triangles that reach farther off the page are cut there, samples: whole numbers of steps hold what is
// multiplied of them
#define FARTHEST_OFF 1e6
// triangles wider than this, in samples, find the ends of their rows by division
#define WIDE 12

typedef struct snw_Corner {
    double x, y;    // samples
    double depth;   // metres along the axis
    float nearness; // as stored
} Corner;

bool snw_raster_create(int width, int height, bool with_surfaces, snw_Raster *out_raster)
{
    memset(out_raster, 0, sizeof *out_raster);
    const size_t count = (size_t)width * (size_t)height;
    out_raster->width = width;
    out_raster->height = height;
    out_raster->nearest = NEAREST;
    out_raster->nearness = malloc(count * sizeof *out_raster->nearness);
    if (with_surfaces) {
        out_raster->normals = malloc(count * sizeof *out_raster->normals);
        out_raster->materials = malloc(count);
    }
    const bool ready = out_raster->nearness != NULL
        && (!with_surfaces || (out_raster->normals != NULL && out_raster->materials != NULL));
    if (!ready) { snw_raster_destroy(out_raster); }
    return ready;
}

void snw_raster_destroy(snw_Raster *raster)
{
    free(raster->nearness);
    free(raster->normals);
    free(raster->materials);
    free(raster->colors);
    free(raster->corners);
    memset(raster, 0, sizeof *raster);
}

void snw_raster_clear(snw_Raster *raster, bool perspective)
{
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    const float farthest = perspective ? 0.0f : -INFINITY;
    for (size_t i = 0; i < count; ++i) { raster->nearness[i] = farthest; }
    if (raster->materials) { memset(raster->materials, SNW_MATERIAL_NONE, count); }
}

// ---------------------------------------------------------------------------------------------
// Normals: three times ten bits

static uint32_t pack_part(double value)
{
    const double shifted = (value + 1.0) * 511.0 + 0.5;
    return shifted < 0.0 ? 0u : shifted > 1022.0 ? 1022u : (uint32_t)(int)shifted;
}

static uint32_t pack_normal(sinew_Vec3 n)
{
    return pack_part(n.x) | (pack_part(n.y) << 10) | (pack_part(n.z) << 20);
}

sinew_Vec3 snw_raster_normal(uint32_t packed)
{
    const double step = 1.0 / 511.0;
    const sinew_Vec3 n = { (double)(packed & 1023u) * step - 1.0,
        (double)((packed >> 10) & 1023u) * step - 1.0,
        (double)((packed >> 20) & 1023u) * step - 1.0 };
    return n;
}

// ---------------------------------------------------------------------------------------------
// One triangle

typedef struct Surface {
    const sinew_Vec3 *normals[3]; // NULL: packed holds for all of it
    uint32_t packed;
    uint8_t material;
    // painted: a colour, and an image with the places of the corners in it
    bool painted;
    uint32_t color;
    const picture_Texture *texture; // or NULL
    const float *uvs[3];
} Surface;

// the image repeats itself
static int wrap(double part, int size)
{
    const int at = (int)floor((part - floor(part)) * size);
    return at < size ? at : size - 1;
}

static uint32_t part_of(uint32_t color, int shift)
{
    return (color >> shift) & 255u;
}

static uint32_t multiply_colors(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        product |= ((part_of(a, shift) * part_of(b, shift) + 127u) / 255u) << shift;
    }
    return product;
}

static uint32_t color_at(const Surface *surface, double b, double c)
{
    const picture_Texture *texture = surface->texture;
    if (texture == NULL) { return surface->color; }
    const double a = 1.0 - b - c;
    const float *p = surface->uvs[0], *q = surface->uvs[1], *r = surface->uvs[2];
    const int x = wrap(a * (double)p[0] + b * (double)q[0] + c * (double)r[0], texture->width);
    const int y = wrap(a * (double)p[1] + b * (double)q[1] + c * (double)r[1], texture->height);
    const size_t at = (size_t)y * (size_t)texture->width + (size_t)x;
    return multiply_colors(texture->pixels[at], surface->color);
}

// an edge: value at the first sample of the box, and steps to the right and down; inside is >= 0
typedef struct Edge {
    int64_t value, right, down;
} Edge;

static Edge make_edge(
    int64_t ax, int64_t ay, int64_t bx, int64_t by, int64_t start_x, int64_t start_y)
{
    const int64_t dx = bx - ax, dy = by - ay;
    Edge edge;
    edge.value = dx * (start_y - ay) - dy * (start_x - ax);
    edge.right = -dy * SUBSTEPS;
    edge.down = dx * SUBSTEPS;
    // a sample on an edge belongs to the triangle below it or to the right of it
    const bool takes = dy < 0 || (dy == 0 && dx > 0);
    if (!takes) { --edge.value; }
    return edge;
}

// narrows the samples first..last of a row to those inside an edge
static void narrow(int64_t value, int64_t right, int *first, int *last)
{
    if (right > 0) {
        if (value < 0) {
            const int64_t steps = (-value + right - 1) / right;
            if (steps > *first) { *first = steps > *last ? *last + 1 : (int)steps; }
        }
    } else if (value < 0) {
        *last = -1;
    } else if (right < 0) {
        const int64_t steps = value / -right;
        if (steps < *last) { *last = (int)steps; }
    }
}

static uint32_t blend_normals(const Surface *surface, double b, double c)
{
    const double a = 1.0 - b - c;
    const sinew_Vec3 *n0 = surface->normals[0], *n1 = surface->normals[1],
                     *n2 = surface->normals[2];
    const sinew_Vec3 n = { a * n0->x + b * n1->x + c * n2->x, a * n0->y + b * n1->y + c * n2->y,
        a * n0->z + b * n1->z + c * n2->z };
    return pack_normal(n);
}

static int64_t round_to_step(double x)
{
    return (int64_t)floor(x * SUBSTEPS + 0.5);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int largest(int a, int b)
{
    return a > b ? a : b;
}

static int64_t least3(int64_t a, int64_t b, int64_t c)
{
    const int64_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

// first sample whose middle is not left of a place, in steps
static int first_sample(int64_t steps)
{
    const int64_t shifted = steps - SUBSTEPS / 2 + SUBSTEPS - 1;
    return (int)(shifted >= 0 ? shifted / SUBSTEPS : -((-shifted + SUBSTEPS - 1) / SUBSTEPS));
}

static void fill_triangle(snw_Raster *raster, const Corner *p0, const Corner *p1, const Corner *p2,
    const Surface *surface)
{
    const int64_t x0 = round_to_step(p0->x), y0 = round_to_step(p0->y);
    const int64_t x1 = round_to_step(p1->x), y1 = round_to_step(p1->y);
    const int64_t x2 = round_to_step(p2->x), y2 = round_to_step(p2->y);
    const int64_t area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (area <= 0) { return; }

    const int left = largest(first_sample(least3(x0, x1, x2)), 0);
    const int right = least(first_sample(-least3(-x0, -x1, -x2) + 1) - 1, raster->width - 1);
    const int top = largest(first_sample(least3(y0, y1, y2)), 0);
    const int bottom = least(first_sample(-least3(-y0, -y1, -y2) + 1) - 1, raster->height - 1);
    if (left > right || top > bottom) { return; }

    const int64_t start_x = (int64_t)left * SUBSTEPS + SUBSTEPS / 2;
    const int64_t start_y = (int64_t)top * SUBSTEPS + SUBSTEPS / 2;
    Edge e0 = make_edge(x1, y1, x2, y2, start_x, start_y);
    Edge e1 = make_edge(x2, y2, x0, y0, start_x, start_y);
    Edge e2 = make_edge(x0, y0, x1, y1, start_x, start_y);
    const double per_area = 1.0 / (double)area;
    const double step1 = ((double)p1->nearness - (double)p0->nearness) * per_area;
    const double step2 = ((double)p2->nearness - (double)p0->nearness) * per_area;
    const double along = step1 * (double)e1.right + step2 * (double)e2.right;

    for (int y = top; y <= bottom; ++y) {
        int first = 0, last = right - left;
        if (last > WIDE) {
            narrow(e0.value, e0.right, &first, &last);
            narrow(e1.value, e1.right, &first, &last);
            narrow(e2.value, e2.right, &first, &last);
        }
        int64_t v0 = e0.value + first * e0.right, v1 = e1.value + first * e1.right;
        int64_t v2 = e2.value + first * e2.right;
        double near = (double)p0->nearness + step1 * (double)v1 + step2 * (double)v2;
        size_t at = (size_t)y * (size_t)raster->width + (size_t)(left + first);
        for (int x = first; x <= last; ++x, ++at) {
            if ((v0 | v1 | v2) >= 0 && (float)near > raster->nearness[at]) {
                raster->nearness[at] = (float)near;
                if (raster->normals) {
                    raster->materials[at] = surface->material;
                    raster->normals[at] = surface->normals[0] == NULL
                        ? surface->packed
                        : blend_normals(surface, (double)v1 * per_area, (double)v2 * per_area);
                    if (surface->painted) {
                        raster->colors[at] = color_at(
                            surface, (double)v1 * per_area, (double)v2 * per_area);
                    }
                }
            }
            v0 += e0.right;
            v1 += e1.right;
            v2 += e2.right;
            near += along;
        }
        e0.value += e0.down;
        e1.value += e1.down;
        e2.value += e2.down;
    }
}

// ---------------------------------------------------------------------------------------------
// Corners

static Corner corner_at(
    double right, double up, double depth, const snw_Camera *camera, bool parallel)
{
    const double scale = parallel ? camera->focal : camera->focal / depth;
    Corner corner = { camera->center_x + right * scale, camera->center_y - up * scale, depth,
        (float)(parallel ? -depth : 1.0 / depth) };
    return corner;
}

static Corner project(const snw_Camera *camera, bool parallel, double nearest, sinew_Vec3 point)
{
    const sinew_Vec3 p = snw_camera_turn(camera, sinew_vec3_sub(point, camera->eye));
    if (!parallel && -p.z < nearest) {
        Corner behind = { 0.0, 0.0, -p.z, 0.0f };
        return behind;
    }
    return corner_at(p.x, p.y, -p.z, camera, parallel);
}

static bool is_far_off(const Corner *corner)
{
    return !(fabs(corner->x) <= FARTHEST_OFF && fabs(corner->y) <= FARTHEST_OFF);
}

// how far in front of the camera a point is, or inside one of the four sides of what is drawn
static double inside_of(const snw_Camera *camera, double nearest, int plane, sinew_Vec3 p)
{
    const double depth = -p.z;
    const double x = camera->center_x * depth + p.x * camera->focal;
    const double y = camera->center_y * depth - p.y * camera->focal;
    switch (plane) {
    case 0: return depth - nearest;
    case 1: return FARTHEST_OFF * depth + x;
    case 2: return FARTHEST_OFF * depth - x;
    case 3: return FARTHEST_OFF * depth + y;
    default: return FARTHEST_OFF * depth - y;
    }
}

// a triangle that reaches behind the camera or far off the page: what is left of it, as a fan
static void fill_cut(snw_Raster *raster, const snw_Camera *camera, const snw_Mesh *mesh,
    const uint32_t *index, const Surface *surface)
{
    enum { PLANES = 5, MOST = 3 + PLANES };
    sinew_Vec3 points[MOST], kept[MOST];
    int count = 3;
    for (int i = 0; i < 3; ++i) {
        points[i] = snw_camera_turn(camera, sinew_vec3_sub(mesh->vertices[index[i]], camera->eye));
    }
    for (int plane = 0; plane < PLANES; ++plane) {
        int left = 0;
        for (int i = 0; i < count; ++i) {
            const sinew_Vec3 a = points[i], b = points[(i + 1) % count];
            const double inside_a = inside_of(camera, raster->nearest, plane, a);
            const double inside_b = inside_of(camera, raster->nearest, plane, b);
            if (inside_a >= 0.0) { kept[left++] = a; }
            if ((inside_a >= 0.0) != (inside_b >= 0.0)) {
                kept[left++] = sinew_vec3_lerp(a, b, inside_a / (inside_a - inside_b));
            }
        }
        count = left;
        memcpy(points, kept, sizeof points);
    }
    // cut surfaces lie at the camera's feet: their normals are those of the first corner
    Surface plain = *surface;
    if (plain.normals[0] != NULL) { plain.packed = pack_normal(*plain.normals[0]); }
    plain.normals[0] = NULL;
    plain.texture = NULL;
    Corner corners[MOST];
    for (int i = 0; i < count; ++i) {
        corners[i] = corner_at(points[i].x, points[i].y, -points[i].z, camera, false);
    }
    for (int i = 2; i < count; ++i) {
        fill_triangle(raster, &corners[0], &corners[i - 1], &corners[i], &plain);
    }
}

static bool is_off_page(const snw_Raster *raster, const Corner *a, const Corner *b, const Corner *c)
{
    const double right = raster->width, bottom = raster->height;
    return (a->x < 0.0 && b->x < 0.0 && c->x < 0.0) || (a->y < 0.0 && b->y < 0.0 && c->y < 0.0)
        || (a->x > right && b->x > right && c->x > right)
        || (a->y > bottom && b->y > bottom && c->y > bottom);
}

static bool make_colors(snw_Raster *raster)
{
    if (raster->colors == NULL) {
        raster->colors = calloc(
            (size_t)raster->width * (size_t)raster->height, sizeof *raster->colors);
    }
    return raster->colors != NULL;
}

// corners in the order that triangles are filled in
static void paint_surface(
    const picture_Skin *paint, int triangle, const uint32_t *index, Surface *surface)
{
    const int texture = paint->textures != NULL ? paint->textures[triangle] : -1;
    surface->color = paint->colors[triangle];
    surface->texture = texture >= 0 ? &paint->texture_list[texture] : NULL;
    if (texture < 0) { return; }
    surface->uvs[0] = &paint->uvs[2 * (size_t)index[0]];
    surface->uvs[1] = &paint->uvs[2 * (size_t)index[2]];
    surface->uvs[2] = &paint->uvs[2 * (size_t)index[1]];
}

bool snw_raster_draw(
    snw_Raster *raster, const snw_Camera *camera, bool parallel, const snw_Mesh *mesh)
{
    if (mesh->vertex_count > raster->corner_capacity) {
        Corner *corners = realloc(raster->corners, (size_t)mesh->vertex_count * sizeof *corners);
        if (!corners) { return false; }
        raster->corners = corners;
        raster->corner_capacity = mesh->vertex_count;
    }
    Corner *corners = raster->corners;
    for (int v = 0; v < mesh->vertex_count; ++v) {
        corners[v] = project(camera, parallel, raster->nearest, mesh->vertices[v]);
    }
    Surface surface;
    memset(&surface, 0, sizeof surface);
    surface.material = mesh->material;
    surface.painted = mesh->paint != NULL && raster->normals != NULL;
    if (surface.painted && !make_colors(raster)) { return false; }
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *index = mesh->indices + 3 * (size_t)t;
        // the page's y points down: anticlockwise triangles come out clockwise
        const Corner *a = &corners[index[0]], *b = &corners[index[2]], *c = &corners[index[1]];
        const int behind = parallel ? 0
                                    : (a->depth < raster->nearest) + (b->depth < raster->nearest)
                + (c->depth < raster->nearest);
        if (behind == 3 || (behind == 0 && is_off_page(raster, a, b, c))) { continue; }
        const bool far_off = is_far_off(a) || is_far_off(b) || is_far_off(c);
        if (far_off && parallel) { continue; }

        if (raster->normals) {
            if (mesh->materials) { surface.material = mesh->materials[t]; }
            if (surface.painted) { paint_surface(mesh->paint, t, index, &surface); }
            if (mesh->normals) {
                surface.normals[0] = &mesh->normals[index[0]];
                surface.normals[1] = &mesh->normals[index[2]];
                surface.normals[2] = &mesh->normals[index[1]];
            } else {
                const sinew_Vec3 p = mesh->vertices[index[0]];
                surface.packed = pack_normal(sinew_vec3_normalize_or(
                    sinew_vec3_cross(sinew_vec3_sub(mesh->vertices[index[1]], p),
                        sinew_vec3_sub(mesh->vertices[index[2]], p)),
                    sinew_vec3(0.0, 1.0, 0.0)));
            }
        }
        if (behind > 0 || far_off) {
            const uint32_t turned[3] = { index[0], index[2], index[1] };
            fill_cut(raster, camera, mesh, turned, &surface);
        } else {
            fill_triangle(raster, a, b, c, &surface);
        }
    }
    return true;
}
