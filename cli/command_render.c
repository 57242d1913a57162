// `sinew render`: contact sheets, stills and films of a motion, and limits of joints.

#include "commands.h"

#include "disk.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "skin.h"

#include "base/message.h"
#include "pictures/pictures.h"
#include "sinew/terrain_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OUT = 1,
    FRAMES,
    FRAME,
    SIZE,
    CAMERA,
    LAYOUT,
    GHOST,
    FPS,
    TITLE,
    LIMITS,
    JOINT,
    RIG,
    TERRAIN,
    BODY,
    STICK,
    MARKS,
    FINE,
    JOINTS,
    STANCE
};

static const cli_Option own_options[] = {
    { OUT, "output", 'o', "FILE", "picture (.png, .svg, .pdf) or film (.mp4, .gif)" },
    { FRAMES, "frames", 'n', "N",
        "figures on a contact sheet, 1..60 (default: chosen), evenly spaced,\n"
        "not at the period of a motion" },
    { FRAME, "frame", 0, "N", "draw this one frame (from 0) large" },
    { STANCE, "stance", 0, NULL, "draw how the body stands, instead of the motion" },
    { SIZE, "size", 's', "WxH", "pixels; a sheet may have the width alone (W)" },
    { CAMERA, "camera", 'c', "FROM",
        "front, back, left, right or top of the figure as it looks when it begins,\n"
        "or the direction to the camera x,y,z in the world (default: chosen)" },
    { LAYOUT, "layout", 0, "HOW", "path: figures at their places; cells: one cell each; auto" },
    { GHOST, "ghost", 0, "FILE", "a second motion, drawn pale at the same times" },
    { FPS, "fps", 'f', "F", "frames per second of a film, 1..60 (default: the motion's)" },
    { TITLE, "title", 0, "TEXT", "title (default: the file's name)" },
    { LIMITS, "limits", 0, NULL,
        "draw the joints' limits in one pose: reach windows, twist arcs, hinge fans\n"
        "(the pose of --frame, default 0; of robots the rest pose)" },
    { JOINT, "joint", 0, "JOINT",
        "with --limits: draw the limits of this joint alone, and its sketch" },
    { TERRAIN, "terrain", 't', "GROUND",
        "draw a walk in the light, over flat, hills[:SEED], rough[:SEED],\n"
        "stairs[:RISE,TREAD], kerbs[:RISE,EVERY], ramp:DEGREES,\n"
        "slope:DEGREES[,TOWARD] or\n"
        "FILE[:CELL[,HEIGHT]] (a PNG height map or a grid of numbers)" },
    { BODY, "body", 'b', NULL,
        "draw a walk in the light, with a solid character of 11,101 triangles\n"
        "(what --terrain draws unless --stick is given)" },
    { STICK, "stick", 0, NULL, "with --terrain: a stick figure" },
    { MARKS, "marks", 0, NULL,
        "with --terrain or --body: pyramids where feet will stand (green) and at\n"
        "trailing toes (red), red triangles where heels and toes stand still" },
    { FINE, "fine", 0, NULL, "films of bodies: shadows as fine as on sheets" },
    { JOINTS, "joints", 0, NULL, "draw the joints of a glTF file, not its own mesh" },
    { RIG, "rig", 'r', "RIG", CLI_RIG_HELP },
    { 0, NULL, 0, NULL, NULL },
};

typedef struct Request {
    sinew_ReadOptions read;
    const char *out, *ghost, *title, *joint, *rig;
    long frames, frame; // 0: chosen; -1: none
    int width, height;  // 0: default
    sinew_Vec3 toward_camera;
    picture_Layout layout;
    double fps;
    const char *terrain;
    bool json, limits, from_figure, body, stick, marks, fine, joints, stance;
} Request;

// ---------------------------------------------------------------------------------------------
// Drawing

static picture_View view_of(const Request *request, const cli_Input *input, picture_View view)
{
    view.toward_camera = request->toward_camera;
    view.from_figure = request->from_figure;
    view.up = cli_up(input);
    return view;
}

