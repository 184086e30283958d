"""Encodings of the sphere, measured."""
