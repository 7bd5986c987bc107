/* The body of human.fig: it stands on the floor, its parts mirror each other, and its solids are apart, at any stature. */
#include <limber/body.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "model.h"

static const double statures[] = {1.40, 1.50, 1.65, 1.75, 1.80, 1.95, 2.05};
#define STATURES ((int)(sizeof statures / sizeof statures[0]))
#define MAX_SOLIDS 64

static model open_human(double stature) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.stature = stature;
    model m = open_model("human", &options);
    lb_figure_rest_pose(m.figure, m.pose);
    lb_kinematics_update(m.kinematics, m.pose);
    REQUIRE(lb_figure_body(m.figure) != NULL);
    return m;
}

/* A point of a segment in the world. */
static void world_point(const model *m, int segment, const double point[3], double out[3]) {
    double matrix[12];
    REQUIRE(lb_kinematics_matrix(m->kinematics, segment, matrix) == LB_OK);
    for (int r = 0; r < 3; r++) {
        const double *row = &matrix[4 * r];
        out[r] = row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3];
    }
}

static int is_foot(lb_contact_kind kind) {
    return kind == LB_CONTACT_HEEL || kind == LB_CONTACT_BALL || kind == LB_CONTACT_TOE;
}

/* Feet lie on the floor within 0.1 mm, nothing else touches it, and no solid goes through it. */
static void test_floor(void) {
    for (int k = 0; k < STATURES; k++) {
        model m = open_human(statures[k]);
        const lb_body *body = lb_figure_body(m.figure);
        int feet = 0;
        for (int i = 0; i < body->contact_count; i++) {
            double p[3];
            world_point(&m, body->contacts[i].segment, body->contacts[i].point, p);
            check_note("%s at %g m", body->contacts[i].name, statures[k]);
            if (is_foot(body->contacts[i].kind)) {
                CHECK_NEAR(p[2], 0, 1e-4);
                feet++;
            } else {
                CHECK(p[2] > 0.2 * statures[k]);
            }
        }
        CHECK_INT(feet, 8);
        for (int i = 0; i < body->solid_count; i++) {
            const lb_body_solid *solid = &body->solids[i];
            double a[3], b[3];
            world_point(&m, solid->segment, solid->from, a);
            world_point(&m, solid->segment, solid->to, b);
            check_note("%s at %g m", solid->name, statures[k]);
            CHECK(fmin(a[2], b[2]) - solid->radius >= 0);
        }
        double com[3], heel[3], toe[3];
        lb_kinematics_com(m.kinematics, com); /* above the feet, in their middle half */
        world_point(&m, body->contacts[0].segment, body->contacts[0].point, heel);
        world_point(&m, body->contacts[3].segment, body->contacts[3].point, toe);
        check_note("centre of mass at %g m", statures[k]);
        CHECK(com[0] > heel[0] + (toe[0] - heel[0]) / 4 && com[0] < toe[0] - (toe[0] - heel[0]) / 4);
        close_model(&m);
    }
    check_note("%s", "");
}

/* The distance between two line segments, by trying points of both; good to the square of the step. */
static double between(const double a[2][3], const double b[2][3]) {
    enum { STEPS = 200 };
    double best = INFINITY;
    for (int i = 0; i <= STEPS; i++) {
        double p[3], d[3], along = 0, length = 0, distance = 0;
        for (int c = 0; c < 3; c++) {
            p[c] = a[0][c] + (a[1][c] - a[0][c]) * i / STEPS;
            d[c] = b[1][c] - b[0][c];
            along += d[c] * (p[c] - b[0][c]);
            length += d[c] * d[c];
        }
        double t = length > 0 ? fmin(1, fmax(0, along / length)) : 0;
        for (int c = 0; c < 3; c++) {
            double e = p[c] - b[0][c] - t * d[c];
            distance += e * e;
        }
        best = fmin(best, sqrt(distance));
    }
    return best;
}

/* The gap between two solids; negative: they overlap. */
static double gap(const model *m, const lb_body_solid *x, const lb_body_solid *y) {
    double a[2][3], b[2][3];
    world_point(m, x->segment, x->from, a[0]);
    world_point(m, x->segment, x->to, a[1]);
    world_point(m, y->segment, y->from, b[0]);
    world_point(m, y->segment, y->to, b[1]);
    return between((const double(*)[3])a, (const double(*)[3])b) - x->radius - y->radius;
}

