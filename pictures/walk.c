// Walks over ground: contact sheets and films of solid characters in the light.

#include "pictures/encoder.h"
#include "pictures/footfalls.h"
#include "pictures/plot.h"
#include "pictures/stage.h"
#include "pictures/world.h"

#include "base/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FIGURES 24
// sides of the square of samples of a pixel
#define SHEET_SAMPLES 3
#define FILM_SAMPLES 2
// a sheet is one scene when the way is this many times the size of the body
#define LONG_WAY 1.6
// how far from its figures a camera stands, against the radius of what it sees
#define SCENE_DISTANCE 2.7
#define FIGURE_DISTANCE 4.2
// the sun stands beside the camera, on the side that the figure goes to, radians: faces are lit,
// risers of steps that go up are not
#define SUN_AROUND 0.72
#define SUN_RISE 0.74
// a way that rises more than this is seen from behind
#define CLIMB 0.12

picture_Walk picture_walk_default(void)
{
    picture_Walk walk = { 0 };
    return walk;
}

typedef struct Show {
    const picture_Walk *walk;
    snw_Stage stage;
    snw_World world;
    snw_Footfalls footfalls;
    double strip_half_width, strip_x; ///< of stairs that are drawn no wider than this, or 0
    int width, height;
    // films
    sinew_Vec3 *aims; ///< where the camera looks, at each sample of the stage
    double *rises;    ///< and its slant
} Show;

static double ground_at(const Show *show, double x, double z)
{
    if (!show->walk->terrain) { return show->stage.floor; }
    if (show->strip_half_width > 0.0 && fabs(x - show->strip_x) > show->strip_half_width) {
        return 0.0;
    }
    return sinew_terrain_sample(show->walk->terrain, x, z).height;
}

// ---------------------------------------------------------------------------------------------
// Cameras

static sinew_Vec3 tilt(sinew_Vec3 toward, double rise)
{
    const sinew_Vec3 flat = sinew_vec3_normalize_or(
        sinew_vec3(toward.x, 0.0, toward.z), sinew_vec3(0.0, 0.0, 1.0));
    return sinew_vec3(flat.x * cos(rise), sin(rise), flat.z * cos(rise));
}

static bool is_clear(const Show *show, sinew_Vec3 from, sinew_Vec3 to)
{
    for (int i = 0; i < 40; ++i) {
        const sinew_Vec3 p = sinew_vec3_lerp(from, to, i / 40.0);
        // the eye itself stands well above the ground
        const double above = 0.35 * (1.0 - i / 40.0) + 0.02;
        if (p.y < ground_at(show, p.x, p.z) + above) { return false; }
    }
    return true;
}

// the least slant, from what was wished on, at which the ground does not hide the points
static double find_rise(
    const Show *show, const sinew_Vec3 *points, int count, sinew_Vec3 center, double distance)
{
    double rise = asin(fmin(fmax(show->stage.toward.y, -0.99), 0.99));
    for (; rise < 0.9; rise += 0.04) {
        const sinew_Vec3 eye = sinew_vec3_add_scaled(
            center, tilt(show->stage.toward, rise), distance);
        bool clear = true;
        for (int i = 0; i < count && clear; ++i) { clear = is_clear(show, eye, points[i]); }
        if (clear) { return rise; }
    }
    // hidden from everywhere, as a figure in the ground is
    return asin(fmin(fmax(show->stage.toward.y, -0.99), 0.99));
}

// From the side and a little from the front; from behind on a way that climbs, whose steps would
// hide the feet and show no risers.
static void choose_side(Show *show)
{
    snw_Stage *stage = &show->stage;
    const size_t last = (size_t)(stage->sample_count - 1) * (size_t)stage->body.joint_count;
    const double climb = stage->samples[last + (size_t)stage->anchor].y
        - stage->samples[stage->anchor].y;
    const double way = sinew_vec3_length(stage->travel);
    if (!(climb > CLIMB * way) || !(way > 0.0)) { return; }
    const sinew_Vec3 ahead = sinew_vec3_scale(stage->travel, 1.0 / way);
    stage->toward = sinew_vec3_add_scaled(
        stage->toward, ahead, -2.0 * sinew_vec3_dot(stage->toward, ahead));
}

// ---------------------------------------------------------------------------------------------
// Scenes

