/* What a stage's problem keeps apart stays apart while it plays. What is carried is part of what carries it: it may
 * touch what it hangs on, and all that hangs there, as the fingers that hold it do. */
#include <string.h>

#include <limber/collisions.h>

#include "figure/error.h"
#include "figure/figure.h"
#include "figure/memory.h"
#include "motion/scene.h"
#include "problem/problem.h"

static int is_solid_segment(const lb_figure *f, int segment) {
    for (int i = 0; i < f->draft.shape_count; i++) {
        if (f->draft.shapes[i].segment == segment && f->draft.shapes[i].use != LB_SHAPE_USE_DRAWN) {
            return 1;
        }
    }
    return 0;
}

/* Whether a segment hangs on another one, or on what that hangs on. */
static int hangs_on(const lb_figure *f, int segment, int other) {
    const int above = lb_figure_parent_segment(f, other);
    while (segment >= 0 && segment != other && segment != above) {
        segment = lb_figure_parent_segment(f, segment);
    }
    return segment >= 0;
}

/* Pairs of a carried figure and what holds it; counted where list is NULL. */
static int add_held(const lbt_scene *s, const lbt_hold *hold, lb_touching *list) {
    const int object = hold->carry->object, carrier = hold->carry->carrier;
    const lb_figure *what = lbt_stage_figure(s, object), *who = lbt_stage_figure(s, carrier);
    int count = 0;
    for (int i = 0; i < what->draft.segment_count; i++) {
        for (int k = 0; k < who->draft.segment_count && is_solid_segment(what, i); k++) {
            if (is_solid_segment(who, k) && hangs_on(who, k, hold->carry->segment)) {
                if (list) {
                    list[count] = (lb_touching){s->places[object].figure, lbt_scene_segment_of(s, object, i),
                                                s->places[carrier].figure, lbt_scene_segment_of(s, carrier, k)};
                }
                count++;
            }
        }
    }
    return count;
}

static int fill(const lbt_scene *s, const lb_collisions *given, int hold_count, const lbt_hold *holds,
                lb_touching *list) {
    int count = 0;
    for (int i = 0; i < given->touching_count; i++, count++) {
        lb_touching t = given->touching[i];
        if (t.figure_a >= 0) {
            t.segment_a = lbt_scene_segment_of(s, t.figure_a, t.segment_a);
            t.figure_a = s->places[t.figure_a].figure;
        }
        if (t.figure_b >= 0) {
            t.segment_b = lbt_scene_segment_of(s, t.figure_b, t.segment_b);
            t.figure_b = s->places[t.figure_b].figure;
        }
        if (list) {
            list[count] = t;
        }
    }
    for (int i = 0; i < hold_count && given->self; i++) {
        count += add_held(s, &holds[i], list ? list + count : NULL);
    }
    return count;
}

lb_status lbt_scene_keep_apart(lbt_scene *s, int hold_count, const lbt_hold *holds, lb_error *error) {
    const lb_collisions *given = lb_problem_collisions(s->stage->problem);
    if (!given) {
        return LB_OK;
    }
    lb_collisions apart = *given;
    apart.touching_count = fill(s, given, hold_count, holds, NULL);
    const size_t room = (size_t)apart.touching_count + 1;
    lb_touching *list = lbf_new(&s->allocator, room, sizeof *list);
    if (!list) {
        return LB_ERROR_MEMORY;
    }
    fill(s, given, hold_count, holds, list);
    apart.touching = list;
    const lb_status status = lb_problem_set_collisions(s->problem, &apart);
    if (status && error) {
        *error = s->problem->error;
    }
    lbf_delete(&s->allocator, list, room, sizeof *list);
    return status;
}
