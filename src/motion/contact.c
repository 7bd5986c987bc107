/* Clean-up: where a motion's points stand, and a motion in which they do stand. */
#include "motion/contact.h"

#include "figure/error.h"
#include "figure/figure.h"
#include "figure/sized.h"
#include "math/vec.h"

#define STATURE 1.75      /* of the person whose metres the options speak of */
#define SPEED_WINDOW 0.03 /* seconds that a speed is taken over: capture jitters from frame to frame */

/* How much a wish to stay in the clip's own pose counts against a contact: a metre off costs as much as 100 radians. */
#define POSTURE_WEIGHT 1e-4

static const lbf_sized options_kind = LBF_SIZED(lb_contact_options, ease);

void lb_contact_options_defaults_sized(lb_contact_options *options, size_t struct_size) {
    static const lb_contact_options defaults = {
        .scale = 0, .height = 0.03, .speed = 0.25, .release = 1.5, .least = 0.1, .ease = 0.15};
    lbf_default_sized(&options_kind, &defaults, options, struct_size);
}

static int is_between(double value, double lower, double upper) { return value >= lower && value <= upper; }

lb_status lbt_contact_rule_from(const lb_contact_options *options, double scale, double frame_time,
                                lbt_contact_rule *rule, lb_error *error) {
    lb_contact_options taken;
    const lb_contact_options *o = &taken;
    lb_contact_options_defaults(&taken);
    lb_status status = lbf_take_sized(&options_kind, options, &taken, error);
    if (status) {
        return status;
    }
    double metre = o->scale > 0 ? o->scale : scale, frames_max = 1e6;
    if (o->scale != o->scale || !is_between(metre, 1e-6, 1e6) || !is_between(o->height, 0, 1e3) ||
        !is_between(o->speed, 0, 1e3) || !is_between(o->release, 1, 1e3) ||
        !is_between(o->least, 0, frames_max * frame_time) || !is_between(o->ease, 0, frames_max * frame_time)) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "an option for contacts is out of its range", (char *)0);
    }
    rule->height = o->height * metre;
    rule->speed = o->speed * metre * frame_time;
    rule->release = o->release;
    rule->least = (int)floor(o->least / frame_time + 0.5);
    rule->ease = (int)floor(o->ease / frame_time + 0.5);
    rule->span = (int)floor(0.5 * SPEED_WINDOW / frame_time + 0.5);
    if (rule->least < 1) {
        rule->least = 1;
    }
    if (rule->ease < 1) {
        rule->ease = 1;
    }
    if (rule->span < 1) {
        rule->span = 1;
    }
    if (rule->span > 1000) {
        rule->span = 1000;
    }
    return LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * Finding
 * ------------------------------------------------------------------------------------------------- */

/* The value that `rank` others are below; reorders. */
static double select_value(double *values, int count, int rank) {
    int low = 0, high = count - 1;
    while (low < high) {
        double pivot = values[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) {
                i++;
            }
            while (values[j] > pivot) {
                j--;
            }
            if (i <= j) {
                double value = values[i];
                values[i++] = values[j];
                values[j--] = value;
            }
        }
        if (rank <= j) {
            high = j;
        } else if (rank >= i) {
            low = i;
        } else {
            break;
        }
    }
    return values[rank];
}

double lbt_lowest_level(int count, const double (*path)[3], double *scratch) {
    for (int f = 0; f < count; f++) {
        scratch[f] = path[f][2];
    }
    return select_value(scratch, count, count / 20);
}

/* Metres a frame, over the frames around this one. */
static double speed_at(const lbt_contact_rule *rule, int count, const double (*path)[3], int frame) {
    int from = frame - rule->span < 0 ? 0 : frame - rule->span;
    int to = frame + rule->span >= count ? count - 1 : frame + rule->span;
    double way[3];
    lbm_sub3(path[to], path[from], way);
    return to > from ? lbm_norm3(way) / (to - from) : 0;
}

static int is_near(const lbt_contact_rule *rule, const double a[3], const double b[3]) {
    double way[3];
    lbm_sub3(a, b, way);
    return lbm_norm3(way) <= rule->height;
}

