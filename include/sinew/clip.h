#ifndef SINEW_CLIP_H
#define SINEW_CLIP_H

/// \file
/// A motion: poses of one skeleton at equal distances in time.

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most numbers (frames x coordinates) that one clip may hold.
#define SINEW_MAX_CLIP_NUMBERS ((size_t)1 << 31)

typedef struct sinew_Clip sinew_Clip;

/// Make a clip with all frames at the rest pose. frame_count >= 0, frame_time > 0 in seconds. The
/// skeleton must outlive the clip. allocator may be NULL. INVALID_ARGUMENT, CAPACITY (SINEW_MAX_CLIP_NUMBERS),
/// OUT_OF_MEMORY; then *out_clip is NULL.
SINEW_API sinew_Status sinew_clip_create(const sinew_Skeleton *skeleton, int frame_count,
    double frame_time, const sinew_Allocator *allocator, sinew_Clip **out_clip);

/// Give it back; NULL is ignored.
SINEW_API void sinew_clip_destroy(sinew_Clip *clip);

/// What it was made with.
SINEW_API const sinew_Skeleton *sinew_clip_skeleton(const sinew_Clip *clip);
SINEW_API int sinew_clip_frame_count(const sinew_Clip *clip);
/// Seconds between two frames.
SINEW_API double sinew_clip_frame_time(const sinew_Clip *clip);
/// Seconds from the first frame to the last.
SINEW_API double sinew_clip_duration(const sinew_Clip *clip);

/// The coordinates of one frame, coordinate_count numbers, to read or to write; NULL for a frame that is not there.
SINEW_API double *sinew_clip_frame(sinew_Clip *clip, int frame);
SINEW_API const double *sinew_clip_frame_const(const sinew_Clip *clip, int frame);

/// The pose at a moment, seconds, cropped to the clip; between frames hinges and slides go straight and
/// balls along the shorter arc. A clip without frames gives the rest pose.
SINEW_API void sinew_clip_sample(const sinew_Clip *clip, double time, double *out_q);

/// A new clip of the same length in time at another frame rate; the first frame is kept. Errors as sinew_clip_create.
SINEW_API sinew_Status sinew_clip_resample(const sinew_Clip *clip, double frame_time,
    const sinew_Allocator *allocator, sinew_Clip **out_clip);

#ifdef __cplusplus
}
#endif

#endif
