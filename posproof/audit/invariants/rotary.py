"""Rotary encodings: the matrices that an encoding applies, against the algebra and the reference.

Main definitions
----------------
finite, norms, zero_position, group_law, relative_identity, injectivity, reference, one_rounding,
batches, offsets, axes, pairs_of_a_cache

Conventions
-----------
An encoding is known by what it does to unit vectors.  Each column of each matrix has its own bound:
that of the declared pipeline (mixed64 in float64, mixed32 otherwise) at the position and frequency
of its plane; where no ladder is declared, at frequency 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from flint import arb
from numpy.typing import NDArray

from posproof.audit.calls import Array, Broken, Inapplicable, called, raw
from posproof.audit.findings import Finding, fault, precondition
from posproof.audit.invariants import Audit, invariant
from posproof.audit.parameters import rule_of
from posproof.audit.protocol import Encoding
from posproof.audit.response import (
    HEAD_DIM,
    Layout,
    Response,
    layout_of,
    limit_of,
    measure,
    on_axes,
    positions_to_try,
)
from posproof.errors import BadInput
from posproof.numerics.balls import precision
from posproof.numerics.formats import FORMATS
from posproof.numerics.frequency_rules import (
    BITS,
    DEPEND_ON_LENGTH,
    NoLadder,
    Rule,
    relative_error,
    scaled_ladder,
)
from posproof.numerics.tolerances import NoBound, Pipeline, combined, pipeline, position_error

#: Random head vectors beside the unit vectors, and pairs of positions tried by the identities.
VECTORS = 8
PAIRS = 40


@dataclass(frozen=True)
class Studied:
    """One rotary encoding, measured once."""

    known: Encoding
    seed: int

    @cached_property
    def tried(self) -> Response:
        """At every position worth trying."""
        return measure(self.known, positions_to_try(self.known, np.random.default_rng(self.seed)))

    @cached_property
    def response(self) -> Response:
        """At the positions before the first that gives no finite matrix."""
        whole = self.tried
        stop = len(whole.positions) if whole.finite.all() else int(np.argmin(whole.finite))
        return replace(whole, positions=whole.positions[:stop], matrices=whole.matrices[:stop])

    @property
    def positions(self) -> NDArray[np.int64]:
        return self.response.positions

    @cached_property
    def layout(self) -> Layout | None:
        return layout_of(self.response.matrices)

    @property
    def width(self) -> int:
        return int(self.known.fact("head_dim", HEAD_DIM))

    @property
    def dtype(self) -> str:
        return str(self.known.fact("dtype", "float64"))

    @cached_property
    def line(self) -> Pipeline:
        """The declared pipeline; BadInput for an unknown one."""
        name = self.known.fact("pipeline", "mixed64" if self.dtype == "float64" else "mixed32")
        try:
            return pipeline(str(name), self.dtype)
        except KeyError as unknown:
            raise BadInput(f"unknown pipeline or format {unknown}", "TARGET") from unknown

    @cached_property
    def rule(self) -> Rule | None:
        """The declared ladder: from the settings, or base and widths; None if neither is known."""
        settings = self.known.fact("parameters")
        if settings is not None:
            return rule_of(settings, self.width)
        base = self.known.fact("base")
        if base is None:
            return None
        rotated = int(self.known.fact("rotary_dim", self.width))
        return Rule("default", self.width, Fraction(str(base)), rotated)

    @cached_property
    def planes(self) -> tuple[tuple[int, int], ...] | None:
        """The planes in the order of the ladder: declared, or else as detected."""
        count = len(self.frequencies) if self.rule is not None else self.width // 2
        declared = self.known.fact("layout")
        if declared == "half":
            return tuple((i, i + count) for i in range(count))
        if declared == "interleaved":
            return tuple((2 * i, 2 * i + 1) for i in range(count))
        if not self.known.offers("rotate") or self.layout is None:
            return None
        return self.layout.planes

    @cached_property
    def frequencies(self) -> list[arb]:
        """The declared ladder at 40 digits; NoLadder where it has none."""
        assert self.rule is not None
        return [theta for theta in scaled_ladder(self.rule).frequencies if theta != 0]

    @cached_property
    def factor(self) -> float:
        """By what the rule multiplies cosine and sine: norms change by it."""
        if self.rule is None:
            return 1.0
        try:
            return float(scaled_ladder(self.rule).attention_factor.mid())
        except NoLadder:
            return 1.0

    @cached_property
    def column_frequencies(self) -> Array:
        """The frequency of the plane of each component; 1 where it is not known."""
        thetas = np.ones(self.width)
        planes = self.planes if self.rule is not None else None
        if planes is not None and len(planes) == len(self.frequencies):
            for plane, theta in zip(planes, self.frequencies, strict=True):
                thetas[list(plane)] = min(1.0, float(theta.mid()))
        return thetas

    def errors(self, positions: NDArray[np.int64]) -> Array:
        """(n, d): how far the column of a component may be off, attention factor included.

        The vector bound of `posproof.tolerance` is v(0) + (1 + kappa)(1 + u_out) min(A, 2), where
        the angle of a plane is off by A = e theta + u ufp(p theta).  Raises NoBound.
        """
        still = combined(self.line, [Fraction(0)], 2)
        slope = float((1 + still.arithmetic) * (1 + still.output))
        moved = float(position_error(int(positions.max()) + 1, self.line.position))
        angle = positions[:, None] * self.column_frequencies[None, :]
        ufp = np.where(angle > 0, 2.0 ** np.floor(np.log2(np.maximum(angle, 1e-300))), 0.0)
        size = float(self.line.angle.unit_roundoff) * ufp + moved * self.column_frequencies
        bound = float(still.vector) + slope * np.minimum(size, 2)
        return self.factor * bound * (1 + 2.0**-40) + self.own

    @property
    def own(self) -> float:
        """What our own float64 products over a head add."""
        return 8 * (self.width + 4) * 2.0**-53

    def norm_error(self) -> float:
        return float(combined(self.line, [Fraction(0)], 2).norm) * (1 + 2.0**-40) + self.own

    def where(self, column: int) -> str:
        if self.planes is not None:
            for index, plane in enumerate(self.planes):
                if column in plane:
                    return f"pair {index} {plane}"
        return f"component {column}"


def studied(known: Encoding, audit: Audit) -> Studied:
    """The measurements of this audit, taken once."""
    study: Studied = audit.shared.setdefault("rotary", Studied(known, audit.seed))
    if not len(study.positions):
        raise Inapplicable("no position gives a finite result")
    return study


def _at(study: Studied, positions: NDArray[np.int64], worst: NDArray[np.bool_]) -> tuple[int, int]:
    """The first position at which something is wrong, and its first column there."""
    place = int(np.flatnonzero(worst.any(axis=1))[0])
    return place, int(np.flatnonzero(worst[place])[0])


def _bounded(study: Studied, positions: NDArray[np.int64]) -> Array | Finding:
    try:
        return study.errors(positions)
    except NoBound as reason:
        said = f"{study.dtype}, {study.line.name}"
        return precondition(f"no tolerance exists: {reason}", given=said)


@invariant("finite", family="rotary", needs=("rotate",), claim="precision.angles")
def finite(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Overflow: infinite positions and angles, tables that end in NaN."""
    study: Studied = audit.shared.setdefault("rotary", Studied(known, audit.seed))
    tried = study.tried
    if not tried.finite.all():
        place = int(np.argmin(tried.finite))
        row, column = (int(k) for k in np.argwhere(~np.isfinite(tried.matrices[place]))[0])
        yield fault(
            f"the result is not finite from position {tried.positions[place]} on",
            given=f"x[{column}] = 1",
            observed=f"component {row} is {tried.matrices[place, row, column]}",
        )


