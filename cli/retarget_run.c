// One clip on one character.

#include "retarget_run.h"

#include "arguments.h"
#include "clock.h"
#include "disk.h"
#include "foot_figures.h"
#include "limits.h"
#include "output.h"

#include "base/message.h"
#include "math/select.h"
#include "measure/motion_meter.h"
#include "pictures/pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// slides are told for a leg of this length, metres
static const double usual_leg = 0.9;

// ---------------------------------------------------------------------------------------------
// Bodies

static bool body_of(cli_Input *input, sinew_RetargetBody *out_body)
{
    out_body->skeleton = input->skeleton;
    out_body->roles = cli_input_roles(input);
    out_body->stance = out_body->roles != NULL ? cli_input_stance(input) : NULL;
    return out_body->stance != NULL;
}

bool cli_retarget_open(cli_RetargetTarget *target, const cli_RetargetRequest *request)
{
    memset(target, 0, sizeof *target);
    sinew_ReadOptions read = cli_read_second(request->target, &request->read);
    read.float_base = true;
    if (!cli_input_open_rigged(&target->input, request->target, &read, request->rig)) {
        return false;
    }
    bool floats = !request->is_floating || cli_check_float(&target->input);
    if (floats && body_of(&target->input, &target->body)) { return true; }
    cli_input_close(&target->input);
    return false;
}

void cli_retarget_close(cli_RetargetTarget *target)
{
    cli_input_close(&target->input);
}

// ---------------------------------------------------------------------------------------------
// Figures

static double leg_of(const sinew_RetargetBody *body)
{
    static const sinew_Role roles[3] = { SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, SINEW_ROLE_FOOT };
    sinew_Vec3 at[3];
    for (int i = 0; i < 3; ++i) {
        int joint = sinew_roles_find(body->roles, roles[i], SINEW_SIDE_LEFT, -1);
        if (joint < 0) { return 0.0; }
        at[i] = body->stance->world_from_joint[joint].position;
    }
    return sinew_vec3_distance(at[0], at[1]) + sinew_vec3_distance(at[1], at[2]);
}

// slides of heels and balls, metres at the usual leg; the caller frees *out_slides
static int find_slides(const sinew_RetargetBody *body, const sinew_Clip *clip, double **out_slides)
{
    sinew_ContactPoint points[6];
    sinew_ContactDef def = sinew_contact_def_default();
    sinew_Contacts *contacts = NULL;
    def.skeleton = sinew_clip_skeleton(clip);
    def.motion = cli_poses(clip);
    def.frame_time = sinew_clip_frame_time(clip);
    def.up = body->stance->up;
    def.leg = leg_of(body);
    def.points = points;
    def.point_count = sinew_contact_points(def.skeleton, body->roles, body->stance, points, 6);
    *out_slides = NULL;
    while (def.point_count > 0 && points[def.point_count - 1].part == SINEW_CONTACT_HAND) {
        def.point_count -= 1;
    }
    if (sinew_contacts_find(&def, &contacts, NULL) != SINEW_STATUS_OK) { return 0; }
    int count = contacts->contact_count;
    double *slides = malloc(((size_t)count + 1) * sizeof *slides);
    for (int i = 0; slides != NULL && i < count; ++i) {
        slides[i] = contacts->contacts[i].slide * usual_leg / def.leg;
    }
    sinew_contacts_destroy(contacts);
    *out_slides = slides;
    return slides != NULL ? count : 0;
}

static double quantile(double *values, int count, int percent)
{
    if (count == 0) { return 0.0; }
    size_t index = ((size_t)(count - 1) * (size_t)percent + 99) / 100;
    return snw_select(values, (size_t)count, index);
}

