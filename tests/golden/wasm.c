// The golden run and the workloads as functions of a WebAssembly module; it imports nothing.

#include "golden.h"
#include "workloads.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT uint32_t golden(void);
EXPORT uint32_t golden_chapter(int index);
EXPORT const char *golden_name(int index);
EXPORT uint32_t high_word(void);
EXPORT int workload_count(void);
EXPORT const char *workload_name(int kind);
EXPORT void begin(int kind);
EXPORT void chunk(void);
EXPORT int chunk_count(void);
EXPORT int operations(void);
EXPORT int met(void);
EXPORT uint32_t hash(void);

static Workload work;
static uint32_t high;

static uint32_t split(uint64_t bits)
{
    high = (uint32_t)(bits >> 32);
    return (uint32_t)bits;
}

// hashes come as their low word; the high one is kept
uint32_t golden(void)
{
    return split(golden_run());
}

uint32_t golden_chapter(int index)
{
    return split(golden_core_chapters[index].run());
}

// NULL behind the last
const char *golden_name(int index)
{
    return index < golden_core_count ? golden_core_chapters[index].name : NULL;
}

uint32_t high_word(void)
{
    return high;
}

int workload_count(void)
{
    return WORKLOAD_COUNT;
}

const char *workload_name(int kind)
{
    return workload_names[kind];
}

void begin(int kind)
{
    workload_begin(&work, kind);
}

void chunk(void)
{
    workload_chunk(&work);
}

int chunk_count(void)
{
    return WORKLOAD_CHUNKS;
}

int operations(void)
{
    return work.operations;
}

int met(void)
{
    return work.met;
}

uint32_t hash(void)
{
    return split(work.hash);
}
