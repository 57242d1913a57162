// Slides below the one that carries the body: files with six channels a joint have them on every bone.
// What a recording shows of them is how long its bones are, and all that a solver may use of them.

#include "body/rig_guess.h"

#include "math/holds.h"

// Ranges of less than this, metres, are the rounding of whoever wrote the file: 5e-13 at most in all that
// were looked at. A slide that is free to go so far takes a limb its closed form.
#define ROUNDING 1e-9

// The numbers that a slide had in the motion, or its rest value where there is none. One that never moved
// is locked.
static sinew_RigRange recorded(
    const snw_StanceBody *body, const sinew_PoseList *motion, int axis, double unit)
{
    SNW_ASSERT(axis >= 0);
    const sinew_Axis *a = &sinew_skeleton_axes(body->skeleton)[axis];
    size_t width = (size_t)sinew_skeleton_coordinate_count(body->skeleton);
    size_t place = (size_t)sinew_skeleton_axis_places(body->skeleton)[axis].coordinate;
    int count = motion != NULL ? motion->count : 0;
    double lower = count > 0 ? INFINITY : a->rest, upper = count > 0 ? -INFINITY : a->rest;
    for (int i = 0; i < count; ++i) {
        double value = motion->q[(size_t)i * width + place];
        lower = fmin(lower, value);
        upper = fmax(upper, value);
    }
    if (upper - lower < ROUNDING) { lower = upper = fmin(fmax(a->rest, lower), upper); }
    sinew_RigRange range = { lower / unit, upper / unit };
    return range;
}

// Whether a joint carries the whole body: the hips and all above them, and what moves first.
static bool carries(const snw_StanceBody *body, int joint)
{
    SNW_ASSERT(joint >= 0);
    int hips = body->hips;
    if (hips >= 0 && sinew_skeleton_is_ancestor(body->skeleton, joint, hips)) { return true; }
    for (int p = body->joints[joint].parent; p >= 0; p = body->joints[p].parent) {
        if (body->joints[p].axis_count > 0) { return false; }
    }
    return true;
}

void snw_rig_hold_slides(
    const snw_StanceBody *body, const sinew_RigOptions *options, int joint, sinew_RigJoint *out)
{
    SNW_ASSERT(joint >= 0);
    const sinew_Joint *own = &body->joints[joint];
    const sinew_Axis *axes = sinew_skeleton_axes(body->skeleton);
    if (options->is_robot || carries(body, joint)) { return; }
    // other kinds of rotations have said their ranges: slides go before them
    bool replaced = (out->has & SINEW_RIG_HAS_KIND) != 0;
    sinew_RigRange ranges[SINEW_MAX_AXES_PER_JOINT];
    int count = 0, held = 0;
    for (int a = own->axis_start; a < own->axis_start + own->axis_count; ++a) {
        bool slide = axes[a].kind == SINEW_AXIS_SLIDE;
        bool limited = isfinite(axes[a].lower) || isfinite(axes[a].upper);
        if (axes[a].kind == SINEW_AXIS_BALL || (replaced && !slide)) { continue; }
        double unit = slide ? options->unit : SNW_DEGREE;
        sinew_RigRange given = { axes[a].lower / unit, axes[a].upper / unit };
        bool holds = slide && !limited;
        ranges[count++] = holds ? recorded(body, options->motion, a, unit) : given;
        held += holds ? 1 : 0;
    }
    if (held == 0) { return; }
    for (int r = 0; replaced && r < out->range_count && count < SINEW_MAX_AXES_PER_JOINT; ++r) {
        ranges[count++] = out->ranges[r];
    }
    for (int i = 0; i < count; ++i) { out->ranges[i] = ranges[i]; }
    out->range_count = count;
    out->has |= SINEW_RIG_HAS_RANGES;
}
