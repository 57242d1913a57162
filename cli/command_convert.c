// `sinew convert`: change format, unit, frame rate or joint names of a motion.

#include "commands.h"

#include "disk.h"
#include "files.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "progress.h"

#include "base/message.h"
#include "measure/motion_meter.h"
#include "sinew/gltf.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FPS = 1, OUT_UNIT, IN_UNIT, RENAME, TO };
enum { MAX_RENAMES = 1024 };

// How far off a joint of the written motion may be, as a share of the body's size: 0.2 mm of a person. All data
// files are within 2e-7. Far from the origin the single precision of a glTF has no more than the share of the
// distance, a few roundings of 6e-8.
#define SIZE_TOLERANCE 1e-4
#define DISTANCE_TOLERANCE 1e-6

static const cli_Option own_options[] = {
    { FPS, "fps", 'f', "F", "frames per second of the written motion" },
    { OUT_UNIT, "unit", 'u', "U",
        "length unit of the written file: m, dm, cm, mm, inch, foot or metres\n"
        "as a number (default: that of the read file)" },
    { IN_UNIT, "input-unit", 0, "U",
        "length unit of the read file (default: as its rig file says,\n"
        "else as noted, else guessed)" },
    { TO, "to", 't', "FORMAT",
        "bvh, glb or gltf: of the files in a folder OUT (default: as read)" },
    { RENAME, "rename", 'r', "OLD=NEW", "give a joint another name; may be given several times" },
    { 0, NULL, 0, NULL, NULL },
};

static const cli_Option reading_options[] = {
    { CLI_OPTION_BVH_POSITIONS, "bvh-positions", 0, "HOW",
        "position channels of a BVH file replace OFFSET, are added to it,\n"
        "or auto: replace for the root, found out for the others" },
    { CLI_OPTION_ANIMATION, "animation", 0, "NAME|N",
        "animation of a glTF file, by name or number from 0 (default: the last\n"
        "one that sinew wrote, else the first)" },
    { 0, NULL, 0, NULL, NULL },
};

typedef struct Request {
    sinew_ReadOptions read;
    double fps, unit; // 0: as it is
    const char *renames[MAX_RENAMES];
    int rename_count;
    const char *ending; // NULL: as read
    bool json;
} Request;

/// A motion on its way.
typedef struct Conversion {
    cli_Input input;
    sinew_Skeleton *renamed;
    sinew_Clip *clip; // what is written
} Conversion;

// ---------------------------------------------------------------------------------------------
// Names

/// Split OLD=NEW at the first '=' after which OLD is a joint, so that names may have one.
static int find_renamed(const cli_Input *input, const char *text, const char **out_name)
{
    char old[512];
    const char *first = NULL;
    *out_name = "";
    for (const char *equals = strchr(text, '='); equals != NULL; equals = strchr(equals + 1, '=')) {
        snprintf(old, sizeof old, "%.*s", (int)(equals - text), text);
        if (first == NULL) { first = equals; }
        int joint = sinew_skeleton_find_joint(input->skeleton, old);
        if (joint >= 0) {
            *out_name = equals + 1;
            return joint;
        }
    }
    snprintf(old, sizeof old, "%.*s", (int)(first - text), text);
    return cli_find_joint(input, "--rename", old);
}

static bool check_new_name(const char *text, const char *name)
{
    if (name[0] != '\0' && name[strcspn(name, " \t\r\n{}")] == '\0') { return true; }
    cli_error("--rename: found '%s', expected a new name without spaces and braces", text);
    return false;
}

