/*
 * Goals (docs/goals.md): values worked out by hand, against the formulas of goal_formulas.h at random places,
 * derivatives against central differences, zero exactly where met, tolerances.
 */
#include "problem/goal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "goal_formulas.h"
#include "math/project.h"
#include "math/vec.h"

/* A goal with room for its faces. */
typedef struct bench {
    lb_constraint c;
    lbp_goal g;
    double faces[8][4];
    lb_limit_row rows[8];
    double scratch[4096];
} bench;

static void set_up(bench *b, lb_goal_kind kind) {
    lb_constraint_defaults(&b->c);
    b->c.goal.kind = kind;
}

/* Takes the constraint over into the goal, as a problem does. */
static void take(bench *b) {
    static const int xyz[3] = {0, 1, 2};
    static const double low[3] = {-INFINITY, -INFINITY, -INFINITY}, high[3] = {INFINITY, INFINITY, INFINITY};
    memset(&b->g, 0, sizeof b->g);
    b->g.goal = b->c.goal;
    b->g.radius = b->c.radius;
    b->g.half_length = b->c.half_length;
    b->g.scratch = b->scratch;
    lbp_goal_scale(&b->g);
    if (b->c.goal.kind != LB_GOAL_POLYHEDRON) {
        return;
    }
    for (int i = 0; i < b->c.goal.face_count; i++) {
        b->rows[i] = (lb_limit_row){"face", LB_LIMIT_AT_MOST, 3, xyz, b->c.goal.faces[i], b->c.goal.faces[i][3]};
    }
    b->g.face_rows = b->rows;
    REQUIRE(lbm_project_scratch_size(3, low, high, b->c.goal.face_count, b->rows) <= sizeof b->scratch);
}

static double value(bench *b, const double e[9]) {
    double rows[LBP_MAX_ROWS];
    take(b);
    return lbp_goal_rows(&b->g, e, rows, NULL);
}

static int met(bench *b, const double e[9]) {
    lbp_miss miss;
    take(b);
    lbp_goal_miss(&b->g, e, &miss);
    return lbp_goal_met(&b->g, &miss, b->c.tolerance, b->c.tolerance_rad);
}

static void miss_of(bench *b, const double e[9], lbp_miss *miss) {
    take(b);
    lbp_goal_miss(&b->g, e, miss);
}

/* --- By hand ------------------------------------------------------------------------------------- */

static void points_and_directions(void) {
    static bench b;
    lbp_miss miss;
    const double e[9] = {1, 2, 3, 1, 0, 0, 0, 1, 0};
    set_up(&b, LB_GOAL_POSITION);
    memcpy(b.c.goal.point, (double[]){1, 0, 0}, sizeof b.c.goal.point);
    CHECK_INT(lbp_goal_row_count(&b.c.goal), 3);
    CHECK_NEAR(value(&b, e), 4 + 9, 1e-12);
    miss_of(&b, e, &miss);
    CHECK_NEAR(miss.distance, sqrt(13), 1e-12);
    CHECK_NEAR(miss.offset[2], -3, 1e-12);

    /* a quarter turn of x: |x_g - x|^2 = 2; 90 degrees count as much as a metre: c = 360 / (2 pi 90) = 2 / pi */
    set_up(&b, LB_GOAL_ORIENTATION);
    memcpy(b.c.goal.x, (double[]){0, 0, 1}, sizeof b.c.goal.x);
    memcpy(b.c.goal.y, (double[]){0, 1, 0}, sizeof b.c.goal.y);
    b.c.goal.degrees_x = 90;
    CHECK_INT(lbp_goal_row_count(&b.c.goal), 3);
    CHECK_INT(lbp_goal_plain_count(&b.c.goal), 6);
    CHECK_NEAR(value(&b, e), 2 * (2 / M_PI) * (2 / M_PI), 1e-12);
    miss_of(&b, e, &miss);
    CHECK_NEAR(miss.angle_rad[0], M_PI / 2, 1e-12);
    CHECK_NEAR(miss.angle_rad[1], 0, 1e-12);
    CHECK(!met(&b, e));
    b.c.goal.degrees_x = 0; /* that direction is free */
    CHECK_NEAR(value(&b, e), 0, 0);
    CHECK(met(&b, e));
    /* 180 degrees a metre: a half turn (|x_g - x|^2 = 4) is (1 / pi)^2 * 4 */
    b.c.goal.degrees_x = 180;
    memcpy(b.c.goal.x, (double[]){-1, 0, 0}, sizeof b.c.goal.x);
    CHECK_NEAR(value(&b, e), 4 / (M_PI * M_PI), 1e-12);

    set_up(&b, LB_GOAL_FRAME); /* w_p = 0.25: 0.25 * 14 + 0.75 * (2 / pi^2 for x + 0 for y) */
    b.c.goal.weight_position = 0.25;
    b.c.goal.weight_orientation = 0.75;
    memcpy(b.c.goal.x, (double[]){0, 0, 1}, sizeof b.c.goal.x);
    CHECK_INT(lbp_goal_row_count(&b.c.goal), 6);
    CHECK_INT(lbp_goal_plain_count(&b.c.goal), 9);
    CHECK_NEAR(value(&b, e), 0.25 * 14 + 0.75 * 2 / (M_PI * M_PI), 1e-12);

    set_up(&b, LB_GOAL_AIM); /* the point lies across the ray: a quarter turn */
    memcpy(b.c.goal.point, (double[]){1, 7, 3}, sizeof b.c.goal.point);
    CHECK_NEAR(value(&b, e), 2 / (M_PI * M_PI), 1e-12);
    memcpy(b.c.goal.point, (double[]){4, 2, 3}, sizeof b.c.goal.point);
    CHECK_NEAR(value(&b, e), 0, 0);
    memcpy(b.c.goal.point, (double[]){-4, 2, 3}, sizeof b.c.goal.point); /* behind is not ahead */
    CHECK_NEAR(value(&b, e), 4 / (M_PI * M_PI), 1e-12);
    memcpy(b.c.goal.point, e, sizeof b.c.goal.point); /* where one is */
    CHECK_NEAR(value(&b, e), 0, 0);
    CHECK(met(&b, e));
}

