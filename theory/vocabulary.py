"""What a claim is: the records shared by theory, proofs, numerics and the application.

Main definitions
----------------
Domain and its members   where a variable ranges
Prop and its members     the closed language of propositions; terms are SymPy expressions
Claim, Clause            what is stated, once
Check, Control           what is run, and the same thing run on altered definitions
Evidence, Bound, Trust   what running returned, a derived tolerance, what a result rests on
checked_by, control      decorators that make a function a check and attack it

Implementation notes
--------------------
The module imports no SymPy: a term is whatever the translation of the kernel (or the ball evaluator
of `numerics`) accepts.  A subject keeps its definitions in a frozen dataclass of functions, so a
control is the same check with one function replaced.  Statements never name a definition directly;
they receive that dataclass as `of`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, wraps
from typing import Any, Literal

Level = Literal["exact", "ball", "high", "float", "property", "sampled"]
Kind = Literal[
    "identity",
    "equivalence",
    "bound",
    "asymptotic",
    "classification",
    "counterexample",
    "reproduction",
]
Stance = Literal["as-published", "sharpened", "corrected"]
Tier = Literal["cited", "argued", "software"]
Outcome = Literal["holds", "refuted", "undecided"]

#: The word for positive evidence at each level.
POSITIVE: dict[Level, str] = {
    "exact": "proved",
    "ball": "certified",
    "high": "within-bound",
    "float": "within-bound",
    "property": "survived",
    "sampled": "within-bound",
}
LEVELS: tuple[Level, ...] = tuple(POSITIVE)
PROFILES = ("quick", "full")


# ---------------------------------------------------------------------- domains
@dataclass(frozen=True)
class Domain:
    """Where a variable ranges; `lower` only for integers, `values` for sets and box ends."""

    kind: Literal[
        "real", "positive", "rational", "integer", "finite", "box", "letter", "word", "operator"
    ]
    lower: int | None = None
    values: tuple[Fraction, ...] = ()


Real, Positive, Rational, Integer = (
    Domain("real"),
    Domain("positive"),
    Domain("rational"),
    Domain("integer"),
)
Letter, Word, Operator = Domain("letter"), Domain("word"), Domain("operator")


def Int(lower: int) -> Domain:
    """The integers >= lower."""
    return Domain("integer", lower)


def Finite(values: Iterable[int | Fraction]) -> Domain:
    """A finite set of rationals."""
    return Domain("finite", None, tuple(Fraction(v) for v in values))


@lru_cache
def Mod(n: int) -> Domain:
    """The residues 0 .. n - 1."""
    return Finite(range(n))


def Box(low: int | Fraction, high: int | Fraction) -> Domain:
    """The closed interval [low, high] of reals."""
    return Domain("box", None, (Fraction(low), Fraction(high)))


# ---------------------------------------------------------------------- propositions
class Prop:
    """A formal proposition."""


@dataclass(frozen=True)
class Eq(Prop):
    left: Any
    right: Any


@dataclass(frozen=True)
class Le(Prop):
    left: Any
    right: Any


@dataclass(frozen=True)
class Lt(Prop):
    left: Any
    right: Any


@dataclass(frozen=True)
class Predicate(Prop):
    """A named notion with a kernel rule of its own, such as `algebraic` (of a number)."""

    name: str
    args: tuple[Any, ...]


@dataclass(frozen=True, init=False)
class And(Prop):
    parts: tuple[Prop, ...]

    def __init__(self, *parts: Prop) -> None:
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True, init=False)
class Or(Prop):
    parts: tuple[Prop, ...]

    def __init__(self, *parts: Prop) -> None:
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True)
class Not(Prop):
    body: Prop


@dataclass(frozen=True)
class Implies(Prop):
    premise: Prop
    conclusion: Prop


@dataclass(frozen=True)
class Iff(Prop):
    left: Prop
    right: Prop


@dataclass(frozen=True, init=False)
class ForAll(Prop):
    """`variables` are `theory.symbols.Variable`s; each carries its domain."""

    variables: tuple[Any, ...]
    body: Prop

    def __init__(self, variables: Any, body: Prop) -> None:
        names = variables if isinstance(variables, tuple) else (variables,)
        object.__setattr__(self, "variables", names)
        object.__setattr__(self, "body", body)


@dataclass(frozen=True, init=False)
class Exists(Prop):
    variables: tuple[Any, ...]
    body: Prop

    def __init__(self, variables: Any, body: Prop) -> None:
        names = variables if isinstance(variables, tuple) else (variables,)
        object.__setattr__(self, "variables", names)
        object.__setattr__(self, "body", body)


@dataclass(frozen=True)
class Opaque(Prop):
    """A notion we do not formalise (continuity, freeness); no rule proves it."""

    name: str


@dataclass(frozen=True)
class Informal(Prop):
    """A clause nobody could formalise: it can have evidence, never a proof."""

    text: str


def Ne(left: Any, right: Any) -> Prop:
    return Not(Eq(left, right))


# ---------------------------------------------------------------------- what is stated
@dataclass(frozen=True)
class Clause:
    """One sentence of a claim.

    `latex` is the statement shown to readers, its only copy; `statement` builds the formal
    proposition from the subject's definitions.
    """

    name: str
    latex: str
    statement: Callable[[Any], Prop]

    def __post_init__(self) -> None:
        object.__setattr__(self, "statement", _built_once(self.statement))


def _built_once(build: Callable[[Any], Prop]) -> Callable[[Any], Prop]:
    """`build`, which keeps its last proposition: deciding a clause asks for it more than once."""
    last: tuple[Any, Prop] | None = None

    @wraps(build)
    def built(of: Any) -> Prop:
        nonlocal last
        kept = last
        if kept is None or kept[0] is not of:
            last = kept = (of, build(of))
        return kept[1]

    return built


@dataclass(frozen=True)
class Claim:
    """A result: fixed id `subject.name`, clauses, and where it comes from.

    `source` lists bibliography keys.  `reading` says which reading of the published sentence a
    `sharpened` or `corrected` claim speaks of; it is shown first.
    """

    id: str
    title: str
    kind: Kind
    clauses: tuple[Clause, ...]
    definitions: Any
    hypotheses: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()
    stance: Stance = "as-published"
    reading: str = ""
    revision: int = 1

    def clause(self, name: str) -> Clause:
        """The clause called `name`; KeyError if there is none."""
        for clause in self.clauses:
            if clause.name == name:
                return clause
        raise KeyError(f"{self.id} has no clause {name!r}")


# ---------------------------------------------------------------------- what is run
@dataclass(frozen=True)
class Trust:
    """Something a result rests on that the kernel did not prove."""

    tier: Tier
    name: str


@dataclass(frozen=True)
class Bound:
    """A derived tolerance: its value, the formula it came from, and the inputs used."""

    value: Fraction
    formula: str
    inputs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Evidence:
    """What a check other than an exact one returned.

    `measured` is the worst value seen, a decimal string when a double cannot hold it.
    """

    outcome: Outcome
    measured: float | str | None = None
    bound: Bound | None = None
    witness: str | None = None
    note: str = ""
    trusts: frozenset[Trust] = frozenset()


@dataclass(frozen=True)
class Scope:
    """What a check covers in each profile, in words a reader understands."""

    quick: str
    full: str

    def of(self, profile: str) -> str:
        return self.full if profile == "full" else self.quick


@dataclass(frozen=True)
class Run:
    """How one check is to be run."""

    profile: Literal["quick", "full"] = "quick"
    digits: int = 50
    seed: int = 0

    @property
    def examples(self) -> int:
        """Hypothesis examples a property check tries."""
        return 2000 if self.profile == "full" else 100


@dataclass(frozen=True)
class Control:
    """The same check on altered definitions; it passes only when the check comes back refuted.

    `point` (names to values) is a counterexample printed in the specification; it is tried first.
    """

    name: str
    changes: Mapping[str, Any]
    point: Mapping[str, Any] | None = None
    expect: Literal["refuted"] = "refuted"


@dataclass(frozen=True)
class Check:
    """Evidence for one clause at one level.

    An exact check's `run(of)` returns a kernel theorem; any other check's `run(of, run)` returns
    `Evidence`.  `definitions` is what `of` is, and what controls alter: the claim's own unless the
    check measures kernels of its own.
    """

    claim: Claim
    clause: str
    level: Level
    name: str
    run: Callable[..., Any]
    scope: Scope
    definitions: Any
    engine: str
    controls: tuple[Control, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.claim.id}/{self.clause}/{self.level}/{self.name}"


ENGINES: dict[Level, str] = {
    "exact": "kernel",
    "ball": "python-flint",
    "high": "mpmath",
    "float": "numpy",
    "property": "hypothesis",
    "sampled": "numpy",
}


def checked_by(
    claim: Claim,
    clause: str,
    level: Level,
    scope: str | Scope = "all values",
    *,
    definitions: Any = None,
    engine: str | None = None,
) -> Callable[[Callable[..., Any]], Check]:
    """Make a function the check of one clause at one level.

    Raises KeyError when the claim has no such clause.
    """
    claim.clause(clause)
    where = scope if isinstance(scope, Scope) else Scope(scope, scope)

    def decorate(run: Callable[..., Any]) -> Check:
        of = claim.definitions if definitions is None else definitions
        name = run.__name__
        return Check(claim, clause, level, name, run, where, of, engine or ENGINES[level])

    return decorate


def proves(
    claim: Claim, clause: str, scope: str | Scope = "all values"
) -> Callable[[Callable[..., Any]], Check]:
    """Make a function that maps definitions to a kernel theorem the exact check of a clause."""
    return checked_by(claim, clause, "exact", scope)


def control(
    name: str, point: Mapping[str, Any] | None = None, /, **changes: Any
) -> Callable[[Check], Check]:
    """Attack the check below with altered definitions; see `Control`."""

    def decorate(check: Check) -> Check:
        return replace(check, controls=(Control(name, changes, point), *check.controls))

    return decorate
