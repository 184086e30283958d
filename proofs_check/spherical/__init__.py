"""Proofs of the subject spherical."""
