/* Habits of figures that are posed as bodies. */
#include "figure/figure.h"
#include "figure/habit.h"
#include "problem/problem.h"

lb_status lb_problem_set_habit(lb_problem *p, int figure, const lb_habit *habit) {
    int indices[LB_HABIT_FEATURES];
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_figure *f = lb_problem_figure(p, figure);
    if (!f) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "there is no such figure in the problem");
    }
    if (!habit && !lb_problem_habit(p, figure)) {
        return LB_OK;
    }
    if (habit && !f->draft.body) {
        return LBP_FAIL(
            p, LB_ERROR_UNSUPPORTED,
            "the figure has no body, and a habit is of how a body is posed; its file needs a statement `body`, or the "
            "program lb_figure_set_body");
    }
    const int unknown = habit ? lbf_find_habit(habit, f, indices) : -1;
    if (unknown >= 0) {
        return lbf_refuse_habit(habit, f, unknown, &p->error);
    }
    lb_habit *copy = habit ? lbf_copy_habit(habit, &p->allocator) : NULL;
    if ((habit && !copy) || !lbp_make_room_for_body(p, figure)) {
        lb_habit_destroy(copy);
        return LBP_FAIL(p, LB_ERROR_MEMORY, "out of memory");
    }
    lb_habit_destroy(p->bodies[figure].habit);
    p->bodies[figure].habit = copy;
    p->shape++;
    p->revision++;
    return LB_OK;
}

const lb_habit *lb_problem_habit(const lb_problem *p, int figure) {
    return p && figure >= 0 && figure < p->body_capacity ? p->bodies[figure].habit : NULL;
}
