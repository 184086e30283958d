"""Small faulty encodings, one for each kind of fault in public reports, and correct ones beside.

Every implementation here is ordinary float32 or float64 NumPy: what a library would ship.
"""

import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import mpmath
import numpy as np
import pytest
import sympy
from numpy.typing import NDArray
from scipy.linalg import expm
from scipy.spatial.transform import Rotation
from scipy.special import iv, kv, spherical_jn

from posproof.audit.parameters import flat
from posproof.audit.run import audit

Array = NDArray[Any]
CASES: dict[str, tuple[str, str, Callable[[], Any]]] = {}


def case(name: str, verdict: str = "fault", by: str = "") -> Callable[[Callable[[], Any]], Any]:
    """A builder of an encoding, its verdict, and the invariant that must see a fault."""

    def register(build: Callable[[], Any]) -> Callable[[], Any]:
        assert name not in CASES
        CASES[name] = (verdict, by, build)
        return build

    return register


class Offering:
    """An encoding from functions and facts."""

    def __init__(self, facts: dict[str, Any] | None = None, **methods: Any) -> None:
        self.facts = facts or {}
        for name, method in methods.items():
            setattr(self, name, method)


# ---------------------------------------------------------------------- rotary
def inverse(width: int, base: float = 10_000.0, dtype: Any = np.float64) -> Array:
    return (1 / base ** (np.arange(0, width, 2) / width)).astype(dtype)


