"""What is installed: one set of names and bounds, a wheel that holds posproof alone, a new .venv.

The tests need no network: the wheel is built and installed from this folder, and the set-up script
is run against packages that are already here.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from posproof.audit.adapters import LIBRARIES

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("theory", "proofs_check", "numerics")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[^ ;\\]+)")
#: Extras that are pinned apart from the lock.
UNLOCKED = {"audit"}
#: Installed beside the audited libraries to compare with, and not audited.
PEERS = {"spherical"}


def bounds(requirements: Iterable[str]) -> dict[str, str]:
    """Canonical names with their version bounds, in one spelling."""
    parsed = [Requirement(text) for text in requirements]
    return {canonicalize_name(one.name): str(one.specifier) for one in parsed}


def declared() -> dict[str, str]:
    groups = PROJECT["optional-dependencies"]
    extras = [text for name, group in groups.items() if name not in UNLOCKED for text in group]
    return bounds([*PROJECT["dependencies"], *extras])


def lock_entries() -> list[str]:
    """The lock cut into one text for each pin, with its hashes and the lines that say why."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]


# ---------------------------------------------------------------------- names and bounds agree
def test_conda_users_get_the_same_names_and_bounds() -> None:
    listed = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    from_index = next(item["pip"] for item in listed if isinstance(item, dict))
    from_conda = [item for item in listed if isinstance(item, str)]
    found = bounds([*from_conda, *(item for item in from_index if not item.startswith("-e"))])
    python = found.pop("python")
    found.pop("pip")
    assert python == PROJECT["requires-python"]
    assert found == declared()


def test_the_audited_releases_meet_their_bounds() -> None:
    text = (ROOT / "requirements-audit.txt").read_text(encoding="utf-8")
    pins = [line for line in text.splitlines() if line and not line.startswith("#")]
    pinned = {canonicalize_name(one.name): one for one in map(Requirement, pins)}
    wanted = bounds(PROJECT["optional-dependencies"]["audit"])
    assert set(pinned) == set(wanted)
    for name, bound in wanted.items():
        (pin,) = pinned[name].specifier
        assert pin.operator == "==" and Requirement(f"{name}{bound}").specifier.contains(
            pin.version
        )
    releases = dict(LIBRARIES.values())
    assert {name: releases[name] for name in set(pinned) - PEERS} == {
        name: next(iter(one.specifier)).version for name, one in pinned.items() if name not in PEERS
    }


def test_no_name_is_declared_twice() -> None:
    extras = PROJECT["optional-dependencies"].values()
    groups = [PROJECT["dependencies"], *extras]
    names = [name for group in groups for name in bounds(group)]
    assert len(names) == len(set(names))


def test_every_bound_is_met_by_the_lock() -> None:
    pinned: dict[str, list[str]] = {}
    for entry in lock_entries():
        pin = PIN.match(entry)
        assert pin, entry
        pinned.setdefault(canonicalize_name(pin["name"]), []).append(pin["version"])
    unmet = [
        f"{name}{bound}: {pinned.get(name)}"
        for name, bound in declared().items()
        if not pinned.get(name)
        or not all(
            Requirement(f"{name}{bound}").specifier.contains(Version(version), prereleases=True)
            for version in pinned[name]
        )
    ]
    assert not unmet


def test_the_lock_was_made_from_these_names() -> None:
    """A name taken out of pyproject.toml must leave the lock too: run `make lock`."""
    direct = {
        canonicalize_name(entry.split("==")[0])
        for entry in lock_entries()
        if "posproof (pyproject.toml)" in entry
    }
    assert direct == set(declared())


def test_every_pin_has_hashes_and_no_address() -> None:
    entries = lock_entries()
    assert len(entries) > len(declared())
    assert not [entry for entry in entries if "--hash=sha256:" not in entry]
    assert not re.findall(r"\w+://|^--?\w", "".join(entries), re.MULTILINE)


def test_the_lock_is_light() -> None:
    names = {canonicalize_name(entry.split("==")[0]) for entry in lock_entries()}
    assert not names & {"torch", "jax", "tensorflow"}


