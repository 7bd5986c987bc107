/* How a run hands its records over: see jobs.h for what is done with them. */
#ifndef LIMBER_JOBS_RESULTS_H
#define LIMBER_JOBS_RESULTS_H

#include "jobs/folder.h"

/* Takes the folder over; NULL: no memory, and the folder stays the caller's. */
lbj_results *lbj_results_create(lbj_folder *folder);

#endif
