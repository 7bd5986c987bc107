/* A figure in a pose becomes a scene: its shapes, sticks for segments that have none, and marks. Everything is moved
 * and scaled so that the figure's longest side runs from -1 to 1: what follows need not know whether it draws a hand
 * or a ship. */
#include "io/render/render.h"
#include <stdlib.h>
#include <string.h>

typedef struct bone {
    double a[3], b[3];
    int segment;
} bone;

typedef struct maker {
    const lb_figure *figure;
    const lb_render_options *options;
    lb_kinematics *kinematics;
    lbio_scene *scene;
    unsigned char *has_shape;     /* [segment] */
    double *thickness;            /* [segment] of its thickest shape, metres */
    double (*low)[3], (*high)[3]; /* [segment] corners of the box around its shapes, world; low > high: none */
    double (*base)[3];            /* [segment] where it hangs from its parent, world */
    double *path, *beyond;        /* [segment] way from the root, and on to the farthest tip */
    bone *bones;
    int bone_count, bone_capacity;
    int first_mark; /* of this figure */
} maker;

/* --- Colours ------------------------------------------------------------------------------------- */

/* Ways along the tree: what lies 0 of the way from the root to the tips has the first colour, the tips the last. */
static void measure_paths(maker *m, const int *order, int count) {
    for (int k = 0; k < count; k++) {
        int segment = order[k], parent = lb_figure_parent_segment(m->figure, segment);
        double step[3];
        m->path[segment] = m->beyond[segment] = 0;
        if (parent >= 0) {
            lbio_along(m->base[segment], -1, m->base[parent], step);
            m->path[segment] = m->path[parent] + lbio_length(step);
        }
    }
    for (int k = count - 1; k >= 0; k--) {
        int segment = order[k], parent = lb_figure_parent_segment(m->figure, segment);
        if (parent >= 0) {
            double way = m->path[segment] - m->path[parent] + m->beyond[segment];
            m->beyond[parent] = fmax(m->beyond[parent], way);
        }
    }
}

static void color_of(const maker *m, int segment, int color, double linear[3]) {
    lbio_theme theme;
    double srgb[3];
    if (color >= 0) {
        for (int i = 0; i < 3; i++) {
            srgb[i] = (color >> (16 - 8 * i) & 255) / 255.0;
        }
    } else {
        lbio_theme_get(m->options->dark, &theme);
        double whole = m->path[segment] + m->beyond[segment], f = whole > 0 ? 2 * m->path[segment] / whole : 0;
        const double *from = f < 1 ? theme.low_color : theme.middle_color;
        const double *to = f < 1 ? theme.middle_color : theme.high_color;
        for (int i = 0; i < 3; i++) {
            srgb[i] = from[i] + (to[i] - from[i]) * (f < 1 ? f : f - 1);
        }
    }
    lbio_color_to_linear(srgb, linear);
    for (int i = 0; i < 3; i++) {
        linear[i] = lbio_clamp(linear[i], 0.012, 0.92); /* black and white have no shading */
    }
}

static void widen(double low[3], double high[3], const double p[3]) {
    for (int i = 0; i < 3; i++) {
        low[i] = fmin(low[i], p[i]);
        high[i] = fmax(high[i], p[i]);
    }
}

/* --- Sticks -------------------------------------------------------------------------------------- */

static void add_bone(maker *m, const double a[3], const double b[3], int segment) {
    void *room = lbio_scene_grow(m->bones, m->bone_count, &m->bone_capacity, sizeof *m->bones, &m->scene->has_failed);
    if (!room) {
        return;
    }
    m->bones = room;
    bone *one = &m->bones[m->bone_count++];
    memcpy(one->a, a, sizeof one->a);
    memcpy(one->b, b, sizeof one->b);
    one->segment = segment;
}

static void site_position(const maker *m, int site, double p[3]) {
    lb_frame frame;
    lb_frame_identity(&frame);
    lb_kinematics_site(m->kinematics, site, &frame);
    memcpy(p, frame.position, sizeof frame.position);
}

/* A point outside of the box around a segment's shapes by over a margin. */
static int is_outside(const maker *m, int segment, const double p[3], double margin) {
    int count = 0;
    for (int i = 0; i < 3; i++) {
        count += p[i] < m->low[segment][i] - margin || p[i] > m->high[segment][i] + margin;
    }
    return count > 0;
}

