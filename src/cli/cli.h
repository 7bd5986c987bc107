/* The command line: one file a command, a table of options each. What a person reads on --help, what the parser
 * accepts and what is suggested for a misspelt option all come from that table. */
#ifndef LIMBER_CLI_H
#define LIMBER_CLI_H

#include "io/text.h"
#include <stddef.h>

/* What the program ends with; documented in the manual page. */
enum {
    CLI_OK = 0,
    CLI_BAD_INPUT = 1,
    CLI_BAD_USAGE = 2,
    CLI_CANNOT_WRITE = 3,
    CLI_NOT_SOLVED = 4,
    CLI_DOUBTFUL = 5,
    CLI_INTERRUPTED = 130
};

#define CLI_MAX_OPTIONS 64
#define CLI_MAX_OPERANDS 4096
#define CLI_MAX_GIVEN 256

typedef struct cli_option {
    const char *name;     /* without the dashes; NULL ends the table */
    char letter;          /* short form, 0: none */
    const char *argument; /* what it takes, for people; NULL: nothing */
    const char *help;
} cli_option;

typedef struct cli_arguments {
    const char
        *values[CLI_MAX_OPTIONS]; /* by index in the table; "" for options without an argument; NULL: not given */
    struct {
        int option;
        const char *value;
    } given[CLI_MAX_GIVEN]; /* the same in the order of the command line, for options that may come several times */
    int given_count;
    const char *operands[CLI_MAX_OPERANDS];
    int operand_count;
} cli_arguments;

typedef struct cli_command {
    const char *name;
    const char *synopsis; /* operands and what must be given */
    const char *summary;  /* one line */
    const char *text;     /* more, for --help */
    const cli_option *options;
    int least_operands, most_operands;
    int runs_jobs; /* 1: processes that mpirun started work on it together */
    int (*run)(const struct cli_command *command, const cli_arguments *arguments);
} cli_command;

extern const cli_command cli_info, cli_solve, cli_batch_command, cli_convert, cli_render, cli_play, cli_retarget,
    cli_learn, cli_compare, cli_path, cli_reach, cli_studio, cli_models, cli_help;
/* All of them, ended by NULL. */
extern const cli_command *const cli_commands[];

/* --- options.c: reading the command line ---------------------------------------------------------- */

