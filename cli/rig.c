// Rigs for the commands: guessed, read from a file, or found beside the input.

#include "input.h"

#include "arguments.h"
#include "disk.h"
#include "output.h"

#include "base/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const sinew_Stance *cli_input_stance(cli_Input *input)
{
    const sinew_RoleGuess *roles = cli_input_roles(input);
    if (input->stance != NULL || roles == NULL) { return input->stance; }
    sinew_Message message = { "" };
    // of the file's own skeleton: limits move rest poses that are outside
    const sinew_PoseList motion = cli_poses(input->source);
    sinew_Status status = sinew_stance_guess(sinew_clip_skeleton(input->source), roles,
        motion.count > 0 ? &motion : NULL, NULL, &input->stance, &message);
    if (status != SINEW_STATUS_OK) { cli_error("%s: %s", input->name, message.text); }
    return input->stance;
}

sinew_Clip *cli_stance_clip(const cli_Input *input)
{
    if (!input->stance->can_stand) {
        cli_error("%s: %s", input->name, input->stance->notes[0].text.text);
        return NULL;
    }
    sinew_Clip *clip = NULL;
    double time = sinew_clip_frame_time(input->clip);
    if (sinew_clip_create(input->skeleton, 1, time, NULL, &clip) != SINEW_STATUS_OK) {
        cli_error("%s: %s", input->name, sinew_status_text(SINEW_STATUS_OUT_OF_MEMORY));
        return NULL;
    }
    // the joints are the same, so this cannot fail
    (void)sinew_rig_convert_pose(sinew_clip_skeleton(input->source), input->stance->q,
        input->skeleton, sinew_clip_frame(clip, 0), NULL);
    return clip;
}

const sinew_RoleGuess *cli_input_roles(cli_Input *input)
{
    if (input->roles == NULL) { input->roles = cli_guess_roles(input); }
    return input->roles;
}

sinew_Rig *cli_guess_rig(cli_Input *input, const sinew_Rig *said, bool hinges)
{
    const sinew_RoleGuess *roles = cli_input_roles(input);
    if (roles == NULL) { return NULL; }
    sinew_Rig *rig = NULL;
    sinew_Message message = { "" };
    sinew_RigOptions options = sinew_rig_options_default();
    const sinew_PoseList motion = cli_poses(input->source);
    options.motion = motion.count > 0 ? &motion : NULL;
    options.said = said;
    options.hinges = hinges;
    options.is_robot = cli_is_robot(input);
    if (input->file != NULL) { options.unit = sinew_motion_unit(input->file); }
    sinew_Status status = sinew_rig_guess(
        sinew_clip_skeleton(input->source), roles, &options, NULL, &rig, &message);
    if (status != SINEW_STATUS_OK) { cli_error("%s: %s", input->name, message.text); }
    return rig;
}

// ---------------------------------------------------------------------------------------------
// Finding and reading

/// WALK.rig.json for WALK.bvh, else WALK.bvh.rig.json; NULL when neither is there.
static char *find_beside(const char *name)
{
    static const char ending[] = ".rig.json";
    size_t length = strlen(name);
    char *path = malloc(length + sizeof ending);
    if (path == NULL || strncmp(name, "scene:", 6) == 0) {
        free(path);
        return NULL;
    }
    const char *base = cli_base_name(name), *dot = strrchr(base, '.');
    size_t stem = dot != NULL && dot > base ? (size_t)(dot - name) : length;
    snprintf(path, length + sizeof ending, "%.*s%s", (int)stem, name, ending);
    if (access(path, F_OK) == 0) { return path; }
    snprintf(path, length + sizeof ending, "%s%s", name, ending);
    if (access(path, F_OK) == 0) { return path; }
    free(path);
    return NULL;
}

/// Why a rig file that is good in itself is of no use for the input. How many of its joints are there tells a slip from a rig
/// of another body, as of a file that was exported anew since.
static void tell_misfit(
    const cli_Input *input, const sinew_Rig *said, const char *reason, bool was_asked_for)
{
    int count = sinew_rig_joint_count(said), there = 0;
    for (int i = 0; i < count; ++i) {
        const char *key = sinew_rig_joint(said, i)->key;
        there += sinew_rig_key_joint(sinew_clip_skeleton(input->source), key) >= 0 ? 1 : 0;
    }
    cli_error("%s (%s%s has %d of the rig's %d joint%s)", reason, input->name,
        was_asked_for ? "" : ", which it lies beside,", there, count, snw_plural(count));
}

