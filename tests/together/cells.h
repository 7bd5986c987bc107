/* Everything together: every verb (row) with every ability (column), for a person, a character from a GLB and a robot.
 *
 * cells.def is the list. A row is a function that runs its verb on a case and fills in the poses that came of it; a column is a function
 * that asks for its ability and one that judges the poses (cells.c). A new row: a line a column in cells.def, a function `row_NAME` in
 * a file of its own here, declared below, and a line in docs/together.md. test_cells.c runs them all, and compares with the document. */
#ifndef LIMBER_TESTS_TOGETHER_CELLS_H
#define LIMBER_TESTS_TOGETHER_CELLS_H

#include <limber/body.h>
#include <limber/collisions.h>
#include <limber/io.h>
#include <limber/solve.h>

#define CELL_MOST 256  /* variables of a problem */
#define CELL_POSES 128 /* that a verb hands out of a case, at most */

typedef enum cell_column {
    COLUMN_body,
    COLUMN_itself,
    COLUMN_surroundings,
    COLUMN_priorities,
    COLUMN_strength,
    COLUMN_contacts,
    COLUMN_carried,
    COLUMN_moving,
    COLUMN_habit,
    COLUMN_deadline,
    COLUMNS
} cell_column;

typedef struct cell_actor {
    const char *name;
    lb_figure *figure;
    int is_person;
    const char *hand;                    /* what is asked to go from one place to the other */
    double from[3], to[3], elsewhere[3]; /* and where nothing could be at the same time */
    double post[3];                      /* in the way of what carries the hand */
} cell_actor;

/* One cell for one figure. */
typedef struct cell_case {
    const cell_actor *actor;
    cell_column column;
    int is_alone;        /* 1: the same without the ability, to compare with */
    lb_problem *problem; /* what is asked, hand at `from` included, unless the verb brings its own goal */
    int hand;            /* id of that constraint; -1: there is none */
    lb_figure *tray;     /* of COLUMN_carried: figure 1 */
    lb_cancel cancel;    /* of COLUMN_deadline: it has been requested */
    double start[CELL_MOST];
    int pose_count;
    double poses[CELL_POSES][CELL_MOST];
    int is_stopped;    /* the verb says that it was cancelled before it was done */
    char refusal[512]; /* the sentence; empty: nothing was refused */
} cell_case;

/* Writes what was refused. */
void cell_refuse(cell_case *c, const char *sentence);
/* The ability of the case's column, asked for; a row calls it once its problem has what it begins with. */
void cell_ask(cell_case *c);
/* The problem that most rows begin with: the figure - posed as a body, if it is a person - with its hand at `from`, if has_goal. */
void cell_open(cell_case *c, const cell_actor *actor, cell_column column, int is_alone, int has_goal);
void cell_close(cell_case *c);
void cell_add_pose(cell_case *c, const double *pose);

/* Rows: open the case, run the verb, leave poses or a refusal; cell_close is the caller's. */
typedef void (*cell_row)(cell_case *c, const cell_actor *actor, cell_column column, int is_alone);
void row_solve(cell_case *c, const cell_actor *actor, cell_column column, int is_alone);
void row_answers(cell_case *c, const cell_actor *actor, cell_column column, int is_alone);
void row_play(cell_case *c, const cell_actor *actor, cell_column column, int is_alone);
void row_path(cell_case *c, const cell_actor *actor, cell_column column, int is_alone);
void row_batch(cell_case *c, const cell_actor *actor, cell_column column, int is_alone);

#endif
