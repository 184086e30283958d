r"""Contraction along the flow: certified in balls, sampled at random configurations.

Main definitions
----------------
floor             the smallest weight that any entry of the kernel can have
arc               the length of the arc of a configuration in a half circle
reference_flow    the same flow by an independent integrator at 50 digits
smallest_cosine   the speed of the smallest cosine, its bound and the slack that rounding needs

Main claims
-----------
dynamics.hemisphere, dynamics.non_obtuse, dynamics.semicircle, dynamics.tail,
dynamics.validated_flow

Conventions
-----------
As in `posproof.theory.dynamics.contraction` and `posproof.numerics.attention`; u = 2^-53.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from posproof.numerics.attention import angle_field, attention, velocities
from posproof.numerics.balls import certify, certify_over, exact, precision, radius, show, upward
from posproof.numerics.formats import FORMATS
from posproof.numerics.hunt import hunt
from posproof.numerics.validated import State, circle_field, integrate, remainder
from posproof.theory.dynamics.contraction import (
    HEMISPHERE,
    NON_OBTUSE,
    SEMICIRCLE,
    TAIL,
    VALIDATED_FLOW,
    Contraction,
)
from posproof.theory.vocabulary import Bound, Claim, Evidence, Run, Scope, checked_by, control

Floats = NDArray[np.float64]
U = FORMATS["float64"].unit_roundoff

#: Bits, order and step of the certified flow; 1 / 8 divides every output time.
BITS, ORDER, STEP = 256, 20, Fraction(1, 8)
WIDTH = Bound(Fraction(1, 10**12), "1e-12: the printed width")
START = (Fraction(0), Fraction(6, 5), Fraction(29, 10))


# ---------------------------------------------------------------------- kernels
def floor(n: int, beta: Any) -> arb:
    """1 / (1 + (n - 1) exp(2 beta)), a lower bound of every entry of the kernel."""
    return 1 / (1 + (n - 1) * (2 * arb(exact(beta))).exp())


def arc(state: State) -> arb:
    """The largest difference of two angles, when the first token is lowest and the last highest."""
    return state[-1] - state[0]


#: The reference: steps of 1 / 8, twelve midpoint runs of 2, 4, ..., 24 substeps each.
RUNS = tuple(range(2, 26, 2))
#: Where the reference stands: extrapolation errors of order 25 at h = 1/8 are near 10^-22.
REFERENCE = Fraction(1, 10**20)


def _squared_ratio(fine: int, coarse: int) -> Any:
    """The square of the quotient of two numbers of substeps."""
    import mpmath as mp

    return (mp.mpf(fine) / coarse) ** 2


def extrapolated(field: Callable[[list[Any]], list[Any]], state: list[Any], h: Any) -> list[Any]:
    """One step of Gragg's midpoint rule extrapolated in h^2; needs nothing of the Taylor series."""
    columns: list[list[Any]] = []
    for row, runs in enumerate(RUNS):
        part = h / runs
        before, now = state, [x + part * v for x, v in zip(state, field(state), strict=True)]
        for _ in range(runs - 1):
            speeds = field(now)
            before, now = now, [x + 2 * part * v for x, v in zip(before, speeds, strict=True)]
        ends = zip(now, before, field(now), strict=True)
        line = [[(x + y + part * v) / 2 for x, y, v in ends]]
        for back in range(row):
            ratio = _squared_ratio(RUNS[row], RUNS[row - back - 1])
            pairs = zip(line[back], columns[back], strict=True)
            line.append([new + (new - old) / (ratio - 1) for new, old in pairs])
        columns = line
    return columns[-1]


def reference_flow() -> Iterator[tuple[Fraction, list[Any]]]:
    """Times 1/2, 1, ... and the angles of the three-token example then, in mpmath, 50 digits."""
    import mpmath as mp

    with mp.workdps(50):
        turns = [(mp.cos(2 * mp.pi * r / 3), mp.sin(2 * mp.pi * r / 3)) for r in range(3)]

        def field(phi: list[Any]) -> list[Any]:
            waves = [mp.cos_sin(angle) for angle in phi]
            speeds = []
            for i, (c, s) in enumerate(waves):
                mass, pulled = mp.mpf(0), mp.mpf(0)
                for j, (there_c, there_s) in enumerate(waves):
                    across, along = there_s * c - there_c * s, there_c * c + there_s * s
                    turn_c, turn_s = turns[(j - i) % 3]
                    weight = mp.exp(along * turn_c - across * turn_s)
                    mass, pulled = mass + weight, pulled + weight * across
                speeds.append(pulled / mass)
            return speeds

        state = [mp.mpf(x.numerator) / x.denominator for x in START]
    for count in itertools.count(1):
        with mp.workdps(50):
            state = extrapolated(field, state, mp.mpf(1) / 8)
        if count % 4 == 0:
            yield Fraction(count, 8), state


