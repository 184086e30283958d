"""The assertions for users' rotary code: correct code passes, each fault is seen and named."""

import numpy as np
import pytest

from posproof import testing
from posproof.numerics.formats import FORMATS, round_array
from posproof.numerics.tolerances import pipeline

SHAPE = {"max_position": 4096, "head_dim": 64, "base": 10_000}


def rotary(name, dtype, layout="half", fault="none", frequency=None):
    """A rotary embedding with every rounding of a pipeline, or one fault."""
    line, width = pipeline(name, dtype), SHAPE["head_dim"]
    theta = 10_000.0 ** (-np.arange(width // 2) / (width // 2))
    theta = round_array(theta, line.frequency)
    if fault == "slowest pair not rotated":
        theta[-1] = 0

    def rotate(x, positions):
        x, positions = x.astype(np.float64), positions.astype(np.float64)
        if fault == "positions in bfloat16":
            positions = round_array(positions, FORMATS["bfloat16"])
        if fault == "offset by one":
            positions = positions + 1
        angles = round_array(positions[:, None] * theta, line.angle)
        cosines, sines = (round_array(f(angles), line.table) for f in (np.cos, np.sin))
        if fault == "opposite sense":
            sines = -sines
        if fault == "scale":
            cosines, sines = 1.1 * cosines, 1.1 * sines
        a, b = (
            (x[:, : width // 2], x[:, width // 2 :])
            if layout == "half"
            else (x[:, ::2], x[:, 1::2])
        )

        def summed(u, v):
            form = line.arithmetic
            return round_array(
                round_array(round_array(u, form) + round_array(v, form), form), line.output
            )

        first = summed(a * cosines, -b * sines)
        second = summed(a * sines, b * cosines)
        if fault == "sine sign lost":
            first = summed(a * cosines, b * sines)
        if layout == "half":
            return np.concatenate([first, second], axis=1)
        return np.stack([first, second], axis=2).reshape(x.shape)

    return rotate


LINES = [("mixed32", "bfloat16"), ("fused32", "bfloat16"), ("fused32", "float16")]
LINES += [("mixed64", "float32"), ("mixed32", "float32"), ("mixed64", "float64")]


@pytest.mark.parametrize(("name", "dtype"), LINES)
@pytest.mark.parametrize("seed", range(3))
def test_correct_code_passes_every_assertion(name, dtype, seed):
    for layout in testing.LAYOUTS:
        asked = {"dtype": dtype, "pipeline": name, "layout": layout, "seed": seed}
        rotate = rotary(name, dtype, layout)
        testing.assert_relative(rotate, **asked, **SHAPE)
        testing.assert_norm_preserving(rotate, **asked, **SHAPE)
        testing.assert_group_law(rotate, **asked, **SHAPE)
        testing.assert_zero_position_identity(rotate, **asked, head_dim=64, base=10_000)


BRAIN = {"dtype": "bfloat16", "pipeline": "mixed32", **SHAPE}


@pytest.mark.parametrize("seed", range(5))
def test_positions_in_bfloat16_are_seen_and_named(seed):
    rotate = rotary("mixed32", "bfloat16", fault="positions in bfloat16")
    with pytest.raises(AssertionError, match="rounded to bfloat16"):
        testing.assert_relative(rotate, **BRAIN, seed=seed)
    with pytest.raises(AssertionError):
        testing.assert_group_law(rotate, **BRAIN, seed=seed)


@pytest.mark.parametrize("seed", range(5))
def test_a_slow_pair_that_only_keys_forget_is_seen_and_named(seed):
    query = rotary("mixed32", "bfloat16")
    key = rotary("mixed32", "bfloat16", fault="slowest pair not rotated")
    with pytest.raises(AssertionError, match="pair 31 is rotated differently"):
        testing.assert_relative(query, rotate_key=key, **BRAIN, seed=seed)


def test_random_vectors_do_not_see_that_pair():
    """The same fault at the same bound, with vectors that fill the head: the usual test."""
    query = rotary("mixed32", "bfloat16")
    key = rotary("mixed32", "bfloat16", fault="slowest pair not rotated")
    source, bound = np.random.default_rng(0), 0.0545
    for _ in range(100):
        q, k = (round_array(source.standard_normal((1, 64)), FORMATS["bfloat16"]) for _ in "qk")
        shift = source.integers(1, 4096)
        i, j = source.integers(0, 4096 - shift, 2)
        here, there = (
            (query(q, np.array([i + s])) * key(k, np.array([j + s]))).sum() for s in (0, shift)
        )
        assert abs(here - there) <= bound * np.linalg.norm(q) * np.linalg.norm(k)


def test_a_key_turned_backwards_is_seen():
    key = rotary("mixed32", "bfloat16", fault="opposite sense")
    with pytest.raises(AssertionError, match="unequal angles"):
        testing.assert_relative(rotary("mixed32", "bfloat16"), rotate_key=key, **BRAIN)


@pytest.mark.parametrize("fault", ["scale", "sine sign lost"])
def test_what_changes_norms_is_seen(fault):
    with pytest.raises(AssertionError, match=r"rope\.norm"):
        testing.assert_norm_preserving(rotary("mixed32", "bfloat16", fault=fault), **BRAIN)


def test_an_offset_is_seen_at_position_zero_and_by_the_group_law_only():
    rotate = rotary("mixed32", "bfloat16", fault="offset by one")
    testing.assert_relative(rotate, **BRAIN)
    zero = {key: value for key, value in BRAIN.items() if key != "max_position"}
    with pytest.raises(AssertionError):
        testing.assert_zero_position_identity(rotate, **zero)
    with pytest.raises(AssertionError):
        testing.assert_group_law(rotate, **BRAIN)


def test_nan_never_passes():
    with pytest.raises(AssertionError):
        testing.assert_norm_preserving(lambda x, positions: x * np.nan, **BRAIN)


def test_a_wrong_shape_and_an_unknown_layout_are_bad_input():
    with pytest.raises(ValueError, match="shape"):
        testing.assert_relative(lambda x, positions: x[:1], **BRAIN)
    with pytest.raises(ValueError, match="layout"):
        testing.assert_relative(lambda x, positions: x, **BRAIN, layout="halves")


def test_a_pipeline_without_a_tolerance_is_refused():
    with pytest.raises(testing.NoTolerance):
        testing.assert_relative(lambda x, positions: x, **(BRAIN | {"pipeline": "naive"}))