/* Whether a bone of the segment is to be seen: where the segment has no shapes, or where these are shorter than the
 * bone and reach neither end of it, as in robots whose meshes were left out and whose collision geometry is a few loose
 * cylinders. A tenth of the bone's length is near enough. */
static int is_bare(const maker *m, int segment, const double a[3], const double b[3]) {
    double way[3], sides[3];
    lbio_along(b, -1, a, way);
    lbio_along(m->high[segment], -1, m->low[segment], sides);
    const double length = lbio_length(way);
    return !m->has_shape[segment] ||
           (fmax(sides[0], fmax(sides[1], sides[2])) < length && is_outside(m, segment, a, 0.1 * length) &&
            is_outside(m, segment, b, 0.1 * length));
}

static void find_bases(maker *m) {
    for (int segment = 0; segment < lb_figure_segment_count(m->figure); segment++) {
        int joint = lb_figure_parent_joint(m->figure, segment);
        lb_frame frame;
        lb_frame_identity(&frame);
        lb_kinematics_segment(m->kinematics, segment, &frame);
        memcpy(m->base[segment], frame.position, sizeof frame.position);
        if (joint >= 0) {
            const lb_joint *j = lb_figure_joint(m->figure, joint);
            int is_b = lb_figure_site(m->figure, j->site_b)->segment == segment;
            site_position(m, is_b ? j->site_b : j->site_a, m->base[segment]);
        }
    }
}

/* A segment without joints beyond it reaches to its sites, or at least to its centre of mass. */
static void add_tip_bones(maker *m, const unsigned char *is_inner) {
    unsigned char *has_site = calloc((size_t)lb_figure_segment_count(m->figure) + 1, 1);
    if (!has_site) {
        m->scene->has_failed = 1;
        return;
    }
    for (int site = 0; site < lb_figure_site_count(m->figure); site++) {
        int segment = lb_figure_site(m->figure, site)->segment;
        double p[3], way[3];
        if (!is_inner[segment] && !m->has_shape[segment]) {
            site_position(m, site, p);
            lbio_along(p, -1, m->base[segment], way);
            if (lbio_length(way) > 0) {
                add_bone(m, m->base[segment], p, segment);
                has_site[segment] = 1;
            }
        }
    }
    for (int segment = 0; segment < lb_figure_segment_count(m->figure); segment++) {
        double matrix[12], com[3];
        if (is_inner[segment] || m->has_shape[segment] || has_site[segment] ||
            lb_kinematics_matrix(m->kinematics, segment, matrix)) {
            continue;
        }
        const lb_segment *s = lb_figure_segment(m->figure, segment);
        for (int i = 0; i < 3; i++) {
            com[i] = matrix[4 * i + 3] + (s->mass > 0 ? lbio_dot(matrix + 4 * i, s->com) : 0);
        }
        add_bone(m, m->base[segment], s->mass > 0 ? com : m->base[segment], segment); /* a point at least */
    }
    free(has_site);
}

static int shifts_anywhere(const lb_joint_type *type) {
    int count = 0;
    for (int i = 0; i < type->element_count; i++) {
        count += type->elements[i].kind == LB_ELEMENT_TRANSLATE;
    }
    return count == 3;
}

/* Whether what hangs on a joint goes wherever it likes: a bone that leads to it would soon lead nowhere. Bones of
 * characters that only clips shift are held. */
static int flies(const lb_joint *joint) {
    return shifts_anywhere(&joint->type) && joint->rigidity[0] < 1 && joint->rigidity[1] < 1 && joint->rigidity[2] < 1;
}

