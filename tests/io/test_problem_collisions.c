/* `collisions` of problem files: worlds, SRDF, pairs that may touch; what is wrong is told with file and place. */
#include <limber/collisions.h>
#include <limber/io.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static lb_error error;

static void write_text(const char *name, const char *text, char path[1024]) {
    check_scratch(name, path, 1024);
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs(text, file);
    fclose(file);
}

/* A problem about the Panda of models/ with these collisions. */
static lb_status load(const char *collisions, lb_problem_file **file) {
    char path[1024], model[1024], text[4096];
    lb_load_options options;
    REQUIRE(check_source("models/panda.fig", model, sizeof model));
    snprintf(text, sizeof text,
             "{\"figure\": \"%s\", \"collisions\": %s,\n \"constraints\": [{\"effector\": \"tool\", \"goal\": "
             "{\"kind\": \"position\", "
             "\"point\": [0.4, 0, 0.4]}}]}",
             model, collisions);
    write_text("collisions.json", text, path);
    lb_load_options_defaults(&options);
    *file = NULL;
    memset(&error, 0, sizeof error);
    return lb_problem_load(path, &options, file, &error);
}

static int pairs_of(const char *collisions) {
    lb_problem_file *file;
    if (!CHECK_INT(load(collisions, &file), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
        return -1;
    }
    const int count = lb_problem_pair_count(lb_problem_file_problem(file));
    lb_problem_file_destroy(file);
    return count;
}

/* Solids of every kind are written as they were read, to the last digit but those of a turn. */
static void check_kinds(void) {
    static const char text[] =
        "{\"samples\": 0, \"margin\": 0.02, \"touching\": [[\"link7\", \"slope\"]], \"solids\": ["
        "{\"name\": \"slope\", \"kind\": \"half-space\", \"point\": [0, 0, -0.5], \"normal\": [0, 0.6, 0.8]},"
        "{\"kind\": \"hull\", \"radius\": 0.01, \"point\": [1, 0, 0], \"rpy\": [0, 0, \"90deg\"], "
        "\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]},"
        "{\"name\": \"beam\", \"kind\": \"cylinder\", \"point\": [1, 1, 0], \"to\": [1, 2, 3], \"radius\": 0.1}]}";
    lb_problem_file *file, *again;
    char path[1024];
    REQUIRE(CHECK_INT(load(text, &file), LB_OK));
    const lb_collisions *c = lb_problem_collisions(lb_problem_file_problem(file));
    REQUIRE(c && c->solid_count == 3 && c->touching_count == 1);
    CHECK_INT(c->solids[0].shape.kind, LB_SHAPE_HALF_SPACE);
    CHECK_INT(c->solids[1].shape.vertex_count, 4); /* the corners of the hull */
    CHECK_INT(c->solids[1].shape.triangle_count, 4);
    CHECK_HAS(c->solids[1].name, "2");
    check_scratch("kinds.json", path, sizeof path);
    CHECK_INT(lb_problem_save(file, NULL, NULL, path, &error), LB_OK);
    REQUIRE(CHECK_INT(lb_problem_load(path, NULL, &again, &error), LB_OK));
    const lb_collisions *d = lb_problem_collisions(lb_problem_file_problem(again));
    REQUIRE(d && d->solid_count == 3 && d->touching_count == 1);
    CHECK(d->margin == c->margin && d->samples == 0 && d->touching[0].figure_b == -1);
    CHECK_INT(lb_problem_pair_count(lb_problem_file_problem(again)),
              lb_problem_pair_count(lb_problem_file_problem(file)));
    double pose[16];
    lb_solver *one = lb_solver_create(lb_problem_file_problem(file), NULL),
              *two = lb_solver_create(lb_problem_file_problem(again), NULL);
    memcpy(pose, lb_problem_file_start(file), 7 * sizeof *pose);
    for (int i = 0; i < lb_problem_pair_count(lb_problem_file_problem(file)); i++) {
        lb_contact_pair a, b;
        CHECK_INT(lb_solver_pair(one, pose, i, &a), LB_OK);
        CHECK_INT(lb_solver_pair(two, pose, i, &b), LB_OK);
        CHECK_NEAR(a.distance, b.distance, 1e-9);
    }
    lb_solver_destroy(one);
    lb_solver_destroy(two);
    /* and a text for a problem that a program has: on failure nothing changes, and it may name no files where it has no folder */
    lb_problem *problem = lb_problem_file_problem(again);
    const int pairs = lb_problem_pair_count(problem);
    static const char wrong[] = "{\"world\": \"world.json\"}", right[] = "{\"samples\": 0}";
    CHECK(lb_problem_read_collisions(problem, wrong, strlen(wrong), NULL, NULL, &error) != LB_OK);
    CHECK_HAS(error.message, "no file");
    CHECK(lb_problem_read_collisions(problem, "{", 1, NULL, NULL, &error) == LB_ERROR_SYNTAX);
    CHECK_INT(lb_problem_pair_count(problem), pairs);
    CHECK_INT(lb_problem_read_collisions(problem, right, strlen(right), NULL, NULL, NULL), LB_OK);
    CHECK(lb_problem_pair_count(problem) < pairs && lb_problem_collisions(problem)->solid_count == 0);
    CHECK_INT(lb_problem_set_collisions(problem, NULL), LB_OK);
    CHECK(lb_problem_collisions(problem) == NULL);
    lb_problem_file_destroy(again);
    lb_problem_file_destroy(file);
}

static void refuse(const char *collisions, const char *words) {
    lb_problem_file *file;
    check_note("%s", collisions);
    CHECK(load(collisions, &file) != LB_OK);
    CHECK_HAS(error.message, words);
}

int main(void) {
    char path[1024];
    write_text("world.json",
               "{\"solids\": [{\"name\": \"table\", \"kind\": \"box\", \"point\": [0, 0, -0.1], \"half_size\": [1, 1, "
               "0.02]},\n"
               " {\"kind\": \"cylinder\", \"point\": [0.4, 0, 0], \"to\": [0.4, 0, 0.5], \"radius\": \"5cm\"},\n"
               " {\"kind\": \"capsule\", \"point\": [0.4, 0.4, 0.5], \"to\": [0.4, 0.4, 0], \"radius\": 0.05},\n"
               " {\"kind\": \"mesh\", \"file\": \"stone.obj\", \"point\": [0, 0.4, 0.4], \"scale\": 0.1, \"rpy\": [0, "
               "0, \"90deg\"]},\n"
               " {\"name\": \"ball\", \"kind\": \"sphere\", \"point\": [0.3, 0, 0.6], \"radius\": 0.1}]}",
               path);
    write_text("stone.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n", path);
    write_text("broken.json", "{\"solids\": [\n{\"kind\": \"box\"]}", path);
    write_text("empty.json", "{}", path);
    write_text("cone.json", "{\"solids\": [{\"kind\": \"cone\"}]}", path);
    write_text("panda.srdf",
               "<robot name='panda'><disable_collisions link1='link2' link2='link5' reason='Never'/>\n"
               "<disable_collisions link1='link2' link2='nowhere'/></robot>",
               path);
    write_text("no.srdf", "<robot><disable_collisions link1='a'/></robot>", path);
    const int own = pairs_of("{}"), all = pairs_of("{\"samples\": 0}"), world = pairs_of("{\"world\": \"world.json\"}");
    CHECK(own > 0 && own < all && world > own);
    CHECK_INT(pairs_of("{\"self\": false}"), 0);
    CHECK_INT(pairs_of("{\"self\": false, \"world\": \"world.json\"}"), world - own);
    CHECK_INT(pairs_of("{\"samples\": 0, \"srdf\": \"panda.srdf\"}"), all - 1);
    CHECK_INT(pairs_of("{\"samples\": 0, \"touching\": [[\"link2\", \"link5\"], [\"link7\", \"link1\"]]}"), all - 2);
    CHECK(pairs_of("{\"world\": \"world.json\", \"touching\": [[\"link7\", \"ball\"]]}") == world - 1);
    CHECK(
        pairs_of(
            "{\"solids\": [{\"kind\": \"sphere\", \"point\": [0.4, 0, 0.4], \"radius\": 0.1}], \"margin\": \"1cm\"}") >
        own);
    check_kinds();
    refuse("{\"solids\": [{\"kind\": \"half-space\", \"point\": [0, 0, 0]}]}", "normal");
    refuse("{\"solids\": [{\"kind\": \"hull\"}]}", "vertices");
    refuse("{\"solids\": [{\"kind\": \"hull\", \"vertices\": [[0, 0]]}]}", "vertices[0]");
    refuse("{\"world\": \"nothere.json\"}", "cannot be opened");
    refuse("{\"world\": \"broken.json\"}", "not JSON");
    refuse("{\"world\": \"empty.json\"}", "a list of `solids`");
    refuse("{\"world\": \"cone.json\"}", "cone");
    refuse("{\"world\": 3}", "the name of a file");
    refuse("{\"wall\": 3}", "wall");
    refuse("{\"srdf\": \"no.srdf\"}", "link1 and link2");
    refuse("{\"touching\": [[\"link2\", \"link55\"]]}", "link55");
    refuse("{\"touching\": [[\"link2\"]]}", "touching");
    refuse("{\"margin\": -1}", "margin");
    refuse("{\"solids\": [{\"kind\": \"box\", \"point\": [0, 0, 0]}]}", "half_size");
    refuse("{\"solids\": [{\"kind\": \"sphere\", \"point\": [0, 0, 0]}]}", "radius");
    refuse("{\"solids\": [{\"kind\": \"mesh\", \"file\": \"../secret.obj\"}]}", "not there");
    refuse("{\"solids\": [{\"kind\": \"capsule\", \"point\": [0, 0, 0], \"to\": [0, 0, 0], \"radius\": 1}]}",
           "same place");
    lb_problem_file *file; /* written, and read again */
    REQUIRE(CHECK_INT(load("{\"world\": \"world.json\", \"margin\": 0.01}", &file), LB_OK));
    const int before = lb_problem_pair_count(lb_problem_file_problem(file));
    char again[1024];
    check_scratch("again.json", again, sizeof again);
    CHECK_INT(lb_problem_save(file, NULL, NULL, again, &error), LB_OK);
    lb_problem_file_destroy(file);
    REQUIRE(CHECK_INT(lb_problem_load(again, NULL, &file, &error), LB_OK));
    CHECK_INT(lb_problem_pair_count(lb_problem_file_problem(file)), before);
    lb_problem_file_destroy(file);
    return check_done();
}
