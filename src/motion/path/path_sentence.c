/* What a path tells a person, and how far its poses are from the way. */
#include <string.h>

#include "math/rotation.h"
#include "math/trig.h"
#include "math/vec.h"
#include "motion/path/path.h"

static void copy_text(char *to, const char *from, size_t size) {
    const size_t length = strlen(from), kept = length < size - 1 ? length : size - 1;
    memcpy(to, from, kept);
    to[kept] = 0;
}

/* A value of a variable in degrees or millimetres. */
static const char *amount(const lb_variable *v, double value, char text[40]) {
    char number[32];
    lb_error made;
    lbf_fail(&made, LB_OK, lbf_decimal_text(v->is_angle ? value * 180 / LBM_PI : 1e3 * value, number),
             v->is_angle ? " deg" : " mm", (char *)0);
    copy_text(text, made.message, 40);
    return text;
}

static const char *name_of(const lb_path *path, int variable) {
    return variable >= 0 ? lb_figure_variable(path->figure, variable)->name : "";
}

/* Where it ends, as the beginning of a sentence. */
static void say_where(const lb_path_result *r, lb_error *out) {
    char percent[32], frame[24];
    if (r->frame < 0) {
        lbf_fail(out, LB_OK, "the first frame cannot be reached: ", (char *)0);
        return;
    }
    lbf_decimal_text(100 * r->fraction, percent);
    lbf_integer_text(r->frame + 1, frame);
    lbf_fail(out, LB_OK, "it ends at ", percent, "% of the way, behind frame ", frame, ": ", (char *)0);
}

static void explain_collision(const lb_path *path, const char *where, lb_error *out) {
    const lb_path_result *r = &path->result;
    char ways[24], all[24];
    lbf_integer_text(r->touching_count, ways);
    lbf_integer_text(r->way_count, all);
    const char *const begin = r->fraction > 0 ? where : "it cannot begin: ";
    if (path->is_body) {
        lbf_fail(out, LB_OK, begin, "'", r->name_a, "' would touch '", r->name_b, "', however it stands", (char *)0);
    } else {
        lbf_fail(out, LB_OK, begin, "'", r->name_a, "' would touch '", r->name_b, "'; of ", all,
                 " branches that were tried ", ways, " end so", (char *)0);
    }
}

static void explain_end(const lb_path *path, lb_error *out) {
    const lb_path_result *r = &path->result;
    lb_error made;
    char value[40] = "";
    say_where(r, &made);
    const char *const where = made.message;
    if (r->end == LB_PATH_END_RANGE) {
        const lb_variable *v = lb_figure_variable(path->figure, r->variable);
        amount(v, r->is_upper ? v->upper : v->lower, value);
        lbf_fail(out, LB_OK, where, "'", v->name,
                 r->is_upper ? "' is at its upper limit of " : "' is at its lower limit of ", value, (char *)0);
    } else if (r->end == LB_PATH_END_ROW) {
        lbf_fail(out, LB_OK, where, "a limit over several joints is in the way", (char *)0);
    } else if (r->end == LB_PATH_END_COLLISION) {
        explain_collision(path, where, out);
    } else if (r->end == LB_PATH_END_CANCELLED) {
        lbf_fail(out, LB_OK, "it was cancelled, or the deadline was past", (char *)0);
    } else if (r->end == LB_PATH_END_BALANCE) {
        lbf_fail(out, LB_OK, where, "it would fall, whichever way it stands", (char *)0);
    } else if (r->end == LB_PATH_END_SPEED) {
        lbf_fail(out, LB_OK, where, "'", name_of(path, r->variable),
                 "' would have to turn too fast, near a singularity", (char *)0);
    } else if (r->end == LB_PATH_END_BRANCH) {
        lbf_fail(out, LB_OK, where, "'", name_of(path, r->variable),
                 path->is_body ? "' would have to jump: nobody stands so that the whole way is within reach"
                               : "' would have to jump to another branch, at a singularity",
                 (char *)0);
    } else {
        lbf_fail(out, LB_OK, where, "it is out of reach", (char *)0);
    }
}

