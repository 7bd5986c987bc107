"""Ctrl-C stops a batch, a long solve and a retargeting, and what runs afterwards is as if nothing had happened."""

import os
import signal
import threading
import time

from setup import check, finish

import numpy as np

import limber


def interrupted(call, delay=0.2):
    """Runs a call that would take hours with a SIGINT some time after it has begun, so that it comes in the middle on any machine; whether
    KeyboardInterrupt came, and how much later than the signal."""
    sent = []
    begun = threading.Event()

    def send():
        begun.wait()
        time.sleep(delay)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        begun.set()
        call()
        came = False
    except KeyboardInterrupt:
        came = True
    late = time.perf_counter() - sent[0] if sent else None
    thread.join()
    return came, late


arm = limber.load("panda")
frames = arm.frames("link7", arm.random_poses(2000))
out_of_reach = frames + [0, 0, 5, 0, 0, 0, 0]
came, late = interrupted(lambda: limber.solve_many(arm, out_of_reach, restarts=10_000_000, max_evaluations=2_000_000_000))
check(came, "a batch went on after Ctrl-C")
print(f"a batch ended {1e3 * (late or 0):.1f} ms after the signal")
check(limber.solve_many(arm, frames).solved.all(), "a batch after that")

far = limber.Problem(arm, {"link7": np.array([0.0, 0, 3, 0, 0, 0, 1])})
came, late = interrupted(lambda: far.solver(restarts=10_000_000, max_evaluations=2_000_000_000).solve())
check(came, "a solve with ten million restarts went on after Ctrl-C")
print(f"a solve ended {1e3 * (late or 0):.1f} ms after the signal")
check(not far.solve().solved, "a solve after that")

human = limber.load("human")
people = limber.Problem(human, [limber.at("right_palm", [0.5, -0.2, 0.6]), limber.at("left_palm", [0.5, 0.2, 1.9])], body=True)


def pose_for_ever():
    solver = people.solver()
    while True:
        solver.solve(people.start)


came, late = interrupted(pose_for_ever, 0.5)
check(came, "bodies went on after Ctrl-C")
print(f"a body's solve ended {1e3 * (late or 0):.1f} ms after the signal")
still = limber.Clip(human, np.tile(human.rest, (5000, 1)), 0.01)
smaller = limber.load("human", stature=1.5)


def retarget_for_ever():
    while True:
        limber.retarget(still, smaller)


came, late = interrupted(retarget_for_ever, 1.0)
check(came, "a retargeting went on after Ctrl-C")
print(f"a retargeting ended {1e3 * (late or 0):.1f} ms after the signal")
finish()
