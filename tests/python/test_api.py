"""The Python package does what it says: load, solve, problems, goals, bodies, files, pictures."""

import math
import os
import pickle
import tempfile

from setup import TOP, check, finish, raises, same

import numpy as np

import limber

arm = limber.load(TOP / "models" / "panda.fig")
human = limber.load("human")

# --- What is wrong is said with what may be meant -------------------------------------------------------------------------

for call, words in ((lambda: limber.load("pandaa"), "did you mean `panda`?"),
                    (lambda: arm.index("joint44"), "did you mean `joint4`?"),
                    (lambda: limber.solve(arm, {"lnk7": [0, 0, 1]}), "did you mean `link7`?"),
                    (lambda: limber.solve(arm, [limber.keep("lnk7")]), "did you mean `link7`?"),
                    (lambda: limber.solve(arm, {"link7": [0, 0]}), "not of shape (2,)"),
                    (lambda: limber.solve_many(arm, arm.frames("link7", [arm.rest]))["joint0"], "did you mean"),
                    (lambda: limber.solve_many(arm, arm.frames("link7", [arm.rest]))[0], ".q[0]"),
                    (lambda: limber.Problem(human, body={"swivels": {"right_elbw": "up"}}), "did you mean `right_elbow`?"),
                    (lambda: limber.Problem(human, body={"feet": {"left": "plantd"}}), "feet: 'plantd' is none of"),
                    (lambda: limber.Problem(human, body={"supports": {"left_plm": None}}), "did you mean `left_palm`?")):
    raises(limber.LimberError, call, words, words)
raises(TypeError, lambda: limber.solve(arm, {"link7": [0, 0, 1]}, restart=3), "an option", "did you mean `restarts`?")
raises(TypeError, lambda: limber.at("link7", [0, 0, 1], wieght=3), "a goal's keyword", "did you mean `weight`?")

# --- Goals are there to be looked at, also those of files, and after they moved --------------------------------------------

problem = limber.Problem(arm, [limber.frame("link7", [0.4, 0, 0.5, 0, 0, 0, 1]), limber.aim("link5", [1, 1, 1], axis="-z", priority=1, weight=3),
                               limber.turned("link6", z=[0, 0, -1], priority=2), limber.outside("link4", limber.sphere([1, 0, 0], 0.1), radius=0.05),
                               limber.at("link7", [0.1, 0, 0.2], offset=[0, 0, 0.1], relative_to="link2", chain="joint3", priority=3),
                               limber.inside("link3", limber.polyhedron([[1, 0, 0, 0.5], [-1, 0, 0, 0.5]])), limber.keep("link2", priority=4)])
problem.move(1, [0.4, 0.1, 0.5, 0, 0, 0, 1])
same(repr(problem.goals[1]), "Goal('link7' frame (0.4, 0.1, 0.5), (0, 0, 0, 1))", "a goal that moved")
with tempfile.TemporaryDirectory() as folder:
    problem.save(os.path.join(folder, "p.json"))
    back = limber.load_problem(os.path.join(folder, "p.json"))
same(len(back.goals), 7, "goals of a file")
same(repr(back.goals[1]), "Goal('link7' frame (0.4, 0.1, 0.5), (0, 0, 0, 1))", "a goal of a file")
check("relative_to='link2'" in repr(back.goals[5]) and "chain='joint3'" in repr(back.goals[5]), f"what a goal of a file shares: {back.goals[5]}")
answer = back.solve().q
for id, goal in back.goals.items():
    back.change(id, goal)
