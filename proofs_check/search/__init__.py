"""Finding proofs and counterexamples.  Nothing here is trusted: the kernel checks all of it.

Main definitions
----------------
prove_identity, prove_by_substitution, prove_contradiction, prove_nonneg, prove_order,
prove_by_induction, prove_free
    find a certificate, then ask the kernel; statements may be SymPy, vocabulary or kernel trees
counterexample   a point where a statement fails
Undecided        raised when nothing was found
"""

from posproof.proofs_check.search.ideals import Undecided
from posproof.proofs_check.search.points import Listed, counterexample
from posproof.proofs_check.search.prove import (
    prove_by_induction,
    prove_by_substitution,
    prove_contradiction,
    prove_each,
    prove_free,
    prove_identity,
    prove_nonneg,
    prove_order,
    prove_same,
)

__all__ = [
    "Listed",
    "Undecided",
    "counterexample",
    "prove_by_induction",
    "prove_by_substitution",
    "prove_contradiction",
    "prove_each",
    "prove_free",
    "prove_identity",
    "prove_nonneg",
    "prove_order",
    "prove_same",
]
