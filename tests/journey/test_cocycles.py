"""Cocycles, coordinate factors, commutants and exponential addresses against printed values."""

import dataclasses
import itertools
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import enclose, ends, precision
from posproof.numerics.journey import cocycles
from posproof.registry import Registry
from posproof.theory.journey import COCYCLE, COMMUTANT, COORDINATE_FACTORS, SUM_ADDRESSES
from posproof.theory.journey import cocycles as theory


def agrees(value, printed):
    """Equal to the last printed digit, one unit up or down, for every number in a ball."""
    unit = Fraction(10) ** int(Decimal(printed).as_tuple().exponent)
    return all(abs(end - Fraction(printed)) <= unit for end in ends(value))


CLAIMS = [COCYCLE, COORDINATE_FACTORS, COMMUTANT, SUM_ADDRESSES]
OF = COCYCLE.definitions


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- journey.cocycle
def frames(n, d, seed=0, condition=100.0):
    return cocycles.random_frames(np.random.default_rng(seed), n, d, condition)


def test_one_turned_operator_shows_with_its_chord():
    rotations = np.stack([cocycles.rotation(0.3 * i) for i in range(4)])
    pairs = cocycles.turned_once(rotations)
    differences = cocycles.cocycle_differences(pairs)
    norms = np.linalg.norm(differences, ord=2, axis=(-2, -1))
    assert abs(norms.max() - 2 * math.sin(0.05)) < 8 * 2 * 2.0**-53
    assert abs(2 * math.sin(0.05) - 0.0999583) < 5e-8
    largest = cocycles.cocycle_residual(pairs)
    assert math.sin(0.1) - 2.0**-50 <= largest <= 2 * math.sin(0.05) + 2.0**-50


def test_orthogonal_frames_stay_within_the_printed_tolerance():
    for d in range(2, 9):
        pairs = cocycles.pair_operators(np.linalg.qr(frames(5, d, d))[0])
        assert cocycles.cocycle_residual(pairs) <= 8 * d * 2.0**-53


def test_general_frames_stay_within_the_printed_tolerance():
    for seed in range(10):
        family = frames(5, 4, seed, 1e3)
        pairs = np.linalg.solve(family[:, None], family[None, :])
        condition = np.linalg.cond(family).max()
        size = np.linalg.norm(pairs, ord=2, axis=(-2, -1)).max()
        bound = 32 * 4 * 2.0**-53 * condition
        assert cocycles.cocycle_residual(pairs) <= bound * size**2
        constants = cocycles.gauge(family, cocycles.frames_of(pairs))
        assert np.abs(constants - constants[0]).max() <= bound * condition * size


def test_recovered_frames_give_the_same_transports():
    pairs = cocycles.pair_operators(frames(4, 3))
    again = cocycles.pair_operators(cocycles.frames_of(pairs))
    assert np.abs(pairs - again).max() <= 1e3 * np.abs(pairs).max() ** 2 * 2.0**-53


@given(st.integers(0, 10**6))
def test_fitted_frames_are_as_good_as_the_pairs(seed):
    """Noise of size eta moves the transports of the fit by a small multiple of eta."""
    source = np.random.default_rng(seed)
    pairs = cocycles.pair_operators(np.linalg.qr(frames(5, 3, seed))[0])
    noise = 1e-6 * source.uniform(-1, 1, size=pairs.shape)
    fitted = cocycles.pair_operators(cocycles.fit_frames(pairs + noise))
    # the flat matrix has norm n, the noise at most n d eta: two subspaces turn by that much
    assert np.abs(fitted - pairs).max() <= 8 * 5 * 3 * 1e-6


def test_fit_refuses_pairs_of_low_rank():
    one = np.array([[1.0, 0.0], [0.0, 0.0]])
    with pytest.raises(ValueError, match="rank below d = 2"):
        cocycles.fit_frames(np.broadcast_to(one, (3, 3, 2, 2)))


def test_black_box_operators_are_the_transports_of_the_score():
    family = frames(3, 4)
    pairs = cocycles.pair_operators(family)

    def score(q, k, i, j):
        return float(q @ pairs[i - 5, j - 5] @ k)

    assert np.array_equal(cocycles.black_box_pairs(score, 4, [5, 6, 7]), pairs)