same(len(back), 7, "goals that were changed to themselves")
check((back.solve().q == answer).all(), "a goal that was read and given back is the same")
aimed = limber.solve(arm, [limber.aim("link7", [1, 1, 1], axis="-z")])
z = arm.where("link7", aimed.q)[:3, 2]
towards = np.array([1, 1, 1]) - arm.where("link7", aimed.q)[:3, 3]
check(aimed.solved and abs(z @ towards / np.linalg.norm(towards) + 1) < 1e-9, "an axis that is aimed")
down = limber.solve(arm, [limber.turned("link7", z=[0, 0, -1])])
check(down.solved and np.abs(arm.where("link7", down.q)[:3, 2] - [0, 0, -1]).max() < 1e-4, "an axis that is turned")
tip = limber.solve(arm, [limber.at("link7", [0.4, 0.1, 0.4], offset=[0, 0, 0.2])])
check(tip.solved and np.abs((arm.where("link7", tip.q) @ [0, 0, 0.2, 1])[:3] - [0.4, 0.1, 0.4]).max() < 1e-4, "a point with an offset")
raises(ValueError, lambda: limber.aim("link7", [1, 1, 1], axis="w"), "an axis", "one of x")
same(tip.goals[0].name, "link7", "the name of a goal in an answer")

# --- Derivatives, measures, angles -----------------------------------------------------------------------------------------

somewhere, step = arm.random_pose(4), 1e-6 * np.eye(7)
slopes = np.array([(arm.jacobian("link7", somewhere + e)[2] - arm.jacobian("link7", somewhere - e)[2]) / 2e-6 for e in step])
check(np.abs(arm.hessian("link7", [0, 0, 1, 0, 0, 0, 0, 0, 0], somewhere) - slopes).max() < 1e-6, "second derivatives")
solver = limber.Problem(arm, {"link7": [3, 0, 0.5]}).solver()
solver.solve()
same(solver.measure(), solver.explain().measures, "measures of the last answer")
turn = limber.rotation(rpy=[0.3, -0.4, 2.0])
check(np.allclose(limber.rotation(rpy=limber.rpy_of(turn)), turn), "roll, pitch and yaw, there and back")

# --- A pickle has all that an answer says ----------------------------------------------------------------------------------

far = limber.solve(arm, {"link7": [3, 0, 0.5]})
again = pickle.loads(pickle.dumps(far))
same((repr(again), again.reasons, again.freedom, again.measures, again.goals, again.limits), (repr(far), far.reasons, far.freedom, far.measures, far.goals, far.limits),
     "an answer that was pickled")
stood = limber.solve(human, {"right_palm": [0.5, -0.2, 1.0]})
same(pickle.loads(pickle.dumps(stood)).body, stood.body, "a body's report that was pickled")
track = limber.Track([(0, 0.0), (1, 1.0), (3, 0.5)], interpolation="linear")
same((repr(pickle.loads(pickle.dumps(track))), pickle.loads(pickle.dumps(track)).sample(1.7)), (repr(track), track.sample(1.7)), "a track that was pickled")
habit = limber.load_habit("human", human)
same(pickle.loads(pickle.dumps(habit)).cost(human.rest), habit.cost(human.rest), "a habit that was pickled")
for thing in (limber.Motion(problem), limber.Motion(problem).play(), track, limber.Servo(limber.Problem(arm)), limber.sphere([0, 0, 0], 1), stood.body):
    check(" object at 0x" not in repr(thing) and len(repr(thing)) < 400, f"repr of a {type(thing).__name__}: {thing!r}")

# --- Figures ------------------------------------------------------------------------------------------------------------

