/* COLLADA: what its scene shows, in which place and colour; what is refused, with its line; what bounds the work. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh/mesh.h"

static lb_error error;

static lb_status read_text(const char *name, const char *text, size_t size, lbio_cloud *cloud) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    const lbio_source source = {name, text, size, &options, &error};
    *cloud = (lbio_cloud){.keeps_triangles = 1};
    memset(&error, 0, sizeof error);
    return lbio_read_cloud(&source, NULL, cloud);
}

static lb_status read_sample(const char *name, lbio_cloud *cloud) {
    char relative[128], path[1024], *data = NULL;
    size_t size = 0;
    snprintf(relative, sizeof relative, "fuzz/corpus/dae/%s.dae", name);
    REQUIRE(check_source(relative, path, sizeof path));
    REQUIRE(CHECK_INT(lbio_read_reference(path, LBIO_MESH_MAX_BYTES, &data, &size, &error), LB_OK));
    check_note("%s", name);
    const lb_status status = read_text(path, data, size, cloud);
    free(data);
    return status;
}

static void expect(const char *name, int points, int triangles, lbio_cloud *kept) {
    lbio_cloud cloud;
    if (!CHECK_INT(read_sample(name, &cloud), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
    }
    CHECK_INT(cloud.count, points);
    CHECK_INT(cloud.triangle_count, triangles);
    for (int t = 0; t < cloud.triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            CHECK(cloud.triangles[t].at[k] >= 0 && cloud.triangles[t].at[k] < cloud.count);
        }
    }
    if (kept) {
        *kept = cloud;
    } else {
        lbio_cloud_free(&cloud);
    }
}

static void refuse(const char *name, lb_status status, int line, const char *words) {
    lbio_cloud cloud;
    CHECK_INT(read_sample(name, &cloud), status);
    CHECK_INT(error.line, line);
    CHECK_HAS(error.message, words);
    CHECK_HAS(error.file, name); /* the file is named */
    lbio_cloud_free(&cloud);
}

static void is_at(const lbio_cloud *cloud, int point, double x, double y, double z) {
    const double *p = cloud->points[point], wanted[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(p[i], wanted[i], 1e-15 * (1 + fabs(wanted[i])));
    }
}

static void has_corners(const lbio_cloud *cloud, int triangle, int a, int b, int c) {
    const int *at = cloud->triangles[triangle].at;
    CHECK(at[0] == a && at[1] == b && at[2] == c);
}

static void test_places(void) {
    lbio_cloud cloud;
    expect("square", 4, 2, &cloud);
    is_at(&cloud, 2, 1, 1, 0);
    has_corners(&cloud, 1, 0, 2, 3);
    lbio_cloud_free(&cloud);
    /* Inches; the steps of a node in their order; y up is passed over. */
    expect("inches", 4, 2, &cloud);
    is_at(&cloud, 0, 0.0254, 0.0508, 0.0762);
    is_at(&cloud, 1, 0.0254, 4 * 0.0254, 0.0762);
    is_at(&cloud, 3, -0.0254, 2 * 0.0254, 0.0762);
    lbio_cloud_free(&cloud);
    expect("nested", 8, 4, &cloud);
    is_at(&cloud, 1, 11, 5, 0);
    is_at(&cloud, 5, 11, 0, 7);
    lbio_cloud_free(&cloud);
    expect("no_scene", 4, 2, NULL);
    expect("skin", 4, 2, NULL);
}

static void test_lists(void) {
    lbio_cloud cloud;
    expect("polylist", 4, 3, &cloud);
    has_corners(&cloud, 1, 0, 2, 3);
    has_corners(&cloud, 2, 0, 1, 3);
    lbio_cloud_free(&cloud);
    expect("polygons", 4, 3, &cloud);
    has_corners(&cloud, 2, 0, 1, 2);
    lbio_cloud_free(&cloud);
    expect("strips", 4, 4, &cloud); /* the second triangle of a strip is turned about, so that both look up */
    has_corners(&cloud, 0, 0, 1, 3);
    has_corners(&cloud, 1, 3, 1, 2);
    has_corners(&cloud, 3, 0, 2, 3);
    lbio_cloud_free(&cloud);
}

