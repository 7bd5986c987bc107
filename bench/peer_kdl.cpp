/* Orocos KDL's Levenberg-Marquardt solver, which knows no limits: an answer is brought into them by whole turns, and
 * where that fails, or it did not converge, it starts again at random, until the time is up. */
#include "peers.h"

#include <kdl/chain.hpp>
#include <kdl/chainiksolverpos_lma.hpp>

namespace {

/* Of 15 to 500 iterations this gave the least mean time. */
const int max_iterations = 30;

KDL::Frame to_frame(const double m[12]) {
    return KDL::Frame(KDL::Rotation(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]),
                      KDL::Vector(m[3], m[7], m[11]));
}

KDL::Frame target_frame(const double t[9]) {
    KDL::Vector x(t[3], t[4], t[5]), y(t[6], t[7], t[8]);
    return KDL::Frame(KDL::Rotation(x, y, x * y), KDL::Vector(t[0], t[1], t[2]));
}

KDL::Chain make_chain(const bench_arm *arm) {
    KDL::Chain chain;
    KDL::Frame frame = to_frame(arm->joints[0].frame);
    for (int j = 0; j < arm->joint_count; ++j) {
        const bench_joint &joint = arm->joints[j];
        KDL::Vector axis(joint.axis[0], joint.axis[1], joint.axis[2]);
        KDL::Frame next = to_frame(j + 1 < arm->joint_count ? arm->joints[j + 1].frame : arm->tool);
        if (j == 0) {
            chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::None), frame));
        }
        chain.addSegment(KDL::Segment(
            KDL::Joint("", KDL::Vector::Zero(), axis, joint.is_angle ? KDL::Joint::RotAxis : KDL::Joint::TransAxis),
            next));
    }
    return chain;
}

Eigen::Matrix<double, 6, 1> ones() { return Eigen::Matrix<double, 6, 1>::Ones(); }

struct kdl {
    const bench_arm *arm;
    KDL::Chain chain;
    KDL::ChainIkSolverPos_LMA solver;
    KDL::JntArray start, answer;

    explicit kdl(const bench_arm *of)
        : arm(of), chain(make_chain(of)), solver(chain, ones(), 1e-5, max_iterations), start(of->variables),
          answer(of->variables) {}
};

void *create(const bench_arm *arm) { return new kdl(arm); }

void solve(void *peer, int instance, double *pose, bench_outcome *outcome) {
    kdl &k = *static_cast<kdl *>(peer);
    KDL::Frame target = target_frame(k.arm->targets + 9 * static_cast<size_t>(instance));
    double begin = bench_cpu_us();
    uint64_t state = static_cast<uint64_t>(instance);
    for (;;) {
        for (int i = 0; i < k.arm->variables; ++i) {
            k.start(i) = pose[i];
        }
        int error = k.solver.CartToJnt(k.start, target, k.answer);
        outcome->iterations += k.solver.lastNrOfIter;
        for (int i = 0; i < k.arm->variables; ++i) {
            pose[i] = k.answer(i);
        }
        outcome->is_solved = error == 0 && bench_arm_fit(k.arm, pose);
        if (outcome->is_solved || bench_cpu_us() - begin > k.arm->limit_us) {
            return;
        }
        bench_arm_random_pose(k.arm, &state, pose);
        outcome->restarts++;
    }
}

void destroy(void *peer) { delete static_cast<kdl *>(peer); }

} // namespace

const peer_kind peer_kdl = {"KDL LMA", 10, create, solve, destroy};
