"""Statements and proofs as text and LaTeX.  Output only: nothing depends on it.

Conventions
-----------
Only products and quotients are read from left to right without parentheses; a sum over an index
extends over the product behind it, a quantifier to the end.  Parentheses say everything else, so
that one text stands for one value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from posproof.proofs_check.language import Node, num

GREEK = {
    "alpha",
    "beta",
    "gamma",
    "delta",
    "theta",
    "mu",
    "rho",
    "kappa",
    "sigma",
    "omega",
    "phi",
}
#: How tightly a head holds its parts together; what is not listed is closed by what it prints.
RANK = {
    **dict.fromkeys(("forall", "exists", "implies", "iff"), 0),
    "or": 1,
    "and": 2,
    **dict.fromkeys(("eq", "le", "lt", "same_content", "same_place"), 3),
    **dict.fromkeys(("add", "sub"), 4),
    "sum": 5,
    "div": 6,
    **dict.fromkeys(("mul", "compose"), 7),
    **dict.fromkeys(("pow", "power", "append", "concat"), 8),
}
CLOSED = 9
#: What each part of a head has to hold together at least; the last number is for all that follow.
NEEDED = {
    "or": (3,),
    "and": (3,),
    "implies": (0, 0),
    **dict.fromkeys(("eq", "le", "lt"), (4,)),
    "add": (4,),
    "sub": (4, 5),
    "sum": (0, 0, 6),
    **dict.fromkeys(("mul", "compose"), (7, 6)),
    "div": (7, CLOSED),
    **dict.fromkeys(("pow", "power"), (CLOSED, 0)),
    "concat": (8, CLOSED),
    "append": (8, CLOSED),
    "step": (CLOSED,),
}
#: LaTeX closes what is under a bar, and leaves open what the text closes.
RANK_LATEX = RANK | {"div": CLOSED}
NEEDED_LATEX = NEEDED | {
    "div": (0,),
    "implies": (1, 0),
    "iff": (1,),
    **dict.fromkeys(("transpose", "matrix_power", "entry"), (CLOSED, 0)),
}


@dataclass(frozen=True)
class Notation:
    """How one target format writes each head."""

    patterns: dict[str, str]
    domains: dict[str, str]
    greek: str
    rank: dict[str, int]
    needed: dict[str, tuple[int, ...]]


TEXT = Notation(
    {
        "add": "{0} + {1}",
        "sub": "{0} - {1}",
        "mul": "{0} {1}",
        "div": "{0}/{1}",
        "pow": "{0}^{1}",
        "compose": "{0} {1}",
        "transpose": "({0})^T",
        "pi": "pi",
        "matrix_power": "({0})^({1})",
        "entry": "({0})[{1},{2}]",
        "sqrt": "sqrt({0})",
        "sum": "sum_({0}<{1}) {2}",
        "sequence": "{0}({2})",
        "power": "{0}^({1})",
        "root": "root({0}, {1})",
        "abs": "|{0}|",
        "max": "max({0}, {1})",
        "floor": "floor({0})",
        "chebyshevt": "T_({0})({1})",
        "chebyshevu": "U_({0})({1})",
        "det": "det({0})",
        "predicate": "{0}({1})",
        "log": "log({0})",
        "empty": "()",
        "unit": "1",
        "append": "{0}.{1}",
        "concat": "{0}.{1}",
        "step": "T_{0}",
        "journey": "J({0})",
        "back": "back({0})",
        "transport": "J_{0}({1}; {2})",
        "norm": "||{0}||",
        "eq": "{0} = {1}",
        "le": "{0} <= {1}",
        "lt": "{0} < {1}",
        "not": "not ({0})",
        "same_content": "content({0}) = content({1})",
        "same_place": "place({0}) = place({1})",
        "implies": "({0}) => {1}",
        "iff": "({0}) <=> ({1})",
        "forall": "for all {0}: {1}",
        "exists": "exists {0}: {1}",
        "opaque": "{0}",
    },
    {
        "real": "real",
        "positive": "> 0",
        "rational": "rational",
        "integer": "integer",
        "letter": "letter",
        "word": "word",
        "operator": "operator",
    },
    "",
    RANK,
    NEEDED,
)
LATEX = Notation(
    TEXT.patterns
    | {
        "mul": r"{0}\,{1}",
        "div": r"\frac{{{0}}}{{{1}}}",
        "pow": "{0}^{{{1}}}",
        "power": "{0}^{{{1}}}",
        "root": r"\sqrt[{1}]{{{0}}}",
        "max": r"\max({0}, {1})",
        "floor": r"\lfloor {0} \rfloor",
        "log": r"\log({0})",
        "transpose": r"{0}^{{\top}}",
        "pi": r"\pi",
        "matrix_power": r"{0}^{{{1}}}",
        "sqrt": r"\sqrt{{{0}}}",
        "sum": r"\sum_{{{0}=0}}^{{{1}-1}} {2}",
        "entry": "{0}_{{{1}{2}}}",
        "step": "T_{{{0}}}",
        "le": r"{0} \le {1}",
        "not": r"\lnot({0})",
        "empty": r"\varnothing",
        "same_content": r"{0} \sim {1}",
        "same_place": r"{0} \approx {1}",
        "back": r"\bar{{{0}}}",
        "transport": r"J_{{{0}}}({1};\,{2})",
        "norm": r"\lVert {0} \rVert",
        "implies": r"{0} \Rightarrow {1}",
        "iff": r"{0} \Leftrightarrow {1}",
        "forall": r"\forall {0}:\ {1}",
        "exists": r"\exists {0}:\ {1}",
    },
    {
        "real": r"\in\mathbb{R}",
        "positive": "> 0",
        "rational": r"\in\mathbb{Q}",
        "integer": r"\in\mathbb{Z}",
        "letter": "",
        "word": r"\in A^*",
        "operator": "",
    },
    "\\",
    RANK_LATEX,
    NEEDED_LATEX,
)


def text(node: Node) -> str:
    return write(node, TEXT)


def latex(node: Node) -> str:
    return write(node, LATEX)


def write(node: Node, notation: Notation) -> str:
    match node.head, node.args:
        case "num", (value,):
            return str(value)
        case "var", (name, _):
            return notation.greek + name if name in GREEK else name
        case "not", (Node(head="eq", args=(a, b)),):
            sign = r"\ne" if notation is LATEX else "!="
            return f"{write(a, notation)} {sign} {write(b, notation)}"
        case ("cos" | "sin" | "cosh" | "sinh" | "exp") as name, (a,):
            return f"{notation.greek}{name}({write(a, notation)})"
        case "sub", (Node(head="unit"), Node(head="unit")):
            return "0"
        case "operator", (name, *at):
            return f"{name}({', '.join(write(t, notation) for t in at)})"
        case "matrix", (columns, *cells):
            return _matrix([write(c, notation) for c in cells], columns, notation)
        case "forall" | "exists", _:
            return _quantified(node, notation)
        case ("add", (a, b)) if _opposite(b) is not None:
            return _difference(a, _opposite(b), notation)
        case ("add", (a, b)) if _opposite(a) is not None:
            return _difference(b, _opposite(a), notation)
        case "mul", _ if (opposite := _opposite(node)) is not None:
            return f"-{_part('sub', 1, opposite, notation)}"
        case "and" | "or" as name, parts:
            glue = {"and": r" \land ", "or": r" \lor "}[name] if notation is LATEX else f" {name} "
            return glue.join(_part(name, i, p, notation) for i, p in enumerate(parts))
    written = [_part(node.head, i, a, notation) for i, a in enumerate(node.args)]
    return notation.patterns[node.head].format(*written)


def _opposite(node: Node) -> Node | None:
    """t for a term that is written as -t: a negative number, alone or as the first factor."""
    match node.head, node.args:
        case "num", (value,) if value < 0:
            return num(-value)
        case "mul", (a, b) if (positive := _opposite(a)) is not None:
            return b if positive == num(1) else positive * b
    return None


def _difference(left: Node, right: Node | None, notation: Notation) -> str:
    return write(Node("sub", (left, right)), notation)


def _quantified(node: Node, notation: Notation) -> str:
    """Neighbouring quantifiers of one kind as one, names of one domain together."""
    head, groups = node.head, list[tuple[list[str], str]]()
    while node.head == head:
        name, node = node.args
        domain = _domain(name, notation)
        if not groups or groups[-1][1] != domain:
            groups.append(([], domain))
        groups[-1][0].append(write(name, notation))
    bound = "; ".join(f"{', '.join(names)} {domain}".rstrip() for names, domain in groups)
    return notation.patterns[head].format(bound, write(node, notation))


def _part(head: str, position: int, value: Any, notation: Notation) -> str:
    if not isinstance(value, Node):
        return str(value)
    written = write(value, notation)
    needed = notation.needed.get(head, (0,))
    loose = _rank(value, notation) < needed[min(position, len(needed) - 1)]
    joined = head == "implies" and position == 1 and value.head in ("and", "or", "iff")
    signed = head == "add" and position == 1 and written.startswith("-")
    return f"({written})" if loose or joined or signed else written


def _rank(value: Node, notation: Notation) -> int:
    if _opposite(value) is not None or value.head == "num" and value.args[0].denominator > 1:
        return RANK["add"]
    return notation.rank.get(value.head, CLOSED)


def _domain(name: Node, notation: Notation) -> str:
    domain = name.args[1]
    if domain.kind in ("box", "finite"):
        return _range(domain.kind, domain.values, notation)
    lower = "" if domain.lower is None else f" >= {domain.lower}"
    if notation is LATEX and domain.lower is not None:
        return rf"\ge {domain.lower}"
    return notation.domains[domain.kind] + lower


def _range(kind: str, values: tuple[Any, ...], notation: Notation) -> str:
    """An interval by its ends, a finite set by its members or, when long, its first and last."""
    member = r"\in " if notation is LATEX else "in "
    if kind == "box":
        return f"{member}[{values[0]}, {values[1]}]"
    dots = r"\ldots" if notation is LATEX else "..."
    shown = [str(v) for v in values]
    listed = shown if len(shown) <= 6 else [*shown[:2], dots, shown[-1]]
    inside = ", ".join(listed)
    return member + (rf"\{{{inside}\}}" if notation is LATEX else f"{{{inside}}}")


def _matrix(cells: list[str], columns: int, notation: Notation) -> str:
    rows = [cells[i : i + columns] for i in range(0, len(cells), columns)]
    if notation is LATEX:
        body = r" \\ ".join(" & ".join(r) for r in rows)
        return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
    return "[" + "; ".join(", ".join(r) for r in rows) + "]"


# ---------------------------------------------------------------------- proofs
def steps(theorem: Any) -> list[Any]:
    """The theorems a proof goes through, each once, premises first."""
    order: dict[int, Any] = {}

    def visit(t: Any) -> None:
        if id(t) in order:
            return
        for premise in t.premises:
            visit(premise)
        order[id(t)] = t

    visit(theorem)
    return list(order.values())


def proof_text(theorem: Any) -> str:
    order = steps(theorem)
    number = {id(t): k for k, t in enumerate(order, 1)}
    lines = []
    for k, t in enumerate(order, 1):
        given = "; ".join(text(h) for h in t.hypotheses)
        source = ", ".join(str(number[id(p)]) for p in t.premises)
        lines.append(
            f"{k:3}. {given + ' |- ' if given else ''}{text(t.conclusion)}"
            f"    [{t.rule}{' ' + source if source else ''}{_reason(t)}]"
        )
    return "\n".join(lines)


def _reason(t: Any) -> str:
    match t.rule:
        case "identity" | "contradiction":
            used = sum(q != 0 for c in t.detail for q in c.cofactors)
            return f": {used} relation(s)" if used else ": expands to 0"
        case "nonneg":
            return f": equals {text(t.detail[0])}"
        case "cite":
            return f": {t.detail}"
        case "enclosure" | "exhaust":
            return f": {t.detail} pieces"
    return ""


def proof_latex(theorem: Any) -> str:
    rows = [
        rf"{k}.\ & {latex(t.conclusion)} && \text{{{t.rule.replace('_', ' ')}}} \\"
        for k, t in enumerate(steps(theorem), 1)
    ]
    return "\\begin{align*}\n" + "\n".join(rows) + "\n\\end{align*}"


def point_text(point: dict[Any, Any]) -> str:
    """A counterexample, readable: words without commas, listed sequences with them."""

    def value(x: Any) -> str:
        if isinstance(x, tuple):
            word = all(isinstance(letter, str) for letter in x)
            return ("".join(x) or "()") if word else f"({', '.join(map(str, x))})"
        return str(x.tolist()) if hasattr(x, "tolist") else str(x)

    names = {k: k if isinstance(k, str) else text(k) for k in point if k != "step"}
    shown = [f"{name} = {value(point[k])}" for k, name in names.items()]
    spelt = any(k.args[1].kind in ("letter", "word") for k in names if isinstance(k, Node))
    if spelt and "step" in point and not any(map(callable, point.values())):
        shown += [f"T_{letter} = {value(x)}" for letter, x in point["step"].items()]
    return ", ".join(shown)
