/* The problems in problems/, and what is known of each. */
#ifndef LIMBER_TESTS_SHIPPED_H
#define LIMBER_TESTS_SHIPPED_H

#include <limber/io.h>
#include <limber/solve.h>

#define SHIPPED_MAX_VARIABLES 160

typedef struct shipped {
    const char *name;
    int dofs;           /* variables that may move */
    int constraints;    /* without loops' closures */
    lb_outcome outcome; /* of lm and of bfgs */
    int several_minima; /* the methods need not end at the same one */
} shipped;

extern const shipped shipped_problems[];
extern const int shipped_count;

/* A problem that was read, and its solver. */
typedef struct opened {
    lb_problem_file *file;
    lb_problem *problem;
    lb_solver *solver;
    lb_result result;
    double pose[SHIPPED_MAX_VARIABLES];
} opened;

/* Ends the test where the problem cannot be read. */
opened open_shipped(const char *name);
/* Solves from the file's start with the file's options but this method. */
void solve_shipped(opened *o, lb_method method);
void close_shipped(opened *o);

#endif
