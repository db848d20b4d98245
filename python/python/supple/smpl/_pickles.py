"""Pickles are read without running anything: they get stand-ins that keep what they are given."""

from __future__ import annotations

import io
import math
import pickle
import re
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

LARGEST = 1 << 30
"""Bytes of an array of a file. The largest of SMPL-X has 122 million; more is a mistake, or an attack."""


def plain(value: Any) -> Any:
    """What numpy makes an array of: stand-ins, sparse matrices, and either of them alone in an array of objects."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "O" and value.size == 1:
        return plain(value.item())
    if isinstance(value, StandIn):
        return plain(value.array())
    if isinstance(value, (list, tuple)):
        # Lists that share lists are few bytes in a file, and without end once they are unfolded.
        if unfolded(value, {}) > LARGEST // 8:
            raise ValueError("lists in lists without end")
        return value
    return value.toarray() if hasattr(value, "toarray") else value


def unfolded(value: Any, known: dict[int, float]) -> float:
    """How many things lists in lists have, each counted as often as it is there."""
    if not isinstance(value, (list, tuple)):
        return 1
    if id(value) not in known:
        known[id(value)] = math.inf  # what has itself inside has no end
        known[id(value)] = 1 + sum(unfolded(item, known) for item in value)
    return known[id(value)]


class Refused(ValueError):
    """A pickle that asks for something else than arrays."""


class StandIn:
    """What a pickle gets whatever class or function it asks for: it keeps what it is given, and runs nothing.

    The real functions of numpy are not given to it either: they trust what a pickle says about memory.
    """

    arguments: tuple[Any, ...] = ()
    state: Any = None

    def __init__(self, *arguments: Any) -> None:
        self.arguments = arguments

    def __setstate__(self, state: Any) -> None:
        self.state = state

    def array(self) -> Any:
        raise ValueError(f"an object of {type(self).__name__} is no array")


class BytesStandIn(StandIn):
    """Bytes that Python 3 writes for Python 2: `encode(text, "latin1")`, and `bytes()` for none."""

    def bytes(self) -> bytes:
        if not self.arguments:
            return b""
        text, encoding = self.arguments
        if encoding != "latin1":
            raise ValueError("bytes are written as latin1")
        return bytes_of(text)


def bytes_of(data: Any) -> bytes:
    if isinstance(data, BytesStandIn):
        return data.bytes()
    # What Python 2 calls a str was read as latin1.
    return data.encode("latin1") if isinstance(data, str) else bytes(memoryview(data))


class DtypeStandIn(StandIn):
    """`dtype("f8", ...)`, with a state whose second entry is the order of bytes. Numbers, texts and objects only."""

    def dtype(self) -> np.dtype[Any]:
        code = self.arguments[0] if self.arguments else None
        if not isinstance(code, str) or not re.fullmatch(r"b1|[iu][1248]|f[248]|O[48]?|[SU]\d{1,4}", code):
            raise ValueError(f"arrays of {code!r:.20} are not read" if isinstance(code, str) else "a dtype without a code")
        return np.dtype("O" if code[0] == "O" else code).newbyteorder(self.state[1] if self.state else "=")


def dtype_of(value: Any) -> np.dtype[Any]:
    if not isinstance(value, DtypeStandIn):
        raise ValueError("an array without a dtype")
    return value.dtype()


class ArrayStandIn(StandIn):
    """`_reconstruct(ndarray, (0,), "b")`, with the state (version, shape, dtype, is Fortran's order, data)."""

    def array(self) -> npt.NDArray[Any]:
        _, shape, dtype, is_fortran, data = self.state
        return filled(shape, dtype_of(dtype), "F" if is_fortran else "C", data)


class BufferStandIn(StandIn):
    """`_frombuffer(data, dtype, shape, order)`."""

    def array(self) -> npt.NDArray[Any]:
        data, dtype, shape, order = self.arguments
        return filled(shape, dtype_of(dtype), "F" if order == "F" else "C", data)


class ScalarStandIn(StandIn):
    """`scalar(dtype, data)`."""

    def array(self) -> npt.NDArray[Any]:
        dtype, data = self.arguments
        return filled((), dtype_of(dtype), "C", data)


def filled(shape: Any, dtype: np.dtype[Any], order: Any, data: Any) -> npt.NDArray[Any]:
    """Both ways to keep an array know how much there must be: no more is allocated than the file has."""
    if not isinstance(shape, tuple) or len(shape) > 8 or not all(isinstance(side, int) and side >= 0 for side in shape):
        raise ValueError("an array whose shape is no tuple of numbers")
    if dtype.kind != "O":
        return np.frombuffer(bytes_of(data), dtype=dtype).reshape(shape, order=order)
    if not isinstance(data, list) or len(data) != math.prod(shape):
        raise ValueError(f"an array of {math.prod(shape)} objects without them")
    objects = np.empty(len(data), dtype=object)
    for place, item in enumerate(data):
        objects[place] = item
    return objects.reshape(shape, order=order)


class SparseStandIn(StandIn):
    """A sparse matrix of scipy: compressed columns or rows, or coordinates."""

    kind: ClassVar[str]

    def array(self) -> Array:
        state = self.state
        rows, columns = state["_shape"] if "_shape" in state else state["shape"]
        if not (isinstance(rows, int) and isinstance(columns, int) and 0 <= rows * columns * 8 <= LARGEST):
            raise ValueError("a sparse matrix whose shape is no pair of numbers, or too large")
        data = np.asarray(plain(state["data"]), dtype=np.float64)
        if self.kind == "coo":
            row, column = (plain(part) for part in state.get("coords") or (state["row"], state["col"]))
        else:
            inner, starts = (np.asarray(plain(state[key])) for key in ("indices", "indptr"))
            if starts[0] != 0 or (np.diff(starts) < 0).any() or starts[-1] != len(inner):
                raise ValueError("a broken sparse matrix")
            outer = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            row, column = (inner, outer) if self.kind == "csc" else (outer, inner)
        dense = np.zeros((rows, columns))
        np.add.at(dense, (row, column), data)
        return dense


class ChumpyStandIn(StandIn):
    """An array of chumpy, by which the first files were made: `Ch` keeps it as x, `Select` takes some of another one."""

    def array(self) -> Any:
        state, kind = self.state, type(self).__name__
        if kind == "Ch":
            return plain(state["x"])
        if kind == "Select":
            picked = np.asarray(plain(state["a"])).ravel()[np.asarray(plain(state["idxs"]))]
            return picked.reshape(state["preferred_shape"]) if "preferred_shape" in state else picked
        raise ValueError(f"the formula {kind} of chumpy is not evaluated; save it as a plain array")


def stand_ins() -> dict[tuple[str, str], type[StandIn]]:
    """What pickles of arrays ask for, by module and name, old and new."""
    found: dict[tuple[str, str], type[StandIn]] = {
        ("numpy", "ndarray"): StandIn,
        ("numpy", "dtype"): DtypeStandIn,
        ("_codecs", "encode"): BytesStandIn,
        ("copyreg", "_reconstructor"): ReconstructorStandIn,
        ("copy_reg", "_reconstructor"): ReconstructorStandIn,
    }
    for core in ("numpy.core", "numpy._core"):
        found[f"{core}.multiarray", "_reconstruct"] = ArrayStandIn
        found[f"{core}.multiarray", "scalar"] = ScalarStandIn
        found[f"{core}.numeric", "_frombuffer"] = BufferStandIn
    for builtins in ("builtins", "__builtin__"):
        found[builtins, "bytes"] = BytesStandIn
        for name in ("object", "set", "frozenset"):
            found[builtins, name] = StandIn
    for kind in ("csc", "csr", "coo"):
        sparse = type(f"{kind}_matrix", (SparseStandIn,), {"kind": kind})
        for module in ("scipy.sparse", f"scipy.sparse.{kind}", f"scipy.sparse._{kind}"):
            found[module, f"{kind}_matrix"] = found[module, f"{kind}_array"] = sparse
    return found


class ReconstructorStandIn(StandIn):
    """`_reconstructor(class, object, None)`: an object without a state, as protocols 0 and 1 write it."""

    def __new__(cls, kind: Any, *_: Any) -> Any:
        if not (isinstance(kind, type) and issubclass(kind, StandIn)):
            raise ValueError("an object of no class")
        return object.__new__(kind)


STAND_INS = stand_ins()


class Unpickler(pickle._Unpickler):
    """Python's unpickler in Python: in that in C, four bytes that number a memo allocate gigabytes."""

    dispatch = dict(pickle._Unpickler.dispatch)

    def __init__(self, data: bytes, source: str) -> None:
        super().__init__(io.BytesIO(data), encoding="latin1")
        self._source = source

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in STAND_INS:
            return STAND_INS[module, name]
        if module.split(".")[0] == "chumpy":
            return type(name, (ChumpyStandIn,), {})
        raise Refused(f"{self._source}: asks for {module}.{name}, which could run code; refused, and nothing was run")

    def get_extension(self, code: int) -> None:
        """Numbers that programs give to their own classes: Python keeps what it found for them, and asks `find_class` only once."""
        raise Refused(f"{self._source}: asks for extension {code}, which could run code; refused, and nothing was run")

    def load_bytearray(self: Any) -> None:
        """Reads before it allocates, so that a length that is not there costs nothing."""
        length = int.from_bytes(self.read(8), "little")
        self.append(bytearray(self.read(length)))

    def check_keys(self: Any, keys: list[Any]) -> None:
        """Keys are hashed: that of tuples in tuples may take for ever."""
        if not all(isinstance(key, (str, int, bytes)) for key in keys):
            raise Refused(f"{self._source}: has keys that are no names; refused")

    def load_setitem(self: Any) -> None:
        self.check_keys(self.stack[-2:-1])
        super().load_setitem()  # type: ignore[misc]

    def load_setitems(self: Any) -> None:
        self.check_keys(self.stack[::2])
        super().load_setitems()  # type: ignore[misc]

    def load_dict(self: Any) -> None:
        self.check_keys(self.stack[::2])
        super().load_dict()  # type: ignore[misc]

    def refuse_set(self: Any) -> None:
        raise Refused(f"{self._source}: has a set in it, where SMPL has arrays; refused")

    dispatch[pickle.BYTEARRAY8[0]] = load_bytearray
    dispatch[pickle.SETITEM[0]] = load_setitem
    dispatch[pickle.SETITEMS[0]] = load_setitems
    dispatch[pickle.DICT[0]] = load_dict
    for set_code in (pickle.EMPTY_SET, pickle.ADDITEMS, pickle.FROZENSET):
        dispatch[set_code[0]] = refuse_set


def unpickled(data: bytes, source: str) -> Any:
    try:
        return Unpickler(data, source).load()
    except Refused:
        raise
    except Exception as error:  # Bytes that are no pickle can fail in any way.
        said = " ".join(str(error).split())[:100]
        raise ValueError(f"{source}: not a pickle that can be read, expected SMPL's .npz or .pkl: {type(error).__name__}: {said}") from None


def read_pickle(path: str) -> Mapping[str, Any]:
    with open(path, "rb") as file:
        found = unpickled(file.read(), path)
    if not isinstance(found, dict):
        raise ValueError(f"{path}: expected a dictionary of arrays, found {type(found).__name__}")
    return found
