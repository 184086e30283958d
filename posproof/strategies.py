"""Hypothesis strategies for testing encodings: what random draws would miss is drawn often.

Main definitions
----------------
positions              integers in range, half of them where implementations change their mind
formats                names of floating-point formats
rotations              rotation matrices, poles, half-turns and their neighbourhoods included
symplectic             matrices of determinant 1 by branch: elliptic, parabolic, hyperbolic
commuting_generators   skew matrices that commute with each other
ladders                checkpoint settings of a rotary ladder, every rule

Conventions
-----------
Matrices are float64 arrays; a rotation acts on columns and its determinant is +1 up to rounding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from posproof.errors import BadInput

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Array = NDArray[np.float64]
BRANCHES = ("elliptic", "parabolic", "hyperbolic")
#: Angles at which a rotation degenerates, and their neighbours on both sides.
_SPECIAL = (0.0, 1e-8, 1e-4, np.pi / 2, np.pi - 1e-4, np.pi - 1e-8, np.pi)


def positions(max_position: int = 1 << 17) -> SearchStrategy[int]:
    """Positions 0 .. max_position - 1: ends of binades, both ends of the range, and any others.

    Raises BadInput for no positions.
    """
    if max_position < 1:
        raise BadInput(f"{max_position} positions leave nothing to draw", "max_position")
    last = max_position - 1
    binades = {2**k + j for k in range(last.bit_length() + 1) for j in (-1, 0, 1)}
    usual = sorted(edge for edge in binades | {0, last - 1, last} if 0 <= edge <= last)
    return st.one_of(st.sampled_from(usual), st.integers(0, last))


def formats() -> SearchStrategy[str]:
    """Names of formats that arrays can be stored in."""
    return st.sampled_from(("float64", "float32", "float16", "bfloat16"))


def _angles() -> SearchStrategy[float]:
    return st.one_of(st.sampled_from(_SPECIAL), st.floats(-np.pi, np.pi))


def rotations() -> SearchStrategy[Array]:
    """Rotations of three dimensions as 3 x 3 matrices."""
    from posproof.audit.invariants.representations import turn

    def built(alpha: float, beta: float, gamma: float) -> Array:
        result: Array = turn(2, alpha) @ turn(1, beta) @ turn(2, gamma)
        return result

    return st.builds(built, _angles(), _angles(), _angles())


def symplectic(branch: str | None = None) -> SearchStrategy[Array]:
    """2 x 2 matrices of determinant 1 whose trace is below, at or above 2 in size.

    Raises BadInput for an unknown branch.
    """
    if branch is None:
        return st.sampled_from(BRANCHES).flatmap(symplectic)
    if branch not in BRANCHES:
        raise BadInput(f"unknown branch {branch!r}; known: {', '.join(BRANCHES)}", "branch")
    size = st.floats(0.05, 3.0)

    def core(t: float, sign: int) -> Array:
        if branch == "elliptic":
            return np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
        if branch == "parabolic":
            return sign * np.array([[1.0, t], [0.0, 1.0]])
        return sign * np.diag([np.exp(t), np.exp(-t)])

    def moved(t: float, sign: int, squeeze: float, shear: float) -> Array:
        frame = np.array([[squeeze, shear], [0.0, 1 / squeeze]])
        inverse = np.array([[1 / squeeze, -shear], [0.0, squeeze]])
        result: Array = frame @ core(t, sign) @ inverse
        return result

    return st.builds(
        moved, size, st.sampled_from((1, -1)), st.floats(0.5, 2.0), st.floats(-1.0, 1.0)
    )


def commuting_generators(count: int = 2, dimension: int = 4) -> SearchStrategy[list[Array]]:
    """Skew matrices with common planes: they commute, and so do their exponentials.

    Raises BadInput for an odd dimension.
    """
    if dimension < 2 or dimension % 2:
        raise BadInput(f"{dimension} dimensions are no planes", "dimension")

    def built(seed: int, rates: list[list[float]]) -> list[Array]:
        frame, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((dimension, dimension)))
        generators = []
        for row in rates:
            plain = np.zeros((dimension, dimension))
            for plane, rate in enumerate(row):
                plain[2 * plane + 1, 2 * plane], plain[2 * plane, 2 * plane + 1] = rate, -rate
            turned = frame @ plain @ frame.T
            generators.append((turned - turned.T) / 2)
        return generators

    row = st.lists(st.floats(-3, 3), min_size=dimension // 2, max_size=dimension // 2)
    return st.builds(
        built, st.integers(0, 2**32 - 1), st.lists(row, min_size=count, max_size=count)
    )


def ladders() -> SearchStrategy[dict[str, Any]]:
    """Settings that `posproof.audit.parameters.rule_of` reads, of every scaling rule."""
    widths = st.sampled_from((32, 64, 80, 96, 128, 256))
    bases = st.sampled_from((10_000, 150_000, 500_000, 1_000_000))
    common = {
        "rope_theta": bases,
        "head_dim": widths,
        "original_max_position_embeddings": st.sampled_from((2048, 4096, 8192)),
    }
    factor = st.sampled_from((1, 1.5, 2, 4, 8, 32, 40))

    def rule(name: str, **more: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
        return st.fixed_dictionaries({"rope_type": st.just(name), **common, **more})

    return st.one_of(
        rule("default"),
        *(rule(name, factor=factor) for name in ("linear", "ntk", "dynamic")),
        rule("yarn", factor=factor, truncate=st.booleans()),
        rule(
            "llama3",
            factor=factor,
            low_freq_factor=st.just(1),
            high_freq_factor=st.sampled_from((2, 4)),
        ),
    )
