"""What is said of a person's goal that is out of reach is what the program says, with reasons: the goals are those of cli.sentences."""

import json
import os
import subprocess

from setup import TOP, check, finish, same

import limber

program = os.environ.get("LIMBER") or str(TOP / "build" / "release" / "limber")
human = limber.load(TOP / "models" / "human.fig")
for goal in (TOP / "tests" / "cli" / "unreachable.txt").read_text().splitlines():
    effector, *point = goal.split()
    solution = limber.solve(human, {effector: [float(value) for value in point]})
    asked = f"{effector} at {','.join(point)}"
    told = subprocess.run([program, "solve", str(TOP / "models" / "human.fig"), "-g", asked], capture_output=True, text=True).stdout
    same(solution.explanation, told.splitlines()[0], goal)
    check(solution.explanation.startswith("Out of reach: ") and "udget" not in solution.explanation, goal)
    same(solution.outcome, "minimum", f"{goal}: the outcome")

# What holds a pose is what holds it in the program, too.
pose = human.pose({"spine.flexion": 0.5, "right_shoulder.elevation": 1})
report, = limber.Problem(human, body=True).solver().statics(pose)
asked = [program, "info", str(TOP / "models" / "human.fig"), "--json", "--pose", "spine.flexion=0.5,right_shoulder.elevation=1"]
told = json.loads(subprocess.run(asked, capture_output=True, text=True).stdout)["statics"]
same([c.share for c in report.contacts], [c.get("share", 0) for c in told["contacts"]], "forces")
same(report.efforts, told["efforts"], "efforts")
check(report.imbalance < 1e-6 and report.margin == told["margin_m"], "balance")
finish()
