"""Problems: figures, and what is asked of them.

>>> import limber
>>> arm = limber.load("panda")
>>> problem = limber.Problem(arm, [limber.at("link7", [0.4, 0.2, 0.5])])
>>> problem.solve().solved
True
"""

from __future__ import annotations

import contextlib
import fnmatch
import os
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _limber as _c
from . import collisions
from .errors import ArgumentError, UnknownNameError, similar
from .figure import Figure, find_model, options_of, warn, MODELS
from .frames import as_frame, numbers, read
from .goals import AnyOf, Goal, Shape, _axes, at, effector_of, frame, goal_of, potential_of
from .habit import Habit

if TYPE_CHECKING:
    from .picture import Picture
    from .solving import Solution, Solver

__all__ = ["Problem", "load_problem", "loads_problem"]

Array = NDArray[np.float64]


class Problem:
    """Figures, goals, wishes. Goals stay until they are removed; add() returns the id that move() and remove() take.

    `figures` is a figure or a list of them; `goals` a list of goals (limber.at and others), or a mapping of names to places;
    `body=True` poses a figure that has a body as a person: it stands, balances, looks and reaches as people do. `body` may
    be a mapping of what it should do: see pose_as_body().

    >>> import limber
    >>> human = limber.load("human")
    >>> problem = limber.Problem(human, {"right_palm": [0.45, -0.2, 1.2]}, body=True)
    >>> problem
    Problem(human, 1 goal, posed as a body)
    """

    def __init__(self, figures: Figure | Iterable[Figure], goals: Any = (), *, body: Any = False, start: Any = None):
        self.figures: tuple[Figure, ...] = (figures,) if isinstance(figures, Figure) else tuple(figures)
        if not self.figures or not all(isinstance(figure, Figure) for figure in self.figures):
            raise ArgumentError("a problem is about a Figure, or several")
        self._handle = _c.lb_problem_create(self.figures[0]._handle)
        for figure in self.figures[1:]:
            _c.lb_problem_add_figure(self._handle, figure._handle)
            self._handle.keep(figure._handle)
        self._setup()
        #: The pose that solves begin with unless told.
        self.start: Array = self.pose(start)
        self.add(goals)
        if body:
            self.pose_as_body(0, **({} if body is True else dict(body)))

    def _setup(self) -> None:
        self._functions: dict[int, Any] = {}
        self._goals: dict[int, Goal] = {}
        self._groups = 0
        self._has_body = False
        #: What a problem file says of itself and of solving.
        self.title: str = ""
        self.options: Any = None
        self._engine: Any = None  # that solve() keeps; a Solver would refer back to the problem, and both live too long
        self._file: Any = None
        self._has_files = True  # those that the problem file names are still there
        count = _c.lb_problem_variable_count(self._handle)
        if len(self.figures) == 1:
            self.names: tuple[str, ...] = self.figures[0].names
        else:
            self.names = tuple(self._name(i) for i in range(count))
        self._index = {name: i for i, name in enumerate(self.names)}

    def _name(self, index: int) -> str:
        text = bytearray(256)
        _c.lb_problem_variable_name(self._handle, index, text, len(text))
        return text.split(b"\0")[0].decode()

    def __repr__(self) -> str:
        count = len(self)
        body = ", posed as a body" if self._has_body else ""
        names = " and ".join(figure.name for figure in self.figures)
        return f"Problem({names}, {count} goal{'' if count == 1 else 's'}{body})"

    def figure_names(self) -> tuple[str, ...]:
        """The names of its figures."""
        return tuple(figure.name for figure in self.figures)

    def goal_names(self) -> dict[int, str]:
        """What the goals are called in messages, by their ids: the effector's name, or what name= said.

        >>> import limber
        >>> limber.Problem(limber.load("panda"), {"link7": [0.4, 0.2, 0.5]}).goal_names()
        {1: 'link7'}
        """
        return {_c.lb_problem_constraint_id(self._handle, i): _c.lb_problem_constraint(self._handle, i).name or ""
                for i in range(len(self))}

    def __len__(self) -> int:
        return _c.lb_problem_constraint_count(self._handle)

    def __reduce__(self):
        raise TypeError("a problem cannot be pickled: pickle its figures, goals and poses, or save it as a problem file")

    # --- Poses --------------------------------------------------------------------------------------------------------

    @property
    def rest(self) -> Array:
        """The rest poses of all figures, one behind the other."""
        return np.concatenate([figure.rest for figure in self.figures])

    def index(self, name: str) -> int:
        """The place of a variable in a pose; of several figures "1:elbow" is figure 1's."""
        found = self._index.get(name) if isinstance(name, str) else None
        if found is not None:
            return found
        if len(self.figures) == 1:
            return self.figures[0].index(name)
        raise UnknownNameError(f"there is no variable {name!r}; of several figures 0:... are the first one's"
                               f"{similar(name, self.names)}", "name")

    def pose(self, values: Any = None) -> Array:
        """A new pose of all figures: from an array, a mapping of names to values, a Solution; None: the rest pose."""
        if len(self.figures) == 1:
            return self.figures[0].pose(values)
        if values is None:
            return self.rest
        if isinstance(values, Mapping):
            pose = self.rest
            for name, value in values.items():
                pose[self.index(name)] = value
            return numbers(pose, (len(self.names),), "a pose")
        return numbers(getattr(values, "q", values), (len(self.names),), "a pose of the problem").copy()

    def split(self, pose: Any) -> list[Array]:
        """A pose of the problem as the poses of its figures."""
        whole, poses, first = self.pose(pose), [], 0
        for figure in self.figures:
            poses.append(whole[first:first + len(figure)])
            first += len(figure)
        return poses

    # --- Goals --------------------------------------------------------------------------------------------------------

    def _figure(self, number: Any) -> Figure:
        if isinstance(number, Figure):
            number = self.figures.index(number) if number in self.figures else -1
        if not isinstance(number, int) or not 0 <= number < len(self.figures):
            raise ArgumentError(f"there is no figure {number!r}; there are {len(self.figures)}")
        return self.figures[number]

    def _number(self, figure: Any) -> int:
        return self.figures.index(self._figure(figure))

    def _constraint(self, goal: Goal, group: int) -> tuple[Any, Any]:
        """The C library's constraint for a goal, and the function of a custom one."""
        common = goal.common
        number = self._number(common.get("figure", 0))
        figure = self.figures[number]
        struct = _c.Struct("lb_constraint")
        if goal.kind == "keep":
            pose = goal.values["pose"]
            mine = figure.pose(pose) if pose is not None else self.split(self.start)[number]
            _c.lb_figure_find_effector(figure._handle, goal.effector, _c.Struct("lb_effector"))  # which says what is wrong with a name
            _c.lb_constraint_keep(figure._handle, goal.effector, mine, struct)
            function = None
        else:
            struct.effector = effector_of(figure, goal)
            inner = struct.goal
            inner.kind = goal.kind
            for name, value in goal.values.items():
                if name != "axis":
                    setattr(inner, name, value)
            function = potential_of(goal.function) if goal.function else None
            if function:
                inner.potential = function
        self._fill(struct, goal, number, group)
        return struct, function

    def _fill(self, struct: Any, goal: Goal, number: int, group: int) -> None:
        common = goal.common
        try:
            struct.name = common.get("name", goal.effector)
            struct.figure = number
            struct.any_of = group
            for name in ("weight", "priority", "tolerance_rad", "radius", "half_length"):
                if name in common:
                    setattr(struct, name, common[name])
            if "degrees_per_metre" in common:
                inner = struct.goal  # an axis that is free stays free
                inner.degrees_x = common["degrees_per_metre"] if inner.degrees_x else 0.0
                inner.degrees_y = common["degrees_per_metre"] if inner.degrees_y else 0.0
            if "position_weight" in common:
                struct.goal.weight_position = common["position_weight"]
                struct.goal.weight_orientation = 1 - common["position_weight"]
            if "tolerance" in common:
                tolerance = np.broadcast_to(np.asarray(common["tolerance"], dtype=float), (3,))
                struct.tolerance = tolerance
        except (TypeError, OverflowError, ValueError) as error:
            raise ArgumentError(f"{goal!r}: {error}") from error
        if common.get("chain") is not None:
            struct.chain_start = self._joint(number, common["chain"])
        if common.get("relative_to") is not None:
            carrier = common["relative_to"]
            of, name = carrier if isinstance(carrier, tuple) and len(carrier) == 2 else (number, carrier)
            struct.goal.carrier_figure = self._number(of)
            struct.goal.carrier_segment = self._figure(of).place(name)[0]

    def _joint(self, number: int, name: str) -> int:
        figure = self.figures[number]
        if not isinstance(name, str):
            raise ArgumentError(f"a chain begins with the name of a joint, not {name!r}")
        joint = _c.lb_figure_find_joint(figure._handle, name)
        if joint < 0:
            segment, _ = figure.place(name)
            joint = _c.lb_figure_parent_joint(figure._handle, segment)
        return joint

    @overload
    def add(self, goals: Goal) -> int: ...

    @overload
    def add(self, goals: AnyOf | Mapping[str, Any] | Iterable[Any]) -> list[Any]: ...

    def add(self, goals: Any) -> Any:
        """Adds a goal and returns its id; of a list, or a mapping of names to places, the ids.

        >>> import limber
        >>> problem = limber.Problem(limber.load("panda"))
        >>> problem.add(limber.at("link7", [0.4, 0, 0.5]))
        1
        """
        if isinstance(goals, Goal):
            return self._add(goals, 0)
        if isinstance(goals, AnyOf):
            self._groups += 1
            return [self._add(goal, self._groups) for goal in goals.goals]
        if isinstance(goals, Mapping):
            return [self._add(goal_at(name, place), 0) for name, place in goals.items()]
        if isinstance(goals, (str, bytes)) or not isinstance(goals, Iterable):
            raise ArgumentError(f"goals are made by limber.at and others, or a mapping of names to places; not {goals!r}")
        return [self.add(goal) for goal in goals]

    def _add(self, goal: Goal, group: int) -> int:
        struct, function = self._constraint(goal, group)
        id = _c.lb_problem_add(self._handle, struct)
        self._goals[id] = goal
        if function:
            self._functions[id] = function
        return id

    def change(self, id: int, goal: Goal) -> None:
        """Replaces a goal; it keeps its id."""
        if not isinstance(goal, Goal):
            raise ArgumentError(f"a goal is made by limber.at and others, not {goal!r}")
        struct, function = self._constraint(goal, 0)
        _c.lb_problem_change(self._handle, id, struct)
        self._goals[id] = goal
        if function:
            self._functions[id] = function
        else:
            self._functions.pop(id, None)

    def move(self, id: int, place: Any) -> None:
        """Moves a goal to a place, quickly.

        >>> import limber
        >>> problem = limber.Problem(limber.load("panda"))
        >>> hand = problem.add(limber.at("link7", [0.4, 0, 0.5]))
        >>> problem.move(hand, [0.4, 0.1, 0.5])
        >>> problem.solve().solved
        True
        """
        frame = np.empty((1, 7))
        read(place, frame, 0)
        _c.lb_problem_move_goal(self._handle, id, frame)

    def remove(self, id: int) -> None:
        """Takes a goal away."""
        _c.lb_problem_remove(self._handle, id)
        self._functions.pop(id, None)
        self._goals.pop(id, None)

    def set_weight(self, id: int, weight: float) -> None:
        """Changes how much a goal counts."""
        _c.lb_problem_set_weight(self._handle, id, weight)

    def enable(self, id: int, enabled: bool = True) -> None:
        """Switches a goal off or on."""
        _c.lb_problem_enable(self._handle, id, int(bool(enabled)))

    @property
    def goals(self) -> dict[int, Goal]:
        """The goals by id, as they are now: those that were added here, and those of a problem that was read or came back from the
        studio.

        >>> import limber
        >>> problem = limber.Problem(limber.load("panda"), {"link7": [0.4, 0.2, 0.5]})
        >>> problem.move(1, [0.4, 0.1, 0.5])
        >>> problem.goals
        {1: Goal('link7' at (0.4, 0.1, 0.5))}
        """
        found = {}
        for index in range(len(self)):
            id = _c.lb_problem_constraint_id(self._handle, index)
            found[id] = self._goal(id, _c.lb_problem_constraint(self._handle, index))
        return found

    def _goal(self, id: int, constraint: Any) -> Goal:
        given = self._goals.get(id)
        if given is not None and given.kind != "keep":
            inner = constraint.goal
            known = {key: value for key, value in given.values.items() if key in ("point", "x", "y", "normal", "rotation")}
            if all(tuple(value) == tuple(getattr(inner, key)) for key, value in known.items()):
                return given if given.common.get("weight", 1) == constraint.weight else given.but(weight=constraint.weight)
        figure = self.figures[constraint.figure]
        made = goal_of(figure, constraint)
        if "relative_to" in made.common:
            of, segment = made.common["relative_to"]
            name = _c.lb_figure_segment(self.figures[of]._handle, segment).name
            made = made.but(relative_to=name if of == constraint.figure else (of, name))
        return made

    # --- Variables and wishes -----------------------------------------------------------------------------------------

    def indices(self, name: str) -> list[int]:
        """The places of the variables of a name: a variable, a joint or group ("right_shoulder"), or a pattern ("spine.*").

        >>> import limber
        >>> problem = limber.Problem(limber.load("human"))
        >>> [problem.names[i] for i in problem.indices("spine")]
        ['spine.flexion', 'spine.lateral', 'spine.axial']
        """
        if isinstance(name, str) and name not in self._index:
            found = [i for i, known in enumerate(self.names) if known.startswith(f"{name}.") or fnmatch.fnmatchcase(known, name)]
            if found:
                return found
        return [self.index(name)]

    def set_active(self, name: str, active: bool) -> None:
        """Switches a variable off, so that it keeps its value, or on again; also all of a joint, of a group or of a pattern, as indices()
        finds them; "root" is a free root's six."""
        if name == "root":
            for number in range(len(self.figures)):
                _c.lb_problem_set_root_active(self._handle, number, int(bool(active)))
            return
        for index in self.indices(name):
            _c.lb_problem_set_active(self._handle, index, int(bool(active)))

    def set_rigidity(self, name: str, rigidity: float) -> None:
        """0 (free) to 1 (does not move) for a variable, or all that indices() finds."""
        for index in self.indices(name):
            _c.lb_problem_set_rigidity(self._handle, index, rigidity)

    def wish_posture(self, pose: Any = None, weight: float = 1.0) -> None:
        """Wishes that the answer is near a pose (None: rest), as far as the goals allow; weight 0 takes it back.

        >>> import limber
        >>> problem = limber.Problem(limber.load("panda"), {"link7": [0.4, 0.2, 0.5]})
        >>> problem.wish_posture(weight=0.1)
        >>> problem.solve().solved
        True
        """
        _c.lb_problem_set_posture(self._handle, None if pose is None else self.pose(pose), weight)

    def wish_stay(self, weight: float = 1.0) -> None:
        """Wishes that the answer is near the start pose."""
        _c.lb_problem_set_stay(self._handle, weight)

    def wish_margin(self, margin: float, weight: float = 1.0) -> None:
        """Wishes that all variables are so far (radians, metres) from the ends of their ranges."""
        _c.lb_problem_set_margin(self._handle, margin, weight)

    def wish_middle(self, weight: float = 1.0) -> None:
        """Wishes that all variables are in the middle of their ranges, as shares of half the range.

        >>> import limber
        >>> problem = limber.Problem(limber.load("panda"), {"link7": [0.4, 0.2, 0.5]})
        >>> problem.wish_middle(0.1)
        >>> problem.solve().solved
        True
        """
        _c.lb_problem_set_middle(self._handle, weight)

    def wish_manipulability(self, weight: float = 1.0) -> None:
        """Wishes that end-effectors can move well: weight times the sum of 1 / manipulability over the goals, below all goals.

        Of the poses that meet the goals it searches those that self-motion leads to, and with restarts those of other starts.

        >>> import limber
        >>> place = [0.4, 0.2, 0.5, 1, 0, 0, 0]
        >>> problem = limber.Problem(limber.load("panda"), {"link7": place})
        >>> before = problem.solve().measures[0].manipulability
        >>> problem.wish_manipulability()
        >>> problem.solve().measures[0].manipulability >= before
        True
        """
        _c.lb_problem_set_manipulability(self._handle, weight)

    def set_wish_level(self, level: str) -> None:
        """ "own": wishes cost no goal anything (the default); "goals": they compete with the lowest priority's goals."""
        _c.lb_problem_set_wish_level(self._handle, level)

    # --- Bodies -------------------------------------------------------------------------------------------------------

    def pose_as_body(self, figure: int = 0, *, feet: Mapping[str, str] | float | None = None,
                     surfaces: Mapping[str, Any] | None = None, supports: Mapping[str, str | None] | None = None,
                     loads: Mapping[str, Any] | None = None, obstacles: Mapping[str, Any] | None = None,
                     swivels: Mapping[str, Any] | None = None, **options: Any) -> None:
        """Poses a figure as a person: limits, floor, balance and self-avoidance hold, goals come next, and of what is left
        the pose that people take.

        feet: "left" or "right" to "auto", "planted", "step" or "lifted". surfaces: names to (point) or (point, half sizes
        along x and y), or to a mapping of the fields of lb_surface (point, half_size, normal, along, thickness). obstacles:
        names to limber.sphere, capsule or box. swivels: joints in the middle of a limb ("right_elbow") to a direction, or to
        "up", "down", "out", "in", "forward", "back". supports: contacts of the body ("left_palm", "right_sit_bone") to a surface's name, or None for the
        floor. loads: segments or sites to kilograms. Further keywords are the fields of lb_body_options: posture, comfort,
        effort, hang, head, look, feet (weights, 1 unless told; 0: off), balance, above_floor, apart, eyes,
        drives (rules), floor.

        >>> import limber
        >>> human = limber.load("human")
        >>> problem = limber.Problem(human, {"right_palm": [0.4, -0.2, 1.2]})
        >>> problem.pose_as_body(loads={"right_hand": 5}, feet={"left": "planted"})
        >>> problem.solve().solved
        True
        """
        owner = self._figure(figure)
        number = self.figures.index(owner)
        body = _c.lb_figure_body(owner._handle)
        if body is None:
            raise ArgumentError(f"{owner.name} has no body: limber.load('human') has one", "unsupported")
        given = {key: int(value) if isinstance(value, bool) else value for key, value in options.items()}
        struct = options_of("lb_body_options", given)
        contacts = body._list("contacts", body.contact_count)
        if isinstance(feet, (int, float)):  # the weight of the term of that name
            struct.feet = feet
        elif feet is not None and not isinstance(feet, Mapping):
            raise ArgumentError(f"feet is a mapping of left and right, or a weight, not {feet!r}")
        elif feet:
            modes = list(struct.feet_modes)
            for name, mode in feet.items():
                modes[_limb_of(contacts, name)] = mode
            try:
                struct.feet_modes = modes
            except (TypeError, ValueError) as error:
                raise ArgumentError(f"feet: {error}") from error
        for value in (surfaces, supports, loads, obstacles, swivels):
            if value is not None and not isinstance(value, Mapping):
                raise ArgumentError(f"surfaces, supports, loads, obstacles and swivels are mappings of names, not {value!r}")
        names = list(surfaces or {})
        if surfaces:
            found = [_surface_of(name, value) for name, value in surfaces.items()]  # which keep their names
            struct.surfaces, struct.surface_count = b"".join(surface._raw() for surface in found), len(found)
        if supports:
            raw = b""
            for contact, surface in supports.items():
                support = _c.Struct("lb_support")
                support.contact = _find(contacts, contact, "contact")
                if surface is not None and surface not in names:
                    raise UnknownNameError(f"there is no surface {surface!r}{similar(surface, names)}", "name")
                support.surface = -1 if surface is None else names.index(surface)
                raw += support._raw()
            struct.supports, struct.support_count = raw, len(supports)
        if loads:
            raw = b"".join(_load_of(owner, name, value)._raw() for name, value in loads.items())
            struct.loads, struct.load_count = raw, len(loads)
        if obstacles:
            things = [_obstacle_of(name, shape) for name, shape in obstacles.items()]
            struct.obstacles, struct.obstacle_count = b"".join(thing._raw() for thing in things), len(things)
        if swivels:
            raw = b"".join(_swivel_of(owner, joint, value)._raw() for joint, value in swivels.items())
            struct.swivels, struct.swivel_count = raw, len(swivels)
        _c.lb_problem_set_body(self._handle, number, struct)
        self._has_body = True

    def set_habit(self, habit: Habit | None, figure: int = 0) -> None:
        """Gives the body of a figure a habit, how people were seen to pose (docs/habit.md); None takes it back. Its weight is the
        keyword `habit` of pose_as_body().

        >>> import limber
        >>> human = limber.load("human")
        >>> problem = limber.Problem(human, {"right_palm": [0.4, -0.2, 1.2]}, body=True)
        >>> problem.set_habit(limber.load_habit("human", human))
        >>> problem.solve().solved
        True
        """
        if habit is not None and not isinstance(habit, Habit):
            raise ArgumentError(f"a habit is made by limber.load_habit, not {habit!r}")
        _c.lb_problem_set_habit(self._handle, self._number(figure), None if habit is None else habit._handle)

    def clear_body(self, figure: int = 0) -> None:
        """Takes that back."""
        _c.lb_problem_clear_body(self._handle, self._number(figure))
        self._has_body = False

    # --- Collisions ---------------------------------------------------------------------------------------------------

    def avoid(self, *, itself: bool = True, world: Any = None, solids: Any = None, srdf: str | os.PathLike[str] | None = None,
              touching: Iterable[Any] = (), margin: float = 0.0, samples: int = 2000, seed: int = 1, **options: Any) -> None:
        """Keeps the figures apart from themselves and each other (`itself`), and from what stands around (docs/collisions.md).

        world: the path of a world file, or a mapping as in one. solids: a mapping of names to limber.box, sphere, capsule, cylinder,
        hull, mesh or floor, or a list of mappings as in a world file. srdf: the path of a file that says which links may touch.
        touching: pairs of names that may. margin: metres to be kept. Further keywords are the fields of lb_load_options (packages).
        What was set before is replaced. near() has the distances.

        >>> import limber
        >>> problem = limber.Problem(limber.load("panda"), {"tool": [0.4, 0.1, 0.3]})
        >>> problem.avoid(solids={"ground": limber.floor([0, 0, -0.1])}, margin=0.01)
        >>> problem.solve().solved
        True
        """
        more: dict[str, Any] = {"margin": margin, "samples": samples, "seed": seed}
        if srdf is not None:
            more["srdf"] = os.path.abspath(os.fspath(srdf))
        collisions.read(self._handle, itself, world, solids, touching, more, {"warn": warn, "models": str(MODELS), **options})

    def avoid_nothing(self) -> None:
        """Takes back what avoid() set."""
        _c.lb_problem_set_collisions(self._handle, None)

    def near(self, pose: Any = None, within: float = 0.1) -> list[collisions.Pair]:
        """The pairs that avoid() keeps apart and that are less than `within` metres apart in a pose (the start unless told), the nearest
        first.

        >>> import limber
        >>> problem = limber.Problem(limber.load("panda"))
        >>> problem.avoid(solids={"wall": limber.box([0.4, 0, 0.5], [0.01, 1, 1])})
        >>> [(pair.a, pair.b, round(pair.distance, 3)) for pair in problem.near(within=0.05)]
        [('link5', 'link7', 0.018), ('link6', 'wall', 0.035), ('link7', 'wall', 0.039)]
        """
        if _c.lb_problem_collisions(self._handle) is None:
            raise ArgumentError("nothing is kept apart yet: call avoid()")
        found = _c.near_pairs(self.solver()._engine.solver(), self.pose(self.start if pose is None else pose), float(within))
        return [collisions.pair_of(pair) for pair in found]

    # --- Solving ------------------------------------------------------------------------------------------------------

    def solver(self, **options: Any) -> Solver:
        """A kept Solver for this problem; the keywords are options of solving, as for limber.solve."""
        from .solving import Solver

        return Solver(self, **options)

    def solve(self, start: Any = None, **options: Any) -> Solution:
        """Solves it from a start pose (the problem's unless told), and says why where it is not solved: a Solution.

        >>> import limber
        >>> problem = limber.Problem(limber.load("panda"), {"link7": [3, 0, 0.5]})
        >>> problem.solve().outcome
        'minimum'
        """
        from .solving import DEFAULTS, Solver

        if self._engine is None or options or self._engine[0] != self._has_body:
            solver = Solver(self, **{**({} if self._has_body else DEFAULTS), **options})
            if not options:
                self._engine = (self._has_body, solver._engine)
        else:
            solver = Solver(self, _engine=self._engine[1])
        solution = solver.solve(self.start if start is None else start)
        is_told = solution.outcome == "minimum" or (self._has_body and not solution.solved)
        return solver.explain() if is_told else solution

    def solve_all(self, wanted: int = 8, apart: float = 0.01, start: Any = None, **options: Any) -> list[Solution]:
        """Several distinct answers, the nearest to the start first.

        >>> import limber
        >>> arm = limber.load("ur5")
        >>> goal = arm.where("wrist3", arm.random_pose(3))
        >>> len(limber.Problem(arm, {"wrist3": goal}).solve_all(wanted=3, restarts=100)) >= 2
        True
        """
        return self.solver(**{"restarts": 100, **options}).solve_all(self.start if start is None else start, wanted, apart)

    def render(self, pose: Any = None, **options: Any) -> Picture:
        """A picture of all figures in a pose of the problem (the start unless told)."""
        from .picture import render

        return render(list(zip(self.figures, self.split(self.start if pose is None else pose))), **options)

    # --- Files --------------------------------------------------------------------------------------------------------

    def dumps(self, start: Any = None, figures: Iterable[str] | None = None) -> str:
        """The problem as a problem file's text (docs/problem-files.md). `figures` are the paths, or models' names, that its
        figures will be read from: their own names unless told. Custom goals cannot be written.

        >>> import limber
        >>> problem = limber.Problem(limber.load("panda"), {"link7": [0.4, 0.2, 0.5]})
        >>> '"effector"' in problem.dumps()
        True
        """
        files = [figure.name for figure in self.figures] if figures is None else list(figures)
        if len(files) != len(self.figures) or not all(isinstance(name, str) and name and "\n" not in name for name in files):
            raise ArgumentError(f"figures has a path for each of the {len(self.figures)} figures, not {files!r}")
        pose = self.pose(self.start if start is None else start)
        return _c.lb_problem_save_memory(self._handle, "\n".join(files), pose, self.options).decode()

    def save(self, path: str | os.PathLike[str], start: Any = None) -> None:
        """Writes a problem file. One that load_problem has read names its figures as it did; of one that was made here, they
        are written beside it, as "STEM.FIGURE.fig".

        >>> import limber, os, tempfile
        >>> problem = limber.Problem(limber.load("panda"), {"link7": [0.4, 0.2, 0.5]})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     problem.save(os.path.join(folder, "reach.json"))
        ...     print(sorted(os.listdir(folder)), limber.load_problem(os.path.join(folder, "reach.json")))
        ['reach.json', 'reach.panda.fig'] Problem(panda, 1 goal)
        """
        if self._file is not None and self._has_files:
            _c.lb_problem_save(self._file, self.pose(self.start if start is None else start), None, os.fspath(path))
            return
        stem = os.path.splitext(os.path.basename(os.fspath(path)))[0]
        names = [f"{stem}.{number}-{figure.name}.fig" if len(self.figures) > 1 else f"{stem}.{figure.name}.fig"
                 for number, figure in enumerate(self.figures)]
        names = [name.replace("/", "-") for name in names]
        text = self.dumps(start, names)
        folder = os.path.dirname(os.fspath(path))
        for name, figure in zip(names, self.figures):
            figure.save(os.path.join(folder, name))
        _write(os.fspath(path), text.encode())

    def _file_is_gone(self) -> None:
        """What it was read from is not there any more: save() then writes all of it."""
        self._has_files = False


