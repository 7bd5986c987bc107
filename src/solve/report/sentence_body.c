/* The sentence of a result whose figures are posed as bodies, as one would tell it of a person: which foot steps, how
 * firmly the body stands, what is hardest; and where a goal is out of reach, what keeps the body from it. */
#include <math.h>
#include <string.h>

#include "solve/body/body.h"
#include "solve/report/sentence.h"

#define MOST_REASONS 2     /* in a sentence */
#define ALMOST_ALL 0.95    /* share of a miss that passes for all of it in words */
#define TOO_MUCH 1.0       /* share of a strength above which a joint cannot hold */
#define AT_THE_EDGE 0.005  /* metres of balance to either side that need no number */
#define STEEP 0.5          /* cosine of a slope: what is steeper is leant on, not stood on */
#define LONGEST_STEP 0.9   /* metres: who has to go farther walks */
#define IN_THE_FLOOR 0.001 /* metres of overlap that are worth saying */

/* Begins a clause, which is a part: with a capital where it is the first one. */
static void begin(lbs_sentence *s, int *count, lb_say part, const char *text) {
    char first[2] = {text[0], 0};
    if ((*count)++) {
        lbs_say(s, "; ");
    } else if (first[0] >= 'a' && first[0] <= 'z') {
        first[0] = (char)(first[0] - 'a' + 'A');
    }
    lbs_begin_part(s, part);
    lbs_say(s, first);
    lbs_say(s, text + 1);
}

/* A part about a body. */
static lb_say part_of(lb_say_kind kind, const lbs_body *b, double value) {
    lb_say part = lbs_part_of(kind);
    part.figure = b->number;
    part.value = value;
    return part;
}

/* Whole centimetres, as people say them. */
static void say_way(lbs_sentence *s, double metres) {
    if (metres >= 1) {
        lbs_say_number(s, floor(metres * 100 + 0.5) / 100, " m");
    } else if (metres >= 0.0095) {
        lbs_say_number(s, floor(metres * 100 + 0.5), " cm");
    } else {
        lbs_say_distance(s, metres);
    }
}

static void say_percent(lbs_sentence *s, double share) { lbs_say_number(s, floor(100 * share + 0.5), "%"); }

/* The foot that a limb has: "left foot" by the name of its heel, left_heel; else its first ball, or its number. */
static void say_foot(lbs_sentence *s, const lb_body *body, int limb) {
    static const char ending[] = "_heel";
    for (int i = 0; i < body->contact_count; i++) {
        const char *name = body->contacts[i].name;
        const size_t length = strlen(name), tail = sizeof ending - 1;
        if (body->contacts[i].limb == limb && body->contacts[i].kind == LB_CONTACT_HEEL && length > tail &&
            length < 64 + tail && strcmp(name + length - tail, ending) == 0) {
            char cut[64];
            memcpy(cut, name, length - tail);
            cut[length - tail] = 0;
            lbs_say_name(s, cut);
            lbs_say(s, " foot");
            return;
        }
    }
    for (int i = 0; i < body->contact_count; i++) {
        if (body->contacts[i].limb == limb && body->contacts[i].kind == LB_CONTACT_BALL) {
            lbs_say_name(s, body->contacts[i].name);
            return;
        }
    }
    lbs_say_number(s, limb, ". foot");
}

/* --- What the body does
 * ------------------------------------------------------------------------------------------------ */

static void say_steps(lbs_sentence *s, int *count, const lbs_body *b) {
    for (int i = 0; i < b->report->result.step_count; i++) {
        const lb_step_result *step = &b->report->result.steps[i];
        lb_say part = part_of(LB_SAY_STEP, b, step->distance);
        part.limb = step->limb;
        begin(s, count, part, "the ");
        say_foot(s, b->body, step->limb);
        lbs_say(s, " steps ");
        say_way(s, step->distance);
        lbs_end_part(s);
    }
}

