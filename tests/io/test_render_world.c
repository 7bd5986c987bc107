/* What stands around figures in pictures: it is where it should be and nowhere else, one sees through it, and it does not make
 * the figures small. */
#include "check.h"
#include "io/render/render.h"
#include <limber/collisions.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 200
#define HEIGHT 150

static const double corners[4][3] = {{-0.1, -0.1, -0.1}, {0.15, 0, 0}, {0, 0.15, 0}, {0, 0, 0.15}};
static const int sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static lb_figure *red_ball(void) {
    static const char text[] = "figure ball { segment s { shape = sphere((0cm, 0cm, 10cm), 10cm) color #d01010; } }";
    lb_figure *figure = NULL;
    lb_error error;
    REQUIRE(lb_figure_load_memory(text, strlen(text), "ball.fig", NULL, &figure, &error) == LB_OK);
    return figure;
}

static lb_marker solid(lb_shape_kind kind, double x, double y, double z) {
    lb_marker m;
    memset(&m, 0, sizeof m);
    m.kind = LB_MARKER_SOLID;
    lb_frame_identity(&m.frame);
    m.frame.position[0] = x, m.frame.position[1] = y, m.frame.position[2] = z;
    lb_shape_defaults(&m.shape);
    m.shape.kind = kind;
    m.shape.color = -1;
    m.shape.size[0] = 0.1, m.shape.size[1] = kind == LB_SHAPE_CAPSULE ? 0.05 : 0.1, m.shape.size[2] = 0.1;
    if (kind == LB_SHAPE_HULL) {
        m.shape.size[0] = 0;
        m.shape.vertex_count = m.shape.triangle_count = 4;
        m.shape.vertices = corners, m.shape.triangles = sides;
    }
    return m;
}

typedef struct view {
    lbio_scene scene;
    lbio_pane pane;
    unsigned char pixels[WIDTH * HEIGHT * 4];
} view;

/* Straight from the front (+x), where y of the world runs to the right. */
static void see(const lb_figure *figure, const lb_marker *markers, int count, const lb_render_options *options,
                view *v) {
    const double *rest = NULL;
    const lb_scene cast = {1, &figure, &rest, count, markers};
    lb_error error;
    memset(v, 0, sizeof *v);
    REQUIRE(lbio_scene_build(&cast, options, &v->scene, &error) == LB_OK);
    lbio_picture picture = {.options = options, .scene = &v->scene};
    lbio_pane pane = {.rect = {0, 0, WIDTH, HEIGHT}, .frame = {10, 10, WIDTH - 20, HEIGHT - 20}};
    lbio_theme_get(options->dark, &picture.theme);
    lbio_camera_fit(&pane.camera, &v->scene, 0, 5, 1, pane.frame);
    v->pane = pane;
    REQUIRE(lbio_raster_pane(&picture, &v->pane, v->pixels, WIDTH * 4) == LB_OK);
}

static void place_of(const view *v, const double world[3], double xy[2]) {
    double p[3];
    lbio_to_scene(&v->scene, world, p);
    lbio_camera_project(&v->pane.camera, p, xy);
}

static lb_render_options bounded(void) {
    lb_render_options options;
    lb_render_options_defaults(&options);
    options.has_bounds = 1;
    for (int i = 0; i < 3; i++) {
        options.lower[i] = -0.8, options.upper[i] = 0.8;
    }
    return options;
}