/// The same skeleton with other names.
static bool rename_joints(Conversion *conversion, const Request *request)
{
    const sinew_Skeleton *skeleton = conversion->input.skeleton;
    int joint_count = sinew_skeleton_joint_count(skeleton);
    sinew_JointDef *defs = calloc((size_t)joint_count, sizeof *defs);
    bool good = defs != NULL;
    if (!good) { cli_out_of_memory(); }
    for (int j = 0; good && j < joint_count; ++j) { defs[j] = cli_joint_def(skeleton, j); }
    for (int r = 0; good && r < request->rename_count; ++r) {
        const char *name = "";
        int joint = find_renamed(&conversion->input, request->renames[r], &name);
        good = joint >= 0 && check_new_name(request->renames[r], name);
        if (good && defs[joint].name != sinew_skeleton_joints(skeleton)[joint].name) {
            good = false;
            cli_error("--rename: %s is renamed twice", sinew_skeleton_joints(skeleton)[joint].name);
        }
        if (good) { defs[joint].name = name; }
    }
    for (int r = 0; good && r < request->rename_count; ++r) {
        const char *name = "";
        int renamed = find_renamed(&conversion->input, request->renames[r], &name);
        for (int j = 0; good && j < joint_count; ++j) {
            good = j == renamed || strcmp(defs[j].name, defs[renamed].name) != 0;
        }
        if (!good) { cli_error("--rename: %s would be the name of two joints", name); }
    }
    if (good) {
        sinew_Message message = { "" };
        good = sinew_skeleton_create(defs, joint_count, NULL, &conversion->renamed, &message)
            == SINEW_STATUS_OK;
        if (!good) { cli_error("%s", message.text); }
    }
    free(defs);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Converting

static bool make_clip(Conversion *conversion, const Request *request)
{
    const sinew_Clip *source = conversion->input.clip;
    double frame_time = request->fps > 0.0 ? 1.0 / request->fps : sinew_clip_frame_time(source);
    sinew_Clip *resampled = NULL;
    sinew_Status status = SINEW_STATUS_OK;
    if (request->fps > 0.0) {
        status = sinew_clip_resample(source, frame_time, NULL, &resampled);
        source = resampled;
    }
    if (status == SINEW_STATUS_OK) {
        const sinew_Skeleton *skeleton = conversion->renamed != NULL ? conversion->renamed
                                                                     : conversion->input.skeleton;
        status = sinew_clip_create(
            skeleton, sinew_clip_frame_count(source), frame_time, NULL, &conversion->clip);
    }
    size_t size = sizeof(double)
        * (size_t)sinew_skeleton_coordinate_count(conversion->input.skeleton);
    for (int f = 0; status == SINEW_STATUS_OK && f < sinew_clip_frame_count(source); ++f) {
        memcpy(sinew_clip_frame(conversion->clip, f), sinew_clip_frame_const(source, f), size);
    }
    sinew_clip_destroy(resampled);
    if (status == SINEW_STATUS_CAPACITY) {
        cli_error("%s: %.6g s at %.6g frames per second are more than the %zu numbers of a motion",
            conversion->input.name, sinew_clip_duration(conversion->input.clip), 1.0 / frame_time,
            SINEW_MAX_CLIP_NUMBERS);
    } else if (status != SINEW_STATUS_OK) {
        cli_error("%s: %s", conversion->input.name, sinew_status_text(status));
    }
    return status == SINEW_STATUS_OK;
}

/// How far the joint farthest from the origin is, metres.
static sinew_Status measure_distance(const sinew_Clip *clip, double *out_distance)
{
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(clip);
    int joint_count = sinew_skeleton_joint_count(skeleton);
    sinew_Transform *world = calloc((size_t)joint_count, sizeof *world);
    *out_distance = 0.0;
    if (world == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    for (int f = 0; f < sinew_clip_frame_count(clip); ++f) {
        sinew_pose_forward(skeleton, sinew_clip_frame_const(clip, f), world);
        for (int j = 0; j < joint_count; ++j) {
            *out_distance = fmax(*out_distance, sinew_vec3_length(world[j].position));
        }
    }
    free(world);
    return SINEW_STATUS_OK;
}

/// Compare joint by joint what a reader finds with what is meant.
static bool compare(Conversion *conversion, const char *path, const sinew_MotionFile *found,
    const sinew_WriteOptions *writing, double *out_error)
{
    // what is written upright is read so
    const sinew_Vec3 y = { 0.0, 1.0, 0.0 }, up = sinew_vec3_normalize_or(writing->up, y);
    sinew_Status status = SINEW_STATUS_OK;
    if (up.y < 0.99) { status = cli_turn_clip(conversion->clip, sinew_quat_between(up, y)); }
    const sinew_Skeleton *skeleton = conversion->input.skeleton;
    const sinew_Clip *clip = sinew_motion_clip(found);
    int joints = sinew_skeleton_joint_count(skeleton);
    int found_frames = sinew_clip_frame_count(clip);
    int found_joints = sinew_skeleton_joint_count(sinew_motion_skeleton(found));
    int frames = sinew_clip_frame_count(conversion->clip);
    // a glTF without an animation shows its body as it is: one frame
    if (frames == 0 && sinew_motion_gltf(found) != NULL) { frames = 1; }
    if (found_joints != joints || found_frames != frames) {
        cli_error("%s: not written: %d joint%s and %d frame%s would be read back of %d and %d",
            path, found_joints, snw_plural(found_joints), found_frames, snw_plural(found_frames),
            joints, frames);
        return false;
    }
    double distance = 0.0;
    if (status == SINEW_STATUS_OK) {
        status = measure_position_error(conversion->clip, clip, NULL, out_error);
    }
    if (status == SINEW_STATUS_OK) { status = measure_distance(conversion->clip, &distance); }
    if (status != SINEW_STATUS_OK) {
        cli_error("%s: %s", path, sinew_status_text(status));
        return false;
    }
    double tolerance = fmax(
        SIZE_TOLERANCE * sinew_skeleton_size(skeleton), DISTANCE_TOLERANCE * distance);
    if (*out_error <= tolerance) { return true; }
    cli_error("%s: not written: a joint would be read back %.3g mm off, expected %.3g at most",
        path, 1e3 * *out_error, 1e3 * tolerance);
    return false;
}

/// Read the bytes of a motion file and compare.
static bool check_bytes(Conversion *conversion, const char *path, const char *data, size_t size,
    const sinew_WriteOptions *writing, const sinew_ReadOptions *reading, double *out_error)
{
    sinew_MotionFile *found = NULL;
    sinew_Message message = { "" };
    sinew_Status status = cli_parse_motion(path, data, size, reading, &found, &message);
    if (status != SINEW_STATUS_OK) {
        cli_error("not written, as it could not be read back: %s",
            message.text[0] != '\0' ? message.text : sinew_status_text(status));
        return false;
    }
    bool same = compare(conversion, path, found, writing, out_error);
    sinew_motion_destroy(found);
    return same;
}

/// Write the motion if a reader will find in it what is meant.
static bool write_checked(Conversion *conversion, const char *path,
    const sinew_WriteOptions *writing, const sinew_ReadOptions *reading, double *out_error)
{
    char *data = NULL;
    size_t size = 0;
    sinew_Message message = { "" };
    bool standard = strcmp(path, "-") == 0;
    sinew_Status status = sinew_motion_write_memory(
        standard ? "-.bvh" : path, conversion->clip, writing, NULL, &data, &size, &message);
    bool good = cli_tell_written(path, status, &message)
        && check_bytes(conversion, standard ? "standard output" : path, data, size, writing,
            reading, out_error)
        && cli_tell_written(path, cli_save_bytes(path, data, size, &message), &message);
    free(data);
    return good;
}

static void print_result(const Conversion *conversion, const char *path, double error, bool json)
{
    int joints = sinew_skeleton_joint_count(conversion->input.skeleton);
    int frames = sinew_clip_frame_count(conversion->clip);
    double fps = 1.0 / sinew_clip_frame_time(conversion->clip);
    if (json) {
        cli_Json out = cli_json_begin();
        cli_json_whole(&out, "joints", joints);
        cli_json_whole(&out, "frames", frames);
        cli_json_number(&out, "fps", fps);
        cli_json_number(&out, "max_error_m", error);
        cli_json_end(&out);
    } else {
        cli_print("%s: %d joint%s, %d frame%s at %.6g per second; read back, no joint is farther "
                  "off than "
                  "%.3g mm.\n",
            path, joints, snw_plural(joints), frames, snw_plural(frames), fps, 1e3 * error);
    }
}

/// The format of a file that is written; standard output gets BVH.
static sinew_FileFormat written_format(const char *path)
{
    return strcmp(path, "-") == 0 ? SINEW_FORMAT_BVH : sinew_format_of_name(path);
}

static int convert(Conversion *conversion, const Request *request, const char *path)
{
    double error = 0.0;
    if (request->rename_count > 0 && !rename_joints(conversion, request)) { return CLI_FAILED; }
    if (!make_clip(conversion, request)) { return CLI_FAILED; }

    sinew_WriteOptions writing = cli_write_options(path, &conversion->input, &conversion->input);
    if (request->unit > 0.0) { writing.unit = request->unit; }
    // read back as it will be, in the unit that its readers find (of a glTF that keeps its bytes it may have
    // been told); a motion that is another one than the file's was written as its last animation
    sinew_ReadOptions reading = request->read;
    bool is_bvh = written_format(path) == SINEW_FORMAT_BVH;
    sinew_MotionFile *from = conversion->input.file;
    bool keeps_bytes = !is_bvh && from != NULL && sinew_motion_gltf(from) != NULL;
    reading.unit = keeps_bytes ? sinew_motion_unit(from) : 0.0;
    bool kept = from != NULL && sinew_motion_gltf(from) != NULL && request->fps == 0.0;
    char number[16];
    snprintf(number, sizeof number, "%d", kept ? sinew_motion_animation(from) : 0);
    reading.animation = kept && sinew_motion_animation(from) >= 0 ? number : NULL;
    if (is_bvh) { reading.animation = NULL; }
    if (!write_checked(conversion, path, &writing, &reading, &error)) { return CLI_FAILED; }
    print_result(conversion, path, error, request->json);
    return CLI_DONE;
}

// ---------------------------------------------------------------------------------------------
// Arguments

static bool take_option(Request *request, const cli_Option *option, const char *value)
{
    switch (option->id) {
    case FPS: return cli_parse_number("--fps", value, 1e-3, 1e5, &request->fps);
    case OUT_UNIT: return cli_parse_unit("--unit", value, &request->unit);
    case IN_UNIT: return cli_parse_unit("--input-unit", value, &request->read.unit);
    case TO: {
        static const char *const endings[] = { "bvh", "glb", "gltf" };
        int choice = cli_parse_choice("--to", value, endings, 3);
        request->ending = choice >= 0 ? endings[choice] : NULL;
        return choice >= 0;
    }
    case RENAME: {
        // names may have a '=' in them, so that OLD is one letter at least, and NEW another
        const char *equals = value[0] != '\0' ? strchr(value + 1, '=') : NULL;
        if (equals == NULL || equals[1] == '\0') {
            cli_error("--rename: found '%s', expected OLD=NEW", value);
            return false;
        }
        if (request->rename_count == MAX_RENAMES) {
            cli_error("--rename: at most %d names", (int)MAX_RENAMES);
            return false;
        }
        request->renames[request->rename_count] = value;
        request->rename_count += 1;
        return true;
    }
    default: return cli_take_input_option(&request->read, option->id, value);
    }
}

static int convert_file(const Request *request, const char *in, const char *out)
{
    Conversion conversion;
    memset(&conversion, 0, sizeof conversion);
    if (!cli_input_open_measured(&conversion.input, in, &request->read)) { return CLI_FAILED; }
    int code = convert(&conversion, request, out);
    sinew_clip_destroy(conversion.clip);
    sinew_skeleton_destroy(conversion.renamed);
    cli_input_close(&conversion.input);
    return code;
}

/// Each file under its own name into a folder; one that fails does not keep the others from it.
static int convert_all(
    const Request *request, const char *const *names, int name_count, const char *folder)
{
    cli_Files files = { NULL, 0, 0, false };
    int code = CLI_DONE;
    if (!cli_files_collect(&files, names, name_count)) {
        code = CLI_FAILED;
    } else if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        code = cli_error("%s: %s", folder, strerror(errno));
    }
    cli_Progress progress = cli_progress_begin("converting file", files.count);
    for (int i = 0; i < files.count && cli_is_folder(folder); ++i) {
        char out[4096];
        const char *base = cli_base_name(files.list[i]), *dot = strrchr(base, '.');
        const char *ending = request->ending != NULL ? request->ending
            : dot != NULL                            ? dot + 1
                                                     : "bvh";
        int stem = dot != NULL ? (int)(dot - base) : (int)strlen(base);
        int length = snprintf(out, sizeof out, "%s/%.*s.%s", folder, stem, base, ending);
        bool good = length < (int)sizeof out && cli_check_motion_path("OUT", out, false)
            && convert_file(request, files.list[i], out) == CLI_DONE;
        if (!good) { code = CLI_FAILED; }
        cli_progress_update(&progress, i + 1);
    }
    cli_progress_end(&progress);
    cli_files_free(&files);
    return code;
}

static int run(int argc, char **argv)
{
    static Request request;
    cli_Parser parser;
    const char *value = NULL;
    memset(&request, 0, sizeof request);
    request.read = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_convert, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    int in_count = parser.plain_count - 1;
    const char *out = parser.plain[in_count];
    bool many = in_count > 1 || cli_is_folder(parser.plain[0]) || cli_is_folder(out);
    if (many && !cli_check_folder("OUT", out)) { return CLI_USAGE; }
    if (many && request.ending != NULL && strcmp(request.ending, "bvh") == 0
        && cli_output_animation() != NULL) {
        return cli_usage_error(
            &cli_command_convert, "--animation-name goes with a glTF file that is written");
    }
    if (many) { return convert_all(&request, parser.plain, in_count, out); }
    if (request.ending != NULL) {
        return cli_usage_error(&cli_command_convert, "--to goes with a folder as OUT");
    }
    if (!cli_check_motion_path("OUT", out, false)) { return CLI_USAGE; }
    return convert_file(&request, parser.plain[0], out);
}

const cli_Command cli_command_convert = {
    "convert",
    "Change format, unit, frame rate or joint names of a motion",
    "IN... OUT [OPTIONS]",
    "IN is a motion file, scene:NAME, or - for standard input; the ending of OUT (.bvh, .glb,\n"
    ".gltf) decides the format, - is BVH on standard output. Several files, or a folder of them,\n"
    "go into a folder OUT. Order of channels, names and offsets stay as they were; a glTF keeps\n"
    "everything that is in it, byte for byte, and gets a motion that is new as one more "
    "animation.\n"
    "What is to be written is read back and compared first; the largest distance of a joint from\n"
    "where it should be is told. Where that is more than 1e-4 of the body's size (0.2 mm of a\n"
    "person) and 1e-6 of the way to the origin, nothing is written and the exit code is 1.\n",
    "  sinew convert walk.bvh walk30.bvh --fps 30\n"
    "  sinew convert walk.bvh metres.bvh --unit m --rename LeftToeBase=LeftToe\n"
    "  sinew convert scene:MAN18 man.bvh\n"
    "  sinew convert walk.bvh walk.glb\n"
    "  sinew convert takes/ scenes/ --to glb\n"
    "  sinew convert robot.glb running.bvh --animation Robot_Running\n",
    { own_options, reading_options, cli_motion_options, cli_common_options },
    2,
    CLI_MAX_PLAIN,
    run,
    true,
    NULL,
};
