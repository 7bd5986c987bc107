"""What every contestant of the scoreboard that is written in Python shares: it speaks with the bench, and measures the CPU time.

    import contestant
    contestant.run("my solver", make)

make(robot) prepares a solver for one robot and returns a function solve(target, start) -> (joint values, whether it says that
they reach the target). robot has the fields of the bench's first line (docs/scoreboard.md lists them); target is a 4x4 matrix. A
robot that it cannot do is refused by raising contestant.Cannot("why").
"""

import importlib.metadata
import json
import os
import random
import sys
import time
from types import SimpleNamespace

import numpy as np


class Cannot(Exception):
    """The solver is not made for this robot, and why."""


def read_robot(line):
    robot = SimpleNamespace(**json.loads(line))
    robot.lower = np.array([-np.inf if value is None else value for value in robot.lower])
    robot.upper = np.array([np.inf if value is None else value for value in robot.upper])
    robot.frames = [np.array(frame).reshape(4, 4) for frame in robot.frames]
    robot.tool = np.array(robot.tool).reshape(4, 4)
    return robot


def run(name, make, package=None):
    """Answers the bench until it has no more questions. package: of PyPI, whose version is told."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf8")
    os.dup2(2, 1)  # what a library prints is no answer

    def say(answer):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    robot = read_robot(sys.stdin.readline())
    try:
        solve = make(robot)
    except Cannot as reason:
        say({"name": name, "cannot": str(reason)})
        return
    say({"name": name, "version": importlib.metadata.version(package) if package else ""})
    for line in sys.stdin:
        problem = json.loads(line)
        target, start = np.array(problem["target"]).reshape(4, 4), np.array(problem["start"])
        random.seed(problem["number"])
        begin = time.process_time_ns()
        values, solved = solve(target, start)
        us = (time.process_time_ns() - begin) / 1e3
        say({"values": [float(value) for value in values], "solved": bool(solved), "us": us})


def forward(robot, values):
    """The frame of the tool, 4x4."""
    frame = np.eye(4)
    for joint, axis, is_angle, value in zip(robot.frames, robot.axes, robot.is_angle, values):
        x, y, z = axis
        skew, move = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]), np.eye(4)
        if is_angle:
            move[:3, :3] += np.sin(value) * skew + (1 - np.cos(value)) * skew @ skew
        else:
            move[:3, 3] = value * np.array(axis)
        frame = frame @ joint @ move
    return frame @ robot.tool


def random_pose(robot):
    """Inside the limits; a whole turn where there are none."""
    lower = np.where(np.isfinite(robot.lower), robot.lower, -np.pi)
    upper = np.where(np.isfinite(robot.upper), robot.upper, np.pi)
    return lower + (upper - lower) * np.array([random.random() for _ in lower])


def fit(robot, values):
    """The same angles inside the limits by whole turns, and whether all of them are."""
    values, turn = np.array(values, float), 2 * np.pi
    angles = np.array(robot.is_angle)
    values += np.where(angles & (values < robot.lower), turn * np.ceil((robot.lower - values) / turn), 0)
    values -= np.where(angles & (values > robot.upper), turn * np.ceil((values - robot.upper) / turn), 0)
    return values, bool(np.all((values >= robot.lower) & (values <= robot.upper)))


def restarted(robot, attempt):
    """attempt(target, start), again from random starts until it says that it is there or the CPU time that is allowed is over."""

    def solve(target, start):
        end = time.process_time_ns() + robot.limit_us * 1000
        while True:
            values, solved = attempt(target, start)
            if solved or time.process_time_ns() > end:
                return values, solved
            start = random_pose(robot)

    return solve


def quaternion(r):
    """x, y, z, w of a rotation matrix: by the largest of the four, so that nothing cancels."""
    squares = np.array([1 + r[0, 0] - r[1, 1] - r[2, 2], 1 - r[0, 0] + r[1, 1] - r[2, 2], 1 - r[0, 0] - r[1, 1] + r[2, 2],
                        1 + r[0, 0] + r[1, 1] + r[2, 2]])
    most = int(np.argmax(squares))
    q = np.array([[squares[0], r[1, 0] + r[0, 1], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]],
                  [r[1, 0] + r[0, 1], squares[1], r[2, 1] + r[1, 2], r[0, 2] - r[2, 0]],
                  [r[0, 2] + r[2, 0], r[2, 1] + r[1, 2], squares[2], r[1, 0] - r[0, 1]],
                  [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], squares[3]]])[most]
    return q / np.linalg.norm(q)