def _write(path: str, data: bytes) -> None:
    """Beside the file, then in its place: what was there stays until all of the new is."""
    beside = f"{path}.{os.getpid()}.new"
    try:
        with open(beside, "wb") as file:
            file.write(data)
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


def goal_at(name: Any, place: Any) -> Goal:
    """The goal for a name and a place: a position, or a frame."""
    frames = np.empty((1, 7))
    found = read(place, frames, 0)
    return at(name, frames[0, :3]) if found == 1 else frame(name, frames[0])


def _limb_of(contacts: Any, name: str) -> int:
    for kind in ("heel", "ball"):  # feet of robots have no heels
        for contact in contacts:
            if contact.kind == kind and contact.limb >= 0 and isinstance(name, str) and contact.name.startswith(name):
                return int(contact.limb)
    heels = [contact.name.removesuffix("_heel") for contact in contacts if contact.kind in ("heel", "ball")]
    raise UnknownNameError(f"there is no foot {name!r}{similar(name, heels)}", "name")


def _find(parts: Any, name: str, what: str) -> int:
    names = [part.name for part in parts]
    if name not in names:
        raise UnknownNameError(f"there is no {what} {name!r}{similar(name, names)}", "name")
    return names.index(name)


def _surface_of(name: str, value: Any) -> Any:
    if not isinstance(value, Mapping):
        point, half = value if isinstance(value, tuple) and len(value) == 2 else (value, (np.inf, np.inf))
        value = {"point": numbers(point, (3,), "the middle of a surface"), "half_size": half}
    return options_of("lb_surface", {"half_size": (np.inf, np.inf), **value, "name": name})


