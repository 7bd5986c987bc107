/* The judge of an answer: measures a pose by the figure's forward kinematics and by code of its own, and says what is wrong
 * with it. thresholds.h has the numbers. */
#ifndef LIMBER_TESTS_BODY_JUDGE_H
#define LIMBER_TESTS_BODY_JUDGE_H

#include "tasks.h"

#define PERSON_VARIABLES 128
#define PERSON_PAIRS 200

/* What can be wrong with an answer; each is a bit. */
typedef enum flaw {
    FLAW_GOAL,     /* a goal is missed */
    FLAW_SUPPORT,  /* what is to rest on a surface does not */
    FLAW_FALL,     /* the centre of mass is not over what stands */
    FLAW_FLOOR,    /* something is in the floor */
    FLAW_SELF,     /* limbs are in each other */
    FLAW_SPINE,    /* the spine bends for what the arm can do */
    FLAW_LATERAL,  /* the spine bends far to a side */
    FLAW_IDLE,     /* an idle arm does not hang */
    FLAW_LIMITS,   /* too much is near its limits */
    FLAW_HEAD,     /* the head is tilted for nothing */
    FLAW_KNEE,     /* a low task with straight knees */
    FLAW_SYMMETRY, /* a symmetric task done on one side */
    FLAW_SAYS,     /* the result says something else than what is measured; set by the caller */
    FLAW_COUNT
} flaw;

const char *flaw_name(flaw f);
/* "goal floor", or "-" for none. */
const char *flaw_text(unsigned flaws, char text[200]);

/* Metres and degrees. */
typedef struct measures {
    double goal_m, goal_rad;                /* the worst of the goals */
    double support;                         /* the worst distance of what rests on a surface from it */
    double outside;                         /* of the centre of mass from what stands; negative: inside */
    double com[3];                          /* centre of mass */
    double floor, self;                     /* the deepest; negative: nowhere */
    double flexion, lateral, axial;         /* of the spine */
    double spine;                           /* all three together */
    double idle;                            /* the idle arm that hangs least; 0 where there is none */
    double near_limits;                     /* share */
    double head;                            /* from upright */
    double knee, straighter_knee;           /* the one that bends more, and the other */
    double symmetry;                        /* mean difference of right and left */
    double drop;                            /* of the pelvis */
    double heel;                            /* the higher one */
    double moved;                           /* of the foot that moved more */
    const char *in_floor, *self_a, *self_b; /* the solids that are the deepest */
    unsigned flaws;
} measures;

/* A figure as the judge sees it. */
typedef struct person {
    const lb_figure *figure;
    const lb_body *body;
    lb_kinematics *kinematics;
    int variable_count;
    double rest[PERSON_VARIABLES];
    double (*matrices)[12]; /* [segment], of the pose that was posed last */
    int pair_count;
    int pairs[PERSON_PAIRS][2];    /* solids that have to keep apart */
    double allowed[PERSON_PAIRS];  /* their distance at rest where it is negative, else 0 */
    double toes[LB_BODY_LIMBS][3]; /* where toes are at rest */
} person;

/* Ends the test, saying what is missing, where the figure has no body or not the parts that the judge looks at. */
void person_make(const lb_figure *figure, person *p);
void person_free(person *p);
void person_pose(person *p, const double *pose);
/* The distance of a pair of solids, less what is allowed, in the pose that was posed last. */
double person_apart(const person *p, int pair);
/* Where a site or a contact is in that pose. */
void person_site(const person *p, const char *name, double point[3]);
void person_contact(const person *p, int contact, double point[3]);

void judge(person *p, const task *t, const double *pose, measures *m);

#endif