@invariant("norm", family="rotary", needs=("rotate",), claim="precision.norm")
def norms(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Sine and cosine of different angles, a lost sign, a magnitude applied twice or not at all."""
    study = studied(known, audit)
    allowed = study.factor * study.norm_error()
    sizes = np.linalg.norm(study.response.matrices, axis=1)
    yield from _stretched(study, study.positions, sizes, allowed)
    method = known.method("rotate", known.fresh())
    assert method is not None
    source = audit.source()
    x = source.standard_normal((VECTORS * len(study.positions), study.width))
    x = x.astype(study_dtype(study)).astype(float)
    places = np.repeat(study.positions, VECTORS)
    given = f"{len(x)} random vectors"
    where = on_axes(known, places)
    turned = called(method, x.astype(study_dtype(study)), where, given=given, shape=x.shape)
    ratio = np.linalg.norm(turned, axis=1) / np.linalg.norm(x, axis=1)
    off = np.abs(ratio - study.factor) > allowed
    if off.any():
        k = int(off.argmax())
        yield fault(
            "a vector changes its norm",
            given=f"a random vector at position {places[k]}",
            observed=ratio[k],
            right=study.factor,
            bound=f"{allowed:.3g}",
        )


def study_dtype(study: Studied) -> np.dtype:
    name = "float32" if study.dtype == "tfloat32" else study.dtype
    return FORMATS[name].dtype


def _stretched(
    study: Studied, positions: NDArray[np.int64], sizes: Array, allowed: float
) -> Iterator[Finding]:
    fixed = study.layout.fixed if study.layout is not None else ()
    right = np.full(study.width, study.factor)
    right[list(fixed)] = 1.0
    off = (np.abs(sizes - right) > allowed) & (np.abs(sizes - study.factor) > allowed)
    if off.any():
        place, column = _at(study, positions, off)
        yield fault(
            "a unit vector changes its norm",
            given=f"x[{column}] = 1 at position {positions[place]}",
            observed=sizes[place, column],
            right=study.factor,
            bound=f"{allowed:.3g}",
        )


@invariant("zero position", family="rotary", needs=("rotate",), claim="precision.relative")
def zero_position(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Positions that begin at 1, offsets that are never taken away, a scale at rest."""
    study = studied(known, audit)
    allowed = _bounded(study, np.array([0]))
    if isinstance(allowed, Finding):
        yield allowed
        return
    right = np.eye(study.width) * study.factor
    for k in study.layout.fixed if study.layout is not None else ():
        right[k, k] = 1.0
    gap = np.linalg.norm(study.response.at(0) - right, axis=0)
    off = gap > allowed[0]
    if off.any():
        k = int(off.argmax())
        yield fault(
            "position 0 rotates",
            given=f"x[{k}] = 1 at position 0 ({study.where(k)})",
            observed=f"moved by {gap[k]:.6g}",
            right="unmoved",
            bound=f"{allowed[0, k]:.3g}",
        )


@invariant("group law", family="rotary", needs=("rotate",), claim="rotary.relative")
def group_law(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Positions rounded, clipped, doubled or offset; angles that are no multiples of the position.

    R_s R_i = f R_(i+s), f the attention factor.  Each column of R_i is off by at most its bound e,
    and R_s turns what is left with columns off by e': sqrt(2) e' (f + e) + (f + e') e + f e''.
    """
    study = studied(known, audit)
    first, shift = _pairs(study, audit)
    if not len(first):
        return
    places, where = np.unique(np.concatenate([first, shift, first + shift]), return_inverse=True)
    bounds = _bounded(study, places)
    if isinstance(bounds, Finding):
        yield bounds
        return
    response = measure(known, places)
    i, s, both = where.reshape(3, -1)
    gap = np.linalg.norm(
        response.matrices[s] @ response.matrices[i] - study.factor * response.matrices[both], axis=1
    )
    worst = bounds.max(axis=1)[s][:, None]
    f = study.factor
    allowed = np.sqrt(2) * worst * (f + bounds[i]) + (f + worst) * bounds[i] + f * bounds[both]
    off = ~(gap <= allowed + study.own)
    if off.any():
        k, column = _smallest(off, first + shift)
        yield fault(
            f"{first[k]} and then {shift[k]} positions are not {first[k] + shift[k]} positions",
            given=f"x[{column}] = 1 ({study.where(column)})",
            observed=f"apart by {gap[k, column]:.6g}",
            right=0.0,
            bound=f"{allowed[k, column]:.3g}",
        )


@invariant("relative identity", family="rotary", needs=("rotate",), claim="precision.relative")
def relative_identity(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Queries and keys of different layouts, senses or positions; rounded positions.

    R_i^T K_j is compared with R_(i+s)^T K_(j+s); with columns off by e it is off by 2 f e + e^2.
    """
    study = studied(known, audit)
    i, s = _pairs(study, audit)
    last = int(study.positions[-1])
    source = audit.source()
    j = np.minimum(source.permutation(i), last - s) if len(i) else i
    if not len(i):
        return
    name = "rotate_key" if known.offers("rotate_key") else "rotate"
    places, where = np.unique(np.concatenate([i, j, i + s, j + s]), return_inverse=True)
    bounds = _bounded(study, places)
    if isinstance(bounds, Finding):
        yield bounds
        return
    queries = measure(known, places).matrices
    keys = measure(known, places, name).matrices if name != "rotate" else queries
    a, b, c, d = where.reshape(4, -1)
    one, other = (np.einsum("nxa,nxb->nab", queries[p], keys[q]) for p, q in ((a, b), (c, d)))
    gap = np.abs(one - other)
    e = bounds.max(axis=1)
    f = study.factor
    allowed = sum(f * (e[p] + e[q]) + e[p] * e[q] for p, q in ((a, b), (c, d)))[:, None, None]
    off = ~(gap <= allowed + study.own)
    if off.any():
        ranks = np.maximum(i, j) + s
        k = int(min(np.flatnonzero(off.any(axis=(1, 2))), key=lambda n: ranks[n]))
        row, column = (int(v) for v in np.argwhere(off[k])[0])
        yield fault(
            f"the score of positions {i[k]}, {j[k]} changes when both move by {s[k]}",
            given=f"q[{row}] = 1, k[{column}] = 1 ({study.where(row)})",
            observed=other[k, row, column],
            right=one[k, row, column],
            bound=f"{float(allowed[k, 0, 0]):.3g}",
        )


def _pairs(study: Studied, audit: Audit) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions and shifts with both in range: small ones with all ends, large ones at random."""
    places, last = study.positions, int(study.positions[-1])
    small = [(i, s) for i in (1, 2, 3) for s in places if i + s <= last]
    grid = [(i, s) for i in places for s in places if i + s <= last]
    chosen = audit.source().permutation(len(grid))[:PAIRS]
    pairs = sorted({*small[: 2 * PAIRS], *(grid[k] for k in chosen)})
    array = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return array[:, 0], array[:, 1]


def _smallest(off: NDArray[np.bool_], ranks: NDArray[np.int64]) -> tuple[int, int]:
    k = int(min(np.flatnonzero(off.any(axis=1)), key=lambda n: ranks[n]))
    return k, int(np.flatnonzero(off[k])[0])


@invariant("injectivity", family="rotary", needs=("rotate",), claim="precision.position_collisions")
def injectivity(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Positions in a narrow format: neighbours are rotated alike."""
    study = studied(known, audit)
    places, matrices = study.positions, study.response.matrices
    step = np.linalg.norm(study.response.at(1) - study.response.at(0)) if 1 in places else 0.0
    bounds = _bounded(study, np.array([0, 1]))
    if isinstance(bounds, Finding) or step <= 2 * bounds.max() * np.sqrt(study.width):
        return  # one step is too small to be seen in this format
    for k in np.flatnonzero(np.diff(places) == 1):
        if (matrices[k] == matrices[k + 1]).all():
            yield fault(
                f"positions {places[k]} and {places[k + 1]} are rotated alike",
                given="every unit vector",
                observed="equal bit for bit",
                right=f"apart by {step:.3g}, as 0 and 1 are",
            )
            return


@invariant("reference", family="rotary", needs=("rotate",), claim="precision.angles")
def reference(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """A wrong base, denominator, width, layout, plane order or sense; rounded frequencies.

    Against cosine and sine of p theta at 40 digits, where a base or settings are declared.  The
    stored frequency is off by E of itself, which adds p theta E to the bound of the rotation.
    """
    study = studied(known, audit)
    if study.rule is None or study.rule.name in DEPEND_ON_LENGTH:
        raise Inapplicable("no ladder is declared")
    try:
        thetas = study.frequencies
    except NoLadder as reason:
        yield precondition(f"the declared ladder does not exist: {reason}")
        return
    yield from _width(study, len(thetas))
    planes = study.planes
    if planes is None or len(planes) != len(thetas):
        found = "no pairs" if planes is None else f"{len(planes)} planes"
        yield fault(
            "the planes are not those of the ladder",
            given=study.rule.name,
            observed=found,
            right=len(thetas),
        )
        return
    bounds = _bounded(study, study.positions)
    if isinstance(bounds, Finding):
        yield bounds
        return
    right = _exact(study, planes, thetas)
    frequency = relative_error(study.rule, study.line.frequency.unit_roundoff)
    angles = study.positions[:, None] * study.column_frequencies[None, :]
    allowed = bounds + study.factor * np.minimum(2.0, angles * float(frequency))
    gap = np.linalg.norm(study.response.matrices - right, axis=1)
    off = ~(gap <= allowed)
    if off.any():
        place, column = _at(study, study.positions, off)
        row = int(
            np.abs(study.response.matrices[place, :, column] - right[place, :, column]).argmax()
        )
        yield fault(
            f"{int(off.any(axis=0).sum())} of {study.width} components are rotated wrongly",
            given=f"x[{column}] = 1 at position {study.positions[place]} ({study.where(column)})",
            observed=f"component {row} is {float(study.response.matrices[place, row, column])!r}",
            right=f"{float(right[place, row, column])!r}",
            bound=f"{allowed[place, column]:.3g}",
        )


def _width(study: Studied, planes: int) -> Iterator[Finding]:
    """Components beyond the rotated ones come back bit for bit."""
    assert study.rule is not None
    if study.planes is None:
        return
    turned = {k for plane in study.planes[:planes] for k in plane}
    fixed = [k for k in range(study.width) if k not in turned]
    moved = [
        k for k in fixed if (study.response.matrices[:, :, k] != np.eye(study.width)[:, k]).any()
    ]
    if moved:
        yield fault(
            f"{len(moved)} components beyond the {2 * planes} rotated ones change",
            given=f"x[{moved[0]}] = 1",
            observed="changed",
            right="bit for bit as before",
        )


def _exact(study: Studied, planes: tuple[tuple[int, int], ...], thetas: list[arb]) -> Array:
    """The matrices of the reference, rounded once from 40 digits."""
    result = np.tile(np.eye(study.width), (len(study.positions), 1, 1))
    with precision(BITS):
        for (a, b), theta in zip(planes, thetas, strict=True):
            for place, p in enumerate(study.positions):
                sine, cosine = (theta * int(p)).sin_cos()
                c, s = float(cosine.mid()) * study.factor, float(sine.mid()) * study.factor
                result[place, a, a] = result[place, b, b] = c
                result[place, b, a], result[place, a, b] = s, -s
    return result


@invariant("one rounding", family="rotary", needs=("rotate",), claim="precision.relative")
def one_rounding(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """A fused rotation that rounds its products too: each component is rounded once, at the end.

    Component y of the float32 result is off by the float32 bounds of the rotation, and its rounding
    adds u |y| and half a subnormal.  Only for the pipeline fused32, with a declared ladder.
    """
    study = studied(known, audit)
    if study.line.name != "fused32" or study.rule is None or study.planes is None:
        raise Inapplicable("no fused pipeline with a ladder is declared")
    if study.rule.name in DEPEND_ON_LENGTH or len(study.planes) != len(study.frequencies):
        raise Inapplicable("the planes are not those of a ladder")
    method = known.method("rotate", known.fresh())
    assert method is not None
    count = 16
    places = np.repeat(study.positions, count)
    x = audit.source().standard_normal((len(places), study.width))
    x[::count] = 1.0  # equal components cancel most
    x = x.astype(study_dtype(study)).astype(float)
    given = f"{len(x)} vectors"
    where = on_axes(known, places)
    turned = called(method, x.astype(study_dtype(study)), where, given=given, shape=x.shape)
    right = np.einsum(
        "pab,pnb->pna",
        _exact(study, study.planes, study.frequencies),
        x.reshape(-1, count, study.width),
    ).reshape(x.shape)
    wide = pipeline("mixed32", "float32")
    inner = Studied(
        Encoding(
            known.name, known.target, {**known.declared, "dtype": "float32", "pipeline": wide.name}
        ),
        0,
    )
    frequency = float(relative_error(study.rule, study.line.frequency.unit_roundoff))
    angles = places[:, None] * study.column_frequencies[None, :]
    before = inner.errors(places) + study.factor * np.minimum(2.0, angles * frequency)
    sizes = np.zeros_like(x)
    for a, b in study.planes:
        sizes[:, [a, b]] = np.hypot(x[:, a], x[:, b])[:, None]
    form = study.line.output
    u, tiny = float(form.unit_roundoff), float(form.smallest_subnormal)
    allowed = (before * sizes) * (1 + u) + u * np.abs(right) + tiny / 2 + study.own
    fixed = [k for k in range(study.width) if not any(k in plane for plane in study.planes)]
    gap = np.abs(turned - right)
    gap[:, fixed] = 0
    off = ~(gap <= allowed)
    if off.any():
        row, column = (int(k) for k in np.argwhere(off)[0])
        yield fault(
            "a component is rounded more than once",
            given=f"position {places[row]}, {study.where(column)}",
            observed=turned[row, column],
            right=right[row, column],
            bound=f"{allowed[row, column]:.3g}",
        )


@invariant("batches", family="rotary", needs=("rotate",), claim="rotary.relative")
def batches(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Rotation by head instead of position; rows that depend on their neighbours or their order."""
    study = studied(known, audit)
    method = known.method("rotate", known.fresh())
    assert method is not None
    dtype = study_dtype(study)
    source = audit.source()
    places = np.array([p for p in (0, 1, 5, 2, 7) if p <= study.positions[-1]])
    x = source.standard_normal((3, len(places), study.width)).astype(dtype)
    where = on_axes(known, places)
    rows = np.stack([called(method, head, where, given="one head", shape=head.shape) for head in x])
    bounds = _bounded(study, places)
    if isinstance(bounds, Finding):
        yield bounds
        return
    # Two computations of one rotation, in another order of vector lanes.
    allowed = 2 * bounds.max() * np.linalg.norm(x.astype(float), axis=-1, keepdims=True)
    order = source.permutation(len(places))
    mixed = called(
        method, x[0][order], where[order], given="rows in another order", shape=x[0].shape
    )
    off = ~(np.abs(mixed - rows[0][order]) <= allowed[0][order])
    if off.any():
        row, column = (int(k) for k in np.argwhere(off)[0])
        yield fault(
            "a row depends on the rows around it",
            given=f"positions {places[order].tolist()}, row {row}",
            observed=mixed[row, column],
            right=rows[0][order][row, column],
            bound=f"{allowed[0][order][row, 0]:.3g}",
        )
    try:
        together = called(method, x, where, given="three heads at once", shape=x.shape)
    except Broken:
        return  # it takes one head at a time
    off = ~(np.abs(together - rows) <= allowed)
    if off.any():
        head, row, column = (int(k) for k in np.argwhere(off)[0])
        yield fault(
            "heads at once are rotated otherwise than one by one",
            given=f"head {head}, position {places[row]}, component {column}",
            observed=together[head, row, column],
            right=rows[head, row, column],
            bound=f"{allowed[head, row, 0]:.3g}",
        )


@invariant("offsets", family="rotary", needs=("rotate_from",), claim="rotary.relative")
def offsets(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """A cache that forgets its offset: row r of a call at offset o stands at position o + r."""
    study = Studied(known, audit.seed)
    x = audit.source().standard_normal((4, study.width)).astype(study_dtype(study))
    sizes = np.linalg.norm(x.astype(float), axis=1)
    used = known.method("rotate_from", known.fresh())
    assert used is not None
    last = limit_of(known) - len(x)
    for offset in (0, 5, 0, 1, 63, 64, 100, 5, 4095, last, 2):
        if offset > last:
            continue
        given = f"offset {offset} after earlier calls"
        values = called(used, x, offset, given=given, shape=x.shape)
        bounds = study.errors(np.arange(offset, offset + len(x))).max(axis=1)
        for row in range(len(x)):
            fresh = known.method("rotate_from", known.fresh())
            assert fresh is not None
            where = f"offset {offset + row} alone"
            alone = called(
                fresh, x[row : row + 1], offset + row, given=where, shape=(1, study.width)
            )
            gap = np.abs(values[row] - alone[0])
            allowed = 2 * bounds[row] * sizes[row]
            if not gap.max() <= allowed:
                column = int(gap.argmax())
                yield fault(
                    f"row {row} does not stand at position {offset + row}",
                    given=given,
                    observed=values[row, column],
                    right=alone[0, column],
                    bound=f"{allowed:.3g}",
                )
                return


@invariant("cached pairs", family="rotary", needs=("rotate_pair",), claim="rotary.relative")
def pairs_of_a_cache(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Queries and keys centred on different lengths, decays that overflow, shifted last rows.

    The score of a query and a key depends on their offset alone, however many rows are passed: a
    decode step of one query gives the last row of the full block.
    """
    method = known.method("rotate_pair")
    assert method is not None
    width = int(known.fact("head_dim", HEAD_DIM))
    u = float(FORMATS[known.fact("dtype", "float64")].unit_roundoff)
    ones = np.ones(width)
    longest = int(known.fact("max_position", 4096))
    for keys in sorted({8, 64, 1024, longest}):
        full: Array | None = None
        for queries in (keys, 1, 2, keys // 2):
            if keys > 2048 and queries > 64:
                continue
            given = f"{queries} queries, {keys} keys, all ones"
            q, k = np.ones((queries, width)), np.ones((keys, width))
            dtype = FORMATS[known.fact("dtype", "float64")].dtype
            result = raw(method, q.astype(dtype), k.astype(dtype), given=given)
            if not isinstance(result, (tuple, list)) or len(result) != 2:
                kind = type(result).__name__
                yield fault("the result is no pair", given=given, observed=kind)
                return
            turned_q, turned_k = (called(lambda side=side: side, given=given) for side in result)
            with np.errstate(over="ignore", invalid="ignore"):
                row = turned_q[-1] @ turned_k.T
            if not np.isfinite(row).all():
                yield fault(
                    "a score is not finite", given=given, observed=row[~np.isfinite(row)][0]
                )
                return
            own, right = float(row[-1]), float(ones @ ones)
            # Each of the d products is off by the roundings of two tables, two scales and itself.
            allowed = 2 * right * (keys + 8) * u
            if abs(own - right) > allowed:
                yield fault(
                    "the score of a token with itself is not |x|^2",
                    given=given,
                    observed=own,
                    right=right,
                    bound=f"{allowed:.3g}",
                )
                return
            if full is None:
                full = row
            elif np.abs(row - full).max() > allowed:
                j = int(np.abs(row - full).argmax())
                yield fault(
                    f"the score of the last query with key {j} depends on the number of queries",
                    given=given,
                    observed=row[j],
                    right=full[j],
                    bound=f"{allowed:.3g}",
                )
                return


@invariant("axes", family="rotary", needs=("rotate",), claim="rotary.relative")
def axes(known: Encoding, audit: Audit) -> Iterator[Finding]:
    """Sections of the wrong width or order, axes that take turns where blocks are meant.

    Where `sections` are declared: a step along one axis moves the planes of that axis and no other.
    """
    sections = known.fact("sections")
    if sections is None:
        raise Inapplicable("no sections are declared")
    width = int(known.fact("head_dim", HEAD_DIM))
    method = known.method("rotate", known.fresh())
    assert method is not None
    dtype = FORMATS[known.fact("dtype", "float64")].dtype
    count = len(sections)
    layout = layout_of(measure(known, np.arange(4)).matrices)
    if layout is None:
        yield fault("components do not mix in pairs", given=f"{count} axes")
        return
    owner = _owners(
        tuple(int(s) for s in sections), bool(known.fact("interleaved_sections", False))
    )
    if len(layout.planes) != len(owner):
        yield fault(
            "the number of rotated planes is wrong",
            given=f"sections {list(sections)}",
            observed=len(layout.planes),
            right=len(owner),
        )
        return
    for axis in range(count):
        step = np.zeros((width, count), dtype=np.int64)
        step[:, axis] = 1
        given = f"one step along axis {axis}"
        moved = called(method, np.eye(width).astype(dtype), step, given=given, shape=(width, width))
        for plane, right in zip(layout.planes, owner, strict=True):
            turns = any((moved[k] != np.eye(width)[k]).any() for k in plane)
            if turns != (right == axis):
                index = layout.planes.index(plane)
                yield fault(
                    f"plane {index} {'turns' if turns else 'does not turn'}",
                    given=given,
                    observed=f"axis {axis}" if turns else "another axis",
                    right=f"axis {right}",
                )
                return


def _owners(sections: tuple[int, ...], interleaved: bool) -> list[int]:
    """The axis of each plane: blocks, or axes taking turns while they have planes left."""
    planes = [size // 2 for size in sections]
    if not interleaved:
        return [axis for axis, size in enumerate(planes) for _ in range(size)]
    order, left = [], list(planes)
    while any(left):
        for axis, size in enumerate(left):
            if size:
                order.append(axis)
                left[axis] -= 1
    return order
