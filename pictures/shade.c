#include "pictures/shade.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// samples along the sides of the maps seen from sun and sky
#define SUN_SIZE 1024
#define SKY_SIZE 128
// what is looked at where it has to go quickly: below ten directions shade under feet shows steps
#define QUICK_SKY_COUNT 11
#define QUICK_SUN_LOOKS 14
// an edge of a shadow is never softer than this, metres
#define SUN_SOFTEST 0.09
// half the angle that the sun is seen under, radians: softer than the real one
#define SUN_SPREAD 0.030
// a surface does not shade itself within these distances, metres
#define SUN_BIAS 0.006
#define SKY_BIAS 0.022
// no shadow of a body falls farther than this many of its radii
#define SHADOW_REACH 4.5

typedef struct Light {
    double r, g, b;
} Light;

// fmin and fmax are calls, and this is done for each sample
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static const Light SUN_LIGHT = { 1.84, 1.71, 1.52 };
static const Light SKY_LIGHT = { 0.52, 0.58, 0.68 };
static const Light BOUNCE_LIGHT = { 0.33, 0.31, 0.28 };
// of the sky straight up, as it is shown
static const snw_Color ZENITH = { 0.800, 0.856, 0.905 };

// ---------------------------------------------------------------------------------------------
// Shadows

static sinew_Vec3 sky_direction(int index, int count)
{
    // a spiral over the upper half of the sphere, not quite down to the horizon
    const double up = 1.0 - (index + 0.5) / count * 0.82;
    const double around = index * 2.399963229728653;
    const double level = sqrt(1.0 - up * up);
    return sinew_vec3(level * cos(around), up, level * sin(around));
}

bool snw_shadow_create(bool quick, snw_Shadow *out_shadow)
{
    memset(out_shadow, 0, sizeof *out_shadow);
    out_shadow->sky_count = quick ? QUICK_SKY_COUNT : SNW_SKY_COUNT;
    out_shadow->look_count = quick ? QUICK_SUN_LOOKS : SNW_SUN_LOOKS;
    for (int i = 0; i < out_shadow->look_count; ++i) {
        const double r = sqrt((i + 0.5) / out_shadow->look_count), a = i * 2.399963229728653;
        out_shadow->looks[i][0] = r * cos(a);
        out_shadow->looks[i][1] = r * sin(a);
    }
    bool ready = snw_raster_create(SUN_SIZE, SUN_SIZE, false, &out_shadow->sun);
    for (int i = 0; i < out_shadow->sky_count && ready; ++i) {
        ready = snw_raster_create(SKY_SIZE, SKY_SIZE, false, &out_shadow->sky[i]);
    }
    if (!ready) { snw_shadow_destroy(out_shadow); }
    return ready;
}

void snw_shadow_destroy(snw_Shadow *shadow)
{
    snw_raster_destroy(&shadow->sun);
    for (int i = 0; i < SNW_SKY_COUNT; ++i) { snw_raster_destroy(&shadow->sky[i]); }
}

static void begin_map(
    snw_Raster *map, snw_Camera *camera, sinew_Vec3 center, double radius, sinew_Vec3 direction)
{
    *camera = snw_camera_look(center, direction, 0.0);
    camera->focal = 0.5 * map->width / radius;
    camera->center_x = camera->center_y = 0.5 * map->width;
    snw_raster_clear(map, false);
}

void snw_shadow_begin(
    snw_Shadow *shadow, sinew_Vec3 center, double radius, sinew_Vec3 sun, bool only_sun)
{
    shadow->center = center;
    shadow->radius = radius;
    shadow->only_sun = only_sun;
    begin_map(&shadow->sun, &shadow->sun_camera, center, radius, sun);
    // about two samples of the map
    shadow->sun_bias = larger(SUN_BIAS, 1.8 / shadow->sun_camera.focal);
    for (int i = 0; i < shadow->sky_count && !only_sun; ++i) {
        begin_map(&shadow->sky[i], &shadow->sky_cameras[i], center, radius,
            sky_direction(i, shadow->sky_count));
    }
}

static bool add_to_map(
    snw_Raster *map, const snw_Camera *camera, const snw_Mesh *mesh, sinew_Vec3 shift)
{
    // the body stays, the camera moves
    snw_Camera moved = *camera;
    moved.eye = sinew_vec3_sub(camera->eye, shift);
    return snw_raster_draw(map, &moved, true, mesh);
}

