"""Blind spots of a product: proofs, and the printed examples in integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posproof.numerics.unitary import words
from posproof.theory.unitary.blind_spots import BLIND_SPOTS

CLAIMS = [BLIND_SPOTS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def test_three_letters_have_scalar_parts_minus_seven_and_nine():
    i, j, k = words.letters(np.eye(3, dtype=np.int64))
    product = words.quaternion_product
    assert product(product(i, j), k)[0] == -7
    assert product(product(k, j), i)[0] == 9


def test_three_integer_matrices_have_traces_seven_and_six():
    A, B, C = (np.array(m) for m in ([[1, 0], [1, 1]], [[2, 1], [1, 1]], [[1, 1], [0, 1]]))
    assert np.trace(A @ B @ C) == 7 and np.trace(C @ B @ A) == 6


@given(st.lists(st.booleans(), max_size=12))
def test_two_integer_letters_never_show_their_order(word):
    letters = (np.array([1, 2, 0, 0], dtype=object), np.array([1, 0, 2, 0], dtype=object))
    forward = backward = np.array([1, 0, 0, 0], dtype=object)
    for letter in word:
        forward = words.quaternion_product(forward, letters[letter])
        backward = words.quaternion_product(letters[letter], backward)
    assert forward[0] == backward[0]
