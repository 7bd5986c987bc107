/* A body with its servo and a goal for each hand, and a judge of what its ticks are: for tests of servos with bodies. */
#ifndef LIMBER_TESTS_SERVO_RIG_H
#define LIMBER_TESTS_SERVO_RIG_H

#include <limber/io.h>
#include <limber/servo.h>
#include <math.h>
#include <string.h>

#include "biped.h"
#include "check.h"
#include "puppet.h"

#define SERVO_MOST 256
#define SERVO_CONTACTS 16

typedef struct servo_rig {
    const char *name;
    lb_figure *figure;
    lb_problem *problem;
    lb_servo *servo;
    lb_kinematics *kinematics;
    int n, hand_count, hands[2];
    const char *hand_names[2];
    double size; /* 1 of a person */
    lb_frame rest[2];
    double start[SERVO_MOST], pose[SERVO_MOST], jump[2][3];
    lb_servo_state state;
    lb_error error;
} servo_rig;

static inline double servo_uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static inline lb_figure *servo_character(lb_error *error) {
    lb_figure *human = NULL, *figure = NULL;
    char path[600], *glb = NULL;
    size_t size = 0;
    lb_save_options saved;
    lb_load_options loaded;
    REQUIRE(check_source("models/human.fig", path, sizeof path) && !lb_figure_load(path, NULL, &human, error));
    lb_save_options_defaults(&saved);
    saved.format = LB_FORMAT_GLTF;
    lb_load_options_defaults(&loaded);
    loaded.body = 1;
    loaded.limits = LB_LIMITS_AUTO;
    REQUIRE(lb_figure_save_memory(human, &saved, &glb, &size, error) == LB_OK);
    lb_status status = lb_figure_load_memory(glb, size, "character.glb", &loaded, &figure, error);
    lb_text_free(glb);
    lb_figure_destroy(human);
    return status ? NULL : figure;
}

/* The figures by name: "human", "character", "puppet", which is made by calls, and "robot". */
static inline lb_figure *servo_figure(const char *name, const char *hands[2], lb_error *error) {
    lb_figure *figure = NULL;
    char path[600];
    if (!strcmp(name, "human")) {
        hands[0] = "right_palm", hands[1] = "left_palm";
        REQUIRE(check_source("models/human.fig", path, sizeof path) && !lb_figure_load(path, NULL, &figure, error));
    } else if (!strcmp(
                   name,
                   "character")) { /* the same person as a GLB has it: bones by name, and a body that they give it */
        hands[0] = "right_hand", hands[1] = "left_hand";
        figure = servo_character(error);
    } else if (!strcmp(name, "puppet")) {
        hands[0] = "right_palm", hands[1] = "left_palm";
        figure = puppet_make(PUPPET_WHOLE);
    } else {
        hands[0] = "right_hand", hands[1] = "left_hand";
        figure = biped_make(error);
    }
    return figure;
}

/* With arms bent a little, so that they may go either way. */
static inline void servo_rig_pose(servo_rig *r) {
    static const char *const bent[][2] = {{"right_elbow", "left_elbow"}, {"right_forearm_joint", "left_forearm_joint"}};
    lb_figure_rest_pose(r->figure, r->start);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            const int v = lb_figure_find_variable(r->figure, bent[i][k]);
            if (v >= 0) {
                const lb_variable *variable = lb_figure_variable(r->figure, v);
                r->start[v] = variable->upper >= 1.2 ? 1.2 : -1.2;
            }
        }
    }
}

/* body: options of the body, NULL for the usual ones. */
static inline int servo_rig_open_with(servo_rig *r, const char *name, const lb_body_options *body,
                                      const lb_servo_options *options) {
    memset(r, 0, sizeof *r);
    r->name = name;
    r->size = strcmp(name, "robot") ? 1 : 0.6;
    r->figure = servo_figure(name, r->hand_names, &r->error);
    if (!CHECK(r->figure != NULL)) {
        printf("%s: %s\n", name, r->error.message);
        return 0;
    }
    r->n = lb_figure_variable_count(r->figure);
    REQUIRE(r->n <= SERVO_MOST);
    servo_rig_pose(r);
    r->problem = lb_problem_create(r->figure, NULL);
    r->kinematics = lb_kinematics_create(r->figure, NULL);
    REQUIRE(lb_problem_set_body(r->problem, 0, body) == LB_OK);
    lb_kinematics_update(r->kinematics, r->start);
    for (int i = 0; i < 2; i++) {
        lb_constraint c;
        REQUIRE(lb_constraint_keep(r->figure, r->hand_names[i], r->start, &c) == LB_OK);
        r->rest[i] = (lb_frame){{c.goal.point[0], c.goal.point[1], c.goal.point[2]}, {0, 0, 0, 1}};
        REQUIRE(lb_constraint_at(r->figure, r->hand_names[i], r->rest[i].position, &c) == LB_OK);
        r->hands[i] = lb_problem_add(r->problem, &c);
        r->hand_count++;
    }
    r->servo = lb_servo_create(r->problem, options, &r->error);
    lb_servo_state_defaults(&r->state);
    memcpy(r->pose, r->start, sizeof r->pose);
    return CHECK(r->servo != NULL);
}

