"""Representations of rotations as encodings of the sphere, measured."""
