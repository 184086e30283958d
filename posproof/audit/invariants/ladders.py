"""Frequency ladders: the scaling rules, their parameters in every spelling, and their memory.

Main definitions
----------------
scaling_rules, spelled_alike, ladder_in_use, no_history
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from posproof.audit.calls import Array, Broken, Inapplicable, Refused, as_array, raw
from posproof.audit.findings import Finding, by_design, fault
from posproof.audit.invariants import Audit, invariant
from posproof.audit.parameters import rule_of, spellings
from posproof.audit.protocol import Encoding
from posproof.numerics.formats import FORMATS
from posproof.numerics.frequency_rules import (
    DEPEND_ON_LENGTH,
    Rule,
    relative_error,
    scaled_ladder,
)

L0 = "original_max_position_embeddings"
#: The claim about each rule; a plain ladder is what the relative identity is about.
CLAIMS = {
    "default": "rotary.relative",
    "proportional": "rotary.relative",
    "linear": "scaling.interpolation",
    "ntk": "scaling.ntk",
    "dynamic": "scaling.dynamic_ntk",
    "yarn": "scaling.yarn",
    "longrope": "scaling.longrope",
    "llama3": "scaling.llama3",
}


def _grid() -> Iterator[dict[str, Any]]:
    """Settings of every rule: usual ones, and the edges of their parameters."""
    common: dict[str, Any]
    for width, base in ((128, 10_000), (64, 500_000), (96, 1_000_000), (2, 10_000)):
        yield {"rope_type": "default", "rope_theta": base, "head_dim": width}
        yield {"rope_type": "linear", "rope_theta": base, "head_dim": width, "factor": 4}
    for part, width in ((0.25, 64), (0.5, 128), (0.75, 64), (0.25, 256)):
        yield {
            "rope_type": "default",
            "rope_theta": 10_000,
            "head_dim": width,
            "partial_rotary_factor": part,
        }
    for factor in (1, 2, 8):
        for width in (64, 128):
            common = {"rope_theta": 10_000, "head_dim": width, "factor": factor, L0: 2048}
            yield {"rope_type": "ntk", **common}
            yield {"rope_type": "dynamic", **common}
    for factor, width, base in (
        (4, 128, 10_000),
        (32, 64, 150_000),
        (40, 64, 10_000),
        (128, 128, 500_000),
    ):
        common = {
            "rope_type": "yarn",
            "rope_theta": base,
            "head_dim": width,
            "factor": factor,
            L0: 4096,
        }
        yield common
        yield {**common, "truncate": False}
        yield {**common, "mscale": 0.707}
        yield {**common, "mscale": 0.707, "mscale_all_dim": 1}
        yield {**common, "mscale_all_dim": 0.5}
        yield {**common, "attention_factor": 1.25}
        yield {**common, "beta_fast": 16, "beta_slow": 2}
    for width, factor, high in ((128, 8, 4), (64, 32, 4), (64, 8, 4), (128, 8, 2)):
        common = {"rope_type": "llama3", "rope_theta": 500_000, "head_dim": width, "factor": factor}
        yield {**common, L0: 8192, "low_freq_factor": 1, "high_freq_factor": high}
    short, long = [1 + i / 32 for i in range(32)], [1 + i for i in range(32)]
    common = {"rope_type": "longrope", "rope_theta": 10_000, "head_dim": 64, L0: 4096}
    yield {**common, "max_position_embeddings": 131_072, "short_factor": short, "long_factor": long}
    yield {**common, "factor": 1, "short_factor": [1.0] * 32, "long_factor": long}
    yield {
        "rope_type": "proportional",
        "rope_theta": 10_000,
        "head_dim": 64,
        "partial_rotary_factor": 0.5,
    }


def _lengths(rule: Rule) -> tuple[int | None, ...]:
    """Lengths on both sides of the original context, where they matter."""
    if rule.name not in DEPEND_ON_LENGTH or rule.context is None:
        return (None,)
    L = rule.context
    return (1, L - 1, L, L + 1, 2 * L, 8 * L)


def _pair(result: Any, given: str) -> tuple[Array, float | None]:
    """Frequencies, and the attention factor where it is returned too."""
    if isinstance(result, tuple) and len(result) == 2:
        return as_array(result[0], given).reshape(-1), float(as_array(result[1], given))
    return as_array(result, given).reshape(-1), None


def _named(settings: Mapping[str, Any], length: int | None = None) -> str:
    def short(value: Any) -> str:
        return f"{value!r}" if not isinstance(value, list) else f"[{value[0]!r}, ... {len(value)}]"

    words = ", ".join(f"{key} {short(value)}" for key, value in settings.items())
    return words if length is None else f"{words}; length {length}"


def compared(
    rule: Rule, result: Any, given: str, dtype: str, length: int | None
) -> Iterator[Finding]:
    """Frequencies and factor against the rule at 40 digits."""
    claim = CLAIMS[rule.name]
    right = scaled_ladder(rule, length)
    values, factor = _pair(result, given)
    exact = np.array([float(theta.mid()) for theta in right.frequencies])
    if rule.name == "proportional" and len(values) == rule.rotary_dim // 2:
        exact = exact[: len(values)]  # planes that stand still may be left out
    if values.shape != exact.shape:
        yield fault(
            "the number of frequencies is wrong",
            given=given,
            observed=len(values),
            right=len(exact),
            claim=claim,
        )
        return
    if not np.isfinite(values).all():
        observed = values[~np.isfinite(values)][0]
        yield fault("a frequency is not finite", given=given, observed=observed, claim=claim)
        return
    u = FORMATS[dtype].unit_roundoff
    allowed = float(relative_error(rule, u, length))
    gap = np.abs(values - exact) / np.where(exact == 0, 1, exact)
    if gap.max() > allowed:
        i = int(np.argmax(gap > allowed))
        yield fault(
            f"frequency {i} is off by {gap[i]:.3g} of itself, "
            f"{int((gap > allowed).sum())} of {len(gap)} are off",
            given=given,
            observed=values[i],
            right=right.frequencies[i],
            bound=f"{allowed:.3g} relative",
            claim=claim,
        )
    if factor is not None:
        wanted = float(right.attention_factor.mid())
        if abs(factor / wanted - 1) > float(16 * u):  # a logarithm, a root, a quotient
            yield fault(
                "the attention factor is wrong",
                given=given,
                observed=factor,
                right=wanted,
                bound=f"{float(16 * u):.3g} relative",
                claim=claim,
            )


@invariant("scaling rules", family="ladder", needs=("ladder",))
def scaling_rules(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Another rule, dropped or exchanged parameters, wrong zones, ramps and switches."""
    method = known.method("ladder")
    assert method is not None
    refusals: dict[str, Finding] = {}
    answered: set[str] = set()
    for settings in _grid():
        rule = rule_of(settings)
        if rule.name in refusals and rule.name not in answered:
            continue  # it does not have this rule
        for length in _lengths(rule):
            given = _named(settings, length)
            try:
                result = raw(method, settings, length, given=given)
            except Refused as refused:
                refusals[rule.name] = refused.finding
                break
            answered.add(rule.name)
            found = list(compared(rule, result, given, known.fact("dtype", "float32"), length))
            yield from found
            if found:
                break
    for name in answered & set(refusals):
        yield refusals[name]


