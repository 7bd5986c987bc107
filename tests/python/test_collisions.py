"""Collisions from Python: what is kept apart, distances of pairs, solids of every kind, world files, meshes, what is wrong; written and read."""

import json
import os
import tempfile
import warnings

from setup import check, finish, raises, same

import numpy as np

import limber

arm = limber.load("panda")
home = arm.rest

# --- Solids of every kind are as far away as they should be ------------------------------------------------------------------

ball = limber.Builder("ball")
ball.segment("base")
ball.segment("ball", mass=1)
ball.joint("slide", "base", "ball", "T(x)*T(y)*T(z)", lower=[-5, -5, -5], upper=[5, 5, 5])
ball.shape("ball", limber.sphere([0, 0, 0], 0.1))
ball = ball.finish()
rng = np.random.default_rng(3)
for _ in range(20):
    at = rng.uniform(-2, 2, 3)
    turn = rng.normal(size=4)
    turn /= np.linalg.norm(turn)
    half = rng.uniform(0.1, 0.6, 3)
    middle = rng.uniform(-1, 1, 3)
    radius = rng.uniform(0.1, 0.5)
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    problem = limber.Problem(ball)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    problem.avoid(samples=0, solids={
        "box": limber.box(middle, half, turn), "hull": limber.hull(corners, middle, turn), "sphere": limber.sphere(middle, radius),
        "capsule": limber.capsule(middle, middle + way, radius), "cylinder": limber.cylinder(middle, middle + way, radius),
        "floor": limber.floor(middle, way), "listed": {"kind": "sphere", "point": middle, "radius": "20cm"}})
    found = {pair.b: pair for pair in problem.near(at, 100)}
    same(len(found), 7, "pairs")
    matrix = limber.as_matrix(([0, 0, 0], turn))[:3, :3]
    local = matrix.T @ (at - middle)
    off = np.abs(local) - half
    along = float(way @ (at - middle))
    aside = float(np.linalg.norm(at - middle - along * way))
    beside, above = aside - radius, abs(along - 0.5) - 0.5
    wanted = {
        "box": np.linalg.norm(np.maximum(off, 0)) + min(off.max(), 0), "sphere": np.linalg.norm(at - middle) - radius,
        "capsule": np.linalg.norm(at - middle - np.clip(along, 0, 1) * way) - radius,
        "cylinder": np.hypot(max(beside, 0), max(above, 0)) + min(max(beside, above), 0), "floor": along,
        "listed": np.linalg.norm(at - middle) - 0.2}
    wanted["hull"] = wanted["box"]
    for name, distance in wanted.items():
        pair = found[name]
        tolerance = 1e-5 if pair.distance < 0 else 1e-7
        check(abs(pair.distance - (distance - 0.1)) < tolerance, f"{name}: {pair.distance} instead of {distance - 0.1}")
        check(pair.figure_b is None and pair.a == "ball" and abs(np.linalg.norm(pair.normal) - 1) < 1e-9, f"{name}: whose it is")
        check(np.allclose(pair.point_a - pair.point_b, pair.distance * pair.normal, atol=2e-5), f"{name}: its points")

# --- Solves keep clear --------------------------------------------------------------------------------------------------------

problem = limber.Problem(arm)
goal = problem.add(limber.at("tool", [0.4, 0.1, 0.3]))
raises(limber.ArgumentError, lambda: problem.near(), "nothing is kept apart before avoid()")
problem.avoid(solids={"ground": limber.floor([0, 0, -0.1]), "post": limber.cylinder([0.45, 0, 0], [0.45, 0, 0.7], 0.04)}, margin=0.01)
is_free = 0
for _ in range(12):
    place = np.array([rng.uniform(0.2, 0.7), rng.uniform(-0.5, 0.5), rng.uniform(0, 0.7)])
    problem.move(goal, place)
    found = problem.solve(restarts=50)
    if found.solved:
        is_free += 1
        least = min((pair.distance for pair in problem.near(found, 0.5)), default=1)
        check(least > 0.01 - 1e-4, f"a solution is {least} m from what it avoids")
