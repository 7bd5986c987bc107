"""Figures that are built and changed from Python: parts by name, groups, drives, limits, Denavit-Hartenberg chains, attaching, splitting,
carrying poses over; motions with stages, feet and followed sites; glTF files that are written back; pictures of maps."""

import os
import tempfile
import warnings

from setup import check, finish, raises, same

import numpy as np

import limber

# --- From nothing ---------------------------------------------------------------------------------------------------------

b = limber.Builder("leg")
b.segment("hip")
b.segment("thigh", mass=8, com=[0, 0, -0.2])
b.segment("shank", mass=4, com=[0, 0, -0.2])
b.joint("hip_joint", "hip", "thigh", "R(y)*R(x)", at=[0, 0, 1], lower=[-1, -0.5], upper=[1.5, 0.5], rigidity=0.1)
b.joint("knee", "thigh", "shank", "R(y)", at=[0, 0, -0.45], lower=0, upper=2.4, rest=0.1, velocity=3)
b.site("ankle", "shank", [0, 0, -0.45])
b.shape("shank", limber.capsule([0, 0, 0], [0, 0, -0.45], 0.05))
leg = b.finish()
same((leg.name, len(leg), leg.root, leg.mass), ("leg", 3, "hip", 12.0), "a leg")
same(leg.names, ("hip_joint.ry", "hip_joint.rx", "knee"), "its variables")
same(leg.limits.tolist(), [[-1, 1.5], [-0.5, 0.5], [0, 2.4]], "its ranges")
same((leg.variables[2].rest, leg.variables[2].velocity, leg.variables[0].rigidity), (0.1, 3.0, 0.1), "rest, velocity and rigidity")
same([(s.segment, s.kind, s.size) for s in leg.shapes], [("shank", "capsule", (0.05, 0.225, 0.05))], "a capsule")
check(np.allclose(leg.frame("ankle", {"knee": 0.0})[:3], [0, 0, 0.1]), "where its ankle is")
check(limber.solve(leg, {"ankle": [0.2, 0.05, 0.2]}).solved, "it is solved")
same(limber.loads(leg.dumps(), format="fig").names, leg.names, "it can be written and read")

# --- What is wrong ---------------------------------------------------------------------------------------------------------

for call, words in ((lambda: b.site("x", "thih"), "did you mean `thigh`?"), (lambda: b.joint("j", "hip", "shnk"), "no site 'shnk'"),
                    (lambda: b.freeze("kne"), "did you mean `knee`?"), (lambda: b.drive("knee", "hip_joint.rz"), "no dof or parameter"),
                    (lambda: b.joint("j", "hip", "shank", "R(q)"), "R(q)"), (lambda: b.shape("hip", 3), "sphere, capsule or box"),
                    (lambda: b.joint("knee2", "thigh.knee", "shank", at=[0, 0, 1]), "at= goes with segments"), (lambda: limber.Builder(3), "a name or a Figure"),
                    (lambda: b.dh([], "ankle"), "rows"), (lambda: b.segment("hip"), "hip"), (lambda: b.change("knee", lower=[1, 2]), "each of the 1 dofs"),
                    (lambda: b.root("nowhere"), "no site"), (lambda: b.attach(3), "a Figure"), (lambda: b.attach(leg, "x_", at=[0, 0, 0]), "attached to"),
                    (lambda: b.segment("bad", mass=float("nan")), "finite"), (lambda: b.segment("bad", mass=-1), "mass"), (lambda: leg.split("kne"), "did you mean `knee`?"),
                    (lambda: limber.Builder("empty").finish(), "segment"), (lambda: b.site("ankle", "shank"), "ankle"),
                    (lambda: b.joint("knee", "hip", "shank"), "already"), (lambda: b.joint("j", "hip", "shank", at="here"), "no place")):
    raises(limber.LimberError, call, words, words)
raises(TypeError, lambda: b.joint("j", "hip", "shank", lowr=1), "a joint's keyword", "did you mean `lower`?")
raises(TypeError, lambda: b.dh([{"alfa": 1}], "ankle"), "a row's keyword", "did you mean `alpha`?")
same(b.finish().dumps(), leg.dumps(), "what was refused changed nothing")
loose = limber.Builder("loose")
loose.segment("a")
loose.segment("b")
raises(limber.LimberError, loose.finish, "a segment that hangs nowhere", "b")

