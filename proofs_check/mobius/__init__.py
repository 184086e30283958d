"""Proofs about anti-periodic ladders."""
