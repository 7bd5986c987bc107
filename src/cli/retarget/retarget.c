/* limber retarget: one figure's motion for another. */
#include "cli/cli.h"
#include "cli/film.h"
#include "cli/output.h"
#include "cli/retarget/retarget_map.h"
#include "io/clip_table.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"to", 't', "FIGURE",
     "who is to move: a character (.glb, .vrm), a humanoid robot (.urdf, .xml), or any figure with legs (needed)"},
    {"output", 'o', "OUT",
     "the motion: .glb, .bvh or .csv; or pictures of it: a name with a number in it, as in frames/%04d.png (needed)"},
    {"fps", 0, "N", "frames a second (default: those of the file)"},
    {"from", 0, "SECONDS", "where to begin (default: 0)"},
    {"until", 0, "SECONDS", "where to end (default: the end of the motion)"},
    {"rate", 0, "N", "how fast it goes: 2 is twice as fast, 0.5 half as fast (default: 1)"},
    {"map", 0, "A=B",
     "the file's bone A is the figure's bone B, where names do not tell; or a file of such lines; several may be "
     "given"},
    {"save-map", 0, "FILE", "write which bones are which, to change it and give it to --map"},
    {"no-feet", 0, NULL, "feet that stand may slide"},
    {"smooth", 0, NULL, "solve all frames as one problem, so that nothing jumps (the default)"},
    {"no-smooth", 0, NULL, "solve each frame from the one before"},
    {"no-apart", 0, NULL, "a robot's segments may overlap"},
    {"packages", 0, "FOLDERS", "look for a robot's package://... meshes in these folders, with colons between them"},
    {"limits", 0, "WHICH", "of a character's joints: those of its file (the default), anatomical, none, or auto"},
    {"anatomical", 0, NULL, "another name of --limits anatomical"},
    {"unit", 'u', "LENGTH",
     "what one length unit of the file is: of BVH, read or written (1cm), or glTF (1m); default: or what a person's "
     "legs tell"},
    {"up", 0, "AXIS", "which axis of a BVH file is up: y, z or auto (default: auto, by how a person stands in it)"},
    {"animation", 0, "NAME", "which animation of a glTF file: a name or a number (default: the first)"},
    {"format", 'f', "FORMAT", "read the motion as bvh or gltf, whatever its name"},
    CLI_FILM_OPTIONS,
    CLI_FORCE_OPTION,
    {"quiet", 'q', NULL, "print nothing but errors"},
    {NULL, 0, NULL, NULL},
};

typedef struct retarget {
    const char *out;
    cli_kind kind; /* of what is written */
    cli_source source, target;
    lb_figure *figures[2];
    lb_clip *loaded, *clip, *result; /* as read; at the times of the frames that are wanted; for the target */
    int first, count;                /* the frames of clip that are wanted */
    double begin;                    /* seconds: before it is a pose that is no part of the motion */
    double rate;                     /* seconds of the file for each that comes out */
    lb_body_map map;
    lb_retarget_report report;
    lb_render_options picture;
    int is_robot; /* the target is made of hinges */
    int is_quiet;
} retarget;

/* --- What goes in ------------------------------------------------------------------------------------ */

static int load(retarget *r) {
    cli_warnings warnings = {.is_loud = 1};
    int code = cli_load(&r->source, &warnings, &r->figures[0], &r->loaded);
    if (!code && !r->loaded) {
        code = cli_fail(CLI_BAD_INPUT, "%s: has no motion; give BVH or glTF with frames", r->source.found);
    }
    code = code ? code : cli_load(&r->target, &warnings, &r->figures[1], NULL);
    cli_warnings_free(&warnings);
    if (!code) { /* a robot whose file has it fixed to the world goes where the motion goes */
        lb_error error;
        lb_figure *moving = lb_humanoid_free_root(r->figures[1], &error);
        if (moving) {
            lb_figure_destroy(r->figures[1]);
            r->figures[1] = moving;
            r->is_robot = 1;
        }
    }
    return code;
}

#define LEAST_RATE 0.01

static int read_rate(const cli_command *command, const cli_arguments *arguments, retarget *r) {
    const char *text = cli_value(command, arguments, "rate");
    r->rate = 1;
    if (text && (cli_read_numbers(text, 1, &r->rate) || !(r->rate >= LEAST_RATE && r->rate <= 1 / LEAST_RATE))) {
        return cli_usage(command, "`--rate %s` is no number between %g and %g", text, LEAST_RATE, 1 / LEAST_RATE);
    }
    return CLI_OK;
}

