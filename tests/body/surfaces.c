/* The part `surfaces`: everyday tasks with walls, steps, tables and things in the way (problems/surfaces), judged by formulas
 * of their own: contacts lie on their surfaces, nothing is in an obstacle by more than it may, forces and moments are in
 * balance within the cones of friction, elbows and knees are on their side, also while a hand is moved. */
#include "body.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "geometry.h"
#include "points.h"
#include "thresholds.h"

#define SAMPLES 41         /* of the axis of a capsule */
#define SEAT_DEPTH 0.0501  /* metres that one sits into a seat */
#define PRESS_DEPTH 0.0201 /* the same of what else rests on a surface, and its neighbours */
#define SIDE_DEG 3.0       /* an elbow or knee off its side */
#define SIDE_BOUND_DEG 35  /* the same where the limb is not free */
#define STATICS 1e-6       /* of the weight, or times a metre */
#define DEGREES (180 / 3.14159265358979323846)

static const struct {
    const char *name;
    double side_deg; /* of its swivels */
} table[] = {{"s01_hand_on_wall", 0},      {"s02_lean_on_wall", 0},
             {"s03_foot_on_step", 0},      {"s04_on_a_box", 0},
             {"s05_sit_and_lean", 0},      {"s06_over_the_table", 0},
             {"s07_under_the_table", 0},   {"s08_banister", 0},
             {"s09_around_a_post", 0},     {"s10_over_a_crate", 0},
             {"s11_box_and_step", 0},      {"s12_elbow_up", SIDE_DEG},
             {"s13_elbow_down", SIDE_DEG}, {"s14_knees_out", SIDE_BOUND_DEG}};

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int c = 0; c < 3; c++) {
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
    }
}

/* --- Surfaces ------------------------------------------------------------------------------------------- */

/* A surface, or the floor: its normal, and two axes in it. */
static void axes_of(const lb_surface *s, double axes[3][3]) {
    static const double up[3] = {0, 0, 1}, x[3] = {1, 0, 0};
    double length = s ? sqrt(dot3(s->normal, s->normal)) : 0;
    for (int c = 0; c < 3; c++) {
        axes[2][c] = length > 0 ? s->normal[c] / length : up[c];
    }
    REQUIRE(!s || dot3(s->along, s->along) == 0); /* no task has one */
    cross(up, axes[2], axes[0]);
    length = sqrt(dot3(axes[0], axes[0]));
    for (int c = 0; c < 3; c++) {
        axes[0][c] = length > 1e-9 ? axes[0][c] / length : x[c];
    }
    cross(axes[2], axes[0], axes[1]);
}

static const lb_surface *surface_of(const lb_body_options *o, int surface) {
    return surface < 0 ? NULL : &o->surfaces[surface];
}

/* Contacts that stand are on their surface and between its ends; so does all that is told to. */
static void check_contacts(const person *p, const lb_body_options *o, const lb_body_result *r) {
    for (int k = 0; k < r->contact_count; k++) {
        const lb_contact_result *c = &r->contacts[k];
        const lb_surface *s = surface_of(o, c->surface);
        double axes[3][3], at[3], off[3];
        axes_of(s, axes);
        person_contact(p, c->contact, at);
        CHECK(distance3(at, c->point) < 1e-9);
        for (int i = 0; i < 3; i++) {
            off[i] = at[i] - (s ? s->point[i] : i == 2 ? o->floor : 0);
        }
        if (c->stands) {
            CHECK(fabs(dot3(axes[2], off)) <= BODY_SUPPORT_M);
            CHECK(!s || fabs(dot3(axes[0], off)) <= s->half_size[0] + BODY_SUPPORT_M);
            CHECK(!s || fabs(dot3(axes[1], off)) <= s->half_size[1] + BODY_SUPPORT_M);
        }
    }
    for (int k = 0; k < o->support_count; k++) {
        const lb_body_contact *told = &p->body->contacts[o->supports[k].contact];
        int stands = 0;
        for (int i = 0; i < r->contact_count; i++) {
            const lb_body_contact *c = &p->body->contacts[r->contacts[i].contact];
            const int is_it = told->kind == LB_CONTACT_HEEL ? c->limb == told->limb && c->kind == LB_CONTACT_BALL
                                                            : r->contacts[i].contact == o->supports[k].contact;
            stands |= is_it && r->contacts[i].stands && r->contacts[i].surface == o->supports[k].surface;
        }
        CHECK(stands);
    }
}

