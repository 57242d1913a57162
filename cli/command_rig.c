// `sinew rig`: which joint is which, how far it goes and what it weighs; as a table and as a file.

#include "commands.h"

#include "disk.h"
#include "input.h"
#include "json.h"
#include "limits.h"
#include "output.h"
#include "stance.h"
#include "table.h"
#include "targets.h"

#include "base/message.h"
#include "sinew/rig_starts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT = 1, RIG, FIT, MARGIN, HINGES, STARTS, FROM, STANCE, INDIVIDUAL };

/// Most clips of --fit.
enum { MAX_CLIPS = 256 };

#define FIT_MARGIN 5.0

static const cli_Option own_options[] = {
    { OUT, "output", 'o', "FILE.rig.json", "write the rig" },
    { STANCE, "stance", 0, "FILE.bvh", "write how the body stands, as a motion of one frame" },
    { RIG, "rig", 'r', "RIG.json|auto|none",
        "start from this rig file, whose words go before the guess\n"
        "(default: FILE.rig.json beside FILE, where there is one)" },
    { FIT, "fit", 'f', "CLIP",
        "tighten limits to what this motion does; may be given several\n"
        "times, and FILE itself may be one of them" },
    { MARGIN, "margin", 'm', "DEGREES", "room that --fit leaves around the motion (default 5)" },
    { HINGES, "hinges", 0, NULL,
        "make elbows, knees and fingers hinges instead of balls with narrow\n"
        "limits" },
    { INDIVIDUAL, "individual", 'i', "TRAIT[:0..1],...|FILE.json", CLI_INDIVIDUAL_HELP },
    { STARTS, "starts", 's', "A[:pose],B,...",
        "find start poses for goals of these joints (or roles) and keep them:\n"
        "sinew solve with this rig then starts from the best of them" },
    { FROM, "from", 0, "JOINT", "with --starts: only this joint and those below it may move" },
    { 0, NULL, 0, NULL, NULL },
};

typedef struct Request {
    sinew_ReadOptions read;
    const char *out, *rig, *starts, *from, *stance;
    const char *clips[MAX_CLIPS];
    int clip_count;
    double margin;
    bool hinges, json;
    const char *traits; // of --individual, NULL without
    sinew_Individual individual;
} Request;

// ---------------------------------------------------------------------------------------------
// Fitting

/// Whether the joints of two files are the same ones; false after a message.
static bool check_same_body(const cli_Input *input, const cli_Input *other)
{
    const sinew_Skeleton *a = sinew_clip_skeleton(input->source);
    const sinew_Skeleton *b = sinew_clip_skeleton(other->source);
    int count = sinew_skeleton_joint_count(a);
    bool same = count == sinew_skeleton_joint_count(b)
        && sinew_skeleton_coordinate_count(a) == sinew_skeleton_coordinate_count(b);
    int j = 0;
    for (; same && j < count; ++j) {
        const sinew_Joint *x = &sinew_skeleton_joints(a)[j], *y = &sinew_skeleton_joints(b)[j];
        same = x->parent == y->parent && strcmp(x->name, y->name) == 0;
    }
    if (!same) { cli_error("--fit: %s has other joints than %s", other->name, input->name); }
    return same;
}

