/* Scripts whose linkages change: made at random, with roots that stand, move and change, joints that connect linkages, close
 * loops, come off and come back, objects that are held and let go, reaches whose chains break. No link jumps where linkages
 * change, and what a change drops is said. */
#include <limber/io.h>
#include <limber/motion.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "property.h"

#define MOST_LINKS 4
#define MOST_CHAINS 3
#define MOST_TEXT 65536
#define MOST_TIMES 200
#define MOST_VARIABLES 1024
#define NAME 40

enum { READ, CONTINUOUS, ROOT_SAID, REACH_SAID, COUNT };
static property properties[COUNT] = {
    [READ] = {.name = "a script is read and played"},
    [CONTINUOUS] = {.name = "no link jumps where linkages change"},
    [ROOT_SAID] = {.name = "a root that does not hold is said"},
    [REACH_SAID] = {.name = "a reach that ends is said"},
};

/* --- Scripts at random ---------------------------------------------------------------------------------- */

typedef struct script {
    check_random random;
    char text[MOST_TEXT];
    size_t size;
    int chains, links[MOST_CHAINS], roots[MOST_CHAINS], loose;
    double later[MOST_CHAINS]; /* when a linkage's root changes, and to which link */
    int later_roots[MOST_CHAINS];
    double times[MOST_TIMES]; /* at which linkages change */
    int time_count;
    char said[MOST_TEXT]; /* all warnings of its reading */
    size_t said_size;
} script;