same(len(arm), 7, "variables of the panda")
same(arm.names[3], "joint4", "a variable's name")
same(limber.load("panda").names, arm.names, "the model that comes with the package")
check(arm.limits.shape == (7, 2) and (arm.limits[:, 0] < arm.limits[:, 1]).all(), "limits")
check(not arm.rest.flags.writeable, "the rest pose can be changed")
check("panda" in repr(arm) and "7 variables" in repr(arm), "repr of a figure")
same([s.parent for s in arm.segments][:2], [None, "link0"], "parents of segments")
check(any(j.type == "R(z)" for j in arm.joints), "types of joints")
pose = arm.pose({"joint4": -1.2})
check(pose[3] == -1.2 and pose[0] == arm.rest[0], "a pose by names")
same(arm.values(pose)["joint4"], -1.2, "a pose as a mapping")
raises(KeyError, lambda: arm.pose({"joint9": 1}), "an unknown variable", "joint9")
raises(ValueError, lambda: arm.pose([1, 2, 3]), "a pose of the wrong length", "7")
raises(ValueError, lambda: arm.pose([math.nan] * 7), "a pose that is not finite", "finite")
check(arm.violation(np.full(7, 9.0)) > 1 and arm.violation(arm.clip(np.full(7, 9.0))) < 1e-12, "violation and clip")
error = raises(limber.FileError, lambda: limber.load("nowhere.urdf"), "a file that is not there", "nowhere.urdf")
check(isinstance(error, OSError) and error.file == "nowhere.urdf", "what a file's error knows")
error = raises(limber.LimberError, lambda: limber.loads("figure x {\n  segment {\n}", "bad.fig", format="fig"), "bad text", "bad.fig:")
check(error.line is not None and error.line > 0, "the line of an error")
raises(ValueError, lambda: limber.load("human", stature=3), "a giant", "people are 1.2 to 2.2 m tall")
raises(TypeError, lambda: limber.load("panda", statue=1.6), "an unknown option", "stature")
same(pickle.loads(pickle.dumps(arm)).names, arm.names, "a figure through a pickle")

# forward kinematics, its derivative by differences
q = arm.random_pose(3)
twist = arm.jacobian("link7", q)
step = np.zeros(7)
step[2] = 1e-6
slope = (arm.frame("link7", q + step)[:3] - arm.frame("link7", q - step)[:3]) / 2e-6
check(np.abs(slope - twist[:3, 2]).max() < 1e-8, "the Jacobian against differences")
same(arm.where("link7", q)[:3, 3].tolist(), arm.frame("link7", q)[:3].tolist(), "matrix and frame")
check(abs(np.linalg.norm(limber.compose(arm.frame("link7", q), limber.inverse(arm.frame("link7", q)))[:3])) < 1e-12, "inverse")

# --- solve --------------------------------------------------------------------------------------------------------------

target = arm.where("link7", q)
for name, place in (("4x4", target), ("(p, quat)", (target[:3, 3], arm.frame("link7", q)[3:])), ("(p, 3x3)", (target[:3, 3], target[:3, :3])),
                    ("lists", target.tolist()), ("a view with strides", np.asfortranarray(target)), ("seven", arm.frame("link7", q))):
    sol = limber.solve(arm, {"link7": place})
    check(sol.solved and np.abs(arm.where("link7", sol.q) - target).max() < 1e-4, f"solve by {name}")
sol = limber.solve(arm, {"link7": target[:3, 3]})
check(sol.solved and np.abs(arm.frame("link7", sol.q)[:3] - target[:3, 3]).max() < 1e-4, "solve by a position")
check(sol["joint4"] == sol.q[3] and dict(sol)["joint4"] == sol.q[3] and "joint4" in sol, "a solution by names")
check(len(sol.goals) == 1 and sol.goals[0].met and sol.goals[0].distance < 1e-5, "results of goals")
again = pickle.loads(pickle.dumps(sol))
check((again.q == sol.q).all() and again["joint4"] == sol["joint4"] and again.explanation == sol.explanation, "a solution's pickle")
far = limber.solve(arm, {"link7": [3, 0, 0.5]})
check(not far.solved and far.outcome == "minimum" and "link7" in far.explanation, f"out of reach: {far.explanation}")
check(far.reasons and far.reasons[0].kind == "distance" and far.reasons[0].give > 1, "the reason")
check(far.freedom is not None and far.limits is not None and len(far.levels) >= 1, "freedom, limits, levels")
raises(KeyError, lambda: limber.solve(arm, {"link77": target}), "an unknown link", "did you mean")
raises(ValueError, lambda: limber.solve(arm, {"link7": np.zeros((4, 4))}), "a matrix that is no motion", "rigid")
raises(ValueError, lambda: limber.solve(arm, {"link7": [1, 2, 3, 4]}), "four numbers", "shape (4,)")
raises(ValueError, lambda: limber.solve(arm, {"link7": [math.nan, 0, 0]}), "a goal that is not finite")
raises(ValueError, lambda: limber.solve(arm, {}), "no goal", "no goal")
raises(TypeError, lambda: limber.solve(arm, {"link7": target}, speed=3), "an unknown option", "did you mean `seed`?")
raises(ValueError, lambda: limber.solve(arm, {"link7": target}, method="magic"), "an unknown method", "bfgs")
check(limber.solve(arm, {"link7": target}, method="bfgs", restarts=0).engine == "bfgs", "another method")
check((limber.solve(arm, {"link7": target}).q == limber.solve(arm, {"link7": target}).q).all(), "the same bits again")

