/* The shared characters: read, posed, animated and written back, against matrices made from their JSON by hand. */
#include <limber/io.h>

#include "check.h"
#include "io/gltf/gltf.h"
#include "scene.h"
#include <math.h>
#include <string.h>

static double *rest_of(const lb_figure *figure) {
    double *pose = calloc((size_t)lb_figure_variable_count(figure) + 1, sizeof *pose);
    lb_figure_rest_pose(figure, pose);
    return pose;
}

/* The node that a segment came from: names are unique but for numbers that the reader added, so by its order. */
static int node_of(const scene *s, const lb_figure *figure, int segment, int *used) {
    const char *name = lb_figure_segment(figure, segment)->name;
    for (int i = 0; i < s->node_count; i++) {
        const char *has =
            json_string_value(json_object_get(json_array_get(json_object_get(s->json, "nodes"), (size_t)i), "name"));
        char made[32];
        snprintf(made, sizeof made, "node%d", i);
        if (!used[i] && strcmp(has && *has ? has : made, name) == 0) {
            used[i] = 1;
            return i;
        }
    }
    return -1;
}

/* How far any segment is from its node, by the size. */
static double distance(scene *s, const lb_figure *figure, const double *pose, int faces_back) {
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    int *used = calloc((size_t)s->node_count + 1, sizeof *used), found = 0;
    double largest = 0, size = scene_size(s);
    lb_kinematics_update(kinematics, pose);
    for (int i = 1; i < lb_figure_segment_count(figure); i++) {
        int node = node_of(s, figure, i, used);
        lb_frame frame;
        double wanted[3];
        if (node < 0) {
            continue; /* renamed */
        }
        found++;
        scene_position(s, node, faces_back, wanted);
        lb_kinematics_segment(kinematics, i, &frame);
        for (int c = 0; c < 3; c++) {
            largest = fmax(largest, fabs(frame.position[c] - wanted[c]));
        }
    }
    lb_kinematics_destroy(kinematics);
    free(used);
    CHECK(found > 0);
    return largest / (size > 0 ? size : 1);
}

static void disturb(const lb_figure *figure, double *pose, double amount, double size) {
    check_random random;
    check_random_seed(&random, 7);
    for (int i = 0; i < lb_figure_variable_count(figure); i++) {
        pose[i] += check_random_range(&random, -amount, amount) * (lb_figure_variable(figure, i)->is_angle ? 1 : size);
    }
}

/* The text of a member of the root. */
static int find_member(const scene *s, const char *key, lbio_span *span) {
    return lbio_json_member_span(s->text, s->text_size, lbio_json_root_span(s->text, s->text_size), key, span, NULL);
}

static int same_text(const scene *a, lbio_span x, const scene *b, lbio_span y) {
    return x.end - x.begin == y.end - y.begin && memcmp(a->text + x.begin, b->text + y.begin, x.end - x.begin) == 0;
}

/* The next item of a list, which then begins behind it. */
static int next_item(const scene *s, lbio_span *list, lbio_span *item) {
    if (!lbio_json_item_span(s->text, s->text_size, *list, 0, item)) {
        return 0;
    }
    list->begin = item->end; /* on the comma: the next item is the first of what is left */
    while (list->begin < list->end && s->text[list->begin] != ',') {
        list->begin++;
    }
    return 1;
}

/* Whether the items of a list are there, in their order, behind the first `skipped` of the other file's. */
static int same_items(const scene *a, const scene *b, const char *key, int skipped) {
    lbio_span of_a, of_b, x, y;
    if (!find_member(a, key, &of_a) || !find_member(b, key, &of_b)) {
        return !find_member(a, key, &of_a);
    }
    for (int k = 0; k < skipped; k++) {
        next_item(b, &of_b, &y);
    }
    while (next_item(a, &of_a, &x)) {
        if (!next_item(b, &of_b, &y) || !same_text(a, x, b, y)) {
            return 0;
        }
    }
    return 1;
}

