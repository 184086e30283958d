"""Spherical encodings, measured."""