/* The part of the body that a contact is at: "left hand" of left_palm. */
static void say_part(lbs_sentence *s, const char *name, lb_contact_kind kind) {
    static const char *const endings[] = {"_palm", "_elbow", "_knee"}, *const parts[] = {" hand", " elbow", " knee"};
    const int which = kind == LB_CONTACT_PALM ? 0 : kind == LB_CONTACT_ELBOW ? 1 : kind == LB_CONTACT_KNEE ? 2 : -1;
    const size_t length = strlen(name), tail = which < 0 ? 0 : strlen(endings[which]);
    char cut[64];
    if (which < 0 || length <= tail || length - tail >= sizeof cut ||
        strcmp(name + length - tail, endings[which]) != 0) {
        lbs_say_name(s, name);
        return;
    }
    memcpy(cut, name, length - tail);
    cut[length - tail] = 0;
    lbs_say_name(s, cut);
    lbs_say(s, parts[which]);
}

static void say_surface(lbs_sentence *s, const lbs_body *b, int surface) {
    lbs_say(s, "the ");
    lbs_say_name(s, surface < 0 ? "floor" : b->options->surfaces[surface].name);
}

static double length3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Feet that stand on something else than the floor. */
static void say_feet(lbs_sentence *s, int *count, const lbs_body *b) {
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        const int on = foot->ball_count ? b->stand.contacts[foot->balls[0]].plane->surface : -1;
        double share = 0;
        for (int k = 0; k < b->stand.contact_count; k++) {
            share += b->stand.contacts[k].foot == i ? b->report->contacts[k].share : 0;
        }
        if (on < 0 || b->state->feet[i].state == LBS_FOOT_LIFTED) {
            continue;
        }
        begin(s, count, part_of(LB_SAY_SUPPORT, b, share), "the ");
        say_foot(s, b->body, foot->limb);
        lbs_say(s, " stands on ");
        say_surface(s, b, on);
        lbs_say(s, ": ");
        say_percent(s, share);
        lbs_say(s, " of the weight");
        lbs_end_part(s);
    }
}

/* What the body sits on: all its seat contacts together. */
static void say_seat(lbs_sentence *s, int *count, const lbs_body *b) {
    double share = 0;
    int on = LBS_NOT_TOLD;
    for (int i = 0; i < b->stand.contact_count; i++) {
        if (b->stand.contacts[i].is_support && b->body->contacts[i].kind == LB_CONTACT_SEAT) {
            share += b->report->contacts[i].share;
            on = b->stand.contacts[i].plane->surface;
        }
    }
    if (on != LBS_NOT_TOLD) {
        begin(s, count, part_of(LB_SAY_SUPPORT, b, share), "sits on ");
        say_surface(s, b, on);
        lbs_say(s, ": ");
        say_percent(s, share);
        lbs_say(s, " of the weight");
        lbs_end_part(s);
    }
}

/* What is held on to, knelt or leant on. */
static void say_supports(lbs_sentence *s, int *count, const lbs_body *b) {
    say_feet(s, count, b);
    say_seat(s, count, b);
    for (int i = 0; i < b->stand.contact_count; i++) {
        const lbs_contact *contact = &b->stand.contacts[i];
        const lb_body_contact *c = &b->body->contacts[i];
        const int is_wall = contact->plane->axes.normal[2] < STEEP;
        if (!contact->is_support || c->kind == LB_CONTACT_SEAT) {
            continue;
        }
        const double share = is_wall ? length3(b->report->contacts[i].force) : b->report->contacts[i].share;
        begin(s, count, part_of(LB_SAY_SUPPORT, b, contact->force >= 0 ? share : 0),
              is_wall                       ? "leans on "
              : c->kind == LB_CONTACT_KNEE  ? "kneels on "
              : contact->plane->surface < 0 ? "rests on "
              : c->kind == LB_CONTACT_PALM  ? "holds on to "
                                            : "rests on ");
        say_surface(s, b, contact->plane->surface);
        lbs_say(s, " with the ");
        say_part(s, c->name, c->kind);
        if (contact->force >= 0) {
            lbs_say(s, is_wall ? ", pushing by " : ": ");
            say_percent(s, share);
            lbs_say(s, " of the weight");
        }
        lbs_end_part(s);
    }
}

