/* Recorded drags: a problem, what is taken hold of, targets frame by frame, and the poses that came of them. */
#ifndef LIMBER_TESTS_DRAGS_H
#define LIMBER_TESTS_DRAGS_H

#include <limber/drag.h>
#include <limber/io.h>

#define DRAGS_MOST 400 /* frames */
#define DRAGS_VARIABLES 128
#define DRAGS_HOLDS 16

typedef struct drags_frame {
    lb_frame target;
    double pose[DRAGS_VARIABLES]; /* after the frame */
    int has_pose;
} drags_frame;

typedef struct drags_case {
    char name[64];
    lb_problem_file *file;
    lb_problem *problem;
    int variables;
    lb_drag_options options;
    int holds[DRAGS_HOLDS];
    int count, settled; /* whether the last frame is */
    drags_frame frames[DRAGS_MOST];
} drags_case;

/* The names of all cases; NULL behind the last. */
extern const char *const drags_names[];
/* Reads a case; ends the test where it cannot. */
void drags_read(drags_case *c, const char *name);
void drags_free(drags_case *c);

#endif
