"""Solving: one pose, many poses, and what came of it.

>>> import limber
>>> arm = limber.load("panda")
>>> sol = limber.solve(arm, {"link7": [0.4, 0.2, 0.5]})
>>> sol.solved
True
>>> sol["joint4"] == sol.q[3]
True
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _limber as _c
from .errors import ArgumentError, UnknownNameError, similar
from .figure import Figure, options_of
from .frames import numbers, read
from .goals import Goal, told
from .problem import Problem, goal_at

if TYPE_CHECKING:
    from .picture import Picture

__all__ = ["Solution", "Solutions", "Solver", "GoalResult", "ActiveLimit", "Level", "Reason", "Said", "Freedom", "Measure",
           "BodyReport", "ContactReport", "solve", "solve_many"]

Array = NDArray[np.float64]

#: What limber.solve and Problem.solve ask for unless told: further starts where the first one fails.
#: Of 100,000 places that a Panda reaches, 280 need more than 20, and cost milliseconds of algebra then; 25 need more than 50.
DEFAULTS = {"restarts": 50}
_DOUBLE = np.dtype(np.float64)
MOST_PREPARED = 16  # solvers that a figure keeps, a thread


@dataclass(frozen=True, slots=True)
class GoalResult:
    """A goal at the answer: how far it is missed (metres, radians), and where wishes pull at it. `name` is the effector's, or what
    name= said."""

    name: str
    id: int
    met: bool
    counted: bool
    value: float
    distance: float
    angle_rad: float
    force: tuple[float, float, float]
    moment: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ActiveLimit:
    """A limit in force at the answer."""

    name: str
    variable: int
    is_upper: bool
    value: float
    multiplier: float


@dataclass(frozen=True, slots=True)
class Level:
    """A priority level at the answer."""

    priority: int
    is_wishes: bool
    met: bool
    value: float
    gradient_norm: float


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a goal is not met: what would have to give way, and what that would gain."""

    kind: str
    name: str | None
    give: float
    gain: float
    gain_rad: float
    share: float
    reached: bool
    is_upper: bool


@dataclass(frozen=True, slots=True)
class Said:
    """A part of a solution's sentence, as data: its words, and what they are about. `kind` is "reached", "outcome", "proof",
    "missed", "limit", "blocked", "going-on", "no-reason", "figure", "step", "support", "balance", "effort" or "overlap"; `value`
    is what the kind counts: metres missed, stepped or deep, metres that balance is inside (< 0: outside), the share of a
    strength or of the weight. `reason` is the place in `reasons`, `goal` that in `goals`; what a part is not about is None."""

    kind: str
    text: str
    value: float
    value_rad: float
    figure: int | None
    goal: int | None
    variable: str | None
    reason: int | None
    limb: int | None


@dataclass(frozen=True, slots=True)
class Freedom:
    """How the goals constrain the figure."""

    determinacy: str
    variables: int
    freedoms: int
    equations: int
    rank: int
    redundancy: int


@dataclass(frozen=True, slots=True)
class Measure:
    """How well a pose lets the end-effector of a goal move: Yoshikawa's manipulability, the condition number, and the
    distances to a singularity and to the nearest limit."""

    rows: int
    manipulability: float
    condition: float
    singularity: float
    limit: float
    limit_variable: str | None


@dataclass(frozen=True, slots=True)
class ContactReport:
    """A contact of a body: whether it stands, where, and the share of the weight that it carries."""

    name: str
    stands: bool
    point: tuple[float, float, float]
    share: float

    def __repr__(self) -> str:
        stands = f"stands, {self.share:.0%} of the weight" if self.stands else "free"
        return f"<{self.name}: {stands}, at {told(self.point)}>"


