"""Executable verification of the mathematics of positional encodings.

The subpackages `posproof.theory`, `posproof.proofs_check` and `posproof.numerics` are top-level
folders of the repository; a wheel carries them inside `posproof`, a checkout finds them beside it.
"""

from pathlib import Path as _Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posproof.api import claim as claim
    from posproof.api import claims as claims
    from posproof.api import verify as verify
    from posproof.axioms import AxiomReport as AxiomReport
    from posproof.axioms import certify_axioms as certify_axioms
    from posproof.errors import BadInput as BadInput
    from posproof.result import ClaimResult as ClaimResult
    from posproof.result import Result as Result
    from posproof.tolerances import NoTolerance as NoTolerance
    from posproof.tolerances import Tolerance as Tolerance
    from posproof.tolerances import tolerance as tolerance
    from posproof.wigner import WignerReport as WignerReport
    from posproof.wigner import certify_wigner as certify_wigner

__version__ = "0.1.0"

_checkout = _Path(__file__).resolve().parent.parent
if (_checkout / "pyproject.toml").is_file():
    # A copied checkout must find its own theory/, not the one an editable install points to.
    __path__.append(str(_checkout))

_LAZY = {
    "verify": "posproof.api",
    "claims": "posproof.api",
    "claim": "posproof.api",
    "AxiomReport": "posproof.axioms",
    "certify_axioms": "posproof.axioms",
    "Result": "posproof.result",
    "ClaimResult": "posproof.result",
    "BadInput": "posproof.errors",
    "tolerance": "posproof.tolerances",
    "Tolerance": "posproof.tolerances",
    "NoTolerance": "posproof.tolerances",
    "WignerReport": "posproof.wigner",
    "certify_wigner": "posproof.wigner",
}


def __getattr__(name: str) -> object:
    """Public names are imported when first used, so that `import posproof` stays cheap."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
