"""Maps: what reach_map says, against forward kinematics and against the program's own map, which load_map reads."""

import os
import subprocess

from setup import TOP, check, finish, raises, same

import numpy as np

import limber

arm = limber.load("panda")
made = limber.reach_map(arm, "link7", spacing=0.2)
for frame in arm.frames("link7", arm.random_poses(2000)):
    check(made.index(frame[:3]) is not None, "the map has all that can be reached")
centres = made.centres
for state, name in ((1, "reached"), (2, "outside"), (3, "not found")):
    for cell in np.argwhere(made.state == state)[:50]:
        same(made.at(centres[tuple(cell)]), name, "a cell by its middle")
check((made.missing[made.state == 1] == 0).all() and (made.missing[made.state == 2] > 0).all(), "what is missing")
same(int((made.reached + made.outside + made.unfound).min()), 1, "every cell has one answer")
turns = [limber.rotation([1, 0, 0], 0.0), limber.rotation([1, 0, 0], np.pi)]
turned = limber.reach_map(arm, "link7", spacing=0.4, orientations=turns, starts=10)
same(int((turned.reached + turned.outside + turned.unfound).min()), 2, "every orientation has an answer")
check((turned.share <= 1).all() and turned.share.max() > 0, "shares")

raises(ValueError, lambda: limber.reach_map(arm, "link7", spacing=0), "no spacing", "length")
raises(ValueError, lambda: limber.reach_map(arm, "link7", spacing=1e-6), "too many", "too many")
raises(ValueError, lambda: limber.reach_map(arm, "link7", box=([0, 0, 0], [0, 1, 1])), "no volume", "no volume")
raises(ValueError, lambda: limber.reach_map(arm, "link7", orientations=[[1, 2, 3, 4]]), "no quaternion", "quaternions")
raises(KeyError, lambda: limber.reach_map(arm, "nothing"), "no such site", "nothing")
raises(ValueError, lambda: limber.load_map("nowhere.h5"), "no file", "no such file")
with open("broken.h5", "wb") as file:
    file.write(b"no map at all")
program = os.environ.get("LIMBER")
try:
    import h5py  # noqa: F401
except ImportError:
    program = None
    print("not run: there is no h5py")
if program and os.path.exists(program):
    raises(ValueError, lambda: limber.load_map("broken.h5"), "a file that is none", "no map")
    words = [program, "reach", str(TOP / "models" / "panda.fig"), "--site", "link7", "--spacing", "0.2", "--force", "-o", "panda.h5"]
    ran = subprocess.run(words, capture_output=True, text=True)
    if "HDF5" in ran.stderr and ran.returncode:
        print("not run: limber was built without HDF5")
    else:
        same(ran.returncode, 0, f"limber reach: {ran.stderr}")
        read = limber.load_map("panda.h5")
        same(read.spacing, 0.2, "its spacing")
        same(read.figure.names, arm.names, "its figure")
        same(read.state.shape, made.state.shape, "its cells")
        check(np.abs(read.origin - made.origin).max() < 1e-12, f"its first cell: {read.origin}, {made.origin}")
        check(((read.state == 1) & (made.state == 2)).sum() == 0, "what the program reaches is not proved to be out of reach")
        check(((read.state == 2) & (made.state == 1)).sum() == 0, "nor the other way round")
        agree = (read.state == made.state).mean()
        check(agree > 0.9, f"{agree:.3f} of the cells have the same answer")
        print(f"{agree:.3f} of {read.state.size} cells have the same answer in both")
finish()