/* Forces: none pulls, none is steeper than friction allows, and with the weight they are in balance. A foot's points share its
 * friction, so that of a foot is looked at as one. */
static void check_forces(const person *p, const lb_body_options *o, const lb_body_result *r) {
    double sum[3] = {0, 0, -1}, moment[3] = {0, 0, 0};
    for (int k = 0; k < r->contact_count; k++) {
        const lb_contact_result *c = &r->contacts[k];
        double axes[3][3], arm[3], turned[3];
        axes_of(surface_of(o, c->surface), axes);
        const double normal = dot3(axes[2], c->force), along = dot3(axes[0], c->force),
                     across = dot3(axes[1], c->force);
        CHECK(normal >= -STATICS);
        CHECK(c->stands || normal <= STATICS);
        CHECK(sqrt(along * along + across * across) <= o->friction * normal + STATICS);
        CHECK_NEAR(c->share, c->force[2], 1e-12);
        for (int i = 0; i < 3; i++) {
            arm[i] = c->point[i] - r->com[i];
            sum[i] += c->force[i];
        }
        cross(arm, c->force, turned);
        for (int i = 0; i < 3; i++) {
            moment[i] += turned[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(sum[i], 0, STATICS);
    }
    for (int i = 0; i < 2;
         i++) { /* about the vertical the friction of a foot acts at its ball, not where its points share it */
        CHECK_NEAR(moment[i], 0, 1e-5);
    }
    (void)p;
}

/* --- Obstacles ------------------------------------------------------------------------------------------ */

/* How deep a point is in a box with these axes. */
static double depth_in_box(const double at[3], const double middle[3], double axes[3][3], const double half[3]) {
    double least = INFINITY, out = 0;
    for (int c = 0; c < 3; c++) {
        const double off[3] = {at[0] - middle[0], at[1] - middle[1], at[2] - middle[2]};
        const double left = half[c] - fabs(dot3(axes[c], off));
        least = fmin(least, left);
        out += left < 0 ? left * left : 0;
    }
    return out > 0 ? -sqrt(out) : least;
}

/* The deepest that a solid is in a box, by samples of its axis. */
static double deepest(const person *p, int solid, const double middle[3], double axes[3][3], const double half[3]) {
    const lb_body_solid *s = &p->body->solids[solid];
    double most = -INFINITY;
    for (int k = 0; k < SAMPLES; k++) {
        double local[3], at[3];
        for (int c = 0; c < 3; c++) {
            local[c] = s->from[c] + (s->to[c] - s->from[c]) * k / (SAMPLES - 1);
        }
        carry(p->matrices[s->segment], local, at);
        most = fmax(most, depth_in_box(at, middle, axes, half) + s->radius);
    }
    return most;
}

/* How deep a solid may be in the body of a surface: what rests on it, and its neighbours, press into it. */
static double may_press(const person *p, const lb_body_options *o, int surface, int solid) {
    const int segment = p->body->solids[solid].segment;
    double most = 0;
    for (int k = 0; k < o->support_count; k++) {
        const lb_body_contact *c = &p->body->contacts[o->supports[k].contact];
        if (o->supports[k].surface == surface &&
            (segment == c->segment || lb_figure_parent_segment(p->figure, segment) == c->segment ||
             lb_figure_parent_segment(p->figure, c->segment) == segment)) {
            most = c->kind == LB_CONTACT_SEAT ? SEAT_DEPTH : PRESS_DEPTH;
        }
    }
    return most;
}

static void check_apart(const person *p, const lb_body_options *o) {
    for (int k = 0; k < p->body->solid_count; k++) {
        const lb_body_solid *solid = &p->body->solids[k];
        for (int i = 0; i < o->surface_count; i++) {
            const lb_surface *s = &o->surfaces[i];
            const double half[3] = {s->half_size[0], s->half_size[1], 0.5 * s->thickness};
            double axes[3][3], middle[3];
            axes_of(s, axes);
            for (int c = 0; c < 3; c++) {
                middle[c] = s->point[c] - half[2] * axes[2][c];
            }
            if (s->thickness > 0 && !CHECK(deepest(p, k, middle, axes, half) <= may_press(p, o, i, k) + BODY_SELF_M)) {
                printf("  %s in %s by %.4f m\n", solid->name, s->name, deepest(p, k, middle, axes, half));
            }
        }
        for (int i = 0; i < o->obstacle_count; i++) {
            const lb_obstacle *b = &o->obstacles[i];
            double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, ends[2][3];
            carry(p->matrices[solid->segment], solid->from, ends[0]);
            carry(p->matrices[solid->segment], solid->to, ends[1]);
            const double depth = b->kind == LB_SHAPE_BOX
                                     ? deepest(p, k, b->point, axes, b->half_size)
                                     : solid->radius + b->radius - segment_distance(ends[0], ends[1], b->point, b->to);
            if (!CHECK(depth <= BODY_SELF_M)) {
                printf("  %s in obstacle %d by %.4f m\n", solid->name, i, depth);
            }
        }
    }
}

/* The boxes of another figure: hands that hold it touch it, nothing is in it. */
static void check_props(const person *p, const lb_problem *problem, const double *pose) {
    for (int f = 1; f < lb_problem_figure_count(problem); f++) {
        const lb_figure *prop = lb_problem_figure(problem, f);
        lb_kinematics *k = lb_kinematics_create(prop, NULL);
        REQUIRE(k && lb_kinematics_update(k, pose + lb_problem_first_variable(problem, f)) == LB_OK);
        for (int i = 0; i < lb_figure_shape_count(prop); i++) {
            const lb_shape *shape = lb_figure_shape(prop, i);
            lb_frame frame;
            double m[9], axes[3][3];
            REQUIRE(shape->kind == LB_SHAPE_BOX && lb_kinematics_segment(k, shape->segment, &frame) == LB_OK);
            lb_frame_multiply(&frame, &shape->frame, &frame);
            lb_rotation_to_matrix(frame.rotation, m);
            for (int c = 0; c < 9; c++) {
                axes[c % 3][c / 3] = m[c];
            }
            for (int s = 0; s < p->body->solid_count; s++) { /* the tape around the box is 1.5 mm thick */
                if (!CHECK(deepest(p, s, frame.position, axes, shape->size) <= BODY_SELF_M + 0.0015)) {
                    printf("  %s in shape %d by %.4f m\n", p->body->solids[s].name, i,
                           deepest(p, s, frame.position, axes, shape->size));
                }
            }
        }
        lb_kinematics_destroy(k);
    }
}

/* --- Swivels -------------------------------------------------------------------------------------------- */

/* The angle about the line from the upper to the lower joint between the middle joint and the direction, degrees. */
static double off_side(const person *p, const lb_swivel *s) {
    static const double none[3] = {0, 0, 0};
    double upper[3], middle[3], lower[3], line[3], out[3], to[3];
    carry(p->matrices[s->upper], none, upper);
    carry(p->matrices[s->middle], none, middle);
    carry(p->matrices[s->lower], none, lower);
    memcpy(to, s->direction, sizeof to);
    if (s->segment >= 0) {
        turn(p->matrices[s->segment], s->direction, to);
    }
    for (int c = 0; c < 3; c++) {
        line[c] = lower[c] - upper[c];
        out[c] = middle[c] - upper[c];
    }
    const double square = dot3(line, line), a = dot3(out, line) / square, b = dot3(to, line) / square;
    for (int c = 0; c < 3; c++) {
        out[c] -= a * line[c];
        to[c] -= b * line[c];
    }
    return angle_between(out, to) * DEGREES;
}

/* --- The tasks ------------------------------------------------------------------------------------------ */

static void run_task(int index) {
    char relative[200], path[1024];
    double pose[2 * PERSON_VARIABLES];
    lb_problem_file *file = NULL;
    lb_load_options options;
    lb_result result;
    lb_error error;
    person p;
    snprintf(relative, sizeof relative, "problems/surfaces/%s.json", table[index].name);
    lb_load_options_defaults(&options);
    lb_result_defaults(&result);
    check_note("%s", table[index].name);
    REQUIRE(check_source(relative, path, sizeof path));
    char models[1024];
    REQUIRE(check_source("models", models, sizeof models));
    options.models = models;
    if (!CHECK_INT(lb_problem_load(path, &options, &file, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
        exit(check_done());
    }
    const lb_problem *problem = lb_problem_file_problem(file);
    const lb_body_options *o = lb_problem_body(problem, 0);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(o && solver && lb_problem_variable_count(problem) <= 2 * PERSON_VARIABLES);
    memcpy(pose, lb_problem_file_start(file), (size_t)lb_problem_variable_count(problem) * sizeof *pose);
    REQUIRE(lb_solver_solve(solver, NULL, pose, &result) == LB_OK);
    const lb_body_result *r = lb_solver_body(solver, 0);
    REQUIRE(r);
    person_make(lb_problem_figure(problem, 0), &p);
    person_pose(&p, pose);
    printf("%-22s %s\n", table[index].name, result.explanation);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK(r->overlap <= 1e-5);
    check_contacts(&p, o, r);
    check_forces(&p, o, r);
    check_apart(&p, o);
    check_props(&p, problem, pose);
    for (int k = 0; k < p.pair_count; k++) {
        CHECK(person_apart(&p, k) >= -BODY_SELF_M);
    }
    for (int k = 0; k < o->swivel_count; k++) {
        const double off = off_side(&p, &o->swivels[k]);
        if (!CHECK(off <= table[index].side_deg)) {
            printf("  a swivel is off by %.1f deg\n", off);
        }
    }
    check_note("%s", "");
    person_free(&p);
    lb_solver_destroy(solver);
    lb_problem_file_destroy(file);
}

/* A palm goes away from the shoulder until the arm is all but stretched, and comes back, while the elbow is to point down, or out:
 * it stays on its side, and no step turns it far. */
static void track(lb_side side) {
    lb_figure *figure = load_human(0);
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_body_options o;
    lb_solve_options options;
    lb_result result;
    lb_constraint reach;
    lb_swivel swivel;
    person p;
    double pose[PERSON_VARIABLES], before = -1, straightest = 180;
    person_make(figure, &p);
    memcpy(pose, p.rest, sizeof pose);
    lb_body_options_defaults(&o);
    REQUIRE(lb_swivel_side(figure, "right_elbow", side, &swivel) == LB_OK);
    o.swivels = &swivel;
    o.swivel_count = 1;
    for (int k = 0; k < LB_BODY_LIMBS; k++) {
        o.feet_modes[k] = LB_FOOT_MODE_PLANTED;
    }
    const double from[3] = {0.35, -0.25, 1.15};
    REQUIRE(problem && lb_problem_set_body(problem, 0, &o) == LB_OK);
    REQUIRE(lb_constraint_at(figure, "right_palm", from, &reach) == LB_OK);
    const int id = lb_problem_add(problem, &reach), elbow = lb_figure_find_variable(figure, "right_elbow");
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(id > 0 && elbow >= 0 && solver);
    lb_solve_options_defaults(&options);
    lb_result_defaults(&result);
    check_note("elbow %s", lb_side_name(side));
    for (int k = 0; k <= 120; k++) {
        lb_frame frame;
        lb_frame_identity(&frame);
        const double way = k <= 60 ? k / 60.0 : 2 - k / 60.0;
        frame.position[0] = 0.35 + 0.42 * way;
        frame.position[1] = -0.25;
        frame.position[2] = 1.15 + 0.25 * way;
        REQUIRE(lb_problem_move_goal(problem, id, &frame) == LB_OK);
        options.tracking = k > 0;
        REQUIRE(lb_solver_solve(solver, &options, pose, &result) == LB_OK);
        person_pose(&p, pose);
        const double off = off_side(&p, &swivel);
        straightest = fmin(straightest, pose[elbow] * DEGREES);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        if (!CHECK(off < 25) || !CHECK(before < 0 || fabs(off - before) < 12)) {
            printf("  step %d: %.1f deg off its side, %.1f before; elbow %.1f\n", k, off, before,
                   pose[elbow] * DEGREES);
        }
        before = off;
    }
    printf("tracking, elbow %s: straightest elbow %.1f deg, off its side by %.1f deg at the end\n", lb_side_name(side),
           straightest, before);
    CHECK(straightest < 25);
    check_note("%s", "");
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    person_free(&p);
    lb_figure_destroy(figure);
}

void run_surfaces(void) {
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        run_task((int)k);
    }
    track(LB_SIDE_DOWN);
    track(LB_SIDE_OUT);
}
