// `sinew clean`: repair a recorded motion on its own body.

#include "commands.h"
#include "disk.h"
#include "foot_figures.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "table.h"

#include "base/message.h"
#include "measure/motion_meter.h"
#include "pictures/pictures.h"
#include "sinew/clean.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT = 1, RIG, REACH };

static const cli_Option own_options[] = {
    { OUT, "output", 'o', "FILE", "write the motion" },
    { RIG, "rig", 'r', "RIG.json|auto|none", CLI_RIG_HELP },
    { REACH, "reach", 0, "SHARE",
        "of a leg's length that is used, 0.8..1 (default 0.98): more lets\n"
        "knees snap straight, less lowers the hips" },
    { 0, NULL, 0, NULL, NULL },
};

typedef struct Request {
    sinew_ReadOptions read;
    const char *out, *rig, *picture;
    double reach;
    bool json;
} Request;

/// What is told of a motion; less is better.
typedef struct Figures {
    cli_FootFigures feet;
    double floor; ///< where it stands, metres
    double limits, jitter;
} Figures;

/// What a repair would have worsened.
typedef struct Worse {
    char text[120];
} Worse;

typedef struct Work {
    const Request *request;
    cli_Input input;
    sinew_RetargetBody body;
    sinew_CleanDef def;
    sinew_CleanReport report;
    sinew_Clip *clip;
    Figures before, after;
    Worse worse_feet, worse_frames; ///< of the last way that held feet, that mended frames
} Work;

static bool measure(const Work *work, const sinew_Clip *clip, Figures *out)
{
    const sinew_Ground level = { NULL, NULL };
    measure_Motion motion;
    memset(out, 0, sizeof *out);
    if (!cli_find_floor(&work->body, clip, &out->floor)) { return false; }
    if (!cli_foot_figures(&work->body, clip, &level, out->floor, &out->feet)
        || measure_motion(clip, NULL, &motion) != SINEW_STATUS_OK) {
        return cli_out_of_memory();
    }
    out->jitter = motion.jitter;
    for (int t = 0; t < sinew_clip_frame_count(clip); ++t) {
        const double *q = sinew_clip_frame_const(clip, t);
        out->limits = fmax(out->limits, sinew_pose_limit_violation(work->body.skeleton, q));
    }
    return true;
}

/// A figure that a repair may not worsen by more than rounding; below none it is good enough.
typedef struct Bound {
    const char *name, *unit;
    double scale, before, after, rounding, none;
} Bound;

/// The first figure that got worse, in words; false: none did.
static bool find_worse(const Figures *now, const Figures *before, Worse *out)
{
    // a hundredth of a millimetre, a fifth of an arc second
    const double length = 1e-5, angle = 1e-6;
    const cli_FootFigures *f = &now->feet, *b = &before->feet;
    // slides that are good enough are what retargeting is asked for: docs/retarget.md
    const Bound bounds[] = {
        { "the median slide", "mm", 1e3, b->slide_median, f->slide_median, length, 5e-4 },
        { "the largest slide", "mm", 1e3, b->slide_max, f->slide_max, length, 5e-3 },
        { "soles below the floor", "mm", 1e3, b->penetration_p99, f->penetration_p99, length, 0.0 },
        { "limits exceeded by", "rad", 1.0, before->limits, now->limits, angle, 0.0 },
        { "shaking", "mrad a frame", 1e3, before->jitter, now->jitter, angle, 0.0 },
    };
    for (int i = 0; i < (int)(sizeof bounds / sizeof bounds[0]); ++i) {
        const Bound *k = &bounds[i];
        if (k->after <= fmax(k->before + k->rounding, k->none)) { continue; }
        snprintf(out->text, sizeof out->text, "%s: %.3g to %.3g %s", k->name, k->scale * k->before,
            k->scale * k->after, k->unit);
        return true;
    }
    return false;
}

