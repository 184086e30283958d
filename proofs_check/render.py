"""Statements and proofs as text, LaTeX and JSON.  Output only: nothing depends on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from posproof.proofs_check.language import Node

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
RANK = {"add": 1, "sub": 1, "mul": 2, "div": 2, "compose": 2, "pow": 4}


@dataclass(frozen=True)
class Notation:
    """How one target format writes each head."""

    patterns: dict[str, str]
    domains: dict[str, str]
    greek: str


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
        "forall": "for all {0} {d}: {1}",
        "exists": "exists {0} {d}: {1}",
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
)
LATEX = Notation(
    TEXT.patterns
    | {
        "mul": r"{0}\,{1}",
        "div": r"\frac{{{0}}}{{{1}}}",
        "pow": "{0}^{{{1}}}",
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
        "forall": r"\forall {0} {d}:\ {1}",
        "exists": r"\exists {0} {d}:\ {1}",
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
        case "and" | "or" as name, parts:
            glue = {"and": r" \land ", "or": r" \lor "}[name] if notation is LATEX else f" {name} "
            return glue.join(write(p, notation) for p in parts)
    written = [_part(node.head, i, a, notation) for i, a in enumerate(node.args)]
    domain = _domain(node.args[0], notation) if node.head in ("forall", "exists") else ""
    return notation.patterns[node.head].format(*written, d=domain)


def _part(head: str, position: int, value: Any, notation: Notation) -> str:
    if not isinstance(value, Node):
        return str(value)
    written = write(value, notation)
    inner = RANK.get(value.head, 9)
    if value.head == "num" and (value.args[0] < 0 or value.args[0].denominator > 1):
        inner = 1
    if head == "div" and notation is LATEX:
        return written
    tight = head in ("sub", "div") and position == 1
    needed = RANK.get(head, 0)
    return f"({written})" if inner < needed or (tight and inner <= needed) else written


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
    order: list[Any] = []

    def visit(t: Any) -> None:
        if any(t is seen for seen in order):
            return
        for premise in t.premises:
            visit(premise)
        order.append(t)

    visit(theorem)
    return order


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
