/* Simbody's Assembler: a marker at the tool and an orientation sensor there, joints restricted to their limits; where it
 * ends elsewhere, it starts again at random, until the time is up. */
#include "peers.h"

#include <Simbody.h>

namespace {

SimTK::Transform to_transform(const double m[12]) {
    SimTK::Mat33 r(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]);
    return SimTK::Transform(SimTK::Rotation(r), SimTK::Vec3(m[3], m[7], m[11]));
}

struct simbody {
    const bench_arm *arm;
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter;
    SimTK::Markers *markers;
    SimTK::OrientationSensors *sensors;
    SimTK::MobilizedBodyIndex last;
    SimTK::Markers::MarkerIx marker;
    SimTK::OrientationSensors::OSensorIx sensor;
    SimTK::Assembler *assembler;
    SimTK::State state;

    explicit simbody(const bench_arm *of) : arm(of), matter(system) {
        SimTK::Body::Rigid body(SimTK::MassProperties(1, SimTK::Vec3(0), SimTK::Inertia(1)));
        SimTK::MobilizedBody at = matter.updGround();
        for (int j = 0; j < arm->joint_count; ++j) {
            const bench_joint &joint = arm->joints[j];
            /* pins turn about z, sliders move along x: turned there, and back */
            SimTK::UnitVec3 axis(joint.axis[0], joint.axis[1], joint.axis[2]);
            SimTK::CoordinateAxis to(joint.is_angle ? 2 : 0);
            SimTK::Transform turned(SimTK::Rotation(axis, to));
            SimTK::Transform inboard = to_transform(joint.frame) * turned;
            if (joint.is_angle) {
                at = SimTK::MobilizedBody::Pin(at, inboard, body, turned);
            } else {
                at = SimTK::MobilizedBody::Slider(at, inboard, body, turned);
            }
        }
        last = at.getMobilizedBodyIndex();
        system.realizeTopology();
        state = system.getDefaultState();
        assembler = new SimTK::Assembler(system);
        SimTK::Transform tool = to_transform(arm->tool);
        markers = new SimTK::Markers();
        marker = markers->addMarker("tool", last, tool.p(), 1);
        sensors = new SimTK::OrientationSensors();
        sensor = sensors->addOSensor("tool", last, tool.R(), 1);
        assembler->adoptAssemblyGoal(markers);
        assembler->adoptAssemblyGoal(sensors);
        markers->defineObservationOrder(SimTK::Array_<SimTK::String>(1, "tool"));
        sensors->defineObservationOrder(SimTK::Array_<SimTK::String>(1, "tool"));
        for (int j = 0; j < arm->joint_count; ++j) {
            const bench_joint &joint = arm->joints[j];
            if (std::isfinite(joint.lower) && std::isfinite(joint.upper)) {
                assembler->restrictQ(SimTK::MobilizedBodyIndex(j + 1), SimTK::MobilizerQIndex(0), joint.lower,
                                     joint.upper);
            }
        }
        assembler->setAccuracy(1e-8);
        assembler->initialize(state);
    }
    ~simbody() { delete assembler; }
};

void *create(const bench_arm *arm) { return new simbody(arm); }

void solve(void *peer, int instance, double *pose, bench_outcome *outcome) {
    simbody &s = *static_cast<simbody *>(peer);
    const double *t = s.arm->targets + 9 * static_cast<size_t>(instance);
    SimTK::Vec3 position(t[0], t[1], t[2]), x(t[3], t[4], t[5]), y(t[6], t[7], t[8]);
    SimTK::Rotation rotation(SimTK::UnitVec3(x), SimTK::XAxis, y, SimTK::YAxis);
    double begin = bench_cpu_us();
    uint64_t random = static_cast<uint64_t>(instance);
    for (;;) {
        for (int i = 0; i < s.arm->variables; ++i) {
            s.state.updQ()[i] = pose[i];
        }
        s.assembler->setInternalState(s.state);
        s.markers->moveOneObservation(SimTK::Markers::ObservationIx(0), position);
        s.sensors->moveOneObservation(SimTK::OrientationSensors::ObservationIx(0), rotation);
        bool is_there = false;
        try {
            s.assembler->assemble();
            is_there = s.markers->findCurrentMarkerError(s.marker) < 1e-5 &&
                       std::fabs(s.sensors->findCurrentOSensorError(s.sensor)) < 1e-5;
        } catch (const std::exception &) { /* it says that it found no assembly: start again */
        }
        s.assembler->updateFromInternalState(s.state);
        for (int i = 0; i < s.arm->variables; ++i) {
            pose[i] = s.state.getQ()[i];
        }
        outcome->is_solved = is_there && bench_arm_fit(s.arm, pose);
        if (outcome->is_solved || bench_cpu_us() - begin > s.arm->limit_us) {
            outcome->iterations = s.assembler->getNumAssemblySteps();
            return;
        }
        bench_arm_random_pose(s.arm, &random, pose);
        outcome->restarts++;
    }
}

void destroy(void *peer) { delete static_cast<simbody *>(peer); }

} // namespace

const peer_kind peer_simbody = {"Simbody Assembler", 100, create, solve, destroy};
