/* Paths that keep clear of what is in the way. */
#include <math.h>
#include <string.h>

#include "motion/path/path.h"
#include "problem/problem.h"

#define TOUCH 5e-5 /* metres by which pairs may be nearer than they should */
#define FINE 0.02  /* radians or metres of a variable between two poses that are looked at */
#define FINEST 64  /* poses between two places */

lb_status lbt_path_watch(lb_path *path, lb_error *error) {
    path->judged = lbp_copy_problem(path->base, error); /* whose body keeps its own limbs apart */
    if (!path->judged) {
        return error->status;
    }
    const lb_status status = lb_problem_set_collisions(path->judged, path->apart);
    if (status) {
        *error = *lb_problem_error(path->judged);
        return status;
    }
    path->judge = lb_solver_create(path->judged, error);
    return path->judge ? LB_OK : error->status;
}

int lbt_path_touches(const lb_path *path, const double *pose, lb_contact_pair *pair) {
    const double margin = lb_problem_collisions(path->judged)->margin;
    return lb_solver_near_pairs(path->judge, pose, margin - TOUCH, 1, pair) > 0;
}

int lbt_path_step_touches(lb_path *path, const double *from, const double *to, lb_contact_pair *pair) {
    double most = 0, *between = path->between;
    for (int k = 0; k < path->n; k++) {
        most = fabs(to[k] - from[k]) > most ? fabs(to[k] - from[k]) : most;
    }
    const int steps = most < FINE ? 1 : most < FINE * FINEST ? 1 + (int)(most / FINE) : FINEST;
    for (int i = 1; i <= steps; i++) {
        for (int k = 0; k < path->n; k++) {
            between[k] = from[k] + (to[k] - from[k]) * i / steps;
        }
        if (lbt_path_touches(path, i == steps ? to : between, pair)) {
            return 1;
        }
    }
    return 0;
}

static void copy_name(char to[64], const char *from) {
    const size_t length = strlen(from), kept = length < 63 ? length : 63;
    memcpy(to, from, kept);
    to[kept] = 0;
}

void lbt_path_note_touch(lb_path *path, const lb_contact_pair *pair) {
    copy_name(path->result.name_a, pair->name_a);
    copy_name(path->result.name_b, pair->name_b);
}

void lbt_path_check_poses(lb_path *path) {
    lb_path_result *r = &path->result;
    for (int i = 0; i < r->pose_count; i++) {
        lb_contact_pair pair;
        if (lbt_path_touches(path, path->poses + (size_t)i * (size_t)path->n, &pair)) {
            lbt_path_note_touch(path, &pair);
            r->end = LB_PATH_END_COLLISION;
            r->fraction = path->fractions[i];
            r->frame = path->pieces[lbt_path_piece(path, r->fraction * path->places[path->sample_count - 1])].frame;
            r->pose_count = 0;
            r->duration = 0;
            return;
        }
    }
}
