#include "pictures/figure.h"

#include <math.h>

static const snw_Color GHOST = { 0.740, 0.750, 0.780 };

// where the light comes from, in the axes of the camera: over the viewer's left shoulder
static const sinew_Vec3 LIGHT = { -0.462, 0.727, 0.508 };
// sides of the square of samples of a pixel; and where the page is no image and may be printed or
// enlarged, pixels along a point of it, with fewer samples each
#define SAMPLES 3
#define POINT_PIXELS 2
#define POINT_SAMPLES 2
// share of the paper's colour at the far end of a figure
#define FAR_HAZE 0.26

// what a figure covers of the page, whole pixels, and how far away it is
typedef struct Cover {
    int x, y, width, height;
    double near, far;
} Cover;

static Cover cover_of(cairo_t *cr, const snw_Camera *camera, const snw_Mesh *meshes, int mesh_count)
{
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    Cover cover = { 0, 0, 0, 0, INFINITY, 0.0 };
    for (int m = 0; m < mesh_count; ++m) {
        for (int v = 0; v < meshes[m].vertex_count; ++v) {
            const snw_Spot spot = snw_camera_project(camera, meshes[m].vertices[v]);
            left = fmin(left, spot.x);
            right = fmax(right, spot.x);
            top = fmin(top, spot.y);
            bottom = fmax(bottom, spot.y);
            cover.near = fmin(cover.near, spot.depth);
            cover.far = fmax(cover.far, spot.depth);
        }
    }
    double clip[4];
    cairo_clip_extents(cr, &clip[0], &clip[1], &clip[2], &clip[3]);
    left = floor(fmax(left, clip[0])) - 1.0;
    top = floor(fmax(top, clip[1])) - 1.0;
    right = ceil(fmin(right, clip[2])) + 1.0;
    bottom = ceil(fmin(bottom, clip[3])) + 1.0;
    // what is not on the page has no size
    if (right - left < 65536.0 && bottom - top < 65536.0 && left < right && top < bottom) {
        cover.x = (int)left;
        cover.y = (int)top;
        cover.width = (int)(right - left);
        cover.height = (int)(bottom - top);
    }
    return cover;
}

static snw_Look look_of(
    const snw_Camera *camera, const Cover *cover, int samples, snw_FigureStyle style)
{
    snw_Look look = snw_look_default();
    look.sun = sinew_vec3_scale(camera->right, LIGHT.x);
    look.sun = sinew_vec3_add_scaled(look.sun, camera->up, LIGHT.y);
    look.sun = sinew_vec3_add_scaled(look.sun, camera->toward, LIGHT.z);
    look.samples = samples;
    look.cut_out = true;
    look.edge_shade = style.ghost ? 1.0 : 0.55;
    look.exposure = 0.80;
    look.fade = style.fade;
    look.clear = cover->near;
    look.haze = (cover->far - cover->near) / FAR_HAZE;
    for (int i = 0; i < SNW_MATERIAL_COUNT && style.ghost; ++i) { look.colors[i] = GHOST; }
    return look;
}

static bool paint(const snw_Camera *camera, const snw_Mesh *meshes, int mesh_count,
    const Cover *cover, int scale, snw_FigureStyle style, cairo_surface_t *surface)
{
    const int own = scale > 1 ? POINT_SAMPLES : SAMPLES, samples = scale * own;
    snw_Raster raster;
    snw_Camera moved = *camera;
    moved.focal *= samples;
    moved.center_x = samples * (camera->center_x - cover->x);
    moved.center_y = samples * (camera->center_y - cover->y);
    if (!snw_raster_create(samples * cover->width, samples * cover->height, true, &raster)) {
        return false;
    }
    raster.nearest = 0.01 * cover->near;
    snw_raster_clear(&raster, true);
    const snw_Look look = look_of(camera, cover, own, style);
    bool done = true;
    for (int m = 0; m < mesh_count && done; ++m) {
        done = snw_raster_draw(&raster, &moved, false, &meshes[m]);
    }
    done = done
        && snw_shade(&raster, &moved, &look, cairo_image_surface_get_data(surface),
            cairo_image_surface_get_stride(surface));
    snw_raster_destroy(&raster);
    return done;
}

sinew_Status snw_figure_draw(cairo_t *cr, const snw_Camera *camera, const snw_Character *character,
    const snw_Things *things, snw_FigureStyle style)
{
    snw_Mesh meshes[2] = { snw_character_mesh(character) };
    int mesh_count = 1;
    if (things != NULL && things->triangle_count > 0) {
        meshes[mesh_count++] = snw_things_mesh(things);
    }
    const Cover cover = cover_of(cr, camera, meshes, mesh_count);
    if (cover.width == 0) { return SINEW_STATUS_OK; }
    const bool is_image = cairo_surface_get_type(cairo_get_target(cr)) == CAIRO_SURFACE_TYPE_IMAGE;
    const int scale = is_image ? 1 : POINT_PIXELS;
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, scale * cover.width, scale * cover.height);
    const bool done = cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS
        && paint(camera, meshes, mesh_count, &cover, scale, style, surface);
    if (done) {
        cairo_surface_mark_dirty(surface);
        cairo_save(cr);
        cairo_translate(cr, cover.x, cover.y);
        cairo_scale(cr, 1.0 / scale, 1.0 / scale);
        cairo_set_source_surface(cr, surface, 0.0, 0.0);
        cairo_paint(cr);
        cairo_restore(cr);
    }
    cairo_surface_destroy(surface);
    return done ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY;
}
