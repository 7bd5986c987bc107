/* Figures and poses as the command line names them: files, standard input, models that come with Limber. */
#include "cli/cli.h"

#include "figure/suggest.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void cli_clean(const char *text, char *clean, size_t size) {
    size_t used = 0;
    for (const unsigned char *s = (const unsigned char *)text; *s && used + 1 < size; s++) {
        clean[used++] = *s < 0x20 || *s == 0x7f ? '?' : (char)*s; /* no escape sequences from files */
    }
    clean[used] = 0;
}

/* --- Warnings ------------------------------------------------------------------------------------ */

static void print_warning(const lb_error *warning) {
    char text[1024];
    if (warning->file[0] && warning->line > 0) {
        snprintf(text, sizeof text, "%s:%d: warning: %s", warning->file, warning->line, warning->message);
    } else {
        snprintf(text, sizeof text, "%s%swarning: %s", warning->file, warning->file[0] ? ": " : "", warning->message);
    }
    cli_fail(0, "%s", text);
}

void cli_warn(void *context, const lb_error *warning) {
    cli_warnings *warnings = context;
    if (warnings->is_loud) {
        print_warning(warning);
    }
    if (warnings->count == warnings->capacity) {
        int capacity = warnings->capacity ? 2 * warnings->capacity : 16;
        lb_error *items = realloc(warnings->items, (size_t)capacity * sizeof *items);
        if (!items) {
            return; /* a warning less, not a figure less */
        }
        warnings->items = items, warnings->capacity = capacity;
    }
    warnings->items[warnings->count++] = *warning;
}

void cli_warnings_free(cli_warnings *warnings) {
    free(warnings->items);
    memset(warnings, 0, sizeof *warnings);
}

/* --- Models that come with Limber ---------------------------------------------------------------- */

static int is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

int cli_find_folder(const char *const *places, const char *sample, char *folder, size_t size) {
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) {
        return 0;
    }
    program[length] = 0;
    /* Installed: bin/../share/limber/...; built in the source tree: some folders up. */
    for (int up = 0; up < 5; up++) {
        char *slash = strrchr(program, '/');
        if (!slash || slash == program) {
            return 0;
        }
        *slash = 0;
        for (int k = 0; places[k]; k++) {
            int written = snprintf(folder, size, "%s/%s", program, places[k]);
            char file[4200];
            snprintf(file, sizeof file, "%s/%s", folder, sample);
            if (written > 0 && (size_t)written < size && is_folder(folder) && access(file, R_OK) == 0) {
                return 1;
            }
        }
    }
    return 0;
}

int cli_models_folder(char *folder, size_t size) {
    static const char *const places[] = {"share/limber/models", "models", NULL};
    return cli_find_folder(places, "human.fig", folder, size);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void cli_names_free(char **names, int count) {
    for (int k = 0; k < count; k++) {
        free(names[k]);
    }
    free(names);
}

char **cli_models_list(const char *folder, int *count) {
    DIR *dir = opendir(folder);
    char **names = NULL;
    int capacity = 0;
    *count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".fig") != 0) {
            continue;
        }
        if (*count == capacity) {
            char **bigger = realloc(names, (size_t)(capacity += 32) * sizeof *names);
            if (!bigger) {
                break;
            }
            names = bigger;
        }
        char *name = malloc(length - 3);
        if (!name) {
            break;
        }
        memcpy(name, entry->d_name, length - 4);
        name[length - 4] = 0;
        names[(*count)++] = name;
    }
    if (dir) {
        closedir(dir);
    }
    if (names) {
        qsort(names, (size_t)*count, sizeof *names, by_name);
    }
    return names;
}

/* --- Loading ------------------------------------------------------------------------------------- */

