"""Builds the book of a checkout and serves it.

Main definitions
----------------
build   the run, then the pages; non-zero when a claim fails or a page does not build
serve   the built pages on this machine
html    where the pages are

Implementation notes
--------------------
The pages are executed on every build: a cache of executed pages is keyed by their own text and
would not notice that a claim has changed.  What is shared is the run (see `posproof.pages`).

Jupyter Book's `build_sphinx` runs in a process of its own, because Sphinx changes global state.
Pages are read one after the other: read in parallel, Sphinx hides why a page failed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from posproof import pages

CLONE = "git clone the posproof repository and run `make book` there"
#: 2026-01-01, stamped on everything that would otherwise carry the hour of the build.
EPOCH = "1767225600"
#: Settings of the pages' processes; the reader's own IPython profile must not change the book.
IPYTHON = """\
c.IPKernelApp.log_level = "ERROR"
c.HistoryManager.enabled = False
"""


class NoBook(RuntimeError):
    """The book's sources are not here: an installed package carries none."""


def sources() -> Path:
    """The book folder of the checkout; NoBook elsewhere."""
    root = pages.checkout()
    if root is None:
        raise NoBook(f"the book is built in a checkout; {CLONE}")
    return root / "book"


def html(out: Path | None = None) -> Path:
    """Where the pages are, or will be, for the output folder `out`."""
    return (sources() / "_build" if out is None else out) / "html"


def build(out: Path | None = None) -> int:
    """Build the HTML book below `out` (the book's own `_build` by default); 0 when all is well.

    A claim that is not verified is named on stderr; the first page that needs it does not build.
    Warnings are errors.  Raises NoBook outside a checkout.
    """
    book = sources()
    failed = [e for e in pages.results()["claims"] if e["verdict"] != "verified"]
    for entry in failed:
        print(f"{entry['id']} is {entry['verdict']}", file=sys.stderr)
    target = html(out)
    settings = target.parent / ".ipython"
    profile = settings / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(IPYTHON, encoding="utf-8")
    command = [sys.executable, "-m", "posproof.bookbuild", str(book), str(target)]
    code = subprocess.run(command, env=environment(book.parent, settings), check=False).returncode
    return code or int(bool(failed))


def environment(root: Path, settings: Path) -> dict[str, str]:
    """The environment of the build: this checkout's packages, a fixed date, no outside settings."""
    path = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))
    # Page processes start in the folder of their page; only PYTHONPATH leads them back here.
    fixed = {"PYTHONPATH": path, "SOURCE_DATE_EPOCH": EPOCH, "PYTHONHASHSEED": "0"}
    return {**os.environ, **fixed, "IPYTHONDIR": str(settings)}


def run_sphinx(book: Path, target: Path) -> int:
    """Build every page of `book` into `target` in this process."""
    from jupyter_book.sphinx import build_sphinx

    done = build_sphinx(
        book,
        target,
        noconfig=True,
        path_config=book / "_config.yml",
        confoverrides={
            "external_toc_path": "_toc.yml",
            "latex_individualpages": False,
            "nitpicky": True,
        },
        force_all=True,
        freshenv=True,
        quiet=True,
        warningiserror=True,
        keep_going=True,
    )
    if isinstance(done, int):
        return done
    print(f"{done}: {cause(done)}", file=sys.stderr)
    return 2


def cause(failure: BaseException) -> str:
    """The last line of what first went wrong: for a page, the exception of its failing cell."""
    while failure.__cause__ is not None:
        failure = failure.__cause__
    # A cell's traceback is coloured for terminals.
    plain = re.sub(r"\x1b\[[0-9;]*m", "", str(failure)).strip()
    return plain.splitlines()[-1] if plain else type(failure).__name__


def serve(port: int = 8000, out: Path | None = None) -> int:
    """Build, then serve the pages on this machine until interrupted; the exit code of the build."""
    import functools
    import http.server

    code = build(out)
    if code:
        return code
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(html(out)))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"http://127.0.0.1:{server.server_port}/")
        server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(run_sphinx(Path(sys.argv[1]), Path(sys.argv[2])))
