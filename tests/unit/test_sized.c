/* Structs of the caller that begin with struct_size: of this header, of an older one, of a newer one, and never filled. */
#include <limber/motion.h>

#include <string.h>

#include "check.h"
#include "figure/sized.h"

/* A struct as three versions of a library had it. */
typedef struct first {
    size_t struct_size;
    int a;
    double b;
} first;

typedef struct second {
    size_t struct_size;
    int a;
    double b;
    double c;
} second;

typedef struct third {
    size_t struct_size;
    int a;
    double b;
    double c;
    const char *d;
} third;

static const lbf_sized kind = LBF_SIZED(third, b);
static const third defaults = {0, 1, 2, 3, "four"};

static void check_ends(void) {
    CHECK_INT(kind.first, sizeof(first));
    CHECK_INT(kind.size, sizeof(third));
    CHECK_TEXT(kind.name, "third");
}

/* The defaults function of the library fills as much as the caller has, and not a byte more. */
static void check_defaults(void) {
    struct {
        first given;
        unsigned char beyond[16];
    } old;
    memset(&old, 0x77, sizeof old);
    lbf_default_sized(&kind, &defaults, &old.given, sizeof old.given);
    CHECK(old.given.struct_size == sizeof old.given && old.given.a == 1 && old.given.b == 2);
    for (int i = 0; i < 16; i++) {
        CHECK_INT(old.beyond[i], 0x77);
    }
    struct {
        third given;
        double newer;
    } new;
    new.newer = 5;
    lbf_default_sized(&kind, &defaults, &new.given, sizeof new);
    CHECK(new.given.struct_size == sizeof new &&new.given.c == 3 && new.newer == 5);
    third whole;
    memset(&whole, 0, sizeof whole);
    lbf_default_sized(&kind, &defaults, NULL, sizeof whole);
    lbf_default_sized(&kind, &defaults, &whole, sizeof(size_t) - 1);
    CHECK(whole.struct_size == 0 && whole.a == 0);
}

/* Fields that the caller's header does not know have their defaults. */
static void check_taken(void) {
    lb_error error;
    third taken = defaults;
    CHECK_INT(lbf_take_sized(&kind, NULL, &taken, &error), LB_OK);
    CHECK(taken.a == 1 && taken.c == 3);
    first one = {sizeof one, 10, 20};
    CHECK_INT(lbf_take_sized(&kind, &one, &taken, &error), LB_OK);
    CHECK(taken.struct_size == sizeof taken && taken.a == 10 && taken.b == 20 && taken.c == 3);
    CHECK_TEXT(taken.d, "four");
    taken = defaults;
    second two = {sizeof two, 11, 21, 31};
    CHECK_INT(lbf_take_sized(&kind, &two, &taken, &error), LB_OK);
    CHECK(taken.a == 11 && taken.c == 31);
    CHECK_TEXT(taken.d, "four");
    third three = {sizeof three, 12, 22, 32, "x"};
    CHECK_INT(lbf_take_sized(&kind, &three, &taken, &error), LB_OK);
    CHECK_TEXT(taken.d, "x");
}

static void check_given(void) {
    struct {
        first given;
        double beyond;
    } old = {{sizeof old.given, 0, 0}, 7};
    const third made = {sizeof made, 5, 6, 8, "y"};
    lbf_give_sized(&kind, &made, &old.given);
    CHECK(old.given.struct_size == sizeof old.given && old.given.a == 5 && old.given.b == 6 && old.beyond == 7);
}

static void check_refused(void) {
    const size_t wrong[] = {0, 1, sizeof(first) - 1, sizeof(third) + 8, 4 * sizeof(third), (size_t)-1};
    const third before = {sizeof before, 1, 2, 3, "z"};
    lb_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        third given = before, taken = before;
        given.struct_size = wrong[i];
        given.a = 99;
        CHECK_INT(lbf_take_sized(&kind, &given, &taken, &error), LB_ERROR_STRUCT);
        CHECK_INT(lbf_check_sized(&kind, &given, NULL), LB_ERROR_STRUCT);
        CHECK_INT(error.status, LB_ERROR_STRUCT);
        CHECK_HAS(error.message, "third_defaults");
        CHECK(taken.a == 1);
        if (wrong[i] == 0) {
            CHECK_HAS(error.message, "was not filled");
        }
        if (wrong[i] == sizeof(third) + 8) {
            CHECK_HAS(error.message, "newer header");
        }
    }
}

