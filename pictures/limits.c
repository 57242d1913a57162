#include "pictures/plot.h"
#include "pictures/sketch.h"
#include "pictures/stage.h"

#include "base/message.h"
#include "sinew/pose.h"

#include <math.h>
#include <stdlib.h>

// bones shorter than this part of the body have their limits left out where there are many
#define SHORTEST_BONE 0.05
#define MANY 30

picture_Limits picture_limits_default(void)
{
    picture_Limits limits = { 0 };
    limits.joint = -2;
    limits.width = 1400;
    limits.height = 900;
    return limits;
}

// What is drawn, and where.
typedef struct Page {
    const picture_Limits *def;
    snw_JointLimit *limits;
    int count;
    // limits of the joint in the sketch: first and how many
    int first, of_joint;
    double unit;
    snw_Rect body, sketch;
} Page;

static bool is_shown(const snw_JointLimit *limit)
{
    return limit->has_window || limit->has_range;
}

// the part of all directions that a window leaves open, roughly
static double openness(const snw_JointLimit *limit)
{
    enum { DIRECTIONS = 200 };
    int open = 0;
    for (int i = 0; i < DIRECTIONS; ++i) {
        // evenly over the sphere, along a spiral
        double x = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, a = 2.399963 * i, r = sqrt(1.0 - x * x);
        open += snw_reach_allows(&limit->reach, sinew_vec3(x, r * cos(a), r * sin(a)));
    }
    return (double)open / DIRECTIONS;
}

static void choose_joint(Page *page)
{
    int joint = page->def->joint, best = -1;
    double most = 0.0;
    for (int i = 0; i < page->count && joint == -2; ++i) {
        // wide windows tell most
        const snw_JointLimit *limit = &page->limits[i];
        double score = limit->radius * (limit->has_window ? 1.0 + 20.0 * openness(limit) : 0.5);
        if (is_shown(&page->limits[i]) && score > most * (1.0 + 1e-9)) {
            most = score;
            best = page->limits[i].joint;
        }
    }
    if (joint == -2) { joint = best; }
    page->first = page->of_joint = 0;
    for (int i = 0; i < page->count && joint >= 0; ++i) {
        if (page->limits[i].joint != joint) { continue; }
        if (page->of_joint++ == 0) { page->first = i; }
    }
}

static void lay_out(Page *page)
{
    const picture_Limits *def = page->def;
    double unit = fmin(def->width / 1400.0, def->height / 900.0), margin = 40.0 * unit;
    double header = def->title || def->subtitle ? 96.0 * unit : margin;
    double high = def->height - header - margin;
    page->unit = unit;
    page->body = (snw_Rect){ margin, header, def->width - 2.0 * margin, high };
    if (page->of_joint == 0) { return; }
    page->sketch = (snw_Rect){ def->width - margin - 0.36 * def->width, header - 30.0 * unit,
        0.36 * def->width, high + 30.0 * unit };
    page->body.width = page->sketch.x - margin - 20.0 * unit;
}

typedef struct Ordered {
    double depth;
    const snw_JointLimit *limit;
} Ordered;

static int compare_depths(const void *a, const void *b)
{
    const Ordered *p = a, *q = b;
    if (p->depth != q->depth) { return p->depth > q->depth ? -1 : 1; }
    if (p->limit->joint != q->limit->joint) { return p->limit->joint < q->limit->joint ? -1 : 1; }
    return p->limit->rank - q->limit->rank;
}

static sinew_Status draw_limits(cairo_t *cr, const Page *page, const snw_Camera *camera)
{
    Ordered *order = calloc((size_t)page->count + 1, sizeof *order);
    if (!order) { return SINEW_STATUS_OUT_OF_MEMORY; }
    int count = 0;
    for (int i = 0; i < page->count; ++i) {
        const snw_JointLimit *limit = &page->limits[i];
        bool chosen = page->of_joint > 0 && limit->joint == page->limits[page->first].joint;
        if (!is_shown(limit) || (page->def->only_joint && !chosen)) { continue; }
        order[count].depth = snw_camera_project(camera, limit->place).depth;
        order[count++].limit = limit;
    }
    qsort(order, (size_t)count, sizeof *order, compare_depths);
    sinew_Status status = SINEW_STATUS_OK;
    for (int i = 0; i < count && status == SINEW_STATUS_OK; ++i) {
        status = snw_limit_draw(cr, camera, order[i].limit, page->unit);
    }
    free(order);
    return status;
}

