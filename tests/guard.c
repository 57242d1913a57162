// Memory of the test programs (--wrap): behind each block that the library takes and behind each piece that
// an arena cuts stand 64 bytes of a pattern. As a double they are 1e286, as an int no index, as a pointer
// no address, so that what is read there changes an answer; and who writes there ends the program, at the
// latest when the block is given back. So a slip of one in a bound is seen without sanitizers, which watch the
// same gaps in builds of their own.

#include "base/memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, FILL = 0x7b };

void *__real_snw_alloc(const sinew_Allocator *allocator, size_t size);
void __real_snw_free(const sinew_Allocator *allocator, void *memory, size_t size);
void *__real_snw_arena_take(snw_Arena *arena, size_t count, size_t size);
void __real_snw_arena_unguard(const void *memory, size_t size);
void *__wrap_snw_alloc(const sinew_Allocator *allocator, size_t size);
void *__wrap_snw_alloc_array(const sinew_Allocator *allocator, size_t count, size_t size);
void __wrap_snw_free(const sinew_Allocator *allocator, void *memory, size_t size);
void *__wrap_snw_arena_take(snw_Arena *arena, size_t count, size_t size);
void __wrap_snw_arena_unguard(const void *memory, size_t size);

// ---------------------------------------------------------------------------------------------
// Gaps behind pieces of arenas, by their start

typedef struct Gap {
    const unsigned char *start, *end;
} Gap;

static Gap *gaps;
static size_t gap_count, gap_room;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void lock(void)
{
    while (atomic_flag_test_and_set(&busy)) {}
}

static void unlock(void)
{
    atomic_flag_clear(&busy);
}

static void check_pattern(const unsigned char *start, const unsigned char *end, const char *what)
{
    for (; start < end; ++start) {
        if (*start == FILL) { continue; }
        (void)fprintf(stderr, "something was written behind %s\n", what);
        abort();
    }
}

// the first gap that ends behind a place
static size_t find_gap(const unsigned char *place)
{
    size_t low = 0, high = gap_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (gaps[middle].end > place) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// Put one gap, or none, in the place of all that touch start to end.
static void replace_gaps(const unsigned char *start, const unsigned char *end, const Gap *gap)
{
    size_t first = find_gap(start), last = first, more = gap != NULL ? 1 : 0;
    while (last < gap_count && gaps[last].start < end) { ++last; }
    if (gap_count + more > gap_room) {
        gap_room = 2 * gap_room + 1024;
        gaps = realloc(gaps, gap_room * sizeof *gaps);
        if (gaps == NULL) { abort(); }
    }
    memmove(&gaps[first + more], &gaps[last], (gap_count - last) * sizeof *gaps);
    if (gap != NULL) { gaps[first] = *gap; }
    gap_count = gap_count + more - (last - first);
}

void *__wrap_snw_arena_take(snw_Arena *arena, size_t count, size_t size)
{
    void *piece = __real_snw_arena_take(arena, count, size);
    unsigned char *behind = __real_snw_arena_take(arena, GUARD, 1), *start = piece;
    if (piece != NULL) {
        // with what rounding leaves between them
        Gap gap = { start + count * size, behind + GUARD };
        memset(start + count * size, FILL, (size_t)(gap.end - gap.start));
        lock();
        replace_gaps(start, gap.end, &gap);
        unlock();
    }
    return piece;
}

void __wrap_snw_arena_unguard(const void *memory, size_t size)
{
    lock();
    replace_gaps(memory, (const unsigned char *)memory + size, NULL);
    unlock();
    __real_snw_arena_unguard(memory, size);
}

// ---------------------------------------------------------------------------------------------
// Blocks of malloc: an allocator of a test's own may count what is asked for, and gives it back itself

static bool is_counted(const sinew_Allocator *allocator)
{
    return allocator->alloc != snw_allocator_or_default(NULL).alloc;
}

void *__wrap_snw_alloc(const sinew_Allocator *allocator, size_t size)
{
    size_t guard = is_counted(allocator) ? 0 : GUARD;
    if (size > SIZE_MAX - guard) { return NULL; }
    unsigned char *block = __real_snw_alloc(allocator, size + guard);
    if (block == NULL) { return NULL; }
    memset(block + size, FILL, guard);
    // those of an arena in memory of a test's own, which it has given back
    lock();
    replace_gaps(block, block + size + guard, NULL);
    unlock();
    return block;
}

void *__wrap_snw_alloc_array(const sinew_Allocator *allocator, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) { return NULL; }
    return __wrap_snw_alloc(allocator, count * size);
}

void __wrap_snw_free(const sinew_Allocator *allocator, void *memory, size_t size)
{
    if (memory == NULL) { return; }
    const unsigned char *start = memory, *end = start + size;
    size_t guard = is_counted(allocator) ? 0 : GUARD;
    check_pattern(end, end + guard, "a block");
    lock();
    for (size_t i = find_gap(start); i < gap_count && gaps[i].start < end; ++i) {
        check_pattern(gaps[i].start, gaps[i].end, "a piece of an arena");
    }
    replace_gaps(start, end, NULL);
    unlock();
    __real_snw_free(allocator, memory, size + guard);
}