# a figure keeps its solvers, 16 a thread and no more
for i in range(30):
    limber.solve(arm, {"link7": target}, max_iterations=100 + i)
check(len(arm._prepared.solvers) <= 18, f"{len(arm._prepared.solvers)} prepared solvers are kept")

# --- Problems and solvers -----------------------------------------------------------------------------------------------

problem = limber.Problem(arm)
hand = problem.add(limber.frame("link7", target))
solver = problem.solver(restarts=20)
check(solver.solve().solved, "a kept solver")
problem.move(hand, limber.compose([0, 0, 0.02], target))
check(solver.solve().solved and solver.solution.goals[0].distance < 1e-5, "a moved goal")
value, gradient = solver.value_and_gradient(q)
check(value > 0 and gradient.shape == (7,), "value and gradient")
problem.enable(hand, False)
check(solver.solve(arm.rest).iterations == 0, "a disabled goal")
problem.enable(hand)
problem.remove(hand)
raises(limber.LimberError, lambda: problem.remove(hand), "a goal that is gone")
answers = limber.Problem(limber.load("ur5"), {"wrist3": limber.load("ur5").where("wrist3", limber.load("ur5").random_pose(4))}).solve_all(8)
check(len(answers) >= 4 and all(np.abs(a.q - answers[0].q).max() > 0.01 for a in answers[1:]), f"{len(answers)} answers of a UR5")
seen = []
limber.Problem(arm, {"link7": [3, 0, 0.5]}).solver(on_iteration=lambda *a: seen.append(a)).solve()
check(len(seen) > 2 and seen[-1][3] <= seen[0][3], "on_iteration")

# every kind of goal is met where it says it is
p = arm.frame("link7", q)[:3]
kinds = {
    "at": limber.at("link7", p),
    "turned": limber.turned("link7", arm.frame("link7", q)[3:]),
    "turned x": limber.turned("link7", x=[0, 0, -1]),
    "aim": limber.aim("link7", [1, 0, 0.3]),
    "line": limber.line("link7", p, [0, 1, 0]),
    "plane": limber.plane("link7", p, [0, 0, 1]),
    "above": limber.above("link7", 0.4),
    "below": limber.below("link7", 0.4),
    "circle": limber.circle("link7", p + [0, 0.1, 0], 0.1),
    "disc": limber.disc("link7", p, 0.1),
    "box": limber.inside("link7", limber.box(p, [0.05, 0.05, 0.05])),
    "sphere": limber.inside("link7", limber.sphere(p, 0.05)),
    "outside": limber.outside("link7", limber.sphere(arm.frame("link7")[:3], 0.2), radius=0.05),
    "capsule": limber.inside("link7", limber.capsule(p, p + [0, 0, 0.1], 0.05)),
    "polyhedron": limber.inside("link7", limber.polyhedron([[1, 0, 0, 0.2], [0, 0, 1, 0.4]])),
    "keep": limber.keep("link7", q),
}
for name, goal in kinds.items():
    found = limber.Problem(arm, [goal]).solve()
    check(found.solved, f"{name}: {found.explanation}")
