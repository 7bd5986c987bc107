#include "peer_process.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 20000 /* for an answer */
#define PREPARE_MS 300000 /* for what it makes of a robot before the first problem */
#define HALF_TURN 3.141592653589793
#define ROUNDING 1e-6     /* radians or metres */
#define LONGEST (1 << 16) /* characters of a line */

struct peer_process {
    const bench_arm *arm;
    pid_t id;
    int input, output; /* of the process */
    char name[64], version[64], trouble[256], urdf[1024], limited[1024];
    char line[LONGEST];
    size_t held; /* characters read that belong to the next line */
};

/* --- The chain as URDF ------------------------------------------------------------------------------------ */

/* Roll, pitch and yaw; the roll is taken after the yaw, so that the three have the whole turn where the pitch is upright, too. */
static void write_origin(FILE *file, const double m[12]) {
    const double yaw = atan2(m[4], m[0]), pitch = atan2(-m[8], hypot(m[0], m[4]));
    const double roll = atan2(sin(yaw) * m[2] - cos(yaw) * m[6], cos(yaw) * m[5] - sin(yaw) * m[1]);
    fprintf(file, "    <origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>\n", m[3], m[7], m[11], roll, pitch,
            yaw);
}

static void write_link(FILE *file, const char *name) {
    fprintf(
        file,
        "  <link name=\"%s\">\n    <inertial>\n      <mass value=\"1\"/>\n"
        "      <inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/>\n    </inertial>\n  </link>\n",
        name);
}

static void write_joint(FILE *file, const bench_joint *joint, int number) {
    const int is_limited = isfinite(joint->lower) && isfinite(joint->upper);
    const char *turning = is_limited ? "revolute" : "continuous";
    char parent[32] = "base", link[32];
    if (number > 1) {
        snprintf(parent, sizeof parent, "link%d", number - 1);
    }
    snprintf(link, sizeof link, "link%d", number);
    write_link(file, link);
    fprintf(file, "  <joint name=\"joint%d\" type=\"%s\">\n", number, joint->is_angle ? turning : "prismatic");
    fprintf(file, "    <parent link=\"%s\"/>\n    <child link=\"%s\"/>\n", parent, link);
    write_origin(file, joint->frame);
    fprintf(file, "    <axis xyz=\"%.17g %.17g %.17g\"/>\n", joint->axis[0], joint->axis[1], joint->axis[2]);
    if (is_limited) {
        fprintf(file, "    <limit lower=\"%.17g\" upper=\"%.17g\" effort=\"1000\" velocity=\"1000\"/>\n", joint->lower,
                joint->upper);
    } else {
        fprintf(file, "    <limit effort=\"1000\" velocity=\"1000\"/>\n");
    }
    fprintf(file, "  </joint>\n");
}

void peer_write_urdf(const bench_arm *arm, int is_limited, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) {
        bench_stop("%s cannot be written", path);
    }
    /* MuJoCo would otherwise take the tool and the link before it for one body */
    fprintf(file, "<robot name=\"%s\">\n  <mujoco><compiler fusestatic=\"false\" strippath=\"false\"/></mujoco>\n",
            arm->name);
    fprintf(file, "  <link name=\"base\"/>\n"); /* KDL's parser does not want one with a mass first */
    for (int j = 0; j < arm->joint_count; j++) {
        bench_joint joint = arm->joints[j];
        if (is_limited && joint.is_angle && !(isfinite(joint.lower) && isfinite(joint.upper))) {
            joint.lower = -HALF_TURN, joint.upper = HALF_TURN;
        }
        write_joint(file, &joint, j + 1);
    }
    write_link(file, "tool");
    fprintf(file,
            "  <joint name=\"tool_joint\" type=\"fixed\">\n    <parent link=\"link%d\"/>\n    <child link=\"tool\"/>\n",
            arm->joint_count);
    write_origin(file, arm->tool);
    fprintf(file, "  </joint>\n</robot>\n");
    if (fclose(file)) {
        bench_stop("%s cannot be written", path);
    }
}

/* --- Lines ------------------------------------------------------------------------------------------------ */

static json_t *matrix_of(const double m[12]) {
    json_t *list = json_array();
    for (int i = 0; i < 16; i++) {
        json_array_append_new(list, json_real(i < 12 ? m[i] : i == 15));
    }
    return list;
}