check(is_free > 6, f"{is_free} of 12 goals were met")
problem.move(goal, [0.45, 0, 0.3])  # inside the post
check(not problem.solve().solved and "post" in problem.solve().explanation, problem.solve().explanation)
near = problem.near(home, 0.3)
check([pair.distance for pair in near] == sorted(pair.distance for pair in near) and len(near) > 3, "the nearest first")

# --- Files ----------------------------------------------------------------------------------------------------------------------

again = limber.loads_problem(problem.dumps())
same([(p.a, p.b, round(p.distance, 9)) for p in again.near(home, 1)], [(p.a, p.b, round(p.distance, 9)) for p in problem.near(home, 1)],
     "written and read")
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "world.json"), "w") as file:
        json.dump({"solids": [{"name": "stone", "kind": "mesh", "file": "stone.obj", "point": [0.5, 0, 0.2], "scale": 0.1}]}, file)
    with open(os.path.join(folder, "stone.obj"), "w") as file:
        file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n")
    with open(os.path.join(folder, "panda.srdf"), "w") as file:
        file.write("<robot name='panda'><disable_collisions link1='link2' link2='link5'/></robot>")
    problem.avoid(world=os.path.join(folder, "world.json"), samples=0)
    count = len(problem.near(home, 100))
    check("stone" in {pair.b for pair in problem.near(home, 100)}, "a world of a file")
    problem.avoid(world=os.path.join(folder, "world.json"), srdf=os.path.join(folder, "panda.srdf"), touching=[("link1", "link7"), ("link7", "stone")],
                  samples=0)
    same(len(problem.near(home, 100)), count - 3, "pairs that may touch")
    problem.avoid(solids={"stone": limber.mesh(os.path.join(folder, "stone.obj"), [0.5, 0, 0.2], scale=0.1)}, samples=0)
    same(len(problem.near(home, 100)), count, "the mesh by itself")
    problem.save(os.path.join(folder, "whole.json"))
    same(len(limber.load_problem(os.path.join(folder, "whole.json")).near(home, 100)), count, "saved with its hull")
problem.avoid(itself=False)
same(problem.near(home, 100), [], "nothing")
problem.avoid_nothing()
raises(limber.ArgumentError, lambda: problem.near(), "taken back")

# --- Servos ------------------------------------------------------------------------------------------------------------------------

problem = limber.Problem(arm)
goal = problem.add(limber.at("tool", [0.45, -0.25, 0.4]))
problem.avoid(solids={"ball": limber.sphere([0.45, 0.02, 0.36], 0.06)})
servo = limber.Servo(problem, start=problem.solve().q)
judge = limber.Problem(arm)
judge.avoid(solids={"ball": limber.sphere([0.45, 0.02, 0.36], 0.06)})
least, held = 1.0, set()
for tick in range(2500):
    problem.move(goal, [0.45, -0.25 + 0.27 * min(tick / 1500, 1), 0.4])
    q = servo.tick()
    held.add(servo.state.pair)
    if tick % 50 == 0:
        least = min([least, *(pair.distance for pair in judge.near(q))])
check(least > -1e-4 and servo.state.hold == "collision", f"a servo is {least} m from what it avoids, held by {servo.state.hold}")
check(("link7", "ball") in held and None in held, f"held back by {held}")

# --- Paths -------------------------------------------------------------------------------------------------------------------------

ur5 = limber.load("ur5")
among = limber.Problem(ur5)
raises(limber.ArgumentError, lambda: limber.path(ur5, "tool", [[0.4, -0.3, 0.3], [0.4, 0.3, 0.3]], is_position=True, avoid=among), "nothing to avoid", "avoid()")
among.avoid(solids={"post": limber.cylinder([0.25, 0.45, 0], [0.25, 0.45, 1.2], 0.04)})
way = limber.path(ur5, "tool", [[0.4, -0.3, 0.3], [0.4, 0.3, 0.3]], is_position=True, avoid=among)
check(way.complete and way.in_the_way is None, way.explanation)
least = min((pair.distance for q in way.poses for pair in among.near(q)), default=1)
check(least > -1e-4, f"a path is {least} m from what it avoids")
among.avoid(solids={"wall": limber.box([0.4, 0.1, 0.3], [0.5, 0.01, 0.5])})
way = limber.path(ur5, "tool", [[0.4, -0.3, 0.3], [0.4, 0.3, 0.3]], is_position=True, avoid=among)
check(not way.complete and way.end == "collision" and way.in_the_way[1] == "wall" and 0.3 < way.fraction < 0.7, way.explanation)
raises(limber.ArgumentError, lambda: limber.path(arm, "tool", [[0.4, -0.3, 0.3], [0.4, 0.3, 0.3]], is_position=True, avoid=among), "another figure's", "figure")

