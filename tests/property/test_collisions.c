/* Collisions: quick answers agree with distances, rows with central differences; answers never overlap, are the same from a fresh
 * solver, and say what is in the way. */
#include <limber/io.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "figure/hull/hull.h"
#include "figure/memory.h"
#include "problem/apart.h"
#include "problem/problem.h"

#define MOST 64

/* --- Solids ---------------------------------------------------------------------------------------------------------------- */

static void random_frame(check_random *random, double reach, lb_frame *frame) {
    double norm = 0;
    for (int i = 0; i < 4; i++) {
        frame->rotation[i] = check_random_range(random, -1, 1);
        norm += frame->rotation[i] * frame->rotation[i];
    }
    for (int i = 0; i < 4; i++) {
        frame->rotation[i] /= sqrt(norm);
    }
    for (int i = 0; i < 3; i++) {
        frame->position[i] = check_random_range(random, -reach, reach);
    }
}

static void random_shape(check_random *random, double (*points)[3], lb_shape *shape) {
    lb_shape_defaults(shape);
    shape->kind = (lb_shape_kind)check_random_index(random, LB_SHAPE_HULL + 1);
    for (int i = 0; i < 3; i++) {
        shape->size[i] = check_random_range(random, 0.02, 0.2);
    }
    random_frame(random, 0.2, &shape->frame);
    if (shape->kind == LB_SHAPE_HULL) {
        shape->size[0] *= 0.1;
        shape->vertex_count = 1 + check_random_index(random, 60);
        shape->vertices = (const double(*)[3])points;
        for (int i = 0; i < shape->vertex_count; i++) {
            for (int c = 0; c < 3; c++) {
                points[i][c] = check_random_range(random, -0.2, 0.2);
            }
        }
    }
}

/* Two free bodies of a few shapes each: their only pair. */
static lb_figure *two_bodies(check_random *random, lb_problem **problem) {
    static double points[60][3];
    lb_builder *builder = lb_builder_create(NULL, NULL);
    int sites[2];
    for (int i = 0; i < 3; i++) {
        static const char *const names[3] = {"world", "a", "b"};
        lb_segment segment;
        lb_site site;
        lb_segment_defaults(&segment);
        lb_site_defaults(&site);
        segment.name = names[i];
        site.name = "origin";
        site.segment = lb_builder_add_segment(builder, &segment);
        sites[i > 0] = lb_builder_add_site(builder, &site);
        for (int k = i ? 1 + check_random_index(random, 3) : 0; k > 0; k--) {
            lb_shape shape;
            random_shape(random, points, &shape);
            shape.segment = i;
            REQUIRE(lb_builder_add_shape(builder, &shape) >= 0);
        }
        if (i > 0) {
            lb_joint joint;
            lb_joint_defaults(&joint);
            joint.name = names[i];
            joint.site_a = sites[0];
            joint.site_b = sites[1];
            REQUIRE(lb_joint_type_parse("floating", &joint.type, NULL) == LB_OK);
            REQUIRE(lb_builder_add_joint(builder, &joint) >= 0);
        }
    }
    lb_figure *figure = NULL;
    REQUIRE(lb_builder_finish(builder, &figure) == LB_OK);
    lb_builder_destroy(builder);
    *problem = lb_problem_create(figure, NULL);
    lb_collisions apart;
    lb_collisions_defaults(&apart);
    apart.samples = 0;
    REQUIRE(lb_problem_set_collisions(*problem, &apart) == LB_OK);
    return figure;
}

static void to_transform(const lb_frame *frame, lbm_transform *t) {
    double m[9];
    lb_rotation_to_matrix(frame->rotation, m);
    lbm_transform_identity(t);
    for (int i = 0; i < 3; i++) {
        t->x[i] = m[3 * i], t->y[i] = m[3 * i + 1], t->z[i] = m[3 * i + 2], t->p[i] = frame->position[i];
    }
}

