"""The one exception a person's mistake raises.

Main definitions
----------------
BadInput    what is wrong with an argument; the command line turns it into one line and exit code 2
suggest     the known name nearest to a mistyped one
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class BadInput(ValueError):
    """An argument that cannot be used; `argument` names it as the caller wrote it."""

    def __init__(self, what: str, argument: str) -> None:
        super().__init__(f"{what} ({argument})")
        self.what = what
        self.argument = argument


def suggest(name: str, known: Iterable[str]) -> str:
    """A did-you-mean suffix for an unknown name, empty when nothing is near."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f", did you mean {near[0]!r}?" if near else ""