static sinew_Vec3 normal_at(const Show *show, sinew_Vec3 p)
{
    if (!show->walk->terrain) { return sinew_vec3(0.0, 1.0, 0.0); }
    return sinew_terrain_sample(show->walk->terrain, p.x, p.z).normal;
}

static void draw_marks(Show *show, double frame)
{
    const snw_Footfalls *falls = &show->footfalls;
    if (!falls->points) { return; }
    const int f = (int)(frame + 0.5);
    const snw_FootPoint *now = &falls->points[4 * f];
    const double size = 0.09 * show->stage.body.size / 1.75;
    const sinew_Vec3 heading = snw_body_facing(&show->stage.body, show->stage.positions);
    for (int p = 0; p < 4 && show->walk->plants; ++p) {
        if (!now[p].planted) { continue; }
        snw_world_draw_triangle(&show->world, now[p].place, normal_at(show, now[p].place), heading,
            1.5 * size, SNW_MATERIAL_PLANT);
    }
    for (int s = 0; s < 2 && show->walk->goals; ++s) {
        const bool swings = !now[2 * s].planted && !now[2 * s + 1].planted;
        const snw_FootPoint *landing = swings ? snw_footfalls_next(falls, f, 2 * s) : NULL;
        if (landing) {
            snw_world_draw_pyramid(&show->world, landing->place, size, SNW_MATERIAL_GOAL_LEADING);
        }
        if (!swings && !now[2 * s].planted) {
            snw_world_draw_pyramid(
                &show->world, now[2 * s + 1].place, size, SNW_MATERIAL_GOAL_TRAILING);
        }
    }
}

// ground and figures at these frames, in the light
static bool draw_world(Show *show, const snw_Camera *camera, const double *frames, int count,
    unsigned char *pixels, int stride)
{
    snw_World *world = &show->world;
    snw_world_begin(world, camera);
    snw_stage_set(&show->stage, frames[count / 2]);
    const sinew_Vec3 middle = show->stage.positions[show->stage.anchor];
    const double distance = sinew_vec3_distance(camera->eye, middle);
    world->look.haze = 1.9 * distance + 12.0;
    const double reach = 2.4 * world->look.haze;
    const double right = sinew_vec3_dot(camera->right, show->stage.travel);
    snw_world_light_from(
        world, show->stage.toward, right >= 0.0 ? -SUN_AROUND : SUN_AROUND, SUN_RISE);
    world->strip_reach = fmin(0.5 * distance + 3.0, 14.0);
    snw_world_draw_land(world, middle, reach, false);
    for (int i = 0; i < count; ++i) {
        snw_stage_set(&show->stage, frames[i]);
        snw_world_draw_figure(world, snw_stage_character(&show->stage));
        draw_marks(show, frames[i]);
    }
    return snw_world_finish(world, pixels, stride);
}

// ---------------------------------------------------------------------------------------------
// Sheets

static double way_of(const Show *show)
{
    const snw_Stage *stage = &show->stage;
    double way = 0.0;
    for (int s = 1; s < stage->sample_count; ++s) {
        const size_t joints = (size_t)stage->body.joint_count, anchor = (size_t)stage->anchor;
        const sinew_Vec3 d = sinew_vec3_sub(stage->samples[(size_t)s * joints + anchor],
            stage->samples[(size_t)(s - 1) * joints + anchor]);
        way += sqrt(d.x * d.x + d.z * d.z);
    }
    return way;
}

// from one figure to the next on its way so that both can be told apart: people stand up, animals are
// as long as they reach
static double spacing_of(Show *show)
{
    const snw_Stage *stage = &show->stage;
    snw_stage_set(&show->stage, 0.0);
    const sinew_Vec3 center = stage->positions[stage->anchor];
    double reach = 0.0;
    // a root may be left behind
    for (int j = stage->anchor; j < stage->body.joint_count; ++j) {
        if (stage->body.stray[j]) { continue; }
        const double x = stage->positions[j].x - center.x, z = stage->positions[j].z - center.z;
        reach = fmax(reach, sqrt(x * x + z * z));
    }
    return fmax(0.55 * stage->body.size, 2.2 * reach);
}