/* The times of the frames that are wanted, in seconds of the file. */
static int read_times(const cli_command *command, const cli_arguments *arguments, retarget *r, cli_frames *frames) {
    int code = read_rate(command, arguments, r);
    code =
        code ? code
             : cli_read_frames(command, arguments, lb_clip_duration(r->loaded), lb_clip_frame_time(r->loaded), frames);
    if (code) {
        return code;
    }
    if (r->rate != 1) { /* as many a second come out, and they are so much farther apart in the file */
        frames->count = 1 + (int)floor((frames->count - 1) / r->rate + 1e-6);
        frames->step *= r->rate;
    }
    r->begin = lb_clip_first_frame(r->loaded) == 1 ? lb_clip_frame_time(r->loaded) : 0;
    if (!cli_has(command, arguments, "from") && r->begin > 0 && frames->count > 1) {
        frames->from = r->begin;
        frames->count -= frames->from + (frames->count - 1) * frames->step > lb_clip_duration(r->loaded) + 1e-6;
        cli_note("the first frame is a pose to begin with, and left out; --from 0 keeps it");
    }
    return CLI_OK;
}

/* The frames that are wanted, among all others that are as far apart: those tell where feet stand. */
static int cut(const cli_command *command, const cli_arguments *arguments, retarget *r) {
    cli_frames frames;
    int code = read_times(command, arguments, r, &frames);
    if (code) {
        return code;
    }
    const double begin = frames.from > 0 ? r->begin : 0;
    const double before = (frames.from - begin) / frames.step;
    const double after = (lb_clip_duration(r->loaded) - frames.from) / frames.step - (frames.count - 1);
    r->first = before > 0 ? (int)(before + 1e-6) : 0;
    r->count = frames.count;
    int all = r->first + r->count + (after > 0 ? (int)(after + 1e-6) : 0);
    r->clip = lb_clip_create(r->figures[0], all, frames.step, NULL);
    if (!r->clip) {
        return cli_fail(CLI_BAD_INPUT, "no memory for %d frames", all);
    }
    for (int f = 0; f < all; f++) {
        const double time = frames.from + (f - r->first) * frames.step, at = time / lb_clip_frame_time(r->loaded);
        const int frame = (int)floor(at + 0.5);
        if (fabs(at - frame) < 1e-9 && frame >= 0 && frame < lb_clip_frame_count(r->loaded)) { /* the file's own */
            memcpy(lb_clip_pose(r->clip, f), lb_clip_const_pose(r->loaded, frame),
                   (size_t)lb_figure_variable_count(r->figures[0]) * sizeof(double));
        } else if (lb_clip_sample(r->loaded, time, LB_INTERPOLATION_LINEAR, lb_clip_pose(r->clip, f), NULL, NULL)) {
            return cli_fail(CLI_BAD_INPUT, "%s: has values that are not finite numbers", r->source.found);
        }
    }
    lb_clip_destroy(r->loaded); /* long motions are large */
    r->loaded = NULL;
    return CLI_OK;
}

static int map_bones(const cli_command *command, const cli_arguments *arguments, retarget *r) {
    cli_bones bones = {command, {r->figures[0], r->figures[1]}, {r->source.found, r->target.found}, &r->map};
    const char *path = cli_value(command, arguments, "save-map"), *text;
    int code = lb_body_map_human(r->figures[0], r->figures[1], &r->map)
                   ? cli_fail(CLI_BAD_INPUT, "no memory for the names")
                   : CLI_OK;
    for (int at = 0; !code && (text = cli_next(command, arguments, "map", &at));) {
        code = strchr(text, '=') ? cli_map_bone(&bones, text) : cli_map_file(&bones, text);
    }
    return code || !path ? code : cli_save_map(&bones, path);
}

/* --- What comes out ---------------------------------------------------------------------------------- */

static int on_frame(void *context, int frame) {
    const retarget *r = context;
    if (!r->is_quiet) {
        cli_show_bar(frame - r->first, r->count);
    }
    return 0;
}

/* The same frames, at the rate that is wanted. */
static int change_rate(retarget *r) {
    const double step = lb_clip_frame_time(r->result) / r->rate;
    if (r->rate == 1) {
        return CLI_OK;
    }
    lb_clip *changed = lb_clip_create(r->figures[1], r->count, step, NULL);
    for (int f = 0; changed && f < r->count; f++) {
        memcpy(lb_clip_pose(changed, f), lb_clip_const_pose(r->result, f),
               (size_t)lb_figure_variable_count(r->figures[1]) * sizeof(double));
    }
    lb_clip_destroy(r->result);
    r->result = changed;
    return changed ? CLI_OK : cli_fail(CLI_BAD_INPUT, "no memory for %d frames", r->count);
}

