/* Goals on clips: clips, goals and keys of weight made at random, on people, bodies, robots and figures of any kind. Where a
 * goal's weight is full it is met to a hundredth of a millimetre; where there is none the pose is the clip's; in between
 * nothing moves faster than the ease explains; limits hold; what a goal has no need of stays with the clip. */
#include <limber/body.h>
#include <limber/io.h>
#include <limber/motion.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "property.h"
#include "random_figure.h"

#define MOST_VARIABLES 200
#define STEP (1.0 / 120)
#define END 1.6
#define GOALS_MOST 2

enum { MET, SAME, SMOOTH, LIMITS, STAYS, PLAYED, COUNT };
static property properties[COUNT] = {
    [MET] = {.name = "a goal whose weight is full is met to 0.01 mm"},
    [SAME] = {.name = "without weight the pose is the clip's"},
    /* where two ways to give way are as short as each other, as at a singularity of a wrist, the pose goes over at once: in 1 of 320
     * cases, each of which is looked at 190 times */
    [SMOOTH] = {.name = "nothing moves faster than the ease explains", .share = 5e-5},
    [LIMITS] = {.name = "limits hold"},
    [STAYS] = {.name = "what no goal needs stays with the clip"},
    [PLAYED] = {.name = "a motion is played"},
};

typedef struct goal {
    int segment;
    double point[3];
    int is_frame; /* else a point */
    double times[4];
    double full;
    int id;
} goal;

typedef struct play {
    const lb_figure *figure;
    int variables, is_body;
    lb_kinematics *kinematics;
    lb_clip *clip;
    double shift[MOST_VARIABLES]; /* what the goals ask for is the clip with this */
    goal goals[GOALS_MOST];
    int goal_count;
    lb_problem *problem;
    lb_motion *motion;
} play;

static lb_figure *human, *panda, *ur5;

/* The clip's pose at a time, inside the limits. */
static void clip_pose(play *p, double time, double *pose) {
    REQUIRE(lb_clip_sample(p->clip, time, LB_INTERPOLATION_CUBIC, pose, NULL, NULL) == LB_OK);
    REQUIRE(lb_kinematics_project(p->kinematics, pose) == LB_OK);
}

/* A clip that goes from one random pose to the next, each not far from rest. */
static void make_clip(play *p, uint64_t *seed) {
    const int frames = 49, keys = 4;
    static double at[4][MOST_VARIABLES];
    const double share = random_between(seed, 0.1, 0.4);
    for (int k = 0; k < keys; k++) {
        double rest[MOST_VARIABLES];
        lb_figure_rest_pose(p->figure, rest);
        random_smooth_pose(p->figure, seed, at[k]);
        for (int v = 0; v < p->variables; v++) {
            at[k][v] = rest[v] + share * (at[k][v] - rest[v]);
        }
        REQUIRE(lb_kinematics_project(p->kinematics, at[k]) == LB_OK);
    }
    p->clip = lb_clip_create(p->figure, frames, END / (frames - 1), NULL);
    for (int f = 0; f < frames; f++) {
        const double t = (keys - 1) * (double)f / frames, part = t - floor(t), s = part * part * (3 - 2 * part);
        for (int v = 0; v < p->variables; v++) {
            lb_clip_pose(p->clip, f)[v] = (1 - s) * at[(int)t][v] + s * at[(int)t + 1][v];
        }
    }
}

/* Whether a variable moves the whole figure: its root's, or those of a joint at the root that may go anywhere. */
static int moves_whole(const lb_figure *f, int variable) {
    const lb_dof_ref *ref = &lb_figure_variable(f, variable)->ref;
    const lb_joint *joint = ref->joint >= 0 ? lb_figure_joint(f, ref->joint) : NULL;
    const int root = lb_figure_root(f)->segment;
    if (lb_figure_root(f)->is_free && variable < 6) {
        return 1;
    }
    return joint && lb_joint_type_dof_count(&joint->type) == 6 &&
           (lb_figure_site(f, joint->site_a)->segment == root || lb_figure_site(f, joint->site_b)->segment == root);
}

