#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define SNW_ALIGNMENT ((size_t)64)

// The address sanitizer knows where a block ends, but not the pieces that an arena cuts it into: there
// nobody may touch what lies between them.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SNW_GUARDED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SNW_GUARDED
#endif
#ifdef SNW_GUARDED
#include <sanitizer/asan_interface.h>
#define SNW_GAP SNW_ALIGNMENT // bytes behind each piece
#define SNW_POISON(memory, size) ASAN_POISON_MEMORY_REGION(memory, size)
#define SNW_UNPOISON(memory, size) ASAN_UNPOISON_MEMORY_REGION(memory, size)
#else
#define SNW_GAP ((size_t)0)
#define SNW_POISON(memory, size) ((void)(memory), (void)(size))
#define SNW_UNPOISON(memory, size) ((void)(memory), (void)(size))
#endif

// aligned_alloc is not everywhere: what malloc gives stands in front of the aligned block
static void *default_alloc(size_t size, size_t alignment, void *user)
{
    (void)user;
    size_t extra = sizeof(void *) + alignment - 1;
    if (size > SIZE_MAX - extra) { return NULL; }
    char *block = calloc(size + extra, 1);
    if (block == NULL) { return NULL; }
    uintptr_t after = (uintptr_t)block + extra;
    char *memory = block + (extra - (size_t)(after % alignment));
    memcpy(memory - sizeof block, &block, sizeof block);
    return memory;
}

static void default_free(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    char *block;
    memcpy(&block, (char *)memory - sizeof block, sizeof block);
    free(block);
}

sinew_Allocator snw_allocator_or_default(const sinew_Allocator *allocator)
{
    if (allocator != NULL && (allocator->alloc != NULL || allocator->free != NULL)) {
        return *allocator;
    }
    sinew_Allocator standard = { default_alloc, default_free, NULL };
    return standard;
}

void *snw_alloc(const sinew_Allocator *allocator, size_t size)
{
    size_t wanted = size > 0 ? size : 1;
    if (allocator->alloc == NULL || allocator->free == NULL) { return NULL; }
    void *memory = allocator->alloc(wanted, SNW_ALIGNMENT, allocator->user);
    // calloc has done that, and leaves pages alone that nobody writes to
    if (memory != NULL && allocator->alloc != default_alloc) { memset(memory, 0, wanted); }
    return memory;
}

void *snw_alloc_array(const sinew_Allocator *allocator, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) { return NULL; }
    return snw_alloc(allocator, count * size);
}

void snw_free(const sinew_Allocator *allocator, void *memory, size_t size)
{
    if (memory == NULL) { return; }
    SNW_UNPOISON(memory, size);
    allocator->free(memory, size > 0 ? size : 1, allocator->user);
}

void *snw_arena_take(snw_Arena *arena, size_t count, size_t size)
{
    size_t start = (arena->used + SNW_ALIGNMENT - 1) / SNW_ALIGNMENT * SNW_ALIGNMENT;
    size_t end = start + count * size;
    arena->used = end + SNW_GAP;
    if (arena->base == NULL) { return NULL; }
    SNW_UNPOISON(arena->base + start, count * size);
    SNW_POISON(arena->base + end, SNW_GAP);
    return arena->base + start;
}

void snw_arena_unguard(const void *memory, size_t size)
{
    SNW_UNPOISON(memory, size);
}
