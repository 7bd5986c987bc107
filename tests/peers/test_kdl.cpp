/* Forward kinematics against Orocos KDL, on robots that urdfdom (the parser of ROS) reads: an independent reader and an
 * independent arithmetic. Every link's frame in 1,000 random poses, to 1e-12 of the robot's size. */
#include "check.h"

#include <limber/io.h>

#if defined(LIMBER_HAVE_KDL) && defined(LIMBER_HAVE_URDFDOM)

#include <algorithm>
#include <cmath>
#include <console_bridge/console.h>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <map>
#include <string>
#include <sys/stat.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>
#include <vector>

namespace {

const int read_pose_count = 1000;
const int written_pose_count = 50;
const int solver_pose_count = 5; /* of them through KDL's solver too, which starts from the root for each link anew */
const double tolerance = 1e-12;
const double half_turn = 3.14159265358979323846;

/* One step of KDL's tree: a URDF joint, or one of the three motions of a planar one. */
struct step {
    std::string name;     /* KDL's segment */
    std::string link;     /* "" inside a planar joint */
    std::string variable; /* Limber's; "" where it does not move or mimics */
    urdf::JointConstSharedPtr mimic;
    int parent; /* step, -1: the root */
    bool is_angle;
    KDL::Segment segment;
};

KDL::Frame to_kdl(const urdf::Pose &pose) {
    double x, y, z, w;
    pose.rotation.getQuaternion(x, y, z, w);
    return KDL::Frame(KDL::Rotation::Quaternion(x, y, z, w),
                      KDL::Vector(pose.position.x, pose.position.y, pose.position.z));
}

/* As kdl_parser does it: axis and origin of the joint in the parent's frame. */
KDL::Segment moving(const std::string &name, const KDL::Frame &origin, const KDL::Vector &axis, bool is_angle) {
    KDL::Joint joint(name, origin.p, origin.M * axis, is_angle ? KDL::Joint::RotAxis : KDL::Joint::TransAxis);
    return KDL::Segment(name, joint, origin);
}

class kdl_robot {
  public:
    std::vector<step> steps;
    KDL::Tree tree;
    bool is_supported = true;

    explicit kdl_robot(const urdf::ModelInterface &model) : tree(model.getRoot()->name) {
        joints = &model.joints_;
        add_children(*model.getRoot(), -1, model.getRoot()->name);
    }

    /* Values of all steps, mimics by the specification: multiplier * other + offset, also of one that mimics itself. */
    void evaluate(const std::map<std::string, double> &values, std::vector<double> &q) const {
        for (size_t i = 0; i < steps.size(); ++i) {
            q[i] = steps[i].mimic              ? mimicked(*steps[i].mimic, values)
                   : steps[i].variable.empty() ? 0.0
                                               : values.at(steps[i].variable);
        }
    }

  private:
    const std::map<std::string, urdf::JointSharedPtr> *joints;

    /* A joint that mimics one that does not exist moves by itself. */
    bool is_mimic(const urdf::Joint &joint) const { return joint.mimic && joints->count(joint.mimic->joint_name) > 0; }

    double mimicked(const urdf::Joint &joint, const std::map<std::string, double> &values) const {
        const urdf::Joint &other = *joints->at(joint.mimic->joint_name);
        double value = is_mimic(other) ? mimicked(other, values) : values.at(other.name);
        return joint.mimic->multiplier * value + joint.mimic->offset;
    }

    void add(const std::string &name, const std::string &link, const std::string &variable, int parent,
             const std::string &parent_name, bool is_angle, const KDL::Segment &segment) {
        steps.push_back(step{name, link, variable, nullptr, parent, is_angle, segment});
        is_supported = tree.addSegment(segment, parent_name) && is_supported;
    }

