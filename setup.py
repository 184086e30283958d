"""The package names of the wheel; everything else is in pyproject.toml.

The floors stand side by side in a checkout and lie inside `posproof` in a wheel.  Computing the
names keeps a new subject from having to be listed anywhere.
"""

from setuptools import find_packages, setup

FLOORS = ("theory", "proofs_check", "numerics")


def inside(folder: str, name: str) -> list[str]:
    """The package `name` found in `folder`, and the packages below it."""
    return [name, *(f"{name}.{package}" for package in find_packages(folder))]


setup(
    packages=inside("posproof", "posproof")
    + [name for floor in FLOORS for name in inside(floor, f"posproof.{floor}")],
    package_dir={"posproof": "posproof"} | {f"posproof.{floor}": floor for floor in FLOORS},
)
