// `sinew retarget`: a motion on another character.

#include "commands.h"

#include "output.h"
#include "retarget_run.h"
#include "table.h"

#include "base/message.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { TO = 1, OUT, RIG, MAP, MAP_OUT, FREE_FEET, FREE_HANDS, REACH, AGAIN, INDIVIDUAL, FLOAT };

static const cli_Option own_options[] = {
    { TO, "to", 't', "FILE", "the character: .bvh, .glb, .gltf, .urdf or scene:NAME" },
    { FLOAT, "float", 0, NULL,
        "the base of a robot moves; URDF files fix it, so that this is done for each of them\n"
        "and told where it is not asked for" },
    { OUT, "output", 'o', "FILE|DIR/",
        "the character in motion; of several clips or a folder, a folder\n"
        "(what is in it already is left: an interrupted run goes on)" },
    { RIG, "rig", 'r', "RIG.json|auto|none", CLI_RIG_HELP },
    { MAP, "map", 'm', "FILE.json", "joints of the character that turn as others than by role" },
    { MAP_OUT, "map-out", 0, "FILE.json", "write which joint turns as which" },
    { FREE_FEET, "free-feet", 0, NULL, "hold no contacts: turns and scaled places alone" },
    { FREE_HANDS, "free-hands", 0, NULL, "hands keep to nothing" },
    { REACH, "reach", 0, "SHARE",
        "of a leg's length that is used, 0.8..1 (default 0.98): more lets\n"
        "knees snap straight, less lowers the hips" },
    { INDIVIDUAL, "individual", 'i', "TRAIT[:0..1],...|FILE.json", CLI_INDIVIDUAL_HELP },
    { AGAIN, "again", 0, NULL, "of many clips, also those done before" },
    { 0, NULL, 0, NULL, NULL },
};

static bool take_option(cli_RetargetRequest *request, const cli_Option *option, const char *value)
{
    switch (option->id) {
    case TO: request->target = value; return true;
    case OUT: request->out = value; return true;
    case RIG: request->rig = value; return true;
    case MAP: request->map = value; return true;
    case MAP_OUT: request->map_out = value; return true;
    case FREE_FEET: request->keep_feet = false; return true;
    case FREE_HANDS: request->keep_hands = false; return true;
    case REACH: return cli_parse_number("--reach", value, 0.8, 1.0, &request->reach);
    case INDIVIDUAL: request->traits = value; return true;
    case FLOAT: request->is_floating = true; return true;
    case AGAIN: request->again = true; return true;
    default: return cli_take_input_option(&request->read, option->id, value);
    }
}

