"""SO(3) representations on the sphere, measured."""
