"""Proofs about the dynamics of attention."""
