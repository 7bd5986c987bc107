/* The figure that a BVH file's skeleton makes: its joints, and which way up and how large it is. */
#include "io/bvh/bvh.h"
#include "io/human/human.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * What the file does not say: the length unit, which way is up, and which joints carry the whole figure
 * ------------------------------------------------------------------------------------------------- */

#define USUAL_UNIT 0.01
#define UPRIGHT 0.8      /* cosine of the angle between an axis and the way from the feet to the head */
#define IN_LINE 0.5      /* cosine of the angle between legs and trunk */
#define ON_THE_FLOOR 0.2 /* of a leg's length: how far feet that stand are from height 0 at most */

/* Joints that are parts of a body, by their names; -1 where there is none. */
typedef struct bvh_person {
    int *parts; /* [joints] */
    int holder[LBIO_PART_COUNT];
} bvh_person;

static lb_status find_person(const lbio_source *source, const lbio_bvh *bvh, bvh_person *person, void **memory,
                             size_t *size) {
    size_t count = (size_t)bvh->joint_count;
    *size = count * (sizeof(char *) + 3 * sizeof(int));
    *memory = lbio_resize(bvh->allocator, NULL, 0, *size);
    if (!*memory) {
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    const char **names = *memory;
    int *parents = (int *)(names + count), *scratch = parents + count;
    person->parts = scratch + count;
    for (size_t i = 0; i < count; i++) {
        names[i] = bvh->joints[i].name;
        parents[i] = bvh->joints[i].parent;
    }
    lbio_map_human(bvh->joint_count, names, parents, person->parts, scratch);
    for (int part = 0; part < LBIO_PART_COUNT; part++) {
        person->holder[part] = -1;
    }
    for (size_t i = 0; i < count; i++) {
        if (person->parts[i] >= 0) {
            person->holder[person->parts[i]] = (int)i;
        }
    }
    return LB_OK;
}

static int has_positions(const lbio_bvh_joint *joint) {
    for (int c = 0; c < joint->channel_count; c++) {
        if (joint->channels[c] < LBIO_BVH_X_ROTATION) {
            return 1;
        }
    }
    return 0;
}

/* Bones keep their lengths: positions of joints are held in solving, but for what carries the whole figure. That is
 * the pelvis, where names tell and it has positions; else each ROOT. */
static void hold_bones(lbio_bvh *bvh, const bvh_person *person) {
    int pelvis = person->holder[LBIO_PELVIS], is_carried = pelvis >= 0 && has_positions(&bvh->joints[pelvis]);
    for (int i = 0; i < bvh->joint_count; i++) {
        bvh->joints[i].is_held = bvh->joints[i].parent >= 0 && !(is_carried && i == pelvis);
    }
    for (int above = is_carried ? bvh->joints[pelvis].parent : -1; above >= 0; above = bvh->joints[above].parent) {
        bvh->joints[above].is_held = 1;
    }
}

/* Where a joint is on its parent in the first frame, in units of the file. */
static void place_of(const lbio_bvh *bvh, const lbio_bvh_joint *joint, double place[3]) {
    memcpy(place, joint->offset, sizeof joint->offset);
    for (int c = 0; c < joint->channel_count; c++) {
        int axis = joint->channels[c];
        if (axis < LBIO_BVH_X_ROTATION) {
            place[axis] = bvh->first[joint->first_value + c] + (bvh->is_absolute ? 0 : joint->offset[axis]);
        }
    }
}

static double leg_of(const lbio_bvh *bvh, const bvh_person *person) {
    double length = 0;
    for (int part = LBIO_SHANK; part <= LBIO_FOOT; part += 2) {
        if (person->holder[LBIO_THIGH] < 0 || person->holder[part] < 0) {
            return 0;
        }
        double offset[3];
        place_of(bvh, &bvh->joints[person->holder[part]], offset);
        length += sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
    }
    return length;
}

static void find_unit(const lbio_source *source, lbio_bvh *bvh, const bvh_person *person) {
    const double leg = leg_of(bvh, person), given = source->options->unit;
    const char *name = NULL;
    bvh->unit = given > 0 ? given : lbio_unit_of_leg(leg, USUAL_UNIT, &name);
    if (name) {
        lbio_warn(source, 0, "lengths are read in %s, for a leg is %.4g long; --unit says another unit", name, leg);
    }
}

/* A person who stands, lies or hangs straight in a pose: which way it goes from the feet to the head in the file's
 * axes, and where the lower foot is along each, in lengths of a leg. */
typedef struct straight {
    double up[3], low[3];
} straight;

static double normalise(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3 && length > 0; i++) {
        v[i] /= length;
    }
    return length;
}