@dataclass(frozen=True, slots=True)
class BodyReport:
    """What became of a figure that is posed as a body: `contacts`, `efforts` as shares of each joint's strength, `steps` of feet
    (metres), the centre of mass and how far it is inside of what stands (`margin`, metres), the `terms` that were minimised."""

    contacts: tuple[ContactReport, ...]
    efforts: dict[str, float]
    steps: dict[int, float]
    com: tuple[float, float, float]
    margin: float
    terms: dict[str, float]
    overlap: float
    start: str | None
    imbalance: float = 0.0  # how far the contacts' forces are from holding it up, metres or shares of the weight

    def __repr__(self) -> str:
        stands = ", ".join(f"{c.name} {c.share:.0%}" for c in self.contacts if c.stands) or "nothing"
        most = sorted(self.efforts.items(), key=lambda item: -item[1])[:3]
        efforts = ", ".join(f"{name} {share:.0%}" for name, share in most)
        return f"<BodyReport: stands on {stands}; balance {self.margin * 100:.3g} cm inside; efforts {efforts}>"


@dataclass(slots=True, eq=False, repr=False)
class Solution:
    """An answer. `q` is the pose, `solved` whether every goal is met, `explanation` a sentence that says what happened.

    The values of variables are there by name: sol["joint4"], dict(sol). `outcome` is "solved", "minimum" (nearby
    there is no better pose inside the limits), or "budget".

    >>> import limber
    >>> arm = limber.load("panda")
    >>> limber.solve(arm, {"link7": [0.4, 0.2, 0.5]})
    <Solution of panda, solved: joint1=..., ...>
    """

    q: Array
    _problem: Any
    outcome: str
    explanation: str
    value: float
    value_before: float
    wish_value: float
    gradient_norm: float
    iterations: int
    evaluations: int
    restarts: int
    engine: str
    _constraints: bytes
    _limits: Any
    _levels: bytes
    _said: bytes = b""
    reasons: tuple[Reason, ...] = ()
    freedom: Freedom | None = None
    bodies: tuple[BodyReport | None, ...] = ()
    _measures: tuple[Measure, ...] | None = None

    @property
    def measures(self) -> tuple[Measure, ...]:
        """How well the end-effectors can move at the answer, in the order of the problem's constraints. They are measured when
        they are first asked for, by the constraints that the problem has then; () after unpickling what was never measured.

        >>> import limber
        >>> limber.solve(limber.load("panda"), {"link7": [0.4, 0.2, 0.5]}).measures[0].rows
        3
        """
        if self._measures is None:
            solver = getattr(self._problem, "solver", None)
            self._measures = solver().measure(self.q) if solver else ()
        return self._measures

    @property
    def solved(self) -> bool:
        """Whether every goal is met."""
        return self.outcome == "solved"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in the order of q."""
        return self._problem.names

    def __getitem__(self, name: str) -> float:
        return float(self.q[self._problem.index(name)])

    def __iter__(self):
        return iter(self._problem.names)

    def __len__(self) -> int:
        return len(self.q)

    def __contains__(self, name: object) -> bool:
        return name in self._problem.names

    def keys(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self._problem.names

    def values(self) -> list[float]:
        """Their values."""
        return self.q.tolist()

    def items(self) -> list[tuple[str, float]]:
        """Both."""
        return list(zip(self._problem.names, self.q.tolist()))

    @property
    def goals(self) -> tuple[GoalResult, ...]:
        """Each goal at the answer, in the order in which they were added."""
        rows = np.frombuffer(self._constraints, dtype=dtype_of("lb_constraint_result"))
        names = self._problem.goal_names()
        return tuple(GoalResult(names.get(int(r["id"]), ""), int(r["id"]), bool(r["met"]), bool(r["counted"]), float(r["value"]), float(r["distance"]),
                                float(r["angle_rad"]), tuple(r["force"].tolist()), tuple(r["moment"].tolist())) for r in rows)

    @property
    def said(self) -> tuple[Said, ...]:
        """The parts of `explanation`, as data.

        >>> import limber
        >>> sol = limber.solve(limber.load("panda"), {"link7": [3, 0, 0.5]})
        >>> [part.kind for part in sol.said]
        ['outcome', 'missed', 'blocked']
        >>> sol.said[1].text
        'link7 2.2 m short'
        """
        rows, words = np.frombuffer(self._said, dtype=dtype_of("lb_say")), self.explanation.encode()
        kinds = _c.words("lb_say_kind")

        def told_of(number: Any) -> int | None:
            return int(number) if number >= 0 else None

        return tuple(Said(kinds[int(r["kind"])], words[r["begin"]:r["begin"] + r["length"]].decode(errors="replace"), float(r["value"]),
                          float(r["value_rad"]), told_of(r["figure"]), told_of(r["constraint"]),
                          self.names[int(r["variable"])] if r["variable"] >= 0 else None, told_of(r["reason"]),
                          told_of(r["limb"])) for r in rows)

    @property
    def levels(self) -> tuple[Level, ...]:
        """Each priority level at the answer, the highest first."""
        rows = np.frombuffer(self._levels, dtype=dtype_of("lb_level_result"))
        return tuple(Level(int(r["priority"]), bool(r["is_wishes"]), bool(r["met"]), float(r["value"]),
                           float(r["gradient_norm"])) for r in rows)

    @property
    def limits(self) -> tuple[ActiveLimit, ...]:
        """The limits in force, the largest multiplier first."""
        if isinstance(self._limits, bytes):
            self._limits = tuple(self._read_limits(self._limits))
        return self._limits

    def _read_limits(self, raw: bytes):
        size, _ = _c.layout("lb_active_limit")
        for at in range(0, len(raw), size):
            limit = _c.Struct("lb_active_limit", raw[at:at + size])  # its name is memory of the figure, which is kept
            yield ActiveLimit(limit.name, limit.variable, bool(limit.is_upper), limit.value, limit.multiplier)

    @property
    def body(self) -> BodyReport | None:
        """What became of the first figure that was posed as a body; None: none was."""
        return next((body for body in self.bodies if body), None)

    def render(self, **options: Any) -> Picture:
        """A picture of the answer."""
        return self._problem.render(self.q, **options)

    def _repr_png_(self) -> bytes:
        return self.render(width=600, height=450, show_joints=False, title=textwrap.shorten(self.explanation, 52, placeholder=" ...")).png

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value:.4g}" for name, value in self.items()[:3])
        return f"<Solution of {' and '.join(self._problem.figure_names())}, {self.outcome}: {shown}{', ...' if len(self.q) > 3 else ''}>"

    def __reduce__(self):
        limits = tuple((l.name, l.variable, l.is_upper, l.value, l.multiplier) for l in self.limits)
        parts = (self.q, self.names, self.outcome, self.explanation, self.value, self.value_before, self.wish_value,
                 self.gradient_norm, self.iterations, self.evaluations, self.restarts, self.engine, self._constraints, limits,
                 self._levels, self._said, (self.reasons, self.freedom, self.bodies, self._measures), self._problem.figure_names(),
                 self._problem.goal_names())
        return (_unpickle, parts)


class _Names:
    """What an unpickled solution knows of its problem: the names."""

    def __init__(self, names: tuple[str, ...], figures: tuple[str, ...], goals: dict[int, str]):
        self.names, self._figures, self._goals = names, figures, goals

    def figure_names(self) -> tuple[str, ...]:
        return self._figures

    def goal_names(self) -> dict[int, str]:
        return self._goals

    def index(self, name: str) -> int:
        if name not in self.names:
            raise UnknownNameError(f"there is no variable {name!r}{similar(name, self.names)}", "name")
        return self.names.index(name)

    def render(self, q: Any, **options: Any) -> Any:
        raise ArgumentError("a solution that was pickled has no figure: figure.render(solution.q) draws it")


def _unpickle(q, names, *rest):
    *numbers_, constraints, limits, levels, said, explained, figures, goals = rest
    known = tuple(ActiveLimit(*limit) for limit in limits)
    return Solution(q, _Names(names, figures, goals), *numbers_, constraints, known, levels, said, *explained)


_DTYPES: dict[str, np.dtype] = {}


def dtype_of(struct: str) -> np.dtype:
    """The numbers of a C struct as a structured dtype."""
    if struct not in _DTYPES:
        size, fields = _c.layout(struct)
        kept = [field for field in fields if field[1] in "id"]
        formats = [("f8" if letter == "d" else "i4") if not count else (("f8" if letter == "d" else "i4"), (count,))
                   for _, letter, _, count in kept]
        _DTYPES[struct] = np.dtype({"names": [field[0] for field in kept], "formats": formats,
                                    "offsets": [field[2] for field in kept], "itemsize": size})
    return _DTYPES[struct]


def _solve_options(options: Mapping[str, Any]) -> tuple[Any, Any]:
    """The C library's options, and the function that is told of iterations."""
    given = dict(options)
    told = given.pop("on_iteration", None)
    if told is not None and not callable(told):
        raise ArgumentError(f"on_iteration takes a function, not {told!r}")
    for name in ("now_us", "now_context", "cancel", "on_iteration_context"):
        if name in given:
            raise TypeError(f"{name} is Python's own business: Ctrl-C stops a solve, and deadline_us has a clock")
    for name in ("tracking", "keep_going"):
        if name in given:
            given[name] = int(bool(given[name]))
    return options_of("lb_solve_options", given), told


