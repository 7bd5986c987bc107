/* Pictures: rays meet solids where they should, what is drawn is there, and files are whole, the same each time, or
 * not there. */
#include "check.h"
#include "io/render/render.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The scene of one figure at rest. */
static lb_status build_scene(const lb_figure *figure, const lb_render_options *options, lbio_scene *scene,
                             lb_error *error) {
    const double *rest = NULL;
    lb_scene one = {.figure_count = 1, .figures = &figure, .poses = &rest};
    return lbio_scene_build(&one, options, scene, error);
}

/* --- Solids -------------------------------------------------------------------------------------- */

/* Signed distance-like value in the solid's frame: negative inside. Written from the definitions, not from the ray
 * code. */
static double outside(const lbio_prim *prim, const double p[3]) {
    double from[3], q[3];
    const double *s = prim->size;
    lbio_along(p, -1, prim->p, from);
    lbio_unrotate(prim->r, from, q);
    switch (prim->kind) {
    case LB_SHAPE_SPHERE:
        return lbio_length(from) - s[0];
    case LB_SHAPE_BOX:
        return fmax(fabs(q[0]) - s[0], fmax(fabs(q[1]) - s[1], fabs(q[2]) - s[2]));
    case LB_SHAPE_CYLINDER:
        return fmax(hypot(q[0], q[1]) - s[0], fabs(q[2]) - s[1]);
    case LB_SHAPE_ELLIPSOID: {
        double scaled[3] = {q[0] / s[0], q[1] / s[1], q[2] / s[2]};
        return lbio_length(scaled) - 1;
    }
    default: { /* the hull of two balls: the least over balls in between, whose radii grow evenly */
        double least = INFINITY;
        for (int k = 0; k <= 4000; k++) {
            double f = k / 4000.0, z = -s[1] + 2 * s[1] * f;
            double d = sqrt(q[0] * q[0] + q[1] * q[1] + (q[2] - z) * (q[2] - z)) - (s[0] + (s[2] - s[0]) * f);
            least = fmin(least, d);
        }
        return least;
    }
    }
}

static void random_prim(check_random *random, lbio_prim *prim, int kind) {
    double axis[3];
    memset(prim, 0, sizeof *prim);
    prim->kind = (lb_shape_kind)kind;
    for (int i = 0; i < 3; i++) {
        prim->p[i] = check_random_range(random, -1, 1);
        prim->size[i] = check_random_range(random, 0.1, 0.6);
        axis[i] = check_random_range(random, -1, 1);
    }
    double rotation[4];
    lb_rotation_about(axis, check_random_range(random, 0, 3), rotation);
    lb_rotation_to_matrix(rotation, prim->r);
    lbio_prim_finish(prim);
}

/* A ray that passes within `spread` of a point along each axis. */
static void random_ray(check_random *random, const double at[3], double spread, lbio_ray *ray) {
    for (int i = 0; i < 3; i++) {
        ray->o[i] = check_random_range(random, -4, 4);
        ray->d[i] = at[i] + check_random_range(random, -spread, spread) - ray->o[i];
    }
    lbio_normalize(ray->d);
}

