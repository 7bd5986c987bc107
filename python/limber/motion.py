"""Motion: figures over time. Clips (motion capture), motions (goals that move), scripts, and one figure's motion for another.

>>> import limber
>>> arm = limber.load("panda")
>>> problem = limber.Problem(arm)
>>> hand = problem.add(limber.at("link7", [0.4, 0.0, 0.5]))
>>> motion = limber.Motion(problem)
>>> motion.drive(hand, [(0, [0.4, 0.0, 0.5]), (1, [0.4, 0.2, 0.5])])
>>> clip = motion.play().clip(frame_time=0.1)
>>> clip.poses.shape
(11, 7)
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _limber as _c
from .errors import ArgumentError, LimberError
from .figure import Figure, LimberWarning, find_model, options_of, warn, MODELS
from .frames import as_frame, numbers
from .problem import Problem, _find, _from_file, _limb_of

__all__ = ["Clip", "Contact", "Motion", "Player", "RetargetFinding", "RetargetReport", "RetargetVerdict", "Script", "Track", "animations", "humanoid_parts", "load_clip", "load_script",
           "retarget"]

Array = NDArray[np.float64]


def _number(value: Any, what: str) -> float:
    return float(numbers([value], (1,), what)[0])


@dataclass(frozen=True, slots=True)
class Contact:
    """A point of a figure that rests on the ground from one frame to another, and where."""

    effector: str
    first: int
    last: int
    place: tuple[float, float, float]


class Clip:
    """A figure's poses at even times, as motion capture has them.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> clip = limber.Clip(arm, arm.random_poses(3), frame_time=0.5)
    >>> clip
    Clip(panda, 3 frames, 1.0 s)
    >>> clip.sample(0.25).shape
    (7,)
    """

    def __init__(self, figure: Figure, poses: Any, frame_time: float = 1 / 30):
        if not isinstance(figure, Figure):
            raise ArgumentError(f"a clip is of a Figure, not {figure!r}")
        array = numbers(poses, (None, len(figure)), "the poses of a clip")
        self._take(figure, _c.lb_clip_create(figure._handle, len(array), _number(frame_time, "frame_time")))
        _c.clip_poses(self._handle, array, True)

    def _take(self, figure: Figure, handle: Any) -> None:
        self.figure = figure
        self._handle = handle

    @classmethod
    def _of(cls, figure: Figure, handle: Any) -> Clip:
        clip = cls.__new__(cls)
        clip._take(figure, handle)
        return clip

    def __len__(self) -> int:
        return _c.lb_clip_frame_count(self._handle)

    def __repr__(self) -> str:
        return f"Clip({self.figure.name}, {len(self)} frames, {round(self.duration, 3)} s)"

    def __reduce__(self):
        return (Clip, (self.figure, self.poses, self.frame_time))

    @property
    def frame_time(self) -> float:
        """Seconds between two frames."""
        return _c.lb_clip_frame_time(self._handle)

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return _c.lb_clip_duration(self._handle)

    @property
    def poses(self) -> Array:
        """The poses, [frames, variables]: a copy."""
        out = np.empty((len(self), len(self.figure)))
        _c.clip_poses(self._handle, out, False)
        return out

    @poses.setter
    def poses(self, poses: Any) -> None:
        _c.clip_poses(self._handle, numbers(poses, (len(self), len(self.figure)), "the poses of a clip"), True)

    def sample(self, time: float, interpolation: str = "cubic") -> Array:
        """The pose at any time; rotations are interpolated as rotations. interpolation: step, linear, catmull-rom, cubic."""
        pose = np.empty(len(self.figure))
        _c.lb_clip_sample(self._handle, _number(time, "a time"), interpolation, pose, None, None)
        return pose

    def resample(self, frame_time: float, interpolation: str = "cubic") -> Clip:
        """The same motion with another time between frames."""
        return Clip._of(self.figure, _c.lb_clip_resample(self._handle, _number(frame_time, "frame_time"), interpolation))

    def save(self, path: str | os.PathLike[str], *, source: str | os.PathLike[str] | None = None, name: str | None = None,
             **options: Any) -> None:
        """Writes the figure with its motion, .bvh or .glb, or a table of its values, .csv, as `limber retarget` does. `source` is the glTF file that the figure was read from: what is written is
        then a copy of it with one more animation of this name ("limber" unless told), all else as it was.

        >>> import limber, os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "arm.glb")
        ...     limber.load("panda").save(path)
        ...     arm = limber.load(path)
        ...     limber.Clip(arm, arm.random_poses(4)).save(path, source=path, name="wave")
        ...     limber.animations(path)
        ['wave']
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path, arm = os.path.join(folder, "arm.csv"), limber.load("panda")
        ...     limber.Clip(arm, arm.random_poses(4)).save(path)
        ...     rows = open(path).read().split()
        >>> rows[0].split(",")[:3], len(rows)
        (['time', 'joint1', 'joint2'], 5)
        """
        if source is not None:
            _c.lb_gltf_save_animation(os.fspath(source), self._handle, name, os.fspath(path), options_of("lb_save_options", {"warn": warn, **options}))
            return
        if name is not None:
            raise ArgumentError("a name is that of an animation in a source: save(path, source='character.glb', name='walk')")
        _c.lb_clip_save(self._handle, os.fspath(path), options_of("lb_save_options", {"warn": warn, **options}))

    def _effectors(self, names: Sequence[str]) -> bytes:
        raw = b""
        for name in [names] if isinstance(names, str) else names:
            effector = _c.Struct("lb_effector")
            _c.lb_figure_find_effector(self.figure._handle, name, effector)
            raw += effector._raw()
        return raw

    def contacts(self, effectors: Sequence[str], **options: Any) -> list[Contact]:
        """When points of the figure rest on the ground. The keywords are the fields of lb_contact_options."""
        names = [effectors] if isinstance(effectors, str) else list(effectors)
        raw = self._effectors(names)
        if not names:
            return []
        size, _ = _c.layout("lb_contact")
        room = bytearray(size * max(1, len(self) * len(names)))
        count = _c.lb_clip_contacts(self._handle, len(names), raw, options_of("lb_contact_options", options),
                                    len(room) // size, room)
        if count < 0:
            raise ArgumentError("contacts cannot be found in this clip")
        found = [_c.Struct("lb_contact", bytes(room[i * size:(i + 1) * size])) for i in range(count)]
        return [Contact(names[c.point], c.first, c.last, c.place_w) for c in found]

    def hold(self, contacts: Sequence[Contact], **options: Any) -> Clip:
        """A clip in which points stay where their contacts are; every pose changes as little as possible."""
        held = Clip(self.figure, self.poses, self.frame_time)
        names = list(dict.fromkeys(contact.effector for contact in contacts))
        raw = b""
        for contact in contacts:
            struct = _c.Struct("lb_contact")
            struct.point, struct.first, struct.last = names.index(contact.effector), contact.first, contact.last
            struct.place_w = contact.place
            raw += struct._raw()
        if names:
            _c.lb_clip_hold_contacts(held._handle, len(names), self._effectors(names), options_of("lb_contact_options", options),
                                     len(contacts), raw)
        return held


def load_clip(path: str | os.PathLike[str], **options: Any) -> Clip:
    """Reads a figure with its motion (BVH, glTF); the figure is clip.figure. The keywords are those of limber.load.

    >>> import limber, os, tempfile
    >>> arm = limber.load("chain:4")
    >>> path = os.path.join(tempfile.mkdtemp(), "arm.bvh")
    >>> import warnings; warnings.simplefilter("ignore")
    >>> limber.Clip(arm, arm.random_poses(5)).save(path)
    >>> len(limber.load_clip(path))
    5
    """
    figure, clip = _c.lb_clip_load(os.fspath(path), options_of("lb_load_options", {"warn": warn, **options}))
    if clip is None:
        raise ArgumentError(f"{os.fspath(path)} has no motion", "unsupported", os.fspath(path))
    return Clip._of(Figure(figure), clip)


def animations(path: str | os.PathLike[str]) -> list[str]:
    """The names of a glTF file's animations, for load_clip(path, animation=name).

    >>> import limber
    >>> try:
    ...     limber.animations("nothing.glb")
    ... except limber.FileError:
    ...     print("not there")
    not there
    """
    return _c.lb_gltf_animations(os.fspath(path), None).split("\n")[:-1]


class Track:
    """A value with keys over time. Kinds: "values", "rotation" (quaternions), "frame" (position and quaternion).

    >>> import limber
    >>> track = limber.Track([(0, 0.0), (1, 1.0)], interpolation="linear")
    >>> track.sample(0.25)
    array([0.25])
    """

    def __init__(self, keys: Any, kind: str = "values", interpolation: str = "cubic", ends: str = "natural"):
        keys = list(keys.items()) if isinstance(keys, dict) else list(keys)
        if not keys:
            raise ArgumentError("a track has to have keys: (time, value)")
        try:
            rows = [(float(time), self._value(value, kind)) for time, value in keys]
        except (TypeError, ValueError) as error:
            if isinstance(error, ArgumentError):
                raise
            raise ArgumentError(f"a track's keys are (time, value): {error}") from error
        width = len(rows[0][1])
        self._handle = _c.lb_track_create(kind, width)
        _c.lb_track_set_ends(self._handle, ends)
        for time, value in rows:
            if len(value) != width:
                raise ArgumentError(f"a key at {time} has {len(value)} values, the first one {width}")
            _c.lb_track_set(self._handle, time, value, interpolation)
        _c.lb_track_prepare(self._handle)

    @staticmethod
    def _value(value: Any, kind: str) -> Array:
        if kind == "frame":
            return as_frame(value)
        return numbers(np.ravel(value), (4,) if kind == "rotation" else (None,), "a track's value")

    def __repr__(self) -> str:
        times = [time for time, _ in self.keys]
        return f"Track({_c.lb_track_get_kind(self._handle)}, {len(times)} keys from {times[0]:g} to {times[-1]:g} s)"

    def __reduce__(self):
        kinds = [self._key(i)[2] for i in range(_c.lb_track_key_count(self._handle))]
        return (_track_of, (self.keys, _c.lb_track_get_kind(self._handle), kinds, _c.lb_track_get_ends(self._handle)))

    def _key(self, index: int) -> tuple[float, Array, str]:
        time, value, kind = np.empty(1), np.empty(_c.lb_track_width(self._handle)), np.zeros(1, dtype=np.int32)
        _c.lb_track_key(self._handle, index, time, value, kind)
        return float(time[0]), value, _c.words("lb_interpolation")[int(kind[0])]

    @property
    def keys(self) -> list[tuple[float, Array]]:
        """The keys: times and values."""
        return [self._key(i)[:2] for i in range(_c.lb_track_key_count(self._handle))]

    def sample(self, time: float) -> Array:
        """The value at a time."""
        out = np.empty(_c.lb_track_width(self._handle))
        _c.lb_track_sample(self._handle, _number(time, "a time"), out, None, None)
        return out


def _track_of(keys: Any, kind: str, interpolations: list[str], ends: str) -> Track:
    """A track that was pickled."""
    track = Track(keys, kind, ends=ends)
    for (time, value), interpolation in zip(keys, interpolations):
        _c.lb_track_set(track._handle, time, value, interpolation)
    _c.lb_track_prepare(track._handle)
    return track


class Motion:
    """A problem whose goals, variables, weights and pins change over time. play() solves it.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> problem = limber.Problem(arm, {"link7": [0.4, 0, 0.5]})
    >>> motion = limber.Motion(problem)
    >>> motion.drive_variable("joint1", [(0, 0.0), (2, 0.5)])
    >>> float(round(motion.play().pose(2.0)[0], 3))
    0.5
    """

    def __init__(self, problem: Problem, start: Any = None):
        if not isinstance(problem, Problem):
            raise ArgumentError(f"a motion is of a Problem, not {problem!r}")
        self.problem = problem
        self._handle = _c.lb_motion_create(problem._handle, problem.pose(problem.start if start is None else start))
        self._problems = [problem]

    @classmethod
    def _of(cls, handle: Any, problem: Any) -> Motion:
        motion = cls.__new__(cls)
        motion._handle = handle
        motion.problem = problem
        motion._problems = [problem]
        return motion

    def __repr__(self) -> str:
        about = "a script" if self.problem is None else " and ".join(self.problem.figure_names())
        return f"Motion({about}, {round(self.end, 3)} s)"

    @property
    def end(self) -> float:
        """The last time at which something changes, seconds."""
        return _c.lb_motion_end(self._handle)

    def _drive(self, target: str, index: int, keys: Any, kind: str, interpolation: str) -> None:
        track = keys if isinstance(keys, Track) else Track(keys, kind, interpolation)
        _c.lb_motion_drive(self._handle, target, index, track._handle)

    def drive(self, goal: int, keys: Any, interpolation: str = "cubic") -> None:
        """Moves a goal, by its id, along places at times: [(time, place), ...]."""
        self._drive("goal", goal, keys, "frame", interpolation)

    def drive_variable(self, name: str, keys: Any, interpolation: str = "cubic") -> None:
        """Gives a variable values at times; the solver does not move it."""
        self._drive("variable", self.problem.index(name), keys, "values", interpolation)

    def drive_weight(self, goal: int, keys: Any, interpolation: str = "linear") -> None:
        """Changes a goal's weight over time."""
        self._drive("weight", goal, keys, "values", interpolation)

    def drive_enabled(self, goal: int, keys: Any) -> None:
        """Switches a goal on (1) and off (0) at times."""
        self._drive("enabled", goal, keys, "values", "step")

    def drive_root(self, figure: int, keys: Any, interpolation: str = "cubic", onward: bool = False) -> None:
        """Moves the free root of a figure along places at times. onward: from where it is when the stage begins, by as much as the places move."""
        self._drive("root_onward" if onward else "root", self.problem._number(figure), keys, "frame", interpolation)

    def drive_active(self, name: str, keys: Any) -> None:
        """Lets the solver move a variable (1), or not (0), at times."""
        self._drive("active", self.problem.index(name), keys, "values", "step")

    def drive_limits(self, name: str, keys: Any, interpolation: str = "linear") -> None:
        """Narrows the range of a variable over time: [(time, (lower, upper)), ...]."""
        self._drive("limits", self.problem.index(name), keys, "values", interpolation)

    def drive_foot(self, foot: str, keys: Any, figure: int = 0) -> None:
        """Plants, lifts or steps a foot ("left", "right") of a figure that is posed as a body, at times: [(0, "planted"), (1, "step")].

        >>> import limber
        >>> problem = limber.Problem(limber.load("human"), {"right_palm": [0.4, -0.2, 1.2]}, body=True)
        >>> motion = limber.Motion(problem)
        >>> motion.drive_foot("left", [(0, "planted"), (1, "lifted")])
        >>> motion.end
        1.0
        """
        modes = {word: value for value, word in _c.words("lb_foot_mode").items()}
        pairs = list(keys.items()) if isinstance(keys, dict) else list(keys)
        for _, mode in pairs:
            if mode not in modes:
                raise ArgumentError(f"a foot is {', '.join(modes)}, not {mode!r}")
        limb = _limb_of(self._contacts(figure), foot)
        index = self.problem._number(figure) * _c.LB_BODY_LIMBS + limb
        self._drive("foot", index, [(time, float(modes[mode])) for time, mode in pairs], "values", "step")

    def drive_support(self, contact: str, keys: Any, figure: int = 0) -> None:
        """Lets a contact of a body ("left_palm") carry weight (1), or not (0), at times."""
        found = _find(self._contacts(figure), contact, "contact")
        self._drive("support", self.problem._number(figure) * _c.LB_BODY_PARTS + found, keys, "values", "step")

    def _contacts(self, figure: int) -> Any:
        body = _c.lb_figure_body(self.problem._figure(figure)._handle)
        if body is None:
            raise ArgumentError(f"{self.problem._figure(figure).name} has no body", "unsupported")
        return body._list("contacts", body.contact_count)

    def follow(self, goal: int, site: str, keys: Any = ((0, 1.0),), figure: int = 0, interpolation: str = "linear") -> None:
        """Moves a goal over to a site of a figure: where the weight of the keys is 0 the goal is where it was, where it is 1 at the site."""
        owner = self.problem._figure(figure)
        number = owner.place(site)[1]
        if number < 0:
            raise ArgumentError(f"{site!r} is a segment: a goal follows a site")
        track = keys if isinstance(keys, Track) else Track(keys, "values", interpolation)
        _c.lb_motion_follow(self._handle, goal, self.problem._number(figure), number, track._handle)
        self._handle.keep(track._handle)

    def stage(self, start: float, problem: Problem, method: str | None = None) -> int:
        """From a time on it goes on with another problem, because joints or figures come, go or are joined; poses carry over by name. `method`
        solves it, instead of the player's. Returns the number of the stage, which Player.clip() takes."""
        if not isinstance(problem, Problem):
            raise ArgumentError(f"a stage is a Problem, not {problem!r}")
        number = _c.lb_motion_stage(self._handle, _number(start, "a time"), problem._handle)
        self._handle.keep(problem._handle)
        self._problems.append(problem)
        if method is not None:
            _c.lb_motion_set_method(self._handle, method)
        return number

    def drive_clip(self, figure: int, clip: Clip, start: float = 0.0, interpolation: str = "cubic") -> None:
        """Lets a clip drive a figure from a time on. Goals of the figure are met over it, by their weights (drive_weight): their chains leave
        the clip as little as they need, its root only where drive_active says so."""
        _c.lb_motion_drive_clip(self._handle, figure, clip._handle, start, interpolation)
        self._handle.keep(clip._handle)

    def carry(self, object: int, carrier: int, segment: str, start: float, end: float = np.inf) -> None:
        """From a time to another a segment of one figure holds another figure with a free root."""
        number = self.problem._figure(carrier).place(segment)[0]
        _c.lb_motion_carry(self._handle, object, carrier, number, start, end)

    def play(self, **options: Any) -> Player:
        """A Player of this motion. step: seconds between two solves (1/120 unless told); others: options of solving."""
        return Player(self, **options)


