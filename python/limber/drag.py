"""A part of a figure is moved by hand, and the figure follows, frame by frame.

>>> import limber
>>> human = limber.load("human")
>>> problem = limber.Problem(human, body=True)
>>> with limber.Drag(problem, "right_hand") as drag:
...     x, y, z = drag.at[:3]
...     for k in range(60):
...         q = drag.move([x + 0.3 * min(1, k / 30), y, z + 0.4 * min(1, k / 30)])
...     q = drag.end()
>>> drag.state.is_there, drag.body().margin > 0
(True, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _limber as _c
from .errors import ArgumentError
from .figure import options_of
from .frames import read
from .problem import Problem
from .solving import BodyReport, Said, report_of, said_of

__all__ = ["Drag", "DragState"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DragState:
    """What a frame came to: `settled` (the same target again changes nothing), `is_there` (within a millimetre), `blocked`, how far
    the part is from the target (metres, radians), whether the body is on its way to another way to stand (`gliding`), how often it
    chose one (`glides`), and what its feet have done, in words (`steps`)."""

    settled: bool
    is_there: bool
    blocked: bool
    miss: float
    miss_rad: float
    gliding: bool
    glides: int
    steps: str


class Drag:
    """Takes hold of a link, segment or site (or, by `goal=` and its id, of a goal) of a problem. What the problem asks for holds
    meanwhile; `holds` names, by ids, what does so against the hand (all of it). A body keeps its feet and its balance, and steps
    where a hand rests out of reach unless is_free is False. The keywords are the fields of lb_drag_options. The problem is as it
    was after `end()`.

    The same targets give the same poses, to the bit, however long a frame takes.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> with limber.Drag(limber.Problem(arm), "link7") as drag:
    ...     for k in range(60):
    ...         q = drag.move([0.4, 0.2, 0.5])
    >>> drag.state.settled, drag.state.miss < 1e-3
    (True, True)
    """

    def __init__(self, problem: Problem, part: str | None = None, *, goal: int | None = None, start: Any = None, figure: int = 0,
                 turns: bool = False, holds: Any = None, is_free: bool = True, **options: Any):
        if not isinstance(problem, Problem):
            raise ArgumentError(f"a drag is of a Problem, not of {problem!r}")
        if (part is None) == (goal is None):
            raise ArgumentError("name the part that is dragged, or the goal by its id")
        struct = options_of("lb_drag_options", options)
        struct.figure, struct.turns, struct.is_free = figure, int(turns), int(is_free)
        ids = None if holds is None else np.array(list(holds), dtype=np.int32)
        if ids is not None:
            struct.hold_count, struct.holds = len(ids), ids
        if goal is not None:
            struct.constraint = int(goal)
        else:
            effector = _c.Struct("lb_effector")
            _c.lb_figure_find_effector(problem.figures[figure]._handle, part, effector)
            struct.effector = effector
        self.problem = problem
        self._q = problem.start.copy() if start is None else problem.pose(start).copy()
        self._state = _c.Struct("lb_drag_state")
        self._handle: Any = _c.lb_drag_create(problem._handle, self._q, struct)
        self._target = np.zeros((1, 7))
        self._target[0, 6] = 1
        self._result = _c.Struct("lb_result")
        self._bodies: tuple[BodyReport | None, ...] = ()
        self._at: Array | None = None
        if part is not None:
            read(problem.figures[figure].where(part, self._part(figure)), self._target, 0)
            self._at = self._target[0].copy()

    def _part(self, figure: int) -> Array:
        first = sum(len(one) for one in self.problem.figures[:figure])
        return self._q[first:first + len(self.problem.figures[figure])]

    def __enter__(self) -> Drag:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._handle is not None:
            self.end()

    def __repr__(self) -> str:
        return f"Drag({self.problem!r}{'' if self._handle is not None else ', ended'})"

    def _held(self) -> Any:
        if self._handle is None:
            raise ArgumentError("the drag has ended")
        return self._handle

    @property
    def at(self) -> Array:
        """Where the part is: position and quaternion."""
        if self._at is not None:
            return self._at.copy()
        at = self._state.at
        return np.array([*at.position, *at.rotation])

    def move(self, target: Any) -> Array:
        """A frame towards a target - a position, or what limber.at takes - and the pose then, as a new array. Where the state is not
        settled, the same target again goes on."""
        read(target, self._target, 0)
        _c.lb_drag_move(self._held(), self._target[0], self._q, self._state)
        self._at = None
        return self._q.copy()

    def end(self) -> Array:
        """Lets go, and says in which pose: a body that is under way arrives. The problem is as it was."""
        _c.lb_drag_end(self._held(), self._q)
        self._bodies = tuple(self.body(k) for k in range(len(self.problem.figures)))
        self._handle = None
        return self._q.copy()

    @property
    def q(self) -> Array:
        """The pose now."""
        return self._q.copy()

    @property
    def state(self) -> DragState:
        """What the last frame came to."""
        s = self._state
        return DragState(bool(s.settled), bool(s.is_there), bool(s.blocked), s.miss, s.miss_rad, bool(s.gliding), s.glides, s.steps)

    def body(self, figure: int = 0) -> BodyReport | None:
        """The body of a figure in the pose now, also once the drag has ended; None where it has none."""
        if self._handle is None:
            return self._bodies[figure]
        return report_of(self.problem.figures[figure], _c.lb_drag_body(self._held(), figure))

    def explain(self) -> tuple[str, tuple[Said, ...]]:
        """Why the part is no nearer to its target: a sentence, and its parts.

        >>> import limber
        >>> with limber.Drag(limber.Problem(limber.load("panda")), "link7") as drag:
        ...     for k in range(60):
        ...         q = drag.move([2, 0, 0.5])
        ...     sentence, parts = drag.explain()
        >>> [part.kind for part in parts]
        ['outcome', 'missed', 'blocked']
        """
        _c.lb_drag_explain(self._held(), self._result)
        return self._result.explanation, said_of(self._result)
