"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Union


@contextmanager
def whole_file(path: Union[str, os.PathLike[str]]) -> Iterator[Path]:
    """A path to write to, beside the file's place; what was written is moved there at the end, if nothing went wrong.

    >>> with whole_file("report.txt") as beside:
    ...     beside.write_text("done")
    4
    """
    path = Path(path)
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        yield beside
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def write_whole(path: Union[str, os.PathLike[str]], data: Union[str, bytes]) -> None:
    """Writes a file: readers see the old one or the new one.

    >>> write_whole("report.txt", "done")
    """
    with whole_file(path) as beside:
        beside.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
