/* Nodes moved by every width of registers, to the same bits; and those of a selection as if all were moved. */
#include <string.h>

#include "check.h"
#include "figure/kinematics/forward.h"
#include "random_figure.h"

static int same_frames(const lb_kinematics *a, const lb_kinematics *b) {
    const lb_figure *f = a->figure;
    for (int i = 0; i < f->node_count; i++) {
        if (memcmp(&a->frames[i], &b->frames[i], sizeof a->frames[i]) != 0) {
            return 0;
        }
    }
    for (int i = 0; i < f->node_count; i++) {
        for (int c = 0; c < lbf_node_coordinates(f->nodes[i].kind); c++) {
            int at = f->nodes[i].coordinate + c;
            if (memcmp(a->axes[at], b->axes[at], 3 * sizeof(double)) != 0) {
                return 0;
            }
        }
    }
    return 1;
}

/* The nodes from one to the root, moved alone after all others were elsewhere. */
static void check_selection(const lb_figure *f, lb_kinematics *all, lb_kinematics *some, const double *pose,
                            uint64_t *seed) {
    int nodes[128], turns[128], owns[384], driven[384], chain[128], count = 0;
    lbf_selection selection = {0, 0, 0, 0, nodes, turns, owns, driven, NULL};
    if (f->node_count == 0) {
        return;
    }
    for (int i = random_below(seed, f->node_count); i >= 0; i = f->nodes[i].parent) {
        chain[count++] = i;
    }
    while (count > 0) {
        lbf_select(f, chain[--count], &selection);
    }
    lbf_update(some, pose, &selection);
    for (int i = 0; i < selection.node_count; i++) {
        CHECK(memcmp(&all->frames[nodes[i]], &some->frames[nodes[i]], sizeof *all->frames) == 0);
    }
}

int main(void) {
    int figures = check_count(400, 4000);
    uint64_t seed = 5;
    int wide = 0, permuted = 0;
    for (int i = 0; i < figures; i++) {
        random_options options = {2 + i % 7, i / 3 % 2, i / 5 % 2, i / 7 % 2, 0, i % RANDOM_KINDS, NULL, 0, 0, 0};
        lb_figure *f = random_figure(&seed, &options);
        lb_kinematics *base = lb_kinematics_create(f, NULL), *other = lb_kinematics_create(f, NULL);
        double pose[256];
        REQUIRE(base && other && f->node_count <= 128 && lb_figure_variable_count(f) <= 256);
        base->kernels = lbm_kernels_of(LBM_ISA_BASE);
        base->move_nodes = lbf_forward_of(LBM_ISA_BASE);
        random_smooth_pose(f, &seed, pose);
        lb_kinematics_update(base, pose);
        check_selection(f, base, other, pose, &seed); /* the others are at rest */
        for (int isa = LBM_ISA_BASE; isa < LBM_ISA_COUNT; isa++) {
            if (!lbm_kernels_of((lbm_isa)isa)) {
                continue;
            }
            other->kernels = lbm_kernels_of((lbm_isa)isa);
            other->move_nodes = lbf_forward_of((lbm_isa)isa);
            wide += other->move_nodes != base->move_nodes;
            random_smooth_pose(f, &seed, pose);
            CHECK(lb_kinematics_update(base, pose) == LB_OK && lb_kinematics_update(other, pose) == LB_OK);
            CHECK(same_frames(base, other));
        }
        random_smooth_pose(f, &seed, pose);
        lb_kinematics_update(base, pose);
        check_selection(f, base, other, pose, &seed);
        for (int n = 0; n < f->node_count; n++) {
            permuted += f->nodes[n].is_permutation;
        }
        lb_kinematics_destroy(base);
        lb_kinematics_destroy(other);
        lb_figure_destroy(f);
    }
    CHECK(permuted > 100);
    printf("%d figures, %d times by wider registers, %d nodes with axes at right angles\n", figures, wide, permuted);
    return check_done();
}