// Soles in any frame, standing or not. The floor is the one that feet are held on, else what is found.
static void measure_below(const sinew_RetargetBody *source, const sinew_RetargetBody *target,
    const sinew_Clip *clip, const sinew_Clip *result, bool held, cli_RetargetFigures *figures)
{
    const sinew_Ground level = { NULL, NULL };
    cli_FootFigures feet;
    double before = figures->report.source_floor, after = 0.0;
    bool known = held
        || (cli_find_floor(source, clip, &before) && cli_find_floor(target, result, &after));
    if (known && cli_foot_figures(source, clip, &level, before, &feet)) {
        figures->source_below_max = feet.penetration_max;
    }
    if (known && cli_foot_figures(target, result, &level, after, &feet)) {
        figures->below_max = feet.penetration_max;
        figures->below_p99 = feet.penetration_p99;
    }
}

static void measure(const sinew_RetargetBody *source, const sinew_RetargetBody *target,
    const sinew_Clip *clip, const sinew_Clip *result, cli_RetargetFigures *figures)
{
    double *slides = NULL;
    int count = find_slides(target, result, &slides);
    figures->contacts = count;
    figures->slide_median = quantile(slides, count, 50);
    figures->slide_p95 = quantile(slides, count, 95);
    figures->slide_max = quantile(slides, count, 100);
    free(slides);
    count = find_slides(source, clip, &slides);
    figures->source_slide_median = quantile(slides, count, 50);
    figures->source_slide_max = quantile(slides, count, 100);
    free(slides);
    measure_Motion before, after;
    if (measure_motion(clip, NULL, &before) == SINEW_STATUS_OK
        && measure_motion(result, NULL, &after) == SINEW_STATUS_OK) {
        // changes of less than a fifth of an arc second are rounding
        figures->jitter_ratio = fmax(after.jitter, 1e-6) / fmax(before.jitter, 1e-6);
    }
}

static void warn(cli_RetargetFigures *figures, const char *who, const char *text)
{
    int most = (int)(sizeof figures->warnings / sizeof figures->warnings[0]);
    if (figures->warning_count == most) { return; }
    snprintf(figures->warnings[figures->warning_count++], sizeof figures->warnings[0], "%s: %.180s",
        who, text);
}

static void collect_warnings(const sinew_RetargetBody *source, const sinew_RetargetBody *target,
    cli_RetargetFigures *figures)
{
    const sinew_Stance *stances[2] = { source->stance, target->stance };
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < stances[i]->note_count; ++k) {
            const sinew_StanceNote *note = &stances[i]->notes[k];
            if (note->code == SINEW_STANCE_FROM_MOTION) { continue; }
            warn(figures, i == 0 ? "source" : "target", note->text.text);
        }
    }
    char text[160];
    if (sinew_vec3_dot(source->stance->up, target->stance->up) < 0.5) {
        snprintf(text, sizeof text, "its up is %s, as its file has it; the source's is %s",
            cli_direction_name(target->stance->up), cli_direction_name(source->stance->up));
        warn(figures, "target", text);
    }
    const sinew_PoseFit *fit = &figures->report.fit;
    if (fit->rotation > 1e-3) {
        snprintf(text, sizeof text, "%s cannot turn as the source does, by up to %.1f degrees",
            sinew_skeleton_joints(target->skeleton)[fit->rotation_joint].name,
            fit->rotation * 180.0 / SINEW_PI);
        warn(figures, "target", text);
    }
    if (figures->report.short_frames > 0) {
        snprintf(text, sizeof text,
            "a leg that stands is too short in %d frame%s, by up to %.0f mm",
            figures->report.short_frames, snw_plural(figures->report.short_frames),
            1e3 * figures->report.short_max);
        warn(figures, "target", text);
    }
}

// ---------------------------------------------------------------------------------------------
// The whole

