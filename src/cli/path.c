/* limber path: an end-effector along a line or a list of frames, within the joints' limits of speed. */
#include "cli/film.h"
#include "cli/output.h"
#include "cli/reach/reach.h"
#include "cli/solve/solve_goal.h"

#include <limber/path.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"line", 'l', "A B",
     "from A to B: x,y,z, perhaps with `rpy r,p,y` or `quaternion x,y,z,w`, in quotes; A may be start"},
    {"points", 'p', "FILE", "the frames to go through, as CSV: x,y,z and perhaps qx,qy,qz,qw"},
    {"effector", 'e', "NAME", "what goes there: a site or segment (default: the segment at the end of the only chain)"},
    {"start", 's', "VALUES", "variables that differ from rest at the start, as in elbow=90deg"},
    {"from-start", 0, NULL, "begin in the start pose itself, which must be at the first frame"},
    {"speed", 0, "SPEED", "the largest of the end-effector, in metres a second, as in 0.25 or 25cm"},
    {"turn-speed", 0, "SPEED", "the same of its turning, in radians a second, or as in 90deg"},
    {"share", 0, "SHARE",
     "the share of the joints' velocity and acceleration limits to use, above 0 to 1 (default: 1)"},
    {"period", 0, "SECONDS", "between the poses (default: 0.01)"},
    {"corner", 0, "ANGLE", "where the way turns by more, it stops for an instant (default: 20deg)"},
    {"ways", 0, "N", "solutions of the first frame to try at most (default: 64)"},
    {"avoid", 0, "LIST",
     "keep apart: self, the robot's own links; a file of solids; or self,world.json (docs/collisions.md)"},
    {"srdf", 0, "FILE", "links that may touch, for --avoid: the disable_collisions of a robot's SRDF"},
    {"plain", 0, NULL, "a figure that has a body goes along without it, however it stands"},
    {"packages", 0, "FOLDERS",
     "read the robot's meshes, and look for packages in these folders, with colons between them"},
    {"output", 'o', "FILE",
     "the poses: .csv (time, then every variable in radians or metres), .bvh, .glb, or pictures by a name with a "
     "number in it, as "
     "in frames/%04d.png; - is a table on standard output"},
    {"fps", 0, "N", "pictures: so many a second (default: 25)"},
    CLI_FILM_OPTIONS,
    {"root", 0, "FOLDER", "an MJCF file may include others from anywhere in this folder"},
    {"format", 'f', "FORMAT", "read the robot as fig, urdf, mjcf, bvh or gltf, whatever its name"},
    {"json", 'j', NULL, "what came of it, for programs"},
    CLI_FORCE_OPTION,
    {NULL, 0, NULL, NULL},
};

typedef struct path_job {
    const cli_command *command;
    const cli_arguments *arguments;
    lb_figure *figure;
    lb_effector effector;
    double *start, *velocity, *acceleration;
    lb_frame *frames;
    int count;
    lb_path_options how;
    lb_problem *apart;     /* what is kept apart; NULL: nothing */
    lb_problem *bare;      /* of --plain: the figure without its body */
    lb_problem_file *file; /* a problem file, whose figure it is; NULL: a figure's own */
    lb_path *path;
    lb_path_result result;
    cli_output out;
    lb_render_options picture;
} path_job;

/* --- What is asked ---------------------------------------------------------------------------------------------- */

/* A number of an option in its unit; it stays as it is where the option is not given. */
static int read_number(const path_job *j, const char *name, lbio_unit unit, double *value) {
    const char *text = cli_value(j->command, j->arguments, name);
    if (!text) {
        return CLI_OK;
    }
    if (cli_goal_read_list(text, unit, 1, value) || !(*value > 0) || !isfinite(*value)) {
        return cli_usage(j->command, "`--%s %s` is not above 0, or no number", name, text);
    }
    return CLI_OK;
}

/* The joint that carries a segment; -1: it is the root. *parent is the segment on its other side. */
static int carrier(const lb_figure *figure, int segment, int *parent) {
    for (int k = 0; k < lb_figure_joint_count(figure); k++) {
        const lb_joint *joint = lb_figure_joint(figure, k);
        if (lb_figure_site(figure, joint->site_b)->segment == segment) {
            *parent = lb_figure_site(figure, joint->site_a)->segment;
            return k;
        }
    }
    return -1;
}

