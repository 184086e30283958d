"""Dual shears, measured."""