static bool is_folder(const char *path)
{
    struct stat status;
    size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/')
        || (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

static void print_text(
    const cli_RetargetRequest *request, const char *clip, const cli_RetargetFigures *f)
{
    const sinew_RetargetReport *r = &f->report;
    cli_print("%s on %s: %d frame%s at %.4g per second, legs %.2f times the source's\n",
        cli_base_name(clip), cli_base_name(request->target), r->frame_count,
        snw_plural(r->frame_count), f->fps, f->scale);
    cli_Table table = cli_table_begin("lrl");
    cli_table_cell(&table, "joints matched");
    cli_table_cell(&table, "%d", f->matched);
    cli_table_cell(&table, "the others go with their parents");
    cli_table_cell(&table, "prints of feet");
    cli_table_cell(&table, "%d", r->prints[0] + r->prints[1]);
    cli_table_cell(&table, "%d left, %d right", r->prints[0], r->prints[1]);
    cli_table_cell(&table, "slide");
    cli_table_cell(&table, "%.2f mm", 1e3 * f->slide_median);
    cli_table_cell(&table,
        "median of %d contact%s found anew; p95 %.1f, max %.1f; source %.1f, %.1f", f->contacts,
        snw_plural(f->contacts), 1e3 * f->slide_p95, 1e3 * f->slide_max,
        1e3 * f->source_slide_median, 1e3 * f->source_slide_max);
    cli_table_cell(&table, "below the floor");
    cli_table_cell(&table, "%.1f mm", 1e3 * f->below_max);
    cli_table_cell(&table, "at most, soles of all frames; p99 %.1f; source %.1f",
        1e3 * f->below_p99, 1e3 * f->source_below_max);
    cli_table_cell(&table, "hips lowered");
    cli_table_cell(&table, "%.0f mm", 1e3 * r->hips_lowered_max);
    cli_table_cell(&table, "at most, so that legs reach; mean %.0f mm", 1e3 * r->hips_lowered_mean);
    if (request->keep_feet) {
        cli_table_cell(&table, "floor");
        cli_table_cell(&table, "%.0f mm", 1e3 * r->source_floor);
        cli_table_cell(&table, "of the source, now at height 0");
    }
    cli_table_cell(&table, "shaking");
    cli_table_cell(&table, "%.2f", f->jitter_ratio);
    cli_table_cell(&table, "times the source's");
    cli_table_cell(&table, "limits exceeded by");
    cli_table_cell(&table, "%.3g rad", r->limit_violation);
    cli_table_cell(
        &table, "at most; %d frame%s solved", r->solved_frames, snw_plural(r->solved_frames));
    cli_table_cell(&table, "time");
    cli_table_cell(&table, "%.1f us", 1e6 * f->time);
    cli_table_cell(&table, "per frame; %.0f frames per second", 1.0 / f->time);
    cli_table_end(&table, "  ");
    for (int i = 0; i < f->warning_count; ++i) { cli_print("  Note: %s.\n", f->warnings[i]); }
    if (request->out != NULL) { cli_print("Motion: %s\n", request->out); }
    if (request->picture != NULL) { cli_print("Picture: %s\n", request->picture); }
}

static int run_one(cli_RetargetTarget *target, const cli_RetargetRequest *request, const char *clip)
{
    cli_RetargetFigures figures;
    if (!cli_retarget_one(target, request, clip, request->out, request->picture, &figures)) {
        return CLI_FAILED;
    }
    if (request->json) {
        cli_Json out = cli_json_begin();
        cli_json_text(&out, "clip", clip);
        cli_json_text(&out, "target", request->target);
        cli_json_text(&out, "rig", cli_rig_name(&target->input));
        cli_retarget_put_json(&out, &figures);
        cli_json_end(&out);
    } else {
        print_text(request, clip, &figures);
    }
    return CLI_DONE;
}

static int check(const cli_Parser *parser, const cli_RetargetRequest *request, bool many)
{
    const cli_Command *command = &cli_command_retarget;
    if (request->target == NULL) { return cli_usage_error(command, "--to says which character"); }
    if (many && (request->out == NULL || request->picture != NULL || request->map_out != NULL)) {
        return cli_usage_error(
            command, "several clips go into a folder (-o DIR/), without --picture and --map-out");
    }
    if (!many && request->again) {
        return cli_usage_error(command, "--again goes with many clips");
    }
    if (many && !cli_check_folder("--output", request->out)) { return CLI_USAGE; }
    if (!many && request->out != NULL && !cli_check_motion_path("--output", request->out, false)) {
        return CLI_USAGE;
    }
    if (parser->picture != NULL && !cli_check_picture_path("--picture", parser->picture)) {
        return CLI_USAGE;
    }
    return CLI_DONE;
}

static int run(int argc, char **argv)
{
    cli_RetargetRequest request = { .keep_feet = true, .keep_hands = true };
    cli_RetargetTarget target;
    cli_Parser parser;
    const char *value = NULL;
    request.read = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_retarget, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    request.picture = parser.picture;
    bool many = parser.plain_count > 1 || is_folder(parser.plain[0])
        || (request.out != NULL && is_folder(request.out));
    int code = check(&parser, &request, many);
    sinew_Individual individual;
    if (code == CLI_DONE && request.traits != NULL) {
        code = cli_take_individual("--individual", request.traits, &individual);
        request.individual = &individual;
    }
    if (code != CLI_DONE) { return code; }
    if (!cli_retarget_open(&target, &request)) { return CLI_FAILED; }
    code = many ? cli_retarget_batch(&target, &request, parser.plain, parser.plain_count)
                : run_one(&target, &request, parser.plain[0]);
    // what is refused is told in one line
    if (code == CLI_DONE && !request.is_floating) { cli_tell_float(&target.input, "travel"); }
    cli_retarget_close(&target);
    return code;
}

const cli_Command cli_command_retarget = {
    "retarget",
    "Move a motion to another character, feet and hands held where they touch",
    "CLIP... --to CHARACTER [-o OUT] [OPTIONS]",
    "CLIP and CHARACTER are motion files that need not know of each other: other names, rest "
    "poses,\n"
    "proportions, axes of bones. Joints are matched by role, or by a map. Feet stand where they\n"
    "stand in the source, others clear the floor; hips sink where legs are too short. Told is how\n"
    "far contacts, found anew in the result, slide, for a leg of 0.9 m, and how far soles are "
    "below\n"
    "the floor in any frame. Several clips, or a folder, go into a folder, on all processors.\n",
    "  sinew retarget walk.bvh --to me.glb -o me_walking.glb\n"
    "  sinew retarget takes/*.bvh --to me.glb -o out/ --json\n"
    "  sinew retarget dance.bvh --to me.glb --map-out map.json\n"
    "  sinew retarget dance.bvh --to me.glb --map map.json --rig auto -o dance.glb\n",
    { own_options, cli_input_options, cli_motion_options, cli_picture_options, cli_common_options },
    1,
    CLI_MAX_PLAIN,
    run,
    true,
    NULL,
};