# ---------------------------------------------------------------------- what the code imports
def foreign_imports(tree: str) -> dict[str, set[str]]:
    """Other people's top-level modules a tree imports, each with the files that do."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / tree).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            for name in {name.split(".")[0] for name in names}:
                if name not in sys.stdlib_module_names and name != "posproof":
                    found.setdefault(name, set()).add(path.relative_to(ROOT).as_posix())
    return found


@functools.cache
def providers() -> dict[str, set[str]]:
    """Top-level modules with the installed distributions that provide them."""
    found = importlib.metadata.packages_distributions().items()
    return {module: {canonicalize_name(name) for name in names} for module, names in found}


def distributions(module: str) -> set[str]:
    return providers().get(module, set())


@pytest.mark.parametrize("tree", FLOORS)
def test_the_floors_import_core_dependencies_only(tree: str) -> None:
    core = set(bounds(PROJECT["dependencies"]))
    foreign = foreign_imports(tree)
    assert not {name: files for name, files in foreign.items() if not distributions(name) & core}


def test_every_import_is_declared() -> None:
    foreign = foreign_imports("posproof")
    known = {*declared(), *bounds(PROJECT["optional-dependencies"]["audit"])}
    undeclared = {
        name: files
        for name, files in foreign.items()
        if not (distributions(name) or {canonicalize_name(name)}) & known
    }
    assert not undeclared


def test_every_core_dependency_is_imported() -> None:
    used = {
        distribution
        for tree in (*FLOORS, "posproof")
        for module in foreign_imports(tree)
        for distribution in distributions(module)
    }
    assert not set(bounds(PROJECT["dependencies"])) - used


# ---------------------------------------------------------------------- the wheel
def copy_checkout(target: Path) -> Path:
    """What a commit would hold, without the book's and the tools' own output."""
    made = (
        ".*cache*",
        ".git",
        ".venv",
        ".hypothesis",
        "__pycache__",
        "*.egg-info",
        "build",
        "_build",
    )
    return Path(shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(*made)))


def python(*arguments: str | Path, **settings: str) -> str:
    """Output of this interpreter with these arguments; the run must succeed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    copy = copy_checkout(folder / "checkout")
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet")
    python("-m", "pip", "wheel", *offline, "--wheel-dir", folder / "dist", copy)
    (built,) = (folder / "dist").glob("*.whl")
    return built


def test_the_wheel_holds_posproof_alone(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"posproof"}


