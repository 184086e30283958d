r"""Twisted and antipodal states: rates in balls, fields in float64.

Main definitions
----------------
rates         the eigenvalues of a twisted state, up to the positive sum of weights, in balls
field_bound   what is left of the field of a twisted state in float64
twisted       the angles of a q-twisted state
fd_jacobian   a fourth-order difference Jacobian of the field of angles

Main claims
-----------
dynamics.odd_antipodal, dynamics.stable_twists

Conventions
-----------
As in `posproof.theory.dynamics.twists`; angles in radians, u = 2^-53.  Integer products are reduced
modulo n before they become angles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from posproof.numerics.attention import angle_field
from posproof.numerics.balls import bits_for, certify, certify_over, exact, precision, show
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.theory.dynamics.twists import (
    LARGE,
    ODD_ANTIPODAL,
    STABLE_TWISTS,
    TRIPLES,
    TWISTED_BRANCH,
    Twists,
    stable_rule,
)
from posproof.theory.vocabulary import Bound, Claim, Evidence, Run, Scope, checked_by, control

Floats = NDArray[np.float64]
U = FORMATS["float64"].unit_roundoff


# ---------------------------------------------------------------------- kernels
def rates(n: int, p: int, q: int, beta: Any) -> list[arb]:
    """mu_1 .. mu_(n-1) times the sum of weights, the largest weight being 1."""
    cosine = [arb.cos_pi_fmpq(fmpq(2 * r, n)) for r in range(n)]
    sine = [arb.sin_pi_fmpq(fmpq(2 * r, n)) for r in range(n)]
    at = arb(exact(beta))
    slopes = []
    for r in range(n):
        turn, gap = q * r % n, (p + q) * r % n
        weight = (at * (cosine[gap] - 1)).exp()
        slopes.append(weight * (cosine[turn] - at * sine[turn] * sine[gap]))
    return [
        sum((slopes[r] * (cosine[m * r % n] - 1) for r in range(n)), arb(0)) for m in range(1, n)
    ]


def twisted(n: int, q: int) -> Floats:
    """2 pi q i / n, shape `(n,)`, q i reduced modulo n."""
    return 2 * np.pi * (q * np.arange(n) % n) / n


def field_bound(n: int, beta: float) -> Bound:
    """|field| of a twisted state computed in float64.

    An angle below 2 pi carries three roundings, so differences of two and the rotation's product,
    below 2 pi n, are off by at most (12 + 3 n) 2 pi u; the cosine and sine by that and one ulp, a
    score by beta times it.  A weighted mean of sines moves by the error of a sine and twice the
    relative error of a weight; n additions add n u.
    """
    angle = Fraction(355, 113) * 2 * (12 + 3 * n)
    value = (
        (angle + 2 + 2 * Fraction(beta) * (angle + 2) + 2 * n + 8) * U * (1 + Fraction(1, 2**20))
    )
    return Bound(value, "((1 + 2 beta) (2 pi (12 + 3 n) + 2) + 2 n + 8) u", {"n": n, "beta": beta})


def fd_jacobian(phi: Floats, theta: float, beta: float, h: float = 1e-3) -> Floats:
    """The Jacobian of the field by fourth-order differences, shape `(n, n)`."""

    def column(unit: Floats) -> Floats:
        near = angle_field(phi + h * unit, theta, beta) - angle_field(phi - h * unit, theta, beta)
        far = angle_field(phi + 2 * h * unit, theta, beta)
        far = far - angle_field(phi - 2 * h * unit, theta, beta)
        return (8 * near - far) / (12 * h)

    return np.array([column(unit) for unit in np.eye(len(phi))]).T


# ---------------------------------------------------------------------- in balls
def without_beta(beta: Any, turn: Any, gap: Any) -> Any:
    """The coefficient without the variation of the weights."""
    import sympy

    return sympy.cos(turn)


def half_phase(q: Any, r: Any, n: Any) -> Any:
    import sympy

    return sympy.pi * q * r / n


def _certify(claim: Claim, name: str, of: Twists, grid: list[dict[str, Any]], run: Run) -> Evidence:
    return certify(claim.clause(name).statement(of), grid, run.digits)


def _odd_states(run: Run) -> list[dict[str, Any]]:
    draw = np.random.default_rng(run.seed)
    states = []
    for half in (1, 2, 3) if run.profile == "quick" else range(1, 16):
        size = 2 * half + 1
        moved = [Fraction(int(v), 5) for v in draw.integers(-9, 10, size + 1)]
        states += [{"k": half, "xi": moved, "x": moved, "i": i} for i in {0, 1, size - 1}]
    return states


ODD = Scope("n = 3, 5, 7, three tokens each", "n = 3 .. 31, three tokens each")


def even_size(k: Any) -> Any:
    return 2 * k + 2


@control("quarter_turn", pull=lambda angle: angle)
@checked_by(ODD_ANTIPODAL, "antipodal_slope", "ball", ODD)
def antipodal_slope_in_balls(of: Twists, run: Run) -> Evidence:
    grid = [
        {"k": state["k"], "i": state["i"], "xi": state["xi"], "beta": beta, "phi0": Fraction(2, 7)}
        for state in _odd_states(run)
        for beta in (Fraction(1, 2), Fraction(4))
    ]
    return _certify(ODD_ANTIPODAL, "antipodal_slope", of, grid, run)


@control("even_number_of_tokens", size=even_size)
@checked_by(ODD_ANTIPODAL, "modes", "ball", ODD)
def modes_in_balls(of: Twists, run: Run) -> Evidence:
    grid = [{name: state[name] for name in ("k", "i", "x")} for state in _odd_states(run)]
    return _certify(ODD_ANTIPODAL, "modes", of, grid, run)


@control("even_number_of_tokens", size=even_size)
@checked_by(ODD_ANTIPODAL, "dimensions", "ball", "k = 1 .. 15")
def dimensions_in_balls(of: Twists, run: Run) -> Evidence:
    return _certify(ODD_ANTIPODAL, "dimensions", of, [{"k": k} for k in range(1, 16)], run)


@control("even_number_of_tokens", size=even_size)
@checked_by(ODD_ANTIPODAL, "characteristic", "ball", "n = 3, 5, 7 at ten values of lambda")
def characteristic_in_balls(of: Twists, run: Run) -> Evidence:
    grid = [{"lambda": Fraction(value, 3)} for value in range(-5, 5)]
    return _certify(ODD_ANTIPODAL, "characteristic", of, grid, run)


@control("without_projection", project=lambda value, along: value)
@checked_by(ODD_ANTIPODAL, "polar", "ball", "n = 3, d = 2, 3")
def polar_in_balls(of: Twists, run: Run) -> Evidence:
    axes = [Fraction(3, 5), Fraction(4, 5)], [Fraction(2, 7), Fraction(3, 7), Fraction(6, 7)]
    weights = [Fraction(1, 2), Fraction(1, 8), Fraction(3, 8)]
    grid = [
        {"n": 3, "d": len(w), "i": i, "A": weights, "e": [1, -1, 1], "w": w}
        for w in axes
        for i in range(len(w))
    ]
    return _certify(ODD_ANTIPODAL, "polar", of, grid, run)


# ---------------------------------------------------------------------- the twisted branch
def wrong_way(i: Any, theta: Any) -> Any:
    """Tokens that turn with the rotation instead of against it."""
    return i * theta


@control("wrong_way", branch_turn=wrong_way)
@checked_by(TWISTED_BRANCH, "flat", "ball", "two and three planes, pairs of tokens")
def flat_in_balls(of: Twists, run: Run) -> Evidence:
    thirds = [Fraction(1, 3), Fraction(1, 6), Fraction(1, 2)]
    shares = [Fraction(1, 4), Fraction(3, 4)], thirds
    grid = [
        {"d": len(e), "i": i, "j": j, "e": e, "alpha": thirds, "theta": [Fraction(2, 5), 1, 2]}
        for e in shares
        for i in (0, 3)
        for j in (1, 5)
    ]
    return _certify(TWISTED_BRANCH, "flat", of, grid, run)


def _branches() -> list[dict[str, Any]]:
    return [
        {"n": n, "theta": Fraction(theta), "beta": Fraction(3, 2), "phi0": Fraction(1, 3), "i": i}
        for n in (2, 3, 5)
        for theta in (0, 1, Fraction(5, 2))
        for i in (0, n - 1)
    ]


@control("wrong_way", branch_turn=wrong_way)
@checked_by(TWISTED_BRANCH, "uniform", "ball", "n = 2, 3, 5, three angles")
def uniform_in_balls(of: Twists, run: Run) -> Evidence:
    grid = [{**branch, "m": m} for branch in _branches() for m in (0, 1)]
    return _certify(TWISTED_BRANCH, "uniform", of, grid, run)


@control("values_rotated", value_turn=lambda theta: theta)
@checked_by(TWISTED_BRANCH, "branch_slope", "ball", "n = 2, 3, 5, three angles")
def branch_slope_in_balls(of: Twists, run: Run) -> Evidence:
    grid = [
        {**branch, "xi": [Fraction(t * t % 7, 3) for t in range(branch["n"])]}
        for branch in _branches()
    ]
    return _certify(TWISTED_BRANCH, "branch_slope", of, grid, run)


@control("no_rotation", pull=lambda angle: angle * 0 + 1)
@checked_by(TWISTED_BRANCH, "even_modes", "ball", "n = 2, 4, 6, 8")
def even_modes_in_balls(of: Twists, run: Run) -> Evidence:
    grid = [
        {"k": k, "i": i, "x": [1 + t // 2 for t in range(2 * k)]}
        for k in range(1, 5)
        for i in (0, 1)
    ]
    return _certify(TWISTED_BRANCH, "even_modes", of, grid, run)


def _rings(run: Run) -> list[dict[str, Any]]:
    triples = [(3, 1, 1), (4, 2, 1), (5, 1, 2), (6, 4, 3)]
    if run.profile == "full":
        triples += [(7, 1, 3), (8, 2, 3), (9, 6, 3), (10, -3, 4), (12, 4, 2)]
    return [
        {"n": n, "p": p, "q": q, "i": i, "beta": Fraction(3, 2)}
        for n, p, q in triples
        for i in (0, n - 1)
    ]


RINGS = Scope("four rings, two tokens each", "nine rings, two tokens each")


@control("half_the_angle", phase=half_phase)
@checked_by(STABLE_TWISTS, "equilibrium", "ball", RINGS)
def equilibrium_in_balls(of: Twists, run: Run) -> Evidence:
    grid = [{**ring, "phi0": Fraction(1, 3)} for ring in _rings(run)]
    return _certify(STABLE_TWISTS, "equilibrium", of, grid, run)


@control("without_beta", coefficient=without_beta)
@checked_by(STABLE_TWISTS, "linearisation", "ball", RINGS)
def linearisation_in_balls(of: Twists, run: Run) -> Evidence:
    grid = [
        {**ring, "phi0": Fraction(1, 3), "xi": [Fraction(t * t % 7, 3) for t in range(ring["n"])]}
        for ring in _rings(run)
    ]
    return _certify(STABLE_TWISTS, "linearisation", of, grid, run)


@control("half_the_angle", phase=half_phase)
@checked_by(STABLE_TWISTS, "circulant", "ball", RINGS)
def circulant_in_balls(of: Twists, run: Run) -> Evidence:
    grid = []
    for ring in _rings(run):
        point = {name: ring[name] for name in ("n", "q", "i", "beta")}
        grid += [{**point, "l": ring["p"] + ring["q"], "m": m} for m in (1, 2)]
    return _certify(STABLE_TWISTS, "circulant", of, grid, run)


HEATS = [Fraction(k, 4) for k in (1, 2, 3, 4, 8, 16)]


@control("without_beta", coefficient=without_beta)
@checked_by(STABLE_TWISTS, "three", "ball", "six values of beta")
def three_in_balls(of: Twists, run: Run) -> Evidence:
    return _certify(STABLE_TWISTS, "three", of, [{"beta": b} for b in HEATS], run)


@control("without_beta", coefficient=without_beta)
@checked_by(STABLE_TWISTS, "four", "ball", "six values of beta")
def four_in_balls(of: Twists, run: Run) -> Evidence:
    return _certify(STABLE_TWISTS, "four", of, [{"beta": b} for b in HEATS], run)


@control("without_beta", coefficient=without_beta)
@checked_by(STABLE_TWISTS, "mirror", "ball", "n = 3 .. 8, two modes")
def mirror_in_balls(of: Twists, run: Run) -> Evidence:
    grid = [
        {"n": n, "q": q, "m": m, "beta": Fraction(3, 2)}
        for n in range(3, 9)
        for q in (1, 2)
        for m in (1, 2)
    ]
    return _certify(STABLE_TWISTS, "mirror", of, grid, run)


@control("without_beta", coefficient=without_beta)
@checked_by(STABLE_TWISTS, "class_sums", "ball", "n = 3 .. 8, two modes")
def class_sums_in_balls(of: Twists, run: Run) -> Evidence:
    grid = [
        {"n": n, "q": q, "l": m, "beta": Fraction(3, 2)}
        for n in range(3, 9)
        for q in (1, 2)
        for m in (1, 2)
    ]
    return _certify(STABLE_TWISTS, "class_sums", of, grid, run)


@control("without_beta", coefficient=without_beta)
@checked_by(STABLE_TWISTS, "signs", "ball", "the eight systems printed")
def signs_in_balls(of: Twists, run: Run) -> Evidence:
    return certify_over(STABLE_TWISTS.clause("signs").statement(of), run.digits)


@control("without_beta", coefficient=without_beta)
@checked_by(STABLE_TWISTS, "thresholds", "ball", "the seven sizes printed")
def thresholds_in_balls(of: Twists, run: Run) -> Evidence:
    return certify_over(STABLE_TWISTS.clause("thresholds").statement(of), run.digits)


@control("without_beta", coefficient=without_beta)
@checked_by(STABLE_TWISTS, "mirror_stable", "ball", "every size, mode and beta of the clause")
def mirror_stable_in_balls(of: Twists, run: Run) -> Evidence:
    return certify_over(STABLE_TWISTS.clause("mirror_stable").statement(of), run.digits)


# ---------------------------------------------------------------------- large beta
def lower_half(n: int, p: int, q: int) -> bool:
    """The rule with the other half of the residues."""
    return not stable_rule(n, p, q)


def without_reduction(n: int, p: int, q: int) -> bool:
    """The rule that calls every state with a common factor unstable."""
    from math import gcd

    return stable_rule(n, p, q) and (q % n == 0 or gcd(p + q, n) == 1)


@control("lower_half", stable_rule=lower_half)
@control("without_reduction", stable_rule=without_reduction)
@checked_by(STABLE_TWISTS, "large_beta", "ball", "all 1014 triples")
def large_beta_in_balls(of: Twists, run: Run) -> Evidence:
    """The sign of every rate against the rule."""
    with precision(bits_for(run.digits)):
        for n, p, q in TRIPLES:
            found = rates(n, p, q, LARGE)
            stable, grows = all(rate < 0 for rate in found), any(rate > 0 for rate in found)
            where = f"n = {n}, p = {p}, q = {q}"
            if not stable and not grows:
                return Evidence("undecided", note=f"{where}: {[show(rate, 3) for rate in found]}")
            if stable != of.stable_rule(n, p, q):
                return Evidence("refuted", witness=f"{where}: {'decays' if stable else 'grows'}")
    return Evidence("holds", note=f"{len(TRIPLES)} triples")


# ---------------------------------------------------------------------- float64
@dataclass(frozen=True)
class States:
    """The twisted state in float64; a control replaces it."""

    angles: Callable[[int, int], Floats] = twisted
    value_turn: Callable[[float], float] = lambda theta: 0.0


@control("half_the_angle", angles=lambda n, q: np.pi * q * np.arange(n) / n)
@checked_by(
    STABLE_TWISTS,
    "equilibrium",
    "property",
    Scope("100 twisted states, n <= 12", "2000 twisted states, n <= 12"),
    definitions=States(),
)
def field_of_twisted_states(of: States, run: Run) -> Evidence:
    """The float64 field at a twisted state is rounding."""
    from hypothesis import strategies as st

    def predicate(n: int, p: int, q: int, beta: float) -> bool:
        theta = 2 * np.pi * (p % n) / n
        speed = angle_field(of.angles(n, q), theta, beta, of.value_turn(theta))
        return Fraction(float(np.abs(speed).max())) <= field_bound(n, beta).value

    axes = {
        "n": st.integers(2, 12),
        "p": st.integers(0, 11),
        "q": st.integers(0, 11),
        "beta": st.floats(0, 8),
    }
    return hunt(predicate, axes, run, first={"n": 5, "p": 1, "q": 2, "beta": 1.0})


@dataclass(frozen=True)
class Branch:
    """What the field and the eigenvalues of the branch are said to be; a control replaces one."""

    rests: Callable[[int, int, float], bool] = lambda n, p, detune: detune == 1.0 or p % n == 0
    half: Fraction = Fraction(1, 2)


@control("always_at_rest", rests=lambda n, p, detune: True)
@checked_by(
    TWISTED_BRANCH,
    "rests",
    "property",
    Scope("100 branches, n <= 12, detuned or not", "2000 branches, n <= 12, detuned or not"),
    definitions=Branch(),
)
def branch_rests_on_the_ring(of: Branch, run: Run) -> Evidence:
    """The field is rounding on a resonant branch and visible when the angle is 5 % off."""
    from hypothesis import assume
    from hypothesis import strategies as st

    def predicate(n: int, p: int, beta: float, detune: float) -> bool:
        assume(p < n)
        theta = 2 * np.pi * p / n * detune
        phi = np.asarray(-theta * np.arange(n), dtype=np.float64)
        speed = np.abs(angle_field(phi, theta, beta)).max()
        at_rest = Fraction(float(speed)) <= field_bound(n, beta).value
        return bool(at_rest == of.rests(n, p, detune))

    axes = {
        "n": st.integers(3, 12),
        "p": st.integers(1, 11),
        "beta": st.floats(0, 3),
        "detune": st.sampled_from((1.0, 1.05)),
    }
    return hunt(predicate, axes, run, first={"n": 5, "p": 1, "beta": 1.0, "detune": 1.05})


@control("eigenvalue_one", half=Fraction(1))
@checked_by(
    TWISTED_BRANCH,
    "branch_modes",
    "ball",
    Scope("every n <= 16 and p", "every n <= 40 and p"),
    definitions=Branch(),
)
def branch_modes_in_balls(of: Branch, run: Run) -> Evidence:
    """(J cos)_i against half the wave at every token of every ring with n not dividing 2 p."""
    last = 41 if run.profile == "full" else 17
    with precision(bits_for(run.digits)):
        for n in range(3, last):
            waves = [arb.cos_pi_fmpq(fmpq(2 * r, n)) for r in range(n)]
            for p in (p for p in range(n) if 2 * p % n):
                for i in range(n):
                    here = waves[p * i % n]
                    row = (waves[p * (i - j) % n] * (waves[p * j % n] - here) for j in range(n))
                    off = sum(row, arb(0)) / n - exact(of.half) * here
                    if not off.contains(0):
                        return Evidence("refuted", witness=f"n = {n}, p = {p}, i = {i}")
    return Evidence("holds", note=f"n = 3 .. {last - 1}")
