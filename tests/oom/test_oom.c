/*
 * Out of memory anywhere in the core: the N-th allocation fails, for N = 0, 1, 2, ... until none is left to fail.
 *
 * Each scenario is run in two ways. "Stop": from the N-th on all fail; the call must say LB_ERROR_MEMORY and nothing
 * may be left behind. "Retry": only the N-th fails; the call that failed is made again, and the result must be the same
 * as without a failure - which holds only if the failed call changed nothing.
 */
#include "check.h"
#include "failing.h"

#include <stdint.h>
#include <string.h>

typedef struct run {
    failing memory;
    int may_retry;
    lb_status status; /* of the first call that failed for good */
    uint64_t hash;    /* of what was made */
} run;

/* Whether a call that returned `status` is to be made again. */
static int again(run *r, int status) {
    if (status == LB_ERROR_MEMORY && r->may_retry && r->memory.failed == 1) {
        r->may_retry = 0;
        return 1;
    }
    if (status < 0) {
        r->status = (lb_status)status;
        if (status != LB_ERROR_MEMORY) {
            CHECK_INT(status, LB_ERROR_MEMORY);
        }
    }
    return 0;
}

/* Makes a call that returns a status or an index; leaves the function if it failed. */
#define TRY(r, call)                    \
    do {                                \
        int try_status;                 \
        do {                            \
            try_status = (call);        \
        } while (again(r, try_status)); \
        if ((r)->status != LB_OK)       \
            return;                     \
    } while (0)

/* --- a hash of all that a figure is (FNV-1a) ---------------------------------------------------- */

static void hash_bytes(uint64_t *hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        *hash = (*hash ^ bytes[i]) * 0x100000001b3ull;
    }
}

static void hash_text(uint64_t *hash, const char *text) {
    if (text) {
        hash_bytes(hash, text, strlen(text) + 1);
    }
}

static void hash_int(uint64_t *hash, int value) { hash_bytes(hash, &value, sizeof value); }

static void hash_figure(uint64_t *hash, const lb_figure *figure) {
    hash_text(hash, lb_figure_name(figure));
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        const lb_segment *segment = lb_figure_segment(figure, i);
        hash_text(hash, segment->name);
        hash_bytes(hash, &segment->mass, sizeof segment->mass);
        hash_int(hash, lb_figure_parent_joint(figure, i));
    }
    for (int i = 0; i < lb_figure_site_count(figure); i++) {
        hash_text(hash, lb_figure_site(figure, i)->name);
        hash_bytes(hash, &lb_figure_site(figure, i)->frame, sizeof(lb_frame));
    }
    for (int i = 0; i < lb_figure_joint_count(figure); i++) {
        const lb_joint *joint = lb_figure_joint(figure, i);
        hash_text(hash, joint->name);
        hash_int(hash, joint->swing_count);
        for (int dof = 0; dof < lb_joint_type_dof_count(&joint->type); dof++) {
            hash_text(hash, joint->dof_names[dof]);
            hash_bytes(hash, &joint->lower[dof], sizeof(double));
            hash_bytes(hash, &joint->upper[dof], sizeof(double));
        }
    }
    for (int i = 0; i < lb_figure_variable_count(figure); i++) {
        const lb_variable *variable = lb_figure_variable(figure, i);
        hash_text(hash, variable->name);
        hash_bytes(hash, &variable->lower, sizeof(double));
        hash_bytes(hash, &variable->upper, sizeof(double));
    }
    hash_int(hash, lb_figure_shape_count(figure));
    hash_int(hash, lb_figure_drive_count(figure));
    hash_int(hash, lb_figure_row_count(figure));
    hash_int(hash, lb_figure_loop_count(figure));
}

/* --- a figure with something of everything -------------------------------------------------------- */

