/* The body that a .fig file describes, given to the finished figure: its variables are known only then. */
#include <stdio.h>
#include <string.h>

#include "io/fig/fig.h"

typedef struct body_maker {
    fig_maker *maker;
    const lb_figure *figure;
    lb_body body;
} body_maker;

static void *take(body_maker *m, int count, size_t size) {
    return lbio_fig_take(m->maker->reader, ((size_t)count + 1) * size);
}

/* --- Names -------------------------------------------------------------------------------------------------------------- */

static int find_variable(body_maker *m, const fig_ref *ref, int *variable) {
    size_t size = strlen(ref->first) + (ref->second ? strlen(ref->second) : 0) + 2;
    char *name = lbio_fig_take(m->maker->reader, size);
    if (!name) {
        return 0;
    }
    snprintf(name, size, "%s%s%s", ref->first, ref->second ? "." : "", ref->second ? ref->second : "");
    *variable = lb_figure_find_variable(m->figure, name);
    if (*variable >= 0) {
        return 1;
    }
    if (strcmp(ref->first, "root") == 0 && lb_builder_find_joint(m->maker->builder, "root") < 0) {
        return lbio_fig_fail(m->maker->reader, ref->line,
                             lb_figure_root(m->figure)->is_free
                                 ? "there is no variable `%s`; the root has x y z rx ry rz"
                                 : "there is no variable `%s`: the root is not `free`",
                             name);
    }
    lb_dof_ref dof;
    return lbio_fig_find_dof(m->maker, NULL, ref, &dof) &&
           lbio_fig_fail(m->maker->reader, ref->line,
                         "`%s` is driven or frozen, so it is no variable; name what drives it", name);
}

static int check_variable_unit(body_maker *m, int variable, const fig_value *value, const char *what) {
    int is_angle = lb_figure_variable(m->figure, variable)->is_angle;
    return lbio_fig_check_unit(m->maker->reader, value, is_angle ? FIG_ANGLE : FIG_LENGTH, what);
}

static int named_twice(body_maker *m, int line, const char *what, const char *name) {
    return lbio_fig_fail(m->maker->reader, line, "there are two %s named `%s`; rename one", what, name);
}

/* Part number `count` of a list must not have the name of one before it. */
#define CHECK_NAME(m, said, made, count, what)                           \
    for (int before = 0; before < (count); before++) {                   \
        if (strcmp((made)[before].name, (said)->name) == 0) {            \
            return named_twice((m), (said)->line, (what), (said)->name); \
        }                                                                \
    }

/* --- Variables ---------------------------------------------------------------------------------------------------------- */

static int build_postures(body_maker *m) {
    int count = lb_figure_variable_count(m->figure);
    lb_body_variable *made = take(m, count, sizeof *made);
    int *lines = take(m, count, sizeof *lines); /* where each was said */
    if (!made || !lines) {
        return 0;
    }
    for (const fig_posture *said = m->maker->file->body.postures.first; said; said = said->next) {
        int variable;
        if (!find_variable(m, &said->variable, &variable)) {
            return 0;
        }
        if (lines[variable]) {
            return lbio_fig_fail(m->maker->reader, said->variable.line,
                                 "the posture of `%s` is given twice (first in line %d); keep one",
                                 lb_figure_variable(m->figure, variable)->name, lines[variable]);
        }
        if (!check_variable_unit(m, variable, &said->huber, "this variable")) {
            return 0;
        }
        lines[variable] = said->variable.line;
        made[variable] = (lb_body_variable){said->weight, said->huber.number, said->comfort};
    }
    m->body.variable_count = count;
    m->body.variables = made;
    return 1;
}

