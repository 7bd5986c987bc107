#include "random_figure.h"

#include <math.h>
#include <string.h>

#include "check.h"

static double unit(uint64_t *seed) {
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 11) * 0x1p-53;
}

double random_between(uint64_t *seed, double low, double high) { return low + (high - low) * unit(seed); }

int random_below(uint64_t *seed, int count) { return (int)(unit(seed) * count); }

void random_rotation(uint64_t *seed, double rotation[4]) {
    double square;
    do {
        square = 0;
        for (int i = 0; i < 4; i++) {
            rotation[i] = random_between(seed, -1, 1);
            square += rotation[i] * rotation[i];
        }
    } while (square < 0.01 || square > 1);
    for (int i = 0; i < 4; i++) {
        rotation[i] /= sqrt(square);
    }
}

static void random_frame(uint64_t *seed, lb_frame *frame) {
    for (int i = 0; i < 3; i++) {
        frame->position[i] = random_between(seed, -0.3, 0.3);
    }
    random_rotation(seed, frame->rotation);
}

static void random_axis(uint64_t *seed, double axis[3]) {
    double q[4];
    const double z[3] = {0, 0, 1};
    random_rotation(seed, q);
    double m[9];
    lb_rotation_to_matrix(q, m);
    for (int i = 0; i < 3; i++) {
        axis[i] = m[3 * i] * z[0] + m[3 * i + 1] * z[1] + m[3 * i + 2] * z[2];
    }
    double norm = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int i = 0; i < 3; i++) {
        axis[i] /= norm;
    }
}

void random_joint_type(uint64_t *seed, int kind, lb_joint_type *type) {
    static const char *const names[RANDOM_KINDS - 1] = {"fixed",
                                                        "pin",
                                                        "universal",
                                                        "ball",
                                                        "sliding",
                                                        "cylindrical",
                                                        "sliding-universal",
                                                        "sliding-ball",
                                                        "planar",
                                                        "cube-on-plane",
                                                        "cylinder-on-plane",
                                                        "ball-on-plane",
                                                        "cartesian",
                                                        "cartesian-pin",
                                                        "cartesian-universal",
                                                        "flying",
                                                        "floating",
                                                        "swing_twist(z)",
                                                        "swing_twist(x)",
                                                        "T(x)*swing_twist(0.6,0,0.8)",
                                                        "rotation"};
    lb_error error;
    if (kind < RANDOM_KINDS - 1) {
        if (lb_joint_type_parse(names[kind], type, &error)) {
            check_note("%s: %s", names[kind], error.message);
        }
        REQUIRE(lb_joint_type_parse(names[kind], type, &error) == LB_OK);
        return;
    }
    int rotations = 0, translations = 0;
    type->element_count = 1 + random_below(seed, 4);
    for (int i = 0; i < type->element_count; i++) {
        int rotate = random_below(seed, 3) > 0;
        if (rotate && rotations == 3) {
            rotate = 0;
        }
        if (!rotate && translations == 3) {
            rotate = 1;
        }
        rotations += rotate;
        translations += !rotate;
        type->elements[i].kind = rotate ? LB_ELEMENT_ROTATE : LB_ELEMENT_TRANSLATE;
        random_axis(seed, type->elements[i].axis);
    }
}

static int add_random_site(lb_builder *b, uint64_t *seed, int segment, const char *name) {
    lb_site site;
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    random_frame(seed, &site.frame);
    int index = lb_builder_add_site(b, &site);
    REQUIRE(index >= 0);
    return index;
}

/* A convex polygon about the origin: corners on an ellipse at random angles, fewer than half a turn apart. */
static int random_polygon(uint64_t *seed, double (*corners)[2]) {
    int count = 3 + random_below(seed, 5);
    double wide = random_between(seed, 0.2, 1.5), high = random_between(seed, 0.2, 1.5);
    for (int i = 0; i < count; i++) {
        double angle = 2 * 3.14159265358979323846 * (i + random_between(seed, 0, 0.4)) / count;
        corners[i][0] = wide * cos(angle);
        corners[i][1] = high * sin(angle);
    }
    return count;
}

