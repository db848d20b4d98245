"""Arrays of a file, checked: shapes that people have, joints in order, weights that sum to 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._pickles import Refused, plain

Array = npt.NDArray[np.float64]


class FileArrays:
    """Takes arrays by their keys and checks them."""

    def __init__(self, arrays: Mapping[str, Any], source: str) -> None:
        self._arrays, self._source = arrays, source

    def floats(self, key: str, *sides: Optional[int]) -> Array:
        # Rows one after the other, however the file has them: products round alike then.
        array = self._any(key, "biuf").astype(np.float64, order="C")
        if not np.isfinite(array).all():
            raise ValueError(f"{self._source}: {key} has a number that is not finite")
        self._check(key, array.shape, sides)
        return array

    def integers(self, key: str, *sides: Optional[int]) -> npt.NDArray[np.int64]:
        array = self._any(key, "iu").astype(np.int64)
        self._check(key, array.shape, sides)
        return array

    def directions(self, key: str, vertices: int, count: Optional[int]) -> Array:
        """Displacements as `(count, v, 3)`: files have (v, 3, k), (3 v, k) or (k, 3 v), or nothing."""
        if key not in self._arrays:
            return np.zeros((0, vertices, 3))
        array = self.floats(key)
        sides = array.shape
        if array.ndim == 3 and sides[:2] == (vertices, 3) and count in (None, sides[2]):
            return array.transpose(2, 0, 1)
        if array.ndim == 2 and sides[0] == 3 * vertices and count in (None, sides[1]):
            return array.T.reshape(-1, vertices, 3)
        if array.ndim == 2 and sides[1] == 3 * vertices and count in (None, sides[0]):
            return array.reshape(-1, vertices, 3)
        wanted = "k" if count is None else count
        raise ValueError(
            f"{self._source}: {key} has shape {sides}, expected ({vertices}, 3, {wanted}), ({3 * vertices}, {wanted}) "
            f"or ({wanted}, {3 * vertices}), for {vertices} vertices"
        )

    def _any(self, key: str, kinds: str) -> npt.NDArray[Any]:
        if key not in self._arrays:
            raise ValueError(f"{self._source}: expected an array {key}, found only {', '.join(map(str, self._arrays))[:300] or 'nothing'}")
        try:
            array = np.asarray(plain(self._arrays[key]))
        except Refused:
            raise
        except Exception as error:  # What stands in a file can be wrong in any way.
            raise ValueError(f"{self._source}: {key} is no array: {error}") from None
        if array.dtype.kind not in kinds:
            raise ValueError(f"{self._source}: {key} is an array of {array.dtype}, expected {'numbers' if 'f' in kinds else 'integers'}")
        return array

    def _check(self, key: str, found: tuple[int, ...], sides: tuple[Optional[int], ...]) -> None:
        if sides and (len(found) != len(sides) or any(side not in (None, n) for n, side in zip(found, sides))):
            expected = ", ".join("n" if side is None else str(side) for side in sides)
            raise ValueError(f"{self._source}: {key} has shape {found}, expected ({expected}), as the other arrays have it")


def parents_of(tree: npt.NDArray[np.int64], source: str) -> npt.NDArray[np.int64]:
    """Parents of joints. The first one has none, and files write -1 or 2**32 - 1 there."""
    if tree.shape[1] == 0:
        raise ValueError(f"{source}: kintree_table has no joints")
    column = {int(joint): place for place, joint in enumerate(tree[1])}
    parents = np.array([-1] + [column.get(int(parent), -1) for parent in tree[0, 1:]], dtype=np.int64)
    for joint, parent in enumerate(parents[1:], start=1):
        if not 0 <= parent < joint:
            raise ValueError(f"{source}: kintree_table has parent {tree[0, joint]} for joint {joint}, expected a joint before it")
    return parents


def levels_of(parents: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    """Joints below the first by their depth: numpy multiplies those of a level at once."""
    depths = np.zeros(len(parents), dtype=np.int64)
    for joint, parent in enumerate(parents[1:], start=1):
        depths[joint] = depths[parent] + 1
    return [np.flatnonzero(depths == depth) for depth in range(1, depths.max() + 1)]


def normalized_weights(weights: Array, source: str) -> Array:
    """Weights that sum to 1 also in double precision."""
    sums = weights.sum(axis=1, keepdims=True)
    bad = np.flatnonzero((np.abs(sums[:, 0] - 1.0) > 1e-2) | (weights < 0.0).any(axis=1))
    if len(bad):
        raise ValueError(f"{source}: weights of vertex {bad[0]} sum to {sums[bad[0], 0]:.4g}, expected 1, and none below 0")
    normalized: Array = weights / sums
    return normalized


def shape_count(directions: int, joints: int) -> int:
    """How many of shapedirs are for betas; the others are for expression: 300 of 400, or 10 of 20 in the small files of SMPL-X."""
    return 10 if joints == 55 and directions == 20 else min(directions, 300)
