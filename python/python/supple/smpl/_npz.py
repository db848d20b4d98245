"""Arrays of a .npz."""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ._pickles import LARGEST, unpickled


class Npz(Mapping[str, Any]):
    """Arrays of a .npz, read when they are asked for. Arrays of objects are pickles, and are read like those."""

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            with zipfile.ZipFile(path) as file:
                members = file.infolist()
        except Exception as error:  # Bytes that are no .npz can fail in any way.
            raise ValueError(f"{path}: not a .npz that can be read: {error}") from None
        self._members = {member.filename[:-4]: member for member in members if member.filename.endswith(".npy")}

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, key: object) -> bool:
        return key in self._members

    def __getitem__(self, key: str) -> Any:
        member = self._members[key]
        if member.file_size > LARGEST:
            raise ValueError(f"it has {member.file_size} bytes, expected at most {LARGEST}")
        with zipfile.ZipFile(self._path) as file:
            data = io.BytesIO(file.read(member))
        headers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        shape, _, dtype = headers[np.lib.format.read_magic(data)](data)
        if math.prod(shape) * 8 > LARGEST:
            raise ValueError(f"its header says {shape}, which is more than {LARGEST} bytes")
        if dtype.hasobject:
            return unpickled(data.read(), self._path)
        if math.prod(shape) * dtype.itemsize != member.file_size - data.tell():
            raise ValueError(f"its header says {shape} of {dtype}, but it has {member.file_size - data.tell()} bytes")
        data.seek(0)
        return np.lib.format.read_array(data, allow_pickle=False)
