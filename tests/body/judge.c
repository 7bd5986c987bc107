#include "judge.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "geometry.h"
#include "thresholds.h"

#define DEGREES (180 / 3.14159265358979323846)

static const char *const flaw_names[FLAW_COUNT] = {"goal", "support", "fall", "floor", "self",     "spine", "lateral",
                                                   "idle", "limits",  "head", "knee",  "symmetry", "says"};

const char *flaw_name(flaw f) { return flaw_names[f]; }

const char *flaw_text(unsigned flaws, char text[200]) {
    text[0] = 0;
    for (int f = 0; f < FLAW_COUNT; f++) {
        if (flaws & (1u << f)) {
            strcat(strcat(text, *text ? " " : ""), flaw_names[f]);
        }
    }
    return *text ? text : strcpy(text, "-");
}

/* --- The person --------------------------------------------------------------------------------------- */

static int solid_called(const lb_body *body, const char *name) {
    for (int k = 0; k < body->solid_count; k++) {
        if (strcmp(body->solids[k].name, name) == 0) {
            return k;
        }
    }
    printf("the body of the figure has no solid `%s`, which tests/body/judge.c looks at; it has", name);
    for (int k = 0; k < body->solid_count; k++) {
        printf(" %s", body->solids[k].name);
    }
    printf("\n");
    REQUIRE(!"a solid is missing");
    return -1;
}

static void add_pair(person *p, const char *side_a, const char *a, const char *side_b, const char *b) {
    char first[TASK_NAME], second[TASK_NAME];
    snprintf(first, sizeof first, "%s%s", side_a, a);
    snprintf(second, sizeof second, "%s%s", side_b, b);
    REQUIRE(p->pair_count < PERSON_PAIRS);
    p->pairs[p->pair_count][0] = solid_called(p->body, first);
    p->pairs[p->pair_count][1] = solid_called(p->body, second);
    p->pair_count++;
}

static void pair_arm(person *p, const char *side, const char *other) {
    static const char *const arm[] = {"forearm", "lower_forearm", "hand", "fingers", "fingertips"};
    static const char *const trunk[] = {"pelvis", "belly", "chest", "upper_chest", "neck", "head"};
    static const char *const beside_upper_arm[] = {"pelvis", "belly", "head"};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 6; k++) {
            add_pair(p, side, arm[i], "", trunk[k]);
        }
        add_pair(p, side, arm[i], side, "thigh");
        add_pair(p, side, arm[i], other, "thigh");
        if (i > 0) {
            add_pair(p, side, arm[i], side, "shank");
            add_pair(p, side, arm[i], other, "shank");
        }
        if (i < 3) {
            add_pair(p, side, arm[i], other, "upper_arm");
        }
    }
    for (int k = 0; k < 3; k++) {
        add_pair(p, side, "upper_arm", "", beside_upper_arm[k]);
    }
}

/* The pairs that people keep apart: arms and trunk, arms and legs, both arms, both legs, thighs and trunk. */
static void make_pairs(person *p) {
    static const char *const sides[] = {"right_", "left_"}, *const arm[] = {"forearm", "lower_forearm", "hand"};
    static const char *const legs[][2] = {{"thigh", "thigh"}, {"shank", "shank"}, {"foot", "foot"},
                                          {"toes", "toes"},   {"toes", "foot"},   {"foot", "toes"}};
    for (int k = 0; k < 2; k++) {
        pair_arm(p, sides[k], sides[1 - k]);
        add_pair(p, sides[k], "thigh", "", "chest");
        add_pair(p, sides[k], "thigh", "", "belly");
        add_pair(p, sides[k], "shank", sides[1 - k], "thigh");
        add_pair(p, sides[k], "foot", sides[1 - k], "shank");
    }
    for (int i = 0; i < 9; i++) {
        add_pair(p, sides[0], arm[i / 3], sides[1], arm[i % 3]);
    }
    for (int i = 0; i < 6; i++) {
        add_pair(p, sides[0], legs[i][0], sides[1], legs[i][1]);
    }
}

