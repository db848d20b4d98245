"""What has a shape: for types only. A `Body` and an `SmplModel` do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ._native import Shape


class WithShape(Protocol):
    """Anything with a property `shape`."""

    @property
    def shape(self) -> Shape: ...
