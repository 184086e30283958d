"""The shape of the house: which floor may import which, one name through all rooms, banned calls.

Each rule is a function from source text to complaints.  It is run on the whole tree, and on small
texts that break it, so that no rule can pass by seeing nothing.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("theory", "proofs_check", "numerics")
TREES = (*FLOORS, "posproof")
#: What each tree may import of ours.
ARROWS = {
    "theory": {"theory"},
    "proofs_check": {"theory", "proofs_check"},
    "numerics": {"theory", "numerics"},
    "posproof": {*TREES},
    "book": {"posproof"},
}


def python_files(tree: str) -> list[Path]:
    """The modules of a tree; of `tests` not the fixtures, which are wrong on purpose."""
    pattern = "test_*.py" if tree == "tests" else "*.py"
    return sorted((ROOT / tree).rglob(pattern))


def code_cells(page: str) -> str:
    """The code of a MyST page, one text; lines outside cells are blanked so numbers stay right."""
    kept, inside = [], False
    for line in page.splitlines():
        if not inside and line.startswith("```{code-cell}"):
            inside = True
            kept.append("")
        elif inside and line.startswith("```"):
            inside = False
            kept.append("")
        else:
            option = line.startswith((":", "---"))
            kept.append(line if inside and not option else "")
    return "\n".join(kept)


def book_sources() -> Iterator[tuple[Path, str]]:
    for path in sorted((ROOT / "book").rglob("*")):
        if "_build" in path.parts:
            continue
        if path.suffix == ".md":
            yield path, code_cells(path.read_text(encoding="utf-8"))
        elif path.suffix == ".py":
            yield path, path.read_text(encoding="utf-8")


def sources(tree: str) -> list[tuple[Path, str]]:
    if tree == "book":
        return list(book_sources())
    return [(path, path.read_text(encoding="utf-8")) for path in python_files(tree)]


def complaints(rule: Callable[[str], list[str]], *trees: str) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}: {complaint}"
        for tree in trees
        for path, text in sources(tree)
        for complaint in rule(text)
    ]


# ---------------------------------------------------------------------- imports
def imported(text: str) -> list[tuple[int, str]]:
    """Line and dotted name of everything a text imports, names computed at run time included."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            separator = "" if start.endswith(".") else "."
            found += [(node.lineno, f"{start}{separator}{alias.name}") for alias in node.names]
        elif isinstance(node, ast.Call) and called(node) in ("import_module", "__import__"):
            first = node.args[0] if node.args else None
            if isinstance(first, ast.JoinedStr) and first.values:
                first = first.values[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                found.append((node.lineno, first.value.rstrip(".")))
    return found


def called(node: ast.Call) -> str:
    """The last part of the name of what is called."""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def room(name: str) -> str | None:
    """Which of our trees a dotted name belongs to; None for other people's modules."""
    first, _, rest = name.partition(".")
    if first != "posproof":
        return None
    second = rest.split(".")[0]
    return second if second in FLOORS else "posproof"


def forbidden_imports(tree: str) -> Callable[[str], list[str]]:
    def rule(text: str) -> list[str]:
        return [
            f"line {line} imports {name}"
            for line, name in imported(text)
            if room(name) not in ARROWS[tree] | {None}
        ]

    return rule


def bare_imports(text: str) -> list[str]:
    return [
        f"line {line} imports {name}: write posproof.{name}"
        for line, name in imported(text)
        if name.split(".")[0] in FLOORS
    ]


def relative_imports(text: str) -> list[str]:
    return [f"line {line} imports {name}" for line, name in imported(text) if name[0] == "."]


@pytest.mark.parametrize("tree", ARROWS)
def test_arrows_point_one_way(tree: str) -> None:
    assert not complaints(forbidden_imports(tree), tree)


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        ("theory", "from posproof.proofs_check import kernel"),
        ("theory", "import posproof.registry"),
        ("theory", "from posproof import numerics"),
        ("proofs_check", "import posproof.numerics.balls"),
        ("proofs_check", "def late():\n    from posproof.numerics import balls"),
        ("numerics", "from posproof.proofs_check.kernel import Theorem"),
        ("numerics", "importlib.import_module('posproof.proofs_check.kernel')"),
        ("numerics", "importlib.import_module(f'posproof.proofs_check.{subject}')"),
        ("book", "from posproof.theory.mobius import DIPOLE"),
        ("book", code_cells("```{code-cell} ipython3\n:tags: [x]\nimport posproof.numerics\n```")),
    ],
)
def test_a_wrong_arrow_is_seen(tree: str, text: str) -> None:
    assert forbidden_imports(tree)(text)