// The joint that takes the body along: the nearest one, from the hips upwards, with which three directions are there
// to slide in. A root above it stays where it is.
static int carrier_of(const sinew_RetargetBody *body)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(body->skeleton);
    int slides = 0;
    for (int j = sinew_roles_find(body->roles, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1); j >= 0;
         j = joints[j].parent) {
        for (int a = 0; a < joints[j].axis_count; ++a) {
            slides += axes[joints[j].axis_start + a].kind == SINEW_AXIS_SLIDE ? 1 : 0;
        }
        if (slides >= 3) { return j; }
    }
    return -1;
}

// Move the whole motion along its up: the floor comes to height 0 where feet are left, too.
static bool shift_floor(Work *work)
{
    const sinew_Skeleton *skeleton = work->body.skeleton;
    int carrier = carrier_of(&work->body), count = sinew_skeleton_joint_count(skeleton);
    if (carrier < 0) { return true; }
    int end = carrier + sinew_skeleton_joints(skeleton)[carrier].subtree_count;
    sinew_Transform *world = calloc(2 * (size_t)count, sizeof *world);
    if (world == NULL) { return cli_out_of_memory(); }
    sinew_Status status = SINEW_STATUS_OK;
    sinew_Message message = { "" };
    for (int t = 0; status == SINEW_STATUS_OK && t < sinew_clip_frame_count(work->clip); ++t) {
        double *q = sinew_clip_frame(work->clip, t);
        sinew_pose_forward(skeleton, q, world);
        for (int j = carrier; j < end; ++j) {
            world[j].position = sinew_vec3_add_scaled(
                world[j].position, work->body.stance->up, -work->after.floor);
        }
        status = sinew_pose_from_world(skeleton, world, q, q, world + count, NULL, &message);
    }
    free(world);
    if (status == SINEW_STATUS_OK) { return measure(work, work->clip, &work->after); }
    cli_error("%s: %s", work->input.name, message.text);
    return false;
}

// All repairs; where a figure gets worse for it, only some of them.
static bool clean(Work *work)
{
    // feet that stop within 0.2 s shake slow motions less, and slide more
    static const struct {
        bool frames, feet;
        double stop_time;
    } ways[] = { { true, true, 0.06 }, { true, true, 0.2 }, { false, true, 0.06 },
        { false, true, 0.2 }, { true, false, 0.06 }, { false, false, 0.06 } };
    sinew_Message message = { "" };
    for (int i = 0; i < (int)(sizeof ways / sizeof ways[0]); ++i) {
        work->def.remove_spikes = work->def.remove_jitter = ways[i].frames;
        work->def.hold_feet = ways[i].feet;
        work->def.stop_time = ways[i].stop_time;
        sinew_clip_destroy(work->clip);
        sinew_Status status = sinew_clean_clip(
            &work->def, work->input.clip, &work->clip, &work->report, &message);
        if (status != SINEW_STATUS_OK) {
            cli_error("%s: %s", work->input.name, message.text);
            return false;
        }
        Worse worse;
        if (!measure(work, work->clip, &work->after)) { return false; }
        if (!find_worse(&work->after, &work->before, &worse)) { break; }
        if (ways[i].feet) { work->worse_feet = worse; }
        if (ways[i].frames) { work->worse_frames = worse; }
    }
    return work->def.hold_feet || shift_floor(work);
}

static bool prepare(Work *work)
{
    if (sinew_clip_frame_count(work->input.clip) == 0) {
        cli_error("%s: there is no frame to clean", work->input.name);
        return false;
    }
    work->body.skeleton = work->input.skeleton;
    work->body.roles = cli_input_roles(&work->input);
    work->body.stance = work->body.roles != NULL ? cli_input_stance(&work->input) : NULL;
    if (work->body.stance == NULL) { return false; }
    if (!work->body.stance->can_stand) {
        cli_error("%s: %s", work->input.name, work->body.stance->notes[0].text.text);
        return false;
    }
    if (work->body.stance->feet[0].joint < 0 || work->body.stance->feet[1].joint < 0
        || !(cli_leg_length(&work->body) > 0.0)) {
        cli_error("%s: no two legs with feet were found", work->input.name);
        return false;
    }
    work->def = sinew_clean_def_default();
    work->def.body = work->body;
    work->def.reach = work->request->reach;
    return measure(work, work->input.clip, &work->before);
}