static sinew_Status draw_still(
    const Request *request, const cli_Input *input, const cli_Input *ghost, sinew_Message *message)
{
    char subtitle[80];
    int frame = (int)request->frame;
    snprintf(subtitle, sizeof subtitle, "frame %d, %.3f s", frame,
        frame * sinew_clip_frame_time(input->clip));
    picture_Still still = picture_still_default();
    still.skeleton = input->skeleton;
    still.q = sinew_clip_frame_const(input->clip, frame);
    double *ghost_q = NULL;
    if (ghost != NULL && sinew_clip_frame_count(ghost->clip) > 0) {
        int coordinates = sinew_skeleton_coordinate_count(ghost->skeleton);
        if (coordinates == sinew_skeleton_coordinate_count(input->skeleton)) {
            ghost_q = calloc((size_t)coordinates + 1, sizeof *ghost_q);
            if (ghost_q == NULL) {
                snprintf(message->text, sizeof message->text, "no memory for the ghost");
                return SINEW_STATUS_OUT_OF_MEMORY;
            }
            sinew_clip_sample(ghost->clip, frame * sinew_clip_frame_time(input->clip), ghost_q);
        }
    }
    still.ghost_q = ghost_q;
    still.view = view_of(request, input, still.view);
    if (request->width > 0) { still.width = request->width; }
    if (request->height > 0) { still.height = request->height; }
    still.title = request->title;
    still.subtitle = subtitle;
    sinew_Status status = cli_save_still(&still, request->out, message);
    free(ghost_q);
    return status;
}