static int carry_over(const cli_command *command, const cli_arguments *arguments, retarget *r) {
    lb_retarget_options how;
    lb_error error;
    lb_retarget_options_defaults(&how);
    how.hold_feet = !cli_has(command, arguments, "no-feet");
    how.smooth = !cli_has(command, arguments, "no-smooth");
    how.keep_apart = !cli_has(command, arguments, "no-apart");
    how.keep_first_frame = 1; /* what is left out is not there any more */
    lb_retarget_report_defaults(&r->report);
    how.on_frame = on_frame, how.on_frame_context = r;
    how.first_frame = r->first, how.frame_count = r->count;
    r->result = lb_retarget(r->clip, r->figures[1], &r->map, &how, &r->report, &error);
    if (!r->is_quiet) {
        cli_show_bar(1, 1);
    }
    if (r->result) {
        return change_rate(r);
    }
    lb_error why;
    int parts[LB_BODY_PART_COUNT];
    const int is_no_humanoid =
        r->is_robot && r->map.target[LB_BODY_PART_PELVIS] < 0 && lb_humanoid_find(r->figures[1], parts, &why) != LB_OK;
    return cli_fail(CLI_BAD_INPUT,
                    "%s (source: %s, target: %s; --map A=B helps where names do not; --save-map FILE lists all bones)",
                    is_no_humanoid ? why.message : error.message, r->source.found, r->target.found);
}

static int is_gltf(const cli_source *source) {
    return (source->format ? source->format : lb_format_from_path(source->found)) == LB_FORMAT_GLTF;
}

/* The animation that a character's file gets is called as the motion's file is, without folder and ending; NULL where
 * that cannot be written. */
static const char *name_animation(const char *path, char name[64]) {
    const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path, *dot = strrchr(from, '.');
    const int length = dot && dot > from ? (int)(dot - from) : (int)strlen(from);
    snprintf(name, 64, "%.*s", length < 63 ? length : 63, from);
    for (const char *c = name; *c; c++) {
        if (*c < ' ' || *c > '~') {
            return NULL;
        }
    }
    return *name && strcmp(name, "-") != 0 ? name : NULL;
}

static int write_table(const lb_clip *clip, const char *path) {
    lbio_text text = {0};
    lbio_clip_table(clip, &text);
    return cli_write_text(path, &text, "the table");
}

static int write_motion(retarget *r) {
    cli_warnings warnings = {.is_loud = 1};
    lb_save_options save;
    lb_error error;
    char name[64];
    if (r->kind == CLI_KIND_PICTURE) {
        const cli_frames frames = {0, lb_clip_frame_time(r->result), lb_clip_frame_count(r->result)};
        return cli_film_draw_clip(r->result, &frames, r->out, &r->picture, r->is_quiet);
    }
    if (r->kind == CLI_KIND_CSV) {
        return write_table(r->result, r->out);
    }
    lb_save_options_defaults(&save);
    save.bvh_unit = r->source.unit > 0 ? r->source.unit : save.bvh_unit;
    save.warn = cli_warn, save.warn_context = &warnings;
    lb_status status = is_gltf(&r->target) && r->kind == CLI_KIND_GLTF
                           ? lb_gltf_save_animation(r->target.found, r->result, name_animation(r->source.found, name),
                                                    r->out, &save, &error)
                           : lb_clip_save(r->result, r->out, &save, &error);
    cli_warnings_free(&warnings);
    return cli_written(status, &error);
}

/* Says what is over its bound; CLI_DOUBTFUL if anything is. */
static int judge(const retarget *r) {
    lb_retarget_verdict verdict;
    lb_retarget_verdict_defaults(&verdict);
    if (lb_retarget_judge(&r->report, NULL, &verdict) || verdict.count == 0) {
        return CLI_OK;
    }
    cli_fail(CLI_OK, "warning: %s: %s", r->target.found, verdict.explanation);
    return CLI_DOUBTFUL;
}

static const char *limb_name(int part) {
    static const char *const names[] = {"left upper arm", "right upper arm", "left forearm", "right forearm",
                                        "left hand",      "right hand",      "left thigh",   "right thigh",
                                        "left shank",     "right shank"};
    int index = part - LB_BODY_PART_UPPER_ARM;
    return index >= 0 && index < (int)(sizeof names / sizeof names[0]) ? names[index] : "limb";
}

