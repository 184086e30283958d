"""Ordered products of operators along paths."""

from posproof.theory.journey.uniqueness import (
    CERTIFIER,
    SPECIAL_CASES,
    UNIQUENESS,
    Axioms,
    Certifier,
    Layouts,
)

__all__ = ["CERTIFIER", "SPECIAL_CASES", "UNIQUENESS", "Axioms", "Certifier", "Layouts"]