/* Whether a segment carries no other, and a joint between it and the root moves. */
static int is_moving_end(const lb_figure *figure, int segment) {
    int moves = 0, parent = -1;
    for (int k = 0; k < lb_figure_joint_count(figure); k++) {
        if (lb_figure_site(figure, lb_figure_joint(figure, k)->site_a)->segment == segment) {
            return 0;
        }
    }
    for (int left = lb_figure_segment_count(figure), k; left > 0 && (k = carrier(figure, segment, &parent)) >= 0;
         left--) {
        const lb_joint *joint = lb_figure_joint(figure, k);
        moves |= lb_joint_type_dof_count(&joint->type) > 0 && !joint->frozen;
        segment = parent;
    }
    return moves;
}

/* The end-effector of the only chain: the segment that moves and carries no other. */
static int find_tip(path_job *j) {
    char names[96] = "";
    int tip = -1, tips = 0;
    for (int s = 0; s < lb_figure_segment_count(j->figure); s++) {
        if (is_moving_end(j->figure, s)) {
            const size_t size = strlen(names);
            snprintf(names + size, sizeof names - size, "%s%.40s", tips ? ", " : "",
                     lb_figure_segment(j->figure, s)->name);
            tip = s, tips++;
        }
    }
    if (tips == 0) {
        return cli_usage(j->command, "nothing of the figure moves");
    }
    if (tips != 1) {
        return cli_usage(j->command, "the figure has %d ends (%s%s); say which goes along the path: --effector NAME",
                         tips, names, strlen(names) + 1 < sizeof names ? "" : "...");
    }
    lb_effector_from_segment(j->figure, tip, &j->effector);
    return CLI_OK;
}

static int read_effector(path_job *j) {
    const char *name = cli_value(j->command, j->arguments, "effector");
    lb_error error;
    if (!name) {
        return find_tip(j);
    }
    return lb_figure_find_effector(j->figure, name, &j->effector, &error) ? cli_report(CLI_BAD_USAGE, &error) : CLI_OK;
}

/* Where the end-effector is in the start pose. */
static int start_frame(const path_job *j, lb_frame *frame) {
    double e[9], matrix[9];
    lb_kinematics *kinematics = lb_kinematics_create(j->figure, NULL);
    if (!kinematics) {
        return cli_fail(CLI_BAD_INPUT, "no memory");
    }
    lb_kinematics_update(kinematics, j->start);
    lb_kinematics_effector(kinematics, &j->effector, e);
    lb_kinematics_destroy(kinematics);
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        frame->position[k] = e[k];
        matrix[3 * k] = e[3 + k], matrix[3 * k + 1] = e[6 + k];
        matrix[3 * k + 2] = e[3 + a] * e[6 + b] - e[3 + b] * e[6 + a];
    }
    lb_rotation_from_matrix(matrix, frame->rotation);
    return CLI_OK;
}

static int wrong_place(const path_job *j, const char *text) {
    return cli_usage(j->command,
                     "`%.80s` is no place; write x,y,z, 'x,y,z rpy r,p,y', 'x,y,z quaternion x,y,z,w', or start", text);
}

/* One end of a line. */
static int read_place(const path_job *j, const char *text, lb_frame *frame, int *has_rotation) {
    char copy[256], *words[8];
    double rpy[3];
    lb_frame_identity(frame);
    *has_rotation = 1;
    if (strcmp(text, "start") == 0) {
        return start_frame(j, frame);
    }
    snprintf(copy, sizeof copy, "%s", text);
    const int count = strlen(text) < sizeof copy ? cli_split_words(copy, words, 8) : -1;
    if ((count != 1 && count != 3) || cli_goal_read_list(words[0], LBIO_LENGTH, 3, frame->position)) {
        return wrong_place(j, text);
    }
    *has_rotation = count == 3;
    if (count == 1) {
        return CLI_OK;
    }
    if (strcmp(words[1], "rpy") == 0 && !cli_goal_read_list(words[2], LBIO_ANGLE, 3, rpy)) {
        lb_rotation_from_rpy(rpy, frame->rotation);
        return CLI_OK;
    }
    if (strcmp(words[1], "quaternion") == 0 && !cli_read_numbers(words[2], 4, frame->rotation)) {
        const double *r = frame->rotation;
        const double norm = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
        for (int k = 0; k < 4 && norm > 1e-6; k++) {
            frame->rotation[k] /= norm;
        }
        return norm > 1e-6 ? CLI_OK : wrong_place(j, text);
    }
    return wrong_place(j, text);
}

