"""What an encoding may offer to an audit, and how one is found.

Main definitions
----------------
CAPABILITIES    every method an audit can call, with its arguments and what it returns
FACTS           everything an encoding can say about itself
Encoding        an audited object: its methods, its facts, and fresh copies of it
load            finds `package.module:object` or `path/to/file.py:object`
encoding        wraps a Python object

Conventions
-----------
An object offers what it has: any subset of the methods, as attributes.  A plain function is taken
for `rotate`.  A class, or an object with a method `fresh()`, is built anew for every sequence of
calls; other objects are copied.  Facts are attributes of the object or of its `facts` mapping.

Positions are integers, `(n,)` or `(n, axes)`.  Vectors are `(..., n, d)`: every leading axis is a
batch.  Offsets are key minus query.  Matrices of rotations are 3 x 3, proper and act on columns.
"""

from __future__ import annotations

import copy
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from posproof.errors import BadInput, suggest

TARGET = "TARGET"

#: name: (arguments, what it returns)
CAPABILITIES: dict[str, tuple[tuple[str, ...], str]] = {
    "rotate": (("x", "positions"), "vectors (..., n, d) rotated by positions (n,) or (n, axes)"),
    "rotate_key": (("x", "positions"), "the same for keys, where keys are treated differently"),
    "rotate_from": (("x", "offset"), "row r of x (n, d) rotated by position offset + r"),
    "rotate_pair": (
        ("queries", "keys"),
        "the two rotated; the queries (m, d) stand at the last m of the n positions of keys (n, d)",
    ),
    "frequencies": (("length",), "the inverse frequencies used at a length, perhaps with a factor"),
    "ladder": (("parameters", "length"), "inverse frequencies (and factor) of checkpoint settings"),
    "slopes": (("heads",), "the ALiBi slopes of so many heads"),
    "bias": (("query_positions", "key_positions"), "what is added to scores, (heads, m, n)"),
    "bucket": (("offsets",), "the bucket of each offset"),
    "buckets": (("query_positions", "key_positions"), "the buckets of a block of scores, (m, n)"),
    "session": ((), "an empty cache: append(count) gives positions, evict(count) forgets tokens"),
    "padded": (("mask",), "positions (b, n) of a batch; mask (b, n): 1 on tokens, 0 on padding"),
    "positions": (("segments",), "positions (n, axes) of text, images and videos"),
    "wigner": (("degree", "rotation"), "the Wigner matrix (2 l + 1, 2 l + 1) of a rotation matrix"),
    "angles": (("matrix",), "three angles of a rotation matrix"),
    "matrix": (("angles",), "the rotation matrix of three angles"),
    "exponential": (("generator",), "the exponential of a square matrix"),
    "forward": (("values",), "coefficients of values"),
    "backward": (("coefficients",), "values of coefficients, the inverse of forward"),
    "bessel_i": (("order", "x"), "the modified Bessel function I"),
    "bessel_k": (("order", "x"), "the modified Bessel function K"),
    "spherical_j": (("order", "x"), "the spherical Bessel function j"),
}

#: name: (types, what it says)
FACTS: dict[str, tuple[tuple[type, ...], str]] = {
    "head_dim": ((int,), "components of a head"),
    "rotary_dim": ((int,), "how many of them are rotated"),
    "layout": ((str,), "half or interleaved: which components form a pair"),
    "base": ((int, float), "base of the frequencies"),
    "dtype": ((str,), "format of the vectors, such as bfloat16"),
    "pipeline": ((str,), "mixed64, mixed32, fused32, naive or tf32angle"),
    "max_position": ((int,), "number of positions in use"),
    "parameters": ((dict,), "checkpoint settings of the scaling rule"),
    "heads": ((int,), "number of heads of a bias"),
    "causal": ((bool,), "whether keys after the query are masked"),
    "buckets": ((int,), "number of T5 buckets"),
    "max_distance": ((int,), "distance at which T5 buckets end"),
    "bidirectional": ((bool,), "whether T5 buckets tell the two sides apart"),
    "sections": ((list, tuple), "rotated components of each axis"),
    "interleaved_sections": ((bool,), "whether axes take turns along the planes"),
    "merge": ((int,), "image cells merged into one token, a side"),
    "pole_band": ((float,), "angle at a pole below which the third angle is set to 0, documented"),
    "band_limit": ((int,), "size of the values that forward takes"),
    "tolerance": ((float,), "relative tolerance the library states for a function"),
}


