// `sinew info`: what is in a motion file.

#include "commands.h"

#include "files.h"
#include "info_limbs.h"
#include "input.h"
#include "json.h"
#include "limits.h"
#include "stance.h"
#include "table.h"

#include "base/message.h"
#include "measure/motion_meter.h"
#include "sinew/gltf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCENES = 1, RIG, LONGEST_NAME = 512 };

static const cli_Option own_options[] = {
    { RIG, "rig", 'r', "RIG.json|auto|none",
        "roles and limits: a rig file or auto (default: FILE.rig.json\n"
        "beside FILE, where there is one, else auto)" },
    { SCENES, "scenes", 0, NULL, "list the built-in bodies" },
    { 0, NULL, 0, NULL, NULL },
};

// ---------------------------------------------------------------------------------------------
// Words

static int end_site_count(const cli_Input *input)
{
    int count = 0;
    for (int j = 0; j < sinew_skeleton_joint_count(input->skeleton); ++j) {
        count += cli_is_end_site(input, j) ? 1 : 0;
    }
    return count;
}

static const char *format_name(const cli_Input *input)
{
    if (input->file == NULL) { return "scene"; }
    return sinew_format_name(sinew_motion_format(input->file));
}

static double unit_metres(const cli_Input *input)
{
    return input->file != NULL ? sinew_motion_unit(input->file) : 1.0;
}

/// Short word for how sure the unit is.
static const char *unit_source_name(const cli_Input *input)
{
    if (input->file == NULL) { return "given"; }
    switch (sinew_motion_unit_source(input->file)) {
    case SINEW_UNIT_GIVEN: return "given";
    case SINEW_UNIT_GUESSED: return "guessed";
    case SINEW_UNIT_SCALED: return "scaled";
    case SINEW_UNIT_ASSUMED: return "assumed";
    case SINEW_UNIT_NOTED: return "noted";
    }
    return "assumed";
}

static const char *unit_reason(const cli_Input *input)
{
    if (input->file == NULL) { return "scenes are in metres"; }
    if (cli_is_robot(input) && sinew_motion_unit(input->file) == 1.0) {
        return "URDF files are in metres";
    }
    bool is_gltf = sinew_motion_format(input->file) == SINEW_FORMAT_GLTF;
    if (is_gltf && sinew_motion_unit(input->file) == 1.0) { return "glTF files are in metres"; }
    switch (sinew_motion_unit_source(input->file)) {
    case SINEW_UNIT_GIVEN: return input->unit_of_rig ? "as the rig file says" : "as --unit says";
    case SINEW_UNIT_GUESSED: return "guessed: with it the figure has a human size";
    case SINEW_UNIT_SCALED:
        return "no unit gives a human size; scaled so that the figure is 1.7 m tall";
    case SINEW_UNIT_ASSUMED: return "assumed: there is no figure to judge by";
    case SINEW_UNIT_NOTED: return "as the file notes";
    }
    return "assumed";
}

static const char *unit_text(const cli_Input *input, char *buffer, size_t size)
{
    const char *name = cli_unit_name(unit_metres(input));
    if (name != NULL) { return name; }
    snprintf(buffer, size, "%.6g m", unit_metres(input));
    return buffer;
}

/// Frames per second as people write it: 1/.0083333 is 120; 1/0.041708, of television, is not 24 but 24000/1001.
static double frame_rate(const cli_Input *input)
{
    double rate = 1.0 / sinew_clip_frame_time(input->clip);
    double whole = round(rate);
    return whole >= 1.0 && fabs(rate - whole) < 5e-4 * whole ? whole : rate;
}

// ---------------------------------------------------------------------------------------------
// Text

