"""The next pose, every tick: limber.Servo follows goals within the velocity and acceleration limits of every joint.

>>> import limber
>>> arm = limber.load("panda")
>>> problem = limber.Problem(arm)
>>> hand = problem.add(limber.at("link7", [0.4, 0.1, 0.5]))
>>> servo = limber.Servo(problem, period=0.001)
>>> for tick in range(3000):
...     q = servo.tick()
>>> servo.state.lag < 1e-6, servo.state.hold
(True, 'none')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _limber as _c
from .errors import ArgumentError
from .figure import options_of
from .frames import numbers
from .problem import Problem
from .solving import BodyReport, report_of

__all__ = ["Servo", "ServoState"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ServoState:
    """What a tick found: how far the pose lags behind its goals (metres, radians), and what holds it back ("none", "velocity",
    "acceleration", "stop", "row", "reach", "collision", or of a body "balance" or "body") with the name of the variable, where it is one, or of the two that would touch."""

    lag: float
    lag_rad: float
    hold: str
    variable: str | None
    is_upper: bool
    load: float
    is_at_rest: bool
    tick: int
    pair: tuple[str, str] | None = None


class Servo:
    """Gives the next pose of a problem every `period` seconds, from `start` on (None: the problem's) at rest or with `velocity`.

    What the problem keeps apart (Problem.avoid) stays apart. A body stands where it stands at the start, and stays in balance. The keywords are the fields of lb_servo_options: velocity and acceleration limits as `velocity_limits` and
    `acceleration_limits` (arrays; the figure's own unless given), rise_time, speed, middle, manipulability.

    >>> import limber
    >>> servo = limber.Servo(limber.Problem(limber.load("ur5")))
    >>> servo.tick().shape, servo.state.is_at_rest
    ((6,), True)
    """

    def __init__(self, problem: Problem, *, start: Any = None, velocity: Any = None, velocity_limits: Any = None,
                 acceleration_limits: Any = None, **options: Any):
        if not isinstance(problem, Problem):
            raise ArgumentError(f"a servo is for a Problem, not {problem!r}")
        count = len(problem.names)
        for name, given in (("velocity", velocity_limits), ("acceleration", acceleration_limits)):
            if given is not None:
                options[name] = numbers(given, (count,), f"the limits of {name}")
        self.problem = problem
        self._handle = _c.lb_servo_create(problem._handle, options_of("lb_servo_options", options))
        self._q = np.empty(count)
        self._state = _c.Struct("lb_servo_state")
        self.start(start, velocity)

    def __repr__(self) -> str:
        return f"Servo({self.problem!r}, tick {self._state.tick})"

    def start(self, pose: Any = None, velocity: Any = None) -> None:
        """Begins at a pose (None: the problem's start), at rest or with these velocities. A start that cannot obey is refused."""
        q = self.problem.start.copy() if pose is None else self.problem.pose(pose)
        speeds = None if velocity is None else numbers(velocity, (len(q),), "velocities")
        _c.lb_servo_start(self._handle, q, speeds)
        self._q[:] = q

    def correct(self, pose: Any, velocity: Any = None) -> None:
        """Goes on from where the figure was measured to be, as after a push; feet go back to where they stood at the start.

        >>> import limber
        >>> person = limber.load("human")
        >>> servo = limber.Servo(limber.Problem(person, {"right_palm": [0.4, -0.25, 1.1]}, body=True))
        >>> for tick in range(1500):
        ...     q = servo.tick()
        >>> q[0] += 0.02  # somebody pushed: two centimetres ahead
        >>> servo.correct(q)
        >>> for tick in range(1500):
        ...     q = servo.tick()
        >>> servo.state.lag < 1e-4, servo.body().margin > 0.02
        (True, True)
        """
        speeds = None if velocity is None else numbers(velocity, (len(self._q),), "velocities")
        q = self.problem.pose(pose)
        _c.lb_servo_correct(self._handle, q, speeds)
        self._q[:] = q

    def body(self, figure: int = 0) -> BodyReport | None:
        """What became of the body of a figure by the last tick: contacts, balance, efforts; None where it has none."""
        return report_of(self.problem.figures[figure], _c.lb_servo_body(self._handle, figure))

    def tick(self) -> Array:
        """The next pose, as a new array."""
        _c.lb_servo_tick(self._handle, self._q, self._state)
        return self._q.copy()

    def twist(self, id: int, twist: Any) -> None:
        """Lets the end-effector of a goal go at a velocity: (vx, vy, vz, wx, wy, wz); None: back to its goal.

        >>> import limber
        >>> arm = limber.load("panda")
        >>> problem = limber.Problem(arm)
        >>> hand = problem.add(limber.at("link7", [0.4, 0.1, 0.5]))
        >>> servo = limber.Servo(problem)
        >>> servo.twist(hand, [0, 0, 0.1, 0, 0, 0])
        >>> bool(abs(servo.tick() - arm.rest).max() > 0)
        True
        """
        _c.lb_servo_set_twist(self._handle, id, None if twist is None else numbers(twist, (6,), "a twist"))

    @property
    def state(self) -> ServoState:
        """What the last tick found."""
        s = self._state
        name = self.problem.names[s.variable] if s.variable >= 0 else None
        pair = None
        if s.pair >= 0:
            who = _c.Struct("lb_contact_pair")
            _c.lb_problem_pair(self.problem._handle, s.pair, who)
            pair = (who.name_a, who.name_b)
        return ServoState(s.lag, s.lag_rad, s.hold, name, bool(s.is_upper), s.load, bool(s.is_at_rest), s.tick, pair)

    @property
    def velocity(self) -> Array:
        """The velocities that the last tick had."""
        out = np.empty(len(self._q))
        _c.lb_servo_velocity(self._handle, out)
        return out

    @property
    def limits(self) -> tuple[Array, Array]:
        """The velocity and acceleration limits in use."""
        v, a = np.empty(len(self._q)), np.empty(len(self._q))
        _c.lb_servo_limits(self._handle, v, a)
        return v, a
