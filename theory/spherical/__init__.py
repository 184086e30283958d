"""SO(3) representations as positional encodings of the sphere."""
