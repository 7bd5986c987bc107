/* What follows from the comparison: which of EN07's conclusions hold here, each with its figures. */
#include "cli/compare/compare.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 120
#define OFTEN 100 /* a rise in this many iterations makes them erratic */

/* Words in lines of at most WIDTH characters, the later ones indented. */
static void put_wrapped(lbio_text *out, const char *words) {
    int column = 0;
    while (*words) {
        int length = (int)strcspn(words, " ");
        if (column > 0 && column + 1 + length > WIDTH) {
            lbio_text_add(out, "\n   ");
            column = 3;
        } else if (column > 0) {
            lbio_text_add(out, " ");
            column++;
        }
        lbio_text_format(out, "%.*s", length, words);
        column += length;
        words += length + strspn(words + length, " ");
    }
    lbio_text_add(out, "\n");
}

/* One conclusion: EN07's words, the verdict, and what was seen. */
static void put_verdict(lbio_text *out, int *number, const char *claim, int holds, const char *seen) {
    char all[1000];
    snprintf(all, sizeof all, "%d. *%s* %s: %s", ++*number, claim, holds ? "**Holds**" : "**Does not hold**", seen);
    lbio_text_add(out, "\n");
    put_wrapped(out, all);
}

/* Rises and iterations of a method over all matches. */
static int rises_of(const comparison *c, int who, int *iterations) {
    int rises = 0;
    *iterations = 0;
    for (int k = 0; k < MATCHES; k++) {
        rises += c->matches[k].trials[who].rises;
        *iterations += c->matches[k].trials[who].curve_count - (c->matches[k].trials[who].curve_count > 0);
    }
    return rises;
}

static double left_of(const comparison *c, int who) {
    const match *m = &c->matches[MATCH_OUT_OF_REACH];
    return sqrt(fmax(m->trials[who].value, 0)) / m->unit;
}

static double left_after(const comparison *c, int who, int iterations) {
    const match *m = &c->matches[MATCH_OUT_OF_REACH];
    return sqrt(cli_compare_after(&m->trials[who], iterations)) / m->unit;
}

/* The first iteration from which the chain out of reach stays within a hundredth of the best there is; -1: none. */
static int settled_at(const comparison *c, int who) {
    const match *m = &c->matches[MATCH_OUT_OF_REACH];
    const trial *t = &m->trials[who];
    int at = -1;
    for (int k = t->curve_count - 1; k >= 0 && sqrt(t->y[k]) <= 1.01 * m->optimum; k--) {
        at = (int)t->x[k];
    }
    return at;
}

/* The power p of time = joints^p between 20 and 160 joints. */
static double power_of(const growth *g, int who) {
    int last = g->count - 1, first = last - 3;
    return log(g->cells[who][last].us_per_iteration / g->cells[who][first].us_per_iteration) /
           log((double)g->joints[last] / g->joints[first]);
}

static double mean_iterations(const growth *g, int who) {
    double sum = 0;
    for (int k = 0; k < g->count; k++) {
        sum += g->cells[who][k].iterations;
    }
    return sum / g->count;
}

/* From the shortest chain to the longest: how many times as many. */
static double times_iterations(const growth *g, int who) {
    return g->cells[who][g->count - 1].iterations / g->cells[who][0].iterations;
}

static double times_per_iteration(const growth *g, int who) {
    return g->cells[who][g->count - 1].us_per_iteration / g->cells[who][0].us_per_iteration;
}

/* --- Convergence (EN07 3.3.1) ------------------------------------------------------------------------------------ */

static void put_convergence(const comparison *c, int *number, lbio_text *out) {
    char seen[600];
    int by_dof, by_axis, bfgs, inverse, damped;
    int rises_dof = rises_of(c, WHO_CCD_DOF, &by_dof), rises_axis = rises_of(c, WHO_CCD_AXIS, &by_axis);
    int rises_bfgs = rises_of(c, WHO_BFGS, &bfgs), rises_inverse = rises_of(c, WHO_INVERSE, &inverse);
    int rises_damped = rises_of(c, WHO_DAMPED, &damped);
    snprintf(
        seen, sizeof seen,
        "G rises in %d of %d sweeps by dof and in %d of %d by axis. Every turn of a sweep is the best of its own, so "
        "for a single goal without limits no sweep can make it worse; by axis it can where several goals share "
        "joints, or limits cut a turn short.",
        rises_dof, by_dof, rises_axis, by_axis);
    put_verdict(out, number, "CCD oscillates; its objective does not fall monotonically.",
                OFTEN * (rises_dof + rises_axis) > by_dof + by_axis, seen);
    snprintf(seen, sizeof seen,
             "bfgs rises in %d of %d iterations. The plain Jacobian inverse rises in %d of %d, damped in %d of %d.",
             rises_bfgs, bfgs, rises_inverse, inverse, rises_damped, damped);
    put_verdict(out, number, "BFGS and the Jacobian inverse decrease monotonically.", rises_bfgs + rises_inverse == 0,
                seen);
}

