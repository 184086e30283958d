"""Every task gets an answer in time, one bad task never spoils another, and nothing runs twice."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent / "app_fixtures"))

from houses import COMMAND, FAULTY, FOLDER, SOUND, run

from posproof import limits, runner, sources, stream, tasks, verification
from posproof.errors import BadInput
from posproof.registry import Registry
from posproof.remote import run_isolated
from posproof.result import Result
from posproof.runner import Limits
from posproof.tasks import Finding, Task, rounded_up
from posproof.theory.vocabulary import LEVELS, POSITIVE, Bound, Run
from posproof.verdict import VERDICTS, ClaimFindings, claim_verdict, clause_verdict

#: Misbehaving subjects and what their bad check must say.
REASONS = {
    "hangs": "no answer within 1 s",
    "eats": "ran out of memory (limit 200 MiB)",
    "exits": "its process ended with exit code 7",
    "crashes": "its process was killed by SIGKILL",
    "leaves": "SystemExit: 0 at leaves.py",
    "raises": "ZeroDivisionError: division by zero at raises.py",
    "mumbles": "returned bool instead of Evidence",
}


@pytest.fixture(scope="module")
def misbehaving() -> Result:
    """All misbehaving subjects in one run, so that each could spoil the others."""
    return run(FAULTY, *REASONS, time_limit=1.0, memory_limit=200, jobs=2)


@pytest.mark.parametrize("subject", REASONS)
def test_a_misbehaving_check_is_one_error(misbehaving: Result, subject: str) -> None:
    claim = misbehaving.claim(f"{subject}.one")
    found = {check.check.name: check.finding for check in claim.checks}
    assert claim.verdict == "error"
    assert found["bad_one"].verdict == "error"
    assert REASONS[subject] in found["bad_one"].reason
    assert found["quick_one"].verdict == found["last_one"].verdict == "within-bound"


def test_misbehaving_checks_leave_the_others_alone() -> None:
    together = run(FAULTY, "hangs", "crashes", "refuted", time_limit=1.0)
    assert together.claim("refuted.one").verdict == "refuted"


@pytest.mark.parametrize(
    ("subject", "verdict", "cause"),
    [
        ("uncaught", "broken", "was not caught: the altered statement came back certified"),
        ("witnessless", "undecided", "was refuted without a witness"),
        ("unsure", "undecided", "the balls overlap"),
        ("bare", "undecided", "clause other has no evidence"),
        ("refuted", "refuted", "x = 2: 2 is not 1"),
        ("above", "error", "holds although 0.5 exceeds 0.25"),
        ("uncontrolled", "error", "has no control"),
        ("citing", "error", "cites the unknown theorem 'folklore'"),
        ("twice", "error", "twice.one is defined twice"),
        ("dangling", "error", "depends on the unknown claim refuted.two"),
        ("cycle", "error", "depends on itself"),
        ("stray", "error", "elsewhere.one is not named after its subject stray"),
    ],
)
def test_a_faulty_subject_gets_its_verdict(subject: str, verdict: str, cause: str) -> None:
    claim = run(FAULTY, f"{subject}.one").claims[0]
    assert claim.verdict == verdict
    assert any(cause in line for line in claim.causes())


def test_a_subject_that_does_not_import_is_one_row() -> None:
    result = run(FAULTY, "unimportable", "refuted")
    assert [(claim.id, claim.verdict) for claim in result.claims] == [
        ("refuted.one", "refuted"),
        ("unimportable", "error"),
    ]
    assert "the table is missing" in result.claim("unimportable").reason


def test_a_sound_house_is_verified() -> None:
    result = run(SOUND)
    assert {claim.verdict for claim in result.claims} == {"verified"}
    assert result.exit_code == 0
    assert result.sentence() == "3 verified (2 conditional on 1 cited theorem, 1 argued)"
    assert result.summary["conditional"] == 2


def test_the_level_left_out_makes_a_claim_partial() -> None:
    result = run(SOUND, levels=["float"])
    assert {claim.verdict for claim in result.claims} == {"partial"}
    expansion = result.claim("squares.expansion")
    assert [clause.verdict for clause in expansion.clauses] == ["within-bound", "left-out"]


def test_leaving_out_a_level_without_rigour_keeps_a_claim_verified() -> None:
    assert run(SOUND, "squares.expansion", levels=["exact"]).claims[0].verdict == "verified"


def test_an_empty_quick_scope_runs_in_the_full_profile_only() -> None:
    quick, full = (run(SOUND, "squares.expansion", profile=name) for name in ("quick", "full"))
    assert "only_in_full" not in {check.check.name for check in quick.claims[0].checks}
    found = {check.check.name: check.finding for check in full.claims[0].checks}
    assert found["only_in_full"].reason == "2000 examples"


def test_the_scope_used_is_printed() -> None:
    (check,) = run(SOUND, "squares.growth", profile="full").claims[0].checks
    assert check.scope == "x = -99 .. 99"


def test_many_small_tasks_travel_together(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real = verification.run_locally

    def counting(chunks: list[tuple[Task, ...]], *rest: object) -> None:
        seen.extend(len(chunk) for chunk in chunks)
        real(chunks, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(verification, "run_locally", counting)
    run(SOUND)
    assert seen == [2, 5, 2]


# ---------------------------------------------------------------------- the rules
def _known(*findings: tuple[str | None, str], selected: bool = True) -> ClaimFindings:
    subject = Registry(SOUND).subject("squares")
    claim, check = subject.claims[1], subject.checks_of("squares.growth")[0]
    made = tuple(
        Finding(check.id, control, verdict, witness="x = 0" if verdict == "refuted" else None)
        for control, verdict in findings
    )
    ids = frozenset({check.id}) if selected else frozenset()
    return ClaimFindings(claim, (check,), ids, made)


@pytest.mark.parametrize(
    ("findings", "verdict"),
    [
        ([(None, "refuted"), ("c", "certified")], "refuted"),
        ([(None, "error"), ("c", "certified")], "broken"),
        ([(None, "undecided"), ("c", "error")], "error"),
        ([(None, "certified"), ("c", "undecided")], "undecided"),
        ([(None, "undecided"), ("c", "refuted")], "undecided"),
        ([(None, "certified"), ("c", "refuted")], "verified"),
    ],
)
def test_the_first_rule_that_applies_decides(
    findings: list[tuple[str | None, str]], verdict: str
) -> None:
    assert claim_verdict(_known(*findings)) == verdict


def test_a_clause_left_out_is_partial_and_not_undecided() -> None:
    known = _known(selected=False)
    assert clause_verdict(known, "above") == "left-out"
    assert claim_verdict(known) == "partial"


def test_a_fault_never_hides_a_refutation() -> None:
    assert claim_verdict(replace(_known((None, "refuted")), faults=("twice",))) == "refuted"
    assert claim_verdict(replace(_known((None, "certified")), faults=("twice",))) == "error"


_ANY = st.sampled_from(["refuted", "undecided", "error", *POSITIVE.values()])


@given(main=_ANY, controls=st.lists(_ANY, max_size=3), more=_ANY)
def test_another_bad_control_never_improves_a_verdict(
    main: str, controls: list[str], more: str
) -> None:
    findings = [(None, main), *((f"c{i}", word) for i, word in enumerate(controls))]
    before = claim_verdict(_known(*findings))
    after = claim_verdict(_known(*findings, ("more", more)))
    assert VERDICTS.index(after) <= VERDICTS.index(before)


@given(st.fractions(min_value=Fraction(1, 10**30), max_value=10**30))
def test_a_printed_bound_is_never_below_its_value(value: Fraction) -> None:
    printed = Fraction(rounded_up(Bound(value, "")))
    assert value <= printed <= value * (1 + Fraction(1, 10**5))


# ---------------------------------------------------------------------- limits
def test_memory_limits_are_refused_where_there_are_none() -> None:
    assert limits.refuse_memory_limit("linux") is None
    assert limits.refuse_memory_limit("darwin") is None
    assert limits.refuse_memory_limit("win32") == "memory limits are not supported on win32"


def test_an_unsupported_memory_limit_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "refuse_memory_limit", lambda: "not supported")
    assert verification.options().limits.memory_mib is None
    with pytest.raises(BadInput, match="not supported"):
        verification.options(memory_limit=100)


def test_the_watchdog_ends_a_process_that_grows() -> None:
    program = (
        "from posproof.limits import watched\n"
        "with watched(50):\n    hoard = []\n    while True: hoard.append(b'x' * (1 << 20))"
    )
    ended = subprocess.run([sys.executable, "-c", program], timeout=60, check=False)
    assert ended.returncode == limits.OUT_OF_MEMORY


@pytest.mark.parametrize(
    "bad",
    [
        {"profile": "quik"},
        {"levels": ["exakt"]},
        {"levels": []},
        {"digits": 0},
        {"digits": 10**9},
        {"jobs": 0},
        {"jobs": -1},
        {"jobs": 10**6},
        {"seed": -1},
        {"seed": 2**32},
        {"time_limit": 0.0},
        {"time_limit": float("nan")},
        {"time_limit": float("inf")},
        {"memory_limit": 0},
    ],
)
def test_an_option_out_of_range_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(BadInput, match=r"--"):
        verification.options(**bad)  # type: ignore[arg-type]


def test_levels_are_kept_in_their_order() -> None:
    assert verification.options(levels=["float", "exact"]).levels == ("exact", "float")
    assert verification.options().levels == LEVELS


# ---------------------------------------------------------------------- resume
@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Counter[str]]:
    """Runs a claim with --resume and counts the tasks that really ran."""

    def go(path: Path, **how: object) -> Counter[str]:
        counted: Counter[str] = Counter()
        real = verification.run_locally

        def counting(chunks: list[tuple[Task, ...]], *rest: object) -> None:
            counted.update(task.check for chunk in chunks for task in chunk)
            real(chunks, *rest)  # type: ignore[arg-type]

        with monkeypatch.context() as patch:
            patch.setattr(verification, "run_locally", counting)
            how = {"time_limit": 1.0} | how
            run(how.pop("floors", SOUND), *how.pop("ids", ()), resume=path, **how)  # type: ignore[misc]
        return counted

    return go


def test_a_finished_run_is_not_repeated(ran: Callable[..., Counter[str]], tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    assert ran(path).total() == 9
    assert ran(path).total() == 0


def test_a_resumed_run_has_the_same_verdicts(tmp_path: Path) -> None:
    first, second = (run(SOUND, resume=tmp_path / "run.jsonl") for _ in range(2))
    assert first.claims == second.claims


@pytest.mark.parametrize("change", [{"seed": 1}, {"digits": 60}, {"profile": "full"}])
def test_other_settings_run_again(
    ran: Callable[..., Counter[str]], tmp_path: Path, change: dict[str, object]
) -> None:
    path = tmp_path / "run.jsonl"
    before = ran(path, ids=["squares.growth"])
    assert ran(path, ids=["squares.growth"], **change) == before


def test_changed_sources_run_again(
    ran: Callable[..., Counter[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    before = ran(path)
    with monkeypatch.context() as patch:
        patch.setattr(verification, "source_digest", lambda check, floors: "changed")
        assert ran(path) == before
    with monkeypatch.context() as patch:
        patch.setattr(verification, "lock_digest", lambda: "changed")
        assert ran(path) == before


def test_an_error_is_tried_again(ran: Callable[..., Counter[str]], tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    ran(path, floors=FAULTY, ids=["raises"])
    assert list(ran(path, floors=FAULTY, ids=["raises"])) == ["raises.one/one/float/bad_one"]


def test_a_line_that_was_cut_off_runs_again(
    ran: Callable[..., Counter[str]], tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    ran(path)
    whole = path.read_bytes()
    for cut in (1, 10, len(whole) // 2):
        path.write_bytes(whole[:-cut])
        assert ran(path).total() >= 1
        assert ran(path).total() == 0
        assert all(json.loads(line) for line in path.read_text().splitlines())


def test_an_empty_file_is_a_new_run(ran: Callable[..., Counter[str]], tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.touch()
    assert ran(path).total() == 9
    assert ran(path).total() == 0


FOREIGN = [
    b"hello\n",
    b"{}\n",
    b"[1, 2]\n",
    b"no newline",
    b"\xff\xfe\x00\n",
    b'{"posproof": "run", "schema": 2}\n',
    b'{"posproof": "run", "schema": 1}\nnonsense\n',
    b'{"posproof": "run", "schema": 1}\n{"key": 1}\n',
    b'{"posproof": "run", "schema": 1}\n{"key": {}, "finding": {"trusts": []}}\n',
    b'{"posproof": "run", "schema": 1}\n7\n',
]


@pytest.mark.parametrize("content", FOREIGN)
def test_a_foreign_run_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="not a run file"):
        run(SOUND, resume=path)
    assert path.read_bytes() == content


def test_findings_are_flushed_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(stream.os, "fsync", lambda handle: synced.append(handle))
    run(SOUND, resume=tmp_path / "run.jsonl")
    assert len(synced) == 1 + 9


def test_a_digest_follows_imports(tmp_path: Path) -> None:
    (check,) = Registry(SOUND).subject("circle").checks
    reached = {
        path.relative_to(FOLDER / "sound_house").as_posix()
        for path in sources._reachable(
            (check.run.__module__, "sound_house.theory.circle", "sound_house.proofs.decide"), SOUND
        )
    }
    assert reached == {
        "proofs/circle/turns.py",
        "proofs/decide.py",
        "theory/circle/__init__.py",
        "theory/circle/turns.py",
    }


def test_a_finding_survives_the_file(tmp_path: Path) -> None:
    found = Finding(
        "a.b/c/float/d", None, "error", 1.5, "why", "w", "1e-40", "0.1", "f", (("a", "b"),)
    )
    assert Finding.from_dict(json.loads(json.dumps(found.to_dict()))) == found


# ---------------------------------------------------------------------- other transports
@pytest.fixture
def findable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets processes started by the tests import the houses."""
    monkeypatch.setenv("PYTHONPATH", str(FOLDER))


