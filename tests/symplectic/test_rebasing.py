"""Rebased execution: proofs, printed values, and the same sums in the types themselves."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import ml_dtypes
import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics import shear_powers as kernels
from posproof.numerics.balls import certify, precision
from posproof.numerics.formats import FORMATS
from posproof.numerics.symplectic import rebasing as measured
from posproof.proofs_check.kernel import Rejected, establishes
from posproof.proofs_check.search import Undecided
from posproof.proofs_check.symplectic import rebasing as proofs
from posproof.proofs_check.translate import node
from posproof.theory.symplectic import rebasing as theory
from posproof.theory.vocabulary import Check, Run

CLAIMS = [theory.REBASING]
FAST = Fraction(4, 25)
STORES = {name: kernels.Storage(FORMATS[name]) for name in measured.NAMES}
FLUSHED = {name: kernels.Storage(FORMATS[name], flush=True) for name in measured.NAMES}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- a proof is no weaker bound
@pytest.mark.parametrize(
    ("clause", "change"),
    [
        ("weights", {"weight": 6}),
        ("scores", {"roundings": 16}),
        ("normal_scores", {"normal_roundings": 13}),
        ("dyadic_scores", {"dyadic_roundings": 12}),
        ("centred", {"centre": lambda B: B / 2}),
        ("best_centre", {"centre": lambda B: B / 2}),
        ("weights", {"query": lambda r, a, c: theory.query(r, a + 1, c)}),
        ("scores", {"key": lambda r, b, c: theory.key(r, b, c + 1)}),
        ("corner", {"block": lambda r, B, D: 2 * theory.block_factor(r, B, D)}),
        ("dyadic", {"below": lambda h, m: (m + 1) * 2**h}),
        ("separating", {"separated": lambda a, b, B, D: (a, B * D - B, B - 1 - b)}),
        ("spectral", {"squeeze": lambda k: theory.squeeze(k) * 2}),
        ("rounded_exponents", {"exponent_slack": lambda u, r, B: u * r * B}),
        ("counted", {"accumulated": lambda m, u: m * u}),
    ],
)
def test_a_changed_definition_is_not_proved(clause, change):
    checks = {c.clause: c for c in vars(proofs).values() if isinstance(c, Check)}
    check = checks[clause]
    of = replace(check.definitions, **change)
    try:
        theorem = check.run(of)
    except (Undecided, Rejected, AttributeError, IndexError, TypeError, ValueError, StopIteration):
        return
    assert not establishes(theorem, node(check.claim.clause(clause).statement(of)))


# ---------------------------------------------------------------------- printed positions
@pytest.mark.parametrize(
    ("name", "overflow", "vanishing", "safe", "flushed"),
    [
        ("float16", 70, 109, 61, 13),
        ("bfloat16", 555, 581, 546, 512),
        ("float32", 555, 650, 546, 442),
        ("float64", 4437, 4658, 4428, 4198),
    ],
)
def test_printed_positions_and_blocks(name, overflow, vanishing, safe, flushed):
    form = FORMATS[name]
    assert kernels.overflow_at(FAST, form) == overflow
    assert kernels.vanishing_at(FAST, form) == vanishing == kernels.failing_block(FAST, form)
    assert kernels.safe_block(FAST, STORES[name]) == safe
    assert kernels.safe_block(FAST, FLUSHED[name]) == flushed


@pytest.mark.parametrize(
    ("name", "printed"),
    [("float16", 122), ("bfloat16", 1092), ("float32", 1092), ("float64", 8855)],
)
def test_stored_factors_alone_would_allow_twice_the_block(name, printed):
    """1 + floor(2 min(ln Omega, -ln omega) / r)."""
    form = FORMATS[name]
    room = min(mpmath.log(int(form.largest)), -mpmath.log(mpmath.mpf(2) ** form.min_exponent))
    assert 1 + math.floor(2 * room / mpmath.mpf("0.16")) == printed


def test_exponents_that_flush_to_zero_leaves():
    left = {
        name: (-math.log(float(STORES[name].omega)), -math.log(float(FLUSHED[name].omega)))
        for name in STORES
    }
    printed = {
        "float16": (9.7, 2.1),
        "bfloat16": (87.3, 81.8),
        "float32": (87.3, 70.7),
        "float64": (708.4, 671.7),
    }
    for name, (gradual, flushed) in printed.items():
        assert abs(left[name][0] - gradual) <= 0.051
        assert abs(left[name][1] - flushed) <= 0.051


@pytest.mark.parametrize(
    ("dtype", "name", "first"),
    [
        (np.float16, "float16", 70),
        (ml_dtypes.bfloat16, "bfloat16", 549),
        (np.float32, "float32", 555),
        (np.float64, "float64", 4437),
    ],
)
def test_an_iterated_power_overflows_where_the_specification_says(dtype, name, first):
    """The largest entry of M^(-j), multiplied step by step in the type itself."""
    gamma, mu, rho = 0.1, 0.06, 0.5
    c, s = math.cosh(mu), math.sinh(mu)
    step = np.array([[c, -s / rho], [-rho * s, c]]) * math.exp(gamma)
    step = step.astype(dtype)
    power, count = np.eye(2).astype(dtype), 0
    with np.errstate(over="ignore", invalid="ignore"):
        while np.isfinite(power.astype(np.float64)).all():
            products = [
                [
                    dtype(dtype(power[i, 0] * step[0, j]) + dtype(power[i, 1] * step[1, j]))
                    for j in (0, 1)
                ]
                for i in (0, 1)
            ]
            power, count = np.array(products, dtype=dtype), count + 1
    assert count == first


# ---------------------------------------------------------------------- printed scores and powers
def power(n: int) -> mpmath.matrix:
    gamma, mu, rho = mpmath.mpf("0.1"), mpmath.mpf("0.06"), mpmath.mpf("0.5")
    c, s = mpmath.cosh(mu * n), mpmath.sinh(mu * n)
    return mpmath.exp(-gamma * n) * mpmath.matrix([[c, s / rho], [rho * s, c]])


@pytest.mark.parametrize(
    ("n", "diagonal", "above", "below"),
    [
        (1, "0.9064666140592672739477788", "0.1086456501861118709828637",
         "0.02716141254652796774571593"),
        (100, "0.009157875711954449776416268", "0.01831552635355946103460351",
         "0.004578881588389865258650877"),
    ],
)  # fmt: skip
def test_printed_powers(agrees, n, diagonal, above, below):
    with mpmath.workdps(40):
        M = power(n)
        assert agrees(M[0, 0], diagonal)
        assert agrees(M[0, 1], above)
        assert agrees(M[1, 0], below)


@pytest.mark.parametrize(
    ("n", "printed"),
    [
        (1, "-2.111708766130342193098433"),
        (10, "-2.16038126614300041294256"),
        (100, "-0.06868344889619741739799218"),
        (8192, "-1.838295980800638942047196e-142"),
    ],
)
def test_printed_scores(agrees, n, printed):
    with precision(700):
        q, k = np.array([[1.0, 1.0]]), np.array([[1.0, -3.0]])
        (score,) = kernels.exact_scores(measured.SHEAR, q, k, [n], bits=700)
        assert agrees(score, printed)


def test_the_statement_gives_the_printed_powers():
    """The closed form of the claim is the matrix power of the specification."""
    statement = theory.REBASING.clause("spectral").statement(theory.Execution())
    point = {"n": 100, "gamma": Fraction(1, 10), "mu": Fraction(3, 50), "k": Fraction(7, 10)}
    point |= {"q1": 1, "q2": 2, "k1": 3, "k2": -1}
    assert certify(statement, [point], 40).outcome == "holds"


# ---------------------------------------------------------------------- stored numbers
@pytest.mark.parametrize("name", measured.NAMES)
def test_exponentials_are_rounded_once(name):
    """Against the nearest number that mpmath finds."""
    form = FORMATS[name]
    source = np.random.default_rng(3)
    exponents = [Fraction(int(x), 100) for x in source.integers(-1500, 900, 200)]
    stored = kernels.exponentials(exponents, STORES[name])
    with mpmath.workdps(60):
        for x, value in zip(exponents, stored.tolist(), strict=True):
            true = mpmath.exp(mpmath.mpf(x.numerator) / x.denominator)
            if not math.isfinite(value):
                assert true >= mpmath.mpf(2) ** form.max_exponent
                continue
            spacing = mpmath.mpf(2) ** max(
                int(mpmath.floor(mpmath.log(true, 2))) - form.significand + 1,
                form.min_exponent - form.significand + 1,
            )
            assert abs(mpmath.mpf(value) - true) <= spacing / 2


@pytest.mark.parametrize(("name", "dtype"), [("float16", np.float16), ("float32", np.float32)])
def test_operations_are_those_of_the_type(name, dtype):
    """The same scores with NumPy's own arithmetic, bit for bit."""
    store, source = STORES[name], np.random.default_rng(5)
    i, j = measured.pairs(source, 32, 5000, 30)
    q, k = measured.vectors(source, len(i), store)
    ours = kernels.scores(measured.SHEAR, q, k, i, j, store, kernels.rebased(32))
    V, W = (m.astype(dtype) for m in kernels.eigenvectors(measured.SHEAR.rho, store))
    q, k = q.astype(dtype), k.astype(dtype)
    terms = []
    for s, rate in enumerate(measured.SHEAR.rates):
        found = kernels.rebased(32)(rate, i, j, store)
        a, f, b = (x.astype(dtype) for x in (found.query, found.block, found.key))
        x, y = V[0, s] * q[:, 0] + V[1, s] * q[:, 1], W[s, 0] * k[:, 0] + W[s, 1] * k[:, 1]
        terms.append((x * (a * f)) * (y * b))
    assert (ours == (terms[0] + terms[1]).astype(np.float64)).all()


