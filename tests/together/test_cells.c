/* The table of docs/together.md, cell by cell: what it says is possible works, what it says is refused is refused by that sentence, and
 * nothing is silently ignored - for a person, a character from a GLB that this test writes, and a robot. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "check.h"

typedef struct cell {
    const char *row, *column;
    cell_row run;
    cell_column number;
    const char *refused[2]; /* of a figure with a body, of a robot; "": it is possible */
} cell;

static const cell cells[] = {
#define CELL(row, column, person, robot) {#row, #column, row_##row, COLUMN_##column, {person, robot}},
#include "cells.def"
#undef CELL
};
#define CELL_COUNT (sizeof cells / sizeof *cells)

/* --- Judging ------------------------------------------------------------------------------------------------------------- */

static void find_hand(const cell_actor *actor, lb_kinematics *kinematics, const double *pose, double at[3]) {
    lb_effector hand;
    double e[9];
    REQUIRE(lb_figure_find_effector(actor->figure, actor->hand, &hand, NULL) == LB_OK);
    lb_kinematics_update(kinematics, pose);
    lb_kinematics_effector(kinematics, &hand, e);
    memcpy(at, e, 3 * sizeof *at);
}

static double distance(const double a[3], const double b[3]) {
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* From the line that the hand goes along. */
static double off_line(const cell_actor *actor, const double at[3]) {
    double dot = 0, size = 0, on[3];
    for (int k = 0; k < 3; k++) {
        dot += (at[k] - actor->from[k]) * (actor->to[k] - actor->from[k]);
        size += pow(actor->to[k] - actor->from[k], 2);
    }
    const double t = fmax(0, fmin(1, dot / size));
    for (int k = 0; k < 3; k++) {
        on[k] = actor->from[k] + t * (actor->to[k] - actor->from[k]);
    }
    return distance(at, on);
}

/* How high the balls of the feet are; the kinematics is in the pose. */
static void find_feet(const cell_actor *actor, const lb_kinematics *kinematics, double *low, double *high) {
    const lb_body *body = lb_figure_body(actor->figure);
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < body->contact_count; i++) {
        if (body->contacts[i].kind == LB_CONTACT_BALL) {
            lb_effector effector;
            double e[9];
            lb_effector_from_segment(actor->figure, body->contacts[i].segment, &effector);
            memcpy(effector.point, body->contacts[i].point, sizeof effector.point);
            lb_kinematics_effector(kinematics, &effector, e);
            *low = fmin(*low, e[2] - body->contacts[i].radius);
            *high = fmax(*high, e[2] - body->contacts[i].radius);
        }
    }
}

/* How many poses overlap by more than 0.1 mm in what the case keeps apart, by a solver of a problem without bodies. */
static int count_touching(const cell_case *c, const lb_collisions *apart, int self) {
    lb_problem *judged = lb_problem_create(c->actor->figure, NULL);
    lb_collisions all = *apart;
    int touching = 0;
    all.self = self;
    REQUIRE(lb_problem_set_collisions(judged, &all) == LB_OK);
    lb_solver *judge = lb_solver_create(judged, NULL);
    for (int i = 0; i < c->pose_count; i++) {
        touching += lb_solver_near_pairs(judge, c->poses[i], -1e-4, 0, NULL) > 0;
    }
    lb_solver_destroy(judge);
    lb_problem_destroy(judged);
    return touching;
}

/* How far two runs differ at most. */
static double difference(const cell_case *a, const cell_case *b) {
    double most = 0;
    for (int i = 0; i < a->pose_count && i < b->pose_count; i++) {
        for (int v = 0; v < lb_figure_variable_count(a->actor->figure); v++) {
            most = fmax(most, fabs(a->poses[i][v] - b->poses[i][v]));
        }
    }
    return most;
}

static void judge_pose(const cell_case *c, lb_kinematics *kinematics, const double *pose) {
    double hand[3], low, high;
    find_hand(c->actor, kinematics, pose, hand);
    CHECK_NEAR(off_line(c->actor, hand), 0, 1e-3);
    CHECK_NEAR(lb_figure_violation(c->actor->figure, pose), 0, 1e-9);
    if (c->actor->is_person && c->column != COLUMN_contacts) { /* it stands on the floor, whatever else is asked */
        find_feet(c->actor, kinematics, &low, &high);
        CHECK(low > -1e-3 && low < 1e-3);
    } else if (c->actor->is_person) {
        find_feet(c->actor, kinematics, &low, &high);
        CHECK(low > 0.049 && high < 0.051);
    }
    if (c->column == COLUMN_carried) {
        CHECK_NEAR(distance(hand, pose + lb_figure_variable_count(c->actor->figure)), 0, 1e-3);
    }
}

static int in_the_way; /* poses that touch the post where nobody keeps clear of it */

/* What came of a cell, and what comes of the same without the ability. */
static void judge(const cell_case *with, const cell_case *alone) {
    lb_kinematics *kinematics = lb_kinematics_create(with->actor->figure, NULL);
    double hand[3];
    CHECK_INT(with->is_stopped, with->column == COLUMN_deadline);
    CHECK(with->pose_count > 0 || with->is_stopped);
    for (int i = 0; i < with->pose_count && !with->is_stopped; i++) {
        judge_pose(with, kinematics, with->poses[i]);
    }
    switch (with->column) {
    case COLUMN_itself:
    case COLUMN_surroundings: {
        const lb_collisions *apart = lb_problem_collisions(with->problem);
        const int self = with->column == COLUMN_itself && !with->actor->is_person; /* whose limbs are flesh */
        CHECK(apart && (self || with->column == COLUMN_surroundings || lb_problem_pair_count(with->problem) == 0));
        if (apart && (self || with->column == COLUMN_surroundings)) {
            CHECK_INT(count_touching(with, apart, self), 0);
            in_the_way += self ? 0 : count_touching(alone, apart, 0);
        }
        break;
    }
    case COLUMN_moving:
        find_hand(with->actor, kinematics, with->poses[with->pose_count - 1], hand);
        CHECK_NEAR(distance(hand, with->actor->to), 0, 1e-3);
        break;
    case COLUMN_strength:
    case COLUMN_habit:
        CHECK(difference(with, alone) > 0.01);
        break;
    default:
        break;
    }
    lb_kinematics_destroy(kinematics);
}

