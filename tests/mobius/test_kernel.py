"""The kernel of the ladder against the printed values, its shape and its transforms."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, fmpq, fmpz_poly
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import enclose, isolate_root, points, precision, radius, residual
from posproof.numerics.mobius import kernel
from posproof.numerics.mobius.ladder import cosine_sine
from posproof.theory.mobius import DELTA, DIPOLE, LOBES, SYMMETRIES
from posproof.theory.mobius import kernel as theory

CLAIMS = [DIPOLE, SYMMETRIES, LOBES, DELTA]
KERNEL = DIPOLE.definitions
U = 2.0**-53


def value(m, N, D, bits=160):
    """K(D) as a ball, from the theory's sum."""
    point = {"m": m, "N": N, "D": D}
    return enclose(KERNEL.kernel(theory.m, theory.N, theory.D), point, bits)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- mobius.dipole
PRINTED = {
    1: "31.18404714614570958605567",
    2: "28.81084525521097564105428",
    3: "25.09624298392970831786402",
    5: "15.05925771049375303279322",
    12: "-6.796750711673635747127445",
    100: "0.8683447152233481189160859",
    255: "-0.1913453182040856722104693",
    511: "-31.18404714614570958605567",
}


@pytest.mark.parametrize("D", PRINTED)
def test_kernel_at_the_printed_offsets(D, agrees):
    assert agrees(value(32, 512, D), PRINTED[D])
    for measured in (kernel.kernel, kernel.closed_kernel):
        (found,) = measured(32, 512, np.array([D]))
        assert abs(found - float(PRINTED[D])) <= 32 * 64 * U


@pytest.mark.parametrize("D", [8, 256])
def test_kernel_vanishes_at_the_printed_zeros(D):
    assert abs(value(32, 512, D)) < 1e-40
    assert kernel.closed_kernel(32, 512, np.array([D]))[0] == 0


def test_both_forms_agree_as_balls_and_at_fifty_digits():
    statement = DIPOLE.clause("closed_form").statement(KERNEL)
    for D in (1, 100, 511):
        (gap,) = residual(statement, {"m": 32, "N": 512, "D": D}, 128)
        assert gap.contains(0)
        assert radius(gap) < Fraction(1, 10**30)
    with mpmath.workdps(50):
        x = mpmath.pi * 511 / 512
        terms = mpmath.fsum(mpmath.cos((2 * i + 1) * x) for i in range(32))
        # 32 cosines of angles below 64 pi, three roundings each, and N for the quotient
        assert abs(terms - mpmath.sin(64 * x) / (2 * mpmath.sin(x))) < mpmath.mpf(10) ** -45


@pytest.mark.parametrize("m", [1, 2, 5, 12])
def test_chebyshev_forms_are_the_same_polynomial(m):
    c = sympy.Symbol("c")
    second = sympy.Poly(sympy.chebyshevu(2 * m - 1, c), c)
    first = sum((sympy.Poly(sympy.chebyshevt(2 * i + 1, c), c) for i in range(m)), sympy.Poly(0, c))
    assert second == 2 * first
    assert (second.eval(1), second.eval(-1)) == (2 * m, -2 * m)
    assert second.compose(sympy.Poly(-c, c)) == -second


def test_quotient_without_folding_loses_the_window():
    N, m = 4094, 3
    D = np.arange(-4 * N, 4 * N + 1)
    D = D[D % N != 0]
    error = np.abs(kernel.unfolded_kernel(m, N, D) - kernel.kernel(m, N, D)) / m
    assert (error <= 4 * U * np.maximum(N, np.abs(D))).all()
    assert error.max() > 2.5e-12  # so 64 u, which is 7e-15, is far from enough
    folded = np.abs(kernel.closed_kernel(m, N, D) - kernel.kernel(m, N, D)) / m
    assert folded.max() < 64 * U


def test_near_misses_of_the_closed_form_are_plain_to_see():
    D = np.arange(1, 8)
    exact = kernel.kernel(32, 512, D)
    assert np.abs(kernel.doubled(32, 512, D) - exact - exact).max() < 32 * 128 * U
    assert np.abs(kernel.even_kernel(32, 512, D) - exact)[0] > 1e-2
    assert np.abs(kernel.one_plane_more(32, 512, D) - exact)[0] > 1e-2


