"""The folder of results: audits by what is in the file, so that nothing is done twice.

A result is found by a key: a hash of the file, of the files that it names, of the options and of supple's version. Results and parts
are written whole or not at all; one that is damaged counts as not there.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import tempfile
import weakref
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

from . import _native
from ._write import write_whole

FORMAT = 1
"""Raised whenever files in the folder change."""

MARK = "supple-results.json"

Spans = Sequence[tuple[int, int, int]]
"""Frames of clips: (place of the clip, first frame, end)."""


class Results:
    """A folder of results.

    >>> results = Results("audits")
    >>> results.create()
    >>> results.read("0" * 64) is None
    True
    """

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    @classmethod
    def temporary(cls) -> Results:
        """A folder that is removed when the last row that can read from it is gone."""
        results = cls(tempfile.mkdtemp(prefix="supple-"))
        weakref.finalize(results, shutil.rmtree, results.folder, ignore_errors=True)
        return results

    def create(self) -> None:
        """Makes the folder, if it is not there. A folder with other things in it is refused."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if (self.folder / MARK).exists():
            return
        # The mark of a run that begins just now, or that was killed as it began, is not there yet, but beside its place.
        if any(not entry.name.startswith(f".{MARK}.") for entry in self.folder.iterdir()):
            raise ValueError(f"results: {self.folder} has other files in it; expected an empty folder or one of earlier results")
        write_whole(self.folder / MARK, json.dumps({"format": FORMAT}) + "\n")

    def check(self) -> None:
        """An error where the folder cannot be seen, as on a machine that does not share it."""
        if not (self.folder / MARK).exists():
            raise RuntimeError(
                f"the worker does not see the folder of results {self.folder}; on several machines, results= must be on storage "
                "that all of them share"
            )

    def read(self, key: str) -> Optional[dict[str, Any]]:
        """The JSON of an audit, or None if it is not there, or damaged."""
        data = _read(self._path(key))
        try:
            found = None if data is None else json.loads(data)
        except ValueError:
            return None
        return found if isinstance(found, dict) and found.get("files") else None

    def write(self, key: str, report: str) -> None:
        """Keeps an audit; its parts are no longer needed."""
        self._write(self._path(key), report.encode("utf-8"))
        shutil.rmtree(self._parts(key), ignore_errors=True)

    def read_part(self, key: str, spans: Spans) -> Optional[bytes]:
        """A part of an audit, or None if it is not there, or damaged."""
        return _read(self._part(key, spans))

    def write_part(self, key: str, spans: Spans, part: bytes) -> None:
        """Keeps a part."""
        try:
            self._write(self._part(key, spans), part)
        except FileNotFoundError:
            # Another run has just finished the file, and removed the folder of its parts.
            self._write(self._part(key, spans), part)

    def _write(self, path: Path, data: bytes) -> None:
        # A folder that was removed meanwhile is not made again: nobody would remove it a second time.
        self.check()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, gzip.compress(data, 1, mtime=0))

    def _path(self, key: str) -> Path:
        # 256 folders: some file systems are slow with 100,000 names in one.
        return self.folder / key[:2] / f"{key}.json.gz"

    def _parts(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.parts"

    def _part(self, key: str, spans: Spans) -> Path:
        name = hashlib.sha256(json.dumps([list(span) for span in spans]).encode()).hexdigest()[:24]
        return self._parts(key) / f"{name}.gz"


def key_of(path: str, options: str) -> str:
    """The key of a file's audit. It reads the file and those that it names; where they lie does not matter.

    >>> key_of("zoo:man", "{}") == key_of("zoo:man", "{}")
    True
    """
    digest = hashlib.sha256(json.dumps([FORMAT, _native.__version__, options]).encode())
    if path.startswith("zoo:"):
        digest.update(path.encode())
        return digest.hexdigest()
    digest.update(os.path.splitext(path)[1].lower().encode())
    digest.update(_digest(path))
    for file in map(os.fspath, _native.other_files(path)):
        # A texture may be missing, or be somewhere in the net; whoever needs a file to read the model says so.
        digest.update(_digest(file) if os.path.isfile(file) else b"missing")
    return digest.hexdigest()


def _digest(path: str) -> bytes:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.digest()


def _read(path: Path) -> Optional[bytes]:
    try:
        # Its end has a checksum and the length: what is damaged or cut off is noticed, and nothing that is kept is empty.
        return gzip.decompress(path.read_bytes()) or None
    except (FileNotFoundError, EOFError, gzip.BadGzipFile, zlib.error):
        return None
