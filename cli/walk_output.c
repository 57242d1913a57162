#include "walk_run.h"

#include "disk.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "skin.h"

#include "base/message.h"
#include "pictures/pictures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Frames per second of a film, at most.
#define FILM_RATE 30.0

/// The clip of what was walked; as it went, whatever is in place.
static bool make_clip(cli_Walk *walk)
{
    const cli_WalkRequest *request = walk->request;
    const cli_Recording *record = &walk->record;
    if (request->is_loop) {
        return cli_loop_make(record, &walk->loop, request->fps, false, &walk->clip);
    }
    sinew_Status status = sinew_clip_create(
        walk->body.skeleton, record->frame_count, 1.0 / request->fps, NULL, &walk->clip);
    if (status != SINEW_STATUS_OK) { return cli_out_of_memory(); }
    size_t width = (size_t)sinew_skeleton_coordinate_count(walk->body.skeleton);
    for (int f = 0; f < record->frame_count; ++f) {
        memcpy(sinew_clip_frame(walk->clip, f), record->frames + (size_t)f * width,
            width * sizeof *record->frames);
    }
    return true;
}

/// Take the way of the root off the clip, for a file.
static bool stay_in_place(cli_Walk *walk)
{
    if (!walk->request->is_loop) { return cli_stay_in_place(&walk->record, walk->clip); }
    sinew_clip_destroy(walk->clip);
    walk->clip = NULL;
    return cli_loop_make(&walk->record, &walk->loop, walk->request->fps, true, &walk->clip);
}

/// What takes the walker's world to that of the body's file: none where +Y is up in both, else its left, up and
/// ahead to those of the body.
static sinew_Quat file_from_walk(cli_Walk *walk)
{
    const sinew_Stance *stance = cli_input_stance(&walk->body);
    if (stance == NULL || stance->up.y > 0.99) { return sinew_quat_identity(); }
    const sinew_Mat3 axes = { stance->left, stance->up, stance->ahead };
    return sinew_quat_from_mat3(axes);
}

/// Write the motion with the up of the body's own file, so that the file is read as that one is; a rest pose
/// with one up and a motion with another would be somebody who lies.
static bool write_walk(cli_Walk *walk)
{
    sinew_WriteOptions options = cli_write_options(walk->request->out, &walk->body, NULL);
    if (options.animation == NULL) { options.animation = "walk"; }
    sinew_Quat turn = file_from_walk(walk);
    bool is_turned = sinew_quat_angle(turn, sinew_quat_identity()) > 1e-9;
    if (is_turned && cli_turn_clip(walk->clip, turn) != SINEW_STATUS_OK) {
        return cli_out_of_memory();
    }
    return cli_write_motion(walk->request->out, walk->clip, &options);
}

static void show_progress(int done, int count, void *user)
{
    (void)count;
    cli_progress_update(user, done);
}

// a sheet or a film, by the ending of path
static bool draw(const cli_Walk *walk, const char *path)
{
    char subtitle[200];
    sinew_WalkerReport report = sinew_walker_report(walk->walker);
    snprintf(subtitle, sizeof subtitle, "%s, %s: %d step%s, %.1f m in %.1f s", walk->body.name,
        walk->request->terrain, report.step_count, snw_plural(report.step_count), report.distance,
        sinew_clip_duration(walk->clip));
    cli_Progress progress = cli_progress_begin("drawing frame", 0);
    sinew_Message message = { "" };
    picture_Walk picture = picture_walk_default();
    picture.clip = walk->clip;
    picture.terrain = walk->terrain;
    picture.up = sinew_vec3(0.0, 1.0, 0.0); // of the walk, whatever the file says
    picture.title = cli_is_film(path) ? NULL : "Walk";
    picture.subtitle = subtitle;
    picture.frames_per_second = walk->request->fps > FILM_RATE ? FILM_RATE : 0.0;
    picture.progress = show_progress;
    picture.progress_user = &progress;
    cli_Skin *skin = NULL;
    if (!cli_skin_open(&walk->body, &skin)) { return false; }
    picture.skin = skin != NULL ? &skin->shown : NULL;
    const bool done = cli_save_walk(&picture, path, &message) == SINEW_STATUS_OK;
    cli_skin_close(skin);
    cli_progress_end(&progress);
    if (!done) { cli_error("%s", message.text); }
    return done;
}