/* Whether something is leant on that is not under the body: then its balance is not a matter of what is. */
static int leans(const lbs_body *b) {
    for (int i = 0; i < b->stand.contact_count; i++) {
        if (b->stand.contacts[i].is_support && b->stand.contacts[i].plane->axes.normal[2] < STEEP) {
            return 1;
        }
    }
    return 0;
}

static void say_balance(lbs_sentence *s, int *count, const lbs_body *b, const lbs_space *space) {
    const double margin = b->report->result.margin;
    if (!lbm_is_finite(margin) || lbs_body_is_held(b, space) || (margin < 0 && leans(b))) {
        return;
    }
    const lb_say part = part_of(LB_SAY_BALANCE, b, margin);
    if (fabs(margin) < AT_THE_EDGE) {
        begin(s, count, part, "balance at its edge");
    } else if (margin >= 0) {
        begin(s, count, part, "balance ");
        say_way(s, margin);
        lbs_say(s, " inside");
    } else {
        begin(s, count, part, "out of balance by ");
        say_way(s, -margin);
    }
    lbs_end_part(s);
}

static void say_effort(lbs_sentence *s, int *count, const lbs_body *b) {
    if (b->report->result.effort_count == 0) {
        return;
    }
    const lb_effort_result *most = &b->report->result.efforts[0];
    begin(s, count, part_of(LB_SAY_EFFORT, b, most->share), most->share > TOO_MUCH ? "too heavy: " : "most effort: ");
    lbs_say_name(s, b->body->strengths[most->strength].name);
    lbs_say(s, most->share > TOO_MUCH ? " at " : " ");
    say_percent(s, most->share);
    if (most->share > TOO_MUCH) {
        lbs_say(s, " of its strength");
    }
    lbs_end_part(s);
}

/* With the figure's number where there are several. */
static void say_bodies(lbs_sentence *s, const lb_solver *solver) {
    const lbs_bodies *all = solver->bodies;
    for (int i = 0; i < all->count; i++) {
        int count = 0;
        const lbs_body *b = &all->bodies[i];
        lbs_say(s, " ");
        if (all->count > 1) {
            lbs_begin_part(s, part_of(LB_SAY_FIGURE, b, 0));
            lbs_say_number(s, b->number + 1, ". figure");
            lbs_end_part(s);
            lbs_say(s, ": ");
        }
        say_steps(s, &count, b);
        say_supports(s, &count, b);
        say_balance(s, &count, b, solver->space);
        say_effort(s, &count, b);
        lbs_say(s, count ? "." : "");
    }
}

/* --- What is in the way
 * ---------------------------------------------------------------------------------------------------- */

static int is_all_of_it(const lb_reason *r) { return r->reached || r->share >= ALMOST_ALL; }

/* Where there is a hand that has nothing to do. */
static const char *advice(const lb_solver *solver, int figure) {
    const lbs_bodies *all = solver->bodies;
    for (int i = 0; i < all->count; i++) {
        int idle = 0;
        for (int k = 0; k < all->bodies[i].arm_count; k++) {
            idle += all->bodies[i].arms[k].is_idle;
        }
        if (all->bodies[i].number == figure && idle) {
            return idle == all->bodies[i].arm_count ? ": hold on with a hand" : ": hold on with the other hand";
        }
    }
    return "";
}

void lbs_say_body_reason(lbs_sentence *s, const lb_solver *solver, const lb_result *result, const lb_reason *r) {
    (void)result;
    if (r->kind == LB_REASON_STEP) {
        lbs_say(s, r->give < LONGEST_STEP ? "a step of " : "walking ");
        say_way(s, r->give);
        lbs_say(s, " would ");
        lbs_say_gain(s, r);
    } else if (r->kind == LB_REASON_BALANCE) {
        lbs_say(s, "would fall ");
        lbs_say(s, r->name ? r->name : "over");
        lbs_say(s, advice(solver, r->figure));
    } else {
        lbs_say(s, r->kind == LB_REASON_APART ? "the body itself is in the way: going through it would "
                                              : "the floor is in the way: going through it would ");
        lbs_say_gain(s, r);
    }
}