bool snw_shadow_add(snw_Shadow *shadow, const snw_Mesh *mesh, sinew_Vec3 shift)
{
    bool ready = add_to_map(&shadow->sun, &shadow->sun_camera, mesh, shift);
    for (int i = 0; i < shadow->sky_count && !shadow->only_sun && ready; ++i) {
        ready = add_to_map(&shadow->sky[i], &shadow->sky_cameras[i], mesh, shift);
    }
    return ready;
}

// place of a point on a map, and its nearness there
typedef struct Spot {
    double x, y, nearness;
} Spot;

static Spot spot_on(const snw_Camera *camera, sinew_Vec3 point)
{
    const sinew_Vec3 p = snw_camera_turn(camera, sinew_vec3_sub(point, camera->eye));
    Spot spot = { camera->center_x + p.x * camera->focal - 0.5,
        camera->center_y - p.y * camera->focal - 0.5, p.z };
    return spot;
}

// how much of a point is seen, blended over the four samples around it
static double seen_on(const snw_Raster *map, Spot spot, double bias)
{
    const double fx = floor(spot.x), fy = floor(spot.y);
    if (!(fx >= 0.0 && fy >= 0.0 && fx < map->width - 1 && fy < map->height - 1)) { return 1.0; }
    const float *row = map->nearness + (size_t)fy * (size_t)map->width + (size_t)fx;
    const double tx = spot.x - fx, ty = spot.y - fy;
    const float limit = (float)(spot.nearness + bias);
    const double low = (row[0] <= limit ? 1.0 - tx : 0.0) + (row[1] <= limit ? tx : 0.0);
    row += map->width;
    const double high = (row[0] <= limit ? 1.0 - tx : 0.0) + (row[1] <= limit ? tx : 0.0);
    return low + ty * (high - low);
}

// whether a body may stand between a point and a direction; to_body from the point to its center
static bool may_hide(sinew_Vec3 to_body, double squared, double radius, sinew_Vec3 direction)
{
    const double along = sinew_vec3_dot(to_body, direction);
    return along > -radius && squared - along * along < radius * radius;
}

// share of the sun that a body leaves; the edge is softer the farther the body is
static double sun_behind(const snw_Shadow *shadow, sinew_Vec3 point)
{
    const Spot spot = spot_on(&shadow->sun_camera, point);
    const snw_Raster *map = &shadow->sun;
    const double widest = SUN_SOFTEST * shadow->sun_camera.focal;
    // how far away what shades it is: looks around
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < shadow->look_count; i += 2) {
        const double *look = shadow->looks[i];
        const int x = (int)(spot.x + widest * look[0] + 0.5);
        const int y = (int)(spot.y + widest * look[1] + 0.5);
        if (x < 0 || y < 0 || x >= map->width || y >= map->height) { continue; }
        const double near = (double)map->nearness[(size_t)y * (size_t)map->width + (size_t)x];
        if (near > spot.nearness + shadow->sun_bias) {
            sum += near - spot.nearness;
            ++count;
        }
    }
    if (count == 0) { return 1.0; }
    const double soft = smaller(larger(SUN_SPREAD * sum / count, 0.004), SUN_SOFTEST)
        * shadow->sun_camera.focal;
    double seen = 0.0;
    for (int i = 0; i < shadow->look_count; ++i) {
        const double *look = shadow->looks[i];
        const Spot beside = { spot.x + soft * look[0], spot.y + soft * look[1], spot.nearness };
        seen += seen_on(map, beside, shadow->sun_bias);
    }
    return seen / shadow->look_count;
}

// share of the sky that a body leaves, for a surface of that normal
static double sky_behind(const snw_Shadow *shadow, sinew_Vec3 point, sinew_Vec3 normal,
    sinew_Vec3 to_body, double squared)
{
    double hidden = 0.0, all = 0.0;
    for (int i = 0; i < shadow->sky_count; ++i) {
        const snw_Camera *camera = &shadow->sky_cameras[i];
        const double facing = sinew_vec3_dot(normal, camera->toward);
        if (facing <= 0.0) { continue; }
        all += facing;
        if (!may_hide(to_body, squared, shadow->radius, camera->toward)) { continue; }
        hidden += facing * (1.0 - seen_on(&shadow->sky[i], spot_on(camera, point), SKY_BIAS));
    }
    if (hidden <= 0.0) { return 1.0; }
    // what looks down sees no sky
    return all > 0.5 ? 1.0 - hidden / all : 1.0 - 0.4 * hidden / all;
}

// ---------------------------------------------------------------------------------------------
// One place

// what is the same for all samples of a picture
typedef struct Palette {
    Light colors[SNW_MATERIAL_COUNT];
    float shown[1025]; ///< of linear light, as pictures store it
} Palette;

