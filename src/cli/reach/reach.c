/* limber reach: maps of what is within reach, and questions to them. */
#include "cli/reach/reach.h"
#include "cli/output.h"
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_option options[] = {
    {"site", 's', "SITES", "what is to reach: a site or segment; several with commas, as two hands"},
    {"box", 0, "BOX", "where to look: x0,y0,z0,x1,y1,z1 in metres (default: all that may be within reach)"},
    {"sphere", 0, "SPHERE", "the same as a ball: x,y,z,radius"},
    {"points", 0, "FILE", "points or frames to look at, as CSV: x,y,z and perhaps qx,qy,qz,qw"},
    {"spacing", 0, "LENGTH", "of the grid, as in 2cm (default: 5cm)"},
    {"orientations", 'n', "N", "rotations at each cell, spread evenly (default: the position alone)"},
    {"axis", 0, "AXIS", "free (or z), x, y: only the direction of this axis counts, the turn about it is free"},
    {"with", 0, "NAMES", "what moves besides the limb: joints, groups, variables, as in spine; all: everything"},
    {"gap", 0, "LENGTH", "between several sites, along y (default: 20cm)"},
    {"starts", 0, "N", "without an answer after which a frame is `unfound` (default: 80, 16 or, of bodies, 1)"},
    {"seed", 0, "N", "of random starts (default: 1)"},
    {"tolerance", 0, "LENGTH", "what counts as reached (default: 0.01mm)"},
    {"no-proof", 0, NULL, "search also where it is proved to be in vain, to check the proofs"},
    {"pose-out", 0, NULL, "keep a pose for each cell that is reached"},
    {"effort", 0, NULL, "of robots: the norm of the torques that gravity asks for"},
    {"start", 0, "VALUES", "variables that differ from rest, as in spine.flexion=20deg"},
    {"seat", 0, "HEIGHT", "a person sits on a seat of this height"},
    {"load", 0, "LOADS", "what the body carries, as in right_hand=5kg"},
    {"foot", 0, "FEET", "what a foot may do: planted (the default here), step or lifted, as in left=step"},
    {"surface", 0, "SURFACE", "what something may rest on, as in table=0.8,0,0.75"},
    {"obstacle", 0, "OBSTACLE", "what nothing goes through, as in 'box 0.6,0,0.35 half 0.3,0.5,0.35'"},
    {"swivel", 0, "SWIVEL", "where an elbow or knee points, as in right_elbow=down"},
    {"support", 0, "SUPPORTS", "contacts that rest on a surface, or on the floor, as in left_palm=table"},
    {"body", 0, "WEIGHTS", "weights of the body's terms, and its rules, as in effort=0,balance=off"},
    {"floor", 0, "HEIGHT", "the height of the floor (default: 0)"},
    {"avoid", 0, "LIST", "keep apart: self, a file of solids, or self,world.json (docs/collisions.md)"},
    {"srdf", 0, "FILE", "links that may touch, for --avoid: the disable_collisions of a robot's SRDF"},
    {"habit", 0, "FILE", "prefer poses that people were seen in"},
    {"stature", 0, "LENGTH", "scale a figure that has a stature to this one"},
    {"threads", 't', "N", "threads (default: one for each core; under mpirun one)"},
    {"resume", 0, NULL, "go on where a run was interrupted, or begin"},
    {"force", 'f', NULL, "replace a file that is there"},
    {"output", 'o', "MAP", "the map to write: map.h5; of place: a picture or CSV"},
    {"at", 0, "POINT", "query: the point, as x,y,z"},
    {"csv", 0, "FILE", "query: points to ask about, as CSV; answers as CSV on standard output"},
    {"frames", 0, "FILE", "place: the points or frames that are to be reached, as CSV"},
    {"headings", 0, "N", "place: turns of the base that are tried (default: 24)"},
    {"height", 0, "LENGTH", "place: of the base above the frames' origin (default: 0)"},
    {"count", 0, "N", "place: how many places are listed (default: 10)"},
    {"quiet", 'q', NULL, "print nothing but errors"},
    {NULL, 0, NULL, NULL},
};

