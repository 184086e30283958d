"""Wigner matrices of posproof, e3nn, spherical and SciPy: time, error and certificate in one run.

    python benchmarks/wigner_peers.py [--rotations 1000] [--degrees 2 5 10 64] [--json FILE]

Times are of one thread, the best of several runs, warm, for full complex or real matrices of one
degree l: 1,000 random rotations at once, and one.  Ratios are the peer's time over ours, so above 1
posproof is faster.  The error is the largest of an entry of d^l(beta) against values rounded from
balls, over angles that include small ones; e3nn is asked for float64.  `--json` writes the run for
the book, with error, certificate and defect of orthogonality of each library over angles at l = 10;
SciPy's matrix exponential has part in these only.  A peer that is not installed is left out.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402  (threads are counted when it is imported)
from numpy.typing import NDArray  # noqa: E402

import posproof  # noqa: E402
from posproof import wigner  # noqa: E402

Array = NDArray[np.float64]
Turn = Callable[[int, Array], NDArray[np.inexact]]
Small = Callable[[int, float], Array]
#: Relative to 1 / l the third is where torch.matrix_exp changes its method.
ANGLES = (1e-6, 1e-3, 0.7, 1.5707, 2.9)
BAND = np.linspace(0.03, 0.04, 11)
#: The degree of the record of errors, and its angles.
DEGREE = 10
RECORDED = np.sort([*np.geomspace(1e-4, 1, 33), *np.linspace(1.2, 3.0, 10), *(BAND / DEGREE)])
RELEASES = ("e3nn", "torch", "spherical", "scipy", "numpy")


def ours(degree: int, quaternions: Array) -> NDArray[np.inexact]:
    return wigner.matrix(2 * degree, wigner.angles_of_quaternions(quaternions))


def e3nn_peer() -> Turn | None:
    try:
        import torch
        from e3nn import o3
    except ImportError:
        return None
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)

    def turn(degree: int, quaternions: Array) -> NDArray[np.inexact]:
        # its Y-X-Y angles in the basis of y, z, x are our Z-Y-Z angles
        angles = torch.from_numpy(wigner.angles_of_quaternions(quaternions))
        parts = [o3.wigner_D(degree, *piece.unbind(-1)) for piece in angles.split(100)]
        return torch.cat(parts).numpy()

    return turn


def spherical_peer() -> Turn | None:
    try:
        import quaternionic
        import spherical
    except ImportError:
        return None
    made: dict[int, object] = {}

    def turn(degree: int, quaternions: Array) -> NDArray[np.inexact]:
        if degree not in made:
            made[degree] = spherical.Wigner(degree, ell_min=degree)
        flat = made[degree].D(quaternionic.array(quaternions))  # type: ignore[attr-defined]
        return flat.reshape(len(quaternions), 2 * degree + 1, 2 * degree + 1).conj()

    return turn


def shortest(calls: dict[str, Callable[[], object]], budget: float) -> dict[str, float]:
    """The shortest of several runs of each, at least two, in seconds.

    The runs of all programs take turns, so that what else the machine does meets each of them.
    """
    times: dict[str, float] = {}
    start, rounds = perf_counter(), 0
    while rounds < 3 or (perf_counter() - start < budget * len(calls) and rounds < 500):
        for name, call in calls.items():
            block = 10 if times.get(name, 1.0) < 1e-3 else 1  # short calls meet warm caches
            for _ in range(block):
                began = perf_counter()
                call()
                took = perf_counter() - began
                if rounds:  # the first call makes tables and compiles
                    times[name] = min(took, times.get(name, took))
        rounds += 1
    return times


def small_by(turn: Turn, real: bool) -> Small:
    """d^l(beta) from rotations about y, in our basis also where the library uses a real one."""

    def small(degree: int, beta: float) -> Array:
        half = beta / 2
        found = turn(degree, np.array([[np.cos(half), 0.0, np.sin(half), 0.0]]))[0]
        if real:
            C = wigner.real_basis(degree)
            found = C.T @ found @ C.conj()
        return found.real

    return small


def exponential(degree: int, beta: float) -> Array:
    """SciPy's exp(-i beta J_y)."""
    from scipy.linalg import expm

    m = np.arange(-degree, degree)
    raising = np.sqrt(degree * (degree + 1.0) - m * (m + 1)) / 2
    return expm(beta * (np.diag(raising, 1) - np.diag(raising, -1)))


def small_error(small: Small, degree: int) -> float:
    """The largest error of an entry of d^l(beta)."""
    angles = [float(beta) for beta in (*ANGLES, *(BAND / degree))]
    exact = [wigner.nearest(2 * degree, beta) for beta in angles]
    return max(
        float(np.abs(small(degree, b) - d).max()) for b, d in zip(angles, exact, strict=True)
    )


def time_table(there: dict[str, Turn], asked: argparse.Namespace) -> list[dict[str, Any]]:
    """Print and return a row for each degree and library."""
    source, rows = np.random.default_rng(0), []
    head = f"{'l':>4}  {'':10}{'1 rotation':>12}{'ratio':>8}"
    print(f"{head}{f'{asked.rotations} rotations':>16}{'ratio':>8}{'error of d':>13}")
    for degree in asked.degrees:
        q = source.normal(size=(asked.rotations, 4))
        q /= np.linalg.norm(q, axis=1)[:, None]
        single, batch = (
            shortest({name: partial(turn, degree, x) for name, turn in there.items()}, limit)
            for x, limit in ((q[:1], asked.seconds / 2), (q, asked.seconds))
        )
        for name, turn in there.items():
            one, many = single[name], batch[name]
            ratios = one / single["posproof"], many / batch["posproof"]
            error = small_error(small_by(turn, real=name == "e3nn"), degree)
            line = f"{degree:>4}  {name:10}{one:>12.2e}{ratios[0]:>8.2f}"
            print(f"{line}{many:>16.2e}{ratios[1]:>8.2f}{error:>13.1e}", flush=True)
            row = {"degree": degree, "library": name, "one": one, "many": many, "error": error}
            rows.append(row)
    return rows


def error_table(smalls: dict[str, Small]) -> list[dict[str, Any]]:
    """Error, certificate (None: not certified) and defect of orthogonality at `DEGREE`."""
    rows = []
    for beta in map(float, RECORDED):
        exact = wigner.nearest(2 * DEGREE, beta)
        for name, small in smalls.items():
            d = small(DEGREE, beta)
            report = posproof.certify_wigner(d, beta)
            rows.append(
                {
                    "library": name,
                    "beta": beta,
                    "error": float(np.linalg.norm(d - exact, axis=0).max()),
                    "certificate": report.bound if report.certified else None,
                    "orthogonality": float(np.abs(d @ d.T - np.eye(len(d))).max()),
                }
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rotations", type=int, default=1000)
    parser.add_argument("--degrees", type=int, nargs="+", default=[2, 5, 10, 64])
    parser.add_argument("--seconds", type=float, default=0.5, help="spent on each measurement")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the run for the book")
    asked = parser.parse_args()
    peers = {"posproof": ours, "e3nn": e3nn_peer(), "spherical": spherical_peer()}
    there = {name: turn for name, turn in peers.items() if turn is not None}
    times = time_table(there, asked)
    if asked.json is None:
        return
    smalls = {name: small_by(turn, real=name == "e3nn") for name, turn in there.items()}
    run = {
        "releases": {name: version(name) for name in RELEASES if find_spec(name)},
        "rotations": asked.rotations,
        "times": times,
        "degree": DEGREE,
        "errors": error_table({**smalls, "SciPy expm": exponential}),
    }
    asked.json.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
