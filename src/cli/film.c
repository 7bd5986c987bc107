/* What moves: clips of motion capture, scripts, and problems with a motion. */
#include "cli/film.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int make_casts(cli_film *film, int count) {
    film->casts = calloc((size_t)count, sizeof *film->casts);
    film->cast_count = film->casts ? count : 0;
    film->now = film->casts;
    return film->casts ? CLI_OK : cli_fail(CLI_BAD_INPUT, "no memory for the figures");
}

static int make_room(cli_cast *cast, int count) {
    size_t n = (size_t)count;
    cast->figures = calloc(n, sizeof *cast->figures);
    cast->names = calloc(n, sizeof *cast->names);
    cast->poses = calloc(n, sizeof *cast->poses);
    cast->kinematics = calloc(n, sizeof *cast->kinematics);
    cast->figure_count = cast->figures && cast->names && cast->poses && cast->kinematics ? count : 0;
    return cast->figure_count == count ? CLI_OK : cli_fail(CLI_BAD_INPUT, "no memory for %d figures", count);
}

static int add_figure(cli_cast *cast, int index, const lb_figure *figure) {
    size_t variables = (size_t)lb_figure_variable_count(figure);
    cast->figures[index] = figure;
    cast->names[index] = lb_figure_name(figure);
    cast->poses[index] = calloc(variables + 1, sizeof **cast->poses);
    cast->kinematics[index] = lb_kinematics_create(figure, NULL);
    if (!cast->poses[index] || !cast->kinematics[index]) {
        return cli_fail(CLI_BAD_INPUT, "no memory for the figure");
    }
    lb_figure_rest_pose(figure, cast->poses[index]);
    return CLI_OK;
}

int cli_film_show(cli_film *film, const lb_figure *figure, const lb_clip *clip) {
    int code = make_casts(film, 1);
    code = code ? code : make_room(&film->casts[0], 1);
    code = code ? code : add_figure(&film->casts[0], 0, figure);
    film->shown = clip;
    film->end = lb_clip_duration(clip);
    film->frame_time = lb_clip_frame_time(clip);
    return code;
}

static int load_clip(cli_film *film, cli_source *source) {
    cli_warnings warnings = {.is_loud = 1};
    int code = cli_load(source, &warnings, &film->figure, &film->clip);
    cli_warnings_free(&warnings);
    if (!code && !film->clip) {
        code = cli_fail(CLI_BAD_INPUT,
                        "%s: has no motion to play; give a script (.scefo), a problem with a motion (.json), or BVH or "
                        "glTF with frames",
                        source->found);
    }
    return code ? code : cli_film_show(film, film->figure, film->clip);
}

/* What a limit clips is worth a line, once each. */
static void hear(void *context, double time, const char *message) {
    (void)context;
    cli_note("%.3f s: %s", time, message);
}

static int play_motion(cli_film *film, const lb_motion *motion) {
    lb_player_options options;
    size_t most = 0;
    int code = make_casts(film, lb_motion_stage_count(motion));
    for (int stage = 0; stage < film->cast_count && !code; stage++) {
        const lb_problem *problem = lb_motion_problem(motion, stage);
        size_t variables = (size_t)lb_problem_variable_count(problem);
        most = variables > most ? variables : most;
        code = make_room(&film->casts[stage], lb_problem_figure_count(problem));
        for (int i = 0; i < film->casts[stage].figure_count && !code; i++) {
            code = add_figure(&film->casts[stage], i, lb_problem_figure(problem, i));
        }
    }
    lb_player_options_defaults(&options);
    options.warn = hear;
    film->player = code ? NULL : lb_player_create(motion, &options, NULL);
    film->pose = calloc(most + 1, sizeof *film->pose);
    film->end = lb_motion_end(motion);
    return code || (film->player && film->pose) ? code : cli_fail(CLI_BAD_INPUT, "no memory to play the motion");
}

