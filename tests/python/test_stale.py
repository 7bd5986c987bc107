"""The layer that is made from the public headers (python/src/api.c) is that of the headers as they are."""

import os
import shutil
import subprocess
import tempfile

from setup import TOP, check, finish, skip

if not shutil.which("node") or not shutil.which("clang"):
    skip("node or clang is missing, which make the layer")
scratch = os.environ.get("LIMBER_SCRATCH") or tempfile.mkdtemp()
subprocess.run(["node", TOP / "web" / "make_api.mjs", TOP / "include", scratch], check=True)
made = os.path.join(scratch, "api.c")
subprocess.run(["node", TOP / "python" / "make_api.mjs", os.path.join(scratch, "api.json"), made], check=True)
with open(made, encoding="utf-8") as new, open(TOP / "python" / "src" / "api.c", encoding="utf-8") as old:
    check(new.read() == old.read(), "python/src/api.c is not what the headers say: run ./dev python, and commit what it changes")
finish()