def exact_pairs(operators):
    return [[a.inv() * b for b in operators] for a in operators]


def test_rational_cocycle_of_five_frames():
    family = cocycles._rational_frames(
        [[1, 2, -3, 4, 0, 1], [2] * 6, [0] * 6, [-1] * 6, [3] * 6], 3
    )
    pairs = exact_pairs(family)
    triples = list(itertools.product(range(5), repeat=3))
    assert len(triples) == 125
    assert all(pairs[i][k] * pairs[k][j] == pairs[i][j] for i, k, j in triples)
    constants = [pairs[0][i] * family[i].inv() for i in range(5)]
    assert all(c == family[0].inv() for c in constants)


def test_consistent_transports_of_rank_two_are_no_addresses():
    """P_ij = U_i W_j^T in dimension 3 with W^T U = I_2: all 64 triples, and P_00 is idempotent."""
    left, right = [], []
    for n in range(4):
        u = fmpq_mat([[1, n], [n, 1], [2, -1]])
        w = fmpq_mat([[1, 0], [1 - n, 3], [n, 2]])
        left.append(u)
        right.append((w.transpose() * u).inv() * w.transpose())
    pairs = [[u * w for w in right] for u in left]
    assert all(
        pairs[i][k] * pairs[k][j] == pairs[i][j]
        for i, k, j in itertools.product(range(4), repeat=3)
    )
    assert pairs[0][0] * pairs[0][0] == pairs[0][0]
    assert pairs[0][0] != fmpq_mat(3, 3, [1, 0, 0, 0, 1, 0, 0, 0, 1])
    assert pairs[0][0].rank() == 2


def test_singular_gates_compose_without_an_address():
    first, second = fmpq_mat([[2, 0], [0, 0]]), fmpq_mat([[1, 0], [0, 3]])
    assert second * first == fmpq_mat([[2, 0], [0, 0]])
    assert (second * first).det() == 0


def test_growth_makes_addresses_explode():
    """Why transports of decaying gates are computed directly: their address overflows float16."""
    assert 0.9**4096 < 2.0**-600
    assert (0.9**-4096) > 2.0**600


# ---------------------------------------------------------------------- journey.coordinate_factors
def about(axis):
    turn = {"x": theory.about_x, "z": theory.about_z}[axis](theory.pi / 2)
    return np.array(turn.tolist(), dtype=float)


