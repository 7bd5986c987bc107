"""The Robotics Toolbox for Python: ik_LM, which is written in C++, with limits and restarts of its own, again until there."""

import contestant
import numpy as np
import roboticstoolbox as rtb
from spatialmath import SE3


def make(robot):
    chain = rtb.ETS()
    for frame, axis, is_angle, lower, upper in zip(robot.frames, robot.axes, robot.is_angle, robot.lower, robot.upper):
        turn = np.eye(4)
        turn[:3, 2] = axis  # z along the axis
        turn[:3, 0] = np.cross([0, 1, 0] if abs(axis[1]) < 0.9 else [1, 0, 0], axis)
        turn[:3, 0] /= np.linalg.norm(turn[:3, 0])
        turn[:3, 1] = np.cross(axis, turn[:3, 0])
        limits = [lower, upper] if np.isfinite(lower) else [-np.pi, np.pi]
        kind = rtb.ET.Rz if is_angle else rtb.ET.tz
        chain = chain * rtb.ET.SE3(SE3(frame @ turn, check=False)) * kind(qlim=limits) * rtb.ET.SE3(SE3(turn.T, check=False))
    chain = chain * rtb.ET.SE3(SE3(robot.tool, check=False))

    def attempt(target, start):
        answer = chain.ik_LM(target, q0=start, ilimit=30, slimit=10, tol=2e-11, joint_limits=True)
        values, is_inside = contestant.fit(robot, np.ravel(answer.q))
        return values, bool(np.all(answer.success)) and is_inside

    return contestant.restarted(robot, attempt)


contestant.run("Robotics Toolbox", make, "roboticstoolbox-python")