static int read_line(path_job *j) {
    int at = 0, has[2] = {0, 0}, given[2];
    const char *texts[2] = {cli_next(j->command, j->arguments, "line", &at),
                            cli_next(j->command, j->arguments, "line", &at)};
    if (cli_next(j->command, j->arguments, "line", &at)) {
        return cli_usage(j->command, "--line comes once; --points takes a list of frames");
    }
    j->frames = calloc(2, sizeof *j->frames);
    if (!j->frames) {
        return cli_fail(CLI_BAD_INPUT, "no memory");
    }
    j->count = 2;
    int code = CLI_OK;
    for (int i = 0; i < 2 && !code; i++) {
        code = read_place(j, texts[i], &j->frames[i], &has[i]);
        given[i] = strcmp(texts[i], "start") != 0;
    }
    if (code) {
        return code;
    }
    if (!given[0] && !has[1]) { /* from start to x,y,z: the rotation of the start is kept */
        memcpy(j->frames[1].rotation, j->frames[0].rotation, sizeof j->frames[0].rotation);
        has[1] = 1;
    }
    j->how.is_position = !has[0] && !has[1];
    return has[0] == has[1] ? CLI_OK : cli_usage(j->command, "one end of the line has a rotation, the other none");
}

static int read_frames(path_job *j) {
    const char *points = cli_value(j->command, j->arguments, "points");
    const int has_line = cli_has(j->command, j->arguments, "line");
    if (has_line == (points != NULL)) {
        return cli_usage(j->command, "give --line A B, or --points FILE");
    }
    if (has_line) {
        return read_line(j);
    }
    int64_t count;
    int has_rotations;
    const int code = cli_reach_frames(points, &j->frames, &count, &has_rotations);
    if (code) {
        return code;
    }
    if (count < 2 || count > 100000) {
        return cli_fail(CLI_BAD_INPUT, "%s: has %lld frames; a path has 2 to 100000", points, (long long)count);
    }
    j->count = (int)count;
    j->how.is_position = !has_rotations;
    return CLI_OK;
}

/* The joints' limits of speed, or a share of them. */
static int read_limits(path_job *j) {
    const int n = lb_figure_variable_count(j->figure);
    double share = 1;
    const int code = read_number(j, "share", LBIO_PLAIN, &share);
    if (code) {
        return code;
    }
    if (share > 1) {
        return cli_usage(j->command, "--share is above 1");
    }
    j->velocity = calloc((size_t)n + 1, sizeof(double));
    j->acceleration = calloc((size_t)n + 1, sizeof(double));
    if (!j->velocity || !j->acceleration) {
        return cli_fail(CLI_BAD_INPUT, "no memory");
    }
    for (int k = 0; k < n; k++) {
        const lb_variable *v = lb_figure_variable(j->figure, k);
        const double usual = v->is_angle ? j->how.usual_velocity_rad : j->how.usual_velocity_m;
        const double velocity = isinf(v->velocity) ? usual : v->velocity;
        j->velocity[k] = share * velocity;
        j->acceleration[k] = share * (isinf(v->acceleration) ? velocity / j->how.rise_time : v->acceleration);
    }
    j->how.velocity = j->velocity, j->how.acceleration = j->acceleration;
    return CLI_OK;
}

static int read_how(path_job *j) {
    double ways = j->how.ways;
    int code = read_number(j, "speed", LBIO_LENGTH, &j->how.speed);
    code = code ? code : read_number(j, "turn-speed", LBIO_ANGLE, &j->how.speed_rad);
    code = code ? code : read_number(j, "period", LBIO_PLAIN, &j->how.period);
    code = code ? code : read_number(j, "corner", LBIO_ANGLE, &j->how.corner_rad);
    code = code ? code : read_number(j, "ways", LBIO_PLAIN, &ways);
    if (!code && (ways != floor(ways) || ways > 4096)) {
        return cli_usage(j->command, "--ways is a whole number from 1 to 4096");
    }
    j->how.ways = (int)ways;
    j->how.is_from_start = cli_has(j->command, j->arguments, "from-start");
    j->how.start = j->start;
    return code ? code : read_limits(j);
}

/* --- What came of it ----------------------------------------------------------------------------------------------- */

