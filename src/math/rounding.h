/* The processor's way of rounding, for the time of a call. Threads may round otherwise than to nearest (fesetround),
 * flush small numbers to zero (audio and game engines, libraries linked with -ffast-math) or trap exceptions; a
 * solve computes as IEEE 754 has it by default, and leaves the thread as it found it:
 *
 *     lb_status lb_something(...) {
 *         LBM_ROUND_TO_NEAREST(rounding);     from here to the end of the block
 *         if (!rounding.is_nearest) return LB_ERROR_UNSUPPORTED;
 *
 * On x86 and ARM64 this reads one register, and writes it where it is not the default. WebAssembly has one way only.
 * Other processors are asked by an addition, and is_nearest is 0 where it was rounded otherwise. Functions that the
 * caller gives (potentials, clocks, callbacks) are called with the default in force. */
#ifndef LIMBER_MATH_ROUNDING_H
#define LIMBER_MATH_ROUNDING_H

#include <stdint.h>

typedef struct lbm_rounding {
    uint64_t saved; /* the control register as it was */
    int is_nearest; /* 0: it is not, and cannot be set */
} lbm_rounding;

#define LBM_NOT_NEAREST "the processor does not round to nearest in this thread: call fesetround(FE_TONEAREST) before"

/* No arithmetic on numbers in memory moves across it. */
#define LBM_BARRIER() __asm__ volatile("" ::: "memory")

#if defined(__SSE2__) && !defined(LBM_ASK_ROUNDING)

#define LBM_MXCSR_CONTROL 0xffc0u /* rounding, masks of exceptions, flush to zero, denormals are zero */
#define LBM_MXCSR_DEFAULT 0x1f80u /* to nearest, all masked, neither of the other two */

static inline lbm_rounding lbm_rounding_enter(void) {
    unsigned now = __builtin_ia32_stmxcsr();
    if ((now & LBM_MXCSR_CONTROL) != LBM_MXCSR_DEFAULT) {
        __builtin_ia32_ldmxcsr((now & ~LBM_MXCSR_CONTROL) | LBM_MXCSR_DEFAULT);
        LBM_BARRIER();
    }
    return (lbm_rounding){now, 1};
}

static inline void lbm_rounding_leave(const lbm_rounding *rounding) {
    unsigned saved = (unsigned)rounding->saved & LBM_MXCSR_CONTROL;
    if (saved != LBM_MXCSR_DEFAULT) {
        LBM_BARRIER();
        __builtin_ia32_ldmxcsr((__builtin_ia32_stmxcsr() & ~LBM_MXCSR_CONTROL) | saved);
    }
}

#elif defined(__aarch64__) && defined(__GNUC__) && !defined(LBM_ASK_ROUNDING)

/* The floating-point control register is 0 by default. */
static inline lbm_rounding lbm_rounding_enter(void) {
    uint64_t now;
    __asm__ volatile("mrs %0, fpcr" : "=r"(now));
    if (now != 0) {
        __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)0) : "memory");
    }
    return (lbm_rounding){now, 1};
}

static inline void lbm_rounding_leave(const lbm_rounding *rounding) {
    if (rounding->saved != 0) {
        __asm__ volatile("msr fpcr, %0" ::"r"(rounding->saved) : "memory");
    }
}

#elif defined(__wasm__)

static inline lbm_rounding lbm_rounding_enter(void) { return (lbm_rounding){0, 1}; }
static inline void lbm_rounding_leave(const lbm_rounding *rounding) { (void)rounding; }

#else

/* Upwards 1 + 2^-54 is more than 1; downwards and towards zero 1 + 1.5 2^-53 is 1. Small numbers that are flushed to
 * zero are lost. */
static inline lbm_rounding lbm_rounding_enter(void) {
    const volatile double one = 1, less = 0x1p-54, more = 0x1.8p-53, small = 0x1p-1060, half = 0.5;
    return (lbm_rounding){0, one + less == 1 && one + more > 1 && small * half > 0};
}

static inline void lbm_rounding_leave(const lbm_rounding *rounding) { (void)rounding; }

#endif

#if defined(__GNUC__)
#define LBM_ROUND_TO_NEAREST(name) \
    const lbm_rounding name __attribute__((cleanup(lbm_rounding_leave), unused)) = lbm_rounding_enter()
#else
#define LBM_ROUND_TO_NEAREST(name) const lbm_rounding name = lbm_rounding_enter()
#endif

#endif
