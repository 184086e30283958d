"""Proofs about accumulated rotations and reflections."""
