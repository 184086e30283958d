"""The gauge of points against printed values and independent computation."""

import cmath
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from flint import acb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics import wigner
from posproof.numerics.balls import precision
from posproof.numerics.spherical import gauge
from posproof.theory.spherical import BEARINGS, CURVATURE, GAUGE_PHASE

CLAIMS = [GAUGE_PHASE, CURVATURE, BEARINGS]
U = 2.0**-53


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def agrees(value, real, imag="0"):
    """A complex ball against printed parts, to one unit of their last digit."""
    unit = mp.mpf(10) ** -(len(real.split(".")[1]))
    for part, printed in ((value.real, real), (value.imag, imag)):
        assert abs(mp.mpf(part.str(60, radius=False)) - mp.mpf(printed)) <= unit


# ---------------------------------------------------------------------- spherical.gauge_phase
def test_printed_move():
    zeta = gauge.Gaussian(fmpq(1, 2), fmpq(1, 3))
    a, b = gauge.gaussian(1, -3), gauge.gaussian(-1, -2)
    j = a - b.conjugate() * zeta
    assert j == gauge.Gaussian(fmpq(13, 6), fmpq(-11, 3))
    moved = (b + a.conjugate() * zeta) / j
    with mp.workdps(40):
        for part, printed in (
            (moved.real, "-0.1454823889739663093415"),
            (moved.imag, "-0.3231240428790199081164"),
        ):
            assert abs(mp.mpf(int(part.p)) / int(part.q) - mp.mpf(printed)) < mp.mpf(10) ** -22
        chi = -2 * mp.arg(mp.mpc(13, -22) / 6)
        assert abs(chi - mp.mpf("2.074176270311270137676")) < mp.mpf(10) ** -21
    assert gauge.MOVES.gauge_angle(complex(13 / 6, -11 / 3)) == pytest.approx(float(chi), rel=4 * U)


def test_printed_relative_element_and_coherent_state():
    zeta, eta = gauge.Gaussian(fmpq(1, 2), fmpq(1, 3)), gauge.Gaussian(fmpq(-1, 4), fmpq(1, 5))
    a, b = gauge.ONE + zeta.conjugate() * eta, eta - zeta
    # the printed pair has length 1, and sqrt((1 + 13/36)(1 + 41/400)) = 147/120
    printed_a = gauge.Gaussian(fmpq(113, 147), fmpq(22, 147))
    printed_b = gauge.Gaussian(fmpq(-90, 147), fmpq(-16, 147))
    length = gauge.gaussian(Fraction(147, 120))
    assert (a, b) == (printed_a * length, printed_b * length)
    with precision(200):
        size = acb((1 + zeta.square()) * (1 + eta.square())).sqrt()
        score = (acb(a.real, a.imag) / size) ** 3
        agrees(score, "0.4025851536412612154862408", "0.2619549740392246490895863")


@given(st.integers(1, 6), gauge.gaussian_rationals(), gauge.gaussian_rationals())
def test_forms_are_substituted(twice, a, b):
    """Column k of T(M) evaluated at (u, v) is (p u + q v)^k (r u + s v)^(2l - k)."""
    (p, r), (q, s) = gauge.unitary(a, b)
    u, v = gauge.gaussian(2, 1), gauge.gaussian(-1, 3)
    T = gauge.form_action(twice, gauge.unitary(a, b))
    for k in range(twice + 1):
        value = gauge.gaussian(0)
        for row in range(twice + 1):
            value = value + T[row][k] * u**row * v ** (twice - row)
        assert value == (p * u + q * v) ** k * (r * u + s * v) ** (twice - k)


def test_forms_and_wigner_matrices_are_the_same_representation():
    w, x, y, z = 3, -1, 4, 1
    size = math.sqrt(w * w + x * x + y * y + z * z)
    a, b = complex(w, -z) / size, complex(y, -x) / size
    for twice in (1, 2, 5, 8):
        T = np.array(gauge.form_action(twice, gauge.unitary(a, b)))
        roots = np.sqrt([math.factorial(k) * math.factorial(twice - k) for k in range(twice + 1)])
        D = wigner.matrix(twice, wigner.angles_of_quaternions([w, x, y, z]))
        # sums of at most 9 terms whose absolute values add up to at most 2^l sqrt(C(2l, l))
        assert np.abs(T * roots[:, None] / roots - D).max() <= 2**twice * 64 * U