    void add_children(const urdf::Link &link, int parent, const std::string &parent_name) {
        for (const auto &joint : link.child_joints) {
            int at = parent;
            std::string at_name = parent_name, child = joint->child_link_name;
            KDL::Frame origin = to_kdl(joint->parent_to_joint_origin_transform), identity;
            KDL::Vector axis(joint->axis.x, joint->axis.y, joint->axis.z);
            switch (joint->type) {
            case urdf::Joint::FIXED:
                add(child, child, "", at, at_name, false,
                    KDL::Segment(child, KDL::Joint(child, KDL::Joint::None), origin));
                break;
            case urdf::Joint::REVOLUTE:
            case urdf::Joint::CONTINUOUS:
            case urdf::Joint::PRISMATIC: {
                bool is_angle = joint->type != urdf::Joint::PRISMATIC;
                add(child, child, is_mimic(*joint) ? "" : joint->name, at, at_name, is_angle,
                    moving(child, origin, axis, is_angle));
                if (is_mimic(*joint)) {
                    steps.back().mimic = joint;
                }
                break;
            }
            case urdf::Joint::PLANAR: /* in the plane normal to z: along x, along y, about z */
                is_supported = is_supported && axis.x() == 0.0 && axis.y() == 0.0 && axis.z() > 0.0;
                add(child + "/x", "", joint->name + ".tx", at, at_name, false,
                    moving(child + "/x", origin, KDL::Vector(1, 0, 0), false));
                add(child + "/y", "", joint->name + ".ty", static_cast<int>(steps.size()) - 1, child + "/x", false,
                    moving(child + "/y", identity, KDL::Vector(0, 1, 0), false));
                add(child, child, joint->name + ".rz", static_cast<int>(steps.size()) - 1, child + "/y", true,
                    moving(child, identity, axis, true));
                break;
            default:
                is_supported = false;
                continue;
            }
            for (const auto &next : link.child_links) {
                if (next->name == child) {
                    add_children(*next, static_cast<int>(steps.size()) - 1, child);
                }
            }
        }
    }
};

double difference(const KDL::Frame &frame, const double m[12]) {
    double size = 1.0, worst = 0.0;
    for (int i = 0; i < 3; ++i) {
        size = std::max(size, std::fabs(frame.p(i)));
    }
    for (int i = 0; i < 3; ++i) {
        worst = std::max(worst, std::fabs(frame.p(i) - m[4 * i + 3]));
        for (int k = 0; k < 3; ++k) {
            worst = std::max(worst, std::fabs(frame.M(i, k) - m[4 * i + k]));
        }
    }
    return worst / size;
}

/* The same pose for both: a value for every variable, limits or not. */
void random_pose(check_random *random, const lb_figure *figure, std::vector<double> &pose,
                 std::map<std::string, double> &values) {
    for (int i = 0; i < lb_figure_variable_count(figure); ++i) {
        const lb_variable *variable = lb_figure_variable(figure, i);
        double range = variable->is_angle ? half_turn : 1.0;
        pose[static_cast<size_t>(i)] = values[variable->name] = check_random_range(random, -range, range);
    }
}

double compare(const lb_figure *figure, const kdl_robot &robot, int pose_count) {
    std::vector<double> pose(static_cast<size_t>(lb_figure_variable_count(figure)) + 1), q(robot.steps.size());
    std::map<std::string, double> values;
    std::vector<KDL::Frame> frames(robot.steps.size());
    std::vector<int> segments;
    for (const step &s : robot.steps) {
        segments.push_back(s.link.empty() ? -1 : lb_figure_find_segment(figure, s.link.c_str()));
        CHECK(s.link.empty() || segments.back() >= 0);
    }
    KDL::TreeFkSolverPos_recursive solver(robot.tree);
    KDL::JntArray joints(robot.tree.getNrOfJoints());
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    check_random random;
    check_random_seed(&random, 1994);
    double worst = 0.0;
    for (int number = 0; number < pose_count; ++number) {
        random_pose(&random, figure, pose, values);
        robot.evaluate(values, q);
        CHECK_INT(lb_kinematics_update(kinematics, pose.data()), LB_OK);
        for (size_t i = 0; i < robot.steps.size(); ++i) {
            const step &s = robot.steps[i];
            KDL::Frame own = s.segment.pose(q[i]);
            frames[i] = s.parent < 0 ? own : frames[static_cast<size_t>(s.parent)] * own;
            if (s.segment.getJoint().getType() != KDL::Joint::None) {
                joints(GetTreeElementQNr(robot.tree.getSegment(s.name)->second)) = q[i];
            }
        }
        for (size_t i = 0; i < robot.steps.size(); ++i) {
            double m[12];
            KDL::Frame by_solver;
            if (segments[i] < 0) {
                continue;
            }
            lb_kinematics_matrix(kinematics, segments[i], m);
            worst = std::max(worst, difference(frames[i], m));
            if (number < solver_pose_count && joints.rows() > 0) { /* it looks at joint 0 even of fixed links */
                CHECK_INT(solver.JntToCart(joints, by_solver, robot.steps[i].name), 0);
                worst = std::max(worst, difference(by_solver, m));
            }
        }
    }
    lb_kinematics_destroy(kinematics);
    return worst;
}

struct sum {
    int read_by_both = 0, not_by_urdfdom = 0, not_by_limber = 0, not_by_kdl = 0;
    long frames = 0;
    double worst = 0.0;
};

lb_figure *load(const std::string &text, const char *name) {
    lb_load_options options;
    lb_figure *figure = nullptr;
    lb_load_options_defaults(&options);
    options.format = LB_FORMAT_URDF;
    lb_figure_load_memory(text.data(), text.size(), name, &options, &figure, nullptr);
    return figure;
}

void try_text(const std::string &text, const char *name, int pose_count, sum &total) {
    lb_figure *figure = load(text, name);
    urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(text);
    if (!model) {
        ++total.not_by_urdfdom;
    } else if (!figure) {
        ++total.not_by_limber;
    } else {
        kdl_robot robot(*model);
        if (!robot.is_supported) {
            ++total.not_by_kdl;
        } else {
            double worst = compare(figure, robot, pose_count);
            CHECK_NEAR(worst, 0.0, tolerance);
            total.worst = std::max(total.worst, worst);
            total.frames += static_cast<long>(robot.steps.size()) * pose_count;
            ++total.read_by_both;
        }
    }
    lb_figure_destroy(figure);
}

/* What Limber writes must be what urdfdom reads, every time. */
void try_written(const lb_figure *figure, const char *name, sum &written) {
    lb_save_options options;
    char *text = nullptr;
    size_t size = 0;
    lb_save_options_defaults(&options);
    options.format = LB_FORMAT_URDF;
    check_note("%s, written", name);
    if (CHECK_INT(lb_figure_save_memory(figure, &options, &text, &size, nullptr), LB_OK)) {
        try_text(std::string(text, size), name, written_pose_count, written);
    }
    CHECK_INT(written.not_by_urdfdom + written.not_by_limber, 0);
    lb_text_free(text);
    check_note("%s", "");
}

void try_robot(const std::string &text, const char *name, sum &total, sum &written) {
    check_note("%s", name);
    try_text(text, name, read_pose_count, total);
    lb_figure *figure = load(text, name);
    if (figure) {
        try_written(figure, name, written);
    }
    lb_figure_destroy(figure);
    check_note("%s", "");
}

/* What the shared robots lack: planar, mimics of mimics that come later, skew axes, a pitch of 90 degrees. */
const char *const own_robot =
    "<robot name='own'><link name='a'/><link name='b'/><link name='c'/><link name='d'/><link name='e'/><link name='f'/>"
    "<joint name='1' type='continuous'><parent link='a'/><child link='b'/><origin xyz='1 -2 0.5' rpy='0.3 "
    "1.5707963267948966 2'/>"
    "<axis xyz='1 2 -3'/><mimic joint='3' multiplier='-1.5' offset='0.25'/></joint>"
    "<joint name='2' type='planar'><parent link='b'/><child link='c'/><origin rpy='-3 0.1 1'/><axis xyz='0 0 "
    "1'/></joint>"
    "<joint name='3' type='revolute'><parent link='c'/><child link='d'/><mimic joint='4' multiplier='0.5'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
    "<joint name='4' type='prismatic'><parent link='c'/><child link='e'/><origin xyz='0 0 7' rpy='1 1 1'/><axis xyz='0 "
    "-1 1'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
    "<joint name='5' type='fixed'><parent link='e'/><child link='f'/><origin rpy='0 -1.5707963267948966 "
    "0'/></joint></robot>";

void try_folder(const std::string &folder, sum &total, sum &written) {
    DIR *directory = opendir(folder.c_str());
    std::vector<std::string> names;
    while (const dirent *entry = directory ? readdir(directory) : nullptr) {
        names.push_back(entry->d_name);
    }
    if (directory) {
        closedir(directory);
    }
    std::sort(names.begin(), names.end());
    for (const std::string &name : names) {
        std::string path = folder + "/" + name;
        struct stat about;
        if (name[0] == '.' || stat(path.c_str(), &about) != 0) {
            continue;
        }
        if (S_ISDIR(about.st_mode)) {
            try_folder(path, total, written);
        } else if (name.size() > 5 && name.compare(name.size() - 5, 5, ".urdf") == 0) {
            size_t size;
            char *text = check_read_file(path.c_str(), &size);
            REQUIRE(text);
            try_robot(std::string(text, size), path.c_str(), total, written);
            free(text);
        } else if (name.size() > 4 && name.compare(name.size() - 4, 4, ".fig") == 0) {
            lb_figure *figure = nullptr;
            CHECK_INT(lb_figure_load(path.c_str(), nullptr, &figure, nullptr), LB_OK);
            if (figure) {
                try_written(figure, path.c_str(), written);
            }
            lb_figure_destroy(figure);
        }
    }
}

} // namespace

int main() {
    console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_NONE);
    sum total, written;
    try_robot(own_robot, "own robot", total, written);
    CHECK_INT(total.read_by_both, 1);
    char folder[4096];
    if (check_source("models", folder, sizeof folder)) {
        try_folder(folder, total, written);
    }
    if (check_shared("data/urdf", folder, sizeof folder)) {
        try_folder(folder, total, written);
        CHECK(total.read_by_both >= 55);
    } else {
        std::printf("the shared robots are not here: only our own were compared\n");
    }
    std::printf("%d robots, %ld frames, worst difference %.2g; not read: by urdfdom %d, by Limber %d, by KDL %d\n",
                total.read_by_both, total.frames, total.worst, total.not_by_urdfdom, total.not_by_limber,
                total.not_by_kdl);
    std::printf("%d figures written as URDF, %ld frames, worst difference %.2g; %d with a floating joint\n",
                written.read_by_both, written.frames, written.worst, written.not_by_kdl);
    return check_done();
}

#else

int main() { SKIP("Orocos KDL and urdfdom are not installed (liborocos-kdl-dev, liburdfdom-dev)"); }

#endif
