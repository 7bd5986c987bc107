/* The way of the end-effector: straight pieces between frames, the corners where they meet, and the places that are
 * solved for. */
#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "math/trig.h"
#include "math/vec.h"
#include "motion/path/path.h"

#define LEAST_SAMPLES 8 /* between two corners: four are needed for the slopes at the ends */
#define MOST_SAMPLES 2000000
#define FAR_APART 0.02 /* radians or metres that a variable moves from one place to the next, where they are divided */
#define MOST_PARTS 64

static void set_turn(lbt_piece *piece, const double to[4]) {
    const double back[4] = {-piece->rotation[0], -piece->rotation[1], -piece->rotation[2], piece->rotation[3]};
    double turned[4];
    lbm_quaternion_multiply(to, back, turned);
    lbm_logarithm(turned, piece->turn);
    piece->length_rad = lbm_norm3(piece->turn);
}

/* One piece between two frames; 0 where they are the same. */
static int set_piece(const lb_path *path, const lb_frame *a, const lb_frame *b, lbt_piece *piece) {
    lb_frame to = *b;
    memset(piece, 0, sizeof *piece);
    lbm_copy3(piece->from, a->position);
    memcpy(piece->rotation, a->rotation, sizeof piece->rotation);
    lbm_quaternion_normalise(piece->rotation);
    lbm_quaternion_normalise(to.rotation);
    for (int k = 0; k < 3; k++) {
        piece->way[k] = to.position[k] - piece->from[k];
    }
    piece->length = lbm_norm3(piece->way);
    if (!path->options.is_position) {
        set_turn(piece, to.rotation);
    }
    piece->size =
        sqrt(piece->length * piece->length + LBT_PATH_ARM * LBT_PATH_ARM * piece->length_rad * piece->length_rad);
    return piece->size > 1e-9;
}

/* Whether the way turns by more than the options' angle from one piece to the next. */
static int is_corner(const lb_path *path, const lbt_piece *a, const lbt_piece *b) {
    double dot = 0;
    for (int k = 0; k < 3; k++) {
        dot += a->way[k] * b->way[k] + LBT_PATH_ARM * LBT_PATH_ARM * a->turn[k] * b->turn[k];
    }
    double sine, cosine;
    lbm_sincos(path->options.corner_rad, &sine, &cosine);
    return dot < cosine * a->size * b->size;
}

static double samples_of(const lb_path *path, const lbt_piece *piece) {
    const double by_length = -floor(1e-9 - piece->length / path->options.spacing);
    const double by_turn = -floor(1e-9 - piece->length_rad / path->options.spacing_rad);
    const double most = by_length > by_turn ? by_length : by_turn;
    return most > 1 ? most : 1;
}

/* Numbers of samples: at least LEAST_SAMPLES from corner to corner. */
static lb_status count_samples(lb_path *path, lb_error *error) {
    double total = 0;
    for (int i = 0; i < path->piece_count;) {
        double sum = 0;
        int end = i;
        do {
            sum += samples_of(path, &path->pieces[end]);
            end++;
        } while (end < path->piece_count && !path->pieces[end].is_corner);
        const double factor = sum < LEAST_SAMPLES ? -floor(-LEAST_SAMPLES / sum) : 1;
        for (; i < end; i++) {
            const double samples = factor * samples_of(path, &path->pieces[i]);
            total += samples;
            if (!(total < MOST_SAMPLES)) {
                return lbf_refuse(error, LB_ERROR_ARGUMENT,
                                  "the way has more than two million places: let them be farther apart");
            }
            path->pieces[i].samples = (int)samples;
        }
    }
    path->sample_count = (int)total + 1;
    return LB_OK;
}

static lb_status place_samples(lb_path *path, lb_error *error) {
    path->places = lbf_new(&path->allocator, (size_t)path->sample_count, sizeof *path->places);
    path->branch =
        lbf_new(&path->allocator, (size_t)path->sample_count * (size_t)(path->n ? path->n : 1), sizeof(double));
    if (!path->places || !path->branch) {
        return lbf_refuse(error, LB_ERROR_MEMORY, lb_status_text(LB_ERROR_MEMORY));
    }
    int at = 0;
    for (int i = 0; i < path->piece_count; i++) {
        lbt_piece *piece = &path->pieces[i];
        piece->first = at;
        for (int k = 0; k < piece->samples; k++) {
            path->places[at++] = piece->s + piece->size * k / piece->samples;
        }
    }
    const lbt_piece *last = &path->pieces[path->piece_count - 1];
    path->places[at] = last->s + last->size;
    return LB_OK;
}

