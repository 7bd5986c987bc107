/* A habit: a Gaussian over features of a pose. */
#ifndef LIMBER_FIGURE_HABIT_H
#define LIMBER_FIGURE_HABIT_H

#include <limber/body.h>

struct lb_habit {
    lb_allocator allocator;
    size_t size; /* of the block that it begins */
    lb_habit_data data;
};

/* A copy; NULL if there is no memory. */
lb_habit *lbf_copy_habit(const lb_habit *habit, const lb_allocator *allocator);
/* Finds the variables, axes and contacts that the features name, into indices [feature_count]: of a variable or a
 * contact its number, of a component 0 to 2, of the height 0. Returns the first feature that names none, or -1. */
int lbf_find_habit(const lb_habit *habit, const lb_figure *figure, int *indices);
/* The message for a feature that names nothing: its name, and a near one. */
lb_status lbf_refuse_habit(const lb_habit *habit, const lb_figure *figure, int feature, lb_error *error);
/* By what heights of the habit are multiplied to be those of the figure. The kinematics is left in the rest pose. */
double lbf_habit_scale(const lb_habit *habit, lb_kinematics *kinematics);

#endif
