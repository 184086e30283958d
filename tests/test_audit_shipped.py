"""Released libraries under the audit: what is known to be wrong is found, and nothing else.

Run by `make audit`, in an environment that has the releases of requirements-audit.txt.
"""

import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files

import pytest

from posproof.audit.adapters import Shipped, recorded, shipped
from posproof.audit.run import audit

#: What a release is known for: the verdict, and the invariants that find something.
KNOWN: dict[str, tuple[str, set[str]]] = {
    "hf_transformers:DefaultRotary": ("clean", set()),
    "hf_transformers:ScalingRules": ("fault", {"scaling rules", "spellings"}),
    "hf_transformers:DynamicRotary": ("fault", {"history", "any sequence"}),
    "hf_transformers:Bloom": ("clean", set()),
    "hf_transformers:Falcon": ("fault", {"slopes", "bias", "resolution"}),
    "hf_transformers:Mpt": ("clean", set()),
    "hf_transformers:Generation": ("clean", set()),
    "hf_transformers:T5": ("clean", set()),
    "hf_transformers:T5Degenerate": ("fault", {"bucket range"}),
    "hf_transformers:QwenPositions": ("fault", {"segments"}),
    "hf_transformers:Qwen25Positions": ("fault", {"segments"}),
    "torchtune_files:Rotary": ("clean", set()),
    "torchtune_files:Llama3Scaled": ("clean", set()),
    "lucidrains_rotary:Rotary": ("clean", set()),
    "lucidrains_rotary:CachedAngles": ("fault", {"offsets", "any sequence"}),
    "lucidrains_rotary:Xpos": ("fault", {"cached pairs"}),
    "lucidrains_x:Rotary": ("clean", set()),
    "lucidrains_x:Xpos": ("fault", {"cached pairs"}),
    "lucidrains_x:Alibi": ("clean", set()),
    "hf_diffusers:Repeated": ("clean", set()),
    "hf_diffusers:Concatenated": ("clean", set()),
    "hf_diffusers:Mixed": ("fault", {"norm", "group law", "relative identity"}),
    "torch_linalg:Exponential64": ("fault", {"exponential"}),
    "torch_linalg:Exponential32": ("fault", {"exponential"}),
    "e3nn_o3:Wigner": (
        "fault",
        {"Wigner matrices", "Wigner certificate", "Wigner products"},
    ),
    "e3nn_o3:Euler64": ("fault", {"Euler round trip"}),
    "e3nn_o3:Euler32": ("fault", {"Euler round trip"}),
    "scipy_special:Euler": ("clean", set()),
    "scipy_special:Exponential": ("clean", set()),
    "scipy_special:Bessel": ("clean", set()),
    "sympy_functions:SphericalBessel": ("fault", {"spherical Bessel j"}),
    "mpmath_functions:Bessel": ("fault", {"modified Bessel I"}),
}


def short(one: Shipped) -> str:
    return one.target.rsplit(".", 1)[1]


def test_every_adapter_is_expected() -> None:
    assert {short(one) for one in shipped()} == set(KNOWN)


@pytest.mark.parametrize("one", shipped(), ids=short)
def test_a_release(one: Shipped) -> None:
    if one.installed is None:
        pytest.skip(f"{one.library} is not installed: make audit")
    if version(one.library).split("+")[0] != one.written_for:
        pytest.skip(f"{one.library} {one.installed} is not {one.written_for}")
    import_module(one.target.split(":")[0])  # once for the workers, which are forked
    report = audit(one.target, time_limit=300)
    verdict, expected = KNOWN[short(one)]
    found = {row.invariant for row in report.rows if row.findings}
    assert not report.stopped
    assert (report.verdict, found) == (verdict, expected)


CODES = tomllib.loads((files("posproof") / "data" / "reproductions.toml").read_text())


def test_every_fault_has_a_reproduction() -> None:
    assert set(CODES) == {name for name, (verdict, _) in KNOWN.items() if verdict == "fault"}


def test_the_record_is_of_these_releases() -> None:
    rows = recorded().rows
    assert len(rows) == len(KNOWN)
    written = {one.library: one.written_for for one in shipped()}
    assert {row.library: row.release.split("+")[0] for row in rows} == written
    assert [row.verdict for row in rows] == [KNOWN[short(one)][0] for one in shipped()]


@pytest.mark.parametrize("name", sorted(CODES))
def test_a_finding_shows_without_the_audit(name: str) -> None:
    """The listing prints a value that its comment, the right one, does not begin with."""
    one = next(one for one in shipped() if short(one) == name)
    if one.installed is None:
        pytest.skip(f"{one.library} is not installed: make audit")
    listing = CODES[name]["code"].strip()
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", listing], capture_output=True, text=True
    )
    right = listing.rsplit("# ", 1)[1]
    assert done.stdout.strip()
    assert done.returncode or not done.stdout.strip().splitlines()[-1].startswith(right)