static sinew_Status paint(cairo_t *cr, Show *show, const snw_Camera *camera, const double *frames,
    int count, snw_Rect rect)
{
    const int width = (int)rect.width, height = (int)rect.height;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS
        && draw_world(show, camera, frames, count, cairo_image_surface_get_data(surface),
            cairo_image_surface_get_stride(surface))) {
        cairo_surface_mark_dirty(surface);
        cairo_set_source_surface(cr, surface, rect.x, rect.y);
        cairo_paint(cr);
        status = SINEW_STATUS_OK;
    }
    cairo_surface_destroy(surface);
    return status;
}

// points of the figures in their frames, and what must not be hidden
typedef struct Cast {
    sinew_Vec3 *points, *roots;
    int point_count, root_count;
} Cast;

static bool take_cast(Show *show, const double *frames, int count, Cast *cast)
{
    snw_Stage *stage = &show->stage;
    const size_t each = (size_t)stage->point_count;
    cast->points = malloc((size_t)count * each * sizeof *cast->points);
    cast->roots = malloc((size_t)count * 2 * sizeof *cast->roots);
    cast->point_count = count * stage->point_count;
    cast->root_count = 0;
    if (!cast->points || !cast->roots) { return false; }
    for (int i = 0; i < count; ++i) {
        snw_stage_set(stage, frames[i]);
        const sinew_Vec3 *points = snw_stage_points(stage);
        memcpy(cast->points + (size_t)i * each, points, each * sizeof *points);
        double low = INFINITY;
        for (size_t k = 0; k < each; ++k) { low = fmin(low, points[k].y); }
        sinew_Vec3 root = stage->positions[stage->anchor];
        cast->roots[cast->root_count++] = root;
        // feet as well, a hand's breadth above the ground
        root.y = low + 0.12;
        cast->roots[cast->root_count++] = root;
    }
    return true;
}

static void free_cast(Cast *cast)
{
    free(cast->points);
    free(cast->roots);
}

// the ball around a cast
typedef struct Ball {
    sinew_Vec3 center;
    double radius;
} Ball;

