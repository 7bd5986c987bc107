/* Bodies: does a person who is asked for an everyday thing stand, balance, look and reach as people do?
 *
 *     test_body PART... [--long] [--only NAME] [--poses FOLDER] [--judge FOLDER]
 *
 *     checks     the checks themselves, without solving anything
 *     tasks      the tasks of problems/body, and that mirroring and scaling them changes nothing but that
 *     panel      the 41 tasks of problems/body, one call each
 *     mirrored   the same, right and left exchanged
 *     statures   the same at 1.50, 1.65, 1.80 and 1.95 m
 *     reaches    random points that the arm alone reaches: 100, or 1,000 with --long
 *     anywhere   random points within 1.2 m of the body, from the floor to 2.1 m: no fall, nothing in the floor or in each
 *                other, and goals that are met or said to be missed
 *     surfaces   walls, steps, tables, things in the way, elbows and knees: problems/surfaces, and an arm that is tracked
 *     paths      a palm is drawn along random closed paths: no segment jumps, and all come back to where they were
 *
 * --random is the last two. --poses writes every answer as FOLDER/NAME.pose, which `limber render --pose` takes; --judge
 * judges such files instead of solving. Each answer is a line: errors of goals (mm, deg), flexion, lateral and axial bend
 * of the spine, the idle arm (deg), how far the centre of mass is outside of what stands (mm), depth in the floor and in
 * itself (mm), share of variables near limits, tilt of the head, both knees, asymmetry (deg), how far the pelvis came down, the
 * height of a heel, how far a foot moved (cm), the time, the outcome, and what is wrong. */
#include "body.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "check.h"
#include "points.h"
#include "thresholds.h"

#define PI 3.14159265358979323846

static const char *poses_folder, *judge_folder, *only_name;

/* --- One answer ---------------------------------------------------------------------------------------- */

/* One answer and what was measured of it. */
typedef struct answer {
    double pose[PERSON_VARIABLES];
    lb_outcome outcome;
    double seconds;
    measures m;
    char explanation[512];
} answer;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void write_pose(const person *p, const char *name, const double *pose) {
    char path[1200];
    snprintf(path, sizeof path, "%s/%s.pose", poses_folder, name);
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    for (int k = 0; k < p->variable_count; k++) {
        fprintf(file, "%s%s=%.17g", k ? "," : "", lb_figure_variable(p->figure, k)->name, pose[k]);
    }
    fprintf(file, "\n");
    fclose(file);
}

static void read_pose(const person *p, const char *name, double *pose) {
    char path[1200];
    snprintf(path, sizeof path, "%s/%s.pose", judge_folder, name);
    char *text = check_read_file(path, NULL);
    if (!text) {
        printf("there is no %s\n", path);
    }
    REQUIRE(text);
    memcpy(pose, p->rest, sizeof p->rest);
    for (char *at = strtok(text, ",\n"); at; at = strtok(NULL, ",\n")) {
        char *value = strchr(at, '=');
        REQUIRE(value);
        *value = 0;
        int variable = lb_figure_find_variable(p->figure, at);
        REQUIRE(variable >= 0);
        pose[variable] = strtod(value + 1, NULL);
    }
    free(text);
}

/* What the result says against what was measured: solved where all is met and only there, the distance that was measured,
 * and a sentence. A point is met where each of its coordinates is within its tolerance. */
static int is_honest(const lb_result *result, const measures *m) {
    const double most = 1e-5, diagonal = sqrt(3) * most;
    const int is_solved = result->outcome == LB_OUTCOME_SOLVED, is_supported = m->support <= BODY_SUPPORT_M;
    double distance = 0;
    for (int k = 0; k < result->constraint_count; k++) {
        distance = fmax(distance, result->constraints[k].distance);
    }
    return (!is_solved || (m->goal_m <= diagonal && m->goal_rad <= BODY_GOAL_RAD && is_supported)) &&
           (is_solved || m->goal_m > most || m->goal_rad > most || !is_supported) &&
           fabs(distance - m->goal_m) < 1e-6 && result->explanation[0];
}

/* Solves from the rest pose with default options, and judges. */
static void answer_problem(person *p, const task *t, const lb_problem *problem, answer *a) {
    lb_result result;
    lb_result_defaults(&result);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(solver && lb_problem_variable_count(problem) == p->variable_count);
    memcpy(a->pose, p->rest, sizeof a->pose);
    const double begin = now();
    REQUIRE(lb_solver_solve(solver, NULL, a->pose, &result) == LB_OK);
    a->seconds = now() - begin;
    a->outcome = result.outcome;
    memcpy(a->explanation, result.explanation, sizeof a->explanation);
    CHECK(lb_figure_violation(p->figure, a->pose) <= 1e-9);
    judge(p, t, a->pose, &a->m);
    const int agrees = is_honest(&result, &a->m) && report_agrees(p, t, solver, &a->m);
    a->m.flaws |= agrees ? 0 : 1u << FLAW_SAYS;
    lb_solver_destroy(solver);
}

