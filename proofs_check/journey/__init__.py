"""Proofs about ordered products along paths."""