static void test_rays(void) {
    check_random random;
    int hits = 0, misses = 0;
    check_random_seed(&random, 7);
    for (int round = 0; round < 600; round++) {
        lbio_prim prim;
        lbio_ray ray;
        lbio_hit hit = {.t = INFINITY, .prim = -1};
        random_prim(&random, &prim, round % 5);
        random_ray(&random, prim.p, 0.6, &ray);
        check_note("solid %d of round %d", round % 5, round);
        if (outside(&prim, ray.o) < 0.01) {
            continue;
        }
        double p[3], q[3];
        if (lbio_prim_hit(&prim, &ray, 0, &hit)) {
            hits++;
            lbio_along(ray.o, hit.t, ray.d, p);
            CHECK_NEAR(outside(&prim, p), 0, 2e-6);
            CHECK_NEAR(lbio_length(hit.n), 1, 1e-9);
            CHECK(lbio_dot(hit.n, ray.d) < 1e-9); /* from outside, onto the outer side */
            lbio_along(p, 1e-3, hit.n, q);
            CHECK(outside(&prim, q) > 0);
            lbio_along(ray.o, hit.t - 1e-3, ray.d, q);
            CHECK(outside(&prim, q) > -1e-9);
            for (int i = 0; i < 3; i++) {
                CHECK(p[i] > prim.low[i] - 1e-9 && p[i] < prim.high[i] + 1e-9);
            }
        } else {
            misses++;
            for (int k = 0; k < 100; k++) {
                lbio_along(ray.o, k * 0.08, ray.d, p);
                CHECK(outside(&prim, p) > -1e-6);
            }
        }
    }
    check_note("%s", "");
    CHECK(hits > 100 && misses > 50);
}

/* A ball that swallows the other end of its capsule is a ball. */
static void test_swallowed(void) {
    lbio_prim prim = {.kind = LB_SHAPE_CAPSULE, .r = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .size = {0.5, 0.1, 0.05}};
    lbio_ray ray = {{0, 0, -5}, {0, 0, 1}};
    lbio_hit hit = {.t = INFINITY};
    lbio_prim_finish(&prim);
    CHECK(lbio_prim_hit(&prim, &ray, 0, &hit));
    CHECK_NEAR(hit.t, 5 - 0.1 - 0.5, 1e-12);
}

static void test_tree(void) {
    check_random random;
    lbio_scene scene;
    memset(&scene, 0, sizeof scene);
    check_random_seed(&random, 11);
    for (int k = 0; k < 60; k++) {
        lbio_prim *prim = lbio_scene_add_prim(&scene);
        REQUIRE(prim != NULL);
        random_prim(&random, prim, k % 5);
        for (int i = 0; i < 3; i++) {
            prim->p[i] *= 3, prim->size[i] *= 0.5;
        }
        lbio_prim_finish(prim);
    }
    REQUIRE(lbio_tree_build(&scene) == LB_OK);
    for (int round = 0; round < 2000; round++) {
        lbio_ray ray;
        lbio_hit by_tree = {.t = INFINITY, .prim = -1}, by_hand = by_tree;
        static const double middle[3] = {0, 0, 0};
        random_ray(&random, middle, 2, &ray);
        int found = lbio_tree_hit(&scene, &ray, 0, &by_tree);
        for (int k = 0; k < scene.prim_count; k++) {
            by_hand.prim = lbio_prim_hit(&scene.prims[k], &ray, 0, &by_hand) ? k : by_hand.prim;
        }
        CHECK_INT(by_tree.prim, by_hand.prim);
        CHECK(by_tree.t == by_hand.t);
        CHECK_INT(lbio_tree_blocked(&scene, &ray), found);
    }
    lbio_scene_free(&scene);
}

/* --- Tracing ------------------------------------------------------------------------------------- */

typedef struct ring {
    double inner, outer;
} ring;

static double at_radius(void *context, int ix, int iy, int ox, int oy) {
    const ring *r = context;
    double a = hypot(ix - 20, iy - 20), b = hypot(ox - 20, oy - 20), edge = b > r->outer ? r->outer : r->inner;
    return (edge - a) / (b - a);
}

static double signed_area(double (*xy)[2], int count) {
    double sum = 0;
    for (int k = 0; k < count; k++) {
        sum += xy[k][0] * xy[(k + 1) % count][1] - xy[(k + 1) % count][0] * xy[k][1];
    }
    return fabs(sum) / 2;
}