def test_bfloat16_operations_are_those_of_ml_dtypes():
    store, source = STORES["bfloat16"], np.random.default_rng(6)
    a, b = store.round(source.standard_normal((2, 2000)))
    x, y = a.astype(ml_dtypes.bfloat16), b.astype(ml_dtypes.bfloat16)
    assert (store.round(a * b) == (x * y).astype(np.float64)).all()
    assert (store.round(a + b) == (x + y).astype(np.float64)).all()


# ---------------------------------------------------------------------- corners and controls
def test_corner_pairs_find_what_random_pairs_seldom_find():
    """float16 at B = 128: at (128, 127) more than 100 u, while far random pairs pass."""
    store, unit = STORES["float16"], float(FORMATS["float16"].unit_roundoff)
    method = kernels.rebased(128)
    i, j = np.array([128]), np.array([127])
    corner = kernels.weights(method(FAST, i, j, store), store)
    assert abs(corner[0] - math.exp(-0.16)) > 100 * unit
    source = np.random.default_rng(0)
    i = source.integers(0, 8192, 250)
    j = (source.random(250) * (i + 1)).astype(np.int64)
    random = kernels.weights(method(FAST, i, j, store), store)
    assert (np.abs(random - np.exp(-0.16 * (i - j))) < 14 * unit).mean() > 0.9