/* Prints the variables between a segment and the root that are at a limit in a pose. */
static void print_limits(const lb_figure *figure, int segment, const double *pose) {
    int count = 0;
    for (int at = segment; at >= 0; at = lb_figure_parent_segment(figure, at)) {
        int joint = lb_figure_parent_joint(figure, at);
        for (int v = 0; v < lb_figure_variable_count(figure); v++) {
            const lb_variable *variable = lb_figure_variable(figure, v);
            if (joint >= 0 && variable->ref.joint == joint && variable->ref.parameter < 0 &&
                variable->lower < variable->upper &&
                (pose[v] <= variable->lower + 1e-6 || pose[v] >= variable->upper - 1e-6)) {
                printf("%s%s", count++ ? ", " : "; at a limit: ", variable->name);
            }
        }
    }
}

/* How fast a robot's joints go; a file without limits of speed has 25 rad/s (docs/retarget.md). */
static void report_speeds(const retarget *r) {
    const lb_retarget_report *made = &r->report;
    int limited = 0;
    for (int v = 0; v < lb_figure_variable_count(r->figures[1]); v++) {
        limited += isfinite(lb_figure_variable(r->figures[1], v)->velocity);
    }
    if (limited) {
        printf("speeds at most %.0f%% of their limits, which hold", 100 * made->speed);
    } else {
        printf("no limits of speed in the file; 25 rad/s hold");
    }
    printf(" joints back in %d frames", made->limited_frames);
}

/* Where the worst limb is, and what holds it. */
static void report_worst(const retarget *r) {
    const lb_retarget_report *made = &r->report;
    if (made->worst_part < 0) {
        return;
    }
    printf("at worst: the %s at %.2f s", limb_name(made->worst_part),
           made->worst_frame * lb_clip_frame_time(r->result));
    print_limits(r->figures[1], r->map.target[made->worst_part + 2], lb_clip_const_pose(r->result, made->worst_frame));
    printf("\n");
}

static void report_measures(const retarget *r) {
    const lb_retarget_report *made = &r->report;
    const double degree = 3.14159265358979323846 / 180;
    printf("limbs %.1f deg off on average, %.0f at worst; wrists %.1f%% of the arm, ankles %.1f%% of the leg\n",
           made->limb_mean / degree, made->limb_worst / degree, 100 * made->wrist_mean, 100 * made->ankle_mean);
    report_worst(r);
    if (made->is_robot) {
        char deep[32], below[32];
        cli_print_distance(made->penetration, deep);
        cli_print_distance(made->below, below);
        report_speeds(r);
        printf("; soles tilted by %.1f deg at most, %s below the floor\n", made->tilt / degree, below);
        printf("segments overlap by %s at most", deep);
        if (made->overlap_a >= 0) {
            printf(": %s and %s at %.2f s; by more than 1 mm in %d frames",
                   lb_figure_segment(r->figures[1], made->overlap_a)->name,
                   lb_figure_segment(r->figures[1], made->overlap_b)->name,
                   made->overlap_frame * lb_clip_frame_time(r->result), made->overlapping_frames);
        }
        printf("\n");
    }
    printf("largest turn in a frame %.2f times the motion's, largest step of the hips %.2f times; %.1f%% of values at "
           "a limit\n",
           made->jump, made->hips_step, 100 * made->at_limits);
    if (made->reference_frame >= 0) {
        printf("the file's skeleton does not stand at rest: frame %d, where it does most, takes its place\n",
               made->reference_frame);
    }
}

static void report(const retarget *r) {
    char seconds[32], rate[32], slide[32];
    double worst = 0;
    if (r->is_quiet || strcmp(r->out, "-") == 0) {
        return;
    }
    for (int f = 0; f < lb_clip_frame_count(r->result); f++) {
        worst = fmax(worst, lb_figure_violation(r->figures[1], lb_clip_const_pose(r->result, f)));
    }
    cli_print_number(lb_clip_duration(r->result), seconds);
    cli_print_number(floor(10 / lb_clip_frame_time(r->result) + 0.5) / 10, rate);
    cli_print_distance(r->report.slide, slide);
    printf("%d frames, %s s, %s a second: %s\n", lb_clip_frame_count(r->result), seconds, rate, r->out);
    printf("limits %s", worst < 1e-9 ? "hold" : "do not hold");
    if (r->report.contact_count > 0) {
        printf("; feet that stand (%d contacts) slide at most %s a frame, %.2g m/s", r->report.contact_count, slide,
               r->report.slide_speed);
    }
    printf("\n");
    report_measures(r);
}

