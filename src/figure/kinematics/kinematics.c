/* Forward kinematics. */
#include "figure/kinematics/kinematics.h"

#include <string.h>

#include "figure/kinematics/forward.h"
#include "math/curve.h"
#include "math/project.h"
#include "math/rotation.h"

static size_t round_up(size_t size) { return (size + 63) & ~(size_t)63; }

lbf_forward lbf_forward_of(lbm_isa isa) {
#if LBM_X86
    if (isa >= LBM_ISA_AVX2) {
        return lbf_move_avx2; /* four doubles are a column: wider registers would stay empty */
    }
#endif
    (void)isa;
    return lbf_move_base;
}

lb_kinematics *lb_kinematics_create(const lb_figure *f, lb_error *error) {
    if (!f) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "there is no figure to look at");
    }
    size_t nodes = (size_t)f->node_count, coordinates = (size_t)f->coordinate_count, terms = (size_t)f->term_count;
    const size_t sizes[] = {sizeof(lb_kinematics),
                            nodes * sizeof(lbm_transform),
                            coordinates * 4 * sizeof(double),
                            coordinates * sizeof(double),
                            round_up(nodes * sizeof(double)),
                            round_up(nodes * sizeof(double)),
                            round_up(nodes * sizeof(double)),
                            terms * sizeof(double),
                            terms * sizeof(double),
                            nodes * 3 * sizeof(double),
                            terms * sizeof(lbm_piece *),
                            f->project_size};
    const int parts = (int)(sizeof sizes / sizeof *sizes);
    size_t total = 0;
    for (int i = 0; i < parts; i++) {
        total += round_up(sizes[i]);
    }
    char *block = lbf_new(&f->draft.allocator, total, 1);
    if (!block) {
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    char *at[sizeof sizes / sizeof *sizes], *next = block;
    for (int i = 0; i < parts; i++) {
        at[i] = next;
        next += round_up(sizes[i]);
    }
    lb_kinematics *k = (lb_kinematics *)block;
    k->figure = f;
    k->size = total;
    k->frames = (lbm_transform *)at[1];
    k->axes = (double(*)[4])at[2];
    k->values = (double *)at[3];
    k->angles = (double *)at[4];
    k->sines = (double *)at[5];
    k->cosines = (double *)at[6];
    k->slopes = (double *)at[7];
    k->bends = (double *)at[8];
    k->moments = (double(*)[3])at[9];
    k->places = (const lbm_piece **)at[10];
    k->project_scratch = at[11];
    k->kernels = f->kernels;
    k->move_nodes = lbf_forward_of(k->kernels->isa);
    memcpy(k->values, f->coordinate_rest, coordinates * sizeof(double)); /* frozen ones stay so */
    for (size_t t = 0; t < terms; t++) {
        k->places[t] = f->terms[t].pieces;
        k->slopes[t] = f->terms[t].pieces->c[1]; /* as it stays where there is but one */
    }
    lb_kinematics_update(k, f->rest);
    lbf_clear(error);
    return k;
}

void lb_kinematics_destroy(lb_kinematics *k) {
    if (k) {
        lbf_delete(&k->figure->draft.allocator, k, k->size, 1);
    }
}

const lb_figure *lb_kinematics_figure(const lb_kinematics *k) { return k ? k->figure : NULL; }

/* Coordinates from variables, with the derivatives of driven ones. */
static void follow_drive(lb_kinematics *k, const lbf_driven *driven, const double *pose) {
    double value = driven->offset, *slope = k->slopes + driven->first_term;
    const lbf_term *term = k->figure->terms + driven->first_term, *end = term + driven->term_count;
    for (; term < end; term++, slope++) {
        double x = pose[term->variable];
        if (term->piece_count == 1) {
            value += *slope * x;
            continue;
        }
        const lbm_piece **place = k->places + (slope - k->slopes);
        if (!((*place)->from <= x && x < (*place)[1].from)) {
            *place = lbm_piece_find(term->pieces, term->piece_count, x);
        }
        value += lbm_piece_eval(*place, x, slope, k->bends + (slope - k->slopes));
    }
    k->values[driven->coordinate] = value;
}

static void follow_variables(lb_kinematics *k, const double *pose, const lbf_selection *s) {
    const lb_figure *f = k->figure;
    if (f->is_plain && s->own_count == f->coordinate_count) {
        memcpy(k->values, pose, (size_t)f->coordinate_count * sizeof *pose);
        return;
    }
    for (int i = 0; i < s->own_count; i++) {
        k->values[s->owns[i]] = pose[f->coordinate_variable[s->owns[i]]];
    }
    for (int i = 0; i < s->driven_count; i++) {
        follow_drive(k, &f->driven[s->driven[i]], pose);
    }
}

void lbf_update(lb_kinematics *k, const double *pose, const lbf_selection *s) {
    follow_variables(k, pose, s);
    for (int i = 0; i < s->turn_count; i++) {
        k->angles[i] = k->values[s->turns[i]];
    }
    k->kernels->sincos((s->turn_count + 7) & ~7, k->angles, k->sines, k->cosines); /* there is room for whole blocks */
    k->move_nodes(k, s);
}