/* The distance of a pair, solid by solid, without what encloses them. */
static double plain_distance(const lbp_pair *pair, const lbm_transform *a, const lbm_transform *b) {
    double least = INFINITY;
    for (int i = 0; i < pair->a->solid_count; i++) {
        for (int k = 0; k < pair->b->solid_count; k++) {
            lbm_transform at_a, at_b;
            lbm_gap gap;
            lbm_transform_multiply(a, &pair->a->solids[i].frame, &at_a);
            lbm_transform_multiply(b, &pair->b->solids[k].frame, &at_b);
            lbm_convex_distance(&pair->a->solids[i].convex, &at_a, &pair->b->solids[k].convex, &at_b, INFINITY, &gap);
            least = fmin(least, gap.distance);
        }
    }
    return least;
}

/* Every support point of a solid lies in its ball and its capsule. */
static void check_covers(check_random *random, const lbp_mass *mass) {
    for (int i = 0; i < mass->solid_count; i++) {
        const lbp_solid *s = &mass->solids[i];
        for (int k = 0; k < 50; k++) {
            double way[3], point[3], off[3], along[3];
            int hint = 0;
            for (int c = 0; c < 3; c++) {
                way[c] = check_random_range(random, -1, 1);
            }
            lbm_convex_support(&s->convex, way, &hint, point);
            lbm_add_scaled3(point, way, s->convex.radius / lbm_norm3(way));
            lbm_apply(&s->frame, point, point);
            lbm_sub3(point, s->centre, off);
            CHECK(lbm_norm3(off) <= s->reach + 1e-9);
            lbm_sub3(s->ends[1], s->ends[0], along);
            lbm_sub3(point, s->ends[0], off);
            const double length = lbm_dot3(along, along),
                         t = length > 0 ? fmin(1, fmax(0, lbm_dot3(off, along) / length)) : 0;
            lbm_add_scaled3(off, along, -t);
            check_note("kind %d", (int)s->convex.kind);
            CHECK(lbm_norm3(off) <= s->round + 1e-9);
        }
    }
}

/* de along a turn and a shift of mass a, in the frame of b. */
static void move_effector(const double e[9], const double twist[6], double out[9]) {
    double cross[3];
    for (int part = 0; part < 3; part++) {
        lbm_cross3(twist + 3, e + 3 * part, cross);
        for (int c = 0; c < 3; c++) {
            out[3 * part + c] = cross[c] + (part == 0 ? twist[c] : 0);
        }
    }
}

static double turned_row(const lbp_pair *pair, const double e[9], const double twist[6], double step) {
    double rate[9], moved[9], x[3], y[3];
    move_effector(e, twist, rate);
    for (int i = 0; i < 9; i++) {
        moved[i] = e[i] + step * rate[i];
    }
    /* orthonormal again, to second order of the step */
    lbm_copy3(x, moved + 3);
    lbm_copy3(y, moved + 6);
    const double nx = lbm_norm3(x);
    lbm_set3(moved + 3, x[0] / nx, x[1] / nx, x[2] / nx);
    lbm_add_scaled3(y, moved + 3, -lbm_dot3(y, moved + 3));
    const double ny = lbm_norm3(y);
    lbm_set3(moved + 6, y[0] / ny, y[1] / ny, y[2] / ny);
    return lbp_apart_row(pair, moved, 1, NULL);
}

static void check_row(check_random *random, const lbp_pair *pair, const lbm_transform *a, const lbm_transform *b,
                      int *checked, int *off) {
    lbm_transform inverse, in_b;
    double e[9], derivatives[9], twist[6], rate[9], slope = 0;
    lbm_transform_invert(b, &inverse);
    lbm_transform_multiply(&inverse, a, &in_b);
    lbm_copy3(e, in_b.p);
    lbm_copy3(e + 3, in_b.x);
    lbm_copy3(e + 6, in_b.y);
    const double row = lbp_apart_row(pair, e, 1, derivatives);
    if (row < -0.09 || row > 0.05) {
        return; /* far apart: no derivative; deep in each other: the shortest way out jumps */
    }
    for (int i = 0; i < 6; i++) {
        twist[i] = check_random_range(random, -1, 1);
    }
    move_effector(e, twist, rate);
    for (int i = 0; i < 9; i++) {
        slope += derivatives[i] * rate[i];
    }
    const double step = 1e-6,
                 central = (turned_row(pair, e, twist, step) - turned_row(pair, e, twist, -step)) / (2 * step);
    ++*checked;
    *off += !(fabs(central - slope) < 1e-3); /* edges and corners, where the nearest points jump, apart */
}

