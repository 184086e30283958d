"""Printed values of the anti-periodic ladder, and every ball, float and property check of it."""

import dataclasses
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from flint import arb, fmpq, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.balls import enclose, ends, isolate_root, largest, precision
from posproof.numerics.formats import FORMATS, round_array
from posproof.numerics.mobius import alternatives, kernel, ladder, practice
from posproof.theory import mobius as theory
from posproof.theory.vocabulary import Check, Run

CHECKS = [
    check
    for module in (ladder, kernel, alternatives, practice)
    for check in vars(module).values()
    if isinstance(check, Check)
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_check_holds_and_each_of_its_controls_is_refuted(check: Check) -> None:
    evidence = check.run(check.definitions, Run())
    assert evidence.outcome == "holds", evidence
    assert check.controls
    for control in check.controls:
        of = dataclasses.replace(check.definitions, **control.changes)
        refuted = check.run(of, Run())
        assert refuted.outcome == "refuted", (control.name, refuted)
        assert refuted.witness


def agrees(value: arb | fmpq | float, printed: str) -> bool:
    """Within one unit of the last printed digit."""
    mantissa, _, exponent = printed.partition("e")
    decimals = len(mantissa.partition(".")[2])
    unit = Fraction(10) ** (int(exponent or 0) - decimals)
    low, high = ends(value) if isinstance(value, (arb, fmpq)) else (Fraction(value),) * 2
    return abs(low - Fraction(printed)) <= unit and abs(high - Fraction(printed)) <= unit


def exact_kernel(N: int, m: int, D: int) -> arb:
    with precision(256):
        return sum((arb.cos_pi_fmpq(fmpq((2 * i + 1) * D, N)) for i in range(m)), arb(0))


# ---------------------------------------------------------------------- holonomy
def test_frequency_and_order_of_plane_31() -> None:
    assert agrees(float(ladder.frequencies(32, 512)[31]), "0.38656315")
    assert ladder.ladder_order([63], 512) == 1024
    assert ladder.ladder_order([3, 9], 9) == 6


@given(i=st.integers(0, 10**6), N=st.integers(2, 10**6))
def test_shortened_window_misses_by_twice_the_sine_of_half_a_step(i: int, N: int) -> None:
    """|exp(i theta N) + 1| = 2 |sin(theta / 2)| for theta = pi (2 i + 1) / (N - 1)."""
    with precision(128):
        turn = arb(fmpq((2 * i + 1) * N, N - 1))
        residual = ((turn.cos_pi() + 1) ** 2 + turn.sin_pi() ** 2).sqrt()
        assert residual.overlaps(2 * abs(arb(fmpq(2 * i + 1, 2 * (N - 1))).sin_pi()))


@given(k=st.integers(-(10**6), 10**6), D=st.integers(-(10**6), 10**6), N=st.integers(1, 10**6))
def test_folded_phase_is_within_four_roundings(k: int, D: int, N: int) -> None:
    cosine, sine = ladder.cosine_sine(np.int64(k), np.int64(D), N)
    bound = 4 * float(ladder.U)
    with precision(128):
        turn = arb(fmpq(k * D, N))
        assert abs(turn.cos_pi() - float(cosine)) <= bound
        assert abs(turn.sin_pi() - float(sine)) <= bound
    r, _, _ = ladder.fold_phase(np.int64(k), np.int64(D), N)
    assert 0 <= 2 * r <= N


# ---------------------------------------------------------------------- kernel
KERNEL_VALUES = {
    1: "31.18404714614570958605567",
    2: "28.81084525521097564105428",
    3: "25.09624298392970831786402",
    5: "15.05925771049375303279322",
    12: "-6.796750711673635747127445",
    100: "0.8683447152233481189160859",
    255: "-0.1913453182040856722104693",
    511: "-31.18404714614570958605567",
}


@pytest.mark.parametrize("D", KERNEL_VALUES)
def test_kernel_of_512_and_32(D: int) -> None:
    printed = KERNEL_VALUES[D]
    assert agrees(exact_kernel(512, 32, D), printed)
    measured = kernel.kernel(32, 512, np.array([D]))[0]
    assert abs(measured - float(printed)) <= 32 * float(kernel.folded_bound().value)


def test_kernel_of_512_and_32_vanishes_at_multiples_of_8_only() -> None:
    D = np.arange(1024)
    vanishing = kernel.closed_kernel(32, 512, D) == 0
    assert (vanishing == ((D % 8 == 0) & (D % 512 != 0))).all()


@pytest.mark.parametrize(
    ("N", "m", "printed"),
    [
        (512, 32, "-0.9745014733170534245642395"),
        (2048, 32, "-0.9983947845888772803255988"),
        (131072, 64, "-0.9999984313651141546265402"),
    ],
)
def test_negative_pole_inside_the_window(N: int, m: int, printed: str) -> None:
    with precision(256):
        assert agrees(exact_kernel(N, m, N - 1) / m, printed)


def test_kernel_next_to_the_middle_and_its_sampled_minimum() -> None:
    assert agrees(exact_kernel(512, 32, 252), "-0.500150636")
    lobe = kernel.kernel(32, 512, np.arange(8, 17)) / 32
    assert agrees(float(lobe.min()), "-0.21404")


def test_imaginary_head_has_equal_and_not_opposite_ends() -> None:
    c = np.array([1j])
    at_2, at_6 = kernel.score(c, 8, np.array([2, 6]))
    assert agrees(float(at_2), "-0.7071067811865")
    assert at_6 == at_2
    assert agrees(-2 * arb(fmpq(1, 4)).sin_pi(), "-1.414213562373")


LOBES = {
    2: "-0.2721655269759086775775",
    4: "-0.2291567261495119702831",
    8: "-0.2201194768846851151572",
    16: "-0.2179493920394008408827",
    32: "-0.2174122165280383031895",
    64: "-0.2172782533046029024609",
}


def stationary(function: Callable[[arb], arb], low: Fraction, high: Fraction) -> arb:
    return isolate_root(function, low, high, 128)


@pytest.mark.parametrize("m", LOBES)
def test_first_side_lobe_of_m_planes(m: int) -> None:
    def slope(u: arb) -> arb:  # of sin u / (2 m sin(u / 2m)), without its positive factor
        x = u / (2 * m)
        return 2 * m * u.cos() * x.sin() - u.sin() * x.cos()

    with precision(200):
        u = stationary(slope, Fraction(7, 2), Fraction(6))
        assert agrees(u.sin() / (2 * m * (u / (2 * m)).sin()), LOBES[m])


def test_sinc_lobe_and_half_maximum() -> None:
    with precision(200):
        u = stationary(lambda u: u.sin() - u * u.cos(), Fraction(4), Fraction(5))
        assert agrees(u, "4.493409457909064175307881")
        value = u.sin() / u
        assert agrees(value, "-0.2172336282112216574082793")
        assert agrees(20 * abs(value).log() / arb(10).log(), "-13.26145888")
        half = stationary(lambda u: 2 * u.sin() - u, Fraction(3, 2), Fraction(5, 2))
        assert agrees(half / arb.pi(), "0.60335456440161419765")
        assert agrees(-arb(fmpq(2, 3)) / arb(6).sqrt(), "-0.27216552697590867757747600830065")


@given(st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=1, max_size=24))
def test_negacyclic_product_is_the_remainder_modulo_x_to_the_n_plus_1(
    pairs: list[tuple[int, int]],
) -> None:
    from flint import fmpz_poly

    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    modulus = fmpz_poly([1] + [0] * (len(a) - 1) + [1])
    remainder = (fmpz_poly(a) * fmpz_poly(b)) % modulus
    padded = [int(remainder[k]) for k in range(len(a))]
    assert kernel.negacyclic(a, b) == padded == kernel.negacyclic_by_fft(a, b)