static const char *const types[] = {
    "fixed",
    "pin",
    "universal",
    "ball",
    "sliding",
    "cylindrical",
    "sliding-universal",
    "planar",
    "cube-on-plane",
    "cylinder-on-plane",
    "ball-on-plane",
    "cartesian",
    "cartesian-pin",
    "cartesian-universal",
    "flying",
    "sliding-ball",
    "floating",
    "R(z)*R(x)*T(y)",
    "rotation",
    "R(0.6,0,0.8)",
    "swing_twist(z)",
    "R(x)",
    "R(x)",
    "R(x)",
    "R(x)",
};
enum { TYPE_COUNT = sizeof types / sizeof types[0], FIRST_PIN = TYPE_COUNT - 4, BALL = TYPE_COUNT - 5 };

static int text_number(char *text, size_t size, const char *prefix, int number) {
    return snprintf(text, size, "%s%d", prefix, number);
}

static void add_shape(run *r, lb_builder *builder, int segment) {
    lb_shape shape;
    lb_shape_defaults(&shape);
    shape.kind = (lb_shape_kind)(segment % 5);
    shape.segment = segment;
    shape.size[0] = shape.size[1] = shape.size[2] = 0.05;
    TRY(r, lb_builder_add_shape(builder, &shape));
}

/* A segment with two sites: number 2 * segment at its base, the next 0.1 m out. */
static void add_segment(run *r, lb_builder *builder, int number) {
    char name[32];
    lb_segment segment;
    lb_site site;
    text_number(name, sizeof name, "segment", number);
    lb_segment_defaults(&segment);
    segment.name = name;
    segment.mass = 1 + number;
    TRY(r, lb_builder_add_segment(builder, &segment));
    lb_site_defaults(&site);
    site.segment = number;
    site.name = "base";
    TRY(r, lb_builder_add_site(builder, &site));
    site.name = "tip";
    site.frame.position[2] = 0.1;
    TRY(r, lb_builder_add_site(builder, &site));
    add_shape(r, builder, number);
}

/* Joint `number` carries segment number + 1. */
static void add_joint(run *r, lb_builder *builder, int number) {
    static const char *const pin_name[] = {"bend"};
    char name[32];
    double swing[8][2];
    lb_joint joint;
    text_number(name, sizeof name, "joint", number);
    lb_joint_defaults(&joint);
    joint.name = name;
    joint.site_a = 2 * number + 1;
    joint.site_b = 2 * number + 2;
    REQUIRE(lb_joint_type_parse(types[number], &joint.type, NULL) == LB_OK);
    for (int dof = 0; dof < lb_joint_type_dof_count(&joint.type); dof++) {
        joint.lower[dof] = -1;
        joint.upper[dof] = 1;
        joint.rigidity[dof] = 0.1;
    }
    if (number == BALL) {
        lb_swing_cone(0.8, 8, swing);
        joint.swing_count = 8;
        joint.swing = (const double(*)[2])swing;
    }
    if (number >= FIRST_PIN) {
        joint.dof_names[0] = pin_name[0];
    }
    joint.frozen = number == 2;
    TRY(r, lb_builder_add_joint(builder, &joint));
}

/* Two parameters that drive three pins by a line, a polyline and a spline; the fourth pin follows joint 1. */
static void add_group(run *r, lb_builder *builder) {
    static const double x[] = {-1, 0, 1}, y[] = {-0.5, 0, 0.25};
    static const lb_curve_kind kinds[] = {LB_CURVE_LINEAR, LB_CURVE_POLYLINE, LB_CURVE_SPLINE};
    lb_parameter parameter;
    lb_drive drive;
    TRY(r, lb_builder_add_group(builder, "spine"));
    lb_parameter_defaults(&parameter);
    parameter.group = 0;
    parameter.lower = -0.5;
    parameter.upper = 0.5;
    parameter.name = "flexion";
    TRY(r, lb_builder_add_parameter(builder, &parameter));
    parameter.name = "twist";
    TRY(r, lb_builder_add_parameter(builder, &parameter));
    for (int i = 0; i < 4; i++) {
        lb_drive_defaults(&drive);
        drive.joint = FIRST_PIN + i;
        drive.source.joint = i < 3 ? -1 : 1;
        drive.source.parameter = i < 3 ? i % 2 : -1;
        drive.curve.kind = i < 3 ? kinds[i] : LB_CURVE_LINEAR;
        drive.curve.slope = 0.25;
        drive.curve.count = i == 1 || i == 2 ? 3 : 0;
        drive.curve.x = x;
        drive.curve.y = y;
        TRY(r, lb_builder_add_drive(builder, &drive));
    }
}

