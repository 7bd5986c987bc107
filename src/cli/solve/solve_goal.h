/* A goal's sentence while it is read: solve_goal.c has its grammar, solve_goal_words.c its words. Functions that return
 * an int return CLI_OK, or what cli_goal_wrong does. */
#ifndef LIMBER_CLI_SOLVE_GOAL_H
#define LIMBER_CLI_SOLVE_GOAL_H

#include "cli/cli.h"

#define CLI_WORDS_MOST 96

/* One `z-along 0,0,-1`: which of the end-effector's axes, and where it should point. */
typedef struct cli_along {
    double axis[3], direction[3];
    const char *word;
} cli_along;

typedef struct cli_sentence {
    const cli_command *command;
    const char *text; /* all of it, for messages */
    char *words[CLI_WORDS_MOST];
    int count, at;
    const char *verb, *kind; /* the word that was said, and the goal's kind */
    const char *effector;    /* its name */
    int is_segment;          /* `segment NAME` was said: no site of that name */
    const char *aims_by;     /* `z-aims-at`: that word; NULL: by x */
    cli_along alongs[2];
    int along_count;
    int is_carried, is_turned;             /* a carrier, a rotation was given */
    int has_degrees, has_share;            /* degrees-per-metre, position-weight were */
    lbio_text effector_json, goal, manner; /* members, each with a comma before it */
} cli_sentence;

/* Says what is wrong with the sentence, and returns the exit code for that. */
int cli_goal_wrong(const cli_sentence *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The next word, or NULL. */
char *cli_goal_next(cli_sentence *s);
/* Whether a word is in a list. */
int cli_goal_is_one_of(const char *word, const char *const *words, int count);
/* Members of JSON, with a comma before them: the key alone, a text, a number or a list of numbers. */
void cli_goal_put_key(lbio_text *json, const char *key);
void cli_goal_put_text(lbio_text *json, const char *key, const char *value);
void cli_goal_put_numbers(lbio_text *json, const char *key, const double *values, int count);
/* Numbers with commas between them, each with a unit perhaps. */
int cli_goal_read_list(const char *word, lbio_unit unit, int count, double *values);
/* The numbers that come after a word, into a member; `what` says what they are, `example` how they are written. */
int cli_goal_take_numbers(cli_sentence *s, lbio_text *json, const char *key, lbio_unit unit, int count,
                          const char *what, const char *example);
/* What comes next, into the goal: a point, a radius, a direction. */
int cli_goal_take_point(cli_sentence *s, const char *key);
int cli_goal_take_radius(cli_sentence *s);
int cli_goal_take_direction(cli_sentence *s, const char *key);
/* A site or segment that carries the goal. */
int cli_goal_take_carrier(cli_sentence *s, char *word);
/* A point, or a site or segment that carries the goal. */
int cli_goal_take_place(cli_sentence *s);
/* The axis that a word such as z-along or -y-aims-at begins with; 0: it is no such word. */
int cli_goal_read_axis(const char *word, const char *ending, double axis[3]);
/* What comes after `z-along` and the like, and after `rpy` or `quaternion`. */
int cli_goal_take_along(cli_sentence *s, const char *word);
int cli_goal_take_turn(cli_sentence *s, const char *word);

#endif
