/* Atlases: what they find, that every way of solving with one has the same bits, and what they are not for. */
#include "solve/arm/atlas.h"

#include "arm_case.h"

#define JOBS 24
#define COUNT 1024

/* A chain of joints along z, a little beside each other. */
static lb_figure *tower(const char *const *types, int count) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    REQUIRE(b != NULL && arm_segment(b, "base", 0) == 0);
    for (int i = 0; i < count; i++) {
        char name[16], joint_name[16];
        snprintf(name, sizeof name, "s%d", i);
        snprintf(joint_name, sizeof joint_name, "j%d", i);
        lb_site site;
        lb_site_defaults(&site);
        site.name = "out";
        site.segment = i;
        lbm_set3(site.frame.position, i ? 0.02 : 0.1, 0, i == count - 1 ? 0.2 : 0.3);
        int from = lb_builder_add_site(b, &site);
        lb_site_defaults(&site);
        site.name = "in";
        site.segment = arm_segment(b, name, 0);
        lb_joint joint;
        lb_joint_defaults(&joint);
        joint.name = joint_name;
        joint.site_a = from;
        joint.site_b = lb_builder_add_site(b, &site);
        REQUIRE(lb_joint_type_parse(types[i], &joint.type, NULL) == LB_OK);
        int slides = types[i][0] == 'T';
        joint.lower[0] = slides ? 0 : -2.6 - 0.1 * i;
        joint.upper[0] = slides ? 0.4 : 2.5 + 0.1 * i;
        REQUIRE(lb_builder_add_joint(b, &joint) >= 0);
    }
    return arm_finish(b);
}

/* An arm whose tool is on its last axis, unless it is shifted. */
static void open_tower(const char *const *types, int n, double shift, arm_case *c) {
    c->n = n;
    c->figure = tower(types, n);
    c->problem = lb_problem_create(c->figure, NULL);
    lb_constraint_defaults(&c->constraint);
    c->constraint.effector.segment = n;
    lbm_set3(c->constraint.effector.point, shift, 0, 0.1);
    c->constraint.goal.kind = LB_GOAL_FRAME;
    c->id = lb_problem_add(c->problem, &c->constraint);
    c->solver = lb_solver_create(c->problem, NULL);
    REQUIRE(c->id > 0 && c->solver);
}

static const char *const turning[] = {"R(z)", "R(y)", "R(z)", "R(y)", "R(z)", "R(y)", "R(z)"};
static const char *const sliding[] = {"T(z)", "R(z)", "R(y)", "R(y)", "R(z)", "R(y)", "R(z)"};
static const char *const backwards[] = {"T(z)", "R(-z)", "R(y)", "R(y)", "R(z)", "R(y)", "R(-z)"};
static const char *const leaning[] = {"T(x)", "R(z)", "R(y)", "R(y)", "R(z)", "R(y)", "R(z)"};

/* Half the square of the error, as the engine has it. */
static double error_of(const lbs_arm *chain, const lbs_arm_job *job, const double *q) {
    static lbs_arm_lanes lanes;
    unsigned met;
    memset(&lanes, 0, sizeof lanes);
    for (int k = 0; k < 12; k++) {
        lanes.goal[k][0] = job->goal[k];
    }
    for (int i = 0; i < chain->n; i++) {
        lanes.q[i][0] = q[i];
    }
    lanes.limit[0] = 1;
    lanes.left[0] = 1;
    lanes.mark[0] = 1e300;
    lbs_arm_kernel1(chain, &lanes, 1, 1, &met);
    return lanes.error[0];
}

static void aim_at(arm_case *c, const lbs_arm *chain, const double *q, lbs_arm_job *job) {
    double pose[MAX_JOINTS];
    for (int i = 0; i < c->n; i++) {
        pose[chain->order[i]] = q[i];
    }
    aim_at_pose(c, pose);
    REQUIRE(lbs_arm_aim(chain, goal_of(c), job));
}

