"""Goals: what a figure should touch, face, hold, avoid and balance on.

Each function makes a Goal, to be given to limber.Problem or limber.solve. An effector is the name of a site, a segment (of a
robot: a link) or "com", the centre of mass. All of them take these keywords:

    weight      how much it counts; 1 unless told
    priority    0 is the highest level; a lower level (a larger number) never makes a higher one worse
    tolerance   metres that count as met, one number or three; 1e-5 unless told
    tolerance_rad   the same of directions, radians
    chain       the joint that what moves begins with: only joints from this one outwards move for this goal
    relative_to     a segment (or (figure, segment)) that carries the goal: all places are in its frame
    figure      number of the figure, where a problem has several
    name        for messages; the effector's unless told
    radius, half_length     the effector as a ball or capsule (along its x axis), for half_space, outside and avoid
    offset      not the effector's origin but this point in its frame, metres
    axis        the effector's axis that is meant where x is said below: "x", "y", "z", "-x", "-y" or "-z"
    degrees_per_metre   how many degrees of error count as much as a metre; 180 unless told
    position_weight     of frame(): how much its position counts, the orientation having the rest of 1; 0.5 unless told

>>> import limber
>>> limber.at("hand", [0.4, 0, 0.5], weight=2)
Goal('hand' at (0.4, 0, 0.5), weight=2)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from . import _limber as _c
from .errors import ArgumentError, similar
from .frames import as_frame, numbers

__all__ = ["Goal", "AnyOf", "Shape", "at", "frame", "turned", "aim", "line", "plane", "half_space", "above", "below", "circle",
           "disc", "inside", "outside", "avoid", "balance", "keep", "any_of", "custom", "box", "sphere", "capsule", "polyhedron"]

_COMMON = ("weight", "priority", "tolerance", "tolerance_rad", "chain", "relative_to", "figure", "name", "radius", "half_length", "offset", "axis",
           "degrees_per_metre", "position_weight")
AXES = ("x", "y", "z", "-x", "-y", "-z")


@dataclass(frozen=True, eq=False, slots=True)
class Goal:
    """An effector, where it should be, and how much that counts. Made by at(), frame() and the others."""

    effector: str
    kind: str
    values: dict[str, Any]
    common: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    function: Callable[..., Any] | None = None
    raw: bytes | None = None  # of a goal that was read from a problem: the effector as the C library has it

    def __repr__(self) -> str:
        rest = "".join(f", {key}={value!r}" for key, value in self.common.items())
        return f"Goal({self.effector!r} {self.text or self.kind}{rest})"

    def but(self, **common: Any) -> Goal:
        """The same goal with other weights, priorities or tolerances.

        >>> import limber
        >>> limber.at("hand", [0, 0, 1]).but(priority=1)
        Goal('hand' at (0, 0, 1), priority=1)
        """
        return replace(self, common=_common({**self.common, **common}))


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Goals of which one is enough."""

    goals: tuple[Goal, ...]

    def __repr__(self) -> str:
        return f"any_of({', '.join(map(repr, self.goals))})"


@dataclass(frozen=True, slots=True)
class Shape:
    """A region: box(), sphere(), capsule(), polyhedron()."""

    kind: str
    values: dict[str, Any]
    text: str = ""

    def __repr__(self) -> str:
        return f"Shape({self.text or self.kind})"


def told(value: Any) -> str:
    """Numbers as a person would write them.

    >>> told((0.1 + 0.2, 1.0))
    '(0.3, 1)'
    """
    if isinstance(value, (tuple, list, np.ndarray)):
        return f"({', '.join(told(part) for part in value)})"
    return f"{value + 0.0:.6g}"


def _common(given: dict[str, Any]) -> dict[str, Any]:
    for key in given:
        if key not in _COMMON:
            raise TypeError(f"a goal has no {key!r}{similar(key, _COMMON)}")
    if given.get("axis") is not None and given["axis"] not in AXES:
        raise ArgumentError(f"an axis is one of {', '.join(AXES)}, not {given['axis']!r}")
    return given


