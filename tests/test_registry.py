"""The registry finds what the floors define and refuses what does not fit together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "app_fixtures"))

from houses import FAULTY, FOLDER, SOUND, house

from posproof.errors import BadInput
from posproof.lint import problems, unknown_trust
from posproof.registry import Registry


@pytest.fixture
def sound() -> Registry:
    return Registry(SOUND)


@pytest.fixture
def faulty() -> Registry:
    return Registry(FAULTY)


def texts(registry: Registry, *names: str) -> list[str]:
    subjects = [registry.subject(name) for name in names]
    return [problem.text for problem in problems(registry, subjects)]


def test_claims_are_found_without_a_list(sound: Registry) -> None:
    assert [claim.id for claim in sound.claims()] == [
        "circle.turn",
        "squares.expansion",
        "squares.growth",
    ]


def test_a_claim_exported_by_a_package_and_its_topic_counts_once(sound: Registry) -> None:
    subject = sound.subject("circle")
    assert [claim.id for claim in subject.claims] == ["circle.turn"]
    assert [check.id for check in subject.checks] == ["circle.turn/four/exact/four"]
    assert subject.duplicates == ()


def test_shared_layers_and_silent_modules_are_no_subjects(faulty: Registry) -> None:
    names = {subject.name for subject in faulty.subjects()}
    assert "trusted" not in names
    assert "silent" not in names
    assert "bare" in names


def test_a_sound_house_has_no_problems(sound: Registry) -> None:
    assert problems(sound, sound.subjects()) == ()


def test_loading_one_claim_imports_one_subject() -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from houses import SOUND\n"
        "from posproof.registry import Registry; Registry(SOUND).claim('squares.growth')\n"
        "print(*(name for name in sys.modules if name.startswith('sound_house.')))"
    )
    command = [sys.executable, "-c", program, str(FOLDER)]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "sound_house.theory.squares" in loaded
    assert not [name for name in loaded if "circle" in name]


@pytest.mark.parametrize(
    ("pattern", "ids"),
    [
        ("squares", ["squares.expansion", "squares.growth"]),
        ("squares.growth", ["squares.growth"]),
        ("*.t*", ["circle.turn"]),
        ("s*", ["squares.expansion", "squares.growth"]),
        ("*", ["circle.turn", "squares.expansion", "squares.growth"]),
    ],
)
def test_ids_subjects_and_globs_select_claims(
    sound: Registry, pattern: str, ids: list[str]
) -> None:
    subjects = sound.select([pattern])
    assert [claim.id for subject in subjects for claim in subject.claims] == ids


def test_a_subject_asked_for_whole_and_in_part_stays_whole(sound: Registry) -> None:
    for patterns in (["squares", "squares.growth"], ["squares.growth", "squares"]):
        (subject,) = sound.select(patterns)
        assert len(subject.claims) == 2


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("squared", "squares"),
        ("squares.groth", "squares.growth"),
        ("square.growth", "squares.growth"),
    ],
)
def test_a_near_miss_is_suggested(sound: Registry, pattern: str, hint: str) -> None:
    with pytest.raises(BadInput, match=f"did you mean '{hint}'"):
        sound.select([pattern])


@pytest.mark.parametrize("pattern", ["zzz", "zzz.z", "zzz*", "squares.z*", "", "."])
def test_a_pattern_without_a_match_is_refused(sound: Registry, pattern: str) -> None:
    with pytest.raises(BadInput):
        sound.select([pattern])


def test_an_id_defined_twice_is_refused(faulty: Registry) -> None:
    assert "twice.one is defined twice" in texts(faulty, "twice")


def test_an_unknown_dependency_is_refused(faulty: Registry) -> None:
    assert "depends on the unknown claim refuted.two" in texts(faulty, "dangling")


def test_a_cycle_of_dependencies_is_refused(faulty: Registry) -> None:
    assert "depends on itself: cycle.one -> cycle.two -> cycle.one" in texts(faulty, "cycle")


def test_a_clause_without_evidence_is_reported(faulty: Registry) -> None:
    assert texts(faulty, "bare") == ["clause other has no evidence"]


def test_a_ball_check_without_control_is_refused(faulty: Registry) -> None:
    assert texts(faulty, "uncontrolled") == ["uncontrolled.one/one/ball/compare has no control"]


def test_a_claim_named_after_another_subject_is_refused(faulty: Registry) -> None:
    assert texts(faulty, "stray") == ["elsewhere.one is not named after its subject stray"]


def test_a_failed_import_is_one_line(faulty: Registry) -> None:
    assert faulty.subject("unimportable").failure == (
        "faulty_house.numerics.unimportable: ValueError: the table is missing"
    )
    assert faulty.subject("garbled").failure == (
        "faulty_house.theory.garbled: SyntaxError: invalid syntax at line 3"
    )


def test_an_assumption_must_be_listed_or_said_in_words() -> None:
    known = {"niven": object()}
    assert unknown_trust([("cited", "niven"), ("argued", "limits may be exchanged")], known) == []
    assert unknown_trust([("cited", "nivem")], known) == [
        "cites the unknown theorem 'nivem', did you mean 'niven'?"
    ]
    assert unknown_trust([("argued", "handwaving")], known) == [
        "argues 'handwaving', which is not said in full words"
    ]


def test_floors_that_do_not_exist_are_an_error() -> None:
    with pytest.raises(ModuleNotFoundError):
        Registry(house("no_house")).claims()


def test_our_own_claims_fit_together() -> None:
    registry = Registry()
    assert [subject.failure for subject in registry.subjects() if subject.failure] == []
    assert [found for found in problems(registry, registry.subjects()) if found.fatal] == []