static sinew_Status draw_limits(
    const Request *request, const cli_Input *input, int joint, sinew_Message *message)
{
    char subtitle[120] = "limits in the rest pose";
    picture_Limits limits = picture_limits_default();
    limits.skeleton = input->skeleton;
    double *rest = NULL;
    if (sinew_clip_frame_count(input->clip) > 0) {
        int frame = request->frame >= 0 ? (int)request->frame : 0;
        snprintf(subtitle, sizeof subtitle, "limits at frame %d, %.3f s", frame,
            frame * sinew_clip_frame_time(input->clip));
        limits.q = sinew_clip_frame_const(input->clip, frame);
    } else {
        rest = calloc((size_t)sinew_skeleton_coordinate_count(input->skeleton), sizeof *rest);
        if (rest == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
        sinew_pose_rest(input->skeleton, rest);
        limits.q = rest;
    }
    if (joint >= 0) {
        limits.joint = joint;
        limits.only_joint = true;
    }
    limits.view = view_of(request, input, limits.view);
    if (request->width > 0) { limits.width = request->width; }
    if (request->height > 0) { limits.height = request->height; }
    limits.title = request->title;
    limits.subtitle = subtitle;
    sinew_Status status = cli_save_limits(&limits, request->out, message);
    free(rest);
    return status;
}

static sinew_Status draw_sheet(
    const Request *request, const cli_Input *input, const cli_Input *ghost, sinew_Message *message)
{
    char subtitle[120];
    const int count = sinew_clip_frame_count(input->clip);
    snprintf(subtitle, sizeof subtitle, "%d frame%s, %.2f s", count, snw_plural(count),
        sinew_clip_duration(input->clip));
    picture_Sheet sheet = picture_sheet_default();
    sheet.clip = input->clip;
    sheet.ghost = ghost != NULL ? ghost->clip : NULL;
    sheet.figure_count = (int)request->frames;
    sheet.layout = request->layout;
    sheet.view = view_of(request, input, sheet.view);
    if (request->width > 0) { sheet.width = request->width; }
    sheet.height = request->height;
    sheet.title = request->title;
    sheet.subtitle = count > 0 ? subtitle : "rest pose";
    return cli_save_sheet(&sheet, request->out, message);
}

static void show_progress(int done, int count, void *user)
{
    (void)count;
    cli_progress_update(user, done);
}

static sinew_Status draw_film(
    const Request *request, const cli_Input *input, const cli_Input *ghost, sinew_Message *message)
{
    cli_Progress progress = cli_progress_begin("drawing frame", 0);
    picture_Film film = picture_film_default();
    film.clip = input->clip;
    film.ghost = ghost != NULL ? ghost->clip : NULL;
    film.view = view_of(request, input, film.view);
    if (request->width > 0) { film.width = request->width; }
    if (request->height > 0) { film.height = request->height; }
    film.frames_per_second = request->fps;
    film.title = request->title;
    film.progress = show_progress;
    film.progress_user = &progress;
    sinew_Status status = cli_save_film(&film, request->out, message);
    cli_progress_end(&progress);
    return status;
}

static sinew_Status draw_walk(const Request *request, const cli_Input *input,
    const sinew_Clip *clip, const cli_Skin *skin, const sinew_Terrain *terrain,
    sinew_Message *message)
{
    cli_Progress progress = cli_progress_begin("drawing frame", 0);
    picture_Walk walk = picture_walk_default();
    walk.clip = clip;
    walk.skin = skin != NULL ? &skin->shown : NULL;
    walk.terrain = terrain;
    walk.stick = request->stick;
    walk.goals = walk.plants = request->marks;
    walk.fine = request->fine;
    walk.toward_camera = request->toward_camera;
    walk.from_figure = request->from_figure;
    walk.up = cli_up(input);
    walk.figure_count = (int)request->frames;
    walk.layout = request->layout;
    walk.frames_per_second = request->fps;
    walk.width = request->width;
    walk.height = request->height;
    walk.title = request->title;
    walk.progress = show_progress;
    walk.progress_user = &progress;
    sinew_Status status = cli_save_walk(&walk, request->out, message);
    cli_progress_end(&progress);
    return status;
}

// the file's own mesh in the light; --frame: in that frame alone
static sinew_Status draw_skin(const Request *request, const cli_Input *input, const cli_Skin *skin,
    const sinew_Terrain *terrain, sinew_Message *message)
{
    sinew_Clip *one = NULL;
    if (request->frame >= 0) {
        sinew_Status status = sinew_clip_create(
            input->skeleton, 1, sinew_clip_frame_time(input->clip), NULL, &one);
        if (status != SINEW_STATUS_OK) { return status; }
        memcpy(sinew_clip_frame(one, 0), sinew_clip_frame_const(input->clip, (int)request->frame),
            sizeof(double) * (size_t)sinew_skeleton_coordinate_count(input->skeleton));
    }
    sinew_Status status = draw_walk(
        request, input, one != NULL ? one : input->clip, skin, terrain, message);
    sinew_clip_destroy(one);
    return status;
}

/// Another character than the figure is drawn where it can be, and told.
static void note_ghost(const Request *request, const cli_Input *input, const cli_Input *ghost)
{
    const sinew_Skeleton *a = input->skeleton, *b = ghost->skeleton;
    int count = sinew_skeleton_joint_count(a);
    bool fits = sinew_skeleton_coordinate_count(a) == sinew_skeleton_coordinate_count(b);
    bool same = fits && count == sinew_skeleton_joint_count(b);
    for (int j = 0; same && j < count; ++j) {
        same = sinew_skeleton_joints(a)[j].parent == sinew_skeleton_joints(b)[j].parent;
    }
    if (same) { return; }
    cli_error("note: --ghost: %s is another character than %s%s", ghost->name, input->name,
        request->frame >= 0 && !fits ? ", and is not drawn with --frame"
                                     : ", drawn with its own joints");
}

static int draw(const Request *request, const cli_Input *input, const cli_Input *ghost,
    const cli_Skin *skin, const sinew_Terrain *terrain)
{
    sinew_Message message = { "" };
    int frame_count = sinew_clip_frame_count(input->clip);
    if (request->frame >= frame_count) {
        return cli_error("--frame: found %ld, but %s has %d frame%s", request->frame, input->name,
            frame_count, snw_plural(frame_count));
    }
    int joint = -1;
    if (request->joint != NULL) {
        joint = cli_find_joint(input, "--joint", request->joint);
        if (joint < 0) { return CLI_FAILED; }
    }
    sinew_Status status;
    if (request->limits) {
        if (!cli_has_limits(input->skeleton)) {
            return cli_error("%s: no joint has a limit%s", input->name,
                input->rig == NULL ? "; --rig auto guesses human ones" : "");
        }
        status = draw_limits(request, input, joint, &message);
    } else if (skin != NULL) {
        status = draw_skin(request, input, skin, terrain, &message);
    } else if (request->terrain != NULL || request->body) {
        if (frame_count == 0) { return cli_error("%s: has no frames to draw", input->name); }
        status = draw_walk(request, input, input->clip, NULL, terrain, &message);
    } else if (cli_is_film(request->out)) {
        status = draw_film(request, input, ghost, &message);
    } else if (request->frame >= 0) {
        status = draw_still(request, input, ghost, &message);
    } else {
        status = draw_sheet(request, input, ghost, &message);
    }
    if (status != SINEW_STATUS_OK) { return cli_error("%s", message.text); }
    if (request->json) {
        cli_Json out = cli_json_begin();
        cli_json_text(&out, "output", request->out);
        cli_json_whole(&out, "frames", frame_count);
        cli_json_end(&out);
    } else {
        cli_print("%s: %s\n", cli_is_film(request->out) ? "Film" : "Picture", request->out);
    }
    return CLI_DONE;
}

// ---------------------------------------------------------------------------------------------
// Arguments

static bool parse_size(Request *request, const char *text)
{
    char width[16], rest = '\0';
    long value = 0;
    size_t length = strcspn(text, "xX");
    snprintf(width, sizeof width, "%.*s", (int)length, text);
    rest = text[length];
    if (!cli_parse_whole("--size", width, 64, 8000, &value)) { return false; }
    request->width = (int)value;
    if (rest == '\0') { return true; }
    if (!cli_parse_whole("--size", text + length + 1, 64, 8000, &value)) { return false; }
    request->height = (int)value;
    return true;
}

static bool parse_camera(Request *request, const char *text)
{
    static const struct {
        const char *name;
        sinew_Vec3 direction;
    } cameras[] = {
        { "front", { 0.0, 0.15, 1.0 } },
        { "back", { 0.0, 0.15, -1.0 } },
        { "left", { 1.0, 0.15, 0.0 } },
        { "right", { -1.0, 0.15, 0.0 } },
        { "top", { 0.0, 1.0, 0.02 } },
    };
    double n[3];
    for (size_t i = 0; i < sizeof cameras / sizeof cameras[0]; ++i) {
        if (strcmp(cameras[i].name, text) == 0) {
            request->toward_camera = cameras[i].direction;
            request->from_figure = true;
            return true;
        }
    }
    if (strspn(text, "+-.0123456789eE,") != strlen(text)) {
        cli_error("--camera: found '%s', expected front, back, left, right, top or x,y,z", text);
        return false;
    }
    if (cli_parse_numbers("--camera", text, 3, 3, n) == 0) { return false; }
    request->toward_camera = sinew_vec3(n[0], n[1], n[2]);
    request->from_figure = false;
    if (!(sinew_vec3_length(request->toward_camera) > 1e-9)) {
        cli_error("--camera: found '%s', expected a direction other than 0,0,0", text);
        return false;
    }
    return true;
}

static bool parse_layout(Request *request, const char *text)
{
    static const char *const words[] = { "auto", "path", "cells" };
    static const picture_Layout layouts[] = { PICTURE_LAYOUT_AUTO, PICTURE_LAYOUT_PATH,
        PICTURE_LAYOUT_CELLS };
    int choice = cli_parse_choice("--layout", text, words, 3);
    if (choice < 0) { return false; }
    request->layout = layouts[choice];
    return true;
}

static bool take_option(Request *request, const cli_Option *option, const char *value)
{
    switch (option->id) {
    case OUT:
        request->out = value;
        if (cli_is_film(value) || cli_is_picture(value)) { return true; }
        cli_error(
            "--output: found '%s', expected a name that ends in .png, .svg, .pdf, .mp4 or .gif",
            value);
        return false;
    case FRAMES: return cli_parse_whole("--frames", value, 1, 60, &request->frames);
    case FRAME: return cli_parse_whole("--frame", value, 0, 2147483646L, &request->frame);
    case SIZE: return parse_size(request, value);
    case CAMERA: return parse_camera(request, value);
    case LAYOUT: return parse_layout(request, value);
    case GHOST: request->ghost = value; return true;
    case FPS: return cli_parse_number("--fps", value, 1.0, 60.0, &request->fps);
    case TITLE: request->title = value; return true;
    case LIMITS: request->limits = true; return true;
    case TERRAIN: request->terrain = value; return true;
    case BODY: request->body = true; return true;
    case STICK: request->stick = true; return true;
    case MARKS: request->marks = true; return true;
    case FINE: request->fine = true; return true;
    case STANCE: request->stance = true; return true;
    case JOINT: request->joint = value; return true;
    case JOINTS: request->joints = true; return true;
    case RIG: request->rig = value; return true;
    default: return cli_take_input_option(&request->read, option->id, value);
    }
}

static int open_and_draw(const Request *request, const char *path, const sinew_Terrain *terrain)
{
    cli_Input input, ghost;
    // without limits a picture shows the file as it is, whatever rig lies beside it
    bool opened = request->limits || request->rig != NULL
        ? cli_input_open_rigged(&input, path, &request->read, request->rig)
        : cli_input_open(&input, path, &request->read);
    if (!opened) { return CLI_FAILED; }
    int code = CLI_FAILED;
    cli_Skin *skin = NULL;
    sinew_Clip *stance = NULL;
    if (request->stance) {
        stance = cli_input_stance(&input) != NULL ? cli_stance_clip(&input) : NULL;
        if (stance == NULL) {
            cli_input_close(&input);
            return CLI_FAILED;
        }
        input.clip = stance;
    }
    bool own = !request->joints && !request->limits && !request->body && !request->stick
        && request->ghost == NULL;
    if (own && !cli_skin_open(&input, &skin)) {
        sinew_clip_destroy(stance);
        cli_input_close(&input);
        return CLI_FAILED;
    }
    if (request->fine && skin == NULL && request->terrain == NULL && !request->body) {
        // a figure of strokes has no shadow; whether there is more than that is known of a glTF file alone now
        sinew_clip_destroy(stance);
        cli_input_close(&input);
        return cli_usage_error(&cli_command_render,
            "--fine goes with a body: --body, --terrain or a glTF file's mesh");
    }
    const sinew_ReadOptions read = request->ghost != NULL
        ? cli_read_second(request->ghost, &request->read)
        : request->read;
    if (request->ghost == NULL) {
        code = draw(request, &input, NULL, skin, terrain);
    } else if (cli_input_open(&ghost, request->ghost, &read)) {
        note_ghost(request, &input, &ghost);
        code = draw(request, &input, &ghost, skin, terrain);
        cli_input_close(&ghost);
    }
    sinew_clip_destroy(stance);
    cli_skin_close(skin);
    cli_input_close(&input);
    return code;
}

static int run(int argc, char **argv)
{
    Request request;
    cli_Parser parser;
    const char *value = NULL;
    memset(&request, 0, sizeof request);
    request.frame = -1;
    request.read = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_render, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    if (request.out == NULL) { return cli_usage_error(&cli_command_render, "expected -o FILE"); }
    const char *still = request.limits ? "--limits"
        : request.stance               ? "--stance"
        : request.frame >= 0           ? "--frame"
                                       : NULL;
    if (still != NULL && cli_is_film(request.out)) {
        return cli_usage_error(&cli_command_render, "%s makes a picture, not a film", still);
    }
    const bool lit = request.terrain != NULL || request.body;
    bool is_sheet = !cli_is_film(request.out) && request.frame < 0 && !request.limits;
    if ((request.frames > 0 || request.layout != PICTURE_LAYOUT_AUTO) && !is_sheet) {
        return cli_usage_error(
            &cli_command_render, "--frames and --layout go with a contact sheet");
    }
    if ((request.fps > 0.0 || request.fine) && !cli_is_film(request.out)) {
        return cli_usage_error(&cli_command_render, "--fps and --fine go with a film");
    }
    if (request.frames > 24 && lit) {
        return cli_usage_error(&cli_command_render, "--frames: expected at most 24 with --terrain");
    }
    if (request.stance && !lit) { request.frame = 0; }
    if (request.title == NULL) { request.title = cli_base_name(parser.plain[0]); }
    sinew_Terrain *terrain = NULL;
    // level ground lies where the feet are
    int code = request.terrain != NULL && strcmp(request.terrain, "flat") != 0
        ? cli_open_terrain(request.terrain, &terrain)
        : CLI_DONE;
    if (code == CLI_DONE) { code = open_and_draw(&request, parser.plain[0], terrain); }
    sinew_terrain_destroy(terrain);
    return code;
}

static const cli_Rule rules[] = {
    { "joint", CLI_GOES_WITH, "limits" },
    { "stance", CLI_GOES_WITHOUT, "frame" },
    { "stick", CLI_GOES_WITHOUT, "body" },
    { "stick", CLI_GOES_WITH, "terrain" },
    { "marks", CLI_GOES_WITH, "terrain body" },
    { "terrain body", CLI_GOES_WITHOUT, "limits frame ghost" },
    { "fine", CLI_GOES_WITHOUT, "stick" },
    { NULL, CLI_GOES_WITH, NULL },
};

const cli_Command cli_command_render = {
    "render",
    "Draw a contact sheet, a single pose, limits or a film",
    "FILE -o OUT [OPTIONS]",
    "FILE is a motion file or scene:NAME. A glTF file is drawn in the light with its own mesh. "
    "Films\n"
    "need ffmpeg.\n",
    "  sinew render walk.bvh -o walk.png\n"
    "  sinew render walk.bvh -o pose.svg --frame 30 --camera front\n"
    "  sinew render scene:HAND -o hand.mp4 --size 1280x720\n"
    "  sinew render walk.bvh --terrain stairs --marks -o walk.png\n"
    "  sinew render robot.glb --animation Robot_Walking -o robot.png\n"
    "  sinew render walk.bvh --limits --rig auto --joint upperarm_l -o limits.png\n",
    { own_options, cli_input_options, cli_common_options },
    1,
    1,
    run,
    true,
    rules,
};