static int write_csv(const path_job *j, const char *out) {
    const int n = lb_figure_variable_count(j->figure);
    double *pose = calloc((size_t)n + 1, sizeof *pose);
    lbio_text text = {0};
    lbio_text_add(&text, "time");
    for (int v = 0; v < n; v++) {
        lbio_text_format(&text, ",%s", lb_figure_variable(j->figure, v)->name);
    }
    lbio_text_add(&text, "\n");
    for (int i = 0; i < j->result.pose_count && pose; i++) {
        lb_path_pose(j->path, i, pose, NULL);
        lbio_text_number(&text, i * j->how.period);
        for (int v = 0; v < n; v++) {
            lbio_text_add(&text, ",");
            lbio_text_number(&text, pose[v]);
        }
        lbio_text_add(&text, "\n");
    }
    text.failed |= !pose;
    free(pose);
    return cli_write_text(out, &text, "the table");
}

static int draw(const path_job *j, const lb_clip *clip) {
    cli_frames frames;
    lb_render_options picture = j->picture;
    picture.show_joints = lb_figure_shape_count(j->figure) == 0; /* the way is what matters here */
    const int code = cli_read_frames(j->command, j->arguments, lb_clip_duration(clip), 0.04, &frames);
    return code ? code
                : cli_film_draw_clip(clip, &frames, j->out.path, &picture, cli_has(j->command, j->arguments, "json"));
}

/* As a motion that others play, or as pictures. */
static int write_motion(const path_job *j) {
    cli_warnings warnings = {.is_loud = 1};
    lb_save_options save;
    lb_error error;
    lb_clip *clip = lb_clip_create(j->figure, j->result.pose_count, j->how.period, &error);
    if (!clip) {
        return cli_report(CLI_BAD_INPUT, &error);
    }
    for (int i = 0; i < j->result.pose_count; i++) {
        lb_path_pose(j->path, i, lb_clip_pose(clip, i), NULL);
    }
    lb_save_options_defaults(&save);
    save.warn = cli_warn, save.warn_context = &warnings;
    const int code = j->out.kind == CLI_KIND_PICTURE
                         ? draw(j, clip)
                         : cli_written(lb_clip_save(clip, j->out.path, &save, &error), &error);
    cli_warnings_free(&warnings);
    lb_clip_destroy(clip);
    return code;
}

static int write_poses(const path_job *j) {
    return !j->out.path ? CLI_OK : j->out.kind == CLI_KIND_CSV ? write_csv(j, j->out.path) : write_motion(j);
}

static void put_name(lbio_text *json, const path_job *j, const char *key, int variable) {
    lbio_text_format(json, ",\n  \"%s\": ", key);
    if (variable < 0) {
        lbio_text_add(json, "null");
    } else {
        cli_quote(json, lb_figure_variable(j->figure, variable)->name);
    }
}

static void put_number(lbio_text *json, const char *key, double value) {
    lbio_text_format(json, ",\n  \"%s\": ", key);
    if (isfinite(value)) {
        lbio_text_number(json, value);
    } else {
        lbio_text_add(json, "null");
    }
}

static int print_json(const path_job *j) {
    const lb_path_result *r = &j->result;
    lbio_text json = {0};
    lbio_text_format(&json, "{\n  \"complete\": %s,\n  \"end\": \"%s\"", r->end ? "false" : "true",
                     lb_path_end_name(r->end));
    put_number(&json, "fraction", r->fraction);
    put_name(&json, j, "variable", r->variable);
    lbio_text_format(&json, ",\n  \"is_upper\": %s,\n  \"frame\": %d,\n  \"closed_form\": %s",
                     r->is_upper ? "true" : "false", r->frame, r->has_closed ? "true" : "false");
    lbio_text_format(&json, ",\n  \"branches\": %d,\n  \"branches_through\": %d,\n  \"poses\": %d", r->way_count,
                     r->through_count, r->pose_count);
    if (r->end == LB_PATH_END_COLLISION) {
        lbio_text_add(&json, ",\n  \"in_the_way\": [");
        cli_quote(&json, r->name_a);
        lbio_text_add(&json, ", ");
        cli_quote(&json, r->name_b);
        lbio_text_format(&json, "],\n  \"branches_touching\": %d", r->touching_count);
    }
    put_number(&json, "duration", r->duration);
    put_number(&json, "length", r->length);
    put_number(&json, "length_rad", r->length_rad);
    put_number(&json, "margin", r->margin_variable < 0 ? INFINITY : r->margin);
    put_name(&json, j, "margin_variable", r->margin_variable);
    put_name(&json, j, "pace", r->pace_variable);
    lbio_text_format(&json, ",\n  \"pace_by\": \"%s\"",
                     r->pace_variable < 0  ? "none"
                     : r->is_pace_velocity ? "velocity"
                                           : "acceleration");
    put_number(&json, "load_velocity", r->load_velocity);
    put_number(&json, "load_acceleration", r->load_acceleration);
    put_number(&json, "deviation", r->deviation);
    put_number(&json, "deviation_rad", r->deviation_rad);
    lbio_text_add(&json, ",\n  \"explanation\": ");
    cli_quote(&json, r->explanation);
    lbio_text_add(&json, "\n}\n");
    const int is_whole = !json.failed;
    if (is_whole) {
        fwrite(json.data, 1, json.size, stdout);
    }
    lbio_text_free(&json);
    return is_whole ? cli_finish_stdout() : cli_fail(CLI_BAD_INPUT, "no memory");
}