static void add_random_joint(lb_builder *b, uint64_t *seed, int number, int from, int to, int kind,
                             const random_options *options) {
    char name[32], site_a[32], site_b[32];
    lb_joint joint;
    lb_joint_defaults(&joint);
    snprintf(name, sizeof name, "joint%d", number);
    snprintf(site_a, sizeof site_a, "a%d", number);
    snprintf(site_b, sizeof site_b, "b%d", number);
    joint.name = name;
    if (random_below(seed, 3) == 0) { /* written the other way round */
        int swap = from;
        from = to;
        to = swap;
    }
    joint.site_a = add_random_site(b, seed, from, site_a);
    joint.site_b = add_random_site(b, seed, to, site_b);
    random_joint_type(seed, kind, &joint.type);
    int dofs = lb_joint_type_dof_count(&joint.type);
    for (int i = 0; i < dofs; i++) {
        joint.rest[i] = random_between(seed, -0.5, 0.5);
        if (!options->with_limits || random_below(seed, 3) == 0) {
            continue;
        }
        joint.lower[i] = random_between(seed, -2, 0.2);
        joint.upper[i] = joint.lower[i] + (random_below(seed, 10) ? random_between(seed, 0.01, 3) : 0);
    }
    for (int i = 0; options->with_rigidity && i < dofs; i++) {
        joint.rigidity[i] = random_below(seed, 3) ? 0 : random_below(seed, 6) ? random_between(seed, 0, 0.99) : 1;
    }
    double cone[12][2];
    if (options->with_limits && joint.type.element_count == 1 &&
        joint.type.elements[0].kind == LB_ELEMENT_SWING_TWIST) {
        lb_swing_cone(random_between(seed, 0.3, 2), 12, cone);
        joint.swing_count = 12;
        if (options->with_rows) {
            joint.swing_count = random_polygon(seed, cone);
        }
        joint.swing = (const double(*)[2])cone;
        joint.lower[0] = joint.lower[1] = -INFINITY;
        joint.upper[0] = joint.upper[1] = INFINITY;
    }
    joint.frozen = options->with_frozen && random_below(seed, 6) == 0;
    REQUIRE(lb_builder_add_joint(b, &joint) >= 0);
}

/* Which dofs are driven. */
#define MOST_JOINTS 32
typedef struct dof_marks {
    unsigned char of[MOST_JOINTS][LB_JOINT_MAX_DOFS];
} dof_marks;

/* Drives by a group's parameter or by another joint's dof, linear, polyline or spline. */
static void add_random_drives(lb_builder *b, uint64_t *seed, dof_marks *driven) {
    REQUIRE(lb_builder_add_group(b, "group") == 0);
    for (int i = 0; i < 2; i++) {
        lb_parameter p;
        lb_parameter_defaults(&p);
        p.name = i ? "second" : "first";
        p.lower = -1.5;
        p.upper = 1.5;
        REQUIRE(lb_builder_add_parameter(b, &p) == i);
    }
    int joints = lb_builder_joint_count(b);
    for (int i = 0; i < joints; i++) {
        const lb_joint *joint = lb_builder_joint(b, i);
        int dofs = lb_joint_type_dof_count(&joint->type);
        if (!dofs || joint->swing_count || random_below(seed, 2)) {
            continue;
        }
        lb_drive drive;
        lb_drive_defaults(&drive);
        drive.joint = i;
        drive.dof = random_below(seed, dofs);
        double x[4] = {-1.2, -0.3, 0.4, 1.1}, y[4];
        for (int k = 0; k < 4; k++) {
            y[k] = random_between(seed, -0.8, 0.8);
        }
        drive.curve.kind = (lb_curve_kind)random_below(seed, 3);
        drive.curve.offset = random_between(seed, -0.3, 0.3);
        drive.curve.slope = random_between(seed, -1, 1);
        drive.curve.count = 4;
        drive.curve.x = x;
        drive.curve.y = y;
        if (joint->lower[drive.dof] > -INFINITY) {
            continue;
        }
        drive.source.parameter = random_below(seed, 2);
        REQUIRE(lb_builder_add_drive(b, &drive) >= 0);
        driven->of[i][drive.dof] = 1;
        if (random_below(seed, 2)) { /* a second source */
            drive.curve.kind = LB_CURVE_LINEAR;
            drive.source.parameter = 1 - drive.source.parameter;
            REQUIRE(lb_builder_add_drive(b, &drive) >= 0);
        }
        if (i + 1 < joints) { /* and a mimic of what is driven */
            const lb_joint *next = lb_builder_joint(b, i + 1);
            if (!lb_joint_type_dof_count(&next->type) || next->swing_count || next->lower[0] > -INFINITY) {
                continue;
            }
            lb_drive mimic;
            lb_drive_defaults(&mimic);
            mimic.joint = i + 1;
            mimic.source = (lb_dof_ref){i, drive.dof, -1};
            mimic.curve.slope = random_between(seed, -1, 1);
            REQUIRE(lb_builder_add_drive(b, &mimic) >= 0);
            driven->of[i + 1][0] = 1;
            i++;
        }
    }
}

/* A value that every limit of the joint itself allows, whatever the other dofs have. */
static double allowed_value(const lb_joint *joint, int dof) {
    if (joint->swing_count && joint->type.elements[0].kind == LB_ELEMENT_SWING_TWIST && dof < 2) {
        return 0;
    }
    return fmin(fmax(joint->rest[dof], joint->lower[dof]), joint->upper[dof]);
}