static void lines_and_planes(void) {
    static bench b;
    const double e[9] = {3, 4, 7, 1, 0, 0, 0, 1, 0};
    set_up(&b, LB_GOAL_LINE); /* the z axis: at a distance of 5 */
    CHECK_INT(lbp_goal_row_count(&b.c.goal), 2);
    CHECK_NEAR(value(&b, e), 25, 1e-12);
    set_up(&b, LB_GOAL_PLANE); /* z = 1 */
    b.c.goal.point[2] = 1;
    CHECK_INT(lbp_goal_row_count(&b.c.goal), 1);
    CHECK_NEAR(value(&b, e), 36, 1e-12);
    set_up(&b, LB_GOAL_HALF_SPACE);
    b.c.goal.point[2] = 1;
    CHECK_NEAR(value(&b, e), 0, 0);
    b.c.goal.point[2] = 9;
    CHECK_NEAR(value(&b, e), 4, 1e-12);
    b.c.radius = 0.5; /* a ball goes half a metre deeper */
    CHECK_NEAR(value(&b, e), 6.25, 1e-12);
    b.c.half_length = 3; /* lying flat, no deeper; upright, by its half length */
    CHECK_NEAR(value(&b, e), 6.25, 1e-12);
    const double upright[9] = {3, 4, 7, 0, 0, 1, 0, 1, 0};
    CHECK_NEAR(value(&b, upright), 5.5 * 5.5, 1e-12);
    const double down[9] = {3, 4, 7, 0, 0, -1, 0, 1, 0};
    CHECK_NEAR(value(&b, down), 5.5 * 5.5, 1e-12);
}

