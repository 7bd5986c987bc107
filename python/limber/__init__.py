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

from . import _limber
from .closed import *
from .closed import __all__ as _closed
from .errors import *
from .errors import __all__ as _errors
from .figure import *
from .figure import __all__ as _figure
from .frames import *
from .frames import __all__ as _frames
from .goals import *
from .goals import __all__ as _goals
from .habit import *
from .habit import __all__ as _habit
from .maps import *
from .maps import __all__ as _maps
from .models_of import *
from .models_of import __all__ as _models_of
from .motion import *
from .motion import __all__ as _motion
from .picture import *
from .picture import __all__ as _picture
from .problem import *
from .problem import __all__ as _problem
from .program import *
from .program import __all__ as _program
from .reach import *
from .reach import __all__ as _reach
from .serve import *
from .serve import __all__ as _serve
from .servo import *
from .servo import __all__ as _servo
from .solving import *
from .solving import __all__ as _solving
from .solving import Atlas

__version__: str = _limber.lb_version()
__all__ = [*_closed, *_errors, *_figure, *_frames, *_goals, *_habit, *_maps, *_models_of, *_motion, *_picture, *_problem,
           *_program, *_reach, *_serve, *_servo, *_solving, "Atlas", "__version__"]
