"""Writes the picture of the README: `make picture`.

The same curve stands on the page of `mobius.dipole`; here it must carry its own colours, since the
page around an image file cannot lend them.
"""

import sys

import numpy as np

from posproof import pages

N, M = 512, 32
ALT = "The kernel over two contexts: +1 at offset 0 and 2N, -1 at N, inside its envelope"
#: The text colour, by the reader's own preference.
INK = "svg{color:#24292f}@media(prefers-color-scheme:dark){svg{color:#e6edf3}}"


def draw() -> str:
    """The picture as an SVG document."""
    kernel = pages.function("mobius.dipole", "kernel")
    envelope = pages.function("mobius.lobes", "envelope")
    offsets = np.arange(2 * N + 1)
    inside = np.linspace(4, 2 * N - 4, 600)
    edge = np.minimum(1, np.sqrt(envelope(N, inside)) / M)
    figure, axis = pages.axes(6.8, 2.6)
    axis.plot(inside, edge, **pages.cycle(1), linewidth=1, label="envelope")
    axis.plot(inside, -edge, **pages.cycle(1), linewidth=1)
    axis.plot(offsets, kernel(M, N, offsets) / M, **pages.cycle(0), label="$K(D)/m$")
    axis.set(xlabel=f"offset $D$ (positions; $N = {N}$, $m = {M}$)", ylabel="kernel $K(D)/m$")
    axis.set(xticks=range(0, 2 * N + 1, 128), ylim=(-1.1, 1.1))
    axis.legend(loc="upper left", bbox_to_anchor=(0.12, 1.02))
    svg = pages.picture(figure, ALT).svg
    return svg.replace("<defs>", f"<defs><style>{INK}</style>", 1)


if __name__ == "__main__":
    sys.stdout.write(draw() + "\n")