static double between(check_random *r, const lbs_arm_joint *j) {
    return check_random_range(r, j->random_lower, j->random_upper);
}

/* Goals that entries reach, the joints turned that the atlas knows to be of no account: it finds the entry, and the
 * values of these joints. Starts are inside the ranges, and near other goals too. */
static void check_found(arm_case *c, int axis, int last, double most) {
    check_random random;
    const lbs_arm *chain = plan_of(c);
    lb_atlas *atlas = NULL;
    lbs_atlas_found found;
    lbs_arm_job job;
    double q[MAX_JOINTS], start[MAX_JOINTS], sum = 0, sum_random = 0;
    int exact = 0;
    check_random_seed(&random, 8);
    atlas = lb_atlas_create(c->problem, NULL, COUNT, NULL);
    CHECK(atlas != NULL);
    REQUIRE(atlas != NULL && lbs_atlas_fits(atlas, chain));
    for (int i = 0; i < COUNT; i++) {
        lbs_arm_random(chain, LBS_ATLAS_SEED, i, q, 1);
        q[axis] = between(&random, &chain->joints[axis]);
        if (last >= 0) {
            q[last] = between(&random, &chain->joints[last]);
        }
        aim_at(c, chain, q, &job);
        lbs_atlas_search(atlas, chain, job.goal, &found);
        REQUIRE(lbs_atlas_next(atlas, chain, &found, start, 1));
        exact += error_of(chain, &job, start) < 1e-8;
    }
    CHECK(exact > COUNT * 95 / 100); /* some are at the edge of a leaf, or their own turn is out of range */
    for (int i = 0; i < 300; i++) {
        for (int k = 0; k < c->n; k++) {
            q[k] = between(&random, &chain->joints[k]);
        }
        aim_at(c, chain, q, &job);
        lbs_atlas_search(atlas, chain, job.goal, &found);
        for (int k = 0; lbs_atlas_next(atlas, chain, &found, start, 1); k++) {
            if (k == 0) {
                sum += error_of(chain, &job, start) / 300;
            }
            CHECK(k < LBS_ATLAS_SIDE);
            for (int v = 0; v < c->n; v++) {
                CHECK(start[v] >= chain->joints[v].lower && start[v] <= chain->joints[v].upper);
            }
        }
        lbs_arm_random(chain, 1, i, start, 1);
        sum_random += error_of(chain, &job, start) / 300;
    }
    CHECK(sum < most && sum_random > 2);
    lb_atlas_destroy(atlas);
}

static void check_all_found(void) {
    static const struct {
        const char *const *types;
        double shift, most;
        int axis, last;
    } cases[] = {{turning, 0, 0.15, 0, 6},  {turning, 0.05, 0.5, 0, -1},  {sliding, 0, 0.1, 1, 6},
                 {backwards, 0, 0.1, 1, 6}, {backwards, 0.1, 0.5, 1, -1}, {leaning, 0, 0.5, 6, 6}};
    for (int i = 0; i < 6; i++) {
        arm_case c;
        check_note("arm %d", i);
        open_tower(cases[i].types, 7, cases[i].shift, &c);
        check_found(&c, cases[i].axis, cases[i].last, cases[i].most);
        close_case(&c);
    }
    check_note("%s", "");
}

/* The width of registers changes nothing in a search. */
static void check_widths(void) {
    check_random random;
    uint64_t seed = 3;
    int most = lbs_arm_lane_count(lbm_isa_best());
    check_random_seed(&random, 9);
    for (int i = 0; i < 40; i++) {
        arm_case c;
        open_case(&random, LB_GOAL_FRAME, &c);
        lbs_arm chain = *plan_of(&c);
        lb_atlas *atlas;
        atlas = lb_atlas_create(c.problem, NULL, 256, NULL);
        REQUIRE(atlas != NULL);
        for (int k = 0; k < 20; k++) {
            lbs_arm_job job;
            lbs_atlas_found one, other;
            double pose[MAX_JOINTS];
            lb_figure_random_pose(c.figure, &seed, pose);
            aim_at_pose(&c, pose);
            REQUIRE(lbs_arm_aim(&chain, goal_of(&c), &job));
            chain.lanes = 1;
            lbs_atlas_search(atlas, &chain, job.goal, &one);
            chain.lanes = most;
            lbs_atlas_search(atlas, &chain, job.goal, &other);
            CHECK(memcmp(&one, &other, sizeof one) == 0);
        }
        lb_atlas_destroy(atlas);
        close_case(&c);
    }
}