static void print_answer(const char *name, const answer *a) {
    const measures *m = &a->m;
    char text[200];
    printf("%-20s goal %8.5f %8.5f spine %5.1f %5.1f %5.1f idle %3.0f com %5.0f floor %6.1f self %6.1f limits %3.0f%% "
           "head %3.0f knee %4.0f %4.0f sym %4.1f drop %5.1f heel %4.1f step %5.1f %7.2f ms %-8s %s",
           name, m->goal_m * 1e3, m->goal_rad * 180 / PI, m->flexion, m->lateral, m->axial, m->idle, m->outside * 1e3,
           m->floor * 1e3, m->self * 1e3, m->near_limits * 100, m->head, m->straighter_knee, m->knee, m->symmetry,
           m->drop * 100, m->heel * 100, m->moved * 100, a->seconds * 1e3,
           judge_folder ? "-" : lb_outcome_name(a->outcome), flaw_text(m->flaws, text));
    if (m->flaws & 1u << FLAW_FLOOR) {
        printf(" (%s in the floor)", m->in_floor);
    }
    if (m->flaws & 1u << FLAW_SELF) {
        printf(" (%s in %s)", m->self_a, m->self_b);
    }
    if (m->flaws & (1u << FLAW_GOAL | 1u << FLAW_SAYS)) {
        printf(" \"%s\"", a->explanation);
    }
    printf("\n");
}

/* Answers a task, or takes the answer from a file, and prints it. problem NULL: it is made from the task. Returns 1 where
 * it is clean. */
static int try_task(person *p, const task *t, const lb_problem *problem, const char *name, answer *a) {
    memset(a, 0, sizeof *a);
    check_note("%s", name);
    if (judge_folder) {
        read_pose(p, name, a->pose);
        judge(p, t, a->pose, &a->m);
    } else if (problem) {
        answer_problem(p, t, problem, a);
    } else {
        lb_problem *made = task_problem(t, p->figure);
        answer_problem(p, t, made, a);
        lb_problem_destroy(made);
    }
    if (poses_folder) {
        write_pose(p, name, a->pose);
    }
    print_answer(name, a);
    check_note("%s", "");
    return a->m.flaws == 0;
}

static int is_wanted(const char *name) { return !only_name || strcmp(only_name, name) == 0; }

/* Prints how many answers were clean, and asks for so many. */
static void sum_up(const char *what, int clean, int all, int least) {
    printf("%s: %d of %d clean\n", what, clean, all);
    if (!only_name) {
        check_note("%s", what);
        CHECK(clean >= least);
        check_note("%s", "");
    }
}

/* --- The panel ----------------------------------------------------------------------------------------- */

/* The files as they are, or mirrored. */
static void run_panel(int is_mirrored) {
    int clean = 0, all = 0;
    for (int k = 0; k < task_count; k++) {
        task t, other;
        answer a;
        person p;
        char name[2 * TASK_NAME];
        lb_problem_file *file = task_load(k, &t);
        const lb_problem *problem = lb_problem_file_problem(file);
        snprintf(name, sizeof name, "%s%s", t.name, is_mirrored ? ".mirrored" : "");
        if (is_wanted(t.name)) {
            person_make(lb_problem_figure(problem, 0), &p);
            if (is_mirrored) {
                task_mirror(&t, p.figure, &other);
                clean += try_task(&p, &other, NULL, name, &a);
            } else {
                clean += try_task(&p, &t, problem, name, &a);
            }
            all++;
            person_free(&p);
        }
        lb_problem_file_destroy(file);
    }
    sum_up(is_mirrored ? "mirrored" : "panel", clean, all, BODY_PANEL_CLEAN);
}

static void run_stature(double stature) {
    lb_figure *figure = load_human(stature);
    person p;
    char name[2 * TASK_NAME];
    int clean = 0, all = 0;
    person_make(figure, &p);
    for (int k = 0; k < task_count; k++) {
        task t, scaled;
        answer a;
        lb_problem_file *file = task_load(k, &t);
        const double own = lb_figure_stature(lb_problem_figure(lb_problem_file_problem(file), 0));
        lb_problem_file_destroy(file);
        if (is_wanted(t.name)) {
            task_scale(&t, stature / own, &scaled);
            snprintf(name, sizeof name, "%s.%.0f", t.name, stature * 100);
            clean += try_task(&p, &scaled, NULL, name, &a);
            all++;
        }
    }
    snprintf(name, sizeof name, "stature %.2f m", stature);
    sum_up(name, clean, all, BODY_STATURE_CLEAN);
    person_free(&p);
    lb_figure_destroy(figure);
}

