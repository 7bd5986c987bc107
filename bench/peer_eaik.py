"""EAIK on one arm: peer_eaik.py TASK ANSWERS

TASK is a line of numbers for each of six joints (axis, point of it, as they lie where all joints are 0), one for the tool
there (rotation by rows, position), and one for each pose (the same). ANSWERS has a line for each pose: microseconds, how many
solutions, and the least error of the solutions against the pose, by forward kinematics.
"""

import sys
import time

import numpy as np
from eaik.IK_HP import HPRobot

REPEATS = 5


def turn(axis, angle):
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew


def place(axes, points, home, q):
    """Rotation and position of the tool."""
    rotation, position = home[:9].reshape(3, 3), home[9:]
    for axis, point, angle in reversed(list(zip(axes, points, q))):
        r = turn(axis, angle)
        rotation, position = r @ rotation, point + r @ (position - point)
    return rotation, position


def main():
    lines = [np.array(line.split(), float) for line in open(sys.argv[1], encoding="utf8")]
    axes, points = np.array([line[:3] for line in lines[:6]]), np.array([line[3:] for line in lines[:6]])
    home, poses = lines[6], lines[7:]
    ways = np.vstack([points[:1], np.diff(points, axis=0), home[9:] - points[5]])
    robot = HPRobot(axes, ways)
    back = home[:9].reshape(3, 3).T
    with open(sys.argv[2], "w", encoding="utf8") as out:
        for pose in poses:
            goal = np.eye(4)
            goal[:3, :3], goal[:3, 3] = pose[:9].reshape(3, 3) @ back, pose[9:]
            least = np.inf
            for _ in range(REPEATS):
                began = time.perf_counter()
                answer = robot.IK(goal)
                least = min(least, time.perf_counter() - began)
            error, count = np.inf, 0
            for q, is_least_squares in zip(answer.Q, answer.is_LS):
                rotation, position = place(axes, points, home, q)
                off = np.abs(rotation - pose[:9].reshape(3, 3)).max() + np.abs(position - pose[9:]).max()
                error = min(error, off)
                count += off < 1e-6 and not is_least_squares
            print(f"{least * 1e6:.3f} {count} {error:.3e}", file=out)


main()
