#ifndef PICTURES_WORLD_H
#define PICTURES_WORLD_H

// Ground, figures and marks in one lit picture.

#include "pictures/character.h"
#include "pictures/land.h"
#include "pictures/shade.h"

typedef struct snw_WorldDef {
    const sinew_Terrain *terrain; ///< NULL: level ground at height level
    double level;                 ///< of no meaning to a terrain
    /// Draw only so much of stairs or a ramp around x = strip_x, as a thing that stands on level
    /// ground (snw_land_can_strip); 0: all of it.
    double strip_half_width, strip_x;
    int width, height; ///< pixels
    int samples;       ///< sides of a pixel's square, 1..4
    int shadow_count;  ///< figures that shade the ground, in one picture
    bool quick;        ///< shadows by fewer looks, see snw_shadow_create
    bool plain;        ///< quick light, see snw_shade_plain; samples is 1 then
} snw_WorldDef;

typedef struct snw_World {
    snw_Land land;
    snw_Raster raster;
    snw_Camera camera; ///< in samples
    snw_Look look;
    snw_Shadow *shadows;
    int shadow_capacity;
    bool plain;
    double strip_reach; ///< metres around a place within which a strip shades itself and the ground
    bool failed;        ///< out of memory while drawing
} snw_World;

bool snw_world_create(const snw_WorldDef *def, snw_World *out_world);
void snw_world_destroy(snw_World *world);

/// A new picture, seen by a camera whose page is in pixels.
void snw_world_begin(snw_World *world, const snw_Camera *camera);
/// Put the sun so far around from a level direction (radians, to its left seen from above) and so
/// high, before figures are drawn.
void snw_world_light_from(snw_World *world, sinew_Vec3 toward, double around, double rise);
/// The ground within reach metres of a place; haze hides its end. one_patch: that patch alone.
void snw_world_draw_land(snw_World *world, sinew_Vec3 around, double reach, bool one_patch);
/// A figure as it was posed.
void snw_world_draw_figure(snw_World *world, const snw_Character *character);

/// A pyramid above a place, or a triangle that lies on the ground; size in metres.
void snw_world_draw_pyramid(snw_World *world, sinew_Vec3 place, double size, snw_Material material);
void snw_world_draw_triangle(snw_World *world, sinew_Vec3 place, sinew_Vec3 normal,
    sinew_Vec3 heading, double size, snw_Material material);

/// Light it and write it as cairo's RGB24. False when memory ran out since begin.
bool snw_world_finish(snw_World *world, unsigned char *pixels, int stride);

#endif