/* A picture changes where the solid is, and only there: solids of every kind, at random places around the figure. */
static void test_places(void) {
    static const lb_shape_kind kinds[] = {LB_SHAPE_SPHERE,   LB_SHAPE_CAPSULE,   LB_SHAPE_BOX,
                                          LB_SHAPE_CYLINDER, LB_SHAPE_ELLIPSOID, LB_SHAPE_HULL};
    lb_figure *figure = red_ball();
    const lb_render_options options = bounded();
    check_random random;
    view without, with;
    check_random_seed(&random, 18);
    see(figure, NULL, 0, &options, &without);
    for (int k = 0; k < check_count(18, 120); k++) {
        const double *at;
        lb_marker m =
            solid(kinds[k % 6], check_random_range(&random, -0.3, 0.3),
                  check_random_range(&random, 0.3, 0.5) * (k % 2 ? 1 : -1), check_random_range(&random, 0.1, 0.4));
        double middle[2], beside[2], far_point[3], reach = 0;
        at = m.frame.position;
        see(figure, &m, 1, &options, &with);
        check_note("kind %d at %g %g %g", (int)m.shape.kind, at[0], at[1], at[2]);
        place_of(&with, at, middle);
        const size_t here = 4 * ((size_t)middle[1] * WIDTH + (size_t)middle[0]);
        CHECK(memcmp(with.pixels + here, without.pixels + here, 4) != 0);
        CHECK(with.pixels[here] > with.pixels[here + 2] + 4); /* a quiet blue */
        memcpy(far_point, at, sizeof far_point);
        far_point[1] += 0.1 * sqrt(3) + 0.01; /* no part of a solid is farther from its middle */
        place_of(&with, far_point, beside);
        reach = 1.1 * fabs(beside[0] - middle[0]) + 3;
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                const size_t p = 4 * ((size_t)y * WIDTH + (size_t)x);
                if (hypot(x - middle[0], y - middle[1]) > reach &&
                    memcmp(with.pixels + p, without.pixels + p, 4) != 0) {
                    CHECK(!"a pixel changes that is none of the solid's");
                    x = WIDTH, y = HEIGHT;
                }
            }
        }
        lbio_scene_free(&with.scene);
    }
    lbio_scene_free(&without.scene);
    lb_figure_destroy(figure);
}

/* The figure is seen through a solid before it, and unchanged before one behind it. */
static void test_through(void) {
    static const double heart[3] = {0, 0, 0.1};
    lb_figure *figure = red_ball();
    const lb_render_options options = bounded();
    lb_marker front = solid(LB_SHAPE_BOX, 0.4, 0, 0.1), behind = solid(LB_SHAPE_BOX, -0.4, 0, 0.1);
    view alone, veiled, backed;
    double xy[2];
    see(figure, NULL, 0, &options, &alone);
    see(figure, &front, 1, &options, &veiled);
    see(figure, &behind, 1, &options, &backed);
    place_of(&alone, heart, xy);
    const size_t p = 4 * ((size_t)xy[1] * WIDTH + (size_t)xy[0]);
    CHECK(memcmp(alone.pixels + p, backed.pixels + p, 4) == 0);
    CHECK(veiled.pixels[p] > alone.pixels[p] + 20);      /* blue is added */
    CHECK(veiled.pixels[p + 2] > veiled.pixels[p] + 20); /* to red, which is still there */
    lbio_scene_free(&alone.scene);
    lbio_scene_free(&veiled.scene);
    lbio_scene_free(&backed.scene);
    lb_figure_destroy(figure);
}

/* What is near is in the frame, what is far is not drawn, and of what has no end a patch is. */
static void test_frame(void) {
    lb_figure *figure = red_ball();
    lb_render_options options;
    lb_render_options_defaults(&options);
    view alone, v;
    see(figure, NULL, 0, &options, &alone);
    lb_marker near = solid(LB_SHAPE_SPHERE, 0, 0.14, 0.1), distant = solid(LB_SHAPE_SPHERE, 0, 500, 0.1);
    see(figure, &near, 1, &options, &v);
    CHECK_INT(v.scene.clear_count, 1);
    CHECK(v.scene.high[1] * v.scene.scale + v.scene.origin[1] > 0.239);
    lbio_scene_free(&v.scene);
    see(figure, &distant, 1, &options, &v);
    CHECK_INT(v.scene.clear_count, 0);
    CHECK_NEAR(v.scene.scale, alone.scene.scale, 1e-12);
    lbio_scene_free(&v.scene);
    lb_marker vast[4] = {solid(LB_SHAPE_HALF_SPACE, 300, 0, -0.01), solid(LB_SHAPE_BOX, 0, 0, -1000.01),
                         solid(LB_SHAPE_SPHERE, 0, 0, -1000.01), solid(LB_SHAPE_CYLINDER, 0.2, 0, 0)};
    vast[1].shape.size[0] = vast[1].shape.size[1] = vast[1].shape.size[2] = 1000;
    vast[2].shape.size[0] = 1000;
    vast[3].shape.size[0] = 0.02, vast[3].shape.size[1] = 1000;
    for (int k = 0; k < 4; k++) {
        check_note("vast %d", k);
        see(figure, &vast[k], 1, &options, &v);
        CHECK_INT(v.scene.clear_count, 1);
        CHECK(v.scene.scale <= 3 * alone.scene.scale);
        double low[2], top[2];
        place_of(&v, (const double[3]){0, 0, 0}, low);
        place_of(&v, (const double[3]){0, 0, 0.2}, top);
        CHECK(low[1] - top[1] > 0.2 * HEIGHT && top[1] > 0 && low[1] < HEIGHT); /* the figure is still the subject */
        CHECK(memcmp(v.pixels, alone.pixels, sizeof v.pixels) != 0);
        lbio_scene_free(&v.scene);
    }
    lbio_scene_free(&alone.scene);
    lb_figure_destroy(figure);
}

