"""Not Python, on purpose."""

CLAIM = = 1