static void test_colours(void) {
    lbio_cloud cloud;
    lb_shape shapes[LBIO_MESH_MAX_COLORS];
    expect("colours", 4, 4, &cloud);
    CHECK_INT(cloud.triangles[0].paint, 0xff0000 + 1);
    CHECK_INT(cloud.triangles[1].paint, 0x0080ff + 1);
    CHECK_INT(cloud.triangles[2].paint, 0xff0000 + 1); /* by its id; beyond 0 to 1 it is cut */
    CHECK_INT(cloud.triangles[3].paint, 0);
    lb_shape_defaults(&shapes[0]);
    shapes[0].color = 0x123456;
    REQUIRE(CHECK_INT(lbio_mesh_shapes(&cloud, shapes), 3));
    CHECK_INT(shapes[0].color, 0xff0000);
    CHECK_INT(shapes[0].triangle_count, 2);
    CHECK_INT(shapes[1].vertex_count, 3);
    CHECK_INT(shapes[2].color, 0x123456); /* what the robot's file says holds for what has none */
    for (int i = 0; i < 3; i++) {
        CHECK_INT(shapes[i].kind, LB_SHAPE_MESH);
        CHECK_INT(shapes[i].use, LB_SHAPE_USE_DRAWN);
        lbio_mesh_release(&shapes[i]);
    }
    lbio_cloud_free(&cloud);
}

static void test_refused(void) {
    refuse("circle", LB_ERROR_SYNTAX, 9, "name themselves");
    refuse("doubling", LB_ERROR_TOO_LARGE, 9, "too often");
    refuse("elsewhere", LB_ERROR_SYNTAX, 9, "in another file, which is not read");
    refuse("dangling", LB_ERROR_SYNTAX, 9, "no <geometry> with that id");
    refuse("bad_index", LB_ERROR_SYNTAX, 7, "corner 4 of <triangles>");
    refuse("half_index", LB_ERROR_SYNTAX, 7, "corner 1.5 of <triangles>");
    refuse("half_corner", LB_ERROR_SYNTAX, 7, "ends inside of a corner");
    refuse("short_polylist", LB_ERROR_SYNTAX, 7, "ends before the last polygon");
    refuse("nan", LB_ERROR_SYNTAX, 5, "\"nan\" in <float_array>");
    refuse("huge", LB_ERROR_SYNTAX, 5, "not finite");
    refuse("short_matrix", LB_ERROR_SYNTAX, 9, "16 numbers");
    refuse("skew", LB_ERROR_UNSUPPORTED, 9, "<skew>");
    refuse("no_vertex", LB_ERROR_SYNTAX, 7, "VERTEX");
    refuse("no_triangles", LB_ERROR_SYNTAX, 0, "no triangles");
    refuse("unit_zero", LB_ERROR_SYNTAX, 3, "above 0");
    refuse("not_collada", LB_ERROR_SYNTAX, 1, "not <robot>");
    refuse("doctype", LB_ERROR_UNSUPPORTED, 1, "document type");
    refuse("cut", LB_ERROR_SYNTAX, 3, "cut short");
}

/* Points of random places in random frames, written as text and read again. */
static void test_random(void) {
    check_random random;
    check_random_seed(&random, 11);
    for (int n = 0; n < check_count(50, 1000); n++) {
        double points[4][3], m[12], wanted[4][3];
        lbio_text text = {0};
        lbio_cloud cloud;
        check_note("file %d", n);
        lbio_text_add(&text, "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a'>");
        for (int i = 0; i < 12; i++) {
            points[i / 3][i % 3] = check_random_range(&random, -1, 1);
            lbio_text_number(&text, points[i / 3][i % 3]);
            lbio_text_add(&text, i % 5 ? " " : "\r\n\t");
        }
        lbio_text_add(&text,
                      "</float_array></source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>"
                      "<triangles><input semantic='VERTEX' source='#v'/><p>0 1 2 1 2 3</p></triangles></mesh>"
                      "</geometry></library_geometries><library_visual_scenes><visual_scene><node><matrix>");
        for (int i = 0; i < 16; i++) {
            const double value = i < 12 ? check_random_range(&random, -3, 3) : i == 15;
            m[i < 12 ? i : 0] = i < 12 ? value : m[0];
            lbio_text_number(&text, value);
            lbio_text_add(&text, " ");
        }
        lbio_text_add(&text,
                      "</matrix><instance_geometry url='#g'/></node></visual_scene></library_visual_scenes></COLLADA>");
        REQUIRE(!text.failed);
        if (!CHECK_INT(read_text("random.dae", text.data, text.size, &cloud), LB_OK)) {
            printf("  %s\n", error.message);
        }
        REQUIRE(CHECK_INT(cloud.count, 4));
        for (int i = 0; i < 4; i++) {
            for (int r = 0; r < 3; r++) {
                wanted[i][r] =
                    m[4 * r] * points[i][0] + m[4 * r + 1] * points[i][1] + m[4 * r + 2] * points[i][2] + m[4 * r + 3];
                CHECK_NEAR(cloud.points[i][r], wanted[i][r], 1e-14);
            }
        }
        lbio_cloud_free(&cloud);
        lbio_text_free(&text);
    }
}

int main(void) {
    test_places();
    test_lists();
    test_colours();
    test_refused();
    test_random();
    return check_done();
}
