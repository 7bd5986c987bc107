/* What one unit of a glTF file's lengths is. The format says metres; exporters that write centimetres, or an author who
 * scaled the armature, say otherwise. The scale stands above all nodes, so that it is that of every place in the
 * file. */
#include "io/gltf/gltf.h"

#include <math.h>

/* Legs as nobody has them, metres: neither of children nor of giants. */
#define LEAST_LEG 0.1
#define MOST_LEG 1.6
#define UPRIGHT 0.7 /* cosine of the angle between the way from hips to head and up */

static double distance_between(const lbio_gltf *gltf, int a, int b) {
    const double *p = gltf->rest[a].frame.position, *q = gltf->rest[b].frame.position;
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
}

/* Which nodes are parts of a person's body; 0: nobody stands upright there, as foxes do not whose bones are called like
 * a person's. */
static int find_person(const lbio_gltf *gltf, int holder[LBIO_PART_COUNT]) {
    for (int part = 0; part < LBIO_PART_COUNT; part++) {
        holder[part] = -1;
    }
    for (int i = 0; i < gltf->node_count; i++) {
        const lbio_gltf_node *node = &gltf->nodes[i];
        if (node->is_segment && node->part >= 0) {
            holder[node->part] = i;
        }
    }
    const int top = holder[LBIO_HEAD] >= 0 ? holder[LBIO_HEAD] : holder[LBIO_NECK], pelvis = holder[LBIO_PELVIS];
    return top >= 0 && pelvis >= 0 && holder[LBIO_THIGH] >= 0 && holder[LBIO_SHANK] >= 0 && holder[LBIO_FOOT] >= 0 &&
           gltf->rest[top].frame.position[1] - gltf->rest[pelvis].frame.position[1] >
               UPRIGHT * distance_between(gltf, top, pelvis);
}

/* From hip to ankle, in units of the file; 0 where no person is known by names. */
static double leg_of(const lbio_gltf *gltf) {
    int holder[LBIO_PART_COUNT];
    return find_person(gltf, holder) ? distance_between(gltf, holder[LBIO_THIGH], holder[LBIO_SHANK]) +
                                           distance_between(gltf, holder[LBIO_SHANK], holder[LBIO_FOOT])
                                     : 0;
}

void lbio_gltf_find_unit(lbio_gltf *gltf) {
    const double given = gltf->source->options->unit;
    const double leg = given > 0 ? 0 : leg_of(gltf);
    const char *name = NULL;
    const double unit = given > 0 ? given : lbio_unit_of_leg(leg, 1, &name);
    if (name) {
        lbio_warn(gltf->source, 0, "lengths are read in %s, for a leg would be %.4g m long; --unit says another unit",
                  name, leg);
    } else if (leg > MOST_LEG || (leg > 0 && leg < LEAST_LEG)) {
        lbio_warn(gltf->source, 0, "a leg is %.4g m long; --unit says it where the file's unit is none of metres", leg);
    }
    if (unit != 1) {
        lbio_gltf_set_unit(gltf, unit);
    }
}

/* Whether a segment only turns on the one that carries it: the bone between them keeps its length in every pose. */
static int only_turns(const lb_figure *figure, int segment) {
    const int joint = lb_figure_parent_joint(figure, segment);
    const lb_joint_type *type = joint >= 0 ? &lb_figure_joint(figure, joint)->type : NULL;
    return type && (type->element_count == 0 || type->elements[0].kind != LB_ELEMENT_TRANSLATE);
}

/* The lengths of all such bones, in the figure and in the file: their ratio, or 0 where there are none. */
static double compare_bones(const lbio_gltf *gltf, const lb_figure *figure, const lb_kinematics *kinematics) {
    double of_figure = 0, of_file = 0;
    for (int i = 0; i < gltf->node_count; i++) {
        const int own = gltf->nodes[i].segment, above = lbio_gltf_segment_above(gltf, i);
        lb_frame a, b;
        if (above < 0 || own < 0 || gltf->nodes[above].segment < 0 || !only_turns(figure, own) ||
            lb_kinematics_segment(kinematics, own, &a) ||
            lb_kinematics_segment(kinematics, gltf->nodes[above].segment, &b)) {
            continue;
        }
        const double d[3] = {a.position[0] - b.position[0], a.position[1] - b.position[1],
                             a.position[2] - b.position[2]};
        of_figure += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        of_file += distance_between(gltf, i, above);
    }
    return of_file > 0 ? of_figure / of_file : 0;
}

lb_status lbio_gltf_unit_of(lbio_gltf *gltf, const lb_figure *figure) {
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    const char *name = NULL;
    if (!kinematics) {
        return lbio_gltf_no_memory(gltf);
    }
    const double found = compare_bones(gltf, figure, kinematics), told = lbio_unit_of_leg(leg_of(gltf), 1, &name);
    lb_kinematics_destroy(kinematics);
    double unit = found > 0 ? found : told;
    unit = fabs(unit / told - 1) < 1e-9 ? told : unit; /* to the last bit */
    unit = fabs(unit - 1) < 1e-9 ? 1 : unit;
    if (unit != 1) {
        lbio_gltf_set_unit(gltf, unit);
    }
    return LB_OK;
}
