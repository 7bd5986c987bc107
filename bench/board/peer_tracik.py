"""TRAC-IK (pytracik) with its own restarts, called again while CPU time is left: its own limit is by the clock on the wall, which a busy
machine takes from it. Its two threads share the one core here, and both count; so it is allowed twice as much."""

import contestant
import pytracik


def make(robot):
    with open(robot.urdf, encoding="utf8") as file:
        solver = pytracik.TRAC_IK(robot.base, robot.tip, file.read(), 1e-6 * robot.limit_us, 1e-5 / 3**0.5, pytracik.SolveType.Speed)
    if pytracik.get_num_joints(solver) != len(robot.lower):
        raise contestant.Cannot("it reads another number of joints")

    def attempt(target, start):
        answer = pytracik.ik(solver, start, *target[:3, 3], *contestant.quaternion(target))
        return (answer[1:], True) if answer[0] >= 0 else (start, False)

    return contestant.restarted(robot, attempt)


contestant.run("TRAC-IK", make, "pytracik")
