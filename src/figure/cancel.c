/* Requests to stop, made by one thread and seen by others. The public struct is a plain int, so that the header is C99
 * and C++; all access is by the atomic builtins that gcc and clang share. Release and acquire: what the thread that
 * cancels has written before, the thread that sees the request can read. */
#include <limber/limber.h>

void lb_cancel_clear(lb_cancel *cancel) {
    if (cancel) {
        __atomic_store_n(&cancel->requested, 0, __ATOMIC_RELEASE);
    }
}

void lb_cancel_request(lb_cancel *cancel) {
    if (cancel) {
        __atomic_store_n(&cancel->requested, 1, __ATOMIC_RELEASE);
    }
}

int lb_cancel_is_requested(const lb_cancel *cancel) {
    return cancel && __atomic_load_n(&cancel->requested, __ATOMIC_ACQUIRE) != 0;
}
