#include "input.h"

#include "arguments.h"
#include "disk.h"
#include "files.h"
#include "output.h"
#include "suggest.h"

#include "file/text.h"
#include "sinew/gltf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_scene(const char *name)
{
    return strncmp(name, "scene:", 6) == 0;
}

static scene_Scene *make_scene(const char *name)
{
    scene_Scene *scene = NULL;
    sinew_Message message = { "" };
    if (scene_create(name + 6, NULL, &scene, &message) != SINEW_STATUS_OK) {
        cli_error("%s: %s", name, message.text);
    }
    return scene;
}

bool cli_input_exists(const char *name)
{
    struct stat status;
    if (is_scene(name)) {
        scene_Scene *scene = make_scene(name);
        scene_destroy(scene);
        return scene != NULL;
    }
    if (strcmp(name, "-") == 0 || stat(name, &status) == 0) { return true; }
    cli_error("%s: cannot be opened: %s", name, strerror(errno));
    return false;
}

static bool open_scene(cli_Input *input)
{
    input->scene = make_scene(input->name);
    if (input->scene == NULL) { return false; }
    sinew_Status status = scene_motion(
        input->scene, 1.0 / CLI_SCENE_RATE, CLI_SCENE_FRAMES, &input->scene_clip);
    if (status != SINEW_STATUS_OK) {
        cli_error("%s: %s", input->name, sinew_status_text(status));
        scene_destroy(input->scene);
        return false;
    }
    input->skeleton = input->scene->skeleton;
    input->clip = input->scene_clip;
    input->source = input->clip;
    return true;
}

/// Standard input to its end; NULL after a message.
static char *read_standard_input(size_t *out_size)
{
    size_t capacity = 65536, used = 0;
    char *data = malloc(capacity);
    while (data != NULL) {
        used += fread(data + used, 1, capacity - used, stdin);
        if (used < capacity || capacity > SNW_MAX_FILE_SIZE) { break; }
        char *grown = realloc(data, 2 * capacity);
        if (grown == NULL) { free(data); }
        data = grown;
        capacity *= 2;
    }
    bool good = data != NULL && ferror(stdin) == 0 && used <= SNW_MAX_FILE_SIZE;
    if (!good) {
        cli_error("standard input: %s",
            data == NULL             ? sinew_status_text(SINEW_STATUS_OUT_OF_MEMORY)
                : ferror(stdin) != 0 ? "cannot be read"
                                     : "found more than 1024 MiB");
        free(data);
        return NULL;
    }
    *out_size = used;
    return data;
}

static sinew_Status read_motion(const char *name, const sinew_ReadOptions *options,
    sinew_MotionFile **out_file, sinew_Message *out_message)
{
    if (strcmp(name, "-") != 0) { return cli_load_motion(name, options, out_file, out_message); }
    // a rig file opens its motion twice, and standard input can be read once
    static char *data;
    static size_t size;
    if (data == NULL) { data = read_standard_input(&size); }
    if (data == NULL) { exit(CLI_FAILED); }
    return sinew_motion_read_memory(data, size, "standard input", options, out_file, out_message);
}

// what a file has not cannot be chosen, and what it knows need not be told
static bool fits_input(const cli_Input *input, const sinew_ReadOptions *options)
{
    const sinew_FileFormat format = input->file != NULL ? sinew_motion_format(input->file)
                                                        : SINEW_FORMAT_UNKNOWN;
    if (options->animation != NULL && format != SINEW_FORMAT_GLTF) {
        cli_error("--animation: found '%s', but %s is no glTF file, which alone has several",
            options->animation, input->name);
        return false;
    }
    if (options->positions != SINEW_BVH_POSITIONS_AUTO && format != SINEW_FORMAT_BVH) {
        cli_error("--bvh-positions: %s is no BVH file", input->name);
        return false;
    }
    if (options->unit > 0.0 && input->file == NULL) {
        cli_error("--unit: %s is in metres", input->name);
        return false;
    }
    return true;
}

sinew_ReadOptions cli_read_second(const char *name, const sinew_ReadOptions *options)
{
    sinew_ReadOptions second = *options;
    const sinew_FileFormat format = sinew_format_of_name(name);
    if (format != SINEW_FORMAT_GLTF) { second.animation = NULL; }
    if (format != SINEW_FORMAT_BVH) { second.positions = SINEW_BVH_POSITIONS_AUTO; }
    if (is_scene(name)) { second.unit = 0.0; }
    return second;
}

