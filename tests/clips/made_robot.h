/* Humanoid robots made for tests: random proportions, orders and signs of axes, frames of links, names and rest poses. */
#ifndef LIMBER_TESTS_CLIPS_MADE_ROBOT_H
#define LIMBER_TESTS_CLIPS_MADE_ROBOT_H

#include <limber/io.h>

/* What the robot truly is. */
typedef struct made_robot {
    lb_figure *figure;
    int segments[LB_BODY_PART_COUNT]; /* as lb_humanoid_find should say */
    int joints[2][6]; /* left, right: joints whose sites are at shoulder, elbow, wrist (-1: none), hip, knee, ankle */
    double sole[2][4][3];          /* the corners of the soles in the frames of the feet */
    double toes[2][3], heel[2][3]; /* the middles of their front and rear edges */
    int ankle_hinges;              /* 1 or 2 */
} made_robot;

/* Makes the robot of a seed; the caller destroys its figure. */
void made_robot_make(unsigned long long seed, made_robot *made);

#endif
