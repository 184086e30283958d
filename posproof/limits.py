"""The memory limit of a check.

Main definitions
----------------
memory_limited      bounds what the enclosed code may allocate
refuse_memory_limit says why a platform cannot bound it

Implementation notes
--------------------
Linux bounds the address space, so an allocation fails with MemoryError and the process lives on.
macOS ignores that limit; a watchdog thread there ends the process when its peak resident size
grows too far, which the runner reports as running out of memory.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

MIB = 1 << 20
#: Exit code of a process that its own watchdog ended.
OUT_OF_MEMORY = 77
_WATCH_SECONDS = 0.05


def refuse_memory_limit(platform: str = sys.platform) -> str | None:
    """Why no memory limit can be set on a platform; None where it can."""
    if platform.startswith("linux") or platform == "darwin":
        return None
    return f"memory limits are not supported on {platform}"


@contextmanager
def memory_limited(mib: int | None) -> Iterator[None]:
    """Let the enclosed code allocate at most `mib` MiB more than the process holds now."""
    if mib is None or refuse_memory_limit() is not None:
        yield
    elif sys.platform == "darwin":
        with watched(mib):
            yield
    else:
        with _address_space(mib):
            yield


@contextmanager
def _address_space(mib: int) -> Iterator[None]:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm", encoding="ascii") as statm:
        pages = int(statm.read().split()[0])
    wanted = pages * resource.getpagesize() + mib * MIB
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@contextmanager
def watched(mib: int) -> Iterator[None]:
    """End this process with `OUT_OF_MEMORY` when its peak resident size grows by `mib` MiB."""
    allowed = _peak_bytes() + mib * MIB
    finished = threading.Event()

    def watch() -> None:
        while not finished.wait(_WATCH_SECONDS):
            if _peak_bytes() > allowed:
                os._exit(OUT_OF_MEMORY)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        finished.set()
        watcher.join()


def _peak_bytes() -> int:
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