static void add_limits(run *r, lb_builder *builder) {
    static const lb_dof_ref terms[] = {{3, 0, -1}, {3, 1, -1}};
    static const double coefficients[] = {1, 0.5};
    lb_limit limit;
    lb_limit_defaults(&limit);
    limit.name = "reach";
    limit.count = 2;
    limit.terms = terms;
    limit.coefficients = coefficients;
    limit.bound = 0.7;
    TRY(r, lb_builder_add_limit(builder, &limit));
    limit.name = "couple";
    limit.kind = LB_LIMIT_EQUAL;
    limit.bound = 0.1;
    TRY(r, lb_builder_add_limit(builder, &limit));
}

/* A joint from the last segment back to the ninth, and a Denavit-Hartenberg arm on the third. */
static void add_loop_and_arm(run *r, lb_builder *builder) {
    static const lb_dh_row rows[] = {{"turn", 0, 1.5, 0.1, 0, 0, -1, 1}, {"slide", 0.2, 0, 0, 0, 1, 0, 0.3}};
    lb_joint joint;
    lb_joint_defaults(&joint);
    joint.name = "closing";
    joint.site_a = 2 * TYPE_COUNT + 1;
    joint.site_b = 2 * 9;
    REQUIRE(lb_joint_type_parse("pin", &joint.type, NULL) == LB_OK);
    TRY(r, lb_builder_add_joint(builder, &joint));
    TRY(r, lb_builder_add_dh_chain(builder, 2 * 3 + 1, LB_DH_CONVENTION_STANDARD, 2, rows));
}

static void fill(run *r, lb_builder *builder) {
    lb_root root;
    TRY(r, lb_builder_set_name(builder, "everything"));
    TRY(r, lb_builder_set_stature(builder, 1.75));
    for (int i = 0; i <= TYPE_COUNT && r->status == LB_OK; i++) {
        add_segment(r, builder, i);
    }
    for (int i = 0; i < TYPE_COUNT && r->status == LB_OK; i++) {
        add_joint(r, builder, i);
    }
    if (r->status == LB_OK) {
        add_group(r, builder);
    }
    if (r->status == LB_OK) {
        add_limits(r, builder);
    }
    if (r->status == LB_OK) {
        add_loop_and_arm(r, builder);
    }
    if (r->status != LB_OK) {
        return;
    }
    lb_root_defaults(&root);
    root.segment = 1;
    root.site = 2;
    root.is_free = 1;
    TRY(r, lb_builder_set_root(builder, &root));
}

/* --- scenarios: each makes what it needs from r->memory and puts all of it away again ---------------- */

/* A builder, or NULL with r->status set. */
static lb_builder *new_builder(run *r, const lb_figure *from) {
    lb_builder *builder;
    do {
        builder = from ? lb_builder_from(from, NULL) : lb_builder_create(&r->memory.allocator, NULL);
    } while (again(r, builder ? LB_OK : LB_ERROR_MEMORY));
    return builder;
}

static void finish(run *r, lb_builder *builder, lb_figure **figure) {
    if (r->status == LB_OK) {
        TRY(r, lb_builder_finish(builder, figure));
    }
}

static lb_figure *make_figure(run *r) {
    lb_figure *figure = NULL;
    lb_builder *builder = new_builder(r, NULL);
    if (!builder) {
        return NULL;
    }
    fill(r, builder);
    finish(r, builder, &figure);
    lb_builder_destroy(builder);
    return figure;
}

/* Takes the hash of what was made, if it was. */
static void finished(run *r, lb_figure *figure) {
    if (r->status == LB_OK) {
        REQUIRE(figure != NULL);
        hash_figure(&r->hash, figure);
    } else {
        CHECK(figure == NULL);
    }
    lb_figure_destroy(figure);
}