static int list_size(const scene *s, const char *list) { return (int)json_array_size(json_object_get(s->json, list)); }

/* Both texts are the same but for the still that comes before the animations, where there are some: one more animation, its
 * accessors, a view, and its values behind all others. */
static void same_but_still(const scene *a, const scene *b) {
    static const char *const lists[] = {"animations", "accessors", "bufferViews"};
    const char *key;
    json_t *value;
    const int stills = list_size(a, "animations") > 0;
    json_object_foreach(a->json, key, value) {
        int grows = strcmp(key, "nodes") == 0 || strcmp(key, "buffers") == 0;
        lbio_span x, y;
        for (int i = 0; i < 3; i++) {
            grows |= strcmp(key, lists[i]) == 0;
        }
        CHECK(grows || (find_member(a, key, &x) && find_member(b, key, &y) && same_text(a, x, b, y)));
    }
    for (int i = 0; i < 3; i++) {
        const int more = list_size(b, lists[i]) - list_size(a, lists[i]);
        CHECK(i == 1 ? (more > 0) == stills : more == stills);
        CHECK(same_items(a, b, lists[i], i == 0 ? stills : 0));
    }
    CHECK(stills ? b->bin_size >= a->bin_size : b->bin_size == a->bin_size);
    CHECK(!a->bin || memcmp(a->bin, b->bin, a->bin_size) == 0);
}

/* Each node is the same but for its place, and all else in the file. */
static void same_but_places(const scene *a, const scene *b) {
    static const char *const kept[] = {"name",   "children", "mesh",       "skin",  "scale",
                                       "camera", "weights",  "extensions", "extras"};
    lbio_span na, nb, ia, ib, va, vb;
    lbio_span ra = lbio_json_root_span(a->text, a->text_size), rb = lbio_json_root_span(b->text, b->text_size);
    REQUIRE(lbio_json_member_span(a->text, a->text_size, ra, "nodes", &na, NULL));
    REQUIRE(lbio_json_member_span(b->text, b->text_size, rb, "nodes", &nb, NULL));
    same_but_still(a, b);
    for (int i = 0; i < a->node_count; i++) {
        REQUIRE(next_item(a, &na, &ia) && next_item(b, &nb, &ib));
        for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) {
            int has = lbio_json_member_span(a->text, a->text_size, ia, kept[k], &va, NULL);
            CHECK_INT(lbio_json_member_span(b->text, b->text_size, ib, kept[k], &vb, NULL), has);
            CHECK(!has || (va.end - va.begin == vb.end - vb.begin &&
                           memcmp(a->text + va.begin, b->text + vb.begin, va.end - va.begin) == 0));
        }
    }
}

/* Who plays the first animation sees the pose, at any time. */
static void check_still(scene *s, const lb_figure *figure, const double *pose, int faces_back) {
    const json_t *first = json_array_get(json_object_get(s->json, "animations"), 0);
    if (first && s->bin) {
        CHECK_TEXT(json_string_value(json_object_get(first, "name")), "limber pose");
        for (int k = 0; k <= 2; k++) {
            scene_place(s, 0, 0.5 * k);
            CHECK_NEAR(distance(s, figure, pose, faces_back), 0, 1e-6);
        }
        scene_place(s, -1, 0);
    }
}

/* A pose over a pose: one still, and the file does not grow. */
static void check_again(const char *path, const lb_figure *figure, const scene *once, double *pose, int faces_back) {
    char out[512];
    scene twice;
    const char *ending = strrchr(path, '.');
    check_scratch(strcmp(ending, ".gltf") == 0 ? "again.gltf" : "again.glb", out, sizeof out);
    disturb(figure, pose, -0.3, 0.1 * scene_size(once));
    REQUIRE(lb_gltf_save_pose(path, figure, pose, out, NULL, NULL) == LB_OK);
    REQUIRE(scene_open(&twice, out));
    static const char *const lists[] = {"animations", "accessors", "bufferViews", "buffers"};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(list_size(&twice, lists[i]), list_size(once, lists[i]));
    }
    CHECK_INT(twice.bin_size, once->bin_size);
    CHECK_NEAR(distance(&twice, figure, pose, faces_back), 0, 1e-6);
    check_still(&twice, figure, pose, faces_back);
    scene_close(&twice);
}

