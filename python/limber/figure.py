"""Figures: robots and people, read from files.

>>> import limber
>>> arm = limber.load("panda")
>>> arm
Figure('panda', 7 variables, 8 segments, 17 sites)
>>> arm.variables[3].name
'joint4'
"""

from __future__ import annotations

import collections
import operator
import os
import pathlib
import threading
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from . import _limber as _c
from .errors import ArgumentError, FileError, UnknownNameError, similar
from .frames import as_frame, numbers

if TYPE_CHECKING:
    from .picture import Picture

__all__ = ["Coupling", "Figure", "Group", "Segment", "SegmentShape", "Site", "Joint", "Variable", "LimberWarning", "load", "loads", "models"]

Array = NDArray[np.float64]
MODELS = pathlib.Path(__file__).resolve().parent / "models"
FORMATS = {"fig", "urdf", "mjcf", "bvh", "gltf"}


class LimberWarning(UserWarning):
    """Something in a file that was understood but is odd, or that a format cannot express."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A rigid part: its name, mass (kg) and centre of mass (metres, in its own frame)."""

    name: str
    mass: float
    com: tuple[float, float, float]
    parent: str | None


@dataclass(frozen=True, slots=True)
class Site:
    """A named frame on a segment: position and quaternion in the segment's frame."""

    name: str
    segment: str
    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint: what it can do (as R(z)*R(x)), and its dofs."""

    name: str
    type: str
    dofs: tuple[str, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    is_frozen: bool
    velocity: tuple[float, ...] = ()
    acceleration: tuple[float, ...] = ()
    effort: tuple[float, ...] = ()
    soft_lower: tuple[float, ...] = ()
    soft_upper: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Variable:
    """One number of a pose: its range and rest value, in radians (is_angle) or metres."""

    name: str
    is_angle: bool
    lower: float
    upper: float
    rest: float
    rigidity: float
    velocity: float = float("inf")  # largest speed, a second
    acceleration: float = float("inf")  # largest acceleration, a second squared


@dataclass(frozen=True, slots=True)
class SegmentShape:
    """A shape of a segment: its kind, its place in the segment's frame (seven numbers), its sizes as the C library has them: a radius; of a
    capsule both radii with half the length between; half extents of a box; semi-axes of an ellipsoid. color: 0xRRGGBB, -1 for none."""

    segment: str
    kind: str
    place: tuple[float, ...]
    size: tuple[float, ...]
    color: int


@dataclass(frozen=True, slots=True)
class Group:
    """A joint group: parameters that drive dofs of many joints, and the joints that they drive."""

    name: str
    parameters: tuple[str, ...]
    joints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coupling:
    """A limit on several dofs: the sum of coefficient times dof is at most the bound, or equal to it."""

    name: str | None
    terms: dict[str, float]
    bound: float
    is_equal: bool


def warn(message: str, file: str, line: int) -> None:
    where = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
    warnings.warn(where + message if not message.startswith(file or "\0") else message, LimberWarning, stacklevel=3)


# Fields of structs that the package fills by itself.
_OWN = {"struct_size", "now_us", "cancel", "warn", "allocator", "models", "view_count", "has_camera", "has_bounds", "surface_count", "support_count",
        "load_count", "obstacle_count", "swivel_count", "feet_modes", "on_frame"}


def options_of(kind: str, given: Mapping[str, Any]) -> Any:
    """A struct of options with some fields given, by the names of the C headers."""
    struct = _c.Struct(kind)
    for name, value in given.items():
        try:
            setattr(struct, name, value)
        except AttributeError:
            known = [field for field in struct._fields() if field not in _OWN and "context" not in field]
            raise TypeError(f"there is no option {name!r}{similar(name, known)}") from None
        except (TypeError, ValueError, OverflowError) as error:
            raise ArgumentError(f"{name}: {error}") from error
    return struct


def models() -> list[str]:
    """The names of the models that come with the package, for load().

    >>> import limber
    >>> "panda" in limber.models()
    True
    """
    return sorted(path.stem for path in MODELS.glob("*.fig"))


def find_model(path: str) -> str:
    """The path of a file, or of the model of that name that comes with the package."""
    if not os.path.exists(path) and (MODELS / f"{path}.fig").exists():
        return str(MODELS / f"{path}.fig")
    return path


def load(path: str | os.PathLike[str], **options: Any) -> Figure:
    """Reads a figure from a file (URDF, MJCF, .fig, BVH, glTF), or a model that comes with the package by its name.

    The keywords are the fields of the C library's lb_load_options: format, stature, unit, anatomical_limits, max_bytes, stand
    (a legged robot stands on its feet), base ("planar": it drives), body (True: a character whose bones have a person's names is posed
    as one, with a human's limits, as `limber solve` does), limits.

    >>> import limber
    >>> limber.load("human", stature=1.6).stature
    1.6
    """
    text = os.fspath(path)
    if not isinstance(text, str):
        raise ArgumentError(f"a path must be a str, not {text!r}")
    struct = options_of("lb_load_options", {"warn": warn, **options})
    try:
        return Figure(_c.lb_figure_load(find_model(text), struct))
    except FileError as error:
        is_name = not os.path.exists(text) and not os.path.dirname(text) and not os.path.splitext(text)[1]
        if not is_name:
            raise
        told = f"{text}: there is no such file, and no model of this name{similar(text, models())}"
        raise FileError(told, error.status, error.file) from None


def loads(data: bytes | str, name: str = "memory", **options: Any) -> Figure:
    """Reads a figure from text or bytes; `name` stands for the file in messages.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> limber.loads(arm.dumps(), format="fig").names == arm.names
    True
    """
    if isinstance(data, str):
        data = data.encode()
    return Figure(_c.lb_figure_load_memory(data, name, options_of("lb_load_options", {"warn": warn, **options})))


def _state(seed: Any) -> NDArray[np.uint64]:
    """The state of a random sequence: one number that moves on."""
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 2**64:
        raise ArgumentError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
    return np.array([number], dtype=np.uint64)


class _Prepared(threading.local):
    """A thread's prepared solvers of a figure, the one used last at the end."""

    def __init__(self) -> None:
        self.solvers: collections.OrderedDict[Any, Any] = collections.OrderedDict()
        self.kinematics: Any = None


class Figure:
    """Segments, joints, sites and limits: a robot, a person. It never changes, and threads may share it.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> arm.where("link7", arm.rest).shape
    (4, 4)
    """

    def __init__(self, handle: Any):
        if not isinstance(handle, _c.Handle):
            raise TypeError("figures are made by limber.load")
        self._handle = handle
        count = _c.lb_figure_variable_count(handle)
        self._variables = tuple(self._variable(i) for i in range(count))
        #: The names of the variables, in the order of a pose.
        self.names: tuple[str, ...] = tuple(variable.name for variable in self._variables)
        self._index = {name: i for i, name in enumerate(self.names)}
        rest = np.empty(count)
        _c.lb_figure_rest_pose(handle, rest)
        rest.flags.writeable = False
        #: The rest pose, inside all limits.
        self.rest: Array = rest
        self._prepared = _Prepared()

    def _twin(self) -> Figure:
        """The same figure for the problems that it keeps, which then do not refer back to it: all is freed at once."""
        twin = Figure.__new__(Figure)
        twin.__dict__.update(self.__dict__)
        twin._prepared = _Prepared()
        return twin

    def _variable(self, index: int) -> Variable:
        v = _c.lb_figure_variable(self._handle, index)
        return Variable(
            v.name, bool(v.is_angle), v.lower, v.upper, v.rest, v.rigidity, v.velocity, v.acceleration
        )

    def __repr__(self) -> str:
        c, h = _c, self._handle
        return (f"Figure({self.name!r}, {len(self.names)} variables, {c.lb_figure_segment_count(h)} segments, "
                f"{c.lb_figure_site_count(h)} sites)")

    def __reduce__(self):
        return (_unpickle, (self.dumps(),))

    def __len__(self) -> int:
        return len(self.names)

    # --- What it is made of -------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The figure's name."""
        return _c.lb_figure_name(self._handle) or ""

    @property
    def stature(self) -> float:
        """The standing height that the figure was written for, metres; 0 where it has none."""
        return _c.lb_figure_stature(self._handle)

    @property
    def mass(self) -> float:
        """The mass of all segments, kg."""
        return _c.lb_figure_mass(self._handle)

    @property
    def has_body(self) -> bool:
        """Whether it can be posed as a person: standing, balancing, looking."""
        return _c.lb_figure_body(self._handle) is not None

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables: a pose has one number for each."""
        return self._variables

    @property
    def limits(self) -> Array:
        """The ranges of the variables, [variables, 2].

        >>> import limber
        >>> limber.load("panda").limits.shape
        (7, 2)
        """
        return np.array([[v.lower, v.upper] for v in self._variables]).reshape(-1, 2)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The rigid parts; of a robot its links."""
        found = [_c.lb_figure_segment(self._handle, i) for i in range(_c.lb_figure_segment_count(self._handle))]
        parents = [_c.lb_figure_parent_segment(self._handle, i) for i in range(len(found))]
        return tuple(Segment(s.name, s.mass, s.com, found[p].name if p >= 0 else None) for s, p in zip(found, parents))

    @property
    def sites(self) -> tuple[Site, ...]:
        """The named frames on segments."""
        found = [_c.lb_figure_site(self._handle, i) for i in range(_c.lb_figure_site_count(self._handle))]
        return tuple(Site(s.name, _c.lb_figure_segment(self._handle, s.segment).name, s.frame.position, s.frame.rotation)
                     for s in found)

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joints, driven and frozen ones as well."""
        return tuple(self._joint(i) for i in range(_c.lb_figure_joint_count(self._handle)))

    @property
    def shapes(self) -> tuple[SegmentShape, ...]:
        """The shapes of segments, for pictures and for avoidance."""
        counts = {"sphere": 1, "cylinder": 2}
        found = [_c.lb_figure_shape(self._handle, i) for i in range(_c.lb_figure_shape_count(self._handle))]
        return tuple(SegmentShape(_c.lb_figure_segment(self._handle, s.segment).name, s.kind, (*s.frame.position, *s.frame.rotation),
                                  s.size[:counts.get(s.kind, 3)], s.color) for s in found)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The joint groups: few parameters that drive many joints, as those of a spine.

        >>> import limber
        >>> limber.load("human").groups[0].parameters
        ('flexion', 'lateral', 'axial')
        """
        names = [_c.lb_figure_group(self._handle, i).name for i in range(_c.lb_figure_group_count(self._handle))]
        parameters = [_c.lb_figure_parameter(self._handle, i) for i in range(_c.lb_figure_parameter_count(self._handle))]
        drives = [_c.lb_figure_drive(self._handle, i) for i in range(_c.lb_figure_drive_count(self._handle))]
        made = []
        for number, name in enumerate(names):
            own = [i for i, parameter in enumerate(parameters) if parameter.group == number]
            driven = dict.fromkeys(drive.joint for drive in drives if drive.source.joint < 0 and drive.source.parameter in own)
            joints = tuple(_c.lb_figure_joint(self._handle, joint).name for joint in driven)
            made.append(Group(name, tuple(parameters[i].name for i in own), joints))
        return tuple(made)

    @property
    def couplings(self) -> tuple[Coupling, ...]:
        """The limits on several dofs.

        >>> import limber
        >>> builder = limber.Builder(limber.load("chain:3"))
        >>> builder.limit({"joint1": 1, "joint2": -2}, 0.5, name="together")
        >>> builder.finish().couplings
        (Coupling(name='together', terms={'joint1': 1.0, 'joint2': -2.0}, bound=0.5, is_equal=False),)
        """
        return tuple(self._coupling(_c.lb_figure_limit(self._handle, i)) for i in range(_c.lb_figure_limit_count(self._handle)))

    def _coupling(self, limit: Any) -> Coupling:
        coefficients = np.frombuffer(limit._bytes("coefficients", 8 * limit.count))
        names = [self._dof_name(ref) for ref in limit._list("terms", limit.count)]
        return Coupling(limit.name, dict(zip(names, coefficients.tolist())), limit.bound, limit.kind == "equal")

    def _dof_name(self, ref: Any) -> str:
        if ref.joint < 0:
            parameter = _c.lb_figure_parameter(self._handle, ref.parameter)
            return f"{_c.lb_figure_group(self._handle, parameter.group).name}.{parameter.name}"
        joint = _c.lb_figure_joint(self._handle, ref.joint)
        return joint.name if _c.lb_joint_type_dof_count(joint.type) == 1 else f"{joint.name}.{joint.dof_names[ref.dof]}"

    @property
    def loops(self) -> tuple[str, ...]:
        """The joints that close loops.

        >>> import limber
        >>> len(limber.load("stewart").loops)
        5
        """
        joints = [_c.lb_figure_loop_joint(self._handle, i) for i in range(_c.lb_figure_loop_count(self._handle))]
        return tuple(_c.lb_figure_joint(self._handle, joint).name for joint in joints)

    @property
    def root(self) -> str:
        """The segment that all others hang from."""
        return _c.lb_figure_segment(self._handle, _c.lb_figure_root(self._handle).segment).name

    def _joint(self, index: int) -> Joint:
        j = _c.lb_figure_joint(self._handle, index)
        text = bytearray(512)
        length = _c.lb_joint_type_spell(j.type, text, len(text))
        n = _c.lb_joint_type_dof_count(j.type)
        return Joint(
            j.name,
            text[:length].decode(),
            j.dof_names[:n],
            j.lower[:n],
            j.upper[:n],
            bool(j.frozen),
            j.velocity[:n],
            j.acceleration[:n],
            j.effort[:n],
            j.soft_lower[:n],
            j.soft_upper[:n],
        )

    def index(self, name: str) -> int:
        """The place of a variable in a pose.

        >>> import limber
        >>> limber.load("panda").index("joint4")
        3
        """
        found = self._index.get(name) if isinstance(name, str) else None
        if found is None:
            found = _c.lb_figure_find_variable(self._handle, name) if isinstance(name, str) else -1
        if found < 0:
            raise UnknownNameError(f"{self.name} has no variable {name!r}{similar(name, self.names)}", "name")
        return found

    # --- Poses --------------------------------------------------------------------------------------------------------

    def pose(self, values: Any = None) -> Array:
        """A new pose: from an array, from a mapping of names to values (the rest of it at rest), or the rest pose.

        >>> import limber
        >>> arm = limber.load("panda")
        >>> float(arm.pose({"joint4": -1.0})[3])
        -1.0
        """
        if values is None:
            return self.rest.copy()
        if isinstance(values, Mapping):
            pose = self.rest.copy()
            for name, value in values.items():
                try:
                    pose[self.index(name)] = value
                except (TypeError, ValueError) as error:
                    if isinstance(error, UnknownNameError):
                        raise
                    raise ArgumentError(f"{name} must be a number, not {value!r}") from error
            return numbers(pose, (len(self),), "a pose")
        return numbers(getattr(values, "q", values), (len(self),), f"a pose of {self.name}").copy()

    def values(self, pose: Any) -> dict[str, float]:
        """A pose as a mapping of names to values."""
        return dict(zip(self.names, self.pose(pose).tolist()))

    def random_pose(self, seed: int = 1) -> Array:
        """A random pose inside the limits; the same for the same seed.

        >>> import limber
        >>> arm = limber.load("panda")
        >>> arm.violation(arm.random_pose(7))
        0.0
        """
        pose = np.empty(len(self))
        _c.lb_figure_random_pose(self._handle, _state(seed), pose)
        return pose

    def random_poses(self, count: int, seed: int = 1) -> Array:
        """Many of them, [count, variables]."""
        state = _state(seed)
        poses = np.empty((count, len(self)))
        for pose in poses:
            _c.lb_figure_random_pose(self._handle, state, pose)
        return poses

    def violation(self, pose: Any) -> float:
        """The largest violation of a limit by a pose, in radians or metres; 0 inside the limits."""
        return _c.lb_figure_violation(self._handle, self.pose(pose))

    def clip(self, pose: Any) -> Array:
        """The closest pose inside the limits."""
        found = self.pose(pose)
        _c.lb_kinematics_project(self._kinematics(), found)
        return found

    # --- Kinematics ---------------------------------------------------------------------------------------------------

    def _kinematics(self, pose: Any = None) -> Any:
        if self._prepared.kinematics is None:
            self._prepared.kinematics = _c.lb_kinematics_create(self._handle)
        if pose is not None:
            _c.lb_kinematics_update(self._prepared.kinematics, self.pose(pose))
        return self._prepared.kinematics

    def place(self, name: str) -> tuple[int, int]:
        """The numbers of a segment and of a site (-1: the segment's own frame) by name."""
        found = np.zeros(2, dtype=np.int32)
        if not isinstance(name, str):
            raise ArgumentError(f"a name must be a str, not {name!r}")
        _c.lb_figure_find_place(self._handle, name, found[:1], found[1:])
        return int(found[0]), int(found[1])

    def frame(self, name: str, pose: Any = None) -> Array:
        """Where a site or segment is in a pose (rest unless told): position and quaternion, seven numbers.

        >>> import limber
        >>> limber.load("panda").frame("link0")
        array([0., 0., 0., 0., 0., 0., 1.])
        """
        segment, site = self.place(name)
        kinematics = self._kinematics(self.rest if pose is None else pose)
        out = np.empty(7)
        if site >= 0:
            _c.lb_kinematics_site(kinematics, site, out)
        else:
            _c.lb_kinematics_segment(kinematics, segment, out)
        return out

    def where(self, name: str, pose: Any = None) -> Array:
        """Where a site or segment is in a pose (rest unless told): a 4x4 matrix."""
        from .frames import as_matrix

        return as_matrix(self.frame(name, pose))

    def frames(self, name: str, poses: Any) -> Array:
        """Where a site or segment is in each of many poses [N, variables]: [N, 7].

        >>> import limber
        >>> arm = limber.load("panda")
        >>> arm.frames("link7", arm.random_poses(5)).shape
        (5, 7)
        """
        poses = numbers(poses, (None, len(self)), "poses")
        segment, site = self.place(name)
        kinematics = self._kinematics()
        out = np.empty((len(poses), 7))
        for pose, frame in zip(poses, out):
            _c.lb_kinematics_update(kinematics, pose)
            if site >= 0:
                _c.lb_kinematics_site(kinematics, site, frame)
            else:
                _c.lb_kinematics_segment(kinematics, segment, frame)
        return out

    def com(self, pose: Any = None) -> Array:
        """The centre of mass in a pose, metres in the world."""
        out = np.empty(3)
        _c.lb_kinematics_com(self._kinematics(self.rest if pose is None else pose), out)
        return out

    def jacobian(self, name: str, pose: Any = None) -> Array:
        """[6, variables]: velocity of the point and angular velocity, world axes, per unit of each variable's velocity.

        >>> import limber
        >>> limber.load("panda").jacobian("link7").shape
        (6, 7)
        """
        effector = _c.Struct("lb_effector")
        _c.lb_figure_find_effector(self._handle, name, effector)
        out = np.empty((6, len(self)))
        _c.lb_kinematics_twist(self._kinematics(self.rest if pose is None else pose), effector, out)
        return out

    def hessian(self, name: str, weights: Any, pose: Any = None) -> Array:
        """[variables, variables]: the second derivatives of the sum of nine weights times (position, x axis, y axis) of a site, segment or
        "com" in the world.

        >>> import limber
        >>> limber.load("panda").hessian("link7", [0, 0, 1, 0, 0, 0, 0, 0, 0]).shape
        (7, 7)
        """
        effector = _c.Struct("lb_effector")
        _c.lb_figure_find_effector(self._handle, name, effector)
        out = np.empty((len(self), len(self)))
        _c.lb_kinematics_hessian(self._kinematics(self.rest if pose is None else pose), effector, numbers(weights, (9,), "weights"), out)
        return out

    # --- Files and pictures -------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str], *, source: str | os.PathLike[str] | None = None, **options: Any) -> None:
        """Writes the figure; the format is that of the path's ending (.fig, .urdf, .bvh, .glb).

        The keywords are the fields of lb_save_options: format, pose, bvh_unit. `source` is the glTF file that the figure was read
        from: what is written is then a copy of it in the pose, all else byte for byte as it was.
        """
        if options.get("pose") is not None:
            options["pose"] = self.pose(options["pose"])
        if source is not None:
            pose = self.pose(options.pop("pose", None))
            _c.lb_gltf_save_pose(os.fspath(source), self._handle, pose, os.fspath(path), options_of("lb_save_options", {"warn": warn, **options}))
            return
        _c.lb_figure_save(self._handle, os.fspath(path), options_of("lb_save_options", {"warn": warn, **options}))

    @overload
    def dumps(self, format: Literal["fig", "urdf", "bvh"] = "fig", **options: Any) -> str: ...

    @overload
    def dumps(self, format: Literal["gltf"], **options: Any) -> bytes: ...

    @overload
    def dumps(self, format: str, **options: Any) -> str | bytes: ...

    def dumps(self, format: str = "fig", **options: Any) -> str | bytes:
        """The figure as text (bytes for "gltf"), as save() writes it.

        >>> import limber
        >>> limber.load("chain:3").dumps("urdf").splitlines()[0]
        '<?xml version="1.0" encoding="UTF-8"?>'
        """
        if options.get("pose") is not None:
            options["pose"] = self.pose(options["pose"])
        data = _c.lb_figure_save_memory(self._handle, options_of("lb_save_options", {"warn": warn, "format": format, **options}))
        return data if format == "gltf" else data.decode()

    def render(self, pose: Any = None, **options: Any) -> Picture:
        """A picture of the figure in a pose, which a notebook shows: limber.Picture.

        The keywords are the fields of lb_render_options: width, height, views, azimuth_deg, elevation_deg, zoom, dark,
        show_labels, show_limits, show_com, title and others; `path` writes it to a file, too (.png, .svg, .pdf).

        >>> import limber
        >>> limber.load("panda").render(width=200, height=200).png[:4]
        b'\\x89PNG'
        """
        from .picture import render

        return render([(self, pose)], **options)

    def _repr_png_(self) -> bytes:
        return self.render(width=500, height=400, show_joints=False).png

    # --- Changed figures ----------------------------------------------------------------------------------------------

    def carry(self, pose: Any, other: Figure, other_pose: Any = None) -> Array:
        """A pose of this figure as one of another: what has the same name has the same value, the rest is as in `other_pose` (its rest
        pose unless told).

        >>> import limber
        >>> arm, builder = limber.load("panda"), limber.Builder(limber.load("panda"))
        >>> builder.freeze("joint1")
        >>> arm.carry({"joint4": -1.0}, builder.finish())[2]
        -1.0
        """
        if not isinstance(other, Figure):
            raise ArgumentError(f"a pose is carried over to a Figure, not {other!r}")
        made = other.pose(other_pose)
        _c.lb_pose_carry(self._handle, self.pose(pose), other._handle, made)
        return made

    def split(self, joint: str, pose: Any = None) -> tuple[Figure, Figure]:
        """Breaks the figure in two at a joint that lies in no loop: the part with the root, and the other one, where it is in a pose
        (rest unless told).

        >>> import limber
        >>> limber.load("panda").split("joint4")
        (Figure('panda', 3 variables, 4 segments, 8 sites), Figure('panda', 3 variables, 4 segments, 9 sites))
        """
        number = _c.lb_figure_find_joint(self._handle, joint) if isinstance(joint, str) else -1
        if number < 0:
            raise UnknownNameError(f"there is no joint {joint!r}{similar(joint, [known.name for known in self.joints])}", "name")
        near, far = _c.lb_figure_split(self._handle, self.pose(pose), number)
        return Figure(near), Figure(far)

    def reroot(self, name: str, pose: Any = None, free: bool = True) -> tuple[Figure, Array]:
        """The same figure with another root, and the pose in which every segment is where it was."""
        start = self.pose(pose)
        segment, site = self.place(name)
        root = options_of("lb_root", {"segment": segment, "site": site, "is_free": int(free)})
        old_free = _c.lb_figure_root(self._handle).is_free
        out = np.empty(len(self) - 6 * bool(old_free) + 6 * bool(free))
        return Figure(_c.lb_figure_reroot(self._handle, start, root, out)), out

    @property
    def legs(self) -> int:
        """How many legs the figure could stand on; 0: none, or something holds it.

        >>> import limber
        >>> limber.load("panda").legs
        0
        """
        return int(_c.lb_figure_legs(self._handle))

    def stand(self) -> Figure:
        """A legged figure on its feet: with a free root, in a stance on a floor at height 0, with a body. limber.load(path,
        stand=True) reads one so.

        >>> import limber
        >>> limber.load("panda").stand()  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        limber.errors.ArgumentError: the figure cannot stand: ...
        """
        return Figure(_c.lb_figure_stand(self._handle))

    def on_plane(self, half: Any = None) -> Figure:
        """The figure on a base that drives in the plane, by the variables base.x, base.y and base.yaw. `half` is how far either way:
        x, y, metres, and yaw, radians; 0: without end. limber.load(path, base="planar") reads one so.

        >>> import limber
        >>> limber.load("panda").on_plane([2, 1, 0]).names[-3:]
        ('base.x', 'base.y', 'base.yaw')
        """
        ways = np.zeros(3)
        try:
            ways[:] = 0 if half is None else half
        except (TypeError, ValueError):
            raise ArgumentError(f"how far a base drives is three numbers, x, y and yaw, not {half!r}") from None
        return Figure(_c.lb_figure_on_plane(self._handle, ways))


def _unpickle(text: str) -> Figure:
    return loads(text, "pickle", format="fig")