/* Fills arguments; a usage error is printed and CLI_BAD_USAGE comes back. *wants_help: --help was given. */
int cli_parse(const cli_command *command, int count, char **words, cli_arguments *arguments, int *wants_help);
/* The value of an option by name: NULL where it was not given. */
const char *cli_value(const cli_command *command, const cli_arguments *arguments, const char *name);
/* The next value of an option that may come several times, from *at (0 at first); NULL where there is no more. */
const char *cli_next(const cli_command *command, const cli_arguments *arguments, const char *name, int *at);
int cli_has(const cli_command *command, const cli_arguments *arguments, const char *name);
void cli_print_help(const cli_command *command);
/* The name that a misspelt or cut word most likely means, or NULL. */
const char *cli_nearest(const char *word, const char *const *names, int count);
/* "limber: ..." to stderr; returns code. */
int cli_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Usage errors end with how to learn more. */
int cli_usage(const cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An error of the library: file:line: message. */
int cli_report(int code, const lb_error *error);
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Whether headings may be bold: a terminal, and NO_COLOR is not set. */
int cli_is_fancy(void);
/* Checks that all of stdout was written. */
int cli_finish_stdout(void);

/* --- values.c: lengths, angles, sizes ------------------------------------------------------------- */

/* Reads a length with a unit (m cm mm in; none: metres) that is all of text. Returns 0, or -1. */
int cli_read_length(const char *text, double *metres);
/* Reads `count` numbers with commas between them. */
int cli_read_numbers(const char *text, int count, double *values);
/* Reads 800x600. */
int cli_read_size(const char *text, int *width, int *height);
/* fig, urdf, mjcf, bvh; a usage error is printed where it is none of them. */
int cli_read_format(const cli_command *command, const char *option, const char *text, lb_format *format);
/* An angle or a length for people: "90 deg", "0.04 m"; infinite: "-inf". 32 characters suffice. */
void cli_print_value(double value, int is_angle, char text[32]);
/* The number alone, rounded to what a person reads. */
void cli_print_number(double value, char text[32]);
/* "-20 .. 60 deg", "from 0 m", "no limit". */
void cli_range_text(double lower, double upper, int is_angle, char *text, size_t size);
/* Columns that a UTF-8 text takes, about: one a character; and the text with blanks behind it up to that width. */
int cli_width_of(const char *text);
void cli_print_padded(const char *text, int width);

/* --- words.c: words, lists, names in quotes ----------------------------------------------------------- */

/* Cuts text at blanks into words, quotes and all. How many; -1: more than most; -2: a quote is not closed. */
int cli_split_words(char *text, char **words, int most);
/* The next item of a list with commas, quotes and all, from *at (NULL where there is no more); cuts the list. */
char *cli_next_item(char **at);
int cli_is_quoted(const char *word);
/* A name without its quotes, in place. */
char *cli_unquote(char *word);

/* --- figures.c: figures and poses from arguments --------------------------------------------------- */

typedef struct cli_warnings {
    lb_error *items;
    int count, capacity;
    int is_loud; /* print each as it comes */
} cli_warnings;

void cli_warn(void *warnings, const lb_error *warning); /* for lb_load_options.warn */
void cli_warnings_free(cli_warnings *warnings);

typedef struct cli_source {
    const char *path; /* as given; a model's name is looked up */
    lb_format format;
    double stature, unit; /* 0: not given */
    lb_bvh_up bvh_up;
    int anatomical;        /* a human's limits for a person's joints */
    lb_limits limits;      /* which limits a person's joints get */
    int body;              /* a person gets a body */
    int stand;             /* what has legs stands on them */
    lb_base base;          /* what carries the root, */
    double base_half[3];   /* and how far */
    const char *animation; /* which of a glTF file's; NULL: the first */
    const char *root;      /* the folder that included files may lie in; NULL: the file's own */
    int meshes;            /* hulls are made of the meshes that links collide by */
    char packages[4096];   /* folders that packages are looked for in, with colons between them */
    char found[4096];      /* what was read */
} cli_source;

/* Where the source's path leads, into found: a file, or else a model of that name. A model that is not there is an
 * error, with a suggestion. */
int cli_find_file(cli_source *source);
/* Reads the figure, and where clip is not NULL its motion (*clip is NULL where there is none); errors are printed. */
int cli_load(cli_source *source, cli_warnings *warnings, lb_figure **figure, lb_clip **clip);
/* --stature and --format (or whatever the option is called) into a source. */
int cli_read_source(const cli_command *command, const cli_arguments *arguments, const char *format_option,
                    cli_source *source);
/* --stand and --base. */
int cli_read_base(const cli_command *command, const cli_arguments *arguments, cli_source *source);
/* The folders that packages are looked for in: --packages, then those of LIMBER_PACKAGE_PATH, or of
 * ROS_PACKAGE_PATH. */
int cli_read_packages(const cli_command *command, const cli_arguments *arguments, char *text, size_t size);
/* --limits: which limits the joints of a person get. */
int cli_read_limits(const cli_command *command, const cli_arguments *arguments, lb_limits *limits);
/* --unit and --up: what one length unit of a BVH file is, and which axis is up. */
int cli_read_unit(const cli_command *command, const cli_arguments *arguments, cli_source *source);
/* --size, --camera and --zoom into a picture's options. */
int cli_read_camera(const cli_command *command, const cli_arguments *arguments, lb_render_options *picture);
/* A pose from 'elbow=90deg,spine.flexion=20deg' over the rest pose, moved into the limits with a note. *pose is to be
 * freed. */
int cli_read_pose(const lb_figure *figure, const char *text, double **pose);
/* The first of some places (ended by NULL) that holds the sample file: in the program's folder or one of those above. 0
 * where there is none. */
int cli_find_folder(const char *const *places, const char *sample, char *folder, size_t size);
/* The folder of the models that come with Limber; 0 where it is not found. */
int cli_models_folder(char *folder, size_t size);
/* The names in it, sorted; to be freed each and as a whole. */
char **cli_models_list(const char *folder, int *count);
void cli_names_free(char **names, int count);
/* Text without control characters, for a terminal. Cut at size. */
void cli_clean(const char *text, char *clean, size_t size);

/* --- solve*.c ----------------------------------------------------------------------------------------- */

/* One goal of the command line's small language, as JSON text of a constraint (or of a balance). Errors are printed. */
int cli_read_goal(const cli_command *command, const char *text, lbio_text *json, int *is_balance);
/* A string as JSON. */
void cli_quote(lbio_text *text, const char *value);

/* avoid.c: --avoid and --srdf as JSON behind a key, as a problem file has it; nothing where --avoid is not given. */
int cli_put_collisions(const cli_command *command, const cli_arguments *arguments, const char *key, lbio_text *json);
/* The same as a problem of the figure that keeps apart what they say; NULL where --avoid is not given. */
int cli_read_collisions(const cli_command *command, const cli_arguments *arguments, const cli_source *source,
                        const lb_figure *figure, lb_problem **problem);
/* Whether the first figure is posed as a body, if it has one. */
typedef struct cli_manner {
    const char *plain_option; /* the option that asks for the bare problem; NULL: none does */
    int has_body_options;     /* something is said about the body */
    int is_plain_body;        /* out: the figure has a body, but the bare problem is solved */
    double stature;           /* > 0: what the first figure is scaled to, whatever else says */
    int is_quiet;             /* 1: what is odd about the files is not said */
} cli_manner;
/* What the options say of it; a usage error where they contradict each other. */
int cli_solve_manner(const cli_command *command, const cli_arguments *arguments, cli_manner *manner);
/* NAME=VALUE,NAME=VALUE of an option as a member of that name, an object, with a comma before it; nothing where it is
 * not given. */
int cli_put_values(const cli_command *command, const cli_arguments *arguments, const char *option, lbio_text *json);
/* `body` as a member of a problem's JSON, with a comma before it. */
int cli_put_body(const cli_command *command, const cli_arguments *arguments, lbio_text *json);
/* The problem that the command line names, or asks itself. */
int cli_solve_load(const cli_command *command, const cli_arguments *arguments, cli_manner *manner,
                   lb_problem_file **file);
/* What the options say of solving, over what *o has; a usage error where they make no sense. */
int cli_solve_options(const cli_command *command, const cli_arguments *arguments, lb_solve_options *o);
/* What happened, for a person. */
typedef struct cli_outcome {
    lb_method method;
    const double *pose; /* NULL: its values are not listed */
    const lb_result *result;
    double time_us;
    int shows_all;            /* the values that did not move, too */
    int shows_why;            /* what holds a body where it is */
    const lb_solver *solver;  /* that has the body's results */
    const char *plain_option; /* the option for whose sake a figure with a body was posed without; NULL: none */
} cli_outcome;
void cli_solve_report(const lb_problem_file *file, lb_problem *problem, const cli_outcome *outcome);
/* What holds a body where it is: terms, contacts, efforts. */
void cli_solve_why(const lb_problem_file *file, const lb_problem *problem, const lb_solver *solver);
/* The values that were found: of a large figure only those that moved, unless shows_all. */
void cli_solve_values(const lb_problem_file *file, const lb_problem *problem, const double *pose, int shows_all);
/* The same for programs, in radians and metres. count >= 0: so many answers, numbered; -1: one pose. */
void cli_solve_csv(const lb_problem_file *file, const lb_problem *problem, int count, const double *poses,
                   lbio_text *csv);
/* A name as a field of CSV: in quotes where it has a comma, a quote or a line's end. */
void cli_csv_name(lbio_text *csv, const char *name);
/* Several answers, side by side: the variables that they move from the start. */
void cli_solve_list(const lb_problem *problem, const double *start, int count, const double *poses);
/* A picture of the answer with its goals. */
int cli_solve_draw(const lb_problem_file *file, lb_problem *problem, const double *pose, const lb_result *result,
                   const char *path);
/* Where a goal is: its point, and the rotation that its directions have. */
void cli_goal_frame(const lb_goal *goal, lb_frame *frame);
double cli_now_us(void);

/* --answers all: what finds every solution. */
typedef struct cli_every {
    const lb_problem *problem;
    lb_closed *closed; /* the caller destroys it */
    int held_before;   /* the segment that the chain begins behind, where not at the root; else -1 */
    int is_direct;     /* the solutions are those of `closed`; else the solver finds them by itself */
    char sentence[LB_ERROR_MESSAGE_SIZE]; /* what the closed form says of the goal */
} cli_every;
/* Makes it, with the options' deadline, or says why there is none. Where only a part of the chain has a closed form,
 * all else is made inactive. */
int cli_solve_every(lb_problem *problem, const double *start, const lb_solve_options *options, cli_every *every);
/* The solutions inside their limits as poses, at most so many. */
lb_status cli_solve_every_pose(cli_every *every, const double *start, int most, double *poses, int *count);
/* Adds what was held, and what each answer stands for, to the sentence of a result that was explained. Refuses a chain
 * of which the problem has some variable stand still. */
int cli_solve_every_explain(const cli_every *every, int count, lb_result *result);

/* --batch: many targets for one problem. */
typedef struct cli_batch {
    const char *path;   /* CSV of targets; NULL: none */
    const char *output; /* CSV of answers; NULL: standard output */
    int threads, is_quiet;
} cli_batch;
int cli_solve_batch(lb_problem_file *file, const lb_solve_options *options, const cli_batch *batch);
/* A length or an angle as a person says it: "3.1 cm", "0.02 deg". */
void cli_print_distance(double metres, char text[32]);
void cli_print_angle(double radians, char text[32]);
/* Microseconds: "240 us", "3.1 ms", "1.2 s". */
void cli_print_time(double us, char text[32]);

/* --- info.c, info_json.c ---------------------------------------------------------------------------- */

typedef struct cli_report_input {
    const lb_figure *figure;
    const lb_kinematics *kinematics; /* in the rest pose */
    const lb_clip *clip;             /* NULL: no motion */
    const cli_source *source;
    const cli_warnings *warnings;
    int has_variables;  /* list them */
    int has_sites;      /* list those where joints sit, too */
    const double *pose; /* what holds it is told; NULL: none was given */
} cli_report_input;

/* What stands and what joints bear in a pose: of `info --pose` and `solve --why`. */
void cli_print_statics(const lb_body *body, const lb_body_result *result);
/* What holds the pose of a report: *file and *solver belong to the caller, who frees them also where this fails. */
int cli_info_statics(const cli_report_input *input, lb_problem **problem, lb_solver **solver);

void cli_info_text(const cli_report_input *input);
/* A line that says whether it is a person, by its own body or by its names. */
void cli_info_person(const cli_report_input *input);
int cli_info_json(const cli_report_input *input);

/* Names of things: "segment.site", "joint.dof" or "joint", "group.parameter". */
void cli_site_name(const lb_figure *figure, int site, char *text, size_t size);
/* The name by which a goal finds a site, or a segment's own frame (site -1): as short as it can be; NULL where a site
 * of the same name hides the segment. */
const char *cli_effector_name(const lb_figure *figure, int segment, int site, char *text, size_t size);
/* [site]: whether a joint sits there; to be freed. NULL: no memory. */
unsigned char *cli_find_seats(const lb_figure *figure);
void cli_dof_name(const lb_figure *figure, const lb_dof_ref *ref, char *text, size_t size);
int cli_is_driven(const lb_figure *figure, int joint, int dof);

#endif