static void regions_in_and_out(void) {
    static bench b;
    const double turned[4] = {0, 0, 0.70710678118654757,
                              0.70710678118654757}; /* a quarter about z: x of the box is y */
    const double far[9] = {3, 5, 0.5, 1, 0, 0, 0, 1, 0}, in[9] = {0.5, 1, 0.5, 1, 0, 0, 0, 1, 0};
    set_up(&b, LB_GOAL_BOX);
    memcpy(b.c.goal.size, (double[]){2, 1, 1}, sizeof b.c.goal.size);
    CHECK_INT(lbp_goal_row_count(&b.c.goal), 3);
    CHECK_NEAR(value(&b, far), 1 + 16, 1e-12);
    memcpy(b.c.goal.rotation, turned, sizeof turned);
    CHECK_NEAR(value(&b, far), 4 + 9, 1e-12);
    CHECK_NEAR(value(&b, in), 0, 0);
    b.c.goal.outside = 1;
    CHECK_INT(lbp_goal_row_count(&b.c.goal), 1);
    CHECK_NEAR(value(&b, far), 0, 0);
    CHECK_NEAR(value(&b, in), 0.25, 1e-12); /* out through x (half a metre), the nearest face */
    b.c.radius = 0.1;
    CHECK_NEAR(value(&b, in), 0.36, 1e-12);

    set_up(&b, LB_GOAL_SPHERE);
    b.c.goal.size[0] = 2;
    const double at5[9] = {3, 4, 0, 1, 0, 0, 0, 1, 0}, at1[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    CHECK_NEAR(value(&b, at5), 9, 1e-12);
    CHECK_NEAR(value(&b, at1), 0, 0);
    b.c.goal.outside = 1;
    CHECK_NEAR(value(&b, at5), 0, 0);
    CHECK_NEAR(value(&b, at1), 1, 1e-12);
    b.c.half_length = 4; /* the capsule lies along x at a height of 1: no nearer */
    CHECK_NEAR(value(&b, at1), 1, 1e-12);
    b.c.radius = 0.5;
    CHECK_NEAR(value(&b, at1), 2.25, 1e-12);
    const double middle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    CHECK_NEAR(value(&b, middle), 6.25, 1e-12);

    set_up(&b, LB_GOAL_CAPSULE); /* along z from -3 to 3, radius 1 */
    b.c.goal.size[0] = 1;
    b.c.goal.size[1] = 3;
    const double above[9] = {3, 0, 7, 1, 0, 0, 0, 1, 0}, beside[9] = {3, 0, 2, 1, 0, 0, 0, 1, 0};
    CHECK_NEAR(value(&b, above), 16, 1e-12);
    CHECK_NEAR(value(&b, beside), 4, 1e-12);
    b.c.goal.outside = 1;
    CHECK_NEAR(value(&b, beside), 0, 0);
    b.c.half_length = 2.5; /* along x: its end is half a metre from the axis */
    CHECK_NEAR(value(&b, beside), 0.25, 1e-12);

    set_up(&b, LB_GOAL_CIRCLE);
    b.c.goal.size[0] = 1;
    CHECK_INT(lbp_goal_row_count(&b.c.goal), 2);
    CHECK_NEAR(value(&b, beside), 4 + 4, 1e-12);
    CHECK_NEAR(value(&b, at1), 1 + 1, 1e-12); /* on the axis: to the rim and down */
    b.c.goal.kind = LB_GOAL_DISC;
    CHECK_NEAR(value(&b, beside), 4 + 4, 1e-12);
    CHECK_NEAR(value(&b, at1), 1, 1e-12);
    b.c.goal.outside = 1;
    CHECK_NEAR(value(&b, at1), 0, 0);
    b.c.radius = 1.5; /* half a metre into it from above, 2.5 from the side */
    CHECK_NEAR(value(&b, at1), 0.25, 1e-12);
}

static void a_corner(void) {
    static bench b;
    const double e[9] = {2, 3, 4, 1, 0, 0, 0, 1, 0}, edge[9] = {2, 3, -4, 1, 0, 0, 0, 1, 0};
    set_up(&b, LB_GOAL_POLYHEDRON); /* x, y, z <= 1 */
    for (int i = 0; i < 3; i++) {
        b.faces[i][i] = b.faces[i][3] = 1;
    }
    b.c.goal.face_count = 3;
    b.c.goal.faces = (const double(*)[4])b.faces;
    CHECK_NEAR(value(&b, e), 1 + 4 + 9, 1e-12);
    CHECK_NEAR(value(&b, edge), 1 + 4, 1e-12);
    b.c.goal.outside = 1;
    CHECK_NEAR(value(&b, e), 0, 0);
    const double in[9] = {-3, 0.5, -1, 1, 0, 0, 0, 1, 0};
    CHECK_NEAR(value(&b, in), 0.25, 1e-12);
}

static double bowl(void *context, const double e[9], double gradient[9]) {
    for (int i = 0; i < 9; i++) {
        gradient[i] = i == 1 ? *(double *)context * 4 * e[1] * e[1] * e[1] : 0;
    }
    return *(double *)context * e[1] * e[1] * e[1] * e[1];
}

static void custom(void) {
    static bench b;
    double scale = 3, rows[LBP_MAX_ROWS], derivatives[LBP_MAX_ROWS][9];
    const double e[9] = {0, 2, 0, 1, 0, 0, 0, 1, 0}, there[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    set_up(&b, LB_GOAL_CUSTOM);
    b.c.goal.potential = bowl;
    b.c.goal.context = &scale;
    CHECK_INT(lbp_goal_row_count(&b.c.goal), 1);
    CHECK_NEAR(value(&b, e), 48, 1e-12);
    lbp_goal_rows(&b.g, e, rows, derivatives);
    CHECK_NEAR(2 * rows[0] * derivatives[0][1], 3 * 4 * 8, 1e-12); /* the gradient of P again */
    CHECK_NEAR(value(&b, there), 0, 0);
    CHECK(met(&b, there) && !met(&b, e));
    lbp_miss miss;
    miss_of(&b, e, &miss);
    CHECK_NEAR(miss.potential, 48, 1e-12);
    CHECK_NEAR(miss.distance, 0, 0);
}

/* Each axis has its own tolerance, each direction one. */
static void tolerances(void) {
    static bench b;
    double e[9] = {0.001, 0.02, 0.3, 1, 0, 0, 0, 1, 0};
    set_up(&b, LB_GOAL_POSITION);
    memcpy(b.c.tolerance, (double[]){0.0011, 0.021, 0.31}, sizeof b.c.tolerance);
    CHECK(met(&b, e));
    for (int i = 0; i < 3; i++) {
        double wide = b.c.tolerance[i];
        b.c.tolerance[i] = wide * 0.9;
        CHECK(!met(&b, e));
        b.c.tolerance[i] = wide;
    }
    b.c.goal.kind = LB_GOAL_FRAME;
    CHECK(met(&b, e));
    e[3] = cos(0.02), e[4] = sin(0.02), e[6] = -sin(0.02), e[7] = cos(0.02);
    CHECK(!met(&b, e));
    b.c.tolerance_rad = 0.0201;
    CHECK(met(&b, e));
    b.c.tolerance_rad = 0.0199;
    CHECK(!met(&b, e));
    b.c.goal.kind = LB_GOAL_PLANE; /* others have the first tolerance, as a distance */
    b.c.tolerance[0] = 0.301;
    CHECK(met(&b, e));
    b.c.tolerance[0] = 0.299;
    CHECK(!met(&b, e));
}

/* --- At random ----------------------------------------------------------------------------------- */

static void random_unit(check_random *random, double v[3]) {
    double square;
    do {
        for (int i = 0; i < 3; i++) {
            v[i] = check_random_range(random, -1, 1);
        }
        square = formula_dot(v, v);
    } while (square < 0.01 || square > 1);
    for (int i = 0; i < 3; i++) {
        v[i] /= sqrt(square);
    }
}

static void random_effector(check_random *random, double e[9]) {
    double side[3];
    for (int i = 0; i < 3; i++) {
        e[i] = check_random_range(random, -1, 1);
    }
    random_unit(random, e + 3);
    do {
        random_unit(random, side);
    } while (fabs(formula_dot(side, e + 3)) > 0.9);
    e[6] = e[4] * side[2] - e[5] * side[1];
    e[7] = e[5] * side[0] - e[3] * side[2];
    e[8] = e[3] * side[1] - e[4] * side[0];
    double norm = sqrt(formula_dot(e + 6, e + 6));
    for (int i = 6; i < 9; i++) {
        e[i] /= norm;
    }
}

static void random_goal(check_random *random, lb_goal_kind kind, bench *b) {
    static double scale = 0.7;
    lb_goal *g = &b->c.goal;
    double e[9], axis[3];
    set_up(b, kind);
    random_effector(random, e);
    memcpy(g->x, e + 3, sizeof g->x);
    memcpy(g->y, e + 6, sizeof g->y);
    random_unit(random, g->normal);
    random_unit(random, axis);
    lb_rotation_about(axis, check_random_range(random, -3, 3), g->rotation);
    for (int i = 0; i < 3; i++) {
        g->point[i] = check_random_range(random, -0.5, 0.5);
        g->size[i] = check_random_range(random, 0.1, 1);
    }
    g->degrees_x = check_random_index(random, 4) ? check_random_range(random, 10, 400) : 0;
    g->degrees_y = check_random_index(random, 4) ? check_random_range(random, 10, 400) : 0;
    g->weight_position = check_random_range(random, 0, 1);
    g->weight_orientation = 1 - g->weight_position;
    g->potential = bowl;
    g->context = &scale;
    g->outside =
        kind >= LB_GOAL_BOX && kind != LB_GOAL_CIRCLE && kind != LB_GOAL_CUSTOM && check_random_index(random, 2);
    if (g->outside || kind == LB_GOAL_HALF_SPACE) {
        b->c.radius = check_random_index(random, 2) ? check_random_range(random, 0, 0.5) : 0;
        b->c.half_length =
            kind != LB_GOAL_DISC && check_random_index(random, 2) ? check_random_range(random, 0, 0.5) : 0;
    }
    g->face_count = 1 + check_random_index(random, 8);
    g->faces = (const double(*)[4])b->faces;
    for (int i = 0; i < g->face_count; i++) {
        random_unit(random, b->faces[i]);
        b->faces[i][3] = formula_dot(b->faces[i], g->point) + check_random_range(random, 0, 0.6);
    }
}

/* Rows against central differences; where two step widths disagree there is a kink, and nothing to compare. Returns
 * whether compared. */
static int check_derivatives(bench *b, const double e[9]) {
    double rows[LBP_MAX_ROWS], derivatives[LBP_MAX_ROWS][9];
    int count = lbp_goal_plain_count(&b->c.goal), compared = 1;
    lbp_goal_rows(&b->g, e, rows, derivatives);
    for (int k = 0; k < 9; k++) {
        double low[2][LBP_MAX_ROWS], high[2][LBP_MAX_ROWS];
        for (int width = 0; width < 2; width++) {
            double h = width ? 1e-5 : 1e-4, at[9];
            memcpy(at, e, sizeof at);
            at[k] = e[k] + h;
            lbp_goal_rows(&b->g, at, high[width], NULL);
            at[k] = e[k] - h;
            lbp_goal_rows(&b->g, at, low[width], NULL);
        }
        for (int r = 0; r < count; r++) {
            double wide = (high[0][r] - low[0][r]) / 2e-4, narrow = (high[1][r] - low[1][r]) / 2e-5;
            double ahead = (high[1][r] - rows[r]) / 1e-5, behind = (rows[r] - low[1][r]) / 1e-5;
            if (fabs(wide - narrow) > 1e-5 * (1 + fabs(wide)) || fabs(ahead - behind) > 1e-2) {
                compared = 0;
                continue;
            }
            CHECK_NEAR(derivatives[r][k], narrow, 1e-6 * (1 + fabs(narrow)));
        }
    }
    return compared;
}

/* Folded rows: the same value, the same products of derivatives and rows and among derivatives, by shifts and turns. */
static void check_folding(const bench *b, const double e[9]) {
    double rows[LBP_MAX_ROWS], derivatives[LBP_MAX_ROWS][9], folded[LBP_MAX_ROWS], wrenches[LBP_MAX_ROWS][6];
    double plain[LBP_MAX_ROWS][6], slopes[2][6], squares[2][36], unfolded[LBP_MAX_ROWS];
    int count = lbp_goal_plain_count(&b->c.goal), few = lbp_goal_row_count(&b->c.goal);
    double expected = lbp_goal_rows(&b->g, e, rows, derivatives);
    CHECK(few <= 6 && few <= count);
    CHECK_NEAR(lbp_goal_residuals(&b->g, e, folded), expected, 1e-14 * (1 + expected));
    lbp_goal_wrenches(&b->g, e, wrenches);
    for (int r = 0; r < count; r++) {
        memset(plain[r], 0, sizeof plain[r]);
        lbm_copy3(plain[r], derivatives[r]);
        for (int k = 0; k < 9; k += 3) {
            double part[3];
            lbm_cross3(e + k, derivatives[r] + k, part);
            lbm_add_scaled3(plain[r] + 3, part, 1);
        }
    }
    memset(slopes, 0, sizeof slopes);
    memset(squares, 0, sizeof squares);
    for (int r = 0; r < count; r++) {
        for (int i = 0; i < 6; i++) {
            slopes[0][i] += rows[r] * plain[r][i];
            for (int k = 0; k < 6; k++) {
                squares[0][6 * i + k] += plain[r][i] * plain[r][k];
            }
        }
    }
    for (int r = 0; r < few; r++) {
        for (int i = 0; i < 6; i++) {
            slopes[1][i] += folded[r] * wrenches[r][i];
            for (int k = 0; k < 6; k++) {
                squares[1][6 * i + k] += wrenches[r][i] * wrenches[r][k];
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(slopes[1][i], slopes[0][i], 1e-12 * (10 + expected));
    }
    for (int i = 0; i < 36; i++) {
        CHECK_NEAR(squares[1][i], squares[0][i], 1e-12 * (10 + fabs(squares[0][i])));
    }
    lbp_goal_unfold(&b->c.goal, e, folded, unfolded);
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int r = 0; r < count; r++) {
            sum += unfolded[r] * plain[r][i];
        }
        CHECK_NEAR(sum, slopes[0][i], 1e-12 * (10 + expected));
    }
}

/* Faces of regions: the farthest beyond tells what the row does, and derivatives are those of central differences. Returns how
 * many were compared. */
static int check_guards(bench *b, const double e[9]) {
    double values[LBP_MAX_GUARDS], slopes[LBP_MAX_GUARDS][9], there[LBP_MAX_GUARDS], unused[LBP_MAX_GUARDS][9];
    take(b);
    int count = lbp_goal_guards(&b->g, e, values, slopes), compared = 0;
    CHECK_INT(count, lbp_goal_guard_count(&b->g.goal));
    if (count == 0) {
        return 0;
    }
    double most = values[0], row = value(b, e);
    for (int i = 1; i < count; i++) {
        most = fmax(most, values[i]);
    }
    CHECK((most > 0) == (row > 0));
    if (count == 1 && row > 0) {
        CHECK_NEAR(most, sqrt(row), 1e-12);
    }
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < count; i++) {
            double ends[3][2], at[9];
            for (int j = 0; j < 3; j++) {
                for (int side = 0; side < 2; side++) {
                    memcpy(at, e, sizeof at);
                    at[k] += (side ? 1e-6 : -1e-6) * (j + 1);
                    lbp_goal_guards(&b->g, at, there, unused);
                    ends[j][side] = there[i];
                }
            }
            double slope = (ends[0][1] - ends[0][0]) / 2e-6, wide = (ends[2][1] - ends[2][0]) / 6e-6;
            if (fabs(slope - wide) > 1e-6) {
                continue; /* a kink: where another face takes over */
            }
            CHECK_NEAR(slopes[i][k], slope, 1e-5 * (1 + fabs(slope)));
            compared++;
        }
    }
    return compared;
}

