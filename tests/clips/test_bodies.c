/* People over time: a body in a motion moves without jumps, stands where it is planted, steps and lifts its feet when keys
 * say so, and is the same whatever was asked before. */
#include "check.h"
#include <limber/body.h>
#include <limber/io.h>
#include <math.h>
#include <string.h>

#define STEP (1.0 / 120)
#define MOST_TURN 12.0 /* radians a second, as docs/motion.md says */
#define MOST_SPEED 4.0 /* metres a second */

typedef struct play {
    lb_problem_file *file;
    lb_player *player;
    const lb_figure *figure;
    lb_kinematics *kinematics;
    int variables;
    double *pose;
} play;

static void open_play(play *p, const char *text) {
    char models[1024];
    lb_load_options options;
    lb_error error;
    memset(p, 0, sizeof *p);
    REQUIRE(check_source("models", models, sizeof models));
    lb_load_options_defaults(&options);
    options.models = models;
    if (lb_problem_load_memory(text, strlen(text), "made.json", &options, &p->file, &error)) {
        check_note("%s", error.message);
    }
    REQUIRE(p->file != NULL);
    p->player = lb_player_create(lb_problem_file_motion(p->file), NULL, &error);
    p->figure = lb_problem_figure(lb_problem_file_problem(p->file), 0);
    p->kinematics = lb_kinematics_create(p->figure, NULL);
    p->variables = lb_problem_variable_count(lb_problem_file_problem(p->file));
    p->pose = calloc((size_t)p->variables + 1, sizeof *p->pose);
    REQUIRE(p->player && p->kinematics && p->pose);
}

static void close_play(play *p) {
    lb_player_destroy(p->player);
    lb_kinematics_destroy(p->kinematics);
    lb_problem_file_destroy(p->file);
    free(p->pose);
}

static void at_time(play *p, double time) {
    REQUIRE(lb_player_pose(p->player, time, p->pose, NULL) == LB_OK);
    REQUIRE(lb_kinematics_update(p->kinematics, p->pose) == LB_OK);
}

static void site_of(const play *p, const char *name, double at[3]) {
    lb_frame frame;
    int site = lb_figure_find_site(p->figure, name);
    REQUIRE(site >= 0);
    lb_kinematics_site(p->kinematics, site, &frame);
    memcpy(at, frame.position, sizeof frame.position);
}