def said_of(result: Any) -> tuple[Said, ...]:
    """The parts of the sentence of the C library's lb_result; variables by their numbers' text."""
    words = result.explanation.encode()

    def told_of(number: int) -> int | None:
        return number if number >= 0 else None

    return tuple(Said(p.kind, words[p.begin:p.begin + p.length].decode(errors="replace"), p.value, p.value_rad, told_of(p.figure),
                      told_of(p.constraint), None, told_of(p.reason), told_of(p.limb)) for p in result.said[:result.said_count])


class Solver:
    """A problem's memory to solve with, kept: the fastest way to solve again and again. It belongs to one thread at a time.

    The keywords are options: the fields of lb_solve_options (method, restarts, max_iterations, tracking, deadline_us, seed,
    keep_going, gradient_tolerance, ...), and on_iteration, a function of (iteration, evaluations, restart, value) that stops
    the solve by returning something true.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> problem = limber.Problem(arm)
    >>> hand = problem.add(limber.at("link7", [0.4, 0.0, 0.5]))
    >>> solver = problem.solver(tracking=True)
    >>> q = arm.rest
    >>> for y in (0.0, 0.05, 0.1):
    ...     problem.move(hand, [0.4, y, 0.5])
    ...     q = solver.solve(q).q
    >>> solver.solution.solved
    True
    """

    def __init__(self, problem: Problem, *, _engine: Any = None, **options: Any):
        if not isinstance(problem, Problem):
            raise ArgumentError(f"a solver is for a Problem, not {problem!r}")
        self.problem = problem
        if _engine is None:
            struct, told = _solve_options(options)
            _engine = _c.Engine(problem._handle, struct, (), told)
        self._engine = _engine
        self._run = self._engine.solve
        self._count = len(problem.names)
        #: The last answer.
        self.solution: Solution | None = None

    def solve(self, start: Any = None) -> Solution:
        """Solves from a start pose; None: from the last answer, at first from the problem's start."""
        problem = self.problem
        if type(start) is np.ndarray and start.dtype is _DOUBLE:
            q = start.copy()
        elif start is None:
            q = (problem.start if self.solution is None else self.solution.q).copy()
        else:
            q = problem.pose(start)
        self.solution = solution = Solution(q, problem, *self._run(q))
        if problem._has_body:
            solution.bodies = self._bodies()
        return solution

    def explain(self) -> Solution:
        """The last answer again, with the reasons why a goal is not met, the freedom that is left, and how well the
        end-effectors can move.

        >>> import limber
        >>> solver = limber.Problem(limber.load("panda"), {"link7": [3, 0, 0.5]}).solver()
        >>> solution = solver.solve()
        >>> solver.explain().reasons[0].kind
        'distance'
        >>> solver.solution.measures[0].rows
        3
        """
        if self.solution is None:
            raise ArgumentError("there is nothing to explain before a solve")
        q, bodies = self.solution.q.copy(), self.solution.bodies
        told = self._engine.explain(q)
        result = self._engine.result()
        reasons = tuple(Reason(r.kind, r.name, r.give, r.gain, r.gain_rad, r.share, bool(r.reached), bool(r.is_upper))
                        for r in result._list("reasons", result.reason_count))
        f = result.freedom
        freedom = Freedom(f.determinacy, f.variables, f.freedoms, f.equations, f.rank, f.redundancy)
        measures = self._measures(result)
        solution = Solution(q, self.problem, *told)
        solution.reasons, solution.freedom, solution.bodies, solution._measures = reasons, freedom, bodies, measures
        self.solution = solution
        return solution

    def solve_all(self, start: Any = None, wanted: int = 8, apart: float = 0.01) -> list[Solution]:
        """Several distinct answers, the nearest to the start first."""
        q = self.problem.pose(self.problem.start if start is None else start)
        if not isinstance(wanted, int) or not 0 < wanted <= 100000:
            raise ArgumentError(f"{wanted!r} answers cannot be asked for")
        poses = np.empty((wanted, self._count))
        count, told = self._engine.solve_all(q, apart, wanted, poses)
        return [Solution(pose.copy(), self.problem, *told) for pose in poses[:count]]

    def value(self, pose: Any) -> float:
        """G in a pose: the sum of all goals' weight times potential."""
        return self.value_and_gradient(pose)[0]

    def value_and_gradient(self, pose: Any) -> tuple[float, Array]:
        """G in a pose inside its limits, and its gradient."""
        value, gradient = np.empty(1), np.empty(self._count)
        _c.lb_solver_value(self._engine.solver(), self.problem.pose(pose), value, gradient)
        return float(value[0]), gradient

    def measure(self, pose: Any = None) -> tuple[Measure, ...]:
        """How well a pose (the last answer unless told) lets the end-effector of each goal move, in the order of the goals.

        >>> import limber
        >>> arm = limber.load("panda")
        >>> limber.Problem(arm, {"link7": [0.4, 0, 0.5]}).solver().measure(arm.rest)[0].manipulability > 0.01
        True
        """
        last = self.problem.start if self.solution is None else self.solution.q
        result = _c.Struct("lb_result")
        _c.lb_solver_measure(self._engine.solver(), self.problem.pose(last if pose is None else pose), result)
        return self._measures(result)

    def _measures(self, result: Any) -> tuple[Measure, ...]:
        names = self.problem.names
        return tuple(Measure(m.rows, m.manipulability, m.condition, m.singularity, m.limit,
                             names[m.limit_variable] if m.limit_variable >= 0 else None)
                     for m in result._list("measures", result.measure_count))

    def statics(self, pose: Any = None) -> tuple[BodyReport | None, ...]:
        """What holds a pose (the last answer unless told), without solving: for each figure the forces of its contacts, the balance
        and each joint's share of its strength; None for figures that are not posed as bodies.

        >>> import limber
        >>> human = limber.load("human")
        >>> report, = limber.Problem(human, body=True).solver().statics(human.rest)
        >>> report.imbalance < 1e-6 and report.margin > 0
        True
        """
        last = self.problem.start if self.solution is None else self.solution.q
        _c.lb_statics(self._engine.solver(), self.problem.pose(last if pose is None else pose))
        return self._bodies()

    def _bodies(self) -> tuple[BodyReport | None, ...]:
        return tuple(self._body(number, figure) for number, figure in enumerate(self.problem.figures))

    def _body(self, number: int, figure: Figure) -> BodyReport | None:
        return report_of(figure, _c.lb_solver_body(self._engine.solver(), number))

    def __repr__(self) -> str:
        return f"Solver({self.problem!r})"


