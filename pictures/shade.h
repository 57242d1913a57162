#ifndef PICTURES_SHADE_H
#define PICTURES_SHADE_H

// Light on what a raster holds: a low sun with soft shadows, the sky with what bodies take of it,
// haze toward the horizon; and from samples to the pixels of a picture.

#include "pictures/canvas.h"
#include "pictures/raster.h"
#include "shape/human_shape.h"

/// Directions of the sky that bodies are seen from.
#define SNW_SKY_COUNT 32
/// Looks into the sun's map for one soft shadow.
#define SNW_SUN_LOOKS 40

/// What one body takes of sun and sky.
typedef struct snw_Shadow {
    sinew_Vec3 center;
    double radius;
    bool only_sun;
    double sun_bias; ///< a surface does not shade itself within this distance, metres
    snw_Raster sun, sky[SNW_SKY_COUNT];
    snw_Camera sun_camera, sky_cameras[SNW_SKY_COUNT];
    /// Directions and looks that are used: all, or what a film does with.
    int sky_count, look_count;
    /// Places spread evenly over a disc of radius 1.                    (look_count)
    double looks[SNW_SUN_LOOKS][2];
} snw_Shadow;

/// quick: a third of the directions and looks, as films have it, where grain does not rest on one place.
/// False when out of memory; then there is nothing to destroy.
bool snw_shadow_create(bool quick, snw_Shadow *out_shadow);
void snw_shadow_destroy(snw_Shadow *shadow);
/// Begin to look, from sun (unit direction to it) and sky, at what lies within radius of center;
/// only_sun: what takes sun alone.
void snw_shadow_begin(
    snw_Shadow *shadow, sinew_Vec3 center, double radius, sinew_Vec3 sun, bool only_sun);
/// Add a body, moved by shift. False when out of memory.
bool snw_shadow_add(snw_Shadow *shadow, const snw_Mesh *mesh, sinew_Vec3 shift);

/// How a picture is lit.
typedef struct snw_Look {
    /// Unit direction to the sun.
    sinew_Vec3 sun;
    /// Sides of a pixel's square of samples, 1..4.
    int samples;
    const snw_Shadow *shadows;
    int shadow_count;
    /// Haze begins at distance clear, and has taken two thirds haze farther on, metres.
    double clear, haze;
    /// All light is multiplied by this.
    double exposure;
    /// Share of the paper's colour in all.
    double fade;
    /// There is no sky: what nothing covers is transparent (cairo's ARGB32).
    bool cut_out;
    /// Lines on the ground this far apart along X and along Z, metres; 0: none.
    double line_x, line_z;
    /// Ground in front of ground, as at the edge of a step, and all edges of what is cut out have a
    /// border so much darker; 1: none.
    double edge_shade;
    /// As they are shown in white light.
    snw_Color colors[SNW_MATERIAL_COUNT];
} snw_Look;

snw_Look snw_look_default(void);

/// The colour of a material as it is shown in white light.
snw_Color snw_material_color(snw_Material material);

/// Light the samples and write pixels as cairo's RGB24 has them: raster->width / samples in a row,
/// stride bytes from row to row. All processors take part. False when out of memory.
bool snw_shade(const snw_Raster *raster, const snw_Camera *camera, const snw_Look *look,
    unsigned char *out_pixels, int stride);

/// The same, quickly: no shadows, no lines, no sky, one sample for each pixel.
void snw_shade_plain(
    const snw_Raster *raster, const snw_Look *look, unsigned char *out_pixels, int stride);

#endif