static void add_bones(maker *m) {
    unsigned char *is_inner = calloc((size_t)lb_figure_segment_count(m->figure) + 1, 1);
    if (!is_inner) {
        m->scene->has_failed = 1;
        return;
    }
    for (int joint = 0; joint < lb_figure_joint_count(m->figure); joint++) {
        const lb_joint *j = lb_figure_joint(m->figure, joint);
        for (int side = 0; side < 2; side++) {
            int site = side ? j->site_b : j->site_a, segment = lb_figure_site(m->figure, site)->segment;
            double p[3];
            if (lb_figure_parent_joint(m->figure, segment) == joint) {
                /* A joint that shifts leaves a gap between its two sites: the moving side bridges it, unless it can
                 * be anywhere. */
                double q[3];
                site_position(m, side ? j->site_a : j->site_b, q);
                if (is_bare(m, segment, q, m->base[segment]) && !shifts_anywhere(&j->type) &&
                    memcmp(q, m->base[segment], sizeof q) != 0) {
                    add_bone(m, q, m->base[segment], segment);
                }
                continue;
            }
            is_inner[segment] = 1;
            site_position(m, site, p);
            if (is_bare(m, segment, m->base[segment], p) && !flies(j)) {
                add_bone(m, m->base[segment], p, segment);
            }
        }
    }
    add_tip_bones(m, is_inner);
    free(is_inner);
}

/* A bone is thick where it hangs and thin at its end, like the bones of animation programs. */
static void make_sticks(maker *m) {
    for (int k = 0; k < m->bone_count; k++) {
        const bone *one = &m->bones[k];
        double a[3], b[3], way[3], x[3], y[3];
        lbio_to_scene(m->scene, one->a, a);
        lbio_to_scene(m->scene, one->b, b);
        lbio_along(b, -1, a, way);
        double length = lbio_normalize(way), radius = lbio_clamp(0.085 * length, 0.011, 0.034);
        lbio_prim *prim = lbio_scene_add_prim(m->scene);
        if (!prim) {
            return;
        }
        prim->segment = one->segment;
        color_of(m, one->segment, -1, prim->color);
        prim->kind = length > 1e-3 ? LB_SHAPE_CAPSULE : LB_SHAPE_SPHERE;
        prim->size[0] = length > 1e-3 ? radius : m->bone_count == 1 && m->scene->prim_count == 1 ? 0.3 : 0.016;
        prim->size[1] = length / 2, prim->size[2] = fmax(0.45 * radius, 0.008);
        double z[3] = {0, 0, 1};
        memcpy(way, length > 1e-3 ? way : z, sizeof way);
        lbio_basis(way, x, y);
        for (int i = 0; i < 3; i++) {
            prim->p[i] = (a[i] + b[i]) / 2;
            prim->r[3 * i] = x[i], prim->r[3 * i + 1] = y[i], prim->r[3 * i + 2] = way[i];
        }
    }
}

/* --- Shapes and marks ---------------------------------------------------------------------------- */

/* Half of what is left of it seen from its thinnest side. */
static double thickness_of(const lb_shape *shape) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    const double *size = shape->size;
    switch (shape->kind) {
    case LB_SHAPE_BOX:
    case LB_SHAPE_ELLIPSOID:
        return fmin(size[0], fmin(size[1], size[2]));
    case LB_SHAPE_HULL:
    case LB_SHAPE_MESH:
        for (int i = 0; i < shape->vertex_count; i++) {
            widen(low, high, shape->vertices[i]);
        }
        return fmin(high[0] - low[0], fmin(high[1] - low[1], high[2] - low[2])) / 2;
    case LB_SHAPE_CYLINDER:
        return fmin(size[0], size[1]);
    case LB_SHAPE_CAPSULE:
        return fmax(size[0], size[2]);
    default:
        return size[0];
    }
}

/* The mesh or, where the picture has enough of triangles, the box around it. */
static void set_mesh(lbio_scene *scene, lbio_prim *prim, const lb_shape *shape) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, middle[3];
    if (shape->triangle_count <= LBIO_MOST_TRIANGLES - scene->triangle_count) {
        lbio_prim_set_mesh(scene, prim, shape);
        return;
    }
    for (int i = 0; i < shape->vertex_count; i++) {
        widen(low, high, shape->vertices[i]);
    }
    for (int i = 0; i < 3; i++) {
        middle[i] = (low[i] + high[i]) / 2;
        prim->size[i] = (high[i] - low[i]) / 2;
    }
    prim->kind = LB_SHAPE_BOX;
    lbio_rotate(prim->r, middle, middle);
    lbio_along(prim->p, 1, middle, prim->p);
}

