"""The words and signs shared by every report.

Main definitions
----------------
SIGNS            one sign for each verdict, readable without colour
TIERS            the tiers of trust in words
tier_sentence    an assumption in full words
"""

from __future__ import annotations

SIGNS = {
    "verified": "✓",
    "proved": "✓",
    "certified": "✓",
    "within-bound": "✓",
    "survived": "✓",
    "partial": "◐",
    "left-out": "◌",
    "undecided": "?",
    "error": "!",
    "broken": "⚠",
    "refuted": "✗",
    "clean": "✓",
    "by-design": "◐",
    "precondition": "?",
    "no answer": "!",
    "fault": "✗",
}

TIERS = {"cited": "the cited theorem", "argued": "the argued step", "software": "the software"}


def tier_sentence(tier: str, name: str) -> str:
    """An assumption in words, such as `rests on the software FLINT`."""
    return f"rests on {TIERS[tier]} {name}"


def counted(number: int, noun: str) -> str:
    """A number with its noun, as `1 check` or `2 checks`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
