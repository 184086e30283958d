"""The axioms of a score, and the families that drop one."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.journey import uniqueness
from posproof.theory.journey import UNIQUENESS
from posproof.theory.journey import uniqueness as theory

CLAIMS = [UNIQUENESS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_the_commutant_of_the_frame_has_two_dimensions_a_plane(m):
    d = 2 * m
    rows = []
    for c in range(m):
        J = sympy.Matrix(theory.generator(c, m))
        rows.append(
            sympy.kronecker_product(J.T, sympy.eye(d)) - sympy.kronecker_product(sympy.eye(d), J)
        )
    system = np.array(sympy.Matrix.vstack(*rows).tolist(), dtype=float)
    assert d * d - np.linalg.matrix_rank(system) == 2 * m


def test_the_damped_step_shrinks_by_81_hundredths():
    step = theory.damped(0, 1)
    assert step.T * step == sympy.Rational(81, 100) * sympy.eye(2)


def test_the_tilted_frame_is_orthonormal_and_its_turn_no_block_rotation():
    assert sympy.eye(4) == theory.TILT * theory.TILT.T
    step = theory.tilted(0, 1)
    assert step.T * step == sympy.eye(4)
    assert theory.plane_form(step) != step


def test_each_family_fails_the_axiom_it_drops_and_no_other():
    failed = {
        name: [finding.axiom for finding in findings if not finding.holds]
        for name, findings in uniqueness.dropped_axioms().items()
    }
    assert failed == {
        "RoPE": [],
        "loaded": ["bilinear"],
        "damped": ["norm"],
        "parity": ["toral"],
        "tilted": ["toral"],
        "quadratic": ["cocycle"],
        "absolute": ["translation"],
    }


@given(st.floats(-5, 5), st.integers(-30, 30), st.integers(-30, 30))
def test_a_jordan_block_scores_a_linear_bias(slope, i, j):
    G = np.array(theory.shear(j - i).tolist(), dtype=float)
    q, k = np.array([2.0, 1, 0]), np.array([3.0, 0, slope])
    assert q @ G @ k == pytest.approx(6 + slope * (j - i), rel=2**-50)
