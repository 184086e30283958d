"""Longer contexts, measured."""