@pytest.mark.parametrize("tree", [*TREES, "tests", "book", "benchmarks"])
def test_floors_are_imported_by_their_full_names(tree: str) -> None:
    """`import theory` works in a checkout and makes a second copy whose classes are not ours."""
    assert not complaints(bare_imports, tree)
    assert not complaints(relative_imports, tree)


@pytest.mark.parametrize(
    "text", ["import theory", "from numerics.balls import ball", "import proofs_check.kernel as k"]
)
def test_a_bare_import_is_seen(text: str) -> None:
    assert bare_imports(text)


def test_relative_imports_are_seen() -> None:
    assert relative_imports("from . import kernel") and relative_imports("from ..theory import x")


# ---------------------------------------------------------------------- one name, five rooms
def states_claims(text: str) -> bool:
    """Whether a module calls `Claim(...)`, which is what makes it a subject or a topic."""
    nodes = ast.walk(ast.parse(text))
    return any(isinstance(node, ast.Call) and called(node) == "Claim" for node in nodes)


def makes_checks(text: str) -> bool:
    """Whether a module decorates a function as a check."""
    makers = {"proves", "checked_by"}
    return any(
        isinstance(decorator, ast.Call) and called(decorator) in makers
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
    )


def address(path: Path, tree: str) -> str:
    """`mobius` or `mobius/ladder`: where a module stands inside its tree."""
    return path.relative_to(ROOT / tree).with_suffix("").as_posix()


@lru_cache
def topics() -> tuple[str, ...]:
    """Every module of the theory floor that states a claim."""
    return tuple(address(path, "theory") for path, text in sources("theory") if states_claims(text))


def test_some_subject_exists() -> None:
    assert "mobius" in {topic.split("/")[0] for topic in topics()}


@pytest.mark.parametrize("topic", topics())
def test_a_topic_has_the_same_name_in_all_five_rooms(topic: str) -> None:
    folder, _, name = topic.rpartition("/")
    rooms = [
        Path("theory", f"{topic}.py"),
        Path("proofs_check", f"{topic}.py"),
        Path("numerics", f"{topic}.py"),
        Path("book", f"{topic}.md"),
        Path("tests", folder, f"test_{name}.py"),
    ]
    assert not [str(path) for path in rooms if not (ROOT / path).is_file()]


@pytest.mark.parametrize("floor", ["proofs_check", "numerics"])
def test_checks_stand_only_in_rooms_of_a_topic(floor: str) -> None:
    """A check elsewhere would not be found by the registry, or not where a reader looks."""
    rooms = {address(path, floor) for path, text in sources(floor) if makes_checks(text)}
    assert rooms <= set(topics())


def test_a_subject_package_holds_its_topics_alone() -> None:
    """What several topics share belongs to the floor or to one of them, not to a sixth room."""
    subjects = {topic.split("/")[0] for topic in topics() if "/" in topic}
    strangers = [
        f"{floor}/{address(path, floor)}"
        for floor in FLOORS
        for subject in subjects
        for path in sorted((ROOT / floor / subject).glob("*.py"))
        if path.stem != "__init__" and address(path, floor) not in topics()
    ]
    assert not strangers