def test_quarter_turns_about_two_axes_depend_on_the_first_coordinate_only():
    one = np.eye(3)
    grid = cocycles.address_grid([np.stack([one, about("x")]), np.stack([one, about("z")])])
    spread = cocycles.coordinate_spread(grid)
    assert spread[1, 0] == 0
    assert spread[0, 1] == 1
    along = cocycles.moves(grid, 0)
    assert along[0, 1, 0].tolist() == [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    assert along[0, 1, 1].tolist() == [[0, 0, -1], [0, 1, 0], [1, 0, 0]]


def test_polynomials_in_one_matrix_give_independent_coordinates():
    base = fmpq_mat([[1, 2, 0], [0, 1, -1], [1, 0, 3]])
    one = fmpq_mat([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    tables = [
        [one * a + base * b for a, b in pair]
        for pair in (((1, 0), (2, 1)), ((1, 0), (3, 2)), ((1, 0), (1, 3)))
    ]
    grid = {
        i: tables[0][i[0]] * tables[1][i[1]] * tables[2][i[2]]
        for i in itertools.product((0, 1), repeat=3)
    }
    for c in range(3):
        seen = {}
        for i, j in itertools.product(grid, repeat=2):
            if all(i[b] == j[b] for b in range(3) if b != c):
                move = seen.setdefault((i[c], j[c]), grid[i].inv() * grid[j])
                assert grid[i].inv() * grid[j] == move


@given(st.integers(0, 10**6))
def test_conjugated_family_spreads(seed):
    """Another frame for one coordinate is seen at once."""
    source = np.random.default_rng(seed)
    tables = cocycles.plane_tables([source.uniform(0.5, 2.5, size=(2, 2)) for _ in range(2)])
    turn = np.linalg.qr(source.normal(size=(4, 4)))[0]
    tables[1] = turn @ tables[1] @ turn.T
    assert cocycles.coordinate_spread(cocycles.address_grid(tables)).max() > 1e-6


# ---------------------------------------------------------------------- journey.commutant
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_torus_commutant_has_two_dimensions_a_plane(m):
    generators = [cocycles.plane_generator(m, c) for c in range(m)]
    assert cocycles.commutant_dimension(generators) == 2 * m
    together = [[sum(g[i][j] for g in generators) for j in range(2 * m)] for i in range(2 * m)]
    assert cocycles.commutant_dimension([together]) == 2 * m**2


PRINTED = {
    "distinct": 6,
    "equal pair": 10,
    "opposite pair": 10,
    "one zero": 8,
    "two zeros": 18,
    "zero and half turn": 10,
    "all equal": 18,
}


@pytest.mark.parametrize("name", PRINTED)
def test_single_probes_have_the_printed_dimensions(name):
    angles = cocycles.probe_table()[name]
    assert cocycles.commutant_dimension([cocycles.rational_rotations(angles)]) == PRINTED[name]
    predicted = cocycles.predicted_dimension(COMMUTANT.definitions, angles, cocycles.FITTING)
    assert predicted == PRINTED[name]


def test_float_dimension_agrees_with_the_exact_one():
    for angles in cocycles.probe_table().values():
        radians = np.array([math.atan2(float(s), float(c)) for c, s in angles])
        exact = cocycles.commutant_dimension([cocycles.rational_rotations(angles)])
        assert cocycles.float_commutant_dimension(radians, cocycles.GAP) == exact


def test_commutant_of_a_matrix_with_distinct_eigenvalues():
    assert cocycles.commutant_dimension([[[fmpq(1), 2, 0], [0, 2, 5], [0, 0, 3]]]) == 3


# ---------------------------------------------------------------------- journey.sum_addresses
def defect(step):
    with precision(220):
        return enclose(theory.space_defect(OF, theory.Rational(step)), {}, 200).sqrt()


@pytest.mark.parametrize(
    ("step", "printed"),
    [
        ("1", "0.664115612723832249458713762811"),
        ("1/10", "0.706713492139269026028848773572"),
        ("1/100", "0.707102852770256452687184444463"),
    ],
)
def test_defect_has_the_printed_value(step, printed):
    number = fmpq(*map(int, step.split("/"))) if "/" in step else fmpq(int(step))
    with precision(220):
        assert agrees(defect(step) / (number * number), printed)


def test_limit_is_half_the_norm_of_the_commutator():
    first, second = cocycles.so3_generators()
    norm = np.linalg.norm(first @ second - second @ first) / 2
    assert abs(norm - math.sqrt(0.5)) < 2.0**-52
    with precision(220):
        half = enclose(theory.sympy.sqrt(2) / 2, {}, 200)
        assert agrees(half, "0.707106781186547524400844362105")
        assert abs(float(defect("1/1000") * 10**6) - float(half)) < 1e-6


def test_float_defect_agrees_with_the_balls():
    generators = cocycles.so3_generators()
    found = np.linalg.norm(cocycles.equivariance_defect(*generators, 1.0))
    assert abs(found - 0.6641156127238322) < float(4 * cocycles.exponential_bound(3, 2.0))


@given(st.floats(-30, 30))
def test_exponential_of_a_plane_is_its_rotation(phi):
    generator = np.array([[0.0, -phi], [phi, 0.0]])
    norm = float(np.linalg.norm(generator))
    bound = float(cocycles.exponential_bound(2, norm)) + 2.0**-52
    assert np.abs(cocycles.exponential(generator) - cocycles.rotation(phi)).max() <= bound


def test_closed_form_is_the_exponential():
    first, second = cocycles.so3_generators()
    closed = np.array(theory.about_diagonal(1).evalf(20).tolist(), dtype=float)
    assert np.abs(cocycles.exponential(first + second) - closed).max() < 1e-14


# ---------------------------------------------------------------------- mutations
@pytest.mark.parametrize("field", [f.name for f in dataclasses.fields(OF)])
def test_no_definition_is_dead(field):
    """Each definition is altered by some control of the topic."""
    checks = [c for c in Registry().subject("journey").checks if c.claim in CLAIMS]
    changed = {name for check in checks for k in check.controls for name in k.changes}
    assert field in changed
