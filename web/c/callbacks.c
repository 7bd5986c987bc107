/* Functions of the page as C functions: pointers to these go into options, with the page's number of the function as the
 * context. */
#include "web.h"

typedef enum lbw_callback {
    LBW_WARN,
    LBW_NOW,
    LBW_ITERATION,
    LBW_PROGRESS,
    LBW_FRAME,
    LBW_CLIPPED,
    LBW_POTENTIAL
} lbw_callback;

static void warn(void *context, const lb_error *warning) { lbw_call_warn(context, warning); }
static double now(void *context) { return lbw_call_now(context); }
static int iteration(void *context, const lb_progress *progress) { return lbw_call_iteration(context, progress); }
static int progress(void *context, int done, int count) { return lbw_call_progress(context, done, count); }
static int frame(void *context, int number) { return lbw_call_frame(context, number); }
static void clipped(void *context, double time, const char *message) { lbw_call_clipped(context, time, message); }
static double potential(void *context, const double e[9], double gradient[9]) {
    return lbw_call_potential(context, e, gradient);
}

void *lbw_callback_pointer(lbw_callback which);

void *lbw_callback_pointer(lbw_callback which) {
    switch (which) {
    case LBW_WARN:
        return (void *)warn;
    case LBW_NOW:
        return (void *)now;
    case LBW_ITERATION:
        return (void *)iteration;
    case LBW_PROGRESS:
        return (void *)progress;
    case LBW_FRAME:
        return (void *)frame;
    case LBW_CLIPPED:
        return (void *)clipped;
    case LBW_POTENTIAL:
        return (void *)potential;
    }
    return NULL;
}