static int build_ease(body_maker *m, const fig_ease *said, lb_body_ease *made) {
    int count = said->sum.term_count, angles = 0, i = 0;
    int *variables = take(m, count, sizeof *variables);
    double *coefficients = take(m, count, sizeof *coefficients);
    if (!variables || !coefficients) {
        return 0;
    }
    for (const fig_term *term = said->sum.terms; term; term = term->next, i++) {
        if (!find_variable(m, &term->ref, &variables[i]) ||
            !lbio_fig_check_unit(m->maker->reader, &term->coefficient, FIG_PLAIN, "a factor")) {
            return 0;
        }
        coefficients[i] = said->sign * term->coefficient.number;
        angles += lb_figure_variable(m->figure, variables[i])->is_angle;
    }
    fig_unit unit = angles == count ? FIG_ANGLE : angles == 0 ? FIG_LENGTH : FIG_PLAIN;
    const char *what = angles == count ? "an ease of angles"
                       : angles == 0   ? "an ease of lengths"
                                       : "an ease of angles and lengths together";
    *made = (lb_body_ease){said->name, count, variables, coefficients, said->sign * said->bound.number, said->weight};
    return lbio_fig_check_unit(m->maker->reader, &said->bound, unit, what);
}

static int build_eases(body_maker *m) {
    lb_body_ease *made = take(m, m->maker->file->body.eases.count, sizeof *made);
    int count = 0;
    for (const fig_ease *said = m->maker->file->body.eases.first; made && said; said = said->next, count++) {
        CHECK_NAME(m, said, made, count, "eases")
        if (!build_ease(m, said, &made[count])) {
            return 0;
        }
    }
    m->body.ease_count = count;
    m->body.eases = made;
    return made != NULL;
}

static int build_start(body_maker *m, const fig_start *said, lb_body_start *made) {
    int count = 0;
    int *variables = take(m, said->settings.count, sizeof *variables);
    double *values = take(m, said->settings.count, sizeof *values);
    unsigned char *given = take(m, lb_figure_variable_count(m->figure), 1);
    if (!variables || !values || !given) {
        return 0;
    }
    for (const fig_setting *setting = said->settings.first; setting; setting = setting->next, count++) {
        if (!find_variable(m, &setting->variable, &variables[count]) ||
            !check_variable_unit(m, variables[count], &setting->value, "this variable")) {
            return 0;
        }
        if (given[variables[count]]) {
            return lbio_fig_fail(m->maker->reader, setting->variable.line, "start `%s` sets `%s` twice; keep one",
                                 said->name, lb_figure_variable(m->figure, variables[count])->name);
        }
        given[variables[count]] = 1;
        values[count] = setting->value.number;
    }
    *made = (lb_body_start){said->name, count, variables, values};
    return 1;
}

static int build_starts(body_maker *m) {
    lb_body_start *made = take(m, m->maker->file->body.starts.count, sizeof *made);
    int count = 0;
    for (const fig_start *said = m->maker->file->body.starts.first; made && said; said = said->next, count++) {
        CHECK_NAME(m, said, made, count, "starts")
        if (!build_start(m, said, &made[count])) {
            return 0;
        }
    }
    m->body.start_count = count;
    m->body.starts = made;
    return made != NULL;
}

/* --- Segments ----------------------------------------------------------------------------------------------------------- */

static int find_segment(body_maker *m, const fig_ref *ref, int *segment) {
    return lbio_fig_find_segment(m->maker, ref->first, ref->line, segment);
}

static int build_solids(body_maker *m) {
    lb_body_solid *made = take(m, m->maker->file->body.solids.count, sizeof *made);
    int count = 0;
    for (const fig_solid *said = m->maker->file->body.solids.first; made && said; said = said->next, count++) {
        CHECK_NAME(m, said, made, count, "solids")
        made[count].name = said->name;
        made[count].radius = said->radius;
        memcpy(made[count].from, said->from, sizeof said->from);
        memcpy(made[count].to, said->to, sizeof said->to);
        if (!find_segment(m, &said->segment, &made[count].segment)) {
            return 0;
        }
    }
    m->body.solid_count = count;
    m->body.solids = made;
    return made != NULL;
}