#ifdef LIMBER_HAVE_HDF5

/* --- Options -------------------------------------------------------------------------------------------------- */

int cli_reach_count(const cli_command *command, const cli_arguments *arguments, const char *name, double least,
                    double most, double *value) {
    const char *text = cli_value(command, arguments, name);
    if (text && (cli_read_numbers(text, 1, value) || !(*value >= least && *value <= most) || *value != floor(*value))) {
        return cli_usage(command, "`--%s %s` is no whole number between %g and %g", name, text, least, most);
    }
    return CLI_OK;
}

int cli_reach_length(const cli_command *command, const cli_arguments *arguments, const char *name, double *value) {
    const char *text = cli_value(command, arguments, name);
    if (text && (cli_read_length(text, value) || !(*value > 0))) {
        return cli_usage(command, "`--%s %s` is no length above 0; write it as 2cm, 20mm or 0.02", name, text);
    }
    return CLI_OK;
}

static int read_region(const cli_command *command, const cli_arguments *arguments, lb_map_options *o) {
    const char *box = cli_value(command, arguments, "box"), *ball = cli_value(command, arguments, "sphere");
    const char *points = cli_value(command, arguments, "points");
    double values[6];
    if ((box != NULL) + (ball != NULL) + (points != NULL) > 1) {
        return cli_usage(command, "`--box`, `--sphere` and `--points` exclude each other");
    }
    if (box) {
        if (cli_read_numbers(box, 6, values)) {
            return cli_usage(command, "`--box %s` is no box; write it as x0,y0,z0,x1,y1,z1", box);
        }
        o->region = LB_MAP_REGION_BOX;
        memcpy(o->lower, values, sizeof o->lower);
        memcpy(o->upper, values + 3, sizeof o->upper);
    } else if (ball) {
        if (cli_read_numbers(ball, 4, values)) {
            return cli_usage(command, "`--sphere %s` is no sphere; write it as x,y,z,radius", ball);
        }
        o->region = LB_MAP_REGION_SPHERE;
        memcpy(o->center, values, sizeof o->center);
        o->radius = values[3];
    } else if (points) {
        lb_frame *frames;
        const int code = cli_reach_frames(points, &frames, &o->point_count, &o->has_rotations);
        if (code) {
            return code;
        }
        o->region = LB_MAP_REGION_POINTS, o->points = frames;
    }
    return CLI_OK;
}

static int read_axis(const cli_command *command, const cli_arguments *arguments, lb_map_options *o) {
    static const char *const words[] = {"x", "y", "z", "free"};
    const char *axis = cli_value(command, arguments, "axis");
    for (int k = 0; axis && k < 4; k++) {
        if (strcmp(axis, words[k]) == 0) {
            o->axis = k < 3 ? k : 2;
            return CLI_OK;
        }
    }
    return axis ? cli_usage(command, "`--axis %s`: there are free (the turn about z), x, y and z", axis) : CLI_OK;
}

static int read_numbers(const cli_command *command, const cli_arguments *arguments, lb_map_options *o) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double orientations = 0, starts = 0, seed = 1,
           threads = cores > 0 && cores <= 1024 && lbj_world_size() == 1 ? (double)cores : 1;
    int code = cli_reach_count(command, arguments, "orientations", 1, LB_MAP_MOST_ORIENTATIONS, &orientations);
    code = code ? code : cli_reach_count(command, arguments, "starts", 1, 1e6, &starts);
    code = code ? code : cli_reach_count(command, arguments, "seed", 0, 9e15, &seed);
    code = code ? code : cli_reach_count(command, arguments, "threads", 1, 1024, &threads);
    code = code ? code : cli_reach_length(command, arguments, "spacing", &o->spacing);
    code = code ? code : cli_reach_length(command, arguments, "gap", &o->gap);
    code = code ? code : cli_reach_length(command, arguments, "tolerance", &o->tolerance);
    code = code ? code : cli_reach_length(command, arguments, "stature", &o->stature);
    o->orientations = (int)orientations, o->starts = (int)starts, o->seed = (uint64_t)seed, o->threads = (int)threads;
    return code;
}