class Player:
    """Plays a motion: poses at any times, in any order.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> problem = limber.Problem(arm)
    >>> hand = problem.add(limber.at("link7", [0.4, 0.0, 0.5]))
    >>> motion = limber.Motion(problem)
    >>> motion.drive(hand, [(0, [0.4, 0.0, 0.5]), (1, [0.4, 0.2, 0.5])])
    >>> player = motion.play(step=1 / 60)
    >>> player.pose(0.5).shape
    (7,)
    """

    def __init__(self, motion: Motion, step: float = 1 / 120, **options: Any):
        from .solving import _solve_options

        struct = options_of("lb_player_options", {"step": step, "warn": self._warn})
        if options:
            told, watched = _solve_options({"tracking": True, "keep_going": True, **options})
            if watched is not None:
                raise TypeError("a player cannot tell of its iterations")
            struct.options = told
        self.motion = motion
        self._options = struct
        self._handle = _c.lb_player_create(motion._handle, struct)
        self._handle.keep(struct)

    def __repr__(self) -> str:
        return f"Player({self.motion!r})"

    @staticmethod
    def _warn(time: float, message: str) -> None:
        warnings.warn(f"at {time:.3f} s: {message}", LimberWarning, stacklevel=3)

    def _count(self, time: float) -> int:
        stage = _c.lb_player_stage(self._handle, time)
        return _c.lb_problem_variable_count(_c.lb_motion_problem(self.motion._handle, stage))

    def pose(self, time: float) -> Array:
        """The pose of all figures at a time, seconds."""
        time = _number(time, "a time")
        pose = np.empty(self._count(time))
        _c.lb_player_pose(self._handle, time, pose, None)
        return pose

    def rates(self, time: float) -> Array:
        """The rates of the variables at a time, per second."""
        time = _number(time, "a time")
        rate = np.empty(self._count(time))
        _c.lb_player_rates(self._handle, time, rate, None)
        return rate

    def site(self, time: float, name: str, figure: int = 0) -> tuple[Array, Array, Array]:
        """How a site moves at a time: its frame (7), its velocity and angular velocity (6), and both accelerations (6), in the world."""
        time = _number(time, "a time")
        problem = self.motion._problems[_c.lb_player_stage(self._handle, time)]
        if problem is None:
            raise ArgumentError("the figures of a script are not there by name: take a clip of one", "unsupported")
        number = problem._figure(figure).place(name)[1]
        if number < 0:
            raise ArgumentError(f"{name!r} is a segment: give one of its sites")
        frame, velocity, acceleration = np.empty(7), np.empty(6), np.empty(6)
        _c.lb_player_site(self._handle, time, problem._number(figure), number, frame, velocity, acceleration)
        return frame, velocity, acceleration

    def clip(self, figure: int = 0, frame_time: float = 1 / 30, stage: int = 0) -> Clip:
        """The motion of a figure (during a stage) as a clip."""
        handle = _c.lb_player_clip(self._handle, stage, figure, _number(frame_time, "frame_time"))
        return Clip._of(Figure(_c.lb_clip_figure(handle)), handle)