static void add_shapes(maker *m) {
    for (int k = 0; k < lb_figure_shape_count(m->figure); k++) {
        const lb_shape *shape = lb_figure_shape(m->figure, k);
        if (shape->use == LB_SHAPE_USE_SOLID) {
            continue;
        }
        lb_frame frame, world;
        lb_frame_identity(&frame);
        lb_kinematics_segment(m->kinematics, shape->segment, &frame);
        lb_frame_multiply(&frame, &shape->frame, &world);
        lbio_prim *prim = lbio_scene_add_prim(m->scene);
        if (!prim) {
            return;
        }
        prim->kind = shape->kind;
        prim->segment = shape->segment;
        memcpy(prim->p, world.position, sizeof prim->p);
        memcpy(prim->size, shape->size, sizeof prim->size);
        lb_rotation_to_matrix(world.rotation, prim->r);
        if (shape->kind == LB_SHAPE_HULL) {
            lbio_prim_set_hull(m->scene, prim, shape);
        } else if (shape->kind == LB_SHAPE_MESH) {
            set_mesh(m->scene, prim, shape);
        }
        color_of(m, shape->segment, shape->color, prim->color);
        m->has_shape[shape->segment] = 1;
        m->thickness[shape->segment] = fmax(m->thickness[shape->segment], thickness_of(shape));
        double points[LBIO_SPAN_POINTS][3];
        for (int i = lbio_prim_span(prim, points) - 1; i >= 0; i--) {
            widen(m->low[shape->segment], m->high[shape->segment], points[i]);
        }
    }
}

static void add_marks(maker *m) {
    for (int joint = 0; joint < lb_figure_joint_count(m->figure); joint++) {
        const lb_joint *j = lb_figure_joint(m->figure, joint);
        if (lb_joint_type_dof_count(&j->type) == 0) {
            continue;
        }
        lbio_mark *mark = lbio_scene_add_mark(m->scene);
        if (!mark) {
            return;
        }
        int a = lb_figure_site(m->figure, j->site_a)->segment, b = lb_figure_site(m->figure, j->site_b)->segment;
        double p[3];
        site_position(m, j->site_b, p);
        lbio_to_scene(m->scene, p, mark->p);
        mark->kind = LBIO_MARK_JOINT, mark->name = j->name;
        mark->is_solid = !m->has_shape[a] || !m->has_shape[b];
        mark->room = fmin(m->thickness[a], m->thickness[b]) / m->scene->scale;
    }
    for (int site = 0; m->options->show_sites && site < lb_figure_site_count(m->figure); site++) {
        lbio_mark *mark = lbio_scene_add_mark(m->scene);
        if (!mark) {
            return;
        }
        double p[3];
        site_position(m, site, p);
        lbio_to_scene(m->scene, p, mark->p);
        mark->kind = LBIO_MARK_SITE, mark->name = lb_figure_site(m->figure, site)->name;
    }
    if (m->options->show_com && lb_figure_mass(m->figure) > 0) {
        lbio_mark *mark = lbio_scene_add_mark(m->scene);
        if (mark) {
            double com[3];
            lb_kinematics_com(m->kinematics, com);
            lbio_to_scene(m->scene, com, mark->p);
            mark->kind = LBIO_MARK_COM, mark->name = "centre of mass";
        }
    }
}

/* Smaller where joints are close together, so that a hand is a hand and not a cluster. */
static double ball_radius(const lbio_scene *scene, int which) {
    double nearest = INFINITY;
    for (int k = 0; k < scene->mark_count && scene->mark_count < 2000; k++) {
        double off[3];
        lbio_along(scene->marks[k].p, -1, scene->marks[which].p, off);
        double away = lbio_length(off);
        if (scene->marks[k].kind == LBIO_MARK_JOINT && away > 1e-3) {
            nearest = fmin(nearest, away);
        }
    }
    return lbio_clamp(0.3 * nearest, 0.0145, scene->mark_count < 200 ? 0.037 : 0.02); /* thicker than the sticks */
}

/* Balls at the joints of sticks. */
static void make_balls(maker *m) {
    for (int k = m->first_mark; k < m->scene->mark_count && m->options->show_joints; k++) {
        if (m->scene->marks[k].kind != LBIO_MARK_JOINT || !m->scene->marks[k].is_solid) {
            continue;
        }
        lbio_prim *prim = lbio_scene_add_prim(m->scene);
        if (!prim) {
            return;
        }
        lbio_theme theme;
        lbio_theme_get(m->options->dark, &theme);
        prim->kind = LB_SHAPE_SPHERE;
        prim->segment = -1;
        prim->size[0] = ball_radius(m->scene, k);
        prim->r[0] = prim->r[4] = prim->r[8] = 1;
        memcpy(prim->p, m->scene->marks[k].p, sizeof prim->p);
        double srgb[3] = {0.17, 0.21, 0.27};
        lbio_color_to_linear(m->options->dark ? theme.joint : srgb, prim->color);
    }
}