def _goal(effector: Any, kind: str, values: dict[str, Any], common: dict[str, Any], text: str) -> Goal:
    if not isinstance(effector, str):
        raise ArgumentError(f"an effector is a name, not {effector!r}")
    return Goal(effector, kind, values, _common(common), text)


def _point(value: Any, what: str = "a position") -> tuple[float, ...]:
    return tuple(numbers(value, (3,), what).tolist())


def _unit(value: Any, what: str = "a direction") -> tuple[float, ...]:
    array = numbers(value, (3,), what)
    length = float(np.linalg.norm(array))
    if not 0 < length < np.inf:
        raise ArgumentError(f"{what} must not be zero")
    return tuple((array / length).tolist())


def _axes(rotation: Any) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    matrix = np.empty(9)
    _c.lb_rotation_to_matrix(np.ascontiguousarray(rotation, dtype=float), matrix)
    m = matrix.reshape(3, 3)
    return tuple(m[:, 0].tolist()), tuple(m[:, 1].tolist()), tuple(m[:, 2].tolist())


def _orientation(rotation: Any) -> tuple[float, ...]:
    return tuple(as_frame(([0, 0, 0], rotation))[3:].tolist())


def at(effector: str, position: Any, **common: Any) -> Goal:
    """The effector's origin at a position.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> limber.solve(arm, [limber.at("link7", [0.4, 0.1, 0.5])]).solved
    True
    """
    point = _point(position)
    return _goal(effector, "position", {"point": point}, common, f"at {told(point)}")


def frame(effector: str, place: Any, **common: Any) -> Goal:
    """The effector's frame at a place: a 4x4 matrix, or (position, quaternion).

    >>> import limber
    >>> limber.frame("hand", ([0.4, 0, 0.5], [0, 0, 0, 1]))
    Goal('hand' frame (0.4, 0, 0.5), (0, 0, 0, 1))
    """
    seven = as_frame(place)
    x, y, _ = _axes(seven[3:])
    point, turn = tuple(seven[:3].tolist()), tuple(seven[3:].tolist())
    return _goal(effector, "frame", {"point": point, "x": x, "y": y, "rotation": turn}, common, f"frame {told(point)}, {told(turn)}")


def turned(effector: str, rotation: Any = None, *, x: Any = None, y: Any = None, z: Any = None, **common: Any) -> Goal:
    """The effector's orientation alone: a quaternion or 3x3 matrix; or with x=, y= or z= where that axis points.

    >>> import limber
    >>> limber.turned("hand", z=[0, 0, -1])
    Goal('hand' turned z (0, 0, -1))
    """
    if rotation is not None:
        turn = _orientation(rotation)
        ax, ay, _ = _axes(turn)
        return _goal(effector, "orientation", {"x": ax, "y": ay}, common, f"turned {told(turn)}")
    given = [(key, value) for key, value in (("x", x), ("y", y), ("z", z)) if value is not None]
    if len(given) != 1:
        raise ArgumentError("give a rotation, or one of x=, y= and z=")
    key, value = given[0]
    direction = np.array(_unit(value))
    if key == "z":
        if common.get("axis") is not None:
            raise ArgumentError("z= names the axis already; axis= goes with x=")
        made = turned(effector, x=direction, axis="z", **common)
        common = {name: kept for name, kept in made.common.items() if name != "axis"}
        return replace(made, common=common, values={**made.values, "axis": "z"}, text=f"turned z {told(direction)}")
    side = np.cross(direction, [0, 0, 1.0] if abs(direction[2]) < 0.9 else [1.0, 0, 0])
    side /= np.linalg.norm(side)
    values = {"x": direction, "y": side, "degrees_y": 0.0} if key == "x" else {"x": side, "y": direction, "degrees_x": 0.0}
    return _goal(effector, "orientation", values, common, f"turned {key} {told(direction)}")


def aim(effector: str, position: Any, **common: Any) -> Goal:
    """The effector's x axis (another one with axis=) points at a position: eyes, cameras, spouts.

    >>> import limber
    >>> limber.aim("gaze", [2, 0, 1.5])
    Goal('gaze' aims at (2, 0, 1.5))
    >>> limber.solve(limber.load("panda"), [limber.aim("link7", [1, 1, 1], axis="z")]).solved
    True
    """
    point = _point(position)
    return _goal(effector, "aim", {"point": point}, common, f"aims at {told(point)}")


