"""Every solution of an arm, by algebra: limber.ClosedForm, and limber.all_solutions for a single question.

>>> import limber
>>> arm = limber.load("ur5")
>>> place = arm.frame("wrist3", arm.random_pose(3))
>>> solutions = limber.all_solutions(arm, "wrist3", place)
>>> all(abs(arm.frame("wrist3", s.q) - place).max() < 1e-9 for s in solutions)
True
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
from .frames import as_frame

__all__ = ["ClosedForm", "ClosedSolution", "ClosedSolutions", "all_solutions"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ClosedSolution:
    """One solution: `q` is a whole pose of the figure, of all windings the one nearest to the start."""

    q: Array
    values: Array  # of the chain's variables
    inside: bool  # the limits
    outside: float  # radians or metres beyond the limit of
    worst: str | None  # this variable
    windings: tuple[Array, ...] = field(repr=False)  # the values with whole turns added, inside the limits
    singular: bool  # one stands for many
    condition: float
    error: float
    swivel: float  # of a limb: the turn about the line from shoulder to wrist, radians
    swivel_range: tuple[float, float]  # the limits hold between these


@dataclass(frozen=True)
class ClosedSolutions(Sequence):
    """The solutions inside the limits, the nearest to the start first. `all` has those outside too, behind them."""

    all: tuple[ClosedSolution, ...]
    explanation: str
    singular_count: int
    is_proved: bool  # where there is none inside the limits: it is proved; else none was found, which proves nothing
    is_stopped: bool = False  # the budget was spent: what was found until then is what there is
    evaluations: int = 0  # so many were made
    _inside: tuple[ClosedSolution, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_inside", tuple(solution for solution in self.all if solution.inside))

    def __len__(self) -> int:
        return len(self._inside)

    def __getitem__(self, index: Any) -> Any:
        return self._inside[index]

    def __repr__(self) -> str:
        return f"<{len(self)} solutions inside the limits, {len(self.all)} in all: {self.explanation}>"


class ClosedForm:
    """Finds every solution for one end-effector (a link, segment or site) of a figure. Which arms have a closed form is decided by
    their geometry; the others raise a LimberError that names what stands in the way.

    `base` is the segment that the chain begins at (the root unless told), `pose` has the variables that are not on the chain,
    `position=True` leaves the rotation of the goal out (planar arms of two links). `max_evaluations` and `deadline_us` bound what a
    solve may cost of arms whose answers are intervals; Ctrl-C ends it, too.

    >>> import limber
    >>> limber.ClosedForm(limber.load("puma560"), "wrist3_link")
    ClosedForm(puma560, wrist3_link: meeting, 6 variables)
    """

    def __init__(self, figure: Figure, effector: str, *, base: str | None = None, pose: Any = None, position: bool = False,
                 max_evaluations: int | None = None, deadline_us: float | None = None):
        if not isinstance(figure, Figure):
            raise ArgumentError(f"a closed form is that of a Figure, not {figure!r}")
        options: dict[str, Any] = {"is_position": int(bool(position))}
        if base is not None:
            options["base_segment"] = figure.place(base)[0]
        if pose is not None:
            options["pose"] = figure.pose(pose)
        if max_evaluations is not None:
            options["max_evaluations"] = int(max_evaluations)
        if deadline_us is not None:
            options["deadline_us"] = float(deadline_us)
        struct = _c.Struct("lb_effector")
        _c.lb_figure_find_effector(figure._handle, effector, struct)
        self.figure, self.effector = figure, effector
        limits = options_of("lb_closed_options", options)
        _c.watch_closed(limits)
        self._handle = _c.lb_closed_create(figure._handle, struct, limits)
        self._handle.keep(figure._handle)
        count = _c.lb_closed_variable_count(self._handle)
        self._variables = [_c.lb_closed_variable(self._handle, i) for i in range(count)]
        #: The variables of the chain, from the base to the end-effector.
        self.names: tuple[str, ...] = tuple(figure.names[i] for i in self._variables)
        #: "meeting", "parallel", "general", "planar", "limb" and others: docs/closed.md.
        self.kind: str = _c.lb_closed_kind_of(self._handle)

    def __repr__(self) -> str:
        return f"ClosedForm({self.figure.name}, {self.effector}: {self.kind}, {len(self.names)} variables)"

    def solve(self, place: Any, start: Any = None) -> ClosedSolutions:
        """All solutions that bring the end-effector to a place, the nearest to a start pose (rest unless told) first.

        >>> import limber
        >>> arm = limber.load("puma560")
        >>> form = limber.ClosedForm(arm, "wrist3_link")
        >>> found = form.solve(arm.frame("wrist3_link", arm.random_pose(7)))
        >>> len(found) >= 1 and len(found.all) >= len(found)
        True
        """
        begin = self.figure.pose(start)
        result = _c.Struct("lb_closed_result")
        _c.lb_closed_solve(self._handle, as_frame(place), begin, result)
        found = tuple(self._solution(i, begin) for i in range(result.all_count))
        return ClosedSolutions(found, result.explanation, result.singular_count, bool(result.is_proved),
                               bool(result.is_stopped), result.evaluations)

    def _solution(self, index: int, start: Array) -> ClosedSolution:
        s, count = _c.Struct("lb_closed_solution"), len(self._variables)
        _c.lb_closed_get(self._handle, index, s)
        windings = []
        for k in range(s.winding_count):
            values = np.zeros(16)
            _c.lb_closed_winding(self._handle, index, k, values)
            windings.append(values[:count].copy())
        q = start.copy()
        _c.lb_closed_pose(self._handle, index, q)
        worst = self.figure.names[s.worst_variable] if s.worst_variable >= 0 else None
        return ClosedSolution(q, np.array(s.values[:count]), bool(s.is_inside), s.outside, worst, tuple(windings),
                              bool(s.is_singular), s.condition, s.error, s.swivel_rad, (s.swivel_low_rad, s.swivel_high_rad))

    def swivel(self, solution: int, angle: float) -> Array:
        """The values of a limb's variables at another swivel angle of one of the solutions (by its number in `all`) of the last
        solve()."""
        values = np.zeros(16)
        _c.lb_closed_swivel(self._handle, int(solution), float(angle), values)
        return values[:len(self._variables)].copy()


def all_solutions(figure: Figure, effector: str, place: Any, start: Any = None, **options: Any) -> ClosedSolutions:
    """Every solution that brings a link, segment or site to a place, by algebra; keywords as ClosedForm has them.

    >>> import limber
    >>> arm = limber.load("irb120")
    >>> len(limber.all_solutions(arm, "link6", [9, 9, 9, 0, 0, 0, 1]))
    0
    """
    return ClosedForm(figure, effector, **options).solve(place, start)
