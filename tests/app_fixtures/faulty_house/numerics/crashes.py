"""Numerical evidence for crashes."""

import os
import signal

from faulty_house.theory.crashes import CLAIM
from posproof.theory.vocabulary import Evidence, checked_by


@checked_by(CLAIM, "one", "float")
def quick_one(of, run):
    return Evidence("holds")


@checked_by(CLAIM, "one", "float")
def bad_one(of, run):
    os.kill(os.getpid(), signal.SIGKILL)


@checked_by(CLAIM, "one", "float")
def last_one(of, run):
    return Evidence("holds")
