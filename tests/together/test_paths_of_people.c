/* A palm goes along random lines, and the person whose palm it is stays a person: the feet that stand do not slide, the centre of mass is
 * above them, limits hold, the palm is on its line - at every pose that is handed out, by forward kinematics alone. Where that is not
 * possible, the path ends, and says where. */
#include <limber/body.h>
#include <limber/collisions.h>
#include <limber/io.h>
#include <limber/path.h>
#include <math.h>
#include <string.h>

#include "check.h"

#define MOST 256
#define POINTS 32
#define SLIDE 1e-4  /* metres: what a point that stands moves at most */
#define STANDS 5e-4 /* metres: what is higher does not stand: a heel that comes down turns about the ball of its foot */
#define OFF 1e-4    /* metres: what the palm is off its line at most */

typedef struct judge {
    const lb_figure *human;
    lb_kinematics *kinematics;
    lb_effector palm, com;
    int count; /* contacts of the feet */
    int points[POINTS];
    int is_ball[POINTS];
} judge;

static void open_judge(judge *j, const lb_figure *human, lb_kinematics *kinematics) {
    lb_error error;
    const lb_body *body = lb_figure_body(human);
    *j = (judge){.human = human, .kinematics = kinematics};
    REQUIRE(lb_figure_find_effector(human, "right_palm", &j->palm, &error) == LB_OK);
    REQUIRE(lb_figure_find_effector(human, "com", &j->com, &error) == LB_OK);
    for (int i = 0; i < body->contact_count && j->count < POINTS; i++) {
        const lb_contact_kind kind = body->contacts[i].kind;
        if (kind == LB_CONTACT_HEEL || kind == LB_CONTACT_BALL || kind == LB_CONTACT_TOE) {
            j->is_ball[j->count] = kind != LB_CONTACT_HEEL;
            j->points[j->count++] = i;
        }
    }
    REQUIRE(j->count >= 4);
}

static void find_point(const judge *j, int point, double at[3]) {
    const lb_body_contact *c = &lb_figure_body(j->human)->contacts[j->points[point]];
    lb_effector effector;
    double e[9];
    lb_effector_from_segment(j->human, c->segment, &effector);
    memcpy(effector.point, c->point, sizeof c->point);
    lb_kinematics_effector(j->kinematics, &effector, e);
    memcpy(at, e, 3 * sizeof *at);
}

static double side_of(const double a[3], const double b[3], const double c[3]) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* How far a point is inside of the convex hull of what stands, seen from above: every line through two points that has all on one side
 * is an edge of it. */
static double margin_of(int count, double points[][3], const double at[3]) {
    double margin = INFINITY;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
            const double length = hypot(points[k][0] - points[i][0], points[k][1] - points[i][1]);
            int is_edge = length > 1e-6;
            for (int m = 0; m < count && is_edge; m++) {
                is_edge = side_of(points[i], points[k], points[m]) >= -1e-9;
            }
            if (is_edge) {
                margin = fmin(margin, side_of(points[i], points[k], at) / length);
            }
        }
    }
    return margin;
}

typedef struct found {
    double slide, margin, off, violation;
} found;

/* All poses of a path. A point of a foot that stands in two poses that follow each other has not moved; toes and balls stand in
 * every pose but while the path makes a stop for a step. */
static found judge_path(judge *j, const lb_path *path, int pose_count, const lb_frame line[2]) {
    found all = {0, INFINITY, 0, 0};
    double pose[MOST], stood[POINTS][3], last = -1;
    int was[POINTS] = {0};
    for (int i = 0; i < pose_count; i++) {
        double fraction, e[9], standing[POINTS][3];
        int count = 0;
        REQUIRE(lb_path_pose(path, i, pose, &fraction) == LB_OK);
        CHECK(fraction >= last);
        const int is_stop = i > 0 && fraction == last;
        last = fraction;
        all.violation = fmax(all.violation, lb_figure_violation(j->human, pose));
        lb_kinematics_update(j->kinematics, pose);
        lb_kinematics_effector(j->kinematics, &j->palm, e);
        double off = 0;
        for (int k = 0; k < 3; k++) {
            const double on = line[0].position[k] + fraction * (line[1].position[k] - line[0].position[k]);
            off += (e[k] - on) * (e[k] - on);
        }
        all.off = fmax(all.off, sqrt(off));
        for (int k = 0; k < j->count; k++) {
            double at[3];
            find_point(j, k, at);
            const int stands = at[2] < STANDS;
            if (stands) {
                memcpy(standing[count++], at, sizeof at);
            }
            if (was[k] && (stands || (j->is_ball[k] && !is_stop))) {
                all.slide = fmax(all.slide, hypot(hypot(at[0] - stood[k][0], at[1] - stood[k][1]), fmax(-at[2], 0)));
            }
            if (stands && !was[k]) { /* it comes down here */
                memcpy(stood[k], at, sizeof at);
            }
            was[k] = stands;
        }
        lb_kinematics_effector(j->kinematics, &j->com, e);
        all.margin = fmin(all.margin, count > 2 ? margin_of(count, standing, e) : -1);
    }
    return all;
}