/* 0 where that cannot be told: a part is missing, or legs and trunk do not lie in a line. */
static int look(const lbio_bvh *bvh, const bvh_person *person, const lb_figure *figure, const double *pose,
                straight *seen) {
    int joints[4] = {person->holder[LBIO_HEAD] >= 0 ? person->holder[LBIO_HEAD] : person->holder[LBIO_NECK],
                     person->holder[LBIO_PELVIS], person->holder[LBIO_FOOT], person->holder[LBIO_FOOT + 1]};
    double leg = leg_of(bvh, person) * bvh->unit, at[4][3], trunk[3], legs[3];
    if (joints[0] < 0 || joints[1] < 0 || joints[2] < 0 || joints[3] < 0 || !(leg > 0)) {
        return 0;
    }
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    int is_well = kinematics && lb_kinematics_update(kinematics, pose) == LB_OK;
    for (int i = 0; i < 4 && is_well; i++) {
        lb_frame frame;
        lb_kinematics_segment(kinematics, bvh->joints[joints[i]].segment, &frame);
        for (int k = 0; k < 3; k++) {
            at[i][k] = frame.position[(k + 1) % 3]; /* the file's x, y, z are the world's y, z, x */
        }
    }
    lb_kinematics_destroy(kinematics);
    for (int i = 0; i < 3 && is_well; i++) {
        double feet = 0.5 * (at[2][i] + at[3][i]);
        trunk[i] = at[0][i] - at[1][i];
        legs[i] = at[1][i] - feet;
        seen->up[i] = at[0][i] - feet;
        seen->low[i] = fmin(at[2][i], at[3][i]) / leg;
    }
    return is_well && normalise(trunk) > 0.1 * leg && normalise(legs) > 0.1 * leg && normalise(seen->up) > 0.1 * leg &&
           trunk[0] * legs[0] + trunk[1] * legs[1] + trunk[2] * legs[2] > IN_LINE;
}

/* Whether z is up, for a person recognised by names: the first frame, or the skeleton at rest where that says nothing,
 * is upright along z. Where the skeleton at rest is upright along y, as that of someone who lies in the first frame,
 * the feet tell: they are on the floor along one of the two axes. */
static int judge_z_up(const lbio_bvh *bvh, const bvh_person *person, const lb_figure *figure, const double *rest,
                      const double *first) {
    straight at_rest, at_first;
    int has_rest = look(bvh, person, figure, rest, &at_rest);
    int has_first = bvh->frame_count > 0 && look(bvh, person, figure, first, &at_first);
    if (!has_first) {
        return has_rest && at_rest.up[2] > UPRIGHT;
    }
    if (at_first.up[2] <= UPRIGHT) {
        return 0;
    }
    return !has_rest || at_rest.up[1] <= UPRIGHT ||
           (fabs(at_first.low[2]) < ON_THE_FLOOR && !(fabs(at_first.low[1]) < ON_THE_FLOOR));
}

/* ---------------------------------------------------------------------------------------------------
 * The figure
 * ------------------------------------------------------------------------------------------------- */

static int add_site(lb_builder *builder, int segment, const char *name, const double position[3]) {
    lb_site site;
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    memcpy(site.frame.position, position, sizeof site.frame.position);
    return lb_builder_add_site(builder, &site);
}

/* A thin bone from the joint's origin to `tip`, thicker at its beginning; nothing where it would have no length. */
static int add_bone(lb_builder *builder, int segment, const double tip[3]) {
    double length = sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]);
    if (!(length > 1e-6 && length < 1e100)) {
        return 0;
    }
    lb_shape shape;
    lb_shape_defaults(&shape);
    shape.kind = LB_SHAPE_CAPSULE;
    shape.segment = segment;
    shape.size[0] = fmin(0.04 * length, 0.025);
    shape.size[1] = length / 2;
    shape.size[2] = shape.size[0] / 2;
    double *q = shape.frame.rotation; /* the least turn from z to the bone: (z x tip, |tip| + z.tip), normalised */
    double half[4] = {-tip[1] / length, tip[0] / length, 0, 1 + tip[2] / length};
    double size = sqrt(half[0] * half[0] + half[1] * half[1] + half[3] * half[3]);
    for (int i = 0; i < 4; i++) {
        q[i] = size > 1e-6 ? half[i] / size : i == 0;
    }
    for (int i = 0; i < 3; i++) {
        shape.frame.position[i] = tip[i] / 2;
    }
    return lb_builder_add_shape(builder, &shape);
}