static void check_pose(const char *path, const lb_figure *figure, scene *before, int faces_back) {
    char out[512];
    lb_error error;
    double *pose = rest_of(figure);
    const char *ending = strrchr(path, '.');
    check_scratch(strcmp(ending, ".gltf") == 0 ? "posed.gltf" : "posed.glb", out, sizeof out);
    CHECK_NEAR(distance(before, figure, pose, faces_back), 0, 1e-9);

    /* as it is: the same bytes */
    REQUIRE(lb_gltf_save_pose(path, figure, pose, out, NULL, &error) == LB_OK);
    size_t size = 0;
    char *same = check_read_file(out, &size);
    CHECK(size == before->size && memcmp(same, before->file, size) == 0);
    free(same);

    /* in another pose: everything else as it was, the joints where the figure has them. Scales of 1 +- 1e-5 along
     * single axes, as exporters leave them, bend by that much. */
    scene after;
    disturb(figure, pose, 0.4, 0.1 * scene_size(before));
    REQUIRE(lb_gltf_save_pose(path, figure, pose, out, NULL, &error) == LB_OK);
    REQUIRE(scene_open(&after, out));
    same_but_places(before, &after);
    CHECK_NEAR(distance(&after, figure, pose, faces_back), 0, 1e-6);
    check_still(&after, figure, pose, faces_back);

    /* and read again: the new rest */
    lb_figure *again = NULL;
    char beside[512];
    snprintf(beside, sizeof beside, "%s", out);
    if (strcmp(ending, ".gltf") != 0 || before->bin) {
        REQUIRE(lb_figure_load(out, NULL, &again, &error) == LB_OK);
        double *rest = rest_of(again);
        CHECK_NEAR(distance(&after, again, rest, faces_back), 0, 1e-9);
        free(rest);
        lb_figure_destroy(again);
        check_again(out, figure, &after, pose, faces_back);
    }
    scene_close(&after);
    free(pose);
}

