/* Priorities of people who are posed as bodies: what a lower goal gains never costs a higher one anything. */
#include <math.h>
#include <string.h>

#include "people/people.h"
#include "property.h"

static property properties[] = {{.name = "a lower goal costs a higher one nothing"}};

#define TOLERANCE 2e-5 /* metres: three coordinates, each within its tolerance */

/* The same hand, or the other one far away. */
static void run(long number, uint64_t seed) {
    people_answer alone, both;
    people p;
    (void)number;
    people_stand(&p, seed);
    int id = people_reach(&p, "right_palm", check_random_range(&p.random, 0.25, 0.45),
                          check_random_range(&p.random, -0.3, 0), check_random_range(&p.random, 0.8, 1.4), 0);
    people_solve_afresh(&p, NULL, p.start, &alone);
    double point[3];
    people_point(&p, point);
    const char *other = check_random_index(&p.random, 2) ? "right_palm" : "left_palm";
    people_reach(&p, other, point[0] / p.size, point[1] / p.size, point[2] / p.size, 1);
    people_solve_afresh(&p, NULL, p.start, &both);
    property_expect(&properties[0], people_missed(&alone, id) > TOLERANCE || people_missed(&both, id) < TOLERANCE,
                    "%.2f m, %s at %.2f %.2f %.2f: missed by %g, alone by %g, \"%s\"", 1.75 * p.size, other, point[0],
                    point[1], point[2], people_missed(&both, id), people_missed(&alone, id), both.result.explanation);
    people_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 60, 600, run, properties, 1); }
