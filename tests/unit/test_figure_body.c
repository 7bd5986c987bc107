/* The description of a body that a figure carries: what is refused, and what becomes of it when the figure changes. */
#include <limber/body.h>
#include <math.h>
#include <string.h>

#include "arm.h"

/* A free arm whose elbow slides: six variables of the root, shoulder, elbow. */
static lb_figure *sliding_arm(void) {
    lb_builder *b = arm_builder("R(z)", "T(x)");
    lb_root root;
    lb_root_defaults(&root);
    root.segment = 0;
    root.site = -1;
    root.is_free = 1;
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK);
    return arm_finish(b);
}

enum { ROOT_Z = 2, SHOULDER = 6, ELBOW = 7, VARIABLES = 8 };

typedef struct parts {
    lb_body body;
    lb_body_variable variables[VARIABLES];
    lb_body_solid solids[2];
    lb_body_contact contacts[1];
    lb_body_strength strengths[1];
    lb_body_arm arms[1];
    lb_body_ease eases[1];
    lb_body_start starts[1];
    int ease_variables[2], start_variables[3], eyes[1];
    double coefficients[2], values[3];
} parts;

static void fill(parts *p) {
    memset(p, 0, sizeof *p);
    lb_body_defaults(&p->body);
    p->variables[ROOT_Z] = (lb_body_variable){0.5, 0.2, 0};
    p->variables[SHOULDER] = (lb_body_variable){0.3, 0.4, 0.8};
    p->variables[ELBOW] = (lb_body_variable){2, 0.1, 0};
    p->solids[0] = (lb_body_solid){"upper", 1, {0, 0, 0}, {0.3, 0, 0}, 0.05};
    p->solids[1] = (lb_body_solid){"lower", 2, {0, 0, 0}, {0.2, 0, 0}, 0.04};
    p->contacts[0] = (lb_body_contact){"tip", LB_CONTACT_PALM, 2, 2, {0.2, 0, 0}, 0};
    p->strengths[0] = (lb_body_strength){"shoulder", 1, 60, 0};
    p->arms[0] = (lb_body_arm){"arm", 2, 1, 2, 4, 0, {0.1, 0.2, 0.3}};
    p->ease_variables[0] = SHOULDER;
    p->ease_variables[1] = ELBOW;
    p->coefficients[0] = 1;
    p->coefficients[1] = 3;
    p->eases[0] = (lb_body_ease){"ease", 2, p->ease_variables, p->coefficients, 0.5, 1.5};
    p->start_variables[0] = ROOT_Z;
    p->start_variables[1] = SHOULDER;
    p->start_variables[2] = ELBOW;
    p->values[0] = -0.1;
    p->values[1] = 0.2;
    p->values[2] = 0.3;
    p->starts[0] = (lb_body_start){"bent", 3, p->start_variables, p->values};
    p->eyes[0] = 2;
    p->body.variable_count = VARIABLES;
    p->body.variables = p->variables;
    p->body.solid_count = 2;
    p->body.solids = p->solids;
    p->body.contact_count = p->body.strength_count = p->body.arm_count = p->body.ease_count = p->body.start_count = 1;
    p->body.contacts = p->contacts;
    p->body.strengths = p->strengths;
    p->body.arms = p->arms;
    p->body.eases = p->eases;
    p->body.starts = p->starts;
    p->body.eye_count = 1;
    p->body.eyes = p->eyes;
    p->body.head = 2;
    p->body.gaze = 4;
}

static lb_figure *with_body(void) {
    lb_figure *f = sliding_arm();
    parts p;
    lb_error error;
    fill(&p);
    REQUIRE(lb_figure_set_body(f, &p.body, &error) == LB_OK);
    memset(&p, 0xff, sizeof p); /* it was copied */
    return f;
}

static void check_kept(void) {
    lb_figure *f = with_body();
    const lb_body *body = lb_figure_body(f);
    CHECK_NEAR(body->variables[SHOULDER].comfort, 0.8, 0);
    CHECK_TEXT(body->solids[1].name, "lower");
    CHECK_INT(body->arms[0].palm, 4);
    CHECK_NEAR(body->eases[0].coefficients[1], 3, 0);
    CHECK_NEAR(body->starts[0].values[2], 0.3, 0);
    CHECK_INT(body->eyes[0], 2);
    lb_figure_destroy(f);
}