# --- Changing ---------------------------------------------------------------------------------------------------------------

b.change("knee", upper=1.0)
same(b.finish().limits[2].tolist(), [0.0, 1.0], "another range")
b.freeze("knee", 0.5)
held = b.finish()
same(held.names, ("hip_joint.ry", "hip_joint.rx"), "a joint that is held")
check(np.allclose(held.frame("ankle"), leg.frame("ankle", {"knee": 0.5})), "where it is held")
same(leg.carry({"hip_joint.rx": 0.25}, held).tolist(), [0.0, 0.25], "a pose by names")
b.thaw("knee")
same(b.finish().names, leg.names, "a joint that is thawed")
b.change("knee", "R(y)*R(z)", lower=[0, -0.1], upper=[2, 0.1])
same(b.finish().names[2:], ("knee.ry", "knee.rz"), "another type")
b.remove("shank")
same([s.name for s in b.finish().segments], ["hip", "thigh"], "a segment that was removed")
big = limber.Builder(leg)
big.scale(2, 8)
check(np.allclose(big.finish().frame("ankle")[:3], 2 * leg.frame("ankle")[:3]) and big.finish().mass == 96, "a leg twice as long")
near, far = leg.split("knee", {"hip_joint.ry": 0.3})
same((near.names, far.names), (("hip_joint.ry", "hip_joint.rx"), ()), "two parts")
check(np.allclose(far.frame("ankle"), leg.frame("ankle", {"hip_joint.ry": 0.3, "knee": 0.1})), "which stay where they were")

# --- Groups, drives, limits, balls -------------------------------------------------------------------------------------------

spine = limber.Builder(limber.load("chain:4"))
spine.parameter("back", "bend", lower=-1, upper=1)
for k, share in enumerate((0.1, 0.2, 0.3, 0.4)):
    spine.drive(f"joint{k + 1}", "back.bend", slope=share)
made = spine.finish()
same((made.names, [(g.name, g.parameters, g.joints) for g in made.groups]), (("back.bend",), [("back", ("bend",), ("joint1", "joint2", "joint3", "joint4"))]), "a group")
curved = limber.Builder(limber.load("chain:3"))
curved.drive("joint3", "joint2", points=[[-1, 0], [0, 0], [1, 0.5]], smooth=True)
curved.limit({"joint1": 1, "joint2": 1}, 0.5, name="together")
curved = curved.finish()
check(curved.violation({"joint1": 0.5, "joint2": 0.5}) > 0.3 and curved.violation({"joint1": 0.2, "joint2": 0.2}) == 0, "a limit on two joints")
ball = limber.Builder("ball")
ball.segment("socket")
ball.segment("bone")
ball.joint("shoulder", "socket", "bone", "swing_twist(z)", swing=0.5)
check(ball.finish().violation([0.6, 0, 0]) > 0.05 and ball.finish().violation([0.4, 0, 0]) == 0, "a cone")

# --- Two arms on a table ------------------------------------------------------------------------------------------------------

arm, pair = limber.load("panda"), limber.Builder("pair")
pair.segment("table")
pair.shape("table", limber.box([0, 0, -0.05], [0.3, 0.8, 0.05]))
pair.attach(arm, "left_", to="table", at=([0, 0.5, 0], limber.rotation([0, 0, 1], -0.5)))
pair.attach(arm, "right_", to="table", at=([0, -0.5, 0], limber.rotation([0, 0, 1], 0.5)))
both = pair.finish()
same(len(both), 14, "variables of two arms")
found = limber.solve(both, {"left_link7": [0.4, 0.1, 0.4], "right_link7": [0.4, -0.1, 0.4]})
check(found.solved and abs(both.frame("left_link7", found.q)[1] - 0.1) < 1e-4, "both reach")
check(both.split("left_mount")[1].names[0] == "left_joint1", "and can be taken apart")
human = limber.Builder(limber.load("human"))
human.site("pen", "right_hand", [0.1, 0, 0])
check(limber.solve(human.finish(), {"pen": [0.5, -0.2, 1.1]}, body=False).solved, "a person with a pen")

