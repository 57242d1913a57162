#ifndef SNW_BUFFER_H
#define SNW_BUFFER_H

// Memory that grows: bytes of text, or structs of one size behind each other.

#include "sinew/base.h"

typedef struct snw_Buffer {
    char *data;
    size_t size, capacity;
    sinew_Allocator allocator;
    bool failed; ///< an allocation failed; everything after it was dropped
} snw_Buffer;

snw_Buffer snw_buffer_create(const sinew_Allocator *allocator);
void snw_buffer_destroy(snw_Buffer *buffer);

/// Room for size more bytes at the end, counted as used and zeroed; NULL without memory. Earlier
/// pointers into the buffer end here.
void *snw_buffer_extend(snw_Buffer *buffer, size_t size);

bool snw_buffer_add(snw_Buffer *buffer, const void *bytes, size_t size);

/// The characters of a text, without its end.
bool snw_buffer_add_text(snw_Buffer *buffer, const char *text);
/// A number in as few digits as give it back.
bool snw_buffer_add_number(snw_Buffer *buffer, double value);

/// Make the buffer, unless it failed, the content of a file, all or nothing: a new file beside the old one takes its
/// place once it is complete.
sinew_Status snw_file_save(const char *path, const snw_Buffer *content, sinew_Message *out_message);

#endif