int cli_find_file(cli_source *source) {
    struct stat info;
    char folder[2048];
    snprintf(source->found, sizeof source->found, "%s", source->path);
    if (strcmp(source->path, "-") == 0 || strncmp(source->path, "chain:", 6) == 0 || stat(source->path, &info) == 0 ||
        strchr(source->path, '/') || !cli_models_folder(folder, sizeof folder)) {
        return CLI_OK;
    }
    int count, length = (int)strlen(source->path), code = CLI_OK;
    length -= length > 4 && strcmp(source->path + length - 4, ".fig") == 0 ? 4 : 0;
    char name[256];
    snprintf(name, sizeof name, "%.*s", length, source->path);
    char **names = cli_models_list(folder, &count);
    int is_model = 0;
    for (int k = 0; k < count; k++) {
        is_model |= strcmp(names[k], name) == 0;
    }
    const char *near_name = cli_nearest(name, (const char *const *)names, count);
    if (is_model) {
        snprintf(source->found, sizeof source->found, "%s/%s.fig", folder, name);
    } else if (near_name) {
        code = cli_fail(CLI_BAD_INPUT, "%s: there is no such file or model; did you mean the model `%s`?", source->path,
                        near_name);
    }
    cli_names_free(names, count);
    return code;
}

#define MOST_MOTION ((size_t)1 << 30) /* bytes of a file with motion: a million frames and more */

int cli_load(cli_source *source, cli_warnings *warnings, lb_figure **figure, lb_clip **clip) {
    lb_load_options options;
    lb_error error;
    int code = cli_find_file(source);
    if (code) {
        return code;
    }
    lb_load_options_defaults(&options);
    options.format = source->format;
    options.stature = source->stature;
    options.anatomical_limits = source->anatomical;
    options.limits = source->anatomical ? LB_LIMITS_ANATOMICAL : source->limits;
    options.body = source->body;
    options.stand = source->stand;
    options.base = source->base;
    memcpy(options.base_half, source->base_half, sizeof options.base_half);
    options.animation = source->animation;
    options.root = source->root;
    options.meshes = source->meshes;
    options.packages = source->meshes ? source->packages : NULL; /* the environment's folders alone ask for none */
    options.unit = source->unit;
    options.bvh_up = source->bvh_up;
    options.warn = cli_warn, options.warn_context = warnings;
    options.max_bytes = clip ? MOST_MOTION : options.max_bytes;
    lb_status status = clip ? lb_clip_load(source->found, &options, figure, clip, &error)
                            : lb_figure_load(source->found, &options, figure, &error);
    return status ? cli_report(CLI_BAD_INPUT, &error) : CLI_OK;
}

int cli_read_packages(const cli_command *command, const cli_arguments *arguments, char *text, size_t size) {
    const char *given = cli_value(command, arguments, "packages"), *path = getenv("LIMBER_PACKAGE_PATH");
    path = path ? path : getenv("ROS_PACKAGE_PATH");
    given = given ? given : "";
    path = path ? path : "";
    if (strlen(given) + strlen(path) + 2 > size) {
        return cli_fail(CLI_BAD_USAGE, "the list of folders for packages is longer than %zu characters", size - 2);
    }
    snprintf(text, size, "%s%s%s", given, *given && *path ? ":" : "", path);
    return CLI_OK;
}

int cli_read_base(const cli_command *command, const cli_arguments *arguments, cli_source *source) {
    static const lbio_unit units[3] = {LBIO_LENGTH, LBIO_LENGTH, LBIO_ANGLE};
    const char *text = cli_value(command, arguments, "base");
    char copy[200], *at = copy;
    source->stand = cli_has(command, arguments, "stand");
    if (!text) {
        return CLI_OK;
    }
    source->base = LB_BASE_PLANAR;
    snprintf(copy, sizeof copy, "%s", strncmp(text, "planar=", 7) == 0 ? text + 7 : "");
    int is_wrong = !*copy && strcmp(text, "planar") != 0, count = 0;
    at = *copy ? copy : NULL;
    for (char *item; !is_wrong && (item = cli_next_item(&at)); count++) {
        is_wrong = count == 3 || lbio_read_quantity(item, units[count], &source->base_half[count]) ||
                   !(source->base_half[count] >= 0);
    }
    return is_wrong ? cli_usage(command,
                                "`--base %s` is none; write planar, or planar=2m,1m,90deg for how far it drives", text)
                    : CLI_OK;
}