class Script:
    """A SCEFO script (docs/scefo.md): figures and what they do. `motion` plays it."""

    def __init__(self, path: str | os.PathLike[str], **options: Any):
        given = {"warn": warn, "models": str(MODELS), **options}
        self._handle = _c.lb_script_load(os.fspath(path), options_of("lb_load_options", given))
        #: What happens, to be played: script.motion.play().
        self.motion = Motion._of(_c.lb_script_motion(self._handle), None)

    def __repr__(self) -> str:
        return f"Script({round(self.motion.end, 3)} s)"


def load_script(path: str | os.PathLike[str], **options: Any) -> Script:
    """Reads a SCEFO script with all that it includes.

    >>> import limber
    >>> try:
    ...     limber.load_script("nothing.scefo")
    ... except limber.FileError:
    ...     print("not there")
    not there
    """
    return Script(path, **options)


@dataclass(frozen=True, slots=True)
class RetargetFinding:
    """Something of a retargeting that is over its bound, in SI units: "limb-mean", "limb-worst", "wrist-mean", "ankle-mean", "slide-speed",
    "jump", "hips-step", "at-limits", "overlap" or "upright", and in which frame of the clip that came out."""

    measure: str
    value: float
    bound: float
    frame: int | None


@dataclass(frozen=True, slots=True)
class RetargetVerdict:
    """What of a retargeting is over its bounds; true where nothing is."""

    findings: tuple[RetargetFinding, ...]
    explanation: str

    def __bool__(self) -> bool:
        return not self.findings


