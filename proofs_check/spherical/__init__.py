"""Exact proofs about SO(3) representations on the sphere."""
