"""The program `limber`, which comes with the package: installing it brings the command, `python -m limber` is the same, and run()
calls it from Python for what has no function of its own (`batch`, `learn`, `compare`).

>>> import limber
>>> limber.run("models").splitlines()[0] != ""
True
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

from .errors import ArgumentError, FileError, LimberError

__all__ = ["run"]

PROGRAM = pathlib.Path(__file__).resolve().parent / "bin" / "limber"

# Exit codes that are answers: done, not solved, over the bounds of a report. The others are mistakes.
_ANSWERS = (0, 4, 5)
_CANNOT_WRITE = 3


def _found() -> str:
    if not PROGRAM.is_file():
        raise FileError("the program is not in this package; it was built without it", "file", str(PROGRAM))
    return str(PROGRAM)


def run(*arguments: str | os.PathLike[str], folder: str | os.PathLike[str] | None = None) -> str:
    """Runs the program with these arguments, in a folder, and returns what it prints; what it notes goes to standard error.
    Raises LimberError with its message where it fails.

    >>> import limber
    >>> print(limber.run("--version").split()[0])
    limber
    >>> try:
    ...     limber.run("solv", "panda")
    ... except limber.LimberError as error:
    ...     print(error)
    there is no command `solv`; did you mean `solve`?
    """
    words = [os.fspath(word) for word in arguments]
    if not words or not all(isinstance(word, str) for word in words):
        raise ArgumentError("run takes the words of a command, as in limber.run('solve', 'panda', '--goal', '...')")
    ended = subprocess.run([_found(), *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if ended.returncode not in _ANSWERS:
        told = ended.stderr.strip().removeprefix("limber: ") or f"limber ended with code {ended.returncode}"
        raise (FileError(told, "file") if ended.returncode == _CANNOT_WRITE else LimberError(told))
    sys.stderr.write(ended.stderr)
    return ended.stdout


def main() -> None:
    """What the command `limber` of an environment does: becomes the program."""
    try:
        os.execv(_found(), ["limber", *sys.argv[1:]])
    except (FileError, OSError) as error:
        sys.exit(f"limber: {error}")