/* --- Precision (EN07 3.3.3) -------------------------------------------------------------------------------------- */

static void put_settled(char *text, size_t size, int at) {
    if (at < 0) {
        snprintf(text, size, "more than %d", ITERATIONS);
    } else {
        snprintf(text, size, "%d", at);
    }
}

static void put_precision(const comparison *c, int *number, lbio_text *out) {
    char seen[600], dof[32], axis[32];
    double inverse = left_of(c, WHO_INVERSE), ccd = left_of(c, WHO_CCD_AXIS), bfgs = left_of(c, WHO_BFGS);
    const double same = 1e-6;
    snprintf(seen, sizeof seen,
             "out of reach bfgs ends at %.6f units, ccd at %.6f by axis and %.6f by dof, the Jacobian inverse at %.6f "
             "(EN07: "
             "2.53, 3.37, 5.85; the best is 2). After 10 iterations they are at %.3f, %.3f, %.3f and %.3f.",
             bfgs, ccd, left_of(c, WHO_CCD_DOF), inverse, left_after(c, WHO_BFGS, 10), left_after(c, WHO_CCD_AXIS, 10),
             left_after(c, WHO_CCD_DOF, 10), left_after(c, WHO_INVERSE, 10));
    put_verdict(out, number, "BFGS comes nearest to a goal out of reach, then CCD, then the Jacobian inverse.",
                bfgs <= ccd + same && ccd <= inverse + same, seen);
    int by_dof = settled_at(c, WHO_CCD_DOF), by_axis = settled_at(c, WHO_CCD_AXIS);
    put_settled(dof, sizeof dof, by_dof);
    put_settled(axis, sizeof axis, by_axis);
    snprintf(
        seen, sizeof seen,
        "it takes %s sweeps by dof and %s by axis to be within a hundredth of the best; bfgs takes %d iterations, lm "
        "%d.",
        dof, axis, settled_at(c, WHO_BFGS), settled_at(c, WHO_LM));
    put_verdict(out, number, "CCD would need more than 1000 iterations to get there.", by_dof < 0 && by_axis < 0, seen);
    snprintf(
        seen, sizeof seen,
        "damped it ends at %.6f units, filtered by singular values at %.6f, plain at %.6f: damping that follows the "
        "error is what helps.",
        left_of(c, WHO_DAMPED), left_of(c, WHO_SVD), inverse);
    put_verdict(out, number, "The Jacobian inverse fails near singular poses, and damping cures it.",
                inverse > left_of(c, WHO_DAMPED) + same, seen);
}

/* --- Scaling (EN07 3.3.2) ---------------------------------------------------------------------------------------- */