def report_of(figure: Figure, told: Any) -> BodyReport | None:
    body = _c.lb_figure_body(figure._handle)
    if told is None or body is None:
        return None
    names = [contact.name for contact in body._list("contacts", body.contact_count)]
    joints = [strength.name for strength in body._list("strengths", body.strength_count)]
    contacts = tuple(ContactReport(names[c.contact], bool(c.stands), c.point, c.share)
                     for c in told._list("contacts", told.contact_count))
    efforts = {joints[e.strength]: e.share for e in told._list("efforts", told.effort_count)}
    steps = {s.limb: s.distance for s in told._list("steps", told.step_count)}
    terms = {_c.lb_body_term_name(i): value for i, value in enumerate(told.terms)}
    return BodyReport(contacts, efforts, steps, told.com, told.margin, terms, told.overlap, told.start,
                      told.imbalance)


# --- One call -----------------------------------------------------------------------------------------------------------


class _Kept:
    """A prepared problem of a figure, for goals that are places: its engine, and room for their frames."""

    __slots__ = ("problem", "run", "frames", "solver", "is_body")

    def __init__(self, figure: Figure, names: tuple[str, ...], kinds: tuple[int, ...], options: Any, is_body: bool):
        goals = [goal_at(name, np.array([0.0, 0, 0] if kind == 1 else [0.0, 0, 0, 0, 0, 0, 1]))
                 for name, kind in zip(names, kinds)]
        self.problem = Problem(figure._twin(), body=is_body)
        ids = self.problem.add(goals)
        struct, told = _solve_options({**({} if is_body else DEFAULTS), **dict(options or ())})
        engine = _c.Engine(self.problem._handle, struct, ids, told)
        self.solver = Solver(self.problem, _engine=engine)
        self.run = engine.move_solve
        self.frames = np.zeros((len(names), 7))
        self.is_body = is_body