static void explain_time(const lb_path *path, lb_error *out) {
    const lb_path_result *r = &path->result;
    char seconds[32], ways[24], through[24], margin[40] = "";
    lbf_decimal_text(r->duration, seconds);
    lbf_integer_text(r->way_count, ways);
    lbf_integer_text(r->through_count, through);
    const char *const pace = r->pace_variable < 0 ? "" : name_of(path, r->pace_variable);
    const char *const by = r->pace_variable < 0  ? "; no joint's limit sets the pace"
                           : r->is_pace_velocity ? "; the pace is set by the velocity of '"
                                                 : "; the pace is set by the acceleration of '";
    if (r->margin_variable >= 0) {
        amount(lb_figure_variable(path->figure, r->margin_variable), r->margin, margin);
    }
    const char *const chosen = path->is_body ? " s, on feet that stand where they are" : " s, by the best of ";
    const char *const share = path->is_body ? "" : " branches that come through of ";
    lbf_fail(out, LB_OK, "the whole way in ", seconds, chosen, path->is_body ? "" : through, share,
             path->is_body ? "" : ways, by, pace, r->pace_variable < 0 ? "" : "'", r->margin_variable < 0 ? "" : "; '",
             name_of(path, r->margin_variable), r->margin_variable < 0 ? "" : "' keeps ", margin,
             r->margin_variable < 0 ? "" : " from a limit", (char *)0);
}

void lbt_path_explain(lb_path *path) {
    lb_error made;
    if (path->result.end == LB_PATH_END_NONE) {
        explain_time(path, &made);
    } else {
        explain_end(path, &made);
    }
    copy_text(path->result.explanation, made.message, sizeof path->result.explanation);
}

/* --- Deviation ------------------------------------------------------------------------------------------------------ */

/* The angle between the effector's axes and the frame's. */
static double angle_to(const double e[9], const double rotation[4]) {
    const double axes[2][3] = {{1, 0, 0}, {0, 1, 0}};
    double most = 0;
    for (int i = 0; i < 2; i++) {
        double wanted[3], side[3];
        lbm_quaternion_rotate(rotation, axes[i], wanted);
        lbm_cross3(wanted, e + 3 + 3 * i, side);
        const double angle = lbm_atan2(lbm_norm3(side), lbm_dot3(wanted, e + 3 + 3 * i));
        most = angle > most ? angle : most;
    }
    return most;
}

int lbt_path_is_rounded(const lb_path *path, double place) {
    const int i = lbt_path_piece(path, place);
    const lbt_piece *piece = &path->pieces[i];
    const double near = 3 * piece->size / piece->samples;
    const int begins = !piece->is_corner && place < piece->s + near;
    const int ends =
        i + 1 < path->piece_count && !path->pieces[i + 1].is_corner && place > piece->s + piece->size - near;
    return begins || ends;
}

lb_status lbt_path_deviate(lb_path *path, lb_error *error) {
    const double whole = path->places[path->sample_count - 1];
    lb_kinematics *kinematics = lb_kinematics_create(path->figure, error);
    if (!kinematics) {
        return LB_ERROR_MEMORY;
    }
    path->roughness = 0;
    for (int i = 0; i < path->result.pose_count; i++) {
        double e[9], off[3];
        lb_frame frame;
        lbt_path_frame(path, path->fractions[i] * whole, &frame);
        lb_kinematics_update(kinematics, path->poses + (size_t)i * (size_t)path->n);
        lb_kinematics_effector(kinematics, &path->effector, e);
        for (int k = 0; k < 3; k++) {
            off[k] = e[k] - frame.position[k];
        }
        const double distance = lbm_norm3(off), angle = path->options.is_position ? 0 : angle_to(e, frame.rotation);
        const double worse = distance > angle ? distance : angle;
        if (worse > path->roughness && !lbt_path_is_rounded(path, path->fractions[i] * whole)) {
            path->roughness = worse;
        }
        path->result.deviation = distance > path->result.deviation ? distance : path->result.deviation;
        path->result.deviation_rad = angle > path->result.deviation_rad ? angle : path->result.deviation_rad;
    }
    lb_kinematics_destroy(kinematics);
    return LB_OK;
}