/* How many solids lie on the way from one segment to another in the tree; 1: they are neighbours. */
static int solids_between(const model *m, const lb_body *body, int from, int to) {
    int path[2][128], count[2] = {0, 0}, ends[2] = {from, to};
    for (int k = 0; k < 2; k++) {
        for (int s = ends[k]; s >= 0 && count[k] < 128; s = lb_figure_parent_segment(m->figure, s)) {
            path[k][count[k]++] = s;
        }
    }
    while (count[0] > 1 && count[1] > 1 && path[0][count[0] - 2] == path[1][count[1] - 2]) { /* up to where they part */
        count[0]--;
        count[1]--;
    }
    int solids = 0;
    for (int i = 0; i < body->solid_count; i++) {
        int s = body->solids[i].segment, on = 0;
        for (int k = 0; k < 2; k++) {
            for (int n = 0; n < count[k]; n++) {
                on |= path[k][n] == s;
            }
        }
        solids += on;
    }
    return solids - 1;
}

/* Solids that are no neighbours are apart at rest, and gaps grow with the stature: nothing that is apart in a large person
 * overlaps in a small one. */
static void test_apart(void) {
    model first = open_human(1.75);
    const lb_body *body = lb_figure_body(first.figure);
    double gaps[MAX_SOLIDS][MAX_SOLIDS];
    REQUIRE(body->solid_count <= MAX_SOLIDS);
    int apart = 0;
    for (int i = 0; i < body->solid_count; i++) {
        for (int k = 0; k < i; k++) {
            gaps[i][k] = gap(&first, &body->solids[i], &body->solids[k]);
            check_note("%s and %s", body->solids[i].name, body->solids[k].name);
            if (solids_between(&first, body, body->solids[i].segment, body->solids[k].segment) > 2) {
                CHECK(gaps[i][k] > 0);
                apart++;
            }
        }
    }
    CHECK(apart > 100);
    for (int n = 0; n < STATURES; n++) {
        model m = open_human(statures[n]);
        const lb_body *other = lb_figure_body(m.figure);
        for (int i = 0; i < other->solid_count; i++) {
            for (int k = 0; k < i; k++) {
                check_note("%s and %s at %g m", other->solids[i].name, other->solids[k].name, statures[n]);
                CHECK_NEAR(gap(&m, &other->solids[i], &other->solids[k]), gaps[i][k] * statures[n] / 1.75, 1e-9);
            }
        }
        close_model(&m);
    }
    check_note("%s", "");
    close_model(&first);
}

/* right_x becomes left_x, and the other way round. */
static const char *partner(const char *name, char *text, size_t size) {
    int right = strncmp(name, "right", 5) == 0, left = strncmp(name, "left", 4) == 0;
    snprintf(text, size, "%s%s", right ? "left" : left ? "right" : "", name + (right ? 5 : left ? 4 : 0));
    return text;
}

#define FIND(list, count, wanted, found)                 \
    for ((found) = 0; (found) < (count); (found)++) {    \
        if (strcmp((list)[found].name, (wanted)) == 0) { \
            break;                                       \
        }                                                \
    }                                                    \
    check_note("%s", (wanted));                          \
    REQUIRE((found) < (count))

static void mirrored_points(const model *m, int segment_a, const double a[3], int segment_b, const double b[3]) {
    double p[3], q[3];
    world_point(m, segment_a, a, p);
    world_point(m, segment_b, b, q);
    q[1] = -q[1];
    CHECK(distance(p, q) < 1e-12);
}

