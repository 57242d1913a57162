#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

// Figures of the papers: one file for each paper with a table at its end; a figure is a row and a function.

#include "pictures/pictures.h"
#include "scenes/scenes.h"
#include "sinew/sinew.h"

/// A body in motion that becomes a picture.
typedef struct cli_Draft {
    scene_Scene *scene; ///< NULL: the figure has no body
    const sinew_Skeleton *skeleton;
    sinew_Clip *clip;
    double *q;              ///< a pose to work with
    sinew_Transform *world; ///< and its joints, as cli_draft_forward has them
    sinew_Vec3 *targets;    ///< frame by frame, from cli_draft_targets; NULL: none
    int target_count;
    sinew_Message message; ///< what went wrong; empty: memory is over
} cli_Draft;

typedef struct cli_Figure {
    const char *name; ///< of its file, without the ending
    const char *what;
    const char *scene; ///< the body and the frames of its clip that the draft begins with, or NULL
    int frames;
    /// False when it could not be drawn; the message says why.
    bool (*draw)(cli_Draft *draft, const char *path);
} cli_Figure;

/// Tables that end with a name of NULL.
extern const cli_Figure cli_figures_meredith[], cli_figures_blow[], cli_figures_hoang[],
    cli_figures_bhatti[];

/// Seconds of a frame of a draft's clip.
#define CLI_DRAFT_FRAME (1.0 / 60.0)

/// Draw one figure to a file; false after a message.
bool cli_figure_draw(const cli_Figure *figure, const char *path);

/// Room for count targets in each frame.
bool cli_draft_targets(cli_Draft *draft, int count);
/// Bytes of a pose.
size_t cli_draft_pose_size(const cli_Draft *draft);
/// Where the joints of a pose are.
const sinew_Transform *cli_draft_forward(cli_Draft *draft, const double *q);

/// Figures side by side, without paths: a sheet to change before it is written.
picture_Sheet cli_draft_cells(const char *title, const char *subtitle, int figure_count);
/// The draft's clip and targets as that sheet.
bool cli_draft_write(cli_Draft *draft, const picture_Sheet *like, const char *path);
/// A plot of these curves; labels as picture_Plot has them.
picture_Plot cli_draft_plot(const char *title, const char *x_label, const char *y_label,
    const picture_Series *series, int series_count);
bool cli_draft_write_plot(cli_Draft *draft, const picture_Plot *plot, const char *path);

#endif