/* Without weights all are 0. */
static void check_without_weights(void) {
    lb_figure *f = sliding_arm();
    lb_body body;
    lb_body_defaults(&body);
    CHECK_INT(lb_figure_set_body(f, &body, NULL), LB_OK);
    REQUIRE(lb_figure_body(f) != NULL);
    CHECK_INT(lb_figure_body(f)->variable_count, VARIABLES);
    for (int i = 0; i < VARIABLES; i++) {
        CHECK_NEAR(lb_figure_body(f)->variables[i].weight, 0, 0);
    }
    lb_figure_destroy(f);
}

#define REFUSED(change, why)                                                  \
    do {                                                                      \
        parts p;                                                              \
        lb_error error;                                                       \
        fill(&p);                                                             \
        change;                                                               \
        CHECK_INT(lb_figure_set_body(f, &p.body, &error), LB_ERROR_ARGUMENT); \
        CHECK_HAS(error.message, why);                                        \
        CHECK(lb_figure_body(f) == NULL);                                     \
    } while (0)

static void check_refused(void) {
    lb_figure *f = sliding_arm();
    REFUSED(p.body.variable_count = 3, "another number of variables");
    REFUSED(p.variables[0].weight = -1, "negative");
    REFUSED(p.variables[0].comfort = NAN, "not finite");
    REFUSED(p.body.solid_count = LB_BODY_PARTS + 1, "too long");
    REFUSED(p.body.solids = NULL, "missing");
    REFUSED(p.solids[0].radius = -1, "negative");
    REFUSED(p.solids[0].segment = 3, "a segment that the figure does not have");
    REFUSED(p.solids[1].to[2] = INFINITY, "a point that is not finite");
    REFUSED(p.solids[1].name = "upper", "two parts of one kind and the same name");
    REFUSED(p.solids[1].name = NULL, "a part without a name");
    REFUSED(p.starts[0].name = "", "a part without a name");
    REFUSED(p.contacts[0].kind = (lb_contact_kind)7, "no known kind");
    REFUSED(p.contacts[0].limb = LB_BODY_LIMBS, "a limb");
    REFUSED(p.strengths[0].moment = 0, "without strength");
    REFUSED(p.arms[0].palm = 5, "a site that the figure does not have");
    REFUSED(p.arms[0].hand = -1, "a segment that the figure does not have");
    REFUSED(p.ease_variables[0] = VARIABLES, "a variable that the figure does not have");
    REFUSED(p.eases[0].count = 0, "an ease of no variable");
    REFUSED(p.coefficients[0] = NAN, "a value that is not finite");
    REFUSED(p.eases[0].bound = INFINITY, "a bound that is not finite");
    REFUSED(p.start_variables[2] = ROOT_Z, "sets a variable twice");
    REFUSED(p.values[1] = NAN, "a value that is not finite");
    REFUSED(p.body.head = 3, "a segment that the figure does not have");
    REFUSED(p.body.gaze = 5, "a site that the figure does not have");
    REFUSED(p.eyes[0] = -1, "a segment that the figure does not have");
    lb_figure_destroy(f);
}

