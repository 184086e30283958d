"""Proofs of `theory.precision.composition`: one function a clause, named after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sympy import Rational

from posproof.proofs_check import kernel, language
from posproof.proofs_check import tactics as T
from posproof.proofs_check.kernel import Theorem
from posproof.proofs_check.language import Node
from posproof.proofs_check.plane import Disc, added, multiplied, on_circle, square
from posproof.proofs_check.search import (
    prove_by_induction,
    prove_identity,
    prove_nonneg,
    prove_order,
)
from posproof.theory.precision import composition as statements
from posproof.theory.precision.composition import PRODUCTS, SOFTMAX, WIGNER, Composition
from posproof.theory.vocabulary import control, proves

node = T.node
j = T.natural("j")


def _named(names: str) -> list[Any]:
    return [getattr(statements, name) for name in names.split()]


def _value(term: Any, at: Any) -> Node:
    """A sequence of the statements at an index."""
    return T.instance(term(statements.k), statements.k, at)


def _at(fact: Node, index: Any, inside: Theorem) -> list[Theorem]:
    """What a premise about all k below a limit says at one index."""
    said = kernel.modus(kernel.instantiate(kernel.assume(fact), node(index)), inside)
    return T.all_parts(said)


# ---------------------------------------------------------------------- controls
def _exact_products(entry: Any, product: Any, below: Any, n: Any) -> Any:
    return statements.product_bound(entry, 0, below, n)


def _first_order(entry: Any, product: Any, below: Any, n: Any) -> Any:
    return (n + 1) * entry + n * product + n * below


def _no_underflow(entry: Any, product: Any, below: Any, n: Any) -> Any:
    return statements.product_bound(entry, product, 0, n)


def _scaled_shear(a: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    return ((1, a), (0, 2))


def _half_sum(u: Any, n: Any, size: Any) -> Any:
    return n * u * size / 2


def _one_addition_less(u: Any, n: Any, size: Any) -> Any:
    return (n - 1) * u * size


def _one_step_later(a: Any, N: Any) -> Any:
    return (N + 1) * a


def _exactly_orthogonal(stored: Any, product: Any, root: Any, n: Any) -> Any:
    return statements.orthogonal_bound(0, product, root, n)


def _without_root(stored: Any, product: Any, root: Any, n: Any) -> Any:
    return root * (((1 + stored) * (1 + product)) ** n - 1)


def _exact_sums(u: Any, epsilon: Any, kappa: Any, mu: Any, r: Any, M: Any) -> Any:
    return statements.wigner_bound(u, epsilon, kappa, 0, r, M)


def _exact_eigenvectors(u: Any, epsilon: Any, kappa: Any, mu: Any, r: Any, M: Any) -> Any:
    return statements.wigner_bound(0, epsilon, kappa, mu, r, M)


def _two_phases(u: Any, epsilon: Any, kappa: Any, mu: Any, r: Any, M: Any) -> Any:
    one_phase = statements.wigner_bound(u, epsilon, kappa, mu, r, M) + r
    return one_phase / (1 + epsilon) - r


def _two_errors(mu: Any, r: Any, single: Any, angle: Any, steepness: Any) -> Any:
    return statements.homomorphism_bound(mu, r, single, angle, steepness) - single


def _two_angles(mu: Any, r: Any, single: Any, angle: Any, steepness: Any) -> Any:
    return statements.homomorphism_bound(mu, r, single, angle, steepness) - angle * steepness


def _exact_norms(mu: Any, r: Any, single: Any, angle: Any, steepness: Any) -> Any:
    return mu * r**2 + 3 * single + single**2 + 3 * angle * steepness


def _half_steepness(l: Any) -> Any:  # noqa: E741
    return statements.steepness_square(l) / 2


def _opposite_phase(m: int) -> tuple[int, int]:
    return statements.phase(-m)


def _turned_back(l: int, m: int, k: int) -> Any:  # noqa: E741
    return statements.quarter_turn(l, k, m)


def _too_many(mean: Any) -> Any:
    return mean * statements.exp(2 + mean)


def _without_shift(mean: Any) -> Any:
    return mean * statements.exp(mean)


def _half_logarithm(n: Any) -> Any:
    return statements.largest_mean(n) / 2


def _undivided(u: Any, mean: Any) -> Any:
    return u * mean


def _exact_additions(u: Any, n: Any) -> Any:
    return 1


def _gap_forgotten(u: Any, gap: Any) -> Any:
    return 0


def _one_exponential(u: Any, library: Any, m: Any) -> Any:
    return statements.kept(u, library, m) / (1 - library)


def _exact_division(u: Any, library: Any, m: Any) -> Any:
    return statements.additions(u, m) * (1 - library) ** 2


def _result_stored_exactly(u: Any, before: Any, size: Any) -> Any:
    return before * (1 + u)


def _second_order_dropped(u: Any, before: Any, size: Any) -> Any:
    return before + u * size


def _half_of_it(E: Any) -> Any:
    return statements.half_tangent(E) / 2


HALF, NOTHING = Fraction(1, 2), dict.fromkeys(("phi", "f", "g", "p", "q", "e", "h", "y"), 0)
#: One product, every error as large as it may be and in one direction.
ONE_PRODUCT = NOTHING | {"n": 1, "epsilon": 0, "kappa": 1, "w": 0, "p": 1, "x": (1, 2)}
BOTH_ERRORS = NOTHING | {"n": 1, "epsilon": 1, "kappa": 1, "w": 0, "f": 1, "p": 1, "x": (2, 8)}
ONLY_UNDERFLOW = NOTHING | {"n": 1, "epsilon": 0, "kappa": 0, "w": 1, "e": 1, "x": (1, 2)}
NO_PRODUCT = {"n": 0, "fl": (0, 1), "P11": 1, "P12": 0, "P21": 0, "P22": 2, "b": 0, "s": 0}
ONE_ADDITION = {"n": 1, "u": 1, "b": 1, "W": (1, 2), "d": 1, "s": (1, 4)}
AT_REST = {"n": 2, "N": 1, "a": 1, "fl": (0, 1, 1), "s": (0, 1, 1)}
ONE_FACTOR = {"n": 1, "delta": 1, "gamma": 1, "r": 1, "e": (0, 2), "x": 1, "y": 1}
WIDE_FACTOR = {"n": 1, "delta": 0, "gamma": 1, "r": 2, "e": (0, 4), "x": 2, "y": 2}
EXACT = dict.fromkeys(("n1", "n2", "n3", "m1", "m2", "o1", "o2"), 0) | {"r": 1, "M": 1}
EXACT |= dict.fromkeys(("u", "epsilon", "kappa", "mu"), 0)
SUMS_ALONE = EXACT | {"mu": 1, "n3": 1, "m2": 1, "o2": 1, "E": 1}
PHASES_ALONE = EXACT | {"epsilon": 1, "n1": 1, "m1": 3, "o1": 7, "E": 7}
STORED_ALONE = EXACT | {"u": 1, "n1": 3, "m1": 3, "o1": 3, "E": 3}
FACTORS = {"mu": 0, "r": 1, "E": 1, "h": 0, "lambda": 0, "F1": 2, "F2": 2, "P": 0, "T": 3}
FACTORS |= {"G": 0, "H": 1, "M": 4}
ANGLES_ALONE = FACTORS | {"E": 0, "h": 1, "lambda": 1, "F1": 1, "F2": 1, "T": 0, "G": 3, "H": 0}
ANGLES_ALONE |= {"M": 3}
LARGE_PRODUCT = FACTORS | {"mu": 1, "P": 4, "M": 8}
STAGES = {"m": 0, "c": 0, "u": 0, "t": 0, "S": 1, "V": 1, "X": 1, "Y": 1, "w": 0, "v": 0}
SMALL = statements.exp(Rational(-3, 2))
FAR_BELOW = STAGES | {"u": HALF, "w": 1, "v": Fraction(3, 2), "e": SMALL, "g": SMALL / 2}
LARGE_EXPONENTIAL = STAGES | {"t": HALF, "X": HALF, "Y": HALF, "e": 2, "g": 4}
LARGE_QUOTIENT = STAGES | {"u": HALF, "e": 1, "g": 2}
LOGS = {"u": 1, "t": 0, "c": 0, "q": 1, "lambda": 0, "A": 1, "L": 0, "R": 0, "z": 0, "B": 1}
STORED_TWICE = LOGS | {"y": 2, "delta": 0, "gamma": 1, "b": 0}
LOGARITHM_TWICE = LOGS | {"t": 1, "A": 0, "L": 1, "R": 1, "z": 2, "y": 4}
LOGARITHM_TWICE |= {"delta": 1, "gamma": 1, "b": 1}
ONE_GAP = {"m": 1, "W": Fraction(279, 1000), "u": HALF, "w": Fraction(64, 25)}
ONE_GAP |= {"v": Fraction(32, 25)}
ROUNDED_DOWN = {"n": 1, "u": HALF, "b": 1, "d": -HALF, "s": 1}
JOINED_DOWN = {"m": 0, "u": HALF, "delta": -HALF, "A": 1, "B": 1, "x": 1, "y": 1}
CROSSED = {"n": 2, "D": 1, "b": (1, 0), "x": (-1, 0), "y": (0, -1)}


# ---------------------------------------------------------------------- precision.products
@control("factors_exactly_orthogonal", ONE_FACTOR, orthogonal_bound=_exactly_orthogonal)
@control("root_of_d_forgotten", WIDE_FACTOR, orthogonal_bound=_without_root)
@proves(PRODUCTS, "orthogonal")
def orthogonal(of: Composition) -> Theorem:
    """Error and size together grow by at most (1 + delta)(1 + gamma r) a factor."""
    premise, facts, goal = T.taken(statements.orthogonal(of))
    *signs, start, steps = facts
    e, r, delta, gamma = _named("e r delta gamma")
    stored, factor = node(1 + delta), node((1 + delta) * (1 + gamma * r))
    root = node(r)

    def claim(at: Node) -> Node:
        size = root * language.power(stored, at)
        return language.Le(_value(e, at) + size, root * language.power(factor, at))

    base = prove_nonneg(claim(T.num(0)), T.num(0), [start])

    def step(known: Theorem, inside: Theorem) -> Theorem:
        grows, near, exact = _at(steps, j, inside)
        form = T.margin(grows.conclusion) + factor * T.margin(known.conclusion)
        room = T.margin(near.conclusion) + T.margin(exact.conclusion)
        form = form + node(gamma * r * (1 + delta)) * room
        known_facts = [*signs, grows.conclusion, near.conclusion, exact.conclusion]
        proof = prove_nonneg(claim(j + 1), form, [*known_facts, known.conclusion])
        return T.discharge(proof, grows, near, exact, known)

    whole = T.induct_upto(j, statements.n, claim, base, step)
    n = node(statements.n)
    one = language.Le(T.num(1), language.power(stored, n))
    at = prove_nonneg(language.substitute(one, {n: T.num(0)}), T.num(0))
    form = T.margin(one) + node(delta) * language.power(stored, n)
    grown = prove_nonneg(language.substitute(one, {n: n + 1}), form, [*signs, one])
    above = kernel.induct(n, one, at, grown)
    form = T.margin(whole.conclusion) + root * T.margin(one)
    proof = prove_nonneg(goal, form, [*signs, whole.conclusion, one])
    return T.closed(T.discharge(proof, whole, above), premise)


def _angle(at: Any) -> Node:
    """The sum of the angles of the first `at` factors."""
    index = node(statements.i)
    return language.total(index, at, _value(statements.phi, index))


def _reach(at: Node) -> Node:
    """How far `at` products may be off."""
    epsilon, kappa, omega, n = _named("epsilon kappa omega n")
    return T.instance(statements.product_bound(epsilon, kappa, omega, n), n, at)


def _product_is_near(at: Node) -> Node:
    """The error of `at` products is within reach, which is not negative."""
    whole = _angle(at + 1)
    real = _value(statements.x, at) - language.cos(whole)
    imaginary = _value(statements.y, at) - language.sin(whole)
    near = language.Le(square(real, imaginary), _reach(at) ** 2)
    return language.And(near, language.Le(0, _reach(at)))


def _error_disc(names: str, at: Node, bound: Any, near: Theorem, sign: Node) -> Disc:
    """Two sequences as real and imaginary part, with a premise about their modulus."""
    first, second = (_value(term, at) for term in _named(names))
    return Disc(first, second, node(bound), near, kernel.assume(sign))


@control("product_roundings_forgotten", ONE_PRODUCT, product_bound=_exact_products)
@control("first_order", BOTH_ERRORS, product_bound=_first_order)
@control("underflow_forgotten", ONLY_UNDERFLOW, product_bound=_no_underflow)
@proves(PRODUCTS, "rotations")
def rotations(of: Composition) -> Theorem:
    """The error turns with the product; each factor adds its own errors to what is there."""
    premise, facts, goal = T.taken(statements.rotations(of))
    *signs, x0, y0, entries, steps = facts
    epsilon, kappa, omega, n = _named("epsilon kappa omega n")
    claimed = _product_is_near(node(n)).args[0]
    last = prove_nonneg(goal, T.margin(claimed), [claimed])

    def entry(at: Node, inside: Theorem) -> Disc:
        (near,) = _at(entries, at, inside)
        return _error_disc("f g", at, epsilon, near, signs[0])

    first = entry(T.num(0), prove_order(language.Le(0, node(n))))
    near, sign = _product_is_near(T.num(0)).args
    fact = first.inside.conclusion
    start = prove_nonneg(near, T.margin(fact), [x0, y0, fact])
    base = T.both(T.discharge(start, first.inside), prove_nonneg(sign, node(epsilon), signs))

    def step(known: Theorem, inside: Theorem) -> Theorem:
        so_far, positive = T.parts(known)
        first_square, second_square = so_far.conclusion.args[0].args
        off, aside = first_square.args[0], second_square.args[0]
        error = Disc(off, aside, _reach(j), so_far, positive)
        real, imaginary, relative, residue = _at(steps, j, inside)
        table = entry(j + 1, kernel.integer_step(inside))
        factor = _error_disc("p q", j, kappa, relative, signs[1])
        below = _error_disc("e h", j, omega, residue, signs[2])
        turn, exact = on_circle(_value(statements.phi, j + 1)), on_circle(_angle(j + 1))
        # What replaces the exact factor, less that factor; it acts on all that is there.
        change = added(table, multiplied(added(turn, table), factor))
        moved = multiplied(change, added(exact, error))
        total = added(added(multiplied(turn, error), moved), below)
        geometric = _geometric((1 + epsilon) * (1 + kappa))
        lemmas = [total.inside, total.sign, real, imaginary, geometric]
        known_facts = [theorem.conclusion for theorem in lemmas]
        near, sign = _product_is_near(j + 1).args
        proof = prove_nonneg(near, T.margin(total.inside.conclusion), known_facts)
        return T.discharge(T.both(proof, prove_nonneg(sign, total.bound, known_facts)), *lemmas)

    whole = T.induct_upto(j, n, _product_is_near, base, step)
    return T.closed(T.discharge(last, T.parts(whole)[0]), premise)


def _geometric(rho: Any) -> Theorem:
    """rho (1 + rho + ... + rho^(j-1)) + 1 = the same up to rho^j."""
    index, factor = node(statements.i), node(rho)
    partial = language.total(index, j, language.power(factor, index))
    goal = language.Eq(factor * partial + 1, partial + language.power(factor, j))
    return prove_by_induction(j, goal)


def _rounded(term: Any) -> Node:
    return T.instance(statements.fl(statements.n), statements.n, term)


def _image(argument: Any, value: Any, result: Theorem, given: Sequence[Theorem]) -> Theorem:
    """fl(argument) = r from a proof of fl(value) = r, where the given facts make them equal."""
    facts = [theorem.conclusion for theorem in given]
    equal = T.discharge(prove_identity(language.Eq(node(argument), node(value)), facts), *given)
    hole = language.variable("t", language.Real)
    right = result.conclusion.args[1]
    return T.transport(language.Eq(_rounded(hole), right), hole, equal, result)


@control("not_unipotent", NO_PRODUCT, shear=_scaled_shear)
@proves(PRODUCTS, "shears")
def shears(of: Composition) -> Theorem:
    """Multiplying by 1 and by 0 rounds nothing, so that one sum remains."""
    premise, facts, goal = T.taken(statements.shears(of))
    exact, start, (sums, steps, stored) = facts[:2], facts[2:7], facts[7:]
    zero, one = map(kernel.assume, exact)
    s, b, k, n = _named("s b k n")

    def claim(at: Node) -> Node:
        return T.instance(goal, n, at)

    base = T.both(*(prove_identity(part, start) for part in claim(T.num(0)).args))

    def step(known: Theorem, inside: Theorem) -> Theorem:
        before = T.parts(known)
        following, (kept, kept_sum) = _at(sums, j, inside)[0], _at(stored, j, inside)
        added, so_far = kept.conclusion.args[1], kept_sum.conclusion.args[1]
        first, corner, low, last = (fact.conclusion.args[0] for fact in before)
        inner = [
            _image(first, 1, one, before),
            _image(first * added, added, kept, before),
            _image(corner, so_far, kept_sum, before),
            _image(low, 0, zero, before),
            _image(low * added, 0, zero, before),
            _image(last, 1, one, before),
            zero,
        ]
        summed = language.Eq(_rounded(added + so_far), following.conclusion.args[0])
        total = T.discharge(prove_identity(summed, [following.conclusion]), following)
        outer = [(1, one), (added + so_far, total), (0, zero), (1, one)]
        proofs = []
        entries = zip(claim(j + 1).args, _at(steps, j, inside), outer, strict=True)
        for part, entry, (value, result) in entries:
            argument = entry.conclusion.args[1].args[2]
            image = _image(argument, value, result, inner)
            known_facts = [entry.conclusion, image.conclusion]
            proofs.append(T.discharge(prove_identity(part, known_facts), entry, image))
        return T.both(*proofs)

    return T.closed(T.induct_upto(j, n, claim, base, step), premise)


@control("half_of_it", ONE_ADDITION, sum_bound=_half_sum)
@control("one_addition_less", ONE_ADDITION, sum_bound=_one_addition_less)
@proves(PRODUCTS, "recursive_sum")
def recursive_sum(of: Composition) -> Theorem:
    """What is added last is at most u times the sum before, or bounds it by its 1 / u fold."""
    premise, facts, goal = T.taken(statements.recursive_sum(of))
    *start, steps = facts
    s, b, W, u, k, n = _named("s b W u k n")
    unit = node(u)

    def summed(term: Any, at: Node) -> Node:
        return language.total(node(k), at + 1, node(term(k)))

    def sides(value: Node, bound: Node) -> list[Node]:
        return [language.Le(-1 * bound, value), language.Le(value, bound)]

    def claim(at: Node) -> Node:
        exact, size = summed(b, at), summed(W, at)
        error = _value(s, at) - exact
        return language.And(*sides(error, at * unit * size), *sides(exact, size))

    claimed = list(claim(node(n)).args[:2])
    last = [
        prove_nonneg(part, T.margin(fact), claimed)
        for part, fact in zip(goal.args, claimed, strict=True)
    ]
    base = T.both(*(prove_order(part, start) for part in claim(T.num(0)).args))

    def step(known: Theorem, inside: Theorem) -> Theorem:
        before, now = T.parts(known), _at(steps, j, inside)
        all_facts = [start[0], *(theorem.conclusion for theorem in [*before, *now])]
        low, high = ([T.margin(fact.conclusion) for fact in before[at::2]] for at in (0, 1))
        rounding, lost, added = (
            [T.margin(now[at + side].conclusion) for side in (0, 1)] for at in (1, 3, 5)
        )
        size, weight = summed(W, j), _value(W, j + 1)
        double = added[0] + added[1]
        narrow, wide = language.Le(weight, unit * size), language.Lt(unit * size, weight)
        reach = [low[0] + low[1] + added[0], high[0] + high[1] + added[1]]
        goals, proofs = claim(j + 1).args, []
        for side, (error, _) in enumerate((low, high)):
            grown = (j + 1) * unit * double / 2
            little = error + lost[side] + T.margin(narrow) + grown
            # |s + b| is at most the bound that `reach` leaves room to, on both sides.
            room = (rounding[0] * reach[side] + rounding[1] * reach[1 - side]) / 2
            much = error + room + j * unit * T.margin(wide)
            cases = (
                prove_nonneg(goals[side], much, [*all_facts, wide]),
                prove_nonneg(goals[side], little, [*all_facts, narrow]),
            )
            proofs.append(T.compare(unit * size, weight, *cases))
        for side in (0, 1):
            form = (low, high)[side][1] + added[side]
            proofs.append(prove_nonneg(goals[2 + side], form, all_facts))
        return T.discharge(T.both(*proofs), *before, *now)

    error = T.parts(T.induct_upto(j, n, claim, base, step))
    return T.closed(T.discharge(T.both(*last), *error), premise)


@control("one_step_later", AT_REST, frozen=_one_step_later)
@proves(PRODUCTS, "freezing")
def freezing(of: Composition) -> Theorem:
    """Below N every sum is stored; at N the next one is rounded back."""
    premise, facts, goal = T.taken(statements.freezing(of))
    stored, last, start, steps = facts
    a, N, n, s, k = _named("a N n s k")
    end, width = node(N), node(a)

    def claim(at: Node) -> Node:
        return T.instance(goal, n, at)

    first, second = claim(T.num(0)).args
    zero = prove_identity(first.args[1], [start])
    none = kernel.antisymmetry(
        kernel.assume(second.args[0]), prove_order(language.Le(T.num(0), end))
    )
    stop = T.discharge(prove_identity(second.args[1], [start, none.conclusion]), none)
    base = T.both(T.implication(zero, first.args[0]), T.implication(stop, second.args[0]))

    def step(known: Theorem, inside: Theorem) -> Theorem:
        growing, resting = T.parts(known)
        (following,) = _at(steps, j, inside)
        more, rest = claim(j + 1).args
        here = kernel.modus(growing, prove_order(growing.conclusion.args[0], [more.args[0]]))
        fits = kernel.modus(
            kernel.instantiate(kernel.assume(stored), j + 1), kernel.assume(more.args[0])
        )
        image = _image(following.conclusion.args[1].args[2], (j + 1) * width, fits, [here])
        equations = [following.conclusion, image.conclusion]
        grown = T.discharge(prove_identity(more.args[1], equations), following, image)

        below, reached = language.Lt(j, end), language.Le(end, j)
        there = kernel.modus(resting, kernel.assume(reached))
        image = _image(
            following.conclusion.args[1].args[2], (end + 1) * width, kernel.assume(last), [there]
        )
        equations = [following.conclusion, image.conclusion]
        stays = T.discharge(prove_identity(rest.args[1], equations), following, image)
        close = kernel.integer_step(kernel.assume(below))
        same = kernel.antisymmetry(close, kernel.assume(rest.args[0]))
        whole = kernel.modus(T.implication(grown, more.args[0]), close)
        equations = [whole.conclusion, same.conclusion]
        arrives = T.discharge(prove_identity(rest.args[1], equations), whole, same)
        done = T.compare(j, end, arrives, stays)
        return T.both(T.implication(grown, more.args[0]), T.implication(done, rest.args[0]))

    return T.closed(T.induct_upto(j, n, claim, base, step), premise)


# ---------------------------------------------------------------------- precision.wigner
@control("inner_products_forgotten", SUMS_ALONE, wigner_bound=_exact_sums)
@control("two_phases", PHASES_ALONE, wigner_bound=_two_phases)
@control("eigenvectors_exact", STORED_ALONE, wigner_bound=_exact_eigenvectors)
@proves(WIGNER, "matrix")
def matrix(of: Composition) -> Theorem:
    """Size and error together grow by (1 + epsilon)(1 + kappa) with each phase."""
    premise, facts, goal = T.taken(statements.matrix(of))
    n1, n2, n3, m1, m2, o1, o2, e = (T.margin(fact) for fact in facts[-8:])
    epsilon, kappa = _named("epsilon kappa")
    rho = node((1 + epsilon) * (1 + kappa))
    form = e + o1 + o2 + rho * (m1 + m2) + rho**2 * (n1 + n2 + n3)
    return T.closed(prove_nonneg(goal, form, facts), premise)


@control("two_errors", FACTORS, homomorphism_bound=_two_errors)
@control("two_angles", ANGLES_ALONE, homomorphism_bound=_two_angles)
@control("factors_of_exact_norm", LARGE_PRODUCT, homomorphism_bound=_exact_norms)
@proves(WIGNER, "homomorphism")
def homomorphism(of: Composition) -> Theorem:
    """Two errors of factors, one of the product, three of the angles, one of the other side."""
    premise, facts, goal = T.taken(statements.homomorphism(of))
    first, second, product, *others = (T.margin(fact) for fact in facts[-7:])
    mu, r, single, norm = _named("mu r E F1")
    form = product + node(mu) * (node(norm) * second + node(r + single) * first)
    for other in others:
        form = form + other
    return T.closed(prove_nonneg(goal, form, facts), premise)


@control("half_of_it", {"l": 1, "delta": HALF}, steepness_square=_half_steepness)
@proves(WIGNER, "lipschitz")
def lipschitz(of: Composition) -> Theorem:
    """2 - 2 cos x <= x^2 in every eigenvalue, and the sum of the squares m^2."""
    goal = T.inner(statements.lipschitz(of))
    k, l, delta, n = _named("k l delta n")  # noqa: E741
    index, upper = node(k), node(2 * l + 1)
    angle = node((k - l) * delta)
    parabola = kernel.instantiate(kernel.meaning("cosine_above_parabola"), angle)
    term = language.Le(node(2 - 2 * statements.cos((k - l) * delta)), angle**2)
    below = prove_nonneg(term, 2 * T.margin(parabola.conclusion), [parabola.conclusion])
    summed = kernel.sum_congruence(T.discharge(below, parabola), index, upper)
    c = language.variable("c", language.Real)
    squares = language.total(index, node(n), (index - c) ** 2)
    size = node(n)
    closed = (size - 1) * size * (2 * size - 1) / 6 - c * size * (size - 1) + size * c**2
    whole = prove_by_induction(n, language.Eq(squares, closed))
    at = kernel.specialise(whole, {size: upper, c: node(l)})
    facts = [summed.conclusion, at.conclusion]
    return T.discharge(prove_nonneg(goal, T.margin(summed.conclusion), facts), summed, at)


@control("opposite_phase", phase=_opposite_phase)
@control("turned_back", quarter_turn=_turned_back)
@proves(WIGNER, "eigenvectors", "l = 1 and 2")
def eigenvectors(of: Composition) -> Theorem:
    """Entry by entry, in the field of the roots that occur."""
    return T.prove_tree(statements.eigenvectors(of))


# ---------------------------------------------------------------------- precision.softmax
def _above_line(at: Any) -> Theorem:
    """1 + x <= e^x."""
    return kernel.instantiate(kernel.meaning("exponential_above_line"), node(at))


def _mean_gap(gaps: Any, premise: Node) -> Theorem:
    """The bound of the mean gap of one sequence, from m <= W e^(1 + W)."""
    k, m, mean = _named("k m mean")
    gap, index, limit = node(gaps(k)), node(k), node(m)
    weight, peak = language.exp(-gap), language.exp(-1 * (1 + node(mean)))
    line = _above_line(gap - node(mean) - 1)
    term = language.Le((gap - node(mean)) * weight, peak)
    below = prove_nonneg(term, weight * T.margin(line.conclusion), [line.conclusion])
    summed = kernel.sum_congruence(T.discharge(below, line), index, limit)
    sums = [language.total(index, limit, part) for part in (gap * weight, weight)]
    goal = language.Le(sums[0], node(mean) * (1 + sums[1]))
    form = T.margin(summed.conclusion) + peak * T.margin(premise)
    return T.discharge(prove_nonneg(goal, form, [premise, summed.conclusion]), summed)


@control("too_many_gaps", {"m": 1, "W": Fraction(1, 5), "w": Fraction(6, 5)}, most=_too_many)
@proves(SOFTMAX, "mean_gap")
def mean_gap(of: Composition) -> Theorem:
    """(w - W) e^-w is largest at w = 1 + W, where it is e^-(1 + W)."""
    premise, facts, goal = T.taken(statements.mean_gap(of))
    bound = _mean_gap(statements.w, facts[0])
    fact = bound.conclusion
    return T.implication(T.discharge(prove_nonneg(goal, T.margin(fact), [fact]), bound), premise)


@control("shift_forgotten", {"W": 1, "M": statements.exp(1)}, most=_without_shift)
@proves(SOFTMAX, "attained")
def attained(of: Composition) -> Theorem:
    """The exponentials cancel."""
    premise, facts, goal = T.taken(statements.attained(of))
    return T.implication(prove_identity(goal, facts), premise)


@control("half_of_it", {"n": 4, "w": 1}, largest_mean=_half_logarithm)
@proves(SOFTMAX, "logarithm_of_terms")
def logarithm_of_terms(of: Composition) -> Theorem:
    """1 + w - ln n <= e^w / n, times e^-w and summed."""
    premise, facts, goal = T.taken(statements.logarithm_of_terms(of))
    k, count = _named("k count")
    gap, index, limit = node(statements.w(k)), node(k), node(count)
    weight, logarithm = language.exp(-gap), node(statements.largest_mean(count))
    line = _above_line(gap - logarithm)
    term = language.Le(weight * (1 + gap - logarithm), T.num(1) / limit)
    below = prove_nonneg(term, weight * T.margin(line.conclusion), [line.conclusion])
    summed = kernel.sum_congruence(T.discharge(below, line), index, limit)
    form = T.margin(summed.conclusion) + T.margin(facts[0])
    proof = prove_nonneg(goal, form, [*facts, summed.conclusion])
    return T.closed(T.discharge(proof, summed), premise)


@control("not_divided", ONE_GAP, spread=_undivided)
@proves(SOFTMAX, "normaliser")
def normaliser(of: Composition) -> Theorem:
    """e^x >= 1 + x turns the shift of every gap into a shift of the mean, which W bounds."""
    premise, facts, goal = T.taken(statements.normaliser(of))
    most, mean_sign, sign, small, steps = facts
    k, m, u, mean, c, v, w = _named("k m u mean c v w")
    index, limit, shift, unit, W = node(k), node(m), node(c), node(u), node(mean)
    inside = kernel.assume(language.Lt(index, limit))
    exact, stored = (node(gaps(k)) for gaps in (w, v))
    positive, low, high = _at(steps, index, inside)
    left = T.margin(small)
    solved, at_least = language.Eq(left * shift, unit * W), language.Le(0, shift)
    start = _above_line(shift)
    grown = language.exp(shift)

    def weighted(gap: Node) -> Node:
        return language.exp(-gap)

    def sums(gap: Node) -> Node:
        return 1 + language.total(index, limit, weighted(gap))

    known = [mean_sign, sign, small, solved, at_least, most]

    def transfer(there: Node, here: Node, near: Theorem, weight: Node, gaps: Any) -> Theorem:
        """sum of e^-here <= e^c sum of e^-there, the gaps `here` having mean at most W."""
        line = _above_line(here - there + shift)
        bound = weight * (1 + shift) * weighted(here) - unit * here * weighted(here)
        term = language.Le(bound, weight * grown * weighted(there))
        form = weight * weighted(here) * T.margin(line.conclusion)
        form = form + weighted(here) * T.margin(near.conclusion)
        below = prove_nonneg(term, form, [*known, line.conclusion, near.conclusion])
        summed = kernel.sum_congruence(T.discharge(below, line, near), index, limit)
        mean_bound = _mean_gap(gaps, most)
        form = T.margin(summed.conclusion) + weight * T.margin(start.conclusion)
        form = form + unit * T.margin(mean_bound.conclusion)
        if weight == T.num(1):
            form = form + unit * shift * sums(here)
        goal = language.Le(sums(here), sums(there) * grown)
        given = [*known, summed.conclusion, start.conclusion, mean_bound.conclusion]
        proof = prove_nonneg(goal, form * (1 / weight), given)
        return T.discharge(proof, summed, start, mean_bound)

    up = transfer(stored, exact, high, T.num(1), w)
    down = transfer(exact, stored, low, left, v)
    value = node(statements.spread(u, mean))
    vanishes = language.Eq(node(1 - u), T.num(0))
    nonzero = T.conclude_not(T.contradict([vanishes, small]), vanishes)
    both = []
    for theorem, part in zip((up, down), goal.args, strict=True):
        at = kernel.specialise(theorem, {shift: value})
        solution = prove_identity(T.instance(solved, c, value), [])
        sign_of = prove_nonneg(T.instance(at_least, c, value), unit * W / left, known[:3])
        at = T.discharge(at, solution, sign_of)
        fact = at.conclusion
        both.append(T.discharge(prove_nonneg(part, T.margin(fact), [fact, *known[:3]]), at))
    return T.closed(T.discharge(T.both(*both), nonzero), premise)


@control("additions_exact", ROUNDED_DOWN, additions=_exact_additions)
@proves(SOFTMAX, "summation")
def summation(of: Composition) -> Theorem:
    """Every addition multiplies what is there by 1 - u at least and by 1 / (1 - u) at most."""
    premise, facts, goal = T.taken(statements.summation(of))
    sign, small, start, positive, steps = facts
    u, n, s, b, k = _named("u n s b k")
    unit, kept = node(u), node(1 - u)
    base_sign = prove_nonneg(language.Le(0, kept), T.margin(small), [small])
    known = [sign, small, base_sign.conclusion]

    def claim(at: Node) -> Node:
        exact, left = language.total(node(k), at + 1, node(b(k))), language.power(kept, at)
        so_far = _value(s, at)
        bounds = [language.Le(left * exact, so_far), language.Le(left * so_far, exact)]
        return language.And(*bounds, language.Le(0, so_far), language.Le(left, 1))

    def term(at: Node, inside: Theorem) -> Theorem:
        return _at(positive, at, inside)[0]

    first = term(T.num(0), prove_order(language.Le(0, node(n))))
    low, high, size, one = claim(T.num(0)).args
    value = T.margin(first.conclusion)
    base = T.both(
        prove_nonneg(low, T.num(0), [start]),
        prove_nonneg(high, T.num(0), [start]),
        T.discharge(prove_nonneg(size, value, [start, first.conclusion]), first),
        prove_nonneg(one, T.num(0)),
    )

    def step(known_here: Theorem, inside: Theorem) -> Theorem:
        before = T.parts(known_here)
        equation, below, above = _at(steps, j, inside)
        added = term(j + 1, kernel.integer_step(inside))
        lower, upper, size, one = (T.margin(fact.conclusion) for fact in before)
        low, high = T.margin(below.conclusion), T.margin(above.conclusion)
        value, left = T.margin(added.conclusion), language.power(kept, j)
        shrunk = T.margin(small)
        whole = size + value
        forms = (
            whole * low + shrunk * (lower + value * one),
            left * whole * (shrunk * high + unit**2) + value * one + upper,
            whole * (low + shrunk),
            one + left * unit,
        )
        lemmas = [*before, equation, below, above, added]
        given = [*known, *(theorem.conclusion for theorem in lemmas)]
        parts = zip(claim(j + 1).args, forms, strict=True)
        return T.discharge(T.both(*(prove_nonneg(*part, given) for part in parts)), *lemmas)

    proof = T.parts(T.induct_upto(j, n, claim, base, step))
    bounds = []
    for part, theorem in zip(goal.args, proof, strict=False):
        fact = theorem.conclusion
        bounds.append(T.discharge(prove_nonneg(part, T.margin(fact), [fact]), theorem))
    return T.closed(T.discharge(T.both(*bounds), base_sign), premise)


@control("additions_exact", JOINED_DOWN, additions=_exact_additions)
@proves(SOFTMAX, "joined")
def joined(of: Composition) -> Theorem:
    """The same step with a sum in place of one term, so that every tree of additions is covered."""
    premise, facts, goal = T.taken(statements.joined(of))
    sign, small, low, high, *inside = facts
    first_low, first_high, first, second_low, second_high, second = map(T.margin, inside)
    u, m = _named("u m")
    kept, shrunk, whole = node(1 - u), T.margin(small), first + second
    base_sign = prove_nonneg(language.Le(0, kept), shrunk, [small])
    left = language.power(kept, node(m))
    lower = whole * T.margin(low) + shrunk * (first_low + second_low)
    upper = first_high + second_high
    upper = upper + left * whole * (shrunk * T.margin(high) + node(u) ** 2)
    known = [*facts, base_sign.conclusion]
    parts = zip(goal.args, (lower, upper), strict=True)
    both = T.both(*(prove_nonneg(part, form, known) for part, form in parts))
    return T.closed(T.discharge(both, base_sign), premise)


@control("gap_forgotten", FAR_BELOW, own_gap=_gap_forgotten)
@control("one_exponential", LARGE_EXPONENTIAL, kept=_one_exponential)
@control("division_exact", LARGE_QUOTIENT, kept=_exact_division)
@proves(SOFTMAX, "entry")
def entry(of: Composition) -> Theorem:
    """The stages one after the other, from the exact entry to the computed one and back."""
    premise, facts, goal = T.taken(statements.softmax_entry(of))
    margins = [T.margin(fact) for fact in facts[10:]]
    sums, terms = margins[:2], margins[2:6]
    below, above, weigh_low, weigh_high, divide_low, divide_high = margins[6:]
    m, u, t, c, out, gap, stored_gap = _named("m u t c out gap stored_gap")
    kept = node(1 - u)
    base_sign = prove_nonneg(language.Le(0, kept), T.margin(facts[8]), [facts[8]])
    # Spelt out as margins, whose signs the premises show.
    left, shrunk = T.margin(facts[8]), T.margin(facts[9])
    power = language.power(kept, node(m))
    weight, exact = language.exp(-node(stored_gap)), language.exp(-node(gap))
    grown, moved = language.exp(node(c)), language.exp(node(u * gap))
    quotient = node(out)
    lines = [_above_line(below), _above_line(above)]
    up = weight * (T.margin(lines[0].conclusion) + below) + weigh_high + shrunk * divide_high
    up = up + shrunk * left * quotient * (terms[2] + power * terms[0])
    up = grown * up + quotient * left * power * shrunk**2 * sums[0]
    down = left * power * shrunk**2 * exact * (T.margin(lines[1].conclusion) + above)
    rest = sums[1] + terms[1] + shrunk * terms[3]
    down = down + moved * (quotient * rest + shrunk * power * (divide_low + left * weigh_low))
    known = [*facts, base_sign.conclusion, *(line.conclusion for line in lines)]
    both = [
        prove_nonneg(part, form, known) for part, form in zip(goal.args, (up, down), strict=True)
    ]
    return T.closed(T.discharge(T.both(*both), base_sign, *lines), premise)


def _exponents(premise: Node, low: Any, high: Any, known: Sequence[Node]) -> Theorem:
    """R <= c + L + lambda from q e^R <= e^(c + L) and q e^lambda = 1."""
    over = language.Lt(node(high), node(low))
    line = _above_line(T.margin(over))
    form = premise.args[1] * (T.margin(line.conclusion) + T.margin(over)) + T.margin(premise)
    given = [*known, premise, over, line.conclusion]
    excluded = T.discharge(prove_nonneg(language.Lt(0, 0), form, given), line)
    goal = language.Le(node(low), node(high))
    return T.compare(node(high), node(low), T.ex_falso(excluded, goal), T.assume(goal))


def _scaled(factor: Sequence[Node], reach: Sequence[Node]) -> list[Node]:
    """t B - d x and t B + d x, from t + d, t - d and B - x, B + x."""
    return [(factor[0] * reach[side] + factor[1] * reach[1 - side]) / 2 for side in (0, 1)]


@control("result_stored_exactly", STORED_TWICE, log_sum_bound=_result_stored_exactly)
@control("second_order_dropped", LOGARITHM_TWICE, log_sum_bound=_second_order_dropped)
@proves(SOFTMAX, "logsumexp")
def logsumexp(of: Composition) -> Theorem:
    """The logarithms differ by c + lambda; then the logarithm is rounded, and the sum."""
    premise, facts, goal = T.taken(statements.logsumexp(of))
    (above_fact, below_fact, unit), rest = facts[5:8], facts[8:]
    c, lam, R, L = _named("c lam logarithm log_sum")
    above = _exponents(above_fact, R, c + L + lam, [unit])
    below = _exponents(below_fact, L, c + R + lam, [unit])
    logs = [T.margin(above.conclusion), T.margin(below.conclusion)]
    reach = [logs[0], logs[1] + 2 * node(L)]
    rounded = _scaled([T.margin(fact) for fact in rest[1:3]], reach)
    apart = [log + error for log, error in zip(logs, rounded, strict=True)]
    sizes = [T.margin(rest[4]) + apart[0], T.margin(rest[3]) + apart[1]]
    stored = _scaled([T.margin(fact) for fact in rest[6:8]], sizes)
    known = [*facts, above.conclusion, below.conclusion]
    low, high = goal.args
    both = T.both(
        prove_nonneg(low, stored[1] + apart[1], known),
        prove_nonneg(high, stored[0] + apart[0], known),
    )
    return T.closed(T.discharge(both, above, below), premise)


def _odds() -> tuple[Theorem, list[Node]]:
    """a' <= E a and b <= E b' bound the change of a / (a + b) by (E - 1) / (E + 1)."""
    a, a1, b, b1, E = language.variables("a x b y E", language.Real)
    signs = [language.Le(0, value) for value in (a, a1, b, b1)]
    one, up, down = language.Le(1, E), language.Le(a1, E * a), language.Le(b, E * b1)
    given = [*signs, one, up, down]
    more, before, after = T.margin(one), a1 * b, a * b1
    # With Y = (E - 1)(a a' + b b') and Z = 2 (a' b - E a b') the goal reads Z <= Y; otherwise
    # Z^2 - Y^2 > 0, and yet Y^2 - Z^2 = (E - 1)^2 (a a' - b b')^2 + 4 (E^2 Q - P)(P - Q).
    Y, Z = more * (a * a1 + b * b1), 2 * (before - E * after)
    over = language.Lt(Y, Z)
    excess = T.margin(over)
    steep = T.margin(up) * E * b1 + a1 * T.margin(down)
    form = excess * (excess + 2 * Y) + (more * (a * a1 - b * b1)) ** 2
    form = form + 4 * steep * ((excess + Y) / 2 + more * after)
    big = prove_nonneg(language.Le(0, E), more + 1, [one])
    excluded = prove_nonneg(language.Lt(0, 0), form, [*given, over, big.conclusion])
    fits = language.Le(Z, Y)
    whole = T.compare(Y, Z, T.ex_falso(T.discharge(excluded, big), fits), T.assume(fits))
    moved = (before - after) * (E + 1)
    goal = language.Le(moved, (E - 1) * (a + b) * (a1 + b1))
    proof = prove_nonneg(goal, T.margin(whole.conclusion), [whole.conclusion])
    return T.discharge(proof, whole), given


@control("half_of_it", CROSSED, half_tangent=_half_of_it)
@proves(SOFTMAX, "rows")
def rows(of: Composition) -> Theorem:
    """Odds grow by at most e^(2 D): the weight of an event by e^D, that of the rest as little."""
    premise, facts, goal = T.taken(statements.rows(of))
    sign, steps = facts
    k, n, x, y, b, D = _named("k n x y b D")
    index, limit = node(k), node(n)
    inside = kernel.assume(language.Lt(index, limit))
    low, high, positive, one = _at(steps, index, inside)
    weight, rest = node(b(k)), T.margin(one.conclusion)
    E = language.exp(node(D))
    lemmas = [low, high, positive, one]
    known = [theorem.conclusion for theorem in lemmas]

    def at_most(part: Node, less: Any, more: Any, near: Theorem) -> Theorem:
        """sum of part e^less <= E sum of part e^more."""
        line = _above_line(T.margin(near.conclusion))
        small, large = language.exp(node(less(k))), language.exp(node(more(k)))
        form = part * small * (T.margin(line.conclusion) + T.margin(near.conclusion))
        term = prove_nonneg(
            language.Le(part * small, E * (part * large)), form, [*known, line.conclusion]
        )
        return kernel.sum_congruence(T.discharge(term, line, *lemmas), index, limit)

    def sign_of(part: Node, row: Any) -> Theorem:
        term = part * language.exp(node(row(k)))
        nonneg = T.discharge(prove_nonneg(language.Le(0, term), term, known), *lemmas)
        return kernel.sum_congruence(nonneg, index, limit)

    def total(part: Node, row: Any) -> Node:
        return language.total(index, limit, part * language.exp(node(row(k))))

    sums = [total(weight, x), total(weight, y), total(rest, x), total(rest, y)]
    values = dict(zip(language.variables("a x b y E", language.Real), [*sums, E], strict=True))
    lemma, premises = _odds()
    theorem = kernel.specialise(lemma, values)
    larger = [at_most(weight, y, x, high), at_most(rest, x, y, low)]
    signs = [sign_of(part, row) for part in (weight, rest) for row in (x, y)]
    line = _above_line(D)
    at_least = prove_nonneg(
        language.Le(1, E), T.margin(line.conclusion) + T.margin(sign), [sign, line.conclusion]
    )
    have = [*signs, T.discharge(at_least, line), *larger]
    for wanted, lemma in zip(premises, have, strict=True):
        known = [lemma.conclusion]
        proof = prove_nonneg(language.substitute(wanted, values), T.margin(known[0]), known)
        theorem = T.discharge(theorem, T.discharge(proof, lemma))
    fact = theorem.conclusion
    form = T.margin(fact) / (E + 1)
    return T.closed(T.discharge(prove_nonneg(goal, form, [fact]), theorem), premise)


@control("half_of_it", half_tangent=_half_of_it)
@proves(SOFTMAX, "factorisation")
def factorisation(of: Composition) -> Theorem:
    """Both sides over one denominator."""
    return prove_identity(T.inner(statements.factorisation(of)))
