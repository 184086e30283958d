"""Proofs about spherical encodings."""
