"""limber.run: what the program does, from Python: tables, comparisons, habits; its mistakes are exceptions."""

import contextlib
import io
import os

from setup import check, finish, same

import limber

scratch = os.path.abspath(os.environ.get("LIMBER_SCRATCH", "."))
with open(os.path.join(scratch, "goals.csv"), "w", encoding="ascii") as file:
    file.write("x,y,z\n0.4,0.2,0.4\n0.3,0.3,0.3\n")
with contextlib.redirect_stderr(io.StringIO()):
    limber.run("batch", "panda", "--goal", "tool at 0.4,0,0.4", "--table", "goals.csv", "-o", "out.csv", "--force", folder=scratch)
    with open(os.path.join(scratch, "out.csv"), encoding="ascii") as file:
        rows = file.read().splitlines()
    same(len(rows), 3, "rows of a batch")
    told = limber.run("compare", "--help")
    check("method" in told, f"compare: {told}")
    told = limber.run("solve", "panda", "-g", "link7 at 9,9,9")
    check("solved" not in told.splitlines()[0], f"what is out of reach is an answer: {told}")


def message(*words):
    try:
        limber.run(*words, folder=scratch)
    except limber.LimberError as error:
        return str(error)
    return None


check("nothing.urdf" in (message("info", "nothing.urdf") or ""), f"a file that is not there: {message('info', 'nothing.urdf')}")
check("-o" in (message("learn") or ""), f"learn without its output: {message('learn')}")
for wrong in ((), (3,), (None,), ("solve", 3)):
    try:
        limber.run(*wrong)
        check(False, f"run{wrong} was taken")
    except (limber.ArgumentError, TypeError):
        check(True, "refused")
finish()