typedef struct Place {
    sinew_Vec3 point, normal, toward_eye;
    uint8_t material;
    uint32_t color;   // of painted places, as shown
    double distance;  // from the eye
    double footprint; // metres of a pixel there
} Place;

static double to_linear(double shown)
{
    return shown * shown * (0.82 * shown + 0.18);
}

static Light light_of(snw_Color color)
{
    Light light = { to_linear(color.r), to_linear(color.g), to_linear(color.b) };
    return light;
}

static snw_Color unpack_color(uint32_t color)
{
    const snw_Color r = { (double)((color >> 16) & 255u) / 255.0,
        (double)((color >> 8) & 255u) / 255.0, (double)(color & 255u) / 255.0 };
    return r;
}

// 1 on a line, 0 beside it, softened over a pixel
static double line_at(double place, double apart, double footprint)
{
    if (!(apart > 0.0)) { return 0.0; }
    const double half = 0.008 + 0.5 * footprint;
    const double away = fabs(place - apart * floor(place / apart + 0.5));
    const double cover = smaller(larger((half + 0.5 * footprint - away) / footprint, 0.0), 1.0);
    // no moire far away
    return cover * 0.016 / (2.0 * half)
        * smaller(larger(1.0 - footprint / (0.25 * apart), 0.0), 1.0) * 1.6;
}

static Light ground_color(const snw_Look *look, const Place *place, Light color)
{
    // a pixel lies longer on ground that is seen from the side
    const double flat = larger(sinew_vec3_dot(place->normal, place->toward_eye), 0.08);
    const double footprint = larger(place->footprint / flat, 1e-4);
    double line = place->normal.y > 0.3 ? line_at(place->point.x, look->line_x, footprint)
            + line_at(place->point.z, look->line_z, footprint)
                                        : 0.0;
    line = smaller(line, 1.0) * 0.30;
    color.r *= 1.0 - line;
    color.g *= 1.0 - line;
    color.b *= 1.0 - line;
    return color;
}

// no body hides anything from a place outside this
static bool is_near(const snw_Shadow *shadow, double squared)
{
    return squared <= SHADOW_REACH * SHADOW_REACH * shadow->radius * shadow->radius;
}

// share of the sky that all bodies leave
static double sky_over(const snw_Look *look, const Place *place)
{
    double sky = 1.0;
    for (int i = 0; i < look->shadow_count; ++i) {
        const snw_Shadow *shadow = &look->shadows[i];
        const sinew_Vec3 to_body = sinew_vec3_sub(shadow->center, place->point);
        const double squared = sinew_vec3_dot(to_body, to_body);
        if (shadow->only_sun || !is_near(shadow, squared)) { continue; }
        sky *= sky_behind(shadow, place->point, place->normal, to_body, squared);
    }
    return sky;
}

// the sun's light that reaches a place, times how it faces the sun
static double sun_on(const snw_Look *look, const Place *place)
{
    double sun = larger(sinew_vec3_dot(place->normal, look->sun), 0.0);
    for (int i = 0; i < look->shadow_count && sun > 0.0; ++i) {
        const snw_Shadow *shadow = &look->shadows[i];
        const sinew_Vec3 to_body = sinew_vec3_sub(shadow->center, place->point);
        const double squared = sinew_vec3_dot(to_body, to_body);
        if (!is_near(shadow, squared)
            || !may_hide(to_body, squared, shadow->radius + SUN_SOFTEST, look->sun)) {
            continue;
        }
        // a little off the surface: where the sun only grazes it, its map is coarse
        sun *= sun_behind(
            shadow, sinew_vec3_add_scaled(place->point, place->normal, shadow->sun_bias));
    }
    return sun;
}

static Light light_place(
    const snw_Look *look, const Palette *palette, const Place *place, double sky)
{
    const double sun = sun_on(look, place);
    const bool ground = place->material == SNW_MATERIAL_GROUND;
    const bool painted = place->material == SNW_MATERIAL_PAINTED;
    Light color = painted ? light_of(unpack_color(place->color)) : palette->colors[place->material];
    if (ground) { color = ground_color(look, place, color); }
    const double up = 0.5 + 0.5 * place->normal.y;
    double shine = 0.0;
    if (!ground && sun > 0.0) {
        const sinew_Vec3 half = sinew_vec3_normalize_or(
            sinew_vec3_add(look->sun, place->toward_eye), place->normal);
        shine = 0.10 * sun * pow(larger(sinew_vec3_dot(half, place->normal), 0.0), 28.0);
    }
    Light out;
    const double below = 1.0 - up;
    out.r = color.r * (SUN_LIGHT.r * sun + SKY_LIGHT.r * up * sky + BOUNCE_LIGHT.r * below) + shine;
    out.g = color.g * (SUN_LIGHT.g * sun + SKY_LIGHT.g * up * sky + BOUNCE_LIGHT.g * below) + shine;
    out.b = color.b * (SUN_LIGHT.b * sun + SKY_LIGHT.b * up * sky + BOUNCE_LIGHT.b * below) + shine;
    return out;
}

