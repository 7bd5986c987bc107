/* The sentence of a result. After a solve alone it says what is certain: the miss, and limits that are touched and hold
 * back a part of it that is worth saying. After lb_solver_explain it says what would have to give way, and what that
 * would gain. */
#include "solve/report/sentence.h"

#include "figure/error.h"
#include "math/trig.h"
#include "solve/apart/apart.h"
#include "solve/arm/arm_closed.h"
#include "solve/methods/closed.h"
#include "solve/methods/hierarchy.h"

#define MOST_SAID 3         /* limits, or reasons, in a sentence */
#define ALL_OF_IT 0.95      /* share of a miss that passes for all of it in words */
#define LIKELY_SHARE 0.19   /* of the value: what a tenth less of the miss takes off its square */
#define LIKELY_GIVE_RAD 0.5 /* radians that a limit might give way by */

#define MOST_PARTS ((int)(sizeof((lb_result *)0)->said / sizeof((lb_result *)0)->said[0]))

lbs_sentence lbs_sentence_of(lb_result *result, size_t used) {
    if (used == 0) {
        result->explanation[0] = 0;
        result->said_count = 0;
    }
    return (lbs_sentence){result->explanation, sizeof result->explanation, used, result};
}

lb_say lbs_part_of(lb_say_kind kind) {
    return (lb_say){.kind = kind, .figure = -1, .constraint = -1, .variable = -1, .reason = -1, .limb = -1};
}

void lbs_begin_part(lbs_sentence *s, lb_say part) {
    part.begin = (int)s->used;
    part.length = 0;
    s->result->said[s->result->said_count < MOST_PARTS ? s->result->said_count : MOST_PARTS - 1] = part;
}

void lbs_end_part(lbs_sentence *s) {
    lb_result *result = s->result;
    if (result->said_count < MOST_PARTS) {
        lb_say *part = &result->said[result->said_count++];
        part->length = (int)s->used - part->begin;
    }
}

void lbs_say(lbs_sentence *s, const char *text) {
    for (; *text && s->used + 1 < s->size; text++) {
        s->text[s->used++] = *text;
    }
    s->text[s->used] = 0;
}

void lbs_say_number(lbs_sentence *s, double value, const char *unit) {
    char text[32];
    lbs_say(s, lbf_decimal_text(value, text));
    lbs_say(s, unit);
}

void lbs_say_distance(lbs_sentence *s, double metres) {
    if (metres < 0) {
        lbs_say(s, "-");
        metres = -metres;
    }
    if (metres >= 1) {
        lbs_say_number(s, floor(metres * 100 + 0.5) / 100, " m");
    } else if (metres >= 0.01) {
        lbs_say_number(s, floor(metres * 1000 + 0.5) / 10, " cm");
    } else if (metres >= 1e-5) {
        lbs_say_number(s, floor(metres * 100000 + 0.5) / 100, " mm");
    } else {
        lbs_say(s, "less than 0.01 mm");
    }
}

static void say_angle(lbs_sentence *s, double radians) {
    lbs_say_number(s, floor(radians * 180 / LBM_PI * 100 + 0.5) / 100, " deg");
}

/* An angle that need not be exact: to a tenth of a degree, and more where it is small. */
static void say_about(lbs_sentence *s, double radians) {
    double degrees = radians * 180 / LBM_PI;
    if (degrees >= 1) {
        lbs_say_number(s, floor(degrees * 10 + 0.5) / 10, " deg");
    } else {
        lbs_say_number(s, floor(degrees * 1000 + 0.5) / 1000, " deg");
    }
}

/* right_elbow.flexion -> right elbow flexion */
void lbs_say_name(lbs_sentence *s, const char *name) {
    char letter[2] = {0, 0};
    for (; name && *name; name++) {
        letter[0] = *name == '_' || *name == '.' ? ' ' : *name;
        lbs_say(s, letter);
    }
}

static const lb_variable *variable_of(const lb_solver *solver, int figure, int variable) {
    const lb_problem *p = solver->problem;
    return &p->figures[figure]->variables[variable - p->first_variables[figure]];
}

static void say_end(lbs_sentence *s, const lb_variable *v, int is_upper) {
    double value = is_upper ? v->upper : v->lower;
    lbs_say(s, is_upper ? " at its upper limit (" : " at its lower limit (");
    if (v->is_angle) {
        lbs_say_number(s, floor(value * 180 / LBM_PI * 10 + 0.5) / 10, " deg)");
    } else {
        lbs_say_distance(s, value);
        lbs_say(s, ")");
    }
}

static void say_limit(lbs_sentence *s, const lb_solver *solver, const lb_active_limit *limit) {
    lbs_say_name(s, limit->name);
    if (limit->variable < 0) {
        lbs_say(s, " at its limit");
    } else {
        say_end(s, variable_of(solver, limit->figure, limit->variable), limit->is_upper);
    }
}