def line(effector: str, position: Any, direction: Any, **common: Any) -> Goal:
    """On the line through a position, along a direction.

    >>> import limber
    >>> limber.line("hand", [0.4, 0, 0.5], [0, 1, 0])
    Goal('hand' on the line (0.4, 0, 0.5), (0, 1, 0))
    """
    point, along = _point(position), _unit(direction)
    return _goal(effector, "line", {"point": point, "normal": along}, common, f"on the line {told(point)}, {told(along)}")


def plane(effector: str, position: Any, normal: Any, **common: Any) -> Goal:
    """On the plane through a position, normal to a direction.

    >>> import limber
    >>> limber.plane("hand", [0, 0, 0.5], [0, 0, 1])
    Goal('hand' on the plane (0, 0, 0.5), (0, 0, 1))
    """
    point, along = _point(position), _unit(normal)
    return _goal(effector, "plane", {"point": point, "normal": along}, common, f"on the plane {told(point)}, {told(along)}")


def half_space(effector: str, position: Any, normal: Any, **common: Any) -> Goal:
    """On the side of a plane that its normal points to.

    >>> import limber
    >>> limber.half_space("elbow", [0, 0, 0.2], [0, 0, 1]).kind
    'half-space'
    """
    point, along = _point(position), _unit(normal)
    return _goal(effector, "half-space", {"point": point, "normal": along}, common, f"on the side {told(point)}, {told(along)}")


def above(effector: str, height: float, **common: Any) -> Goal:
    """Above a height, in metres.

    >>> import limber
    >>> limber.above("elbow", 0.2, radius=0.05)
    Goal('elbow' above 0.2, radius=0.05)
    """
    return replace(half_space(effector, [0, 0, height], [0, 0, 1], **common), text=f"above {told(float(height))}")


def below(effector: str, height: float, **common: Any) -> Goal:
    """Below a height, in metres.

    >>> import limber
    >>> limber.below("head", 1.2)
    Goal('head' below 1.2)
    """
    return replace(half_space(effector, [0, 0, height], [0, 0, -1], **common), text=f"below {told(float(height))}")


def _towards(normal: Any) -> tuple[float, ...]:
    """A rotation whose z axis is this one."""
    z = np.array(_unit(normal))
    x = np.cross([0, 1.0, 0] if abs(z[1]) < 0.9 else [1.0, 0, 0], z)
    x /= np.linalg.norm(x)
    out = np.empty(4)
    _c.lb_rotation_from_matrix(np.column_stack([x, np.cross(z, x), z]).ravel(), out)
    return tuple(out.tolist())


def _round(kind: str, effector: str, center: Any, radius: float, normal: Any, common: dict[str, Any]) -> Goal:
    point = _point(center)
    size = _sizes([radius], "a radius")
    return _goal(effector, kind, {"point": point, "rotation": _towards(normal), "size": (size[0], 0.0, 0.0)}, common,
                 f"on the {kind} {told(point)}, radius {told(size[0])}")


def circle(effector: str, center: Any, radius: float, normal: Any = (0, 0, 1), **common: Any) -> Goal:
    """On a circle.

    >>> import limber
    >>> limber.circle("hand", [0.4, 0, 0.5], 0.1)
    Goal('hand' on the circle (0.4, 0, 0.5), radius 0.1)
    """
    return _round("circle", effector, center, radius, normal, common)


def disc(effector: str, center: Any, radius: float, normal: Any = (0, 0, 1), **common: Any) -> Goal:
    """On the disc that a circle bounds.

    >>> import limber
    >>> limber.disc("hand", [0.4, 0, 0.5], 0.1)
    Goal('hand' on the disc (0.4, 0, 0.5), radius 0.1)
    """
    return _round("disc", effector, center, radius, normal, common)


# --- Regions ----------------------------------------------------------------------------------------------------------