static double pair_distance(const person *p, int pair) {
    double ends[2][2][3], radii = 0;
    for (int k = 0; k < 2; k++) {
        const lb_body_solid *solid = &p->body->solids[p->pairs[pair][k]];
        carry(p->matrices[solid->segment], solid->from, ends[k][0]);
        carry(p->matrices[solid->segment], solid->to, ends[k][1]);
        radii += solid->radius;
    }
    return segment_distance(ends[0][0], ends[0][1], ends[1][0], ends[1][1]) - radii;
}

double person_apart(const person *p, int pair) { return pair_distance(p, pair) - p->allowed[pair]; }

void person_make(const lb_figure *figure, person *p) {
    memset(p, 0, sizeof *p);
    p->figure = figure;
    p->body = lb_figure_body(figure);
    if (!p->body) {
        printf("figure `%s` has no body\n", lb_figure_name(figure));
        REQUIRE(!"the figure has no body");
    }
    p->variable_count = lb_figure_variable_count(figure);
    p->kinematics = lb_kinematics_create(figure, NULL);
    p->matrices = malloc((size_t)lb_figure_segment_count(figure) * sizeof *p->matrices);
    REQUIRE(p->kinematics && p->matrices && p->variable_count <= PERSON_VARIABLES);
    lb_figure_rest_pose(figure, p->rest);
    make_pairs(p);
    person_pose(p, p->rest);
    for (int k = 0; k < p->pair_count; k++) {
        p->allowed[k] = fmin(0, pair_distance(p, k));
    }
    for (int k = 0; k < p->body->contact_count; k++) {
        if (p->body->contacts[k].kind == LB_CONTACT_TOE && p->body->contacts[k].limb >= 0) {
            person_contact(p, k, p->toes[p->body->contacts[k].limb]);
        }
    }
}

void person_free(person *p) {
    lb_kinematics_destroy(p->kinematics);
    free(p->matrices);
    memset(p, 0, sizeof *p);
}

void person_pose(person *p, const double *pose) {
    REQUIRE(lb_kinematics_update(p->kinematics, pose) == LB_OK);
    for (int k = 0; k < lb_figure_segment_count(p->figure); k++) {
        REQUIRE(lb_kinematics_matrix(p->kinematics, k, p->matrices[k]) == LB_OK);
    }
}

static int segment_called(const person *p, const char *name) {
    int segment = lb_figure_find_segment(p->figure, name);
    if (segment < 0) {
        printf("the figure has no segment `%s`, which tests/body/judge.c looks at\n", name);
        REQUIRE(!"a segment is missing");
    }
    return segment;
}

static double value_of(const person *p, const double *pose, const char *variable) {
    int k = lb_figure_find_variable(p->figure, variable);
    if (k < 0) {
        printf("the figure has no variable `%s`, which tests/body/judge.c looks at\n", variable);
        REQUIRE(!"a variable is missing");
    }
    return pose[k];
}

static const lb_site *site_called(const person *p, const char *name) {
    int segment = -1, site = -1;
    REQUIRE(lb_figure_find_place(p->figure, name, &segment, &site, NULL) == LB_OK && site >= 0);
    return lb_figure_site(p->figure, site);
}

void person_site(const person *p, const char *name, double point[3]) {
    const lb_site *site = site_called(p, name);
    carry(p->matrices[site->segment], site->frame.position, point);
}

void person_contact(const person *p, int contact, double point[3]) {
    carry(p->matrices[p->body->contacts[contact].segment], p->body->contacts[contact].point, point);
}

/* --- Goals ------------------------------------------------------------------------------------------- */

static void site_axis(const person *p, const char *name, int axis, double out[3]) {
    const lb_site *site = site_called(p, name);
    double m[9];
    lb_rotation_to_matrix(site->frame.rotation, m);
    const double local[3] = {m[axis], m[3 + axis], m[6 + axis]};
    turn(p->matrices[site->segment], local, out);
}

/* How far the eyes, or what aims where it is not the gaze, look past a point. */
static double aim_error(const person *p, const char *effector, const double at[3]) {
    const lb_site *site = site_called(p, effector);
    const int is_gaze =
        p->body->gaze >= 0 && lb_figure_site(p->figure, p->body->gaze) == site && p->body->eye_count > 0;
    double worst = 0;
    for (int k = 0; k < (is_gaze ? p->body->eye_count : 1); k++) {
        double from[3], axis[3];
        if (is_gaze) {
            const double *m = p->matrices[p->body->eyes[k]], x[3] = {1, 0, 0}, zero[3] = {0, 0, 0};
            turn(m, x, axis);
            carry(m, zero, from);
        } else {
            person_site(p, effector, from);
            site_axis(p, effector, 0, axis);
        }
        const double towards[3] = {at[0] - from[0], at[1] - from[1], at[2] - from[2]};
        worst = fmax(worst, angle_between(axis, towards));
    }
    return worst;
}

