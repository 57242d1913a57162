// `sinew ground`: the feet of a motion on a ground.

#include "clock.h"
#include "commands.h"
#include "disk.h"
#include "foot_figures.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "table.h"

#include "base/message.h"
#include "pictures/pictures.h"
#include "sinew/grounder.h"
#include "sinew/terrain_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Frames that feet are put on a ground in last so long, seconds.
#define SHORTEST_FRAME 0.001
#define LONGEST_FRAME 0.2

enum { TERRAIN = 1, OUT, LOOK_AHEAD, FLOOR, REACH, SHIFT };

static const cli_Option own_options[] = {
    { TERRAIN, "terrain", 't', "GROUND",
        "flat, hills[:SEED], rough[:SEED], stairs[:RISE,TREAD],\n"
        "kerbs[:RISE,EVERY], ramp:DEGREES, slope:DEGREES[,TOWARD] or a height map (see walk "
        "--help)" },
    { LOOK_AHEAD, "look-ahead", 0, "S",
        "seconds of the motion that are known beforehand, 0..3 (default 2;\n"
        "0.1 is what a game can give)" },
    { FLOOR, "floor", 0, "M", "height of the floor that the motion walks on (default: found)" },
    { REACH, "reach", 0, "SHARE",
        "of a leg's length that is used, 0.8..1 (default 0.98): more lets\n"
        "knees snap straight, less lowers the hips" },
    { SHIFT, "max-shift", 0, "M",
        "feet that would hang over an edge move along their sole by at most\n"
        "this (default 0.16)" },
    { OUT, "output", 'o', "FILE", "write the motion" },
    { 0, NULL, 0, NULL, NULL },
};

typedef struct Request {
    sinew_ReadOptions read;
    const char *terrain, *out, *picture;
    double look_ahead, floor, reach, max_shift;
    bool has_floor, json;
} Request;

typedef struct Work {
    const Request *request;
    cli_Input input;
    sinew_RetargetBody body;
    sinew_Terrain *terrain;
    sinew_Ground ground;
    sinew_GrounderDef def;
    sinew_Grounder *grounder;
    sinew_GrounderReport *reports; // (frame_count)
    sinew_Clip *clip;
    cli_FootFigures before, after;
    double time;                            // seconds of a frame
    double samples_mean, hips_sunk, beyond; // metres
    int samples_max, parts;
} Work;

static bool fail(const Work *work, const sinew_Message *message)
{
    cli_error("%s: %s", work->input.name, message->text);
    return false;
}

// ---------------------------------------------------------------------------------------------
// Work

static bool prepare(Work *work)
{
    const Request *request = work->request;
    sinew_Message message = { "" };
    work->ground = sinew_terrain_ground(work->terrain);
    if (sinew_clip_frame_count(work->input.clip) == 0) {
        cli_error("%s: there is no frame to put on a ground", work->input.name);
        return false;
    }
    const double frame_time = sinew_clip_frame_time(work->input.clip);
    if (frame_time < SHORTEST_FRAME || frame_time > LONGEST_FRAME) {
        cli_error(
            "%s: has %.4g frames per second, expected 5 to 1000 (sinew convert --fps makes others)",
            work->input.name, 1.0 / frame_time);
        return false;
    }
    work->body.skeleton = work->input.skeleton;
    work->body.roles = cli_input_roles(&work->input);
    work->body.stance = work->body.roles != NULL ? cli_input_stance(&work->input) : NULL;
    if (work->body.stance == NULL) { return false; }
    work->def = sinew_grounder_def_default();
    work->def.body = work->body;
    work->def.ground = work->ground;
    work->def.frame_time = frame_time;
    work->def.look_ahead = request->look_ahead;
    work->def.reach = request->reach;
    work->def.max_shift = request->max_shift;
    sinew_Status status = sinew_grounder_create(&work->def, &work->grounder, &message);
    if (status != SINEW_STATUS_OK) { return fail(work, &message); }
    work->def.floor = request->floor;
    if (!request->has_floor && !cli_find_floor(&work->body, work->input.clip, &work->def.floor)) {
        return false;
    }
    sinew_grounder_destroy(work->grounder);
    work->grounder = NULL;
    status = sinew_grounder_create(&work->def, &work->grounder, &message);
    return status == SINEW_STATUS_OK || fail(work, &message);
}

