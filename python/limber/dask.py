"""Batches bigger than one machine, with Dask: a lazy array of places in, a lazy array of poses out.

The module needs Dask (Debian: python3-dask and python3-distributed; PyPI: dask) when it is used, not when it is imported.

    import dask.array, limber, limber.dask

    arm = limber.load("panda")
    places = dask.array.from_array(frames, chunks=(10000, 7))       # [N, 7], [N, 4, 4] or [N, 3]
    q = limber.dask.solve_many(arm, places)                         # lazy: [N, variables]
    q.compute()

Each chunk is one call of limber.solve_many. A pose depends on its place and the start alone, so that the answers are the same
bits for any number of workers and any chunks.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from .errors import ArgumentError
from .figure import Figure, loads
from . import solving

__all__ = ["solve_many"]

_FIGURES: dict[str, Figure] = {}  # of this worker, by their text


def _figure(text: str) -> Figure:
    key = hashlib.sha256(text.encode()).hexdigest()
    if key not in _FIGURES:
        if len(_FIGURES) >= 16:
            _FIGURES.pop(next(iter(_FIGURES)))
        _FIGURES[key] = loads(text, "dask", format="fig")
    return _FIGURES[key]


def solve_chunk(places: Any, text: str, effector: str, start: Any, with_solved: bool, options: dict[str, Any]) -> Any:
    """The poses of one chunk; with_solved: and a column that is 1 where the place is reached (a worker calls this)."""
    if places.size == 0:
        return np.empty((0, len(start) + int(with_solved)))
    many = solving.solve_many(_figure(text), np.ascontiguousarray(places), effector, starts=start, **options)
    return np.column_stack([many.q, many.solved]) if with_solved else many.q


def solve_many(figure: Figure, places: Any, effector: str | None = None, *, start: Any = None, with_solved: bool = False,
               threads: int = 1, **options: Any) -> Any:
    """limber.solve_many for a Dask array of places [N, 7], [N, 4, 4] or [N, 3]: a lazy array [N, variables].

    with_solved adds a last column that is 1 where the place is reached. Dask's workers are the threads, so each chunk uses
    one unless told. Keywords are the options of limber.solve.
    """
    if not isinstance(figure, Figure):
        raise ArgumentError(f"solve_many takes a Figure, not {figure!r}")
    if not hasattr(places, "map_blocks"):
        raise ArgumentError(f"this takes a Dask array; limber.solve_many takes NumPy's: {type(places).__name__}")
    tail = tuple(places.shape[1:])
    if tail not in ((7,), (4, 4), (3,)):
        raise ArgumentError(f"places are [N, 4, 4], [N, 7] or [N, 3], not {places.shape}")
    places = places.rechunk({axis: -1 for axis in range(1, places.ndim)})
    name = effector if effector is not None else solving._last_link(figure)
    first = figure.pose(start)
    text = figure.dumps()
    # the figure that workers read from text is also this one's: variables in the same order
    width = len(figure) + int(with_solved)
    return places.map_blocks(solve_chunk, text, name, first, with_solved, {"threads": threads, **options}, dtype=np.float64,
                             drop_axis=list(range(1, places.ndim)), new_axis=[1], chunks=(places.chunks[0], (width,)),
                             meta=np.empty((0, 0)))