// about exp(-x) for x >= 0, without a call
static double fall_off(double x)
{
    return 1.0 / (1.0 + x * (1.0 + x * (0.5 + x * (0.15 + 0.06 * x))));
}

// share that the paper's colour leaves at a distance
static double kept_at(const snw_Look *look, double distance)
{
    const double far = larger(distance - look->clear, 0.0) / look->haze;
    return fall_off(far * far) * (1.0 - look->fade);
}

static double roll_off(double light)
{
    // bright parts bend over instead of being cut
    return light < 0.6 ? light : 1.0 - 0.4 * fall_off((light - 0.6) / 0.4);
}

static void fill_palette(const snw_Look *look, Palette *palette)
{
    for (int i = 0; i < SNW_MATERIAL_COUNT; ++i) { palette->colors[i] = light_of(look->colors[i]); }
    double value = 0.0;
    for (int i = 0; i <= 1024; ++i) {
        while (value < 1.0 && to_linear(value) < i / 1024.0) { value += 1.0 / 8192.0; }
        palette->shown[i] = (float)value;
    }
}

static double show(const Palette *palette, double light)
{
    const double at = 1024.0 * smaller(larger(light, 0.0), 1.0);
    const int i = at >= 1023.0 ? 1023 : (int)at;
    const double low = (double)palette->shown[i], high = (double)palette->shown[i + 1];
    return low + (at - i) * (high - low);
}

// ---------------------------------------------------------------------------------------------
// Pixels

typedef struct Frame {
    const snw_Raster *raster;
    const snw_Camera *camera;
    const snw_Look *look;
    Palette palette;
} Frame;

// a share of the sky that nobody has looked at yet
#define UNKNOWN (-1.0)

// direction through a sample, one metre along the axis
static sinew_Vec3 ray_through(const snw_Camera *camera, double x, double y)
{
    const double right = (x - camera->center_x) / camera->focal;
    const double up = (camera->center_y - y) / camera->focal;
    sinew_Vec3 ray = sinew_vec3_scale(camera->toward, -1.0);
    ray = sinew_vec3_add_scaled(ray, camera->right, right);
    return sinew_vec3_add_scaled(ray, camera->up, up);
}

static snw_Color sky_color(sinew_Vec3 ray)
{
    const double up = ray.y / sinew_vec3_length(ray);
    return snw_color_mix(SNW_PAPER, ZENITH, 1.0 - fall_off(3.2 * larger(up, 0.0)));
}

static size_t sample_at(const Frame *frame, int x, int y)
{
    return (size_t)y * (size_t)frame->raster->width + (size_t)x;
}

static Place place_of_sample(const Frame *frame, int x, int y)
{
    const size_t at = sample_at(frame, x, y);
    const sinew_Vec3 ray = ray_through(frame->camera, x + 0.5, y + 0.5);
    const double depth = 1.0 / (double)frame->raster->nearness[at];
    const double length = sinew_vec3_length(ray);
    Place place;
    place.point = sinew_vec3_add_scaled(frame->camera->eye, ray, depth);
    place.normal = snw_raster_normal(frame->raster->normals[at]);
    place.material = frame->raster->materials[at];
    const bool painted = place.material == SNW_MATERIAL_PAINTED;
    place.color = painted ? frame->raster->colors[at] : 0;
    place.distance = depth * length;
    place.toward_eye = sinew_vec3_scale(ray, -1.0 / length);
    place.footprint = depth * frame->look->samples / frame->camera->focal;
    return place;
}

// sky: the share of it that bodies leave there, UNKNOWN: to be looked at
static snw_Color color_of_sample(const Frame *frame, int x, int y, double sky)
{
    if (frame->raster->materials[sample_at(frame, x, y)] == SNW_MATERIAL_NONE) {
        return sky_color(ray_through(frame->camera, x + 0.5, y + 0.5));
    }
    const Place place = place_of_sample(frame, x, y);
    if (sky == UNKNOWN) { sky = sky_over(frame->look, &place); }
    const Light light = light_place(frame->look, &frame->palette, &place, sky);
    const double bright = frame->look->exposure;
    const snw_Color color = { show(&frame->palette, roll_off(bright * light.r)),
        show(&frame->palette, roll_off(bright * light.g)),
        show(&frame->palette, roll_off(bright * light.b)) };
    return snw_color_mix(color, SNW_PAPER, 1.0 - kept_at(frame->look, place.distance));
}