static bool put_on_ground(Work *work)
{
    sinew_Message message = { "" };
    int frames = sinew_clip_frame_count(work->input.clip);
    work->reports = calloc((size_t)frames, sizeof *work->reports);
    double start = cli_clock(NULL);
    sinew_Status status = work->reports == NULL
        ? SINEW_STATUS_OUT_OF_MEMORY
        : sinew_grounder_clip(
            work->grounder, work->input.clip, &work->clip, work->reports, &message);
    work->time = (cli_clock(NULL) - start) / frames;
    if (status != SINEW_STATUS_OK) { return fail(work, &message); }
    long samples = 0;
    for (int t = 0; t < frames; ++t) {
        const sinew_GrounderReport *report = &work->reports[t];
        for (int s = 0; s < 2; ++s) {
            samples += report->samples[s];
            if (report->samples[s] > work->samples_max) { work->samples_max = report->samples[s]; }
            if (report->feet[s].stands) {
                work->beyond = fmax(work->beyond, report->feet[s].beyond);
            }
        }
        work->hips_sunk = fmax(work->hips_sunk, report->hips_sunk);
    }
    work->parts = work->reports[frames - 1].part + 1;
    work->samples_mean = (double)samples / (2.0 * frames);
    const sinew_Ground level = { NULL, NULL };
    bool good = cli_foot_figures(
                    &work->body, work->input.clip, &level, work->def.floor, &work->before)
        && cli_foot_figures(&work->body, work->clip, &work->ground, 0.0, &work->after);
    if (!good) { cli_out_of_memory(); }
    return good;
}

// ---------------------------------------------------------------------------------------------
// Results

static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : 1.0;
}

static void print_json(const Work *work)
{
    const cli_FootFigures *a = &work->after, *b = &work->before;
    cli_Json out = cli_json_begin();
    cli_json_text(&out, "clip", work->input.name);
    cli_json_text(&out, "terrain", work->request->terrain);
    cli_json_whole(&out, "frames", sinew_clip_frame_count(work->clip));
    cli_json_number(&out, "fps", 1.0 / sinew_clip_frame_time(work->clip));
    cli_json_number(&out, "look_ahead_s", work->def.look_ahead);
    cli_json_number(&out, "floor_m", work->def.floor);
    cli_json_whole(&out, "parts", work->parts);
    cli_json_whole(&out, "contacts", a->contacts);
    cli_json_number(&out, "slide_mm_median", 1e3 * a->slide_median);
    cli_json_number(&out, "slide_mm_p95", 1e3 * a->slide_p95);
    cli_json_number(&out, "slide_mm_max", 1e3 * a->slide_max);
    cli_json_number(&out, "source_slide_mm_max", 1e3 * b->slide_max);
    cli_json_number(&out, "sink_mm_max", 1e3 * a->sink_max);
    cli_json_number(&out, "float_mm_max", 1e3 * a->float_max);
    cli_json_number(&out, "overhang_max", a->overhang_max);
    cli_json_number(&out, "penetration_mm_p99", 1e3 * a->penetration_p99);
    cli_json_number(&out, "penetration_mm_max", 1e3 * a->penetration_max);
    cli_json_number(&out, "hips_acceleration_ratio", ratio(a->hips, b->hips));
    cli_json_number(&out, "hips_vertical_ratio", ratio(a->hips_vertical, b->hips_vertical));
    cli_json_number(&out, "knee_acceleration_ratio", ratio(a->knee, b->knee));
    cli_json_number(&out, "knee_step_mm_max", 1e3 * a->knee_step);
    cli_json_number(&out, "source_knee_step_mm_max", 1e3 * b->knee_step);
    cli_json_number(&out, "knee_over_hip_mm_max", 1e3 * a->knee_over);
    cli_json_number(&out, "source_knee_over_hip_mm_max", 1e3 * b->knee_over);
    cli_json_number(&out, "shin_penetration_mm_max", 1e3 * a->shin_deep);
    cli_json_number(&out, "hips_sunk_mm_max", 1e3 * work->hips_sunk);
    cli_json_number(&out, "leg_short_mm_max", 1e3 * work->beyond);
    cli_json_number(&out, "ground_samples_mean", work->samples_mean);
    cli_json_whole(&out, "ground_samples_max", work->samples_max);
    cli_json_number(&out, "us_per_frame", 1e6 * work->time);
    cli_json_end(&out);
}

