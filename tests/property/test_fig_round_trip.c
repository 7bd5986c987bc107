/* Any figure, written as .fig and read back, is the same figure to the bit. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../io/same_figure.c"
#include "check.h"
#include "limber/body.h"
#include "limber/io.h"
#include "random_figure.h"

static void check_round_trip(const lb_figure *figure) {
    char *text = NULL, *second = NULL;
    size_t size = 0;
    lb_figure *again = NULL;
    lb_error error;
    REQUIRE(lb_figure_save_memory(figure, NULL, &text, &size, &error) == LB_OK);
    lb_status status = lb_figure_load_memory(text, size, "again.fig", NULL, &again, &error);
    if (status != LB_OK) {
        fprintf(stderr, "%d: %s\n%s\n", error.line, error.message, text);
    }
    REQUIRE(status == LB_OK);
    int same = same_figure(figure, again);
    REQUIRE(lb_figure_save_memory(again, NULL, &second, NULL, &error) == LB_OK);
    if (!CHECK(same && strcmp(text, second) == 0)) {
        fprintf(stderr, "%s\n", text);
    }
    lb_text_free(text);
    lb_text_free(second);
    lb_figure_destroy(again);
}

/* The same figure with what random figures lack: shapes, sites out of order, odd names, masses, another root. */
static lb_figure *adorn(const lb_figure *figure, uint64_t *seed) {
    static const char *const names[] = {"a b",   "\"",  "back\\slash", "-",  "1st",
                                        "Hüfte", "a.b", "\xff\xfe",    "x-", "none"};
    lb_builder *builder = lb_builder_from(figure, NULL);
    lb_figure *adorned = NULL;
    REQUIRE(builder != NULL);
    int segments = lb_builder_segment_count(builder);
    for (int i = 0; i < 12; i++) {
        lb_site site;
        lb_shape shape;
        char name[40];
        lb_site_defaults(&site);
        lb_shape_defaults(&shape);
        snprintf(name, sizeof name, "%s%d", names[random_below(seed, 10)], i);
        site.name = name;
        site.segment = random_below(seed, segments);
        shape.segment = random_below(seed, segments);
        shape.kind = (lb_shape_kind)random_below(seed, 5);
        shape.color = random_below(seed, 2) ? -1 : random_below(seed, 0x1000000);
        for (int k = 0; k < 3; k++) {
            site.frame.position[k] = random_between(seed, -1, 1) * pow(10, random_between(seed, -8, 3));
            shape.frame.position[k] = random_below(seed, 3) ? random_between(seed, -1, 1) : 0;
            shape.size[k] = random_between(seed, 0, 1);
        }
        random_rotation(seed, site.frame.rotation);
        if (random_below(seed, 2)) {
            random_rotation(seed, shape.frame.rotation);
        }
        REQUIRE(lb_builder_add_site(builder, &site) >= 0);
        REQUIRE(lb_builder_add_shape(builder, &shape) >= 0);
    }
    lb_root root;
    lb_root_defaults(&root);
    root.segment = random_below(seed, segments);
    root.site = -1;
    root.is_free = random_below(seed, 2);
    random_rotation(seed, root.placement.rotation);
    REQUIRE(lb_builder_set_root(builder, &root) == LB_OK);
    REQUIRE(lb_builder_set_stature(builder, random_between(seed, 0, 3)) == LB_OK);
    REQUIRE(lb_builder_finish(builder, &adorned) == LB_OK);
    lb_builder_destroy(builder);
    return adorned;
}

