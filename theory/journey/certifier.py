r"""How to test a score: which axioms an implementation of rotary positions satisfies.

Main definitions
----------------
address(i), split_address(i)   A(i), what RoPE turns the vector at position i by, in two layouts
interleaved .. normalised      scores: two correct ones, the usual bugs, and variants that are meant
probed(score)                  the matrices of a score at pairs of basis vectors
tested(score, B)               what the axioms ask of a score with the matrices B
signature(score, B, fails)     which axioms fail, and that the others hold

Main claims
-----------
journey.axiom_certifier

Conventions
-----------
The axioms are those of `posproof.theory.journey.uniqueness`.  Plane c is made of components 2 c and
2 c + 1 (interleaved), or c and c + m (half-split); the toral axiom is tested for both frames.
Positions are integers, angles are radians.

References
----------
none
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from sympy import ImmutableMatrix as Matrix
from sympy import Rational, sin, sqrt

from posproof.theory.journey.uniqueness import (
    IDENTITY,
    OTHER_TURN,
    TURN,
    Family,
    direct_sum,
    generator,
    phi,
    power,
    rotation,
    unit,
)
from posproof.theory.vocabulary import And, Claim, Clause, Eq, ForAll, Not, Prop

#: Two planes, and few positions that still tell the bugs apart; the largest is beyond the clip.
CLIP = 3
PROBED = (0, 1, 4)
#: Component 2 c or 2 c + 1 of the interleaved layout stands at c or c + m of the half-split one.
SPLIT = Matrix([[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
VECTORS = (Matrix([3, 4, 0, 0]), Matrix([0, 5, 12, 0]))
AXIOMS = ("bilinear", "norm", "cocycle", "translation", "interleaved", "half")


@lru_cache(maxsize=64)
def address(i: int) -> Matrix:
    """A(i) on two planes of the interleaved layout, the angles being rational points."""
    return direct_sum([power(TURN, i), power(OTHER_TURN, i)])


def split_address(i: int) -> Matrix:
    """A(i) of the half-split layout."""
    return SPLIT * address(i) * SPLIT.T


def interleaved(i: int, j: int) -> Matrix:
    return address(i).T * address(j)


def half_split(i: int, j: int) -> Matrix:
    return split_address(i).T * split_address(j)


def opposite_sign(i: int, j: int) -> Matrix:
    """Queries turned backwards."""
    return address(-i).T * address(j)


def mixed_layouts(i: int, j: int) -> Matrix:
    """Queries interleaved, keys half-split."""
    return address(i).T * split_address(j)


def off_by_one(i: int, j: int) -> Matrix:
    """Queries counted from 1."""
    return address(i + 1).T * address(j)


def clipped(i: int, j: int) -> Matrix:
    """Positions held at CLIP."""
    return address(min(i, CLIP)).T * address(min(j, CLIP))


def scaled(i: int, j: int) -> Matrix:
    """Scores times 1.1."""
    return Rational(11, 10) * interleaved(i, j)


def decayed(i: int, j: int) -> Matrix:
    """Scores times 0.9^(i - j)."""
    return Rational(9, 10) ** (i - j) * interleaved(i, j)


Score = Callable[[Matrix, Matrix, int, int], Any]


def linear_bias(q: Matrix, k: Matrix, i: int, j: int) -> Any:
    """A bias of -0.1 for each position between them, and no rotation."""
    return (q.T * k)[0] - Rational(abs(i - j), 10)


def normalised(q: Matrix, k: Matrix, i: int, j: int) -> Any:
    """Queries and keys of length one."""
    lengths = sqrt((q.T * q)[0]) * sqrt((k.T * k)[0])
    return (q.T * interleaved(i, j) * k)[0] / lengths


@dataclass(frozen=True)
class Certifier:
    """The definitions of `journey.axiom_certifier`: implementations, and the plane's rotation."""

    rotation: Callable[[Any], Matrix] = rotation
    interleaved: Family = interleaved
    half_split: Family = half_split
    opposite_sign: Family = opposite_sign
    mixed_layouts: Family = mixed_layouts
    off_by_one: Family = off_by_one
    clipped: Family = clipped
    scaled: Family = scaled
    decayed: Family = decayed
    linear_bias: Score = linear_bias
    normalised: Score = normalised