/* --- Putting it together ------------------------------------------------------------------------- */

static lb_status normalize(lbio_scene *scene, const maker *makers, const lb_scene *cast,
                           const lb_render_options *options) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, widest = 0;
    for (int k = 0; k < scene->prim_count; k++) {
        double points[LBIO_SPAN_POINTS][3];
        int count = lbio_prim_span(&scene->prims[k], points);
        for (int i = 0; i < count; i++) {
            widen(low, high, points[i]);
        }
    }
    for (int f = 0; f < cast->figure_count; f++) {
        for (int k = 0; k < makers[f].bone_count; k++) {
            widen(low, high, makers[f].bones[k].a);
            widen(low, high, makers[f].bones[k].b);
        }
    }
    for (int k = 0; k < cast->marker_count; k++) {
        if (cast->markers[k].kind != LB_MARKER_SHAPE && cast->markers[k].kind != LB_MARKER_SOLID) {
            widen(low, high, cast->markers[k].frame.position);
        }
    }
    scene->has_bounds = options->has_bounds;
    for (int i = 0; i < 3; i++) {
        if (options->has_bounds) {
            low[i] = options->lower[i], high[i] = options->upper[i];
        }
        if (!(low[i] <= high[i])) {
            low[i] = high[i] = 0;
        }
        if (!isfinite(low[i]) || !isfinite(high[i]) || high[i] - low[i] > 1e100) {
            return LB_ERROR_TOO_LARGE;
        }
    }
    double wide_low[3], wide_high[3];
    memcpy(wide_low, low, sizeof wide_low);
    memcpy(wide_high, high, sizeof wide_high);
    lbio_scene_add_clear(scene, cast, wide_low, wide_high);
    for (int i = 0; i < 3; i++) {
        if (!options->has_bounds) {
            low[i] = wide_low[i], high[i] = wide_high[i];
        }
        scene->origin[i] = low[i] / 2 + high[i] / 2;
        widest = fmax(widest, (high[i] - low[i]) / 2);
    }
    scene->scale = widest > 1e-9 ? widest : 0.1;
    lbio_to_scene(scene, low, scene->low);
    lbio_to_scene(scene, high, scene->high);
    lbio_to_scene(scene, scene->near, scene->near);
    scene->reach /= scene->scale;
    for (int k = 0; k < scene->prim_count; k++) {
        lbio_prim *prim = &scene->prims[k];
        lbio_to_scene(scene, prim->p, prim->p);
        for (int i = 0; i < 3; i++) {
            prim->size[i] /= scene->scale;
        }
        prim->unit *= scene->scale;
    }
    return LB_OK;
}

/* The ground is the world's where the figure stands on it or hovers a little, else it is put below the figure. */
static void place_ground(lbio_scene *scene) {
    double world = -scene->origin[2] / scene->scale, gap = scene->low[2] - world;
    scene->ground = gap >= 0 && gap < 0.6 ? world : scene->low[2];
}

static void finish_prims(lbio_scene *scene) {
    for (int i = 0; i < 3 && !scene->has_bounds; i++) {
        scene->low[i] = INFINITY, scene->high[i] = -INFINITY;
    }
    for (int k = 0; k < scene->prim_count; k++) {
        lbio_prim_finish(&scene->prims[k]);
        if (!scene->has_bounds) {
            double a[3], b[3];
            memcpy(a, scene->prims[k].low, sizeof a);
            memcpy(b, scene->prims[k].high, sizeof b);
            lbio_keep_near(scene, &scene->prims[k], a);
            lbio_keep_near(scene, &scene->prims[k], b);
            widen(scene->low, scene->high, a);
            widen(scene->low, scene->high, b);
        }
    }
}