static bool is_normal_near(uint32_t normal, uint32_t other)
{
    if (normal == other) { return true; }
    for (int part = 0; part < 30; part += 10) {
        const int a = (int)((normal >> part) & 1023u), b = (int)((other >> part) & 1023u);
        if (abs(a - b) > 40) { return false; }
    }
    return true;
}

// nothing is there, nor the sky
static bool is_empty(const Frame *frame, int x, int y)
{
    return frame->look->cut_out
        && frame->raster->materials[sample_at(frame, x, y)] == SNW_MATERIAL_NONE;
}

// edges are this wide, samples
#define EDGE_WIDTH 2
// a surface whose nearness leaps so much, against its own, stands before its neighbour
#define EDGE_STEP 0.01f

// nearness and material of what a sample shows
typedef struct Sight {
    float nearness;
    uint8_t material;
} Sight;

// outside of the picture nothing is
static Sight sight_at(const snw_Raster *raster, int x, int y)
{
    Sight sight = { 0.0f, SNW_MATERIAL_NONE };
    if (x >= 0 && y >= 0 && x < raster->width && y < raster->height) {
        const size_t at = (size_t)y * (size_t)raster->width + (size_t)x;
        sight.nearness = raster->nearness[at];
        sight.material = raster->materials[at];
    }
    return sight;
}

// how dark a sample is beside an edge that is drawn; 1 elsewhere
static double edge_at(const Frame *frame, int x, int y)
{
    static const int beside[4][2] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
    const snw_Look *look = frame->look;
    const Sight own = sight_at(frame->raster, x, y);
    const float near = own.nearness;
    if (look->edge_shade == 1.0 || !(look->cut_out || own.material == SNW_MATERIAL_GROUND)) {
        return 1.0;
    }
    for (int i = 0; i < 4; ++i) {
        const int right = EDGE_WIDTH * beside[i][0], down = EDGE_WIDTH * beside[i][1];
        const Sight to = sight_at(frame->raster, x + right, y + down);
        const Sight from = sight_at(frame->raster, x - right, y - down);
        if (!look->cut_out && to.material != SNW_MATERIAL_GROUND) { continue; }
        // a slope goes on as it came
        const float slope = from.material == own.material ? from.nearness - near : 0.0f;
        if (near - to.nearness - slope > EDGE_STEP * near) {
            // haze takes edges as well
            return 1.0 - (1.0 - look->edge_shade) * kept_at(look, 1.0 / (double)near);
        }
    }
    return 1.0;
}

// whether two samples show one smooth surface
static bool is_alike(const snw_Raster *raster, size_t a, size_t b)
{
    const uint8_t material = raster->materials[a];
    if (raster->materials[b] != material) { return false; }
    if (material == SNW_MATERIAL_NONE) { return true; }
    const float near = raster->nearness[a];
    return fabsf(raster->nearness[b] - near) <= EDGE_STEP * near
        && is_normal_near(raster->normals[b], raster->normals[a])
        && (material != SNW_MATERIAL_PAINTED || raster->colors[b] == raster->colors[a]);
}

// whether the samples of a pixel show one smooth surface without an edge beside it, so that one stands
// for all
static bool is_smooth(const Frame *frame, int x, int y)
{
    const snw_Raster *raster = frame->raster;
    const int n = frame->look->samples;
    const size_t first = sample_at(frame, x, y);
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < n; ++i) {
            if (!is_alike(raster, first, sample_at(frame, x + i, y + k))) { return false; }
        }
    }
    if (frame->look->edge_shade == 1.0) { return true; }
    const int x0 = x + n / 2, y0 = y + n / 2, away = EDGE_WIDTH + n / 2;
    const Sight own = sight_at(raster, x0, y0);
    for (int along_x = 0; along_x < 2; ++along_x) {
        const int right = along_x ? away : 0, down = along_x ? 0 : away;
        const Sight a = sight_at(raster, x0 - right, y0 - down);
        const Sight b = sight_at(raster, x0 + right, y0 + down);
        const float bend = fabsf(2.0f * own.nearness - a.nearness - b.nearness);
        if (a.material != own.material || b.material != own.material) { return false; }
        if (bend > EDGE_STEP * own.nearness) { return false; }
    }
    return true;
}

