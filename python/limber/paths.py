"""An end-effector along a line or through frames, within the limits of speed: limber.path.

>>> import limber
>>> arm = limber.load("panda")
>>> down = [1, 0, 0, 0]
>>> way = limber.path(arm, "tool", [([0.4, -0.3, 0.5], down), ([0.4, 0.3, 0.5], down)])
>>> way.complete, way.poses.shape[0] == len(way.times), way.load_velocity <= 1
(True, True, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _limber as _c
from .errors import ArgumentError
from .figure import Figure, options_of
from .frames import as_frame, numbers
from .problem import Problem

__all__ = ["Path", "path"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Path:
    """What came of a path: poses at `times`, or (`complete` False) where it ends and what ends it: "range", "row", "reach",
    "branch" or "collision", with the name of the variable, or of the two that would touch."""

    complete: bool
    end: str
    fraction: float
    variable: str | None
    is_upper: bool
    frame: int
    branches: int
    branches_through: int
    margin: float
    margin_variable: str | None
    length: float
    length_rad: float
    duration: float
    load_velocity: float
    load_acceleration: float
    pace: str | None
    deviation: float
    deviation_rad: float
    explanation: str
    times: Array = field(repr=False)
    poses: Array = field(repr=False)
    fractions: Array = field(repr=False)
    in_the_way: tuple[str, str] | None = None


def path(figure: Figure, effector: str, frames: Sequence[Any], *, start: Any = None, velocity_limits: Any = None,
         acceleration_limits: Any = None, avoid: Problem | None = None, problem: Problem | None = None, **options: Any) -> Path:
    """Follows frames with an end-effector on one branch of solutions, as fast as the joints' limits allow.

    The keywords are the fields of lb_path_options: is_from_start, is_position (points alone may be given then), ways,
    spacing, corner_rad, period, speed, speed_rad, rise_time. avoid: a Problem of the figure; what it keeps apart (Problem.avoid) stays
    apart on the way. problem: a Problem of the figure, whose body, constraints, habit and obstacles all hold on the way; without it a
    figure that has a body goes along as one, on feet that stay where they are.

    >>> import limber
    >>> human = limber.load("human")
    >>> limber.path(human, "right_palm", [[0.4, -0.3, 1.2], [0.4, -0.3, 0.9]], is_position=True).complete
    True
    >>> arm = limber.load("ur5")
    >>> far = limber.path(arm, "tool", [[0.4, 0, 0.4], [1.4, 0, 0.4]], is_position=True)
    >>> far.complete, far.end, 0 < far.fraction < 1
    (False, 'reach', True)
    """
    if not isinstance(figure, Figure):
        raise ArgumentError(f"a path is for a Figure, not {figure!r}")
    count = len(figure.names)
    for name, given in (("velocity", velocity_limits), ("acceleration", acceleration_limits)):
        if given is not None:
            options[name] = numbers(given, (count,), f"the limits of {name}")
    if avoid is not None:
        if not isinstance(avoid, Problem) or avoid.figures[0]._handle is not figure._handle or len(avoid.figures) > 1:
            raise ArgumentError(f"avoid is a Problem of the path's figure alone, not {avoid!r}")
        given = _c.lb_problem_collisions(avoid._handle)  # which belongs to the problem
        if given is None:
            raise ArgumentError("the problem keeps nothing apart yet: call its avoid()")
        options["collisions"] = given._raw()
    if problem is not None:
        if not isinstance(problem, Problem) or problem.figures[0]._handle is not figure._handle or len(problem.figures) > 1:
            raise ArgumentError(f"problem is a Problem of the path's figure alone, not {problem!r}")
        options["problem"] = problem._handle
    if start is not None:
        options["start"] = figure.pose(start)
    listed = np.array([as_frame(f) for f in frames], dtype=float).reshape(-1, 7)
    struct = _c.Struct("lb_effector")
    _c.lb_figure_find_effector(figure._handle, effector, struct)
    made = _c.lb_path_create(figure._handle, struct, len(listed), listed, options_of("lb_path_options", options))
    r = _c.Struct("lb_path_result")
    _c.lb_path_get(made, r)
    period = options.get("period", 0.01)
    poses, fractions = np.empty((r.pose_count, count)), np.empty(r.pose_count)
    one, at = np.empty(count), np.empty(1)
    for i in range(r.pose_count):
        _c.lb_path_pose(made, i, one, at)
        poses[i], fractions[i] = one, at[0]

    def name_of(variable: int) -> str | None:
        return figure.names[variable] if variable >= 0 else None

    return Path(r.end == "none", r.end, r.fraction, name_of(r.variable), bool(r.is_upper), r.frame, r.way_count, r.through_count,
                r.margin, name_of(r.margin_variable), r.length, r.length_rad, r.duration, r.load_velocity, r.load_acceleration,
                name_of(r.pace_variable), r.deviation, r.deviation_rad, r.explanation, period * np.arange(r.pose_count), poses,
                fractions, (r.name_a, r.name_b) if r.end == "collision" else None)
