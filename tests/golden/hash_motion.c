/*
 * Hashes (FNV-1a over the bits) what tracks, clips and joints give between their keys: values, rates, accelerations,
 * and the dofs that make a rotation. Prints a line for each kind, so that a difference can be read. test_determinism.sh
 * builds this with several compilers and options and asks for the same lines from all. (What a player answers is
 * the solver's: hash_solve.c.)
 */
#include <limber/motion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash;

static void hash_doubles(const double *values, int count) {
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = 0; i < (size_t)count * sizeof *values; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
}

static void require(int status, const char *what) {
    if (status >= 0) {
        return;
    }
    fprintf(stderr, "hash_motion: %s: %d\n", what, status);
    exit(1);
}

/* Numbers that look like any, without the C library's. */
static double next_number(void) {
    static uint64_t state = 7;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)state * 0x1p-63;
}

static void print_hash(const char *what, int a, int b) {
    printf("%s %d %d %016llx\n", what, a, b, (unsigned long long)hash);
    hash = 0xcbf29ce484222325u;
}

static void track(lb_track_kind kind, lb_interpolation how, lb_track_ends ends) {
    lb_track *t = lb_track_create(kind, 3, NULL, NULL);
    double value[7], rate[6], acceleration[6], time = 0;
    require(lb_track_set_ends(t, ends), "ends");
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 7; k++) {
            value[k] = next_number();
        }
        require(lb_track_set(t, time, value, how), "key");
        time += 0.6 + 0.5 * next_number();
    }
    for (double at = -0.5; at < time + 1; at += 0.037) {
        require(lb_track_sample(t, at, value, rate, acceleration), "sample");
        hash_doubles(value, lb_track_width(t));
        hash_doubles(rate, lb_track_rate_width(t));
        hash_doubles(acceleration, lb_track_rate_width(t));
    }
    lb_track_destroy(t);
}

static void dofs(const char *text) {
    lb_joint_type type;
    require(lb_joint_type_parse(text, &type, NULL), text);
    for (int i = 0; i < 200; i++) {
        double values[6], q[4];
        for (int k = 0; k < 6; k++) {
            values[k] = 4 * next_number();
        }
        for (int k = 0; k < 4; k++) {
            q[k] = next_number();
        }
        require(lb_joint_type_dofs(&type, q, values), "dofs");
        require(lb_joint_type_rotation(&type, values, q), "rotation");
        hash_doubles(values, lb_joint_type_dof_count(&type));
        hash_doubles(q, 4);
    }
}

static lb_figure *figure_with(const char *type) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_figure *figure = NULL;
    lb_joint joint;
    lb_root root;
    int sites[2];
    for (int i = 0; i < 2; i++) {
        lb_segment segment;
        lb_site site;
        lb_segment_defaults(&segment);
        segment.name = i ? "arm" : "trunk";
        lb_site_defaults(&site);
        site.segment = lb_builder_add_segment(b, &segment);
        site.name = "shoulder";
        sites[i] = lb_builder_add_site(b, &site);
    }
    lb_joint_defaults(&joint);
    joint.name = "shoulder";
    joint.site_a = sites[0];
    joint.site_b = sites[1];
    require(lb_joint_type_parse(type, &joint.type, NULL), type);
    lb_builder_add_joint(b, &joint);
    lb_root_defaults(&root);
    root.is_free = 1;
    lb_builder_set_root(b, &root);
    require(lb_builder_finish(b, &figure), "figure");
    lb_builder_destroy(b);
    return figure;
}

static void clip(const char *type, lb_interpolation how) {
    lb_figure *figure = figure_with(type);
    lb_clip *c = lb_clip_create(figure, 40, 0.04, NULL);
    double pose[16], rate[16], acceleration[16];
    int count = lb_figure_variable_count(figure);
    for (int f = 0; f < 40; f++) {
        for (int i = 0; i < count; i++) {
            lb_clip_pose(c, f)[i] = (f ? lb_clip_pose(c, f - 1)[i] : 0) + 0.2 * next_number();
        }
    }
    for (double at = 0.01; at < 1.5; at += 0.0317) {
        require(lb_clip_sample(c, at, how, pose, rate, acceleration), "sample");
        hash_doubles(pose, count);
        hash_doubles(rate, count);
        hash_doubles(acceleration, count);
    }
    lb_clip_destroy(c);
    lb_figure_destroy(figure);
}

int main(void) {
    static const char *const types[] = {"R(z)*R(x)*R(y)", "R(z)*R(x)*R(z)", "swing_twist(z)", "rotation", "R(x)*R(z)"};
    hash = 0xcbf29ce484222325u;
    for (int kind = LB_TRACK_VALUES; kind <= LB_TRACK_FRAME; kind++) {
        for (int how = LB_INTERPOLATION_STEP; how <= LB_INTERPOLATION_CUBIC; how++) {
            for (int ends = LB_TRACK_ENDS_NATURAL; ends <= LB_TRACK_ENDS_PERIODIC; ends++) {
                track((lb_track_kind)kind, (lb_interpolation)how, (lb_track_ends)ends);
            }
            print_hash("track", kind, how);
        }
    }
    for (int i = 0; i < 5; i++) {
        dofs(types[i]);
        print_hash("dofs", i, 0);
        for (int how = LB_INTERPOLATION_LINEAR; how <= LB_INTERPOLATION_CUBIC; how++) {
            clip(types[i], (lb_interpolation)how);
        }
        print_hash("clip", i, 0);
    }
    return 0;
}
