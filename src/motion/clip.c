#include "sinew/clip.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

// A moment this near to a frame, in frames, is that frame, so that resampling at the same rate
// copies.
#define SNAP 1e-9

// Frame times are rounded in files (.0083333 for 1/120 s), so the length in new frames comes out a
// little short of whole; up to this part of a frame is taken as rounding.
#define LENGTH_SLACK 0.1

struct sinew_Clip {
    sinew_Allocator allocator;
    const sinew_Skeleton *skeleton;
    int frame_count;
    int coordinate_count;
    double frame_time;
    double *numbers; // frame by frame   (frame_count x coordinate_count)
    size_t size;     // of numbers, bytes
};

sinew_Status sinew_clip_create(const sinew_Skeleton *skeleton, int frame_count, double frame_time,
    const sinew_Allocator *allocator, sinew_Clip **out_clip)
{
    if (out_clip == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
    *out_clip = NULL;
    if (skeleton == NULL || frame_count < 0 || !(frame_time > 0.0) || !isfinite(frame_time)) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    size_t width = (size_t)sinew_skeleton_coordinate_count(skeleton);
    if (width > 0 && (size_t)frame_count > SINEW_MAX_CLIP_NUMBERS / width) {
        return SINEW_STATUS_CAPACITY;
    }
    size_t count = (size_t)frame_count * width;
    if (count > SIZE_MAX / sizeof(double)) { return SINEW_STATUS_CAPACITY; }

    sinew_Allocator from = snw_allocator_or_default(allocator);
    sinew_Clip *clip = snw_alloc(&from, sizeof *clip);
    if (clip == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    clip->allocator = from;
    clip->skeleton = skeleton;
    clip->frame_count = frame_count;
    clip->coordinate_count = (int)width;
    clip->frame_time = frame_time;
    clip->size = count * sizeof(double);
    clip->numbers = snw_alloc(&from, clip->size);
    if (clip->numbers == NULL) {
        snw_free(&from, clip, sizeof *clip);
        return SINEW_STATUS_OUT_OF_MEMORY;
    }
    if (count > 0) {
        sinew_pose_rest(skeleton, clip->numbers);
        for (int f = 1; f < frame_count; ++f) {
            memcpy(clip->numbers + (size_t)f * width, clip->numbers, width * sizeof(double));
        }
    }
    *out_clip = clip;
    return SINEW_STATUS_OK;
}

void sinew_clip_destroy(sinew_Clip *clip)
{
    if (clip == NULL) { return; }
    sinew_Allocator allocator = clip->allocator;
    snw_free(&allocator, clip->numbers, clip->size);
    snw_free(&allocator, clip, sizeof *clip);
}

const sinew_Skeleton *sinew_clip_skeleton(const sinew_Clip *clip)
{
    if (clip == NULL) { return NULL; }
    return clip->skeleton;
}

int sinew_clip_frame_count(const sinew_Clip *clip)
{
    if (clip == NULL) { return 0; }
    return clip->frame_count;
}

double sinew_clip_frame_time(const sinew_Clip *clip)
{
    if (clip == NULL) { return 0.0; }
    return clip->frame_time;
}

double sinew_clip_duration(const sinew_Clip *clip)
{
    if (clip == NULL) { return 0.0; }
    return clip->frame_count > 1 ? (clip->frame_count - 1) * clip->frame_time : 0.0;
}

double *sinew_clip_frame(sinew_Clip *clip, int frame)
{
    if (clip == NULL || frame < 0 || frame >= clip->frame_count) { return NULL; }
    return clip->numbers + (size_t)frame * (size_t)clip->coordinate_count;
}

const double *sinew_clip_frame_const(const sinew_Clip *clip, int frame)
{
    if (clip == NULL || frame < 0 || frame >= clip->frame_count) { return NULL; }
    return clip->numbers + (size_t)frame * (size_t)clip->coordinate_count;
}

void sinew_clip_sample(const sinew_Clip *clip, double time, double *out_q)
{
    if (clip == NULL || out_q == NULL) { return; }
    if (clip->frame_count == 0) {
        sinew_pose_rest(clip->skeleton, out_q);
        return;
    }
    double last = clip->frame_count - 1;
    double place = time / clip->frame_time;
    if (!(place > 0.0)) { place = 0.0; } // also a time that is not a number
    if (place > last) { place = last; }

    double whole = floor(place + SNAP);
    double rest = place - whole;
    int frame = (int)whole;
    const double *from = sinew_clip_frame_const(clip, frame);
    if (rest <= SNAP) {
        memcpy(out_q, from, (size_t)clip->coordinate_count * sizeof(double));
        return;
    }
    sinew_pose_interpolate(
        clip->skeleton, from, sinew_clip_frame_const(clip, frame + 1), rest, out_q);
}

sinew_Status sinew_clip_resample(const sinew_Clip *clip, double frame_time,
    const sinew_Allocator *allocator, sinew_Clip **out_clip)
{
    if (out_clip == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
    *out_clip = NULL;
    if (clip == NULL || !(frame_time > 0.0) || !isfinite(frame_time)) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    double steps = floor(sinew_clip_duration(clip) / frame_time + LENGTH_SLACK);
    if (steps > (double)(INT_MAX - 1)) { return SINEW_STATUS_CAPACITY; }
    int frame_count = clip->frame_count > 0 ? (int)steps + 1 : 0;

    sinew_Clip *resampled;
    sinew_Status status = sinew_clip_create(
        clip->skeleton, frame_count, frame_time, allocator, &resampled);
    if (status != SINEW_STATUS_OK) { return status; }
    for (int f = 0; f < frame_count; ++f) {
        sinew_clip_sample(clip, f * frame_time, sinew_clip_frame(resampled, f));
    }
    *out_clip = resampled;
    return SINEW_STATUS_OK;
}