static json_t *limit_of(double limit) { return isfinite(limit) ? json_real(limit) : json_null(); }

static json_t *numbers_of(const double *values, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(list, json_real(values[i]));
    }
    return list;
}

static json_t *describe(const peer_process *p, double limit_us) {
    const bench_arm *arm = p->arm;
    json_t *names = json_array(), *kinds = json_array(), *lower = json_array(), *upper = json_array();
    json_t *frames = json_array(), *axes = json_array();
    for (int j = 0; j < arm->joint_count; j++) {
        const bench_joint *joint = &arm->joints[j];
        char name[32];
        snprintf(name, sizeof name, "joint%d", j + 1);
        json_array_append_new(names, json_string(name));
        json_array_append_new(kinds, json_boolean(joint->is_angle));
        json_array_append_new(lower, limit_of(joint->lower));
        json_array_append_new(upper, limit_of(joint->upper));
        json_array_append_new(frames, matrix_of(joint->frame));
        json_array_append_new(axes, numbers_of(joint->axis, 3));
    }
    json_t *robot = json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:f}", "robot", arm->name, "urdf", p->urdf,
                              "urdf_limited", p->limited, "base", "base", "tip", "tool", "limit_us", limit_us,
                              "tolerance_m", 1e-5, "tolerance_rad", 1e-5);
    json_object_set_new(robot, "names", names);
    json_object_set_new(robot, "is_angle", kinds);
    json_object_set_new(robot, "lower", lower);
    json_object_set_new(robot, "upper", upper);
    json_object_set_new(robot, "frames", frames);
    json_object_set_new(robot, "axes", axes);
    json_object_set_new(robot, "tool", matrix_of(arm->tool));
    return robot;
}

/* Whether it was told; frees the value. */
static int tell(peer_process *p, json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17));
    size_t length = text ? strlen(text) : 0, done = 0;
    json_decref(value);
    if (!text) {
        bench_stop("no memory");
    }
    text[length++] = '\n'; /* in place of the end */
    while (done < length) {
        const ssize_t some = write(p->input, text + done, length - done);
        if (some < 0 && errno == EINTR) {
            continue;
        }
        if (some <= 0) {
            break;
        }
        done += (size_t)some;
    }
    free(text);
    return done == length;
}

/* The next line as JSON; NULL where there is none in time, or it is none. */
static json_t *hear(peer_process *p, int patience_ms) {
    for (;;) {
        char *end = memchr(p->line, '\n', p->held);
        if (end) {
            const size_t length = (size_t)(end - p->line);
            json_t *value = json_loadb(p->line, length, 0, NULL);
            p->held -= length + 1;
            memmove(p->line, end + 1, p->held);
            return value;
        }
        struct pollfd one = {p->output, POLLIN, 0};
        const int ready = poll(&one, 1, patience_ms);
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        const ssize_t some = ready > 0 && p->held < LONGEST ? read(p->output, p->line + p->held, LONGEST - p->held) : 0;
        if (some <= 0) {
            return NULL;
        }
        p->held += (size_t)some;
    }
}

/* --- The process ------------------------------------------------------------------------------------------ */

static void start(peer_process *p, const char *const *command) {
    int to[2], from[2];
    char log[1024];
    if (pipe(to) || pipe(from)) {
        bench_stop("no pipe could be made");
    }
    fflush(NULL);
    bench_out_path("processes.log", log);
    p->id = fork();
    if (p->id < 0) {
        bench_stop("no process could be made");
    }
    if (p->id == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[0]), close(to[1]), close(from[0]), close(from[1]);
        const int remarks = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
        if (remarks >= 0) {
            dup2(remarks, 2);
        }
        setenv("OMP_NUM_THREADS", "1", 1); /* one core is what all have */
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
        execvp(command[0], (char *const *)command);
        _exit(127);
    }
    close(to[0]), close(from[1]);
    p->input = to[1], p->output = from[0];
    fcntl(p->input, F_SETFD, FD_CLOEXEC); /* else the next process would hold them open, too */
    fcntl(p->output, F_SETFD, FD_CLOEXEC);
}

/* It has been given up: no more is asked of it. */
static void give_up(peer_process *p, const char *why) {
    if (!p->trouble[0]) {
        snprintf(p->trouble, sizeof p->trouble, "%s", why);
    }
    if (p->id > 0) {
        kill(p->id, SIGKILL);
    }
}

