"""How fast the Python package is, beside the C library that is in it: a Panda, places that random poses reach.

    run.py TWIN MODEL [--quick] [--peers PYTHON]

Times are the thread's own (CPU), the least of several rounds; rates of batches also by the processors' time, which other
programs on the machine do not change. Peers run in a Python of their own, where they are installed.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

import limber

HERE = pathlib.Path(__file__).resolve().parent


def least_us(act, count, rounds):
    least = float("inf")
    for _ in range(rounds):
        begin = time.thread_time()
        for i in range(count):
            act(i)
        least = min(least, (time.thread_time() - begin) / count)
    return least * 1e6


def main():
    twin, model, *options = sys.argv[1:]
    rounds = 5 if "--quick" in options else 15
    count = 20000 if "--quick" in options else 100000
    threads = len(os.sched_getaffinity(0))
    arm = limber.load(model)
    frames = arm.frames("link7", arm.random_poses(count))
    places = [limber.as_matrix(frame) for frame in frames[:2000]]

    solve = least_us(lambda i: limber.solve(arm, {"link7": places[i]}), 2000, rounds)
    problem = limber.Problem(arm)
    hand = problem.add(limber.frame("link7", places[0]))
    solver = problem.solver(restarts=50)
    rest = arm.rest
    moved = least_us(lambda i: (problem.move(hand, frames[i]), solver.solve(rest)), 2000, rounds)
    move = least_us(lambda i: problem.move(hand, frames[i]), 2000, rounds)
    rate = cpu_rate = 0.0
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        many = limber.solve_many(arm, frames, restarts=100)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        rate, cpu_rate = max(rate, count / wall), max(cpu_rate, count / cpu)
    c = json.loads(subprocess.run([twin, model, str(count), str(threads), str(rounds)], check=True, capture_output=True, text=True).stdout)

    print(f"Panda, {len(places)} places that random poses reach, from the rest pose, up to 50 restarts; all answers within 1e-5:")
    print(f"  limber.solve(arm, {{'link7': 4x4}})      {solve:7.2f} us   (at most 15)")
    print(f"  kept Solver: move and solve            {moved:7.2f} us   of which move {move:.2f}")
    print(f"  the same in C                          {c['kept_us']:7.2f} us")
    print(f"  a kept Solver's solve above C          {moved - move - c['kept_us']:7.2f} us   (at most 3)")
    print(f"Batches of {count} on {threads} threads, up to 100 restarts, {many.solved.mean():.2%} solved:")
    print(f"  limber.solve_many                   {rate:10.0f} a second   {cpu_rate:10.0f} a second of processors' time")
    print(f"  lb_solve_many                       {c['rate']:10.0f} a second   {c['cpu_rate']:10.0f}")
    print(f"  Python / C                          {rate / c['rate']:10.1%}            {cpu_rate / c['cpu_rate']:10.1%}   (at least 90%)")
    if "--peers" in options:
        peers(options[options.index("--peers") + 1], arm, frames[:200])


def peers(python, arm, frames):
    """The same places for mink and pink: they make steps, so a solve is a loop of steps until the place is reached."""
    with tempfile.TemporaryDirectory() as folder:
        urdf = os.path.join(folder, "panda.urdf")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            arm.save(urdf)
        np.save(os.path.join(folder, "frames.npy"), frames)
        np.save(os.path.join(folder, "rest.npy"), arm.rest)
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        print("Peers, the same first 200 places and start, one thread (their step is not a solve: it moves the pose a little):")
        sys.stdout.flush()
        subprocess.run([python, HERE / "peers.py", folder], env=environment, check=False)
    ours = least_us(lambda i: limber.solve(arm, {"link7": frames[i]}), len(frames), 5)
    solved = sum(limber.solve(arm, {"link7": frame}).solved for frame in frames)
    print(f"  {'limber.solve':28} {'-':>12} us a step {ours:12.1f} us a solve {solved:5d} of {len(frames)} solved")


if __name__ == "__main__":
    main()