static void print_text(const Work *work)
{
    const cli_FootFigures *a = &work->after, *b = &work->before;
    int frames = sinew_clip_frame_count(work->clip);
    cli_print("%s on %s: %d frame%s at %.4g per second, floor of the motion at %.0f mm\n",
        cli_base_name(work->input.name), work->request->terrain, frames, snw_plural(frames),
        1.0 / sinew_clip_frame_time(work->clip), 1e3 * work->def.floor);
    cli_Table table = cli_table_begin("lrl");
    if (work->parts > 1) {
        cli_table_cell(&table, "parts");
        cli_table_cell(&table, "%d", work->parts);
        cli_table_cell(
            &table, "each on the ground by itself: the motion leaps from one to the next");
    }
    cli_table_cell(&table, "slide");
    cli_table_cell(&table, "%.2f mm", 1e3 * a->slide_max);
    cli_table_cell(&table,
        "at most, of %d contact%s found anew; median %.2f; the motion's own %.1f", a->contacts,
        snw_plural(a->contacts), 1e3 * a->slide_median, 1e3 * b->slide_max);
    cli_table_cell(&table, "soles");
    cli_table_cell(&table, "%.2f mm", 1e3 * a->sink_max);
    cli_table_cell(&table, "in the ground where they lie, %.2f above; %.0f %% over an edge",
        1e3 * a->float_max, 100.0 * a->overhang_max);
    cli_table_cell(&table, "penetration");
    cli_table_cell(&table, "%.1f mm", 1e3 * a->penetration_max);
    cli_table_cell(&table, "of feet at most in any frame, p99 %.1f; of shins and knees %.1f",
        1e3 * a->penetration_p99, 1e3 * a->shin_deep);
    cli_table_cell(&table, "knees");
    cli_table_cell(&table, "%.0f mm", 1e3 * a->knee_step);
    cli_table_cell(&table,
        "a frame at most beside the hips, the motion's own %.0f; %.0f mm %s the hip, own %.0f %s",
        1e3 * b->knee_step, 1e3 * fabs(a->knee_over), a->knee_over > 0.0 ? "over" : "under",
        1e3 * fabs(b->knee_over), b->knee_over > 0.0 ? "over" : "under");
    cli_table_cell(&table, "hips");
    cli_table_cell(&table, "%.2f", ratio(a->hips, b->hips));
    cli_table_cell(&table, "times the motion's acceleration (p99); up and down %.2f, knees %.2f",
        ratio(a->hips_vertical, b->hips_vertical), ratio(a->knee, b->knee));
    cli_table_cell(&table, "hips lowered");
    cli_table_cell(&table, "%.0f mm", 1e3 * work->hips_sunk);
    cli_table_cell(
        &table, "at most, so that legs reach; legs short by %.1f mm", 1e3 * work->beyond);
    cli_table_cell(&table, "ground samples");
    cli_table_cell(&table, "%.2f", work->samples_mean);
    cli_table_cell(&table, "per foot and frame; %d at most", work->samples_max);
    cli_table_cell(&table, "time");
    cli_table_cell(&table, "%.1f us", 1e6 * work->time);
    cli_table_cell(&table, "per frame");
    cli_table_end(&table, "  ");
    if (work->request->out != NULL) { cli_print("Motion: %s\n", work->request->out); }
    if (work->request->picture != NULL) { cli_print("Picture: %s\n", work->request->picture); }
}