found = limber.Problem(arm, [kinds["circle"]]).solve()
check(abs(np.linalg.norm(arm.frame("link7", found.q)[:3] - (p + [0, 0.1, 0])) - 0.1) < 1e-4, "on the circle")
found = limber.Problem(arm, [kinds["outside"]]).solve()
check(np.linalg.norm(arm.frame("link7", found.q)[:3] - arm.frame("link7")[:3]) > 0.2499, "outside the ball")
found = limber.Problem(arm, [limber.any_of(limber.at("link7", [5, 0, 0]), limber.at("link7", p))]).solve()
check(found.solved and [g.counted for g in found.goals] == [False, True], "any_of")
found = limber.Problem(arm, [limber.at("link7", p), limber.at("link7", p + [0, 0, 0.3], priority=1)]).solve()
check(found.goals[0].met and not found.goals[1].met, "priorities")
problem = limber.Problem(arm, [limber.at("link7", p, chain="joint4")])
check(np.abs(problem.solve().q[:3] - arm.rest[:3]).max() < 1e-12, "a chain that begins at joint4")
problem = limber.Problem(arm, [limber.at("link7", p)])
problem.wish_posture(weight=1.0)
near = problem.solve()
check(near.solved and near.wish_value <= ((limber.Problem(arm, [limber.at("link7", p)]).solve().q - arm.rest) ** 2).sum() + 1e-9, "a wish")
problem.set_active("joint1", False)
check(problem.solve().q[0] == arm.rest[0], "an inactive variable")

# two figures, one goal carried by the other
pair = limber.Problem([arm, limber.load("ur5")])
pair.add(limber.at("link7", [0, 0, 0.2], relative_to=(1, "wrist3")))
both = pair.solve()
a, b = pair.split(both.q)
gap = arm.frame("link7", a)[:3] - limber.compose(limber.load("ur5").frame("wrist3", b), [0, 0, 0.2])[:3]
check(both.solved and np.abs(gap).max() < 1e-4 and "1:" in pair.names[-1], "two arms meet")

# functions of one's own: with a gradient, without, and with an exception
def on_cylinder(e):
    return (e[0] ** 2 + e[1] ** 2 - 0.16) ** 2

sol = limber.solve(arm, [limber.custom("link7", on_cylinder, tolerance=1e-4)])
check(sol.solved and abs(np.linalg.norm(arm.frame("link7", sol.q)[:2]) - 0.4) < 1e-3, "a custom goal by differences")
raises(ZeroDivisionError, lambda: limber.solve(arm, [limber.custom("link7", lambda e: 1 / 0)]), "a custom goal's exception")
raises(ValueError, lambda: limber.solve(arm, [limber.custom("link7", lambda e: -1.0)]), "a negative potential", ">= 0")
raises(ValueError, lambda: limber.solve(arm, [limber.custom("link7", lambda e: (1.0, [1, 2]))]), "a gradient of two numbers", "3 or 9")

# --- Bodies -------------------------------------------------------------------------------------------------------------

reach = limber.solve(human, {"right_palm": [0.45, -0.25, 1.1]})
check(reach.solved and reach.body is not None and reach.body.margin > 0, f"a person reaches and stands: {reach.explanation}")
check(abs(sum(c.share for c in reach.body.contacts) - 1) < 0.01, "the contacts carry the body")
check(limber.solve(human, {"right_palm": [0.45, -0.25, 1.1]}, body=False).body is None, "a person without a body")
problem = limber.Problem(human, {"right_palm": [0.5, -0.2, 0.9]}, body={"loads": {"right_hand": 5}, "effort": 0.5,
                         "feet": {"left": "planted"}, "surfaces": {"table": ([0.7, 0, 0.75], [0.3, 0.5])}, "supports": {"left_palm": "table"}})
held = problem.solve()
check(held.body.contacts and any(c.name == "left_palm" and c.stands for c in held.body.contacts), "a palm on a table")
problem = limber.Problem(human, {"right_palm": [0.45, -0.25, 1.1]}, body={
    "obstacles": {"ball": limber.sphere([0.6, 0.5, 1.2], 0.1), "pole": limber.capsule([0.9, 0, 0], [0.9, 0, 2], 0.05),
                  "shelf": limber.box([0.8, -0.6, 1.5], [0.2, 0.2, 0.01])},
    "swivels": {"right_elbow": "out", "left_elbow": [0, 1, 0]},
    "surfaces": {"wall": {"point": [1.0, 0, 1.0], "normal": [-1, 0, 0], "thickness": 0.1}}})
