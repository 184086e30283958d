"""The tests of `posproof.testing` on head vectors, for rotations that declare a plain ladder.

Main definitions
----------------
head_vectors
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from posproof.audit.calls import Array, Inapplicable, called
from posproof.audit.findings import Finding, fault, precondition
from posproof.audit.invariants import Audit, invariant
from posproof.audit.invariants.rotary import Studied, studied, study_dtype
from posproof.audit.protocol import Encoding
from posproof.audit.response import limit_of
from posproof.numerics.formats import FORMATS
from posproof.numerics.rope_battery import TESTS, Rotation, Task, allowed, battery
from posproof.numerics.tolerances import NoBound

#: The claim behind each test.
CLAIMS = {
    "relative": "precision.relative",
    "group law": "rotary.relative",
    "norm": "precision.norm",
    "position 0": "precision.relative",
    "reference": "precision.angles",
}


@invariant("head vectors", family="rotary", needs=("rotate",), claim="precision.check_power")
def head_vectors(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """What `assert_rope` finds: slow pairs, keys unlike queries, angles that change their binade.

    The same cases, residuals and limits; only where a base, a known layout and full width are
    declared or detected.
    """
    study = studied(known, audit)
    task = _task(study)
    try:
        limits = allowed(study.line, task)
    except NoBound as reason:
        yield precondition(f"no tolerance exists: {reason}", given=f"{study.dtype}")
        return
    rotate = _rotation(study, "rotate")
    rotate_key = _rotation(study, "rotate_key") if known.offers("rotate_key") else rotate
    cases = battery(task, audit.seed)
    for name, test in TESTS.items():
        gaps = test(rotate, rotate_key, cases, task)
        over = ~(gaps <= float(limits[name]))
        if over.any():
            worst = int(np.argmax(np.where(np.isnan(gaps), np.inf, gaps)))
            pair = "all pairs" if cases.pair[worst] < 0 else f"pair {cases.pair[worst]}"
            i, j, s = (int(part[worst]) for part in (cases.i, cases.j, cases.shift))
            yield fault(
                f"{name}: {int(over.sum())} of {len(cases)} head vectors are off",
                given=f"{pair}, positions {i} and {j}, moved by {s}",
                observed=gaps[worst],
                right=0.0,
                bound=f"{float(limits[name]):.3g}",
                claim=CLAIMS[name],
            )


def _task(study: Studied) -> Task:
    """The task a declared plain ladder sets; Inapplicable for any other."""
    rule, layout = study.rule, study.known.fact("layout")
    if layout is None and study.layout is not None:
        layout = study.layout.name
    if rule is None or rule.name != "default" or rule.rotary_dim != rule.head_dim:
        raise Inapplicable("no plain ladder of full width is declared")
    if layout not in ("half", "interleaved") or study.known.fact("sections") is not None:
        raise Inapplicable("the pairs are neither half-split nor interleaved")
    form = FORMATS["float32" if study.dtype == "tfloat32" else study.dtype]
    length = min(limit_of(study.known), int(study.positions[-1]) + 1)
    return Task(length, rule.head_dim, Fraction(rule.base), form, layout)


def _rotation(study: Studied, name: str) -> Rotation:
    method = study.known.method(name, study.known.fresh())
    assert method is not None
    dtype = study_dtype(study)

    def rotate(x: Array, positions: Array) -> Array:
        given = f"head vectors {x.shape} at positions up to {int(positions.max())}"
        places = positions.astype(np.int64)
        return called(method, x.astype(dtype), places, given=given, shape=x.shape)

    return rotate
