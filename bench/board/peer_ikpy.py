"""ikpy: least squares of SciPy with bounds; it does not say whether it is there, which its own forward kinematics tells."""

import contestant
import numpy as np
from ikpy.chain import Chain


def make(robot):
    if not all(robot.is_angle):
        raise contestant.Cannot("its sliding joints are not compared here")
    mask = [False] + [True] * len(robot.lower) + [False]
    chain = Chain.from_urdf_file(robot.urdf, base_elements=[robot.base], active_links_mask=mask)
    if len(chain.links) != len(mask):
        raise contestant.Cannot("it reads another number of joints")

    def attempt(target, start):
        begin = np.concatenate([[0], start, [0]])
        values = chain.inverse_kinematics_frame(target, initial_position=begin, orientation_mode="all")
        miss = chain.forward_kinematics(values) - target
        inside, is_inside = contestant.fit(robot, values[1:-1])
        return inside, is_inside and np.linalg.norm(miss[:3, 3]) < 0.9e-5 and np.linalg.norm(miss[:3, :3]) < 0.9e-5 * 2**0.5

    return contestant.restarted(robot, attempt)


contestant.run("ikpy", make, "ikpy")
