"""Dual shears: the positional maps of Sp(2, R), with and without damping."""
