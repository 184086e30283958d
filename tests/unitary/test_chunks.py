"""Chunks and wider codes: proofs, and embedding in plain loops."""

import numpy as np
import pytest

from posproof.numerics.unitary import chunks as measured
from posproof.numerics.unitary_matrices import haar
from posproof.theory.unitary.chunks import ASSOCIATIVITY

CLAIMS = [ASSOCIATIVITY]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


def test_embedding_is_bitwise_multiplicative_with_plain_loops():
    A, B = haar(4, 2, np.random.default_rng(5))

    def product(X, Y):
        rows = range(len(X))
        return np.array([[sum(X[i, t] * Y[t, j] for t in rows) for j in rows] for i in rows])

    wide = product(*measured.embedded(np.stack([A, B])))
    assert (wide == measured.embedded(product(A, B)[None])[0]).all()
