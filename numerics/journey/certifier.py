"""Correct rotary scores, the usual bugs and variants that are meant, and the axioms each fails.

Main definitions
----------------
implementations    two correct scores, four bugs and four variants
SIGNATURES         the columns of axioms that each of them fails
failures           which columns fail, and every finding

Main claims
-----------
journey.axiom_certifier

Conventions
-----------
As in `posproof.numerics.axioms`, which measures the axioms.  The toral axiom is a column for each
frame.

References
----------
none
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from posproof.numerics.axioms import (
    FRAMES,
    Array,
    Finding,
    Frame,
    Model,
    Score,
    V,
    half_frame,
    interleaved_frame,
    ladder,
    measure,
    probe_at_once,
    rope,
)
from posproof.numerics.hunt import hunt
from posproof.numerics.measure import within
from posproof.theory.journey.certifier import CERTIFIER
from posproof.theory.vocabulary import Bound, Evidence, Run, Scope, checked_by, control


# ---------------------------------------------------------------------- implementations
def normalised(score: Score) -> Score:
    """Queries and keys of length one."""

    def value(q: Array, k: Array, i: int, j: int) -> Array:
        return score(q, k, i, j) / np.sqrt((q * q).sum(axis=-1) * (k * k).sum(axis=-1))

    return value


@dataclass(frozen=True)
class Rows:
    """What the table of signatures is made of; a control repairs one of the bugs."""

    query_sign: int = -1
    query_offset: int = 1
    clip: int = 3
    scale: float = 1.1
    slope: float = 0.1
    decay: float = 0.9
    key_frame: Callable[[int], Frame] = half_frame
    normalised: Callable[[Score], Score] = normalised
    share: Fraction = Fraction(1)


ROWS = Rows()

#: Columns that fail, by implementation: the axioms, with the toral frame named.
SIGNATURES: dict[str, frozenset[str]] = {
    "interleaved": frozenset({"half"}),
    "half": frozenset({"interleaved"}),
    "opposite sign": frozenset({"cocycle", "translation", "half"}),
    "mixed layouts": frozenset({"cocycle", "translation", "interleaved", "half"}),
    "off by one": frozenset({"cocycle", "half"}),
    "clipped": frozenset({"translation", "half"}),
    "scaled": frozenset({"norm", "cocycle", "half"}),
    "linear bias": frozenset({"bilinear", "norm", "cocycle", "interleaved", "half"}),
    "normalised": frozenset({"bilinear", "half"}),
    "damped": frozenset({"norm", "half"}),
}


def implementations(theta: Array, of: Rows = ROWS) -> dict[str, Score]:
    """Scores on len(theta) planes: two correct ones, four bugs, four variants."""
    d = 2 * len(theta)
    plain = partial(rope, theta=theta, frame=interleaved_frame(d))

    def held(i: int) -> int:
        return min(i, of.clip)

    return {
        "interleaved": plain,
        "half": partial(rope, theta=theta, frame=half_frame(d)),
        "opposite sign": partial(plain, query=lambda i: of.query_sign * i),
        "mixed layouts": partial(plain, key_frame=of.key_frame(d)),
        "off by one": partial(plain, query=lambda i: i + of.query_offset),
        "clipped": partial(plain, query=held, key=held),
        "scaled": lambda q, k, i, j: of.scale * plain(q, k, i, j),
        "linear bias": lambda q, k, i, j: (q * k).sum(axis=-1) - of.slope * abs(i - j),
        "normalised": of.normalised(plain),
        "damped": lambda q, k, i, j: of.decay ** (i - j) * plain(q, k, i, j),
    }


def failures(
    score: Score,
    model: Model,
    positions: Sequence[int],
    frames: Mapping[str, Frame],
    seed: int = 0,
) -> tuple[frozenset[str], dict[str, Finding]]:
    """Which columns fail, the toral axiom once for each frame; and every finding by column."""
    found: dict[str, Finding] = {}
    for name, frame in frames.items():
        for finding in measure(score, positions, frame, model, seed, probe_at_once):
            found[name if finding.axiom == "toral" else finding.axiom] = finding
    return frozenset(name for name, f in found.items() if not f.holds), found


# ---------------------------------------------------------------------- the checks
POSITIONS = tuple(range(6))
TABLE = Scope("d = 8, positions 0..5, float64", "d = 16, positions 0..5, float64")


def _table(of: Rows, run: Run, names: Sequence[str]) -> Evidence:
    """Whether each implementation fails exactly the columns of its row."""
    planes = 8 if run.profile == "full" else 4
    d = 2 * planes
    model = Model(d, V, Fraction(POSITIONS[-1] + 1), of.share)
    frames = {name: frame(d) for name, frame in FRAMES.items()}
    scores = implementations(ladder(planes), of)
    closest = Fraction(0)
    for name in names:
        failed, found = failures(scores[name], model, POSITIONS, frames, run.seed)
        if failed != SIGNATURES[name]:
            wrong = ", ".join(sorted(failed ^ SIGNATURES[name]))
            return Evidence("refuted", witness=f"{name}: {wrong} came out the other way")
        for column, finding in found.items():
            if column not in failed:
                closest = max(closest, Fraction(finding.residual) / finding.bound.value)
    share = Bound(Fraction(1), "residual / bound, the largest over the columns that hold")
    return within(closest, share, note=f"{len(names)} implementations, {len(found)} columns")


@control("a_64th_of_the_bound", share=Fraction(1, 64))
@checked_by(CERTIFIER, "correct", "float", TABLE, definitions=ROWS)
def correct_scores(of: Rows, run: Run) -> Evidence:
    """Both layouts pass, each in its own frame; the measure is the share of the bound used."""
    return _table(of, run, ("interleaved", "half"))


@control("sign_repaired", query_sign=1)
@control("one_layout", key_frame=interleaved_frame)
@checked_by(CERTIFIER, "wrong_turns", "float", TABLE, definitions=ROWS)
def wrong_turns_seen(of: Rows, run: Run) -> Evidence:
    return _table(of, run, ("opposite sign", "mixed layouts"))


@control("counted_alike", query_offset=0)
@control("not_clipped", clip=5)
@checked_by(CERTIFIER, "wrong_positions", "float", TABLE, definitions=ROWS)
def wrong_positions_seen(of: Rows, run: Run) -> Evidence:
    return _table(of, run, ("off by one", "clipped"))


@control("not_scaled", scale=1.0)
@control("not_damped", decay=1.0)
@checked_by(CERTIFIER, "linear_variants", "float", TABLE, definitions=ROWS)
def linear_variants_seen(of: Rows, run: Run) -> Evidence:
    return _table(of, run, ("scaled", "damped"))


@control("no_bias", slope=0.0)
@control("lengths_kept", normalised=lambda score: score)
@checked_by(CERTIFIER, "other_variants", "float", TABLE, definitions=ROWS)
def other_variants_seen(of: Rows, run: Run) -> Evidence:
    return _table(of, run, ("linear bias", "normalised"))


#: Bugs that a random implementation is given, and the columns each must fail.
MUTATIONS = (
    "opposite sign",
    "off by one",
    "clipped",
    "scaled",
    "linear bias",
    "normalised",
    "damped",
)


@control("counted_alike", query_offset=0)
@checked_by(
    CERTIFIER,
    "wrong_positions",
    "property",
    Scope("100 implementations, d = 2, 4, 8, 16", "2000 implementations, d = 2, 4, 8, 16"),
    definitions=ROWS,
)
def mutations_fail_their_columns(of: Rows, run: Run) -> Evidence:
    """Random frequencies in a random frame: RoPE passes, a mutated one fails what it must."""
    from hypothesis import strategies as st

    def told_apart(half: int, seed: int, mutation: str) -> bool:
        source = np.random.default_rng(seed)
        theta = source.uniform(0.2, 1.2, half)
        order = source.permutation(2 * half)
        frame = order[interleaved_frame(2 * half)]

        def permuted(score: Score) -> Score:
            # component order[a] of a vector is component a of the interleaved implementation
            return lambda q, k, i, j: score(q[..., order], k[..., order], i, j)

        scores = implementations(theta, of)
        model = Model(2 * half, V, Fraction(6 * 6, 5))
        right, _ = failures(permuted(scores["interleaved"]), model, (0, 1, 2, 4), {"frame": frame})
        wrong, _ = failures(permuted(scores[mutation]), model, (0, 1, 2, 4), {"frame": frame})
        listed = {"frame" if name == "interleaved" else name for name in SIGNATURES[mutation]}
        return not right and wrong == listed - {"half"}

    drawn = {
        "half": st.sampled_from((1, 2, 4, 8)),
        "seed": st.integers(0, 2**32 - 1),
        "mutation": st.sampled_from(MUTATIONS),
    }
    return hunt(told_apart, drawn, run, first={"half": 2, "seed": 0, "mutation": "off by one"})