static void test_pairs(void) {
    check_random random;
    check_random_seed(&random, 18);
    int checked = 0, off = 0, apart = 0, touching = 0;
    for (int i = 0; i < check_count(60, 2000); i++) {
        lb_problem *problem;
        lb_figure *figure = two_bodies(&random, &problem);
        REQUIRE(CHECK_INT(lb_problem_pair_count(problem), 1));
        const lbp_pair *pair = &problem->apart->pairs[0];
        lbp_memory memory = {{{0, 0, 0}, 0, 0}};
        check_covers(&random, pair->a);
        check_covers(&random, pair->b);
        for (int k = 0; k < 40; k++) {
            lb_frame frames[2];
            lbm_transform a, b;
            lbm_gap gap;
            random_frame(&random, 0.4, &frames[0]);
            random_frame(&random, 0.4, &frames[1]);
            to_transform(&frames[0], &a);
            to_transform(&frames[1], &b);
            const double distance = plain_distance(pair, &a, &b), least = check_random_range(&random, -0.05, 0.1);
            if (fabs(distance - least) > 1e-4) { /* what cylinders and ellipsoids may be wrong by */
                CHECK_INT(lbp_pair_is_apart(pair, &a, &b, least, &memory), distance > least);
            }
            apart += distance > 0;
            touching += distance < 0;
            lbp_pair_gap(pair, &a, &b, INFINITY, &gap);
            CHECK_NEAR(gap.distance, distance, 1e-9);
            lbp_pair_gap(pair, &a, &b, 0.05, &gap);
            CHECK(gap.is_bound ? distance > 0.05 - 1e-9 : fabs(gap.distance - distance) < 1e-9);
            check_row(&random, pair, &a, &b, &checked, &off);
        }
        lb_problem_destroy(problem);
        lb_figure_destroy(figure);
    }
    CHECK(apart > 100 && touching > 100);
    CHECK(checked > 100);
    CHECK(off <= 0.02 * checked);
}

/* --- Which pairs ------------------------------------------------------------------------------------------------------------ */

