"""Frames: positions with orientations. SI units, right-handed, Z up; quaternions are x, y, z, w.

>>> import limber
>>> limber.as_matrix([1, 2, 3, 0, 0, 0, 1])[:3, 3]
array([1., 2., 3.])
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _limber as _c
from .errors import ArgumentError

__all__ = ["as_frame", "as_matrix", "compose", "inverse", "rotation", "rpy_of"]

Array = NDArray[np.float64]


def numbers(value: Any, shape: tuple[int | None, ...], what: str) -> Array:
    """An array of doubles of this shape (None: any length), or an exception that says what it should be."""
    try:
        array = np.asarray(value, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"{what} must be numbers, not {_short(value)}") from error
    if array.ndim != len(shape) or any(n is not None and n != m for n, m in zip(shape, array.shape)):
        wanted = " x ".join("N" if n is None else str(n) for n in shape)
        raise ArgumentError(f"{what} must be {wanted} numbers, not of shape {array.shape}")
    if array.dtype.kind != "f" or not np.isfinite(array).all():
        raise ArgumentError(f"{what} must be finite numbers")
    return array


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def read(value: Any, frames: Array, index: int) -> int:
    """Writes what a pose in space says to frames[index]; 1: it is a position, 2: it has an orientation."""
    found = _c.read_goal(value, frames, index)
    if found:
        return found
    if isinstance(value, (tuple, list)) and len(value) == 2 and not all(isinstance(part, (int, float)) for part in value):
        position = numbers(value[0], (3,), "a position")
        turn = np.asarray(value[1], dtype=np.float64) if not isinstance(value[1], str) else None
        if turn is None or turn.shape not in ((4,), (3, 3)):
            raise ArgumentError("an orientation is a quaternion x, y, z, w or a 3x3 matrix")
        if turn.shape == (3, 3):
            matrix = np.eye(4)
            matrix[:3, :3] = turn
            matrix[:3, 3] = position
            return _c.read_goal(matrix, frames, index)
        return _c.read_goal(np.concatenate([position, turn]), frames, index)
    if value is None or isinstance(value, (str, bytes, dict, set)):
        raise ArgumentError(f"{_short(value)} is no place: give a position, (position, quaternion) or a 4x4 matrix")
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"{_short(value)} is no place: give a position, (position, quaternion) or a 4x4 matrix") from error
    found = _c.read_goal(array, frames, index) if array.shape in ((3,), (7,), (4, 4)) else 0
    if not found:
        raise ArgumentError(f"a place is a position (3), position and quaternion (7) or a 4x4 matrix, not of shape {array.shape}")
    return found


def as_frame(place: Any) -> Array:
    """A place as seven numbers: position, then quaternion x, y, z, w.

    >>> import limber
    >>> limber.as_frame(([0, 0, 1], [0, 0, 0, 1]))
    array([0., 0., 1., 0., 0., 0., 1.])
    """
    frame = np.empty((1, 7))
    read(place, frame, 0)
    if not np.isfinite(frame).all():
        raise ArgumentError("a place must be finite numbers")
    return frame[0]


def as_matrix(place: Any) -> Array:
    """A place as a 4x4 matrix.

    >>> import limber
    >>> limber.as_matrix([0.5, 0, 0])[0]
    array([1. , 0. , 0. , 0.5])
    """
    frame = as_frame(place)
    turn = np.empty(9)
    _c.lb_rotation_to_matrix(frame[3:].copy(), turn)
    matrix = np.eye(4)
    matrix[:3, :3] = turn.reshape(3, 3)
    matrix[:3, 3] = frame[:3]
    return matrix


def compose(a: Any, b: Any) -> Array:
    """The frame b, given relative to a, in the frame that a is given in: seven numbers.

    >>> import limber
    >>> limber.compose([1, 0, 0], [0, 1, 0])[:3]
    array([1., 1., 0.])
    """
    out = np.empty(7)
    _c.lb_frame_multiply(as_frame(a), as_frame(b), out)
    return out


def inverse(a: Any) -> Array:
    """The frame that undoes a.

    >>> import limber
    >>> limber.inverse([1, 0, 0])[0]
    -1.0
    """
    out = np.empty(7)
    _c.lb_frame_invert(as_frame(a), out)
    return out


def rotation(axis: ArrayLike | None = None, angle: float = 0.0, *, rpy: ArrayLike | None = None) -> Array:
    """A quaternion x, y, z, w: by an angle (radians) about an axis, or from roll, pitch and yaw as URDF has them.

    >>> import limber
    >>> limber.rotation([0, 0, 1], 0.0)
    array([0., 0., 0., 1.])
    """
    out = np.empty(4)
    if rpy is not None:
        _c.lb_rotation_from_rpy(numbers(rpy, (3,), "roll, pitch and yaw"), out)
    else:
        _c.lb_rotation_about(numbers([0, 0, 1] if axis is None else axis, (3,), "an axis"), float(angle), out)
    return out


def rpy_of(rotation: ArrayLike) -> Array:
    """Roll, pitch and yaw of a quaternion x, y, z, w, radians, as URDF has them: rotation(rpy=...) undoes it.

    >>> import limber
    >>> limber.rpy_of(limber.rotation(rpy=[0.1, 0.2, 0.3])).round(6)
    array([0.1, 0.2, 0.3])
    """
    out = np.empty(3)
    _c.lb_rotation_to_rpy(as_frame(([0, 0, 0], rotation))[3:].copy(), out)
    return out
