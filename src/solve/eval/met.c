/* What is met at the last evaluation. */
#include "solve/plan/space.h"

int lbs_met_itself(const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    return lbp_goal_met_at(&item->goal, item->e, c->tolerance, c->tolerance_rad);
}

int lbs_item_met(const lbs_space *s, const lbs_item *item) {
    if (lbs_met_itself(item)) {
        return 1;
    }
    for (int i = 0; i < s->item_count && item->group >= 0; i++) {
        const lbs_item *other = &s->items[i];
        if (other->enabled && other->group == item->group && lbs_met_itself(other)) {
            return 1;
        }
    }
    return 0;
}

int lbs_met(const lbs_space *s, int level) {
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (!item->enabled || !item->counted || item->level > level) {
            continue;
        }
        const lb_constraint *c = item->constraint;
        if (lbp_goal_met_at(&item->goal, item->e, c->tolerance, c->tolerance_rad)) {
            continue;
        }
        if (item->group < 0 || !lbs_item_met(s, item)) {
            return 0;
        }
    }
    return 1;
}

int lbs_reported_level(const lbs_space *s) {
    int level = 0;
    while (level < s->task.level_count - 1 && lbs_met(s, level)) {
        level++;
    }
    return level;
}

int lbs_is_content(const lbs_space *s, const double *z, int level) {
    return lbs_met(s, level) && (level < s->task.level_count - 1 || lbs_wishes(s, z, NULL, NULL) == 0);
}