static void test_trace(void) {
    unsigned char inside[41 * 41];
    lbio_grid grid = {0, 0, 1, 41, 41};
    lbio_box box = {0, 0, 40, 40};
    lbio_loops loops = {0};
    ring r = {7.3, 15.6};
    for (int k = 0; k < 41 * 41; k++) {
        double away = hypot(k % 41 - 20, k / 41 - 20);
        inside[k] = away > r.inner && away < r.outer;
    }
    REQUIRE(lbio_trace(&grid, box, inside, at_radius, &r, 0.02, &loops) == LB_OK);
    CHECK_INT(loops.count, 2); /* the rim and the hole */
    double outer = signed_area(loops.xy, loops.counts[0]),
           inner = signed_area(loops.xy + loops.counts[0], loops.counts[1]);
    CHECK_NEAR(outer, LBIO_PI * r.outer * r.outer, 4);
    CHECK_NEAR(inner, LBIO_PI * r.inner * r.inner, 2);
    memset(inside, 1, sizeof inside); /* to the grid's own border */
    REQUIRE(lbio_trace(&grid, box, inside, at_radius, &r, 0.02, &loops) == LB_OK);
    CHECK_INT(loops.count, 1);
    CHECK_NEAR(signed_area(loops.xy, loops.counts[0]), 1600, 1e-9);
    lbio_loops_free(&loops);
}

/* --- Figures ------------------------------------------------------------------------------------- */

static lb_figure *load(const char *text) {
    lb_figure *figure = NULL;
    lb_error error;
    if (lb_figure_load_memory(text, strlen(text), "sample.fig", NULL, &figure, &error)) {
        printf("%s:%d: %s\n", error.file, error.line, error.message);
    }
    REQUIRE(figure != NULL);
    return figure;
}

static const char sample[] =
    "figure sample {\n"
    "  segment base { mass = 2kg; site top->location = trans(0cm, 0cm, 20cm);\n"
    "    shape = box((0cm, 0cm, 10cm), (20cm, 20cm, 20cm)) color #d02010; }\n"
    "  segment arm { mass = 1kg; com = (0cm, 0cm, 15cm); site low->location = trans(0cm, 0cm, 0cm);\n"
    "    site high->location = trans(0cm, 0cm, 30cm); shape = capsule(low, high, 4cm, 2cm);\n"
    "    shape = cylinder(low, high, 1cm); shape = sphere(high, 5cm); }\n"
    "  segment hand { site low->location = trans(0cm, 0cm, 0cm); site \"tip <&>\"->location = trans(10cm, 0cm, 5cm); "
    "}\n"
    "  joint shoulder { connect base.top to arm.low; type = swing_twist(z); swing = cone(60deg);\n"
    "    llimit = (none, none, -30deg); ulimit = (none, none, 30deg); }\n"
    "  joint \"slide & <turn>\" { connect arm.high to hand.low; type = T(z)*R(y); llimit = (0cm, -20deg);\n"
    "    ulimit = (10cm, none); }\n"
    "  root = base;\n}\n";

static lb_render_options small_options(void) {
    lb_render_options options;
    lb_render_options_defaults(&options);
    options.width = 160, options.height = 120;
    return options;
}

static void all_options(lb_render_options *options) {
    options->show_labels = options->show_sites = options->show_limits = options->show_com = options->show_scale = 1;
    options->title = "Title with <marks> & \"quotes\"";
    options->view_count = 2;
    options->views[0] = LB_VIEW_FRONT, options->views[1] = LB_VIEW_TOP;
}

static char *draw(const lb_figure *figure, const lb_render_options *options, const char *name, size_t *size) {
    char path[600];
    lb_error error;
    check_scratch(name, path, sizeof path);
    unlink(path);
    lb_status status = lb_figure_render(figure, NULL, path, options, &error);
    if (status) {
        printf("%s: %s\n", error.file, error.message);
    }
    CHECK_INT(status, LB_OK);
    char *bytes = check_read_file(path, size);
    REQUIRE(bytes != NULL);
    return bytes;
}

