/*
 * Runs a test and writes the seconds of CPU that it took to a file, with all the processes that it started: a busy machine
 * changes them little. The exit code is the test's.
 *
 *     timed FILE PROGRAM ARGUMENT...
 */
#define _GNU_SOURCE

#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Waits for the test, and then for what it left behind (a browser's helpers, which end when it has), but not for what
 * stays. Returns how the test ended. */
static int wait_for(pid_t test) {
    const struct timespec moment = {0, 10000000};
    int status = 0, left;
    while (waitpid(test, &status, 0) < 0) {
    }
    for (int i = 0; i < 100; i++) {
        pid_t ended = waitpid(-1, &left, WNOHANG);
        if (ended < 0) {
            break;
        }
        if (ended == 0) {
            nanosleep(&moment, NULL);
        }
    }
    return status;
}

static double seconds(const struct timeval *t) {
    return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

int main(int count, char **words) {
    struct rusage used;
    if (count < 3) {
        fprintf(stderr, "usage: timed FILE PROGRAM ARGUMENT...\n");
        return 2;
    }
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* processes whose parent has ended become children of this one */
#endif
    pid_t test = fork();
    if (test == 0) {
        execvp(words[2], words + 2);
        perror(words[2]);
        _exit(127);
    }
    if (test < 0) {
        perror("fork");
        return 127;
    }
    int status = wait_for(test);
    FILE *file = fopen(words[1], "w");
    if (file && getrusage(RUSAGE_CHILDREN, &used) == 0) {
        fprintf(file, "%.2f\n", seconds(&used.ru_utime) + seconds(&used.ru_stime));
    }
    if (file) {
        fclose(file);
    }
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "ended by signal %d\n", WTERMSIG(status));
        return 128 + WTERMSIG(status);
    }
    return WEXITSTATUS(status);
}
