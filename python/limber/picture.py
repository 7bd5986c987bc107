"""Pictures, as PNG, SVG or PDF.

>>> import limber
>>> arm = limber.load("panda")
>>> arm.render(title="Panda", width=300, height=200)
<Picture, 300 x 200>
"""

from __future__ import annotations

import os
import pathlib
import tempfile
from typing import Any

import numpy as np

from . import _limber as _c
from .errors import ArgumentError
from .figure import options_of

__all__ = ["Picture", "render"]


class Picture:
    """A picture that a notebook shows; `png` has its bytes."""

    def __init__(self, png: bytes, width: int, height: int):
        self.png = png
        self.width = width
        self.height = height

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<Picture, {self.width} x {self.height}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the PNG to a file."""
        pathlib.Path(path).write_bytes(self.png)


def _options(options: dict[str, Any]) -> Any:
    given = dict(options)
    for name in ("perspective", "show_shapes", "show_joints", "show_sites", "show_labels", "show_limits", "show_ground",
                 "show_com", "show_scale", "dark"):
        if name in given:
            given[name] = int(bool(given[name]))
    if "views" in given:
        views = [given["views"]] if isinstance(given["views"], str) else list(given["views"])
        given["views"], given["view_count"] = views, len(views)
    if "azimuth_deg" in given or "elevation_deg" in given:
        given["has_camera"] = 1
    if "lower" in given or "upper" in given:
        given["has_bounds"] = 1
    return options_of("lb_render_options", given)


def render(figures: list[tuple[Any, Any]], markers: list[Any] | None = None, path: str | os.PathLike[str] | None = None,
           **options: Any) -> Picture:
    """Draws figures in their poses, [(figure, pose or None), ...], as a Picture, and to a path (.png, .svg, .pdf) where one is given.
    `markers` are places with whether they are met: [(place, True), ...]. The other keywords are those of Figure.render.

    >>> import limber
    >>> arm = limber.load("panda")
    >>> limber.render([(arm, None), (arm, {"joint1": 1.0})], width=200, height=200)
    <Picture, 200 x 200>
    """
    if not figures:
        raise ArgumentError("there is no figure to draw")
    struct = _options(options)
    poses = [figure.pose(pose) for figure, pose in figures]
    if path is not None:
        _draw(figures, poses, markers, os.fspath(path), struct)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "picture.png")
        struct.format = "png"
        _draw(figures, poses, markers, file, struct)
        return Picture(pathlib.Path(file).read_bytes(), struct.width, struct.height)


def _draw(figures: list[tuple[Any, Any]], poses: list[Any], markers: list[Any] | None, path: str, struct: Any) -> None:
    if len(figures) == 1 and not markers:
        _c.lb_figure_render(figures[0][0]._handle, poses[0], path, struct)
        return
    _c.scene_render([figure._handle for figure, _ in figures], poses, _markers(markers or []), len(markers or []), path, struct)


def _markers(markers: list[Any]) -> bytes:
    raw = b""
    for place, is_met in markers:
        from .frames import read

        frame = np.empty((1, 7))
        found = read(place, frame, 0)
        marker = _c.Struct("lb_marker")
        marker.kind = "frame" if found == 2 else "point"
        marker.frame.position = frame[0, :3]
        marker.frame.rotation = frame[0, 3:]
        marker.is_met = int(bool(is_met))
        raw += marker._raw()
    return raw