static void random_places(void) {
    static bench b;
    check_random random;
    check_random_seed(&random, 7);
    for (int kind = 0; kind <= LB_GOAL_CUSTOM; kind++) {
        int compared = 0, zero = 0, guarded = 0, cases = 2000;
        for (int i = 0; i < cases; i++) {
            double e[9];
            random_goal(&random, (lb_goal_kind)kind, &b);
            random_effector(&random, e);
            check_note("kind %d, case %d, %s", kind, i, b.c.goal.outside ? "outside" : "inside");
            double expected = formula_potential(&b.c, e), actual = value(&b, e);
            CHECK_NEAR(actual, expected, 1e-9 * (1 + expected));
            CHECK(actual >= 0);
            CHECK((actual <= 1e-20) == (expected <= 1e-20));
            zero += actual == 0;
            for (int k = 0; k < 3; k++) {
                b.c.tolerance[k] = b.c.tolerance_rad = 0.3;
            }
            CHECK_INT(met(&b, e), formula_met(&b.c, e, 0));
            CHECK_INT(lbp_goal_met_at(&b.g, e, b.c.tolerance, b.c.tolerance_rad), met(&b, e));
            compared += check_derivatives(&b, e);
            check_folding(&b, e);
            guarded += check_guards(&b, e) > 0;
        }
        check_note("kind %d", kind);
        CHECK(compared > cases * 8 / 10);
        int has_room =
            kind == LB_GOAL_HALF_SPACE || (kind >= LB_GOAL_BOX && kind != LB_GOAL_CIRCLE && kind != LB_GOAL_CUSTOM);
        if (has_room && kind != LB_GOAL_DISC) {
            CHECK(guarded > cases * 8 / 10);
        }
        if (has_room) {
            CHECK(zero > cases / 50 && zero < cases); /* both sides were seen */
        }
    }
    check_note("%s", "");
}

int main(void) {
    points_and_directions();
    lines_and_planes();
    regions_in_and_out();
    a_corner();
    custom();
    tolerances();
    random_places();
    return check_done();
}