static int print_report(const path_job *j, int is_stdout_taken) {
    const lb_path_result *r = &j->result;
    FILE *to = is_stdout_taken ? stderr : stdout;
    char text[1024];
    cli_clean(r->explanation, text, sizeof text);
    fprintf(to, "%s%s\n", r->end ? "not followed: " : "followed: ", text);
    if (r->end == LB_PATH_END_NONE) {
        fprintf(to,
                "%.4g m and %.4g deg, %d poses every %.4g s; at most %.1f%% of a velocity limit, %.1f%% of an "
                "acceleration limit; ",
                r->length, r->length_rad * 180 / acos(-1), r->pose_count, j->how.period, 100 * r->load_velocity,
                100 * r->load_acceleration);
        fprintf(to, "off the way by %.2g mm, %.2g deg at most\n", 1e3 * r->deviation,
                r->deviation_rad * 180 / acos(-1));
    } else {
        fprintf(to, "%d %s of the first frame %s tried\n", r->way_count, r->way_count == 1 ? "solution" : "solutions",
                r->way_count == 1 ? "was" : "were");
    }
    return is_stdout_taken ? CLI_OK : cli_finish_stdout();
}

static int follow(path_job *j) {
    const char *out = j->out.path;
    const int is_stdout_taken = out && strcmp(out, "-") == 0, is_json = cli_has(j->command, j->arguments, "json");
    lb_error error;
    if (is_stdout_taken && is_json) {
        return cli_usage(j->command, "--json and `-o -` both want standard output");
    }
    j->path = lb_path_create(j->figure, &j->effector, j->count, j->frames, &j->how, &error);
    if (!j->path) {
        return cli_report(CLI_BAD_INPUT, &error);
    }
    lb_path_result_defaults(&j->result);
    lb_path_get(j->path, &j->result);
    int code = j->result.end == LB_PATH_END_NONE ? write_poses(j) : CLI_OK;
    code = code ? code : is_json ? print_json(j) : print_report(j, is_stdout_taken);
    return code ? code : j->result.end == LB_PATH_END_NONE ? CLI_OK : CLI_NOT_SOLVED;
}