static lb_figure *load(const char *name) {
    char path[1024];
    lb_figure *figure = NULL;
    lb_error error;
    REQUIRE(check_source(name, path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    return figure;
}

static void test_choice(void) {
    lb_figure *chain = NULL, *human = load("models/human.fig");
    lb_collisions apart;
    REQUIRE(lb_figure_load("chain:6", NULL, &chain, NULL) == LB_OK);
    lb_problem *p = lb_problem_create(chain, NULL);
    CHECK_INT(lb_problem_pair_count(p), 0);
    lb_collisions_defaults(&apart);
    apart.samples = 0;
    CHECK_INT(lb_problem_set_collisions(p, &apart), LB_OK);
    CHECK_INT(lb_problem_pair_count(p), 5 * 4 / 2); /* six links, neighbours apart; the base has no shape */
    const lb_touching may = {0, 1, 0, 5};
    apart.touching_count = 1;
    apart.touching = &may;
    CHECK_INT(lb_problem_set_collisions(p, &apart), LB_OK);
    CHECK_INT(lb_problem_pair_count(p), 9);
    lb_solid far = {"far", {0}}, near_by = {NULL, {0}};
    lb_shape_defaults(&far.shape);
    far.shape.size[0] = 0.1;
    far.shape.frame.position[0] = 50;
    near_by = far;
    near_by.shape.frame.position[0] = 0.4;
    const lb_solid solids[2] = {far, near_by};
    apart = (lb_collisions){0};
    lb_collisions_defaults(&apart);
    apart.self = 0;
    apart.solid_count = 2;
    apart.solids = solids;
    CHECK_INT(lb_problem_set_collisions(p, &apart), LB_OK);
    CHECK(lb_problem_pair_count(p) >= 3 && lb_problem_pair_count(p) <= 6); /* what cannot be reached is left out */
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_contact_pair pair;
    double pose[MOST] = {0};
    CHECK_INT(lb_solver_pair(solver, pose, 0, &pair), LB_OK);
    CHECK_TEXT(pair.name_b, "far");
    CHECK_INT(lb_solver_pair(solver, pose, lb_problem_pair_count(p), &pair), LB_ERROR_ARGUMENT);
    lb_solver_destroy(solver);
    apart.margin = -1;
    CHECK_INT(lb_problem_set_collisions(p, &apart), LB_ERROR_ARGUMENT);
    CHECK(lb_problem_pair_count(p) >= 3); /* as it was */
    CHECK_INT(lb_problem_set_collisions(p, NULL), LB_OK);
    CHECK_INT(lb_problem_pair_count(p), 0);
    lb_problem_destroy(p);
    p = lb_problem_create(human, NULL);
    CHECK_INT(lb_problem_set_body(p, 0, NULL), LB_OK);
    lb_collisions_defaults(&apart);
    CHECK_INT(lb_problem_set_collisions(p, &apart), LB_OK); /* a body's own limbs are kept apart by the body */
    CHECK_INT(lb_problem_pair_count(p), 0);
    lb_problem_destroy(p);
    lb_figure_destroy(chain);
    lb_figure_destroy(human);
}

/* --- Solves ------------------------------------------------------------------------------------------------------------------- */

static void make_world(lb_solid world[3]) {
    static const char *const names[3] = {"table", "post", "ball"};
    for (int i = 0; i < 3; i++) {
        world[i].name = names[i];
        lb_shape_defaults(&world[i].shape);
    }
    world[0].shape.kind = LB_SHAPE_BOX;
    memcpy(world[0].shape.size, (double[3]){1, 1, 0.02}, 3 * sizeof(double));
    world[0].shape.frame.position[2] = -0.1;
    world[1].shape.kind = LB_SHAPE_CYLINDER;
    memcpy(world[1].shape.size, (double[3]){0.06, 0.4, 0}, 3 * sizeof(double));
    memcpy(world[1].shape.frame.position, (double[3]){0.4, 0.1, 0.3}, 3 * sizeof(double));
    world[2].shape.size[0] = 0.12;
    memcpy(world[2].shape.frame.position, (double[3]){-0.3, 0.3, 0.5}, 3 * sizeof(double));
}

static void frame_of(lb_kinematics *k, const lb_effector *effector, lb_frame *frame) {
    double e[9], m[9];
    lb_kinematics_effector(k, effector, e);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        frame->position[i] = e[i];
        m[3 * i] = e[3 + i], m[3 * i + 1] = e[6 + i];
        m[3 * i + 2] = e[3 + j] * e[6 + l] - e[3 + l] * e[6 + j];
    }
    lb_rotation_from_matrix(m, frame->rotation);
}

static void check_answers(const char *model, const char *tip, int is_frame) {
    lb_figure *figure = load(model);
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    lb_solid world[3];
    lb_collisions apart;
    lb_constraint goal;
    lb_frame frame;
    make_world(world);
    lb_collisions_defaults(&apart);
    apart.solid_count = 3;
    apart.solids = world;
    REQUIRE(CHECK_INT(lb_problem_set_collisions(problem, &apart), LB_OK));
    lb_frame_identity(&frame);
    REQUIRE((is_frame ? lb_constraint_frame(figure, tip, &frame, &goal)
                      : lb_constraint_at(figure, tip, frame.position, &goal)) == LB_OK);
    const int id = lb_problem_add(problem, &goal), n = lb_figure_variable_count(figure);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(id >= 0 && solver && n <= MOST);
    uint64_t seed = 5;
    lb_solve_options options;
    lb_result result, other;
    lb_solve_options_defaults(&options);
    lb_result_defaults(&result);
    lb_result_defaults(&other);
    options.restarts = 200;
    int solved = 0, kept = 0;
    const int count = check_count(60, 3000);
    for (int i = 0; i < count; i++) {
        double pose[MOST], start[MOST], again[MOST];
        lb_contact_pair worst;
        check_note("%s %d", model, i);
        do {
            lb_figure_random_pose(figure, &seed, start);
        } while (lb_solver_near_pairs(solver, start, 0, 0, NULL) > 0);
        lb_kinematics_update(kinematics, start);
        frame_of(kinematics, &goal.effector, &frame);
        lb_problem_move_goal(problem, id, &frame);
        lb_figure_random_pose(figure, &seed, start); /* which may well touch */
        memcpy(pose, start, sizeof pose);
        CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
        solved += result.outcome == LB_OUTCOME_SOLVED;
        kept += lb_solver_near_pairs(solver, pose, -1e-4, 1, &worst) == 0;
        if (i % 4 == 0) { /* a fresh solver gives the same bits */
            lb_solver *fresh = lb_solver_create(problem, NULL);
            memcpy(again, start, sizeof again);
            CHECK_INT(lb_solver_solve(fresh, &options, again, &other), LB_OK);
            CHECK(memcmp(again, pose, (size_t)n * sizeof *pose) == 0);
            CHECK_TEXT(other.explanation, result.explanation);
            lb_solver_destroy(fresh);
        }
    }
    check_note("%s", model);
    CHECK_INT(solved, count);
    CHECK_INT(kept, count);
    /* into the middle of the post: as near as can be, without going in */
    double pose[MOST];
    lb_contact_pair worst;
    lb_constraint inside;
    lb_problem_remove(problem, id);
    REQUIRE(lb_constraint_at(figure, tip, (double[3]){0.4, 0.1, 0.3}, &inside) == LB_OK);
    REQUIRE(lb_problem_add(problem, &inside) >= 0);
    lb_figure_rest_pose(figure, pose);
    options.restarts = 5;
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK(result.outcome != LB_OUTCOME_SOLVED);
    CHECK_HAS(result.explanation, "in the way: ");
    CHECK_HAS(result.explanation, " and post");
    CHECK_INT(lb_solver_near_pairs(solver, pose, -1e-4, 1, &worst), 0);
    CHECK(result.constraint_count == 1 && !result.constraints[0].met);
    lb_solver_destroy(solver);
    lb_kinematics_destroy(kinematics);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* Several answers keep clear, too: those that touch are left out. */
static void test_all_answers(void) {
    lb_figure *figure = load("models/ur5.fig");
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    lb_solid world[3];
    lb_collisions apart;
    lb_constraint goal;
    lb_frame frame;
    lb_result result;
    double start[MOST] = {0}, poses[16 * MOST];
    make_world(world);
    lb_collisions_defaults(&apart);
    apart.solid_count = 3;
    apart.solids = world;
    lb_frame_identity(&frame);
    REQUIRE(lb_constraint_frame(figure, "tool", &frame, &goal) == LB_OK);
    const int id = lb_problem_add(problem, &goal), n = lb_figure_variable_count(figure);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(id >= 0 && solver && n <= MOST);
    uint64_t seed = 6;
    int all = 0, clear = 0;
    lb_result_defaults(&result);
    for (int i = 0; i < 20; i++) {
        double pose[MOST];
        lb_figure_random_pose(figure, &seed, pose);
        lb_kinematics_update(kinematics, pose);
        frame_of(kinematics, &goal.effector, &frame);
        lb_problem_move_goal(problem, id, &frame);
        REQUIRE(lb_problem_set_collisions(problem, NULL) == LB_OK);
        CHECK_INT(lb_solver_solve_all(solver, NULL, start, 0.1, 16, poses, &result), LB_OK);
        all += result.answer_count;
        REQUIRE(lb_problem_set_collisions(problem, &apart) == LB_OK);
        CHECK_INT(lb_solver_solve_all(solver, NULL, start, 0.1, 16, poses, &result), LB_OK);
        clear += result.answer_count;
        for (int k = 0; k < result.answer_count; k++) {
            CHECK_INT(lb_solver_near_pairs(solver, poses + k * n, -1e-4, 0, NULL), 0);
        }
    }
    CHECK(clear > 0 && clear < all);
    lb_solver_destroy(solver);
    lb_kinematics_destroy(kinematics);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

int main(void) {
    test_pairs();
    test_choice();
    check_answers("models/panda.fig", "tool", 1);
    check_answers("models/ur5.fig", "tool", 1);
    check_answers("models/iiwa14.fig", "tool", 0);
    test_all_answers();
    return check_done();
}
