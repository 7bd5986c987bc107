"""Poses by the names of other libraries' models: Pinocchio's and MuJoCo's. Neither package is needed to import this.

Hinges and slides are found by the joint's name, those that follow others (mimic joints, equalities) included; free joints and
balls by the name of the link or body that they move. What has no counterpart stays as it is.

>>> import limber
>>> from types import SimpleNamespace
>>> arm = limber.load("panda")
>>> model = SimpleNamespace(names=["universe", *arm.names], idx_qs=[0, *range(7)], nqs=[0] + [1] * 7, nq=7)
>>> q = limber.to_pinocchio(arm, arm.rest, model)
>>> bool((limber.from_pinocchio(arm, q, model) == arm.rest).all())
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _limber as _c
from .errors import ArgumentError
from .figure import Figure
from .frames import compose, inverse, numbers

__all__ = ["from_pinocchio", "to_pinocchio", "from_mujoco", "to_mujoco"]

Array = NDArray[np.float64]
IDENTITY = np.array([0.0, 0, 0, 0, 0, 0, 1])


@dataclass
class _Joint:
    """A joint of another model: its values are q[at:at + count]."""

    name: str
    at: int
    kind: str  # "value", "circle" (cosine and sine), "ball" (quaternion), "free" (position and quaternion)
    body: str = ""  # what a ball or a free joint moves,
    parent: str = ""  # relative to this body ("": the world)
    placement: Array | None = None  # where the body is, relative to the parent, while the joint does not move it


# --- The figure's side ------------------------------------------------------------------------------------------------


def _check(figure: Any) -> None:
    if not isinstance(figure, Figure):
        raise ArgumentError(f"this takes a Figure, not {figure!r}")


def _segment(figure: Figure, name: str) -> int:
    return int(_c.lb_figure_find_segment(figure._handle, name)) if name else -1


def _where(figure: Figure, kinematics: Any, segment: int) -> Array:
    out = IDENTITY.copy()
    if segment >= 0:
        _c.lb_kinematics_segment(kinematics, segment, out)
    return out


def _value_of(figure: Figure, kinematics: Any, pose: Array, name: str) -> float | None:
    """The value of a hinge or slide: a variable's, or that of a joint that follows others."""
    if name in figure._index:
        return float(pose[figure._index[name]])
    joint = _c.lb_figure_find_joint(figure._handle, name)
    if joint < 0 or _c.lb_joint_type_dof_count(_c.lb_figure_joint(figure._handle, joint).type) != 1:
        return None
    return float(_c.lb_kinematics_dof(kinematics, joint, 0))


def _motion_of(figure: Figure, kinematics: Any, joint: _Joint) -> Array | None:
    """How a ball or a free joint has moved its body: a frame relative to its placement."""
    body, parent = _segment(figure, joint.body), _segment(figure, joint.parent)
    if body < 0 or (joint.parent and parent < 0):
        return None
    still = compose(_where(figure, kinematics, parent), IDENTITY if joint.placement is None else joint.placement)
    return compose(inverse(still), _where(figure, kinematics, body))


def _move(figure: Figure, pose: Array, joint: _Joint, motion: Array) -> None:
    """Sets the variables that move the body of a ball or a free joint."""
    body, parent = _segment(figure, joint.body), _segment(figure, joint.parent)
    if body < 0 or (joint.parent and parent < 0):
        return
    kinematics = figure._kinematics(pose)
    still = compose(_where(figure, kinematics, parent), IDENTITY if joint.placement is None else joint.placement)
    wanted = compose(still, motion)
    own = _c.lb_figure_parent_joint(figure._handle, body)
    if own < 0:
        _move_root(figure, pose, wanted)
    else:
        _move_joint(figure, kinematics, pose, own, body, wanted)


def _site(figure: Figure, site: int) -> Array:
    frame = _c.lb_figure_site(figure._handle, site).frame
    return np.concatenate([frame.position, frame.rotation])


def _move_root(figure: Figure, pose: Array, wanted: Array) -> None:
    root = _c.lb_figure_root(figure._handle)
    if not root.is_free:
        return
    placement = np.concatenate([root.placement.position, root.placement.rotation])
    frame = wanted if root.site < 0 else compose(wanted, _site(figure, root.site))
    turned = compose(np.concatenate([np.zeros(3), frame[3:]]), inverse(np.concatenate([np.zeros(3), placement[3:]])))
    kind = _c.Struct("lb_joint_type")
    _c.lb_joint_type_parse("rotation", kind)
    vector = pose[3:6].copy()
    _c.lb_joint_type_dofs(kind, turned[3:].copy(), vector)
    pose[:3], pose[3:6] = frame[:3] - placement[:3], vector