static bool fit(cli_Input *input, const Request *request, sinew_Rig *rig)
{
    cli_Input *clips = calloc((size_t)request->clip_count, sizeof *clips);
    sinew_PoseList *lists = calloc((size_t)request->clip_count, sizeof *lists);
    bool good = clips != NULL && lists != NULL;
    int opened = 0;
    if (!good) { cli_out_of_memory(); }
    for (int i = 0; good && i < request->clip_count; ++i) {
        const sinew_ReadOptions read = cli_read_second(request->clips[i], &request->read);
        good = cli_input_open_measured(&clips[i], request->clips[i], &read);
        if (!good) { break; }
        ++opened;
        good = check_same_body(input, &clips[i]);
        lists[i].count = sinew_clip_frame_count(clips[i].source);
        lists[i].q = lists[i].count > 0 ? sinew_clip_frame_const(clips[i].source, 0) : NULL;
    }
    if (good) {
        sinew_Message message = { "" };
        sinew_Status status = sinew_rig_fit(rig, sinew_clip_skeleton(input->source), lists,
            request->clip_count, request->margin, &message);
        good = status == SINEW_STATUS_OK;
        if (!good) { cli_error("--fit: %s", message.text); }
    }
    for (int i = 0; i < opened; ++i) { cli_input_close(&clips[i]); }
    free(clips);
    free(lists);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Starts

/// Build a table for the joints asked for, on the body as the rig makes it.
static bool build_starts(
    cli_Input *input, const Request *request, const sinew_Skeleton *rigged, sinew_Rig *rig)
{
    cli_Target *targets = NULL;
    sinew_Message message = { "" };
    int count = cli_find_targets(input, "--starts", request->starts, &targets);
    int root = request->from != NULL && count > 0 ? cli_find_joint(input, "--from", request->from)
                                                  : -1;
    bool good = count > 0 && (request->from == NULL || root >= 0);
    sinew_Goal *goals = good ? calloc((size_t)count, sizeof *goals) : NULL;
    for (int i = 0; goals != NULL && i < count; ++i) {
        sinew_Vec3 origin = { 0.0, 0.0, 0.0 };
        goals[i] = targets[i].turned
            ? sinew_goal_pose(targets[i].joint, origin, sinew_quat_identity())
            : sinew_goal_position(targets[i].joint, origin);
        goals[i].chain_root = root;
    }
    sinew_StartTable *table = NULL;
    sinew_StartDef def = sinew_start_def_default();
    def.skeleton = rigged;
    def.goals = goals;
    def.goal_count = count;
    double share = 0.0;
    if (goals != NULL) {
        sinew_Status status = sinew_start_table_build(&def, &table, &share, &message);
        if (status == SINEW_STATUS_OK) {
            status = sinew_rig_keep_starts(rig, request->starts, rigged, table);
        }
        good = status == SINEW_STATUS_OK;
        if (!good) {
            cli_error(
                "--starts: %s", message.text[0] != '\0' ? message.text : sinew_status_text(status));
        } else if (!request->json) {
            cli_print("Starts for %s: %.1f %% of random reachable goals are served by %d pose%s.\n",
                request->starts, 100.0 * share, sinew_start_table_data(table)->start_count,
                snw_plural(sinew_start_table_data(table)->start_count));
        }
    }
    sinew_start_table_destroy(table);
    free(goals);
    free(targets);
    return good && goals != NULL;
}

static bool find_starts(cli_Input *input, const Request *request, sinew_Rig *rig)
{
    sinew_Message message = { "" };
    sinew_Skeleton *rigged = NULL;
    if (sinew_rig_apply(sinew_clip_skeleton(input->source), rig, NULL, &rigged, &message)
        != SINEW_STATUS_OK) {
        cli_error("%s: %s", input->name, message.text);
        return false;
    }
    bool good = build_starts(input, request, rigged, rig);
    sinew_skeleton_destroy(rigged);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Text

static void print_head(const cli_Input *input, const sinew_Rig *rig)
{
    const sinew_RoleGuess *roles = input->roles;
    double mass = 0.0;
    for (int i = 0; i < sinew_rig_joint_count(rig); ++i) {
        const sinew_RigJoint *joint = sinew_rig_joint(rig, i);
        if (joint->has & SINEW_RIG_HAS_MASS) { mass += joint->mass; }
    }
    cli_print("%s: %s", input->name, sinew_body_kind_name(roles->kind));
    if (roles->kind != SINEW_BODY_OTHER) {
        cli_print(", %.0f %% sure, by %s", 100.0 * roles->confidence,
            sinew_role_source_name(roles->source));
    }
    putchar('\n');
    if (input->rig_path != NULL) { cli_print("  said by    %s\n", input->rig_path); }
    if (roles->stature > 0.0) { cli_print("  stature    %.2f m\n", roles->stature); }
    if (mass > 0.0) { cli_print("  mass       %.1f kg\n", mass); }
    if (roles->kind != SINEW_BODY_OTHER) {
        cli_print("  up, left   %s, %s%s\n", cli_direction_name(roles->up),
            cli_direction_name(roles->left),
            roles->reference_frame >= 0 ? " in a frame of the motion: the rest pose is no figure"
                                        : "");
    }
    if (roles->kind == SINEW_BODY_HUMANOID) { cli_print_stance(input->stance); }
    for (int i = 0; i < roles->warning_count; ++i) {
        cli_print("  %-9s  %s\n", i == 0 ? "doubts" : "", roles->warnings[i]);
    }
    putchar('\n');
}

static void print_text(const cli_Input *input, const sinew_Rig *rig, const Request *request)
{
    print_head(input, rig);
    cli_Table table = cli_table_begin("lllllr");
    cli_table_cell(&table, "joint");
    cli_table_cell(&table, "role");
    cli_table_cell(&table, "kind");
    cli_table_cell(&table, "reach (deg)");
    cli_table_cell(&table, "twist (deg)");
    cli_table_cell(&table, "mass (kg)");
    for (int i = 0; i < sinew_rig_joint_count(rig); ++i) {
        const sinew_RigJoint *joint = sinew_rig_joint(rig, i);
        char text[CLI_TABLE_CELL];
        cli_table_cell(&table, "%s", joint->key);
        cli_table_cell(&table, "%s", cli_role_text(joint, text, sizeof text));
        cli_table_cell(&table, "%s", cli_kind_text(input->source, joint, text, sizeof text));
        cli_table_cell(&table, "%s", cli_reach_text(input->source, joint, text, sizeof text));
        cli_table_cell(&table, "%s", cli_twist_text(joint, text, sizeof text));
        if (joint->has & SINEW_RIG_HAS_MASS) {
            cli_table_cell(&table, "%.2f", joint->mass);
        } else {
            cli_table_cell(&table, "-");
        }
    }
    cli_table_end(&table, "  ");
    if (sinew_rig_effector_count(rig) > 0) { cli_print("\n  effectors: "); }
    for (int i = 0; i < sinew_rig_effector_count(rig); ++i) {
        const sinew_RigEffector *effector = sinew_rig_effector(rig, i);
        cli_print("%s%s (%s)", i > 0 ? ", " : "", effector->name, effector->key);
    }
    if (sinew_rig_effector_count(rig) > 0) { putchar('\n'); }
    for (int i = 0; i < sinew_rig_starts_count(rig); ++i) {
        const sinew_RigStarts *starts = sinew_rig_starts(rig, i);
        cli_print("  starts: %s, %d pose%s\n", starts->name, starts->pose_count,
            snw_plural(starts->pose_count));
    }
    if (request->out != NULL) { cli_print("Rig: %s\n", request->out); }
}

// ---------------------------------------------------------------------------------------------
// The whole

static void print_json(const cli_Input *input, const sinew_Rig *rig)
{
    const sinew_RoleGuess *roles = input->roles;
    cli_Json out = cli_json_begin();
    cli_json_text(&out, "body", sinew_body_kind_name(roles->kind));
    cli_json_number(&out, "confidence", roles->confidence);
    cli_json_text(&out, "found_by", sinew_role_source_name(roles->source));
    cli_json_number(&out, "stature_m", roles->stature);
    cli_json_number(&out, "unit_m", sinew_rig_unit(rig));
    cli_json_text(&out, "rig", input->rig_path != NULL ? input->rig_path : "auto");
    cli_json_stance(&out, input->skeleton, input->stance);
    cli_json_roles(&out, rig);
    cli_json_limits(&out, input->source, rig);
    cli_json_object(&out, "effectors");
    for (int i = 0; i < sinew_rig_effector_count(rig); ++i) {
        const sinew_RigEffector *effector = sinew_rig_effector(rig, i);
        cli_json_text(&out, effector->name, effector->key);
    }
    cli_json_object_end(&out);
    cli_json_array(&out, "warnings");
    for (int i = 0; i < roles->warning_count; ++i) {
        cli_json_text(&out, NULL, roles->warnings[i]);
    }
    cli_json_array_end(&out);
    cli_json_end(&out);
}

static bool write(const Request *request, const sinew_Rig *rig)
{
    sinew_Message message = { "" };
    if (cli_save_rig(request->out, rig, &message) == SINEW_STATUS_OK) { return true; }
    cli_error("%s", message.text);
    return false;
}

static bool write_stance(cli_Input *input, const char *path)
{
    sinew_Clip *clip = cli_stance_clip(input);
    if (clip == NULL) { return false; }
    sinew_WriteOptions options = cli_write_options(path, input, input);
    bool good = cli_write_motion(path, clip, &options);
    sinew_clip_destroy(clip);
    return good;
}

static int run_rig(const Request *request, const char *path)
{
    cli_Input input;
    if (!cli_input_open_rigged(&input, path, &request->read, request->rig)) { return CLI_FAILED; }
    // what the file said goes before a new guess, which may take hinges
    sinew_Rig *rig = NULL;
    if (input.rig_path != NULL && !request->hinges) {
        rig = input.rig;
        input.rig = NULL;
    } else {
        rig = cli_guess_rig(&input, NULL, request->hinges);
    }
    bool good = rig != NULL && cli_input_stance(&input) != NULL;
    if (good && request->stance != NULL) { good = write_stance(&input, request->stance); }
    if (good && request->clip_count > 0) { good = fit(&input, request, rig); }
    if (good && request->traits != NULL) {
        sinew_Message message = { "" };
        good = sinew_individual_rig(&request->individual, rig, &message) == SINEW_STATUS_OK;
        if (!good) { cli_error("%s", message.text); }
    }
    if (good && request->starts != NULL) { good = find_starts(&input, request, rig); }
    if (good && request->out != NULL) { good = write(request, rig); }
    if (good && request->json) {
        print_json(&input, rig);
    } else if (good) {
        print_text(&input, rig, request);
    }
    sinew_rig_destroy(rig);
    cli_input_close(&input);
    return good ? CLI_DONE : CLI_FAILED;
}

static bool take_option(Request *request, const cli_Option *option, const char *value)
{
    switch (option->id) {
    case OUT:
        request->out = value;
        if (cli_has_ending(value, ".json")) { return true; }
        cli_error("--output: found '%s', expected a name that ends in .json", value);
        return false;
    case RIG: request->rig = value; return true;
    case FIT:
        if (request->clip_count == MAX_CLIPS) {
            cli_error("--fit: at most %d clips", (int)MAX_CLIPS);
            return false;
        }
        request->clips[request->clip_count++] = value;
        return true;
    case STARTS: request->starts = value; return true;
    case FROM: request->from = value; return true;
    case MARGIN: return cli_parse_number("--margin", value, 0.0, 45.0, &request->margin);
    case HINGES: request->hinges = true; return true;
    case INDIVIDUAL: request->traits = value; return true;
    case STANCE: request->stance = value; return cli_check_motion_path("--stance", value, false);
    default: return cli_take_input_option(&request->read, option->id, value);
    }
}

static int run(int argc, char **argv)
{
    static Request request;
    cli_Parser parser;
    const char *value = NULL;
    memset(&request, 0, sizeof request);
    request.margin = FIT_MARGIN;
    request.read = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_rig, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    if (request.traits != NULL) {
        int code = cli_take_individual("--individual", request.traits, &request.individual);
        if (code != CLI_DONE) { return code; }
    }
    return run_rig(&request, parser.plain[0]);
}

static const cli_Rule rules[] = {
    { "margin", CLI_GOES_WITH, "fit" },
    { "from", CLI_GOES_WITH, "starts" },
    { NULL, CLI_GOES_WITH, NULL },
};

const cli_Command cli_command_rig = {
    "rig",
    "Tell which joint is which, with limits and masses; write a rig file",
    "FILE [-o FILE.rig.json] [--fit CLIP]... [OPTIONS]",
    "FILE is a motion file or scene:NAME. Roles are guessed from names, shape and proportions;\n"
    "limits are those of people, counted from the anatomical neutral pose, whatever the file's\n"
    "rest pose is. What a rig file says goes before the guess. docs/rig.md explains the format.\n",
    "  sinew rig walk.bvh\n"
    "  sinew rig walk.bvh -o walk.rig.json\n"
    "  sinew rig walk.bvh --fit walk.bvh --fit run.bvh -o walk.rig.json --force\n",
    { own_options, cli_input_options, cli_motion_options, cli_common_options },
    1,
    1,
    run,
    true,
    rules,
};
