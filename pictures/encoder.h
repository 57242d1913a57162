#ifndef PICTURES_ENCODER_H
#define PICTURES_ENCODER_H

// Pictures into a film, by the program ffmpeg.

#include "pictures/canvas.h"

typedef struct snw_FilmDef {
    const char *path; ///< .mp4 or .gif
    const sinew_Clip *clip;
    int width, height;        ///< even
    double frames_per_second; ///< 0: the clip's, as far as films have so many
    const char *title;        ///< or NULL
    /// Draw a moment (in frames of the clip) on cairo's RGB24; a status other than OK ends the film. The
    /// title and the time are written over it.
    sinew_Status (*draw)(void *user, double frame, cairo_surface_t *surface);
    void *user;
    /// Called after each frame, or NULL.
    void (*progress)(int done, int count, void *user);
    void *progress_user;
} snw_FilmDef;

/// Whether a film can have that name (NULL: any) and so many frames per second.
sinew_Status snw_film_check(const char *path, double frames_per_second, sinew_Message *out_message);

/// Make the film beside its path and rename it when complete. INVALID_ARGUMENT when it is too long,
/// UNSUPPORTED without ffmpeg, CANNOT_WRITE when it fails, with what it said; otherwise the status of draw.
sinew_Status snw_film_make(const snw_FilmDef *def, sinew_Message *out_message);

#endif