static void print_axes(cli_Table *table, const cli_Input *input, const sinew_Joint *joint)
{
    const sinew_Axis *axes = sinew_skeleton_axes(input->skeleton);
    char text[CLI_TABLE_CELL] = "";
    for (int a = 0; a < joint->axis_count; ++a) {
        const sinew_Axis *axis = &axes[joint->axis_start + a];
        size_t used = strlen(text);
        char range[48] = "";
        bool slide = axis->kind == SINEW_AXIS_SLIDE;
        if (isfinite(axis->lower) || isfinite(axis->upper)) {
            double scale = slide ? 1.0 : 180.0 / SINEW_PI;
            snprintf(range, sizeof range, " %.4g..%.4g%s", scale * axis->lower, scale * axis->upper,
                slide ? " m" : " deg");
        }
        snprintf(text + used, sizeof text - used, "%s%s%s", used > 0 ? ", " : "",
            slide                                ? "slide"
                : axis->kind == SINEW_AXIS_HINGE ? "hinge"
                                                 : "ball",
            range);
    }
    if (strcmp(text, "slide, slide, slide") == 0) { memcpy(text, "3 slides", 9); }
    if (strcmp(text, "slide, slide, slide, ball") == 0) { memcpy(text, "3 slides, ball", 15); }
    bool locked = joint->axis_count > 0;
    for (int a = 0; a < joint->axis_count; ++a) {
        locked = locked && axes[joint->axis_start + a].mobility == 0.0;
    }
    if (locked) { strncat(text, ", locked", sizeof text - strlen(text) - 1); }
    if (joint->axis_count == 0) { snprintf(text, sizeof text, "%s", "-"); }
    cli_table_cell(table, "%s", text);
}

/// Names of the coordinates as start.NAME and q.NAME take them, without the joint's own part.
static void print_coordinates(cli_Table *table, const cli_Input *input, const sinew_Joint *joint)
{
    char text[CLI_TABLE_CELL] = "";
    size_t own = strlen(joint->name);
    for (int c = 0; c < joint->coordinate_count; ++c) {
        char name[LONGEST_NAME];
        size_t used = strlen(text);
        sinew_skeleton_coordinate_name(
            input->skeleton, joint->coordinate_start + c, name, sizeof name);
        bool longer = strlen(name) > own && strncmp(name, joint->name, own) == 0;
        snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? " " : "",
            longer ? name + own : "(plain name)");
    }
    cli_table_cell(table, "%s", text);
}

/// The role of a joint as the rig has it, or nothing.
static const char *role_note(const cli_Input *input, int joint, char *text, size_t size)
{
    char key[LONGEST_NAME], name[64];
    sinew_rig_key(input->skeleton, joint, key, sizeof key);
    const sinew_RigJoint *said = sinew_rig_find_joint(input->rig, key);
    text[0] = '\0';
    if (said != NULL && (said->has & SINEW_RIG_HAS_ROLE)) {
        snprintf(text, size, "%s", cli_role_text(said, name, sizeof name));
    }
    return text;
}

static void print_tree(const cli_Input *input)
{
    const sinew_Joint *joints = sinew_skeleton_joints(input->skeleton);
    bool links = cli_is_robot(input);
    cli_Table table = cli_table_begin(links ? "lllrrrll" : "llrrrll");
    cli_table_cell(&table, "joint");
    if (links) { cli_table_cell(&table, "link"); }
    cli_table_cell(&table, "role");
    cli_table_cell(&table, "offset x");
    cli_table_cell(&table, "y");
    cli_table_cell(&table, "z (m)");
    cli_table_cell(&table, "moves by");
    cli_table_cell(&table, "degrees of freedom: JOINT and");
    for (int j = 0; j < sinew_skeleton_joint_count(input->skeleton); ++j) {
        // 24 steps of indent show where a joint is; deeper chains would leave the screen
        char role[64];
        int depth = 0;
        for (int p = joints[j].parent; p >= 0 && depth < 24; p = joints[p].parent) { depth += 1; }
        cli_table_cell(&table, "%*s%s%s", 2 * depth, "", joints[j].name,
            cli_is_end_site(input, j) ? " (end)" : "");
        if (links) { cli_table_cell(&table, "%s", sinew_motion_link(input->file, j)); }
        cli_table_cell(&table, "%s", role_note(input, j, role, sizeof role));
        cli_table_cell(&table, "%.4f", joints[j].offset.x);
        cli_table_cell(&table, "%.4f", joints[j].offset.y);
        cli_table_cell(&table, "%.4f", joints[j].offset.z);
        print_axes(&table, input, &joints[j]);
        print_coordinates(&table, input, &joints[j]);
    }
    cli_table_end(&table, "  ");
}

