/* The reason given is the true one, on robots: those of models/, and those of the shared folder where it is there. Goals are at
 * random, in and out of reach: points, and frames. `test_models_reasons [GOALS [ROBOT]]` */
#include "model.h"
#include "reasons.h"

#define RESTARTS 20

static void random_goal(check_random *random, double reach, const double base[3], lb_constraint *c) {
    double square = 0, radius = reach * check_random_range(random, 0.05, 1.4), q[4], m[9];
    c->goal.kind = check_random_index(random, 2) ? LB_GOAL_FRAME : LB_GOAL_POSITION;
    for (int i = 0; i < 4; i++) {
        q[i] = check_random_range(random, -1, 1);
        square += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) {
        q[i] /= sqrt(square);
    }
    lb_rotation_to_matrix(q, m);
    for (int i = 0; i < 3; i++) {
        c->goal.point[i] = base[i] + radius * m[3 * i + 2];
        c->goal.x[i] = m[3 * i];
        c->goal.y[i] = m[3 * i + 1];
    }
}

/* How far from the first moving joint the effector can be, roughly: the farthest of some poses. */
static double reach_of(model *m, const lb_effector *effector, double base[3]) {
    double most = 0, e[9], pose[MAX_VARIABLES];
    uint64_t seed = 1;
    lb_frame frame;
    int joint = 0;
    while (joint < lb_figure_joint_count(m->figure) &&
           lb_joint_type_dof_count(&lb_figure_joint(m->figure, joint)->type) == 0) {
        joint++;
    }
    lb_kinematics_site(m->kinematics, lb_figure_joint(m->figure, joint)->site_a, &frame);
    memcpy(base, frame.position, sizeof frame.position);
    for (int i = 0; i < 200; i++) {
        double square = 0;
        lb_figure_random_pose(m->figure, &seed, pose);
        lb_kinematics_update(m->kinematics, pose);
        lb_kinematics_effector(m->kinematics, effector, e);
        for (int k = 0; k < 3; k++) {
            square += (e[k] - base[k]) * (e[k] - base[k]);
        }
        most = fmax(most, sqrt(square));
    }
    return most;
}

/* A UR5e by its maker's Denavit-Hartenberg parameters: every joint turns twice round, so hardly any limit is in the way of
 * anything. */
static model open_ur5e(void) {
    static const double a[6] = {0, -0.425, -0.3922, 0, 0, 0}, d[6] = {0.1625, 0, 0, 0.1333, 0.0997, 0.0996},
                        alpha[6] = {PI / 2, 0, 0, PI / 2, -PI / 2, 0};
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment segment;
    lb_site site;
    lb_dh_row rows[6];
    lb_segment_defaults(&segment);
    lb_site_defaults(&site);
    segment.name = "base";
    site.name = "mount";
    REQUIRE(b && lb_builder_add_segment(b, &segment) == 0 && lb_builder_add_site(b, &site) == 0);
    for (int i = 0; i < 6; i++) {
        rows[i] = (lb_dh_row){.a = a[i], .alpha = alpha[i], .d = d[i], .lower = -2 * PI, .upper = 2 * PI};
    }
    REQUIRE(lb_builder_add_dh_chain(b, 0, LB_DH_CONVENTION_STANDARD, 6, rows) >= 0);
    model m;
    REQUIRE(lb_builder_finish(b, &m.figure) == LB_OK);
    lb_builder_destroy(b);
    m.kinematics = lb_kinematics_create(m.figure, NULL);
    lb_figure_rest_pose(m.figure, m.pose);
    return m;
}

static void explain_robot(const char *path, const char *tip, int goals, reasons_tally *tally) {
    model m = path ? open_path(path, NULL) : open_ur5e();
    lb_problem *problem = lb_problem_create(m.figure, NULL);
    lb_constraint c;
    lb_solve_options options;
    check_random random;
    double base[3];
    int segment = tip ? lb_figure_find_segment(m.figure, tip) : lb_figure_segment_count(m.figure) - 1;
    lb_constraint_defaults(&c);
    REQUIRE(lb_effector_from_segment(m.figure, segment, &c.effector) == LB_OK);
    c.name = "tip";
    double reach = reach_of(&m, &c.effector, base);
    int id = lb_problem_add(problem, &c);
    REQUIRE(id > 0);
    lb_solve_options_defaults(&options);
    options.restarts = RESTARTS;
    check_random_seed(&random, 7);
    for (int i = 0; i < goals; i++) {
        double pose[MAX_VARIABLES], answer[MAX_VARIABLES];
        char name[1100];
        lb_result result;
        lb_result_defaults(&result);
        random_goal(&random, reach, base, &c);
        REQUIRE(lb_problem_change(problem, id, &c) == LB_OK);
        lb_figure_rest_pose(m.figure, pose);
        lb_solver *solver = lb_solver_create(problem, NULL), *other = lb_solver_create(problem, NULL);
        REQUIRE(lb_solver_solve(solver, &options, pose, &result) == LB_OK);
        if (result.outcome == LB_OUTCOME_MINIMUM) {
            REQUIRE(lb_solver_explain(solver, &options, pose, &result) == LB_OK);
            for (int k = 0; k < result.limit_count; k++) {
                CHECK(fabs(result.limits[k].multiplier) > 1e-9);
            }
            snprintf(name, sizeof name, "%s goal %d", path ? path : "ur5e", i);
            reasons_case one = {problem, other, pose, answer, &result, tally, name};
            reasons_check(&one);
        }
        lb_solver_destroy(other);
        lb_solver_destroy(solver);
    }
    lb_problem_destroy(problem);
    close_model(&m);
}

int main(int argc, char **argv) {
    static const struct {
        const char *path, *tip; /* tip: a segment; NULL: the last */
        int is_shared;
    } robots[] = {
        {"models/panda.fig", "link7", 0},
        {"models/iiwa14.fig", NULL, 0},
        {"models/ur5.fig", "wrist3", 0},
        {"models/irb120.fig", NULL, 0},
        {"models/fetch8.fig", NULL, 0},
        {"data/urdf/arms/ur5_robot.urdf", "tool0", 1},
        {"data/urdf/arms/ur10e.urdf", "tool0", 1},
        {"data/urdf/arms/iiwa14.urdf", "iiwa_link_ee", 1},
        {"data/urdf/arms/panda.urdf", "panda_hand", 1},
        {"data/urdf/arms/puma560.urdf", "link7", 1},
        {"data/urdf/arms/kinova_gen3_7dof.urdf", "end_effector_link", 1},
    };
    int goals = argc > 1 ? atoi(argv[1]) : 100, missing = 0;
    reasons_tally tally = {.is_told = 1};
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        char path[1024];
        if (argc > 2 && !strstr(robots[i].path, argv[2])) {
            continue;
        }
        int is_there = robots[i].is_shared ? check_shared(robots[i].path, path, sizeof path)
                                           : check_source(robots[i].path, path, sizeof path);
        if (is_there) {
            explain_robot(path, robots[i].tip, goals, &tally);
        }
        missing += !is_there;
    }
    if (missing) {
        printf("%d robots are not in the shared folder: passed over\n", missing);
    }
    if (argc < 3) {
        long limits = tally.said[LB_REASON_LIMIT];
        explain_robot(NULL, NULL, goals, &tally);
        CHECK(tally.said[LB_REASON_LIMIT] - limits <= goals / 100);
    }
    reasons_print(&tally);
    return check_done();
}