/* The figure in the world: shapes, and sticks where there are none. */
static lb_status place_figure(maker *m, const double *pose) {
    int count = lb_figure_segment_count(m->figure);
    int *order = malloc(((size_t)count + 1) * sizeof *order);
    m->kinematics = lb_kinematics_create(m->figure, NULL);
    m->has_shape = calloc((size_t)count + 1, 1);
    m->thickness = calloc((size_t)count + 1, sizeof *m->thickness);
    m->low = malloc(((size_t)count + 1) * sizeof *m->low);
    m->high = malloc(((size_t)count + 1) * sizeof *m->high);
    m->base = calloc((size_t)count + 1, sizeof *m->base);
    m->path = calloc((size_t)count + 1, sizeof *m->path);
    m->beyond = calloc((size_t)count + 1, sizeof *m->beyond);
    lb_status status = LB_ERROR_MEMORY;
    if (order && m->kinematics && m->has_shape && m->thickness && m->low && m->high && m->base && m->path &&
        m->beyond) {
        for (int i = 0; i < 3 * count; i++) {
            m->low[i / 3][i % 3] = INFINITY, m->high[i / 3][i % 3] = -INFINITY;
        }
        status = pose ? lb_kinematics_update(m->kinematics, pose) : LB_OK;
    }
    if (!status) {
        lb_figure_tree_order(m->figure, order);
        find_bases(m);
        measure_paths(m, order, count);
        if (m->options->show_shapes) {
            add_shapes(m);
        }
        add_bones(m);
        status = m->scene->has_failed ? LB_ERROR_MEMORY : LB_OK;
    }
    free(order);
    return status;
}

static void free_maker(maker *m) {
    lb_kinematics_destroy(m->kinematics);
    free(m->has_shape);
    free(m->thickness);
    free(m->low);
    free(m->high);
    free(m->base);
    free(m->path);
    free(m->beyond);
    free(m->bones);
}

/* --- All of it ------------------------------------------------------------------------------------ */

static lb_status fill_scene(maker *makers, const lb_scene *cast, const lb_render_options *options, lbio_scene *scene) {
    lb_status status = LB_OK;
    for (int k = 0; k < cast->figure_count && !status; k++) {
        status = place_figure(&makers[k], cast->poses[k]);
    }
    for (int k = 0; k < cast->marker_count && !status; k++) {
        if (cast->markers[k].kind == LB_MARKER_SHAPE) {
            lbio_scene_add_marker_shape(scene, &cast->markers[k]);
        }
    }
    status = status ? status : scene->has_failed ? LB_ERROR_MEMORY : normalize(scene, makers, cast, options);
    for (int k = 0; k < cast->figure_count && !status; k++) {
        makers[k].first_mark = scene->mark_count;
        make_sticks(&makers[k]);
        add_marks(&makers[k]);
        make_balls(&makers[k]);
    }
    for (int k = 0; k < cast->marker_count && !status; k++) {
        lbio_scene_add_marker(scene, &cast->markers[k]);
    }
    if (status) {
        return status;
    }
    finish_prims(scene);
    place_ground(scene);
    for (int k = 0; k < cast->figure_count && makers[k].options->show_limits; k++) {
        lbio_scene_add_limits(scene, makers[k].figure, makers[k].kinematics);
    }
    return scene->has_failed ? LB_ERROR_MEMORY : lbio_tree_build(scene);
}

lb_status lbio_scene_build(const lb_scene *cast, const lb_render_options *options, lbio_scene *scene, lb_error *error) {
    memset(scene, 0, sizeof *scene);
    maker *makers = calloc((size_t)cast->figure_count + 1, sizeof *makers);
    for (int k = 0; makers && k < cast->figure_count; k++) {
        makers[k] = (maker){.figure = cast->figures[k], .options = options, .scene = scene};
    }
    lb_status status = makers ? fill_scene(makers, cast, options, scene) : LB_ERROR_MEMORY;
    for (int k = 0; makers && k < cast->figure_count; k++) {
        free_maker(&makers[k]);
    }
    free(makers);
    if (status) {
        lbio_error(error, status, NULL, 0, "%s",
                   status == LB_ERROR_TOO_LARGE ? "the figure is too large to draw; check its units"
                   : status == LB_ERROR_MEMORY  ? "no memory to draw the figure"
                                                : "the pose has values that are not finite numbers");
        lbio_scene_free(scene);
    }
    return status;
}