def solve(figure: Figure, goals: Any, start: Any = None, *, body: bool | None = None, **options: Any) -> Solution:
    """Finds a pose of a figure that meets goals.

    `goals` maps names of links, segments or sites to places: a position, (position, quaternion) or a 4x4 matrix; or it is a
    list of goals (limber.at and others). `start` is a pose, a mapping of names to values, or None, the rest pose. A figure
    that has a body is posed as a person unless body is False. Further keywords are the options of Solver; restarts is 50
    unless told. Where the answer is a minimum and not solved, its explanation says why; so it does wherever a person's goal is not met.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> pose = arm.where("link7", arm.random_pose(2))
    >>> sol = limber.solve(arm, {"link7": pose})
    >>> sol.solved, len(sol.q)
    (True, 7)
    """
    if type(figure) is not Figure:
        raise ArgumentError(f"solve takes a Figure from limber.load, not {figure!r}")
    if not isinstance(goals, dict):
        natural = body if body is not None else figure.has_body and not _is_plain(options)
        if isinstance(goals, (Goal, Mapping)):
            goals = [goals] if isinstance(goals, Goal) else goals
        return Problem(figure, goals, body=natural, start=start).solve(**options)
    if not goals:
        raise ArgumentError("there is no goal: name what should be where, as in {'hand': [0.4, 0, 0.5]}")
    solvers = figure._prepared.solvers
    last = solvers.get("last")
    if last is not None and last.frames.shape[0] == len(goals):
        frames = last.frames
    else:
        frames = np.empty((len(goals), 7))
    kinds = tuple([read(place, frames, i) for i, place in enumerate(goals.values())])
    names = tuple(goals)
    key: Any = (names, kinds, body, tuple(options.items()) if options else None)
    try:
        kept = solvers.get(key)
    except TypeError:  # an option that cannot be a key
        kept = None
        key = None
    if kept is None:
        kept = _prepare(figure, names, kinds, body, options, key)
    if kept.frames is not frames:
        kept.frames[:] = frames
    solvers["last"] = kept
    if start is None:
        q = figure.rest.copy()
    elif type(start) is np.ndarray and start.dtype is _DOUBLE:
        q = start.copy()
    else:
        q = figure.pose(start)
    solution = Solution(q, kept.problem, *kept.run(kept.frames, q))
    if kept.is_body or solution.outcome == "minimum":
        solver = kept.solver
        solver.solution = solution
        if kept.is_body:
            solution.bodies = solver._bodies()
        if not solution.solved:
            solution = solver.explain()
        solver.solution = None
    return solution


