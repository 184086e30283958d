"""Words in integers and sentences of a code: proofs, kernels, reference values."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from posproof.numerics.unitary import words as measured
from posproof.proofs_check import kernel
from posproof.proofs_check.language import Int, Integer, Lt, Node, num, variable
from posproof.proofs_check.render import point_text
from posproof.proofs_check.search import Undecided, prove_by_substitution
from posproof.theory.symbols import variables
from posproof.theory.unitary import words as statements
from posproof.theory.vocabulary import Claim, Eq, Real

CLAIMS = [claim for claim in vars(statements).values() if isinstance(claim, Claim)]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_check_holds_and_every_control_is_refuted(stands, claim):
    stands(claim)


# ---------------------------------------------------------------------- free words
LETTERS = {sign * axis: None for axis in (1, 2, 3) for sign in (1, -1)}
#: i, j, k as matrices over the field of five elements.
FIELD = {
    1: np.array([[2, 0], [0, 3]]),
    2: np.array([[0, 1], [4, 0]]),
    3: np.array([[0, 2], [2, 0]]),
}


def modulo_five(letter):
    sign = 1 if letter > 0 else -1
    return (np.eye(2, dtype=int) + 2 * sign * FIELD[abs(letter)]) % 5


def test_the_field_matrices_are_quaternion_units():
    i, j, k = (FIELD[axis] for axis in (1, 2, 3))
    for unit in (i, j, k):
        assert not ((unit @ unit + np.eye(2, dtype=int)) % 5).any()
    assert not ((i @ j - k) % 5).any() and not ((j @ i + k) % 5).any()


def test_two_letters_vanish_modulo_five_only_when_inverse():
    for a, b in itertools.product(LETTERS, repeat=2):
        product = (modulo_five(a) @ modulo_five(b)) % 5
        assert (not product.any()) == (a == -b)


def test_the_six_images_are_the_points_of_the_projective_line():
    points = set()
    for letter in LETTERS:
        m = modulo_five(letter)
        assert (m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]) % 5 == 0
        column = next(c for c in m.T.tolist() if any(c))
        scale = pow(column[0] or column[1], -1, 5)
        points.add(tuple(x * scale % 5 for x in column))
    assert len(points) == 6


def test_separation_of_two_letter_words():
    tokens = measured.letters(np.array([[1, 0, 0], [0, 1, 0]]))
    gap = measured.separation(measured.quaternion_words(tokens, 4), 4)
    assert abs(float(gap) ** 0.5 - 0.25298221281347044) < 4 * 2.0**-54
    for length, square in ((6, Fraction(64, 5**6)), (8, Fraction(64, 5**8))):
        assert measured.separation(measured.quaternion_words(tokens, length), length) == square


@given(st.lists(st.sampled_from(sorted(LETTERS)), min_size=1, max_size=25))
def test_reduced_words_agree_with_the_matrices_modulo_five(word):
    assume(all(a != -b for a, b in itertools.pairwise(word)))
    product, q = np.eye(2, dtype=int), np.array([1, 0, 0, 0], dtype=object)
    for letter in word:
        product = (product @ modulo_five(letter)) % 5
        axis = np.zeros(3, dtype=object)
        axis[abs(letter) - 1] = 2 * (1 if letter > 0 else -1)
        q = measured.quaternion_product(q, np.concatenate([[1], axis]).astype(object))
    assert product.any()
    units = (np.eye(2, dtype=int), *(FIELD[axis] for axis in (1, 2, 3)))
    image = sum(int(part) * unit for part, unit in zip(q, units, strict=True)) % 5
    assert (image == product).all()


def test_commuting_tokens_count_as_bags():
    axes = np.array([[1, 0, 0], [1, 0, 0]])
    words = measured.quaternion_words(measured.letters(axes), 6)
    assert len(np.unique(words, axis=0)) == 1


# ---------------------------------------------------------------------- capacity
@pytest.mark.parametrize(("bits", "length"), [(16, 68), (32, 137), (64, 275)])
def test_longest_sentences_over_thirty_thousand_tokens(bits, length):
    assert measured.longest_sentence(30_000, 64, bits) == length
    assert 30_000**length <= 2 ** (64 * bits) < 30_000 ** (length + 1)


def test_longest_real_lengths():
    for bits, real in (
        (16, "68.8510982888754244791461292558"),
        (32, "137.702196577750848958292258512"),
        (64, "275.404393155501697916584517023"),
    ):
        import mpmath

        with mpmath.workdps(40):
            exact = 64 * bits / mpmath.log(30_000, 2)
            assert abs(exact - mpmath.mpf(real)) < mpmath.mpf(10) ** -26


# ---------------------------------------------------------------------- the general additions
def test_pigeonhole_says_what_it_should():
    S, C = variable("S", Integer), variable("C", Integer)
    goal = kernel.pigeonhole("f", S, C).conclusion
    premise, conclusion = goal.args
    assert conclusion == Node("le", (S, C))
    assert premise.args[0] == Node("le", (num(0), C))


def test_pigeonhole_wants_integers():
    x = variable("x", Real)
    for count, codes in ((x, num(2)), (num(2), x), (num(Fraction(17, 10)), num(1))):
        with pytest.raises(kernel.Rejected):
            kernel.pigeonhole("f", count, codes)


def test_pigeonhole_is_not_confused_by_a_count_named_like_its_indices():
    i = variable("i", Integer)
    theorem = kernel.pigeonhole("f", i, num(1))
    assert i in kernel.free_variables(theorem.conclusion)
    free = kernel.generalise(theorem, i)
    # At a count of 2 the two codes 0, 0 are refused by the premise, 0, 1 by its range.
    for values in ((0, 0), (0, 1)):
        at_two = kernel.instantiate(free, num(2)).conclusion
        assert not proofs_falsify(at_two, {"f": values})


def proofs_falsify(prop, point):
    from posproof.proofs_check.evaluate import at_precision, falsifies

    with at_precision():
        return falsifies(prop, point)


def test_a_listed_sequence_has_only_the_values_it_lists():
    from flint import fmpq

    from posproof.proofs_check.evaluate import at_precision, truth
    from posproof.proofs_check.language import sequence

    point = {"f": (3, 1)}
    with at_precision():
        assert truth(Lt(sequence("f", 1, Integer), num(2)), point) is True
        assert truth(Lt(sequence("f", 0, Integer), num(2)), point) is False
        for outside in (2, -1, Fraction(1, 2)):
            assert truth(Lt(sequence("f", outside, Integer), num(9)), point) is None
        assert truth(Lt(sequence("f", 0, Int(4)), num(9)), point) is None
    assert fmpq(3) == 3
    assert point_text({"f": (3, 1), "w": ("a", "b")}) == "f = (3, 1), w = ab"


def test_substitution_proves_with_definitions_and_refuses_without():
    x, y, z = variables("x y z", Real)
    theorem = prove_by_substitution(Eq(x * y, z**3), [Eq(x, z), Eq(y, z**2)])
    assert len(theorem.hypotheses) == 2
    with pytest.raises(Undecided):
        prove_by_substitution(Eq(x * y, z**3), [Eq(x, z)])
    with pytest.raises(Undecided):
        prove_by_substitution(Eq(x * y, z**4), [Eq(x, z), Eq(y, z**2)])