static void add(script *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(script *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    s->size += (size_t)vsnprintf(s->text + s->size, sizeof s->text - s->size, format, arguments);
    va_end(arguments);
    REQUIRE(s->size < sizeof s->text);
}

static double between(script *s, double low, double high) { return check_random_range(&s->random, low, high); }
static int one_of(script *s, int count) { return check_random_index(&s->random, count); }
static int happens(script *s, double share) { return between(s, 0, 1) < share; }

static double change_time(script *s, double from) {
    double time = floor(between(s, from, from + 2) * 705600000 + 1) / 705600000; /* whole ticks */
    REQUIRE(s->time_count < MOST_TIMES);
    return s->times[s->time_count++] = time;
}

static void add_object(script *s, const char *name, double x, double y, double z, double most) {
    add(s, "template (%s) cube; change (%s) scale <0, {0.1, 0.2, 0.1}>, translate <0, {%.3f, %.3f, %.3f}>", name, name,
        x, y, z);
    if (happens(s, most)) { /* it moves by itself */
        add(s, ", rotate <0, {{0, 0, 1}, 0}> <5, {{0, 0, 1}, %.1f}>", between(s, -90, 90));
        add(s, ", translate <0, {0, 0, 0}> <%.2f, {%.2f, %.2f, %.2f}> <5, {0, 0, 0.5}>", between(s, 1, 3),
            between(s, -1, 1), between(s, -1, 1), between(s, -1, 1));
    }
    add(s, ";\n");
}

/* A joint of any type, perhaps limited, perhaps turned or shifted by the script. */
static void add_joint(script *s, const char *name, const char *link1, const char *link2, const double *place,
                      int may_be_fixed) {
    static const char *const types[] = {"PIN", "BALL", "SLIDING", "UNIVERSAL", "CYLINDRICAL", "FIXED"};
    int type = one_of(s, may_be_fixed ? 6 : 5), axis = one_of(s, 3);
    const char letter = "xyz"[axis];
    add(s, "template (%s) joint; change (%s) set_field <0, {\"joint_type\", %s}>", name, name, types[type]);
    add(s, ", set_field <0, {\"link1\", \"%s\"}>, set_field <0, {\"link2\", \"%s\"}>", link1, link2);
    if (place) {
        add(s, ", translate <0, {%.3f, %.3f, %.3f}>", place[0], place[1], place[2]);
    }
    if (type == 0 || type == 4) {
        add(s, ", set_field <0, {\"limit_rot_%c\", {%.1f, %.1f}}>", letter, between(s, -120, 30), between(s, 40, 120));
    }
    if (type == 2 || type == 4) {
        add(s, ", set_field <0, {\"limit_trans_%c\", {%.2f, %.2f}}>", letter, between(s, -0.5, 0.1),
            between(s, 0.2, 0.5));
    }
    if (happens(s, 0.6) && type != 3 && type != 5) {
        int turns = type != 2 && (type != 4 || happens(s, 0.5));
        add(s, ", set_field");
        for (double t = between(s, 0, 1); t < 6; t += between(s, 0.5, 3)) {
            const double size = turns ? between(s, -150, 150) : between(s, -0.6, 0.6);
            if (turns) {
                add(s, " <%.2f, {\"joint_rotate\", {{%d, %d, %d}, %.1f}}%s>", t, axis == 0, axis == 1, axis == 2, size,
                    happens(s, 0.5) ? ", cubic" : "");
            } else {
                add(s, " <%.2f, {\"joint_translate\", {%.2f, %.2f, %.2f}}>", t, (axis == 0) * size, (axis == 1) * size,
                    (axis == 2) * size);
            }
        }
    }
    add(s, ";\n");
}

static void link_name(const script *s, int number, char name[NAME]) {
    for (int c = 0; c < s->chains; c++) {
        if (number < s->links[c]) {
            snprintf(name, NAME, "link%d_%d", c, number);
            return;
        }
        number -= s->links[c];
    }
    snprintf(name, NAME, "loose%d", number);
}

static void add_chain(script *s, int c) {
    char name[NAME], before[NAME];
    for (int k = 0; k < s->links[c]; k++) {
        snprintf(name, sizeof name, "link%d_%d", c, k);
        add_object(s, name, 1.3 * c, 0.5 * k, 0.1 * c, k ? 0.1 : 0.3);
    }
    for (int k = 1; k < s->links[c]; k++) {
        const double place[3] = {1.3 * c, 0.5 * k - 0.25, 0.1 * c};
        char joint[NAME];
        snprintf(joint, sizeof joint, "joint%d_%d", c, k);
        snprintf(before, sizeof before, "link%d_%d", c, k - 1);
        snprintf(name, sizeof name, "link%d_%d", c, k);
        add_joint(s, joint, before, name, place, 0);
    }
    add(s, "template (chain%d) linkage; change (chain%d) translate <0, {0, 0, 0}>", c, c);
    s->roots[c] = -1;
    s->later[c] = INFINITY;
    if (happens(s, 0.8)) {
        s->roots[c] = happens(s, 0.7) ? 0 : one_of(s, s->links[c]);
        add(s, ", set_field <0, {\"root\", \"link%d_%d\"}>", c, s->roots[c]);
    }
    if (happens(s, 0.2)) {
        s->later[c] = change_time(s, 1);
        s->later_roots[c] = one_of(s, s->links[c]);
        add(s, ", set_field <%.17g, {\"root\", \"link%d_%d\"}>", s->later[c], c, s->later_roots[c]);
    }
    for (int k = 1; k < s->links[c]; k++) {
        add(s, ", set_field <0, {\"add_joint\", \"joint%d_%d\"}>", c, k);
        if (happens(s, 0.3)) {
            const double time = change_time(s, 0.5);
            add(s, ", set_field <%.17g, {\"delete_joint\", \"joint%d_%d\"}>", time, c, k);
            if (happens(s, 0.5)) {
                add(s, ", set_field <%.17g, {\"add_joint\", \"joint%d_%d\"}>", change_time(s, time), c, k);
            }
        }
    }
    add(s, ";\n");
}

/* A joint between any two links, of any linkages, that comes late, and may go and come again. */
static void add_tie(script *s, int number, int link_count) {
    char joint[NAME], a[NAME], b[NAME];
    int first = one_of(s, link_count), second = one_of(s, link_count - 1);
    snprintf(joint, sizeof joint, "tie%d", number);
    link_name(s, first, a);
    link_name(s, second >= first ? second + 1 : second, b);
    add_joint(s, joint, a, b, NULL, 1);
    double time = 0.5;
    int chain = one_of(s, s->chains);
    for (int k = 0; k == 0 || (k < 4 && happens(s, 0.6)); k++) {
        time = change_time(s, time);
        add(s, "change (chain%d) set_field <%.17g, {\"%s_joint\", \"%s\"}>;\n", chain, time, k % 2 ? "delete" : "add",
            joint);
    }
}

static void make_script(script *s, uint64_t seed) {
    int count = 0;
    check_random_seed(&s->random, seed);
    s->chains = 1 + one_of(s, MOST_CHAINS);
    s->loose = one_of(s, 3);
    for (int c = 0; c < s->chains; c++) {
        count += s->links[c] = 2 + one_of(s, MOST_LINKS - 1);
        add_chain(s, c);
    }
    for (int i = 0; i < s->loose; i++) {
        char name[NAME];
        snprintf(name, sizeof name, "loose%d", i);
        add_object(s, name, between(s, -1, 3), between(s, -1, 2), between(s, -1, 1), 0.5);
    }
    int ties = 1 + one_of(s, 3);
    for (int i = 0; i < ties; i++) {
        add_tie(s, i, count + s->loose);
    }
    for (int c = 0; c < s->chains; c++) {
        if (s->roots[c] <= 0 && happens(s, 0.3)) {
            add(s, "change (joint%d_1) set_field <%.2f, {\"joint_reach\", {{%.2f, %.2f, %.2f}, \"link%d_%d\"}}>", c,
                between(s, 0, 3), 1.3 * c + between(s, -0.5, 0.5), between(s, -0.5, 1), between(s, -0.5, 0.5), c,
                s->links[c] - 1);
            add(s, " <6, {\"joint_reach\", {{%.2f, %.2f, %.2f}, \"link%d_%d\"}}>;\n", 1.3 * c + between(s, -0.5, 0.5),
                between(s, -0.5, 1), between(s, -0.5, 0.5), c, s->links[c] - 1);
        }
    }
}

/* --- Played ----------------------------------------------------------------------------------------------- */

static void hear(void *context, const lb_error *warning) {
    script *s = context;
    s->said_size += (size_t)snprintf(s->said + s->said_size, sizeof s->said - s->said_size, "%s\n", warning->message);
    REQUIRE(s->said_size < sizeof s->said);
}

/* Where a link of the script is in a pose of a problem. */
static int find_link(const lb_problem *problem, const double *pose, const char *name, lb_frame *frame_w) {
    for (int f = 0; f < lb_problem_figure_count(problem); f++) {
        const lb_figure *figure = lb_problem_figure(problem, f);
        const int segment = lb_figure_find_segment(figure, name);
        if (segment >= 0) {
            lb_kinematics *k = lb_kinematics_create(figure, NULL);
            REQUIRE(lb_kinematics_update(k, pose + lb_problem_first_variable(problem, f)) == LB_OK);
            lb_kinematics_segment(k, segment, frame_w);
            lb_kinematics_destroy(k);
            return 1;
        }
    }
    return 0;
}

/* When the stage began that a time belongs to, to the tick. */
static double stage_begin(const lb_player *player, double time) {
    const int stage = lb_player_stage(player, time);
    double before = 0, after = stage ? time : 0;
    while (after - before > 0.5 / 705600000) {
        const double middle = 0.5 * (before + after);
        if (lb_player_stage(player, middle) < stage) {
            before = middle;
        } else {
            after = middle;
        }
    }
    return floor(after * 705600000 + 0.5) / 705600000;
}

/* The pose in which the stage ends that comes before the one which begins at a time; returns its number. */
static int last_pose(lb_player *player, const lb_motion *motion, double time, double *pose) {
    const double before = time - 1e-6, begin = stage_begin(player, before);
    const int stage = lb_player_stage(player, before);
    const lb_problem *problem = lb_motion_problem(motion, stage);
    for (int f = 0; f < lb_problem_figure_count(problem); f++) {
        lb_clip *clip = lb_player_clip(player, stage, f, time - begin - 0.2 / 705600000);
        REQUIRE(clip && lb_clip_frame_count(clip) == 2);
        memcpy(pose + lb_problem_first_variable(problem, f), lb_clip_const_pose(clip, 1),
               (size_t)lb_figure_variable_count(lb_problem_figure(problem, f)) * sizeof *pose);
        lb_clip_destroy(clip);
    }
    return stage;
}

/* How far a link is from one pose to the next. */
static double jump_of(const lb_problem *was, const double *before, const lb_problem *is, const double *after,
                      const char *name) {
    lb_frame a, b;
    double most = 0, same = 0, other = 0;
    if (!find_link(was, before, name, &a) || !find_link(is, after, name, &b)) {
        return NAN;
    }
    for (int i = 0; i < 3; i++) {
        most = fmax(most, fabs(a.position[i] - b.position[i]));
    }
    for (int i = 0; i < 4; i++) { /* q and -q are one */
        same = fmax(same, fabs(a.rotation[i] - b.rotation[i]));
        other = fmax(other, fabs(a.rotation[i] + b.rotation[i]));
    }
    return fmax(most, fmin(same, other));
}

static void check_jumps(script *s, lb_player *player, const lb_motion *motion, int link_count) {
    static double before[MOST_VARIABLES], after[MOST_VARIABLES];
    for (int i = 0; i < s->time_count; i++) {
        const lb_problem *is = lb_motion_problem(motion, lb_player_stage(player, s->times[i]));
        const lb_problem *was = lb_motion_problem(motion, last_pose(player, motion, s->times[i], before));
        REQUIRE(lb_problem_variable_count(is) <= MOST_VARIABLES && lb_problem_variable_count(was) <= MOST_VARIABLES);
        REQUIRE(is != was && lb_player_pose(player, s->times[i], after, NULL) == LB_OK);
        for (int k = 0; k < link_count; k++) {
            char name[NAME];
            link_name(s, k, name);
            const double jump = jump_of(was, before, is, after, name);
            if (property_is_replay() && !(jump < 1e-9)) {
                printf("%s at %.17g s jumps by %g\n", name, s->times[i], jump);
            }
            property_expect(&properties[CONTINUOUS], jump < 1e-9, "%s at %.17g s jumps by %g", name, s->times[i], jump);
        }
    }
}

/* The link that a chain's linkage names as its root by then; 0: none. */
static int named_root(const script *s, int chain, double time, char name[NAME]) {
    const int root = time >= s->later[chain] ? s->later_roots[chain] : s->roots[chain];
    snprintf(name, NAME, "link%d_%d", chain, root);
    return root >= 0;
}

/* Whether a link hangs on another one. */
static int is_led(const lb_problem *problem, const char *name) {
    for (int f = 0; f < lb_problem_figure_count(problem); f++) {
        const lb_figure *figure = lb_problem_figure(problem, f);
        const int segment = lb_figure_find_segment(figure, name);
        if (segment >= 0) {
            return segment != lb_figure_root(figure)->segment;
        }
    }
    return 0;
}

/* A root is said not to hold if, and only if, it hangs on another link at some time. */
static void check_roots(script *s, const lb_player *player, const lb_motion *motion) {
    for (int c = 0; c < s->chains; c++) {
        char said[NAME + 20], name[NAME];
        int is_dropped = 0;
        for (int i = -1; i < s->time_count; i++) {
            const double time = i < 0 ? 0 : s->times[i];
            const lb_problem *problem = lb_motion_problem(motion, lb_player_stage(player, time));
            is_dropped |= named_root(s, c, time, name) && is_led(problem, name);
        }
        snprintf(said, sizeof said, "\"chain%d\" hangs on ", c);
        const int is_said = strstr(s->said, said) != NULL;
        property_expect(&properties[ROOT_SAID], is_said == is_dropped, "chain%d: dropped %d, said %d", c, is_dropped,
                        is_said);
    }
}

static void check_reaches(script *s, const lb_motion *motion) {
    int ended = 0, said = 0;
    const int last = lb_motion_stage_count(motion) - 1;
    const lb_problem *problem = lb_motion_problem(motion, last);
    for (int i = 0; i < lb_problem_constraint_count(problem); i++) {
        ended += lb_problem_constraint(problem, i)->disabled;
    }
    for (const char *at = s->said; (at = strstr(at, "the reach with")); at++) {
        said++;
    }
    property_expect(&properties[REACH_SAID], ended == said, "%d reaches ended, %d were said", ended, said);
}

static void run(long number, uint64_t seed) {
    static script s;
    lb_load_options options;
    lb_script *read = NULL;
    lb_error error;
    (void)number;
    memset(&s, 0, sizeof s);
    make_script(&s, seed);
    if (property_is_replay()) {
        printf("%s", s.text);
    }
    lb_load_options_defaults(&options);
    options.warn = hear;
    options.warn_context = &s;
    const int is_read = lb_script_load_memory(s.text, s.size, "made.scefo", &options, &read, &error) == LB_OK;
    if (!property_expect(&properties[READ], is_read, "line %d: %s", error.line, error.message)) {
        return;
    }
    if (property_is_replay()) {
        printf("%s", s.said);
    }
    const lb_motion *motion = lb_script_motion(read);
    lb_player *player = lb_player_create(motion, NULL, &error);
    int link_count = s.loose;
    for (int c = 0; c < s.chains; c++) {
        link_count += s.links[c];
    }
    REQUIRE(player != NULL);
    check_jumps(&s, player, motion, link_count);
    check_roots(&s, player, motion);
    check_reaches(&s, motion);
    lb_player_destroy(player);
    lb_script_destroy(read);
}

int main(int argc, char **argv) { return property_main(argc, argv, 60, 3000, run, properties, COUNT); }
