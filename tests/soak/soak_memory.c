// Counts every allocation of the program: the linker sends them here (--wrap), also those of the C
// library's callers inside sinew.

#include "soak.h"

#include <stdlib.h>

static long calls;

long soak_heap_calls(void)
{
    return calls;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **out_memory, size_t alignment, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **out_memory, size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    ++calls;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    ++calls;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    ++calls;
    return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    ++calls;
    return __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **out_memory, size_t alignment, size_t size)
{
    ++calls;
    return __real_posix_memalign(out_memory, alignment, size);
}