lb_status lb_kinematics_update(lb_kinematics *k, const double *pose) {
    if (!k || !pose) {
        return LB_ERROR_ARGUMENT;
    }
    if (!lbm_all_finite(pose, k->figure->variable_count)) {
        return LB_ERROR_ARGUMENT;
    }
    lbf_update(k, pose, &k->figure->every_node);
    return LB_OK;
}

/* --- Where things are ------------------------------------------------------------------------------ */

int lbf_segment_exists(const lb_figure *f, int segment) {
    return segment >= 0 && segment < f->draft.segment_count + f->loop_count;
}

void lbf_segment_transform(const lb_kinematics *k, int segment, lbm_transform *t) {
    const lbf_mount *mount = &k->figure->mounts[segment];
    if (mount->node < 0) {
        *t = mount->offset;
    } else {
        lbm_transform_multiply(&k->frames[mount->node], &mount->offset, t);
    }
}

lb_status lb_kinematics_segment(const lb_kinematics *k, int segment, lb_frame *frame_w) {
    if (!k || !frame_w) {
        return LB_ERROR_ARGUMENT;
    }
    if (segment < 0 || segment >= k->figure->draft.segment_count) {
        return LB_ERROR_ARGUMENT;
    }
    lbm_transform t;
    lbf_segment_transform(k, segment, &t);
    lbm_transform_to_frame(&t, frame_w);
    return LB_OK;
}

static void site_transform(const lb_kinematics *k, int site, lbm_transform *t) {
    const lb_site *s = &k->figure->draft.sites[site];
    lbm_transform segment, offset;
    lbf_segment_transform(k, s->segment, &segment);
    lbm_transform_from_frame(&s->frame, &offset);
    lbm_transform_multiply(&segment, &offset, t);
}

lb_status lb_kinematics_site(const lb_kinematics *k, int site, lb_frame *frame_w) {
    if (!k || !frame_w) {
        return LB_ERROR_ARGUMENT;
    }
    if (site < 0 || site >= k->figure->draft.site_count) {
        return LB_ERROR_ARGUMENT;
    }
    lbm_transform t;
    site_transform(k, site, &t);
    lbm_transform_to_frame(&t, frame_w);
    return LB_OK;
}

lb_status lb_kinematics_matrix(const lb_kinematics *k, int segment, double matrix_w[12]) {
    if (!k || !matrix_w) {
        return LB_ERROR_ARGUMENT;
    }
    if (segment < 0 || segment >= k->figure->draft.segment_count) {
        return LB_ERROR_ARGUMENT;
    }
    lbm_transform t;
    lbf_segment_transform(k, segment, &t);
    for (int i = 0; i < 3; i++) {
        matrix_w[4 * i] = t.x[i];
        matrix_w[4 * i + 1] = t.y[i];
        matrix_w[4 * i + 2] = t.z[i];
        matrix_w[4 * i + 3] = t.p[i];
    }
    return LB_OK;
}

lb_status lb_kinematics_loop(const lb_kinematics *k, int loop, lb_frame *carried_w, lb_frame *tree_w) {
    if (!k || !carried_w || !tree_w) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_figure *f = k->figure;
    if (loop < 0 || loop >= f->loop_count) {
        return LB_ERROR_ARGUMENT;
    }
    lbm_transform t;
    lbf_segment_transform(k, f->draft.segment_count + loop, &t);
    lbm_transform_to_frame(&t, carried_w);
    site_transform(k, f->draft.joints[f->loop_joints[loop]].site_b, &t);
    lbm_transform_to_frame(&t, tree_w);
    return LB_OK;
}

double lb_kinematics_dof(const lb_kinematics *k, int joint, int dof) {
    if (!k) {
        return 0;
    }
    const lb_joint *j = lb_figure_joint(k->figure, joint);
    if (!j || dof < 0 || dof >= lb_joint_type_dof_count(&j->type)) {
        return 0;
    }
    return k->values[lbf_coordinate(k->figure, joint, dof)];
}

void lb_kinematics_com(const lb_kinematics *k, double com_w[3]) {
    if (!k || !com_w) {
        return;
    }
    const lb_figure *f = k->figure;
    double sum[3];
    lbm_copy3(sum, f->world_lump.moment);
    for (int i = 0; i < f->node_count; i++) {
        const lbf_lump *lump = &f->lumps[i];
        if (lump->mass == 0) {
            continue;
        }
        double part[3];
        lbm_rotate(&k->frames[i], lump->moment, part);
        for (int c = 0; c < 3; c++) {
            sum[c] += part[c] + lump->mass * k->frames[i].p[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        com_w[c] = f->mass > 0 ? sum[c] / f->mass : 0;
    }
}

lb_status lb_kinematics_project(lb_kinematics *k, double *pose) {
    if (!k || !pose) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_figure *f = k->figure;
    if (!lbm_all_finite(pose, f->variable_count)) {
        return LB_ERROR_ARGUMENT;
    }
    int impossible =
        lbm_project(f->variable_count, f->lower, f->upper, f->row_count, f->rows, pose, k->project_scratch);
    return impossible ? LB_ERROR_LIMIT : LB_OK;
}
