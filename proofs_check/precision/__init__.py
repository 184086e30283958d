"""Proofs about rounding errors."""