def _move_joint(figure: Figure, kinematics: Any, pose: Array, number: int, body: int, wanted: Array) -> None:
    joint = _c.lb_figure_joint(figure._handle, number)
    if _c.lb_figure_site(figure._handle, joint.site_b).segment != body:
        raise ArgumentError(f"joint {joint.name!r} is turned around: its figure was re-rooted", "unsupported")
    before = np.empty(7)
    _c.lb_kinematics_site(kinematics, joint.site_a, before)
    made = compose(inverse(before), compose(wanted, _site(figure, joint.site_b)))
    count = _c.lb_joint_type_dof_count(joint.type)
    dofs = np.array([_c.lb_kinematics_dof(kinematics, number, dof) for dof in range(count)])
    at = 0
    for element in list(joint.type.elements)[:joint.type.element_count]:
        if element.kind == "translate":
            dofs[at] = np.dot(element.axis, made[:3])  # translations come first, at right angles, in what readers make
        at += 1 if element.kind in ("translate", "rotate") else 3
    _c.lb_joint_type_dofs(joint.type, made[3:].copy(), dofs)
    for dof in range(count):
        ref = _c.Struct("lb_dof_ref")
        ref.joint, ref.dof, ref.parameter = number, dof, -1
        variable = _c.lb_figure_variable_of(figure._handle, ref)
        if variable >= 0:
            pose[variable] = dofs[dof]


# --- Both ways --------------------------------------------------------------------------------------------------------


def _to(figure: Figure, pose: Any, joints: list[_Joint], q: Array, is_w_first: bool) -> Array:
    values = figure.pose(pose)
    kinematics = figure._kinematics(values)
    for joint in joints:
        if joint.kind in ("value", "circle"):
            value = _value_of(figure, kinematics, values, joint.name)
            if value is not None and joint.kind == "value":
                q[joint.at] = value
            elif value is not None:
                q[joint.at:joint.at + 2] = np.cos(value), np.sin(value)
            continue
        motion = _motion_of(figure, kinematics, joint)
        if motion is not None:
            at = joint.at + (3 if joint.kind == "free" else 0)
            q[joint.at:at] = motion[:3] if joint.kind == "free" else []
            q[at:at + 4] = np.roll(motion[3:], 1) if is_w_first else motion[3:]
    return q


def _from(figure: Figure, q: Array, joints: list[_Joint], pose: Any, is_w_first: bool) -> Array:
    out = figure.pose(pose)
    for joint in joints:
        if joint.kind in ("value", "circle"):
            if joint.name in figure._index:
                index = figure._index[joint.name]
                out[index] = q[joint.at] if joint.kind == "value" else np.arctan2(q[joint.at + 1], q[joint.at])
            continue
        at = joint.at + (3 if joint.kind == "free" else 0)
        quaternion = np.roll(q[at:at + 4], -1) if is_w_first else q[at:at + 4].copy()
        length = np.linalg.norm(quaternion)
        if not length > 0:
            raise ArgumentError(f"the quaternion of joint {joint.name!r} is 0")
        motion = np.concatenate([q[joint.at:at] if joint.kind == "free" else np.zeros(3), quaternion / length])
        _move(figure, out, joint, motion)
    return out


# --- Pinocchio --------------------------------------------------------------------------------------------------------

_PINOCCHIO = {"JointModelFreeFlyer": "free", "JointModelSpherical": "ball"}


def _link(model: Any, joint: int) -> str:
    """The link that has the frame of a joint; "" for the world."""
    if joint == 0:
        return ""
    for frame in model.frames:
        if int(frame.parentJoint) == joint and "BODY" in str(frame.type) and np.allclose(frame.placement.homogeneous, np.eye(4)):
            return frame.name
    return ""


def _pinocchio_joints(model: Any) -> list[_Joint]:
    joints = []
    for i in range(1, len(model.names)):
        count, at = int(model.nqs[i]), int(model.idx_qs[i])
        kind = _PINOCCHIO.get(model.joints[i].shortname()) if count in (4, 7) else None
        if kind:
            placed = model.jointPlacements[i]
            frame = np.empty((1, 7))
            _c.read_goal(np.ascontiguousarray(placed.homogeneous), frame, 0)
            joints.append(_Joint(model.names[i], at, kind, _link(model, i), _link(model, int(model.parents[i])), frame[0]))
        elif count in (1, 2):
            joints.append(_Joint(model.names[i], at, "value" if count == 1 else "circle"))
    return joints


