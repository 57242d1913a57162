#include "walk_layer.h"

#include "arguments.h"
#include "output.h"
#include "walk_loop.h"

#include "sinew/pose.h"
#include "sinew/rig.h"
#include "walk/gait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A motion whose end is not its start goes over into it at no more than this, rad/s, within these times, seconds, and
/// this share of it. Less than that is none.
#define SEAM_SPEED 4.0
#define LEAST_SEAM 0.15
#define MOST_SEAM 0.8
#define MOST_SEAM_SHARE 0.4
#define NO_SEAM 0.02

struct cli_Layer {
    const sinew_Skeleton *skeleton; // of the walker
    cli_Input input;
    double *shown, *end, *pose; // of the motion's skeleton, two of them, and of the walker's
    double *mask;               // a share for each joint
    double seam;                // seconds for which its end goes over into its start
    double from, rate;          // when it begins, and how much quicker it is, to fit a loop
    bool is_looped;             // it was there before it began
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

/// The walk keeps its root, its hips and its legs.
static void mask_walk(cli_Input *body, double *mask)
{
    const sinew_RoleGuess *roles = cli_input_roles(body);
    for (int j = 0; roles != NULL && j < sinew_skeleton_joint_count(body->skeleton); ++j) {
        const sinew_Role role = roles->joints[j].role;
        const bool is_leg = role == SINEW_ROLE_THIGH || role == SINEW_ROLE_SHIN
            || role == SINEW_ROLE_FOOT || role == SINEW_ROLE_TOE;
        if (is_leg || role == SINEW_ROLE_HIPS || role == SINEW_ROLE_ROOT) { mask[j] = 0.0; }
    }
}

static bool take_arrays(const cli_Input *body, cli_Layer *layer)
{
    size_t shown = (size_t)sinew_skeleton_coordinate_count(layer->input.skeleton);
    size_t pose = (size_t)sinew_skeleton_coordinate_count(body->skeleton);
    layer->shown = calloc(shown, sizeof *layer->shown);
    layer->end = calloc(shown, sizeof *layer->end);
    layer->pose = calloc(pose, sizeof *layer->pose);
    layer->mask = calloc((size_t)sinew_skeleton_joint_count(body->skeleton), sizeof *layer->mask);
    if (layer->shown != NULL && layer->end != NULL && layer->pose != NULL && layer->mask != NULL) {
        return true;
    }
    return cli_out_of_memory();
}

/// How long its end has to go over into its start.
static double find_seam(const cli_Layer *layer)
{
    const sinew_Clip *clip = layer->input.clip;
    const double duration = sinew_clip_duration(clip);
    const int last = sinew_clip_frame_count(clip) - 1;
    const double gap = cli_largest_turn(layer->input.skeleton, sinew_clip_frame_const(clip, 0),
        sinew_clip_frame_const(clip, last), layer->mask);
    if (gap < NO_SEAM) { return 0.0; }
    // a smooth step is 1.5 times as fast in its middle
    const double wanted = snw_clamp(1.5 * gap / SEAM_SPEED, LEAST_SEAM, MOST_SEAM);
    return fmin(wanted, MOST_SEAM_SHARE * duration);
}

bool cli_layer_open(cli_Input *body, const char *path, const char *mask, cli_Layer **out_layer)
{
    const sinew_ReadOptions options = sinew_read_options_default();
    cli_Layer *layer = calloc(1, sizeof *layer);
    *out_layer = NULL;
    if (layer == NULL || !cli_input_open_measured(&layer->input, path, &options)) {
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
    mask_walk(body, layer->mask);
    layer->seam = find_seam(layer);
    layer->rate = 1.0;
    *out_layer = layer;
    return true;
}

void cli_layer_close(cli_Layer *layer)
{
    if (layer == NULL) { return; }
    cli_input_close(&layer->input);
    free(layer->shown);
    free(layer->end);
    free(layer->pose);
    free(layer->mask);
    free(layer);
}

double cli_layer_period(const cli_Layer *layer)
{
    return sinew_clip_duration(layer->input.clip) - layer->seam;
}

double cli_layer_fit(cli_Layer *layer, double from, double duration)
{
    const double period = cli_layer_period(layer);
    layer->from = from;
    layer->is_looped = true;
    layer->rate = fmax(1.0, floor(duration / fmax(period, 1e-9) + 0.5)) * period / duration;
    return layer->rate;
}

sinew_WalkLayer cli_layer_at(cli_Layer *layer, double time)
{
    sinew_WalkLayer shown = sinew_walk_layer_default();
    const double period = cli_layer_period(layer), at = layer->rate * (time - layer->from);
    const double turns = period > 0.0 ? floor(at / period) : 0.0;
    const double since = period > 0.0 ? at - turns * period : 0.0;
    const sinew_Clip *clip = layer->input.clip;
    sinew_clip_sample(clip, since, layer->shown);
    // the end goes on below the start of the next time
    if (since < layer->seam && (layer->is_looped || turns >= 1.0)) {
        sinew_clip_sample(clip, period + since, layer->end);
        sinew_pose_interpolate(layer->input.skeleton, layer->end, layer->shown,
            snw_smoothstep(since / layer->seam), layer->shown);
    }
    // the walker's skeleton may be a rig's, with other kinds of axes
    sinew_rig_convert_pose(layer->input.skeleton, layer->shown, layer->skeleton, layer->pose, NULL);
    shown.pose = layer->pose;
    shown.mask = layer->mask;
    shown.weight = 1.0;
    return shown;
}
