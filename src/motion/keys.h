#ifndef SNW_KEYS_H
#define SNW_KEYS_H

// What the files of keyed animation share: channels with memory of their own, their values, and their making.

#include "sinew/keys.h"

/// A channel that can grow; key_count 0: none.
typedef struct snw_Channel {
    sinew_ChannelKind kind;
    int index, width;
    sinew_Interpolation interpolation;
    int key_count, capacity;
    double *times, *values, *slopes; // one block of memory
} snw_Channel;

struct sinew_Keys {
    sinew_Allocator allocator;
    const sinew_Skeleton *skeleton;
    sinew_SwitchLimb *limbs;
    int limb_count;
    snw_Channel
        *channels; // all there can be: joints, then place, pole, roll, toe and mode of each limb
    int channel_count;
};

/// Values of a channel evenly in time.
typedef struct snw_Samples {
    int frame_count, width;
    double first, frame_time; // seconds
    double *values;           // frame by frame                              (frame_count x width)
} snw_Samples;

/// How far values are from what they should be at a frame, in parts of what is allowed there: above 1 is too far.
typedef double (*snw_KeyDeviation)(
    void *user, int frame, const double *values, const double *wanted);

snw_Channel *snw_keys_find(const sinew_Keys *keys, sinew_ChannelKind kind, int index);

/// The last of rising times that is not later; 0 before the first.
int snw_key_before(const double *times, int count, double time);

/// The value of a channel that has keys, and how fast it changes (out_slope may be NULL).
void snw_channel_value(
    const snw_Channel *channel, double time, double *out_value, double *out_slope);

/// The values between two keys at a share 0..1 of the time between them.
void snw_key_cubic(const double *a, const double *a_slope, const double *b, const double *b_slope,
    double seconds, double share, int width, double *out_value);

/// Make quaternions unit again; other kinds are left.
void snw_channel_normalize(
    const sinew_Skeleton *skeleton, const snw_Channel *channel, double *value);

/// Room for so many keys; false without memory, then nothing is changed.
bool snw_channel_reserve(const sinew_Allocator *allocator, snw_Channel *channel, int key_count);

/// Give the keys' memory back.
void snw_channel_free(const sinew_Allocator *allocator, snw_Channel *channel);

/// A key more at a time, where the curve is anyway; nothing changes. Nothing to do outside the keys; false without
/// memory.
bool snw_channel_pin(const sinew_Allocator *allocator, snw_Channel *channel, double time);

/// Put keys in place of those of a channel from the first to the last of their times.
bool snw_channel_splice(
    const sinew_Allocator *allocator, snw_Channel *channel, const snw_Channel *keys);

/// The motion between a frame and the next one: the smooth curve through all frames (Catmull and Rom 1974).
void snw_samples_between(const snw_Samples *samples, int frame, double share, double *out_value);

/// Cubic keys of samples, so few as keep their deviation at frames below 1. `kept` and `stack` have frame_count places; keys
/// that kept names already stay. out_keys is a channel of the same width; false without memory.
bool snw_keys_reduce(const sinew_Allocator *allocator, const snw_Samples *samples,
    snw_KeyDeviation deviation, void *user, unsigned char *kept, int *stack, snw_Channel *out_keys);

/// Poses evenly in time.
typedef struct snw_Poses {
    double first, frame_time;
    int frame_count;
    const double *values; //                                    (frame_count x coordinates)
} snw_Poses;

/// Keys of the joints that are wanted (NULL: all), in place of those that they have in that time; false without memory.
bool snw_keys_make(sinew_Keys *keys, const snw_Poses *poses, const unsigned char *wanted,
    const sinew_KeysTolerance *tolerance, sinew_KeysFigures *out_figures);

#endif
