/* The parts of the tests of bodies that have files of their own. */
#ifndef LIMBER_TESTS_BODY_BODY_H
#define LIMBER_TESTS_BODY_BODY_H

#include "judge.h"

/* checks.c: the checks themselves, tested on a person with a body made for that, so that nothing but the judge is judged. */
void check_the_judge(void);
/* checks.c: the tasks as they are read, mirrored, scaled and made problems again. */
void check_the_tasks(void);

/* surfaces.c: walls, steps, tables, things in the way, elbows and knees (problems/surfaces). */
void run_surfaces(void);

/* report.c: what lb_solver_body says of the last answer against what is measured. Says what differs. Returns 1 where all
 * agrees. */
int report_agrees(const person *p, const task *t, const lb_solver *solver, const measures *m);

/* paths.c: a palm is drawn along paths, without jumps. */
void check_paths(void);

#endif