@pytest.mark.parametrize(
    ("shift", "printed"), [(0, "31.22152034901518737117886"), (1, "31.14539988152647412730704")]
)
def test_periodic_kernel_of_512_and_32(shift: int, printed: str) -> None:
    with precision(200):
        total = sum((arb.cos_pi_fmpq(fmpq(2 * (i + shift), 512)) for i in range(32)), arb(0))
    assert agrees(total, printed)
    both = alternatives.periodic_kernel(32, 512, np.array([1, 511]), shift)
    assert both[0] == both[1]
    assert abs(both[0] - float(printed)) <= 32 * float(kernel.folded_bound().value)


# ---------------------------------------------------------------------- ladders without -I
def test_near_misses_of_the_first_algebraic_plane() -> None:
    with precision(200):
        distance = ((arb(355).cos() + 1) ** 2 + arb(355).sin() ** 2).sqrt()
        assert agrees(distance, "3.014435336291240327681074e-5")
        assert agrees(arb(104348).cos() + 1, "6.07e-11")
        assert not arb(104348).cos().contains(-1)
    assert round_array(np.array([np.cos(104348.0)]), FORMATS["float32"])[0] == -1.0


DISTANCE_TABLE = [
    # ladder, least distance, at D, least K / m, at D, distance at N, K(N) / m
    ("standard", "1.99535", 1023, "-0.044289610741332497207", 965, "1.99883", "0.18537"),
    ("geometric", "1.96183", 99, "-0.28498647024421956818", 398, "1.99403", "-0.10491"),
    ("jittered", "1.36615", 512, "-0.64620997358412637065", 512, "1.36615", "-0.64621"),
    ("periodic", "1.99153", 543, "-0.23515590738855971783", 11, "2.00000", "1.00000"),
]