/* --- The problem: where the figure stands, and how --------------------------------------------------------------- */

static int has_body_option(const cli_command *command, const cli_arguments *arguments) {
    static const char *const names[] = {"load",    "foot", "surface", "obstacle", "swivel",
                                        "support", "body", "floor",   "habit"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (cli_has(command, arguments, names[k])) {
            return 1;
        }
    }
    return 0;
}

static int put_seat(const cli_command *command, const char *height, lbio_text *json) {
    double metres;
    if (cli_read_length(height, &metres) || !(metres > 0)) {
        return cli_usage(command, "`--seat %s` is no height; write it as 45cm", height);
    }
    lbio_text_add(json, ",\n  \"body\": {\"surfaces\": [{\"name\": \"seat\", \"point\": [-0.3, 0, ");
    lbio_text_number(json, metres);
    lbio_text_add(json, "], \"half_size\": [0.2, 0.2]}], \"supports\": {\"right_sit_bone\": \"seat\", "
                        "\"left_sit_bone\": \"seat\"}}");
    return CLI_OK;
}

static int write_problem(const cli_command *command, const cli_arguments *arguments, lbio_text *json) {
    const char *seat = cli_value(command, arguments, "seat");
    const int has_body = has_body_option(command, arguments);
    if (seat && has_body) {
        return cli_usage(command, "`--seat` goes alone; with more, say it by --surface and --support");
    }
    lbio_text_add(json, ",\n  \"constraints\": []");
    int code = cli_put_values(command, arguments, "start", json);
    code = code || !seat ? code : put_seat(command, seat, json);
    code = code || !has_body ? code : cli_put_body(command, arguments, json);
    code = code ? code : cli_put_collisions(command, arguments, ",\n  \"collisions\": ", json);
    return code ? code : json->failed ? cli_fail(CLI_BAD_INPUT, "no memory for the problem") : CLI_OK;
}

/* --- Making a map --------------------------------------------------------------------------------------------------- */

static void tell(void *context, const lb_map_progress *p) {
    cli_progress *progress = context;
    const lbj_progress told = {p->done, p->before, p->count, p->seconds, p->is_last};
    progress->count = (double)p->frames;
    cli_progress_show(progress, &told);
}

static int list_sites(const cli_command *command, char *text, const char **sites, int *count) {
    char *at = text;
    for (char *item; (item = cli_next_item(&at));) {
        if (*count == LB_MAP_MOST_SITES) {
            return cli_usage(command, "more than %d sites", LB_MAP_MOST_SITES);
        }
        sites[(*count)++] = cli_unquote(item);
    }
    return CLI_OK;
}

/* What was found, in a few lines. */
static int report(const char *path) {
    lb_error error;
    lb_map_info info;
    lb_map *map = lb_map_load(path, &error);
    if (!map) {
        return cli_report(CLI_BAD_INPUT, &error);
    }
    lb_map_info_defaults(&info);
    lb_map_describe(map, &info);
    cli_reach_summary(&info);
    lb_map_destroy(map);
    return cli_finish_stdout();
}

static int end(lb_map_ending ending, const char *path, int is_quiet, const lb_error *error) {
    switch (ending) {
    case LB_MAP_ENDING_DONE:
        return is_quiet ? CLI_OK : report(path);
    case LB_MAP_ENDING_HELPED:
        return CLI_OK;
    case LB_MAP_ENDING_INTERRUPTED:
        return cli_fail(CLI_INTERRUPTED, "interrupted; the same command with --resume goes on");
    default: /* of the output, or of what was to be read */
        return cli_report(error->status == LB_ERROR_FILE && strncmp(error->file, path, strlen(path)) == 0
                              ? CLI_CANNOT_WRITE
                              : CLI_BAD_INPUT,
                          error);
    }
}