/* An animation: at frames as the matrices have it; written into the file under another name and read again. */
static void check_animation(const char *path, scene *before, int number, int faces_back) {
    lb_load_options options;
    lb_figure *figure = NULL, *again_figure = NULL;
    lb_clip *clip = NULL, *again = NULL;
    lb_error error;
    char text[16], out[512];
    lb_load_options_defaults(&options);
    snprintf(text, sizeof text, "%d", number);
    options.animation = text;
    lb_status status = lb_clip_load(path, &options, &figure, &clip, &error);
    check_note("%s, animation %d: %s", path, number, status ? error.message : "");
    REQUIRE(status == LB_OK);
    int frames = lb_clip_frame_count(clip), step = frames > 6 ? frames / 6 : 1;
    const json_t *animation = json_array_get(json_object_get(before->json, "animations"), (size_t)number);
    double start = 1e300;
    for (size_t k = 0; k < json_array_size(json_object_get(animation, "samplers")); k++) {
        int input = (int)json_integer_value(
            json_object_get(json_array_get(json_object_get(animation, "samplers"), k), "input"));
        const json_t *least =
            json_object_get(json_array_get(json_object_get(before->json, "accessors"), (size_t)input), "min");
        start = fmin(start, json_number_value(json_array_get(least, 0)));
    }
    for (int i = 0; i < frames && before->bin; i += step) {
        scene_place(before, number, start + i * lb_clip_frame_time(clip));
        CHECK_NEAR(distance(before, figure, lb_clip_const_pose(clip, i), faces_back), 0, 1e-6);
    }
    scene_place(before, -1, 0);

    check_scratch(strcmp(strrchr(path, '.'), ".gltf") == 0 ? "played.gltf" : "played.glb", out, sizeof out);
    REQUIRE(lb_gltf_save_animation(path, clip, "again \"1\"", out, NULL, &error) == LB_OK);
    options.animation = "again \"1\"";
    status = lb_clip_load(out, &options, &again_figure, &again, &error);
    check_note("%s, animation %d again: %s", path, number, status ? error.message : "");
    if (before->bin || !strstr(path, "quirks")) { /* others name a file that is not beside this one */
        REQUIRE(status == LB_OK);
        CHECK_INT(lb_figure_variable_count(again_figure), lb_figure_variable_count(figure));
        scene after;
        REQUIRE(scene_open(&after, out));
        CHECK(!before->bin || memcmp(before->bin, after.bin, before->bin_size) == 0);
        int last = (int)json_array_size(json_object_get(after.json, "animations")) - 1;
        for (int i = 0; i < frames && after.bin; i += step) {
            scene_place(&after, last, i * lb_clip_frame_time(clip));
            CHECK_NEAR(distance(&after, figure, lb_clip_const_pose(clip, i), faces_back), 0, 1e-6);
        }
        scene_close(&after);
        lb_clip_destroy(again);
        lb_figure_destroy(again_figure);
    }
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

/* A bone leads to no joint that goes wherever it likes, as hips do: once they have moved it would lead nowhere. */
static void check_bones(const lb_figure *figure) {
    for (int j = 0; j < lb_figure_joint_count(figure); j++) {
        const lb_joint *joint = lb_figure_joint(figure, j);
        const lb_site *site = lb_figure_site(figure, joint->site_a);
        int flies = lb_joint_type_dof_count(&joint->type) >= 3 && !lb_joint_type_is_angle(&joint->type, 0) &&
                    joint->rigidity[0] < 1;
        for (int k = 0; k < lb_figure_shape_count(figure) && flies; k++) {
            const lb_shape *shape = lb_figure_shape(figure, k);
            double off = 0, length = 0;
            for (int i = 0; i < 3; i++) {
                off += fabs(2 * shape->frame.position[i] - site->frame.position[i]);
                length += fabs(site->frame.position[i]);
            }
            CHECK(shape->segment != site->segment || length < 1e-9 || off > 1e-6);
        }
    }
}

static void check_file(const char *path, const char *name) {
    scene before;
    lb_figure *figure = NULL;
    lb_error error;
    check_note("%s", name);
    REQUIRE(scene_open(&before, path));
    int faces_back = json_object_get(json_object_get(before.json, "extensions"), "VRM") != NULL;
    lb_status status = lb_figure_load(path, NULL, &figure, &error);
    check_note("%s: %s", name, status ? error.message : "");
    REQUIRE(status == LB_OK);
    check_bones(figure);
    check_pose(path, figure, &before, faces_back);
    int count = (int)json_array_size(json_object_get(before.json, "animations"));
    for (int i = 0; i < count && i < 3; i++) {
        check_animation(path, &before, i, faces_back);
    }
    lb_figure_destroy(figure);
    scene_close(&before);
}

int main(void) {
    char path[512];
    lb_figure *figure = NULL;
    lb_error error;
    if (!check_shared("data/gltf/Fox.glb", path, sizeof path)) {
        SKIP("../shared/data/gltf is not there");
    }
    for (int i = 0; scene_files[i]; i++) {
        if (check_shared(scene_files[i], path, sizeof path)) {
            check_file(path, scene_files[i]);
        }
    }
    check_note("%s", "");
    if (check_shared("data/gltf/quirks/assimp_RecursiveNodes.gltf", path, sizeof path)) {
        CHECK_INT(lb_figure_load(path, NULL, &figure, &error), LB_ERROR_SYNTAX);
        CHECK_HAS(error.message, "inside itself");
        CHECK_INT(error.line, 14);
    }
    return check_done();
}