bool cli_input_open(cli_Input *input, const char *name, const sinew_ReadOptions *options)
{
    memset(input, 0, sizeof *input);
    input->name = name;
    if (is_scene(name)) { return fits_input(input, options) && open_scene(input); }

    sinew_Message message = { "" };
    if (read_motion(name, options, &input->file, &message) != SINEW_STATUS_OK) {
        cli_error("%s", message.text);
        return false;
    }
    input->skeleton = sinew_motion_skeleton(input->file);
    input->clip = sinew_motion_clip(input->file);
    input->source = input->clip;
    if (fits_input(input, options)) { return true; }
    cli_input_close(input);
    return false;
}

void cli_input_close(cli_Input *input)
{
    sinew_clip_destroy(input->rigged_clip);
    sinew_skeleton_destroy(input->rigged);
    sinew_rig_destroy(input->rig);
    sinew_stance_destroy(input->stance);
    sinew_roles_destroy(input->roles);
    free(input->rig_path);
    sinew_clip_destroy(input->scene_clip);
    scene_destroy(input->scene);
    sinew_motion_destroy(input->file);
    memset(input, 0, sizeof *input);
}

/// The joint of a role: as the rig says, else as guessed; -1.
sinew_PoseList cli_poses(const sinew_Clip *clip)
{
    sinew_PoseList list = { NULL, sinew_clip_frame_count(clip) };
    if (list.count > 0) { list.q = sinew_clip_frame_const(clip, 0); }
    return list;
}

sinew_RoleGuess *cli_guess_roles(const cli_Input *input)
{
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(input->source);
    int count = sinew_skeleton_joint_count(skeleton);
    bool *ends = calloc((size_t)count, sizeof *ends);
    sinew_RoleGuess *roles = NULL;
    sinew_Message message = { "" };
    const sinew_PoseList motion = cli_poses(input->source);
    sinew_RoleOptions options = sinew_role_options_default();
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    if (ends != NULL) {
        for (int j = 0; j < count; ++j) { ends[j] = cli_is_end_site(input, j); }
        options.is_end_site = ends;
        options.is_robot = cli_is_robot(input);
        options.motion = motion.count > 0 ? &motion : NULL;
        status = sinew_roles_guess(skeleton, &options, NULL, &roles, &message);
    }
    free(ends);
    if (status != SINEW_STATUS_OK) {
        cli_error("%s: %s", input->name,
            message.text[0] != '\0' ? message.text : sinew_status_text(status));
    }
    return roles;
}

static int find_role(const cli_Input *input, const sinew_JointRole *role)
{
    for (int i = 0; input->rig != NULL && i < sinew_rig_joint_count(input->rig); ++i) {
        const sinew_RigJoint *joint = sinew_rig_joint(input->rig, i);
        if ((joint->has & SINEW_RIG_HAS_ROLE) && joint->role.role == role->role
            && joint->role.side == role->side && joint->role.number == role->number) {
            return sinew_rig_key_joint(input->skeleton, joint->key);
        }
    }
    if (input->rig != NULL) { return -1; }
    sinew_RoleGuess *roles = cli_guess_roles(input);
    int joint = roles != NULL ? sinew_roles_find(roles, role->role, role->side, role->number) : -1;
    sinew_roles_destroy(roles);
    return joint;
}

int cli_take_individual(const char *option, const char *text, sinew_Individual *out_individual)
{
    sinew_Message message = { "" };
    bool is_file = cli_has_ending(text, ".json");
    sinew_Status status = is_file ? cli_load_individual(text, out_individual, &message)
                                  : sinew_individual_parse(text, out_individual, &message);
    if (status == SINEW_STATUS_OK) { return CLI_DONE; }
    cli_error("%s%s%s", is_file ? "" : option, is_file ? "" : ": ", message.text);
    return is_file ? CLI_FAILED : CLI_USAGE;
}

int cli_open_terrain(const char *name, sinew_Terrain **out_terrain)
{
    sinew_Message message = { "" };
    sinew_Status status = cli_load_terrain(name, out_terrain, &message);
    if (status == SINEW_STATUS_OK) { return CLI_DONE; }
    bool is_name = status == SINEW_STATUS_INVALID_ARGUMENT;
    cli_error("%s%s", is_name ? "--terrain: " : "", message.text);
    return is_name ? CLI_USAGE : CLI_FAILED;
}

