/* Branches of closed forms have the same bits whatever the vector instructions. */
#include "closed/branches.h"
#include "closed/pieper.h"

#include "check.h"
#include "math/trig.h"

static check_random source;

static void random_arm(lbc_arm *arm, int kind) {
    memset(arm, 0, sizeof *arm);
    arm->n = 6;
    for (int i = 0; i < 6; i++) {
        double norm = 0;
        for (int k = 0; k < 3; k++) {
            arm->axis[i][k] = check_random_range(&source, -1, 1);
            arm->point[i][k] = check_random_range(&source, -1, 1);
        }
        if (i == kind + 1 || i == kind + 2) { /* axes kind to kind + 2 meet, where kind is below 4 */
            lbm_copy3(arm->point[i], arm->point[kind]);
        }
        norm = lbm_norm3(arm->axis[i]);
        for (int k = 0; k < 3; k++) {
            arm->axis[i][k] /= norm;
        }
        if (kind >= 4 && (i == kind - 3 || i == kind - 2)) { /* or are parallel */
            lbm_copy3(arm->axis[i], arm->axis[kind - 4]);
        }
    }
    lbm_transform_identity(&arm->home);
    lbc_arm_finish(arm);
}

int main(void) {
    check_random_seed(&source, 12);
#if LBM_X86
    const lbm_isa best = lbm_isa_best();
    if (best < LBM_ISA_AVX2) {
        check_skip("this CPU has no AVX2");
    }
    for (int trial = 0; trial < check_count(400, 20000); trial++) {
        lbc_arm arm;
        lbc_pieper base, wide;
        lbc_motion motion;
        lbc_set sets[2];
        lbc_wanted wanted;
        double q[6], nearest[2][6];
        check_note("trial %d", trial);
        random_arm(&arm, trial % 8);
        REQUIRE(lbc_pieper_find(&arm, LBM_ISA_BASE, &base) && lbc_pieper_find(&arm, best, &wide));
        CHECK(base.branch != wide.branch);
        for (int i = 0; i < 6; i++) {
            q[i] = check_random_range(&source, -LBM_PI, LBM_PI);
            wanted.near[i] = check_random_range(&source, -1, 1);
            wanted.lower[i] = -2 * LBM_PI;
            wanted.upper[i] = trial % 2 ? 2 * LBM_PI : q[i] + 0.5;
        }
        lbc_arm_forward(&arm, q, &motion);
        memset(sets, 0, sizeof sets);
        lbc_pieper_solve(&arm, &base, &motion.end, &sets[0]);
        lbc_pieper_solve(&arm, &wide, &motion.end, &sets[1]);
        CHECK(sets[0].count >= 1);
        CHECK(memcmp(&sets[0], &sets[1], sizeof sets[0]) == 0);
        memset(nearest, 0, sizeof nearest);
        CHECK(lbc_pieper_nearest(&arm, &base, &motion.end, &wanted, nearest[0]));
        CHECK(lbc_pieper_nearest(&arm, &wide, &motion.end, &wanted, nearest[1]));
        CHECK(memcmp(nearest[0], nearest[1], sizeof nearest[0]) == 0);
    }
#else
    check_skip("there is one kind of vectors only");
#endif
    return check_done();
}