typedef struct solved {
    lbs_arm_job job;
    double start[MAX_JOINTS], answer[MAX_JOINTS];
} solved;

static void make_jobs(arm_case *c, const lbs_arm *chain, const lb_atlas *atlas, int restarts, int max_evaluations,
                      solved *all) {
    uint64_t seed = 99;
    double first[MAX_JOINTS] = {0}; /* the start of several in a row */
    for (int i = 0; i < JOBS; i++) {
        double pose[MAX_JOINTS], start[MAX_JOINTS];
        lb_frame far = {{9, 9, 9}, {0, 0, 0, 1}}; /* some cannot be reached, of some the start is near */
        lb_figure_random_pose(c->figure, &seed, pose);
        lb_figure_random_pose(c->figure, &seed, start);
        if (i == 0) {
            memcpy(first, start, sizeof first);
        }
        aim_at_pose(c, pose);
        if (i % 8 == 5) {
            lb_problem_move_goal(c->problem, c->id, &far);
        }
        for (int k = 0; k < c->n; k++) {
            all[i].start[k] = (i % 4 == 3 ? pose[k] + 1e-3
                               : i > 12   ? first[k]
                                          : start[k]) /
                              c->solver->space->variables.scale[k];
        }
        all[i].job = (lbs_arm_job){.start = all[i].start, .answer = all[i].answer, .seed = 7, .atlas = atlas};
        all[i].job.restarts = restarts;
        all[i].job.max_iterations = 300;
        all[i].job.max_evaluations = max_evaluations;
        REQUIRE(lbs_arm_aim(chain, goal_of(c), &all[i].job));
    }
}

static void check_same(const solved *a, const solved *b, int n) {
    CHECK_INT(a->job.end, b->job.end);
    CHECK_INT(a->job.start_index, b->job.start_index);
    CHECK_INT(a->job.iterations, b->job.iterations);
    CHECK_INT(a->job.evaluations, b->job.evaluations);
    CHECK(memcmp(a->answer, b->answer, (size_t)n * sizeof(double)) == 0);
}

