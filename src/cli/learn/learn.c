#include "cli/learn/learn.h"
#include "cli/film.h"
#include "cli/learn/learn_clips.h"
#include "cli/output.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STARTS 8 /* unless told */

static const cli_option options[] = {
    {"output", 'o', "OUT", "the habit that is made, as my.habit (needed)"},
    {"figure", 'F', "FIGURE", "whose habit it is: a figure with a body (default: human)"},
    {"unit", 'u', "LENGTH", "what one length unit of a BVH file is (default: 1cm)"},
    {"starts", 0, "N", "how many poses to start from, 0 to 64 (default: 8)"},
    {"source", 0, "TEXT", "what the clips are, for those who read the file"},
    {"credit", 0, "TEXT", "what those who recorded them ask to be said"},
    CLI_FORCE_OPTION,
    {"quiet", 'q', NULL, "print nothing but errors"},
    {NULL, 0, NULL, NULL},
};

typedef struct learning {
    const char *out, *text, *credit;
    cli_source source, target; /* the unit of clips; the figure */
    lb_figure *figure;
    learn_view view;
    learn_paths paths;
    learn_frames frames;
    learn_fit *fit;
    int start_count, taken, is_quiet;
} learning;

static int read_arguments(const cli_command *command, const cli_arguments *arguments, learning *l) {
    const char *starts = cli_value(command, arguments, "starts"), *figure = cli_value(command, arguments, "figure");
    char *end = NULL;
    const long count = starts ? strtol(starts, &end, 10) : STARTS;
    l->out = cli_value(command, arguments, "output");
    l->text = cli_value(command, arguments, "source");
    l->credit = cli_value(command, arguments, "credit");
    l->target.path = figure ? figure : "human";
    l->is_quiet = cli_has(command, arguments, "quiet");
    l->start_count = (int)count;
    if (!l->out) {
        return cli_usage(command, "needs `-o OUT`: where does the habit go");
    }
    if (starts && (!*starts || *end || count < 0 || count > LB_HABIT_STARTS)) {
        return cli_usage(command, "`--starts %s`: a number from 0 to %d", starts, LB_HABIT_STARTS);
    }
    cli_output to;
    const int code = cli_read_output(command, "-o", l->out, CLI_KIND_HABIT, CLI_KIND_HABIT, &to);
    return code ? code : cli_read_unit(command, arguments, &l->source);
}

static int open_figure(learning *l) {
    cli_warnings warnings = {.is_loud = 1};
    int code = cli_load(&l->target, &warnings, &l->figure, NULL);
    const char *wrong = code ? NULL : learn_open(&l->view, l->figure);
    cli_warnings_free(&warnings);
    return wrong ? cli_fail(CLI_BAD_INPUT, "%s: %s", l->target.found, wrong) : code;
}

static int read_clip(learning *l, const char *path) {
    lb_clip *clip = NULL;
    int code = learn_read(path, &l->source, l->figure, &clip);
    const learn_verdict verdict = code ? LEARN_TAKEN : learn_add(&l->view, clip, &l->frames);
    lb_clip_destroy(clip);
    if (code || verdict == LEARN_NO_MEMORY) {
        return code ? code : cli_fail(CLI_BAD_INPUT, "no memory for so many frames");
    }
    l->taken += verdict == LEARN_TAKEN;
    if (verdict != LEARN_TAKEN && !l->is_quiet) {
        cli_note("%s is left out: %s", path,
                 verdict == LEARN_JUMPS ? "joints jump in it, faster than people move"
                                        : "its floor is not where feet are; is --unit right?");
    }
    return CLI_OK;
}

static int read_clips(learning *l) {
    int code = CLI_OK;
    for (int i = 0; i < l->paths.count && !code; i++) {
        if (!l->is_quiet) {
            cli_show_progress(i, l->paths.count, "clips");
        }
        code = read_clip(l, l->paths.items[i]);
    }
    if (!l->is_quiet) {
        cli_show_progress(1, 1, "clips");
    }
    return code;
}

static int write_habit(learning *l) {
    lb_habit_data data;
    lb_error error;
    char text[160];
    snprintf(text, sizeof text, "%d clips, %d frames, made with limber learn", l->taken, l->frames.count);
    lb_habit_data_defaults(&data);
    for (int i = 0; i < l->view.count; i++) {
        l->view.features[i].mean = l->fit->mean[i];
    }
    data.feature_count = l->view.count;
    data.features = l->view.features;
    data.factor = l->fit->factor;
    data.start_count = l->fit->start_count;
    data.starts = l->fit->starts;
    data.root_height = l->view.root_height;
    data.source = l->text ? l->text : text;
    data.credit = l->credit;
    lb_habit *habit = lb_habit_create(&data, NULL, &error);
    if (!habit) {
        return cli_fail(CLI_BAD_INPUT, "%s", error.message);
    }
    lb_status status = lb_habit_save(habit, l->out, &error);
    lb_habit_destroy(habit);
    return cli_written(status, &error);
}

static int learn(learning *l) {
    l->fit = calloc(1, sizeof *l->fit);
    if (!l->fit) {
        return cli_fail(CLI_BAD_INPUT, "no memory");
    }
    if (l->frames.count < 2) {
        return cli_fail(CLI_BAD_INPUT, "no clip has frames to learn from");
    }
    if (learn_gaussian(&l->view, &l->frames, l->fit) || learn_starts(&l->view, &l->frames, l->start_count, l->fit)) {
        return cli_fail(CLI_BAD_INPUT, "no memory for so many frames");
    }
    return write_habit(l);
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    learning l = {0};
    int code = read_arguments(command, arguments, &l);
    code = code ? code : learn_find(arguments, &l.paths);
    code = code ? code : open_figure(&l);
    code = code ? code : read_clips(&l);
    code = code ? code : learn(&l);
    if (!code && !l.is_quiet && strcmp(l.out, "-") != 0) {
        printf("%d of %d clips, %d frames and their mirror images, %d features, %d starts: %s\n", l.taken,
               l.paths.count, l.frames.count, l.view.count, l.fit->start_count, l.out);
    }
    if (l.fit) {
        free(l.fit->starts);
    }
    free(l.fit);
    free(l.frames.values);
    learn_close(&l.view);
    learn_forget(&l.paths);
    lb_figure_destroy(l.figure);
    return code;
}

const cli_command cli_learn = {
    .name = "learn",
    .synopsis = "CLIPS... -o OUT",
    .summary = "learn from recorded motion how people pose",
    .text = "CLIPS are motion capture (BVH), animated characters (glTF), tables that `limber\n"
            "retarget` wrote for the figure (.csv), or folders of them. What is made is a small\n"
            "file, a habit: `limber solve --habit OUT` prefers poses like those in the clips, and\n"
            "starts from a few of them. The same clips give the same file. docs/habit.md says how\n"
            "it is learned, and what it is not.\n\n"
            "  limber learn clips/ --unit 5.64cm -o my.habit\n"
            "  limber solve human --goal 'right_palm at 0.4,-0.2,1.3' --habit my.habit",
    .options = options,
    .least_operands = 1,
    .most_operands = CLI_MAX_OPERANDS,
    .run = run,
};
