#ifndef SINEW_BASE_H
#define SINEW_BASE_H

/// \file
/// What every other header stands on: export marks, status codes, messages, memory, clock, version.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(SINEW_STATIC)
#define SINEW_API
#elif defined(_WIN32)
#ifdef SINEW_BUILDING
#define SINEW_API __declspec(dllexport)
#else
#define SINEW_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SINEW_API __attribute__((visibility("default")))
#else
#define SINEW_API
#endif

/// Marks functions that may still change their shape in any version below 1.0; the others change with a word in the
/// changelog alone. Who wants to know of each defines SINEW_WARN_EXPERIMENTAL before including sinew.
#if defined(SINEW_WARN_EXPERIMENTAL) && defined(__GNUC__)
#define SINEW_EXPERIMENTAL SINEW_API __attribute__((deprecated("experimental")))
#else
#define SINEW_EXPERIMENTAL SINEW_API
#endif

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 1
#define SINEW_VERSION_PATCH 0

/// Version of the library that is running, "major.minor.patch". Static memory.
SINEW_API const char *sinew_version(void);

/// Wrong arguments, in release builds too. What returns a status refuses NULL, indices that are none, numbers
/// that are not finite and enums nobody knows, and the message says which argument it was. What returns none gives
/// a harmless value: of NULL or an index that is none a pointer is NULL (a text empty), a count or number 0, an index
/// -1, a rotation or transform the identity, a limit none; nothing is written, and destroying NULL does nothing.
/// Two things stay promises of the caller: that arrays are as long as said, and that pointers are valid.

/// What can go wrong when a rule of the interface is broken, with its text.
///
/// An unmet goal is no error: it is told by sinew_Report.
#define SINEW_STATUS_LIST(X)                                                 \
    X(SINEW_STATUS_OK, "success")                                            \
    X(SINEW_STATUS_INVALID_ARGUMENT, "an argument breaks a documented rule") \
    X(SINEW_STATUS_OUT_OF_MEMORY, "the allocator returned no memory")        \
    X(SINEW_STATUS_CAPACITY, "more than was reserved at creation")           \
    X(SINEW_STATUS_CANNOT_READ, "a file cannot be opened or read")           \
    X(SINEW_STATUS_CANNOT_WRITE, "a file cannot be written")                 \
    X(SINEW_STATUS_BAD_FILE, "a file breaks the rules of its format")        \
    X(SINEW_STATUS_UNSUPPORTED, "a known but unsupported format or feature")

typedef enum sinew_Status {
#define SINEW_STATUS_ENUM(name, text) name,
    SINEW_STATUS_LIST(SINEW_STATUS_ENUM)
#undef SINEW_STATUS_ENUM
} sinew_Status;

/// English text of a status; never NULL. Static memory.
SINEW_API const char *sinew_status_text(sinew_Status status);

/// One line of text that says what was found and what was expected.
///
/// The caller owns it and may pass NULL where it does not care. Written only on failure,
/// always terminated, cut when too long.
typedef struct sinew_Message {
    char text[320];
} sinew_Message;

/// Where memory comes from. All zero means malloc and free; one function without the other gives no memory:
/// OUT_OF_MEMORY.
///
/// Both functions are called by create and destroy functions and by loaders, never while solving.
typedef struct sinew_Allocator {
    /// Returns size bytes aligned to alignment (a power of two), or NULL.
    void *(*alloc)(size_t size, size_t alignment, void *user);
    /// Gives memory back; size is what was asked for.
    void (*free)(void *memory, size_t size, void *user);
    /// Handed to both functions.
    void *user;
} sinew_Allocator;

/// Seconds since any fixed moment. The library has no clock of its own, see sinew_SolverDef.
typedef double (*sinew_Clock)(void *user);

#ifdef __cplusplus
}
#endif

#endif