/* Whether not stepping is all that keeps the goal away: then the miss is told by it. */
static const lb_reason *missing_step(const lb_result *result) {
    for (int i = 0; i < result->reason_count; i++) {
        if (result->reasons[i].kind == LB_REASON_STEP && is_all_of_it(&result->reasons[i])) {
            return &result->reasons[i];
        }
    }
    return NULL;
}

static void say_unmet(lbs_sentence *s, const lb_solver *solver, const lb_result *result) {
    const lb_constraint *c = &solver->problem->constraints[result->unmet].constraint;
    const lb_constraint_result *miss = &result->constraints[result->unmet];
    const lb_reason *step = missing_step(result);
    const int is_explained = result->freedom.determinacy != LB_DETERMINACY_UNKNOWN;
    int said = 0;
    lb_say missed = lbs_miss_part(result);
    missed.reason = step ? (int)(step - result->reasons) : -1;
    lbs_say_part(s, LB_SAY_OUTCOME,
                 solver->ran_out                         ? "Out of budget"
                 : result->outcome == LB_OUTCOME_MINIMUM ? "Out of reach"
                                                         : "Not reached");
    lbs_say(s, ": ");
    lbs_begin_part(s, missed);
    if (step && miss->distance > c->tolerance[0]) {
        lbs_say_name(s, c->name ? c->name : "an unnamed constraint");
        lbs_say(s, " ");
        say_way(s, miss->distance);
        lbs_say(s, step->give < LONGEST_STEP ? " too far without a step" : " too far without walking nearer");
    } else if (is_explained && result->reason_count == 0 && miss->distance > c->tolerance[0] && !c->goal.outside) {
        lbs_say_name(s, c->name ? c->name : "an unnamed constraint");
        lbs_say(s, " ");
        say_way(s, miss->distance);
        lbs_say(s, " beyond reach");
    } else {
        lbs_say_miss(s, c, miss);
    }
    lbs_end_part(s);
    for (int i = 0; i < result->reason_count && said < MOST_REASONS; i++) {
        if (&result->reasons[i] != step) {
            lbs_say(s, "; ");
            lbs_begin_part(s, lbs_reason_part(result, i));
            lbs_say_reason(s, solver, result, &result->reasons[i]);
            lbs_end_part(s);
            said++;
        }
    }
    lbs_say(s, ".");
}

/* --- The whole --------------------------------------------------------------------------------------------------------------- */

/* Every goal is met, but what holds of bodies is not. */
static void say_not_as_bodies(lbs_sentence *s, const lb_solver *solver) {
    double overlap = 0;
    for (int i = 0; i < solver->bodies->count; i++) {
        const double own = solver->bodies->bodies[i].report->result.overlap;
        overlap = own > overlap ? own : overlap;
    }
    lbs_say_part(s, LB_SAY_OUTCOME, "Every goal is met, but not as a body can");
    lbs_say(s, ": ");
    lb_say part = lbs_part_of(overlap > IN_THE_FLOOR ? LB_SAY_OVERLAP : LB_SAY_NO_REASON);
    part.value = overlap > IN_THE_FLOOR ? overlap : 0;
    lbs_begin_part(s, part);
    if (overlap > IN_THE_FLOOR) {
        lbs_say(s, "something is ");
        say_way(s, overlap);
        lbs_say(s, " deep in the floor, in an obstacle or in the body itself");
    } else {
        lbs_say(s, "it cannot stand so");
    }
    lbs_end_part(s);
    lbs_say(s, ".");
}

void lbs_write_body_explanation(const lb_solver *solver, lb_result *result) {
    lbs_sentence s = lbs_sentence_of(result, 0);
    if (result->outcome == LB_OUTCOME_SOLVED) {
        lbs_say_part(&s, LB_SAY_REACHED, "Solved");
        lbs_say(&s, ".");
    } else if (result->unmet >= 0) {
        say_unmet(&s, solver, result);
    } else {
        say_not_as_bodies(&s, solver);
    }
    say_bodies(&s, solver);
}
