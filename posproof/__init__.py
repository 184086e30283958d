"""Executable verification of the mathematics of positional encodings.

The subpackages `posproof.theory`, `posproof.proofs_check` and `posproof.numerics` are top-level
folders of the repository; a wheel carries them inside `posproof`, a checkout finds them beside it.
"""

from pathlib import Path as _Path

__version__ = "0.1.0"

_checkout = _Path(__file__).resolve().parent.parent
if (_checkout / "pyproject.toml").is_file():
    # A copied checkout must find its own theory/, not the one an editable install points to.
    __path__.append(str(_checkout))
