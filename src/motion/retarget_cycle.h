#ifndef SNW_RETARGET_CYCLE_H
#define SNW_RETARGET_CYCLE_H

// Motions that are played round and round, in place or with a way: their last frame is the first one, moved along the ground.
// Whatever looks around a frame wants to see what is beyond the ends; so they are carried over three times in a row, and the
// middle is kept.

#include "sinew/clip.h"

enum { SNW_CYCLE_ROUNDS = 3 };

typedef struct snw_Cycle {
    int period;           ///< frames; 0: it is none
    sinew_Transform move; ///< of the body in that time, its world
    double turn;          ///< of that about up, radians
} snw_Cycle;

/// Whether a clip is one, by all its joints; up: of its world, unit. OUT_OF_MEMORY, else OK.
sinew_Status snw_cycle_find(
    const sinew_Clip *clip, sinew_Vec3 up, const sinew_Allocator *allocator, snw_Cycle *out_cycle);
/// Its rounds in a row, from where it begins on. OUT_OF_MEMORY.
sinew_Status snw_cycle_unroll(const sinew_Clip *clip, const snw_Cycle *cycle,
    const sinew_Allocator *allocator, sinew_Clip **out_clip);
/// The middle round of what a cycle became, on a body whose world has another up, where the first one began; its last frame is
/// its first one to the bit, but for the way. OUT_OF_MEMORY.
sinew_Status snw_cycle_cut(const sinew_Clip *rounds, const snw_Cycle *cycle, sinew_Vec3 up,
    const sinew_Allocator *allocator, sinew_Clip **out_clip);

#endif
