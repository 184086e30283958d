"""Proofs about unitary tokens."""