static int load_script(cli_film *film, cli_source *source) {
    cli_warnings warnings = {.is_loud = 1};
    lb_load_options options;
    lb_error error;
    lb_load_options_defaults(&options);
    options.warn = cli_warn, options.warn_context = &warnings;
    int code =
        lb_script_load(source->path, &options, &film->script, &error) ? cli_report(CLI_BAD_INPUT, &error) : CLI_OK;
    cli_warnings_free(&warnings);
    return code ? code : play_motion(film, lb_script_motion(film->script));
}

static int load_problem(cli_film *film, cli_source *source) {
    cli_warnings warnings = {.is_loud = 1};
    lb_load_options options;
    lb_error error;
    char models[4096];
    lb_load_options_defaults(&options);
    options.models = cli_models_folder(models, sizeof models) ? models : NULL;
    options.warn = cli_warn, options.warn_context = &warnings;
    int code =
        lb_problem_load(source->path, &options, &film->problem, &error) ? cli_report(CLI_BAD_INPUT, &error) : CLI_OK;
    cli_warnings_free(&warnings);
    if (!code && !lb_problem_file_motion(film->problem)) {
        code = cli_fail(CLI_BAD_INPUT, "%s: nothing moves in this problem; give it a `motion`, or use limber solve",
                        source->path);
    }
    return code ? code : play_motion(film, lb_problem_file_motion(film->problem));
}

int cli_film_load(cli_film *film, cli_source *source) {
    const char *dot = strrchr(source->path, '.');
    return dot && strcmp(dot, ".scefo") == 0  ? load_script(film, source)
           : dot && strcmp(dot, ".json") == 0 ? load_problem(film, source)
                                              : load_clip(film, source);
}

void cli_film_free(cli_film *film) {
    for (int k = 0; k < film->cast_count; k++) {
        cli_cast *cast = &film->casts[k];
        for (int i = 0; i < cast->figure_count; i++) {
            free(cast->poses[i]);
            lb_kinematics_destroy(cast->kinematics[i]);
        }
        free(cast->figures);
        free(cast->names);
        free(cast->poses);
        free(cast->kinematics);
    }
    free(film->casts);
    free(film->pose);
    lb_player_destroy(film->player);
    lb_script_destroy(film->script);
    lb_problem_file_destroy(film->problem);
    lb_clip_destroy(film->clip);
    lb_figure_destroy(film->figure);
}

int cli_film_pose(cli_film *film, double time) {
    if (film->shown) {
        return lb_clip_sample(film->shown, time, LB_INTERPOLATION_LINEAR, film->casts[0].poses[0], NULL, NULL)
                   ? cli_fail(CLI_BAD_INPUT, "the motion has values that are not finite numbers")
                   : CLI_OK;
    }
    if (lb_player_pose(film->player, time, film->pose, NULL)) {
        return cli_fail(CLI_BAD_INPUT, "%g s cannot be played: %s", time, lb_player_error(film->player)->message);
    }
    film->now = &film->casts[lb_player_stage(film->player, time)];
    const double *at = film->pose;
    for (int i = 0; i < film->now->figure_count; i++) {
        size_t variables = (size_t)lb_figure_variable_count(film->now->figures[i]);
        memcpy(film->now->poses[i], at, variables * sizeof *at);
        at += variables;
    }
    return CLI_OK;
}

int cli_film_judge(cli_film *film) {
    const lb_motion *motion = film->script ? lb_script_motion(film->script) : NULL;
    double end = motion ? lb_motion_end(motion) : 0;
    lb_result result;
    int count = 0;
    lb_result_defaults(&result);
    if (!motion || lb_player_pose(film->player, end, film->pose, &result)) {
        return 0;
    }
    const lb_problem *problem = lb_motion_problem(motion, lb_player_stage(film->player, end));
    for (int i = 0; i < result.constraint_count; i++) {
        const lb_constraint_result *c = &result.constraints[i];
        const lb_constraint *asked = lb_problem_constraint(problem, i);
        char off[32];
        if (!c->met && c->counted) {
            cli_print_distance(c->distance, off);
            cli_note("%.4g s: the reach with \"%s\" falls short by %s: %s", end,
                     asked && asked->name ? asked->name : "a link", off, result.explanation);
            count++;
        }
    }
    return count;
}