@pytest.mark.parametrize("row", DISTANCE_TABLE, ids=lambda row: row[0])
def test_distances_over_two_windows(row: tuple[str, str, int, str, int, str, str]) -> None:
    name, near, near_at, low, low_at, at_window, kernel_at_window = row
    theta, D = alternatives.table_ladder(name), np.arange(1, 1025)
    distance = alternatives.operator_distance(theta, D)
    cosine = alternatives.mean_cosine(theta, D)
    assert D[distance.argmin()] == near_at
    # The periodic kernel is even around 512, so its minimum is seen twice, up to rounding.
    assert low_at in (D[cosine.argmin()], 1024 - D[cosine.argmin()])
    assert agrees(float(distance.min()), near)
    assert agrees(float(distance[511]), at_window)
    assert agrees(float(cosine[511]), kernel_at_window)
    if name == "periodic":
        terms = [2 * sp.pi * (i + 1) / sp.Integer(512) for i in range(32)]
    else:
        terms = theory.APERIODIC_DISTANCE.definitions.ladder(name)
    with precision(200):
        total = sum((enclose(sp.cos(t * low_at), {}, 200) for t in terms), arb(0))
        assert agrees(total / 32, low)


def test_anti_periodic_ladder_reaches_minus_identity_in_the_table() -> None:
    theta = alternatives.table_ladder("mobius")
    assert alternatives.operator_distance(theta, np.array([512]))[0] <= 1e-13 * math.pi
    assert alternatives.mean_cosine(theta, np.array([512]))[0] == -1


def test_floor_of_decimal_bases() -> None:
    with precision(200):
        assert agrees(2 * arb(fmpq(1, 22)).sin_pi(), "0.2846296765465702808875853")
    decade = alternatives.operator_distance(np.array([1.0, 0.1]), np.array([653417]))[0]
    assert agrees(float(decade), "0.2846323312")
    third = alternatives.operator_distance(np.array([1.0, 1 / 3]), np.array([1459097]))[0]
    assert agrees(float(third), "3.5e-6")


@pytest.mark.parametrize(
    ("n", "least"),
    [
        *((n, Fraction(1, n + 1)) for n in (2, 4, 6, 10, 100)),
        *((n, Fraction(0)) for n in (3, 5)),
    ],
)
def test_least_distance_of_two_planes_in_units_of_pi(n: int, least: Fraction) -> None:
    """max(dist(x), dist(n x)) to the odd integers is piecewise linear: its corners suffice."""

    def distance(y: Fraction) -> Fraction:
        return min((y - 1) % 2, 2 - (y - 1) % 2)

    corners = {Fraction(k, q) for q in (1, n) for k in range(2 * q + 1)}
    corners |= {Fraction(2 * k, q) for q in (n - 1, n + 1) for k in range(q + 1)}
    assert min(max(distance(x), distance(n * x)) for x in corners) == least
    assert math.isclose(alternatives.even_ratio_floor(n), 2 * math.sin(math.pi / (2 * n + 2)))


# ---------------------------------------------------------------------- cycles and hybrids
def test_characteristic_polynomial_of_the_signed_triangle() -> None:
    cycle = fmpz_mat(ladder.signed_cycle([1, 1, -1]).astype(int).tolist())
    assert [int(c) for c in cycle.charpoly().coeffs()] == [-4, 9, -6, 1]


@pytest.mark.parametrize("N", range(3, 13))
def test_determinant_of_a_signed_cycle_is_four(N: int) -> None:
    signs = [1] * (N - 1)
    for last, determinant in ((-1, 4), (1, 0)):
        rows = ladder.signed_cycle([*signs, last]).astype(int).tolist()
        assert fmpz_mat(rows).det() == determinant


def standard_kernel(D: int) -> arb:
    with precision(256):
        thetas = [arb(10) ** arb(fmpq(-q, 8)) for q in range(32)]
        return sum(((theta * D).cos() for theta in thetas), arb(0))


def test_quarter_of_the_heads() -> None:
    with precision(256):

        def mean(D: int) -> arb:
            return (exact_kernel(512, 32, D) + 3 * standard_kernel(D)) / 128

        assert agrees(mean(512), "-0.1109734093063838406557055")
        assert agrees(mean(513) + mean(1), "0.8638398563568341583877114")
        share = fmpq(3, 4) * (standard_kernel(513) + standard_kernel(1)) / 32
        assert (mean(513) + mean(1)).overlaps(share)
        thetas = [arb(10) ** arb(fmpq(-q, 8)) for q in range(32)]
        layer = largest([2 * abs((theta * 256).cos()) for theta in thetas])
        assert agrees(layer, "1.998834699983766271302564")
        gaps = [abs(exact_kernel(512, 32, D) - standard_kernel(D)) / 32 for D in range(512)]
        assert agrees(largest(gaps), "1.1752548487553")


