"""Proofs about longer contexts."""
