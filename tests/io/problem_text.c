#include "problem_text.h"

#include <string.h>

#include "check.h"

char problem_models[4096];

lb_status read_text(const char *text, lb_problem_file **file, lb_error *error) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.models = problem_models;
    return lb_problem_load_memory(text, strlen(text), "p.json", &options, file, error);
}

lb_problem_file *load_text(const char *text) {
    lb_problem_file *file = NULL;
    lb_error error;
    check_note("%s", text);
    if (!CHECK_INT(read_text(text, &file, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
        exit(check_done());
    }
    return file;
}
