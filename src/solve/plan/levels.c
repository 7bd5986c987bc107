#include "solve/plan/levels.h"

#include "math/vec.h"
#include "solve/plan/space.h"

/* Sum over the rows of weight times the size of what they are differences of would be exact; G and the weights tell
 * enough. Where a level is about points alone, its value is of the order of lengths squared: a scene that is measured
 * in millimetres has a finer unit. */
double lbs_level_unit(const lbs_space *s, int level) {
    double weight = 1, scale = s->length * s->length;
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (!item->enabled || (level >= 0 && item->level != level)) {
            continue;
        }
        if (item->group >= 0 && !item->counted) {
            continue; /* an alternative that is not in the sum */
        }
        if (item->constraint->weight > weight) {
            weight = item->constraint->weight;
        }
        if (item->has_axes || item->constraint->goal.kind == LB_GOAL_CUSTOM) {
            scale = 1;
        }
    }
    if (level >= s->levels.goal_count || (!s->levels.has_wishes && lbp_has_wishes(s->problem))) {
        scale = 1;
    }
    if (level >= s->levels.goal_count) {
        const lbp_wishes *w = &s->task.wishes;
        const double most = w->posture_weight > w->stay_weight ? w->posture_weight : w->stay_weight;
        weight = most > weight ? most : weight;
        weight = w->margin_weight > weight ? w->margin_weight : weight;
        weight = w->middle_weight > weight ? w->middle_weight : weight;
    }
    return scale > 0 ? weight * scale : weight;
}

double lbs_gradient_unit(const lbs_space *s) { return lbs_level_unit(s, -1); }

/* --- Levels in order of priority
 * --------------------------------------------------------------------------------------- */

/* The highest priority of enabled items below `last`; more than LBS_LAST_PRIORITY where there is none. */
static int next_priority(const lbs_space *s, int last) {
    int next = LBS_LAST_PRIORITY + 1;
    for (int i = 0; i < s->item_count; i++) {
        const int priority = s->items[i].constraint->priority;
        if (s->items[i].enabled && priority > last && priority < next) {
            next = priority;
        }
    }
    return next;
}

/* The group of alternatives that an item belongs to: that of an earlier item of its level, or a new one. */
static int group_of(lbs_space *s, int i) {
    const lbs_item *item = &s->items[i];
    if (item->constraint->any_of <= 0) {
        return -1;
    }
    for (int k = 0; k < i; k++) {
        const lbs_item *other = &s->items[k];
        if (other->enabled && other->level == item->level &&
            other->constraint->priority == item->constraint->priority &&
            other->constraint->any_of == item->constraint->any_of) {
            return other->group;
        }
    }
    return s->levels.group_count++;
}

/* Adds a level, whose rows come behind those that there are. Returns its number. */
static int add_level(lbs_space *s, int priority) {
    const int level = s->task.level_count++;
    s->levels.priorities[level] = priority;
    s->levels.first_rows[level] = s->row_count;
    return level;
}

static void fill_level(lbs_space *s, int level) {
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        if (!item->enabled || item->constraint->priority != s->levels.priorities[level]) {
            continue;
        }
        item->level = level;
        item->row_count = lbp_goal_row_count(&item->goal.goal);
        item->first_row = s->row_count;
        s->row_count += item->row_count;
        item->group = group_of(s, i);
    }
}

void lbs_lay_out_levels(lbs_space *s) {
    s->task.level_count = s->levels.group_count = s->row_count = s->levels.has_wishes = 0;
    int priority = next_priority(s, LBS_LOOP_PRIORITY - 1);
    if (priority > LBS_LAST_PRIORITY) {
        add_level(s, 0); /* nothing is asked: one empty level */
    }
    for (; priority <= LBS_LAST_PRIORITY; priority = next_priority(s, priority)) {
        fill_level(s, add_level(s, priority));
    }
    s->levels.goal_count = s->task.level_count;
    if (lbp_has_wish_level(s->problem)) {
        s->levels.has_wishes = 1;
        add_level(s, LBS_WISH_PRIORITY);
    }
    s->levels.first_rows[s->task.level_count] = s->row_count;
}

void lbs_hide_wishes(lbs_space *s) {
    s->task.level_count = s->levels.goal_count;
    s->task.wishes.posture_weight = s->task.wishes.stay_weight = s->task.wishes.margin_weight = 0;
    s->task.wishes.middle_weight = 0;
    s->last.is_valid = 0;
}

void lbs_show_wishes(lbs_space *s) {
    s->task.level_count = s->levels.goal_count + 1;
    s->task.wishes = s->problem->wishes;
    s->last.is_valid = 0;
}
