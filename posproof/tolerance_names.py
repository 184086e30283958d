"""The tolerances that can be asked for: what each bounds, what it needs, and how it is evaluated.

Main definitions
----------------
Name           one kind of tolerance
TOLERANCES     every kind, by name
Evaluated      a bound, the shares of its stages, and whether it says anything

Conventions
-----------
An evaluation takes the checked inputs of one question.  Shares are to first order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from posproof.numerics.tolerances import Errors, Pipeline

Inputs = Mapping[str, Any]
Shares = dict[str, Fraction]

#: What a rotary tolerance needs: without its range of positions it would be a guess.
ROPE = ("dtype", "pipeline", "max_position", "head_dim", "base")
U64 = Fraction(1, 2**53)


@dataclass(frozen=True)
class Evaluated:
    """A bound; `vacuous` when it says no more than what holds for any code.

    `asserted` is the number to test with, where that is not the bound, and `floor` an absolute
    tolerance besides a relative one.
    """

    bound: Fraction
    shares: Shares
    vacuous: bool = False
    asserted: Fraction | None = None
    floor: Fraction = Fraction(0)


@dataclass(frozen=True)
class Comparison:
    """What a test compares; `doubles` are tensors that PyTorch has to widen first."""

    actual: str
    desired: str
    where: str = ""
    doubles: tuple[str, ...] = ()
    relative: bool = False
    torch: str = ""

    def lines(self, bound: str, floor: str) -> tuple[str, str]:
        """Assertions to paste, NumPy's and PyTorch's."""
        limits = f"rtol={bound}, atol={floor}" if self.relative else f"rtol=0, atol={bound}"
        sides = [self.torch or self.actual, self.desired]
        for name in self.doubles:
            sides = [re.sub(rf"\b{name}\b", f"{name}.double()", side) for side in sides]
        return (
            f"np.testing.assert_allclose({self.actual}, {self.desired}, {limits})",
            f"torch.testing.assert_close({sides[0]}, {sides[1]}, {limits})",
        )


@dataclass(frozen=True)
class Reach:
    """What a test asserts of the weights up to a distance, and including it."""

    where: str

    def lines(self, bound: str, floor: str) -> tuple[str, str]:
        """Assertions to paste, NumPy's and PyTorch's."""
        near = f"weights[..., : {bound} + 1]"
        return (
            f"np.testing.assert_array_less(0, {near})",
            f"assert bool(({near} > 0).all())",
        )


@dataclass(frozen=True)
class Name:
    """One kind of tolerance.

    One of `either` is needed too.  `slack` bounds what a test adds that evaluates the printed line
    in float64.  A `whole` bound is a number of positions, and no rounding up would keep it true.
    """

    bounds: str
    unit: str
    claim: str
    formula: str
    needs: tuple[str, ...]
    evaluate: Callable[[Inputs, Fraction], Evaluated]
    test: Comparison | Reach
    slack: Callable[[Inputs, Fraction], Fraction]
    either: tuple[str, ...] = ()
    whole: bool = False

    @property
    def rotary(self) -> bool:
        """Whether it is about a pipeline at a range of positions."""
        return "pipeline" in self.needs

    @property
    def roundings(self) -> tuple[str, ...]:
        """The arithmetic it is proved for."""
        return ("nearest", "truncate") if self.rotary else ("nearest", "flush")[: 1 + self.whole]


# ---------------------------------------------------------------------- rotary tolerances
def line_of(inputs: Inputs) -> Pipeline:
    """The pipeline that is asked about, with its accumulator, stored score and rounding."""
    from posproof.numerics.tolerances import pipeline, truncated

    names = (inputs[key] for key in ("pipeline", "dtype", "acc", "score"))
    line = replace(pipeline(*names), fused=bool(inputs["fma"]))
    return truncated(line) if inputs["rounding"] == "truncate" else line


def rotary_errors(inputs: Inputs, smallest: Fraction = Fraction(1), *, exact: bool) -> Errors:
    """Every error of the pipeline; `exact` counts what rounding the frequencies adds."""
    from posproof.numerics.tolerances import errors, exact_errors

    evaluate = exact_errors if exact else errors
    where = inputs["max_position"], inputs["head_dim"], Fraction(inputs["base"])
    return evaluate(line_of(inputs), *where, smallest_norm=smallest)


def _rotary(
    field: Callable[[Errors], Fraction],
    weights: Mapping[str, int],
    *,
    exact: bool = False,
    useless: Callable[[Errors], bool] = lambda found: found.vacuous,
) -> Callable[[Inputs, Fraction], Evaluated]:
    """A tolerance that is one of `Errors`; `weights` say how often each stage enters it."""

    def evaluate(inputs: Inputs, smallest: Fraction) -> Evaluated:
        found = rotary_errors(inputs, smallest, exact=exact)
        shares = {stage: weight * found.stages[stage] for stage, weight in weights.items()}
        return Evaluated(field(found), shares, useless(found))

    return evaluate


def _always_says_something(found: Errors) -> bool:
    return False


def _attention(inputs: Inputs, smallest: Fraction) -> Evaluated:
    from posproof.numerics.composition_bounds import attention

    found = rotary_errors(inputs, smallest, exact=True)
    norms = Fraction(inputs["norms"])
    bound = attention(found.score, norms, inputs["head_dim"])
    root = attention(Fraction(1), Fraction(1), inputs["head_dim"])
    shares = {stage: w * found.stages[stage] * norms * root for stage, w in SCORE.items()}
    return Evaluated(bound, shares, bound >= Fraction(99, 100))


TABLE = {"angle": 1, "cos and sin": 1, "table rounding": 1}
NORM = {"cos and sin": 1, "table rounding": 1, "rotation": 1, "output rounding": 1}
STORED = {"angle": 1, **NORM}
VECTOR = {"angle": 1, "stored frequency": 1, **NORM}
AFTER = {"accumulation": 1, "score rounding": 1}
SCORE = {**dict.fromkeys(VECTOR, 2), **AFTER}
RELATIVE = {stage: 2 * w for stage, w in {**dict.fromkeys(STORED, 2), **AFTER}.items()}
G = "(1 + eta)^2 (1 + d u_acc)(1 + u_score) - 1"


# ---------------------------------------------------------------------- what is composed
def _format(inputs: Inputs) -> Any:
    from posproof.numerics.formats import FORMATS

    return FORMATS[inputs["dtype"]]


def _ulps(inputs: Inputs) -> Fraction:
    from posproof.numerics.tolerances import CORRECTLY_ROUNDED, LIBRARY_ULPS

    return LIBRARY_ULPS.get(inputs["dtype"], CORRECTLY_ROUNDED)


def _rotations(inputs: Inputs, smallest: Fraction) -> Evaluated:
    from posproof.numerics.composition_bounds import rotation_product, rounded_entry

    form, n = _format(inputs), inputs["count"]
    bound = rotation_product(n, form)
    one = rotation_product(2, form) - 2 * rounded_entry(form)
    shares = {"entries": n * rounded_entry(form), "products": (n - 1) * one}
    return Evaluated(bound, shares, bound >= 2)


def _shears(inputs: Inputs, smallest: Fraction) -> Evaluated:
    from posproof.numerics.composition_bounds import shear_product

    bound = shear_product(inputs["count"], _format(inputs))
    return Evaluated(bound, {"sums": bound}, bound >= 1)


def _wigner(inputs: Inputs, smallest: Fraction) -> Evaluated:
    from posproof.numerics.composition_bounds import wigner_homomorphism, wigner_matrix

    form, degree = _format(inputs), inputs["degree"]
    bound, one = wigner_homomorphism(degree, form), wigner_matrix(degree, form)
    # Two unitary matrices of n rows are at most 2 sqrt(n) apart.
    useless = bound**2 >= 4 * (2 * degree + 1)
    shares = {"three matrices": 3 * one, "product and angles": bound - 3 * one}
    return Evaluated(bound, shares, useless)


def _softmax(inputs: Inputs, smallest: Fraction) -> Evaluated:
    from posproof.numerics.composition_bounds import mean_gap, softmax_log, softmax_relative
    from posproof.numerics.tolerances import half_subnormal

    form, n, gap = _format(inputs), inputs["count"], Fraction(inputs["gap"])
    u, ulps = form.unit_roundoff, _ulps(inputs)
    bound = softmax_log(n, gap, form, ulps=ulps)
    shares = {
        "own gap": u * gap,
        "gaps of the row": u * mean_gap(n),
        "sum and quotient": n * u,
        "exponentials": 4 * ulps * u,
    }
    asserted = softmax_relative(n, gap, form, ulps=ulps)
    return Evaluated(bound, shares, asserted=asserted, floor=half_subnormal(form))


def _alive(inputs: Inputs, smallest: Fraction) -> Evaluated:
    """The last distance at which no head's weight is 0: the steepest head's."""
    from posproof.numerics.alibi_distances import (
        exponents,
        first_dead,
        given,
        power_of_two,
        vanishing,
    )

    T = vanishing(_format(inputs), flushed=inputs["rounding"] == "flush")
    if inputs.get("slope") is not None:
        alive = {"slope": first_dead(given(Fraction(inputs["slope"])), T) - 1}
    else:
        alive = {
            f"head {h}, m = 2^-{x}" if x.denominator == 1 else f"head {h}, m = 2^-({x})": (
                first_dead(power_of_two(x), T) - 1
            )
            for h, x in enumerate(exponents(inputs["heads"]), start=1)
        }
    shares = {head: Fraction(distance) for head, distance in alive.items()}
    return Evaluated(min(shares.values()), shares)


# ---------------------------------------------------------------------- float64 evaluation
def _nothing(inputs: Inputs, bound: Fraction) -> Fraction:
    return Fraction(0)


def _quotient(inputs: Inputs, bound: Fraction) -> Fraction:
    """Norms are off by (d + 4) u of themselves; a quotient is rounded and at most 1 + bound."""
    return 2 * (inputs["head_dim"] + 4) * U64 * bound + 4 * U64 * (1 + bound)


def _two_norms(inputs: Inputs, bound: Fraction) -> Fraction:
    return 2 * (inputs["head_dim"] + 4) * U64 * (1 + bound)


def _total(inputs: Inputs, bound: Fraction) -> Fraction:
    """A total of n moduli and a quotient."""
    return (inputs["count"] + 4) * U64 * (1 + bound)


def _frobenius(inputs: Inputs, bound: Fraction) -> Fraction:
    """A norm of n^2 differences of entries of modulus at most 1 + bound."""
    n = 2 * inputs["degree"] + 1
    return (n**2 + 4) * U64 * bound + 2 * n * U64 * (1 + bound)


def _row(inputs: Inputs, bound: Fraction) -> Fraction:
    """Two float64 softmax rows of at most L terms, and the sum of their differences.

    Each row is off by (gap + n + 4) u of itself, gap at most 2 norms; the sum by n u.
    """
    row = Fraction(inputs["max_position"]) + 2 * Fraction(inputs["norms"]) + 4
    return 3 * row * U64 * (bound + 1)


def _logarithm(inputs: Inputs, bound: Fraction) -> Fraction:
    return 4 * U64 * (1 + bound)


_X = "norm_x = |x|, in float64; NumPy and PyTorch want a scalar atol"
_NORMS = "norms = |q| |k|, in float64; NumPy and PyTorch want a scalar atol"

TOLERANCES: dict[str, Name] = {
    "rope.angle": Name(
        bounds="a computed angle against position times stored frequency",
        unit="radians",
        claim="precision.angles",
        formula="A = max_i (e theta_i + u_angle ufp((L - 1 + e) theta_i))",
        needs=ROPE,
        evaluate=_rotary(lambda e: e.angle, {"angle": 1}, useless=_always_says_something),
        test=Comparison("angles", "exact_angles", doubles=("angles",)),
        slack=_nothing,
    ),
    "rope.table": Name(
        bounds="a stored cosine and sine, as one complex number, against those of position times "
        "stored frequency",
        unit="1",
        claim="precision.angles",
        formula="epsilon = min(A, 2) + (1 + tau)(1 + u_table) - 1 + sqrt(2) omega_table",
        needs=ROPE,
        evaluate=_rotary(lambda e: e.table, TABLE),
        test=Comparison("cos", "exact_cos", doubles=("cos",)),
        slack=_nothing,
    ),
    "rope.apply": Name(
        bounds="a rotated vector against its rotation by the exact frequencies",
        unit="|x|",
        claim="precision.angles",
        formula="eta = (epsilon + kappa (1 + epsilon))(1 + u_out) + u_out + underflow, "
        "epsilon with A_i + (L - 1) theta_i E_i for A_i",
        needs=ROPE,
        evaluate=_rotary(lambda e: e.vector, VECTOR, exact=True),
        test=Comparison("rotated / norm_x", "exact / norm_x", _X, ("rotated",)),
        slack=_quotient,
    ),
    "rope.group_law": Name(
        bounds="R_t R_p x against R_{p+t} x, both computed",
        unit="|x|",
        claim="precision.check_power",
        formula="(1 + eta)^2 - 1 + eta, eta = (epsilon + kappa (1 + epsilon))(1 + u_out) + u_out "
        "+ underflow",
        needs=ROPE,
        evaluate=_rotary(
            lambda e: (1 + e.vector) ** 2 - 1 + e.vector,
            dict.fromkeys(STORED, 3),
        ),
        test=Comparison("twice / norm_x", "whole / norm_x", _X, ("twice", "whole")),
        slack=_quotient,
    ),
    "rope.norm": Name(
        bounds="the norm of a rotated vector against the norm before",
        unit="|x|",
        claim="precision.norm",
        formula="nu = (1 + epsilon_0)(1 + kappa)(1 + u_out) - 1 + underflow",
        needs=ROPE,
        evaluate=_rotary(lambda e: e.norm, NORM, useless=_always_says_something),
        test=Comparison(
            "norm_after", "norm_before", "norm_before = |x|, in float64", relative=True
        ),
        slack=_two_norms,
    ),
    "rope.score": Name(
        bounds="a computed score against the score by the exact frequencies",
        unit="|q| |k|",
        claim="precision.relative",
        formula=f"G = {G}, eta as in rope.apply",
        needs=ROPE,
        evaluate=_rotary(lambda e: e.score, SCORE, exact=True),
        test=Comparison("score / norms", "exact / norms", _NORMS, ("score",)),
        slack=_quotient,
    ),
    "rope.relative": Name(
        bounds="two computed scores of one offset against each other",
        unit="|q| |k|",
        claim="precision.relative",
        formula=f"min(2 G, 2 (1 + nu)^2 (1 + d u_acc)(1 + u_score)), G = {G}",
        needs=ROPE,
        evaluate=_rotary(lambda e: e.relative, RELATIVE),
        test=Comparison("shifted / norms", "score / norms", _NORMS, ("shifted", "score")),
        slack=_quotient,
    ),
    "rotation.product": Name(
        bounds="a product of `count` rounded rotations of one plane, as a complex number",
        unit="1",
        claim="precision.products",
        formula="(1 + epsilon)^n (1 + kappa)^(n - 1) - 1 + underflow, n = count",
        needs=("dtype", "count"),
        evaluate=_rotations,
        test=Comparison("product", "exact", torch="product.to(exact.dtype)"),
        slack=_logarithm,
    ),
    "shear.product": Name(
        bounds="the corner entry of a product of `count` shears",
        unit="sum |a_k|",
        claim="precision.products",
        formula="(n - 1) u, n = count",
        needs=("dtype", "count"),
        evaluate=_shears,
        test=Comparison(
            "corner / total", "exact / total", "total = sum |a_k|, in float64", ("corner",)
        ),
        slack=_total,
    ),
    "wignerd.homomorphism": Name(
        bounds="a product of two computed Wigner matrices of `degree` l against the one of the "
        "product, Frobenius norm",
        unit="1",
        claim="precision.wigner",
        formula="mu (sqrt(n) + e)^2 + 3 e + e^2 + 3 pi (1 + u) u sqrt(l (l + 1)(2 l + 1) / 3)",
        needs=("dtype", "degree"),
        evaluate=_wigner,
        test=Comparison(
            "np.linalg.norm(product - exact)", "0.0", torch="float((product - exact).norm())"
        ),
        slack=_frobenius,
    ),
    "softmax.log_relative": Name(
        bounds="the logarithm of a shifted softmax entry, `count` terms, logit `gap` below the top",
        unit="1",
        claim="precision.softmax",
        formula="gap u + u W_0((n - 1) / e) / (1 - u) - n ln(1 - u) - 2 ln(1 - 2 K u), n = count",
        needs=("dtype", "count", "gap"),
        evaluate=_softmax,
        test=Comparison("probability", "exact", doubles=("probability",), relative=True),
        slack=_logarithm,
    ),
    "attention.tv": Name(
        bounds="a row of attention against the one of exact scores, total variation; `norms` is "
        "|q| max |k|",
        unit="1",
        claim="precision.softmax",
        formula="tanh(G norms / (2 sqrt(d))), G as in rope.score",
        needs=(*ROPE, "norms"),
        evaluate=_attention,
        test=Comparison(
            "np.abs(row - exact).sum() / 2",
            "0.0",
            doubles=("row",),
            torch="float((row - exact).abs().sum() / 2)",
        ),
        slack=_row,
    ),
    "alibi.alive_distance": Name(
        bounds="the last distance at which no weight e^(-m d) of a linear bias is stored as 0",
        unit="positions",
        claim="kernels.alibi_underflow",
        formula="ceil(T ln 2 / m) - 1 for the steepest head, T = p - e_min; T = -e_min where "
        "numbers below the normal ones are flushed to zero",
        needs=("dtype",),
        evaluate=_alive,
        test=Reach("weights by distance, relative to the one at distance 0, in the dtype"),
        slack=_nothing,
        either=("heads", "slope"),
        whole=True,
    ),
}
