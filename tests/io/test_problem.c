/* Problem files: every goal, every way to name an end-effector, what expands into constraints, messages with lines;
 * results. */
#include "check.h"
#include "problem_text.h"

#include <limber/io.h>
#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* A problem whose one constraint on the chain's tip has this goal. */
static lb_problem_file *load_goal(const char *goal) {
    char text[2000];
    snprintf(text, sizeof text,
             "{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"link3.tip\", \"goal\": %s}]}", goal);
    return load_text(text);
}

/* What the file says of solving; valid until the next call. */
static const lb_solve_options *options_of(const lb_problem_file *file) {
    static lb_solve_options options;
    lb_solve_options_defaults(&options);
    REQUIRE(lb_problem_file_options(file, &options) == LB_OK);
    return &options;
}

static const lb_constraint *first(lb_problem_file *file) {
    return lb_problem_constraint(lb_problem_file_problem(file), 0);
}

static void check_vector(const double *v, double x, double y, double z) {
    CHECK_NEAR(v[0], x, 1e-12);
    CHECK_NEAR(v[1], y, 1e-12);
    CHECK_NEAR(v[2], z, 1e-12);
}

static void test_points(void) {
    lb_problem_file *file = load_goal("{\"kind\": \"position\", \"point\": [0.1, \"20cm\", \"-30mm\"]}");
    CHECK_INT(first(file)->goal.kind, LB_GOAL_POSITION);
    CHECK(first(file)->goal.point[1] == 0.2); /* rounded once */
    check_vector(first(file)->goal.point, 0.1, 0.2, -0.03);
    CHECK_TEXT(first(file)->name, "link3.tip");
    CHECK_NEAR(first(file)->weight, 1, 0);
    CHECK_INT(first(file)->chain_start, -1);
    CHECK_INT(first(file)->goal.carrier_segment, -1);
    lb_problem_file_destroy(file);
    file = load_goal("{\"kind\": \"aim\", \"point\": [\"1ft\", \"1in\", 0], \"degrees_per_metre\": 90}");
    CHECK_INT(first(file)->goal.kind, LB_GOAL_AIM);
    check_vector(first(file)->goal.point, 0.3048, 0.0254, 0);
    CHECK_NEAR(first(file)->goal.degrees_x, 90, 0);
    lb_problem_file_destroy(file);
}

static void test_directions(void) {
    lb_problem_file *file = load_goal("{\"kind\": \"orientation\", \"rpy\": [0, 0, \"90deg\"]}");
    check_vector(first(file)->goal.x, 0, 1, 0);
    check_vector(first(file)->goal.y, -1, 0, 0);
    CHECK_NEAR(first(file)->goal.degrees_x, 180, 0);
    CHECK_NEAR(first(file)->goal.degrees_y, 180, 0);
    lb_problem_file_destroy(file);
    /* One direction alone leaves the other free. */
    file = load_goal("{\"kind\": \"orientation\", \"y\": [0, 0, 5], \"degrees_per_metre\": 45}");
    CHECK_NEAR(first(file)->goal.degrees_x, 0, 0);
    CHECK_NEAR(first(file)->goal.degrees_y, 45, 0);
    check_vector(first(file)->goal.y, 0, 0, 1);
    lb_problem_file_destroy(file);
    file = load_goal("{\"kind\": \"frame\", \"point\": [1, 2, 3], \"x\": [0, 1, 0], \"y\": [0, 0, 2], "
                     "\"degrees_per_metre\": [10, 0],"
                     " \"position_weight\": 0.75}");
    check_vector(first(file)->goal.x, 0, 1, 0);
    check_vector(first(file)->goal.y, 0, 0, 1);
    CHECK_NEAR(first(file)->goal.degrees_x, 10, 0);
    CHECK_NEAR(first(file)->goal.degrees_y, 0, 0);
    CHECK_NEAR(first(file)->goal.weight_position, 0.75, 0);
    CHECK_NEAR(first(file)->goal.weight_orientation, 0.25, 0);
    lb_problem_file_destroy(file);
    file = load_goal("{\"kind\": \"orientation\", \"quaternion\": [0, 0, 2, 2]}");
    check_vector(first(file)->goal.x, 0, 1, 0);
    lb_problem_file_destroy(file);
}

static void test_flat_goals(void) {
    static const char *const goals[] = {"{\"kind\": \"line\", \"point\": [1, 2, 3], \"direction\": [0, 3, 4]}",
                                        "{\"kind\": \"plane\", \"point\": [1, 2, 3], \"normal\": [0, 3, 4]}",
                                        "{\"kind\": \"half-space\", \"point\": [1, 2, 3], \"normal\": [0, 3, 4]}"};
    static const lb_goal_kind kinds[] = {LB_GOAL_LINE, LB_GOAL_PLANE, LB_GOAL_HALF_SPACE};
    for (int k = 0; k < 3; k++) {
        lb_problem_file *file = load_goal(goals[k]);
        CHECK_INT(first(file)->goal.kind, kinds[k]);
        check_vector(first(file)->goal.normal, 0, 0.6, 0.8);
        lb_problem_file_destroy(file);
    }
}

/* z of a rotation. */
static void check_z(const double rotation[4], double x, double y, double z) {
    double m[9];
    lb_rotation_to_matrix(rotation, m);
    CHECK_NEAR(m[2], x, 1e-12);
    CHECK_NEAR(m[5], y, 1e-12);
    CHECK_NEAR(m[8], z, 1e-12);
}

