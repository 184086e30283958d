"""Proofs about distance kernels and biases."""