/* One after the other and side by side, at every number of lanes. */
static void check_lanes(void) {
    static solved one[JOBS], other[JOBS];
    check_random random;
    int from_atlas = 0, random_ones = 0, from_start = 0, most = lbs_arm_lane_count(lbm_isa_best());
    check_random_seed(&random, 10);
    for (int i = 0; i < 40; i++) {
        arm_case c;
        lb_atlas *atlas;
        open_case(&random, LB_GOAL_FRAME, &c);
        lbs_arm chain = *plan_of(&c);
        int restarts = i % 4 == 3 ? 3 : 60, evaluations = i % 5 == 4 ? 40 : i % 5 == 3 ? 400 : 100000;
        atlas = lb_atlas_create(c.problem, NULL, 512, NULL);
        REQUIRE(atlas != NULL);
        chain.lanes = 1;
        make_jobs(&c, &chain, atlas, restarts, evaluations, one);
        for (int k = 0; k < JOBS; k++) {
            lbs_arm_solve_jobs(&chain, 1, &one[k].job, NULL, NULL, c.solver->arm.run_memory);
            int index = one[k].job.end == LBS_ARM_SOLVED ? one[k].job.start_index : -1;
            from_start += index == 0;
            from_atlas += index > 0 && index <= LBS_ATLAS_SIDE;
            random_ones += index > LBS_ATLAS_SIDE;
            CHECK(one[k].job.evaluations <= evaluations);
            for (int v = 0; v < c.n; v++) {
                CHECK(one[k].answer[v] >= c.solver->space->variables.lower[v] &&
                      one[k].answer[v] <= c.solver->space->variables.upper[v]);
            }
        }
        for (chain.lanes = 1; chain.lanes <= most; chain.lanes *= 2) {
            check_note("case %d, %d lanes", i, chain.lanes);
            make_jobs(&c, &chain, atlas, restarts, evaluations, other);
            lbs_arm_job jobs[JOBS];
            for (int k = 0; k < JOBS; k++) {
                jobs[k] = other[k].job;
            }
            lbs_arm_solve_jobs(&chain, JOBS, jobs, NULL, NULL, c.solver->arm.run_memory);
            for (int k = 0; k < JOBS; k++) {
                other[k].job = jobs[k];
                check_same(&one[k], &other[k], c.n);
            }
            make_jobs(&c, &chain, atlas, restarts, evaluations, other);
            for (int k = 0; k < JOBS; k++) {
                lbs_arm_solve_jobs(&chain, 1, &other[k].job, NULL, NULL, c.solver->arm.run_memory);
                check_same(&one[k], &other[k], c.n);
            }
        }
        lb_atlas_destroy(atlas);
        close_case(&c);
    }
    check_note("%s", "");
    CHECK(from_start > 100 && from_atlas > 300 && random_ones > 0);
}

static void solve_as(arm_case *c, const lb_solve_options *options, const double *start, double *pose,
                     lb_result *result) {
    memcpy(pose, start, (size_t)c->n * sizeof *pose);
    REQUIRE(lb_solver_solve(c->solver, options, pose, result) == LB_OK);
    CHECK(lb_figure_violation(c->figure, pose) <= 0);
    CHECK(result->value <= result->value_before);
}

/* It takes fewer iterations, and what is near already stays on its own way. */
static void check_worth(void) {
    arm_case c;
    lb_atlas *atlas;
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    uint64_t seed = 5;
    int with = 0, without = 0;
    double pose[7], start[7], plain[7], answer[7], value;
    open_tower(turning, 7, 0, &c);
    lb_solve_options_defaults(&options);
    options.restarts = 1000;
    atlas = lb_atlas_create(c.problem, NULL, 0, NULL);
    REQUIRE(atlas != NULL);
    for (int i = 0; i < 400; i++) {
        lb_figure_random_pose(c.figure, &seed, pose);
        lb_figure_random_pose(c.figure, &seed, start);
        aim_at_pose(&c, pose);
        options.atlas = NULL;
        solve_as(&c, &options, start, plain, &result);
        CHECK(result.outcome == LB_OUTCOME_SOLVED);
        without += result.iterations;
        CHECK(lb_solver_value(c.solver, start, &value, NULL) == LB_OK);
        CHECK_NEAR(result.value_before, value, 1e-12 * value);
        options.atlas = atlas;
        solve_as(&c, &options, start, answer, &result);
        CHECK(result.outcome == LB_OUTCOME_SOLVED && result.constraints[0].met);
        with += result.iterations;
        for (int k = 0; k < 7; k++) {
            start[k] = pose[k] + 0.02;
        }
        REQUIRE(lb_problem_move_goal(c.problem, c.id, &(lb_frame){{0, 0, 9}, {0, 0, 0, 1}}) == LB_OK);
        aim_at_pose(&c, pose);
        solve_as(&c, &options, start, answer, &result);
        CHECK(result.restarts == 0 && result.outcome == LB_OUTCOME_SOLVED);
        options.atlas = NULL;
        solve_as(&c, &options, start, plain, &result);
        CHECK(memcmp(answer, plain, sizeof answer) == 0);
    }
    CHECK(with * 2 < without);
    lb_atlas_destroy(atlas);
    close_case(&c);
}

