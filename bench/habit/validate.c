/*
 * How near a habit brings poses to those that people had: validate HABIT TABLE...
 *
 * The tables are motions of human.fig as `limber retarget` writes them, of people that the habit was not learned from. Every
 * so many frames a pose is the truth: some of its points are goals (settings a to d), and the pose that is found is compared
 * with it, by the mean angle of 17 joints and the mean distance of 21 places. Poses start from rest.
 */
#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VARIABLES 128
#define EVERY 24          /* frames, unless told */
#define MISSED 0.004      /* metres: a goal that is farther off is missed */
#define FLOOR_AT 0.1      /* of the heights of the lowest sole: the floor, as limber learn has it */
#define MOST_FLOOR 0.15   /* metres */
#define STANDING_TILT 0.2 /* rad: whoever stands is not tilted more, nor has bent knees more than 0.35 */
#define STANDING_KNEE 0.35
#define HANGING 0.1        /* metres above the pelvis: a hand that is lower hangs */
#define STANDING_SOLE 0.03 /* metres from the floor */
#define DEGREES 57.29577951308232

static const char *const places[] = {
    "pelvis",          "vertebra_T12",  "vertebra_T1", "neck",          "head",           "right_clavicle",
    "right_upper_arm", "right_forearm", "right_hand",  "left_clavicle", "left_upper_arm", "left_forearm",
    "left_hand",       "right_thigh",   "right_shank", "right_foot",    "right_toes",     "left_thigh",
    "left_shank",      "left_foot",     "left_toes"};
#define PLACES 21

/* Joints: the turn of a segment against another; the pelvis against the world. */
static const char *const joints[][2] = {{"pelvis", NULL},
                                        {"vertebra_T12", "pelvis"},
                                        {"vertebra_T1", "vertebra_T12"},
                                        {"neck", "vertebra_T1"},
                                        {"head", "neck"},
                                        {"right_upper_arm", "vertebra_T1"},
                                        {"right_forearm", "right_upper_arm"},
                                        {"right_hand", "right_forearm"},
                                        {"left_upper_arm", "vertebra_T1"},
                                        {"left_forearm", "left_upper_arm"},
                                        {"left_hand", "left_forearm"},
                                        {"right_thigh", "pelvis"},
                                        {"right_shank", "right_thigh"},
                                        {"right_foot", "right_shank"},
                                        {"left_thigh", "pelvis"},
                                        {"left_shank", "left_thigh"},
                                        {"left_foot", "left_shank"}};
#define JOINTS 17

typedef struct bench {
    lb_figure *figure;
    lb_kinematics *kinematics;
    lb_habit *habit; /* NULL: poses without one */
    int variables;
    int is_natural;  /* the body's other terms and rules are there, too: only for those who stand */
    double weight;   /* of the habit then */
    int faces_ahead; /* truths are put over the origin and turned to head along x */
    int place_segments[PLACES], joint_segments[JOINTS][2];
    int count;
    double *truths; /* [count][variables] */
    double *found;
    double *misses; /* [count]: the largest of a goal, metres */
} bench;

typedef struct score {
    double angle, distance, missed; /* degrees, centimetres, share of the frames */
    double standing;                /* degrees, of those who stand; NAN: nobody does */
} score;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "validate: %s: %s\n", what, why);
    exit(1);
}

/* --- Truth --------------------------------------------------------------------------------------------- */

static int is_foot(const lb_body_contact *c) {
    return c->kind == LB_CONTACT_HEEL || c->kind == LB_CONTACT_BALL || c->kind == LB_CONTACT_TOE;
}

static double sole_height(const bench *b, const double *pose) {
    const lb_body *body = lb_figure_body(b->figure);
    double lowest = INFINITY, m[12];
    lb_kinematics_update(b->kinematics, pose);
    for (int i = 0; i < body->contact_count; i++) {
        const lb_body_contact *c = &body->contacts[i];
        if (is_foot(c)) {
            lb_kinematics_matrix(b->kinematics, c->segment, m);
            lowest = fmin(lowest, m[8] * c->point[0] + m[9] * c->point[1] + m[10] * c->point[2] + m[11]);
        }
    }
    return lowest;
}

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The poses of a table, as many as it has; to be freed. */
static double *read_table(const bench *b, const char *path, int *count) {
    FILE *file = fopen(path, "r");
    static char line[1 << 16];
    int capacity = 0;
    double *poses = NULL;
    *count = 0;
    if (!file || !fgets(line, sizeof line, file)) {
        fail(path, "cannot be read");
    }
    while (fgets(line, sizeof line, file)) {
        if (*count == capacity) {
            capacity = 2 * capacity + 256;
            poses = realloc(poses, (size_t)capacity * (size_t)b->variables * sizeof *poses);
            if (!poses) {
                fail(path, "out of memory");
            }
        }
        double *pose = poses + (size_t)*count * (size_t)b->variables;
        char *at = line;
        strtod(at, &at);
        for (int i = 0; i < b->variables; i++) {
            pose[i] = *at == ',' ? strtod(at + 1, &at) : NAN;
        }
        if (isnan(pose[b->variables - 1])) {
            fail(path, "is no table of this figure");
        }
        ++*count;
    }
    fclose(file);
    return poses;
}

