/* What is said of a person's goal that is out of reach is the same in C (lb_solve) and in the shell, with reasons. The goals are those
 * of web.sentences and python.test_sentences, which ask the same of the other fronts. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <limber/body.h>
#include <limber/io.h>
#include <limber/solve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first line that the program prints. */
static void ask_shell(const char *program, const char *human, const char *effector, const double at[3], char *line) {
    char command[3000];
    snprintf(command, sizeof command, "'%s' solve '%s' -g '%s at %.17g,%.17g,%.17g' 2>&1", program, human, effector,
             at[0], at[1], at[2]);
    FILE *pipe = popen(command, "r");
    REQUIRE(pipe != NULL);
    line[0] = 0;
    if (fgets(line, 2000, pipe)) {
        line[strcspn(line, "\n")] = 0;
    }
    while (fgetc(pipe) != EOF) {
    }
    pclose(pipe);
}

int main(void) {
    char human[1024], list[1024], effector[64], line[2000];
    const char *program = getenv("LIMBER");
    lb_figure *figure = NULL;
    double at[3];
    if (!program) {
        SKIP("LIMBER does not say where the program is");
    }
    REQUIRE(check_source("models/human.fig", human, sizeof human));
    REQUIRE(check_source("tests/cli/unreachable.txt", list, sizeof list));
    REQUIRE(lb_figure_load(human, NULL, &figure, NULL) == LB_OK);
    double *pose = malloc((size_t)lb_figure_variable_count(figure) * sizeof *pose);
    FILE *goals = fopen(list, "r");
    REQUIRE(goals && pose);
    while (fscanf(goals, "%63s %lf %lf %lf", effector, &at[0], &at[1], &at[2]) == 4) {
        lb_problem *problem = lb_problem_create(figure, NULL);
        lb_constraint reach;
        lb_result result;
        lb_result_defaults(&result);
        check_note("%s at %g,%g,%g", effector, at[0], at[1], at[2]);
        CHECK_INT(lb_constraint_at(figure, effector, at, &reach), LB_OK);
        CHECK(lb_problem_add(problem, &reach) >= 0);
        CHECK_INT(lb_problem_set_body(problem, 0, NULL), LB_OK);
        lb_figure_rest_pose(figure, pose);
        CHECK_INT(lb_solve(problem, NULL, pose, &result), LB_OK);
        ask_shell(program, human, effector, at, line);
        CHECK_TEXT(line, result.explanation);
        CHECK_HAS(result.explanation, "Out of reach: ");
        CHECK(!strstr(result.explanation, "udget"));
        CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
        lb_problem_destroy(problem);
    }
    fclose(goals);
    lb_figure_destroy(figure);
    free(pose);
    return check_done();
}