static int build_contacts(body_maker *m) {
    lb_body_contact *made = take(m, m->maker->file->body.contacts.count, sizeof *made);
    int count = 0;
    for (const fig_contact *said = m->maker->file->body.contacts.first; made && said; said = said->next, count++) {
        CHECK_NAME(m, said, made, count, "contacts")
        made[count].name = said->name;
        made[count].kind = (lb_contact_kind)said->kind;
        made[count].limb = said->limb;
        made[count].radius = said->radius;
        memcpy(made[count].point, said->point, sizeof said->point);
        if (!find_segment(m, &said->segment, &made[count].segment)) {
            return 0;
        }
    }
    m->body.contact_count = count;
    m->body.contacts = made;
    return made != NULL;
}

static int build_strengths(body_maker *m) {
    lb_body_strength *made = take(m, m->maker->file->body.strengths.count, sizeof *made);
    int count = 0;
    for (const fig_strength *said = m->maker->file->body.strengths.first; made && said; said = said->next, count++) {
        CHECK_NAME(m, said, made, count, "strengths")
        made[count].name = said->name;
        made[count].moment = said->moment;
        made[count].by_axis = said->by_axis;
        if (!find_segment(m, &said->segment, &made[count].segment)) {
            return 0;
        }
    }
    m->body.strength_count = count;
    m->body.strengths = made;
    return made != NULL;
}

static int build_arm(body_maker *m, const fig_arm *said, lb_body_arm *made) {
    *made = (lb_body_arm){said->name, said->limb, -1, -1, -1, -1, {0, 0, 0}};
    memcpy(made->lap_point, said->lap_point, sizeof said->lap_point);
    return find_segment(m, &said->shoulder, &made->shoulder) && find_segment(m, &said->hand, &made->hand) &&
           (!said->palm_line || lbio_fig_find_site(m->maker, &said->palm, &made->palm)) &&
           (!said->lap_line || find_segment(m, &said->lap, &made->lap));
}

static int build_arms(body_maker *m) {
    lb_body_arm *made = take(m, m->maker->file->body.arms.count, sizeof *made);
    int count = 0;
    for (const fig_arm *said = m->maker->file->body.arms.first; made && said; said = said->next, count++) {
        CHECK_NAME(m, said, made, count, "arms")
        if (!build_arm(m, said, &made[count])) {
            return 0;
        }
    }
    m->body.arm_count = count;
    m->body.arms = made;
    return made != NULL;
}

static int build_looking(body_maker *m) {
    const fig_body *said = &m->maker->file->body;
    int *eyes = take(m, said->eyes.count, sizeof *eyes);
    int count = 0;
    for (const fig_eye *eye = said->eyes.first; eyes && eye; eye = eye->next, count++) {
        if (!find_segment(m, &eye->segment, &eyes[count])) {
            return 0;
        }
    }
    m->body.eye_count = count;
    m->body.eyes = eyes;
    return eyes && (!said->head_line || find_segment(m, &said->head, &m->body.head)) &&
           (!said->gaze_line || lbio_fig_find_site(m->maker, &said->gaze, &m->body.gaze));
}

int lbio_fig_build_body(fig_maker *maker, lb_figure *figure) {
    if (!maker->file->body.line) {
        return 1;
    }
    body_maker m = {.maker = maker, .figure = figure};
    lb_error error;
    lb_body_defaults(&m.body);
    if (!build_postures(&m) || !build_solids(&m) || !build_contacts(&m) || !build_strengths(&m) || !build_eases(&m) ||
        !build_arms(&m) || !build_starts(&m) || !build_looking(&m)) {
        return 0;
    }
    lb_status status = lb_figure_set_body(figure, &m.body, &error);
    return status == LB_OK || lbio_fig_fail_status(maker->reader, status, maker->file->body.line, "%s", error.message);
}
