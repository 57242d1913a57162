#ifndef SNW_ASSERT_H
#define SNW_ASSERT_H

// Our own bugs stop a debug build at once; release builds carry no check.
#ifdef NDEBUG
#define SNW_ASSERT(condition) ((void)0)
#elif defined(__GNUC__)
#define SNW_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#include <stdlib.h>
#define SNW_ASSERT(condition) ((condition) ? (void)0 : abort())
#endif

#endif