def random_rows(n: int, d: int, power: float, seed: int) -> Floats:
    """n unit vectors of R^d with non-negative entries, shape `(n, d)`."""
    rows = np.abs(np.random.default_rng(seed).normal(size=(n, d))) ** power
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


# ---------------------------------------------------------------------- the flow in balls
def no_remainder(field: Any, state: State, h: arb, order: int) -> State:
    """A Taylor step that forgets what it leaves out."""
    return [arb(0)] * len(state)


@dataclass(frozen=True)
class Flow:
    """How the flow is enclosed; a control replaces one part."""

    remainder: Callable[..., State] = remainder
    order: int = ORDER
    step: Fraction = STEP
    value_turn: int = 0
    rate: Fraction = Fraction(1)
    lowered: Callable[[arb], arb] = lambda D: (D / 2).tan()

    def three(self, last: Fraction) -> Iterator[tuple[Fraction, State]]:
        """The example: n = 3, theta = 2 pi / 3, beta = 1, at every step up to t = last."""
        with precision(BITS):
            field = circle_field(2 * arb.pi() / 3, arb(1), self.value_turn)
        yield from self.states(field, START, last)

    def states(
        self, field: Any, start: tuple[Fraction, ...], last: Fraction
    ) -> Iterator[tuple[Fraction, State]]:
        steps = int(last / self.step)
        outputs = integrate(field, start, self.step, steps, self.order, BITS, self.remainder)
        for count, state in enumerate(outputs, start=1):
            yield count * self.step, state


FLOW = Flow()


@control("remainder_dropped", remainder=no_remainder, order=6, step=Fraction(1, 16))
@control("values_rotated", value_turn=1)
@checked_by(
    VALIDATED_FLOW,
    "enclosed",
    "ball",
    Scope("t = 1/2, 1, 3/2, 2, order 20", "t = 1/2, 1, ..., 5, order 20"),
    definitions=FLOW,
)
def flow_contains_the_reference(of: Flow, run: Run) -> Evidence:
    """Every ball meets an independent solution, known to 10^-20, and is narrower than 10^-12."""
    import mpmath as mp

    last = 10 if run.profile == "full" else 4
    outputs = ((t, state) for t, state in of.three(Fraction(last, 2)) if (2 * t).denominator == 1)
    widest = Fraction(0)
    for (time, state), (_, reference) in zip(outputs, reference_flow(), strict=False):
        for token, (enclosed, value) in enumerate(zip(state, reference, strict=True)):
            with precision(BITS), mp.workdps(50):
                known = arb(mp.nstr(value, 48)) + arb(0, 1) * arb(exact(REFERENCE))
                meets = enclosed.overlaps(known)
            where = f"t = {time}, token {token}"
            if not meets:
                witness = f"{where}: {show(enclosed, 15)} is not {mp.nstr(value, 15)}"
                return Evidence("refuted", bound=WIDTH, witness=witness)
            widest = max(widest, 2 * radius(enclosed))
    if widest >= WIDTH.value:
        return Evidence("refuted", upward(widest), WIDTH, witness=f"width {upward(widest)}")
    return Evidence("holds", upward(widest), WIDTH, note=f"{last} output times, 3 tokens")


