"""The built book in a browser whose network ends at this machine.

Each thing looked for has a negative control: the same look at a book from which it was taken.
"""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.browser

HERE = "127.0.0.1"
#: Width of a common phone in CSS pixels.
PHONE = 390
#: How far a formula may be shrunk before a reader has to enlarge the page.
SMALLEST = 0.6
MATHJAX = "_static/mathjax/tex-svg-full.js"
#: The right edge of each formula that is shown, and how much it is shrunk.
PLACES = """() => [...document.querySelectorAll('article .math mjx-container > svg')]
    .filter(svg => svg.getClientRects().length && !svg.closest('table'))
    .map(svg => {
        const box = svg.getBoundingClientRect();
        const unit = parseFloat(getComputedStyle(svg).fontSize);
        return [box.right, box.width / (svg.viewBox.baseVal.width / 1000 * unit)];
    })"""


@dataclass
class Visit:
    """A page that was opened, with what it asked of other machines and what went wrong in it."""

    page: Any
    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without writing a log."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of `folder` on this machine."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer((HERE, 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{HERE}:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def html(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book, built for these tests.  The browser is asked for first: without it, no build."""
    from posproof import bookbuild

    out = tmp_path_factory.mktemp("book")
    assert bookbuild.build(out) == 0
    return bookbuild.html(out)


@pytest.fixture(scope="module")
def address(html: Path) -> Iterator[str]:
    with served(html) as where:
        yield where


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@dataclass(frozen=True)
class Seen:
    """What a page showed: formulas written and typeset, ids, and formulas at a phone's width."""

    written: int
    typeset: int
    outside: list[str]
    errors: list[str]
    ids: frozenset[str]
    on_phone: list[tuple[float, float]]
    phone_width: int


@pytest.fixture(scope="module")
def seen(html: Path, browser: Any, address: str) -> dict[str, Seen]:
    """Every page of the book, opened once: wide, then as wide as a phone."""
    found = {}
    for name in names(html):
        with opened(browser, f"{address}/{name}") as visit:
            page = visit.page
            counts = formulas(page)
            ids = page.evaluate("[...document.querySelectorAll('[id]')].map(node => node.id)")
            page.set_viewport_size({"width": PHONE, "height": 800})
            found[name] = Seen(
                *counts,
                visit.outside,
                visit.errors,
                frozenset(ids),
                page.evaluate(PLACES),
                page.evaluate("document.documentElement.scrollWidth"),
            )
    return found


@contextmanager
def opened(browser: Any, url: str, **options: Any) -> Iterator[Visit]:
    """`url` in a fresh context; requests to other machines are recorded and aborted."""
    context = browser.new_context(**options)
    visit = Visit(context.new_page())

    def guard(route: Any) -> None:
        parts = urlsplit(route.request.url)
        if parts.scheme in ("http", "https") and parts.hostname != HERE:
            visit.outside.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    context.route("**/*", guard)
    visit.page.on("pageerror", lambda error: visit.errors.append(str(error)))
    visit.page.goto(url, wait_until="load")
    visit.page.wait_for_load_state("networkidle")
    settle(visit.page)
    yield visit
    context.close()


def settle(page: Any) -> None:
    """Wait for MathJax where it loaded; a page without it has nothing to wait for."""
    page.evaluate("window.MathJax && MathJax.startup ? MathJax.startup.promise : null")


def formulas(page: Any) -> tuple[int, int]:
    """Formulas in the page's source, and those that were typeset without an error."""
    written = page.locator("span.math, div.math").count()
    # MathJax frames what it cannot parse, and writes a command it does not know in red.
    wrong = "[data-mml-node=merror], [fill=red]"
    done = f"document.querySelectorAll('.math mjx-container svg:not(:has({wrong}))')"
    return written, page.evaluate(f"new Set([...{done}].map(s => s.closest('.math'))).size")


def names(html: Path) -> list[str]:
    """Every page with content."""
    generated = {"genindex.html", "search.html"}
    return sorted(
        str(path.relative_to(html))
        for path in html.rglob("*.html")
        if path.name not in generated and "_static" not in path.parts
    )


def test_every_page_is_complete_without_a_network(seen: dict[str, Seen]) -> None:
    assert len(seen) >= 10
    for name, page in seen.items():
        assert (name, page.outside) == (name, [])
        assert (name, page.errors) == (name, [])
        assert (name, page.typeset) == (name, page.written)
    assert sum(page.written for page in seen.values()) > 100


def test_a_phone_shows_every_formula_whole(seen: dict[str, Seen]) -> None:
    """No formula passes the right edge, none is shrunk beyond reading, and no page scrolls."""
    for name, page in seen.items():
        assert all(right <= PHONE for right, _ in page.on_phone), name
        assert min((scale for _, scale in page.on_phone), default=1) >= SMALLEST, name
        assert page.phone_width <= PHONE, name


def test_the_search_finds_a_word_of_a_claim(browser: Any, address: str) -> None:
    def hits(word: str) -> list[str]:
        with opened(browser, f"{address}/search.html?q={word}") as visit:
            visit.page.wait_for_function(
                "/finished|did not match/.test(document.querySelector('#search-results').innerText)"
            )
            found = visit.page.locator("ul.search li a").all()
            assert visit.outside == []
            return [link.get_attribute("href") or "" for link in found]

    assert any("mobius/ladder.html" in href for href in hits("holonomy"))
    assert hits("unfindable") == []


def test_dark_mode_changes_the_page_and_its_pictures(browser: Any, address: str) -> None:
    def colours(scheme: str) -> list[list[float]]:
        script = """() => {
            const of = (node, what) => getComputedStyle(node)[what].match(/[\\d.]+/g).map(Number);
            const ink = document.querySelector('figure.picture svg');
            return [of(document.body, 'backgroundColor'), of(ink, 'color')];
        }"""
        with opened(browser, f"{address}/mobius/index.html", color_scheme=scheme) as visit:
            found: list[list[float]] = visit.page.evaluate(script)
            return found

    def lightness(colour: list[float]) -> float:
        return sum(colour[:3]) / (3 * 255)

    (day, day_ink), (night, night_ink) = colours("light"), colours("dark")
    assert lightness(day) > 0.9
    assert lightness(night) < 0.2
    assert lightness(day_ink) < 0.35
    assert lightness(night_ink) > 0.65


def test_the_button_changes_the_mode(browser: Any, address: str) -> None:
    with opened(browser, f"{address}/index.html", color_scheme="light") as visit:
        theme = "document.documentElement.dataset.theme"
        seen = {visit.page.evaluate(theme)}
        for _ in range(3):
            visit.page.locator("button.theme-switch-button:visible").first.click()
            seen.add(visit.page.evaluate(theme))
        assert seen == {"light", "dark"}


def test_every_node_of_the_graph_leads_to_its_statement(
    browser: Any, address: str, seen: dict[str, Seen]
) -> None:
    with opened(browser, f"{address}/index.html") as visit:
        links = visit.page.eval_on_selector_all(
            ".graph a", "nodes => nodes.map(a => a.href.baseVal ?? a.getAttribute('xlink:href'))"
        )
        assert len(links) >= 16
        visit.page.locator(".graph a").first.click()
        visit.page.wait_for_load_state()
        assert visit.page.url.endswith(links[0])
    for page, _, anchor in (link.partition("#") for link in links):
        assert anchor in seen[page].ids, anchor


# ---------------------------------------------------------------------- controls
@pytest.fixture
def damaged(html: Path, tmp_path: Path) -> Path:
    """A copy of the book, to be damaged."""
    return Path(shutil.copytree(html, tmp_path / "html"))


def test_a_missing_mathjax_is_noticed(damaged: Path, browser: Any) -> None:
    (damaged / MATHJAX).unlink()
    with served(damaged) as where, opened(browser, f"{where}/mobius/ladder.html") as visit:
        written, typeset = formulas(visit.page)
        assert written > 0
        assert typeset == 0


def test_a_formula_that_does_not_parse_is_noticed(damaged: Path, browser: Any) -> None:
    page = damaged / "mobius" / "ladder.html"
    page.write_text(page.read_text().replace(r"\theta_i N", r"\thetta_i N"))
    with served(damaged) as where, opened(browser, f"{where}/mobius/ladder.html") as visit:
        written, typeset = formulas(visit.page)
        assert typeset < written


def test_a_foreign_script_is_noticed(damaged: Path, browser: Any) -> None:
    page = damaged / "index.html"
    foreign = '<script src="https://scripts.example/x.js"></script></body>'
    page.write_text(page.read_text().replace("</body>", foreign))
    with served(damaged) as where, opened(browser, f"{where}/index.html") as visit:
        assert visit.outside == ["https://scripts.example/x.js"]


def test_a_script_that_fails_is_noticed(damaged: Path, browser: Any) -> None:
    page = damaged / "index.html"
    page.write_text(page.read_text().replace("</body>", "<script>absent()</script></body>"))
    with served(damaged) as where, opened(browser, f"{where}/index.html") as visit:
        assert any("absent" in error for error in visit.errors)


def test_an_overlong_formula_is_noticed_on_a_phone(damaged: Path, browser: Any) -> None:
    """Undo the rule that shrinks a formula: then a long one must pass the edge."""
    page = damaged / "conventions.html"
    wide = "+".join(["x"] * 60)
    formula = f'<div class="math notranslate nohighlight">\\[{wide}\\]</div></article>'
    text = page.read_text()
    assert "</article>" in text
    page.write_text(text.replace("</article>", formula, 1))
    (damaged / "_static" / "book.css").write_text("")
    viewport = {"width": PHONE, "height": 800}
    with (
        served(damaged) as where,
        opened(browser, f"{where}/conventions.html", viewport=viewport) as visit,
    ):
        assert max(right for right, _ in visit.page.evaluate(PLACES)) > PHONE