bool cli_walk_write(cli_Walk *walk)
{
    const cli_WalkRequest *request = walk->request;
    if ((request->is_loop || request->out != NULL || request->picture != NULL)
        && !make_clip(walk)) {
        return false;
    }
    // pictures are of the walker's world, and so come before the motion is turned to the file's
    if (request->picture != NULL && !draw(walk, request->picture)) { return false; }
    if (request->out == NULL) { return true; }
    if (cli_is_film(request->out)) { return draw(walk, request->out); }
    return (!request->is_in_place || stay_in_place(walk)) && write_walk(walk);
}

// ---------------------------------------------------------------------------------------------
// Figures

static double or_zero(double value)
{
    return isfinite(value) ? value : 0.0;
}

/// How its root moves along and turns, in the mean, m/s and rad/s: a loop's, or from end to end of the walk.
static void root_motion(const cli_Walk *walk, double *out_speed, double *out_turn)
{
    const cli_Recording *record = &walk->record;
    const sinew_WalkerReport report = sinew_walker_report(walk->walker);
    const int last = record->frame_count - 1;
    if (walk->loop.stride_count > 0) {
        *out_speed = walk->loop.quicker * hypot(walk->loop.forward, walk->loop.left);
        *out_turn = walk->loop.quicker * walk->loop.turn;
        return;
    }
    *out_speed = report.time > 0.0 ? report.distance / report.time : 0.0;
    *out_turn = last > 0
        ? (record->places[last].heading - record->places[0].heading) / (last * record->frame_time)
        : 0.0;
}

static void print_loop(const cli_Walk *walk)
{
    const cli_Loop *loop = &walk->loop;
    double speed, turn;
    root_motion(walk, &speed, &turn);
    if (loop->stride_count > 0) {
        cli_print(
            "  loop                  %d stride%s, %d frame%s at %g per second, %.3f s; the last is "
            "the first (%.4f rad apart as walked)\n",
            loop->stride_count, snw_plural(loop->stride_count), loop->frame_count,
            snw_plural(loop->frame_count), walk->request->fps,
            (loop->frame_count - 1) / walk->request->fps, loop->seam);
    }
    if (loop->stride_count > 0 || walk->request->is_in_place) {
        cli_print("  root                  %8.3f m/s", speed);
        if (fabs(loop->left) > 5e-4 || loop->forward < 0.0) {
            cli_print(" (%.3f ahead, %.3f to the left)", loop->quicker * loop->forward,
                loop->quicker * loop->left);
        }
        if (fabs(turn) > 5e-4) { cli_print(", %.3f rad/s to the left", turn); }
        cli_print("%s\n", walk->request->is_in_place ? ", taken off" : "");
    }
}

static void print_loop_json(const cli_Walk *walk, cli_Json *json)
{
    const cli_Loop *loop = &walk->loop;
    double speed, turn;
    root_motion(walk, &speed, &turn);
    if (loop->stride_count > 0) {
        cli_json_object(json, "loop");
        cli_json_whole(json, "strides", loop->stride_count);
        cli_json_whole(json, "frames", loop->frame_count);
        cli_json_number(json, "seconds", (loop->frame_count - 1) / walk->request->fps);
        cli_json_number(json, "forward_speed", loop->quicker * loop->forward);
        cli_json_number(json, "left_speed", loop->quicker * loop->left);
        cli_json_number(json, "seam_rad", loop->seam);
        cli_json_object_end(json);
    }
    if (loop->stride_count > 0 || walk->request->is_in_place) {
        cli_json_number(json, "root_speed", speed);
        cli_json_number(json, "root_turn", turn);
    }
}

