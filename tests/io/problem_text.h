/* Problem files as texts. */
#ifndef LIMBER_TESTS_PROBLEM_TEXT_H
#define LIMBER_TESTS_PROBLEM_TEXT_H

#include <limber/io.h>

/* The folder that figures without a path come from. */
extern char problem_models[4096];

lb_status read_text(const char *text, lb_problem_file **file, lb_error *error);
/* Ends the test where the text is refused. */
lb_problem_file *load_text(const char *text);

#endif
