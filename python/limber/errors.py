"""What goes wrong, as exceptions.

>>> import limber
>>> try:
...     limber.load("no-such-file.urdf")
... except limber.LimberError as error:
...     print(error.status, error.file)
file no-such-file.urdf
"""

__all__ = ["LimberError", "ArgumentError", "UnknownNameError", "FileError", "SyntaxError_", "OutOfMemoryError"]


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


class SyntaxError_(LimberError, ValueError):
    """A file or text that cannot be understood."""


class OutOfMemoryError(LimberError, MemoryError):
    """There is no memory for it."""


_STATUS = {-1: "argument", -2: "memory", -3: "name", -4: "figure", -5: "limit", -6: "file", -7: "syntax", -8: "unsupported",
           -9: "too-large", -10: "struct"}
_CLASSES = {"memory": OutOfMemoryError, "name": UnknownNameError, "file": FileError, "syntax": SyntaxError_}


def make(status: int, message: str, file: str, line: int) -> LimberError:
    """The exception for a status of the C library (the module in C calls this)."""
    word = _STATUS.get(status, "argument")
    kind = _CLASSES.get(word, ArgumentError)
    if file and not message.startswith(file):
        message = f"{file}:{line}: {message}" if line else f"{file}: {message}"
    return kind(message, word, file or None, line or None)