@control("rate_doubled", rate=Fraction(2))
@control("without_the_half", lowered=lambda D: 1 / D.sin())
@checked_by(
    SEMICIRCLE,
    "along_the_flow",
    "ball",
    Scope("three tokens to t = 2, two tokens to t = 2", "three tokens to t = 5, two to t = 4"),
    definitions=FLOW,
)
def half_angle_along_the_flow(of: Flow, run: Run) -> Evidence:
    """The bound at every step of two certified flows; at beta = 0 two tokens attain it."""
    full = run.profile == "full"
    with precision(BITS):
        pair = circle_field(arb(1), arb(1) / 2)
        free = circle_field(arb(1), arb(0))
    systems = [
        ("n = 3", of.three(Fraction(5 if full else 2)), 3, 1, START),
        (
            "n = 2",
            of.states(pair, (Fraction(0), Fraction(3)), Fraction(4 if full else 2)),
            2,
            Fraction(1, 2),
            (Fraction(0), Fraction(3)),
        ),
        (
            "n = 2, beta = 0",
            of.states(free, (Fraction(0), Fraction(1)), Fraction(1)),
            2,
            0,
            (Fraction(0), Fraction(1)),
        ),
    ]
    slack = Fraction(0)
    for name, outputs, n, beta, start in systems:
        for time, state in outputs:
            with precision(BITS):
                first = of.lowered(arb(exact(start[-1] - start[0])))
                falls = (-arb(exact(of.rate * n * time)) * floor(n, beta)).exp()
                margin = falls * first - of.lowered(arc(state))
                # at beta = 0 two tokens attain the bound: the balls touch
                attained = beta == 0 and margin.contains(0) and radius(margin) < WIDTH.value
                if not (margin > 0 or attained):
                    return Evidence("refuted", witness=f"{name}, t = {time}: {show(margin, 5)}")
            slack = max(slack, radius(margin))
    return Evidence("holds", upward(slack), WIDTH, note="three flows")


@control("remainder_dropped", remainder=no_remainder, order=3)
@checked_by(VALIDATED_FLOW, "oracle", "ball", "p(0) = 1, t = 1/8 ... 1", definitions=FLOW)
def closed_form_of_two_tokens(of: Flow, run: Run) -> Evidence:
    """At beta = 0 tan(p / 2) exp(t) keeps its value."""
    with precision(BITS):
        free = circle_field(arb(1), arb(0))
    for time, state in of.states(free, (Fraction(0), Fraction(1)), Fraction(1)):
        with precision(BITS):
            moved = (arc(state) / 2).tan() * arb(exact(time)).exp() - (arb(1) / 2).tan()
            if not moved.contains(0):
                return Evidence("refuted", bound=WIDTH, witness=f"t = {time}: {show(moved, 5)}")
    return Evidence("holds", upward(2 * radius(moved)), WIDTH, note="eight steps")


# ---------------------------------------------------------------------- clauses in balls
def _certify(
    claim: Claim, name: str, of: Contraction, grid: list[dict[str, Any]], run: Run
) -> Evidence:
    return certify(claim.clause(name).statement(of), grid, run.digits)


HALF = Fraction(1, 2)


def pushing(angle: Any) -> Any:
    """Tokens repel each other."""
    import sympy

    return -sympy.sin(angle)


@control("doubled", product=lambda x, y: 2 * x * y)
@checked_by(HEMISPHERE, "cosine_of_units", "ball", "unit vectors with rational entries")
def cosine_of_units_in_balls(of: Contraction, run: Run) -> Evidence:
    rows = [(1, 2, 2), (2, 1, -2), (-1, -2, -2), (2, -2, 1)]
    units = [[Fraction(entry, 3) for entry in row] for row in rows]
    grid = [{"n": 3, "x": x, "y": y} for x in units for y in units]
    return _certify(HEMISPHERE, "cosine_of_units", of, grid, run)


@control("pushing_apart", pull=pushing)
@checked_by(HEMISPHERE, "negative_cap", "ball", "the printed configuration")
def negative_cap_in_balls(of: Contraction, run: Run) -> Evidence:
    return certify_over(HEMISPHERE.clause("negative_cap").statement(of), run.digits)


@control("rate_too_fast", cosine_rate=lambda a, m, n: 3 * a * (1 - m) * (1 + (n - 1) * m))
@checked_by(NON_OBTUSE, "integrated", "ball", "n = 1 .. 6, ten values of m")
def integrated_in_balls(of: Contraction, run: Run) -> Evidence:
    grid = [
        {"n": n, "a": Fraction(1, 7), "m": Fraction(t, 10)} for n in range(1, 7) for t in range(10)
    ]
    return _certify(NON_OBTUSE, "integrated", of, grid, run)


@control("rate_too_fast", cosine_rate=lambda a, m, n: 3 * a * (1 - m) * (1 + (n - 1) * m))
@checked_by(NON_OBTUSE, "equality", "ball", "n = 2 .. 7, ten values of m")
def equality_in_balls(of: Contraction, run: Run) -> Evidence:
    grid = [{"N": n, "m": Fraction(t, 10)} for n in range(6) for t in range(10)]
    return _certify(NON_OBTUSE, "equality", of, grid, run)