/* Whether a joint is on the way from a segment to the root. */
static int is_on_way(const lb_figure *f, int segment, int joint) {
    for (; segment >= 0; segment = lb_figure_parent_segment(f, segment)) {
        if (lb_figure_parent_joint(f, segment) == joint) {
            return 1;
        }
    }
    return 0;
}

static int has_chain(const play *p, int segment) {
    int count = 0;
    for (int v = 0; v < p->variables; v++) {
        const lb_dof_ref *ref = &lb_figure_variable(p->figure, v)->ref;
        count += ref->joint >= 0 && is_on_way(p->figure, segment, ref->joint);
    }
    return count >= 3;
}

static void asked_pose(play *p, double time, double *pose) {
    clip_pose(p, time, pose);
    for (int v = 0; v < p->variables; v++) {
        pose[v] += p->shift[v];
    }
    REQUIRE(lb_kinematics_project(p->kinematics, pose) == LB_OK);
}

static void place(play *p, const goal *g, const double *pose, lb_frame *frame_w) {
    REQUIRE(lb_kinematics_update(p->kinematics, pose) == LB_OK);
    lb_kinematics_segment(p->kinematics, g->segment, frame_w);
    lb_frame point;
    lb_frame_identity(&point);
    memcpy(point.position, g->point, sizeof point.position);
    lb_frame_multiply(frame_w, &point, frame_w);
}

static void add_goal(play *p, uint64_t *seed) {
    goal *g = &p->goals[p->goal_count];
    int segments = lb_figure_segment_count(p->figure);
    for (int tries = 0; tries < 30; tries++) {
        g->segment = random_below(seed, segments);
        if (has_chain(p, g->segment)) {
            break;
        }
        g->segment = -1;
    }
    if (g->segment < 0) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        g->point[i] = random_between(seed, -0.05, 0.05);
    }
    g->is_frame = random_below(seed, 4) == 0;
    g->times[0] = random_between(seed, 0.05, 0.3);
    g->times[1] = g->times[0] + random_between(seed, 0.2, 0.4);
    g->times[2] = g->times[1] + random_between(seed, 0.05, 0.3);
    g->times[3] = g->times[2] + random_between(seed, 0.2, 0.4);
    g->full = random_below(seed, 2) ? 1 : random_between(seed, 0.1, 10);
    lb_constraint c;
    lb_constraint_defaults(&c);
    REQUIRE(lb_effector_from_segment(p->figure, g->segment, &c.effector) == LB_OK);
    memcpy(c.effector.point, g->point, sizeof g->point);
    c.goal.kind = g->is_frame ? LB_GOAL_FRAME : LB_GOAL_POSITION;
    c.weight = g->full;
    g->id = lb_problem_add(p->problem, &c);
    REQUIRE(g->id >= 0);
    p->goal_count++;
}

static void drive_goal(play *p, const goal *g, lb_interpolation way) {
    lb_track *weight = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
    lb_track *frame = lb_track_create(LB_TRACK_FRAME, 0, NULL, NULL);
    for (int k = 0; k < 4; k++) {
        const double value = k == 1 || k == 2 ? g->full : 0;
        lb_track_set(weight, g->times[k], &value, way);
    }
    for (int k = 0; k * STEP < END; k++) {
        double pose[MOST_VARIABLES];
        lb_frame at;
        asked_pose(p, k * STEP, pose);
        place(p, g, pose, &at);
        double value[7];
        memcpy(value, at.position, sizeof at.position);
        memcpy(value + 3, at.rotation, sizeof at.rotation);
        lb_track_set(frame, k * STEP, value, LB_INTERPOLATION_LINEAR);
    }
    REQUIRE(lb_motion_drive(p->motion, LB_DRIVE_TARGET_WEIGHT, g->id, weight) == LB_OK);
    REQUIRE(lb_motion_drive(p->motion, LB_DRIVE_TARGET_GOAL, g->id, frame) == LB_OK);
    lb_track_destroy(weight);
    lb_track_destroy(frame);
}