def test_a_process_of_its_own_names_each_offender(findable: None) -> None:
    bad = ("hangs", "exits", "crashes", "raises")
    asked = [
        Task(f"{subject}.one/one/float/{name}_one")
        for subject in bad
        for name in ("quick", "bad", "last")
    ]
    found = run_isolated(tuple(asked), FAULTY, Run(), Limits(1, 1.0, 200))
    assert [finding.task for finding in found] == asked
    for finding in found:
        subject, name = finding.check.split(".")[0], finding.check.rsplit("/", 1)[1]
        if name == "bad_one":
            assert REASONS[subject] in finding.reason
        else:
            assert finding.verdict == "within-bound"


def test_dask_gives_the_same_verdicts(findable: None) -> None:
    distributed = pytest.importorskip("distributed")
    here = run(SOUND)
    with distributed.LocalCluster(
        n_workers=1, processes=False, dashboard_address=None, silence_logs=50
    ) as cluster:
        there = run(SOUND, scheduler=cluster.scheduler_address)
    assert [(c.id, c.verdict) for c in there.claims] == [(c.id, c.verdict) for c in here.claims]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "ftp://x:y", ""])
def test_an_unreachable_scheduler_is_bad_input(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(BadInput, match="no Dask scheduler answers"):
        run(SOUND, scheduler=address)


def test_dask_missing_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match="Dask is not installed"):
        run(SOUND, scheduler="tcp://127.0.0.1:1")