static int is_problem(const char *path) {
    const size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

/* The figure: of its own file, or of a problem, whose body, constraints and obstacles then hold on the way. */
static int load(path_job *j, cli_source *source, cli_warnings *warnings) {
    const char *start = cli_value(j->command, j->arguments, "start");
    char models[4096];
    lb_load_options how;
    lb_error error;
    if (cli_find_file(source)) {
        return CLI_BAD_INPUT;
    }
    if (!is_problem(source->found)) {
        const int code = cli_load(source, warnings, &j->figure, NULL);
        return code ? code : cli_read_pose(j->figure, start ? start : "", &j->start);
    }
    lb_load_options_defaults(&how);
    how.models = cli_models_folder(models, sizeof models) ? models : NULL;
    how.warn = cli_warn, how.warn_context = warnings;
    how.root = source->root, how.packages = source->packages;
    if (lb_problem_load(source->found, &how, &j->file, &error)) {
        return cli_report(CLI_BAD_INPUT, &error);
    }
    j->how.problem = lb_problem_file_problem(j->file);
    j->figure = (lb_figure *)lb_problem_figure(j->how.problem, 0); /* the file's, which is destroyed with it */
    const size_t count = (size_t)lb_problem_variable_count(j->how.problem) + 1;
    if (start) {
        return cli_read_pose(j->figure, start, &j->start);
    }
    j->start = malloc(count * sizeof *j->start);
    if (!j->start) {
        return cli_fail(CLI_BAD_INPUT, "no memory");
    }
    memcpy(j->start, lb_problem_file_start(j->file), (count - 1) * sizeof *j->start);
    return CLI_OK;
}

/* --plain: whoever has a body goes along without it. */
static int be_plain(path_job *j) {
    if (!cli_has(j->command, j->arguments, "plain")) {
        return CLI_OK;
    }
    if (j->file) {
        lb_problem_clear_body(lb_problem_file_problem(j->file), 0);
        return CLI_OK;
    }
    j->bare = lb_problem_create(j->figure, NULL);
    j->how.problem = j->bare;
    return j->bare ? CLI_OK : cli_fail(CLI_BAD_INPUT, "no memory");
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    path_job j = {.command = command, .arguments = arguments};
    cli_source source;
    cli_warnings warnings = {.is_loud = 1};
    lb_path_options_defaults(&j.how);
    int code = cli_read_source(command, arguments, "format", &source);
    code = code ? code
                : cli_read_output(command, "-o", cli_value(command, arguments, "output"),
                                  CLI_KIND_CSV | CLI_KIND_BVH | CLI_KIND_GLTF | CLI_KIND_PICTURE, CLI_KIND_CSV, &j.out);
    code = code ? code : cli_read_film(command, arguments, &j.out, &j.picture);
    source.meshes = !code && j.out.kind & (CLI_KIND_PICTURE | CLI_KIND_GLTF) ? 2 : source.meshes;
    code = code ? code : load(&j, &source, &warnings);
    code = code ? code : be_plain(&j);
    code = code ? code : read_effector(&j);
    code = code ? code : read_frames(&j);
    code = code ? code : read_how(&j);
    code = code ? code : cli_read_collisions(command, arguments, &source, j.figure, &j.apart);
    j.how.collisions = lb_problem_collisions(j.apart);
    code = code ? code : cli_check_output(j.out.kind == CLI_KIND_PICTURE ? NULL : j.out.path);
    code = code ? code : follow(&j);
    cli_warnings_free(&warnings);
    lb_path_destroy(j.path);
    lb_problem_destroy(j.apart);
    lb_problem_destroy(j.bare);
    free(j.frames);
    free(j.start);
    free(j.velocity);
    free(j.acceleration);
    if (!j.file) {
        lb_figure_destroy(j.figure);
    }
    lb_problem_file_destroy(j.file);
    return code;
}

const cli_command cli_path = {
    .name = "path",
    .synopsis = "FIGURE --line A B | --points FILE",
    .summary = "move an end-effector along a line or through frames, within the limits of speed",
    .text = "Follows a straight line, or a list of frames, on one branch of solutions: all solutions of\n"
            "the first frame are tried (of a closed form where the arm has one), and of those that come\n"
            "through the one that keeps farthest from the ends of the joints' ranges is taken. It is run\n"
            "through as fast as the joints' velocity and acceleration limits allow, which the poses that\n"
            "are written keep, differences over the period; or it is said where it ends, and which limit\n"
            "ends it. docs/paths.md says how.\n\n"
            "  limber path panda --line '0.4,-0.3,0.5 rpy 180deg,0,0' '0.4,0.3,0.5 rpy 180deg,0,0' \\\n"
            "      -o path.csv\n"
            "  limber path ur5 --points frames.csv --speed 0.25 -o path.csv\n"
            "  limber path ur5 --line 0.4,-0.3,0.3 0.4,0.3,0.3 --avoid self,world.json -o path.csv\n\n"
            "A figure that has a body goes along as one: on feet that stay where they are, in balance\n"
            "(docs/paths.md). Of a problem file the body, the constraints and what is kept apart hold on\n"
            "the way.\n\n"
            "  limber path human --effector right_palm --line 0.4,-0.3,1.3 0.4,-0.3,0.5 -o palm.csv\n"
            "  limber path carrying.json --effector right_palm --line 0.5,-0.3,1 0.5,0.2,1 -o palm.csv\n\n"
            "The ending of -o says what is written: a table, a motion (.bvh, .glb) or pictures.\n\n"
            "  limber path ur5 --line 0.4,-0.3,0.3 0.4,0.3,0.3 -o frames/%04d.png --fps 5\n\n"
            "Where neither end of a line, or no frame of the file, has a rotation, the position alone\n"
            "counts.\n\n"
            "Exit codes: 0 followed, 4 not followed (nothing is written), 1 a bad file or frame, 2 wrong\n"
            "usage, 3 cannot write.",
    .options = options,
    .least_operands = 1,
    .most_operands = 1,
    .run = run,
};
