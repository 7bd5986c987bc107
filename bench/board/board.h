/* The scoreboard: who takes part, what came of each set of goals, and the page that tells it (docs/scoreboard.md). */
#ifndef LIMBER_BENCH_BOARD_H
#define LIMBER_BENCH_BOARD_H

#include "arm.h"
#include "peer_process.h"

#define BOARD_MOST 24 /* contestants */
#define BOARD_ARMS 12 /* robots of the first three sets */

typedef enum board_set {
    BOARD_REACHABLE, /* frames that random joint values inside the limits have */
    BOARD_FAR,       /* farther from the base than the links are long together: nothing reaches them */
    BOARD_BEYOND,    /* frames of joint values of which some are outside the limits: others may reach them */
    BOARD_CLEAR,     /* frames of poses that touch nothing, in a world with obstacles */
    BOARD_BLOCKED,   /* frames in which the hand itself is inside an obstacle */
    BOARD_SETS
} board_set;

/* What came of a set, all robots together. */
typedef struct board_sum {
    int goals, right, claims, false_claims;
    int touching; /* verified to be there, but something touches */
    double *us;   /* [us_count] */
    int us_count;
    double log_ratio; /* sum over robots of the logarithm of its mean time over Limber's */
    int ratios;
} board_sum;

typedef struct board_entry {
    char name[64], version[64];
    double allowed_ms;
    int robots; /* how many of them it does */
    board_sum sums[BOARD_SETS];
    double percent[BOARD_ARMS], mean[BOARD_ARMS]; /* of reachable goals, by robot; NaN: it does not do it */
    char cannot[256];                             /* why it does not do some robot, or take part at all */
} board_entry;

typedef struct board {
    int entry_count, arm_count;
    board_entry entries[BOARD_MOST]; /* the first is Limber */
    const char *arms[BOARD_ARMS];
    int proved[BOARD_SETS];    /* goals that Limber proves to be out of reach */
    int disproved[BOARD_SETS]; /* those of them that a contestant reached: 0, or something is wrong */
    int asked, explained;      /* blocked goals that Limber was asked about, and those of which it names the obstacle */
    char sentences[BOARD_SETS][512]; /* what Limber says of the first one that is not reached */
} board;

/* Who races on one robot. */
typedef struct board_team {
    int count;
    bench_contestant all[BOARD_MOST];
    board_entry *entries[BOARD_MOST];
    void (*close[BOARD_MOST])(void *context);
    int is_process[BOARD_MOST];
    int parts[BOARD_MOST]; /* it takes one of so many goals of a set */
} board_team;

/* Opens Limber, the other libraries (--peers) and one's own solver (--solver) for an arm with a bare chain. Who cannot do it is left
 * out, and its entry says why. limber takes the place of the arm's own problem where it is not NULL. */
void board_team_open(board *b, bench_arm *arm, const bench_contestant *limber, board_team *team);
/* Everyone solves the arm's goals from the starts; adds to the sums. bench_race_free when the answers are not needed any more. */
void board_team_race(board *b, board_team *team, board_set set, bench_race *race);
void board_team_close(board_team *team);

/* Goals in the way of obstacles, for everyone: bench/board/occluded.c. Says so where the robots are not there. */
void board_run_occluded(board *b);

/* The longest that a solver took for a goal out of reach. */
double board_longest_us(const board_entry *entry);
/* Writes the page: beside, then renamed. */
void board_write_page(const board *b, const char *path);

#endif
