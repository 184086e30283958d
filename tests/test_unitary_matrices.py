"""Random unitary matrices and their words: Haar, and the drift of a long product."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from posproof.numerics import unitary_matrices as measured
from posproof.numerics.measure import sampled


def test_word_products_are_the_products_of_each_word():
    tokens = measured.haar(3, 2, np.random.default_rng(0))
    stack = measured.word_products(tokens, 4)
    assert stack.shape == (16, 3, 3)
    for index, word in enumerate(itertools.product((0, 1), repeat=4)):
        one = measured.word_product(tokens[list(word)])
        assert (
            float(measured.norms(stack[index] - one))
            <= measured.word_bound(3, 8, measured.defect(tokens)).value
        )


def test_haar_tokens_have_the_mean_square_trace_of_haar():
    """E |tr U|^2 = 1 for Haar on U(2); |tr U|^2 lies in [0, 4]."""
    traces = np.trace(measured.haar(2, 20_000, np.random.default_rng(1)), axis1=1, axis2=2)
    assert sampled(np.abs(traces) ** 2, 1, Fraction(4)).outcome == "holds"


def test_plain_qr_is_not_haar():
    source = np.random.default_rng(1).standard_normal((2, 20_000, 2, 2))
    plain = np.linalg.qr(source[0] + 1j * source[1])[0]
    traces = np.trace(plain, axis1=1, axis2=2)
    assert sampled(np.abs(traces) ** 2, 1, Fraction(4)).outcome == "refuted"


def test_a_defect_is_reported_not_hidden():
    with pytest.raises(ValueError, match="not unitary"):
        measured.defect(1.1 * measured.haar(3, 1, np.random.default_rng(0)))


def test_bound_covers_the_drift_of_a_long_word():
    tokens = measured.haar(8, 20, np.random.default_rng(0))
    word = tokens[np.random.default_rng(0).integers(0, 20, 1000)]
    drift = np.conj(measured.word_product(word)).T @ measured.word_product(word) - np.eye(8)
    bound = measured.word_bound(8, 1000, measured.defect(tokens)).value
    assert 0 < float(measured.norms(drift)) <= 3 * bound
