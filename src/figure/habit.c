#include "figure/habit.h"

#include <stddef.h>
#include <string.h>

#include "figure/error.h"
#include "figure/figure.h"
#include "figure/kinematics/kinematics.h"
#include "figure/memory.h"
#include "figure/sized.h"
#include "figure/suggest.h"
#include "math/arena.h"
#include "math/strict.h"

#define LONGEST_TEXT 4000 /* bytes of a source or a credit */
#define LONGEST_NAME 200  /* bytes */

static const lbf_sized data_size = LBF_SIZED(lb_habit_data, credit);

void lb_habit_data_defaults_sized(lb_habit_data *data, size_t struct_size) {
    const lb_habit_data made = {0};
    lbf_default_sized(&data_size, &made, data, struct_size);
}

static const char *const kind_names[] = {"variable", "up", "height", "contact"};
#define KIND_COUNT ((int)(sizeof kind_names / sizeof *kind_names))

const char *lb_habit_kind_name(lb_habit_kind kind) {
    return (int)kind >= 0 && (int)kind < KIND_COUNT ? kind_names[kind] : "";
}

static size_t factor_count(int features) { return (size_t)features * ((size_t)features + 1) / 2; }

/* --- Checking ----------------------------------------------------------------------------------------------------------- */

static int is_short(const char *text, size_t most) { return !text || strlen(text) <= most; }

static const char *wrong_with_features(const lb_habit_data *d) {
    for (int i = 0; i < d->feature_count; i++) {
        const lb_habit_feature *f = &d->features[i];
        if ((int)f->kind < 0 || (int)f->kind >= KIND_COUNT) {
            return "has a feature of no known kind";
        }
        if (f->kind != LB_HABIT_HEIGHT && (!f->name || !*f->name || !is_short(f->name, LONGEST_NAME))) {
            return "has a feature without a name, or with one that is too long";
        }
        if (!lbm_is_finite(f->mean)) {
            return "has a mean that is not finite";
        }
    }
    return NULL;
}

static const char *wrong_with_factor(const lb_habit_data *d) {
    if (!lbm_all_finite(d->factor, (int)factor_count(d->feature_count))) {
        return "has a factor that is not finite";
    }
    const double *row = d->factor;
    for (int i = 0; i < d->feature_count; row += d->feature_count - i, i++) {
        if (!(row[0] > 0)) {
            return "has a factor whose diagonal is not above 0";
        }
    }
    return NULL;
}

static const char *wrong_with(const lb_habit_data *d) {
    if (d->feature_count < 1 || d->feature_count > LB_HABIT_FEATURES || !d->features || !d->factor) {
        return "has no features, or more than 128";
    }
    if (d->start_count < 0 || d->start_count > LB_HABIT_STARTS || (d->start_count > 0 && !d->starts)) {
        return "has more than 64 starts, or none where it says that there are some";
    }
    if (!(d->root_height >= 0) || !lbm_is_finite(d->root_height)) {
        return "has a height of the root that is negative or not finite";
    }
    if (!is_short(d->source, LONGEST_TEXT) || !is_short(d->credit, LONGEST_TEXT)) {
        return "has a source or a credit of more than 4000 bytes";
    }
    if (d->start_count > 0 && !lbm_all_finite(d->starts, d->start_count * d->feature_count)) {
        return "has a start that is not finite";
    }
    const char *wrong = wrong_with_features(d);
    return wrong ? wrong : wrong_with_factor(d);
}

/* --- Making ------------------------------------------------------------------------------------------------------------- */

static const char *cut_text(lbm_arena *arena, const char *text) {
    const size_t size = strlen(text ? text : "") + 1;
    char *made = lbm_cut(arena, size, 1);
    return arena->block ? memcpy(made, text ? text : "", size) : NULL;
}