static bool draw(const Work *work, const char *path)
{
    char subtitle[200];
    sinew_Message message = { "" };
    snprintf(subtitle, sizeof subtitle,
        "%s on %s: slide %.1f mm, in the ground %.1f mm (p99 of all frames)",
        cli_base_name(work->input.name), work->request->terrain, 1e3 * work->after.slide_max,
        1e3 * work->after.penetration_p99);
    picture_Walk picture = picture_walk_default();
    picture.clip = work->clip;
    picture.terrain = work->terrain;
    picture.up = cli_up(&work->input);
    picture.title = "On the ground";
    picture.subtitle = subtitle;
    if (cli_save_walk(&picture, path, &message) == SINEW_STATUS_OK) { return true; }
    cli_error("%s", message.text);
    return false;
}

static int run_ground(Work *work)
{
    const Request *request = work->request;
    if (!prepare(work) || !put_on_ground(work)) { return CLI_FAILED; }
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
    case TERRAIN: request->terrain = value; return true;
    case OUT: request->out = value; return cli_check_motion_path("--output", value, false);
    case LOOK_AHEAD:
        return cli_parse_number(
            "--look-ahead", value, 0.0, SINEW_MAX_GROUNDER_LOOK_AHEAD, &request->look_ahead);
    case FLOOR:
        request->has_floor = true;
        return cli_parse_number("--floor", value, -1e6, 1e6, &request->floor);
    case REACH: return cli_parse_number("--reach", value, 0.8, 1.0, &request->reach);
    case SHIFT: return cli_parse_number("--max-shift", value, 0.0, 0.5, &request->max_shift);
    default: return cli_take_input_option(&request->read, option->id, value);
    }
}

static int run(int argc, char **argv)
{
    sinew_GrounderDef usual = sinew_grounder_def_default();
    Request request = { .look_ahead = 2.0, .reach = usual.reach, .max_shift = usual.max_shift };
    cli_Parser parser;
    const char *value = NULL;
    request.read = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_ground, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    request.picture = parser.picture;
    if (request.terrain == NULL) {
        return cli_usage_error(&cli_command_ground, "--terrain says which ground");
    }
    if (request.picture != NULL && !cli_check_picture_path("--picture", request.picture)) {
        return CLI_USAGE;
    }
    Work work = { .request = &request };
    int code = cli_open_terrain(request.terrain, &work.terrain);
    if (code != CLI_DONE) { return code; }
    if (!cli_input_open_measured(&work.input, parser.plain[0], &request.read)) {
        sinew_terrain_destroy(work.terrain);
        return CLI_FAILED;
    }
    code = run_ground(&work);
    sinew_grounder_destroy(work.grounder);
    sinew_terrain_destroy(work.terrain);
    sinew_clip_destroy(work.clip);
    free(work.reports);
    cli_input_close(&work.input);
    return code;
}

const cli_Command cli_command_ground = {
    "ground",
    "Put the feet of a motion on a ground",
    "CLIP --terrain GROUND [-o OUT] [OPTIONS]",
    "CLIP is a motion of a person on a level floor. Feet that stand are locked in prints on the\n"
    "ground, soles as steep as it is; feet on the way clear it; hips follow it and sink where a "
    "leg\n"
    "would be too short. Told are slide, depth, accelerations and how often the ground was "
    "asked.\n",
    "  sinew ground walk.bvh --terrain hills:1 -o hills.bvh --picture hills.png\n"
    "  sinew ground walk.bvh --terrain stairs:0.17,0.29 --json\n"
    "  sinew ground walk.bvh --terrain ramp:15 --look-ahead 0.1\n",
    { own_options, cli_input_options, cli_motion_options, cli_picture_options, cli_common_options },
    1,
    1,
    run,
    true,
    NULL,
};