static void check_twice(const lb_figure *figure, const lb_render_options *options, const char *name,
                        const char *magic) {
    size_t first_size, second_size;
    check_note("%s", name);
    char *first = draw(figure, options, name, &first_size), *second = draw(figure, options, name, &second_size);
    CHECK(first_size > 400 && memcmp(first, magic, strlen(magic)) == 0);
    CHECK(first_size == second_size && memcmp(first, second, first_size) == 0);
    CHECK(first_size < 2000000);
    free(first);
    free(second);
    check_note("%s", "");
}

static void test_files(void) {
    lb_figure *figure = load(sample);
    lb_render_options options = small_options();
    for (int full = 0; full < 2; full++) {
        check_twice(figure, &options, full ? "full.png" : "plain.png", "\x89PNG\r\n\x1a\n");
        check_twice(figure, &options, full ? "full.svg" : "plain.svg", "<?xml");
        check_twice(figure, &options, full ? "full.pdf" : "plain.pdf", "%PDF-");
        all_options(&options);
    }
    size_t size;
    options.width = 800, options.height = 400; /* room for every word */
    char *svg = draw(figure, &options, "words.svg", &size);
    CHECK_HAS(svg, ">slide &amp; &lt;turn&gt;</text>"); /* words are words, and escaped */
    CHECK_HAS(svg, ">tip &lt;&amp;&gt;</text>");
    CHECK_HAS(svg, "bold\" fill=\"#1f2a36\">Title with &lt;marks&gt; &amp; \"quotes\"</text>");
    CHECK_HAS(svg, "<title>Title with &lt;marks&gt; &amp; \"quotes\"</title>");
    CHECK_HAS(svg, ">front</text>");
    CHECK_HAS(svg, ">shoulder</text>");
    CHECK(strstr(svg, "nan") == NULL && strstr(svg, "inf") == NULL);
    CHECK_HAS(svg + size - 8, "</svg>");
    free(svg);
    unsigned char *png = (unsigned char *)draw(figure, &options, "size.png", &size);
    CHECK_INT(png[18] << 8 | png[19], 800); /* IHDR */
    CHECK_INT(png[22] << 8 | png[23], 400);
    free(png);
    lb_figure_destroy(figure);
}

/* --- Limits --------------------------------------------------------------------------------------- */

/* A swing about an axis that is none of x, y, z: the corners that are drawn are where the joint takes its axis. */
static void test_swing_corners(void) {
    static const char text[] = "figure leaning {\n"
                               "  segment base { site top->location = trans(0cm, 0cm, 20cm); }\n"
                               "  segment arm { site low->location = trans(0cm, 0cm, 0cm);\n"
                               "    site high->location = trans(18cm, 0cm, 24cm); }\n"
                               "  joint shoulder { connect base.top to arm.low; type = swing_twist(0.6, 0, 0.8);\n"
                               "    swing = polygon((-10deg, -20deg), (50deg, -5deg), (15deg, 40deg)); }\n"
                               "  root = base;\n}\n";
    lb_figure *figure = load(text);
    lb_render_options options = small_options();
    lbio_scene scene;
    lb_error error;
    options.show_limits = 1;
    REQUIRE(build_scene(figure, &options, &scene, &error) == LB_OK);
    const lb_joint *joint = lb_figure_joint(figure, 0);
    const lbio_outline *range = NULL;
    for (int k = 0; k < scene.outline_count; k++) {
        range = scene.outlines[k].kind == LBIO_OUTLINE_RANGE && !range ? &scene.outlines[k] : range;
    }
    REQUIRE(range != NULL && joint->swing_count == 3 && range->count % 3 == 0);
    for (int corner = 0; corner < 3; corner++) {
        const double *drawn = scene.points[range->first + corner * range->count / 3];
        double dofs[3] = {joint->swing[corner][0], joint->swing[corner][1], 0}, rotation[4], matrix[9], axis[3], way[3];
        const double base[3] = {0, 0, 0.2};
        REQUIRE(lb_joint_type_rotation(&joint->type, dofs, rotation) == LB_OK);
        lb_rotation_to_matrix(rotation, matrix);
        lbio_rotate(matrix, joint->type.elements[0].axis, axis);
        for (int i = 0; i < 3; i++) {
            way[i] = drawn[i] * scene.scale + scene.origin[i] - base[i];
        }
        CHECK(lbio_normalize(way) > 0);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(way[i], axis[i], 1e-9);
        }
    }
    lbio_scene_free(&scene);
    lb_figure_destroy(figure);
}