/* Copies the data into one block, or counts how large that is. */
static lb_habit *cut_habit(const lb_habit_data *from, lbm_arena *arena) {
    const size_t features = (size_t)from->feature_count, factors = factor_count(from->feature_count),
                 starts = features * (size_t)from->start_count;
    lb_habit *habit = lbm_cut(arena, 1, sizeof *habit);
    lb_habit_feature *list = lbm_cut(arena, features, sizeof *list);
    double *factor = lbm_cut_doubles(arena, factors), *poses = lbm_cut_doubles(arena, starts);
    const char *source = cut_text(arena, from->source), *credit = cut_text(arena, from->credit);
    for (int i = 0; i < from->feature_count; i++) {
        const char *name = cut_text(arena, from->features[i].name);
        if (arena->block) {
            list[i] = from->features[i];
            list[i].name = name;
        }
    }
    if (!arena->block) {
        return NULL;
    }
    memcpy(factor, from->factor, factors * sizeof *factor);
    if (starts > 0) {
        memcpy(poses, from->starts, starts * sizeof *poses);
    }
    habit->data = *from;
    habit->data.features = list;
    habit->data.factor = factor;
    habit->data.starts = poses;
    habit->data.source = source;
    habit->data.credit = credit;
    return habit;
}

static lb_habit *make(const lb_habit_data *data, const lb_allocator *allocator) {
    const lb_allocator a = lbf_allocator(allocator);
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    cut_habit(data, &arena);
    const size_t size = arena.used;
    char *block = lbf_new(&a, size, 1);
    if (!block) {
        return NULL;
    }
    arena = lbm_arena_on(block, LBM_ARENA_LINE);
    lb_habit *habit = cut_habit(data, &arena);
    habit->allocator = a;
    habit->size = size;
    return habit;
}

lb_habit *lb_habit_create(const lb_habit_data *data, const lb_allocator *allocator, lb_error *error) {
    lb_habit_data taken = {0};
    if (!data) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "there is nothing to make a habit of");
    }
    if (lbf_take_sized(&data_size, data, &taken, error)) {
        return NULL;
    }
    const char *wrong = wrong_with(&taken);
    if (wrong) {
        lbf_fail(error, LB_ERROR_ARGUMENT, "the habit ", wrong, (char *)0);
        return NULL;
    }
    lb_habit *habit = make(&taken, allocator);
    if (!habit) {
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    lbf_clear(error);
    return habit;
}

lb_habit *lbf_copy_habit(const lb_habit *habit, const lb_allocator *allocator) { return make(&habit->data, allocator); }

void lb_habit_destroy(lb_habit *habit) {
    if (habit) {
        const lb_allocator a = habit->allocator;
        lbf_delete(&a, habit, habit->size, 1);
    }
}

const lb_habit_data *lb_habit_contents(const lb_habit *habit) { return habit ? &habit->data : NULL; }

/* --- On a figure ---------------------------------------------------------------------------------------------------------- */

