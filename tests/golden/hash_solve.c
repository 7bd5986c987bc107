/*
 * Hashes (FNV-1a over the bits) what the methods answer to fixed problems: the pose, G before and after, the counts.
 * Prints scene, method, outcome, G and hash a line, so that a difference can be read. test_determinism.sh builds this
 * with several compilers and options and asks for the same lines from all.
 */
#include <limber/solve.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash;

static void hash_bits(const void *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    }
}

/* Ends the program if a call failed. */
static int require(int result, const char *what) {
    if (result < 0) {
        fprintf(stderr, "hash_solve: %s: %d\n", what, result);
        exit(1);
    }
    return result;
}

/* --- Figures ------------------------------------------------------------------------------------- */

static int add_segment(lb_builder *b, const char *name) {
    lb_segment segment;
    lb_segment_defaults(&segment);
    segment.name = name;
    segment.mass = 1;
    segment.com[0] = 0.1;
    return require(lb_builder_add_segment(b, &segment), name);
}

static int add_site(lb_builder *b, int segment, const char *name, double x) {
    lb_site site;
    lb_site_defaults(&site);
    site.segment = segment;
    site.name = name;
    site.frame.position[0] = x;
    return require(lb_builder_add_site(b, &site), name);
}

static lb_figure *finish(lb_builder *b) {
    lb_figure *figure = NULL;
    require(lb_builder_finish(b, &figure), lb_builder_error(b)->message);
    lb_builder_destroy(b);
    return figure;
}

/* Links of 0.2 m along x; types by turns; angles limited to +-limit where that is not 0; swings in a cone. */
static lb_figure *make_chain(int links, const char *const types[2], double limit, int coupled) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    int last = -1;
    for (int i = 0; i <= links; i++) {
        char name[16], joint_name[16];
        snprintf(name, sizeof name, "link%d", i);
        snprintf(joint_name, sizeof joint_name, "joint%d", i);
        int segment = add_segment(b, name), base = add_site(b, segment, "base", 0),
            tip = add_site(b, segment, "tip", i ? 0.2 : 0);
        if (i) {
            lb_joint joint;
            double cone[8][2];
            lb_joint_defaults(&joint);
            joint.name = joint_name;
            joint.site_a = last;
            joint.site_b = base;
            require(lb_joint_type_parse(types[i % 2], &joint.type, NULL), types[i % 2]);
            int swings = joint.type.elements[0].kind == LB_ELEMENT_SWING_TWIST;
            for (int k = swings ? 2 : 0; limit > 0 && k < lb_joint_type_dof_count(&joint.type); k++) {
                joint.lower[k] = -limit;
                joint.upper[k] = limit;
            }
            lb_swing_cone(0.8, 8, cone);
            joint.swing_count = swings ? 8 : 0;
            joint.swing = (const double(*)[2])cone;
            require(lb_builder_add_joint(b, &joint), joint_name);
        }
        last = tip;
    }
    for (int i = 0; coupled && i + 1 < links; i++) {
        lb_limit rule;
        lb_dof_ref terms[2] = {{i, 0, -1}, {i + 1, 0, -1}};
        const double coefficients[2] = {1, 0.5};
        lb_limit_defaults(&rule);
        rule.name = "rule";
        rule.count = 2;
        rule.terms = terms;
        rule.coefficients = coefficients;
        rule.bound = 0.6;
        require(lb_builder_add_limit(b, &rule), "rule");
    }
    return finish(b);
}

/* A bar on two cranks. */
static lb_figure *make_linkage(void) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    int ground = add_segment(b, "ground"), left = add_segment(b, "left"), bar = add_segment(b, "bar"),
        right = add_segment(b, "right");
    const int ends[4][2] = {{add_site(b, ground, "a", 0), add_site(b, left, "foot", 0)},
                            {add_site(b, left, "head", 0.5), add_site(b, bar, "from", 0)},
                            {add_site(b, bar, "to", 0.8), add_site(b, right, "head", 0.6)},
                            {add_site(b, ground, "b", 1), add_site(b, right, "foot", 0)}};
    for (int i = 0; i < 4; i++) {
        char name[16];
        lb_joint joint;
        lb_joint_defaults(&joint);
        snprintf(name, sizeof name, "pin%d", i);
        joint.name = name;
        joint.site_a = ends[i][0];
        joint.site_b = ends[i][1];
        require(lb_joint_type_parse("R(z)", &joint.type, NULL), "R(z)");
        require(lb_builder_add_joint(b, &joint), name);
    }
    return finish(b);
}

