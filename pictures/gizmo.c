#include "pictures/gizmo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// size of a drawing against its bone, and within these parts of the body's size
#define RADIUS_PER_BONE 0.50
#define SMALLEST 0.030
#define LARGEST 0.150

// ---------------------------------------------------------------------------------------------
// Finding

// where the joint's bone ends: at the child that carries the head, else most; -1 for an end
static int bone_end(const snw_Body *body, int joint)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    int best = -1;
    double most = 0.0;
    int end = joint + joints[joint].subtree_count;
    for (int k = joint + 1; k < end; k += joints[k].subtree_count) {
        double length = sinew_vec3_length(joints[k].offset);
        double score = length * (1.0 + joints[k].subtree_count);
        if (body->head >= 0 && sinew_skeleton_is_ancestor(body->skeleton, k, body->head)) {
            score += 1e6 * body->size;
        }
        if (!body->stray[k] && length > 1e-4 * body->size && score > most) {
            most = score;
            best = k;
        }
    }
    return best;
}

static sinew_Role role_of(const snw_Body *body, int joint)
{
    return body->roles != NULL ? body->roles->joints[joint].role : SINEW_ROLE_NONE;
}

// where the bone of a joint ends for the eye: twists and helpers on the way are parts of it
static int limb_end(const snw_Body *body, int end)
{
    int last = end;
    while (last >= 0
        && (role_of(body, last) == SINEW_ROLE_TWIST || role_of(body, last) == SINEW_ROLE_HELPER)) {
        last = bone_end(body, last);
    }
    return last >= 0 ? last : end;
}

// limbs, trunk and head are never too small to be drawn
static bool is_main(sinew_Role role)
{
    return (role >= SINEW_ROLE_SPINE && role <= SINEW_ROLE_HEAD)
        || (role >= SINEW_ROLE_UPPERARM && role <= SINEW_ROLE_HAND)
        || (role >= SINEW_ROLE_THIGH && role <= SINEW_ROLE_FOOT);
}

static double thickness_of(const snw_Body *body, int from, int to)
{
    for (int i = 0; i < body->bone_count; ++i) {
        const snw_Bone *bone = &body->bones[i];
        if (bone->from == from && bone->to == to) { return bone->from_radius; }
    }
    return 0.0;
}

static sinew_Quat axis_rotation(const sinew_Axis *axis, const double *q)
{
    switch (axis->kind) {
    case SINEW_AXIS_HINGE: return sinew_quat_from_axis_angle(axis->direction, q[0]);
    case SINEW_AXIS_BALL: return sinew_quat_normalize((sinew_Quat){ q[0], q[1], q[2], q[3] });
    case SINEW_AXIS_SLIDE: break;
    }
    return sinew_quat_identity();
}

static void set_ball(
    snw_JointLimit *out, const sinew_BallLimit *limit, sinew_Quat q, sinew_Quat world_from_socket)
{
    const sinew_BallLimitDef *def = sinew_ball_limit_def(limit);
    out->turn = sinew_quat_mul(world_from_socket, def->neutral);
    sinew_ball_limit_measure(limit, q, &out->direction, &out->value);
    out->lower = def->twist_lower;
    out->upper = def->twist_upper;
    out->has_range = isfinite(def->twist_lower) && isfinite(def->twist_upper);
    out->about_bone = true;
    sinew_Quat untwisted = sinew_quat_mul(out->turn, sinew_quat_from_x(out->direction));
    out->zero = sinew_quat_rotate(untwisted, sinew_vec3(0.0, 1.0, 0.0));
    out->quarter = sinew_quat_rotate(untwisted, sinew_vec3(0.0, 0.0, 1.0));
    out->bone = sinew_quat_rotate(out->turn, out->direction);
}

// before: world from the frame that the hinge turns in; bone: in the frame that it turns
static void set_hinge(
    snw_JointLimit *out, const sinew_Axis *axis, double value, sinew_Quat before, sinew_Vec3 bone)
{
    sinew_Vec3 d = axis->direction;
    sinew_Vec3 across = sinew_vec3_add_scaled(bone, d, -sinew_vec3_dot(bone, d));
    out->about_bone = sinew_vec3_length(across) < 0.35;
    if (out->about_bone) {
        sinew_Vec3 any = fabs(d.y) < 0.8 ? sinew_vec3(0.0, 1.0, 0.0) : sinew_vec3(0.0, 0.0, 1.0);
        across = sinew_vec3_add_scaled(any, d, -sinew_vec3_dot(any, d));
    }
    across = sinew_vec3_normalize_or(across, sinew_vec3(1.0, 0.0, 0.0));
    out->zero = sinew_quat_rotate(before, across);
    out->quarter = sinew_quat_rotate(before, sinew_vec3_cross(d, across));
    out->lower = axis->lower;
    out->upper = axis->upper;
    out->value = value;
    out->has_range = true;
}

