/* limber solve --why: what holds a body where it is. */
#include "cli/cli.h"
#include <limber/body.h>
#include <stdio.h>

#define EFFORTS_SHOWN 6
#define NO_EFFORT 0.005 /* share of a strength that is not worth a line */

static const char *const meanings[LB_BODY_TERM_COUNT] = {
    "variables near rest",
    "variables away from the ends of their ranges",
    "joints carry little of what they could",
    "idle arms hang, or lie in the lap",
    "the head is level",
    "the eyes follow the working hand, palms face what they touch",
    "heels stay down, steps are short",
    "poses that people were seen in",
    "elbows and knees point where they are told to",
};

static void print_terms(const lb_body_result *r) {
    double total = 0;
    int printed[LB_BODY_TERM_COUNT] = {0};
    for (int k = 0; k < LB_BODY_TERM_COUNT; k++) {
        total += r->terms[k];
    }
    printf("\nWhat holds the pose where it is, the dearest first (%.3g in all):\n", total);
    for (int n = 0; n < LB_BODY_TERM_COUNT; n++) {
        int most = -1;
        for (int k = 0; k < LB_BODY_TERM_COUNT; k++) {
            if (!printed[k] && (most < 0 || r->terms[k] > r->terms[most])) {
                most = k;
            }
        }
        printed[most] = 1;
        if (r->terms[most] > 0) {
            printf("  %-9s %9.3g  %3.0f%%  %s\n", lb_body_term_name((lb_body_term)most), r->terms[most],
                   100 * r->terms[most] / total, meanings[most]);
        }
    }
}

static void print_contacts(const lb_body *body, const lb_body_result *r) {
    char margin[32];
    int count = 0;
    for (int k = 0; k < r->contact_count; k++) {
        const lb_contact_result *c = &r->contacts[k];
        if (!c->stands) {
            continue;
        }
        if (count++ == 0) {
            printf("\nWhat stands, with its share of the weight:\n");
        }
        printf("  %-20s %4.0f%%   at %.3f,%.3f,%.3f\n", body->contacts[c->contact].name, 100 * c->share, c->point[0],
               c->point[1], c->point[2]);
    }
    for (int k = 0; k < r->step_count; k++) {
        char way[32];
        const char *name = "foot";
        for (int i = 0; i < body->contact_count; i++) {
            if (body->contacts[i].limb == r->steps[k].limb &&
                (body->contacts[i].kind == LB_CONTACT_HEEL || (body->contacts[i].kind == LB_CONTACT_BALL && i == 0) ||
                 (i > 0 && body->contacts[i - 1].limb != r->steps[k].limb))) {
                name = body->contacts[i].name;
            }
        }
        cli_print_distance(r->steps[k].distance, way);
        printf("  %-20s stepped %s\n", name, way);
    }
    printf("  %-20s at %.3f,%.3f,%.3f", "centre of mass", r->com[0], r->com[1], r->com[2]);
    if (r->margin - r->margin == 0) { /* finite */
        cli_print_distance(r->margin < 0 ? -r->margin : r->margin, margin);
        printf(", %s %s", margin, r->margin < 0 ? "outside of what stands" : "inside");
    }
    printf("\n");
}

static void print_efforts(const lb_body *body, const lb_body_result *r) {
    int count = 0;
    for (int k = 0; k < r->effort_count && count < EFFORTS_SHOWN && r->efforts[k].share > NO_EFFORT; k++) {
        if (count++ == 0) {
            printf("\nEfforts, of what each joint can hold:\n");
        }
        printf("  %-20s %4.0f%%\n", body->strengths[r->efforts[k].strength].name, 100 * r->efforts[k].share);
    }
}

void cli_print_statics(const lb_body *body, const lb_body_result *r) {
    print_contacts(body, r);
    if (r->imbalance > 1e-6) {
        printf("  nothing that stands could hold this pose up: it falls\n");
    }
    print_efforts(body, r);
}

void cli_solve_why(const lb_problem_file *file, const lb_problem *problem, const lb_solver *solver) {
    int count = 0;
    for (int f = 0; f < lb_problem_figure_count(problem); f++) {
        const lb_body_result *r = lb_solver_body(solver, f);
        const lb_body *body = lb_figure_body(lb_problem_figure(problem, f));
        if (!r || !body) {
            continue;
        }
        if (lb_problem_figure_count(problem) > 1) {
            printf("\n%s:", lb_problem_file_figure_name(file, f));
        }
        print_terms(r);
        print_contacts(body, r);
        print_efforts(body, r);
        count++;
    }
    if (!count) {
        printf("\nNo figure is posed as a body: the goals alone hold the pose.\n");
    }
}
