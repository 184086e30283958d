"""Proofs about dual shears."""