/* Right and left mirror each other: solids, contacts, strengths, weights, starts. */
static void test_mirror(void) {
    model m = open_human(1.75);
    const lb_body *body = lb_figure_body(m.figure);
    char name[160];
    int j;
    for (int i = 0; i < body->solid_count; i++) {
        const lb_body_solid *solid = &body->solids[i];
        FIND(body->solids, body->solid_count, partner(solid->name, name, sizeof name), j);
        int crosses = j == i; /* one in the middle lies across: its ends mirror each other */
        mirrored_points(&m, solid->segment, solid->from, body->solids[j].segment,
                        crosses && solid->from[1] != 0 ? body->solids[j].to : body->solids[j].from);
        CHECK_NEAR(solid->radius, body->solids[j].radius, 0);
    }
    for (int i = 0; i < body->contact_count; i++) {
        const lb_body_contact *contact = &body->contacts[i];
        FIND(body->contacts, body->contact_count, partner(contact->name, name, sizeof name), j);
        mirrored_points(&m, contact->segment, contact->point, body->contacts[j].segment, body->contacts[j].point);
        CHECK_INT(contact->kind, body->contacts[j].kind);
        CHECK_INT(body->contacts[j].limb, contact->limb < 0 ? -1 : contact->limb ^ 1);
    }
    for (int i = 0; i < body->strength_count; i++) {
        FIND(body->strengths, body->strength_count, partner(body->strengths[i].name, name, sizeof name), j);
        CHECK_NEAR(body->strengths[i].moment, body->strengths[j].moment, 0);
    }
    double pose[MAX_VARIABLES];
    for (int i = 0; i < body->variable_count; i++) {
        j = lb_figure_find_variable(m.figure, partner(lb_figure_variable(m.figure, i)->name, name, sizeof name));
        check_note("%s", name);
        REQUIRE(j >= 0);
        CHECK(memcmp(&body->variables[i], &body->variables[j], sizeof body->variables[i]) == 0);
        CHECK(body->variables[i].weight > 0); /* nothing moves for nothing */
        for (int n = 0; n < body->start_count; n++) {
            lb_figure_rest_pose(m.figure, pose);
            for (int k = 0; k < body->starts[n].count; k++) {
                pose[body->starts[n].variables[k]] = body->starts[n].values[k];
            }
            CHECK_NEAR(pose[i], pose[j], 0);
        }
    }
    check_note("%s", "");
    close_model(&m);
}

/* Starts are poses that a person can take, at any stature. */
static void test_starts(void) {
    for (int n = 0; n < STATURES; n++) {
        model m = open_human(statures[n]);
        const lb_body *body = lb_figure_body(m.figure);
        CHECK_TEXT(body->starts[0].name, "relaxed");
        for (int i = 0; i < body->start_count; i++) {
            lb_figure_rest_pose(m.figure, m.pose);
            for (int k = 0; k < body->starts[i].count; k++) {
                m.pose[body->starts[i].variables[k]] = body->starts[i].values[k];
            }
            check_note("%s at %g m", body->starts[i].name, statures[n]);
            CHECK_NEAR(lb_figure_violation(m.figure, m.pose), 0, 0);
            lb_kinematics_update(m.kinematics, m.pose);
            CHECK(fabs(site_height(&m, "right_ball")) < 0.1 * statures[n]); /* the feet are near the floor */
        }
        close_model(&m);
    }
    check_note("%s", "");
}

/* Muscles over two joints: how far ankles and hips bend with straight and with bent knees. */
static void test_muscles(void) {
    static const struct {
        const char *moved;
        double knee_deg, most_deg;
    } cases[] = {{"right_ankle.flexion", 0, 25}, {"right_ankle.flexion", 20, 39}, {"right_ankle.flexion", 90, 39},
                 {"left_hip.flexion", 0, 70},    {"left_hip.flexion", 40, 92},    {"left_hip.flexion", 100, 120}};
    model m = open_human(1.75);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lb_figure_rest_pose(m.figure, m.pose);
        set(&m, "right_knee", cases[i].knee_deg * DEG);
        set(&m, "left_knee", cases[i].knee_deg * DEG);
        check_note("%s, knees at %g", cases[i].moved, cases[i].knee_deg);
        set(&m, cases[i].moved, cases[i].most_deg * DEG);
        CHECK(lb_figure_violation(m.figure, m.pose) < 1e-9);
        set(&m, cases[i].moved, (cases[i].most_deg + 1) * DEG);
        CHECK(lb_figure_violation(m.figure, m.pose) > 0.5 * DEG);
    }
    check_note("%s", "");
    close_model(&m);
}

int main(void) {
    test_floor();
    test_apart();
    test_mirror();
    test_starts();
    test_muscles();
    return check_done();
}
