/*
 * Out of memory while a motion is made and played: the N-th allocation fails, for N = 0, 1, 2, ... until none is left
 * to fail; in two ways, as in test_oom_solve.c: all from there on, or that one alone and the call is made again.
 */
#include <limber/motion.h>
#include <string.h>

#include "retry.h"

/* An arm of two links, or a thing that can be carried; made before anything fails. */
static lb_figure *make_figure(const lb_allocator *allocator, int is_thing) {
    lb_builder *b = lb_builder_create(allocator, NULL);
    int last = -1;
    REQUIRE(b != NULL);
    for (int i = 0; i < (is_thing ? 1 : 3); i++) {
        static const char *const names[] = {"base", "upper", "lower"}, *const joints[] = {"", "shoulder", "elbow"};
        lb_segment segment;
        lb_site site;
        lb_joint joint;
        lb_segment_defaults(&segment);
        segment.name = is_thing ? "thing" : names[i];
        lb_site_defaults(&site);
        site.segment = lb_builder_add_segment(b, &segment);
        site.name = "begin";
        int begin = lb_builder_add_site(b, &site);
        site.name = "end";
        site.frame.position[0] = i ? 0.4 : 0;
        int end = lb_builder_add_site(b, &site);
        if (i) {
            lb_joint_defaults(&joint);
            joint.name = joints[i];
            joint.site_a = last;
            joint.site_b = begin;
            lb_joint_type_parse(i == 1 ? "R(z)*R(y)*R(x)" : "R(y)", &joint.type, NULL);
            REQUIRE(lb_builder_add_joint(b, &joint) >= 0);
        }
        last = end;
    }
    lb_root root;
    lb_root_defaults(&root);
    root.is_free = is_thing;
    lb_builder_set_root(b, &root);
    lb_builder_set_name(b, is_thing ? "thing" : "arm");
    lb_figure *figure = NULL;
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

typedef struct objects {
    lb_figure *arm, *thing;
    lb_problem *problem;
    int id;
    lb_track *path, *turn, *limits, *weight;
    lb_motion *motion;
    lb_player *player;
    lb_clip *clip, *other;
    lb_kinematics *kinematics;
} objects;

static void make_tracks(run *r, objects *o) {
    const lb_allocator *a = &r->memory.allocator;
    TRY_NEW(r, o->path, lb_track_create(LB_TRACK_FRAME, 0, a, NULL));
    TRY_NEW(r, o->turn, lb_track_create(LB_TRACK_ROTATION, 0, a, NULL));
    TRY_NEW(r, o->limits, lb_track_create(LB_TRACK_VALUES, 2, a, NULL));
    TRY_NEW(r, o->weight, lb_track_create(LB_TRACK_VALUES, 1, a, NULL));
    for (int i = 0; i < 12; i++) {
        const double frame[7] = {0.5, 0.1 + 0.02 * i, 0.2, 0, 0.1 * i, 0, 1}, range[2] = {-2, 2 - 0.1 * i}, one = 1;
        TRY(r, lb_track_set(o->path, 0.02 * i, frame, LB_INTERPOLATION_CUBIC));
        TRY(r, lb_track_set(o->turn, 0.02 * i, frame + 3, LB_INTERPOLATION_CUBIC));
        TRY(r, lb_track_set(o->limits, 0.02 * i, range, LB_INTERPOLATION_LINEAR));
        TRY(r, lb_track_set(o->weight, 0.02 * i, &one, LB_INTERPOLATION_STEP));
    }
    double value[7];
    TRY(r, lb_track_sample(o->path, 0.03, value, NULL, NULL));
    hash_doubles(r, value, 7);
}

static void play(run *r, objects *o) {
    double pose[16] = {0.1, -0.3, 0.1, 0.8}, rate[16], velocity[6];
    lb_result result;
    lb_result_defaults(&result);
    TRY_NEW(r, o->motion, lb_motion_create(o->problem, pose, NULL));
    TRY(r, lb_motion_drive(o->motion, LB_DRIVE_TARGET_GOAL, o->id, o->path));
    TRY(r, lb_motion_drive(o->motion, LB_DRIVE_TARGET_ROOT, 1, o->path));
    TRY(r, lb_motion_drive(o->motion, LB_DRIVE_TARGET_LIMITS, 3, o->limits));
    TRY(r, lb_motion_follow(o->motion, o->id, 1, 1, o->weight));
    TRY(r, lb_motion_carry(o->motion, 1, 0, 2, 0.05, 0.1));
    TRY(r, lb_motion_stage(o->motion, 0.15, o->problem));
    TRY(r, lb_motion_drive(o->motion, LB_DRIVE_TARGET_JOINT, 0, o->turn));
    TRY_NEW(r, o->player, lb_player_create(o->motion, NULL, NULL));
    TRY(r, lb_player_pose(o->player, 0.2, pose, &result));
    hash_doubles(r, pose, 10);
    TRY(r, lb_player_rates(o->player, 0.07, rate, NULL));
    hash_doubles(r, rate, 10);
    TRY(r, lb_player_site(o->player, 0.01, 0, 3, NULL, velocity, NULL));
    hash_doubles(r, velocity, 6);
    TRY_NEW(r, o->clip, lb_player_clip(o->player, 0, 0, 0.05));
    TRY_NEW(r, o->other, lb_clip_resample(o->clip, 0.03, LB_INTERPOLATION_CUBIC, NULL));
    hash_doubles(r, lb_clip_pose(o->other, 2), 4);
    TRY_NEW(r, o->kinematics, lb_kinematics_create(o->arm, NULL));
    lb_effector effector;
    lb_effector_from_site(o->arm, 3, &effector);
    TRY(r, lb_effector_motion(o->kinematics, &effector, lb_clip_pose(o->clip, 1), rate, rate, velocity, velocity));
    hash_doubles(r, velocity, 6);
}

/* Runs it with the N-th allocation from here failing; returns whether there was an N-th. */
static int run_with(run *r, const objects *made, long fail_at, int fail_after) {
    objects o = *made;
    long blocks = r->memory.blocks;
    r->memory.fail_at = fail_at < 0 ? -1 : r->memory.count + fail_at;
    r->memory.fail_after = fail_after;
    r->memory.failed = 0;
    r->may_retry = !fail_after;
    r->stopped = 0;
    r->hash = 0xcbf29ce484222325ull;
    check_note("allocation %ld, %s", fail_at, fail_after ? "stop" : "retry");
    make_tracks(r, &o);
    if (!r->stopped) {
        play(r, &o);
    }
    lb_kinematics_destroy(o.kinematics);
    lb_clip_destroy(o.other);
    lb_clip_destroy(o.clip);
    lb_player_destroy(o.player);
    lb_motion_destroy(o.motion);
    lb_track_destroy(o.path);
    lb_track_destroy(o.turn);
    lb_track_destroy(o.limits);
    lb_track_destroy(o.weight);
    CHECK_INT(r->memory.blocks, blocks);
    CHECK_INT(r->memory.mistakes, 0);
    r->memory.fail_at = -1;
    return r->memory.failed > 0;
}

int main(void) {
    static run r; /* the figures' allocator stays where it is */
    failing_init(&r.memory, -1, 0);
    objects o = {make_figure(&r.memory.allocator, 0),
                 make_figure(&r.memory.allocator, 1),
                 NULL,
                 0,
                 NULL,
                 NULL,
                 NULL,
                 NULL,
                 NULL,
                 NULL,
                 NULL,
                 NULL,
                 NULL};
    lb_constraint c;
    const double point[3] = {0.5, 0.1, 0.2};
    o.problem = lb_problem_create(o.arm, NULL);
    lb_problem_add_figure(o.problem, o.thing);
    CHECK_INT(lb_constraint_at(o.arm, "lower.end", point, &c), LB_OK);
    o.id = lb_problem_add(o.problem, &c);
    REQUIRE(o.id > 0);
    CHECK(!run_with(&r, &o, -1, 0));
    CHECK(!r.stopped);
    uint64_t expected = r.hash;
    long n = 0;
    for (; run_with(&r, &o, n, 1); n++) {
        CHECK(r.stopped);
    }
    CHECK(n > 100);
    printf("%ld allocations, each failed in two ways\n", n);
    for (n = 0; run_with(&r, &o, n, 0); n++) {
        CHECK(!r.stopped);
        CHECK(r.hash == expected);
    }
    check_note("%s", "");
    lb_problem_destroy(o.problem);
    lb_figure_destroy(o.arm);
    lb_figure_destroy(o.thing);
    CHECK_INT(r.memory.blocks, 0);
    return check_done();
}