/* --- The miss ------------------------------------------------------------------------------------------------------- */

void lbs_say_miss(lbs_sentence *s, const lb_constraint *c, const lb_constraint_result *r) {
    lbs_say_name(s, c->name ? c->name : "an unnamed constraint");
    if (r->distance > c->tolerance[0]) {
        lbs_say(s, " ");
        lbs_say_distance(s, r->distance);
        lbs_say(s, c->goal.outside ? " inside what it should avoid" : " short");
    }
    if (r->angle_rad > c->tolerance_rad) {
        lbs_say(s, r->distance > c->tolerance[0] ? " and " : " ");
        say_angle(s, r->angle_rad);
        lbs_say(s, " off");
    }
    if (r->distance <= c->tolerance[0] && r->angle_rad <= c->tolerance_rad) {
        lbs_say(s, " unmet");
    }
}

/* --- Limits, after a solve alone
 * ------------------------------------------------------------------------------------ */

/* Whether a limit that gives way by as much as one might ask for would, at the rate that its multiplier tells, take a
 * share off the level's value that is worth saying. G falls at most at that rate where it is convex, so this says
 * "may". */
static int is_likely(const lb_solver *solver, const lb_active_limit *limit, double value) {
    double give = LIKELY_GIVE_RAD;
    if (limit->variable >= 0 && !variable_of(solver, limit->figure, limit->variable)->is_angle) {
        give = sqrt(value); /* a slide that gives way by the miss */
    }
    return fabs(limit->multiplier) * give >= LIKELY_SHARE * value;
}

/* Whether a facet of the same limit comes before it in the list. */
static int is_said(const lb_result *result, int limit) {
    const lb_active_limit *own = &result->limits[limit];
    for (int i = 0; i < limit && own->row >= 0 && own->name; i++) {
        const lb_active_limit *other = &result->limits[i];
        if (other->row >= 0 && other->figure == own->figure && other->name && strcmp(other->name, own->name) == 0) {
            return 1;
        }
    }
    return 0;
}

static void say_limits(lbs_sentence *s, const lb_solver *solver, const lb_result *result) {
    const lb_constraint *c = &solver->problem->constraints[result->unmet].constraint;
    double value = c->weight * result->constraints[result->unmet].value;
    int said = 0;
    for (int i = 0; i < result->limit_count && said < MOST_SAID; i++) {
        if (!is_said(result, i) && is_likely(solver, &result->limits[i], value)) {
            const lb_active_limit *limit = &result->limits[i];
            lb_say part = lbs_part_of(LB_SAY_LIMIT);
            part.figure = limit->figure;
            part.variable = limit->variable;
            part.value = limit->value;
            lbs_say(s, said++ ? " and " : ", with ");
            lbs_begin_part(s, part);
            say_limit(s, solver, limit);
            lbs_end_part(s);
        }
    }
}

/* --- Reasons -------------------------------------------------------------------------------------------------------- */

void lbs_say_gain(lbs_sentence *s, const lb_reason *r) {
    if (r->reached) {
        lbs_say(s, "reach it");
    } else if (r->gain > 0 && r->gain_rad > 1e-3) {
        lbs_say(s, "bring it ");
        lbs_say_distance(s, r->gain);
        lbs_say(s, " closer and turn it ");
        say_about(s, r->gain_rad);
        lbs_say(s, " nearer");
    } else if (r->gain > 0) {
        lbs_say(s, "bring it ");
        lbs_say_distance(s, r->gain);
        lbs_say(s, " closer");
    } else if (r->gain_rad > 0) {
        lbs_say(s, "turn it ");
        say_about(s, r->gain_rad);
        lbs_say(s, " nearer");
    } else {
        lbs_say_number(s, floor(100 * r->share + 0.5),
                       "% less of it would be missed"); /* a potential of the caller's own */
    }
}

static void say_limit_reason(lbs_sentence *s, const lb_solver *solver, const lb_reason *r) {
    int is_angle = 1;
    lbs_say_name(s, r->name);
    if (r->kind != LB_REASON_ROW) {
        is_angle = variable_of(solver, r->figure, r->variable)->is_angle;
    }
    if (r->kind == LB_REASON_LIMIT) {
        say_end(s, variable_of(solver, r->figure, r->variable), r->is_upper);
    } else {
        lbs_say(s, " at its limit");
    }
    lbs_say(s, ": ");
    if (!lbm_is_finite(r->give)) {
        lbs_say(s, "being without it");
    } else if (is_angle) {
        say_about(s, fabs(r->give));
        lbs_say(s, " more");
    } else {
        lbs_say_distance(s, fabs(r->give));
        lbs_say(s, " more");
    }
    lbs_say(s, r->kind == LB_REASON_REGION && lbm_is_finite(r->give) ? " on every side would " : " would ");
    lbs_say_gain(s, r);
}