// ---------------------------------------------------------------------------------------------
// Applying

static bool convert_clip(cli_Input *input)
{
    int frames = sinew_clip_frame_count(input->source);
    sinew_Status status = sinew_clip_create(
        input->rigged, frames, sinew_clip_frame_time(input->source), NULL, &input->rigged_clip);
    for (int f = 0; status == SINEW_STATUS_OK && f < frames; ++f) {
        double residual = 0.0;
        status = sinew_rig_convert_pose(sinew_clip_skeleton(input->source),
            sinew_clip_frame_const(input->source, f), input->rigged,
            sinew_clip_frame(input->rigged_clip, f), &residual);
        if (residual > input->rig_residual) { input->rig_residual = residual; }
    }
    if (status != SINEW_STATUS_OK) {
        cli_error("%s: %s", input->name, sinew_status_text(status));
        return false;
    }
    input->skeleton = input->rigged;
    input->clip = input->rigged_clip;
    return true;
}

/// False with a message where the rig cannot be applied; other failures have told theirs.
static bool put_rig(cli_Input *input, const sinew_Rig *said, sinew_Message *out_message)
{
    input->rig = cli_guess_rig(input, said, false);
    if (input->rig == NULL) { return false; }
    sinew_Status status = sinew_rig_apply(
        sinew_clip_skeleton(input->source), input->rig, NULL, &input->rigged, out_message);
    return status == SINEW_STATUS_OK && convert_clip(input);
}

static bool guess_and_put_rig(cli_Input *input)
{
    sinew_Message message = { "" };
    if (put_rig(input, NULL, &message)) { return true; }
    if (message.text[0] != '\0') { cli_error("%s: %s", input->name, message.text); }
    return false;
}

/// With a rig file that is good in itself: its names and kinds are those of the input's joints.
static bool put_rig_file(
    cli_Input *input, const sinew_Rig *said, const char *path, bool was_asked_for)
{
    sinew_Message message = { "" };
    sinew_Rig *fitting = NULL;
    input->rig_path = strdup(path);
    if (input->rig_path == NULL) { return cli_out_of_memory(); }
    if (cli_load_rig(path, input->skeleton, &fitting, &message) != SINEW_STATUS_OK) {
        tell_misfit(input, said, message.text, was_asked_for);
        return false;
    }
    bool good = put_rig(input, fitting, &message);
    if (!good && message.text[0] != '\0') {
        char reason[1024];
        snprintf(reason, sizeof reason, "%.500s: %s", path, message.text);
        tell_misfit(input, said, reason, was_asked_for);
    }
    sinew_rig_destroy(fitting);
    return good;
}

static sinew_Rig *load_by_itself(const char *path)
{
    sinew_Rig *said = NULL;
    sinew_Message message = { "" };
    if (cli_load_rig(path, NULL, &said, &message) != SINEW_STATUS_OK) {
        cli_error("%s", message.text);
        return NULL;
    }
    return said;
}

/// A rig file's unit holds for the motion as well, unless one was given.
static bool open_in_unit_of(
    cli_Input *input, const char *name, const sinew_ReadOptions *options, const sinew_Rig *said)
{
    sinew_ReadOptions used = *options;
    bool is_scene = strncmp(name, "scene:", 6) == 0; // in metres, whatever the rig counts in
    if (used.unit == 0.0 && !is_scene) { used.unit = sinew_rig_unit(said); }
    if (!cli_input_open(input, name, &used)) { return false; }
    input->unit_of_rig = used.unit != options->unit;
    return true;
}

static bool open_with_file(cli_Input *input, const char *name, const sinew_ReadOptions *options,
    const char *path, bool was_asked_for)
{
    sinew_Rig *said = load_by_itself(path);
    bool good = said != NULL && open_in_unit_of(input, name, options, said);
    if (good) {
        good = put_rig_file(input, said, path, was_asked_for);
        if (!good) { cli_input_close(input); }
    }
    sinew_rig_destroy(said);
    return good;
}

