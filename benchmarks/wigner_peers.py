"""Wigner matrices of posproof, e3nn and spherical: time and error in one run.

    python benchmarks/wigner_peers.py [--rotations 1000] [--degrees 2 5 10 64]

Times are of one thread, the best of several runs, warm, for full complex or real matrices of one
degree l: 1,000 random rotations at once, and one.  Ratios are the peer's time over ours, so above 1
posproof is faster.  The error is the largest of an entry of d^l(beta) against values rounded from
balls, over angles that include small ones; e3nn is asked for float64.  A peer that is not installed
is left out.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from time import perf_counter

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402  (threads are counted when it is imported)
from numpy.typing import NDArray  # noqa: E402

from posproof import wigner  # noqa: E402

Array = NDArray[np.float64]
Turn = Callable[[int, Array], NDArray[np.inexact]]
#: Relative to 1 / l the third is where torch.matrix_exp changes its method.
ANGLES = (1e-6, 1e-3, 0.7, 1.5707, 2.9)
BAND = np.linspace(0.03, 0.04, 11)


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


def small_error(turn: Turn, degree: int, real: bool) -> float:
    """The largest error of an entry of d^l(beta), in our basis or in that of real harmonics."""
    worst, C = 0.0, wigner.real_basis(degree)
    for beta in (*ANGLES, *(BAND / degree)):
        half = beta / 2
        found = turn(degree, np.array([[np.cos(half), 0.0, np.sin(half), 0.0]]))[0]
        exact = wigner.nearest(2 * degree, beta)
        if real:
            exact = (C.conj() @ exact @ C.T).real
        worst = max(worst, float(np.abs(found - exact).max()))
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rotations", type=int, default=1000)
    parser.add_argument("--degrees", type=int, nargs="+", default=[2, 5, 10, 64])
    parser.add_argument("--seconds", type=float, default=0.5, help="spent on each measurement")
    asked = parser.parse_args()
    peers = {"posproof": ours, "e3nn": e3nn_peer(), "spherical": spherical_peer()}
    there = {name: turn for name, turn in peers.items() if turn is not None}
    source = np.random.default_rng(0)
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
            error = small_error(turn, degree, real=name == "e3nn")
            line = f"{degree:>4}  {name:10}{one:>12.2e}{ratios[0]:>8.2f}"
            print(f"{line}{many:>16.2e}{ratios[1]:>8.2f}{error:>13.1e}", flush=True)


if __name__ == "__main__":
    main()