static int find_contact(const lb_body *body, const char *name) {
    for (int i = 0; body && i < body->contact_count; i++) {
        if (strcmp(body->contacts[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int find_feature(const lb_habit_feature *feature, const lb_figure *figure) {
    const char *name = feature->name;
    switch (feature->kind) {
    case LB_HABIT_VARIABLE:
        for (int i = 0; i < figure->variable_count; i++) {
            if (strcmp(figure->variables[i].name, name) == 0) {
                return i;
            }
        }
        return -1;
    case LB_HABIT_UP:
        return name[0] >= 'x' && name[0] <= 'z' && !name[1] ? name[0] - 'x' : -1;
    case LB_HABIT_CONTACT:
        return find_contact(figure->draft.body, name);
    default:
        return 0;
    }
}

int lbf_find_habit(const lb_habit *habit, const lb_figure *figure, int *indices) {
    for (int i = 0; i < habit->data.feature_count; i++) {
        indices[i] = find_feature(&habit->data.features[i], figure);
        if (indices[i] < 0) {
            return i;
        }
    }
    return -1;
}

lb_status lbf_refuse_habit(const lb_habit *habit, const lb_figure *figure, int feature, lb_error *error) {
    const lb_habit_feature *f = &habit->data.features[feature];
    const lb_body *body = figure->draft.body;
    lbf_suggestions near_names;
    char text[LBF_SUGGESTION_TEXT];
    lbf_suggest_begin(&near_names, f->name);
    for (int i = 0; f->kind == LB_HABIT_VARIABLE && i < figure->variable_count; i++) {
        lbf_suggest_offer(&near_names, figure->variables[i].name, figure->variables[i].name);
    }
    for (int i = 0; f->kind == LB_HABIT_CONTACT && body && i < body->contact_count; i++) {
        lbf_suggest_offer(&near_names, body->contacts[i].name, body->contacts[i].name);
    }
    lbf_suggest_text(&near_names, text);
    if (f->kind == LB_HABIT_UP) {
        return lbf_fail(error, LB_ERROR_NAME, "up has the components x, y and z, not `", f->name, "`", (char *)0);
    }
    return lbf_fail(error, LB_ERROR_NAME, "the figure has no ", kind_names[f->kind], " `", f->name, "`",
                    *text ? "; " : "", text, (char *)0);
}

/* The height of the root's origin, and of a contact. */
static double root_height(const lb_kinematics *k) {
    double m[12];
    lb_kinematics_matrix(k, k->figure->draft.root.segment, m);
    return m[11];
}

static double contact_height(const lb_kinematics *k, const lb_body_contact *contact) {
    double m[12];
    lb_kinematics_matrix(k, contact->segment, m);
    return m[8] * contact->point[0] + m[9] * contact->point[1] + m[10] * contact->point[2] + m[11];
}

double lbf_habit_scale(const lb_habit *habit, lb_kinematics *k) {
    const lb_body *body = k->figure->draft.body;
    lbf_update(k, k->figure->rest, &k->figure->every_node);
    double lowest = 0;
    for (int i = 0; body && i < body->contact_count; i++) {
        const double height = contact_height(k, &body->contacts[i]);
        lowest = i == 0 || height < lowest ? height : lowest;
    }
    const double height = root_height(k) - lowest;
    return habit->data.root_height > 0 && height > 0 ? height / habit->data.root_height : 1;
}

lb_status lb_habit_measure(const lb_habit *habit, lb_kinematics *k, const double *pose, double floor, double *features,
                           lb_error *error) {
    int indices[LB_HABIT_FEATURES];
    if (!habit || !k || !pose || !features || !lbm_is_finite(floor)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "a habit, a kinematics, a pose and room for features are needed");
    }
    const lb_figure *figure = k->figure;
    const int unknown = lbf_find_habit(habit, figure, indices);
    if (unknown >= 0) {
        return lbf_refuse_habit(habit, figure, unknown, error);
    }
    const double scale = lbf_habit_scale(habit, k);
    const lb_status status = lb_kinematics_update(k, pose);
    if (status) {
        return lbf_refuse(error, status, "the pose has a number that is not finite");
    }
    double root[12];
    lb_kinematics_matrix(k, figure->draft.root.segment, root);
    for (int i = 0; i < habit->data.feature_count; i++) {
        switch (habit->data.features[i].kind) {
        case LB_HABIT_VARIABLE:
            features[i] = pose[indices[i]];
            break;
        case LB_HABIT_UP:
            features[i] = root[8 + indices[i]];
            break;
        case LB_HABIT_CONTACT:
            features[i] = (contact_height(k, &figure->draft.body->contacts[indices[i]]) - floor) / scale;
            break;
        default:
            features[i] = (root[11] - floor) / scale;
            break;
        }
    }
    lbf_clear(error);
    return LB_OK;
}

double lb_habit_cost(const lb_habit *habit, const double *features) {
    if (!habit || !features) {
        return 0;
    }
    const lb_habit_data *d = &habit->data;
    const double *row = d->factor;
    double sum = 0;
    for (int i = 0; i < d->feature_count; row += d->feature_count - i, i++) {
        double r = 0;
        for (int k = i; k < d->feature_count; k++) {
            r += row[k - i] * (features[k] - d->features[k].mean);
        }
        sum += r * r;
    }
    return sum / 2;
}