static bool draw(const sinew_Clip *result, const char *clip, const char *target, const char *path,
    const cli_RetargetFigures *figures, sinew_Message *message)
{
    char title[200], subtitle[200];
    snprintf(title, sizeof title, "%s on %s", cli_base_name(clip), cli_base_name(target));
    snprintf(subtitle, sizeof subtitle,
        "%d contact%s by %.1f mm (median), %.1f mm at most; hips lowered by up to %.0f mm",
        figures->contacts, figures->contacts == 1 ? " slides" : "s slide",
        1e3 * figures->slide_median, 1e3 * figures->slide_max,
        1e3 * figures->report.hips_lowered_max);
    picture_Sheet sheet = picture_sheet_default();
    sheet.clip = result;
    sheet.title = title;
    sheet.subtitle = subtitle;
    return cli_save_sheet(&sheet, path, message) == SINEW_STATUS_OK;
}

static sinew_RetargeterDef def_for(const cli_RetargetRequest *request,
    const sinew_RetargetBody *source, const sinew_RetargetBody *target)
{
    sinew_RetargeterDef def = sinew_retargeter_def_default();
    def.source = *source;
    def.target = *target;
    def.individual = request->individual;
    def.hold_feet = request->keep_feet;
    def.hold_hands = request->keep_hands;
    if (request->reach > 0.0) { def.reach = request->reach; }
    return def;
}

// put the name of a file before a message that has it not
static bool blame(const char *name, sinew_Message *message)
{
    sinew_Message named;
    if (message->text[0] == '\0' || strncmp(message->text, name, strlen(name)) == 0) {
        return false;
    }
    snprintf(named.text, sizeof named.text, "%.120s: %.190s", name, message->text);
    *message = named;
    return false;
}

// the one of both bodies that a message of the retargeter is about
static bool blame_body(
    const cli_RetargetTarget *target, const cli_Input *input, sinew_Message *message)
{
    bool is_target = strncmp(message->text, "the target", strlen("the target")) == 0;
    return blame(is_target ? target->input.name : input->name, message);
}

static bool write_result(cli_RetargetTarget *target, const cli_Input *input,
    const sinew_Clip *result, const char *out, sinew_Message *message)
{
    sinew_WriteOptions options = cli_write_options(out, &target->input, input);
    return out == NULL || cli_save_motion(out, result, &options, message) == SINEW_STATUS_OK
        || blame(out, message);
}

static bool run(cli_RetargetTarget *target, const cli_RetargetRequest *request, cli_Input *input,
    const char *out, const char *picture, cli_RetargetFigures *figures, sinew_Message *message)
{
    sinew_RetargetBody source;
    sinew_RetargetPair *pairs = NULL;
    sinew_Retargeter *retargeter = NULL;
    sinew_Clip *result = NULL;
    if (sinew_clip_frame_count(input->clip) == 0) {
        snprintf(
            message->text, sizeof message->text, "%.200s: there is no frame to move", input->name);
        return false;
    }
    snprintf(message->text, sizeof message->text, "%s: no roles", input->name);
    if (!body_of(input, &source)) { return false; }
    sinew_RetargeterDef def = def_for(request, &source, &target->body);
    if (request->map != NULL
        && !cli_retarget_map_read(request->map, source.skeleton, target->body.skeleton, &pairs,
            &def.pair_count, message)) {
        return false;
    }
    def.pairs = pairs;
    bool good = sinew_retargeter_create(&def, &retargeter, message) == SINEW_STATUS_OK
        || blame_body(target, input, message);
    free(pairs);
    if (good && request->map_out != NULL) {
        good = cli_retarget_map_write(
            request->map_out, retargeter, source.skeleton, target->body.skeleton);
        message->text[0] = '\0';
    }
    double start = cli_clock(NULL);
    good = good
        && (sinew_retargeter_clip(retargeter, input->clip, &result, &figures->report, message)
                == SINEW_STATUS_OK
            || blame_body(target, input, message));
    if (good) {
        figures->time = (cli_clock(NULL) - start) / fmax(figures->report.frame_count, 1);
        figures->fps = 1.0 / sinew_clip_frame_time(result);
        figures->scale = sinew_retargeter_scale(retargeter);
        for (int j = 0; j < target->body.roles->joint_count; ++j) {
            figures->matched += sinew_retargeter_match(retargeter, j).from >= 0 ? 1 : 0;
        }
        measure(&source, &target->body, input->clip, result, figures);
        measure_below(&source, &target->body, input->clip, result, def.hold_feet, figures);
        collect_warnings(&source, &target->body, figures);
        good = write_result(target, input, result, out, message)
            && (picture == NULL
                || draw(result, input->name, target->input.name, picture, figures, message)
                || blame(picture, message));
    }
    sinew_clip_destroy(result);
    sinew_retargeter_destroy(retargeter);
    return good;
}