/* Where it is not the arm's own, or there are no restarts: as without. */
static void check_passed_over(void) {
    arm_case c, other;
    lb_atlas *own, *strange;
    lb_solve_options options;
    lb_result a, b;
    lb_result_defaults(&a);
    lb_result_defaults(&b);
    uint64_t seed = 6;
    double start[7], goal[7], with[7], without[7];
    int differ = 0;
    open_tower(turning, 7, 0, &c);
    open_tower(turning, 7, 0.05, &other);
    own = lb_atlas_create(c.problem, NULL, 256, NULL);
    REQUIRE(own != NULL);
    strange = lb_atlas_create(other.problem, NULL, 256, NULL);
    REQUIRE(strange != NULL);
    for (int i = 0; i < 60; i++) {
        lb_figure_random_pose(c.figure, &seed, goal);
        lb_figure_random_pose(c.figure, &seed, start);
        aim_at_pose(&c, goal);
        for (int way = 0; way < 4; way++) {
            lb_solve_options_defaults(&options);
            options.restarts = way == 1 ? 0 : 50;
            options.tracking = way == 2;
            solve_as(&c, &options, start, without, &a);
            options.atlas = way == 0 ? strange : own;
            solve_as(&c, &options, start, with, &b);
            int same = memcmp(with, without, sizeof with) == 0 && a.evaluations == b.evaluations;
            if (way < 3) {
                CHECK(same);
            } else {
                differ += !same;
            }
        }
    }
    CHECK(differ > 50);
    lb_atlas_destroy(own);
    lb_atlas_destroy(strange);
    close_case(&c);
    close_case(&other);
}

/* An arm on a base that stands elsewhere, with another tool's axes and tolerances, is the same arm. */
static void check_elsewhere(void) {
    static const char *const carried[] = {"R(z)", "R(z)", "R(y)", "R(z)", "R(y)", "R(z)", "R(y)", "R(z)"};
    arm_case c;
    lb_atlas *atlas;
    double pose[8] = {0.7};
    open_tower(carried, 8, 0, &c);
    REQUIRE(lb_problem_set_active(c.problem, 0, 0) == LB_OK);
    atlas = lb_atlas_create(c.problem, NULL, 256, NULL);
    REQUIRE(atlas != NULL);
    c.constraint.effector.x[0] = 0;
    c.constraint.effector.x[1] = 1;
    c.constraint.effector.y[0] = -1;
    c.constraint.effector.y[1] = 0;
    c.constraint.tolerance_rad = 1e-4;
    REQUIRE(lb_problem_change(c.problem, c.id, &c.constraint) == LB_OK);
    lb_result result;
    lb_result_defaults(&result);
    CHECK_INT(lb_solver_solve(c.solver, NULL, pose, &result), LB_OK);
    CHECK(c.solver->arm.has_plan && lbs_atlas_fits(atlas, c.solver->arm.plan));
    REQUIRE(lb_problem_set_active(c.problem, 0, 1) == LB_OK);
    REQUIRE(lb_problem_set_active(c.problem, 1, 0) == LB_OK); /* a gap between the others */
    CHECK_INT(lb_solver_solve(c.solver, NULL, pose, &result), LB_OK);
    CHECK(c.solver->arm.has_plan && !lbs_atlas_fits(atlas, c.solver->arm.plan));
    lb_atlas_destroy(atlas);
    close_case(&c);
}