bool cli_is_robot(const cli_Input *input)
{
    return input->file != NULL && sinew_motion_format(input->file) == SINEW_FORMAT_URDF;
}

bool cli_check_float(const cli_Input *input)
{
    if (cli_is_robot(input)) { return true; }
    cli_error("--float: %s is no robot (URDF), and its base moves as the file says", input->name);
    return false;
}

void cli_tell_float(const cli_Input *input, const char *purpose)
{
    if (!cli_is_robot(input)) { return; }
    cli_error("note: %s: the base floats, so that it can %s (--float)", input->name, purpose);
}

sinew_Vec3 cli_up(const cli_Input *input)
{
    return sinew_vec3(0.0, 0.0, cli_is_robot(input) ? 1.0 : 0.0);
}

int cli_named_joint(const cli_Input *input, const char *name)
{
    // a rig keeps the joints of a robot, so an index of the file's skeleton holds for both
    if (cli_is_robot(input)) { return sinew_motion_find_joint(input->file, name); }
    return sinew_rig_key_joint(input->skeleton, name);
}

int cli_find_joint(const cli_Input *input, const char *where, const char *name)
{
    int joint = cli_named_joint(input, name);
    if (joint >= 0) { return joint; }
    sinew_JointRole role;
    if (sinew_role_parse(name, &role)) {
        joint = find_role(input, &role);
        if (joint < 0) { cli_error("%s: no joint of %s is a %s", where, input->name, name); }
        return joint;
    }

    cli_Suggestion suggestion = cli_suggest_begin(name);
    const sinew_Joint *joints = sinew_skeleton_joints(input->skeleton);
    int count = sinew_skeleton_joint_count(input->skeleton);
    for (int i = 0; i < count; ++i) { cli_suggest_offer(&suggestion, joints[i].name); }
    for (int i = 0; i < count && cli_is_robot(input); ++i) {
        cli_suggest_offer(&suggestion, sinew_motion_link(input->file, i));
    }
    if (suggestion.best != NULL) {
        cli_error("%s: no joint '%s'; did you mean '%s'?", where, name, suggestion.best);
    } else {
        cli_error("%s: no joint '%s'; sinew info %s lists the joints", where, name, input->name);
    }
    return -1;
}

bool cli_is_end_site(const cli_Input *input, int joint)
{
    return input->file != NULL && sinew_motion_is_end_site(input->file, joint);
}

const char *cli_animation_name(const cli_Input *input)
{
    static char name[200];
    if (cli_output_animation() != NULL) { return cli_output_animation(); }
    const sinew_Gltf *gltf = input->file != NULL ? sinew_motion_gltf(input->file) : NULL;
    int read = gltf != NULL ? sinew_motion_animation(input->file) : -1;
    const char *own = read >= 0 ? sinew_gltf_animation_name(gltf, read) : "";
    if (own[0] != '\0') { return own; }
    // standard input has no name, so that the library's is taken
    if (strcmp(input->name, "-") == 0) { return NULL; }
    // the file's, without folder and ending; a scene's without "scene:"
    const char *base = input->scene != NULL ? input->scene->name : cli_base_name(input->name);
    const char *dot = strrchr(base, '.');
    size_t length = dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base);
    snprintf(
        name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), base);
    return name;
}

sinew_WriteOptions cli_write_options(const char *path, cli_Input *body, const cli_Input *motion)
{
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = body->file;
    options.animation = motion != NULL ? cli_animation_name(motion) : cli_output_animation();
    // other formats keep what is up, and a glTF file has it said already
    bool is_made = path != NULL && sinew_format_of_name(path) == SINEW_FORMAT_GLTF
        && (body->file == NULL || sinew_motion_gltf(body->file) == NULL);
    const sinew_Stance *stance = is_made ? cli_input_stance(body) : NULL;
    if (stance != NULL) { options.up = stance->up; }
    return options;
}

sinew_JointDef cli_joint_def(const sinew_Skeleton *skeleton, int joint)
{
    const sinew_Joint *from = &sinew_skeleton_joints(skeleton)[joint];
    sinew_JointDef def = sinew_joint_def_default();
    def.name = from->name;
    def.parent = from->parent;
    def.offset = from->offset;
    def.rest_rotation = from->rest_rotation;
    def.axes = sinew_skeleton_axes(skeleton) + from->axis_start;
    def.axis_count = from->axis_count;
    def.mass = from->mass;
    def.mass_center = from->mass_center;
    def.object = from->object;
    return def;
}