/* --- Problems ------------------------------------------------------------------------------------ */

static void goal_at(lb_constraint *c, int segment, double x, double y, double z) {
    lb_constraint_defaults(c);
    c->name = "goal";
    c->effector.segment = segment;
    c->effector.point[0] = 0.2;
    c->goal.point[0] = x;
    c->goal.point[1] = y;
    c->goal.point[2] = z;
}

static double shell(void *context, const double e[9], double gradient[9]) {
    (void)context;
    double off = e[0] * e[0] + e[1] * e[1] - 0.25;
    for (int i = 0; i < 9; i++) {
        gradient[i] = i < 2 ? 4 * off * e[i] : 0;
    }
    return off * off;
}

/* Number `number` of the problems; 0 when there are no more. */
static int pose_problem(int number, lb_problem *p, int last) {
    lb_constraint c;
    switch (number) {
    case 0: /* in reach */
        goal_at(&c, last, 0.3, 0.35, 0.2);
        require(lb_problem_add(p, &c), "reach");
        return 1;
    case 1: /* out of reach */
        goal_at(&c, last, 2, -1.5, 0.4);
        require(lb_problem_add(p, &c), "far");
        return 1;
    case 2: /* on the chain's own axis */
        goal_at(&c, last, 0.3, 0, 0);
        require(lb_problem_add(p, &c), "axis");
        return 1;
    case 3: /* a frame, and the middle out of a ball and near a plane */
        goal_at(&c, last, 0.3, 0.3, 0);
        c.goal.kind = LB_GOAL_FRAME;
        memcpy(c.goal.x, (double[]){0, 1, 0}, sizeof c.goal.x);
        memcpy(c.goal.y, (double[]){-1, 0, 0}, sizeof c.goal.y);
        require(lb_problem_add(p, &c), "frame");
        goal_at(&c, last / 2, 0.25, 0.05, 0);
        c.goal.kind = LB_GOAL_SPHERE;
        c.goal.outside = 1;
        c.goal.size[0] = 0.1;
        c.radius = 0.05;
        c.half_length = 0.1;
        require(lb_problem_add(p, &c), "ball");
        goal_at(&c, 1, 0, 0.1, 0);
        c.goal.kind = LB_GOAL_PLANE;
        memcpy(c.goal.normal, (double[]){0, 1, 0}, sizeof c.goal.normal);
        c.weight = 0.01;
        require(lb_problem_add(p, &c), "plane");
        return 1;
    case 4: /* levels, alternatives, wishes */
        goal_at(&c, last, 0.5, 0.1, 0);
        c.any_of = 1;
        require(lb_problem_add(p, &c), "one handle");
        goal_at(&c, last, -0.1, 0.4, 0.1);
        c.any_of = 1;
        require(lb_problem_add(p, &c), "the other");
        goal_at(&c, last / 2, 0.1, -0.3, 0.2);
        c.goal.kind = LB_GOAL_AIM;
        c.priority = 1;
        require(lb_problem_add(p, &c), "aim");
        require(lb_problem_set_posture(p, NULL, 1e-4), "posture");
        return 1;
    case 5: /* the centre of mass in a box, a custom goal */
        goal_at(&c, 0, 0.1, 0.2, 0);
        lb_effector_from_com(&c.effector);
        c.goal.kind = LB_GOAL_BOX;
        for (int i = 0; i < 3; i++) {
            c.goal.size[i] = 0.03;
        }
        require(lb_problem_add(p, &c), "balance");
        goal_at(&c, last, 0, 0, 0);
        c.goal.kind = LB_GOAL_CUSTOM;
        c.goal.potential = shell;
        require(lb_problem_add(p, &c), "shell");
        return 1;
    default:
        return 0;
    }
}

