"""Where an end-effector can go: limber.Reach proves it in under a microsecond.

>>> import limber
>>> reach = limber.Reach(limber.load("panda"), "link7")
>>> reach.point([3, 0, 0]).verdict
'outside'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _limber as _c
from .errors import ArgumentError
from .figure import Figure, options_of
from .frames import as_frame, numbers

__all__ = ["Reach", "ReachAnswer"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ReachAnswer:
    """verdict: "inside" or "outside", both proved, or "unknown". distance: how far it is inside or outside, at least."""

    verdict: str
    distance: float
    exact: bool


class Reach:
    """The workspace of a link, segment or site, prepared once. `moves` names the variables that may move (all unless told; a joint's
    name without its dof will not do), `pose` has the values of the others, `base` is the segment that the chain begins at,
    `spacing` the grids' in metres.

    >>> import limber
    >>> limber.Reach(limber.load("human"), "right_palm", moves=["right_elbow.flexion"]).point([0, 0, 9]).verdict
    'outside'
    """

    def __init__(self, figure: Figure, effector: str, *, base: str | None = None, pose: Any = None,
                 moves: Iterable[str] | None = None, spacing: float = 0.0, frames: bool = True):
        if not isinstance(figure, Figure):
            raise ArgumentError(f"a workspace is that of a Figure, not {figure!r}")
        options: dict[str, Any] = {"spacing": float(spacing), "has_frames": int(bool(frames))}
        if base is not None:
            options["base_segment"] = figure.place(base)[0]
        if pose is not None:
            options["pose"] = figure.pose(pose)
        if moves is not None:
            mask = np.zeros(len(figure), dtype=np.uint8)
            mask[[figure.index(name) for name in moves]] = 1
            options["moves"] = mask
        struct = _c.Struct("lb_effector")
        _c.lb_figure_find_effector(figure._handle, effector, struct)
        self.figure, self.effector = figure, effector
        self._handle = _c.lb_reach_create(figure._handle, struct, options_of("lb_reach_options", options))

    def __repr__(self) -> str:
        low, high = self.box
        return f"Reach({self.figure.name}, {self.effector}: within {low.round(3).tolist()} and {high.round(3).tolist()})"

    @property
    def box(self) -> tuple[Array, Array]:
        """A box in the world that has all points within reach: its lowest and highest corner."""
        low, high = np.empty(3), np.empty(3)
        _c.lb_reach_box(self._handle, low, high)
        return low, high

    def point(self, point: Any) -> ReachAnswer:
        """Whether the end-effector's point can be at a position.

        >>> import limber
        >>> limber.Reach(limber.load("panda"), "link7").point([0, 0, 5]).distance > 3
        True
        """
        answer = _c.Struct("lb_reach_answer")
        _c.lb_reach_point(self._handle, numbers(point, (3,), "a point"), answer)
        return ReachAnswer(answer.verdict, answer.distance, bool(answer.is_exact))

    def frame(self, place: Any) -> ReachAnswer:
        """Whether the end-effector can be at a place, turned as the place is."""
        answer = _c.Struct("lb_reach_answer")
        _c.lb_reach_frame(self._handle, as_frame(place), answer)
        return ReachAnswer(answer.verdict, answer.distance, bool(answer.is_exact))