@dataclass(frozen=True, slots=True)
class RetargetReport:
    """What came of a retargeting, measured against the source: contacts of feet, how far they slide from frame to frame and feet are off
    (metres); angles of limbs (radians), wrists and ankles (in lengths of the limb), the largest turn from a frame to the next over the
    source's, the share of values at limits."""

    contacts: int
    slide: float
    feet_off: float
    limb_mean: float
    limb_worst: float
    wrist_mean: float
    wrist_worst: float
    ankle_mean: float
    ankle_worst: float
    jump: float
    at_limits: float
    worst_frame: int
    is_robot: bool = False
    """Its hinges were solved as those of a robot; only then do the fields below say something."""
    limited_frames: int = 0
    """Frames in which a limit of speed holds a joint back."""
    speed: float = 0.0
    """The largest speed of a joint over its limit."""
    penetration: float = 0.0
    """The deepest overlap of two segments, metres."""
    below: float = 0.0
    """How far a sole gets below the floor, metres."""
    tilt: float = 0.0
    """The largest angle between a sole that should stand flat and the floor, radians."""
    size: float = 1.0
    """Of the figure, a person 1.75 m tall being 1, by its legs."""
    slide_speed: float = 0.0
    """The largest speed of a point that stands, metres a second."""
    hips_step: float = 0.0
    """The largest step of the hips from a frame to the next over the source's."""
    overlapping_frames: int = 0
    """Frames in which segments of a robot overlap by more than 1 mm."""
    first_frame: int = 0
    """The frame of the clip that came out first: 1 where a pose to begin with was left out."""
    good: bool = True
    """Nothing is over the bounds that `limber retarget` has, too."""
    explanation: str = ""
    """What is over its bound, as a sentence; empty where nothing is."""
    _struct: bytes = field(default=b"", repr=False, compare=False)

    def judge(self, **bounds: float) -> RetargetVerdict:
        """What is over bounds of one's own, the fields of lb_retarget_bounds: slide_speed=0.02 (metres a second), hips_step=2, overlap=0.001.

        >>> import limber
        >>> person = limber.load("human")
        >>> clip, report = limber.retarget(limber.Clip(person, [person.rest] * 5), limber.load("human", stature=1.5))
        >>> report.good, report.judge(at_limits=-1).findings[0].measure
        (True, 'at-limits')
        """
        verdict = _c.Struct("lb_retarget_verdict")
        _c.lb_retarget_judge(_c.Struct("lb_retarget_report", self._struct), options_of("lb_retarget_bounds", bounds), verdict)
        found = [verdict.findings[i] for i in range(verdict.count)]
        return RetargetVerdict(tuple(RetargetFinding(f.measure, f.value, f.bound, f.frame if f.frame >= 0 else None) for f in found), verdict.explanation)

    def __repr__(self) -> str:
        return (f"<RetargetReport: {self.contacts} contacts that slide {self.slide * 1000:.3g} mm, feet {self.feet_off * 1000:.3g} mm off; limbs "
                f"{np.degrees(self.limb_mean):.2g} deg off, {np.degrees(self.limb_worst):.2g} at worst; {self.at_limits:.0%} at limits>")