def as_score(P: Family) -> Score:
    return lambda q, k, i, j: (q.T * P(i, j) * k)[0]


def probed(score: Score) -> Family:
    """The matrix of a score at pairs of basis vectors, `(4, 4)`."""
    basis = [unit(4)[:, a] for a in range(4)]

    @lru_cache(maxsize=64)
    def matrix(i: int, j: int) -> Matrix:
        return Matrix(4, 4, [score(left, right, i, j) for left in basis for right in basis])

    return matrix


def tested(score: Score, B: Family) -> dict[str, Prop]:
    """What the certifier asks of a score whose probes are B, by name as in `AXIOMS`."""
    pairs, d = list(product(PROBED, repeat=2)), 4
    ordered = [(i, j) for i, j in pairs if i <= j]
    frames = [generator(c, 2) for c in range(2)]
    split_frames = [SPLIT * J * SPLIT.T for J in frames]
    q, k = VECTORS
    return {
        "bilinear": And(*(Eq(score(q, k, *pair), (q.T * B(*pair) * k)[0]) for pair in pairs)),
        "norm": And(*(Eq(B(*pair).T * B(*pair), unit(d)) for pair in pairs)),
        "cocycle": And(
            *(Eq(B(i, i), unit(d)) for i in PROBED),
            *(Eq(B(i, k) * B(k, j), B(i, j)) for i, k, j in product(PROBED, repeat=3)),
        ),
        "translation": And(*(Eq(B(i, j), B(0, j - i)) for i, j in ordered)),
        "interleaved": And(*(Eq(J * B(*pair), B(*pair) * J) for pair in pairs for J in frames)),
        "half": And(*(Eq(J * B(*pair), B(*pair) * J) for pair in pairs for J in split_frames)),
    }


def signature(score: Score, B: Family, fails: Sequence[str]) -> Prop:
    """Exactly the axioms named in `fails` fail."""
    axioms = tested(score, B)
    return And(*(Not(axioms[name]) if name in fails else axioms[name] for name in AXIOMS))


@lru_cache(maxsize=32)
def family_signature(family: Family, *fails: str) -> Prop:
    P = lru_cache(maxsize=64)(family)
    return signature(as_score(P), P, fails)


@lru_cache(maxsize=32)
def score_signature(score: Score, *fails: str) -> Prop:
    return signature(score, probed(score), fails)


def correct(of: Certifier) -> Prop:
    return And(
        family_signature(of.interleaved, "half"),
        family_signature(of.half_split, "interleaved"),
    )


def wrong_turns(of: Certifier) -> Prop:
    both_frames = ("cocycle", "translation", "interleaved", "half")
    return And(
        family_signature(of.opposite_sign, "cocycle", "translation", "half"),
        family_signature(of.mixed_layouts, *both_frames),
    )


def wrong_positions(of: Certifier) -> Prop:
    return And(
        family_signature(of.off_by_one, "cocycle", "half"),
        family_signature(of.clipped, "translation", "half"),
    )


def linear_variants(of: Certifier) -> Prop:
    return And(
        family_signature(of.scaled, "norm", "cocycle", "half"),
        family_signature(of.decayed, "norm", "half"),
    )


def other_variants(of: Certifier) -> Prop:
    bias = ("bilinear", "norm", "cocycle", "interleaved", "half")
    return And(
        score_signature(of.linear_bias, *bias),
        score_signature(of.normalised, "bilinear", "half"),
    )