def to_pinocchio(figure: Figure, pose: Any, model: Any, q: Any = None) -> Array:
    """A pose as the configuration q of a Pinocchio model. What the figure lacks keeps its values of q (the neutral
    configuration unless told).

    >>> import limber
    >>> from types import SimpleNamespace
    >>> arm = limber.load("panda")
    >>> model = SimpleNamespace(names=["universe", "joint4", "finger"], idx_qs=[0, 0, 1], nqs=[0, 1, 1], nq=2)
    >>> limber.to_pinocchio(arm, {"joint4": -1.0}, model)
    array([-1.,  0.])
    """
    _check(figure)
    joints = _pinocchio_joints(model)
    out = np.zeros(model.nq) if q is None else numbers(q, (model.nq,), "q").copy()
    for joint in joints if q is None else ():
        if joint.kind != "value":
            out[joint.at + {"circle": 0, "ball": 3, "free": 6}[joint.kind]] = 1
    return _to(figure, pose, joints, out, is_w_first=False)


def from_pinocchio(figure: Figure, q: Any, model: Any, pose: Any = None) -> Array:
    """The other way: a pose from a configuration; what the model lacks is as in pose (rest unless told).

    >>> import limber
    >>> from types import SimpleNamespace
    >>> model = SimpleNamespace(names=["universe", "joint4"], idx_qs=[0, 0], nqs=[0, 1], nq=1)
    >>> float(limber.from_pinocchio(limber.load("panda"), [-1.5], model)[3])
    -1.5
    """
    _check(figure)
    return _from(figure, numbers(q, (model.nq,), "q"), _pinocchio_joints(model), pose, is_w_first=False)


# --- MuJoCo -----------------------------------------------------------------------------------------------------------

_MUJOCO = ("free", "ball", "value", "value")  # mjJNT_FREE, mjJNT_BALL, mjJNT_SLIDE, mjJNT_HINGE


def _mujoco_joints(model: Any) -> list[_Joint]:
    joints = []
    for i in range(model.njnt):
        joint = _Joint(model.joint(i).name, int(model.jnt_qposadr[i]), _MUJOCO[int(model.jnt_type[i])])
        if joint.kind in ("free", "ball"):
            body = int(model.jnt_bodyid[i])
            joint.body = model.body(body).name
        if joint.kind == "ball":
            parent = int(model.body_parentid[body])
            joint.parent = model.body(parent).name if parent else ""
            joint.placement = np.concatenate([model.body_pos[body], np.roll(model.body_quat[body], -1)])
        joints.append(joint)
    return joints


def to_mujoco(figure: Figure, pose: Any, model: Any, qpos: Any = None) -> Array:
    """A pose as the qpos of a MuJoCo model; what the figure lacks keeps its values of qpos (qpos0 unless told). Hinges and slides
    are counted from qpos0, as the figure's are.

    >>> import limber
    >>> from types import SimpleNamespace
    >>> import numpy as np
    >>> model = SimpleNamespace(njnt=1, nq=1, jnt_qposadr=[0], jnt_type=[3], qpos0=np.zeros(1),
    ...                         joint=lambda i: SimpleNamespace(name="joint4"))
    >>> limber.to_mujoco(limber.load("panda"), {"joint4": -1.0}, model)
    array([-1.])
    """
    _check(figure)
    out = numbers(model.qpos0 if qpos is None else qpos, (model.nq,), "qpos").copy()
    return _to(figure, pose, _mujoco_joints(model), out, is_w_first=True)


def from_mujoco(figure: Figure, qpos: Any, model: Any, pose: Any = None) -> Array:
    """The other way: a pose from a qpos; what the model lacks is as in pose (rest unless told).

    >>> import limber
    >>> from types import SimpleNamespace
    >>> model = SimpleNamespace(njnt=1, nq=1, jnt_qposadr=[0], jnt_type=[3], joint=lambda i: SimpleNamespace(name="joint4"))
    >>> float(limber.from_mujoco(limber.load("panda"), [-1.0], model)[3])
    -1.0
    """
    _check(figure)
    return _from(figure, numbers(qpos, (model.nq,), "qpos"), _mujoco_joints(model), pose, is_w_first=True)