@pytest.mark.parametrize("topic", topics())
def test_a_topic_opens_with_the_four_headings(topic: str) -> None:
    docstring = ast.get_docstring(ast.parse((ROOT / "theory" / f"{topic}.py").read_text()))
    headings = re.findall(r"^([A-Z][a-z ]+)\n-+$", docstring or "", re.MULTILINE)
    wanted = ["Main definitions", "Main claims", "Conventions", "References"]
    assert [heading for heading in headings if heading in wanted] == wanted


# ---------------------------------------------------------------------- the kernel's seal
def forgeries(text: str) -> list[str]:
    """Uses of the theorem constructor, or of a private name of the kernel."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and called(node) == "Theorem":
            found.append(f"line {node.lineno} makes a theorem")
        if isinstance(node, ast.Call) and called(node) == "__new__":
            names = {arg.id for arg in node.args if isinstance(arg, ast.Name)}
            if "Theorem" in names:
                found.append(f"line {node.lineno} makes a theorem")
        if isinstance(node, ast.ImportFrom) and node.module == "posproof.proofs_check.kernel":
            private = [alias.name for alias in node.names if alias.name.startswith("_")]
            found += [f"line {node.lineno} imports {name}" for name in private]
        if isinstance(node, ast.Attribute) and node.attr in ("_SEAL", "_theorem"):
            found.append(f"line {node.lineno} uses {node.attr}")
    return found


def test_only_the_kernel_makes_theorems() -> None:
    found = complaints(forgeries, *TREES, "book")
    kernel = "proofs_check/kernel.py: "
    assert not [complaint for complaint in found if not complaint.startswith(kernel)]
    assert len([complaint for complaint in found if complaint.startswith(kernel)]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Theorem((), conclusion, frozenset(), 'trust me', ())",
        "kernel.Theorem((), conclusion, frozenset(), 'trust me', ())",
        "object.__new__(Theorem)",
        "from posproof.proofs_check.kernel import _SEAL",
        "seal = kernel._SEAL",
    ],
)
def test_a_forgery_is_seen(text: str) -> None:
    assert forgeries(text)


# ---------------------------------------------------------------------- banned calls and numbers
#: They decide nothing (SymPy's heuristics) or run text that someone else wrote.
BANNED_CALLS = {
    *("simplify", "trigsimp", "nsimplify", "sympify", "parse_expr", "parse_latex"),
    *("eval", "exec", "__import__"),
}
BANNED_MODULES = {"pickle", "cloudpickle", "dill", "marshal", "shelve"}


def banned_calls(text: str) -> list[str]:
    found = [
        f"line {node.lineno} calls {called(node)}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and called(node) in BANNED_CALLS
    ]
    for line, name in imported(text):
        if BANNED_MODULES.intersection(name.split(".")) or name.split(".")[-1] in BANNED_CALLS:
            found.append(f"line {line} imports {name}")
    return found


def test_no_banned_call() -> None:
    assert not complaints(banned_calls, *TREES)


def borrowed_kernels(text: str) -> list[str]:
    nodes = ast.walk(ast.parse(text))
    return [
        f"line {node.lineno} turns a definition of theory into numerical code"
        for node in nodes
        if isinstance(node, ast.Call) and called(node) == "lambdify"
    ]


def test_numerics_writes_its_own_kernels() -> None:
    """Numbers that came from theory's own expressions could not disagree with them."""
    assert borrowed_kernels("sympy.lambdify(x, kernel)")
    assert not complaints(borrowed_kernels, *FLOORS)


@pytest.mark.parametrize(
    "text",
    [
        "sympy.simplify(x)",
        "x.trigsimp()",
        "eval('1')",
        "import pickle",
        "from sympy import sympify as s",
    ],
)
def test_a_banned_call_is_seen(text: str) -> None:
    assert banned_calls(text)


LONG_NUMBER = re.compile(r"[-+]?[\d_]*\.?[\d_]+(e[-+]?\d+)?", re.IGNORECASE)
LONG = 12