def _is_plain(options: Mapping[str, Any]) -> bool:
    return options.get("method", "lm") != "lm"


def _prepare(figure: Figure, names: tuple[str, ...], kinds: tuple[int, ...], body: bool | None, options: Any, key: Any) -> _Kept:
    natural = body if body is not None else figure.has_body and not _is_plain(options)
    kept = _Kept(figure, names, kinds, options, bool(natural))
    solvers = figure._prepared.solvers
    if key is not None:
        while len(solvers) > MOST_PREPARED:
            solvers.pop(next(name for name in solvers if name != "last"))
        solvers[key] = kept
    return kept


# --- Many ---------------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class Solutions:
    """Answers of solve_many: `q` [N, variables], `solved` [N], `outcome` [N] and numbers of each solve.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> many = limber.solve_many(arm, arm.frames("link7", arm.random_poses(10)), "link7")
    >>> many.q.shape, bool(many.solved.all())
    ((10, 7), True)
    """

    q: Array
    names: tuple[str, ...]
    _answers: Any
    _problem: Any = None

    def measures(self, goal: int = 0) -> NDArray[Any]:
        """How well the end-effector of a goal (by its place in the problem) can move at each answer: columns `rows`, `manipulability`,
        `condition`, `singularity`, `limit` and `limit_variable`. They are measured when this is called.

        >>> import limber
        >>> arm = limber.load("panda")
        >>> many = limber.solve_many(arm, arm.frames("link7", arm.random_poses(10)), "link7")
        >>> many.measures()["manipulability"].shape
        (10,)
        """
        columns = np.zeros(len(self.q), dtype=[("rows", np.int32), ("manipulability", float), ("condition", float),
                                               ("singularity", float), ("limit", float), ("limit_variable", "U64")])
        if self._problem is None:
            raise ArgumentError("answers that were pickled cannot be measured: problem.solver().measure(pose) can")
        solver = self._problem.solver()
        for i, pose in enumerate(self.q):
            measured = solver.measure(pose)
            if not 0 <= goal < len(measured):
                raise ArgumentError(f"there is no goal number {goal!r}: the problem has {len(measured)}")
            m = measured[goal]
            columns[i] = (m.rows, m.manipulability, m.condition, m.singularity, m.limit, m.limit_variable or "")
        return columns

    def __reduce__(self):
        return (Solutions, (self.q, self.names, self._answers))

    @property
    def solved(self) -> NDArray[np.bool_]:
        """Whether each is solved."""
        return self._answers["outcome"] == 1

    @property
    def outcome(self) -> NDArray[np.str_]:
        """The outcome of each: "solved", "minimum", "budget" or "invalid" (a goal or start that is not finite)."""
        words = _c.words("lb_outcome")
        return np.array([words[i] for i in range(len(words))])[self._answers["outcome"]]

    @property
    def value(self) -> Array:
        """G at each answer."""
        return self._answers["value"]

    @property
    def iterations(self) -> NDArray[np.int32]:
        """Iterations of each."""
        return self._answers["iterations"]

    @property
    def restarts(self) -> NDArray[np.int32]:
        """Restarts of each."""
        return self._answers["restarts"]

    def __len__(self) -> int:
        return len(self.q)

    def __getitem__(self, name: str) -> Array:
        if name not in self.names:
            if not isinstance(name, str):
                raise ArgumentError(f"the values of a variable are got by its name, poses by their number as .q[{name!r}]")
            raise UnknownNameError(f"there is no variable {name!r}{similar(name, self.names)}", "name")
        return self.q[:, self.names.index(name)]

    def __repr__(self) -> str:
        return f"<{len(self)} Solutions, {int(self.solved.sum())} solved>"


