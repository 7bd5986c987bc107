"""Maps of what is within reach: made here in memory (limber.reach_map), or read from the files that `limber reach` writes
(limber.load_map, which needs h5py).

>>> import limber
>>> map = limber.reach_map(limber.load("panda"), "link7", spacing=0.25)
>>> map.at([0.5, 0, 0.5]), map.at([9, 9, 9])
('reached', 'outside')
"""

from __future__ import annotations

import os
import struct
import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import ArgumentError
from .figure import Figure, loads
from .frames import numbers
from .goals import told
from .picture import Picture
from .reach import Reach
from .solving import solve_many

__all__ = ["ReachMap", "load_map", "reach_map"]

Array = NDArray[np.float64]
STATES = ("not asked", "reached", "outside", "not found")  #: "outside" is proved; "not found" proves nothing
MOST_FRAMES = 100_000_000


@dataclass(frozen=True, eq=False)
class ReachMap:
    """A grid of cells: arrays are [x, y, z]. `state` has numbers of STATES: 1 reached (with one orientation at least), 2 proved
    to be out of reach with all of them, 3 not found from the starts that were tried. `reached`, `outside` and `unfound` count
    orientations. `missing` is what a cell lacks in metres, at least: 0 where it is reached."""

    figure: Figure
    site: str
    origin: Array  # the middle of the first cell
    spacing: float
    orientations: Array | None  # [n, 4], or None: the position alone counts
    state: NDArray[np.uint8]
    reached: NDArray[np.uint16]
    outside: NDArray[np.uint16]
    unfound: NDArray[np.uint16]
    missing: NDArray[np.float32] = field(repr=False)

    def __repr__(self) -> str:
        counts = ", ".join(f"{np.count_nonzero(self.state == k)} {name}" for k, name in enumerate(STATES) if (self.state == k).any())
        return f"ReachMap({self.figure.name}, {self.site}: {'x'.join(map(str, self.state.shape))} cells of {self.spacing:g} m; {counts})"

    def index(self, point: Any) -> tuple[int, int, int] | None:
        """The cell that a point is in; None outside of the map."""
        place = np.floor((numbers(point, (3,), "a point") - self.origin) / self.spacing + 0.5)
        if not ((place >= 0) & (place < self.state.shape)).all():
            return None
        return int(place[0]), int(place[1]), int(place[2])

    def at(self, point: Any) -> str:
        """What the map says of a point: one of STATES. A map that reach_map made covers all that can be reached, so that what lies
        beyond its box is "outside"; of others it was "not asked".

        >>> import limber
        >>> map = limber.reach_map(limber.load("panda"), "link7", spacing=0.5)
        >>> map.at([0.5, 0, 0.5])
        'reached'
        """
        cell = self.index(point)
        if cell is None:
            return "outside" if self._covers_all else "not asked"
        return STATES[self.state[cell]]

    @property
    def _covers_all(self) -> bool:
        return bool(self.__dict__.get("covers_all", False))

    @property
    def centres(self) -> Array:
        """The middles of the cells: [x, y, z, 3]."""
        axes = [self.origin[k] + self.spacing * np.arange(count) for k, count in enumerate(self.state.shape)]
        return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)

    @property
    def share(self) -> Array:
        """The share of the orientations that each cell is reached with."""
        return self.reached / max(1, 1 if self.orientations is None else len(self.orientations))


    def render(self, at: Any = None, width: int = 900) -> Picture:
        """Three slices through a point (the middle of what is reached unless told), as a picture: seen from the side (x to the right, z
        up), from the front (y to the right, z up), and from above (x to the right, y up). Blue is reached, the darker with the more
        orientations; grey is proved to be out of reach, orange was not found; white was not asked, or is outside of the map.

        >>> import limber
        >>> limber.reach_map(limber.load("panda"), "link7", spacing=0.25).render(width=300)
        <Picture, 300 x ...>
        """
        if isinstance(width, bool) or not isinstance(width, int) or not 30 <= width <= 20000:
            raise ArgumentError(f"a width is a number of pixels from 30 to 20000, not {width!r}")
        if at is None:
            there = np.argwhere(self.state == 1)
            cell = tuple(int(v) for v in there.mean(axis=0).round()) if len(there) else tuple(n // 2 for n in self.state.shape)
        else:
            found = self.index(at)
            if found is None:
                raise ArgumentError(f"{told(numbers(at, (3,), 'a point'))} is outside of the map")
            cell = found
        colors = np.array([[255, 255, 255], [0, 0, 0], [222, 224, 228], [240, 160, 60]], dtype=np.uint8)[self.state]
        share = np.clip(self.share, 0, 1)[..., None]
        blue = np.array([176, 208, 240]) * (1 - share) + np.array([24, 88, 168]) * share
        colors[self.state == 1] = blue[self.state == 1].astype(np.uint8)
        slices = [colors[:, cell[1], :], colors[cell[0], :, :], colors[:, :, cell[2]]]  # [right, up, 3]
        gap = max(2, width // 90)
        pixels = (width - 4 * gap) / sum(part.shape[0] for part in slices)
        height = int(max(part.shape[1] for part in slices) * pixels) + 2 * gap
        page = np.full((height, width, 3), 255, dtype=np.uint8)
        left = float(gap)
        for part in slices:
            wide, high = int(part.shape[0] * pixels), int(part.shape[1] * pixels)
            x = np.minimum((np.arange(wide) / pixels).astype(int), part.shape[0] - 1)
            y = np.minimum((np.arange(high)[::-1] / pixels).astype(int), part.shape[1] - 1)
            page[gap:gap + high, int(left):int(left) + wide] = part[x][:, y].transpose(1, 0, 2)
            left += part.shape[0] * pixels + gap
        return Picture(_png(page), width, height)

    def _repr_png_(self) -> bytes:
        return self.render().png


def _png(page: NDArray[np.uint8]) -> bytes:
    """An array [height, width, 3] as a PNG file."""
    height, width, _ = page.shape
    rows = np.hstack([np.zeros((height, 1), dtype=np.uint8), page.reshape(height, -1)])

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) + chunk(b"IEND", b"")


def _grid(low: Array, high: Array, spacing: float) -> tuple[Array, tuple[int, int, int]]:
    """As many cells as cover the box, in its middle, as `limber reach` has them."""
    counts = np.maximum(1, np.ceil((high - low) / spacing - 1e-9))
    return (low + high) / 2 - (counts - 1) / 2 * spacing, (int(counts[0]), int(counts[1]), int(counts[2]))


def reach_map(figure: Figure, site: str, *, spacing: float = 0.05, box: Any = None, orientations: Any = None, starts: int = 80,
              threads: int = 0) -> ReachMap:
    """Where a link, segment or site can go: a map of the figure as it stands in its rest pose, from proofs (limber.Reach) and
    solves. `box` has the lowest and the highest corner (all that can be reached unless told), `orientations` quaternions
    [n, 4] that each cell is asked for (the position alone unless told), `starts` is how often a frame is tried. Maps that
    do not fit into memory, of bodies, or on a cluster: `limber reach`.

    >>> import limber
    >>> limber.reach_map(limber.load("panda"), "link7", spacing=0.5).state.shape
    (4, 4, 3)
    """
    if isinstance(spacing, bool) or not isinstance(spacing, (int, float)) or not 0 < spacing < np.inf:
        raise ArgumentError(f"the spacing is a length in metres, not {spacing!r}")
    if isinstance(starts, bool) or not isinstance(starts, int) or not 1 <= starts <= 1_000_000:
        raise ArgumentError(f"starts is a number from 1 to a million, not {starts!r}")
    reach = Reach(figure, site, frames=orientations is not None)
    corners = np.array(reach.box) if box is None else numbers(box, (2, 3), "a box: its lowest and its highest corner")
    if not np.isfinite(corners).all() or not (corners[0] < corners[1]).all():
        raise ArgumentError("the box has no volume, or no end: give box=([x0, y0, z0], [x1, y1, z1])")
    turns = None if orientations is None else numbers(orientations, (None, 4), "orientations")
    if turns is not None and not (len(turns) and np.allclose(np.linalg.norm(turns, axis=1), 1, atol=1e-3)):
        raise ArgumentError("orientations are quaternions x, y, z, w of length 1")
    frames = ((corners[1] - corners[0]) / spacing + 1).prod() * (1 if turns is None else len(turns))
    if not frames <= MOST_FRAMES:
        raise ArgumentError(f"{frames:.3g} frames are too many for memory: `limber reach` makes such maps, as files")
    origin, shape = _grid(corners[0], corners[1], float(spacing))
    axes = [origin[k] + spacing * np.arange(count) for k, count in enumerate(shape)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    counts, missing = _ask(figure, site, reach, points, turns, starts, threads)
    state = np.where(counts[0] > 0, 1, np.where(counts[2] > 0, 3, 2)).astype(np.uint8)
    reached, outside, unfound = (count.reshape(shape) for count in counts)
    made = ReachMap(figure, site, origin, float(spacing), turns, state.reshape(shape), reached, outside, unfound, missing.reshape(shape))
    made.__dict__["covers_all"] = box is None
    return made


def _ask(figure: Figure, site: str, reach: Reach, points: Array, turns: Array | None, starts: int, threads: int) -> Any:
    """Numbers of orientations reached, proved to be out of reach and not found, and what is missing, of each point."""
    counts = [np.zeros(len(points), dtype=np.uint16) for _ in range(3)]
    missing = np.full(len(points), np.inf, dtype=np.float32)
    for turn in [None] if turns is None else turns:
        places = points if turn is None else np.hstack([points, np.broadcast_to(turn, (len(points), 4))])
        answers = [reach.point(place) if turn is None else reach.frame(place) for place in places]
        proved = np.array([answer.verdict == "outside" for answer in answers])
        lack = np.array([answer.distance if answer.verdict == "outside" else 0.0 for answer in answers])
        asked = np.flatnonzero(~proved)
        if len(asked):
            many = solve_many(figure, np.ascontiguousarray(places[asked]), site, restarts=starts - 1, threads=threads)
            solved = np.asarray(many.solved)
            there = figure.frames(site, many.q)[:, :3]
            lack[asked] = np.where(solved, 0, np.linalg.norm(there - points[asked], axis=1))
            counts[0][asked] += solved
            counts[2][asked] += ~solved
        counts[1] += proved
        missing = np.minimum(missing, lack.astype(np.float32))
    return counts, missing


def load_map(path: str | os.PathLike[str]) -> ReachMap:
    """Reads a map that `limber reach` wrote as a grid (docs/map-files.md). h5py is needed (Debian: python3-h5py). Of a file that you
    do not trust let `limber reach query` look at it first: it checks more.

    >>> import limber
    >>> limber.load_map("nowhere.h5")
    Traceback (most recent call last):
    ...
    limber.errors.ArgumentError: nowhere.h5: there is no such file
    """
    text = os.fspath(path)
    if not os.path.exists(text):
        raise ArgumentError(f"{text}: there is no such file")
    try:
        import h5py  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise ArgumentError("reading a map needs h5py (Debian: python3-h5py; PyPI: h5py)", "unsupported") from error
    try:
        with h5py.File(text, "r") as file:
            return _read(text, file)
    except (OSError, KeyError, TypeError) as error:
        raise ArgumentError(f"{text}: is no map that can be read: {error}") from error


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _read(path: str, file: Any) -> ReachMap:
    attributes = file.attrs
    if _text(attributes["format"]) != "limber map":
        raise ArgumentError(f"{path}: is no map of Limber's")
    if int(attributes["version"]) > 1:
        raise ArgumentError(f"{path}: is a map of version {int(attributes['version'])}; this reads version 1: take a newer Limber")
    if _text(attributes["kind"]) != "grid":
        raise ArgumentError(f"{path}: is a list of points, not a grid; h5py reads it as docs/map-files.md says")
    figure = loads(file["figure"][:].tobytes(), format="fig")
    turned = {name: np.ascontiguousarray(file[name][:].T) for name in ("state", "reached", "outside", "unfound", "missing")}
    orientations = file["orientations"][:] if int(attributes["has_orientations"]) else None
    return ReachMap(figure, _text(attributes["sites"]), np.asarray(attributes["origin"], dtype=np.float64), float(attributes["spacing"]),
                    orientations, **turned)