static int read_number(const cli_command *command, const cli_arguments *arguments, const char *name, double *value) {
    const char *text = cli_value(command, arguments, name);
    if (text && (cli_read_numbers(text, 1, value) || !(*value >= 0 && *value < 1e6))) {
        return cli_usage(command, "`--%s %s` is no number of %s", name, text,
                         strcmp(name, "fps") == 0 ? "frames a second" : "seconds");
    }
    return CLI_OK;
}

/* Whether --to is another name of --until here, as in limber play, and was given instead. */
static int ends_by_to(const cli_command *command, const cli_arguments *arguments) {
    for (const cli_option *option = command->options; option->name; option++) {
        if (strcmp(option->name, "to") == 0 && option->argument && strcmp(option->argument, "SECONDS") == 0) {
            return cli_has(command, arguments, "to") && !cli_has(command, arguments, "until");
        }
    }
    return 0;
}

int cli_read_frames(const cli_command *command, const cli_arguments *arguments, double end, double frame_time,
                    cli_frames *frames) {
    const char *end_option = ends_by_to(command, arguments) ? "to" : "until";
    double step = frame_time > 0 ? frame_time : 1.0 / 30, fps = 1 / step, from = 0;
    int code = read_number(command, arguments, "fps", &fps);
    code = code ? code : read_number(command, arguments, "from", &from);
    code = code ? code : read_number(command, arguments, end_option, &end);
    if (code) {
        return code;
    }
    if (!(fps >= 0.001 && fps <= 10000)) {
        return cli_usage(command, "--fps must be between 0.001 and 10000");
    }
    if (end < from) {
        return cli_usage(command, "the end (%g s) comes before the beginning (%g s)", end, from);
    }
    step = cli_has(command, arguments, "fps") ? 1 / fps : step;
    double count = floor((end - from) / step + 1e-6) + 1;
    if (count > 1e7) {
        return cli_usage(command, "%.0f frames are too many; give a smaller --fps or an earlier --%s", count,
                         end_option);
    }
    *frames = (cli_frames){from, step, (int)count};
    return CLI_OK;
}

int cli_film_bounds(cli_film *film, double lower[3], double upper[3]) {
    const cli_cast *cast = film->now;
    for (int k = 0; k < cast->figure_count; k++) {
        const lb_figure *figure = cast->figures[k];
        if (lb_kinematics_update(cast->kinematics[k], cast->poses[k])) {
            return cli_fail(CLI_BAD_INPUT, "the motion has values that are not finite numbers");
        }
        const lb_root *root = lb_figure_root(figure);
        for (int s = 0; s < lb_figure_site_count(figure); s++) {
            lb_frame frame_w;
            if (!root->is_free && lb_figure_site(figure, s)->segment == root->segment &&
                lb_figure_segment(figure, root->segment)->mass == 0) {
                continue; /* only the ground */
            }
            lb_kinematics_site(cast->kinematics[k], s, &frame_w);
            for (int i = 0; i < 3; i++) {
                lower[i] = fmin(lower[i], frame_w.position[i] - 0.05);
                upper[i] = fmax(upper[i], frame_w.position[i] + 0.05);
            }
        }
    }
    return CLI_OK;
}

void cli_show_bar(int done, int count) { cli_show_progress(done, count, "frames"); }

void cli_show_progress(int done, int count, const char *what) {
    if (!isatty(STDERR_FILENO) || (done % 10 && done < count)) {
        return;
    }
    if (done >= count) {
        fprintf(stderr, "\r\033[K");
        return;
    }
    int filled = (int)(30.0 * done / count);
    fprintf(stderr, "\r  [%.*s%*s] %d of %d %s", filled, "##############################", 30 - filled, "", done, count,
            what);
    fflush(stderr);
}
