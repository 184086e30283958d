"""The command keeps its contract: options, exit codes, one line for bad input, whole files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import bibtexparser
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "app_fixtures"))

from houses import COMMAND, FAULTY, SOUND

import posproof
from posproof import bookbuild, outputs
from posproof.cli import app, main
from posproof.errors import BadInput
from posproof.registry import Floors

Captured = pytest.CaptureFixture[str]


def one_line(captured: Captured) -> str:
    """The single line on stderr that bad input gets, with nothing on stdout."""
    out, err = captured.readouterr()
    assert out == ""
    assert err.startswith("posproof: ")
    assert err.endswith("; try --help\n")
    assert err.count("\n") == 1
    return err


# ---------------------------------------------------------------------- start
def test_help_imports_no_heavy_library() -> None:
    program = (
        "import sys; from posproof.cli import main; code = main(['--help'])\n"
        "heavy = {'sympy', 'scipy', 'numpy', 'flint', 'mpmath', 'hypothesis', 'pebble', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)), code, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr == "[] 0\n"
    assert "verify" in done.stdout


@pytest.mark.parametrize(
    "module", [["-m", "posproof"], ["-c", "from posproof.cli import main; main()"]]
)
def test_the_version_is_printed(module: list[str]) -> None:
    done = subprocess.run([sys.executable, *module, "--version"], capture_output=True, text=True)
    assert done.stdout == f"posproof {posproof.__version__}\n"


COMMANDS = [
    "verify",
    "list",
    "show",
    "graph",
    "tolerance",
    "audit",
    "cite",
    "diff",
    "book build",
    "book serve",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str, capsys: Captured) -> None:
    assert main([*command.split(), "--help"]) == 0
    assert f"\n  posproof {command}" in capsys.readouterr().out


def test_there_is_no_command_that_does_nothing() -> None:
    names = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert names == {"verify", "list", "show", "graph", "tolerance", "audit", "cite", "diff"}


# ---------------------------------------------------------------------- bad input
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verify", "squares.groth"], "did you mean 'squares.growth'"),
        (["verify", "squared"], "did you mean 'squares'"),
        (["verify", "zzz*"], "no claim matches 'zzz*' (ID)"),
        (["verify", "squares", "zzz.z"], "unknown claim 'zzz.z' (ID)"),
        (["verify", ""], "unknown subject ''"),
        (["verify", "--level", "exakt"], "did you mean 'exact'? (--level)"),
        (["verify", "--level", ""], "unknown level '' (--level)"),
        (["verify", "--level", "exact,"], "unknown level '' (--level)"),
        (["verify", "--profile", "slow"], "unknown profile 'slow' (--profile)"),
        (["verify", "--digits", "0"], "digits must be 15 to 1000, not 0 (--digits)"),
        (["verify", "--digits", "-5"], "(--digits)"),
        (["verify", "--digits", "1000000000"], "(--digits)"),
        (["verify", "--digits", "many"], "(--digits)"),
        (["verify", "--jobs", "0"], "jobs must be 1 to 1024, not 0 (--jobs)"),
        (["verify", "--jobs", "-1"], "(--jobs)"),
        (["verify", "--jobs", "1.5"], "(--jobs)"),
        (["verify", "--seed", "-1"], "(--seed)"),
        (["verify", "--time-limit", "0"], "(--time-limit)"),
        (["verify", "--time-limit", "nan"], "(--time-limit)"),
        (["verify", "--time-limit", "inf"], "(--time-limit)"),
        (["verify", "--memory-limit", "0"], "(--memory-limit)"),
        (["verify", "--memory-limit", "-3"], "(--memory-limit)"),
        (["verify", "--json", "/nowhere/x.json"], "no folder /nowhere (--json)"),
        (["verify", "--json", "."], "is a folder (--json)"),
        (["verify", "--junit", "/nowhere/x.xml"], "no folder /nowhere (--junit)"),
        (["verify", "--resume", "/nowhere/x.jsonl"], "(--resume)"),
        (["verify", "--resume", "."], "(--resume)"),
        (["verify", "--resume", __file__], "is not a run file of posproof (--resume)"),
        (["verify", "--scheduler", "nonsense"], "(--scheduler)"),
        (["verify", "--frobnicate"], "--frobnicate"),
        (["verify", "--digits"], "--digits"),
        (["show"], "ID"),
        (["show", "squares"], "unknown claim 'squares'"),
        (["show", "squares.groth"], "did you mean 'squares.growth'"),
        (["cite", "squares.groth"], "did you mean 'squares.growth'"),
        (["cite", "squares.growth", "--format", "ris"], "unknown format 'ris' (--format)"),
        (["graph", "--format", "dott"], "did you mean 'dot'? (--format)"),
        (["diff", "a.json"], "B.json"),
        (["diff", "/nowhere/a.json", "/nowhere/b.json"], "cannot read /nowhere/a.json"),
        (["diff", ".", "."], "cannot read ."),
        (["diff", __file__, __file__], "is not JSON (A.json)"),
        (["list", "extra"], "extra"),
        (["frobnicate"], "frobnicate"),
        (["tolerance"], "tolerance"),
        (["book"], "missing command"),
        (["book", "burn"], "burn"),
        (["book", "serve", "--port", "0"], "--port"),
        ([], "missing command"),
        (["--frobnicate"], "--frobnicate"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, capsys: Captured
) -> None:
    assert main(arguments, SOUND) == 2
    assert said in one_line(capsys)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "null",
        "7",
        '{"schema": 1}',
        '{"schema": 2, "claims": []}',
        '{"schema": 1, "claims": 5}',
        '{"schema": 1, "claims": [1]}',
        '{"schema": 1, "claims": [{"id": "a.b"}]}',
        '{"schema": 1, "claims": [{"id": "a.b", "verdict": "x", "revision": 1, "conditional": 0}]}',
        '{"schema": 1, "claims": [{"id": "a.b", "verdict": ["x"], "revision": 1}]}',
        "[" * 100_000,
        "\x00",
    ],
)
def test_diff_refuses_what_is_not_a_run(content: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "run.json"
    path.write_text(content, encoding="utf-8")
    assert main(["diff", str(path), str(path)]) == 2
    assert "(A.json)" in one_line(capsys)


def test_diff_refuses_bytes_that_are_no_text(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(b"\xff\xfe\xff")
    assert main(["diff", str(path), str(path)]) == 2
    one_line(capsys)


def test_an_unwritable_output_is_refused_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
) -> None:
    from posproof import verification

    monkeypatch.setattr(verification, "run_locally", lambda *_: pytest.fail("it ran"))
    for option in ("--json", "--junit"):
        assert main(["verify", option, str(tmp_path / "no" / "file")], SOUND) == 2
        one_line(capsys)
    assert list(tmp_path.iterdir()) == []


def test_bad_input_creates_no_run_file(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "run.jsonl"
    assert main(["verify", "zzz", "--resume", str(path)], SOUND) == 2
    assert main(["verify", "--resume", str(path), "--json", "/nowhere/x"], SOUND) == 2
    assert not path.exists()


def test_a_fault_of_ours_is_not_called_bad_input() -> None:
    with pytest.raises(ModuleNotFoundError):
        main(["list"], Floors("no_such_house"))


# ---------------------------------------------------------------------- verify
@pytest.mark.parametrize(
    ("ids", "code"),
    [
        (["refuted"], 1),
        (["uncaught"], 1),
        (["uncaught", "unsure"], 1),
        (["unsure"], 3),
        (["raises"], 3),
        (["unimportable"], 3),
        (["bare"], 3),
    ],
)
def test_the_exit_code_says_how_it_ended(ids: list[str], code: int, capsys: Captured) -> None:
    assert main(["verify", *ids], FAULTY) == code


def test_a_sound_house_ends_with_0(capsys: Captured) -> None:
    assert main(["verify", "--jobs", "1", "--memory-limit", "500", "--time-limit", "9"], SOUND) == 0
    out, err = capsys.readouterr()
    assert "3 verified (2 conditional on 1 cited theorem, 1 argued)" in out
    assert err == ""


def test_json_on_stdout_is_nothing_but_json() -> None:
    done = subprocess.run(
        [*COMMAND, "faulty_house", "verify", "refuted", "bare", "--json", "-"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert json.loads(done.stdout)["summary"]["refuted"] == 1
    assert "refuted.one is refuted" in done.stderr


def test_reports_are_written_whole_with_nothing_left_behind(
    tmp_path: Path, capsys: Captured
) -> None:
    report, junit = tmp_path / "run.json", tmp_path / "run.xml"
    report.write_text("old")
    assert main(["verify", "--json", str(report), "--junit", str(junit)], SOUND) == 0
    assert json.loads(report.read_text())["schema"] == 1
    assert junit.read_text().startswith("<?xml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.json", "run.xml"]


def test_a_report_may_go_to_a_device(capsys: Captured) -> None:
    assert main(["verify", "circle", "--json", os.devnull], SOUND) == 0
    assert not Path(os.devnull).is_file()


def test_a_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.json"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(outputs.os, "replace", full)
    with pytest.raises(BadInput, match="No space left"):
        outputs.write_whole(path, "new", "--json")
    assert [entry.read_text() for entry in tmp_path.iterdir()] == ["old"]


def test_interrupting_ends_with_130_and_keeps_what_was_found(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    command = [*COMMAND, "faulty_house", "verify", "hangs", "refuted", "--resume", str(path)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A run in the background starts with the signal ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        deadline = time.monotonic() + 60
        while not (path.exists() and "refuted.one" in path.read_text()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    found = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert "refuted" in {entry["finding"]["verdict"] for entry in found}


def test_a_reader_that_leaves_is_no_fault() -> None:
    command = [*COMMAND, "sound_house", "graph", "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


# ---------------------------------------------------------------------- the other commands
def test_list_runs_nothing(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    from posproof import verification

    monkeypatch.setattr(verification, "run_locally", lambda *_: pytest.fail("it ran"))
    assert main(["list"], SOUND) == 0
    assert "squares.growth     Squares outgrow every line (sharpened)" in capsys.readouterr().out
    assert main(["list", "--json"], SOUND) == 0
    claims = json.loads(capsys.readouterr().out)["claims"]
    assert [claim["id"] for claim in claims][0] == "circle.turn"


def test_list_names_what_does_not_import(capsys: Captured) -> None:
    assert main(["list"], FAULTY) == 3
    assert "does not import: faulty_house.theory.garbled" in capsys.readouterr().out


def test_show_tells_the_whole_claim(capsys: Captured) -> None:
    assert main(["show", "squares.growth"], SOUND) == 0
    shown = capsys.readouterr().out
    for said in (
        "squares.growth@2  Squares outgrow every line",
        "Stance: sharpened",
        "Reading: the sentence speaks of integers",
        "Needs: squares.expansion",
        r"x^2 \ge 2x - 1",
        "formally: not formalised: squares outgrow lines",
        "x = -99 .. 99 (quick: x = -9 .. 9)",
        "attacked by halved",
        "the argued step completing the square by hand",
    ):
        assert said in shown


def test_show_as_json_holds_the_same(capsys: Captured) -> None:
    assert main(["show", "squares.expansion", "--json"], SOUND) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["id"] == "squares.expansion"
    assert data["hypotheses"] == ["x is an integer"]
    assert data["trusts"][0]["tier"] == "cited"
    assert [clause["name"] for clause in data["clauses"]] == ["successor", "positive"]


def test_the_graph_has_every_claim_and_arrow(capsys: Captured) -> None:
    assert main(["graph"], SOUND) == 0
    assert '"squares.expansion" -> "squares.growth";' in capsys.readouterr().out
    assert main(["graph", "--format", "mermaid"], SOUND) == 0
    assert "squares_expansion --> squares_growth" in capsys.readouterr().out
    assert main(["graph", "--format", "json"], SOUND) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["nodes"]) == 3
    assert data["edges"] == [["squares.expansion", "squares.growth"]]


def test_the_dot_graph_is_dot(capsys: Captured) -> None:
    pygraphviz = pytest.importorskip("pygraphviz")
    assert main(["graph"], SOUND) == 0
    drawn = pygraphviz.AGraph(string=capsys.readouterr().out)
    assert sorted(drawn.nodes()) == ["circle.turn", "squares.expansion", "squares.growth"]


def test_a_citation_is_valid_bibtex(capsys: Captured) -> None:
    assert main(["cite", "squares.growth"], SOUND) == 0
    library = bibtexparser.parse_string(capsys.readouterr().out)
    assert library.failed_blocks == []
    (entry,) = library.entries
    assert (entry.entry_type, entry.key) == ("software", "posproof-squares-growth-2")
    assert entry["version"] == posproof.__version__
    assert "squares.growth@2" in entry["note"]


def test_a_citation_names_version_claim_and_revision(capsys: Captured) -> None:
    assert main(["cite", "squares.growth", "--format", "csl"], SOUND) == 0
    (item,) = json.loads(capsys.readouterr().out)
    assert item["type"] == "software"
    assert main(["cite", "squares.growth", "--format", "text"], SOUND) == 0
    sentence = capsys.readouterr().out
    for said in (posproof.__version__, "squares.growth@2"):
        assert said in sentence
        assert said in item["version"] + item["note"]


def run_file(path: Path, **verdicts: str) -> str:
    claims = [
        {"id": f"a.{name}", "revision": 1, "verdict": verdict.rstrip("*")}
        | {"conditional": verdict.endswith("*")}
        for name, verdict in verdicts.items()
    ]
    path.write_text(json.dumps({"schema": 1, "claims": claims}), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("before", "after", "code", "said"),
    [
        ({"x": "verified"}, {"x": "verified"}, 0, "no verdict changed"),
        ({"x": "verified"}, {"x": "partial"}, 1, "worse  a.x  verified (@1) -> partial (@1)"),
        ({"x": "error"}, {"x": "broken"}, 1, "worse  a.x  error (@1) -> broken (@1)"),
        ({"x": "refuted"}, {"x": "verified"}, 0, "       a.x  refuted (@1) -> verified (@1)"),
        ({"x": "verified"}, {"x": "verified*"}, 0, "verified (@1) -> verified, conditional (@1)"),
        ({}, {"x": "refuted"}, 0, "a.x  absent -> refuted (@1)"),
        ({"x": "verified"}, {}, 1, "worse  a.x  verified (@1) -> absent"),
    ],
)
def test_diff_ends_with_1_when_a_verdict_got_worse(
    tmp_path: Path,
    capsys: Captured,
    before: dict[str, str],
    after: dict[str, str],
    code: int,
    said: str,
) -> None:
    old, new = run_file(tmp_path / "a.json", **before), run_file(tmp_path / "b.json", **after)
    assert main(["diff", old, new]) == code
    assert said in capsys.readouterr().out


def test_diff_reads_what_verify_writes(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "run.json"
    assert main(["verify", "--json", str(path)], SOUND) == 0
    assert main(["diff", str(path), str(path)]) == 0
    assert capsys.readouterr().out.endswith("no verdict changed\n")


def test_the_book_needs_a_checkout(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(bookbuild.pages, "checkout", lambda: None)
    for command in ("build", "serve"):
        assert main(["book", command]) == 2
        assert "git clone" in one_line(capsys)


def test_show_gives_proofs_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "mobius.dipole", "--proof", "--json"]) == 0
    proofs = json.loads(capsys.readouterr().out)["proofs"]
    assert {proof["clause"] for proof in proofs} >= {"closed_form", "removable_points"}
    assert all(proof["steps"] for proof in proofs)
