/* What became of the bodies of a problem, in its result. */
#include "io/json/json_write.h"
#include "io/problem/problem.h"

/* The terms, the dearest first. */
static void put_terms(lbio_json *json, const lb_body_result *r) {
    int is_put[LB_BODY_TERM_COUNT] = {0};
    lbio_json_open(json, "terms", '{');
    json->is_inline++;
    for (int n = 0; n < LB_BODY_TERM_COUNT; n++) {
        int most = -1;
        for (int k = 0; k < LB_BODY_TERM_COUNT; k++) {
            if (!is_put[k] && (most < 0 || r->terms[k] > r->terms[most])) {
                most = k;
            }
        }
        is_put[most] = 1;
        lbio_json_number(json, lb_body_term_name((lb_body_term)most), r->terms[most]);
    }
    lbio_json_close(json, '}');
    json->is_inline--;
}

static void put_contacts(lbio_json *json, const lb_body *body, const lb_body_result *r) {
    lbio_json_open(json, "contacts", '[');
    for (int k = 0; k < r->contact_count; k++) {
        const lb_contact_result *c = &r->contacts[k];
        lbio_json_open(json, NULL, '{');
        json->is_inline++;
        lbio_json_string(json, "name", body->contacts[c->contact].name);
        lbio_json_string(json, "kind", lb_contact_kind_name(body->contacts[c->contact].kind));
        lbio_json_truth(json, "stands", c->stands);
        lbio_json_number(json, "share", c->share);
        lbio_json_numbers(json, "point", c->point, 3);
        lbio_json_close(json, '}');
        json->is_inline--;
    }
    lbio_json_close(json, ']');
}

/* The contact that a foot is known by: its heel, or the first that it has. */
static const char *foot_of(const lb_body *body, int limb) {
    const char *name = NULL;
    for (int k = 0; k < body->contact_count; k++) {
        if (body->contacts[k].limb == limb && (!name || body->contacts[k].kind == LB_CONTACT_HEEL)) {
            name = body->contacts[k].name;
        }
    }
    return name;
}

void lbio_put_body_result(lbio_json *json, const char *key, const lb_body *body, const lb_body_result *r) {
    lbio_json_open(json, key, '{');
    put_terms(json, r);
    put_contacts(json, body, r);
    lbio_json_open(json, "steps", '[');
    json->is_inline++;
    for (int k = 0; k < r->step_count; k++) {
        lbio_json_open(json, NULL, '{');
        lbio_json_string(json, "heel", foot_of(body, r->steps[k].limb));
        lbio_json_number(json, "distance_m", r->steps[k].distance);
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
    json->is_inline--;
    lbio_json_open(json, "efforts", '{');
    json->is_inline++;
    for (int k = 0; k < r->effort_count; k++) {
        lbio_json_number(json, body->strengths[r->efforts[k].strength].name, r->efforts[k].share);
    }
    lbio_json_close(json, '}');
    json->is_inline--;
    lbio_json_numbers(json, "com", r->com, 3);
    lbio_json_number(json, "margin_m", r->margin);
    lbio_json_number(json, "overlap_m", r->overlap);
    lbio_json_number(json, "imbalance", r->imbalance);
    lbio_json_string(json, "start", r->start);
    lbio_json_close(json, '}');
}

void lbio_put_body_results(lbio_json *json, const lb_problem_file *file, const lb_solver *solver) {
    int count = 0;
    for (int k = 0; solver && k < file->figure_count; k++) {
        const lb_body_result *r = lb_solver_body(solver, k);
        if (!r) {
            continue;
        }
        if (file->figure_count > 1 && count++ == 0) {
            lbio_json_open(json, "bodies", '{');
        }
        lbio_put_body_result(json, file->figure_count > 1 ? file->names[k] : "body", lb_figure_body(file->figures[k]),
                             r);
    }
    if (count) {
        lbio_json_close(json, '}');
    }
}