static void build(run *r) { finished(r, make_figure(r)); }

/* A figure to start from whose memory never fails: what is made of it uses its allocator, which is switched on after.
 */
static lb_figure *start_figure(run *r) {
    long fail_at = r->memory.fail_at;
    lb_figure *figure;
    r->memory.fail_at = -1;
    figure = make_figure(r);
    REQUIRE(r->status == LB_OK);
    r->memory.count = 0;
    r->memory.fail_at = fail_at;
    return figure;
}

static void edit(run *r, lb_builder *builder) {
    lb_joint joint = *lb_builder_joint(builder, 3);
    double swing[5][2];
    for (int dof = 0; dof < LB_JOINT_MAX_DOFS; dof++) {
        joint.dof_names[dof] = NULL;
    }
    REQUIRE(lb_joint_type_parse("swing_twist(x)", &joint.type, NULL) == LB_OK);
    lb_swing_cone(0.5, 5, swing);
    joint.swing_count = 5;
    joint.swing = (const double(*)[2])swing;
    joint.name = "renamed";
    TRY(r, lb_builder_change_joint(builder, 3, &joint));
    TRY(r, lb_builder_freeze_joint(builder, 5, NULL));
    TRY(r, lb_builder_thaw_joint(builder, 2));
    TRY(r, lb_builder_scale(builder, 1.1, 1.2));
    TRY(r, lb_builder_remove_joint(builder, lb_builder_find_joint(builder, "slide")));
    TRY(r, lb_builder_keep_connected(builder, 0));
    TRY(r, lb_builder_remove_segment(builder, lb_builder_find_segment(builder, "segment25")));
}

static void change(run *r) {
    lb_figure *figure = start_figure(r), *changed = NULL;
    lb_builder *builder = new_builder(r, figure);
    if (builder) {
        edit(r, builder);
        finish(r, builder, &changed);
    }
    lb_builder_destroy(builder);
    finished(r, changed);
    lb_figure_destroy(figure);
}

static void attach_both(run *r, lb_builder *builder, const lb_figure *figure) {
    lb_joint joint;
    int first = -1;
    fill(r, builder);
    if (r->status != LB_OK) {
        return;
    }
    do {
        first = lb_builder_attach(builder, figure, "other_");
    } while (again(r, first));
    if (r->status != LB_OK) {
        return;
    }
    lb_joint_defaults(&joint);
    joint.name = "weld";
    joint.site_a = 1;
    joint.site_b = lb_builder_find_site(builder, first, "base");
    CHECK(joint.site_b >= 0);
    TRY(r, lb_builder_add_joint(builder, &joint));
}

static void attach(run *r) {
    lb_figure *figure = start_figure(r), *both = NULL;
    lb_builder *builder = new_builder(r, NULL);
    if (builder) {
        attach_both(r, builder, figure);
        finish(r, builder, &both);
    }
    lb_builder_destroy(builder);
    finished(r, both);
    lb_figure_destroy(figure);
}

static void split(run *r) {
    lb_figure *figure = start_figure(r), *near_part = NULL, *far_part = NULL;
    double pose[256] = {0};
    int status;
    REQUIRE(lb_figure_variable_count(figure) <= 256);
    lb_figure_rest_pose(figure, pose);
    do {
        status = lb_figure_split(figure, pose, 4, &near_part, &far_part, NULL);
    } while (again(r, status));
    finished(r, near_part);
    finished(r, far_part);
    lb_figure_destroy(figure);
}

static void reroot(run *r) {
    lb_figure *figure = start_figure(r), *rerooted = NULL;
    const lb_root root = {.segment = 7, .site = -1, .is_free = 1};
    double pose[256] = {0}, pose_out[256] = {0};
    int status;
    REQUIRE(lb_figure_variable_count(figure) <= 256);
    lb_figure_rest_pose(figure, pose);
    do {
        status = lb_figure_reroot(figure, pose, &root, &rerooted, pose_out, NULL);
    } while (again(r, status));
    if (r->status == LB_OK) {
        hash_bytes(&r->hash, pose_out, sizeof pose_out);
    }
    finished(r, rerooted);
    lb_figure_destroy(figure);
}

