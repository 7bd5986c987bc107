/* The same bits everywhere need arithmetic as IEEE 754 has it, operation by operation. What can be seen when
 * compiling is refused here; what cannot, by lbm_strict when a figure is made. The headers that all kernels use
 * include this one. */
#ifndef LIMBER_MATH_STRICT_H
#define LIMBER_MATH_STRICT_H

#include <float.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "Limber's results are the same to the bit: compile it without -ffast-math, -Ofast and what they consist of"
#endif

/* 16: half precision is computed as such, which concerns nobody here. */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "Limber needs double arithmetic without excess precision: on x86 compile it with -msse2 -mfpmath=sse"
#endif

/* NULL where this build computes operation by operation; else a sentence on what it does instead and what to do.
 * Builds by CMakeLists.txt do; gcc and clang fuse x * y + z into one operation unless told -ffp-contract=off, and no
 * macro says whether they were. */
const char *lbm_strict(void);

#endif
