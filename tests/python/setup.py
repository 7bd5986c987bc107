"""What the tests of the Python package share: where it is, checks that count. Skips where there is no package to test."""

import os
import pathlib
import sys

TOP = pathlib.Path(os.environ.get("LIMBER_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
LIB = pathlib.Path(os.environ.get("LIMBER_PYTHON") or TOP / "build" / "python" / "lib")
IS_LONG = os.environ.get("LIMBER_TEST_LONG") == "1"


def skip(why):
    """Ends the test: not run, and why."""
    print(f"skipped: {why}")
    sys.exit(77)


try:
    import numpy  # noqa: F401
except ImportError:
    skip("there is no NumPy (python3-numpy)")
if not list((LIB / "limber").glob("_limber*")):
    skip("the Python package is not built (./dev python)")
sys.path.insert(0, str(LIB))

_state = {"checks": 0, "failures": 0}


def check(is_well, what):
    """Counts a check; says what is wrong where it fails."""
    _state["checks"] += 1
    if not is_well:
        _state["failures"] += 1
        if _state["failures"] <= 20:
            print(f"FAILED: {what}")


def same(found, wanted, what):
    """Checks that two things are equal."""
    check(found == wanted, f"{what}: {found!r} instead of {wanted!r}")


def raises(kind, call, what, words=""):
    """Checks that a call raises an exception of a kind whose text holds some words; returns it."""
    try:
        call()
    except kind as error:
        check(words in str(error), f"{what}: {error!r} does not say {words!r}")
        return error
    except Exception as error:
        check(False, f"{what}: raised {error!r} instead of {kind}")
        return None
    check(False, f"{what}: nothing was raised")
    return None


def finish(about=""):
    """Says how it went and ends the test."""
    print(f"{_state['checks'] - _state['failures']} of {_state['checks']} checks passed{'; ' + about if about else ''}")
    sys.exit(1 if _state["failures"] or not _state["checks"] else 0)
