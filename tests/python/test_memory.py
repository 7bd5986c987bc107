"""Nothing leaks: what is done again and again leaves no more behind than doing it a few times. Python's memory is counted by
tracemalloc, the C library's by what the system says of the process, after exceptions as after answers."""

import contextlib
import ctypes
import gc
import pickle
import tracemalloc

from setup import check, finish

import numpy as np

import limber

arm = limber.load("panda")
human = limber.load("human")
target = arm.where("link7", arm.random_pose(3))
frames = arm.frames("link7", arm.random_poses(50))
arms = {"ur5": limber.load("ur5")}
arms["place"] = arms["ur5"].frame("wrist3", arms["ur5"].random_pose(2))


def fail(call):
    try:
        call()
    except Exception:
        return
    raise AssertionError("nothing was raised")


def custom():
    problem = limber.Problem(arm)
    problem.add(limber.custom("link7", lambda e: ((e[2] - 0.5) ** 2, [0, 0, 2 * (e[2] - 0.5), *[0] * 6]) if problem else 0))
    problem.solve()


def motion():
    problem = limber.Problem(arm)
    hand = problem.add(limber.at("link7", [0.4, 0, 0.5]))
    made = limber.Motion(problem)
    made.drive(hand, [(0, [0.4, 0, 0.5]), (0.2, [0.4, 0.05, 0.5])])
    made.play(step=0.05).clip(0, 0.1).sample(0.1)


def solver():
    problem = limber.Problem(arm, {"link7": target})
    kept = problem.solver()
    for _ in range(3):
        kept.solve()
    kept.explain()


ACTS = {
    "load": (lambda: limber.load("panda"), 200),
    "text": (lambda: limber.loads(arm.dumps(), format="fig"), 100),
    "solve": (lambda: limber.solve(arm, {"link7": target}), 2000),
    "solve, out of reach": (lambda: limber.solve(arm, {"link7": [3, 0, 0]}), 50),
    "solve, many shapes of options": (lambda: limber.solve(arm, {"link7": target}, on_iteration=lambda *a: 0), 100),
    "solve_many": (lambda: limber.solve_many(arm, frames), 50),
    "closed form": (lambda: limber.ClosedForm(arms["ur5"], "wrist3").solve(arms["place"]), 100),
    "closed form that is none": (lambda: fail(lambda: limber.ClosedForm(human, "right_palm")), 100),
    "workspace": (lambda: limber.Reach(arm, "link7", spacing=-1).point([0, 0, 1]), 100),
    "habit": (lambda: limber.load_habit("human", human).cost(human.rest), 10),
    "problem as text": (lambda: limber.Problem(arm, {"link7": target}).dumps(), 100),
    "solver": (solver, 100),
    "builder": (lambda: limber.Builder(arm).finish(), 100),
    "goals": (lambda: limber.Problem(arm, {"link7": target}).goals, 100),
    "custom": (custom, 100),
    "motion": (motion, 20),
    "render": (lambda: arm.render(width=64, height=64), 20),
    "kinematics": (lambda: (arm.jacobian("link7"), arm.frames("link7", arm.random_poses(5)), arm.segments), 200),
    "pickle": (lambda: pickle.loads(pickle.dumps((arm, limber.solve(arm, {"link7": target})))), 50),
    "body": (lambda: limber.Problem(human, body={"loads": {"right_hand": 3}, "surfaces": {"t": [0, 0, 1]}}), 30),
    "bad name": (lambda: fail(lambda: limber.solve(arm, {"nothing": target})), 300),
    "bad matrix": (lambda: fail(lambda: limber.solve(arm, {"link7": np.zeros((4, 4))})), 1000),
    "bad file": (lambda: fail(lambda: limber.load("nowhere.urdf")), 300),
    "bad function": (lambda: fail(lambda: limber.solve(arm, [limber.custom("link7", lambda e: 1 / 0)])), 100),
    "bad option": (lambda: fail(lambda: limber.solve(arm, {"link7": target}, speed=1)), 300),
    "bad batch": (lambda: fail(lambda: limber.solve_many(arm, np.zeros((3, 5)))), 300),
}


def resident():
    """Kilobytes of the process that are not shared, without what the C library keeps for later: cycles that wait for the collector leave
    holes, whose size depends on when it runs."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/smaps_rollup", encoding="ascii") as file:
        for line in file:
            if line.startswith("Anonymous:"):
                return int(line.split()[1])
    return 0


for name, (act, count) in ACTS.items():
    for _ in range(count):
        act()
    gc.collect()
    before = resident()
    tracemalloc.start()
    for _ in range(min(count, 40)):  # also as many as prepared solvers are kept
        act()
    gc.collect()
    # What leaks grows in every round; a table of Python's own that happens to be enlarged grows in one of them.
    rounds = []
    for _ in range(8):
        first = tracemalloc.get_traced_memory()[0]
        for _ in range(count):
            act()
        gc.collect()
        rounds.append(tracemalloc.get_traced_memory()[0] - first)
        if rounds[-1] < 64 * count:
            break
    grown = min(rounds)
    tracemalloc.stop()
    for _ in range(count):
        act()
    gc.collect()
    kilobytes = resident() - before
    check(grown < 64 * count, f"{name}: {grown} bytes of Python's are left by {count} calls")
    # a solver or figure left behind each time would be tens of kilobytes a call; pages come and go by some hundreds
    check(kilobytes < 512 + 4 * count, f"{name}: {kilobytes} kB are left by {(1 + len(rounds)) * count} calls")
finish()
