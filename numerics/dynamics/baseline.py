"""The flow on the circle, with and without rotary scores, and what uniform attention conserves.

Main definitions
----------------
circle_flow      the angles at given times by SciPy's DOP853, with a bound of its error
cross_ratio      of four angles
arc              the length of the shortest arc that contains all angles of an open half circle

Main claims
-----------
dynamics.uniform_baseline

Conventions
-----------
As in `posproof.numerics.attention`, whose field is used.  Angles in radians, shape `(n,)`; scores
are beta cos(phi_j - phi_i + (j - i) theta).  u = 2^-53.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posproof.numerics.attention import angle_field
from posproof.numerics.balls import certify, points
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.theory.dynamics.baseline import UNIFORM_BASELINE, Baseline
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control

Floats = NDArray[np.float64]
Field = Callable[[Floats], Floats]
U = FORMATS["float64"].unit_roundoff
#: Relative and absolute tolerance asked of the solver in each step.
TOLERANCE = 2.0**-44


# ---------------------------------------------------------------------- the flow
def circle_flow(field: Field, start: Floats, times: Sequence[float]) -> tuple[Floats, Bound]:
    """The angles at `times`, shape `(len(times), n)`, and how far each may be off.

    The solver keeps its estimate of each step's error below TOLERANCE (1 + |phi|).  The uniform
    field has Lipschitz constant 2 in the largest norm, so N steps up to time T add up to at most
    N TOLERANCE (1 + max |phi|) exp(2 T), as far as those estimates go.
    """
    from scipy.integrate import solve_ivp

    found = solve_ivp(
        lambda _, phi: field(phi),
        (0.0, times[-1]),
        start,
        method="DOP853",
        rtol=TOLERANCE,
        atol=TOLERANCE,
        t_eval=times,
    )
    steps = max(1, found.nfev // 12)  # 12 evaluations a step
    reach = 1 + float(np.abs(found.y).max())
    value = steps * TOLERANCE * reach * float(np.exp(2 * times[-1]))
    formula = "steps 2^-44 (1 + max |phi|) exp(2 T)"
    bound = Bound(Fraction(value), formula, {"steps": steps, "T": times[-1]})
    return found.y.T, bound


def cross_ratio(phi: Floats) -> float:
    """sin((1-2)/2) sin((3-4)/2) / (sin((1-3)/2) sin((2-4)/2)) of four angles."""
    one, two, three, four = phi

    def chord(a: float, b: float) -> float:
        return float(np.sin((a - b) / 2))

    return chord(one, two) * chord(three, four) / (chord(one, three) * chord(two, four))


def arc(phi: Floats) -> Floats:
    """max - min along the last axis: the arc of angles that lie in one open half circle."""
    return phi.max(axis=-1) - phi.min(axis=-1)


@dataclass(frozen=True)
class Flows:
    """The numerical definitions of this topic; a control replaces one of them."""

    field: Field = lambda phi: angle_field(phi, 0.0, 0.0)
    rate: float = 1.0
    chords: tuple[tuple[int, int, int], ...] = ((0, 1, 1), (2, 3, 1), (0, 2, -1), (1, 3, -1))


def _sine(x: Any) -> Any:
    import sympy

    return sympy.sin(x)


def _cosine(x: Any) -> Any:
    import sympy

    return sympy.cos(x)


FLOWS = Flows()
START = np.array([0.0, 0.5, 1.1, 2.9])


# ---------------------------------------------------------------------- uniform_baseline
def log_derivative(
    phi: Floats, velocity: Floats, chords: tuple[tuple[int, int, int], ...]
) -> float:
    """d log |cross ratio| / dt: each chord contributes +-cot((a - b)/2) (a' - b') / 2."""
    return sum(
        sign * (velocity[i] - velocity[j]) / (2 * np.tan((phi[i] - phi[j]) / 2))
        for i, j, sign in chords
    )


def derivative_bound() -> Bound:
    """Rounding of `log_derivative` for four angles at least 0.05 apart.

    A velocity is a mean of four sines of rounded differences and is off by at most 12 u, so a
    difference of two by 26 u; half a cotangent of at most 41 multiplies that to 533 u.  The angle
    of the cotangent is off by pi u, which moves cot by pi u / sin^2 and, since a' - b' is at most
    2 |sin|, the product by 41 pi u.  With the roundings of the product, below 700 u for each of
    four terms.
    """
    return Bound(4 * 700 * U, "4 (533 + 41 pi + 38) u", {"gap": "0.05", "u": "2^-53"})


@control("scores_at_temperature_1", field=lambda phi: angle_field(phi, 0.0, 1.0))
@control("rotary_scores", field=lambda phi: angle_field(phi, 1.0, 1.0))
@control("a_chord_missing", chords=((0, 1, 1), (0, 2, -1), (1, 3, -1)))
@checked_by(
    UNIFORM_BASELINE,
    "conserved",
    "property",
    Scope("100 quadruples at least 0.05 apart", "2000 quadruples at least 0.05 apart"),
    definitions=FLOWS,
)
def cross_ratio_has_no_derivative(of: Flows, run: Run) -> Evidence:
    """The logarithmic derivative along the field, from its four chords."""
    from hypothesis import assume
    from hypothesis import strategies as st

    limit = float(derivative_bound().value)

    def predicate(phi: list[float]) -> bool:
        angles = np.array(phi)
        apart = np.abs(np.exp(1j * angles)[:, None] - np.exp(1j * angles)[None, :])
        assume(apart[np.triu_indices(4, 1)].min() > 0.05)
        return abs(log_derivative(angles, of.field(angles), of.chords)) <= limit

    axes = {"phi": st.lists(st.floats(0, 6.25), min_size=4, max_size=4)}
    return hunt(predicate, axes, run, first={"phi": START.tolist()})


@control("scores_at_temperature_1", field=lambda phi: angle_field(phi, 0.0, 1.0))
@control("rotary_scores", field=lambda phi: angle_field(phi, 1.0, 1.0))
@checked_by(
    UNIFORM_BASELINE,
    "conserved",
    "float",
    "phi = (0, 1/2, 1.1, 2.9), t <= 2",
    definitions=FLOWS,
)
def cross_ratio_along_the_flow(of: Flows, run: Run) -> Evidence:
    """The cross ratio at t = 0, 1/4, .., 2 against its start."""
    path, flow_bound = circle_flow(of.field, START, np.linspace(0, 2, 9).tolist())
    values = np.array([cross_ratio(phi) for phi in path])
    gap = float(np.diff(np.sort(path, axis=1), axis=1).min())
    # each of four chords turns an error e of two angles into cot(gap / 2) e of its logarithm
    factor = Fraction(4 / np.tan(gap / 2) * np.abs(values).max() * 1.01)
    bound = Bound(flow_bound.value * factor, f"4 cot(gap/2) {flow_bound.formula}", {"gap": gap})
    return within(float(np.abs(values - values[0]).max()), bound)


@control("twice_the_rate", rate=2.0)
@control("drawn_apart", field=lambda phi: -angle_field(phi, 0.0, 0.0))
@checked_by(
    UNIFORM_BASELINE,
    "half_angle",
    "float",
    Scope("20 random arcs of 2 to 7 tokens, t <= 2", "200 random arcs"),
    definitions=FLOWS,
)
def half_angle_along_the_flow(of: Flows, run: Run) -> Evidence:
    """log tan(D(t)/2) + t - log tan(D(0)/2), which must not be positive."""
    rng = np.random.default_rng(run.seed)
    times = np.linspace(0, 2, 9)
    excess, slack = -np.inf, Fraction(0)
    for trial in range(200 if run.profile == "full" else 20):
        width = float(rng.uniform(0.1, 3.0))
        start = np.concatenate([[0.0, width], rng.uniform(0, width, trial % 6)])
        path, bound = circle_flow(of.field, start, times.tolist())
        D = arc(path)
        tangents = np.where(np.pi > D, np.tan(D / 2), np.inf)
        values = np.log(tangents) + of.rate * times - np.log(tangents[0])
        excess = max(excess, float(values.max()))
        # d log tan(D/2) = dD / sin D, and an arc is off by twice the error of an angle
        slack = max(slack, bound.value * Fraction(2 / float(np.sin(D).min())))
    limit = Bound(slack, "2 / sin(D) steps 2^-44 (1 + max |phi|) exp(2 T)", {"T": 2})
    return within(max(excess, 0.0), limit)


@control("drawn_away", pull=lambda a, b, phi: a * _sine(phi) - b * _cosine(phi))
@checked_by(UNIFORM_BASELINE, "riccati", "ball", "n = 1..5")
def riccati_in_balls(of: Baseline, run: Run) -> Evidence:
    """The mean pull on a token against the pull of the mean."""
    grid = (
        {"n": n, "i": i, "varphi": lambda j: Fraction(3 * int(j) ** 2 - 7, 5)}
        for n in range(1, 6)
        for i in range(n)
    )
    return certify(UNIFORM_BASELINE.clause("riccati").statement(of), grid, run.digits)


@control("twice_the_rate", rate=lambda D: 2 * _sine(D))
@checked_by(UNIFORM_BASELINE, "contraction", "ball", "n = 1..4, D = 1/10 .. 3")
def contraction_in_balls(of: Baseline, run: Run) -> Evidence:
    """Arcs of several widths, tokens inside."""
    grid = points(
        n=range(1, 5),
        phi=(Fraction(1, 3),),
        D=(Fraction(3), Fraction(1), Fraction(1, 10)),
        sigma=(lambda j: Fraction(2 * int(j) + 1, 3),),
    )
    return certify(UNIFORM_BASELINE.clause("contraction").statement(of), grid, run.digits)
