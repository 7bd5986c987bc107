/* People who are posed as bodies, at random: models/human.fig at some stature, with goals for hands, eyes, pelvis, head or a
 * foot, options of the body, and a start pose. What they answer can be compared bit by bit. */
#ifndef LIMBER_TESTS_PEOPLE_H
#define LIMBER_TESTS_PEOPLE_H

#include <limber/body.h>
#include <stdint.h>

#include "check.h"

#define PEOPLE_VARIABLES 128
#define PEOPLE_CONTACTS 64
#define PEOPLE_GOALS 8

#define PEOPLE_STANDING 1u /* the start pose is that of rest, somewhere on the floor */
#define PEOPLE_PLAIN 2u    /* the body's options are the default ones */

typedef struct people {
    lb_figure *figure;
    lb_problem *problem;
    lb_habit *habit; /* NULL: none */
    int count;       /* of people: all have the same figure */
    check_random random; /* for what the test draws itself */
    double size;         /* stature over 1.75 m */
    int variables; /* of all people */
    int is_standing; /* the start pose stands: whatever the rules of a body ask for, it keeps */
    double rest[PEOPLE_VARIABLES], start[PEOPLE_VARIABLES];
    char text[200]; /* what it is, for messages */
} people;

void people_make(people *p, uint64_t seed, unsigned flags);
void people_free(people *p);
/* Adds to a person, at random: a root that is held, at the height of the start or above it; surfaces to sit, kneel, step or lean
 * on; obstacles, some without end; a swivel; a habit; a second person. */
void people_widen(people *p);

/* Adds a constraint; ends the test where it is refused. Returns its id. */
int people_add(people *p, const lb_constraint *constraint);
/* A standing person without goals, at some stature. */
void people_stand(people *p, uint64_t seed);
/* Adds a goal for a person of that size. Returns its id. */
int people_reach(people *p, const char *effector, double x, double y, double z, int priority);
/* A point that is drawn within 1.2 m (of a person of 1.75 m) of the middle of the body. */
void people_point(people *p, double point[3]);

/* All that a solve of one person gives. */
typedef struct people_answer {
    lb_status status;
    int variables, constraint_count, contact_count;
    double pose[PEOPLE_VARIABLES];
    lb_result result; /* without the lists */
    lb_constraint_result constraints[PEOPLE_GOALS];
    lb_body_result body; /* of the last person, without the lists */
    lb_contact_result contacts[PEOPLE_CONTACTS];
} people_answer;

/* By how much an answer misses a goal, metres. */
double people_missed(const people_answer *a, int id);

/* options NULL: the default ones. */
void people_solve(const people *p, lb_solver *solver, const lb_solve_options *options, const double *start,
                  people_answer *a);
/* The same with a solver of its own. */
void people_solve_afresh(const people *p, const lb_solve_options *options, const double *start, people_answer *a);
/* What differs first, as text; NULL where all is the same to the bit. */
const char *people_differ(const people_answer *a, const people_answer *b);
/* All numbers of a pose and of a result are finite. */
int people_are_finite(const people_answer *a);
/* How far a pose is outside of its limits, over the size of its variables (at least 1). */
double people_outside(const people *p, const double *pose);
/* Whether an answer is no worse than the start: solved, or the goals are missed by no more than at the start. */
int people_no_worse(const people_answer *a);

#endif