static sinew_Status turn_frame(const sinew_Skeleton *skeleton, sinew_Quat turn, const double *last,
    double *scratch, double *q, sinew_Transform *world)
{
    const sinew_Joint *root = sinew_skeleton_joints(skeleton);
    sinew_pose_forward(skeleton, q, world);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        world[j].position = sinew_quat_rotate(turn, world[j].position);
        world[j].rotation = sinew_quat_mul(turn, world[j].rotation);
    }
    // all joints but the root keep their angles; its own go on from those of the frame before
    size_t width = (size_t)sinew_skeleton_coordinate_count(skeleton);
    memcpy(scratch, q, width * sizeof *q);
    if (last != NULL) { memcpy(scratch, last, (size_t)root->coordinate_count * sizeof *q); }
    return sinew_pose_from_world(skeleton, world, scratch, q, world, NULL, NULL);
}

sinew_Status cli_turn_clip(sinew_Clip *clip, sinew_Quat turn)
{
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(clip);
    sinew_Transform *world = calloc((size_t)sinew_skeleton_joint_count(skeleton), sizeof *world);
    double *scratch = calloc(
        (size_t)sinew_skeleton_coordinate_count(skeleton) + 1, sizeof *scratch);
    sinew_Status status = world != NULL && scratch != NULL ? SINEW_STATUS_OK
                                                           : SINEW_STATUS_OUT_OF_MEMORY;
    for (int f = 0; status == SINEW_STATUS_OK && f < sinew_clip_frame_count(clip); ++f) {
        status = turn_frame(skeleton, turn, f > 0 ? sinew_clip_frame(clip, f - 1) : NULL, scratch,
            sinew_clip_frame(clip, f), world);
    }
    free(scratch);
    free(world);
    return status;
}

bool cli_tell_written(const char *path, sinew_Status status, const sinew_Message *message)
{
    if (status == SINEW_STATUS_OK) { return true; }
    // a reader of standard output that has seen enough needs no message
    bool is_named = strncmp(message->text, path, strlen(path)) == 0;
    if (message->text[0] != '\0') {
        cli_error("%s%s%s", is_named ? "" : path, is_named ? "" : ": ", message->text);
    }
    return false;
}

bool cli_write_motion(const char *path, const sinew_Clip *clip, const sinew_WriteOptions *options)
{
    sinew_Message message = { "" };
    return cli_tell_written(path, cli_save_motion(path, clip, options, &message), &message);
}

bool cli_check_motion_path(const char *option, const char *path, bool may_film)
{
    if (strcmp(path, "-") == 0) { return cli_output_claim(); }
    if (sinew_format_of_name(path) != SINEW_FORMAT_UNKNOWN) { return true; }
    if (may_film && cli_is_film(path)) { return true; }
    cli_error("%s: found '%s', expected a name that ends in .bvh, %s, or -", option, path,
        may_film ? ".glb, .gltf, .mp4 or .gif" : ".glb or .gltf");
    return false;
}

bool cli_check_folder(const char *option, const char *path)
{
    static const char *const endings[] = { ".png", ".svg", ".pdf", ".mp4", ".gif", ".json",
        ".csv" };
    bool is_file = sinew_format_of_name(path) != SINEW_FORMAT_UNKNOWN;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i) {
        is_file = is_file || cli_has_ending(path, endings[i]);
    }
    if (!is_file || cli_is_folder(path)) { return true; }
    cli_error("%s: found '%s', a name of one file, expected a folder for several", option, path);
    return false;
}

bool cli_is_picture(const char *path)
{
    return cli_has_ending(path, ".png") || cli_has_ending(path, ".svg")
        || cli_has_ending(path, ".pdf");
}

bool cli_is_film(const char *path)
{
    return cli_has_ending(path, ".mp4") || cli_has_ending(path, ".gif");
}

bool cli_check_picture_path(const char *option, const char *path)
{
    if (cli_is_picture(path)) { return true; }
    cli_error("%s: found '%s', expected a name that ends in .png, .svg or .pdf", option, path);
    return false;
}