check(problem.solve().body.overlap < 0.01, "obstacles, swivels and a wall")
raises(limber.LimberError, lambda: problem.pose_as_body(swivels={"third_elbow": "out"}), "a third elbow")
raises(ValueError, lambda: problem.pose_as_body(obstacles={"x": 3}), "an obstacle that is a number", "sphere")
raises(KeyError, lambda: problem.pose_as_body(feet={"third": "step"}), "a third foot", "left")
raises(ValueError, lambda: limber.Problem(arm, body=True), "a body of an arm", "body")

# --- Many ---------------------------------------------------------------------------------------------------------------

poses = arm.random_poses(300, seed=9)
frames = arm.frames("link7", poses)
many = limber.solve_many(arm, frames, restarts=50)
check(many.solved.all() and many.q.shape == (300, 7), f"{many!r}")
check(np.abs(arm.frames("link7", many.q)[:, :3] - frames[:, :3]).max() < 1e-4, "the answers are where they should be")
one = limber.solve_many(arm, frames, restarts=50, threads=1)
check((one.q == many.q).all(), "the same bits for any number of threads")
matrices = np.array([limber.as_matrix(f) for f in frames])
check(np.abs(limber.solve_many(arm, matrices, restarts=50).q - many.q).max() < 1e-6, "4x4 matrices")
single = [limber.solve(arm, {"link7": f}, restarts=50).q for f in frames[:20]]
check((np.array(single) == many.q[:20]).all(), "many are the same bits as one by one")
check(limber.solve_many(arm, frames[:, :3]).solved.all(), "positions alone")
warm = limber.solve_many(arm, frames, starts=poses + 0.01)
check(np.abs(warm.q - poses).max() < 0.1 and warm.solved.all(), "a start for each")
bad = frames[:3].copy()
bad[1] = math.nan
outcomes = limber.solve_many(arm, bad).outcome.tolist()
same(outcomes, ["solved", "invalid", "solved"], "one bad problem spoils nothing")
same(len(limber.solve_many(arm, np.empty((0, 7)))), 0, "no problems")
raises(ValueError, lambda: limber.solve_many(arm, np.zeros((5, 6))), "places of six numbers", "[N, 4, 4]")
raises(ValueError, lambda: limber.solve_many(arm, frames, starts=np.zeros((2, 7))), "starts of another number", "[300, 7]")
raises(ValueError, lambda: limber.solve_many(human, np.zeros((2, 3))), "a person has several ends", "several ends")
from limber.solving import frames_of
check(frames_of(frames) is frames, "[N, 7] is copied")

# --- Files and pictures -------------------------------------------------------------------------------------------------

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "arm.urdf")
    import warnings
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        arm.save(path)
    check(any(isinstance(w.message, limber.LimberWarning) for w in told), "what URDF cannot express is warned of")
    read = limber.load(path)
    check(np.abs(read.frame("link7", q) - arm.frame("link7", q)).max() < 1e-9, "through URDF and back")
    arm.render(path=None)
    same(repr(limber.render([(arm, q)], path=os.path.join(folder, "arm.svg"))), "<Picture, 800 x 600>", "a picture that is written is one, too")
    check(os.path.getsize(os.path.join(folder, "arm.svg")) > 1000, "an SVG")
    picture = arm.render(q, views=["front", "side"], title="two views", width=400, height=300)
    check(picture.png[:4] == b"\x89PNG" and picture._repr_png_() is picture.png, "a PNG")
    raises(limber.FileError, lambda: arm.save(os.path.join(folder, "no", "arm.fig")), "a folder that is not there")
stretch = limber.render([(arm, q), (arm, None)], markers=[(target, True), ([0, 0, 1], False)], width=200, height=200)
check(stretch.png[:4] == b"\x89PNG", "two figures and marks")
file = limber.load_problem(TOP / "problems" / "two-hands-one-box.json")
check(file.solve(file.start).solved and len(file.figures) >= 2, "a problem file")
finish()