// what the colours mean, below the body
static void draw_keys(cairo_t *cr, const Page *page)
{
    const char *const names[3] = { "reach window", "twist", "hinge" };
    snw_JointLimit hinge = { 0 };
    const snw_Color colors[3] = { snw_limit_window_color(), SNW_CURVES[3],
        snw_limit_range_color(&hinge) };
    bool there[3] = { false, false, false };
    for (int i = 0; i < page->count; ++i) {
        there[0] = there[0] || page->limits[i].has_window;
        there[1] = there[1] || (page->limits[i].has_range && page->limits[i].about_bone);
        there[2] = there[2] || (page->limits[i].has_range && !page->limits[i].about_bone);
    }
    double unit = page->unit, x = 40.0 * unit, y = page->def->height - 26.0 * unit;
    for (int i = 0; i < 3; ++i) {
        if (!there[i]) { continue; }
        cairo_new_path(cr);
        cairo_arc(cr, x + 6.0 * unit, y - 4.5 * unit, 6.0 * unit, 0.0, 2.0 * SINEW_PI);
        snw_color_set(cr, colors[i], 0.75);
        cairo_fill(cr);
        snw_color_set(cr, SNW_QUIET, 1.0);
        x += 18.0 * unit;
        x += snw_text_draw(cr, x, y, 13.0 * unit, false, SNW_ALIGN_LEFT, 0.0, names[i])
            + 26.0 * unit;
    }
}

static sinew_Status draw_page(cairo_t *cr, const Page *page, snw_Stage *stage)
{
    snw_stage_set(stage, 0.0);
    double around = 0.0;
    for (int i = 0; i < page->count; ++i) { around = fmax(around, page->limits[i].radius); }
    around = fmin(1.05 * around, 0.13 * stage->body.size);
    snw_Rect rect = page->body;
    rect.height -= 24.0 * page->unit;
    snw_Camera camera = snw_stage_camera(stage, rect, around);
    snw_stage_draw_ground(cr, &camera, stage, rect);
    sinew_Status status = snw_stage_draw_figure(cr, &camera, stage, 0.32);
    if (status == SINEW_STATUS_OK) { status = draw_limits(cr, page, &camera); }
    if (status == SINEW_STATUS_OK && page->of_joint > 0) {
        snw_sketch_draw(cr, stage->body.skeleton, page->limits + page->first, page->of_joint,
            page->sketch, page->unit);
    }
    double limit = page->body.width;
    snw_titles_draw(cr, 40.0 * page->unit, 54.0 * page->unit, 26.0 * page->unit, page->def->title,
        limit, page->def->subtitle, limit);
    draw_keys(cr, page);
    return status;
}

static sinew_Status check_limits(const picture_Limits *def, const char *path, sinew_Message *out)
{
    if (!def || !def->skeleton || !def->q || !path) {
        return snw_fail(out, SINEW_STATUS_INVALID_ARGUMENT,
            "a picture of limits needs a skeleton, a pose and a path");
    }
    int joints = sinew_skeleton_joint_count(def->skeleton);
    if (def->joint < -2 || def->joint >= joints) {
        return snw_fail(out, SINEW_STATUS_INVALID_ARGUMENT,
            "joint is %d, want -2, -1 or a joint below %d", def->joint, joints);
    }
    sinew_Status status = snw_size_check(def->width, def->height, 320, 8000, out);
    return status == SINEW_STATUS_OK ? sinew_pose_check(def->skeleton, def->q, out) : status;
}

static sinew_Status prepare(Page *page, const snw_Stage *stage, sinew_Message *out_message)
{
    const picture_Limits *def = page->def;
    int count = 0;
    const sinew_Axis *axes = sinew_skeleton_axes(def->skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(def->skeleton); ++a) {
        count += axes[a].kind == SINEW_AXIS_BALL ? axes[a].limit != NULL : isfinite(axes[a].lower);
    }
    double least = count > MANY ? SHORTEST_BONE * stage->body.size : 0.0;
    if (def->joint >= 0) { least = 0.0; }
    if (!snw_limits_create(&stage->body, def->q, least, &page->limits, &page->count)) {
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory for the picture");
    }
    choose_joint(page);
    if (def->joint >= 0 && page->of_joint == 0) {
        const char *name = sinew_skeleton_joints(def->skeleton)[def->joint].name;
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
            "joint %s has no limit that can be drawn", name ? name : "");
    }
    for (int i = 0; i < page->count; ++i) {
        if (is_shown(&page->limits[i])) {
            lay_out(page);
            return SINEW_STATUS_OK;
        }
    }
    return snw_fail(
        out_message, SINEW_STATUS_INVALID_ARGUMENT, "no joint that turns a bone has a limit");
}

sinew_Status picture_limits_write(
    const picture_Limits *limits, const char *path, sinew_Message *out_message)
{
    sinew_Status status = check_limits(limits, path, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_StageDef def = { 0 };
    def.skeleton = limits->skeleton;
    def.q = limits->q;
    def.view = limits->view;
    def.form = SNW_FORM_STRIPED;
    snw_Stage stage;
    status = snw_stage_create(&def, &stage, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    Page page = { 0 };
    page.def = limits;
    snw_Canvas *canvas = NULL;
    status = prepare(&page, &stage, out_message);
    if (status == SINEW_STATUS_OK) {
        status = snw_canvas_open(path, limits->width, limits->height, &canvas, out_message);
    }
    if (status == SINEW_STATUS_OK) {
        status = draw_page(snw_canvas_cairo(canvas), &page, &stage);
        status = snw_canvas_finish(canvas, status, out_message);
    }
    snw_limits_destroy(page.limits, page.count);
    snw_stage_destroy(&stage);
    return status;
}