static int check_output(const cli_command *command, const char *path) {
    cli_output to;
    return path ? cli_read_output(command, "-o", path, CLI_KIND_HDF5, CLI_KIND_NONE, &to)
                : cli_usage(command, "say where the map goes, with -o map.h5");
}

static int make(const cli_command *command, const cli_arguments *arguments, lb_map_options *o) {
    cli_source source = {.path = arguments->operands[0]};
    const char *path = cli_value(command, arguments, "output"), *sites_text = cli_value(command, arguments, "site");
    const char *sites[LB_MAP_MOST_SITES];
    char models[4096], *copy = sites_text ? strdup(sites_text) : NULL;
    cli_progress progress = {.unit = "frames", .is_quiet = cli_has(command, arguments, "quiet")};
    lbio_text json = {0};
    lb_error error = {0};
    int code = check_output(command, path);
    code = code ? code : cli_find_file(&source);
    code = code || !copy ? code : list_sites(command, copy, sites, &o->site_count);
    code = code ? code : write_problem(command, arguments, &json);
    if (!code) {
        o->sites = sites;
        o->with = cli_value(command, arguments, "with");
        o->models = cli_models_folder(models, sizeof models) ? models : NULL;
        o->has_poses = cli_has(command, arguments, "pose-out"), o->has_effort = cli_has(command, arguments, "effort");
        o->has_no_proofs = cli_has(command, arguments, "no-proof");
        o->is_resumed = cli_has(command, arguments, "resume"), o->is_forced = cli_has(command, arguments, "force");
        o->on_progress = tell, o->progress_context = &progress;
        /* the members begin with a comma and a line's end */
        const lb_map_ending ending = lb_map_make(source.found, json.data + strspn(json.data, ",\n "), o, path, &error);
        code = end(ending, path, progress.is_quiet, &error);
    }
    lbio_text_free(&json);
    free(copy);
    return code;
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    static const struct {
        const char *word;
        int (*run)(const cli_command *command, const cli_arguments *arguments);
    } questions[] = {{"query", cli_reach_query}, {"compare", cli_reach_compare}, {"place", cli_reach_place}};
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k++) {
        if (strcmp(arguments->operands[0], questions[k].word) == 0) {
            return questions[k].run(command, arguments);
        }
    }
    if (arguments->operand_count > 1) {
        return cli_usage(command, "`%s` is one word too many", arguments->operands[1]);
    }
    lb_map_options o;
    lb_map_options_defaults(&o);
    int code = read_numbers(command, arguments, &o);
    code = code ? code : read_axis(command, arguments, &o);
    code = code ? code : read_region(command, arguments, &o);
    code = code ? code : make(command, arguments, &o);
    free((void *)o.points);
    return code;
}

#else

static int run(const cli_command *command, const cli_arguments *arguments) {
    (void)command, (void)arguments;
    return cli_fail(CLI_BAD_INPUT,
                    "this limber was built without HDF5, which maps are written with; install it (Debian: "
                    "libhdf5-dev) and build again");
}

#endif

const cli_command cli_reach = {
    .name = "reach",
    .synopsis = "FIGURE -o MAP | query MAP | compare MAP MAP | place MAP",
    .summary = "map where a figure can reach",
    .text = "Makes a map, an HDF5 file, of what a site of a figure can reach. Each cell of a grid (or\n"
            "point of a list) is reached, or proved to be out of reach, or not found from so many\n"
            "starts: these are different things, and the map keeps them apart. A run that was\n"
            "interrupted goes on with --resume, and ends with the same bytes.\n\n"
            "  limber reach panda --spacing 5cm --orientations 64 -o panda.h5\n"
            "  limber reach human --site right_palm --with spine --seat 45cm -o seated.h5\n"
            "  limber reach query panda.h5 --at 0.4,0,0.4\n"
            "  limber reach compare standing.h5 seated.h5\n"
            "  limber reach place panda.h5 --frames parts.csv -o places.png",
    .options = options,
    .least_operands = 1,
    .most_operands = 3,
    .runs_jobs = 1,
    .run = run,
};
