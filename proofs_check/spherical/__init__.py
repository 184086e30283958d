"""Proofs about encodings of the sphere."""