static double uniform(uint64_t *seed, double low, double high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(*seed >> 11) / 9007199254740992.0);
}

static void random_lines(const lb_figure *human) {
    const int count = check_is_sanitized() ? 2 : check_count(12, 50);
    lb_kinematics *kinematics = lb_kinematics_create(human, NULL);
    judge j;
    uint64_t seed = 27;
    int through = 0;
    found worst = {0, INFINITY, 0, 0};
    open_judge(&j, human, kinematics);
    for (int i = 0; i < count; i++) {
        lb_frame line[2];
        lb_path_options options;
        lb_path_result r;
        lb_error error;
        for (int k = 0; k < 2; k++) {
            lb_frame_identity(&line[k]);
            line[k].position[0] = uniform(&seed, 0.2, 0.8);
            line[k].position[1] = uniform(&seed, -0.7, 0.5);
            line[k].position[2] = uniform(&seed, 0.3, 1.7);
        }
        lb_path_options_defaults(&options);
        lb_path_result_defaults(&r);
        options.is_position = 1;
        lb_path *path = lb_path_create(human, &j.palm, 2, line, &options, &error);
        check_note("line %d, %.3f,%.3f,%.3f to %.3f,%.3f,%.3f", i, line[0].position[0], line[0].position[1],
                   line[0].position[2], line[1].position[0], line[1].position[1], line[1].position[2]);
        REQUIRE(path != NULL && lb_path_get(path, &r) == LB_OK);
        CHECK(r.explanation[0] != 0);
        if (r.end == LB_PATH_END_NONE) {
            const found one = judge_path(&j, path, r.pose_count, line);
            check_note("line %d, %.3f,%.3f,%.3f to %.3f,%.3f,%.3f: %s", i, line[0].position[0], line[0].position[1],
                       line[0].position[2], line[1].position[0], line[1].position[1], line[1].position[2],
                       r.explanation);
            CHECK_NEAR(one.slide, 0, SLIDE);
            CHECK(one.margin >= 0);
            CHECK_NEAR(one.off, 0, OFF);
            CHECK_NEAR(one.violation, 0, 1e-9);
            CHECK(r.load_velocity <= 1 && r.load_acceleration <= 1);
            worst = (found){fmax(worst.slide, one.slide), fmin(worst.margin, one.margin), fmax(worst.off, one.off),
                            fmax(worst.violation, one.violation)};
            through++;
        } else {
            printf("line %d: %s\n", i, r.explanation);
            CHECK_INT(r.pose_count, 0);
            CHECK(r.fraction < 1);
        }
        lb_path_destroy(path);
    }
    check_note("%s", "");
    printf("%d of %d lines; feet slide %.4f mm, margin %.1f mm, off %.4f mm\n", through, count, 1e3 * worst.slide,
           1e3 * worst.margin, 1e3 * worst.off);
    CHECK(through >= 0.9 * count);
    lb_kinematics_destroy(kinematics);
}

/* --- What holds on the way ------------------------------------------------------------------------------------------------ */

/* Around a post: the palm goes from one side of it to the other. A solver of its own looks at every pose. */
static void around_a_post(const lb_figure *human) {
    static const lb_frame line[2] = {{{0.45, -0.35, 1.2}, {0, 0, 0, 1}}, {{0.45, 0.1, 1.0}, {0, 0, 0, 1}}};
    lb_solid post = {"post", {0}};
    lb_collisions apart;
    lb_path_options options;
    lb_path_result r;
    lb_error error;
    lb_kinematics *kinematics = lb_kinematics_create(human, NULL);
    judge j;
    open_judge(&j, human, kinematics);
    lb_shape_defaults(&post.shape);
    post.shape.kind = LB_SHAPE_CYLINDER;
    post.shape.size[0] = 0.05;
    post.shape.size[1] = 0.7;
    memcpy(post.shape.frame.position, (const double[3]){0.32, -0.22, 0.7}, 3 * sizeof(double));
    lb_collisions_defaults(&apart);
    apart.solid_count = 1;
    apart.solids = &post;
    lb_path_options_defaults(&options);
    lb_path_result_defaults(&r);
    options.is_position = 1;
    options.collisions = &apart;
    lb_path *path = lb_path_create(human, &j.palm, 2, line, &options, &error);
    REQUIRE(path != NULL && lb_path_get(path, &r) == LB_OK);
    check_note("around a post: %s", r.explanation);
    CHECK_INT(r.end, LB_PATH_END_NONE);
    const found one = judge_path(&j, path, r.pose_count, line);
    CHECK_NEAR(one.slide, 0, SLIDE);
    CHECK(one.margin >= 0);
    CHECK_NEAR(one.off, 0, OFF);
    lb_problem *alone = lb_problem_create(human, NULL);
    apart.self = 0;
    REQUIRE(lb_problem_set_collisions(alone, &apart) == LB_OK);
    lb_solver *solver = lb_solver_create(alone, NULL);
    double nearest = INFINITY, pose[MOST];
    for (int i = 0; i < r.pose_count; i++) {
        lb_contact_pair pair;
        lb_path_pose(path, i, pose, NULL);
        if (lb_solver_near_pairs(solver, pose, 0.05, 1, &pair) > 0) {
            nearest = fmin(nearest, pair.distance);
        }
    }
    CHECK(nearest > -1e-4 && nearest < 0.02); /* it is in the way, and nothing touches it */
    check_note("%s", "");
    lb_solver_destroy(solver);
    lb_problem_destroy(alone);
    lb_path_destroy(path);
    lb_kinematics_destroy(kinematics);
}