static void run_statures(void) {
    static const double statures[] = {1.50, 1.65, 1.80, 1.95};
    for (size_t k = 0; k < sizeof statures / sizeof *statures; k++) {
        run_stature(statures[k]);
    }
}

/* --- Random points ------------------------------------------------------------------------------------- */

static int random_count(void) { return check_is_sanitized() ? 10 : check_count(100, 1000); }

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_reaches(void) {
    lb_figure *figure = load_human(0);
    person p;
    unsigned long long state = 7;
    const int count = random_count();
    int clean = 0, all = 0;
    double *spines = malloc((size_t)count * sizeof *spines);
    REQUIRE(spines);
    person_make(figure, &p);
    for (int k = 0; k < count; k++) {
        char name[TASK_NAME];
        double point[3];
        task t;
        answer a;
        draw_reach(&p, &state, point);
        snprintf(name, sizeof name, "p%04d", k);
        reach_task(name, point, &t);
        t.is_reach = 1;
        if (is_wanted(name)) {
            clean += try_task(&p, &t, NULL, name, &a);
            spines[all++] = a.m.spine;
        }
    }
    qsort(spines, (size_t)all, sizeof *spines, by_size);
    if (all > 0) {
        printf("reaches: median bend of the spine %.1f deg\n", spines[all / 2]);
        CHECK(all < 100 || spines[all / 2] <= BODY_RANDOM_SPINE_DEG); /* of fewer it says nothing */
    }
    sum_up("reaches", clean, all, (int)ceil(BODY_RANDOM_CLEAN * count));
    free(spines);
    person_free(&p);
    lb_figure_destroy(figure);
}

static void run_anywhere(void) {
    const unsigned never = 1u << FLAW_FALL | 1u << FLAW_FLOOR | 1u << FLAW_SELF | 1u << FLAW_SAYS;
    lb_figure *figure = load_human(0);
    person p;
    const int count = random_count();
    int right = 0, met = 0, all = 0;
    person_make(figure, &p);
    for (int k = 0; k < count; k++) {
        char name[TASK_NAME];
        double point[3];
        task t;
        answer a;
        draw_anywhere((unsigned long long)k, point);
        snprintf(name, sizeof name, "q%04d", k);
        reach_task(name, point, &t);
        if (is_wanted(name)) {
            try_task(&p, &t, NULL, name, &a);
            right += !(a.m.flaws & never);
            met += !(a.m.flaws & 1u << FLAW_GOAL);
            all++;
        }
    }
    printf("anywhere: %d of %d met, %d as they should be\n", met, all, right);
    CHECK_INT(right, all);
    person_free(&p);
    lb_figure_destroy(figure);
}

/* --- What is asked for ---------------------------------------------------------------------------------- */

static void run_mirrored(void) { run_panel(1); }
static void run_straight(void) { run_panel(0); }

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {{"checks", check_the_judge}, {"tasks", check_the_tasks}, {"panel", run_straight},
             {"mirrored", run_mirrored},  {"statures", run_statures}, {"reaches", run_reaches},
             {"anywhere", run_anywhere},  {"surfaces", run_surfaces}, {"paths", check_paths}};
#define PART_COUNT ((int)(sizeof parts / sizeof *parts))

static int usage(const char *word) {
    fprintf(stderr, "test_body: `%s` is no part and no option; the parts are", word);
    for (int k = 0; k < PART_COUNT; k++) {
        fprintf(stderr, " %s", parts[k].name);
    }
    fprintf(stderr, ", the options --long --random --only NAME --poses FOLDER --judge FOLDER\n");
    return 2;
}

int main(int count, char **words) {
    int wanted[PART_COUNT] = {0}, any = 0;
    for (int i = 1; i < count; i++) {
        const char *next = i + 1 < count ? words[i + 1] : NULL;
        int found = -1;
        for (int k = 0; k < PART_COUNT; k++) {
            found = strcmp(words[i], parts[k].name) == 0 ? k : found;
        }
        if (found >= 0) {
            wanted[found] = any = 1;
        } else if (strcmp(words[i], "--random") == 0) {
            wanted[5] = wanted[6] = any = 1;
        } else if (strcmp(words[i], "--long") == 0) {
            setenv("LIMBER_TEST_LONG", "1", 1);
        } else if (next && strcmp(words[i], "--only") == 0) {
            only_name = words[++i];
        } else if (next && strcmp(words[i], "--poses") == 0) {
            poses_folder = words[++i];
            mkdir(poses_folder, 0777);
        } else if (next && strcmp(words[i], "--judge") == 0) {
            judge_folder = words[++i];
        } else {
            return usage(words[i]);
        }
    }
    for (int k = 0; k < PART_COUNT; k++) {
        if (any ? wanted[k] : k != 0 && k != 1) {
            parts[k].run();
        }
    }
    return check_done();
}
