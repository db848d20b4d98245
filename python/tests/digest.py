"""A hash of numbers that is the same on every machine: FNV-1a over their bits, little end first.

The same as that of the Rust tests: crates/supple/tests/answers/digest.rs.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt


class Digest:
    def __init__(self) -> None:
        self._hash = 0xCBF29CE484222325

    def _take(self, data: bytes) -> None:
        now = self._hash
        for byte in data:
            now = ((now ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
        self._hash = now

    def u32(self, number: int) -> None:
        self._take((int(number) & 0xFFFFFFFF).to_bytes(4, "little"))

    count = u32
    bool = u32

    def floats(self, numbers: npt.ArrayLike) -> None:
        """Zero has one hash, whatever its sign."""
        self._take((np.asarray(numbers, dtype=np.float32).ravel() + np.float32(0)).astype("<f4").tobytes())

    def integers(self, numbers: npt.ArrayLike) -> None:
        self._take(np.asarray(numbers).ravel().astype("<u4").tobytes())

    def pairs(self, pairs: npt.ArrayLike) -> None:
        listed = np.asarray(pairs).reshape(-1, 2)
        self.count(len(listed))
        self.integers(listed)

    def joints(self, joints: Iterable[tuple[int, float]]) -> None:
        for joint, weight in joints:
            self.u32(joint)
            self.floats(weight)

    def text(self) -> str:
        return f"{self._hash:016x}"