static double apart(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Down to the floor and up again, between stoop and squat. */
static const char *const pick_up =
    "{\"figure\":\"human\",\"body\":{},\"constraints\":[{\"name\":\"hand\",\"effector\":\"right_palm\",\"goal\":"
    "{\"kind\":\"position\",\"point\":[0.35,-0.25,1.0]}}],\"motion\":{\"tracks\":[{\"goal\":\"hand\",\"ends\":"
    "\"clamped\","
    "\"keys\":[{\"time\":0,\"point\":[0.35,-0.25,1.0],\"interpolation\":\"cubic\"},{\"time\":1.2,\"point\":[0.45,-0.1,"
    "0.12],"
    "\"interpolation\":\"cubic\"},{\"time\":1.5,\"point\":[0.45,-0.1,0.12],\"interpolation\":\"cubic\"},{\"time\":2.7,"
    "\"point\":[0.3,-0.2,1.05]}]}]}}";

static void check_pick_up(void) {
    play p;
    const double low[3] = {0.45, -0.1, 0.12}, end[3] = {0.3, -0.2, 1.05};
    double toes[2][3], now[3], before[512], slide = 0, fastest = 0, hips = 9;
    open_play(&p, pick_up);
    REQUIRE(p.variables < 512);
    at_time(&p, 0);
    site_of(&p, "left_toe", toes[0]);
    site_of(&p, "right_toe", toes[1]);
    for (int k = 1; k <= 324; k++) {
        memcpy(before, p.pose, (size_t)p.variables * sizeof *before);
        at_time(&p, k * STEP);
        for (int v = 0; v < p.variables; v++) {
            double most = lb_figure_variable(p.figure, v)->is_angle ? MOST_TURN : MOST_SPEED;
            fastest = fmax(fastest, fabs(p.pose[v] - before[v]) / (most * STEP));
        }
        site_of(&p, "left_toe", now);
        slide = fmax(slide, apart(now, toes[0]));
        site_of(&p, "right_toe", now);
        slide = fmax(slide, apart(now, toes[1]));
        site_of(&p, "right_palm", now);
        CHECK(lb_figure_violation(p.figure, p.pose) < 1e-9);
        if (k == 144) {
            CHECK_NEAR(apart(now, low), 0, 1e-3);
        }
        lb_frame pelvis;
        lb_kinematics_segment(p.kinematics, lb_figure_find_segment(p.figure, "pelvis"), &pelvis);
        hips = fmin(hips, pelvis.position[2]);
    }
    site_of(&p, "right_palm", now);
    CHECK_NEAR(apart(now, end), 0, 1e-3);
    printf("picking up: toes stay within %.2f mm, fastest %.2f of the bound, hips down to %.2f m\n", 1000 * slide,
           fastest, hips);
    CHECK(fastest <= 1 + 1e-9);
    CHECK(slide < 0.005);
    CHECK(hips < 0.85); /* knees bend */
    close_play(&p);
}

/* Times in any order are the same to the bit. */
static void check_any_order(void) {
    play a, b;
    open_play(&a, pick_up);
    open_play(&b, pick_up);
    for (int k = 20; k >= 0; k--) {
        double backward[512];
        at_time(&a, 0.13 * k);
        memcpy(backward, a.pose, (size_t)a.variables * sizeof *backward);
        double *kept = malloc((size_t)a.variables * sizeof *kept);
        REQUIRE(kept != NULL);
        memcpy(kept, backward, (size_t)a.variables * sizeof *kept);
        for (int i = 0; i <= k; i++) {
            at_time(&b, 0.13 * i);
        }
        CHECK(memcmp(kept, b.pose, (size_t)a.variables * sizeof *kept) == 0);
        free(kept);
    }
    close_play(&a);
    close_play(&b);
}

/* The left foot is lifted by a key, moved by a goal that comes and goes, and planted again ahead. */
static void check_step(void) {
    static const char *const text =
        "{\"figure\":\"human\",\"body\":{},\"constraints\":[{\"name\":\"toe\",\"effector\":\"left_toe\",\"disabled\":"
        "true,"
        "\"goal\":{\"kind\":\"position\",\"point\":[0.16,0.1,0.01]}}],\"motion\":{\"tracks\":["
        "{\"foot\":\"left\",\"keys\":[{\"time\":0,\"value\":\"planted\"},{\"time\":0.5,\"value\":\"lifted\"},"
        "{\"time\":1.5,\"value\":\"planted\"}]},"
        "{\"enabled\":\"toe\",\"keys\":[{\"time\":0,\"value\":0,\"interpolation\":\"step\"},{\"time\":0.5,\"value\":1,"
        "\"interpolation\":\"step\"},{\"time\":1.5,\"value\":0,\"interpolation\":\"step\"}]},"
        "{\"goal\":\"toe\",\"ends\":\"clamped\",\"keys\":[{\"time\":0.5,\"point\":[0.16,0.1,0.01],\"interpolation\":"
        "\"cubic\"},"
        "{\"time\":1,\"point\":[0.3,0.12,0.15],\"interpolation\":\"cubic\"},{\"time\":1.5,\"point\":[0.4,0.1,0.01]}]}]}"
        "}";
    play p;
    double start[3], up[3], stood[3], now[3], right[3], other = 0;
    open_play(&p, text);
    at_time(&p, 0);
    site_of(&p, "left_toe", start);
    site_of(&p, "right_toe", right);
    at_time(&p, 0.45);
    site_of(&p, "left_toe", now);
    CHECK_NEAR(apart(now, start), 0, 2e-3);
    at_time(&p, 1);
    site_of(&p, "left_toe", up);
    CHECK(up[2] > 0.1);
    at_time(&p, 1.6); /* the foot has come down from the centimetre above the floor where its goal left it */
    site_of(&p, "left_toe", stood);
    CHECK(stood[0] > start[0] + 0.15);
    CHECK(stood[2] < 0.03);
    for (int k = 0; k < 12; k++) {
        at_time(&p, 1.65 + 0.05 * k);
        site_of(&p, "left_toe", now);
        CHECK_NEAR(apart(now, stood), 0, 2e-3);
        site_of(&p, "right_toe", now);
        other = fmax(other, apart(now, right));
    }
    printf("stepping: the toe rises to %.2f m and stands %.2f m ahead; the other foot stays within %.2f mm\n", up[2],
           stood[0] - start[0], 1000 * other);
    CHECK(other < 0.002);
    close_play(&p);
}

/* What is wrong is said. */
static void check_wrong(void) {
    static const struct {
        const char *text, *why;
    } wrongs[] = {{"{\"figure\":\"human\",\"motion\":{\"tracks\":[{\"foot\":\"left\",\"keys\":[{\"time\":0,\"value\":"
                   "\"lifted\"}]}]}}",
                   "not posed as a body"},
                  {"{\"figure\":\"human\",\"body\":{},\"motion\":{\"tracks\":[{\"foot\":\"middle\",\"keys\":[{\"time\":"
                   "0,\"value\":1}]}]}}",
                   "has no foot"},
                  {"{\"figure\":\"human\",\"body\":{},\"motion\":{\"tracks\":[{\"foot\":\"left\",\"keys\":[{\"time\":0,"
                   "\"value\":\"up\"}]}]}}",
                   "lifted"},
                  {"{\"figure\":\"human\",\"body\":{},\"motion\":{\"tracks\":[{\"support\":\"nose\",\"keys\":[{"
                   "\"time\":0,\"value\":1}]}]}}",
                   "has no contact"}};
    char models[1024];
    REQUIRE(check_source("models", models, sizeof models));
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        lb_problem_file *file = NULL;
        lb_load_options options;
        lb_error error;
        lb_load_options_defaults(&options);
        options.models = models;
        CHECK(lb_problem_load_memory(wrongs[i].text, strlen(wrongs[i].text), "w.json", &options, &file, &error) !=
              LB_OK);
        CHECK_HAS(error.message, wrongs[i].why);
    }
}

int main(void) {
    check_pick_up();
    check_any_order();
    check_step();
    check_wrong();
    return check_done();
}
