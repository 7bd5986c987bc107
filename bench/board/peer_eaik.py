"""EAIK: every solution by a closed form, of which the one inside the limits that is nearest to the start is taken."""

import contestant
import numpy as np
from eaik.IK_HP import HPRobot


def make(robot):
    if len(robot.lower) > 6 or not all(robot.is_angle):
        raise contestant.Cannot("it is made for up to six turning joints")
    axes, points, frame = [], [], np.eye(4)
    for joint, axis in zip(robot.frames, robot.axes):
        frame = frame @ joint
        axes.append(frame[:3, :3] @ np.array(axis))
        points.append(frame[:3, 3])
    home = frame @ robot.tool
    ways = np.vstack([points[0], np.diff(points, axis=0), home[:3, 3] - points[-1]])
    solver = HPRobot(np.array(axes), ways)
    if not solver.hasKnownDecomposition():
        raise contestant.Cannot("it knows no closed form of this one")
    back = np.eye(4)
    back[:3, :3] = home[:3, :3].T

    def solve(target, start):
        answer, best, distance = solver.IK(target @ back), None, np.inf
        for values, is_least_squares in zip(answer.Q, answer.is_LS):
            values, is_inside = contestant.fit(robot, values)
            away = np.abs(values - start).max()
            if is_inside and not is_least_squares and away < distance:
                best, distance = values, away
        return (start, False) if best is None else (best, True)

    return solve


contestant.run("EAIK", make, "eaik")
