/* What is seen of a pose: the variables that move the body, its tilt, and how high it is and its feet are. Which
 * variables these are, which arm they are of and how they look in a mirror is found by moving them. */
#include "cli/learn/learn.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUDGE 0.1           /* rad or metres: by so much a variable is moved to see what moves */
#define MOVED 1e-9          /* metres, or of a direction */
#define MOST_POINTS 4096    /* of contacts and sites */
#define NOISE_ANGLE 0.04    /* rad */
#define NOISE_UP 0.02       /* of a component of the world's up */
#define NOISE_HEIGHT 0.01   /* metres, of the root */
#define NOISE_CONTACT 0.008 /* metres */
#define JUMP 1.5            /* rad that a variable turns from one frame to the next: no person does */
#define MOST_JUMPS 0.04     /* of the frames of a clip */
#define FLOOR_AT 0.1        /* of the heights of the lowest sole: the floor */
#define MOST_FLOOR 0.15     /* metres that a floor may be off */

/* --- What a variable moves
 * ------------------------------------------------------------------------------------------- */

static void rest_of(const learn_view *v, double *pose) { lb_figure_rest_pose(v->figure, pose); }

/* A value near rest, inside the range. */
static double nudged(const learn_view *v, int variable, double by) {
    const lb_variable *q = lb_figure_variable(v->figure, variable);
    const double to = q->rest + by;
    return to > q->upper ? q->upper : to < q->lower ? q->lower : to;
}

/* Whether a variable moves a segment that is there in the rest pose. */
static int moves(learn_view *v, int variable, int segment, double *pose) {
    double before[12], after[12], most = 0;
    rest_of(v, pose);
    lb_kinematics_update(v->kinematics, pose);
    lb_kinematics_matrix(v->kinematics, segment, before);
    pose[variable] = nudged(v, variable, NUDGE);
    if (fabs(pose[variable] - lb_figure_variable(v->figure, variable)->rest) < NUDGE / 2) {
        pose[variable] = nudged(v, variable, -NUDGE);
    }
    lb_kinematics_update(v->kinematics, pose);
    lb_kinematics_matrix(v->kinematics, segment, after);
    for (int i = 0; i < 12; i++) {
        most = fmax(most, fabs(after[i] - before[i]));
    }
    return most > MOVED;
}

/* The arm whose hand alone a variable moves; LEARN_TRUNK where there is none. */
static int arm_of(learn_view *v, const lb_body *body, int variable, double *pose) {
    int arm = LEARN_TRUNK, count = 0;
    for (int i = 0; i < body->arm_count; i++) {
        if (moves(v, variable, body->arms[i].hand, pose)) {
            arm = i;
            count++;
        }
    }
    return count == 1 ? arm : LEARN_TRUNK;
}

/* Whether a variable moves a hand, a foot, the head or the trunk: not those of eyes and fingers. */
static int is_seen(learn_view *v, const lb_body *body, int variable, double *pose) {
    if (body->head >= 0 && moves(v, variable, body->head, pose)) {
        return 1;
    }
    for (int i = 0; i < body->arm_count; i++) {
        if (moves(v, variable, body->arms[i].hand, pose)) {
            return 1;
        }
    }
    for (int i = 0; i < body->contact_count; i++) {
        if (moves(v, variable, body->contacts[i].segment, pose)) {
            return 1;
        }
    }
    return 0;
}

/* --- Features ----------------------------------------------------------------------------------------------------------- */

static void add_feature(learn_view *v, lb_habit_kind kind, const char *name, int part, double noise) {
    if (v->count < LB_HABIT_FEATURES) {
        v->features[v->count] = (lb_habit_feature){kind, name, 0};
        v->parts[v->count] = part;
        v->noise[v->count] = noise;
    }
    v->count++;
}

static int is_root(const lb_variable *q) { return q->ref.joint < 0 && q->ref.parameter < 0; }

static int is_foot(const lb_body_contact *contact) {
    return contact->kind == LB_CONTACT_HEEL || contact->kind == LB_CONTACT_BALL || contact->kind == LB_CONTACT_TOE;
}

static void find_features(learn_view *v, const lb_body *body, double *pose) {
    static const char *const axes[] = {"x", "y", "z"};
    for (int i = 0; i < lb_figure_variable_count(v->figure); i++) {
        const lb_variable *q = lb_figure_variable(v->figure, i);
        if (!is_root(q) && is_seen(v, body, i, pose)) {
            add_feature(v, LB_HABIT_VARIABLE, q->name, arm_of(v, body, i, pose), NOISE_ANGLE);
        }
    }
    for (int c = 0; c < 3; c++) {
        add_feature(v, LB_HABIT_UP, axes[c], LEARN_TRUNK, NOISE_UP);
    }
    add_feature(v, LB_HABIT_HEIGHT, NULL, LEARN_TRUNK, NOISE_HEIGHT);
    for (int i = 0; i < body->contact_count; i++) {
        if (body->contacts[i].kind == LB_CONTACT_HEEL || body->contacts[i].kind == LB_CONTACT_TOE) {
            add_feature(v, LB_HABIT_CONTACT, body->contacts[i].name, LEARN_TRUNK, NOISE_CONTACT);
        }
    }
}

