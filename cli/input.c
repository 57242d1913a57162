#include "input.h"

#include "arguments.h"
#include "output.h"
#include "suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool open_scene(cli_Input *input, const char *scene_text)
{
    sinew_Message message = { "" };
    if (scene_create(scene_text, NULL, &input->scene, &message) != SINEW_STATUS_OK) {
        cli_error("%s: %s", input->name, message.text);
        return false;
    }
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

bool cli_input_open(cli_Input *input, const char *name, const sinew_ReadOptions *options)
{
    memset(input, 0, sizeof *input);
    input->name = name;
    if (strncmp(name, "scene:", 6) == 0) { return open_scene(input, name + 6); }

    sinew_Message message = { "" };
    if (sinew_motion_read(name, options, &input->file, &message) != SINEW_STATUS_OK) {
        cli_error("%s", message.text);
        return false;
    }
    input->skeleton = sinew_motion_skeleton(input->file);
    input->clip = sinew_motion_clip(input->file);
    input->source = input->clip;
    return true;
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

bool cli_parse_individual(const char *option, const char *text, sinew_Individual *out_individual)
{
    sinew_Message message = { "" };
    bool is_file = cli_has_ending(text, ".json");
    sinew_Status status = is_file ? sinew_individual_read(text, out_individual, &message)
                                  : sinew_individual_parse(text, out_individual, &message);
    if (status == SINEW_STATUS_OK) { return true; }
    cli_error("%s%s%s", is_file ? "" : option, is_file ? "" : ": ", message.text);
    return false;
}

bool cli_is_robot(const cli_Input *input)
{
    return input->file != NULL && sinew_motion_format(input->file) == SINEW_FORMAT_URDF;
}

sinew_Vec3 cli_up(const cli_Input *input)
{
    return sinew_vec3(0.0, 0.0, cli_is_robot(input) ? 1.0 : 0.0);
}

int cli_named_joint(const cli_Input *input, const char *name)
{
    // a rig keeps the joints of a robot, so an index of the file's skeleton holds for both
    if (cli_is_robot(input)) { return sinew_motion_find_joint(input->file, name); }
    return sinew_skeleton_find_joint(input->skeleton, name);
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

void cli_default_start(const cli_Input *input, double *out_q)
{
    const sinew_Skeleton *skeleton = input->skeleton;
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    if (!cli_is_robot(input)) {
        sinew_pose_rest(skeleton, out_q);
        return;
    }
    // what is locked stays where it is
    sinew_pose_middle(skeleton, out_q);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        bool is_locked = axes[a].mobility == 0.0 && axes[a].kind != SINEW_AXIS_BALL;
        if (is_locked) { out_q[places[a].coordinate] = axes[a].rest; }
    }
}

bool cli_is_end_site(const cli_Input *input, int joint)
{
    return input->file != NULL && sinew_motion_is_end_site(input->file, joint);
}

sinew_WriteOptions cli_write_options(const cli_Input *input)
{
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = input->file;
    return options;
}

bool cli_write_motion(const char *path, const sinew_Clip *clip, const sinew_WriteOptions *options)
{
    sinew_Message message = { "" };
    if (sinew_motion_write(path, clip, options, &message) != SINEW_STATUS_OK) {
        cli_error("%s", message.text);
        return false;
    }
    return true;
}

bool cli_check_motion_path(const char *option, const char *path)
{
    if (cli_has_ending(path, ".bvh") || cli_has_ending(path, ".glb")
        || cli_has_ending(path, ".gltf")) {
        return true;
    }
    cli_error("%s: found '%s', expected a name that ends in .bvh, .glb or .gltf", option, path);
    return false;
}

bool cli_check_picture_path(const char *option, const char *path)
{
    if (cli_has_ending(path, ".png") || cli_has_ending(path, ".svg")
        || cli_has_ending(path, ".pdf")) {
        return true;
    }
    cli_error("%s: found '%s', expected a name that ends in .png, .svg or .pdf", option, path);
    return false;
}