# --- Motion ----------------------------------------------------------------------------------------------------------------------

problem = limber.Problem(arm)
hand = problem.add(limber.at("link7", [0.4, 0.0, 0.5]))
motion = limber.Motion(problem)
motion.drive(hand, [(0, [0.4, 0, 0.5]), (1, [0.4, 0.2, 0.5])], "linear")
frozen = limber.Builder(arm)
frozen.freeze("joint7")
same(motion.stage(1.0, limber.Problem(frozen.finish(), {"link7": [0.4, 0.2, 0.5]})), 1, "a second stage")
motion.drive_limits("joint1", [(0, (-0.1, 0.1)), (0.5, (-1, 1))])
player = motion.play()
same((len(player.pose(0.5)), len(player.pose(1.5))), (7, 6), "poses before and after a joint was frozen")
frame, velocity, acceleration = player.site(0.5, "tool")
slope = (player.site(0.52, "tool")[0] - player.site(0.48, "tool")[0])[:3] / 0.04
check(np.abs(velocity[:3] - slope).max() < 0.01 and acceleration.shape == (6,), f"how a site moves: {velocity}, by differences {slope}")
crate = limber.Builder("crate")
crate.segment("crate")
crate.site("grip", "crate")
crate.root("crate", free=True, at=[0.4, 0, 0.5])
scene = limber.Problem([arm, crate.finish()])
reach = scene.add(limber.at("link7", [0.3, 0.1, 0.6], figure=0))
moved = limber.Motion(scene)
moved.drive_root(1, [(0, [0.4, 0, 0.5]), (2, [0.4, 0.2, 0.5])], "linear")
moved.follow(reach, "grip", [(0, 0.0), (1, 1.0)], figure=1)
pose = moved.play().pose(2.0)
check(np.abs(arm.frame("link7", scene.split(pose)[0])[:3] - [0.4, 0.2, 0.5]).max() < 1e-3, "a goal that follows a site")
raises(limber.LimberError, lambda: moved.drive_foot("left", [(0, "planted")]), "feet of an arm", "no body")
person = limber.Problem(limber.load("human"), {"right_palm": [0.4, -0.2, 1.2]}, body=True)
stepping = limber.Motion(person)
raises(limber.LimberError, lambda: stepping.drive_foot("left", [(0, "plantd")]), "a foot that cannot", "planted")
raises(limber.LimberError, lambda: stepping.drive_support("left_plm", [(0, 1)]), "a contact", "did you mean `left_palm`?")

# --- Files and pictures ------------------------------------------------------------------------------------------------------------

with tempfile.TemporaryDirectory() as folder:
    path, posed = os.path.join(folder, "arm.glb"), os.path.join(folder, "posed.glb")
    arm.save(path)
    character = limber.load(path)
    pose = character.random_pose(3)
    character.save(posed, source=path, pose=pose)
    check(np.abs(limber.load(posed).frame("link7") - character.frame("link7", pose)).max() < 1e-5, "a pose in a copy of a character's file")
    limber.Clip(character, character.random_poses(5), 0.1).save(posed, source=path, name="wave")
    same((limber.animations(posed), len(limber.load_clip(posed))), (["wave"], 5), "a motion in a copy of it")
    raises(limber.FileError, lambda: character.save(posed, source=os.path.join(folder, "nothing.glb")), "a source that is not there", "nothing.glb")
map = limber.reach_map(arm, "link7", spacing=0.25, starts=5)
picture = map.render(width=200)
check(picture.png[:8] == b"\x89PNG\r\n\x1a\n" and picture.width == 200 and picture.height > 40, "a map as a picture")
raises(limber.LimberError, lambda: map.render([9, 9, 9]), "a slice that is not there", "outside of the map")

