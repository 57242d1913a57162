#include "walk_layer.h"

#include "arguments.h"
#include "output.h"

#include "sinew/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cli_Layer {
    const sinew_Skeleton *skeleton; // of the walker
    cli_Input input;
    double *shown, *pose; // of the motion's skeleton, and of the walker's
    double *mask;         // a share for each joint
};

static bool has_same_joints(const sinew_Skeleton *a, const sinew_Skeleton *b)
{
    const sinew_Joint *x = sinew_skeleton_joints(a), *y = sinew_skeleton_joints(b);
    int count = sinew_skeleton_joint_count(a);
    if (count != sinew_skeleton_joint_count(b)) { return false; }
    for (int i = 0; i < count; ++i) {
        if (x[i].parent != y[i].parent || strcmp(x[i].name, y[i].name) != 0) { return false; }
    }
    return true;
}

/// JOINT or JOINT=SHARE: the share of that joint and of all that hangs on it.
static bool mask_joint(const cli_Input *body, const char *word, double *mask)
{
    char name[200];
    double share = 1.0;
    snprintf(name, sizeof name, "%s", word);
    char *value = strchr(name, '=');
    if (value != NULL) {
        *value++ = '\0';
        if (!cli_parse_number("--mask", value, 0.0, 1.0, &share)) { return false; }
    }
    int top = cli_find_joint(body, "--mask", name);
    if (top < 0) { return false; }
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    for (int i = top; i < sinew_skeleton_joint_count(body->skeleton); ++i) {
        int above = i;
        while (above > top) { above = joints[above].parent; }
        if (above == top) { mask[i] = share; }
    }
    return true;
}

static bool read_mask(const cli_Input *body, const char *text, double *mask)
{
    int count = sinew_skeleton_joint_count(body->skeleton);
    for (int i = 0; i < count; ++i) { mask[i] = text == NULL ? 1.0 : 0.0; }
    while (text != NULL && *text != '\0') {
        char word[200];
        size_t length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (!mask_joint(body, word, mask)) { return false; }
        text += length + (text[length] == ',' ? 1 : 0);
    }
    return true;
}

static bool take_arrays(const cli_Input *body, cli_Layer *layer)
{
    size_t shown = (size_t)sinew_skeleton_coordinate_count(layer->input.skeleton);
    size_t pose = (size_t)sinew_skeleton_coordinate_count(body->skeleton);
    layer->shown = calloc(shown, sizeof *layer->shown);
    layer->pose = calloc(pose, sizeof *layer->pose);
    layer->mask = calloc((size_t)sinew_skeleton_joint_count(body->skeleton), sizeof *layer->mask);
    if (layer->shown != NULL && layer->pose != NULL && layer->mask != NULL) { return true; }
    cli_error("%s", sinew_status_text(SINEW_STATUS_OUT_OF_MEMORY));
    return false;
}

bool cli_layer_open(
    const cli_Input *body, const char *path, const char *mask, cli_Layer **out_layer)
{
    const sinew_ReadOptions options = sinew_read_options_default();
    cli_Layer *layer = calloc(1, sizeof *layer);
    *out_layer = NULL;
    if (layer == NULL || !cli_input_open(&layer->input, path, &options)) {
        free(layer);
        return false;
    }
    layer->skeleton = body->skeleton;
    bool is_good = has_same_joints(layer->input.skeleton, body->skeleton);
    if (!is_good) {
        cli_error("--layer: %s has other joints than %s; sinew retarget brings it there", path,
            body->name);
    } else if (layer->input.clip == NULL || sinew_clip_frame_count(layer->input.clip) == 0) {
        cli_error("--layer: %s has no frames", path);
        is_good = false;
    }
    if (!is_good || !take_arrays(body, layer) || !read_mask(body, mask, layer->mask)) {
        cli_layer_close(layer);
        return false;
    }
    *out_layer = layer;
    return true;
}

void cli_layer_close(cli_Layer *layer)
{
    if (layer == NULL) { return; }
    cli_input_close(&layer->input);
    free(layer->shown);
    free(layer->pose);
    free(layer->mask);
    free(layer);
}

sinew_WalkLayer cli_layer_at(cli_Layer *layer, double time)
{
    sinew_WalkLayer shown = sinew_walk_layer_default();
    double duration = sinew_clip_duration(layer->input.clip);
    sinew_clip_sample(layer->input.clip, duration > 0.0 ? fmod(time, duration) : 0.0, layer->shown);
    // the walker's skeleton may be a rig's, with other kinds of axes
    sinew_rig_convert_pose(layer->input.skeleton, layer->shown, layer->skeleton, layer->pose, NULL);
    shown.pose = layer->pose;
    shown.mask = layer->mask;
    shown.weight = 1.0;
    return shown;
}
