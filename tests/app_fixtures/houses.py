"""Two houses of made-up subjects, and how to run them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from posproof.registry import Floors
from posproof.result import Result
from posproof.verification import options, verify

FOLDER = Path(__file__).resolve().parent


def house(name: str) -> Floors:
    """The three floors of a house."""
    return Floors(*(f"{name}.{floor}" for floor in ("theory", "proofs", "numerics")))


SOUND, FAULTY = house("sound_house"), house("faulty_house")

#: A command line over a house, for tests that need a process of their own.
COMMAND = [
    sys.executable,
    "-c",
    "import sys; sys.path.insert(0, sys.argv[1]); from houses import house; "
    "from posproof.cli import main; sys.exit(main(sys.argv[3:], house(sys.argv[2])))",
    str(FOLDER),
]


def run(floors: Floors, *ids: str, **how: Any) -> Result:
    """Verify some claims of a house."""
    return verify(ids, options(floors=floors, **how))