walker, small = limber.load("human", stature=1.9), limber.load("human", stature=1.5)
clip, report = limber.retarget(limber.Clip(walker, [walker.rest] * 4, 0.1), small, bones={"right_hand": "right_hand"})
check(report.limb_worst < 0.01 and "contacts" in repr(report), f"what came of a retargeting: {report}")
check(report.good and report.explanation == "" and report.judge() and report.size < 1, f"it is good: {report.explanation}")
strict = report.judge(at_limits=-1, hips_step=-1)
same([finding.measure for finding in strict.findings], ["hips-step", "at-limits"], "bounds of one's own")
check(not strict and "largest step of the hips" in strict.explanation, strict.explanation)
raises(TypeError, lambda: report.judge(slides=1), "a bound that is none", "slide_speed")
posed = np.repeat(walker.rest[None], 9, axis=0)
posed[0, walker.index("left_elbow")] += 1.2
clip, report = limber.retarget(limber.Clip(walker, posed, 0.1), small)
same((len(clip), report.first_frame), (8, 1), "a pose to begin with is left out")
clip, report = limber.retarget(limber.Clip(walker, posed, 0.1), small, keep_first_frame=True)
same((len(clip), report.first_frame), (9, 0), "or kept")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    jumping = np.repeat(walker.rest[None], 40, axis=0)
    jumping[20:, walker.index("left_hip.flexion")] += 0.8
    jumping[20:, walker.index("right_elbow")] += 1.2
    _, report = limber.retarget(limber.Clip(walker, jumping, 0.01), small, weight_feet=0.001, weight_limbs=0.0, weight_turns=0.0)
same([str(one.message) for one in told], [report.explanation], "what is over a bound is warned of")
check(not report.good and "a foot that stands slides by" in report.explanation, "and said in the report")
raises(limber.LimberError, lambda: limber.retarget(clip, walker, bones={"right_hnd": "right_hand"}), "a bone", "did you mean `right_hand`?")

# --- A humanoid robot of hinges, whose names say nothing ---------------------------------------------------------------------------


def humanoid_urdf() -> str:
    """Two legs of six hinges and two arms of four, fixed to the world."""
    parts = ['<robot name="made"><link name="l0"/>']

    def hinge(parent: int, at: str, axis: str, low: float, high: float, shape: str = "") -> int:
        own = sum(part.startswith("<link") for part in parts[1:]) + 1
        parts.append(f'<link name="l{own}">{shape}</link>')
        parts.append(f'<joint name="j{own}" type="revolute"><parent link="l{parent}"/><child link="l{own}"/><origin xyz="{at}"/>'
                     f'<axis xyz="{axis}"/><limit lower="{low}" upper="{high}" effort="9" velocity="12"/></joint>')
        return own

    sole = '<collision><origin xyz="0.04 0 -0.05"/><geometry><box size="0.22 0.08 0.04"/></geometry></collision>'
    arm = '<collision><origin xyz="0 0 -0.1"/><geometry><box size="0.04 0.04 0.2"/></geometry></collision>'
    for side in (1, -1):
        at = hinge(0, f"0 {0.1 * side} 0", "0 0 1", -1, 1)
        at = hinge(hinge(at, "0 0 0", "1 0 0", -1, 1), "0 0 0", "0 1 0", -2, 1)
        at = hinge(at, "0 0 -0.4", "0 1 0", 0, 2.4)
        hinge(hinge(at, "0 0 -0.4", "0 1 0", -1, 1), "0 0 0", "1 0 0", -0.5, 0.5, sole)
        at = hinge(0, f"0 {0.2 * side} 0.45", "0 1 0", -3, 2)
        at = hinge(hinge(at, "0 0 0", "1 0 0", -3, 3), "0 0 0", "0 0 1", -2, 2, arm)
        hinge(at, "0 0 -0.28", "0 1 0", -2.5, 0, arm)
    return "".join(parts) + "</robot>"


robot = limber.loads(humanoid_urdf(), "made.urdf")
parts = limber.humanoid_parts(robot)
same((parts["left_shank"], parts["right_shank"], parts["left_foot"], parts["left_forearm"], "head" in parts), ("l4", "l14", "l6", "l10", False), "parts by structure")
clip, report = limber.retarget(limber.Clip(walker, [walker.rest] * 6, 1 / 30), robot, smooth=False)
check(report.is_robot and report.speed <= 1 + 1e-9 and report.slide < 1e-3 and report.below < 1e-6, f"a robot that stands as a person does: {report}")
same((len(clip), len(clip.figure)), (6, len(robot) + 6), "it has a free root")
raises(limber.LimberError, lambda: limber.humanoid_parts(limber.load("panda")), "no humanoid", "legs")
finish()