static Ball ball_around(const Show *show, const Cast *cast)
{
    sinew_Vec3 low = cast->points[0], high = cast->points[0];
    for (int i = 1; i < cast->point_count; ++i) {
        const sinew_Vec3 p = cast->points[i];
        low = sinew_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = sinew_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return (Ball){ sinew_vec3_lerp(low, high, 0.5),
        fmax(0.5 * sinew_vec3_distance(low, high), 0.5 * show->stage.body.size) };
}

// the slant at which a camera, so many radii away, sees a cast whole
static double rise_over(const Show *show, const Cast *cast, double times)
{
    const Ball ball = ball_around(show, cast);
    return find_rise(show, cast->roots, cast->root_count, ball.center, times * ball.radius);
}

// a camera that sees a cast whole inside a rectangle of the page
static snw_Camera look_at_cast(
    const Show *show, const Cast *cast, double rise, double times, snw_Rect rect)
{
    const Ball ball = ball_around(show, cast);
    snw_Camera camera = snw_camera_look(
        ball.center, tilt(show->stage.toward, rise), times * ball.radius);
    snw_camera_fit(&camera, cast->points, cast->point_count, snw_stage_margin(&show->stage), rect);
    return camera;
}

static sinew_Status draw_scene(cairo_t *cr, Show *show, const double *frames, int count)
{
    Cast cast;
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    if (take_cast(show, frames, count, &cast)) {
        const double w = show->width, h = show->height;
        const bool titled = show->walk->title || show->walk->subtitle;
        const snw_Rect inner = { 0.05 * w, (titled ? 0.20 : 0.12) * h, 0.90 * w,
            (titled ? 0.68 : 0.76) * h };
        const double rise = rise_over(show, &cast, SCENE_DISTANCE);
        const snw_Camera camera = look_at_cast(show, &cast, rise, SCENE_DISTANCE, inner);
        const snw_Rect page = { 0.0, 0.0, w, h };
        status = paint(cr, show, &camera, frames, count, page);
    }
    free_cast(&cast);
    return status;
}

// all figures from one slant, as low as the ground lets it be: one that changes from cell to cell looks like a jump
static bool find_common_rise(Show *show, const double *frames, int count, double *out_rise)
{
    bool is_taken = true;
    *out_rise = -INFINITY;
    for (int i = 0; i < count && is_taken; ++i) {
        Cast cast;
        is_taken = take_cast(show, &frames[i], 1, &cast);
        if (is_taken) { *out_rise = fmax(*out_rise, rise_over(show, &cast, FIGURE_DISTANCE)); }
        free_cast(&cast);
    }
    return is_taken;
}

static sinew_Status draw_cells(
    cairo_t *cr, Show *show, const double *frames, int count, int columns, double top)
{
    const int samples = show->world.look.samples;
    const double width = (double)show->world.raster.width / samples;
    const double height = (double)show->world.raster.height / samples;
    double rise;
    if (!find_common_rise(show, frames, count, &rise)) { return SINEW_STATUS_OUT_OF_MEMORY; }
    sinew_Status status = SINEW_STATUS_OK;
    for (int i = 0; i < count && status == SINEW_STATUS_OK; ++i) {
        Cast cast;
        status = SINEW_STATUS_OUT_OF_MEMORY;
        if (take_cast(show, &frames[i], 1, &cast)) {
            const snw_Rect inner = { 0.10 * width, 0.14 * height, 0.80 * width, 0.72 * height };
            const snw_Camera camera = look_at_cast(show, &cast, rise, FIGURE_DISTANCE, inner);
            const int column = i % columns, row = i / columns;
            const snw_Rect page = { floor(column * width), floor(top + row * height), width,
                height };
            status = paint(cr, show, &camera, &frames[i], 1, page);
            char time[48];
            const char *const *captions = show->walk->captions;
            const char *text = captions && captions[i] ? captions[i] : time;
            snprintf(
                time, sizeof time, "%.2f s", frames[i] * sinew_clip_frame_time(show->walk->clip));
            snw_color_set(cr, SNW_QUIET, 1.0);
            snw_text_draw(cr, page.x + 0.5 * width, page.y + height - 12.0, 13.0, false,
                SNW_ALIGN_CENTER, 0.0, text);
        }
        free_cast(&cast);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Films

// a mean over so many samples to both sides, fewer at the ends
static sinew_Vec3 mean_aim(const sinew_Vec3 *from, int count, int at, int reach)
{
    int half = reach < at ? reach : at;
    if (half > count - 1 - at) { half = count - 1 - at; }
    sinew_Vec3 sum = { 0.0, 0.0, 0.0 };
    for (int k = at - half; k <= at + half; ++k) { sum = sinew_vec3_add(sum, from[k]); }
    return sinew_vec3_scale(sum, 1.0 / (2 * half + 1));
}

static double film_distance(const Show *show)
{
    return 2.9 * show->stage.body.size;
}

// where the camera looks, smoothly, and how steeply, so that no hill comes between
static bool prepare_aims(Show *show)
{
    const snw_Stage *stage = &show->stage;
    const int count = stage->sample_count;
    show->aims = malloc((size_t)count * sizeof *show->aims);
    show->rises = malloc((size_t)count * sizeof *show->rises);
    sinew_Vec3 *places = malloc((size_t)count * sizeof *places);
    double *least = malloc((size_t)count * sizeof *least);
    const bool ready = show->aims && show->rises && places && least;
    const double second = (count - 1) / fmax(sinew_clip_duration(show->walk->clip), 1e-9);
    const int reach = (int)fmin(0.6 * second, count);
    for (int s = 0; s < count && ready; ++s) {
        places[s] =
            stage->samples[(size_t)s * (size_t)stage->body.joint_count + (size_t)stage->anchor];
    }
    for (int s = 0; s < count && ready; ++s) {
        show->aims[s] = mean_aim(places, count, s, reach);
        const double distance = film_distance(show);
        sinew_Vec3 seen[2] = { places[s], places[s] };
        seen[1].y -= 0.3 * stage->body.size;
        least[s] = find_rise(show, seen, 2, show->aims[s], distance);
    }
    for (int s = 0; s < count && ready; ++s) {
        double sum = 0.0, weights = 0.0;
        for (int k = s - reach > 0 ? s - reach : 0; k < count && k <= s + reach; ++k) {
            // the largest around, then smoothed: never below what is needed
            double most = 0.0;
            const int around = reach > 8 ? 8 : reach;
            for (int m = k - around > 0 ? k - around : 0; m < count && m <= k + around; ++m) {
                most = fmax(most, least[m]);
            }
            sum += most;
            weights += 1.0;
        }
        show->rises[s] = sum / weights;
    }
    free(places);
    free(least);
    return ready;
}

static sinew_Status draw_moment(void *user, double frame, cairo_surface_t *surface)
{
    Show *show = user;
    const snw_Stage *stage = &show->stage;
    const snw_Between at = snw_stage_between(stage, frame);
    const sinew_Vec3 aim = sinew_vec3_lerp(show->aims[at.before], show->aims[at.after], at.part);
    const double rise = show->rises[at.before]
        + at.part * (show->rises[at.after] - show->rises[at.before]);
    snw_Camera camera = snw_camera_look(aim, tilt(stage->toward, rise), film_distance(show));
    camera.focal = 0.60 * show->height * film_distance(show) / stage->body.size;
    camera.center_x = 0.5 * show->width;
    camera.center_y = 0.50 * show->height;
    const bool drawn = draw_world(show, &camera, &frame, 1, cairo_image_surface_get_data(surface),
        cairo_image_surface_get_stride(surface));
    cairo_surface_mark_dirty(surface);
    return drawn ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Walks

static sinew_Status check_walk(
    const picture_Walk *walk, const char *path, bool film, sinew_Message *out_message)
{
    if (!walk || !walk->clip || !path) {
        return snw_fail(
            out_message, SINEW_STATUS_INVALID_ARGUMENT, "a walk needs a clip and a path");
    }
    if (sinew_clip_frame_count(walk->clip) < 1) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT, "the clip has no frames");
    }
    if (walk->figure_count < 0 || walk->figure_count > MOST_FIGURES) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
            "figure_count is %d, want 1 to %d, or 0", walk->figure_count, MOST_FIGURES);
    }
    const sinew_Status status = snw_film_check(
        film ? path : NULL, walk->frames_per_second, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (!film && !snw_path_ends(path, ".png") && !snw_path_ends(path, ".svg")
        && !snw_path_ends(path, ".pdf")) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "%s: found an unknown ending, expected .png, .svg, .pdf, .mp4 or .gif", path);
    }
    return SINEW_STATUS_OK;
}