// cover: the share of the pixel that something covers, and the colour of that
static snw_Color color_of_pixel(const Frame *frame, int x, int y, double sky, double *out_cover)
{
    const int n = frame->look->samples;
    snw_Color sum = { 0.0, 0.0, 0.0 };
    *out_cover = 1.0;
    if (n == 1 || is_smooth(frame, x, y)) {
        if (!is_empty(frame, x, y)) { return color_of_sample(frame, x + n / 2, y + n / 2, sky); }
        *out_cover = 0.0;
        return sum;
    }
    int covered = 0;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < n; ++i) {
            if (is_empty(frame, x + i, y + k)) { continue; }
            const snw_Color color = color_of_sample(frame, x + i, y + k, UNKNOWN);
            const double edge = edge_at(frame, x + i, y + k);
            sum.r += edge * color.r;
            sum.g += edge * color.g;
            sum.b += edge * color.b;
            ++covered;
        }
    }
    *out_cover = (double)covered / (n * n);
    const double share = covered > 0 ? 1.0 / covered : 0.0;
    const snw_Color mean = { share * sum.r, share * sum.g, share * sum.b };
    return mean;
}

static uint32_t pack_pixel(const snw_Look *look, snw_Color color, double cover)
{
    const double full = 255.0 * cover;
    const uint32_t alpha = look->cut_out ? (uint32_t)(full + 0.5) : 0;
    return (alpha << 24) | ((uint32_t)(full * color.r + 0.5) << 16)
        | ((uint32_t)(full * color.g + 0.5) << 8) | (uint32_t)(full * color.b + 0.5);
}

static const snw_Color material_colors[SNW_MATERIAL_COUNT] = {
    [SNW_MATERIAL_GROUND] = { 0.690, 0.680, 0.650 },
    [SNW_MATERIAL_MIDDLE] = { 0.770, 0.755, 0.735 },
    [SNW_MATERIAL_LEFT] = { 0.365, 0.560, 0.740 },
    [SNW_MATERIAL_RIGHT] = { 0.870, 0.525, 0.375 },
    [SNW_MATERIAL_GOAL_LEADING] = { 0.250, 0.640, 0.330 },
    [SNW_MATERIAL_GOAL_TRAILING] = { 0.820, 0.220, 0.200 },
    [SNW_MATERIAL_PLANT] = { 0.840, 0.180, 0.200 },
    [SNW_MATERIAL_STRIPE] = { 0.560, 0.575, 0.630 },
    [SNW_MATERIAL_FIRST_STRIPE] = { 0.860, 0.400, 0.500 },
};

snw_Color snw_material_color(snw_Material material)
{
    const int branch = (int)material - SNW_MATERIAL_BRANCH;
    const snw_Color white = { 1.0, 1.0, 1.0 };
    return branch >= 0 && branch < SNW_BRANCH_COUNT ? snw_color_mix(SNW_CURVES[branch], white, 0.22)
                                                    : material_colors[material];
}

snw_Look snw_look_default(void)
{
    snw_Look look = { 0 };
    look.sun = sinew_vec3_normalize_or(sinew_vec3(0.62, 0.86, -0.30), look.sun);
    look.samples = 2;
    look.haze = 22.0;
    look.line_x = look.line_z = 1.0;
    look.edge_shade = look.exposure = 1.0;
    for (int i = 0; i < SNW_MATERIAL_COUNT; ++i) {
        look.colors[i] = snw_material_color((snw_Material)i);
    }
    return look;
}

// ---------------------------------------------------------------------------------------------
// Tiles: the sky over ground changes slowly, so where a tile is even its corners stand for it

#define TILE 4
// least that the corners of a tile may differ for its pixels to be looked at one by one
#define UNEVEN_SKY 0.04
#define UNEVEN_MIDDLE 0.015

/// A strip of pixels that one thread works on: the sky at the corners of its tiles, above and below.
typedef struct Strip {
    const Frame *frame;
    int width, height; // of the picture
    double *corners[2];
} Strip;

static double sky_of_pixel(const Strip *strip, int x, int y)
{
    const int n = strip->frame->look->samples;
    const Place place = place_of_sample(strip->frame, n * x + n / 2, n * y + n / 2);
    return sky_over(strip->frame->look, &place);
}