@control("one_row_only", cosine_speed=lambda first, second, near, far, m: first * (far - near * m))
@checked_by(NON_OBTUSE, "open_hemisphere", "ball", "N = 0 .. 8")
def open_hemisphere_in_balls(of: Contraction, run: Run) -> Evidence:
    return _certify(NON_OBTUSE, "open_hemisphere", of, [{"N": n} for n in range(9)], run)


@control("pushing_apart", pull=pushing)
@checked_by(SEMICIRCLE, "sines", "ball", "45 pairs of angles")
def sines_in_balls(of: Contraction, run: Run) -> Evidence:
    grid = [
        {"u": Fraction(3 * s, 10), "v": Fraction(3 * t, 10)}
        for s in range(1, 11)
        for t in range(1, 11 - s)
    ]
    return _certify(SEMICIRCLE, "sines", of, grid, run)


@control("rate_doubled", arc_rate=lambda a, D, n: 2 * n * a * D)
@checked_by(SEMICIRCLE, "half_angle", "ball", "n = 1 .. 4, ten arcs")
def half_angle_in_balls(of: Contraction, run: Run) -> Evidence:
    grid = [
        {"n": n, "a": Fraction(1, 7), "D": Fraction(3 * t, 10)}
        for n in range(1, 5)
        for t in range(1, 11)
    ]
    return _certify(SEMICIRCLE, "half_angle", of, grid, run)


@control("without_scores", score=lambda angle: 0 * angle)
@checked_by(SEMICIRCLE, "two_tokens", "ball", "27 systems")
def two_tokens_in_balls(of: Contraction, run: Run) -> Evidence:
    grid = [
        {"p": Fraction(p, 3), "theta": Fraction(t, 2), "beta": Fraction(b)}
        for p in (1, 4, 8)
        for t in (0, 1, 5)
        for b in (0, 1, 4)
    ]
    return _certify(SEMICIRCLE, "two_tokens", of, grid, run)


@control("pull_doubled", pull=lambda angle: 3 * angle)
@checked_by(VALIDATED_FLOW, "speed_limit", "ball", "n = 2, 3, 5")
def speed_limit_in_balls(of: Contraction, run: Run) -> Evidence:
    grid = [
        {
            "n": n,
            "theta": HALF,
            "beta": Fraction(2),
            "i": 0,
            "phi": [Fraction(t * t, 3) for t in range(n)],
        }
        for n in (2, 3, 5)
    ]
    return _certify(VALIDATED_FLOW, "speed_limit", of, grid, run)


@control("half_the_chord", chord=lambda D: D / 2)
@checked_by(TAIL, "chord", "ball", "55 pairs of angles")
def chord_in_balls(of: Contraction, run: Run) -> Evidence:
    grid = [
        {"u": Fraction(3 * s, 11), "D": Fraction(3 * t, 10)}
        for t in range(1, 11)
        for s in range(1, t + 1)
    ]
    return _certify(TAIL, "chord", of, grid, run)


@control("without_n", tail_cosine=lambda rho, n: 1 - rho)
@checked_by(TAIL, "explicit", "ball", "n = 1 .. 5, nine values of rho, the smallest m")
def explicit_in_balls(of: Contraction, run: Run) -> Evidence:
    grid = []
    for n in range(1, 6):
        for t in range(1, 10):
            rho = Fraction(t, 10)
            grid.append({"n": n, "v": rho, "m": (1 - rho) / (1 + (n - 1) * rho)})
    return _certify(TAIL, "explicit", of, grid, run)


@control("cosine_pull", pull=lambda angle: 1 + angle)
@checked_by(TAIL, "frozen", "ball", "two angles")
def frozen_in_balls(of: Contraction, run: Run) -> Evidence:
    return _certify(TAIL, "frozen", of, [{"a": HALF, "phi": [t]} for t in (0, 1)], run)


@control("ends_swapped", arc_speed=lambda first, second, above, below: first * below)
@checked_by(TAIL, "decoupled", "ball", "n = 1 .. 4")
def decoupled_in_balls(of: Contraction, run: Run) -> Evidence:
    grid = [{"n": n, "D": HALF, "A": [HALF], "B": [HALF]} for n in range(1, 5)]
    return _certify(TAIL, "decoupled", of, grid, run)


