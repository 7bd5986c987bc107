/* Contacts of points' paths, and paths that hold still in them; retarget.c uses both. */
#ifndef LIMBER_MOTION_CONTACT_H
#define LIMBER_MOTION_CONTACT_H

#include <limber/motion.h>

/* What the options mean for a figure of this size and this frame time. */
typedef struct lbt_contact_rule {
    double height, speed, release; /* metres, metres a frame, factor */
    int least, ease, span;         /* frames; span: half of what a speed is taken over */
} lbt_contact_rule;

lb_status lbt_contact_rule_from(const lb_contact_options *options, double scale, double frame_time,
                                lbt_contact_rule *rule, lb_error *error);
/* The height that a path goes down to again and again: a twentieth of its frames are lower. scratch[count]. */
double lbt_lowest_level(int count, const double (*path)[3], double *scratch);
/* Contacts of one path, with `point` in them. Returns how many there are, also those that `contacts` has no room
 * for. */
int lbt_find_contacts(const lbt_contact_rule *rule, int count, const double (*path)[3], int point, double *scratch,
                      int most, lb_contact *contacts);
/* Where contacts hold their points: the mean of each point's path, at the right distance from an earlier point on the
 * same rigid part that is held at the same time, or no more than `margin` frames before or after. rigid[point]: of its
 * part; paths[point][count]. Contacts are in the order of points, then of time. */
void lbt_place_contacts(int contact_count, lb_contact *contacts, const int *rigid, int margin, int count,
                        const double (*paths)[3]);
/* Moves a path so that it is at its contacts' places during them, fading in and out. moved[count]: how far the
 * nearest contact counts, 1 during it, 0 where the path stays as it was; may be NULL. */
void lbt_hold_path(const lbt_contact_rule *rule, int contact_count, const lb_contact *contacts, int point, int count,
                   double (*path)[3], double *moved);
/* A metre of a grown person in this figure, from its height at rest; 1 where it has none. */
double lbt_figure_scale(lb_kinematics *kinematics, double *pose);

#endif
