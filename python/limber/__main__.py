"""`python -m limber` is the program `limber`."""

from .program import main

main()
