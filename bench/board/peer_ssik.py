"""ssik: the solution nearest to the start, by algebra, from the module that `ssik build` makes for a robot, as its authors advise; that is made
once, kept in build/peers/ssik, and not timed."""

import hashlib
import importlib.util
import pathlib
import subprocess
import sys

import contestant


def build(robot):
    """The robot's module."""
    urdf = pathlib.Path(robot.urdf).read_bytes()
    folder = pathlib.Path(sys.prefix).parent / "ssik"
    path = folder / f"arm_{hashlib.sha256(urdf).hexdigest()[:16]}.py"
    if not path.exists():
        folder.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "ssik.cli", "build", robot.urdf, "--base", robot.base, "--ee", robot.tip]
        command += ["--no-validate", "--out", str(path), "--module-name", path.stem]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
        except subprocess.TimeoutExpired:
            raise contestant.Cannot("ssik build takes over four minutes")
        if done.returncode or not path.exists():
            raise contestant.Cannot("ssik build: " + " ".join(done.stderr.split())[-160:])
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make(robot):
    if len(robot.lower) not in (6, 7) or not all(robot.is_angle):
        raise contestant.Cannot("it is made for six and seven turning joints")
    arm = build(robot)

    def solve(target, start):
        answers = arm.solve(target, q_seed=start, max_solutions=1)
        return (answers[0].q, True) if answers else (start, False)

    return solve


contestant.run("ssik", make, "ssik")