/* Puts a pose over the origin, and turns it about the vertical so that its pelvis heads along x: to someone who starts from
 * rest it is then not behind him. */
static void face_ahead(const bench *b, double *pose) {
    double m[12], q[4], turn[4], all[4];
    lb_kinematics_update(b->kinematics, pose);
    lb_kinematics_matrix(b->kinematics, b->place_segments[0], m);
    const double half = -atan2(m[4], m[0]) / 2, about[4] = {0, 0, sin(half), cos(half)};
    const double angle = sqrt(pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5]),
                 scale = angle > 0 ? sin(angle / 2) / angle : 0;
    for (int c = 0; c < 3; c++) {
        turn[c] = pose[3 + c] * scale;
    }
    turn[3] = cos(angle / 2);
    all[0] = about[3] * turn[0] - about[2] * turn[1];
    all[1] = about[3] * turn[1] + about[2] * turn[0];
    all[2] = about[3] * turn[2] + about[2] * turn[3];
    all[3] = about[3] * turn[3] - about[2] * turn[2];
    for (int c = 0; c < 4; c++) {
        q[c] = all[3] < 0 ? -all[c] : all[c];
    }
    const double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]),
                 back = sine > 1e-12 ? 2 * atan2(sine, q[3]) / sine : 2;
    for (int c = 0; c < 3; c++) {
        pose[3 + c] = q[c] * back;
    }
    pose[0] = pose[1] = 0;
}

static void add_truths(bench *b, const char *path, int every) {
    int count = 0;
    double *poses = read_table(b, path, &count), *soles = malloc(((size_t)count + 1) * sizeof *soles);
    for (int f = 0; f < count; f++) {
        soles[f] = sole_height(b, poses + (size_t)f * (size_t)b->variables);
    }
    qsort(soles, (size_t)count, sizeof *soles, compare_numbers);
    const double floor = count ? soles[(int)(FLOOR_AT * (count - 1))] : 0;
    free(soles);
    for (int f = every / 2; f < count && fabs(floor) <= MOST_FLOOR; f += every) {
        b->truths = realloc(b->truths, (size_t)(b->count + 1) * (size_t)b->variables * sizeof *b->truths);
        double *truth = b->truths + (size_t)b->count++ * (size_t)b->variables;
        memcpy(truth, poses + (size_t)f * (size_t)b->variables, (size_t)b->variables * sizeof *truth);
        truth[2] -= floor;
        if (b->faces_ahead) {
            face_ahead(b, truth);
        }
    }
    free(poses);
}

/* --- Goals --------------------------------------------------------------------------------------------- */

typedef struct wish {
    const char *name;
    int is_point; /* a site whose place alone is wished */
} wish;

static const struct setting {
    const char *name;
    int count;
    wish wishes[6];
} settings[] = {
    {"a pelvis, head, hands, feet",
     6,
     {{"pelvis", 0}, {"head", 0}, {"right_hand", 0}, {"left_hand", 0}, {"right_foot", 0}, {"left_foot", 0}}},
    {"b head and hands", 3, {{"head", 0}, {"right_hand", 0}, {"left_hand", 0}}},
    {"c both hands and feet", 4, {{"right_foot", 0}, {"left_foot", 0}, {"right_palm", 1}, {"left_palm", 1}}},
    {"d one hand and feet", 3, {{"right_foot", 0}, {"left_foot", 0}, {"right_palm", 1}}},
    {"one hand, standing", 1, {{"right_palm", 1}}}, /* of those who stand, with the body's other terms */
};
#define SETTINGS 4

static int is_still(const char *name) { return strstr(name, "eye") != NULL || strstr(name, "_hand.") != NULL; }

