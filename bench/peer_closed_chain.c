/* closed-chain-ik, which runs in Node: a process of its own with its own clock, given the chain, the targets and the
 * starts in a file. */
#include "peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The turn that takes z to an axis. */
static void turn_to(const double axis[3], lb_frame *out) {
    double across[3] = {-axis[1], axis[0], 0}, sine = sqrt(axis[0] * axis[0] + axis[1] * axis[1]);
    lb_frame_identity(out);
    if (sine < 1e-12) {
        across[0] = 1, across[1] = 0;
    }
    lb_rotation_about(across, atan2(sine, axis[2]), out->rotation);
}

static void to_frame(const double m[12], lb_frame *out) {
    double rotation[9];
    for (int i = 0; i < 3; i++) {
        memcpy(rotation + 3 * i, m + 4 * i, 3 * sizeof *m);
        out->position[i] = m[4 * i + 3];
    }
    lb_rotation_from_matrix(rotation, out->rotation);
}

static void write_frame(FILE *file, const lb_frame *f) {
    fprintf(file, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g", f->position[0], f->position[1], f->position[2],
            f->rotation[0], f->rotation[1], f->rotation[2], f->rotation[3]);
}

static void write_task(const char *path, const bench_arm *arm, const bench_race *race, int count) {
    FILE *file = fopen(path, "w");
    lb_frame back, frame, turned;
    if (!file) {
        bench_stop("%s cannot be written", path);
    }
    lb_frame_identity(&back);
    fprintf(file, "%d %d %g\n", arm->joint_count, count, arm->limit_us);
    for (int j = 0; j < arm->joint_count; j++) {
        const bench_joint *joint = &arm->joints[j];
        to_frame(joint->frame, &frame);
        turn_to(joint->axis, &turned);
        lb_frame_multiply(&back, &frame, &frame);
        lb_frame_multiply(&frame, &turned, &frame);
        lb_frame_invert(&turned, &back);
        write_frame(file, &frame);
        fprintf(file, " %d %.17g %.17g\n", joint->is_angle, joint->lower, joint->upper);
    }
    to_frame(arm->tool, &frame);
    lb_frame_multiply(&back, &frame, &frame);
    write_frame(file, &frame);
    fprintf(file, "\n");
    for (int i = 0; i < count; i++) {
        write_frame(file, &arm->frames[i]);
        for (int v = 0; v < arm->variables; v++) {
            fprintf(file, " %.17g", race->starts[i * arm->variables + v]);
        }
        fprintf(file, "\n");
    }
    if (fclose(file)) {
        bench_stop("%s cannot be written", path);
    }
}

/* Its values are floats, and so are its limits: what is beyond them by their rounding is moved back. */
static void read_answers(const char *path, const bench_arm *arm, const bench_race *race, bench_contestant *c) {
    FILE *file = fopen(path, "r");
    if (!file) {
        bench_stop("%s cannot be read", path);
    }
    for (int i = 0; i < c->count; i++) {
        double *pose = c->poses + (size_t)i * (size_t)arm->variables;
        int is_read = fscanf(file, "%lf %d", &c->us[i], &c->restarts[i]) == 2;
        for (int v = 0; is_read && v < arm->variables; v++) {
            is_read = fscanf(file, "%lf", &pose[v]) == 1;
            double lower = arm->joints[v].lower, upper = arm->joints[v].upper;
            if (fabs(pose[v] - lower) < 1e-6) {
                pose[v] = fmax(pose[v], lower);
            }
            if (fabs(pose[v] - upper) < 1e-6) {
                pose[v] = fmin(pose[v], upper);
            }
        }
        if (!is_read) {
            bench_stop("%s ends too early", path);
        }
        c->is_right[i] = (char)race->verify(race->context, i, pose);
    }
    fclose(file);
}

int peer_closed_chain_run(const bench_arm *arm, const bench_race *race, bench_contestant *c) {
    char folder[1024], program[1024], task[1024], answers[1024], command[8192];
    bench_source_path("build/peers", folder);
    bench_source_path("bench/peer_closed_chain.mjs", program);
    bench_out_path("closed-chain-task.txt", task);
    bench_out_path("closed-chain-answers.txt", answers);
    snprintf(command, sizeof command, "%s/node_modules/closed-chain-ik/src/core/index.js", folder);
    if (access(command, R_OK)) {
        return 0;
    }
    memset(c, 0, sizeof *c);
    c->name = "closed-chain-ik";
    c->count = arm->instances < 40 ? arm->instances : arm->instances / 20 < 40 ? 40 : arm->instances / 20;
    bench_race_prepare(race, c);
    write_task(task, arm, race, c->count);
    snprintf(command, sizeof command, "node '%s' '%s' '%s' '%s'", program, folder, task, answers);
    int is_done = system(command) == 0;
    if (is_done) {
        read_answers(answers, arm, race, c);
    } else {
        printf("closed-chain-ik: node could not run it; left out\n");
    }
    remove(task);
    remove(answers);
    if (!is_done) {
        bench_race_free(1, c);
    }
    return is_done;
}