/* A limit over two to four dofs that are variables; all limits hold at the allowed values. Returns 0 without enough dofs. */
static int add_random_row(lb_builder *b, uint64_t *seed, const dof_marks *driven) {
    lb_dof_ref terms[4];
    double coefficients[4], at_allowed = 0;
    lb_limit limit;
    int count = 0, wanted = 2 + random_below(seed, 3), joints = lb_builder_joint_count(b);
    for (int tries = 0; tries < 20 && count < wanted; tries++) {
        lb_dof_ref term = {random_below(seed, joints), 0, -1};
        const lb_joint *joint = lb_builder_joint(b, term.joint);
        int dofs = lb_joint_type_dof_count(&joint->type), is_new = 1;
        if (dofs == 0 || joint->frozen) {
            continue;
        }
        term.dof = random_below(seed, dofs);
        for (int i = 0; i < count; i++) {
            is_new &= terms[i].joint != term.joint || terms[i].dof != term.dof;
        }
        if (!is_new || driven->of[term.joint][term.dof]) {
            continue;
        }
        coefficients[count] = random_between(seed, 0.2, 1) * (random_below(seed, 2) ? 1 : -1);
        at_allowed += coefficients[count] * allowed_value(joint, term.dof);
        terms[count++] = term;
    }
    if (count < 2) {
        return 0;
    }
    lb_limit_defaults(&limit);
    limit.name = "row";
    limit.kind = random_below(seed, 3) ? LB_LIMIT_AT_MOST : LB_LIMIT_EQUAL;
    limit.count = count;
    limit.terms = terms;
    limit.coefficients = coefficients;
    limit.bound = at_allowed + (limit.kind == LB_LIMIT_EQUAL ? 0 : random_between(seed, 0, 0.4));
    REQUIRE(lb_builder_add_limit(b, &limit) >= 0);
    return 1;
}

lb_figure *random_figure(uint64_t *seed, const random_options *options) {
    lb_builder *b = lb_builder_create(options->allocator, NULL);
    REQUIRE(b != NULL);
    int number = 0;
    for (int i = 0; i < options->segments; i++) {
        char name[32];
        lb_segment segment;
        lb_segment_defaults(&segment);
        snprintf(name, sizeof name, "segment%d", i);
        segment.name = name;
        segment.mass = random_below(seed, 4) ? random_between(seed, 0, 3) : 0;
        for (int k = 0; k < 3; k++) {
            segment.com[k] = random_between(seed, -0.2, 0.2);
        }
        REQUIRE(lb_builder_add_segment(b, &segment) == i);
        if (i == 0) {
            continue;
        }
        int kind = i == 1 ? options->first_kind : random_below(seed, RANDOM_KINDS);
        add_random_joint(b, seed, number++, random_below(seed, i), i, kind, options);
    }
    if (options->with_loops && options->segments > 2) {
        add_random_joint(b, seed, number++, 0, options->segments - 1, random_below(seed, RANDOM_KINDS), options);
    }
    dof_marks driven = {0};
    REQUIRE(number <= MOST_JOINTS);
    if (options->with_groups) {
        add_random_drives(b, seed, &driven);
    }
    for (int rows = options->with_rows ? 1 + random_below(seed, 3) : 0; rows > 0; rows--) {
        add_random_row(b, seed, &driven);
    }
    lb_root root;
    lb_root_defaults(&root);
    root.segment = random_below(seed, options->segments);
    root.is_free = random_below(seed, 2);
    if (random_below(seed, 2)) {
        root.site = add_random_site(b, seed, root.segment, "root");
    }
    random_frame(seed, &root.placement);
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK);
    if (options->scale > 0) {
        REQUIRE(lb_builder_scale(b, options->scale, 1) == LB_OK);
    }
    lb_figure *figure = NULL;
    lb_status status = lb_builder_finish(b, &figure);
    if (status) {
        check_note("%s", lb_builder_error(b)->message);
    }
    REQUIRE(status == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

static int near_a_kink(const lb_figure *figure, const double *pose) {
    for (int i = 0; i < lb_figure_drive_count(figure); i++) {
        const lb_drive *drive = lb_figure_drive(figure, i);
        if (drive->curve.kind != LB_CURVE_POLYLINE) {
            continue;
        }
        int variable = lb_figure_variable_of(figure, &drive->source);
        if (variable < 0) {
            continue;
        }
        for (int k = 0; k < drive->curve.count; k++) {
            if (fabs(pose[variable] - drive->curve.x[k]) < 1e-3) {
                return 1;
            }
        }
    }
    return 0;
}

void random_smooth_pose(const lb_figure *figure, uint64_t *seed, double *pose) {
    do {
        lb_figure_random_pose(figure, seed, pose);
    } while (near_a_kink(figure, pose));
}
