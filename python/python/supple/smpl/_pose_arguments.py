"""Arguments of poses: axes and angles, matrices, hands; of one frame or of many."""

from __future__ import annotations

from typing import Optional

import numpy as np
import numpy.typing as npt

Floats = npt.ArrayLike
Array = npt.NDArray[np.float64]


class Frames:
    """Reads arguments with or without an axis of frames, and finds how many frames there are."""

    def __init__(self) -> None:
        self._lengths: dict[str, int] = {}

    @property
    def has_axis(self) -> bool:
        return bool(self._lengths)

    def count(self) -> int:
        """Frames of all arguments: one length, or one frame that stands for all."""
        lengths = {name: length for name, length in self._lengths.items() if length != 1}
        if len({*lengths.values()}) > 1:
            raise ValueError(f"{', '.join(lengths)}: expected as many frames in all, got {', '.join(map(str, lengths.values()))}")
        return next(iter(lengths.values()), 1)

    def numbers(self, name: str, value: Optional[Floats], count: int, hint: str = "") -> Array:
        """`(1 or t, count)`."""
        if value is None:
            return np.zeros((1, count))
        array = finite_numbers(name, value)
        if array.ndim not in (1, 2) or array.shape[-1] != count:
            text = f"{name}: expected {count} numbers, or an array of shape (t, {count}), got shape {array.shape}"
            raise ValueError(f"{text}; {hint}" if hint else text)
        return self._framed(name, array, 1)

    def rotations(self, name: str, value: Optional[Floats], count: int) -> Array:
        """`(1 or t, count, 3, 3)`, from axes times angles or from rotation matrices."""
        if value is None:
            return np.tile(np.eye(3), (1, count, 1, 1))
        array = finite_numbers(name, value)
        form = joint_form(array, count)
        if form is None:
            shapes = f"({3 * count},), ({count}, 3) or ({count}, 3, 3)"
            raise ValueError(f"{name}: expected shape {shapes}, for {count} joints, or frames of it, got {array.shape}")
        return self._turned(name, *form)

    def hand(self, name: str, value: Optional[Floats], mean: Array, components: Optional[Array]) -> Array:
        """`(1 or t, 15, 3, 3)`, likewise, or from coefficients of principal components."""
        if value is None:
            return rodrigues(mean.reshape(1, 15, 3))
        array = finite_numbers(name, value)
        form = joint_form(array, 15)
        if form is not None:
            joints, axes = form
            return self._turned(name, joints + mean.reshape(15, 3) if axes == 2 else joints, axes)
        most = 0 if components is None else len(components)
        if components is None or array.ndim not in (1, 2) or not 0 < array.shape[-1] <= most:
            raise ValueError(
                f"{name}: expected shape (45,), (15, 3) or (15, 3, 3), or 1 to {most} coefficients of principal components "
                f"(the file has {most or 'none'}), or frames of it, got {array.shape}"
            )
        joints = array @ components[: array.shape[-1]] + mean
        return self._turned(name, joints.reshape(*array.shape[:-1], 15, 3), 2)

    def _turned(self, name: str, joints: Array, axes: int) -> Array:
        framed = self._framed(name, joints, axes)
        if axes == 2:
            return rodrigues(framed)
        if not are_rotations(framed):
            raise ValueError(f"{name}: expected rotation matrices, got one that is not orthonormal, or that mirrors")
        return framed

    def _framed(self, name: str, array: Array, axes: int) -> Array:
        """With an axis of frames, which is counted if it was given."""
        if array.ndim == axes:
            return array[np.newaxis]
        self._lengths[name] = len(array)
        return array


def finite_numbers(name: str, value: Floats) -> Array:
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{name}: expected numbers in an array: {error}") from None
    if array.dtype.kind not in "iuf" and array.size:
        raise TypeError(f"{name}: expected numbers, got an array of {array.dtype}")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        where = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
        raise ValueError(f"{name}: expected finite numbers, got {array[where]} at {list(where)}")
    return array


def joint_form(array: Array, count: int) -> Optional[tuple[Array, int]]:
    """The array as `([t,] count, 3)` or `([t,] count, 3, 3)`, with the number of axes behind that of frames; None if it is neither.

    Where one joint leaves a choice, the first axis is that of frames.
    """
    sides = array.shape
    if count == 1 and sides == (3, 3) and are_rotations(array):
        return array[np.newaxis], 3
    if count == 1 and len(sides) == 3 and sides[1:] == (3, 3):
        return array[:, np.newaxis], 3
    if len(sides) in (3, 4) and sides[-3:] == (count, 3, 3):
        return array, 3
    if len(sides) in (1, 2) and sides[-1] == 3 * count:
        return array.reshape(*sides[:-1], count, 3), 2
    if len(sides) in (2, 3) and sides[-2:] == (count, 3):
        return array, 2
    return None


def are_rotations(matrices: Array) -> bool:
    # Networks and files have single precision, sometimes of a few products; 1e-3 is less than what anybody sees.
    near = np.abs(matrices @ np.swapaxes(matrices, -1, -2) - np.eye(3)) < 1e-3
    return bool(near.all() and (np.linalg.det(matrices) > 0.0).all())


def rodrigues(turns: Array) -> Array:
    """Rotation matrices of axes times angles: I + sin(a)/a K + (1 - cos(a))/a^2 K^2, where K v = turn x v."""
    angle = np.linalg.norm(turns, axis=-1)[..., np.newaxis, np.newaxis]
    cross = np.zeros((*turns.shape, 3))
    for row, column, axis, sign in ((2, 1, 0, 1), (1, 2, 0, -1), (0, 2, 1, 1), (2, 0, 1, -1), (1, 0, 2, 1), (0, 1, 2, -1)):
        cross[..., row, column] = sign * turns[..., axis]
    # np.sinc(x) is sin(pi x) / (pi x), and 1 at 0; (1 - cos(a)) / a^2 = (sin(a/2) / (a/2))^2 / 2.
    sine, cosine = np.sinc(angle / np.pi), 0.5 * np.sinc(angle / (2.0 * np.pi)) ** 2
    rotations: Array = np.eye(3) + sine * cross + cosine * (cross @ cross)
    return rotations