int cli_read_source(const cli_command *command, const cli_arguments *arguments, const char *format_option,
                    cli_source *source) {
    const char *stature = cli_value(command, arguments, "stature"),
               *format = cli_value(command, arguments, format_option);
    memset(source, 0, sizeof *source);
    source->path = arguments->operands[0];
    source->anatomical = cli_has(command, arguments, "anatomical");
    source->animation = cli_value(command, arguments, "animation");
    source->root = cli_value(command, arguments, "root");
    int code = cli_read_packages(command, arguments, source->packages, sizeof source->packages);
    code = code ? code : cli_read_unit(command, arguments, source);
    code = code ? code : cli_read_base(command, arguments, source);
    if (code) {
        return code;
    }
    source->meshes = cli_has(command, arguments, "packages") || cli_has(command, arguments, "avoid");
    if (stature && (cli_read_length(stature, &source->stature) || !(source->stature > 0))) {
        return cli_usage(command, "`--stature %s` is no height; write it as 1.55m or 155cm", stature);
    }
    return format ? cli_read_format(command, format_option, format, &source->format) : CLI_OK;
}

/* --- Poses --------------------------------------------------------------------------------------- */

/* A value with deg, rad or a length's unit, as the variable has it. Without a unit: radians or metres. */
static int read_pose_value(const char *text, const lb_variable *variable, double *value) {
    const char *rest = lbio_number(text, text + strlen(text), value);
    if (!rest) {
        return -1;
    }
    rest += strspn(rest, " ");
    if (!variable->is_angle) {
        return cli_read_length(text, value);
    }
    if (strcmp(rest, "deg") == 0) {
        *value *= 3.14159265358979323846 / 180;
        return 0;
    }
    if (*rest == 0 && fabs(*value) > 6.3) {
        cli_note("%s=%s was read as radians; write %sdeg for degrees", variable->name, text, text);
    }
    return *rest == 0 || strcmp(rest, "rad") == 0 ? 0 : -1;
}

static int unknown_variable(const lb_figure *figure, const char *name) {
    char text[LBF_SUGGESTION_TEXT];
    lbf_suggestions near_names;
    int joint = lb_figure_find_joint(figure, name);
    if (joint >= 0 && lb_joint_type_dof_count(&lb_figure_joint(figure, joint)->type) > 1) {
        return cli_fail(CLI_BAD_INPUT, "--pose: `%s` has several dofs; name one, as in `%s.%s`", name, name,
                        lb_figure_joint(figure, joint)->dof_names[0]);
    }
    if (joint >= 0) {
        return cli_fail(CLI_BAD_INPUT, "--pose: `%s` does not move by itself: it is fixed, frozen or driven by others",
                        name);
    }
    lbf_suggest_begin(&near_names, name);
    for (int k = 0; k < lb_figure_variable_count(figure); k++) {
        lbf_suggest_offer(&near_names, lb_figure_variable(figure, k)->name, lb_figure_variable(figure, k)->name);
    }
    return cli_fail(CLI_BAD_INPUT, "--pose: the figure has no variable `%s`; %s", name,
                    *lbf_suggest_text(&near_names, text) ? text : "`limber info --variables` lists them");
}

/* One NAME=VALUE. */
static int set_variable(const lb_figure *figure, char *text, double *pose) {
    char *equals = strrchr(text, '='), *name = text + strspn(text, " ");
    if (!equals) {
        return cli_fail(CLI_BAD_USAGE, "--pose: `%s` is not NAME=VALUE; write it as elbow=90deg,hip.rx=20deg", text);
    }
    *equals = 0;
    for (char *end = equals; end > name && end[-1] == ' ';) {
        *--end = 0;
    }
    int variable = lb_figure_find_variable(figure, cli_unquote(name));
    if (variable < 0) {
        return unknown_variable(figure, name);
    }
    const lb_variable *v = lb_figure_variable(figure, variable);
    const char *value = equals + 1 + strspn(equals + 1, " ");
    if (read_pose_value(value, v, &pose[variable])) {
        return cli_fail(CLI_BAD_USAGE, "--pose: `%s` is no %s for `%s`; write it as %s", value,
                        v->is_angle ? "angle" : "length", name, v->is_angle ? "90deg or 1.57" : "10cm or 0.1");
    }
    return CLI_OK;
}