static void print_json(const cli_Walk *walk, const measure_WalkFigures *f, double us)
{
    const cli_WalkRequest *request = walk->request;
    sinew_WalkerReport report = sinew_walker_report(walk->walker);
    cli_Json json = cli_json_begin();
    cli_json_text(&json, "body", walk->body.name);
    cli_json_text(&json, "terrain", request->terrain);
    cli_json_text(&json, "style", cli_walk_styles[request->style]);
    cli_json_whole(&json, "frames", f->frame_count);
    cli_json_number(&json, "fps", request->fps);
    cli_json_whole(&json, "steps", report.step_count);
    cli_json_number(&json, "distance_m", report.distance);
    if (cli_walk_asked_speed(walk) > 0.0) {
        cli_json_number(&json, "speed_asked", cli_walk_asked_speed(walk));
    }
    cli_json_number(&json, "speed_max", walk->fastest);
    print_loop_json(walk, &json);
    cli_json_number(&json, "slide_mm_max", 1e3 * f->slide.value);
    cli_json_number(&json, "penetration_mm_max", 1e3 * f->penetration.value);
    cli_json_number(&json, "clearance_mm_min", 1e3 * or_zero(f->clearance.value));
    cli_json_whole(&json, "unmet_frames", f->unmet_frames);
    cli_json_number(&json, "max_joint_speed", 60.0 * f->joint_step.value);
    cli_json_number(&json, "hips_acceleration_max", f->hips_acceleration.value);
    cli_json_number(&json, "limit_violation_rad", f->limit_violation.value);
    if (walk->learned.stride_count > 0) {
        cli_json_object(&json, "learned");
        cli_json_text(&json, "clip", request->manner.like);
        cli_json_whole(&json, "strides", walk->learned.stride_count);
        cli_json_number(&json, "stride_m", walk->learned.stride);
        cli_json_number(&json, "steps_per_minute", walk->learned.cadence);
        cli_json_number(&json, "speed", walk->learned.speed);
        cli_json_object_end(&json);
    }
    cli_json_number(&json, "us_per_frame", us);
    cli_json_number(&json, "us_per_frame_legs", 1e6 * walk->solve_time / fmax(1.0, f->frame_count));
    cli_json_end(&json);
}

static void print_text(const cli_Walk *walk, const measure_WalkFigures *f, double us)
{
    const cli_WalkRequest *request = walk->request;
    sinew_WalkerReport report = sinew_walker_report(walk->walker);
    cli_print("%s on %s, %s: %d step%s, %.2f m in %.2f s\n", walk->body.name, request->terrain,
        cli_walk_styles[request->style], report.step_count, snw_plural(report.step_count),
        report.distance, f->time);
    if (walk->learned.stride_count > 0) {
        cli_print("  learned from %s: %d stride%s of %.2f m, %.0f steps a minute, %.2f m/s\n",
            cli_base_name(request->manner.like), walk->learned.stride_count,
            snw_plural(walk->learned.stride_count), walk->learned.stride, walk->learned.cadence,
            walk->learned.speed);
    }
    if (cli_walk_is_slower(walk)) {
        cli_print(
            "  speed                 %8.2f m/s at most, %.2f asked: it goes no faster like that\n",
            walk->fastest, cli_walk_asked_speed(walk));
    }
    print_loop(walk);
    cli_print("  planted points slide  %8.3f mm at most\n", 1e3 * f->slide.value);
    cli_print("  soles in the ground   %8.3f mm at most\n", 1e3 * f->penetration.value);
    if (isfinite(f->clearance.value)) {
        cli_print("  swings clear it by    %8.1f mm at least\n", 1e3 * f->clearance.value);
    }
    cli_print("  unmet frames          %8d\n", f->unmet_frames);
    cli_print("  fastest joint         %8.2f rad/s\n", 60.0 * f->joint_step.value);
    cli_print("  hips up and down      %8.2f m/s^2 at most\n", f->hips_acceleration.value);
    cli_print("  time                  %8.2f us per frame, %.2f of it for the legs\n", us,
        1e6 * walk->solve_time / fmax(1.0, f->frame_count));
    if (request->out != NULL) {
        cli_print("%s: %s\n", cli_is_film(request->out) ? "Film" : "Motion", request->out);
    }
    if (request->picture != NULL) { cli_print("Picture: %s\n", request->picture); }
}

void cli_walk_print(const cli_Walk *walk)
{
    const measure_WalkFigures figures = measure_walk_figures(walk->meter);
    const double us = 1e6 * walk->time / fmax(1.0, figures.frame_count);
    if (walk->request->json) {
        print_json(walk, &figures, us);
    } else {
        print_text(walk, &figures, us);
    }
}