/* All that kinematics offers, in memory that was there before. */
static void use_kinematics(run *r, lb_kinematics *k, double *pose) {
    static double jacobian[9 * 256], hessian[256 * 256];
    static const double weights[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    lb_effector effector;
    lb_frame frame;
    const lb_figure *figure = lb_kinematics_figure(k);
    size_t count = (size_t)lb_figure_variable_count(figure);
    for (size_t i = 0; i < count; i++) {
        pose[i] = 0.3 * (double)(i % 7) - 1; /* not inside all limits */
    }
    CHECK_INT(lb_kinematics_project(k, pose), LB_OK);
    CHECK_INT(lb_kinematics_update(k, pose), LB_OK);
    CHECK_INT(lb_kinematics_segment(k, 12, &frame), LB_OK);
    CHECK_INT(lb_effector_from_segment(figure, 12, &effector), LB_OK);
    CHECK_INT(lb_kinematics_jacobian(k, &effector, jacobian), LB_OK);
    CHECK_INT(lb_kinematics_twist(k, &effector, jacobian), LB_OK);
    CHECK_INT(lb_kinematics_hessian(k, &effector, weights, hessian), LB_OK);
    hash_bytes(&r->hash, &frame, sizeof frame);
    hash_bytes(&r->hash, jacobian, 6 * count * sizeof(double));
    hash_bytes(&r->hash, hessian, count * count * sizeof(double));
}

static void kinematics(run *r) {
    lb_figure *figure = start_figure(r);
    lb_kinematics *k = NULL;
    double pose[256] = {0};
    REQUIRE(lb_figure_variable_count(figure) <= 256);
    do {
        k = lb_kinematics_create(figure, NULL);
    } while (again(r, k ? LB_OK : LB_ERROR_MEMORY));
    if (k) {
        long before = r->memory.count;
        use_kinematics(r, k, pose);
        CHECK_INT(r->memory.count, before); /* only creating allocates */
    }
    lb_kinematics_destroy(k);
    lb_figure_destroy(figure);
}

/* --- the loop --------------------------------------------------------------------------------------- */

typedef void scenario(run *r);

static run run_once(const char *name, scenario *body, long fail_at, int fail_after) {
    run r;
    memset(&r, 0, sizeof r);
    r.may_retry = !fail_after;
    r.hash = 0xcbf29ce484222325ull;
    failing_init(&r.memory, fail_at, fail_after);
    check_note("%s, allocation %ld fails, %s", name, fail_at, fail_after ? "stop" : "retry");
    body(&r);
    CHECK_INT(r.memory.blocks, 0);
    CHECK_INT(r.memory.mistakes, 0);
    return r;
}

static void exhaust(const char *name, scenario *body) {
    run well = run_once(name, body, -1, 0);
    if (!CHECK_INT(well.status, LB_OK)) {
        return;
    }
    long total = 0;
    for (int fail_after = 0; fail_after <= 1; fail_after++) {
        for (long n = 0;; n++) {
            run r = run_once(name, body, n, fail_after);
            if (r.memory.failed == 0) {
                CHECK_INT(r.status, LB_OK);
                total = n;
                break;
            }
            if (fail_after) {
                CHECK_INT(r.status, LB_ERROR_MEMORY);
            } else {
                CHECK_INT(r.status, LB_OK);
                CHECK(r.hash == well.hash);
            }
        }
    }
    CHECK(total > 0);
    printf("%s: each of %ld allocations failed once\n", name, total);
}

int main(void) {
    exhaust("build", build);
    exhaust("change", change);
    exhaust("attach", attach);
    exhaust("split", split);
    exhaust("reroot", reroot);
    exhaust("kinematics", kinematics);
    return check_done();
}