/* What is written, and how much of a robot's meshes that needs: hulls that its arms keep out of, and what is to be
 * seen. */
static int read_output(const cli_command *command, const cli_arguments *arguments, retarget *r) {
    cli_output to;
    int code = cli_read_output(command, "-o", r->out, CLI_KIND_CSV | CLI_KIND_BVH | CLI_KIND_GLTF | CLI_KIND_PICTURE,
                               CLI_KIND_CSV, &to);
    r->kind = to.kind;
    r->target.meshes = r->kind & (CLI_KIND_PICTURE | CLI_KIND_GLTF) ? 2 : 1;
    code = code ? code : cli_read_film(command, arguments, &to, &r->picture);
    return code ? code : cli_claim_output(command, cli_value(command, arguments, "save-map"));
}

/* Before what takes long: neither file is one of those that were read. */
static int check_outputs(const cli_command *command, const cli_arguments *arguments, const retarget *r) {
    const char *map = cli_value(command, arguments, "save-map");
    const int code = r->kind == CLI_KIND_PICTURE ? CLI_OK : cli_check_output(r->out);
    return code ? code : cli_check_output(map);
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    retarget r = {.out = cli_value(command, arguments, "output"), .is_quiet = cli_has(command, arguments, "quiet")};
    int code = cli_read_source(command, arguments, "format", &r.source);
    r.target = (cli_source){.path = cli_value(command, arguments, "to"),
                            .limits = r.source.anatomical ? LB_LIMITS_ANATOMICAL : LB_LIMITS_FILE};
    if (!code && !r.target.path) {
        code = cli_usage(command, "needs `--to FIGURE`: who is to move");
    }
    if (!code && !r.out) {
        code = cli_usage(command, "needs `-o OUT`: where does the motion go");
    }
    code = code ? code : cli_read_limits(command, arguments, &r.target.limits);
    code = code ? code : cli_read_packages(command, arguments, r.target.packages, sizeof r.target.packages);
    r.source.anatomical = 0;
    r.target.unit = lb_format_from_path(r.target.path ? r.target.path : "") == LB_FORMAT_GLTF ? 0 : r.source.unit;
    r.target.bvh_up = r.source.bvh_up;
    code = code ? code : read_output(command, arguments, &r);
    code = code ? code : load(&r);
    code = code ? code : check_outputs(command, arguments, &r);
    code = code ? code : cut(command, arguments, &r);
    code = code ? code : map_bones(command, arguments, &r);
    code = code ? code : carry_over(command, arguments, &r);
    lb_clip_destroy(r.clip);
    code = code ? code : write_motion(&r);
    if (!code) {
        report(&r);
        code = judge(&r);
    }
    lb_clip_destroy(r.result);
    lb_clip_destroy(r.loaded);
    lb_figure_destroy(r.figures[0]);
    lb_figure_destroy(r.figures[1]);
    return code;
}

const cli_command cli_retarget = {
    .name = "retarget",
    .synopsis = "FILE --to FIGURE -o OUT",
    .summary = "carry a motion over to another figure",
    .text = "FILE is motion capture (BVH) or an animated character (glTF), FIGURE any figure with\n"
            "legs: a character (.glb, .vrm), models/human.fig, a humanoid robot (URDF, MJCF).\n"
            "Proportions and rest poses may differ; both stand upright at rest, and bones are\n"
            "recognised by their names, robots by their structure. Feet that stand in FILE\n"
            "stand; robots keep limits of speed, too, and arms out of their bodies. A\n"
            "character's own file gets another animation, called as FILE is; all else in it stays\n"
            "as it is. Where what came out is off by more than stated bounds (docs/retarget.md),\n"
            "that is said, and the exit code is 5.\n\n"
            "  limber retarget walk.bvh --to character.glb -o walking.glb\n"
            "  limber retarget walk.bvh --to human -o human.bvh --until 2.5\n"
            "  limber retarget walk.bvh --to h1.urdf -o h1.csv --no-smooth\n"
            "  limber retarget walk.bvh --to h1.urdf -o frames/%04d.png --fps 12",
    .options = options,
    .least_operands = 1,
    .most_operands = 1,
    .run = run,
};
