"""Audit of an encoding: the invariants of this library against somebody's code.

Main definitions
----------------
audit       audit an object, or the text `package.module:object`
encoding    what an audit makes of an object
Report      what it says
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posproof.audit.findings import Report as Report
    from posproof.audit.protocol import encoding as encoding
    from posproof.audit.run import audit as audit

_LAZY = {
    "audit": "posproof.audit.run",
    "encoding": "posproof.audit.protocol",
    "Report": "posproof.audit.findings",
}


def __getattr__(name: str) -> object:
    """Public names are imported when first used."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)
