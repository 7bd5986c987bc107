/* Priorities of people who are posed as bodies: what a lower goal gains never costs a higher one anything. */
#include <math.h>
#include <string.h>

#include "people/people.h"
#include "property.h"

static property properties[] = {{.name = "a lower goal costs a higher one nothing"}};

#define TOLERANCE 2e-5 /* metres: three coordinates, each within its tolerance */

/* A standing person without goals, at some stature. */
static void stand(people *p, uint64_t seed) {
    people_make(p, seed, PEOPLE_STANDING | PEOPLE_PLAIN);
    while (lb_problem_constraint_count(p->problem) > 0) {
        REQUIRE(lb_problem_remove(p->problem, lb_problem_constraint_id(p->problem, 0)) == LB_OK);
    }
    memcpy(p->start, p->rest, sizeof p->start);
}

static int reach(people *p, const char *effector, double x, double y, double z, int priority) {
    const double point[3] = {x * p->size, y * p->size, z * p->size};
    lb_constraint c;
    REQUIRE(lb_constraint_at(p->figure, effector, point, &c) == LB_OK);
    c.priority = priority;
    return people_add(p, &c);
}

static double missed(const people_answer *a, int id) {
    for (int i = 0; i < a->constraint_count; i++) {
        if (a->constraints[i].id == id) {
            return a->constraints[i].distance;
        }
    }
    return INFINITY;
}

/* The same hand, or the other one far away. */
static void run(long number, uint64_t seed) {
    people_answer alone, both;
    people p;
    (void)number;
    stand(&p, seed);
    int id = reach(&p, "right_palm", check_random_range(&p.random, 0.25, 0.45), check_random_range(&p.random, -0.3, 0),
                   check_random_range(&p.random, 0.8, 1.4), 0);
    people_solve_afresh(&p, NULL, p.start, &alone);
    double point[3];
    people_point(&p, point);
    const char *other = check_random_index(&p.random, 2) ? "right_palm" : "left_palm";
    reach(&p, other, point[0] / p.size, point[1] / p.size, point[2] / p.size, 1);
    people_solve_afresh(&p, NULL, p.start, &both);
    property_expect(&properties[0], missed(&alone, id) > TOLERANCE || missed(&both, id) < TOLERANCE,
                    "%.2f m, %s at %.2f %.2f %.2f: missed by %g, alone by %g, \"%s\"", 1.75 * p.size, other, point[0],
                    point[1], point[2], missed(&both, id), missed(&alone, id), both.result.explanation);
    people_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 60, 600, run, properties, 1); }
