#ifndef PICTURES_ENCODER_H
#define PICTURES_ENCODER_H

// Pictures into a film, by the program ffmpeg.

#include "pictures/pictures.h"

typedef struct snw_FilmDef {
    const char *path; ///< .mp4 or .gif
    int width, height;
    double rate; ///< frames per second
    int frame_count;
    /// Draw a frame as cairo's RGB24 has it; a status other than OK ends the film.
    sinew_Status (*draw)(void *user, int frame, unsigned char *pixels, int stride);
    void *user;
    /// Called after each frame, or NULL.
    void (*progress)(int done, int count, void *user);
    void *progress_user;
} snw_FilmDef;

/// Make the film beside its path and rename it when complete. UNSUPPORTED without ffmpeg,
/// CANNOT_WRITE when it fails, with what it said; otherwise the status of draw.
sinew_Status snw_film_make(const snw_FilmDef *def, sinew_Message *out_message);

/// Largest number of frames per second of a film of that name.
double snw_film_fastest(const char *path);

#endif
