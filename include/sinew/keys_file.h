#ifndef SINEW_KEYS_FILE_H
#define SINEW_KEYS_FILE_H

/// \file
/// Keyed animation as JSON, written and read. Part of libsinew-io. docs/switch.md shows the form.

#include "keys.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Write all channels; read back they are the same numbers. Goes to a temporary file that is renamed when
/// complete. INVALID_ARGUMENT, CANNOT_WRITE, OUT_OF_MEMORY.
SINEW_API sinew_Status sinew_keys_write(
    const char *path, const sinew_Keys *keys, sinew_Message *out_message);

/// Read channels into keys of the same body and limbs; those that the file has take the place of earlier ones. On failure
/// the message is one line, FILE:LINE:COLUMN: found ..., expected ..., and channels read before it are kept.
/// CANNOT_READ, BAD_FILE, OUT_OF_MEMORY, INVALID_ARGUMENT.
SINEW_API sinew_Status sinew_keys_read(
    const char *path, sinew_Keys *keys, sinew_Message *out_message);

/// The same from memory; name stands for the file in messages.
SINEW_API sinew_Status sinew_keys_read_memory(
    const char *data, size_t size, const char *name, sinew_Keys *keys, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