/* Moves the pose into the limits; says what moved. */
static int keep_limits(const lb_figure *figure, double *pose) {
    int count = lb_figure_variable_count(figure), told = 0;
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    double *asked = malloc(((size_t)count + 1) * sizeof *asked);
    lb_status status = kinematics && asked ? LB_OK : LB_ERROR_MEMORY;
    if (!status) {
        memcpy(asked, pose, (size_t)count * sizeof *asked);
        status = lb_figure_violation(figure, pose) > 1e-9 ? lb_kinematics_project(kinematics, pose) : LB_OK;
    }
    for (int k = 0; !status && k < count; k++) {
        const lb_variable *v = lb_figure_variable(figure, k);
        char from[32], to[32];
        if (fabs(pose[k] - asked[k]) > 1e-9 && told++ < 8) {
            cli_print_value(asked[k], v->is_angle, from);
            cli_print_value(pose[k], v->is_angle, to);
            cli_note("%s was moved from %s to %s to keep its limits", v->name, from, to);
        }
    }
    if (told > 8) {
        cli_note("%d more variables were moved to keep their limits", told - 8);
    }
    lb_kinematics_destroy(kinematics);
    free(asked);
    return status
               ? cli_fail(CLI_BAD_INPUT, "--pose: the pose cannot be moved into the limits: %s", lb_status_text(status))
               : CLI_OK;
}

int cli_read_pose(const lb_figure *figure, const char *text, double **pose) {
    int code = CLI_OK;
    char *copy = malloc(strlen(text) + 1);
    double *values = malloc(((size_t)lb_figure_variable_count(figure) + 1) * sizeof *values);
    if (copy && values) {
        strcpy(copy, text);
        lb_figure_rest_pose(figure, values);
    } else {
        code = cli_fail(CLI_BAD_INPUT, "no memory for the pose");
    }
    char *at = copy && *copy ? copy : NULL;
    for (char *item; !code && (item = cli_next_item(&at));) {
        code = set_variable(figure, item, values);
    }
    code = code ? code : keep_limits(figure, values);
    free(copy);
    if (code) {
        free(values);
        return code;
    }
    *pose = values;
    return CLI_OK;
}

int cli_read_limits(const cli_command *command, const cli_arguments *arguments, lb_limits *limits) {
    static const char *const names[] = {"file", "auto", "anatomical", "none"}; /* as lb_limits */
    const char *text = cli_value(command, arguments, "limits");
    for (int i = 0; text && i < 4; i++) {
        if (strcmp(text, names[i]) == 0) {
            *limits = (lb_limits)i;
            return CLI_OK;
        }
    }
    return text ? cli_usage(command, "`--limits %s`: there are file, anatomical, none and auto", text) : CLI_OK;
}

int cli_read_unit(const cli_command *command, const cli_arguments *arguments, cli_source *source) {
    const char *unit = cli_value(command, arguments, "unit");
    if (unit && (cli_read_length(unit, &source->unit) || !(source->unit > 0))) {
        return cli_usage(command, "`--unit %s` is no length; write it as 1cm or 1in", unit);
    }
    static const char *const ups[] = {"auto", "y", "z"}; /* as lb_bvh_up */
    const char *up = cli_value(command, arguments, "up");
    for (int i = 0; up && i < 3; i++) {
        if (strcmp(up, ups[i]) == 0) {
            source->bvh_up = (lb_bvh_up)i;
            return CLI_OK;
        }
    }
    return up ? cli_usage(command, "`--up %s` is no axis; write y, z or auto", up) : CLI_OK;
}

int cli_read_camera(const cli_command *command, const cli_arguments *arguments, lb_render_options *picture) {
    const char *size = cli_value(command, arguments, "size"), *camera = cli_value(command, arguments, "camera");
    const char *zoom = cli_value(command, arguments, "zoom");
    double angles[2];
    if (size && cli_read_size(size, &picture->width, &picture->height)) {
        return cli_usage(command, "`--size %s` is no size; write it as 800x600", size);
    }
    if (camera) {
        if (cli_read_numbers(camera, 2, angles)) {
            return cli_usage(
                command, "`--camera %s` is no direction; write it as 35,15 (azimuth, elevation in degrees)", camera);
        }
        picture->has_camera = 1, picture->azimuth_deg = angles[0], picture->elevation_deg = angles[1];
    }
    if (zoom && (cli_read_numbers(zoom, 1, &picture->zoom) || !(picture->zoom > 0))) {
        return cli_usage(command, "`--zoom %s` is no factor; write it as 1.5", zoom);
    }
    return CLI_OK;
}