static void add_goal(bench *b, lb_problem *problem, const wish *w) {
    lb_constraint c;
    lb_constraint_defaults(&c);
    const int site = w->is_point ? lb_figure_find_site(b->figure, w->name) : -1;
    if (w->is_point ? lb_effector_from_site(b->figure, site, &c.effector)
                    : lb_effector_from_segment(b->figure, lb_figure_find_segment(b->figure, w->name), &c.effector)) {
        fail(w->name, "is not in the figure");
    }
    double e[9];
    lb_kinematics_effector(b->kinematics, &c.effector, e);
    c.goal.kind = w->is_point ? LB_GOAL_POSITION : LB_GOAL_FRAME;
    memcpy(c.goal.point, e, 3 * sizeof *e);
    memcpy(c.goal.x, e + 3, 3 * sizeof *e);
    memcpy(c.goal.y, e + 6, 3 * sizeof *e);
    if (lb_problem_add(problem, &c) < 0) {
        fail(w->name, lb_problem_error(problem)->message);
    }
}

/* The habit and nothing else: what is not known of a person is as people were seen. Feet may be in the air. */
static void habit_alone(lb_body_options *o) {
    lb_body_options_defaults(o);
    o->posture = o->comfort = o->effort = o->hang = o->head = o->look = o->feet = 0;
    o->balance = o->apart = o->eyes = o->above_floor = 0;
    for (int i = 0; i < LB_BODY_LIMBS; i++) {
        o->feet_modes[i] = LB_FOOT_MODE_LIFTED;
    }
}

static double largest_miss(bench *b, const lb_problem *problem, const double *pose) {
    double most = 0;
    lb_kinematics_update(b->kinematics, pose);
    for (int i = 0; i < lb_problem_constraint_count(problem); i++) {
        const lb_constraint *c = lb_problem_constraint(problem, i);
        double e[9], sum = 0;
        lb_kinematics_effector(b->kinematics, &c->effector, e);
        for (int k = 0; k < 3; k++) {
            sum += (e[k] - c->goal.point[k]) * (e[k] - c->goal.point[k]);
        }
        most = fmax(most, sqrt(sum));
    }
    return most;
}

static long iterations;

static void solve_frame(bench *b, const struct setting *setting, int frame) {
    double *pose = b->found + (size_t)frame * (size_t)b->variables;
    lb_problem *problem = lb_problem_create(b->figure, NULL);
    lb_result result;
    lb_kinematics_update(b->kinematics, b->truths + (size_t)frame * (size_t)b->variables);
    for (int i = 0; i < setting->count; i++) {
        add_goal(b, problem, &setting->wishes[i]);
    }
    for (int i = 0; i < b->variables; i++) {
        if (is_still(lb_figure_variable(b->figure, i)->name)) {
            lb_problem_set_active(problem, i, 0);
        }
    }
    if (b->habit) {
        lb_body_options options;
        if (b->is_natural) {
            lb_body_options_defaults(&options);
            options.habit = b->weight;
        } else {
            habit_alone(&options);
        }
        if (lb_problem_set_body(problem, 0, &options) || lb_problem_set_habit(problem, 0, b->habit)) {
            fail("habit", lb_problem_error(problem)->message);
        }
    }
    lb_figure_rest_pose(b->figure, pose);
    lb_result_defaults(&result);
    lb_solve(problem, NULL, pose, &result);
    iterations += result.iterations;
    b->misses[frame] = largest_miss(b, problem, pose);
    lb_problem_destroy(problem);
}

/* --- Scores -------------------------------------------------------------------------------------------- */

/* The rotation of a joint: R_parent' R_child. */
static void joint_turn(const bench *b, int joint, double turn[9]) {
    double child[12], parent[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    lb_kinematics_matrix(b->kinematics, b->joint_segments[joint][0], child);
    if (b->joint_segments[joint][1] >= 0) {
        lb_kinematics_matrix(b->kinematics, b->joint_segments[joint][1], parent);
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            turn[3 * i + k] = parent[i] * child[k] + parent[4 + i] * child[4 + k] + parent[8 + i] * child[8 + k];
        }
    }
}

static void measure(const bench *b, const double *pose, double turns[JOINTS][9], double at[PLACES][3]) {
    lb_kinematics_update(b->kinematics, pose);
    for (int i = 0; i < JOINTS; i++) {
        joint_turn(b, i, turns[i]);
    }
    for (int i = 0; i < PLACES; i++) {
        double m[12];
        lb_kinematics_matrix(b->kinematics, b->place_segments[i], m);
        at[i][0] = m[3], at[i][1] = m[7], at[i][2] = m[11];
    }
}