/* --- Pixels -------------------------------------------------------------------------------------- */

typedef struct canvas {
    unsigned char pixels[120 * 160 * 4];
} canvas;

static void cast(const lb_figure *figure, const lb_render_options *options, canvas *out) {
    lbio_scene scene;
    lb_error error;
    REQUIRE(build_scene(figure, options, &scene, &error) == LB_OK);
    lbio_picture picture = {.options = options, .scene = &scene};
    lbio_pane pane = {.rect = {0, 0, 160, 120}, .frame = {10, 10, 140, 100}};
    lbio_theme_get(options->dark, &picture.theme);
    lbio_camera_fit(&pane.camera, &scene, 0, 5, options->perspective, pane.frame);
    memset(out, 0, sizeof *out);
    CHECK_INT(lbio_raster_pane(&picture, &pane, out->pixels, 160 * 4), LB_OK);
    lbio_scene_free(&scene);
}

static const unsigned char *pixel(const canvas *c, int x, int y) {
    return c->pixels + 4 * (160 * y + x); /* blue, green, red */
}

static void test_pixels(void) {
    lb_figure *figure = load("figure ball { segment s { shape = sphere((0cm, 0cm, 10cm), 10cm) color #d01010; } }");
    lb_render_options options = small_options();
    canvas light, dark;
    cast(figure, &options, &light);
    options.dark = 1;
    cast(figure, &options, &dark);
    const unsigned char *middle = pixel(&light, 80, 60), *corner = pixel(&light, 2, 2), *night = pixel(&dark, 2, 2);
    CHECK(middle[2] > 120 && middle[1] < 90 && middle[0] < 90);   /* red */
    CHECK(corner[0] > 230 && corner[1] > 230 && corner[2] > 230); /* sky */
    CHECK(night[0] < 80 && night[1] < 80 && night[2] < 80);
    /* Lit from the upper left. */
    CHECK(pixel(&light, 62, 40)[2] > pixel(&light, 98, 84)[2] + 20);
    /* The ball fills the height of its frame, and its outline is smooth: pixels between red and sky on its edge. */
    int top = 0;
    while (top < 60 && pixel(&light, 80, top)[1] > 150) {
        top++;
    }
    CHECK(top >= 8 && top <= 13);
    /* Its shadow darkens the ground beside it. */
    CHECK(pixel(&light, 100, 110)[1] + 8 < pixel(&light, 20, 110)[1]);
    lb_figure_destroy(figure);
}

/* What lies near an edge of the frame is found inside it, whatever the pose and the view. */
static void test_fit(void) {
    lb_figure *figure = load(sample);
    lb_render_options options = small_options();
    lbio_scene scene;
    lb_error error;
    REQUIRE(build_scene(figure, &options, &scene, &error) == LB_OK);
    lbio_rect frame = {20, 30, 300, 200};
    for (int k = 0; k < 24; k++) {
        lbio_camera camera;
        double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9}, points[LBIO_SPAN_POINTS][3], xy[2];
        check_note("view %d", k);
        lbio_camera_fit(&camera, &scene, k * 37, (k % 7 - 3) * 30, k % 2, frame);
        for (int p = 0; p < scene.prim_count; p++) {
            int count = lbio_prim_span(&scene.prims[p], points);
            for (int i = 0; i < count; i++) {
                CHECK(lbio_camera_project(&camera, points[i], xy) > 0);
                low[0] = fmin(low[0], xy[0]), high[0] = fmax(high[0], xy[0]);
                low[1] = fmin(low[1], xy[1]), high[1] = fmax(high[1], xy[1]);
                lbio_ray ray; /* the ray of that pixel goes through the point */
                double off[3];
                lbio_camera_ray(&camera, xy[0], xy[1], &ray);
                lbio_along(points[i], -1, ray.o, off);
                lbio_along(off, -lbio_dot(off, ray.d), ray.d, off);
                CHECK_NEAR(lbio_length(off), 0, 1e-9);
            }
        }
        CHECK(low[0] > 19 && low[1] > 29 && high[0] < 321 && high[1] < 231);
        CHECK(high[0] - low[0] > 297 || high[1] - low[1] > 197); /* and fills it */
    }
    check_note("%s", "");
    lbio_scene_free(&scene);
    lb_figure_destroy(figure);
}