@dataclass(frozen=True)
class Encoding:
    """An audited object.  `declared` are its facts; what is missing is detected or not used."""

    name: str
    target: Any
    declared: Mapping[str, Any] = field(default_factory=dict)

    def offers(self, *names: str) -> bool:
        return all(self.method(name) is not None for name in names)

    def method(self, name: str, of: Any = None) -> Callable[..., Any] | None:
        """One of `CAPABILITIES` of the object (or of a fresh copy `of` it), None without it."""
        thing = self.target if of is None else of
        if name == "rotate" and _is_function(thing):
            return cast("Callable[..., Any]", thing)
        found = getattr(thing, name, None)
        return found if callable(found) else None

    def fresh(self) -> Any:
        """An object without history."""
        if _is_function(self.target):
            return self.target
        maker = getattr(self.target, "fresh", None)
        return maker() if callable(maker) else copy.deepcopy(self.target)

    def fact(self, name: str, otherwise: Any = None) -> Any:
        return self.declared.get(name, otherwise)


def _is_function(thing: Any) -> bool:
    return inspect.isfunction(thing) or inspect.isbuiltin(thing)


def encoding(target: Any, name: str = "") -> Encoding:
    """Wrap an object, a class without arguments, or a function.

    Raises BadInput when it offers nothing, a method takes other arguments, or a fact has a wrong
    type.
    """
    label = name or getattr(target, "__name__", type(target).__name__)
    if inspect.isclass(target):
        target = _Rebuilt(target, label)()
    wrapped = Encoding(label, target, _facts(target, label))
    offered = [known for known in CAPABILITIES if wrapped.offers(known)]
    if not offered:
        raise BadInput(f"{label} offers none of {', '.join(CAPABILITIES)}", TARGET)
    for known in offered:
        _check_signature(wrapped, known)
    return wrapped


@dataclass(frozen=True)
class _Rebuilt:
    """Builds objects of a class, each of which can build another one."""

    cls: type
    label: str

    def __call__(self) -> Any:
        try:
            made = self.cls()
        except TypeError as cause:
            raise BadInput(
                f"{self.label} cannot be made without arguments: {cause}", TARGET
            ) from cause
        if not hasattr(made, "fresh"):
            with suppress(AttributeError):  # slots: a copy will do
                made.fresh = self
        return made


def _facts(target: Any, label: str) -> dict[str, Any]:
    said = dict(getattr(target, "facts", None) or {})
    unknown = next((key for key in said if key not in FACTS), None)
    if unknown is not None:
        raise BadInput(
            f"{label} states an unknown fact {unknown!r}{suggest(unknown, FACTS)}", TARGET
        )
    for name, (types, _) in FACTS.items():
        value = said.get(name, getattr(target, name, None))
        if value is None or (callable(value) and name not in said):
            said.pop(name, None)
            continue
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            wanted = " or ".join(kind.__name__ for kind in types)
            raise BadInput(f"{label}.{name} is {value!r}, not {wanted}", TARGET)
        said[name] = value
    return said


def _check_signature(known: Encoding, name: str) -> None:
    arguments = CAPABILITIES[name][0]
    try:
        signature = inspect.signature(known.method(name))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # a builtin does not tell
        return
    try:
        signature.bind(*arguments)
    except TypeError as cause:
        wanted = f"{name}({', '.join(arguments)})"
        raise BadInput(
            f"{known.name}{signature} cannot be called as {wanted}: {cause}", TARGET
        ) from cause


# ---------------------------------------------------------------------- finding a target
def load(spec: str) -> Encoding:
    """The encoding that `package.module:object` or `path/to/file.py:object` names.

    Raises BadInput when it cannot be imported, or is not an encoding.
    """
    place, separator, attribute = spec.rpartition(":")
    if not separator or not place or not attribute:
        raise BadInput(f"{spec!r} is not package.module:object or file.py:object", TARGET)
    module = _from_file(Path(place)) if place.endswith(".py") else _from_name(place)
    target = module
    for part in attribute.split("."):
        if not hasattr(target, part):
            known = [name for name in vars(target) if not name.startswith("_")]
            raise BadInput(f"{place} has no {attribute!r}{suggest(part, known)}", TARGET)
        target = getattr(target, part)
    return encoding(target, attribute)


def _from_file(path: Path) -> Any:
    if not path.is_file():
        raise BadInput(f"no file {path}", TARGET)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise BadInput(f"{path} is not a Python file", TARGET)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as cause:
        raise _cannot_import(str(path), cause) from cause
    return module


def _from_name(name: str) -> Any:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does
    try:
        return importlib.import_module(name)
    except BaseException as cause:
        raise _cannot_import(name, cause) from cause


def _cannot_import(what: str, cause: BaseException) -> BaseException:
    if isinstance(cause, KeyboardInterrupt):
        return cause
    said = " ".join(str(cause).split()) or "no reason given"
    return BadInput(f"{what} does not import: {type(cause).__name__}: {said}", TARGET)
