"""Longer contexts: the base of a ladder, and the rules that rescale its frequencies."""

from posproof.theory.scaling.base import BASE_BOUND, ROWS, Base, Row, bracket
from posproof.theory.scaling.rules import (
    DYNAMIC_NTK,
    INTERPOLATION,
    LLAMA3,
    LONGROPE,
    NTK,
    YARN,
    Rules,
)

__all__ = [
    "BASE_BOUND",
    "DYNAMIC_NTK",
    "INTERPOLATION",
    "LLAMA3",
    "LONGROPE",
    "NTK",
    "ROWS",
    "YARN",
    "Base",
    "Row",
    "Rules",
    "bracket",
]