// stairs that a straight way keeps to are drawn as a thing of this width against the body's size
#define STRIP_WIDTH 0.5

static bool find_strip(Show *show)
{
    const snw_Stage *stage = &show->stage;
    bool can;
    if (!snw_land_can_strip(show->walk->terrain, &can)) { return false; }
    double low = INFINITY, high = -INFINITY;
    for (int s = 0; s < stage->sample_count; ++s) {
        const size_t joints = (size_t)stage->body.joint_count, first = (size_t)s * joints;
        for (int j = stage->anchor; j < stage->body.joint_count; ++j) {
            const double x = stage->samples[first + (size_t)j].x;
            low = fmin(low, x);
            high = fmax(high, x);
        }
    }
    if (can && high - low < 1.4 * STRIP_WIDTH * stage->body.size) {
        show->strip_x = 0.5 * (low + high);
        show->strip_half_width = STRIP_WIDTH * stage->body.size;
    }
    return true;
}

// stage and size; the world is made by who knows its pixels
static sinew_Status open_show(
    const picture_Walk *walk, bool film, Show *show, sinew_Message *out_message)
{
    memset(show, 0, sizeof *show);
    show->walk = walk;
    show->width = walk->width > 0 ? walk->width : film ? 960 : 1600;
    show->height = walk->height > 0 ? walk->height : film ? 540 : 760;
    if (film) {
        show->width -= show->width % 2;
        show->height -= show->height % 2;
    }
    sinew_Status status = snw_size_check(show->width, show->height, 64, 4096, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_StageDef def = { 0 };
    def.skeleton = sinew_clip_skeleton(walk->clip);
    def.clip = walk->clip;
    def.view.toward_camera = walk->toward_camera;
    def.view.from_figure = walk->from_figure;
    def.view.up = walk->up;
    def.view.floor = PICTURE_FLOOR_ON;
    def.from_side = true;
    def.form = walk->stick ? SNW_FORM_STICK : SNW_FORM_SOLID;
    def.skin = walk->skin;
    status = snw_stage_create(&def, &show->stage, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    const bool ready = (walk->terrain == NULL || find_strip(show))
        && (!(walk->goals || walk->plants)
            || snw_footfalls_find(walk->clip, show->stage.body.upright, walk->terrain,
                show->stage.floor, &show->footfalls));
    const bool told = sinew_vec3_length(walk->toward_camera) > 0.0;
    if (ready && walk->terrain && show->strip_half_width == 0.0 && !told) { choose_side(show); }
    if (!ready) {
        status = snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory for the picture");
    }
    return status;
}

static bool open_world(Show *show, int width, int height, int samples, int shadows, bool quick)
{
    snw_WorldDef def = { 0 };
    def.terrain = show->walk->terrain;
    def.level = show->stage.floor;
    def.strip_half_width = show->strip_half_width;
    def.strip_x = show->strip_x;
    def.width = width;
    def.height = height;
    def.samples = samples;
    def.shadow_count = shadows;
    def.quick = quick;
    return snw_world_create(&def, &show->world);
}

static void close_show(Show *show)
{
    snw_world_destroy(&show->world);
    snw_footfalls_destroy(&show->footfalls);
    snw_stage_destroy(&show->stage);
    free(show->aims);
    free(show->rises);
}

static sinew_Status write_sheet(Show *show, const char *path, sinew_Message *out_message)
{
    const picture_Walk *walk = show->walk;
    const double way = way_of(show), size = show->stage.body.size;
    const bool scene = walk->layout == PICTURE_LAYOUT_PATH
        || (walk->layout == PICTURE_LAYOUT_AUTO
            && sinew_vec3_length(show->stage.travel) > LONG_WAY * size);
    int count = walk->figure_count;
    if (count == 0) { count = scene ? (int)fmin(fmax(way / spacing_of(show), 3.0), 9.0) : 8; }
    if (count > show->stage.frame_count) { count = show->stage.frame_count; }
    double frames[MOST_FIGURES];
    snw_stage_choose_frames(&show->stage, count, frames);

    // cells are upright
    const double top = walk->title || walk->subtitle ? fmin(96.0, 0.2 * show->height) : 0.0;
    int rows = count > 5 ? 2 : 1;
    if (count > 14) { rows = 3; }
    const int columns = (count + rows - 1) / rows;
    const int width = scene ? show->width : show->width / columns;
    const int height = scene ? show->height : (int)((show->height - top) / rows);
    if (!open_world(show, width > 0 ? width : 1, height > 0 ? height : 1, SHEET_SAMPLES,
            scene ? count : 1, false)) {
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory for the picture");
    }
    snw_Canvas *canvas;
    sinew_Status status = snw_canvas_open(path, show->width, show->height, &canvas, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    cairo_t *cr = snw_canvas_cairo(canvas);
    status = scene ? draw_scene(cr, show, frames, count)
                   : draw_cells(cr, show, frames, count, columns, top);
    const double unit = fmin(show->width / 1600.0, show->height / 760.0);
    const double limit = show->width - 72.0 * unit;
    snw_titles_draw(
        cr, 36.0 * unit, 50.0 * unit, 26.0 * unit, walk->title, limit, walk->subtitle, limit);
    return snw_canvas_finish(canvas, status, out_message);
}

static sinew_Status write_film(Show *show, const char *path, sinew_Message *out_message)
{
    const picture_Walk *walk = show->walk;
    if (!open_world(show, show->width, show->height, FILM_SAMPLES, 1, !walk->fine)
        || !prepare_aims(show)) {
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory for the film");
    }
    const snw_FilmDef def = { path, walk->clip, show->width, show->height, walk->frames_per_second,
        walk->title, draw_moment, show, walk->progress, walk->progress_user };
    return snw_film_make(&def, out_message);
}

sinew_Status picture_walk_write(
    const picture_Walk *walk, const char *path, sinew_Message *out_message)
{
    const bool film = path != NULL && (snw_path_ends(path, ".mp4") || snw_path_ends(path, ".gif"));
    sinew_Status status = check_walk(walk, path, film, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    Show show;
    status = open_show(walk, film, &show, out_message);
    if (status == SINEW_STATUS_OK) {
        status = film ? write_film(&show, path, out_message)
                      : write_sheet(&show, path, out_message);
    }
    close_show(&show);
    return status;
}
