#ifndef CLI_WALK_LOOP_H
#define CLI_WALK_LOOP_H

// What a game engine plays again and again: strides of a steady walk whose last frame is the first one, and walks
// whose root stays where it is.

#include "sinew/clip.h"

/// Where the root of a walk is on the ground, and where it looks: metres, radians from +Z towards +X, whole turns counted.
typedef struct cli_Place {
    double x, z, heading;
} cli_Place;

/// A walk, frame by frame; frame i is shown at (i + 1) * frame_time.
typedef struct cli_Recording {
    const sinew_Skeleton *skeleton;
    double frame_time;
    double *frames;    // frame_count x coordinates
    cli_Place *places; // frame_count
    int frame_count, capacity;
    double *contacts; // when the first leg landed, seconds
    int contact_count, contact_capacity;
} cli_Recording;

/// Room for one more frame, NULL after a message; it is kept with the place of its root, or written over.
double *cli_recording_frame(cli_Recording *recording);
void cli_recording_keep(cli_Recording *recording, double x, double z, double heading);
/// The first leg landed; false after a message.
bool cli_recording_land(cli_Recording *recording, double time);
void cli_recording_close(cli_Recording *recording);

/// Strides of a recording that meet themselves; all zero: none.
typedef struct cli_Loop {
    int stride_count;
    double start, duration; ///< in the recording, seconds
    double
        seam; ///< largest turn of a joint from the first frame to the last, before they are made one, radians
    double forward, left, turn; ///< of the root as it walked: m/s, rad/s
    int frame_count;            ///< as it is written, the last one like the first
    double quicker;             ///< as it is written, so that it has whole frames: a ratio near 1
} cli_Loop;

/// How many landings of its first leg a recording should have for a loop of so many strides.
int cli_loop_landings(int stride_count);

/// Of the last strides those that meet themselves best, each from a landing of the first leg on. false after a message.
bool cli_loop_find(
    const cli_Recording *recording, int stride_count, double fps, cli_Loop *out_loop);

/// A clip of these strides, the last frame like the first. Between both each pose is put a share of the
/// way to that of a loop before, so that no frame shows a seam. The root begins at the origin, looks along +Z and
/// goes evenly, or stays there where it is in place. false after a message.
bool cli_loop_make(const cli_Recording *recording, const cli_Loop *loop, double fps, bool in_place,
    sinew_Clip **out_clip);

/// Take the way and the turns of its root off a clip of the whole recording. false after a message.
bool cli_stay_in_place(const cli_Recording *recording, sinew_Clip *clip);

/// The largest turn of a joint between two poses, radians, of those whose share is above 0; mask NULL: all.
double cli_largest_turn(
    const sinew_Skeleton *skeleton, const double *a, const double *b, const double *mask);

#endif
