"""Audit of an encoding: the invariants of this library against somebody's code."""
