"""Ordered products along paths, computed."""
