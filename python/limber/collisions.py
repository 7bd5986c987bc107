"""What is in the way: Problem.avoid keeps figures apart from themselves and from solids around them (docs/collisions.md).

>>> import limber
>>> arm = limber.load("panda")
>>> problem = limber.Problem(arm, {"tool": [0.4, 0.1, 0.3]})
>>> problem.avoid(solids={"table": limber.box([0, 0, -0.05], [1, 1, 0.02]), "post": limber.cylinder([0.5, 0, 0], [0.5, 0, 0.6], 0.05)})
>>> found = problem.solve()
>>> found.solved, min(pair.distance for pair in problem.near(found, 0.2)) > -1e-4
(True, True)
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _limber as _c
from .errors import ArgumentError
from .figure import options_of
from .frames import as_frame, numbers
from .goals import Shape, _axes, _point, _sizes, _unit, told

__all__ = ["cylinder", "floor", "hull", "mesh", "Pair"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two things that are kept apart, in a pose: their names, the distance (metres; below 0: they overlap), of each the point that is
    nearest to the other, and the direction from b to a. figure_b is None where b is a solid of the world."""

    a: str
    b: str
    figure_a: int
    figure_b: int | None
    distance: float
    point_a: Array = field(repr=False, compare=False)
    point_b: Array = field(repr=False, compare=False)
    normal: Array = field(repr=False, compare=False)


def cylinder(start: Any, end: Any, radius: float) -> Shape:
    """A solid: a cylinder from end to end.

    >>> import limber
    >>> limber.cylinder([0, 0, 0], [0, 0, 1], 0.1)
    Shape(cylinder from (0, 0, 0) to (0, 0, 1), radius 0.1)
    """
    a, b, size = _point(start), _point(end), _sizes([radius], "a radius")[0]
    return Shape("cylinder", {"point": a, "to": b, "radius": size}, f"cylinder from {told(a)} to {told(b)}, radius {told(size)}")


def hull(vertices: Any, position: Any = (0, 0, 0), rotation: Any = (0, 0, 0, 1), radius: float = 0.0) -> Shape:
    """A solid: the convex hull of points, rounded by a radius.

    >>> import limber
    >>> limber.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    Shape(hull of 4 points)
    """
    points = numbers(vertices, (None, 3), "the vertices of a hull")
    turn = as_frame(([0, 0, 0], rotation))[3:].tolist()
    return Shape("hull", {"point": _point(position), "quaternion": turn, "radius": float(radius), "vertices": points.tolist()},
                 f"hull of {len(points)} points")


def mesh(file: str | os.PathLike[str], position: Any = (0, 0, 0), rotation: Any = (0, 0, 0, 1), scale: float = 1.0) -> Shape:
    """A solid: the convex hull of a mesh (STL, OBJ, glTF).

    >>> import limber
    >>> limber.mesh("shelf.stl", [0.5, 0, 0], scale=0.001).kind
    'mesh'
    """
    path, turn = os.path.abspath(os.fspath(file)), as_frame(([0, 0, 0], rotation))[3:].tolist()
    return Shape("mesh", {"file": path, "scale": float(scale), "point": _point(position), "quaternion": turn}, f"mesh {path}")


def floor(position: Any = (0, 0, 0), normal: Any = (0, 0, 1)) -> Shape:
    """A solid: all that is below a plane, whose normal points out of it.

    >>> import limber
    >>> limber.floor()
    Shape(floor at (0, 0, 0), normal (0, 0, 1))
    """
    point, way = _point(position), _unit(normal, "a normal")
    return Shape("half-space", {"point": point, "normal": way}, f"floor at {told(point)}, normal {told(way)}")


def _solid_of(name: str | None, solid: Any) -> dict[str, Any]:
    """A solid as world files have it."""
    if isinstance(solid, Mapping):
        entry = dict(solid)
    elif isinstance(solid, Shape) and solid.kind in ("cylinder", "hull", "mesh", "half-space"):
        entry = {"kind": solid.kind, **solid.values}
    elif isinstance(solid, Shape) and solid.kind == "sphere":
        entry = {"kind": "sphere", "point": solid.values["point"], "radius": solid.values["size"][0]}
    elif isinstance(solid, Shape) and solid.kind == "box":
        entry = {"kind": "box", "point": solid.values["point"], "half_size": solid.values["size"],
                 "quaternion": solid.values["rotation"]}
    elif isinstance(solid, Shape) and solid.kind == "capsule" and solid.values["size"][1] > 0:
        middle, way = np.array(solid.values["point"]), np.array(_axes(solid.values["rotation"])[2]) * solid.values["size"][1]
        entry = {"kind": "capsule", "point": middle - way, "to": middle + way, "radius": solid.values["size"][0]}
    elif isinstance(solid, Shape) and solid.kind == "capsule":
        entry = {"kind": "sphere", "point": solid.values["point"], "radius": solid.values["size"][0]}
    else:
        raise ArgumentError("a solid is a limber.box, sphere, capsule, cylinder, hull, mesh or floor, or a mapping as in a world file,"
                            f" not {solid!r}")
    if name is not None:
        entry["name"] = name
    return entry


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{value!r} is no number, text or list")


def read(handle: Any, itself: bool, world: Any, solids: Any, touching: Iterable[Any], more: dict[str, Any],
         options: dict[str, Any]) -> None:
    """Sets what a problem keeps apart."""
    if solids is None:
        solids = ()
    if isinstance(solids, Mapping):
        listed = [_solid_of(str(name), solid) for name, solid in solids.items()]
    elif isinstance(solids, Iterable) and not isinstance(solids, (str, bytes)):
        listed = [_solid_of(None, solid) for solid in solids]
    else:
        raise ArgumentError(f"solids are a mapping of names to shapes, or a list, not {solids!r}")
    given = {"self": bool(itself), "solids": listed, "touching": [list(pair) for pair in touching], **more}
    if isinstance(world, Mapping):
        given["solids"] = [*world.get("solids", ()), *listed]
    elif world is not None:
        given["world"] = os.path.abspath(os.fspath(world))
    try:
        text = json.dumps(given, default=_plain, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"collisions: {error}") from error
    folders = [os.path.dirname(solid["file"]) for solid in listed if solid.get("kind") == "mesh" and os.path.isabs(solid.get("file", ""))]
    if folders:  # whoever names a mesh here may read it
        options = {**options, "packages": ":".join([*([options["packages"]] if options.get("packages") else []), *folders])}
    _c.lb_problem_read_collisions(handle, text.encode(), os.getcwd(), options_of("lb_load_options", options))


def pair_of(found: Any) -> Pair:
    """A Pair of the C library's struct."""
    return Pair(found.name_a, found.name_b, found.figure_a, found.figure_b if found.figure_b >= 0 else None, found.distance,
                np.array(found.point_a), np.array(found.point_b), np.array(found.normal))
