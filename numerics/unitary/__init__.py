"""Unitary tokens, measured."""
