"""The audit: what it takes, how it answers, and the right values it compares with."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import posproof
from posproof import strategies, wigner
from posproof.audit import audit, encoding
from posproof.audit.findings import VERDICTS, worst
from posproof.audit.invariants import families, invariants
from posproof.audit.parameters import flat, rule_of, spellings
from posproof.audit.protocol import CAPABILITIES, FACTS
from posproof.cli import main
from posproof.numerics.bias_rules import alibi_slopes, bucket, bucket_starts
from posproof.numerics.frequency_rules import (
    NoLadder,
    Rule,
    ramp_ends,
    relative_error,
    scaled_ladder,
)

USER_FILE = """
import numpy as np

def encode(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = np.asarray(positions)[:, None] * base ** (-np.arange(0, d, 2) / d)
    c, s = np.cos(angle), np.sin(angle)
    a, b = x[..., 0::2], x[..., 1::2]
    return np.stack([a * c - b * s, a * s + b * c], axis=-1).reshape(x.shape)

encode.facts = {"head_dim": 16, "base": 10000}

def rounded(x, positions):
    return encode(x, np.asarray(positions).astype(np.float16))

def endless(x, positions):
    while True:
        pass

def alone(x):
    return x

def nothing(x, positions):
    return x * np.nan

def shorter(x, positions):
    return x[:1]

class Deaf:
    pass
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my_rope.py"
    path.write_text(USER_FILE, encoding="utf-8")
    return path


# ---------------------------------------------------------------------- the command
@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("encode", 0, "clean"),
        ("rounded", 1, "positions 2048 and 2049 are rotated alike"),
        ("nothing", 1, "not finite from position 0 on"),
        ("shorter", 1, "wrong shape"),
    ],
)
def test_a_file_is_audited(
    file: Path, name: str, code: int, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", f"{file}:{name}"]) == code
    assert said in capfd.readouterr().out


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("{file}:alone", "cannot be called as rotate(x, positions)"),
        ("{file}:absent", "has no 'absent'"),
        ("{file}:Deaf", "offers none of"),
        ("{file}", "is not package.module:object"),
        ("nowhere.py:x", "no file nowhere.py"),
        ("no_such_module:x", "does not import: ModuleNotFoundError"),
    ],
)
def test_what_is_no_encoding_gets_one_line(
    file: Path, target: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", target.format(file=file)]) == 2
    heard = capfd.readouterr()
    assert said in heard.err and heard.err.count("\n") == 1 and not heard.out


def test_a_broken_file_names_its_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import numpy\nthis is no Python\n", encoding="utf-8")
    assert main(["audit", f"{path}:x"]) == 2
    assert "does not import: SyntaxError" in capfd.readouterr().err


def test_one_that_never_returns_is_stopped(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", f"{file}:endless", "--time-limit", "1"]) == 3
    assert "no answer within 1 s" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--family", "rotery"),
        ("--dtype", "float17"),
        ("--time-limit", "0"),
        ("--memory-limit", "0"),
    ],
)
def test_bad_options_are_named(
    file: Path, option: str, value: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", f"{file}:encode", option, value]) == 2
    assert option in capfd.readouterr().err


def test_reports_are_written(file: Path, tmp_path: Path) -> None:
    written, cases = tmp_path / "a.json", tmp_path / "a.xml"
    arguments = ["audit", f"{file}:rounded", "--json", str(written), "--junit", str(cases)]
    assert main(arguments) == 1
    document = json.loads(written.read_text(encoding="utf-8"))
    assert document["schema"] == 1 and document["verdict"] == "fault"
    assert document["facts"]["layout found"] == "interleaved"
    rows = {row["invariant"]: row for row in document["invariants"]}
    assert rows["group law"]["findings"][0]["observed"]
    suite = ElementTree.parse(cases).getroot().find("testsuite")
    assert suite is not None and int(suite.get("failures", "0")) >= 3


def test_only_one_family(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", f"{file}:encode", "--family", "state", "--json", "-"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert {row["family"] for row in document["invariants"]} == {"state"}


def test_the_list_names_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--list"]) == 0
    said = capsys.readouterr().out
    known = {*CAPABILITIES, *FACTS, *(rule.name for rule in invariants())}
    assert not [name for name in known if name not in said]


# ---------------------------------------------------------------------- invariants and facts
def test_every_invariant_says_what_it_sees() -> None:
    claims = {claim.id for claim in posproof.claims()}
    for rule in invariants():
        assert rule.sees and rule.family in families()
        assert set(rule.needs) <= set(CAPABILITIES)
        assert not rule.claim or rule.claim in claims, rule.name
    assert len({rule.name for rule in invariants()}) == len(invariants())


def test_every_method_is_used_by_an_invariant() -> None:
    needed = {name for rule in invariants() for name in rule.needs}
    assert set(CAPABILITIES) - needed == {"rotate_key"}  # an invariant of `rotate` asks for it


class Told:
    """An encoding with facts."""

    def __init__(self, **facts: Any) -> None:
        self.facts = facts

    def rotate(self, x: Any, positions: Any) -> Any:
        return x


@pytest.mark.parametrize("facts", [{"head_dims": 64}, {"head_dim": "64"}, {"head_dim": True}])
def test_wrong_facts_are_refused(facts: dict[str, Any]) -> None:
    with pytest.raises(posproof.BadInput, match="head_dim"):
        encoding(Told(**facts))


def test_the_gravest_verdict_counts() -> None:
    assert [worst(VERDICTS[k:]) for k in range(4)] == list(VERDICTS) and worst(()) == "clean"


@pytest.mark.parametrize(
    ("name", "method", "said"),
    [
        ("rotate_pair", lambda queries, keys: 1 / 0, "raises ZeroDivisionError"),
        ("rotate_pair", lambda queries, keys: queries, "no pair"),
        ("session", lambda: object(), "raises AttributeError"),
    ],
)
def test_code_that_breaks_is_a_fault(name: str, method: Any, said: str) -> None:
    known = type("Broken", (), {name: staticmethod(method)})()
    report = audit(known)
    assert report.verdict == "fault"
    assert said in report.rows[0].findings[0].reason


def test_a_table_that_ends_is_no_fault() -> None:
    table = np.arange(500)

    def rotate(x: Any, positions: Any) -> Any:
        angle = table[positions][:, None] * np.ones(4)
        a, b = x[..., :4], x[..., 4:]
        c, s = np.cos(angle), np.sin(angle)
        return np.concatenate([a * c - b * s, a * s + b * c], axis=-1)

    rotate.facts = {"head_dim": 8}  # type: ignore[attr-defined]
    assert audit(rotate).verdict == "clean"


def test_the_fixture_fails_with_the_findings(pytester: pytest.Pytester, file: Path) -> None:
    pytester.makepyfile(
        f"""
        import sys
        sys.path.insert(0, {str(file.parent)!r})
        import my_rope

        def test_right(audit_encoding):
            assert audit_encoding(my_rope.encode).verdict == "clean"

        def test_wrong(audit_encoding):
            audit_encoding(my_rope.rounded)
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*2048 and 2049 are rotated alike*"])


def test_the_complete_example_of_the_book_passes(pytester: pytest.Pytester) -> None:
    page = (Path(__file__).resolve().parent.parent / "book" / "audit.md").read_text()
    (example,) = re.findall(r"```python\n(# test_my_encodings.py\n.*?)```", page, re.DOTALL)
    pytester.makepyfile(example)
    pytester.runpytest().assert_outcomes(passed=3)


# ---------------------------------------------------------------------- padding and claims
@pytest.mark.parametrize(
    ("positions", "verdict"),
    [
        (lambda mask: (np.cumsum(mask, axis=1) - 1) * mask, "clean"),
        (lambda mask: np.cumsum(mask, axis=1) + 40, "clean"),  # scores see differences only
        (lambda mask: np.broadcast_to(np.arange(mask.shape[1]), mask.shape), "fault"),
        (lambda mask: np.cumsum(mask.ravel()).reshape(mask.shape) % 5, "fault"),
    ],
)
def test_padding_does_not_count_as_tokens(positions: Any, verdict: str) -> None:
    known = type("Batch", (), {"padded": staticmethod(positions)})()
    report = audit(known)
    assert (report.verdict, [row.invariant for row in report.rows]) == (verdict, ["padding"])


def _tilted(angles: Any) -> Any:
    """A colatitude that is off by 3e-12 in one band, as a library's matrix exponential was."""
    alpha, beta, gamma = np.moveaxis(angles, -1, 0)
    return np.stack([alpha, beta + 3e-12 * ((beta > 0.01) & (beta < 0.5)), gamma], axis=-1)


@pytest.mark.parametrize(
    ("matrix", "verdict"),
    [
        (lambda degree, angles: wigner.matrix(2 * degree, angles), "clean"),
        (lambda degree, angles: wigner.real_matrix(degree, angles), "clean"),
        (lambda degree, angles: wigner.matrix(2 * degree, angles).T, "clean"),
        (lambda degree, angles: wigner.matrix(2 * degree, _tilted(angles)), "fault"),
    ],
)
def test_the_certificate_reads_every_usual_basis(matrix: Any, verdict: str) -> None:
    class Known:
        def wigner(self, degree: int, rotation: Any) -> Any:
            return matrix(degree, wigner.angles_of_rotations(rotation))

    rows = {row.invariant: row for row in audit(Known()).rows}
    assert rows["Wigner certificate"].verdict == verdict
    for finding in rows["Wigner certificate"].findings:
        assert finding.claim == "spherical.matrix_certificate"


def test_a_wrong_rule_names_its_claim() -> None:
    def ladder(parameters: Any, length: int | None) -> Any:
        known = flat(parameters)
        if known.get("rope_type") != "linear":
            raise NotImplementedError
        width = known["head_dim"]
        return float(known["rope_theta"]) ** (-np.arange(0, width, 2) / width)  # the factor lost

    report = audit(type("Rules", (), {"ladder": staticmethod(ladder)})())
    found = {finding.claim for row in report.rows for finding in row.findings}
    assert report.verdict == "fault" and found == {"scaling.interpolation"}


def test_head_vectors_see_keys_that_forget_one_slow_pair() -> None:
    class Forgets:
        facts = {"head_dim": 8, "base": 10_000, "layout": "half", "max_position": 4096}

        def rotate(self, x: Any, positions: Any) -> Any:
            angle = np.asarray(positions)[:, None] * 10_000.0 ** (-np.arange(4) / 4)
            a, b = x[..., :4], x[..., 4:]
            c, s = np.cos(angle), np.sin(angle)
            return np.concatenate([a * c - b * s, a * s + b * c], axis=-1)

        def rotate_key(self, x: Any, positions: Any) -> Any:
            turned = self.rotate(x, positions)
            turned[..., [3, 7]] = x[..., [3, 7]]
            return turned

    report = audit(Forgets())
    row = next(row for row in report.rows if row.invariant == "head vectors")
    assert {finding.claim for finding in row.findings} == {"precision.relative", "precision.angles"}
    assert "pair 3" in row.findings[0].given


# ---------------------------------------------------------------------- right values
SCALED: list[tuple[Rule, int | None, dict[int, str]]] = [
    (
        Rule("llama3", 128, 500_000, 128, 8, 8192, low_freq_factor=1, high_freq_factor=4),
        None,
        {28: "0.003211445994752591018543489", 34: "0.0001785078127679964185236747"},
    ),
    (
        Rule("yarn", 128, 10_000, 128, 4, 4096),
        None,
        {20: "0.0562341325190349080394951", 45: "0.0004294025889973583432456163"},
    ),
    (
        Rule("ntk", 128, 10_000, 128, 8),
        None,
        {63: "0.00001443477480861822724583104", 32: "0.003477664048114573903920205"},
    ),
    (Rule("dynamic", 64, 10_000, 64, 4, 16), 64, {31: "0.0000102578571704871078898"}),
    (Rule("dynamic", 64, 10_000, 64, 4, 16), 16, {31: "0.000133352143216332402568"}),
    (Rule("default", 256, 1_000_000, 64), None, {1: "0.649381631576211315128"}),
    (Rule("proportional", 8, 10_000, 4), None, {1: "0.1", 2: "0"}),
]


@pytest.mark.parametrize(("rule", "length", "planes"), SCALED)
def test_published_ladders(rule: Rule, length: int | None, planes: dict[int, str]) -> None:
    ladder = scaled_ladder(rule, length)
    for plane, printed in planes.items():
        right = Fraction(printed)
        assert abs(float(ladder.frequencies[plane].mid()) - float(right)) <= 2e-16 * float(right)


YARN = Rule("yarn", 64, 10_000, 64, context=4096)
LONGROPE = Rule(
    "longrope", 8, 10_000, 8, 1, 4096, 131_072, short_factor=(1,) * 4, long_factor=(2,) * 4
)


@pytest.mark.parametrize(
    ("rule", "right"),
    [
        (replace(YARN, factor=4), 1.138629436111989061883446),
        (replace(YARN, factor=40), 1.368887945411393630285246),
        (replace(YARN, factor=40, mscale=Fraction(707, 1000)), 1.26080377740585529661),
        (replace(YARN, factor=40, attention_factor=2), 2.0),
        (LONGROPE, 1.1902380714238083329999),
    ],
)
def test_attention_factors(rule: Rule, right: float) -> None:
    found = float(scaled_ladder(rule).attention_factor.mid())
    assert abs(found - right) <= 2.0**-52 * right


def test_the_ends_of_a_ramp() -> None:
    rule = Rule("yarn", 64, 150_000, 64, 32, 4096, truncate=False)
    ends = [float(end.mid()) for end in ramp_ends(rule)]
    assert ends == pytest.approx([8.09277911551240100513, 17.3980245015885555046], rel=1e-15)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (Rule("spiral", 64, 10_000, 64), "unknown rule"),
        (Rule("default", 64, 1, 64), "base 1"),
        (Rule("default", 64, 10_000, 63), "no pairs"),
        (Rule("default", 64, 10_000, 66), "do not fit"),
        (Rule("ntk", 2, 10_000, 2, 8), "one plane"),
        (Rule("yarn", 64, 10_000, 64, 8), "original context"),
        (Rule("linear", 64, 10_000, 64, Fraction(1, 2)), "below 1"),
        (Rule("llama3", 64, 10_000, 64, 8, 8192, low_freq_factor=4, high_freq_factor=1), "0 < low"),
        (Rule("longrope", 8, 10_000, 8, 1, 4096, short_factor=(1,)), "1 short factors"),
    ],
)
def test_a_rule_without_a_ladder(rule: Rule, said: str) -> None:
    with pytest.raises(NoLadder, match=said):
        scaled_ladder(rule)


@settings(max_examples=60, deadline=None)
@given(strategies.ladders(), st.sampled_from((1, 2)))
def test_scaled_ladders_fall_and_stay_between(known: dict[str, Any], times: int) -> None:
    rule = rule_of(known)
    length = times * (rule.context or 1)
    found = [float(theta.mid()) for theta in scaled_ladder(rule, length).frequencies]
    unscaled = Rule("default", rule.head_dim, rule.base, rule.rotary_dim)
    plain = [float(theta.mid()) for theta in scaled_ladder(unscaled).frequencies]
    factor = float(rule.factor)
    stretch = factor * times - factor + 1 if rule.name == "dynamic" else factor
    assert all(a > b for a, b in zip(found, found[1:], strict=False))
    room = 1 + 2.0**-40
    for theta, before in zip(found, plain, strict=True):
        assert before / stretch <= theta * room and theta <= before * room
    assert relative_error(rule, Fraction(1, 2**24), length) < Fraction(1, 100)


@given(strategies.ladders())
def test_spellings_mean_one_ladder(known: dict[str, Any]) -> None:
    wanted = rule_of(known)
    for _, spelled in spellings(known):
        assert rule_of(spelled) == wanted


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(posproof.BadInput, match="rope_thetas.*rope_theta"):
        flat({"rope_thetas": 10_000})


def test_slopes() -> None:
    found = [2.0 ** float(e) for e in alibi_slopes(6)]
    assert found == [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]
    with pytest.raises(ValueError, match="0 heads"):
        alibi_slopes(0)


@pytest.mark.parametrize(
    ("shape", "starts"),
    [
        ((32, 128), (16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113)),
        ((16, 128), (8, 12, 16, 23, 32, 46, 64, 91)),
        ((16, 64), (8, 11, 14, 18, 23, 30, 39, 50)),
    ],
)
def test_buckets_begin(shape: tuple[int, int], starts: tuple[int, ...]) -> None:
    assert bucket_starts(*shape)[shape[0] // 2 :] == starts


def test_buckets() -> None:
    causal = bucket(np.array([-50, -25, -1, 0]), 32, 128, bidirectional=False)
    assert causal.tolist() == [24, 19, 1, 0]
    assert bucket(np.array([1, -1, 200, -200]), 32, 128).tolist() == [17, 1, 31, 15]
    with pytest.raises(ValueError, match="does not exceed"):
        bucket_starts(32, 16)


# ---------------------------------------------------------------------- strategies
@given(strategies.rotations())
def test_drawn_rotations_are_rotations(rotation: Any) -> None:
    assert np.abs(rotation @ rotation.T - np.eye(3)).max() < 16 * 2.0**-53
    assert np.linalg.det(rotation) > 0


@pytest.mark.parametrize(
    ("branch", "inside"),
    [
        ("elliptic", lambda t: abs(t) < 2),
        ("parabolic", lambda t: abs(abs(t) - 2) < 1e-12),
        ("hyperbolic", lambda t: abs(t) > 2),
    ],
)
def test_drawn_symplectic_matrices(branch: str, inside: Callable[[float], bool]) -> None:
    @given(strategies.symplectic(branch))
    def check(matrix: Any) -> None:
        a, b, c, d = matrix.reshape(-1)
        assert abs(a * d - b * c - 1) < 64 * 2.0**-53 * (abs(a * d) + abs(b * c) + 1)
        assert inside(a + d)

    check()


@given(strategies.commuting_generators(3, 6))
def test_drawn_generators_commute(generators: list[Any]) -> None:
    for a in generators:
        assert (a == -a.T).all()
        for b in generators:
            size = np.linalg.norm(a) * np.linalg.norm(b)
            assert np.linalg.norm(a @ b - b @ a) <= 64 * 6 * 2.0**-53 * size


@given(strategies.positions(1000), strategies.formats())
def test_drawn_positions_are_in_range(position: int, name: str) -> None:
    assert 0 <= position < 1000 and name in ("float64", "float32", "float16", "bfloat16")


@pytest.mark.parametrize(
    "draw",
    [
        lambda: strategies.positions(0),
        lambda: strategies.symplectic("flat"),
        lambda: strategies.commuting_generators(2, 3),
    ],
)
def test_bad_strategies_are_refused(draw: Callable[[], Any]) -> None:
    with pytest.raises(posproof.BadInput):
        draw()