def test_first_negative_offset_of_512_and_32_is_9() -> None:
    values = kernel.closed_kernel(32, 512, np.arange(10))
    assert (values[:8] > 0).all()
    assert values[8] == 0
    assert values[9] < 0


@given(i=st.integers(0, 10**6), N=st.integers(1, 10**6), s=st.fractions(Fraction(1, 99), 99))
def test_interpolation_is_the_ladder_of_the_stretched_window(i: int, N: int, s: Fraction) -> None:
    if s:
        assert Fraction(2 * i + 1, N) / s == Fraction(2 * i + 1) / (s * N)


# ---------------------------------------------------------------------- the floor of each format
#: Window, route, format; largest cosine and kernel error / m, rms kernel error / m; |cos + 1| and
#: |sin| at D = N; the a-priori bound of the angle.
FLOORS = [
    (512, "table", "float64", "2.8e-14 3.6e-15 6.5e-16 0 1.8e-14 6.6e-14"),
    (512, "table", "float32", "1.3e-5 1.3e-6 3.1e-7 0 6.8e-6 3.5e-5"),
    (512, "native", "float32", "1.8e-5 3.4e-6 4.6e-7 0 1.2e-5 3.5e-5"),
    (512, "cast table", "bfloat16", "2.0e-3 5.1e-4 1.6e-4 0 1.2e-5 3.5e-5"),
    (512, "table", "float16", "1.2e-1 8.7e-3 2.3e-3 2.0e-3 6.2e-2 2.9e-1"),
    (512, "table", "bfloat16", "1.07 2.0e-1 2.3e-2 1.2e-1 4.8e-1 2.3"),
    (2048, "table", "float64", "3.0e-14 5.2e-15 6.6e-16 0 1.8e-14 6.6e-14"),
    (2048, "table", "float32", "1.4e-5 1.6e-6 3.0e-7 0 6.8e-6 3.5e-5"),
    (2048, "native", "float32", "1.8e-5 3.4e-6 4.5e-7 0 1.2e-5 3.5e-5"),
    (2048, "table", "float16", "1.2e-1 1.0e-2 2.4e-3 2.0e-3 6.2e-2 2.9e-1"),
    (2048, "table", "bfloat16", "1.09 2.0e-1 2.2e-2 1.2e-1 4.8e-1 2.3"),
    (131072, "table", "float64", "6.6e-14 1.5e-14 9.5e-16 0 4.0e-14 1.3e-13"),
    (131072, "table", "float32", "3.0e-5 2.0e-6 3.9e-7 0 1.5e-5 7.1e-5"),
    (131072, "native", "float32", "3.7e-5 5.1e-6 5.3e-7 0 2.3e-5 7.1e-5"),
    (131072, "table", "bfloat16", "1.9 5.6e-1 3.5e-2 4.6e-1 8.4e-1 4.7"),
]


@pytest.mark.parametrize("row", FLOORS, ids=lambda row: f"{row[0]}-{row[1]}-{row[2]}")
def test_floor_of_a_format(row: tuple[int, str, str, str]) -> None:
    N, route, form, printed = row
    floor = practice.float_floor(N, dict(practice.WINDOWS)[N], route, form)
    measured = (
        *(floor.max_cosine, floor.max_kernel, floor.rms_kernel),
        *(floor.holonomy_cosine, floor.holonomy_sine, float(floor.angle_bound)),
    )
    for value, digits in zip(measured, printed.split(), strict=True):
        assert value == 0 if digits == "0" else agrees(value, digits)


@pytest.mark.parametrize(("N", "m"), practice.WINDOWS)
@pytest.mark.parametrize("form", FORMATS)
def test_integer_phases_stay_below_four_roundings(N: int, m: int, form: str) -> None:
    floor = practice.float_floor(N, m, "integer phase", form)
    assert floor.holonomy_cosine == floor.holonomy_sine == 0
    assert Fraction(floor.max_cosine) <= 4 * FORMATS[form].unit_roundoff == floor.cosine_bound
    assert Fraction(floor.max_kernel) <= floor.kernel_bound


def test_positions_a_format_does_not_hold_are_reported() -> None:
    assert practice.float_floor(512, 32, "table", "bfloat16").unrepresentable == 257
    assert practice.float_floor(2048, 32, "table", "float16").unrepresentable is None
    every = np.arange(4097)
    at = practice.float_floor(4096, 32, "table", "float16", every)
    assert at.unrepresentable == 2049
    assert practice.float_floor(131072, 64, "table", "float16").overflows
