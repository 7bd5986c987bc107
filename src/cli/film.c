/* What moves: clips of motion capture. */
#include "cli/film.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int make_room(cli_film *film, int count) {
    size_t n = (size_t)count;
    film->figures = calloc(n, sizeof *film->figures);
    film->names = calloc(n, sizeof *film->names);
    film->poses = calloc(n, sizeof *film->poses);
    film->kinematics = calloc(n, sizeof *film->kinematics);
    film->figure_count = film->figures && film->names && film->poses && film->kinematics ? count : 0;
    return film->figure_count == count ? CLI_OK : cli_fail(CLI_BAD_INPUT, "no memory for %d figures", count);
}

static int add_figure(cli_film *film, int index, const lb_figure *figure, const char *name) {
    size_t variables = (size_t)lb_figure_variable_count(figure);
    film->figures[index] = figure;
    film->names[index] = name;
    film->poses[index] = calloc(variables + 1, sizeof **film->poses);
    film->kinematics[index] = lb_kinematics_create(figure);
    if (!film->poses[index] || !film->kinematics[index]) {
        return cli_fail(CLI_BAD_INPUT, "no memory for the figure");
    }
    lb_figure_rest_pose(figure, film->poses[index]);
    return CLI_OK;
}

int cli_film_load(cli_film *film, cli_source *source) {
    cli_warnings warnings = {.is_loud = 1};
    int code = cli_load(source, &warnings, &film->figure, &film->clip);
    cli_warnings_free(&warnings);
    if (!code && !film->clip) {
        code = cli_fail(CLI_BAD_INPUT, "%s: has no motion to play; give a BVH file with frames or an animated glTF file", source->found);
    }
    code = code ? code : make_room(film, 1);
    code = code ? code : add_figure(film, 0, film->figure, lb_figure_name(film->figure));
    if (!code) {
        film->end = lb_clip_duration(film->clip);
        film->frame_time = lb_clip_frame_time(film->clip);
        film->fps = 1 / film->frame_time;
    }
    return code;
}

void cli_film_free(cli_film *film) {
    for (int i = 0; i < film->figure_count; i++) {
        free(film->poses[i]);
        lb_kinematics_destroy(film->kinematics[i]);
    }
    free(film->figures);
    free(film->names);
    free(film->poses);
    free(film->kinematics);
    lb_clip_destroy(film->clip);
    lb_figure_destroy(film->figure);
}

int cli_film_pose(cli_film *film, double time) {
    return lb_clip_sample(film->clip, time, LB_LINEAR, film->poses[0], NULL, NULL)
               ? cli_fail(CLI_BAD_INPUT, "the motion has values that are not finite numbers")
               : CLI_OK;
}

int cli_film_bounds(cli_film *film, double lower[3], double upper[3]) {
    for (int k = 0; k < film->figure_count; k++) {
        const lb_figure *figure = film->figures[k];
        if (lb_kinematics_update(film->kinematics[k], film->poses[k])) {
            return cli_fail(CLI_BAD_INPUT, "the motion has values that are not finite numbers");
        }
        const lb_root *root = lb_figure_root(figure);
        for (int s = 0; s < lb_figure_site_count(figure); s++) {
            lb_frame frame_w;
            if (!root->is_free && lb_figure_site(figure, s)->segment == root->segment &&
                lb_figure_segment(figure, root->segment)->mass == 0) {
                continue; /* only the ground */
            }
            lb_kinematics_site(film->kinematics[k], s, &frame_w);
            for (int i = 0; i < 3; i++) {
                lower[i] = fmin(lower[i], frame_w.position[i] - 0.05);
                upper[i] = fmax(upper[i], frame_w.position[i] + 0.05);
            }
        }
    }
    return CLI_OK;
}