def _add_to_map(struct: Any, source: Figure, target: Figure, given: Any) -> None:
    """Bones that names do not tell: {bone of the source: bone of the target}."""
    ours, theirs = list(struct.source), list(struct.target)
    for a, b in dict(given).items():
        mine, other = source.place(a)[0], target.place(b)[0]
        if other in theirs:
            ours[theirs.index(other)] = mine
        elif mine in ours:
            theirs[ours.index(mine)] = other
        else:
            raise ArgumentError(f"neither {a!r} nor {b!r} is a bone that is known; say of one of them which it is by another entry")
    struct.source, struct.target = ours, theirs


_PARTS = ["pelvis", "chest", "neck", "head"] + [f"{side}_{part}" for part in
          ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shank", "foot", "toes") for side in ("left", "right")]


def humanoid_parts(figure: Figure) -> dict[str, str]:
    """The parts of a humanoid robot, found by the structure of its hinges, not by names: {"left_thigh": "left_hip_pitch_link", ...}.

    ArgumentError where the figure is not made of hinges, or no humanoid.

    >>> import limber
    >>> try:
    ...     limber.humanoid_parts(limber.load("panda"))
    ... except limber.LimberError:
    ...     print("no humanoid")
    no humanoid
    """
    segments = np.full(len(_c.Struct("lb_body_map").target), -1, dtype=np.int32)
    _c.lb_humanoid_find(figure._handle, segments)
    return {part: figure.segments[at].name for part, at in zip(_PARTS, segments.tolist()) if at >= 0}


def _moving(target: Figure) -> Figure:
    """The target; a robot whose file has it fixed to the world gets a free root."""
    try:
        free = Figure(_c.lb_humanoid_free_root(target._handle))
    except LimberError:
        return target
    return free if len(free) > len(target) else target


def retarget(clip: Clip, target: Figure, *, bones: Mapping[str, str] | None = None, **options: Any) -> tuple[Clip, RetargetReport]:
    """Another figure moves as a clip's does: one person's motion for another, of other proportions and other rest pose.

    The segments are matched by the names of bones; `bones` has those that names do not tell, {"Bip01 Spine": "thorax"}. The keywords are the fields of lb_retarget_options: hold_feet,
    weight_feet, weight_hips, weight_hands, weight_head, weight_turns, weight_limbs, smooth, first_frame, frame_count, keep_first_frame, and
    for robots keep_apart and keep_speeds. Where the clip's first frame is a pose that capture begins with, it is left out unless
    keep_first_frame is true. What is over the bounds of `limber retarget` is warned of (LimberWarning), and report.good is false. A humanoid robot is known by its structure (humanoid_parts); where its file has it fixed to the world, the
    clip's figure is the same robot with a free root.

    >>> import limber
    >>> person = limber.load("human")
    >>> still = limber.Clip(person, [person.rest] * 5, frame_time=0.1)
    >>> clip, report = limber.retarget(still, limber.load("human", stature=1.5))
    >>> len(clip)
    5
    """
    if not isinstance(clip, Clip) or not isinstance(target, Figure):
        raise ArgumentError("retarget takes a Clip and a Figure")
    target = _moving(target)
    map = _c.Struct("lb_body_map")
    _c.lb_body_map_human(clip.figure._handle, target._handle, map)
    if bones is not None:
        if not isinstance(bones, Mapping):
            raise ArgumentError(f"bones is a mapping of the clip's names to the figure's, not {bones!r}")
        _add_to_map(map, clip.figure, target, bones)
    report = _c.Struct("lb_retarget_report")
    given = {key: int(value) if isinstance(value, bool) else value for key, value in options.items()}
    told = options_of("lb_retarget_options", {"on_frame": lambda frame: False, **given})
    made = Clip._of(target, _c.lb_retarget(clip._handle, target._handle, map, told, report))
    told = report
    verdict = _c.Struct("lb_retarget_verdict")
    _c.lb_retarget_judge(report, None, verdict)
    if verdict.count:
        warnings.warn(verdict.explanation, LimberWarning, stacklevel=2)
    return made, RetargetReport(told.contact_count, told.slide, told.feet_off, told.limb_mean, told.limb_worst, told.wrist_mean, told.wrist_worst,
                                told.ankle_mean, told.ankle_worst, told.jump, told.at_limits, told.worst_frame, bool(told.is_robot), told.limited_frames, told.speed,
                                told.penetration, told.below, told.tilt, told.size, told.slide_speed, told.hips_step, told.overlapping_frames, told.first_frame,
                                verdict.count == 0, verdict.explanation, report._raw())


def human_names(figure: Figure) -> list[str | None]:
    """The names that limber's human has for the segments of another person's skeleton; None: no such bone.

    >>> import limber
    >>> limber.human_names(limber.load("human"))[0]
    'pelvis'
    """
    return _c.human_names(figure._handle)


def motion_of(problem: Problem) -> Motion | None:
    """The motion of a problem that load_problem has read; None where its file has none.

    >>> import limber
    >>> limber.motion_of(limber.Problem(limber.load("panda"))) is None
    True
    """
    handle = _c.lb_problem_file_motion(problem._file) if problem._file is not None else None
    return Motion._of(handle, problem) if handle is not None else None


__all__ += ["human_names", "motion_of"]