typedef struct Search {
    const snw_Body *body;
    const double *q;
    const sinew_Transform *world;
    snw_JointLimit *limits;
    int count;
} Search;

static bool add_joint(Search *search, int j, double least)
{
    const sinew_Skeleton *skeleton = search->body->skeleton;
    const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[j];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton) + joint->axis_start;
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton) + joint->axis_start;
    const double size = search->body->size;
    int end = bone_end(search->body, j), rank = 0;
    sinew_Vec3 bone_joint = { 1.0, 0.0, 0.0 };
    double length = 0.10 * size;
    if (end >= 0) {
        int last = limb_end(search->body, end);
        bone_joint = last == end
            ? sinew_skeleton_joints(skeleton)[end].offset
            : sinew_quat_rotate(sinew_quat_conjugate(search->world[j].rotation),
                sinew_vec3_sub(search->world[last].position, search->world[j].position));
        length = sinew_vec3_length(bone_joint);
        bone_joint = sinew_vec3_normalize_or(bone_joint, sinew_vec3(1.0, 0.0, 0.0));
    }
    sinew_Quat before = sinew_quat_mul(
        joint->parent >= 0 ? search->world[joint->parent].rotation : sinew_quat_identity(),
        joint->rest_rotation);
    before = sinew_quat_mul(search->body->upright, before);
    sinew_Quat joint_rotation = sinew_quat_mul(search->body->upright, search->world[j].rotation);

    for (int a = 0; a < joint->axis_count; ++a) {
        const double *q = search->q + places[a].coordinate;
        sinew_Quat turn = axis_rotation(&axes[a], q);
        sinew_Quat after = sinew_quat_mul(before, turn);
        bool hinge = axes[a].kind == SINEW_AXIS_HINGE && isfinite(axes[a].lower)
            && isfinite(axes[a].upper);
        bool ball = axes[a].kind == SINEW_AXIS_BALL && axes[a].limit;
        // an end without a bone says nothing of where its hinge moves it
        bool is_seen = length >= least || (ball && is_main(role_of(search->body, j)));
        if (((hinge && end >= 0) || ball) && is_seen) {
            snw_JointLimit *out = &search->limits[search->count];
            memset(out, 0, sizeof *out);
            out->joint = j;
            out->coordinate = places[a].coordinate;
            out->is_ball = ball;
            out->rank = rank++;
            out->place = sinew_quat_rotate(search->body->upright, search->world[j].position);
            out->bone = sinew_quat_rotate(joint_rotation, bone_joint);
            out->length = length;
            out->radius = fmin(fmax(RADIUS_PER_BONE * length, SMALLEST * size), LARGEST * size);
            out->thickness = thickness_of(search->body, j, end);
            if (ball) {
                set_ball(out, axes[a].limit, turn, before);
                if (!snw_reach_create(axes[a].limit, &out->reach)) { return false; }
                out->has_window = out->reach.loop_count > 0;
            } else {
                // the bone as the axes after this one have turned it
                sinew_Vec3 bone = sinew_quat_rotate(sinew_quat_conjugate(after), out->bone);
                set_hinge(out, &axes[a], q[0], before, bone);
            }
            ++search->count;
        }
        before = after;
    }
    return true;
}

bool snw_limits_create(const snw_Body *body, const double *q, double least,
    snw_JointLimit **out_limits, int *out_count)
{
    *out_limits = NULL;
    *out_count = 0;
    size_t axes = (size_t)sinew_skeleton_axis_count(body->skeleton);
    sinew_Transform *world = calloc((size_t)body->joint_count, sizeof *world);
    snw_JointLimit *limits = calloc(axes + 1, sizeof *limits);
    bool ready = world && limits;
    if (ready) {
        sinew_pose_forward(body->skeleton, q, world);
        Search search = { body, q, world, limits, 0 };
        for (int j = 0; j < body->joint_count && ready; ++j) {
            if (!body->stray[j]) { ready = add_joint(&search, j, least); }
        }
        *out_count = search.count;
    }
    free(world);
    if (!ready) {
        snw_limits_destroy(limits, *out_count);
        *out_count = 0;
        return false;
    }
    *out_limits = limits;
    return true;
}

void snw_limits_destroy(snw_JointLimit *limits, int count)
{
    for (int i = 0; i < count; ++i) { snw_reach_destroy(&limits[i].reach); }
    free(limits);
}

// ---------------------------------------------------------------------------------------------
// Drawing

snw_Color snw_limit_window_color(void)
{
    return SNW_CURVES[2];
}