/* Gives the figure a body with odd names and numbers of every size. */
static void embody(lb_figure *figure, uint64_t *seed) {
    static const char *const names[] = {"a b", "of", "limb", "Hüfte", "a.b"};
    enum { COUNT = 5, MAX = 200 };
    lb_body_variable variables[MAX];
    lb_body_solid solids[COUNT];
    lb_body_contact contacts[COUNT];
    lb_body_strength strengths[COUNT];
    lb_body_ease eases[COUNT];
    lb_body_start starts[COUNT];
    lb_body_arm arms[COUNT];
    int indices[COUNT][MAX], segments = lb_figure_segment_count(figure), sites = lb_figure_site_count(figure);
    double values[COUNT][MAX];
    lb_body body;
    lb_body_defaults(&body);
    int count = lb_figure_variable_count(figure);
    if (count == 0 || count > MAX) {
        return;
    }
    for (int i = 0; i < count; i++) {
        variables[i] =
            (lb_body_variable){random_between(seed, 0, 2), random_below(seed, 2) ? random_between(seed, 0, 1) : 0,
                               random_below(seed, 2) ? random_between(seed, 0, 1) : 0};
    }
    for (int i = 0; i < COUNT; i++) {
        int first = random_below(seed, count), some = 1 + random_below(seed, count - first);
        for (int k = 0; k < some; k++) {
            indices[i][k] = first + k;
            values[i][k] = random_between(seed, -1, 1) * pow(10, random_between(seed, -8, 3));
        }
        solids[i] =
            (lb_body_solid){names[i], random_below(seed, segments), {values[i][0], 0, 1}, {0, -0.0, 2}, 0.1 / (i + 1)};
        contacts[i] = (lb_body_contact){names[i],
                                        (lb_contact_kind)random_below(seed, 7),
                                        random_below(seed, 9) - 1,
                                        random_below(seed, segments),
                                        {values[i][0], values[i][some - 1], 0},
                                        i % 2 ? random_between(seed, 0, 1) : 0};
        strengths[i] = (lb_body_strength){names[i], random_below(seed, segments), random_between(seed, 1, 300), 0};
        const int carrier = lb_figure_parent_joint(figure, strengths[i].segment);
        const lb_joint *joint = carrier >= 0 ? lb_figure_joint(figure, carrier) : NULL;
        strengths[i].by_axis = joint && !joint->frozen && lb_joint_type_dof_count(&joint->type) == 1;
        eases[i] = (lb_body_ease){names[i], some, indices[i], values[i], random_between(seed, -1, 1), 0.3 * i};
        starts[i] = (lb_body_start){names[i], i ? some : 0, indices[i], values[i]};
        arms[i] = (lb_body_arm){names[i],
                                i - 1,
                                random_below(seed, segments),
                                random_below(seed, segments),
                                random_below(seed, sites + 1) - 1,
                                i ? random_below(seed, segments) : -1,
                                {0, 0, 0}};
        arms[i].lap_point[1] = i ? values[i][0] : 0;
    }
    body.variable_count = count;
    body.variables = variables;
    body.solid_count = body.contact_count = body.strength_count = COUNT;
    body.ease_count = body.start_count = body.arm_count = COUNT;
    body.solids = solids;
    body.contacts = contacts;
    body.strengths = strengths;
    body.eases = eases;
    body.starts = starts;
    body.arms = arms;
    body.head = random_below(seed, segments + 1) - 1;
    body.gaze = random_below(seed, sites + 1) - 1;
    body.eye_count = random_below(seed, 3);
    body.eyes = (int[]){0, segments - 1, 0};
    REQUIRE(lb_figure_set_body(figure, &body, NULL) == LB_OK);
}

int main(void) {
    uint64_t seed = 20240607;
    int figures = check_count(400, 4000);
    for (int i = 0; i < figures; i++) {
        random_options options = {2 + i % 9, i % 2, i % 3 > 0, i % 5 == 0, i % 7 > 3, i % RANDOM_KINDS, NULL, 0, 0, 0};
        check_note("figure %d", i);
        lb_figure *figure = random_figure(&seed, &options);
        check_round_trip(figure);
        if (i % 4 == 0) {
            lb_figure *adorned = adorn(figure, &seed);
            check_round_trip(adorned);
            embody(adorned, &seed);
            check_round_trip(adorned);
            lb_figure_destroy(adorned);
        }
        lb_figure_destroy(figure);
    }
    return check_done();
}