/* The translucent paths of an SVG lie where the solid is. */
static void test_svg(void) {
    lb_figure *figure = red_ball();
    const lb_figure *figures[1] = {figure};
    const double *rest[1] = {NULL};
    lb_render_options options;
    lb_render_options_defaults(&options);
    options.width = 400, options.height = 300;
    options.view_count = 1, options.views[0] = LB_VIEW_FRONT;
    lb_marker box = solid(LB_SHAPE_BOX, 0, 0.3, 0.1);
    lb_scene cast = {1, figures, rest, 1, &box};
    lb_error error;
    size_t size;
    int faces = 0;
    char path_svg[600], path_pdf[600];
    check_scratch("world.svg", path_svg, sizeof path_svg);
    check_scratch("world.pdf", path_pdf, sizeof path_pdf);
    REQUIRE(lb_scene_render(&cast, path_svg, &options, &error) == LB_OK);
    CHECK_INT(lb_scene_render(&cast, path_pdf, &options, &error), LB_OK);
    char *svg = check_read_file(path_svg, &size);
    for (const char *end = svg; (end = strstr(end, "fill-opacity=\"0.420\"")); end++) {
        const char *path = end;
        double x = 0, y = 0;
        while (path > svg && strncmp(path, "d=\"M", 4) != 0) {
            path--;
        }
        faces++;
        CHECK_INT(sscanf(path, "d=\"M%lf %lf", &x, &y), 2);
        CHECK(x > 200); /* the ball is to the left, the box to the right */
    }
    CHECK(faces >= 2 && faces <= 3);
    free(svg);
    cast.marker_count = 0;
    REQUIRE(lb_scene_render(&cast, path_svg, &options, &error) == LB_OK);
    svg = check_read_file(path_svg, &size);
    CHECK(!strstr(svg, "fill-opacity=\"0.420\""));
    free(svg);
    lb_figure_destroy(figure);
}

static void test_refusals(void) {
    lb_figure *figure = red_ball();
    const lb_figure *figures[1] = {figure};
    const double *rest[1] = {NULL};
    static const int outside[1][3] = {{0, 1, 9}};
    lb_render_options options;
    lb_error error;
    char path[600];
    check_scratch("hull.png", path, sizeof path);
    lb_render_options_defaults(&options);
    options.width = options.height = 64;
    lb_marker m = solid(LB_SHAPE_HULL, 0, 0.3, 0.1);
    const lb_scene cast = {1, figures, rest, 1, &m};
    CHECK_INT(lb_scene_render(&cast, path, &options, &error), LB_OK);
    m.shape.triangles = outside, m.shape.triangle_count = 1;
    CHECK_INT(lb_scene_render(&cast, path, &options, &error), LB_ERROR_ARGUMENT);
    CHECK_HAS(error.message, "mark 1 is a hull without");
    m.shape.triangle_count = 0;
    CHECK_INT(lb_scene_render(&cast, path, &options, &error), LB_ERROR_ARGUMENT);
    m = solid(LB_SHAPE_MESH, 0, 0.3, 0.1);
    CHECK_INT(lb_scene_render(&cast, path, &options, &error), LB_ERROR_ARGUMENT);
    m = solid(LB_SHAPE_HALF_SPACE, 0, 0.3, 0.1);
    CHECK_INT(lb_scene_render(&cast, path, &options, &error), LB_OK);
    m.kind = LB_MARKER_SHAPE;
    CHECK_INT(lb_scene_render(&cast, path, &options, &error), LB_ERROR_ARGUMENT);
    lb_figure_destroy(figure);
}

int main(void) {
    test_places();
    test_through();
    test_frame();
    test_svg();
    test_refusals();
    return check_done();
}