def _sizes(values: Any, what: str) -> tuple[float, ...]:
    array = np.asarray(numbers(np.ravel(np.asarray(values, dtype=object)).tolist(), (None,), what))
    if (array < 0).any():
        raise ArgumentError(f"{what} must not be negative")
    return tuple(array.tolist())


def box(center: Any, half_sizes: Any, rotation: Any = (0, 0, 0, 1)) -> Shape:
    """A box: its middle, its half extents along x, y and z, and how it is turned.

    >>> import limber
    >>> limber.inside("hand", limber.box([0.5, 0, 0.5], [0.1, 0.1, 0.1]))
    Goal('hand' inside the box at (0.5, 0, 0.5), half sizes (0.1, 0.1, 0.1))
    """
    size = tuple(numbers(half_sizes, (3,), "half sizes").tolist())
    point = _point(center)
    return Shape("box", {"point": point, "size": _sizes(size, "half sizes"), "rotation": _orientation(rotation)},
                 f"box at {told(point)}, half sizes {told(size)}")


def sphere(center: Any, radius: float) -> Shape:
    """A ball.

    >>> import limber
    >>> limber.sphere([0.5, 0, 0.5], 0.1)
    Shape(sphere at (0.5, 0, 0.5), radius 0.1)
    """
    point, size = _point(center), _sizes([radius], "a radius")[0]
    return Shape("sphere", {"point": point, "size": (size, 0.0, 0.0)}, f"sphere at {told(point)}, radius {told(size)}")


def capsule(start: Any, end: Any, radius: float) -> Shape:
    """All points within a radius of a line segment.

    >>> import limber
    >>> limber.capsule([0, 0, 0], [0, 0, 1], 0.1).kind
    'capsule'
    """
    a, b = np.array(_point(start)), np.array(_point(end))
    length = float(np.linalg.norm(b - a))
    turn = _towards(b - a) if length > 0 else (0.0, 0.0, 0.0, 1.0)
    size = (_sizes([radius], "a radius")[0], length / 2, 0.0)
    return Shape("capsule", {"point": tuple(((a + b) / 2).tolist()), "rotation": turn, "size": size},
                 f"capsule from {told(a)} to {told(b)}, radius {told(size[0])}")


def polyhedron(faces: Any) -> Shape:
    """A convex region: all points where a x + b y + c z <= d for each face (a, b, c, d).

    >>> import limber
    >>> limber.polyhedron([[1, 0, 0, 0.5], [-1, 0, 0, 0.5]]).kind
    'polyhedron'
    """
    array = numbers(faces, (None, 4), "faces")
    return Shape("polyhedron", {"faces": array, "face_count": len(array)}, f"polyhedron of {len(array)} faces")


def _region(effector: str, shape: Any, is_outside: bool, common: dict[str, Any]) -> Goal:
    if not isinstance(shape, Shape) or shape.kind not in ("box", "sphere", "capsule", "polyhedron"):
        raise ArgumentError(f"a region is made by box, sphere, capsule or polyhedron, not {shape!r}")
    values = {**shape.values, "outside": int(is_outside)}
    return _goal(effector, shape.kind, values, common, f"{'outside' if is_outside else 'inside'} the {shape.text or shape.kind}")


def inside(effector: str, shape: Shape, **common: Any) -> Goal:
    """Inside a region.

    >>> import limber
    >>> limber.inside("hand", limber.sphere([0.4, 0, 0.5], 0.1))
    Goal('hand' inside the sphere at (0.4, 0, 0.5), radius 0.1)
    """
    return _region(effector, shape, False, common)


def outside(effector: str, shape: Shape, **common: Any) -> Goal:
    """Outside of a region.

    >>> import limber
    >>> limber.outside("hand", limber.sphere([0.4, 0, 0.5], 0.1), radius=0.03)
    Goal('hand' outside the sphere at (0.4, 0, 0.5), radius 0.1, radius=0.03)
    """
    return _region(effector, shape, True, common)


def avoid(effectors: str | Sequence[str], shape: Shape, radius: float = 0.05, **common: Any) -> list[Goal]:
    """Keeps several parts of a figure, each a ball of this radius, out of an obstacle.

    >>> import limber
    >>> len(limber.avoid(["link4", "link5"], limber.sphere([0.3, 0, 0.5], 0.1)))
    2
    """
    names = [effectors] if isinstance(effectors, str) else list(effectors)
    return [outside(name, shape, radius=radius, **common) for name in names]


