"""Poses by the joint names of other libraries' models: Pinocchio's and MuJoCo's. Neither package is needed to import this.

>>> import limber
>>> from types import SimpleNamespace
>>> arm = limber.load("panda")
>>> model = SimpleNamespace(names=["universe", *arm.names], idx_qs=[0, *range(7)], nqs=[0] + [1] * 7, nq=7)
>>> q = limber.to_pinocchio(arm, arm.rest, model)
>>> bool((limber.from_pinocchio(arm, q, model) == arm.rest).all())
True
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import ArgumentError
from .figure import Figure
from .frames import numbers

__all__ = ["from_pinocchio", "to_pinocchio", "from_mujoco", "to_mujoco"]

Array = NDArray[np.float64]


def _pinocchio_joints(model: Any) -> list[tuple[str, int, int]]:
    return [(model.names[i], int(model.idx_qs[i]), int(model.nqs[i])) for i in range(1, len(model.names))]


def _check(figure: Any) -> None:
    if not isinstance(figure, Figure):
        raise ArgumentError(f"this takes a Figure, not {figure!r}")


def to_pinocchio(figure: Figure, pose: Any, model: Any, q: Any = None) -> Array:
    """A pose as the configuration q of a Pinocchio model, by joint names. Joints that the figure lacks keep their values of
    q (zeros unless told); joints of one value are copied, those of two are taken as (cos, sin).

    >>> import limber
    >>> from types import SimpleNamespace
    >>> arm = limber.load("panda")
    >>> model = SimpleNamespace(names=["universe", "joint4", "finger"], idx_qs=[0, 0, 1], nqs=[0, 1, 1], nq=2)
    >>> limber.to_pinocchio(arm, {"joint4": -1.0}, model)
    array([-1.,  0.])
    """
    _check(figure)
    values = figure.pose(pose)
    out = np.zeros(model.nq) if q is None else numbers(q, (model.nq,), "q").copy()
    for name, at, count in _pinocchio_joints(model):
        if name in figure._index and count in (1, 2):
            value = values[figure._index[name]]
            out[at:at + count] = [value] if count == 1 else [np.cos(value), np.sin(value)]
    return out


def from_pinocchio(figure: Figure, q: Any, model: Any, pose: Any = None) -> Array:
    """The other way: a pose from a configuration; what the model lacks is as in pose (rest unless told).

    >>> import limber
    >>> from types import SimpleNamespace
    >>> model = SimpleNamespace(names=["universe", "joint4"], idx_qs=[0, 0], nqs=[0, 1], nq=1)
    >>> float(limber.from_pinocchio(limber.load("panda"), [-1.5], model)[3])
    -1.5
    """
    _check(figure)
    values = numbers(q, (model.nq,), "q")
    out = figure.pose(pose)
    for name, at, count in _pinocchio_joints(model):
        if name in figure._index and count in (1, 2):
            out[figure._index[name]] = values[at] if count == 1 else np.arctan2(values[at + 1], values[at])
    return out


def _mujoco_joints(model: Any) -> list[tuple[str, int]]:
    hinge_or_slide = (2, 3)  # mjJNT_SLIDE, mjJNT_HINGE
    return [(model.joint(i).name, int(model.jnt_qposadr[i])) for i in range(model.njnt) if int(model.jnt_type[i]) in hinge_or_slide]


def to_mujoco(figure: Figure, pose: Any, model: Any, qpos: Any = None) -> Array:
    """A pose as the qpos of a MuJoCo model, by the names of hinges and slides; others keep their values of qpos (qpos0).

    >>> import limber
    >>> from types import SimpleNamespace
    >>> import numpy as np
    >>> model = SimpleNamespace(njnt=1, nq=1, jnt_qposadr=[0], jnt_type=[3], qpos0=np.zeros(1),
    ...                         joint=lambda i: SimpleNamespace(name="joint4"))
    >>> limber.to_mujoco(limber.load("panda"), {"joint4": -1.0}, model)
    array([-1.])
    """
    _check(figure)
    values = figure.pose(pose)
    out = numbers(model.qpos0 if qpos is None else qpos, (model.nq,), "qpos").copy()
    for name, at in _mujoco_joints(model):
        if name in figure._index:
            out[at] = values[figure._index[name]]
    return out


def from_mujoco(figure: Figure, qpos: Any, model: Any, pose: Any = None) -> Array:
    """The other way: a pose from a qpos; what the model lacks is as in pose (rest unless told).

    >>> import limber
    >>> from types import SimpleNamespace
    >>> model = SimpleNamespace(njnt=1, nq=1, jnt_qposadr=[0], jnt_type=[3], joint=lambda i: SimpleNamespace(name="joint4"))
    >>> float(limber.from_mujoco(limber.load("panda"), [-1.0], model)[3])
    -1.0
    """
    _check(figure)
    values = numbers(qpos, (model.nq,), "qpos")
    out = figure.pose(pose)
    for name, at in _mujoco_joints(model):
        if name in figure._index:
            out[figure._index[name]] = values[at]
    return out