def _last_link(figure: Figure) -> str:
    """The segment farthest from the root: an arm's last link."""
    parents = {segment.name: segment.parent for segment in figure.segments}
    ends = [name for name in parents if name not in set(parents.values())]
    if len(ends) != 1:
        raise ArgumentError(f"{figure.name} has several ends ({', '.join(ends[:8])}): say which one, as in "
                            f"solve_many(figure, poses, {ends[0]!r})")
    return ends[0]


def frames_of(poses: Any) -> Array:
    """Places [N, 3], [N, 7] or [N, 4, 4] as frames [N, 7]: [N, 7] without a copy."""
    array = np.asarray(poses)
    if array.dtype != np.float64 or not array.flags.c_contiguous:
        try:
            array = np.ascontiguousarray(array, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ArgumentError("places must be numbers: [N, 4, 4], [N, 7] or [N, 3]") from error
    if array.ndim == 2 and array.shape[1] == 7:
        return array
    if array.ndim == 3 and array.shape[1:] == (4, 4):
        frames = np.empty((len(array), 7))
        if len(array):
            _c.frames_from_matrices(array, frames)
        return frames
    if array.ndim == 2 and array.shape[1] == 3:
        frames = np.zeros((len(array), 7))
        frames[:, :3] = array
        frames[:, 6] = 1
        return frames
    raise ArgumentError(f"places are [N, 4, 4], [N, 7] (position, quaternion) or [N, 3] (positions), not {array.shape}")


def solve_many(figure: Figure | Problem, poses: Any, effector: str | int | None = None, *, starts: Any = None,
               threads: int = 0, **options: Any) -> Solutions:
    """Solves many problems that differ in where one goal is and where they start, on all cores.

    `poses` are places [N, 4, 4], [N, 7] (position, quaternion; not copied) or [N, 3] (positions alone) for the effector, by
    default the last link of an arm. `starts` is one pose or [N, variables]; the rest pose unless told. `figure` may also be a
    Problem, and `effector` the id of the goal that moves (its last one unless told). threads=0: all cores. The answers are
    the same bits for any number of threads. Ctrl-C stops it.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> poses = arm.frames("link7", arm.random_poses(100))
    >>> limber.solve_many(arm, poses)
    <100 Solutions, 100 solved>
    """
    frames = frames_of(poses)
    given = {**DEFAULTS, **options}
    if isinstance(figure, Problem):
        problem = figure
        ids = [effector if effector is not None else _last_goal(problem)]
    elif isinstance(figure, Figure):
        kind = 1 if np.ndim(poses) == 2 and np.shape(poses)[1] == 3 else 2
        name = effector if effector is not None else _last_link(figure)
        place = np.array([0.0, 0, 0] if kind == 1 else [0.0, 0, 0, 0, 0, 0, 1])
        problem = Problem(figure)
        ids = [problem.add(goal_at(name, place))]
    else:
        raise ArgumentError(f"solve_many takes a Figure or a Problem, not {figure!r}")
    count, n = len(frames), len(problem.names)
    first = problem.start if starts is None else starts
    first = np.asarray(first.q if isinstance(first, Solution) else problem.pose(first) if isinstance(first, Mapping) else first)
    if first.dtype.kind not in "fiu" or first.shape not in ((n,), (count, n)):
        raise ArgumentError(f"starts are one pose ({n}) or [{count}, {n}], not of shape {first.shape}")
    first = np.ascontiguousarray(first, dtype=np.float64)
    struct, watched = _solve_options(given)
    if watched is not None:
        raise TypeError("many problems cannot tell of their iterations")
    if not isinstance(threads, int) or threads < 0:
        raise ArgumentError(f"threads must be a number >= 0, not {threads!r}")
    q = np.empty((count, n))
    answers = np.zeros(count, dtype=dtype_of("lb_answer"))
    if problem._functions:
        _one_by_one(problem, given, int(ids[0]), frames, first, q, answers)
    else:
        _c.solve_many(problem._handle, struct, count, np.array(ids, dtype=np.int32), frames, first, int(first.ndim == 1),
                      threads or len(os.sched_getaffinity(0)), q, answers)
    return Solutions(q, problem.names, answers, problem)


def _last_goal(problem: Problem) -> int:
    count = len(problem)
    if not count:
        raise ArgumentError("the problem has no goal that could move")
    return _c.lb_problem_constraint_id(problem._handle, count - 1)


def _one_by_one(problem: Problem, options: Any, id: int, frames: Array, starts: Array, q: Array, answers: Any) -> None:
    """Goals that are Python functions run in one thread."""
    solver = Solver(problem, **options)
    outcomes = {word: value for value, word in _c.words("lb_outcome").items()}
    for i, place in enumerate(frames):
        problem.move(id, place)
        solution = solver.solve(starts if starts.ndim == 1 else starts[i])
        q[i] = solution.q
        answers[i]["outcome"] = outcomes[solution.outcome]
        answers[i]["value"] = solution.value
        answers[i]["iterations"] = solution.iterations
        answers[i]["evaluations"] = solution.evaluations
        answers[i]["restarts"] = solution.restarts
