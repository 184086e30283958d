"""Ordered products of operators along paths."""