/* The share of a goal's weight at a time: 0 before and after, 1 where it is full. */
static double share_at(const goal *g, double time) {
    const double tiny = 1e-9;
    if (time <= g->times[0] + tiny || time >= g->times[3] - tiny) {
        return 0;
    }
    return time >= g->times[1] - tiny && time <= g->times[2] + tiny ? 1 : 0.5;
}

/* Whether a variable may move at a time: it is on the way of a goal that has weight, and not the root's. */
static int is_needed(const play *p, int variable, double time) {
    const lb_dof_ref *ref = &lb_figure_variable(p->figure, variable)->ref;
    if (moves_whole(p->figure, variable)) {
        return 0;
    }
    for (int i = 0; i < p->goal_count; i++) {
        const int is_on = share_at(&p->goals[i], time) > 0;
        if (is_on && (ref->joint < 0 || is_on_way(p->figure, p->goals[i].segment, ref->joint))) {
            return 1;
        }
    }
    return 0;
}

static void check_misses(play *p, double time, const double *pose) {
    for (int i = 0; i < p->goal_count; i++) {
        const goal *g = &p->goals[i];
        if (share_at(g, time) < 1) {
            continue;
        }
        double asked[MOST_VARIABLES], turn = 0, miss = 0;
        lb_frame is, wanted;
        asked_pose(p, time, asked);
        place(p, g, asked, &wanted);
        place(p, g, pose, &is);
        for (int k = 0; k < 3; k++) {
            miss += (is.position[k] - wanted.position[k]) * (is.position[k] - wanted.position[k]);
        }
        for (int k = 0; k < 4; k++) {
            turn += is.rotation[k] * wanted.rotation[k];
        }
        turn = g->is_frame ? 2 * sqrt(fmax(0, 1 - turn * turn)) : 0;
        property_expect(&properties[MET], sqrt(miss) <= 1e-5 && turn <= 1e-4,
                        "segment %d at %.3f s: off by %g m, %g rad", g->segment, time, sqrt(miss), turn);
    }
}

static void check_motion(play *p) {
    static double pose[MOST_VARIABLES], clip[MOST_VARIABLES], off[200][MOST_VARIABLES];
    double most = 0, clip_step = 0, before[MOST_VARIABLES];
    int count = 0;
    lb_error error;
    lb_player *player = lb_player_create(p->motion, NULL, &error);
    REQUIRE(player != NULL);
    for (double time = 0; count * STEP < END - 0.01; time = ++count * STEP) {
        if (!property_expect(&properties[PLAYED], lb_player_pose(player, time, pose, NULL) == LB_OK, "%.3f s: %s", time,
                             lb_player_error(player)->message)) {
            break;
        }
        clip_pose(p, time, clip);
        int is_on = 0;
        for (int i = 0; i < p->goal_count; i++) {
            is_on |= share_at(&p->goals[i], time) > 0;
        }
        for (int v = 0; v < p->variables; v++) {
            off[count][v] = pose[v] - clip[v];
            most = fmax(most, fabs(off[count][v]));
            clip_step = count ? fmax(clip_step, fabs(clip[v] - before[v])) : 0;
            before[v] = clip[v];
            if (!is_on) {
                property_expect(&properties[SAME], fabs(off[count][v]) <= 1e-9, "variable %d at %.3f s: off by %g", v,
                                time, off[count][v]);
            } else if (!is_needed(p, v, time)) {
                property_expect(&properties[STAYS], fabs(off[count][v]) <= 1e-9, "variable %d at %.3f s: off by %g", v,
                                time, off[count][v]);
            }
        }
        check_misses(p, time, pose);
        property_expect(&properties[LIMITS], lb_figure_violation(p->figure, pose) <= 1e-9, "%.3f s: %g over", time,
                        lb_figure_violation(p->figure, pose));
    }
    for (int k = 1; k < count; k++) {
        double step = 0;
        for (int v = 0; v < p->variables; v++) {
            step = fmax(step, fabs(off[k][v] - off[k - 1][v]));
        }
        if (property_is_replay()) {
            printf("%.4f s: step %g\n", k * STEP, step);
        }
        /* an ease of 0.2 s is 24 steps, the largest of which is about three times the mean */
        property_expect(&properties[SMOOTH], step <= 0.16 * most + 4 * clip_step + 1e-6,
                        "at %.3f s a step of %g: %g in all, and the clip's largest is %g", k * STEP, step, most,
                        clip_step);
    }
    lb_player_destroy(player);
}