def turned(x: Array, cosine: Array, sine: Array, layout: str = "half", width: int = 0) -> Array:
    """The first `width` components of x rotated."""
    width = width or x.shape[-1]
    y = x.copy()
    if layout == "half":
        first, second = slice(0, width // 2), slice(width // 2, width)
    else:
        first, second = slice(0, width, 2), slice(1, width, 2)
    a, b = x[..., first], x[..., second]
    y[..., first], y[..., second] = a * cosine - b * sine, b * cosine + a * sine
    return y


def rope(
    facts: dict[str, Any] | None = None,
    *,
    width: int = 64,
    thetas: Array | None = None,
    layout: str = "half",
    rotated: int = 0,
    moved: Callable[[Array], Array] = lambda p: p,
    dtype: Any = np.float64,
    angles: Any = np.float64,
) -> Offering:
    thetas = inverse(rotated or width) if thetas is None else thetas

    def rotate(x: Array, positions: Array) -> Array:
        angle = moved(np.asarray(positions)).astype(angles)[:, None] * thetas.astype(angles)
        return turned(x, np.cos(angle).astype(dtype), np.sin(angle).astype(dtype), layout, rotated)

    known = {"head_dim": width, "dtype": np.dtype(dtype).name, **(facts or {})}
    return Offering(known, rotate=rotate)


@case("P02", by="injectivity")
def positions_in_float16() -> Any:
    return rope(moved=lambda p: p.astype(np.float16), facts={"max_position": 4096})


@case("P05", by="reference")
def frequencies_in_bfloat16() -> Any:
    return rope({"base": 10_000}, thetas=inverse(64, dtype=ml_dtypes.bfloat16).astype(float))


@case("P07", by="one rounding")
def rounded_at_every_step() -> Any:
    facts = {"base": 10_000, "pipeline": "fused32"}
    return rope(facts, dtype=ml_dtypes.bfloat16, angles=np.float32)


@case("L02", "clean")
def half_split() -> Any:
    return rope({"base": 10_000}, width=4)


@case("L03", by="norm")
def table_of_another_layout() -> Any:
    def rotate(x: Array, positions: Array) -> Array:
        angle = np.concatenate([np.asarray(positions)[:, None] * inverse(4)] * 2, axis=-1)
        partner = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
        return x * np.cos(angle) + partner * np.sin(angle)

    return Offering({"head_dim": 4}, rotate=rotate)


@case("L06", by="reference")
def contiguous_proportional() -> Any:
    settings = {"rope_type": "proportional", "partial_rotary_factor": 0.5, "head_dim": 8}
    return rope({"parameters": settings, "layout": "half"}, width=8, rotated=4)


@case("L07", by="reference")
def denominator_of_the_head() -> Any:
    thetas = inverse(256, 1e6)[:32]
    return rope({"base": 1e6, "rotary_dim": 64}, width=256, thetas=thetas, rotated=64)


@case("L08", by="batches")
def rotated_by_head() -> Any:
    def rotate(x: Array, positions: Array) -> Array:
        places = np.asarray(positions)
        if x.ndim == 3:  # heads, positions, components: the wrong axis is counted
            angle = np.arange(len(x))[:, None, None] * inverse(x.shape[-1])
        else:
            angle = places[:, None] * inverse(x.shape[-1])
        return turned(x, np.cos(angle), np.sin(angle))

    return Offering({"head_dim": 8}, rotate=rotate)


@case("L09", by="reference")
def another_pairing() -> Any:
    return rope({"base": 10_000, "layout": "half"}, width=4, layout="interleaved")


@case("L09, keys alone", by="relative identity")
def keys_of_another_pairing() -> Any:
    one, other = rope(width=4), rope(width=4, layout="interleaved")
    return Offering({"head_dim": 4}, rotate=one.rotate, rotate_key=other.rotate)


@case("S04", by="reference")
def doubled_positions() -> Any:
    return rope({"base": 10_000}, moved=lambda p: 2 * p)


@case("S17", by="reference")
def half_of_the_rope_head() -> Any:
    return rope({"base": 10_000, "rotary_dim": 64}, width=64, rotated=32)


@case("S18", by="reference")
def all_channels_rotated() -> Any:
    return rope({"base": 10_000, "rotary_dim": 4, "layout": "half"}, width=16)


@case("A02", "clean")
def axes_in_the_other_order() -> Any:
    return multi_axis((8, 8))


def multi_axis(
    sections: tuple[int, ...], order: Any = None, said: Any = None, width: int = 0
) -> Any:
    """Half-split planes; plane i belongs to axis owner[i]."""
    rotated = sum(sections)
    owner = np.repeat(np.arange(len(sections)), [s // 2 for s in sections])
    owner = owner if order is None else np.asarray(order)
    thetas = inverse(rotated)

    def rotate(x: Array, positions: Array) -> Array:
        angle = np.asarray(positions)[:, owner] * thetas
        return turned(x, np.cos(angle), np.sin(angle), "half", rotated)

    facts = {"head_dim": width or rotated, **({"sections": sections} if said is None else said)}
    return Offering(facts, rotate=rotate)


@case("A04", by="axes")
def sections_over_the_whole_head() -> Any:
    return multi_axis((32, 32), said={"sections": (16, 16)})


@case("A05", by="axes")
def interleaved_sections() -> Any:
    order = [k % 3 for k in range(24)]
    return multi_axis((16, 16, 16), order=order)


@case("A05, declared", "clean")
def declared_interleaved_sections() -> Any:
    order = [k % 3 for k in range(24)]
    said = {"sections": (16, 16, 16), "interleaved_sections": True}
    return multi_axis((16, 16, 16), order=order, said=said)


@case("K01", by="offsets")
def table_without_the_offset() -> Any:
    class Cached:
        head_dim = 8

        def __init__(self) -> None:
            self.tables: dict[int, Array] = {}

        def rotate_from(self, x: Array, offset: int) -> Array:
            angle = (offset + np.arange(len(x)))[:, None] * inverse(8)
            angle = self.tables.setdefault(len(x), angle)
            return turned(x, np.cos(angle), np.sin(angle))

    return Cached


@case("K01, larger", by="any sequence")
def table_that_only_grows() -> Any:
    class Cached:
        head_dim = 8

        def __init__(self) -> None:
            self.angle = np.zeros((0, 4))

        def rotate_from(self, x: Array, offset: int) -> Array:
            if len(self.angle) < offset + len(x):
                self.angle = np.arange(offset + len(x))[:, None] * inverse(8)
            angle = self.angle[-len(x) :]
            return turned(x, np.cos(angle), np.sin(angle))

    return Cached


def xpos(centre: Callable[[int, int], tuple[float, float]], width: int, base: float = 512) -> Any:
    """xPos with the decay centred somewhere for queries and for keys."""
    zeta = (np.arange(0, width, 2) + 0.4 * width) / (1.4 * width)

    def rotate_pair(queries: Array, keys: Array) -> tuple[Array, Array]:
        sides = []
        for x, sign, middle in zip(
            (queries, keys), (1, -1), centre(len(queries), len(keys)), strict=True
        ):
            place = np.arange(len(keys) - len(x), len(keys))
            angle = place[:, None] * inverse(width)
            scale = zeta ** (sign * (place[:, None] - middle) / base)
            with np.errstate(over="ignore", invalid="ignore"):
                sides.append(turned(x, np.cos(angle) * scale, np.sin(angle) * scale))
        return sides[0], sides[1]

    return rotate_pair


@case("K02", by="cached pairs")
def centred_on_different_lengths() -> Any:
    return Offering({"head_dim": 8}, rotate_pair=xpos(lambda q, k: (k - q / 2, k / 2), 8))


@case("K02, right", "clean")
def centred_on_one_length() -> Any:
    return Offering({"head_dim": 8}, rotate_pair=xpos(lambda q, k: (k / 2, k / 2), 8))


@case("K04", by="cached pairs")
def decay_that_overflows() -> Any:
    facts = {"head_dim": 32, "max_position": 1_000_000}

    def rotate_pair(queries: Array, keys: Array) -> tuple[Array, Array]:
        return xpos(lambda q, k: (k // 2, k // 2), 32)(queries, keys)

    return Offering(facts, rotate_pair=rotate_pair)


# ---------------------------------------------------------------------- ladders
Change = dict[str, Callable[..., Any]]


def ladder(settings: dict[str, Any], length: int | None = None, change: Any = None) -> Any:
    """Frequencies in float32 as libraries compute them; `change` alters one step of it."""
    how: dict[str, Any] = {
        "read": flat,
        "rotated": lambda known, width: int(width * known.get("partial_rotary_factor", 1)),
        "base": lambda known: float(known.get("rope_theta", 10_000)),
        "factor": lambda known: known.get("factor", 1),
        "power": lambda rotated: rotated / (rotated - 2) if rotated > 2 else math.nan,
        "smooth": lambda turns, low, high: (turns - low) / (high - low),
        "blend": lambda g, f: (1 - g) / f + g,
        "long": lambda known, length, context: (length or 0) > context,
        "attention": lambda known, factor, own: known.get("attention_factor") or own,
        "mscale": lambda known: (known.get("mscale", 1), known.get("mscale_all_dim", 0)),
        "divide": lambda theta, f: theta / np.float32(f),
        **(change or {}),
    }
    known = how["read"](settings)
    width, base, factor = known["head_dim"], how["base"](known), how["factor"](known)
    rotated = how["rotated"](known, width)
    context = known.get("original_max_position_embeddings")
    kind = known.get("rope_type", "default")

    def plain(b: float = base, w: int = rotated) -> Array:
        return (1 / np.float32(b) ** (np.arange(0, w, 2, dtype=np.float32) / np.float32(w))).astype(
            np.float32
        )

    scale = 1.0
    if kind == "proportional":
        whole = plain(w=width)
        return np.where(np.arange(len(whole)) < rotated // 2, whole, 0), 1.0
    thetas = plain()
    if kind == "linear":
        thetas = how["divide"](thetas, factor)
    elif kind in ("ntk", "dynamic"):
        growth = factor
        if kind == "dynamic":
            growth = factor * max(length or 1, context) / context - (factor - 1)
        thetas = plain(base * growth ** how["power"](rotated)) if growth != 1 else thetas
    elif kind == "llama3":
        turns = context * thetas / np.float32(2 * math.pi)
        low, high = known["low_freq_factor"], known["high_freq_factor"]
        g = how["smooth"](turns, low, high)
        middle = thetas * how["blend"](g, factor)
        thetas = np.where(turns < low, thetas / factor, np.where(turns > high, thetas, middle))
    elif kind == "longrope":
        long = how["long"](known, length, context)
        thetas = thetas / np.array(known["long_factor" if long else "short_factor"], np.float32)
        grown = known.get("factor") or known.get("max_position_embeddings", context) / context
        own = 1.0 if grown <= 1 else math.sqrt(1 + math.log(grown) / math.log(context))
        scale = how["attention"](known, grown, own)
    elif kind == "yarn":
        ends = [
            rotated * math.log(context / (turns * 2 * math.pi)) / (2 * math.log(base))
            for turns in (known.get("beta_fast", 32), known.get("beta_slow", 1))
        ]
        if known.get("truncate", True):
            ends = [math.floor(ends[0]), math.ceil(ends[1])]
        low, high = max(ends[0], 0), min(ends[1], rotated - 1)
        ramp = np.clip((np.arange(rotated // 2) - low) / max(high - low, 1e-3), 0, 1)
        kept = (1 - ramp).astype(np.float32)
        thetas = thetas / np.float32(factor) * (1 - kept) + thetas * kept
        own, other = (
            1 if factor <= 1 else 0.1 * m * math.log(factor) + 1 for m in how["mscale"](known)
        )
        scale = how["attention"](known, factor, own / other)
    return thetas.astype(np.float32), scale


def ladders(**change: Any) -> Any:
    return Offering(ladder=lambda parameters, length: ladder(parameters, length, change))


case("ladders, right", "clean")(ladders)


@case("S05", by="scaling rules")
def precedence_of_the_blend() -> Any:
    return ladders(blend=lambda g, f: 1 / (1 - g) * f + g)


@case("S06", by="scaling rules")
def smooth_in_the_wavelength() -> Any:
    return ladders(smooth=lambda turns, low, high: (1 / turns - 1 / low) / (1 / high - 1 / low))


@case("S07", by="scaling rules")
def scaling_dropped() -> Any:
    return ladders(read=lambda s: {k: v for k, v in flat(s).items() if k != "rope_type"})


@case("S08", by="scaling rules")
def factor_of_another_checkpoint() -> Any:
    return ladders(
        factor=lambda known: 8 if known.get("rope_type") == "llama3" else known.get("factor", 1)
    )


@case("S11", by="scaling rules")
def attention_factor_applied_twice() -> Any:
    return ladders(attention=lambda known, factor, own: own * known.get("attention_factor", 1))


@case("S13", by="scaling rules")
def table_by_allocated_length() -> Any:
    return ladders(long=lambda known, length, L: known.get("max_position_embeddings", L) > L)


@case("S13, at the boundary", by="scaling rules")
def boundary_included() -> Any:
    return ladders(long=lambda known, length, context: (length or 0) >= context)


@case("S14", by="scaling rules")
def default_base() -> Any:
    return ladders(base=lambda known: 10_000.0)


@case("S15", by="spellings")
def base_of_one_by_default() -> Any:
    return ladders(base=lambda known: float(known.get("rope_theta", 1)))


@case("S16", by="scaling rules")
def partial_factor_dropped() -> Any:
    return ladders(rotated=lambda known, width: width)


@case("S19", by="scaling rules")
def exponent_of_one() -> Any:
    return ladders(power=lambda rotated: 1)


@case("S20", by="scaling rules")
def reciprocal_factor() -> Any:
    return ladders(divide=lambda theta, f: theta * np.float32(f))


@case("R01", by="spellings")
def outer_dictionary_read() -> Any:
    def read(settings: dict[str, Any]) -> dict[str, Any]:
        known = flat(settings)
        nested = settings.get("rope_parameters") or {}
        if "full_attention" in nested:
            known.pop("truncate", None)
        return known

    return ladders(read=read)


@case("R03", by="scaling rules")
def mscale_by_truthiness() -> Any:
    def mscale(known: dict[str, Any]) -> tuple[float, float]:
        own, other = known.get("mscale"), known.get("mscale_all_dim")
        return (own, other) if own and other else (1, 0)

    return ladders(mscale=mscale)


@case("R05", by="scaling rules")
def exponent_of_one_plane() -> Any:
    def read(settings: dict[str, Any]) -> dict[str, Any]:
        known = flat(settings)
        if known["head_dim"] == 2:
            known["head_dim"] / (known["head_dim"] - 2)
        return known

    return ladders(read=read)


DYNAMIC = {
    "rope_type": "dynamic",
    "rope_theta": 10_000,
    "head_dim": 64,
    "factor": 4,
    "original_max_position_embeddings": 16,
}


@case("S01", by="history")
def base_not_restored() -> Any:
    class Dynamic:
        parameters = DYNAMIC

        def __init__(self) -> None:
            self.longest = 16

        def frequencies(self, length: int) -> Array:
            if length < 16 and self.longest > 16:
                self.longest = 16
            self.longest = max(self.longest, length)
            return ladder(DYNAMIC, self.longest)[0]

    return Dynamic


@case("S02", "by-design")
def one_ladder_for_each_length() -> Any:
    return Offering({"parameters": DYNAMIC}, frequencies=lambda length: ladder(DYNAMIC, length)[0])


# ---------------------------------------------------------------------- caches and segments
class Counter:
    """A cache that counts tokens; its methods are what implementations get wrong."""

    def __init__(self) -> None:
        self.seen = self.kept = 0
        self.prompt: int | None = None

    def append(self, count: int) -> Any:
        places = self.seen + np.arange(count)
        self.seen += count
        return places

    def evict(self, count: int) -> None:
        self.kept -= count


def sessions(cls: type[Counter]) -> Any:
    return Offering(session=cls)


case("caches, right", "clean")(lambda: sessions(Counter))


@case("K06", by="bookkeeping")
def offset_moved_before_the_query() -> Any:
    class Aliased(Counter):
        def append(self, count: int) -> Any:
            keys = super().append(count)
            return self.seen + np.arange(count), keys

    return sessions(Aliased)


@case("K07", by="bookkeeping")
def prompt_counted_twice() -> Any:
    class Doubled(Counter):
        def append(self, count: int) -> Any:
            first = self.prompt is None
            self.prompt = count if first else self.prompt
            places = self.seen + np.arange(count)
            self.seen += (
                count if first or self.seen != self.prompt else count + (self.prompt or 0) - 1
            )
            return places

    return sessions(Doubled)


@case("K08", by="bookkeeping")
def position_of_the_retained_rows() -> Any:
    class Shrunk(Counter):
        def evict(self, count: int) -> None:
            self.seen -= count

    return sessions(Shrunk)


def placed(
    segments: Any, begin: int = 0, still: Any = None, merge: int = 2, cells: Any = None
) -> Array:
    """Positions (n, 3) of text, images and videos."""
    rows: list[list[int]] = []
    for kind, *sizes in segments:
        if kind == "text":
            block = [[begin + k] * 3 for k in range(sizes[0])]
        else:
            t, h, w = (1, *sizes)[-3:]
            h, w = (h // merge, w // merge) if cells is None else cells(h, w)
            time = begin if still is None or kind != "image" else still(begin)
            block = [
                [time + f, begin + y, begin + x]
                for f in range(t)
                for y in range(h)
                for x in range(w)
            ]
        rows += block
        begin = max(max(row) for row in rows) + 1
    return np.array(rows)


def delta_once(segments: Any = None) -> Any:
    class Whole:
        def __init__(self) -> None:
            self.next = 0

        def append(self, part: Any) -> Array:
            places = placed(part, self.next)
            self.next = int(places.max()) + 1
            return places

    return Whole()


case("segments, right", "clean")(
    lambda: Offering({"merge": 2}, positions=placed, session=delta_once)
)


@case("K10", by="segments in chunks")
def delta_of_a_part() -> Any:
    class Part:
        def __init__(self) -> None:
            self.seen, self.delta = 0, 0

        def append(self, part: Any) -> Array:
            here = placed(part)
            places = here if not self.seen else here + self.seen + self.delta
            self.delta = int(here.max()) + 1 - len(here)
            self.seen += len(here)
            return places

    return Offering({"merge": 2}, positions=placed, session=Part)


@case("A06", by="segments")
def still_image_scaled_in_time() -> Any:
    return Offering(
        {"merge": 2}, positions=lambda segments: placed(segments, still=lambda at: 2 * at)
    )


@case("A10", by="segments")
def pixels_for_cells() -> Any:
    return Offering({"merge": 2}, positions=lambda s: placed(s, cells=lambda h, w: (h, w)))


# ---------------------------------------------------------------------- biases
def slopes(heads: int) -> Array:
    power = 1 << (heads.bit_length() - 1)
    own = [2 ** (-8 * (h + 1) / power) for h in range(power)]
    more = [2 ** (-4 * (h + 1) / power) for h in range(0, 2 * power, 2)]
    return np.array((own + more)[:heads], dtype=np.float32)


def distances(queries: Array, keys: Array) -> Array:
    return -slopes(4)[:, None, None] * np.abs(queries[:, None] - keys[None, :])


case("biases, right", "clean")(lambda: Offering(slopes=slopes, bias=distances))


@case("B01", by="slopes")
def uniform_slopes() -> Any:
    return Offering(slopes=lambda n: np.array([2 ** (-8 * (h + 1) / n) for h in range(n)]))


@case("B02", by="slopes")
def slopes_off_by_one() -> Any:
    return Offering(
        slopes=lambda n: 2 ** (8 / (1 << (n.bit_length() - 1))) * slopes(n).astype(float)
    )


@case("B03", "clean")
def slopes_not_sorted() -> Any:
    return Offering(slopes=slopes)


@case("B06", by="slopes")
def slopes_in_bfloat16() -> Any:
    return Offering(slopes=lambda n: slopes(n).astype(ml_dtypes.bfloat16))


@case("B09", "clean")
def one_row_for_all_queries() -> Any:
    def bias(queries: Array, keys: Array) -> Array:
        row = slopes(4)[:, None, None] * (keys - keys.max())[None, None, :]
        return np.broadcast_to(row, (4, len(queries), len(keys)))

    return Offering(bias=bias)


@case("K11", by="bias")
def diagonal_from_the_left() -> Any:
    def bias(queries: Array, keys: Array) -> Array:
        return distances(np.arange(len(queries)), np.arange(len(keys)))

    return Offering(bias=bias)


def bucket(offsets: Array, buckets: int = 32, furthest: int = 128) -> Array:
    """The causal T5 rule with a float logarithm, as libraries compute it."""
    distance = np.maximum(-offsets, 0)
    exact = buckets // 2
    with np.errstate(divide="ignore", invalid="ignore"):
        wide = (
            np.log(np.maximum(distance, 1) / exact) / math.log(furthest / exact)
            if furthest != exact
            else np.inf
        )
        large = exact + (wide * (buckets - exact)).astype(np.int64)
    return np.where(distance < exact, distance, np.minimum(large, buckets - 1))


@case("T02", by="bucket block")
def decode_for_query_zero() -> Any:
    def buckets(queries: Array, keys: Array) -> Array:
        return bucket(keys[None, :] - np.arange(len(queries))[:, None])

    return Offering({"bidirectional": False}, buckets=buckets)


@case("T03", by="bucket range")
def furthest_within_the_exact() -> Any:
    facts = {"bidirectional": False, "max_distance": 8}
    return Offering(facts, bucket=lambda offsets: bucket(offsets, 32, 8))


@case("T04", "clean")
def float_logarithms() -> Any:
    return Offering({"bidirectional": False}, bucket=bucket)


# ---------------------------------------------------------------------- rotations
def euler(rotation: Array) -> tuple[float, float, float]:
    """z-y-z angles: the third from what the first leaves, so that at a pole their sum is right."""
    alpha = math.atan2(rotation[1, 2], rotation[0, 2])
    c, s = math.cos(alpha), math.sin(alpha)
    left = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) @ rotation
    return alpha, math.atan2(left[0, 2], left[2, 2]), math.atan2(left[1, 0], left[1, 1])


def small_d(degree: int, beta: float) -> Array:
    """From the eigenvectors of the generator: accurate at every degree here."""
    m = np.arange(-degree, degree + 1)
    raising = np.diag(np.sqrt(degree * (degree + 1) - m[:-1] * (m[:-1] + 1)), -1).astype(complex)
    values, vectors = np.linalg.eigh((raising - raising.T) / 2j)
    return (vectors * np.exp(-1j * np.round(values) * beta)) @ vectors.conj().T


def summed_d(degree: int, beta: float) -> Array:
    """The alternating sum of the textbooks, in float64."""
    j, d = degree, np.zeros((2 * degree + 1,) * 2)
    c, s = math.cos(beta / 2), math.sin(beta / 2)
    f = math.factorial
    for a, m in enumerate(range(-j, j + 1)):
        for b, n in enumerate(range(-j, j + 1)):
            scale = math.sqrt(f(j + m) * f(j - m)) * math.sqrt(f(j + n) * f(j - n))
            for k in range(max(0, n - m), min(j + n, j - m) + 1):
                size = f(j + n - k) * f(k) * f(m - n + k) * f(j - m - k)
                d[a, b] += (
                    (-1) ** (m - n + k)
                    * scale
                    / size
                    * c ** (2 * j + n - m - 2 * k)
                    * s ** (m - n + 2 * k)
                )
    return d.astype(complex)


def wigner(degree: int, rotation: Array, d: Any = small_d, angles: Any = euler) -> Array:
    alpha, beta, gamma = angles(rotation)
    m = np.arange(-degree, degree + 1)
    return np.exp(-1j * m * alpha)[:, None] * d(degree, beta) * np.exp(-1j * m * gamma)


case("Wigner, right", "clean")(lambda: Offering(wigner=wigner))


@case("O04", by="Wigner matrices")
def unevaluated_at_zero() -> Any:
    def unevaluated(degree: int, rotation: Array) -> Any:
        if np.array_equal(rotation, np.eye(3)):
            return sympy.Symbol("WignerD")
        return wigner(degree, rotation)

    return Offering(wigner=unevaluated)


@case("O06", by="Wigner matrices")
def alternating_sums() -> Any:
    return Offering(wigner=lambda degree, rotation: wigner(degree, rotation, summed_d))


@case("O07", by="Wigner products")
def exchanged_at_a_half_turn() -> Any:
    def exchanged(degree: int, rotation: Array) -> Array:
        found = wigner(degree, rotation)
        return found.T if rotation[2, 2] == -1 else found

    return Offering(wigner=exchanged)


@case("O11", by="transforms")
def unstable_recursion() -> Any:
    def forward(values: Array) -> Array:
        return np.convolve(values, [1.0, -2.0])[: len(values)]

    def backward(coefficients: Array) -> Array:
        values = np.zeros_like(coefficients)
        for k, value in enumerate(coefficients):
            values[k] = value + (2 * values[k - 1] if k else 0)
        return values.astype(np.float32).astype(float)

    return Offering({"band_limit": 128}, forward=forward, backward=backward)


def zyz(angles: Any) -> Array:
    return Rotation.from_euler("ZYZ", angles).as_matrix()


@case("O12", by="Euler round trip")
def sign_at_gimbal_lock() -> Any:
    def angles(matrix: Array) -> tuple[float, float, float]:
        pitch = math.asin(max(-1.0, min(1.0, -matrix[2, 0])))
        if abs(matrix[2, 0]) > 1 - 1e-15:  # the sign of the pitch is forgotten here
            return math.atan2(-matrix[0, 1], matrix[1, 1]) + 1.4 * (pitch < 0), pitch, 0.0
        return math.atan2(matrix[1, 0], matrix[0, 0]), pitch, math.atan2(matrix[2, 1], matrix[2, 2])

    return Offering(angles=angles, matrix=lambda a: Rotation.from_euler("ZYX", a).as_matrix())


@case("O13", by="Euler round trip")
def arc_cosine_at_the_pole() -> Any:
    def angles(matrix: Array) -> tuple[float, float, float]:
        alpha, _, gamma = euler(matrix)
        return alpha, math.acos(max(-1.0, min(1.0, matrix[2, 2]))), gamma

    return Offering(angles=angles, matrix=zyz)


@case("O14", "clean")
def documented_band() -> Any:
    facts = {"pole_band": 1e-7}
    return Offering(facts, angles=lambda m: Rotation.from_matrix(m).as_euler("ZYZ"), matrix=zyz)


@case("O15", by="exponential")
def wrong_coefficient_on_one_branch() -> Any:
    def exponential(generator: Array) -> Array:
        norm = np.abs(generator).sum(axis=0).max()
        if 0.0089 < norm < 0.0496:
            g = generator
            return (
                np.eye(2)
                + g
                + g @ g / 2
                + g @ g @ g / 6 * (1 + 1e-5)
                + g @ g @ g @ g / 24
                + np.linalg.matrix_power(g, 5) / 120
            )
        return np.asarray(expm(generator))

    return Offering(exponential=exponential)


case("exponential, right", "clean")(lambda: Offering(exponential=expm))


# ---------------------------------------------------------------------- Bessel functions
@case("F03", by="modified Bessel I")
def lost_cancellation() -> Any:
    def value(order: float, x: float) -> float:
        if order != int(order) and order > 50:  # the two solutions of the recurrence are mixed
            return float(iv(order, x) + 1e-20)
        return float(iv(order, x))

    return Offering(bessel_i=value)


@case("F04", by="modified Bessel I")
def large_negative_order() -> Any:
    def value(order: float, x: float) -> float:
        if order < -100:
            raise ValueError("hypercomb() failed to converge")
        return float(iv(order, x))

    return Offering(bessel_i=value)


@case("F05", by="spherical Bessel j")
def branch_of_the_root() -> Any:
    return Offering(
        spherical_j=lambda n, x: -spherical_jn(int(n), x) if x < 0 else spherical_jn(int(n), x)
    )


@case("F06", by="spherical Bessel j")
def removable_singularity() -> Any:
    return Offering(spherical_j=lambda n, x: math.nan if n == x == 0 else spherical_jn(int(n), x))


@case("F08", by="modified Bessel K")
def midpoint_without_radius() -> Any:
    def value(order: float, x: float) -> float:
        with mpmath.workdps(8):  # K as a difference of two large I's
            return float(mpmath.besselk(order, x)) + (5.9e-17 if x == 50 else 0)

    return Offering({"tolerance": 1e-6}, bessel_k=value)


case("Bessel, right", "clean")(
    lambda: Offering(bessel_i=iv, bessel_k=kv, spherical_j=lambda n, x: spherical_jn(int(n), x))
)


# ---------------------------------------------------------------------- verdicts
@pytest.mark.parametrize("name", sorted(CASES))
@pytest.mark.filterwarnings("ignore")
def test_each_gets_its_verdict(name: str) -> None:
    verdict, by, build = CASES[name]
    report = audit(build())
    found = {row.invariant for row in report.rows if row.verdict == "fault"}
    assert report.verdict == verdict, [f.lines() for row in report.rows for f in row.findings]
    assert not by or by in found


def fused(width: int) -> Any:
    """Float32 inside, rounded to bfloat16 once."""
    thetas = inverse(width, dtype=np.float32)

    def rotate(x: Array, positions: Array) -> Array:
        angle = np.asarray(positions).astype(np.float32)[:, None] * thetas
        wide = turned(x.astype(np.float32), np.cos(angle), np.sin(angle))
        return wide.astype(ml_dtypes.bfloat16)

    facts = {"head_dim": width, "base": 10_000, "dtype": "bfloat16", "pipeline": "fused32"}
    return Offering(facts, rotate=rotate)


def plain(dtype: Any, angles: Any, layout: str, rotated: int = 0) -> Any:
    thetas = inverse(rotated or 32, dtype=angles)
    facts = {"base": 10_000, "rotary_dim": rotated or 32}
    return rope(
        facts, width=32, layout=layout, dtype=dtype, angles=angles, thetas=thetas, rotated=rotated
    )


CORRECT = {
    "float64, half": lambda: plain(np.float64, np.float64, "half"),
    "float64, interleaved, partial": lambda: plain(np.float64, np.float64, "interleaved", 16),
    "float32, interleaved": lambda: plain(np.float32, np.float32, "interleaved"),
    "float32, half, partial": lambda: plain(np.float32, np.float32, "half", 8),
    "bfloat16, float32 tables": lambda: plain(ml_dtypes.bfloat16, np.float32, "half"),
    "bfloat16, fused": lambda: fused(32),
}


@pytest.mark.parametrize("name", CORRECT)
def test_correct_rotations_are_clean(name: str) -> None:
    for seed in range(20):
        report = audit(CORRECT[name](), seed=seed, family="rotary")
        findings = [f.lines() for row in report.rows for f in row.findings]
        assert report.verdict == "clean", (seed, findings)