static double angle_between(const double a[9], const double c[9]) {
    double trace = 0;
    for (int i = 0; i < 9; i++) {
        trace += a[i] * c[i];
    }
    return acos(fmax(-1, fmin(1, (trace - 1) / 2))) * DEGREES;
}

static double knee(const bench *b, const double *pose, const char *name) {
    for (int i = 0; i < b->variables; i++) {
        if (strcmp(lb_figure_variable(b->figure, i)->name, name) == 0) {
            return pose[i];
        }
    }
    return 0;
}

/* Whether a hand is not above the pelvis. */
static int hangs(const bench *b, const char *hand, double pelvis) {
    double m[12];
    lb_kinematics_matrix(b->kinematics, lb_figure_find_segment(b->figure, hand), m);
    return m[11] < pelvis + HANGING;
}

/* Upright, knees nearly straight, a sole on the floor, arms down. */
static int stands(const bench *b, const double *truth) {
    double m[12];
    lb_kinematics_update(b->kinematics, truth);
    lb_kinematics_matrix(b->kinematics, b->place_segments[0], m);
    if (!hangs(b, "right_hand", m[11]) || !hangs(b, "left_hand", m[11]) ||
        fabs(sole_height(b, truth)) > STANDING_SOLE) {
        return 0;
    }
    return m[10] > cos(STANDING_TILT) && knee(b, truth, "right_knee") < STANDING_KNEE &&
           knee(b, truth, "left_knee") < STANDING_KNEE;
}

static void keep_standing(bench *b) {
    int kept = 0;
    for (int f = 0; f < b->count; f++) {
        double *truth = b->truths + (size_t)f * (size_t)b->variables;
        if (stands(b, truth)) {
            memmove(b->truths + (size_t)kept++ * (size_t)b->variables, truth, (size_t)b->variables * sizeof *truth);
        }
    }
    b->count = kept;
}

static score score_of(const bench *b) {
    score s = {0, 0, 0, 0};
    int standing = 0;
    for (int f = 0; f < b->count; f++) {
        double turns[2][JOINTS][9], at[2][PLACES][3], angle = 0, distance = 0;
        const double *truth = b->truths + (size_t)f * (size_t)b->variables;
        measure(b, truth, turns[0], at[0]);
        measure(b, b->found + (size_t)f * (size_t)b->variables, turns[1], at[1]);
        for (int i = 0; i < JOINTS; i++) {
            angle += angle_between(turns[0][i], turns[1][i]) / JOINTS;
        }
        for (int i = 0; i < PLACES; i++) {
            distance += 100 *
                        sqrt(pow(at[0][i][0] - at[1][i][0], 2) + pow(at[0][i][1] - at[1][i][1], 2) +
                             pow(at[0][i][2] - at[1][i][2], 2)) /
                        PLACES;
        }
        s.angle += angle / b->count;
        s.distance += distance / b->count;
        s.missed += (b->misses[f] > MISSED) / (double)b->count;
        if (stands(b, truth)) {
            s.standing += angle;
            standing++;
        }
    }
    s.standing = standing ? s.standing / standing : NAN;
    return s;
}

static void print_scores(bench *b, const char *title) {
    printf("%s\n", title);
    for (int i = b->is_natural ? SETTINGS : 0; i < (b->is_natural ? SETTINGS + 1 : SETTINGS); i++) {
        iterations = 0;
        for (int f = 0; f < b->count; f++) {
            solve_frame(b, &settings[i], f);
        }
        const score s = score_of(b);
        printf("  %-28s %5.1f deg %5.1f cm  missed %4.1f%%  standing %5.1f deg  %.0f iterations\n", settings[i].name,
               s.angle, s.distance, 100 * s.missed, s.standing, (double)iterations / b->count);
        fflush(stdout);
    }
}