def implementations(of: Certifier) -> Prop:
    """A value of each, which says that it is the one meant."""
    q, k = VECTORS  # of lengths 5 and 13, with the product 20
    D = direct_sum([TURN, OTHER_TURN])
    return And(
        Eq(of.interleaved(0, 1), D),
        Eq(of.half_split(0, 1), SPLIT * D * SPLIT.T),
        Eq(of.opposite_sign(1, 0), D),
        Eq(of.mixed_layouts(0, 1), SPLIT * D * SPLIT.T),
        Eq(of.off_by_one(0, 1), unit(4)),
        Eq(of.clipped(0, 9), power(D, 3)),
        Eq(of.scaled(0, 0), Rational(11, 10) * unit(4)),
        Eq(
            of.decayed(2, 0),
            Rational(81, 100) * direct_sum([power(TURN, -2), power(OTHER_TURN, -2)]),
        ),
        Eq(of.linear_bias(q, k, 0, 4), Rational(196, 10)),
        Eq(of.normalised(q, k, 2, 2), Rational(20, 65)),
    )


def shifted_query(of: Certifier) -> Prop:
    gap = of.rotation(-phi) - IDENTITY
    return ForAll(phi, Eq(gap.T * gap, (2 * sin(phi / 2)) ** 2 * IDENTITY))


CERTIFIER = Claim(
    id="journey.axiom_certifier",
    title="Every usual bug of a rotary score fails its own set of axioms",
    kind="classification",
    definitions=Certifier(),
    depends=("journey.uniqueness",),
    hypotheses=(
        "the implementations are exact: two planes, rational rotations, positions 0, 1 and 4",
        "translation compares P(i, j) with P(0, j - i) for i <= j",
    ),
    clauses=(
        Clause(
            "correct",
            r"A(i)^\top A(j): \text{ every axiom holds, the toral frame being that of the layout "
            r"and no other}",
            correct,
        ),
        Clause(
            "wrong_turns",
            r"A(-i)^\top A(j) \text{ fails C, E}; \quad A(i)^\top A_{\mathrm{half}}(j) "
            r"\text{ fails C, E and both frames}",
            wrong_turns,
        ),
        Clause(
            "wrong_positions",
            r"A(i+1)^\top A(j) \text{ fails C alone}; \quad "
            r"A(\min(i,3))^\top A(\min(j,3)) \text{ fails E alone}",
            wrong_positions,
        ),
        Clause(
            "linear_variants",
            r"1.1\,A(i)^\top A(j) \text{ fails N, C}; \quad "
            r"0.9^{\,i-j}A(i)^\top A(j) \text{ fails N alone}",
            linear_variants,
        ),
        Clause(
            "other_variants",
            r"q^\top k - 0.1|i-j| \text{ fails B, N, C and both frames}; \quad "
            r"q^\top A(i)^\top A(j)k/(|q||k|) \text{ fails B alone}",
            other_variants,
        ),
        Clause(
            "implementations",
            r"\text{correct } B_{01} = D = R\oplus R',\ "
            r"\text{half-split } B_{01} = \Pi D\Pi^\top,\ \text{sign } B_{10} = D,\ "
            r"\text{mixed } B_{01} = \Pi D\Pi^\top,\ "
            r"\text{off by one } B_{01} = I,\ \text{clipped } B_{09} = D^3,\ "
            r"\text{scaled } B_{00} = 1.1\,I,\ \text{damped } B_{20} = 0.81\,D^{-2};\quad "
            r"q = (3,4,0,0),\ k = (0,5,12,0):\ \text{biased } s(0,4) = 19.6,\ "
            r"\text{normalised } s(2,2) = \tfrac{20}{65}",
            implementations,
        ),
        Clause(
            "shifted_query",
            r"(R(-\varphi) - I)^\top(R(-\varphi) - I) = (2\sin\tfrac{\varphi}{2})^2\,I",
            shifted_query,
        ),
    ),
)