int lbt_find_contacts(const lbt_contact_rule *rule, int count, const double (*path)[3], int point, double *scratch,
                      int most, lb_contact *contacts) {
    double level = lbt_lowest_level(count, path, scratch);
    int found = 0, first = -1, last = -1;
    for (int f = 0; f <= count; f++) {
        double slack = first >= 0 ? rule->release : 1;
        int stands = f < count && path[f][2] <= level + slack * rule->height &&
                     speed_at(rule, count, path, f) <= slack * rule->speed;
        if (stands && first < 0) {
            first = f;
        }
        if (stands || first < 0) {
            continue;
        }
        if (f - first >= rule->least) {
            if (last >= 0 && first - last <= rule->least && is_near(rule, path[last], path[first])) {
                if (found <= most) {
                    contacts[found - 1].last = f - 1; /* it only trembled */
                }
            } else {
                if (found < most) {
                    contacts[found] = (lb_contact){.point = point, .first = first, .last = f - 1};
                }
                found++;
            }
            last = f - 1;
        }
        first = -1;
    }
    return found;
}

/* ---------------------------------------------------------------------------------------------------
 * Holding
 * ------------------------------------------------------------------------------------------------- */

/* Moves a contact's place to its distance from another point's. */
static void keep_distance(lb_contact *contact, const lb_contact *other, int count, const double (*paths)[3]) {
    double apart[3], own[3];
    size_t frame = (size_t)contact->first;
    lbm_sub3(paths[(size_t)contact->point * (size_t)count + frame], paths[(size_t)other->point * (size_t)count + frame],
             own);
    lbm_sub3(contact->place_w, other->place_w, apart);
    double length = lbm_norm3(apart);
    if (!(length > 0)) {
        return;
    }
    lbm_copy3(contact->place_w, other->place_w);
    lbm_add_scaled3(contact->place_w, apart, lbm_norm3(own) / length);
}

/* The first of the contacts below `end` that is of a point, or of a later one, and ends no sooner than in a frame: they
 * are in the order of points and, of one point, of time. */
static int first_of(const lb_contact *contacts, int end, int point, int frame) {
    int low = 0;
    while (low < end) {
        const int middle = low + (end - low) / 2;
        const lb_contact *contact = &contacts[middle];
        if (contact->point < point || (contact->point == point && contact->last < frame)) {
            low = middle + 1;
        } else {
            end = middle;
        }
    }
    return low;
}

/* Moves a contact's place to its distance from those of earlier points of the same rigid part. Returns how many there
 * are. */
static int keep_distances(lb_contact *contacts, int k, const int *rigid, int margin, int count,
                          const double (*paths)[3]) {
    lb_contact *contact = &contacts[k];
    int others = 0;
    for (int point = 0; point < contact->point; point++) {
        if (rigid[point] != rigid[contact->point]) {
            continue;
        }
        for (int i = first_of(contacts, k, point, contact->first - margin);
             i < k && contacts[i].point == point && contacts[i].first <= contact->last + margin; i++) {
            keep_distance(contact, &contacts[i], count, paths);
            others++;
        }
    }
    return others;
}

void lbt_place_contacts(int contact_count, lb_contact *contacts, const int *rigid, int margin, int count,
                        const double (*paths)[3]) {
    for (int k = 0; k < contact_count; k++) {
        lb_contact *contact = &contacts[k];
        const double(*path)[3] = paths + (size_t)contact->point * (size_t)count;
        double share = 1.0 / (contact->last - contact->first + 1);
        lbm_set3(contact->place_w, 0, 0, 0);
        for (int f = contact->first; f <= contact->last; f++) {
            lbm_add_scaled3(contact->place_w, path[f], share);
        }
        int others = 2;
        for (int round = 0; round == 0 || (others > 1 && round < 40); round++) { /* several spheres: in turn */
            others = keep_distances(contacts, k, rigid, margin, count, paths);
        }
    }
}

/* 1 at 0, 0 from `ease` on, level at both ends. */
static double fade(int frames, int ease) {
    double t = frames >= ease ? 1 : (double)frames / ease;
    return 1 - t * t * (3 - 2 * t);
}

