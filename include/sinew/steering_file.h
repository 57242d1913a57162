#ifndef SINEW_STEERING_FILE_H
#define SINEW_STEERING_FILE_H

/// \file
/// Recorded sticks: CSV files, read and written. Part of libsinew-io.
///
/// A line for each moment at which something changed: seconds, x (to the right), y (forward), and,
/// where x moves sideways instead of turning, strafe: 0 or 1; then, as far as there is more, the height
/// of a jump at that moment (metres, 0: none), and how low and how laden the body goes on (0..1). Times do
/// not fall, axes are within -1..1; all but a jump is held until the next line. A header (words
/// instead of numbers), blank lines and lines that begin with # are put up with:
///
///     seconds,x,y,strafe,jump,crouch,carry
///     0,0,1,0
///     2.5,-0.4,1,0,0.3
///     6,0,0,0,0,0.8

#include "steering.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A stick from a moment on.
typedef struct sinew_StickKey {
    double time; ///< seconds
    sinew_Stick stick;
    double jump;   ///< at that moment, so high, metres, 0 or 0.05..1 (sinew_walker_jump)
    double crouch; ///< 0..1 (sinew_Drive)
    double carry;  ///< 0..1 (sinew_Drive)
} sinew_StickKey;

/// Most keys of a recording.
#define SINEW_MAX_STICK_KEYS 10000000

typedef struct sinew_StickRecording sinew_StickRecording;

/// Read a file. allocator may be NULL. On failure *out_recording is NULL and the message is one
/// line: FILE:LINE:COLUMN: found ..., expected .... CANNOT_READ, BAD_FILE, CAPACITY, OUT_OF_MEMORY,
/// INVALID_ARGUMENT.
SINEW_API sinew_Status sinew_stick_read(const char *path, const sinew_Allocator *allocator,
    sinew_StickRecording **out_recording, sinew_Message *out_message);

/// The same from memory; name stands for the file in messages.
SINEW_API sinew_Status sinew_stick_read_memory(const char *data, size_t size, const char *name,
    const sinew_Allocator *allocator, sinew_StickRecording **out_recording,
    sinew_Message *out_message);

/// Give it back; NULL is ignored.
SINEW_API void sinew_stick_destroy(sinew_StickRecording *recording);

/// The keys in order of time, at least one; they belong to the recording.
SINEW_API const sinew_StickKey *sinew_stick_keys(
    const sinew_StickRecording *recording, int *out_count);

/// The stick at a moment: that of the last key whose time is not later; before the first key,
/// released.
SINEW_API sinew_Stick sinew_stick_at(const sinew_StickRecording *recording, double time);
/// The whole last key whose time is not later; before the first key, none of anything.
SINEW_API sinew_StickKey sinew_stick_key_at(const sinew_StickRecording *recording, double time);
/// Height of the first jump from a moment on and before another, metres; 0: none.
SINEW_API double sinew_stick_jump_between(
    const sinew_StickRecording *recording, double from, double to);

/// Write keys; read back they are the same bit for bit. Goes to a temporary file that is renamed
/// when complete. INVALID_ARGUMENT for no keys or keys that could not be read back, CANNOT_WRITE,
/// OUT_OF_MEMORY.
SINEW_API sinew_Status sinew_stick_write(
    const char *path, const sinew_StickKey *keys, int key_count, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