def digits(text: str) -> int:
    """How many digits the mantissa of a number in decimal notation has."""
    mantissa = re.split("e", text, maxsplit=1, flags=re.IGNORECASE)[0]
    return sum(character.isdigit() for character in mantissa)


def long_numbers(text: str) -> list[str]:
    """Literals of twelve or more digits, as numbers or as strings that read as one number."""
    found = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        written = token.string.strip("\"'")
        number = token.type == tokenize.NUMBER and not written.lower().startswith("0x")
        quoted = token.type == tokenize.STRING and LONG_NUMBER.fullmatch(written)
        if (number or quoted) and digits(written) >= LONG:
            found.append(f"line {token.start[0]} spells out {written}")
    return found


BARE_TOLERANCE = re.compile(r"\b(tol|atol|rtol|eps)\w* *= *\d*\.?\d*e-\d+")


def bare_tolerances(text: str) -> list[str]:
    return [
        f"line {number} has a tolerance without a reason: {match.group()}"
        for number, line in enumerate(text.splitlines(), 1)
        if (match := BARE_TOLERANCE.search(line))
    ]


def control_characters(text: str) -> list[str]:
    r"""A "\t" that a string swallowed was the beginning of a LaTeX command."""
    return [
        f"line {number} has the control character {match.group()!r}"
        for number, line in enumerate(text.split("\n"), 1)
        if (match := re.search(r"[\x00-\x1f\x7f]", line))
    ]


def test_no_control_character_in_a_formula() -> None:
    assert not complaints(control_characters, *TREES, "tests")


def test_a_control_character_is_seen() -> None:
    assert control_characters('Clause("norm", "|x| ' + chr(9) + 'ext{ for all } x")')


def test_reference_values_stand_in_tests_and_data_alone() -> None:
    assert not complaints(long_numbers, *TREES)


def test_no_tolerance_without_a_reason() -> None:
    assert not complaints(bare_tolerances, *TREES)


@pytest.mark.parametrize("text", ["x = 3.14159265358979\n", "x = mpf('0.5772156649015329')\n"])
def test_a_long_number_is_seen(text: str) -> None:
    assert long_numbers(text)


@pytest.mark.parametrize("text", ["close(a, b, rtol=1e-9)", "tolerance = 2.5e-3"])
def test_a_bare_tolerance_is_seen(text: str) -> None:
    assert bare_tolerances(text)


# ---------------------------------------------------------------------- names and addresses
def all_files() -> list[Path]:
    """Every file a commit would hold, found without Git so that an unpacked archive works too."""
    made = {".git", "__pycache__", "build", "dist", "_build", "htmlcov", ".benchmarks"}
    return [
        path
        for path in sorted(ROOT.rglob("*"))
        if path.is_file()
        and not any(
            part in made
            or part.startswith(".venv")
            or part == ".hypothesis"
            or part.endswith((".egg-info", "_cache"))
            for part in path.relative_to(ROOT).parts
        )
    ]


def test_modules_are_named_after_a_thing() -> None:
    nameless = {"utils", "util", "helpers", "helper", "misc", "common", "tools"}
    assert not [path for tree in TREES for path in python_files(tree) if path.stem in nameless]


# Written so that this file does not match itself.
ADDRESSES = re.compile(
    r"(?<![\w.])/(work|root|home|Users|opt|farm)/"
    r"|pypi[.]org|pythonhosted[.]org|anaconda[.]org"
    r"|--(extra-)?index[-]url|--find[-]links"
)


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = []
    for path in all_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [
            f"{path.relative_to(ROOT)}: {match.group()}" for match in ADDRESSES.finditer(text)
        ]
    assert not found


@pytest.mark.parametrize(
    "text", ["x = '/" + "root/data'", "https://pypi" + ".org/simple", "--find" + "-links wheels"]
)
def test_an_address_is_seen(text: str) -> None:
    assert ADDRESSES.search(text)
