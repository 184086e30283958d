"""Ordered products of operators along paths."""

from posproof.theory.journey.uniqueness import CERTIFIER, UNIQUENESS, Axioms, Certifier

__all__ = ["CERTIFIER", "UNIQUENESS", "Axioms", "Certifier"]