/// The unit of a rig is that of the body that it is about.
static bool is_rig_of(const cli_Input *input, const sinew_Rig *said, const char *path)
{
    sinew_Message message = { "" };
    sinew_Rig *fitting = NULL;
    bool fits = cli_load_rig(path, sinew_clip_skeleton(input->source), &fitting, &message)
        == SINEW_STATUS_OK;
    if (!fits) { tell_misfit(input, said, message.text, false); }
    sinew_rig_destroy(fitting);
    return fits;
}

bool cli_input_open_measured(cli_Input *input, const char *name, const sinew_ReadOptions *options)
{
    char *path = options->unit == 0.0 ? find_beside(name) : NULL;
    if (path == NULL) { return cli_input_open(input, name, options); }
    sinew_Rig *said = load_by_itself(path);
    bool good = said != NULL && open_in_unit_of(input, name, options, said);
    if (good && input->unit_of_rig && !is_rig_of(input, said, path)) {
        cli_input_close(input);
        good = false;
    }
    sinew_rig_destroy(said);
    free(path);
    return good;
}

bool cli_input_open_rigged(
    cli_Input *input, const char *name, const sinew_ReadOptions *options, const char *rig)
{
    if (rig != NULL && strcmp(rig, "none") == 0) { return cli_input_open(input, name, options); }
    if (rig != NULL && strcmp(rig, "auto") == 0) {
        if (!cli_input_open(input, name, options)) { return false; }
        bool good = guess_and_put_rig(input);
        if (!good) { cli_input_close(input); }
        return good;
    }
    char *beside = rig == NULL ? find_beside(name) : NULL;
    const char *path = rig != NULL ? rig : beside;
    bool good = path != NULL ? open_with_file(input, name, options, path, rig != NULL)
                             : cli_input_open(input, name, options);
    free(beside);
    return good;
}

/// Whether a table is for goals of these kinds, joints and chains.
static bool is_for(const sinew_StartTableData *data, const sinew_Goal *goals, int count)
{
    if (data->goal_count != count) { return false; }
    for (int g = 0; g < count; ++g) {
        const sinew_Goal *a = &data->goals[g], *b = &goals[g];
        if (a->kind != b->kind || a->joint != b->joint || a->chain_root != b->chain_root) {
            return false;
        }
    }
    return true;
}

void cli_use_starts(const cli_Input *input, sinew_Solver *solver, const sinew_Goal *goals,
    int goal_count, sinew_StartTable **out_table)
{
    *out_table = NULL;
    for (int i = 0; input->rig != NULL && i < sinew_rig_starts_count(input->rig); ++i) {
        sinew_StartTable *table = NULL;
        // a table that does not fit this body is of no use, but does no harm either
        if (sinew_rig_start_table(
                input->rig, sinew_rig_starts(input->rig, i), input->skeleton, NULL, &table, NULL)
            != SINEW_STATUS_OK) {
            continue;
        }
        if (is_for(sinew_start_table_data(table), goals, goal_count)
            && sinew_solver_set_starts(solver, table) == SINEW_STATUS_OK) {
            *out_table = table;
            return;
        }
        sinew_start_table_destroy(table);
    }
}

bool cli_has_limits(const sinew_Skeleton *skeleton)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        if (axes[a].limit != NULL || isfinite(axes[a].lower) || isfinite(axes[a].upper)) {
            return true;
        }
    }
    return false;
}

const char *cli_rig_name(const cli_Input *input)
{
    if (input->rig == NULL) { return "none"; }
    return input->rig_path != NULL ? input->rig_path : "auto";
}

const char *cli_rig_text(const cli_Input *input)
{
    static char text[600];
    if (input->rig == NULL) { return "those of the file"; }
    if (input->rig_path == NULL) {
        snprintf(text, sizeof text, "guessed from the joints (%s)",
            sinew_body_kind_name(input->roles->kind));
    } else {
        snprintf(text, sizeof text, "from %.500s", input->rig_path);
    }
    return text;
}
