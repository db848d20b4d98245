"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Union


def check_folder(name: str, path: Union[str, os.PathLike[str]]) -> None:
    """An error before the work if a file could not be written after it; `name` is the argument that the error names.

    >>> check_folder("html", "nowhere/audits.html")
    Traceback (most recent call last):
    FileNotFoundError: html: there is no folder 'nowhere'
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{name}: expected a path, not {path!r}")
    folder = Path(path).parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{name}: there is no folder {os.fspath(folder)!r}")
    if not os.access(folder, os.W_OK) or Path(path).is_dir():
        raise PermissionError(f"{name}: {os.fspath(path)!r} cannot be written")


@contextmanager
def whole_file(path: Union[str, os.PathLike[str]]) -> Iterator[Path]:
    """A path to write to, beside the file's place; what was written is moved there at the end, if nothing went wrong.

    >>> with whole_file("report.txt") as beside:
    ...     beside.write_text("done")
    4
    """
    path = Path(path)
    # As short as a part of the name allows: names have 255 bytes at most.
    beside = path.with_name(f".{path.name[:40]}.{uuid.uuid4().hex[:12]}.tmp")
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
