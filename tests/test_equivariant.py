"""The assertion for Wigner matrices: correct ones pass, each fault is seen and named."""

from math import pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posproof import testing
from posproof.numerics.composition_bounds import eigenvector_squares
from posproof.numerics.euler_angles import angles_of_product, products_to_try
from posproof.numerics.formats import FORMATS, round_array
from posproof.numerics.precision.composition import wigner_float


def wigner(kind):
    """Complex matrices from correctly rounded eigenvectors, every operation of one type."""

    def matrix(degree, *angles):
        assert all(type(angle) is kind for angle in angles)
        parts = wigner_float(eigenvector_squares(degree), tuple(map(float, angles)), kind)
        return parts[0] + 1j * parts[1]

    return matrix


D = wigner(np.float64)


def about(axis, angle):
    """The rotation by an angle about one axis, (3, 3)."""
    c, s = np.cos(angle), np.sin(angle)
    rest = [k for k in range(3) if k != axis]
    R = np.eye(3)
    R[np.ix_(rest, rest)] = [[c, -s], [s, c]] if axis != 1 else [[c, s], [-s, c]]
    return R


def euler(alpha, beta, gamma):
    return about(2, alpha) @ about(1, beta) @ about(2, gamma)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("degree", [1, 4])
@pytest.mark.parametrize("seed", range(5))
def test_correct_matrices_pass(dtype, degree, seed):
    kind = FORMATS[dtype].dtype.type
    testing.assert_equivariant(wigner(kind), dtype=dtype, degree=degree, seed=seed)


@pytest.mark.parametrize("seed", range(10))
def test_rotation_matrices_are_real_ones_of_degree_one(seed):
    testing.assert_equivariant(
        lambda degree, *angles: euler(*angles), dtype="float64", degree=1, seed=seed
    )


def test_the_opposite_sign_of_all_phases_is_another_correct_basis():
    testing.assert_equivariant(lambda *x: D(*x).conj(), dtype="float64", degree=2)


FAULTS = {
    "transposed": (lambda n, a, b, c: D(n, a, b, c).T, "exchanged indices, or"),
    "inverse": (lambda n, a, b, c: D(n, a, b, c).conj().T, "transposed order"),
    "first and last exchanged": (lambda n, a, b, c: D(n, c, b, a), "alpha for gamma"),
    "sign of the third": (lambda n, a, b, c: D(n, a, b, -c), "wrong sign of the third"),
    "sign of the first": (lambda n, a, b, c: D(n, -a, b, c), "wrong sign of the third"),
    "both": (lambda n, a, b, c: D(n, a, b, -c).T, "exchanged indices, and a wrong sign"),
    "scale": (lambda n, a, b, c: 1.001 * D(n, a, b, c), "a scale"),
    "half the middle": (lambda n, a, b, c: D(n, a, b / 2, c), "other angles than z-y-z"),
    "degrees": (lambda n, a, b, c: D(n, *np.radians([a, b, c])), "other angles than z-y-z"),
    "float32": (lambda n, *x: wigner(np.float32)(n, *map(np.float32, x)), "rounding"),
    "at the pole": (lambda n, a, b, c: D(n, a, b, c if b > 1e-9 else 0 * c), "the poles"),
    "near a half turn": (lambda n, a, b, c: D(n, a, b, c if b < 3.1415 else 0 * c), "the poles"),
    "not a number": (lambda n, a, b, c: D(n, a, b, c) + (np.nan if b == 0 else 0), "not finite"),
    "a lost entry": (lambda *x: D(*x) * [[1, 1, 1], [1, 1, 0], [1, 1, 1]], "not unitary"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("seed", range(2))
def test_each_fault_is_seen_and_named(fault, seed):
    matrix, words = FAULTS[fault]
    degree = 1 if fault == "a lost entry" else 2
    with pytest.raises(AssertionError, match=words) as failure:
        testing.assert_equivariant(matrix, dtype="float64", degree=degree, seed=seed)
    assert "the bound is" in str(failure.value)
    assert "R_1 R_2 = (" in str(failure.value)


def test_bfloat16_phases_in_float32_are_rounding():
    def matrix(degree, *angles):
        exact = D(degree, *map(np.float64, angles))
        parts = (round_array(part, FORMATS["bfloat16"]) for part in (exact.real, exact.imag))
        return next(parts) + 1j * next(parts)

    with pytest.raises(AssertionError, match="rounding"):
        testing.assert_equivariant(matrix, dtype="float32", degree=2)


def test_what_has_no_tolerance_or_another_shape_is_refused():
    with pytest.raises(testing.NoTolerance):
        testing.assert_equivariant(D, dtype="float8_e5m2", degree=2)
    with pytest.raises(ValueError, match="shape"):
        testing.assert_equivariant(lambda n, *x: np.eye(n), dtype="float64", degree=2)
    with pytest.raises(ValueError, match="degree"):
        testing.assert_equivariant(D, dtype="float64", degree=0)
    with pytest.raises(ValueError, match="seed"):
        testing.assert_equivariant(D, dtype="float64", degree=1, seed=-1)


# ---------------------------------------------------------------------- angles of products
angle = st.floats(-pi, pi) | st.sampled_from([0.0, pi, -pi, pi / 2, 5e-324, 1e-160])


@settings(max_examples=100, deadline=None)
@given(angle, angle.map(abs), angle, angle, angle.map(abs), angle)
def test_the_angles_are_those_of_the_product_of_rotation_matrices(a, b, c, d, e, f):
    alpha, beta, gamma = angles_of_product((a, b, c), (d, e, f), FORMATS["float64"])
    assert 0 <= beta <= pi
    assert max(abs(alpha), abs(gamma)) <= pi
    # 18 products and a dozen cosines of rounded angles, all of modulus at most 1.
    gap = euler(a, b, c) @ euler(d, e, f) - euler(alpha, beta, gamma)
    assert np.abs(gap).max() <= 64 * 2.0**-53


def test_at_the_pole_only_the_first_angle_is_left():
    found = angles_of_product((1.0, 0.0, 0.5), (0.25, 0.0, 0.25), FORMATS["float64"])
    assert found == (2.0, 0.0, 0.0)
    turned = angles_of_product((3.0, 0.0, 0.0), (3.0, 0.0, 0.0), FORMATS["float64"])
    assert turned == (pytest.approx(6 - 2 * pi, abs=2**-50), 0.0, 0.0)


def test_a_product_that_turns_by_pi_about_z_keeps_it():
    found = angles_of_product((0.0, 2.0, 0.0), (0.0, 2.0, 0.0), FORMATS["float32"])
    assert tuple(map(abs, found)) == pytest.approx((pi, 2 * pi - 4, pi), abs=4e-7)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
def test_every_angle_tried_is_a_number_of_the_format(dtype):
    form = FORMATS[dtype]
    angles = np.array(products_to_try(form, 1))
    assert (round_array(angles, form) == angles).all()
