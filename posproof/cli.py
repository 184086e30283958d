"""The command `posproof`: arguments in, exit codes out.

Main definitions
----------------
main    runs one command line and returns its exit code

Conventions
-----------
0 good, 1 a claim failed or got worse, 2 bad input, 3 no answer, 130 interrupted.  Bad input is one
line on stderr.  Commands import what they need when they run, so that `--help` stays fast.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from posproof import __version__
from posproof.errors import BadInput

if TYPE_CHECKING:
    from posproof.registry import Floors, Registry
    from posproof.result import Result

app = typer.Typer(
    name="posproof",
    epilog="Exit codes: 0 good, 1 a claim failed, 2 bad input, 3 no answer.",
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
book = typer.Typer(help="Build or serve the book of a checkout.", rich_markup_mode=None)
app.add_typer(book, name="book")


def main(arguments: Sequence[str] | None = None, floors: Floors | None = None) -> int:
    """Run one command line (the process's own by default) and return its exit code.

    `floors` are the packages to search for subjects, posproof's own by default.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without our signs still gets the words
            stream.reconfigure(errors="replace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(given, prog_name="posproof", standalone_mode=False, obj=floors)
        sys.stdout.flush()
        return int(code or 0)
    except BadInput as bad:
        return _refuse(bad.what, bad.argument)
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except (BrokenPipeError, SystemExit):  # the reader has gone, as in `posproof list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as bad:
        if not hasattr(bad, "format_message"):  # not the argument parser's: a fault of ours
            raise
        return _refuse(_complaint(bad), _argument(bad))


def _refuse(what: str, argument: str) -> int:
    """Print the one line that bad input gets."""
    said = " ".join(what.split()).rstrip(".")
    print(f"posproof: {said[:1].lower()}{said[1:]} ({argument}); try --help", file=sys.stderr)
    return 2


def _complaint(bad: Any) -> str:
    """What the parser minds, without the argument's name where that follows anyway."""
    return str(bad.message if type(bad).__name__ == "BadParameter" else bad.format_message())


def _argument(bad: Any) -> str:
    """Which argument the parser could not use."""
    parameter, context = getattr(bad, "param", None), getattr(bad, "ctx", None)
    if getattr(bad, "option_name", None):
        return str(bad.option_name)
    if parameter is not None:
        option = max(parameter.opts, key=len)
        return str(option if option.startswith("-") else parameter.metavar or parameter.name)
    return "arguments" if context is None else str(context.command_path)


# ---------------------------------------------------------------------- commands
def _version(wanted: bool) -> None:
    if wanted:
        print(f"posproof {__version__}")
        raise typer.Exit


@app.callback()
def top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Verify the mathematics of positional encodings.

    \b
    posproof verify                 run every claim
    posproof verify mobius          run one subject
    posproof show mobius.dipole     read one claim
    posproof audit my_rope.py:encode    hold your own code against the invariants
    """


Ids = Annotated[list[str] | None, typer.Argument(metavar="ID|SUBJECT|GLOB")]
ClaimId = Annotated[str, typer.Argument(metavar="ID", help="A claim, such as mobius.dipole.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@app.command()
def verify(
    context: typer.Context,
    ids: Ids = None,
    profile: Annotated[str, typer.Option(help="quick or full.")] = "quick",
    level: Annotated[
        str | None,
        typer.Option(help="Only these: exact,ball,high,float,property,sampled.", metavar="LEVELS"),
    ] = None,
    digits: Annotated[int, typer.Option(help="Decimal digits of high precision.")] = 50,
    jobs: Annotated[int | None, typer.Option(help="Worker processes [default: all cores].")] = None,
    seed: Annotated[int, typer.Option(help="Seed of sampled and property checks.")] = 0,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SEC", help="Seconds a check may take.")
    ] = None,
    memory_limit: Annotated[
        int | None, typer.Option(metavar="MIB", help="MiB a check may allocate.")
    ] = None,
    json: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the run as JSON; - for stdout.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the run as JUnit XML.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep results in FILE and skip those already there."),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDR", help="Run on the Dask scheduler at ADDR.")
    ] = None,
) -> int:
    """Run the checks of claims, and the controls that attack them.

    \b
    posproof verify
    posproof verify mobius 'rotary.*' --profile full
    posproof verify mobius.dipole --level exact,ball --json -
    posproof verify --resume run.jsonl --junit report.xml
    """
    from posproof import outputs
    from posproof.report.terminal import progress, show_causes, show_result
    from posproof.verification import options
    from posproof.verification import verify as run

    how = options(
        profile=profile,
        levels=level,
        digits=digits,
        jobs=jobs,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        resume=resume,
        scheduler=scheduler,
        floors=context.obj,
    )
    if json not in (None, "-"):
        outputs.check_writable(Path(json), "--json")
    if junit is not None:
        outputs.check_writable(junit, "--junit")
    with progress(sys.stderr) as update:
        result = run(ids or (), how, update)
    if json == "-":
        sys.stdout.write(result.to_json())
        show_causes(result, sys.stderr)
    else:
        show_result(result, sys.stdout)
    _write_reports(result, json, junit)
    return result.exit_code


def _write_reports(result: Result, json: str | None, junit: Path | None) -> None:
    from posproof import outputs
    from posproof.report.junit import junit_xml

    if json not in (None, "-"):
        outputs.write_whole(Path(json), result.to_json(), "--json")
    if junit is not None:
        outputs.write_whole(junit, junit_xml(result), "--junit")


@app.command("list")
def list_claims(context: typer.Context, as_json: AsJson = False) -> int:
    """List the claims without running anything.

    \b
    posproof list
    posproof list --json
    """
    from posproof.listing import as_json as json_text
    from posproof.listing import as_text

    subjects = _registry(context).subjects()
    print(json_text(subjects) if as_json else as_text(subjects))
    return 3 if any(subject.failure for subject in subjects) else 0


@app.command()
def show(
    context: typer.Context,
    claim_id: ClaimId,
    proof: Annotated[bool, typer.Option("--proof", help="Print the kernel's proofs.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a claim, its evidence, and what it rests on.

    \b
    posproof show mobius.dipole
    posproof show mobius.dipole --proof
    """
    from posproof import show as showing

    print(showing.page(_registry(context), claim_id, proof=proof, as_json=as_json))


@app.command()
def graph(
    context: typer.Context,
    format: Annotated[str, typer.Option(help="dot, mermaid or json.")] = "dot",
) -> None:
    """Print which claims depend on which.

    \b
    posproof graph | dot -Tsvg > claims.svg
    posproof graph --format mermaid
    """
    from posproof.graph import FORMATS

    write = _format(format, FORMATS)
    print(write(_registry(context).claims()))


@app.command()
def tolerance(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A tolerance, such as rope.relative.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List what can be asked for.")] = False,
    dtype: Annotated[str | None, typer.Option(help="Format of the activations.")] = None,
    pipeline: Annotated[
        str | None, typer.Option(help="mixed64, mixed32, fused32, naive or tf32angle.")
    ] = None,
    max_position: Annotated[
        int | None, typer.Option(help="Number of positions L: 0 .. L - 1.")
    ] = None,
    head_dim: Annotated[int | None, typer.Option(help="Components of a head.")] = None,
    base: Annotated[float | None, typer.Option(help="Base of the frequencies.")] = None,
    acc: Annotated[str, typer.Option(help="Format in which a score is summed.")] = "float64",
    score: Annotated[
        str | None, typer.Option(help="Format a score is stored in [default: not rounded].")
    ] = None,
    fma: Annotated[
        bool, typer.Option("--fma", help="Rotations always use FMA: a smaller bound.")
    ] = False,
    rounding: Annotated[str, typer.Option(help="nearest, truncate or flush.")] = "nearest",
    count: Annotated[int | None, typer.Option(help="Factors or terms.")] = None,
    degree: Annotated[int | None, typer.Option(help="Degree l of Wigner matrices.")] = None,
    gap: Annotated[float | None, typer.Option(help="How far a logit is below the top.")] = None,
    norms: Annotated[float | None, typer.Option(help="The largest |q| |k|.")] = None,
    heads: Annotated[int | None, typer.Option(help="Heads of a linear bias.")] = None,
    slope: Annotated[float | None, typer.Option(help="Slope of a linear bias.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse a tolerance that is blind to some pair.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Print a proven rounding tolerance, and how to use it.

    \b
    posproof tolerance rope.relative --dtype bfloat16 --pipeline fused32 \\
        --max-position 131072 --head-dim 128 --base 10000
    posproof tolerance --list
    """
    from json import dumps

    from posproof import tolerance_text, tolerances

    if listed:
        print(tolerance_text.listing())
        return 0
    if name is None:
        raise BadInput("which tolerance? --list names them", "NAME")
    try:
        answer = tolerances.tolerance(
            name,
            dtype=dtype,
            pipeline=pipeline,
            max_position=max_position,
            head_dim=head_dim,
            base=int(base) if base is not None and base.is_integer() else base,
            acc=acc,
            score=score,
            fma=fma,
            rounding=rounding,
            count=count,
            degree=degree,
            gap=gap,
            norms=norms,
            heads=heads,
            slope=slope,
            strict=strict,
        )
    except tolerances.NoTolerance as reason:
        if as_json:
            print(dumps(tolerance_text.refusal(name, reason), indent=2))
        raise
    as_text, as_dict = tolerance_text.as_text, tolerance_text.as_dict
    print(dumps(as_dict(answer), indent=2) if as_json else as_text(answer))
    return 0


@app.command()
def audit(
    target: Annotated[
        str | None, typer.Argument(metavar="TARGET", help="package.module:object or file.py:object")
    ] = None,
    family: Annotated[
        str | None,
        typer.Option(help="Only rotary, ladder, bias, session, representation, special or state."),
    ] = None,
    dtype: Annotated[
        str | None, typer.Option(help="Format of the vectors [default: what the encoding says].")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of random vectors and call sequences.")] = 0,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SEC", help="Seconds the audit may take [default: 60].")
    ] = None,
    memory_limit: Annotated[
        int | None, typer.Option(metavar="MIB", help="MiB the audit may allocate.")
    ] = None,
    json: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the report as JSON; - for stdout.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as JUnit XML.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Audit the installed libraries there are adapters for.")
    ] = False,
    listed: Annotated[
        bool, typer.Option("--list", help="List what can be audited, and for which faults.")
    ] = False,
) -> int:
    """Hold somebody's encoding against the invariants.

    \b
    posproof audit my_rope.py:encode
    posproof audit package.module:Rotary --dtype bfloat16 --json report.json
    posproof audit --all --json libraries.json
    posproof audit --list

    Exit codes: 0 clean or by design, 1 a fault, 2 not an encoding, 3 a failed precondition or no
    answer within the limits.
    """
    from posproof import outputs
    from posproof.audit import report
    from posproof.audit.run import TIME_LIMIT
    from posproof.audit.run import audit as run
    from posproof.report.terminal import counting

    if listed:
        print(report.listing())
        return 0
    if (target is None) != everything:
        what = "a target and --all" if everything else "nothing"
        raise BadInput(f"{what} to audit; name package.module:object or file.py:object", "TARGET")
    if json not in (None, "-"):
        outputs.check_writable(Path(json), "--json")
    if junit is not None:
        outputs.check_writable(junit, "--junit")
    with counting(sys.stderr, "invariant") as update:
        reports = [
            run(
                name,
                family=family,
                dtype=dtype,
                seed=seed,
                time_limit=TIME_LIMIT if time_limit is None else time_limit,
                memory_limit=memory_limit,
                update=update,
            )
            for name in (report.installed(sys.stderr) if target is None else [target])
        ]
    written = reports[0].to_json() if target is not None else report.collected(reports)
    if json == "-":
        sys.stdout.write(written)
    else:
        for found in reports:
            report.show(found, sys.stdout)
    if json not in (None, "-"):
        outputs.write_whole(Path(json), written, "--json")
    if junit is not None:
        outputs.write_whole(junit, report.junit_xml(*reports), "--junit")
    return report.exit_code(reports)


@app.command()
def cite(
    context: typer.Context,
    claim_id: ClaimId,
    format: Annotated[str, typer.Option(help="bibtex, csl or text.")] = "bibtex",
) -> None:
    """Print how to cite a claim, or the claim a tolerance rests on.

    \b
    posproof cite mobius.dipole
    posproof cite rope.relative --format text
    """
    from posproof.cite import FORMATS
    from posproof.tolerance_names import TOLERANCES

    write = _format(format, FORMATS)
    known = TOLERANCES.get(claim_id)
    print(write(_registry(context).claim(claim_id if known is None else known.claim)))


@app.command()
def diff(
    before: Annotated[Path, typer.Argument(metavar="A.json", help="The older run.")],
    after: Annotated[Path, typer.Argument(metavar="B.json", help="The newer run.")],
) -> int:
    """Compare two runs; exit code 1 when a verdict got worse.

    Both files were written by verify --json.

    \b
    posproof diff yesterday.json today.json
    """
    from posproof.diff import changes, load_run, table

    found = changes(load_run(before, "A.json"), load_run(after, "B.json"))
    print(table(found))
    return int(any(change.worse for change in found))


@book.command("build")
def build_book() -> int:
    """Build the book; a failed claim fails the build.

    \b
    posproof book build
    """
    from posproof import bookbuild

    try:
        return bookbuild.build()
    except bookbuild.NoBook as elsewhere:
        raise BadInput(str(elsewhere), "book") from elsewhere


@book.command("serve")
def serve_book(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on this machine.")] = 8000,
) -> int:
    """Build the book and serve it on this machine.

    \b
    posproof book serve --port 8000
    """
    from posproof import bookbuild

    try:
        return bookbuild.serve(port)
    except bookbuild.NoBook as elsewhere:
        raise BadInput(str(elsewhere), "book") from elsewhere


def _registry(context: typer.Context) -> Registry:
    from posproof.registry import Floors, Registry

    return Registry(context.obj or Floors())


def _format(name: str, known: Any) -> Any:
    from posproof.errors import suggest

    if name not in known:
        raise BadInput(f"unknown format {name!r}{suggest(name, known)}", "--format")
    return known[name]