/* A problem's own goals, its load and its body hold on the way: the left hand keeps its place, and carries 5 kg; without its body the
 * figure may float. */
static void with_a_problem(const lb_figure *human) {
    static const lb_frame line[2] = {{{0.4, -0.3, 1.3}, {0, 0, 0, 1}}, {{0.4, -0.3, 0.8}, {0, 0, 0, 1}}};
    const double left[3] = {0.35, 0.3, 1.1};
    lb_body_options body;
    lb_load load;
    lb_constraint c;
    lb_path_options options;
    lb_path_result r;
    lb_error error;
    double pose[MOST], e[9];
    lb_effector other;
    lb_kinematics *kinematics = lb_kinematics_create(human, NULL);
    lb_problem *p = lb_problem_create(human, NULL);
    judge j;
    open_judge(&j, human, kinematics);
    memset(&load, 0, sizeof load);
    load.segment = lb_figure_find_segment(human, "left_hand");
    load.mass = 5;
    lb_body_options_defaults(&body);
    body.load_count = 1;
    body.loads = &load;
    REQUIRE(lb_constraint_at(human, "left_palm", left, &c) == LB_OK && lb_problem_add(p, &c) > 0);
    REQUIRE(lb_figure_find_effector(human, "left_palm", &other, &error) == LB_OK);
    REQUIRE(lb_problem_set_body(p, 0, &body) == LB_OK);
    lb_path_options_defaults(&options);
    lb_path_result_defaults(&r);
    options.is_position = 1;
    options.problem = p;
    lb_path *path = lb_path_create(human, &j.palm, 2, line, &options, &error);
    REQUIRE(path != NULL && lb_path_get(path, &r) == LB_OK);
    check_note("with a load: %s", r.explanation);
    CHECK_INT(r.end, LB_PATH_END_NONE);
    const found one = judge_path(&j, path, r.pose_count, line);
    CHECK_NEAR(one.slide, 0, SLIDE);
    CHECK_NEAR(one.off, 0, OFF);
    double off = 0;
    for (int i = 0; i < r.pose_count; i++) {
        lb_path_pose(path, i, pose, NULL);
        lb_kinematics_update(kinematics, pose);
        lb_kinematics_effector(kinematics, &other, e);
        off = fmax(off, sqrt(pow(e[0] - left[0], 2) + pow(e[1] - left[1], 2) + pow(e[2] - left[2], 2)));
    }
    CHECK_NEAR(off, 0, 1e-3);
    lb_path_destroy(path);
    REQUIRE(lb_problem_clear_body(p, 0) == LB_OK);
    path = lb_path_create(human, &j.palm, 2, line, &options, &error);
    REQUIRE(path != NULL && lb_path_get(path, &r) == LB_OK);
    CHECK_INT(r.end, LB_PATH_END_NONE);
    CHECK(judge_path(&j, path, r.pose_count, line).margin < 0); /* it floats */
    lb_path_destroy(path);
    REQUIRE(lb_problem_add_figure(p, human) == 1);
    CHECK(lb_path_create(human, &j.palm, 2, line, &options, &error) == NULL);
    CHECK_HAS(error.message, "a path is of one figure");
    check_note("%s", "");
    lb_problem_destroy(p);
    lb_kinematics_destroy(kinematics);
}

int main(void) {
    char file[1024];
    lb_figure *human = NULL;
    REQUIRE(check_source("models/human.fig", file, sizeof file) && lb_figure_load(file, NULL, &human, NULL) == LB_OK);
    random_lines(human);
    around_a_post(human);
    with_a_problem(human);
    lb_figure_destroy(human);
    return check_done();
}
