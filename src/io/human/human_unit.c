/* The length unit of a file that does not say it, or not truly: the legs of a person tell. */
#include "io/human/human.h"

#include <math.h>
#include <stddef.h>

/* Lengths of a leg, hip to ankle, in units of the file. Of 20 to 24 and 43 to 400 they are centimetres: what is between
 * is a leg of less than 20 cm or more than 1.6 m in the others. The subject's unit in the CMU database is 1/0.45 inch,
 * and files that were made from it kept that; MakeHuman writes decimetres, Second Life and Poser inches. */
static const struct {
    double least, most, unit;
    const char *name;
} units_by_leg[] = {
    {0.2, 1.6, 1, "metres"},          {4, 11, 0.1, "decimetres"}, {11, 20, 0.0254 / 0.45, "CMU's unit of 5.644 cm"},
    {20, 24, 0.01, "centimetres"},    {24, 43, 0.0254, "inches"}, {43, 400, 0.01, "centimetres"},
    {400, 1600, 0.001, "millimetres"}};
#define UNITS (int)(sizeof units_by_leg / sizeof units_by_leg[0])

double lbio_unit_of_leg(double leg, double usual, const char **name) {
    for (int i = 0; i < UNITS; i++) {
        if (leg > units_by_leg[i].least && leg < units_by_leg[i].most && units_by_leg[i].unit != usual) {
            *name = units_by_leg[i].name;
            return units_by_leg[i].unit;
        }
    }
    return usual;
}
