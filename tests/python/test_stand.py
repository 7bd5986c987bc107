"""Legged figures stand, reach and stay within their efforts; bases drive."""

from setup import check, finish, raises, same

import numpy as np

import limber

LEG = """
<link name="{n}a"><inertial><origin xyz="0 0 -0.1"/><mass value="0.4"/></inertial></link>
<link name="{n}b"><inertial><origin xyz="0 0 -0.1"/><mass value="0.4"/></inertial>
<collision><origin xyz="0 0 -0.2"/><geometry><sphere radius="0.02"/></geometry></collision></link>
<joint name="hip{n}" type="revolute"><parent link="trunk"/><child link="{n}a"/><origin xyz="{x} {y} 0"/><axis xyz="0 1 0"/>
<limit lower="-1.5" upper="1.5" effort="50" velocity="1"/></joint>
<joint name="knee{n}" type="revolute"><parent link="{n}a"/><child link="{n}b"/><origin xyz="0 0 -0.2"/><axis xyz="0 1 0"/>
<limit lower="-2.2" upper="0" effort="50" velocity="1"/></joint>"""
PLACES = [(0.25, 0.1), (0.25, -0.1), (-0.25, 0.1), (-0.25, -0.1)]
DOG = (
    '<robot name="dog"><link name="trunk"><inertial><mass value="10"/></inertial></link>'
    + "".join(LEG.format(n=n, x=x, y=y) for n, (x, y) in enumerate(PLACES))
    + "</robot>"
)

lying = limber.loads(DOG, "dog.urdf")
same((lying.legs, lying.has_body), (4, False), "it has legs, and no body")
standing = limber.loads(DOG, "dog.urdf", stand=True)
same(standing.names[:7], ("root.x", "root.y", "root.z", "root.rx", "root.ry", "root.rz", "hip0"), "a free root")
same(lying.stand().names, standing.names, "by a method, too")
solution = limber.solve(standing, {"trunk": [0.02, 0, 0.3]})
check(solution.solved, solution)
check(all(c.stands and abs(c.point[2]) < 1e-3 for c in solution.body.contacts), "it squats on its feet")
check(solution.body.margin > 0 and all(share <= 1.0001 for share in solution.body.efforts.values()), "balanced, and within its efforts")
lifted = limber.Problem(standing, {"trunk": [0, 0, 0.34]}, body={"feet": {"3b": "lifted"}}).solve()
check(lifted.solved and [c.stands for c in lifted.body.contacts] == [True, True, True, False], lifted)

arm = limber.load("panda")
same(arm.legs, 0, "an arm has no legs")
raises(limber.LimberError, arm.stand, "an arm that is to stand", "no legs to stand on")
moving = arm.on_plane([2, 1, 0])
same(moving.names[-3:], ("base.x", "base.y", "base.yaw"), "a base that drives")
same(limber.load("panda", base="planar").names, moving.names, "read so")
there = limber.solve(moving, {"tool": [2.5, 0.5, 0.5]})
check(there.solved and abs(there.q[-3]) > 1 and np.all(np.abs(there.q[-3:-1]) <= [2, 1]), "it goes there")
raises(limber.LimberError, lambda: arm.on_plane([-1, 0, 0]), "a negative way", "must not be negative")
raises(limber.ArgumentError, lambda: arm.on_plane([1, 2]), "two of three", "three numbers")
same(arm.on_plane().names, moving.names, "without ends")
finish("legs and bases")