static void run(long number, uint64_t seed) {
    play p = {0};
    lb_figure *made = NULL;
    const int kind = (int)(number % 5);
    random_options options = {.segments = 4 + random_below(&seed, 6),
                              .with_groups = random_below(&seed, 2),
                              .with_limits = 1,
                              .first_kind = random_below(&seed, RANDOM_KINDS)};
    p.figure = kind <= 1 ? human : kind == 2 ? panda : kind == 3 ? ur5 : (made = random_figure(&seed, &options));
    p.is_body = kind == 1;
    p.variables = lb_figure_variable_count(p.figure);
    p.kinematics = lb_kinematics_create(p.figure, NULL);
    REQUIRE(p.variables <= MOST_VARIABLES && p.kinematics);
    make_clip(&p, &seed);
    p.problem = lb_problem_create(p.figure, NULL);
    if (p.is_body) {
        REQUIRE(lb_problem_set_body(p.problem, 0, NULL) == LB_OK);
    }
    const double size = random_between(&seed, 0.02, 0.2);
    for (int v = 0; v < p.variables; v++) {
        p.shift[v] = moves_whole(p.figure, v) ? 0 : random_between(&seed, -size, size);
    }
    const int wanted = 1 + random_below(&seed, GOALS_MOST);
    for (int i = 0; i < wanted; i++) {
        add_goal(&p, &seed);
    }
    for (int v = 0; v < p.variables; v++) { /* limits may tie what goals move to what they do not */
        const int joint = lb_figure_variable(p.figure, v)->ref.joint;
        int is_moved = joint < 0;
        for (int i = 0; i < p.goal_count; i++) {
            is_moved |= joint >= 0 && is_on_way(p.figure, p.goals[i].segment, joint);
        }
        p.shift[v] = is_moved && lb_figure_variable(p.figure, v)->rigidity < 1 ? p.shift[v] : 0;
    }
    double start[MOST_VARIABLES];
    lb_figure_rest_pose(p.figure, start);
    p.motion = lb_motion_create(p.problem, start, NULL);
    REQUIRE(lb_motion_drive_clip(p.motion, 0, p.clip, 0, LB_INTERPOLATION_CUBIC) == LB_OK);
    for (int i = 0; i < p.goal_count; i++) {
        drive_goal(&p, &p.goals[i], random_below(&seed, 2) ? LB_INTERPOLATION_LINEAR : LB_INTERPOLATION_CATMULL_ROM);
    }
    check_motion(&p);
    lb_motion_destroy(p.motion);
    lb_problem_destroy(p.problem);
    lb_clip_destroy(p.clip);
    lb_kinematics_destroy(p.kinematics);
    lb_figure_destroy(made);
}

static lb_figure *load(const char *name) {
    char path[1024];
    lb_figure *figure = NULL;
    REQUIRE(check_source(name, path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    return figure;
}

int main(int argc, char **argv) {
    human = load("models/human.fig");
    panda = load("models/panda.fig");
    ur5 = load("models/ur5.fig");
    const int failed = property_main(argc, argv, 40, 2000, run, properties, COUNT);
    lb_figure_destroy(human);
    lb_figure_destroy(panda);
    lb_figure_destroy(ur5);
    return failed;
}
