"""Proofs about symplectic shears."""
