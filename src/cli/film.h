/* Anything that moves, as the program sees it: figures, and where they are at a time. */
#ifndef LIMBER_CLI_FILM_H
#define LIMBER_CLI_FILM_H

#include "cli/cli.h"
#include "cli/output.h"

/* Figures that are there at the same time. */
typedef struct cli_cast {
    int figure_count;
    const lb_figure **figures; /* [figure_count] */
    const char **names;        /* [figure_count] */
    double **poses;            /* [figure_count]: at the time last asked for */
    lb_kinematics **kinematics;
} cli_cast;

typedef struct cli_film {
    cli_cast *casts; /* [stage]: linkages may change on the way */
    int cast_count;
    const cli_cast *now; /* at the time last asked for; the first one before that */
    double end;          /* seconds */
    double frame_time;   /* of the file; 0: it has none */
    /* where it comes from: a clip, or a motion with its player */
    lb_figure *figure;
    lb_clip *clip;
    const lb_clip *shown; /* the clip that poses are of: `clip`, or somebody else's */
    lb_script *script;
    lb_problem_file *problem;
    lb_player *player;
    double *pose; /* the player's */
} cli_film;

/* Errors are printed; cli_film_free in any case. */
int cli_film_load(cli_film *film, cli_source *source);
/* A film of a clip and its figure, which stay the caller's and must outlive it. */
int cli_film_show(cli_film *film, const lb_figure *figure, const lb_clip *clip);
void cli_film_free(cli_film *film);
/* Fills the poses of `now`. */
int cli_film_pose(cli_film *film, double time);
/* Reaches of a script that fall short where it ends: each is said, with the reason. Returns how many do. */
int cli_film_judge(cli_film *film);
/* Widens a box so that it holds all figures as they are now. */
int cli_film_bounds(cli_film *film, double lower[3], double upper[3]);

/* Which frames of a motion are wanted. */
typedef struct cli_frames {
    double from, step; /* seconds */
    int count;
} cli_frames;

/* --fps, --from and --until (or --to, where that is an option for seconds); end and frame_time (0: 30 a second) are the
 * motion's own. */
int cli_read_frames(const cli_command *command, const cli_arguments *arguments, double end, double frame_time,
                    cli_frames *frames);

/* Whether a name has exactly one place for a number, as %d or %04d, and nothing else that printf would read. */
int cli_is_pattern(const char *name);
/* Draws the frames into files named by the pattern `out`; `picture` gets the bounds of all of them. */
int cli_film_draw(cli_film *film, const cli_frames *frames, const char *out, lb_render_options *picture, int is_quiet);

/* The same of a clip and its figure. */
int cli_film_draw_clip(const lb_clip *clip, const cli_frames *frames, const char *out, lb_render_options *picture,
                       int is_quiet);

/* The options of commands that draw films, and what they say of the pictures; these go to names with a number in
 * them. */
#define CLI_FILM_OPTIONS                                                                                \
    {"size", 0, "WxH", "pictures: pixels, or points of SVG and PDF (default: 800x600)"},                \
        {"camera", 'c', "AZ,EL",                                                                        \
         "pictures: look from this azimuth (0 front, 90 the figure's left) and elevation, in degrees"}, \
        {"zoom", 'z', "Z", "pictures: enlarge (above 1) or show more around (below 1)"}, {              \
        "dark", 0, NULL, "pictures: a dark background"                                                  \
    }
int cli_read_film(const cli_command *command, const cli_arguments *arguments, const cli_output *out,
                  lb_render_options *picture);

/* How far a film is, on a terminal; done = count wipes it away. */
void cli_show_bar(int done, int count);
/* The same of other things than frames. */
void cli_show_progress(int done, int count, const char *what);

#endif