void lbt_hold_path(const lbt_contact_rule *rule, int contact_count, const lb_contact *contacts, int point, int count,
                   double (*path)[3], double *moved) {
    const lb_contact *before = NULL;
    double off_before[3] = {0, 0, 0}, off_after[3] = {0, 0, 0};
    for (int f = 0; moved && f < count; f++) {
        moved[f] = 0;
    }
    for (int k = 0; k <= contact_count; k++) {
        const lb_contact *after = k < contact_count ? &contacts[k] : NULL;
        if (after && after->point != point) {
            continue;
        }
        int begin = before ? before->last + 1 : 0, end = after ? after->first : count, gap = end - begin + 1;
        int ease = rule->ease < gap ? rule->ease : gap;
        if (after) {
            lbm_sub3(after->place_w, path[after->first], off_after);
        }
        for (int f = begin; f < end; f++) { /* on the way from one to the next */
            double leaving = before ? fade(f - begin + 1, ease) : 0, coming = after ? fade(end - f, ease) : 0;
            lbm_add_scaled3(path[f], off_before, leaving);
            if (coming > 0) {
                lbm_add_scaled3(path[f], off_after, coming);
            }
            if (moved) {
                moved[f] = leaving > coming ? leaving : coming;
            }
        }
        if (!after) {
            break;
        }
        lbm_sub3(after->place_w, path[after->last], off_before);
        for (int f = after->first; f <= after->last; f++) {
            lbm_copy3(path[f], after->place_w);
            if (moved) {
                moved[f] = 1;
            }
        }
        before = after;
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Clips
 * ------------------------------------------------------------------------------------------------- */

double lbt_figure_scale(lb_kinematics *kinematics, double *pose) {
    const lb_figure *figure = lb_kinematics_figure(kinematics);
    const lb_root *root = lb_figure_root(figure);
    double low = INFINITY, high = -INFINITY;
    lb_figure_rest_pose(figure, pose);
    if (lb_kinematics_update(kinematics, pose)) {
        return 1;
    }
    for (int s = 0; s < lb_figure_segment_count(figure); s++) {
        lb_frame frame;
        if (!root->is_free && s == root->segment && lb_figure_segment_count(figure) > 1) {
            continue; /* the ground */
        }
        lb_kinematics_segment(kinematics, s, &frame);
        if (frame.position[2] < low) {
            low = frame.position[2];
        }
        if (frame.position[2] > high) {
            high = frame.position[2];
        }
    }
    return high - low > 1e-6 ? (high - low) / STATURE : 1;
}

typedef struct scratch {
    lb_allocator allocator;
    int count, frames, variables;
    lb_kinematics *kinematics;
    double *pose;       /* [variables] */
    double *values;     /* [frames] */
    double *moved;      /* [count][frames] */
    double (*paths)[3]; /* [count][frames] */
} scratch;

static void free_scratch(scratch *s) {
    size_t cells = (size_t)s->count * (size_t)s->frames;
    lb_kinematics_destroy(s->kinematics);
    lbf_delete(&s->allocator, s->pose, (size_t)s->variables, sizeof *s->pose);
    lbf_delete(&s->allocator, s->values, (size_t)s->frames, sizeof *s->values);
    lbf_delete(&s->allocator, s->moved, cells, sizeof *s->moved);
    lbf_delete(&s->allocator, s->paths, cells, sizeof *s->paths);
}

static lb_status find_paths(const lb_clip *clip, const lb_effector *points, scratch *s) {
    for (int f = 0; f < s->frames; f++) {
        lb_status status = lb_kinematics_update(s->kinematics, lb_clip_const_pose(clip, f));
        for (int p = 0; p < s->count && !status; p++) {
            double e[9];
            status = lb_kinematics_effector(s->kinematics, &points[p], e);
            if (!status) {
                lbm_copy3(s->paths[(size_t)p * (size_t)s->frames + (size_t)f], e);
            }
        }
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

/* Room, and the paths of all points. */
static lb_status make_scratch(const lb_clip *clip, int count, const lb_effector *points, scratch *s) {
    const lb_figure *figure = lb_clip_figure(clip);
    *s = (scratch){.allocator = figure->draft.allocator,
                   .count = count,
                   .frames = lb_clip_frame_count(clip),
                   .variables = lb_figure_variable_count(figure),
                   .kinematics = lb_kinematics_create(figure, NULL)};
    size_t cells = (size_t)count * (size_t)s->frames;
    s->pose = lbf_new(&s->allocator, (size_t)s->variables, sizeof *s->pose);
    s->values = lbf_new(&s->allocator, (size_t)s->frames, sizeof *s->values);
    s->moved = lbf_new(&s->allocator, cells, sizeof *s->moved);
    s->paths = lbf_new(&s->allocator, cells, sizeof *s->paths);
    if (!s->kinematics || (!s->pose && s->variables) || !s->values || !s->moved || !s->paths) {
        return LB_ERROR_MEMORY;
    }
    return find_paths(clip, points, s);
}

int lb_clip_contacts(const lb_clip *clip, int count, const lb_effector *points, const lb_contact_options *options,
                     int most, lb_contact *contacts) {
    scratch s;
    lbt_contact_rule rule;
    int found = 0;
    if (!clip || count < 1 || !points || most < 0 || (most && !contacts)) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = make_scratch(clip, count, points, &s);
    if (!status) {
        status = lbt_contact_rule_from(options, lbt_figure_scale(s.kinematics, s.pose), lb_clip_frame_time(clip), &rule,
                                       NULL);
    }
    for (int p = 0; p < count && !status; p++) {
        int room = found < most ? most - found : 0;
        found += lbt_find_contacts(&rule, s.frames, s.paths + (size_t)p * (size_t)s.frames, p, s.values, room,
                                   room ? contacts + found : NULL);
    }
    if (!status) {
        int *rigid = lbf_new(&s.allocator, (size_t)count, sizeof *rigid);
        if (!rigid) {
            status = LB_ERROR_MEMORY;
        }
        for (int p = 0; p < count && rigid; p++) {
            rigid[p] = points[p].segment;
        }
        if (rigid) {
            lbt_place_contacts(found < most ? found : most, contacts, rigid, 0, s.frames, s.paths);
        }
        lbf_delete(&s.allocator, rigid, (size_t)count, sizeof *rigid);
    }
    free_scratch(&s);
    return status ? (int)status : found;
}

static int are_contacts(const scratch *s, int contact_count, const lb_contact *contacts) {
    for (int k = 0; k < contact_count; k++) {
        const lb_contact *contact = &contacts[k];
        if (contact->point < 0 || contact->point >= s->count || contact->first < 0 || contact->last < contact->first ||
            contact->last >= s->frames || !lbm_all_finite(contact->place_w, 3)) {
            return 0;
        }
        for (int i = 0; i < k; i++) {
            if (contacts[i].point == contact->point && contacts[i].last >= contact->first) {
                return 0;
            }
        }
    }
    return 1;
}

/* A goal for each point; each frame is solved from its own pose, and stays near it, so no frame depends on another. */
static lb_status solve_frames(lb_clip *clip, const lb_effector *points, scratch *s) {
    lb_problem *problem = lb_problem_create(lb_clip_figure(clip), NULL);
    lb_solver *solver = NULL;
    lb_status status = problem ? LB_OK : LB_ERROR_MEMORY;
    int first = 0;
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    options.tracking = options.keep_going = 1;
    for (int p = 0; p < s->count && !status; p++) {
        lb_constraint hold;
        lb_constraint_defaults(&hold);
        hold.effector = points[p];
        hold.goal.kind = LB_GOAL_POSITION;
        int id = lb_problem_add(problem, &hold);
        if (id < 0) {
            status = (lb_status)id;
        } else if (p == 0) {
            first = id;
        }
    }
    if (!status && !(solver = lb_solver_create(problem, NULL))) {
        status = LB_ERROR_MEMORY;
    }
    for (int f = 0; f < s->frames && !status; f++) {
        int held = 0;
        for (int p = 0; p < s->count && !status; p++) {
            size_t cell = (size_t)p * (size_t)s->frames + (size_t)f;
            lb_frame goal;
            lb_frame_identity(&goal);
            lbm_copy3(goal.position, s->paths[cell]);
            status = lb_problem_move_goal(problem, first + p, &goal);
            if (!status) {
                status = lb_problem_enable(problem, first + p, s->moved[cell] > 0);
            }
            held |= s->moved[cell] > 0;
        }
        if (!held || status) {
            continue;
        }
        double *pose = lb_clip_pose(clip, f);
        lb_result result;
        lb_result_defaults(&result);
        status = lb_problem_set_posture(problem, pose, POSTURE_WEIGHT);
        if (!status) {
            status = lb_solver_solve(solver, &options, pose, &result);
        }
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    return status;
}

lb_status lb_clip_hold_contacts(lb_clip *clip, int count, const lb_effector *points, const lb_contact_options *options,
                                int contact_count, const lb_contact *contacts) {
    scratch s;
    lbt_contact_rule rule;
    if (!clip || count < 1 || !points || contact_count < 0 || (contact_count && !contacts)) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = make_scratch(clip, count, points, &s);
    if (!status) {
        status = are_contacts(&s, contact_count, contacts)
                     ? lbt_contact_rule_from(options, 1, lb_clip_frame_time(clip), &rule, NULL)
                     : LB_ERROR_ARGUMENT;
    }
    for (int p = 0; p < count && !status; p++) {
        size_t begin = (size_t)p * (size_t)s.frames;
        lbt_hold_path(&rule, contact_count, contacts, p, s.frames, s.paths + begin, s.moved + begin);
    }
    if (!status) {
        status = solve_frames(clip, points, &s);
    }
    free_scratch(&s);
    return status;
}