# --- What is wrong -----------------------------------------------------------------------------------------------------------------

for call, words in ((lambda: problem.avoid(solids=3), "mapping of names"), (lambda: problem.avoid(solids={"x": 3}), "limber.box"),
                    (lambda: problem.avoid(solids=[{"kind": "cone"}]), "cone"), (lambda: problem.avoid(solids=[{"kind": "box"}]), "half_size"),
                    (lambda: problem.avoid(touching=[("link1", "lnk7")]), "did you mean `link7`"), (lambda: problem.avoid(margin=-1), "margin"),
                    (lambda: problem.avoid(world="nowhere.json"), "cannot be opened"), (lambda: problem.avoid(margin=float("nan")), "collisions"),
                    (lambda: problem.avoid(solids={"x": limber.polyhedron([[1, 0, 0, 1]])}), "limber.box"), (lambda: limber.hull([[0, 0]]), "vertices"),
                    (lambda: limber.inside("tool", limber.cylinder([0, 0, 0], [0, 0, 1], 1)), "a region")):
    raises(limber.LimberError, call, "a wrong solid", words)
# A person keeps clear of a post by the same call, and stands.
person = limber.Problem(limber.load("human"), body=True)
person.add(limber.at("right_palm", [0.55, -0.22, 0.9]))
person.avoid(solids={"post": limber.cylinder([0.38, -0.22, 0], [0.38, -0.22, 1.4], 0.06)})
beside = person.solve()
check(beside.solved and all(pair.distance > -1e-4 for pair in person.near(beside.q)), f"a person goes around a post: {beside.explanation}")

# --- Shapes that are not there -----------------------------------------------------------------------------------------------------

CORNERS = {"block": (0.2, 0.2, 0.2), "bar": (0.02, 0.02, 0.3)}
with tempfile.TemporaryDirectory() as folder:
    os.makedirs(os.path.join(folder, "ws", "parts"))
    for name, (x, y, z) in CORNERS.items():
        with open(os.path.join(folder, "ws", "parts", f"{name}.obj"), "w", encoding="ascii") as file:
            file.write(f"v 0 0 0\nv {x} 0 0\nv 0 {y} 0\nv 0 0 {z}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    links = "".join(f'<link name="{link}"><collision><geometry><mesh filename="package://parts/{mesh}.obj"/></geometry></collision></link>'
                    for link, mesh in (("block", "block"), ("upper", "bar"), ("lower", "bar")))
    joints = "".join(f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/><origin xyz="{at}"/>'
                     '<axis xyz="0 1 0"/><limit lower="-3.1" upper="3.1" velocity="1" effort="1"/></joint>'
                     for name, parent, child, at in (("j1", "block", "upper", "0 0.03 0.4"), ("j2", "upper", "lower", "0 0 0.3")))
    tool = ('<link name="tool"/><joint name="j3" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="0 0 0.3"/></joint>')
    path = os.path.join(folder, "folder.urdf")
    with open(path, "w", encoding="ascii") as file:
        file.write(f'<robot name="folder">{links}{joints}{tool}</robot>')
    inside = [0.05, 0.03, 0.05]
    raises(limber.LimberError, lambda: limber.Problem(limber.load(path), {"tool": inside}).avoid(), "no shapes", "no segment of the figures")
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        folder_arm = limber.Problem(limber.load(path, packages=os.path.join(folder, "ws")), {"tool": inside})
        check(not heard, f"nothing is odd about it yet: {heard}")
        folder_arm.avoid()
    check(any("1 of 4 segments of folder have no solid shape" in str(told.message) and ": tool" in str(told.message) for told in heard),
          f"the frame without a shape is named: {[str(told.message) for told in heard]}")
    found = folder_arm.solve(restarts=5)
    check(not found.solved and "in the way" in found.explanation, f"packages alone read the meshes: {found.explanation}")
finish()
