/* A contestant in a process of its own, as solvers in Python or for Node are: it is told the robot and then one problem after
 * the other, a line of JSON each, and answers each by a line. docs/scoreboard.md has the protocol. */
#ifndef LIMBER_BENCH_PEER_PROCESS_H
#define LIMBER_BENCH_PEER_PROCESS_H

#include "peers.h"

typedef struct peer_process peer_process;

/* Starts a command (ended by NULL) for an arm with a bare chain. Each solve may take limit_us of its CPU time. NULL where it cannot
 * be started, or does not do this arm: then `why` says it. */
peer_process *peer_process_open(const bench_arm *arm, const char *const *command, double limit_us, char why[256]);
/* What it calls itself, and its version ("" where it says none). */
const char *peer_process_name(const peer_process *process);
const char *peer_process_version(const peer_process *process);
/* For a race: the time is the contestant's own. A process that ended, or says nothing for 20 seconds, solves nothing more. */
void peer_process_solve(void *process, int instance, double *pose, bench_outcome *outcome);
/* What went wrong since it was opened; "" where nothing did. */
const char *peer_process_trouble(const peer_process *process);
void peer_process_close(void *process);

/* A bare chain as a URDF file: links "base", "link1" ... and "tool", joints "joint1" ... Where is_limited, joints that turn without
 * limits have those of a whole turn, for solvers that know no others. */
void peer_write_urdf(const bench_arm *arm, int is_limited, const char *path);

#endif