/* The library's own functions: what was never filled is refused with a sentence wherever there is a place for one. */
static void check_library(void) {
    lb_error error;
    lb_builder *builder = lb_builder_create(NULL, &error);
    lb_segment segment;
    lb_figure *figure;
    REQUIRE(builder != NULL);
    CHECK(error.status == LB_OK && error.message[0] == 0);
    lb_segment_defaults(&segment);
    segment.name = "only";
    REQUIRE(lb_builder_add_segment(builder, &segment) == 0 && lb_builder_finish(builder, &figure) == LB_OK);
    lb_builder_destroy(builder);
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_motion *motion = lb_motion_create(problem, (double[]){0}, NULL);
    REQUIRE(problem && solver && motion);
    double pose[1] = {0};
    lb_result unfilled, result;
    memset(&unfilled, 0, sizeof unfilled);
    lb_result_defaults(&result);
    CHECK(result.struct_size == sizeof result && result.unmet == -1 && result.explanation[0] == 0);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &unfilled), LB_ERROR_STRUCT);
    CHECK_INT(lb_solve(problem, NULL, pose, &unfilled), LB_ERROR_STRUCT);
    CHECK_INT(lb_solver_explain(solver, NULL, pose, &unfilled), LB_ERROR_STRUCT);
    CHECK_HAS(lb_status_text(LB_ERROR_STRUCT), "_defaults");
    CHECK(unfilled.explanation[0] == 0);

    lb_solve_options options;
    memset(&options, 0, sizeof options);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_ERROR_STRUCT);
    CHECK_HAS(result.explanation, "lb_solve_options was not filled by lb_solve_options_defaults");
    CHECK_INT(result.outcome, LB_OUTCOME_INVALID);
    CHECK_INT(lb_solve(problem, &options, pose, &result), LB_ERROR_STRUCT);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_INT(lb_solver_explain(solver, &options, pose, &result), LB_ERROR_STRUCT);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);

    lb_many many;
    memset(&many, 0, sizeof many);
    CHECK_INT(lb_solve_many(problem, NULL, &many, pose, NULL, &error), LB_ERROR_STRUCT);
    CHECK_HAS(error.message, "lb_many was not filled by lb_many_defaults");
    lb_many_defaults(&many);
    CHECK_INT(lb_solve_many(problem, &options, &many, pose, NULL, &error), LB_ERROR_STRUCT);
    CHECK_HAS(error.message, "lb_solve_options");

    lb_player_options how;
    memset(&how, 0, sizeof how);
    CHECK(lb_player_create(motion, &how, &error) == NULL);
    CHECK_HAS(error.message, "lb_player_options was not filled");
    lb_player_options_defaults(&how);
    how.options = &options;
    CHECK(lb_player_create(motion, &how, &error) == NULL);
    CHECK_HAS(error.message, "lb_solve_options was not filled");
    how.options = NULL;
    how.step = 0;
    CHECK(lb_player_create(motion, &how, &error) == NULL);
    CHECK_HAS(error.message, "step");
    lb_player *player = lb_player_create(motion, NULL, &error);
    REQUIRE(player != NULL);
    CHECK_INT(lb_player_pose(player, 0, pose, &unfilled), LB_ERROR_STRUCT);
    CHECK_HAS(lb_player_error(player)->message, "lb_result was not filled");
    CHECK(lb_player_clip(player, 7, 0, 0.1) == NULL);
    CHECK_HAS(lb_player_error(player)->message, "stage");

    lb_clip *clip = lb_clip_create(figure, 2, 0.1, &error);
    lb_contact_options contacts;
    lb_effector point;
    lb_contact found[4];
    REQUIRE(clip != NULL && lb_effector_from_segment(figure, 0, &point) == LB_OK);
    memset(&contacts, 0, sizeof contacts);
    CHECK_INT(lb_clip_contacts(clip, 1, &point, &contacts, 4, found), LB_ERROR_STRUCT);
    CHECK(lb_clip_create(figure, 0, 0.1, &error) == NULL);
    CHECK_HAS(error.message, "at least 1 frame");
    CHECK(lb_clip_create(NULL, 1, 0.1, &error) == NULL);
    CHECK_HAS(error.message, "figure");
    CHECK(lb_clip_resample(clip, -1, LB_INTERPOLATION_LINEAR, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_ARGUMENT);

    lb_body_map map = {{0}, {0}};
    lb_retarget_options retarget;
    lb_retarget_report report;
    memset(&retarget, 0, sizeof retarget);
    memset(&report, 0, sizeof report);
    CHECK(lb_retarget(clip, figure, &map, &retarget, NULL, &error) == NULL);
    CHECK_HAS(error.message, "lb_retarget_options was not filled");
    CHECK(lb_retarget(clip, figure, &map, NULL, &report, &error) == NULL);
    CHECK_HAS(error.message, "lb_retarget_report was not filled");
    lb_clip_destroy(clip);
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* Why creators return NULL. */
static void check_creators(void) {
    lb_error error;
    CHECK(lb_builder_from(NULL, &error) == NULL && error.status == LB_ERROR_ARGUMENT);
    CHECK(lb_kinematics_create(NULL, &error) == NULL && error.status == LB_ERROR_ARGUMENT);
    CHECK(lb_problem_create(NULL, &error) == NULL && error.status == LB_ERROR_ARGUMENT);
    CHECK_HAS(error.message, "needs a figure");
    CHECK(lb_solver_create(NULL, &error) == NULL && error.status == LB_ERROR_ARGUMENT);
    CHECK(lb_motion_create(NULL, NULL, &error) == NULL && error.status == LB_ERROR_ARGUMENT);
    CHECK(lb_player_create(NULL, NULL, &error) == NULL && error.status == LB_ERROR_ARGUMENT);
    CHECK(lb_track_create((lb_track_kind)9, 1, NULL, &error) == NULL);
    CHECK_HAS(error.message, "no such kind");
    CHECK(lb_track_create(LB_TRACK_VALUES, 0, NULL, &error) == NULL);
    CHECK_HAS(error.message, "at least 1 value");
    CHECK(lb_track_create(LB_TRACK_VALUES, 0, NULL, NULL) == NULL);
}

static void *no_memory(void *context, void *block, size_t old_size, size_t new_size) {
    (void)context;
    (void)block;
    (void)old_size;
    (void)new_size;
    return NULL;
}

static void check_memory(void) {
    const lb_allocator none = {no_memory, NULL};
    lb_error error;
    CHECK(lb_builder_create(&none, &error) == NULL && error.status == LB_ERROR_MEMORY);
    CHECK(lb_track_create(LB_TRACK_VALUES, 1, &none, &error) == NULL && error.status == LB_ERROR_MEMORY);
}

/* Where nothing is given the defaults are taken, and may be given on: a motion does so with the options of bodies. */
static void check_none(void) {
    third taken = defaults;
    lb_error error = {0};
    CHECK_INT(lbf_take_sized(&kind, NULL, &taken, &error), LB_OK);
    CHECK(taken.struct_size == sizeof taken && taken.a == 1 && taken.c == 3);
    third again = defaults;
    CHECK_INT(lbf_take_sized(&kind, &taken, &again, &error), LB_OK);
}

int main(void) {
    check_ends();
    check_defaults();
    check_taken();
    check_none();
    check_given();
    check_refused();
    check_library();
    check_creators();
    check_memory();
    return check_done();
}