/* --- Odd figures and wrong calls ----------------------------------------------------------------- */

static void test_odd_figures(void) {
    static const char *const texts[] = {
        "figure one { segment a { } }",
        "figure point { segment a { site s->location = trans(0, 0, 0); } segment b { site s->location = trans(0, 0, "
        "0); }\n"
        "  joint j { connect a.s to b.s; type = ball; } }",
        "figure tiny { segment a { shape = sphere((0, 0, 0), 1e-9); } }",
        "figure huge { segment a { shape = box((0, 0, 0), (1e6, 1e6, 1)); site t->location = trans(1e6, 0, 0); }\n"
        "  segment b { site s->location = trans(0, 0, 0); } joint j { connect a.t to b.s; type = flying; } }",
        "figure far { segment a { shape = sphere((1e7, 1e7, 1e7), 1); } }",
        "figure sticks { segment a { site s->location = trans(0, 0, 0); site t->location = trans(0, 0, 1); }\n"
        "  segment b { site s->location = trans(0, 0, 0); site e->location = trans(1, 0, 0); }\n"
        "  joint j { connect a.t to b.s; type = R(y); } }",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        lb_figure *figure = load(texts[k]);
        lb_render_options options = small_options();
        options.width = 96, options.height = 64;
        size_t size;
        check_note("figure %d", (int)k);
        for (int full = 0; full < 2; full++) {
            free(draw(figure, &options, "odd.png", &size));
            char *svg = draw(figure, &options, "odd.svg", &size);
            CHECK(strstr(svg, "nan") == NULL && strstr(svg, "inf") == NULL);
            free(svg);
            all_options(&options);
            options.show_shapes = 0, options.perspective = 0;
        }
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

/* Something must be seen of a figure that has no shapes: sticks. */
static void test_sticks(void) {
    lb_figure *figure = load(sample);
    lb_render_options options = small_options();
    lbio_scene scene;
    lb_error error;
    REQUIRE(build_scene(figure, &options, &scene, &error) == LB_OK);
    int shapes = 0, sticks = 0;
    for (int k = 0; k < scene.prim_count; k++) {
        shapes += scene.prims[k].segment >= 0 && scene.prims[k].segment != 2;
        sticks += scene.prims[k].segment == 2;
    }
    CHECK_INT(shapes, 4); /* as given */
    CHECK(sticks >= 1);   /* the hand has none */
    lbio_scene_free(&scene);
    options.show_shapes = 0;
    REQUIRE(build_scene(figure, &options, &scene, &error) == LB_OK);
    for (int segment = 0; segment < 3; segment++) {
        int found = 0;
        for (int k = 0; k < scene.prim_count; k++) {
            found += scene.prims[k].segment == segment;
        }
        CHECK(found >= 1);
    }
    lbio_scene_free(&scene);
    lb_figure_destroy(figure);
}

/* Bones of segments whose shapes are loose: shorter than the bone, and at neither end of it. */
static void test_bare(void) {
    static const struct {
        const char *shape;
        int bones;
    } cases[] = {{"sphere((0, 0, 0.5), 0.1)", 1},
                 {"capsule((0, 0, 0.3), (0, 0, 0.7), 0.05)", 1},
                 {"capsule((0, 0, 0), (0, 0, 1), 0.05)", 0},      /* from end to end */
                 {"capsule((0, 0, 0.08), (0, 0, 0.5), 0.01)", 0}, /* near one end */
                 {"box((0.5, 0, 0.5), (0.1, 0.1, 1.2))", 0}};     /* as long as the bone: the axis is beside the part */
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "figure f { segment a { shape = %s; site s->location = trans(0, 0, 0); site t->location = trans(0, 0, "
                 "1); }\n"
                 "  segment b { site s->location = trans(0, 0, 0); shape = sphere((0, 0, 0), 0.01); }\n"
                 "  joint j { connect a.t to b.s; type = R(y); } }",
                 cases[k].shape);
        lb_figure *figure = load(text);
        lb_render_options options = small_options();
        lbio_scene scene;
        lb_error error;
        int count = 0;
        REQUIRE(build_scene(figure, &options, &scene, &error) == LB_OK);
        for (int i = 0; i < scene.prim_count; i++) {
            count += scene.prims[i].segment == 0;
        }
        check_note("%s", cases[k].shape);
        CHECK_INT(count, 1 + cases[k].bones);
        lbio_scene_free(&scene);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

static void refuse(const lb_figure *figure, const double *pose, const char *path, const lb_render_options *options,
                   lb_status expected, const char *why) {
    lb_error error = {0};
    struct stat info;
    check_note("%s", why);
    CHECK_INT(lb_figure_render(figure, pose, path, options, &error), expected);
    CHECK_HAS(error.message, why);
    CHECK(stat(path, &info) != 0); /* nothing is left behind */
    check_note("%s", "");
}

static void test_refusals(void) {
    lb_figure *figure = load(sample);
    lb_render_options options = small_options();
    char path[600], missing[700];
    check_scratch("never.png", path, sizeof path);
    unlink(path);
    options.width = 10;
    refuse(figure, NULL, path, &options, LB_ERROR_ARGUMENT, "10 x 120");
    options.width = 20000;
    refuse(figure, NULL, path, &options, LB_ERROR_ARGUMENT, "20000 x 120");
    options = small_options(), options.view_count = 5;
    refuse(figure, NULL, path, &options, LB_ERROR_ARGUMENT, "5 views");
    options = small_options(), options.zoom = 0;
    refuse(figure, NULL, path, &options, LB_ERROR_ARGUMENT, "zoom");
    options = small_options(), options.has_camera = 1, options.elevation_deg = NAN;
    refuse(figure, NULL, path, &options, LB_ERROR_ARGUMENT, "elevation");
    options = small_options();
    double pose[16] = {0};
    pose[0] = NAN;
    REQUIRE(lb_figure_variable_count(figure) <= 16);
    refuse(figure, pose, path, &options, LB_ERROR_ARGUMENT, "finite");
    check_scratch("never.gif", path, sizeof path);
    refuse(figure, NULL, path, &options, LB_ERROR_ARGUMENT, ".png, .svg or .pdf");
    snprintf(missing, sizeof missing, "%s.folder/never.png", path);
    refuse(figure, NULL, missing, &options, LB_ERROR_FILE, "cannot be written");
    CHECK_INT(lb_figure_render(NULL, NULL, path, NULL, NULL), LB_ERROR_ARGUMENT);
    lb_figure_destroy(figure);
    figure = load("figure far { segment a { shape = sphere((0, 0, 0), 1); shape = sphere((1e200, 0, 0), 1); } }");
    check_scratch("never.png", path, sizeof path);
    refuse(figure, NULL, path, &options, LB_ERROR_TOO_LARGE, "too large");
    lb_figure_destroy(figure);
}

static void test_formats_by_name(void) {
    CHECK_INT(lb_picture_format_from_path("a/b.PNG"), LB_PICTURE_FORMAT_PNG);
    CHECK_INT(lb_picture_format_from_path("b.svg"), LB_PICTURE_FORMAT_SVG);
    CHECK_INT(lb_picture_format_from_path("b.pdf"), LB_PICTURE_FORMAT_PDF);
    CHECK_INT(lb_picture_format_from_path("-"), LB_PICTURE_FORMAT_PNG);
    CHECK_INT(lb_picture_format_from_path("png"), LB_PICTURE_FORMAT_BY_NAME);
    CHECK_INT(lb_picture_format_from_path("a.svg/b"), LB_PICTURE_FORMAT_BY_NAME);
}

static void test_words(void) {
    char clean[16];
    lbio_text_clean("a\x01\xff\xc3\xa9z", clean, sizeof clean);
    CHECK_TEXT(clean, "a ?\xc3\xa9z");
    lbio_text_clean("0123456789abc\xc3\xa9\xc3\xa9", clean, sizeof clean); /* never half a character */
    CHECK_TEXT(clean, "0123456789abc\xc3\xa9");
    lbio_text_clean("\xed\xa0\x80\xc0\x80", clean, sizeof clean); /* surrogates, over-long forms */
    CHECK_TEXT(clean, "?????");
}

/* Two figures and their goals in one scene: all of both, targets as marks, obstacles as solids, and all of it in the
 * frame. */
static void test_casts(void) {
    lb_figure *figure = load(sample);
    const lb_figure *figures[2] = {figure, figure};
    const double *poses[2] = {NULL, NULL};
    lb_render_options options = small_options();
    lb_marker markers[4];
    lbio_scene one, both;
    lb_error error;
    memset(markers, 0, sizeof markers);
    for (int k = 0; k < 4; k++) {
        lb_frame_identity(&markers[k].frame);
    }
    markers[0].kind = LB_MARKER_POINT, markers[0].is_met = 1, markers[0].frame.position[0] = 3;
    markers[1].kind = LB_MARKER_FRAME;
    markers[2].kind = LB_MARKER_LINE, markers[2].to[2] = 1;
    markers[3].kind = LB_MARKER_SHAPE, markers[3].shape.kind = LB_SHAPE_SPHERE, markers[3].shape.size[0] = 0.2;
    REQUIRE(build_scene(figure, &options, &one, &error) == LB_OK);
    lb_scene cast = {2, figures, poses, 4, markers};
    REQUIRE(lbio_scene_build(&cast, &options, &both, &error) == LB_OK);
    CHECK_INT(both.prim_count, 2 * one.prim_count + 2 + 1);
    CHECK_INT(both.mark_count, 2 * one.mark_count + 2);
    CHECK_INT(both.outline_count, one.outline_count + 3 + 1);
    CHECK_INT(both.marks[2 * one.mark_count].kind, LBIO_MARK_MET);
    CHECK_INT(both.marks[2 * one.mark_count + 1].kind, LBIO_MARK_UNMET);
    CHECK_NEAR(both.marks[2 * one.mark_count].p[0] * both.scale + both.origin[0], 3, 1e-9);
    CHECK(both.high[0] * both.scale + both.origin[0] >= 3); /* the far target is part of the picture */
    CHECK_INT(lb_scene_render(&cast, "cast.svg", &options, &error), LB_OK);
    CHECK_INT(lb_scene_render(&cast, "cast.png", &options, &error), LB_OK);
    const lb_scene empty = {0, figures, poses, 0, NULL}, unmarked = {1, figures, poses, 1, NULL};
    CHECK_INT(lb_scene_render(&empty, "cast.png", &options, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_scene_render(&unmarked, "cast.png", &options, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_scene_render(NULL, "cast.png", &options, &error), LB_ERROR_ARGUMENT);
    lbio_scene_free(&one);
    lbio_scene_free(&both);
    lb_figure_destroy(figure);
}

int main(void) {
    test_rays();
    test_swallowed();
    test_tree();
    test_trace();
    test_files();
    test_swing_corners();
    test_pixels();
    test_fit();
    test_odd_figures();
    test_sticks();
    test_bare();
    test_refusals();
    test_formats_by_name();
    test_words();
    test_casts();
    return check_done();
}