/// How many joints of the file itself have limits.
static int limited_joint_count(const cli_Input *input)
{
    const sinew_Axis *axes = sinew_skeleton_axes(input->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(input->skeleton);
    int count = 0, last = -1;
    for (int a = 0; a < sinew_skeleton_axis_count(input->skeleton); ++a) {
        bool limited = axes[a].limit != NULL || isfinite(axes[a].lower) || isfinite(axes[a].upper);
        if (limited && places[a].joint != last) { ++count; }
        if (limited) { last = places[a].joint; }
    }
    return count;
}

/// What the figure is, and what of it has limits; sinew rig tells more.
static void print_roles(const cli_Input *input)
{
    const sinew_RoleGuess *roles = input->roles;
    bool own = cli_is_robot(input) && input->rig_path == NULL;
    int limits = own ? limited_joint_count(input) : 0;
    for (int i = 0; i < sinew_rig_joint_count(input->rig); ++i) {
        const unsigned any = SINEW_RIG_HAS_WINDOWS | SINEW_RIG_HAS_TWIST | SINEW_RIG_HAS_RANGES;
        limits += (sinew_rig_joint(input->rig, i)->has & any) != 0 ? 1 : 0;
    }
    cli_print("  body                %s", sinew_body_kind_name(roles->kind));
    if (roles->kind != SINEW_BODY_OTHER && roles->kind != SINEW_BODY_ROBOT_ARM) {
        cli_print(" (%.0f %% sure, by %s)", 100.0 * roles->confidence,
            sinew_role_source_name(roles->source));
    }
    cli_print("\n  limits              %d joint%s, %s%s\n", limits, snw_plural(limits),
        input->rig_path != NULL ? cli_rig_text(input)
            : own               ? "those of the file"
                                : "guessed; used with --rig auto",
        own ? "" : " (sinew rig tells more)");
    for (int i = 0; i < roles->warning_count; ++i) {
        cli_print("  %-18s  %s\n", i == 0 ? "doubts" : "", roles->warnings[i]);
    }
}

/// Animations, skins and triangles of a glTF.
static void print_gltf(const cli_Input *input, const sinew_Gltf *gltf)
{
    long triangles = 0;
    int parts = sinew_gltf_part_count(gltf), count = sinew_gltf_animation_count(gltf);
    for (int p = 0; p < parts; ++p) { triangles += sinew_gltf_part(gltf, p)->triangle_count; }
    cli_print("  nodes               %d, %d skin%s, %d mesh part%s of %ld triangle%s\n",
        sinew_gltf_node_count(gltf), sinew_gltf_skin_count(gltf),
        snw_plural(sinew_gltf_skin_count(gltf)), parts, snw_plural(parts), triangles,
        snw_plural((double)triangles));
    for (int a = 0; a < count; ++a) {
        const char *name = sinew_gltf_animation_name(gltf, a);
        cli_print("  %-18s  %d %s, %.2f s%s\n", a == 0 ? "animations" : "", a,
            name[0] != '\0' ? name : "(no name)", sinew_gltf_animation_duration(gltf, a),
            a == sinew_motion_animation(input->file) ? " (read)" : "");
    }
}

static void print_text(const cli_Input *input, double height)
{
    char unit[32];
    int ends = end_site_count(input), frames = sinew_clip_frame_count(input->clip);
    cli_print("%s (%s)\n", input->name, format_name(input));
    cli_print("  joints              %d", sinew_skeleton_joint_count(input->skeleton));
    if (ends > 0) {
        cli_print(", %d of them %s", ends, ends == 1 ? "the end of a bone" : "ends of bones");
    }
    cli_print("\n  degrees of freedom  %d\n", sinew_skeleton_dof_count(input->skeleton));
    if (frames > 0 || !cli_is_robot(input)) {
        cli_print("  frames              %d at %.6g per second, %.2f s\n", frames,
            frame_rate(input), sinew_clip_duration(input->clip));
    }
    cli_print("  height              %.3f m\n", height);
    cli_print(
        "  unit                %s (%s)\n", unit_text(input, unit, sizeof unit), unit_reason(input));
    const sinew_Gltf *gltf = input->file != NULL ? sinew_motion_gltf(input->file) : NULL;
    if (gltf != NULL) { print_gltf(input, gltf); }
    int warnings = input->file != NULL ? sinew_motion_warning_count(input->file) : 0;
    for (int i = 0; i < warnings; ++i) {
        cli_print("  %-18s  %s\n", i == 0 ? "oddities" : "", sinew_motion_warning(input->file, i));
    }
    print_roles(input);
    cli_limbs_print(input);
    if (input->roles->kind == SINEW_BODY_HUMANOID) { cli_print_stance(input->stance); }
    putchar('\n');
    print_tree(input);
}

// ---------------------------------------------------------------------------------------------
// JSON

/// What a joint moves by, with the ranges that the file itself gives.
static void put_axes(cli_Json *out, const sinew_Axis *axes, int count)
{
    static const char *const kinds[] = {
        [SINEW_AXIS_SLIDE] = "slide", [SINEW_AXIS_HINGE] = "hinge", [SINEW_AXIS_BALL] = "ball"
    };
    cli_json_array(out, "axes");
    for (int a = 0; a < count; ++a) {
        bool slides = axes[a].kind == SINEW_AXIS_SLIDE;
        cli_json_object(out, NULL);
        cli_json_text(out, "kind", kinds[axes[a].kind]);
        if (axes[a].kind != SINEW_AXIS_BALL) {
            cli_json_vec3(out, "direction", axes[a].direction);
            cli_json_number(out, slides ? "lower_m" : "lower_rad", axes[a].lower);
            cli_json_number(out, slides ? "upper_m" : "upper_rad", axes[a].upper);
        }
        cli_json_bool(out, "locked", axes[a].mobility == 0.0);
        cli_json_object_end(out);
    }
    cli_json_array_end(out);
}

static void print_json_joints(cli_Json *out, const cli_Input *input)
{
    const sinew_Axis *axes = sinew_skeleton_axes(input->skeleton);
    const sinew_Joint *joints = sinew_skeleton_joints(input->skeleton);
    cli_json_array(out, "skeleton");
    for (int j = 0; j < sinew_skeleton_joint_count(input->skeleton); ++j) {
        cli_json_object(out, NULL);
        cli_json_text(out, "name", joints[j].name);
        if (cli_is_robot(input)) { cli_json_text(out, "link", sinew_motion_link(input->file, j)); }
        cli_json_whole(out, "parent", joints[j].parent);
        cli_json_vec3(out, "offset_m", joints[j].offset);
        sinew_Quat turned = joints[j].rest_rotation;
        if (turned.x != 0.0 || turned.y != 0.0 || turned.z != 0.0) {
            cli_json_array(out, "rest_rotation");
            cli_json_number(out, NULL, turned.x);
            cli_json_number(out, NULL, turned.y);
            cli_json_number(out, NULL, turned.z);
            cli_json_number(out, NULL, turned.w);
            cli_json_array_end(out);
        }
        cli_json_whole(out, "dofs", joints[j].dof_count);
        put_axes(out, &axes[joints[j].axis_start], joints[j].axis_count);
        if (joints[j].mass > 0.0) {
            cli_json_number(out, "mass_kg", joints[j].mass);
            cli_json_vec3(out, "mass_center_m", joints[j].mass_center);
        }
        cli_json_bool(out, "end", cli_is_end_site(input, j));
        cli_json_object_end(out);
    }
    cli_json_array_end(out);

    cli_json_array(out, "coordinates");
    for (int c = 0; c < sinew_skeleton_coordinate_count(input->skeleton); ++c) {
        char name[LONGEST_NAME];
        sinew_skeleton_coordinate_name(input->skeleton, c, name, sizeof name);
        cli_json_text(out, NULL, name);
    }
    cli_json_array_end(out);
}

static void print_json_gltf(cli_Json *out, const cli_Input *input)
{
    const sinew_Gltf *gltf = input->file != NULL ? sinew_motion_gltf(input->file) : NULL;
    if (gltf == NULL) { return; }
    cli_json_whole(out, "nodes", sinew_gltf_node_count(gltf));
    cli_json_whole(out, "skins", sinew_gltf_skin_count(gltf));
    cli_json_whole(out, "animation", sinew_motion_animation(input->file));
    cli_json_array(out, "animations");
    for (int a = 0; a < sinew_gltf_animation_count(gltf); ++a) {
        cli_json_object(out, NULL);
        cli_json_text(out, "name", sinew_gltf_animation_name(gltf, a));
        cli_json_number(out, "duration_s", sinew_gltf_animation_duration(gltf, a));
        cli_json_object_end(out);
    }
    cli_json_array_end(out);
}

static void print_json(const cli_Input *input, double height)
{
    char unit[32];
    cli_Json out = cli_json_begin();
    cli_json_text(&out, "file", input->name);
    cli_json_text(&out, "format", format_name(input));
    cli_json_whole(&out, "joints", sinew_skeleton_joint_count(input->skeleton));
    cli_json_whole(&out, "ends", end_site_count(input));
    cli_json_whole(&out, "dofs", sinew_skeleton_dof_count(input->skeleton));
    cli_json_whole(&out, "frames", sinew_clip_frame_count(input->clip));
    cli_json_number(&out, "fps", frame_rate(input));
    cli_json_number(&out, "height_m", height);
    cli_json_text(&out, "unit", unit_text(input, unit, sizeof unit));
    cli_json_number(&out, "unit_m", unit_metres(input));
    cli_json_text(&out, "unit_source", unit_source_name(input));
    print_json_gltf(&out, input);
    cli_json_text(&out, "body", sinew_body_kind_name(input->roles->kind));
    cli_json_number(&out, "roles_confidence", input->roles->confidence);
    cli_json_text(&out, "rig", cli_rig_name(input));
    cli_json_stance(&out, input->skeleton, input->stance);
    cli_json_roles(&out, input->rig);
    cli_json_limits(&out, input->source, input->rig);
    cli_json_array(&out, "warnings");
    int warnings = input->file != NULL ? sinew_motion_warning_count(input->file) : 0;
    for (int i = 0; i < warnings; ++i) {
        cli_json_text(&out, NULL, sinew_motion_warning(input->file, i));
    }
    for (int i = 0; i < input->roles->warning_count; ++i) {
        cli_json_text(&out, NULL, input->roles->warnings[i]);
    }
    cli_json_array_end(&out);
    cli_limbs_json(&out, input);
    print_json_joints(&out, input);
    cli_json_end(&out);
}

// ---------------------------------------------------------------------------------------------
// The whole

static void print_scenes(bool json)
{
    if (json) {
        cli_Json out = cli_json_begin();
        cli_json_array(&out, "scenes");
        for (int i = 0; i < scene_count(); ++i) {
            cli_json_object(&out, NULL);
            cli_json_text(&out, "name", scene_name(i));
            cli_json_text(&out, "title", scene_title(i));
            cli_json_object_end(&out);
        }
        cli_json_array_end(&out);
        cli_json_end(&out);
        return;
    }
    cli_Table table = cli_table_begin("ll");
    for (int i = 0; i < scene_count(); ++i) {
        cli_table_cell(&table, "scene:%s", scene_name(i));
        cli_table_cell(&table, "%s", scene_title(i));
    }
    cli_table_end(&table, "");
}

static int describe(const char *path, const sinew_ReadOptions *options, const char *rig, bool json)
{
    cli_Input input;
    double height = 0.0;
    if (!cli_input_open_rigged(&input, path, options, rig)) { return CLI_FAILED; }
    // the guess is shown even when nothing asks for it
    if (input.rig == NULL) { input.rig = cli_guess_rig(&input, NULL, false); }
    if (input.rig == NULL || cli_input_stance(&input) == NULL) {
        cli_input_close(&input);
        return CLI_FAILED;
    }
    // by the legs where the file has a figure; else its extent, which depends on posture
    sinew_Status status = SINEW_STATUS_OK;
    if (input.file != NULL) { height = sinew_motion_stature(input.file); }
    if (!(height > 0.0)) { status = measure_height(input.clip, NULL, &height); }
    if (status != SINEW_STATUS_OK) {
        cli_error("%s: %s", path, sinew_status_text(status));
    } else if (json) {
        print_json(&input, height);
    } else {
        print_text(&input, height);
    }
    cli_input_close(&input);
    return status == SINEW_STATUS_OK ? CLI_DONE : CLI_FAILED;
}

static int run(int argc, char **argv)
{
    cli_Parser parser;
    const char *value = NULL, *rig = NULL;
    bool scenes = false;
    sinew_ReadOptions options = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_info, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (option->id == SCENES) {
            scenes = true;
        } else if (option->id == RIG) {
            rig = value;
        } else if (!cli_take_input_option(&options, option->id, value)) {
            cli_parser_fail(&parser);
        }
    }
    if (parser.leave) { return parser.exit_code; }
    if (scenes) {
        print_scenes(parser.json);
        return CLI_DONE;
    }
    if (parser.plain_count == 0) {
        return cli_usage_error(&cli_command_info, "expected: sinew info FILE");
    }
    cli_Files files = { NULL, 0, 0, false };
    int code = cli_files_collect(&files, parser.plain, parser.plain_count) ? CLI_DONE : CLI_FAILED;
    // one that cannot be read does not hide the others
    for (int i = 0; i < files.count; ++i) {
        if (i > 0 && !parser.json) { putchar('\n'); }
        if (describe(files.list[i], &options, rig, parser.json) != CLI_DONE) { code = CLI_FAILED; }
    }
    cli_files_free(&files);
    return code;
}

static const cli_Rule rules[] = {
    { "rig unit bvh-positions animation", CLI_GOES_WITHOUT, "scenes" },
    { NULL, CLI_GOES_WITH, NULL },
};

const cli_Command cli_command_info = {
    "info",
    "Tell what is in a motion file",
    "FILE|FOLDER... [OPTIONS]",
    "FILE is a motion file, scene:NAME or - for standard input; --json prints one line "
    "each.\nShows joints, degrees of freedom, frames, the length "
    "unit and\n"
    "how it was found, and oddities of the file. The last column names the degrees of freedom as "
    "the\n"
    "columns start.NAME and q.NAME of sinew solve --goals take them.\n",
    "  sinew info walk.bvh\n"
    "  sinew info walk.bvh --unit cm --json\n"
    "  sinew info takes/ --json\n"
    "  sinew info --scenes\n",
    { own_options, cli_input_options, cli_common_options },
    0,
    CLI_MAX_PLAIN,
    run,
    true,
    rules,
};
