r"""Frequency ladders under every published scaling rule, to any number of digits.

Main definitions
----------------
Rule               the parameters of a ladder, by the names checkpoints use
scaled_ladder      frequencies and attention factor of a rule at a sequence length
relative_error     what a ladder computed in a format may be off by

Conventions
-----------
Plane i of r rotated components has theta_i = base^(-2 i / r), i < r/2; lambda = 2 pi / theta is its
wavelength, L the original context, s the factor.  The attention factor multiplies cosine and sine.

The rules
---------
default       theta_i
linear        theta_i / s
ntk           base s^(r/(r-2)): plane 0 stays, the last one is divided by s
dynamic       base (s n/L - s + 1)^(r/(r-2)) at length n > L, the plain ladder up to L
yarn          theta_i ((1 - g)/s + g), g falling linearly in i between the planes that turn
              beta_fast and beta_slow times in L (rounded outwards unless truncate is False)
longrope      theta_i / short_i up to L and theta_i / long_i beyond
llama3        theta_i above high_freq_factor turns in L, theta_i / s below low_freq_factor, and
              linear in the number of turns between
proportional  the plain ladder of the whole head on its first planes, zero on the others

References
----------
peng2023yarn, chen2023interpolation
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from posproof.numerics.balls import ends, precision

#: Bits of the ladders; 40 digits survive every formula here.
BITS = 192
RULES = ("default", "linear", "ntk", "dynamic", "yarn", "longrope", "llama3", "proportional")
#: Rules whose frequencies depend on the length of the sequence.
DEPEND_ON_LENGTH = ("dynamic", "longrope")

Number = int | Fraction


@dataclass(frozen=True)
class Rule:
    """A ladder: `rotary_dim` of `head_dim` components turn; `context` is the original length L.

    `stretched` is the longest sequence of a longrope checkpoint, from which its factor follows.
    """

    name: str
    head_dim: int
    base: Number
    rotary_dim: int
    factor: Number = 1
    context: int | None = None
    stretched: int | None = None
    attention_factor: Number | None = None
    beta_fast: Number = 32
    beta_slow: Number = 1
    truncate: bool = True
    mscale: Number | None = None
    mscale_all_dim: Number | None = None
    low_freq_factor: Number | None = None
    high_freq_factor: Number | None = None
    short_factor: tuple[Number, ...] = ()
    long_factor: tuple[Number, ...] = ()

    @property
    def planes(self) -> int:
        return (self.head_dim if self.name == "proportional" else self.rotary_dim) // 2


@dataclass(frozen=True)
class Ladder:
    """Frequencies by plane, and the factor on cosine and sine."""

    frequencies: tuple[arb, ...]
    attention_factor: arb


class NoLadder(ValueError):
    """The parameters do not give a ladder; the message names the one to blame."""


def scaled_ladder(rule: Rule, length: int | None = None) -> Ladder:
    """The ladder of a rule for a sequence of `length` positions (the original context if None).

    Raises NoLadder where the rule is not defined.
    """
    _refuse(rule)
    with precision(BITS):
        rotated = tuple(_FREQUENCIES[rule.name](rule, length))
        return Ladder(rotated, _attention(rule, length))


def _refuse(rule: Rule) -> None:
    if rule.name not in RULES:
        raise NoLadder(f"unknown rule {rule.name!r}; known: {', '.join(RULES)}")
    if rule.head_dim < 2 or rule.rotary_dim < 2 or rule.rotary_dim % 2:
        raise NoLadder(f"{rule.rotary_dim} rotated components of {rule.head_dim} are no pairs")
    if rule.rotary_dim > rule.head_dim:
        raise NoLadder(f"{rule.rotary_dim} rotated components do not fit into {rule.head_dim}")
    if rule.base <= 1:
        raise NoLadder(f"base {rule.base} is not above 1: the frequencies do not fall")
    if rule.name in ("ntk", "dynamic") and rule.rotary_dim == 2 and rule.factor != 1:
        raise NoLadder("one plane cannot keep its first frequency and divide its last")
    if rule.name not in ("default", "proportional") and rule.factor < 1:
        raise NoLadder(f"factor {rule.factor} is below 1")
    if rule.name in ("dynamic", "yarn", "longrope", "llama3") and not rule.context:
        raise NoLadder(f"{rule.name} needs the original context")
    if rule.name == "llama3":
        low, high = rule.low_freq_factor, rule.high_freq_factor
        if low is None or high is None or not 0 < low < high:
            raise NoLadder("llama3 needs 0 < low_freq_factor < high_freq_factor")
    if rule.name == "longrope":
        for name, factors in (("short", rule.short_factor), ("long", rule.long_factor)):
            if len(factors) != rule.planes:
                raise NoLadder(f"{len(factors)} {name} factors for {rule.planes} planes")


def _ball(value: Number) -> arb:
    exact = Fraction(value)
    return arb(fmpq(exact.numerator, exact.denominator))


def _plain(rule: Rule, base: arb | None = None, width: int | None = None) -> list[arb]:
    width = rule.rotary_dim if width is None else width
    logarithm = (_ball(rule.base) if base is None else base).log()
    return [(-logarithm * 2 * i / width).exp() for i in range(width // 2)]


def _rebased(rule: Rule, growth: arb) -> list[arb]:
    if rule.rotary_dim == 2:  # only its plane 0, which every base leaves alone
        return _plain(rule)
    exponent = Fraction(rule.rotary_dim, rule.rotary_dim - 2)
    return _plain(rule, _ball(rule.base) * (growth.log() * _ball(exponent)).exp())


def _default(rule: Rule, length: int | None) -> list[arb]:
    return _plain(rule)


def _linear(rule: Rule, length: int | None) -> list[arb]:
    return [theta / _ball(rule.factor) for theta in _plain(rule)]


def _growth(rule: Rule, length: int | None) -> Fraction:
    """By what ntk and dynamic divide the last frequency."""
    factor = Fraction(rule.factor)
    if rule.name == "ntk":
        return factor
    return factor * max(length or 1, rule.context or 1) / (rule.context or 1) - factor + 1


def _grown(rule: Rule, length: int | None) -> list[arb]:
    return _rebased(rule, _ball(_growth(rule, length)))


def ramp_ends(rule: Rule) -> tuple[arb, arb]:
    """Where yarn's ramp starts and ends, in planes: not rounded if `truncate` is False.

    Raises NoLadder where rounding cannot be decided.
    """
    with precision(BITS):
        low, high = (_turning(rule, turns) for turns in (rule.beta_fast, rule.beta_slow))
        if rule.truncate:
            low, high = _whole(low.floor()), _whole(high.ceil())
        return low.max(arb(0)), high.min(arb(rule.rotary_dim - 1))


def _turning(rule: Rule, turns: Number) -> arb:
    """The plane, as a real number, that turns so often within the original context."""
    wavelength = _ball(rule.context or 1) / (_ball(turns) * 2 * arb.pi())
    return rule.rotary_dim * wavelength.log() / (2 * _ball(rule.base).log())


def _whole(value: arb) -> arb:
    if value.unique_fmpz() is None:
        raise NoLadder("an end of the ramp is an integer to all digits: truncation is undecided")
    return arb(value.unique_fmpz())


def _yarn(rule: Rule, length: int | None) -> list[arb]:
    low, high = ramp_ends(rule)
    if not high > low:
        high = low + _ball(Fraction(1, 1000))  # as every implementation does
    ladder = []
    for i, theta in enumerate(_plain(rule)):
        ramp = ((i - low) / (high - low)).max(arb(0)).min(arb(1))
        ladder.append(theta * (ramp / _ball(rule.factor) + 1 - ramp))
    return ladder


def _longrope(rule: Rule, length: int | None) -> list[arb]:
    beyond = length is not None and length > (rule.context or 1)
    factors = rule.long_factor if beyond else rule.short_factor
    return [theta / _ball(f) for theta, f in zip(_plain(rule), factors, strict=True)]


def _llama3(rule: Rule, length: int | None) -> list[arb]:
    low, high = _ball(rule.low_freq_factor or 1), _ball(rule.high_freq_factor or 1)
    ladder = []
    for theta in _plain(rule):
        turns = (rule.context or 1) * theta / (2 * arb.pi())
        kept = ((turns - low) / (high - low)).max(arb(0)).min(arb(1))
        ladder.append(theta * ((1 - kept) / _ball(rule.factor) + kept))
    return ladder


def _proportional(rule: Rule, length: int | None) -> list[arb]:
    whole = _plain(rule, width=rule.head_dim)
    turned = rule.rotary_dim // 2
    return [theta / _ball(rule.factor) for theta in whole[:turned]] + [arb(0)] * (
        len(whole) - turned
    )


_FREQUENCIES = {
    "default": _default,
    "linear": _linear,
    "ntk": _grown,
    "dynamic": _grown,
    "yarn": _yarn,
    "longrope": _longrope,
    "llama3": _llama3,
    "proportional": _proportional,
}


def _temperature(factor: Number, scale: Number) -> arb:
    return arb(1) if factor <= 1 else _ball(scale) * _ball(factor).log() / 10 + 1


def _attention(rule: Rule, length: int | None) -> arb:
    if rule.attention_factor is not None:  # the final value, never a multiplier
        return _ball(rule.attention_factor)
    if rule.name == "yarn":
        own = 1 if rule.mscale is None else rule.mscale
        other = 0 if rule.mscale_all_dim is None else rule.mscale_all_dim
        return _temperature(rule.factor, own) / _temperature(rule.factor, other)
    if rule.name == "longrope":
        context = rule.context or 1
        factor = Fraction(rule.stretched, context) if rule.stretched else Fraction(rule.factor)
        if factor <= 1:
            return arb(1)
        return (1 + _ball(factor).log() / arb(context).log()).sqrt()
    return arb(1)


# ---------------------------------------------------------------------- rounding
def relative_error(rule: Rule, u: Fraction, length: int | None = None) -> Fraction:
    """How far a frequency computed in unit roundoff u may be off, relative to the exact one.

    base^(-2i/r): the exponent is rounded (u ln base), the power may be off by two ulps (4 u), and
    its reciprocal is rounded: (5 + ln base) u.  A division by s or by a factor adds u.
    ntk, dynamic: s n/L - s + 1 is off by at most 3 s u of itself, its power r/(r - 2) <= 2 by 6 s u
    and 2 u for each unit of its logarithm, the pow by 4 u; no exponent of the new base exceeds 1.
    yarn and llama3 blend with a weight g that is off by w u, which the smaller of the two ends, 1/s
    of the other, magnifies by s: for yarn w = 4; for llama3 g is (turns - low)/(high - low) with
    turns off like theta and by 3 u, so w = (8 + ln base) high / (high - low).
    The sum is doubled for what is of second order.
    """
    first = 6 + _logarithm(Fraction(rule.base))
    factor = Fraction(rule.factor)
    if rule.name in ("ntk", "dynamic"):
        first += 4 + 6 * factor + 4 * _logarithm(_growth(rule, length))
    if rule.name == "yarn":
        first += 3 + 4 * factor
    if rule.name == "llama3":
        low, high = Fraction(rule.low_freq_factor or 1), Fraction(rule.high_freq_factor or 2)
        first += 3 + (8 + _logarithm(Fraction(rule.base))) * high / (high - low) * factor
    return 2 * first * u


def _logarithm(value: Fraction) -> Fraction:
    """An upper bound of ln value."""
    with precision(64):
        return ends(_ball(value).log())[1]