def balance(points: Any, margin: float = 0.0, **common: Any) -> Goal:
    """The centre of mass over the convex hull of points (x, y; z does not count), so many metres inside.

    >>> import limber
    >>> limber.balance([[0, 0], [0.2, 0], [0.2, 0.3], [0, 0.3]])
    Goal('com' over 4 points)
    """
    array = np.asarray(points)
    if array.ndim == 2 and array.shape[1] == 2:
        array = np.column_stack([array, np.zeros(len(array))])
    corners = numbers(array, (None, 3), "points to stand on")
    faces = np.zeros((max(len(corners), 1), 4))
    constraint = _c.Struct("lb_constraint")
    _c.lb_constraint_balance(len(corners), corners, float(margin), faces, constraint)
    count = constraint.goal.face_count
    return _goal("com", "polyhedron", {"faces": faces[:count].copy(), "face_count": count}, common, f"over {len(corners)} points")


def keep(effector: str, pose: Any = None, **common: Any) -> Goal:
    """Holds a site or segment where it is in a pose, position and orientation; None: in the problem's start pose. A pin.

    >>> import limber
    >>> limber.keep("left_foot")
    Goal('left_foot' kept)
    """
    return _goal(effector, "keep", {"pose": pose}, common, "kept")


def any_of(*goals: Goal) -> AnyOf:
    """One of these is enough: the solve chooses.

    >>> import limber
    >>> len(limber.any_of(limber.at("hand", [0, 0, 1]), limber.at("hand", [0, 1, 0])).goals)
    2
    """
    found = tuple(goals[0]) if len(goals) == 1 and isinstance(goals[0], (list, tuple)) else goals
    if not found or not all(isinstance(goal, Goal) for goal in found):
        raise ArgumentError("any_of takes goals")
    return AnyOf(found)


def effector_of(figure: Any, goal: Goal) -> Any:
    """The C library's end-effector for a goal: of its name, with its offset and axis."""
    if goal.raw is not None:
        return _c.Struct("lb_effector", goal.raw)
    effector = _c.Struct("lb_effector")
    _c.lb_figure_find_effector(figure._handle, goal.effector, effector)
    offset, axis = goal.common.get("offset"), goal.values.get("axis") or goal.common.get("axis")
    x, y = np.array(effector.x), np.array(effector.y)
    frame = np.column_stack([x, y, np.cross(x, y)])
    if offset is not None:
        effector.point = np.array(effector.point) + frame @ numbers(offset, (3,), "an offset")
    if axis is not None:
        turned_ = AXES.index(axis) % 3
        effector.x = frame[:, turned_] * (-1.0 if axis[0] == "-" else 1.0)
        effector.y = frame[:, (turned_ + 1) % 3]
    return effector


def goal_of(figure: Any, constraint: Any) -> Goal:
    """The goal that a constraint of the C library is."""
    inner, kind = constraint.goal, constraint.goal.kind
    values: dict[str, Any] = {name: getattr(inner, name) for name in (
        "point", "x", "y", "normal", "rotation", "size", "outside", "degrees_x", "degrees_y", "weight_position", "weight_orientation")}
    if inner.face_count:
        values.update(faces=np.frombuffer(inner._bytes("faces", 32 * inner.face_count)).reshape(-1, 4).copy(), face_count=inner.face_count)
    common = {name: value for name, value, usual in (
        ("weight", constraint.weight, 1.0), ("priority", constraint.priority, 0), ("radius", constraint.radius, 0.0),
        ("half_length", constraint.half_length, 0.0), ("figure", constraint.figure, 0), ("tolerance", constraint.tolerance, (1e-5,) * 3),
        ("tolerance_rad", constraint.tolerance_rad, 1e-5)) if value != usual}
    name = _name_of(figure, constraint.effector)
    if constraint.name and constraint.name != name:
        common["name"] = constraint.name
    if constraint.chain_start >= 0:
        common["chain"] = figure.joints[constraint.chain_start].name
    if inner.carrier_segment >= 0:
        common["relative_to"] = (inner.carrier_figure, inner.carrier_segment)
    return Goal(name, kind, values, common, _text_of(inner, values), raw=constraint.effector._raw())


