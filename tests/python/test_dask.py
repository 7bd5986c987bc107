"""Batches through Dask: lazy, and the same bits for any chunks and workers. Skips where there is no Dask."""

import os

from setup import LIB, check, finish, raises, skip

import numpy as np

import limber
import limber.dask

try:
    import dask
    import dask.array
except ImportError:
    skip("there is no Dask (python3-dask)")


def main():
    arm = limber.load("panda")
    frames = arm.frames("link7", arm.random_poses(400))
    wanted = limber.solve_many(arm, frames, restarts=50)
    for chunk in (400, 150, 37):
        lazy = limber.dask.solve_many(arm, dask.array.from_array(frames, chunks=(chunk, 7)), restarts=50)
        check(isinstance(lazy, dask.array.Array) and lazy.shape == (400, 7), f"chunks of {chunk}: {lazy!r}")
        for scheduler in ("threads", "synchronous"):
            found = lazy.compute(scheduler=scheduler)
            check((found == wanted.q).all(), f"chunks of {chunk}, {scheduler}: other bits")
    matrices = np.array([limber.as_matrix(frame) for frame in frames[:50]])
    lazy = limber.dask.solve_many(arm, dask.array.from_array(matrices, chunks=(20, 2, 4)), with_solved=True, restarts=50)
    found = lazy.compute(scheduler="threads")
    check(found.shape == (50, 8) and found[:, 7].all(), "4x4 matrices in small chunks, and whether they are reached")
    raises(ValueError, lambda: limber.dask.solve_many(arm, frames), "an array of NumPy's", "Dask array")
    try:
        import distributed
    except ImportError:
        distributed = None
    if distributed:
        os.environ["PYTHONPATH"] = str(LIB)  # of the workers
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            with distributed.Client(cluster):
                lazy = limber.dask.solve_many(arm, dask.array.from_array(frames, chunks=(50, 7)), restarts=50)
                check((lazy.compute() == wanted.q).all(), "two processes: other bits")
    finish("with two processes" if distributed else "without distributed")


if __name__ == "__main__":  # which workers, that begin with this file too, are not
    main()