/* Answers of another program: doubles, `width` a frame, the variables first. */
static void score_answers(bench *b, const char *path, int setting, int width) {
    FILE *file = fopen(path, "rb");
    double *row = malloc((size_t)width * sizeof *row);
    for (int f = 0; f < b->count; f++) {
        if (!file || fread(row, sizeof *row, (size_t)width, file) != (size_t)width) {
            fail(path, "has too few answers");
        }
        memcpy(b->found + (size_t)f * (size_t)b->variables, row, (size_t)b->variables * sizeof *row);
        lb_problem *problem = lb_problem_create(b->figure, NULL);
        lb_kinematics_update(b->kinematics, b->truths + (size_t)f * (size_t)b->variables);
        for (int i = 0; i < settings[setting].count; i++) {
            add_goal(b, problem, &settings[setting].wishes[i]);
        }
        b->misses[f] = largest_miss(b, problem, row);
        lb_problem_destroy(problem);
    }
    fclose(file);
    free(row);
    const score s = score_of(b);
    printf("  %-28s %5.1f deg %5.1f cm  missed %4.1f%%  standing %5.1f deg\n", settings[setting].name, s.angle,
           s.distance, 100 * s.missed, s.standing);
}

static void find_segments(bench *b) {
    for (int i = 0; i < PLACES; i++) {
        b->place_segments[i] = lb_figure_find_segment(b->figure, places[i]);
        if (b->place_segments[i] < 0) {
            fail(places[i], "is not in the figure");
        }
    }
    for (int i = 0; i < JOINTS; i++) {
        for (int k = 0; k < 2; k++) {
            b->joint_segments[i][k] = joints[i][k] ? lb_figure_find_segment(b->figure, joints[i][k]) : -1;
        }
    }
}

int main(int count, char **words) {
    bench b = {0};
    lb_error error;
    const char *dump = NULL, *answers = NULL, *habit = NULL, *figure = "models/human.fig";
    int every = EVERY, first = 1, setting = 0, width = 0, plain = 0;
    for (; first < count && strncmp(words[first], "--", 2) == 0; first++) {
        const char *option = words[first] + 2;
        if (strcmp(option, "plain") == 0 || strcmp(option, "ahead") == 0) {
            plain |= option[0] == 'p';
            b.faces_ahead |= option[0] == 'a';
            continue;
        }
        const char *value = first + 1 < count ? words[++first] : "";
        if (strcmp(option, "figure") == 0) {
            figure = value;
        } else if (strcmp(option, "habit") == 0) {
            habit = value;
        } else if (strcmp(option, "beside") == 0) {
            b.is_natural = 1;
            b.weight = atof(value);
        } else if (strcmp(option, "every") == 0) {
            every = atoi(value) > 0 ? atoi(value) : EVERY;
        } else if (strcmp(option, "dump") == 0) {
            dump = value;
        } else if (strcmp(option, "answers") == 0) {
            answers = value;
        } else if (strcmp(option, "setting") == 0) {
            setting = value[0] - 'a';
        } else if (strcmp(option, "width") == 0) {
            width = atoi(value);
        } else {
            fail(option, "is no option: --figure, --habit, --beside, --every, --ahead, --plain, --dump, --answers, "
                         "--setting, --width");
        }
    }
    if (lb_figure_load(figure, NULL, &b.figure, &error) ||
        (habit && lb_habit_load(habit, b.figure, NULL, &b.habit, &error))) {
        fail(error.file, error.message);
    }
    b.kinematics = lb_kinematics_create(b.figure, NULL);
    b.variables = lb_figure_variable_count(b.figure);
    find_segments(&b);
    for (; first < count; first++) {
        add_truths(&b, words[first], every);
    }
    if (b.is_natural) {
        keep_standing(&b);
    }
    b.found = calloc((size_t)b.count + 1, (size_t)b.variables * sizeof *b.found);
    b.misses = calloc((size_t)b.count + 1, sizeof *b.misses);
    printf("%d frames\n", b.count);
    if (dump) {
        FILE *file = fopen(dump, "wb");
        if (!file || fwrite(b.truths, sizeof *b.truths, (size_t)b.count * (size_t)b.variables, file) == 0) {
            fail(dump, "cannot be written");
        }
        fclose(file);
    }
    if (answers) {
        score_answers(&b, answers, setting, width ? width : b.variables);
    } else if (b.habit) {
        print_scores(&b, "with the habit");
    }
    if (plain) {
        lb_habit *kept = b.habit;
        b.habit = NULL;
        print_scores(&b, "without: goals alone (lm)");
        b.habit = kept;
    }
    free(b.truths);
    free(b.found);
    free(b.misses);
    lb_habit_destroy(b.habit);
    lb_kinematics_destroy(b.kinematics);
    lb_figure_destroy(b.figure);
    return 0;
}
