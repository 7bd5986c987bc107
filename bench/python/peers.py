"""mink and pink on a Panda: time a step, time a solve (steps until within 0.1 mm and 0.1 mrad, at most 200), share solved.

    peers.py FOLDER      (with panda.urdf, frames.npy and rest.npy)
"""

import os
import sys
import time

import numpy as np

folder = sys.argv[1]
frames = np.load(os.path.join(folder, "frames.npy"))
rest = np.load(os.path.join(folder, "rest.npy"))
urdf = os.path.join(folder, "panda.urdf")
STEPS = 200


def tell(name, begin, steps, solved):
    seconds = time.thread_time() - begin
    print(f"  {name:28} {1e6 * seconds / max(steps, 1):12.1f} us a step {1e6 * seconds / len(frames):12.1f} us a solve "
          f"{solved:5d} of {len(frames)} solved", flush=True)


def run_mink():
    import mink
    import mujoco

    model = mujoco.MjModel.from_xml_path(urdf)
    configuration = mink.Configuration(model)
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, i) for i in range(model.nbody)]
    task = mink.FrameTask(frame_name="link7", frame_type="body", position_cost=1.0, orientation_cost=1.0, lm_damping=1e-6)
    assert "link7" in names, names
    limits = [mink.ConfigurationLimit(model)]
    steps = solved = 0
    begin = time.thread_time()
    for frame in frames:
        configuration.update(rest)
        turn = mink.SO3(wxyz=frame[[6, 3, 4, 5]])
        task.set_target(mink.SE3.from_rotation_and_translation(turn, frame[:3]))
        for _ in range(STEPS):
            velocity = mink.solve_ik(configuration, [task], 1.0, solver="daqp", damping=1e-6, limits=limits)
            configuration.integrate_inplace(velocity, 1.0)
            steps += 1
            miss = task.compute_error(configuration)
            if np.linalg.norm(miss[:3]) < 1e-4 and np.linalg.norm(miss[3:]) < 1e-4:
                solved += 1
                break
    tell("mink (daqp)", begin, steps, solved)


def run_pink():
    import pink
    import pinocchio as pin

    robot = pin.RobotWrapper.BuildFromURDF(urdf, package_dirs=[])
    task = pink.FrameTask("link7", position_cost=1.0, orientation_cost=1.0, lm_damping=1e-6)
    steps = solved = 0
    configuration = pink.Configuration(robot.model, robot.data, rest)
    begin = time.thread_time()
    for frame in frames:
        configuration = pink.Configuration(robot.model, robot.data, rest)
        turn = pin.Quaternion(frame[6], frame[3], frame[4], frame[5])
        task.set_target(pin.SE3(turn.toRotationMatrix(), frame[:3]))
        for _ in range(STEPS):
            velocity = pink.solve_ik(configuration, [task], 1.0, solver="daqp", damping=1e-6, safety_break=False)
            configuration.integrate_inplace(velocity, 1.0)
            steps += 1
            miss = task.compute_error(configuration)
            if np.linalg.norm(miss[:3]) < 1e-4 and np.linalg.norm(miss[3:]) < 1e-4:
                solved += 1
                break
    tell("pink (daqp)", begin, steps, solved)


for run in (run_mink, run_pink):
    try:
        run()
    except ImportError as error:
        print(f"  {run.__name__[4:]}: left out ({error})")
    except Exception as error:  # a peer that cannot do this model is no failure of ours
        print(f"  {run.__name__[4:]}: stopped by {type(error).__name__}: {error}")
