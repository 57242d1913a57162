#ifndef SNW_COMPILER_H
#define SNW_COMPILER_H

// What is not plain C17, and what the promise of equal bits asks of the compiler. Everything else in the
// core is plain C17.

#include <float.h>

#if defined(__FAST_MATH__)
#error "sinew gives the same bits everywhere; -ffast-math takes that away. Compile it without."
#endif
#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD > 1
#error "sinew wants doubles computed as doubles. For 32-bit x86 add -msse2 -mfpmath=sse."
#endif

// Two numbers in one register: a type of gcc and clang. SINEW_NO_VECTOR does without, with the same bits.
#if defined(__GNUC__) && !defined(SINEW_NO_VECTOR)
#define SNW_VECTORS 1
#else
#define SNW_VECTORS 0
#endif

// For small functions that are worth nothing unless they dissolve into their caller.
#if defined(__GNUC__)
#define SNW_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define SNW_ALWAYS_INLINE static inline
#endif

// For functions with much on their stack, which callers would otherwise carry all the time.
#if defined(__GNUC__)
#define SNW_NEVER_INLINE __attribute__((noinline))
#else
#define SNW_NEVER_INLINE
#endif

#endif
