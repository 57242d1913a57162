#include "pictures/plot.h"
#include "pictures/stage.h"

#include "base/message.h"
#include "sinew/pose.h"

#include <math.h>

picture_Still picture_still_default(void)
{
    picture_Still still = { 0 };
    still.width = 1000;
    still.height = 1000;
    still.ghost_count = 1;
    return still;
}

static sinew_Status draw_still(cairo_t *cr, const picture_Still *still, snw_Stage *stage)
{
    double unit = fmin(still->width, still->height) / 1000.0;
    double margin = 56.0 * unit;
    double header = still->title || still->subtitle ? 96.0 * unit : 0.0;

    snw_stage_set(stage, 0.0);
    snw_Rect rect = { margin, header + margin, still->width - 2.0 * margin,
        still->height - header - 2.0 * margin };
    snw_Camera camera = snw_stage_camera(stage, rect, 0.0);
    snw_stage_draw_ground(cr, &camera, stage, rect);
    sinew_Status status = snw_stage_draw_figure(cr, &camera, stage, 0.0);

    double limit = still->width - 80.0 * unit;
    snw_titles_draw(
        cr, 40.0 * unit, 54.0 * unit, 26.0 * unit, still->title, limit, still->subtitle, limit);
    return status;
}

sinew_Status picture_still_write(
    const picture_Still *still, const char *path, sinew_Message *out_message)
{
    if (!still || !still->skeleton || !still->q || !path) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
            "a still needs a skeleton, a pose and a path");
    }
    sinew_Status status = snw_size_check(still->width, still->height, 64, 8000, out_message);
    if (status == SINEW_STATUS_OK) {
        status = sinew_pose_check(still->skeleton, still->q, out_message);
    }
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(still->skeleton);
    for (int g = 0; status == SINEW_STATUS_OK && still->ghost_q && g < still->ghost_count; ++g) {
        status = sinew_pose_check(
            still->skeleton, still->ghost_q + (size_t)g * coordinates, out_message);
    }
    if (status != SINEW_STATUS_OK) { return status; }

    snw_StageDef def = { 0 };
    def.skeleton = still->skeleton;
    def.q = still->q;
    def.ghost_q = still->ghost_q;
    def.ghost_count = still->ghost_count;
    def.ghost_skeleton = still->ghost_q && still->ghost_count > 0 ? still->skeleton : NULL;
    def.targets = still->targets;
    def.view = still->view;
    snw_Stage stage;
    status = snw_stage_create(&def, &stage, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    snw_Canvas *canvas;
    status = snw_canvas_open(path, still->width, still->height, &canvas, out_message);
    if (status == SINEW_STATUS_OK) {
        status = draw_still(snw_canvas_cairo(canvas), still, &stage);
        status = snw_canvas_finish(canvas, status, out_message);
    }
    snw_stage_destroy(&stage);
    return status;
}