static inline int servo_rig_open(servo_rig *r, const char *name) { return servo_rig_open_with(r, name, NULL, NULL); }

static inline void servo_rig_close(servo_rig *r) {
    lb_servo_destroy(r->servo);
    lb_problem_destroy(r->problem);
    lb_kinematics_destroy(r->kinematics);
    lb_figure_destroy(r->figure);
}

/* --- The judge ----------------------------------------------------------------------------------------------------------- */

typedef struct servo_judge {
    double period, velocity[SERVO_MOST], acceleration[SERVO_MOST], q[SERVO_MOST], v[SERVO_MOST];
    int contacts, contact[SERVO_CONTACTS];
    double stood[SERVO_CONTACTS][3];
    long ticks, violations, lost, fallen;
    int fallen_counts; /* 0: something that the judge does not know carries, or is carried */
    double worst;      /* the largest share of a limit */
    double off;        /* metres: the farthest that a contact was from where it stood */
    double inside;     /* metres: the least that the centre of mass was inside of the contacts */
} servo_judge;

static inline void servo_contact_at(const servo_rig *r, int contact, double at[3]) {
    const lb_body_contact *c = &lb_figure_body(r->figure)->contacts[contact];
    double m[12];
    lb_kinematics_matrix(r->kinematics, c->segment, m);
    for (int i = 0; i < 3; i++) {
        at[i] = m[4 * i] * c->point[0] + m[4 * i + 1] * c->point[1] + m[4 * i + 2] * c->point[2] + m[4 * i + 3];
    }
    at[2] -= c->radius;
}

/* How far a point is inside the convex hull of the contacts, seen from above. */
static inline double servo_inside(const servo_judge *j, const double at[3]) {
    double least = INFINITY;
    for (int i = 0; i < j->contacts; i++) {
        for (int k = 0; k < j->contacts; k++) {
            const double *p = j->stood[i], *q = j->stood[k];
            const double x = q[0] - p[0], y = q[1] - p[1], length = sqrt(x * x + y * y);
            int is_edge = length > 1e-6;
            for (int n = 0; n < j->contacts && is_edge; n++) {
                is_edge = x * (j->stood[n][1] - p[1]) - y * (j->stood[n][0] - p[0]) >= -1e-9;
            }
            if (is_edge) {
                least = fmin(least, (x * (at[1] - p[1]) - y * (at[0] - p[0])) / length);
            }
        }
    }
    return least;
}

/* From the pose that the servo has begun with; what touches the floor stands. */
static inline void servo_judge_begin(servo_judge *j, servo_rig *r) {
    const lb_body *body = lb_figure_body(r->figure);
    memset(j, 0, sizeof *j);
    j->period = 0.001;
    j->inside = INFINITY;
    j->fallen_counts = 1;
    lb_servo_limits(r->servo, j->velocity, j->acceleration);
    lb_servo_velocity(r->servo, j->v);
    memcpy(j->q, r->pose, sizeof j->q);
    lb_kinematics_update(r->kinematics, r->pose);
    for (int i = 0; i < body->contact_count && j->contacts < SERVO_CONTACTS; i++) {
        const lb_contact_kind kind = body->contacts[i].kind;
        const int is_foot = kind == LB_CONTACT_HEEL || kind == LB_CONTACT_BALL || kind == LB_CONTACT_TOE;
        double at[3];
        servo_contact_at(r, i, at);
        if (is_foot && fabs(at[2]) < 2e-3) {
            memcpy(j->stood[j->contacts], at, sizeof at);
            j->contact[j->contacts++] = i;
        }
    }
}

static inline void servo_judge_tick(servo_judge *j, servo_rig *r) {
    double at[3];
    for (int i = 0; i < r->n; i++) {
        const lb_variable *variable = lb_figure_variable(r->figure, i);
        const double v = (r->pose[i] - j->q[i]) / j->period, a = (v - j->v[i]) / j->period;
        const double share = fmax(fabs(v) / j->velocity[i], fabs(a) / j->acceleration[i]);
        j->violations += !(share <= 1 + 1e-9) || !(r->pose[i] >= variable->lower && r->pose[i] <= variable->upper);
        j->worst = fmax(j->worst, share);
        j->q[i] = r->pose[i], j->v[i] = v;
    }
    lb_kinematics_update(r->kinematics, r->pose);
    double most = 0;
    for (int i = 0; i < j->contacts; i++) {
        servo_contact_at(r, j->contact[i], at);
        most = fmax(most, sqrt(pow(at[0] - j->stood[i][0], 2) + pow(at[1] - j->stood[i][1], 2) + pow(at[2], 2)));
    }
    lb_kinematics_com(r->kinematics, at);
    const double inside = servo_inside(j, at);
    j->off = fmax(j->off, most);
    j->inside = fmin(j->inside, inside);
    j->lost += !(most <= 1e-4);
    j->fallen += !(inside >= 0) && j->fallen_counts;
    j->ticks++;
}

static inline void servo_judge_end(servo_judge *j) { (void)j; }

#endif