/* Solves with these options, completed, and prints the line. */
static void solve_as(const char *scene, int number, const lb_problem *p, const char *name,
                     const lb_solve_options *some) {
    lb_solve_options options = *some;
    lb_result result;
    double pose[64];
    lb_result_defaults(&result);
    int n = lb_problem_variable_count(p);
    for (int i = 0; i < n; i++) {
        pose[i] = number == 2 ? 0 : 0.05 * ((i * 7) % 5 - 1);
    }
    options.max_iterations = 100;
    options.restarts = number == 1 ? 0 : 2;
    options.seed = 42;
    lb_status status = lb_solve(p, &options, pose, &result);
    if (status == LB_ERROR_UNSUPPORTED) {
        printf("%-9s %d %-10s refused\n", scene, number, name);
        return;
    }
    require(status, result.explanation);
    hash = 0xcbf29ce484222325u;
    hash_bits(pose, (size_t)n * sizeof *pose);
    hash_bits(&result.value_before, sizeof result.value_before);
    hash_bits(&result.value, sizeof result.value);
    hash_bits(&result.gradient_norm, sizeof result.gradient_norm);
    hash_bits(&result.iterations, sizeof result.iterations);
    hash_bits(&result.evaluations, sizeof result.evaluations);
    hash_bits(result.explanation, strlen(result.explanation));
    printf("%-9s %d %-10s %-8s %.6e %016llx\n", scene, number, name, lb_outcome_name(result.outcome), result.value,
           (unsigned long long)hash);
}

static void solve_one(const char *scene, int number, const lb_problem *p, lb_method method,
                      lb_jacobian_variant variant) {
    static const char *const variants[] = {"transpose", "inverse", "damped", "svd"};
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    options.method = method;
    options.jacobian = variant;
    solve_as(scene, number, p, method == LB_METHOD_JACOBIAN ? variants[variant] : lb_method_name(method), &options);
}

/* Some variables are stiff, some values preferred; the other update of bfgs, the other way of ccd. */
static void solve_stiff(lb_figure *figure) {
    static const struct {
        const char *name;
        lb_method method;
        lb_bfgs_update update;
        lb_ccd_variant ccd;
        double preferred;
    } ways[] = {{"dfp", LB_METHOD_BFGS, LB_BFGS_UPDATE_DFP, LB_CCD_VARIANT_DOF, 0},
                {"ccd", LB_METHOD_CCD, LB_BFGS_UPDATE_SWITCH, LB_CCD_VARIANT_DOF, 2},
                {"ccd-axis", LB_METHOD_CCD, LB_BFGS_UPDATE_SWITCH, LB_CCD_VARIANT_AXIS, 0},
                {"fabrik", LB_METHOD_FABRIK, LB_BFGS_UPDATE_SWITCH, LB_CCD_VARIANT_DOF, 2}};
    for (int number = 0; number < 4; number++) {
        lb_problem *p = lb_problem_create(figure, NULL);
        pose_problem(number, p, lb_figure_segment_count(figure) - 1);
        for (int i = 0; i < lb_problem_variable_count(p); i += 3) {
            require(lb_problem_set_rigidity(p, i, i % 2 ? 0.4 : 0.9), "rigidity");
        }
        for (int w = 0; w < 4; w++) {
            lb_solve_options options;
            lb_solve_options_defaults(&options);
            options.method = ways[w].method;
            options.bfgs_update = ways[w].update;
            options.ccd = ways[w].ccd;
            options.preferred = ways[w].preferred;
            solve_as("stiff", number, p, ways[w].name, &options);
        }
        lb_problem_destroy(p);
    }
    lb_figure_destroy(figure);
}

static void solve_all(const char *scene, lb_figure *figure) {
    for (int number = 0;; number++) {
        lb_problem *p = lb_problem_create(figure, NULL);
        int more = pose_problem(number, p, lb_figure_segment_count(figure) - 1);
        for (int method = LB_METHOD_LM; more && method <= LB_METHOD_FABRIK; method++) {
            for (int variant = 0; variant <= (method == LB_METHOD_JACOBIAN ? LB_JACOBIAN_VARIANT_SVD_DAMPED : 0);
                 variant++) {
                solve_one(scene, number, p, (lb_method)method, (lb_jacobian_variant)variant);
            }
        }
        lb_problem_destroy(p);
        if (!more) {
            break;
        }
    }
    lb_figure_destroy(figure);
}

int main(void) {
    static const char *const pins[2] = {"R(z)", "R(y)"}, *const balls[2] = {"swing_twist(x)", "R(z)"},
                             *const mixed[2] = {"R(z)*T(x)", "ball"},
                             *const turns[2] = {"R(x)*R(y)*R(z)", "R(-y)*R(z)"};
    solve_all("chain", make_chain(5, pins, 0, 0));
    solve_all("limits", make_chain(6, pins, 0.7, 0));
    solve_all("rules", make_chain(6, pins, 1, 1));
    solve_all("balls", make_chain(4, balls, 1.2, 0));
    solve_all("mixed", make_chain(3, mixed, 0.4, 0));
    solve_all("linkage", make_linkage());
    solve_stiff(make_chain(5, turns, 1.5, 0));
    return 0;
}