def _obstacle_of(name: str, shape: Any) -> Any:
    if not isinstance(shape, Shape) or shape.kind not in ("sphere", "capsule", "box"):
        raise ArgumentError(f"an obstacle is a limber.sphere, capsule or box, not {shape!r}")
    values = shape.values
    given = {"name": name, "kind": shape.kind, "point": values["point"]}
    if shape.kind == "box":
        given.update(half_size=values["size"], rotation=values["rotation"])
    else:
        given["radius"] = values["size"][0]
    if shape.kind == "capsule":
        reach = np.array(_axes(values["rotation"])[2]) * values["size"][1]
        given.update(point=np.array(values["point"]) - reach, to=np.array(values["point"]) + reach)
    return options_of("lb_obstacle", given)


def _swivel_of(figure: Figure, joint: str, value: Any) -> Any:
    swivel = _c.Struct("lb_swivel")
    if not isinstance(joint, str) or _c.lb_figure_find_joint(figure._handle, joint) < 0:
        raise UnknownNameError(f"there is no joint {joint!r}{similar(joint, [known.name for known in figure.joints])}", "name")
    if isinstance(value, str):
        _c.lb_swivel_side(figure._handle, joint, value, swivel)
    else:
        _c.lb_swivel_at(figure._handle, joint, numbers(value, (3,), "the direction of a swivel"), swivel)
    return swivel