void lbs_say_reason(lbs_sentence *s, const lb_solver *solver, const lb_result *result, const lb_reason *r) {
    switch (r->kind) {
    case LB_REASON_LIMIT:
    case LB_REASON_ROW:
    case LB_REASON_REGION:
        say_limit_reason(s, solver, r);
        break;
    case LB_REASON_GOAL:
        lbs_say_name(s, r->name ? r->name : "an unnamed constraint");
        lbs_say(s, "'s goal pulls the other way: being without it would ");
        lbs_say_gain(s, r);
        break;
    case LB_REASON_OBSTACLE:
        lbs_say_name(s, r->name ? r->name : r->constraint < 0 ? "an obstacle" : "an unnamed obstacle");
        lbs_say(s, " is in the way: being without it would ");
        lbs_say_gain(s, r);
        break;
    case LB_REASON_DISTANCE:
        if (r->give < ALL_OF_IT * result->constraints[result->unmet].distance) {
            lbs_say(s, "at least ");
        }
        lbs_say_distance(s, r->give);
        lbs_say(s, " of it beyond the arm's length");
        break;
    case LB_REASON_BUDGET:
        lbs_say(s, "going on would ");
        lbs_say_gain(s, r);
        break;
    case LB_REASON_START:
        lbs_say(s, "another start would ");
        lbs_say_gain(s, r);
        break;
    case LB_REASON_STEP:
    case LB_REASON_BALANCE:
    case LB_REASON_APART:
    case LB_REASON_FLOOR:
        lbs_say_body_reason(s, solver, result, r);
        break;
    }
}

lb_say lbs_reason_part(const lb_result *result, int reason) {
    const lb_reason *r = &result->reasons[reason];
    lb_say part = lbs_part_of(r->kind == LB_REASON_BUDGET ? LB_SAY_GOING_ON : LB_SAY_BLOCKED);
    part.reason = reason;
    part.figure = r->figure;
    part.constraint = r->constraint;
    part.variable = r->variable;
    part.value = r->give;
    return part;
}

lb_say lbs_miss_part(const lb_result *result) {
    lb_say part = lbs_part_of(LB_SAY_MISSED);
    part.constraint = result->unmet;
    part.value = result->constraints[result->unmet].distance;
    part.value_rad = result->constraints[result->unmet].angle_rad;
    return part;
}

/* --- The whole ------------------------------------------------------------------------------------------------------ */

void lbs_say_part(lbs_sentence *s, lb_say_kind kind, const char *text) {
    lbs_begin_part(s, lbs_part_of(kind));
    lbs_say(s, text);
    lbs_end_part(s);
}

static void say_outcome(lbs_sentence *s, const lb_solver *solver, const lb_result *result) {
    if (result->outcome == LB_OUTCOME_BUDGET) {
        lbs_say_part(s, LB_SAY_OUTCOME, solver->ran_out ? "out of budget" : "no further headway");
    } else if (result->limit_count == 0 && result->reason_count == 0) {
        lbs_say_part(s, LB_SAY_OUTCOME, "as near as it gets, no limit in the way");
    } else {
        lbs_say_part(s, LB_SAY_OUTCOME, "as near as it gets");
    }
    lbs_say(s, ": ");
}

/* What a closed form found, where that proves that no pose meets the goal; NULL: nothing is proved. */
typedef struct proof {
    const lbc_form *form;
    const lbc_chain *chain;
    const lbc_ranking *ranking;
    const lb_figure *figure; /* NULL: the chain's variables are those of the whole pose */
} proof;

static int find_proof(const lb_solver *solver, proof *found) {
    const lbs_closed *closed = solver->closed;
    if (solver->space->options->method == LB_METHOD_CLOSED) {
        const lbs_closed_run *run = (const lbs_closed_run *)solver->work;
        *found = (proof){&run->closed.form, &run->closed.chain, &run->closed.ranking, run->closed.figure};
        return run->has_proof;
    }
    if (!closed || !closed->has_proof) {
        return 0;
    }
    *found = (proof){&closed->form, &closed->chain, &closed->ranking, NULL};
    return 1;
}

static const char *variable_name(const lb_solver *solver, const proof *p, int variable) {
    int figure = 0;
    if (p->figure) {
        return p->figure->variables[variable].name;
    }
    while (figure + 1 < solver->space->figure_count && solver->problem->first_variables[figure + 1] <= variable) {
        figure++;
    }
    return solver->problem->figures[figure]->variables[variable - solver->problem->first_variables[figure]].name;
}