static void put_scaling(const comparison *c, int *number, lbio_text *out) {
    const growth *chains = &c->growths[GROWTH_CHAINS], *in = &c->growths[GROWTH_TREE_IN],
                 *far = &c->growths[GROWTH_TREE_OUT];
    char seen[700];
    double ccd = power_of(chains, WHO_CCD_DOF), bfgs = power_of(chains, WHO_BFGS),
           inverse = power_of(chains, WHO_INVERSE);
    snprintf(
        seen, sizeof seen,
        "from 20 to 160 joints the time of an iteration grows as joints to the power %.1f (ccd), %.1f (bfgs, whose "
        "matrix is "
        "n x n) and %.1f (Jacobian inverse, whose matrix is of the goal's size here, not of the joints'); lm %.1f.",
        ccd, bfgs, inverse, power_of(chains, WHO_LM));
    put_verdict(out, number,
                "An iteration of CCD costs linearly with the joints, of BFGS and the Jacobian inverse quadratically.",
                ccd < 1.5 && bfgs >= 1.5 && inverse >= 1.5, seen);
    double most = fmax(mean_iterations(far, WHO_CCD_DOF), mean_iterations(far, WHO_CCD_AXIS));
    snprintf(seen, sizeof seen,
             "over the tree's chains ccd takes %.0f sweeps out of reach and %.1f in reach (%.0f and %.1f by axis), the "
             "Jacobian inverse %.0f "
             "and %.1f, bfgs %.0f and %.1f.",
             mean_iterations(far, WHO_CCD_DOF), mean_iterations(in, WHO_CCD_DOF), mean_iterations(far, WHO_CCD_AXIS),
             mean_iterations(in, WHO_CCD_AXIS), mean_iterations(far, WHO_INVERSE), mean_iterations(in, WHO_INVERSE),
             mean_iterations(far, WHO_BFGS), mean_iterations(in, WHO_BFGS));
    put_verdict(out, number, "CCD takes the most iterations.",
                most > mean_iterations(far, WHO_INVERSE) && most > mean_iterations(far, WHO_BFGS), seen);
    double iterations = times_iterations(far, WHO_CCD_DOF), each = times_per_iteration(in, WHO_CCD_DOF);
    snprintf(seen, sizeof seen,
             "from 2 to 6 joints iterations (out of reach) grow %.1f times and the time of each (in reach) %.1f times "
             "for ccd; "
             "%.1f and %.1f for bfgs; %.1f and %.1f for the Jacobian inverse.",
             iterations, each, times_iterations(far, WHO_BFGS), times_per_iteration(in, WHO_BFGS),
             times_iterations(far, WHO_INVERSE), times_per_iteration(in, WHO_INVERSE));
    put_verdict(out, number, "It is the number of iterations that dominates the time.",
                iterations > each && times_iterations(far, WHO_BFGS) > times_per_iteration(in, WHO_BFGS), seen);
}

/* --- All in all (EN07 4, ZB94 appendix)
 * ---------------------------------------------------------------------------- */

static double total_us(const growth *g, int who) {
    double sum = 0;
    for (int k = 0; k < g->count; k++) {
        sum += g->cells[who][k].us;
    }
    return sum;
}

static void put_all_in_all(const comparison *c, int *number, lbio_text *out) {
    const growth *in = &c->growths[GROWTH_TREE_IN], *far = &c->growths[GROWTH_TREE_OUT];
    double us[CONTESTANTS];
    char seen[600];
    for (int who = 0; who < CONTESTANTS; who++) {
        us[who] = (total_us(in, who) + total_us(far, who)) / (2 * in->count);
    }
    int best = us[WHO_BFGS] <= fmin(fmin(us[WHO_CCD_DOF], us[WHO_CCD_AXIS]), us[WHO_INVERSE]);
    snprintf(seen, sizeof seen,
             "a chain of the tree takes bfgs %.0f us on average over both kinds of goals, ccd %.0f (%.0f by axis), the "
             "Jacobian inverse %.0f; "
             "it ends at the best that can be had, and G never rises. Beyond EN07's three: lm takes %.0f us, the "
             "damped Jacobian %.0f.",
             us[WHO_BFGS], us[WHO_CCD_DOF], us[WHO_CCD_AXIS], us[WHO_INVERSE], us[WHO_LM], us[WHO_DAMPED]);
    put_verdict(out, number, "BFGS is all round the most effective of CCD, the Jacobian inverse and BFGS.", best, seen);
    double both = mean_iterations(in, WHO_BFGS) + mean_iterations(far, WHO_BFGS),
           dfp = mean_iterations(in, WHO_DFP) + mean_iterations(far, WHO_DFP);
    snprintf(seen, sizeof seen, "%.1f iterations against %.1f in reach, %.1f against %.1f out of reach.",
             mean_iterations(in, WHO_BFGS), mean_iterations(in, WHO_DFP), mean_iterations(far, WHO_BFGS),
             mean_iterations(far, WHO_DFP));
    put_verdict(out, number, "BFGS is better than DFP (Zhao and Badler 1994).", both < dfp, seen);
}

void cli_compare_conclude(const comparison *c, lbio_text *out) {
    int number = 0;
    lbio_text_add(out, "\n## Which of EN07's conclusions hold\n");
    put_convergence(c, &number, out);
    put_precision(c, &number, out);
    put_scaling(c, &number, out);
    put_all_in_all(c, &number, out);
}
