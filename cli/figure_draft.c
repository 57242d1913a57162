#include "figures.h"

#include "arguments.h"
#include "disk.h"

#include <stdlib.h>
#include <string.h>

static bool begin(cli_Draft *draft, const cli_Figure *figure)
{
    memset(draft, 0, sizeof *draft);
    if (figure->scene == NULL) { return true; }
    if (scene_create(figure->scene, NULL, &draft->scene, &draft->message) != SINEW_STATUS_OK) {
        return false;
    }
    draft->skeleton = draft->scene->skeleton;
    draft->q = malloc(cli_draft_pose_size(draft));
    draft->world = malloc(
        (size_t)sinew_skeleton_joint_count(draft->skeleton) * sizeof *draft->world);
    return draft->q != NULL && draft->world != NULL
        && sinew_clip_create(draft->skeleton, figure->frames, CLI_DRAFT_FRAME, NULL, &draft->clip)
        == SINEW_STATUS_OK;
}

static void end(cli_Draft *draft)
{
    sinew_clip_destroy(draft->clip);
    free(draft->q);
    free(draft->world);
    free(draft->targets);
    scene_destroy(draft->scene);
}

bool cli_figure_draw(const cli_Figure *figure, const char *path)
{
    cli_Draft draft;
    bool good = begin(&draft, figure) && figure->draw(&draft, path);
    if (!good) {
        const char *why = draft.message.text[0] != '\0'
            ? draft.message.text
            : sinew_status_text(SINEW_STATUS_OUT_OF_MEMORY);
        cli_error("%s: %s", figure->name, why);
    }
    end(&draft);
    return good;
}

bool cli_draft_targets(cli_Draft *draft, int count)
{
    size_t frames = (size_t)sinew_clip_frame_count(draft->clip);
    draft->targets = calloc(frames * (size_t)count, sizeof *draft->targets);
    draft->target_count = count;
    return draft->targets != NULL;
}

size_t cli_draft_pose_size(const cli_Draft *draft)
{
    return (size_t)sinew_skeleton_coordinate_count(draft->skeleton) * sizeof(double);
}

const sinew_Transform *cli_draft_forward(cli_Draft *draft, const double *q)
{
    sinew_pose_forward(draft->skeleton, q, draft->world);
    return draft->world;
}

picture_Sheet cli_draft_cells(const char *title, const char *subtitle, int figure_count)
{
    picture_Sheet sheet = picture_sheet_default();
    sheet.title = title;
    sheet.subtitle = subtitle;
    sheet.figure_count = figure_count;
    sheet.layout = PICTURE_LAYOUT_CELLS;
    sheet.trail_count = 0;
    return sheet;
}

bool cli_draft_write(cli_Draft *draft, const picture_Sheet *like, const char *path)
{
    picture_Sheet sheet;
    memcpy(&sheet, like, sizeof sheet);
    sheet.clip = draft->clip;
    sheet.targets.positions = draft->targets;
    sheet.targets.count = draft->target_count;
    return cli_save_sheet(&sheet, path, &draft->message) == SINEW_STATUS_OK;
}

picture_Plot cli_draft_plot(const char *title, const char *x_label, const char *y_label,
    const picture_Series *series, int series_count)
{
    picture_Plot plot = picture_plot_default();
    plot.title = title;
    plot.x_label = x_label;
    plot.y_label = y_label;
    plot.series = series;
    plot.series_count = series_count;
    return plot;
}

bool cli_draft_write_plot(cli_Draft *draft, const picture_Plot *plot, const char *path)
{
    return cli_save_plot(plot, path, &draft->message) == SINEW_STATUS_OK;
}
