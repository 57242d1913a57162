#include "limits.h"

#include "base/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *cli_role_text(const sinew_RigJoint *joint, char *text, size_t size)
{
    snprintf(text, size, "-");
    if (joint->has & SINEW_RIG_HAS_ROLE) {
        sinew_role_name(joint->role.role, joint->role.side, joint->role.number, text, size);
    }
    return text;
}

const char *cli_kind_text(
    const sinew_Clip *source, const sinew_RigJoint *joint, char *text, size_t size)
{
    if (joint->has & SINEW_RIG_HAS_KIND) {
        snprintf(text, size, "%s", sinew_rig_kind_name(joint->kind));
        return text;
    }
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(source);
    int j = sinew_rig_key_joint(skeleton, joint->key), slides = 0, hinges = 0, balls = 0;
    snprintf(text, size, "-");
    if (j < 0) { return text; }
    const sinew_Joint *own = &sinew_skeleton_joints(skeleton)[j];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton) + own->axis_start;
    for (int a = 0; a < own->axis_count; ++a) {
        slides += axes[a].kind == SINEW_AXIS_SLIDE ? 1 : 0;
        hinges += axes[a].kind == SINEW_AXIS_HINGE ? 1 : 0;
        balls += axes[a].kind == SINEW_AXIS_BALL ? 1 : 0;
    }
    if (own->axis_count > 0) {
        char turns[32] = "";
        if (balls > 0) { snprintf(turns, sizeof turns, "ball"); }
        if (hinges == 1) { snprintf(turns, sizeof turns, "hinge"); }
        if (hinges > 1) { snprintf(turns, sizeof turns, "%d hinges", hinges); }
        snprintf(text, size, "%s%s%s", turns, slides > 0 && turns[0] != '\0' ? ", " : "",
            slides > 0 ? "moves" : "");
    }
    return text;
}

/// One number where both ends are alike, else from .. to.
static void print_range(sinew_RigRange range, char *text, size_t size)
{
    char lower[32] = "", upper[32] = "";
    if (isfinite(range.lower)) { snprintf(lower, sizeof lower, "%.4g", range.lower); }
    if (isfinite(range.upper)) { snprintf(upper, sizeof upper, "%.4g", range.upper); }
    snprintf(text, size, "%s..%s", lower, upper);
}

const char *cli_swing_text(const sinew_RigJoint *joint, char *text, size_t size)
{
    snprintf(text, size, "-");
    bool swings = (joint->has & SINEW_RIG_HAS_WINDOWS) && joint->window_count > 0;
    if (!swings && (joint->has & SINEW_RIG_HAS_RANGES) && joint->range_count > 0) {
        text[0] = '\0';
        for (int r = 0; r < joint->range_count; ++r) {
            char range[80];
            size_t used = strlen(text);
            print_range(joint->ranges[r], range, sizeof range);
            snprintf(text + used, size - used, "%s%s", r > 0 ? ", " : "", range);
        }
        return text;
    }
    if (!swings) { return text; }
    double least = INFINITY, most = 0.0;
    int points = 0;
    for (int w = 0; w < joint->window_count; ++w) {
        const sinew_RigWindow *window = &joint->windows[w];
        points += window->point_count;
        for (int p = 0; p < window->point_count; ++p) {
            sinew_Vec3 point = window->points[p];
            double away = sqrt(point.y * point.y + point.z * point.z);
            double swing = window->polar ? point.y : atan2(away, point.x) * 180.0 / SINEW_PI;
            if (window->point_count == 1) { swing += window->cone_half_angle; }
            least = fmin(least, swing);
            most = fmax(most, swing);
        }
    }
    snprintf(text, size, "%.0f to %.0f, %d corner%s", least, most, points, snw_plural(points));
    return text;
}

const char *cli_reach_text(
    const sinew_Clip *source, const sinew_RigJoint *joint, char *text, size_t size)
{
    cli_swing_text(joint, text, size);
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(source);
    int j = sinew_rig_key_joint(skeleton, joint->key);
    if (strcmp(text, "-") != 0 || j < 0) { return text; }
    const sinew_Joint *own = &sinew_skeleton_joints(skeleton)[j];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton) + own->axis_start;
    size_t used = 0;
    for (int a = 0; a < own->axis_count; ++a) {
        char range[80];
        if (axes[a].kind != SINEW_AXIS_HINGE || !isfinite(axes[a].upper - axes[a].lower)) {
            continue;
        }
        sinew_RigRange degrees = { axes[a].lower * 180.0 / SINEW_PI,
            axes[a].upper * 180.0 / SINEW_PI };
        print_range(degrees, range, sizeof range);
        if (used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", range);
        }
    }
    return text;
}

const char *cli_twist_text(const sinew_RigJoint *joint, char *text, size_t size)
{
    snprintf(text, size, "-");
    if (joint->has & SINEW_RIG_HAS_TWIST) { print_range(joint->twist, text, size); }
    return text;
}

