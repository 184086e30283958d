"""Rounding errors, measured."""
