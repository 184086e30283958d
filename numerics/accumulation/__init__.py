"""Accumulated rotations and reflections, measured."""
