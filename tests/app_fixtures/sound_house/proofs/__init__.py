"""One floor of a house made up for the tests."""
