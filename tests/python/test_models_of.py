"""Poses by the names of Pinocchio's and MuJoCo's models: here of stand-ins that have what the functions look at, and of the packages
themselves where they are installed."""

from types import SimpleNamespace

from setup import check, finish, raises

import numpy as np

import limber

XML = """<mujoco><worldbody><body name="a" pos="1 2 3" quat="0.7 0.1 0.3 0"><freejoint name="f"/><geom size=".1"/>
<body name="b" pos="0 .1 .2" quat=".5 .5 .5 -.5"><joint type="ball" name="ball"/><geom size=".1" pos="0 0 .2"/>
<body name="c" pos=".3 0 0"><joint name="h" axis="0 1 0"/><geom size=".1"/></body></body></body></worldbody></mujoco>"""
bodies = ["world", "a", "b", "c"]
figure = limber.loads(XML, "a.xml", format="mjcf")


def unit(w, x, y, z):
    return np.array([w, x, y, z]) / np.linalg.norm([w, x, y, z])


class Stand:
    """What of an mjModel is looked at."""

    njnt, nq = 3, 12
    jnt_qposadr, jnt_type, jnt_bodyid = [0, 7, 11], [0, 1, 3], [1, 2, 3]
    body_parentid = [0, 0, 1, 2]
    body_pos = np.array([[0, 0, 0], [1, 2, 3], [0, 0.1, 0.2], [0.3, 0, 0]])
    body_quat = np.array([[1, 0, 0, 0], unit(0.7, 0.1, 0.3, 0), unit(0.5, 0.5, 0.5, -0.5), [1, 0, 0, 0]])
    qpos0 = np.concatenate([[1, 2, 3], unit(0.7, 0.1, 0.3, 0), [1, 0, 0, 0], [0]])

    def joint(self, i):
        return SimpleNamespace(name=["f", "ball", "h"][i])

    def body(self, i):
        return SimpleNamespace(name=bodies[i])


def place(position, quaternion):
    return np.concatenate([position, np.roll(quaternion, -1)])


def stand_frames(qpos):
    """Where MuJoCo has the bodies: by its documentation."""
    model = Stand()
    a = place(qpos[:3], qpos[3:7])
    b = limber.compose(limber.compose(a, place(model.body_pos[2], model.body_quat[2])), place(np.zeros(3), qpos[7:11]))
    turn = np.concatenate([np.zeros(3), limber.rotation([0, 1, 0], qpos[11])])
    c = limber.compose(limber.compose(b, place(model.body_pos[3], model.body_quat[3])), turn)
    return {"a": a, "b": b, "c": c}


for seed in range(1, 30):
    pose = figure.random_pose(seed)
    qpos = limber.to_mujoco(figure, pose, Stand())
    for name, frame in stand_frames(qpos).items():
        check(np.abs(limber.as_matrix(frame) - figure.where(name, pose)).max() < 1e-12, f"pose {seed}: {name} is elsewhere in MuJoCo")
    back = limber.from_mujoco(figure, qpos, Stand())
    for name in "abc":
        check(np.abs(figure.where(name, back) - figure.where(name, pose)).max() < 1e-12, f"pose {seed}: {name} does not come back")
raises(ValueError, lambda: limber.from_mujoco(figure, np.zeros(12), Stand()), "a quaternion of zeros", "is 0")
raises(ValueError, lambda: limber.from_mujoco(figure, np.zeros(3), Stand()), "too few values")

# Joints that follow others are those of the figure, and not read back.
MIMIC = """<robot name="m"><link name="l0"/><link name="l1"/><link name="l2"/>
<joint name="one" type="revolute"><parent link="l0"/><child link="l1"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="two" type="revolute"><parent link="l1"/><child link="l2"/><axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="1" velocity="1"/>
<mimic joint="one" multiplier="2" offset="0.5"/></joint></robot>"""
gripper = limber.loads(MIMIC, "m.urdf", format="urdf")
model = SimpleNamespace(names=["universe", "one", "two"], idx_qs=[0, 0, 1], nqs=[0, 1, 1], nq=2)
check(np.allclose(limber.to_pinocchio(gripper, {"one": 0.25}, model), [0.25, 1.0]), "a mimic joint has its own value")
check(limber.from_pinocchio(gripper, [0.25, 99], model)[0] == 0.25, "and is not read")

try:
    import mujoco
except ImportError:
    print("not run: there is no mujoco")
else:
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    pose = figure.random_pose(5)
    data.qpos[:] = limber.to_mujoco(figure, pose, model)
    mujoco.mj_kinematics(model, data)
    for name in "abc":
        check(np.abs(data.xpos[model.body(name).id] - figure.where(name, pose)[:3, 3]).max() < 1e-12, f"MuJoCo has {name} elsewhere")
finish()