def test_workers_that_are_not_forked_give_the_same_verdicts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner, "START_METHOD", "forkserver")
    assert run(SOUND).sentence() == "3 verified (2 conditional on 1 cited theorem, 1 argued)"


def test_no_worker_outlives_a_killed_run() -> None:
    command = [*COMMAND, "faulty_house", "verify", "hangs", "--jobs", "1"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        workers = _wait_for(lambda: psutil.Process(process.pid).children())
        process.kill()
    _wait_for(lambda: not any(_alive(worker) for worker in workers))


def _alive(process: psutil.Process) -> bool:
    """Whether a process still runs; one that is only not yet reaped does not."""
    try:
        return process.status() != "zombie"
    except psutil.NoSuchProcess:
        return False


def _wait_for(question: Callable[[], Any]) -> Any:
    """The first true answer, for at most a minute."""
    deadline = time.monotonic() + 60
    while not (answer := question()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return answer


def test_a_pool_that_breaks_is_replaced_and_then_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pools: list[int] = []

    def breaking(chunks: list[tuple[Task, ...]], *_: object) -> list[tuple[Task, ...]]:
        pools.append(len(chunks))
        return [(task,) for chunk in chunks for task in chunk]

    monkeypatch.setattr(runner, "_run_pool", breaking)
    result = run(SOUND, "squares.growth")
    assert pools == [1, 2, 2]
    assert result.claims[0].verdict == "error"
    assert "the worker pool broke" in result.claims[0].causes()[0]


def test_a_chunk_hands_back_early_when_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "CHUNK_SECONDS", 0.0)
    chunk = tuple(Task(check.id) for check in Registry(SOUND).subject("squares").checks)
    assert len(tasks.run_chunk(chunk, SOUND, Run(), None)) == 1
