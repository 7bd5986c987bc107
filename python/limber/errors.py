"""What goes wrong, as exceptions.

>>> import limber
>>> try:
...     limber.load("no-such-file.urdf")
... except limber.LimberError as error:
...     print(error.status, error.file)
file no-such-file.urdf
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["LimberError", "ArgumentError", "UnknownNameError", "FileError", "ParseError", "OutOfMemoryError"]


class LimberError(Exception):
    """The base of all of Limber's exceptions: a sentence, and where a file is to blame the file and line.

    `status` is the short name of the C library's status ("argument", "name", "file", "syntax", ...), `file` a path or None,
    `line` a number from 1 or None.
    """

    def __init__(self, message: str, status: str = "argument", file: str | None = None, line: int | None = None):
        super().__init__(message)
        self.message = message
        self.status = status
        self.file = file
        self.line = line

    def __str__(self) -> str:
        return self.message

    def __reduce__(self):
        return (type(self), (self.message, self.status, self.file, self.line))


class ArgumentError(LimberError, ValueError):
    """A value that makes no sense: a number that is not finite, limits that contradict each other, a wrong shape."""


class UnknownNameError(LimberError, KeyError):
    """A name of a segment, site, joint or variable that the figure lacks; the message has the most similar ones."""


class FileError(LimberError, OSError):
    """A file that cannot be opened, read or written."""


class ParseError(LimberError, ValueError):
    """A file or text that cannot be understood."""


class OutOfMemoryError(LimberError, MemoryError):
    """There is no memory for it."""


def similar(name: object, names: Iterable[str]) -> str:
    """What to add to the message about a name that is not there: the most similar one, or else the first that are.

    >>> similar("joint44", ["joint3", "joint4"])
    '; did you mean `joint4`?'
    >>> similar("x", ["joint3", "joint4"])
    '; there are joint3, joint4'
    """
    known = list(names)
    text = name if isinstance(name, str) else ""
    found = difflib.get_close_matches(text.lower(), [other.lower() for other in known], 1, 0.6)
    if found:
        return f"; did you mean `{next(other for other in known if other.lower() == found[0])}`?"
    return f"; there are {', '.join(known[:12])}{', ...' if len(known) > 12 else ''}" if known else "; there are none"


_STATUS = {-1: "argument", -2: "memory", -3: "name", -4: "figure", -5: "limit", -6: "file", -7: "syntax", -8: "unsupported",
           -9: "too-large", -10: "struct"}
_CLASSES = {"memory": OutOfMemoryError, "name": UnknownNameError, "file": FileError, "syntax": ParseError}


def make(status: int, message: str, file: str, line: int) -> LimberError:
    """The exception for a status of the C library (the module in C calls this)."""
    word = _STATUS.get(status, "argument")
    kind = _CLASSES.get(word, ArgumentError)
    if file and not message.startswith(file):
        message = f"{file}:{line}: {message}" if line else f"{file}: {message}"
    return kind(message, word, file or None, line or None)
