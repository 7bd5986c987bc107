"""OPTIK on one thread with its own restarts, called again while CPU time is left. Its value is the sum of squares of a logarithm of the frame's miss."""

import contestant
import optik


def make(robot):
    if not all(robot.is_angle):
        raise contestant.Cannot("its sliding joints are not implemented yet")
    solver = optik.Robot.from_urdf_file(robot.urdf_limited, robot.base, robot.tip)
    solver.set_parallelism(1)
    if solver.num_positions() != len(robot.lower):
        raise contestant.Cannot("it reads another number of joints")
    config = optik.SolverConfig(solution_mode="speed", max_time=1e-6 * robot.limit_us, tol_f=2e-11)

    def attempt(target, start):
        answer = solver.ik(config, target.tolist(), start.tolist())
        return (answer[0], True) if answer else (start, False)

    return contestant.restarted(robot, attempt)


contestant.run("OPTIK", make, "optik-py")
