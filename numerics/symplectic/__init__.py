"""Symplectic shears, measured."""
