"""One look for every picture of the book.

Main definitions
----------------
axes       a figure and its axes in the house style
blank      the same without axes
picture    a finished figure as inline SVG for a page
cycle      colours with line styles, so that curves differ without colour too

Implementation notes
--------------------
Pictures are inline SVG, not images: text and rules take the colour of the page around them, which
is how one file reads in light and in dark mode.  The palette is of middle lightness, readable on
white and on near-black.  Identifiers inside a picture depend on its content alone, so two builds
give the same bytes.
"""

from __future__ import annotations

import hashlib
import html
import io
import re
from dataclasses import dataclass
from typing import Any

#: Middle-lightness colours that stay apart in greyscale when used with the line styles of `cycle`.
BLUE, ORANGE, GREEN, PURPLE, GREY = "#3f8fd0", "#d9722b", "#2f9e77", "#a874c9", "#8a8f98"
PALETTE = (BLUE, ORANGE, GREEN, PURPLE, GREY)
STYLES = ("-", "--", "-.", ":", (0, (6, 1.5, 1, 1.5, 1, 1.5)))

#: Draw in this colour what should take the text colour of the page.
INK = "#010203"
_STYLE: Any = {
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.facecolor": "none",
    "font.size": 10,
    "grid.alpha": 0.35,
    "grid.color": GREY,
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "lines.linewidth": 1.6,
    "savefig.facecolor": "none",
    "svg.fonttype": "path",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}
_FIRST_TAG = re.compile(r"<svg[^>]*>")


@dataclass(frozen=True)
class Picture:
    """Inline SVG with a text alternative."""

    svg: str
    alt: str

    def _repr_html_(self) -> str:
        return f'<figure class="picture">{self.svg}</figure>'

    def __repr__(self) -> str:
        return f"[picture: {self.alt}]"


def cycle(index: int) -> dict[str, Any]:
    """Colour and line style of curve `index`, as keywords for `plot`."""
    return {"color": PALETTE[index % len(PALETTE)], "linestyle": STYLES[index % len(STYLES)]}


def blank(width: float = 6.4, height: float = 3.2) -> Any:
    """An empty figure of `width` x `height` inches in the house style."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams.update(_STYLE)
    return plt.figure(figsize=(width, height), layout="constrained")


def axes(
    width: float = 6.4, height: float = 3.2, rows: int = 1, columns: int = 1, **kwargs: Any
) -> tuple[Any, Any]:
    """A figure of `width` x `height` inches and its axes; keywords are those of `subplots`."""
    figure = blank(width, height)
    return figure, figure.subplots(rows, columns, **kwargs)


def picture(figure: Any, alt: str) -> Picture:
    """The figure as inline SVG; `alt` says in one sentence what it shows.

    The figure is closed: a page that forgets to show it would otherwise show it twice.
    """
    import matplotlib
    import matplotlib.pyplot as plt

    buffer = io.StringIO()
    salt = hashlib.sha256(alt.encode()).hexdigest()[:8]
    with matplotlib.rc_context({"svg.hashsalt": salt}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return Picture(inline(buffer.getvalue(), alt, salt), alt)


def inline(document: str, alt: str, salt: str) -> str:
    """A standalone SVG document as an element of a page: own ids, own name, the page's ink."""
    body = document[document.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r'\bid="', f'id="{salt}-', body)
    body = re.sub(r'href="#', f'href="#{salt}-', body)
    body = body.replace("url(#", f"url(#{salt}-").replace(INK, "currentColor")
    name = f'<svg role="img" aria-label="{html.escape(alt, quote=True)}"'
    opening = _FIRST_TAG.search(body)
    if opening is None:
        raise ValueError("not an SVG document")
    return name + body[len("<svg") :]
