/* Pictures of a film, all of them taken from the same place. */
#include "cli/film.h"
#include "cli/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int cli_is_pattern(const char *name) {
    int places = 0;
    for (const char *at = strchr(name, '%'); at; at = strchr(at + 1, '%')) {
        size_t digits = strspn(at + 1, "0123456789");
        places += digits <= 2 && at[1 + digits] == 'd' ? 1 : 2;
    }
    return places == 1;
}

/* The box that holds every figure at every time. */
static int find_bounds(cli_film *film, const cli_frames *frames, lb_render_options *picture) {
    int code = CLI_OK;
    picture->has_bounds = 1;
    for (int i = 0; i < 3; i++) {
        picture->lower[i] = INFINITY, picture->upper[i] = -INFINITY;
    }
    const int every = frames->count > 200 ? frames->count / 200 : 1; /* enough to see where it goes */
    for (int f = 0; f < frames->count && !code; f += every) {
        code = cli_film_pose(film, frames->from + f * frames->step);
        code = code ? code : cli_film_bounds(film, picture->lower, picture->upper);
    }
    if (picture->lower[2] > 0 && picture->lower[2] < 0.5) {
        picture->lower[2] = 0; /* the ground they stand on */
    }
    return code;
}

/* The folder that the pictures go to, if it is not there; writing says what is wrong if it cannot be made. */
static void make_folder(const char *path) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (slash && slash > path && (size_t)(slash - path) < sizeof folder) {
        memcpy(folder, path, (size_t)(slash - path));
        folder[slash - path] = 0;
        mkdir(folder, 0777);
    }
}

int cli_film_draw(cli_film *film, const cli_frames *frames, const char *out, lb_render_options *picture, int is_quiet) {
    lb_error error;
    int code = find_bounds(film, frames, picture);
    if (!code) {
        make_folder(out);
    }
    for (int f = 0; f < frames->count && !code; f++) {
        char path[4096];
        if (!is_quiet) {
            cli_show_bar(f, frames->count);
        }
        code = cli_film_pose(film, frames->from + f * frames->step);
        snprintf(path, sizeof path, out, f); /* cli_is_pattern has seen to it that this is safe */
        const cli_cast *cast = film->now;
        const lb_scene scene = {
            .figure_count = cast->figure_count, .figures = cast->figures, .poses = (const double *const *)cast->poses};
        lb_status status = code ? LB_OK : lb_scene_render(&scene, path, picture, &error);
        code = status == LB_ERROR_ARGUMENT ? cli_report(CLI_BAD_USAGE, &error)
               : status                    ? cli_written(status, &error)
                                           : code;
    }
    if (!is_quiet) {
        cli_show_bar(frames->count, frames->count);
    }
    return code;
}

int cli_film_draw_clip(const lb_clip *clip, const cli_frames *frames, const char *out, lb_render_options *picture,
                       int is_quiet) {
    cli_film film = {0};
    int code = cli_film_show(&film, lb_clip_figure(clip), clip);
    code = code ? code : cli_film_draw(&film, frames, out, picture, is_quiet);
    cli_film_free(&film);
    return code;
}

int cli_read_film(const cli_command *command, const cli_arguments *arguments, const cli_output *out,
                  lb_render_options *picture) {
    lb_render_options_defaults(picture);
    picture->dark = cli_has(command, arguments, "dark");
    if (out->kind == CLI_KIND_PICTURE && !cli_is_pattern(out->path)) {
        return cli_usage(command, "`%s` would be written over and over; put a number in, as in frames/%%04d.png",
                         out->path);
    }
    return cli_read_camera(command, arguments, picture);
}
