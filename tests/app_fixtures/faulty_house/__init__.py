"""Subjects made up for the tests of the application."""
