"""mink: steps of differential inverse kinematics (daqp) with limits, until there, left after 20 steps that do not halve the miss."""

import contestant
import mink
import mujoco
import numpy as np


def make(robot):
    model = mujoco.MjModel.from_xml_path(robot.urdf)
    configuration = mink.Configuration(model)
    task = mink.FrameTask(frame_name=robot.tip, frame_type="body", position_cost=1.0, orientation_cost=1.0, lm_damping=1e-6)
    limits = [mink.ConfigurationLimit(model)]

    def attempt(target, start):
        configuration.update(start)
        task.set_target(mink.SE3.from_matrix(target))
        best = np.inf
        while True:
            for _ in range(20):
                miss = task.compute_error(configuration)
                if np.linalg.norm(miss[:3]) < 0.9e-5 and np.linalg.norm(miss[3:]) < 0.9e-5:
                    return configuration.q.copy(), True
                try:
                    velocity = mink.solve_ik(configuration, [task], 1.0, solver="daqp", damping=1e-6, limits=limits)
                except mink.MinkError:
                    return configuration.q.copy(), False
                configuration.integrate_inplace(velocity, 1.0)
            if np.linalg.norm(miss) > 0.5 * best:
                return configuration.q.copy(), False
            best = np.linalg.norm(miss)

    return contestant.restarted(robot, attempt)


contestant.run("mink", make, "mink")