// ---------------------------------------------------------------------------------------------
// Results

static void put_figures(cli_Json *out, const char *key, const Figures *f)
{
    cli_json_object(out, key);
    cli_json_whole(out, "contacts", f->feet.contacts);
    cli_json_number(out, "slide_mm_median", 1e3 * f->feet.slide_median);
    cli_json_number(out, "slide_mm_max", 1e3 * f->feet.slide_max);
    cli_json_number(out, "penetration_mm_p99", 1e3 * f->feet.penetration_p99);
    cli_json_number(out, "floor_mm", 1e3 * f->floor);
    cli_json_number(out, "limit_violation_rad", f->limits);
    cli_json_number(out, "jitter", f->jitter);
    cli_json_object_end(out);
}

static void print_json(const Work *work)
{
    cli_Json out = cli_json_begin();
    cli_json_text(&out, "clip", work->input.name);
    cli_json_text(&out, "rig", cli_rig_name(&work->input));
    cli_json_whole(&out, "frames", sinew_clip_frame_count(work->clip));
    cli_json_bool(&out, "frames_mended", work->def.remove_jitter);
    cli_json_bool(&out, "feet_held", work->def.hold_feet);
    if (!work->def.hold_feet) { cli_json_text(&out, "feet_left_for", work->worse_feet.text); }
    if (!work->def.remove_jitter) {
        cli_json_text(&out, "shaking_left_for", work->worse_frames.text);
    }
    cli_json_whole(&out, "spikes", work->report.spikes);
    cli_json_number(&out, "hips_lowered_mm_max", 1e3 * work->report.feet.hips_lowered_max);
    put_figures(&out, "before", &work->before);
    put_figures(&out, "after", &work->after);
    cli_json_end(&out);
}

// what rounding leaves is told as nothing: nanometres, and billionths of a radian
static double or_nothing(double value)
{
    return fabs(value) < 1e-6 ? 0.0 : value;
}

static void put_row(
    cli_Table *table, const char *name, double before, double after, const char *unit)
{
    cli_table_cell(table, "%s", name);
    cli_table_cell(table, "%.3g", or_nothing(before));
    cli_table_cell(table, "%.3g", or_nothing(after));
    cli_table_cell(table, "%s", unit);
}

static void print_text(const Work *work)
{
    const Figures *b = &work->before, *a = &work->after;
    int frames = sinew_clip_frame_count(work->clip);
    cli_print("%s: %d frame%s, %d contact%s of heels and balls, before and after\n",
        cli_base_name(work->input.name), frames, snw_plural(frames), a->feet.contacts,
        snw_plural(a->feet.contacts));
    cli_Table table = cli_table_begin("lrrl");
    put_row(&table, "slide, median", 1e3 * b->feet.slide_median, 1e3 * a->feet.slide_median, "mm");
    put_row(&table, "slide, largest", 1e3 * b->feet.slide_max, 1e3 * a->feet.slide_max, "mm");
    put_row(&table, "below the floor, p99", 1e3 * b->feet.penetration_p99,
        1e3 * a->feet.penetration_p99, "mm");
    put_row(&table, "floor", 1e3 * b->floor, 1e3 * a->floor, "mm");
    put_row(&table, "limits exceeded by", b->limits, a->limits, "rad");
    put_row(&table, "shaking", 1e3 * b->jitter, 1e3 * a->jitter, "mrad a frame, p99");
    cli_table_end(&table, "  ");
    cli_print("  %d single frame%s of joints replaced; hips lowered by up to %.0f mm\n",
        work->report.spikes, snw_plural(work->report.spikes),
        1e3 * work->report.feet.hips_lowered_max);
    if (!work->def.hold_feet) {
        cli_print("  Feet are left: holding them would worsen %s. The floor is at height 0.\n",
            work->worse_feet.text);
    }
    if (!work->def.remove_jitter) {
        cli_print("  Shaking is left: taking it out would worsen %s.\n", work->worse_frames.text);
    }
    if (work->request->out != NULL) { cli_print("Motion: %s\n", work->request->out); }
    if (work->request->picture != NULL) { cli_print("Picture: %s\n", work->request->picture); }
}