@invariant("spellings", family="ladder", needs=("ladder",))
def spelled_alike(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Settings that are read in one spelling and dropped in another: flat, nested, None, absent."""
    method = known.method("ladder")
    assert method is not None
    for settings in _grid():
        first: tuple[str, Array, float | None] | None = None
        for name, spelled in spellings(settings):
            given = f"{name}: {_named(settings)}"
            try:
                values, factor = _pair(raw(method, spelled, None, given=given), given)
            except Broken:
                continue  # a spelling it does not know
            if first is None:
                first = name, values, factor
            elif values.shape != first[1].shape or (values != first[1]).any() or factor != first[2]:
                apart = values.shape == first[1].shape and np.abs(values / first[1] - 1).max()
                yield fault(
                    f"the same settings written {name} give another ladder than {first[0]}",
                    given=_named(settings),
                    observed=f"frequencies apart by {float(apart):.3g} of themselves",
                    right="equal",
                    bound="exact",
                    claim=CLAIMS[rule_of(settings).name],
                )
                return


@invariant("ladder in use", family="ladder", needs=("frequencies",))
def ladder_in_use(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """A table that is not the one its own parameters ask for, at any length."""
    settings = known.fact("parameters")
    if settings is None:
        raise Inapplicable("no settings are declared")
    method = known.method("frequencies")
    assert method is not None
    rule = rule_of(settings, known.fact("head_dim"))
    lengths: tuple[int | None, ...] = (*_lengths(rule), 100)
    for length in lengths:
        given = _named(settings, length)
        fresh = known.method("frequencies", known.fresh())
        assert fresh is not None
        result = raw(fresh, rule.context if length is None else length, given=given)
        found = list(compared(rule, result, given, known.fact("dtype", "float32"), length))
        yield from found
        if found:
            return


@invariant("history", family="ladder", needs=("frequencies",))
def no_history(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """A ladder that remembers earlier lengths; rules that change it with the length by design.

    What a fresh object gives for a length is given after any other lengths too.  Where the rule
    itself depends on the length, keys in a cache were rotated by another ladder than the query.
    """
    settings = known.fact("parameters") or {}
    kind = str(settings.get("rope_type", settings.get("type", "default")))
    context = int(settings.get(L0) or settings.get("max_position_embeddings") or 2048)
    lengths = sorted(
        {1, max(1, context // 2), context - 1, context, context + 1, 2 * context, 4 * context}
    )
    alone: dict[int, Array] = {}
    for length in lengths:
        method = known.method("frequencies", known.fresh())
        assert method is not None
        alone[length], _ = _pair(raw(method, length, given=f"length {length}"), f"length {length}")
    for calls in product(lengths, repeat=2):  # longer sequences are those of `any sequence`
        given = "lengths " + ", then ".join(map(str, calls))
        method = known.method("frequencies", known.fresh())
        assert method is not None
        for length in calls:
            values, _ = _pair(raw(method, length, given=given), given)
        right = alone[calls[-1]]
        if values.shape != right.shape or (values != right).any():
            i = int(np.argmax(values != right)) if values.shape == right.shape else 0
            yield fault(
                f"frequency {i} depends on earlier lengths",
                given=given,
                observed=values[i],
                right=right[i],
                bound="exact",
                claim=CLAIMS.get(kind, ""),
            )
            return
    yield from _one_ladder(alone, kind)


def _one_ladder(alone: Mapping[int, Array], rule: str) -> Iterator[Finding]:
    first = min(alone)
    for length, values in alone.items():
        if values.shape != alone[first].shape or (values != alone[first]).any():
            given = f"lengths {first} and {length}"
            if rule in DEPEND_ON_LENGTH:
                yield by_design(
                    f"{rule} has another ladder at each length: cached keys keep an older one",
                    given=given,
                )
            else:
                said = f"a {rule} ladder depends on the length"
                yield fault(said, given=given, claim=CLAIMS.get(rule, ""))
            return
