/* Damped least squares on MuJoCo's kinematics, Jacobian and Cholesky factors: damping in proportion to the error, steps
 * clipped to the limits, a start given up when it does not halve the error in some steps, then another at random, until
 * the time is up. Only the kinematics of a step is computed, none of the dynamics. */
#include "peers.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ITERATIONS 60
#define PATIENCE 3 /* of 2 to 8, and no limit, this gave the least mean time */

typedef struct mujoco_peer {
    const bench_arm *arm;
    mjModel *model;
    mjData *data;
} mujoco_peer;

static void write_frame(FILE *file, const double m[12]) {
    double rotation[9] = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}, q[4];
    mju_mat2Quat(q, rotation);
    fprintf(file, "pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"", m[3], m[7], m[11], q[0], q[1], q[2],
            q[3]);
}

static void write_model(FILE *file, const bench_arm *arm) {
    fprintf(file, "<mujoco><compiler angle=\"radian\"/><worldbody>\n");
    for (int j = 0; j < arm->joint_count; j++) {
        const bench_joint *joint = &arm->joints[j];
        fprintf(file, "<body ");
        write_frame(file, joint->frame);
        fprintf(file,
                "><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><joint type=\"%s\" axis=\"%.17g %.17g "
                "%.17g\"/>\n",
                joint->is_angle ? "hinge" : "slide", joint->axis[0], joint->axis[1], joint->axis[2]);
    }
    fprintf(file, "<site name=\"tool\" ");
    write_frame(file, arm->tool);
    fprintf(file, "/>\n");
    for (int j = 0; j < arm->joint_count; j++) {
        fprintf(file, "</body>");
    }
    fprintf(file, "</worldbody></mujoco>\n");
}

static void *create(const bench_arm *arm) {
    char name[128], path[1024], error[256] = "";
    mujoco_peer *p = bench_alloc(1, sizeof *p);
    snprintf(name, sizeof name, "%s-mujoco.xml", arm->name);
    bench_out_path(name, path);
    FILE *file = fopen(path, "w");
    if (!file) {
        bench_stop("%s cannot be written", path);
    }
    write_model(file, arm);
    fclose(file);
    p->arm = arm;
    p->model = mj_loadXML(path, NULL, error, sizeof error);
    remove(path);
    if (!p->model) {
        bench_stop("MuJoCo: %s", error);
    }
    p->data = mj_makeData(p->model);
    return p;
}

/* Position and rotation from where the tool is to the target, world axes. */
static void miss(const mujoco_peer *p, const double position[3], const double rotation[4], double e[6]) {
    double now[4], back[4], turn[4];
    mju_sub3(e, position, p->data->site_xpos);
    mju_mat2Quat(now, p->data->site_xmat);
    mju_negQuat(back, now);
    mju_mulQuat(turn, rotation, back);
    mju_quat2Vel(e + 3, turn, 1);
}

/* One start; whether it ends at the target. */
static int descend(mujoco_peer *p, const double position[3], const double rotation[4], double *pose,
                   bench_outcome *outcome) {
    int n = p->arm->variables;
    double e[6], jacobian[6 * BENCH_ARM_JOINTS], a[36], y[6], earlier[MAX_ITERATIONS];
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        memcpy(p->data->qpos, pose, (size_t)n * sizeof *pose);
        mj_kinematics(p->model, p->data);
        miss(p, position, rotation, e);
        if (mju_norm3(e) < 0.9e-5 && mju_norm3(e + 3) < 0.9e-5) {
            return 1;
        }
        earlier[k] = mju_dot(e, e, 6);
        if (k >= PATIENCE && earlier[k] > 0.5 * earlier[k - PATIENCE]) {
            return 0;
        }
        outcome->iterations++;
        mj_comPos(p->model, p->data);
        mj_jacSite(p->model, p->data, jacobian, jacobian + 3 * n, 0);
        mju_mulMatMatT(a, jacobian, jacobian, 6, n, 6);
        for (int i = 0; i < 6; i++) {
            a[7 * i] += 0.1 * earlier[k] + 1e-6;
        }
        mju_cholFactor(a, 6, 0);
        mju_cholSolve(y, a, e, 6);
        for (int v = 0; v < n; v++) {
            double step = 0;
            for (int i = 0; i < 6; i++) {
                step += jacobian[i * n + v] * y[i];
            }
            pose[v] = fmin(fmax(pose[v] + step, p->arm->joints[v].lower), p->arm->joints[v].upper);
        }
    }
    return 0;
}

static void solve(void *peer, int instance, double *pose, bench_outcome *outcome) {
    mujoco_peer *p = peer;
    const lb_frame *target = &p->arm->frames[instance];
    const double *q = target->rotation, rotation[4] = {q[3], q[0], q[1], q[2]};
    double begin = bench_cpu_us();
    uint64_t state = (uint64_t)instance;
    for (;;) {
        outcome->is_solved = descend(p, target->position, rotation, pose, outcome);
        if (outcome->is_solved || bench_cpu_us() - begin > p->arm->limit_us) {
            return;
        }
        bench_arm_random_pose(p->arm, &state, pose);
        outcome->restarts++;
    }
}

static void destroy(void *peer) {
    mujoco_peer *p = peer;
    mj_deleteData(p->data);
    mj_deleteModel(p->model);
    free(p);
}

const peer_kind peer_mujoco = {"MuJoCo DLS", 5, create, solve, destroy};
