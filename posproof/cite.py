"""How to cite a claim: the software, its version, and the claim with its revision.

Main definitions
----------------
FORMATS    the citation as BibTeX, CSL-JSON or text, by format name
"""

from __future__ import annotations

import json
from collections.abc import Callable

from posproof import __version__
from posproof.theory.vocabulary import Claim

AUTHORS = "The posproof authors"
TITLE = "posproof: executable verification of the mathematics of positional encodings"


def bibtex(claim: Claim) -> str:
    """A `@software` entry whose key carries the claim and its revision."""
    key = f"posproof-{claim.id.replace('.', '-')}-{claim.revision}"
    fields = {
        "author": f"{{{{{AUTHORS}}}}}",
        "title": f"{{{{{TITLE}}}}}",
        "version": f"{{{__version__}}}",
        "note": f"{{Claim {_escaped(_named(claim))}: {_escaped(claim.title)}}}",
    }
    body = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
    return f"@software{{{key},\n{body}\n}}"


def csl(claim: Claim) -> str:
    """A CSL-JSON list with one item."""
    item = {
        "id": f"posproof-{claim.id}-{claim.revision}",
        "type": "software",
        "author": [{"literal": AUTHORS}],
        "title": TITLE,
        "version": __version__,
        "note": f"Claim {_named(claim)}: {claim.title}",
    }
    return json.dumps([item], indent=2, ensure_ascii=False)


def text(claim: Claim) -> str:
    """One sentence."""
    return f"{AUTHORS}. {TITLE}, version {__version__}. Claim {_named(claim)}: {claim.title}."


FORMATS: dict[str, Callable[[Claim], str]] = {"bibtex": bibtex, "csl": csl, "text": text}

#: Characters with a meaning of their own in LaTeX text.
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "_": r"\_",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "$": r"\$",
    "^": r"\^{}",
    "~": r"\~{}",
}


def _named(claim: Claim) -> str:
    return f"{claim.id}@{claim.revision}"


def _escaped(words: str) -> str:
    return "".join(_LATEX.get(character, character) for character in words)
