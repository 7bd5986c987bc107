#include "body.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "geometry.h"
#include "thresholds.h"

static int differs(const task *t, const char *what) {
    printf("%s: lb_solver_body says otherwise: %s\n", t->name, what);
    return 0;
}

/* The height of the surface that a contact may stand on. */
static double surface_height(const person *p, const task *t, int contact) {
    for (int k = 0; k < t->support_count; k++) {
        if (strcmp(t->supports[k].contact, p->body->contacts[contact].name) == 0) {
            return t->supports[k].point[2];
        }
    }
    return 0;
}

/* Contacts are where they are measured to be; those that stand do so, and only they carry, downwards. */
static int contacts_agree(const person *p, const task *t, const lb_body_result *said, double (*points)[2], int *count) {
    double at[3];
    *count = 0;
    for (int k = 0; k < said->contact_count; k++) {
        const lb_contact_result *c = &said->contacts[k];
        person_contact(p, c->contact, at);
        if (distance3(at, c->point) > 1e-9) {
            return differs(t, "a contact is elsewhere");
        }
        if (c->stands && at[2] - surface_height(p, t, c->contact) > BODY_STANDS_M) {
            return differs(t, "a contact that stands is in the air");
        }
        if (c->share < -1e-9 || (!c->stands && c->share > 1e-9)) {
            return differs(t, "a contact pulls, or carries something in the air");
        }
        if (c->stands && *count < 64) {
            points[*count][0] = at[0];
            points[(*count)++][1] = at[1];
        }
    }
    return 1;
}

int report_agrees(const person *p, const task *t, const lb_solver *solver, const measures *m) {
    const lb_body_result *said = lb_solver_body(solver, 0);
    double points[64][2], shares = 0, held[2] = {0, 0};
    int count = 0;
    if (!said) {
        return differs(t, "there is no body");
    }
    if (distance3(said->com, m->com) > 1e-9) {
        return differs(t, "the centre of mass is elsewhere");
    }
    if (!contacts_agree(p, t, said, points, &count)) {
        return 0;
    }
    const double outside = outside_hull((const double(*)[2])points, count, m->com);
    if ((said->margin > 0) != (outside < 0) || (outside < 0 && fabs(said->margin + outside) > 1e-6)) {
        return differs(t, "the margin of balance is another one");
    }
    for (int k = 0; k < said->contact_count; k++) {
        shares += said->contacts[k].share;
        held[0] += said->contacts[k].share * said->contacts[k].point[0];
        held[1] += said->contacts[k].share * said->contacts[k].point[1];
    }
    if (outside < 0 && (fabs(shares - 1) > 1e-6 || hypot(held[0] - m->com[0], held[1] - m->com[1]) > 1e-4)) {
        return differs(t, "what the contacts carry does not hold up the centre of mass");
    }
    return 1;
}