static void test_regions(void) {
    lb_problem_file *file = load_goal("{\"kind\": \"box\", \"point\": [0, 0, 1], \"half_size\": [\"10cm\", 0.2, 0.3],"
                                      " \"rpy\": [\"90deg\", 0, 0], \"outside\": true}");
    CHECK_INT(first(file)->goal.kind, LB_GOAL_BOX);
    CHECK_INT(first(file)->goal.outside, 1);
    check_vector(first(file)->goal.size, 0.1, 0.2, 0.3);
    check_z(first(file)->goal.rotation, 0, -1, 0);
    lb_problem_file_destroy(file);
    file = load_goal("{\"kind\": \"sphere\", \"point\": [0, 0, 1], \"radius\": \"5cm\"}");
    CHECK_INT(first(file)->goal.kind, LB_GOAL_SPHERE);
    CHECK_INT(first(file)->goal.outside, 0);
    CHECK_NEAR(first(file)->goal.size[0], 0.05, 0);
    lb_problem_file_destroy(file);
    file = load_goal("{\"kind\": \"capsule\", \"point\": [1, 0, 0], \"to\": [3, 0, 0], \"radius\": 0.5}");
    check_vector(first(file)->goal.point, 2, 0, 0);
    CHECK_NEAR(first(file)->goal.size[0], 0.5, 0);
    CHECK_NEAR(first(file)->goal.size[1], 1, 1e-15);
    check_z(first(file)->goal.rotation, 1, 0, 0);
    lb_problem_file_destroy(file);
    file = load_goal("{\"kind\": \"circle\", \"point\": [1, 0, 0], \"normal\": [0, -2, 0], \"radius\": 0.5}");
    CHECK_INT(first(file)->goal.kind, LB_GOAL_CIRCLE);
    check_z(first(file)->goal.rotation, 0, -1, 0);
    lb_problem_file_destroy(file);
    file = load_goal("{\"kind\": \"disc\", \"point\": [1, 0, 0], \"radius\": 0.5}");
    CHECK_INT(first(file)->goal.kind, LB_GOAL_DISC);
    check_z(first(file)->goal.rotation, 0, 0, 1);
    lb_problem_file_destroy(file);
    file = load_goal("{\"kind\": \"polyhedron\", \"faces\": [[0, 0, 2, 2], [0, 0, -1, 0]]}");
    CHECK_INT(first(file)->goal.face_count, 2);
    CHECK_NEAR(first(file)->goal.faces[0][2], 1, 1e-15); /* unit normals, as the problem keeps them */
    CHECK_NEAR(first(file)->goal.faces[0][3], 1, 1e-15);
    lb_problem_file_destroy(file);
}

static void test_effectors(void) {
    lb_problem_file *file = load_text(
        "{\"figures\": [\"human\", {\"file\": \"human\", \"name\": \"anna\", \"at\": [1, 0, 0], \"turn\": \"180deg\", "
        "\"free\": false}],"
        " \"constraints\": ["
        "  {\"effector\": \"anna:right_palm\", \"goal\": {\"kind\": \"position\", \"relative_to\": \"left_palm\"}},"
        "  {\"effector\": \"com\", \"goal\": {\"kind\": \"plane\", \"point\": [0, 0, 1], \"normal\": [0, 0, 1]}},"
        "  {\"effector\": {\"segment\": \"anna:right_hand\", \"point\": [0, 0, \"10cm\"], \"x\": [0, 0, 1]},"
        "   \"goal\": {\"kind\": \"position\", \"point\": [0, 0, 1]}},"
        "  {\"effector\": {\"site\": \"right_palm\", \"point\": [\"1cm\", 0, 0]}, \"goal\": {\"kind\": \"position\", "
        "\"point\": [0, 0, 1]}}]}");
    lb_problem *p = lb_problem_file_problem(file);
    const lb_figure *human = lb_problem_figure(p, 0);
    CHECK_INT(lb_problem_figure_count(p), 2);
    CHECK_TEXT(lb_problem_file_figure_name(file, 1), "anna");
    CHECK(!lb_figure_root(lb_problem_figure(p, 1))->is_free);
    CHECK_INT(lb_figure_variable_count(lb_problem_figure(p, 1)),
              lb_figure_variable_count(human) - 6 * lb_figure_root(human)->is_free);
    CHECK_NEAR(lb_figure_root(lb_problem_figure(p, 1))->placement.position[0],
               1 - lb_figure_root(human)->placement.position[0], 1e-12);

    const lb_constraint *c = lb_problem_constraint(p, 0);
    const lb_site *palm = lb_figure_site(human, lb_figure_find_site(human, "left_palm"));
    CHECK_INT(c->figure, 1);
    CHECK_INT(c->goal.carrier_figure, 0);
    CHECK_INT(c->goal.carrier_segment, palm->segment);
    check_vector(c->goal.point, palm->frame.position[0], palm->frame.position[1], palm->frame.position[2]);
    CHECK_INT(lb_problem_constraint(p, 1)->effector.kind, LB_EFFECTOR_COM);

    c = lb_problem_constraint(p, 2);
    CHECK_INT(c->figure, 1);
    CHECK_INT(c->effector.segment, lb_figure_find_segment(human, "right_hand"));
    check_vector(c->effector.point, 0, 0, 0.1);
    check_vector(c->effector.x, 0, 0, 1);
    CHECK_NEAR(c->effector.x[0] * c->effector.y[0] + c->effector.x[1] * c->effector.y[1] +
                   c->effector.x[2] * c->effector.y[2],
               0, 1e-12);

    /* 1 cm along the site's own x. */
    c = lb_problem_constraint(p, 3);
    const lb_site *right = lb_figure_site(human, lb_figure_find_site(human, "right_palm"));
    double m[9];
    lb_rotation_to_matrix(right->frame.rotation, m);
    check_vector(c->effector.point, right->frame.position[0] + 0.01 * m[0], right->frame.position[1] + 0.01 * m[3],
                 right->frame.position[2] + 0.01 * m[6]);
    lb_problem_file_destroy(file);
}

