/* Which vector instructions the CPU has, and how a file asks its compiler for them.
 *
 * A file of kernels is compiled for each of them by including its text from a small file that opens with LBM_BEGIN_AVX2
 * or LBM_BEGIN_AVX512 and ends with LBM_END_TARGET; the text's own includes come between, this and system headers before,
 * LBM_WIDTH (simd.h) before them all. No
 * operation mixes lanes but the sums that simd.h orders, so that all give the same bits. */
#ifndef LIMBER_MATH_ISA_H
#define LIMBER_MATH_ISA_H

typedef enum lbm_isa {
    LBM_ISA_BASE, /* what every CPU of the family has, or plain C */
    LBM_ISA_AVX2,
    LBM_ISA_AVX512, /* F, DQ and VL */
    LBM_ISA_COUNT
} lbm_isa;

/* The best of this CPU. Asking takes a microsecond or more in a virtual machine: keep the answer. */
lbm_isa lbm_isa_best(void);

/* GCC cannot align the stack to 32 bytes under the calling convention of 64-bit Windows, so what it spills of wider
 * registers would fault (GCC's bug 54412): there, files for AVX2 and AVX-512 are empty, unless clang compiles them. */
#if defined(_WIN32) && !defined(__clang__)
#define LBM_ALIGNS_STACK 0
#else
#define LBM_ALIGNS_STACK 1
#endif

#if defined(__x86_64__) && defined(__GNUC__) && LBM_ALIGNS_STACK && !defined(LBM_SCALAR)

#define LBM_X86 1
#if defined(LBM_WIDTH) && LBM_WIDTH >= 4
#include <immintrin.h>
#endif

#define LBM_PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define LBM_BEGIN_TARGET(names) LBM_PRAGMA(clang attribute push(__attribute__((target(names))), apply_to = function))
#define LBM_END_TARGET _Pragma("clang attribute pop")
#else
#define LBM_BEGIN_TARGET(names) _Pragma("GCC push_options") LBM_PRAGMA(GCC target(names))
#define LBM_END_TARGET _Pragma("GCC pop_options")
#endif
#define LBM_BEGIN_AVX2 LBM_BEGIN_TARGET("avx2")
#define LBM_BEGIN_AVX512 LBM_BEGIN_TARGET("avx512f,avx512dq,avx512vl")

#else

#define LBM_X86 0

#endif

#endif
