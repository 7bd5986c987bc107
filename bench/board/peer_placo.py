"""PlaCo: steps of its whole-body solver with limits, until there, left after 20 steps that do not halve the miss."""

import os

import contestant
import numpy as np
import placo


def make(robot):
    body = placo.RobotWrapper(os.path.abspath(robot.urdf_limited), placo.Flags.ignore_collisions)
    solver = placo.KinematicsSolver(body)
    solver.mask_fbase(True)
    solver.enable_joint_limits(True)
    task = solver.add_frame_task(robot.tip, np.eye(4))
    task.configure("tool", "soft", 1.0, 1.0)
    names = robot.names

    def pose():
        return np.array([body.get_joint(name) for name in names])

    def attempt(target, start):
        for name, value in zip(names, start):
            body.set_joint(name, value)
        body.update_kinematics()
        task.T_world_frame = target
        best = np.inf
        while True:
            for _ in range(20):
                task.position().update()  # else the errors are those of the step before
                task.orientation().update()
                far = task.position().error_norm(), task.orientation().error_norm()
                if max(far) < 0.9e-5:
                    return pose(), True
                try:
                    solver.solve(True)
                except RuntimeError:
                    return pose(), False
                body.update_kinematics()
            if sum(far) > 0.5 * best:
                return pose(), False
            best = sum(far)

    return contestant.restarted(robot, attempt)


contestant.run("PlaCo", make, "placo")
