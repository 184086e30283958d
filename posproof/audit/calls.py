"""Calling somebody's code: whatever it does becomes a value or a finding.

Main definitions
----------------
Broken          raised inside an invariant when a call already decides it; carries the finding
Refused         the same where the encoding says that it does not take the input
Inapplicable    raised by an invariant that does not concern the encoding after all
called          the result of a method as a finite float64 array of the expected shape

Conventions
-----------
An exception, NaN or a wrong shape is a fault of the encoding.  A ValueError or NotImplementedError
says that it refuses the input: `Refused`, which an invariant may catch where refusing is right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.audit.findings import Finding, fault

Array = NDArray[np.float64]


class Inapplicable(Exception):
    """An invariant has nothing to say about this encoding: it does not appear in the report."""


class Broken(Exception):
    """A call that gave no usable value."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.reason)
        self.finding = finding


class Refused(Broken):
    """The encoding itself refuses an input."""


def called(
    method: Callable[..., Any],
    *arguments: Any,
    given: str,
    shape: tuple[int, ...] | None = None,
    finite: bool = True,
) -> Array:
    """What a method returns, as float64; raises Broken or Refused.  `given` names the input."""
    result = raw(method, *arguments, given=given)
    values = as_array(result, given)
    if shape is not None and values.shape != shape:
        raise Broken(
            fault("the result has a wrong shape", given=given, observed=values.shape, right=shape)
        )
    if finite and not np.isfinite(values).all():
        worst = np.argwhere(~np.isfinite(values))[0]
        place = f" at {tuple(int(k) for k in worst)}" if values.ndim else ""
        raise Broken(
            fault(f"the result is not finite{place}", given=given, observed=values[tuple(worst)])
        )
    return values


def raw(method: Callable[..., Any], *arguments: Any, given: str) -> Any:
    """What a method returns; an exception becomes Broken, a refusal Refused."""
    try:
        return method(*arguments)
    except Exception as cause:
        kind = Refused if isinstance(cause, (ValueError, NotImplementedError)) else Broken
        said = " ".join(str(cause).split())
        raise kind(fault(f"it raises {type(cause).__name__}: {said}", given=given)) from cause


def as_array(result: Any, given: str) -> Array:
    """A result of NumPy, of a tensor library, or of plain numbers, as float64."""
    if hasattr(result, "detach"):  # a tensor: narrow formats have no NumPy type of their own
        result = result.detach().cpu().double().numpy()
    try:
        return np.asarray(result).astype(np.float64)
    except (TypeError, ValueError) as cause:
        kind = type(result).__name__
        raise Broken(fault(f"the result is a {kind}, not numbers", given=given)) from cause
