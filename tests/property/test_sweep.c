/* Korein and Badler's condition (29): approx W[i] is inside the sweep of approx W[i+1] about joint i, so that whoever turns joint i to
 * bring a goal into the next workspace finds such a turn. On random chains, asked through the public calls: of every point of W[i] there
 * is a turn of joint i, inside its limits, that brings it into W[i+1]. Exactly so where both are known exactly; of outer profiles within
 * their cells; of points that are proved to be inside always. */
#include <limber/io.h>
#include <limber/reach.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "check.h"

#define MOST_JOINTS 6
#define SPACING 0.03 /* metres: of the grids */
#define TURNS 720    /* that are tried before the best is refined */

static check_random source;

typedef struct sweep_case {
    lb_figure *figure;
    lb_kinematics *kinematics;
    lb_reach *reaches[MOST_JOINTS]; /* [i]: of the chain from joint i on */
    double low[MOST_JOINTS], high[MOST_JOINTS];
    int count;
} sweep_case;

static void add(char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(text + strlen(text), 8192 - strlen(text), format, list);
    va_end(list);
}

/* A chain as FIG text. Planar: all axes are parallel, all joints but the last turn fully. */
static void write_chain(sweep_case *c, int is_planar, char *text) {
    text[0] = 0;
    add(text, "figure chain {\n    segment link0 { site tip->location = trans(0cm, 0cm, 0cm); }\n");
    for (int i = 1; i <= c->count; i++) {
        const double x = check_random_range(&source, -10, 10), z = check_random_range(&source, 5, 30);
        add(text, "    segment link%d { site base->location = trans(0cm, 0cm, 0cm); site tip->location = ", i);
        add(text, "trans(%.6fcm, 0cm, %.6fcm)", x, z);
        if (!is_planar) {
            add(text, " * rpy(%.6fdeg, %.6fdeg, 0deg)", check_random_range(&source, -90, 90),
                check_random_range(&source, -90, 90));
        }
        add(text, "; }\n");
    }
    for (int i = 1; i <= c->count; i++) {
        const int is_full = is_planar ? i < c->count : check_random_index(&source, 3) == 0;
        const double low = is_full ? -180 : check_random_range(&source, -170, -10);
        const double high = is_full ? 180 : check_random_range(&source, 10, 170);
        c->low[i - 1] = low * 3.14159265358979323846 / 180;
        c->high[i - 1] = high * 3.14159265358979323846 / 180;
        add(text, "    joint joint%d { connect link%d.tip to link%d.base; type = R(y); ", i, i - 1, i);
        add(text, "llimit = (%.17gdeg); ulimit = (%.17gdeg); }\n", low, high);
    }
    add(text, "    root = link0.tip;\n}\n");
}

static void make(sweep_case *c, int is_planar) {
    char text[8192], site[32];
    lb_effector effector;
    lb_error error;
    lb_reach_options options;
    write_chain(c, is_planar, text);
    if (!CHECK(lb_figure_load_memory(text, strlen(text), "chain.fig", NULL, &c->figure, &error) == LB_OK)) {
        printf("%s\n%s", error.message, text);
        exit(check_done());
    }
    c->kinematics = lb_kinematics_create(c->figure, NULL);
    snprintf(site, sizeof site, "link%d.tip", c->count);
    REQUIRE(lb_figure_find_effector(c->figure, site, &effector, &error) == LB_OK);
    lb_reach_options_defaults(&options);
    options.spacing = SPACING;
    options.has_frames = 0;
    for (int i = 0; i < c->count; i++) {
        snprintf(site, sizeof site, "link%d", i);
        options.base_segment = lb_figure_find_segment(c->figure, site);
        c->reaches[i] = lb_reach_create(c->figure, &effector, &options, &error);
        REQUIRE(c->reaches[i] != NULL);
    }
}

static void unmake(sweep_case *c) {
    for (int i = 0; i < c->count; i++) {
        lb_reach_destroy(c->reaches[i]);
    }
    lb_kinematics_destroy(c->kinematics);
    lb_figure_destroy(c->figure);
}

static void turn_by(const double q[4], const double v[3], int is_back, double out[3]) {
    const double s = is_back ? -1 : 1, a[3] = {s * q[0], s * q[1], s * q[2]};
    const double t[3] = {2 * (a[1] * v[2] - a[2] * v[1]), 2 * (a[2] * v[0] - a[0] * v[2]),
                         2 * (a[0] * v[1] - a[1] * v[0])};
    const double u[3] = {a[1] * t[2] - a[2] * t[1], a[2] * t[0] - a[0] * t[2], a[0] * t[1] - a[1] * t[0]};
    for (int k = 0; k < 3; k++) {
        out[k] = v[k] + q[3] * t[k] + u[k];
    }
}

