"""Proofs of `theory.scaling.base`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import cos, exp, sin

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node, substitute
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_each,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.scaling import base as statements
from posproof.theory.scaling.base import (
    BASE_BOUND,
    Base,
    L,
    Row,
    g,
    h,
    j,
    m,
    n,
    r,
    y,
)
from posproof.theory.symbols import variables
from posproof.theory.vocabulary import Le, Real, control, proves

alpha, beta = variables("alpha beta", Real)
node = T.node


def _body(statement: Any) -> Node:
    """A statement without its outer universal quantifiers."""
    goal = node(statement)
    while goal.head == "forall":
        goal = goal.args[1]
    return goal


def _without_mean(mu: Any, sigma: Any, same: bool) -> Any:
    return sigma**2 if same else 0


def _any_mean(mu: Any, nu: Any) -> Any:
    return nu


def _one_unit_off(row: Row) -> int:
    """The published base, its second digit one higher."""
    return row.published + 10 ** (len(str(row.published)) - 2)


@control("moments_without_the_mean", own_moment=_without_mean)
@proves(BASE_BOUND, "expected_gap")
def expected_gap(of: Base) -> Theorem:
    """Plane by plane: the mixed moments cancel, the others leave the cosine."""
    return prove_by_induction(m, _body(statements.expected_gap(of)))


@control("a_key_of_another_mean", key_mean=_any_mean)
@proves(BASE_BOUND, "equal_means")
def equal_means(of: Base) -> Theorem:
    """The general gap at nu = mu."""
    return prove_by_induction(m, _body(statements.equal_means(of)))


# ---------------------------------------------------------------------- lemmas of analysis
def _sine_within(at: Any, nonnegative: Theorem) -> list[Theorem]:
    """-t <= sin t and sin t <= t at one t >= 0."""
    lemmas = (T.sine_above_minus(), kernel.meaning("sine_below_line"))
    minus, below = (T.apply(lemma, [at], nonnegative) for lemma in lemmas)
    # The lower bound again, put the way a proof in SymPy writes it.
    again = T.discharge(prove_order(Le(-at, sin(at)), [minus.conclusion]), minus)
    return [again, below]


def _unit(value: Any, companion: Any) -> list[Theorem]:
    """-1 <= value <= 1 for a cosine or sine, from the other one at the same angle."""
    above = prove_nonneg(Le(value, 1), ((1 - value) ** 2 + companion**2) / 2)
    below = prove_nonneg(Le(-1, value), ((1 + value) ** 2 + companion**2) / 2)
    return [below, above]


def cosine_is_lipschitz() -> Theorem:
    """alpha <= beta gives |cos alpha - cos beta| <= beta - alpha: a product of two sines."""
    middle, half = (alpha + beta) / 2, (beta - alpha) / 2
    bounds = _sine_within(half, prove_order(Le(0, half), [Le(alpha, beta)]))
    unit = _unit(sin(middle), cos(middle))
    facts = [theorem.conclusion for theorem in (*bounds, *unit)]
    difference, gap = cos(alpha) - cos(beta), beta - alpha
    sides = [prove_order(goal, facts) for goal in (Le(difference, gap), Le(-gap, difference))]
    return T.discharge(T.both(*sides), *bounds, *unit)


def cosine_above_parabola() -> Theorem:
    """0 <= alpha gives 1 - alpha^2 / 2 <= cos alpha."""
    half = alpha / 2
    low, high = _sine_within(half, prove_order(Le(0, half), [Le(0, alpha)]))
    goal = Le(1 - alpha**2 / 2, cos(alpha))
    return T.discharge(prove_order(goal, [low.conclusion, high.conclusion]), low, high)


def decays() -> Theorem:
    """t >= 0, 1 + t <= G and F G = 1 with F > 0 give F <= 1."""
    t, F, G = (node(v) for v in variables("t F G", Real))
    given = [language.Le(0, t), language.Le(1 + t, G), language.Eq(F * G, 1), language.Lt(0, F)]
    return prove_order(language.Le(F, 1), given)


def angle_moves() -> Theorem:
    """alpha = N E F, beta = N E and 1 - t <= F <= 1 move the cosine by at most N t E."""
    t, F, N, E = (node(v) for v in variables("t F N E", Real))
    # Trees, so that no term is reordered before it is matched.
    late, early = language.Eq(node(alpha), N * E * F), language.Eq(node(beta), N * E)
    given = [late, early, *(language.Le(*pair) for pair in ((1 + (-t), F), (F, 1), (0, N), (0, E)))]
    scale = prove_order(language.Le(0, N * E), given[-2:])
    facts = [*given, scale.conclusion]
    ordered = prove_order(Le(alpha, beta), facts)
    near = T.parts(T.discharge(cosine_is_lipschitz(), ordered))
    bound, difference = N * t * E, node(cos(alpha) - cos(beta))
    known = [*facts, *(lemma.conclusion for lemma in near)]
    goals = (language.Le(difference, bound), language.Le(-bound, difference))
    sides = [prove_order(goal, known) for goal in goals]
    return T.discharge(T.both(*sides), *near, ordered, scale)


# ---------------------------------------------------------------------- why a cover is a proof
def _half_the_slope(w: Any, theta: Any) -> Any:
    return w * theta / 2


def _at(theorem: Theorem, **values: Node) -> Theorem:
    """A lemma about real variables at terms."""
    names = variables(" ".join(values), Real)
    return kernel.specialise(theorem, {node(v): values[v.name] for v in names})


def _lowered(plane: Any) -> tuple[dict[str, Node], list[Theorem]]:
    """What happens to the angle n e^(y g plane) when y falls by h, and the facts about it.

    The factor e^(-h g plane) lies in [1 - h g plane, 1].  Trees are built by hand: SymPy would
    merge the exponentials whose relation is to be proved.
    """
    move, here = node(h * g * plane), node(exp(y * g * plane))
    factor, inverse, late = (
        language.exp(-move),
        language.exp(move),
        node(n * exp((y - h) * g * plane)),
    )
    tangents = [
        kernel.instantiate(kernel.meaning("exponential_above_line"), at) for at in (-move, move)
    ]
    early = node(n) * here
    facts = [
        *tangents,
        prove_identity(language.Eq(factor * inverse, 1)),
        prove_identity(language.Eq(late, node(n) * here * factor)),
        prove_identity(language.Eq(early, early)),
        *(prove_nonneg(language.Le(0, term), term) for term in (move, node(n), here)),
        prove_nonneg(language.Lt(0, factor), factor),
    ]
    facts.append(T.discharge(_at(decays(), t=move, F=factor, G=inverse), *facts))
    names = {"t": move, "F": factor, "N": node(n), "E": here, "alpha": late, "beta": early}
    return names, facts


@control("half_the_slope", slope=_half_the_slope)
@proves(BASE_BOUND, "step")
def step(of: Base) -> Theorem:
    """Each cosine is Lipschitz and its angle moves by at most n h g i e^(y g i); add the planes."""
    names, facts = _lowered(m)
    near = T.parts(T.discharge(_at(angle_moves(), **names), *facts))
    parts = _body(statements.step(of)).args
    return T.both(*(_planewise(part, m, near) for part in parts))


def _planewise(goal: Node, planes: Any, lemmas: Sequence[Theorem]) -> Theorem:
    """An inequality of sums over the planes, by induction; the lemmas speak of the last plane."""
    name = node(planes)
    base = prove_order(substitute(goal, {name: T.num(0)}))
    facts = [goal, *(lemma.conclusion for lemma in lemmas)]
    later = prove_order(substitute(goal, {name: name + 1}), facts)
    return kernel.induct(name, goal, base, T.discharge(later, *lemmas))


def above_floor() -> Theorem:
    """alpha = N E F, 0 <= N <= beta, 0 <= E, 0 < F <= 1 give 1 - (beta E)^2 / 2 <= cos alpha."""
    F, N, E = (node(v) for v in variables("F N E", Real))
    angle, reach = node(alpha), node(beta)
    equation, positive = language.Eq(angle, N * E * F), language.Lt(0, F)
    given = [language.Le(*pair) for pair in ((F, 1), (0, N), (0, E), (N, reach))]
    product = prove_order(language.Le(0, N * E), given)
    start = prove_order(language.Le(0, angle), [equation, positive, product.conclusion])
    shrunk = prove_order(language.Le(angle, N * E), [equation, given[0], product.conclusion])
    longer = prove_order(language.Le(N * E, reach * E), given)
    inside = prove_order(language.Le(angle, reach * E), [shrunk.conclusion, longer.conclusion])
    squared = prove_order(
        language.Le(angle**2, (reach * E) ** 2), [start.conclusion, inside.conclusion]
    )
    parabola = T.discharge(cosine_above_parabola(), start)
    goal = language.Le(1 - (reach * E) ** 2 / 2, node(cos(alpha)))
    last = prove_order(goal, [squared.conclusion, parabola.conclusion])
    return T.discharge(last, squared, parabola, inside, longer, shrunk, start, product)


def _half_the_parabola(reach: Any) -> Any:
    return 1 - reach**2 / 4


@control("half_the_parabola", floor=_half_the_parabola)
@proves(BASE_BOUND, "large_base")
def large_base(of: Base) -> Theorem:
    """-1 <= cos u for the first j planes; 1 - u^2 / 2 <= cos u with u <= L theta for the others."""
    premise, goal = _body(statements.large_base(of)).args
    names, facts = _lowered(j + r)
    values = {name: names[name] for name in ("F", "N", "E", "alpha")} | {"beta": node(L)}
    plane = T.discharge(_at(above_floor(), **values), *facts, kernel.assume(premise))
    below = _unit(cos(n * exp((y - h) * g * j)), sin(n * exp((y - h) * g * j)))[0]
    first = _planewise(substitute(goal, {node(r): T.num(0)}), j, [below])
    later = prove_order(substitute(goal, {node(r): node(r) + 1}), [goal, plane.conclusion])
    proved = kernel.induct(node(r), goal, first, T.discharge(later, plane))
    return T.implication(proved, premise)


# ---------------------------------------------------------------------- the published numbers
@control("second_digit_one_higher", published=_one_unit_off)
@proves(BASE_BOUND, "agreement", "all eleven rows")
def agreement(of: Base) -> Theorem:
    """Comparisons of rational numbers."""

    def compare(statement: Node) -> Theorem:
        return (
            prove_each(statement, compare) if statement.head == "and" else kernel.ground(statement)
        )

    return compare(node(statements.agreement(of)))
