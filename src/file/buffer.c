#include "file/buffer.h"

#include "base/memory.h"

#include <string.h>

snw_Buffer snw_buffer_create(const sinew_Allocator *allocator)
{
    snw_Buffer buffer = { NULL, 0, 0, snw_allocator_or_default(allocator), false };
    return buffer;
}

void snw_buffer_destroy(snw_Buffer *buffer)
{
    snw_free(&buffer->allocator, buffer->data, buffer->capacity);
    buffer->data = NULL;
    buffer->size = buffer->capacity = 0;
}

static bool reserve(snw_Buffer *buffer, size_t more)
{
    if (buffer->failed || more > SIZE_MAX / 4 || buffer->size > SIZE_MAX / 4) {
        buffer->failed = true;
        return false;
    }
    if (buffer->size + more <= buffer->capacity) { return true; }
    size_t capacity = buffer->capacity < 256 ? 256 : buffer->capacity * 2;
    if (capacity < buffer->size + more) { capacity = buffer->size + more; }
    char *data = snw_alloc(&buffer->allocator, capacity);
    if (data == NULL) {
        buffer->failed = true;
        return false;
    }
    if (buffer->size > 0) { memcpy(data, buffer->data, buffer->size); }
    snw_free(&buffer->allocator, buffer->data, buffer->capacity);
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void *snw_buffer_extend(snw_Buffer *buffer, size_t size)
{
    // a valid pointer for nothing as well
    if (!reserve(buffer, size > 0 ? size : 1)) { return NULL; }
    char *start = buffer->data + buffer->size;
    memset(start, 0, size);
    buffer->size += size;
    return start;
}

bool snw_buffer_add(snw_Buffer *buffer, const void *bytes, size_t size)
{
    if (!reserve(buffer, size)) { return false; }
    if (size > 0) { memcpy(buffer->data + buffer->size, bytes, size); }
    buffer->size += size;
    return true;
}

bool snw_buffer_add_text(snw_Buffer *buffer, const char *text)
{
    return snw_buffer_add(buffer, text, strlen(text));
}