static bool draw(const Work *work, const char *path)
{
    char subtitle[200];
    sinew_Message message = { "" };
    snprintf(subtitle, sizeof subtitle,
        "pale: before. Slide %.1f to %.1f mm (median), shaking %.2f to %.2f mrad a frame (p99)",
        1e3 * work->before.feet.slide_median, 1e3 * work->after.feet.slide_median,
        1e3 * work->before.jitter, 1e3 * work->after.jitter);
    picture_Sheet sheet = picture_sheet_default();
    sheet.clip = work->clip;
    sheet.ghost = work->input.clip;
    sheet.title = cli_base_name(work->input.name);
    sheet.subtitle = subtitle;
    if (cli_save_sheet(&sheet, path, &message) == SINEW_STATUS_OK) { return true; }
    cli_error("%s", message.text);
    return false;
}

static int run_clean(Work *work)
{
    const Request *request = work->request;
    if (!prepare(work) || !clean(work)) { return CLI_FAILED; }
    if (request->out != NULL) {
        sinew_WriteOptions options = cli_write_options(request->out, &work->input, &work->input);
        if (!cli_write_motion(request->out, work->clip, &options)) { return CLI_FAILED; }
    }
    if (request->picture != NULL && !draw(work, request->picture)) { return CLI_FAILED; }
    if (request->json) {
        print_json(work);
    } else {
        print_text(work);
    }
    return CLI_DONE;
}

static bool take_option(Request *request, const cli_Option *option, const char *value)
{
    switch (option->id) {
    case OUT: request->out = value; return cli_check_motion_path("--output", value, false);
    case RIG: request->rig = value; return true;
    case REACH: return cli_parse_number("--reach", value, 0.8, 1.0, &request->reach);
    default: return cli_take_input_option(&request->read, option->id, value);
    }
}

static int run(int argc, char **argv)
{
    Request request = { .reach = sinew_clean_def_default().reach };
    cli_Parser parser;
    const char *value = NULL;
    request.read = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_clean, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    request.picture = parser.picture;
    if (request.picture != NULL && !cli_check_picture_path("--picture", request.picture)) {
        return CLI_USAGE;
    }
    Work work = { .request = &request };
    if (!cli_input_open_rigged(&work.input, parser.plain[0], &request.read, request.rig)) {
        return CLI_FAILED;
    }
    int code = run_clean(&work);
    sinew_clip_destroy(work.clip);
    cli_input_close(&work.input);
    return code;
}

const cli_Command cli_command_clean = {
    "clean",
    "Repair a recorded motion: sliding feet, floor, limits, spikes, shaking",
    "CLIP [-o OUT] [--rig RIG.json|auto|none] [OPTIONS]",
    "CLIP is a motion of a person. Feet that stand are held in their prints and the floor comes "
    "to\n"
    "height 0, single frames that stick out are replaced, shaking is taken out, limits of a rig\n"
    "hold. Figures before and after are told; a repair that would worsen one is left out, and "
    "which\n"
    "is said. The floor comes to height 0 then, too. Slides of 0.5 mm in the median and 5 mm at "
    "most\n"
    "are none.\n",
    "  sinew clean walk.bvh -o clean.bvh --picture clean.png\n"
    "  sinew clean walk.bvh --rig auto --json\n",
    { own_options, cli_input_options, cli_motion_options, cli_picture_options, cli_common_options },
    1,
    1,
    run,
    true,
    NULL,
};
