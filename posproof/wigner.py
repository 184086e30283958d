"""Wigner matrices, and how wrong one of your own is, without a reference to compare it with.

Main definitions
----------------
certify_wigner    a real matrix that claims to be d^l(beta)
WignerReport      the answer: a proved bound of its error, or why there is none
nearest           columns of d^l(beta), rounded from balls
small, matrix, real_matrix, apply, apply_real, half_pi, real_basis and the functions for angles and
bounds are those of `posproof.numerics.wigner`.

Conventions
-----------
twice = 2l, l a whole or half number; d^l(beta) = exp(-i beta J_y), J_y = (J_+ - J_-) / (2 i); rows
m' and columns m ascend from -l to l.  The certificate's bound is that of the claim
`spherical.matrix_certificate`, the other bounds are those of `spherical.wigner_numerics` and
`spherical.factorisation`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from posproof.errors import BadInput
from posproof.numerics.wigner import (
    angles_of_quaternions,
    angles_of_rotations,
    apply,
    apply_bound,
    apply_real,
    entry_bound,
    half_pi,
    half_pi_plain,
    homomorphism_bound,
    matrix,
    matrix_bound,
    pairs_to_try,
    quaternion_product,
    quaternions_of_rotations,
    real_basis,
    real_matrix,
    rotations_of_angles,
    small,
    unitarity_bound,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

#: Rows beyond which the certificate takes more than a minute.
LARGEST_MATRIX = 2049


@dataclass(frozen=True)
class WignerReport:
    """What `certify_wigner` found; `print(report)` says it in words.

    `columns[j]` bounds the 2-norm of the error of column j, up to its sign where not `certified`.
    """

    degree: Fraction
    beta: float
    columns: tuple[float, ...]
    certified: bool
    fault: str
    likely: str

    @property
    def bound(self) -> float:
        """No entry and no column is further from d^l(beta) than this; infinite if not certified."""
        return max(self.columns) if self.certified else math.inf

    @property
    def worst_column(self) -> int:
        """The index l + m of the column with the largest bound."""
        return max(range(len(self.columns)), key=self.columns.__getitem__)

    def __str__(self) -> str:
        where = f"l = {self.degree}, beta = {self.beta!r}"
        if self.certified:
            return f"{where}: within {self.bound:.3g} of d^l, column {self.worst_column} the worst"
        end = f"; likely: {self.likely}" if self.likely else ""
        return f"{where}: not d^l(beta): {self.fault}{end}"


def certify_wigner(d: ArrayLike, beta: float) -> WignerReport:
    """Bound the error of a real matrix `d`, (2l + 1, 2l + 1), against d^l(beta), beta in radians.

    Costs a number of operations proportional to the number of entries, in balls of 128 bits: 0.1 s
    at l = 64, 2 s at l = 256.  The bound is rigorous, for the numbers given, and exceeds the error
    by a factor of about l.  An orthogonal matrix can be far from d^l; this bound sees it.  A matrix
    that is off by rounding alone is always certified.  A complex matrix is accepted if its
    imaginary part is 0.  Raises BadInput for anything else that is no real square matrix, or holds
    NaN or infinity, or has more than 2049 rows.

    >>> import math
    >>> c, s = math.cos(0.35), math.sin(0.35)
    >>> certify_wigner([[c, s], [-s, c]], 0.7).bound < 1e-15
    True
    >>> certify_wigner([[c, -s], [s, c]], 0.7).certified
    False
    """
    from posproof.numerics.wigner_certificate import certify, likely

    values, angle = _matrix(d), _angle(beta)
    finding = certify(values, angle)
    words = "" if finding.signs else likely(values, angle)
    degree = Fraction(len(values) - 1, 2)
    return WignerReport(degree, angle, finding.columns, finding.signs, finding.fault, words)


def nearest(twice: int, beta: float, columns: Iterable[int] | None = None) -> NDArray[np.float64]:
    """Columns k = l + m of d^l(beta), all unless told, shape (2l + 1, columns), within an ulp.

    From balls of thousands of bits at large l: 0.5 s for all columns at l = 128.
    """
    from posproof.numerics.balls.wigner import small_matrix

    return np.array([[float(x) for x in column] for column in small_matrix(twice, beta, columns)]).T


def _matrix(d: ArrayLike) -> NDArray[np.float64]:
    try:
        values = np.asarray(d)
        if np.iscomplexobj(values):
            if values.imag.any():
                raise BadInput("the imaginary part is not 0: give d^l(beta), not D", "d")
            values = values.real
        found = values.astype(np.float64)
    except (TypeError, ValueError) as reason:
        if isinstance(reason, BadInput):
            raise
        raise BadInput(f"{type(d).__name__} is no array of numbers", "d") from reason
    if found.ndim != 2 or found.shape[0] != found.shape[1] or not found.size:
        raise BadInput(f"a square matrix has two equal sides, not {found.shape}", "d")
    if len(found) > LARGEST_MATRIX:
        raise BadInput(f"{len(found)} rows are more than {LARGEST_MATRIX}", "d")
    if not np.isfinite(found).all():
        raise BadInput("an entry is NaN or infinite", "d")
    return found


def _angle(beta: float) -> float:
    try:
        angle = float(beta)
    except (TypeError, ValueError, OverflowError) as reason:
        raise BadInput(f"{beta!r} is not a number of radians", "beta") from reason
    if not math.isfinite(angle):
        raise BadInput(f"{angle!r} is not a finite angle", "beta")
    return angle


__all__ = [
    "WignerReport",
    "angles_of_quaternions",
    "angles_of_rotations",
    "apply",
    "apply_bound",
    "apply_real",
    "certify_wigner",
    "entry_bound",
    "half_pi",
    "half_pi_plain",
    "homomorphism_bound",
    "matrix",
    "matrix_bound",
    "nearest",
    "pairs_to_try",
    "quaternion_product",
    "quaternions_of_rotations",
    "real_basis",
    "real_matrix",
    "rotations_of_angles",
    "small",
    "unitarity_bound",
]
