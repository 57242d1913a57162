#ifndef SNW_FRAMES_H
#define SNW_FRAMES_H

/// A time as whole frames, rounded; at most so many, because a frame may be shorter than any time and the
/// quotient no int.
static inline int snw_frames_in(double seconds, double frame_time, int most)
{
    double frames = seconds / frame_time + 0.5;
    return frames < most ? (int)frames : most;
}

#endif
