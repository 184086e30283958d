"""Status boxes for notebooks and the book.

Main definitions
----------------
result_box    a run: one line a claim, and the summary
claim_box     one claim: its clauses, what broke it, what it rests on
STYLE         the style sheet both carry

Conventions
-----------
A verdict is a word and a sign, never a colour alone; colours are borders only, so text keeps the
page's own colour in light and dark mode.  CSS classes start with `pp-`.
"""

from __future__ import annotations

from html import escape

from posproof.report.words import SIGNS, counted, tier_sentence
from posproof.result import ClaimResult, Result

STYLE = """<style>
.pp-box{border:1px solid currentColor;border-left-width:6px;border-radius:4px;
padding:.6em .9em;margin:.8em 0;color:inherit;background:transparent}
.pp-box table{border-collapse:collapse;width:100%;color:inherit;background:transparent}
.pp-box th,.pp-box td{text-align:left;padding:.15em .6em;border-bottom:1px solid;
border-color:color-mix(in srgb,currentColor 25%,transparent)}
.pp-badge{font-weight:600;white-space:nowrap}
.pp-verified{border-left-color:#2a7f9e;border-left-style:solid}
.pp-partial,.pp-undecided{border-left-color:#b58900;border-left-style:dashed}
.pp-refuted,.pp-broken,.pp-error{border-left-color:#c0392b;border-left-style:double}
.pp-note{opacity:.8;margin:.3em 0 0}
</style>"""


def badge(verdict: str, conditional: bool = False) -> str:
    """A verdict as a word with its sign."""
    word = f"{verdict}, conditional" if conditional else verdict
    return f'<span class="pp-badge pp-badge-{escape(verdict)}">{SIGNS[verdict]} {word}</span>'


def result_box(result: Result) -> str:
    """A run as an HTML box."""
    worst = _worst(result)
    rows = "".join(
        f"<tr><td><code>{escape(claim.id)}</code></td><td>{badge(claim.verdict, claim.conditional)}"
        f"</td><td>{escape(claim.title)}</td></tr>"
        for claim in result.claims
    )
    head = "<tr><th>claim</th><th>verdict</th><th>statement</th></tr>"
    return (
        f'{STYLE}<div class="pp-box pp-{worst}"><table class="pp-claims"><thead>{head}</thead>'
        f'<tbody>{rows}</tbody></table><p class="pp-note">{escape(result.sentence())}</p></div>'
    )


def claim_box(claim: ClaimResult) -> str:
    """One claim as an HTML box."""
    rows = "".join(
        f"<tr><td><code>{escape(clause.name)}</code></td><td>{badge(clause.verdict)}</td>"
        f"<td>{escape(', '.join(clause.levels))}</td></tr>"
        for clause in claim.clauses
    )
    head = "<tr><th>clause</th><th>verdict</th><th>evidence</th></tr>"
    table = (
        f'<table class="pp-clauses"><thead>{head}</thead><tbody>{rows}</tbody></table>'
        if claim.clauses
        else ""
    )
    causes = "".join(f'<p class="pp-note pp-cause">{escape(line)}</p>' for line in claim.causes())
    trusts = "".join(
        f'<p class="pp-note pp-trust">{escape(tier_sentence(tier, name))}</p>'
        for tier, name in claim.trusts
    )
    return (
        f'{STYLE}<div class="pp-box pp-{claim.verdict}"><p><code>{escape(claim.id)}'
        f"@{claim.revision}</code> {badge(claim.verdict, claim.conditional)} "
        f"({counted(len(claim.checks), 'check')}, "
        f"{counted(len(claim.controls), 'control')})</p>{table}{causes}{trusts}</div>"
    )


def _worst(result: Result) -> str:
    for verdict in ("refuted", "broken", "error", "undecided", "partial"):
        if result.summary[verdict]:
            return verdict
    return "verified"