static void run_cell(const cell *one, const cell_actor *actor) {
    static cell_case with, alone;
    const char *refused = one->refused[!actor->is_person];
    one->run(&with, actor, one->number, 0);
    check_note("%s, %s, %s: %s", one->row, one->column, actor->name, with.refusal);
    if (refused[0]) {
        CHECK_HAS(with.refusal, refused);
    } else if (CHECK_TEXT(with.refusal, "")) {
        one->run(&alone, actor, one->number, 1);
        check_note("%s, %s, %s", one->row, one->column, actor->name);
        judge(&with, &alone);
        cell_close(&alone);
    }
    cell_close(&with);
    check_note("%s", "");
}

/* --- The document ---------------------------------------------------------------------------------------------------------- */

/* The words of a cell of the table, between its bars. */
static void read_field(const char *line, int number, char text[80]) {
    const char *at = line;
    text[0] = 0;
    for (int i = 0; i <= number && at; i++) {
        at = strchr(at, '|');
        at = at ? at + 1 : NULL;
    }
    const char *end = at ? strchr(at, '|') : NULL;
    if (end && end - at < 79) {
        while (at < end && *at == ' ') {
            at++;
        }
        while (end > at && end[-1] == ' ') {
            end--;
        }
        memcpy(text, at, (size_t)(end - at));
        text[end - at] = 0;
    }
}

static const char *word_of(const cell *one) {
    return !one->refused[0][0] && !one->refused[1][0] ? "yes"
           : !one->refused[0][0]                      ? "yes, not robots"
           : !one->refused[1][0]                      ? "robots"
                                                      : "no";
}

static void compare_with_document(void) {
    static const char *const columns[] = {"body",     "itself",  "surroundings", "priorities", "strength",
                                          "contacts", "carried", "moving",       "habit",      "deadline"};
    char path[600];
    REQUIRE(check_source("docs/together.md", path, sizeof path));
    char *text = check_read_file(path, NULL);
    REQUIRE(text != NULL);
    for (size_t i = 0; i < CELL_COUNT; i++) {
        char begin[40], field[80];
        int number = 1;
        while (strcmp(columns[number - 1], cells[i].column) != 0) {
            number++;
        }
        snprintf(begin, sizeof begin, "\n| `%s` |", cells[i].row);
        const char *line = strstr(text, begin);
        check_note("docs/together.md: %s, %s", cells[i].row, cells[i].column);
        CHECK(line != NULL);
        if (line) {
            read_field(line + 1, number, field);
            CHECK_TEXT(field, word_of(&cells[i]));
        }
        for (int k = 0; k < 2; k++) {
            CHECK(strstr(text, cells[i].refused[k]) != NULL);
        }
    }
    check_note("%s", "");
    free(text);
}

/* --- Who ------------------------------------------------------------------------------------------------------------------- */

static lb_figure *load(const char *path, int as_person) {
    lb_load_options how;
    lb_error error;
    lb_figure *figure = NULL;
    lb_load_options_defaults(&how);
    how.body = as_person;
    how.limits = as_person ? LB_LIMITS_ANATOMICAL : LB_LIMITS_FILE;
    if (lb_figure_load(path, &how, &figure, &error)) {
        check_note("%s: %s", path, error.message);
    }
    REQUIRE(figure != NULL);
    return figure;
}

int main(void) {
    char human[600], robot[600], glb[600];
    lb_error error;
    REQUIRE(check_source("models/human.fig", human, sizeof human) &&
            check_source("models/panda.fig", robot, sizeof robot));
    compare_with_document();
    check_scratch("person.glb", glb, sizeof glb);
    cell_actor actors[3] = {
        {"human",
         load(human, 0),
         1,
         "right_palm",
         {0.45, -0.4, 1.15},
         {0.48, 0.05, 1.05},
         {0.2, -0.9, 1.5},
         {0.31, -0.22, 1.1}},
        {"character",
         NULL,
         1,
         "right_palm",
         {0.45, -0.4, 1.15},
         {0.48, 0.05, 1.05},
         {0.2, -0.9, 1.5},
         {0.31, -0.22, 1.1}},
        {"robot", load(robot, 0), 0, "tool", {0.5, -0.25, 0.4}, {0.5, 0.25, 0.4}, {-0.3, 0.4, 0.6}, {0.3, 0, 0.9}},
    };
    REQUIRE(lb_figure_save(actors[0].figure, glb, NULL, &error) == LB_OK);
    actors[1].figure = load(glb, 1);
    REQUIRE(lb_figure_body(actors[1].figure) != NULL);
    for (int a = 0; a < 3; a++) {
        in_the_way = 0;
        for (size_t i = 0; i < CELL_COUNT; i++) {
            const int is_dear =
                strcmp(cells[i].row, "path") == 0 && actors[a].is_person; /* together.paths_of_people has one */
            if (!check_is_sanitized() || !is_dear) {
                run_cell(&cells[i], &actors[a]);
            }
        }
        check_note("%s", actors[a].name);
        CHECK(in_the_way > 0);
        lb_figure_destroy(actors[a].figure);
    }
    return check_done();
}