def test_the_lift_of_the_plane_takes_the_pole_to_the_point():
    zeta = np.array([0.3 - 0.7j, 1.5j, -2.0])
    R = wigner.rotations_of_angles(wigner.angles_of_quaternions(gauge.lift_of_plane(zeta)))
    expected = np.stack([2 * zeta.real, 2 * zeta.imag, 1 - abs(zeta) ** 2], -1)
    expected /= (1 + abs(zeta) ** 2)[:, None]
    assert np.abs(R[:, :, 2] - expected).max() <= 32 * U


# ---------------------------------------------------------------------- spherical.curvature
E1, E2, E3 = (math.pi / 2, 0.0), (math.pi / 2, math.pi / 2), (0.0, 0.0)


@pytest.mark.parametrize(
    ("twice", "m", "printed"),
    [(2, 1, 1j / 8), (4, 2, -1 / 64), (4, 1, -1j / 8), (4, 0, -1 / 8), (1, 0.5, (1 + 1j) / 4)],
)
def test_printed_octant(twice, m, printed):
    index = int(m + twice / 2)
    found = gauge.triangle_scores(twice, np.array([[E1, E2, E3]]))[0, index]
    assert abs(found - printed) <= 64 * U
    assert abs(gauge.triangle_values(twice, np.array([[E1, E2, E3]]))[0, index] - printed) <= 64 * U


def test_solid_angles_add_up():
    """The four triangles of a tetrahedron cover the sphere once."""
    x = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / math.sqrt(3)
    faces = [(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)]
    areas = [float(gauge.solid_angle(*(x[i] for i in face))) for face in faces]
    assert abs(sum(areas)) == pytest.approx(4 * math.pi, rel=32 * U)


@given(st.integers(0, 7), st.lists(st.floats(-3, 3), min_size=3, max_size=3))
def test_other_lifts_leave_the_product(twice, turns):
    corners = np.array([[(0.4, 0.1), (1.3, 0.9), (0.8, -1.1)]])
    angles = gauge.lift(corners)
    angles[..., 2] = turns
    D = wigner.matrix(twice, angles)[0]
    scores = [(D[i].conj() * D[(i + 1) % 3]).sum(axis=0) for i in range(3)]
    expected = gauge.triangle_scores(twice, corners)[0]
    bound = 2 * float(gauge.triangle_bound(max(twice, 1)).value)
    assert np.abs(scores[0] * scores[1] * scores[2] - expected).max() <= bound


# ---------------------------------------------------------------------- spherical.bearings
def test_printed_bearings():
    x, y = np.radians([90 - 51.5, -0.12]), np.radians([90 - 40.7, -74.0])
    apart = gauge.distance(gauge.place(x), gauge.place(y))
    assert apart == pytest.approx(float("0.8745080477104134103801"), rel=32 * U)
    assert gauge.bearings(x, y) == pytest.approx(float("-1.250987711885631578192"), rel=32 * U)
    assert gauge.bearings(y, x) == pytest.approx(float("0.8938349794473911190138"), rel=32 * U)


def test_bearings_at_the_equator():
    assert gauge.bearings((math.pi / 2, 0.0), (1.0, 0.0)) == pytest.approx(0, abs=4 * U)
    assert gauge.bearings((math.pi / 2, 0.0), (math.pi / 2, 1.0)) == pytest.approx(math.pi / 2)


def test_a_score_turns_with_the_query():
    """A query turned about its own point changes the score like its bearing."""
    x, y = (0.7, 0.2), (1.2, 1.4)
    query, key = (np.exp(1j * np.arange(5) ** 2 * s) for s in (1.0, 0.4))
    turned = query * np.exp(1j * np.arange(-2, 3) * 0.3)
    whole = gauge.score(4, x, y, turned, key)
    d = wigner.small(4, gauge.distance(gauge.place(x), gauge.place(y)))
    m = np.arange(-2, 3)
    out, back = float(gauge.bearings(x, y)) - 0.3, float(gauge.bearings(y, x))
    expected = sum(
        query[i].conjugate()
        * (-1.0) ** m[i]
        * cmath.exp(1j * m[i] * out)
        * d[i, k]
        * cmath.exp(-1j * m[k] * back)
        * key[k]
        for i in range(5)
        for k in range(5)
    )
    assert abs(whole - expected) <= 5 * float(gauge.bearings_bound(4, 0.5).value)
