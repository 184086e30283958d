"""Make the HTML complete without a network: MathJax from a wheel, and no address of a stranger."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from typing import Any

MATHJAX = "static/mathjax/tex-svg-full.js"


def copy_mathjax(app: Any, failure: Exception | None) -> None:
    """Put the one self-contained MathJax file where `mathjax_path` points."""
    if failure is not None or app.builder.format != "html":
        return
    spec = importlib.util.find_spec("sphinx-mathjax-offline")
    if spec is None or spec.submodule_search_locations is None:
        raise RuntimeError(
            "the book needs the package sphinx-mathjax-offline; install posproof[book]"
        )
    target = Path(app.outdir) / "_static" / app.config.mathjax_path
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(Path(spec.submodule_search_locations[0]) / MATHJAX, target)


def drop_live_code(
    app: Any, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Live code wants a content network and a kernel host; an offline book offers neither."""

    def wanted(script: Any) -> bool:
        name = str(getattr(script, "filename", None) or script)
        return "thebe" not in name and "THEBE" not in str(getattr(script, "attributes", ""))

    scripts = context.get("script_files", [])
    scripts[:] = [script for script in scripts if wanted(script)]


def setup(app: Any) -> dict[str, Any]:
    app.connect("html-page-context", drop_live_code, priority=900)
    app.connect("build-finished", copy_mathjax)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