static void judge_goal(const person *p, const task_goal *g, measures *m) {
    double at[3], point[3], normal[3], x[3], y[3], axis[3];
    memcpy(point, g->point, sizeof point);
    memcpy(normal, g->normal, sizeof normal);
    memcpy(x, g->x, sizeof x);
    memcpy(y, g->y, sizeof y);
    if (g->carrier[0]) {
        const double *carrier = p->matrices[segment_called(p, g->carrier)];
        carry(carrier, point, point);
        turn(carrier, normal, normal);
        turn(carrier, x, x);
        turn(carrier, y, y);
    }
    person_site(p, g->effector, at);
    const double e[3] = {at[0] - point[0], at[1] - point[1], at[2] - point[2]};
    const double along = dot3(e, normal) / sqrt(dot3(normal, normal));
    switch (g->kind) {
    case LB_GOAL_AIM:
        m->goal_rad = fmax(m->goal_rad, aim_error(p, g->effector, point));
        break;
    case LB_GOAL_PLANE:
        m->goal_m = fmax(m->goal_m, fabs(along));
        break;
    case LB_GOAL_LINE: {
        const double *n = normal;
        const double across[3] = {e[1] * n[2] - e[2] * n[1], e[2] * n[0] - e[0] * n[2], e[0] * n[1] - e[1] * n[0]};
        m->goal_m = fmax(m->goal_m, sqrt(dot3(across, across) / dot3(n, n)));
        break;
    }
    default:
        m->goal_m = fmax(m->goal_m, distance3(at, point));
    }
    if (g->has_x) {
        site_axis(p, g->effector, 0, axis);
        m->goal_rad = fmax(m->goal_rad, angle_between(axis, x));
    }
    if (g->has_y) {
        site_axis(p, g->effector, 1, axis);
        m->goal_rad = fmax(m->goal_rad, angle_between(axis, y));
    }
}

static int has_aim(const task *t) {
    for (int k = 0; k < t->goal_count; k++) {
        if (t->goals[k].kind == LB_GOAL_AIM) {
            return 1;
        }
    }
    return 0;
}

/* --- Standing ---------------------------------------------------------------------------------------- */

/* What a contact of the task rests on; NULL: the floor, if anything. */
static const task_support *support_of(const person *p, const task *t, int contact) {
    for (int k = 0; k < t->support_count; k++) {
        if (strcmp(t->supports[k].contact, p->body->contacts[contact].name) == 0) {
            return &t->supports[k];
        }
    }
    return NULL;
}

