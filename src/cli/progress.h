/* The progress of a job, for people. */
#ifndef LIMBER_CLI_PROGRESS_H
#define LIMBER_CLI_PROGRESS_H

#include "jobs/jobs.h"

typedef struct cli_progress {
    const char *unit; /* what is counted: "rows", "cells" */
    double count;     /* how many there are in all chunks together */
    int is_quiet;     /* 1: nothing is shown */
    double shown;     /* 0 at first: the second at which it was shown last */
} cli_progress;

/* For lbj_job.on_progress, with a cli_progress as its context. */
void cli_progress_show(void *context, const lbj_progress *progress);

#endif