bool cli_retarget_one(cli_RetargetTarget *target, const cli_RetargetRequest *request,
    const char *clip, const char *out, const char *picture, cli_RetargetFigures *figures)
{
    cli_Input input;
    sinew_Message message = { "" };
    memset(figures, 0, sizeof *figures);
    if (!cli_input_open_measured(&input, clip, &request->read)) {
        snprintf(figures->message, sizeof figures->message, "%.200s cannot be read", clip);
        return false;
    }
    figures->done = run(target, request, &input, out, picture, figures, &message);
    if (!figures->done) {
        snprintf(figures->message, sizeof figures->message, "%s", message.text);
        if (message.text[0] != '\0') { cli_error("%s", figures->message); }
    }
    cli_input_close(&input);
    return figures->done;
}

void cli_retarget_put_json(cli_Json *out, const cli_RetargetFigures *f)
{
    const sinew_RetargetReport *r = &f->report;
    cli_json_whole(out, "frames", r->frame_count);
    cli_json_number(out, "fps", f->fps);
    cli_json_number(out, "scale", f->scale);
    cli_json_whole(out, "matched_joints", f->matched);
    cli_json_whole(out, "prints_left", r->prints[0]);
    cli_json_whole(out, "prints_right", r->prints[1]);
    cli_json_whole(out, "hand_contacts", r->hand_contacts);
    cli_json_whole(out, "contacts", f->contacts);
    cli_json_number(out, "slide_mm_median", 1e3 * f->slide_median);
    cli_json_number(out, "slide_mm_p95", 1e3 * f->slide_p95);
    cli_json_number(out, "slide_mm_max", 1e3 * f->slide_max);
    cli_json_number(out, "source_slide_mm_median", 1e3 * f->source_slide_median);
    cli_json_number(out, "source_slide_mm_max", 1e3 * f->source_slide_max);
    cli_json_number(out, "below_floor_mm_max", 1e3 * f->below_max);
    cli_json_number(out, "below_floor_mm_p99", 1e3 * f->below_p99);
    cli_json_number(out, "source_below_floor_mm_max", 1e3 * f->source_below_max);
    cli_json_number(out, "contact_error_mm", 1e3 * fmax(r->short_max, r->held_error_max));
    cli_json_number(out, "source_floor_m", r->source_floor);
    cli_json_number(out, "hips_lowered_mm_max", 1e3 * r->hips_lowered_max);
    cli_json_number(out, "hips_lowered_mm_mean", 1e3 * r->hips_lowered_mean);
    cli_json_whole(out, "short_frames", r->short_frames);
    cli_json_whole(out, "solved_frames", r->solved_frames);
    cli_json_number(out, "limit_violation_rad", r->limit_violation);
    cli_json_number(out, "jitter", f->jitter_ratio);
    cli_json_number(out, "us_per_frame", 1e6 * f->time);
    cli_json_number(out, "frames_per_second", f->time > 0.0 ? 1.0 / f->time : 0.0);
    cli_json_array(out, "warnings");
    for (int i = 0; i < f->warning_count; ++i) { cli_json_text(out, NULL, f->warnings[i]); }
    cli_json_array_end(out);
}