/* Many at once, on any number of threads: as one by one. */
static void check_many(void) {
    enum { PROBLEMS = 300 };
    static double starts[PROBLEMS][7], one[PROBLEMS][7], all[PROBLEMS][7];
    static lb_answer answers[PROBLEMS];
    static lb_frame goals[PROBLEMS];
    arm_case c;
    lb_solve_options options;
    lb_atlas *atlas;
    uint64_t seed = 12;
    open_tower(turning, 7, 0, &c);
    lb_solve_options_defaults(&options);
    options.restarts = 100;
    atlas = lb_atlas_create(c.problem, NULL, 4096, NULL);
    REQUIRE(atlas != NULL);
    options.atlas = atlas;
    lb_kinematics *k = lb_kinematics_create(c.figure, NULL);
    lb_result results[PROBLEMS];
    for (int i = 0; i < PROBLEMS; i++) {
        lb_figure_random_pose(c.figure, &seed, one[i]);
        lb_figure_random_pose(c.figure, &seed, starts[i]);
        REQUIRE(lb_kinematics_update(k, one[i]) == LB_OK);
        lb_kinematics_segment(k, 7, &goals[i]);
        REQUIRE(lb_problem_move_goal(c.problem, c.id, &goals[i]) == LB_OK);
        lb_result_defaults(&results[i]);
        solve_as(&c, &options, starts[i], one[i], &results[i]);
    }
    for (int threads = 1; threads <= 3; threads++) {
        lb_many many;
        lb_many_defaults(&many);
        many.count = PROBLEMS;
        many.goal_count = 1;
        many.ids = &c.id;
        many.goals = goals;
        many.starts = starts[0];
        many.threads = threads;
        REQUIRE(lb_solve_many(c.problem, &options, &many, all[0], answers, NULL) == LB_OK);
        CHECK(memcmp(all, one, sizeof all) == 0);
        for (int i = 0; i < PROBLEMS; i++) {
            CHECK(answers[i].value == results[i].value && answers[i].restarts == results[i].restarts);
            CHECK_INT(answers[i].iterations, results[i].iterations);
            CHECK_INT(answers[i].evaluations, results[i].evaluations);
        }
    }
    lb_kinematics_destroy(k);
    lb_atlas_destroy(atlas);
    close_case(&c);
}

static void check_arguments(void) {
    arm_case c;
    lb_atlas *atlas = NULL;
    lb_error error;
    open_tower(turning, 7, 0, &c);
    CHECK(lb_atlas_create(NULL, NULL, 0, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_ARGUMENT);
    CHECK(error.message[0] != 0);
    CHECK(lb_atlas_create(c.problem, NULL, -1, NULL) == NULL);
    CHECK(lb_atlas_create(c.problem, NULL, -1, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_ARGUMENT);
    CHECK(lb_atlas_create(c.problem, NULL, (1 << 20) + 1, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_ARGUMENT);
    CHECK(lb_atlas_create(c.problem, (double[]){0, 0, 0, NAN, 0, 0, 0}, 0, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_ARGUMENT);
    atlas = lb_atlas_create(c.problem, NULL, 1, NULL);
    CHECK(atlas != NULL);
    CHECK_INT(lb_atlas_count(atlas), 256);
    lb_atlas_destroy(atlas);
    atlas = lb_atlas_create(c.problem, NULL, 300, NULL);
    CHECK(atlas != NULL);
    CHECK_INT(lb_atlas_count(atlas), 512);
    CHECK(lb_atlas_memory(atlas) > 512 * 64 && lb_atlas_memory(atlas) < 512 * 90);
    lb_atlas_destroy(atlas);
    lb_atlas_destroy(NULL);
    CHECK(lb_atlas_count(NULL) == 0 && lb_atlas_memory(NULL) == 0);
    c.constraint.goal.kind = LB_GOAL_POSITION; /* only frames */
    REQUIRE(lb_problem_change(c.problem, c.id, &c.constraint) == LB_OK);
    CHECK(lb_atlas_create(c.problem, NULL, 0, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_UNSUPPORTED);
    c.constraint.goal.kind = LB_GOAL_FRAME; /* and one of them */
    REQUIRE(lb_problem_change(c.problem, c.id, &c.constraint) == LB_OK);
    REQUIRE(lb_problem_add(c.problem, &c.constraint) > 0);
    CHECK(lb_atlas_create(c.problem, NULL, 0, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "one frame goal");
    close_case(&c);
}

int main(void) {
    check_all_found();
    check_widths();
    check_lanes();
    check_worth();
    check_passed_over();
    check_elsewhere();
    check_many();
    check_arguments();
    return check_done();
}
