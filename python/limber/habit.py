"""Habits: how people were seen to pose (docs/habit.md). `limber learn` of the command line makes them from motion capture.

>>> import limber
>>> limber.load_habit("human", limber.load("human")).features > 10
True
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _limber as _c
from .errors import ArgumentError
from .figure import MODELS, Figure, options_of, warn

__all__ = ["Habit", "load_habit"]


class Habit:
    """How people pose: a Gaussian over features of a pose. Problem.set_habit() uses it."""

    def __init__(self, handle: Any, figure: Figure):
        if not isinstance(handle, _c.Handle):
            raise TypeError("habits are made by limber.load_habit")
        self._handle, self.figure = handle, figure
        #: How many features of a pose it looks at.
        self.features: int = _c.lb_habit_contents(handle).feature_count

    def __repr__(self) -> str:
        return f"Habit({self.figure.name}, {self.features} features)"

    def __reduce__(self):
        return (_unpickle, (_c.lb_habit_save_memory(self._handle).decode(), self.figure))

    def cost(self, pose: Any, floor: float = 0.0) -> float:
        """Half the squared distance of a pose from what was seen, in standard deviations: small is usual.

        >>> import limber
        >>> human = limber.load("human")
        >>> habit = limber.load_habit("human", human)
        >>> habit.cost(human.rest) < habit.cost(human.random_pose(1))
        True
        """
        features = np.empty(self.features)
        values = self.figure.pose(pose)
        _c.lb_habit_measure(self._handle, self.figure._kinematics(values), values, float(floor), features)
        return _c.lb_habit_cost(self._handle, features)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it."""
        _c.lb_habit_save(self._handle, os.fspath(path))


def _unpickle(text: str, figure: Figure) -> Habit:
    return Habit(_c.lb_habit_load_memory(text.encode(), "pickle", figure._handle, options_of("lb_load_options", {"warn": warn})), figure)


def load_habit(path: str | os.PathLike[str], figure: Figure, **options: Any) -> Habit:
    """Reads the habit of a figure from a file, or one that comes with the package by its name ("human").

    >>> import limber
    >>> limber.load_habit("human", limber.load("human"))  # doctest: +ELLIPSIS
    Habit(human, ... features)
    """
    text = os.fspath(path)
    if not isinstance(text, str) or not isinstance(figure, Figure):
        raise ArgumentError(f"a habit is read from a path, for a Figure, not {path!r}, {figure!r}")
    if not os.path.exists(text) and (MODELS / f"{text}.habit").exists():
        text = str(MODELS / f"{text}.habit")
    return Habit(_c.lb_habit_load(text, figure._handle, options_of("lb_load_options", {"warn": warn, **options})), figure)
