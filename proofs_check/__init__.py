"""Why it is true: exact proofs through a small kernel."""
