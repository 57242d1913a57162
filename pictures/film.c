#include "pictures/encoder.h"
#include "pictures/plot.h"
#include "pictures/stage.h"

#include "base/message.h"

#include <math.h>
#include <stdlib.h>

// samples of the motion that are looked at for the size of the picture
#define MOST_MEASURED 200

picture_Film picture_film_default(void)
{
    picture_Film film = { 0 };
    film.trail_count = -1;
    film.width = 960;
    film.height = 540;
    return film;
}

// ---------------------------------------------------------------------------------------------
// Pictures of the film

// Place of the camera's aim at each sample: the figure's, smoothed, or one for all.
typedef struct Follow {
    bool moves;
    sinew_Vec3 *aims;
    double radius;
    snw_Camera camera;
} Follow;

static sinew_Vec3 anchor_of(const snw_Stage *stage, int sample)
{
    return stage->samples[(size_t)sample * (size_t)stage->body.joint_count + (size_t)stage->anchor];
}

static bool prepare_follow(snw_Stage *stage, const picture_Film *film, Follow *follow)
{
    // some of the samples tell how far the figure reaches
    const int samples = stage->sample_count, step = samples / MOST_MEASURED + 1;
    const size_t each = (size_t)stage->point_count,
                 measured = ((size_t)samples - 1) / (size_t)step + 1;
    follow->aims = malloc((size_t)samples * sizeof *follow->aims);
    sinew_Vec3 *points = malloc(measured * each * sizeof *points);
    if (!follow->aims || !points) {
        free(points);
        return false;
    }

    // a figure that goes far is followed over the floor, smoothly: a mean over about a second
    sinew_Vec3 low = anchor_of(stage, 0), high = low;
    for (int s = 0; s < samples; ++s) {
        sinew_Vec3 p = anchor_of(stage, s);
        low = sinew_vec3(fmin(low.x, p.x), 0.0, fmin(low.z, p.z));
        high = sinew_vec3(fmax(high.x, p.x), 0.0, fmax(high.z, p.z));
    }
    low.y = high.y = 0.0;
    follow->moves = sinew_vec3_distance(low, high) > 1.2 * stage->body.size;
    double per_second = (samples - 1) / fmax(sinew_clip_duration(film->clip), 1e-9);
    int reach = (int)fmin(0.7 * per_second, samples);
    for (int s = 0; s < samples; ++s) {
        sinew_Vec3 sum = sinew_vec3_lerp(low, high, 0.5);
        int count = 1;
        if (follow->moves) {
            // fewer at the ends, so that the mean stays in the middle
            int half = reach;
            if (half > s) { half = s; }
            if (half > samples - 1 - s) { half = samples - 1 - s; }
            sum = sinew_vec3(0.0, 0.0, 0.0);
            for (int k = s - half; k <= s + half; ++k) {
                sum = sinew_vec3_add(sum, anchor_of(stage, k));
            }
            count = 2 * half + 1;
        }
        follow->aims[s] = sinew_vec3_scale(sum, 1.0 / count);
        follow->aims[s].y = 0.0;
    }

    sinew_Vec3 middle = { 0.0, 0.0, 0.0 };
    size_t used = 0;
    for (int s = 0; s < samples; s += step) {
        snw_stage_set(stage, stage->sample_frames[s]);
        const sinew_Vec3 *own = snw_stage_points(stage);
        for (size_t k = 0; k < each; ++k) {
            points[used] = sinew_vec3_sub(own[k], follow->aims[s]);
            middle = sinew_vec3_add(middle, points[used++]);
        }
    }
    middle = sinew_vec3_scale(middle, 1.0 / (double)used);
    double radius = 0.5 * stage->body.size;
    for (size_t i = 0; i < used; ++i) {
        radius = fmax(radius, sinew_vec3_distance(points[i], middle));
    }
    follow->radius = radius;
    follow->camera = snw_camera_look(middle, stage->toward, 4.5 * radius);
    double high_pixels = film->height;
    snw_Rect rect = { 0.07 * film->width, 0.11 * high_pixels, 0.86 * film->width,
        0.76 * high_pixels };
    snw_camera_fit(&follow->camera, points, (int)used, snw_stage_margin(stage), rect);
    free(points);
    return true;
}