const char *cli_direction_name(sinew_Vec3 direction)
{
    static char texts[3][64];
    static int next;
    const double v[3] = { direction.x, direction.y, direction.z };
    char *text = texts[next];
    next = (next + 1) % 3;
    for (int i = 0; i < 3; ++i) {
        if (fabs(v[i]) > 0.9999) {
            snprintf(text, sizeof texts[0], "%c%c", v[i] < 0.0 ? '-' : '+', "XYZ"[i]);
            return text;
        }
    }
    snprintf(text, sizeof texts[0], "(%.2f, %.2f, %.2f)", v[0], v[1], v[2]);
    return text;
}

// ---------------------------------------------------------------------------------------------
// JSON

static bool same_role(const sinew_RigJoint *a, const sinew_RigJoint *b)
{
    char one[64], other[64];
    return strcmp(cli_role_text(a, one, sizeof one), cli_role_text(b, other, sizeof other)) == 0;
}

void cli_json_roles(cli_Json *out, const sinew_Rig *rig)
{
    int count = sinew_rig_joint_count(rig);
    cli_json_object(out, "roles");
    for (int i = 0; i < count; ++i) {
        const sinew_RigJoint *joint = sinew_rig_joint(rig, i);
        if (!(joint->has & SINEW_RIG_HAS_ROLE) || joint->role.role == SINEW_ROLE_NONE) { continue; }
        int earlier = 0, all = 0;
        for (int k = 0; k < count; ++k) {
            bool same = same_role(joint, sinew_rig_joint(rig, k));
            earlier += same && k < i ? 1 : 0;
            all += same ? 1 : 0;
        }
        if (earlier > 0) { continue; }
        char name[64];
        cli_role_text(joint, name, sizeof name);
        if (all == 1) {
            cli_json_text(out, name, joint->key);
            continue;
        }
        cli_json_array(out, name);
        for (int k = i; k < count; ++k) {
            const sinew_RigJoint *other = sinew_rig_joint(rig, k);
            if (same_role(joint, other)) { cli_json_text(out, NULL, other->key); }
        }
        cli_json_array_end(out);
    }
    cli_json_object_end(out);
}

static void put_range(cli_Json *out, const char *key, sinew_RigRange range)
{
    cli_json_array(out, key);
    cli_json_number(out, NULL, range.lower);
    cli_json_number(out, NULL, range.upper);
    cli_json_array_end(out);
}

/// Whether a range is of a slide: they keep their places before rotations of another kind.
static bool is_slide(const sinew_Skeleton *skeleton, const sinew_RigJoint *joint, int range)
{
    int j = sinew_rig_key_joint(skeleton, joint->key), place = 0;
    if (j < 0) { return false; }
    const sinew_Joint *own = &sinew_skeleton_joints(skeleton)[j];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton) + own->axis_start;
    for (int a = 0; a < own->axis_count; ++a) {
        bool slide = axes[a].kind == SINEW_AXIS_SLIDE;
        bool replaced = (joint->has & SINEW_RIG_HAS_KIND) && !slide;
        if (axes[a].kind == SINEW_AXIS_BALL || replaced) { continue; }
        if (place++ == range) { return slide; }
    }
    return false;
}

static void put_ranges(cli_Json *out, const char *key, const sinew_Skeleton *skeleton,
    const sinew_RigJoint *joint, bool slides)
{
    int count = 0;
    for (int r = 0; r < joint->range_count; ++r) {
        if (is_slide(skeleton, joint, r) != slides) { continue; }
        if (count++ == 0) { cli_json_array(out, key); }
        put_range(out, NULL, joint->ranges[r]);
    }
    if (count > 0) { cli_json_array_end(out); }
}

void cli_json_limits(cli_Json *out, const sinew_Clip *source, const sinew_Rig *rig)
{
    const unsigned limits = SINEW_RIG_HAS_WINDOWS | SINEW_RIG_HAS_TWIST | SINEW_RIG_HAS_RANGES;
    cli_json_object(out, "limits");
    for (int i = 0; i < sinew_rig_joint_count(rig); ++i) {
        const sinew_RigJoint *joint = sinew_rig_joint(rig, i);
        if (!(joint->has & limits)) { continue; }
        cli_json_object(out, joint->key);
        if (joint->has & SINEW_RIG_HAS_TWIST) { put_range(out, "twist_deg", joint->twist); }
        if (joint->has & SINEW_RIG_HAS_RANGES) {
            const sinew_Skeleton *skeleton = sinew_clip_skeleton(source);
            put_ranges(out, "ranges_deg", skeleton, joint, false);
            put_ranges(out, "slides", skeleton, joint, true);
        }
        if (joint->has & SINEW_RIG_HAS_WINDOWS) {
            char text[96];
            cli_json_text(out, "swing_deg", cli_swing_text(joint, text, sizeof text));
        }
        cli_json_object_end(out);
    }
    cli_json_object_end(out);
}