/* A goal in a site's frame is where that frame has it: read, solve, and look. */
static void test_relative(void) {
    lb_problem_file *file =
        load_text("{\"figures\": [\"chain:4\", {\"file\": \"chain:4\", \"name\": \"b\", \"at\": [0.2, 0, 0]}],"
                  " \"start\": {\"joint1\": 0.4, \"b:joint2\": 0.3}, \"inactive\": [\"b:*\"],"
                  " \"constraints\": [{\"effector\": \"link4.tip\", \"goal\": {\"kind\": \"position\", "
                  "\"relative_to\": \"b:link2.tip\","
                  " \"point\": [\"-3cm\", \"2cm\", \"1cm\"]}}]}");
    lb_problem *p = lb_problem_file_problem(file);
    double pose[8], goal[3];
    lb_result result;
    lb_result_defaults(&result);
    memcpy(pose, lb_problem_file_start(file), sizeof pose);
    CHECK_NEAR(pose[0], 0.4, 0);
    CHECK_NEAR(pose[5], 0.3, 0);
    CHECK_INT(lb_solve(p, options_of(file), pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    for (int k = 4; k < 8; k++) {
        CHECK_NEAR(pose[k], k == 5 ? 0.3 : 0, 0); /* inactive */
    }
    lb_frame carrier, tip, offset, there;
    lb_kinematics *a = lb_kinematics_create(lb_problem_figure(p, 0), NULL),
                  *b = lb_kinematics_create(lb_problem_figure(p, 1), NULL);
    lb_kinematics_update(a, pose);
    lb_kinematics_update(b, pose + 4);
    lb_kinematics_site(a, lb_figure_find_site(lb_problem_figure(p, 0), "link4.tip"), &tip);
    lb_kinematics_site(b, lb_figure_find_site(lb_problem_figure(p, 1), "link2.tip"), &carrier);
    lb_frame_identity(&offset);
    offset.position[0] = -0.03, offset.position[1] = 0.02, offset.position[2] = 0.01;
    lb_frame_multiply(&carrier, &offset, &there);
    memcpy(goal, there.position, sizeof goal);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(tip.position[i], goal[i], 2e-5);
    }
    lb_kinematics_destroy(a);
    lb_kinematics_destroy(b);
    lb_problem_file_destroy(file);
}

static void test_manner(void) {
    lb_problem_file *file =
        load_text("{\"title\": \"T\", \"figure\": \"chain:5\", \"constraints\": ["
                  "{\"name\": \"a\", \"effector\": \"link5.tip\", \"goal\": {\"kind\": \"position\", \"point\": [0, 0, "
                  "0.3]}, \"weight\": 2.5,"
                  " \"priority\": 3, \"any_of\": \"one\", \"from\": \"joint3\", \"tolerance\": \"1mm\", "
                  "\"tolerance_angle\": \"1deg\"},"
                  "{\"effector\": \"link5.tip\", \"goal\": {\"kind\": \"position\", \"point\": [0, 0, 0.3]}, "
                  "\"any_of\": 2, \"disabled\": true},"
                  "{\"effector\": \"link5.tip\", \"goal\": {\"kind\": \"half-space\", \"point\": [0, 0, 0.3], "
                  "\"normal\": [0, 0, 1]},"
                  " \"any_of\": \"one\", \"tolerance\": [0.1, 0.2, 0.3], \"radius\": \"2cm\", \"half_length\": 0.05}],"
                  " \"options\": {\"method\": \"bfgs\", \"iterations\": 7, \"evaluations\": 99, \"restarts\": 2, "
                  "\"seed\": 5, \"tracking\": true,"
                  "  \"jacobian\": \"svd-damped\", \"bfgs_update\": \"dfp\", \"ccd\": \"axis\", \"subgoals\": 4, "
                  "\"preferred\": 0.1, \"gradient_tolerance\": 1e-7, "
                  "\"keep_going\": true},"
                  " \"picture\": {\"azimuth\": 10, \"elevation\": 20, \"zoom\": 1.5, \"views\": [\"front\", \"top\"]},"
                  " \"expect\": {\"status\": \"minimum\", \"value\": 0.5, \"value_tolerance\": 0.1}}");
    lb_problem *p = lb_problem_file_problem(file);
    const lb_constraint *a = lb_problem_constraint(p, 0), *b = lb_problem_constraint(p, 1),
                        *c = lb_problem_constraint(p, 2);
    CHECK_TEXT(a->name, "a");
    CHECK_NEAR(a->weight, 2.5, 0);
    CHECK_INT(a->priority, 3);
    CHECK_INT(a->chain_start, lb_figure_find_joint(lb_problem_figure(p, 0), "joint3"));
    CHECK_NEAR(a->tolerance[2], 0.001, 0);
    CHECK_NEAR(a->tolerance_rad, PI / 180, 1e-15);
    CHECK(a->any_of > 0 && a->any_of == c->any_of && b->any_of > 0 && b->any_of != a->any_of);
    CHECK_INT(b->disabled, 1);
    CHECK_NEAR(c->tolerance[1], 0.2, 0);
    CHECK_NEAR(c->radius, 0.02, 0);
    CHECK_NEAR(c->half_length, 0.05, 0);
    const lb_solve_options *o = options_of(file);
    CHECK_INT(o->method, LB_METHOD_BFGS);
    CHECK_INT(o->jacobian, LB_JACOBIAN_VARIANT_SVD_DAMPED);
    CHECK_INT(o->bfgs_update, LB_BFGS_UPDATE_DFP);
    CHECK_INT(o->ccd, LB_CCD_VARIANT_AXIS);
    CHECK(o->max_iterations == 7 && o->max_evaluations == 99 && o->restarts == 2 && o->seed == 5 && o->subgoals == 4);
    CHECK(o->tracking == 1 && o->keep_going == 1 && o->preferred == 0.1 && o->gradient_tolerance == 1e-7);
    lb_render_options picture;
    const lb_render_options *r = &picture;
    lb_render_options_defaults(&picture);
    CHECK_INT(lb_problem_file_picture(file, &picture), LB_OK);
    CHECK(r->has_camera && r->azimuth_deg == 10 && r->elevation_deg == 20 && r->zoom == 1.5 && r->view_count == 2);
    CHECK(r->views[0] == LB_VIEW_FRONT && r->views[1] == LB_VIEW_TOP);
    double value, tolerance;
    CHECK_INT(lb_problem_file_expects(file, &value, &tolerance), LB_OUTCOME_MINIMUM);
    CHECK_NEAR(value, 0.5, 0);
    CHECK_NEAR(tolerance, 0.1, 0);
    CHECK_TEXT(lb_problem_file_title(file), "T");
    lb_problem_file_destroy(file);
}

static void test_keep_and_balance(void) {
    lb_problem_file *file =
        load_text("{\"figure\": \"human\", \"start\": {\"right_elbow\": \"60deg\"},"
                  " \"keep\": [\"right_palm\", {\"site\": \"left_palm\", \"what\": \"position\", \"weight\": 3}],"
                  " \"balance\": {\"support\": [\"left_heel\", \"left_toe\", \"right_toe\", \"right_heel\"], "
                  "\"margin\": \"1cm\"}}");
    lb_problem *p = lb_problem_file_problem(file);
    const lb_figure *human = lb_problem_figure(p, 0);
    lb_kinematics *k = lb_kinematics_create(human, NULL);
    lb_frame palm;
    lb_kinematics_update(k, lb_problem_file_start(file));
    lb_kinematics_site(k, lb_figure_find_site(human, "right_palm"), &palm);
    CHECK_INT(lb_problem_constraint_count(p), 3);
    const lb_constraint *c = lb_problem_constraint(p, 0);
    CHECK_INT(c->goal.kind, LB_GOAL_FRAME);
    check_vector(c->goal.point, palm.position[0], palm.position[1], palm.position[2]);
    CHECK_INT(lb_problem_constraint(p, 1)->goal.kind, LB_GOAL_POSITION);
    CHECK_NEAR(lb_problem_constraint(p, 1)->weight, 3, 0);
    c = lb_problem_constraint(p, 2);
    CHECK_INT(c->effector.kind, LB_EFFECTOR_COM);
    CHECK_INT(c->goal.kind, LB_GOAL_POLYHEDRON);
    CHECK_INT(c->goal.face_count, 4);
    /* All is kept at the start. */
    lb_solver *solver = lb_solver_create(p, NULL);
    double value;
    CHECK_INT(lb_solver_value(solver, lb_problem_file_start(file), &value, NULL), LB_OK);
    CHECK_NEAR(value, 0, 1e-20);
    lb_solver_destroy(solver);
    lb_kinematics_destroy(k);
    lb_problem_file_destroy(file);
}

static void test_avoid(void) {
    lb_problem_file *file =
        load_text("{\"figure\": \"chain:6\", \"avoid\": ["
                  "{\"segments\": \"link?\", \"obstacle\": {\"kind\": \"sphere\", \"point\": [0, 0, 1], \"radius\": "
                  "0.1}, \"margin\": \"1cm\","
                  " \"weight\": 4},"
                  "{\"segments\": [\"link6\"], \"others\": [\"link1\", \"link6\", \"link2\"], \"priority\": 1}]}");
    lb_problem *p = lb_problem_file_problem(file);
    CHECK_INT(lb_problem_constraint_count(p), 6 + 2);
    const lb_constraint *c = lb_problem_constraint(p, 0);
    CHECK_NEAR(c->radius, 0.022, 1e-15);
    CHECK_NEAR(c->half_length, 0.05, 1e-15);
    CHECK_NEAR(c->weight, 4, 0);
    CHECK_INT(c->goal.outside, 1);
    check_vector(c->effector.point, 0, 0, 0.05);
    check_vector(c->effector.x, 0, 0, 1);
    CHECK_TEXT(c->name, "link1 clear");
    c = lb_problem_constraint(p, 6);
    CHECK_INT(c->goal.kind, LB_GOAL_CAPSULE);
    CHECK_INT(c->goal.carrier_segment, lb_figure_find_segment(lb_problem_figure(p, 0), "link1"));
    CHECK_NEAR(c->goal.size[0], 0.012, 0);
    CHECK_NEAR(c->goal.size[1], 0.05, 0);
    CHECK_INT(c->priority, 1);
    check_z(c->goal.rotation, 0, 0, 1);
    CHECK_TEXT(c->name, "link6 clear of link1");
    /* Straight up: the last link is 0.5 to 0.6 m high, the ball 0.9 m: nothing is in the way; a ball at 0.55 m is. */
    lb_solver *solver = lb_solver_create(p, NULL);
    double value;
    CHECK_INT(lb_solver_value(solver, lb_problem_file_start(file), &value, NULL), LB_OK);
    CHECK_NEAR(value, 0, 0);
    lb_solver_destroy(solver);
    lb_problem_file_destroy(file);
    file = load_text("{\"figure\": \"chain:6\", \"avoid\": ["
                     "{\"segments\": \"link6\", \"obstacle\": {\"kind\": \"sphere\", \"point\": [0.1, 0, 0.55], "
                     "\"radius\": 0.1}}]}");
    solver = lb_solver_create(lb_problem_file_problem(file), NULL);
    CHECK_INT(lb_solver_value(solver, lb_problem_file_start(file), &value, NULL), LB_OK);
    CHECK_NEAR(value, 0.012 * 0.012, 1e-12); /* 1.2 cm deep */
    lb_solver_destroy(solver);
    lb_problem_file_destroy(file);
}

/* The capsule around an ellipsoid or a box holds all of it. */
static void test_surrounding(void) {
    lb_problem_file *file =
        load_text("{\"figure\": \"human\", \"avoid\": [{\"segments\": \"*\", \"obstacle\": {\"kind\": \"sphere\","
                  " \"point\": [9, 9, 9], \"radius\": 0.1}}]}");
    lb_problem *p = lb_problem_file_problem(file);
    const lb_figure *human = lb_problem_figure(p, 0);
    CHECK_INT(lb_problem_constraint_count(p), lb_figure_shape_count(human));
    for (int k = 0; k < lb_figure_shape_count(human); k++) {
        const lb_shape *shape = lb_figure_shape(human, k);
        const lb_constraint *c = lb_problem_constraint(p, k);
        double m[9], worst = -1;
        lb_rotation_to_matrix(shape->frame.rotation, m);
        check_note("shape %d of kind %d", k, shape->kind);
        for (int i = 0; i < 200 && (shape->kind == LB_SHAPE_ELLIPSOID || shape->kind == LB_SHAPE_BOX); i++) {
            /* Points on its surface, all round. */
            double u = acos(1 - 2 * (i + 0.5) / 200), w = i * 2.399963,
                   on[3] = {sin(u) * cos(w), sin(u) * sin(w), cos(u)}, local[3];
            double most = fmax(fabs(on[0]), fmax(fabs(on[1]), fabs(on[2])));
            for (int j = 0; j < 3; j++) {
                double unit = shape->kind == LB_SHAPE_BOX ? on[j] / most : on[j];
                local[j] = unit * shape->size[j];
            }
            double d[3], along = 0, far = 0;
            for (int j = 0; j < 3; j++) {
                d[j] = shape->frame.position[j] + m[3 * j] * local[0] + m[3 * j + 1] * local[1] +
                       m[3 * j + 2] * local[2] - c->effector.point[j];
                along += d[j] * c->effector.x[j];
            }
            along = fmax(-c->half_length, fmin(c->half_length, along));
            for (int j = 0; j < 3; j++) {
                double off = d[j] - along * c->effector.x[j];
                far += off * off;
            }
            worst = fmax(worst, sqrt(far) - c->radius);
        }
        CHECK(worst <= 1e-9);
    }
    check_note("%s", "");
    lb_problem_file_destroy(file);
}

static void test_variables_and_wishes(void) {
    lb_problem_file *file =
        load_text("{\"figure\": \"human\", \"active\": [\"right_*\"], \"inactive\": [\"right_knee\"],"
                  " \"rigidity\": {\"right_elbow\": 1}, \"wishes\": {\"stay\": 0.5,"
                  " \"posture\": {\"weight\": 2, \"pose\": {\"right_wrist.flexion\": \"0.1rad\"}},"
                  " \"margin\": {\"distance\": \"1deg\", \"weight\": 0.1}}, \"constraints\": ["
                  "{\"effector\": \"right_palm\", \"goal\": {\"kind\": \"position\", \"point\": [0.3, -0.3, 1.1]}}]}");
    lb_problem *p = lb_problem_file_problem(file);
    const lb_figure *human = lb_problem_figure(p, 0);
    int count = lb_problem_variable_count(p), moved = 0;
    double *pose = malloc((size_t)count * sizeof *pose);
    lb_result result;
    lb_result_defaults(&result);
    memcpy(pose, lb_problem_file_start(file), (size_t)count * sizeof *pose);
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    for (int k = 0; k < count; k++) {
        const char *name = lb_figure_variable(human, k)->name;
        int may =
            strncmp(name, "right_", 6) == 0 && strcmp(name, "right_knee") != 0 && strcmp(name, "right_elbow") != 0;
        check_note("%s", name);
        CHECK(may || pose[k] == lb_problem_file_start(file)[k]);
        moved += pose[k] != lb_problem_file_start(file)[k];
    }
    CHECK(moved > 3);
    check_note("%s", "");
    free(pose);
    lb_problem_file_destroy(file);
}

/* Posture, with a goal that is met anywhere: the answer is the pose that is wished for. */
static void test_posture(void) {
    lb_problem_file *file = load_text(
        "{\"figure\": \"chain:2\", \"constraints\": [{\"effector\": \"com\", \"goal\": {\"kind\": \"half-space\","
        " \"point\": [0, 0, -5], \"normal\": [0, 0, 1]}}], \"wishes\": {\"posture\": {\"weight\": 1, \"pose\": "
        "{\"joint2\": \"30deg\"}}},"
        " \"options\": {\"keep_going\": true}}");
    double pose[2] = {0.3, -0.3};
    lb_result result;
    lb_result_defaults(&result);
    CHECK_INT(lb_solve(lb_problem_file_problem(file), options_of(file), pose, &result), LB_OK);
    CHECK_NEAR(pose[0], 0, 1e-6);
    CHECK_NEAR(pose[1], PI / 6, 1e-6);
    lb_problem_file_destroy(file);
}

static void test_roots(void) {
    lb_problem_file *file =
        load_text("{\"figures\": [{\"file\": \"chain:3\", \"root\": \"link3\", \"free\": true, \"name\": \"c\"}]}");
    const lb_figure *chain = lb_problem_figure(lb_problem_file_problem(file), 0);
    CHECK_INT(lb_figure_root(chain)->segment, lb_figure_find_segment(chain, "link3"));
    CHECK_INT(lb_figure_variable_count(chain), 3 + 6);
    lb_problem_file_destroy(file);
    file = load_text("{\"figures\": [{\"file\": \"human\", \"stature\": \"1.55m\"}]}");
    CHECK_NEAR(lb_figure_stature(lb_problem_figure(lb_problem_file_problem(file), 0)), 1.55, 1e-12);
    lb_problem_file_destroy(file);
}

/* What is wrong, and the line on which it says so. */
static void test_messages(void) {
    static const struct {
        const char *text;
        int line;
        const char *part;
    } cases[] = {
        {"", 1, "not JSON"},
        {"{\"figure\": \"chain:3\",\n \"figure\": \"chain:4\"}", 2, "duplicate"},
        {"{\n\"figure\": \"chain:3\",\n\"constrains\": []}", 3, "did you mean `constraints`"},
        {"[]", 1, "an object {...} was expected"},
        {"{}", 1, "which figure"},
        {"{\"figure\": \"chain:3\", \"figures\": []}", 1, "not both"},
        {"{\"figure\":\n \"nobody\"}", 2, "there is no figure `nobody`"},
        {"{\"figure\":\n \"../models/human.fig\"}", 2, "there is no figure"},
        {"{\"figures\": [\"chain:3\",\n{\"file\": \"chain:3\",\n\"name\": \"chain\"}]}", 2, "two figures `chain`"},
        {"{\"figure\": \"chain:3\", \"start\": {\n\"jiont1\": 3}}", 2, "did you mean `joint1`"},
        {"{\"figure\": \"chain:3\", \"start\": {\n\"joint1\": \"3m\"}}", 2, "an angle"},
        {"{\"figure\": \"chain:3\", \"start\": {\n\"joint1\": true}}", 2, "an angle"},
        {"{\"figure\": \"human\", \"start\": {\"right_wrist\": 0}}", 1, "several dofs"},
        {"{\"figure\": \"chain:3\", \"constraints\": {}}", 1, "a list"},
        {"{\"figure\": \"chain:3\", \"constraints\": [\n{},\n{}]}", 2, "`effector` is missing"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"link3.tip\"}]}", 1, "`goal` is missing"},
        {"{\"figure\": \"chain:3\", \"constraints\": [\n\n{\"effector\": \"lnk3.tip\"}]}", 3,
         "no site or segment `lnk3.tip`; did you mean `link3.tip`"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"link3.tip\",\n\"goal\": {\"kind\": "
         "\"positon\"}}]}",
         2, "did you mean `position`"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"link3.tip\",\n\"goal\": {\"kind\": "
         "\"position\"}}]}",
         2, "needs `point`"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"link3.tip\",\n\"goal\": {\"kind\": "
         "\"plane\",\n\"point\": [0, 0, 0],\n"
         "\"normal\": [0, 0, 0]}}]}",
         4, "cannot be [0, 0, 0]"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"link3.tip\",\n\"goal\": {\"kind\": "
         "\"position\",\n\"point\": [0, 1]}}]}",
         3, "a list of 3"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"link3.tip\",\n\"goal\": {\"kind\": "
         "\"position\",\n\"point\": [0, 1,\n"
         "\"x\"]}}]}",
         4, "point[2]"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"link3.tip\", \"weight\": -1}]}", 1, "weight"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"com\", \"goal\": {\"kind\": \"aim\", \"point\": "
         "[0, 0, 1]}}]}",
         1, "no direction"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"link3.tip\", \"from\": \"jiont1\"}]}", 1,
         "did you mean `joint1`"},
        {"{\"figure\": \"chain:3\", \"keep\": [\"link3.tip\",\n\"link9.tip\"]}", 2,
         "no site or segment `link9.tip`; did you mean `link1.tip`, `link2.tip` or `link3.tip`?"},
        {"{\"figure\": \"chain:3\", \"balance\": {\"support\": [\"link3.tip\"]}}", 1, "at least 3"},
        {"{\"figure\": \"chain:3\", \"balance\": {\"support\": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}}", 1, "on a line"},
        {"{\"figure\": \"chain:3\", \"avoid\": [{\"segments\": \"link1\"}]}", 1, "what is to be avoided"},
        {"{\"figure\": \"chain:3\", \"avoid\": [{\"segments\": \"base\", \"others\": \"link1\"}]}", 1, "has no shape"},
        {"{\"figure\": \"chain:3\", \"rigidity\": {\"joint1\": 2}}", 1, "between 0 (free) and 1"},
        {"{\"figure\": \"chain:3\", \"inactive\": [\"spine*\"]}", 1, "no variable `spine*`"},
        {"{\"figure\": \"chain:3\", \"wishes\": {\"posture\": -1}}", 1, "negative"},
        {"{\"figure\": \"chain:3\", \"options\": {\"iterations\": 1.5}}", 1, "a whole number"},
        {"{\"figure\": \"chain:3\", \"options\": {\"method\": \"newton\"}}", 1, "none of lm, bfgs"},
        {"{\"figure\": \"chain:3\", \"picture\": {\"views\": [\"left\"]}}", 1, "views are"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"link3.tip\", \"goal\": {\"kind\": "
         "\"polyhedron\","
         " \"faces\": [[0, 0, 1, -1], [0, 0, -1, -1]]}}]}",
         1, "contradict"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        lb_problem_file *file = NULL;
        lb_error error;
        check_note("%s", cases[k].text);
        CHECK(read_text(cases[k].text, &file, &error) != LB_OK);
        CHECK(!file);
        CHECK_HAS(error.message, cases[k].part);
        CHECK_INT(error.line, cases[k].line);
        CHECK_TEXT(error.file, "p.json");
    }
    check_note("%s", "");
}

/* From a file, with figures beside it. */
static void test_files(void) {
    lb_problem_file *file = NULL;
    lb_error error;
    FILE *out = fopen("problem.json", "w");
    REQUIRE(out != NULL);
    fprintf(out, "{\"figure\": \"arm.fig\", \"constraints\": [{\"effector\": \"tip\", \"goal\": {\"kind\": "
                 "\"position\", \"point\": [0, 0, 0.5]}}]}");
    fclose(out);
    remove("arm.fig");
    CHECK_INT(lb_problem_load("problem.json", NULL, &file, &error), LB_ERROR_FILE);
    CHECK_HAS(error.message, "arm.fig");
    out = fopen("arm.fig", "w");
    REQUIRE(out != NULL);
    fprintf(out, "figure arm {\n  segment a { site base->location = trans(0m, 0m, 0m); }\n"
                 "  segment b { site root->location = trans(0m, 0m, 0m); site tip->location = trans(1m, 0m, 0m); }\n"
                 "  joint j { connect a.base to b.root; type = R(y); }\n  root = a.base;\n}\n");
    fclose(out);
    if (!CHECK_INT(lb_problem_load("problem.json", NULL, &file, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
    }
    lb_problem_file_destroy(file);
    CHECK_INT(lb_problem_load("there-is-none.json", NULL, &file, &error), LB_ERROR_FILE);
    CHECK(file == NULL);
}

/* A result reads as JSON, and its pose is the start of a next problem. */
static void test_results(void) {
    lb_problem_file *file =
        load_text("{\"figures\": [\"chain:3\", {\"file\": \"chain:2\", \"name\": \"b\"}], \"constraints\": ["
                  "{\"name\": \"far \\\"away\\\"\", \"effector\": \"link3.tip\", \"goal\": {\"kind\": \"position\", "
                  "\"point\": [2, 0, 0]}}]}");
    lb_problem *p = lb_problem_file_problem(file);
    lb_solver *solver = lb_solver_create(p, NULL);
    double pose[5];
    lb_result result;
    lb_error error;
    lb_result_defaults(&result);
    char text[8192] = "", again[9000];
    memcpy(pose, lb_problem_file_start(file), sizeof pose);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
    CHECK_INT(lb_result_save(file, LB_METHOD_LM, pose, &result, 12.5, "result.json", &error), LB_OK);
    FILE *in = fopen("result.json", "r");
    REQUIRE(in != NULL);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    CHECK_HAS(text, "\"status\": \"minimum\"");
    CHECK_HAS(text, "\"name\": \"far \\\"away\\\"\"");
    CHECK_HAS(text, "\"met\": false");
    CHECK_HAS(text, "\"time_us\": 12.5");
    CHECK_HAS(text, "\"chain:joint1\": ");
    CHECK_HAS(text, "\"b:joint2\": 0");
    char *from = strstr(text, "\"pose\": "), *end = from ? strchr(from, '}') : NULL;
    REQUIRE(end != NULL);
    end[1] = 0;
    snprintf(again, sizeof again,
             "{\"figures\": [\"chain:3\", {\"file\": \"chain:2\", \"name\": \"b\"}], \"start\": %s}", from + 8);
    lb_problem_file *next = load_text(again);
    for (int k = 0; k < 5; k++) {
        CHECK_NEAR(lb_problem_file_start(next)[k], pose[k], 0); /* to the bit */
    }
    CHECK_INT(lb_result_save(file, LB_METHOD_LM, pose, &result, 12.5, "no/such/folder/r.json", &error), LB_ERROR_FILE);
    lb_solver_destroy(solver);
    lb_problem_file_destroy(next);
    lb_problem_file_destroy(file);
}

/* G of a problem at a pose. */
static double value_at(lb_problem_file *file, const double *pose) {
    lb_solver *solver = lb_solver_create(lb_problem_file_problem(file), NULL);
    double value = -1;
    REQUIRE(solver != NULL);
    CHECK_INT(lb_solver_value(solver, pose, &value, NULL), LB_OK);
    lb_solver_destroy(solver);
    return value;
}

/* What is written reads back as the same problem: the same G everywhere, the same answer. */
static void test_saving(void) {
    char path[4096], text[20000];
    lb_problem_file *file = NULL, *again = NULL;
    lb_error error;
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.models = problem_models;
    REQUIRE(check_source("fuzz/corpus/problem/all.json", path, sizeof path));
    CHECK_INT(lb_problem_load(path, &options, &file, &error), LB_OK);
    REQUIRE(file != NULL);
    CHECK_INT(lb_problem_save(file, NULL, NULL, "saved.json", &error), LB_OK);
    if (!CHECK_INT(lb_problem_load("saved.json", &options, &again, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
    }
    REQUIRE(again != NULL);
    lb_problem *p = lb_problem_file_problem(file), *q = lb_problem_file_problem(again);
    int count = lb_problem_variable_count(p);
    CHECK_INT(lb_problem_variable_count(q), count);
    CHECK_INT(lb_problem_constraint_count(q), lb_problem_constraint_count(p));
    REQUIRE(count < 64);
    double pose[64], other[64];
    uint64_t seed = 3;
    for (int k = 0; k < 20; k++) {
        for (int f = 0; f < lb_problem_figure_count(p); f++) {
            lb_figure_random_pose(lb_problem_figure(p, f), &seed, pose + lb_problem_first_variable(p, f));
        }
        double g = value_at(file, pose);
        CHECK(g > 0);
        CHECK_NEAR(value_at(again, pose), g, 1e-12 * g);
    }
    lb_result result, result_again;
    lb_result_defaults(&result);
    lb_result_defaults(&result_again);
    memcpy(pose, lb_problem_file_start(file), (size_t)count * sizeof *pose);
    memcpy(other, lb_problem_file_start(again), (size_t)count * sizeof *pose);
    CHECK(memcmp(pose, other, (size_t)count * sizeof *pose) == 0);
    CHECK_INT(lb_solve(p, options_of(file), pose, &result), LB_OK);
    CHECK_INT(lb_solve(q, options_of(again), other, &result_again), LB_OK);
    CHECK_INT(result_again.outcome, result.outcome);
    CHECK_NEAR(result_again.value, result.value, 1e-6 * result.value);

    /* Written twice, it is the same text: nothing expands again, nothing gets lost. */
    CHECK_INT(lb_problem_save(again, NULL, NULL, "again.json", &error), LB_OK);
    lb_problem_file *third = NULL;
    CHECK_INT(lb_problem_load("again.json", &options, &third, &error), LB_OK);
    CHECK(third && lb_problem_constraint_count(lb_problem_file_problem(third)) == lb_problem_constraint_count(p));
    lb_problem_file_destroy(third);

    lb_problem_file_destroy(file);
    lb_problem_file_destroy(again);
    FILE *in = fopen("saved.json", "r");
    REQUIRE(in != NULL);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    CHECK_HAS(text, "\"relative_to\": {\"segment\": \"b:link1\"}");
    CHECK_HAS(text, "\"inactive\": [");
}

static double no_potential(void *context, const double e[9], double gradient[9]) {
    (void)context;
    for (int i = 0; i < 9; i++) {
        gradient[i] = 0;
    }
    return e[0] * 0;
}

/* A problem that a program made: its text says the same, and cannot where it has no words. */
static void test_saving_made(void) {
    lb_error error;
    lb_figure *chain = NULL;
    lb_constraint reach;
    char *text = NULL;
    size_t size = 0;
    REQUIRE(lb_figure_load("chain:3", NULL, &chain, &error) == LB_OK);
    lb_problem *problem = lb_problem_create(chain, NULL);
    REQUIRE(problem && lb_problem_add_figure(problem, chain) == 1);
    REQUIRE(lb_constraint_at(chain, "link3.tip", (double[]){1, 0.5, 0.25}, &reach) == LB_OK);
    reach.figure = 1;
    reach.weight = 3;
    REQUIRE(lb_problem_add(problem, &reach) > 0);
    lb_problem_set_stay(problem, 0.125);
    CHECK_INT(lb_problem_save_memory(problem, "chain:3", NULL, NULL, &text, &size, &error), LB_ERROR_ARGUMENT);
    CHECK(strstr(error.message, "figure 1 has no file") != NULL);
    REQUIRE(lb_problem_save_memory(problem, "chain:3\nchain:3", NULL, NULL, &text, &size, &error) == LB_OK);
    CHECK_INT(strlen(text), size);
    lb_problem_file *file = load_text(text);
    const lb_problem *again = lb_problem_file_problem(file);
    CHECK_INT(lb_problem_figure_count(again), 2);
    CHECK_INT(first(file)->figure, 1);
    CHECK_NEAR(first(file)->weight, 3, 0);
    check_vector(first(file)->goal.point, 1, 0.5, 0.25);
    for (int k = 0; k < lb_problem_variable_count(again); k++) {
        CHECK_NEAR(lb_problem_file_start(file)[k], 0, 1e-12);
    }
    lb_problem_file_destroy(file);
    lb_text_free(text);
    lb_problem_destroy(problem);
    lb_figure_destroy(chain);
}

static void test_not_saved(void) {
    lb_problem_file *file = load_goal("{\"kind\": \"position\", \"point\": [0, 0, 0]}");
    lb_error error;
    lb_constraint c = *first(file);
    c.goal.kind = LB_GOAL_CUSTOM;
    c.goal.potential = no_potential;
    CHECK(lb_problem_add(lb_problem_file_problem(file), &c) > 0);
    CHECK_INT(lb_problem_save(file, NULL, NULL, "custom.json", &error), LB_ERROR_UNSUPPORTED);
    lb_problem_file_destroy(file);
}

/* What changes over time is read, and written with the rest. */
static void test_motion(void) {
    static const char *const text = "{\"figure\": \"chain:3\", \"constraints\": [{\"name\": \"tip\", \"effector\": "
                                    "\"link3.tip\", \"goal\": {\"kind\": "
                                    "\"position\", \"point\": [0, 0, 0.3]}}], \"motion\": {\"tracks\": [{\"goal\": "
                                    "\"tip\", \"keys\": [{\"time\": 0, "
                                    "\"point\": [0, 0, 0.3]}, {\"time\": 1.5, \"point\": [0.1, 0, \"20cm\"]}]}]}}";
    lb_problem_file *file = NULL, *again = NULL;
    lb_error error;
    REQUIRE(lb_problem_load_memory(text, strlen(text), "motion.json", NULL, &file, &error) == LB_OK);
    REQUIRE(lb_problem_file_motion(file) != NULL);
    CHECK_NEAR(lb_motion_end(lb_problem_file_motion(file)), 1.5, 1e-9);
    REQUIRE(lb_problem_save(file, NULL, NULL, "motion.json", &error) == LB_OK);
    REQUIRE(lb_problem_load("motion.json", NULL, &again, &error) == LB_OK);
    REQUIRE(lb_problem_file_motion(again) != NULL);
    lb_player *first = lb_player_create(lb_problem_file_motion(file), NULL, NULL);
    lb_player *second = lb_player_create(lb_problem_file_motion(again), NULL, NULL);
    double a[3], b[3];
    REQUIRE(lb_player_pose(first, 1.5, a, NULL) == LB_OK && lb_player_pose(second, 1.5, b, NULL) == LB_OK);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(a[i], b[i], 0);
    }
    CHECK(fabs(a[0]) + fabs(a[1]) + fabs(a[2]) > 0.1);
    lb_player_destroy(first);
    lb_player_destroy(second);
    lb_problem_file_destroy(file);
    lb_problem_file_destroy(again);
}

int main(void) {
    test_motion();
    REQUIRE(check_source("models", problem_models, sizeof problem_models));
    test_points();
    test_directions();
    test_flat_goals();
    test_regions();
    test_effectors();
    test_relative();
    test_manner();
    test_keep_and_balance();
    test_avoid();
    test_surrounding();
    test_variables_and_wishes();
    test_posture();
    test_roots();
    test_messages();
    test_files();
    test_results();
    test_saving();
    test_saving_made();
    test_not_saved();
    return check_done();
}