@control("values_rotated_back", value_turn=-1)
@checked_by(
    TAIL,
    "nested",
    "ball",
    Scope("three tokens to t = 2, every step", "three tokens to t = 5, every step"),
    definitions=FLOW,
)
def arcs_are_nested(of: Flow, run: Run) -> Evidence:
    """The certified arc of every step lies inside the arc before."""
    with precision(BITS):
        before = [arb(exact(x)) for x in START]
    for time, state in of.three(Fraction(5 if run.profile == "full" else 2)):
        with precision(BITS):
            inside = all(before[0] < x and x < before[-1] for x in state)
            if not inside:
                shown = ", ".join(show(x, 5) for x in state)
                return Evidence("refuted", witness=f"t = {time}: {shown}")
        before = state
    return Evidence("holds", show(arc(before), 8), note=f"the last arc, at t = {time}")


# ---------------------------------------------------------------------- float64
def inner(X: Any) -> Floats:
    """Real inner products of tokens in planes, shape `(n, n)`."""
    return (X.conj() @ X.T).real


def cosine_rates(X: Any, V: Any) -> Floats:
    """d<x_i, x_j>/dt for velocities V, shape `(n, n)`."""
    product = (X.conj() @ V.T).real
    return product + product.T


def slack(n: int, m: int) -> float:
    """Rounding of a speed of cosines: below 16 u for each of n terms in 2 m coordinates.

    Every quantity is a weighted mean, with weights that sum to 1, of products of unit vectors; each
    of these has at most 2 m products and sums, so at most 4 m + 8 roundings of numbers below 2, and
    a weight carries its own 16 + 2 n, of which the score's error times beta <= 6 is part.
    """
    return float((8 * m + 64 + 4 * n) * 8 * U)


@dataclass(frozen=True)
class Field:
    """Which values are averaged, and the rates that are claimed; a control replaces one."""

    arc_rate: float = 1.0
    cosine_rate: float = 1.0
    turn_values: bool = False

    def velocities(self, X: Any, theta: Any, beta: float) -> Any:
        if not self.turn_values:
            return velocities(X, theta, beta)
        A = attention(X, theta, beta)
        phases = np.exp(1j * np.outer(np.arange(len(X)), theta))
        moved = (A @ (X * phases)) / phases
        return moved - (X.conj() * moved).real.sum(axis=1, keepdims=True) * X


FIELD = Field()


def axes() -> dict[str, Any]:
    from hypothesis import strategies as st

    return {
        "n": st.integers(2, 6),
        "m": st.integers(1, 3),
        "beta": st.floats(0, 6),
        "theta": st.floats(0, 3.1),
        "power": st.floats(0.2, 4),
        "seed": st.integers(0, 2**32 - 1),
    }


def non_obtuse(n: int, m: int, power: float, seed: int) -> Any:
    """Tokens with non-negative coordinates, as planes, shape `(n, m)`."""
    rows = random_rows(n, 2 * m, power, seed)
    return rows[:, 0::2] + 1j * rows[:, 1::2]


FIRST = {"n": 3, "m": 1, "beta": 1.0, "theta": 2.0, "power": 1.0, "seed": 0}
HUNTED = Scope("100 configurations, n <= 6, d <= 6", "2000 configurations, n <= 6, d <= 6")


@control("values_rotated", turn_values=True)
@checked_by(HEMISPHERE, "lowest_rises", "property", HUNTED, definitions=FIELD)
def lowest_never_falls(of: Field, run: Run) -> Evidence:
    """Tokens in the positive orthant: the smallest coordinate along any axis does not fall."""

    def predicate(n: int, m: int, beta: float, theta: float, power: float, seed: int) -> bool:
        X = non_obtuse(n, m, power, seed)
        V = of.velocities(X, np.linspace(theta, theta / 2, m), beta)
        heights = np.concatenate([X.real, X.imag], axis=1)
        speeds = np.concatenate([V.real, V.imag], axis=1)
        lowest = speeds[heights.argmin(axis=0), np.arange(2 * m)]
        return bool(lowest.min() >= -slack(n, m))

    return hunt(predicate, axes(), run, first=FIRST)


@dataclass(frozen=True)
class Layer:
    """One layer with a step of any size; a control replaces it."""

    moved: Callable[[Any, Any, float], Any] = lambda X, mean, eta: X + eta * mean