/* The type of a joint: its translations, then its rotations, each in the file's order. BVH places a joint by all its
 * positions before it turns it, wherever they stand among the channels. */
static void set_type(const lbio_bvh_joint *from, double unit, int is_absolute, lb_joint *joint, char base[64]) {
    int is_mixed = 0;
    for (int rotations = 0; rotations < 2; rotations++) {
        for (int c = 0; c < from->channel_count; c++) {
            int channel = from->channels[c], axis = channel % 3;
            if ((channel >= LBIO_BVH_X_ROTATION) != rotations) {
                continue;
            }
            int dof = joint->type.element_count++;
            is_mixed |= dof != c;
            joint->type.elements[dof].kind = rotations ? LB_ELEMENT_ROTATE : LB_ELEMENT_TRANSLATE;
            memset(joint->type.elements[dof].axis, 0, sizeof joint->type.elements[dof].axis);
            joint->type.elements[dof].axis[axis] = 1;
            joint->rest[dof] = !rotations && is_absolute ? from->offset[axis] * unit : 0;
            joint->rigidity[dof] = !rotations && from->is_held ? 1 : 0;
        }
    }
    strcpy(base, LBIO_BVH_BASE);
    for (int c = 0; c < from->channel_count && is_mixed; c++) {
        strcat(strcat(base, "_"), lbio_bvh_dof_names[from->channels[c]]);
    }
}

static lb_status add_joint(const lbio_source *source, const lbio_bvh *bvh, lb_builder *builder, int world,
                           lbio_bvh_joint *from) {
    double unit = bvh->unit, at[3], tip[3], origin[3] = {0, 0, 0};
    int is_absolute = from->parent < 0 || bvh->is_absolute;
    int parent = from->parent < 0 ? world : bvh->joints[from->parent].segment;
    char base[64];
    lb_joint joint;
    lb_segment segment;
    lb_joint_defaults(&joint);
    lb_segment_defaults(&segment);
    joint.name = segment.name = from->name;
    set_type(from, unit, is_absolute, &joint, base);
    for (int i = 0; i < 3; i++) {
        tip[i] = at[i] = from->offset[i] * unit;
    }
    for (int c = 0; c < from->channel_count && is_absolute; c++) {
        if (from->channels[c] < LBIO_BVH_X_ROTATION) {
            at[from->channels[c]] = 0;
        }
    }
    from->segment = lb_builder_add_segment(builder, &segment);
    int added = from->segment;
    if (added >= 0) {
        joint.site_b = added = add_site(builder, from->segment, base, origin);
    }
    if (added >= 0) { /* "joint" behind the name keeps it apart from sites called base and end */
        char *name = lbio_resize(bvh->allocator, NULL, 0, strlen(from->name) + 7);
        if (!name) {
            return lbio_fail(source, LB_ERROR_MEMORY, from->line, "out of memory");
        }
        sprintf(name, "%s_joint", from->name);
        joint.site_a = added = add_site(builder, parent, name, at);
        lbio_resize(bvh->allocator, name, strlen(from->name) + 7, 0);
    }
    if (added >= 0) {
        added = lb_builder_add_joint(builder, &joint);
    }
    if (added >= 0 && from->parent >= 0) {
        added = add_bone(builder, parent, tip);
    }
    return added < 0 ? lbio_builder_fail(source, builder, from->line) : LB_OK;
}

static lb_status add_end(const lbio_source *source, lbio_bvh *bvh, lb_builder *builder, const lbio_bvh_end *end) {
    lbio_bvh_joint *joint = &bvh->joints[end->joint];
    double tip[3];
    char name[24] = "end";
    if (joint->end_count++ > 0) {
        snprintf(name, sizeof name, "end%d", joint->end_count);
    }
    for (int i = 0; i < 3; i++) {
        tip[i] = end->offset[i] * bvh->unit;
    }
    int added = add_site(builder, joint->segment, name, tip);
    if (added >= 0) {
        added = add_bone(builder, joint->segment, tip);
    }
    return added < 0 ? lbio_builder_fail(source, builder, end->line) : LB_OK;
}