// whether a tile and the pixels right of it and below it show one plane of ground
static bool is_plane(const Strip *strip, int x, int y)
{
    const snw_Raster *raster = strip->frame->raster;
    const int n = strip->frame->look->samples;
    if (x + TILE >= strip->width || y + TILE >= strip->height) { return false; }
    const size_t first = sample_at(strip->frame, n * x + n / 2, n * y + n / 2);
    const size_t right = (size_t)n * TILE, down = right * (size_t)raster->width;
    const float *near = raster->nearness + first;
    const float a = near[0], across = (near[right] - a) / TILE, along = (near[down] - a) / TILE;
    const uint32_t normal = raster->normals[first];
    for (int k = 0; k <= TILE; ++k) {
        for (int i = 0; i <= TILE; ++i) {
            const size_t at = first + (size_t)(n * k) * (size_t)raster->width + (size_t)(n * i);
            if (raster->materials[at] != SNW_MATERIAL_GROUND) { return false; }
            const float plane = a + across * (float)i + along * (float)k;
            if (fabsf(raster->nearness[at] - plane) > 0.003f * a) { return false; }
            if (!is_normal_near(raster->normals[at], normal)) { return false; }
        }
    }
    return true;
}

static double corner_of(const Strip *strip, int row, int x, int y)
{
    double *corner = &strip->corners[row][x / TILE];
    if (*corner == UNKNOWN) { *corner = sky_of_pixel(strip, x, y); }
    return *corner;
}

// the sky over the pixels of a tile
static void fill_tile(const Strip *strip, int x, int y, double out_sky[TILE][TILE])
{
    for (int k = 0; k < TILE * TILE; ++k) { out_sky[k / TILE][k % TILE] = UNKNOWN; }
    if (!is_plane(strip, x, y)) { return; }
    const double a = corner_of(strip, 0, x, y), b = corner_of(strip, 0, x + TILE, y);
    const double c = corner_of(strip, 1, x, y + TILE);
    const double d = corner_of(strip, 1, x + TILE, y + TILE);
    const double low = smaller(smaller(a, b), smaller(c, d));
    const double high = larger(larger(a, b), larger(c, d));
    if (high - low > UNEVEN_SKY) { return; }
    const double middle = sky_of_pixel(strip, x + TILE / 2, y + TILE / 2);
    if (fabs(middle - 0.25 * (a + b + c + d)) > UNEVEN_MIDDLE) { return; }
    for (int k = 0; k < TILE; ++k) {
        for (int i = 0; i < TILE; ++i) {
            const double across = (double)i / TILE, along = (double)k / TILE;
            const double above = a + across * (b - a), below = c + across * (d - c);
            out_sky[k][i] = above + along * (below - above);
        }
    }
}

