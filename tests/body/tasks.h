/* The tasks of problems/body in the words of the checks: what is asked, on what the person rests, and what is expected of
 * the answer beyond that. They can be mirrored and scaled, and be made problems again. */
#ifndef LIMBER_TESTS_BODY_TASKS_H
#define LIMBER_TESTS_BODY_TASKS_H

#include <limber/body.h>
#include <limber/io.h>

#define TASK_NAME 64
#define TASK_GOALS 8
#define TASK_SUPPORTS 4

/* What is asked of one end-effector. */
typedef struct task_goal {
    char effector[TASK_NAME]; /* a site */
    lb_goal_kind kind;        /* position, frame, plane, line or aim */
    char carrier[TASK_NAME];  /* the segment whose frame the rest is in; "": the world */
    double point[3], x[3], y[3], normal[3];
    int has_x, has_y; /* which directions of a frame are asked for */
} task_goal;

/* A contact point that rests on something. */
typedef struct task_support {
    char contact[TASK_NAME];
    char surface[TASK_NAME]; /* "floor", or a name of its own */
    double point[3], half_size[2];
} task_support;

typedef struct task {
    char name[TASK_NAME];
    int is_reach;     /* the arm alone can do it */
    int is_symmetric; /* right and left are the same */
    int is_low;
    int is_seated;
    int goal_count, support_count;
    task_goal goals[TASK_GOALS];
    task_support supports[TASK_SUPPORTS];
} task;

extern const int task_count; /* in problems/body */
const char *task_name(int index);

/* Reads a task and its file, which the caller destroys. Ends the test where that is not possible. */
lb_problem_file *task_load(int index, task *t);
/* The same problem as the file has, made from the task for a figure. */
lb_problem *task_problem(const task *t, const lb_figure *figure);

/* y becomes -y, and right becomes left. The figure says how the frames of its right and left are mirrored. */
void task_mirror(const task *t, const lb_figure *figure, task *mirrored);
void task_scale(const task *t, double factor, task *scaled);
/* The name on the other side: right_palm of left_palm. */
void other_side(const char *name, char other[TASK_NAME]);
/* The mirrored pose. */
void pose_mirror(const lb_figure *figure, const double *pose, double *mirrored);

#endif
