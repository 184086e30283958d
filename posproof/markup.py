"""Text that a page of the book shows as its own.

Main definitions
----------------
Markdown, Html    what a cell returns
table, display    a Markdown table; display formulas that fit a narrow screen
folded            a table that is closed when it is long
link, anchor      to a claim's statement
number, count     a measured value; how many of how many
code              anything verbatim inside a table
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from typing import Any


@dataclass(frozen=True)
class Markdown:
    """Text a page shows as if it had been written there."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Html:
    """Markup a page shows as it is."""

    text: str

    def _repr_html_(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return "[markup]"


#: Glyphs of a display formula that a phone shows at full size; longer ones are cut into lines.
NARROW = 24
_IGNORED = re.compile(
    r"\\(?:text|mathbb|mathrm|tfrac|frac|operatorname|left|right|bigl|bigr)(?![a-z])"
    r"|[{}_^]|\\[ ,;!:]"
)
_WORDS = re.compile(r"\\text\{([^{}]*)\}")
#: Where a line that is too long is cut, best first: the mark, what stays before and after the cut.
_CUTS = (
    (r"\implies", "", r"\implies"),
    (r"\iff", "", r"\iff"),
    (r":\ ", ":", ""),
    (r",\ ", ",", ""),
    (r", \text", ",", r"\text"),
    ("=", "", "="),
)
#: A left side of an equation as short as this does not get a line of its own.
SHORT = 4


def display(latex: str) -> str:
    r"""A formula for readers: set apart, in lines a phone can show; mostly words, as a sentence."""
    if len("".join(_WORDS.findall(latex))) > NARROW:
        return sentence(latex)
    lines = [line for part in cut_at(latex, r"\quad") for line in fitted(part)]
    if len(lines) == 1:
        return f"$$\n{latex}\n$$"
    rows = " \\\\\n".join(f"& {line}" for line in lines)
    return f"$$\n\\begin{{aligned}}\n{rows}\n\\end{{aligned}}\n$$"


def sentence(latex: str) -> str:
    r"""A formula that is mostly `\text` as a sentence with formulas in it.

    >>> sentence(r"\text{every } b > 1 \text{ will do}")
    'every $b > 1$ will do'
    """
    shown = []
    flat = latex.replace(r"\quad", r"\ ")
    for index, part in enumerate(_WORDS.split(flat)):
        if index % 2:
            shown.append(part)
            continue
        pieces = [re.sub(r"^(?:\\ |\s)+|(?:\\ |\s|\\$)+$", "", p) for p in cut_at(part, r",\ ")]
        formulas = ", ".join(f"${piece}$" for piece in pieces if piece)
        before, after = part.startswith(","), part.rstrip(" \\").endswith(",")
        shown.append(f"{', ' * before}{formulas}{',' * after}")
    return re.sub(r"\s+", " ", " ".join(filter(None, shown))).replace(" ,", ",").strip()


def fitted(line: str, cuts: Sequence[tuple[str, str, str]] = _CUTS) -> list[str]:
    """`line` in as few lines of at most `NARROW` glyphs as the marks of `cuts` allow."""
    if width(line) <= NARROW or not cuts:
        return [line]
    mark, before, after = cuts[0]
    pieces = cut_at(line, mark)
    filled = pieces[:1]
    for piece in pieces[1:]:
        space = "" if piece.startswith("{") else " "  # of the command before it
        joined = f"{filled[-1]}{mark}{space}{piece}"
        side = _WORDS.split(filled[-1])[-1]
        if width(joined) <= NARROW or (mark == "=" and width(side) <= SHORT):
            filled[-1] = joined
        else:
            filled[-1] += before
            filled.append(f"{after}{space}{piece}".strip())
    return [part for piece in filled for part in fitted(piece, cuts[1:])]


def width(latex: str) -> int:
    """Roughly how many glyphs a formula shows: a command counts one, its braces nothing."""
    return len(re.sub(r"\\[A-Za-z]+", "x", _IGNORED.sub("", latex)).replace(" ", ""))


def cut_at(latex: str, mark: str) -> list[str]:
    r"""`latex` without every `mark` that stands outside braces and parentheses, in parts.

    >>> cut_at(r"a = b \quad (c \quad d)", r"\quad")
    ['a = b', '(c \\quad d)']
    """
    parts, depth, start, at = [], 0, 0, 0
    while at < len(latex):
        after = latex[at + len(mark) : at + len(mark) + 1]
        # `\iff` must not be found in a longer command.
        whole = latex.startswith(mark, at) and not (mark[-1].isalpha() and after.isalpha())
        if whole and depth == 0:
            parts.append(latex[start:at])
            start = at = at + len(mark)
        elif latex[at] == "\\":
            depth += {r"\{": 1, r"\}": -1}.get(latex[at : at + 2], 0)
            at += 2
        else:
            depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(latex[at], 0)
            at += 1
    parts.append(latex[start:])
    return [part.strip() for part in parts if part.strip()]


#: Rows a reader sees without asking; a longer table is folded.
OPEN_ROWS = 8


def folded(title: str, body: str, rows: int) -> Markdown:
    """A titled table, closed until the reader opens it when it has many rows."""
    if rows <= OPEN_ROWS:
        return Markdown(f"{title}\n\n{body}")
    return Markdown(f":::{{admonition}} {title}\n:class: dropdown\n\n{body}\n:::")


def link(claim_id: str) -> str:
    """A link to the statement of a claim."""
    return f"[{claim_id.partition('.')[2]}](#{claim_id})"


def number(value: Any, up: bool = False) -> str:
    """Three digits of a measured value or bound; a bound is rounded up."""
    if value is None:
        return ""
    try:
        exact = Decimal(str(value))
    except InvalidOperation:
        return str(value)
    if not exact.is_finite():
        return str(value)
    if exact == 0:
        return "0"
    short = Context(3, rounding=ROUND_CEILING if up else ROUND_HALF_EVEN).create_decimal(exact)
    return f"{short:.3g}" if 0.001 <= abs(short) < 10000 else f"{short:.2e}"


def count(good: int, everything: int | None = None) -> str:
    """How many, `of` all where some are missing, a dash where there are none; for a narrow cell."""
    shown = str(good) if everything in (None, good) else f"{good} of {everything}"
    return f"[{shown if good or everything else '—'}]{{.number}}"


def code(text: str) -> str:
    """`text` verbatim, on one line and safe inside a table."""
    text = text.replace("|", "\\|").replace("\n", " ")
    return f"`{text}`" if text else ""


def _cell(text: str) -> str:
    """A number in exponent notation stays on one line; an empty cell shows that it is empty."""
    return f"[{text}]{{.number}}" if re.fullmatch(r"[\d.]+e[-+]\d+", text) else text or "—"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Markdown:
    """A Markdown table; cells are one line each."""
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(_cell(text) for text in row) + " |" for row in rows]
    return Markdown("\n".join(lines))


def anchor(claim_id: str) -> str:
    """The identifier that the anchor of a claim gets in HTML."""
    return claim_id.replace(".", "-").replace("_", "-").lower()