static void check_scaled(void) {
    lb_figure *f = with_body(), *g = NULL;
    lb_builder *b = lb_builder_from(f, NULL);
    REQUIRE(lb_builder_scale(b, 2, 3) == LB_OK && lb_builder_finish(b, &g) == LB_OK);
    const lb_body *body = lb_figure_body(g);
    REQUIRE(body != NULL);
    CHECK_NEAR(body->solids[0].to[0], 0.6, 1e-15);
    CHECK_NEAR(body->solids[0].radius, 0.1, 1e-15);
    CHECK_NEAR(body->contacts[0].point[0], 0.4, 1e-15);
    CHECK_NEAR(body->arms[0].lap_point[2], 0.6, 1e-15);
    CHECK_NEAR(body->strengths[0].moment, 360, 1e-12);
    CHECK_NEAR(body->variables[ROOT_Z].weight, 0.25, 1e-15); /* twice the distance costs the same */
    CHECK_NEAR(body->variables[ROOT_Z].huber, 0.4, 1e-15);
    CHECK_NEAR(body->variables[ELBOW].weight, 1, 1e-15);
    CHECK_NEAR(body->variables[SHOULDER].weight, 0.3, 0);
    CHECK_NEAR(body->variables[SHOULDER].huber, 0.4, 0);
    CHECK_NEAR(body->starts[0].values[0], -0.2, 1e-15);
    CHECK_NEAR(body->starts[0].values[1], 0.2, 0);
    CHECK_NEAR(body->starts[0].values[2], 0.6, 1e-15);
    CHECK_NEAR(body->eases[0].coefficients[0], 1, 0);
    CHECK_NEAR(body->eases[0].coefficients[1], 1.5, 1e-15);
    CHECK_NEAR(body->eases[0].bound, 0.5, 0);
    CHECK_NEAR(lb_figure_body(f)->solids[0].radius, 0.05, 0); /* the first is as it was */
    lb_figure_destroy(g);
    lb_figure_destroy(f);
    lb_builder_destroy(b);
}

/* A body goes with the variables that it was made for, and with the segments. */
static void check_changed(void) {
    lb_figure *f = with_body(), *g = NULL;
    lb_builder *b = lb_builder_from(f, NULL);
    REQUIRE(lb_builder_finish(b, &g) == LB_OK);
    CHECK(lb_figure_body(g) != NULL);
    lb_figure_destroy(g);
    REQUIRE(lb_builder_freeze_joint(b, 0, NULL) == LB_OK && lb_builder_finish(b, &g) == LB_OK);
    REQUIRE(lb_figure_body(g) != NULL); /* without the variable that is gone */
    CHECK_INT(lb_figure_body(g)->variable_count, lb_figure_variable_count(g));
    CHECK(lb_figure_variable_count(g) < lb_figure_variable_count(f));
    lb_figure_destroy(g);
    REQUIRE(lb_builder_thaw_joint(b, 0) == LB_OK && lb_builder_finish(b, &g) == LB_OK);
    CHECK(lb_figure_body(g) != NULL);
    lb_figure_destroy(g);
    /* one variable less and another one more */
    lb_joint joint = *lb_builder_joint(b, 1);
    lb_joint_type_parse("R(z)*R(x)", &joint.type, NULL);
    memset(joint.dof_names, 0, sizeof joint.dof_names);
    REQUIRE(lb_builder_change_joint(b, 1, &joint) == LB_OK && lb_builder_freeze_joint(b, 0, NULL) == LB_OK);
    REQUIRE(lb_builder_finish(b, &g) == LB_OK);
    CHECK_INT(lb_figure_variable_count(g), VARIABLES);
    CHECK(lb_figure_body(g) == NULL);
    lb_figure_destroy(g);
    lb_builder_destroy(b);
    b = lb_builder_from(f, NULL);
    REQUIRE(lb_builder_remove_joint(b, 1) == LB_OK && lb_builder_keep_connected(b, 0) == LB_OK);
    REQUIRE(lb_builder_finish(b, &g) == LB_OK);
    CHECK(lb_figure_body(g) == NULL);
    lb_figure_destroy(g);
    lb_builder_destroy(b);
    lb_figure_destroy(f);
}

static void check_kinds(void) {
    for (int kind = 0; kind <= LB_CONTACT_ELBOW; kind++) {
        CHECK_INT(lb_contact_kind_find(lb_contact_kind_name((lb_contact_kind)kind)), kind);
    }
    CHECK(lb_contact_kind_find("nose") < 0);
    CHECK(lb_contact_kind_find(NULL) < 0);
    CHECK_TEXT(lb_contact_kind_name((lb_contact_kind)(LB_CONTACT_ELBOW + 1)), "");
    CHECK(lb_figure_body(NULL) == NULL);
    CHECK_INT(lb_figure_set_body(NULL, NULL, NULL), LB_ERROR_ARGUMENT);
}

int main(void) {
    check_kept();
    check_without_weights();
    check_refused();
    check_scaled();
    check_changed();
    check_kinds();
    return check_done();
}