static void centre_of_mass(const person *p, double com[3]) {
    double mass = 0, sum[3] = {0, 0, 0}, at[3];
    for (int k = 0; k < lb_figure_segment_count(p->figure); k++) {
        const lb_segment *segment = lb_figure_segment(p->figure, k);
        carry(p->matrices[k], segment->com, at);
        mass += segment->mass;
        for (int i = 0; i < 3; i++) {
            sum[i] += segment->mass * at[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        com[i] = sum[i] / mass;
    }
}

/* A support is missed by its height over the surface, or by how far it is beside it. */
static double support_error(const task_support *s, const double at[3]) {
    const double beside_x = fmax(0, fabs(at[0] - s->point[0]) - s->half_size[0]);
    const double beside_y = fmax(0, fabs(at[1] - s->point[1]) - s->half_size[1]);
    return fmax(fabs(at[2] - s->point[2]), fmax(beside_x, beside_y));
}

/* What stands: points of the feet, and others where the task has them rest on something. */
static void judge_standing(const person *p, const task *t, measures *m) {
    double points[64][2], at[3];
    int count = 0;
    m->heel = -INFINITY;
    for (int k = 0; k < p->body->contact_count; k++) {
        const lb_body_contact *contact = &p->body->contacts[k];
        const task_support *support = support_of(p, t, k);
        const int is_foot =
            contact->kind == LB_CONTACT_HEEL || contact->kind == LB_CONTACT_BALL || contact->kind == LB_CONTACT_TOE;
        person_contact(p, k, at);
        if (contact->kind == LB_CONTACT_HEEL) {
            m->heel = fmax(m->heel, at[2]);
        }
        if (contact->kind == LB_CONTACT_TOE && contact->limb >= 0) {
            const double *rest = p->toes[contact->limb];
            m->moved = fmax(m->moved, hypot(at[0] - rest[0], at[1] - rest[1]));
        }
        if (support) {
            m->support = fmax(m->support, support_error(support, at));
        }
        if (is_foot && !support && -at[2] > m->floor) {
            m->floor = -at[2];
            m->in_floor = contact->name;
        }
        const double height = at[2] - (support ? support->point[2] : 0);
        if ((is_foot || support) && height < BODY_STANDS_M && count < 64) {
            points[count][0] = at[0];
            points[count++][1] = at[1];
        }
    }
    centre_of_mass(p, m->com);
    m->outside = outside_hull((const double(*)[2])points, count, m->com);
}

/* --- In the way -------------------------------------------------------------------------------------- */

/* The prototype of these checks let the lower end of a thigh sink into the floor, because its solid was as thick at the
 * knee as at the hip and reached the middle of the joint, so that kneeling was not possible without. A body's solids are to
 * end where the limb does, and then there is no need for an exception: every solid counts with both ends. */
static void judge_solids(const person *p, measures *m) {
    double ends[2][3];
    for (int k = 0; k < p->body->solid_count; k++) {
        const lb_body_solid *solid = &p->body->solids[k];
        carry(p->matrices[solid->segment], solid->from, ends[0]);
        carry(p->matrices[solid->segment], solid->to, ends[1]);
        const double depth = solid->radius - fmin(ends[0][2], ends[1][2]);
        if (depth > m->floor) {
            m->floor = depth;
            m->in_floor = solid->name;
        }
    }
    for (int k = 0; k < p->pair_count; k++) {
        const double depth = -person_apart(p, k);
        if (depth > m->self) {
            m->self = depth;
            m->self_a = p->body->solids[p->pairs[k][0]].name;
            m->self_b = p->body->solids[p->pairs[k][1]].name;
        }
    }
}

/* --- Posture ----------------------------------------------------------------------------------------- */

/* Whether a side's hand has something to do: a goal of its palm, grip or fingers, or it holds the person up. */
static int is_busy(const task *t, const char *side) {
    static const char *const parts[] = {"palm", "grip", "finger"};
    char name[TASK_NAME];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", side, parts[i]);
        for (int k = 0; k < t->goal_count; k++) {
            if (strncmp(t->goals[k].effector, name, strlen(name)) == 0) {
                return 1;
            }
        }
        for (int k = 0; k < t->support_count; k++) {
            if (strncmp(t->supports[k].contact, name, strlen(name)) == 0) {
                return 1;
            }
        }
    }
    return 0;
}

static double from_hanging(const person *p, const char *side) {
    static const double zero[3] = {0, 0, 0}, down[3] = {0, 0, -1};
    char name[TASK_NAME];
    double shoulder[3], hand[3];
    snprintf(name, sizeof name, "%supper_arm", side);
    carry(p->matrices[segment_called(p, name)], zero, shoulder);
    snprintf(name, sizeof name, "%shand", side);
    carry(p->matrices[segment_called(p, name)], zero, hand);
    const double arm[3] = {hand[0] - shoulder[0], hand[1] - shoulder[1], hand[2] - shoulder[2]};
    return angle_between(arm, down) * DEGREES;
}

static int is_joint(const char *variable) { return strncmp(variable, "root.", 5) != 0 && !strstr(variable, "_hand."); }

static double share_near_limits(const person *p, const double *pose) {
    int near_limit = 0, all = 0;
    for (int k = 0; k < p->variable_count; k++) {
        const lb_variable *v = lb_figure_variable(p->figure, k);
        if (!is_joint(v->name) || strstr(v->name, "toes")) {
            continue;
        }
        const double range = v->upper - v->lower, from_end = fmin(pose[k] - v->lower, v->upper - pose[k]);
        all++;
        near_limit += fabs(pose[k] - p->rest[k]) > 3 / DEGREES && from_end < 0.05 * range;
    }
    return (double)near_limit / all;
}

static double asymmetry(const person *p, const double *pose) {
    double sum = 0;
    int count = 0;
    for (int k = 0; k < p->variable_count; k++) {
        const char *name = lb_figure_variable(p->figure, k)->name;
        char other[TASK_NAME];
        if (strncmp(name, "root.", 5) == 0 || strncmp(name, "left_", 5) == 0 || strstr(name, "eye")) {
            continue;
        }
        if (strncmp(name, "right_", 6) == 0) {
            other_side(name, other);
            sum += fabs(pose[k] - value_of(p, pose, other));
            count++;
        } else if (strstr(name, "lateral") || strstr(name, "axial") || strstr(name, "twist")) {
            sum += fabs(pose[k]);
            count++;
        }
    }
    return sum / count * DEGREES;
}

static void judge_posture(const person *p, const task *t, const double *pose, measures *m) {
    static const char *const sides[] = {"right_", "left_"};
    static const double up[3] = {0, 0, 1};
    double head[3];
    m->flexion = value_of(p, pose, "spine.flexion") * DEGREES;
    m->lateral = value_of(p, pose, "spine.lateral") * DEGREES;
    m->axial = value_of(p, pose, "spine.axial") * DEGREES;
    m->spine = sqrt(m->flexion * m->flexion + m->lateral * m->lateral + m->axial * m->axial);
    for (int k = 0; k < 2; k++) {
        m->idle = is_busy(t, sides[k]) ? m->idle : fmax(m->idle, from_hanging(p, sides[k]));
    }
    turn(p->matrices[segment_called(p, "head")], up, head);
    m->head = angle_between(head, up) * DEGREES;
    const double right = value_of(p, pose, "right_knee"), left = value_of(p, pose, "left_knee");
    m->knee = fmax(right, left) * DEGREES;
    m->straighter_knee = fmin(right, left) * DEGREES;
    m->drop = value_of(p, p->rest, "root.z") - value_of(p, pose, "root.z");
    m->near_limits = share_near_limits(p, pose);
    m->symmetry = asymmetry(p, pose);
}

/* --- The whole --------------------------------------------------------------------------------------- */

static unsigned flaws_of(const task *t, const measures *m) {
    const int wrong[FLAW_COUNT] = {
        [FLAW_GOAL] = !(m->goal_m <= BODY_GOAL_M && m->goal_rad <= BODY_GOAL_RAD),
        [FLAW_SUPPORT] = !(m->support <= BODY_SUPPORT_M),
        [FLAW_FALL] = !(m->outside <= 0),
        [FLAW_FLOOR] = !(m->floor <= BODY_FLOOR_M),
        [FLAW_SELF] = !(m->self <= BODY_SELF_M),
        [FLAW_SPINE] = t->is_reach && !(m->spine <= BODY_SPINE_DEG),
        [FLAW_LATERAL] = !(fabs(m->lateral) <= BODY_LATERAL_DEG),
        [FLAW_IDLE] = !t->is_seated && !(m->idle <= BODY_IDLE_DEG),
        [FLAW_LIMITS] = !(m->near_limits <= BODY_NEAR_LIMITS),
        [FLAW_HEAD] = !has_aim(t) && !(m->head <= (t->is_low ? BODY_HEAD_LOW_DEG : BODY_HEAD_DEG)),
        [FLAW_KNEE] = t->is_low && !(m->knee >= BODY_LOW_KNEE_DEG),
        [FLAW_SYMMETRY] = t->is_symmetric && !(m->symmetry <= BODY_SYMMETRY_DEG),
    };
    unsigned flaws = 0;
    for (int f = 0; f < FLAW_COUNT; f++) {
        flaws |= wrong[f] ? 1u << f : 0;
    }
    return flaws;
}

void judge(person *p, const task *t, const double *pose, measures *m) {
    memset(m, 0, sizeof *m);
    m->floor = m->self = -INFINITY;
    m->in_floor = m->self_a = m->self_b = "";
    person_pose(p, pose);
    for (int k = 0; k < t->goal_count; k++) {
        judge_goal(p, &t->goals[k], m);
    }
    judge_standing(p, t, m);
    judge_solids(p, m);
    judge_posture(p, t, pose, m);
    m->flaws = flaws_of(t, m);
}
