"""Building figures part by part, and changing them: limber.Builder.

>>> import limber
>>> builder = limber.Builder("crane")
>>> builder.segment("tower")
>>> builder.segment("boom", mass=20, com=[0.5, 0, 0])
>>> builder.joint("swing", "tower", "boom", "R(z)", at=[0, 0, 2], lower=-1, upper=1)
>>> builder.site("hook", "boom", [1, 0, 0])
>>> crane = builder.finish()
>>> crane
Figure('crane', 1 variables, 2 segments, 3 sites)
>>> limber.solve(crane, {"hook": [0.8, 0.6, 2]}).q.round(4)
array([0.6435])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _limber as _c
from .errors import ArgumentError, UnknownNameError, similar
from .figure import Figure
from .frames import as_frame, numbers
from .goals import Shape, _axes

__all__ = ["Builder"]


class Builder:
    """The parts of a figure to be. Begin with a name, or with all parts of a Figure; finish() checks them and makes a Figure, and
    the builder can go on from there. Parts are named: sites are "segment.site", or "site" where one segment has it.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> builder = limber.Builder(arm)                             # the same arm
    >>> builder.freeze("joint3")                                  # whose third joint is held
    >>> builder.site("pen", "link7", [0, 0, 0.2])                 # and that holds a pen
    >>> builder.finish()
    Figure('panda', 6 variables, 8 segments, 18 sites)
    """

    def __init__(self, start: Figure | str = "figure"):
        if isinstance(start, Figure):
            self._handle = _c.lb_builder_from(start._handle)
        elif isinstance(start, str):
            self._handle = _c.lb_builder_create()
            _c.lb_builder_set_name(self._handle, start)
        else:
            raise ArgumentError(f"a builder begins with a name or a Figure, not {start!r}")

    def __repr__(self) -> str:
        h = self._handle
        return f"Builder({_c.lb_builder_segment_count(h)} segments, {_c.lb_builder_joint_count(h)} joints, {_c.lb_builder_site_count(h)} sites)"

    # --- Finding parts ------------------------------------------------------------------------------------------------

    @property
    def segments(self) -> list[str]:
        """The names of the segments."""
        return [_c.lb_builder_segment(self._handle, i).name for i in range(_c.lb_builder_segment_count(self._handle))]

    @property
    def joints(self) -> list[str]:
        """The names of the joints."""
        return [_c.lb_builder_joint(self._handle, i).name for i in range(_c.lb_builder_joint_count(self._handle))]

    def _segment(self, name: Any) -> int:
        found = _c.lb_builder_find_segment(self._handle, name) if isinstance(name, str) else -1
        if found < 0:
            raise UnknownNameError(f"there is no segment {name!r}{similar(name, self.segments)}", "name")
        return found

    def _joint(self, name: Any) -> int:
        found = _c.lb_builder_find_joint(self._handle, name) if isinstance(name, str) else -1
        if found < 0:
            raise UnknownNameError(f"there is no joint {name!r}{similar(name, self.joints)}", "name")
        return found

    def _site(self, name: Any) -> int:
        """A site by name: "segment.site", or "site" alone where one segment has it."""
        text = name if isinstance(name, str) else ""
        segment, dot, site = text.rpartition(".")
        if dot and _c.lb_builder_find_segment(self._handle, segment) >= 0:
            found = _c.lb_builder_find_site(self._handle, _c.lb_builder_find_segment(self._handle, segment), site)
            if found >= 0:
                return found
        all = [_c.lb_builder_site(self._handle, i) for i in range(_c.lb_builder_site_count(self._handle))]
        there = [i for i, part in enumerate(all) if part.name == text]
        if len(there) != 1:
            segments = self.segments
            known = [f"{segments[part.segment]}.{part.name}" for part in all]
            many = f"several segments have a site {name!r}: say which one" if there else f"there is no site {name!r}"
            raise UnknownNameError(f"{many}{similar(name, known)}", "name")
        return there[0]

    def _dof(self, name: Any) -> Any:
        ref = _c.Struct("lb_dof_ref")
        if not isinstance(name, str):
            raise ArgumentError(f"a dof is named as 'elbow', 'hip.rx' or 'spine.flexion', not {name!r}")
        try:
            _c.lb_builder_find_dof(self._handle, name, ref)
        except UnknownNameError:
            raise UnknownNameError(f"there is no dof or parameter {name!r}{similar(name, self.joints)}", "name") from None
        return ref

    # --- Adding parts -------------------------------------------------------------------------------------------------

    def stature(self, metres: float) -> None:
        """The standing height that the figure is made for; limber.load scales to another."""
        _c.lb_builder_set_stature(self._handle, _number(metres, "a stature"))

    def segment(self, name: str, mass: float = 0.0, com: Any = (0, 0, 0)) -> None:
        """Adds a rigid part, a robot's link: its mass (kg) and its centre of mass in its own frame."""
        part = _c.Struct("lb_segment")
        part.name, part.mass, part.com = _text(name), _number(mass, "a mass"), numbers(com, (3,), "a centre of mass")
        _c.lb_builder_add_segment(self._handle, part)

    def site(self, name: str, segment: str, place: Any = (0, 0, 0)) -> None:
        """Adds a named frame to a segment, at a place in the segment's frame."""
        part = _c.Struct("lb_site")
        frame = as_frame(place)
        part.name, part.segment = _text(name), self._segment(segment)
        part.frame.position, part.frame.rotation = frame[:3], frame[3:]
        _c.lb_builder_add_site(self._handle, part)

    def shape(self, segment: str, shape: Shape, color: int = -1) -> None:
        """Gives a segment a limber.sphere, capsule or box, in the segment's frame, for pictures and for avoidance of itself. `color` is
        0xRRGGBB; the picture chooses unless told.

        >>> import limber
        >>> builder = limber.Builder("ball")
        >>> builder.segment("ball")
        >>> builder.shape("ball", limber.sphere([0, 0, 0.2], 0.2), 0xcc2200)
        >>> builder.finish().shapes
        (SegmentShape(segment='ball', kind='sphere', place=(0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 1.0), size=(0.2,), color=13378048),)
        """
        if not isinstance(shape, Shape) or shape.kind not in ("sphere", "capsule", "box"):
            raise ArgumentError(f"a segment has a limber.sphere, capsule or box, not {shape!r}")
        part = _c.Struct("lb_shape")
        values = shape.values
        part.kind, part.segment, part.color = shape.kind, self._segment(segment), _whole(color, "a color")
        part.frame.position, part.frame.rotation = values["point"], values.get("rotation", (0, 0, 0, 1))
        size = values["size"]
        part.size = (size[0], size[1], size[0]) if shape.kind == "capsule" else size
        _c.lb_builder_add_shape(self._handle, part)

    def joint(self, name: str, parent: str, child: str, type: str = "pin", *, at: Any = None, child_at: Any = None, **options: Any) -> None:
        """Joins two segments. `parent` and `child` are sites ("segment.site"), or segments: the joint then sits at the places `at`
        and `child_at` in their frames, and sites with its name are made there. `type` is a name (pin, universal, ball, sliding,
        fixed, floating, ...) or a spelling as R(z)*R(x)*T(y), swing_twist(z).

        The keywords are one number, or one for each dof: lower, upper, rest, rigidity, velocity, acceleration, effort,
        soft_lower, soft_upper; dof_names are
        texts; swing is a polygon [n, 2] that limits the swing of a swing_twist, or the half angle of a cone, radians.
        """
        part = self._joint_struct(name, 0, 0, type, options)
        if _c.lb_builder_find_joint(self._handle, name) >= 0:
            raise ArgumentError(f"there is a joint {name!r} already")
        for side, place in ((parent, at), (child, child_at)):  # before anything is added
            self._see_side(side, place)
        part.site_a, part.site_b = self._side(name, parent, at), self._side(name, child, child_at)
        _c.lb_builder_add_joint(self._handle, part)

    def _see_side(self, name: Any, at: Any) -> None:
        if isinstance(name, str) and _c.lb_builder_find_segment(self._handle, name) >= 0:
            as_frame((0, 0, 0) if at is None else at)
        elif at is not None:
            raise ArgumentError(f"{name!r} is a site, which says where the joint is; at= goes with segments")
        else:
            self._site(name)

    def _side(self, joint: Any, name: Any, at: Any) -> int:
        is_segment = isinstance(name, str) and _c.lb_builder_find_segment(self._handle, name) >= 0
        if not is_segment:
            return self._site(name)
        segment = self._segment(name)
        here = _c.lb_builder_find_site(self._handle, segment, _text(joint))
        if at is not None or here < 0:
            self.site(joint, name, (0, 0, 0) if at is None else at)
            here = _c.lb_builder_find_site(self._handle, segment, joint)
        return here

    def _joint_struct(self, name: str, a: int, b: int, type: Any, options: Mapping[str, Any]) -> Any:
        part = _c.Struct("lb_joint")
        part.name, part.site_a, part.site_b = _text(name), a, b
        _c.lb_joint_type_parse(_text(type), part.type)
        count = _c.lb_joint_type_dof_count(part.type)
        for key, value in options.items():
            if key == "swing":
                self._swing(part, value)
            elif key == "dof_names":
                names = [value] if isinstance(value, str) else list(value)
                part.dof_names = [*names, *([None] * (6 - len(names)))]
            elif key in _OF_DOFS:
                setattr(part, key, self._of_dofs(key, value, count, getattr(part, key)))
            else:
                raise TypeError(f"a joint has no {key!r}{similar(key, [*_OF_DOFS, 'dof_names', 'swing'])}")
        return part

    @staticmethod
    def _of_dofs(what: str, value: Any, count: int, present: Any) -> list[float]:
        try:
            given = np.broadcast_to(np.asarray(value, dtype=np.float64), (count,))
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"{what} is a number, or one for each of the {count} dofs, not {value!r}") from error
        return [*given.tolist(), *list(present)[count:]]

    @staticmethod
    def _swing(part: Any, value: Any) -> None:
        if isinstance(value, (int, float)):
            corners = np.empty((16, 2))
            _c.lb_swing_cone(float(value), len(corners), corners)
        else:
            corners = numbers(value, (None, 2), "the corners of a swing limit")
        part.swing, part.swing_count = corners, len(corners)

    def dh(self, rows: Iterable[Mapping[str, Any]], base: str, modified: bool = False) -> str:
        """Adds a chain by Denavit-Hartenberg parameters, from a site on: a mapping for each joint with a, d (metres), alpha, theta
        (radians), and where wanted name, is_prismatic, lower, upper. Returns the name of its last segment.

        >>> import limber
        >>> builder = limber.Builder("planar")
        >>> builder.segment("base")
        >>> builder.site("start", "base")
        >>> builder.dh([{"a": 0.4}, {"a": 0.3, "lower": 0, "upper": 2.5}], "base.start")
        'link2'
        >>> builder.finish().frame("link2")[:3]
        array([0.7, 0. , 0. ])
        """
        structs = []
        for row in rows:
            part = _c.Struct("lb_dh_row")
            part.lower, part.upper = -np.inf, np.inf
            for key, value in dict(row).items():
                if key not in ("name", "a", "d", "alpha", "theta", "is_prismatic", "lower", "upper"):
                    raise TypeError(f"a row of Denavit and Hartenberg has no {key!r}{similar(key, ['name', 'a', 'd', 'alpha', 'theta', 'is_prismatic', 'lower', 'upper'])}")
                setattr(part, key, int(bool(value)) if key == "is_prismatic" else value)
            structs.append(part)
        if not structs:
            raise ArgumentError("a chain has rows")
        last = _c.lb_builder_add_dh_chain(self._handle, self._site(base), "modified" if modified else "standard", len(structs),
                                          b"".join(part._raw() for part in structs))
        return _c.lb_builder_segment(self._handle, last).name

    def parameter(self, group: str, name: str, *, is_angle: bool = True, lower: float = -np.inf, upper: float = np.inf, rest: float = 0.0,
                  rigidity: float = 0.0) -> None:
        """Adds a parameter to a joint group, which is made where it is not there: drive() lets it drive dofs."""
        found = _c.lb_builder_find_group(self._handle, _text(group))
        part = _c.Struct("lb_parameter")
        part.name, part.group = _text(name), found if found >= 0 else _c.lb_builder_add_group(self._handle, group)
        part.is_angle, part.lower, part.upper, part.rest, part.rigidity = int(bool(is_angle)), lower, upper, rest, rigidity
        _c.lb_builder_add_parameter(self._handle, part)

    def drive(self, dof: str, source: str, slope: float = 1.0, offset: float = 0.0, *, points: Any = None, smooth: bool = False) -> None:
        """Lets a dof or parameter drive another joint's dof: offset + slope * source, or along points [n, 2], straight between them
        or smooth. A driven dof is no variable any more; several drives of one dof add up.

        >>> import limber
        >>> builder = limber.Builder(limber.load("chain:3"))
        >>> builder.joints
        ['joint1', 'joint2', 'joint3']
        >>> builder.drive("joint3", "joint2", slope=-1)
        >>> builder.finish().names
        ('joint1', 'joint2')
        """
        part, driven = _c.Struct("lb_drive"), self._dof(dof)
        if driven.joint < 0:
            raise ArgumentError(f"{dof!r} is a parameter: dofs of joints are driven")
        part.joint, part.dof, part.source = driven.joint, driven.dof, self._dof(source)
        curve = part.curve
        curve.offset, curve.slope = _number(offset, "an offset"), _number(slope, "a slope")
        if points is not None:
            pairs = numbers(points, (None, 2), "the points of a curve")
            curve.kind, curve.count = "spline" if smooth else "polyline", len(pairs)
            curve.x, curve.y = pairs[:, 0].copy(), pairs[:, 1].copy()
        _c.lb_builder_add_drive(self._handle, part)

    def limit(self, terms: Mapping[str, float], bound: float, *, equal: bool = False, name: str | None = None) -> None:
        """A limit on several dofs: the sum of coefficient times dof, {"hip.rx": 1, "knee": 0.5}, is at most a bound, or equal to it."""
        refs = [self._dof(key) for key in terms]
        part = _c.Struct("lb_limit")
        part.name, part.kind, part.count = name, "equal" if equal else "at-most", len(refs)
        part.terms = b"".join(ref._raw() for ref in refs)
        part.coefficients = numbers(list(terms.values()), (None,), "coefficients")
        part.bound = _number(bound, "a bound")
        _c.lb_builder_add_limit(self._handle, part)

    def root(self, name: str, *, free: bool = False, at: Any = (0, 0, 0)) -> None:
        """Which segment, or site, is the root, whether it moves freely, and where it is in the world. Without this it is the first
        segment, fixed at the origin."""
        part, frame = _c.Struct("lb_root"), as_frame(at)
        if isinstance(name, str) and _c.lb_builder_find_segment(self._handle, name) >= 0:
            part.segment, part.site = self._segment(name), -1
        else:
            part.site = self._site(name)
            part.segment = _c.lb_builder_site(self._handle, part.site).segment
        part.is_free = int(bool(free))
        part.placement.position, part.placement.rotation = frame[:3], frame[3:]
        _c.lb_builder_set_root(self._handle, part)

    # --- Changing -----------------------------------------------------------------------------------------------------

    def attach(self, figure: Figure, prefix: str = "", *, to: str | None = None, at: Any = None, joint: str | None = None, type: str = "fixed") -> None:
        """Adds all parts of a figure, their names with a prefix in front, and joins its root segment to the site or segment `to`, at a
        place there, by a joint of this type: two arms on a table, a hand on an arm.

        >>> import limber
        >>> arm, pair = limber.load("panda"), limber.Builder("pair")
        >>> pair.segment("table")
        >>> pair.attach(arm, "left_", to="table", at=[0, 0.3, 0])
        >>> pair.attach(arm, "right_", to="table", at=[0, -0.3, 0])
        >>> pair.finish()
        Figure('pair', 14 variables, 17 segments, 38 sites)
        """
        if not isinstance(figure, Figure):
            raise ArgumentError(f"what is attached is a Figure, not {figure!r}")
        if to is None and (at is not None or joint is not None):
            raise ArgumentError("say what it is attached to, as in attach(hand, 'hand_', to='arm.flange')")
        if to is not None:  # before anything is added
            self._see_side(to, at)
        root = _c.lb_figure_root(figure._handle)
        _c.lb_builder_attach(self._handle, figure._handle, _text(prefix))
        if to is not None:
            mine = f"{prefix}{_c.lb_figure_segment(figure._handle, root.segment).name}"
            self.joint(joint or f"{prefix}mount", to, mine, type, at=at)

    def freeze(self, joint: str, values: Any = None) -> None:
        """Holds a joint at values (its rest values unless told), so that it has no variable."""
        number = self._joint(joint)
        count = _c.lb_joint_type_dof_count(_c.lb_builder_joint(self._handle, number).type)
        held = None if values is None else numbers(np.ravel(values), (count,), f"the values of {joint}")
        _c.lb_builder_freeze_joint(self._handle, number, held)

    def thaw(self, joint: str) -> None:
        """Undoes freeze()."""
        _c.lb_builder_thaw_joint(self._handle, self._joint(joint))

    def change(self, joint: str, type: str | None = None, **options: Any) -> None:
        """Gives a joint another type, or other ranges: the keywords are those of joint(). Without a type it keeps its own, and all that
        is not named.

        >>> import limber
        >>> builder = limber.Builder(limber.load("panda"))
        >>> builder.change("joint1", lower=-0.5, upper=0.5)
        >>> builder.finish().limits[0]
        array([-0.5,  0.5])
        """
        number = self._joint(joint)
        old = _c.lb_builder_joint(self._handle, number)
        part = old
        if type is not None:
            part = self._joint_struct(joint, old.site_a, old.site_b, type, options)
        else:
            count = _c.lb_joint_type_dof_count(old.type)
            for key, value in options.items():
                if key not in _OF_DOFS:
                    raise TypeError(f"a joint that keeps its type has no {key!r} to change{similar(key, _OF_DOFS)}")
                setattr(part, key, self._of_dofs(key, value, count, getattr(part, key)))
        _c.lb_builder_change_joint(self._handle, number, part)

    def remove(self, name: str) -> None:
        """Removes a joint, with what names its dofs; or a segment, with its sites, shapes and joints."""
        if isinstance(name, str) and _c.lb_builder_find_joint(self._handle, name) >= 0:
            _c.lb_builder_remove_joint(self._handle, self._joint(name))
        else:
            _c.lb_builder_remove_segment(self._handle, self._segment(name))

    def keep_connected(self, segment: str) -> None:
        """Removes every segment that no joints connect to this one."""
        _c.lb_builder_keep_connected(self._handle, self._segment(segment))

    def scale(self, length: float, mass: float = 1.0) -> None:
        """Multiplies all lengths and all masses."""
        _c.lb_builder_scale(self._handle, _number(length, "a factor"), _number(mass, "a factor"))

    def finish(self) -> Figure:
        """Checks everything and makes the figure. The builder stays as it is."""
        return Figure(_c.lb_builder_finish(self._handle))


_OF_DOFS = ("lower", "upper", "rest", "rigidity", "velocity", "acceleration", "effort", "soft_lower", "soft_upper")


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise ArgumentError(f"a name is a text, not {value!r}")
    return value


def _number(value: Any, what: str) -> float:
    return float(numbers([value], (1,), what)[0])


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ArgumentError(f"{what} is a whole number, not {value!r}")
    return value