snw_Color snw_limit_range_color(const snw_JointLimit *limit)
{
    if (limit->about_bone) { return SNW_CURVES[3]; }
    return SNW_CURVES[limit->rank == 0 ? 4 : limit->rank == 1 ? 1 : 0];
}

static void move_line(cairo_t *cr, const snw_Camera *camera, sinew_Vec3 a, sinew_Vec3 b)
{
    snw_Spot s = snw_camera_project(camera, a), t = snw_camera_project(camera, b);
    cairo_move_to(cr, s.x, s.y);
    cairo_line_to(cr, t.x, t.y);
}

static void draw_dot(cairo_t *cr, snw_Spot spot, double pixels, snw_Color color)
{
    const snw_Color white = { 1.0, 1.0, 1.0 };
    cairo_new_path(cr);
    cairo_arc(cr, spot.x, spot.y, pixels * 1.5, 0.0, 2.0 * SINEW_PI);
    snw_color_set(cr, white, 0.95);
    cairo_fill(cr);
    cairo_arc(cr, spot.x, spot.y, pixels, 0.0, 2.0 * SINEW_PI);
    snw_color_set(cr, color, 1.0);
    cairo_fill(cr);
}

// small limits have small dots
static double dot_size(const snw_JointLimit *limit, snw_Spot spot, double most)
{
    return fmin(most, 0.075 * limit->radius * spot.scale);
}

static bool draw_window(
    cairo_t *cr, const snw_Camera *camera, const snw_JointLimit *limit, double unit)
{
    snw_Globe globe = { camera, limit->place, limit->radius, limit->turn };
    snw_Color color = snw_limit_window_color();
    snw_Color deep = snw_color_mix(color, SNW_INK, 0.35);
    snw_Spot center = snw_camera_project(camera, limit->place);
    double pixels = limit->radius * center.scale;
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);

    // the far side of the bowl, seen from inside
    cairo_new_path(cr);
    if (!snw_reach_trace(cr, &limit->reach, &globe, false)) { return false; }
    cairo_set_fill_rule(cr, CAIRO_FILL_RULE_EVEN_ODD);
    snw_color_set(cr, deep, 0.20);
    cairo_fill(cr);
    cairo_new_path(cr);
    snw_reach_trace_outline(cr, &limit->reach, &globe, false);
    snw_color_set(cr, deep, 0.55);
    cairo_set_line_width(cr, 1.0 * unit);
    cairo_stroke(cr);

    // lines from the joint to where the sides meet
    cairo_new_path(cr);
    for (int i = 0; i < limit->reach.corner_count && limit->reach.corner_count <= 40; ++i) {
        snw_Spot spot = snw_globe_project(&globe, limit->reach.corners[i]);
        cairo_move_to(cr, center.x, center.y);
        cairo_line_to(cr, spot.x, spot.y);
    }
    snw_color_set(cr, deep, 0.22);
    cairo_set_line_width(cr, 0.8 * unit);
    cairo_stroke(cr);

    // the near side, lit from the upper left
    cairo_new_path(cr);
    if (!snw_reach_trace(cr, &limit->reach, &globe, true)) { return false; }
    const snw_Color white = { 1.0, 1.0, 1.0 };
    snw_Color bright = snw_color_mix(color, white, 0.55);
    cairo_pattern_t *pattern = cairo_pattern_create_radial(center.x - 0.4 * pixels,
        center.y - 0.5 * pixels, 0.05 * pixels, center.x, center.y, 1.05 * pixels);
    cairo_pattern_add_color_stop_rgba(pattern, 0.0, bright.r, bright.g, bright.b, 0.34);
    cairo_pattern_add_color_stop_rgba(pattern, 1.0, color.r, color.g, color.b, 0.46);
    cairo_set_source(cr, pattern);
    cairo_pattern_destroy(pattern);
    cairo_fill(cr);
    cairo_set_fill_rule(cr, CAIRO_FILL_RULE_WINDING);
    cairo_new_path(cr);
    snw_reach_trace_outline(cr, &limit->reach, &globe, true);
    snw_color_set(cr, deep, 0.95);
    cairo_set_line_width(cr, 1.8 * unit);
    cairo_stroke(cr);

    // the neutral direction, and the bone's
    sinew_Vec3 neutral = { 1.0, 0.0, 0.0 };
    snw_Spot tip = snw_globe_project(&globe, neutral);
    double dashes[2] = { 3.0 * unit, 3.0 * unit };
    cairo_set_dash(cr, dashes, 2, 0.0);
    cairo_new_path(cr);
    cairo_move_to(cr, center.x, center.y);
    cairo_line_to(cr, tip.x, tip.y);
    snw_color_set(cr, SNW_INK, 0.55);
    cairo_set_line_width(cr, 1.0 * unit);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0.0);

    tip = snw_globe_project(&globe, limit->direction);
    cairo_new_path(cr);
    cairo_move_to(cr, center.x, center.y);
    cairo_line_to(cr, tip.x, tip.y);
    snw_color_set(cr, SNW_INK, 0.9);
    cairo_set_line_width(cr, 1.6 * unit);
    cairo_stroke(cr);
    bool inside = snw_reach_allows(&limit->reach, limit->direction);
    draw_dot(cr, tip, dot_size(limit, center, 3.4 * unit), inside ? SNW_INK : SNW_TARGET);
    return true;
}

