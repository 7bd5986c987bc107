/* Signals while a job runs: see signals.h. */
#include "jobs/signals.h"

#include <stddef.h>

static volatile sig_atomic_t was_interrupted;

static void interrupt(int number) {
    was_interrupted = 1;
    signal(number, SIG_DFL);
}

int lbj_is_interrupted(void) { return was_interrupted != 0; }

void lbj_signals_catch(lbj_signals *before) {
    struct sigaction catching = {.sa_handler = interrupt}, ignoring = {.sa_handler = SIG_IGN};
    sigemptyset(&catching.sa_mask);
    sigemptyset(&ignoring.sa_mask);
    was_interrupted = 0;
    sigaction(SIGINT, &catching, &before->interrupt);
    sigaction(SIGTERM, &catching, &before->terminate);
    sigaction(SIGXFSZ, &ignoring, &before->too_large); /* a file over its limit is an error of writing */
    if (before->interrupt.sa_handler == SIG_IGN) {     /* as of a job in the background: what was ignored stays so */
        sigaction(SIGINT, &before->interrupt, NULL);
    }
}

void lbj_signals_restore(const lbj_signals *before) {
    sigaction(SIGINT, &before->interrupt, NULL);
    sigaction(SIGTERM, &before->terminate, NULL);
    sigaction(SIGXFSZ, &before->too_large, NULL);
}
