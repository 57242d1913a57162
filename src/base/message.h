#ifndef SNW_MESSAGE_H
#define SNW_MESSAGE_H

// One-line messages, formatted without stdio so that the core imports nothing into WebAssembly.

#include "sinew/base.h"

/// Fill a message; NULL is ignored. Knows %d (int), %z (size_t), %s (text; NULL prints as "(none)"),
/// %c (int), %g (double, six significant digits) and %%. Bytes below 0x20 in texts become '?'.
void snw_message_set(sinew_Message *message, const char *format, ...);

/// The same, and returns the status: `return snw_fail(message, SINEW_STATUS_..., "...")`.
sinew_Status snw_fail(sinew_Message *message, sinew_Status status, const char *format, ...);

/// The ending of a counted noun: "%d frame%s", count, snw_plural(count).
static inline const char *snw_plural(double count)
{
    return count == 1.0 ? "" : "s";
}

/// INVALID_ARGUMENT and what is wrong; OUT_OF_MEMORY and "no memory for WHAT".
sinew_Status snw_refuse(sinew_Message *message, const char *format, ...);
sinew_Status snw_no_memory(sinew_Message *message, const char *what, ...);

/// OK, or INVALID_ARGUMENT and "NAME is NULL": of some pointers, named by words, the first that is NULL.
/// `status = SNW_CHECK_NULL(message, "skeleton q", skeleton, q)`.
#define SNW_CHECK_NULL(message, names, ...)                                  \
    snw_check_null((message), (names), (const void *const[]){ __VA_ARGS__ }, \
        sizeof((const void *const[]){ __VA_ARGS__ }) / sizeof(void *))
sinew_Status snw_check_null(
    sinew_Message *message, const char *names, const void *const *pointers, size_t count);

/// A number that somebody gave, and what it may be, both ends included.
typedef struct snw_Range {
    const char *name;
    double value, lower, upper;
} snw_Range;

/// OK, or INVALID_ARGUMENT and "OWNER.NAME is 3, want 0..2" of the first number that is none or out of its range; "NAME is" for an
/// owner of no letters.
sinew_Status snw_check_ranges(
    sinew_Message *message, const char *owner, const snw_Range *ranges, size_t count);

/// What default functions write into the cookie of a definition: one that was not made by them is refused.
#define SNW_COOKIE 0x736e6577u
#define SNW_FAIL_COOKIE(message, noun) \
    snw_refuse((message), "def was not made by sinew_%s_def_default", (noun))

#endif