def test_the_wheel_holds_every_file_of_the_four_trees(wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    wanted = {
        (path if tree == "posproof" else Path("posproof", path)).as_posix()
        for tree in (*FLOORS, "posproof")
        for found in (ROOT / tree).rglob("*")
        if found.is_file() and "__pycache__" not in found.parts
        for path in [found.relative_to(ROOT)]
    }
    assert held == wanted


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment that holds the wheel and borrows the dependencies."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False, symlinks=True)
    paths = sysconfig.get_paths(vars={"base": str(home), "platbase": str(home)})
    # A .pth file adds the folder of the dependencies without running the .pth files in it, so
    # this checkout's own editable install stays out.
    Path(paths["purelib"], "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    interpreter = Path(paths["scripts"], "python")
    offline = ("--no-deps", "--no-index", "--quiet", "--no-warn-script-location")
    python("-m", "pip", "--python", interpreter, "install", *offline, wheel)
    return interpreter.parent


def outside(programs: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program of another environment, in a folder that is not a checkout."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [programs / program, *arguments],
        cwd=programs,
        env=clean,
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_installed_wheel_runs(installed: Path) -> None:
    version = outside(installed, "posproof", "--version")
    assert version.returncode == 0, version.stderr
    assert importlib.metadata.version("posproof") in version.stdout
    usage = outside(installed, "posproof", "verify", "--help")
    assert usage.returncode == 0, usage.stderr
    assert "--profile" in usage.stdout


def test_an_installed_wheel_imports_its_own_floors(installed: Path) -> None:
    code = "import posproof.theory.vocabulary as v, posproof.numerics as n; print(v.__file__)"
    done = outside(installed, "python", "-c", code)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(installed.parent)
    assert outside(installed, "python", "-c", "import theory").returncode == 1


#: Runs the program as if the modules named in its first argument were not installed.
WITHOUT = """
import importlib.abc, sys

class Absent(importlib.abc.MetaPathFinder):
    missing = set(sys.argv.pop(1).split())

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
from posproof.cli import main
main()
"""


def closure(names: Iterable[str]) -> set[str]:
    """Distributions these names need, directly or not."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found:
            continue
        found.add(name)
        for text in importlib.metadata.requires(name) or []:
            need = Requirement(text)
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                waiting.append(need.name)
    return found


@pytest.mark.parametrize("arguments", [("list",), ("show", "mobius.holonomy")])
def test_the_core_needs_no_extra(installed: Path, arguments: tuple[str, ...]) -> None:
    core = closure(bounds(PROJECT["dependencies"]))
    missing = {
        module for module, names in providers().items() if module != "posproof" and not names & core
    }
    assert {"matplotlib", "jupyter_book", "dask"} <= missing
    done = outside(installed, "python", "-c", WITHOUT, " ".join(missing), *arguments)
    assert done.returncode == 0, done.stderr
    assert "mobius.holonomy" in done.stdout


# ---------------------------------------------------------------------- a copied checkout
def verdict_in(checkout: Path, claim: str) -> tuple[int, str]:
    """Exit code and verdict of `posproof verify` run on a copy that is not installed anywhere."""
    done = subprocess.run(
        [sys.executable, "-m", "posproof", "verify", claim, "--json", "-"],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    (row,) = json.loads(done.stdout)["claims"]
    assert row["id"] == claim
    return done.returncode, row["verdict"]


#: A constant, a sign and an operator: file, what it says, what it is to say, a claim that breaks.
SPOILED = {
    "constant": ("ladder.py", "pi * (2 * i + 1) / N", "pi * (2 * i + 2) / N", "mobius.holonomy"),
    "sign": ("ladder.py", "[sin(phi), cos(phi)]", "[-sin(phi), cos(phi)]", "mobius.bundle"),
    "operator": ("ladder.py", "rows[a][b] -= sign", "rows[a][b] += sign", "mobius.bundle"),
}


@pytest.mark.parametrize("claim", sorted({claim for *_, claim in SPOILED.values()}))
def test_an_untouched_copy_verifies(claim: str, tmp_path: Path) -> None:
    assert verdict_in(copy_checkout(tmp_path / "copy"), claim) == (0, "verified")


@pytest.mark.parametrize("what", SPOILED)
def test_a_spoiled_definition_in_a_copy_changes_the_verdict(what: str, tmp_path: Path) -> None:
    """The copy must run its own theory, and `verify` must notice what was done to it."""
    name, right, wrong, claim = SPOILED[what]
    copy = copy_checkout(tmp_path / "copy")
    definitions = copy / "theory" / "mobius" / name
    text = definitions.read_text(encoding="utf-8")
    assert text.count(right) == 1
    definitions.write_text(text.replace(right, wrong), encoding="utf-8")
    code, verdict = verdict_in(copy, claim)
    assert (code, verdict) in {(1, "refuted"), (1, "broken"), (3, "error"), (3, "undecided")}


# ---------------------------------------------------------------------- the set-up
def repacked(name: str, folder: Path) -> Path:
    """A wheel made of the files of an installed pure-Python distribution."""
    distribution = importlib.metadata.distribution(name)
    held = {
        path.as_posix(): Path(str(distribution.locate_file(path)))
        for path in distribution.files or []
        if ".." not in path.parts and path.suffix != ".pyc" and path.name != "RECORD"
    }
    metadata = next(path.split("/")[0] for path in held if path.endswith(".dist-info/METADATA"))
    wheel = folder / f"{name}-{distribution.version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, file in held.items():
            archive.write(file, path)
        archive.writestr(f"{metadata}/RECORD", "".join(f"{path},,\n" for path in held))
    return wheel


def make_venv(checkout: Path, wheels: Path) -> subprocess.CompletedProcess[str]:
    """Run the set-up of a checkout with nothing to install from but a folder of wheels."""
    offline = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)}
    return subprocess.run(
        [checkout / ".ci" / "make-venv"],
        env={**os.environ, **offline, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_set_up_falls_back_to_pip_and_knows_when_it_is_stale(tmp_path: Path) -> None:
    """One story, because each chapter costs seconds: made, left alone, moved to a wrong hash."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    wheel = repacked("setuptools", wheels)
    version = importlib.metadata.version("setuptools")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    checkout = copy_checkout(tmp_path / "checkout")
    lock = checkout / "requirements.lock"

    lock.write_text(f"setuptools=={version} --hash=sha256:{digest}\n")
    made = make_venv(checkout, wheels)
    assert made.returncode == 0, made.stderr
    assert "plain pip" in made.stderr
    programs = checkout / ".venv" / "bin"
    told = outside(programs, "python", "-c", "import posproof; print(posproof.__file__)")
    assert Path(told.stdout.strip()) == checkout / "posproof" / "__init__.py", told.stderr
    assert (programs / "posproof").is_file()

    assert make_venv(checkout, wheels).stderr == ""
    moved = checkout.rename(tmp_path / "moved")
    (moved / lock.name).write_text(f"setuptools=={version} --hash=sha256:{digest[::-1]}\n")
    remade = make_venv(moved, wheels)
    assert "making .venv" in remade.stderr
    assert remade.returncode != 0, "a package with a wrong hash was installed"


# ---------------------------------------------------------------------- the version
def test_one_version_everywhere() -> None:
    version = importlib.metadata.version("posproof")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert citation["version"] == version
    assert citation["license"] == PROJECT["license"]
    assert re.search(rf"^## \[{re.escape(version)}\]", changelog, re.MULTILINE)


# ---------------------------------------------------------------------- what CI runs
def recording_programs(folder: Path, *names: str) -> Path:
    """Programs that only write down how they were called and what browser was promised."""
    folder.mkdir()
    for name in names:
        program = folder / name
        program.write_text(
            f'#!/bin/sh\necho "{name} $* ${{POSPROOF_REQUIRE_BROWSER:-}}" >> "$LOG"\n'
        )
        program.chmod(0o755)
    return folder


@pytest.mark.parametrize("present", [True, False])
def test_ci_installs_chromium_when_missing_and_runs_make_test(
    present: bool, tmp_path: Path
) -> None:
    names = ["make", "apt-get", "python3", *(["chromium"] if present else [])]
    programs = recording_programs(tmp_path / "bin", *names)
    for needed in ("sh", "dirname"):
        (programs / needed).symlink_to(str(shutil.which(needed)))
    log = tmp_path / "log"
    settings = {"PATH": str(programs), "LOG": str(log)}
    subprocess.run([ROOT / ".ci" / "run"], env=settings, stdin=subprocess.DEVNULL, check=True)
    calls = [line.split() for line in log.read_text().splitlines() if "python3" not in line]
    assert calls.pop() == ["make", "test", "1"]
    if present:
        assert not calls
    else:
        assert [call[1] for call in calls] == ["update", "install"]
        assert "chromium" in calls[-1]


@pytest.mark.parametrize(("promised", "code"), [("1", 1), ("", 0)])
def test_a_skipped_browser_test_fails_where_a_browser_is_promised(
    promised: str, code: int, tmp_path: Path
) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = browser\n")
    (tmp_path / "test_page.py").write_text(
        "import pytest\n\n\n@pytest.mark.browser\ndef test_page(chromium):\n    assert chromium\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", tmp_path],
        env={**os.environ, "PATH": str(tmp_path), "POSPROOF_REQUIRE_BROWSER": promised},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout
    assert "Chromium is not installed" in done.stdout or "was skipped" in done.stdout