def _name_of(figure: Any, effector: Any) -> str:
    """The site or segment that an end-effector is; of one that is none of them, the segment that it is on."""
    if effector.kind == "com":
        return "com"
    if effector.segment >= _c.lb_figure_segment_count(figure._handle):
        return "loop"
    wanted, found = effector._raw(), _c.Struct("lb_effector")
    _c.lb_effector_from_segment(figure._handle, effector.segment, found)
    if found._raw() != wanted:
        for site in range(_c.lb_figure_site_count(figure._handle)):
            _c.lb_effector_from_site(figure._handle, site, found)
            if found._raw() == wanted:
                return _c.lb_figure_site(figure._handle, site).name
    return _c.lb_figure_segment(figure._handle, effector.segment).name


def _text_of(inner: Any, values: dict[str, Any]) -> str:
    kind, point = inner.kind, told(inner.point)
    if kind in ("box", "sphere", "capsule", "polyhedron"):
        where = f"of {inner.face_count} faces" if kind == "polyhedron" else f"at {point}, size {told(inner.size)}"
        return f"{'outside' if inner.outside else 'inside'} the {kind} {where}"
    texts = {"position": f"at {point}", "frame": f"frame {point}, {told(inner.rotation)}", "aim": f"aims at {point}", "custom": "by a function",
             "line": f"on the line {point}, {told(inner.normal)}", "plane": f"on the plane {point}, {told(inner.normal)}",
             "half-space": f"on the side {point}, {told(inner.normal)}"}
    if kind in ("circle", "disc"):
        return f"on the {kind} {point}, radius {told(inner.size[0])}"
    if kind == "orientation":
        parts = [f"{name} {told(values[name])}" for name in ("x", "y") if values[f"degrees_{name}"]]
        return f"turned {', '.join(parts)}"
    return texts.get(kind, kind)


def custom(effector: str, function: Callable[[Any], Any], **common: Any) -> Goal:
    """Where a function of your own is zero: P(e) >= 0 of e = (position, x axis, y axis), nine numbers in the world.

    The function returns P, or (P, gradient) with 3 numbers (by the position) or 9. Without a gradient it is called 18 more
    times for differences. It is met where P <= tolerance^2. It runs in the thread that solves; its exceptions come through.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> def height(e):                          # 0.5 m above the floor
    ...     return (e[2] - 0.5) ** 2, [0, 0, 2 * (e[2] - 0.5)]
    >>> limber.solve(arm, [limber.custom("link7", height)]).solved
    True
    """
    if not callable(function):
        raise ArgumentError(f"custom takes a function, not {function!r}")
    return replace(_goal(effector, "custom", {}, common, "by a function"), function=function)


def potential_of(function: Callable[[Any], Any]) -> Callable[[bytes], bytes]:
    """The function as the module in C calls it: the bytes of nine numbers in, of P and its gradient out."""

    def value_of(e: Any) -> float:
        found = function(e)
        return float(found[0]) if isinstance(found, tuple) else float(found)

    def potential(raw: bytes) -> bytes:
        e = np.frombuffer(raw, dtype=np.float64).copy()
        found = function(e.copy())
        out = np.zeros(10)
        if isinstance(found, tuple):
            out[0] = found[0]
            gradient = np.asarray(found[1], dtype=np.float64)
            if gradient.shape not in ((3,), (9,)):
                raise ArgumentError(f"a gradient has 3 or 9 numbers, not shape {gradient.shape}")
            out[1:1 + len(gradient)] = gradient
        else:
            out[0] = found
            for i in range(9):
                step = np.zeros(9)
                step[i] = 1e-6
                out[1 + i] = (value_of(e + step) - value_of(e - step)) / 2e-6
        if not np.isfinite(out).all() or out[0] < 0:
            raise ArgumentError(f"a custom goal returned {out[0]}: it must be a finite number >= 0 with a finite gradient")
        return out.tobytes()

    return potential