/* --- The other side ------------------------------------------------------------------------------------------------------ */

/* The name of the other side: left and right swapped wherever they stand. */
static void other_side(const char *name, char *other, size_t size) {
    size_t used = 0;
    while (*name && used + 6 < size) {
        const char *swapped = strncmp(name, "left", 4) == 0 ? "right" : strncmp(name, "right", 5) == 0 ? "left" : NULL;
        if (swapped) {
            strcpy(other + used, swapped);
            used += strlen(swapped);
            name += 9 - strlen(swapped);
        } else {
            other[used++] = *name++;
        }
    }
    other[used] = 0;
}

static int feature_called(const learn_view *v, lb_habit_kind kind, const char *name) {
    for (int i = 0; i < v->count; i++) {
        if (v->features[i].kind == kind && v->features[i].name && strcmp(v->features[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int variable_called(const lb_figure *figure, const char *name) {
    for (int i = 0; i < lb_figure_variable_count(figure); i++) {
        if (strcmp(lb_figure_variable(figure, i)->name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static const char *segment_name(const lb_figure *figure, const lb_site *site) {
    return lb_figure_segment(figure, site->segment)->name;
}

/* The site of the other side: of the other name, on the segment of the other name. */
static int twin_of(const lb_figure *figure, int site) {
    char name[256], segment[256];
    const lb_site *one = lb_figure_site(figure, site);
    other_side(one->name, name, sizeof name);
    other_side(segment_name(figure, one), segment, sizeof segment);
    for (int i = 0; i < lb_figure_site_count(figure); i++) {
        const lb_site *other = lb_figure_site(figure, i);
        if (strcmp(other->name, name) == 0 && strcmp(segment_name(figure, other), segment) == 0) {
            return i;
        }
    }
    return -1;
}

/* By how much the sites of one pose are off the mirror images of those of another. */
static double mirror_error(learn_view *v, const double *one, const double *other) {
    const int count = lb_figure_site_count(v->figure);
    double sum = 0;
    lb_frame a, b;
    for (int i = 0; i < count && i < MOST_POINTS; i++) {
        const int twin = twin_of(v->figure, i);
        if (twin < 0) {
            continue;
        }
        lb_kinematics_update(v->kinematics, one);
        lb_kinematics_site(v->kinematics, i, &a);
        lb_kinematics_update(v->kinematics, other);
        lb_kinematics_site(v->kinematics, twin, &b);
        const double off[3] = {a.position[0] - b.position[0], a.position[1] + b.position[1],
                               a.position[2] - b.position[2]};
        sum += off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
    }
    return sum;
}

/* The sign of a variable in the mirror: that by which its twin puts the sites of the other side where they belong. */
static double sign_of(learn_view *v, int variable, int twin, double *pose, double *other) {
    double errors[2];
    const double rest = lb_figure_variable(v->figure, variable)->rest,
                 twin_rest = lb_figure_variable(v->figure, twin)->rest;
    for (int k = 0; k < 2; k++) {
        rest_of(v, pose);
        rest_of(v, other);
        pose[variable] = rest + NUDGE;
        other[twin] = twin_rest + (k ? -NUDGE : NUDGE);
        errors[k] = mirror_error(v, pose, other);
    }
    return errors[1] < errors[0] ? -1 : 1;
}

static void find_mirrors(learn_view *v, double *pose, double *other) {
    char name[256];
    for (int i = 0; i < v->count; i++) {
        const lb_habit_feature *f = &v->features[i];
        v->mirrors[i] = i;
        v->signs[i] = 1;
        if (f->kind == LB_HABIT_UP) {
            v->signs[i] = strcmp(f->name, "y") == 0 ? -1 : 1;
        }
        if (f->kind != LB_HABIT_VARIABLE && f->kind != LB_HABIT_CONTACT) {
            continue;
        }
        other_side(f->name, name, sizeof name);
        const int twin = feature_called(v, f->kind, name);
        v->mirrors[i] = twin >= 0 ? twin : i;
        if (f->kind == LB_HABIT_VARIABLE) {
            v->signs[i] = sign_of(v, variable_called(v->figure, f->name),
                                  variable_called(v->figure, v->features[v->mirrors[i]].name), pose, other);
        }
    }
}

/* --- Opening ----------------------------------------------------------------------------------------------------------- */

/* A habit with these features and nothing learned. */
static lb_habit *make_plain(const learn_view *v) {
    lb_habit_data data;
    double *factor = calloc((size_t)v->count * (size_t)(v->count + 1) / 2, sizeof *factor);
    if (!factor) {
        return NULL;
    }
    lb_habit_data_defaults(&data);
    for (int i = 0, at = 0; i < v->count; at += v->count - i, i++) {
        factor[at] = 1;
    }
    data.feature_count = v->count;
    data.features = v->features;
    data.factor = factor;
    lb_habit *made = lb_habit_create(&data, NULL, NULL);
    free(factor);
    return made;
}

static double sole_height(const learn_view *v, const lb_body *body) {
    double lowest = INFINITY;
    for (int i = 0; i < body->contact_count; i++) {
        const lb_body_contact *c = &body->contacts[i];
        double m[12];
        if (is_foot(c)) {
            lb_kinematics_matrix(v->kinematics, c->segment, m);
            lowest = fmin(lowest, m[8] * c->point[0] + m[9] * c->point[1] + m[10] * c->point[2] + m[11]);
        }
    }
    return lowest;
}

const char *learn_open(learn_view *v, const lb_figure *figure) {
    const lb_body *body = lb_figure_body(figure);
    const size_t size = (size_t)lb_figure_variable_count(figure) + 1;
    *v = (learn_view){.figure = figure};
    if (!body) {
        return "has no body; a habit is learned on a figure with one, as human";
    }
    double *pose = malloc(size * sizeof *pose), *other = malloc(size * sizeof *other);
    v->kinematics = lb_kinematics_create(figure, NULL);
    const char *wrong = pose && other && v->kinematics ? NULL : "needs more memory";
    if (!wrong) {
        find_features(v, body, pose);
        wrong = v->count > LB_HABIT_FEATURES ? "has too many variables for a habit" : NULL;
    }
    if (!wrong) {
        find_mirrors(v, pose, other);
        v->part_count = body->arm_count;
        v->plain = make_plain(v);
        rest_of(v, pose);
        lb_kinematics_update(v->kinematics, pose);
        const double sole = sole_height(v, body);
        double m[12];
        lb_kinematics_matrix(v->kinematics, lb_figure_root(figure)->segment, m);
        v->root_height = m[11] - sole;
        wrong = !v->plain ? "needs more memory" : sole < INFINITY ? NULL : "has no contacts of feet";
    }
    free(pose);
    free(other);
    return wrong;
}

void learn_close(learn_view *v) {
    lb_habit_destroy(v->plain);
    lb_kinematics_destroy(v->kinematics);
}

/* --- Clips ----------------------------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int jumps(const learn_view *v, const double *before, const double *after) {
    for (int i = 0; i < v->count && v->features[i].kind == LB_HABIT_VARIABLE; i++) {
        if (fabs(after[i] - before[i]) > JUMP) {
            return 1;
        }
    }
    return 0;
}

static int make_room(learn_frames *frames, int count, int features) {
    if (frames->count + count <= frames->capacity) {
        return 1;
    }
    const int capacity = 2 * (frames->count + count);
    double *values = realloc(frames->values, (size_t)capacity * (size_t)features * sizeof *values);
    if (values) {
        frames->values = values;
        frames->capacity = capacity;
    }
    return values != NULL;
}

learn_verdict learn_add(learn_view *v, const lb_clip *clip, learn_frames *frames) {
    const int count = lb_clip_frame_count(clip), features = v->count;
    double *soles = malloc((size_t)(count + 1) * sizeof *soles);
    if (!soles || !make_room(frames, count, features)) {
        free(soles);
        return LEARN_NO_MEMORY;
    }
    double *values = frames->values + (size_t)frames->count * (size_t)features;
    int jump_count = 0;
    for (int f = 0; f < count; f++) {
        double *at = values + (size_t)f * (size_t)features;
        lb_habit_measure(v->plain, v->kinematics, lb_clip_const_pose(clip, f), 0, at, NULL);
        soles[f] = sole_height(v, lb_figure_body(v->figure));
        jump_count += f > 0 && jumps(v, at - features, at);
    }
    qsort(soles, (size_t)count, sizeof *soles, compare_numbers);
    const double floor = count > 0 ? soles[(int)(FLOOR_AT * (count - 1))] : 0;
    free(soles);
    if (jump_count > MOST_JUMPS * count) {
        return LEARN_JUMPS;
    }
    if (!(fabs(floor) <= MOST_FLOOR)) {
        return LEARN_NO_FLOOR;
    }
    for (int f = 0; f < count; f++) {
        for (int i = 0; i < features; i++) {
            const lb_habit_kind kind = v->features[i].kind;
            values[(size_t)f * (size_t)features + (size_t)i] -=
                kind == LB_HABIT_HEIGHT || kind == LB_HABIT_CONTACT ? floor : 0;
        }
    }
    frames->count += count;
    return LEARN_TAKEN;
}