static lb_status check_frames(const lb_path *path, int count, const lb_frame *frames, lb_error *error) {
    char number[24];
    for (int i = 0; i < count; i++) {
        const double *r = frames[i].rotation;
        int is_fine = 1;
        for (int k = 0; k < 3; k++) {
            is_fine &= lbm_is_finite(frames[i].position[k]) && fabs(frames[i].position[k]) < 1e6;
        }
        const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
        is_fine &= path->options.is_position || (square > 0.25 && square < 4);
        if (!is_fine) {
            return lbf_fail(error, LB_ERROR_ARGUMENT, "frame ", lbf_integer_text(i, number),
                            " of the path has numbers that are not finite, or a rotation that is no unit quaternion",
                            (char *)0);
        }
    }
    return LB_OK;
}

lb_status lbt_path_lay_out(lb_path *path, int count, const lb_frame *frames, lb_error *error) {
    lb_status status = check_frames(path, count, frames, error);
    if (status) {
        return status;
    }
    path->pieces = lbf_new(&path->allocator, (size_t)count, sizeof *path->pieces);
    if (!path->pieces) {
        return lbf_refuse(error, LB_ERROR_MEMORY, lb_status_text(LB_ERROR_MEMORY));
    }
    path->frame_count = count;
    double s = 0;
    for (int i = 0, last = 0; i + 1 < count; i++) {
        lbt_piece *piece = &path->pieces[path->piece_count];
        if (set_piece(path, &frames[last], &frames[i + 1], piece)) {
            piece->s = s;
            piece->frame = last;
            piece->is_corner = path->piece_count == 0 || is_corner(path, piece - 1, piece);
            s += piece->size;
            path->result.length += piece->length;
            path->result.length_rad += piece->length_rad;
            path->piece_count++;
            last = i + 1;
        }
    }
    if (path->piece_count == 0) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "all frames of the path are the same");
    }
    status = count_samples(path, error);
    return status ? status : place_samples(path, error);
}

/* How many parts the distance behind a sample is divided into. */
static int parts_of(const lb_path *path, int sample) {
    const double *from = path->branch + (size_t)sample * (size_t)path->n, *to = from + path->n;
    double most = 0;
    for (int k = 0; k < path->n; k++) {
        most = fabs(to[k] - from[k]) > most ? fabs(to[k] - from[k]) : most;
    }
    const double parts = most / FAR_APART;
    return parts > MOST_PARTS ? MOST_PARTS : parts > 2 ? (int)parts : 2;
}

lb_status lbt_path_divide(lb_path *path, lb_error *error) {
    double total = 1;
    for (int i = 0; i + 1 < path->sample_count; i++) {
        total += parts_of(path, i);
    }
    if (!(total < MOST_SAMPLES)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT,
                          "the way needs more than two million places to be followed closely");
    }
    const size_t count = (size_t)total, before = (size_t)path->sample_count, n = (size_t)(path->n ? path->n : 1);
    double *places = lbf_new(&path->allocator, count, sizeof *places);
    double *branch = lbf_new(&path->allocator, count * n, sizeof *branch);
    if (!places || !branch) {
        lbf_delete(&path->allocator, places, count, sizeof *places);
        lbf_delete(&path->allocator, branch, count * n, sizeof *branch);
        return lbf_refuse(error, LB_ERROR_MEMORY, lb_status_text(LB_ERROR_MEMORY));
    }
    int at = 0, piece = 0;
    for (int i = 0; i + 1 < path->sample_count; i++) {
        const int parts = parts_of(path, i);
        if (piece < path->piece_count && path->pieces[piece].first == i) {
            path->pieces[piece++].first = at;
        }
        for (int k = 0; k < parts; k++) {
            places[at++] = path->places[i] + (path->places[i + 1] - path->places[i]) * k / parts;
        }
    }
    places[at] = path->places[path->sample_count - 1];
    memcpy(branch, path->branch, (size_t)path->n * sizeof *branch);
    lbf_delete(&path->allocator, path->places, before, sizeof *places);
    lbf_delete(&path->allocator, path->branch, before * n, sizeof *branch);
    path->places = places, path->branch = branch;
    path->sample_count = (int)count;
    for (int i = 0; i < path->piece_count; i++) {
        const int next = i + 1 < path->piece_count ? path->pieces[i + 1].first : path->sample_count - 1;
        path->pieces[i].samples = next - path->pieces[i].first;
    }
    return LB_OK;
}

int lbt_path_piece(const lb_path *path, double place) {
    int low = 0, high = path->piece_count - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (path->pieces[middle].s <= place) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

void lbt_path_frame(const lb_path *path, double place, lb_frame *frame) {
    const lbt_piece *piece = &path->pieces[lbt_path_piece(path, place)];
    double t = (place - piece->s) / piece->size, turn[3], turned[4];
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++) {
        frame->position[k] = piece->from[k] + t * piece->way[k];
        turn[k] = t * piece->turn[k];
    }
    lbm_exponential_quaternion(turn, turned);
    lbm_quaternion_multiply(turned, piece->rotation, frame->rotation);
    lbm_quaternion_normalise(frame->rotation);
}