static void say_no_solution(lbs_sentence *s, const lb_solver *solver, const proof *p) {
    char number[24];
    const int count = p->form->set.count;
    if (count == 0 && p->form->kind == LB_CLOSED_LIMB && p->form->by.limb.elbow_count > 0) {
        lbs_say(s, "no solution: no swivel angle keeps all limits");
        return;
    }
    if (count == 0) {
        lbs_say(s, "no solution, whatever the limits");
        return;
    }
    const lbc_ranked *nearest = &p->ranking->list[0];
    lbs_say(s, "no solution: ");
    if (p->form->set.is_outside) {
        lbs_say(s, "no swivel angle keeps all limits");
    } else {
        lbs_say(s, count == 1 ? "the only one is" : count == 2 ? "both are" : "all ");
        lbs_say(s, count > 2 ? lbf_integer_text(count, number) : "");
        lbs_say(s, count > 2 ? " are outside the limits" : " outside the limits");
    }
    lbs_say(s, "; the nearest breaks ");
    lbs_say_name(s, variable_name(solver, p, p->chain->variable[nearest->worst]));
    lbs_say(s, " by ");
    if (p->form->arm.slides[nearest->worst]) {
        lbs_say_distance(s, nearest->outside);
    } else {
        say_angle(s, nearest->outside);
    }
}

static void say_proof(lbs_sentence *s, const lb_solver *solver) {
    proof p;
    if (solver->space->options->method == LB_METHOD_HIERARCHY) {
        const double missing = lbs_hierarchy_missing(solver->space, solver->work);
        if (missing > 0) {
            lb_say part = lbs_part_of(LB_SAY_PROOF);
            part.value = missing;
            lbs_begin_part(s, part);
            lbs_say(s, "out of reach by at least ");
            lbs_say_distance(s, missing);
            lbs_end_part(s);
            lbs_say(s, "; ");
        }
        return;
    }
    if (!find_proof(solver, &p)) {
        return;
    }
    lbs_begin_part(s, lbs_part_of(LB_SAY_PROOF));
    say_no_solution(s, solver, &p);
    lbs_end_part(s);
    lbs_say(s, "; ");
}

static void write_sentence(const lb_solver *solver, lb_result *result, int tried) {
    if (solver->bodies) {
        lbs_write_body_explanation(solver, result);
        return;
    }
    if (result->outcome == LB_OUTCOME_SOLVED) { /* what is said most often costs least */
        static const char solved[] = "solved: every constraint is within its tolerance";
        memcpy(result->explanation, solved, sizeof solved);
        result->said[0] = lbs_part_of(LB_SAY_REACHED);
        result->said[0].length = sizeof solved - 1;
        result->said_count = 1;
        return;
    }
    int is_explained = result->freedom.determinacy != LB_DETERMINACY_UNKNOWN;
    lbs_sentence s = lbs_sentence_of(result, 0);
    if (result->unmet < 0) {
        lbs_say_part(&s, LB_SAY_OUTCOME,
                     result->outcome == LB_OUTCOME_BUDGET ? "out of budget before the end"
                     : solver->space->pair_count          ? "a minimum; every goal is met, but something touches"
                                                          : "a minimum; every goal is met, but a loop is not closed");
        return;
    }
    say_proof(&s, solver);
    say_outcome(&s, solver, result);
    lbs_begin_part(&s, lbs_miss_part(result));
    lbs_say_miss(&s, &solver->problem->constraints[result->unmet].constraint, &result->constraints[result->unmet]);
    lbs_end_part(&s);
    for (int i = 0; i < result->reason_count && i < MOST_SAID; i++) {
        lbs_say(&s, "; ");
        lbs_begin_part(&s, lbs_reason_part(result, i));
        lbs_say_reason(&s, solver, result, &result->reasons[i]);
        lbs_end_part(&s);
    }
    if (!is_explained && result->outcome == LB_OUTCOME_MINIMUM) {
        say_limits(&s, solver, result);
    }
    if (is_explained && tried && result->reason_count == 0 && result->limit_count > 0) {
        lbs_say(&s, "; ");
        lbs_say_part(&s, LB_SAY_NO_REASON, "no limit, obstacle or other goal would alone bring it a tenth closer");
    }
}

void lbs_write_explanation(const lb_solver *solver, lb_result *result, int tried) {
    write_sentence(solver, result, tried);
    if ((solver->space->pair_count || (solver->bodies && solver->apart)) && result->outcome != LB_OUTCOME_SOLVED) {
        lbs_say_pairs(solver, result);
    }
}

const char *lb_say_name(lb_say_kind kind) {
    static const char *const names[] = {"reached",   "outcome", "proof", "missed",  "limit",   "blocked", "going-on",
                                        "no-reason", "figure",  "step",  "support", "balance", "effort",  "overlap"};
    return (int)kind >= 0 && kind <= LB_SAY_OVERLAP ? names[kind] : "unknown";
}