def test_a_reference_at_the_block_start_squares_the_largest_factor():
    store = STORES["float64"]
    j = np.arange(64)
    own = kernels.rebased(64)(FAST, j, j, store).key.max()
    start = kernels.rebased(64, lambda block: Fraction(0))(FAST, j, j, store).key.max()
    assert start == pytest.approx(own**2, rel=2**-50)
    assert start == pytest.approx(math.exp(0.16 * 63), rel=2**-48)


def test_a_block_of_1000_loses_a_neighbour_in_float32():
    store = STORES["float32"]
    found = kernels.rebased(1000)(FAST, np.array([1000]), np.array([999]), store)
    assert kernels.weights(found, store)[0] == 0
    safe = kernels.rebased(546)(FAST, np.array([546]), np.array([545]), store)
    assert kernels.weights(safe, store)[0] == pytest.approx(0.852143788966211, rel=2**-22)


def test_a_late_product_overflows_where_the_folded_one_does_not():
    store = STORES["float32"]
    found = kernels.rebased(600)(FAST, np.array([600]), np.array([599]), store)
    assert not np.isfinite(kernels.weights(found, store, folded=False)[0])
    assert np.isfinite(kernels.weights(found, store)[0])


def test_more_growth_than_damping_overflows():
    """gamma < mu: the block factor itself is infinite."""
    slow = measured.GROWING.rates[0]
    store = STORES["float32"]
    found = kernels.rebased(64)(slow, np.array([10**5]), np.array([0]), store)
    assert found.block is not None
    assert np.isinf(found.block[0])


# ---------------------------------------------------------------------- references and bounds
def test_dyadic_references_of_all_small_pairs():
    i, j = np.tril_indices(512, -1)
    c = kernels.dyadic_reference(i, j)
    assert ((j < c) & (c <= i)).all()
    assert len({(a, b) for a, b in zip(i.tolist(), c.tolist(), strict=True)}) <= 512 * 9


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_dyadic_references_lie_between(i, j):
    i, j = max(i, j) + 1, min(i, j)
    c = int(kernels.dyadic_reference(np.array([i]), np.array([j]))[0])
    assert j < c <= i
    assert kernels.dyadic_reference(np.array([i]), np.array([i]))[0] == i


def test_the_bound_of_a_score_is_what_the_claim_counts():
    for name in measured.NAMES:
        u = FORMATS[name].unit_roundoff
        for m in (13, 14, 17):
            bound = kernels.score_bound(FORMATS[name], m)
            assert m * u <= bound <= m * u / (1 - m * u)


def test_the_full_profile_of_one_format_holds():
    run = Run(profile="full", seed=7)
    check = measured.scores_relative_to_the_decay
    assert check.run(check.definitions, run).outcome == "holds"