/* How far a point is from W[i+1] when joint i has turned: where it is then seen from link i + 1, asked where that stands. */
static double missing_at(const sweep_case *c, int i, double turn, const double point[3]) {
    double pose[64] = {0}, way[3], seen[3];
    lb_frame turned, rest;
    lb_reach_answer answer;
    lb_reach_answer_defaults(&answer);
    lb_kinematics_update(c->kinematics, pose);
    lb_kinematics_segment(c->kinematics, i + 1, &rest);
    pose[lb_figure_variable_count(c->figure) - c->count + i] = turn;
    lb_kinematics_update(c->kinematics, pose);
    lb_kinematics_segment(c->kinematics, i + 1, &turned);
    for (int k = 0; k < 3; k++) {
        way[k] = point[k] - turned.position[k];
    }
    turn_by(turned.rotation, way, 1, way);
    turn_by(rest.rotation, way, 0, seen);
    for (int k = 0; k < 3; k++) {
        seen[k] += rest.position[k];
    }
    REQUIRE(lb_reach_point(c->reaches[i + 1], seen, &answer) == LB_OK);
    return answer.verdict == LB_REACH_OUTSIDE ? answer.distance : 0;
}

/* The least over all turns of joint i. */
static double least_missing(const sweep_case *c, int i, const double point[3]) {
    double best = INFINITY, at = 0, step = (c->high[i] - c->low[i]) / TURNS;
    for (int k = 0; k <= TURNS && best > 0; k++) {
        const double turn = c->low[i] + k * step, missing = missing_at(c, i, turn, point);
        at = missing < best ? turn : at;
        best = missing < best ? missing : best;
    }
    for (; step > 1e-13 && best > 0; step *= 0.6) {
        for (int side = -1; side <= 1; side += 2) {
            const double turn = fmin(fmax(at + side * step, c->low[i]), c->high[i]);
            const double missing = missing_at(c, i, turn, point);
            at = missing < best ? turn : at;
            best = missing < best ? missing : best;
        }
    }
    return best;
}

/* A point of the box of W[i], in the plane of a planar chain. */
static void draw(const sweep_case *c, int i, int is_planar, double point[3]) {
    double low[3], high[3];
    REQUIRE(lb_reach_box(c->reaches[i], low, high) == LB_OK);
    for (int k = 0; k < 3; k++) {
        point[k] = check_random_range(&source, low[k], high[k]);
    }
    point[1] = is_planar ? 0 : point[1];
}

static void hold(int is_planar, int chains, int points) {
    long exact = 0, inside = 0, unknown = 0;
    double most = 0;
    for (int n = 0; n < chains; n++) {
        sweep_case c = {.count = 2 + check_random_index(&source, is_planar ? 3 : MOST_JOINTS - 2)};
        make(&c, is_planar);
        for (int k = 0; k < points; k++) {
            const int i = check_random_index(&source, c.count - 1);
            double point[3];
            lb_reach_answer answer;
            lb_reach_answer_defaults(&answer);
            draw(&c, i, is_planar, point);
            check_note("%s chain %d, joint %d, point %d", is_planar ? "planar" : "any", n, i, k);
            REQUIRE(lb_reach_point(c.reaches[i], point, &answer) == LB_OK);
            if (answer.verdict == LB_REACH_OUTSIDE) {
                continue;
            }
            const double missing = least_missing(&c, i, point);
            if (answer.verdict == LB_REACH_INSIDE) {
                CHECK(missing <= 1e-9);
                inside++;
                exact += answer.is_exact;
            } else {
                CHECK(missing <= 1.5 * SPACING); /* a cell's diagonal, and what rounding to cells adds */
                unknown++;
                most = fmax(most, missing);
            }
        }
        unmake(&c);
    }
    check_note("%s", "");
    printf("%s chains: %ld points inside (%ld exactly), all brought into W[i+1]; %ld unknown, by at most %.4f m "
           "outside it (cells of %.2f m)\n",
           is_planar ? "planar" : "any", inside, exact, unknown, most, SPACING);
    CHECK(is_planar ? exact > 100 : unknown > 100);
}

int main(void) {
    check_random_seed(&source, 1982);
    hold(1, check_count(20, 200), check_is_sanitized() ? 10 : 40);
    hold(0, check_count(60, 400), check_is_sanitized() ? 10 : 100);
    return check_done();
}