@control("pushing_apart", moved=lambda X, mean, eta: X - eta * mean)
@checked_by(HEMISPHERE, "layer", "property", HUNTED, definitions=Layer())
def layers_stay_in_the_orthant(of: Layer, run: Run) -> Evidence:
    """x <- normalise(x + eta A x): the smallest coordinate along any axis does not fall."""
    from hypothesis import strategies as st

    def predicate(
        n: int, m: int, beta: float, theta: float, power: float, seed: int, eta: float
    ) -> bool:
        X = non_obtuse(n, m, power, seed)
        mean = attention(X, np.linspace(theta, theta / 2, m), beta) @ X
        Y = of.moved(X, mean, eta)
        Y = Y / np.sqrt(inner(Y).diagonal())[:, None]
        before, after = (np.concatenate([Z.real, Z.imag], axis=1) for Z in (X, Y))
        return bool((after.min(axis=0) >= before.min(axis=0) - slack(n, m)).all())

    every = {**axes(), "eta": st.floats(0.01, 100)}
    return hunt(predicate, every, run, first={**FIRST, "eta": 1.0})


@control("rate_ten_percent_faster", cosine_rate=1.1)
@control("values_rotated", turn_values=True)
@checked_by(NON_OBTUSE, "smallest_rises", "property", HUNTED, definitions=FIELD)
def smallest_cosine_rises(of: Field, run: Run) -> Evidence:
    """The smallest cosine of random non-obtuse tokens against 2 a (1 - m) (1 + (n - 1) m)."""

    def predicate(n: int, m: int, beta: float, theta: float, power: float, seed: int) -> bool:
        X = non_obtuse(n, m, power, seed) if seed else np.eye(3, dtype=complex)
        turns = np.linspace(theta, theta / 2, X.shape[1])
        size = len(X)
        C = inner(X)
        C[np.diag_indices(size)] = 2
        i, j = np.unravel_index(C.argmin(), C.shape)
        rise = cosine_rates(X, of.velocities(X, turns, beta))[i, j]
        A = attention(X, turns, beta)
        a = A[~np.eye(size, dtype=bool)].min()
        low = C[i, j]
        bound = of.cosine_rate * 2 * a * (1 - low) * (1 + (size - 1) * low)
        return bool(rise >= bound - slack(size, X.shape[1]))

    return hunt(predicate, axes(), run, first={**FIRST, "beta": 0.0})


@control("values_rotated", turn_values=True)
@checked_by(
    TAIL,
    "ends_move_inwards",
    "property",
    Scope("100 configurations, n <= 8", "2000 configurations, n <= 8"),
    definitions=FIELD,
)
def ends_in_float(of: Field, run: Run) -> Evidence:
    """The lowest token does not move down and the highest not up, on random arcs."""
    from hypothesis import strategies as st

    def predicate(n: int, beta: float, theta: float, length: float, seed: int) -> bool:
        phi = np.random.default_rng(seed).uniform(0, length, n)
        speed = angle_field(phi, theta, beta, theta if of.turn_values else 0.0)
        return bool(speed[phi.argmin()] >= -slack(n, 1) and speed[phi.argmax()] <= slack(n, 1))

    ranges = {
        "n": st.integers(2, 8),
        "beta": st.floats(0, 6),
        "theta": st.floats(0, 3.1),
        "length": st.floats(1e-3, 3.14),
        "seed": st.integers(0, 2**32 - 1),
    }
    example = {"n": 3, "beta": 1.0, "theta": 2.0, "length": 1.0, "seed": 0}
    return hunt(predicate, ranges, run, first=example)


@control("rate_doubled", arc_rate=2.0)
@checked_by(
    SEMICIRCLE,
    "arc_shrinks",
    "property",
    Scope("100 configurations, n <= 8", "2000 configurations, n <= 8"),
    definitions=FIELD,
)
def arc_shrinks_in_float(of: Field, run: Run) -> Evidence:
    """Random tokens on an arc against n a sin D with the sharp floor a."""
    from hypothesis import strategies as st

    def predicate(n: int, beta: float, theta: float, length: float, seed: int) -> bool:
        draw = np.random.default_rng(seed)
        inside = np.concatenate([[0.0, length], draw.uniform(0, length, n - 2)])
        phi = draw.permutation(inside)
        speed = angle_field(phi, theta, beta)
        shrinks = speed[phi.argmin()] - speed[phi.argmax()]
        a = 1 / (1 + (n - 1) * np.exp(2 * beta))
        return bool(shrinks >= of.arc_rate * n * a * np.sin(length) - slack(n, 1))

    ranges = {
        "n": st.integers(2, 8),
        "beta": st.floats(0, 6),
        "theta": st.floats(0, 3.1),
        "length": st.floats(1e-3, 3.14),
        "seed": st.integers(0, 2**32 - 1),
    }
    example = {"n": 2, "beta": 0.0, "theta": 0.0, "length": 1.0, "seed": 0}
    return hunt(predicate, ranges, run, first=example)