static sinew_Vec3 at_angle(const snw_JointLimit *limit, double angle)
{
    return sinew_vec3_add_scaled(
        sinew_vec3_scale(limit->zero, cos(angle)), limit->quarter, sin(angle));
}

static void trace_arc(cairo_t *cr, const snw_Camera *camera, const snw_JointLimit *limit,
    sinew_Vec3 center, double radius, double from, double to)
{
    int count = (int)ceil(fabs(to - from) / 0.05) + 1;
    for (int i = 0; i <= count; ++i) {
        double angle = from + (to - from) * i / count;
        snw_Spot spot = snw_camera_project(
            camera, sinew_vec3_add_scaled(center, at_angle(limit, angle), radius));
        cairo_line_to(cr, spot.x, spot.y);
    }
}

// A range: a fan around the joint, or a ring around the bone.
static void draw_range(
    cairo_t *cr, const snw_Camera *camera, const snw_JointLimit *limit, double unit)
{
    snw_Color color = snw_limit_range_color(limit), deep = snw_color_mix(color, SNW_INK, 0.35);
    sinew_Vec3 center = limit->place;
    double outer = 0.92 * limit->radius, inner = 0.0;
    if (limit->about_bone) {
        double along = limit->has_window ? 1.22 * limit->radius : 0.55 * limit->length;
        center = sinew_vec3_add_scaled(center, limit->bone, fmin(along, 0.8 * limit->length));
        outer = fmin(fmax(1.9 * limit->thickness, 0.35 * limit->radius), 0.62 * limit->radius);
        inner = 0.72 * outer;
    }
    double upper = fmin(limit->upper, limit->lower + 2.0 * SINEW_PI);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);

    // what the twist is not allowed stays a thin ring
    cairo_new_path(cr);
    if (limit->about_bone) { trace_arc(cr, camera, limit, center, outer, 0.0, 2.0 * SINEW_PI); }
    snw_color_set(cr, deep, 0.25);
    cairo_set_line_width(cr, 0.8 * unit);
    cairo_stroke(cr);

    cairo_new_path(cr);
    trace_arc(cr, camera, limit, center, outer, limit->lower, upper);
    trace_arc(cr, camera, limit, center, inner, upper, limit->lower);
    cairo_close_path(cr);
    snw_color_set(cr, color, 0.42);
    cairo_fill_preserve(cr);
    snw_color_set(cr, deep, 0.85);
    cairo_set_line_width(cr, 1.3 * unit);
    cairo_stroke(cr);

    // angle 0, and where the joint is
    cairo_new_path(cr);
    move_line(cr, camera, sinew_vec3_add_scaled(center, limit->zero, inner),
        sinew_vec3_add_scaled(center, limit->zero, outer));
    snw_color_set(cr, SNW_INK, 0.35);
    cairo_set_line_width(cr, 0.9 * unit);
    cairo_stroke(cr);
    sinew_Vec3 now = at_angle(limit, limit->value);
    sinew_Vec3 tip = sinew_vec3_add_scaled(center, now, outer);
    cairo_new_path(cr);
    move_line(cr, camera, sinew_vec3_add_scaled(center, now, inner), tip);
    snw_color_set(cr, SNW_INK, 0.9);
    cairo_set_line_width(cr, 1.7 * unit);
    cairo_stroke(cr);
    bool inside = limit->value >= limit->lower - 1e-9 && limit->value <= limit->upper + 1e-9;
    snw_Spot spot = snw_camera_project(camera, tip);
    draw_dot(cr, spot, dot_size(limit, spot, 2.8 * unit), inside ? SNW_INK : SNW_TARGET);
}

sinew_Status snw_limit_draw(
    cairo_t *cr, const snw_Camera *camera, const snw_JointLimit *limit, double unit)
{
    if (limit->has_window && !draw_window(cr, camera, limit, unit)) {
        return SINEW_STATUS_OUT_OF_MEMORY;
    }
    if (limit->has_range) { draw_range(cr, camera, limit, unit); }
    return SINEW_STATUS_OK;
}