static void copy_text(const json_t *object, const char *key, char *out, size_t room) {
    const char *text = json_string_value(json_object_get(object, key));
    snprintf(out, room, "%s", text ? text : "");
}

peer_process *peer_process_open(const bench_arm *arm, const char *const *command, double limit_us, char why[256]) {
    peer_process *p = bench_alloc(1, sizeof *p);
    char name[160];
    signal(SIGPIPE, SIG_IGN); /* that a process has ended is seen by what is written to it */
    p->arm = arm;
    snprintf(name, sizeof name, "%s-%d.urdf", arm->name, (int)getpid());
    bench_out_path(name, p->urdf);
    peer_write_urdf(arm, 0, p->urdf);
    snprintf(name, sizeof name, "%s-%d-limited.urdf", arm->name, (int)getpid());
    bench_out_path(name, p->limited);
    peer_write_urdf(arm, 1, p->limited);
    start(p, command);
    json_t *hello = tell(p, describe(p, limit_us)) ? hear(p, PREPARE_MS) : NULL;
    copy_text(hello, "name", p->name, sizeof p->name);
    copy_text(hello, "version", p->version, sizeof p->version);
    copy_text(hello, "cannot", why, 256);
    if (!hello || !p->name[0]) {
        snprintf(why, 256, "it did not start: %.200s", command[1] ? command[1] : command[0]);
    }
    json_decref(hello);
    if (why[0]) {
        peer_process_close(p);
        return NULL;
    }
    return p;
}

const char *peer_process_name(const peer_process *p) { return p->name; }
const char *peer_process_version(const peer_process *p) { return p->version; }
const char *peer_process_trouble(const peer_process *p) { return p->trouble; }

/* Some keep limits, or values, as 32-bit floats: what is beyond a limit by their rounding is moved back, for everyone. */
static double inside(double value, const bench_joint *joint) {
    if (fabs(value - joint->lower) < ROUNDING) {
        return fmax(value, joint->lower);
    }
    return fabs(value - joint->upper) < ROUNDING ? fmin(value, joint->upper) : value;
}

/* Whether the answer has all numbers, each finite. */
static int read_values(const json_t *answer, const bench_arm *arm, double *pose) {
    const int count = arm->variables;
    const json_t *values = json_object_get(answer, "values");
    int is_right = json_array_size(values) == (size_t)count;
    for (int i = 0; is_right && i < count; i++) {
        const json_t *value = json_array_get(values, (size_t)i);
        is_right = json_is_number(value) && isfinite(json_number_value(value));
        pose[i] = is_right ? inside(json_number_value(value), &arm->joints[i]) : pose[i];
    }
    return is_right;
}

void peer_process_solve(void *context, int instance, double *pose, bench_outcome *outcome) {
    peer_process *p = context;
    double frame[12];
    const double *t = p->arm->targets + 9 * (size_t)instance;
    outcome->us = NAN;
    if (p->trouble[0]) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        frame[4 * i] = t[3 + i], frame[4 * i + 1] = t[6 + i];
        frame[4 * i + 2] = t[3 + j] * t[6 + k] - t[3 + k] * t[6 + j];
        frame[4 * i + 3] = t[i];
    }
    json_t *problem = json_pack("{s:i, s:o, s:o}", "number", instance, "target", matrix_of(frame), "start",
                                numbers_of(pose, p->arm->variables));
    json_t *answer = tell(p, problem) ? hear(p, PATIENCE_MS) : NULL;
    if (!answer) {
        give_up(p, "it ended, or gave no answer for 20 seconds");
    } else if (!read_values(answer, p->arm, pose) || !json_is_number(json_object_get(answer, "us"))) {
        give_up(
            p,
            "an answer is not {\"values\": [...], \"solved\": ..., \"us\": ...} with a finite number for each joint");
    } else {
        outcome->is_solved = json_is_true(json_object_get(answer, "solved"));
        outcome->us = json_number_value(json_object_get(answer, "us"));
    }
    json_decref(answer);
}

void peer_process_close(void *context) {
    peer_process *p = context;
    if (p->trouble[0]) {
        kill(p->id, SIGKILL);
    }
    close(p->input); /* there are no more problems: it ends by itself */
    close(p->output);
    waitpid(p->id, NULL, 0);
    remove(p->urdf);
    remove(p->limited);
    free(p);
}
