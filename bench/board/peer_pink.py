"""pink: steps of differential inverse kinematics (daqp) with limits, until there, left after 20 steps that do not halve the miss."""

import contestant
import numpy as np
import pink
import pinocchio as pin


def make(robot):
    body = pin.RobotWrapper.BuildFromURDF(robot.urdf_limited, package_dirs=[])
    task = pink.FrameTask(robot.tip, position_cost=1.0, orientation_cost=1.0, lm_damping=1e-6)

    def attempt(target, start):
        configuration = pink.Configuration(body.model, body.data, start)
        task.set_target(pin.SE3(target))
        best = np.inf
        while True:
            for _ in range(20):
                miss = task.compute_error(configuration)
                if np.linalg.norm(miss[:3]) < 0.9e-5 and np.linalg.norm(miss[3:]) < 0.9e-5:
                    return configuration.q, True
                try:
                    velocity = pink.solve_ik(configuration, [task], 1.0, solver="daqp", damping=1e-6, safety_break=False)
                except pink.exceptions.PinkError:
                    return configuration.q, False
                configuration.integrate_inplace(velocity, 1.0)
            if np.linalg.norm(miss) > 0.5 * best:
                return configuration.q, False
            best = np.linalg.norm(miss)

    return contestant.restarted(robot, attempt)


contestant.run("pink", make, "pin-pink")