def _load_of(figure: Figure, name: str, value: Any) -> Any:
    segment, site = figure.place(name)
    load = _c.Struct("lb_load")
    load.segment = segment
    mass, point = value if isinstance(value, tuple) else (value, None)
    if point is not None:
        load.point = numbers(point, (3,), "where a load is")
    elif site >= 0:
        load.point = _c.lb_figure_site(figure._handle, site).frame.position
    else:
        load.point = _c.lb_figure_segment(figure._handle, segment).com
    load.mass = mass
    return load


def load_problem(path: str | os.PathLike[str], **options: Any) -> Problem:
    """Reads a problem file (docs/problem-files.md) with its figures.

    The problem has what the file says of solving in `options`, and its `title`; limber.motion_of() has what moves in it.

    >>> import limber, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "reach.json")
    ...     limber.Problem(limber.load("panda"), {"link7": [0.4, 0.2, 0.5]}).save(path)
    ...     limber.load_problem(path).solve()
    <Solution of panda, solved: joint1=..., ...>
    """
    file = _c.lb_problem_load(os.fspath(path), options_of("lb_load_options", {"warn": warn, "models": str(MODELS), **options}))
    return _from_file(file)


def loads_problem(text: str | bytes, name: str = "memory", **options: Any) -> Problem:
    """Reads a problem from the text of a problem file, as Problem.dumps() gives it. Its figures can only be models that come with the
    package, or chain:N.

    >>> import limber
    >>> problem = limber.Problem(limber.load("panda"), {"link7": [0.4, 0.2, 0.5]})
    >>> limber.loads_problem(problem.dumps()).goals
    {1: Goal('link7' at (0.4, 0.2, 0.5))}
    """
    data = text.encode() if isinstance(text, str) else text
    return _from_file(_c.lb_problem_load_memory(data, name, options_of("lb_load_options", {"warn": warn, "models": str(MODELS), **options})))


def _from_file(file: Any) -> Problem:
    problem = Problem.__new__(Problem)
    problem._handle = _c.lb_problem_file_problem(file)
    count = _c.lb_problem_figure_count(problem._handle)
    problem.figures = tuple(Figure(_c.lb_problem_figure(problem._handle, i)) for i in range(count))
    problem._setup()
    problem._file = file
    problem._has_body = any(_c.lb_problem_body(problem._handle, i) is not None for i in range(count))
    problem.start = np.frombuffer(_c.file_start(file), dtype=np.float64).copy()
    problem.title = _c.lb_problem_file_title(file)
    problem.options = _c.Struct("lb_solve_options")
    _c.lb_problem_file_options(file, problem.options)
    return problem