@given(st.integers(1, 4096), st.integers(0, 2047), st.integers(0, 8))
def test_poles_have_the_full_height(N, planes, turn):
    m = 1 + planes % max(1, N // 2)
    (at,) = kernel.closed_kernel(m, N, np.array([turn * N]))
    assert at == kernel.kernel(m, N, np.array([turn * N]))[0] == m * (-1) ** turn


# ---------------------------------------------------------------------- mobius.symmetries
def test_a_head_with_imaginary_content_is_equal_at_both_ends(agrees):
    head = KERNEL.ladder_score(sympy.Integer(1), sympy.Integer(8), theory.D)
    at_two, at_six = (
        enclose(head, {"D": D, "a": [Fraction(0)], "b": [Fraction(1)]}, 128) for D in (2, 6)
    )
    assert agrees(at_two, "-0.70710678118654752440")
    assert agrees(at_six, "-0.70710678118654752440")
    with precision(128):
        assert agrees(at_two + at_six, "-1.4142135623730950488")


def test_a_periodic_ladder_misses_the_anti_period_by_twice_the_score():
    content = np.array([1 + 2j, -0.5 + 1j])
    here, later = kernel.score(content, 16, np.array([3, 19]), lambda i: 2 * (i + 1))
    assert later == here
    assert abs(later + here) > 1


@given(st.integers(1, 300), st.integers(1, 300), st.integers(-999, 999))
def test_kernel_symmetries_hold_bit_by_bit(N, m, D):
    here, negated, later, mirrored, twice = kernel.kernel(
        m, N, np.array([D, -D, D + N, N - D, D + 2 * N])
    )
    assert here == negated == twice == -later == -mirrored


# ---------------------------------------------------------------------- mobius.lobes
MINIMA = {
    2: "-0.2721655269759086775775",
    4: "-0.2291567261495119702831",
    8: "-0.2201194768846851151572",
    16: "-0.2179493920394008408827",
    32: "-0.2174122165280383031895",
    64: "-0.2172782533046029024609",
}


def first_minimum(m):
    """The least value of sin(2 m x) / (2 m sin x) between its first two zeros, as a ball."""

    def slope(z):
        x = z / (2 * m)
        return 2 * m * z.cos_pi() * x.sin_pi() - z.sin_pi() * x.cos_pi()

    with precision(140):
        z = isolate_root(slope, Fraction(11, 10), Fraction(19, 10), 120)
        return z.sin_pi() / (2 * m * (z / (2 * m)).sin_pi())


def test_side_lobes_at_the_printed_depths(agrees):
    depths = [first_minimum(m) for m in MINIMA]
    assert all(agrees(depth, MINIMA[m]) for m, depth in zip(MINIMA, depths, strict=True))
    assert all(deep < next_one for deep, next_one in zip(depths, depths[1:], strict=False))


def test_side_lobe_of_two_planes_is_algebraic(agrees):
    c = sympy.Symbol("c")
    depth = sympy.Poly(2 * c**3 - c, c)
    square = sympy.Rational(1, 6)
    assert depth.diff().eval(sympy.sqrt(square)) == 0
    lowest = depth.eval(sympy.sqrt(square))
    assert lowest == -sympy.Rational(2, 3) / sympy.sqrt(6)
    assert agrees(enclose(lowest, {}, 160), "-0.27216552697590867757747600830065")


def test_sinc_lobe_and_half_maximum(agrees):
    with precision(140):
        at = isolate_root(lambda u: u.sin() - u * u.cos(), Fraction(4), Fraction(5), 120)
        assert agrees(at, "4.493409457909064175307881")
        assert agrees(at.sin() / at, "-0.2172336282112216574082793")
        assert agrees(20 * (-at.sin() / at).log() / arb(10).log(), "-13.26145888")
        half = isolate_root(
            lambda t: 2 * t.sin_pi() - t * arb.pi(), Fraction(1, 2), Fraction(3, 4), 120
        )
        assert agrees(half, "0.60335456440161419765")


@pytest.mark.parametrize(
    ("N", "m", "printed"),
    [
        (512, 32, "-0.9745014733170534245642395"),
        (2048, 32, "-0.9983947845888772803255988"),
        (131072, 64, "-0.9999984313651141546265402"),
    ],
)
def test_negative_pole_inside_the_window_is_not_quite_one(N, m, printed, agrees):
    with precision(160):
        assert agrees(value(m, N, N - 1) / m, printed)


def test_integer_offsets_miss_the_bottom_of_the_lobe(agrees):
    sampled = kernel.kernel(32, 512, np.arange(8, 17)) / 32
    assert agrees(Fraction(float(sampled.min())), "-0.21404")
    zeros = np.flatnonzero(kernel.closed_kernel(32, 512, np.arange(512)) == 0)
    assert zeros.tolist() == list(range(8, 512, 8))


def test_kernel_next_to_the_middle(agrees):
    assert agrees(value(32, 512, 252), "-0.500150636")
    with precision(128):
        envelope = 1 / (2 * arb(fmpq(252, 512)).sin_pi())
        # sin(2 pi m D / N) = -1 there: the kernel touches its envelope
        assert envelope.overlaps(-value(32, 512, 252))
    assert enclose(KERNEL.envelope(512, 256), {}, 128) == fmpq(1, 4)


@given(st.integers(1, 500), st.integers(1, 250), st.integers(-2000, 2000))
def test_kernel_stays_below_its_envelope(N, m, D):
    if D % N:
        size = abs(kernel.kernel(m, N, np.array([D]))[0])
        _, sine = cosine_sine(np.int64(1), np.int64(D), N)
        # m cosines of 4 u each and their sum
        assert size <= 1 / (2 * abs(sine)) * (1 + 8 * U) + m * 64 * U


@given(st.integers(1, 60), st.integers(1, 40), st.integers(-300, 300))
def test_zeros_at_multiples_of_half_the_lobe_width_are_exact(m, factor, k):
    N = 2 * m * factor
    (at,) = kernel.closed_kernel(m, N, np.array([k * factor]))
    assert (at == 0) == (k % (2 * m) != 0)


# ---------------------------------------------------------------------- mobius.delta
def test_full_ladder_vanishes_at_fifty_digits():
    with mpmath.workdps(50):
        residuals = [
            abs(mpmath.fsum(mpmath.cos(mpmath.pi * (2 * i + 1) * D / 32) for i in range(16)))
            for D in range(1, 32)
        ]
        # 16 cosines of angles below 32 pi with three roundings each
        assert max(residuals) < 16 * 300 * mpmath.mpf(10) ** -50


@pytest.mark.parametrize("N", range(1, 25))
def test_odd_characters_are_orthogonal_in_the_cyclotomic_ring(N):
    modulus = fmpz_poly.cyclotomic(2 * N)

    def power(exponent):
        return fmpz_poly([0] * (exponent % (2 * N)) + [1])

    for gap in range(-N, 2 * N):
        total = sum((power(2 * gap * D) for D in range(N)), fmpz_poly([0]))
        remainder = divmod(total, modulus)[1]
        assert remainder == fmpz_poly([N if gap % N == 0 else 0])


@given(st.integers(2, 60), st.data())
def test_cosine_rows_overlap_only_with_their_mirror(N, data):
    i, j = data.draw(st.integers(0, N - 1)), data.draw(st.integers(0, N - 1))
    cosine, _ = cosine_sine(np.array([[2 * i + 1], [2 * j + 1]]), np.arange(N), N)
    product = float(cosine[0] @ cosine[1])
    expected = N / 2 * ((i == j) + (i + j + 1 == N))
    assert abs(product - expected) < N * 16 * U


def test_full_ladder_one_plane_short_leaves_one_cosine():
    for N in (4, 10, 32):
        for D in range(1, N):
            with precision(128):
                left_over = -arb(fmpq((N - 1) * D, N)).cos_pi()
            assert value(N // 2 - 1, N, D).overlaps(left_over)


def test_odd_window_counts_its_real_character_once_with_half_the_weight():
    N, m = 9, 4
    D = np.arange(2 * N)
    weighted = kernel.kernel(m, N, D) + np.cos(np.pi * D) / 2
    expected = np.where(D == 0, N / 2, np.where(D == N, -N / 2, 0))
    assert np.abs(weighted - expected).max() < 64 * N * U


def test_transform_of_the_kernel_has_odd_bins_only():
    N, m = 64, 10
    bins = np.fft.fft(kernel.kernel(m, N, np.arange(2 * N)))
    ladder = [2 * i + 1 for i in range(m)]
    expected = np.zeros(2 * N)
    expected[ladder], expected[[-k for k in ladder]] = N, N
    assert np.abs(bins - expected).max() < N * m * 352 * U


@given(st.lists(st.tuples(*[st.integers(-99, 99)] * 2), min_size=1, max_size=64))
def test_negacyclic_product_by_both_routes(pairs):
    a, b = ([pair[side] for pair in pairs] for side in (0, 1))
    assert kernel.negacyclic(a, b) == kernel.negacyclic_by_fft(a, b)
    modulus = fmpz_poly([1] + [0] * (len(a) - 1) + [1])
    remainder = divmod(fmpz_poly(a) * fmpz_poly(b), modulus)[1]
    found = [int(c) for c in remainder.coeffs()]
    assert kernel.negacyclic(a, b) == found + [0] * (len(a) - len(found))


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=40))
def test_antiperiodic_extension_has_no_even_bins(half):
    bins = np.fft.fft(np.array(half + [-x for x in half]))
    # 2 N inputs of at most 9, log2(80) stages
    assert np.abs(bins[::2]).max() <= 2 * len(half) * 9 * 8 * math.log2(80) * U


def test_energy_of_a_window():
    for point in points(N=(6, 17, 64), m=(1, 3)):
        squares = np.sum(kernel.kernel(point["m"], point["N"], np.arange(point["N"])) ** 2)
        assert squares == pytest.approx(point["N"] * point["m"] / 2, rel=163 * 2 * U)