// a film being drawn
typedef struct Reel {
    const picture_Film *film;
    snw_Stage *stage;
    Follow follow;
} Reel;

static sinew_Status draw_moment(void *user, double frame, cairo_surface_t *surface)
{
    Reel *reel = user;
    const picture_Film *film = reel->film;
    snw_Stage *stage = reel->stage;
    cairo_t *cr = cairo_create(surface);
    snw_color_set(cr, SNW_PAPER, 1.0);
    cairo_paint(cr);

    const snw_Between at = snw_stage_between(stage, frame);
    const Follow *follow = &reel->follow;
    sinew_Vec3 aim = sinew_vec3_lerp(follow->aims[at.before], follow->aims[at.after], at.part);
    snw_Camera camera = follow->camera;
    camera.eye = sinew_vec3_add(camera.eye, aim);

    snw_stage_set(stage, frame);
    if (stage->has_floor) {
        sinew_Vec3 center = { aim.x, stage->floor, aim.z };
        double half = 1.7 * follow->radius + 0.5 * stage->body.size;
        snw_floor_draw(cr, &camera, center, half, half, snw_floor_step(stage->body.size));
        snw_stage_draw_shadow(cr, &camera, stage);
    } else {
        snw_floor_draw_backdrop(
            cr, 0.5 * film->width, 0.5 * film->height, 0.62 * fmin(film->width, film->height));
    }
    double unit = fmin(film->width / 960.0, film->height / 540.0);
    double second = 1.0 / sinew_clip_frame_time(film->clip);
    snw_stage_draw_trails(cr, &camera, stage, frame - second, frame, 2.2 * unit, 0.03);
    sinew_Status status = snw_stage_draw_figure(cr, &camera, stage, 0.0);
    if (status == SINEW_STATUS_OK && cairo_status(cr) != CAIRO_STATUS_SUCCESS) {
        status = SINEW_STATUS_OUT_OF_MEMORY;
    }
    cairo_destroy(cr);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Film

static sinew_Status encode(
    const picture_Film *film, snw_Stage *stage, const char *path, sinew_Message *out_message)
{
    Reel reel = { film, stage, { 0 } };
    snw_FilmDef def = { path, film->clip, film->width, film->height, film->frames_per_second,
        film->title, draw_moment, &reel, film->progress, film->progress_user };
    sinew_Status status = prepare_follow(stage, film, &reel.follow)
        ? snw_film_make(&def, out_message)
        : snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "%s: no memory for the film", path);
    free(reel.follow.aims);
    return status;
}

sinew_Status picture_film_write(
    const picture_Film *film, const char *path, sinew_Message *out_message)
{
    if (!film || !film->clip || !path) {
        return snw_fail(
            out_message, SINEW_STATUS_INVALID_ARGUMENT, "a film needs a clip and a path");
    }
    sinew_Status status = snw_film_check(path, film->frames_per_second, out_message);
    if (status == SINEW_STATUS_OK) {
        status = snw_size_check(film->width, film->height, 64, 4096, out_message);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    // the encoder wants even sizes
    picture_Film even = *film;
    even.width -= even.width % 2;
    even.height -= even.height % 2;

    snw_StageDef def = { 0 };
    def.skeleton = sinew_clip_skeleton(film->clip);
    def.clip = film->clip;
    def.ghost = film->ghost;
    def.ghost_skeleton = film->ghost ? sinew_clip_skeleton(film->ghost) : NULL;
    def.targets = film->targets;
    def.trail_joints = film->trail_joints;
    def.trail_count = film->trail_count;
    def.view = film->view;
    def.from_side = true;
    snw_Stage stage;
    status = snw_stage_create(&def, &stage, out_message);
    if (status == SINEW_STATUS_OK) {
        status = encode(&even, &stage, path, out_message);
        snw_stage_destroy(&stage);
    }
    return status;
}