static void shade_tile(const Strip *strip, int x, int y, unsigned char *pixels, int stride)
{
    double sky[TILE][TILE];
    fill_tile(strip, x, y, sky);
    const int n = strip->frame->look->samples;
    for (int k = 0; k < TILE && y + k < strip->height; ++k) {
        uint32_t *row = (uint32_t *)(void *)(pixels + (size_t)(y + k) * (size_t)stride);
        for (int i = 0; i < TILE && x + i < strip->width; ++i) {
            double cover;
            const snw_Color color = color_of_pixel(
                strip->frame, n * (x + i), n * (y + k), sky[k][i], &cover);
            row[x + i] = pack_pixel(strip->frame->look, color, cover);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Threads: each takes the next strip that nobody has taken

#define STRIP_ROWS (8 * TILE)
#define MOST_THREADS 16

/// A picture that threads work on.
typedef struct Shading {
    Frame frame;
    int width, height, stride;
    unsigned char *pixels;
    atomic_int next_row;
} Shading;

static void shade_strip(Strip *strip, int first_row, unsigned char *pixels, int stride)
{
    const int columns = strip->width / TILE + 2;
    for (int i = 0; i < columns; ++i) { strip->corners[1][i] = UNKNOWN; }
    for (int y = first_row; y < first_row + STRIP_ROWS && y < strip->height; y += TILE) {
        double *above = strip->corners[1];
        strip->corners[1] = strip->corners[0];
        strip->corners[0] = above;
        for (int i = 0; i < columns; ++i) { strip->corners[1][i] = UNKNOWN; }
        for (int x = 0; x < strip->width; x += TILE) { shade_tile(strip, x, y, pixels, stride); }
    }
}

static void *shade_strips(void *user)
{
    Shading *shading = user;
    const size_t columns = (size_t)shading->width / TILE + 2;
    double *corners = malloc(2 * columns * sizeof *corners);
    if (!corners) { return NULL; }
    Strip strip = { &shading->frame, shading->width, shading->height,
        { corners, corners + columns } };
    for (;;) {
        const int row = atomic_fetch_add(&shading->next_row, STRIP_ROWS);
        if (row >= shading->height) { break; }
        shade_strip(&strip, row, shading->pixels, shading->stride);
    }
    free(corners);
    return shading;
}

bool snw_shade(const snw_Raster *raster, const snw_Camera *camera, const snw_Look *look,
    unsigned char *out_pixels, int stride)
{
    Shading shading = { .frame = { .raster = raster, .camera = camera, .look = look },
        .width = raster->width / look->samples,
        .height = raster->height / look->samples,
        .stride = stride,
        .pixels = out_pixels };
    fill_palette(look, &shading.frame.palette);
    atomic_init(&shading.next_row, 0);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors > MOST_THREADS) { processors = MOST_THREADS; }
    pthread_t threads[MOST_THREADS];
    int count = 0;
    while (count + 1 < processors
        && pthread_create(&threads[count], NULL, shade_strips, &shading) == 0) {
        ++count;
    }
    // a thread without memory leaves its part to the others
    const bool is_done = shade_strips(&shading) != NULL;
    for (int i = 0; i < count; ++i) { pthread_join(threads[i], NULL); }
    return is_done;
}

// ---------------------------------------------------------------------------------------------
// Without shadows and lines

void snw_shade_plain(
    const snw_Raster *raster, const snw_Look *look, unsigned char *out_pixels, int stride)
{
    Palette palette;
    fill_palette(look, &palette);
    float colors[SNW_MATERIAL_COUNT][3];
    for (int i = 0; i < SNW_MATERIAL_COUNT; ++i) {
        colors[i][0] = (float)palette.colors[i].r;
        colors[i][1] = (float)palette.colors[i].g;
        colors[i][2] = (float)palette.colors[i].b;
    }
    const float sun[3] = { (float)look->sun.x, (float)look->sun.y, (float)look->sun.z };
    const float sun_light[3] = { (float)SUN_LIGHT.r, (float)SUN_LIGHT.g, (float)SUN_LIGHT.b };
    const float sky_light[3] = { (float)SKY_LIGHT.r, (float)SKY_LIGHT.g, (float)SKY_LIGHT.b };
    const float paper[3] = { (float)SNW_PAPER.r, (float)SNW_PAPER.g, (float)SNW_PAPER.b };
    const float per_haze = (float)(1.0 / look->haze);
    for (int y = 0; y < raster->height; ++y) {
        uint32_t *row = (uint32_t *)(void *)(out_pixels + (size_t)y * (size_t)stride);
        const size_t first = (size_t)y * (size_t)raster->width;
        for (int x = 0; x < raster->width; ++x) {
            const size_t at = first + (size_t)x;
            float rgb[3] = { paper[0], paper[1], paper[2] };
            if (raster->materials[at] != SNW_MATERIAL_NONE) {
                const uint32_t n = raster->normals[at];
                const float step = 1.0f / 511.0f;
                const float nx = (float)(n & 1023u) * step - 1.0f;
                const float ny = (float)((n >> 10) & 1023u) * step - 1.0f;
                const float nz = (float)((n >> 20) & 1023u) * step - 1.0f;
                float lit = nx * sun[0] + ny * sun[1] + nz * sun[2];
                lit = lit > 0.0f ? lit : 0.0f;
                const float up = 0.5f + 0.5f * ny;
                const float far = per_haze / raster->nearness[at];
                const float clear = 1.0f / (1.0f + far * far * (1.0f + 0.5f * far * far));
                float painted[3];
                const float *color = painted;
                if (raster->materials[at] != SNW_MATERIAL_PAINTED) {
                    color = colors[raster->materials[at]];
                } else {
                    const Light own = light_of(unpack_color(raster->colors[at]));
                    painted[0] = (float)own.r;
                    painted[1] = (float)own.g;
                    painted[2] = (float)own.b;
                }
                for (int c = 0; c < 3; ++c) {
                    float light = color[c] * (sun_light[c] * lit + sky_light[c] * up);
                    light = light < 1.0f ? light : 1.0f;
                    const float shown = palette.shown[(int)(light * 1023.0f)];
                    rgb[c] = paper[c] + clear * (shown - paper[c]);
                }
            }
            row[x] = ((uint32_t)(255.0f * rgb[0] + 0.5f) << 16)
                | ((uint32_t)(255.0f * rgb[1] + 0.5f) << 8) | (uint32_t)(255.0f * rgb[2] + 0.5f);
        }
    }
}
