"""States nothing, so it is no subject."""
