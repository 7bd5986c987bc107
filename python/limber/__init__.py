"""Limber poses articulated figures - robots, people - from what they should touch, face, hold, avoid and balance on.

>>> import limber
>>> arm = limber.load("panda")                                  # or a path: a URDF, an MJCF, a .fig, a BVH, a glTF file
>>> sol = limber.solve(arm, {"link7": [0.4, 0.2, 0.5]})   # a place: position, (position, quaternion) or 4x4 matrix
>>> sol.solved
True

limber.load and limber.solve are the two lines that most need. limber.solve_many solves arrays of places on all cores,
limber.Problem holds goals that stay, limber.Solver is the fastest way to solve again and again. Units are SI: metres,
kilograms, radians; frames are right-handed, Z is up, quaternions are x, y, z, w.
"""

from . import _limber as _limber
from .builder import *
from .closed import *
from .collisions import *
from .drag import *
from .errors import *
from .figure import *
from .frames import *
from .goals import *
from .habit import *
from .maps import *
from .models_of import *
from .motion import *
from .paths import *
from .picture import *
from .problem import *
from .program import *
from .reach import *
from .serve import *
from .servo import *
from .solving import *
from . import dask as dask

__version__: str = _limber.lb_version()
# Written out, so that type checkers know it too; python.docstrings sees that it is complete.
__all__ = [
    "__version__", "above", "ActiveLimit", "aim", "all_solutions", "animations", "any_of", "AnyOf",
    "ArgumentError", "as_frame", "as_matrix", "at", "avoid", "balance", "below", "BodyReport", "box",
    "Builder", "capsule", "circle", "Clip", "ClosedForm", "ClosedSolution", "ClosedSolutions", "compose",
    "Contact", "ContactReport", "Coupling", "custom", "cylinder", "disc", "Drag", "DragState", "Figure", "FileError", "floor",
    "frame", "Freedom", "from_mujoco", "from_pinocchio", "Goal", "GoalResult", "Group", "Habit", "half_space",
    "hull", "human_names", "humanoid_parts", "inside", "inverse", "Joint", "keep", "Level", "LimberError", "LimberWarning",
    "line", "load", "load_clip", "load_habit", "load_map", "load_problem", "load_script", "loads",
    "loads_problem", "Measure", "mesh", "models", "Motion", "motion_of", "OutOfMemoryError", "outside", "Pair",
    "ParseError", "Path", "path", "Picture", "plane", "Player", "polyhedron", "Problem", "Reach", "reach_map",
    "ReachAnswer", "ReachMap", "Reason", "render", "retarget", "RetargetFinding", "RetargetReport", "RetargetVerdict", "rotation",
    "rpy_of", "run", "Said",
    "Script", "Segment", "SegmentShape", "Servo", "ServoState", "Shape", "Site", "Solution", "Solutions",
    "solve", "solve_many", "Solver", "sphere", "studio", "to_mujoco", "to_pinocchio", "Track", "turned",
    "UnknownNameError", "Variable",
]
