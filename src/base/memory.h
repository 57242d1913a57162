#ifndef SNW_MEMORY_H
#define SNW_MEMORY_H

// Memory through a user's allocator, and an arena for things with one lifetime.

#include "sinew/base.h"

/// The allocator itself, or malloc and free where it is NULL or all zero.
sinew_Allocator snw_allocator_or_default(const sinew_Allocator *allocator);

/// Zeroed memory aligned to 64 bytes, or NULL. size 0 gives a valid pointer.
void *snw_alloc(const sinew_Allocator *allocator, size_t size);

/// Zeroed array; NULL when count * size overflows.
void *snw_alloc_array(const sinew_Allocator *allocator, size_t count, size_t size);

/// The allocator may stand in the memory.
void snw_free(const sinew_Allocator *allocator, void *memory, size_t size);

/// One block that is cut into pieces. Used in two passes: first with base NULL to measure, then
/// with a block of the measured size, by the same code.
typedef struct snw_Arena {
    char *base;
    size_t used;
} snw_Arena;

/// The next piece, aligned to 64 bytes; NULL while measuring.
void *snw_arena_take(snw_Arena *arena, size_t count, size_t size);

/// Give an arena that has measured its block and begin anew; out_size: of the block. false without memory.
static inline bool snw_arena_open(
    snw_Arena *arena, const sinew_Allocator *allocator, size_t *out_size)
{
    *out_size = arena->used;
    *arena = (snw_Arena){ snw_alloc(allocator, *out_size), 0 };
    return arena->base != NULL;
}

/// Let memory that an arena has cut be touched as a whole, to copy it or to give it back to pieces that
/// were cut before. Only builds with the address sanitizer watch the gaps between pieces.
void snw_arena_unguard(const void *memory, size_t size);

#endif
