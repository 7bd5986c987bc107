"""Every public thing has a docstring, the main ones an example, and all examples run."""

import doctest
import importlib
import inspect
import pkgutil
import sys
import warnings

from setup import check, finish, same

import limber

warnings.simplefilter("ignore")
flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
attempted = 0
names = [f"limber.{module.name}" for module in pkgutil.iter_modules(limber.__path__) if not module.name.startswith("_")]
for name in ["limber", *sorted(names)]:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=flags)
    attempted += result.attempted
    same(result.failed, 0, f"examples of {name} that fail")
    check(bool(module.__doc__), f"{name} has no docstring")

# The list in __init__.py, which type checkers read, has what the modules say, and nothing of it is of no type.
said = [public for name in names if name != "limber.dask" for public in getattr(sys.modules[name], "__all__", [])]
same(sorted(limber.__all__), sorted([*said, "__version__"]), "limber.__all__")
check(limber.dask.solve_many.__module__ == "limber.dask", "limber.dask is there without an import of its own")


def gives(function, what):
    """Checks that a function says what it returns."""
    told = function.__annotations__.get("return", "")
    check(told not in ("", "Any"), f"{what} does not say what it returns")


for name in limber.__all__:
    thing = getattr(limber, name)
    if name.startswith("__") or isinstance(thing, (str, dict)):
        continue
    check(bool(inspect.getdoc(thing)), f"limber.{name} has no docstring")
    if inspect.isfunction(thing):
        gives(thing, f"limber.{name}")
        check(">>>" in (thing.__doc__ or ""), f"limber.{name} has no example")
        check(all(p.annotation is not p.empty for p in inspect.signature(thing).parameters.values()), f"limber.{name} lacks type hints")
    if inspect.isclass(thing):
        for method, function in vars(thing).items():
            if inspect.isfunction(function) and not method.startswith("_"):
                check(bool(function.__doc__), f"limber.{name}.{method} has no docstring")
                if (name, method) != ("Problem", "add"):  # which has overloads
                    gives(function, f"limber.{name}.{method}")
check(attempted > 150, f"only {attempted} examples ran")
finish(f"{attempted} examples")