/* The figure's name: the file's, without folder and ending. */
static lb_status set_name(const lbio_source *source, lb_builder *builder) {
    char name[128];
    const char *start = strrchr(source->name, '/');
    start = start ? start + 1 : source->name;
    const char *dot = strrchr(start, '.');
    int length = dot && dot > start ? (int)(dot - start) : (int)strlen(start);
    while (length > 100 && ((unsigned char)start[length] & 0xC0) == 0x80) {
        length--;
    }
    snprintf(name, sizeof name, "%.*s", length < 120 ? length : 100, start);
    return lb_builder_set_name(builder, name[0] && name[0] != '<' ? name : "skeleton");
}

static lb_status add_parts(const lbio_source *source, lbio_bvh *bvh, lb_builder *builder) {
    lb_segment world;
    lb_root root;
    lb_segment_defaults(&world);
    lb_root_defaults(&root);
    if (!bvh->world) {
        bvh->world = lbio_names_unique(&bvh->names, "world", -1);
    }
    world.name = bvh->world;
    if (!world.name) {
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    root.segment = lb_builder_add_segment(builder, &world);
    root.site = -1;
    memcpy(root.placement.rotation, bvh->is_z_up ? lbio_bvh_from_z_up : lbio_bvh_to_world,
           sizeof root.placement.rotation);
    if (root.segment < 0 || set_name(source, builder) != LB_OK || lb_builder_set_root(builder, &root) != LB_OK) {
        return lbio_builder_fail(source, builder, 0);
    }
    for (int i = 0; i < bvh->joint_count; i++) {
        lb_status status = add_joint(source, bvh, builder, root.segment, &bvh->joints[i]);
        if (status != LB_OK) {
            return status;
        }
    }
    for (int i = 0; i < bvh->end_count; i++) {
        lb_status status = add_end(source, bvh, builder, &bvh->ends[i]);
        if (status != LB_OK) {
            return status;
        }
    }
    return LB_OK;
}

static lb_status build(const lbio_source *source, lbio_bvh *bvh, lb_figure **figure) {
    lb_builder *builder = lb_builder_create(bvh->allocator, NULL);
    lb_status status =
        builder ? add_parts(source, bvh, builder) : lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    if (status == LB_OK && lb_builder_finish(builder, figure) != LB_OK) {
        status = lbio_builder_fail(source, builder, 0);
    }
    lb_builder_destroy(builder);
    return status;
}

/* Looks at the figure made with y up, and makes it again where z is. */
static lb_status turn_up(const lbio_source *source, lbio_bvh *bvh, const bvh_person *person, lb_figure **figure) {
    size_t count = (size_t)lb_figure_variable_count(*figure), size = (2 * count + 1) * sizeof(double);
    double *poses = lbio_resize(bvh->allocator, NULL, 0, size);
    if (!poses) {
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    lb_figure_rest_pose(*figure, poses);
    lb_figure_rest_pose(*figure, poses + count);
    lbio_bvh_first_pose(bvh, *figure, poses + count);
    bvh->is_z_up = judge_z_up(bvh, person, *figure, poses, poses + count);
    lbio_resize(bvh->allocator, poses, size, 0);
    if (!bvh->is_z_up) {
        return LB_OK;
    }
    lbio_warn(source, 0, "z is read as up, for the person in it stands along z; --up y says otherwise");
    lb_figure_destroy(*figure);
    *figure = NULL;
    for (int i = 0; i < bvh->joint_count; i++) {
        bvh->joints[i].end_count = 0;
    }
    return build(source, bvh, figure);
}

lb_status lbio_bvh_build(const lbio_source *source, lbio_bvh *bvh, lb_figure **figure) {
    bvh_person person;
    void *memory = NULL;
    size_t size = 0;
    lb_status status = find_person(source, bvh, &person, &memory, &size);
    if (status == LB_OK) {
        hold_bones(bvh, &person);
        find_unit(source, bvh, &person);
        bvh->is_z_up = source->options->bvh_up == LB_BVH_UP_Z;
        status = build(source, bvh, figure);
    }
    if (status == LB_OK && source->options->bvh_up == LB_BVH_UP_AUTO) {
        status = turn_up(source, bvh, &person, figure);
    }
    if (memory) {
        lbio_resize(bvh->allocator, memory, size, 0);
    }
    return status;
}
