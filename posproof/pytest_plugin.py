"""The pytest fixture `audit_encoding`: a test of an encoding in one line.

Main definitions
----------------
audit_encoding    fails a test with the findings of an audit

::

    def test_my_rope(audit_encoding):
        audit_encoding(MyRope)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def audit_encoding() -> Callable[..., Any]:
    """Audit an object (keywords as in `posproof.audit.audit`) and fail with what was found.

    Returns the report of an encoding that is clean, or breaks only what its own rule breaks.
    """

    def run(target: Any, **how: Any) -> Any:
        from posproof.testing import assert_clean

        try:
            return assert_clean(target, **how)
        except AssertionError as found:
            pytest.fail(str(found), pytrace=False)

    return run
