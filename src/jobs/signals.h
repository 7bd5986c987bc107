/* Signals while a job runs. The first SIGINT or SIGTERM has the run end after the chunks under way; the second one
 * kills as ever. */
#ifndef LIMBER_JOBS_SIGNALS_H
#define LIMBER_JOBS_SIGNALS_H

#include <signal.h>

typedef struct lbj_signals {
    struct sigaction interrupt, terminate, too_large; /* as they were before */
} lbj_signals;

void lbj_signals_catch(lbj_signals *before);
void lbj_signals_restore(const lbj_signals *before);
/* Whether a signal asked for the end. */
int lbj_is_interrupted(void);

#endif
